use crate::stage::*;
use egui_kittest::kittest::Queryable as _;
use wayloom::document::template::Template;

#[test]
fn the_first_thing_seen_is_samples_new_and_open() {
    let folder = Folder::new();
    let harness = harness(editor(&folder));
    harness.get_by_label("New level…");
    harness.get_by_label("Open…");
    let samples = Template::samples().count();
    assert_eq!(
        harness.query_all_by_label_contains("Open sample").count(),
        samples
    );
}

#[test]
fn a_sample_opens_with_a_click() {
    let folder = Folder::new();
    let mut harness = harness(editor(&folder));
    harness.get_by_label("Open sample McKenna").click();
    wait(&mut harness, "the sample opens", |editor| {
        editor.state.level_is_open()
    });
    let state = &harness.state().state;
    assert!(state.document().level().obstacles().count() >= 20);
    assert!(!state.document().is_dirty());
    harness.get_by_label("Plan view");
}

#[test]
fn a_new_level_is_made_from_the_dialog() {
    let folder = Folder::new();
    let mut harness = harness(editor(&folder));
    harness.get_by_label("New level…").click();
    harness.run_ok();
    harness.get_by_label("Template Labyrinth").click();
    harness.run_ok();
    harness.get_by_label("Create").click();
    wait(&mut harness, "the level is made", |editor| {
        editor.state.level_is_open()
    });
    assert!(!harness.state().state.document().level().is_empty());
}

#[test]
fn work_left_by_a_crash_is_offered_and_restored() {
    let folder = Folder::new();
    // A session that ends without being dropped, as a killed program does.
    let mut left = harness(editor_with_level(&folder));
    change(&mut left);
    let journal = std::fs::read_dir(folder.path())
        .expect("there")
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "journal"))
        .expect("every change is journaled");
    let copy = std::fs::read(&journal).expect("readable");
    drop(left);
    std::fs::write(folder.file("unnamed-0-0.journal"), copy).expect("writable");
    let _ = std::fs::remove_file(journal);

    let mut harness = harness(editor(&folder));
    harness
        .get_by_label_contains("Recover Untitled level")
        .click();
    harness.run_ok();
    harness.get_by_label_contains("1 unsaved change");
    harness.get_by_label("Recover").click();
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!(state.document().level().label(BARN), "Old barn");
    assert!(state.document().is_dirty());
}

#[test]
fn a_recent_file_is_listed_and_opens() {
    let folder = Folder::new();
    let path = folder.file("yard.ron");
    let level = editor_with_file(&folder, &path);
    drop(level);
    std::fs::write(
        folder.file("recent.ron"),
        format!("(files: [{:?}])", path.display().to_string()),
    )
    .expect("writable");
    let mut harness = harness(editor(&folder));
    harness.get_by_label("Open recent yard").click();
    wait(&mut harness, "the file opens", |editor| {
        editor.state.level_is_open()
    });
    assert_eq!(harness.state().state.path(), Some(path.as_path()));
}

#[test]
fn unsaved_work_on_a_file_is_offered_too_and_declining_tells_where_it_is_kept() {
    let folder = Folder::new();
    let path = folder.file("yard.ron");
    let mut left = harness(editor_with_file(&folder, &path));
    change(&mut left);
    let journal = wayloom::document::session::journal_path(&path);
    let copy = std::fs::read(&journal).expect("every change is journaled");
    drop(left);
    std::fs::write(
        folder.file("recent.ron"),
        format!("(files: [{:?}])", path.display().to_string()),
    )
    .expect("writable");
    let _ = std::fs::remove_file(&journal);
    let calm = harness(editor(&folder));
    assert!(calm.query_by_label("Recover yard.ron").is_none());
    assert!(!journal.exists(), "asking leaves nothing behind");
    drop(calm);
    std::fs::write(&journal, copy).expect("writable");

    let mut harness = harness(editor(&folder));
    harness.get_by_label("Recover yard.ron").click();
    wait(&mut harness, "the work is offered", |editor| {
        editor.work.is_idle()
    });
    harness.get_by_label_contains("1 unsaved change");
    harness.get_by_label("Open the saved version").click();
    harness.run_ok();
    assert_eq!(harness.state().state.document().level().label(BARN), "Barn");
    let kept = format!("{}~", journal.display());
    harness.get_by_label_contains(&kept);
    assert!(std::path::Path::new(&kept).exists());
}
