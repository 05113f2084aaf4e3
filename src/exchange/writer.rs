//! What it takes to write a format.

use super::export::{ExportError, Exported, LeftOut};
use super::options::{FormatOptions, Options};
use super::sink::ExportSink;
use crate::document::Level;
use crate::jobs::JobContext;
use crate::nav::voxel::VoxelOptions;
use crate::sim::Recording;
use std::sync::Arc;

/// What is exported. The level itself is never altered.
#[derive(Clone, Debug)]
pub struct ExportInput {
    pub level: Arc<Level>,
    /// For writers that bake: the meshes that solids show, and how space is cut into voxels
    /// unless the options say otherwise.
    pub voxels: VoxelOptions,
    /// How the agents move; formats that show it show the agents as planned if there is none.
    pub recording: Option<Arc<Recording>>,
}

impl ExportInput {
    /// Whether a run was recorded, other than agents that walk as planned.
    #[must_use]
    pub fn has_run(&self) -> bool {
        self.recording.as_ref().is_some_and(|r| r.run().is_some())
    }

    /// A level without meshes.
    #[must_use]
    pub fn new(level: Arc<Level>) -> Self {
        Self {
            level,
            voxels: VoxelOptions::default(),
            recording: None,
        }
    }
}

/// A level → files of a format.
pub trait Writer: Send + Sync + 'static {
    type Options: FormatOptions;

    /// Whether a recording of a run changes what is written.
    fn takes_recording(&self) -> bool {
        false
    }

    /// What of a level has no place in the format. Cheap: dialogs ask while options change.
    fn left_out(&self, _level: &Level, _options: &Self::Options) -> Vec<LeftOut> {
        Vec::new()
    }

    /// # Errors
    /// The level does not fit the format; a sentence says why.
    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError>;
}

/// A [`Writer`] whose options are of any kind.
pub trait DynWriter: Send + Sync {
    /// The defaults.
    fn options(&self) -> Options;

    /// As [`Writer::takes_recording`].
    fn takes_recording_any(&self) -> bool;

    /// As [`Writer::left_out`]; nothing for options of another format.
    fn left_out_any(&self, level: &Level, options: &Options) -> Vec<LeftOut>;

    /// # Errors
    /// As for [`Writer::write`].
    fn write_any(
        &self,
        input: &ExportInput,
        options: &Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError>;
}

impl<W: Writer> DynWriter for W {
    fn options(&self) -> Options {
        Options::new(W::Options::default())
    }

    fn takes_recording_any(&self) -> bool {
        self.takes_recording()
    }

    fn left_out_any(&self, level: &Level, options: &Options) -> Vec<LeftOut> {
        let options = options.downcast_ref();
        options.map_or_else(Vec::new, |options| self.left_out(level, options))
    }

    fn write_any(
        &self,
        input: &ExportInput,
        options: &Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        options
            .check()
            .map_err(|error| ExportError::Refused(error.to_string()))?;
        let options = options.downcast_ref().ok_or_else(|| {
            ExportError::Refused("these are options of another format".to_owned())
        })?;
        self.write(input, options, sink, ctx)
    }
}
