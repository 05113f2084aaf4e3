//! Constraints in the window: a guard is dragged, and only the paths of those who mind it are
//! repaired; what is shown of them, by label.

use crate::stage::*;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use std::sync::Arc;
use wayloom::base::EntityId;
use wayloom::document::template::{Options, Template};
use wayloom::document::{
    Agent, Constraint, Document, Edit, Entity, Goal, Heading, Kind, Mission, PlannerId, Profile,
    Relation, Rule, Selection, Target,
};
use wayloom::editor::constraint_view::Picked;
use wayloom::editor::docking::Pane;
use wayloom::editor::navigation::Freshness;
use wayloom::editor::open_level::OpenLevel;
use wayloom::editor::{Action, Editor};
use wayloom::nav::BakeQuality;
use wayloom::planner::constraint::{Replan, ReplanKind};
use wayloom::planner::missions::AgentPlan;
use wayloom::preview::OverlayId;
use wayloom::preview::constraint::{field_of, replans_of};

const ADULT: EntityId = EntityId::new(20);
const GUARD: EntityId = EntityId::new(21);
/// Keeps out of the guard's sight.
const SPY: EntityId = EntityId::new(22);
/// Likes the barn, and minds no other agent.
const FARMER: EntityId = EntityId::new(23);

fn person(name: &str, [x, y]: [f64; 2], goal: Option<[f64; 2]>, rules: Vec<Constraint>) -> Entity {
    let mut mission = Mission::new(ADULT);
    mission.planner = PlannerId::CONSTRAINT;
    mission.goals = goal
        .into_iter()
        .map(|[x, y]| Goal::At(DVec3::new(x, y, 0.0)))
        .collect();
    mission.constraints = rules;
    let agent = Agent {
        start: DVec3::new(x, y, 0.0),
        heading: Heading::degrees(90.0),
        mission,
    };
    Entity::new(name, Kind::Agent(agent))
}

fn guard(x: f64) -> Entity {
    person("Guard", [x, 20.0], None, Vec::new())
}

fn yard(folder: &Folder) -> Editor {
    let mut editor = editor_with_level(folder);
    let near = |weight: f64, target: Target| {
        let weight = weight.into();
        Constraint::new(Rule::Near { weight }, target)
    };
    let sight = Target::Relation {
        object: GUARD,
        relation: Relation::LineOfSight {
            range: 20.0,
            angle: 60.0,
        },
    };
    let edits = vec![
        Edit::create(
            ADULT,
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        Edit::create(GUARD, guard(30.0)),
        Edit::create(
            SPY,
            person(
                "Spy",
                [10.0, 35.0],
                Some([90.0, 35.0]),
                vec![near(-6.0, sight)],
            ),
        ),
        Edit::create(
            FARMER,
            person(
                "Farmer",
                [10.0, 70.0],
                Some([90.0, 70.0]),
                vec![near(3.0, BARN.into())],
            ),
        ),
    ];
    let (label, merge) = ("Draw".to_owned(), None);
    let commit = Action::Commit {
        label,
        edits,
        merge,
    };
    apply(&mut editor, commit);
    apply(&mut editor, Action::Select([SPY].into_iter().collect()));
    editor
}

fn apply(editor: &mut Editor, action: Action) {
    editor.apply(&egui::Context::default(), action);
}

fn is_fresh(editor: &Editor) -> bool {
    let state = &editor.state;
    state.navigation.freshness(state.document()) == Freshness::Fresh
}

fn plan(harness: &Harness<'_, Editor>, agent: EntityId) -> Arc<AgentPlan> {
    let plan = harness.state().state.navigation.plan_of(agent);
    Arc::clone(plan.expect("planned"))
}

fn replans(plan: &AgentPlan) -> Vec<Replan> {
    let legs = replans_of(plan).flat_map(|(_, replans)| replans.to_vec());
    legs.collect()
}

#[test]
fn dragging_a_guard_repairs_the_paths_of_those_who_mind_it_and_no_others() {
    let folder = Folder::new();
    let mut harness = harness(yard(&folder));
    wait(&mut harness, "the first bake", is_fresh);
    let first = replans(&plan(&harness, SPY));
    assert_eq!(
        first.last().map(|replan| replan.kind),
        Some(ReplanKind::FromScratch)
    );
    let farmer = plan(&harness, FARMER);
    let label = "Drag".to_owned();
    apply(harness.state_mut(), Action::Begin { label });
    let mut before = first.len();
    for step in 1..=4 {
        let moved = guard(30.0 + 2.0 * f64::from(step));
        let edits = vec![Edit::replace(GUARD, moved)];
        apply(harness.state_mut(), Action::Preview { edits });
        wait(&mut harness, "the preview", is_fresh);
        let baked = harness.state().state.navigation.baked().expect("baked");
        assert_eq!(baked.quality, BakeQuality::Preview);
        let spy = replans(&plan(&harness, SPY));
        let last = spy.last().expect("replanned");
        assert_eq!(spy.len(), before + 1, "one record for one move");
        assert_eq!(last.kind, ReplanKind::Repaired);
        assert_eq!(last.what, ["not near line of sight of Guard"]);
        assert!(last.touched > 0 && last.area.is_some());
        assert!(
            last.expanded < last.expanded_from_scratch,
            "{} of {}",
            last.expanded,
            last.expanded_from_scratch
        );
        assert!(
            Arc::ptr_eq(&farmer, &plan(&harness, FARMER)),
            "the farmer minds no guard"
        );
        before = spy.len();
    }
    apply(harness.state_mut(), Action::Finish);
    wait(&mut harness, "the full bake", |editor| {
        let baked = editor.state.navigation.baked();
        is_fresh(editor) && baked.is_some_and(|baked| baked.quality == BakeQuality::Full)
    });
    assert!(Arc::ptr_eq(&farmer, &plan(&harness, FARMER)));
    // Nothing moved since the last preview.
    let spy = replans(&plan(&harness, SPY));
    assert!(
        spy[before..]
            .iter()
            .all(|replan| replan.kind == ReplanKind::Repaired)
    );
}

/// Expansions that fit into a frame of 33 ms, at the speed that `bench constraints` asks for, with a
/// third of the frame left for regions, costs and drawing.
const EXPANSIONS_OF_A_FRAME: usize = 22_000;

#[test]
fn dragging_a_guard_under_ten_constrained_agents_keeps_within_a_frame() {
    let folder = Folder::new();
    let mut harness = harness(editor(&folder));
    let level = Template::Guards.build(&Options::default()).expect("drawn");
    let next = level.largest_id().next();
    let document = Box::new(Document::new(level, next));
    let opened = OpenLevel::Loose(document);
    harness.state_mut().state.open(opened);
    wait(&mut harness, "the sample", is_fresh);
    let level = Arc::clone(harness.state().state.document().level());
    let (guard, entity) = level
        .iter()
        .find(|(_, entity)| entity.name == "Guard" && entity.mission().is_some())
        .expect("drawn");
    let constrained: Vec<EntityId> = level
        .agents()
        .filter(|(.., agent)| !agent.mission.constraints.is_empty())
        .map(|(id, ..)| id)
        .collect();
    assert_eq!(constrained.len(), 10);
    let counts = |harness: &Harness<'_, Editor>| -> Vec<usize> {
        let of = |id: &EntityId| replans(&plan(harness, *id)).len();
        constrained.iter().map(of).collect()
    };
    let label = "Drag".to_owned();
    apply(harness.state_mut(), Action::Begin { label });
    let mut frames = Vec::new();
    for step in 1..=8 {
        let before = counts(&harness);
        let mut moved = (**entity).clone();
        if let Kind::Agent(agent) = &mut moved.kind {
            agent.start.y += 0.25 * f64::from(step);
        }
        let edits = vec![Edit::replace(guard, moved)];
        apply(harness.state_mut(), Action::Preview { edits });
        wait(&mut harness, "the preview", is_fresh);
        let after = counts(&harness);
        let mut expanded = 0;
        let mut repaired = 0;
        for ((id, before), after) in constrained.iter().zip(before).zip(after) {
            for replan in &replans(&plan(&harness, *id))[before.min(after)..after] {
                expanded += replan.expanded;
                repaired += usize::from(replan.kind == ReplanKind::Repaired);
            }
        }
        assert!((1..10).contains(&repaired), "{repaired} were repaired");
        frames.push(expanded);
    }
    apply(harness.state_mut(), Action::Finish);
    frames.sort_unstable();
    assert!(
        frames[frames.len() / 2] < EXPANSIONS_OF_A_FRAME,
        "expansions by frame: {frames:?}"
    );
}

#[test]
fn each_repair_is_a_line_of_the_replans_panel() {
    let folder = Folder::new();
    let mut harness = harness(yard(&folder));
    apply(harness.state_mut(), Action::Reveal(Pane::REPLANS));
    wait(&mut harness, "the first bake", is_fresh);
    harness.get_by_label("Planned from scratch");
    let edits = vec![Edit::replace(GUARD, guard(36.0))];
    let (label, merge) = ("Move".to_owned(), None);
    let commit = Action::Commit {
        label,
        edits,
        merge,
    };
    apply(harness.state_mut(), commit);
    wait(&mut harness, "the next bake", is_fresh);
    let centre = harness.state().state.view.camera.centre;
    harness
        .get_by_label("Not near line of sight of Guard")
        .click();
    harness.run_ok();
    let camera = harness.state().state.view.camera;
    assert!(camera.centre != centre, "a click goes to the place");
    harness.get_by_label_contains("From scratch");
    apply(harness.state_mut(), Action::Select(Selection::default()));
    harness.run_ok();
    // Without a selection, all agents are listed.
    assert!(harness.query_all_by_label("Planned from scratch").count() >= 2);
}

#[test]
fn field_regions_and_states_are_those_of_the_selected_agent_and_stay_while_another_is_dragged() {
    let folder = Folder::new();
    let mut harness = harness(yard(&folder));
    let overlays = &mut harness.state_mut().state.navigation.overlays;
    for id in [OverlayId::FIELD, OverlayId::CONSTRAINTS, OverlayId::STATES] {
        overlays.set(id, true);
    }
    wait(&mut harness, "field and states", |editor| {
        let view = &editor.state.navigation.constraints;
        is_fresh(editor) && view.field().is_some() && view.states().is_some()
    });
    let view = |harness: &Harness<'_, Editor>| {
        let view = &harness.state().state.navigation.constraints;
        (view.subject(), view.field().cloned().expect("made"))
    };
    let (subject, field) = view(&harness);
    assert_eq!(subject, Some(SPY));
    let at = DVec2::new(30.0, 33.0);
    assert!(field.value_at(at) > 1.5, "the guard looks here");
    apply(
        harness.state_mut(),
        Action::Select([GUARD].into_iter().collect()),
    );
    harness.run_ok();
    assert_eq!(
        view(&harness).0,
        Some(SPY),
        "the guard has no field of its own"
    );
    apply(
        harness.state_mut(),
        Action::Select([FARMER].into_iter().collect()),
    );
    wait(&mut harness, "the other field", |editor| {
        let field = editor.state.navigation.constraints.field();
        field.is_some_and(|field| field.whose == "Farmer")
    });
    assert_eq!(view(&harness).0, Some(FARMER));
}

#[test]
fn the_inspector_says_what_a_constraint_costs_and_does() {
    let folder = Folder::new();
    let mut harness = sized(yard(&folder), egui::vec2(1280.0, 1600.0));
    wait(&mut harness, "the first bake", is_fresh);
    harness.get_by_label("Cost by constraint");
    harness.get_by_label("Bound ε");
    let spy = plan(&harness, SPY);
    let key = field_of(&spy).expect("constrained").terms()[0].key;
    let show = "What does this constraint do? Shows the path without it";
    harness.get_by_label(show).click();
    harness.run_ok();
    let without = harness.state().state.navigation.constraints.without;
    assert_eq!(without, Some(Picked { agent: SPY, key }));
    wait(&mut harness, "the path without it", |editor| {
        editor.state.navigation.constraints.what_if().is_some()
    });
    harness.get_by_label_contains("shorter");
    let known = harness
        .state()
        .state
        .navigation
        .constraints
        .what_if()
        .cloned();
    let known = known.expect("planned");
    assert!(known.longer.expect("both arrive") > 0.0);
    harness.get_by_label("Switch it on again").click();
    harness.run_ok();
    assert!(
        harness
            .state()
            .state
            .navigation
            .constraints
            .what_if()
            .is_none()
    );
}
