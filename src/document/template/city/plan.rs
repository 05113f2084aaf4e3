//! The town's plan: streets, blocks, the river's course, and which quarter a block belongs to.

use super::super::shape::smooth;
use super::block::Quarter;
use crate::base::Random;
use crate::geometry::Rect;
use glam::DVec2;
use std::ops::Range;

/// Kerb to kerb. Unit: metres.
const STREET: f64 = 8.0;
const AVENUE: f64 = 17.0;
/// Every n-th street is an avenue.
const AVENUE_EVERY: usize = 4;
/// The river with its banks replaces one column of blocks. Unit: metres.
const BANKS: f64 = 64.0;
pub(super) const RIVER_HALF_WIDTH: f64 = 13.0;
/// A bridge at every n-th street.
const BRIDGE_EVERY: usize = 2;

/// A gap between two rows or columns of blocks.
#[derive(Clone, Debug)]
pub(super) struct Street {
    pub range: Range<f64>,
    pub name: String,
}

impl Street {
    pub(super) fn middle(&self) -> f64 {
        (self.range.start + self.range.end) * 0.5
    }

    pub(super) fn bridge_name(&self) -> String {
        let word = self.name.split(' ').next().unwrap_or_default();
        format!("{word} Bridge")
    }

    pub(super) fn is_avenue(&self) -> bool {
        self.range.end - self.range.start > STREET + 1.0
    }
}

pub(super) struct Plan {
    pub bounds: Rect,
    /// Extents of the columns of blocks, from west to east; the river's banks are one of them.
    pub columns: Vec<Range<f64>>,
    pub rows: Vec<Range<f64>>,
    /// Between columns, with the ring road at both ends.
    pub lengthways: Vec<Street>,
    /// Between rows, from south to north.
    pub crossways: Vec<Street>,
    /// The column that the river flows in.
    pub river_column: usize,
    /// The river's centre line, from south to north.
    pub river: Vec<DVec2>,
    quarters: Vec<(DVec2, Quarter, String)>,
}

impl Plan {
    pub(super) fn new(columns: usize, rows: usize, seed: u64) -> Self {
        let mut random = Random::stream(seed, 1);
        let river_column = columns * 3 / 5;
        let widths: Vec<f64> = (0..columns)
            .map(|i| {
                if i == river_column {
                    BANKS
                } else {
                    random.range(58.0, 76.0).round()
                }
            })
            .collect();
        let heights: Vec<f64> = (0..rows)
            .map(|_| random.range(46.0, 58.0).round())
            .collect();
        let mut names = Names::new(seed);
        let (column_ranges, lengthways) = laid_out(&widths, &mut names, "Street");
        let (row_ranges, crossways) = laid_out(&heights, &mut names, "Lane");
        let extent = |streets: &[Street]| streets.last().map_or(0.0, |s| s.range.end);
        let bounds = Rect::new(
            DVec2::ZERO,
            DVec2::new(extent(&lengthways), extent(&crossways)),
        );
        let middle = column_ranges
            .get(river_column)
            .map_or(0.0, |c| (c.start + c.end) * 0.5);
        let river = course(middle, bounds, &mut random);
        let mut plan = Self {
            bounds,
            columns: column_ranges,
            rows: row_ranges,
            lengthways,
            crossways,
            river_column,
            river,
            quarters: Vec::new(),
        };
        plan.quarters = plan.found_quarters(&mut names, &mut random);
        plan
    }

    /// The block in a column and a row, kerb to kerb.
    pub(super) fn block(&self, column: usize, row: usize) -> Rect {
        let (x, y) = (&self.columns[column], &self.rows[row]);
        Rect::new(DVec2::new(x.start, y.start), DVec2::new(x.end, y.end))
    }

    /// Blocks outside the river, nearest to the market first.
    pub(super) fn blocks_from_centre(&self) -> Vec<(usize, usize)> {
        let centre = self.market_centre();
        let mut blocks: Vec<(usize, usize)> = (0..self.rows.len())
            .flat_map(|row| (0..self.columns.len()).map(move |column| (column, row)))
            .filter(|(column, _)| *column != self.river_column)
            .collect();
        blocks.sort_by(|a, b| {
            let distance = |&(c, r): &(usize, usize)| self.block(c, r).centre().distance(centre);
            distance(a).total_cmp(&distance(b)).then(a.cmp(b))
        });
        blocks
    }

    /// Two columns west of the river, half-way up: the market square's block.
    pub(super) fn market(&self) -> (usize, usize) {
        (self.river_column.saturating_sub(2), self.rows.len() / 2)
    }

    fn market_centre(&self) -> DVec2 {
        let (column, row) = self.market();
        self.block(column, row).centre()
    }

    pub(super) fn bridges(&self) -> impl Iterator<Item = &Street> {
        self.crossways
            .iter()
            .enumerate()
            .filter(|(i, street)| {
                i % BRIDGE_EVERY == 0 || street.is_avenue() || i + 1 == self.crossways.len()
            })
            .map(|(_, street)| street)
    }

    pub(super) fn river_x(&self, y: f64) -> f64 {
        let after = self
            .river
            .partition_point(|p| p.y < y)
            .clamp(1, self.river.len() - 1);
        let (a, b) = (self.river[after - 1], self.river[after]);
        a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)).clamp(0.0, 1.0)
    }

    pub(super) fn quarter(&self, p: DVec2) -> Option<(usize, Quarter, &str)> {
        self.quarters
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| a.0.distance(p).total_cmp(&b.0.distance(p)))
            .map(|(i, (_, quarter, name))| (i, *quarter, name.as_str()))
    }

    /// Average distance from one block to the next.
    fn block_pitch(&self) -> DVec2 {
        self.bounds.size() / DVec2::new(self.columns.len() as f64, self.rows.len() as f64)
    }

    /// Quarters grow around the centres of areas of about four by three blocks: the old town around
    /// the market, works down the river, gardens at the edge, modern ones between.
    fn found_quarters(
        &self,
        names: &mut Names,
        random: &mut Random,
    ) -> Vec<(DVec2, Quarter, String)> {
        let size = self.bounds.size();
        let across = (self.columns.len() as f64 / 3.4).round().max(2.0);
        let up = (self.rows.len() as f64 / 3.2).round().max(2.0);
        let market = self.market_centre();
        let old_town = self.block_pitch();
        let mut quarters = vec![
            (market, Quarter::Old, "Old Town".to_owned()),
            (
                market - DVec2::new(0.9, 0.0) * old_town,
                Quarter::Old,
                "Minster Close".to_owned(),
            ),
        ];
        for j in 0..up as usize {
            for i in 0..across as usize {
                let cell = DVec2::new(i as f64, j as f64) + 0.5;
                let p = cell / DVec2::new(across, up) * size
                    + random.point(DVec2::splat(-0.1), DVec2::splat(0.1)) * size / across;
                let off_centre = ((p - market) / size).length();
                if p.distance(market) < 1.6 * old_town.length() {
                    continue;
                }
                let by_river = (p.x - self.river_x(p.y)).abs() < size.x * 0.16;
                let quarter = match random.below(6) {
                    _ if by_river && p.y < size.y * 0.35 => Quarter::Works,
                    _ if off_centre < 0.3 => Quarter::Town,
                    0 => Quarter::Modern,
                    1 | 2 => Quarter::Town,
                    _ => Quarter::Garden,
                };
                quarters.push((p, quarter, names.quarter(quarter)));
            }
        }
        quarters
    }
}

fn laid_out(extents: &[f64], names: &mut Names, kind: &str) -> (Vec<Range<f64>>, Vec<Street>) {
    let mut at = 0.0;
    let mut blocks = Vec::new();
    let mut streets = Vec::new();
    for i in 0..=extents.len() {
        let avenue = i % AVENUE_EVERY == 2 && i < extents.len();
        let width = if avenue { AVENUE } else { STREET };
        let name = names.street(if avenue { "Avenue" } else { kind });
        streets.push(Street {
            range: at..at + width,
            name,
        });
        at += width;
        if let Some(extent) = extents.get(i) {
            blocks.push(at..at + extent);
            at += extent;
        }
    }
    (blocks, streets)
}

/// A winding centre line within the banks.
fn course(middle: f64, bounds: Rect, random: &mut Random) -> Vec<DVec2> {
    const WANDER: f64 = 9.0;
    let pieces = (bounds.size().y / 110.0).ceil().max(3.0) as usize;
    let side = if random.chance(0.5) { 1.0 } else { -1.0 };
    let points: Vec<DVec2> = (0..=pieces)
        .map(|i| {
            let swing = if i % 2 == 0 { side } else { -side };
            DVec2::new(
                middle + swing * random.range(0.4, 1.0) * WANDER,
                bounds.max.y * i as f64 / pieces as f64,
            )
        })
        .collect();
    smooth(&points)
}

/// Names of streets and quarters, without repetition while the supply lasts.
struct Names {
    words: Vec<&'static str>,
    used: usize,
}

impl Names {
    fn new(seed: u64) -> Self {
        let mut words = vec![
            "Mill", "Chapel", "Linden", "Harbour", "Orchard", "Weaver", "Bell", "Quarry", "Ferry",
            "Garden", "Tanner", "Rose", "Station", "Cooper", "Elm", "Lantern", "Bridge", "Fox",
            "School", "Castle", "Willow", "Baker", "Stone", "Abbey", "Heron", "Market", "Alder",
            "Tower", "Meadow", "Glass", "Maple", "Drover", "Well", "Saddler", "Hazel", "Crown",
            "Falcon", "Spring", "Mason", "Ivy",
        ];
        Random::stream(seed, 9).shuffle(&mut words);
        Self { words, used: 0 }
    }

    fn word(&mut self) -> (&'static str, usize) {
        let round = self.used / self.words.len();
        let word = self.words[self.used % self.words.len()];
        self.used += 1;
        (word, round)
    }

    fn street(&mut self, kind: &str) -> String {
        match self.word() {
            (word, 0) => format!("{word} {kind}"),
            (word, 1) => format!("Upper {word} {kind}"),
            (word, 2) => format!("Lower {word} {kind}"),
            (word, round) => format!("{word} {kind} {round}"),
        }
    }

    fn quarter(&mut self, quarter: Quarter) -> String {
        let (word, round) = self.word();
        let number = if round < 1 {
            String::new()
        } else {
            format!(" {round}")
        };
        match quarter {
            Quarter::Old => format!("Old {word}{number}"),
            Quarter::Town => format!("{word}side{number}"),
            Quarter::Garden => format!("{word} Gardens{number}"),
            Quarter::Modern => format!("{word} Park{number}"),
            Quarter::Works => format!("{word} Works{number}"),
        }
    }
}
