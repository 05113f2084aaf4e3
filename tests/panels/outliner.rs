use crate::stage::*;
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec2;
use wayloom::base::EntityId;
use wayloom::document::{Edit, Entity, Kind, KindName, Note, Selection};
use wayloom::editor::Action;

#[test]
fn a_click_selects_and_an_eye_hides() {
    let mut harness = outliner(small_level(), &[]);
    harness.get_by_label("Tower").click();
    harness.run();
    assert!(harness.state().document().selection().contains(TOWER));
    harness.get_by_label("Tower").hover();
    harness.run();
    harness.get_by_label("Hide Tower").click();
    harness.run();
    let stage = harness.state();
    assert!(!stage.entity(TOWER).visible);
    assert_eq!(stage.undo_labels(), ["Draw", "Hide Tower"]);
}

fn selected(stage: &Stage) -> Vec<u64> {
    stage
        .document()
        .selection()
        .iter()
        .map(EntityId::number)
        .collect()
}

#[test]
fn shift_selects_a_range_and_ctrl_one_more() {
    let mut harness = outliner(small_level(), &[]);
    // From the top: House, Remark, Guard, Puddle, Tower, Wall.
    harness.get_by_label("Remark").click();
    harness.run();
    harness
        .get_by_label("Puddle")
        .click_modifiers(Modifiers::SHIFT);
    harness.run();
    assert_eq!(selected(harness.state()), [6, 7, 8]);
    harness
        .get_by_label("Wall")
        .click_modifiers(Modifiers::COMMAND);
    harness.run();
    assert_eq!(selected(harness.state()), [4, 6, 7, 8]);
    harness
        .get_by_label("Guard")
        .click_modifiers(Modifiers::COMMAND);
    harness.run();
    assert_eq!(selected(harness.state()), [4, 6, 8]);
}

#[test]
fn f2_renames_in_place_and_esc_leaves_the_name() {
    let mut harness = outliner(small_level(), &[]);
    harness.get_by_label("Tower").click();
    harness.run();
    harness.key_press(Key::F2);
    harness.run();
    harness.get_by_label("New name").type_text("Keep");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().entity(TOWER).name, "Keep");
    assert_eq!(harness.state().undo_labels(), ["Draw", "Rename Tower"]);
    harness.key_press(Key::F2);
    harness.run();
    harness.get_by_label("New name").type_text("Castle");
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(harness.state().entity(TOWER).name, "Keep");
}

#[test]
fn a_double_click_on_the_name_renames() {
    let mut harness = outliner(small_level(), &[]);
    harness.get_by_label("Wall").click();
    harness.get_by_label("Wall").click();
    harness.run();
    harness.get_by_label("New name").type_text("Rampart");
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().entity(WALL).name, "Rampart");
}

#[test]
fn arrow_keys_move_the_selection_and_shift_extends_it() {
    let mut harness = outliner(small_level(), &[]);
    harness.get_by_label("Guard").click();
    harness.run();
    harness.key_press(Key::ArrowDown);
    harness.run();
    assert_eq!(selected(harness.state()), [6]);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    harness.run();
    assert_eq!(selected(harness.state()), [5, 6]);
    harness.key_press(Key::End);
    harness.run();
    assert_eq!(selected(harness.state()), [ADULT.number()]);
}

fn drag(harness: &mut Harness<'_, Stage>, from: Pos2, to: Pos2) {
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + vec2(0.0, 8.0));
    harness.run();
    harness.hover_at(to);
    harness.run();
    harness.drop_at(to);
    harness.run();
}

#[test]
fn dragging_a_row_reorders_in_one_step() {
    let mut harness = outliner(small_level(), &[]);
    let from = harness.get_by_label("Remark").rect().center();
    let tower = harness.get_by_label("Tower").rect();
    drag(&mut harness, from, tower.center_bottom() - vec2(0.0, 3.0));
    let order: Vec<u64> = harness
        .state()
        .level()
        .order()
        .iter()
        .map(|id| id.number())
        .collect();
    assert_eq!(order, [1, 2, 3, 4, 8, 5, 6, 7, 9]);
    assert_eq!(harness.state().undo_labels(), ["Draw", "Move Remark"]);
}

#[test]
fn the_selected_rows_are_dragged_together_into_a_group() {
    let mut harness = outliner(small_level(), &[WALL, TOWER]);
    let from = harness.get_by_label("Tower").rect().center();
    // A group without members takes what is dropped on it.
    let house = harness.get_by_label("House").rect().center();
    drag(&mut harness, from, house);
    assert_eq!(harness.state().level().members(HOUSE), [WALL, TOWER]);
    assert_eq!(harness.state().undo_labels(), ["Draw", "Move 2 objects"]);
}

#[test]
fn searching_lists_what_matches_by_name_kind_and_tag() {
    let mut harness = outliner(small_level(), &[]);
    for (text, expected) in [("tow", "Tower"), ("tag:stone", "Wall"), ("agents", "Guard")] {
        harness.get_by_label("Search the outliner").focus();
        harness.run();
        harness.get_by_label("Search the outliner").type_text(text);
        harness.run();
        harness.get_by_label(expected);
        assert!(harness.query_by_label("Remark").is_none(), "{text}");
        harness.get_by_label("Clear search").click();
        harness.run();
        harness.get_by_label("Remark");
    }
}

#[test]
fn hovering_a_row_highlights_the_entity_in_the_plan() {
    let mut harness = outliner(small_level(), &[]);
    harness.get_by_label("Guard").hover();
    harness.run();
    assert_eq!(harness.state().editor.state.view.hovered, Some(GUARD));
    harness.get_by_label("Search the outliner").hover();
    harness.run();
    assert_eq!(harness.state().editor.state.view.hovered, None);
}

#[test]
fn a_definition_is_added_selected_and_named_at_once() {
    let mut harness = outliner(small_level(), &[]);
    harness.get_by_label("Add to terrains").click();
    harness.run();
    harness.get_by_label("New name").type_text("Sand");
    harness.key_press(Key::Enter);
    harness.run();
    let stage = harness.state();
    let sand = stage
        .level()
        .find(KindName::Terrain, "Sand")
        .expect("a new terrain");
    assert!(stage.document().selection().contains(sand));
}

#[test]
fn ten_thousand_rows_draw_only_what_is_in_sight() {
    let mut document = small_level();
    let edits = (0..10_000)
        .map(|number| {
            let note = Note {
                at: DVec2::ZERO,
                text: String::new(),
            };
            let entity = Entity::new(format!("Note {number}"), Kind::Note(note));
            Edit::create(document.allocate_id(), entity)
        })
        .collect();
    document.commit("Many", edits).expect("valid");
    let mut harness = outliner(document, &[]);
    harness.get_by_label("Note 9999");
    assert!(harness.query_by_label("Note 5000").is_none());
    let id = harness
        .state()
        .level()
        .find(KindName::Note, "Note 5000")
        .expect("there");
    let selection = Selection::one(id);
    let ctx = harness.ctx.clone();
    harness
        .state_mut()
        .editor
        .apply(&ctx, Action::Select(selection));
    harness.run();
    harness.run();
    harness.get_by_label("Note 5000");
}
