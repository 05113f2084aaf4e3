//! The handles of what is selected, painted over the 3D view.

use crate::editor::space::{Space, SpaceGesture};
use crate::editor::theme;
use crate::interaction::space::{Gizmo, GizmoMode, Handle};
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};
use glam::{DVec2, DVec3};

/// Of an arrow's head. Unit: points.
const HEAD: f32 = 11.0;
const HEAD_WIDTH: f32 = 4.5;
/// Half the side of a knob. Unit: points.
const KNOB: f32 = 4.5;

pub fn paint(painter: &Painter, rect: Rect, gizmo: &Gizmo, space: &Space, pointer: Option<Pos2>) {
    let on_screen = |p: DVec3| {
        let at = space.camera.screen_from_world(p, space.viewport)?;
        at.is_finite()
            .then(|| rect.min + vec2(at.x as f32, at.y as f32))
    };
    let hot = match &space.gesture {
        SpaceGesture::Drag(drag) => Some(drag.handle()),
        _ => pointer.and_then(|at| {
            let at = at - rect.min;
            let at = DVec2::new(f64::from(at.x), f64::from(at.y));
            gizmo.grip(at, &space.camera, space.viewport)
        }),
    };
    let eye = space.camera.backwards();
    let mut handles = gizmo.handles();
    // What is nearer to the eye is painted last.
    let depth = |line: &[DVec3]| {
        let sum: DVec3 = line.iter().map(|p| *p - gizmo.pivot).sum();
        sum.dot(eye)
    };
    handles.sort_by(|a, b| depth(&a.1).total_cmp(&depth(&b.1)));
    for (handle, line) in handles {
        let points: Vec<Pos2> = line.iter().filter_map(|p| on_screen(*p)).collect();
        if points.len() < line.len() {
            continue;
        }
        let is_hot = hot == Some(handle);
        // While one is dragged, the others would only be in the way.
        if hot.is_some() && !is_hot && matches!(space.gesture, SpaceGesture::Drag(_)) {
            continue;
        }
        paint_handle(painter, gizmo, handle, &points, is_hot);
    }
    if let Some(pivot) = on_screen(gizmo.pivot)
        && gizmo.mode != GizmoMode::Scale
    {
        painter.circle(
            pivot,
            3.0,
            Color32::WHITE,
            Stroke::new(1.0, theme::gizmo::HALO),
        );
    }
}

fn paint_handle(painter: &Painter, gizmo: &Gizmo, handle: Handle, points: &[Pos2], is_hot: bool) {
    let colour = match handle {
        _ if is_hot => theme::gizmo::HOT,
        Handle::Axis(i) | Handle::Plane(i) | Handle::Ring(i) => theme::gizmo::AXES[i % 3],
        Handle::Centre | Handle::Body => Color32::WHITE,
    };
    let width = if is_hot { 3.5 } else { 2.5 };
    let halo = Stroke::new(width + 2.0, theme::gizmo::HALO);
    let stroke = Stroke::new(width, colour);
    match handle {
        Handle::Plane(_) | Handle::Centre => {
            let mut corners = points.to_vec();
            corners.pop();
            let fill = colour.gamma_multiply(if is_hot { 0.7 } else { 0.35 });
            painter.add(Shape::convex_polygon(
                corners,
                fill,
                Stroke::new(1.5, colour),
            ));
        }
        Handle::Axis(_) => {
            painter.line_segment([points[0], points[1]], halo);
            painter.line_segment([points[0], points[1]], stroke);
            let along = (points[1] - points[0]).normalized();
            let aside = along.rot90();
            if gizmo.mode == GizmoMode::Scale {
                painter.rect_filled(
                    Rect::from_center_size(points[1], egui::Vec2::splat(2.0 * KNOB)),
                    1.5,
                    colour,
                );
            } else {
                let tip = points[1] + along * HEAD;
                let foot = points[1];
                painter.add(Shape::convex_polygon(
                    vec![tip, foot + aside * HEAD_WIDTH, foot - aside * HEAD_WIDTH],
                    colour,
                    Stroke::new(1.0, theme::gizmo::HALO),
                ));
            }
        }
        Handle::Ring(_) | Handle::Body => {
            painter.add(Shape::line(points.to_vec(), halo));
            painter.add(Shape::line(points.to_vec(), stroke));
        }
    }
}
