//! Random scenes and routes: the goal is reached if a path exists, and the rules hold throughout.

use super::*;
use crate::base::Random;
use crate::document::PlannerId;
use crate::planner::registry;
use crate::planner::trace::EventKind;

/// Number of scenes: few by default, more with `WAYLOOM_CASES`.
fn cases() -> u64 {
    let asked = std::env::var("WAYLOOM_CASES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// Totals over all scenes.
#[derive(Debug, Default)]
struct Tally {
    found: usize,
    unreachable: usize,
    recovered: usize,
    kept: usize,
    steps: usize,
}

fn shape(random: &mut Random, side: f64) -> Polygon {
    let at = random.point(DVec2::ZERO, DVec2::splat(side));
    match random.below(4) {
        0 => {
            let half = random.point(DVec2::splat(0.3), DVec2::splat(5.0));
            Polygon::rect(Rect::around(at, half))
        }
        // Thin walls.
        1 => {
            let along = DVec2::from_angle(random.range(0.0, 6.3)) * random.range(1.0, 12.0);
            let across = along.perp().normalize() * random.range(0.01, 0.3);
            Polygon::new(vec![at, at + along, at + along + across, at + across])
        }
        2 => Polygon::regular(
            at,
            random.range(0.3, 4.0),
            3 + random.below(6),
            random.range(0.0, 6.0),
        ),
        // A star: not convex.
        _ => {
            let (long, short) = (random.range(1.0, 5.0), random.range(0.3, 1.0));
            let tips = 3 + random.below(4);
            let corner = |i: usize| {
                let angle = std::f64::consts::PI * i as f64 / tips as f64;
                at + DVec2::from_angle(angle) * if i.is_multiple_of(2) { long } else { short }
            };
            Polygon::new((0..2 * tips).map(corner).collect())
        }
    }
}

fn exponential(random: &mut Random, least: f64, most: f64) -> f64 {
    least * (most / least).powf(random.unit())
}

fn run(seed: u64, tally: &mut Tally) {
    let mut random = Random::stream(0x4d49_5241, seed);
    let side = random.range(15.0, 60.0);
    let obstacles = (0..random.below(26))
        .map(|_| shape(&mut random, side))
        .collect();
    let painted = (0..random.below(7))
        .map(|_| {
            let weight = exponential(&mut random, 0.1, 60.0);
            (
                weight,
                shape(&mut random, side).map(|p| p * 2.0 - side * 0.5),
            )
        })
        .collect();
    let radius = [0.0, 0.2, 0.3, 0.5, 1.1][random.below(5)];
    let scene = Scene::new(side, obstacles, painted, radius);
    let place = |random: &mut Random| {
        (0..60)
            .map(|_| random.point(DVec2::ZERO, DVec2::splat(side)))
            .find(|p| scene.nav.is_placed(*p))
    };
    let (Some(start), Some(goal)) = (place(&mut random), place(&mut random)) else {
        return;
    };
    let line: Vec<DVec2> = (0..random.below(9))
        .map(|_| random.point(DVec2::splat(-1.0), DVec2::splat(side + 1.0)))
        .collect();
    let (look_ahead, sample_step) = (
        exponential(&mut random, 0.3, 200.0),
        exponential(&mut random, 0.2, 40.0),
    );
    let drawn = random
        .chance(0.8)
        .then_some((&line[..], look_ahead, sample_step));
    let request = scene.request(start, goal, drawn);
    let ctx = JobContext::default();
    let optimal = registry::plan(PlannerId::OPTIMAL, &scene.nav, &request, &ctx);
    let is_reachable = optimal.expect("a good request").path().is_some();
    let mut check = |session: &mut dyn Session, name: &str| {
        let about =
            format!("seed {seed}, {name}, radius {radius}, σ {look_ahead}, d {sample_step}");
        let path = found(session);
        assert_eq!(path.is_some(), is_reachable, "{about}: {}", reason(session));
        let Some(path) = path else {
            tally.unreachable += 1;
            return;
        };
        let ends = [0, path.points.len() - 1].map(|i| path.points[i].truncate());
        assert_eq!(ends, [start, goal].map(|p| scene.nav.placed(p)), "{about}");
        scene.assert_clear(&path, &about);
        let trace = path.trace.as_ref().expect("a trace");
        assert_eq!(path.times.len(), path.points.len(), "{about}");
        assert!(
            path.times.windows(2).all(|pair| pair[0] <= pair[1]),
            "{about}"
        );
        assert!(
            trace.events.iter().all(|e| e.kind != EventKind::Stuck),
            "{about}"
        );
        let recovered = trace
            .events
            .iter()
            .filter(|e| e.kind == EventKind::Recovered);
        tally.recovered += usize::from(recovered.clone().count() > 0);
        tally.kept += usize::from(
            recovered
                .clone()
                .any(|e| e.text.contains("keeps to the line")),
        );
        tally.found += 1;
        tally.steps += trace.steps.len();
    };
    let mut miran = MiranSession::new(Miran::default(), &scene.nav, &request);
    check(&mut miran, "MIRAN");
    if let Some(walked) = miran.state().walked() {
        let look_ahead = miran
            .state()
            .route()
            .map_or(look_ahead, IndicativeRoute::look_ahead);
        // A followed stretch is a little longer than the body is wide.
        assert_within_look_ahead(walked, look_ahead.max(0.3));
    }
    check(
        &mut IrmSession::new(Irm::default(), &scene.nav, &request),
        "IRM",
    );
}

#[test]
fn every_run_ends_at_the_goal_where_a_way_exists() {
    let mut tally = Tally::default();
    for seed in 0..cases() {
        run(seed, &mut tally);
    }
    eprintln!("{} scenes: {tally:?}", cases());
    assert!(tally.found > 20);
}
