//! A triangulation that is updated incrementally with its drawing.

use super::change::Change;
use super::input::TerrainInput;
use super::mesh::TerrainMesh;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::stages::Work;
use std::sync::Arc;

/// Removing more than this fraction of all triangles does not pay off.
const MAX_SHARE: f64 = 0.4;

/// The triangulation of a drawing, and the last one built from scratch. Every incremental one is
/// derived from that, so that rounding does not accumulate.
#[derive(Clone, Debug)]
pub struct TerrainTriangulation {
    mesh: Arc<TerrainMesh>,
    whole: Arc<TerrainMesh>,
    /// What `whole` was built from.
    drawn: Arc<TerrainInput>,
    /// Triangles that are not those of `whole`; all of them after a build from scratch.
    made: usize,
}

impl TerrainTriangulation {
    /// Builds from scratch.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn build(input: impl Into<Arc<TerrainInput>>, ctx: &JobContext) -> Result<Self, Cancelled> {
        let input = input.into();
        let whole = Arc::new(TerrainMesh::build(&input, ctx)?);
        Ok(Self {
            mesh: Arc::clone(&whole),
            made: whole.len(),
            whole,
            drawn: input,
        })
    }

    /// Updates after a change: locally if it is small, otherwise from scratch.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn updated(
        &self,
        input: impl Into<Arc<TerrainInput>>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        self.updated_within(MAX_SHARE, input.into(), ctx)
    }

    /// [`Self::updated`] with another limit on the fraction of removed triangles.
    pub(super) fn updated_within(
        &self,
        share: f64,
        input: Arc<TerrainInput>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        ctx.checkpoint()?;
        let most = (share * self.whole.len() as f64) as usize;
        let change = Change::between(&self.drawn, &input);
        let spliced = change.and_then(|change| self.whole.spliced(&change, &input, most));
        match spliced {
            Some((mesh, made)) => Ok(Self {
                mesh: Arc::new(mesh),
                made,
                ..self.clone()
            }),
            None => Self::build(input, ctx),
        }
    }

    #[must_use]
    pub const fn mesh(&self) -> &Arc<TerrainMesh> {
        &self.mesh
    }

    /// Triangles that were made for it, of all.
    pub(in crate::nav) fn work(&self) -> Work {
        Work {
            made: self.made,
            of: self.mesh.len(),
        }
    }

    /// Whether it was built from scratch, and so does not depend on editing history.
    #[must_use]
    pub fn is_from_scratch(&self) -> bool {
        Arc::ptr_eq(&self.mesh, &self.whole)
    }
}
