//! The formats that the program has.

use super::super::bake::{self, BakeWriter};
use super::super::export::{
    APNG, CSV, DetourWriter, FRAMES, FRAMES_INDEX, GIF, GODOT_INDEX, GeoJsonWriter, GlbWriter,
    GodotWriter, JuPedSimWriter, MAPS_INDEX, MapsWriter, MovingAiWriter, ObjWriter, PDF, PEDPY,
    PageWriter, PolyanyaWriter, SVG, ScenarioWriter, TABLES_INDEX, TMJ, TMX, TRAJ, TablesWriter,
    UsdWriter, WktWriter,
};
use super::super::import::{
    GLTF_PARSER, GeoJsonReader, HeightmapReader, MeshReader, MovingAiReader, OBJ_PARSER,
    PolyanyaReader, WktReader,
};
use super::super::native::Native;
use super::super::row::{Content, FormatReader, FormatRow, FormatWriter, Needs, Output, Purpose};
use super::super::sniff;

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
        purpose: Purpose::Drawing,
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
                  simulations read, with readers for Unity (C#), C, Unreal and Python.",
    reader: None,
    writer: Some(FormatWriter {
        writer: &BakeWriter,
        needs: Needs::Navigation,
        purpose: Purpose::Engines,
        output: Output::Folder { index: bake::INDEX },
    }),
};

pub(super) static BUILT_IN: [&FormatRow; 29] = [
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
            purpose: Purpose::Drawing,
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
            purpose: Purpose::Drawing,
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
            purpose: Purpose::Drawing,
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
            purpose: Purpose::Engines,
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
            purpose: Purpose::Scenes,
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
            purpose: Purpose::Scenes,
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
            purpose: Purpose::Engines,
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
            purpose: Purpose::Engines,
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
            purpose: Purpose::Scenes,
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
            writer: &TMX,
            needs: Needs::Level,
            purpose: Purpose::Maps,
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
            writer: &TMJ,
            needs: Needs::Level,
            purpose: Purpose::Maps,
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
            purpose: Purpose::Maps,
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
            purpose: Purpose::Engines,
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
            writer: &CSV,
            needs: Needs::Navigation,
            purpose: Purpose::Crowds,
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
            writer: &PEDPY,
            needs: Needs::Navigation,
            purpose: Purpose::Crowds,
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
            purpose: Purpose::Crowds,
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
            writer: &TRAJ,
            needs: Needs::Navigation,
            purpose: Purpose::Crowds,
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
            purpose: Purpose::Crowds,
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
            purpose: Purpose::Showing,
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
            writer: &GIF,
            needs: Needs::Navigation,
            purpose: Purpose::Showing,
            output: Output::File,
        }),
    },
    &FormatRow {
        id: "apng",
        title: "Animated PNG",
        extensions: &["apng"],
        description: "A recording as a film of the plan or in 3D, in all colours.",
        reader: None,
        writer: Some(FormatWriter {
            writer: &APNG,
            needs: Needs::Navigation,
            purpose: Purpose::Showing,
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
            writer: &FRAMES,
            needs: Needs::Navigation,
            purpose: Purpose::Showing,
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
            writer: &SVG,
            needs: Needs::Navigation,
            purpose: Purpose::Showing,
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
            writer: &PDF,
            needs: Needs::Navigation,
            purpose: Purpose::Showing,
            output: Output::File,
        }),
    },
    &BAKE,
];
