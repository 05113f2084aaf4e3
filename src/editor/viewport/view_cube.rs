//! A small cube in the corner that turns with the view: a click on a face looks from there.

use crate::editor::state::EditorState;
use crate::editor::theme;
use crate::interaction::space::Direction;
use egui::accesskit::Role;
use egui::{Align2, FontId, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, vec2};
use glam::DVec3;

/// Half an edge of the cube. Unit: points.
const HALF: f64 = 25.0;
/// Around it. Unit: points.
const SIDE: f32 = 104.0;
const MARGIN: f32 = 8.0;
/// A face that is turned away further is not written on.
const LEAST_FACING: f64 = 0.35;

/// A face: what one looks from, where it is, and the two axes along it.
const FACES: [(Direction, DVec3, DVec3, DVec3); 5] = [
    (Direction::Top, DVec3::Z, DVec3::X, DVec3::Y),
    (Direction::Front, DVec3::NEG_Y, DVec3::X, DVec3::Z),
    (Direction::Back, DVec3::Y, DVec3::NEG_X, DVec3::Z),
    (Direction::Right, DVec3::X, DVec3::Y, DVec3::Z),
    (Direction::Left, DVec3::NEG_X, DVec3::NEG_Y, DVec3::Z),
];

pub fn view_cube_ui(ui: &Ui, view: Rect, state: &mut EditorState) {
    if view.width() < 2.5 * SIDE || view.height() < 2.0 * SIDE {
        return;
    }
    let area = Rect::from_min_size(
        view.right_top() + vec2(-SIDE - MARGIN, MARGIN),
        egui::Vec2::splat(SIDE),
    );
    let id = ui.scope_id().with("view cube");
    let response = ui.interact(area, id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "View cube"));
    if response.dragged() {
        let moved = response.drag_delta();
        let space = &mut state.space;
        space.hold();
        // A turn across the cube is a turn across the view.
        let moved = glam::DVec2::new(f64::from(moved.x), f64::from(moved.y)) * 2.5;
        space.camera.orbit(moved, space.viewport);
    }
    let palette = theme::Palette::of(ui.visuals());
    let [right, up, back] = state.space.camera.axes();
    let centre = area.center();
    let place = |p: DVec3| -> Pos2 {
        centre + vec2((p.dot(right) * HALF) as f32, -(p.dot(up) * HALF) as f32)
    };
    let painter = ui.painter_at(area);
    let pointer = response.hover_pos();
    let mut aimed = None;
    let mut covered: Vec<Vec<Pos2>> = Vec::new();
    for (direction, normal, u, v) in FACES {
        let facing = normal.dot(back);
        if facing <= 0.02 {
            continue;
        }
        let corners: Vec<Pos2> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(a, b)| place(normal + u * a + v * b))
            .to_vec();
        let is_hot = pointer.is_some_and(|at| is_inside(&corners, at));
        if is_hot {
            aimed = Some(direction);
        }
        covered.push(corners.clone());
        let light = palette
            .raised
            .lerp_to_gamma(palette.control_pressed, facing as f32);
        let fill = if is_hot { palette.accent_fill } else { light };
        painter.add(Shape::convex_polygon(
            corners,
            fill.gamma_multiply(0.94),
            Stroke::new(1.0, palette.line_strong),
        ));
        if facing > LEAST_FACING {
            painter.text(
                place(normal),
                Align2::CENTER_CENTER,
                direction.name(),
                FontId::proportional(10.5),
                if is_hot {
                    palette.text_strong
                } else {
                    palette.text
                },
            );
        }
    }
    // Three edges are the axes; those behind the cube are hidden by it.
    for (i, axis) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
        let from = DVec3::NEG_ONE;
        let beside = |other: DVec3| other != axis && (-other).dot(back) > 0.02;
        let is_seen = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().any(beside);
        let colour = theme::gizmo::AXES[i];
        if is_seen {
            let edge = [place(from), place(from + axis * 2.0)];
            painter.line_segment(edge, Stroke::new(2.0, colour));
        }
        let end = place(from + axis * 2.42);
        if !covered.iter().any(|corners| is_inside(corners, end)) {
            painter.text(
                end,
                Align2::CENTER_CENTER,
                ["x", "y", "z"][i],
                FontId::proportional(11.5),
                colour,
            );
        }
    }
    if response.clicked() {
        state.space.look_from(aimed.unwrap_or(Direction::Corner));
        ui.ctx().request_repaint();
    }
    let words = aimed.map_or_else(
        || "Look from the corner. Drag to turn.".to_owned(),
        |direction| {
            format!(
                "Look from: {}. Drag to turn.",
                direction.name().to_lowercase()
            )
        },
    );
    if !response.dragged() {
        response.on_hover_text(words);
    }
}

fn is_inside(corners: &[Pos2], at: Pos2) -> bool {
    let turns = (0..corners.len()).map(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
        (b - a).x * (at - a).y - (b - a).y * (at - a).x
    });
    let turns: Vec<f32> = turns.collect();
    turns.iter().all(|t| *t >= 0.0) || turns.iter().all(|t| *t <= 0.0)
}
