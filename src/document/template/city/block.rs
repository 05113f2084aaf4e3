//! How the blocks of the different quarters are built up.

use super::footprint::{self, Front};
use crate::base::Random;
use crate::geometry::{Polygon, Rect};
use glam::DVec2;

/// Gap between two houses, wide enough to walk through. Unit: metres.
const ALLEY: f64 = 2.4;

/// The character of a quarter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quarter {
    /// Closed blocks and narrow houses round yards.
    Old,
    /// Rows of town houses.
    Town,
    /// Detached houses in gardens.
    Garden,
    /// Tall slabs on lawns.
    Modern,
    /// Sheds and halls.
    Works,
}

pub(super) struct House {
    pub shape: Polygon,
    pub height: f64,
    pub front: Front,
}

/// What stands on a lot, and where trees may be planted.
#[derive(Default)]
pub(super) struct Block {
    pub houses: Vec<House>,
    pub trees: Vec<DVec2>,
    /// Whether the yard is green.
    pub green: bool,
}

pub(super) fn built(quarter: Quarter, lot: Rect, random: &mut Random) -> Block {
    match quarter {
        Quarter::Old if random.chance(0.55) => closed(lot, random),
        Quarter::Old | Quarter::Town => rows(quarter, lot, random),
        Quarter::Garden => gardens(lot, random),
        Quarter::Modern => slabs(lot, random),
        Quarter::Works => halls(lot, random),
    }
}

fn storeys(least: usize, most: usize, random: &mut Random) -> f64 {
    3.2 * (least + random.below(most - least + 1)) as f64
}

/// Divides a length into pieces of about `usual`, with alleys between them.
fn cut(from: f64, to: f64, usual: f64, alley: f64, random: &mut Random) -> Vec<(f64, f64)> {
    let pieces = ((to - from + alley) / (usual + alley)).round().max(1.0) as usize;
    let shares: Vec<f64> = (0..pieces).map(|_| random.range(0.8, 1.25)).collect();
    let per_share = (to - from - alley * (pieces - 1) as f64) / shares.iter().sum::<f64>();
    let mut at = from;
    shares
        .iter()
        .map(|share| {
            let piece = (at, at + share * per_share);
            at = piece.1 + alley;
            piece
        })
        .collect()
}

/// Town houses along the two long sides, and one at each open end of the yard.
fn rows(quarter: Quarter, lot: Rect, random: &mut Random) -> Block {
    let old = quarter == Quarter::Old;
    let (usual, yard) = if old { (11.0, 5.0) } else { (14.0, 9.0) };
    let mut block = Block::default();
    let depth = ((lot.size().y - yard) * 0.5).min(17.0);
    for front in [Front::South, Front::North] {
        for (x0, x1) in cut(lot.min.x, lot.max.x, usual, ALLEY, random) {
            let y = match front {
                Front::South => (lot.min.y, lot.min.y + depth),
                _ => (lot.max.y - depth, lot.max.y),
            };
            let plot = Rect::new(DVec2::new(x0, y.0), DVec2::new(x1, y.1));
            block.houses.push(House {
                shape: footprint::house(plot, front, random),
                height: storeys(if old { 3 } else { 2 }, if old { 5 } else { 4 }, random),
                front,
            });
        }
    }
    let middle = lot.centre().y;
    if lot.size().y - 2.0 * depth > 6.5 {
        block.trees = cut(lot.min.x + 4.0, lot.max.x - 4.0, 9.0, 0.0, random)
            .into_iter()
            .map(|(a, b)| DVec2::new((a + b) * 0.5, middle))
            .collect();
    }
    block.green = !old;
    block
}

/// Closed buildings round courtyards, as many as fit side by side, and a row beside them.
fn closed(lot: Rect, random: &mut Random) -> Block {
    let mut block = Block::default();
    let lanes = cut(lot.min.x, lot.max.x, 25.0, 4.0, random);
    for (i, (x0, x1)) in lanes.iter().enumerate() {
        let plot = Rect::new(DVec2::new(*x0, lot.min.y), DVec2::new(*x1, lot.max.y));
        if i % 2 == 0 {
            let wing = random.range(7.0, 8.5).min(plot.size().min_element() * 0.32);
            block.houses.push(House {
                shape: footprint::courtyard(plot, wing, random.range(1.5, 3.0)),
                height: storeys(4, 6, random),
                front: Front::South,
            });
            continue;
        }
        for (y0, y1) in cut(plot.min.y, plot.max.y, 12.0, ALLEY, random) {
            let part = Rect::new(DVec2::new(*x0, y0), DVec2::new(*x1, y1));
            let front = if i + 1 == lanes.len() {
                Front::East
            } else {
                Front::West
            };
            block.houses.push(House {
                shape: footprint::house(part, front, random),
                height: storeys(3, 5, random),
                front,
            });
        }
    }
    block
}

/// Two rows of plots, each with a house set back in its garden and a tree beside it.
fn gardens(lot: Rect, random: &mut Random) -> Block {
    let mut block = Block {
        green: true,
        ..Block::default()
    };
    let half = lot.size().y * 0.5;
    for (front, y0) in [(Front::South, lot.min.y), (Front::North, lot.min.y + half)] {
        for (x0, x1) in cut(lot.min.x, lot.max.x, 15.5, 0.0, random) {
            let plot = Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y0 + half));
            let size = DVec2::new(
                (plot.size().x - 5.0).min(random.range(9.0, 13.0)),
                (half - 9.0).min(random.range(9.0, 12.0)),
            );
            let shift = random.range(-0.8, 0.8);
            let from_street = 3.0 + random.range(0.0, 1.5);
            let middle_y = match front {
                Front::South => plot.min.y + from_street + size.y * 0.5,
                _ => plot.max.y - from_street - size.y * 0.5,
            };
            let centre = DVec2::new(plot.centre().x + shift, middle_y);
            block.houses.push(House {
                shape: footprint::house(Rect::around(centre, size * 0.5), front, random),
                height: storeys(1, 2, random) + 1.5,
                front,
            });
            let back = if front == Front::South {
                plot.max.y - 2.6
            } else {
                plot.min.y + 2.6
            };
            block
                .trees
                .push(DVec2::new(centre.x + random.range(-4.0, 4.0), back));
        }
    }
    block
}

/// Parallel slabs across the lot, lawns and trees between them.
fn slabs(lot: Rect, random: &mut Random) -> Block {
    let mut block = Block {
        green: true,
        ..Block::default()
    };
    let lanes = cut(lot.min.x, lot.max.x, 10.5, 11.0, random);
    for (i, (x0, x1)) in lanes.iter().enumerate() {
        let shift = if i % 2 == 0 { 0.0 } else { lot.size().y * 0.14 };
        let length = lot.size().y * 0.86;
        let plot = Rect::new(
            DVec2::new(*x0, lot.min.y + shift),
            DVec2::new(*x1, lot.min.y + shift + length),
        );
        let shape = if random.chance(0.3) {
            footprint::house(plot, Front::West, random)
        } else {
            footprint::plain(plot, Front::West, plot.size().x)
        };
        block.houses.push(House {
            shape,
            height: storeys(6, 9, random),
            front: Front::West,
        });
        if let Some((next, _)) = lanes.get(i + 1) {
            let x = (x1 + next) * 0.5;
            block.trees.extend(
                cut(lot.min.y + 4.0, lot.max.y - 4.0, 8.5, 0.0, random)
                    .into_iter()
                    .map(|(a, b)| DVec2::new(x, (a + b) * 0.5)),
            );
        }
    }
    block
}

/// A great hall and some sheds, wide lanes between them.
fn halls(lot: Rect, random: &mut Random) -> Block {
    let mut block = Block::default();
    let split = lot.min.x + lot.size().x * random.range(0.42, 0.55);
    let hall = Rect::new(lot.min, DVec2::new(split - 3.5, lot.max.y));
    block.houses.push(House {
        shape: footprint::court(hall, Front::East, random),
        height: 11.0,
        front: Front::East,
    });
    for (y0, y1) in cut(lot.min.y, lot.max.y, 13.0, 4.5, random) {
        let across = cut(split + 3.5, lot.max.x, 15.0, 3.5, random);
        for (x0, x1) in across {
            let plot = Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1));
            block.houses.push(House {
                shape: if random.chance(0.6) {
                    footprint::plain(plot, Front::South, plot.size().y)
                } else {
                    footprint::house(plot, Front::South, random)
                },
                height: random.range(5.0, 9.0).round(),
                front: Front::South,
            });
        }
    }
    block
}

/// Fruit trees in rows, every other row half a step on.
pub(super) fn orchard(lot: Rect) -> Vec<DVec2> {
    const STEP: DVec2 = DVec2::new(9.0, 7.5);
    let count = (lot.size() / STEP).floor().max(DVec2::ONE);
    let step = lot.size() / count;
    (0..count.y as usize)
        .flat_map(|j| (0..count.x as usize - j % 2).map(move |i| (i, j)))
        .map(|(i, j)| {
            let shift = 0.5 + 0.5 * (j % 2) as f64;
            lot.min + step * DVec2::new(i as f64 + shift, j as f64 + 0.5)
        })
        .collect()
}
