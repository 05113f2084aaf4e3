//! What writers of navigation meshes tell about them, for programs.

use super::frame::Frame;
use crate::exchange::nav_mesh::NavMesh;
use serde_json::{Map, Value, json};

/// Where the mesh lies, and what it consists of.
pub(super) fn mesh_details(mesh: &NavMesh, frame: Frame) -> Map<String, Value> {
    let terrains: Vec<_> = mesh
        .by_terrain()
        .iter()
        .map(|(kind, polygons)| {
            json!({
                "area": kind.index(),
                "name": mesh.terrain_name(*kind),
                "cost": mesh.costs.get(kind.index()),
                "polygons": polygons.len(),
            })
        })
        .collect();
    let mut details = Map::new();
    details.insert("radius".to_owned(), mesh.radius.into());
    details.insert("polygons".to_owned(), mesh.polygons.len().into());
    details.insert("vertices".to_owned(), mesh.vertices.len().into());
    details.insert("terrains".to_owned(), terrains.into());
    details.insert("origin".to_owned(), frame.to_json());
    details
}
