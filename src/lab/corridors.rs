//! `wayloom lab corridors`: Overmars, Karamouzas and Geraerts 2008, §5 and Table 1.
//!
//! Our own level after the paper's description of the McKenna site; its radii (0.75 m, 1 m for
//! those who stand about), its forces, its measures. The paper shows one query. Here there are
//! many, each with its own people standing where one can pass them, and every variant gets
//! the same backbones and the same people.
//!
//! The paper's comparison differs in the forces alone: both methods as printed, with the same people.
//! How many stand about it does not say, so there are rows for several numbers; near the goal people
//! outweigh the steering force, so the last two metres are left out of curvature. Its figures stand
//! beside these rows only.
//!
//! Then the original method is compared with what the planner `corridor` does: the improved forces on
//! a control path with shortcuts (paper, §6), led by what is visible, people evaded early. The rows
//! below take that apart, each change alone.

use super::report::Printed;
use super::{Better, LabError, Report, Row, measure, trapezoids::median};
use crate::base::Random;
use crate::document::template::{self, Template};
use crate::geometry::{Polygon, Polyline, Rect, polygon::closest_on_segment};
use crate::jobs::JobContext;
use crate::nav::corridor::{CorridorMap, DeadEnds, build_between};
use crate::planner::corridor::{
    Avoidance, Backbone, Character, ControlPath, CorridorRequest, Method, Motion, Settings, Status,
    backbone, shortcut,
};
use crate::planner::metrics;
use glam::DVec2;
use rayon::prelude::*;
use std::time::Duration;

const QUERIES: usize = 1000;
/// Queries for each of the other variants.
const FEWER: usize = 200;
/// Of those who walk and of those who stand; the paper's. Unit: metres.
const RADIUS: f64 = 0.75;
const PERSON: f64 = 1.0;
/// People for whom a place is looked for; some find none.
const PEOPLE: usize = 200;
/// Start and goal are so far apart. Unit: metres.
const APART: f64 = 50.0;
/// No person stands nearer to a start or goal. Unit: metres from rim to rim.
const SPARED: f64 = 0.5;
/// Distance between samples at which curvature is measured once more. Unit: metres.
const EVEN_STEP: f64 = 0.1;
/// Distance to the goal within which curvature is not counted as printed. Unit: metres.
const LEFT_OUT: f64 = 2.0;
/// Numbers of people for whom places are looked for in the paper's comparison; of 200, about 177 find
/// one.
const NUMBERS: [usize; 5] = [0, 25, 50, 100, 200];
/// Nearer than this is touched, for rounding. Unit: metres.
const TOUCH: f64 = 1e-6;
const BUDGET: Duration = Duration::from_millis(500);

/// What leads the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    MedialAxis,
    Shortcut,
}

/// One variant of the method.
#[derive(Clone, Copy, Debug)]
struct Variant {
    name: &'static str,
    control: Control,
    settings: Settings,
}

impl Printed for Variant {
    /// The forces, the control path and the avoidance of the paper.
    fn is_as_printed(&self) -> bool {
        self.control == Control::MedialAxis
            && self.settings == Settings::new(self.settings.method, RADIUS)
    }
}

const ORIGINAL: Variant = Variant {
    name: "original",
    control: Control::MedialAxis,
    settings: Settings::new(Method::Original, RADIUS),
};

/// What the planner `corridor` does.
const IMPROVED: Variant = Variant {
    name: "improved",
    control: Control::Shortcut,
    settings: Settings::natural(RADIUS),
};

const PRINTED: Settings = Settings::new(Method::Improved, RADIUS);

/// The original with the avoidance of the improved one: what is left of the difference is due to
/// the forces and the control path.
const EVASIVE_ORIGINAL: Variant = Variant {
    name: "original, people evaded early",
    control: Control::MedialAxis,
    settings: Settings {
        avoidance: Avoidance::Early,
        ..Settings::new(Method::Original, RADIUS)
    },
};

const IMPROVED_AS_PRINTED: Variant = Variant {
    name: "improved as printed",
    control: Control::MedialAxis,
    settings: PRINTED,
};

const OTHERS: [Variant; 6] = [
    IMPROVED_AS_PRINTED,
    Variant {
        name: "as printed, d_safe = 2r, people in front only",
        control: Control::MedialAxis,
        settings: Settings {
            safe_distance: 2.0 * RADIUS,
            avoidance: Avoidance::InFront,
            ..PRINTED
        },
    },
    Variant {
        name: "as printed, people evaded early",
        control: Control::MedialAxis,
        settings: Settings {
            avoidance: Avoidance::Early,
            ..PRINTED
        },
    },
    Variant {
        name: "as printed, shortcuts and visibility",
        control: Control::Shortcut,
        settings: Settings {
            avoidance: Avoidance::Disc,
            ..Settings::natural(RADIUS)
        },
    },
    Variant {
        name: "shortcuts and visibility, people in front only",
        control: Control::Shortcut,
        settings: Settings {
            avoidance: Avoidance::InFront,
            ..Settings::natural(RADIUS)
        },
    },
    EVASIVE_ORIGINAL,
];

/// A question with everything that does not depend on how it is walked.
struct Scene {
    people: Vec<Character>,
    request: CorridorRequest,
    found: Backbone,
}

/// What came of one walk.
#[derive(Clone, Copy, Debug)]
struct Walk {
    has_arrived: bool,
    /// Something was nearer than the radius, walls or people.
    has_touched: bool,
    length: f64,
    /// Over all steps, as in the paper.
    curvature: f64,
    /// Over samples at equal distances, so that standing about does not count.
    even_curvature: f64,
    /// Both without the last two metres.
    early_curvature: f64,
    early_even_curvature: f64,
    clearance: metrics::Clearance,
}

/// # Errors
/// Cancelled, or the level cannot be drawn.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let (bounds, obstacles) = mckenna()?;
    ctx.stage("Building the map");
    let built = measure::time(
        BUDGET,
        || (),
        |()| build_between(bounds, &obstacles, DeadEnds::Keep, ctx).ok(),
    );
    let mut rows = vec![
        Row::new("mckenna: corridor map", "ms", built.median * 1e3)
            .spread(built.spread * 1e3)
            .by(&IMPROVED)
            .goal(10.0, Better::Lower),
    ];
    let map = map_of(bounds, &obstacles, ctx)?;
    rows.extend(printed_rows(&map, ctx)?);
    let scenes = scenes(&map, QUERIES, PEOPLE, ctx)?;
    rows.push(Row::new(
        "people standing about, mean",
        "",
        mean(scenes.iter().map(|scene| scene.people.len() as f64)),
    ));
    ctx.stage("Walking");
    let [original, improved] = walks_of(&map, &scenes, [&ORIGINAL, &IMPROVED], ctx)?;
    rows.extend(table(&original, &improved));
    for variant in &OTHERS {
        let few = &scenes[..scenes.len().min(FEWER)];
        let [walks] = walks_of(&map, few, [variant], ctx)?;
        rows.extend(compared(variant.name, &original, &walks));
        if variant.name == EVASIVE_ORIGINAL.name {
            // The paper gives both methods the same avoidance.
            let alike = ratios("improved", &pairs(&walks, &improved));
            rows.extend(alike.map(|(row, _)| {
                let what = row.what.replace("original", EVASIVE_ORIGINAL.name);
                Row { what, ..row }
            }));
        }
    }
    rows.push(Row::new(
        "share of the original's curvature that the worst 20th of its walks has",
        "%",
        worst_share(&original),
    ));
    Ok(Report {
        name: "corridors".to_owned(),
        rows,
    })
}

fn mckenna() -> Result<(Rect, Vec<Polygon>), LabError> {
    let level = Template::Mckenna.build(&template::Options::default())?;
    let obstacles = level.obstacles().map(|(.., o)| o.area.clone()).collect();
    Ok((level.settings().bounds, obstacles))
}

fn map_of(bounds: Rect, obstacles: &[Polygon], ctx: &JobContext) -> Result<CorridorMap, LabError> {
    build_between(bounds, obstacles, DeadEnds::Keep, ctx)
        .map_err(|error| LabError::Unavailable(error.to_string()))
}

/// A place where a disc of the radius fits.
fn free_place(random: &mut Random, map: &CorridorMap, radius: f64) -> Option<DVec2> {
    let extent = map.extent();
    (0..10_000)
        .map(|_| random.point(extent.min, extent.max))
        .find(|&p| map.walls().clearance(p).is_some_and(|c| c >= radius))
}

/// People who stand where the walker can pass on either side, of walls and of each other.
fn crowd(random: &mut Random, map: &CorridorMap, count: usize) -> Vec<Character> {
    let mut people: Vec<Character> = Vec::new();
    for _ in 0..count {
        let Some(position) = free_place(random, map, PERSON + 2.0 * RADIUS) else {
            break;
        };
        let apart = 2.0 * (PERSON + RADIUS);
        if people
            .iter()
            .all(|c| c.position.distance(position) >= apart)
        {
            people.push(Character {
                position,
                radius: PERSON,
            });
        }
    }
    people
}

fn scenes(
    map: &CorridorMap,
    count: usize,
    people: usize,
    ctx: &JobContext,
) -> Result<Vec<Scene>, LabError> {
    let mut scenes = Vec::new();
    // Where hardly anything is connected, fewer queries are better than none at all.
    for case in 0..100 * count as u64 {
        if scenes.len() == count {
            break;
        }
        ctx.checkpoint()?;
        let mut random = Random::stream(2008, case);
        let people = crowd(&mut random, map, people);
        let is_spared = |p: &DVec2| {
            let gap = |c: &Character| c.position.distance(*p) - PERSON - RADIUS;
            people.iter().all(|c| gap(c) >= SPARED)
        };
        let mut place = || {
            (0..100)
                .filter_map(|_| free_place(&mut random, map, 2.0 * RADIUS))
                .find(is_spared)
        };
        let (Some(start), Some(goal)) = (place(), place()) else {
            continue;
        };
        let request = CorridorRequest {
            start,
            goal,
            radius: RADIUS,
            safe_distance: RADIUS,
        };
        if start.distance(goal) < APART {
            continue;
        }
        if let Ok(found) = backbone(map, &request) {
            scenes.push(Scene {
                people,
                request,
                found,
            });
        }
    }
    Ok(scenes)
}

fn walks_of<const N: usize>(
    map: &CorridorMap,
    scenes: &[Scene],
    variants: [&Variant; N],
    ctx: &JobContext,
) -> Result<[Vec<Walk>; N], LabError> {
    let mut all = [(); N].map(|()| Vec::new());
    for chunk in scenes.chunks(50) {
        ctx.checkpoint()?;
        for (walks, variant) in all.iter_mut().zip(variants) {
            walks.par_extend(chunk.par_iter().map(|scene| walk(map, scene, variant)));
        }
    }
    Ok(all)
}

fn walk(map: &CorridorMap, scene: &Scene, variant: &Variant) -> Walk {
    let CorridorRequest { start, goal, .. } = scene.request;
    let samples = scene.found.corridor.samples();
    let axis = ControlPath::of_backbone(map, start, samples, goal);
    let control = match variant.control {
        Control::MedialAxis => axis,
        Control::Shortcut => shortcut(map, &axis, 2.0 * RADIUS),
    };
    let corridor = &scene.found.corridor;
    let mut motion = Motion::new(map, corridor, &control, &scene.people, variant.settings);
    let points = motion.run();
    let even = Polyline::new(points.iter().copied()).sampled(EVEN_STEP);
    let clearance = |p: DVec2| {
        let people = scene
            .people
            .iter()
            .map(|c| c.position.distance(p) - c.radius);
        let wall = map.walls().clearance(p).unwrap_or(0.0);
        people.fold(wall, f64::min)
    };
    Walk {
        has_arrived: motion.status() == Status::Arrived,
        has_touched: points
            .windows(2)
            .any(|pair| is_touched(map, &scene.people, pair[0], pair[1])),
        length: metrics::length_in_plan(&points),
        curvature: metrics::mean_curvature(&points),
        even_curvature: metrics::mean_curvature(&even),
        early_curvature: metrics::mean_curvature(before_the_end(&points, goal)),
        early_even_curvature: metrics::mean_curvature(before_the_end(&even, goal)),
        clearance: metrics::clearance(&points, clearance),
    }
}

/// The part of a walk before it first comes near its goal.
fn before_the_end(points: &[DVec2], goal: DVec2) -> &[DVec2] {
    let end = points.iter().position(|p| p.distance(goal) < LEFT_OUT);
    &points[..end.unwrap_or(points.len())]
}

/// The paper's comparison for several numbers of people: both methods as printed.
fn printed_rows(map: &CorridorMap, ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    for people in NUMBERS {
        ctx.stage(format!("As printed, {people} people"));
        let scenes = scenes(map, FEWER, people, ctx)?;
        let standing = mean(scenes.iter().map(|scene| scene.people.len() as f64));
        let variants = [&ORIGINAL, &IMPROVED_AS_PRINTED];
        let [original, improved] = walks_of(map, &scenes, variants, ctx)?;
        let both = pairs(&original, &improved);
        let title = format!("{standing:.0} people");
        let row = |what: &str, unit: &'static str, figure: f64| {
            Row::new(format!("{title}: {what}"), unit, figure).by(&IMPROVED_AS_PRINTED)
        };
        let ratio = |value: fn(&Walk) -> f64| {
            let by = |which: usize| mean(both.iter().map(|p| value(p[which])));
            by(1) / by(0)
        };
        let middle = |value: fn(&Walk) -> f64| {
            let by = |which: usize| median(both.iter().map(|p| value(p[which])).collect());
            by(1) / by(0)
        };
        let curved = 0.13 / 0.27;
        rows.extend([
            row("improved ÷ original: length", "×", ratio(|w| w.length)).paper(150.61 / 155.12),
            row(
                "improved ÷ original: curvature per step, mean",
                "×",
                ratio(|w| w.early_curvature),
            )
            .paper(curved),
            row(
                "improved ÷ original: curvature per step, median",
                "×",
                middle(|w| w.early_curvature),
            ),
            row(
                "improved ÷ original: curvature at equal distances, mean",
                "×",
                ratio(|w| w.early_even_curvature),
            ),
            row("original arrived", "%", share(&original, |w| w.has_arrived)),
            row("improved arrived", "%", share(&improved, |w| w.has_arrived)),
        ]);
    }
    Ok(rows)
}

/// Whether a step comes nearer than the radius to a wall or to a person; seen without the code
/// that walks.
fn is_touched(map: &CorridorMap, people: &[Character], a: DVec2, b: DVec2) -> bool {
    !map.walls().is_clear(a, b, RADIUS - TOUCH)
        || people.iter().any(|c| {
            let nearest = closest_on_segment(a, b, c.position);
            nearest.distance(c.position) < RADIUS + c.radius - TOUCH
        })
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), v| (sum + v, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

fn share(walks: &[Walk], holds: impl Fn(&Walk) -> bool) -> f64 {
    let count = walks.iter().filter(|walk| holds(walk)).count();
    100.0 * count as f64 / walks.len().max(1) as f64
}

/// How much of the sum of curvatures a twentieth of the walks has.
fn worst_share(walks: &[Walk]) -> f64 {
    let mut all: Vec<f64> = walks.iter().map(|walk| walk.curvature).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    let worst: f64 = all.iter().take(all.len() / 20).sum();
    let sum: f64 = all.iter().sum();
    if sum > 0.0 { 100.0 * worst / sum } else { 0.0 }
}

/// Both walks of the queries at which both arrived.
fn pairs<'a>(a: &'a [Walk], b: &'a [Walk]) -> Vec<[&'a Walk; 2]> {
    a.iter()
        .zip(b)
        .filter(|(a, b)| a.has_arrived && b.has_arrived)
        .map(|(a, b)| [a, b])
        .collect()
}

/// What the paper's Table 1 has, for our product, then what is asked of it over all queries.
fn table(original: &[Walk], improved: &[Walk]) -> Vec<Row> {
    let both = pairs(original, improved);
    let of = |which: usize, value: fn(&Walk) -> f64| mean(both.iter().map(|p| value(p[which])));
    let middle = |which: usize, value: fn(&Walk) -> f64| {
        median(both.iter().map(|p| value(p[which])).collect())
    };
    let mut rows = Vec::new();
    for (which, variant) in [(0, &ORIGINAL), (1, &IMPROVED)] {
        let walks = if which == 0 { original } else { improved };
        let row = |what: &str, unit, value| {
            Row::new(format!("{}: {what}", variant.name), unit, value).by(variant)
        };
        rows.extend([
            row("path length, mean", "m", of(which, |w| w.length)),
            row("curvature, mean", "1/m", of(which, |w| w.curvature)),
            row("curvature, median", "1/m", middle(which, |w| w.curvature)),
            row(
                "curvature at equal distances, mean",
                "1/m",
                of(which, |w| w.even_curvature),
            ),
            row("least clearance, mean", "m", of(which, |w| w.clearance.min)),
            row("clearance, mean", "m", of(which, |w| w.clearance.mean)),
            row("arrived", "%", share(walks, |w| w.has_arrived)),
        ]);
    }
    let touching = improved.iter().filter(|w| w.has_touched).count();
    rows.push(
        Row::new(
            format!(
                "queries of {} in which anything was touched, improved",
                improved.len()
            ),
            "",
            touching as f64,
        )
        .goal(0.0, Better::Lower),
    );
    rows.extend(
        ratios("improved", &both).map(|(row, goal)| row.by(&IMPROVED).goal(goal, Better::Lower)),
    );
    let count = |holds: fn(&[&Walk; 2]) -> bool| {
        100.0 * both.iter().filter(|p| holds(p)).count() as f64 / both.len().max(1) as f64
    };
    rows.push(Row::new(
        "improved is shorter",
        "%",
        count(|[a, b]| b.length < a.length),
    ));
    rows.push(Row::new(
        "improved is at most half as curved",
        "%",
        count(|[a, b]| b.curvature <= 0.5 * a.curvature),
    ));
    rows
}

/// Length and curvature by the original's, with what is asked for.
fn ratios(name: &str, both: &[[&Walk; 2]]) -> [(Row, f64); 3] {
    let of = |value: fn(&Walk) -> f64| {
        let by = |which: usize| mean(both.iter().map(|p| value(p[which])));
        by(1) / by(0)
    };
    let row = |what: &str, value| Row::new(format!("{name} ÷ original: {what}"), "×", value);
    [
        (row("length", of(|w| w.length)), 1.0),
        (row("curvature", of(|w| w.curvature)), 0.5),
        (
            row("curvature at equal distances", of(|w| w.even_curvature)),
            0.5,
        ),
    ]
}

fn compared(name: &str, original: &[Walk], walks: &[Walk]) -> Vec<Row> {
    let both = pairs(original, walks);
    let arrived = share(walks, |w| w.has_arrived);
    ratios(name, &both)
        .map(|(row, ..)| row)
        .into_iter()
        .chain([Row::new(format!("{name}: arrived"), "%", arrived)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many queries a normal run takes.
    fn cases(few: usize) -> usize {
        let asked = std::env::var("WAYLOOM_CASES").ok();
        asked.and_then(|text| text.parse().ok()).unwrap_or(few)
    }

    #[test]
    fn the_improved_method_touches_nothing_and_is_shorter_and_half_as_curved() {
        let ctx = JobContext::default();
        let (bounds, obstacles) = mckenna().expect("drawn");
        let map = map_of(bounds, &obstacles, &ctx).expect("built");
        let scenes = scenes(&map, cases(6).min(QUERIES), PEOPLE, &ctx).expect("not cancelled");
        assert!(scenes.iter().all(|scene| scene.people.len() > 50));
        let variants = [&ORIGINAL, &IMPROVED];
        let [original, improved] = walks_of(&map, &scenes, variants, &ctx).expect("not cancelled");
        for (walk, scene) in improved.iter().zip(&scenes) {
            assert!(walk.has_arrived && !walk.has_touched, "{:?}", scene.request);
        }
        for (row, goal) in ratios("improved", &pairs(&original, &improved)) {
            assert!(row.ours < goal, "{row:?}");
        }
    }
}
