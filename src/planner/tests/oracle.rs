//! Shortest paths by brute force: the visibility graph of all corners.

use crate::geometry::{
    Polygon,
    polygon::closest_on_segment,
    predicates::{Meeting, meeting},
};
use glam::DVec2;

/// Nearer than this to an edge counts as on it. Unit: metres.
const ON_EDGE: f64 = 1e-9;

/// Inside one of the areas, or on its border.
pub fn is_free(areas: &[Polygon], p: DVec2) -> bool {
    areas
        .iter()
        .any(|area| area.contains(p) || area.distance_to_edge(p) <= ON_EDGE)
}

/// Whether the straight line from `a` to `b` stays in free space, borders included.
pub fn sees(areas: &[Polygon], a: DVec2, b: DVec2) -> bool {
    if a == b {
        return is_free(areas, a);
    }
    let mut shares = vec![0.0, 1.0];
    let length = a.distance_squared(b);
    for (c, d) in areas.iter().flat_map(Polygon::edges) {
        let mut cut = |p: DVec2| shares.push(((p - a).dot(b - a) / length).clamp(0.0, 1.0));
        match meeting(a, b, c, d) {
            Meeting::Apart => {}
            Meeting::Touching(p) | Meeting::Crossing(p) => cut(p),
            Meeting::Overlapping(p, q) => {
                cut(p);
                cut(q);
            }
        }
    }
    // Corners beside the line by a rounding error meet no edge of their own, but it ends there.
    for &p in areas.iter().flat_map(Polygon::points) {
        if closest_on_segment(a, b, p).distance(p) <= ON_EDGE {
            shares.push(((p - a).dot(b - a) / length).clamp(0.0, 1.0));
        }
    }
    shares.sort_by(f64::total_cmp);
    shares
        .windows(2)
        .all(|pair| is_free(areas, a.lerp(b, (pair[0] + pair[1]) * 0.5)))
}

/// Length of the shortest path; passes through points where free space touches itself.
pub fn shortest(areas: &[Polygon], start: DVec2, goal: DVec2) -> Option<f64> {
    let mut nodes = vec![start, goal];
    nodes.extend(areas.iter().flat_map(Polygon::points));
    let mut known = vec![f64::INFINITY; nodes.len()];
    let mut done = vec![false; nodes.len()];
    known[0] = 0.0;
    loop {
        let next = (0..nodes.len())
            .filter(|i| !done[*i] && known[*i].is_finite())
            .min_by(|a, b| known[*a].total_cmp(&known[*b]))?;
        if next == 1 {
            return Some(known[1]);
        }
        done[next] = true;
        for other in 0..nodes.len() {
            let length = known[next] + nodes[next].distance(nodes[other]);
            if !done[other] && length < known[other] && sees(areas, nodes[next], nodes[other]) {
                known[other] = length;
            }
        }
    }
}
