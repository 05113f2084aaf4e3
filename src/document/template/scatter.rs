//! `loose` and `dense`: a plain with obstacles strewn over it.
//!
//! After the maps of Niederberger et al. 2004, Table 1: 1000 × 1000 with 100 and with 200
//! obstacles. Ours lie along the lines of a slow current, like drift on a beach, instead of
//! anyhow: as hard to plan through and easier to look at.

use super::super::model::{
    Body, Crowd, Expectation, Goal, Mission, PlannerKind, Profile, Query, Relation, Spawn,
};
use super::builder::{Builder, near};
use super::palette;
use super::shape::{rock, turned_box};
use crate::base::{Quantity, Random, Unit};
use crate::geometry::{Polygon, Rect};
use glam::DVec2;
use std::f64::consts::FRAC_PI_8;

pub(super) const LOOSE_SIZE: Quantity =
    Quantity::new("number of obstacles", Unit::One, 10.0, 100_000.0, 100.0);
pub(super) const DENSE_SIZE: Quantity =
    Quantity::new("number of obstacles", Unit::One, 10.0, 100_000.0, 200.0);

/// Free ground that is left round every obstacle, so that a wide body can pass. Unit: metres.
const GAP: f64 = 9.0;
/// Kept free along the border and at the corners, where the travellers start. Unit: metres.
const MARGIN: f64 = 24.0;
const CORNER: f64 = 90.0;

struct Plain {
    edge: f64,
    count: usize,
    /// Of the circle round an obstacle: usual range, and that of the few great ones.
    radii: (f64, f64),
    great: (f64, f64),
}

pub(super) fn draw_loose(seed: u64, size: f64) -> Builder {
    let plain = Plain {
        edge: (1000.0 * (size / 100.0).sqrt()).round(),
        count: size as usize,
        radii: (18.0, 38.0),
        great: (44.0, 66.0),
    };
    let mut b = draw(
        "Loose map",
        "A wide plain with a hundred obstacles: convex rocks and straight walls, 1000 × 1000 m.",
        &plain,
        seed,
    );
    b.settings.grid.spacing = 50.0;
    b
}

pub(super) fn draw_dense(seed: u64, size: f64) -> Builder {
    let plain = Plain {
        edge: (1000.0 * (size / 200.0).sqrt()).round(),
        count: size as usize,
        radii: (15.0, 30.0),
        great: (34.0, 52.0),
    };
    let mut b = draw(
        "Dense map",
        "The plain with two hundred obstacles on the same 1000 × 1000 m: more corners, \
         narrower ways.",
        &plain,
        seed.wrapping_add(200),
    );
    b.settings.grid.spacing = 50.0;
    b
}

fn draw(name: &str, notes: &str, plain: &Plain, seed: u64) -> Builder {
    let edge = plain.edge;
    let mut b = Builder::new(name, Rect::new(DVec2::ZERO, DVec2::splat(edge)), 10.0);
    b.settings.notes = notes.to_owned();
    b.base_terrain(palette::SAND, 1.0);
    let traveller = b.profile(
        "Traveller",
        Profile {
            colour: palette::BLUE,
            body: Body {
                radius: 1.0,
                ..Profile::default().body
            },
            ..Profile::default()
        },
    );
    let caravan = b.profile(
        "Caravan",
        Profile {
            colour: palette::ORANGE,
            body: Body {
                radius: 4.0,
                height: 2.6,
                ..Profile::default().body
            },
            ..Profile::default()
        },
    );

    b.layer("Obstacles");
    let obstacles = strewn(plain, seed);
    let mut greatest = None;
    for (
        i,
        Strewn {
            shape, kind, reach, ..
        },
    ) in obstacles.iter().enumerate()
    {
        let height = (reach * 0.35).clamp(4.0, 20.0).round();
        let id = b.obstacle(format!("{kind} {}", i + 1), shape.clone(), height);
        if greatest.is_none_or(|(_, most)| *reach > most) {
            greatest = Some((id, *reach));
        }
    }

    b.layer("Plan");
    let camp = b.area(
        "Camp",
        Polygon::regular(DVec2::splat(edge - 45.0), 32.0, 8, FRAC_PI_8),
    );
    let shade = greatest.map(|(rock, _)| {
        b.relation(
            "Shade of the great rock",
            rock,
            Relation::Around { reach: 15.0 },
        )
    });

    b.layer("People");
    let far = edge - 40.0;
    let first = b.agent(
        "North-east bound",
        (40.0, 40.0),
        Mission {
            goals: b.goals(&[(far, far)]),
            ..Mission::new(traveller)
        },
    );
    b.agent(
        "South-east bound",
        (40.0, far),
        Mission {
            goals: b.goals(&[(far, 40.0)]),
            planner: PlannerKind::Optimal,
            ..Mission::new(traveller)
        },
    );
    let wide = b.agent(
        "Caravan",
        (far, 40.0),
        Mission {
            goals: b.goals(&[(40.0, far)]),
            planner: PlannerKind::Corridor,
            constraints: shade.map(|area| near(area, 4.0)).into_iter().collect(),
            ..Mission::new(caravan)
        },
    );
    b.crowd(
        "Pilgrims",
        Crowd {
            area: Polygon::rect(Rect::new(
                DVec2::new(20.0, far - 30.0),
                DVec2::new(70.0, far + 20.0),
            )),
            count: 30,
            spawn: Spawn::Stream { per_second: 2.0 },
            mission: Mission {
                goals: vec![Goal::Inside(camp)],
                ..Mission::new(traveller)
            },
        },
    );

    let diagonal = (far - 40.0) * std::f64::consts::SQRT_2;
    b.test(
        "Straight across is at most a tenth longer than the crow flies",
        Query::Agent(first),
        Expectation {
            max_length: Some((diagonal * 1.1).ceil()),
            ..Expectation::default()
        },
    );
    b.test(
        "The caravan gets through",
        Query::Agent(wide),
        Expectation {
            min_clearance: Some(4.0),
            ..Expectation::default()
        },
    );
    b
}

struct Strewn {
    shape: Polygon,
    kind: &'static str,
    centre: DVec2,
    /// Radius of a circle about the centre that holds it.
    reach: f64,
}

/// Throws darts until enough obstacles lie free of each other; the great ones go first, and the
/// sizes shrink when the darts keep missing.
fn strewn(plain: &Plain, seed: u64) -> Vec<Strewn> {
    let mut random = Random::stream(seed, 1);
    let mut placed: Vec<Strewn> = Vec::new();
    let mut cells = Cells::new(2.0 * plain.great.1 + GAP);
    let mut shrink = 1.0;
    while placed.len() < plain.count {
        let range = if placed.len() * 12 < plain.count {
            plain.great
        } else {
            plain.radii
        };
        let reach = random.range(range.0, range.1) * shrink;
        let free = Rect::new(DVec2::ZERO, DVec2::splat(plain.edge)).expanded(-MARGIN - reach);
        let spot = (0..40).find_map(|_| {
            let p = random.point(free.min, free.max);
            let from_edges = p.min(DVec2::splat(plain.edge) - p);
            let in_corner = from_edges.max_element() < CORNER + reach;
            (!in_corner && !cells.near(p, |q, r| p.distance(q) < reach + r + GAP)).then_some(p)
        });
        let Some(centre) = spot else {
            shrink *= 0.97;
            continue;
        };
        cells.insert(centre, reach);
        placed.push(one(centre, reach, current(centre, plain.edge), &mut random));
    }
    placed.sort_by(|a, b| b.centre.y.total_cmp(&a.centre.y));
    placed
}

fn one(centre: DVec2, reach: f64, along: f64, random: &mut Random) -> Strewn {
    let angle = along + random.range(-0.12, 0.12);
    let (shape, kind) = if random.chance(0.42) {
        let slim = random.range(0.16, 0.5);
        let half = DVec2::new(1.0, slim).normalize() * reach;
        (turned_box(centre, half * 2.0, angle), "Wall")
    } else {
        let radii = DVec2::new(reach, reach * random.range(0.55, 0.9));
        let corners = 5 + random.below(4);
        (rock(centre, radii, angle, corners, random), "Rock")
    };
    Strewn {
        shape,
        kind,
        centre,
        reach,
    }
}

/// Direction of the current that the obstacles lie along: a slow double whirl.
fn current(p: DVec2, edge: f64) -> f64 {
    let q = p / edge * std::f64::consts::TAU;
    let flow = DVec2::new(
        1.0 + 0.9 * (q.y * 0.5).sin() - 0.6 * q.y.cos(),
        (q.x * 0.75).sin(),
    );
    flow.to_angle()
}

/// Circles by square cells, so that a hundred thousand can be strewn.
struct Cells {
    edge: f64,
    cells: std::collections::BTreeMap<(i64, i64), Vec<(DVec2, f64)>>,
}

impl Cells {
    /// No two circles that touch lie more than one cell of this edge apart.
    fn new(edge: f64) -> Self {
        Self {
            edge,
            cells: std::collections::BTreeMap::new(),
        }
    }

    fn cell(&self, p: DVec2) -> (i64, i64) {
        let cell = (p / self.edge).floor();
        (cell.x as i64, cell.y as i64)
    }

    fn insert(&mut self, centre: DVec2, radius: f64) {
        let cell = self.cell(centre);
        self.cells.entry(cell).or_default().push((centre, radius));
    }

    fn near(&self, p: DVec2, hits: impl Fn(DVec2, f64) -> bool) -> bool {
        let (x, y) = self.cell(p);
        (x - 1..=x + 1)
            .flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)))
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .any(|(centre, radius)| hits(*centre, *radius))
    }
}
