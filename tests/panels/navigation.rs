use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec2;
use wayloom::base::EntityId;
use wayloom::document::{
    Document, Edit, Entity, Expectation, Goal, Kind, NavTest, Obstacle, Query, Region, Selection,
};
use wayloom::editor::panels;
use wayloom::editor::{Action, Editor};
use wayloom::geometry::{HeightField, Polygon, Rect};
use wayloom::jobs::JobContext;
use wayloom::nav::{BakeRequest, NavBundle};
use wayloom::planner::{PlannedLevel, Slopes, missions};
use wayloom::preview::OverlayId;

fn planned(
    level: std::sync::Arc<wayloom::document::Level>,
    before: Option<&PlannedLevel>,
    slopes: Slopes,
) -> PlannedLevel {
    let ctx = JobContext::default();
    let request = BakeRequest {
        before: before.map(|before| &before.bundle),
        ..missions::bake_request(level)
    };
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    PlannedLevel::plan(bundle, before, slopes, &ctx).expect("not cancelled")
}

/// As the editor does beside the window, but at once.
pub fn bake(editor: &mut Editor, bench_for: Option<EntityId>) {
    let level = editor.state.document().level().clone();
    let before = editor.state.navigation.take_baked();
    let ctx = JobContext::default();
    let slopes = editor.state.preferences.slopes;
    let baked = planned(level, before.as_deref(), slopes);
    let baked = std::sync::Arc::new(baked);
    if let Some(agent) = bench_for {
        let compared = baked.compare(agent, &ctx).expect("not cancelled");
        let bench = &mut editor.state.navigation.bench;
        bench.set(&baked, agent, compared.map(Into::into));
    }
    editor.state.navigation.set_baked(baked);
}

fn navigation(document: Document, selected: &[EntityId]) -> Harness<'static, Stage> {
    let mut harness = stage(document, selected, |editor, ui, actions| {
        editor
            .panels
            .get::<panels::NavigationPanel>()
            .ui(ui, &editor.state, actions);
    });
    bake(&mut harness.state_mut().editor, None);
    harness.run();
    harness
}

/// The small level with the guard walled in.
fn walled_in() -> Document {
    let mut document = small_level();
    let ring = |half: f64| Polygon::rect(Rect::around(DVec2::new(2.0, 5.0), DVec2::splat(half)));
    let mut wall = ring(1.9);
    wall.holes = vec![ring(1.5).outer];
    let entity = Entity::new("Fence", Kind::Obstacle(Obstacle::new(wall)));
    let edit = Edit::create(document.allocate_id(), entity);
    document.commit("Draw", vec![edit]).expect("valid");
    document
}

#[test]
fn switches_show_structures_and_say_what_they_are() {
    let mut harness = navigation(small_level(), &[]);
    for (name, layer) in [
        ("Free space", OverlayId::FREE_SPACE),
        ("Trapezoids", OverlayId::TRAPEZOIDS),
        ("Cells", OverlayId::CELLS),
        ("Portals", OverlayId::PORTALS),
    ] {
        let shown = |harness: &Harness<'_, Stage>| {
            let navigation = &harness.state().editor.state.navigation;
            navigation.overlays.contains(layer)
        };
        assert!(!shown(&harness), "{name}");
        harness.get_by_label(name).click();
        harness.run();
        assert!(shown(&harness), "{name}");
    }
    harness
        .get_by_role_and_label(egui::accesskit::Role::CheckBox, "Paths")
        .click();
    harness.run();
    let navigation = &harness.state().editor.state.navigation;
    assert!(!navigation.overlays.contains(OverlayId::PATHS));
}

#[test]
fn every_agent_is_listed_with_its_path_and_a_click_selects_it() {
    let mut harness = navigation(small_level(), &[]);
    let plan = harness
        .state()
        .editor
        .state
        .navigation
        .plan_of(GUARD)
        .cloned();
    let length = plan.expect("planned").length();
    harness.get_by_label(&format!("{length:.1} m"));
    harness.get_by_label("Guard").click();
    harness.run();
    let selection = harness.state().document().selection().clone();
    assert_eq!(selection, Selection::one(GUARD));
    harness.get_by_label_contains("Free space, radius");
    harness.get_by_label("Bake again");
}

#[test]
fn an_unreachable_goal_is_explained() {
    let mut harness = navigation(walled_in(), &[]);
    let plan = harness
        .state()
        .editor
        .state
        .navigation
        .plan_of(GUARD)
        .cloned();
    let plan = plan.expect("planned");
    let (_, reason) = plan.trouble().expect("walled in");
    assert!(reason.reason.len() > 20, "{}", reason.reason);
    let mut shown = reason.reason.clone();
    shown.replace_range(..1, &shown[..1].to_uppercase());
    harness.get_by_label_contains(&shown[..20]);

    let mut inspector = inspector(walled_in(), &[GUARD]);
    bake(&mut inspector.state_mut().editor, None);
    inspector.run();
    inspector.get_by_label_contains(&shown[..20]);
    harness.run();
}

#[test]
fn saved_tests_hold_or_fail_before_ones_eyes() {
    let mut document = small_level();
    let test = |max_length| {
        Kind::Test(NavTest {
            query: Query::Agent(GUARD),
            expectation: Expectation {
                max_length: Some(max_length),
                ..Expectation::default()
            },
        })
    };
    let edits = vec![
        Edit::create(EntityId::new(50), Entity::new("Near", test(10.0))),
        Edit::create(EntityId::new(51), Entity::new("Far", test(500.0))),
        Edit::create(
            EntityId::new(52),
            Entity::new(
                "Dry",
                Kind::Test(NavTest {
                    query: Query::Agent(GUARD),
                    expectation: Expectation {
                        never_in: vec![MUD],
                        ..Expectation::default()
                    },
                }),
            ),
        ),
    ];
    document.commit("Tests", edits).expect("valid");
    let harness = navigation(document, &[]);
    harness.get_by_label_contains("at most 10 is allowed");
    harness.get_by_label_contains("holds:");
    let baked = harness
        .state()
        .editor
        .state
        .navigation
        .baked()
        .cloned()
        .expect("baked");
    assert!(!baked.outcomes[&EntityId::new(50)].holds());
    assert!(baked.outcomes[&EntityId::new(51)].holds());
    // The way from the first goal to the second leads along the puddle's edge at x = 30.
    assert!(!baked.outcomes[&EntityId::new(52)].holds());
    let codes: Vec<&str> = baked.problems.iter().map(|p| p.code.name()).collect();
    assert!(codes.contains(&"test-failed"), "{codes:?}");
}

#[test]
fn the_bench_compares_planners_and_steps_through_a_search() {
    let mut document = small_level();
    let across = Rect::new(DVec2::new(27.0, 10.0), DVec2::new(36.0, 16.0));
    let mud = Kind::Region(Region {
        area: Polygon::rect(across),
        terrain: MUD,
    });
    let puddle = vec![Edit::replace(PUDDLE, Entity::new("Puddle", mud))];
    document.commit("Widen", puddle).expect("valid");
    let mut harness = stage(document, &[GUARD], |editor, ui, actions| {
        editor
            .panels
            .get::<panels::PlannerBench>()
            .ui(ui, &editor.state, actions);
        if let Some(agent) = editor.state.navigation.bench.wanted.get() {
            editor.keep_bench_current(ui.ctx());
            editor.state.navigation.bench.wanted.set(Some(agent));
        }
    });
    let wanted = harness.state().editor.state.navigation.bench.wanted.get();
    assert_eq!(wanted, Some(GUARD));
    bake(&mut harness.state_mut().editor, Some(GUARD));
    harness.run();
    for name in [
        "Portals",
        "Portals (centres)",
        "Shortest path",
        "Terrain and route (MIRAN)",
    ] {
        harness.get_by_label(name);
    }
    let navigation = &harness.state().editor.state.navigation;
    let bench = navigation.bench.shown().cloned().expect("compared");
    for row in &bench.rows {
        let figures = row.outcome.as_ref().expect("nothing is in the way");
        assert!(
            figures.gap.expect("the optimum is known") > -1e-9,
            "{row:?}"
        );
    }
    // One cost for all: what the profile weighs, over the same ground.
    let costs = |name: &str| {
        let row = bench.rows.iter().find(|row| row.method.title() == name);
        let figures = row.and_then(|row| row.outcome.as_ref().ok());
        figures.map(|figures| (figures.terrain_cost, figures.own_cost, figures.length))
    };
    let (by_terrain, own, _) = costs("Terrain and route (MIRAN)").expect("found");
    assert!((by_terrain - own).abs() < 1e-6, "{by_terrain} {own}");
    let (by_terrain, own, length) = costs("Shortest path").expect("found");
    assert!((own - length).abs() < 1e-6, "its own cost is its length");
    assert!(by_terrain > length + 1.0, "part of it leads through mud");
    harness.get_by_label("Shortest path").click();
    harness.run();
    let compared = harness.state().editor.state.navigation.bench.picked;
    assert_eq!(
        compared.map(wayloom::planner::bench::Method::title),
        Some("Shortest path".to_owned())
    );

    let search = |stage: &Stage| {
        let bench = &stage.editor.state.navigation.bench;
        let watch = bench.watch().filter(|watch| watch.is_current());
        watch.and_then(|watch| watch.view().cloned())
    };
    harness.get_by_label("Watch the search").click();
    until(&mut harness, |stage| search(stage).is_some());
    harness.get_by_label("To the end").click();
    harness.run_ok();
    until(&mut harness, |stage| search(stage).is_some());
    let all = search(harness.state()).expect("shown");
    harness.get_by_label("To the start").click();
    harness.run_ok();
    until(&mut harness, |stage| search(stage).is_some());
    harness.get_by_label("One step forward").click();
    harness.run_ok();
    until(&mut harness, |stage| search(stage).is_some());
    let one = search(harness.state()).expect("shown");
    assert!(one.nodes.len() <= all.nodes.len());
    harness.get_by_label("Close the search").click();
    harness.run_ok();
    assert!(search(harness.state()).is_none());
}

#[test]
fn without_an_agent_the_bench_says_what_it_needs() {
    let mut document = small_level();
    let delete = vec![Edit::Delete { id: GUARD }];
    document.commit("Delete", delete).expect("there");
    let harness = stage(document, &[], |editor, ui, actions| {
        editor
            .panels
            .get::<panels::PlannerBench>()
            .ui(ui, &editor.state, actions);
    });
    harness.get_by_label("Draw an agent with a goal to compare planners.");
}

#[test]
fn moving_a_goal_replans_without_baking() {
    let mut harness = navigation(small_level(), &[GUARD]);
    let before = harness
        .state()
        .editor
        .state
        .navigation
        .baked()
        .cloned()
        .expect("baked");
    let mut guard = harness.state().entity(GUARD).clone();
    if let Kind::Agent(agent) = &mut guard.kind {
        agent.mission.goals = vec![Goal::At(glam::DVec3::new(60.0, 60.0, 0.0))];
    }
    let action = Action::Commit {
        label: "Move".to_owned(),
        edits: vec![Edit::replace(GUARD, guard)],
        merge: None,
    };
    let ctx = egui::Context::default();
    harness.state_mut().editor.apply(&ctx, action);
    bake(&mut harness.state_mut().editor, None);
    let after = harness
        .state()
        .editor
        .state
        .navigation
        .baked()
        .cloned()
        .expect("baked");
    let level = harness.state().level();
    let level = std::sync::Arc::new(level.clone());
    let again = planned(level, Some(&before), Slopes::default());
    assert!(again.bundle.was_reused());
    assert_ne!(after.plans[&GUARD].length(), before.plans[&GUARD].length());
    harness.run();
}

#[test]
fn the_inspector_and_the_bench_count_waypoints_alike() {
    let mut harness = inspector(small_level(), &[GUARD]);
    bake(&mut harness.state_mut().editor, None);
    harness.run();
    let plan = harness.state().editor.state.navigation.plan_of(GUARD);
    let plan = plan.cloned().expect("planned");
    assert_eq!(plan.legs.len(), 2);
    let of_legs: usize = plan.paths().map(|path| path.points.len()).sum();
    assert_eq!(plan.waypoints(), of_legs - 1, "the joint counts once");
    harness.get_by_label(&plan.waypoints().to_string());
}

#[test]
fn the_bench_says_what_it_waits_for() {
    let mut harness = stage(small_level(), &[], |editor, ui, actions| {
        editor
            .panels
            .get::<panels::PlannerBench>()
            .ui(ui, &editor.state, actions);
    });
    harness.get_by_label("Select an agent to compare planners.");
    let ctx = egui::Context::default();
    let select = Action::Select(Selection::one(GUARD));
    harness.state_mut().editor.apply(&ctx, select);
    bake(&mut harness.state_mut().editor, None);
    harness.run();
    harness.get_by_label("Planning for Guard…");

    let mut guard = harness.state().entity(GUARD).clone();
    if let Kind::Agent(agent) = &mut guard.kind {
        agent.mission.goals.clear();
    }
    let action = Action::Commit {
        label: "Clear".to_owned(),
        edits: vec![Edit::replace(GUARD, guard)],
        merge: None,
    };
    harness.state_mut().editor.apply(&ctx, action);
    bake(&mut harness.state_mut().editor, Some(GUARD));
    harness.run();
    harness.get_by_label("Guard has no goal to plan for; give it one in the inspector.");
}

#[test]
fn on_uneven_ground_one_chooses_whether_and_how_far_paths_bend() {
    let bends = |harness: &Harness<'_, Stage>| {
        let navigation = &harness.state().editor.state.navigation;
        let plan = navigation.plan_of(GUARD).expect("planned");
        plan.paths().any(|path| !path.straight.is_empty())
    };
    let harness = navigation(small_level(), &[]);
    assert!(harness.query_by_label("Bend paths on slopes").is_none());
    assert!(!bends(&harness));

    let mut document = small_level();
    let bounds = document.level().settings().bounds;
    let mut ground = HeightField::flat(bounds, 10.0, 0.0);
    ground.heights = (0..ground.heights.len())
        .map(|i| (i % ground.columns) as f64)
        .collect();
    let edits = vec![Edit::Ground(Some(ground.into()))];
    document.commit("Hill", edits).expect("valid");
    let mut harness = navigation(document, &[]);
    assert!(bends(&harness));
    harness.get_by_label("by at most");
    harness.get_by_label("Bend paths on slopes").click();
    harness.run();
    assert!(!harness.state().editor.state.preferences.slopes.bend);
    bake(&mut harness.state_mut().editor, None);
    assert!(!bends(&harness));
}
