//! A spatial index of obstacles for the checks.

use super::{Code, Problem, Severity};
use crate::base::EntityId;
use crate::document::model::{Body, Level, Obstacle};
use crate::geometry::{
    Rect,
    crossing::{self, Overlap},
    lattice::may_vanish,
};
use crate::jobs::{Cancelled, JobContext};
use glam::{DVec2, DVec3};
use rstar::{
    AABB, RTree,
    primitives::{GeomWithData, Rectangle},
};

type Leaf = GeomWithData<Rectangle<[f64; 2]>, usize>;

pub(super) struct ObstacleIndex<'a> {
    obstacles: Vec<Indexed<'a>>,
    tree: RTree<Leaf>,
}

pub(super) struct Indexed<'a> {
    pub id: EntityId,
    pub label: String,
    pub obstacle: &'a Obstacle,
}

impl<'a> ObstacleIndex<'a> {
    pub(super) fn of(level: &'a Level) -> Self {
        let obstacles: Vec<Indexed<'a>> = level
            .obstacles()
            .map(|(id, entity, obstacle)| Indexed {
                id,
                label: entity.label(id),
                obstacle,
            })
            .collect();
        let leaves = obstacles
            .iter()
            .enumerate()
            .map(|(i, indexed)| {
                let b = indexed.obstacle.area.bounds();
                Leaf::new(
                    Rectangle::from_corners(b.min.to_array(), b.max.to_array()),
                    i,
                )
            })
            .collect();
        Self {
            obstacles,
            tree: RTree::bulk_load(leaves),
        }
    }

    fn near(&self, rect: Rect) -> impl Iterator<Item = usize> + '_ {
        let envelope = AABB::from_corners(rect.min.to_array(), rect.max.to_array());
        self.tree
            .locate_in_envelope_intersecting(envelope)
            .map(|leaf| leaf.data)
    }

    /// The obstacle that a body standing at `place` overlaps most deeply.
    pub(super) fn blocking(&self, place: DVec3, body: &Body) -> Option<(&Indexed<'a>, f64)> {
        let p = place.truncate();
        self.near(Rect::new(p, p).expanded(body.radius))
            .map(|i| &self.obstacles[i])
            .filter(|indexed| is_in_the_way(indexed.obstacle, place.z, body))
            .map(|indexed| {
                let area = &indexed.obstacle.area;
                let edge = area.distance_to_edge(p);
                (indexed, if area.contains(p) { -edge } else { edge })
            })
            .filter(|(_, clearance)| *clearance < body.radius)
            .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.id.cmp(&b.0.id)))
    }

    /// Whether an obstacle is this near, or a point lies inside one.
    pub(super) fn is_within(&self, p: DVec2, reach: f64) -> bool {
        self.near(Rect::new(p, p).expanded(reach)).any(|i| {
            let area = &self.obstacles[i].obstacle.area;
            area.contains(p) || area.distance_to_edge(p) <= reach
        })
    }

    /// A static obstacle on the ground that a line passes through.
    pub(super) fn crossed_by(&self, line: &[DVec2]) -> Option<&Indexed<'a>> {
        self.near(Rect::of_points(line))
            .map(|i| &self.obstacles[i])
            .filter(|indexed| {
                indexed.obstacle.base < HEAD_ROOM && indexed.obstacle.motion.is_none()
            })
            .filter(|indexed| crossing::passes_through(&indexed.obstacle.area, line))
            .min_by_key(|indexed| indexed.id)
    }

    /// Free space is computed in whole millimetres.
    pub(super) fn check_thickness(
        &self,
        problems: &mut Vec<Problem>,
        ctx: &JobContext,
    ) -> Result<(), Cancelled> {
        for Indexed { id, obstacle, .. } in &self.obstacles {
            ctx.checkpoint()?;
            if may_vanish(&obstacle.area) {
                let text = "it is thinner than 1.5 mm, and planners compute in whole millimetres: \
                            for them it is 2 mm thick; make it thicker";
                problems.push(
                    Problem::new(
                        Severity::Warning,
                        Code::TooThin,
                        id.owner(),
                        text.to_owned(),
                    )
                    .at(obstacle.area.bounds().centre()),
                );
            }
        }
        Ok(())
    }

    pub(super) fn check_overlaps(
        &self,
        problems: &mut Vec<Problem>,
        ctx: &JobContext,
    ) -> Result<(), Cancelled> {
        let mut looks_left = MOST_LOOKS;
        for (i, first) in self.obstacles.iter().enumerate() {
            ctx.checkpoint()?;
            let bounds = first.obstacle.area.bounds();
            let mut others: Vec<usize> = self
                .near(bounds)
                .take(MOST_NEAR)
                .filter(|j| *j > i)
                .take(MOST_NEIGHBOURS)
                .collect();
            others.sort_unstable();
            let mut listed = 0;
            for second in others.into_iter().map(|j| &self.obstacles[j]) {
                if listed == MOST_LISTED || looks_left == 0 {
                    break;
                }
                // Walls are joined where they meet.
                if first.id.is_part() && second.id.is_part() {
                    continue;
                }
                if !share_heights(first.obstacle, second.obstacle) {
                    continue;
                }
                let corners =
                    first.obstacle.area.vertex_count() + second.obstacle.area.vertex_count();
                looks_left = looks_left.saturating_sub(corners);
                if crossing::overlap(&first.obstacle.area, &second.obstacle.area)
                    == Overlap::Overlapping
                {
                    listed += 1;
                    let both = Rect::new(
                        bounds.min.max(second.obstacle.area.bounds().min),
                        bounds.max.min(second.obstacle.area.bounds().max),
                    );
                    problems.push(
                        Problem::new(
                            Severity::Information,
                            Code::OverlappingObstacles,
                            first.id.owner(),
                            format!("it overlaps {}; agents treat them as one", second.label),
                        )
                        .at(both.centre()),
                    );
                }
            }
        }
        Ok(())
    }
}

/// Of one obstacle, so many overlaps are listed: more would not be read.
const MOST_LISTED: usize = 4;
/// So many neighbours of one obstacle are looked at. A heap of thousands in one place has millions of
/// pairs.
const MOST_NEIGHBOURS: usize = 64;
/// So many boxes around one obstacle are looked through for them.
const MOST_NEAR: usize = 1_024;
/// So many corners of pairs are compared in all.
const MOST_LOOKS: usize = 400_000;

/// Obstacles above this do not block agents. Unit: metres.
const HEAD_ROOM: f64 = 2.5;

fn is_in_the_way(obstacle: &Obstacle, z: f64, body: &Body) -> bool {
    obstacle.motion.is_none()
        && obstacle.base < z + body.height
        && obstacle.base + obstacle.height > z + body.step_height
}

fn share_heights(a: &Obstacle, b: &Obstacle) -> bool {
    a.base < b.base + b.height && b.base < a.base + a.height
}
