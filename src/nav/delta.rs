//! What changed from one bundle to the next: planner sessions repair what they keep by it.

use crate::geometry::{Polygon, Rect};
use glam::DVec2;
use std::cmp::Ordering;

/// Where something changed, in plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Changed {
    #[default]
    Nothing,
    /// Outside of these boxes all is as it was.
    Within(Vec<Rect>),
    /// Nothing is known to be as it was.
    Everything,
}

/// More boxes than this are joined into one: a change that large is no local one.
const MOST_BOXES: usize = 64;

impl Changed {
    /// Nothing, if there are no boxes.
    #[must_use]
    pub fn within(mut boxes: Vec<Rect>) -> Self {
        boxes.retain(|rect| !rect.is_empty());
        if boxes.len() > MOST_BOXES {
            let whole = boxes.iter().fold(Rect::EMPTY, |all, one| all.union(one));
            boxes = vec![whole];
        }
        if boxes.is_empty() {
            Self::Nothing
        } else {
            Self::Within(boxes)
        }
    }

    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// Whether something within a box may have changed.
    #[must_use]
    pub fn touches(&self, rect: &Rect) -> bool {
        match self {
            Self::Nothing => false,
            Self::Within(boxes) => boxes.iter().any(|changed| changed.overlaps(rect)),
            Self::Everything => true,
        }
    }

    /// This change, and another one after it.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        match (self, next) {
            (Self::Everything, _) | (_, Self::Everything) => Self::Everything,
            (Self::Nothing, other) | (other, Self::Nothing) => other.clone(),
            (Self::Within(a), Self::Within(b)) => Self::within([&a[..], b].concat()),
        }
    }
}

/// What changed between two bundles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NavDelta {
    /// What blocks the plan, and with it free space, cells and the corridor map; not grown by any
    /// radius.
    pub obstacles: Changed,
    /// What is painted; obstacles are told of by [`Self::obstacles`].
    pub terrain: Changed,
    /// Bodies in space: solids, obstacles and the ground as cells see them.
    pub voxels: Changed,
    /// Numbers, names or weights of terrain types.
    pub terrain_kinds: bool,
    /// What was patched under a drag was triangulated from scratch: borders may lie otherwise by
    /// what rounding moves.
    pub terrain_remade: bool,
    /// The height field.
    pub ground: bool,
}

impl NavDelta {
    /// Nothing is known to be as it was.
    #[must_use]
    pub const fn everything() -> Self {
        Self {
            obstacles: Changed::Everything,
            terrain: Changed::Everything,
            voxels: Changed::Everything,
            terrain_kinds: true,
            terrain_remade: true,
            ground: true,
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// This change, and another one after it.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self {
            obstacles: self.obstacles.then(&next.obstacles),
            terrain: self.terrain.then(&next.terrain),
            voxels: self.voxels.then(&next.voxels),
            terrain_kinds: self.terrain_kinds || next.terrain_kinds,
            terrain_remade: self.terrain_remade || next.terrain_remade,
            ground: self.ground || next.ground,
        }
    }
}

/// Around the edges that two areas do not have in common: a ray from a place outside meets edges of
/// both alike, so that no other place is in one and not in the other. Unit: metres.
pub(super) fn differing_box(old: Option<&Polygon>, new: Option<&Polygon>) -> Rect {
    let key = |(a, b): &(DVec2, DVec2)| [a.x, a.y, b.x, b.y].map(f64::to_bits);
    let sorted = |area: Option<&Polygon>| {
        let mut edges: Vec<(DVec2, DVec2)> = area.into_iter().flat_map(Polygon::edges).collect();
        edges.sort_unstable_by_key(key);
        edges
    };
    let (old, new) = (sorted(old), sorted(new));
    let mut around = Rect::EMPTY;
    let mut cover = |(a, b): &(DVec2, DVec2)| around = around.including(*a).including(*b);
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (old.get(i), new.get(j)) {
        match key(a).cmp(&key(b)) {
            Ordering::Less => {
                cover(a);
                i += 1;
            }
            Ordering::Greater => {
                cover(b);
                j += 1;
            }
            Ordering::Equal => (i, j) = (i + 1, j + 1),
        }
    }
    old[i..].iter().chain(&new[j..]).for_each(cover);
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(x: f64) -> Rect {
        Rect::new(DVec2::new(x, 0.0), DVec2::new(x + 1.0, 1.0))
    }

    #[test]
    fn areas_differ_around_the_edges_that_are_not_in_both() {
        let corners = |x: f64| [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (x, 9.0), (0.0, 9.0)];
        let area = |x: f64| Polygon::new(corners(x).map(DVec2::from).to_vec());
        let top = Rect::new(DVec2::new(0.0, 9.0), DVec2::new(9.0, 9.0));
        assert_eq!(differing_box(Some(&area(4.0)), Some(&area(5.0))), top);
        assert!(differing_box(Some(&area(4.0)), Some(&area(4.0))).is_empty());
        assert_eq!(differing_box(None, Some(&area(4.0))), area(4.0).bounds());
        assert_eq!(differing_box(Some(&area(4.0)), None), area(4.0).bounds());
    }

    #[test]
    fn changes_add_up() {
        let a = Changed::within(vec![unit(0.0)]);
        let b = Changed::within(vec![unit(5.0), Rect::EMPTY]);
        let both = a.then(&b);
        assert_eq!(both, Changed::Within(vec![unit(0.0), unit(5.0)]));
        assert!(both.touches(&unit(5.5)) && !both.touches(&unit(2.0)));
        assert_eq!(a.then(&Changed::Nothing), a);
        assert_eq!(a.then(&Changed::Everything), Changed::Everything);
        assert_eq!(Changed::within(vec![Rect::EMPTY]), Changed::Nothing);
        let many = Changed::within((0..200).map(|x| unit(f64::from(x))).collect());
        assert!(matches!(&many, Changed::Within(boxes) if boxes.len() == 1));
        assert!(many.touches(&unit(150.0)));
    }
}
