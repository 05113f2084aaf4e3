//! The height brush: raises, lowers, smooths and flattens the ground.

use crate::base::decimal::fixed;
use crate::document::Edit;
use crate::geometry::HeightField;
use crate::interaction::{
    context::{Scene, ToolContext},
    defaults::{BRUSH_RADIUS, SCULPT_SHARE, SCULPT_STEP},
    entry::{NumericEntry, Typed},
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    measures,
    overlay::{Overlay, OverlayStyle},
    sculpt::{self, Sculpt, SculptBrush, Sculpture},
    tool::{Cursor, Gesture, Handled, Outcome, Tool},
};
use glam::DVec2;
use std::sync::Arc;

/// Factor by which `[` and `]` change the brush, or its strength with Shift.
const SIZE_FACTOR: f64 = 1.25;

#[derive(Debug, Default)]
pub struct HeightBrushTool {
    pointer: Option<Pointer>,
    entry: NumericEntry,
}

/// The mode with these modifiers: Alt inverts it, Shift smooths.
const fn kind_with(chosen: Sculpt, modifiers: Modifiers) -> Sculpt {
    match chosen {
        _ if modifiers.shift => Sculpt::Smooth,
        Sculpt::Raise if modifiers.alt => Sculpt::Lower,
        Sculpt::Lower if modifiers.alt => Sculpt::Raise,
        other => other,
    }
}

const fn style_of(kind: Sculpt) -> OverlayStyle {
    match kind {
        Sculpt::Lower => OverlayStyle::Erase,
        _ => OverlayStyle::Brush,
    }
}

impl HeightBrushTool {
    fn resize(ctx: &mut ToolContext<'_>, factor: f64) {
        let radius = (ctx.defaults.brush_radius * factor * 100.0).round() / 100.0;
        ctx.defaults.brush_radius = BRUSH_RADIUS.clamp(radius);
    }

    fn strengthen(ctx: &mut ToolContext<'_>, factor: f64) {
        let defaults = &mut ctx.defaults;
        let (strength, limits) = if defaults.sculpt.adds() {
            (&mut defaults.sculpt_step, SCULPT_STEP)
        } else {
            (&mut defaults.sculpt_share, SCULPT_SHARE)
        };
        *strength = limits.clamp((*strength * factor * 100.0).round() / 100.0);
    }
}

impl Tool for HeightBrushTool {
    fn kind(&self) -> ToolKind {
        ToolKind::HeightBrush
    }

    fn hover(&mut self, _ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.pointer = Some(*pointer);
    }

    fn leave(&mut self) {
        self.pointer = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        if let Some(stroke) = Stroke::begin(ctx, pointer) {
            Box::new(stroke).commit(ctx);
        }
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let stroke = Stroke::begin(ctx, pointer)?;
        stroke.show(ctx);
        Some(Box::new(stroke))
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, modifiers: Modifiers) -> Handled {
        match key {
            Key::Less if modifiers.shift => Self::strengthen(ctx, 1.0 / SIZE_FACTOR),
            Key::More if modifiers.shift => Self::strengthen(ctx, SIZE_FACTOR),
            Key::Less => Self::resize(ctx, 1.0 / SIZE_FACTOR),
            Key::More => Self::resize(ctx, SIZE_FACTOR),
            Key::Tab => ctx.defaults.sculpt = ctx.defaults.sculpt.next(),
            Key::Backspace if self.entry.backspace() => {}
            Key::Enter if !self.entry.is_empty() => match self.entry.typed() {
                Ok(Some(Typed::Number(radius))) => match BRUSH_RADIUS.check(radius) {
                    Ok(()) => {
                        ctx.defaults.brush_radius = radius;
                        self.entry.clear();
                    }
                    Err(refusal) => self.entry.refuse(refusal.to_string()),
                },
                Ok(_) => self
                    .entry
                    .refuse("type a single number: the radius of the brush".to_owned()),
                Err(sentence) => self.entry.refuse(sentence),
            },
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn text(&mut self, _ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        Handled::from(self.entry.push(text))
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        let defaults = scene.defaults;
        let strength = if defaults.sculpt.adds() {
            measures::length(defaults.sculpt_step)
        } else {
            format!("{:.0} %", defaults.sculpt_share * 100.0)
        };
        Hints::new(match defaults.sculpt {
            Sculpt::Raise => "Drag to raise the ground",
            Sculpt::Lower => "Drag to lower the ground",
            Sculpt::Smooth => "Drag to smooth the ground",
            Sculpt::Flatten => "Drag to flatten the ground to the height where the drag begins",
        })
        .key(
            "[ ]",
            format!("radius {}", measures::length(defaults.brush_radius)),
        )
        .key("Shift+[ ]", format!("strength {strength}"))
        .key("Tab", "next mode")
        .key("Alt", "invert")
        .key("Shift", "smooth")
        .entry(self.entry.text())
        .trouble(self.entry.trouble())
    }

    fn cursor(&self, _scene: &Scene<'_>) -> Cursor {
        Cursor::Hidden
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        if let Some(pointer) = &self.pointer {
            let kind = kind_with(scene.defaults.sculpt, pointer.modifiers);
            draw(scene, pointer.world, scene.defaults.brush_radius, kind, out);
        }
    }

    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        Handled::from(self.entry.clear())
    }
}

/// The brush, and the height of the ground at its centre.
fn draw(scene: &Scene<'_>, at: DVec2, radius: f64, kind: Sculpt, out: &mut Overlay) {
    out.circle(at, radius, style_of(kind));
    // Where the brush has half its strength.
    let half = (1.0 - std::f64::consts::FRAC_1_SQRT_2).sqrt();
    out.circle(at, radius * half, style_of(kind));
    let height = scene.level().ground().map_or(0.0, |field| field.height(at));
    out.label(
        at + DVec2::new(0.0, radius),
        format!("{} m", fixed(height, 2)),
        OverlayStyle::Measure,
    );
}

/// One stroke, from the first dab to the release: one undo step.
#[derive(Debug)]
struct Stroke {
    brush: SculptBrush,
    sculpture: Sculpture,
    /// The flat field that the stroke created, if the level had none.
    made: Option<Arc<HeightField>>,
    at: DVec2,
}

impl Stroke {
    /// `None` if there is nothing to sculpt; reports why.
    fn begin(ctx: &mut ToolContext<'_>, pointer: &Pointer) -> Option<Self> {
        let at = pointer.world;
        if !at.is_finite() {
            return None;
        }
        let kind = kind_with(ctx.defaults.sculpt, pointer.modifiers);
        let made = match ctx.level().ground() {
            Some(_) => None,
            None => {
                let bounds = ctx.level().settings().bounds;
                match sculpt::plain(bounds, sculpt::usual_spacing(bounds)) {
                    Ok(plain) => Some(Arc::new(plain)),
                    Err(sentence) => {
                        ctx.say(format!("The height field cannot be created: {sentence}."));
                        return None;
                    }
                }
            }
        };
        let brush = SculptBrush {
            kind,
            radius: BRUSH_RADIUS.clamp(ctx.defaults.brush_radius),
            strength: if kind.adds() {
                SCULPT_STEP.clamp(ctx.defaults.sculpt_step)
            } else {
                SCULPT_SHARE.clamp(ctx.defaults.sculpt_share)
            },
        };
        let field = made.as_ref().or_else(|| ctx.level().ground())?;
        let sculpture = Sculpture::begin(field, brush, at);
        ctx.host.begin(match kind {
            Sculpt::Raise => "Raise ground",
            Sculpt::Lower => "Lower ground",
            Sculpt::Smooth => "Smooth ground",
            Sculpt::Flatten => "Flatten ground",
        });
        Some(Self {
            brush,
            sculpture,
            made,
            at,
        })
    }

    fn show(&self, ctx: &mut ToolContext<'_>) -> bool {
        let made = self
            .made
            .iter()
            .map(|field| Edit::Ground(Some(Arc::clone(field))));
        let Some(patch) = self.sculpture.patch() else {
            return ctx.preview(Vec::new());
        };
        ctx.preview(made.chain([Edit::Heights(patch)]).collect())
    }
}

impl Gesture for Stroke {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        if !pointer.world.is_finite() || pointer.world == self.at {
            return;
        }
        self.at = pointer.world;
        self.sculpture.stroke_to(self.at);
        self.show(ctx);
    }

    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        if self.sculpture.patch().is_none() {
            ctx.say("The height field does not extend to here.");
        }
        if self.show(ctx) {
            ctx.finish();
        } else {
            ctx.host.cancel();
        }
        Outcome::Done
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        draw(scene, self.at, self.brush.radius, self.brush.kind, out);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(
            Hints::new(match self.brush.kind {
                Sculpt::Raise => "Raising",
                Sculpt::Lower => "Lowering",
                Sculpt::Smooth => "Smoothing",
                Sculpt::Flatten => "Flattening",
            })
            .key("Esc", "discard the stroke"),
        )
    }

    fn cursor(&self) -> Option<Cursor> {
        Some(Cursor::Hidden)
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
