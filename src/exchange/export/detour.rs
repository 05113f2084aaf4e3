//! Navigation meshes for Detour, the run-time half of Recast, as its samples save them: a set of
//! tiles (`MSET`, version 1) with 32-bit references.
//!
//! Layout after Detour's headers (`DetourNavMesh.h`, version 7): little-endian, everything aligned
//! to four bytes. Polygons are clockwise seen from above, which counter-clockwise in plan becomes
//! with z pointing down the plan.

mod connection;
mod tiles;

use super::frame::Frame;
use super::left_out::{self, LeftOut, MeshCarries};
use super::links::links_for;
use super::{ExportError, Exported};
use crate::base::{Quantity, Unit};
use crate::document::{Body, Level};
use crate::exchange::nav_mesh::{Division, Walkable, chosen_profile};
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use connection::Connection;
use tiles::{Tile, Tiling};

/// `DT_VERTS_PER_POLYGON`.
const CORNERS: usize = 6;

/// Most vertices and polygons of a tile: indices are 16 bits wide, and the highest means none.
const MOST_IN_TILE: usize = 60_000;

/// Areas have 6 bits, and 63 is `RC_WALKABLE_AREA`, which engines treat as the ground.
const MOST_AREAS: u16 = 62;

const DETAIL: Quantity = Quantity::new("longest side", Unit::Metre, 0.1, 10_000.0, 4.0);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetourExportOptions {
    /// The first one if `None`.
    pub profile: Option<String>,
    /// Longest side of polygons where terrain or heights vary. Unit: metres.
    pub detail: Option<f64>,
}

impl FormatOptions for DetourExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::profile(super::PROFILE_WORDS, |o| &mut o.profile),
        Field::automatic_number(super::DETAIL_WORDS, DETAIL, |o: &mut Self| &mut o.detail)
            .advanced(),
    ];
}

#[derive(Debug)]
pub struct DetourWriter;

impl Writer for DetourWriter {
    type Options = DetourExportOptions;

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        let carries = MeshCarries {
            areas: true,
            heights: true,
            links: true,
        };
        left_out::beside_a_mesh(level, carries)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let name = options.profile.as_deref();
        let (_, profile) = chosen_profile(&input.level, name)?;
        let bounds = input.level.settings().bounds;
        let frame = Frame::of(bounds);
        let mut division = Division {
            detail: options.detail,
            ..Division::with_corners(CORNERS)
        };
        let walkable = Walkable::bake(&input.level, name, ctx)?;
        let along_a_side = |vertices: usize| {
            let share = vertices as f64 / (0.5 * MOST_IN_TILE as f64);
            share.sqrt().ceil() as usize
        };
        // Division only adds to the corners of free space.
        let mut side = match walkable.corner_count() {
            few if few <= MOST_IN_TILE => 1,
            corners => along_a_side(corners),
        };
        let (mesh, tiling, tiles) = loop {
            let tiling = Tiling::new(bounds, side, frame);
            division.cuts = tiling.cuts();
            let mesh = walkable.divided(&division, ctx)?;
            let tiles = tiling.divided(&mesh);
            let fits = |tile: &Tile| tile.polygons.len().max(tile.vertices.len()) <= MOST_IN_TILE;
            if tiles.iter().all(fits) {
                break (mesh, tiling, tiles);
            }
            side = (2 * side).max(along_a_side(mesh.vertices.len()));
            if side > tiles::MOST_ALONG_A_SIDE {
                return Err(ExportError::Refused(
                    "the level has more polygons than Detour's 32-bit references can tell apart"
                        .to_owned(),
                ));
            }
        };
        ctx.stage("Writing tiles");
        let links = links_for(&input.level, mesh.profile);
        let connections: Vec<Connection> = links
            .iter()
            .map(|(id, link)| Connection::of(*id, link, &profile.body, frame))
            .collect();
        let bytes = tiling.bytes(&mesh, &tiles, &connections, &profile.body);
        sink.write_main(bytes)?;
        let mut warnings = frame.remarks();
        if mesh
            .polygons
            .iter()
            .any(|polygon| polygon.terrain.0 > MOST_AREAS)
        {
            warnings.push(format!(
                "Detour has 64 areas; terrains after the first {MOST_AREAS} share one"
            ));
        }
        let mut summary = vec![format!("Detour mesh: {}", mesh.summary())];
        if tiles.len() > 1 {
            summary.push(format!("{} tiles", tiles.len()));
        }
        if !links.is_empty() {
            summary.push(format!(
                "{} off-mesh connections, flag {}, area {}",
                links.len(),
                connection::FLAG,
                connection::AREA
            ));
        }
        if mesh.has_costs() {
            for (kind, polygons) in mesh.by_terrain() {
                summary.push(format!(
                    "area {}: {}, cost {}",
                    area_of(kind.0),
                    mesh.terrain_name(kind),
                    mesh.cost(polygons[0])
                ));
            }
        }
        let mut details = super::mesh_details(&mesh, frame);
        details.insert("tiles".to_owned(), tiles.len().into());
        details.insert("links".to_owned(), links.len().into());
        Ok(Exported {
            warnings,
            summary,
            details,
            ..Exported::default()
        })
    }
}

fn area_of(kind: u16) -> u8 {
    kind.min(MOST_AREAS) as u8
}

/// Height, radius and step of the agent, as a tile's header has them.
fn agent(body: &Body) -> [f32; 3] {
    [body.height, body.radius, body.step_height].map(|v| v as f32)
}
