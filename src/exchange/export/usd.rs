//! Universal Scene Description as text (`.usda`): z up, metres, every thing a prim with its name.

use super::left_out::LeftOut;
use super::names::{Names, identifier, quoted};
use super::parts::{self, Shape};
use super::scene::{AnimatedSceneOptions, Scene, beside_scene};
use super::{ExportError, Exported};
use crate::base::{Colour, decimal};
use crate::document::Level;
use crate::exchange::motion::{Motion, Walker};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use glam::DVec3;
use serde_json::{Map, Value};
use std::fmt::Write as _;

use super::frame::Frame;

#[derive(Debug)]
pub struct UsdWriter;

impl Writer for UsdWriter {
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
        let mut file = Usd {
            frame: scene.frame,
            text: head(&input.level.settings().name, scene.motion.as_ref()),
            names: Names::default(),
        };
        if let Some(nav) = scene.navigation {
            let places: Vec<DVec3> = nav.mesh.places().collect();
            let mut data = nav.extras;
            data.remove("terrains");
            file.mesh("NavMesh", &data, &places, &nav.triangles, parts::NAVIGATION);
        }
        for part in &scene.parts {
            ctx.checkpoint()?;
            let otherwise = part.id.map_or_else(
                || part.kind.to_owned(),
                |id| format!("{}_{}", part.kind, id.number()),
            );
            let name = identifier(&part.name, &otherwise);
            match &part.shape {
                Shape::Body(body) => {
                    file.mesh(
                        &name,
                        &part.extras,
                        &body.vertices,
                        &body.triangles,
                        part.colour,
                    );
                }
                Shape::Line { points, closed } => {
                    file.line(&name, &part.extras, points, *closed, part.colour);
                }
                Shape::Place { at, heading } => file.place(&name, &part.extras, *at, *heading),
            }
        }
        if let Some(motion) = &scene.motion {
            for walker in &motion.walkers {
                ctx.checkpoint()?;
                file.walker(walker, motion.frames);
            }
        }
        file.text.push_str("}\n");
        sink.write_main(file.text.into_bytes())?;
        Ok(scene.exported)
    }
}

/// Of the file: with a clock, if something moves.
fn head(name: &str, motion: Option<&Motion>) -> String {
    let clock = motion.map_or_else(String::new, |motion| {
        let rate = motion.rate();
        let last = motion.frames.saturating_sub(1);
        format!(
            "    startTimeCode = 0\n    endTimeCode = {last}\n    \
             timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n"
        )
    });
    format!(
        "#usda 1.0\n(\n    defaultPrim = \"Level\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n{clock})\n\n\
         def Xform \"Level\" (\n    customData = {{\n        string name = {}\n    }}\n)\n{{\n",
        quoted(name)
    )
}

struct Usd {
    frame: Frame,
    text: String,
    names: Names,
}

impl Usd {
    fn begin(&mut self, kind: &str, name: &str, data: &Map<String, Value>) {
        let name = self.names.unique(name.to_owned());
        let _ = write!(self.text, "    def {kind} \"{name}\"");
        let lines: Vec<String> = data
            .iter()
            .filter_map(|(key, value)| entry(key, value))
            .collect();
        if !lines.is_empty() {
            let _ = write!(
                self.text,
                " (\n        customData = {{\n{}        }}\n    )",
                lines.concat()
            );
        }
        self.text.push_str("\n    {\n");
    }

    fn points(&self, places: &[DVec3]) -> String {
        let points: Vec<String> = places.iter().map(|p| self.place_text(*p)).collect();
        points.join(", ")
    }

    fn place_text(&self, p: DVec3) -> String {
        let flat = self.frame.plan(p.truncate());
        let [x, y, z] = [flat.x, flat.y, p.z].map(decimal::plain);
        format!("({x}, {y}, {z})")
    }

    fn colour(&mut self, colour: Colour) {
        let [r, g, b] = [colour.r, colour.g, colour.b].map(|v| f64::from(v) / 255.0);
        let _ = writeln!(
            self.text,
            "        color3f[] primvars:displayColor = [({r:.4}, {g:.4}, {b:.4})]"
        );
    }

    fn mesh(
        &mut self,
        name: &str,
        data: &Map<String, Value>,
        places: &[DVec3],
        triangles: &[[u32; 3]],
        colour: Colour,
    ) {
        if triangles.is_empty() {
            return;
        }
        self.begin("Mesh", name, data);
        let counts = vec!["3"; triangles.len()].join(", ");
        let indices: Vec<String> = triangles.iter().flatten().map(u32::to_string).collect();
        let points = self.points(places);
        let _ = writeln!(
            self.text,
            "        uniform token subdivisionScheme = \"none\"\n        \
             uniform bool doubleSided = 1\n        \
             int[] faceVertexCounts = [{counts}]\n        \
             int[] faceVertexIndices = [{}]\n        \
             point3f[] points = [{points}]",
            indices.join(", ")
        );
        self.extent(places);
        self.colour(colour);
        self.text.push_str("    }\n");
    }

    fn extent(&mut self, places: &[DVec3]) {
        let low = places
            .iter()
            .copied()
            .reduce(DVec3::min)
            .unwrap_or_default();
        let high = places
            .iter()
            .copied()
            .reduce(DVec3::max)
            .unwrap_or_default();
        let extent = self.points(&[low, high]);
        let _ = writeln!(self.text, "        float3[] extent = [{extent}]");
    }

    fn line(
        &mut self,
        name: &str,
        data: &Map<String, Value>,
        points: &[DVec3],
        closed: bool,
        colour: Colour,
    ) {
        if points.len() < 2 {
            return;
        }
        self.begin("BasisCurves", name, data);
        let wrap = if closed { "periodic" } else { "nonperiodic" };
        let text = self.points(points);
        let _ = writeln!(
            self.text,
            "        uniform token type = \"linear\"\n        uniform token wrap = \"{wrap}\"\n        \
             int[] curveVertexCounts = [{}]\n        point3f[] points = [{text}]\n        \
             float[] widths = [0.05] (\n            interpolation = \"constant\"\n        )",
            points.len()
        );
        self.extent(points);
        self.colour(colour);
        self.text.push_str("    }\n");
    }

    /// An agent that moves, there from its first to its last frame.
    fn walker(&mut self, walker: &Walker, frames: usize) {
        let mut data = Map::new();
        data.insert("kind".to_owned(), "walker".into());
        data.insert("name".to_owned(), walker.name.clone().into());
        data.insert("number".to_owned(), walker.number.into());
        let name = identifier(&format!("Walker_{}", walker.number), "Walker");
        self.begin("Xform", &name, &data);
        let places = walker.points.iter().map(|p| self.place_text(*p));
        let places = samples((walker.first..).zip(places));
        let headings = walker.headings().into_iter();
        let turns = headings.map(|angle| decimal::fixed(angle.to_degrees(), 2));
        let turns = samples((walker.first..).zip(turns));
        let end = walker.first + walker.points.len();
        let mut shown = vec![(walker.first, "\"inherited\"".to_owned())];
        if walker.first > 0 {
            shown.insert(0, (0, "\"invisible\"".to_owned()));
        }
        if end < frames {
            shown.push((end, "\"invisible\"".to_owned()));
        }
        let shown = samples(shown.into_iter());
        let _ = writeln!(
            self.text,
            "        double3 xformOp:translate.timeSamples = {places}\n        \
             float xformOp:rotateZ.timeSamples = {turns}\n        \
             token visibility.timeSamples = {shown}\n        \
             uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateZ\"]\n        \
             def Capsule \"Body\"\n        {{"
        );
        let radius = walker.radius.min(0.5 * walker.height);
        let middle = decimal::plain(0.5 * walker.height);
        let [across, up] = [radius, 0.5 * walker.height].map(decimal::plain);
        let _ = writeln!(
            self.text,
            "        uniform token axis = \"Z\"\n        double radius = {across}\n        \
             double height = {}\n        \
             float3[] extent = [(-{across}, -{across}, -{up}), ({across}, {across}, {up})]\n        \
             double3 xformOp:translate = (0, 0, {middle})\n        \
             uniform token[] xformOpOrder = [\"xformOp:translate\"]",
            decimal::plain(walker.height - 2.0 * radius)
        );
        self.colour(walker.colour);
        self.text.push_str("        }\n    }\n");
    }

    fn place(&mut self, name: &str, data: &Map<String, Value>, at: DVec3, heading: f64) {
        self.begin("Xform", name, data);
        let at = self.place_text(at);
        let _ = writeln!(
            self.text,
            "        double3 xformOp:translate = {at}\n        \
             float xformOp:rotateZ = {}\n        \
             uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateZ\"]\n    }}",
            decimal::plain(heading.to_degrees())
        );
    }
}

/// A value for each time code.
fn samples(values: impl Iterator<Item = (usize, String)>) -> String {
    let lines: Vec<String> = values
        .map(|(frame, value)| format!("            {frame}: {value},\n"))
        .collect();
    format!("{{\n{}        }}", lines.concat())
}

/// A line of a dictionary; lists of lists are left to other formats.
fn entry(key: &str, value: &Value) -> Option<String> {
    let (kind, text) = match value {
        Value::String(text) => ("string", quoted(text)),
        Value::Bool(is) => ("bool", i32::from(*is).to_string()),
        Value::Number(number) if number.is_f64() => ("double", number.to_string()),
        Value::Number(number) => ("int", number.to_string()),
        Value::Array(items) if !items.is_empty() => {
            let words: Option<Vec<String>> = items.iter().map(|i| i.as_str().map(quoted)).collect();
            ("string[]", format!("[{}]", words?.join(", ")))
        }
        _ => return None,
    };
    Some(format!("            {kind} {key} = {text}\n"))
}
