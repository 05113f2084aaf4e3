//! The terrain brush.

use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, Region};
use crate::geometry::boolean::intersection;
use crate::geometry::{
    Polygon, Rect,
    offset::{self, Ends, Join},
    simplify::simplified,
};
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::Creation,
    defaults::BRUSH_RADIUS,
    entry::{NumericEntry, Typed},
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    measures,
    overlay::{Overlay, OverlayStyle},
    pieces::{Fresh, without_loose_ends},
    snapping::by_hand,
    terrain_paint::{self, Painted},
    tool::{Cursor, Gesture, Handled, Outcome, Tool},
};
use glam::DVec2;

/// Tolerance of a stroke's outline, as a fraction of the brush radius.
const COARSENESS: f64 = 0.03;
/// Factor by which `[` and `]` change the brush.
const SIZE_FACTOR: f64 = 1.25;
/// Pointer movements shorter than this fraction of the radius are ignored.
const SPACING: f64 = 0.1;
/// With more corners than this under the eraser, the level is cut only when the stroke ends; until
/// then its outline is shown.
const LIVE_CORNERS: usize = 4000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Paint,
    Erase,
}

impl Mode {
    const fn of(modifiers: Modifiers) -> Self {
        if modifiers.alt {
            Self::Erase
        } else {
            Self::Paint
        }
    }

    const fn style(self) -> OverlayStyle {
        match self {
            Self::Paint => OverlayStyle::Brush,
            Self::Erase => OverlayStyle::Erase,
        }
    }
}

#[derive(Debug, Default)]
pub struct BrushTool {
    pointer: Option<Pointer>,
    /// Where the last stroke ended, and where Shift+click starts a straight line.
    last: Option<DVec2>,
    entry: NumericEntry,
}

impl BrushTool {
    fn path(&self, pointer: &Pointer) -> Vec<DVec2> {
        let from = self.last.filter(|_| pointer.modifiers.shift);
        from.into_iter().chain([by_hand(pointer.world)]).collect()
    }

    fn resize(&self, ctx: &mut ToolContext<'_>, factor: f64) {
        let radius = (ctx.defaults.brush_radius * factor * 100.0).round() / 100.0;
        ctx.defaults.brush_radius = BRUSH_RADIUS.clamp(radius);
    }
}

impl Tool for BrushTool {
    fn kind(&self) -> ToolKind {
        ToolKind::TerrainBrush
    }

    fn hover(&mut self, _ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.pointer = Some(*pointer);
    }

    fn leave(&mut self) {
        self.pointer = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        if !pointer.world.is_finite() {
            return;
        }
        let path = self.path(pointer);
        self.last = path.last().copied();
        let stroke = Stroke::begin(ctx, path, Mode::of(pointer.modifiers));
        Box::new(stroke).commit(ctx);
    }

    fn secondary_click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) -> Handled {
        match terrain_at(&ctx.scene(), pointer.world) {
            Some(terrain) => {
                ctx.defaults.terrain = Some(terrain);
                let sentence = format!("Now painting {}.", ctx.level().label(terrain));
                ctx.tell(sentence);
            }
            None => ctx.say("There is no terrain here to pick."),
        }
        Handled::Yes
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        if !pointer.world.is_finite() {
            return None;
        }
        let path = self.path(pointer);
        let mode = Mode::of(pointer.modifiers);
        let mut stroke = Stroke::begin(ctx, path, mode);
        stroke.show(ctx);
        Some(Box::new(stroke))
    }

    fn drag_ended(&mut self, _ctx: &mut ToolContext<'_>, outcome: Outcome) {
        if let Outcome::Stroke(end) = outcome {
            self.last = Some(end);
        }
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        match key {
            Key::Less => self.resize(ctx, 1.0 / SIZE_FACTOR),
            Key::More => self.resize(ctx, SIZE_FACTOR),
            Key::Backspace if self.entry.backspace() => {}
            Key::Enter if !self.entry.is_empty() => match self.entry.typed() {
                Ok(Some(Typed::Number(radius))) if BRUSH_RADIUS.check(radius).is_ok() => {
                    ctx.defaults.brush_radius = radius;
                    self.entry.clear();
                }
                Ok(Some(Typed::Number(radius))) => {
                    let refusal = BRUSH_RADIUS.check(radius).err();
                    self.entry
                        .refuse(refusal.map_or_else(String::new, |refusal| refusal.to_string()));
                }
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
        let terrain = scene
            .defaults
            .terrain_in(scene.level())
            .map_or_else(|| "terrain".to_owned(), |id| scene.level().label(id));
        Hints::new(format!("Drag to paint {terrain}"))
            .key(
                "[ ]",
                format!("radius {}", measures::length(scene.defaults.brush_radius)),
            )
            .key("Alt", "erase")
            .key("Shift+click", "straight line")
            .key("Right-click", "pick")
            .entry(self.entry.text())
            .trouble(self.entry.trouble())
    }

    fn cursor(&self, _scene: &Scene<'_>) -> Cursor {
        Cursor::Hidden
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        let Some(pointer) = &self.pointer else {
            return;
        };
        let style = Mode::of(pointer.modifiers).style();
        if let (true, Some(last)) = (pointer.modifiers.shift, self.last) {
            out.line(last, pointer.world, style);
        }
        out.circle(pointer.world, scene.defaults.brush_radius, style);
    }

    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        Handled::from(self.entry.clear())
    }
}

/// The visible terrain at a position.
fn terrain_at(scene: &Scene<'_>, at: DVec2) -> Option<EntityId> {
    let level = scene.level();
    let near = scene.picker.near(Rect::new(at, at));
    near.filter_map(|(id, entity)| match &entity.kind {
        Kind::Region(region) if level.is_visible(id) && region.area.contains(at) => {
            Some((level.order().index_of(&id), region.terrain))
        }
        _ => None,
    })
    .max_by_key(|(place, _)| *place)
    .map(|(_, terrain)| terrain)
    .or(level.settings().base_terrain)
}

/// One stroke, from the first dab to the release: one undo step.
#[derive(Debug)]
struct Stroke {
    mode: Mode,
    radius: f64,
    path: Vec<DVec2>,
    end: DVec2,
    /// Bounds of the level.
    bounds: Rect,
    creation: Creation,
    fresh: Fresh,
    /// Whether the last preview is in the document, or only in the overlay.
    live: bool,
}

impl Stroke {
    fn begin(ctx: &mut ToolContext<'_>, path: Vec<DVec2>, mode: Mode) -> Self {
        let label = match mode {
            Mode::Paint => "Paint terrain",
            Mode::Erase => "Erase terrain",
        };
        let creation = Creation::region(ctx);
        ctx.host.begin(label);
        Self {
            mode,
            radius: BRUSH_RADIUS.clamp(ctx.defaults.brush_radius),
            end: path.last().copied().unwrap_or_default(),
            path,
            bounds: ctx.level().settings().bounds,
            creation,
            fresh: Fresh::default(),
            live: true,
        }
    }

    /// The area swept by the brush.
    fn area(&self) -> Vec<Polygon> {
        let sag = self.radius * COARSENESS;
        let path: Vec<DVec2> = self.path.iter().copied().chain([self.end]).collect();
        let path = simplified(&path, sag);
        let swept = offset::stroke(&path, self.radius, Join::Round { sag }, Ends::Covered);
        let inside = |piece: &Polygon| self.bounds.contains_rect(&piece.bounds());
        if swept.iter().all(inside) {
            swept
        } else {
            // Nothing outside the level's bounds is used.
            intersection(&swept, &[Polygon::rect(self.bounds)])
        }
    }

    fn region(&self, area: Polygon) -> Entity {
        let terrain = self.creation.definition().unwrap_or(self.creation.id);
        self.creation.entity(Kind::Region(Region { area, terrain }))
    }

    /// While painting, the stroke is a separate region on top: it looks identical and its cost does
    /// not depend on the region it will join.
    fn show(&mut self, ctx: &mut ToolContext<'_>) {
        let area = self.area();
        let edits = match self.mode {
            Mode::Paint => {
                self.fresh.rewind();
                let pieces: Vec<Edit> = area
                    .into_iter()
                    .map(|piece| {
                        // Unnamed: no label follows the brush.
                        let entity = Entity {
                            name: String::new(),
                            ..self.region(piece)
                        };
                        Edit::create(self.fresh.id(ctx.host), entity)
                    })
                    .collect();
                self.with_terrain(pieces)
            }
            Mode::Erase => {
                self.live = terrain_paint::corners_under(ctx.picker, &area) <= LIVE_CORNERS;
                if self.live {
                    terrain_paint::erase(ctx.host, &mut self.fresh, ctx.picker, &area)
                } else {
                    Vec::new()
                }
            }
        };
        ctx.preview(edits);
    }

    /// Creates the terrain first if the level had none.
    fn with_terrain(&self, edits: Vec<Edit>) -> Vec<Edit> {
        if edits.is_empty() {
            return edits;
        }
        self.creation
            .needed()
            .cloned()
            .into_iter()
            .chain(edits)
            .collect()
    }
}

impl Gesture for Stroke {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let at = by_hand(pointer.world);
        if !at.is_finite() || at == self.end {
            return;
        }
        self.end = at;
        let spacing = self.radius * SPACING;
        if self.path.last().is_none_or(|p| p.distance(at) >= spacing) {
            self.path.push(at);
        }
        self.show(ctx);
    }

    fn commit(mut self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        let area = self.area();
        let Painted { edits, heirs } = match (self.mode, self.creation.definition()) {
            (Mode::Paint, Some(terrain)) => {
                let mut fresh = std::mem::take(&mut self.fresh);
                let painted = terrain_paint::paint(
                    ctx.host,
                    &mut fresh,
                    ctx.picker,
                    &area,
                    terrain,
                    |piece| self.region(piece),
                );
                Painted {
                    edits: self.with_terrain(painted.edits),
                    ..painted
                }
            }
            _ => Painted {
                edits: terrain_paint::erase(ctx.host, &mut self.fresh, ctx.picker, &area),
                ..Painted::default()
            },
        };
        let shown = without_loose_ends(ctx.picker.level(), edits, &heirs)
            .and_then(|edits| ctx.host.preview(edits));
        if let Err(refused) = shown {
            ctx.say(refused.0);
            ctx.host.cancel();
        } else {
            ctx.finish();
        }
        Outcome::Stroke(self.end)
    }

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        let style = self.mode.style();
        if !self.live {
            for piece in self.area() {
                out.polygon(piece, style);
            }
        }
        out.circle(self.end, self.radius, style);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(
            Hints::new(match self.mode {
                Mode::Paint => "Painting",
                Mode::Erase => "Erasing down to the base terrain",
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
