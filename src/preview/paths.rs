//! The paths of agents as shapes, and where they are blocked.

use super::label::{Label, Placement, Rank};
use super::nav::{add, dot};
use super::primitive::{
    Dash, Extent, Fill, FillRule, Glyph, Ink, Plane, Primitive, Shape, Sink, Stroke,
};
use super::style::{self, Palette};
use crate::base::{Colour, EntityId};
use crate::document::{Kind, Level, Selection};
use crate::geometry::Polygon;
use crate::planner::bench::Method;
use crate::planner::missions::Plans;
use crate::planner::{Answer, Gap, registry};
use glam::DVec2;

/// Waypoints nearer to each other than this are not marked. Unit: pixels.
const WAYPOINT_ROOM: f64 = 14.0;
/// A gap narrower than this on the screen is labelled only for a selected agent. Unit: pixels.
const LABELLED_GAP: f64 = 14.0;

/// Colours of things to compare, told apart on dark and light ground alike.
pub const SERIES: [Colour; 12] = [
    Colour::hex(0x3f9bf0),
    Colour::hex(0xe8833a),
    Colour::hex(0x9a6ae0),
    Colour::hex(0x1fa890),
    Colour::hex(0xe0508c),
    Colour::hex(0xb0931f),
    Colour::hex(0x6f8fa8),
    Colour::hex(0xa8605a),
    Colour::hex(0x62ad35),
    Colour::hex(0x14b4d6),
    Colour::hex(0xc21fae),
    Colour::hex(0x4a55c4),
];

/// Of paths that are bent on slopes, beside the straight ones of the same planner.
const BENT: Colour = Colour::hex(0x4a55c4);

/// One colour for each row of the planner bench, in the table and on the plan.
#[must_use]
pub fn method_colour(method: Method) -> Colour {
    if method.bends {
        return BENT;
    }
    registry::row(method.planner).map_or(SERIES[0], |row| row.colour)
}

/// One line from a start to a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct PathView {
    pub agent: Option<EntityId>,
    pub points: Vec<DVec2>,
    pub colour: Colour,
    pub weight: Weight,
    pub course: Course,
}

/// What a line is to the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Course {
    /// From waypoint to waypoint, and walked so.
    #[default]
    Straight,
    /// From waypoint to waypoint, but walked otherwise: dotted, with its waypoints.
    Unbent,
    /// Bent away from steep ascent: as a curve, without its many points.
    Bent,
}

/// How strongly a path shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// One among many.
    Plain,
    /// Of what is selected; with its waypoints.
    Selected,
    /// To compare with: a planner's answer that is not the one chosen.
    Compared,
    /// As it was before the last change.
    Stale,
}

/// Where there is no path.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockedView {
    pub to: DVec2,
    pub gap: Option<Gap>,
    /// What blocks it.
    pub blocker: Option<Polygon>,
    pub weight: Weight,
}

/// The colour of an agent's path: its profile's.
#[must_use]
pub fn colour_of(level: &Level, agent: EntityId, palette: &Palette) -> Colour {
    let mission = level.get(agent).and_then(|entity| entity.mission());
    let profile = mission.and_then(|mission| level.get(mission.profile));
    match profile.map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => palette.agent(profile.colour),
        _ => palette.path,
    }
}

/// The paths of agents that `is_shown`, and where they are blocked. Without a weight for all,
/// those that are selected stand out.
#[must_use]
pub fn path_views(
    level: &Level,
    plans: &Plans,
    is_shown: impl Fn(EntityId) -> bool,
    selection: &Selection,
    weight: Option<Weight>,
    palette: &Palette,
) -> (Vec<PathView>, Vec<BlockedView>) {
    let (mut lines, mut blocked) = (Vec::new(), Vec::new());
    for (id, plan) in plans.iter().filter(|(id, _)| is_shown(**id)) {
        let weight = weight.unwrap_or(if selection.contains(*id) {
            Weight::Selected
        } else {
            Weight::Plain
        });
        for leg in &plan.legs {
            match &leg.answer {
                Answer::Found(path) => {
                    let is_bent = !path.straight.is_empty();
                    let line = |points, course| PathView {
                        agent: Some(*id),
                        points,
                        colour: colour_of(level, *id, palette),
                        weight,
                        course,
                    };
                    if is_bent {
                        lines.push(line(path.straight.clone(), Course::Unbent));
                    }
                    let points = path.points.iter().map(|p| p.truncate()).collect();
                    let course = if is_bent {
                        Course::Bent
                    } else {
                        Course::Straight
                    };
                    lines.push(line(points, course));
                }
                Answer::NotFound(reason) => {
                    let blocker = reason.blocker.and_then(|id| level.get(id));
                    blocked.push(BlockedView {
                        to: leg.to.truncate(),
                        gap: reason.gap,
                        blocker: blocker.and_then(|entity| match &entity.kind {
                            Kind::Obstacle(obstacle) => Some(obstacle.area.clone()),
                            _ => None,
                        }),
                        weight,
                    });
                }
            }
        }
    }
    (lines, blocked)
}

pub fn draw_path(path: &PathView, palette: &Palette, sink: &mut dyn Sink) {
    if path.points.len() < 2 {
        return;
    }
    let (width, alpha, casing) = match path.weight {
        Weight::Plain => (2.0, 0.85, 0.5),
        Weight::Selected => (3.2, 1.0, 1.0),
        Weight::Compared => (2.0, 0.75, 0.4),
        Weight::Stale => (2.0, 0.7, 0.35),
    };
    let (width, alpha, casing) = match path.course {
        Course::Unbent => (width * 0.7, alpha * 0.8, 0.0),
        Course::Straight | Course::Bent => (width, alpha, casing),
    };
    let line = |stroke| Primitive::Line {
        points: path.points.clone(),
        closed: false,
        stroke,
    };
    let mut add = |min_scale: f64, primitive| {
        sink.add(Shape {
            plane: Plane::Paths,
            entity: path.agent,
            min_scale,
            primitive,
        });
    };
    if casing > 0.0 {
        add(
            0.0,
            line(Stroke::pixels(palette.halo.faded(casing), width + 2.6)),
        );
    }
    let dash = match (path.course, path.weight) {
        (Course::Unbent, _) => Dash::Dotted,
        (_, Weight::Stale) => Dash::Dashed,
        _ => Dash::Solid,
    };
    add(
        0.0,
        line(Stroke::pixels(Ink::new(path.colour, alpha), width).dashed(dash)),
    );
    let shows_waypoints = match path.course {
        Course::Straight => path.weight == Weight::Selected,
        Course::Unbent => matches!(path.weight, Weight::Selected | Weight::Plain),
        Course::Bent => false,
    };
    if shows_waypoints {
        for places in path.points.windows(3) {
            let at = places[1];
            // A path from a simulated walk has one at every step: they show where there is room.
            let apart = at.distance(places[0]).min(at.distance(places[2]));
            add(
                WAYPOINT_ROOM / apart.max(1e-9),
                dot(at, 3.4, path.colour, palette),
            );
        }
    }
    if path.course == Course::Unbent {
        return;
    }
    // An arrow half-way tells the direction.
    if let Some((at, turn)) = middle(&path.points) {
        add(
            0.0,
            Primitive::Mark {
                at,
                turn,
                glyph: Glyph::Arrow,
                size: Extent::pixels(if path.weight == Weight::Selected {
                    7.0
                } else {
                    5.0
                }),
                fill: Ink::new(path.colour, alpha),
                outline: Some(Stroke::pixels(palette.halo, 1.0)),
            },
        );
    }
}

/// The place half-way along a line, and the direction there.
fn middle(points: &[DVec2]) -> Option<(DVec2, f64)> {
    let total: f64 = points
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum();
    let mut left = total * 0.5;
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        if left <= length && length > 0.0 {
            let along = (pair[1] - pair[0]) / length;
            return Some((pair[0] + along * left, along.y.atan2(along.x)));
        }
        left -= length;
    }
    None
}

pub fn draw_blocked(blocked: &BlockedView, palette: &Palette, sink: &mut dyn Sink) {
    let colour = palette.blocker;
    let is_stale = blocked.weight == Weight::Stale;
    // No line: an agent without a path goes nowhere.
    add(
        sink,
        Plane::Paths,
        Primitive::Mark {
            at: blocked.to,
            turn: 0.0,
            glyph: Glyph::Cross,
            size: Extent::pixels(8.0),
            fill: Ink::new(colour, if is_stale { 0.35 } else { 1.0 }),
            outline: Some(Stroke::pixels(palette.halo, 1.4)),
        },
    );
    // Why belongs to the state before.
    if is_stale {
        return;
    }
    if let Some(blocker) = blocked
        .blocker
        .as_ref()
        .filter(|_| blocked.weight == Weight::Selected)
    {
        add(
            sink,
            Plane::Paths,
            Primitive::Area {
                rings: blocker.rings().cloned().collect(),
                rule: FillRule::EvenOdd,
                fill: Fill::plain(Ink::new(colour, 0.18)),
                outline: Some(Stroke::pixels(Ink::solid(colour), 2.2)),
            },
        );
    }
    let Some(gap) = &blocked.gap else {
        return;
    };
    add(
        sink,
        Plane::Paths,
        Primitive::Line {
            points: gap.ends.to_vec(),
            closed: false,
            stroke: Stroke::pixels(Ink::solid(colour), 3.4),
        },
    );
    add(
        sink,
        Plane::Paths,
        Primitive::Disc {
            centre: gap.at,
            radius: Extent::metres(gap.width * 0.8, 9.0),
            fill: Ink::new(colour, 0.14),
            outline: Some(Stroke::pixels(Ink::solid(colour), 1.6)),
        },
    );
    sink.add(Shape {
        plane: Plane::Labels,
        entity: None,
        min_scale: if blocked.weight == Weight::Selected {
            0.0
        } else {
            LABELLED_GAP / gap.width.max(1e-9)
        },
        primitive: Primitive::Text(Label {
            at: gap.at,
            text: format!("gap {:.2} m", gap.width),
            size: style::SMALL_LABEL_SIZE,
            ink: Ink::solid(colour),
            halo: palette.halo,
            placement: Placement::Beside {
                gap: Extent::metres(gap.width * 0.8, 9.0),
            },
            rank: Rank::Tool,
        }),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preview::Look;

    #[test]
    fn every_planner_has_a_colour_of_its_own() {
        let straight = registry::rows().into_iter().map(|row| Method {
            planner: row.id,
            bends: false,
        });
        let bent = Method {
            bends: true,
            ..Method::default()
        };
        let colours: Vec<Colour> = straight.chain([bent]).map(method_colour).collect();
        let far = |a: Colour, b: Colour| {
            let d = |a: u8, b: u8| i32::from(a).abs_diff(i32::from(b));
            d(a.r, b.r) + d(a.g, b.g) + d(a.b, b.b)
        };
        for (i, a) in colours.iter().enumerate() {
            for b in &colours[..i] {
                assert!(far(*a, *b) >= 80, "{a:?} is like {b:?}");
            }
        }
    }

    #[test]
    fn a_paths_arrow_stands_half_way_and_points_along() {
        let points = [DVec2::ZERO, DVec2::new(4.0, 0.0), DVec2::new(4.0, 10.0)];
        let (at, turn) = middle(&points).expect("has a length");
        assert_eq!(at, DVec2::new(4.0, 3.0));
        assert!((turn - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        assert_eq!(middle(&[DVec2::ZERO, DVec2::ZERO]), None);
        assert_eq!(middle(&[]), None);
    }

    #[test]
    fn a_bent_path_shows_beside_the_straight_one_in_a_style_of_its_own() {
        let drawn = |course| {
            let mut shapes: Vec<Shape> = Vec::new();
            let path = PathView {
                agent: None,
                points: vec![DVec2::ZERO, DVec2::new(4.0, 0.0), DVec2::new(4.0, 9.0)],
                colour: Colour::hex(0x3f9bf0),
                weight: Weight::Selected,
                course,
            };
            draw_path(&path, Look::Dark.palette(), &mut shapes);
            let dotted = shapes.iter().any(|shape| {
                matches!(&shape.primitive, Primitive::Line { stroke, .. } if stroke.dash == Dash::Dotted)
            });
            let is_disc = |shape: &&Shape| matches!(shape.primitive, Primitive::Disc { .. });
            (dotted, shapes.iter().filter(is_disc).count())
        };
        assert_eq!(drawn(Course::Straight), (false, 1));
        assert_eq!(drawn(Course::Unbent), (true, 1));
        assert_eq!(drawn(Course::Bent), (false, 0));
    }
}
