//! Levels to export, and queries whose exact answers are known.

use glam::DVec2;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use wayloom::base::EntityId;
use wayloom::document::{Edit, Entity, Kind, Level, Obstacle, Profile, Settings, format, ops};
use wayloom::exchange::nav_mesh::{Division, NavMesh};
use wayloom::geometry::{Polygon, Rect};
use wayloom::jobs::JobContext;

/// Of each level.
const QUERIES: usize = 50;

/// The program that exports: the one that was built with the tests, or another build of it for long
/// runs.
pub fn wayloom() -> Command {
    let other = std::env::var_os("WAYLOOM_PROGRAM");
    other.map_or_else(|| Command::new(env!("CARGO_BIN_EXE_wayloom")), Command::new)
}

/// A folder that goes away.
pub struct Desk(pub PathBuf);

impl Desk {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wayloom-readers-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("the temporary folder can be written to");
        Self(path)
    }

    /// Exports a level, and returns what the program said about it.
    pub fn export(&self, level: &Path, format: &str, out: &str) -> (PathBuf, serde_json::Value) {
        let target = self.0.join(out);
        let output = wayloom()
            .args([
                "export", "--json", "--quiet", "--force", "--format", format, "-o",
            ])
            .arg(&target)
            .arg(level)
            .output()
            .expect("starts");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{format} of {}: {err}",
            level.display()
        );
        let told = serde_json::from_slice(&output.stdout).expect("one object");
        (target, told)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // To look at what a reader did not like.
        if std::env::var_os("WAYLOOM_KEEP").is_some() {
            return;
        }
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("levels")
        .join(name)
        .with_extension("ron")
}

/// Two sample levels, or all of them.
pub fn samples() -> Vec<PathBuf> {
    if std::env::var("WAYLOOM_READER_LEVELS").is_ok_and(|value| value == "all") {
        let folder = sample("x").parent().expect("a folder").to_owned();
        let files = std::fs::read_dir(folder).expect("sample levels");
        let mut files: Vec<PathBuf> = files
            .filter_map(|file| Some(file.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
            .collect();
        files.sort();
        return files;
    }
    vec![sample("mckenna"), sample("rooms")]
}

/// Numbers from a seed: the splitmix64 of Steele, Lea and Flood (2014).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// A level from `corner` on, with walls given relative to it.
pub fn level(corner: DVec2, size: DVec2, walls: &[(&str, Polygon)]) -> Level {
    level_for(Profile::default().body.radius, corner, size, walls)
}

fn level_for(radius: f64, corner: DVec2, size: DVec2, walls: &[(&str, Polygon)]) -> Level {
    let settings = Settings {
        name: "Level \"π\" / <b>&\\ 🦀".to_owned(),
        bounds: Rect::new(corner, corner + size),
        ..Settings::default()
    };
    let mut profile = Profile::default();
    profile.body.radius = radius;
    let walker = Entity::new("Walker \"π\"", Kind::Profile(profile));
    let mut edits = vec![
        Edit::Settings(Arc::new(settings)),
        Edit::create(EntityId::new(1), walker),
    ];
    for (id, (name, wall)) in (2..).zip(walls) {
        let area = wall.clone().map(|p| p + corner);
        let wall = Entity::new(*name, Kind::Obstacle(Obstacle::new(area)));
        if wall.check().is_ok() {
            edits.push(Edit::create(EntityId::new(id), wall));
        }
    }
    ops::apply(&Level::default(), &edits).expect("sound")
}

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
}

/// Two rooms with a door between them, and a closed cell; with names that hurt.
pub fn two_rooms(corner: DVec2) -> Level {
    let walls = [
        ("a \"quoted\" 'name'", rect(10.0, -1.0, 10.2, 0.5)),
        ("../slash\\back/🦀 %s {0} $x", rect(10.0, 2.5, 10.2, 6.0)),
        ("@node:path.with%", rect(14.0, 3.0, 17.0, 3.1)),
        ("@node:path.with%", rect(14.0, 3.0, 14.1, 6.0)),
        ("<xml attr=\"&amp;\"> ]]>", rect(16.9, 3.0, 17.0, 6.0)),
    ];
    level(corner, DVec2::new(20.2, 5.0), &walls)
}

const NAMES: [&str; 6] = [
    "wall",
    "a \"quoted\" 'name'",
    "../slash\\back/🦀 %s {0} $x",
    "@node:path.with%",
    "<xml attr=\"&amp;\"> ]]>",
    "",
];

/// Walls of all directions and thicknesses, many of them crossing. By turns also: walls that end on
/// others, rings with islands in them, and places far from the origin or very small.
pub fn random(seed: u64) -> Level {
    let mut numbers = Numbers(seed);
    let size = DVec2::new(40.0, 30.0);
    let mut walls: Vec<(&str, Polygon)> = Vec::new();
    for i in 0..24 {
        let at = DVec2::new(numbers.between(0.0, size.x), numbers.between(0.0, size.y));
        let thin = if i % 8 == 7 {
            // As good as none.
            0.000_5
        } else {
            numbers.between(0.0005, 0.6)
        };
        let half = DVec2::new(numbers.between(0.01, 5.0), thin);
        let turn = DVec2::from_angle(numbers.between(0.0, 3.1));
        let corners = Rect::around(DVec2::ZERO, half).corners();
        let ring = corners.map(|p| at + turn.rotate(p));
        walls.push((NAMES[i % NAMES.len()], Polygon::new(ring.to_vec())));
        if seed % 4 == 1 && i % 3 == 0 {
            // Ends exactly on the side of the one before.
            let beside = at + turn.rotate(DVec2::new(0.0, half.y));
            let far = beside + turn.rotate(DVec2::new(0.0, 3.0));
            let across = turn.rotate(DVec2::new(0.1, 0.0));
            let ring = vec![beside - across, beside + across, far + across, far - across];
            walls.push((NAMES[i % NAMES.len()], Polygon::new(ring)));
        }
    }
    if seed % 4 == 2 {
        for _ in 0..3 {
            let at = DVec2::new(numbers.between(6.0, 34.0), numbers.between(6.0, 24.0));
            let outer = Polygon::regular(at, numbers.between(3.0, 5.0), 9, 0.2);
            let inner = Polygon::regular(at, 2.4, 7, 0.5);
            let ring = Polygon {
                holes: vec![inner.outer],
                ..outer
            };
            walls.push(("ring", ring));
            walls.push(("island", Polygon::regular(at, 0.7, 5, 0.0)));
        }
    }
    let corner = match seed % 5 {
        3 => DVec2::new(-900_000.0, 750_000.0),
        4 => DVec2::new(3_000.25, -3_900.5),
        _ => DVec2::ZERO,
    };
    if seed % DOLLS == DOLLS - 1 {
        // A doll's house, for dolls.
        let walls: Vec<(&str, Polygon)> = walls
            .into_iter()
            .map(|(name, wall)| (name, wall.map(|p| 0.1 * p)))
            .collect();
        return level_for(0.03, DVec2::ZERO, 0.1 * size, &walls);
    }
    level(corner, size, &walls)
}

/// How many random levels are asked about.
pub fn cases(usual: u64) -> u64 {
    let wanted = std::env::var("WAYLOOM_CASES").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// The first random level that is asked about: long runs can be divided.
pub fn first_case() -> u64 {
    let wanted = std::env::var("WAYLOOM_FIRST_CASE").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// Every seventh random level is a doll's house.
const DOLLS: u64 = 7;

pub struct Query {
    pub from: DVec2,
    pub to: DVec2,
    /// Length of the shortest path, if there is one. Unit: metres.
    pub exact: Option<f64>,
    /// What it costs; its length unless it goes through links.
    pub cost: Option<f64>,
}

/// Random places where one can stand, with what the exact planner answers. Each level is asked about
/// once, however many readers are.
pub fn queries(desk: &Desk, path: &Path) -> Arc<Vec<Query>> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Vec<Query>>>> = Mutex::new(BTreeMap::new());
    let text = std::fs::read_to_string(path).expect("a level");
    let known = |text: &str| KNOWN.lock().expect("sound").get(text).cloned();
    if let Some(queries) = known(&text) {
        return queries;
    }
    let queries = Arc::new(asked(desk, path, &text));
    let mut all = KNOWN.lock().expect("sound");
    Arc::clone(all.entry(text).or_insert(queries))
}

fn asked(desk: &Desk, path: &Path, text: &str) -> Vec<Query> {
    let level = Arc::new(format::read(text).expect("a level").level);
    let division = Division {
        by_terrain: false,
        ..Division::with_corners(3)
    };
    let mesh = NavMesh::bake(&level, None, &division, &JobContext::default()).expect("room");
    let mut numbers = Numbers(7);
    let mut place = || {
        let index = (numbers.next() * mesh.polygons.len() as f64) as usize;
        let corners = &mesh.polygons[index].corners;
        let mut shares = [
            0.1 + numbers.next(),
            0.1 + numbers.next(),
            0.1 + numbers.next(),
        ];
        let sum: f64 = shares.iter().sum();
        shares = shares.map(|share| share / sum);
        let corners = corners.iter().zip(shares);
        let p: DVec2 = corners.map(|(c, s)| mesh.vertices[*c as usize] * s).sum();
        (p * 1e4).round() / 1e4
    };
    let pairs: Vec<[DVec2; 2]> = (0..QUERIES).map(|_| [place(), place()]).collect();
    let answers = planned(desk, path, &level, "optimal", &pairs);
    // On hills a path is longer than it looks from above, and bends: engines are asked for the plan.
    let in_plan = level.ground().map(|_| {
        let flat = ops::apply(&level, &[Edit::Ground(None)]).expect("without hills");
        let path = saved(desk, &flat, "flat.ron");
        planned(desk, &path, &flat, "optimal", &pairs)
    });
    let lengths = in_plan.unwrap_or_else(|| answers.clone());
    pairs
        .into_iter()
        .zip(answers.into_iter().zip(lengths))
        .map(|([from, to], (answer, in_plan))| {
            let figure = |name: &str| {
                let is_found = answer["found"] == true;
                is_found.then(|| answer[name].as_f64().expect("a figure"))
            };
            Query {
                from,
                to,
                exact: figure("length").map(|length| in_plan["length"].as_f64().unwrap_or(length)),
                cost: figure("cost"),
            }
        })
        .collect()
}

/// What one of our own planners answers.
pub fn planned(
    desk: &Desk,
    path: &Path,
    level: &Level,
    planner: &str,
    pairs: &[[DVec2; 2]],
) -> Vec<serde_json::Value> {
    let mut csv = String::from("from_x,from_y,to_x,to_y\n");
    for [from, to] in pairs {
        csv += &format!("{},{},{},{}\n", from.x, from.y, to.x, to.y);
    }
    let file = desk.0.join("queries.csv");
    std::fs::write(&file, csv).expect("writable");
    let mut command = wayloom();
    command.args([
        "plan",
        "--json",
        "--quiet",
        "--planner",
        planner,
        "--queries",
    ]);
    command.arg(&file).arg(path);
    if let Some((id, entity, _)) = level.profiles().next() {
        command.args(["--profile", &entity.label(id)]);
    }
    let output = command.output().expect("starts");
    let lines = String::from_utf8(output.stdout).expect("text");
    let err = String::from_utf8_lossy(&output.stderr);
    let answers: Vec<serde_json::Value> = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .take(pairs.len())
        .collect();
    assert_eq!(answers.len(), pairs.len(), "{err}");
    answers
}

/// Writes a level where the program finds it.
pub fn saved(desk: &Desk, level: &Level, name: &str) -> PathBuf {
    let path = desk.0.join(name);
    let text = format::write(level, level.largest_id().next());
    std::fs::write(&path, text).expect("writable");
    path
}
