//! Heaps of polygons: many in one place, whose outlines cross each other all over.
//!
//! Booleans take as long as there are crossings, and a thousand triangles in one place have a million.
//! Most of them lie inside other triangles. So halves of a heap, neighbours together, are united
//! first: what each hides never meets the other half.

use super::{
    Polygon, Rect,
    boolean::{Combine, combine},
    crossing::count_meetings,
    lattice::Collinear,
};
use glam::DVec2;
use std::borrow::Cow;
use std::collections::HashSet;

/// So many polygons are no heap.
const FEW: usize = 24;

/// Polygons that meet no oftener than this are left as they are.
const FEW_MEETINGS: usize = 10_000;

/// Most places where polygons may meet that cannot be divided further, a tangle among them.
const MOST_IN_FEW: usize = 20_000;

/// Most places where the halves of a heap may meet.
const MOST_MEETINGS: usize = 200_000;

/// Polygons of the same union that meet in few places: the polygons themselves, unless they are a
/// heap. `None` if too much would remain of it for anybody to work with.
#[must_use]
pub fn untangled(polygons: &[Polygon]) -> Option<Cow<'_, [Polygon]>> {
    let corners: usize = polygons.iter().map(Polygon::vertex_count).sum();
    // So few edges cannot meet oftener.
    if corners * corners <= FEW_MEETINGS || count_meetings(polygons, FEW_MEETINGS).is_some() {
        return Some(Cow::Borrowed(polygons));
    }
    if polygons.len() <= FEW {
        count_meetings(polygons, MOST_IN_FEW)?;
        return Some(Cow::Borrowed(polygons));
    }
    // Each once.
    let mut seen: HashSet<Vec<[u64; 2]>> = HashSet::new();
    let mut each: Vec<&Polygon> = polygons
        .iter()
        .filter(|polygon| {
            let bits = |p: &DVec2| (*p + 0.0).to_array().map(f64::to_bits);
            seen.insert(polygon.points().map(bits).collect())
        })
        .collect();
    let centre = |polygon: &Polygon| polygon.bounds().centre();
    divided(&mut each, &centre).map(Cow::Owned)
}

/// The union of polygons, by halves.
fn divided(
    polygons: &mut [&Polygon],
    centre: &(impl Fn(&Polygon) -> DVec2 + Sync),
) -> Option<Vec<Polygon>> {
    if polygons.len() <= FEW {
        let few: Vec<Polygon> = polygons.iter().copied().cloned().collect();
        count_meetings(&few, MOST_IN_FEW)?;
        return Some(combine(Combine::Union, &few, &[], Collinear::Keep));
    }
    let middles = polygons.iter().map(|polygon| centre(polygon));
    let extent = middles.fold(Rect::EMPTY, |all, p| all.including(p)).size();
    let along = |polygon: &&Polygon| {
        let at = centre(polygon);
        if extent.x >= extent.y { at.x } else { at.y }
    };
    // Stable, and so in the order of the drawing where all lie in one place.
    polygons.sort_by(|a, b| along(a).total_cmp(&along(b)));
    let (one, other) = polygons.split_at_mut(polygons.len() / 2);
    let (one, other) = rayon::join(|| divided(one, centre), || divided(other, centre));
    let (one, other) = (one?, other?);
    let both = [&one[..], &other[..]].concat();
    count_meetings(&both, MOST_MEETINGS)?;
    Some(combine(Combine::Union, &one, &other, Collinear::Keep))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::geometry::boolean::union;

    fn triangles(count: usize, side: f64) -> Vec<Polygon> {
        let mut random = Random::new(5);
        let mut point = || DVec2::new(random.range(0.0, side), random.range(0.0, side));
        (0..count)
            .map(|_| Polygon::new(vec![point(), point(), point()]))
            .collect()
    }

    fn area(polygons: &[Polygon]) -> f64 {
        polygons.iter().map(Polygon::area).sum()
    }

    #[test]
    fn few_polygons_stay_as_they_are() {
        let few = triangles(12, 30.0);
        assert!(matches!(untangled(&few), Some(Cow::Borrowed(same)) if same == few));
    }

    #[test]
    fn a_heap_becomes_its_union() {
        let heap = triangles(220, 40.0);
        let untangled = untangled(&heap).expect("not too much");
        assert!(matches!(untangled, Cow::Owned(_)));
        let (ours, exact) = (area(&union(&untangled)), area(&union(&heap)));
        // Corners are rounded to a millimetre at every step.
        assert!((ours - exact).abs() < 0.05, "{ours} {exact}");
    }

    #[test]
    fn equal_polygons_count_once() {
        let square = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(10.0)));
        let heap = vec![square.clone(); 3_000];
        let untangled = untangled(&heap).expect("one square");
        assert_eq!(area(&untangled), square.area());
        assert_eq!(untangled.len(), 1);
    }

    #[test]
    fn a_tangle_is_refused() {
        let mut random = Random::new(3);
        let ring = (0..2_000).map(|_| DVec2::new(random.range(0.0, 40.0), random.range(0.0, 40.0)));
        assert!(untangled(&[Polygon::new(ring.collect())]).is_none());
    }
}
