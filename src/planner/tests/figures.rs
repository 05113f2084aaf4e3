//! The paper's figures, measured on the sample levels. Long: run by name in an optimised build.

use crate::base::Random;
use crate::document::format;
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::{CellMap, FreeSpace, Trapezoids, free_space::Input};
use crate::planner::Progress;
use crate::planner::optimal::{Corners, OptimalEngine};
use crate::planner::places::Pinches;
use crate::planner::portal::{Placing, PortalEngine, PortalGraph};
use glam::DVec2;
use std::time::Instant;

fn level(name: &str) -> (Rect, Vec<Polygon>) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("levels")
        .join(name);
    let text = std::fs::read_to_string(path).expect("the sample level is there");
    let level = format::read(&text)
        .expect("the sample level is in order")
        .level;
    let obstacles = level.obstacles().map(|(_, _, o)| o.area.clone()).collect();
    (level.settings().bounds, obstacles)
}

fn length(path: &[DVec2]) -> f64 {
    path.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

fn queries(map: &CellMap, bounds: Rect, count: usize) -> Vec<(DVec2, DVec2)> {
    let mut random = Random::new(2004);
    let mut place = || loop {
        let p = random.point(bounds.min, bounds.max);
        if map.locate(p).is_some() {
            return p;
        }
    };
    (0..count).map(|_| (place(), place())).collect()
}

#[test]
#[ignore = "long: measures"]
fn percentages_and_times() {
    for name in ["loose.ron", "dense.ron"] {
        let (bounds, obstacles) = level(name);
        let ctx = JobContext::default();
        let input = Input::of_polygons(bounds, obstacles);
        let free = FreeSpace::build(input, 0.0, &ctx).expect("not cancelled");
        let map = Trapezoids::build(&free, &ctx)
            .expect("not cancelled")
            .merged;
        let pinches = Pinches::of(&map);
        let corners = Corners::of(&map);
        let width = bounds.size().x;
        let graphs = [None, None, Some(width / 3.0), Some(width / 10.0)]
            .map(|max| PortalGraph::new(&map, max));
        let mut engines = [
            PortalEngine::new(Placing::Movable),
            PortalEngine::new(Placing::Centre),
            PortalEngine::new(Placing::Centre),
            PortalEngine::new(Placing::Centre),
        ];
        let queries = queries(&map, bounds, 10_000);
        let mut lengths = vec![[0.0; 5]; queries.len()];
        let mut micros = vec![vec![0.0; queries.len()]; 5];
        let mut expanded = [0; 5];
        for e in 0..4 {
            for (i, &(a, b)) in queries.iter().enumerate() {
                let clock = Instant::now();
                engines[e].begin(&map, &pinches, &graphs[e], a, b);
                let progress = engines[e].run(&map, &graphs[e], usize::MAX);
                micros[e][i] = clock.elapsed().as_secs_f64() * 1e6;
                expanded[e] += engines[e].expanded();
                lengths[i][e] = if progress == Progress::Found {
                    length(engines[e].path())
                } else {
                    f64::NAN
                };
            }
        }
        let mut optimal = OptimalEngine::default();
        for (i, &(a, b)) in queries.iter().enumerate() {
            let clock = Instant::now();
            optimal.begin(&map, &pinches, &corners, a, b);
            let progress = optimal.run(&map, &corners, usize::MAX);
            micros[4][i] = clock.elapsed().as_secs_f64() * 1e6;
            expanded[4] += optimal.expanded();
            lengths[i][4] = if progress == Progress::Found {
                length(optimal.path())
            } else {
                f64::NAN
            };
        }
        let found: Vec<[f64; 5]> = lengths
            .iter()
            .copied()
            .filter(|l| l.iter().all(|x| x.is_finite()))
            .collect();
        let some = lengths
            .iter()
            .filter(|l| l.iter().any(|x| x.is_finite()))
            .count();
        eprintln!(
            "{name}: cells {}, nodes {:?}, found {} of {some}",
            map.len(),
            graphs.each_ref().map(|g| g.nodes.len()),
            found.len()
        );
        for e in 1..4 {
            let share = |f: &dyn Fn(&[f64; 5]) -> bool| {
                100.0 * found.iter().filter(|l| f(l)).count() as f64 / found.len() as f64
            };
            eprintln!(
                "  against {e}: {:.1} % as short, {:.1} % shorter",
                share(&|l| l[0] <= l[e] + 1e-9),
                share(&|l| l[0] < l[e] - 1e-9)
            );
        }
        for e in 0..5 {
            micros[e].sort_by(f64::total_cmp);
            let gap = found.iter().map(|l| l[e] / l[4] - 1.0);
            let least = gap.clone().fold(f64::INFINITY, f64::min);
            let most = gap.clone().fold(0.0, f64::max);
            let optimal = gap.clone().filter(|g| *g < 1e-9).count();
            eprintln!(
                "  engine {e}: gap {:.3} % ({least:.1e} to {:.1} %; optimal {:.1} %), {:.1} expanded, median {:.2} µs, mean {:.2} µs, 99 % {:.2} µs",
                100.0 * gap.sum::<f64>() / found.len() as f64,
                100.0 * most,
                100.0 * optimal as f64 / found.len() as f64,
                expanded[e] as f64 / queries.len() as f64,
                micros[e][micros[e].len() / 2],
                micros[e].iter().sum::<f64>() / micros[e].len() as f64,
                micros[e][micros[e].len() * 99 / 100],
            );
        }
    }
}
