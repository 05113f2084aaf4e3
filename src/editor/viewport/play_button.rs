//! A large button over the view while nothing of the level has been played yet.

use crate::document::KindName;
use crate::editor::theme::Palette;
use crate::editor::{Actions, Command, EditorState};
use crate::interaction::ToolKind;
use egui::{Align2, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};
use egui_material_icons::icons;

/// Unit: points.
const SIZE: egui::Vec2 = vec2(148.0, 52.0);
const ABOVE_BORDER: f32 = 26.0;
/// Views smaller than this have more use for their ground. Unit: points.
const LEAST: egui::Vec2 = vec2(320.0, 220.0);

fn is_wanted(state: &EditorState) -> bool {
    let player = &state.navigation.player;
    let level = state.document().level();
    let moves = |kind| matches!(kind, Some(KindName::Agent | KindName::Crowd));
    player.simulation.is_untouched()
        && !player.clock.has_begun()
        && state.toolbox.current() == ToolKind::Select
        && !state.toolbox.is_dragging()
        && level.iter().any(|(id, _)| moves(level.kind_of(id)))
}

/// Lies at the foot of a view: what is drawn stays in sight and can be worked with.
pub(super) fn play_button_ui(ui: &Ui, view: Rect, state: &EditorState, actions: &mut Actions) {
    if view.width() < LEAST.x || view.height() < LEAST.y || !is_wanted(state) {
        return;
    }
    let palette = Palette::of(ui.visuals());
    let foot = pos2(view.center().x, view.bottom() - ABOVE_BORDER);
    let rect = Align2::CENTER_BOTTOM.anchor_size(foot, SIZE);
    let id = ui.scope_id().with("large play button");
    let response = ui.interact(rect, id, Sense::click());
    let entry = Command::PlayPause.entry();
    let name = "Play the level";
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    let fill = if response.hovered() {
        palette.accent
    } else {
        palette.accent.gamma_multiply(0.92)
    };
    let painter = ui.painter_at(view);
    let shadow = rect.translate(vec2(0.0, 3.0)).expand(2.0);
    painter.rect_filled(shadow, SIZE.y * 0.5, palette.shadow);
    painter.rect_filled(rect, SIZE.y * 0.5, fill);
    let edge = Stroke::new(1.0, palette.on_accent.gamma_multiply(0.25));
    painter.rect_stroke(rect, SIZE.y * 0.5, edge, egui::StrokeKind::Inside);
    let icon = icons::ICON_PLAY_ARROW;
    painter.text(
        pos2(rect.left() + 32.0, rect.center().y),
        Align2::CENTER_CENTER,
        icon.codepoint,
        FontId::new(32.0, icon.font_family()),
        palette.on_accent,
    );
    let text = pos2(rect.left() + 54.0, rect.center().y - 8.0);
    let title = FontId::proportional(16.0);
    painter.text(text, Align2::LEFT_CENTER, "Play", title, palette.on_accent);
    let key = state.keys().first_key(Command::PlayPause);
    if let Some(key) = key {
        let at = pos2(text.x, rect.center().y + 11.0);
        let small = FontId::proportional(11.5);
        let ink = palette.on_accent.gamma_multiply(0.8);
        painter.text(at, Align2::LEFT_CENTER, key.to_string(), small, ink);
    }
    if response.on_hover_text(entry.help).clicked() {
        actions.command(Command::PlayPause);
    }
}
