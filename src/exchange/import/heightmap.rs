//! Grey-scale pictures as heights: black is low, white is high.

use super::moving_ai::CELL;
use super::{ImportError, Imported, Source};
use crate::document::ops;
use crate::document::{Edit, Level, Settings, limits};
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::reader::{ImportInput, Reader};
use crate::geometry::{HeightField, Rect};
use crate::jobs::JobContext;
use glam::DVec2;
use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use std::io::Cursor;
use std::sync::Arc;

/// What black and white stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightRange {
    /// Unit: metres.
    pub black: f64,
    /// Unit: metres.
    pub white: f64,
}

impl Default for HeightRange {
    fn default() -> Self {
        Self {
            black: 0.0,
            white: 10.0,
        }
    }
}

impl HeightRange {
    /// To the millimetre, as everywhere in a height field.
    fn height(self, share: f64) -> f64 {
        let height = self.black + (self.white - self.black) * share;
        (height * 1000.0).round() / 1000.0
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct HeightmapOptions {
    /// Distance between pixels, where the heights are a level of their own. Unit: metres.
    pub cell: f64,
    pub range: HeightRange,
}

impl Default for HeightmapOptions {
    fn default() -> Self {
        Self {
            cell: 1.0,
            range: HeightRange::default(),
        }
    }
}

impl FormatOptions for HeightmapOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::number(
            [
                "cell",
                "Pixel size",
                "Distance between two pixels, without a drawing above",
            ],
            CELL,
            |o| &mut o.cell,
        ),
        Field::number(
            ["black", "Black is at", "Height of black"],
            limits::ELEVATION,
            |o| &mut o.range.black,
        ),
        Field::number(
            ["white", "White is at", "Height of white"],
            limits::ELEVATION,
            |o| &mut o.range.white,
        ),
    ];
}

#[derive(Debug)]
pub struct HeightmapReader;

const ONE: &str = "only one heightmap can be read at a time";

impl Reader for HeightmapReader {
    type Options = HeightmapOptions;

    fn read(
        &self,
        input: &ImportInput<'_>,
        options: &HeightmapOptions,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        let heightmap = Heightmap::read(input.only(ONE)?, ctx)?;
        let [columns, rows] = heightmap.size();
        let extent = DVec2::new(columns as f64 - 1.0, rows as f64 - 1.0) * options.cell;
        let settings = Settings {
            bounds: Rect::new(DVec2::ZERO, extent),
            ..Settings::default()
        };
        let field = heightmap.field(DVec2::ZERO, options.cell, options.range);
        let edits = [
            Edit::Settings(Arc::new(settings)),
            Edit::Ground(Some(Arc::new(field))),
        ];
        applied(&Level::default(), &edits, heightmap.warnings, input)
    }

    /// Stretched over the level's bounds.
    fn add_to(
        &self,
        level: &Level,
        input: &ImportInput<'_>,
        options: &HeightmapOptions,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        let heightmap = Heightmap::read(input.only(ONE)?, ctx)?;
        let field = heightmap.field_over(level.settings().bounds, options.range);
        let edits = [Edit::Ground(Some(Arc::new(field)))];
        applied(level, &edits, heightmap.warnings, input)
    }
}

fn applied(
    level: &Level,
    edits: &[Edit],
    warnings: Vec<String>,
    input: &ImportInput<'_>,
) -> Result<Imported, ImportError> {
    let level = ops::apply(level, edits)
        .map_err(|error| ImportError::within(input.name(), error.to_string()))?;
    Ok(Imported::new(level, warnings))
}

/// Largest picture that is decoded, in pixels each way: beyond this nothing fits into a level.
const MAX_SIDE: u32 = 16_384;
/// Room for the decoder. Unit: bytes.
const MAX_MEMORY: u64 = 256 << 20;

/// A picture's brightness, row by row from the lower left.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    columns: usize,
    rows: usize,
    /// From 0 to 65535, whatever the file's own depth.
    brightness: Vec<u16>,
    /// What was ignored, a sentence each.
    pub warnings: Vec<String>,
}

impl Heightmap {
    /// Reads an 8- or 16-bit PNG file.
    ///
    /// # Errors
    /// It is no PNG, damaged, or larger than a level can hold.
    pub fn read(source: &Source, context: &JobContext) -> Result<Self, ImportError> {
        let refuse = |message: String| ImportError::within(&source.name, message);
        context.stage("Reading heights");
        context.checkpoint()?;
        let reader = || {
            let mut reader =
                ImageReader::with_format(Cursor::new(&source.bytes[..]), ImageFormat::Png);
            let mut limits = Limits::default();
            limits.max_image_width = Some(MAX_SIDE);
            limits.max_image_height = Some(MAX_SIDE);
            limits.max_alloc = Some(MAX_MEMORY);
            reader.limits(limits);
            reader
        };
        let damaged = |error: image::ImageError| {
            refuse(match error {
                image::ImageError::Limits(_) => format!(
                    "the picture is too large; at most {MAX_SIDE} × {MAX_SIDE} pixels are read \
                     — make it smaller"
                ),
                // What the decoder says is meant for those who write decoders.
                _ => "this is not a PNG picture, or it is damaged; save it again with the program \
                      that made it"
                    .to_owned(),
            })
        };
        let (columns, rows) = reader().into_dimensions().map_err(damaged)?;
        if columns < 2 || rows < 2 {
            return Err(refuse(format!(
                "the picture has {columns} × {rows} pixels; at least 2 × 2 are needed"
            )));
        }
        let pixels = u64::from(columns) * u64::from(rows);
        if pixels > limits::MAX_POSTS as u64 {
            return Err(refuse(format!(
                "the picture has {columns} × {rows} pixels; at most {} fit into a level — \
                 make it smaller",
                limits::MAX_POSTS
            )));
        }
        let picture = reader().decode().map_err(damaged)?;
        context.checkpoint()?;
        let mut warnings = Vec::new();
        if picture.color().has_color() {
            warnings.push("the picture is in colour; its brightness was taken".to_owned());
        }
        if picture.color().has_alpha() {
            warnings.push("the picture’s transparency was ignored".to_owned());
        }
        Ok(Self::of(&picture, warnings))
    }

    fn of(picture: &DynamicImage, warnings: Vec<String>) -> Self {
        let grey = picture.to_luma16();
        Self {
            columns: grey.width() as usize,
            rows: grey.height() as usize,
            brightness: grey
                .rows()
                .rev()
                .flat_map(|row| row.map(|pixel| pixel.0[0]).collect::<Vec<_>>())
                .collect(),
            warnings,
        }
    }

    #[must_use]
    pub const fn size(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// One post for each pixel, from `origin` on.
    #[must_use]
    pub fn field(&self, origin: DVec2, spacing: f64, range: HeightRange) -> HeightField {
        HeightField {
            origin,
            spacing,
            columns: self.columns,
            rows: self.rows,
            heights: self
                .brightness
                .iter()
                .map(|grey| range.height(f64::from(*grey) / f64::from(u16::MAX)))
                .collect(),
        }
    }

    /// Stretched over an area, with posts about as dense as its pixels.
    #[must_use]
    pub fn field_over(&self, area: Rect, range: HeightRange) -> HeightField {
        let pixels = DVec2::new(self.columns as f64 - 1.0, self.rows as f64 - 1.0);
        let pixel = area.size() / pixels;
        if (pixel.x - pixel.y).abs() <= 1e-9 * pixel.x {
            return self.field(area.min, pixel.x, range);
        }
        // As fine as the finer side: detail is what a picture is for.
        let mut spacing = limits::POST_SPACING.clamp(pixel.min_element());
        while HeightField::posts_over(area, spacing) > limits::MAX_POSTS as f64 {
            spacing *= 1.1;
        }
        let unit = self.field(DVec2::ZERO, 1.0, range);
        let mut field = HeightField::flat(area, spacing, 0.0);
        field.heights = (0..field.heights.len())
            .map(|i| {
                let post = DVec2::new((i % field.columns) as f64, (i / field.columns) as f64);
                let height = unit.height(post * spacing / pixel);
                (height * 1000.0).round() / 1000.0
            })
            .collect();
        field
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use image::{GrayImage, ImageBuffer, Luma, Rgba, RgbaImage};

    pub(in super::super) fn png(picture: impl Into<DynamicImage>) -> Vec<u8> {
        let mut bytes = Vec::new();
        picture
            .into()
            .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
            .expect("memory holds it");
        bytes
    }

    fn read(bytes: Vec<u8>) -> Result<Heightmap, ImportError> {
        let source = Source {
            name: "hills.png".to_owned(),
            bytes,
        };
        Heightmap::read(&source, &JobContext::default())
    }

    #[test]
    fn eight_and_sixteen_bits_give_the_heights_they_stand_for() {
        let range = HeightRange {
            black: -5.0,
            white: 20.5,
        };
        let eight = GrayImage::from_fn(4, 3, |x, y| Luma([(x * 10 + y * 100) as u8]));
        let field = read(png(eight))
            .expect("a picture")
            .field(DVec2::ZERO, 2.0, range);
        assert_eq!((field.columns, field.rows), (4, 3));
        // The picture's first row is the upper one.
        assert!((field.post(0, 2) - -5.0).abs() < 1e-9);
        assert!((field.post(3, 2) - (-5.0 + 30.0 * 0.1)).abs() < 1e-9);
        assert!((field.post(0, 0) - (-5.0 + 200.0 * 0.1)).abs() < 1e-9);

        let sixteen: ImageBuffer<Luma<u16>, Vec<u16>> =
            ImageBuffer::from_fn(2, 2, |x, _| Luma([if x == 0 { 0 } else { 32_768 }]));
        let field = read(png(DynamicImage::ImageLuma16(sixteen)))
            .expect("a picture")
            .field(
                DVec2::ZERO,
                1.0,
                HeightRange {
                    black: 0.0,
                    white: 65.535,
                },
            );
        assert!((field.post(1, 0) - 32.768).abs() < 1e-9);
    }

    #[test]
    fn a_picture_is_stretched_over_any_area() {
        let ramp = GrayImage::from_fn(11, 5, |x, _| Luma([(x * 25) as u8]));
        let picture = read(png(ramp)).expect("a picture");
        let area = Rect::new(DVec2::new(-10.0, 5.0), DVec2::new(90.0, 75.0));
        let range = HeightRange {
            black: 0.0,
            white: 255.0,
        };
        let field = picture.field_over(area, range);
        assert!(field.bounds().expanded(1e-6).contains(area.max));
        for share in [0.0, 0.33, 0.8, 1.0] {
            let p = DVec2::new(area.min.x + share * 100.0, 40.0);
            let height = field.height(p);
            assert!((height - 250.0 * share).abs() < 6.0, "{share}: {height}");
        }
    }

    #[test]
    fn colour_is_taken_as_brightness_and_said() {
        let picture = RgbaImage::from_pixel(2, 2, Rgba([255, 255, 255, 9]));
        let read = read(png(picture)).expect("a picture");
        assert_eq!(read.warnings.len(), 2);
        assert_eq!(read.brightness, vec![u16::MAX; 4]);
    }

    #[test]
    fn what_is_no_usable_picture_is_refused_with_a_sentence() {
        let sentence = |bytes: Vec<u8>| read(bytes).expect_err("refused").to_string();
        assert!(sentence(b"GIF89a".to_vec()).contains("not a PNG"));
        let whole = png(GrayImage::new(64, 64));
        assert!(sentence(whole[..whole.len() / 2].to_vec()).contains("damaged"));
        assert!(sentence(png(GrayImage::new(1, 9))).contains("at least 2 × 2"));
        assert!(sentence(png(GrayImage::new(4000, 4000))).contains("make it smaller"));
        // A header that promises more than the file holds.
        let mut huge = whole;
        huge[16..24].copy_from_slice(&[0, 16, 0, 0, 0, 16, 0, 0]);
        assert!(sentence(huge).contains("hills.png"));
    }
}
