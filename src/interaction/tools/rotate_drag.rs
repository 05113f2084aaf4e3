//! Rotates the selection about its centre.

use super::transform_drag::{Follows, Transformed};
use crate::interaction::{
    context::{Scene, ToolContext},
    entry::{NumericEntry, Typed},
    hints::Hints,
    input::Pointer,
    measures,
    overlay::{Overlay, OverlayStyle},
    sketch::ANGLE_STEP,
    tool::{Cursor, Gesture},
};
use glam::{DAffine2, DMat2, DVec2};

/// Rotation snap. Unit: degrees.
const SNAP_STEP: f64 = 1.0;

#[derive(Debug)]
pub struct RotateDrag {
    things: Transformed,
    pivot: DVec2,
    from: DVec2,
    pointer: Pointer,
    degrees: f64,
    entry: NumericEntry,
}

impl RotateDrag {
    pub fn begin(
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
        pivot: DVec2,
    ) -> Option<Box<dyn Gesture>> {
        let things = Transformed::begin(ctx, "Rotate", Follows::Selection)?;
        Some(Box::new(Self {
            things,
            pivot,
            from: pointer.world,
            pointer: *pointer,
            degrees: 0.0,
            entry: NumericEntry::new(),
        }))
    }

    fn show(&mut self, ctx: &mut ToolContext<'_>) {
        let (from, to) = (self.from - self.pivot, self.pointer.world - self.pivot);
        let turned = if from.length_squared() > 0.0 && to.length_squared() > 0.0 {
            from.angle_to(to).to_degrees()
        } else {
            0.0
        };
        let step = if self.pointer.modifiers.shift {
            Some(ANGLE_STEP)
        } else {
            (ctx.defaults.snap != self.pointer.modifiers.ctrl).then_some(SNAP_STEP)
        };
        let degrees = match self.entry.typed() {
            Ok(Some(Typed::Number(degrees) | Typed::Polar { degrees, .. })) => degrees,
            Ok(None) => step.map_or(turned, |step| (turned / step).round() * step),
            Ok(Some(_)) | Err(_) => return,
        };
        let map = turn_about(self.pivot, degrees);
        if self.things.show(ctx, &map) {
            self.degrees = degrees;
        }
    }
}

/// A rotation about a point; exact for multiples of 90°.
#[must_use]
pub fn turn_about(pivot: DVec2, degrees: f64) -> DAffine2 {
    let quarter = degrees.rem_euclid(360.0) / 90.0;
    let linear = if quarter == 0.0 {
        DMat2::IDENTITY
    } else if quarter == 1.0 {
        DMat2::from_cols(DVec2::Y, DVec2::NEG_X)
    } else if quarter == 2.0 {
        DMat2::from_diagonal(DVec2::NEG_ONE)
    } else if quarter == 3.0 {
        DMat2::from_cols(DVec2::NEG_Y, DVec2::X)
    } else {
        DMat2::from_angle(degrees.to_radians())
    };
    DAffine2::from_mat2_translation(linear, pivot - linear * pivot)
}

impl Gesture for RotateDrag {
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

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        let arm = self.from - self.pivot;
        let turned = DVec2::from_angle(self.degrees.to_radians()).rotate(arm);
        out.circle(self.pivot, arm.length(), OverlayStyle::Selected);
        out.line(self.pivot, self.from, OverlayStyle::Guide);
        out.line(self.pivot, self.pivot + turned, OverlayStyle::Guide);
        out.label(
            self.pivot + turned,
            measures::angle(self.degrees),
            OverlayStyle::Guide,
        );
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(
            Hints::new("Release to set the angle")
                .key("Shift", "15° steps")
                .key("Ctrl", "toggle whole degrees")
                .key("45", "type an angle")
                .key("Esc", "back")
                .entry(self.entry.text()),
        )
    }

    fn cursor(&self) -> Option<Cursor> {
        Some(Cursor::Rotate)
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
