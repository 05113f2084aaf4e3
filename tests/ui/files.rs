use crate::stage::*;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use wayloom::editor::Command;

#[test]
fn an_unnamed_level_is_saved_under_a_typed_name() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    change(&mut harness);
    press(&mut harness, Modifiers::COMMAND, Key::S);
    let target = folder.file("yard.ron");
    retype(&mut harness, "File name", &target.display().to_string());
    click_button(&mut harness, "Save");
    assert!(target.exists());
    let state = &harness.state().state;
    assert!(!state.document().is_dirty());
    assert_eq!(state.path(), Some(target.as_path()));
}

#[test]
fn writing_over_another_file_takes_two_clicks() {
    let folder = Folder::new();
    let target = folder.file("taken.ron");
    std::fs::write(&target, "keep me").expect("writable");
    let mut harness = harness(editor_with_level(&folder));
    harness.state_mut().ask(Command::SaveAs);
    harness.run_ok();
    retype(&mut harness, "File name", &target.display().to_string());
    click_button(&mut harness, "Save");
    assert_eq!(std::fs::read_to_string(&target).expect("there"), "keep me");
    harness.get_by_label("Overwrite").click();
    harness.run_ok();
    assert_ne!(std::fs::read_to_string(&target).expect("there"), "keep me");
}

#[test]
fn unsaved_work_is_asked_about_and_cancel_keeps_it() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    change(&mut harness);
    harness.state_mut().ask(Command::Welcome);
    harness.run_ok();
    harness.get_by_label_contains("unsaved changes");
    harness.get_by_label("Cancel").click();
    harness.run_ok();
    assert!(harness.state().state.level_is_open());
    harness.state_mut().ask(Command::Welcome);
    harness.run_ok();
    harness.get_by_label("Don’t save").click();
    harness.run_ok();
    assert!(!harness.state().state.level_is_open());
}

#[test]
fn saving_first_goes_on_with_what_was_wanted() {
    let folder = Folder::new();
    let path = folder.file("yard.ron");
    let mut harness = harness(editor_with_file(&folder, &path));
    change(&mut harness);
    harness.state_mut().ask(Command::Welcome);
    harness.run_ok();
    click_button(&mut harness, "Save");
    assert!(!harness.state().state.level_is_open());
    let text = std::fs::read_to_string(&path).expect("there");
    assert!(text.contains("Old barn"));
}

#[test]
fn a_file_that_another_program_has_changed_is_read_again() {
    let folder = Folder::new();
    let path = folder.file("yard.ron");
    let mut harness = harness(editor_with_file(&folder, &path));
    harness.step();
    let text = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, text.replace("Barn", "Shed")).expect("writable");
    wait(&mut harness, "the change is noticed", |editor| {
        editor.state.document().level().label(BARN) == "Shed"
    });
}

#[test]
fn a_changed_file_does_not_drop_unsaved_work() {
    let folder = Folder::new();
    let path = folder.file("yard.ron");
    let mut harness = harness(editor_with_file(&folder, &path));
    change(&mut harness);
    let text = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, text.replace("Barn", "Shed")).expect("writable");
    // By command: the change may have been noticed already, and its dialog keeps the keys.
    harness.state_mut().ask(Command::Save);
    harness.run_ok();
    harness.get_by_label_contains("Another program has changed");
    assert_eq!(
        harness.state().state.document().level().label(BARN),
        "Old barn"
    );
    harness.get_by_label("Overwrite").click();
    harness.run_ok();
    assert!(!harness.state().state.document().is_dirty());
}

#[test]
fn a_missing_file_is_a_sentence_and_the_editor_goes_on() {
    let folder = Folder::new();
    let mut harness = harness(editor(&folder));
    let ctx = harness.ctx.clone();
    harness
        .state_mut()
        .open_any(&ctx, folder.file("nowhere.ron"));
    wait(&mut harness, "opening fails", |editor| {
        editor.work.is_idle()
    });
    harness.get_by_label_contains("there is no such file");
    harness.get_by_label("Dismiss message").click();
    harness.run_ok();
    assert!(harness.query_by_label_contains("no such file").is_none());
}

#[test]
fn reverting_asks_and_goes_back_to_the_file() {
    let folder = Folder::new();
    let path = folder.file("yard.ron");
    let mut harness = harness(editor_with_file(&folder, &path));
    change(&mut harness);
    harness.state_mut().ask(Command::Revert);
    harness.run_ok();
    assert!(harness.state().state.document().is_dirty());
    click_button(&mut harness, "Revert");
    assert!(!harness.state().state.document().is_dirty());
    assert_eq!(harness.state().state.document().level().label(BARN), "Barn");
}

/// Types into whatever has the keyboard, letter by letter as a person does.
fn type_anywhere(harness: &mut egui_kittest::Harness<'_, wayloom::editor::Editor>, text: &str) {
    for letter in text.chars() {
        harness.event(egui::Event::Text(letter.to_string()));
        harness.run_ok();
    }
}

#[test]
fn typing_replaces_the_stem_and_the_level_is_called_what_its_file_is() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    change(&mut harness);
    assert_eq!(harness.state().state.title(), "Untitled level");
    press(&mut harness, Modifiers::COMMAND, Key::S);
    type_anywhere(&mut harness, "my");
    let name = harness.get_by_label("File name").value();
    assert_eq!(name.as_deref(), Some("my.ron"));
    retype(
        &mut harness,
        "File name",
        &folder.file("my.ron").display().to_string(),
    );
    click_button(&mut harness, "Save");
    harness.get_by_label_contains("Saved my.ron.");
    let state = &harness.state().state;
    assert_eq!(state.document().level().settings().name, "my");
    assert_eq!(state.title_with_file(), "my.ron");
    let text = std::fs::read_to_string(folder.file("my.ron")).expect("there");
    assert!(text.contains("\"my\""), "{text}");

    // Under another name it stays what it is called, and the title tells both.
    harness.state_mut().ask(Command::SaveAs);
    harness.run_ok();
    retype(
        &mut harness,
        "File name",
        &folder.file("copy.ron").display().to_string(),
    );
    click_button(&mut harness, "Save");
    assert_eq!(harness.state().state.title_with_file(), "my – copy.ron");
}

#[test]
fn a_file_is_opened_by_typing_the_beginning_of_its_name() {
    let folder = Folder::new();
    for name in ["yard.ron", "zoo.ron"] {
        drop(editor_with_file(&folder, &folder.file(name)));
    }
    let mut harness = harness(editor_with_file(&folder, &folder.file("attic.ron")));
    press(&mut harness, Modifiers::COMMAND, Key::O);
    type_anywhere(&mut harness, "ya");
    let typed = harness.get_by_label("File name").value();
    assert_eq!(typed.as_deref(), Some("ya"));
    press(&mut harness, Modifiers::NONE, Key::Enter);
    let wanted = folder.file("yard.ron");
    wait(&mut harness, "the file opens", |editor| {
        editor.state.path() == Some(wanted.as_path())
    });
}

#[test]
fn closing_an_imported_level_asks_first() {
    let folder = Folder::new();
    let path = folder.file("yard.wkt");
    std::fs::write(&path, "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))").expect("writable");
    let mut harness = harness(editor(&folder));
    let ctx = harness.ctx.clone();
    harness.state_mut().open_any(&ctx, path);
    harness.run_ok();
    click_button(&mut harness, "Import");
    wait(&mut harness, "the import ends", |editor| {
        editor.state.level_is_open()
    });
    assert!(harness.state().state.document().is_dirty());
    harness.state_mut().ask(Command::Welcome);
    harness.run_ok();
    harness.get_by_label_contains("unsaved changes");
}

#[test]
fn enter_keeps_the_work_when_the_file_has_changed() {
    let folder = Folder::new();
    let path = folder.file("yard.ron");
    let mut harness = harness(editor_with_file(&folder, &path));
    change(&mut harness);
    let text = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, text.replace("Barn", "Shed")).expect("writable");
    let started = std::time::Instant::now();
    while harness.query_by_label("Keep my work").is_none() {
        assert!(started.elapsed().as_secs() < 60, "it went unnoticed");
        std::thread::sleep(std::time::Duration::from_millis(2));
        harness.step();
    }
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert!(harness.query_by_label("Keep my work").is_none());
    assert_eq!(
        harness.state().state.document().level().label(BARN),
        "Old barn"
    );
}

/// A file as the desktop hands it over.
#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn a_level_dropped_onto_the_window_opens_and_a_drawing_is_imported() {
    let folder = Folder::new();
    drop(editor_with_file(&folder, &folder.file("yard.ron")));
    let drawing = folder.file("plan.wkt");
    std::fs::write(&drawing, "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))").expect("writable");
    let mut harness = harness(editor(&folder));
    let wanted = folder.file("yard.ron");
    let file = std::sync::Arc::new(Dropped(wanted.clone()));
    harness.input_mut().dropped_files.push(file);
    wait(&mut harness, "the level opens", |editor| {
        editor.state.path() == Some(wanted.as_path())
    });
    let file = std::sync::Arc::new(Dropped(drawing));
    harness.input_mut().dropped_files.push(file);
    harness.run_steps(6);
    click_button(&mut harness, "Import");
    wait(&mut harness, "the drawing is there", |editor| {
        editor.state.path().is_none()
    });
}

#[test]
fn a_picture_of_the_view_is_written() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::NONE, Key::F12);
    let target = folder.file("view.png");
    retype(&mut harness, "File name", &target.display().to_string());
    click_button(&mut harness, "Save");
    wait(&mut harness, "the picture", |_| target.exists());
    let picture = std::fs::read(&target).expect("readable");
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 5_000);
}

#[test]
fn what_is_left_of_a_damaged_file_opens_as_a_copy() {
    let folder = Folder::new();
    let path = folder.file("torn.ron");
    let whole = wayloom::document::format::write(&small_level(), wayloom::base::EntityId::new(2));
    // The end is missing, as after a full disk.
    let torn = whole.trim_end().trim_end_matches(')').trim_end();
    std::fs::write(&path, torn).expect("writable");
    let mut harness = harness(editor(&folder));
    let ctx = harness.ctx.clone();
    harness.state_mut().open_any(&ctx, path.clone());
    wait(&mut harness, "the level", |editor| {
        editor.state.level_is_open()
    });
    harness.get_by_label_contains("torn.ron is damaged: line");
    let state = &harness.state().state;
    assert!(state.document().level().contains(BARN));
    assert!(state.document().is_dirty() && state.path().is_none());
    assert_eq!(std::fs::read_to_string(&path).expect("there"), torn);
}
