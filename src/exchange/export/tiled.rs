//! Maps for Tiled, as XML (`.tmx`) and as JSON (`.tmj`): a layer of objects for each kind of thing,
//! with names and properties. Pixels, y down from the upper edge of the level.
//!
//! Tiled 1.8 knows an object's class as `type` and drops `class` without a word; newer ones read
//! both, so `type` is written.

mod objects;
mod terrain;
mod xml;

use super::left_out::{LeftOut, left_out};
use super::{ExportError, Exported};
use crate::base::{Quantity, Unit};
use crate::document::{Entity, Kind, Level};
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use objects::Map;
use terrain::TerrainTiles;

const PIXELS: Quantity = Quantity::new("pixels per metre", Unit::One, 1.0, 1_000.0, 16.0);
const TILE: Quantity = Quantity::new("tile size", Unit::One, 1.0, 1_024.0, 16.0);

/// Tiled's own limit is higher, but maps of this size are slow already.
const MOST_TILES: f64 = 10_000.0;

#[derive(Clone, Debug, PartialEq)]
pub struct TiledExportOptions {
    pub pixels_per_metre: f64,
    /// Side of a tile of the grid. Unit: pixels.
    pub tile: usize,
    /// A layer of tiles with the terrain, and a picture of them beside the map.
    pub terrain_tiles: bool,
}

impl Default for TiledExportOptions {
    fn default() -> Self {
        Self {
            pixels_per_metre: PIXELS.default,
            tile: 16,
            terrain_tiles: false,
        }
    }
}

impl FormatOptions for TiledExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::number(
            ["pixels", "Pixels per metre", "Scale of the map"],
            PIXELS,
            |o: &mut Self| &mut o.pixels_per_metre,
        ),
        Field::count(
            ["tile", "Tile size", "Side of a tile of the grid, in pixels"],
            TILE,
            |o: &mut Self| &mut o.tile,
        ),
        Field::switch(
            [
                "terrain-tiles",
                "Terrain as tiles, too",
                "A layer of tiles with the terrain, and a picture of them beside the map",
            ],
            |o: &mut Self| &mut o.terrain_tiles,
        ),
    ];
}

fn map(
    input: &ExportInput,
    options: &TiledExportOptions,
    sink: &mut dyn ExportSink,
    ctx: &JobContext,
) -> Result<Map, ExportError> {
    let size = input.level.settings().bounds.size() * options.pixels_per_metre;
    let tiles = (size / options.tile as f64).ceil();
    if tiles.max_element() > MOST_TILES {
        return Err(ExportError::Refused(format!(
            "the map would be {} × {} tiles; choose fewer pixels per metre or larger tiles",
            tiles.x, tiles.y
        )));
    }
    let mut map = Map::of(input, options, tiles);
    if options.terrain_tiles {
        let terrain = TerrainTiles::of(input, options, map.tiles, ctx)?;
        sink.write(terrain::PICTURE, terrain.picture(options.tile)?)?;
        map.terrain = Some(terrain);
    }
    Ok(map)
}

/// A map in a file of some kind.
#[derive(Debug)]
pub struct TiledWriter {
    bytes: fn(&Map) -> Result<Vec<u8>, ExportError>,
}

pub const TMX: TiledWriter = TiledWriter {
    bytes: |map| Ok(xml::text(map).into_bytes()),
};

pub const TMJ: TiledWriter = TiledWriter {
    bytes: |map| {
        let mut bytes = serde_json::to_vec_pretty(&map.to_json())
            .map_err(|error| ExportError::Refused(error.to_string()))?;
        bytes.push(b'\n');
        Ok(bytes)
    },
};

impl Writer for TiledWriter {
    type Options = TiledExportOptions;

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        let reason = |entity: &Entity| match entity.kind {
            Kind::Flag(_) | Kind::Test(_) => Some("only Wayloom has a use for it"),
            _ => None,
        };
        left_out(level, &reason, Some("a map in Tiled is flat"))
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let map = map(input, options, sink, ctx)?;
        sink.write_main((self.bytes)(&map)?)?;
        Ok(Exported::default())
    }
}
