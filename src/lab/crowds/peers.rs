//! Other simulators in the same scene: RVO2 and JuPedSim, through their Python packages.

use super::stage::SPEEDS;
use crate::base::Random;
use crate::sim::world::World;
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("../../../assets/lab/crowd_peers.py");

/// A peer's name and its time for a step. Unit: milliseconds.
pub(super) struct Peer {
    pub name: String,
    pub step: f64,
}

/// Times of those that `WAYLOOM_PYTHON` (or `python3`) can import, with people where they are in
/// `world`.
pub(super) fn measured(world: &World, walls: &[[f64; 4]], side: f64, steps: usize) -> Vec<Peer> {
    let mut random = Random::new(5);
    let people: Vec<[f64; 5]> = world
        .agents()
        .map(|agent| {
            let to_the_right = random.chance(0.5);
            let goal = if to_the_right { side - 0.5 } else { 0.5 };
            let at = agent.position;
            [at.x, at.y, goal, 0.5 * side, SPEEDS.mean()]
        })
        .collect();
    let scene = json!({
        "people": people, "walls": walls, "size": [side, side], "radius": super::stage::RADIUS,
        "step": world.options().step, "warm": 3, "steps": steps,
    });
    let python = std::env::var("WAYLOOM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let child = Command::new(python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return Vec::new();
    };
    if let Some(mut input) = child.stdin.take()
        && input.write_all(scene.to_string().as_bytes()).is_err()
    {
        return Vec::new();
    }
    let output = child.wait_with_output();
    let found: Value = output
        .ok()
        .and_then(|output| serde_json::from_slice(&output.stdout).ok())
        .unwrap_or_default();
    ["rvo", "jupedsim"]
        .into_iter()
        .filter_map(|name| {
            let peer = &found[name];
            Some(Peer {
                name: format!("{name} {}", peer["version"].as_str()?),
                step: peer["ms"].as_f64()?,
            })
        })
        .collect()
}
