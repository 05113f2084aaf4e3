//! Discretisation against brute force: every triangle with every box, every cell with its
//! neighbours.

use super::test_world::{World, body, brute_force_step, cases, footing};
use super::*;
use crate::base::{EntityId, Random};
use crate::document::Action;
use crate::geometry::VoxelFrame;
use crate::jobs::JobContext;
use glam::DVec3;
use std::sync::Arc;

/// The 13 axes one by one, box by box (after Akenine-Möller), independent of the column ranges.
fn overlaps(triangle: &[DVec3; 3], centre: DVec3, half: DVec3, slack: f64) -> bool {
    let v = triangle.map(|corner| corner - centre);
    let edges = [v[1] - v[0], v[2] - v[1], v[0] - v[2]];
    let units = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut axes: Vec<DVec3> = units.to_vec();
    axes.push(edges[0].cross(edges[1]));
    for edge in edges {
        axes.extend(units.map(|unit| unit.cross(edge)));
    }
    axes.into_iter().all(|axis| {
        let along = v.map(|corner| corner.dot(axis));
        let radius = half.dot(axis.abs()) + slack * axis.length();
        let low = along.iter().copied().fold(f64::INFINITY, f64::min);
        let high = along.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        low <= radius && high >= -radius
    })
}

fn random_triangles(random: &mut Random, count: usize) -> Vec<[DVec3; 3]> {
    let mut point = |scale: f64| {
        let mut along = || random.range(-1.0, 1.0) * scale;
        DVec3::new(along(), along(), along())
    };
    (0..count)
        .map(|index| {
            let at = point(6.0);
            let scale = [0.3, 2.0, 8.0, 100.0][index % 4];
            let mut corners = [at, at + point(scale), at + point(scale)];
            // Flat, upright, thin and degenerate ones, and corners on walls between cells.
            match index % 7 {
                0 => corners.iter_mut().for_each(|corner| corner.z = at.z),
                1 => corners.iter_mut().for_each(|corner| corner.x = at.x),
                2 => corners[2] = corners[0].lerp(corners[1], 0.5),
                3 => corners[1] = corners[0],
                4 => corners
                    .iter_mut()
                    .for_each(|corner| *corner = corner.round()),
                _ => {}
            }
            corners
        })
        .collect()
}

fn voxels(frame: VoxelFrame, scene: VoxelScene) -> Voxels {
    Voxels::build(
        frame,
        Arc::new(scene),
        Sampling::default(),
        &JobContext::default(),
    )
    .expect("not cancelled")
}

#[test]
fn columns_touch_exactly_the_cells_that_no_axis_separates() {
    let frame =
        VoxelFrame::new(DVec3::new(-5.0, -4.0, -3.0), 0.5, 0.25, [20, 35, 24]).expect("valid");
    let mut random = Random::new(5);
    for round in 0..cases(3) {
        let triangles = random_triangles(&mut random, 14);
        for triangle in &triangles {
            let object = VoxelObject::new(None, vec![*triangle], false, false);
            let grid = voxels(frame, VoxelScene::new([object])).grid;
            grid.check_invariants().expect("sound");
            for x in 0..frame.size[0] {
                for y in 0..frame.size[1] {
                    for z in 0..frame.size[2] {
                        let (centre, half) = (frame.centre([x, y, z]), frame.steps() * 0.5);
                        let found = grid.is_occupied(x, y, z);
                        let inner = overlaps(triangle, centre, half, -1e-6);
                        let outer = overlaps(triangle, centre, half, 1e-6);
                        assert!(
                            (!inner || found) && (!found || outer),
                            "{round}: {x} {y} {z} of {triangle:?}: {found}, {inner}, {outer}"
                        );
                    }
                }
            }
        }
    }
}

fn box_triangles(low: DVec3, high: DVec3) -> Vec<[DVec3; 3]> {
    let corner = |i: usize| {
        let pick = |bit: usize, axis: usize| {
            if i >> bit & 1 == 0 {
                low[axis]
            } else {
                high[axis]
            }
        };
        DVec3::new(pick(0, 0), pick(1, 1), pick(2, 2))
    };
    [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ]
    .into_iter()
    .flat_map(|[a, b, c, d]| {
        let [a, b, c, d] = [a, b, c, d].map(corner);
        [[a, b, c], [a, c, d]]
    })
    .collect()
}

fn box_object(id: u64, low: [f64; 3], high: [f64; 3]) -> VoxelObject {
    let triangles = box_triangles(DVec3::from_array(low), DVec3::from_array(high));
    VoxelObject::new(Some(EntityId::new(id)), triangles, true, false)
}

#[test]
fn closed_bodies_are_solid_and_open_ones_hollow() {
    let frame = VoxelFrame::covering(DVec3::ZERO, DVec3::splat(10.0), 0.5, 0.5).expect("valid");
    let solid = box_object(1, [1.0, 1.0, 1.0], [9.0, 8.0, 7.0]);
    let mut hollow = solid.clone();
    hollow.closed = false;
    let inside = frame.cells_from_world(DVec3::splat(5.0)).floor().as_uvec3();
    let [x, y, z] = inside.to_array();
    let solid = voxels(frame, VoxelScene::new([solid])).grid;
    assert!(solid.is_occupied(x, y, z));
    // A solid box has one run in each of its columns.
    assert_eq!(solid.column(x, y).len(), 1);
    let hollow = voxels(frame, VoxelScene::new([hollow])).grid;
    assert!(!hollow.is_occupied(x, y, z));
    assert_eq!(hollow.column(x, y).len(), 2);
    // Rotated by any angle, overlapping another: still solid, and no spikes above or below.
    let mut random = Random::new(9);
    for _ in 0..cases(8) {
        let mut boxes = Vec::new();
        let mut oracle = Vec::new();
        for id in 0..3 {
            let turn = glam::DMat3::from_euler(
                glam::EulerRot::XYZ,
                random.range(0.0, 6.0),
                random.range(0.0, 6.0),
                random.range(0.0, 6.0),
            );
            let centre = DVec3::from_array([0; 3].map(|_| random.range(3.0, 7.0)));
            let half = DVec3::from_array([0; 3].map(|_| random.range(0.6, 2.5)));
            let triangles = box_triangles(-half, half)
                .into_iter()
                .map(|triangle| triangle.map(|corner| centre + turn * corner))
                .collect();
            boxes.push(VoxelObject::new(
                Some(EntityId::new(id)),
                triangles,
                true,
                false,
            ));
            oracle.push((turn.transpose(), centre, half));
        }
        let grid = voxels(frame, VoxelScene::new(boxes)).grid;
        for x in 0..frame.size[0] {
            for y in 0..frame.size[1] {
                for z in 0..frame.size[2] {
                    let at = frame.centre([x, y, z]);
                    let depth = oracle
                        .iter()
                        .map(|(back, centre, half)| {
                            (*half - (*back * (at - *centre)).abs()).min_element()
                        })
                        .fold(f64::NEG_INFINITY, f64::max);
                    let found = grid.is_occupied(x, y, z);
                    // Further off than half a cell's diagonal nothing is touched.
                    assert!(found || depth < 0.0, "{x} {y} {z}: a hole, {depth}");
                    assert!(!found || depth > -0.44, "{x} {y} {z}: a spike, {depth}");
                }
            }
        }
    }
}

#[test]
fn a_change_gives_what_a_build_from_scratch_gives() {
    let frame =
        VoxelFrame::covering(DVec3::ZERO, DVec3::new(40.0, 40.0, 6.0), 0.5, 0.25).expect("valid");
    let mut random = Random::new(3);
    let mut ground = box_object(0, [0.0, 0.0, -1.0], [40.0, 40.0, 0.2]);
    ground.id = None;
    let person = body(1.8, 1.2, 0.6, 0.7, 0.3);
    let mut objects = vec![Arc::new(ground)];
    let mut make = |id: u64| {
        let low = DVec3::new(random.range(0.0, 36.0), random.range(0.0, 36.0), 0.0);
        let size = DVec3::new(2.0, 2.0, random.range(0.1, 2.0));
        let mut object = box_object(id, low.to_array(), (low + size).to_array());
        object.forbidden = random.chance(0.3);
        Arc::new(object)
    };
    objects.extend((1..12).map(&mut make));
    let mut now = voxels(
        frame,
        VoxelScene {
            objects: objects.clone(),
        },
    );
    let cells = BodyCells::new(&person, &Action::ALL, Conduct::default(), &frame);
    let mut marks = Footing::build(cells.clone(), &now.surfaces);
    for round in 0..cases(8) {
        match round % 3 {
            0 => objects[1 + round as usize % 5] = make(1 + round % 5),
            1 => drop(objects.pop()),
            _ => objects.push(make(100 + round)),
        }
        let scene = Arc::new(VoxelScene {
            objects: objects.clone(),
        });
        let next = now.updated(scene, &JobContext::default()).expect("done");
        let fresh = voxels(
            frame,
            VoxelScene {
                objects: objects.clone(),
            },
        );
        assert!(next.touched.len() < 9, "{:?}", next.touched);
        assert_eq!(next.grid, fresh.grid);
        assert_eq!(next.surfaces, fresh.surfaces);
        let next_marks = marks.updated(&now.surfaces, &next);
        assert_eq!(next_marks, Footing::build(cells.clone(), &fresh.surfaces));
        next_marks.check_invariants(&next.surfaces).expect("sound");
        (now, marks) = (next, next_marks);
    }
}

#[test]
fn hostile_triangles_and_frames_do_no_harm() {
    let frame = VoxelFrame::new(DVec3::ZERO, 1.0, 1.0, [5, 5, 5]).expect("valid");
    let far = DVec3::splat(1e12);
    let triangles = vec![
        [DVec3::NAN; 3],
        [DVec3::ZERO, DVec3::INFINITY, DVec3::ONE],
        [-far, far, DVec3::new(1e12, -1e12, 0.0)],
        [DVec3::ZERO; 3],
        [far; 3],
    ];
    let object = VoxelObject::new(None, triangles, true, true);
    assert_eq!(object.triangles.len(), 3);
    let voxels = voxels(
        frame,
        VoxelScene::new([object, VoxelObject::new(None, vec![], true, false)]),
    );
    voxels.grid.check_invariants().expect("sound");
    voxels
        .surfaces
        .check_invariants(&voxels.grid)
        .expect("sound");
    assert!(VoxelScene::default().bounds().is_none());
}

#[test]
fn the_object_in_a_cell_is_named_forbidden_ones_first() {
    let frame = VoxelFrame::covering(DVec3::ZERO, DVec3::splat(8.0), 0.5, 0.5).expect("valid");
    let mut table = box_object(2, [2.0, 2.0, 0.0], [4.0, 4.0, 1.0]);
    table.forbidden = true;
    let voxels = voxels(
        frame,
        VoxelScene::new([box_object(1, [0.0, 0.0, -0.1], [8.0, 8.0, 0.1]), table]),
    );
    let cell = |p: DVec3| frame.cells_from_world(p).floor().as_uvec3().to_array();
    let [x, y, z] = cell(DVec3::new(3.0, 3.0, 0.05));
    let id = |object: Option<&VoxelObject>| object.and_then(|object| object.id);
    assert_eq!(id(voxels.object_in(x, y, z)), Some(EntityId::new(2)));
    let [x, y, z] = cell(DVec3::new(6.0, 3.0, 0.05));
    assert_eq!(id(voxels.object_in(x, y, z)), Some(EntityId::new(1)));
    assert_eq!(id(voxels.object_in(x, y, z + 3)), None);
}

#[test]
fn weights_tell_how_much_of_a_cell_is_there() {
    let frame = VoxelFrame::new(DVec3::ZERO, 1.0, 1.0, [4, 4, 4]).expect("valid");
    // A beam of a quarter of a cell's width, and a plate that fills its cells.
    let beam = box_object(1, [0.1, 2.3, 0.2], [3.9, 2.45, 0.6]);
    let plate = box_object(2, [0.01, 0.01, 0.2], [3.99, 1.99, 0.6]);
    let scene = Arc::new(VoxelScene::new([beam, plate]));
    let voxels = Voxels::build(frame, scene, Sampling { by: 4 }, &JobContext::default())
        .expect("not cancelled");
    let weight = |x, y| {
        let id = voxels.surfaces.column(x, y).next().expect("a cell");
        voxels.surfaces.cells()[id as usize].weight
    };
    assert_eq!(weight(1, 1), 255);
    assert_eq!(weight(1, 2), 255 / 4);
}

#[test]
fn surfaces_know_how_high_they_lie_in_their_cells() {
    let frame = VoxelFrame::new(DVec3::ZERO, 0.5, 0.25, [8, 8, 16]).expect("valid");
    for top in [0.3, 0.45, 1.0625, 2.9] {
        let slab = box_object(1, [0.1, 0.1, 0.05], [3.9, 3.9, top]);
        let voxels = voxels(frame, VoxelScene::new([slab]));
        let id = voxels
            .surfaces
            .under(DVec3::new(2.0, 2.0, 3.0), 0.0)
            .expect("there");
        let height = voxels.surfaces.point(id).z;
        assert!((height - top).abs() < 0.25 / 255.0, "{height} for {top}");
    }
}

#[test]
fn moves_are_those_that_the_rule_in_words_gives() {
    let mut random = Random::new(21);
    for round in 0..cases(9) {
        let world = World::random(&mut random, [9, 8, 9]);
        let surfaces = world.surfaces();
        let person = body(
            3.0,
            2.0,
            [0.0, 1.0, 2.0][round as usize % 3],
            [1.0, 2.0, 3.0][round as usize / 3 % 3],
            1.0,
        );
        let footing = footing(&surfaces, &person, Conduct::default());
        let reach = Reach::new(&surfaces, &footing, Borders::Ignore);
        for id in surfaces.ids() {
            let at = |id: SurfaceId| {
                let cell = surfaces.cells()[id.index()];
                [i32::from(cell.x), i32::from(cell.y), i32::from(cell.layer)]
            };
            if !footing.is_standable(id) {
                continue;
            }
            let mut found: Vec<(SurfaceId, Action)> = Vec::new();
            reach.moves_from(id, |step| found.push((step.cell, step.action)));
            found.sort();
            let mut expected: Vec<(SurfaceId, Action)> = surfaces
                .ids()
                .filter_map(|to| Some((to, brute_force_step(&world, &person, at(id), at(to))?)))
                .collect();
            expected.sort();
            // Long strides are omitted on level ground; everything reported must be right.
            if footing.is_flat(id) {
                assert!(found.iter().all(|step| expected.contains(step)), "{round}");
                assert_eq!(found.len(), 8);
            } else {
                assert_eq!(found, expected, "{round}: {:?}", at(id));
            }
            for (to, action) in &expected {
                assert_eq!(reach.action(id, *to), Some(*action));
                let mut back = false;
                reach.moves_into(*to, |step| {
                    back |= step.cell == id && step.action == *action;
                });
                assert!(back, "{round}: {:?} to {:?}", at(id), at(*to));
            }
        }
    }
}
