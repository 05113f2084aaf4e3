use crate::stage::*;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec2;
use wayloom::document::Selection;
use wayloom::editor::{Action, Command, Editor};
use wayloom::interaction::ToolKind;

fn select_barn(harness: &mut Harness<'_, Editor>) {
    let ctx = harness.ctx.clone();
    harness
        .state_mut()
        .apply(&ctx, Action::Select(Selection::one(BARN)));
    harness.run_ok();
}

fn run(harness: &mut Harness<'_, Editor>, command: Command) {
    harness.state_mut().ask(command);
    harness.run_ok();
}

fn obstacles(harness: &Harness<'_, Editor>) -> usize {
    harness.state().state.document().level().obstacles().count()
}

fn barn_centre(harness: &Harness<'_, Editor>) -> DVec2 {
    let level = harness.state().state.document().level();
    let barn = level.get(BARN).expect("there");
    barn.bounds().expect("placed").centre()
}

/// What the last frames put on the system's clipboard.
fn copied(harness: &mut Harness<'_, Editor>, event: egui::Event) -> String {
    harness.event(event);
    for _ in 0..4 {
        harness.step();
        for command in &harness.output().platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                return text.clone();
            }
        }
    }
    panic!("nothing was copied");
}

#[test]
fn cut_and_paste_restore_the_object() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    select_barn(&mut harness);
    let text = copied(&mut harness, egui::Event::Cut);
    harness.run_ok();
    assert_eq!(obstacles(&harness), 0);
    harness.event(egui::Event::Paste(text));
    harness.run_ok();
    assert_eq!(obstacles(&harness), 1);
    let document = harness.state().state.document();
    let label = document
        .level()
        .label(document.selection().single().expect("the pasted one"));
    assert_eq!(label, "Barn");
}

#[test]
fn what_was_copied_here_can_be_pasted_in_another_editor() {
    let (here, there) = (Folder::new(), Folder::new());
    let mut first = harness(editor_with_level(&here));
    select_barn(&mut first);
    let text = copied(&mut first, egui::Event::Copy);
    let mut second = harness(editor_with_level(&there));
    second.event(egui::Event::Paste(text));
    second.run_ok();
    assert_eq!(obstacles(&second), 2);
}

#[test]
fn foreign_text_on_the_clipboard_is_a_sentence() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.event(egui::Event::Paste("dear diary".to_owned()));
    harness.run_ok();
    harness.get_by_label_contains("Paste:");
    assert!(!harness.state().state.document().is_dirty());
}

#[test]
fn arrows_nudge_by_the_grid_and_repeats_are_one_step() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    select_barn(&mut harness);
    for _ in 0..3 {
        press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    }
    press(&mut harness, Modifiers::SHIFT, Key::ArrowUp);
    assert_eq!(barn_centre(&harness), DVec2::new(53.0, 60.0));
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(barn_centre(&harness), DVec2::splat(50.0));
}

#[test]
fn duplicate_group_hide_and_delete_from_keys() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    select_barn(&mut harness);
    press(&mut harness, Modifiers::COMMAND, Key::D);
    assert_eq!(obstacles(&harness), 2);
    press(&mut harness, Modifiers::COMMAND, Key::A);
    press(&mut harness, Modifiers::COMMAND, Key::G);
    let group = harness.state().state.document().selection().single();
    let level = harness.state().state.document().level();
    assert_eq!(level.members(group.expect("the new group")).len(), 2);
    press(&mut harness, Modifiers::COMMAND, Key::H);
    assert!(!harness.state().state.document().level().is_visible(BARN));
    press(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::H);
    assert!(harness.state().state.document().level().is_visible(BARN));
    press(&mut harness, Modifiers::COMMAND, Key::A);
    press(&mut harness, Modifiers::NONE, Key::Delete);
    assert_eq!(obstacles(&harness), 0);
}

#[test]
fn growing_shows_the_result_before_it_is_applied() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let width = |harness: &Harness<'_, Editor>| {
        let level = harness.state().state.document().level();
        let barn = level.get(BARN).expect("there");
        barn.bounds().expect("placed").size().x
    };
    select_barn(&mut harness);
    run(&mut harness, Command::Offset);
    assert!(width(&harness) > 10.5);
    assert!(!harness.state().state.document().is_dirty());
    harness.get_by_label("Cancel").click();
    harness.run_ok();
    assert_eq!(width(&harness), 10.0);
    run(&mut harness, Command::Offset);
    harness.get_by_label("Apply").click();
    harness.run_ok();
    assert!(width(&harness) > 10.5);
    assert_eq!(harness.state().state.document().undo_labels().len(), 1);
}

#[test]
fn an_obstacle_becomes_a_route() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    select_barn(&mut harness);
    run(&mut harness, Command::Convert);
    harness.get_by_label("Routes with corners").click();
    harness.run_ok();
    let level = harness.state().state.document().level();
    assert_eq!((level.obstacles().count(), level.routes().count()), (0, 1));
}

#[test]
fn things_are_found_by_name_and_selected() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, Modifiers::COMMAND, Key::F);
    type_into(&mut harness, "Name or text", "bar");
    harness.get_by_label("Select all found").click();
    harness.run_ok();
    assert!(harness.state().state.document().selection().contains(BARN));
}

#[test]
fn an_operation_that_cannot_be_done_says_why() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    run(&mut harness, Command::Union);
    harness.get_by_label("Select at least two objects first.");
    assert!(!harness.state().state.document().is_dirty());
}

#[test]
fn a_height_field_is_added_by_its_dialog_and_shaped_on_the_plan() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.state_mut().ask(Command::AddHeightField);
    harness.run_ok();
    harness.get_by_label("Distance between posts");
    click_button(&mut harness, "Add");
    let spacing = |harness: &Harness<'_, Editor>| {
        let level = harness.state().state.document().level();
        level.ground().map(|ground| ground.spacing)
    };
    assert_eq!(spacing(&harness), Some(0.5));
    harness
        .state_mut()
        .ask(Command::Tool(ToolKind::HeightBrush));
    harness.run_ok();
    harness.get_by_label("Flatten").click();
    harness.run_ok();
    assert_eq!(
        harness.state().state.toolbox.defaults.sculpt,
        wayloom::interaction::Sculpt::Flatten
    );
    harness.state_mut().ask(Command::RemoveHeightField);
    harness.run_ok();
    assert_eq!(spacing(&harness), None);
}
