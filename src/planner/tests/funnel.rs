//! The cone of sight against all paths over the gates' ends.

use super::cases;
use crate::geometry::predicates::{Side, side};
use crate::planner::funnel::{Gate, shortest};
use crate::planner::metrics::length_in_plan;
use glam::DVec2;
use proptest::prelude::*;

/// Whether the line from `a` to `b` passes between the ends of a gate.
fn passes(a: DVec2, b: DVec2, gate: &Gate) -> bool {
    side(a, b, gate.left) != Side::Right && side(a, b, gate.right) != Side::Left
}

/// Shortest path over ends of gates, each step passing all gates between.
fn brute_force(start: DVec2, goal: DVec2, gates: &[Gate]) -> f64 {
    let mut nodes = vec![(0, start, 0.0)];
    let ends = |i: usize, gate: &Gate| [(i + 1, gate.left), (i + 1, gate.right)];
    let all: Vec<(usize, DVec2)> = gates
        .iter()
        .enumerate()
        .flat_map(|(i, gate)| ends(i, gate))
        .chain([(gates.len() + 1, goal)])
        .collect();
    for (level, p) in all {
        let best = nodes
            .iter()
            .filter(|(from, q, _)| {
                *from < level && gates[*from..level - 1].iter().all(|g| passes(*q, p, g))
            })
            .map(|(_, q, known)| known + q.distance(p))
            .fold(f64::INFINITY, f64::min);
        nodes.push((level, p, best));
    }
    nodes.last().map_or(f64::NAN, |(_, _, known)| *known)
}

/// Trapezoids stacked upwards, each joined to the one below by a gate.
fn stack() -> impl Strategy<Value = (DVec2, DVec2, Vec<Gate>)> {
    let gate = (-4_i32..5, 0_i32..5);
    (prop::collection::vec(gate, 1..9), -6_i32..7, -6_i32..7).prop_map(|(gates, from, to)| {
        let height = gates.len() as f64 + 1.0;
        let gates: Vec<Gate> = gates
            .iter()
            .enumerate()
            .map(|(i, (x, width))| {
                let y = i as f64 + 1.0;
                Gate {
                    left: DVec2::new(f64::from(*x), y),
                    right: DVec2::new(f64::from(x + width), y),
                }
            })
            .collect();
        let x = f64::from;
        (DVec2::new(x(from), 0.0), DVec2::new(x(to), height), gates)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(400)))]
    #[test]
    fn the_funnel_is_the_shortest_way_through_its_gates((start, goal, gates) in stack()) {
        let mut path = Vec::new();
        shortest(start, goal, &gates, &mut path);
        let expected = brute_force(start, goal, &gates);
        prop_assert!((length_in_plan(&path) - expected).abs() < 1e-9, "{:?}", path);
        prop_assert_eq!((path[0], path[path.len() - 1]), (start, goal));
        // Every waypoint between is a turn.
        for p in path.windows(3) {
            prop_assert!(side(p[0], p[1], p[2]) != Side::On);
        }
    }
}

#[test]
fn gates_around_a_corner_are_followed_by_more_than_half_a_turn() {
    let spoke = |angle: f64| DVec2::from_angle(angle) * 3.0;
    let gates: Vec<Gate> = (0..7)
        .map(|i| Gate {
            left: DVec2::ZERO,
            right: spoke(f64::from(i) * 0.7),
        })
        .collect();
    let mut path = Vec::new();
    let (start, goal) = (DVec2::new(2.0, -1.0), spoke(4.5));
    shortest(start, goal, &gates, &mut path);
    assert_eq!(path, [start, DVec2::ZERO, goal]);
}

#[test]
fn degenerate_gates_have_answers() {
    let p = DVec2::new(1.0, 1.0);
    let point = Gate { left: p, right: p };
    let mut path = Vec::new();
    shortest(DVec2::ZERO, DVec2::splat(2.0), &[point; 3], &mut path);
    assert_eq!(path, [DVec2::ZERO, DVec2::splat(2.0)]);
    shortest(p, p, &[point], &mut path);
    assert_eq!(path, [p, p]);
    shortest(DVec2::ZERO, DVec2::X, &[], &mut path);
    assert_eq!(path, [DVec2::ZERO, DVec2::X]);
}
