//! Vertex editing: corners, holes, anchors, curve handles, starts and goals.

use super::{
    handle_drag::HandleDrag, selecting, vertex_drag::VertexDrag, vertex_marquee::VertexMarquee,
};
use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind};
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    overlay::{HandleShape, HandleState, Overlay, OverlayStyle},
    snapping::by_hand,
    tool::{Cursor, Gesture, Handled, Outcome, Tool},
    vertex_edits,
    vertices::{self, Edge, Part, VertexRef},
};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Pick distance of a point. Unit: points.
const POINT_REACH: f64 = 9.0;
/// Pick distance of an edge. Unit: points.
const EDGE_REACH: f64 = 7.0;
/// Above this many handles, only selected ones and those near the pointer are shown.
const MANY_HANDLES: usize = 1500;
/// Radius around the pointer within which they are shown. Unit: points.
const NEARBY: f64 = 120.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Vertex(VertexRef),
    /// An edge, and the point on it nearest to the pointer.
    Edge(Edge, DVec2),
}

#[derive(Debug, Default)]
pub struct VertexTool {
    selected: BTreeSet<VertexRef>,
    /// Chain lengths of the entities with selected points; an undo or a panel may change them.
    known: BTreeMap<EntityId, Vec<usize>>,
    hovered: Option<Target>,
    /// Another entity under the pointer, which a click would edit next.
    other: Option<EntityId>,
    pointer: Option<DVec2>,
    request: Option<ToolKind>,
}

/// Selected, unlocked entities with points.
fn subjects<'a>(scene: &Scene<'a>) -> impl Iterator<Item = (EntityId, &'a Arc<Entity>)> {
    let document = scene.document;
    document
        .selection()
        .iter()
        .filter_map(|id| Some((id, document.level().get(id)?)))
        .filter(|(id, _)| document.level().is_visible(*id) && !document.level().is_locked(*id))
        .filter(|(_, entity)| vertices::has_vertices(entity))
}

fn target_at(scene: &Scene<'_>, at: DVec2) -> Option<Target> {
    let point_reach = scene.view.metres(POINT_REACH);
    let edge_reach = scene.view.metres(EDGE_REACH);
    let mut nearest: Option<(f64, Target)> = None;
    for (id, entity) in subjects(scene) {
        if !reaches(entity, at, point_reach) {
            continue;
        }
        for (vertex, place) in visible_vertices(id, entity) {
            let distance = place.distance(at);
            // Points win over handles at the same position.
            let nearer = nearest.is_none_or(|(best, _)| distance < best);
            if distance <= point_reach && nearer {
                nearest = Some((distance, Target::Vertex(vertex)));
            }
        }
    }
    if let Some((_, target)) = nearest {
        return Some(target);
    }
    for (id, entity) in subjects(scene) {
        if !reaches(entity, at, edge_reach) {
            continue;
        }
        for edge in vertices::edges(id, entity) {
            let place = vertices::closest_on_edge(&edge.shape, at);
            let distance = place.distance(at);
            let nearer = nearest.is_none_or(|(best, _)| distance < best);
            if distance <= edge_reach && nearer {
                nearest = Some((distance, Target::Edge(edge, place)));
            }
        }
    }
    nearest.map(|(_, target)| target)
}

/// The motion path of an obstacle may leave its bounds: such obstacles are always considered.
fn reaches(entity: &Entity, at: DVec2, reach: f64) -> bool {
    let moves = matches!(&entity.kind, Kind::Obstacle(obstacle) if obstacle.motion.is_some());
    moves
        || entity
            .bounds()
            .is_some_and(|bounds| bounds.expanded(reach).contains(at))
}

/// Points, and handles of non-zero length.
fn visible_vertices(id: EntityId, entity: &Entity) -> impl Iterator<Item = (VertexRef, DVec2)> {
    let all = vertices::vertices(id, entity);
    let mut knot = DVec2::ZERO;
    all.into_iter().filter(move |(vertex, place)| {
        if vertex.part == Part::Point {
            knot = *place;
        }
        vertex.part == Part::Point || *place != knot
    })
}

impl VertexTool {
    /// Deselects points of entities whose points have changed, for example by an undo.
    fn refresh(&mut self, scene: &Scene<'_>) {
        let now: BTreeMap<EntityId, Vec<usize>> = subjects(scene)
            .map(|(id, entity)| (id, vertices::chain_lengths(entity)))
            .collect();
        let known = &self.known;
        self.selected.retain(|vertex| {
            let lengths = now.get(&vertex.entity);
            lengths.is_some() && lengths == known.get(&vertex.entity)
        });
        self.known = now;
    }

    /// Selects points that the tool itself has just created or left over.
    fn reselect(&mut self, scene: &Scene<'_>, selected: BTreeSet<VertexRef>) {
        self.refresh(scene);
        self.selected = selected;
    }

    fn look(&mut self, scene: &Scene<'_>, pointer: &Pointer) {
        self.refresh(scene);
        self.pointer = Some(pointer.world);
        self.hovered = target_at(scene, pointer.world);
        self.other = match self.hovered {
            Some(_) => None,
            None => selecting::target(scene, pointer).filter(|id| !scene.selection().contains(*id)),
        };
    }

    fn pick(&mut self, vertex: VertexRef, extends: bool) {
        if extends {
            if !self.selected.remove(&vertex) {
                self.selected.insert(vertex);
            }
        } else {
            self.selected = BTreeSet::from([vertex]);
        }
    }

    fn insert(&mut self, ctx: &mut ToolContext<'_>, edge: &Edge, at: DVec2) {
        let Some(entity) = ctx.level().get(edge.entity) else {
            return;
        };
        let mut entity = (**entity).clone();
        let place = by_hand(at);
        let Some(vertex) = vertex_edits::insert(&mut entity, edge, place) else {
            return;
        };
        if ctx.commit("Insert vertex", vec![Edit::replace(edge.entity, entity)]) {
            self.reselect(&ctx.scene(), BTreeSet::from([vertex]));
        }
    }

    fn remove_selected(&mut self, ctx: &mut ToolContext<'_>) {
        let mut edits = Vec::new();
        for (id, gone) in by_entity(&self.selected) {
            let Some(entity) = ctx.level().get(id) else {
                continue;
            };
            let mut entity = (**entity).clone();
            match vertex_edits::remove(&mut entity, &gone) {
                Ok(()) => edits.push(Edit::replace(id, entity)),
                Err(refusal) => {
                    let sentence = format!("{}: {refusal}.", ctx.level().label(id));
                    ctx.say(sentence);
                    return;
                }
            }
        }
        if ctx.commit("Remove vertices", edits) {
            self.selected.clear();
        }
    }

    fn nudge(&self, ctx: &mut ToolContext<'_>, by: DVec2) {
        let mut edits = Vec::new();
        for (id, moved) in by_entity(&self.selected) {
            let Some(entity) = ctx.level().get(id) else {
                continue;
            };
            let mut entity = (**entity).clone();
            for vertex in moved {
                if let Some(place) = vertices::position(&entity, vertex) {
                    vertex_edits::set(&mut entity, vertex, place + by);
                }
            }
            edits.push(Edit::replace(id, entity));
        }
        ctx.commit("Move vertices", edits);
    }
}

/// Groups points by entity.
#[must_use]
pub fn by_entity(selected: &BTreeSet<VertexRef>) -> BTreeMap<EntityId, BTreeSet<VertexRef>> {
    let mut sorted: BTreeMap<EntityId, BTreeSet<VertexRef>> = BTreeMap::new();
    for vertex in selected {
        sorted.entry(vertex.entity).or_default().insert(*vertex);
    }
    sorted
}

impl Tool for VertexTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Vertices
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.look(&ctx.scene(), pointer);
    }

    fn leave(&mut self) {
        self.hovered = None;
        self.other = None;
        self.pointer = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.look(&ctx.scene(), pointer);
        let extends = pointer.modifiers.shift || pointer.modifiers.ctrl;
        match (self.hovered, self.other) {
            (Some(Target::Vertex(vertex)), _) => self.pick(vertex, extends),
            (Some(Target::Edge(..)), _) => {}
            (None, Some(_)) => {
                self.selected.clear();
                selecting::click(ctx, pointer);
            }
            (None, None) if !extends => self.selected.clear(),
            (None, None) => {}
        }
    }

    fn double_click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.look(&ctx.scene(), pointer);
        match self.hovered {
            Some(Target::Edge(edge, at)) => self.insert(ctx, &edge, at),
            Some(Target::Vertex(_)) => {}
            None if self.other.is_some() => self.click(ctx, pointer),
            // A click on empty space ends vertex editing.
            None => self.request = Some(ToolKind::Select),
        }
    }

    fn take_request(&mut self) -> Option<ToolKind> {
        self.request.take()
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        self.look(&ctx.scene(), pointer);
        let extends = pointer.modifiers.shift;
        match self.hovered {
            Some(Target::Vertex(vertex)) if vertex.part.is_handle() => {
                self.pick(vertex, false);
                HandleDrag::begin(ctx, vertex)
            }
            Some(Target::Vertex(vertex)) => {
                let level = Arc::clone(ctx.level());
                let knot = level
                    .get(vertex.entity)
                    .and_then(|entity| vertices::knot(entity, vertex));
                if pointer.modifiers.alt && knot.is_some() {
                    self.pick(vertex, false);
                    return HandleDrag::begin_pulling(ctx, vertex);
                }
                if !self.selected.contains(&vertex) {
                    if !extends {
                        self.selected.clear();
                    }
                    self.selected.insert(vertex);
                }
                VertexDrag::begin(ctx, pointer, vertex, &self.selected)
            }
            Some(Target::Edge(edge, _)) => {
                let ends = {
                    let level = ctx.level();
                    vertices::ends(level.get(edge.entity)?, &edge)
                };
                if !extends {
                    self.selected.clear();
                }
                self.selected.extend(ends);
                VertexDrag::begin(ctx, pointer, ends[0], &self.selected)
            }
            None => Some(VertexMarquee::begin(pointer, self.selected.clone())),
        }
    }

    fn drag_ended(&mut self, ctx: &mut ToolContext<'_>, outcome: Outcome) {
        match outcome {
            Outcome::Vertices(selected) => self.reselect(&ctx.scene(), selected),
            _ => self.refresh(&ctx.scene()),
        }
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, modifiers: Modifiers) -> Handled {
        self.refresh(&ctx.scene());
        let step = ctx.level().settings().grid.spacing * if modifiers.shift { 10.0 } else { 1.0 };
        match key {
            Key::SelectAll => {
                self.selected = subjects(&ctx.scene())
                    .flat_map(|(id, entity)| vertices::vertices(id, entity))
                    .map(|(vertex, _)| vertex)
                    .filter(|vertex| vertex.part == Part::Point)
                    .collect();
            }
            Key::Enter => self.request = Some(ToolKind::Select),
            // Deleting the whole object while editing its points would be a bad surprise.
            Key::Delete | Key::Backspace if self.selected.is_empty() => {
                if subjects(&ctx.scene()).next().is_none() {
                    return Handled::No;
                }
                ctx.say("No vertex is selected; click one first, or leave with Esc.");
            }
            Key::Delete | Key::Backspace => self.remove_selected(ctx),
            _ if self.selected.is_empty() => return Handled::No,
            Key::Left => self.nudge(ctx, DVec2::new(-step, 0.0)),
            Key::Right => self.nudge(ctx, DVec2::new(step, 0.0)),
            Key::Up => self.nudge(ctx, DVec2::new(0.0, step)),
            Key::Down => self.nudge(ctx, DVec2::new(0.0, -step)),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        if subjects(scene).next().is_none() {
            return Hints::new("Click an object to edit its vertices").key("Esc", "done");
        }
        let lead = match self.hovered {
            Some(Target::Vertex(vertex)) if vertex.part.is_handle() => {
                "Drag to bend the curve".into()
            }
            Some(Target::Vertex(_)) => "Drag to move the vertex".into(),
            Some(Target::Edge(..)) => {
                "Double-click to insert a vertex, drag to move the edge".into()
            }
            None if self.selected.is_empty() => {
                "Click or drag a vertex; drag on empty ground to select several".to_owned()
            }
            None => format!("{} vertices selected", self.selected.len()),
        };
        let hints = Hints::new(lead);
        if self.selected.is_empty() {
            hints.key("Esc", "done")
        } else {
            hints
                .key("Del", "remove")
                .key("Shift+click", "add or remove")
                .key("Arrows", "nudge")
        }
    }

    fn cursor(&self, _scene: &Scene<'_>) -> Cursor {
        match (self.hovered, self.other) {
            (Some(_), _) => Cursor::Move,
            (None, Some(_)) => Cursor::Pointing,
            (None, None) => Cursor::Arrow,
        }
    }

    fn hovered(&self) -> Option<EntityId> {
        self.other
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        draw_vertices(
            scene,
            &self.selected,
            self.hovered_vertex(),
            self.pointer,
            out,
        );
        if let Some(Target::Edge(_, at)) = self.hovered {
            out.handle(at, HandleShape::Round, HandleState::Hovered);
        }
    }

    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        let any = !self.selected.is_empty();
        self.selected.clear();
        Handled::from(any)
    }
}

impl VertexTool {
    const fn hovered_vertex(&self) -> Option<VertexRef> {
        match self.hovered {
            Some(Target::Vertex(vertex)) => Some(vertex),
            _ => None,
        }
    }
}

/// The visible points and handles of everything being edited.
pub fn draw_vertices(
    scene: &Scene<'_>,
    selected: &BTreeSet<VertexRef>,
    hovered: Option<VertexRef>,
    pointer: Option<DVec2>,
    out: &mut Overlay,
) {
    let in_sight = scene.view.visible.expanded(scene.view.metres(POINT_REACH));
    let count: usize = subjects(scene)
        .filter(|(_, entity)| entity.bounds().is_some_and(|b| b.overlaps(&in_sight)))
        .map(|(_, entity)| entity.vertex_count())
        .sum();
    let crowded = count > MANY_HANDLES;
    let nearby = scene.view.metres(NEARBY);
    for (id, entity) in subjects(scene) {
        for (vertex, place) in visible_vertices(id, entity) {
            let is_selected = selected.contains(&vertex);
            let near = pointer.is_some_and(|p| p.distance(place) <= nearby);
            if !in_sight.contains(place) || (crowded && !near && !is_selected) {
                continue;
            }
            let state = if is_selected {
                HandleState::Selected
            } else if hovered == Some(vertex) {
                HandleState::Hovered
            } else {
                HandleState::Idle
            };
            let shape = if vertex.part.is_handle() {
                let knot = vertices::position(entity, vertex.point()).unwrap_or(place);
                out.line(knot, place, OverlayStyle::Arm);
                HandleShape::Diamond
            } else {
                HandleShape::Square
            };
            out.handle(place, shape, state);
        }
    }
}
