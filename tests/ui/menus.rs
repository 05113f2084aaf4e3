use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use std::fmt::Write as _;
use std::time::Duration;
use wayloom::base::EntityId;
use wayloom::document::session::Session;
use wayloom::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, Profile, Selection, format,
    ops,
};
use wayloom::editor::navigation::Freshness;
use wayloom::editor::open_level::OpenLevel;
use wayloom::editor::{Action, Command, Editor, command::Menu};
use wayloom::geometry::{Polygon, Rect};

#[test]
fn every_command_of_a_menu_can_be_found_in_it() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    for menu in Menu::ALL {
        harness.get_by_label(menu.name()).click();
        harness.run_ok();
        for command in Command::all() {
            let Some((place, section)) = command.entry().place else {
                continue;
            };
            if place == menu && menu.submenu(section).is_none() {
                assert!(
                    harness.query_all_by_label(command.name()).next().is_some(),
                    "{} is not in {}",
                    command.name(),
                    menu.name()
                );
            }
        }
        harness.key_press(egui::Key::Escape);
        harness.run_ok();
    }
}

#[test]
fn undo_and_redo_work_from_the_menu() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    change(&mut harness);
    harness.get_by_label("Edit").click();
    harness.run_ok();
    harness.get_by_label("Undo").click();
    harness.run_ok();
    assert_eq!(harness.state().state.document().level().label(BARN), "Barn");
    harness.get_by_label("Edit").click();
    harness.run_ok();
    harness.get_by_label("Redo").click();
    harness.run_ok();
    assert_eq!(
        harness.state().state.document().level().label(BARN),
        "Old barn"
    );
}

#[test]
fn a_tool_is_taken_from_the_tool_bar() {
    use wayloom::interaction::ToolKind;
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    for kind in ToolKind::ALL {
        harness
            .get_by_role_and_label(egui::accesskit::Role::Button, kind.name())
            .click();
        harness.run_ok();
        assert_eq!(harness.state().state.toolbox.current(), kind);
    }
}

#[test]
fn a_closed_panel_comes_back_from_the_view_menu() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, egui::Modifiers::ALT, egui::Key::Num2);
    assert!(harness.query_by_label("Inspector").is_none());
    harness.get_by_label("View").click();
    harness.run_ok();
    harness.get_by_label("Panels").click();
    harness.run_ok();
    harness.get_by_label("Inspector").click();
    harness.run_ok();
    assert!(harness.query_all_by_label("Inspector").next().is_some());
}

#[test]
fn nothing_is_beyond_the_edge_of_a_small_window() {
    let folder = Folder::new();
    for size in [egui::vec2(1280.0, 720.0), egui::vec2(853.0, 480.0)] {
        let harness = sized(editor_with_level(&folder), size);
        let window = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        for kind in wayloom::interaction::ToolKind::ALL {
            let button = harness.get_by_role_and_label(egui::accesskit::Role::Button, kind.name());
            assert!(
                window.contains_rect(button.rect()),
                "{} at {size}",
                kind.name()
            );
        }
        for label in ["Find a command", "Grid", "Snapping"] {
            let node = harness.get_by_role_and_label(egui::accesskit::Role::Button, label);
            assert!(window.contains_rect(node.rect()), "{label} at {size}");
        }
    }
}

/// All that can be read in the window, where the views look from, and what the document is.
fn visible_state(harness: &mut Harness<'_, Editor>) -> String {
    use egui_kittest::kittest::NodeT as _;
    let read = |harness: &Harness<'_, Editor>| {
        let mut text = String::new();
        for node in harness.root().children_recursive() {
            let node = node.accesskit_node();
            let _ = writeln!(
                text,
                "{:?} {:?} {:?}",
                node.label(),
                node.value(),
                node.toggled()
            );
        }
        let state = &harness.state().state;
        let document = state.document();
        let level = format::write(document.level(), document.next_id());
        let selected: Vec<_> = document.selection().iter().collect();
        let tool = state.toolbox.current();
        let cameras = (&state.view.camera, &state.space.camera, state.space.section);
        let navigation = &state.navigation;
        let shown = (
            &state.view.show,
            &state.open_panes,
            &navigation.overlays,
            navigation.visible,
            navigation.all_paths,
        );
        let clock = &navigation.player.clock;
        let theme = harness.ctx.theme();
        let scale = harness.ctx.zoom_factor();
        let _ = writeln!(
            text,
            "{level} {selected:?} {tool:?} {cameras:?} {shown:?} {clock:?} {theme:?} {scale}"
        );
        text
    };
    // Work in the background changes what is seen as well: wait until it has come to rest.
    let mut last = read(harness);
    let mut quiet = 0;
    for _ in 0..40 {
        harness.step();
        let now = read(harness);
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
        if quiet == 2 {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    last
}

/// Runs a command, and says whether anything came of it: in the window, on the clipboard, or as a
/// wish to the desktop.
fn has_effect(harness: &mut Harness<'_, Editor>, command: Command) -> bool {
    let before = visible_state(harness);
    harness.state_mut().ask(command);
    let mut wishes = 0;
    for _ in 0..3 {
        harness.step();
        let output = harness.output();
        wishes += output.platform_output.commands.len();
        let desktop = output.viewport_output.values();
        wishes += desktop.map(|out| out.commands.len()).sum::<usize>();
    }
    harness.run_ok();
    wishes > 0 || visible_state(harness) != before
}

const SHED: EntityId = EntityId::new(30);
const ROOF: EntityId = EntityId::new(31);
const ADULT: EntityId = EntityId::new(32);
const WALKER: EntityId = EntityId::new(33);

/// Two obstacles, a roof above them, and an agent that passes by.
fn full_level() -> Level {
    let around = |at: DVec2, half: f64| Polygon::rect(Rect::around(at, DVec2::splat(half)));
    let roof = Obstacle {
        base: 3.0,
        height: 0.2,
        ..Obstacle::new(around(DVec2::splat(50.0), 8.0))
    };
    let mut mission = Mission::new(ADULT);
    mission.goals = vec![Goal::At(DVec3::new(80.0, 20.0, 0.0))];
    let walker = Agent {
        start: DVec3::new(10.0, 20.0, 0.0),
        heading: Heading::default(),
        mission,
    };
    let shed = Obstacle::new(around(DVec2::new(20.0, 70.0), 3.0));
    let edits = [
        (SHED, "Shed", Kind::Obstacle(shed)),
        (ROOF, "Roof", Kind::Obstacle(roof)),
        (ADULT, "Adult", Kind::Profile(Profile::default())),
        (WALKER, "Walker", Kind::Agent(walker)),
    ]
    .map(|(id, name, kind)| Edit::create(id, Entity::new(name, kind)));
    ops::apply(&small_level(), &edits).expect("valid")
}

/// A level with something to do for every command: both views in sight and moved about, the lower
/// storey alone in sight, the agent underway.
fn open_full_level(harness: &mut Harness<'_, Editor>, folder: &Folder) {
    let session = Session::unnamed(full_level(), folder.path());
    let level = OpenLevel::Session(Box::new(session));
    harness.state_mut().state.open(level);
    for command in [Command::ShowBoth, Command::PlayFromStart] {
        harness.state_mut().ask(command);
        harness.run_ok();
    }
    wait(harness, "the agent's path", |editor| {
        let state = &editor.state;
        let is_fresh = state.navigation.freshness(state.document()) == Freshness::Fresh;
        is_fresh && state.navigation.player.duration(None) > 0.0 && state.space.scene().is_some()
    });
    let state = &mut harness.state_mut().state;
    let size = state.space.viewport;
    state.space.camera.orbit(DVec2::new(50.0, 30.0), size);
    state.space.camera.pan(DVec2::new(40.0, 20.0), size);
    state.space.change_storey(-1);
    state.space.change_storey(-1);
    let viewport = state.view.viewport;
    state.view.camera.zoom(1.7, viewport * 0.3, viewport);
    harness.run_ok();
}

/// Commands that put something else in place of the level.
const LASTING: &[&str] = &["Welcome page", "First level, step by step"];

/// Every command does something that can be seen or says why not, in a level with a single obstacle
/// or in one with something to do for it; leaves no gesture half done; and what it did to the level
/// can be undone to the last byte.
#[test]
fn every_command_can_be_run() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    let ctx = harness.ctx.clone();
    let (mut silent, mut lasting) = (Vec::new(), Vec::new());
    for command in Command::all() {
        let editor = harness.state_mut();
        open_level(editor, &folder);
        editor.apply(&ctx, Action::Select(Selection::one(BARN)));
        harness.run_ok();
        if !has_effect(&mut harness, command) {
            silent.push(command);
        }
        for _ in 0..3 {
            harness.key_press(egui::Key::Escape);
            harness.run_ok();
        }
        let document = harness.state().state.document();
        assert!(!document.in_transaction(), "{}", command.name());
        let steps = document.undo_labels().len();
        assert!(steps <= 1, "{} takes {steps} steps", command.name());
        for _ in 0..steps {
            harness.state_mut().ask(Command::Undo);
            harness.run_ok();
        }
        let level = harness.state().state.document().level();
        if **level != small_level() {
            lasting.push(command.name());
        }
    }
    assert_eq!(lasting, LASTING);
    let has_effect_here = |harness: &mut Harness<'_, Editor>, command: Command| {
        let select = Action::Select(Selection::one(BARN));
        harness.state_mut().apply(&ctx, select);
        harness.run_ok();
        let has_effect = has_effect(harness, command);
        harness.key_press(egui::Key::Escape);
        harness.run_ok();
        has_effect
    };
    open_full_level(&mut harness, &folder);
    silent.retain(|command| {
        // As the command before left it, which costs nothing; as it was, where that shows nothing.
        let has_effect = has_effect_here(&mut harness, *command) || {
            open_full_level(&mut harness, &folder);
            has_effect_here(&mut harness, *command)
        };
        !has_effect
    });
    let names: Vec<&str> = silent.iter().map(|command| command.name()).collect();
    assert_eq!(names, [""; 0], "nothing is seen of these");
}

#[test]
fn every_menu_fits_below_the_menu_bar_of_a_small_window() {
    let folder = Folder::new();
    // The smaller is the larger at a scale of 150 %.
    for size in [egui::vec2(1280.0, 720.0), egui::vec2(853.0, 480.0)] {
        let mut harness = sized(editor_with_level(&folder), size);
        for menu in Menu::ALL {
            assert_fits(&mut harness, menu, size);
        }
    }
}

fn assert_fits(harness: &mut Harness<'_, Editor>, menu: Menu, size: egui::Vec2) {
    {
        let bar = harness.get_by_label(menu.name()).rect();
        harness.get_by_label(menu.name()).click();
        harness.run_ok();
        for command in Command::all() {
            let Some((place, section)) = command.entry().place else {
                continue;
            };
            if place != menu || menu.submenu(section).is_some() {
                continue;
            }
            // The tool bar has buttons of the same name; the menu's is the one beneath its title.
            let inside = harness.query_all_by_label(command.name()).any(|item| {
                let rect = item.rect();
                rect.left() >= bar.left() - 20.0
                    && rect.top() >= bar.bottom() - 2.0
                    && rect.bottom() <= size.y
            });
            assert!(inside, "{} in {} at {size}", command.name(), menu.name());
        }
        harness.key_press(egui::Key::Escape);
        harness.run_ok();
    }
}

#[test]
fn structures_are_switched_one_after_the_other_without_closing_the_menu() {
    use wayloom::preview::OverlayId;
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.get_by_label("View").click();
    harness.run_ok();
    harness.get_by_label("Navigation structures").click();
    harness.run_ok();
    let before = harness.state().state.navigation.overlays.clone();
    for name in ["Trapezoids", "Portals"] {
        harness
            .get_by_role_and_label(egui::accesskit::Role::Button, name)
            .click();
        harness.run_ok();
    }
    let after = harness.state().state.navigation.overlays.clone();
    for layer in [OverlayId::TRAPEZOIDS, OverlayId::PORTALS] {
        assert_ne!(before.contains(layer), after.contains(layer), "{layer:?}");
    }
    assert!(harness.query_by_label("Navigation structures").is_some());
}

#[test]
fn the_help_is_searched_at_once_and_closed_by_one_escape() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    press(&mut harness, egui::Modifiers::NONE, egui::Key::F1);
    for _ in 0..4 {
        harness.step();
    }
    assert!(harness.get_by_label("Find in the help").is_focused());
    press(&mut harness, egui::Modifiers::NONE, egui::Key::Escape);
    harness.run_ok();
    assert!(harness.query_by_label("Find in the help").is_none());
}

#[test]
fn no_two_tools_look_alike() {
    use wayloom::interaction::ToolKind;
    let glyphs: std::collections::BTreeSet<&str> = ToolKind::ALL
        .map(|tool| Command::Tool(tool).entry().icon.codepoint)
        .into();
    assert_eq!(glyphs.len(), ToolKind::ALL.len());
}
