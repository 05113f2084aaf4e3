//! A line for each agent and frame, for spreadsheets and scripts.

use super::{TrajectoryOptions, beside_trajectories, exported};
use crate::document::Level;
use crate::exchange::export::{ExportError, Exported, LeftOut};
use crate::exchange::motion::Motion;
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use std::fmt::Write as _;

#[derive(Debug)]
pub struct CsvWriter;

impl Writer for CsvWriter {
    type Options = TrajectoryOptions;

    fn takes_recording(&self) -> bool {
        true
    }

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        beside_trajectories(level, false)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let motion = Motion::of(input, options.fps, ctx)?;
        let mut text = String::from("time,id,name,x,y,z,speed\n");
        for frame in 0..motion.frames {
            if frame % 256 == 0 {
                ctx.checkpoint()?;
            }
            let time = frame as f64 * motion.interval;
            for walker in &motion.walkers {
                let Some(at) = walker.at(frame) else {
                    continue;
                };
                let speed = walker.speed(frame - walker.first, motion.interval);
                let _ = writeln!(
                    text,
                    "{time:.3},{},{},{:.3},{:.3},{:.3},{speed:.3}",
                    walker.number,
                    quoted(&walker.name),
                    at.x,
                    at.y,
                    at.z
                );
            }
        }
        sink.write_main(text.into_bytes())?;
        Ok(exported(&motion))
    }
}

/// As RFC 4180 has it: in quotation marks where it is needed, and those doubled.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
