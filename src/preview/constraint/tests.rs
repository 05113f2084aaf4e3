use super::hours::{time_text, times};
use super::*;
use crate::base::EntityId;
use crate::document::mesh_library::NO_MESHES;
use crate::document::{
    Agent, Clock, Constraint, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, Pattern,
    PlannerId, Profile, Relation, Rule, Target, When, ops,
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::NavBundle;
use crate::nav::constraint::FieldRule;
use crate::planner::constraint::what_if;
use crate::planner::{PlannedLevel, Slopes, missions};
use crate::preview::overlays::{PictureOf, draw_plan, picture_scene};
use crate::preview::{
    Look, OverlayId, Overlays, Plane, Primitive, RenderOptions, Shape, render_overlays_svg,
};
use glam::{DVec2, DVec3};

const GUARD: EntityId = EntityId::new(2);
const SPY: EntityId = EntityId::new(3);
const POND: EntityId = EntityId::new(5);

fn agent(start: [f64; 2], goal: Option<[f64; 2]>, constraints: Vec<Constraint>) -> Kind {
    let mut mission = Mission::new(EntityId::new(1));
    mission.planner = PlannerId::CONSTRAINT;
    mission.goals = goal
        .into_iter()
        .map(|[x, y]| Goal::At(DVec3::new(x, y, 0.0)))
        .collect();
    mission.constraints = constraints;
    Kind::Agent(Agent {
        start: DVec3::new(start[0], start[1], 0.0),
        heading: Heading::degrees(90.0),
        mission,
    })
}

/// A spy that keeps out of a guard's sight and off a pond, at night near the hut.
fn yard() -> Level {
    let sight = Target::Relation {
        object: GUARD,
        relation: Relation::LineOfSight {
            range: 24.0,
            angle: 70.0,
        },
    };
    let spy = vec![
        Constraint::new(
            Rule::Near {
                weight: (-6.0).into(),
            },
            sight,
        ),
        Constraint::new(Rule::NotIn, POND.into()),
        Constraint::new(Rule::Near { weight: 3.0.into() }, EntityId::new(4).into())
            .when(When::between(20.0, 6.0)),
    ];
    let square = |x: f64, y: f64, half: f64| {
        let area = Polygon::rect(Rect::around(DVec2::new(x, y), DVec2::splat(half)));
        Kind::Obstacle(Obstacle::new(area))
    };
    let pond = crate::document::Annotation::Area(Polygon::rect(Rect::around(
        DVec2::new(60.0, 70.0),
        DVec2::splat(6.0),
    )));
    let edits = [
        Edit::create(
            EntityId::new(1),
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        Edit::create(
            GUARD,
            Entity::new("Guard", agent([50.0, 30.0], None, vec![])),
        ),
        Edit::create(
            SPY,
            Entity::new("Spy", agent([10.0, 50.0], Some([90.0, 50.0]), spy)),
        ),
        Edit::create(
            EntityId::new(4),
            Entity::new("Hut", square(30.0, 20.0, 3.0)),
        ),
        Edit::create(POND, Entity::new("Pond", Kind::Annotation(pond))),
    ];
    let level = ops::apply(&Level::default(), &edits).expect("valid");
    let mut settings = (**level.settings()).clone();
    settings.clock = Clock {
        start: 23.5,
        speed: 60.0,
    };
    ops::apply(&level, &[Edit::Settings(settings.into())]).expect("valid")
}

fn planned() -> Arc<PlannedLevel> {
    let ctx = JobContext::default();
    let request = missions::bake_request(Arc::new(yard()));
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    let planned = PlannedLevel::plan(bundle, None, Slopes::default(), &ctx);
    Arc::new(planned.expect("not cancelled"))
}

fn drawn(planned: &Arc<PlannedLevel>, id: OverlayId) -> Vec<Shape> {
    let shown: Overlays = [id].into_iter().collect();
    let of = PictureOf::default();
    let scene = picture_scene(planned, &shown, &of, &JobContext::default()).expect("runs");
    let mut shapes = Vec::new();
    draw_plan(&scene, &shown, Look::Dark.palette(), &mut shapes);
    shapes
}

fn texts(shapes: &[Shape]) -> Vec<&str> {
    let texts = shapes.iter().filter_map(|shape| match &shape.primitive {
        Primitive::Text(label) => Some(label.text.as_str()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn the_map_shows_the_multiplier_that_the_session_searched_with() {
    let planned = planned();
    let plan = &planned.plans[&SPY];
    let field = field_of(plan).expect("constrained");
    let area = planned.level.settings().bounds;
    let ctx = JobContext::default();
    let map = FieldMap::of(field, String::new(), area, 100, 0.0, &ctx).expect("runs");
    for [x, y] in [[50.0, 40.0], [50.0, 47.0], [10.0, 90.0], [33.0, 25.0]] {
        let exact = field.multiplier_at(DVec3::new(x, y, 0.0));
        let shown = map.value_at(DVec2::new(x, y));
        assert!(
            (shown / exact - 1.0).abs() < 0.1,
            "{x} {y}: {shown} {exact}"
        );
    }
    assert!(map.range[0] >= 1.0 && map.range[1] > 2.0, "{:?}", map.range);
    let shapes = drawn(&planned, OverlayId::FIELD);
    assert!(
        shapes
            .iter()
            .all(|shape| shape.plane == Plane::ConstraintField)
    );
    let covered: f64 = shapes
        .iter()
        .filter_map(|shape| match &shape.primitive {
            Primitive::Cells { rects, .. } => {
                Some(rects.iter().map(|r| r.size().x * r.size().y).sum::<f64>())
            }
            _ => None,
        })
        .sum();
    let size = area.size();
    assert!(
        (covered / (size.x * size.y) - 1.0).abs() < 1e-6,
        "{covered}"
    );
    assert!(
        shapes
            .iter()
            .any(|s| matches!(s.primitive, Primitive::Line { .. }))
    );
}

#[test]
fn regions_have_their_sentences_and_hard_ones_are_hatched() {
    let planned = planned();
    let shapes = drawn(&planned, OverlayId::CONSTRAINTS);
    let texts = texts(&shapes);
    for sentence in [
        "not near line of sight of Guard with weight 6",
        "not in Pond",
        "near Hut with weight 3",
    ] {
        assert!(texts.contains(&sentence), "{texts:?}");
    }
    let fill = |shape: &Shape| match &shape.primitive {
        Primitive::Area { fill, .. } => Some((fill.ink.colour, fill.texture)),
        _ => None,
    };
    let fills: Vec<_> = shapes.iter().filter_map(fill).collect();
    let palette = Look::Dark.palette();
    for expected in [
        (palette.repeller, Pattern::Plain),
        (palette.forbidden, Pattern::Hatch),
        (palette.attractor, Pattern::Plain),
    ] {
        assert!(fills.contains(&expected), "{fills:?}");
    }
}

#[test]
fn the_picture_of_constraints_is_as_it_was() {
    let planned = planned();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../../../tests/golden/pictures");
    let _settings = settings.bind_to_scope();
    for look in Look::ALL {
        let options = RenderOptions {
            size: [640, 480],
            overlays: [OverlayId::CONSTRAINTS, OverlayId::HOURS, OverlayId::PATHS]
                .into_iter()
                .collect(),
            legend: true,
            look,
            ..RenderOptions::default()
        };
        let of = PictureOf::default();
        let ctx = JobContext::default();
        let scene = picture_scene(&planned, &options.overlays, &of, &ctx).expect("runs");
        let svg = render_overlays_svg(&planned.level, &NO_MESHES, &scene, &options);
        let name = format!("constraints_{}", look.name());
        insta::assert_snapshot!(name, svg.expect("renders"));
    }
}

#[test]
fn the_legend_of_a_field_says_unit_and_range() {
    let planned = planned();
    let options = RenderOptions {
        size: [640, 480],
        overlays: [OverlayId::FIELD].into_iter().collect(),
        legend: true,
        ..RenderOptions::default()
    };
    let (of, ctx) = (PictureOf::default(), JobContext::default());
    let scene = picture_scene(&planned, &options.overlays, &of, &ctx).expect("runs");
    let svg = render_overlays_svg(&planned.level, &NO_MESHES, &scene, &options);
    let svg = svg.expect("renders");
    let range = scene.field.as_ref().expect("made").range_text();
    assert!(range.ends_with("× length"), "{range}");
    assert!(svg.contains(&format!("Spy: {range}")));
}

#[test]
fn what_several_agents_mind_is_drawn_once() {
    let planned = planned();
    let plan = &planned.plans[&SPY];
    assert_eq!(acting([plan, plan]).len(), acting([plan]).len());
}

#[test]
fn states_of_the_last_search_are_those_it_expanded() {
    let planned = planned();
    let map = StateMap::of_plan(&planned.plans[&SPY]);
    let expanded: usize = replans_of(&planned.plans[&SPY])
        .flat_map(|(_, replans)| replans)
        .map(|replan| replan.expanded)
        .sum();
    let known = map.expanded.len() + map.inconsistent.len();
    assert!(known > 50 && known <= expanded, "{known} of {expanded}");
    assert!(!map.open.is_empty());
    assert!(!drawn(&planned, OverlayId::STATES).is_empty());
}

#[test]
fn a_path_bears_the_times_of_day_where_the_clock_matters() {
    let planned = planned();
    let shapes = drawn(&planned, OverlayId::HOURS);
    let texts = texts(&shapes);
    assert_eq!(texts.first(), Some(&"23:30"));
    assert!(texts.len() > 2 && texts.len() < 10, "{texts:?}");
    let clock = |speed| Clock { start: 0.0, speed };
    let labels = |start: f64, secs: f64| {
        let times = times(start, clock(60.0), secs);
        times.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
    };
    assert_eq!(labels(23.9, 12.0), ["23:54", "00:00", "00:06"]);
    assert_eq!(times(8.0, clock(1.0), 0.0).len(), 2);
    assert!(times(8.0, clock(1.0), f64::NAN).is_empty());
    assert_eq!(time_text(-0.5, true), "23:30:00");
    assert_eq!(time_text(23.999_99, false), "00:00");
}

#[test]
fn without_a_constraint_the_path_is_no_longer_and_costs_no_less() {
    let planned = planned();
    let plan = &planned.plans[&SPY];
    let ctx = JobContext::default();
    let field = field_of(plan).expect("constrained");
    for term in field.terms() {
        let known = what_if::without(plan, term.key, &ctx)
            .expect("runs")
            .expect("has it");
        let saves = known.saves.expect("both arrive");
        // Up to what pulling the string straight leaves.
        assert!(saves > -0.01 * plan.cost(), "{}: {saves}", term.name);
        if term.rule == FieldRule::Near && term.weight < 0.0 {
            assert!(known.longer.expect("both arrive") > 0.5);
            assert!(known.sentence().contains("shorter"), "{}", known.sentence());
        }
    }
    assert!(what_if::without(plan, 1, &ctx).expect("runs").is_none());
}

#[test]
fn other_planners_say_why_there_is_nothing_to_show() {
    let planned = planned();
    let row = crate::preview::overlays::row(OverlayId::FIELD).expect("listed");
    assert_eq!((row.absent)(&planned.plans[&SPY]), None);
    assert!((row.absent)(&planned.plans[&GUARD]).is_some());
}
