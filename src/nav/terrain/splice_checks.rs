//! Checks that two triangulations represent the same ground.

use super::*;
use crate::base::Random;
use crate::geometry::polygon::closest_on_segment;
use glam::DVec2;
use proptest::test_runner::TestCaseError;

/// Closer to a border than this, rounding decides. Unit: metres.
const BLURRED: f64 = 0.003;

fn nearest(walls: &[[DVec2; 2]], p: DVec2) -> f64 {
    walls
        .iter()
        .map(|[a, b]| closest_on_segment(*a, *b, p).distance(p))
        .fold(f64::INFINITY, f64::min)
}

/// Asserts equal kinds at random points, equal costs along random lines and equal distances to
/// walls.
pub(super) fn assert_same_ground(
    input: &TerrainInput,
    one: &TerrainMesh,
    other: &TerrainMesh,
    seed: u64,
) -> Result<(), TestCaseError> {
    let mut random = Random::new(seed);
    let bounds = input.bounds;
    let edges: Vec<[DVec2; 2]> = input
        .areas()
        .filter(|area| area.points().all(|p| p.is_finite()))
        .flat_map(|area| area.edges().map(|(a, b)| [a, b]))
        .collect();
    // Points near drawn corners, where errors are likely, and anywhere.
    let mut place = |i: usize| {
        let anywhere = random.point(bounds.min, bounds.max);
        match edges.get(i * 7 % edges.len().max(1)) {
            Some([a, b]) if i.is_multiple_of(2) => {
                let near = a.lerp(*b, random.unit()) + (anywhere - bounds.centre()) * 0.02;
                bounds.clamp(near)
            }
            _ => anywhere,
        }
    };
    let weight = |kind: Option<KindId>| kind.map_or(9.0, |kind| 1.0 + f64::from(kind.0));
    for i in 0..40 {
        let (p, q) = (place(i), place(i + 1));
        if nearest(&edges, p) > BLURRED {
            let kinds = (one.kind_at(p), other.kind_at(p));
            if kinds.0 != kinds.1 {
                return Err(TestCaseError::fail(format!("{p}: {kinds:?}")));
            }
        }
        let [mine, theirs] = [one, other].map(|mesh| {
            let start = mesh.locate(p, None)?;
            mesh.cost_within(start, [p, q], weight, 1.0, f64::INFINITY)
        });
        let (mine, theirs) = (mine.unwrap_or(-1.0), theirs.unwrap_or(-1.0));
        // Along a border, a line may be on either side of it.
        let along = edges.iter().any(|[a, b]| {
            let direction = (*b - *a).normalize_or_zero();
            direction.perp_dot((q - p).normalize_or_zero()).abs() < 0.02
        });
        if !along && (mine - theirs).abs() > 0.02 * (1.0 + edges.len() as f64) {
            return Err(TestCaseError::fail(format!("{p} {q}: {mine} and {theirs}")));
        }
        let [mine, theirs] = [one, other].map(|mesh| nearest(mesh.walls(), p));
        if (mine - theirs).abs() > BLURRED && mine.min(theirs).is_finite() {
            return Err(TestCaseError::fail(format!(
                "walls at {p}: {mine}, {theirs}"
            )));
        }
    }
    Ok(())
}
