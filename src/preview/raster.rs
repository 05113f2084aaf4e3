//! An SVG picture as pixels: rasterised on the processor, with the program's own typeface, so
//! that neither OpenGL nor the machine's fonts matter.

use super::render::{Pixels, RenderError};
use super::typeface;
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

fn rasterise(svg: &str, size: [u32; 2]) -> Result<tiny_skia::Pixmap, RenderError> {
    let options = usvg::Options {
        font_family: typeface::FAMILY.to_owned(),
        fontdb: fonts(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options)
        .map_err(|error| RenderError::Raster(error.to_string()))?;
    let mut pixmap = tiny_skia::Pixmap::new(size[0], size[1])
        .ok_or_else(|| RenderError::Raster("there is not enough memory".to_owned()))?;
    resvg::render(
        &tree,
        tiny_skia::Transform::identity(),
        &mut pixmap.as_mut(),
    );
    Ok(pixmap)
}

pub(super) fn pixels(svg: &str, size: [u32; 2]) -> Result<Pixels, RenderError> {
    // The picture's background is opaque: premultiplied and straight colours are the same.
    Ok(Pixels {
        size,
        rgba: rasterise(svg, size)?.take(),
    })
}

pub(super) fn png(svg: &str, size: [u32; 2]) -> Result<Vec<u8>, RenderError> {
    rasterise(svg, size)?
        .encode_png()
        .map_err(|error| RenderError::Raster(error.to_string()))
}
