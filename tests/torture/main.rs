//! Every planner on levels made to break it, against an oracle of its own.
//!
//! A violation names the kind of level, its number and the planner: run it again with
//! `WAYLOOM_TORTURE=<number>`, which prints walls and paths. `WAYLOOM_CASES` sets the number of levels for a long run.

mod crowds;
mod explanations;
mod levels;
mod oracle;

use glam::{DVec2, DVec3};
use levels::{KINDS, SIZE};
use oracle::{Free, clearance};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wayloom::base::{EntityId, Random};
use wayloom::document::{Edit, Entity, Kind, Level, Obstacle, PlannerId, ops};
use wayloom::geometry::{Polygon, Rect};
use wayloom::jobs::JobContext;
use wayloom::nav::{BakeRequest, NavBundle, NavData};
use wayloom::planner::{Answer, Path, PathRequest, registry};

/// What a path may be off by: coordinates are whole millimetres. Unit: metres.
const ROUNDED: f64 = 0.004;

/// What free space may be too small by, at least and as a share of the radius: arcs are drawn with
/// few corners. Unit: metres.
const EXCESS: [f64; 2] = [0.01, 0.05];

/// How much of the radius a path may lose. Unit: metres.
const TOUCHED: f64 = 0.01;

/// For one query, its share of what is made when it is first needed included. A debug build is an order of
/// magnitude slower, and machines are busy.
const MOST_TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 4 });

/// Of the whole run. Unit: kilobytes.
const MOST_MEMORY: u64 = 1 << 20;

fn cases(default: u64) -> u64 {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// One query with what the oracle says.
struct Case {
    rings: Vec<Vec<DVec2>>,
    radius: f64,
    ends: [DVec2; 2],
    /// Lengths for bodies that are a little too small and a little too large.
    small: Option<f64>,
    large: Option<f64>,
}

fn baked(rings: &[Vec<DVec2>], radius: f64) -> NavData {
    let mut settings = (**Level::default().settings()).clone();
    settings.bounds = Rect::new(DVec2::ZERO, DVec2::splat(SIZE));
    let mut edits = vec![Edit::Settings(Arc::new(settings))];
    edits.extend(rings.iter().zip(1..).map(|(ring, id)| {
        let wall = Obstacle::new(Polygon::new(ring.clone()));
        Edit::create(EntityId::new(id), Entity::new("", Kind::Obstacle(wall)))
    }));
    let level = ops::apply(&Level::default(), &edits).expect("valid");
    let request = BakeRequest::for_radius(Arc::new(level), radius);
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
    bundle.nav(radius).expect("baked")
}

/// What is wrong with a path, as a sentence.
fn fault(case: &Case, id: PlannerId, path: &Path) -> Option<String> {
    let says = |what: &str| path.remarks.iter().any(|remark| remark.text.contains(what));
    let plan: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
    let off = [plan.first(), plan.last()].map(|end| end.copied().unwrap_or(DVec2::NAN));
    let off = [off[0].distance(case.ends[0]), off[1].distance(case.ends[1])];
    let moved = off[0] + off[1];
    for (which, off, word) in [("start", off[0], "begins"), ("goal", off[1], "ends")] {
        if !(off <= TOUCHED || says(word)) {
            return Some(format!(
                "its {which} is {off:.3} m off, and it does not say so"
            ));
        }
    }
    let length: f64 = plan.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    if (length - path.length).abs() > 0.005 * length + ROUNDED {
        return Some(format!(
            "it is {length:.3} m long and says {:.3}",
            path.length
        ));
    }
    if !says("closer") {
        let size = DVec2::splat(SIZE);
        for pair in plan.windows(2) {
            let count = (pair[0].distance(pair[1]) / 0.05).ceil().max(1.0) as usize;
            for i in 0..=count {
                let p = pair[0].lerp(pair[1], i as f64 / count as f64);
                let gap = clearance(size, &case.rings, p);
                if gap < case.radius - TOUCHED {
                    return Some(format!("at {p:.3} it is {gap:.4} m from a wall"));
                }
            }
        }
    }
    if id == PlannerId::HUMAN {
        return None;
    }
    let Some(least) = case.small else {
        return (moved <= TOUCHED).then(|| "there is no path".to_owned());
    };
    if length + moved < least - ROUNDED * plan.len() as f64 {
        return Some(format!(
            "{length:.4} m are less than the shortest, {least:.4} m"
        ));
    }
    if id == PlannerId::OPTIMAL
        && let Some(most) = case.large
        && length > 1.005 * most + ROUNDED
    {
        return Some(format!("{length:.4} m are more than {most:.4} m"));
    }
    None
}

/// All planners on one level; what is wrong, as sentences.
fn judged(number: u64) -> Vec<String> {
    let kind = number as usize % KINDS.len();
    let mut random = Random::stream(77, number);
    let rings = levels::draw(kind, &mut random);
    let radius = [0.0, 0.05, 0.2, 0.3, 0.5][random.below(5)];
    let size = DVec2::splat(SIZE);
    let nav = baked(&rings, radius);
    let small = Free::new(size, &rings, (radius - ROUNDED).max(0.0), false);
    let excess = EXCESS[0].max(EXCESS[1] * radius);
    let large = Free::new(size, &rings, radius + excess + ROUNDED, true);
    let mut wrong = Vec::new();
    for query in 0..3 {
        // Also ends in walls and next to them.
        let ends = [(); 2].map(|()| random.point(DVec2::ZERO, size));
        // On the very border of free space, rounding decides.
        let is_on_border = |p: &DVec2| (clearance(size, &rings, *p) - radius).abs() < ROUNDED;
        if ends.iter().any(is_on_border) {
            continue;
        }
        let case = Case {
            rings: rings.clone(),
            radius,
            ends,
            small: small.shortest(ends[0], ends[1]),
            large: large.shortest(ends[0], ends[1]),
        };
        for id in PlannerId::BUILT_IN {
            if !registry::is_available(id) {
                continue;
            }
            let request = PathRequest::new(ends[0], ends[1]);
            let begun = Instant::now();
            let answer = registry::plan(id, &nav, &request, &JobContext::default());
            let took = begun.elapsed();
            let what = match answer.expect("a good request") {
                _ if took > MOST_TIME => Some(format!("it takes {took:?}")),
                Answer::Found(path) => fault(&case, id, &path).inspect(|_| {
                    if std::env::var_os("WAYLOOM_TORTURE").is_some() {
                        eprintln!("walls {rings:?}\npath {:?}", path.points);
                    }
                }),
                Answer::NotFound(why) if why.reason.is_empty() => Some("no reason".to_owned()),
                Answer::NotFound(why) => {
                    // Voxels are coarser than doors.
                    let must = id != PlannerId::HUMAN && case.large.is_some();
                    must.then(|| format!("it finds nothing: {}", why.reason))
                }
            };
            wrong.extend(what.map(|what| {
                format!(
                    "{}, level {number}, query {query} from {} to {}, radius {radius}, {}: {what}",
                    KINDS[kind],
                    ends[0],
                    ends[1],
                    id.as_str()
                )
            }));
        }
    }
    wrong
}

/// Judges a range of levels; `WAYLOOM_FIRST_CASE` and `WAYLOOM_CASES` divide long runs.
fn judge_all(judged: fn(u64) -> Vec<String>) {
    let one = std::env::var("WAYLOOM_TORTURE").ok();
    let first = std::env::var("WAYLOOM_FIRST_CASE").ok();
    let first = first.and_then(|text| text.parse().ok()).unwrap_or(0);
    let numbers = match one.and_then(|text| text.parse().ok()) {
        Some(number) => number..number + 1,
        None => first..cases(12),
    };
    let mut wrong: Vec<String> = Vec::new();
    for number in numbers.clone() {
        let found = judged(number);
        // A long run tells at once.
        for sentence in &found {
            eprintln!("{sentence}");
        }
        wrong.extend(found);
    }
    assert!(
        wrong.is_empty(),
        "{} violations on {} levels:\n{}",
        wrong.len(),
        numbers.end - numbers.start,
        wrong.join("\n")
    );
    if let Ok(status) = std::fs::read_to_string("/proc/self/status")
        && let Some(line) = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))
    {
        let most: u64 = line
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .expect("a number");
        assert!(most <= MOST_MEMORY, "{most} kB in memory");
    }
}

#[test]
fn every_planner_answers_what_it_is_asked() {
    judge_all(judged);
}

#[test]
fn nobody_walks_into_a_wall() {
    judge_all(crowds::judged);
}

/// Furniture stands in everybody's way, whether it is drawn in plan or as a box.
#[test]
fn boxes_on_the_ground_block_planners_in_plan() {
    use wayloom::document::{Solid, SolidShape};
    let mut settings = (**Level::default().settings()).clone();
    settings.bounds = Rect::new(DVec2::ZERO, DVec2::splat(SIZE));
    let shelf = Solid::new(
        SolidShape::Box,
        DVec3::new(10.0, 9.0, 0.0),
        DVec3::new(1.0, 18.0, 2.0),
    );
    let edits = [
        Edit::Settings(Arc::new(settings)),
        Edit::create(EntityId::new(1), Entity::new("Shelf", Kind::Solid(shelf))),
    ];
    let level = ops::apply(&Level::default(), &edits).expect("valid");
    let request = BakeRequest::for_radius(Arc::new(level), 0.3);
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
    let nav = bundle.nav(0.3).expect("baked");
    for id in PlannerId::BUILT_IN {
        if !registry::is_available(id) {
            continue;
        }
        let ask = |to: (f64, f64)| {
            let request = PathRequest::new(DVec2::new(4.0, 4.0), to.into());
            registry::plan(id, &nav, &request, &JobContext::default()).expect("a good request")
        };
        let Answer::Found(path) = ask((16.0, 4.0)) else {
            panic!("{}: nothing around the shelf", id.as_str());
        };
        assert!(path.length > 28.0, "{}: {} m", id.as_str(), path.length);
        // Planned with on the surfaces of solids, it may stand on the shelf.
        if !registry::is_in_space(id) && id != PlannerId::CONSTRAINT {
            let Answer::NotFound(why) = ask((10.0, 4.0)) else {
                panic!("{}: into the shelf", id.as_str());
            };
            assert!(why.reason.contains("Shelf"), "{}", why.reason);
        }
    }
}
