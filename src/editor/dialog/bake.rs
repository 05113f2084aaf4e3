//! What engines read: which profiles are baked, and whether space is cut into cells.

use super::{Dialog, Flow, buttons_ui, confirmed, modal, primary_button_enabled};
use crate::document::Level;
use crate::editor::intention::{BakeChoice, Request};
use crate::editor::{Action, Actions, EditorState};

#[derive(Debug)]
pub struct BakeForEngines {
    profiles: Vec<(String, bool)>,
    with_voxels: bool,
}

impl BakeForEngines {
    #[must_use]
    pub fn new(level: &Level) -> Self {
        let names = level.profiles().map(|(id, ..)| level.label(id));
        Self {
            profiles: names.map(|name| (name, true)).collect(),
            with_voxels: false,
        }
    }

    fn chosen(&self) -> impl Iterator<Item = &String> {
        let chosen = self.profiles.iter().filter(|(_, is_chosen)| *is_chosen);
        chosen.map(|(name, _)| name)
    }
}

impl Dialog for BakeForEngines {
    fn ui(&mut self, ctx: &egui::Context, _: &EditorState, actions: &mut Actions) -> Flow {
        modal(ctx, "Bake for engines", 440.0, |ui| {
            ui.add(
                egui::Label::new(
                    "Writes free space, cells, portals and the corridor map as files that games and \
                     simulations read; docs/bake.md says how.",
                )
                .wrap(),
            );
            ui.add_space(8.0);
            ui.strong("Profiles");
            for (name, is_chosen) in &mut self.profiles {
                ui.checkbox(is_chosen, name.as_str());
            }
            ui.add_space(8.0);
            ui.checkbox(&mut self.with_voxels, "With the cells of space")
                .on_hover_text(
                    "Voxels and what can be stood on; written anyway where somebody plans with them",
                );
            let mut flow = Flow::Stay;
            buttons_ui(ui, |ui| {
                let ready = self.chosen().next().is_some();
                if primary_button_enabled(ui, "Choose a place…", ready).clicked()
                    || ready && confirmed(ctx)
                {
                    actions.push(Action::Request(Request::Bake(BakeChoice {
                        profiles: self.chosen().cloned().collect(),
                        with_voxels: self.with_voxels,
                    })));
                    flow = Flow::Close;
                }
                if ui.button("Cancel").clicked() {
                    flow = Flow::Close;
                }
            });
            flow
        })
    }
}
