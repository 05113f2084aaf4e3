//! Recordings, and safety in random levels.

use super::stage::{People, Stage, door, rect};
use crate::base::Random;
use crate::jobs::JobContext;
use crate::lab::{Better, LabError, Row};
use crate::sim::Input;
use crate::sim::wlrec::{Header, Run, RunWriter, UNIT};
use crate::sim::world::World;
use glam::DVec2;
use std::collections::BTreeMap;
use std::time::Instant;

fn header(world: &World) -> Header {
    Header {
        step: world.options().step,
        every: 2,
        unit: UNIT,
        ..Header::default()
    }
}

/// Size, error and seeking of a recording.
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
    Ok(vec![
        Row::new("Recording: bytes for an agent's second", "B", size).goal(16.0, Better::Lower),
        Row::new("Recording: largest error", "mm", worst * 1e3).goal(5.001, Better::Lower),
        Row::new("Recording: 95 % of seeks", "ms", seeks[189]).goal(16.0, Better::Lower),
    ])
}

/// Agent-steps of random levels, unless `WAYLOOM_AGENT_STEPS` says otherwise.
const FUZZ_STEPS: f64 = 1e6;

/// Walls crossed, positions that are no numbers, and overlap, in random levels.
pub(super) fn safety(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let wanted = std::env::var("WAYLOOM_AGENT_STEPS").ok();
    let wanted = wanted.and_then(|text| text.parse::<f64>().ok());
    let found = fuzz(wanted.unwrap_or(FUZZ_STEPS) as u64, ctx)?;
    let what = format!(
        "Walls crossed or touched in {} agent-steps of random levels",
        found.steps
    );
    Ok(vec![
        Row::new(what, "", found.crossed as f64).goal(0.0, Better::Lower),
        Row::new("Positions that are no numbers", "", found.broken as f64).goal(0.0, Better::Lower),
        Row::new(
            "Overlap beyond yielding, 99.9 %, Walker",
            "cm",
            found.overlap() * 100.0,
        )
        .goal(2.0, Better::Lower),
    ])
}

/// What went wrong in random levels.
#[derive(Debug, Default)]
struct Fuzzed {
    steps: u64,
    crossed: u64,
    broken: u64,
    /// How many pairs of neighbours overlap by so many millimetres, beyond yielding.
    overlaps: Vec<u64>,
}

impl Fuzzed {
    /// That of 99.9 %. Unit: metres.
    fn overlap(&self) -> f64 {
        let all: u64 = self.overlaps.iter().sum();
        let mut seen = 0;
        let rank = self.overlaps.iter().position(|count| {
            seen += count;
            seen as f64 >= all as f64 * 0.999
        });
        rank.unwrap_or(0) as f64 / 1000.0
    }

    fn check(&mut self, world: &World, model: &str, last: &mut BTreeMap<u32, DVec2>) {
        let agents: Vec<_> = world.agents().collect();
        self.steps += agents.len() as u64;
        // What is dragged onto agents pushes them away, through other walls if need be.
        let is_undisturbed = world.inputs().is_empty();
        for agent in &agents {
            let at = agent.position.truncate();
            self.broken += u64::from(!at.is_finite());
            if let Some(before) = last.insert(agent.index, at)
                && is_undisturbed
            {
                let has_crossed = !world.walls().is_clear(before, at, 1e-6);
                let is_close = world.walls().clearance(at) < agent.radius - 1e-6;
                let was_close = world.walls().clearance(before) < agent.radius - 1e-6;
                self.crossed += u64::from(has_crossed || is_close && !was_close);
            }
        }
        // Other models overlap, as they do elsewhere.
        if model == "walker" && world.tick().is_multiple_of(40) {
            self.overlaps.resize(1000, 0);
            for (i, a) in agents.iter().enumerate() {
                let nearest = agents[..i]
                    .iter()
                    .map(|b| a.position.distance(b.position))
                    .fold(f64::INFINITY, f64::min);
                // Bodies behind, and those who turn their shoulders, need a tenth less.
                let overlap = (0.9 * 2.0 * a.radius - nearest).max(0.0);
                self.overlaps[((overlap * 1000.0).ceil() as usize).min(999)] += 1;
            }
        }
    }
}

/// Random levels with walls, crowds against each other and walls that are dragged about, until so
/// many agent-steps are done.
fn fuzz(steps: u64, ctx: &JobContext) -> Result<Fuzzed, LabError> {
    let mut found = Fuzzed::default();
    for seed in 0.. {
        if found.steps >= steps {
            break;
        }
        let mut random = Random::new(seed);
        let side = random.range(12.0, 30.0);
        let mut stage = Stage::new(side, side);
        let walls = random.below(20);
        for _ in 0..walls {
            let corner = random.point(DVec2::new(4.0, 0.0), DVec2::new(side - 5.0, side - 0.5));
            let size = random.point(DVec2::splat(0.05), DVec2::splat(3.0));
            let high = (corner + size).min(DVec2::splat(side));
            stage.walls.push(rect(corner.x, corner.y, high.x, high.y));
        }
        let count = 20 + random.below(200) as u32;
        let crowd = |x: f64, goal: f64| {
            People::new(
                rect(x, 0.5, x + 3.0, side - 0.5),
                count,
                rect(goal, 0.0, goal + 2.0, side),
            )
        };
        stage = stage
            .people(crowd(0.5, side - 2.0))
            .people(crowd(side - 3.5, 0.0));
        let model = ["walker", "walker", "orca", "social-force"][random.below(4)];
        let mut world = stage.world(model, seed, ctx)?;
        let mut last = BTreeMap::new();
        let mut drawn = Random::stream(seed, 1);
        while !world.is_over() && world.time() < 40.0 && found.steps < steps {
            if walls > 0 && drawn.chance(0.01) {
                let to = drawn.point(DVec2::new(4.0, 1.0), DVec2::new(side - 4.0, side - 1.0));
                let entity = Stage::wall_id(drawn.below(walls));
                let to = to.extend(0.0);
                world.input(world.tick(), Input::Move { entity, to });
            }
            world.step(ctx)?;
            found.check(&world, model, &mut last);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_levels_with_dragged_walls_are_safe() {
        let steps = std::env::var("WAYLOOM_AGENT_STEPS").ok();
        let steps = steps.and_then(|text| text.parse::<f64>().ok());
        let steps = steps.unwrap_or(60_000.0) as u64;
        let found = fuzz(steps, &JobContext::default()).expect("not cancelled");
        assert!(found.steps >= steps);
        assert_eq!((found.crossed, found.broken), (0, 0), "{found:?}");
    }
}
