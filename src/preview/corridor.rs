//! Corridor maps as shapes: the medial axis, closest points, corridors, narrow places, forces.

use super::label::{Label, Placement, Rank};
use super::nav::SERIES;
use super::primitive::{
    Dash, Extent, Fill, FillRule, Glyph, Ink, Plane, Primitive, Shape, Sink, Stroke,
};
use super::style::{self, Palette};
use crate::base::Colour;
use crate::nav::corridor::{Components, CorridorMap, Edge, EdgeId, Pinch, Sample};
use crate::planner::corridor::{Corridor, Piece};
use crate::planner::trace::TraceStep;
use glam::DVec2;

/// Shades of the medial axis between narrow and wide.
const SHADES: f64 = 12.0;
/// Clearance at which the axis is half-way from narrow to wide. Unit: metres.
const HALF_WIDE: f64 = 3.0;
/// Shorter edges are not drawn. Unit: pixels.
const SHORTEST_EDGE: f64 = 3.0;
/// How far from a straight line places still count as being on it. Unit: metres.
const STRAIGHT: f64 = 1e-4;
/// Spokes nearer to each other than this are not drawn. Unit: pixels.
const SPOKE_SPACING: f64 = 7.0;
/// Discs of a corridor are drawn at least so far apart, as a share of their radius.
const DISC_SPACING: f64 = 0.35;
/// Chords of an arc turn by at most this. Unit: radians.
const ARC_STEP: f64 = 0.05;
/// How long an arrow is for each m/s², from near and at least from afar. Units: metres, pixels.
const FORCE_SCALE: f64 = 0.8;
const LEAST_FORCE_SCALE: f64 = 26.0;
/// Arrows of forces stronger than this are cut. Unit: m/s².
const STRONGEST_FORCE: f64 = 5.0;
/// Weaker forces are not drawn. Unit: m/s².
const WEAKEST_FORCE: f64 = 0.02;

/// The colour of the axis where it has that clearance.
#[must_use]
pub fn axis_colour(clearance: f64, palette: &Palette) -> Colour {
    let share = 1.0 - (-clearance.max(0.0) * std::f64::consts::LN_2 / HALF_WIDE).exp();
    let shade = (share * SHADES).floor() / (SHADES - 1.0);
    palette.axis_narrow.mix(palette.axis_wide, shade.min(1.0))
}

/// A body of some size, and where it fits.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    pub radius: f64,
    pub components: &'a Components,
}

/// The medial axis, coloured by clearance; or, for a body, by the part it can move in, and red
/// where it does not fit.
pub fn draw_axis(
    map: &CorridorMap,
    body: Option<Body<'_>>,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    for (edge, index) in map.edges().iter().zip(0..) {
        let samples = map.samples_of(EdgeId(index));
        let min_scale = SHORTEST_EDGE / edge.length.max(1e-9);
        let ink_of = |i: usize| match body {
            None => Axis::Wide(axis_colour(
                samples[i].clearance.min(samples[i + 1].clearance),
                palette,
            )),
            Some(body) => part_of(edge, samples, i, body),
        };
        let mut start = 0;
        while start + 1 < samples.len() {
            let kind = ink_of(start);
            let mut end = start + 1;
            while end + 1 < samples.len() && ink_of(end) == kind {
                end += 1;
            }
            let stroke = match kind {
                Axis::Wide(colour) if edge.is_dead_end => {
                    Stroke::pixels(Ink::new(colour, 0.55), 1.0)
                }
                Axis::Wide(colour) => Stroke::pixels(Ink::new(colour, 0.95), 1.8),
                Axis::Narrow => {
                    Stroke::pixels(Ink::new(palette.blocker, 0.8), 1.2).dashed(Dash::Dashed)
                }
            };
            sink.add(Shape {
                plane: Plane::MedialAxis,
                entity: None,
                min_scale,
                primitive: Primitive::Line {
                    points: without_straight(&samples[start..=end]),
                    closed: false,
                    stroke,
                },
            });
            start = end;
        }
    }
}

/// The places of samples, without those on a straight line between others: half of them tell how
/// clearance changes, not where the axis runs.
fn without_straight(samples: &[Sample]) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = Vec::with_capacity(samples.len());
    for sample in samples {
        if let [.., before, last] = points[..] {
            let along = sample.point - before;
            let off = along.perp_dot(last - before).abs();
            let is_ahead = along.dot(last - before) >= 0.0;
            if is_ahead && off <= STRAIGHT * along.length() {
                points.pop();
            }
        }
        points.push(sample.point);
    }
    points
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Axis {
    Wide(Colour),
    /// The body does not fit.
    Narrow,
}

fn part_of(edge: &Edge, samples: &[Sample], i: usize, body: Body<'_>) -> Axis {
    let fits = |i: usize| samples[i].clearance >= body.radius;
    if !(fits(i) && fits(i + 1)) {
        return Axis::Narrow;
    }
    match body.components.of_sample(edge.samples.start + i as u32) {
        Some(part) => Axis::Wide(SERIES[part as usize % SERIES.len()]),
        None => Axis::Narrow,
    }
}

/// From places of the axis to what they are between; as dense as there is room for.
pub fn draw_spokes(map: &CorridorMap, palette: &Palette, sink: &mut dyn Sink) {
    for index in 0..map.edges().len() as u32 {
        let samples = map.samples_of(EdgeId(index));
        let length = map.edge(EdgeId(index)).length;
        for (i, sample) in samples.iter().enumerate() {
            // Every other one first, then every other of those that are left: more and more as
            // one comes closer.
            let step = 1_usize << i.trailing_zeros().min(16);
            let apart = length / samples.len() as f64 * step as f64;
            for touch in [sample.left, sample.right] {
                sink.add(Shape {
                    plane: Plane::Spokes,
                    entity: None,
                    min_scale: SPOKE_SPACING / apart.max(1e-9),
                    primitive: Primitive::Line {
                        points: vec![sample.point, touch],
                        closed: false,
                        stroke: Stroke::pixels(
                            Ink::new(axis_colour(sample.clearance, palette), 0.4),
                            0.9,
                        ),
                    },
                });
            }
        }
    }
}

/// The discs of a corridor, faintly, and its border.
pub fn draw_corridor(corridor: &Corridor, palette: &Palette, sink: &mut dyn Sink) {
    let mut add = |primitive| {
        sink.add(Shape {
            plane: Plane::Corridors,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    };
    let border = border_points(corridor);
    if border.len() >= 3 {
        add(Primitive::Area {
            rings: vec![border.clone()],
            rule: FillRule::NonZero,
            fill: Fill::plain(Ink::new(palette.corridor, 0.10)),
            outline: None,
        });
    }
    let mut last: Option<DVec2> = None;
    for sample in corridor.samples() {
        let spacing = sample.clearance * DISC_SPACING;
        if last.is_some_and(|last| last.distance(sample.point) < spacing) {
            continue;
        }
        last = Some(sample.point);
        add(Primitive::Disc {
            centre: sample.point,
            radius: Extent::metres(sample.clearance, 0.0),
            fill: Ink::new(palette.corridor, 0.0),
            outline: Some(Stroke::pixels(Ink::new(palette.corridor, 0.28), 0.9)),
        });
    }
    let backbone: Vec<DVec2> = corridor.samples().iter().map(|s| s.point).collect();
    if backbone.len() >= 2 {
        add(Primitive::Line {
            points: backbone,
            closed: false,
            stroke: Stroke::pixels(Ink::new(palette.corridor, 0.8), 1.2).dashed(Dash::Dotted),
        });
    }
    if border.len() >= 2 {
        add(Primitive::Line {
            points: border,
            closed: true,
            stroke: Stroke::pixels(Ink::solid(palette.corridor), 2.0),
        });
    }
}

/// The border as one closed line.
fn border_points(corridor: &Corridor) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = Vec::new();
    let mut push = |p: DVec2| {
        if p.is_finite() && points.last() != Some(&p) {
            points.push(p);
        }
    };
    for piece in corridor.pieces() {
        match *piece {
            Piece::Segment { from, to } => {
                push(from);
                push(to);
            }
            Piece::Arc {
                centre,
                radius,
                start,
                sweep,
            } => {
                let steps = (sweep / ARC_STEP).ceil().max(1.0);
                for i in 0..=steps as usize {
                    let angle = start - sweep * i as f64 / steps;
                    push(centre + DVec2::from_angle(angle) * radius);
                }
            }
        }
    }
    points
}

/// Narrow places that a body of this radius does not fit through: bars across.
pub fn draw_closed(pinches: &[Pinch], radius: f64, palette: &Palette, sink: &mut dyn Sink) {
    let closed = pinches.partition_point(|pinch| pinch.width < 2.0 * radius);
    for pinch in &pinches[..closed] {
        let Sample {
            point, left, right, ..
        } = pinch.sample;
        let bar = |ink, width| Shape {
            plane: Plane::Pinches,
            entity: None,
            min_scale: 0.0,
            primitive: Primitive::Line {
                points: vec![left, point, right],
                closed: false,
                stroke: Stroke::pixels(ink, width),
            },
        };
        sink.add(bar(palette.halo, 6.0));
        sink.add(bar(Ink::solid(palette.blocker), 3.4));
    }
}

/// A narrow place picked out, with its width.
pub fn draw_pinch(pinch: &Pinch, palette: &Palette, sink: &mut dyn Sink) {
    let mut add = |plane, primitive| {
        sink.add(Shape {
            plane,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    };
    let Sample {
        point, left, right, ..
    } = pinch.sample;
    let colour = palette.current;
    add(
        Plane::Pinches,
        Primitive::Disc {
            centre: point,
            radius: Extent::metres(pinch.width * 0.5, 9.0),
            fill: Ink::new(colour, 0.16),
            outline: Some(Stroke::pixels(Ink::solid(colour), 1.8)),
        },
    );
    add(
        Plane::Pinches,
        Primitive::Line {
            points: vec![left, point, right],
            closed: false,
            stroke: Stroke::pixels(Ink::solid(colour), 3.0),
        },
    );
    add(
        Plane::Labels,
        Primitive::Text(Label {
            at: point,
            text: format!("{:.2} m", pinch.width),
            size: style::SMALL_LABEL_SIZE,
            ink: Ink::solid(colour),
            halo: palette.halo,
            placement: Placement::Beside {
                gap: Extent::metres(pinch.width * 0.5, 9.0),
            },
            rank: Rank::Tool,
        }),
    );
}

/// An arrow as long as a force is strong; none for one that is hardly there. `scale` is its length
/// for a force of 1. Unit: metres.
pub(super) fn force_arrow(
    at: DVec2,
    force: DVec2,
    scale: f64,
    colour: Colour,
    palette: &Palette,
) -> impl Iterator<Item = Primitive> {
    let strength = force.length();
    let is_there = strength.is_finite() && strength >= WEAKEST_FORCE;
    let tip = at + force.clamp_length_max(STRONGEST_FORCE) * scale;
    let line = Primitive::Line {
        points: vec![at, tip],
        closed: false,
        stroke: Stroke::pixels(Ink::solid(colour), 2.6),
    };
    let head = Primitive::Mark {
        at: tip,
        turn: force.to_angle(),
        glyph: Glyph::Arrow,
        size: Extent::pixels(6.5),
        fill: Ink::solid(colour),
        outline: Some(Stroke::pixels(palette.halo, 1.0)),
    };
    [line, head].into_iter().filter(move |_| is_there)
}

/// What a walker is drawn to, and what pushes it. `pixel` is the size of one. Unit: metres.
pub fn draw_forces(step: &TraceStep, pixel: f64, palette: &Palette, sink: &mut dyn Sink) {
    let scale = FORCE_SCALE.max(LEAST_FORCE_SCALE * pixel);
    let at = step.position;
    let mut add = |primitive| {
        sink.add(Shape {
            plane: Plane::Forces,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    };
    let mut line = |to: DVec2, colour: Colour, width: f64, dash: Dash| {
        add(Primitive::Line {
            points: vec![at, to],
            closed: false,
            stroke: Stroke::pixels(Ink::new(colour, 0.95), width).dashed(dash),
        });
    };
    line(step.attraction, palette.current, 1.2, Dash::Dotted);
    if let Some(reference) = step.reference {
        line(reference, palette.route, 1.2, Dash::Dotted);
    }
    for (force, colour) in [
        (step.forces.steering, palette.open),
        (step.forces.boundary, palette.blocker),
        (step.forces.others, palette.portal),
    ] {
        for primitive in force_arrow(at, force, scale, colour, palette) {
            add(primitive);
        }
    }
    add(Primitive::Disc {
        centre: step.attraction,
        radius: Extent::pixels(5.0),
        fill: Ink::solid(palette.current),
        outline: Some(Stroke::pixels(palette.halo, 1.4)),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Polygon, Rect};
    use crate::jobs::JobContext;
    use crate::nav::corridor::{DeadEnds, build_between};
    use crate::planner::corridor::{CorridorRequest, backbone};
    use crate::preview::Look;

    fn map() -> CorridorMap {
        let bounds = Rect::new(DVec2::ZERO, DVec2::splat(20.0));
        let walls = [
            Rect::new(DVec2::new(9.0, 0.0), DVec2::new(11.0, 9.5)),
            Rect::new(DVec2::new(9.0, 10.5), DVec2::new(11.0, 20.0)),
        ]
        .map(Polygon::rect);
        build_between(bounds, &walls, DeadEnds::Keep, &JobContext::default()).expect("small")
    }

    fn inks(shapes: &[Shape]) -> Vec<Colour> {
        let ink = |shape: &Shape| match &shape.primitive {
            Primitive::Line { stroke, .. } => Some(stroke.ink.colour),
            _ => None,
        };
        shapes.iter().filter_map(ink).collect()
    }

    #[test]
    fn a_door_is_red_for_who_is_too_wide_and_parts_the_rest() {
        let map = map();
        let palette = Look::Dark.palette();
        let draw = |radius: f64| {
            let components = map.components(radius);
            let mut shapes: Vec<Shape> = Vec::new();
            let body = Body {
                radius,
                components: &components,
            };
            draw_axis(&map, Some(body), palette, &mut shapes);
            inks(&shapes)
        };
        let (slim, wide) = (draw(0.4), draw(0.6));
        let parts = |inks: &[Colour]| SERIES.iter().filter(|colour| inks.contains(colour)).count();
        assert_eq!((parts(&slim), parts(&wide)), (1, 2));
        assert!(wide.contains(&palette.blocker));
    }

    #[test]
    fn gaps_close_one_after_the_other_as_a_body_grows() {
        let pinches = map().pinch_points();
        assert!(!pinches.is_empty());
        let bars = |radius: f64| {
            let mut shapes: Vec<Shape> = Vec::new();
            draw_closed(&pinches, radius, Look::Dark.palette(), &mut shapes);
            shapes.len() / 2
        };
        assert_eq!((bars(0.0), bars(f64::INFINITY)), (0, pinches.len()));
        // The door is a metre wide.
        assert_eq!((bars(0.4), bars(0.51)), (0, 1));
    }

    #[test]
    fn the_border_of_a_corridor_holds_its_backbone() {
        let map = map();
        let request = CorridorRequest {
            start: DVec2::new(3.0, 4.0),
            goal: DVec2::new(17.0, 4.0),
            radius: 0.3,
            safe_distance: 0.1,
        };
        let corridor = backbone(&map, &request).expect("there is a door").corridor;
        let border = Polygon::new(border_points(&corridor));
        let samples = corridor.samples();
        for sample in &samples[1..samples.len() - 1] {
            assert!(border.contains(sample.point), "{}", sample.point);
        }
        let mut shapes: Vec<Shape> = Vec::new();
        draw_corridor(&corridor, Look::Light.palette(), &mut shapes);
        assert!(shapes.len() > 5 && shapes.iter().all(|s| s.plane == Plane::Corridors));
    }

    #[test]
    fn narrow_and_wide_differ_in_colour_and_the_rest_lies_between() {
        for look in Look::ALL {
            let palette = look.palette();
            assert_eq!(axis_colour(0.0, palette), palette.axis_narrow);
            assert_eq!(axis_colour(1e9, palette), palette.axis_wide);
            assert_eq!(axis_colour(f64::NAN, palette), palette.axis_narrow);
        }
    }

    #[test]
    fn forces_that_are_none_have_no_arrow() {
        let palette = Look::Dark.palette();
        let count = |step: &TraceStep| {
            let mut shapes: Vec<Shape> = Vec::new();
            draw_forces(step, 0.01, palette, &mut shapes);
            let is_arrow = |s: &&Shape| matches!(s.primitive, Primitive::Mark { .. });
            shapes.iter().filter(is_arrow).count()
        };
        let mut step = TraceStep::default();
        assert_eq!(count(&step), 0);
        step.forces.boundary = DVec2::new(f64::NAN, 0.0);
        step.forces.steering = DVec2::X;
        assert_eq!(count(&step), 1);
    }
}
