//! A film as an animated PNG: all colours, shown by every browser.

use super::changed::Part;
use super::{Film, FilmWriter};
use crate::exchange::export::ExportError;
use crate::exchange::sink::ExportSink;
use crate::jobs::JobContext;
use crate::preview::Pixels;

pub const APNG: FilmWriter = FilmWriter { write };

fn write(film: &Film, sink: &mut dyn ExportSink, ctx: &JobContext) -> Result<(), ExportError> {
    let failed = |error: png::EncodingError| ExportError::Refused(error.to_string());
    let mut bytes = Vec::new();
    let [width, height] = film.size;
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
        .set_animated(film.times.len() as u32, 0)
        .map_err(failed)?;
    let thousandths = (1000.0 / film.fps).round() as u16;
    encoder.set_frame_delay(thousandths, 1000).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    let mut before: Option<Pixels> = None;
    film.each(ctx, |_, pixels| {
        let part = match &before {
            Some(before) => {
                let part = Part::changed(before, pixels);
                writer.reset_frame_position().map_err(failed)?;
                writer
                    .set_frame_dimension(part.width, part.height)
                    .map_err(failed)?;
                writer.set_frame_position(part.x, part.y).map_err(failed)?;
                part
            }
            None => Part::whole(pixels),
        };
        writer.write_image_data(&part.rgb(pixels)).map_err(failed)?;
        before = Some(pixels.clone());
        Ok(())
    })?;
    writer.finish().map_err(failed)?;
    sink.write_main(bytes)
}
