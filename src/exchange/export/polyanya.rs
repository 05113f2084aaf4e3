//! Navigation meshes for Polyanya (Cui, Harabor and Grastien 2017), version 2; Bevy's
//! `vleue_navigator` reads them as well.

use super::frame::{Frame, number};
use super::left_out::{self, LeftOut, MeshCarries};
use super::{ExportError, Exported};
use crate::document::Level;
use crate::exchange::nav_mesh::{Division, NavMesh};
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use std::fmt::Write as _;

/// Larger polygons make fewer steps; the format sets no limit.
const CORNERS: usize = 16;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolyanyaExportOptions {
    /// The first one if `None`.
    pub profile: Option<String>,
}

impl FormatOptions for PolyanyaExportOptions {
    const FIELDS: &'static [Field<Self>] =
        &[Field::profile(super::PROFILE_WORDS, |o| &mut o.profile)];
}

#[derive(Debug)]
pub struct PolyanyaWriter;

impl Writer for PolyanyaWriter {
    type Options = PolyanyaExportOptions;

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        left_out::beside_a_mesh(level, MeshCarries::default())
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let division = Division {
            // One price everywhere: nothing is gained by small polygons.
            detail: Some(f64::INFINITY),
            by_terrain: false,
            ..Division::with_corners(CORNERS)
        };
        let mesh = NavMesh::bake(&input.level, options.profile.as_deref(), &division, ctx)?;
        let frame = Frame::of(input.level.settings().bounds);
        sink.write_main(text(&mesh, frame).into_bytes())?;
        Ok(Exported {
            warnings: frame.remarks(),
            summary: vec![format!("Polyanya mesh: {}", mesh.summary())],
            details: super::mesh_details(&mesh, frame),
            ..Exported::default()
        })
    }
}

fn text(mesh: &NavMesh, frame: Frame) -> String {
    let around = polygons_around(mesh);
    let mut text = format!("mesh\n2\n{} {}\n", mesh.vertices.len(), mesh.polygons.len());
    for (vertex, around) in mesh.vertices.iter().zip(around) {
        let p = frame.plan(*vertex);
        let _ = write!(
            text,
            "{} {} {}",
            number(p.x as f32),
            number(p.y as f32),
            around.len()
        );
        for polygon in around {
            let _ = write!(text, " {polygon}");
        }
        text.push('\n');
    }
    for polygon in &mesh.polygons {
        let count = polygon.corners.len();
        let _ = write!(text, "{count}");
        for corner in &polygon.corners {
            let _ = write!(text, " {corner}");
        }
        // The neighbour of corner i is across the side that ends there.
        for i in 0..count {
            match polygon.beside[(i + count - 1) % count] {
                Some(beside) => {
                    let _ = write!(text, " {beside}");
                }
                None => text.push_str(" -1"),
            }
        }
        text.push('\n');
    }
    text
}

/// The polygons around each vertex, counter-clockwise; −1 for what is outside.
fn polygons_around(mesh: &NavMesh) -> Vec<Vec<i64>> {
    // Any polygon at the vertex, one after whose outgoing side comes a wall if there is one.
    let mut first: Vec<Option<(u32, usize)>> = vec![None; mesh.vertices.len()];
    for (index, polygon) in (0_u32..).zip(&mesh.polygons) {
        for (i, corner) in polygon.corners.iter().enumerate() {
            let known = &mut first[*corner as usize];
            if known.is_none() || polygon.beside[i].is_none() {
                *known = Some((index, i));
            }
        }
    }
    first
        .into_iter()
        .zip(0_u32..)
        .map(|(first, vertex)| {
            let mut around = Vec::new();
            let mut at = first;
            while let Some((index, i)) = at {
                around.push(i64::from(index));
                let polygon = &mesh.polygons[index as usize];
                let count = polygon.corners.len();
                let next = polygon.beside[(i + count - 1) % count];
                let Some(next) = next else {
                    around.push(-1);
                    break;
                };
                if Some(next) == first.map(|(first, _)| first) {
                    break;
                }
                let corners = &mesh.polygons[next as usize].corners;
                at = corners
                    .iter()
                    .position(|corner| *corner == vertex)
                    .map(|i| (next, i));
            }
            around
        })
        .collect()
}
