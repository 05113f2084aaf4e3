//! A collapsible section of a form; its state is kept.

use crate::editor::theme::panel;
use egui::collapsing_header::CollapsingState;
use egui::{Align2, FontId, Id, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};
use egui_material_icons::icons;

/// Open by default. The state belongs to the title, not to the edited entity, so it is the same for
/// the next selection.
pub fn section<R>(ui: &mut Ui, title: &str, content: impl FnOnce(&mut Ui) -> R) -> Option<R> {
    section_with(ui, title, None, content)
}

/// A section with a remark at the right of its heading, such as a count.
pub fn section_with<R>(
    ui: &mut Ui,
    title: &str,
    remark: Option<&str>,
    content: impl FnOnce(&mut Ui) -> R,
) -> Option<R> {
    let id = Id::unique(("form section", title));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, true);
    ui.add_space(4.0);
    let (rect, response) = ui.allocate_exact_size(
        vec2(ui.available_width(), panel::FIELD_ROW + 2.0),
        Sense::click(),
    );
    if response.clicked() {
        state.toggle(ui);
    }
    let open = state.is_open();
    response.widget_info(|| {
        WidgetInfo::selected(Role::DisclosureTriangle, ui.is_enabled(), open, title)
    });
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&response);
        let painter = ui.painter();
        if response.hovered() || response.has_focus() {
            painter.rect_filled(rect, panel::ROUNDING, visuals.weak_bg_fill);
        }
        let icon = if open {
            icons::ICON_KEYBOARD_ARROW_DOWN
        } else {
            icons::ICON_CHEVRON_RIGHT
        };
        painter.text(
            pos2(rect.left() + 8.0, rect.center().y),
            Align2::CENTER_CENTER,
            icon.codepoint,
            FontId::new(panel::ICON, icon.font_family()),
            ui.visuals().weak_text_color(),
        );
        let font = TextStyle::Button.resolve(ui.style());
        painter.text(
            pos2(rect.left() + 18.0, rect.center().y),
            Align2::LEFT_CENTER,
            title,
            font.clone(),
            ui.visuals().strong_text_color(),
        );
        if let Some(remark) = remark {
            painter.text(
                pos2(rect.right() - 4.0, rect.center().y),
                Align2::RIGHT_CENTER,
                remark,
                font,
                ui.visuals().weak_text_color(),
            );
        }
    }
    let inner = state.show_body_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        content(ui)
    });
    state.store(ui.ctx());
    inner.map(|inner| inner.inner)
}
