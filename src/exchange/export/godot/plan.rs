//! The scene in 2D: pixels, y down.

use super::scaffold::{Dimension, add_links, add_region, begin, own_vertices, rings_without_holes};
use super::text::{Scene, colour, indices, resource, vector, vectors};
use crate::base::decimal;
use crate::document::annotation_area::annotation_area;
use crate::document::{Kind, Route, RouteShape};
use crate::exchange::export::ExportError;
use crate::exchange::export::frame::Frame;
use crate::exchange::export::parts::{Part, Shape, parts};
use crate::exchange::nav_mesh::NavMesh;
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::ExportInput;
use crate::geometry::Polygon;
use crate::geometry::triangulation::Triangulation;
use glam::{DVec2, DVec3};
use serde_json::Map;

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
    begin(&mut plan.scene, Dimension::Plan, input, frame, Some(scale));
    for (number, (_, polygons)) in mesh.by_terrain().into_iter().enumerate() {
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
        add_region(&mut plan.scene, Dimension::Plan, &file, mesh, polygons[0]);
    }
    let corner = |p: DVec3| vector(point(frame, scale, p.truncate()));
    add_links(&mut plan.scene, Dimension::Plan, input, mesh, corner);
    for part in parts(input) {
        plan.add(&part);
    }
    sink.write(SCENE, plan.scene.text().into_bytes())
}

/// In pixels, y down.
fn point(frame: Frame, scale: f64, p: DVec2) -> [f32; 2] {
    let p = frame.plan(p) * scale;
    [p.x as f32 + 0.0, -p.y as f32 + 0.0]
}

impl Plan<'_> {
    fn point(&self, p: DVec2) -> [f32; 2] {
        point(self.frame, self.scale, p)
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

    fn shapes(&mut self, parent: &str, area: &Polygon) {
        let none = Map::new();
        for ring in rings_without_holes(area) {
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
