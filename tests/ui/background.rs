//! What the window does in the background, counted on the path that it takes.

use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wayloom::base::EntityId;
use wayloom::document::template::{Options, Template};
use wayloom::document::validate::Code;
use wayloom::document::{
    Agent, Document, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, Profile, Region,
    Route, RouteShape, Selection,
};
use wayloom::editor::docking::Pane;
use wayloom::editor::navigation::Freshness;
use wayloom::editor::open_level::OpenLevel;
use wayloom::editor::{Action, Command, Editor};
use wayloom::geometry::{Polygon, Rect};

const PROFILE: EntityId = EntityId::new(30);
const GUARD: EntityId = EntityId::new(31);
const ROUTE: EntityId = EntityId::new(32);

/// What the cross of a progress bar may take at most.
const AT_ONCE: Duration = Duration::from_millis(100);

fn is_fresh(editor: &Editor) -> bool {
    let state = &editor.state;
    state.navigation.freshness(state.document()) == Freshness::Fresh
}

fn is_at_rest(editor: &Editor) -> bool {
    is_fresh(editor) && editor.state.problems_are_current() && editor.work.is_idle()
}

/// Waits until everything is made, and that brings about nothing more.
fn rest(harness: &mut Harness<'_, Editor>) {
    let mut quiet = (0, 0);
    wait(harness, "everything", |editor| {
        let started = editor.work.jobs().started();
        let frames = if is_at_rest(editor) && quiet.1 == started {
            quiet.0 + 1
        } else {
            0
        };
        quiet = (frames, started);
        frames >= 5
    });
}

fn apply(harness: &mut Harness<'_, Editor>, action: Action) {
    let ctx = harness.ctx.clone();
    harness.state_mut().apply(&ctx, action);
}

fn commit(harness: &mut Harness<'_, Editor>, label: &str, edits: Vec<Edit>) {
    let label = label.to_owned();
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

fn guard(start: DVec3) -> Entity {
    let mut mission = Mission::new(PROFILE);
    mission.goals = vec![Goal::At(DVec3::new(90.0, 50.0, 0.0))];
    let heading = Heading::default();
    Entity::new(
        "Guard",
        Kind::Agent(Agent {
            start,
            heading,
            mission,
        }),
    )
}

fn with_guard<'a>(folder: &Folder) -> Harness<'a, Editor> {
    let mut harness = harness(editor_with_level(folder));
    let profile = Entity::new("Adult", Kind::Profile(Profile::default()));
    let edits = vec![
        Edit::create(PROFILE, profile),
        Edit::create(GUARD, guard(DVec3::new(10.0, 50.0, 0.0))),
    ];
    commit(&mut harness, "Draw", edits);
    harness
}

/// A sample in place of what is open.
fn open_sample(harness: &mut Harness<'_, Editor>, name: &str) {
    let template = Template::by_name(name).expect("a sample");
    let level = template.build(&Options::default()).expect("valid");
    let next = level.largest_id().next();
    let document = Document::new(level, next);
    let editor = harness.state_mut();
    editor.state.open(OpenLevel::Loose(Box::new(document)));
}

#[test]
fn frames_that_show_nothing_new_start_no_job() {
    let folder = Folder::new();
    let mut harness = with_guard(&folder);
    apply(&mut harness, Action::Select(Selection::one(GUARD)));
    for pane in [Pane::PLAN, Pane::SPACE, Pane::BENCH, Pane::PROBLEMS] {
        apply(&mut harness, Action::Reveal(pane));
        rest(&mut harness);
        let before = harness.state().work.jobs().started();
        for _ in 0..20 {
            harness.step();
        }
        let after = harness.state().work.jobs().started();
        assert_eq!(after, before, "{pane:?}");
    }
}

#[test]
fn moving_an_agent_bakes_nothing() {
    let folder = Folder::new();
    let mut harness = with_guard(&folder);
    wait(&mut harness, "the first bake", is_fresh);
    let spaces = |editor: &Editor| {
        let baked = editor.state.navigation.baked().cloned().expect("baked");
        let spaces: Vec<_> = baked.bundle.spaces().cloned().collect();
        (baked, spaces)
    };
    let (_, before) = spaces(harness.state());
    let place = DVec3::new(12.0, 40.0, 0.0);
    commit(
        &mut harness,
        "Move",
        vec![Edit::replace(GUARD, guard(place))],
    );
    wait(&mut harness, "the next bake", is_fresh);
    let (baked, after) = spaces(harness.state());
    assert!(baked.bundle.was_reused(), "{:?}", baked.times);
    assert!(before.iter().zip(&after).all(|(a, b)| Arc::ptr_eq(a, b)));
    let plan = harness.state().state.navigation.plan_of(GUARD);
    let first = plan.and_then(|plan| plan.points().next());
    assert_eq!(first, Some(place.truncate()));
}

/// The window's thread is marked while a frame is drawn: a bake, a plan, a search, an explanation
/// or a validation on it would panic.
#[test]
fn nothing_long_runs_on_the_windows_thread_whatever_one_does() {
    let folder = Folder::new();
    let mut harness = with_guard(&folder);
    open_sample(&mut harness, "mckenna_road");
    wait(&mut harness, "the sample", is_fresh);
    let level = Arc::clone(harness.state().state.document().level());
    let (id, entity, obstacle) = level.obstacles().next().expect("there are some");
    // A drag, baked as it is previewed.
    let label = "Move".to_owned();
    apply(&mut harness, Action::Begin { label });
    for step in 1..=3 {
        let mut moved = entity.clone();
        let by = DVec2::new(0.3 * f64::from(step), 0.0);
        let mut area = obstacle.area.clone();
        for point in &mut area.outer {
            *point += by;
        }
        moved.kind = Kind::Obstacle(Obstacle {
            area,
            ..obstacle.clone()
        });
        let edits = vec![Edit::replace(id, moved)];
        apply(&mut harness, Action::Preview { edits });
        wait(&mut harness, "the preview", is_fresh);
    }
    apply(&mut harness, Action::Finish);
    wait(&mut harness, "the bake after the drag", is_fresh);
    // Paint.
    let terrain = level.terrains().next().map(|(terrain, ..)| terrain);
    if let Some(terrain) = terrain {
        let area = Polygon::rect(Rect::around(level.extent().centre(), DVec2::splat(2.0)));
        let region = Entity::new("", Kind::Region(Region { area, terrain }));
        let id = level.largest_id().next().next();
        commit(&mut harness, "Paint", vec![Edit::create(id, region)]);
        wait(&mut harness, "the bake after painting", is_fresh);
        apply(&mut harness, Action::Command(Command::Undo));
        wait(&mut harness, "the bake after undoing", is_fresh);
    }
    let agents: Vec<EntityId> = level.agents().map(|(id, ..)| id).take(2).collect();
    for agent in agents {
        apply(&mut harness, Action::Select(Selection::one(agent)));
        for row in wayloom::editor::panels::registry::rows() {
            apply(&mut harness, Action::Reveal(row.pane));
            harness.run_ok();
        }
        rest(&mut harness);
    }
}

/// The chip says so in the next frame, even if the job takes a while to notice.
#[test]
fn the_cross_of_the_bake_leaves_navigation_stale_until_f5() {
    let folder = Folder::new();
    let mut harness = with_guard(&folder);
    open_sample(&mut harness, "city");
    let cross = "Cancel Baking navigation";
    let started = Instant::now();
    while harness.query_by_label(cross).is_none() {
        harness.step();
        assert!(!is_fresh(harness.state()), "baked before it can be clicked");
        assert!(started.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(5));
    }
    harness.get_by_label(cross).click();
    let clicked = Instant::now();
    let baking = |editor: &Editor| editor.state.navigation.task().is_some();
    while baking(harness.state()) {
        harness.step();
        // Frames of a debug build are slow; it is the number of them that counts.
        assert!(clicked.elapsed() < Duration::from_secs(10));
    }
    harness.step();
    harness.get_by_label("Navigation: Stale");
    for _ in 0..20 {
        harness.step();
        assert!(!baking(harness.state()), "not begun again by itself");
    }
    press(&mut harness, egui::Modifiers::NONE, egui::Key::F5);
    wait(&mut harness, "the bake that was asked for", baking);
}

/// Even one that does not look whether it was cancelled; and it has no result.
#[test]
fn a_cancelled_job_ends_at_once() {
    let folder = Folder::new();
    let mut harness = with_guard(&folder);
    wait(&mut harness, "the first bake", is_at_rest);
    let ctx = harness.ctx.clone();
    let (release, released) = std::sync::mpsc::channel::<()>();
    let (told, ended) = std::sync::mpsc::channel();
    let job = harness.state_mut().work.start(
        &ctx,
        "Waiting for nothing",
        wayloom::jobs::Display::Shown,
        move |job| {
            let _ = released.recv();
            let _ = told.send(job.is_cancelled());
        },
        |_, _| panic!("a result of what was cancelled"),
    );
    std::thread::sleep(Duration::from_millis(300));
    harness.step();
    harness.get_by_label("Cancel Waiting for nothing").click();
    let mut frames = 0;
    let mut work = Duration::ZERO;
    while harness.state().work.is_running(job) {
        let begun = Instant::now();
        harness.step();
        work += begun.elapsed();
        frames += 1;
        assert!(frames <= 2, "after {frames} frames, {work:?}");
    }
    // Two frames of the window, whatever a debug build takes to paint them.
    assert!(cfg!(debug_assertions) || work < AT_ONCE, "{work:?}");
    drop(release);
    assert_eq!(ended.recv_timeout(PATIENCE), Ok(true));
    for _ in 0..5 {
        harness.step();
    }
}

/// A route straight through the barn, and the problem that this is.
fn with_blocked_route<'a>(folder: &Folder) -> (Harness<'a, Editor>, Action) {
    let mut harness = with_guard(folder);
    let corners = vec![DVec2::new(20.0, 50.0), DVec2::new(80.0, 50.0)];
    let route = Route::new(RouteShape::Polyline(corners));
    let route = Entity::new("Round", Kind::Route(route));
    commit(&mut harness, "Draw route", vec![Edit::create(ROUTE, route)]);
    wait(&mut harness, "everything", is_at_rest);
    let problems = harness.state().state.problems();
    let blocked = problems.iter().find(|p| p.code == Code::RouteBlocked);
    let blocked = blocked.expect("the barn is in the way").clone();
    (harness, Action::Fix(vec![blocked]))
}

fn undo_labels(editor: &Editor) -> Vec<String> {
    let document = editor.state.document();
    document.undo_labels().map(str::to_owned).collect()
}

#[test]
fn a_fix_that_takes_a_planner_is_a_job_and_one_undo_step() {
    let folder = Folder::new();
    let (mut harness, fix) = with_blocked_route(&folder);
    let before = undo_labels(harness.state()).len();
    let started = harness.state().work.jobs().started();
    apply(&mut harness, fix);
    assert_eq!(harness.state().work.jobs().started(), started + 1);
    wait(&mut harness, "the fix", |editor| {
        undo_labels(editor).len() == before + 1
    });
    wait(&mut harness, "the problems", is_at_rest);
    let problems = harness.state().state.problems();
    assert!(!problems.iter().any(|p| p.code == Code::RouteBlocked));
}

#[test]
fn a_fix_for_a_level_that_has_changed_is_not_applied() {
    let folder = Folder::new();
    let (mut harness, fix) = with_blocked_route(&folder);
    apply(&mut harness, fix);
    let route = |level: &Level| level.get(ROUTE).map(|entity| entity.kind.clone());
    let before = route(harness.state().state.document().level());
    let place = DVec3::new(12.0, 40.0, 0.0);
    commit(
        &mut harness,
        "Move",
        vec![Edit::replace(GUARD, guard(place))],
    );
    wait(&mut harness, "the end of the fix", is_at_rest);
    assert_eq!(route(harness.state().state.document().level()), before);
    harness.get_by_label_contains("the level has changed meanwhile");
}
