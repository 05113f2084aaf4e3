//! Names in the 3D view, where they have room and nothing stands before them; the nearest first.

use super::label_paint::text_with_halo;
use super::solid;
use crate::editor::space::Space;
use crate::interaction::space::SpacePicker;
use crate::preview::space::SpaceFrame;
use egui::{Align2, Color32, FontId, Painter, Rect, vec2};

/// More names than these would be clutter.
const MAX_LABELS: usize = 60;
/// Names that are tried in one frame: to lay one out costs more than to paint it.
const MAX_TRIED: usize = 400;
/// Names in one frame for which it is found out whether a body hides them.
const MAX_RAYS: usize = 150;
/// A name stands so much before what it is written on. Unit: metres.
const SLACK: f64 = 0.3;
const SIZE: f32 = 12.0;

pub fn paint(painter: &Painter, rect: Rect, frame: &SpaceFrame, space: &Space) {
    let Some(scene) = space.scene() else {
        return;
    };
    let picker = SpacePicker {
        scene,
        section: space.section,
    };
    let camera = &space.camera;
    let eye = camera.eye();
    let halo = super::colour(scene.look.palette().halo);
    let project = camera.projector(space.viewport);
    let mut labels: Vec<_> = frame
        .layers
        .iter()
        .filter(|placed| !placed.layer.labels.is_empty())
        .flat_map(|placed| placed.layer.labels.iter())
        .filter(|label| {
            space
                .section
                .is_none_or(|section| label.at.z <= section + 0.5)
        })
        .filter_map(|label| {
            let screen = project(label.at)?;
            let at = rect.min + vec2(screen.x as f32, screen.y as f32);
            rect.contains(at)
                .then(|| (label.at.distance_squared(eye), at, screen, label))
        })
        .collect();
    // In a large level only the nearest are put in order.
    if labels.len() > MAX_TRIED {
        labels.select_nth_unstable_by(MAX_TRIED, |a, b| a.0.total_cmp(&b.0));
        labels.truncate(MAX_TRIED);
    }
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut rays = 0;
    let mut taken: Vec<Rect> = Vec::new();
    for (_, at, screen, label) in labels {
        if taken.len() >= MAX_LABELS || rays >= MAX_RAYS {
            break;
        }
        // A name is written above its place.
        if taken.iter().any(|other| other.contains(at)) {
            continue;
        }
        let font = FontId::proportional(SIZE);
        let size = painter
            .layout_no_wrap(label.text.clone(), font.clone(), Color32::PLACEHOLDER)
            .size();
        let area = Align2::CENTER_BOTTOM
            .anchor_size(at, size)
            .expand2(vec2(3.0, 1.0));
        if taken.iter().any(|other| other.intersects(area)) {
            continue;
        }
        rays += 1;
        let ray = camera.ray(screen, space.viewport);
        let t = (label.at - ray.origin).dot(ray.direction);
        if picker.hides(&ray, t - SLACK) {
            continue;
        }
        taken.push(area);
        text_with_halo(
            painter,
            at,
            Align2::CENTER_BOTTOM,
            label.text.clone(),
            font,
            solid(label.colour),
            halo,
        );
    }
}
