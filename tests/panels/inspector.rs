use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use wayloom::base::Colour;
use wayloom::document::{AttractionKind, Control, Edit, Goal, Kind, Mission, Pattern, PlannerId};
use wayloom::planner::registry;

fn height(kind: &Kind) -> f64 {
    match kind {
        Kind::Obstacle(obstacle) => obstacle.height,
        _ => panic!("not an obstacle"),
    }
}

#[test]
fn typing_a_radius_changes_the_profile_in_one_step() {
    let mut harness = inspector(small_level(), &[ADULT]);
    type_number(&mut harness, "Radius", "45 cm");
    let stage = harness.state();
    let Kind::Profile(profile) = &stage.entity(ADULT).kind else {
        panic!("still a profile")
    };
    assert_eq!(profile.body.radius, 0.45);
    assert_eq!(stage.undo_labels(), ["Draw", "Change radius of Adult"]);
}

#[test]
fn a_refused_value_shows_its_sentence_and_changes_nothing() {
    let mut harness = inspector(small_level(), &[ADULT]);
    type_number(&mut harness, "Radius", "-1");
    harness.get_by_label("radius is -1 m; it must be between 0.01 m and 100 m");
    assert_eq!(harness.state().undo_labels(), ["Draw"]);
    type_number(&mut harness, "Radius", "0.5");
    assert!(
        harness
            .query_by_label_contains("it must be between")
            .is_none()
    );
}

#[test]
fn mixed_values_are_shown_as_such_and_set_for_all() {
    let mut harness = inspector(small_level(), &[WALL, TOWER]);
    assert_eq!(harness.get_by_label("Height").value().as_deref(), Some("—"));
    type_number(&mut harness, "Height", "7");
    let stage = harness.state();
    assert_eq!(height(&stage.entity(WALL).kind), 7.0);
    assert_eq!(height(&stage.entity(TOWER).kind), 7.0);
    assert_eq!(stage.undo_labels(), ["Draw", "Change height of 2 objects"]);
}

#[test]
fn a_drag_of_a_value_is_one_step_and_esc_takes_it_back() {
    let mut harness = inspector(small_level(), &[WALL]);
    let from = harness.get_by_label("Height").rect().center();
    let drag = |harness: &mut Harness<'_, Stage>| {
        harness.drag_at(from);
        harness.run();
        for step in 1..=10_u8 {
            harness.hover_at(from + egui::vec2(f32::from(step) * 6.0, 0.0));
            harness.run();
        }
    };
    drag(&mut harness);
    assert!(harness.state().document().in_transaction());
    assert!(height(&harness.state().entity(WALL).kind) > 3.0);
    harness.drop_at(from + egui::vec2(60.0, 0.0));
    harness.run();
    assert_eq!(
        harness.state().undo_labels(),
        ["Draw", "Change height of Wall"]
    );
    let dragged = height(&harness.state().entity(WALL).kind);

    drag(&mut harness);
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert!(!harness.state().document().in_transaction());
    assert_eq!(height(&harness.state().entity(WALL).kind), dragged);
    harness.drop_at(from);
    harness.run();
    assert_eq!(height(&harness.state().entity(WALL).kind), dragged);
    assert_eq!(harness.state().undo_labels().len(), 2);
}

#[test]
fn looking_at_a_number_does_not_round_it() {
    let mut document = small_level();
    let mut wall = document.level().get(WALL).expect("there").as_ref().clone();
    if let Kind::Obstacle(obstacle) = &mut wall.kind {
        obstacle.height = 1.0 / 3.0;
    }
    document
        .commit("Third", vec![Edit::replace(WALL, wall)])
        .expect("valid");
    let mut harness = inspector(document, &[WALL]);
    harness.get_by_label("Height").click();
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert_eq!(height(&harness.state().entity(WALL).kind), 1.0 / 3.0);
    assert_eq!(harness.state().undo_labels(), ["Draw", "Third"]);
}

#[test]
fn reset_goes_back_to_the_default() {
    let mut harness = inspector(small_level(), &[TOWER]);
    harness.get_by_label("Reset height").click();
    harness.run();
    assert_eq!(height(&harness.state().entity(TOWER).kind), 3.0);
    assert!(harness.query_by_label("Reset height").is_none());
}

#[test]
fn typing_a_name_is_one_step_and_a_bad_one_is_refused() {
    let mut harness = inspector(small_level(), &[GUARD]);
    harness.get_by_label("Name").focus();
    harness.run();
    for letter in ["s", "m", "a", "n"] {
        harness.key_press(egui::Key::End);
        harness.get_by_label("Name").type_text(letter);
        harness.run();
    }
    assert_eq!(harness.state().entity(GUARD).name, "Guardsman");
    assert_eq!(
        harness.state().undo_labels(),
        ["Draw", "Change name of Guard"]
    );
    harness.get_by_label("Name").type_text(&"x".repeat(250));
    harness.run();
    harness.get_by_label_contains("at most 200 are allowed");
    assert_eq!(harness.state().entity(GUARD).name, "Guardsman");
}

#[test]
fn many_are_named_with_running_numbers() {
    let mut harness = inspector(small_level(), &[WALL, TOWER]);
    harness.get_by_label("Name").focus();
    harness.run();
    harness.get_by_label("Name").type_text("Block #");
    harness.run();
    assert_eq!(harness.state().entity(WALL).name, "Block 1");
    assert_eq!(harness.state().entity(TOWER).name, "Block 2");
}

#[test]
fn how_an_agent_walks_in_its_corridor_is_chosen_step_by_step() {
    fn choose(harness: &mut Harness<'_, Stage>, field: &str, option: &str) {
        harness.get_by_label(field).click();
        harness.run();
        harness.get_by_label(option).click();
        harness.run();
    }
    fn mission(stage: &Stage) -> &Mission {
        stage.entity(GUARD).mission().expect("an agent has one")
    }
    let mut harness = inspector(small_level(), &[GUARD]);
    assert!(harness.query_by_label("Attraction point").is_none());
    choose(
        &mut harness,
        "Planner",
        registry::title(PlannerId::CORRIDOR),
    );
    choose(
        &mut harness,
        "Attraction point",
        AttractionKind::Disc.title(),
    );
    choose(&mut harness, "Control path", Control::Axis.title());
    harness.get_by_label("the radius");
    harness.get_by_label("Safe distance").click();
    harness.run();
    type_number(&mut harness, "Safe distance value", "0.8");
    let walk = mission(harness.state()).walk;
    assert_eq!(walk.attraction, AttractionKind::Disc);
    assert_eq!(walk.control, Control::Axis);
    assert_eq!(walk.safe_distance, Some(0.8));
    assert_eq!(
        harness.state().undo_labels()[1..4],
        [
            "Change planner of Guard",
            "Change attraction point of Guard",
            "Change control path of Guard"
        ]
    );
    type_number(&mut harness, "Safe distance value", "-1");
    harness.get_by_label_contains("safe distance is -1 m");
    assert_eq!(mission(harness.state()).walk, walk);
    // The original method has nothing to choose, and forgets nothing.
    choose(&mut harness, "Method", "Original");
    assert_eq!(
        mission(harness.state()).planner,
        PlannerId::CORRIDOR_ORIGINAL
    );
    assert_eq!(mission(harness.state()).walk, walk);
    assert!(harness.query_by_label("Attraction point").is_none());
    harness.get_by_label_contains("has no options");
}

#[test]
fn a_reference_is_picked_by_a_few_letters_and_a_dangling_one_is_named() {
    let mut harness = inspector(small_level(), &[PUDDLE]);
    harness.get_by_label("Terrain").click();
    harness.run();
    harness
        .get_by_label("Search for a terrain type")
        .type_text("roa");
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    let terrain = |stage: &Stage| match &stage.entity(PUDDLE).kind {
        Kind::Region(region) => region.terrain,
        _ => panic!("still a region"),
    };
    assert_eq!(terrain(harness.state()), ROAD);

    let mut document = small_level();
    document
        .commit("Delete", vec![Edit::Delete { id: MUD }])
        .expect("there");
    let harness = inspector(document, &[PUDDLE]);
    assert_eq!(
        harness.get_by_label("Terrain").value().as_deref(),
        Some("missing #1")
    );
    assert_eq!(terrain(harness.state()), MUD);
}

#[test]
fn tags_are_added_and_removed_for_all() {
    let mut harness = inspector(small_level(), &[WALL, TOWER]);
    harness.get_by_label("Add tag stone to all").click();
    harness.run();
    assert!(harness.state().entity(TOWER).has_tag("stone"));
    harness.get_by_label("Remove tag stone").click();
    harness.run();
    assert!(!harness.state().entity(WALL).has_tag("stone"));
    harness.get_by_label("Add a tag").click();
    harness.run();
    harness.get_by_label("New tag").type_text("old town");
    harness.key_press(egui::Key::Enter);
    harness.run();
    assert!(harness.state().entity(WALL).has_tag("old town"));
    assert!(harness.state().entity(TOWER).has_tag("old town"));
}

#[test]
fn goals_are_moved_removed_and_added() {
    let mut harness = inspector(small_level(), &[GUARD]);
    let goals = |stage: &Stage| {
        stage
            .entity(GUARD)
            .mission()
            .expect("an agent")
            .goals
            .clone()
    };
    let [first, second] = goals(harness.state())[..] else {
        panic!("two goals")
    };
    harness.get_by_label("Move goal 2 up").click();
    harness.run();
    assert_eq!(goals(harness.state()), [second, first]);
    harness.get_by_label("Remove goal 1").click();
    harness.run();
    assert_eq!(goals(harness.state()), [first]);
    harness.get_by_label("Add a point").click();
    harness.run();
    assert_eq!(
        goals(harness.state())[1],
        Goal::At(DVec3::new(35.0, 5.0, 0.0))
    );
}

#[test]
fn a_new_size_stretches_about_the_lower_left_corner() {
    let mut harness = inspector(small_level(), &[WALL]);
    type_number(&mut harness, "Size w", "8");
    type_number(&mut harness, "Position y", "0");
    let bounds = harness.state().entity(WALL).bounds().expect("placed");
    assert_eq!(bounds.min, DVec2::new(10.0, 0.0));
    assert_eq!(bounds.max, DVec2::new(18.0, 4.0));
}

#[test]
fn the_level_itself_is_inspected_when_nothing_is_selected() {
    let mut harness = inspector(small_level(), &[]);
    type_number(&mut harness, "Grid spacing", "50 cm");
    type_number(&mut harness, "Starts at", "18:30");
    let settings = harness.state().level().settings();
    assert_eq!(settings.grid.spacing, 0.5);
    assert_eq!(settings.clock.start, 18.5);
}

#[test]
fn what_differs_in_kind_still_shares_its_tags_and_layer() {
    let harness = inspector(small_level(), &[WALL, GUARD, REMARK]);
    harness.get_by_label("3 selected");
    harness.get_by_label("Layer");
    assert!(harness.query_by_label("Height").is_none());
    assert!(harness.query_by_label("Profile").is_none());
}

#[test]
fn esc_leaves_a_number_as_it_was() {
    let mut harness = inspector(small_level(), &[TOWER]);
    harness.get_by_label("Height").click();
    harness.run();
    harness.get_by_label("Height").type_text("77");
    harness.run();
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert_eq!(height(&harness.state().entity(TOWER).kind), 12.0);
}

#[test]
fn a_colour_is_written_and_a_bad_one_is_named() {
    let mut harness = inspector(small_level(), &[MUD]);
    let write = |harness: &mut Harness<'_, Stage>, text: &str| {
        harness.get_by_label("Colour as #rrggbb").focus();
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        harness.get_by_label("Colour as #rrggbb").type_text(text);
        harness.run();
    };
    let colour = |stage: &Stage| match &stage.entity(MUD).kind {
        Kind::Terrain(terrain) => terrain.colour,
        _ => panic!("still a terrain"),
    };
    write(&mut harness, "#336699");
    assert_eq!(colour(harness.state()), Colour::hex(0x336699));
    write(&mut harness, "red");
    harness.get_by_label_contains("`red` is not a colour");
    assert_eq!(colour(harness.state()), Colour::hex(0x336699));
}

#[test]
fn a_pattern_is_picked_by_its_swatch() {
    let mut harness = inspector(small_level(), &[MUD]);
    harness.get_by_label("Waves").click();
    harness.run();
    let Kind::Terrain(terrain) = &harness.state().entity(MUD).kind else {
        panic!("still a terrain")
    };
    assert_eq!(terrain.pattern, Pattern::Waves);
}

#[test]
fn dragging_over_the_colours_is_one_step() {
    let mut harness = inspector(small_level(), &[MUD]);
    harness.get_by_label("Pick Colour").click();
    harness.run();
    let field = harness.get_by_label("Saturation and brightness").rect();
    harness.drag_at(field.center());
    harness.run();
    for step in 1..=5_u8 {
        harness.hover_at(field.center() + egui::vec2(f32::from(step) * 10.0, -10.0));
        harness.run();
    }
    harness.drop_at(field.center() + egui::vec2(50.0, -10.0));
    harness.run();
    assert_eq!(
        harness.state().undo_labels(),
        ["Draw", "Change colour of Mud"]
    );
    assert!(!harness.state().document().in_transaction());
}

#[test]
fn the_height_field_is_added_set_and_removed() {
    let mut harness = inspector(small_level(), &[]);
    harness.get_by_label("Add height field…");
    harness.get_by_label("Import heights…");
    let field =
        wayloom::geometry::HeightField::flat(harness.state().level().settings().bounds, 5.0, 2.0);
    let add = Edit::Ground(Some(std::sync::Arc::new(field)));
    let action = wayloom::editor::Action::Commit {
        label: "Add height field".to_owned(),
        edits: vec![add],
        merge: None,
    };
    harness
        .state_mut()
        .editor
        .apply(&egui::Context::default(), action);
    harness.run();
    type_number(&mut harness, "Post spacing", "2.5");
    let ground = |harness: &Harness<'_, Stage>| {
        harness
            .state()
            .level()
            .ground()
            .map(|ground| (**ground).clone())
    };
    assert_eq!(ground(&harness).expect("there").spacing, 2.5);
    type_number(&mut harness, "Lowest point", "-3");
    assert_eq!(ground(&harness).expect("there").range(), (-3.0, -3.0));
    type_number(&mut harness, "Heights from x", "-5");
    assert_eq!(ground(&harness).expect("there").origin.x, -5.0);
    type_number(&mut harness, "Post spacing", "0.01");
    harness.get_by_label_contains("choose a larger distance");
    assert_eq!(ground(&harness).expect("there").spacing, 2.5);
    harness.get_by_label("Remove height field").click();
    harness.run();
    assert_eq!(ground(&harness), None);
    assert_eq!(
        harness.state().undo_labels().last().map(String::as_str),
        Some("Remove height field")
    );
}
