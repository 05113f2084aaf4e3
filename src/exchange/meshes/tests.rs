//! Meshes are found, read again, copied and followed.

use super::*;
use crate::document::PlannerId;
use crate::document::validate::{Code, check_meshes, validate};
use crate::document::{Document, ops};
use crate::exchange::import::{ImportRequest, MeshOptions, import};
use crate::geometry::Aabb;
use crate::nav::voxel::VoxelOptions;
use crate::nav::{BakeRequest, NavBundle};
use crate::planner::{Answer, PathRequest, registry};
use glam::DVec3;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("wayloom-meshes-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn put(&self, name: &str, contents: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
        fs::write(&path, contents).expect("written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A box between two corners, z up.
fn block(low: [f64; 3], high: [f64; 3], first: usize) -> String {
    let mut text = String::new();
    for i in 0..8 {
        let pick = |axis: usize| {
            if i >> axis & 1 == 0 {
                low[axis]
            } else {
                high[axis]
            }
        };
        text += &format!("v {} {} {}\n", pick(0), pick(1), pick(2));
    }
    for face in [
        [1, 3, 4, 2],
        [5, 6, 8, 7],
        [1, 2, 6, 5],
        [3, 7, 8, 4],
        [1, 5, 7, 3],
        [2, 4, 8, 6],
    ] {
        let [a, b, c, d] = face.map(|i| i + first);
        text += &format!("f {a} {b} {c} {d}\n");
    }
    text
}

/// A lower floor below zero, an upper one, and steps of 0.2 m between them.
fn house() -> String {
    let mut text = "mtllib house.mtl\nusemtl Stone\n".to_owned();
    let mut blocks = vec![
        ([0.0, 0.0, -1.0], [10.0, 6.0, -0.5]),
        ([10.0, 0.0, 0.9], [16.0, 6.0, 1.1]),
    ];
    for i in 0..8 {
        let (x, z) = (6.0 + 0.5 * f64::from(i), -0.5 + 0.2 * f64::from(i + 1));
        blocks.push(([x, 2.0, -0.5], [x + 0.5, 4.0, z]));
    }
    for (i, (low, high)) in blocks.into_iter().enumerate() {
        text += &block(low, high, 8 * i);
    }
    text
}

fn options() -> ImportRequest {
    ImportRequest::with(MeshOptions {
        up: crate::document::UpAxis::Z,
        ..MeshOptions::default()
    })
}

#[test]
fn one_walks_up_the_stairs_of_an_imported_mesh() {
    let folder = Folder::new("stairs");
    let path = folder.put("house.obj", &house());
    let ctx = JobContext::default();
    let level = import(&[path], &options(), &ctx).expect("imported").level;
    let library = library(&level, &folder.0, &MeshLibrary::default(), &ctx).expect("runs");
    let voxels = Arc::new(VoxelOptions {
        meshes: Arc::new(library),
        ..VoxelOptions::default()
    });
    let request = BakeRequest {
        options: voxels.into(),
        ..BakeRequest::for_radius(Arc::new(level.clone()), 0.3)
    };
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    let nav = bundle.nav(0.3).expect("baked");
    let plan = |from: DVec3, to: DVec3| {
        let request = PathRequest::in_space(from, to);
        registry::plan(PlannerId::HUMAN, &nav, &request, &ctx).expect("a planner")
    };
    let up = plan(DVec3::new(2.0, 3.0, -0.5), DVec3::new(14.0, 3.0, 1.1));
    let Answer::Found(path) = up else {
        panic!("{up:?}");
    };
    let last = path.points.last().expect("has points");
    assert!((path.points[0].z + 0.5).abs() < 0.1 && (last.z - 1.1).abs() < 0.1);
    // A height that was not meant is that of the floor.
    assert!(matches!(
        plan(DVec3::new(2.0, 3.0, 0.0), *last),
        Answer::Found(_)
    ));
    assert!(matches!(
        plan(DVec3::new(2.0, 3.0, -0.8), *last),
        Answer::Found(_)
    ));
    // Beside the floors there is nothing.
    assert!(matches!(
        plan(DVec3::new(13.0, 6.9, 0.0), *last),
        Answer::NotFound(_)
    ));
}

#[test]
fn files_come_along_and_names_that_are_taken_lead_to_folders() {
    let (from, to) = (Folder::new("from"), Folder::new("to"));
    let path = from.put("house.obj", &house());
    from.put("house.mtl", "newmtl Stone\nKd 0.5 0.5 0.5\n");
    let ctx = JobContext::default();
    let item = MeshAsset::new(&path).expect("a plain name");
    let copy = || copy_assets(std::slice::from_ref(&item), &to.0, &ctx).expect("copied");
    let first = copy();
    assert_eq!(first["house.obj"], "house.obj");
    assert!(to.0.join("house.mtl").is_file());
    assert_eq!(copy(), first, "the same files are not copied again");
    // Another material of that name lies there now.
    to.put("house.mtl", "newmtl Stone\n");
    let second = copy();
    assert_eq!(second["house.obj"], "house/house.obj");
    assert!(to.0.join("house/house.mtl").is_file());
    assert_eq!(
        fs::read_to_string(to.0.join("house.mtl")).expect("there"),
        "newmtl Stone\n"
    );
    // What lies in the folder already is only named.
    let inside = MeshAsset::new(&to.0.join("house/house.obj")).expect("a plain name");
    let named = copy_assets(&[inside], &to.0, &ctx).expect("there");
    assert_eq!(named["house.obj"], "house/house.obj");

    let level = import(&[path], &options(), &ctx).expect("imported").level;
    let edits = renamed(&level, &second);
    let level = ops::apply(&level, &edits).expect("valid");
    assert_eq!(sources(&level)[0].file, "house/house.obj");
    assert_eq!(assets(&level, &to.0).len(), 1);
    assert!(
        assets(&level, &from.0).is_empty(),
        "does not exist under that name"
    );
}

#[test]
fn a_changed_file_is_read_again_and_a_lost_one_is_a_problem() {
    let folder = Folder::new("changed");
    let path = folder.put("house.obj", &house());
    let ctx = JobContext::default();
    let level = import(std::slice::from_ref(&path), &options(), &ctx)
        .expect("imported")
        .level;
    let first = library(&level, &folder.0, &MeshLibrary::default(), &ctx).expect("runs");
    let source = sources(&level).remove(0);
    let same = library(&level, &folder.0, &first, &ctx).expect("runs");
    let model = |library: &MeshLibrary| library.model(&source).cloned().expect("read");
    assert!(Arc::ptr_eq(&model(&first), &model(&same)));
    let problems = |library: &MeshLibrary| {
        let mut problems = validate(&level, Some(&folder.0));
        check_meshes(&level, library, &mut problems);
        problems
    };
    assert_eq!(problems(&first), []);

    // A wing is added: what stood there stays, and its box can be fitted.
    let wing = house() + &block([-8.0, 0.0, -1.0], [-4.0, 6.0, -0.5], 80);
    folder.put("house.obj", &wing);
    let grown = library(&level, &folder.0, &first, &ctx).expect("runs");
    let found = problems(&grown);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, Code::OutgrownMesh);
    let objects = |level: &Level| crate::document::scene(level, &grown);
    let before = objects(&level).pop().expect("the house");
    let mut document = Document::new(level.clone(), crate::base::EntityId::new(99));
    let edits = found[0].fix_edits(&level, &mut || document.allocate_id());
    document.commit("Fit", edits).expect("valid");
    let after = objects(document.level()).pop().expect("the house");
    for (a, b) in before
        .triangles()
        .flatten()
        .zip(after.triangles().flatten())
    {
        assert!((a - b).length() < 1e-9, "fitting moves nothing");
    }
    let (.., solid, _) = document.level().mesh_solids().next().expect("a solid");
    let own = Aabb::of_points(solid.corners());
    assert!((own.min - after.bounds().min).length() < 1e-9);
    assert!((own.max - after.bounds().max).length() < 1e-9);

    folder.put("house.obj", "v 1 2\n");
    let broken = library(&level, &folder.0, &grown, &ctx).expect("runs");
    let found = problems(&broken);
    assert_eq!(found[0].code, Code::UnreadableMesh);
    assert!(found[0].message.contains("line 1"), "{}", found[0].message);
    fs::remove_file(&path).expect("there");
    let lost = library(&level, &folder.0, &broken, &ctx).expect("runs");
    let found = problems(&lost);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, Code::MissingMesh);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_a_pipe_and_a_device_are_refused_with_a_sentence() {
    use crate::exchange::import::safe_path;
    let elsewhere = Folder::new("elsewhere");
    let secret = elsewhere.put("secret.obj", &block([0.0; 3], [1.0; 3], 0));
    let home = Folder::new("links");
    home.put("inside/box.obj", &block([0.0; 3], [1.0; 3], 0));
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, home.0.join(name)).expect("links work here");
    };
    link(&secret, "out.obj");
    link(&elsewhere.0, "folder");
    link(Path::new("inside/box.obj"), "in.obj");
    link(Path::new("/dev/zero"), "zeros.obj");
    let pipe = home.0.join("pipe.obj");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    assert!(safe_path(&home.0, "in.obj").is_ok());
    assert!(safe_path(&home.0, "inside/box.obj").is_ok());
    for (name, word) in [
        ("out.obj", "leads out"),
        ("folder/secret.obj", "leads out"),
        ("zeros.obj", "leads out"),
        ("pipe.obj", "pipe"),
        ("inside", "folder"),
        ("nothing.obj", "no such file"),
    ] {
        let sentence = safe_path(&home.0, name).expect_err(name);
        assert!(sentence.contains(word), "{name}: {sentence}");
    }
    // A sound file becomes a pipe after the import.
    let source = home.put("inside/pipe.obj", &block([0.0; 3], [1.0; 3], 0));
    let imported = import(&[source], &options(), &JobContext::default()).expect("imported");
    let names = BTreeMap::from([("pipe.obj".to_owned(), "pipe.obj".to_owned())]);
    let level = ops::apply(&imported.level, &renamed(&imported.level, &names)).expect("valid");
    let library = library(
        &level,
        &home.0,
        &MeshLibrary::default(),
        &JobContext::default(),
    );
    let library = library.expect("ends");
    let read = sources(&level)[0].clone();
    assert_eq!(read.file, "pipe.obj");
    assert!(matches!(library.get(&read), Some(Err(_))));
}
