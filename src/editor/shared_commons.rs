//! What is common to all radii in one state of the level, made once for all who work on that state
//! beside the window.

use crate::document::Level;
use crate::nav::Commons;
use crate::nav::trapezoid::Effort;
use crate::nav::voxel::VoxelOptions;
use crate::planner::Baked;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[derive(Debug)]
pub(super) struct SharedCommons {
    level: Arc<Level>,
    options: Arc<VoxelOptions>,
    effort: Effort,
    /// Of an earlier state; let go of once these are made.
    before: Mutex<Option<Arc<Commons>>>,
    made: OnceLock<Arc<Commons>>,
}

impl SharedCommons {
    /// What `before` holds and still fits is taken over. Nothing is made yet: with many things in
    /// a level it takes longer than a frame should.
    pub(super) fn new(
        level: Arc<Level>,
        options: Arc<VoxelOptions>,
        effort: Effort,
        before: Option<Arc<Commons>>,
    ) -> Self {
        Self {
            level,
            options,
            effort,
            before: Mutex::new(before),
            made: OnceLock::new(),
        }
    }

    /// Of a state that was baked before.
    pub(super) fn of_baked(baked: &Baked) -> Self {
        let commons = Arc::clone(baked.bundle.commons());
        Self {
            level: Arc::clone(&baked.level),
            options: Arc::clone(commons.voxel_options()),
            effort: baked.effort,
            before: Mutex::default(),
            made: OnceLock::from(commons),
        }
    }

    /// Whether these will do for a state, made with at least that effort.
    pub(super) fn is_for(
        &self,
        level: &Arc<Level>,
        options: &VoxelOptions,
        effort: Effort,
    ) -> bool {
        Arc::ptr_eq(&self.level, level)
            && self.options.agrees_with(options)
            && self.effort >= effort
    }

    pub(super) const fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// Made now, if nobody has: beside the window.
    pub(super) fn get(&self) -> &Arc<Commons> {
        self.made.get_or_init(|| {
            let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
            let before = before.take();
            let options = Arc::clone(&self.options);
            Arc::new(Commons::with_voxels(
                &self.level,
                options,
                before.as_deref(),
            ))
        })
    }

    pub(super) fn made(&self) -> Option<&Arc<Commons>> {
        self.made.get()
    }
}
