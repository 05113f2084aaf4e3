//! A film as a GIF: shown everywhere, with 256 colours.

use super::changed::Part;
use super::{Film, FilmWriter};
use crate::exchange::export::ExportError;
use crate::exchange::sink::ExportSink;
use crate::jobs::JobContext;
use crate::preview::Pixels;
use color_quant::NeuQuant;
use gif::{Encoder, Frame, Repeat};
use std::collections::{BTreeSet, HashMap};

/// Pictures that colours are chosen from.
const SAMPLED: usize = 5;

/// Of the search for colours: 1 is best, 30 is fastest.
const SAMPLE_FACTOR: i32 = 10;

pub const GIF: FilmWriter = FilmWriter { write };

fn write(film: &Film, sink: &mut dyn ExportSink, ctx: &JobContext) -> Result<(), ExportError> {
    let mut colours = Colours::of(film, ctx)?;
    let failed = |error: gif::EncodingError| ExportError::Refused(error.to_string());
    let [width, height] = film.size.map(|side| side as u16);
    let mut encoder = Encoder::new(Vec::new(), width, height, &colours.table).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut before: Option<Pixels> = None;
    film.each(ctx, |number, pixels| {
        let part = match &before {
            Some(before) => Part::changed(before, pixels),
            None => Part::whole(pixels),
        };
        let indices: Vec<u8> = part
            .rgb(pixels)
            .chunks_exact(3)
            .map(|rgb| colours.index([rgb[0], rgb[1], rgb[2]]))
            .collect();
        // Hundredths of a second; what is lost by rounding is made up for by later pictures.
        let due = |number: usize| (number as f64 * 100.0 / film.fps).round() as usize;
        encoder
            .write_frame(&Frame {
                delay: (due(number + 1) - due(number)).clamp(1, 65_535) as u16,
                left: part.x as u16,
                top: part.y as u16,
                width: part.width as u16,
                height: part.height as u16,
                buffer: indices.into(),
                ..Frame::default()
            })
            .map_err(failed)?;
        before = Some(pixels.clone());
        Ok(())
    })?;
    let bytes = encoder
        .into_inner()
        .map_err(|error| ExportError::Refused(error.to_string()))?;
    sink.write_main(bytes)
}

/// One table of colours for all pictures.
struct Colours {
    /// Red, green, blue of each.
    table: Vec<u8>,
    /// Indices of colours that were looked up already.
    known: HashMap<[u8; 3], u8>,
}

impl Colours {
    /// All colours of some of the pictures if there are few enough, those that come near them
    /// otherwise.
    fn of(film: &Film, ctx: &JobContext) -> Result<Self, ExportError> {
        let last = film.times.len() - 1;
        let sampled: BTreeSet<usize> = (0..SAMPLED).map(|i| i * last / (SAMPLED - 1)).collect();
        let mut pixels = Vec::new();
        for number in sampled {
            ctx.checkpoint()?;
            let moment = film.playback.moment(film.times[number]);
            pixels.extend(film.picture(moment).map_err(super::refused)?.rgba);
        }
        let exact: BTreeSet<[u8; 3]> = pixels.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        let mut table: Vec<u8> = if exact.len() <= 256 {
            exact.into_iter().flatten().collect()
        } else {
            NeuQuant::new(SAMPLE_FACTOR, 256, &pixels).color_map_rgb()
        };
        table.resize(3 * 256, 0);
        Ok(Self {
            table,
            known: HashMap::new(),
        })
    }

    /// The nearest of the table.
    fn index(&mut self, rgb: [u8; 3]) -> u8 {
        let table = &self.table;
        *self.known.entry(rgb).or_insert_with(|| {
            let distance = |entry: &[u8]| {
                let by = |i: usize| i32::from(entry[i]) - i32::from(rgb[i]);
                by(0).pow(2) + by(1).pow(2) + by(2).pow(2)
            };
            let entries = table.chunks_exact(3).enumerate();
            let best = entries.min_by_key(|(_, entry)| distance(entry));
            best.map_or(0, |(i, _)| i as u8)
        })
    }
}
