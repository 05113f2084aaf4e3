//! Recordings as tables of positions: for crowd research, for spreadsheets, for scripts.

mod csv;
mod jupedsim;
mod pedpy;
#[cfg(test)]
mod tests;
mod vadere;

pub use csv::CSV;
pub use jupedsim::JuPedSimWriter;
pub use pedpy::PEDPY;
pub use vadere::{ScenarioWriter, TRAJ};

use super::left_out::{LeftOut, is_internal, left_out};
use super::{ExportError, Exported};
use crate::base::{Quantity, Unit};
use crate::document::{Entity, Kind, Level};
use crate::exchange::motion::Motion;
use crate::exchange::options::{Field, FormatOptions, Words};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use serde_json::Map;

pub(in crate::exchange) const RATE: Quantity =
    Quantity::new("frames per second", Unit::PerSecond, 0.1, 240.0, 10.0);

/// Of the option of every format that shows movement.
pub(in crate::exchange) const RATE_WORDS: Words = [
    "fps",
    "Frames per second",
    "How often positions are written; as recorded if not given, 10 for agents as planned",
];

/// How often positions are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrajectoryOptions {
    /// As recorded if `None`. Unit: frames per second.
    pub fps: Option<f64>,
}

impl FormatOptions for TrajectoryOptions {
    const FIELDS: &'static [Field<Self>] =
        &[Field::automatic_number(RATE_WORDS, RATE, |o: &mut Self| {
            &mut o.fps
        })];
}

/// A table of positions as text.
#[derive(Debug)]
pub struct PositionWriter {
    text: fn(&Motion, &JobContext) -> Result<String, ExportError>,
}

impl Writer for PositionWriter {
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
        sink.write_main((self.text)(&motion, ctx)?.into_bytes())?;
        Ok(exported(&motion))
    }
}

/// Everything but movements has no place in a table of positions; `walkable` ground may.
fn beside_trajectories(level: &Level, has_walkable: bool) -> Vec<LeftOut> {
    let reason = |entity: &Entity| match &entity.kind {
        Kind::Agent(_) | Kind::Crowd(_) => None,
        _ if is_internal(entity) => None,
        Kind::Obstacle(_) | Kind::Solid(_) if has_walkable => None,
        _ if has_walkable => Some("the file holds the walkable area and who is where"),
        _ => Some("the file holds only who is where"),
    };
    left_out(level, &reason, None)
}

/// What every such file says about itself.
pub(super) fn exported(motion: &Motion) -> Exported {
    let mut details = Map::new();
    details.insert("agents".to_owned(), motion.walkers.len().into());
    details.insert("positions".to_owned(), motion.positions().into());
    details.insert("seconds".to_owned(), motion.duration().into());
    details.insert("fps".to_owned(), motion.rate().into());
    Exported {
        summary: vec![motion.summary()],
        details,
        ..Exported::default()
    }
}

/// A sentence for a library's error.
fn refused(what: &str, error: &dyn std::fmt::Display) -> ExportError {
    ExportError::Refused(format!("{what}: {error}"))
}
