//! Scales the selection towards a side or a corner.

use super::{
    handles::{Frame, Handle},
    transform_drag::{Follows, Transformed},
};
use crate::geometry::lattice::LATTICE;
use crate::interaction::{
    context::{Scene, ToolContext},
    entry::{NumericEntry, Typed},
    hints::Hints,
    input::Pointer,
    measures,
    overlay::{Overlay, OverlayStyle},
    snapping::{self, SnapScope, Snapped},
    tool::{Cursor, Gesture},
};
use glam::{DAffine2, DVec2};

#[derive(Debug)]
pub struct ScaleDrag {
    things: Transformed,
    frame: Frame,
    side: DVec2,
    /// Offset from the handle to where it was grabbed.
    grip: DVec2,
    pointer: Pointer,
    snapped: Snapped,
    factors: DVec2,
    entry: NumericEntry,
}

impl ScaleDrag {
    pub fn begin(
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
        frame: Frame,
        side: DVec2,
    ) -> Option<Box<dyn Gesture>> {
        let things = Transformed::begin(ctx, "Scale", Follows::Selection)?;
        Some(Box::new(Self {
            things,
            frame,
            side,
            grip: pointer.world - frame.stretch_place(side),
            pointer: *pointer,
            snapped: Snapped::free(frame.stretch_place(side)),
            factors: DVec2::ONE,
            entry: NumericEntry::new(),
        }))
    }

    /// The fixed point: opposite the handle, or the centre with Alt.
    fn anchor(&self) -> DVec2 {
        if self.pointer.modifiers.alt {
            self.frame.centre()
        } else {
            self.frame.stretch_place(-self.side)
        }
    }

    /// The factor is 1 along an axis that the handle does not scale, unless scaling is uniform.
    fn factors(&self) -> Option<DVec2> {
        let handle = self.frame.stretch_place(self.side);
        let (reach, wanted) = (handle - self.anchor(), self.snapped.point - self.anchor());
        let size = self.frame.bounds.size();
        let mut factors = match self.entry.typed() {
            Ok(Some(Typed::Number(factor))) => {
                return Some(DVec2::select(
                    self.side.cmpne(DVec2::ZERO),
                    DVec2::splat(factor),
                    DVec2::ONE,
                ));
            }
            Ok(Some(Typed::Absolute(wanted) | Typed::Relative(wanted))) => {
                return Some(DVec2::select(
                    size.cmpgt(DVec2::ZERO),
                    wanted / size,
                    DVec2::ONE,
                ));
            }
            Ok(None) => DVec2::select(reach.cmpne(DVec2::ZERO), wanted / reach, DVec2::ONE),
            Ok(Some(Typed::Polar { .. })) | Err(_) => return None,
        };
        if self.pointer.modifiers.shift {
            let along = if self.side.x != 0.0 && self.side.y != 0.0 {
                wanted.dot(reach) / reach.length_squared()
            } else if self.side.x != 0.0 {
                factors.x
            } else {
                factors.y
            };
            factors = DVec2::splat(along);
        }
        Some(factors)
    }

    fn show(&mut self, ctx: &mut ToolContext<'_>) {
        let scope = SnapScope {
            exclude: Some(&self.things.exclude),
            ..SnapScope::default()
        };
        let wanted = self.pointer.world - self.grip;
        self.snapped = snapping::snap(&ctx.scene(), wanted, self.pointer.modifiers, scope);
        let Some(factors) = self.factors() else {
            return;
        };
        // Nothing may be flattened to zero: that could not be scaled back.
        let size = self.frame.bounds.size();
        let squashed = (0..2).any(|i| size[i] > 0.0 && (size[i] * factors[i]).abs() < LATTICE);
        if squashed || !factors.is_finite() {
            return;
        }
        let anchor = self.anchor();
        let map = DAffine2::from_translation(anchor)
            * DAffine2::from_scale(factors)
            * DAffine2::from_translation(-anchor);
        if self.things.show(ctx, &map) {
            self.factors = factors;
        }
    }
}

impl Gesture for ScaleDrag {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        if pointer.world.is_finite() {
            self.pointer = *pointer;
            self.show(ctx);
        }
    }

    fn entry(&mut self) -> Option<&mut NumericEntry> {
        Some(&mut self.entry)
    }

    fn retyped(&mut self, ctx: &mut ToolContext<'_>) {
        self.show(ctx);
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        if self.entry.is_empty() {
            self.snapped.overlay(out);
        }
        if let Some(frame) = Frame::of(scene) {
            let mut ring = frame.bounds.corners().to_vec();
            ring.push(ring[0]);
            out.polyline(ring, OverlayStyle::Selected);
            let above = DVec2::new(frame.centre().x, frame.bounds.max.y);
            let text = format!(
                "{} · {:.0} % × {:.0} %",
                measures::size(frame.bounds.size()),
                self.factors.x * 100.0,
                self.factors.y * 100.0
            );
            out.label(above, text, OverlayStyle::Guide);
        }
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(
            Hints::new("Release to set the size")
                .key("Shift", "keep proportions")
                .key("Alt", "about the centre")
                .key("Ctrl", "toggle snapping")
                .key("2", "type a factor, or a size such as 4,3")
                .key("Esc", "back")
                .entry(self.entry.text()),
        )
    }

    fn cursor(&self) -> Option<Cursor> {
        Some(Handle::Stretch(self.side).cursor())
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
