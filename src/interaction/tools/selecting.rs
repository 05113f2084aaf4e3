//! Effect of clicks and marquees on the selection.

use crate::base::EntityId;
use crate::document::{KindName, Level, Selection};
use crate::geometry::Rect;
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::{Modifiers, Pointer},
    overlay::{Overlay, OverlayStyle},
    picking::{Depth, Marquee, Picker},
    tool::{Gesture, Outcome},
};
use glam::DVec2;

/// Maximum nesting of groups that a click follows; hostile files may contain cycles.
const MAX_NESTING: usize = 64;

/// The object under the pointer; with Alt, the one beneath the selected one.
#[must_use]
pub fn target(scene: &Scene<'_>, pointer: &Pointer) -> Option<EntityId> {
    let depth = if pointer.modifiers.alt {
        let hits = scene.picker.hits(pointer.world, &scene.view);
        let selected = hits
            .iter()
            .map(|hit| hit.id)
            .find(|id| scene.selection().contains(*id));
        Depth::Beneath(selected)
    } else {
        Depth::Topmost
    };
    scene
        .picker
        .pick(pointer.world, &scene.view, depth)
        .map(|hit| hit.id)
}

/// What a drag grabs: a selected object if there is one here, else the topmost.
#[must_use]
pub fn grabbed(scene: &Scene<'_>, pointer: &Pointer) -> Option<EntityId> {
    let hits = scene.picker.hits(pointer.world, &scene.view);
    hits.iter()
        .map(|hit| hit.id)
        .find(|id| scene.selection().contains(*id))
        .or(hits.first().map(|hit| hit.id))
}

/// The object with everything grouped with it, as far as it can be selected.
#[must_use]
pub fn with_group(level: &Level, picker: &Picker, id: EntityId) -> Vec<EntityId> {
    let mut outermost = None;
    let mut next = level.get(id).and_then(|entity| entity.group);
    for _ in 0..MAX_NESTING {
        match next {
            Some(group) if level.contains(group) => {
                outermost = Some(group);
                next = level.get(group).and_then(|entity| entity.group);
            }
            _ => break,
        }
    }
    let Some(group) = outermost else {
        return vec![id];
    };
    let mut members: Vec<EntityId> = level
        .members(group)
        .into_iter()
        .filter(|member| {
            let kind = level.kind_of(*member);
            kind.is_some_and(KindName::is_placed) && picker.is_open(*member)
        })
        .collect();
    if !members.contains(&id) {
        members.push(id);
    }
    members
}

/// A click: selects, toggles with Shift or Ctrl, clears on empty ground. A second click into a
/// group selects the single object.
pub fn click(ctx: &mut ToolContext<'_>, pointer: &Pointer) {
    let scene = ctx.scene();
    let id = target(&scene, pointer);
    let selection = clicked(&scene, id, pointer.modifiers);
    ctx.host.select(selection);
}

/// The selection after a click on `id`, or on nothing.
#[must_use]
pub fn clicked(scene: &Scene<'_>, id: Option<EntityId>, modifiers: Modifiers) -> Selection {
    let extends = modifiers.shift || modifiers.ctrl;
    let Some(id) = id else {
        return if extends {
            scene.selection().clone()
        } else {
            Selection::default()
        };
    };
    let mut members = with_group(scene.level(), scene.picker, id);
    if modifiers.alt || (!extends && is_selection(scene, &members)) {
        members = vec![id];
    }
    if !extends {
        return members.into_iter().collect();
    }
    let mut selection = scene.selection().clone();
    let adds = !selection.contains(id);
    for member in members {
        if adds {
            selection.insert(member);
        } else {
            selection.remove(member);
        }
    }
    selection
}

/// Whether exactly these are selected.
#[must_use]
pub fn is_selection(scene: &Scene<'_>, ids: &[EntityId]) -> bool {
    scene.selection().len() == ids.len() && ids.iter().all(|id| scene.selection().contains(*id))
}

/// Selects what a drag grabs, with its group, unless it is selected already.
pub fn ensure_selected(ctx: &mut ToolContext<'_>, id: EntityId, pointer: &Pointer) {
    if ctx.selection().contains(id) {
        return;
    }
    let mut selection = if pointer.modifiers.shift {
        ctx.selection().clone()
    } else {
        Selection::default()
    };
    for member in with_group(ctx.level(), ctx.picker, id) {
        selection.insert(member);
    }
    ctx.host.select(selection);
}

/// Dragging to the right selects what is inside, to the left what it touches.
#[must_use]
pub fn marquee_of(from: DVec2, to: DVec2) -> Marquee {
    if to.x >= from.x {
        Marquee::Inside
    } else {
        Marquee::Touching
    }
}

#[must_use]
pub const fn marquee_style(marquee: Marquee) -> OverlayStyle {
    match marquee {
        Marquee::Inside => OverlayStyle::MarqueeInside,
        Marquee::Touching => OverlayStyle::MarqueeTouching,
    }
}

#[must_use]
pub fn marquee_hints(marquee: Marquee) -> Hints {
    Hints::new(match marquee {
        Marquee::Inside => "Selects what is inside",
        Marquee::Touching => "Selects what it touches",
    })
    .key("← →", "drag left: touching, right: inside")
    .key("Shift", "add")
    .key("Ctrl", "remove")
}

/// Updates the selection while the rectangle is dragged.
#[derive(Debug)]
pub struct MarqueeDrag {
    before: Selection,
    from: DVec2,
    to: DVec2,
}

impl MarqueeDrag {
    pub fn begin(ctx: &ToolContext<'_>, pointer: &Pointer) -> Box<dyn Gesture> {
        Box::new(Self {
            before: ctx.selection().clone(),
            from: pointer.world,
            to: pointer.world,
        })
    }
}

impl Gesture for MarqueeDrag {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.to = pointer.world;
        let rect = Rect::spanning(self.from, self.to);
        let found = ctx.picker.within(rect, marquee_of(self.from, self.to));
        let with_groups = found
            .into_iter()
            .flat_map(|id| with_group(ctx.level(), ctx.picker, id));
        let selection = if pointer.modifiers.shift {
            self.before.iter().chain(with_groups).collect()
        } else if pointer.modifiers.ctrl {
            let mut selection = self.before.clone();
            with_groups.for_each(|id| selection.remove(id));
            selection
        } else {
            with_groups.collect()
        };
        ctx.host.select(selection);
    }

    fn commit(self: Box<Self>, _ctx: &mut ToolContext<'_>) -> Outcome {
        Outcome::Done
    }

    fn cancel(self: Box<Self>, ctx: &mut ToolContext<'_>) {
        ctx.host.select(self.before);
    }

    fn overlay(&self, _scene: &Scene<'_>, out: &mut Overlay) {
        let style = marquee_style(marquee_of(self.from, self.to));
        out.rect(Rect::spanning(self.from, self.to), style);
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        Some(marquee_hints(marquee_of(self.from, self.to)))
    }

    fn hides_tool(&self) -> bool {
        true
    }
}
