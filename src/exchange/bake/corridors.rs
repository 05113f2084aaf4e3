//! The corridor map as tables: one for all radii.

use super::{
    NONE,
    blob::{Blob, Column},
};
use crate::nav::Corridors;
use crate::nav::corridor::{CorridorMap, MAX_SAG};
use glam::DVec2;
use serde_json::{Value, json};

/// File of the map within the bake's folder.
pub const FILE: &str = "corridors.wlb";

/// What `bake.json` says of the map. Of the narrow places, those that stop one of the bodies:
/// names with their radii.
pub(super) fn listed(map: &CorridorMap, bodies: &[(&str, f64)]) -> Value {
    let narrow: Vec<Value> = map
        .pinch_points()
        .iter()
        .filter_map(|pinch| {
            let stops: Vec<&str> = bodies
                .iter()
                .filter(|(_, radius)| 2.0 * radius > pinch.width)
                .map(|(name, _)| *name)
                .collect();
            (!stops.is_empty()).then(|| {
                json!({
                    "at": pinch.sample.point.to_array(),
                    "width": pinch.width,
                    "stops": stops,
                })
            })
        })
        .collect();
    json!({
        "file": FILE,
        "vertices": map.vertices().len(),
        "edges": map.edges().len(),
        "samples": map.samples().len(),
        "sag": MAX_SAG,
        "narrow": narrow,
    })
}

/// Vertices, edges, samples and whose walls they touch.
pub(in crate::exchange) fn tables(corridors: &Corridors) -> Blob {
    let map = &corridors.map;
    let points = |of: &mut dyn Iterator<Item = DVec2>| {
        Column::F64(of.flat_map(|p: DVec2| p.to_array()).collect())
    };
    let blocker = |index: Option<u32>| index.unwrap_or(NONE);
    let (vertices, edges, samples) = (map.vertices(), map.edges(), map.samples());
    let mut touch_starts = vec![0_u32];
    for vertex in vertices {
        let before = touch_starts.last().copied().unwrap_or(0);
        touch_starts.push(before + vertex.touches.len() as u32);
    }
    let columns = [
        (
            "vertex_points",
            points(&mut vertices.iter().map(|v| v.point)),
        ),
        (
            "vertex_clearances",
            Column::F64(vertices.iter().map(|v| v.clearance).collect()),
        ),
        (
            "vertex_touches",
            points(&mut vertices.iter().flat_map(|v| v.touches.iter().copied())),
        ),
        ("vertex_touch_starts", Column::U32(touch_starts)),
        (
            "edge_vertices",
            Column::U32(edges.iter().flat_map(|e| e.ends.map(|end| end.0)).collect()),
        ),
        (
            "edge_samples",
            Column::U32(
                edges
                    .iter()
                    .flat_map(|e| [e.samples.start, e.samples.end])
                    .collect(),
            ),
        ),
        (
            "edge_lengths",
            Column::F64(edges.iter().map(|e| e.length).collect()),
        ),
        (
            "edge_min_clearances",
            Column::F64(edges.iter().map(|e| e.min_clearance).collect()),
        ),
        (
            "edge_dead_ends",
            Column::U32(edges.iter().map(|e| u32::from(e.is_dead_end)).collect()),
        ),
        (
            "sample_points",
            points(&mut samples.iter().map(|s| s.point)),
        ),
        (
            "sample_clearances",
            Column::F64(samples.iter().map(|s| s.clearance).collect()),
        ),
        ("sample_left", points(&mut samples.iter().map(|s| s.left))),
        ("sample_right", points(&mut samples.iter().map(|s| s.right))),
        (
            "sample_blockers",
            Column::U32(
                samples
                    .iter()
                    .flat_map(|s| [s.left_blocker, s.right_blocker].map(blocker))
                    .collect(),
            ),
        ),
        (
            "blocker_ids",
            Column::F64(
                corridors
                    .blockers
                    .iter()
                    .map(|id| id.number() as f64)
                    .collect(),
            ),
        ),
    ];
    Blob {
        columns: columns
            .map(|(name, column)| (name.to_owned(), column))
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{self, Template};
    use crate::exchange::bake::tests::bake;
    use crate::jobs::JobContext;
    use crate::nav::{BakeRequest, NavBundle};

    #[test]
    fn tables_hold_the_map_and_narrow_places_those_whom_they_stop() {
        let level = Template::Rooms
            .build(&template::Options::default())
            .expect("drawn");
        let ctx = JobContext::default();
        let baked = bake(&level, &[], &ctx).expect("baked");
        let index: Value = serde_json::from_slice(&baked.files[0].bytes).expect("JSON");
        let about = &index["corridors"];
        let file = baked.files.iter().find(|file| file.name == FILE);
        let blob = Blob::from_bytes(&file.expect("written").bytes).expect("in order");
        let f64s = |name: &str| match blob.column(name) {
            Some(Column::F64(values)) => values.clone(),
            other => panic!("{name}: {other:?}"),
        };
        let u32s = |name: &str| match blob.column(name) {
            Some(Column::U32(values)) => values.clone(),
            other => panic!("{name}: {other:?}"),
        };
        let request = BakeRequest::of(std::sync::Arc::new(level.clone()));
        let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
        let corridors = bundle.corridors().expect("in range");
        let map = &corridors.map;
        assert_eq!(about["samples"], map.samples().len());
        assert_eq!(u32s("edge_vertices").len(), 2 * map.edges().len());
        let (points, clearances) = (f64s("sample_points"), f64s("sample_clearances"));
        let place = |list: &[f64], i: usize| DVec2::new(list[2 * i], list[2 * i + 1]);
        for side in ["sample_left", "sample_right"] {
            let touches = f64s(side);
            for (i, clearance) in clearances.iter().enumerate() {
                let distance = place(&points, i).distance(place(&touches, i));
                assert!((distance - clearance).abs() < 1e-6, "{side} {i}");
            }
        }
        for range in u32s("edge_samples").chunks(2) {
            assert!(range[0] < range[1] && range[1] as usize <= clearances.len());
        }
        let blockers = f64s("blocker_ids");
        assert_eq!(blockers.len(), level.obstacles().count());
        assert!(
            u32s("sample_blockers")
                .iter()
                .all(|b| *b == NONE || (*b as usize) < blockers.len())
        );
        let narrow = about["narrow"].as_array().expect("a list");
        assert!(!narrow.is_empty());
        for place in narrow {
            let width = place["width"].as_f64().expect("a number");
            let stops = place["stops"].as_array().expect("a list");
            let stopped = level
                .profiles()
                .filter(|(.., profile)| 2.0 * profile.body.radius > width);
            assert_eq!(stops.len(), stopped.count());
        }
        // One profile alone: the same map, fewer narrow places or fewer names at them.
        let thin = level
            .profiles()
            .min_by(|a, b| a.2.body.radius.total_cmp(&b.2.body.radius))
            .map(|(_, entity, _)| entity.name.clone())
            .expect("there are profiles");
        let one = bake(&level, std::slice::from_ref(&thin), &ctx).expect("baked");
        let same = one.files.iter().find(|file| file.name == FILE);
        assert_eq!(same, file);
        let index: Value = serde_json::from_slice(&one.files[0].bytes).expect("JSON");
        let fewer = index["corridors"]["narrow"].as_array().expect("a list");
        assert!(fewer.len() <= narrow.len());
        assert!(fewer.iter().all(|place| place["stops"] == json!([thin])));
    }
}
