//! Universal Scene Description as text (`.usda`): z up, metres, every thing a prim with its name.

use super::left_out::LeftOut;
use super::names::{Names, identifier, quoted};
use super::parts::{self, Contents, NavTriangles, Shape};
use super::{ExportError, Exported};
use crate::base::{Colour, decimal};
use crate::document::Level;
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use glam::DVec3;
use serde_json::{Map, Value};
use std::fmt::Write as _;

use super::frame::Frame;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsdExportOptions {
    pub contents: Contents,
    /// The first one if `None`.
    pub profile: Option<String>,
}

impl FormatOptions for UsdExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["contents", "Contents", "What the file is to hold"],
            Contents::CHOICES,
            |o| o.contents.id(),
            |o, id| o.contents = Contents::named(id),
        ),
        Field::profile(super::PROFILE_WORDS, |o| &mut o.profile),
    ];
}

#[derive(Debug)]
pub struct UsdWriter;

impl Writer for UsdWriter {
    type Options = UsdExportOptions;

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
        let name = &input.level.settings().name;
        let mut file = Usd {
            frame,
            text: format!(
                "#usda 1.0\n(\n    defaultPrim = \"Level\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n\n\
                 def Xform \"Level\" (\n    customData = {{\n        string name = {}\n    }}\n)\n{{\n",
                quoted(name)
            ),
            names: Names::default(),
        };
        let mut exported = Exported {
            warnings: frame.remarks(),
            ..Exported::default()
        };
        if options.contents.has_navigation() {
            let nav = NavTriangles::bake(input, options.profile.as_deref(), None, ctx)?;
            exported
                .summary
                .push(format!("Navigation mesh: {}", nav.mesh.summary()));
            exported.details = super::mesh_details(&nav.mesh, frame);
            let places: Vec<DVec3> = nav.mesh.places().collect();
            let mut data = nav.extras;
            data.remove("terrains");
            file.mesh("NavMesh", &data, &places, &nav.triangles, parts::NAVIGATION);
        }
        if options.contents.has_level() {
            for part in parts::parts(input) {
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
        }
        file.text.push_str("}\n");
        sink.write_main(file.text.into_bytes())?;
        Ok(exported)
    }
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
