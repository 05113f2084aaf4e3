//! glTF 2.0 in one binary file: every body a node with its name, colour and `extras`, and the
//! navigation mesh as a node whose name ends with `-navmesh`, which Godot turns into one of its own.

use super::frame::Frame;
use super::left_out::LeftOut;
use super::parts::{self, Contents, NavTriangles, Part, Shape};
use super::{ExportError, Exported};
use crate::base::{Colour, Quantity, Unit};
use crate::document::Level;
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use glam::DVec3;
use serde_json::{Value, json};

const DETAIL: Quantity = Quantity::new("longest side", Unit::Metre, 0.1, 10_000.0, 4.0);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlbExportOptions {
    pub contents: Contents,
    /// The first one if `None`.
    pub profile: Option<String>,
    /// Longest side of polygons where terrain or heights vary. Unit: metres.
    pub detail: Option<f64>,
}

impl FormatOptions for GlbExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["contents", "Contents", "What the file is to hold"],
            Contents::CHOICES,
            |o| o.contents.id(),
            |o, id| o.contents = Contents::named(id),
        ),
        Field::profile(super::PROFILE_WORDS, |o| &mut o.profile),
        Field::automatic_number(super::DETAIL_WORDS, DETAIL, |o: &mut Self| &mut o.detail)
            .advanced(),
    ];
}

#[derive(Debug)]
pub struct GlbWriter;

impl Writer for GlbWriter {
    type Options = GlbExportOptions;

    fn left_out(&self, level: &Level, options: &Self::Options) -> Vec<LeftOut> {
        parts::beside_bodies(level, options.contents)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let frame = Frame::of(input.level.settings().bounds);
        let mut file = Glb::new(frame);
        let mut exported = Exported {
            warnings: frame.remarks(),
            ..Exported::default()
        };
        if options.contents.has_navigation() {
            let profile = options.profile.as_deref();
            let nav = NavTriangles::bake(input, profile, options.detail, ctx)?;
            exported
                .summary
                .push(format!("Navigation mesh: {}", nav.mesh.summary()));
            exported.details = super::mesh_details(&nav.mesh, frame);
            let places: Vec<DVec3> = nav.mesh.places().collect();
            let name = format!("{}-navmesh", input.level.settings().name);
            let mesh = file.mesh(&name, &places, &nav.triangles, parts::NAVIGATION);
            file.add_node(&name, json!({ "mesh": mesh, "extras": nav.extras }));
        }
        if options.contents.has_level() {
            let parts = parts::parts(input);
            exported.summary.push(format!("{} things", parts.len()));
            for part in &parts {
                ctx.checkpoint()?;
                file.add(part);
            }
        }
        sink.write_main(file.bytes(&input.level.settings().name)?)?;
        Ok(exported)
    }
}

/// The file under construction.
struct Glb {
    frame: Frame,
    buffer: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<(Colour, Value)>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
}

/// Of the specification's tables.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const LINE_STRIP: u32 = 3;
const LINE_LOOP: u32 = 2;

impl Glb {
    const fn new(frame: Frame) -> Self {
        Self {
            frame,
            buffer: Vec::new(),
            views: Vec::new(),
            accessors: Vec::new(),
            materials: Vec::new(),
            meshes: Vec::new(),
            nodes: Vec::new(),
        }
    }

    fn add(&mut self, part: &Part) {
        let mut node = json!({});
        match &part.shape {
            Shape::Body(body) if body.triangles.is_empty() => return,
            Shape::Body(body) => {
                let mesh = self.mesh(&part.name, &body.vertices, &body.triangles, part.colour);
                node["mesh"] = mesh.into();
            }
            Shape::Line { points, closed } if points.len() > 1 => {
                let mode = if *closed { LINE_LOOP } else { LINE_STRIP };
                let position = self.positions(points);
                let material = self.material(part.colour);
                self.meshes.push(json!({
                    "name": part.name,
                    "primitives": [{
                        "attributes": { "POSITION": position },
                        "material": material,
                        "mode": mode,
                    }],
                }));
                node["mesh"] = (self.meshes.len() - 1).into();
            }
            Shape::Line { .. } => return,
            Shape::Place { at, heading } => {
                node["translation"] = json!(self.frame.y_up(*at));
                let half = 0.5 * heading;
                // About +y; the front of a glTF model is +z, ours +x.
                let turn = half + 0.25 * std::f64::consts::PI;
                node["rotation"] = json!([0.0, turn.sin() as f32, 0.0, turn.cos() as f32]);
            }
        }
        if !part.extras.is_empty() {
            node["extras"] = part.extras.clone().into();
        }
        self.add_node(&part.name, node);
    }

    fn add_node(&mut self, name: &str, mut node: Value) {
        node["name"] = name.into();
        self.nodes.push(node);
    }

    /// A mesh of triangles.
    fn mesh(
        &mut self,
        name: &str,
        places: &[DVec3],
        triangles: &[[u32; 3]],
        colour: Colour,
    ) -> usize {
        let position = self.positions(places);
        let indices: Vec<u8> = triangles
            .iter()
            .flatten()
            .flat_map(|i| i.to_le_bytes())
            .collect();
        let view = self.view(&indices, ELEMENT_ARRAY_BUFFER);
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": UNSIGNED_INT,
            "count": 3 * triangles.len(),
            "type": "SCALAR",
        }));
        let indices = self.accessors.len() - 1;
        let material = self.material(colour);
        self.meshes.push(json!({
            "name": name,
            "primitives": [{
                "attributes": { "POSITION": position },
                "indices": indices,
                "material": material,
            }],
        }));
        self.meshes.len() - 1
    }

    fn positions(&mut self, places: &[DVec3]) -> usize {
        let places: Vec<[f32; 3]> = places.iter().map(|p| self.frame.y_up(*p)).collect();
        let bound = |pick: fn(f32, f32) -> f32| {
            places
                .iter()
                .copied()
                .reduce(|a, b| [0, 1, 2].map(|i| pick(a[i], b[i])))
        };
        let bytes: Vec<u8> = places
            .iter()
            .flatten()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        let (min, max) = (bound(f32::min), bound(f32::max));
        let view = self.view(&bytes, ARRAY_BUFFER);
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": FLOAT,
            "count": places.len(),
            "type": "VEC3",
            "min": min,
            "max": max,
        }));
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8], target: u32) -> usize {
        self.views.push(json!({
            "buffer": 0,
            "byteOffset": self.buffer.len(),
            "byteLength": bytes.len(),
            "target": target,
        }));
        self.buffer.extend(bytes);
        self.views.len() - 1
    }

    /// One for each colour.
    fn material(&mut self, colour: Colour) -> usize {
        if let Some(known) = self
            .materials
            .iter()
            .position(|(known, _)| *known == colour)
        {
            return known;
        }
        let linear = [colour.r, colour.g, colour.b].map(|v| linear(f32::from(v) / 255.0));
        let [r, g, b] = linear;
        self.materials.push((
            colour,
            json!({
                "name": colour.to_string(),
                "pbrMetallicRoughness": {
                    "baseColorFactor": [r, g, b, 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.9,
                },
                "doubleSided": true,
            }),
        ));
        self.materials.len() - 1
    }

    fn bytes(self, name: &str) -> Result<Vec<u8>, ExportError> {
        let Self {
            frame, mut buffer, ..
        } = self;
        let nodes: Vec<usize> = (0..self.nodes.len()).collect();
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "Wayloom" },
            "scene": 0,
            "scenes": [{ "name": name, "extras": { "origin": frame.to_json(), "unit": "metre" } }],
        });
        // Empty lists are not allowed.
        let lists = [
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            (
                "materials",
                self.materials.into_iter().map(|(_, m)| m).collect(),
            ),
            ("accessors", self.accessors),
            ("bufferViews", self.views),
        ];
        for (key, list) in lists {
            if !list.is_empty() {
                document[key] = list.into();
            }
        }
        if !nodes.is_empty() {
            document["scenes"][0]["nodes"] = json!(nodes);
        }
        pad(&mut buffer, 0);
        if !buffer.is_empty() {
            document["buffers"] = json!([{ "byteLength": buffer.len() }]);
        }
        let mut text = serde_json::to_vec(&document)
            .map_err(|error| ExportError::Refused(error.to_string()))?;
        pad(&mut text, b' ');
        let mut file = b"glTF".to_vec();
        let total = 12
            + 8
            + text.len()
            + if buffer.is_empty() {
                0
            } else {
                8 + buffer.len()
            };
        let too_large =
            || ExportError::Refused("the level is larger than the 4 GB of a GLB file".to_owned());
        let total = u32::try_from(total).map_err(|_| too_large())?;
        file.extend(2_u32.to_le_bytes());
        file.extend(total.to_le_bytes());
        file.extend((text.len() as u32).to_le_bytes());
        file.extend(b"JSON");
        file.extend(text);
        if !buffer.is_empty() {
            file.extend((buffer.len() as u32).to_le_bytes());
            file.extend(b"BIN\0");
            file.extend(buffer);
        }
        Ok(file)
    }
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

/// From the encoding of sRGB to light.
fn linear(value: f32) -> f32 {
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}
