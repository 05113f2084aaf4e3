//! Crowds that are simulated beside the window and played while they are.

use crate::stage::*;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec2;
use wayloom::base::EntityId;
use wayloom::document::{
    Crowd, Edit, Entity, Goal, Groups, Kind, Measure, MeasureShape, Mission, Obstacle, Profile,
    Spawn, Variety,
};
use wayloom::editor::docking::Pane;
use wayloom::editor::playback::Play;
use wayloom::editor::simulating::SimulationAsk;
use wayloom::editor::{Action, Command, Editor};
use wayloom::geometry::{Polygon, Rect};
use wayloom::preview::OverlayId;
use wayloom::preview::crowd::ColourBy;

const PEOPLE: EntityId = EntityId::new(31);
const CROWD: EntityId = EntityId::new(32);
const LINE: EntityId = EntityId::new(33);
const SHED: EntityId = EntityId::new(34);

fn apply(harness: &mut Harness<'_, Editor>, action: Action) {
    let ctx = harness.ctx.clone();
    harness.state_mut().apply(&ctx, action);
    harness.step();
}

fn square(low: [f64; 2], high: [f64; 2]) -> Polygon {
    Polygon::rect(Rect::new(low.into(), high.into()))
}

fn commit(harness: &mut Harness<'_, Editor>, edits: Vec<Edit>) {
    let label = "Draw".to_owned();
    let merge = None;
    apply(
        harness,
        Action::Commit {
            label,
            edits,
            merge,
        },
    );
}

/// Twenty people who walk ten metres past a line.
fn on_stage(folder: &Folder) -> Harness<'static, Editor> {
    let mut harness = harness(editor_with_level(folder));
    let mut mission = Mission::new(PEOPLE);
    mission.goals = vec![Goal::At(DVec2::new(22.0, 20.0).extend(0.0))];
    let crowd = Crowd {
        area: square([8.0, 16.0], [13.0, 24.0]),
        count: 20,
        spawn: Spawn::AtOnce,
        variety: Variety::default(),
        groups: Groups::default(),
        mission,
    };
    let line = Measure {
        shape: MeasureShape::Line([DVec2::new(17.0, 10.0), DVec2::new(17.0, 30.0)]),
        base: 0.0,
    };
    let shed = Obstacle::new(square([16.0, 40.0], [18.0, 42.0]));
    commit(
        &mut harness,
        vec![
            Edit::create(
                PEOPLE,
                Entity::new("Adult", Kind::Profile(Profile::default())),
            ),
            Edit::create(CROWD, Entity::new("Visitors", Kind::Crowd(crowd))),
            Edit::create(LINE, Entity::new("Gate", Kind::Measure(line))),
            Edit::create(SHED, Entity::new("Shed", Kind::Obstacle(shed))),
        ],
    );
    harness.run_ok();
    harness
}

fn is_done(editor: &Editor) -> bool {
    let simulation = &editor.state.navigation.player.simulation;
    !simulation.is_running()
        && simulation
            .shown()
            .is_some_and(|shown| shown.summary.is_some())
}

fn run(harness: &mut Harness<'_, Editor>) {
    harness.key_press(Key::Space);
    wait_without_rest(harness, "the run", is_done);
    apply(harness, Action::Play(Play::Toggle));
}

/// While time passes the window never comes to rest.
fn wait_without_rest(
    harness: &mut Harness<'_, Editor>,
    what: &str,
    mut done: impl FnMut(&Editor) -> bool,
) {
    let started = std::time::Instant::now();
    while !done(harness.state()) {
        harness.step();
        assert!(started.elapsed().as_secs() < 300, "waited in vain: {what}");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[test]
fn space_simulates_crowds_and_plays_them() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    harness.get_by_label("Play the level");
    harness.key_press(Key::Space);
    wait_without_rest(&mut harness, "people", |editor| {
        let moment = editor.state.navigation.player.moment(None);
        moment.is_some_and(|moment| moment.agents.len() == 20)
    });
    assert!(harness.query_by_label("Play the level").is_none());
    wait_without_rest(&mut harness, "the run", is_done);
    let player = &harness.state().state.navigation.player;
    let end = &player
        .simulation
        .shown()
        .expect("run")
        .summary
        .clone()
        .expect("over")
        .end;
    assert_eq!((end.appeared, end.arrived), (20, 20));
    apply(&mut harness, Action::Play(Play::End));
    harness.run_ok();
    harness.get_by_label_contains("20 of 20 arrived");
    harness.get_by_label("Arrived");
    let time = harness.state().state.navigation.player.clock.time();
    assert!(time > 5.0 && time < 60.0, "{time}");
}

#[test]
fn an_edit_makes_the_run_a_ghost_of_the_next_one() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    run(&mut harness);
    let shed = Obstacle::new(square([19.0, 19.0], [20.0, 21.0]));
    let shed = Entity::new("Shed", Kind::Obstacle(shed));
    commit(&mut harness, vec![Edit::replace(SHED, shed)]);
    harness.run_ok();
    harness.get_by_label_contains("The level has changed since this run");
    harness.get_by_label("Run again").click();
    harness.step();
    wait_without_rest(&mut harness, "the second run", |editor| {
        is_done(editor) && editor.state.navigation.player.simulation.ghost().is_some()
    });
    apply(&mut harness, Action::Play(Play::Toggle));
    apply(&mut harness, Action::Play(Play::Seek(3.0)));
    let player = &harness.state().state.navigation.player;
    let view = player.crowd_view();
    assert_eq!(view.ghost.map(|ghost| ghost.agents.len()), Some(20));
    apply(&mut harness, Action::Simulate(SimulationAsk::ClearGhost));
    let player = &harness.state().state.navigation.player;
    assert!(player.simulation.kept_ghost().is_none());
}

#[test]
fn a_recording_is_saved_and_opened_again() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    run(&mut harness);
    let shown = |harness: &Harness<'_, Editor>| {
        let player = &harness.state().state.navigation.player;
        player.run().expect("a run").clone()
    };
    let first = shown(&harness);
    let bytes = first.to_bytes().expect("small");
    let path = folder.file("run.wlrec");
    std::fs::write(&path, bytes).expect("written");
    apply(&mut harness, Action::Simulate(SimulationAsk::Stop));
    assert!(harness.state().state.navigation.player.run().is_none());
    let ctx = harness.ctx.clone();
    harness.state_mut().open_any(&ctx, path);
    wait(&mut harness, "the recording", |editor| {
        editor.state.navigation.player.run().is_some()
    });
    let second = shown(&harness);
    assert_eq!(second.moment(4.0), first.moment(4.0));
    assert_eq!(second.end(), first.end());
    harness.get_by_label_contains("run.wlrec");
}

#[test]
fn maps_and_plots_are_made_beside_the_window_and_not_twice() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    run(&mut harness);
    apply(
        &mut harness,
        Action::Command(Command::ShowOverlay(OverlayId::MAX_DENSITY)),
    );
    apply(&mut harness, Action::Reveal(Pane::PLOTS));
    wait(&mut harness, "maps and plots", |editor| {
        let player = &editor.state.navigation.player;
        player.plots().is_some()
    });
    let player = &harness.state().state.navigation.player;
    let (plots, _) = player.plots().expect("waited for");
    assert_eq!(plots.lines[0].times.len(), 20, "everyone passes the gate");
    assert_eq!(plots.arrived(f64::MAX), 20);
    harness.get_by_label("Flow (1/s)");
    harness.get_by_label_contains("20 of 20 arrived");
    apply(&mut harness, Action::Reveal(Pane::PLAYBACK));
    wait(&mut harness, "the map", |editor| {
        editor.state.navigation.player.heat().is_some()
    });
    let started = harness.state().work.jobs().started();
    for _ in 0..10 {
        harness.step();
    }
    let after = harness.state().work.jobs().started();
    assert_eq!(after, started, "frames that show nothing new start no job");
}

#[test]
fn what_is_moved_while_it_is_played_becomes_a_part_of_the_run() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    harness.key_press(Key::Space);
    wait_without_rest(&mut harness, "people", |editor| {
        editor.state.navigation.player.clock.time() > 1.0
    });
    let shed = Obstacle::new(square([17.0, 19.0], [19.0, 21.0]));
    let shed = Entity::new("Shed", Kind::Obstacle(shed));
    commit(&mut harness, vec![Edit::replace(SHED, shed)]);
    wait_without_rest(&mut harness, "the changed run", |editor| {
        let run = editor.state.navigation.player.run();
        run.is_some_and(|run| !run.inputs().is_empty()) && is_done(editor)
    });
    let player = &harness.state().state.navigation.player;
    let level = harness.state().state.document().committed_level();
    assert!(!player.simulation.is_stale(level));
    assert!(player.simulation.kept_ghost().is_none(), "it is one run");
}

#[test]
fn someone_can_be_looked_at_and_colours_have_a_legend() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    run(&mut harness);
    apply(&mut harness, Action::Play(Play::Seek(3.0)));
    let player = &harness.state().state.navigation.player;
    let moment = player.moment(None).expect("in sight");
    let shown = moment.agents[7];
    let found = player.nearest(shown.pose.point.truncate(), 0.3);
    assert_eq!(found, shown.index.map(|index| (index, CROWD)));
    apply(&mut harness, Action::Play(Play::Pick(shown.index)));
    wait(&mut harness, "its trajectory", |editor| {
        let picked = editor.state.navigation.player.crowd_view().picked;
        picked.is_some_and(|picked| !picked.trajectory.is_empty())
    });
    harness.get_by_label_contains("Visitors #");
    for by in ColourBy::ALL {
        apply(&mut harness, Action::Play(Play::ColourBy(by)));
        harness.run_ok();
        assert_eq!(harness.state().state.navigation.player.crowd_view().by, by);
    }
}

#[test]
fn events_and_a_part_to_repeat_are_on_the_time_axis() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    run(&mut harness);
    harness.run_ok();
    let axis = harness.get_by_label("Time axis").rect();
    let duration = harness.state().state.navigation.player.duration(None);
    let half = axis.center();
    harness.drag_at(half);
    harness.drop_at(half);
    harness.run_ok();
    let time = harness.state().state.navigation.player.clock.time();
    assert!((time - duration * 0.5).abs() < 0.3, "{time} of {duration}");
    apply(&mut harness, Action::Play(Play::Span(Some([1.0, 3.0]))));
    let clock = harness.state().state.navigation.player.clock;
    assert_eq!((clock.span(), clock.loops), (Some([1.0, 3.0]), true));
    press(&mut harness, Modifiers::NONE, Key::Period);
    harness.run_ok();
}

#[test]
fn a_level_without_people_says_so() {
    let folder = Folder::new();
    let mut harness = harness(editor_with_level(&folder));
    harness.run_ok();
    assert!(harness.query_by_label("Play the level").is_none());
    harness.key_press(Key::Space);
    wait(&mut harness, "the refusal", |editor| {
        editor.state.navigation.player.simulation.error().is_some()
    });
    // In the panel, and in a notice where the panel is closed.
    let mut told = harness.query_all_by_label_contains("neither agents nor crowds");
    assert!(told.next().is_some());
    drop(told);
    assert!(!harness.state().state.navigation.player.clock.is_playing());
}
