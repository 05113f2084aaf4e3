//! Agents: start and goal in one drag, further goals by clicks.

use crate::base::EntityId;
use crate::document::{Edit, Entity, Goal, Kind, KindName, Mission};
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::{Creation, standing},
    entry::NumericEntry,
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    measures,
    overlay::{HandleShape, HandleState, Overlay, OverlayStyle},
    sketch::in_steps,
    snapping::{self, SnapScope, Snapped},
    tool::{Gesture, Handled, Outcome, Tool},
};
use glam::{DVec2, DVec3};

#[derive(Debug, Default)]
pub struct AgentTool {
    /// The first of two clicks that create an agent.
    start: Option<DVec2>,
    /// The agent or crowd that further clicks add goals to.
    current: Option<EntityId>,
    next: Option<Snapped>,
    entry: NumericEntry,
}

impl AgentTool {
    /// The agent or crowd being edited: the one just created, else the selected one.
    fn subject(&self, scene: &Scene<'_>) -> Option<EntityId> {
        let id = self.current.or_else(|| scene.selection().single())?;
        let kind = scene.level().kind_of(id);
        matches!(kind, Some(KindName::Agent | KindName::Crowd))
            .then_some(id)
            .filter(|id| !scene.level().is_locked(*id))
    }

    /// Where the next goal is measured from.
    fn last_place(&self, scene: &Scene<'_>) -> Option<DVec2> {
        self.start
            .or_else(|| last_place(scene.level().get(self.subject(scene)?)?))
    }

    fn place(&self, scene: &Scene<'_>, pointer: &Pointer) -> Snapped {
        place(scene, self.last_place(scene), pointer)
    }

    fn put(&mut self, ctx: &mut ToolContext<'_>, at: DVec2) {
        self.entry.clear();
        if let Some(start) = self.start.take() {
            let creation = Creation::with_profile(ctx, "Agent");
            let kind = creation.agent_kind(ctx, start, &[at]);
            if ctx.commit("Add agent", creation.edits(kind)) {
                ctx.select_one(creation.id);
                self.current = Some(creation.id);
            }
        } else if let Some(id) = self.subject(&ctx.scene()) {
            let goal = Goal::At(standing(ctx, at));
            self.add_goal(ctx, id, goal);
        } else {
            self.start = Some(at);
        }
    }

    fn add_goal(&mut self, ctx: &mut ToolContext<'_>, id: EntityId, goal: Goal) {
        let Some(entity) = ctx.level().get(id) else {
            return;
        };
        let mut entity = (**entity).clone();
        if let Some(mission) = mission_mut(&mut entity) {
            if mission.goals.last() == Some(&goal) {
                return;
            }
            mission.goals.push(goal);
        }
        if ctx.commit("Add goal", vec![Edit::replace(id, entity)]) {
            ctx.select_one(id);
            self.current = Some(id);
        }
    }

    /// Finishes the current agent, so that the next click starts a new one. False if there was
    /// none.
    fn finish_agent(&mut self, ctx: &mut ToolContext<'_>) -> bool {
        let busy = self.start.take().is_some() || self.current.take().is_some();
        if busy {
            ctx.host.select(Default::default());
        }
        busy
    }
}

const fn mission_mut(entity: &mut Entity) -> Option<&mut Mission> {
    match &mut entity.kind {
        Kind::Agent(agent) => Some(&mut agent.mission),
        Kind::Crowd(crowd) => Some(&mut crowd.mission),
        _ => None,
    }
}

fn last_place(entity: &Entity) -> Option<DVec2> {
    let mut goals = entity.mission()?.goals.iter().rev();
    let goal = goals.find_map(|goal| goal.place().map(DVec3::truncate));
    goal.or(match &entity.kind {
        Kind::Agent(agent) => Some(agent.start.truncate()),
        Kind::Crowd(crowd) => Some(crowd.area.centroid()),
        _ => None,
    })
}

fn place(scene: &Scene<'_>, from: Option<DVec2>, pointer: &Pointer) -> Snapped {
    let scope = SnapScope {
        own: from.as_slice(),
        body: true,
        ..SnapScope::default()
    };
    let snapped = snapping::snap(scene, pointer.world, pointer.modifiers, scope);
    match from {
        Some(from) if pointer.modifiers.shift => {
            Snapped::free(in_steps(from, pointer.world, snapped.point))
        }
        _ => snapped,
    }
}

impl Tool for AgentTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Agent
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.next = Some(self.place(&ctx.scene(), pointer));
    }

    fn leave(&mut self) {
        self.next = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        // Alt: the area or region under the pointer becomes the goal.
        if pointer.modifiers.alt
            && let Some(id) = self.subject(&ctx.scene())
        {
            let scene = ctx.scene();
            let area = scene
                .picker
                .hits(pointer.world, &scene.view)
                .into_iter()
                .map(|hit| hit.id)
                .find(|id| {
                    let kind = scene.level().kind_of(*id);
                    matches!(kind, Some(KindName::Annotation | KindName::Region))
                });
            match area {
                Some(area) => self.add_goal(ctx, id, Goal::inside(area)),
                None => ctx.say("There is no area or region here to use as a goal."),
            }
            return;
        }
        self.hover(ctx, pointer);
        let at = self.place(&ctx.scene(), pointer).point;
        self.put(ctx, at);
    }

    /// The first click has already been handled.
    fn double_click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) {}

    fn secondary_click(&mut self, ctx: &mut ToolContext<'_>, _pointer: &Pointer) -> Handled {
        Handled::from(self.finish_agent(ctx))
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let start = self
            .start
            .unwrap_or_else(|| place(&ctx.scene(), None, pointer).point);
        let creation = Creation::with_profile(ctx, "Agent");
        ctx.host.begin("Add agent");
        Some(Box::new(StartToGoal {
            creation,
            start,
            goal: Snapped::free(start),
            entry: NumericEntry::new(),
        }))
    }

    fn drag_ended(&mut self, _ctx: &mut ToolContext<'_>, outcome: Outcome) {
        self.start = None;
        if let Outcome::Created(id) = outcome {
            self.current = Some(id);
        }
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        match key {
            Key::Backspace => {
                let typed = self.entry.backspace();
                Handled::from(typed || self.start.take().is_some())
            }
            Key::Undo => Handled::from(self.entry.clear() || self.start.take().is_some()),
            Key::Enter if !self.entry.is_empty() => {
                let from = self.last_place(&ctx.scene());
                let pointer = self.next.as_ref().map(|snapped| snapped.point);
                let towards = pointer.or(from).unwrap_or_default();
                match self.entry.place(from, towards) {
                    Ok(Some(at)) => self.put(ctx, at),
                    Ok(None) => {}
                    Err(sentence) => self.entry.refuse(sentence),
                }
                Handled::Yes
            }
            Key::Enter => Handled::from(self.finish_agent(ctx)),
            _ => Handled::No,
        }
    }

    fn text(&mut self, _ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        Handled::from(self.entry.push(text))
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        let hints = if self.start.is_some() {
            Hints::new("Click the agent's goal").key("Esc", "discard")
        } else if let Some(id) = self.subject(scene) {
            Hints::new(format!(
                "Click another goal for {}",
                scene.level().label(id)
            ))
            .key("Alt", "goal anywhere in an area")
            .key("Enter", "finish")
        } else {
            Hints::new("Drag from the agent's start to its goal")
        };
        hints.entry(self.entry.text()).trouble(self.entry.trouble())
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        let Some(snapped) = &self.next else {
            return;
        };
        snapped.overlay(out);
        if let Some(from) = self.last_place(scene) {
            if self.start.is_some() {
                out.handle(from, HandleShape::Round, HandleState::Idle);
            }
            out.line(from, snapped.point, OverlayStyle::Draft);
        }
    }

    fn cancel(&mut self, ctx: &mut ToolContext<'_>) -> Handled {
        if self.entry.clear() {
            return Handled::Yes;
        }
        Handled::from(self.finish_agent(ctx))
    }
}

#[derive(Debug)]
struct StartToGoal {
    creation: Creation,
    start: DVec2,
    goal: Snapped,
    entry: NumericEntry,
}

impl StartToGoal {
    fn show(&mut self, ctx: &mut ToolContext<'_>) {
        let goal = match self.entry.place(Some(self.start), self.goal.point) {
            Ok(typed) => typed.unwrap_or(self.goal.point),
            Err(_) => return,
        };
        let edits = if goal == self.start {
            Vec::new()
        } else {
            let kind = self.creation.agent_kind(ctx, self.start, &[goal]);
            self.creation.edits(kind)
        };
        ctx.preview(edits);
    }
}

impl Gesture for StartToGoal {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.goal = place(&ctx.scene(), Some(self.start), pointer);
        self.show(ctx);
    }

    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        if ctx.finish() {
            ctx.select_one(self.creation.id);
            Outcome::Created(self.creation.id)
        } else {
            Outcome::Done
        }
    }

    fn text(&mut self, ctx: &mut ToolContext<'_>, text: &str) -> Handled {
        let taken = self.entry.push(text);
        self.show(ctx);
        Handled::from(taken)
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        let erased = key == Key::Backspace && self.entry.backspace();
        self.show(ctx);
        Handled::from(erased)
    }

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        self.goal.overlay(out);
        out.line(self.start, self.goal.point, OverlayStyle::Draft);
        measures::label_piece(self.start, self.goal.point, OverlayStyle::Draft, out);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(
            Hints::new("Release at the goal")
                .key("Shift", "15° steps")
                .key("Esc", "discard")
                .entry(self.entry.text()),
        )
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
