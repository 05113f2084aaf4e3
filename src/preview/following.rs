//! How a walker follows its indicative route: what it left out of it, and at one moment what it
//! sees of it, what it considers and where it is drawn to.
//!
//! Figures 2 to 4 of Jaklin et al. 2013, for the walk that a planner recorded.

use super::label::{Label, Placement, Rank};
use super::layer::{Layer, Layers};
use super::nav::colour_of;
use super::primitive::{Dash, Extent, Glyph, Ink, Plane, Primitive, Shape, Sink, Stroke};
use super::style::{self, Palette};
use crate::base::{Colour, EntityId};
use crate::document::{Kind, Level, Route, limits, route_line};
use crate::geometry::curve::Polyline;
use crate::geometry::polygon::closest_on_segment;
use crate::nav::terrain::sight::look;
use crate::planner::missions::AgentPlan;
use crate::planner::trace::{Candidate, Event, EventKind, Trace};
use crate::planner::{Baked, Path};
use glam::DVec2;

/// A reference point that advances by this many times the walker's own step has leapt.
const LEAP: f64 = 2.0;
/// Shorter parts are not worth a mark. Unit: metres.
const SHORTEST_SKIP: f64 = 0.5;
/// As near as this to the drawn route, a control line is the route itself. Unit: metres.
const ON_ROUTE: f64 = 0.02;
/// Candidates nearer to each other on the screen have no room for their weights. Unit: pixels.
const LABEL_ROOM: f64 = 40.0;

/// What is the same all along one leg.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Followed {
    /// Parts of the control line that are not the designer's: from a start beside the route to
    /// it, around what is in the way, from its end to the goal.
    pub connections: Vec<Vec<DVec2>>,
    /// The first of them leads from a start beside the route to it.
    pub starts_beside: bool,
    /// The whole control line, where no designer has drawn one.
    pub computed: Vec<DVec2>,
    /// Parts of the route that were left out.
    pub skipped: Vec<Vec<DVec2>>,
    /// How long they are. Unit: metres.
    pub skipped_lengths: Vec<f64>,
    /// Where the route was lost and found again, or the walker gave up.
    pub events: Vec<Event>,
}

/// What a walker knows and wants at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    pub position: DVec2,
    pub reference: DVec2,
    pub attraction: DVec2,
    /// Parts of the route that it could go straight to.
    pub visible: Vec<Vec<DVec2>>,
    pub candidates: Vec<Candidate>,
    /// Distance between candidates on the route. Unit: metres.
    pub spacing: f64,
}

/// Whether a walk followed a route at all: one with reference points.
#[must_use]
pub fn follows_route(path: &Path) -> bool {
    let has_reference = |trace: &Trace| trace.steps.iter().any(|step| step.reference.is_some());
    path.trace.as_deref().is_some_and(has_reference)
}

impl Followed {
    /// `None` for a way that follows no route. `route` is the designer's, if there is one.
    #[must_use]
    pub fn of(path: &Path, route: Option<&Polyline>) -> Option<Self> {
        let trace = path.trace.as_deref().filter(|_| follows_route(path))?;
        let control = Polyline::new(trace.control.iter().copied());
        let leaps = skipped(trace, &control);
        let mut connections = route.map_or_else(Vec::new, |route| off_route(&control, route));
        // The control line may begin where the route does, and the walker elsewhere.
        if let (Some(start), Some(first)) = (path.points.first(), control.points().first()) {
            let start = start.truncate();
            if start.distance(*first) > ON_ROUTE {
                connections.insert(0, vec![start, *first]);
            }
        }
        let start = path.points.first().map(|start| start.truncate());
        let starts_beside = connections.first().is_some_and(|first| {
            let from = first.first().copied();
            from.zip(start)
                .is_some_and(|(from, start)| from.distance(start) <= ON_ROUTE)
        });
        let is_shown = |event: &&Event| event.kind != EventKind::Skipped;
        Some(Self {
            starts_beside,
            connections,
            computed: match route {
                Some(_) => Vec::new(),
                None => control.points().to_vec(),
            },
            skipped: leaps
                .iter()
                .map(|[from, to]| control.part(*from, *to))
                .collect(),
            skipped_lengths: leaps.iter().map(|[from, to]| to - from).collect(),
            events: trace.events.iter().filter(is_shown).cloned().collect(),
        })
    }
}

/// Parts of the control line that are not on the route, in order.
fn off_route(control: &Polyline, route: &Polyline) -> Vec<Vec<DVec2>> {
    let is_on = |p: DVec2| {
        let near = route.closest(p);
        near.is_some_and(|near| near.distance <= ON_ROUTE)
    };
    let mut parts: Vec<Vec<DVec2>> = Vec::new();
    let mut begun = false;
    for pair in control.points().windows(2) {
        let [from, to] = [pair[0], pair[1]];
        if is_on(from) && is_on(to) && is_on(from.midpoint(to)) {
            begun = false;
            continue;
        }
        match parts.last_mut().filter(|_| begun) {
            Some(part) => part.push(to),
            None => parts.push(vec![from, to]),
        }
        begun = true;
    }
    parts
}

/// Stretches of the control line that reference points leapt over, from where to where along it.
fn skipped(trace: &Trace, control: &Polyline) -> Vec<[f64; 2]> {
    let mut skipped: Vec<[f64; 2]> = Vec::new();
    let mut last: Option<(DVec2, f64)> = None;
    for step in &trace.steps {
        let Some(reference) = step.reference else {
            continue;
        };
        let from = last.map_or(0.0, |(_, along)| along);
        let along = along_from(control, reference, from);
        if let Some((position, before)) = last {
            let moved = position.distance(step.position);
            if along - before > LEAP * moved + SHORTEST_SKIP {
                match skipped.last_mut() {
                    Some([_, end]) if before - *end < SHORTEST_SKIP => *end = along,
                    _ => skipped.push([before, along]),
                }
            }
        }
        last = Some((step.position, along));
    }
    skipped
}

/// How far along a line the first place at `p` is, not before `from`; the nearest where none is.
fn along_from(line: &Polyline, p: DVec2, from: f64) -> f64 {
    let mut start = 0.0;
    let mut best = (f64::INFINITY, from);
    for pair in line.points().windows(2) {
        let end = start + pair[0].distance(pair[1]);
        if end >= from {
            let near = closest_on_segment(pair[0], pair[1], p);
            let along = (start + pair[0].distance(near)).max(from);
            let distance = near.distance(p);
            if distance < best.0 {
                best = (distance, along);
            }
            if distance <= 1e-6 && start + pair[0].distance(near) >= from - 1e-6 {
                return along;
            }
        }
        start = end;
    }
    best.1
}

impl Moment {
    /// What the walker knew so many seconds after it set out on this leg; `None` for a way that
    /// follows no route. `sees` tells whether one place sees another.
    #[must_use]
    pub fn of(
        path: &Path,
        seconds: f64,
        spacing: f64,
        sees: impl Fn(DVec2, DVec2) -> bool,
    ) -> Option<Self> {
        let trace = path.trace.as_deref()?;
        let step = trace.step_at(seconds)?;
        let reference = step.reference?;
        let candidates = trace.candidates_of(step).to_vec();
        let control = Polyline::new(trace.control.iter().copied());
        let mut visible: Vec<Vec<DVec2>> = Vec::new();
        for pair in candidates.windows(2) {
            let [from, to] = [pair[0].along, pair[1].along];
            let part = between(&control, &pair[0], &pair[1]);
            let middle = Polyline::new(part.iter().copied()).point_at((to - from) * 0.5);
            // Ends of what is visible are candidates: farther apart, something hides the middle;
            // nearer, it still may.
            let is_seen = middle.is_some_and(|middle| sees(step.position, middle));
            if to - from > spacing * (1.0 + 1e-6) || !is_seen {
                continue;
            }
            match visible.last_mut() {
                Some(last) if last.last() == Some(&pair[0].at) => {
                    last.extend(part.into_iter().skip(1));
                }
                _ => visible.push(part),
            }
        }
        Some(Self {
            position: step.position,
            reference,
            attraction: step.attraction,
            visible,
            candidates,
            spacing,
        })
    }

    /// The candidate that was chosen.
    #[must_use]
    pub fn chosen(&self) -> Option<usize> {
        let distance = |candidate: &Candidate| candidate.at.distance(self.attraction);
        (0..self.candidates.len()).min_by(|a, b| {
            distance(&self.candidates[*a]).total_cmp(&distance(&self.candidates[*b]))
        })
    }
}

/// The route from one candidate to the next. After a recovery the control line is not the route
/// that they were measured along; they are near enough to each other for a straight line then.
fn between(control: &Polyline, from: &Candidate, to: &Candidate) -> Vec<DVec2> {
    let is_there = |candidate: &Candidate| {
        let at = control.point_at(candidate.along);
        at.is_some_and(|at| at.distance(candidate.at) <= ON_ROUTE)
    };
    let mut part = if is_there(from) && is_there(to) {
        control.part(from.along, to.along)
    } else {
        Vec::new()
    };
    if part.len() < 2 {
        part = vec![from.at, to.at];
    }
    let last = part.len() - 1;
    (part[0], part[last]) = (from.at, to.at);
    part
}

/// The place of a way that is nearest to a point, as seconds since its beginning and the distance
/// from it. Where nobody walked it, at one metre a second.
#[must_use]
pub fn nearest_time(path: &Path, p: DVec2) -> Option<(f64, f64)> {
    let mut walked = 0.0;
    let mut best: Option<(f64, f64)> = None;
    for (i, pair) in path.points.windows(2).enumerate() {
        let [a, b] = [pair[0].truncate(), pair[1].truncate()];
        let near = closest_on_segment(a, b, p);
        let (length, distance) = (a.distance(b), near.distance(p));
        let share = if length > 0.0 {
            a.distance(near) / length
        } else {
            0.0
        };
        let seconds = match (path.times.get(i), path.times.get(i + 1)) {
            (Some(from), Some(to)) => from + (to - from) * share,
            _ => walked + length * share,
        };
        if best.is_none_or(|(_, nearest)| distance < nearest) {
            best = Some((seconds, distance));
        }
        walked += length;
    }
    best
}

/// The route that an agent was told to follow.
fn route_of(level: &Level, agent: EntityId) -> Option<&Route> {
    let route = level.get(agent)?.mission()?.route?;
    match &level.get(route)?.kind {
        Kind::Route(route) => Some(route),
        _ => None,
    }
}

/// What an agent left out of its route, leg by leg.
#[must_use]
pub fn followed(level: &Level, agent: EntityId, plan: &AgentPlan) -> Vec<Followed> {
    let route = route_of(level, agent).map(route_line);
    plan.paths()
        .filter_map(|path| Followed::of(path, route.as_ref()))
        .collect()
}

/// What an agent knows at a time of a leg.
#[must_use]
pub fn moment(
    baked: &Baked,
    agent: EntityId,
    plan: &AgentPlan,
    leg: usize,
    seconds: f64,
) -> Option<Moment> {
    let level = &*baked.level;
    let spacing = route_of(level, agent).map_or(limits::SAMPLE_STEP.default, |r| r.sample_step);
    let path = plan.legs.get(leg)?.answer.path()?;
    let space = baked.space_of(level.get(agent)?.mission()?.profile);
    Moment::of(path, seconds, spacing, |from, to| {
        space.is_none_or(|space| look(&space.merged, from, to, None).is_clear())
    })
}

/// Everything that `layers` shows of how an agent follows its route, so many seconds after it set
/// out.
pub fn draw_agent(
    baked: &Baked,
    agent: EntityId,
    plan: &AgentPlan,
    seconds: f64,
    layers: Layers,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    let level = &*baked.level;
    if layers.contains(Layer::Skipped) {
        for followed in followed(level, agent, plan) {
            draw_followed(&followed, palette, sink);
        }
    }
    let (leg, seconds) = leg_at(plan, seconds);
    if let Some(moment) = moment(baked, agent, plan, leg, seconds) {
        let colour = colour_of(level, agent, palette);
        draw_moment(&moment, colour, layers, palette, sink);
    }
}

/// How long a leg takes; at a metre a second where nobody walked it. Unit: seconds.
fn duration(path: &Path) -> f64 {
    path.times.last().copied().unwrap_or(path.length)
}

/// The leg under way so many seconds after the start, and the time on it.
#[must_use]
pub fn leg_at(plan: &AgentPlan, seconds: f64) -> (usize, f64) {
    let mut left = seconds.max(0.0);
    for (leg, path) in plan.paths().enumerate() {
        let took = duration(path);
        if left <= took {
            return (leg, left);
        }
        left -= took;
    }
    let last = plan.paths().count().saturating_sub(1);
    (last, plan.paths().last().map_or(0.0, duration))
}

fn add(sink: &mut dyn Sink, plane: Plane, primitive: Primitive) {
    sink.add(Shape {
        plane,
        entity: None,
        min_scale: 0.0,
        primitive,
    });
}

fn line(points: Vec<DVec2>, stroke: Stroke) -> Primitive {
    Primitive::Line {
        points,
        closed: false,
        stroke,
    }
}

fn disc(centre: DVec2, radius: f64, fill: Ink, edge: Stroke) -> Primitive {
    Primitive::Disc {
        centre,
        radius: Extent::pixels(radius),
        fill,
        outline: Some(edge),
    }
}

fn text(at: DVec2, words: String, ink: Ink, gap: f64, palette: &Palette) -> Primitive {
    Primitive::Text(Label {
        at,
        text: words,
        size: style::SMALL_LABEL_SIZE,
        ink,
        halo: palette.halo,
        placement: Placement::Beside {
            gap: Extent::pixels(gap),
        },
        rank: Rank::Tool,
    })
}

/// What was left out of the route and what was added to it.
pub fn draw_followed(followed: &Followed, palette: &Palette, sink: &mut dyn Sink) {
    let plane = Plane::Following;
    if followed.computed.len() > 1 {
        let stroke = Stroke::pixels(Ink::new(palette.route, 0.9), 1.8).dashed(Dash::Dashed);
        add(sink, plane, line(followed.computed.clone(), stroke));
    }
    for part in &followed.skipped {
        let under = Stroke::pixels(palette.halo, 6.0);
        add(sink, plane, line(part.clone(), under));
        let stroke = Stroke::pixels(Ink::solid(palette.skipped), 3.2).dashed(Dash::Dashed);
        add(sink, plane, line(part.clone(), stroke));
    }
    for part in &followed.connections {
        let stroke = Stroke::pixels(Ink::solid(palette.route), 3.0).dashed(Dash::Dotted);
        add(sink, plane, line(part.clone(), stroke));
    }
    for event in &followed.events {
        let (colour, glyph) = match event.kind {
            EventKind::Recovered | EventKind::Skipped | EventKind::Noted => {
                (palette.current, Glyph::Diamond)
            }
            EventKind::Stuck => (palette.blocker, Glyph::Cross),
        };
        add(
            sink,
            plane,
            Primitive::Mark {
                at: event.at,
                turn: 0.0,
                glyph,
                size: Extent::pixels(6.5),
                fill: Ink::solid(colour),
                outline: Some(Stroke::pixels(palette.halo, 1.6)),
            },
        );
        let words = event.text.trim_end_matches('.').to_owned();
        let label = text(event.at, words, Ink::solid(colour), 10.0, palette);
        add(sink, Plane::Labels, label);
    }
}

/// What a walker sees, considers and wants, as far as `layers` shows it.
pub fn draw_moment(
    moment: &Moment,
    colour: Colour,
    layers: Layers,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    let plane = Plane::Moment;
    let Moment {
        position,
        reference,
        attraction,
        ..
    } = *moment;
    if layers.contains(Layer::Sight) {
        for part in &moment.visible {
            let stroke = Stroke::pixels(Ink::new(palette.sight, 0.55), 8.0);
            add(sink, plane, line(part.clone(), stroke));
        }
    }
    if layers.contains(Layer::Candidates) {
        draw_candidates(moment, palette, sink);
    }
    let shows_points = layers.contains(Layer::Sight) || layers.contains(Layer::Candidates);
    if !shows_points {
        return;
    }
    let thin = Stroke::pixels(Ink::new(palette.text, 0.8), 1.4);
    if reference.distance(position) > 0.0 {
        let stroke = thin.dashed(Dash::Dotted);
        add(sink, plane, line(vec![position, reference], stroke));
    }
    let drawn = Stroke::pixels(Ink::solid(palette.current), 2.0);
    add(sink, plane, line(vec![position, attraction], drawn));
    add(
        sink,
        plane,
        Primitive::Mark {
            at: reference,
            turn: 0.0,
            glyph: Glyph::Square,
            size: Extent::pixels(4.0),
            fill: Ink::solid(palette.text),
            outline: Some(Stroke::pixels(palette.halo, 1.6)),
        },
    );
    // A target: a ring with a point in it.
    add(
        sink,
        plane,
        disc(attraction, 7.0, Ink::new(palette.current, 0.25), drawn),
    );
    let halo = Stroke::pixels(palette.halo, 1.2);
    add(
        sink,
        plane,
        disc(attraction, 2.4, Ink::solid(palette.current), halo),
    );
    add(sink, plane, disc(position, 5.0, Ink::solid(colour), halo));
}

/// Green is cheap, red is dear; the weights are written where there is room for them.
fn draw_candidates(moment: &Moment, palette: &Palette, sink: &mut dyn Sink) {
    let weights = || moment.candidates.iter().map(|c| c.weight.max(1e-12).ln());
    let (low, high) = weights().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), w| {
        (low.min(w), high.max(w))
    });
    let chosen = moment.chosen();
    let min_scale = LABEL_ROOM / moment.spacing.max(1e-6);
    for (i, (candidate, weight)) in moment.candidates.iter().zip(weights()).enumerate() {
        let share = if high > low {
            (weight - low) / (high - low)
        } else {
            0.0
        };
        let colour = palette.free_space.mix(palette.blocker, share);
        let faint = Stroke::pixels(Ink::new(colour, 0.45), 1.0);
        let plane = Plane::Moment;
        add(
            sink,
            plane,
            line(vec![moment.position, candidate.at], faint),
        );
        let edge = Stroke::pixels(palette.halo, 1.2);
        add(
            sink,
            plane,
            disc(candidate.at, 3.6, Ink::solid(colour), edge),
        );
        let is_chosen = chosen == Some(i);
        let gap = if is_chosen { 10.0 } else { 6.0 };
        let ink = if is_chosen {
            palette.current
        } else {
            palette.text
        };
        let words = weight_text(candidate.weight);
        sink.add(Shape {
            plane: Plane::Labels,
            entity: None,
            // What was chosen is always of interest.
            min_scale: if is_chosen { 0.0 } else { min_scale },
            primitive: text(candidate.at, words, Ink::solid(ink), gap, palette),
        });
    }
}

/// Three digits that count: `0.512`, `4.07`, `40.3`, `1250`.
#[must_use]
pub fn weight_text(weight: f64) -> String {
    let decimals = match weight.abs() {
        size if size < 1.0 => 3,
        size if size < 10.0 => 2,
        size if size < 100.0 => 1,
        _ => 0,
    };
    format!("{weight:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::trace::TraceStep;
    use crate::preview::Look;
    use std::sync::Arc;

    fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    /// A walk straight from (0, 0) to (20, 0) along a route with a detour of 20 m up and down
    /// between x = 8 and x = 12.
    fn detour() -> (Path, Polyline) {
        let route = Polyline::new([
            p(0.0, 0.0),
            p(8.0, 0.0),
            p(8.0, 10.0),
            p(12.0, 10.0),
            p(12.0, 0.0),
            p(20.0, 0.0),
        ]);
        let steps: Vec<TraceStep> = (0..=40)
            .map(|i| {
                let x = f64::from(i) * 0.5;
                let reference = if x > 8.0 && x < 12.0 {
                    p(if x < 10.0 { 8.0 } else { 12.0 }, 0.0)
                } else {
                    p(x, 0.0)
                };
                TraceStep {
                    time: f64::from(i) * 0.5,
                    position: p(x, 0.0),
                    reference: Some(reference),
                    attraction: p(12.0, 0.0),
                    candidates: [0, 4],
                    ..TraceStep::default()
                }
            })
            .collect();
        let candidate = |along: f64, weight| Candidate {
            at: route.point_at(along).expect("has points"),
            along,
            weight,
        };
        let trace = Trace {
            candidates: vec![
                candidate(2.0, 1.0),
                candidate(4.0, 2.0),
                candidate(6.0, 8.0),
                candidate(32.0, 0.5),
            ],
            control: route.points().to_vec(),
            events: vec![Event {
                time: 3.0,
                at: p(5.0, 0.0),
                kind: EventKind::Recovered,
                text: "pushed off.".to_owned(),
            }],
            steps,
        };
        let path = Path {
            points: (0..=40)
                .map(|i| p(f64::from(i) * 0.5, 0.0).extend(0.0))
                .collect(),
            times: (0..=40).map(|i| f64::from(i) * 0.5).collect(),
            trace: Some(Arc::new(trace)),
            ..Path::default()
        };
        (path, route)
    }

    #[test]
    fn what_the_reference_point_leaps_over_is_skipped() {
        let (path, route) = detour();
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        assert_eq!(followed.skipped.len(), 1);
        let skipped = Polyline::new(followed.skipped[0].iter().copied());
        assert!(
            (skipped.length() - 24.0).abs() < 1e-6,
            "{}",
            skipped.length()
        );
        assert!(followed.connections.is_empty() && followed.computed.is_empty());
        assert_eq!(followed.events.len(), 1);
    }

    #[test]
    fn nothing_is_skipped_by_who_walks_the_route() {
        let (mut path, route) = detour();
        let mut trace = Trace::clone(path.trace.as_ref().expect("walked"));
        trace.steps = (0..=80)
            .map(|i| {
                let at = route.point_at(f64::from(i) * 0.5).expect("has points");
                TraceStep {
                    position: at,
                    reference: Some(at),
                    ..TraceStep::default()
                }
            })
            .collect();
        path.trace = Some(Arc::new(trace));
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        assert!(followed.skipped.is_empty());
    }

    #[test]
    fn what_is_not_the_designers_is_a_connection() {
        let (mut path, route) = detour();
        let mut trace = Trace::clone(path.trace.as_ref().expect("walked"));
        trace.control.insert(0, p(0.0, -5.0));
        trace.control.push(p(25.0, 3.0));
        path.points.insert(0, p(0.0, -5.0).extend(0.0));
        path.trace = Some(Arc::new(trace.clone()));
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        assert_eq!(
            followed.connections,
            [
                vec![p(0.0, -5.0), p(0.0, 0.0)],
                vec![p(20.0, 0.0), p(25.0, 3.0)]
            ]
        );
        // A start beside a control line that begins with the route.
        trace.control.remove(0);
        trace.control.pop();
        path.trace = Some(Arc::new(trace));
        let followed = Followed::of(&path, Some(&route)).expect("follows a route");
        assert_eq!(followed.connections, [vec![p(0.0, -5.0), p(0.0, 0.0)]]);
        // Without a designer's route, all of it was computed.
        let followed = Followed::of(&path, None).expect("follows a route");
        assert_eq!(followed.computed, route.points());
    }

    #[test]
    fn a_moment_shows_what_is_visible_between_candidates() {
        let (path, _) = detour();
        let moment = Moment::of(&path, 0.0, 2.0, |_, _| true).expect("follows a route");
        assert_eq!(moment.visible, [vec![p(2.0, 0.0), p(6.0, 0.0)]]);
        assert_eq!(moment.chosen(), Some(3));
        let hidden = |_: DVec2, to: DVec2| to.x < 4.5;
        let moment = Moment::of(&path, 0.0, 2.0, hidden).expect("follows a route");
        assert_eq!(moment.visible, [vec![p(2.0, 0.0), p(4.0, 0.0)]]);
        assert_eq!(Moment::of(&Path::default(), 0.0, 2.0, |_, _| true), None);
    }

    #[test]
    fn layers_decide_what_of_a_moment_is_drawn() {
        let (path, _) = detour();
        let moment = Moment::of(&path, 0.0, 2.0, |_, _| true).expect("follows a route");
        let drawn = |layers: Layers| {
            let mut shapes: Vec<Shape> = Vec::new();
            draw_moment(
                &moment,
                Colour::hex(0x3f9bf0),
                layers,
                Look::Dark.palette(),
                &mut shapes,
            );
            let texts = shapes
                .iter()
                .filter(|shape| matches!(shape.primitive, Primitive::Text(_)))
                .count();
            (shapes.len() - texts, texts)
        };
        assert_eq!(drawn(Layers::NONE), (0, 0));
        let sight = drawn(Layers::NONE.with(Layer::Sight));
        assert!(sight.0 > 0 && sight.1 == 0);
        assert_eq!(drawn(Layers::NONE.with(Layer::Candidates)).1, 4);
    }

    #[test]
    fn the_pointer_finds_its_time_on_a_path() {
        let (mut path, _) = detour();
        let (seconds, distance) = nearest_time(&path, p(7.2, 3.0)).expect("has points");
        assert!((seconds - 7.2).abs() < 1e-9 && (distance - 3.0).abs() < 1e-9);
        path.times.clear();
        let (seconds, _) = nearest_time(&path, p(7.2, 3.0)).expect("has points");
        assert!((seconds - 7.2).abs() < 1e-9);
        assert_eq!(nearest_time(&Path::default(), DVec2::ZERO), None);
    }

    #[test]
    fn weights_have_three_digits_that_count() {
        let texts = [0.5123, 4.07, 40.31, 1250.4].map(weight_text);
        assert_eq!(texts, ["0.512", "4.07", "40.3", "1250"]);
    }
}
