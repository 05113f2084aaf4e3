//! The scene in 3D: metres, y up.

use super::plan::knots;
use super::scaffold::{Dimension, add_links, add_region, begin, own_vertices, rings_without_holes};
use super::text::{Scene, colour, indices, resource, vector, vectors};
use crate::base::decimal;
use crate::document::annotation_area::annotation_area;
use crate::document::{Kind, Level, Route};
use crate::exchange::export::ExportError;
use crate::exchange::export::frame::Frame;
use crate::exchange::export::parts::{Part, Shape, parts};
use crate::exchange::nav_mesh::NavMesh;
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::ExportInput;
use crate::geometry::{Polygon, TriMesh};
use glam::{DVec2, DVec3};
use serde_json::Map;

pub(super) const SCENE: &str = "level_3d.tscn";

/// Shows the faces of a collision shape: bodies need no second copy of their triangles.
const LOOK: &str = "wayloom_body.gd";

/// Areas reach this high above the ground. Unit: metres.
const AREA_HEIGHT: f64 = 2.0;

const LOOK_SCRIPT: &str = "@tool
extends MeshInstance3D
## Shows the faces of the collision shape beside it.

@export var colour := Color.WHITE


func _ready() -> void:
\tvar beside := get_parent().get_node_or_null(\"Shape\") as CollisionShape3D
\tif beside == null or not beside.shape is ConcavePolygonShape3D:
\t\treturn
\tvar surface := SurfaceTool.new()
\tsurface.begin(Mesh.PRIMITIVE_TRIANGLES)
\tfor corner in (beside.shape as ConcavePolygonShape3D).get_faces():
\t\tsurface.add_vertex(corner)
\tsurface.generate_normals()
\tvar material := StandardMaterial3D.new()
\tmaterial.albedo_color = colour
\tsurface.set_material(material)
\tmesh = surface.commit()
";

struct Space<'a> {
    scene: Scene,
    frame: Frame,
    script: String,
    level: &'a Level,
}

pub(super) fn write(
    input: &ExportInput,
    mesh: &NavMesh,
    frame: Frame,
    cell: f64,
    sink: &mut dyn ExportSink,
) -> Result<(), ExportError> {
    let mut space = Space {
        scene: Scene::default(),
        frame,
        script: String::new(),
        level: &input.level,
    };
    space.script = space.scene.external("Script", LOOK);
    begin(&mut space.scene, Dimension::Space, input, frame, None);
    for (number, (_, polygons)) in mesh.by_terrain().into_iter().enumerate() {
        let file = format!("navigation_3d_{number}.tres");
        let (vertices, corners) = own_vertices(&polygons);
        let points = vertices.iter().map(|v| frame.y_up(mesh.place(*v)));
        let text = format!(
            "vertices = {}\npolygons = {}\ncell_size = {cell}\ncell_height = {cell}\n",
            vectors(points),
            indices(corners.iter().map(Vec::as_slice)),
        );
        sink.write(&file, resource("NavigationMesh", &text).into_bytes())?;
        add_region(&mut space.scene, Dimension::Space, &file, mesh, polygons[0]);
    }
    let corner = |p: DVec3| vector(frame.y_up(p));
    add_links(&mut space.scene, Dimension::Space, input, mesh, corner);
    for part in parts(input) {
        space.add(&part);
    }
    sink.write(LOOK, LOOK_SCRIPT.as_bytes().to_vec())?;
    sink.write(SCENE, space.scene.text().into_bytes())
}

impl Space<'_> {
    fn add(&mut self, part: &Part) {
        let kind = part
            .id
            .and_then(|id| self.level.get(id))
            .map(|entity| &entity.kind);
        match (&part.shape, kind) {
            (Shape::Body(body), kind) => {
                let folder = match kind {
                    None | Some(Kind::Region(_)) => "Terrain",
                    _ => "Obstacles",
                };
                self.body(folder, part, body);
            }
            (Shape::Line { .. }, Some(Kind::Route(route))) => {
                let curve = self.curve(route);
                let properties = [("curve", self.scene.internal("Curve3D", &curve))];
                self.scene
                    .node("Routes", &part.name, "Path3D", &properties, &part.extras);
            }
            (Shape::Line { .. }, Some(Kind::Annotation(_))) => {
                let Some(id) = part.id else { return };
                let node = self
                    .scene
                    .node("Areas", &part.name, "Area3D", &[], &part.extras);
                for area in annotation_area(self.level, id) {
                    self.prism(&node, &area);
                }
            }
            (Shape::Line { points, .. }, _) => {
                let data = format!(
                    "_data = {{\n\"points\": {},\n\"tilts\": PackedFloat32Array({})\n}}\npoint_count = {}\n",
                    vectors(
                        points
                            .iter()
                            .flat_map(|p| [[0.0; 3], [0.0; 3], self.frame.y_up(*p)])
                    ),
                    vec!["0"; points.len()].join(", "),
                    points.len()
                );
                let properties = [("curve", self.scene.internal("Curve3D", &data))];
                self.scene
                    .node("Agents", &part.name, "Path3D", &properties, &part.extras);
            }
            (Shape::Place { at, heading }, _) => {
                let properties = [
                    ("position", vector(self.frame.y_up(*at))),
                    // The front of a node is −z, ours +x.
                    (
                        "rotation",
                        vector([0.0, (heading - std::f64::consts::FRAC_PI_2) as f32, 0.0]),
                    ),
                ];
                self.scene
                    .node("Agents", &part.name, "Marker3D", &properties, &part.extras);
            }
        }
    }

    fn on_ground(&self, p: DVec2) -> DVec3 {
        let ground = self.level.ground();
        p.extend(ground.map_or(0.0, |field| field.height(p)))
    }

    fn body(&mut self, folder: &str, part: &Part, body: &TriMesh) {
        if body.triangles.is_empty() {
            return;
        }
        // Godot's faces are clockwise seen from their front.
        let faces = body.triangles.iter().flat_map(|[a, b, c]| [*a, *c, *b]);
        let faces = faces.map(|corner| self.frame.y_up(body.vertices[corner as usize]));
        let shape = format!("data = {}\n", vectors(faces));
        let shape = self.scene.internal("ConcavePolygonShape3D", &shape);
        let node = self
            .scene
            .node(folder, &part.name, "StaticBody3D", &[], &part.extras);
        let none = Map::new();
        self.scene.node(
            &node,
            "Shape",
            "CollisionShape3D",
            &[("shape", shape)],
            &none,
        );
        let look = [
            ("script", self.script.clone()),
            ("colour", colour(part.colour)),
        ];
        self.scene
            .node(&node, "Look", "MeshInstance3D", &look, &none);
    }

    /// What reaches from the ground upwards.
    fn prism(&mut self, parent: &str, area: &Polygon) {
        let none = Map::new();
        for ring in rings_without_holes(area) {
            let middle = self.on_ground(area.centroid()).z + 0.5 * AREA_HEIGHT;
            let points = ring
                .iter()
                .map(|p| self.frame.plan(*p).to_array().map(|v| v as f32));
            let properties = [
                // Turned about x, its polygon lies in the plan and its depth is its height.
                (
                    "transform",
                    format!(
                        "Transform3D(1, 0, 0, 0, 0, 1, 0, -1, 0, 0, {}, 0)",
                        decimal::plain(middle)
                    ),
                ),
                ("depth", decimal::plain(AREA_HEIGHT)),
                ("polygon", vectors(points)),
            ];
            self.scene
                .node(parent, "Shape", "CollisionPolygon3D", &properties, &none);
        }
    }

    fn curve(&self, route: &Route) -> String {
        let knots = knots(route);
        let offset = |from: DVec2, by: DVec2| {
            let [a, b] = [from, from + by].map(|p| self.frame.y_up(p.extend(0.0)));
            [b[0] - a[0], 0.0, b[2] - a[2]]
        };
        let points = knots.iter().flat_map(|[at, before, after]| {
            let place = self.frame.y_up(self.on_ground(*at));
            [offset(*at, *before), offset(*at, *after), place]
        });
        format!(
            "_data = {{\n\"points\": {},\n\"tilts\": PackedFloat32Array({})\n}}\npoint_count = {}\n",
            vectors(points),
            vec!["0"; knots.len()].join(", "),
            knots.len()
        )
    }
}
