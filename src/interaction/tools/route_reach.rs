//! σ and d of the selected route, shown and dragged on the route itself.
//!
//! Both are lengths along the route (Jaklin et al. 2013, §3.2), so each handle is at that distance
//! from the route's start. The handles stand beside the line, σ to the left and d to the right,
//! where they cover neither corners nor each other.

use crate::base::{EntityId, Quantity};
use crate::document::{Edit, Entity, Kind, Route, limits, route_line};
use crate::geometry::{curve::Polyline, polygon::closest_on_segment};
use crate::interaction::{
    context::{Scene, ToolContext},
    entry::{NumericEntry, Typed},
    hints::Hints,
    input::Pointer,
    overlay::{HandleShape, HandleState, Overlay, OverlayStyle},
    tool::{Cursor, Gesture},
    view::View,
};
use glam::DVec2;
use std::sync::Arc;

/// Pick distance of a handle. Unit: points.
const REACH: f64 = 9.0;
/// Distance of the handles from the route. Unit: points.
const STALK: f64 = 16.0;
/// How far beyond the route's end a handle is shown when its value exceeds the route's length.
/// Unit: points.
const BEYOND: f64 = 40.0;
/// Half the length of the marks at every d. Unit: points.
const TICK: f64 = 4.0;
/// Marks closer together are not drawn. Unit: points.
const CLOSEST_TICKS: f64 = 6.0;
/// Routes with more points than this are not measured again in every frame.
const MOST_ANCHORS: usize = 20_000;
/// Weight of a metre along the route relative to a metre from the pointer: where a route crosses
/// itself, a handle stays on its own branch.
const LOYALTY: f64 = 0.05;
/// Minimum screen distance of the round values that a drag snaps to. Unit: points.
const ROUND: f64 = 2.0;

/// What a handle changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// How much of the route may be skipped at once, σ.
    LookAhead,
    /// Distance between candidate points, d.
    SampleStep,
}

impl Reach {
    const ALL: [Self; 2] = [Self::LookAhead, Self::SampleStep];

    const fn sign(self) -> &'static str {
        match self {
            Self::LookAhead => "σ",
            Self::SampleStep => "d",
        }
    }

    const fn quantity(self) -> &'static Quantity {
        match self {
            Self::LookAhead => &limits::LOOK_AHEAD,
            Self::SampleStep => &limits::SAMPLE_STEP,
        }
    }

    const fn step_label(self) -> &'static str {
        match self {
            Self::LookAhead => "Set look-ahead",
            Self::SampleStep => "Set sampling",
        }
    }

    const fn of(self, route: &Route) -> f64 {
        match self {
            Self::LookAhead => route.look_ahead,
            Self::SampleStep => route.sample_step,
        }
    }

    const fn set(self, route: &mut Route, metres: f64) {
        match self {
            Self::LookAhead => route.look_ahead = metres,
            Self::SampleStep => route.sample_step = metres,
        }
    }

    /// Keeps σ at least as long as d: otherwise there would be nothing to choose from.
    fn limited(self, metres: f64, route: &Route) -> f64 {
        let metres = match self {
            Self::LookAhead => metres.max(route.sample_step),
            Self::SampleStep => metres.min(route.look_ahead),
        };
        metres.clamp(self.quantity().min, self.quantity().max)
    }

    /// Hints for the status bar.
    #[must_use]
    pub fn hints(self) -> Hints {
        Hints::new(match self {
            Self::LookAhead => "Drag to set σ: how much of the route may be skipped at once",
            Self::SampleStep => "Drag to set d: the distance between candidate points",
        })
    }
}

/// The handles of the selected route.
#[derive(Clone, Debug)]
pub struct RouteReach {
    id: EntityId,
    entity: Arc<Entity>,
    line: Polyline,
}

fn route_of(entity: &Entity) -> Option<&Route> {
    match &entity.kind {
        Kind::Route(route) => Some(route),
        _ => None,
    }
}

impl RouteReach {
    /// `None` unless exactly one route is selected, visible and unlocked.
    #[must_use]
    pub fn of(scene: &Scene<'_>) -> Option<Self> {
        let level = scene.level();
        let id = scene.selection().single()?;
        let entity = level.get(id)?;
        let route = route_of(entity)?;
        if !level.is_visible(id) || level.is_locked(id) || entity.vertex_count() > MOST_ANCHORS {
            return None;
        }
        let line = route_line(route);
        (line.length() > 0.0).then(|| Self {
            id,
            entity: Arc::clone(entity),
            line,
        })
    }

    /// A point on the route, or on its straight extension beyond the end, and the direction.
    fn place(&self, along: f64) -> (DVec2, DVec2) {
        let length = self.line.length();
        let direction = self.line.direction_at(along.min(length));
        let direction = direction.unwrap_or(DVec2::X);
        let on_line = self.line.point_at(along).unwrap_or_default();
        let beyond = if self.is_closed() {
            0.0
        } else {
            (along - length).max(0.0)
        };
        (on_line + direction * beyond, direction)
    }

    fn is_closed(&self) -> bool {
        route_of(&self.entity).is_some_and(|route| route.closed)
    }

    /// Foot of a handle's stalk, and position of the handle.
    fn stalk(&self, which: Reach, metres: f64, view: &View) -> [DVec2; 2] {
        let farthest = self.line.length() + view.metres(BEYOND);
        let (foot, direction) = self.place(metres.min(farthest));
        let side = match which {
            Reach::LookAhead => direction.perp(),
            Reach::SampleStep => -direction.perp(),
        };
        [foot, foot + side * view.metres(STALK)]
    }

    fn value(&self, which: Reach) -> f64 {
        route_of(&self.entity).map_or(which.quantity().default, |route| which.of(route))
    }

    /// The handle under the pointer.
    #[must_use]
    pub fn hit(&self, view: &View, at: DVec2) -> Option<Reach> {
        let reach = view.metres(REACH);
        Reach::ALL
            .into_iter()
            .map(|which| {
                let [_, handle] = self.stalk(which, self.value(which), view);
                (which, handle.distance(at))
            })
            .filter(|(_, distance)| *distance <= reach)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(which, _)| which)
    }

    pub fn overlay(&self, view: &View, hot: Option<Reach>, out: &mut Overlay) {
        let [look_ahead, sample_step] = Reach::ALL.map(|which| self.value(which));
        self.band(view, look_ahead, sample_step, out);
        for (which, metres) in [
            (Reach::LookAhead, look_ahead),
            (Reach::SampleStep, sample_step),
        ] {
            let [foot, handle] = self.stalk(which, metres, view);
            let end = self.place(self.line.length()).0;
            if metres > self.line.length() {
                out.line(end, foot, OverlayStyle::Arm);
            }
            out.line(foot, handle, OverlayStyle::Arm);
            let state = if hot == Some(which) {
                HandleState::Hovered
            } else {
                HandleState::Idle
            };
            out.handle(handle, HandleShape::Round, state);
            let text = format!("{} {}", which.sign(), metres_text(metres));
            out.label_beside(foot, handle, text, OverlayStyle::Ready);
        }
    }

    /// The stretch that may be skipped at once, with a mark at every d.
    fn band(&self, view: &View, look_ahead: f64, sample_step: f64, out: &mut Overlay) {
        let end = look_ahead.min(self.line.length());
        out.polyline(self.line.part(0.0, end), OverlayStyle::Reach);
        if sample_step < view.metres(CLOSEST_TICKS) {
            return;
        }
        let tick = view.metres(TICK);
        let mut along = sample_step;
        while along <= end {
            let (at, direction) = self.place(along);
            let across = direction.perp() * tick;
            if view.visible.contains(at) {
                out.line(at - across, at + across, OverlayStyle::Ready);
            }
            along += sample_step;
        }
    }

    /// Arc length of the point nearest to `at`, preferring those near `last`.
    fn along(&self, at: DVec2, last: f64) -> f64 {
        let length = self.line.length();
        let mut start = 0.0;
        let mut best = (f64::INFINITY, last);
        for pair in self.line.points().windows(2) {
            let near = closest_on_segment(pair[0], pair[1], at);
            let along = start + pair[0].distance(near);
            let unlike = near.distance(at) + LOYALTY * (along - last.min(length)).abs();
            if unlike < best.0 {
                best = (unlike, along);
            }
            start += pair[0].distance(pair[1]);
        }
        let (end, direction) = self.place(length);
        let beyond = (at - end).dot(direction);
        if best.1 >= length - 1e-9 && beyond > 0.0 && !self.is_closed() {
            return length + beyond;
        }
        best.1
    }
}

/// Without trailing zeros: `40 m`, `2.5 m`.
fn metres_text(metres: f64) -> String {
    let rounded = (metres * 100.0).round() / 100.0;
    format!("{rounded} m")
}

/// The smallest round step of at least `least` metres: 1, 2 or 5 times a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-6).log10().floor());
    [1.0, 2.0, 5.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// A drag of a handle along the route.
#[derive(Debug)]
pub struct ReachDrag {
    reach: RouteReach,
    which: Reach,
    /// From the pointer to the route.
    offset: DVec2,
    /// Arc length of the pointer on the route. Unit: metres.
    along: f64,
    pointer: Pointer,
    entry: NumericEntry,
    /// Whether the other handle limited the value.
    held_back: bool,
}

impl ReachDrag {
    pub fn begin(
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
        reach: RouteReach,
        which: Reach,
    ) -> Box<dyn Gesture> {
        let value = reach.value(which);
        let [foot, _] = reach.stalk(which, value, &ctx.view);
        ctx.host.begin(which.step_label());
        Box::new(Self {
            offset: foot - pointer.world,
            along: value,
            reach,
            which,
            pointer: *pointer,
            entry: NumericEntry::new(),
            held_back: false,
        })
    }

    fn show(&mut self, ctx: &mut ToolContext<'_>) {
        let wanted = match self.entry.typed() {
            Ok(Some(Typed::Number(metres))) => metres,
            Ok(None) => {
                self.along = self
                    .reach
                    .along(self.pointer.world + self.offset, self.along);
                let step = if self.pointer.modifiers.ctrl {
                    0.01
                } else {
                    round_step(ctx.view.metres(ROUND)).max(0.01)
                };
                // Dividing by a whole number keeps `0.1` from becoming `0.1000…01`.
                let per_metre = (1.0 / step).round().max(1.0);
                if step < 1.0 {
                    (self.along * per_metre).round() / per_metre
                } else {
                    (self.along / step).round() * step
                }
            }
            Ok(Some(_)) | Err(_) => return,
        };
        let mut entity = (*self.reach.entity).clone();
        let Kind::Route(route) = &mut entity.kind else {
            return;
        };
        let metres = self.which.limited(wanted, route);
        self.held_back = (metres - wanted).abs() > 1e-9 && wanted > 0.0;
        self.which.set(route, metres);
        ctx.preview(vec![Edit::replace(self.reach.id, entity)]);
    }
}

impl Gesture for ReachDrag {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        if pointer.world.is_finite() {
            self.pointer = *pointer;
            self.show(ctx);
        }
    }

    fn entry(&mut self) -> Option<&mut NumericEntry> {
        Some(&mut self.entry)
    }

    fn retyped(&mut self, ctx: &mut ToolContext<'_>) {
        self.show(ctx);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        let trouble = self.held_back.then(|| match self.which {
            Reach::LookAhead => "σ cannot be shorter than d; shorten d first".to_owned(),
            Reach::SampleStep => "d cannot be longer than σ; lengthen σ first".to_owned(),
        });
        Some(
            self.which
                .hints()
                .key("Ctrl", "centimetre steps")
                .key("12.5", "type a length")
                .key("Esc", "back")
                .entry(self.entry.text())
                .trouble(trouble),
        )
    }

    fn cursor(&self) -> Option<Cursor> {
        Some(Cursor::Move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::RouteShape;
    use crate::geometry::hostile::any_point;
    use proptest::prelude::*;

    fn reach(points: Vec<DVec2>) -> RouteReach {
        let route = Route::new(RouteShape::Polyline(points));
        RouteReach {
            id: EntityId::new(1),
            line: route_line(&route),
            entity: Arc::new(Entity::new("Route", Kind::Route(route))),
        }
    }

    #[test]
    fn steps_are_round() {
        for (least, step) in [(0.2, 0.2), (0.3, 0.5), (0.6, 1.0), (7.0, 10.0), (1.0, 1.0)] {
            assert!((round_step(least) - step).abs() < 1e-12, "{least}");
        }
        assert!(round_step(0.0) > 0.0);
    }

    #[test]
    fn a_hand_stays_on_its_branch_where_a_route_crosses_itself() {
        let eight = reach(
            [
                (0.0, 0.0),
                (20.0, 0.0),
                (20.0, 10.0),
                (10.0, 10.0),
                (10.0, -10.0),
            ]
            .map(DVec2::from)
            .to_vec(),
        );
        let crossing = DVec2::new(10.0, 0.0);
        assert!((eight.along(crossing, 9.0) - 10.0).abs() < 1e-9);
        assert!((eight.along(crossing, 49.0) - 50.0).abs() < 1e-9);
        assert!((eight.along(DVec2::new(10.0, -14.0), 59.0) - 64.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn any_place_is_somewhere_along_any_route(
            points in prop::collection::vec(any_point(), 2..9),
            at in any_point(),
            last in 0.0..1e7,
        ) {
            let reach = reach(points);
            let along = reach.along(at, last);
            prop_assert!(along >= 0.0 && along.is_finite());
            prop_assert!(reach.place(along).0.is_finite());
        }
    }
}
