//! Bodies and cells: what the window shows of a level in voxels, and what it says about a place.

use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use std::sync::Arc;
use wayloom::base::EntityId;
use wayloom::document::{
    Agent, CellSize, Edit, Entity, Goal, Heading, Kind, Mission, PlannerId, Profile, Selection,
    Settings, Solid, SolidShape, tag,
};
use wayloom::editor::docking::Pane;
use wayloom::editor::find::Replacement;
use wayloom::editor::intention::Request;
use wayloom::editor::navigation::Freshness;
use wayloom::editor::playback::Play;
use wayloom::editor::player::Source;
use wayloom::editor::voxel_view::{PlayFront, VoxelAsk};
use wayloom::editor::{Action, Command, Editor};
use wayloom::geometry::Rect;
use wayloom::interaction::ToolKind;
use wayloom::planner::human::Change;
use wayloom::preview::OverlayId;
use wayloom::preview::voxel::CellLayer;

const ADULT: EntityId = EntityId::new(31);
const WALKER: EntityId = EntityId::new(33);
const TABLE: EntityId = EntityId::new(40);
const TABLET: EntityId = EntityId::new(41);
const DECK: EntityId = EntityId::new(42);

fn apply(harness: &mut Harness<'_, Editor>, action: Action) {
    let ctx = harness.ctx.clone();
    harness.state_mut().apply(&ctx, action);
    harness.step();
}

fn solid(name: &str, shape: SolidShape, at: DVec3, size: DVec3) -> Entity {
    Entity::new(name, Kind::Solid(Solid::new(shape, at, size)))
}

/// Around the barn: two tables, a deck on posts, and an agent that plans in cells.
fn on_stage(folder: &Folder) -> Harness<'static, Editor> {
    let mut editor = editor_with_level(folder);
    let settings = Settings {
        bounds: Rect::new(DVec2::new(35.0, 35.0), DVec2::new(65.0, 65.0)),
        ..Settings::default()
    };
    let mut mission = Mission::new(ADULT);
    mission.planner = PlannerId::HUMAN;
    mission.goals = vec![Goal::At(DVec3::new(62.0, 50.0, 0.0))];
    let walker = Kind::Agent(Agent {
        start: DVec3::new(38.0, 50.0, 0.0),
        heading: Heading::default(),
        mission,
    });
    let deck = SolidShape::Platform {
        thickness: 0.2,
        posts: 0.2,
    };
    let size = DVec3::new(2.0, 2.0, 0.6);
    let edits = vec![
        Edit::Settings(Arc::new(settings)),
        Edit::create(
            ADULT,
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        Edit::create(WALKER, Entity::new("Walker", walker)),
        Edit::create(
            TABLE,
            solid(
                "Table 2",
                SolidShape::Box,
                DVec3::new(40.0, 40.0, 0.0),
                size,
            ),
        ),
        Edit::create(
            TABLET,
            solid("Tablet", SolidShape::Box, DVec3::new(40.0, 60.0, 0.0), size),
        ),
        Edit::create(
            DECK,
            solid(
                "Deck",
                deck,
                DVec3::new(60.0, 40.0, 0.0),
                DVec3::new(6.0, 6.0, 3.0),
            ),
        ),
    ];
    editor.apply(
        &egui::Context::default(),
        Action::Commit {
            label: "Draw".to_owned(),
            edits,
            merge: None,
        },
    );
    let mut harness = harness(editor);
    apply(&mut harness, Action::Reveal(Pane::VOXELS));
    wait(&mut harness, "the reachability", |editor| {
        editor.state.navigation.voxels.shown().is_some()
    });
    harness
}

fn levels(editor: &Editor) -> u32 {
    editor.state.navigation.voxels.front_levels()
}

#[test]
fn layers_are_drawn_beside_the_window_when_they_are_switched_on() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    let view = |editor: &Editor| {
        editor
            .state
            .navigation
            .voxels
            .shown()
            .cloned()
            .expect("shown")
    };
    assert!(
        view(harness.state()).plan.is_empty(),
        "nothing is switched on"
    );
    harness.get_by_label("Reachable cells").click();
    wait(&mut harness, "reachable cells", |editor| {
        view(editor).layers().contains(&CellLayer::Reachable) && !view(editor).plan.is_empty()
    });
    let first = view(harness.state()).plan[0].revision;
    // What did not change is taken over, triangles and all.
    apply(&mut harness, Action::Select(Selection::one(WALKER)));
    harness.run_ok();
    assert_eq!(view(harness.state()).plan[0].revision, first);
    harness.get_by_label("Reachable cells").click();
    wait(&mut harness, "nothing", |editor| {
        view(editor).plan.is_empty()
    });
}

#[test]
fn the_front_is_played_stepped_and_dragged() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    let all = levels(harness.state());
    assert!(all > 60, "{all}");
    harness.get_by_label("One level back").click();
    harness.run_ok();
    assert_eq!(levels(harness.state()), all - 1);
    let on = harness
        .state()
        .state
        .navigation
        .overlays
        .contains(OverlayId::FRONT);
    assert!(on, "whoever plays it wants to see it");
    harness.get_by_label("To the start of the front").click();
    harness.run_ok();
    assert_eq!(levels(harness.state()), 0);
    harness.get_by_label("Play the front").click();
    wait(&mut harness, "the front to spread", |editor| {
        levels(editor) > 2
    });
    apply(
        &mut harness,
        Action::Voxels(VoxelAsk::Front(PlayFront::Speed(2000.0))),
    );
    wait(&mut harness, "the front to burn out", |editor| {
        levels(editor) == all && !editor.state.navigation.voxels.front.is_playing
    });
}

#[test]
fn a_click_asks_why_not_and_the_answer_names_the_blocker() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    harness.state_mut().ask(Command::Tool(ToolKind::WhyNot));
    harness.run_ok();
    let plan = harness
        .get_by_role_and_label(egui::accesskit::Role::Canvas, "Plan view")
        .rect();
    let view = &harness.state().state.view;
    let at = view
        .camera
        .screen_from_world(DVec2::new(40.0, 40.0), view.viewport);
    let at = plan.min + egui::vec2(at.x as f32, at.y as f32);
    harness.hover_at(at);
    harness.run_ok();
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
        // One frame: while a survey runs there would be many, and a long press is no click.
        harness.step();
    }
    let answer = |editor: &Editor| {
        let shown = editor.state.navigation.voxels.shown()?;
        shown.answers[1].clone()
    };
    wait(&mut harness, "an answer", |editor| answer(editor).is_some());
    let told = answer(harness.state()).expect("told");
    assert_eq!(told.text, "step 0.6 m > 0.25 m at \"Table 2\"");
    assert_eq!(told.blocker(), Some(TABLE));
    harness.get_by_label("Step 0.6 m > 0.25 m at \"Table 2\".");
    harness.get_by_label("Select Table 2");
    // Another tool asks nothing.
    harness.state_mut().ask(Command::Tool(ToolKind::Select));
    wait(&mut harness, "silence", |editor| answer(editor).is_none());
}

#[test]
fn one_storey_is_shown_and_the_3d_view_is_cut_open_above_it() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    let storeys = |editor: &Editor| {
        let shown = editor.state.navigation.voxels.shown().expect("shown");
        shown.chart.storeys.len()
    };
    assert_eq!(storeys(harness.state()), 2);
    harness.get_by_role_and_label(egui::accesskit::Role::Slider, "Storey");
    apply(&mut harness, Action::Voxels(VoxelAsk::Storey(Some(0))));
    wait(&mut harness, "the lower storey", |editor| {
        let shown = editor.state.navigation.voxels.shown().expect("shown");
        shown.storey().high < 3.0
    });
    let cut = harness.state().state.space.section.expect("cut open");
    assert!(cut > 2.0 && cut < 3.0, "{cut}");
    apply(&mut harness, Action::Voxels(VoxelAsk::Storey(None)));
    assert_eq!(harness.state().state.space.section, None);
}

#[test]
fn things_are_forbidden_by_selection_and_by_rule_in_one_step() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    let forbidden = |harness: &Harness<'_, Editor>, id: EntityId| {
        let level = harness.state().state.document().level().clone();
        level
            .get(id)
            .is_some_and(|entity| entity.has_tag(tag::FORBIDDEN))
    };
    apply(
        &mut harness,
        Action::Select([TABLE, WALKER].into_iter().collect()),
    );
    harness.state_mut().ask(Command::Forbid);
    harness.run_ok();
    assert!(forbidden(&harness, TABLE) && !forbidden(&harness, WALKER));
    harness.state_mut().ask(Command::Forbid);
    harness.run_ok();
    assert!(!forbidden(&harness, TABLE));
    let steps = harness.state().state.document().undo_labels().len();
    let ruled = |pattern: &str, forbid: bool| {
        let pattern = pattern.to_owned();
        Action::Request(Request::Replace(Replacement::Forbidden { pattern, forbid }))
    };
    let rule = |pattern: &str| ruled(pattern, true);
    apply(&mut harness, rule("table*"));
    assert!(forbidden(&harness, TABLE) && forbidden(&harness, TABLET));
    assert!(!forbidden(&harness, BARN));
    assert_eq!(
        harness.state().state.document().undo_labels().len(),
        steps + 1
    );
    // The rule is kept: the command cannot take one thing out of it.
    apply(&mut harness, Action::Select(Selection::one(TABLE)));
    harness.state_mut().ask(Command::Forbid);
    harness.run_ok();
    assert!(forbidden(&harness, TABLE));
    let rules = |harness: &Harness<'_, Editor>| {
        let level = harness.state().state.document().level().clone();
        level.settings().forbidding.clone()
    };
    assert_eq!(rules(&harness), ["table*"]);
    harness.get_by_label("Remove the rule table*");
    apply(&mut harness, ruled("table*", false));
    assert!(rules(&harness).is_empty() && !forbidden(&harness, TABLE));
    harness.state_mut().ask(Command::Undo);
    harness.run_ok();
    assert!(forbidden(&harness, TABLE) && rules(&harness) == ["table*"]);
    // There is no object of that name: a sentence, and no step.
    apply(&mut harness, rule("Chair*"));
    assert_eq!(
        harness.state().state.document().undo_labels().len(),
        steps + 1
    );
}

#[test]
fn other_cells_are_baked_and_planned_with() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    let cell = |editor: &Editor| {
        let shown = editor.state.navigation.voxels.shown().expect("shown");
        shown.chart.reachability.surfaces().frame.cell
    };
    assert_eq!(cell(harness.state()), 0.25);
    let cells = |harness: &mut Harness<'_, Editor>, cells: CellSize| {
        let level = harness.state().state.document().level().clone();
        let settings = Settings {
            cells,
            ..Settings::clone(level.settings())
        };
        let asked = Action::Commit {
            label: "Cell size".to_owned(),
            edits: vec![Edit::Settings(Arc::new(settings))],
            merge: None,
        };
        apply(harness, asked);
    };
    let coarse = CellSize::Sides {
        cell: 0.5,
        layer: 0.125,
    };
    cells(&mut harness, coarse);
    wait(&mut harness, "coarser cells", |editor| cell(editor) == 0.5);
    let plan = harness.state().state.navigation.plan_of(WALKER).cloned();
    assert!(plan.expect("planned").trouble().is_none());
    // So many, whatever their size; and back in one step.
    cells(&mut harness, CellSize::Count([60, 60, 30]));
    wait(&mut harness, "a grid", |editor| {
        let shown = editor.state.navigation.voxels.shown().expect("shown");
        shown.chart.reachability.surfaces().frame.size == [60, 60, 30]
    });
    harness.run_ok();
    harness.get_by_label("along x");
    harness.state_mut().ask(Command::Undo);
    wait(&mut harness, "coarser cells again", |editor| {
        cell(editor) == 0.5 && {
            let level = editor.state.document().level();
            level.settings().cells == coarse
        }
    });
    harness.get_by_label("Compare with exact free space");
    harness
        .state_mut()
        .ask(Command::ShowOverlay(OverlayId::LOST));
    wait(&mut harness, "the comparison", |editor| {
        let shown = editor.state.navigation.voxels.shown().expect("shown");
        shown.chart.against.is_some()
    });
    harness.get_by_label_contains("Against exact free space");
}

/// A table somewhere else, as a finished change.
fn move_table(harness: &mut Harness<'_, Editor>, at: DVec3) {
    let entity = harness.state().state.document().level().get(TABLE).cloned();
    let mut entity = (*entity.expect("there")).clone();
    if let Kind::Solid(solid) = &mut entity.kind {
        solid.position = at;
        solid.size.z = 1.2;
    }
    let asked = Action::Commit {
        label: "Move".to_owned(),
        edits: vec![Edit::replace(TABLE, entity)],
        merge: None,
    };
    apply(harness, asked);
    wait(harness, "the bake", |editor| {
        let state = &editor.state;
        state.navigation.freshness(state.document()) == Freshness::Fresh
    });
}

fn changes(editor: &Editor) -> Vec<Change> {
    let plan = editor.state.navigation.plan_of(WALKER);
    plan.expect("planned").changes.clone()
}

#[test]
fn an_object_moved_onto_a_path_is_avoided_and_reported() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    apply(&mut harness, Action::Select(Selection::one(WALKER)));
    let plan = harness.state().state.navigation.plan_of(WALKER).cloned();
    let path: Vec<DVec2> = plan.expect("planned").points().collect();
    let on_path = path[0].move_towards(path[2], 5.0);
    move_table(&mut harness, on_path.extend(0.0));
    let [Change::Repaired(detour)] = &changes(harness.state())[..] else {
        panic!("the table stands on the path");
    };
    assert_eq!(detour.around, [TABLE]);
    harness.run_ok();
    harness.get_by_label_contains("around \"Table 2\"");
    // Elsewhere again: nothing of the way is touched by that.
    move_table(&mut harness, DVec3::new(40.0, 60.0, 0.0));
    assert!(changes(harness.state()).is_empty());
}

#[test]
fn a_playing_agent_detours_from_where_it_is_or_waits() {
    let folder = Folder::new();
    let mut harness = on_stage(&folder);
    apply(&mut harness, Action::Reveal(Pane::PLAYBACK));
    apply(&mut harness, Action::Play(Play::Source(Source::Plans)));
    harness.run_ok();
    apply(&mut harness, Action::Play(Play::Seek(4.0)));
    harness.run_ok();
    let pose = |harness: &Harness<'_, Editor>| {
        let player = &harness.state().state.navigation.player;
        let recording = player.recording().expect("played");
        let trajectory = recording.trajectory(WALKER).expect("played").clone();
        (
            trajectory.place(player.clock.time()).expect("there"),
            trajectory,
        )
    };
    let (here, before) = pose(&harness);
    assert!(here.x > 41.0 && here.x < 46.0, "{here}");
    let ahead = before.place(6.0).expect("there");
    move_table(&mut harness, ahead.truncate().extend(0.0));
    wait(&mut harness, "the way round", |editor| {
        matches!(changes(editor)[..], [Change::Repaired(_)])
            && editor.state.navigation.player.live_plans().is_some()
    });
    let (there, after) = pose(&harness);
    assert!(here.distance(there) < 1e-9);
    assert_eq!(after.points()[0], before.points()[0]);
    assert!(after.length() > before.length());
    let is_on_table = |p: &DVec3| {
        let off = (*p - ahead).truncate().abs();
        off.max_element() < 0.9
    };
    assert!(!after.points().iter().any(is_on_table));
    // On the goal it leaves no path: one waits, and the panel says so.
    let goal = *after.points().last().expect("there");
    move_table(&mut harness, goal.truncate().extend(0.0));
    wait(&mut harness, "waiting", |editor| {
        editor.state.navigation.player.is_any_waiting()
    });
    apply(&mut harness, Action::Select(Selection::default()));
    harness.run_ok();
    harness.get_by_label_contains("waits: the path is blocked at");
    move_table(&mut harness, DVec3::new(40.0, 60.0, 0.0));
    wait(&mut harness, "going on", |editor| {
        !editor.state.navigation.player.is_any_waiting()
    });
    // Back at the start everybody sets out on the plan.
    apply(&mut harness, Action::Play(Play::Seek(0.0)));
    wait(&mut harness, "setting out", |editor| {
        editor.state.navigation.player.live_plans().is_none()
    });
    assert!((pose(&harness).1.length() - before.length()).abs() < 1e-9);
}
