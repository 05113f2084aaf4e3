//! Selecting, and moving, rotating or scaling the selection.
//!
//! One tool in four modes, which differ in the handles they show. Dragging a shape moves it in all
//! of them; Alt drags a copy. On agents, select mode moves the start or goal that was grabbed.

use super::{
    handles::{Frame, Handle},
    move_drag::{Along, MoveDrag},
    rotate_drag::RotateDrag,
    scale_drag::ScaleDrag,
    selecting::{self, MarqueeDrag},
    vertex_drag::VertexDrag,
};
use crate::base::EntityId;
use crate::document::Selection;
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    overlay::Overlay,
    picking::{Hit, HitPart},
    tool::{Cursor, Gesture, Handled, Tool},
    vertices::{self, PointName, VertexRef},
};
use std::collections::BTreeSet;

#[derive(Debug)]
pub struct SelectTool {
    /// Select, move, rotate or scale.
    kind: ToolKind,
    hovered: Option<EntityId>,
    hot: Option<Handle>,
    /// The start or goal under the pointer that a drag would move on its own.
    mark: Option<VertexRef>,
    request: Option<ToolKind>,
}

impl SelectTool {
    #[must_use]
    pub const fn new(kind: ToolKind) -> Self {
        Self {
            kind,
            hovered: None,
            hot: None,
            mark: None,
            request: None,
        }
    }

    fn handle_at(&self, scene: &Scene<'_>, pointer: &Pointer) -> Option<Handle> {
        self.frame(scene)?
            .hit(self.kind, &scene.view, pointer.world)
    }

    /// The start or goal under the pointer. Select mode moves it on its own; the other modes, and a
    /// drag of several objects, move the whole agent.
    fn mark_at(&self, scene: &Scene<'_>, pointer: &Pointer) -> Option<VertexRef> {
        let id = selecting::grabbed(scene, pointer)?;
        let level = scene.level();
        let several = scene.selection().contains(id) && scene.selection().single() != Some(id);
        let grouped = selecting::with_group(level, scene.picker, id).len() > 1;
        let alone = scene.selection().single() == Some(id) || !grouped;
        if self.kind != ToolKind::Select || pointer.modifiers.alt || several || !alone {
            return None;
        }
        let hits = scene.picker.hits(pointer.world, &scene.view);
        let is_mark = |hit: &Hit| hit.id == id && hit.part == HitPart::Mark;
        let entity = level.get(id).filter(|_| !level.is_locked(id))?;
        hits.iter().any(is_mark).then_some(())?;
        vertices::nearest_mark(id, entity, pointer.world)
    }

    /// Select mode shows no handles.
    fn frame(&self, scene: &Scene<'_>) -> Option<Frame> {
        match self.kind {
            ToolKind::Select => None,
            _ => Frame::of(scene),
        }
    }
}

impl Tool for SelectTool {
    fn kind(&self) -> ToolKind {
        self.kind
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let scene = ctx.scene();
        self.hot = self.handle_at(&scene, pointer);
        self.hovered = match self.hot {
            Some(_) => None,
            None => selecting::target(&scene, pointer),
        };
        self.mark = self.mark_at(&scene, pointer);
    }

    fn leave(&mut self) {
        self.hovered = None;
        self.hot = None;
        self.mark = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        selecting::click(ctx, pointer);
    }

    fn double_click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let scene = ctx.scene();
        let editable = selecting::target(&scene, pointer).filter(|id| {
            let entity = scene.level().get(*id);
            entity.is_some_and(|entity| vertices::has_vertices(entity))
        });
        match editable {
            Some(id) => {
                ctx.select_one(id);
                self.request = Some(ToolKind::Vertices);
            }
            None => self.click(ctx, pointer),
        }
    }

    /// The context menu refers to the object it was opened on.
    fn secondary_click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) -> Handled {
        let scene = ctx.scene();
        match selecting::grabbed(&scene, pointer) {
            Some(id) if scene.selection().contains(id) => {}
            Some(id) => {
                let members = selecting::with_group(scene.level(), scene.picker, id);
                ctx.host.select(members.into_iter().collect());
            }
            None => ctx.host.select(Selection::default()),
        }
        Handled::No
    }

    fn take_request(&mut self) -> Option<ToolKind> {
        self.request.take()
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let scene = ctx.scene();
        if let (Some(frame), Some(handle)) = (self.frame(&scene), self.handle_at(&scene, pointer)) {
            return match handle {
                Handle::MoveX => MoveDrag::begin(ctx, pointer, Along::X),
                Handle::MoveY => MoveDrag::begin(ctx, pointer, Along::Y),
                Handle::Turn => RotateDrag::begin(ctx, pointer, frame.centre()),
                Handle::Stretch(side) => ScaleDrag::begin(ctx, pointer, frame, side),
            };
        }
        if let Some(mark) = self.mark_at(&scene, pointer) {
            ctx.select_one(mark.entity);
            return VertexDrag::begin(ctx, pointer, mark, &BTreeSet::from([mark]));
        }
        match selecting::grabbed(&scene, pointer) {
            Some(id) => {
                selecting::ensure_selected(ctx, id, pointer);
                MoveDrag::begin(ctx, pointer, Along::Both)
            }
            None => Some(MarqueeDrag::begin(ctx, pointer)),
        }
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        // Enter edits the selection's vertices, like a double click.
        let single = ctx.selection().single();
        let entity = single.and_then(|id| ctx.level().get(id));
        let editable = entity.is_some_and(|entity| vertices::has_vertices(entity));
        if key == Key::Enter && editable {
            self.request = Some(ToolKind::Vertices);
            return Handled::Yes;
        }
        Handled::No
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        let count = scene.selection().len();
        let lead = match (self.hot, self.hovered) {
            (Some(Handle::MoveX | Handle::MoveY), _) => "Drag to move along this axis".to_owned(),
            (Some(Handle::Turn), _) => "Drag to rotate the selection".to_owned(),
            (Some(Handle::Stretch(_)), _) => "Drag to scale the selection".to_owned(),
            (None, Some(id)) => match self.mark.filter(|mark| mark.entity == id) {
                Some(mark) => {
                    let entity = scene.level().get(id);
                    let name = entity.map_or(PointName::Vertex, |e| PointName::of(e, mark));
                    format!("{}: drag to move its {name}", scene.level().label(id))
                }
                None => scene.level().label(id),
            },
            (None, None) if count > 0 => match scene.selection().single() {
                Some(id) => format!("{} selected", scene.level().label(id)),
                None => format!("{count} objects selected"),
            },
            (None, None) => self.kind.help().to_owned(),
        };
        let mut hints = Hints::new(lead);
        let group = self
            .hovered
            .map(|id| selecting::with_group(scene.level(), scene.picker, id))
            .filter(|group| group.len() > 1 && selecting::is_selection(scene, group));
        if group.is_some() {
            hints = hints.key("Click", "select only this");
        }
        hints = hints
            .key("Shift+click", "add or remove")
            .key("Alt+click", "the one beneath");
        if self.mark.is_some() {
            hints
                .key("W", "move start and goals together")
                .key("Alt+drag", "duplicate")
        } else if count > 0 {
            hints
                .key("Alt+drag", "duplicate")
                .key("Double-click", "edit vertices")
        } else {
            hints
        }
    }

    fn cursor(&self, scene: &Scene<'_>) -> Cursor {
        match (self.hot, self.hovered) {
            (Some(handle), _) => handle.cursor(),
            (None, Some(id)) if scene.selection().contains(id) => Cursor::Move,
            (None, Some(_)) => Cursor::Pointing,
            (None, None) => Cursor::Arrow,
        }
    }

    fn hovered(&self) -> Option<EntityId> {
        self.hovered
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        if let Some(frame) = self.frame(scene) {
            frame.overlay(self.kind, &scene.view, self.hot, out);
        }
    }
}
