use crate::stage::*;
use egui_kittest::Harness;
use std::path::Path;
use std::sync::Arc;
use wayloom::document::validate::Code;
use wayloom::document::{MeshModel, MeshSource};
use wayloom::editor::{Command, Editor};

/// A wedge of this length; z up or y up does not matter to what is tried here.
fn wedge(length: f64) -> String {
    format!(
        "mtllib wedge.mtl\nusemtl Red\nv 0 0 0\nv {length} 0 0\nv 0 2 0\nv 0 0 1\n\
         f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    )
}

fn put_wedge(folder: &Path, length: f64) {
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("wedge.mtl"), "newmtl Red\nKd 1 0 0\n").expect("writable");
    std::fs::write(folder.join("wedge.obj"), wedge(length)).expect("writable");
}

fn source(editor: &Editor) -> Option<MeshSource> {
    let level = editor.state.document().level();
    level
        .mesh_solids()
        .next()
        .map(|(.., source)| source.clone())
}

fn model(editor: &Editor) -> Option<Arc<MeshModel>> {
    let library = &editor.state.meshes.library;
    library.model(&source(editor)?).cloned()
}

fn import(harness: &mut Harness<'_, Editor>, path: &Path) {
    let ctx = harness.ctx.clone();
    harness.state_mut().open_any(&ctx, path.to_owned());
    harness.run_ok();
    click_button(harness, "Import");
}

#[test]
fn a_mesh_joins_a_level_comes_along_when_it_is_saved_and_follows_its_file() {
    let folder = Folder::new();
    put_wedge(&folder.file("elsewhere"), 5.0);
    let mut harness = harness(editor_with_level(&folder));
    import(&mut harness, &folder.file("elsewhere/wedge.obj"));
    wait(&mut harness, "the mesh is there", |editor| {
        model(editor).is_some()
    });
    let state = &harness.state().state;
    assert!(state.document().is_dirty());
    assert_eq!(state.document().selection().len(), 1);
    let colours = &model(harness.state()).expect("read").colours;
    assert_eq!(colours.len(), 4, "the materials came along");

    std::fs::create_dir_all(folder.file("levels")).expect("a folder");
    let target = folder.file("levels/yard.ron");
    harness.state_mut().ask(Command::SaveAs);
    harness.run_ok();
    retype(&mut harness, "File name", &target.display().to_string());
    click_button(&mut harness, "Save");
    wait(&mut harness, "the level is saved", |editor| {
        editor.state.path() == Some(target.as_path())
    });
    assert!(folder.file("levels/wedge.obj").is_file());
    assert!(folder.file("levels/wedge.mtl").is_file());
    let before = model(harness.state()).expect("still read");

    // Drawn anew by another program.
    wait(&mut harness, "the file is watched", |editor| {
        editor.work.is_idle()
    });
    put_wedge(&folder.file("levels"), 9.0);
    wait(&mut harness, "the new mesh is shown", |editor| {
        model(editor).is_some_and(|model| !Arc::ptr_eq(&model, &before))
    });
    wait(&mut harness, "the box is said to be too small", |editor| {
        let problems = editor.state.problems().iter();
        problems.filter(|p| p.code == Code::OutgrownMesh).count() == 1
    });

    std::fs::remove_file(folder.file("levels/wedge.obj")).expect("there");
    wait(&mut harness, "the loss is told", |editor| {
        let lost = |code: Code| matches!(code, Code::MissingMesh | Code::UnreadableMesh);
        editor.state.problems().iter().any(|p| lost(p.code))
    });
    assert!(model(harness.state()).is_none());
}

#[test]
fn a_mesh_is_a_level_of_its_own_where_none_is_open() {
    let folder = Folder::new();
    put_wedge(folder.path(), 5.0);
    let mut harness = harness(editor(&folder));
    import(&mut harness, &folder.file("wedge.obj"));
    wait(&mut harness, "the level is there", |editor| {
        editor.state.level_is_open() && model(editor).is_some()
    });
    let level = harness.state().state.document().level();
    assert!(!level.settings().has_ground);
    assert_eq!(level.settings().name, "wedge");
    assert!(harness.state().state.document().is_dirty());
}

#[test]
fn a_broken_mesh_is_refused_and_the_level_stays() {
    let folder = Folder::new();
    let path = folder.file("broken.obj");
    std::fs::write(&path, "v 1 2\n").expect("writable");
    let mut harness = harness(editor_with_level(&folder));
    let before = harness.state().state.document().level().clone();
    import(&mut harness, &path);
    wait(&mut harness, "the reading ends", |editor| {
        editor.work.is_idle()
    });
    assert!(Arc::ptr_eq(
        &before,
        harness.state().state.document().level()
    ));
    use egui_kittest::kittest::Queryable as _;
    harness.get_by_label_contains("this vertex has no z");
}
