//! What a newcomer meets: the strip that plays, the first level in steps, furniture.

use crate::stage::*;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec2;
use wayloom::base::EntityId;
use wayloom::document::{
    Agent, Door, Edit, Entity, Goal, Heading, Kind, Mission, Region, Route, RouteShape, Wall,
};
use wayloom::editor::first_level::Step;
use wayloom::editor::{Action, Editor};
use wayloom::geometry::{Polygon, Rect};

fn commit(harness: &mut Harness<'_, Editor>, kind: Kind) -> EntityId {
    let ctx = harness.ctx.clone();
    let editor = harness.state_mut();
    let id = editor.state.document().next_id();
    let draw = Action::Commit {
        label: "Draw".to_owned(),
        edits: vec![Edit::create(id, Entity::new("", kind))],
        merge: None,
    };
    editor.apply(&ctx, draw);
    harness.run_ok();
    id
}

fn is_done(harness: &Harness<'_, Editor>, step: Step) -> bool {
    harness.state().first_level().is_done(step)
}

#[test]
fn the_strip_plays_and_sets_the_speed_with_all_panels_closed() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.run_ok();
    harness.get_by_label("Play");
    harness.get_by_label("Skip to the next event");
    harness.get_by_label("Speed of playing").click();
    harness.run_ok();
    harness.get_by_label("×32").click();
    harness.run_ok();
    let speed =
        |harness: &Harness<'_, Editor>| harness.state().state.navigation.player.clock.speed();
    assert_eq!(speed(&harness), 32.0);
    press(&mut harness, Modifiers::ALT, Key::Comma);
    harness.run_ok();
    assert_eq!(speed(&harness), 16.0);
}

#[test]
fn the_first_level_is_ticked_step_by_step() {
    let folder = Folder::new();
    let mut harness = harness(editor(&folder));
    harness.run_ok();
    harness.get_by_label("First level, step by step").click();
    wait(&mut harness, "the plot", |editor| {
        editor.state.level_is_open()
    });
    harness.run_ok();
    harness.get_by_label("Step 1: Draw a wall, to do");
    harness.get_by_label("Begin: Draw a wall").click();
    harness.run_ok();
    assert!(!is_done(&harness, Step::Wall));
    let corners = [(6.0, 6.0), (14.0, 6.0), (14.0, 12.0), (6.0, 12.0)];
    let wall = commit(
        &mut harness,
        Kind::Wall(Wall {
            closed: true,
            ..Wall::new(corners.map(DVec2::from).to_vec())
        }),
    );
    harness.get_by_label("Step 1: Draw a wall, done");
    // Without a door there is no path in, and that is seen.
    let profile = {
        let level = harness.state().state.document().level();
        level.profiles().next().expect("of the empty plot").0
    };
    let mut mission = Mission::new(profile);
    mission
        .goals
        .push(Goal::At(DVec2::new(10.0, 9.0).extend(0.0)));
    commit(
        &mut harness,
        Kind::Agent(Agent {
            start: DVec2::new(2.0, 2.0).extend(0.0),
            heading: Heading::default(),
            mission,
        }),
    );
    assert!(is_done(&harness, Step::Agent));
    wait(&mut harness, "the path is missed", |editor| {
        editor.first_level().is_done(Step::Break)
    });
    let door = Door {
        wall: Some(wall),
        ..Door::new(DVec2::new(9.0, 6.0), DVec2::new(10.0, 6.0))
    };
    commit(&mut harness, Kind::Door(door));
    assert!(is_done(&harness, Step::Door));
    // What does not interest is skipped.
    assert_eq!(harness.state().first_level().current(), Some(Step::Why));
    harness.get_by_label("Skip").click();
    harness.run_ok();
    assert_eq!(harness.state().first_level().current(), Some(Step::Mud));
    assert!(!is_done(&harness, Step::Why));
    let terrain = {
        let level = harness.state().state.document().level();
        level.terrains().next().expect("of the empty plot").0
    };
    let area = Polygon::rect(Rect::around(DVec2::splat(4.0), DVec2::splat(1.0)));
    commit(&mut harness, Kind::Region(Region { area, terrain }));
    assert!(is_done(&harness, Step::Mud));
    let line = vec![DVec2::new(2.0, 3.0), DVec2::new(9.5, 3.0)];
    commit(
        &mut harness,
        Kind::Route(Route::new(RouteShape::Polyline(line))),
    );
    assert!(is_done(&harness, Step::Route));
    harness.key_press(Key::Space);
    for _ in 0..3 {
        harness.step();
    }
    assert!(is_done(&harness, Step::Play));
    assert_eq!(harness.state().first_level().current(), None);
}
