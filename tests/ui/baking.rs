use crate::stage::*;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use std::sync::Arc;
use wayloom::base::EntityId;
use wayloom::document::{Agent, Edit, Entity, Goal, Heading, Kind, Mission, Profile, Selection};
use wayloom::editor::docking::Pane;
use wayloom::editor::navigation::Freshness;
use wayloom::editor::work::Display;
use wayloom::editor::{Action, Command, Editor};
use wayloom::nav::BakeQuality;

const WALKER: EntityId = EntityId::new(20);

fn walker(start: DVec3) -> Entity {
    let mut mission = Mission::new(EntityId::new(21));
    mission.goals = vec![Goal::At(DVec3::new(90.0, 50.0, 0.0))];
    Entity::new(
        "Walker",
        Kind::Agent(Agent {
            start,
            heading: Heading::default(),
            mission,
        }),
    )
}

fn is_fresh(editor: &Editor) -> bool {
    let state = &editor.state;
    state.navigation.freshness(state.document()) == Freshness::Fresh
}

fn apply(editor: &mut Editor, action: Action) {
    editor.apply(&egui::Context::default(), action);
}

fn with_walker(folder: &Folder) -> Editor {
    let mut editor = editor_with_level(folder);
    let edits = vec![
        Edit::create(
            EntityId::new(21),
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        Edit::create(WALKER, walker(DVec3::new(10.0, 50.0, 0.0))),
    ];
    apply(
        &mut editor,
        Action::Commit {
            label: "Draw".to_owned(),
            edits,
            merge: None,
        },
    );
    editor
}

fn first_point(editor: &Editor) -> DVec2 {
    let plan = editor.state.navigation.plan_of(WALKER).expect("planned");
    plan.points().next().expect("found")
}

#[test]
fn a_level_is_baked_by_itself_and_stays_fresh() {
    let folder = Folder::new();
    let mut harness = harness(with_walker(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    let plan = harness.state().state.navigation.plan_of(WALKER).cloned();
    let plan = plan.expect("planned");
    // Ten metres of barn are in the way.
    assert!(
        plan.length() > 80.0 && plan.length() < 100.0,
        "{}",
        plan.length()
    );
    harness.get_by_label("Navigation: Fresh");
    let steps = harness.state().state.document().undo_labels().len();
    assert_eq!(steps, 1, "baking is no part of history");
}

#[test]
fn the_path_follows_a_drag_before_it_is_finished() {
    let folder = Folder::new();
    let mut harness = harness(with_walker(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    apply(
        harness.state_mut(),
        Action::Begin {
            label: "Move".to_owned(),
        },
    );
    let start = DVec3::new(10.0, 20.0, 0.0);
    apply(
        harness.state_mut(),
        Action::Preview {
            edits: vec![Edit::replace(WALKER, walker(start))],
        },
    );
    wait(&mut harness, "the path of the preview", |editor| {
        first_point(editor) == start.truncate()
    });
    assert!(harness.state().state.document().in_transaction());
    apply(harness.state_mut(), Action::Cancel);
    wait(&mut harness, "the path from before", |editor| {
        first_point(editor) == DVec2::new(10.0, 50.0)
    });
}

#[test]
fn p_hides_navigation_and_f5_bakes_from_scratch() {
    let folder = Folder::new();
    let mut harness = harness(with_walker(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::P);
    assert!(!harness.state().state.navigation.visible);
    press(&mut harness, egui::Modifiers::NONE, egui::Key::P);
    assert!(harness.state().state.navigation.visible);
    let baked = |editor: &Editor| editor.state.navigation.baked().cloned().expect("baked");
    let before = baked(harness.state());
    press(&mut harness, egui::Modifiers::NONE, egui::Key::F5);
    wait(&mut harness, "another bake", |editor| {
        !Arc::ptr_eq(&before, &baked(editor)) && is_fresh(editor)
    });
    assert!(!baked(harness.state()).bundle.was_reused());
}

#[test]
fn blocked_agents_are_listed_as_problems() {
    let folder = Folder::new();
    let mut harness = harness(with_walker(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    harness.state_mut().ask(Command::SelectNone);
    let mut level_edits = Vec::new();
    for (id, (x, y)) in (30..).zip([(85.0, 50.0), (95.0, 50.0), (90.0, 45.0), (90.0, 55.0)]) {
        let half = if y == 50.0 {
            DVec2::new(0.5, 6.0)
        } else {
            DVec2::new(6.0, 0.5)
        };
        let area = wayloom::geometry::Polygon::rect(wayloom::geometry::Rect::around(
            DVec2::new(x, y),
            half,
        ));
        let kind = Kind::Obstacle(wayloom::document::Obstacle::new(area));
        level_edits.push(Edit::create(EntityId::new(id), Entity::new("Fence", kind)));
    }
    apply(
        harness.state_mut(),
        Action::Commit {
            label: "Fence".to_owned(),
            edits: level_edits,
            merge: None,
        },
    );
    wait(&mut harness, "the problem", |editor| {
        let problems = editor.state.problems();
        problems
            .iter()
            .any(|problem| problem.code.name() == "unreachable")
    });
}

#[test]
fn the_chip_shows_the_panel_and_never_closes_it() {
    let folder = Folder::new();
    let mut harness = harness(with_walker(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    for _ in 0..2 {
        click_button(&mut harness, "Navigation: Fresh");
        harness.get_by_label_contains("Free space, radius");
    }
}

const RUNNER: EntityId = EntityId::new(22);

/// Two agents, the bench in front.
fn at_the_bench(folder: &Folder) -> egui_kittest::Harness<'static, Editor> {
    let mut editor = with_walker(folder);
    let mut runner = walker(DVec3::new(10.0, 80.0, 0.0));
    runner.name = "Runner".to_owned();
    apply(
        &mut editor,
        Action::Commit {
            label: "Draw".to_owned(),
            edits: vec![Edit::create(RUNNER, runner)],
            merge: None,
        },
    );
    apply(&mut editor, Action::Select(Selection::default()));
    editor.ask(Command::TogglePanel(Pane::BENCH));
    harness(editor)
}

fn is_compared(editor: &Editor, agent: EntityId) -> bool {
    let navigation = &editor.state.navigation;
    let bench = navigation
        .bench
        .shown()
        .filter(|bench| bench.agent == agent);
    bench.is_some() && navigation.bench_is_fresh(editor.state.document())
}

#[test]
fn choosing_another_agent_for_the_bench_bakes_nothing() {
    let folder = Folder::new();
    let mut harness = at_the_bench(&folder);
    wait(&mut harness, "the first bake", is_fresh);
    harness.get_by_label("Select an agent to compare planners.");
    let baked = harness.state().state.navigation.baked().cloned();
    let baked = baked.expect("baked");
    for agent in [WALKER, RUNNER, WALKER] {
        let select = Action::Select(Selection::one(agent));
        apply(harness.state_mut(), select);
        wait(&mut harness, "the comparison", |editor| {
            assert!(is_fresh(editor), "nothing is out of date");
            is_compared(editor, agent)
        });
        harness.get_by_label("Shortest path");
    }
    let after = harness.state().state.navigation.baked().cloned();
    assert!(Arc::ptr_eq(&baked, &after.expect("baked")));
}

#[test]
fn a_comparison_comes_even_where_the_bake_was_cancelled() {
    let folder = Folder::new();
    let mut harness = at_the_bench(&folder);
    wait(&mut harness, "the first bake", is_fresh);
    apply(harness.state_mut(), Action::Select(Selection::one(WALKER)));
    press(&mut harness, egui::Modifiers::NONE, egui::Key::F5);
    if let Some(task) = harness.state().state.navigation.task() {
        apply(harness.state_mut(), Action::CancelJob(task));
    }
    wait(&mut harness, "the comparison", |editor| {
        is_compared(editor, WALKER)
    });
    harness.get_by_label("Shortest path");
}

#[test]
fn a_search_goes_with_its_agent_and_with_the_bench() {
    let folder = Folder::new();
    let mut harness = at_the_bench(&folder);
    let searched = |editor: &Editor| editor.state.navigation.bench.watch().is_some();
    for leave in 0..3 {
        apply(harness.state_mut(), Action::Reveal(Pane::BENCH));
        apply(harness.state_mut(), Action::Select(Selection::one(WALKER)));
        wait(&mut harness, "the comparison", |editor| {
            is_compared(editor, WALKER)
        });
        harness.get_by_label("Watch the search").scroll_to_me();
        harness.run_ok();
        click_button(&mut harness, "Watch the search");
        assert!(searched(harness.state()));
        match leave {
            0 => apply(harness.state_mut(), Action::Select(Selection::one(RUNNER))),
            1 => apply(harness.state_mut(), Action::Select(Selection::default())),
            _ => apply(harness.state_mut(), Action::Reveal(Pane::HISTORY)),
        }
        harness.run_ok();
        assert!(!searched(harness.state()), "{leave}");
        wait(&mut harness, "the bake", is_fresh);
        assert!(!searched(harness.state()), "{leave}");
    }
}

#[test]
fn a_drag_that_is_given_up_leads_back_to_what_was_baked_before() {
    let folder = Folder::new();
    let mut harness = harness(with_walker(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    let before = harness.state().state.navigation.baked().cloned();
    let label = "Move".to_owned();
    apply(harness.state_mut(), Action::Begin { label });
    let moved = walker(DVec3::new(10.0, 20.0, 0.0));
    apply(
        harness.state_mut(),
        Action::Preview {
            edits: vec![Edit::replace(WALKER, moved)],
        },
    );
    wait(&mut harness, "the path of the preview", |editor| {
        first_point(editor) == DVec2::new(10.0, 20.0)
    });
    let live = harness.state().state.navigation.baked().cloned();
    assert_eq!(live.expect("baked").quality, BakeQuality::Preview);
    apply(harness.state_mut(), Action::Cancel);
    harness.step();
    assert!(is_fresh(harness.state()));
    let after = harness.state().state.navigation.baked().cloned();
    assert!(Arc::ptr_eq(&before.expect("baked"), &after.expect("baked")));
}

#[test]
fn what_a_drag_ends_with_is_baked_to_be_kept() {
    let folder = Folder::new();
    let mut harness = harness(with_walker(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    let label = "Move".to_owned();
    apply(harness.state_mut(), Action::Begin { label });
    let area = wayloom::geometry::Polygon::rect(wayloom::geometry::Rect::around(
        DVec2::new(50.0, 40.0),
        DVec2::splat(5.0),
    ));
    let kind = Kind::Obstacle(wayloom::document::Obstacle::new(area));
    apply(
        harness.state_mut(),
        Action::Preview {
            edits: vec![Edit::replace(BARN, Entity::new("Barn", kind))],
        },
    );
    let qualities = |editor: &Editor| -> Vec<BakeQuality> {
        let baked = editor.state.navigation.baked().cloned().expect("baked");
        baked.bundle.spaces().map(|space| space.quality).collect()
    };
    wait(&mut harness, "the live bake", |editor| {
        is_fresh(editor)
            && qualities(editor)
                .iter()
                .all(|quality| *quality == BakeQuality::Preview)
    });
    apply(harness.state_mut(), Action::Finish);
    wait(&mut harness, "the final bake", |editor| {
        is_fresh(editor)
            && qualities(editor)
                .iter()
                .all(|quality| *quality == BakeQuality::Full)
    });
}

#[test]
fn jobs_make_room_for_what_the_tool_says() {
    let title = "A job whose name is much longer than what is left of a narrow status bar";
    for (width, named) in [(1000.0, false), (2600.0, true)] {
        let folder = Folder::new();
        let mut harness = sized(with_walker(&folder), egui::vec2(width, 700.0));
        let ctx = harness.ctx.clone();
        let task = harness.state_mut().work.start(
            &ctx,
            title,
            Display::Shown,
            |job| {
                while job.checkpoint().is_ok() {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
            },
            |_, _| {},
        );
        std::thread::sleep(std::time::Duration::from_millis(300));
        harness.step();
        harness.get_by_label(&format!("Cancel {title}"));
        assert_eq!(harness.query_by_label(title).is_some(), named, "{width}");
        harness.state_mut().work.cancel(task);
    }
}
