//! The player of planned paths, the clearance panel, and what the plan shows of corridor maps.

use crate::stage::*;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use wayloom::base::EntityId;
use wayloom::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, Mission, Obstacle, Profile, Selection,
};
use wayloom::editor::docking::Pane;
use wayloom::editor::navigation::Freshness;
use wayloom::editor::playback::Play;
use wayloom::editor::player::Source;
use wayloom::editor::{Action, Command, Editor};
use wayloom::geometry::{Polygon, Rect};
use wayloom::nav::corridor::Pinch;
use wayloom::preview::OverlayId;
use wayloom::sim::{Alternative, Playback, Recording};

const SHED: EntityId = EntityId::new(30);
const ADULT: EntityId = EntityId::new(31);
const GIANT: EntityId = EntityId::new(32);
const WALKER: EntityId = EntityId::new(33);
const RUNNER: EntityId = EntityId::new(34);

fn agent(name: &str, from: DVec2, to: DVec2) -> Entity {
    let mut mission = Mission::new(ADULT);
    mission.goals = vec![Goal::At(to.extend(0.0))];
    Entity::new(
        name,
        Kind::Agent(Agent {
            start: from.extend(0.0),
            heading: Heading::default(),
            mission,
        }),
    )
}

fn apply(harness: &mut Harness<'_, Editor>, action: Action) {
    let ctx = harness.ctx.clone();
    harness.state_mut().apply(&ctx, action);
    harness.step();
}

/// The barn, a shed one metre beside it, two bodies and two agents.
fn on_stage(folder: &Folder) -> Harness<'static, Editor> {
    let mut editor = editor_with_level(folder);
    let shed = Polygon::rect(Rect::new(DVec2::new(56.0, 45.0), DVec2::new(66.0, 55.0)));
    let mut giant = Profile::default();
    giant.body.radius = 0.8;
    let edits = vec![
        Edit::create(
            SHED,
            Entity::new("Shed", Kind::Obstacle(Obstacle::new(shed))),
        ),
        Edit::create(
            ADULT,
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        Edit::create(GIANT, Entity::new("Giant", Kind::Profile(giant))),
        Edit::create(
            WALKER,
            agent("Walker", DVec2::new(10.0, 20.0), DVec2::new(24.0, 20.0)),
        ),
        Edit::create(
            RUNNER,
            agent("Runner", DVec2::new(10.0, 80.0), DVec2::new(80.0, 80.0)),
        ),
    ];
    let label = "Draw".to_owned();
    let ctx = egui::Context::default();
    editor.apply(
        &ctx,
        Action::Commit {
            label,
            edits,
            merge: None,
        },
    );
    let mut harness = harness(editor);
    wait(&mut harness, "the bake", |editor| {
        let state = &editor.state;
        state.navigation.freshness(state.document()) == Freshness::Fresh
    });
    harness
}

fn time(harness: &Harness<'_, Editor>) -> f64 {
    harness.state().state.navigation.player.clock.time()
}

fn is_playing(harness: &Harness<'_, Editor>) -> bool {
    harness.state().state.navigation.player.clock.is_playing()
}

fn at_the_player(folder: &Folder) -> Harness<'static, Editor> {
    let mut harness = on_stage(folder);
    apply(&mut harness, Action::Reveal(Pane::PLAYBACK));
    apply(&mut harness, Action::Play(Play::Source(Source::Plans)));
    harness.run_ok();
    harness
}

#[test]
fn keys_play_pause_step_and_jump() {
    let folder = Folder::new();
    let mut harness = at_the_player(&folder);
    harness.key_press(Key::Space);
    for _ in 0..30 {
        harness.step();
    }
    assert!(
        is_playing(&harness) && time(&harness) > 0.1,
        "{}",
        time(&harness)
    );
    harness.key_press(Key::Space);
    harness.run_ok();
    assert!(!is_playing(&harness));
    press(&mut harness, Modifiers::NONE, Key::Home);
    assert_eq!(time(&harness), 0.0);
    for _ in 0..3 {
        press(&mut harness, Modifiers::COMMAND, Key::ArrowRight);
    }
    press(&mut harness, Modifiers::COMMAND, Key::ArrowLeft);
    assert!((time(&harness) - 0.1).abs() < 1e-9, "{}", time(&harness));
    press(&mut harness, Modifiers::NONE, Key::End);
    // The runner has 70 m to go at 1.4 m/s.
    assert!((time(&harness) - 50.0).abs() < 0.5, "{}", time(&harness));
    harness.get_by_label_contains("arrived after 0:10");
}

#[test]
fn without_the_player_in_sight_only_space_is_its_key_and_opens_it() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    apply(&mut harness, Action::Reveal(Pane::PROBLEMS));
    harness.run_ok();
    press(&mut harness, Modifiers::NONE, Key::End);
    assert_eq!(time(&harness), 0.0);
    let playback = |harness: &Harness<'_, Editor>| {
        let player = &harness.state().state.navigation.player;
        (player.clock.is_playing(), player.is_in_sight())
    };
    assert_eq!(playback(&harness), (false, false));
    harness.key_press(Key::Space);
    harness.step();
    harness.step();
    assert_eq!(playback(&harness), (true, true));
}

#[test]
fn space_that_moves_the_view_plays_nothing() {
    let folder = Folder::new();
    let mut harness = at_the_player(&folder);
    let centre = harness.state().state.view.camera.centre;
    let from = harness.get_by_label("Plan view").rect().center();
    harness.hover_at(from);
    harness.key_down(Key::Space);
    harness.run_ok();
    harness.drag_at(from);
    harness.step();
    for step in 1..6 {
        harness.hover_at(from + egui::vec2(10.0 * step as f32, 0.0));
        harness.step();
    }
    harness.drop_at(from + egui::vec2(50.0, 0.0));
    harness.step();
    harness.key_up(Key::Space);
    harness.run_ok();
    assert!(!is_playing(&harness) && time(&harness) == 0.0);
    assert_ne!(harness.state().state.view.camera.centre, centre);
}

#[test]
fn arrows_jump_once_the_player_has_the_keyboard() {
    let folder = Folder::new();
    let mut harness = at_the_player(&folder);
    apply(&mut harness, Action::Select(Selection::one(WALKER)));
    harness.run_ok();
    let before = harness.state().state.document().revision();
    let at = harness.get_by_label("Loop").rect().center();
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_ok();
    assert!(harness.state().state.navigation.player.clock.loops);
    for key in [Key::ArrowRight, Key::ArrowRight, Key::ArrowLeft] {
        press(&mut harness, Modifiers::NONE, key);
    }
    assert_eq!(time(&harness), 1.0);
    assert_eq!(
        harness.state().state.document().revision(),
        before,
        "no agent was nudged"
    );
}

#[test]
fn one_agent_can_be_played_alone_and_has_its_figures() {
    let folder = Folder::new();
    let mut harness = at_the_player(&folder);
    apply(&mut harness, Action::Select(Selection::one(WALKER)));
    harness.run_ok();
    harness.get_by_label("Curvature");
    harness.get_by_label_contains("Clearance (m)");
    harness.get_by_label("Only the selected").click();
    harness.run_ok();
    press(&mut harness, Modifiers::NONE, Key::End);
    assert!((time(&harness) - 10.0).abs() < 0.1, "{}", time(&harness));
}

#[test]
fn digits_set_the_speed_once_the_player_has_the_keyboard() {
    let folder = Folder::new();
    let mut harness = at_the_player(&folder);
    let speed =
        |harness: &Harness<'_, Editor>| harness.state().state.navigation.player.clock.speed();
    let at = harness.get_by_label("Loop").rect().left_center();
    // Below the switches, where there is nothing but the panel.
    let beside = egui::pos2(at.x, at.y + 80.0);
    harness.drag_at(beside);
    harness.drop_at(beside);
    harness.run_ok();
    harness.key_press(Key::Num4);
    harness.run_ok();
    assert_eq!(speed(&harness), 4.0);
}

#[test]
fn narrow_passages_are_listed_with_the_profiles_they_stop() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    apply(&mut harness, Action::Reveal(Pane::CLEARANCE));
    wait(&mut harness, "the corridor map", |editor| {
        editor.state.navigation.corridors.charted().is_some()
    });
    harness.run_ok();
    harness.get_by_label("1.00 m");
    harness.get_by_label_contains("Barn and Shed");
    let camera = harness.state().state.view.camera;
    harness.get_by_label("1.00 m").click();
    harness.run_ok();
    let state = &harness.state().state;
    let pinch = state.navigation.corridors.pinch.expect("picked");
    assert!((pinch.width - 1.0).abs() < 1e-6);
    assert!(state.view.camera.pixels_per_metre > camera.pixels_per_metre);
    assert!(state.view.camera.centre.distance(DVec2::new(55.5, 50.0)) < 5.1);

    // A giant does not fit between them, but everywhere else: the gap is closed, nothing parted.
    harness.get_by_label("Giant 0.80").click();
    harness.run_ok();
    assert_eq!(harness.state().state.navigation.corridors.body, Some(0.8));
    harness.get_by_label_contains("one connected area · 1 of");
    let is_on = Command::ShowOverlay(OverlayId::MEDIAL_AXIS).is_on(&harness.state().state);
    assert_eq!(is_on, Some(true), "whoever asks for a body wants to see it");
    harness.get_by_label("Deselect the narrow passage").click();
    harness.run_ok();
    assert_eq!(harness.state().state.navigation.corridors.pinch, None);
}

#[test]
fn regions_and_corridors_are_drawn_without_opengl_and_the_status_bar_says_so() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    for command in [
        Command::ShowOverlay(OverlayId::REGIONS),
        Command::ShowOverlay(OverlayId::DISTANCES),
        Command::ShowOverlay(OverlayId::MEDIAL_AXIS),
        Command::ShowOverlay(OverlayId::SPOKES),
        Command::ShowOverlay(OverlayId::CORRIDORS),
        Command::ShowOverlay(OverlayId::FORCES),
    ] {
        apply(&mut harness, Action::Command(command));
        assert_eq!(command.is_on(&harness.state().state), Some(true));
    }
    apply(&mut harness, Action::Select(Selection::one(WALKER)));
    wait(&mut harness, "the corridor map", |editor| {
        editor.state.navigation.corridors.charted().is_some()
    });
    harness.run_ok();
    harness.get_by_label("No OpenGL");
    // While the shed is dragged, what is drawn follows without a hitch.
    apply(
        &mut harness,
        Action::Begin {
            label: "Move".to_owned(),
        },
    );
    for step in 0..5 {
        let corner = DVec2::new(56.0 + f64::from(step), 45.0);
        let shed = Polygon::rect(Rect::new(corner, corner + 10.0));
        let edits = vec![Edit::replace(
            SHED,
            Entity::new("Shed", Kind::Obstacle(Obstacle::new(shed))),
        )];
        apply(&mut harness, Action::Preview { edits });
        harness.step();
    }
    apply(&mut harness, Action::Finish);
    wait(&mut harness, "the map of the new state", |editor| {
        let charted = editor.state.navigation.corridors.charted();
        charted.is_some_and(|charted| {
            let is_new = |gap: &Pinch| (gap.width - 5.0).abs() < 1e-6;
            charted.pinches.iter().any(is_new)
        })
    });
}

#[test]
fn both_corridor_methods_are_played_beside_each_other_or_say_why_not() {
    let folder = Folder::new();
    let mut harness = at_the_player(&folder);
    apply(&mut harness, Action::Select(Selection::one(WALKER)));
    harness.run_ok();
    harness.get_by_label("Both corridor methods").click();
    wait(&mut harness, "both methods", |editor| {
        let player = &editor.state.navigation.player;
        let found = |by: &&Alternative| by.recording.is_ok();
        let alternatives = player.alternatives(Some(WALKER));
        alternatives.is_some_and(|all| {
            let shown = player.curves(WALKER).len();
            shown == all.iter().filter(found).count()
        })
    });
    harness.run_ok();
    let player = &harness.state().state.navigation.player;
    let paths = player
        .alternatives(Some(WALKER))
        .expect("waited for")
        .clone();
    assert_eq!(paths.len(), 2);
    for (path, name) in paths
        .iter()
        .zip(["Corridor map (original)", "Corridor map"])
    {
        match &path.recording {
            Ok(recording) => {
                let end = recording.pose(WALKER, f64::MAX).expect("points").point;
                assert!(end.distance(DVec3::new(24.0, 20.0, 0.0)) < 0.3);
                harness.get_by_label(name);
            }
            Err(_) => {
                harness.get_by_label_contains(&format!("{name}: "));
            }
        }
    }
}

#[test]
fn the_window_shows_what_a_recording_of_the_plans_holds_at_that_moment() {
    let folder = Folder::new();
    let mut harness = at_the_player(&folder);
    wait(&mut harness, "the recording", |editor| {
        editor.state.navigation.player.recording().is_some()
    });
    apply(&mut harness, Action::Play(Play::Seek(4.25)));
    harness.run_ok();
    let navigation = &harness.state().state.navigation;
    let shown = navigation.player.moment(None).expect("in sight");
    let planned = navigation.baked().expect("baked");
    let recording = Recording::of_plans(&planned.level, &planned.plans);
    let checksum = recording.checksum();
    assert_eq!(*shown, Playback::of(recording.into()).moment(4.25));
    assert_eq!(shown.agents.len(), 2);
    let played = navigation.player.recording().expect("waited for");
    assert_eq!(played.checksum(), checksum);
}

#[test]
fn a_path_that_is_blocked_for_a_moment_does_not_take_the_clock_back() {
    let folder = Folder::new();
    let mut harness = at_the_player(&folder);
    wait(&mut harness, "the recording", |editor| {
        editor.state.navigation.player.recording().is_some()
    });
    apply(&mut harness, Action::Play(Play::Seek(20.0)));
    let duration = |editor: &Editor| editor.state.navigation.player.duration(None);
    assert!(duration(harness.state()) > 40.0);
    // A long path becomes short while it is looked at, and long again.
    let mut move_goal = |x: f64, label: &str| {
        let edits = vec![Edit::replace(
            RUNNER,
            agent("Runner", DVec2::new(10.0, 80.0), DVec2::new(x, 80.0)),
        )];
        let label = label.to_owned();
        let merge = None;
        apply(
            &mut harness,
            Action::Commit {
                label,
                edits,
                merge,
            },
        );
        let is_short = x < 20.0;
        wait(&mut harness, "the new path", |editor| {
            (duration(editor) < 15.0) == is_short
        });
        let player = &harness.state().state.navigation.player;
        (player.time(None), player.clock.time())
    };
    let (shown, clock) = move_goal(12.0, "Shorter");
    assert!(shown < 15.0 && clock == 20.0);
    assert_eq!(move_goal(80.0, "Longer"), (20.0, 20.0));
}
