//! Answers as the command line and the editor get them.

use crate::base::EntityId;
use crate::document::{Action, Edit, Entity, Kind, Level, Obstacle, PlannerId, Settings, ops};
use crate::geometry::{HeightField, Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, NavData};
use crate::planner::*;
use glam::DVec2;
use std::sync::Arc;

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
}

fn nav(obstacles: &[(&str, Polygon)], radius: f64, ground: Option<HeightField>) -> NavData {
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::splat(20.0)),
        ..Settings::default()
    };
    let mut edits = vec![Edit::Settings(settings.into())];
    edits.extend(obstacles.iter().zip(1..).map(|((name, area), id)| {
        let obstacle = Kind::Obstacle(Obstacle::new(area.clone()));
        Edit::create(EntityId::new(id), Entity::new(*name, obstacle))
    }));
    edits.push(Edit::Ground(ground.map(Arc::new)));
    let level = ops::apply(&Level::default(), &edits).expect("a level");
    let request = BakeRequest::for_radius(Arc::new(level), radius);
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
    bundle.nav(radius).expect("baked")
}

fn planned(id: PlannerId, nav: &NavData, request: &PathRequest) -> Result<Answer, PlanError> {
    registry::plan(id, nav, request, &JobContext::default())
}

fn ask(nav: &NavData, from: (f64, f64), to: (f64, f64)) -> Answer {
    let request = PathRequest::new(from.into(), to.into());
    planned(PlannerId::PORTAL, nav, &request).expect("a good request")
}

fn refused(nav: &NavData, from: (f64, f64), to: (f64, f64)) -> NoPath {
    match ask(nav, from, to) {
        Answer::NotFound(reason) => reason,
        Answer::Found(path) => panic!("found {path:?}"),
    }
}

/// A wall across the level with a door of 0.42 m.
fn door() -> [(&'static str, Polygon); 2] {
    [
        ("House 3", rect(9.0, 0.0, 11.0, 8.0)),
        ("Wall 1", rect(9.5, 8.42, 10.5, 20.0)),
    ]
}

#[test]
fn the_narrow_gap_is_named_with_its_width() {
    let nav = nav(&door(), 0.3, None);
    let no_path = refused(&nav, (2.0, 10.0), (18.0, 10.0));
    assert_eq!(
        no_path.reason,
        "the gap between \"House 3\" and \"Wall 1\" is 0.42 m wide and the agent needs 0.60 m; widen it or choose a thinner profile"
    );
    let gap = no_path.gap.expect("a gap");
    assert!((gap.width - 0.42).abs() < 1e-9 && (gap.at.y - 8.21).abs() < 1e-9);
    assert!(no_path.blocker.is_some());
}

#[test]
fn corridors_give_the_same_reasons() {
    let nav = nav(&door(), 0.3, None);
    for choice in [PlannerId::CORRIDOR, PlannerId::CORRIDOR_ORIGINAL] {
        let ask = |from: (f64, f64), to: (f64, f64)| {
            let request = PathRequest::new(from.into(), to.into());
            match planned(choice, &nav, &request) {
                Ok(Answer::NotFound(reason)) => reason,
                other => panic!("{other:?}"),
            }
        };
        let narrow = ask((2.0, 10.0), (18.0, 10.0));
        assert_eq!(
            narrow.reason,
            refused(&nav, (2.0, 10.0), (18.0, 10.0)).reason
        );
        let gap = narrow.gap.expect("a gap");
        assert!((gap.width - 0.42).abs() < 1e-6 && (gap.at.y - 8.21).abs() < 1e-6);
        let inside = ask((5.0, 5.0), (10.0, 5.0)).reason;
        assert!(inside.contains("inside \"House 3\""), "{inside}");
    }
}

/// Planners on the exact free space; voxels are coarser than the door.
fn in_plan() -> impl Iterator<Item = PlannerId> {
    let built_in = PlannerId::BUILT_IN.into_iter();
    built_in.filter(|id| registry::is_available(*id) && !registry::is_in_space(*id))
}

/// Constraints are planned with on states that may not fit through a door.
#[test]
fn a_spacing_that_is_too_wide_for_a_door_is_told_apart_from_a_wall() {
    let nav = nav(&door(), 0.2, None);
    let mut request = PathRequest::new(DVec2::new(2.0, 10.0), DVec2::new(18.0, 10.0));
    request.constraints.options.spacing = Some(5.0);
    let answer = planned(PlannerId::CONSTRAINT, &nav, &request).expect("a good request");
    let Answer::NotFound(why) = answer else {
        panic!("states fit through: {answer:?}");
    };
    assert!(why.reason.contains("smaller spacing"), "{}", why.reason);
}

/// Rooms side by side with narrow doors between them, each at another place and of another length.
#[test]
fn constraints_are_planned_with_through_any_door_with_two_centimetres_of_play() {
    let mut random = crate::base::Random::new(21);
    for case in 0..tests::cases(60) {
        let play = random.range(0.02, 0.2);
        let width = 0.4 + play;
        let thick = random.range(0.1, 3.0);
        let y = random.range(2.0, 17.0);
        let slant = random.range(-1.5, 1.5);
        // A slanted passage between two quadrilaterals.
        let x = random.range(6.0, 12.0);
        let quad = |a: (f64, f64), b: (f64, f64), c: (f64, f64), d: (f64, f64)| {
            Polygon::new(vec![a.into(), b.into(), c.into(), d.into()])
        };
        let up = width * (thick.hypot(slant)) / thick;
        let south = quad((x, 0.0), (x + thick, 0.0), (x + thick, y + slant), (x, y));
        let north = quad(
            (x, y + up),
            (x + thick, y + slant + up),
            (x + thick, 20.0),
            (x, 20.0),
        );
        let nav = nav(&[("South", south), ("North", north)], 0.2, None);
        let request = PathRequest::new(DVec2::new(2.0, 10.0), DVec2::new(18.0, 10.0));
        let ask = |id| planned(id, &nav, &request).expect("a good request");
        let (found, exact) = (ask(PlannerId::CONSTRAINT), ask(PlannerId::OPTIMAL));
        let Some(exact) = exact.path() else {
            panic!("case {case}: the door is open");
        };
        let what = format!("case {case}: {play} m of play, {thick} m thick, slanted by {slant}");
        let path = found.path().unwrap_or_else(|| panic!("{what}: {found:?}"));
        assert!(
            path.length < 1.05 * exact.length,
            "{what}: {} instead of {}",
            path.length,
            exact.length
        );
    }
}

#[test]
fn a_thinner_agent_gets_through_with_the_clearance_that_is_there() {
    let nav = nav(&door(), 0.2, None);
    for choice in in_plan() {
        let request = PathRequest::new(DVec2::new(2.0, 10.0), DVec2::new(18.0, 10.0));
        let answer = planned(choice, &nav, &request);
        let answer = answer.expect("a good request");
        let path = answer
            .path()
            .unwrap_or_else(|| panic!("{choice:?}: {answer:?}"));
        // In cells, walls are up to a cell closer.
        let tolerance = match choice {
            PlannerId::HUMAN => crate::nav::voxel::level::CELL,
            _ => 0.012,
        };
        assert!(
            (path.min_clearance - 0.2).abs() < tolerance,
            "{choice:?}: {path:?}"
        );
        assert!(path.mean_clearance > path.min_clearance);
        assert!(path.mean_curvature > 0.0 && path.expanded > 0 && path.plan_micros > 0.0);
        assert!(path.length > 16.0 && path.length < 17.5);
        assert_eq!(path.actions, vec![Action::Walk; path.waypoints()]);
    }
}

#[test]
fn misplaced_ends_are_told_with_what_to_do() {
    let nav = nav(&door(), 0.3, None);
    for (from, to, words) in [
        (
            (-1.0, 5.0),
            (5.0, 5.0),
            "start at -1.00, 5.00 lies outside the level's bounds",
        ),
        (
            (5.0, 5.0),
            (10.0, 5.0),
            "goal at 10.00, 5.00 lies inside \"House 3\"",
        ),
        ((5.0, 5.0), (8.9, 5.0), "0.10 m from \"House 3\""),
        ((0.1, 5.0), (5.0, 5.0), "0.10 m from the level's bounds"),
    ] {
        let reason = refused(&nav, from, to).reason;
        assert!(reason.contains(words), "{reason}");
    }
}

#[test]
fn what_closes_off_the_goal_is_named() {
    let ring = Polygon {
        outer: rect(5.0, 5.0, 15.0, 15.0).outer,
        holes: vec![rect(7.0, 7.0, 13.0, 13.0).outer],
    };
    let nav = nav(
        &[("Fort", ring), ("Hut", rect(1.0, 1.0, 2.0, 2.0))],
        0.3,
        None,
    );
    let no_path = refused(&nav, (3.0, 3.0), (10.0, 10.0));
    assert!(
        no_path
            .reason
            .contains("the goal is closed off on all sides by \"Fort\"")
    );
    assert_eq!(no_path.gap, None);
    assert_eq!(no_path.blocker.map(EntityId::number), Some(1));
}

#[test]
fn a_gap_at_the_border_names_the_bounds() {
    let nav = nav(&[("Wall", rect(9.0, 0.5, 11.0, 20.0))], 0.4, None);
    let reason = refused(&nav, (2.0, 10.0), (18.0, 10.0)).reason;
    assert!(
        reason.contains("\"Wall\" and the level's bounds is 0.50 m wide"),
        "{reason}"
    );
}

#[test]
fn ends_on_the_border_of_free_space_are_taken() {
    let nav = nav(&door(), 0.2, None);
    // Exactly touching the bounds and the house.
    let Answer::Found(path) = ask(&nav, (0.2, 0.2), (8.8, 4.0)) else {
        panic!("no path");
    };
    assert!((path.length - DVec2::new(8.6, 3.8).length()).abs() < 0.01);
}

/// Largest number of recorded steps per step of a walker.
const MOST_AT_ONCE: usize = 14;

#[test]
fn steps_lead_to_the_same_path_and_can_be_watched() {
    let nav = nav(&door(), 0.2, None);
    let request = PathRequest::new(DVec2::new(2.0, 10.0), DVec2::new(18.0, 10.0));
    for choice in in_plan() {
        let mut search = registry::open(choice, &nav, &request).expect("available");
        let stepped = loop {
            let (before, expanded) = (search.view(), search.expanded());
            match search.step(1) {
                Step::Running | Step::Improved { .. } => {}
                Step::Done(path) => break path,
                other => panic!("{other:?}"),
            }
            assert!(search.expanded() - expanded <= MOST_AT_ONCE, "{choice:?}");
            let view = search.view();
            assert!(view.nodes.len() >= before.nodes.len());
            assert!(
                view.current
                    .is_none_or(|current| view.nodes[current].is_closed)
            );
            assert!(
                view.nodes
                    .iter()
                    .all(|n| n.parent.is_none_or(|p| p < view.nodes.len()))
            );
        };
        let answer = planned(choice, &nav, &request);
        let answer = answer.expect("a good request");
        assert_eq!(answer.path().map(|p| &p.points), Some(&stepped.points));
        assert!(matches!(search.step(1), Step::Done(_)));
        // A fork knows the answer, and so does a session that was told of no change; one that was
        // asked something else and released finds it again.
        let mut fork = search.fork();
        assert!(matches!(fork.step(1), Step::Done(path) if path.points == stepped.points));
        search.release();
        let told = session::update(&mut *fork, &nav, &request);
        assert_eq!(told, kept_or_not(choice), "{choice}");
        let again = session::run(&mut *fork, &JobContext::default()).expect("not cancelled");
        assert_eq!(again.path().map(|p| &p.points), Some(&stepped.points));
        let elsewhere = PathRequest {
            goal: request.start,
            ..request.clone()
        };
        assert_ne!(
            session::update(&mut *search, &nav, &elsewhere),
            Updated::Kept
        );
        assert_ne!(session::update(&mut *search, &nav, &request), Updated::Kept);
        let _ = search.step(3);
        search.release();
        let again = session::run(&mut *search, &JobContext::default());
        let again = again.expect("not cancelled");
        assert_eq!(again.path().map(|p| &p.points), Some(&stepped.points));
    }
}

/// What a session does with its answer when nothing has changed.
fn kept_or_not(planner: PlannerId) -> Updated {
    match planner {
        PlannerId::CONSTRAINT => Updated::Repairing,
        PlannerId::CORRIDOR | PlannerId::CORRIDOR_ORIGINAL | PlannerId::MIRAN | PlannerId::IRM => {
            Updated::Restarted
        }
        _ => Updated::Kept,
    }
}

#[test]
fn planners_that_are_not_available_say_so() {
    let nav = nav(&[], 0.3, None);
    let request = PathRequest::new(DVec2::ONE, DVec2::splat(2.0));
    let error = planned(PlannerId::new("unheard-of"), &nav, &request);
    let sentence = error.expect_err("not there").to_string();
    assert!(sentence.contains("`unheard-of`") && sentence.contains("portal-tenth, optimal"));
    let bad = PathRequest::new(DVec2::NAN, DVec2::ONE);
    let error = planned(PlannerId::PORTAL, &nav, &bad);
    assert!(matches!(error, Err(PlanError::BadRequest(_))));
}

#[test]
fn points_lie_on_the_ground_and_the_length_is_in_space() {
    let area = Rect::new(DVec2::ZERO, DVec2::splat(20.0));
    let mut ground = HeightField::flat(area, 10.0, 0.0);
    ground.heights = (0..9).map(|i| 7.5 * f64::from(i % 3)).collect();
    let nav = nav(&[], 0.0, Some(ground));
    let Answer::Found(path) = ask(&nav, (2.0, 5.0), (18.0, 5.0)) else {
        panic!("no path");
    };
    assert_eq!(path.points[1].z, 13.5);
    assert!((path.length - 20.0).abs() < 1e-9);
    let request = PathRequest {
        slope: Some(SlopeLimits::default()),
        ..PathRequest::new(DVec2::new(2.0, 5.0), DVec2::new(18.0, 5.0))
    };
    let answer = planned(PlannerId::PORTAL, &nav, &request);
    let answer = answer.expect("a good request");
    let bent = answer.path().expect("found");
    assert!(bent.waypoints() > 10 && bent.length > path.length);
}
