//! Text as the Jülich data archive and PedPy have it.

use super::PositionWriter;
use crate::exchange::export::ExportError;
use crate::exchange::motion::Motion;
use crate::jobs::JobContext;
use std::fmt::Write as _;

pub const PEDPY: PositionWriter = PositionWriter { text };

fn text(motion: &Motion, ctx: &JobContext) -> Result<String, ExportError> {
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
    Ok(text)
}
