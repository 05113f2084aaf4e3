//! A triangulation that follows its drawing while that is changed.

use super::change::Change;
use super::input::TerrainInput;
use super::mesh::TerrainMesh;
use crate::jobs::{Cancelled, JobContext};
use std::sync::Arc;

/// Taking out more than this share of all triangles is not worth it.
const MAX_SHARE: f64 = 0.4;

/// The triangulation of a drawing, and the last one that was made from scratch: every later one is
/// made from that, so that what rounding moves does not add up.
#[derive(Clone, Debug)]
pub struct Groundwork {
    mesh: Arc<TerrainMesh>,
    whole: Arc<TerrainMesh>,
    /// What `whole` was made from.
    drawn: Arc<TerrainInput>,
}

impl Groundwork {
    /// From scratch.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn build(input: TerrainInput, ctx: &JobContext) -> Result<Self, Cancelled> {
        let whole = Arc::new(TerrainMesh::build(&input, ctx)?);
        Ok(Self {
            mesh: Arc::clone(&whole),
            whole,
            drawn: Arc::new(input),
        })
    }

    /// After a change: near it alone where that is little, else from scratch.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn updated(&self, input: TerrainInput, ctx: &JobContext) -> Result<Self, Cancelled> {
        self.updated_within(MAX_SHARE, input, ctx)
    }

    /// The same with another share of the triangles that may be taken out.
    pub(super) fn updated_within(
        &self,
        share: f64,
        input: TerrainInput,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        ctx.checkpoint()?;
        let most = (share * self.whole.len() as f64) as usize;
        let change = Change::between(&self.drawn, &input);
        let spliced = change.and_then(|change| self.whole.spliced(&change, &input, most));
        match spliced {
            Some(mesh) => Ok(Self {
                mesh: Arc::new(mesh),
                ..self.clone()
            }),
            None => Self::build(input, ctx),
        }
    }

    #[must_use]
    pub const fn mesh(&self) -> &Arc<TerrainMesh> {
        &self.mesh
    }

    /// Whether it was made from scratch: the same however the drawing came about.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        Arc::ptr_eq(&self.mesh, &self.whole)
    }
}
