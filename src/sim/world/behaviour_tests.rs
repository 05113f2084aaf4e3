//! Doors, exits, waiting areas, queues, groups, jams and what is dragged about.

use super::*;
use crate::base::{Distribution, EntityId};
use crate::document::{
    Arrival, Crowd, Door, DoorState, Edit, Entity, Exit, FlagIs, Goal, GroupSize, Groups, Kind,
    Level, Mission, Motion as Moving, Obstacle, Profile, Queue, Repeat, Settings, Spawn, Wait,
    WaitingArea, ops,
};
use crate::geometry::Rect;
use crate::sim::input::Input;
use crate::sim::models;
use std::collections::BTreeMap;
use std::sync::Arc;

const ADULT: EntityId = EntityId::new(1);

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
}

fn id(number: u64) -> EntityId {
    EntityId::new(number)
}

/// A level of 20 m by 10 m; entities get the numbers from 2 on.
fn level(kinds: Vec<Kind>) -> Arc<Level> {
    let mut profile = Profile::default();
    profile.body.radius = 0.18;
    profile.pace.speed = 1.3;
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::new(20.0, 10.0)),
        ..Settings::default()
    };
    let mut edits = vec![
        Edit::Settings(Arc::new(settings)),
        Edit::create(ADULT, Entity::new("Adult", Kind::Profile(profile))),
    ];
    edits.extend((2..).zip(kinds).map(|(number, kind)| {
        let name = format!("Thing {number}");
        Edit::create(id(number), Entity::new(&name, kind))
    }));
    Arc::new(ops::apply(&Level::default(), &edits).expect("valid"))
}

fn crowd(area: Polygon, count: u32, goals: Vec<Goal>) -> Crowd {
    Crowd {
        area,
        count,
        spawn: Spawn::AtOnce,
        variety: Default::default(),
        groups: Groups::default(),
        mission: Mission {
            goals,
            ..Mission::new(ADULT)
        },
    }
}

fn wall(x0: f64, y0: f64, x1: f64, y1: f64) -> Kind {
    Kind::Obstacle(Obstacle::new(rect(x0, y0, x1, y1)))
}

fn exit(x0: f64, y0: f64, x1: f64, y1: f64) -> Kind {
    Kind::Exit(Exit::new(rect(x0, y0, x1, y1)))
}

fn world(level: &Arc<Level>) -> World {
    let ctx = JobContext::default();
    let scenario = Scenario::bake(Arc::clone(level), &ctx).expect("not cancelled");
    let model = (models::rows()[0].new)();
    World::new(scenario, model, WorldOptions::default(), &ctx).expect("not cancelled")
}

/// Steps for some time, or until it is over; what happened.
fn pass(world: &mut World, seconds: f64, mut each: impl FnMut(&World)) -> Vec<RunEvent> {
    let until = world.time() + seconds;
    let mut events = world.events().to_vec();
    while !world.is_over() && world.time() < until {
        world.step(&JobContext::default()).expect("not cancelled");
        events.extend_from_slice(world.events());
        each(world);
        for agent in world.agents() {
            let p = agent.position.truncate();
            assert!(world.walls().clearance(p) >= agent.radius - 1e-6);
        }
    }
    events
}

fn count(events: &[RunEvent], kind: RunEventKind) -> usize {
    events.iter().filter(|event| event.kind == kind).count()
}

/// A room, a wall with a door of 1.2 m at x = 10, and an exit behind it.
fn room(door: Door, people: u32) -> Vec<Kind> {
    vec![
        wall(9.9, 0.0, 10.1, 4.4),
        wall(9.9, 5.6, 10.1, 10.0),
        Kind::Door(door),
        exit(18.0, 0.0, 20.0, 10.0),
        Kind::Crowd(crowd(
            rect(2.0, 2.0, 8.0, 8.0),
            people,
            vec![Goal::NearestExit],
        )),
    ]
}

const DOOR: EntityId = EntityId::new(4);

fn gate() -> Door {
    Door::new(DVec2::new(10.0, 4.4), DVec2::new(10.0, 5.6))
}

#[test]
fn a_door_that_is_shut_by_hand_holds_everyone_back_until_it_opens() {
    let mut world = world(&level(room(gate(), 12)));
    world.input(
        0,
        Input::Door {
            door: DOOR,
            state: Some(DoorState::Shut),
        },
    );
    let events = pass(&mut world, 20.0, |world| {
        assert!(world.agents().all(|agent| agent.position.x < 10.0));
    });
    assert_eq!(world.len(), 12);
    assert_eq!(count(&events, RunEventKind::Door), 1);
    world.input(
        world.tick(),
        Input::Door {
            door: DOOR,
            state: None,
        },
    );
    let events = pass(&mut world, 60.0, |_| {});
    assert!(world.is_over(), "{} are left", world.len());
    assert_eq!(count(&events, RunEventKind::Arrived), 12);
}

#[test]
fn an_exit_that_is_near_and_walled_in_is_not_the_nearest() {
    let kinds = vec![
        wall(2.0, 0.0, 2.2, 10.0),
        exit(0.2, 4.0, 1.6, 6.0),
        exit(18.0, 0.0, 20.0, 10.0),
        Kind::Crowd(crowd(rect(3.0, 3.0, 6.0, 7.0), 8, vec![Goal::NearestExit])),
    ];
    let mut world = world(&level(kinds));
    let events = pass(&mut world, 60.0, |_| {});
    assert!(world.is_over(), "{} are left", world.len());
    assert_eq!(count(&events, RunEventKind::Unreachable), 0);
}

#[test]
fn a_door_with_a_limited_flow_lets_no_more_pass() {
    let mut door = gate();
    door.flow = Some(0.5);
    let mut world = world(&level(room(door, 10)));
    let mut passed = Vec::new();
    let mut behind = BTreeMap::new();
    pass(&mut world, 120.0, |world| {
        for agent in world.agents() {
            let is_behind = agent.position.x > 10.0;
            if is_behind && !behind.insert(agent.index, is_behind).unwrap_or(false) {
                passed.push(world.time());
            }
        }
    });
    assert!(world.is_over());
    assert_eq!(passed.len(), 10);
    let took = passed[9] - passed[0];
    assert!((17.5..=22.0).contains(&took), "{took} s for nine at 0.5/s");
}

#[test]
fn agents_wait_in_an_area_until_a_flag_is_set() {
    let flag = id(2);
    let mut waiting = WaitingArea::new(rect(12.0, 2.0, 16.0, 8.0));
    waiting.wait = Wait::Until(FlagIs::Set(flag));
    let goals = vec![Goal::inside(id(3)), Goal::NearestExit];
    let level = level(vec![
        Kind::Flag(false),
        Kind::WaitingArea(waiting),
        exit(0.0, 0.0, 1.0, 10.0),
        Kind::Crowd(crowd(rect(4.0, 2.0, 8.0, 8.0), 8, goals)),
    ]);
    let mut world = world(&level);
    pass(&mut world, 30.0, |_| {});
    assert_eq!(world.len(), 8, "everyone waits");
    let area = rect(12.0, 2.0, 16.0, 8.0);
    let inside = world
        .agents()
        .filter(|agent| area.contains(agent.position.truncate()));
    assert_eq!(inside.count(), 8);
    assert_eq!(world.stuck(), 0, "to wait is not to be stuck");
    world.input(world.tick(), Input::SetFlag { flag, is_set: true });
    pass(&mut world, 60.0, |_| {});
    assert!(world.is_over(), "{} are left", world.len());
}

#[test]
fn a_queue_serves_one_after_the_other_in_the_order_of_arrival() {
    let line = vec![DVec2::new(12.0, 5.0), DVec2::new(6.0, 5.0)];
    let mut queue = Queue::new(line);
    queue.service = Distribution::Constant(3.0);
    let goals = vec![Goal::inside(id(2)), Goal::NearestExit];
    let level = level(vec![
        Kind::Queue(queue),
        exit(18.0, 0.0, 20.0, 10.0),
        Kind::Crowd(crowd(rect(1.0, 2.0, 4.0, 8.0), 6, goals)),
    ]);
    let mut world = world(&level);
    let mut left = Vec::new();
    pass(&mut world, 120.0, |world| {
        for departure in world.departures() {
            left.push((world.time(), departure.index));
        }
    });
    assert!(world.is_over(), "{} are left", world.len());
    assert_eq!(left.len(), 6);
    for pair in left.windows(2) {
        let apart = pair[1].0 - pair[0].0;
        assert!(apart > 2.0, "served together: {left:?}");
    }
}

#[test]
fn groups_stay_together_and_others_do_not() {
    let spread = |sizes: Vec<GroupSize>| {
        let mut people = crowd(rect(0.5, 1.0, 3.0, 9.0), 12, vec![Goal::NearestExit]);
        people.groups = Groups { sizes };
        people.variety.speed_deviation = 0.4;
        let level = level(vec![Kind::Crowd(people), exit(19.0, 0.0, 20.0, 10.0)]);
        let mut world = world(&level);
        pass(&mut world, 8.0, |_| {});
        // Of neighbours in the list: they are of one group if there are groups of three.
        let at: Vec<DVec2> = world.agents().map(|a| a.position.truncate()).collect();
        assert_eq!(at.len(), 12, "nobody has arrived yet");
        let widest = |three: &[DVec2]| {
            let far = |a: usize, b: usize| three[a].distance(three[b]);
            far(0, 1).max(far(1, 2)).max(far(0, 2))
        };
        at.chunks(3).map(widest).fold(0.0, f64::max)
    };
    let together = spread(vec![GroupSize {
        size: 3,
        share: 1.0,
    }]);
    let alone = spread(Vec::new());
    assert!(together < 4.0 && alone > 4.5, "{together} m, {alone} m");
}

#[test]
fn trains_bring_people_by_their_timetable() {
    let mut people = crowd(rect(1.0, 1.0, 5.0, 9.0), 9, vec![Goal::NearestExit]);
    people.spawn = Spawn::Timetable(vec![
        Arrival {
            at: 2.0,
            count: 5,
            over: 0.0,
        },
        Arrival {
            at: 10.0,
            count: 4,
            over: 2.0,
        },
    ]);
    let level = level(vec![Kind::Crowd(people), exit(18.0, 0.0, 20.0, 10.0)]);
    let mut world = world(&level);
    let mut births = Vec::new();
    pass(&mut world, 60.0, |world| {
        births.extend(world.births().iter().map(|b| b.tick as f64 * 0.05));
    });
    assert!(world.is_over());
    assert_eq!(births.len(), 9);
    assert!(births[..5].iter().all(|time| (*time - 2.0).abs() < 0.06));
    let expected = [10.0, 10.5, 11.0, 11.5];
    let late = births[5..].iter().zip(expected);
    assert!(
        late.into_iter().all(|(a, b)| (a - b).abs() < 0.06),
        "{births:?}"
    );
}

#[test]
fn a_jam_at_the_near_exit_sends_some_to_the_far_one() {
    // Two doors of 1 m in one wall; everyone stands by the lower one.
    let kinds = vec![
        wall(11.9, 0.0, 12.1, 1.5),
        wall(11.9, 2.5, 12.1, 8.0),
        wall(11.9, 9.0, 12.1, 10.0),
        wall(12.1, 4.9, 20.0, 5.1),
        exit(14.0, 0.2, 16.0, 4.8),
        exit(14.0, 5.2, 16.0, 9.8),
        Kind::Crowd(crowd(
            rect(5.0, 0.5, 11.0, 4.5),
            80,
            vec![Goal::NearestExit],
        )),
    ];
    let mut world = world(&level(kinds));
    let mut upper = 0;
    let events = pass(&mut world, 120.0, |world| {
        let departures = world.departures().iter();
        upper += departures.filter(|departure| departure.at.y > 5.0).count();
    });
    assert!(world.is_over(), "{} are left", world.len());
    assert!((8..=44).contains(&upper), "{upper} of 80 take the far exit");
    let rerouted = count(&events, RunEventKind::Rerouted);
    assert!(
        rerouted >= upper && rerouted < 3 * upper,
        "{rerouted}: nobody goes to and fro"
    );
}

#[test]
fn an_obstacle_that_is_dragged_is_gone_round_and_the_run_can_be_repeated() {
    let kinds = vec![
        wall(14.0, 0.5, 15.0, 2.0),
        exit(18.0, 0.0, 20.0, 10.0),
        Kind::Crowd(crowd(rect(1.0, 3.0, 5.0, 7.0), 10, vec![Goal::NearestExit])),
    ];
    let level = level(kinds);
    let run = || {
        let mut world = world(&level);
        let to = DVec2::new(8.0, 5.0).extend(0.0);
        let drag = Input::Move { entity: id(2), to };
        world.input(40, drag.clone());
        // On top of agents, who are pushed aside.
        let to = DVec2::new(4.0, 5.0).extend(0.0);
        world.input(60, Input::Move { entity: id(2), to });
        let mut places = Vec::new();
        let events = pass(&mut world, 60.0, |world| {
            places.extend(world.agents().map(|agent| agent.position));
        });
        assert!(world.is_over(), "{} are left", world.len());
        assert_eq!(count(&events, RunEventKind::Input), 2);
        places
    };
    assert_eq!(run(), run());
}

#[test]
fn a_cart_on_its_way_is_let_past_and_everyone_leaves() {
    let mut cart = Obstacle::new(rect(1.0, 4.0, 3.0, 6.0));
    cart.motion = Some(Moving {
        path: vec![DVec2::new(2.0, 5.0), DVec2::new(17.0, 5.0)],
        route: None,
        speed: 2.0,
        repeat: Repeat::BackAndForth,
    });
    let kinds = vec![
        Kind::Obstacle(cart),
        exit(0.0, 0.0, 1.0, 10.0),
        Kind::Crowd(crowd(
            rect(8.0, 3.0, 16.0, 7.0),
            25,
            vec![Goal::NearestExit],
        )),
    ];
    let mut world = world(&level(kinds));
    let mut touched = 0;
    let mut seen = 0;
    pass(&mut world, 60.0, |world| {
        for agent in world.agents() {
            let p = agent.position.truncate();
            assert!(p.is_finite() && p.x > 0.0 && p.x < 20.0 && p.y > 0.0 && p.y < 10.0);
            seen += 1;
            let is_touched =
                |area: &Polygon| area.contains(p) || area.distance_to_edge(p) < agent.radius + 1e-3;
            touched += usize::from(world.obstacles.areas().iter().any(is_touched));
        }
    });
    assert!(world.is_over(), "{} are left", world.len());
    assert!(touched * 50 < seen, "pushed in {touched} of {seen} steps");
}

#[test]
fn a_cart_that_stands_in_the_path_is_gone_round() {
    // It comes from above and stays in the middle, across the straight path.
    let mut cart = Obstacle::new(rect(9.0, 8.0, 11.0, 9.8));
    cart.motion = Some(Moving {
        path: vec![DVec2::new(10.0, 9.0), DVec2::new(10.0, 5.0)],
        route: None,
        speed: 3.0,
        repeat: Repeat::Once,
    });
    let kinds = vec![
        Kind::Obstacle(cart),
        exit(19.0, 4.0, 20.0, 6.0),
        Kind::Crowd(crowd(rect(1.0, 4.0, 4.0, 6.0), 12, vec![Goal::NearestExit])),
    ];
    let mut world = world(&level(kinds));
    let events = pass(&mut world, 30.0, |_| {});
    assert!(world.is_over(), "{} are left", world.len());
    assert_eq!(count(&events, RunEventKind::Stuck), 0);
}
