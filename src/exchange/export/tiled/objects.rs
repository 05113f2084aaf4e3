//! A map before it is text.

use super::TiledExportOptions;
use super::terrain::{self, TerrainTiles};
use crate::document::annotation_area::annotation_area;
use crate::document::{Kind, Level};
use crate::exchange::export::parts::{Part, Shape, parts};
use crate::exchange::writer::ExportInput;
use crate::geometry::Polygon;
use crate::geometry::triangulation::Triangulation;
use glam::DVec2;
use serde_json::{Value, json};

/// Layers in the order of drawing, and what they hold.
const LAYERS: [(&str, &[&str]); 8] = [
    ("Terrain", &["region"]),
    ("Obstacles", &["obstacle", "solid"]),
    ("Areas", &["annotation"]),
    ("Routes", &["route"]),
    ("Links", &["link", "door"]),
    ("Places", &["exit", "waiting_area", "queue", "measurement"]),
    ("Agents", &["agent", "crowd"]),
    ("Notes", &["note"]),
];

pub(super) struct Map {
    pub tiles: [usize; 2],
    pub tile: usize,
    /// Of the map itself.
    pub properties: Vec<(String, Value)>,
    pub layers: Vec<Layer>,
    pub next_object: usize,
    /// Below all objects.
    pub terrain: Option<TerrainTiles>,
}

pub(super) struct Layer {
    pub name: &'static str,
    pub objects: Vec<Object>,
}

pub(super) struct Object {
    pub id: usize,
    pub name: String,
    pub class: &'static str,
    /// Unit: pixels, from the upper left corner.
    pub at: DVec2,
    pub outline: Outline,
    pub properties: Vec<(String, Value)>,
}

pub(super) enum Outline {
    Point,
    /// Relative to the object's place. Unit: pixels.
    Polygon(Vec<DVec2>),
    Polyline(Vec<DVec2>),
}

impl Map {
    pub fn of(input: &ExportInput, options: &TiledExportOptions, tiles: DVec2) -> Self {
        let level = &*input.level;
        let bounds = level.settings().bounds;
        let mut map = Self {
            tiles: [tiles.x.max(1.0) as usize, tiles.y.max(1.0) as usize],
            tile: options.tile,
            properties: vec![
                ("level".to_owned(), level.settings().name.clone().into()),
                (
                    "pixels_per_metre".to_owned(),
                    options.pixels_per_metre.into(),
                ),
                ("origin_x".to_owned(), bounds.min.x.into()),
                ("origin_y".to_owned(), bounds.max.y.into()),
            ],
            layers: LAYERS
                .iter()
                .map(|(name, _)| Layer {
                    name,
                    objects: Vec::new(),
                })
                .collect(),
            next_object: 1,
            terrain: None,
        };
        let pixel = |p: DVec2| {
            DVec2::new(p.x - bounds.min.x, bounds.max.y - p.y) * options.pixels_per_metre
        };
        for part in parts(input) {
            let holds = |(_, kinds): &(&str, &[&str])| kinds.contains(&part.kind);
            let Some(layer) = LAYERS.iter().position(holds) else {
                continue;
            };
            for (at, outline) in outlines(level, &part, pixel) {
                map.layers[layer].objects.push(Object {
                    id: map.next_object,
                    name: part.name.clone(),
                    class: part.kind,
                    at,
                    outline,
                    properties: properties(&part),
                });
                map.next_object += 1;
            }
        }
        map
    }

    pub fn to_json(&self) -> Value {
        let mut layers: Vec<Value> = (1..)
            .zip(&self.layers)
            .map(|(id, layer): (usize, &Layer)| {
                json!({
                    "id": id,
                    "name": layer.name,
                    "type": "objectgroup",
                    "draworder": "topdown",
                    "objects": layer.objects.iter().map(Object::to_json).collect::<Vec<_>>(),
                    "opacity": 1,
                    "visible": true,
                    "x": 0,
                    "y": 0,
                })
            })
            .collect();
        let mut tilesets = Vec::new();
        if let Some(terrain) = &self.terrain {
            let [width, height] = self.tiles;
            let layer = json!({
                "id": self.layers.len() + 1, "name": "Terrain tiles", "type": "tilelayer",
                "width": width, "height": height, "data": terrain.tiles,
                "opacity": 1, "visible": true, "x": 0, "y": 0,
            });
            layers.insert(0, layer);
            let count = terrain.kinds.len();
            let tiles: Vec<Value> = terrain
                .kinds
                .iter()
                .enumerate()
                .map(|(id, (name, _))| json!({ "id": id, "type": name }))
                .collect();
            tilesets.push(json!({
                "firstgid": 1, "name": "Terrain", "columns": count, "tilecount": count,
                "tilewidth": self.tile, "tileheight": self.tile, "spacing": 0, "margin": 0,
                "image": terrain::PICTURE, "imagewidth": count * self.tile,
                "imageheight": self.tile, "tiles": tiles,
            }));
        }
        json!({
            "type": "map",
            "version": "1.8",
            "tiledversion": "1.8.2",
            "orientation": "orthogonal",
            "renderorder": "right-down",
            "compressionlevel": -1,
            "infinite": false,
            "width": self.tiles[0],
            "height": self.tiles[1],
            "tilewidth": self.tile,
            "tileheight": self.tile,
            "nextlayerid": self.layers.len() + 2,
            "nextobjectid": self.next_object,
            "properties": json_properties(&self.properties),
            "layers": layers,
            "tilesets": tilesets,
        })
    }
}

impl Object {
    fn to_json(&self) -> Value {
        let mut object = json!({
            "id": self.id,
            "name": self.name,
            "type": self.class,
            "x": self.at.x,
            "y": self.at.y,
            "width": 0,
            "height": 0,
            "rotation": 0,
            "visible": true,
            "properties": json_properties(&self.properties),
        });
        let places = |points: &[DVec2]| -> Value {
            points
                .iter()
                .map(|p| json!({ "x": p.x, "y": p.y }))
                .collect()
        };
        match &self.outline {
            Outline::Point => object["point"] = true.into(),
            Outline::Polygon(points) => object["polygon"] = places(points),
            Outline::Polyline(points) => object["polyline"] = places(points),
        }
        object
    }
}

fn json_properties(properties: &[(String, Value)]) -> Value {
    properties
        .iter()
        .map(|(name, value)| json!({ "name": name, "type": type_of(value), "value": value }))
        .collect()
}

pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "int",
        _ => "string",
    }
}

/// Texts, numbers and switches; what is more than that as the JSON it is.
fn properties(part: &Part) -> Vec<(String, Value)> {
    part.extras
        .iter()
        .filter(|(key, _)| *key != "kind" && *key != "name")
        .map(|(key, value)| match value {
            Value::Array(_) | Value::Object(_) | Value::Null => {
                (key.clone(), value.to_string().into())
            }
            simple => (key.clone(), simple.clone()),
        })
        .collect()
}

fn outlines(level: &Level, part: &Part, pixel: impl Fn(DVec2) -> DVec2) -> Vec<(DVec2, Outline)> {
    let ring = |ring: &[DVec2]| {
        let at = pixel(ring[0]);
        let points = ring.iter().map(|p| pixel(*p) - at).collect();
        (at, Outline::Polygon(points))
    };
    // An object is one ring: an area with holes is divided into triangles.
    let area = |area: &Polygon| -> Vec<(DVec2, Outline)> {
        if area.holes.is_empty() {
            return vec![ring(&area.outer)];
        }
        let flat = Triangulation::of_polygon(area);
        let corners = |t: &[u32; 3]| t.map(|i| flat.points[i as usize]);
        flat.triangles.iter().map(|t| ring(&corners(t))).collect()
    };
    let kind = part
        .id
        .and_then(|id| level.get(id))
        .map(|entity| &entity.kind);
    match (kind, &part.shape) {
        (Some(Kind::Region(region)), _) => area(&region.area),
        (Some(Kind::Obstacle(obstacle)), _) => area(&obstacle.area),
        (Some(Kind::Solid(solid)), _) => vec![ring(&solid.footprint())],
        (Some(Kind::Crowd(crowd)), _) => area(&crowd.area),
        (Some(Kind::Annotation(_)), _) => {
            let areas = part.id.map(|id| annotation_area(level, id));
            areas.iter().flatten().flat_map(area).collect()
        }
        (_, Shape::Line { points, .. }) if points.len() > 1 => {
            let at = pixel(points[0].truncate());
            let points = points.iter().map(|p| pixel(p.truncate()) - at).collect();
            vec![(at, Outline::Polyline(points))]
        }
        (_, Shape::Place { at, .. }) => vec![(pixel(at.truncate()), Outline::Point)],
        _ => Vec::new(),
    }
}
