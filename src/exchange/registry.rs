//! Every format once: what it is called, how its files are named, what can be done with it.
//! `wayloom formats`, the file dialogs and the help are derived from this.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    Wayloom,
    Wkt,
    GeoJson,
    MovingAi,
    MovingAiScenario,
    Polyanya,
    Heights,
    Obj,
    Gltf,
}

/// What people and dialogs need to know of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatInfo {
    /// What `--format` takes.
    pub id: &'static str,
    pub name: &'static str,
    /// File name endings without the leading dot, the usual one first.
    pub extensions: &'static [&'static str],
    pub reads: bool,
    pub writes: bool,
    /// One sentence.
    pub description: &'static str,
}

impl Format {
    pub const ALL: [Self; 9] = [
        Self::Wayloom,
        Self::Wkt,
        Self::GeoJson,
        Self::MovingAi,
        Self::MovingAiScenario,
        Self::Polyanya,
        Self::Heights,
        Self::Obj,
        Self::Gltf,
    ];

    #[must_use]
    pub const fn info(self) -> FormatInfo {
        match self {
            Self::Wayloom => FormatInfo {
                id: "wayloom",
                name: "Wayloom level",
                extensions: &["ron"],
                reads: true,
                writes: true,
                description: "Everything a level holds, as text that is easy to compare.",
            },
            Self::Wkt => FormatInfo {
                id: "wkt",
                name: "Well-known text",
                extensions: &["wkt"],
                reads: true,
                writes: true,
                description: "Walkable areas as JuPedSim reads them, or obstacles as GIS \
                              programs write them.",
            },
            Self::GeoJson => FormatInfo {
                id: "geojson",
                name: "GeoJSON",
                extensions: &["geojson", "json"],
                reads: true,
                writes: true,
                description: "Obstacles, terrain, areas, routes, agents and notes with names, \
                              heights and tags.",
            },
            Self::MovingAi => FormatInfo {
                id: "movingai",
                name: "Moving AI map",
                extensions: &["map"],
                reads: true,
                writes: true,
                description: "Grid maps of the path-finding benchmarks, traced to polygons; \
                              written as cells.",
            },
            Self::MovingAiScenario => FormatInfo {
                id: "movingai-scen",
                name: "Moving AI scenario",
                extensions: &["scen"],
                reads: true,
                writes: false,
                description: "Starts and goals for a Moving AI map, read with the map beside \
                              it; become agents.",
            },
            Self::Polyanya => FormatInfo {
                id: "polyanya",
                name: "Polyanya mesh",
                extensions: &["mesh"],
                reads: true,
                writes: false,
                description: "Navigation meshes of convex polygons, which are the walkable area.",
            },
            Self::Heights => FormatInfo {
                id: "heights",
                name: "Picture of heights",
                extensions: &["png"],
                reads: true,
                writes: false,
                description: "Grey-scale pictures of 8 or 16 bits as ground heights; alone, or \
                              under another file’s drawing.",
            },
            Self::Obj => FormatInfo {
                id: "obj",
                name: "Wavefront OBJ",
                extensions: &["obj"],
                reads: true,
                writes: false,
                description: "Triangle meshes in space with their materials’ colours; kept \
                              beside the level.",
            },
            Self::Gltf => FormatInfo {
                id: "gltf",
                name: "glTF 2.0",
                extensions: &["gltf", "glb"],
                reads: true,
                writes: false,
                description: "Scenes of triangle meshes with their materials’ colours; kept \
                              beside the level.",
            },
        }
    }

    /// Whether it draws triangles in space, which a level shows as a solid and keeps as a file
    /// beside it.
    #[must_use]
    pub const fn is_mesh(self) -> bool {
        matches!(self, Self::Obj | Self::Gltf)
    }

    /// The format that a file's name suggests.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|format| format.info().extensions.contains(&extension.as_str()))
    }

    /// Formats that can be read, then formats that can be written: for dialogs.
    pub fn readable() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|format| format.info().reads)
    }

    pub fn writable() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|format| format.info().writes)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a format; known ones are {}", ids())]
pub struct UnknownFormat {
    given: String,
}

fn ids() -> String {
    Format::ALL.map(|format| format.info().id).join(", ")
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(id: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.info().id.eq_ignore_ascii_case(id))
            .ok_or_else(|| UnknownFormat {
                given: id.to_owned(),
            })
    }
}

/// What a polygon without a kind of its own stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Polygons {
    /// The format's custom. WKT: walkable if all polygons together are one connected area, as
    /// JuPedSim asks for, and obstacles if they lie apart, as buildings do. GeoJSON: obstacles.
    #[default]
    Auto,
    /// Where one may go; everything around is blocked, and so are the holes.
    Walkable,
    /// What blocks the way.
    Obstacles,
}

impl Polygons {
    pub const ALL: [Self; 3] = [Self::Auto, Self::Walkable, Self::Obstacles];

    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Walkable => "walkable",
            Self::Obstacles => "obstacles",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_endings_lead_back_to_their_format() {
        for format in Format::ALL {
            let info = format.info();
            assert_eq!(info.id.parse(), Ok(format));
            for extension in info.extensions {
                let path = format!("Some.Plan.{}", extension.to_uppercase());
                assert_eq!(Format::of_path(Path::new(&path)), Some(format));
            }
            assert!(info.reads || info.writes);
            assert!(info.description.ends_with('.'));
        }
        assert_eq!(Format::of_path(Path::new("map")), None);
        assert_eq!(
            "dwg".parse::<Format>().expect_err("unknown").to_string(),
            "`dwg` is not a format; known ones are wayloom, wkt, geojson, movingai, movingai-scen, \
             polyanya, heights, obj, gltf"
        );
    }
}
