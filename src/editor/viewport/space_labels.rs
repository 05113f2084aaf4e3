//! Names in the 3D view, where they have room; the nearest first.

use super::label_paint::text_with_halo;
use super::solid;
use crate::editor::space::Space;
use crate::preview::Look;
use crate::preview::space::SpaceFrame;
use egui::{Align2, Color32, FontId, Painter, Rect, vec2};

/// More names than these tell nobody anything.
const MAX_LABELS: usize = 80;
const SIZE: f32 = 12.0;

pub fn paint(painter: &Painter, rect: Rect, frame: &SpaceFrame, space: &Space) {
    let camera = &space.camera;
    let eye = camera.eye();
    let look = space.scene().map_or(Look::Dark, |scene| scene.look);
    let halo = super::colour(look.palette().halo);
    let mut labels: Vec<_> = frame
        .layers
        .iter()
        .flat_map(|placed| placed.layer.labels.iter())
        .filter(|label| {
            space
                .section
                .is_none_or(|section| label.at.z <= section + 0.5)
        })
        .filter_map(|label| {
            let at = camera.screen_from_world(label.at, space.viewport)?;
            let at = rect.min + vec2(at.x as f32, at.y as f32);
            rect.contains(at)
                .then(|| (label.at.distance_squared(eye), at, label))
        })
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    labels.truncate(MAX_LABELS);
    let mut taken: Vec<Rect> = Vec::new();
    for (_, at, label) in labels {
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
