//! What both scenes have alike: folders, regions of the navigation mesh, links, the player of a recording.

use super::text::Scene;
use crate::base::decimal;
use crate::document::{Link, LinkDirection};
use crate::exchange::export::frame::Frame;
use crate::exchange::export::links::links_for;
use crate::exchange::export::parts::link_extras;
use crate::exchange::nav_mesh::{NavMesh, NavPolygon};
use crate::exchange::writer::ExportInput;
use crate::geometry::Polygon;
use crate::geometry::triangulation::Triangulation;
use glam::{DVec2, DVec3};
use serde_json::{Map, Value};

/// How nodes of a scene are named: `NavigationLink2D` or `NavigationLink3D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    Plan,
    Space,
}

impl Dimension {
    const fn suffix(self) -> &'static str {
        match self {
            Self::Plan => "2D",
            Self::Space => "3D",
        }
    }

    const fn player(self) -> &'static str {
        match self {
            Self::Plan => "addons/wayloom/player_2d.gd",
            Self::Space => "addons/wayloom/player_3d.gd",
        }
    }

    /// Type of a resource with a part of the navigation mesh, and the region's property for it.
    const fn mesh(self) -> (&'static str, &'static str) {
        match self {
            Self::Plan => ("NavigationPolygon", "navigation_polygon"),
            Self::Space => ("NavigationMesh", "navigation_mesh"),
        }
    }
}

/// The root with what is known of the level, the folders, and what plays the recording if there is one.
pub(super) fn begin(
    scene: &mut Scene,
    dimension: Dimension,
    input: &ExportInput,
    frame: Frame,
    pixels_per_metre: Option<f64>,
) {
    let mut about = Map::new();
    let name = input.level.settings().name.clone();
    about.insert("level".to_owned(), name.into());
    if let Some(scale) = pixels_per_metre {
        about.insert("pixels_per_metre".to_owned(), scale.into());
    }
    about.insert("origin".to_owned(), frame.to_json());
    let node = format!("Node{}", dimension.suffix());
    scene.root("Level", &node, &about);
    let none = Map::new();
    for folder in [
        "Terrain",
        "Navigation",
        "Obstacles",
        "Areas",
        "Routes",
        "Links",
        "Agents",
    ] {
        scene.node(".", folder, &node, &[], &none);
    }
    if input.has_run() {
        let script = scene.external("Script", dimension.player());
        scene.node(".", "Recording", &node, &[("script", script)], &none);
    }
}

/// A region with the part of the mesh that is in a file beside the scene, for one terrain.
pub(super) fn add_region(
    scene: &mut Scene,
    dimension: Dimension,
    file: &str,
    mesh: &NavMesh,
    polygon: &NavPolygon,
) {
    let (resource, property) = dimension.mesh();
    let reference = scene.external(resource, file);
    let properties = [
        (property, reference),
        ("use_edge_connections", "false".to_owned()),
        ("travel_cost", decimal::plain(mesh.cost(polygon))),
    ];
    scene.node(
        "Navigation",
        mesh.terrain_name(polygon.terrain),
        &format!("NavigationRegion{}", dimension.suffix()),
        &properties,
        &Map::new(),
    );
}

/// The links that the mesh's profile may use; `vector` writes a place of the level.
pub(super) fn add_links(
    scene: &mut Scene,
    dimension: Dimension,
    input: &ExportInput,
    mesh: &NavMesh,
    vector: impl Fn(DVec3) -> String,
) {
    let kind = format!("NavigationLink{}", dimension.suffix());
    for (id, link) in links_for(&input.level, mesh.profile) {
        let Value::Object(data) = link_extras(&input.level, link) else {
            continue;
        };
        let properties = link_properties(link, [link.from, link.to].map(&vector));
        scene.node("Links", &input.level.label(id), &kind, &properties, &data);
    }
}

/// Ends, direction and price of a link: Godot multiplies its length.
fn link_properties(link: &Link, [from, to]: [String; 2]) -> [(&'static str, String); 4] {
    let price = link.path_cost() / link.length().max(0.01);
    [
        ("start_position", from),
        ("end_position", to),
        (
            "bidirectional",
            (link.direction == LinkDirection::BothWays).to_string(),
        ),
        ("travel_cost", decimal::plain(price)),
    ]
}

/// The vertices that some polygons use, and the polygons in their numbers: clockwise in plan. Where the path turns at
/// an end of a side that it crosses, Godot tells left from right by the order of corners; with the other order its
/// paths cut through walls there.
pub(super) fn own_vertices(polygons: &[&NavPolygon]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut vertices: Vec<u32> = polygons
        .iter()
        .flat_map(|p| p.corners.iter().copied())
        .collect();
    vertices.sort_unstable();
    vertices.dedup();
    let number = |corner: &u32| vertices.binary_search(corner).unwrap_or(0) as u32;
    let corners = polygons
        .iter()
        .map(|p| p.corners.iter().rev().map(number).collect());
    let corners = corners.collect();
    (vertices, corners)
}

/// Shapes know no holes: an area that has some is divided into triangles.
pub(super) fn rings_without_holes(area: &Polygon) -> Vec<Vec<DVec2>> {
    if area.holes.is_empty() {
        return vec![area.outer.clone()];
    }
    let flat = Triangulation::of_polygon(area);
    let corners = |t: &[u32; 3]| t.map(|i| flat.points[i as usize]).to_vec();
    flat.triangles.iter().map(corners).collect()
}
