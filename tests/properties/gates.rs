//! The shortest path through gates, from and to places that lie on gates themselves.

use crate::cases;
use glam::DVec2;
use wayloom::base::Random;
use wayloom::geometry::predicates::{Side, side};
use wayloom::planner::funnel::{Gate, shortest};

/// Whether the line from `a` to `b` passes between the ends of a gate.
fn passes(a: DVec2, b: DVec2, gate: &Gate) -> bool {
    side(a, b, gate.left) != Side::Right && side(a, b, gate.right) != Side::Left
}

/// Least length over ends of gates, each step passing all gates between.
fn brute_force(start: DVec2, goal: DVec2, gates: &[Gate]) -> f64 {
    let mut nodes = vec![(0, start, 0.0)];
    let ends = gates
        .iter()
        .zip(1..)
        .flat_map(|(gate, number)| [(number, gate.left), (number, gate.right)]);
    for (level, p) in ends.chain([(gates.len() + 1, goal)]) {
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

fn length(path: &[DVec2]) -> f64 {
    path.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Level gates, one above the other on whole coordinates; some of them stand twice.
fn stack(random: &mut Random) -> Vec<Gate> {
    let mut gates = Vec::new();
    for y in 1..2 + random.below(7) {
        let x = random.below(9) as f64 - 4.0;
        let width = random.below(5) as f64;
        let gate = Gate {
            left: DVec2::new(x, y as f64),
            right: DVec2::new(x + width, y as f64),
        };
        gates.push(gate);
        if random.chance(0.2) {
            gates.push(gate);
        }
    }
    gates
}

/// A place on a gate: an end, or anywhere between.
fn on(random: &mut Random, gate: Gate) -> DVec2 {
    match random.below(3) {
        0 => gate.left,
        1 => gate.right,
        _ => {
            let width = (gate.right.x - gate.left.x) as usize;
            gate.left + DVec2::X * random.below(width + 1) as f64
        }
    }
}

/// One of the eight symmetries of the square; mirroring makes left right.
fn seen(number: usize, p: DVec2) -> DVec2 {
    let p = if number & 1 == 0 { p } else { p.perp() };
    let p = if number & 2 == 0 { p } else { -p };
    if number & 4 == 0 {
        p
    } else {
        DVec2::new(-p.x, p.y)
    }
}

#[test]
fn starts_and_goals_on_gates_have_shortest_paths() {
    for seed in 0..cases(2000) {
        let mut random = Random::new(seed);
        let gates = stack(&mut random);
        let (first, last) = (gates[0], gates[gates.len() - 1]);
        let below = DVec2::new(random.below(13) as f64 - 6.0, 0.0);
        let above = DVec2::new(random.below(13) as f64 - 6.0, last.left.y + 1.0);
        let start = if random.chance(0.7) {
            on(&mut random, first)
        } else {
            below
        };
        let goal = if random.chance(0.5) {
            on(&mut random, last)
        } else {
            above
        };
        let expected = brute_force(start, goal, &gates);
        for number in 0..8 {
            let mirrored = number & 4 != 0;
            let turned: Vec<Gate> = gates
                .iter()
                .map(|gate| {
                    let (left, right) = (seen(number, gate.left), seen(number, gate.right));
                    if mirrored {
                        Gate {
                            left: right,
                            right: left,
                        }
                    } else {
                        Gate { left, right }
                    }
                })
                .collect();
            let (from, to) = (seen(number, start), seen(number, goal));
            let mut path = Vec::new();
            shortest(from, to, &turned, &mut path);
            let about =
                format!("seed {seed} seen {number}: {from} to {to} by {turned:?}: {path:?}");
            assert!(
                (length(&path) - expected).abs() < 1e-9,
                "{expected}: {about}"
            );
            assert_eq!((path[0], path[path.len() - 1]), (from, to), "{about}");
            for turn in path.windows(3) {
                assert!(side(turn[0], turn[1], turn[2]) != Side::On, "{about}");
            }
        }
    }
}
