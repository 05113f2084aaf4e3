//! The adaptive domain as printed (Ninomiya et al. 2014, §4.4), for comparison.
//!
//! Every state remembers how many steps of its highway are left and how much weight was met on it,
//! from the transition that reached it best: a state in the middle of a highway has one successor.
//! So the graph depends on the order of expansions, and only a search from scratch can use it.

use super::domain::Domain;
use super::graph::Graph;
use super::runs::Density;
use crate::nav::constraint::lattice::DIRECTIONS;
use crate::planner::open_list::{Entry, OpenList};

const NONE: u32 = u32::MAX;

/// No highway.
const ANY: u8 = DIRECTIONS as u8;

#[derive(Clone, Copy, Debug)]
struct Node {
    g: f64,
    before: u32,
    is_closed: bool,
    /// Direction of its highway, steps that are left of it, and weight met on it.
    direction: u8,
    left: i32,
    sum: f64,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    pub cost: f64,
    pub expanded: usize,
    pub nodes: Vec<u32>,
}

/// A* over a dense domain with skips as printed; `None` if there is no path.
pub fn search(domain: &mut Domain, density: Density) -> Option<Printed> {
    let (start, goal) = (domain.start(), domain.goal());
    let goal_at = domain.point(goal);
    let mut nodes: Vec<Option<Node>> = vec![None; domain.len()];
    let mut open = OpenList::default();
    let mut expanded = 0;
    nodes[start as usize] = Some(Node {
        g: 0.0,
        before: NONE,
        is_closed: false,
        direction: ANY,
        left: 0,
        sum: 0.0,
    });
    let f = domain.point(start).distance(goal_at);
    open.push(Entry {
        f,
        g: 0.0,
        node: start,
    });
    while let Some(Entry { node, .. }) = open.pop() {
        let Some(at) = nodes[node as usize].filter(|at| !at.is_closed) else {
            continue;
        };
        nodes[node as usize] = Some(Node {
            is_closed: true,
            ..at
        });
        expanded += 1;
        if node == goal {
            let before = |node: &u32| nodes[*node as usize].map(|node| node.before);
            let mut path: Vec<u32> =
                std::iter::successors(Some(goal), |node| before(node).filter(|b| *b != NONE))
                    .collect();
            path.reverse();
            return Some(Printed {
                cost: at.g,
                expanded,
                nodes: path,
            });
        }
        let mut found: Vec<(u32, f64, u8, i32, f64)> = Vec::new();
        domain.successors(node, |next, cost| {
            if node == start || next == goal {
                found.push((next, cost, ANY, 0, 0.0));
            }
        });
        if node == start {
            // The paper's start is a state. Several would be beginnings of highways that cover what
            // the others leave out.
            found.sort_by(|a, b| a.1.total_cmp(&b.1));
            found.truncate(1);
        } else {
            steps_from(domain, node, &at, density, &mut found);
        }
        for (next, cost, direction, left, sum) in found {
            let known = Node {
                g: at.g + cost,
                before: node,
                is_closed: false,
                direction,
                left,
                sum,
            };
            let old = &mut nodes[next as usize];
            if old.is_some_and(|old| old.is_closed || old.g <= known.g) {
                continue;
            }
            *old = Some(known);
            let f = known.g + domain.point(next).distance(goal_at);
            open.push(Entry {
                f,
                g: known.g,
                node: next,
            });
        }
    }
    None
}

/// The step along a state's highway, or all steps where that has ended.
fn steps_from(
    domain: &mut Domain,
    node: u32,
    at: &Node,
    density: Density,
    found: &mut Vec<(u32, f64, u8, i32, f64)>,
) {
    let Some(costs) = domain.steps() else {
        return;
    };
    let mut step = |direction: usize, left: i32, sum: f64| {
        let next = costs.lattice().neighbour(node, direction)?;
        let cost = costs.cost(node, direction, next);
        let sum = sum + costs.size(next);
        let is_open = cost.is_finite();
        is_open.then_some((next, cost, direction as u8, left, sum))
    };
    if at.left > 0 && at.sum <= density.threshold {
        // Its only transition: where a wall is in the way it has none, which is why the paper finds
        // navigation near obstacles inaccurate.
        found.extend(step(usize::from(at.direction), at.left - 1, at.sum));
        return;
    }
    found.extend((0..DIRECTIONS).filter_map(|direction| step(direction, density.steps - 1, 0.0)));
}
