//! The paper's figures as voxel worlds, and searches against a brute-force closure.

use super::front::Until;
use super::*;
use crate::base::Random;
use crate::document::{Action, Body};
use crate::jobs::JobContext;
use crate::nav::voxel::test_world::{World, body, brute_force_step, cases, footing};
use crate::nav::voxel::{
    Borders, CellPlace, Conduct, Footing, Neighbours, Reach, SurfaceCells, SurfaceId,
};
use std::collections::BTreeMap;

fn cell(surfaces: &SurfaceCells, x: u16, y: u16, layer: u16) -> SurfaceId {
    surfaces
        .at(CellPlace { x, y, layer })
        .unwrap_or_else(|| panic!("no surface at {x}, {y}, {layer}"))
}

fn no_border() -> Conduct {
    Conduct {
        border_layers: Some(0),
        ..Conduct::AS_PRINTED
    }
}

fn one_border() -> Conduct {
    Conduct {
        border_layers: Some(1),
        ..Conduct::AS_PRINTED
    }
}

fn plan(
    surfaces: &SurfaceCells,
    footing: &Footing,
    from: SurfaceId,
    to: SurfaceId,
) -> Option<CellPath> {
    let reach = Reach::new(surfaces, footing, Borders::Avoid);
    let goals = Goals::new(surfaces, [to]);
    let traversable = TraversableCells::between(reach, &[from], &goals);
    Astar::default().plan(&traversable, from, &goals)
}

fn places(surfaces: &SurfaceCells, path: &CellPath) -> Vec<[u16; 3]> {
    path.cells
        .iter()
        .map(|id| {
            let cell = surfaces.cells()[id.index()];
            [cell.x, cell.y, cell.layer]
        })
        .collect()
}

/// Stairs up to a balcony behind a gap of one cell, with a shelf too low above it.
fn balcony() -> World {
    let mut world = World::floor([20, 5, 16]);
    // Stairs with one cell per step, from x = 2 to x = 7, seven cells high at the top.
    for step in 0..7 {
        world = world.block(2 + step..3 + step, 1..4, 1 + step..2 + step);
    }
    world
        // The landing, a gap at x = 11, then the balcony: thin slabs with room below.
        .block(9..11, 1..4, 7..8)
        .block(12..18, 1..4, 7..8)
        // Too low to stand under: two empty cells above the balcony's far end, with a standable
        // top.
        .block(12..18, 1..4, 10..11)
}

#[test]
fn fig_9_of_three_cells_over_each_other_only_the_right_one_is_stepped_on() {
    let world = balcony();
    let surfaces = world.surfaces();
    // The shelf leaves two cells and the figure's human is two cells high: a2 is standable. a3 is
    // the shelf's top, higher than a step; a1 is the floor, far below.
    let human = body(2.0, 2.0, 1.0, 2.0, 1.0);
    let footing = footing(&surfaces, &human, no_border());
    let reach = Reach::new(&surfaces, &footing, Borders::Ignore);
    let b2 = cell(&surfaces, 10, 2, 7);
    let [a1, a2, a3] = [0, 7, 10].map(|layer| cell(&surfaces, 12, 2, layer));
    assert_eq!(reach.action(b2, a1), None, "below by more than a step");
    assert_eq!(reach.action(b2, a2), Some(Action::Walk), "one long step");
    assert_eq!(reach.action(b2, a3), None, "above by more than a step");
    // Not immediately reachable, but connected by the stairs.
    let path = plan(&surfaces, &footing, b2, a1).expect("down the stairs");
    assert!(path.actions.contains(&Action::StepDown));
    assert!(plan(&surfaces, &footing, a1, a2).is_some(), "and up again");
    assert!(
        plan(&surfaces, &footing, a1, a3).is_none(),
        "the shelf is out of reach"
    );
    // Under the low end of the stairs there is no room to stand.
    let under_stairs = surfaces.at(CellPlace {
        x: 3,
        y: 2,
        layer: 0,
    });
    assert!(under_stairs.is_none_or(|id| !footing.is_standable(id)));
    // A taller body cannot stand on the balcony unless it may bend.
    let tall = self::footing(&surfaces, &body(3.0, 3.0, 1.0, 2.0, 1.0), no_border());
    assert!(plan(&surfaces, &tall, b2, a2).is_none());
    let bending = self::footing(&surfaces, &body(3.0, 2.0, 1.0, 2.0, 1.0), no_border());
    let path = plan(&surfaces, &bending, b2, a2).expect("bent");
    assert_eq!(path.actions.last(), Some(&Action::Bend));
    // A body with short legs cannot cross the gap unless it jumps.
    let short = self::footing(&surfaces, &body(2.0, 2.0, 0.0, 1.0, 1.0), no_border());
    assert!(plan(&surfaces, &short, b2, a2).is_none());
    let jumping = self::footing(&surfaces, &body(2.0, 2.0, 1.0, 1.0, 1.0), no_border());
    let path = plan(&surfaces, &jumping, b2, a2).expect("jumped");
    assert_eq!(path.actions, [Action::Walk, Action::Jump]);
}

/// Two large blocks with a higher, smaller one between them, on a floor within a step of the large
/// ones but not of the small one.
fn blocks() -> World {
    World::floor([19, 5, 10])
        .block(2..7, 0..5, 1..2)
        .block(8..11, 0..5, 1..3)
        .block(12..17, 0..5, 1..2)
}

#[test]
fn fig_11_all_reachable_neighbours_are_looked_at_and_not_only_the_nearest() {
    let world = blocks();
    let surfaces = world.surfaces();
    let human = body(3.0, 3.0, 1.0, 1.0, 1.0);
    for neighbours in [Neighbours::Four, Neighbours::Eight] {
        let conduct = Conduct {
            neighbours,
            ..no_border()
        };
        let footing = footing(&surfaces, &human, conduct);
        let reach = Reach::new(&surfaces, &footing, Borders::Ignore);
        let a = cell(&surfaces, 6, 2, 1);
        let b = cell(&surfaces, 7, 2, 0);
        let c = cell(&surfaces, 8, 2, 2);
        assert_eq!(reach.action(a, b), Some(Action::StepDown));
        assert_eq!(reach.action(b, c), None);
        assert_eq!(reach.action(a, c), Some(Action::Jump));
        let far = cell(&surfaces, 15, 2, 1);
        let path = plan(&surfaces, &footing, a, far).expect("over the middle block");
        assert!(places(&surfaces, &path).contains(&[8, 2, 2]));
        let jumps = path
            .actions
            .iter()
            .filter(|action| **action == Action::Jump);
        assert_eq!(jumps.count(), 2, "one up, one down");
        let traversable = TraversableCells::new(reach);
        let front = Front::spread(&traversable, &[a], Until::Burnt, &JobContext::default())
            .expect("not cancelled");
        assert!(front.level(c).is_some());
        // Bodies that cannot jump are stopped by the floor between the blocks.
        let walker = self::footing(&surfaces, &body(3.0, 3.0, 0.0, 1.0, 1.0), conduct);
        assert!(plan(&surfaces, &walker, a, c).is_none());
    }
}

#[test]
fn fig_12_the_border_is_on_the_side_that_cannot_leave() {
    // A high platform in the middle of a floor: its edge is border, the floor beside it is not.
    let world = World::floor([15, 15, 14]).block(5..10, 5..10, 8..9);
    let surfaces = world.surfaces();
    let human = body(3.0, 3.0, 0.0, 1.0, 1.0);
    for border_neighbours in [Neighbours::Four, Neighbours::Eight] {
        let conduct = Conduct {
            border_neighbours,
            ..one_border()
        };
        let footing = footing(&surfaces, &human, conduct);
        for id in surfaces.ids() {
            let place = surfaces.cells()[id.index()];
            let within = |low: u16, high: u16| {
                (low..high).contains(&place.x) && (low..high).contains(&place.y)
            };
            let expected = if place.layer == 0 {
                !within(1, 14)
            } else {
                !within(6, 9)
            };
            assert_eq!(footing.is_border(id), expected, "{place:?}");
        }
    }
    // Two platforms within a step of each other: no border between them, one around both.
    let world = World::floor([20, 9, 14])
        .block(3..9, 2..7, 8..9)
        .block(10..16, 2..7, 8..9);
    let surfaces = world.surfaces();
    let footing = footing(&surfaces, &body(3.0, 3.0, 0.0, 2.0, 1.0), one_border());
    for (x, border) in [(3, true), (4, false), (8, false), (10, false), (15, true)] {
        assert_eq!(footing.is_border(cell(&surfaces, x, 4, 8)), border, "{x}");
    }
    assert!(
        (3..9)
            .chain(10..16)
            .all(|x| footing.is_border(cell(&surfaces, x, 2, 8)))
    );
    // The path across keeps off the border.
    let (from, to) = (cell(&surfaces, 5, 4, 8), cell(&surfaces, 13, 4, 8));
    let path = plan(&surfaces, &footing, from, to).expect("across the gap");
    assert!(path.cells.iter().all(|id| !footing.is_border(*id)));
}

#[test]
fn borders_have_as_many_layers_as_asked_for() {
    let world = World::floor([12, 12, 6]);
    let surfaces = world.surfaces();
    let conduct = Conduct {
        border_layers: Some(3),
        ..Conduct::AS_PRINTED
    };
    let footing = footing(&surfaces, &body(3.0, 3.0, 0.0, 1.0, 1.0), conduct);
    for id in surfaces.ids() {
        let place = surfaces.cells()[id.index()];
        let ring = place.x.min(place.y).min(11 - place.x).min(11 - place.y);
        let expected = if ring < 3 { ring as u8 + 1 } else { 0 };
        assert_eq!(footing.border_layer(id), expected, "{place:?}");
    }
}

#[test]
fn fig_14_and_19_forbidden_things_are_gone_around_and_never_stepped_on_or_over() {
    let human = body(3.0, 3.0, 0.0, 2.0, 1.0);
    let floor = || World::floor([17, 11, 8]);
    // One cell high: low enough to step on if it were not forbidden. One cell wide: narrow enough
    // to step over.
    let table = (8..9, 3..8, 1..2);
    let free = floor().block(table.0.clone(), table.1.clone(), table.2.clone());
    let forbidden = floor().forbidden(table.0.clone(), table.1.clone(), table.2.clone());
    let across = |world: &World, conduct: Conduct| {
        let surfaces = world.surfaces();
        let footing = footing(&surfaces, &human, conduct);
        let (from, to) = (cell(&surfaces, 6, 5, 0), cell(&surfaces, 10, 5, 0));
        let path = plan(&surfaces, &footing, from, to).expect("a path");
        (places(&surfaces, &path), path.cost)
    };
    let (cells, cost) = across(&free, no_border());
    assert_eq!(cost, 4);
    assert!(cells.iter().any(|place| place[2] == 1), "steps onto it");
    for conduct in [no_border(), one_border()] {
        let (cells, cost) = across(&forbidden, conduct);
        assert!(cost > 4);
        assert!(cells.iter().all(|place| place[2] == 0));
        // Crosses the table's line beyond one of its ends.
        for pair in cells.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if a[0] < 8 && b[0] > 8 {
                assert!(a[1].max(b[1]) < 3 || a[1].min(b[1]) > 7, "{a:?} to {b:?}");
            }
            assert!(b[0] != 8 || !(3..8).contains(&b[1]));
        }
    }
    // As a hole, the mistake of Fig. 14: those cells are neither solid nor absent, and the floor
    // beneath leads straight through.
    let (_, cost) = across(&floor(), no_border());
    assert_eq!(cost, 4);
}

#[test]
fn fig_5_a_diagonal_between_two_obstacles_is_not_taken() {
    let world = World::floor([6, 6, 8])
        .block(2..3, 3..4, 1..6)
        .block(3..4, 2..3, 1..6);
    let surfaces = world.surfaces();
    let human = body(3.0, 3.0, 0.0, 1.0, 1.0);
    let (from, to) = (cell(&surfaces, 2, 2, 0), cell(&surfaces, 3, 3, 0));
    for neighbours in [Neighbours::Four, Neighbours::Eight] {
        let footing = footing(
            &surfaces,
            &human,
            Conduct {
                neighbours,
                ..no_border()
            },
        );
        let path = plan(&surfaces, &footing, from, to).expect("round them");
        assert_eq!(path.cost, 6, "{neighbours:?}");
    }
}

#[test]
fn fig_7_the_way_back_prefers_orthogonal_moves() {
    let world = World::floor([12, 12, 5]);
    let surfaces = world.surfaces();
    let footing = footing(&surfaces, &body(3.0, 3.0, 0.0, 1.0, 1.0), no_border());
    let (from, to) = (cell(&surfaces, 1, 1, 0), cell(&surfaces, 4, 9, 0));
    let traversable = TraversableCells::new(Reach::new(&surfaces, &footing, Borders::Ignore));
    let front = Front::spread(&traversable, &[from], Until::Burnt, &JobContext::default())
        .expect("not cancelled");
    let path = front.path_to(&traversable, to).expect("there");
    let cells = places(&surfaces, &path);
    assert_eq!(cells.len(), 9);
    // Straight back from the goal as far as possible, then diagonally to the start.
    assert!(cells[3..].iter().all(|place| place[0] == 4), "{cells:?}");
    assert!((0..4).all(|i| cells[i] == [1 + i as u16, 1 + i as u16, 0]));
}

#[test]
fn fig_16_a_gap_without_room_for_the_border_is_not_used_where_there_is_another_way() {
    // A wall with a gap of two cells nearby and one of five cells far away.
    let world = World::floor([21, 30, 6])
        .block(10..11, 0..5, 1..6)
        .block(10..11, 7..24, 1..6)
        .block(10..11, 29..30, 1..6);
    let surfaces = world.surfaces();
    let human = body(3.0, 3.0, 0.0, 2.0, 1.0);
    let (from, to) = (cell(&surfaces, 5, 6, 0), cell(&surfaces, 15, 6, 0));
    let narrow = footing(&surfaces, &human, no_border());
    assert_eq!(
        plan(&surfaces, &narrow, from, to).expect("straight").cost,
        10
    );
    let wide = footing(&surfaces, &human, one_border());
    let path = plan(&surfaces, &wide, from, to).expect("the long path");
    assert!(path.cost > 30);
    assert!(places(&surfaces, &path).iter().any(|place| place[1] >= 25));
    // The border can be left and entered.
    let corner = cell(&surfaces, 0, 0, 0);
    assert!(wide.is_border(corner));
    assert!(plan(&surfaces, &wide, corner, to).is_some());
    assert!(plan(&surfaces, &wide, to, corner).is_some());
}

#[test]
fn where_several_actions_lead_as_far_the_designers_order_decides() {
    // Two paths of equal length around a pillar: one under a beam, one over a kerb.
    let world = World::floor([9, 9, 8])
        .block(4..5, 3..6, 1..8)
        .block(4..5, 0..3, 1..2)
        .block(4..5, 6..9, 3..4);
    let surfaces = world.surfaces();
    let human = body(3.0, 2.0, 0.0, 1.0, 1.0);
    let (from, to) = (cell(&surfaces, 0, 4, 0), cell(&surfaces, 8, 4, 0));
    let preferred = |first: Action, then: Action| {
        use crate::nav::voxel::BodyCells;
        let mut order: Vec<Action> = vec![Action::Walk, first];
        order.extend(
            Action::ALL
                .into_iter()
                .filter(|a| ![Action::Walk, first, then].contains(a)),
        );
        order.push(then);
        let order: [Action; 5] = order.try_into().expect("five");
        let cells = BodyCells::new(&human, &order, no_border(), &surfaces.frame);
        let footing = Footing::build(cells, &surfaces);
        let traversable = TraversableCells::new(Reach::new(&surfaces, &footing, Borders::Ignore));
        let front = Front::spread(&traversable, &[from], Until::Burnt, &JobContext::default())
            .expect("not cancelled");
        front.path_to(&traversable, to).expect("a path").actions
    };
    assert!(preferred(Action::Bend, Action::StepDown).contains(&Action::Bend));
    let over = preferred(Action::StepDown, Action::Bend);
    assert!(over.contains(&Action::StepUp) && !over.contains(&Action::Bend));
}

/// Costs of all reachable cells, by relaxation until nothing changes.
fn closure(
    world: &World,
    surfaces: &SurfaceCells,
    human: &Body,
    start: SurfaceId,
) -> BTreeMap<SurfaceId, u32> {
    let at = |id: SurfaceId| {
        let cell = surfaces.cells()[id.index()];
        [i32::from(cell.x), i32::from(cell.y), i32::from(cell.layer)]
    };
    let mut moves = Vec::new();
    for a in surfaces.ids() {
        for b in surfaces.ids() {
            let (p, q) = (at(a), at(b));
            let span = (p[0] - q[0]).abs().max((p[1] - q[1]).abs());
            if span <= 4 && brute_force_step(world, human, p, q).is_some() {
                moves.push((a, b, span as u32));
            }
        }
    }
    let mut costs = BTreeMap::from([(start, 0)]);
    let mut changed = true;
    while changed {
        changed = false;
        for (a, b, cost) in &moves {
            let Some(next) = costs.get(a).map(|before| before + cost) else {
                continue;
            };
            if costs.get(b).is_none_or(|known| next < *known) {
                costs.insert(*b, next);
                changed = true;
            }
        }
    }
    costs
}

fn check_path(traversable: &TraversableCells<'_>, path: &CellPath) {
    assert_eq!(path.cells.len(), path.actions.len());
    for (pair, action) in path.cells.windows(2).zip(&path.actions[1..]) {
        assert_eq!(traversable.reach.action(pair[0], pair[1]), Some(*action));
    }
    assert_eq!(smooth::cost_of(traversable, &path.cells), path.cost);
    assert_eq!(path.junctions.first(), Some(&0));
    assert_eq!(path.junctions.last(), Some(&(path.cells.len() - 1)));
    assert!(path.junctions.is_sorted());
}

#[test]
fn a_path_exists_exactly_when_the_closure_says_so_and_is_shortest_in_its_metric() {
    let mut random = Random::new(77);
    let mut found = 0;
    for round in 0..cases(7) {
        let world = World::random(&mut random, [8, 7, 8]);
        let surfaces = world.surfaces();
        let human = body(
            3.0,
            2.0,
            [0.0, 1.0, 2.0][round as usize % 3],
            [1.0, 2.0][round as usize % 2],
            1.0,
        );
        let footing = footing(&surfaces, &human, no_border());
        let traversable = TraversableCells::new(Reach::new(&surfaces, &footing, Borders::Ignore));
        let standable: Vec<SurfaceId> = surfaces
            .ids()
            .filter(|id| footing.is_standable(*id))
            .collect();
        let Some(start) = random.pick(&standable).copied() else {
            continue;
        };
        let expected = closure(&world, &surfaces, &human, start);
        let front = Front::spread(&traversable, &[start], Until::Burnt, &JobContext::default())
            .expect("not cancelled");
        let mut search = Astar::default();
        for goal in surfaces.ids() {
            assert_eq!(front.level(goal), expected.get(&goal).copied(), "{round}");
        }
        assert_eq!(front.cells().len(), expected.len());
        let by_level: usize = (0..front.level_count())
            .map(|l| front.cells_at(l).len())
            .sum();
        assert_eq!(by_level, expected.len());
        for _ in 0..12 {
            let Some(goal) = random.pick(&standable).copied() else {
                break;
            };
            let goals = Goals::new(&surfaces, [goal]);
            let path = search.plan(&traversable, start, &goals);
            assert_eq!(
                path.as_ref().map(|path| path.cost),
                expected.get(&goal).copied()
            );
            if let Some(path) = path {
                found += 1;
                check_path(&traversable, &path);
                let by_front = front
                    .path_to(&traversable, goal)
                    .expect("the front came there");
                check_path(&traversable, &by_front);
                for smoothing in [Smoothing::Junctions, Smoothing::Full] {
                    let smooth = smoothed(&traversable, &path, smoothing);
                    check_path(&traversable, &smooth);
                    assert_eq!(smooth.cost, path.cost, "never longer, and shortest before");
                    assert_eq!(smooth.cells.first(), path.cells.first());
                    assert_eq!(smooth.cells.last(), path.cells.last());
                    let points = smooth.points(&surfaces);
                    assert!(points.iter().all(|point| point.is_finite()));
                }
            }
        }
        // The nearest of several goals, or all of them.
        let some: Vec<SurfaceId> = (0..12)
            .filter_map(|_| random.pick(&standable).copied())
            .collect();
        let goals = Goals::new(&surfaces, some.iter().copied());
        let nearest = some
            .iter()
            .filter_map(|goal| expected.get(goal))
            .min()
            .copied();
        assert_eq!(
            search
                .plan(&traversable, start, &goals)
                .map(|path| path.cost),
            nearest
        );
        let first = Front::spread(
            &traversable,
            &[start],
            Until::First(&goals),
            &JobContext::default(),
        )
        .expect("not cancelled");
        assert_eq!(
            first
                .reached()
                .and_then(|goal| expected.get(&goal).copied()),
            nearest
        );
        let all = Front::spread(
            &traversable,
            &[start],
            Until::All(&goals),
            &JobContext::default(),
        )
        .expect("not cancelled");
        assert!(
            some.iter()
                .all(|goal| all.level(*goal) == expected.get(goal).copied())
        );
    }
    assert!(found > 20, "only {found} paths: the worlds are too hard");
}

#[test]
fn fig_13_smoothing_takes_the_straight_line_where_every_cell_can_be_walked() {
    // A block cuts the corner of a bend; the ground beyond it is free.
    let world = World::floor([30, 20, 6]).block(8..12, 0..9, 1..6);
    let surfaces = world.surfaces();
    let footing = footing(&surfaces, &body(3.0, 3.0, 0.0, 1.0, 1.0), one_border());
    let (from, to) = (cell(&surfaces, 3, 2, 0), cell(&surfaces, 26, 12, 0));
    let path = plan(&surfaces, &footing, from, to).expect("a path");
    let traversable = TraversableCells::new(Reach::new(&surfaces, &footing, Borders::Avoid));
    let length = |path: &CellPath| {
        let points = path.points(&surfaces);
        points
            .windows(2)
            .map(|pair| pair[0].distance(pair[1]))
            .sum::<f64>()
    };
    let some = smoothed(&traversable, &path, Smoothing::Junctions);
    let full = smoothed(&traversable, &path, Smoothing::Full);
    for smooth in [&some, &full] {
        check_path(&traversable, smooth);
        assert!(smooth.cells.iter().all(|id| !footing.is_border(*id)));
        assert_eq!(smooth.cost, path.cost);
    }
    assert!(length(&some) <= length(&path) && length(&full) <= length(&some) + 1e-9);
    // No shorter than a taut string around the border of the block.
    let corner = glam::DVec2::new(7.5, 9.5);
    let second = glam::DVec2::new(12.5, 9.5);
    let taut = corner.distance(glam::DVec2::new(3.5, 2.5))
        + corner.distance(second)
        + second.distance(glam::DVec2::new(26.5, 12.5));
    assert!(
        length(&full) >= taut - 1.5 && length(&full) <= taut * 1.05,
        "{} {taut}",
        length(&full)
    );
}

#[test]
fn fig_15_a_ruptured_path_is_mended_in_its_middle_alone() {
    let before = World::floor([40, 15, 6]);
    let surfaces = before.surfaces();
    let human = body(3.0, 3.0, 0.0, 1.0, 1.0);
    let old = footing(&surfaces, &human, no_border());
    let (from, to) = (cell(&surfaces, 2, 7, 0), cell(&surfaces, 37, 7, 0));
    let path = plan(&surfaces, &old, from, to).expect("straight");
    let steps: Vec<CellPlace> = path
        .cells
        .iter()
        .map(|id| surfaces.cells()[id.index()].place())
        .collect();
    let after = before.clone().block(18..21, 4..10, 1..6);
    let surfaces = after.surfaces();
    let new = footing(&surfaces, &human, no_border());
    let reach = Reach::new(&surfaces, &new, Borders::Avoid);
    let mut search = Astar::default();
    let Rerouted::Repaired {
        path,
        middle,
        rupture,
        expanded,
    } = rerouted(&mut search, reach, &steps, 0, Smoothing::None)
    else {
        panic!("it leads through the block");
    };
    check_path(&TraversableCells::new(reach), &path);
    let cells = places(&surfaces, &path);
    assert_eq!((cells[0], cells[cells.len() - 1]), ([2, 7, 0], [37, 7, 0]));
    assert_eq!(rupture, [15, 19]);
    // C is the last cell before the block, and the middle ends on the old path behind it.
    let middle: Vec<[u16; 3]> = places(
        &surfaces,
        &CellPath {
            cells: middle,
            ..CellPath::default()
        },
    );
    assert_eq!(middle[0], [17, 7, 0]);
    let end = middle[middle.len() - 1];
    assert!(end[1] == 7 && end[0] > 20, "{end:?}");
    assert!(cells[..15].iter().all(|place| place[1] == 7));
    assert!(expanded < 15 * 40 / 2, "{expanded}");
    // Beyond the block there is nothing to repair; a wall all across leaves no path.
    assert_eq!(
        rerouted(&mut search, reach, &steps, 25, Smoothing::None),
        Rerouted::Intact
    );
    let walled = before.clone().block(18..21, 0..15, 1..6).surfaces();
    let shut = footing(&walled, &human, no_border());
    let reach = Reach::new(&walled, &shut, Borders::Avoid);
    assert_eq!(
        rerouted(&mut search, reach, &steps, 0, Smoothing::None),
        Rerouted::Lost { at: 16 }
    );
}

#[test]
fn a_goal_may_be_a_region() {
    use crate::geometry::{Polygon, Rect};
    use glam::DVec2;
    let world = World::floor([20, 20, 12]).block(12..18, 12..18, 8..9);
    let surfaces = world.surfaces();
    let footing = footing(&surfaces, &body(3.0, 3.0, 0.0, 1.0, 1.0), no_border());
    let area = Polygon::rect(Rect::new(DVec2::splat(10.0), DVec2::splat(14.0)));
    let ground = Goals::region(&surfaces, &footing, &area, 0.0..=4.0);
    assert_eq!(ground.cells().len(), 16);
    let roof = Goals::region(&surfaces, &footing, &area, 5.0..=20.0);
    assert_eq!(roof.cells().len(), 4);
    let traversable = TraversableCells::new(Reach::new(&surfaces, &footing, Borders::Ignore));
    let start = cell(&surfaces, 2, 2, 0);
    let mut search = Astar::default();
    assert_eq!(
        search
            .plan(&traversable, start, &ground)
            .map(|path| path.cost),
        Some(8)
    );
    assert_eq!(search.plan(&traversable, start, &roof), None);
    let everywhere = Polygon::rect(Rect::new(DVec2::splat(-1e9), DVec2::splat(1e9)));
    assert_eq!(
        Goals::region(&surfaces, &footing, &everywhere, 0.0..=4.0)
            .cells()
            .len(),
        400
    );
    assert!(Goals::region(&surfaces, &footing, &Polygon::default(), 0.0..=4.0).is_empty());
}
