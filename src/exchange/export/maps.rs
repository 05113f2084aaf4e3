//! The level as pictures that engines sample: terrain, where a body may stand, clearance, heights;
//! with a JSON file that says what a pixel means.

use super::left_out::{LeftOut, left_out};
use super::{ExportError, Exported};
use crate::base::{Colour, Quantity, Unit};
use crate::document::{Entity, Kind, Level, limits};
use crate::exchange::nav_mesh::chosen_profile;
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{BakeRequest, NavBundle, Needs, ProfileSet};
use glam::DVec2;
use image::{DynamicImage, GrayImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::io::Cursor;
use std::sync::Arc;

/// The file that says what the pictures mean.
pub const INDEX: &str = "maps.json";

/// Along the longer side, unless a size is given.
const PIXELS: f64 = 1024.0;

/// Along either side.
const MOST_PIXELS: f64 = 8192.0;

/// Where nothing is painted and there is no base terrain.
const BARE: Colour = Colour::hex(0x00c8_c8c8);

const PIXEL: Quantity = Quantity::new("size of a pixel", Unit::Metre, 0.001, 1_000.0, 0.1);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapsExportOptions {
    /// The first one if `None`.
    pub profile: Option<String>,
    /// Side of a pixel. Unit: metres.
    pub pixel: Option<f64>,
}

impl FormatOptions for MapsExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::profile(super::PROFILE_WORDS, |o| &mut o.profile),
        Field::automatic_number(
            [
                "pixel",
                "Pixel size",
                "Side of a pixel; 1024 along the longer side if not given",
            ],
            PIXEL,
            |o: &mut Self| &mut o.pixel,
        ),
    ];
}

#[derive(Debug)]
pub struct MapsWriter;

impl Writer for MapsWriter {
    type Options = MapsExportOptions;

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        let reason = |entity: &Entity| match entity.kind {
            Kind::Obstacle(_)
            | Kind::Region(_)
            | Kind::Terrain(_)
            | Kind::Profile(_)
            | Kind::Layer
            | Kind::Group => None,
            Kind::Solid(_) => Some("maps are of the ground"),
            _ => Some("a map has no places with names"),
        };
        left_out(level, &reason, None)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let level = &*input.level;
        let (id, profile) = chosen_profile(level, options.profile.as_deref())?;
        let radius = limits::RADIUS.clamp(profile.body.radius);
        let raster = Raster::of(level, options.pixel)?;
        let request = BakeRequest {
            profiles: ProfileSet::Radii(vec![radius]),
            needs: Needs::TERRAIN,
            ..BakeRequest::of(Arc::clone(&input.level))
        };
        let bundle = NavBundle::bake(request, ctx)?;
        let Some(space) = bundle.space(radius) else {
            return Err(ExportError::Refused(
                "nothing is left to walk on".to_owned(),
            ));
        };
        let mut maps = Vec::new();

        ctx.stage("Drawing terrain");
        let terrain = bundle.terrain();
        let colours: Vec<Colour> = terrain
            .kinds()
            .iter()
            .map(
                |kind| match kind.id.and_then(|id| level.get(id)).map(|e| &e.kind) {
                    Some(Kind::Terrain(terrain)) => terrain.colour,
                    _ => BARE,
                },
            )
            .collect();
        let black = Colour::rgb(0, 0, 0);
        let pixels = raster.filled(ctx, |p| {
            let kind = terrain.kind_at(p);
            let colour = kind.map_or(black, |kind| {
                colours.get(kind.index()).copied().unwrap_or(BARE)
            });
            [colour.r, colour.g, colour.b]
        })?;
        let pixels: RgbImage = raster.image::<Rgb<u8>>(pixels.into_flattened())?;
        sink.write("terrain.png", png(&DynamicImage::ImageRgb8(pixels))?)?;
        let legend: Vec<Value> = terrain
            .kinds()
            .iter()
            .zip(&colours)
            .map(|(kind, colour)| {
                let weight = kind.id.map_or(kind.weight, |id| {
                    profile
                        .terrain_weights
                        .get(&id)
                        .copied()
                        .unwrap_or(kind.weight)
                });
                json!({ "name": kind.name, "colour": colour.to_string(), "weight": weight })
            })
            .collect();
        maps.push(json!({ "file": "terrain.png", "what": "terrain", "blocked": "#000000", "terrains": legend }));

        ctx.stage("Drawing where one may stand");
        let cells = &space.merged;
        let pixels = raster.filled(ctx, |p| if cells.locate(p).is_some() { 255_u8 } else { 0 })?;
        let pixels: GrayImage = raster.image::<Luma<u8>>(pixels)?;
        sink.write("walkable.png", png(&DynamicImage::ImageLuma8(pixels))?)?;
        maps.push(json!({
            "file": "walkable.png", "what": "walkable", "radius": space.free.radius,
            "profile": id.map(|id| level.label(id)), "free": 255, "blocked": 0,
        }));

        ctx.stage("Measuring clearance");
        let clearances = raster.filled(ctx, |p| space.free.clearance(p))?;
        maps.push(sixteen_bits(&raster, "clearance", &clearances, sink)?);

        if let Some(field) = level.ground() {
            let heights = raster.filled(ctx, |p| field.height(p))?;
            maps.push(sixteen_bits(&raster, "height", &heights, sink)?);
        }

        let bounds = level.settings().bounds;
        let index = json!({
            "format": "wayloom maps",
            "version": 1,
            "level": level.settings().name,
            "unit": "metre",
            "pixel": raster.pixel,
            "width": raster.width,
            "height": raster.height,
            "upper_left": [bounds.min.x, bounds.max.y],
            "maps": maps,
        });
        let mut bytes = serde_json::to_vec_pretty(&index)
            .map_err(|error| ExportError::Refused(error.to_string()))?;
        bytes.push(b'\n');
        sink.write_main(bytes)?;
        Ok(Exported {
            summary: vec![format!(
                "{} maps of {} × {} pixels, {} m each",
                index["maps"].as_array().map_or(0, Vec::len),
                raster.width,
                raster.height,
                raster.pixel
            )],
            ..Exported::default()
        })
    }
}

/// Pixels over the level, the upper left one first.
#[derive(Clone, Copy, Debug)]
struct Raster {
    width: u32,
    height: u32,
    /// Unit: metres.
    pixel: f64,
    upper_left: DVec2,
}

impl Raster {
    fn of(level: &Level, pixel: Option<f64>) -> Result<Self, ExportError> {
        let bounds = level.settings().bounds;
        let size = bounds.size();
        let pixel = pixel.unwrap_or_else(|| (size.max_element() / PIXELS).max(0.001));
        let pixels = (size / pixel - 1e-9).ceil().max(DVec2::ONE);
        if pixels.max_element() > MOST_PIXELS {
            return Err(ExportError::Refused(format!(
                "the maps would be {} × {} pixels; choose larger ones, of {:.3} m at least",
                pixels.x,
                pixels.y,
                size.max_element() / MOST_PIXELS
            )));
        }
        Ok(Self {
            width: pixels.x as u32,
            height: pixels.y as u32,
            pixel,
            upper_left: bounds.min.with_y(bounds.max.y),
        })
    }

    /// A value for the middle of each pixel, row by row.
    fn filled<T: Send>(
        &self,
        ctx: &JobContext,
        value: impl Fn(DVec2) -> T + Sync,
    ) -> Result<Vec<T>, Cancelled> {
        let rows: Result<Vec<Vec<T>>, Cancelled> = (0..self.height)
            .into_par_iter()
            .map(|row| {
                ctx.checkpoint()?;
                let places = (0..self.width).map(|column| {
                    let steps = DVec2::new(f64::from(column) + 0.5, -f64::from(row) - 0.5);
                    self.upper_left + steps * self.pixel
                });
                Ok(places.map(&value).collect())
            })
            .collect();
        Ok(rows?.into_iter().flatten().collect())
    }

    fn image<P: image::Pixel>(
        &self,
        values: Vec<P::Subpixel>,
    ) -> Result<ImageBuffer<P, Vec<P::Subpixel>>, ExportError> {
        ImageBuffer::from_raw(self.width, self.height, values)
            .ok_or_else(|| ExportError::Refused("a picture has too few pixels".to_owned()))
    }
}

/// Lengths as grey from black to white, with what both mean.
fn sixteen_bits(
    raster: &Raster,
    what: &str,
    values: &[f64],
    sink: &mut dyn ExportSink,
) -> Result<Value, ExportError> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = if high > low { high - low } else { 1.0 };
    let grey = |value: &f64| ((value - low) / span * f64::from(u16::MAX)).round() as u16;
    let pixels: ImageBuffer<Luma<u16>, Vec<u16>> =
        raster.image::<Luma<u16>>(values.iter().map(grey).collect())?;
    let file = format!("{what}.png");
    sink.write(&file, png(&DynamicImage::ImageLuma16(pixels))?)?;
    Ok(json!({ "file": file, "what": what, "bits": 16, "black": low, "white": low + span }))
}

fn png(picture: &DynamicImage) -> Result<Vec<u8>, ExportError> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| ExportError::Refused(error.to_string()))?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::MemorySink;
    use crate::exchange::test_level::{apply, obstacle};
    use crate::geometry::{Polygon, Rect};

    #[test]
    fn a_pixel_is_free_exactly_where_a_body_may_stand() {
        let wall = Rect::new(DVec2::new(4.0, 0.0), DVec2::new(5.0, 6.0));
        let level = apply(DVec2::new(10.0, 8.0), vec![obstacle(Polygon::rect(wall))]);
        let options = MapsExportOptions {
            pixel: Some(0.5),
            ..MapsExportOptions::default()
        };
        let mut sink = MemorySink::default();
        let input = ExportInput::new(Arc::new(level));
        MapsWriter
            .write(&input, &options, &mut sink, &JobContext::default())
            .expect("written");
        let index: Value = serde_json::from_slice(&sink.main).expect("JSON");
        assert_eq!(
            (&index["width"], &index["height"]),
            (&json!(20), &json!(16))
        );
        let picture = |name: &str| {
            let found = sink.beside.iter().find(|(file, _)| file == name);
            image::load_from_memory(&found.expect("written").1).expect("a picture")
        };
        let radius = crate::document::Profile::default().body.radius;
        let walkable = picture("walkable.png").to_luma8();
        let clearance = picture("clearance.png").to_luma16();
        let about = index["maps"].as_array().expect("a list");
        let about = about.iter().find(|map| map["what"] == "clearance");
        let (black, white) = about
            .and_then(|map| Some((map["black"].as_f64()?, map["white"].as_f64()?)))
            .expect("a scale");
        for (x, y, pixel) in walkable.enumerate_pixels() {
            let p = DVec2::new(0.25 + 0.5 * f64::from(x), 7.75 - 0.5 * f64::from(y));
            let to_wall = (p - wall.clamp(p)).length();
            let to_edge = p.x.min(10.0 - p.x).min(p.y).min(8.0 - p.y);
            let expected = to_wall.min(to_edge);
            assert_eq!(pixel.0[0] == 255, expected > radius, "{p}");
            let grey = f64::from(clearance.get_pixel(x, y).0[0]) / f64::from(u16::MAX);
            assert!(
                (black + grey * (white - black) - expected).abs() < 1e-3,
                "{p}"
            );
        }
        assert_eq!(
            picture("terrain.png").to_rgb8().get_pixel(9, 12).0,
            [0, 0, 0]
        );
    }
}
