//! An SVG picture as pixels: rasterised on the processor, with the program's own typeface, so
//! that neither OpenGL nor the machine's fonts matter.

use super::render::{Pixels, RenderError};
use super::{texture, typeface};
use crate::document::Pattern;
use resvg::{tiny_skia, usvg};
use std::sync::{Arc, OnceLock};

fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONTS: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    Arc::clone(FONTS.get_or_init(|| {
        let mut fonts = usvg::fontdb::Database::new();
        fonts.load_font_data(typeface::BYTES.to_vec());
        fonts.set_sans_serif_family(typeface::FAMILY);
        Arc::new(fonts)
    }))
}

/// A drawing taken apart, with the program's own typeface.
pub(super) fn tree(svg: &str) -> Result<usvg::Tree, RenderError> {
    let options = usvg::Options {
        font_family: typeface::FAMILY.to_owned(),
        fontdb: fonts(),
        ..usvg::Options::default()
    };
    usvg::Tree::from_str(svg, &options).map_err(|error| RenderError::Raster(error.to_string()))
}

/// Draws over opaque pixels; the drawing is as large as the picture.
pub(super) fn draw_over(pixels: &mut Pixels, svg: &str) -> Result<(), RenderError> {
    let [width, height] = pixels.size;
    let mut canvas = tiny_skia::PixmapMut::from_bytes(&mut pixels.rgba, width, height)
        .ok_or_else(|| RenderError::Raster("the picture has another size".to_owned()))?;
    resvg::render(&tree(svg)?, tiny_skia::Transform::identity(), &mut canvas);
    Ok(())
}

fn rasterise(svg: &str, size: [u32; 2]) -> Result<tiny_skia::Pixmap, RenderError> {
    let tree = tree(svg)?;
    let mut pixmap = tiny_skia::Pixmap::new(size[0], size[1])
        .ok_or_else(|| RenderError::Raster("there is not enough memory".to_owned()))?;
    // Larger than the drawing, everything grows: lines and letters, too.
    let scale = size[0] as f32 / tree.size().width();
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    Ok(pixmap)
}

/// One tile of a pattern as coverage, 0 to 255, row by row from the top; blank for plain.
#[must_use]
pub fn tile_mask(pattern: Pattern, side: u32) -> Vec<u8> {
    let blank = || vec![0; side as usize * side as usize];
    let Some(tile) = texture::tile(pattern) else {
        return blank();
    };
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" \
         viewBox=\"0 0 {t} {t}\"><path d=\"{}\" fill=\"none\" stroke=\"#fff\" \
         stroke-width=\"{}\" stroke-linecap=\"round\"/></svg>",
        tile.path,
        tile.width,
        t = texture::TILE,
    );
    rasterise(&svg, [side, side]).map_or_else(
        |_| blank(),
        |pixmap| {
            pixmap
                .data()
                .chunks_exact(4)
                .map(|pixel| pixel[3])
                .collect()
        },
    )
}

pub(super) fn pixels(svg: &str, size: [u32; 2]) -> Result<Pixels, RenderError> {
    // The picture's background is opaque: premultiplied and straight colours are the same.
    Ok(Pixels {
        size,
        rgba: rasterise(svg, size)?.take(),
    })
}

/// A PNG file of a drawing, as large as asked for.
///
/// # Errors
/// The drawing cannot be read, or there is not enough memory.
pub fn png(svg: &str, size: [u32; 2]) -> Result<Vec<u8>, RenderError> {
    rasterise(svg, size)?
        .encode_png()
        .map_err(|error| RenderError::Raster(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_inked_where_their_pattern_is() {
        for pattern in Pattern::ALL {
            let mask = tile_mask(pattern, 48);
            assert_eq!(mask.len(), 48 * 48);
            let inked = mask.iter().filter(|m| **m > 127).count();
            assert_eq!(inked == 0, pattern == Pattern::Plain, "{pattern:?}");
            assert!(inked < 48 * 24, "{pattern:?} is mostly ground");
        }
        let dots = tile_mask(Pattern::Dots, 24);
        assert!(dots[6 * 24 + 6] > 200 && dots[12 * 24 + 12] == 0);
    }
}
