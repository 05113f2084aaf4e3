//! Sets of profiles: a tick for each profile of the level.

use crate::base::EntityId;
use crate::document::Level;
use crate::editor::panels::field::Manner;
use egui::Ui;
use std::collections::BTreeSet;

pub fn profiles_ui(
    ui: &mut Ui,
    level: &Level,
    profiles: &mut BTreeSet<EntityId>,
) -> Option<Manner> {
    let mut manner = None;
    if level.profiles().next().is_none() {
        ui.weak("The level has no profiles yet.");
    }
    for (id, entity, _) in level.profiles() {
        let mut is_in = profiles.contains(&id);
        if ui.checkbox(&mut is_in, entity.label(id)).changed() {
            if is_in {
                profiles.insert(id);
            } else {
                profiles.remove(&id);
            }
            manner = Some(Manner::Chosen);
        }
    }
    manner
}
