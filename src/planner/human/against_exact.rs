//! Compares cells with the exact free space: where the two disagree, and which doors a cell size
//! loses.
//! Only the ground is compared: free space is flat and has no upper floors.

use super::reachability::{Reachability, Standing};
use crate::base::EntityId;
use crate::document::Level;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::Corridors;
use crate::nav::corridor::Pinch;
use crate::nav::voxel::{Borders, Reach, SurfaceId};
use crate::nav::{CellMap, NavSpace};
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// Within this distance of a cell that both agree on, a disagreement is only rounding to cells.
/// Unit: cells.
const FRINGE: i32 = 2;

/// Tolerance for surface heights. Unit: metres.
const ROUNDING: f64 = 0.02;

/// Gaps wider than this are not doors. Unit: metres.
const WIDEST_DOOR: f64 = 3.0;

/// What happens to a door in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Impassable.
    Closed,
    /// Passable only along the walls, closer than the border allows.
    Squeezed,
}

/// A gap that the body fits through in free space, but not in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Door {
    pub at: DVec3,
    /// The wall points on either side.
    pub ends: [DVec2; 2],
    /// Unit: metres.
    pub width: f64,
    /// The entities that own the walls; `None` for the level's bounds.
    pub between: [Option<EntityId>; 2],
    /// Standable columns across it, border columns included.
    pub columns: u32,
    pub fate: Fate,
}

impl Door {
    /// Describes it, with entity names from `label`.
    #[must_use]
    pub fn sentence(
        &self,
        reachability: &Reachability,
        label: impl Fn(EntityId) -> String,
    ) -> String {
        let name = |id: Option<EntityId>| {
            id.map_or_else(
                || "the border".to_owned(),
                |id| format!("\"{}\"", label(id)),
            )
        };
        let cell = reachability.surfaces().frame.cell;
        let layers = reachability.footing.body.border_layers;
        let verdict = match self.fate {
            Fate::Closed => "closed",
            Fate::Squeezed => "only along the walls",
        };
        let columns = match self.columns {
            1 => "1 column".to_owned(),
            n => format!("{n} columns"),
        };
        format!(
            "{verdict}: {:.2} m between {} and {}; cells of {cell:.2} m leave {columns}, the border \
             takes {layers} on either side",
            self.width,
            name(self.between[0]),
            name(self.between[1]),
        )
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgainstExact {
    /// Reachable in free space but not in cells.
    pub lost: Vec<SurfaceId>,
    /// Reachable in cells but not in free space: over low obstacles or under high ones.
    pub gained: Vec<SurfaceId>,
    /// Doors that exist in free space but not in cells, widest first.
    pub doors: Vec<Door>,
}

impl AgainstExact {
    /// Compares reachability in cells with the free space of one body. Empty if the start is off
    /// the ground or outside free space.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        reachability: &Reachability,
        level: &Level,
        space: &NavSpace,
        corridors: Option<&Corridors>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let exact = Exact::of(reachability, level, &space.merged);
        let Some(exact) = exact else {
            return Ok(Self::default());
        };
        let surfaces = reachability.surfaces();
        let mut against = Self::default();
        let [width, height] = [surfaces.frame.size[0], surfaces.frame.size[1]].map(|n| n as i32);
        let mut agreed = vec![false; surfaces.frame.columns()];
        for id in surfaces.ids() {
            if id.0 % 8192 == 0 {
                ctx.checkpoint()?;
            }
            if !exact.is_ground(id) {
                continue;
            }
            let p = surfaces.point(id).truncate();
            let standing = reachability.standing(id);
            let by_cells = matches!(standing, Standing::Reached(_));
            match (exact.leads_to(p), by_cells) {
                (true, true) => {
                    let [x, y] = place(reachability, id);
                    agreed[(y * width + x) as usize] = true;
                }
                // Free space ignores solids: where no body can stand, the cells are right.
                (true, false) if standing != Standing::Unfit => against.lost.push(id),
                (false, true) => against.gained.push(id),
                _ => {}
            }
        }
        let is_fringe = |id: &SurfaceId| {
            let [x, y] = place(reachability, *id);
            let (from, to) = ((x - FRINGE).max(0), (x + FRINGE).min(width - 1));
            ((y - FRINGE).max(0)..=(y + FRINGE).min(height - 1))
                .any(|y| (from..=to).any(|x| agreed[(y * width + x) as usize]))
        };
        against.lost.retain(|id| !is_fringe(id));
        against.gained.retain(|id| !is_fringe(id));
        ctx.checkpoint()?;
        if let Some(corridors) = corridors {
            let radius = reachability.footing.body.body.radius;
            let narrow = |pinch: &Pinch| pinch.width >= 2.0 * radius && pinch.width <= WIDEST_DOOR;
            for pinch in corridors.map.pinch_points().iter().filter(|p| narrow(p)) {
                ctx.checkpoint()?;
                if exact.leads_to(pinch.sample.point) {
                    against
                        .doors
                        .extend(door(reachability, corridors, pinch, &exact));
                }
            }
            let by_width = |a: &Door, b: &Door| b.width.total_cmp(&a.width);
            against
                .doors
                .sort_by(|a, b| a.fate.cmp(&b.fate).then(by_width(a, b)));
        }
        Ok(against)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lost.is_empty() && self.gained.is_empty() && self.doors.is_empty()
    }
}

fn place(reachability: &Reachability, id: SurfaceId) -> [i32; 2] {
    let cell = &reachability.surfaces().cells()[id.index()];
    [i32::from(cell.x), i32::from(cell.y)]
}

/// Free space reachable from the start.
struct Exact<'a> {
    reachability: &'a Reachability,
    level: &'a Level,
    cells: &'a CellMap,
    component: u32,
}

impl<'a> Exact<'a> {
    fn of(reachability: &'a Reachability, level: &'a Level, cells: &'a CellMap) -> Option<Self> {
        let start = reachability.start?;
        let at = reachability.surfaces().point(start).truncate();
        let exact = Self {
            reachability,
            level,
            cells,
            component: cells.component(cells.locate(at)?),
        };
        exact.is_ground(start).then_some(exact)
    }

    fn leads_to(&self, p: DVec2) -> bool {
        self.cells
            .locate(p)
            .is_some_and(|cell| self.cells.component(cell) == self.component)
    }

    /// Whether a surface is the ground or within one step above it.
    fn is_ground(&self, id: SurfaceId) -> bool {
        let p = self.reachability.surfaces().point(id);
        let ground = self
            .level
            .ground()
            .map_or(0.0, |field| field.height(p.truncate()));
        let slack = self.reachability.footing.body.body.step_height + ROUNDING;
        (p.z - ground).abs() <= slack
    }
}

/// A gap as a door that cells lose; `None` if they keep it.
fn door(
    reachability: &Reachability,
    corridors: &Corridors,
    pinch: &Pinch,
    exact: &Exact<'_>,
) -> Option<Door> {
    let sample = &pinch.sample;
    let across = sample.right - sample.left;
    let along = across.perp().try_normalize()?;
    let surfaces = reachability.surfaces();
    let cell = surfaces.frame.cell;
    // Between the walls, a few cells to either side of the line across.
    let (half_width, half_length) = (0.5 * across.length() + 0.5 * cell, 2.5 * cell);
    let middle = sample.left.midpoint(sample.right);
    let mut strip: BTreeMap<SurfaceId, f64> = BTreeMap::new();
    let reach = ((half_width + half_length) / cell).ceil() as i32 + 1;
    let [x, y] = surfaces
        .frame
        .column_at(middle.x, middle.y)?
        .map(|at| at as i32);
    let unit = across.normalize();
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            for id in surfaces.column(x + dx, y + dy).map(SurfaceId) {
                let off = surfaces.point(id).truncate() - middle;
                let within =
                    off.dot(along).abs() <= half_length && off.dot(unit).abs() <= half_width;
                if within && exact.is_ground(id) && reachability.footing.is_standable(id) {
                    strip.insert(id, off.dot(along));
                }
            }
        }
    }
    let fate = if is_crossed(reachability, &strip, Borders::Avoid) {
        return None;
    } else if is_crossed(reachability, &strip, Borders::Ignore) {
        Fate::Squeezed
    } else {
        Fate::Closed
    };
    let columns: BTreeSet<[i32; 2]> = strip
        .iter()
        .filter(|(_, off)| off.abs() <= 0.5 * cell)
        .map(|(id, _)| place(reachability, *id))
        .collect();
    let blocker =
        |index: Option<u32>| index.and_then(|i| corridors.blockers.get(i as usize).copied());
    let ground = exact
        .level
        .ground()
        .map_or(0.0, |field| field.height(middle));
    Some(Door {
        at: middle.extend(ground),
        ends: [sample.left, sample.right],
        width: pinch.width,
        between: [blocker(sample.left_blocker), blocker(sample.right_blocker)],
        columns: across_count(&columns, unit),
        fate,
    })
}

/// Number of adjacent columns across a door.
fn across_count(columns: &BTreeSet<[i32; 2]>, unit: DVec2) -> u32 {
    let axis = usize::from(unit.y.abs() > unit.x.abs());
    let places: BTreeSet<i32> = columns.iter().map(|column| column[axis]).collect();
    places.len() as u32
}

/// Whether a strip can be crossed from one side of its centre line to the other without leaving it.
fn is_crossed(
    reachability: &Reachability,
    strip: &BTreeMap<SurfaceId, f64>,
    borders: Borders,
) -> bool {
    let reach = Reach::new(reachability.surfaces(), &reachability.footing, borders);
    let mut seen: BTreeSet<SurfaceId> = BTreeSet::new();
    let open = |id: &SurfaceId| strip.contains_key(id) && reach.is_open(*id);
    let mut queue: Vec<SurfaceId> = strip
        .iter()
        .filter(|(id, off)| **off < 0.0 && reach.is_open(**id))
        .map(|(id, _)| *id)
        .collect();
    seen.extend(&queue);
    while let Some(id) = queue.pop() {
        let mut crossed = false;
        reach.moves_from(id, |step| {
            if open(&step.cell) && seen.insert(step.cell) {
                crossed |= strip.get(&step.cell).is_some_and(|off| *off > 0.0);
                queue.push(step.cell);
            }
        });
        if crossed {
            return true;
        }
    }
    false
}
