//! An overlay and a panel that the program does not bring: one row each, and they are everywhere.
//! In a process of its own, because rows are never taken back.
#![cfg(feature = "gui")]

#[path = "ui/stage.rs"]
#[allow(dead_code, reason = "shared with the tests of the window")]
mod stage;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use stage::*;
use wayloom::base::{Colour, EntityId};
use wayloom::cli;
use wayloom::editor::Command;
use wayloom::editor::command::{Menu, NO_KEY};
use wayloom::editor::docking::Pane;
use wayloom::editor::panels::registry::{self, PanelRow, Place};
use wayloom::preview::overlays::{
    self, Group, Inputs, OverlayRow, PlanDrawing, SpaceDrawing, Swatch,
};
use wayloom::preview::primitive::{Extent, Ink};
use wayloom::preview::{OverlayId, Plane, Primitive, Shape};

const TARGET: OverlayId = OverlayId("bull-s-eye");
const INK: Colour = Colour::hex(0x12_34_56);

/// A disc in the middle of the level.
static OVERLAY: OverlayRow = OverlayRow {
    id: TARGET,
    title: "Bull’s eye",
    help: "Shows the middle of the level",
    icon: "\u{e3e4}",
    group: Group::Clearance,
    swatch: Swatch::Colour(|_| INK),
    is_default: false,
    inputs: Inputs::LEVEL,
    plan: PlanDrawing::Shapes(|scene, _, sink| {
        let level = scene.level.as_ref().expect("is what it reads");
        sink.add(Shape {
            plane: Plane::Overlay,
            entity: None,
            min_scale: 0.0,
            primitive: Primitive::Disc {
                centre: level.settings().bounds.centre(),
                radius: Extent::metres(3.0, 4.0),
                fill: Ink::solid(INK),
                outline: None,
            },
        });
    }),
    space: SpaceDrawing::Nothing,
    absent: |_| None,
};

const NOTEPAD: Pane = Pane("notepad");

static PANEL: PanelRow = PanelRow {
    pane: NOTEPAD,
    title: "Notepad",
    help: "Opens or closes a sheet of paper",
    icon: egui_material_icons::icons::ICON_EDIT_NOTE,
    place: Place::Below(99),
    keys: NO_KEY,
    ui: |ui, _| {
        ui.label("A sheet of paper");
    },
    count: |_| 0,
};

#[test]
fn an_overlay_of_one_row_is_in_the_menu_the_palette_the_help_and_the_picture() {
    overlays::register(&OVERLAY).expect("nothing else has this name");
    assert!(overlays::register(&OVERLAY).is_err(), "only once");
    let command = Command::ShowOverlay(TARGET);
    assert_eq!(
        command.entry().place.map(|(menu, _)| menu),
        Some(Menu::View)
    );

    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.get_by_label("View").click();
    harness.run_ok();
    harness.get_by_label("Navigation structures").click();
    harness.run_ok();
    harness
        .get_by_role_and_label(egui::accesskit::Role::Button, "Bull’s eye")
        .click();
    harness.run_ok();
    assert_eq!(command.is_on(&harness.state().state), Some(true));
    harness.key_press(Key::Escape);
    harness.run_ok();
    harness.key_press(Key::Escape);
    harness.run_ok();
    press(&mut harness, Modifiers::COMMAND, Key::K);
    type_into(&mut harness, "Find a command by name", "bull");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    assert_eq!(command.is_on(&harness.state().state), Some(false));

    let help = cli::help_of("render").expect("is a command");
    assert!(help.contains("bull-s-eye"), "{help}");

    let level = folder.file("level.ron");
    let text = wayloom::document::format::write(&small_level(), EntityId::new(2));
    std::fs::write(&level, text).expect("writable");
    let picture = folder.file("picture.svg");
    let arguments = ["wayloom", "render", "--quiet", "--layers", "bull-s-eye"];
    let files = [level.as_os_str(), "-o".as_ref(), picture.as_os_str()];
    let arguments = arguments.map(Into::into).into_iter();
    let files = files.map(ToOwned::to_owned);
    assert_eq!(cli::run(arguments.chain(files)), cli::Outcome::Exit(0));
    let svg = std::fs::read_to_string(picture).expect("was written");
    assert!(svg.contains("#123456"), "{svg}");
}

#[test]
fn a_panel_of_one_row_is_in_the_layout_and_in_the_menu() {
    registry::register(&PANEL).expect("nothing else has this name");
    assert!(registry::register(&PANEL).is_err(), "only once");
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    assert!(harness.state().state.open_panes.contains(&NOTEPAD));
    // Behind the other tabs, it comes to the front first.
    harness.state_mut().ask(Command::TogglePanel(NOTEPAD));
    harness.run_ok();
    harness.get_by_label("A sheet of paper");
    harness.state_mut().ask(Command::TogglePanel(NOTEPAD));
    harness.run_ok();
    assert!(!harness.state().state.open_panes.contains(&NOTEPAD));
    harness.get_by_label("View").click();
    harness.run_ok();
    harness.get_by_label("Panels").click();
    harness.run_ok();
    harness.get_by_label("Notepad").click();
    harness.run_ok();
    assert!(harness.state().state.open_panes.contains(&NOTEPAD));
}
