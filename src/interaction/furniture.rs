//! A small library of things to furnish levels with, and where copies of them stand.

use super::transform::transformed;
use crate::base::{EntityId, Quantity, Random, Unit};
use crate::document::entity::tag;
use crate::document::{
    Edit, Entity, Heading, Kind, Level, Link, LinkAction, LinkDirection, LinkPace, Obstacle, Solid,
    SolidShape,
};
use crate::geometry::{Polygon, Rect};
use crate::interaction::naming::Namer;
use glam::{DAffine2, DVec2, DVec3};
use std::collections::BTreeSet;

/// How many are placed by one click, in a row.
pub const COUNT: Quantity = Quantity::new("count", Unit::One, 1.0, 200.0, 1.0);
/// Free space between copies.
pub const GAP: Quantity = Quantity::new("gap", Unit::Metre, 0.0, 100.0, 0.6);
/// No gesture places more.
pub const MOST: usize = 500;

/// Height of a storey, which a lift goes up. Unit: metres.
const STOREY: f64 = 3.0;
/// Thickness of a lift's shaft. Unit: metres.
const SHAFT: f64 = 0.15;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Furniture {
    #[default]
    Table,
    ChairRow,
    Shelf,
    Bench,
    Counter,
    Turnstile,
    Tree,
    Car,
    Stairs,
    Lift,
}

impl Furniture {
    pub const ALL: [Self; 10] = [
        Self::Table,
        Self::ChairRow,
        Self::Shelf,
        Self::Bench,
        Self::Counter,
        Self::Turnstile,
        Self::Tree,
        Self::Car,
        Self::Stairs,
        Self::Lift,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "Table",
            Self::ChairRow => "Chair row",
            Self::Shelf => "Shelf",
            Self::Bench => "Bench",
            Self::Counter => "Counter",
            Self::Turnstile => "Turnstile",
            Self::Tree => "Tree",
            Self::Car => "Car",
            Self::Stairs => "Stairway",
            Self::Lift => "Lift",
        }
    }

    /// Width and depth of its footprint. Unit: metres.
    #[must_use]
    pub const fn size(self) -> DVec2 {
        match self {
            Self::Table => DVec2::new(1.6, 0.8),
            Self::ChairRow => DVec2::new(2.65, 0.45),
            Self::Shelf => DVec2::new(2.0, 0.4),
            Self::Bench => DVec2::new(1.8, 0.5),
            Self::Counter => DVec2::new(3.0, 0.7),
            Self::Turnstile => DVec2::new(1.3, 1.2),
            Self::Tree => DVec2::new(0.8, 0.8),
            Self::Car => DVec2::new(1.8, 4.4),
            Self::Stairs => DVec2::new(1.4, 4.5),
            Self::Lift => DVec2::new(1.9, 1.9),
        }
    }

    /// Stands with its back to walls; the others stand anywhere.
    #[must_use]
    pub const fn leans_on_walls(self) -> bool {
        !matches!(self, Self::Tree | Self::Car | Self::Turnstile)
    }

    /// Its pieces around the origin: the middle of its back is at the origin, its front looks along −y.
    #[must_use]
    pub fn pieces(self) -> Vec<Entity> {
        let size = self.size();
        let half = 0.5 * size.x;
        let boxed = |left: f64, right: f64, front: f64, back: f64, height: f64| {
            let rect = Rect::new(DVec2::new(left, front), DVec2::new(right, back));
            self.obstacle(Polygon::rect(rect), height)
        };
        let whole = |height| vec![boxed(-half, half, -size.y, 0.0, height)];
        match self {
            Self::Table => whole(0.75),
            Self::Shelf => whole(1.8),
            Self::Bench => whole(0.45),
            Self::Counter => whole(1.1),
            Self::ChairRow => (0..5)
                .map(|at| {
                    let left = -half + 0.55 * f64::from(at);
                    boxed(left, left + 0.45, -size.y, 0.0, 0.9)
                })
                .collect(),
            Self::Turnstile => vec![
                boxed(-half, -half + 0.25, -size.y, 0.0, 1.0),
                boxed(half - 0.25, half, -size.y, 0.0, 1.0),
            ],
            Self::Tree => {
                let crown = Polygon::regular(DVec2::new(0.0, -half), half, 12, 0.0);
                vec![self.obstacle(crown, 5.0).tagged(tag::PLANT)]
            }
            Self::Car => {
                // Corners are cut off: bumpers are rounded.
                let (cut, d) = (0.35, -size.y);
                let outline = [
                    (-half + cut, d),
                    (half - cut, d),
                    (half, d + cut),
                    (half, -cut),
                    (half - cut, 0.0),
                    (-half + cut, 0.0),
                    (-half, -cut),
                    (-half, d + cut),
                ];
                let outline = outline.map(DVec2::from).to_vec();
                vec![self.obstacle(Polygon::new(outline), 1.5)]
            }
            Self::Stairs => {
                // Rises towards its back.
                let mut solid = Solid::new(
                    SolidShape::Stairs { steps: 18 },
                    DVec3::new(0.0, -0.5 * size.y, 0.0),
                    DVec3::new(size.y, size.x, STOREY),
                );
                solid.rotation.yaw = Heading::degrees(90.0);
                vec![Entity::new(self.name(), Kind::Solid(solid))]
            }
            Self::Lift => {
                let cabin = DVec3::new(0.0, -0.5 * size.y, 0.0);
                let link = Link {
                    action: LinkAction::Lift,
                    from: cabin,
                    to: cabin + DVec3::Z * STOREY,
                    direction: LinkDirection::BothWays,
                    cost: None,
                    pace: LinkPace::default(),
                    profiles: BTreeSet::new(),
                    animation: String::new(),
                };
                vec![
                    boxed(-half, half, -SHAFT, 0.0, STOREY),
                    boxed(-half, -half + SHAFT, -size.y, -SHAFT, STOREY),
                    boxed(half - SHAFT, half, -size.y, -SHAFT, STOREY),
                    Entity::new(self.name(), Kind::Link(link)),
                ]
            }
        }
    }

    fn obstacle(self, area: Polygon, height: f64) -> Entity {
        let obstacle = Obstacle {
            height,
            facing: Heading::degrees(270.0),
            ..Obstacle::new(area)
        };
        Entity::new(self.name(), Kind::Obstacle(obstacle))
    }
}

/// Where a copy stands: the middle of its back, and how far it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    pub back: DVec2,
    /// Unit: radians.
    pub angle: f64,
}

impl Standing {
    /// With the middle of its footprint at a point.
    #[must_use]
    pub fn centred(furniture: Furniture, at: DVec2, angle: f64) -> Self {
        let to_back = DVec2::from_angle(angle).rotate(DVec2::Y * 0.5 * furniture.size().y);
        Self {
            back: at + to_back,
            angle,
        }
    }

    #[must_use]
    pub fn map(&self) -> DAffine2 {
        DAffine2::from_angle_translation(self.angle, self.back)
    }

    /// The middle of its footprint.
    #[must_use]
    pub fn centre(&self, furniture: Furniture) -> DVec2 {
        self.map()
            .transform_point2(DVec2::new(0.0, -0.5 * furniture.size().y))
    }

    #[must_use]
    pub fn outline(&self, furniture: Furniture) -> Polygon {
        let size = furniture.size();
        let rect = Rect::new(
            DVec2::new(-0.5 * size.x, -size.y),
            DVec2::new(0.5 * size.x, 0.0),
        );
        let map = self.map();
        Polygon::rect(rect).map(|p| map.transform_point2(p))
    }

    /// A row of so many, side by side; to the left if the count is negative.
    #[must_use]
    pub fn row(&self, furniture: Furniture, gap: f64, count: i32) -> Vec<Self> {
        let step = (furniture.size().x + gap) * f64::from(count.signum());
        let along = DVec2::from_angle(self.angle) * step;
        let count = (count.unsigned_abs() as usize).min(MOST);
        (0..count)
            .map(|at| Self {
                back: self.back + along * at as f64,
                ..*self
            })
            .collect()
    }
}

/// The edits that put copies into a level: each one entity, or a group of its pieces. `id` gives the
/// n-th new id.
pub fn place(
    level: &Level,
    furniture: Furniture,
    standings: &[Standing],
    elevation: f64,
    layer: Option<EntityId>,
    mut id: impl FnMut(usize) -> EntityId,
) -> (Vec<Edit>, Vec<EntityId>) {
    let pieces = furniture.pieces();
    let mut namer = Namer::default();
    let (mut edits, mut tops, mut used) = (Vec::new(), Vec::new(), 0);
    let mut next = || {
        used += 1;
        id(used - 1)
    };
    for standing in standings {
        let name = namer.fresh(level, furniture.name());
        let group = (pieces.len() > 1).then(&mut next);
        if let Some(group) = group {
            let entity = Entity {
                layer,
                ..Entity::new(name.clone(), Kind::Group)
            };
            edits.push(Edit::create(group, entity));
            tops.push(group);
        }
        for piece in &pieces {
            let mut entity = transformed(piece, &standing.map());
            raise(&mut entity.kind, elevation);
            entity.layer = layer;
            entity.group = group;
            entity.name = if group.is_some() {
                namer.fresh(level, &format!("{} part", furniture.name()))
            } else {
                name.clone()
            };
            let new = next();
            if group.is_none() {
                tops.push(new);
            }
            edits.push(Edit::create(new, entity));
        }
    }
    (edits, tops)
}

fn raise(kind: &mut Kind, by: f64) {
    match kind {
        Kind::Obstacle(obstacle) => obstacle.base += by,
        Kind::Solid(solid) => solid.position.z += by,
        Kind::Link(link) => {
            link.from.z += by;
            link.to.z += by;
        }
        _ => {}
    }
}

/// Strews copies over discs: apart from each other and from what stands there.
#[derive(Clone, Debug)]
pub struct Scatter {
    furniture: Furniture,
    gap: f64,
    random: Random,
    pub standings: Vec<Standing>,
}

/// Places tried for one that is found to be free.
const TRIALS: usize = 24;

impl Scatter {
    #[must_use]
    pub const fn new(furniture: Furniture, gap: f64, seed: u64) -> Self {
        Self {
            furniture,
            gap,
            random: Random::new(seed),
            standings: Vec::new(),
        }
    }

    /// Half the diagonal of a footprint: clear of everything, however it is turned.
    #[must_use]
    pub fn reach(&self) -> f64 {
        0.5 * self.furniture.size().length()
    }

    /// Fills a disc as far as there is room. `is_free` says whether nothing stands within the given
    /// distance of a point.
    pub fn fill(&mut self, centre: DVec2, radius: f64, is_free: impl Fn(DVec2, f64) -> bool) {
        let reach = self.reach();
        let apart = 2.0 * reach + self.gap;
        for _ in 0..TRIALS {
            if self.standings.len() >= MOST {
                return;
            }
            let direction = DVec2::from_angle(self.random.range(0.0, std::f64::consts::TAU));
            // The root makes it even over the disc.
            let at = centre + direction * (radius * self.random.unit().sqrt());
            let angle = self.random.range(0.0, std::f64::consts::TAU);
            let is_apart = |other: &Standing| other.centre(self.furniture).distance(at) >= apart;
            if self.standings.iter().all(is_apart) && is_free(at, reach) {
                let standing = Standing::centred(self.furniture, at, angle);
                self.standings.push(standing);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_fill_their_footprint_and_are_within_all_limits() {
        for furniture in Furniture::ALL {
            let size = furniture.size();
            let mut bounds = Rect::EMPTY;
            for piece in furniture.pieces() {
                piece.check().expect("within limits");
                bounds = bounds.union(&piece.bounds().expect("it is placed"));
            }
            let name = furniture.name();
            assert!(
                (bounds.size() - size).abs().max_element() < 1e-6,
                "{name} {bounds:?}"
            );
            assert!(bounds.max.y.abs() < 1e-6, "{name}: its back is on the line");
        }
    }

    #[test]
    fn a_row_goes_either_way_and_copies_do_not_touch() {
        let first = Standing::centred(Furniture::Shelf, DVec2::new(5.0, 5.0), 0.7);
        for count in [4, -4] {
            let row = first.row(Furniture::Shelf, 0.5, count);
            assert_eq!(row.len(), 4);
            for pair in row.windows(2) {
                assert!((pair[0].back.distance(pair[1].back) - 2.5).abs() < 1e-9);
            }
        }
        assert!((first.centre(Furniture::Shelf) - DVec2::splat(5.0)).length() < 1e-9);
    }

    #[test]
    fn scattered_copies_stand_apart_and_where_there_is_room() {
        let mut scatter = Scatter::new(Furniture::Tree, 0.4, 7);
        for x in 0..20 {
            scatter.fill(DVec2::new(f64::from(x), 0.0), 4.0, |at, reach| {
                at.y - reach > 0.0
            });
        }
        assert!(scatter.standings.len() > 20, "{}", scatter.standings.len());
        let centres: Vec<DVec2> = scatter
            .standings
            .iter()
            .map(|standing| standing.centre(Furniture::Tree))
            .collect();
        let apart = 2.0 * scatter.reach() + 0.4;
        for (i, a) in centres.iter().enumerate() {
            assert!(a.y > scatter.reach());
            assert!(centres[..i].iter().all(|b| a.distance(*b) >= apart - 1e-9));
        }
    }
}
