//! `city`: a grid town on a river, with quarters of different character.
//!
//! The size is the number of buildings: 400 for the sample, 900 for some 2,000 obstacles with
//! 20,000 points, 5,000 for a level of 100,000 points. The market is always in the middle; the
//! outskirts end where the number is reached.

mod block;
mod footprint;
mod places;
mod plan;

use super::super::model::{
    Crowd, Expectation, Goal, Mission, Pace, PlannerId, Profile, Query, Relation, Repeat, Spawn,
    tag,
};
use super::builder::{Builder, near, never_in};
use super::palette;
use super::shape::{chamfered, rect};
use crate::base::{EntityId, Quantity, Random, Unit};
use crate::geometry::{Polygon, Rect};
use block::{Block, House};
use footprint::Front;
use glam::DVec2;
use places::Landmark;
use plan::{Plan, RIVER_HALF_WIDTH};
use std::f64::consts::FRAC_PI_8;

pub(super) const SIZE: Quantity =
    Quantity::new("number of buildings", Unit::One, 40.0, 50_000.0, 400.0);

/// Depth of the sidewalk round every block. Unit: metres.
const SIDEWALK: f64 = 3.0;
/// Average number of houses per block; slightly low, so that there are enough blocks.
const HOUSES_PER_BLOCK: f64 = 6.8;

/// The terrain types of the town.
struct Grounds {
    grass: EntityId,
    sidewalk: EntityId,
    crossing: EntityId,
    paving: EntityId,
    gravel: EntityId,
    water: EntityId,
}

/// A block and what is built on it.
struct Site {
    column: usize,
    row: usize,
    use_: Use,
}

enum Use {
    Built {
        quarter: usize,
        block: Block,
    },
    Landmark(Landmark),
    /// Undeveloped: fruit trees in rows.
    Meadow(Vec<DVec2>),
}

pub(super) fn draw(seed: u64, size: f64) -> Builder {
    let buildings = size as usize;
    let blocks = (size / HOUSES_PER_BLOCK).ceil() + 6.0;
    let columns = ((blocks * 1.15).sqrt().round() as usize).max(5) + 1;
    let mut rows = ((blocks / (columns - 1) as f64).ceil() as usize).max(3);
    let (plan, sites) = loop {
        let plan = Plan::new(columns, rows, seed);
        match settled(&plan, buildings, seed) {
            Some(sites) => break (plan, sites),
            None => rows += 1,
        }
    };

    let mut b = Builder::new("Lodeford", plan.bounds, 10.0);
    b.settings.notes = format!(
        "A town of {buildings} buildings on a river, each quarter with a character of its own. \
         Commuters stream from the station to the market, the postwoman makes her round, and \
         joggers keep to the towpath."
    );
    b.settings.grid.spacing = 10.0;
    let road = b.base_terrain(palette::ROAD, 1.0);
    let grounds = Grounds {
        grass: b.terrain(palette::GRASS, 1.0),
        sidewalk: b.terrain(palette::SIDEWALK, 1.0),
        crossing: b.terrain(palette::CROSSING, 1.0),
        paving: b.terrain(palette::PAVING, 1.0),
        gravel: b.terrain(palette::GRAVEL, 1.0),
        water: b.terrain(palette::WATER, 100.0),
    };

    b.layer("Ground");
    for site in &sites {
        lay_block(&mut b, &plan, &grounds, site);
    }
    let streets = lay_avenues(&mut b, &plan, &grounds);
    lay_river(&mut b, &plan, &grounds);

    b.layer("Water");
    let river = fill_river(&mut b, &plan);
    b.layer("Buildings");
    let landmarks = raise(&mut b, &plan, &sites);
    b.layer("Trees");
    plant(&mut b, &sites, &streets, seed);
    people(&mut b, &plan, road, &grounds, &landmarks, river);
    b
}

/// Assigns blocks from the market outwards until all buildings are placed; `None` if there are too
/// few blocks.
fn settled(plan: &Plan, buildings: usize, seed: u64) -> Option<Vec<Site>> {
    let blocks = plan.blocks_from_centre();
    let in_places: usize = blocks
        .iter()
        .filter_map(|(column, row)| Landmark::at(plan, *column, *row))
        .map(Landmark::building_count)
        .sum();
    let mut left = buildings.saturating_sub(in_places);
    let mut sites: Vec<Site> = blocks
        .into_iter()
        .map(|(column, row)| {
            let area = plan.block(column, row);
            let mut random = Random::stream(seed, 1000 + (row * 4096 + column) as u64);
            let use_ = if let Some(place) = Landmark::at(plan, column, row) {
                Use::Landmark(place)
            } else if left == 0 {
                Use::Meadow(block::orchard(area.expanded(-SIDEWALK)))
            } else if let Some((quarter, character, _)) = plan.quarter(area.centre()) {
                let mut block =
                    block::built(character, area.expanded(-SIDEWALK - 0.5), &mut random);
                block.houses.truncate(left);
                left -= block.houses.len();
                Use::Built { quarter, block }
            } else {
                Use::Meadow(Vec::new())
            };
            Site { column, row, use_ }
        })
        .collect();
    // File order as on the map: from the south-west, row by row.
    sites.sort_by_key(|site| (site.row, site.column));
    (left == 0).then_some(sites)
}

fn lay_block(b: &mut Builder, plan: &Plan, grounds: &Grounds, site: &Site) {
    let area = plan.block(site.column, site.row);
    let lot = area.expanded(-SIDEWALK);
    let walk = chamfered(area, 2.0);
    match &site.use_ {
        Use::Built { block, .. } => {
            b.region("", grounds.sidewalk, walk);
            let yard = if block.green {
                grounds.grass
            } else {
                grounds.paving
            };
            b.region("", yard, Polygon::rect(lot));
        }
        Use::Meadow(_) => {
            b.region("", grounds.sidewalk, walk);
            b.region("", grounds.grass, Polygon::rect(lot));
        }
        Use::Landmark(place) => {
            b.region("", grounds.sidewalk, walk);
            place.lay(b, grounds, lot);
        }
    }
}

/// Green strips with trees along the avenues, crossings at their ends. Returns where the trees
/// go.
fn lay_avenues(b: &mut Builder, plan: &Plan, grounds: &Grounds) -> Vec<DVec2> {
    /// From a block's corner to the near side of the crossing, and to the strip beyond it.
    const CORNER: f64 = 3.0;
    const ZEBRA: f64 = 3.5;
    const STRIP: f64 = CORNER + ZEBRA + 1.5;
    const HALF_STRIP: f64 = 1.6;
    let mut trees = Vec::new();
    let mut avenue = |across: &plan::Street, along: &std::ops::Range<f64>, upright: bool| {
        let turn = |r: Rect| {
            if upright {
                r
            } else {
                Rect::new(DVec2::new(r.min.y, r.min.x), DVec2::new(r.max.y, r.max.x))
            }
        };
        let kerbs = across.range.clone();
        for start in [along.start + CORNER, along.end - CORNER - ZEBRA] {
            let zebra = rect(kerbs.clone(), start..start + ZEBRA);
            b.region("", grounds.crossing, Polygon::rect(turn(zebra)));
        }
        let middle = across.middle();
        let (from, to) = (along.start + STRIP, along.end - STRIP);
        let strip = rect(middle - HALF_STRIP..middle + HALF_STRIP, from..to);
        b.region(
            across.name.clone(),
            grounds.grass,
            Polygon::rect(turn(strip)),
        );
        let count = ((to - from) / 11.0).floor().max(1.0);
        trees.extend((0..count as usize).map(|i| {
            let at = from + (to - from) * (i as f64 + 0.5) / count;
            if upright {
                DVec2::new(middle, at)
            } else {
                DVec2::new(at, middle)
            }
        }));
    };
    for street in plan.lengthways.iter().filter(|s| s.is_avenue()) {
        for row in &plan.rows {
            avenue(street, row, true);
        }
    }
    for street in plan.crossways.iter().filter(|s| s.is_avenue()) {
        for (i, column) in plan.columns.iter().enumerate() {
            if i != plan.river_column {
                avenue(street, column, false);
            }
        }
    }
    trees
}

/// The stretches of bank between the bridges, from south to north.
fn reaches(plan: &Plan) -> Vec<std::ops::Range<f64>> {
    let bridges: Vec<_> = plan.bridges().map(|s| s.range.clone()).collect();
    bridges
        .windows(2)
        .map(|pair| pair[0].end..pair[1].start)
        .collect()
}

/// The strips on both sides of the river between two y values, `side` metres from its middle.
fn along_river(plan: &Plan, y: std::ops::Range<f64>, side: std::ops::Range<f64>) -> Polygon {
    let steps = ((y.end - y.start) / 14.0).ceil().max(1.0) as usize;
    let at = |i: usize, off: f64| {
        let y = y.start + (y.end - y.start) * i as f64 / steps as f64;
        DVec2::new(plan.river_x(y) + off, y)
    };
    let mut outer: Vec<DVec2> = (0..=steps).map(|i| at(i, side.end)).collect();
    outer.extend((0..=steps).rev().map(|i| at(i, side.start)));
    Polygon::new(outer)
}

fn lay_river(b: &mut Builder, plan: &Plan, grounds: &Grounds) {
    const TOWPATH: std::ops::Range<f64> = 2.0..4.6;
    let half = RIVER_HALF_WIDTH;
    let banks = plan.columns[plan.river_column].clone();
    for reach in reaches(plan) {
        let area = rect(banks.clone(), reach.clone());
        b.region("", grounds.sidewalk, chamfered(area, 2.0));
        let lawn = rect(banks.start + SIDEWALK..banks.end - SIDEWALK, reach.clone());
        b.region("", grounds.grass, Polygon::rect(lawn));
        for side in [
            half + TOWPATH.start..half + TOWPATH.end,
            -half - TOWPATH.end..-half - TOWPATH.start,
        ] {
            b.region("", grounds.gravel, along_river(plan, reach.clone(), side));
        }
        b.region("", grounds.water, along_river(plan, reach, -half..half));
    }
    for bridge in plan.bridges() {
        let x = plan.river_x(bridge.middle());
        for y in [
            bridge.range.start..bridge.range.start + 2.0,
            bridge.range.end - 2.0..bridge.range.end,
        ] {
            let deck = rect(x - half - 4.0..x + half + 4.0, y);
            b.region(bridge.bridge_name(), grounds.sidewalk, Polygon::rect(deck));
        }
    }
}

/// Water is an obstacle, low enough to look over. Returns the reach beside the market.
fn fill_river(b: &mut Builder, plan: &Plan) -> Option<EntityId> {
    let half = RIVER_HALF_WIDTH - 0.5;
    let mut by_market = None;
    for (i, reach) in reaches(plan).into_iter().enumerate() {
        let beside = i == reach_by_market(plan);
        let water = b.obstacle(
            if beside { "River Lode" } else { "" },
            along_river(plan, reach, -half..half),
            0.3,
        );
        b.tag(water, tag::WATER);
        if beside {
            by_market = Some(water);
        }
    }
    by_market
}

/// Entities that missions and annotations refer to.
#[derive(Default)]
struct Landmarks {
    minster: Option<EntityId>,
    fountain: Option<EntityId>,
}

fn raise(b: &mut Builder, plan: &Plan, sites: &[Site]) -> Landmarks {
    let mut landmarks = Landmarks::default();
    let mut numbers = std::collections::BTreeMap::<String, usize>::new();
    let mut groups = std::collections::BTreeMap::new();
    for site in sites {
        match &site.use_ {
            Use::Built { quarter, block } => {
                let name = plan
                    .quarter(plan.block(site.column, site.row).centre())
                    .map_or("Town", |(_, _, name)| name);
                let group = *groups.entry(*quarter).or_insert_with(|| b.group(name));
                b.in_group(group);
                for House {
                    shape,
                    height,
                    front,
                } in &block.houses
                {
                    let street = match front {
                        Front::South => &plan.crossways[site.row],
                        Front::North => &plan.crossways[site.row + 1],
                        Front::West => &plan.lengthways[site.column],
                        Front::East => &plan.lengthways[site.column + 1],
                    };
                    let number = numbers.entry(street.name.clone()).or_default();
                    *number += 1;
                    b.building(
                        format!("{} {number}", street.name),
                        shape.clone(),
                        *height,
                        front.degrees(),
                    );
                }
                b.end_group();
            }
            Use::Landmark(place) => {
                let lot = plan.block(site.column, site.row).expanded(-SIDEWALK);
                place.raise(b, lot, &mut landmarks);
            }
            Use::Meadow(_) => {}
        }
    }
    landmarks
}

fn plant(b: &mut Builder, sites: &[Site], avenues: &[DVec2], seed: u64) {
    let mut random = Random::stream(seed, 2);
    let in_yards = sites.iter().flat_map(|site| match &site.use_ {
        Use::Built { block, .. } => block.trees.as_slice(),
        Use::Meadow(orchard) => orchard.as_slice(),
        Use::Landmark(_) => &[],
    });
    let mut tree = |b: &mut Builder, p: DVec2, small: f64, large: f64| {
        let radius = random.range(small, large);
        let id = b.obstacle("", Polygon::regular(p, radius, 8, FRAC_PI_8), 9.0);
        b.tag(id, tag::PLANT);
    };
    for p in avenues {
        tree(b, *p, 0.9, 1.1);
    }
    for p in in_yards {
        tree(b, *p, 1.0, 1.4);
    }
}

fn people(
    b: &mut Builder,
    plan: &Plan,
    road: EntityId,
    grounds: &Grounds,
    landmarks: &Landmarks,
    river: Option<EntityId>,
) {
    let pedestrian = b.profile(
        "Pedestrian",
        Profile {
            colour: palette::BLUE,
            terrain_weights: [
                (road, 4.0),
                (grounds.sidewalk, 0.5),
                (grounds.crossing, 0.8),
                (grounds.paving, 0.7),
                (grounds.gravel, 0.7),
                (grounds.grass, 1.5),
            ]
            .into(),
            ..Profile::default()
        },
    );
    let jogger = b.profile(
        "Jogger",
        Profile {
            colour: palette::ORANGE,
            pace: Pace {
                speed: 2.8,
                max_speed: 4.0,
                ..Profile::default().pace
            },
            terrain_weights: [(road, 6.0), (grounds.gravel, 0.4), (grounds.grass, 0.8)].into(),
            ..Profile::default()
        },
    );
    let postwoman = b.profile(
        "Postwoman",
        Profile {
            colour: palette::YELLOW,
            terrain_weights: [(road, 2.0), (grounds.sidewalk, 0.5)].into(),
            ..Profile::default()
        },
    );

    b.layer("Plan");
    let (column, row) = plan.market();
    let market = plan.block(column, row);
    let square = b.area("Market square", Polygon::rect(market.expanded(-SIDEWALK)));
    let minster_front = landmarks.minster.map(|id| {
        b.relation(
            "In front of the minster",
            id,
            Relation::Front { reach: 10.0 },
        )
    });
    if let Some(fountain) = landmarks.fountain {
        b.relation(
            "Round the fountain",
            fountain,
            Relation::Around { reach: 4.0 },
        );
    }
    let water_front = river.map(|id| b.relation("Waterfront", id, Relation::Around { reach: 6.0 }));
    let round = b.polyline("Post round", &market.expanded(-SIDEWALK * 0.5).corners());
    b.close(round);
    let towpath: Vec<DVec2> = reaches(plan)
        .get(reach_by_market(plan))
        .map(|reach| {
            (0..=8)
                .map(|i| {
                    let y =
                        reach.start + 3.0 + (reach.end - reach.start - 6.0) * f64::from(i) / 8.0;
                    DVec2::new(plan.river_x(y) - RIVER_HALF_WIDTH - 3.3, y)
                })
                .collect()
        })
        .unwrap_or_default();
    let run = b.curve("Towpath run", &towpath);

    b.layer("People");
    if let [first, .., last] = towpath[..] {
        b.agent(
            "Jogger",
            first,
            Mission {
                goals: b.goals(&[last]),
                repeat: Repeat::BackAndForth,
                planner: PlannerId::MIRAN,
                route: Some(run),
                constraints: water_front.map(|w| near(w, 3.0)).into_iter().collect(),
                ..Mission::new(jogger)
            },
        );
    }
    let corner = market.expanded(-SIDEWALK * 0.5).corners();
    b.agent(
        "Postwoman",
        corner[0],
        Mission {
            goals: b.goals(&corner[1..]),
            repeat: Repeat::Loop,
            planner: PlannerId::MIRAN,
            route: Some(round),
            ..Mission::new(postwoman)
        },
    );
    let lane = plan.columns.len() - 1;
    let home = plan.block(lane, 0);
    let tourist = b.agent(
        "Tourist",
        DVec2::new(home.centre().x, home.max.y - 1.5),
        Mission {
            goals: minster_front
                .map(Goal::inside)
                .into_iter()
                .chain([Goal::inside(square)])
                .collect(),
            planner: PlannerId::CONSTRAINT,
            constraints: vec![never_in(grounds.water)],
            ..Mission::new(pedestrian)
        },
    );
    let platform = plan.block(lane, row);
    b.crowd(
        "Commuters",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: Polygon::rect(rect(
                platform.min.x + 0.6..platform.min.x + SIDEWALK - 0.4,
                platform.min.y + 6.0..platform.max.y - 6.0,
            )),
            count: 60,
            spawn: Spawn::Stream { per_second: 1.0 },
            mission: Mission {
                goals: vec![Goal::inside(square)],
                planner: PlannerId::MIRAN,
                ..Mission::new(pedestrian)
            },
        },
    );
    b.crowd(
        "Market goers",
        Crowd {
            variety: Default::default(),
            groups: Default::default(),
            area: Polygon::rect(rect(
                market.min.x + SIDEWALK + 1.0..market.max.x - SIDEWALK - 1.0,
                market.min.y + SIDEWALK + 1.0..market.min.y + SIDEWALK + 8.0,
            )),
            count: 40,
            spawn: Spawn::AtOnce,
            mission: Mission {
                goals: b.goals(&[DVec2::new(market.centre().x, market.max.y - 1.5)]),
                planner: PlannerId::CORRIDOR,
                ..Mission::new(pedestrian)
            },
        },
    );
    b.test(
        "The tourist reaches the market dry-shod",
        Query::Agent(tourist),
        Expectation {
            never_in: vec![grounds.water],
            ..Expectation::default()
        },
    );
    let far = plan.block(0, plan.rows.len() - 1);
    b.test(
        "One can walk from the station to the far corner",
        Query::Between {
            from: b.place(DVec2::new(platform.min.x + 1.5, platform.centre().y)),
            to: b.place(DVec2::new(far.min.x + 1.5, far.centre().y)),
            profile: pedestrian,
            planner: PlannerId::PORTAL,
        },
        Expectation::default(),
    );
    b.note(
        "Market",
        DVec2::new(market.centre().x, market.max.y - SIDEWALK),
        "Widen the pedestrian's radius and see which alleys close first.",
    );
}

/// The reach of the river beside the market's row.
fn reach_by_market(plan: &Plan) -> usize {
    let (_, row) = plan.market();
    let y = plan.rows[row].start;
    reaches(plan)
        .iter()
        .position(|reach| reach.contains(&y))
        .unwrap_or(0)
}
