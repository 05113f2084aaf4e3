//! Doors, links, exits, queues and measuring lines.

use super::{Code, Fix, Problem, Severity, obstacles::ObstacleIndex};
use crate::base::EntityId;
use crate::document::model::{
    Body, Door, Entity, Goal, Kind, Level, Link, MeasureShape, Profile, Query, RunExpectation,
};
use crate::geometry::polygon::{closest_on_segment, ring_edges};
use crate::geometry::{Polygon, Rect};
use glam::DVec2;

/// Shorter lines and narrower doors are drawn by accident. Unit: metres.
const SHORTEST: f64 = 0.01;
/// A jamb this far from every wall leaves room to walk around the door. Unit: metres.
const JAMB_GAP: f64 = 0.2;
/// Places in an exit that are tried, along each side of its box.
const SAMPLES: usize = 7;

pub(super) fn check(
    level: &Level,
    obstacles: &ObstacleIndex<'_>,
    id: EntityId,
    entity: &Entity,
    problems: &mut Vec<Problem>,
) {
    match &entity.kind {
        Kind::Door(door) => check_door(level, obstacles, id, door, problems),
        Kind::Link(link) => check_link(obstacles, id, link, problems),
        Kind::Exit(exit) => check_exit(obstacles, id, &exit.area, problems),
        Kind::Queue(queue) => {
            if queue.length() < SHORTEST {
                problems.push(too_short(id, "the queue", queue.line[0]));
            } else if let Some(blocker) = obstacles.crossed_by(&queue.line) {
                let sentence = format!(
                    "its line leads through {}, where people cannot stand; lead it around",
                    blocker.label
                );
                problems.push(
                    Problem::new(Severity::Warning, Code::QueueBlocked, id, sentence)
                        .at(blocker.obstacle.area.centroid()),
                );
            }
        }
        Kind::Measure(measure) => {
            if let MeasureShape::Line([from, to]) = measure.shape
                && from.distance(to) < SHORTEST
            {
                problems.push(too_short(id, "the measuring line", from));
            }
        }
        Kind::Agent(_) | Kind::Crowd(_) => {
            let goals = entity.mission().map(|mission| &mission.goals[..]);
            let wants_exit = goals.is_some_and(|goals| goals.contains(&Goal::NearestExit));
            if wants_exit && level.exits().next().is_none() {
                problems.push(Problem::new(
                    Severity::Error,
                    Code::NoExit,
                    id,
                    "its goal is the nearest exit, and the level has none; draw an exit",
                ));
            }
        }
        Kind::Test(test) if test.query == Query::Run => {
            let expected = &test.expectation.run;
            if *expected == RunExpectation::default() {
                problems.push(Problem::new(
                    Severity::Warning,
                    Code::NoExpectation,
                    id,
                    "it expects nothing of the run; say within which time all must be out, or limit a density",
                ));
            }
            for density in &expected.max_density {
                let kind = level.get(density.area).map(|entity| &entity.kind);
                let is_line = matches!(
                    kind,
                    Some(Kind::Measure(measure)) if matches!(measure.shape, MeasureShape::Line(_))
                );
                if is_line {
                    let sentence = format!(
                        "{} is a measuring line, which has no density; choose a measuring area",
                        level.label(density.area)
                    );
                    problems.push(Problem::new(
                        Severity::Error,
                        Code::WrongReference,
                        id,
                        sentence,
                    ));
                }
            }
        }
        _ => {}
    }
}

fn too_short(id: EntityId, what: &str, at: DVec2) -> Problem {
    let sentence = format!("{what} has no length; redraw it or remove it");
    Problem::new(Severity::Warning, Code::LineTooShort, id, sentence)
        .at(at)
        .fixed_by(Fix::Remove)
}

fn check_door(
    level: &Level,
    obstacles: &ObstacleIndex<'_>,
    id: EntityId,
    door: &Door,
    problems: &mut Vec<Problem>,
) {
    if door.width() < SHORTEST {
        problems.push(
            Problem::new(
                Severity::Error,
                Code::DoorWithoutWidth,
                id,
                "the door has no width; redraw it from jamb to jamb or remove it",
            )
            .at(door.centre())
            .fixed_by(Fix::Remove),
        );
        return;
    }
    let stands_free = |jamb: &&DVec2| {
        !obstacles.is_within(**jamb, JAMB_GAP)
            && !is_near_solid(level, **jamb)
            && !is_near_bounds(level.settings().bounds, **jamb)
    };
    if let Some(jamb) = door.jambs.iter().find(stands_free) {
        problems.push(
            Problem::new(
                Severity::Warning,
                Code::DoorInMidAir,
                id,
                format!(
                    "its jamb at {:.2}, {:.2} touches no wall, so that agents walk around it; \
                     move the door into an opening or draw the wall up to it",
                    jamb.x, jamb.y
                ),
            )
            .at(*jamb),
        );
    }
}

fn is_near_solid(level: &Level, p: DVec2) -> bool {
    level.solids().any(|(.., solid)| {
        let outline = solid.footprint();
        solid.bounds().expanded(JAMB_GAP).contains(p)
            && (ring_edges(&outline)
                .any(|(a, b)| closest_on_segment(a, b, p).distance(p) <= JAMB_GAP)
                || Polygon::new(outline).contains(p))
    })
}

fn is_near_bounds(bounds: Rect, p: DVec2) -> bool {
    let inside = (p - bounds.min).min(bounds.max - p).min_element();
    inside <= JAMB_GAP
}

fn check_link(
    obstacles: &ObstacleIndex<'_>,
    id: EntityId,
    link: &Link,
    problems: &mut Vec<Problem>,
) {
    if link.length() < SHORTEST {
        problems.push(
            Problem::new(
                Severity::Error,
                Code::LineTooShort,
                id,
                "the link ends where it begins; redraw it or remove it",
            )
            .at(link.from.truncate())
            .fixed_by(Fix::Remove),
        );
        return;
    }
    // A point: how much room a body needs depends on the profile.
    let body = Body {
        radius: 0.0,
        ..Profile::default().body
    };
    for (end, place) in [("start", link.from), ("end", link.to)] {
        if let Some((blocker, _)) = obstacles.blocking(place, &body) {
            let sentence = format!(
                "its {end} lies inside {}, where nothing can stand; move it out",
                blocker.label
            );
            problems.push(
                Problem::new(Severity::Error, Code::LinkBlocked, id, sentence).at(place.truncate()),
            );
        }
    }
}

/// An exit that obstacles cover altogether.
fn check_exit(
    obstacles: &ObstacleIndex<'_>,
    id: EntityId,
    area: &Polygon,
    problems: &mut Vec<Problem>,
) {
    let bounds = area.bounds();
    let body = Profile::default().body;
    let at = |i: usize| (i as f64 + 0.5) / SAMPLES as f64;
    let mut blocker = None;
    for i in 0..SAMPLES * SAMPLES {
        let share = DVec2::new(at(i % SAMPLES), at(i / SAMPLES));
        let p = bounds.min + share * bounds.size();
        if !area.contains(p) {
            continue;
        }
        match obstacles.blocking(p.extend(0.0), &body) {
            Some((found, _)) => blocker = Some(found),
            None => return,
        }
    }
    if let Some(blocker) = blocker {
        let sentence = format!(
            "{} leaves no room to stand in it, so that agents cannot leave here; move the exit",
            blocker.label
        );
        problems.push(
            Problem::new(Severity::Error, Code::ExitBlocked, id, sentence).at(area.centroid()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::model::{
        DensityLimit, Exit, Expectation, LinkAction, Measure, NavTest, Obstacle, Queue,
    };
    use crate::document::validate::validate;
    use crate::document::{Edit, ops};
    use glam::DVec3;

    fn codes(kinds: Vec<Kind>) -> Vec<&'static str> {
        let edits: Vec<Edit> = (1..)
            .zip(kinds)
            .map(|(number, kind)| Edit::create(EntityId::new(number), Entity::new("", kind)))
            .collect();
        let level = ops::apply(&Level::default(), &edits).expect("valid");
        let problems = validate(&level, None);
        problems.iter().map(|problem| problem.code.name()).collect()
    }

    fn block(min: f64, max: f64) -> Kind {
        let area = Polygon::rect(Rect::new(DVec2::splat(min), DVec2::splat(max)));
        Kind::Obstacle(Obstacle::new(area))
    }

    #[test]
    fn doors_need_a_width_and_walls() {
        let none = Door::new(DVec2::ONE, DVec2::ONE);
        assert_eq!(codes(vec![Kind::Door(none)]), ["door-without-width"]);
        let free = Door::new(DVec2::splat(50.0), DVec2::new(52.0, 50.0));
        assert_eq!(codes(vec![Kind::Door(free)]), ["door-in-mid-air"]);
        let between = Door::new(DVec2::new(10.0, 5.0), DVec2::new(12.0, 13.0));
        let walls = vec![block(5.0, 10.0), block(12.0, 20.0), Kind::Door(between)];
        assert_eq!(codes(walls), Vec::<&str>::new());
        let at_the_edge = Door::new(DVec2::new(0.0, 7.0), DVec2::new(5.0, 7.0));
        assert_eq!(
            codes(vec![block(5.0, 10.0), Kind::Door(at_the_edge)]),
            Vec::<&str>::new()
        );
    }

    #[test]
    fn links_exits_queues_and_lines_that_cannot_be_meant_are_named() {
        let at = |x: f64| DVec3::new(x, x, 0.0);
        let link = |from, to| Kind::Link(Link::new(LinkAction::Jump, at(from), at(to)));
        assert_eq!(codes(vec![link(3.0, 3.0)]), ["line-too-short"]);
        assert_eq!(
            codes(vec![block(5.0, 9.0), link(7.0, 3.0)]),
            ["link-blocked"]
        );
        assert_eq!(
            codes(vec![block(5.0, 9.0), link(4.0, 10.0)]),
            Vec::<&str>::new()
        );
        let exit = |min: f64, max: f64| {
            let area = Polygon::rect(Rect::new(DVec2::splat(min), DVec2::splat(max)));
            Kind::Exit(Exit::new(area))
        };
        assert_eq!(
            codes(vec![block(5.0, 9.0), exit(6.0, 8.0)]),
            ["exit-blocked"]
        );
        assert_eq!(
            codes(vec![block(5.0, 9.0), exit(6.0, 12.0)]),
            Vec::<&str>::new()
        );
        let queue = |to: f64| Kind::Queue(Queue::new(vec![DVec2::splat(2.0), DVec2::splat(to)]));
        assert_eq!(codes(vec![queue(2.0)]), ["line-too-short"]);
        assert_eq!(codes(vec![block(5.0, 9.0), queue(12.0)]), ["queue-blocked"]);
        let line = Measure::line(DVec2::ONE, DVec2::ONE);
        assert_eq!(codes(vec![Kind::Measure(line)]), ["line-too-short"]);
    }

    #[test]
    fn tests_of_runs_must_expect_something_that_can_be_measured() {
        let test = |run| {
            Kind::Test(NavTest {
                query: Query::Run,
                expectation: Expectation {
                    run,
                    ..Expectation::default()
                },
            })
        };
        let nothing = RunExpectation::default();
        assert_eq!(codes(vec![test(nothing)]), ["no-expectation"]);
        let line = Kind::Measure(Measure::line(DVec2::ONE, DVec2::splat(4.0)));
        let dense = RunExpectation {
            max_density: vec![DensityLimit {
                area: EntityId::new(1),
                limit: 4.0,
            }],
            ..RunExpectation::default()
        };
        assert_eq!(codes(vec![line, test(dense)]), ["wrong-reference"]);
    }
}
