use super::*;
use crate::base::EntityId;
use crate::document::{Agent, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle};
use crate::document::{PlannerId, Profile, ops};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::NavBundle;
use crate::planner::{PlannedLevel, Slopes, missions};
use crate::preview::{Look, Plane, Shape};
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;
use std::sync::Arc;

const WALKER: EntityId = EntityId::new(2);

/// An agent that goes around a barn with some planner.
fn planned(planner: PlannerId) -> Arc<PlannedLevel> {
    let mut mission = Mission::new(EntityId::new(1));
    mission.goals = vec![Goal::At(DVec3::new(90.0, 50.0, 0.0))];
    mission.planner = planner;
    let agent = Kind::Agent(Agent {
        start: DVec3::new(10.0, 50.0, 0.0),
        heading: Heading::default(),
        mission,
    });
    let barn = Polygon::rect(Rect::around(DVec2::splat(50.0), DVec2::splat(8.0)));
    let edits = [
        Edit::create(
            EntityId::new(1),
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        Edit::create(WALKER, Entity::new("Walker", agent)),
        Edit::create(
            EntityId::new(3),
            Entity::new("Barn", Kind::Obstacle(Obstacle::new(barn))),
        ),
    ];
    let level = Arc::new(ops::apply(&Level::default(), &edits).expect("valid"));
    let ctx = JobContext::default();
    let bundle = NavBundle::bake(missions::bake_request(level), &ctx).expect("not cancelled");
    let planned = PlannedLevel::plan(bundle, None, Slopes::default(), &ctx);
    Arc::new(planned.expect("not cancelled"))
}

fn drawn(planned: &Arc<PlannedLevel>, shown: &Overlays) -> Vec<Shape> {
    let of = PictureOf {
        pixel: 0.1,
        ..PictureOf::default()
    };
    let ctx = JobContext::default();
    let scene = picture_scene(planned, shown, &of, &ctx).expect("not cancelled");
    let mut shapes = Vec::new();
    draw_plan(&scene, shown, Look::Dark.palette(), &mut shapes);
    shapes
}

#[test]
fn ids_and_titles_are_unique_and_lead_back_to_their_rows() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        assert!(
            seen.insert(row.id.0) && seen.insert(row.title),
            "{}",
            row.id
        );
        assert_eq!(by_name(row.id.0).map(|row| row.title), Some(row.title));
        assert!(Layer::named(row.id.0).is_none(), "{}", row.id);
        assert!(
            !row.help.is_empty() && !row.help.ends_with('.'),
            "{}",
            row.id
        );
    }
    let groups: Vec<Group> = rows().iter().map(|row| row.group).collect();
    assert!(groups.is_sorted(), "group by group");
}

#[test]
fn a_name_that_is_taken_is_refused() {
    assert_eq!(register(&ROWS[0]), Err(NameTaken(ROWS[0].id)));
    assert_eq!(row(ROWS[0].id).map(|row| row.title), Some(ROWS[0].title));
}

#[test]
fn every_overlay_draws_from_what_it_says_it_reads() {
    let planned = planned(PlannerId::CORRIDOR);
    for row in rows() {
        let shapes = drawn(&planned, &[row.id].into_iter().collect());
        let is_empty = shapes.is_empty();
        let needs_more = [
            OverlayId::SEARCH,
            OverlayId::PINCHES,
            OverlayId::FORBIDDEN,
            OverlayId::LOST,
            // Planned with constraints in `preview/constraint/tests.rs`.
            OverlayId::FIELD,
            OverlayId::CONSTRAINTS,
            OverlayId::STATES,
            OverlayId::FOCUS,
            OverlayId::HOURS,
        ];
        // Drawn from runs in `preview/crowd/heat_map.rs`.
        let needs_run = row.id.heat_kind().is_some();
        let is_field = matches!(row.plan, PlanDrawing::Field(_));
        assert_eq!(
            is_empty,
            is_field || needs_run || needs_more.contains(&row.id),
            "{}",
            row.id
        );
    }
}

#[test]
fn the_corridor_drawn_is_the_one_the_planner_answered_with() {
    let planned = planned(PlannerId::CORRIDOR);
    let shown: Overlays = [OverlayId::CORRIDORS].into_iter().collect();
    let backbone = |shapes: &[Shape]| -> Vec<DVec2> {
        let line = shapes.iter().find_map(|shape| match &shape.primitive {
            crate::preview::Primitive::Line {
                points,
                closed: false,
                ..
            } => Some(points.clone()),
            _ => None,
        });
        line.expect("has a backbone")
    };
    let shapes = drawn(&planned, &shown);
    assert!(shapes.iter().all(|shape| shape.plane == Plane::Corridors));
    let path = planned.plans[&WALKER].paths().next().expect("found");
    let trace = path.trace.as_ref().expect("was walked");
    let corridor = trace.corridor.as_ref().expect("a corridor planner");
    let samples: Vec<DVec2> = corridor.samples().iter().map(|s| s.point).collect();
    assert_eq!(backbone(&shapes), samples);
    // The path keeps to it.
    for point in &path.points {
        assert!(corridor.contains(point.truncate()), "{point}");
    }
}

#[test]
fn a_planner_without_a_corridor_says_so_and_shows_none() {
    let human = planned(PlannerId::HUMAN);
    let plan = &human.plans[&WALKER];
    assert!(plan.paths().next().is_some());
    let shown: Overlays = [OverlayId::CORRIDORS].into_iter().collect();
    assert!(drawn(&human, &shown).is_empty());
    let row = row(OverlayId::CORRIDORS).expect("is listed");
    assert_eq!((row.absent)(plan), Some("This planner uses no corridor"));
    let with = planned(PlannerId::CORRIDOR);
    assert_eq!((row.absent)(&with.plans[&WALKER]), None);
}

#[test]
fn an_overlay_is_given_what_it_reads_and_nothing_else() {
    let planned = planned(PlannerId::PORTAL);
    let of = PictureOf::default();
    let shown = Overlays::usual();
    let scene = picture_scene(&planned, &shown, &of, &JobContext::default()).expect("runs");
    let paths = scene.restricted(Inputs::PATHS);
    assert!(paths.paths.is_some() && paths.space.is_none() && paths.level.is_none());
    assert!(paths.is_same(&paths.clone()));
    let mut others = paths.clone();
    if let Some(input) = &mut others.paths {
        input.all = false;
    }
    assert!(!paths.is_same(&others), "all paths, or those selected");
    let space = scene.restricted(Inputs::SPACE);
    assert!(space.space.is_some() && space.paths.is_none());
}
