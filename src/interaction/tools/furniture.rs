//! Furniture: a click places a copy, or a row of them; a drag lays as many as fit, or scatters.

use crate::base::EntityId;
use crate::document::{Kind, Selection};
use crate::geometry::Rect;
use crate::interaction::{
    context::{Scene, ToolContext},
    furniture::{self, Furniture, Scatter, Standing},
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    overlay::{Overlay, OverlayStyle},
    snapping::{self, SnapScope},
    tool::{Gesture, Handled, Outcome, Tool},
};
use glam::DVec2;
use std::f64::consts::PI;

/// Of one press of `[` or `]`. Unit: radians.
const TURN: f64 = PI / 12.0;

#[derive(Debug, Default)]
pub struct FurnitureTool {
    /// Unit: radians.
    angle: f64,
    shown: Option<Shown>,
}

/// Where a click would place a copy.
#[derive(Clone, Copy, Debug)]
struct Shown {
    first: Standing,
    /// It stands with its back to a wall.
    leans: bool,
}

fn at_pointer(ctx: &ToolContext<'_>, pointer: &Pointer, angle: f64) -> Shown {
    let furniture = ctx.defaults.furniture;
    // Ctrl inverts snapping, of walls as well.
    let snaps = ctx.defaults.snap != pointer.modifiers.ctrl;
    if furniture.leans_on_walls() && snaps {
        let reach = furniture.size().y;
        if let Some(first) = against_wall(ctx, pointer.world, reach) {
            return Shown { first, leans: true };
        }
    }
    let scope = SnapScope::default();
    let at = snapping::snap(&ctx.scene(), pointer.world, pointer.modifiers, scope).point;
    Shown {
        first: Standing::centred(furniture, at, angle),
        leans: false,
    }
}

/// With its back to the wall that is nearest, on the side of the pointer.
fn against_wall(ctx: &ToolContext<'_>, at: DVec2, reach: f64) -> Option<Standing> {
    let near = ctx
        .picker
        .near(Rect::new(at, at).expanded(reach))
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Wall(wall) if ctx.level().is_visible(id) => {
                let (place, distance) = wall.nearest(at)?;
                let distance = distance - 0.5 * wall.thickness;
                (distance <= reach).then_some((wall, place, distance))
            }
            _ => None,
        })
        .min_by(|a, b| a.2.total_cmp(&b.2));
    let (wall, place, _) = near?;
    let [from, to] = wall.segments().nth(place.segment)?;
    let along = (to - from).try_normalize()?;
    let on_line = from + along * place.along;
    let side = if along.perp_dot(at - on_line) < 0.0 {
        -along.perp()
    } else {
        along.perp()
    };
    Some(Standing {
        back: on_line + side * 0.5 * wall.thickness,
        // Its own +y looks into the wall.
        angle: (-side).to_angle() - 0.5 * PI,
    })
}

fn is_free(ctx: &ToolContext<'_>, at: DVec2, reach: f64) -> bool {
    ctx.picker
        .near(Rect::new(at, at).expanded(reach))
        .all(|(_, entity)| match &entity.kind {
            Kind::Obstacle(obstacle) => {
                !obstacle.area.contains(at) && obstacle.area.distance_to_edge(at) >= reach
            }
            Kind::Wall(wall) => wall
                .nearest(at)
                .is_none_or(|(_, distance)| distance >= reach + 0.5 * wall.thickness),
            Kind::Door(_) | Kind::Solid(_) | Kind::Link(_) => false,
            _ => true,
        })
        && ctx.level().settings().bounds.expanded(-reach).contains(at)
}

/// New ids for copies: the same ones however often the pointer moves.
#[derive(Debug, Default)]
struct Ids(Vec<EntityId>);

impl Ids {
    fn edits(
        &mut self,
        ctx: &mut ToolContext<'_>,
        furniture: Furniture,
        standings: &[Standing],
    ) -> (Vec<crate::document::Edit>, Vec<EntityId>) {
        let needed = standings.len() * (furniture.pieces().len() + 1);
        while self.0.len() < needed {
            self.0.push(ctx.host.allocate_id());
        }
        let level = ctx.host.document().committed_level();
        let layer = ctx.defaults.layer_in(level);
        let elevation = ctx.defaults.elevation;
        furniture::place(level, furniture, standings, elevation, layer, |at| {
            self.0[at]
        })
    }
}

#[derive(Debug)]
struct PlaceDrag {
    furniture: Furniture,
    ids: Ids,
    pressed: Shown,
    /// Set while copies are strewn.
    scatter: Option<Scatter>,
    from: DVec2,
    tops: Vec<EntityId>,
}

impl Gesture for PlaceDrag {
    fn update(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let gap = ctx.defaults.furniture_gap;
        let standings = if let Some(mut scatter) = self.scatter.take() {
            let radius = ctx.defaults.brush_radius;
            scatter.fill(pointer.world, radius, |at, reach| is_free(ctx, at, reach));
            let standings = scatter.standings.clone();
            self.scatter = Some(scatter);
            standings
        } else {
            let drag = pointer.world - self.from;
            let mut first = self.pressed.first;
            if !self.pressed.leans && drag.length() > 1e-9 {
                let angle = snapped_angle(drag.to_angle(), pointer.modifiers);
                first = Standing::centred(self.furniture, self.from, angle);
            }
            let along = drag.dot(DVec2::from_angle(first.angle));
            let step = self.furniture.size().x + gap;
            let more = (along.abs() / step).floor().min(furniture::MOST as f64) as i32;
            let count = (more + 1) * if along < 0.0 { -1 } else { 1 };
            first.row(self.furniture, gap, count)
        };
        let (edits, tops) = self.ids.edits(ctx, self.furniture, &standings);
        if ctx.preview(edits) {
            self.tops = tops;
        }
    }

    fn commit(self: Box<Self>, ctx: &mut ToolContext<'_>) -> Outcome {
        if ctx.finish() {
            ctx.host
                .select(self.tops.into_iter().collect::<Selection>());
        }
        Outcome::Done
    }

    fn hints(&self, _scene: &Scene<'_>) -> Option<Hints> {
        let lead = if self.scatter.is_some() {
            format!("Paint to scatter: {} so far", self.tops.len())
        } else {
            format!("Release to place {}", self.tops.len())
        };
        Some(Hints::new(lead).key("Esc", "discard"))
    }

    fn hides_tool(&self) -> bool {
        true
    }
}

/// To 15° steps while Shift is down.
fn snapped_angle(angle: f64, modifiers: Modifiers) -> f64 {
    if modifiers.shift {
        (angle / TURN).round() * TURN
    } else {
        angle
    }
}

impl Tool for FurnitureTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Furniture
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.shown = Some(at_pointer(ctx, pointer, self.angle));
    }

    fn leave(&mut self) {
        self.shown = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let furniture = ctx.defaults.furniture;
        let shown = at_pointer(ctx, pointer, self.angle);
        let count = ctx.defaults.furniture_count as i32;
        let standings = shown
            .first
            .row(furniture, ctx.defaults.furniture_gap, count);
        let (edits, tops) = Ids::default().edits(ctx, furniture, &standings);
        let label = format!("Place {}", furniture.name().to_lowercase());
        if ctx.commit(&label, edits) {
            ctx.host.select(tops.into_iter().collect::<Selection>());
        }
    }

    fn begin_drag(
        &mut self,
        ctx: &mut ToolContext<'_>,
        pointer: &Pointer,
    ) -> Option<Box<dyn Gesture>> {
        let furniture = ctx.defaults.furniture;
        let label = format!("Place {}", furniture.name().to_lowercase());
        ctx.host.begin(&label);
        let seed = ctx.host.allocate_id();
        let scatters = ctx.defaults.furniture_scatters;
        let gap = ctx.defaults.furniture_gap;
        let pressed = at_pointer(ctx, pointer, self.angle);
        Some(Box::new(PlaceDrag {
            furniture,
            ids: Ids(vec![seed]),
            from: pressed.first.centre(furniture),
            pressed,
            scatter: scatters.then(|| Scatter::new(furniture, gap, seed.number())),
            tops: Vec::new(),
        }))
    }

    fn key(&mut self, _ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        let turn = match key {
            Key::Less => TURN,
            Key::More => -TURN,
            _ => return Handled::No,
        };
        self.angle = (self.angle + turn).rem_euclid(2.0 * PI);
        if let Some(shown) = self.shown.as_mut().filter(|shown| !shown.leans) {
            shown.first.angle = self.angle;
        }
        Handled::Yes
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        let lead = match (scene.defaults.furniture_scatters, self.shown) {
            (true, _) => "Drag to scatter copies; click to place one",
            (false, Some(Shown { leans: true, .. })) => {
                "Click to stand it against the wall; drag along the wall for a row"
            }
            _ => "Click to place; drag for a row of as many as fit",
        };
        Hints::new(lead)
            .key("[ ]", "turn")
            .key("Ctrl", "no snapping")
    }

    fn overlay(&self, scene: &Scene<'_>, out: &mut Overlay) {
        let Some(shown) = self.shown else {
            return;
        };
        let defaults = scene.defaults;
        let furniture = defaults.furniture;
        if defaults.furniture_scatters {
            let at = shown.first.centre(furniture);
            out.circle(at, defaults.brush_radius, OverlayStyle::Brush);
        }
        let style = if shown.leans {
            OverlayStyle::Ready
        } else {
            OverlayStyle::Draft
        };
        let count = defaults.furniture_count as i32;
        for standing in shown.first.row(furniture, defaults.furniture_gap, count) {
            out.polygon(standing.outline(furniture), style);
        }
    }
}
