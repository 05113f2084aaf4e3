//! Colours, sizes and fonts of the window, and nowhere else.

use super::preferences::ThemeChoice;

/// Gives a context the fonts, both themes and the interface scale.
pub fn install(ctx: &egui::Context) {
    egui_material_icons::initialize(ctx);
}

pub fn choose(ctx: &egui::Context, choice: ThemeChoice) {
    ctx.set_theme(match choice {
        ThemeChoice::Dark => egui::ThemePreference::Dark,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::System => egui::ThemePreference::System,
    });
}
