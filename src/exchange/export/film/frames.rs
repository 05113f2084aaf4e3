//! A film picture by picture, for programs that cut films.

use super::{Film, FilmWriter, refused};
use crate::exchange::export::ExportError;
use crate::exchange::sink::ExportSink;
use crate::jobs::JobContext;
use crate::preview::space::render;
use serde_json::json;

/// The file that says when each picture was taken.
pub const INDEX: &str = "frames.json";

pub const FRAMES: FilmWriter = FilmWriter { write };

fn write(film: &Film, sink: &mut dyn ExportSink, ctx: &JobContext) -> Result<(), ExportError> {
    let mut pictures = Vec::with_capacity(film.times.len());
    film.each(ctx, |number, pixels| {
        let name = format!("frame_{number:05}.png");
        sink.write(&name, render::png(pixels.clone()).map_err(refused)?)?;
        pictures.push(json!({ "file": name, "time": film.times[number] }));
        Ok(())
    })?;
    let [width, height] = film.size;
    let index = json!({
        "format": "wayloom-frames", "version": 1, "level": film.level.settings().name,
        "width": width, "height": height, "fps": film.fps, "frames": pictures,
    });
    let text = serde_json::to_string_pretty(&index)
        .map_err(|error| ExportError::Refused(error.to_string()))?;
    sink.write_main((text + "\n").into_bytes())
}
