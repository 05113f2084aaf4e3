//! The input of voxelisation: triangles and their meaning.

use crate::base::EntityId;
use glam::DVec3;
use std::sync::Arc;

/// One object of a level as triangles in world space.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxelObject {
    /// Its entity; `None` for the ground.
    pub id: Option<EntityId>,
    pub triangles: Vec<[DVec3; 3]>,
    /// Its triangles enclose a volume, which is solid.
    pub closed: bool,
    /// Solid, but agents may not step on it.
    pub forbidden: bool,
    low: DVec3,
    high: DVec3,
}

impl VoxelObject {
    /// Skips triangles with a corner that is not finite.
    #[must_use]
    pub fn new(
        id: Option<EntityId>,
        mut triangles: Vec<[DVec3; 3]>,
        closed: bool,
        forbidden: bool,
    ) -> Self {
        triangles.retain(|triangle| triangle.iter().all(|corner| corner.is_finite()));
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for corner in triangles.iter().flatten() {
            low = low.min(*corner);
            high = high.max(*corner);
        }
        Self {
            id,
            triangles,
            closed,
            forbidden,
            low,
            high,
        }
    }

    /// Its bounds; `None` without triangles.
    #[must_use]
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        (!self.triangles.is_empty()).then_some((self.low, self.high))
    }
}

/// Everything that is voxelised together. Objects are shared between scenes: an equal pointer means
/// an unchanged object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoxelScene {
    pub objects: Vec<Arc<VoxelObject>>,
}

impl VoxelScene {
    #[must_use]
    pub fn new(objects: impl IntoIterator<Item = VoxelObject>) -> Self {
        Self {
            objects: objects.into_iter().map(Arc::new).collect(),
        }
    }

    #[must_use]
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        self.objects
            .iter()
            .filter_map(|object| object.bounds())
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.objects
            .iter()
            .map(|object| object.triangles.len())
            .sum()
    }

    /// Boxes that contain all differences between two scenes.
    #[must_use]
    pub fn changed_boxes(&self, other: &Self) -> Vec<(DVec3, DVec3)> {
        let mut boxes = Vec::new();
        let sorted = |scene: &Self| {
            let mut objects: Vec<Arc<VoxelObject>> = scene.objects.clone();
            objects.sort_by_key(|object| object.id);
            objects
        };
        let (mine, theirs) = (sorted(self), sorted(other));
        let (mut i, mut j) = (0, 0);
        while i < mine.len() || j < theirs.len() {
            match (mine.get(i), theirs.get(j)) {
                (Some(a), Some(b)) if a.id == b.id => {
                    if !Arc::ptr_eq(a, b) && a != b {
                        boxes.extend(a.bounds());
                        boxes.extend(b.bounds());
                    }
                    (i, j) = (i + 1, j + 1);
                }
                (Some(a), b) if b.is_none_or(|b| a.id < b.id) => {
                    boxes.extend(a.bounds());
                    i += 1;
                }
                (_, Some(b)) => {
                    boxes.extend(b.bounds());
                    j += 1;
                }
                (_, None) => break,
            }
        }
        boxes
    }
}
