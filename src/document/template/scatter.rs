//! `loose` and `dense`: a plain with scattered obstacles.
//!
//! After the maps of Niederberger et al. 2004, Table 1: 1000 × 1000 with 100 and with 200
//! obstacles. Ours lie along the lines of a slow current, like drift on a beach, rather than at
//! random: as hard to plan through and easier to look at.

use super::super::model::{
    Body, Crowd, Expectation, Goal, Mission, PlannerId, Profile, Query, Relation, Spawn,
};
use super::builder::{Builder, near};
use super::palette;
use super::shape::{rock, turned_box};
use crate::base::{Quantity, Random, Unit};
use crate::geometry::{Polygon, Rect, crossing};
use glam::DVec2;
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_8;

pub(super) const LOOSE_SIZE: Quantity =
    Quantity::new("number of obstacles", Unit::One, 10.0, 100_000.0, 100.0);
pub(super) const DENSE_SIZE: Quantity =
    Quantity::new("number of obstacles", Unit::One, 10.0, 100_000.0, 200.0);

/// Kept free along the border and at the corners, where agents start. Unit: metres.
const MARGIN: f64 = 24.0;
const CORNER: f64 = 90.0;

struct Plain {
    edge: f64,
    count: usize,
    /// Radius of the circle around an obstacle: the common range, and that of the few large ones.
    radii: (f64, f64),
    great: (f64, f64),
    /// Free ground left between obstacles, so that a wide body can pass. Unit: metres.
    gap: f64,
}

pub(super) fn draw_loose(seed: u64, size: f64) -> Builder {
    let plain = Plain {
        edge: (1000.0 * (size / 100.0).sqrt()).round(),
        count: size as usize,
        radii: (18.0, 40.0),
        great: (48.0, 72.0),
        gap: 18.0,
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
        radii: (16.0, 34.0),
        great: (40.0, 58.0),
        gap: 9.0,
    };
    let mut b = draw(
        "Dense map",
        "The plain with two hundred obstacles on the same 1000 × 1000 m: more corners, \
         narrower paths.",
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
    let names = great_names(&obstacles);
    let mut table_rock = None;
    for (one, name) in obstacles.iter().zip(&names) {
        let height = (one.reach * 0.35).clamp(4.0, 20.0).round();
        let id = b.obstacle(*name, one.shape.clone(), height);
        b.tag(id, if one.is_wall { "wall" } else { "rock" });
        if *name == NAMES[0] {
            table_rock = Some(id);
        }
    }

    b.layer("Plan");
    let camp = b.area(
        "Camp",
        Polygon::regular(DVec2::splat(edge - 45.0), 32.0, 8, FRAC_PI_8),
    );
    let shade = table_rock.map(|rock| b.relation("Shade", rock, Relation::Around { reach: 15.0 }));

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
            planner: PlannerId::OPTIMAL,
            ..Mission::new(traveller)
        },
    );
    let wide = b.agent(
        "Caravan",
        (far, 40.0),
        Mission {
            goals: b.goals(&[(40.0, far)]),
            planner: PlannerId::CORRIDOR,
            constraints: shade.map(|area| near(area, 4.0)).into_iter().collect(),
            ..Mission::new(caravan)
        },
    );
    b.crowd(
        "Pilgrims",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: Polygon::rect(Rect::new(
                DVec2::new(20.0, far - 30.0),
                DVec2::new(70.0, far + 20.0),
            )),
            count: 30,
            spawn: Spawn::Stream { per_second: 2.0 },
            mission: Mission {
                goals: vec![Goal::inside(camp)],
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
    is_wall: bool,
    centre: DVec2,
    /// Radius of the bounding circle about the centre.
    reach: f64,
}

/// Dart throwing: large obstacles first; sizes shrink while darts keep missing.
fn strewn(plain: &Plain, seed: u64) -> Vec<Strewn> {
    let mut random = Random::stream(seed, 1);
    let mut placed: Vec<Strewn> = Vec::new();
    let mut cells = Cells::new(2.0 * plain.great.1 + plain.gap);
    let mut shrink = 1.0;
    while placed.len() < plain.count {
        let range = if placed.len() * 12 < plain.count {
            plain.great
        } else {
            plain.radii
        };
        let thrown = (0..60).find_map(|_| {
            let reach = random.range(range.0, range.1) * shrink;
            let free = Rect::new(DVec2::ZERO, DVec2::splat(plain.edge)).expanded(-MARGIN - reach);
            let centre = random.point(free.min, free.max);
            let one = one(centre, reach, current(centre, plain.edge), &mut random);
            let from_edges = centre.min(DVec2::splat(plain.edge) - centre);
            let in_corner = from_edges.max_element() < CORNER + reach;
            let clear = || {
                cells
                    .around(centre)
                    .all(|i| one.is_clear_of(&placed[i], plain.gap))
            };
            (!in_corner && clear()).then_some(one)
        });
        let Some(one) = thrown else {
            shrink *= 0.97;
            continue;
        };
        cells.insert(one.centre, placed.len());
        placed.push(one);
    }
    placed.sort_by(|a, b| b.centre.y.total_cmp(&a.centre.y));
    placed
}

fn one(centre: DVec2, reach: f64, along: f64, random: &mut Random) -> Strewn {
    let angle = along + random.range(-0.12, 0.12);
    let is_wall = random.chance(0.42);
    let shape = if is_wall {
        let slim = random.range(0.16, 0.5);
        let half = DVec2::new(1.0, slim).normalize() * reach;
        turned_box(centre, half * 2.0, angle)
    } else {
        let radii = DVec2::new(reach, reach * random.range(0.55, 0.9));
        let corners = 5 + random.below(4);
        rock(centre, radii, angle, corners, random)
    };
    Strewn {
        shape,
        is_wall,
        centre,
        reach,
    }
}

impl Strewn {
    /// Whether two convex shapes are at least `gap` apart.
    fn is_clear_of(&self, other: &Self, gap: f64) -> bool {
        if self.centre.distance(other.centre) > self.reach + other.reach + gap {
            return true;
        }
        // Disjoint convex shapes are nearest at a corner of one of them.
        let apart = |a: &Polygon, b: &Polygon| {
            a.outer
                .iter()
                .all(|p| !b.contains(*p) && b.distance_to_edge(*p) > gap)
        };
        apart(&self.shape, &other.shape)
            && apart(&other.shape, &self.shape)
            && !crossing::passes_through(&self.shape, &other.shape.outer)
    }
}

/// Names of the largest rocks.
const NAMES: [&str; 8] = [
    "Table Rock",
    "The Whale",
    "Anvil",
    "Old Tortoise",
    "The Loaf",
    "Sleeper",
    "Lone Hill",
    "The Hound",
];

/// Names for the largest obstacles; the others have none.
fn great_names(obstacles: &[Strewn]) -> Vec<&'static str> {
    let mut order: Vec<usize> = (0..obstacles.len())
        .filter(|i| !obstacles[*i].is_wall)
        .collect();
    order.sort_by(|a, b| obstacles[*b].reach.total_cmp(&obstacles[*a].reach));
    let mut names = vec![""; obstacles.len()];
    for (name, at) in NAMES.into_iter().zip(order) {
        names[at] = name;
    }
    names
}

/// Direction of the current along which obstacles lie: a slow double whirl.
fn current(p: DVec2, edge: f64) -> f64 {
    let q = p / edge * std::f64::consts::TAU;
    let flow = DVec2::new(
        1.0 + 0.9 * (q.y * 0.5).sin() - 0.6 * q.y.cos(),
        (q.x * 0.75).sin(),
    );
    flow.to_angle()
}

/// A spatial hash, so that a hundred thousand obstacles can be placed.
struct Cells {
    edge: f64,
    cells: BTreeMap<(i64, i64), Vec<usize>>,
}

impl Cells {
    /// `edge` must be at least the distance at which two obstacles can conflict.
    const fn new(edge: f64) -> Self {
        Self {
            edge,
            cells: BTreeMap::new(),
        }
    }

    fn cell(&self, p: DVec2) -> (i64, i64) {
        let cell = (p / self.edge).floor();
        (cell.x as i64, cell.y as i64)
    }

    fn insert(&mut self, centre: DVec2, index: usize) {
        let cell = self.cell(centre);
        self.cells.entry(cell).or_default().push(index);
    }

    fn around(&self, p: DVec2) -> impl Iterator<Item = usize> + '_ {
        let (x, y) = self.cell(p);
        (x - 1..=x + 1)
            .flat_map(move |x| (y - 1..=y + 1).map(move |y| (x, y)))
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .copied()
    }
}
