//! `forest`: a family walk, after Fig. 1 of Jaklin et al. 2013.
//!
//! A path through a wood with puddles, fallen trees and a spot with a panoramic view. The
//! weights and the look-ahead of adult and child are those of §4; the drawing is ours.

use super::super::model::{
    Body, Expectation, Mission, Pace, PlannerId, Profile, Query, Relation, Repeat, tag,
};
use super::builder::{Builder, inside, near};
use super::palette;
use super::shape::{blob, distance_to_line, rect, ribbon, smooth, turned_box, vecs};
use super::track::Track;
use crate::base::{EntityId, Random};
use crate::geometry::{HeightField, Polygon, Rect};
use glam::DVec2;
use std::collections::BTreeMap;

const BOUNDS: (f64, f64) = (240.0, 160.0);
const PATH_HALF_WIDTH: f64 = 3.0;
const TREES: usize = 470;

/// Centre line of the path, from the car park in the west to the lake in the east.
const PATH: [(f64, f64); 9] = [
    (0.0, 46.0),
    (28.0, 52.0),
    (60.0, 38.0),
    (90.0, 50.0),
    (110.0, 80.0),
    (142.0, 94.0),
    (172.0, 74.0),
    (204.0, 72.0),
    (240.0, 96.0),
];

/// Where the family sets out, and where it arrives.
const START: (f64, f64) = (2.5, 46.8);
const END: (f64, f64) = (237.5, 94.2);

const CHILD_START: (f64, f64) = (2.5, 44.9);
const CHILD_END: (f64, f64) = (237.5, 92.6);

/// A puddle on the path: its name, where along the path, how far left of its middle, how long and
/// how wide. Each leaves some two metres dry. Unit: metres.
struct Puddle(&'static str, f64, f64, f64, f64);

const PUDDLES: [Puddle; 6] = [
    Puddle("First puddle", 35.0, 1.2, 10.0, 3.4),
    Puddle("Great puddle", 81.0, -1.1, 14.0, 3.6),
    Puddle("Boot puddle", 118.0, 1.2, 9.0, 3.4),
    Puddle("Long puddle", 184.0, -1.2, 15.0, 3.4),
    Puddle("Mirror", 222.0, 1.1, 13.0, 3.6),
    Puddle("Last puddle", 261.0, -1.2, 9.0, 3.4),
];

/// A fallen tree: its name, where along the path its tip lies, from which side it fell (1 is left),
/// and how long it is. Unit: metres.
struct Log(&'static str, f64, f64, f64);

const LOGS: [Log; 4] = [
    Log("Fallen pine", 57.0, -1.0, 12.0),
    Log("Fallen birch", 101.0, 1.0, 11.0),
    Log("Fallen oak", 203.0, 1.0, 13.0),
    Log("Fallen ash", 243.0, -1.0, 10.0),
];

/// How far the tips of fallen trees extend beyond the middle of the path, leaving some two metres
/// to go around them. Unit: metres.
const LOG_TIP: f64 = 0.6;

/// Angle of fallen trees off the perpendicular. Unit: radians.
const LEAN: f64 = -0.35;

/// The knoll with the view.
const KNOLL: DVec2 = DVec2::new(127.0, 100.5);

pub(super) fn draw(seed: u64) -> Builder {
    let area = rect(0.0..BOUNDS.0, 0.0..BOUNDS.1);
    let mut b = Builder::new("Forest walk", area, 100.0);
    b.settings.notes = "A family on a forest path. The adult walks round puddles and fallen \
        trees and is drawn to the view; the child prefers the puddles, climbs over the trees \
        and does not care for views. Weights after Jaklin et al. 2013, §4."
        .to_owned();
    b.settings.grid.spacing = 10.0;
    b.ground(hills(area));

    let forest = b.base_terrain(palette::UNDERGROWTH, 30.0);
    let path = b.terrain(palette::GRAVEL, 2.0);
    let puddle = b.terrain(palette::PUDDLE, 10.0);
    let log = b.terrain(palette::LOG, 30.0);
    let view = b.terrain(palette::LOOKOUT, 1.0);
    let clearing = b.terrain(palette::MEADOW, 6.0);
    let weights = |puddles: f64, trees: f64, panorama: f64| -> BTreeMap<EntityId, f64> {
        [
            (forest, 30.0),
            (path, 2.0),
            (puddle, puddles),
            (log, trees),
            (view, panorama),
        ]
        .into()
    };
    let adult = b.profile(
        "Adult",
        Profile {
            colour: palette::BLUE,
            terrain_weights: weights(10.0, 30.0, 1.0),
            ..Profile::default()
        },
    );
    let child = b.profile(
        "Child",
        Profile {
            colour: palette::ORANGE,
            body: Body {
                radius: 0.2,
                height: 1.2,
                bent_height: 0.8,
                ..Profile::default().body
            },
            pace: Pace {
                speed: 1.6,
                max_speed: 2.6,
                ..Profile::default().pace
            },
            terrain_weights: weights(1.0, 1.0, 10.0),
            ..Profile::default()
        },
    );
    let ranger = b.profile(
        "Ranger",
        Profile {
            colour: palette::TEAL,
            terrain_weights: [(forest, 4.0), (path, 2.0), (puddle, 4.0), (log, 8.0)].into(),
            ..Profile::default()
        },
    );

    let line = smooth(&vecs(&PATH));
    let mut shapes = Shapes::new(line, seed);
    b.layer("Ground");
    b.region("Clearing", clearing, shapes.keep(shapes.clearing.clone()));
    b.region(
        "Forest path",
        path,
        ribbon(&shapes.line, PATH_HALF_WIDTH).map(|p| area.clamp(p)),
    );
    b.region("", path, shapes.keep(shapes.trail.clone()));
    b.region("Panoramic view", view, shapes.keep(shapes.view.clone()));
    let line = shapes.line.clone();
    let track = Track::new(&line);
    for Puddle(name, along, left, length, width) in PUDDLES {
        let frame = track.frame(along);
        let radii = DVec2::new(length, width) * 0.5;
        let shape = blob(DVec2::ZERO, radii, 14, 0.12, &mut shapes.random);
        let shape = shape.map(|p| frame.at(p.x, p.y + left));
        b.region(name, puddle, shapes.keep(shape));
    }
    let pool = blob(
        DVec2::new(62.0, 112.0),
        DVec2::new(9.0, 5.5),
        14,
        0.22,
        &mut shapes.random,
    );
    b.region("Hidden pool", puddle, shapes.keep(pool));
    for Log(name, along, side, length) in LOGS {
        let frame = track.frame(along);
        let lean = DVec2::from_angle(LEAN * side);
        let trunk = Polygon::rect(rect(0.0..length, -0.55..0.55));
        let shape = trunk.map(|p| {
            let across = lean.rotate(DVec2::new(p.y, p.x * side));
            frame.at(across.x, across.y - LOG_TIP * side)
        });
        b.region(name, log, shapes.keep(shape.normalised()));
    }
    let windthrow = turned_box(
        DVec2::new(40.0, 126.0),
        DVec2::new(15.0, 1.1),
        f64::to_radians(12.0),
    );
    b.region("Windthrow", log, shapes.keep(windthrow));

    b.layer("Trees");
    let oak = b.obstacle(
        "Old oak",
        blob(
            DVec2::new(79.0, 60.0),
            DVec2::splat(2.8),
            9,
            0.1,
            &mut shapes.random,
        ),
        12.0,
    );
    b.tag(oak, tag::PLANT);
    shapes.keep(Polygon::regular(DVec2::new(79.0, 60.0), 7.0, 8, 0.0));
    let hut = b.building(
        "Ranger's hut",
        turned_box(DVec2::new(196.0, 116.0), DVec2::new(9.0, 7.0), 0.35),
        4.5,
        -70.0,
    );
    plant(&mut b, &mut shapes, area);

    b.layer("Plan");
    let walk = b.polyline("Walk", &dry_route(&track));
    b.tune(walk, 80.0, 5.0);
    let romp = b.curve("Romp", &wet_route(&track));
    b.tune(romp, 100.0, 5.0);
    let round = b.curve(
        "Ranger's round",
        &[
            (192.0, 107.5),
            (186.0, 94.0),
            (180.0, 75.5),
            (206.0, 73.0),
            (231.0, 90.0),
        ],
    );
    let porch = b.relation("In front of the hut", hut, Relation::Front { reach: 4.0 });
    let shade = b.relation("Under the old oak", oak, Relation::Around { reach: 5.0 });
    let lookout = b.area(
        "Lookout",
        Polygon::ellipse(KNOLL, DVec2::new(9.0, 5.0), 12, 0.0),
    );

    b.layer("People");
    let parent = b.agent(
        "Parent",
        START,
        Mission {
            goals: b.goals(&[END]),
            planner: PlannerId::MIRAN,
            route: Some(walk),
            constraints: vec![inside(lookout, 2.0)],
            ..Mission::new(adult)
        },
    );
    let kid = b.agent(
        "Child",
        CHILD_START,
        Mission {
            goals: b.goals(&[CHILD_END]),
            planner: PlannerId::MIRAN,
            route: Some(romp),
            ..Mission::new(child)
        },
    );
    b.agent(
        "Ranger",
        (192.0, 107.5),
        Mission {
            goals: b.goals(&[(231.0, 90.0)]),
            repeat: Repeat::BackAndForth,
            planner: PlannerId::MIRAN,
            route: Some(round),
            constraints: vec![near(porch, 1.0), near(shade, 1.0)],
            ..Mission::new(ranger)
        },
    );

    b.layer("Remarks");
    b.note(
        "View",
        KNOLL + DVec2::new(0.0, 12.0),
        "The adult leaves the path for this view. Give the panoramic view a weight of 10 and \
         see how that changes.",
    );
    b.note("Car park", (3.0, 52.0), "Walks start here.");
    b.test(
        "The parent's feet stay dry",
        Query::Agent(parent),
        Expectation {
            never_in: vec![log],
            ..Expectation::default()
        },
    );
    b.test(
        "The child arrives too",
        Query::Agent(kid),
        Expectation::default(),
    );
    b
}

/// Passes puddles and fallen trees on their free side, and visits the view.
fn dry_route(track: &Track<'_>) -> Vec<DVec2> {
    let puddles = PUDDLES.iter().map(|Puddle(_, along, left, length, _)| {
        (*along, -1.8 * left.signum(), 0.5 * length + 1.0)
    });
    let logs = LOGS
        .iter()
        .map(|Log(_, along, side, _)| (*along, -2.2 * side, 3.0));
    let mut passes: Vec<(f64, f64, f64)> = puddles.chain(logs).collect();
    passes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (before, after): (Vec<_>, Vec<_>) = passes.into_iter().partition(|pass| pass.0 < 150.0);
    let ends = |(along, left, reach): (f64, f64, f64)| {
        [along - reach, along + reach].map(|at| track.beside(at, left))
    };
    let view = [
        track.beside(146.0, 1.0),
        KNOLL + DVec2::new(-5.5, -6.0),
        KNOLL + DVec2::new(0.0, -3.5),
        KNOLL + DVec2::new(7.0, -4.0),
        track.beside(166.0, 1.5),
    ];
    let start = [
        START.into(),
        track.beside(12.0, 0.0),
        track.beside(22.0, 0.0),
    ];
    start
        .into_iter()
        .chain(before.into_iter().flat_map(ends))
        .chain(view)
        .chain(after.into_iter().flat_map(ends))
        .chain([END.into()])
        .collect()
}

/// Through every puddle and over every fallen tree.
fn wet_route(track: &Track<'_>) -> Vec<DVec2> {
    let puddles = PUDDLES
        .iter()
        .map(|Puddle(_, along, left, ..)| (*along, *left));
    let logs = LOGS
        .iter()
        .map(|Log(_, along, side, _)| (*along, 0.8 * side));
    let between = [
        12.0, 22.0, 45.0, 69.0, 91.0, 110.0, 135.0, 150.0, 165.0, 212.0, 232.0, 252.0,
    ];
    let plain = between.map(|along| (along, 0.0));
    let mut places: Vec<(f64, f64)> = puddles.chain(logs).chain(plain).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let line = places
        .into_iter()
        .map(|(along, left)| track.beside(along, left));
    let start = [CHILD_START.into()];
    start
        .into_iter()
        .chain(line)
        .chain([CHILD_END.into()])
        .collect()
}

/// A knoll under the view and a slow rise to the north, to a tenth of a metre.
fn hills(area: Rect) -> HeightField {
    let mut field = HeightField::flat(area, 10.0, 0.0);
    field.heights = (0..field.columns * field.rows)
        .map(|i| {
            let post = DVec2::new((i % field.columns) as f64, (i / field.columns) as f64);
            let p = field.origin + post * field.spacing;
            let knoll = 7.0 * (-p.distance_squared(KNOLL) / 900.0).exp();
            let rise = 4.0 * (p.y / area.size().y).powi(2);
            let roll = 0.8 * (p.x / 31.0).sin() * (p.y / 23.0).cos();
            ((knoll + rise + roll) * 10.0).round() / 10.0
        })
        .collect();
    field
}

/// Shapes that the wood grows around.
struct Shapes {
    line: Vec<DVec2>,
    clearing: Polygon,
    trail: Polygon,
    view: Polygon,
    kept_free: Vec<Polygon>,
    random: Random,
}

impl Shapes {
    fn new(line: Vec<DVec2>, seed: u64) -> Self {
        let mut random = Random::stream(seed, 1);
        let clearing = blob(
            DVec2::new(194.0, 112.0),
            DVec2::new(22.0, 15.0),
            22,
            0.18,
            &mut random,
        );
        let trail = ribbon(
            &smooth(&vecs(&[(180.0, 74.5), (184.5, 92.0), (191.5, 109.5)])),
            1.2,
        );
        let view = blob(KNOLL, DVec2::new(14.0, 9.0), 20, 0.12, &mut random);
        Self {
            line,
            clearing,
            trail,
            view,
            kept_free: Vec::new(),
            random,
        }
    }

    /// Keeps the shape free of trees.
    fn keep(&mut self, shape: Polygon) -> Polygon {
        self.kept_free.push(shape.clone());
        shape
    }

    /// Distance to the nearest area kept free of trees; negative inside.
    fn room(&self, p: DVec2) -> f64 {
        let path = distance_to_line(&self.line, p) - PATH_HALF_WIDTH;
        self.kept_free
            .iter()
            .map(|shape| {
                let distance = shape.distance_to_edge(p);
                if shape.contains(p) {
                    -distance
                } else {
                    distance
                }
            })
            .fold(path, f64::min)
    }
}

/// Plants trees more densely the farther from the path, in groves of one kind.
fn plant(b: &mut Builder, shapes: &mut Shapes, area: Rect) {
    let mut placed: Vec<(DVec2, f64)> = Vec::new();
    for _ in 0..20_000 {
        if placed.len() == TREES {
            break;
        }
        let p = shapes.random.point(area.min, area.max);
        let grove = (p.x / 19.0).sin() + (p.y / 15.0 + 1.0).sin() + (0.06 * (p.x - p.y)).cos();
        let (species, radius, height) = match grove {
            g if g > 0.8 => ("oak", shapes.random.range(1.4, 2.3), 7.0),
            g if g > -0.5 => ("beech", shapes.random.range(1.0, 1.6), 9.0),
            _ => ("pine", shapes.random.range(0.7, 1.1), 11.0),
        };
        let room = shapes.room(p) - radius;
        let thinning = ((room - 1.0) / 26.0).clamp(0.0, 1.0).sqrt();
        let gap = 4.6 - 3.2 * thinning;
        let fits = room > 1.2
            && area.expanded(-radius - 0.8).contains(p)
            && shapes.random.chance(0.25 + 0.75 * thinning)
            && placed
                .iter()
                .all(|(q, r)| p.distance(*q) > radius + r + gap);
        if !fits {
            continue;
        }
        placed.push((p, radius));
        let shape = blob(p, DVec2::splat(radius), 7, 0.1, &mut shapes.random);
        let height = height + shapes.random.range(-2.0, 2.0).round();
        let tree = b.obstacle("", shape, height);
        b.tag(tree, species);
        b.tag(tree, tag::PLANT);
    }
}
