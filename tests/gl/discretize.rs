//! Cells drawn by OpenGL against the processor's exact ones: nothing is lost, hardly anything is added, and
//! what is closed is solid.

use crate::{context, sample};
use glam::{DMat3, DVec3, EulerRot};
use std::sync::Arc;
use wayloom::base::Backend;
use wayloom::base::{EntityId, Random};
use wayloom::document::Template;
use wayloom::document::mesh_library::MeshLibrary;
use wayloom::geometry::VoxelFrame;
use wayloom::jobs::JobContext;
use wayloom::nav::voxel::level::{frame_of_size, scene_of_level};
use wayloom::nav::voxel::{Discretizer, Sampling, SurfaceCell, VoxelObject, VoxelScene, Voxels};

/// How many random scenes; all 200 take half a minute where OpenGL is done by the processor.
fn cases() -> usize {
    let asked = std::env::var("WAYLOOM_CASES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(24)
}

fn by_gl() -> Option<Discretizer> {
    context()?;
    let gl = Discretizer::new(Backend::Gl);
    match gl.report() {
        None => Some(gl),
        Some(why) => panic!("there is OpenGL, and it does not do: {why}"),
    }
}

fn by_cpu(frame: VoxelFrame, scene: &Arc<VoxelScene>, sampling: Sampling) -> Voxels {
    Voxels::build(frame, Arc::clone(scene), sampling, &JobContext::default()).expect("done")
}

/// Cells of both, what only one has, and the share of surface cells that differ.
fn compare(name: &str, gl: &mut Discretizer, frame: VoxelFrame, scene: VoxelScene) {
    let scene = Arc::new(scene);
    let cpu = by_cpu(frame, &scene, Sampling::default());
    let drawn = gl
        .voxels(
            frame,
            Arc::clone(&scene),
            Sampling::default(),
            &JobContext::default(),
        )
        .expect("not cancelled");
    assert_eq!(gl.report(), None, "{name}");
    drawn.grid.check_invariants().expect("a sound grid");
    drawn
        .surfaces
        .check_invariants(&drawn.grid)
        .expect("sound surfaces");
    let (ours, our_forbidden) = cpu.grid.bits();
    let (theirs, their_forbidden) = drawn.grid.bits();
    assert_eq!(ours.count_beyond(&theirs), 0, "{name}: lost");
    assert_eq!(
        our_forbidden.count_beyond(&their_forbidden),
        0,
        "{name}: forbidden cells lost"
    );
    let places = |voxels: &Voxels| {
        let cells = voxels.surfaces.cells().iter();
        cells
            .map(SurfaceCell::place)
            .collect::<std::collections::BTreeSet<_>>()
    };
    let (a, b) = (places(&cpu), places(&drawn));
    let differing = a.symmetric_difference(&b).count();
    assert!(
        differing * 100 <= a.len(),
        "{name}: {differing} of {} surface cells differ, {} cells more than {}",
        a.len(),
        theirs.count_beyond(&ours),
        ours.count()
    );
    assert!(
        their_forbidden.count_beyond(&our_forbidden) * 100 <= our_forbidden.count().max(100),
        "{name}: forbidden cells added"
    );
}

#[test]
fn sample_levels_lose_nothing_and_gain_hardly_anything() {
    let Some(mut gl) = by_gl() else { return };
    let meshes = MeshLibrary::default();
    for template in Template::samples() {
        let level = sample(template.name());
        let scene = scene_of_level(&level, &meshes);
        // Towns and plains in cells that suit their size; the paper's own grid where there is one.
        let size = template.paper_grid().unwrap_or([120, 110, 40]);
        let frame = frame_of_size(&level, &scene, size).expect("small enough");
        compare(template.name(), &mut gl, frame, scene);
    }
}

fn boxed(centre: DVec3, half: DVec3, turn: DMat3) -> Vec<[DVec3; 3]> {
    let corner = |i: usize| {
        let side = |axis: usize| if i >> axis & 1 == 0 { -1.0 } else { 1.0 };
        centre + turn * (half * DVec3::new(side(0), side(1), side(2)))
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
    .flat_map(|face| {
        let [a, b, c, d] = face.map(corner);
        [[a, b, c], [a, c, d]]
    })
    .collect()
}

/// Boxes upright and turned, walls as thin as paper, loose and degenerate triangles, on a floor.
fn random_scene(case: usize) -> (VoxelFrame, VoxelScene) {
    let mut random = Random::stream(31, case as u64);
    let size = [0; 3].map(|_| 20 + random.below(50) as u32);
    let extent = DVec3::new(20.0, 24.0, 9.0);
    let frame = VoxelFrame::of_size(DVec3::ZERO, extent, size).expect("valid");
    let corner = |x: f64, y: f64| DVec3::new(extent.x * x, extent.y * y, 0.0);
    let [a, b, c, d] = [
        corner(0.0, 0.0),
        corner(1.0, 0.0),
        corner(1.0, 1.0),
        corner(0.0, 1.0),
    ];
    let floor = vec![[a, b, c], [a, c, d]];
    let mut objects = vec![VoxelObject::new(None, floor, false, false)];
    for id in 0..2 + random.below(14) as u64 {
        let mut point = |low: DVec3, high: DVec3| {
            DVec3::new(
                random.range(low.x, high.x),
                random.range(low.y, high.y),
                random.range(low.z, high.z),
            )
        };
        let centre = point(DVec3::splat(-1.0), extent + 1.0);
        let half = point(DVec3::splat(0.05), DVec3::new(4.0, 4.0, 2.0));
        let angles = point(DVec3::ZERO, DVec3::splat(6.0));
        let ends = [
            point(DVec3::ZERO, extent),
            point(DVec3::ZERO, extent),
            point(DVec3::ZERO, extent),
        ];
        let turn = if random.chance(0.5) {
            DMat3::from_euler(EulerRot::XYZ, angles.x, angles.y, angles.z)
        } else {
            DMat3::from_rotation_z(angles.x)
        };
        let forbidden = random.chance(0.3);
        let id = Some(EntityId::new(id + 1));
        objects.push(match random.below(5) {
            0 => {
                let wall = [
                    [ends[0], ends[1], ends[1] + DVec3::Z],
                    // A needle, and a triangle that is but a point.
                    [ends[0], ends[0].lerp(ends[2], 0.5), ends[2]],
                    [ends[0]; 3],
                ];
                VoxelObject::new(id, wall.to_vec(), false, forbidden)
            }
            1 => {
                let thin = DVec3::new(half.x, 1e-4, half.z);
                VoxelObject::new(id, boxed(centre, thin, turn), true, forbidden)
            }
            2 => {
                // Two bodies in one that overlap: wound around twice, and solid.
                let mut both = boxed(centre, half, turn);
                both.extend(boxed(centre + half * 0.5, half, turn));
                VoxelObject::new(id, both, true, forbidden)
            }
            _ => VoxelObject::new(id, boxed(centre, half, turn), true, forbidden),
        });
    }
    (frame, VoxelScene::new(objects))
}

#[test]
fn random_scenes_lose_nothing_and_gain_hardly_anything() {
    let Some(mut gl) = by_gl() else { return };
    for case in 0..cases() {
        let (frame, scene) = random_scene(case);
        compare(&format!("scene {case}"), &mut gl, frame, scene);
    }
}

#[test]
fn closed_bodies_are_solid_and_walls_that_are_edge_on_are_there() {
    let Some(mut gl) = by_gl() else { return };
    let frame = VoxelFrame::covering(DVec3::ZERO, DVec3::splat(10.0), 0.25, 0.25).expect("valid");
    let solid = |closed: bool| {
        let triangles = boxed(DVec3::splat(5.0), DVec3::splat(4.0), DMat3::IDENTITY);
        VoxelScene::new([VoxelObject::new(None, triangles, closed, false)])
    };
    let ctx = JobContext::default();
    let mut voxels = |scene: VoxelScene| {
        gl.voxels(frame, Arc::new(scene), Sampling::default(), &ctx)
            .expect("done")
    };
    let cell = |p: DVec3| frame.cells_from_world(p).floor().as_uvec3().to_array();
    let [x, y, z] = cell(DVec3::splat(5.0));
    let full = voxels(solid(true));
    assert!(full.grid.is_occupied(x, y, z));
    assert_eq!(full.grid.column(x, y).len(), 1);
    let hollow = voxels(solid(false));
    assert!(!hollow.grid.is_occupied(x, y, z));
    assert_eq!(hollow.grid.column(x, y).len(), 2);
    // The side of the hollow box, seen from above a line, is there from top to bottom.
    let [x, y, _] = cell(DVec3::new(1.0, 5.0, 5.0));
    assert_eq!(hollow.grid.column(x, y).len(), 1);
    // Turned inside out it is the same body.
    let mut turned = boxed(DVec3::splat(5.0), DVec3::splat(4.0), DMat3::IDENTITY);
    turned.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    let turned = voxels(VoxelScene::new([VoxelObject::new(
        None, turned, true, false,
    )]));
    assert_eq!(turned.grid, full.grid);
}

#[test]
fn weights_are_those_of_the_processor() {
    let Some(mut gl) = by_gl() else { return };
    let sampling = Sampling { by: 4 };
    for case in 0..4 {
        let (frame, scene) = random_scene(case);
        let scene = Arc::new(scene);
        let cpu = by_cpu(frame, &scene, sampling);
        let drawn = gl
            .voxels(frame, Arc::clone(&scene), sampling, &JobContext::default())
            .expect("done");
        let (mut same, mut off) = (0, 0);
        for cell in drawn.surfaces.cells() {
            if let Some(id) = cpu.surfaces.at(cell.place()) {
                let ours = cpu.surfaces.cells()[id.index()].weight;
                assert!(cell.weight >= ours, "{case}: {cell:?} weighed {ours}");
                if cell.weight == ours {
                    same += 1;
                } else {
                    off += 1;
                }
            }
        }
        assert!(off * 100 <= same, "{case}: {off} weights of {same} differ");
    }
}

#[test]
fn grids_larger_than_a_window_or_a_pass_have_no_seams() {
    let Some(mut gl) = by_gl() else { return };
    // More than 1024 columns one way, more than 32 layers, a roof across everything.
    let frame = VoxelFrame::new(DVec3::ZERO, 0.25, 0.25, [1100, 40, 90]).expect("valid");
    let high = frame.high();
    let roof = boxed(
        high * 0.5,
        high * DVec3::new(0.499, 0.45, 0.4),
        DMat3::from_rotation_y(0.01),
    );
    let scene = VoxelScene::new([VoxelObject::new(None, roof, true, false)]);
    compare("a long roof", &mut gl, frame, scene);
}

#[test]
fn without_opengl_the_cpu_takes_over_and_reports_it_only_if_opengl_was_requested() {
    let cpu = Discretizer::new(Backend::Cpu);
    assert_eq!((cpu.by(), cpu.report()), ("the processor", None));
    assert_eq!(Discretizer::new(Backend::Auto).report(), None);
}
