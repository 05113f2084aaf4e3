//! Text as the Jülich data archive and PedPy have it.

use super::{TrajectoryOptions, beside_trajectories, exported};
use crate::document::Level;
use crate::exchange::export::{ExportError, Exported, LeftOut};
use crate::exchange::motion::Motion;
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use std::fmt::Write as _;

#[derive(Debug)]
pub struct PedPyWriter;

impl Writer for PedPyWriter {
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
        let mut text = format!(
            "# framerate: {} fps\n# id frame x/m y/m z/m\n",
            motion.rate()
        );
        for walker in &motion.walkers {
            ctx.checkpoint()?;
            for (frame, at) in (walker.first..).zip(&walker.points) {
                let _ = writeln!(
                    text,
                    "{} {frame} {:.4} {:.4} {:.4}",
                    walker.number, at.x, at.y, at.z
                );
            }
        }
        sink.write_main(text.into_bytes())?;
        Ok(exported(&motion))
    }
}
