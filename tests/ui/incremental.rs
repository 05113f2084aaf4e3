//! What a drag in the window really bakes, by counters: the promises that benchmarks measure, on the
//! path that the editor takes.

use crate::stage::*;
use glam::{DVec2, DVec3};
use std::sync::Arc;
use wayloom::base::{Colour, EntityId};
use wayloom::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, Mission, Obstacle, Pattern, PlannerId, Profile,
    Region, Terrain,
};
use wayloom::editor::navigation::Freshness;
use wayloom::editor::{Action, Command, Editor};
use wayloom::geometry::{Polygon, Rect};
use wayloom::nav::stages::{CORRIDORS, FREE_SPACE, TERRAIN};
use wayloom::nav::{BakeQuality, NavBundle, Work};
use wayloom::planner::planned_level::PATHS;

const ADULT: EntityId = EntityId::new(20);
const FOLLOWER: EntityId = EntityId::new(21);
const PAINTER: EntityId = EntityId::new(22);
const GRASS: EntityId = EntityId::new(23);
const DAB: EntityId = EntityId::new(24);
const NEIGHBOUR: EntityId = EntityId::new(25);
const WALKER: EntityId = EntityId::new(26);
/// The first of the houses.
const HOUSES: u64 = 100;
const ROW: u32 = 18;

fn house(at: DVec2) -> Entity {
    let area = Polygon::rect(Rect::around(at, DVec2::splat(1.5)));
    Entity::new("", Kind::Obstacle(Obstacle::new(area)))
}

fn agent(planner: PlannerId, x: f64) -> Entity {
    let mut mission = Mission::new(ADULT);
    mission.planner = planner;
    mission.goals = vec![Goal::At(DVec3::new(96.0, 97.0, 0.0))];
    let kind = Kind::Agent(Agent {
        start: DVec3::new(x, 1.0, 0.0),
        heading: Heading::default(),
        mission,
    });
    Entity::new("", kind)
}

/// A town with an agent that follows corridors and one that minds the terrain.
fn town(folder: &Folder) -> Editor {
    let mut editor = editor_with_level(folder);
    let grass = Kind::Terrain(Terrain {
        colour: Colour::hex(0x40_80_40),
        pattern: Pattern::Plain,
        weight: 2.0,
    });
    let mut edits = vec![
        Edit::Delete { id: BARN },
        Edit::create(
            ADULT,
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        Edit::create(GRASS, Entity::new("Grass", grass)),
        Edit::create(FOLLOWER, agent(PlannerId::CORRIDOR, 2.0)),
        Edit::create(PAINTER, agent(PlannerId::MIRAN, 3.0)),
    ];
    for i in 0..ROW * ROW {
        let at = DVec2::new(f64::from(i % ROW), f64::from(i / ROW)) * 5.0 + 6.0;
        edits.push(Edit::create(
            EntityId::new(HOUSES + u64::from(i)),
            house(at),
        ));
    }
    commit(&mut editor, edits);
    editor
}

fn apply(editor: &mut Editor, action: Action) {
    editor.apply(&egui::Context::default(), action);
}

fn commit(editor: &mut Editor, edits: Vec<Edit>) {
    let label = "Draw".to_owned();
    let merge = None;
    apply(
        editor,
        Action::Commit {
            label,
            edits,
            merge,
        },
    );
}

fn begin(editor: &mut Editor) {
    let label = "Drag".to_owned();
    apply(editor, Action::Begin { label });
}

fn preview(editor: &mut Editor, edit: Edit) {
    apply(editor, Action::Preview { edits: vec![edit] });
}

fn is_fresh(editor: &Editor) -> bool {
    let state = &editor.state;
    state.navigation.freshness(state.document()) == Freshness::Fresh
}

fn bundle(editor: &Editor) -> NavBundle {
    let baked = editor.state.navigation.baked();
    baked.expect("baked").bundle.clone()
}

fn work(editor: &Editor, stage: &str) -> Work {
    bundle(editor).work(stage).expect("the stage was come to")
}

#[test]
fn a_dab_of_terrain_is_triangulated_near_the_brush_alone() {
    let folder = Folder::new();
    let mut harness = harness(town(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    let whole = work(harness.state(), TERRAIN);
    assert_eq!(whole.made, whole.of);
    begin(harness.state_mut());
    for step in 0..3 {
        let at = DVec2::new(48.5 + f64::from(step), 48.5);
        let area = Polygon::regular(at, 2.0, 12, 0.0);
        let terrain = GRASS;
        let dab = Entity::new("", Kind::Region(Region { area, terrain }));
        preview(harness.state_mut(), Edit::create(DAB, dab));
        wait(&mut harness, "the preview", is_fresh);
        let bundle = bundle(harness.state());
        assert_eq!(bundle.quality(), BakeQuality::Preview);
        let terrain = work(harness.state(), TERRAIN);
        assert!(
            terrain.made > 0 && terrain.made * 5 < terrain.of,
            "{terrain:?}"
        );
        assert_eq!(work(harness.state(), FREE_SPACE).made, 0);
        assert_eq!(work(harness.state(), CORRIDORS).made, 0);
        assert_eq!(bundle.collected_inputs(), 0);
    }
    apply(harness.state_mut(), Action::Finish);
    wait(&mut harness, "the full bake", |editor| {
        is_fresh(editor) && bundle(editor).quality() == BakeQuality::Full
    });
    let last = work(harness.state(), TERRAIN);
    assert_eq!(last.made, last.of, "what is kept is made from scratch");
}

#[test]
fn dragging_an_obstacle_makes_only_the_boxes_and_clusters_that_it_touches() {
    let folder = Folder::new();
    let mut harness = harness(town(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    begin(harness.state_mut());
    let id = EntityId::new(HOUSES + u64::from(4 * ROW + 4));
    for step in 1..4 {
        let at = DVec2::splat(26.0) + DVec2::new(0.2 * f64::from(step), 0.0);
        preview(harness.state_mut(), Edit::replace(id, house(at)));
        wait(&mut harness, "the preview", is_fresh);
        let free = work(harness.state(), FREE_SPACE);
        assert!((1..=2).contains(&free.made) && free.of > 300, "{free:?}");
        let corridors = work(harness.state(), CORRIDORS);
        assert!(
            corridors.made > 0 && corridors.made < corridors.of,
            "{corridors:?}"
        );
        assert_eq!(bundle(harness.state()).collected_inputs(), 0);
        assert!(!bundle(harness.state()).delta().terrain_kinds);
    }
}

#[test]
fn moving_an_agent_bakes_nothing() {
    let folder = Folder::new();
    let mut harness = harness(town(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    begin(harness.state_mut());
    for x in [2.5, 3.0] {
        preview(
            harness.state_mut(),
            Edit::replace(FOLLOWER, agent(PlannerId::CORRIDOR, x)),
        );
        wait(&mut harness, "the preview", is_fresh);
        let bundle = bundle(harness.state());
        assert!(bundle.was_reused() && bundle.collected_inputs() == 0);
        assert!(bundle.delta().is_empty());
        let plan = harness.state().state.navigation.plan_of(FOLLOWER).cloned();
        let first = plan.and_then(|plan| plan.points().next());
        assert_eq!(first, Some(DVec2::new(x, 1.0)));
    }
}

/// Legs that were searched for, of all legs.
fn paths(editor: &Editor) -> Work {
    let planned = editor.state.navigation.baked().expect("planned");
    let mut stages = planned.times.iter();
    let stage = stages.find(|time| time.stage == PATHS);
    stage.expect("planned").work
}

#[test]
fn only_agents_whose_paths_a_change_may_touch_are_planned_again() {
    let folder = Folder::new();
    let mut editor = town(&folder);
    let near = |x: f64| {
        let Kind::Agent(mut near) = agent(PlannerId::PORTAL, x).kind else {
            panic!("an agent");
        };
        near.mission.goals = vec![Goal::At(DVec3::new(13.5, 3.0, 0.0))];
        Entity::new("", Kind::Agent(near))
    };
    let edits = vec![
        Edit::Delete { id: FOLLOWER },
        Edit::Delete { id: PAINTER },
        Edit::create(NEIGHBOUR, near(2.0)),
        Edit::create(WALKER, agent(PlannerId::OPTIMAL, 4.0)),
    ];
    commit(&mut editor, edits);
    let mut harness = harness(editor);
    wait(&mut harness, "the first bake", is_fresh);
    let before = harness.state().state.navigation.plan_of(NEIGHBOUR).cloned();
    let before: Vec<DVec2> = before.expect("planned").points().collect();
    let others = paths(harness.state()).of - 2;
    begin(harness.state_mut());
    let id = EntityId::new(HOUSES + u64::from(9 * ROW + 9));
    for step in 1..4 {
        let at = DVec2::splat(51.0) + DVec2::new(0.2 * f64::from(step), 0.0);
        preview(harness.state_mut(), Edit::replace(id, house(at)));
        wait(&mut harness, "the preview", is_fresh);
        let searched = paths(harness.state()).made;
        assert!((1..=others + 1).contains(&searched), "{searched}");
        let plan = harness.state().state.navigation.plan_of(NEIGHBOUR).cloned();
        let points: Vec<DVec2> = plan.expect("planned").points().collect();
        assert_eq!(points, before);
    }
    apply(harness.state_mut(), Action::Finish);
    wait(&mut harness, "the full bake", is_fresh);
    begin(harness.state_mut());
    preview(harness.state_mut(), Edit::replace(NEIGHBOUR, near(2.5)));
    wait(&mut harness, "the moved agent", is_fresh);
    assert_eq!(paths(harness.state()).made, 1, "the moved agent alone");
}

#[test]
fn dragging_an_obstacle_makes_one_buffer_of_the_3d_view_in_that_very_frame() {
    let folder = Folder::new();
    let mut harness = harness(town(&folder));
    harness.state_mut().ask(Command::ShowBoth);
    wait(&mut harness, "the 3D view", |editor| {
        is_fresh(editor) && editor.state.space.scene().is_some()
    });
    let scene = |editor: &Editor| Arc::clone(editor.state.space.scene().expect("waited for"));
    let mut before = scene(harness.state());
    let all = before.layers().count();
    assert!(all > 5, "{all} buffers for {} houses", ROW * ROW);
    begin(harness.state_mut());
    let id = EntityId::new(HOUSES + u64::from(4 * ROW + 4));
    for step in 1..4 {
        let at = DVec2::splat(26.0) + DVec2::new(0.2 * f64::from(step), 0.0);
        preview(harness.state_mut(), Edit::replace(id, house(at)));
        harness.step();
        let now = scene(harness.state());
        let level = harness.state().state.document().level();
        assert!(Arc::ptr_eq(&now.level, level), "it is a frame behind");
        assert_eq!(now.layers().count(), all);
        assert_eq!(now.shared_layers(&before), all - 1);
        let centre = now.body(id).expect("drawn").bounds.centre();
        assert!(centre.truncate().distance(at) < 1e-9, "{centre}");
        before = now;
    }
}
