//! Landmarks: market, minster, park, theatre, station.

use super::super::super::model::tag;
use super::super::builder::Builder;
use super::super::shape::{chamfered, rect, ribbon, rounded};
use super::footprint::{self, Front};
use super::plan::Plan;
use super::{Grounds, Landmarks};
use crate::geometry::{Polygon, Rect};
use glam::DVec2;
use std::f64::consts::FRAC_PI_8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Landmark {
    Market,
    Minster,
    Park,
    Theatre,
    Station,
}

impl Landmark {
    /// The landmark a block is reserved for.
    pub(super) fn at(plan: &Plan, column: usize, row: usize) -> Option<Self> {
        let (market_column, market_row) = plan.market();
        if row == market_row {
            if column == market_column {
                return Some(Self::Market);
            }
            if column + 1 == market_column {
                return Some(Self::Minster);
            }
            if column + 1 == plan.river_column {
                return Some(Self::Park);
            }
            if column == plan.columns.len() - 1 {
                return Some(Self::Station);
            }
            if column == plan.river_column + 1 {
                return Some(Self::Theatre);
            }
        }
        // Larger towns get a park at regular intervals.
        let inside = column > 0 && column + 1 < plan.columns.len();
        (inside && (column * 7 + row * 5) % 19 == 4).then_some(Self::Park)
    }

    pub(super) const fn building_count(self) -> usize {
        match self {
            Self::Market => 0,
            Self::Minster | Self::Theatre | Self::Park | Self::Station => 1,
        }
    }

    pub(super) fn lay(self, b: &mut Builder, grounds: &Grounds, lot: Rect) {
        match self {
            Self::Market => {
                b.region("Market square", grounds.paving, Polygon::rect(lot));
            }
            Self::Minster => {
                b.region("Minster yard", grounds.paving, Polygon::rect(lot));
                for y in [
                    lot.min.y + 2.0..lot.min.y + 8.0,
                    lot.max.y - 8.0..lot.max.y - 2.0,
                ] {
                    let lawn = rect(lot.min.x + 14.0..lot.max.x - 3.0, y);
                    b.region("", grounds.grass, rounded(lawn, 2.0));
                }
            }
            Self::Park => {
                b.region("Park", grounds.grass, Polygon::rect(lot));
                let pond = pond(lot);
                let round = Polygon::ellipse(pond.0, pond.1 + DVec2::splat(4.5), 24, 0.0);
                for line in [
                    vec![lot.min, pond.0, lot.max],
                    vec![
                        DVec2::new(lot.min.x, lot.max.y),
                        pond.0,
                        DVec2::new(lot.max.x, lot.min.y),
                    ],
                ] {
                    b.region("", grounds.gravel, path(&line, lot));
                }
                b.region("", grounds.gravel, round);
                b.region("", grounds.water, Polygon::ellipse(pond.0, pond.1, 20, 0.0));
            }
            Self::Theatre => {
                b.region("Theatre gardens", grounds.grass, Polygon::rect(lot));
                let fore = rect(
                    lot.min.x..lot.min.x + lot.size().x * 0.32,
                    lot.min.y..lot.max.y,
                );
                b.region("Theatre court", grounds.paving, Polygon::rect(fore));
            }
            Self::Station => {
                b.region("Station square", grounds.paving, Polygon::rect(lot));
            }
        }
    }

    pub(super) fn raise(self, b: &mut Builder, lot: Rect, landmarks: &mut Landmarks) {
        let c = lot.centre();
        match self {
            Self::Market => {
                let fountain = b.obstacle("Fountain", Polygon::regular(c, 3.2, 12, 0.0), 2.0);
                landmarks.fountain = Some(fountain);
                b.group("Stalls");
                for (j, dy) in [-11.5, 11.5].into_iter().enumerate() {
                    for i in 0..5 {
                        let x = c.x + (f64::from(i) - 2.0) * 9.0;
                        let stall = Rect::around(DVec2::new(x, c.y + dy), DVec2::new(2.6, 1.5));
                        b.obstacle(
                            format!("Stall {}", j * 5 + i as usize + 1),
                            Polygon::rect(stall),
                            2.4,
                        );
                    }
                }
                b.end_group();
            }
            Self::Minster => {
                let length = (lot.size().x - 16.0).min(54.0);
                let centre = DVec2::new(c.x + 4.0, c.y);
                let minster =
                    b.building("Minster", footprint::minster(centre, length), 34.0, 180.0);
                landmarks.minster = Some(minster);
            }
            Self::Park => {
                let (centre, radii) = pond(lot);
                let pond = b.obstacle("", Polygon::ellipse(centre, radii - 0.4, 16, 0.0), 0.3);
                b.tag(pond, tag::WATER);
                let at = DVec2::new(lot.min.x + lot.size().x * 0.5, lot.min.y + 5.0);
                b.building("Kiosk", Polygon::regular(at, 2.6, 8, FRAC_PI_8), 3.5, 90.0);
                grove(b, lot);
            }
            Self::Theatre => {
                let house = rect(
                    lot.min.x + lot.size().x * 0.36..lot.max.x - 5.0,
                    lot.min.y + 6.0..lot.max.y - 6.0,
                );
                b.building("Theatre", chamfered(house, 6.0), 19.0, 180.0);
            }
            Self::Station => {
                let hall = rect(
                    lot.min.x + lot.size().x * 0.45..lot.max.x - 2.0,
                    lot.min.y + 3.0..lot.max.y - 3.0,
                );
                b.building(
                    "Station",
                    footprint::court(hall, Front::West, &mut crate::base::Random::new(1)),
                    14.0,
                    180.0,
                );
            }
        }
    }
}

/// Centre and radii of a park's pond.
fn pond(lot: Rect) -> (DVec2, DVec2) {
    (
        lot.centre() + DVec2::new(0.0, 1.5),
        lot.size() * DVec2::new(0.2, 0.2),
    )
}

fn path(line: &[DVec2], lot: Rect) -> Polygon {
    ribbon(line, 1.4).map(|p| lot.clamp(p))
}

/// Trees in the four corners between a park's paths.
fn grove(b: &mut Builder, lot: Rect) {
    let size = lot.size();
    for (x, y) in [
        (0.10, 0.32),
        (0.10, 0.5),
        (0.10, 0.68),
        (0.19, 0.42),
        (0.19, 0.6),
        (0.90, 0.32),
        (0.90, 0.5),
        (0.90, 0.68),
        (0.81, 0.42),
        (0.81, 0.6),
        (0.32, 0.90),
        (0.44, 0.90),
        (0.56, 0.90),
        (0.68, 0.90),
        (0.32, 0.10),
        (0.68, 0.10),
    ] {
        let p = lot.min + size * DVec2::new(x, y);
        let tree = b.obstacle("", Polygon::regular(p, 1.3, 8, FRAC_PI_8), 12.0);
        b.tag(tree, tag::PLANT);
    }
}
