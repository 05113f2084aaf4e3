//! glTF 2.0 in one binary file: every body a node with its name, colour and `extras`, and the
//! navigation mesh as a node whose name ends with `-navmesh`, which Godot turns into one of its own.

use super::frame::Frame;
use super::left_out::LeftOut;
use super::parts::{self, Part, Shape};
use super::scene::{AnimatedSceneOptions, Scene, beside_scene, body};
use super::{ExportError, Exported};
use crate::base::Colour;
use crate::document::Level;
use crate::exchange::motion::{Motion, Walker};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use glam::DVec3;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Debug)]
pub struct GlbWriter;

impl Writer for GlbWriter {
    type Options = AnimatedSceneOptions;

    fn takes_recording(&self) -> bool {
        true
    }

    fn left_out(&self, level: &Level, options: &Self::Options) -> Vec<LeftOut> {
        beside_scene(level, &options.scene)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let scene = Scene::animated(input, options, ctx)?;
        let level_name = &input.level.settings().name;
        let mut file = Glb::new(scene.frame);
        if let Some(nav) = scene.navigation {
            let places: Vec<DVec3> = nav.mesh.places().collect();
            let name = format!("{level_name}-navmesh");
            let mesh = file.mesh(&name, &places, &nav.triangles, parts::NAVIGATION);
            file.add_node(&name, json!({ "mesh": mesh, "extras": nav.extras }));
        }
        for part in &scene.parts {
            ctx.checkpoint()?;
            file.add(part);
        }
        if let Some(motion) = &scene.motion {
            file.animate(motion, ctx)?;
        }
        sink.write_main(file.bytes(level_name)?)?;
        Ok(scene.exported)
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
    animations: Vec<Value>,
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
            animations: Vec::new(),
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
                // The front of a glTF model is +z, ours +x.
                node["rotation"] = json!(turned(*heading + 0.5 * std::f64::consts::PI));
            }
        }
        if !part.extras.is_empty() {
            node["extras"] = part.extras.clone().into();
        }
        self.add_node(&part.name, node);
    }

    /// Agents as nodes that an animation moves; a body for each size and colour.
    fn animate(&mut self, motion: &Motion, ctx: &JobContext) -> Result<(), ExportError> {
        let mut bodies: Vec<(Colour, [u64; 2], usize)> = Vec::new();
        let mut times: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for walker in &motion.walkers {
            ctx.checkpoint()?;
            let size = [walker.radius, walker.height].map(f64::to_bits);
            let known = bodies
                .iter()
                .find(|(colour, known, _)| *colour == walker.colour && *known == size);
            let mesh = known.map(|(.., mesh)| *mesh).unwrap_or_else(|| {
                let shape = body(walker);
                // A body stands at its own origin, not at that of the level.
                let frame = std::mem::replace(&mut self.frame, Frame::at_origin());
                let mesh = self.mesh("Agent", &shape.vertices, &shape.triangles, walker.colour);
                self.frame = frame;
                bodies.push((walker.colour, size, mesh));
                mesh
            });
            let node = self.nodes.len();
            self.add_node(
                &walker.name,
                json!({
                    "mesh": mesh,
                    "translation": self.frame.y_up(walker.points[0]),
                    "extras": { "kind": "walker", "number": walker.number },
                }),
            );
            let span = [walker.first, walker.points.len()];
            let input = *times.entry(span).or_insert_with(|| {
                let frames = walker.first..walker.first + walker.points.len();
                self.scalars(frames.map(|frame| (frame as f64 * motion.interval) as f32))
            });
            let places: Vec<[f32; 3]> = walker.points.iter().map(|p| self.frame.y_up(*p)).collect();
            let places = self.vectors(&places, "VEC3");
            let turns: Vec<[f32; 4]> = walker.headings().into_iter().map(turned).collect();
            let turns = self.vectors(&turns, "VEC4");
            let mut channel = |path: &str, sampler: Value| {
                channels.push(json!({
                    "sampler": samplers.len(), "target": { "node": node, "path": path },
                }));
                samplers.push(sampler);
            };
            channel("translation", json!({ "input": input, "output": places }));
            channel("rotation", json!({ "input": input, "output": turns }));
            let (shown, sizes) = presence(walker, motion);
            if shown.len() > 1 {
                let input = self.scalars(shown.into_iter());
                let output = self.vectors(&sizes, "VEC3");
                let sampler = json!({ "input": input, "output": output, "interpolation": "STEP" });
                channel("scale", sampler);
            }
        }
        self.animations.push(json!({
            "name": "Recording", "samplers": samplers, "channels": channels,
        }));
        Ok(())
    }

    /// Times of an animation.
    fn scalars(&mut self, values: impl Iterator<Item = f32>) -> usize {
        let values: Vec<[f32; 1]> = values.map(|value| [value]).collect();
        let index = self.vectors(&values, "SCALAR");
        let ends = [values.first(), values.last()].map(|v| v.copied().unwrap_or([0.0]));
        self.accessors[index]["min"] = json!(ends[0]);
        self.accessors[index]["max"] = json!(ends[1]);
        index
    }

    /// Values of an animation.
    fn vectors<const N: usize>(&mut self, values: &[[f32; N]], kind: &str) -> usize {
        let bytes: Vec<u8> = values
            .iter()
            .flatten()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        let view = self.view(&bytes, None);
        self.accessors.push(json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": kind,
        }));
        self.accessors.len() - 1
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
        let view = self.view(&indices, Some(ELEMENT_ARRAY_BUFFER));
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
        let view = self.view(&bytes, Some(ARRAY_BUFFER));
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

    /// What a graphics card takes has a target.
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view = json!({
            "buffer": 0,
            "byteOffset": self.buffer.len(),
            "byteLength": bytes.len(),
        });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(view);
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
            ("animations", self.animations),
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

/// A turn about the axis that points up.
fn turned(angle: f64) -> [f32; 4] {
    let (sin, cos) = (0.5 * angle).sin_cos();
    [0.0, sin as f32, 0.0, cos as f32]
}

/// When an agent is there, as a scale: times and sizes.
fn presence(walker: &Walker, motion: &Motion) -> (Vec<f32>, Vec<[f32; 3]>) {
    let time = |frame: usize| (frame as f64 * motion.interval) as f32;
    let (mut times, mut sizes) = (Vec::new(), Vec::new());
    let mut at = |frame: usize, size: f32| {
        times.push(time(frame));
        sizes.push([size; 3]);
    };
    if walker.first > 0 {
        at(0, 0.0);
    }
    at(walker.first, 1.0);
    let end = walker.first + walker.points.len();
    if end < motion.frames {
        at(end, 0.0);
    }
    (times, sizes)
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
