//! The sample levels: what the files hold is what the templates draw, and it is in order.
//!
//! `WAYLOOM_BLESS=1 cargo test --test levels` writes the files anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use wayloom::document::template::{Options, TemplateError};
use wayloom::document::validate::validate;
use wayloom::document::{KindName, Level, Obstacle, Template, format};
use wayloom::geometry::polygon::ring_edges;

fn file(template: Template) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("levels")
        .join(format!("{}.ron", template.name()))
}

fn drawn(template: Template) -> Level {
    sized(template, None)
}

fn sized(template: Template, size: Option<f64>) -> Level {
    template
        .build(&Options {
            size,
            ..Options::default()
        })
        .unwrap_or_else(|error| panic!("{error}"))
}

fn buildings(level: &Level) -> Vec<&Obstacle> {
    level
        .obstacles()
        .filter(|(_, entity, _)| entity.has_tag("building"))
        .map(|(_, _, obstacle)| obstacle)
        .collect()
}

fn is_convex(ring: &[glam::DVec2]) -> bool {
    let turns = ring_edges(ring).zip(ring_edges(ring).skip(1).chain(ring_edges(ring).take(1)));
    turns
        .into_iter()
        .all(|((a, b), (_, c))| (b - a).perp_dot(c - b) > 0.0)
}

#[test]
fn files_hold_what_the_templates_draw_and_read_back_to_it() {
    let bless = std::env::var_os("WAYLOOM_BLESS").is_some();
    for template in Template::samples() {
        let level = drawn(template);
        let text = format::write(&level, level.largest_id().next());
        let path = file(template);
        if bless {
            std::fs::write(&path, &text).expect("levels/ can be written");
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            stored == text,
            "{} differs from what its template draws; look at both, then bless",
            path.display()
        );
        let loaded = format::read(&stored).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(loaded.level, level, "{}", template.name());
        assert_eq!(format::write(&loaded.level, loaded.next_id), stored);
    }
}

/// Everything that validation finds, remarks included.
fn problems(level: &Level) -> Vec<String> {
    validate(level, None)
        .into_iter()
        .map(|problem| format!("{}: {}", problem.subject.label(level), problem.message))
        .collect()
}

#[test]
fn nothing_at_all_is_wrong_with_any_of_them() {
    for template in Template::ALL {
        let problems = problems(&drawn(template));
        assert!(problems.is_empty(), "{}: {problems:#?}", template.name());
    }
}

/// Stairs, gaps, low tanks, ramps: what their agents and tests say is what comes out.
#[test]
fn in_levels_with_storeys_everybody_gets_where_the_papers_figures_say() {
    use wayloom::jobs::JobContext;
    use wayloom::nav::NavBundle;
    use wayloom::planner::{PlannedLevel, Slopes, missions};
    for template in [
        Template::Stairs,
        Template::Supermarket,
        Template::Factory,
        Template::Blocks,
    ] {
        let level = std::sync::Arc::new(drawn(template));
        let mut problems = Vec::new();
        let ctx = JobContext::default();
        let bundle = NavBundle::bake(missions::bake_request(level), &ctx).expect("not cancelled");
        PlannedLevel::plan(bundle, None, Slopes::default(), &ctx)
            .expect("not cancelled")
            .add_problems(&mut problems);
        assert!(problems.is_empty(), "{}: {problems:#?}", template.name());
    }
}

#[test]
fn other_seeds_are_in_order_too() {
    for template in Template::ALL {
        for seed in 1..4 {
            let level = template
                .build(&Options {
                    seed,
                    ..Options::default()
                })
                .unwrap_or_else(|error| panic!("{error}"));
            let problems = problems(&level);
            assert!(
                problems.is_empty(),
                "{} {seed}: {problems:#?}",
                template.name()
            );
        }
    }
}

#[test]
fn the_village_has_twenty_three_convex_buildings_of_ninety_six_corners() {
    for template in [Template::Mckenna, Template::MckennaRoad] {
        let level = drawn(template);
        let buildings = buildings(&level);
        assert_eq!(buildings.len(), 23);
        assert_eq!(level.obstacles().count(), 23);
        let corners: usize = buildings.iter().map(|b| b.area.vertex_count()).sum();
        assert_eq!(corners, 96);
        assert!(buildings.iter().all(|b| is_convex(&b.area.outer)));
        assert_eq!(level.settings().bounds.size(), glam::DVec2::splat(200.0));
    }
    let [plain, road] = [Template::Mckenna, Template::MckennaRoad].map(drawn);
    let outlines =
        |level: &Level| -> Vec<_> { level.obstacles().map(|(_, _, o)| o.area.clone()).collect() };
    assert_eq!(outlines(&plain), outlines(&road));
    assert_eq!(plain.regions().count(), 0);
}

#[test]
fn the_road_is_ten_convex_terrains_of_thirty_nine_corners_with_the_weights_of_the_paper() {
    let level = drawn(Template::MckennaRoad);
    assert_eq!(level.regions().count(), 10);
    let corners: usize = level.regions().map(|(_, _, r)| r.area.vertex_count()).sum();
    assert_eq!(corners, 39);
    assert!(level.regions().all(|(_, _, r)| is_convex(&r.area.outer)));
    let used: BTreeSet<_> = level.regions().map(|(_, _, r)| r.terrain).collect();
    assert_eq!(used.len(), 3);
    let pedestrian = level.find(KindName::Profile, "Pedestrian").expect("there");
    for (terrain, weight) in [
        ("Sidewalk", 0.5),
        ("Road", 4.0),
        ("Mud", 40.0),
        ("Grass", 1.0),
    ] {
        let id = level.find(KindName::Terrain, terrain).expect("there");
        assert_eq!(level.terrain_weight(pedestrian, id), weight, "{terrain}");
    }
}

#[test]
fn the_forest_has_the_weights_of_the_paper() {
    let level = drawn(Template::Forest);
    for (profile, weights) in [
        ("Adult", [30.0, 2.0, 10.0, 30.0, 1.0]),
        ("Child", [30.0, 2.0, 1.0, 1.0, 10.0]),
    ] {
        let profile = level.find(KindName::Profile, profile).expect("there");
        let terrains = [
            "Undergrowth",
            "Gravel",
            "Puddle",
            "Fallen tree",
            "Panoramic view",
        ];
        for (terrain, weight) in terrains.into_iter().zip(weights) {
            let id = level.find(KindName::Terrain, terrain).expect("there");
            assert_eq!(level.terrain_weight(profile, id), weight, "{terrain}");
        }
    }
}

#[test]
fn the_plains_have_as_many_obstacles_as_the_paper_says() {
    for (template, count) in [(Template::Loose, 100), (Template::Dense, 200)] {
        let level = drawn(template);
        assert_eq!(level.obstacles().count(), count);
        assert_eq!(level.settings().bounds.size(), glam::DVec2::splat(1000.0));
        assert!(level.obstacles().all(|(_, _, o)| is_convex(&o.area.outer)));
    }
}

#[test]
fn the_town_has_as_many_buildings_as_asked_for() {
    assert_eq!(buildings(&drawn(Template::City)).len(), 400);
    for size in [40, 137, 2_000] {
        let level = sized(Template::City, Some(f64::from(size)));
        assert_eq!(buildings(&level).len(), size as usize, "{size}");
    }
}

#[test]
fn large_towns_are_as_large_as_measurements_need_and_in_order() {
    let level = sized(Template::City, Some(900.0));
    assert!(level.obstacles().count() >= 2_000);
    assert!(level.vertex_count() >= 20_000, "{}", level.vertex_count());
    assert_eq!(problems(&level), Vec::<String>::new());

    let start = std::time::Instant::now();
    let level = sized(Template::City, Some(5_000.0));
    assert!(level.vertex_count() >= 100_000, "{}", level.vertex_count());
    // A small part of that where nothing else runs.
    assert!(start.elapsed().as_secs_f64() < 5.0, "{:?}", start.elapsed());
}

#[test]
fn sizes_are_refused_in_a_sentence() {
    let refusal = |template: Template, size: f64| {
        let options = Options {
            seed: 0,
            size: Some(size),
            ..Options::default()
        };
        template.build(&options).expect_err("refused").to_string()
    };
    assert_eq!(
        refusal(Template::Forest, 3.0),
        "the template `forest` has one size only; leave the size out"
    );
    assert_eq!(
        refusal(Template::City, 3.0),
        "the template `city`: number of buildings is 3; it must be between 40 and 50000"
    );
    let oblong = |template: Template| {
        let (size, height) = (template.size().map(|size| size.default), Some(30.0));
        template.build(&Options {
            size,
            height,
            ..Options::default()
        })
    };
    let level = oblong(Template::Empty).expect("an empty level has two sides");
    assert_eq!(level.settings().bounds.size().to_array(), [100.0, 30.0]);
    assert_eq!(
        oblong(Template::City).expect_err("one number").to_string(),
        "the template `city` has one size only, not width and height; give one number"
    );
    let options = Options {
        seed: 0,
        size: Some(f64::NAN),
        ..Options::default()
    };
    assert!(matches!(
        Template::Loose.build(&options),
        Err(TemplateError::Size { .. })
    ));
    for template in Template::ALL {
        if let Some(size) = template.size() {
            assert!(
                sized(template, Some(size.min)).len() > 3,
                "{}",
                template.name()
            );
        }
    }
}

#[test]
fn templates_are_found_by_their_names() {
    for template in Template::ALL {
        assert_eq!(Template::by_name(template.name()), Some(template));
        assert!(!template.description().is_empty());
    }
    assert_eq!(Template::by_name("village"), None);
}

/// The scenes of Bandi and Thalmann 2000, each with an agent that walks the path of its figure, in the grid of
/// Table 1 where there is one; Fig. 19 has none.
#[test]
fn the_papers_scenes_have_their_ways_in_the_papers_grids() {
    use std::sync::Arc;
    use wayloom::document::{Action, Kind};
    use wayloom::jobs::JobContext;
    use wayloom::nav::voxel::VoxelOptions;
    use wayloom::nav::{BakeRequest, NavBundle};
    use wayloom::planner::PathRequest;
    use wayloom::planner::human::{Astar, CellLeg, Smoothing, Target};
    use wayloom::planner::queries::{profile_of, stops};
    let paths = |template: Template, name: &str| -> Vec<wayloom::planner::Path> {
        let level = drawn(template);
        let options = template
            .paper_grid()
            .map(VoxelOptions::in_grid)
            .unwrap_or_default();
        let request = BakeRequest {
            options: Arc::new(options).into(),
            ..BakeRequest::of(Arc::new(level.clone()))
        };
        let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
        let voxels = bundle
            .voxels()
            .unwrap_or_else(|error| panic!("{}: {error}", template.name()));
        if let Some(grid) = template.paper_grid() {
            assert_eq!(voxels.voxels.frame().size, grid);
        }
        let id = level.find(KindName::Agent, name).expect("there");
        let Kind::Agent(agent) = &level.get(id).expect("there").kind else {
            panic!("{name} is no agent");
        };
        let profile = profile_of(&level, agent.mission.profile);
        let search = &mut Astar::default();
        let mut from = agent.start;
        let mut leg = |stop: &wayloom::planner::queries::Stop| {
            let targets = Target::all(stop.area.as_deref(), stop.place);
            let smoothing = Smoothing::default();
            let planned = CellLeg::plan(search, voxels, &profile, from, &targets, smoothing);
            let (leg, expanded) =
                planned.unwrap_or_else(|| panic!("{name} gets nowhere in {}", template.name()));
            let path = leg.path_for(&PathRequest::in_space(from, stop.place), None, expanded);
            from = stop.end(&path);
            path
        };
        stops(&level, agent).iter().map(&mut leg).collect()
    };
    let does = |paths: &[wayloom::planner::Path], action: Action| {
        paths.iter().any(|path| path.actions.contains(&action))
    };
    let rise = |paths: &[wayloom::planner::Path]| {
        let heights = paths
            .iter()
            .flat_map(|path| path.points.iter().map(|p| p.z));
        heights.fold(f64::NEG_INFINITY, f64::max)
    };
    // Fig. 16: from the gate to the heart, round and round.
    for name in ["Visitor", "Gardener"] {
        let labyrinth = paths(Template::Labyrinth, name);
        let [a, b] = [
            &labyrinth[0].points[0],
            labyrinth[0].points.last().expect("there"),
        ];
        assert!(
            labyrinth[0].length > 2.0 * a.distance(*b),
            "{}",
            labyrinth[0].length
        );
    }
    // Fig. 17: up the stairs.
    let stairs = paths(Template::Stairs, "Visitor");
    assert!(rise(&stairs) > 3.0 && does(&stairs, Action::StepUp));
    // Fig. 18: past the tank upright, under it bent; and through the shop.
    assert!(!does(&paths(Template::Factory, "Worker"), Action::Bend));
    assert!(does(&paths(Template::Factory, "Fitter"), Action::Bend));
    assert!(paths(Template::Supermarket, "Shopper")[0].length > 10.0);
    // Fig. 19: from block to block.
    assert!(does(&paths(Template::Blocks, "Jumper"), Action::Jump));
}
