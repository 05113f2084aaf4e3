//! Runs are equal bit by bit: on any number of threads, and in debug and release builds.

use super::bench;
use super::stage::door;
use crate::base::ContentHash;
use crate::jobs::JobContext;
use crate::lab::{Better, LabError, Row};
use crate::sim::world::World;

/// People and seconds of the run that is repeated, unless `WAYLOOM_DETERMINISM` says otherwise, such
/// as `10000x600`.
const SIZE: (u32, f64) = (2000, 20.0);

/// Model and checksum of [`small`], from a debug build. Whoever changes a model writes them anew; the
/// test below fails with the new ones.
const KNOWN: [(&str, &str); 3] = [
    ("walker", "e521795a3a2562b17ef192390c56c07e"),
    ("orca", "4ee40ba55748a18f04a46bcf3a86a94e"),
    ("social-force", "b626eca204b51858d79835922f18396a"),
];

fn size() -> (u32, f64) {
    let wanted = std::env::var("WAYLOOM_DETERMINISM").ok();
    wanted
        .as_deref()
        .and_then(|text| text.split_once('x'))
        .and_then(|(people, seconds)| Some((people.parse().ok()?, seconds.parse().ok()?)))
        .unwrap_or(SIZE)
}

/// Checksum of all positions of a run, tick after tick.
fn checksum(mut world: World, seconds: f64, ctx: &JobContext) -> Result<ContentHash, LabError> {
    let mut sum = ContentHash::of(&[]);
    let mut bytes = Vec::new();
    while !world.is_over() && world.time() < seconds {
        world.step(ctx)?;
        bytes.clear();
        bytes.extend_from_slice(&sum.to_bytes());
        for agent in world.agents() {
            for value in agent.position.to_array() {
                bytes.extend_from_slice(&value.to_bits().to_le_bytes());
            }
        }
        sum = ContentHash::of(&bytes);
    }
    Ok(sum)
}

fn on_threads(threads: usize, ctx: &JobContext) -> Result<ContentHash, LabError> {
    let (people, seconds) = size();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| LabError::Unavailable(error.to_string()))?;
    pool.install(|| {
        let world = bench::hall(people).world("walker", 3, ctx)?;
        checksum(world, seconds, ctx)
    })
}

/// A door and sixty people for ten seconds.
fn small(model: &str, ctx: &JobContext) -> Result<String, LabError> {
    let world = door(1.2, 60).world(model, 3, ctx)?;
    Ok(checksum(world, 10.0, ctx)?.to_string())
}

pub(super) fn same(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let checksums: Vec<ContentHash> = [1, 2, 4, 8]
        .into_iter()
        .map(|threads| on_threads(threads, ctx))
        .collect::<Result<_, LabError>>()?;
    let different = checksums.iter().filter(|c| **c != checksums[0]).count();
    let (people, seconds) = size();
    let what = format!("Runs of {people} people for {seconds} s that differ on 1, 2, 4, 8 threads");
    let mut unlike = 0;
    for (model, known) in KNOWN {
        unlike += u32::from(small(model, ctx)? != known);
    }
    Ok(vec![
        Row::new(what, "", different as f64).goal(0.0, Better::Lower),
        Row::new(
            "Models of three whose run differs from that of a debug build",
            "",
            f64::from(unlike),
        )
        .goal(0.0, Better::Lower),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_the_known_one() {
        let ctx = JobContext::default();
        let found = KNOWN.map(|(model, _)| (model, small(model, &ctx).expect("not cancelled")));
        assert_eq!(found, KNOWN.map(|(model, known)| (model, known.to_owned())));
    }
}
