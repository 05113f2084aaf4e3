//! A drag of a gizmo handle: one transaction from the first move to the release.

use super::gizmo::{Gizmo, GizmoMode, Handle, Steps};
use super::manipulate;
use crate::document::Selection;
use crate::geometry::Ray;
use crate::interaction::sketch::ANGLE_STEP;
use crate::interaction::{Host, Modifiers, Refused};
use glam::DVec3;

/// Heights snap to this fraction of the grid: storeys are seldom whole metres.
const HEIGHT_SHARE: f64 = 0.25;

/// Rotation snap. Unit: degrees.
const TURN_STEP: f64 = 1.0;
/// Scale snap.
const SCALE_STEP: f64 = 0.05;

#[derive(Clone, Debug)]
pub struct SpaceDrag {
    gizmo: Gizmo,
    handle: Handle,
    grabbed: DVec3,
    from: Ray,
    selection: Selection,
}

impl SpaceDrag {
    /// Starts dragging the selection.
    pub fn begin(
        host: &mut dyn Host,
        gizmo: Gizmo,
        handle: Handle,
        grabbed: DVec3,
        from: Ray,
    ) -> Self {
        host.begin(handle.label(gizmo.mode));
        Self {
            gizmo,
            handle,
            grabbed,
            from,
            selection: host.selection().clone(),
        }
    }

    #[must_use]
    pub const fn handle(&self) -> Handle {
        self.handle
    }

    #[must_use]
    pub const fn mode(&self) -> GizmoMode {
        self.gizmo.mode
    }

    /// Shows the total change so far. Snaps as the tools do; Ctrl inverts that. Shift restricts
    /// moves to an axis, rotations to steps of 15° and scales to uniform ones.
    ///
    /// # Errors
    /// The document rejects the result; the previous preview stays.
    pub fn update(
        &self,
        host: &mut dyn Host,
        to: &Ray,
        modifiers: Modifiers,
        snap: bool,
    ) -> Result<(), Refused> {
        let spacing = host.level().settings().grid.spacing;
        let snaps = snap != modifiers.ctrl;
        let when = |on: bool, step: f64| if on { step } else { 0.0 };
        let upwards = matches!(self.handle, Handle::Axis(2));
        let steps = Steps {
            length: when(
                snaps,
                if upwards {
                    spacing * HEIGHT_SHARE
                } else {
                    spacing
                },
            ),
            degrees: if modifiers.shift {
                ANGLE_STEP
            } else {
                when(snaps, TURN_STEP)
            },
            factor: when(snaps, SCALE_STEP),
            locked: modifiers.shift,
        };
        let Some(by) = self
            .gizmo
            .drag(self.handle, self.grabbed, &self.from, to, steps)
        else {
            return Ok(());
        };
        let base = host.document().committed_level().clone();
        host.preview(manipulate::edits(&base, &self.selection, &by))
    }

    /// Commits one undo step; none if nothing changed.
    ///
    /// # Errors
    /// The step could not be stored.
    pub fn finish(self, host: &mut dyn Host) -> Result<bool, Refused> {
        host.finish()
    }

    pub fn cancel(self, host: &mut dyn Host) {
        host.cancel();
    }
}
