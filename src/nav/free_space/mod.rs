//! Free space: where the centre of a round agent may be. The bounds shrunk by the agent's radius,
//! minus the obstacles grown by it.
//!
//! Obstacles are grown individually (in parallel), then those with overlapping bounds are combined
//! by booleans, cluster by cluster. What neither changed nor has new neighbours is reused from the
//! previous free space, so dragging one obstacle is cheap in any level.

mod cluster;
mod edge_runs;
mod grown;
mod input;
mod standing;
#[cfg(test)]
mod tests;

pub use grown::excess;
pub use input::{Blocker, HEAD_ROOM, Input};

use super::box_tree::BoxTree;
use super::stages::Work;
use crate::base::EntityId;
use crate::geometry::{
    MAX_COORDINATE, Polygon, Rect,
    lattice::{LATTICE, PER_METRE},
};
use crate::jobs::{Cancelled, JobContext};
use cluster::{Cluster, Clusters};
use edge_runs::{EdgeRuns, EdgeTree};
use glam::DVec2;
use grown::{Grown, GrownEntry};
use rayon::prelude::*;
use rstar::RTree;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

#[derive(Clone, Debug)]
pub struct FreeSpace {
    /// A whole number of millimetres. Unit: metres.
    pub radius: f64,
    /// The level's bounds, before shrinking.
    pub bounds: Rect,
    /// Each has a connected interior, so each is one component; they share single points at most.
    /// Corners are on the lattice, and where two rings touch, both have a corner.
    pub areas: Vec<Polygon>,
    /// Why nothing was made of the obstacles.
    refusal: Option<Refusal>,
    grown: Vec<Arc<Grown>>,
    /// Bounds of `grown`.
    tree: BoxTree,
    clusters: Vec<Arc<Cluster>>,
    /// Clusters that were combined anew.
    rebuilt_clusters: usize,
    /// For distance queries; built on first use.
    by_distance: OnceLock<RTree<GrownEntry>>,
    /// Edges of the bounds and the obstacles as drawn; built on first use.
    edges: OnceLock<EdgeTree>,
}

impl PartialEq for FreeSpace {
    /// Everything else is derived from these.
    fn eq(&self, other: &Self) -> bool {
        self.radius == other.radius
            && self.bounds == other.bounds
            && self.areas == other.areas
            && self.grown == other.grown
    }
}

/// Obstacles that would become more than there is time and memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The outline of this obstacle crosses itself all over.
    Tangle(EntityId),
    /// The obstacles around this one cross each other all over.
    Heap(EntityId),
}

impl Refusal {
    #[must_use]
    pub const fn obstacle(self) -> EntityId {
        match self {
            Self::Tangle(id) | Self::Heap(id) => id,
        }
    }

    /// What is wrong with it, and what helps.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Tangle(_) => {
                "its outline crosses itself so often that no paths can be planned around it; redraw \
                 it, or remove it"
            }
            Self::Heap(_) => {
                "it and the obstacles around it cross each other so often that no paths can be \
                 planned around them; unite or remove some of them"
            }
        }
    }
}

/// Radii with equal keys share one free space. Unit: millimetres.
#[must_use]
pub fn radius_key(radius: f64) -> u32 {
    // The cast turns NaN into 0.
    (radius.clamp(0.0, MAX_COORDINATE) * PER_METRE).round() as u32
}

impl FreeSpace {
    /// Rounds the radius to whole millimetres.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn build(input: Input, radius: f64, ctx: &JobContext) -> Result<Self, Cancelled> {
        let nothing = Self {
            radius: f64::from(radius_key(radius)) / PER_METRE,
            bounds: Rect::EMPTY,
            areas: Vec::new(),
            refusal: None,
            grown: Vec::new(),
            tree: BoxTree::default(),
            clusters: Vec::new(),
            rebuilt_clusters: 0,
            by_distance: OnceLock::new(),
            edges: OnceLock::new(),
        };
        nothing.updated(input, ctx)
    }

    /// Free space of the same radius for changed input. Equals [`Self::build`], but is faster the
    /// less has changed.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn updated(&self, input: Input, ctx: &JobContext) -> Result<Self, Cancelled> {
        let known: HashMap<EntityId, &Arc<Grown>> =
            self.grown.iter().map(|grown| (grown.id(), grown)).collect();
        let taken_over = |blocker: Blocker| match known.get(&blocker.id) {
            Some(grown) if grown.blocker.is_same(&blocker) => Ok(Arc::clone(grown)),
            _ => Err(blocker),
        };
        let radius = self.radius;
        let grown = completed(
            input.distinct().cloned().map(taken_over),
            |blocker| Arc::new(Grown::new(blocker, radius)),
            ctx,
        )?;
        let all = || grown.iter().map(|grown| grown.bounds);
        let whole = all().fold(Rect::EMPTY, |whole, bounds| whole.union(&bounds));
        let tree = BoxTree::new(&whole, all());
        ctx.checkpoint()?;
        let tangle = grown.iter().find(|grown| grown.is_tangle());
        let mut refusal = tangle.map(|grown| Refusal::Tangle(grown.id()));
        // Nothing is made of a part of the obstacles: agents would walk through the others.
        let inner = shrunk(input.bounds, self.radius).filter(|_| refusal.is_none());
        let mut clusters = Clusters::new(&grown, &tree, inner).combined(&self.clusters, ctx)?;
        if let Some(heap) = clusters.iter().find(|cluster| cluster.is_heap()) {
            refusal = heap.first_member().map(Refusal::Heap);
            clusters.clear();
        }
        let kept: HashSet<_> = self.clusters.iter().map(Arc::as_ptr).collect();
        let is_new = |cluster: &&Arc<Cluster>| !kept.contains(&Arc::as_ptr(cluster));
        Ok(Self {
            radius: self.radius,
            bounds: input.bounds,
            areas: cluster::assembled(&clusters),
            refusal,
            grown,
            tree,
            rebuilt_clusters: clusters.iter().filter(is_new).count(),
            clusters,
            by_distance: OnceLock::new(),
            edges: OnceLock::new(),
        })
    }

    /// Why there is nothing to walk on, if obstacles were too much to combine.
    #[must_use]
    pub const fn refusal(&self) -> Option<Refusal> {
        self.refusal
    }

    /// Clusters that were combined anew, of all.
    pub(super) fn work(&self) -> Work {
        Work {
            made: self.rebuilt_clusters,
            of: self.clusters.len(),
        }
    }

    /// Whether an agent's centre may be at `p`; either answer on a border.
    #[must_use]
    pub fn contains(&self, p: DVec2) -> bool {
        self.component_of(p).is_some()
    }

    /// The area that contains `p`. Linear in its number of corners; [cells](super::CellMap::locate)
    /// are faster.
    #[must_use]
    pub fn component_of(&self, p: DVec2) -> Option<u32> {
        if !shrunk(self.bounds, self.radius)?.contains(p) || self.blockers_at(p).next().is_some() {
            return None;
        }
        (0..)
            .zip(&self.areas)
            .find(|(_, area)| area.bounds().contains(p) && area.contains(p))
            .map(|(index, _)| index)
    }

    /// What it was made from, in the level's order.
    pub fn blockers(&self) -> impl Iterator<Item = &Blocker> {
        self.grown.iter().map(|grown| &grown.blocker)
    }

    /// The obstacles that block an agent's centre from `p`, apart from the level's bounds.
    pub fn blockers_at(&self, p: DVec2) -> impl Iterator<Item = EntityId> + '_ {
        self.near(p)
            .filter(move |grown| grown.contains(p))
            .map(|grown| grown.id())
    }

    /// The grown obstacle nearest to `p` and its distance: 0 where it blocks.
    #[must_use]
    pub fn nearest_blocker(&self, p: DVec2) -> Option<(EntityId, f64)> {
        if !p.is_finite() {
            return None;
        }
        let tree = self.by_distance.get_or_init(|| {
            let has_area = |grown: &&Arc<Grown>| !grown.bounds.is_empty();
            let all = self.grown.iter().filter(has_area);
            RTree::bulk_load(all.map(|grown| GrownEntry(Arc::clone(grown))).collect())
        });
        let GrownEntry(grown) = tree.nearest_neighbor(p.to_array())?;
        Some((grown.id(), grown.distance(p)))
    }

    /// Distance from `p` to the nearest edge of an obstacle or of the bounds, as drawn: 0 inside an
    /// obstacle and outside the bounds. Unit: metres.
    #[must_use]
    pub fn clearance(&self, p: DVec2) -> f64 {
        if !p.is_finite() || !self.bounds.contains(p) {
            return 0.0;
        }
        if self.near(p).any(|grown| grown.blocker.area.contains(p)) {
            return 0.0;
        }
        self.edges().distance(p).unwrap_or(0.0)
    }

    /// Obstacles that may contain `p` once grown.
    fn near(&self, p: DVec2) -> impl Iterator<Item = &Arc<Grown>> {
        let near = self.tree.near_point(p);
        near.filter_map(|index| self.grown.get(index as usize))
    }

    fn edges(&self) -> &EdgeTree {
        self.edges.get_or_init(|| {
            let bounds = EdgeRuns::of(&Polygon::rect(self.bounds));
            let drawn = self.grown.iter().map(|grown| &grown.drawn);
            EdgeTree::new(drawn.chain([&bounds]))
        })
    }
}

/// Computes the missing items, in parallel if there are enough of them.
fn completed<T: Send, R: Send>(
    items: impl Iterator<Item = Result<R, T>>,
    make: impl Fn(T) -> R + Sync,
    ctx: &JobContext,
) -> Result<Vec<R>, Cancelled> {
    /// Below this many items, the calling thread computes them alone.
    const WORTH_SHARING: usize = 32;
    ctx.checkpoint()?;
    let mut done = Vec::with_capacity(items.size_hint().0);
    let mut missing = Vec::new();
    for item in items {
        match item {
            Ok(made) => done.push(Some(made)),
            Err(item) => {
                missing.push(item);
                done.push(None);
            }
        }
    }
    let make = |item| {
        ctx.checkpoint()?;
        Ok(make(item))
    };
    let made: Result<Vec<R>, Cancelled> = if missing.len() < WORTH_SHARING {
        missing.into_iter().map(make).collect()
    } else {
        missing.into_par_iter().with_min_len(16).map(make).collect()
    };
    let mut made = made?.into_iter();
    Ok(done
        .into_iter()
        .filter_map(|item| item.or_else(|| made.next()))
        .collect())
}

/// The bounds shrunk by the radius, rounded inwards to the lattice; `None` where nothing is left.
fn shrunk(bounds: Rect, radius: f64) -> Option<Rect> {
    let (low, high) = (bounds.min + radius, bounds.max - radius);
    // A whole number of millimetres is not always exact in binary.
    let slack = LATTICE * 1e-3;
    let min = ((low - slack) * PER_METRE).ceil() / PER_METRE;
    let max = ((high + slack) * PER_METRE).floor() / PER_METRE;
    let limit = DVec2::splat(MAX_COORDINATE);
    let is_fine = bounds.min.is_finite() && bounds.max.is_finite();
    let inner = Rect::new(min.max(-limit), max.min(limit));
    (is_fine && inner.size().min_element() > 0.0).then_some(inner)
}
