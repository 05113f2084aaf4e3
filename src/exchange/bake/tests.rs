//! What is baked is what planners use, and for whom.

use super::blob::{Blob, Column};
use super::*;
use crate::document::template::{self, Template};
use crate::geometry::Polygon;
use glam::DVec2;

/// Bakes for the named profiles; for all without a name.
pub(super) fn bake(
    level: &Level,
    profiles: &[String],
    ctx: &JobContext,
) -> Result<BakeFiles, BakeError> {
    let options = BakeExportOptions {
        profiles: (!profiles.is_empty()).then(|| profiles.to_vec()),
        ..BakeExportOptions::default()
    };
    bake_files(&ExportInput::new(Arc::new(level.clone())), &options, ctx)
}

fn rooms() -> Level {
    Template::Rooms
        .build(&template::Options::default())
        .expect("drawn")
}

#[test]
fn what_is_written_is_the_map_that_planners_use() {
    let level = rooms();
    let baked = bake(&level, &[], &JobContext::default()).expect("baked");
    let index: Value = serde_json::from_slice(&baked.files[0].bytes).expect("JSON");
    assert_eq!(index["version"], VERSION);
    let spaces = index["spaces"].as_array().expect("a list");
    // The index first; the corridor map, terrain, things and constraints last.
    assert_eq!(spaces.len() + 5, baked.files.len());
    for (listed, file) in spaces.iter().zip(&baked.files[1..]) {
        assert_eq!(listed["file"], file.name.as_str());
        let blob = Blob::from_bytes(&file.bytes).expect("in order");
        let radius = listed["radius"].as_f64().expect("a number");
        let request = BakeRequest::for_radius(Arc::new(level.clone()), radius);
        let bundle = NavBundle::bake(request, &JobContext::default()).expect("built");
        let free = &bundle.space(radius).expect("baked").free;
        let f64s = |name: &str| match blob.column(name) {
            Some(Column::F64(values)) => values.clone(),
            other => panic!("{name}: {other:?}"),
        };
        let u32s = |name: &str| match blob.column(name) {
            Some(Column::U32(values)) => values.clone(),
            other => panic!("{name}: {other:?}"),
        };
        let (corners, starts) = (f64s("corners"), u32s("starts"));
        // Cells fill the free space: the areas of both agree.
        let point = |i: u32| DVec2::new(corners[2 * i as usize], corners[2 * i as usize + 1]);
        let cells: f64 = starts
            .windows(2)
            .map(|pair| {
                let ring: Vec<DVec2> = (pair[0]..pair[1]).map(point).collect();
                Polygon::new(ring).area()
            })
            .sum();
        let areas: f64 = free.areas.iter().map(Polygon::area).sum();
        assert!((cells - areas).abs() < 1e-6 * areas, "{cells} and {areas}");
        let portals = u32s("portal_cells").len() / 2;
        assert_eq!(listed["portals"], portals);
        assert!(
            u32s("sides")
                .iter()
                .all(|side| *side == NONE || (*side as usize) < portals)
        );
        assert_eq!(u32s("area_starts").len(), free.areas.len() + 1);
    }
}

#[test]
fn fields_and_regions_are_those_that_planners_use() {
    use crate::planner::MissionQueries;
    let level = Template::by_name("mckenna")
        .expect("a sample")
        .build(&template::Options::default())
        .expect("drawn");
    let baked = bake(&level, &[], &JobContext::default()).expect("baked");
    let told = baked.constraints.expect("an agent has constraints");
    let index: Value = serde_json::from_slice(&baked.files[0].bytes).expect("JSON");
    let about = &index["constraints"];
    let file = baked
        .files
        .iter()
        .find(|file| file.name == constraints::FILE);
    let blob = Blob::from_bytes(&file.expect("written").bytes).expect("in order");
    let listed = about["agents"].as_array().expect("a list");
    assert_eq!(listed.len(), told.agents);
    let (cell, size) = (about["cell"].as_f64().expect("a number"), told.cells);
    let bounds = level.settings().bounds;
    for of in listed {
        let id = EntityId::new(of["id"].as_u64().expect("a number"));
        let Some((_, _, agent)) = level.agents().find(|(known, ..)| *known == id) else {
            panic!("{id} is an agent");
        };
        let queries = MissionQueries::of_agent(&level, agent, None);
        let field = &queries.about.constraints.field;
        assert_eq!(
            of["terms"].as_array().map(Vec::len),
            Some(field.terms().len())
        );
        let Some(Column::F64(values)) = blob.column(of["column"].as_str().expect("a name")) else {
            panic!("a raster");
        };
        assert_eq!(values.len(), size[0] * size[1]);
        for (i, value) in values.iter().enumerate().step_by(97) {
            let at = DVec2::new((i % size[0]) as f64 + 0.5, (i / size[0]) as f64 + 0.5);
            let exact = field.multiplier_at((bounds.min + at * cell).extend(agent.start.z));
            assert!((value - exact).abs() < 1e-9, "{value} {exact}");
        }
    }
    // An agent that plans otherwise ignores its constraints.
    let other = Template::by_name("labyrinth").expect("a sample");
    let other = other.build(&template::Options::default()).expect("drawn");
    let baked = bake(&other, &[], &JobContext::default()).expect("baked");
    assert_eq!(baked.constraints, None);
}

#[test]
fn profiles_can_be_chosen_and_are_named_when_missing() {
    let level = rooms();
    let all = bake(&level, &[], &JobContext::default()).expect("baked");
    let one = all.spaces[0].profiles[0].clone();
    let some = bake(&level, std::slice::from_ref(&one), &JobContext::default()).expect("baked");
    assert_eq!(some.spaces.len(), 1);
    assert_eq!(some.spaces[0].profiles, [one]);
    let error = bake(&level, &["Nemo".to_owned()], &JobContext::default());
    let sentence = error.expect_err("refused").to_string();
    assert!(sentence.contains("\"Nemo\"") && sentence.contains("there are: "));
    assert_eq!(
        bake(&Level::default(), &[], &JobContext::default()),
        Err(BakeError::NoProfiles)
    );
}
