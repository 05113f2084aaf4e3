//! Wavefront OBJ: triangles by name, with colours at the vertices, which most programs read.

use super::frame::{Frame, number};
use super::left_out::LeftOut;
use super::names::{Names, plain};
use super::parts::{self, Shape};
use super::scene::{Scene, SceneOptions, beside_scene};
use super::{ExportError, Exported};
use crate::base::Colour;
use crate::document::{Kind, Level};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use glam::DVec3;
use std::fmt::Write as _;

#[derive(Debug)]
pub struct ObjWriter;

impl Writer for ObjWriter {
    type Options = SceneOptions;

    fn left_out(&self, level: &Level, options: &Self::Options) -> Vec<LeftOut> {
        let mut found = beside_scene(level, options);
        if options.contents.has_level() {
            let reason = |entity: &crate::document::Entity| {
                matches!(entity.kind, Kind::Agent(_) | Kind::Note(_))
                    .then_some("OBJ has no points with names")
            };
            found.extend(super::left_out::left_out(level, &reason, None));
        }
        found
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let scene = Scene::of(input, options, ctx)?;
        let mut file = Obj {
            frame: scene.frame,
            text: "# Wayloom, metres, y up\n".to_owned(),
            names: Names::default(),
            vertices: 0,
            before: 0,
        };
        for part in &scene.parts {
            ctx.checkpoint()?;
            match &part.shape {
                Shape::Body(body) => {
                    file.begin(&part.name, part.kind);
                    file.add(&body.vertices, part.colour);
                    file.faces(&body.triangles);
                }
                Shape::Line { points, closed } => {
                    file.begin(&part.name, part.kind);
                    file.line(points, *closed, part.colour);
                }
                Shape::Place { .. } => {}
            }
        }
        if let Some(nav) = scene.navigation {
            file.begin("navmesh", "navmesh");
            let places: Vec<DVec3> = nav.mesh.places().collect();
            file.add(&places, parts::NAVIGATION);
            file.faces(&nav.triangles);
        }
        sink.write_main(file.text.into_bytes())?;
        Ok(scene.exported)
    }
}

struct Obj {
    frame: Frame,
    text: String,
    names: Names,
    /// So many have been written; faces count from 1.
    vertices: usize,
    /// So many before the last ones were added.
    before: usize,
}

impl Obj {
    fn begin(&mut self, name: &str, kind: &str) {
        let name = self.names.unique(plain(name, &['#', '\\'], kind));
        let _ = writeln!(self.text, "o {name}");
    }

    fn add(&mut self, places: &[DVec3], colour: Colour) {
        let shade = [colour.r, colour.g, colour.b].map(|v| f64::from(v) / 255.0);
        for place in places {
            let [x, y, z] = self.frame.y_up(*place).map(number);
            let [r, g, b] = shade;
            let _ = writeln!(self.text, "v {x} {y} {z} {r:.3} {g:.3} {b:.3}");
        }
        self.before = self.vertices;
        self.vertices += places.len();
    }

    /// Of the vertices that were added last.
    fn faces(&mut self, triangles: &[[u32; 3]]) {
        for triangle in triangles {
            let [a, b, c] = triangle.map(|corner| corner as usize + self.before + 1);
            let _ = writeln!(self.text, "f {a} {b} {c}");
        }
    }

    fn line(&mut self, points: &[DVec3], closed: bool, colour: Colour) {
        if points.len() < 2 {
            return;
        }
        let first = self.vertices + 1;
        self.add(points, colour);
        self.text.push('l');
        let last = closed.then_some(first);
        for index in (first..=self.vertices).chain(last) {
            let _ = write!(self.text, " {index}");
        }
        self.text.push('\n');
    }
}
