//! The state machine of every tool that spans a shape between two points, by a drag or two clicks.

use crate::document::Kind;
use crate::geometry::{Polygon, Rect, lattice::LATTICE};
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::Creation,
    defaults::ToolDefaults,
    entry::{NumericEntry, Typed},
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    overlay::{Overlay, OverlayStyle},
    snapping::{self, SnapScope, Snapped},
    tool::{Gesture, Handled, Outcome, Tool},
};
use glam::DVec2;
use std::fmt::Debug;

/// The two points and the modifiers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub from: DVec2,
    pub to: DVec2,
    pub modifiers: Modifiers,
}

impl Span {
    /// The rectangle between the two points; Shift makes it a square, Alt centres it on `from`.
    #[must_use]
    pub fn rect(&self) -> Rect {
        let mut reach = self.to - self.from;
        if self.modifiers.shift {
            let side = reach.abs().max_element();
            reach = DVec2::new(side.copysign(reach.x), side.copysign(reach.y));
        }
        if self.modifiers.alt {
            Rect::around(self.from, reach.abs())
        } else {
            Rect::spanning(self.from, self.from + reach)
        }
    }

    /// [`rect`](Self::rect), unless its area is negligible.
    #[must_use]
    pub fn solid_rect(&self) -> Option<Rect> {
        Some(self.rect()).filter(|rect| rect.size().min_element() >= LATTICE)
    }
}

/// The meaning of a typed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberMeans {
    /// Both sides have this length.
    Side,
    /// The other point is this far away.
    Distance,
}

pub trait SpanShape: Debug + Clone + 'static {
    fn kind(&self) -> ToolKind;

    /// Label of the undo step.
    fn label(&self, defaults: &ToolDefaults) -> &'static str;

    fn number_means(&self) -> NumberMeans {
        NumberMeans::Side
    }

    fn creation(&self, ctx: &mut ToolContext<'_>) -> Creation;

    /// The entity to create; `None` while the span is too small.
    fn make(&self, ctx: &ToolContext<'_>, creation: &Creation, span: &Span) -> Option<Kind>;

    /// The outline to show.
    fn outline(&self, defaults: &ToolDefaults, span: &Span) -> Option<Polygon>;

    /// The measure to show beside the outline.
    fn measure(&self, span: &Span) -> String;

    fn first_hint(&self) -> &'static str;

    fn second_hint(&self, _defaults: &ToolDefaults) -> Hints {
        Hints::new("Click or release at the opposite corner")
            .key("Shift", "square")
            .key("Alt", "from the centre")
            .key("@4,3", "type a size")
    }

    /// `[` and `]`.
    fn adjust(&self, _defaults: &mut ToolDefaults, _more: bool) -> Handled {
        Handled::No
    }
}

#[derive(Debug)]
pub struct SpanTool<S> {
    shape: S,
    /// Position of the first of two clicks.
    from: Option<DVec2>,
    next: Option<Snapped>,
    modifiers: Modifiers,
    entry: NumericEntry,
}

impl<S: SpanShape> SpanTool<S> {
    pub const fn new(shape: S) -> Self {
        Self {
            shape,
            from: None,
            next: None,
            modifiers: Modifiers::NONE,
            entry: NumericEntry::new(),
        }
    }

    fn span(&self) -> Option<Span> {
        let from = self.from?;
        let pointer = self.next.as_ref().map_or(from, |snapped| snapped.point);
        let to = far_place(&self.shape, &self.entry, from, pointer).unwrap_or(pointer);
        Some(Span {
            from,
            to,
            modifiers: modifiers_for(&self.entry, self.modifiers),
        })
    }

    fn place_first(&mut self, at: DVec2) {
        self.from = Some(at);
        self.entry.clear();
    }

    fn create(&mut self, ctx: &mut ToolContext<'_>) {
        let Some(span) = self.span() else {
            return;
        };
        let creation = self.shape.creation(ctx);
        let Some(kind) = self.shape.make(ctx, &creation, &span) else {
            self.entry.refuse(TOO_SMALL.to_owned());
            return;
        };
        self.from = None;
        self.entry.clear();
        let label = self.shape.label(ctx.defaults);
        if ctx.commit(label, creation.edits(kind)) {
            ctx.select_one(creation.id);
        }
    }
}

const TOO_SMALL: &str = "the shape has no area yet; move away from the first point";

/// Typed sizes are used as typed, without modifiers.
const fn modifiers_for(entry: &NumericEntry, modifiers: Modifiers) -> Modifiers {
    if entry.is_empty() {
        modifiers
    } else {
        Modifiers {
            shift: false,
            ..modifiers
        }
    }
}

/// The far end of the span according to the typed numbers.
fn far_place(
    shape: &impl SpanShape,
    entry: &NumericEntry,
    from: DVec2,
    pointer: DVec2,
) -> Result<DVec2, String> {
    if let (Ok(Some(Typed::Number(side))), NumberMeans::Side) =
        (entry.typed(), shape.number_means())
    {
        let towards = pointer - from;
        return Ok(from + DVec2::new(side.copysign(towards.x), side.copysign(towards.y)));
    }
    Ok(entry.place(Some(from), pointer)?.unwrap_or(pointer))
}

fn draw(
    shape: &impl SpanShape,
    defaults: &ToolDefaults,
    span: &Span,
    filled: bool,
    out: &mut Overlay,
) {
    let Some(outline) = shape.outline(defaults, span) else {
        return;
    };
    let bounds = outline.bounds();
    let above = DVec2::new(bounds.centre().x, bounds.max.y);
    if filled {
        out.polygon(outline, OverlayStyle::Draft);
    } else {
        let mut ring = outline.outer;
        ring.extend(ring.first().copied());
        out.polyline(ring, OverlayStyle::Draft);
    }
    out.label(above, shape.measure(span), OverlayStyle::Draft);
}

impl<S: SpanShape> Tool for SpanTool<S> {
    fn kind(&self) -> ToolKind {
        self.shape.kind()
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.next = Some(snap(ctx, pointer, self.from));
        self.modifiers = pointer.modifiers;
    }

    fn leave(&mut self) {
        self.next = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.hover(ctx, pointer);
        match (self.from, &self.next) {
            (None, Some(snapped)) => {
                let at = snapped.point;
                self.place_first(at);
            }
            _ => self.create(ctx),
        }
    }

    fn secondary_click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) -> Handled {
        self.entry.clear();
        Handled::from(self.from.take().is_some())
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let from = self.from.unwrap_or_else(|| snap(ctx, pointer, None).point);
        let creation = self.shape.creation(ctx);
        ctx.host.begin(self.shape.label(ctx.defaults));
        Some(Box::new(SpanDrag {
            shape: self.shape.clone(),
            creation,
            snapped: Snapped::free(from),
            span: Span {
                from,
                to: from,
                modifiers: Modifiers::NONE,
            },
            entry: NumericEntry::new(),
        }))
    }

    fn drag_ended(&mut self, _ctx: &mut ToolContext<'_>, _outcome: Outcome) {
        self.from = None;
        self.entry.clear();
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        match key {
            Key::Backspace if self.entry.backspace() => Handled::Yes,
            Key::Backspace | Key::Undo => {
                let typed = self.entry.clear();
                Handled::from(typed || self.from.take().is_some())
            }
            Key::Enter if self.from.is_none() && !self.entry.is_empty() => {
                match self.entry.place(None, DVec2::ZERO) {
                    Ok(Some(at)) => self.place_first(at),
                    Ok(None) => {}
                    Err(sentence) => self.entry.refuse(sentence),
                }
                Handled::Yes
            }
            Key::Enter if self.from.is_some() => {
                let from = self.from.unwrap_or_default();
                let pointer = self.next.as_ref().map_or(from, |snapped| snapped.point);
                match far_place(&self.shape, &self.entry, from, pointer) {
                    Ok(_) => self.create(ctx),
                    Err(sentence) => self.entry.refuse(sentence),
                }
                Handled::Yes
            }
            Key::Less => self.shape.adjust(ctx.defaults, false),
            Key::More => self.shape.adjust(ctx.defaults, true),
            _ => Handled::No,
        }
    }

    fn text(&mut self, _ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        Handled::from(self.entry.push(text))
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        let hints = if self.from.is_some() {
            self.shape.second_hint(scene.defaults)
        } else {
            Hints::new(self.shape.first_hint())
                .key("Ctrl", "no snapping")
                .key("10,20", "type a position")
        };
        hints.entry(self.entry.text()).trouble(self.entry.trouble())
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        if let Some(snapped) = &self.next {
            snapped.overlay(out);
        }
        if let Some(span) = self.span() {
            draw(&self.shape, scene.defaults, &span, true, out);
        }
    }

    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        let typed = self.entry.clear();
        Handled::from(typed || self.from.take().is_some())
    }
}

fn snap(ctx: &ToolContext<'_>, pointer: &Pointer, from: Option<DVec2>) -> Snapped {
    let scope = SnapScope {
        own: from.as_slice(),
        ..SnapScope::default()
    };
    snapping::snap(&ctx.scene(), pointer.world, pointer.modifiers, scope)
}

/// The shape is in the document while it is dragged, so that previews follow.
#[derive(Debug)]
struct SpanDrag<S> {
    shape: S,
    creation: Creation,
    snapped: Snapped,
    span: Span,
    entry: NumericEntry,
}

impl<S: SpanShape> SpanDrag<S> {
    fn show(&mut self, ctx: &mut ToolContext<'_>) {
        let pointer = self.snapped.point;
        match far_place(&self.shape, &self.entry, self.span.from, pointer) {
            Ok(to) => self.span.to = to,
            // An incomplete number: wait for the rest.
            Err(_) => return,
        }
        let edits = match self.shape.make(ctx, &self.creation, &self.span) {
            Some(kind) => self.creation.edits(kind),
            None => Vec::new(),
        };
        ctx.preview(edits);
    }
}

impl<S: SpanShape> Gesture for SpanDrag<S> {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.snapped = snap(ctx, pointer, Some(self.span.from));
        self.span.modifiers = modifiers_for(&self.entry, pointer.modifiers);
        self.show(ctx);
    }

    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        if ctx.finish() {
            ctx.select_one(self.creation.id);
        }
        Outcome::Done
    }

    fn text(&mut self, ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        let taken = self.entry.push(text);
        self.show(ctx);
        Handled::from(taken)
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        let handled = match key {
            Key::Backspace => Handled::from(self.entry.backspace()),
            Key::Less => self.shape.adjust(ctx.defaults, false),
            Key::More => self.shape.adjust(ctx.defaults, true),
            _ => return Handled::No,
        };
        self.show(ctx);
        handled
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        if self.entry.is_empty() {
            self.snapped.overlay(out);
        }
        draw(&self.shape, scene.defaults, &self.span, false, out);
    }

    fn hints(&self, scene: &Scene<'_>) -> Option<Hints> {
        let hints = self.shape.second_hint(scene.defaults);
        Some(hints.entry(self.entry.text()).trouble(self.entry.trouble()))
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
