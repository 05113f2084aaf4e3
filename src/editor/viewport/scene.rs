//! What the plan view shows in one frame.

use crate::base::EntityId;
use crate::document::{Level, MeshLibrary, Selection};
use crate::editor::EditorState;
use crate::editor::navigation::Navigation;
use crate::interaction::{Camera, Overlay};
use crate::preview::moment::is_simulated;
use crate::preview::{Layer, Layers, Look};
use glam::DVec2;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct PlanScene<'a> {
    pub level: &'a Arc<Level>,
    pub meshes: &'a Arc<MeshLibrary>,
    pub selection: &'a Selection,
    /// What the pointer is over, on the plan or in a list.
    pub hovered: Option<EntityId>,
    /// What the tool in hand draws over the level.
    pub overlay: Overlay,
    pub camera: Camera,
    pub look: Look,
    pub layers: Layers,
    pub rulers: bool,
    pub navigation: Option<&'a Navigation>,
    /// Where the pointer is, marked on the rulers. Unit: metres.
    pub pointer: Option<DVec2>,
}

impl<'a> PlanScene<'a> {
    /// The open level as the editor looks at it.
    #[must_use]
    pub fn of(state: &'a EditorState, look: Look) -> Self {
        let document = state.document();
        let view = state.view.for_tools();
        let mut layers = Layers::ALL;
        layers.set(Layer::Labels, state.view.show.labels);
        layers.set(Layer::Grid, document.level().settings().grid.visible);
        let moment = state.navigation.player.moment(state.selected_agent());
        if moment.as_deref().is_some_and(is_simulated) {
            layers.set(Layer::Agents, false);
        }
        let mut overlay = state.toolbox.overlay(&state.level, &view);
        state.suggestions.draw(&mut overlay);
        Self {
            level: document.level(),
            meshes: &state.meshes.library,
            selection: document.selection(),
            hovered: state.view.hovered.or_else(|| state.toolbox.hovered()),
            overlay,
            camera: state.view.camera,
            look,
            layers,
            rulers: state.view.show.rulers,
            navigation: Some(&state.navigation),
            pointer: state.view.pointer,
        }
    }
}
