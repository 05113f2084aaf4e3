//! Recordings, determinism and safety.

use super::stage::{People, Stage, door, rect, run};
use crate::base::{ContentHash, Random};
use crate::jobs::JobContext;
use crate::lab::{Better, LabError, Row};
use crate::sim::wlrec::{Header, Run, RunWriter, UNIT};
use crate::sim::world::World;
use std::time::Instant;

fn header(world: &World) -> Header {
    Header {
        step: world.options().step,
        every: 2,
        unit: UNIT,
        ..Header::default()
    }
}

/// Size, error and seeking of a recording; runs on several threads.
pub(super) fn recording(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut world = door(1.2, 300).world("walker", 5, ctx)?;
    let failed = |error: crate::sim::wlrec::RunError| LabError::Unavailable(error.to_string());
    let mut writer = RunWriter::new(Vec::new(), header(&world), "").map_err(failed)?;
    let mut exact = Vec::new();
    let mut agent_secs = 0.0;
    while !world.is_over() && world.time() < 120.0 {
        world.step(ctx)?;
        writer.record(&world).map_err(failed)?;
        agent_secs += world.len() as f64 * world.options().step;
        if world.tick().is_multiple_of(2) {
            let places: Vec<_> = world.agents().map(|a| (a.index, a.position)).collect();
            exact.push(places);
        }
    }
    let (bytes, _) = writer.finish().map_err(failed)?;
    let size = bytes.len() as f64 / agent_secs.max(1.0);
    let recorded = Run::open(bytes).map_err(failed)?;
    let (mut frame, mut worst) = (0, 0.0_f64);
    recorded.each_frame(|_, present| {
        for ((index, at), (known, place)) in present.iter().zip(&exact[frame]) {
            let is_same = index == known;
            let off = (*at - *place).abs().max_element();
            worst = worst.max(if is_same { off } else { f64::INFINITY });
        }
        frame += 1;
    });
    let mut random = Random::new(1);
    let mut seeks: Vec<f64> = (0..200)
        .map(|_| {
            let time = random.range(0.0, recorded.duration());
            let started = Instant::now();
            std::hint::black_box(recorded.moment(time));
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    seeks.sort_by(f64::total_cmp);
    let checksums: Vec<ContentHash> = [1, 2, 4, 8]
        .into_iter()
        .map(|threads| on_threads(threads, ctx))
        .collect::<Result<_, LabError>>()?;
    let different = checksums.iter().filter(|c| **c != checksums[0]).count();
    Ok(vec![
        Row::new("Recording: bytes for an agent's second", "B", size).goal(16.0, Better::Lower),
        Row::new("Recording: largest error", "mm", worst * 1e3).goal(5.001, Better::Lower),
        Row::new("Recording: 95 % of seeks", "ms", seeks[189]).goal(16.0, Better::Lower),
        Row::new(
            "Runs of 2,000 people that differ on 1, 2, 4, 8 threads",
            "",
            different as f64,
        )
        .goal(0.0, Better::Lower),
    ])
}

fn on_threads(threads: usize, ctx: &JobContext) -> Result<ContentHash, LabError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| LabError::Unavailable(error.to_string()))?;
    pool.install(|| {
        let mut stage = Stage::new(60.0, 60.0);
        for i in 0..9 {
            let (x, y) = (
                15.0 * f64::from(i % 3) + 14.0,
                15.0 * f64::from(i / 3) + 14.0,
            );
            stage.walls.push(rect(x, y, x + 2.0, y + 2.0));
        }
        let crowd = |x: f64, goal: f64| {
            People::new(
                rect(x, 1.0, x + 26.0, 59.0),
                1000,
                rect(goal, 0.0, goal + 1.0, 60.0),
            )
        };
        stage = stage.people(crowd(1.0, 59.0)).people(crowd(33.0, 0.0));
        let mut world = stage.world("walker", 3, ctx)?;
        let mut all = Vec::new();
        run(&mut world, 20.0, ctx, |world| {
            for agent in world.agents() {
                for value in agent.position.to_array() {
                    all.extend_from_slice(&value.to_bits().to_le_bytes());
                }
            }
        })?;
        Ok(ContentHash::of(&all))
    })
}

/// Walls crossed, positions that are no numbers, and overlap, in random levels.
pub(super) fn safety(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let (mut crossed, mut broken, mut steps) = (0_u64, 0_u64, 0_u64);
    let mut overlaps: Vec<f64> = Vec::new();
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut stage = Stage::new(24.0, 24.0);
        for _ in 0..14 {
            let (x, y) = (random.range(4.0, 19.0), random.range(0.0, 23.0));
            let (w, h) = (random.range(0.05, 3.0), random.range(0.05, 3.0));
            stage.walls.push(rect(x, y, x + w, (y + h).min(24.0)));
        }
        stage = stage
            .people(People::new(
                rect(0.5, 0.5, 3.5, 23.5),
                150,
                rect(21.0, 0.0, 24.0, 24.0),
            ))
            .people(People::new(
                rect(20.5, 0.5, 23.5, 23.5),
                150,
                rect(0.0, 0.0, 3.0, 24.0),
            ));
        let mut world = stage.world("walker", seed, ctx)?;
        let mut last: std::collections::BTreeMap<u32, glam::DVec2> = Default::default();
        run(&mut world, 40.0, ctx, |world| {
            steps += world.len() as u64;
            let agents: Vec<_> = world.agents().collect();
            for agent in &agents {
                let at = agent.position.truncate();
                broken += u64::from(!at.is_finite());
                if let Some(before) = last.insert(agent.index, at) {
                    crossed += u64::from(!world.walls().is_clear(before, at, 1e-6));
                }
                crossed += u64::from(world.walls().clearance(at) < agent.radius - 1e-6);
            }
            if world.tick().is_multiple_of(40) {
                for (i, a) in agents.iter().enumerate() {
                    let nearest = agents[..i]
                        .iter()
                        .map(|b| a.position.distance(b.position))
                        .fold(f64::INFINITY, f64::min);
                    // Bodies behind yield a tenth.
                    overlaps.push((0.9 * 2.0 * a.radius - nearest).max(0.0));
                }
            }
        })?;
    }
    overlaps.sort_by(f64::total_cmp);
    let rank = (overlaps.len() as f64 * 0.999) as usize;
    let overlap = overlaps.get(rank).copied().unwrap_or(0.0);
    let what = format!("Walls crossed or touched in {steps} agent-steps of random levels");
    Ok(vec![
        Row::new(what, "", crossed as f64).goal(0.0, Better::Lower),
        Row::new("Positions that are no numbers", "", broken as f64).goal(0.0, Better::Lower),
        Row::new("Overlap beyond yielding, 99.9 %", "cm", overlap * 100.0).goal(2.0, Better::Lower),
    ])
}
