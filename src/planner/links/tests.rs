//! Paths through links, against brute force over everything that can be seen.

use crate::base::{EntityId, Random};
use crate::document::{
    Action, Door, DoorChange, DoorState, Edit, Entity, Kind, Level, Link, LinkAction,
    LinkDirection, LinkPace, Obstacle, PlannerId, Profile, Settings, When, ops,
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, NavData, stages};
use crate::planner::path::{Answer, Path};
use crate::planner::request::PathRequest;
use crate::planner::{registry, session};
use glam::{DVec2, DVec3};
use std::sync::Arc;

const RADIUS: f64 = 0.3;
const SIZE: f64 = 20.0;
const WALKER: EntityId = EntityId::new(900);
const OTHER: EntityId = EntityId::new(901);

fn level(kinds: impl IntoIterator<Item = Kind>) -> Arc<Level> {
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::splat(SIZE)),
        ..Settings::default()
    };
    let mut profile = Profile::default();
    profile.body.radius = RADIUS;
    let mut edits = vec![
        Edit::Settings(Arc::new(settings)),
        Edit::create(
            WALKER,
            Entity::new("Walker", Kind::Profile(profile.clone())),
        ),
        Edit::create(OTHER, Entity::new("Other", Kind::Profile(profile))),
    ];
    for (number, kind) in (1..).zip(kinds) {
        let name = format!("{} {number}", kind.name().singular());
        edits.push(Edit::create(EntityId::new(number), Entity::new(name, kind)));
    }
    Arc::new(ops::apply(&Level::default(), &edits).expect("valid"))
}

fn wall(min: [f64; 2], max: [f64; 2]) -> Kind {
    let area = Polygon::rect(Rect::new(min.into(), max.into()));
    Kind::Obstacle(Obstacle::new(area))
}

fn bake(level: &Arc<Level>, before: Option<&NavBundle>) -> NavBundle {
    let request = BakeRequest {
        before,
        ..BakeRequest::for_radius(Arc::clone(level), RADIUS)
    };
    NavBundle::bake(request, &JobContext::default()).expect("not cancelled")
}

fn ask(nav: &NavData, planner: PlannerId, from: DVec2, to: DVec2) -> Answer {
    let request = PathRequest {
        profile_id: Some(WALKER),
        ..PathRequest::new(from, to)
    };
    registry::plan(planner, nav, &request, &JobContext::default()).expect("valid")
}

fn path(answer: Answer) -> Path {
    match answer {
        Answer::Found(path) => path,
        Answer::NotFound(why) => panic!("{}", why.reason),
    }
}

fn reason(answer: Answer) -> String {
    match answer {
        Answer::Found(path) => panic!("found {:?}", path.points),
        Answer::NotFound(why) => why.reason,
    }
}

/// Two rooms without a door between them.
fn divided(more: impl IntoIterator<Item = Kind>) -> Arc<Level> {
    level([wall([9.0, 0.0], [11.0, SIZE])].into_iter().chain(more))
}

fn ladder(from: [f64; 3], to: [f64; 3]) -> Link {
    Link::new(LinkAction::Ladder, DVec3::from(from), DVec3::from(to))
}

const LINKED: [PlannerId; 4] = [
    PlannerId::PORTAL,
    PlannerId::OPTIMAL,
    PlannerId::CONSTRAINT,
    PlannerId::HUMAN,
];

#[test]
fn planners_that_know_links_cross_by_a_ladder_and_say_so() {
    let mut link = ladder([8.0, 10.0, 0.0], [12.0, 10.0, 0.0]);
    link.pace = LinkPace::Time(7.0);
    let level = divided([Kind::Link(link)]);
    let bundle = bake(&level, None);
    let nav = bundle.nav(RADIUS).expect("baked");
    let (from, to) = (DVec2::new(3.0, 10.0), DVec2::new(17.0, 10.0));
    for planner in LINKED {
        let path = path(ask(&nav, planner, from, to));
        let [used] = &path.links[..] else {
            panic!("{planner:?}: {:?}", path.links)
        };
        assert_eq!(used.action, LinkAction::Ladder, "{planner:?}");
        assert_eq!(path.action_name(used.point), "ladder");
        assert_eq!(used.seconds, 7.0);
        assert_eq!(path.actions.len(), path.points.len());
        let ends = [path.points[used.point - 1], path.points[used.point]];
        assert!(
            (ends[0].x - 8.0).abs() < 0.5 && (ends[1].x - 12.0).abs() < 0.5,
            "{ends:?}"
        );
        let back = ask(&nav, planner, to, from);
        assert!(self::path(back).links[0].is_reversed, "{planner:?}");
    }
    for planner in [PlannerId::CORRIDOR, PlannerId::MIRAN, PlannerId::IRM] {
        let why = reason(ask(&nav, planner, from, to));
        assert!(why.contains("does not use links"), "{planner:?}: {why}");
        let row = registry::row(planner).expect("is there");
        assert!(!row.reads.contains(registry::Reads::LINKS));
    }
}

#[test]
fn one_way_links_and_links_of_other_profiles_do_not_lead_there() {
    let mut drop = Link::new(
        LinkAction::Drop,
        DVec3::new(12.0, 10.0, 0.0),
        DVec3::new(8.0, 10.0, 0.0),
    );
    assert_eq!(drop.direction, LinkDirection::OneWay);
    let (west, east) = (DVec2::new(3.0, 10.0), DVec2::new(17.0, 10.0));
    let nav = |link: &Link| {
        let bundle = bake(&divided([Kind::Link(link.clone())]), None);
        bundle.nav(RADIUS).expect("baked")
    };
    let on = nav(&drop);
    for planner in LINKED {
        assert_eq!(path(ask(&on, planner, east, west)).links.len(), 1);
        let why = reason(ask(&on, planner, west, east));
        assert!(
            why.contains("no link that it may use"),
            "{planner:?}: {why}"
        );
    }
    drop.profiles.insert(OTHER);
    let on = nav(&drop);
    for planner in LINKED {
        let why = reason(ask(&on, planner, east, west));
        assert!(!why.contains("link"), "there is none for it: {why}");
    }
}

#[test]
fn a_dear_link_is_left_and_a_cheap_one_is_taken() {
    // A wall with a gap at its end: around it or over it.
    let wall = || wall([9.5, 0.0], [10.5, 16.0]);
    let (from, to) = (DVec2::new(5.0, 2.0), DVec2::new(15.0, 2.0));
    let with = |cost: Option<f64>| {
        let jump = Link {
            cost,
            ..Link::new(
                LinkAction::Jump,
                DVec3::new(9.0, 2.0, 0.0),
                DVec3::new(11.0, 2.0, 0.0),
            )
        };
        let bundle = bake(&level([wall(), Kind::Link(jump)]), None);
        let nav = bundle.nav(RADIUS).expect("baked");
        path(ask(&nav, PlannerId::OPTIMAL, from, to))
    };
    let over = with(None);
    assert_eq!(over.links.len(), 1);
    assert!((over.cost - 10.0).abs() < 1e-6, "{}", over.cost);
    assert_eq!(over.actions[over.links[0].point], Action::Jump);
    assert!((over.cost_by["link:Link 2"] - 2.0).abs() < 1e-9);
    let around = with(Some(100.0));
    assert!(around.links.is_empty() && around.cost > 25.0);
    let dear = with(Some(5.0));
    assert!((dear.cost - 13.0).abs() < 1e-6);
}

#[test]
fn links_that_change_are_noticed_and_budgets_make_no_difference() {
    let link = ladder([8.0, 10.0, 0.0], [12.0, 10.0, 0.0]);
    let (from, to) = (DVec2::new(3.0, 10.0), DVec2::new(17.0, 10.0));
    let without = bake(&divided([]), None);
    let with = bake(&divided([Kind::Link(link)]), Some(&without));
    let request = PathRequest {
        profile_id: Some(WALKER),
        ..PathRequest::new(from, to)
    };
    let [empty, linked] = [&without, &with].map(|bundle| bundle.nav(RADIUS).expect("baked"));
    for planner in LINKED {
        let ctx = JobContext::default();
        let mut kept = registry::open(planner, &empty, &request).expect("valid");
        assert!(matches!(
            session::run(&mut *kept, &ctx),
            Ok(Answer::NotFound(_))
        ));
        session::update(&mut *kept, &linked, &request);
        let Ok(Answer::Found(after)) = session::run(&mut *kept, &ctx) else {
            panic!("{planner:?}")
        };
        let mut slow = registry::open(planner, &linked, &request).expect("valid");
        let found = loop {
            match slow.step(1) {
                session::Step::Running | session::Step::Improved { .. } => {}
                session::Step::Done(path) => break path,
                session::Step::NoPath => panic!("{planner:?}"),
            }
        };
        assert_eq!(
            (found.points, found.links),
            (after.points, after.links),
            "{planner:?}"
        );
    }
}

/// Whether the straight line stays in free space.
fn sees(nav: &NavData, a: DVec2, b: DVec2) -> bool {
    const SAMPLES: usize = 50;
    let areas = &nav.free().areas;
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let is_cut = areas.iter().flat_map(Polygon::edges).any(|(p, q)| {
        side(a, b, p) * side(a, b, q) < -1e-9 && side(p, q, a) * side(p, q, b) < -1e-9
    });
    !is_cut
        && (0..=SAMPLES).all(|i| {
            let p = a.lerp(b, i as f64 / SAMPLES as f64);
            areas
                .iter()
                .any(|area| area.contains(p) || area.distance_to_edge(p) < 1e-7)
        })
}

/// The cheapest path over everything that sees each other, links included.
fn brute_force(nav: &NavData, links: &[Link], from: DVec2, to: DVec2) -> f64 {
    let mut points = vec![from, to];
    for link in links {
        points.extend([link.from.truncate(), link.to.truncate()]);
    }
    for area in &nav.free().areas {
        points.extend(area.points().copied());
    }
    let count = points.len();
    let mut cost = vec![vec![f64::INFINITY; count]; count];
    for i in 0..count {
        for j in 0..i {
            if sees(nav, points[i], points[j]) {
                cost[i][j] = points[i].distance(points[j]);
                cost[j][i] = cost[i][j];
            }
        }
    }
    for (n, link) in links.iter().enumerate() {
        let (a, b) = (2 + 2 * n, 3 + 2 * n);
        cost[a][b] = cost[a][b].min(link.path_cost());
        if link.direction == LinkDirection::BothWays {
            cost[b][a] = cost[b][a].min(link.path_cost());
        }
    }
    let mut best = vec![f64::INFINITY; count];
    best[0] = 0.0;
    let mut is_done = vec![false; count];
    while let Some(i) = (0..count)
        .filter(|i| !is_done[*i] && best[*i].is_finite())
        .min_by(|a, b| best[*a].total_cmp(&best[*b]))
    {
        is_done[i] = true;
        for j in 0..count {
            best[j] = best[j].min(best[i] + cost[i][j]);
        }
    }
    best[1]
}

#[test]
fn the_best_path_with_links_is_that_of_brute_force() {
    let cases: u64 = std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(24);
    let (mut through_links, mut unreachable) = (0, 0);
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let walls: Vec<Kind> = (0..random.below(4))
            .map(|_| {
                let min = random.point(DVec2::splat(1.0), DVec2::splat(15.0));
                let size = random.point(DVec2::splat(0.5), DVec2::new(5.0, 12.0));
                wall(
                    min.to_array(),
                    (min + size).min(DVec2::splat(SIZE)).to_array(),
                )
            })
            .collect();
        // Half of the levels are cut in two.
        let fence = random.chance(0.5).then(|| wall([9.8, 0.0], [10.2, SIZE]));
        let bare = bake(&level(walls.iter().cloned().chain(fence.clone())), None);
        let bare = bare.nav(RADIUS).expect("baked");
        let mut place = || loop {
            let p = random.point(DVec2::splat(0.5), DVec2::splat(SIZE - 0.5));
            if bare.cells().locate(p).is_some() && bare.free().clearance(p) > RADIUS + 0.05 {
                return p;
            }
        };
        let (from, to) = (place(), place());
        let mut links = Vec::new();
        for _ in 0..3 {
            let (a, b) = (place().extend(0.0), place().extend(0.0));
            links.push(Link::new(LinkAction::Teleport, a, b));
        }
        for (n, link) in links.iter_mut().enumerate() {
            link.cost = [Some(0.5), None, Some(6.0)][n];
            if (seed + n as u64).is_multiple_of(2) {
                link.direction = LinkDirection::OneWay;
            }
        }
        let all = walls
            .into_iter()
            .chain(fence)
            .chain(links.iter().cloned().map(Kind::Link));
        let nav = bake(&level(all), None).nav(RADIUS).expect("baked");
        let expected = brute_force(&nav, &links, from, to);
        match ask(&nav, PlannerId::OPTIMAL, from, to) {
            Answer::Found(path) => {
                assert!(
                    (path.cost - expected).abs() < 1e-4,
                    "seed {seed}: {} instead of {expected}",
                    path.cost
                );
                through_links += usize::from(!path.links.is_empty());
            }
            Answer::NotFound(why) => {
                assert!(expected.is_infinite(), "seed {seed}: {}", why.reason);
                unreachable += 1;
            }
        }
    }
    assert!(
        through_links > cases as usize / 6,
        "{through_links} of {cases} use links"
    );
    assert!(unreachable < cases as usize, "{unreachable}");
}

/// A wall with an opening of 2 m, and a door in it.
fn with_door(door: Door) -> Arc<Level> {
    level([
        wall([9.9, 0.0], [10.1, 9.0]),
        wall([9.9, 11.0], [10.1, SIZE]),
        Kind::Door(door),
        Kind::Flag(false),
    ])
}

fn door(state: DoorState) -> Door {
    Door {
        state,
        ..Door::new(DVec2::new(10.0, 9.0), DVec2::new(10.0, 11.0))
    }
}

const WEST: DVec2 = DVec2::new(3.0, 10.0);
const EAST: DVec2 = DVec2::new(17.0, 10.0);

#[test]
fn a_door_that_is_shut_blocks_every_planner_and_is_to_blame() {
    for (state, told) in [(DoorState::Shut, "shut"), (DoorState::Locked, "locked")] {
        let bundle = bake(&with_door(door(state)), None);
        let nav = bundle.nav(RADIUS).expect("baked");
        for planner in PlannerId::BUILT_IN {
            let why = reason(ask(&nav, planner, WEST, EAST));
            // These explain what their own search met.
            if [PlannerId::HUMAN, PlannerId::CONSTRAINT].contains(&planner) {
                continue;
            }
            assert!(
                why.contains("Door 3") && why.contains(told),
                "{planner:?}: {why}"
            );
        }
        let why = reason(ask(&nav, PlannerId::PORTAL, WEST, EAST));
        assert!(
            why.starts_with(&format!("door \"Door 3\" is {told}")),
            "{why}"
        );
        // The leaf is an obstacle to clearance as well.
        assert!(nav.free().clearance(DVec2::new(9.0, 10.0)) < 1.0);
    }
    let nav = bake(&with_door(door(DoorState::Open)), None)
        .nav(RADIUS)
        .expect("baked");
    for planner in [PlannerId::PORTAL, PlannerId::OPTIMAL, PlannerId::HUMAN] {
        assert!(
            path(ask(&nav, planner, WEST, EAST)).length < 15.0,
            "{planner:?}"
        );
    }
}

#[test]
fn the_clock_and_flags_open_and_shut_a_door_and_only_its_surroundings_are_baked() {
    let flag = EntityId::new(4);
    let mut gate = door(DoorState::Open);
    gate.changes.push(DoorChange {
        to: DoorState::Shut,
        when: When::while_set(flag),
    });
    // Far from the door, so that it is a cluster of its own.
    let level = ops::apply(
        &with_door(gate.clone()),
        &[Edit::create(
            EntityId::new(50),
            Entity::new("Crate", wall([2.0, 2.0], [3.0, 3.0])),
        )],
    )
    .expect("valid");
    let open = bake(&Arc::new(level.clone()), None);
    let nav = open.nav(RADIUS).expect("baked");
    assert!(matches!(
        ask(&nav, PlannerId::PORTAL, WEST, EAST),
        Answer::Found(_)
    ));
    let alarm = Edit::replace(flag, Entity::new("Flag 4", Kind::Flag(true)));
    let alarmed = Arc::new(ops::apply(&level, &[alarm]).expect("valid"));
    let shut = bake(&alarmed, Some(&open));
    let work = shut.work(stages::FREE_SPACE).expect("it was baked");
    assert!(work.made < work.of, "{work:?}");
    let nav = shut.nav(RADIUS).expect("baked");
    let why = reason(ask(&nav, PlannerId::PORTAL, WEST, EAST));
    assert!(why.contains("is shut"), "{why}");
    let scratch = bake(&alarmed, None);
    let [a, b] = [&shut, &scratch].map(|bundle| bundle.space(RADIUS).expect("baked"));
    assert_eq!(a.free.areas, b.free.areas);
    assert_eq!(a.merged, b.merged);
    // Nothing of the door changes: nothing is baked.
    assert!(bake(&alarmed, Some(&shut)).was_reused());
}

#[test]
fn a_door_is_locked_for_some_profiles_and_open_to_others() {
    let mut gate = door(DoorState::Open);
    gate.locked_for.insert(OTHER);
    let bundle = bake(&with_door(gate), None);
    let through = |profile| {
        let nav = bundle.nav_for(profile, RADIUS).expect("baked");
        ask(&nav, PlannerId::PORTAL, WEST, EAST)
    };
    assert!(matches!(through(WALKER), Answer::Found(_)));
    let why = reason(through(OTHER));
    assert!(why.contains("is locked"), "{why}");
}
