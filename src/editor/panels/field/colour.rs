//! Colours: a swatch that opens a picker, and a `#rrggbb` field.

use super::colour_picker::colour_picker_ui;
use super::text::{Lines, text_ui};
use super::{Change, MIXED, Manner, Shared};
use crate::base::Colour;
use crate::editor::theme::panel;
use egui::{Color32, Popup, PopupCloseBehavior, Role, Sense, StrokeKind, Ui, WidgetInfo, vec2};

#[derive(Debug, Default)]
pub struct ColourOutput {
    pub change: Option<Change<Colour>>,
    pub refusal: Option<String>,
}

#[must_use]
pub const fn color32(colour: Colour) -> Color32 {
    Color32::from_rgb(colour.r, colour.g, colour.b)
}

pub fn colour_ui(ui: &mut Ui, name: &str, value: Shared<Colour>) -> ColourOutput {
    let mut output = ColourOutput::default();
    let width = ui.available_width();
    ui.horizontal(|ui| {
        let (rect, button) = ui.allocate_exact_size(
            vec2(panel::FIELD_ROW * 1.6, panel::FIELD_ROW),
            Sense::click(),
        );
        button.widget_info(|| {
            WidgetInfo::labeled(Role::ColorWell, ui.is_enabled(), format!("Pick {name}"))
        });
        let visuals = ui.style().interact(&button);
        let fill = value.same().map_or(visuals.bg_fill, color32);
        ui.painter().rect(
            rect,
            panel::ROUNDING,
            fill,
            visuals.bg_stroke,
            StrokeKind::Inside,
        );
        if value.is_mixed() {
            ui.painter().text(
                rect.center(),
                egui::Align2::CENTER_CENTER,
                MIXED,
                egui::TextStyle::Button.resolve(ui.style()),
                visuals.text_color(),
            );
        }
        Popup::menu(&button)
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| {
                let current = value.same().unwrap_or(Colour::rgb(128, 128, 128));
                if let Some(colour) = colour_picker_ui(ui, current) {
                    output.change = Some(Change::by_pointer_or(ui, colour, Manner::Typed));
                }
            });
        let written = value.map(|colour| colour.to_string());
        let id = ui.scope_id().with((name, "written"));
        let text = text_ui(
            ui,
            id,
            match &written {
                Shared::Same(text) => Shared::Same(text),
                Shared::Mixed => Shared::Mixed,
            },
            "#rrggbb",
            Lines::One,
            (width - rect.width() - 4.0).clamp(40.0, 90.0),
        );
        text.response.accessible_name(format!("{name} as #rrggbb"));
        match text.text.trim().parse::<Colour>() {
            Ok(colour) => {
                let typed = text.change.map(|change| change.map(|_| colour));
                output.change = typed.or(output.change.take());
            }
            Err(error) if !may_become_colour(text.text.trim()) => {
                output.refusal = Some(error.to_string());
            }
            Err(_) => {}
        }
    });
    output
}

/// An incomplete colour is not an error yet.
fn may_become_colour(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| {
        digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    }) || text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_become_a_colour_is_refused_while_typing() {
        for text in ["", "#", "#3a", "#3a7d44"] {
            assert!(may_become_colour(text), "{text}");
        }
        for text in ["red", "#xyz", "#3a7d445", "3a7d44"] {
            assert!(!may_become_colour(text), "{text}");
        }
    }
}
