//! The terrain as a layer of tiles, each of the kind at its middle.

use super::TiledExportOptions;
use crate::base::Colour;
use crate::document::Kind;
use crate::exchange::export::ExportError;
use crate::exchange::writer::ExportInput;
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, Needs, ProfileSet};
use glam::DVec2;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use std::io::Cursor;
use std::sync::Arc;

/// The picture of the tiles, beside the map.
pub(super) const PICTURE: &str = "terrain_tiles.png";

/// Of ground without a terrain.
const BARE: Colour = Colour::hex(0x00c8_c8c8);

pub(super) struct TerrainTiles {
    /// For each tile, row by row from the top, 1 + the index of its kind; 0 where it is blocked.
    pub tiles: Vec<u32>,
    pub kinds: Vec<(String, Colour)>,
}

impl TerrainTiles {
    pub fn of(
        input: &ExportInput,
        options: &TiledExportOptions,
        [columns, rows]: [usize; 2],
        ctx: &JobContext,
    ) -> Result<Self, ExportError> {
        let level = &*input.level;
        let request = BakeRequest {
            profiles: ProfileSet::Radii(Vec::new()),
            needs: Needs::TERRAIN,
            ..BakeRequest::of(Arc::clone(&input.level))
        };
        let bundle = NavBundle::bake(request, ctx)?;
        let terrain = bundle.terrain();
        let bounds = level.settings().bounds;
        let side = options.tile as f64 / options.pixels_per_metre;
        let mut tiles = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            ctx.checkpoint()?;
            for column in 0..columns {
                let offset = DVec2::new(column as f64 + 0.5, -(row as f64 + 0.5)) * side;
                let at = DVec2::new(bounds.min.x, bounds.max.y) + offset;
                let kind = terrain.kind_at(at);
                let known = kind.filter(|kind| kind.index() < terrain.kinds().len());
                tiles.push(known.map_or(0, |kind| u32::from(kind.0) + 1));
            }
        }
        let colour = |id| match level.get(id).map(|entity| &entity.kind) {
            Some(Kind::Terrain(terrain)) => terrain.colour,
            _ => BARE,
        };
        let kinds = terrain.kinds().iter();
        let kinds = kinds.map(|kind| (kind.name.clone(), kind.id.map_or(BARE, colour)));
        Ok(Self {
            tiles,
            kinds: kinds.collect(),
        })
    }

    /// A square of its colour for each kind, side by side.
    pub fn picture(&self, tile: usize) -> Result<Vec<u8>, ExportError> {
        let side = tile as u32;
        let picture = RgbImage::from_fn(side * self.kinds.len().max(1) as u32, side, |x, _| {
            let (_, colour) = &self.kinds[(x / side) as usize % self.kinds.len().max(1)];
            Rgb([colour.r, colour.g, colour.b])
        });
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::from(picture)
            .write_to(&mut bytes, ImageFormat::Png)
            .map_err(|error| ExportError::Refused(error.to_string()))?;
        Ok(bytes.into_inner())
    }
}
