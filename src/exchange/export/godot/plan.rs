//! The scene in 2D: pixels, y down.

use super::link_properties;
use super::text::{Scene, colour, indices, resource, vector, vectors};
use crate::base::decimal;
use crate::document::annotation_area::annotation_area;
use crate::document::{Kind, Route, RouteShape};
use crate::exchange::export::ExportError;
use crate::exchange::export::frame::Frame;
use crate::exchange::export::links::links_for;
use crate::exchange::export::parts::{Part, Shape, link_extras, parts};
use crate::exchange::nav_mesh::NavMesh;
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::ExportInput;
use crate::geometry::Polygon;
use crate::geometry::triangulation::Triangulation;
use glam::DVec2;
use serde_json::{Map, Value};

pub(super) const SCENE: &str = "level_2d.tscn";

struct Plan<'a> {
    scene: Scene,
    frame: Frame,
    scale: f64,
    input: &'a ExportInput,
}

pub(super) fn write(
    input: &ExportInput,
    mesh: &NavMesh,
    frame: Frame,
    scale: f64,
    sink: &mut dyn ExportSink,
) -> Result<(), ExportError> {
    let mut plan = Plan {
        scene: Scene::default(),
        frame,
        scale,
        input,
    };
    let mut about = Map::new();
    about.insert(
        "level".to_owned(),
        input.level.settings().name.clone().into(),
    );
    about.insert("pixels_per_metre".to_owned(), scale.into());
    about.insert("origin".to_owned(), frame.to_json());
    plan.scene.root("Level", "Node2D", &about);
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
        plan.scene.node(".", folder, "Node2D", &[], &none);
    }
    if input.has_run() {
        let script = plan.scene.external("Script", "addons/wayloom/player_2d.gd");
        let properties = [("script", script)];
        plan.scene
            .node(".", "Recording", "Node2D", &properties, &none);
    }
    for (number, (kind, polygons)) in mesh.by_terrain().into_iter().enumerate() {
        let file = format!("navigation_2d_{number}.tres");
        let (vertices, corners) = own_vertices(&polygons);
        let points = vertices
            .iter()
            .map(|v| plan.point(mesh.vertices[*v as usize]));
        let text = format!(
            "vertices = {}\npolygons = Array[PackedInt32Array]({})\ncell_size = 0.5\nagent_radius = {}\n",
            vectors(points),
            indices(corners.iter().map(Vec::as_slice)),
            decimal::plain(mesh.radius * scale)
        );
        sink.write(&file, resource("NavigationPolygon", &text).into_bytes())?;
        let reference = plan.scene.external("NavigationPolygon", &file);
        let cost = mesh.cost(polygons[0]);
        let properties = [
            ("navigation_polygon", reference),
            ("use_edge_connections", "false".to_owned()),
            ("travel_cost", decimal::plain(cost)),
        ];
        let name = mesh.terrain_name(kind).to_owned();
        plan.scene.node(
            "Navigation",
            &name,
            "NavigationRegion2D",
            &properties,
            &none,
        );
    }
    for (id, link) in links_for(&input.level, mesh.profile) {
        let properties = link_properties(
            link,
            [link.from, link.to].map(|p| vector(plan.point(p.truncate()))),
        );
        let Value::Object(data) = link_extras(&input.level, link) else {
            continue;
        };
        let name = input.level.label(id);
        plan.scene
            .node("Links", &name, "NavigationLink2D", &properties, &data);
    }
    for part in parts(input) {
        plan.add(&part);
    }
    sink.write(SCENE, plan.scene.text().into_bytes())
}

/// The vertices that some polygons use, and the polygons in their numbers.
pub(super) fn own_vertices(
    polygons: &[&crate::exchange::nav_mesh::NavPolygon],
) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut vertices: Vec<u32> = polygons
        .iter()
        .flat_map(|p| p.corners.iter().copied())
        .collect();
    vertices.sort_unstable();
    vertices.dedup();
    let number = |corner: &u32| vertices.binary_search(corner).unwrap_or(0) as u32;
    let corners = polygons
        .iter()
        .map(|p| p.corners.iter().map(number).collect());
    let corners = corners.collect();
    (vertices, corners)
}

impl Plan<'_> {
    fn point(&self, p: DVec2) -> [f32; 2] {
        let p = self.frame.plan(p) * self.scale;
        [p.x as f32 + 0.0, -p.y as f32 + 0.0]
    }

    fn ring(&self, ring: &[DVec2]) -> String {
        vectors(ring.iter().map(|p| self.point(*p)))
    }

    fn add(&mut self, part: &Part) {
        let level = &*self.input.level;
        let Some(entity) = part.id.and_then(|id| level.get(id)) else {
            return;
        };
        let none = Map::new();
        match &entity.kind {
            Kind::Region(region) => {
                let look = self.look(&region.area, part);
                self.scene
                    .node("Terrain", &part.name, "Polygon2D", &look, &part.extras);
            }
            Kind::Obstacle(obstacle) => {
                let body =
                    self.scene
                        .node("Obstacles", &part.name, "StaticBody2D", &[], &part.extras);
                self.shapes(&body, &obstacle.area);
                let look = self.look(&obstacle.area, part);
                self.scene.node(&body, "Look", "Polygon2D", &look, &none);
            }
            Kind::Annotation(_) => {
                let Some(id) = part.id else { return };
                let area = self
                    .scene
                    .node("Areas", &part.name, "Area2D", &[], &part.extras);
                for polygon in annotation_area(level, id) {
                    self.shapes(&area, &polygon);
                }
            }
            Kind::Crowd(crowd) => {
                let area = self
                    .scene
                    .node("Agents", &part.name, "Area2D", &[], &part.extras);
                self.shapes(&area, &crowd.area);
            }
            Kind::Route(route) => {
                let curve = self.curve(route);
                let curve = self.scene.internal("Curve2D", &curve);
                let properties = [("curve", curve)];
                self.scene
                    .node("Routes", &part.name, "Path2D", &properties, &part.extras);
            }
            Kind::Agent(_) | Kind::Note(_) => {
                if let Shape::Place { at, heading } = part.shape {
                    let properties = [
                        ("position", vector(self.point(at.truncate()))),
                        ("rotation", decimal::plain(-heading)),
                    ];
                    self.scene
                        .node("Agents", &part.name, "Marker2D", &properties, &part.extras);
                }
            }
            _ => {}
        }
    }

    /// A polygon as it is seen; with holes, in triangles.
    fn look(&self, area: &Polygon, part: &Part) -> Vec<(&'static str, String)> {
        let mut properties = vec![("color", colour(part.colour))];
        if area.holes.is_empty() {
            properties.push(("polygon", self.ring(&area.outer)));
        } else {
            let flat = Triangulation::of_polygon(area);
            properties.push(("polygon", self.ring(&flat.points)));
            let triangles = flat.triangles.iter().map(<[u32; 3]>::as_slice);
            properties.push(("polygons", indices(triangles)));
        }
        properties
    }

    /// Shapes know no holes: such an area is divided into triangles.
    fn shapes(&mut self, parent: &str, area: &Polygon) {
        let none = Map::new();
        let rings: Vec<Vec<DVec2>> = if area.holes.is_empty() {
            vec![area.outer.clone()]
        } else {
            let flat = Triangulation::of_polygon(area);
            let corners = |t: &[u32; 3]| t.map(|i| flat.points[i as usize]).to_vec();
            flat.triangles.iter().map(corners).collect()
        };
        for ring in rings {
            let properties = [("polygon", self.ring(&ring))];
            self.scene
                .node(parent, "Shape", "CollisionPolygon2D", &properties, &none);
        }
    }

    fn curve(&self, route: &Route) -> String {
        let knots = knots(route);
        let offset = |from: DVec2, by: DVec2| {
            let [a, b] = [from, from + by].map(|p| self.point(p));
            [b[0] - a[0], b[1] - a[1]]
        };
        let points = knots.iter().flat_map(|[at, before, after]| {
            [offset(*at, *before), offset(*at, *after), self.point(*at)]
        });
        format!(
            "_data = {{\n\"points\": {}\n}}\npoint_count = {}\n",
            vectors(points),
            knots.len()
        )
    }
}

/// Places of a route with the handles before and after them; the first one again where it closes.
pub(super) fn knots(route: &Route) -> Vec<[DVec2; 3]> {
    let mut knots: Vec<[DVec2; 3]> = match &route.shape {
        RouteShape::Bezier(knots) => {
            let knot = |k: &crate::document::Knot| [k.point, k.handle_in, k.handle_out];
            knots.iter().map(knot).collect()
        }
        _ => {
            let line = crate::document::route_line::route_line(route);
            line.points()
                .iter()
                .map(|p| [*p, DVec2::ZERO, DVec2::ZERO])
                .collect()
        }
    };
    if route.closed && matches!(route.shape, RouteShape::Bezier(_)) {
        knots.extend(knots.first().copied());
    }
    knots
}
