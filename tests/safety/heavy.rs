//! Levels that would become more than there is time or memory for: every command ends soon, in little
//! memory, with an answer or a sentence.

use crate::folder::Folder;
use glam::{DVec2, DVec3};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use wayloom::base::{EntityId, Random};
use wayloom::document::{
    Agent, CellSize, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, PlannerId,
    Profile, Settings, Solid, SolidShape, format, ops,
};
use wayloom::geometry::{Polygon, Rect};

/// Processor time of a command; a debug build is an order of magnitude slower.
const MOST_TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 15 } else { 1 });

/// Unit: bytes.
const MOST_MEMORY: u64 = 512 << 20;

/// What a command came to.
pub struct Run {
    pub code: Option<i32>,
    pub said: String,
    pub time: Duration,
    pub memory: u64,
}

/// Runs a command, and ends it when it takes too long.
pub fn run(words: &[&str], level: &Path, folder: &Folder) -> Run {
    let said = folder.file("said");
    let out = std::fs::File::create(&said).expect("writable");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayloom"))
        .args(words)
        .arg(level)
        .stdout(Stdio::from(out.try_clone().expect("one more")))
        .stderr(Stdio::from(out))
        .spawn()
        .expect("starts");
    let (mut time, mut memory) = (Duration::ZERO, 0);
    let process = format!("/proc/{}", child.id());
    let code = loop {
        if let Some(status) = child.try_wait().expect("ours") {
            break status.code();
        }
        let read = |file: &str| std::fs::read_to_string(format!("{process}/{file}"));
        if let Ok(text) = read("status")
            && let Some(line) = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))
        {
            let kilobytes: u64 = line
                .trim()
                .trim_end_matches(" kB")
                .parse()
                .expect("a number");
            memory = memory.max(kilobytes << 10);
        }
        if let Ok(text) = read("stat")
            && let Some((_, rest)) = text.rsplit_once(')')
        {
            // Hundredths of seconds, in user and kernel mode.
            let ticks = rest.split_whitespace().skip(11).take(2);
            let ticks: u64 = ticks
                .map(|word| word.parse::<u64>().expect("a number"))
                .sum();
            time = Duration::from_millis(10 * ticks);
        }
        if time > MOST_TIME || memory > 2 * MOST_MEMORY {
            child.kill().expect("ours");
            child.wait().expect("ended");
            break None;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let text = std::fs::read(&said).expect("written");
    let said: String = String::from_utf8_lossy(&text).chars().take(2_000).collect();
    Run {
        code,
        said,
        time,
        memory,
    }
}

fn level(planner: PlannerId, cells: CellSize, things: Vec<Kind>) -> Level {
    let settings = Settings {
        bounds: Rect::new(DVec2::splat(-10.0), DVec2::splat(60.0)),
        cells,
        ..Settings::default()
    };
    let mut mission = Mission::new(EntityId::new(1));
    mission.planner = planner;
    mission.goals.push(Goal::At(DVec3::new(50.0, 50.0, 0.0)));
    let agent = Agent {
        start: DVec3::new(-5.0, -5.0, 0.0),
        heading: Heading::degrees(0.0),
        mission,
    };
    let kinds = [Kind::Profile(Profile::default()), Kind::Agent(agent)];
    let kinds = kinds.into_iter().chain(things);
    let mut edits = vec![Edit::Settings(Arc::new(settings))];
    for (id, kind) in (1..).zip(kinds) {
        edits.push(Edit::create(EntityId::new(id), Entity::new("o", kind)));
    }
    ops::apply(&Level::default(), &edits).expect("sound")
}

fn obstacle(ring: Vec<DVec2>) -> Kind {
    Kind::Obstacle(Obstacle::new(Polygon::new(ring)))
}

fn random_ring(random: &mut Random, count: usize) -> Vec<DVec2> {
    let mut point = || DVec2::new(random.range(0.0, 40.0), random.range(0.0, 40.0));
    (0..count).map(|_| point()).collect()
}

/// Runs every command on a level; returns what they said. Pictures are drawn as `.svg`, or as `.png`,
/// which a debug build paints slowly.
fn every_command(name: &str, level: &Level) -> String {
    every_command_drawing(name, level, "svg")
}

fn every_command_drawing(name: &str, level: &Level, picture: &str) -> String {
    let folder = Folder::new();
    let path = folder.file("level.ron");
    let text = format::write(level, level.largest_id().next());
    std::fs::write(&path, text).expect("writable");
    let out = |name: &str| folder.file(name).display().to_string();
    let commands: [Vec<String>; 5] = [
        vec!["check".into()],
        vec![
            "plan".into(),
            "--from=-5,-5".into(),
            "--to=50,50".into(),
            "--json".into(),
        ],
        vec![
            "render".into(),
            "-o".into(),
            out(&format!("plan.{picture}")),
        ],
        vec!["bake".into(), "-o".into(), out("bake")],
        vec![
            "export".into(),
            "--format".into(),
            "polyanya".into(),
            "-o".into(),
            out("level.mesh"),
        ],
    ];
    let mut all = String::new();
    for words in commands {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = run(&words, &path, &folder);
        let (seconds, megabytes) = (run.time.as_secs_f64(), run.memory >> 20);
        eprintln!(
            "{name}, {}: {seconds:.2} s, {megabytes} MB, {:?}",
            words[0], run.code
        );
        assert!(
            run.code.is_some_and(|code| code <= 2),
            "{name}, {}: {seconds} s, {megabytes} MB: {}",
            words[0],
            run.said
        );
        assert!(
            run.memory <= MOST_MEMORY,
            "{name}, {}: {megabytes} MB",
            words[0]
        );
        if run.code != Some(0) {
            assert!(
                !run.said.trim().is_empty(),
                "{name}, {} says nothing",
                words[0]
            );
        }
        all += &run.said;
    }
    all
}

#[test]
fn a_ring_of_very_many_points() {
    let ring = (0..100_000).map(|i| {
        let angle = f64::from(i) / 100_000.0 * std::f64::consts::TAU;
        DVec2::splat(20.0) + 15.0 * DVec2::from_angle(angle)
    });
    let level = level(
        PlannerId::PORTAL,
        CellSize::Suiting,
        vec![obstacle(ring.collect())],
    );
    every_command("a ring of 100,000 points", &level);
}

#[test]
fn a_tangle_is_refused_by_name() {
    let ring = random_ring(&mut Random::new(1), 2_000);
    let level = level(PlannerId::PORTAL, CellSize::Suiting, vec![obstacle(ring)]);
    let said = every_command("a random ring of 2,000 points", &level);
    assert!(said.contains("crosses itself so often"), "{said}");
    assert!(
        said.contains("too-complex") || said.contains("redraw it"),
        "{said}"
    );
}

#[test]
fn many_squares_in_one_place() {
    let square = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(10.0))).outer;
    let squares = vec![obstacle(square); 3_000];
    let level = level(PlannerId::PORTAL, CellSize::Suiting, squares);
    every_command("3,000 squares in one place", &level);
}

#[test]
fn many_triangles_across_each_other() {
    let mut random = Random::new(2);
    let triangles = (0..1_000).map(|_| obstacle(random_ring(&mut random, 3)));
    let level = level(PlannerId::PORTAL, CellSize::Suiting, triangles.collect());
    every_command("1,000 random triangles", &level);
}

#[test]
fn many_triangles_in_one_place_are_drawn_like_one() {
    let ring = [(10.0, 10.0), (30.0, 12.0), (20.0, 30.0)].map(DVec2::from);
    let triangles = vec![obstacle(ring.to_vec()); 8_000];
    let level = level(PlannerId::PORTAL, CellSize::Suiting, triangles);
    every_command_drawing("8,000 triangles in one place", &level, "png");
}

#[test]
fn very_many_stairs() {
    let stairs = (0..1_000).map(|i| {
        let at = DVec3::new(f64::from(i % 30), f64::from(i / 30), 0.0);
        let shape = SolidShape::Stairs { steps: 10_000 };
        Kind::Solid(Solid::new(shape, at, DVec3::new(1.0, 1.0, 2.0)))
    });
    let level = level(PlannerId::HUMAN, CellSize::Suiting, stairs.collect());
    every_command("1,000 stairs of 10,000 steps", &level);
}

#[test]
fn very_many_cells_are_refused() {
    let cells = CellSize::Count([2_000, 2_000, 500]);
    let level = level(PlannerId::HUMAN, cells, Vec::new());
    let said = every_command("2000 × 2000 × 500 cells", &level);
    assert!(said.contains("cells are too many"), "{said}");
}
