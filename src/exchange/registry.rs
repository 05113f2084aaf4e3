//! Every format once: what it is called, how its files are known, who reads and who writes it.
//!
//! `wayloom formats`, `--format`, the flags of `import` and `export`, the file dialogs and the docs all
//! derive from these rows. A new format is a file with its reader or writer, and a row here.

use super::bake::BakeWriter;
use super::export::{
    ApngWriter, CsvWriter, DetourWriter, FRAMES_INDEX, FramesWriter, GODOT_INDEX, GeoJsonWriter,
    GifWriter, GlbWriter, GodotWriter, JuPedSimWriter, MAPS_INDEX, MapsWriter, MovingAiWriter,
    ObjWriter, PageWriter, PdfWriter, PedPyWriter, PolyanyaWriter, ScenarioWriter, SvgWriter,
    TABLES_INDEX, TablesWriter, TmjWriter, TmxWriter, TrajWriter, UsdWriter, WktWriter,
};
use super::import::{
    GLTF_PARSER, GeoJsonReader, HeightmapReader, MeshReader, MovingAiReader, OBJ_PARSER,
    PolyanyaReader, WktReader,
};
use super::native::Native;
pub use super::row::{Content, FormatReader, FormatRow, FormatWriter, Needs, Output};
use super::sniff::{self, Sniff};
use std::path::Path;
use std::sync::{PoisonError, RwLock};

/// Wayloom's own levels.
pub static WAYLOOM: FormatRow = FormatRow {
    id: "wayloom",
    title: "Wayloom level",
    extensions: &["ron"],
    description: "Everything a level holds, as text that is easy to compare.",
    reader: Some(FormatReader {
        reader: &Native,
        content: Content::Level,
        sniff: sniff::wayloom,
    }),
    writer: Some(FormatWriter {
        writer: &Native,
        needs: Needs::Level,
        output: Output::File,
    }),
};

pub static HEIGHTMAP: FormatRow = FormatRow {
    id: "heights",
    title: "Heightmap",
    extensions: &["png"],
    description: "Grey-scale pictures of 8 or 16 bits as ground heights; alone, or under \
                  another file’s drawing.",
    reader: Some(FormatReader {
        reader: &HeightmapReader,
        content: Content::Ground,
        sniff: sniff::png,
    }),
    writer: None,
};

/// What engines load.
pub static BAKE: FormatRow = FormatRow {
    id: "bake",
    title: "Baked navigation data",
    extensions: &["json"],
    description: "Free space, cells, portals and the corridor map as files that games and \
                  simulations read; docs/bake.md describes them.",
    reader: None,
    writer: Some(FormatWriter {
        writer: &BakeWriter,
        needs: Needs::Navigation,
        output: Output::Folder {
            index: super::bake::INDEX,
        },
    }),
};

static BUILT_IN: [&FormatRow; 29] = [
    &WAYLOOM,
    &FormatRow {
        id: "wkt",
        title: "Well-known text (WKT)",
        extensions: &["wkt"],
        description: "Walkable areas as JuPedSim reads them, or obstacles as GIS programs write \
                      them.",
        reader: Some(FormatReader {
            reader: &WktReader,
            content: Content::Level,
            sniff: sniff::wkt,
        }),
        writer: Some(FormatWriter {
            writer: &WktWriter,
            needs: Needs::Level,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "geojson",
        title: "GeoJSON",
        extensions: &["geojson", "json"],
        description: "Obstacles, terrain, areas, routes, agents and notes with names, heights and \
                      tags.",
        reader: Some(FormatReader {
            reader: &GeoJsonReader,
            content: Content::Level,
            sniff: sniff::geojson,
        }),
        writer: Some(FormatWriter {
            writer: &GeoJsonWriter,
            needs: Needs::Level,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "movingai",
        title: "Moving AI map",
        extensions: &["map"],
        description: "Grid maps of the path-finding benchmarks, traced to polygons; written as \
                      cells.",
        reader: Some(FormatReader {
            reader: &MovingAiReader,
            content: Content::Level,
            sniff: sniff::moving_ai,
        }),
        writer: Some(FormatWriter {
            writer: &MovingAiWriter,
            needs: Needs::Level,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "movingai-scen",
        title: "Moving AI scenario",
        extensions: &["scen"],
        description: "Starts and goals for a Moving AI map, read with the map beside it; become \
                      agents.",
        reader: Some(FormatReader {
            reader: &MovingAiReader,
            content: Content::Level,
            sniff: sniff::scenario,
        }),
        writer: None,
    },
    &FormatRow {
        id: "polyanya",
        title: "Polyanya mesh",
        extensions: &["mesh"],
        description: "Navigation meshes of convex polygons, which are the walkable area.",
        reader: Some(FormatReader {
            reader: &PolyanyaReader,
            content: Content::Level,
            sniff: sniff::polyanya,
        }),
        writer: Some(FormatWriter {
            writer: &PolyanyaWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &HEIGHTMAP,
    &FormatRow {
        id: "obj",
        title: "Wavefront OBJ",
        extensions: &["obj"],
        description: "Triangle meshes in space with their materials’ colours; kept beside the \
                      level.",
        reader: Some(FormatReader {
            reader: &MeshReader,
            content: Content::Mesh(&OBJ_PARSER),
            sniff: sniff::obj,
        }),
        writer: Some(FormatWriter {
            writer: &ObjWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "gltf",
        title: "glTF 2.0",
        extensions: &["gltf", "glb"],
        description: "Scenes of triangle meshes with their materials’ colours; kept beside the \
                      level.",
        reader: Some(FormatReader {
            reader: &MeshReader,
            content: Content::Mesh(&GLTF_PARSER),
            sniff: sniff::gltf,
        }),
        writer: None,
    },
    &FormatRow {
        id: "glb",
        title: "glTF 2.0 binary (GLB)",
        extensions: &["glb"],
        description: "The level as meshes with names, colours and properties, and a navigation \
                      mesh, for three.js, Blender, Godot, Unity and Unreal.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &GlbWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "godot",
        title: "Godot 4 project",
        extensions: &["godot"],
        description: "Scenes in 2D and 3D with navigation regions, obstacles, routes, areas and \
                      agents.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &GodotWriter,
            needs: Needs::Navigation,
            output: Output::Folder { index: GODOT_INDEX },
        }),
    },
    &FormatRow {
        id: "detour",
        title: "Detour navigation mesh",
        extensions: &["bin", "navmesh"],
        description: "A tile set (MSET) for Recast’s Detour: C++ engines, and three.js through \
                      recast-navigation.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &DetourWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "usd",
        title: "USD scene",
        extensions: &["usda"],
        description: "Universal Scene Description as text, for Unreal, Houdini, Omniverse and \
                      Blender.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &UsdWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "tmx",
        title: "Tiled map (TMX)",
        extensions: &["tmx"],
        description: "Obstacles, terrain, areas, routes and agents as objects of the map editor \
                      Tiled.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &TmxWriter,
            needs: Needs::Level,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "tmj",
        title: "Tiled map (TMJ)",
        extensions: &["tmj"],
        description: "What a TMX map holds, as JSON.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &TmjWriter,
            needs: Needs::Level,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "maps",
        title: "Maps as pictures",
        extensions: &["json"],
        description: "Terrain, walkable ground, clearance and heights as PNG, with a JSON file \
                      that says what a pixel means.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &MapsWriter,
            needs: Needs::Navigation,
            output: Output::Folder { index: MAPS_INDEX },
        }),
    },
    &FormatRow {
        id: "tables",
        title: "Data tables",
        extensions: &["json"],
        description: "Everything with a name as JSON rows, for Unreal’s data tables and for \
                      scripts.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &TablesWriter,
            needs: Needs::Navigation,
            output: Output::Folder {
                index: TABLES_INDEX,
            },
        }),
    },
    &FormatRow {
        id: "csv",
        title: "Trajectories (CSV)",
        extensions: &["csv"],
        description: "A line for each agent and frame with its position and speed, for \
                      spreadsheets and scripts.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &CsvWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "pedpy",
        title: "Trajectories (PedPy text)",
        extensions: &["txt"],
        description: "Positions as the Jülich data archive and PedPy have them.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &PedPyWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "jupedsim",
        title: "JuPedSim trajectories (SQLite)",
        extensions: &["sqlite"],
        description: "Positions with the walkable area, as JuPedSim and PedPy read them.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &JuPedSimWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "vadere-traj",
        title: "Vadere trajectories",
        extensions: &["traj"],
        description: "The steps of every agent, as Vadere writes them and PedPy reads them.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &TrajWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "vadere",
        title: "Vadere scenario",
        extensions: &["scenario"],
        description: "Obstacles, sources and targets, to be simulated with Vadere.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &ScenarioWriter,
            needs: Needs::Level,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "html",
        title: "Web page (HTML)",
        extensions: &["html"],
        description: "The level and a recording in one file that any browser opens: timeline, \
                      zoom, colours, plots.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &PageWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "gif",
        title: "Animated GIF",
        extensions: &["gif"],
        description: "A recording as a film of the plan or in 3D, shown everywhere.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &GifWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "apng",
        title: "Animated PNG",
        extensions: &["png", "apng"],
        description: "A recording as a film of the plan or in 3D, in all colours.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &ApngWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "frames",
        title: "Frame sequence",
        extensions: &["json"],
        description: "A recording picture by picture, for programs that cut films.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &FramesWriter,
            needs: Needs::Navigation,
            output: Output::Folder {
                index: FRAMES_INDEX,
            },
        }),
    },
    &FormatRow {
        id: "svg",
        title: "Figure (SVG)",
        extensions: &["svg"],
        description: "The plan with title, scale bar and legend, to be edited further.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &SvgWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "pdf",
        title: "Figure (PDF)",
        extensions: &["pdf"],
        description: "The plan with title, scale bar and legend, for papers and reports.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &PdfWriter,
            needs: Needs::Navigation,
            output: Output::File,
        }),
    },
    &BAKE,
];

/// Rows that were added while the program runs.
static ADDED: RwLock<Vec<&'static FormatRow>> = RwLock::new(Vec::new());

/// Every format, the built-in ones first.
#[must_use]
pub fn rows() -> Vec<&'static FormatRow> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(added.iter()).copied().collect()
}

/// Adds a format, which from then on is everywhere where formats are.
///
/// # Errors
/// Its id is taken, or a flag of its options means something else in another format.
pub fn register(row: &'static FormatRow) -> Result<(), RegisterError> {
    /// What the commands themselves take.
    const RESERVED: [&str; 13] = [
        "file",
        "files",
        "force",
        "format",
        "help",
        "json",
        "level",
        "out",
        "preset",
        "quiet",
        "recording",
        "threads",
        "watch",
    ];
    let known = rows();
    if known
        .iter()
        .any(|known| known.id.eq_ignore_ascii_case(row.id))
    {
        return Err(RegisterError::IdTaken(row.id));
    }
    for spec in row
        .import_options()
        .iter()
        .chain(&row.export_options())
        .flat_map(super::Options::specs)
    {
        if RESERVED.contains(&spec.key) {
            return Err(RegisterError::FlagTaken {
                key: spec.key,
                by: "every format",
            });
        }
        let clashes = |other: &&FormatRow| {
            let options = [other.import_options(), other.export_options()];
            let mut specs = options.iter().flatten().flat_map(super::Options::specs);
            specs.any(|known| known.key == spec.key && known.takes_value() != spec.takes_value())
        };
        if let Some(other) = known.iter().find(|other| clashes(other)) {
            return Err(RegisterError::FlagTaken {
                key: spec.key,
                by: other.title,
            });
        }
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.push(row);
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    #[error("there is a format `{0}` already")]
    IdTaken(&'static str),
    #[error("--{key} means something else for {by}")]
    FlagTaken { key: &'static str, by: &'static str },
}

/// The format of this id.
///
/// # Errors
/// There is none; the sentence lists those there are.
pub fn named(id: &str) -> Result<&'static FormatRow, UnknownFormat> {
    let row = rows()
        .into_iter()
        .find(|row| row.id.eq_ignore_ascii_case(id));
    row.ok_or_else(|| UnknownFormat {
        given: id.to_owned(),
    })
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a format; known ones are {}", ids())]
pub struct UnknownFormat {
    given: String,
}

fn ids() -> String {
    let ids: Vec<&str> = rows().iter().map(|row| row.id).collect();
    ids.join(", ")
}

/// All formats as a table for the docs.
#[must_use]
pub fn markdown() -> String {
    let mut text =
        String::from("| `--format` | Format | Files | Read | Written |\n|---|---|---|---|---|\n");
    for row in rows() {
        let yes = |is: bool| if is { "yes" } else { "–" };
        text += &format!(
            "| `{}` | {} | {} | {} | {} |\n",
            row.id,
            row.title,
            row.files(),
            yes(row.reader.is_some()),
            yes(row.writer.is_some())
        );
    }
    text
}

/// Formats of other programs that can be read.
#[must_use]
pub fn importable() -> Vec<&'static FormatRow> {
    let mut rows = rows();
    rows.retain(|row| row.reader.is_some() && *row != &WAYLOOM);
    rows
}

/// Formats of other programs that can be written.
#[must_use]
pub fn exportable() -> Vec<&'static FormatRow> {
    let mut rows = rows();
    rows.retain(|row| row.writer.is_some() && *row != &WAYLOOM);
    rows
}

/// The format of a file to be read: by its name, and by its beginning where the name fits several
/// formats or none, or plainly misleads.
#[must_use]
pub fn detect(path: &Path, head: &[u8]) -> Option<&'static FormatRow> {
    let readable: Vec<(&'static FormatRow, Sniff)> = rows()
        .into_iter()
        .filter_map(|row| Some((row, (row.reader.as_ref()?.sniff)(head))))
        .collect();
    let by_name = || readable.iter().filter(|(row, _)| row.has_ending_of(path));
    let certain = |(_, sniff): &&(_, Sniff)| *sniff == Sniff::Yes;
    by_name()
        .find(certain)
        .or_else(|| readable.iter().find(certain))
        .or_else(|| by_name().find(|(_, sniff)| *sniff == Sniff::Maybe))
        // Its reader will say what is wrong.
        .or_else(|| by_name().next())
        .map(|(row, _)| *row)
}

/// Of the formats that show movement, the one that a file to be written is in by its name.
#[must_use]
pub fn for_recording(path: &Path) -> Option<&'static FormatRow> {
    let mut rows = rows().into_iter();
    rows.find(|row| row.takes_recording() && row.has_ending_of(path))
}

/// The format that a file to be written is in by its name.
#[must_use]
pub fn for_output(path: &Path) -> Option<&'static FormatRow> {
    let is_file = |row: &FormatRow| {
        row.writer
            .as_ref()
            .is_some_and(|w| w.output == Output::File)
    };
    rows()
        .into_iter()
        .find(|row| is_file(row) && row.has_ending_of(path))
}

#[cfg(test)]
mod tests;
