//! Import and export dialogs, which know formats by their rows alone.

use crate::stage::{
    Folder, click_button, editor_with_file, editor_with_level, harness, press, retype, small_level,
    wait,
};
use crate::toy_format::{self, rings};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use wayloom::editor::{Command, Editor};
use wayloom::exchange::registry;

fn has(harness: &Harness<'_, Editor>, label: &str) -> bool {
    harness.query_all_by_label_contains(label).next().is_some()
}

fn type_number(harness: &mut Harness<'_, Editor>, label: &str, text: &str) {
    harness
        .get_by_role_and_label(Role::SpinButton, label)
        .click();
    harness.run_ok();
    harness.get_by_label(label).type_text(text);
    press(harness, egui::Modifiers::NONE, egui::Key::Tab);
}

fn choose(harness: &mut Harness<'_, Editor>, title: &str) {
    // The list is longer than the dialog.
    harness
        .get_by_role_and_label(Role::RadioButton, title)
        .scroll_to_me();
    harness.run_ok();
    harness
        .get_by_role_and_label(Role::RadioButton, title)
        .click();
    harness.run_ok();
}

#[test]
fn a_format_of_one_row_is_written_and_read_through_the_dialogs() {
    toy_format::register();
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.state_mut().ask(Command::Export);
    harness.run_ok();
    choose(&mut harness, "Toy rings");
    type_number(&mut harness, "Units to the metre", "4");
    click_button(&mut harness, "Choose a file…");
    let target = folder.file("barn.toy");
    retype(&mut harness, "File name", &target.display().to_string());
    click_button(&mut harness, "Save");
    wait(&mut harness, "the export", |_| target.exists());
    let text = std::fs::read_to_string(&target).expect("written");
    assert_eq!(text, "toy\n180 180 220 180 220 220 180 220\n");

    let ctx = harness.ctx.clone();
    harness.state_mut().open_any(&ctx, target);
    harness.run_ok();
    assert!(has(&harness, "Obstacles as lists of coordinates."));
    type_number(&mut harness, "Units to the metre", "4");
    click_button(&mut harness, "Import");
    let expected = rings(&small_level());
    wait(&mut harness, "the import", |editor| {
        let level = editor.state.document().level();
        level.len() == 1 && rings(level) == expected && editor.state.path().is_none()
    });
}

#[test]
fn every_row_can_be_chosen_and_a_folder_asks_for_its_index() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.state_mut().ask(Command::Export);
    harness.run_ok();
    for format in registry::exportable() {
        choose(&mut harness, format.title);
        for spec in format.export_options().expect("is written").specs() {
            assert!(
                spec.is_advanced || has(&harness, spec.label),
                "{}",
                spec.label
            );
        }
    }
    choose(&mut harness, "Baked navigation data");
    assert!(has(&harness, "Include 3D voxels"));
    click_button(&mut harness, "Choose the index file…");
    assert!(has(&harness, "Choose the index file"));
    let name = harness.get_by_label("File name").value();
    assert_eq!(name.as_deref(), Some("bake.json"));
}

#[test]
fn the_menu_bakes_for_engines_and_export_again_repeats_it() {
    let folder = Folder::new();
    let mut editor = editor_with_level(&folder);
    let options = wayloom::document::template::Options::default();
    let rooms = wayloom::document::template::Template::Rooms.build(&options);
    let session =
        wayloom::document::session::Session::unnamed(rooms.expect("drawn"), folder.path());
    editor
        .state
        .open(wayloom::editor::open_level::OpenLevel::Session(Box::new(
            session,
        )));
    let mut harness = harness(editor);
    harness.state_mut().ask(Command::BakeForEngines);
    harness.run_ok();
    // None chosen is nothing to bake.
    let names: Vec<String> = {
        let level = harness.state().state.document().level();
        level.profiles().map(|(id, ..)| level.label(id)).collect()
    };
    for name in &names {
        harness.get_by_role_and_label(Role::CheckBox, name).click();
        harness.run_ok();
    }
    assert!(has(&harness, "choose at least one profile"));
    harness
        .get_by_role_and_label(Role::CheckBox, &names[0])
        .click();
    harness.run_ok();
    assert!(!has(&harness, "choose at least one profile"));
    click_button(&mut harness, "Choose the index file…");
    let index = folder.file("baked.json");
    retype(&mut harness, "File name", &index.display().to_string());
    click_button(&mut harness, "Save");
    // Under another name than the index's it is a folder of that name.
    let written = folder.file("baked/bake.json");
    wait(&mut harness, "the bake", |_| written.exists());
    let text = std::fs::read_to_string(&written).expect("written");
    let index: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(index["profiles"].as_array().map(Vec::len), Some(1));
    assert_eq!(index["profiles"][0]["name"], names[0].as_str());
}

#[test]
fn heights_join_the_open_level_or_become_one() {
    let folder = Folder::new();
    let picture = image::GrayImage::from_fn(8, 8, |x, _| image::Luma([(x * 30) as u8]));
    let path = folder.file("hills.png");
    picture.save(&path).expect("writable");
    let mut harness = harness(editor_with_level(&folder));
    let ctx = harness.ctx.clone();
    harness.state_mut().open_any(&ctx, path);
    harness.run_ok();
    assert!(has(&harness, "Ground of this level") && has(&harness, "New level"));
    type_number(&mut harness, "White is at", "25.5");
    click_button(&mut harness, "Import");
    wait(&mut harness, "the heights", |editor| {
        let level = editor.state.document().level();
        level.len() == 1 && level.ground().is_some_and(|g| g.range() == (0.0, 21.0))
    });
}

#[test]
fn formats_are_listed_by_purpose_and_found_by_a_word() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.state_mut().ask(Command::Export);
    harness.run_ok();
    for purpose in registry::Purpose::ALL {
        assert!(has(&harness, purpose.title()), "{}", purpose.title());
    }
    retype(&mut harness, "Search formats", "unity mesh");
    harness.run_ok();
    let shown: Vec<&str> = registry::exportable()
        .iter()
        .map(|format| format.title)
        .filter(|title| {
            harness
                .query_by_role_and_label(Role::RadioButton, title)
                .is_some()
        })
        .collect();
    assert_eq!(shown, ["glTF 2.0 binary (GLB)"]);
    // What is left fits, and its options are shown.
    assert!(!has(&harness, "Crowd research"));
    assert!(has(&harness, "Profile"));
    // One that is called so comes before those that only speak of it.
    retype(&mut harness, "Search formats", "godot");
    harness.run_ok();
    assert!(has(&harness, "Pixels per metre"));
    retype(&mut harness, "Search formats", "no such thing");
    harness.run_ok();
    assert!(has(&harness, "No format fits."));
}

#[test]
fn a_preset_is_kept_with_the_level_written_again_followed_on_save_and_forgotten() {
    let folder = Folder::new();
    let editor = editor_with_file(&folder, &folder.file("level.ron"));
    let mut harness = harness(editor);
    harness.state_mut().ask(Command::Export);
    harness.run_ok();
    choose(&mut harness, "Well-known text (WKT)");
    retype(&mut harness, "Keep as preset", "For the lab");
    harness.run_ok();
    harness
        .get_by_role_and_label(Role::CheckBox, "Export on save")
        .click();
    harness.run_ok();
    click_button(&mut harness, "Choose a file…");
    let target = folder.file("lab.wkt");
    retype(&mut harness, "File name", &target.display().to_string());
    click_button(&mut harness, "Save");
    wait(&mut harness, "the export", |_| target.exists());
    assert!(folder.file("level.exports.json").exists());
    // One click writes it again.
    std::fs::remove_file(&target).expect("ours");
    harness.state_mut().ask(Command::Export);
    harness.run_ok();
    click_button(&mut harness, "For the lab");
    wait(&mut harness, "the preset", |_| target.exists());
    // It follows a save.
    std::fs::remove_file(&target).expect("ours");
    crate::stage::change(&mut harness);
    harness.state_mut().ask(Command::Save);
    wait(&mut harness, "the export on save", |_| target.exists());
    harness.state_mut().ask(Command::Export);
    harness.run_ok();
    click_button(&mut harness, "×");
    assert!(!has(&harness, "For the lab"));
    let kept = std::fs::read_to_string(folder.file("level.exports.json")).expect("there");
    assert!(!kept.contains("For the lab"), "{kept}");
}
