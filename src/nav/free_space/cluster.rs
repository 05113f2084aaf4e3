//! Clusters of grown obstacles with overlapping bounds: combined separately, then assembled.

use super::{completed, grown::Grown};
use crate::base::EntityId;
use crate::geometry::{
    Polygon, Rect, Ring,
    boolean::{Combine, combine},
    heap::untangled,
    lattice::Collinear,
    polygon::{ring_contains, signed_area},
    predicates::{Side, side},
};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{box_tree::BoxTree, cell_map::root};
use glam::DVec2;
use std::collections::HashMap;
use std::sync::Arc;

/// Margin of the rectangle from which free space is cut around a cluster, so that nothing touches
/// its border. Unit: metres.
const MARGIN: f64 = 1.0;

/// Obstacles that can be combined independently of all others, and the free space they leave.
#[derive(Debug, PartialEq)]
pub(super) struct Cluster {
    members: Vec<Arc<Grown>>,
    /// The shrunk bounds, for the cluster of obstacles that overlap them.
    frame: Option<Rect>,
    /// Clockwise: holes in the area around the cluster. Empty for the cluster at the bounds.
    holes: Vec<Ring>,
    /// Areas determined by this cluster alone: enclosed ones, or those at the bounds.
    areas: Vec<Polygon>,
    /// Its obstacles cross each other too often for anything to be made of them.
    is_heap: bool,
}

/// The partition into clusters.
pub(super) struct Clusters {
    members: Vec<Vec<Arc<Grown>>>,
    at_bounds: Vec<Arc<Grown>>,
    frame: Option<Rect>,
}

impl Clusters {
    pub fn new(grown: &[Arc<Grown>], tree: &BoxTree, frame: Option<Rect>) -> Self {
        let Some(frame) = frame else {
            return Self {
                members: Vec::new(),
                at_bounds: Vec::new(),
                frame: None,
            };
        };
        let count = grown.len() as u32;
        // One more for the bounds.
        let mut parents: Vec<u32> = (0..=count).collect();
        let mut join = |a: u32, b: u32| {
            let (a, b) = (root(&mut parents, a), root(&mut parents, b));
            parents[a.min(b) as usize] = a.max(b);
        };
        let inside =
            |bounds: &Rect| bounds.min.cmpgt(frame.min).all() && bounds.max.cmplt(frame.max).all();
        let boxes: Vec<Rect> = grown.iter().map(|grown| grown.bounds).collect();
        // Of those in one place, the first one speaks for all.
        let mut first_there: HashMap<[u64; 4], u32> = HashMap::new();
        for (index, &bounds) in (0..).zip(&boxes) {
            if bounds.is_empty() || !bounds.overlaps(&frame) {
                continue;
            }
            let Rect { min, max } = bounds;
            let place = [min.x, min.y, max.x, max.y].map(f64::to_bits);
            let first = *first_there.entry(place).or_insert(index);
            if first != index {
                join(first, index);
                continue;
            }
            if !inside(&bounds) {
                join(index, count);
            }
            for near in tree.near(bounds).filter(|near| *near > index) {
                // Obstacles outside the bounds block nothing, so they connect nothing.
                let other = &boxes[near as usize];
                if other.overlaps(&bounds) && other.overlaps(&frame) {
                    join(index, near);
                }
            }
        }
        let mut members: Vec<Vec<Arc<Grown>>> = Vec::new();
        let mut at_bounds = Vec::new();
        let mut number_of = vec![usize::MAX; grown.len() + 1];
        for (index, grown) in (0..).zip(grown) {
            if grown.bounds.is_empty() || !grown.bounds.overlaps(&frame) {
                continue;
            }
            let root = root(&mut parents, index);
            if root == count {
                at_bounds.push(Arc::clone(grown));
                continue;
            }
            let number = &mut number_of[root as usize];
            if *number == usize::MAX {
                *number = members.len();
                members.push(Vec::new());
            }
            members[*number].push(Arc::clone(grown));
        }
        Self {
            members,
            at_bounds,
            frame: Some(frame),
        }
    }

    /// The cluster at the bounds first; unchanged clusters are reused.
    pub fn combined(
        self,
        before: &[Arc<Cluster>],
        ctx: &JobContext,
    ) -> Result<Vec<Arc<Cluster>>, Cancelled> {
        let Some(frame) = self.frame else {
            return Ok(Vec::new());
        };
        let known: HashMap<_, &Arc<Cluster>> = before
            .iter()
            .filter_map(|cluster| Some((cluster.members.first()?.id(), cluster)))
            .collect();
        let mut all = vec![(Some(frame), self.at_bounds)];
        all.extend(self.members.into_iter().map(|members| (None, members)));
        let taken_over = |(frame, members): (Option<Rect>, Vec<Arc<Grown>>)| {
            let known = match members.first() {
                Some(first) => known.get(&first.id()).copied(),
                // Nothing overlaps the bounds.
                None => before.first(),
            };
            match known {
                Some(cluster) if cluster.frame == frame && is_same(&cluster.members, &members) => {
                    Ok(Arc::clone(cluster))
                }
                _ => Err((frame, members)),
            }
        };
        completed(
            all.into_iter().map(taken_over),
            |(frame, members)| Arc::new(Cluster::new(members, frame)),
            ctx,
        )
    }
}

fn is_same(a: &[Arc<Grown>], b: &[Arc<Grown>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}

impl Cluster {
    pub const fn is_heap(&self) -> bool {
        self.is_heap
    }

    pub fn first_member(&self) -> Option<EntityId> {
        self.members.first().map(|grown| grown.id())
    }

    fn new(members: Vec<Arc<Grown>>, frame: Option<Rect>) -> Self {
        let mut holes = Vec::new();
        let mut areas = Vec::new();
        let mut is_heap = false;
        match (&members[..], frame) {
            ([], Some(frame)) => areas.push(Polygon::rect(frame)),
            ([only], None) if only.is_convex => {
                let outline = only.outline.iter().map(|polygon| &polygon.outer);
                holes.extend(outline.map(|ring| ring.iter().rev().copied().collect::<Ring>()));
            }
            _ => {
                let outlines: Vec<Polygon> = members
                    .iter()
                    .flat_map(|grown| grown.outline.iter().cloned())
                    .collect();
                let outlines = untangled(&outlines);
                is_heap = outlines.is_none();
                let outlines = outlines.unwrap_or_default();
                let around = members
                    .iter()
                    .fold(Rect::EMPTY, |all, grown| all.union(&grown.bounds))
                    .expanded(MARGIN);
                let whole = Polygon::rect(frame.unwrap_or(around));
                areas = combine(Combine::Difference, &[whole], &outlines, Collinear::Keep);
                drop_needless_points(&mut areas);
                if frame.is_none() {
                    // The area with the rectangle's own corners is the outside.
                    let is_outside = |area: &Polygon| {
                        area.bounds().contains_rect(&around.expanded(-0.5 * MARGIN))
                    };
                    if let Some(outside) = areas.iter().position(is_outside) {
                        holes = areas.remove(outside).holes;
                    }
                }
            }
        }
        Self {
            members,
            frame,
            holes,
            areas,
            is_heap,
        }
    }
}

/// Removes points on straight edges, except where rings touch.
fn drop_needless_points(areas: &mut [Polygon]) {
    let key = |p: DVec2| (p + 0.0).to_array().map(f64::to_bits);
    let mut uses: HashMap<[u64; 2], usize> = HashMap::new();
    let is_straight = |ring: &Ring, i: usize| {
        let count = ring.len();
        side(
            ring[(i + count - 1) % count],
            ring[i],
            ring[(i + 1) % count],
        ) == Side::On
    };
    for ring in areas.iter().flat_map(Polygon::rings) {
        let straight = (0..ring.len()).filter(|&i| is_straight(ring, i));
        uses.extend(straight.map(|i| (key(ring[i]), 0)));
    }
    if uses.is_empty() {
        return;
    }
    for p in areas.iter().flat_map(Polygon::points) {
        if let Some(count) = uses.get_mut(&key(*p)) {
            *count += 1;
        }
    }
    for ring in areas.iter_mut().flat_map(Polygon::rings_mut) {
        *ring = (0..ring.len())
            .filter(|&i| !is_straight(ring, i) || uses.get(&key(ring[i])) != Some(&1))
            .map(|i| ring[i])
            .collect();
    }
}

/// Every area with the holes of the clusters inside it.
pub(super) fn assembled(clusters: &[Arc<Cluster>]) -> Vec<Polygon> {
    let mut areas: Vec<Polygon> = clusters
        .iter()
        .flat_map(|cluster| cluster.areas.iter().cloned())
        .collect();
    if areas.is_empty() {
        return areas;
    }
    // Areas nest inside each other's outer rings: a hole belongs to the smallest one around it.
    let mut order: Vec<(usize, Rect, f64)> = areas
        .iter()
        .enumerate()
        .map(|(i, area)| (i, area.bounds(), signed_area(&area.outer)))
        .collect();
    order.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut added: Vec<Vec<&Ring>> = vec![Vec::new(); areas.len()];
    for hole in clusters.iter().flat_map(|cluster| &cluster.holes) {
        let (Some(&p), bounds) = (hole.first(), Rect::of_points(hole)) else {
            continue;
        };
        let mut around = order
            .iter()
            .filter(|(_, outer, _)| outer.contains_rect(&bounds))
            .map(|(i, ..)| *i)
            .peekable();
        while let Some(area) = around.next() {
            // The last candidate must be it.
            if around.peek().is_none() || ring_contains(&areas[area].outer, p) {
                added[area].push(hole);
                break;
            }
        }
    }
    for (area, holes) in areas.iter_mut().zip(added) {
        area.holes.extend(holes.into_iter().cloned());
    }
    areas
}
