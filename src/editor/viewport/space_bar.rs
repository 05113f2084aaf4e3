//! The strip above the 3D view: how it looks, and where the level is cut open.

use crate::base::decimal::fixed;
use crate::editor::command_button::icon_button;
use crate::editor::{Actions, Command, EditorState, theme};
use crate::interaction::measures::storey_text;
use crate::interaction::space::Projection;
use egui::accesskit::Role;
use egui::{Ui, WidgetInfo};

const BUTTON: f32 = 24.0;
/// The slider begins so high above the lowest place. Unit: metres.
const LEAST_CUT: f64 = 0.1;

pub fn space_bar_ui(ui: &mut Ui, state: &mut EditorState, actions: &mut Actions) {
    ui.spacing_mut().item_spacing.x = 4.0;
    for command in [
        Command::LookFromCorner,
        Command::LookFromTop,
        Command::LookFromFront,
        Command::LookFromRight,
    ] {
        icon_button(ui, state, command, BUTTON, actions);
    }
    let word = match state.space.camera.projection {
        Projection::Perspective => "Perspective",
        Projection::Orthographic => "Orthographic",
    };
    ui.separator();
    if ui
        .selectable_label(false, word)
        .on_hover_text("Switches between perspective and orthographic (5)")
        .clicked()
    {
        actions.command(Command::ToggleProjection);
    }
    ui.separator();
    section_ui(ui, state, actions);
}

fn section_ui(ui: &mut Ui, state: &mut EditorState, actions: &mut Actions) {
    let Some(scene) = state.space.scene().cloned() else {
        return;
    };
    let bounds = scene.bounds();
    let (low, high) = (
        bounds.min.z + LEAST_CUT,
        (bounds.max.z + 0.05).max(bounds.min.z + 1.0),
    );
    let palette = theme::Palette::of(ui.visuals());
    icon_button(ui, state, Command::ToggleSection, BUTTON, actions);
    let mut height = state.space.section.unwrap_or(high);
    let width = (ui.available_width() - 124.0).clamp(40.0, 160.0);
    ui.spacing_mut().slider_width = width;
    let slider = egui::Slider::new(&mut height, low..=high)
        .show_value(false)
        .handle_shape(egui::style::HandleShape::Circle);
    let slider = ui
        .add(slider)
        .on_hover_text("Height of the section; at the right end nothing is cut away");
    slider.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Height of the section"));
    if slider.changed() {
        state.space.section = (height < high - 1e-3).then_some(height);
    }
    let text = match state.space.section {
        Some(height) => format!("{} m", fixed(height, 2)),
        None => "No section".to_owned(),
    };
    let menu = egui::ComboBox::from_id_salt("storey")
        .selected_text(egui::RichText::new(text).color(palette.text))
        .width(92.0)
        .show_ui(ui, |ui| {
            if ui
                .selectable_label(state.space.section.is_none(), "No section")
                .clicked()
            {
                state.space.section = None;
            }
            for (i, storey) in state.space.storeys().iter().enumerate().rev() {
                let is_shown = state.space.section == Some(storey.cut);
                let name = format!("Storey {}", storey_text(i, storey.floor));
                if ui.selectable_label(is_shown, name).clicked() {
                    state.space.section = Some(storey.cut);
                }
            }
        })
        .response;
    menu.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Storey"));
    menu.on_hover_text("Shows the level up to one storey");
}
