//! A project folder for Godot 4: the level as a scene in 2D and one in 3D, navigation regions as
//! resources beside them.
//!
//! What Godot's navigation server needs, and does not say when it is missing: neighbours share both
//! ends of a side, by position (so sides never fall into one line, see
//! [`crate::exchange::nav_mesh`]); one region for each terrain, since a region has one travel cost;
//! `use_edge_connections` off, or free sides join through thin walls; a cell size so small that
//! vertices of different places stay apart.

mod addon;
mod plan;
mod scaffold;
mod space;
mod text;

use super::frame::Frame;
use super::left_out::{LeftOut, left_out, motions};
use super::{ExportError, Exported};
use crate::base::{Quantity, Unit};
use crate::document::{Entity, Kind, Level};
use crate::exchange::nav_mesh::{Division, NavMesh, Walkable};
use crate::exchange::options::{Choice, Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use text::quoted_setting;

/// The file that makes a folder a project.
pub const INDEX: &str = "project.godot";

/// Godot takes any number; compact polygons give better paths there than large ones.
const CORNERS: usize = 12;

/// `path_search_max_polygons` of Godot's queries: beyond it a search gives up, and answers with a
/// path to somewhere nearer.
const MOST_SEARCHED: usize = 4096;

const PIXELS: Quantity = Quantity::new("pixels per metre", Unit::One, 1.0, 1_000.0, 100.0);
const DETAIL: Quantity = Quantity::new("longest side", Unit::Metre, 0.1, 10_000.0, 4.0);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scenes {
    #[default]
    Both,
    Plan,
    Space,
}

const SCENES: &[Choice] = &[
    Choice::new("both", "2D and 3D", ""),
    Choice::new("2d", "2D", ""),
    Choice::new("3d", "3D", ""),
];

#[derive(Clone, Debug, PartialEq)]
pub struct GodotExportOptions {
    pub scenes: Scenes,
    /// The first one if `None`.
    pub profile: Option<String>,
    /// Of the scene in 2D.
    pub pixels_per_metre: f64,
    /// Longest side of polygons where terrain or heights vary. Unit: metres.
    pub detail: Option<f64>,
}

impl Default for GodotExportOptions {
    fn default() -> Self {
        Self {
            scenes: Scenes::default(),
            profile: None,
            pixels_per_metre: PIXELS.default,
            detail: None,
        }
    }
}

impl FormatOptions for GodotExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["scenes", "Scenes", "Which scenes to write"],
            SCENES,
            |o: &Self| match o.scenes {
                Scenes::Both => "both",
                Scenes::Plan => "2d",
                Scenes::Space => "3d",
            },
            |o, id| {
                o.scenes = match id {
                    "2d" => Scenes::Plan,
                    "3d" => Scenes::Space,
                    _ => Scenes::Both,
                };
            },
        ),
        Field::profile(super::PROFILE_WORDS, |o: &mut Self| &mut o.profile),
        Field::number(
            [
                "pixels",
                "Pixels per metre",
                "Scale of the 2D scene; the 3D scene is in metres",
            ],
            PIXELS,
            |o: &mut Self| &mut o.pixels_per_metre,
        ),
        Field::automatic_number(super::DETAIL_WORDS, DETAIL, |o: &mut Self| &mut o.detail)
            .advanced(),
    ];
}

#[derive(Debug)]
pub struct GodotWriter;

impl Writer for GodotWriter {
    type Options = GodotExportOptions;

    fn takes_recording(&self) -> bool {
        true
    }

    fn left_out(&self, level: &Level, options: &Self::Options) -> Vec<LeftOut> {
        let is_flat = options.scenes == Scenes::Plan;
        let reason = |entity: &Entity| match entity.kind {
            Kind::Flag(_) | Kind::Test(_) => Some("only Wayloom has a use for it"),
            Kind::Solid(_) if is_flat => Some("a 2D scene has no floors"),
            _ => None,
        };
        let heights = is_flat.then_some("a 2D scene is flat");
        let mut found = left_out(level, &reason, heights);
        found.extend(motions(level));
        found
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let level = &*input.level;
        let frame = Frame::of(level.settings().bounds);
        let mesh = mesh(input, options, ctx)?;
        ctx.stage("Writing scenes");
        let cell = cell_size(level, frame);
        if options.scenes != Scenes::Space {
            plan::write(input, &mesh, frame, options.pixels_per_metre, sink)?;
            ctx.checkpoint()?;
        }
        if options.scenes != Scenes::Plan {
            space::write(input, &mesh, frame, cell, sink)?;
        }
        let main = if options.scenes == Scenes::Space {
            space::SCENE
        } else {
            plan::SCENE
        };
        let addon = addon::write(input, frame, sink, ctx)?;
        sink.write_main(project(&level.settings().name, main, cell).into_bytes())?;
        let mut summary = vec![format!("Godot project: {}", mesh.summary())];
        if mesh.has_costs() {
            for (kind, polygons) in mesh.by_terrain() {
                let cost = mesh.cost(polygons[0]);
                summary.push(format!("{}: travel cost {cost}", mesh.terrain_name(kind)));
            }
        }
        summary.extend(addon);
        let mut warnings = frame.remarks();
        if mesh.polygons.len() > MOST_SEARCHED {
            warnings.push(format!(
                "there are {} polygons, and Godot gives up a search after {MOST_SEARCHED} unless \
                 `path_search_max_polygons` of the NavigationAgent is set higher",
                mesh.polygons.len()
            ));
        }
        Ok(Exported {
            warnings,
            summary,
            details: super::mesh_details(&mesh, frame),
            ..Exported::default()
        })
    }
}

/// As finely divided as prices ask for, unless that is more than Godot searches.
fn mesh(
    input: &ExportInput,
    options: &GodotExportOptions,
    ctx: &JobContext,
) -> Result<NavMesh, ExportError> {
    let mut division = Division {
        detail: options.detail,
        ..Division::with_corners(CORNERS)
    };
    let walkable = Walkable::bake(&input.level, options.profile.as_deref(), ctx)?;
    let mut mesh = walkable.divided(&division, ctx)?;
    if options.detail.is_none() {
        let longer = input.level.settings().bounds.size().max_element();
        for pieces in [20.0, 12.0, 1.0] {
            // One that is not divided for prices cannot have fewer.
            if mesh.polygons.len() <= MOST_SEARCHED || mesh.detail.is_none() {
                break;
            }
            division.detail = Some(longer / pieces);
            mesh = walkable.divided(&division, ctx)?;
        }
    }
    Ok(mesh)
}

/// Godot compares vertices on a raster of a tenth of it, in numbers of 21 bits: so fine as the
/// level's size allows, at best a millimetre. Unit: metres.
fn cell_size(level: &Level, frame: Frame) -> f64 {
    let bounds = level.settings().bounds;
    let corners = [bounds.min, bounds.max].map(|p| frame.plan(p).abs().max_element());
    let reach = corners[0].max(corners[1]);
    0.01 * (reach / 1000.0).ceil().max(1.0)
}

fn project(name: &str, main: &str, cell: f64) -> String {
    format!(
        "; Made by Wayloom. Open this folder with Godot 4, or copy it into a project.\n\
         config_version=5\n\n[application]\n\nconfig/name={}\nrun/main_scene=\"res://{main}\"\n\n\
         [navigation]\n\n2d/default_cell_size=0.5\n3d/default_cell_size={cell}\n\
         3d/default_cell_height={cell}\n\
         ; Paths can be asked for in the first frame.\n\
         world/map_use_async_iterations=false\nworld/region_use_async_iterations=false\n",
        quoted_setting(name)
    )
}
