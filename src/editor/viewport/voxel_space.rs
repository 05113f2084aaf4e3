//! Voxels in the 3D view: layers that were made beside the window, as far as the front has come,
//! and what was asked about a cell.

use super::label_paint::paint_plate;
use super::overlay_shapes::Plate;
use super::space_layers::{Kept, Same};
use crate::editor::EditorState;
use crate::editor::voxel_view::Shown;
use crate::interaction::overlay::LabelPlace;
use crate::planner::human::CellAnswer;
use crate::preview::Palette;
use crate::preview::primitive::Ink;
use crate::preview::space::layer::rgba;
use crate::preview::space::{Manner, SpaceLayer, SpaceScene};
use crate::preview::voxel::space::front_layer;
use crate::preview::voxel::{Band, CellLayer};
use egui::{Painter, Rect};
use glam::DVec3;
use std::sync::Arc;

/// What is kept between frames.
#[derive(Debug, Default)]
pub struct VoxelSpace {
    partial: Kept<(Same<Shown>, u32)>,
    answers: Kept<(Same<Shown>, Same<SpaceScene>)>,
}

impl VoxelSpace {
    /// Asks for what is wanted and gives what was made of it, in the order in which it is drawn.
    pub fn over(&mut self, state: &EditorState, scene: &Arc<SpaceScene>) -> Vec<Arc<SpaceLayer>> {
        let navigation = &state.navigation;
        let view = &navigation.voxels;
        let (look, origin) = (scene.look, scene.origin);
        view.space.set(Some((look, origin)));
        let mut layers = Vec::new();
        let shown = view
            .shown()
            .filter(|shown| navigation.visible && shown.space_of() == Some((look, origin)));
        let Some(shown) = shown else {
            return layers;
        };
        let front = view.front.level.map(|_| view.front_levels());
        for part in shown.space.iter() {
            let is_shown = match (part.band, front) {
                (Some(band), Some(level)) => band.high < level,
                _ => true,
            };
            if is_shown {
                layers.push(Arc::clone(&part.layer));
            }
        }
        let cells = shown.view();
        let palette = look.palette();
        if let Some(level) = front
            && shown.layers().contains(&CellLayer::Front)
            && let Some(band) = cells
                .bands()
                .find(|band: &Band| band.low < level && level <= band.high)
        {
            let of = (Same(Arc::clone(shown)), level);
            let make = || front_layer(&cells, band, level, palette, origin);
            layers.push(self.partial.layer(of, make));
        }
        if shown.answers.iter().any(Option::is_some) {
            let of = (Same(Arc::clone(shown)), Same(Arc::clone(scene)));
            let make = || answer_layer(shown, scene, palette);
            layers.push(self.answers.layer(of, make));
        }
        layers
    }
}

/// What was answered, beside the cells that it is about.
pub fn paint_answers(painter: &Painter, rect: Rect, state: &EditorState, palette: &Palette) {
    let navigation = &state.navigation;
    let Some(shown) = navigation.voxels.shown().filter(|_| navigation.visible) else {
        return;
    };
    let space = &state.space;
    for (plate, at) in plates(shown, palette) {
        if let Some(at) = space.camera.screen_from_world(at, space.viewport) {
            let at = rect.min + egui::vec2(at.x as f32, at.y as f32);
            paint_plate(painter, at, &plate, palette);
        }
    }
}

/// The sentences of a picture, and the places in space that they are about.
pub(super) fn plates(shown: &Shown, palette: &Palette) -> Vec<(Plate, DVec3)> {
    told(shown)
        .map(|(answer, _)| {
            let plate = Plate {
                at: answer.at.truncate(),
                stands: LabelPlace::Above,
                text: answer.text.clone(),
                colour: if answer.is_reached {
                    palette.reachable
                } else {
                    palette.blocker
                },
            };
            (plate, answer.at)
        })
        .collect()
}

/// What was answered and is not said twice: about the place under the pointer, then about the one
/// that was clicked.
pub(super) fn told(shown: &Shown) -> impl Iterator<Item = (&CellAnswer, bool)> {
    let [hovered, pinned] = &shown.answers;
    let pinned = pinned.as_ref();
    let hovered = hovered
        .as_ref()
        .filter(|hovered| pinned.is_none_or(|pinned| pinned.cell != hovered.cell));
    let hovered = hovered.map(|answer| (answer, false));
    hovered
        .into_iter()
        .chain(pinned.map(|answer| (answer, true)))
}

/// The cells that were asked about, what is in the way, and the sentence.
fn answer_layer(shown: &Shown, scene: &SpaceScene, palette: &Palette) -> SpaceLayer {
    let mut layer = SpaceLayer::new(Manner::OnTop);
    for (answer, is_pinned) in told(shown) {
        add_answer(&mut layer, shown, answer, is_pinned, scene, palette);
    }
    layer
}

fn add_answer(
    layer: &mut SpaceLayer,
    shown: &Shown,
    answer: &CellAnswer,
    is_pinned: bool,
    scene: &SpaceScene,
    palette: &Palette,
) {
    let colour = if answer.is_reached {
        palette.reachable
    } else {
        palette.blocker
    };
    let origin = scene.origin;
    let half = 0.5 * shown.chart.reachability.surfaces().frame.cell;
    let square = |at: DVec3| -> Vec<DVec3> {
        [
            [-1.0, -1.0],
            [1.0, -1.0],
            [1.0, 1.0],
            [-1.0, 1.0],
            [-1.0, -1.0],
        ]
        .map(|[x, y]| at + DVec3::new(x * half, y * half, 0.03) - origin)
        .to_vec()
    };
    let width = if is_pinned { 3.0 } else { 2.0 };
    layer.polyline(&square(answer.at), rgba(Ink::solid(colour)), width);
    if !is_pinned {
        return;
    }
    let blocking = rgba(Ink::solid(palette.blocker));
    if let Some(body) = answer.blocker().and_then(|id| scene.body(id)) {
        body.add_outline_to(layer, blocking, 2.6, origin);
    }
    if let Some(why) = answer.why
        && let Some(from) = why.from
    {
        let lift = DVec3::Z * 0.05 - origin;
        layer.polyline(&[from + lift, why.at + lift], blocking, 3.0);
        layer.polyline(&square(why.at), blocking, 2.4);
        layer.polyline(&square(from), rgba(Ink::solid(palette.reachable)), 2.4);
    }
}
