//! A film picture by picture, for programs that cut films.

use super::{Film, FilmOptions, beside_film, refused};
use crate::document::Level;
use crate::exchange::export::{ExportError, Exported, LeftOut};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use crate::preview::space::render;
use serde_json::json;

/// The file that says when each picture was taken.
pub const INDEX: &str = "frames.json";

#[derive(Debug)]
pub struct FramesWriter;

impl Writer for FramesWriter {
    type Options = FilmOptions;

    fn takes_recording(&self) -> bool {
        true
    }

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        beside_film(level)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let film = Film::new(input, options, ctx)?;
        let mut pictures = Vec::with_capacity(film.times.len());
        film.each(ctx, |number, pixels| {
            let name = format!("frame_{number:05}.png");
            sink.write(&name, render::png(pixels.clone()).map_err(refused)?)?;
            pictures.push(json!({ "file": name, "time": film.times[number] }));
            Ok(())
        })?;
        let [width, height] = film.size;
        let index = json!({
            "format": "wayloom-frames", "version": 1, "level": input.level.settings().name,
            "width": width, "height": height, "fps": options.fps, "frames": pictures,
        });
        let text = serde_json::to_string_pretty(&index)
            .map_err(|error| ExportError::Refused(error.to_string()))?;
        sink.write_main((text + "\n").into_bytes())?;
        Ok(film.exported(options))
    }
}
