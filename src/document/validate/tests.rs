use super::*;
use crate::base::Colour;
use crate::document::{
    Document, Edit, Selection,
    model::{
        Agent, Annotation, Body, Constraint, Crowd, Entity, Expectation, Goal, Heading, Kind, Knot,
        MeshSource, Mission, Motion, NavTest, Obstacle, Pattern, Profile, Query, Region, Relation,
        Repeat, Route, RouteShape, Rule, Solid, SolidShape, Spawn, Target, Terrain, When, tag,
    },
};
use crate::geometry::{Polygon, Rect};
use glam::DVec3;

/// A level with a profile (1), a terrain (2) and a free middle; bounds 0…100.
fn document() -> Document {
    let mut document = Document::new(Level::default(), EntityId::new(1));
    add(&mut document, "Adult", Kind::Profile(Profile::default()));
    let terrain = Terrain::new(Colour::hex(0x55aa55), Pattern::Plain, 1.0);
    add(&mut document, "Grass", Kind::Terrain(terrain));
    document
}

fn add(document: &mut Document, name: &str, kind: Kind) -> EntityId {
    let id = document.allocate_id();
    document
        .commit("Add", vec![Edit::create(id, Entity::new(name, kind))])
        .expect("valid");
    id
}

fn square(x: f64, y: f64, size: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x, y), DVec2::new(x + size, y + size)))
}

fn obstacle(area: Polygon) -> Kind {
    Kind::Obstacle(Obstacle::new(area))
}

fn polygon(points: &[(f64, f64)]) -> Polygon {
    Polygon::new(points.iter().map(|p| DVec2::new(p.0, p.1)).collect())
}

fn agent(start: (f64, f64), goal: (f64, f64)) -> Agent {
    Agent {
        start: DVec3::new(start.0, start.1, 0.0),
        heading: Heading::default(),
        mission: Mission {
            goals: vec![Goal::At(DVec3::new(goal.0, goal.1, 0.0))],
            ..Mission::new(EntityId::new(1))
        },
    }
}

fn codes(document: &Document) -> Vec<(Severity, Code)> {
    validate(document.level(), None)
        .iter()
        .map(|problem| (problem.severity, problem.code))
        .collect()
}

/// Asserts that the level has exactly this problem and that its fix leaves none.
fn mends(document: &mut Document, severity: Severity, code: Code) {
    assert_eq!(codes(document), [(severity, code)]);
    let problem = validate(document.level(), None).remove(0);
    let level = document.level().clone();
    let edits = problem.fix_edits(&level, &mut || document.allocate_id());
    assert!(!edits.is_empty(), "{problem}");
    document.commit("Fix", edits).expect("a fix is valid");
    assert_eq!(codes(document), [], "after fixing {problem}");
}

#[test]
fn a_sound_level_has_no_problems() {
    let mut document = document();
    add(&mut document, "House", obstacle(square(10.0, 10.0, 10.0)));
    add(
        &mut document,
        "Walker",
        Kind::Agent(agent((5.0, 5.0), (50.0, 50.0))),
    );
    assert_eq!(codes(&document), []);
}

#[test]
fn a_crossing_outline_is_named_with_its_place_and_repaired_into_parts() {
    let mut document = document();
    let bow_tie = polygon(&[(10.0, 10.0), (30.0, 30.0), (30.0, 10.0), (10.0, 30.0)]);
    add(&mut document, "Bow", obstacle(bow_tie));
    let problem = validate(document.level(), None).remove(0);
    assert_eq!(problem.at, Some(DVec2::new(20.0, 20.0)));
    assert_eq!(
        problem.to_string(),
        "error: its outline crosses itself at 20.00, 20.00; repair it, or move the crossing edge"
    );
    mends(&mut document, Severity::Error, Code::SelfCrossing);
    assert_eq!(document.level().obstacles().count(), 2);
}

#[test]
fn outlines_without_area_are_removed_and_tiny_ones_suspected() {
    let mut line = document();
    add(
        &mut line,
        "",
        obstacle(polygon(&[(1.0, 1.0), (5.0, 1.0), (9.0, 1.0)])),
    );
    let found = codes(&line);
    assert!(
        found == [(Severity::Error, Code::NoArea)]
            || found == [(Severity::Error, Code::SelfCrossing)],
        "{found:?}"
    );
    let mut tiny = document();
    add(&mut tiny, "", obstacle(square(1.0, 1.0, 0.02)));
    mends(&mut tiny, Severity::Warning, Code::TinyArea);
}

#[test]
fn superfluous_points_are_tidied() {
    let mut double = document();
    let points = [(10.0, 10.0), (20.0, 10.0), (20.0, 10.0), (20.0, 20.0)];
    add(&mut double, "", obstacle(polygon(&points)));
    mends(&mut double, Severity::Warning, Code::DuplicatePoints);
    let mut straight = document();
    let points = [(10.0, 10.0), (15.0, 10.0), (20.0, 10.0), (20.0, 20.0)];
    let id = add(&mut straight, "", obstacle(polygon(&points)));
    mends(&mut straight, Severity::Information, Code::CollinearPoints);
    let level = straight.level();
    assert_eq!(level.get(id).map(|entity| entity.vertex_count()), Some(3));
}

#[test]
fn a_hole_outside_is_repaired_away() {
    let mut document = document();
    let mut area = square(10.0, 10.0, 10.0);
    area.holes.push(square(40.0, 40.0, 5.0).outer);
    add(&mut document, "", obstacle(area));
    assert_eq!(codes(&document), [(Severity::Warning, Code::HoleOutside)]);
}

#[test]
fn what_lies_outside_the_bounds_can_be_taken_in() {
    let mut outside = document();
    add(&mut outside, "", obstacle(square(200.0, 10.0, 5.0)));
    mends(&mut outside, Severity::Warning, Code::OutsideBounds);
    let mut across = document();
    add(&mut across, "", obstacle(square(98.0, 10.0, 5.0)));
    mends(&mut across, Severity::Information, Code::OutsideBounds);
}

#[test]
fn a_curve_is_outside_where_it_leads_not_where_its_handles_are() {
    let knot = |x: f64, handle: f64| Knot {
        point: DVec2::new(x, 2.0),
        handle_in: DVec2::new(0.0, -handle),
        handle_out: DVec2::new(0.0, handle),
    };
    let route = |handle: f64| {
        let knots = vec![knot(10.0, handle), knot(20.0, handle)];
        Kind::Route(Route::new(RouteShape::Bezier(knots)))
    };
    // The handles reach below zero; the curve itself does not.
    let mut inside = document();
    add(&mut inside, "", route(2.5));
    assert_eq!(codes(&inside), []);
    let mut outside = document();
    add(&mut outside, "", route(25.0));
    mends(&mut outside, Severity::Information, Code::OutsideBounds);
}

#[test]
fn overlapping_obstacles_are_mentioned_unless_one_hangs_above() {
    let mut document = document();
    add(&mut document, "A", obstacle(square(10.0, 10.0, 10.0)));
    add(&mut document, "B", obstacle(square(15.0, 15.0, 10.0)));
    let mut bridge = Obstacle::new(square(12.0, 12.0, 4.0));
    bridge.base = 10.0;
    add(&mut document, "Bridge", Kind::Obstacle(bridge));
    add(
        &mut document,
        "Neighbour",
        obstacle(square(25.0, 15.0, 5.0)),
    );
    assert_eq!(
        codes(&document),
        [(Severity::Information, Code::OverlappingObstacles)]
    );
}

#[test]
fn references_that_lead_nowhere_are_redirected_or_dropped() {
    let gone = EntityId::new(77);
    let region = Kind::Region(Region {
        area: square(10.0, 10.0, 5.0),
        terrain: gone,
    });
    let mut walker = agent((5.0, 5.0), (50.0, 50.0));
    walker.mission.route = Some(gone);
    let mut strict = agent((5.0, 5.0), (50.0, 50.0));
    strict
        .mission
        .constraints
        .push(Constraint::new(Rule::NotIn, EntityId::new(2).into()).when(When::while_set(gone)));
    let mut orphan = agent((5.0, 5.0), (50.0, 50.0));
    orphan.mission.profile = gone;
    let relation = Kind::Annotation(Annotation::Relation {
        object: gone,
        relation: Relation::Around { reach: 2.0 },
    });
    let test = Kind::Test(NavTest {
        query: Query::Agent(gone),
        expectation: Expectation::default(),
    });
    for kind in [
        region,
        Kind::Agent(walker),
        Kind::Agent(strict),
        Kind::Agent(orphan),
        relation,
        test,
    ] {
        let mut document = document();
        add(&mut document, "", kind);
        mends(&mut document, Severity::Error, Code::DanglingReference);
    }
}

#[test]
fn a_reference_to_the_wrong_kind_is_found() {
    let mut document = document();
    let region = Region {
        area: square(10.0, 10.0, 5.0),
        terrain: EntityId::new(1),
    };
    add(&mut document, "", Kind::Region(region));
    mends(&mut document, Severity::Error, Code::WrongReference);
}

#[test]
fn a_group_inside_itself_is_taken_out() {
    let mut document = document();
    let id = add(&mut document, "G", Kind::Group);
    let mut entity = Entity::clone(document.level().get(id).expect("just made"));
    entity.group = Some(id);
    document
        .commit("Nest", vec![Edit::replace(id, entity)])
        .expect("valid");
    mends(&mut document, Severity::Error, Code::GroupCycle);
}

#[test]
fn agents_in_and_near_obstacles_are_moved_to_where_they_fit() {
    let mut inside = document();
    add(&mut inside, "House", obstacle(square(10.0, 10.0, 10.0)));
    add(
        &mut inside,
        "",
        Kind::Agent(agent((12.0, 15.0), (50.0, 50.0))),
    );
    mends(&mut inside, Severity::Error, Code::StartBlocked);
    let mut near = document();
    add(&mut near, "House", obstacle(square(10.0, 10.0, 10.0)));
    add(&mut near, "", Kind::Agent(agent((5.0, 5.0), (9.9, 15.0))));
    let message = validate(near.level(), None).remove(0).message;
    assert_eq!(
        message,
        "its goal 1 is 0.10 m from House, closer than its radius of 0.3 m; move it away"
    );
    mends(&mut near, Severity::Warning, Code::GoalBlocked);
}

#[test]
fn obstacles_overhead_or_moving_block_no_agent() {
    let mut document = document();
    let mut bridge = Obstacle::new(square(10.0, 10.0, 10.0));
    bridge.base = 4.0;
    add(&mut document, "Bridge", Kind::Obstacle(bridge));
    add(
        &mut document,
        "",
        Kind::Agent(agent((15.0, 15.0), (50.0, 50.0))),
    );
    assert_eq!(codes(&document), []);
}

#[test]
fn crowds_must_fit() {
    let mut document = document();
    let crowd = Crowd {
        variety: Default::default(),
        groups: Default::default(),
        area: square(10.0, 10.0, 4.0),
        count: 500,
        spawn: Spawn::AtOnce,
        mission: agent((0.0, 0.0), (50.0, 50.0)).mission,
    };
    add(&mut document, "", Kind::Crowd(crowd));
    mends(&mut document, Severity::Warning, Code::CrowdTooDense);
}

#[test]
fn routes_are_checked_for_length_blockers_and_look_ahead() {
    let route = |points: &[(f64, f64)]| Route::new(RouteShape::Polyline(polygon(points).outer));
    let mut point = document();
    add(&mut point, "", Kind::Route(route(&[(1.0, 1.0)])));
    mends(&mut point, Severity::Warning, Code::RouteTooShort);
    let mut through = document();
    add(&mut through, "House", obstacle(square(10.0, 10.0, 10.0)));
    add(
        &mut through,
        "",
        Kind::Route(route(&[(0.0, 15.0), (40.0, 15.0)])),
    );
    add(
        &mut through,
        "",
        Kind::Route(route(&[(0.0, 10.0), (40.0, 10.0)])),
    );
    assert_eq!(codes(&through), [(Severity::Warning, Code::RouteBlocked)]);
    let mut short = document();
    let mut sigma = route(&[(0.0, 15.0), (40.0, 15.0)]);
    sigma.look_ahead = 2.0;
    add(&mut short, "", Kind::Route(sigma));
    mends(&mut short, Severity::Warning, Code::LookAheadTooShort);
}

#[test]
fn contradictions_in_definitions_are_found() {
    let mut names = document();
    let terrain = Terrain::new(Colour::hex(0x55aa55), Pattern::Plain, 1.0);
    add(&mut names, "Grass", Kind::Terrain(terrain));
    mends(&mut names, Severity::Information, Code::DuplicateName);
    let mut body = document();
    let mut profile = Profile::default();
    profile.body = Body {
        bent_height: 3.0,
        ..profile.body
    };
    add(&mut body, "Odd", Kind::Profile(profile));
    mends(&mut body, Severity::Warning, Code::BodyContradiction);
    let mut moving = document();
    let mut lift = Obstacle::new(square(10.0, 10.0, 2.0));
    lift.motion = Some(Motion {
        path: vec![DVec2::new(11.0, 11.0), DVec2::new(30.0, 11.0)],
        route: None,
        speed: 1.0,
        repeat: Repeat::Loop,
    });
    add(&mut moving, "Lift", Kind::Obstacle(lift));
    mends(&mut moving, Severity::Warning, Code::MotionMismatch);
    assert!(
        moving
            .level()
            .obstacles()
            .all(|o| o.1.has_tag(tag::DYNAMIC))
    );
}

#[test]
fn a_missing_mesh_is_found_only_where_the_folder_is_known() {
    let mut document = document();
    let shape = SolidShape::Mesh(MeshSource::new("no/such.obj"));
    let solid = Solid::new(shape, DVec3::splat(5.0), DVec3::ONE);
    add(&mut document, "Statue", Kind::Solid(solid));
    assert_eq!(codes(&document), []);
    let problems = validate(document.level(), Some(&std::env::temp_dir()));
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].code, Code::MissingMesh);
}

#[test]
fn a_fix_for_something_gone_does_nothing() {
    let mut document = document();
    let id = add(&mut document, "", obstacle(square(200.0, 10.0, 5.0)));
    let problem = validate(document.level(), None).remove(0);
    document.select(Selection::one(id));
    document
        .commit("Delete", vec![Edit::Delete { id }])
        .expect("there");
    let level = document.level().clone();
    assert_eq!(
        problem.fix_edits(&level, &mut || document.allocate_id()),
        []
    );
}

#[test]
fn constraints_that_cannot_be_meant_are_found_and_mended() {
    let grass = EntityId::new(2);
    let with = |constraints: Vec<Constraint>| {
        let mut agent = agent((50.0, 50.0), (80.0, 50.0));
        agent.mission.constraints = constraints;
        Kind::Agent(agent)
    };
    let pond = |document: &mut Document| {
        let area = square(40.0, 40.0, 20.0);
        add(document, "Pond", Kind::Annotation(Annotation::Area(area)))
    };
    let mut torn = document();
    let soft = Rule::In { weight: 2.0.into() };
    let both = vec![
        Constraint::new(soft, grass.into()),
        Constraint::new(Rule::NotIn, grass.into()),
    ];
    add(&mut torn, "", with(both));
    mends(&mut torn, Severity::Warning, Code::Contradiction);
    let mut drawn = document();
    let both = [2.0, -3.0].map(|weight| {
        let weight = weight.into();
        Constraint::new(Rule::Near { weight }, grass.into())
    });
    add(&mut drawn, "", with(both.to_vec()));
    mends(&mut drawn, Severity::Warning, Code::Contradiction);
    let apart = [2.0, -3.0].into_iter().zip([(6.0, 22.0), (22.0, 6.0)]);
    let apart = apart.map(|(weight, (from, until))| {
        let weight = weight.into();
        Constraint::new(Rule::Near { weight }, grass.into()).when(When::between(from, until))
    });
    let mut by_hour = document();
    add(&mut by_hour, "", with(apart.collect()));
    assert_eq!(codes(&by_hour), []);

    let mut inside = document();
    let forbidden = pond(&mut inside);
    let hard = Constraint::new(Rule::NotIn, forbidden.into());
    add(&mut inside, "", with(vec![hard.clone()]));
    let told = validate(inside.level(), None).remove(0).message;
    assert!(told.contains("“not in Pond”"), "{told}");
    mends(&mut inside, Severity::Error, Code::StartForbidden);

    // At noon, when the level starts, it is allowed there.
    let mut by_night = document();
    pond(&mut by_night);
    add(
        &mut by_night,
        "",
        with(vec![hard.when(When::between(22.0, 6.0))]),
    );
    assert_eq!(codes(&by_night), []);

    let mut nowhere = document();
    let line = RouteShape::Polyline(vec![DVec2::new(1.0, 1.0), DVec2::new(9.0, 1.0)]);
    let route = add(&mut nowhere, "Path", Kind::Route(Route::new(line)));
    let relation = Relation::LineOfSight {
        range: 5.0,
        angle: 90.0,
    };
    let object = route;
    let sight = Target::Relation { object, relation };
    add(
        &mut nowhere,
        "",
        with(vec![Constraint::new(Rule::NotIn, sight)]),
    );
    mends(&mut nowhere, Severity::Warning, Code::EmptyRelation);
    let relation = Kind::Annotation(Annotation::Relation { object, relation });
    add(&mut nowhere, "", relation);
    mends(&mut nowhere, Severity::Warning, Code::EmptyRelation);
}

/// Bodies and where they stand, against a measure of the distance to a square that is written out here.
#[test]
fn places_are_blocked_exactly_where_a_body_does_not_fit() {
    let mut random = crate::base::Random::new(5);
    let (low, high) = (DVec2::new(40.0, 40.0), DVec2::new(60.0, 60.0));
    let mut seen = [0; 3];
    for _ in 0..400 {
        let p = random.point(DVec2::splat(38.0), DVec2::splat(62.0));
        let outside = (low - p).max(p - high).max(DVec2::ZERO).length();
        let inside = (p - low).min_element().min((high - p).min_element());
        let expected = if inside > 0.0 {
            Some((Severity::Error, Code::StartBlocked))
        } else {
            (outside < 0.3).then_some((Severity::Warning, Code::StartBlocked))
        };
        if inside.abs() < 1e-6 || (outside - 0.3).abs() < 1e-6 {
            continue;
        }
        let mut level = document();
        add(&mut level, "House", obstacle(square(40.0, 40.0, 20.0)));
        add(&mut level, "", Kind::Agent(agent((p.x, p.y), (5.0, 5.0))));
        let found = codes(&level);
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{p}");
        seen[expected.map_or(0, |(severity, _)| {
            1 + usize::from(severity == Severity::Error)
        })] += 1;
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn a_crowd_is_too_dense_from_the_first_body_that_covers_more_than_half() {
    let radius = Profile::default().body.radius;
    for side in [2.0, 4.0, 7.5] {
        let most = (0.5 * side * side / (std::f64::consts::PI * radius * radius)) as u32;
        for (count, is_too_dense) in [(most, false), (most + 1, true)] {
            let mut document = document();
            let crowd = Crowd {
                variety: Default::default(),
                groups: Default::default(),
                area: square(10.0, 10.0, side),
                count,
                spawn: Spawn::AtOnce,
                mission: agent((0.0, 0.0), (50.0, 50.0)).mission,
            };
            add(&mut document, "", Kind::Crowd(crowd));
            let problems = validate(document.level(), None);
            let dense = problems.iter().find(|p| p.code == Code::CrowdTooDense);
            assert_eq!(dense.is_some(), is_too_dense, "{count} in {side} m");
            if let Some(problem) = dense {
                assert_eq!(problem.fix, Some(Fix::SetCount(most)));
            }
        }
    }
}

#[test]
fn what_has_neither_goal_nor_route_is_said_to_stay() {
    let stays = |goals: bool, routed: bool| {
        let mut document = document();
        let line = RouteShape::Polyline(vec![DVec2::new(5.0, 5.0), DVec2::new(45.0, 5.0)]);
        let route = add(&mut document, "Tour", Kind::Route(Route::new(line)));
        let mut walker = agent((5.0, 5.0), (50.0, 50.0));
        if !goals {
            walker.mission.goals.clear();
        }
        walker.mission.route = routed.then_some(route);
        add(&mut document, "", Kind::Agent(walker));
        codes(&document).contains(&(Severity::Information, Code::NoGoal))
    };
    assert!(stays(false, false));
    assert!(!stays(true, false) && !stays(false, true) && !stays(true, true));
}
