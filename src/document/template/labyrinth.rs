//! `labyrinth`: a round hedge maze with one short cut for slim agents.
//!
//! Rings of cells around a plaza, linked by a random spanning tree, so that there is exactly one
//! path from the gate to the centre. The hedge whose removal shortens that path most then gets a
//! gap too narrow for a wheelbarrow.

mod maze;

use super::super::model::{
    Body, Crowd, Expectation, Goal, Heading, Mission, Pace, PlannerId, Profile, Query, Relation,
    Solid, SolidShape, Spawn, tag,
};
use super::builder::{Builder, inside};
use super::palette;
use super::shape::{rect, rounded};
use crate::base::{EntityId, Quantity, Unit};
use crate::geometry::{Polygon, Rect, boolean, simplify};
use glam::{DVec2, DVec3};
use maze::{Maze, Wall};
use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::Range;

/// With more rings than usual the passages are narrower than the cells of the paper's grid: 72 across.
pub(super) const SIZE: Quantity = Quantity::new("number of rings", Unit::One, 3.0, 60.0, 5.0);

/// Middle of one hedge to the middle of the next. Unit: metres.
const PITCH: f64 = 4.6;
const HEDGE: f64 = 0.9;
/// Radius of the plaza in the centre.
const PLAZA: f64 = 7.5;
/// From the outermost hedge to the level's border.
const GARDEN: f64 = 13.0;
/// Wide enough for shoulders, too narrow for a wheelbarrow. Unit: metres.
const GAP: f64 = 0.8;
const GATE: f64 = 3.2;

const SLIM_RADIUS: f64 = 0.25;
const WIDE_RADIUS: f64 = 0.55;

pub(super) fn draw(seed: u64, size: f64) -> Builder {
    let maze = Maze::grown(size as usize, PLAZA, PITCH, seed);
    let outer = maze.outer_radius();
    let half = (outer + GARDEN).ceil();
    let bounds = Rect::around(DVec2::ZERO, DVec2::splat(half));
    let mut b = Builder::new("Labyrinth", bounds, 100.0);
    b.settings.notes = "A hedge maze round a fountain. There is one way in for a wheelbarrow; \
        the slim find a gap in a hedge that saves most of it. Move the radius of the gardener \
        from 0.55 m to 0.35 m and watch the path change."
        .to_owned();
    b.settings.grid.spacing = 2.0;

    b.base_terrain(palette::GRASS, 1.5);
    let gravel = b.terrain(palette::GRAVEL, 1.0);
    let paving = b.terrain(palette::PAVING, 0.8);
    let slim = b.profile(
        "Visitor",
        Profile {
            colour: palette::BLUE,
            body: Body {
                radius: SLIM_RADIUS,
                ..Profile::default().body
            },
            ..Profile::default()
        },
    );
    let wide = b.profile(
        "Gardener with wheelbarrow",
        Profile {
            colour: palette::ORANGE,
            body: Body {
                radius: WIDE_RADIUS,
                ..Profile::default().body
            },
            pace: Pace {
                speed: 1.1,
                max_speed: 1.5,
                ..Profile::default().pace
            },
            ..Profile::default()
        },
    );

    b.layer("Ground");
    let ring = |radius: f64| Polygon::regular(DVec2::ZERO, radius, 96, 0.0);
    b.region("", gravel, ring(outer + 3.6));
    b.region(
        "Drive",
        gravel,
        Polygon::rect(rect(-2.4..2.4, -half..-outer - 2.0)),
    );
    b.region(
        "Heart",
        paving,
        Polygon::regular(DVec2::ZERO, PLAZA, 48, 0.0),
    );

    b.layer("Hedges");
    hedges(&mut b, &maze);
    b.layer("Garden");
    garden(&mut b, half, gravel);
    b.layer("Fountain");
    let fountain = b.obstacle("Fountain", Polygon::regular(DVec2::ZERO, 2.2, 16, 0.0), 2.6);

    b.layer("Plan");
    let path = maze.path_in();
    let route = b.polyline("The path in", &line_through(&maze, &path));
    b.tune(route, 6.0, 1.5);
    let heart = b.area(
        "Heart",
        Polygon::regular(DVec2::ZERO, PLAZA - HEDGE, 24, 0.0),
    );
    let gap = b.area("The gap", Polygon::regular(maze.gap_centre(), 1.6, 12, 0.0));
    b.relation(
        "Round the fountain",
        fountain,
        Relation::Around { reach: 2.0 },
    );

    b.layer("People");
    let gate = DVec2::new(0.0, -outer - 2.0);
    let by_fountain = DVec2::new(0.0, -4.4);
    let gardener = b.agent(
        "Gardener",
        gate + DVec2::new(-1.2, 0.0),
        Mission {
            goals: b.goals(&[by_fountain]),
            planner: PlannerId::CORRIDOR,
            route: Some(route),
            ..Mission::new(wide)
        },
    );
    let visitor = b.agent(
        "Visitor",
        gate + DVec2::new(1.2, 0.0),
        Mission {
            goals: b.goals(&[by_fountain + DVec2::new(1.5, 0.0)]),
            planner: PlannerId::OPTIMAL,
            constraints: vec![inside(gap, 1.0)],
            ..Mission::new(slim)
        },
    );
    b.crowd(
        "Outing",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: Polygon::rect(rect(-2.0..2.0, -half + 1.0..-outer - 4.2)),
            count: 14,
            spawn: Spawn::Stream { per_second: 0.4 },
            mission: Mission {
                goals: vec![Goal::inside(heart)],
                ..Mission::new(slim)
            },
        },
    );

    b.layer("Remarks");
    b.note(
        "The gap",
        DVec2::new(-half + 7.0, -half + 17.0),
        "One hedge has a gap of 0.8 m: the visitor squeezes through, the wheelbarrow does not.",
    );
    let through = maze.path_through_gap();
    b.test(
        "The visitor finds the gap",
        Query::Agent(visitor),
        Expectation {
            max_length: Some((maze.length(&through) * 1.1 + 15.0).ceil()),
            ..Expectation::default()
        },
    );
    b.test(
        "The wheelbarrow gets in as well",
        Query::Agent(gardener),
        Expectation {
            min_clearance: Some(WIDE_RADIUS),
            ..Expectation::default()
        },
    );
    b
}

/// Walls with thickness, openings cut out, united into hedges.
fn hedges(b: &mut Builder, maze: &Maze) {
    let mut walls: Vec<Polygon> = Vec::new();
    for wall in maze.walls() {
        walls.push(match wall {
            Wall::Arc { radius, angles } => arc(radius, angles),
            Wall::Spoke { angle, radii } => spoke(
                angle,
                radii.start - HEDGE * 0.5..radii.end + HEDGE * 0.5,
                HEDGE,
            ),
        });
    }
    let gate = spoke(
        -FRAC_PI_2,
        maze.outer_radius() - HEDGE..maze.outer_radius() + HEDGE,
        GATE,
    );
    let gap = match maze.gap() {
        Wall::Arc { radius, angles } => spoke(
            (angles.start + angles.end) * 0.5,
            radius - HEDGE..radius + HEDGE,
            GAP,
        ),
        Wall::Spoke { angle, radii } => {
            let middle = (radii.start + radii.end) * 0.5;
            spoke(angle, middle - GAP * 0.5..middle + GAP * 0.5, 2.0 * HEDGE)
        }
    };
    let mut united = boolean::difference(&boolean::union(&walls), &[gate, gap]);
    // The outer hedge first, then by position, so that the order does not depend on the engine.
    united.sort_by(|a, b| {
        let key = |p: &Polygon| (-p.bounds().size().length(), p.centroid().x);
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    for (i, hedge) in united.into_iter().enumerate() {
        let tidy = |ring: &Vec<DVec2>| simplify::simplified_ring(ring, 0.02);
        let hedge = Polygon {
            outer: tidy(&hedge.outer),
            holes: hedge.holes.iter().map(tidy).collect(),
        };
        let id = b.obstacle(format!("Hedge {}", i + 1), hedge, 2.2);
        b.tag(id, tag::PLANT);
    }
}

/// A strip of hedge along a circle, extending into its neighbours by half its thickness.
fn arc(radius: f64, angles: Range<f64>) -> Polygon {
    let chord = 1.1;
    let steps = ((angles.end - angles.start) * radius / chord)
        .ceil()
        .max(2.0) as usize;
    let side = |radius: f64| {
        let angles = angles.clone();
        (0..=steps).map(move |i| {
            let share = i as f64 / steps as f64;
            DVec2::from_angle(angles.start + (angles.end - angles.start) * share) * radius
        })
    };
    let outer = side(radius + HEDGE * 0.5).chain(side(radius - HEDGE * 0.5).rev());
    Polygon::new(outer.collect())
}

/// A box along a ray from the centre.
fn spoke(angle: f64, radii: Range<f64>, width: f64) -> Polygon {
    let along = DVec2::from_angle(angle);
    let across = along.perp() * width * 0.5;
    Polygon::new(vec![
        along * radii.start - across,
        along * radii.end - across,
        along * radii.end + across,
        along * radii.start + across,
    ])
}

/// From the gate through the cells to the fountain, following the rings.
fn line_through(maze: &Maze, path: &[usize]) -> Vec<DVec2> {
    let mut line = vec![DVec2::new(0.0, -maze.outer_radius() - 2.0)];
    line.extend(maze.line(path));
    if let Some(last) = line.last().copied() {
        line.push(last.normalize_or(DVec2::NEG_Y) * 4.4);
        // Around the fountain to the gardener's goal.
        let from = last.to_angle();
        let turn = (-FRAC_PI_2 - from).rem_euclid(TAU);
        let turn = if turn > TAU * 0.5 { turn - TAU } else { turn };
        let steps = (turn.abs() / 0.5).ceil().max(1.0);
        line.extend(
            (1..=steps as usize).map(|i| DVec2::from_angle(from + turn * i as f64 / steps) * 4.4),
        );
    }
    line
}

/// Topiary in the four corners, benches along the drive, and a platform to look from.
fn garden(b: &mut Builder, half: f64, gravel: EntityId) {
    let corner = half - 8.0;
    for (name, x, y) in [
        ("South-west", -1.0, -1.0),
        ("South-east", 1.0, -1.0),
        ("North-west", -1.0, 1.0),
        ("North-east", 1.0, 1.0),
    ] {
        let at = DVec2::new(x, y) * corner;
        b.region("", gravel, Polygon::regular(at, 6.0, 24, 0.0));
        let yew = b.obstacle(
            format!("{name} yew"),
            Polygon::regular(at, 2.4, 12, 0.0),
            4.0,
        );
        b.tag(yew, tag::PLANT);
        for turn in 0..4 {
            let angle = FRAC_PI_2 * (f64::from(turn) + 0.5);
            let at = at + DVec2::from_angle(angle) * 4.6;
            let box_ = b.obstacle("", Polygon::regular(at, 0.7, 8, angle), 0.9);
            b.tag(box_, tag::PLANT);
        }
    }
    for (i, x) in [-4.2, 4.2].into_iter().enumerate() {
        for (j, y) in [3.0, 7.0].into_iter().enumerate() {
            let bench = Rect::around(DVec2::new(x, -half + y), DVec2::new(0.35, 1.0));
            b.obstacle(
                format!("Bench {}", i * 2 + j + 1),
                rounded(bench, 0.1),
                0.45,
            );
        }
    }
    // Stairs and a platform on the north side, to look over the hedges.
    let top = half - 4.5;
    b.solid(
        "Lookout",
        Solid::new(
            SolidShape::Box,
            DVec3::new(0.0, top, 0.0),
            DVec3::new(4.0, 4.0, 2.4),
        ),
    );
    for (name, x, degrees) in [("West stairs", -4.4, 0.0), ("East stairs", 4.4, 180.0)] {
        let mut stairs = Solid::new(
            SolidShape::Stairs { steps: 12 },
            DVec3::new(x, top, 0.0),
            DVec3::new(4.8, 1.8, 2.4),
        );
        stairs.rotation.yaw = Heading::degrees(degrees);
        b.solid(name, stairs);
    }
}
