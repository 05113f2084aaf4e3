//! Tools that draw, at work in the 3D view: the pointer stands where its ray meets the ground, and
//! what the tool draws lies there.

use super::colour;
use super::label_paint::text_with_halo;
use super::overlay_shapes::stroke;
use crate::editor::space::Space;
use crate::editor::state::EditorState;
use crate::geometry::{Ray, Rect as Area};
use crate::interaction::picking::Marquee;
use crate::interaction::space::GizmoMode;
use crate::interaction::{
    Event, HandleState, Handled, Modifiers, OverlayStyle, Pointer, Primitive, ToolKind, View,
};
use crate::preview::Palette;
use crate::preview::primitive::Ink;
use crate::preview::space::SpaceScene;
use egui::{Align2, FontId, Painter, PointerButton, Pos2, Rect, Response, Shape, Stroke, vec2};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Lines on a height field have points at most so near each other. Unit: metres.
const LEAST_STEP: f64 = 0.25;
const MAX_PIECES: f64 = 64.0;

/// Whether the tool works on the ground, rather than with handles in space.
#[must_use]
pub const fn draws(tool: ToolKind) -> bool {
    !matches!(tool, ToolKind::Select) && GizmoMode::of(tool).is_none()
}

/// Where a point of the screen meets the ground, or the storey that one draws on; people stand on whatever is
/// there.
fn place(state: &EditorState, at: DVec2) -> Option<DVec3> {
    let space = &state.space;
    let ray = space.camera.ray(at, space.viewport);
    if stands(state)
        && let Some(scene) = space.scene()
        && let Some(t) = first_hit(scene, &ray, space.section)
    {
        return Some(ray.at(t));
    }
    let storey = state.toolbox.defaults.elevation;
    if storey == 0.0
        && let Some(scene) = space.scene()
        && let Some(t) = scene.ground().first_hit(&ray, f64::INFINITY)
    {
        return Some(ray.at(t));
    }
    // Beyond the level it is flat.
    let t = ray.meets_plane(DVec3::Z * storey, DVec3::Z)?;
    Some(ray.at(t))
}

/// The tool places an agent, and no storey is chosen for it.
fn stands(state: &EditorState) -> bool {
    state.toolbox.current() == ToolKind::Agent && state.toolbox.defaults.elevation == 0.0
}

/// The first surface that a ray meets beneath the section.
fn first_hit(scene: &SpaceScene, ray: &Ray, section: Option<f64>) -> Option<f64> {
    let bodies = scene.bodies().map(|(_, body)| body);
    let hits = bodies
        .chain([scene.ground()])
        .filter_map(|body| body.first_hit(ray, f64::INFINITY));
    let is_seen = |t: &f64| section.is_none_or(|height| ray.at(*t).z <= height);
    hits.filter(is_seen).min_by(f64::total_cmp)
}

fn view(state: &EditorState, at: DVec3) -> View {
    let space = &state.space;
    View {
        metres_per_point: space.camera.metres_per_point(at, space.viewport),
        visible: state.document().level().extent(),
    }
}

fn pointer(state: &EditorState, at: DVec2, modifiers: Modifiers) -> Option<(Pointer, View)> {
    let met = place(state, at)?;
    let pointer = Pointer {
        world: met.truncate(),
        screen: at,
        modifiers,
    };
    Some((pointer, view(state, met)))
}

/// Remembers where in space the pointer is, for whom the tool sets down: the last press, and now.
fn point(state: &mut EditorState, at: DVec2, is_press: bool) {
    let met = place(state, at).filter(|_| stands(state));
    let pointed = &mut state.toolbox.pointed;
    if is_press {
        // A start may have been clicked before its goal.
        let earlier = pointed.len().saturating_sub(1);
        pointed.drain(..earlier);
    } else {
        pointed.truncate(1);
    }
    pointed.extend(met);
}

fn send(state: &mut EditorState, view: &View, event: Event) -> Handled {
    let EditorState { toolbox, level, .. } = state;
    toolbox.handle(level, view, event)
}

/// Hands what the pointer does to the tool in hand.
pub fn work(
    state: &mut EditorState,
    response: &Response,
    local: impl Fn(Pos2) -> DVec2,
    pressed: Option<Pos2>,
    modifiers: Modifiers,
) {
    let primary = PointerButton::Primary;
    let here = response.interact_pointer_pos().or(response.hover_pos());
    if response.drag_started_by(primary)
        && let Some(at) = pressed.or(here)
        && let Some((pointer, view)) = pointer(state, local(at), modifiers)
    {
        state.toolbox.pointed.clear();
        point(state, local(at), true);
        send(state, &view, Event::DragStart(pointer));
    }
    let Some((pointer, view)) = here.and_then(|at| pointer(state, local(at), modifiers)) else {
        return;
    };
    let event = if response.drag_stopped_by(primary) {
        Event::DragEnd(pointer)
    } else if response.dragged_by(primary) {
        Event::DragMove(pointer)
    } else if response.double_clicked_by(primary) {
        Event::DoubleClick(pointer)
    } else if response.clicked_by(primary) {
        Event::Click(pointer)
    } else if response.hover_pos().is_some() && !response.dragged() {
        Event::Hover(pointer)
    } else {
        return;
    };
    let is_hover = matches!(event, Event::Hover(_));
    if let Some(at) = here.filter(|_| !is_hover) {
        point(state, local(at), matches!(event, Event::Click(_)));
    }
    send(state, &view, event);
    if is_hover {
        state.view.hovered = state.toolbox.hovered();
    }
}

/// True if the tool had a use for it.
pub fn secondary_click(state: &mut EditorState, at: DVec2, modifiers: Modifiers) -> bool {
    pointer(state, at, modifiers).is_some_and(|(pointer, view)| {
        send(state, &view, Event::SecondaryClick(pointer)) == Handled::Yes
    })
}

pub fn leave(state: &mut EditorState) {
    let view = state.view.for_tools();
    send(state, &view, Event::Leave);
}

/// From the plan to the screen, over the ground.
struct Drape<'a> {
    state: &'a EditorState,
    space: &'a Space,
    rect: Rect,
    storey: f64,
}

impl Drape<'_> {
    fn at(&self, p: DVec2) -> Option<Pos2> {
        let level = self.state.document().level();
        let ground = level.ground().map_or(0.0, |field| field.height(p));
        let place = p.extend(ground + self.storey + 0.02);
        let at = self
            .space
            .camera
            .screen_from_world(place, self.space.viewport)?;
        at.is_finite()
            .then(|| self.rect.min + vec2(at.x as f32, at.y as f32))
    }

    fn line(&self, points: &[DVec2]) -> Vec<Pos2> {
        let level = self.state.document().level();
        let step = level.ground().map(|field| field.spacing.max(LEAST_STEP));
        let mut line = Vec::with_capacity(points.len());
        for pair in points.windows(2) {
            // In perspective a straight line stays straight; over hills it does not.
            let pieces = step.map_or(1.0, |step| {
                (pair[0].distance(pair[1]) / step)
                    .ceil()
                    .clamp(1.0, MAX_PIECES)
            });
            line.extend(
                (0..pieces as usize)
                    .filter_map(|i| self.at(pair[0].lerp(pair[1], i as f64 / pieces))),
            );
        }
        line.extend(points.last().and_then(|p| self.at(*p)));
        line
    }
}

/// What the tool in hand draws over the level, laid on the ground.
pub fn paint(painter: &Painter, rect: Rect, state: &EditorState, palette: &Palette) {
    if !draws(state.toolbox.current()) || state.space.pointer.is_none() {
        return;
    }
    let space = &state.space;
    let drape = Drape {
        state,
        space,
        rect,
        storey: state.toolbox.defaults.elevation,
    };
    let view = view(state, space.pointer.unwrap_or(space.camera.target));
    let overlay = state.toolbox.overlay(&state.level, &view);
    for primitive in &overlay.primitives {
        match primitive {
            Primitive::Line { from, to, style } => {
                line(painter, &drape, &[*from, *to], *style, palette);
            }
            Primitive::Guide { from, to } => {
                line(painter, &drape, &[*from, *to], OverlayStyle::Guide, palette);
            }
            Primitive::Polyline { points, style } => {
                line(painter, &drape, points, *style, palette);
            }
            Primitive::Polygon { polygon, style } => {
                for ring in polygon.rings() {
                    let closed: Vec<DVec2> = ring.iter().chain(ring.first()).copied().collect();
                    line(painter, &drape, &closed, *style, palette);
                }
            }
            Primitive::Circle {
                centre,
                radius,
                style,
            } => {
                let ring: Vec<DVec2> = (0..=48)
                    .map(|i| *centre + DVec2::from_angle(TAU * f64::from(i) / 48.0) * *radius)
                    .collect();
                line(painter, &drape, &ring, *style, palette);
            }
            Primitive::Handle { at, state, .. } => {
                if let Some(at) = drape.at(*at) {
                    let fill = match state {
                        HandleState::Idle => palette.ground,
                        HandleState::Hovered => palette.hover,
                        HandleState::Selected => palette.selection,
                    };
                    let edge = Stroke::new(1.5, super::solid(palette.selection));
                    painter.circle(at, 4.0, super::solid(fill), edge);
                }
            }
            Primitive::Snap { at, .. } => {
                if let Some(at) = drape.at(*at) {
                    let ink = Stroke::new(1.6, super::solid(palette.guide));
                    painter.circle_stroke(at, 5.0, ink);
                }
            }
            Primitive::Label {
                at, text, style, ..
            } => {
                if let Some(at) = drape.at(*at) {
                    text_with_halo(
                        painter,
                        at - vec2(0.0, 8.0),
                        Align2::CENTER_BOTTOM,
                        text.clone(),
                        FontId::proportional(12.0),
                        colour(Ink::solid(
                            palette.text.mix(stroke(*style, palette).ink.colour, 0.3),
                        )),
                        colour(palette.halo),
                    );
                }
            }
        }
    }
}

fn line(
    painter: &Painter,
    drape: &Drape<'_>,
    points: &[DVec2],
    style: OverlayStyle,
    palette: &Palette,
) {
    let stroke = stroke(style, palette);
    let seen = drape.line(points);
    if seen.len() >= 2 {
        let ink = Stroke::new(stroke.width.pixels as f32, colour(stroke.ink));
        painter.add(Shape::line(seen, ink));
    }
}

/// The rectangle that selects.
pub fn paint_marquee(painter: &Painter, rect: Rect, corners: [DVec2; 2], palette: &Palette) {
    let [from, to] = corners;
    let kind = if to.x >= from.x {
        Marquee::Inside
    } else {
        Marquee::Touching
    };
    let style = match kind {
        Marquee::Inside => OverlayStyle::MarqueeInside,
        Marquee::Touching => OverlayStyle::MarqueeTouching,
    };
    let ink = stroke(style, palette).ink.colour;
    let area = Area::spanning(from, to);
    let point = |p: DVec2| rect.min + vec2(p.x as f32, p.y as f32);
    painter.rect(
        Rect::from_min_max(point(area.min), point(area.max)),
        0.0,
        colour(Ink::new(ink, 0.12)),
        Stroke::new(1.2, super::solid(ink)),
        egui::StrokeKind::Middle,
    );
}
