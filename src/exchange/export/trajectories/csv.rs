//! A line for each agent and frame, for spreadsheets and scripts.

use super::PositionWriter;
use crate::exchange::export::ExportError;
use crate::exchange::motion::Motion;
use crate::jobs::JobContext;
use std::fmt::Write as _;

pub const CSV: PositionWriter = PositionWriter { text };

fn text(motion: &Motion, ctx: &JobContext) -> Result<String, ExportError> {
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
    Ok(text)
}

/// As RFC 4180 has it: in quotation marks where it is needed, and those doubled.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
