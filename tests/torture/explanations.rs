//! What it costs to say why there is no path: no more than ten times the search, or a fifth of a second.
//!
//! `WAYLOOM_PAIRS` sets the number of pairs on each level, `WAYLOOM_LEVELS` is a folder with more levels,
//! as they come from meshes of others.

use glam::{DVec2, DVec3};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wayloom::base::{EntityId, Random};
use wayloom::document::{
    Edit, Entity, Kind, Level, MeshLibrary, Obstacle, PlannerId, Profile, format, ops,
};
use wayloom::exchange::meshes;
use wayloom::geometry::{Polygon, Rect};
use wayloom::jobs::JobContext;
use wayloom::nav::voxel::VoxelOptions;
use wayloom::nav::{BakeRequest, NavBundle, NavData, Needs};
use wayloom::planner::{PathRequest, Session, Step, registry};

/// Where searches are shorter; a debug build is an order of magnitude slower.
const MOST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2_000 } else { 200 });

/// As a multiple of the search.
const TIMES: u32 = 10;

/// A busy machine may be slow once, hardly each time.
const TRIES: usize = 4;

/// Half of the width of the yard, and the thickness of its walls. Unit: metres.
const YARD: f64 = 2.0;
const WALL: f64 = 0.6;

fn count(usual: usize) -> usize {
    let wanted = std::env::var("WAYLOOM_PAIRS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn level_files() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    let others = std::env::var_os("WAYLOOM_LEVELS").map(PathBuf::from);
    let mut files: Vec<PathBuf> = std::iter::once(own)
        .chain(others)
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder"))
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .collect();
    files.sort();
    files
}

/// Adds a yard with walls all around, too high to be climbed.
fn with_yard(level: &Level, centre: DVec2) -> Level {
    let square = |half: f64| Polygon::rect(Rect::around(centre, DVec2::splat(half)));
    let mut area = square(YARD + WALL);
    area.holes
        .push(square(YARD).outer.into_iter().rev().collect());
    let ring = Obstacle {
        height: 6.0,
        ..Obstacle::new(area)
    };
    let id = EntityId::new(level.largest_id().number() + 1);
    let edit = Edit::create(id, Entity::new("Yard", Kind::Obstacle(ring)));
    ops::apply(level, &[edit]).expect("valid")
}

fn baked(path: &Path, centre: impl Fn(&Level) -> DVec2) -> (NavData, Arc<Profile>, DVec2) {
    let text = std::fs::read_to_string(path).expect("a level");
    let level = format::read(&text).expect("a level").level;
    let first = level.profiles().next();
    let profile = first.map_or_else(Profile::default, |(.., profile)| profile.clone());
    let centre = centre(&level);
    let level = Arc::new(with_yard(&level, centre));
    let ctx = JobContext::default();
    let mut request = BakeRequest::for_radius(Arc::clone(&level), profile.body.radius);
    let folder = path.parent().expect("a folder");
    let library = meshes::library(&level, folder, &MeshLibrary::default(), &ctx);
    request.options.voxels = Arc::new(VoxelOptions {
        meshes: Arc::new(library.expect("not cancelled")),
        ..VoxelOptions::default()
    });
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    let nav = bundle.nav(profile.body.radius).expect("baked");
    let all = Needs::CORRIDORS.union(Needs::TERRAIN).union(Needs::VOXELS);
    nav.prepare(all, &ctx).expect("not cancelled");
    (nav, Arc::new(profile), centre)
}

/// Searches to the end; how long that took, and whether there is no path.
fn searched(session: &mut dyn Session) -> (Duration, bool) {
    let begun = Instant::now();
    loop {
        match session.step(usize::MAX) {
            Step::Running | Step::Improved { .. } => {}
            Step::Done(_) => return (begun.elapsed(), false),
            Step::NoPath => return (begun.elapsed(), true),
        }
    }
}

/// The search and the explanation; `None` where there is a path.
fn timed(id: PlannerId, nav: &NavData, request: &PathRequest) -> Option<[Duration; 2]> {
    let mut session = registry::open(id, nav, request).expect("a good request");
    let (search, is_unreachable) = searched(&mut *session);
    if !is_unreachable {
        return None;
    }
    let begun = Instant::now();
    let why = session
        .explain(&JobContext::default())
        .expect("not cancelled");
    let explanation = begun.elapsed();
    assert!(!why.reason.is_empty(), "{id} says nothing");
    Some([search, explanation])
}

fn is_too_dear([search, explanation]: [Duration; 2]) -> bool {
    explanation > MOST && explanation > TIMES * search
}

#[test]
fn explanations_cost_no_more_than_ten_searches_or_a_fifth_of_a_second() {
    let pairs = count(2);
    let mut wrong = Vec::new();
    for path in level_files() {
        let name = path.file_stem().unwrap_or_default().display().to_string();
        let mut random = Random::new(18);
        let yard = random.point(DVec2::ZERO, DVec2::ONE);
        let (nav, profile, centre) = baked(&path, |level| {
            let bounds = level.settings().bounds;
            let margin = DVec2::splat(YARD + WALL + 0.5).min(0.4 * bounds.size());
            bounds.min + margin + yard * (bounds.size() - 2.0 * margin)
        });
        let bounds = nav.bounds();
        for id in PlannerId::BUILT_IN {
            if !registry::is_available(id) {
                continue;
            }
            let (mut asked, mut dearest, mut total) = (0, Duration::ZERO, Duration::ZERO);
            for _ in 0..3 * pairs {
                if asked == pairs {
                    break;
                }
                // Out of the yard, into it, or from anywhere to anywhere.
                let inside = random.point(centre - 0.7 * YARD, centre + 0.7 * YARD);
                let anywhere = random.point(bounds.min, bounds.max);
                let elsewhere = random.point(bounds.min, bounds.max);
                let ends = [
                    [inside, anywhere],
                    [anywhere, inside],
                    [anywhere, elsewhere],
                ][random.below(3)];
                let [start, goal] = ends.map(|p| {
                    let height = nav.ground().map_or(0.0, |ground| ground.height(p));
                    DVec3::new(p.x, p.y, height)
                });
                let request = PathRequest {
                    profile: Arc::clone(&profile),
                    ..PathRequest::in_space(start, goal)
                };
                let Some(mut times) = timed(id, &nav, &request) else {
                    continue;
                };
                for _ in 1..TRIES {
                    if is_too_dear(times) {
                        times = timed(id, &nav, &request).expect("as before");
                    }
                }
                asked += 1;
                total += times[1];
                dearest = dearest.max(times[1]);
                if is_too_dear(times) {
                    wrong.push(format!(
                        "{name}, {id}, {start} to {goal}: {:?} to explain, {:?} to search",
                        times[1], times[0]
                    ));
                }
            }
            eprintln!(
                "{name}, {id}: {asked} without a path, explained in {:.2} ms on average, {:.2} ms at most",
                total.as_secs_f64() * 1e3 / asked.max(1) as f64,
                dearest.as_secs_f64() * 1e3
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
