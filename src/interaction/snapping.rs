//! Snapping of the pointer.
//!
//! In order of priority: corners, midpoints of edges, edges, the grid within reach, alignment with
//! other points, the grid beyond reach. A target wins if it is near enough on screen; alignment may
//! combine with itself (a crossing of two guides) and with the grid (one coordinate each). Ctrl
//! turns snapping off, or on where it is off.
//!
//! Alignment never overrides a nearby grid line: corners of arcs and strokes are everywhere, and
//! with the grid on, users want round coordinates.

use super::{
    context::Scene,
    input::Modifiers,
    outline,
    overlay::{Overlay, Primitive, SnapMark},
    picking::Picker,
    view::View,
};
use crate::base::EntityId;
use crate::document::{Entity, Level, Snap};
use crate::geometry::{
    Rect,
    polygon::{closest_on_segment, ring_edges},
};
use glam::DVec2;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Snap distance of corners, midpoints and edges. Unit: points.
const REACH: f64 = 9.0;
/// Snap distance of alignment with another point. Unit: points.
const ALIGN_REACH: f64 = 5.0;
/// Maximum distance to a point to align with. Unit: points.
const ALIGN_RANGE: f64 = 320.0;

/// What to exclude from snapping, and what to add.
#[derive(Clone, Copy, Debug, Default)]
pub struct SnapScope<'a> {
    /// What is being dragged.
    pub exclude: Option<&'a BTreeSet<EntityId>>,
    /// Points of the sketch in progress.
    pub own: &'a [DVec2],
    /// Whether the placed object has a body: agents cannot stand on corners and edges.
    pub body: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapped {
    pub point: DVec2,
    pub mark: Option<SnapMark>,
    /// From the aligned point to the snapped point.
    pub guides: Vec<(DVec2, DVec2)>,
}

impl Snapped {
    /// The unsnapped position.
    #[must_use]
    pub const fn free(point: DVec2) -> Self {
        Self {
            point,
            mark: None,
            guides: Vec::new(),
        }
    }

    pub fn overlay(&self, out: &mut Overlay) {
        for (from, to) in &self.guides {
            out.primitives.push(Primitive::Guide {
                from: *from,
                to: *to,
            });
        }
        if let Some(mark) = self.mark {
            out.primitives.push(Primitive::Snap {
                at: self.point,
                mark,
            });
        }
    }
}

/// The snapped position for a pointer at `at`.
#[must_use]
pub fn snap(scene: &Scene<'_>, at: DVec2, modifiers: Modifiers, scope: SnapScope<'_>) -> Snapped {
    if scene.defaults.snap == modifiers.ctrl || !at.is_finite() {
        return Snapped::free(by_hand(at));
    }
    let grid = scene.level().settings().grid;
    Search {
        picker: scene.picker,
        level: scene.picker.level(),
        view: scene.view,
        snap: grid.snap,
        spacing: grid.spacing,
        scope,
    }
    .snap(at)
}

/// The nearest grid point.
#[must_use]
pub fn on_grid(at: DVec2, spacing: f64) -> DVec2 {
    rounded((at / spacing).round() * spacing, 1e6)
}

/// An unsnapped position, rounded to a tenth of a millimetre: finer than any hand.
#[must_use]
pub fn by_hand(at: DVec2) -> DVec2 {
    rounded(at, 1e4)
}

fn rounded(at: DVec2, steps_per_metre: f64) -> DVec2 {
    // Dividing by a whole number gives the float nearest to the decimal; adding zero turns −0 into
    // 0.
    (at * steps_per_metre).round() / steps_per_metre + DVec2::ZERO
}

struct Search<'a> {
    picker: &'a Picker,
    level: &'a Arc<Level>,
    view: View,
    snap: Snap,
    spacing: f64,
    scope: SnapScope<'a>,
}

impl Search<'_> {
    fn snap(&self, at: DVec2) -> Snapped {
        if !self.scope.body
            && let Some((point, mark)) = self.corner(at).or_else(|| self.edge(at))
        {
            return Snapped {
                point,
                mark: Some(mark),
                guides: Vec::new(),
            };
        }
        self.aligned(at)
    }

    fn entities(&self, rect: Rect) -> impl Iterator<Item = (EntityId, &Arc<Entity>)> {
        self.picker.near(rect).filter(|(id, _)| {
            !self.scope.exclude.is_some_and(|gone| gone.contains(id)) && self.level.is_visible(*id)
        })
    }

    /// The level's border is a snap target too.
    fn border(&self) -> [DVec2; 4] {
        self.level.settings().bounds.corners()
    }

    /// The nearest corner in reach, else the nearest midpoint.
    fn corner(&self, at: DVec2) -> Option<(DVec2, SnapMark)> {
        let reach = self.view.metres(REACH);
        let around = Rect::new(at, at).expanded(reach);
        let mut corner = Nearest::within(at, reach);
        let mut middle = Nearest::within(at, reach);
        if self.snap.vertices {
            let own = self.scope.own.iter().copied().chain(self.border());
            own.for_each(|p| corner.offer(p));
        }
        for (id, entity) in self.entities(around) {
            if self.snap.vertices {
                outline::visit_points(id, entity, |p| corner.offer(p));
            }
            if self.snap.edges {
                outline::visit_segments(entity, |a, b| {
                    middle.offer(rounded((a + b) * 0.5, 1e6));
                });
            }
        }
        let found = |nearest: Nearest, mark| nearest.found.map(|p| (p, mark));
        found(corner, SnapMark::Vertex).or_else(|| found(middle, SnapMark::Midpoint))
    }

    /// The nearest point on an edge within reach; on axis-aligned edges, where the grid crosses it.
    fn edge(&self, at: DVec2) -> Option<(DVec2, SnapMark)> {
        if !self.snap.edges {
            return None;
        }
        let reach = self.view.metres(REACH);
        let on_lines = on_grid(at, self.spacing);
        let mut nearest = Nearest::within(at, reach);
        let mut place = None;
        let mut offer = |a: DVec2, b: DVec2| {
            if !nearest.takes(closest_on_segment(a, b, at)) {
                return;
            }
            let along_axis = a.x == b.x || a.y == b.y;
            let wanted = if along_axis && self.snap.grid {
                on_lines
            } else {
                at
            };
            place = Some(rounded(closest_on_segment(a, b, wanted), 1e6));
        };
        for (a, b) in ring_edges(&self.border()) {
            offer(a, b);
        }
        for (_, entity) in self.entities(Rect::new(at, at).expanded(reach)) {
            outline::visit_segments(entity, &mut offer);
        }
        place.map(|p| (p, SnapMark::Edge))
    }

    /// Each coordinate separately: on a grid line within reach, else aligned with a nearby point,
    /// else on the grid, else free.
    fn aligned(&self, at: DVec2) -> Snapped {
        let grid = on_grid(at, self.spacing);
        let reach = self.view.metres(REACH);
        let mut snapped = Snapped::free(by_hand(at));
        let partners = if self.snap.axes {
            [0, 1].map(|axis| {
                let held = self.snap.grid && (grid[axis] - at[axis]).abs() <= reach;
                self.partner(at, axis)
                    .filter(|partner| !held || partner[axis] == grid[axis])
            })
        } else {
            [None, None]
        };
        for axis in 0..2 {
            if let Some(partner) = partners[axis] {
                snapped.point[axis] = partner[axis];
            } else if self.snap.grid {
                snapped.point[axis] = grid[axis];
            }
        }
        snapped.guides = partners
            .into_iter()
            .flatten()
            .map(|partner| (partner, snapped.point))
            .collect();
        snapped.mark = match partners {
            [Some(_), Some(_)] => Some(SnapMark::Intersection),
            [None, None] => self.snap.grid.then_some(SnapMark::Grid),
            _ => Some(SnapMark::Axis),
        };
        snapped
    }

    /// The point that `at` is best aligned with on an axis (0: same x, 1: same y).
    fn partner(&self, at: DVec2, axis: usize) -> Option<DVec2> {
        let reach = self.view.metres(ALIGN_REACH);
        let range = self.view.metres(ALIGN_RANGE);
        let mut half = DVec2::splat(range);
        half[axis] = reach;
        let mut line = InLine {
            at,
            axis,
            band: Rect::around(at, half),
            best: None,
        };
        // The sketch's own points first: a right angle within the drawing matters most.
        self.scope.own.iter().for_each(|p| line.offer(*p));
        if line.best.is_none() {
            for (id, entity) in self.entities(line.band) {
                outline::visit_points(id, entity, |p| {
                    if self.view.visible.contains(p) {
                        line.offer(p);
                    }
                });
            }
        }
        line.best.map(|(.., p)| p)
    }
}

/// The best-aligned point; ties go to the nearest.
struct InLine {
    at: DVec2,
    axis: usize,
    band: Rect,
    best: Option<(f64, f64, DVec2)>,
}

impl InLine {
    fn offer(&mut self, p: DVec2) {
        if !self.band.contains(p) {
            return;
        }
        let off = (p[self.axis] - self.at[self.axis]).abs();
        let far = p.distance_squared(self.at);
        if self
            .best
            .is_none_or(|(o, f, q)| (off, far, p.x, p.y) < (o, f, q.x, q.y))
        {
            self.best = Some((off, far, p));
        }
    }
}

/// The nearest candidate; the first of equals.
struct Nearest {
    to: DVec2,
    distance_squared: f64,
    found: Option<DVec2>,
}

impl Nearest {
    fn within(to: DVec2, reach: f64) -> Self {
        Self {
            to,
            distance_squared: reach * reach,
            found: None,
        }
    }

    fn takes(&mut self, p: DVec2) -> bool {
        let distance_squared = p.distance_squared(self.to);
        // Ties by position, so that the order of the index does not matter.
        let better = distance_squared < self.distance_squared
            || (distance_squared == self.distance_squared
                && self.found.is_none_or(|f| (p.x, p.y) < (f.x, f.y)));
        if better {
            self.distance_squared = distance_squared;
            self.found = Some(p);
        }
        better
    }

    fn offer(&mut self, p: DVec2) {
        self.takes(p);
    }
}
