//! Where the panels are: a tree of tiles that people rearrange and that is kept between runs.

use super::panels::Panels;
use super::viewport::PlanPainter;
use super::{Actions, EditorState};
use egui_tiles::{Container, Linear, LinearDir, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pane {
    Plan,
    Outliner,
    Inspector,
    Problems,
    History,
}

impl Pane {
    pub const ALL: [Self; 5] = [
        Self::Plan,
        Self::Outliner,
        Self::Inspector,
        Self::Problems,
        Self::History,
    ];

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Plan => "Plan",
            Self::Outliner => "Outliner",
            Self::Inspector => "Inspector",
            Self::Problems => "Problems",
            Self::History => "History",
        }
    }
}

/// Plan in the centre, outliner above inspector on the right, problems and history below.
#[must_use]
pub fn default_layout() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let mut tabs = |panes: &[Pane]| {
        let children: Vec<TileId> = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
        tiles.insert_tab_tile(children)
    };
    let plan = tabs(&[Pane::Plan]);
    let below = tabs(&[Pane::Problems, Pane::History]);
    let outliner = tabs(&[Pane::Outliner]);
    let inspector = tabs(&[Pane::Inspector]);
    let mut split = |dir, children, share| {
        tiles.insert_container(Container::Linear(Linear::new_binary(dir, children, share)))
    };
    let centre = split(LinearDir::Vertical, [plan, below], 0.8);
    let right = split(LinearDir::Vertical, [outliner, inspector], 0.45);
    let root = split(LinearDir::Horizontal, [centre, right], 0.77);
    Tree::new(egui::Id::unique("panels"), root, tiles)
}

/// Draws the panes of one frame.
#[derive(Debug)]
pub struct Docking<'a> {
    pub state: &'a mut EditorState,
    pub panels: &'a mut Panels,
    pub painter: &'a mut PlanPainter,
    pub actions: &'a mut Actions,
}

impl egui_tiles::Behavior<Pane> for Docking<'_> {
    fn pane_ui(
        &mut self,
        ui: &mut egui::Ui,
        _tile: TileId,
        pane: &mut Pane,
    ) -> egui_tiles::UiResponse {
        match pane {
            Pane::Plan => {
                let (rect, _response) =
                    ui.allocate_exact_size(ui.available_size(), egui::Sense::click_and_drag());
                self.painter.paint(ui, rect, self.state);
            }
            Pane::Outliner => self.panels.outliner.ui(ui, self.state, self.actions),
            Pane::Inspector => self.panels.inspector.ui(ui, self.state, self.actions),
            Pane::Problems => self.panels.problems.ui(ui, self.state, self.actions),
            Pane::History => self.panels.history.ui(ui, self.state, self.actions),
        }
        egui_tiles::UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        pane.title().into()
    }
}
