//! Moves the selection, or copies of it.

use super::transform_drag::{Follows, Transformed};
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

/// Axes along which the selection may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    Both,
    X,
    Y,
}

#[derive(Debug)]
pub struct MoveDrag {
    things: Transformed,
    along: Along,
    grabbed_at: DVec2,
    /// The corner that snaps.
    corner: DVec2,
    pointer: Pointer,
    snapped: Snapped,
    shift: DVec2,
    entry: NumericEntry,
}

impl MoveDrag {
    pub fn begin(
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
        along: Along,
    ) -> Option<Box<dyn Gesture>> {
        let (label, follows) = if pointer.modifiers.alt {
            ("Duplicate", Follows::Copies)
        } else {
            ("Move", Follows::Selection)
        };
        let things = Transformed::begin(ctx, label, follows)?;
        Some(Box::new(Self {
            corner: things.nearest_corner(pointer.world),
            things,
            along,
            grabbed_at: pointer.world,
            pointer: *pointer,
            snapped: Snapped::free(pointer.world),
            shift: DVec2::ZERO,
            entry: NumericEntry::new(),
        }))
    }

    fn along(&self, offset: DVec2) -> Along {
        match self.along {
            Along::Both if self.pointer.modifiers.shift && offset.x.abs() >= offset.y.abs() => {
                Along::X
            }
            Along::Both if self.pointer.modifiers.shift => Along::Y,
            along => along,
        }
    }

    fn show(&mut self, ctx: &mut ToolContext<'_>) {
        let offset = self.pointer.world - self.grabbed_at;
        let along = self.along(offset);
        let on_axis = |offset: DVec2| match along {
            Along::Both => offset,
            Along::X => DVec2::new(offset.x, 0.0),
            Along::Y => DVec2::new(0.0, offset.y),
        };
        let scope = SnapScope {
            exclude: Some(&self.things.exclude),
            body: self.things.have_bodies(),
            ..SnapScope::default()
        };
        let wanted = self.corner + on_axis(offset);
        self.snapped = snapping::snap(&ctx.scene(), wanted, self.pointer.modifiers, scope);
        let shift = match self.entry.typed() {
            Ok(None) => on_axis(self.snapped.point - self.corner),
            Ok(Some(Typed::Number(length))) => {
                on_axis(offset).try_normalize().unwrap_or(DVec2::X) * length
            }
            Ok(Some(Typed::Relative(shift))) => shift,
            Ok(Some(Typed::Polar { length, degrees })) => {
                DVec2::from_angle(degrees.to_radians()) * length
            }
            Ok(Some(Typed::Absolute(place))) => place - self.corner,
            // An incomplete number: wait for the rest.
            Err(_) => return,
        };
        if self.things.show(ctx, &DAffine2::from_translation(shift)) {
            self.shift = shift;
        }
    }
}

impl Gesture for MoveDrag {
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
        if self.entry.is_empty() {
            let landed = Snapped {
                point: self.corner + self.shift,
                ..self.snapped.clone()
            };
            landed.overlay(out);
        }
        let to = self.corner + self.shift;
        out.line(self.corner, to, OverlayStyle::Guide);
        if self.shift != DVec2::ZERO {
            let text = format!(
                "{:.2}, {:.2} · {}",
                self.shift.x + 0.0,
                self.shift.y + 0.0,
                measures::length(self.shift.length())
            );
            out.label(to, text, OverlayStyle::Guide);
        }
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(
            Hints::new("Release to place")
                .key("Shift", "one axis")
                .key("Ctrl", "toggle snapping")
                .key("@3,4", "type a distance")
                .key("Esc", "back")
                .entry(self.entry.text()),
        )
    }

    fn cursor(&self) -> Option<Cursor> {
        Some(Cursor::Move)
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
