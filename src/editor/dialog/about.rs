//! Version, licence and credits.

use super::{Dialog, Flow, modal};
use crate::editor::{Actions, EditorState, theme};
use egui::RichText;

#[derive(Debug)]
pub struct About;

const MADE_WITH: &str = "egui, glow, i_overlay, lyon, rstar, robust, resvg and many other crates of \
     the Rust community. Icons: Material Symbols. Fonts: Ubuntu, Hack, Noto Emoji.";

impl Dialog for About {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, _: &mut Actions) -> Flow {
        modal(ctx, "About Wayloom", 420.0, |ui| {
            ui.horizontal(|ui| {
                crate::editor::logo::logo_ui(ui, 56.0);
                ui.add_space(8.0);
                ui.vertical(|ui| {
                    ui.add_space(4.0);
                    ui.label(
                        RichText::new("Wayloom")
                            .text_style(theme::text::title())
                            .strong(),
                    );
                    ui.weak(format!("Version {}", env!("CARGO_PKG_VERSION")));
                });
            });
            ui.add_space(10.0);
            ui.label(
                "The level editor that shows what agents will do while you draw: walls, terrain, \
                 routes and crowds in one plan, for games, films and simulations.",
            );
            ui.add_space(8.0);
            ui.label(format!("Licence: {}", env!("CARGO_PKG_LICENSE")));
            ui.add_space(4.0);
            ui.label(
                RichText::new(format!("Built with {MADE_WITH}"))
                    .small()
                    .weak(),
            );
            Flow::Stay
        })
    }
}
