//! Where the panels are: a tree of tiles that people rearrange and that is kept between runs.

use super::panels::Panels;
use super::viewport::{PlanPainter, SpacePainter, plan_view_ui, space_view_ui};
use super::{Actions, EditorState, theme};
use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pane {
    Plan,
    Space,
    Outliner,
    Inspector,
    Problems,
    History,
    Layers,
    Terrains,
    Profiles,
    Navigation,
    Bench,
    Clearance,
    Voxels,
    Playback,
}

impl Pane {
    pub const ALL: [Self; 14] = [
        Self::Plan,
        Self::Space,
        Self::Outliner,
        Self::Inspector,
        Self::Problems,
        Self::History,
        Self::Layers,
        Self::Terrains,
        Self::Profiles,
        Self::Navigation,
        Self::Bench,
        Self::Clearance,
        Self::Voxels,
        Self::Playback,
    ];

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Plan => "Plan",
            Self::Space => "3D",
            Self::Outliner => "Outliner",
            Self::Inspector => "Inspector",
            Self::Problems => "Problems",
            Self::History => "History",
            Self::Layers => "Layers",
            Self::Terrains => "Terrain weights",
            Self::Profiles => "Profiles",
            Self::Navigation => "Navigation",
            Self::Bench => "Planner bench",
            Self::Clearance => "Clearance",
            Self::Voxels => "Bodies and cells",
            Self::Playback => "Playback",
        }
    }
}

/// Which of the two views of the level are in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Views {
    Plan,
    Space,
    Both,
}

impl Views {
    /// Of the panes that are open.
    #[must_use]
    pub fn of(open: &BTreeSet<Pane>) -> Self {
        match (open.contains(&Pane::Plan), open.contains(&Pane::Space)) {
            (true, true) => Self::Both,
            (false, true) => Self::Space,
            _ => Self::Plan,
        }
    }
}

/// The tree of tiles. Closed panes stay in it, unseen, and come back where they were.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layout {
    tree: Tree<Pane>,
    /// Not drawn yet: its shares still follow the window's size.
    #[serde(skip)]
    fresh: bool,
}

/// What the side and lower panels get in a fresh layout. Unit: points.
const SIDE_WIDTH: f32 = 300.0;
const LOWER_HEIGHT: f32 = 190.0;

impl Default for Layout {
    fn default() -> Self {
        Self {
            fresh: true,
            ..Self::fitting(egui::vec2(1200.0, 700.0))
        }
    }
}

impl Layout {
    /// Plan in the centre, outliner above inspector on the right, problems and history below.
    fn fitting(size: egui::Vec2) -> Self {
        let side = (SIDE_WIDTH / size.x).clamp(0.15, 0.36);
        let lower = (LOWER_HEIGHT / size.y).clamp(0.12, 0.3);
        let mut tiles = Tiles::default();
        let mut tabs = |panes: &[Pane]| {
            let children: Vec<TileId> = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
            tiles.insert_tab_tile(children)
        };
        let plan = tabs(&[Pane::Plan]);
        let space = tabs(&[Pane::Space]);
        let below = tabs(&[
            Pane::Problems,
            Pane::Navigation,
            Pane::Playback,
            Pane::Bench,
            Pane::Clearance,
            Pane::Voxels,
            Pane::History,
            Pane::Terrains,
            Pane::Profiles,
        ]);
        let outliner = tabs(&[Pane::Outliner, Pane::Layers]);
        let inspector = tabs(&[Pane::Inspector]);
        let mut split = |dir, children, share| {
            tiles.insert_container(Container::Linear(Linear::new_binary(dir, children, share)))
        };
        let views = split(LinearDir::Horizontal, [plan, space], 0.5);
        let centre = split(LinearDir::Vertical, [views, below], 1.0 - lower);
        let right = split(LinearDir::Vertical, [outliner, inspector], 0.45);
        let root = split(LinearDir::Horizontal, [centre, right], 1.0 - side);
        let mut layout = Self {
            tree: Tree::new(egui::Id::unique("panels"), root, tiles),
            fresh: false,
        };
        layout.show_views(Views::Plan);
        layout
    }

    /// Shows the plan, the 3D view, or both.
    pub fn show_views(&mut self, views: Views) {
        for (pane, shown) in [
            (Pane::Plan, views != Views::Space),
            (Pane::Space, views != Views::Plan),
        ] {
            let place = self.places(pane).next();
            if shown {
                self.reveal(pane);
            } else if let Some(id) = place {
                self.tree.set_visible(id, false);
            }
        }
    }

    pub fn ui(&mut self, docking: &mut Docking<'_>, ui: &mut egui::Ui) {
        // A file from another version may lack a pane, or have one twice.
        if Pane::ALL.iter().any(|pane| self.places(*pane).count() != 1) {
            *self = Self::default();
        }
        if self.fresh {
            // What was opened before the first frame stays open.
            let open = self.open_panes();
            *self = Self::fitting(ui.available_size());
            self.show_views(Views::of(&open));
        }
        docking.views = [Pane::Plan, Pane::Space].map(|pane| self.places(pane).next());
        self.tree.ui(docking, ui);
    }

    fn places(&self, pane: Pane) -> impl Iterator<Item = TileId> {
        self.tree
            .tiles
            .iter()
            .filter(move |(_, tile)| matches!(tile, Tile::Pane(found) if *found == pane))
            .map(|(id, _)| *id)
    }

    /// Opens a closed pane, brings one behind another to the front, closes one in sight.
    pub fn toggle(&mut self, pane: Pane) {
        let place = self.places(pane).next();
        let Some(id) = place else {
            return;
        };
        let in_sight = self.tree.active_tiles().contains(&id);
        if self.tree.is_visible(id) && in_sight {
            self.tree.set_visible(id, false);
        } else {
            self.reveal(pane);
        }
    }

    /// Opens a pane and brings it to the front.
    pub fn reveal(&mut self, pane: Pane) {
        let place = self.places(pane).next();
        if let Some(id) = place {
            self.tree.set_visible(id, true);
            self.tree.make_active(|tile, _| tile == id);
        }
    }

    #[must_use]
    pub fn open_panes(&self) -> BTreeSet<Pane> {
        Pane::ALL
            .into_iter()
            .filter(|pane| {
                self.places(*pane)
                    .next()
                    .is_some_and(|id| self.tree.is_visible(id))
            })
            .collect()
    }
}

/// Draws the panes of one frame.
#[derive(Debug)]
pub struct Docking<'a> {
    pub state: &'a mut EditorState,
    pub panels: &'a mut Panels,
    pub painters: Painters<'a>,
    pub actions: &'a mut Actions,
    /// The tiles of the two views, which have no tabs of their own.
    views: [Option<TileId>; 2],
}

/// What draws the views.
#[derive(Debug)]
pub struct Painters<'a> {
    pub plan: &'a mut PlanPainter,
    pub space: &'a mut SpacePainter,
}

impl<'a> Docking<'a> {
    pub const fn new(
        state: &'a mut EditorState,
        panels: &'a mut Panels,
        painters: Painters<'a>,
        actions: &'a mut Actions,
    ) -> Self {
        Self {
            state,
            panels,
            painters,
            actions,
            views: [None; 2],
        }
    }
}

impl egui_tiles::Behavior<Pane> for Docking<'_> {
    fn pane_ui(
        &mut self,
        ui: &mut egui::Ui,
        _tile: TileId,
        pane: &mut Pane,
    ) -> egui_tiles::UiResponse {
        let palette = theme::Palette::of(ui.visuals());
        if !matches!(pane, Pane::Plan | Pane::Space) {
            let rect = ui.max_rect();
            ui.painter().rect_filled(rect, 0.0, palette.surface);
            ui.shrink_clip_rect(rect);
        }
        match pane {
            Pane::Plan => plan_view_ui(ui, self.state, self.painters.plan, self.actions),
            Pane::Space => space_view_ui(ui, self.state, self.painters.space, self.actions),
            Pane::Outliner => self.panels.outliner.ui(ui, self.state, self.actions),
            Pane::Inspector => self.panels.inspector.ui(ui, self.state, self.actions),
            Pane::Problems => self.panels.problems.ui(ui, self.state, self.actions),
            Pane::History => self.panels.history.ui(ui, self.state, self.actions),
            Pane::Layers => self.panels.layers.ui(ui, self.state, self.actions),
            Pane::Terrains => self.panels.weights.ui(ui, self.state, self.actions),
            Pane::Profiles => self.panels.profiles.ui(ui, self.state, self.actions),
            Pane::Navigation => self.panels.navigation.ui(ui, self.state, self.actions),
            Pane::Bench => self.panels.bench.ui(ui, self.state, self.actions),
            Pane::Clearance => self.panels.clearance.ui(ui, self.state, self.actions),
            Pane::Voxels => self.panels.voxels.ui(ui, self.state, self.actions),
            Pane::Playback => self.panels.playback.ui(ui, self.state, self.actions),
        }
        egui_tiles::UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        let text = match pane {
            Pane::Problems if !self.state.problems().is_empty() => {
                format!("{} ({})", pane.title(), self.state.problems().len())
            }
            _ => pane.title().to_owned(),
        };
        text.into()
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        tiles
            .get_pane(&tile)
            .is_some_and(|pane| !matches!(pane, Pane::Plan | Pane::Space))
    }

    /// Closing hides: the pane keeps its place for when it comes back.
    fn on_tab_close(&mut self, tiles: &mut Tiles<Pane>, tile: TileId) -> bool {
        tiles.set_visible(tile, false);
        false
    }

    /// A view needs no tab while it is alone in its place.
    fn is_tab_bar_visible(&self, _tile: TileId, tabs: &egui_tiles::Tabs) -> bool {
        tabs.children.len() != 1 || !self.views.contains(&Some(tabs.children[0]))
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions {
            // Every pane has a tab: that is where it is dragged and closed.
            all_panes_must_have_tabs: true,
            ..Default::default()
        }
    }

    fn min_size(&self) -> f32 {
        90.0
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        3.0
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        theme::TAB_BAR_HEIGHT
    }

    fn tab_title_spacing(&self, _: &egui::Visuals) -> f32 {
        10.0
    }

    fn close_button_outer_size(&self) -> f32 {
        14.0
    }

    fn close_button_inner_margin(&self) -> f32 {
        3.5
    }

    fn tab_bar_color(&self, visuals: &egui::Visuals) -> egui::Color32 {
        theme::Palette::of(visuals).gutter
    }

    fn tab_bg_color(
        &self,
        visuals: &egui::Visuals,
        _: &Tiles<Pane>,
        _: TileId,
        state: &egui_tiles::TabState,
    ) -> egui::Color32 {
        let palette = theme::Palette::of(visuals);
        if state.active {
            palette.surface
        } else {
            palette.gutter
        }
    }

    fn tab_outline_stroke(
        &self,
        _: &egui::Visuals,
        _: &Tiles<Pane>,
        _: TileId,
        _: &egui_tiles::TabState,
    ) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _: &egui::Visuals) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn tab_text_color(
        &self,
        visuals: &egui::Visuals,
        _: &Tiles<Pane>,
        _: TileId,
        state: &egui_tiles::TabState,
    ) -> egui::Color32 {
        let palette = theme::Palette::of(visuals);
        if state.active {
            palette.text_strong
        } else {
            palette.text_weak
        }
    }

    fn resize_stroke(&self, style: &egui::Style, state: egui_tiles::ResizeState) -> egui::Stroke {
        let palette = theme::Palette::of(&style.visuals);
        let colour = match state {
            egui_tiles::ResizeState::Idle => palette.gutter,
            egui_tiles::ResizeState::Hovering => palette.line_strong,
            egui_tiles::ResizeState::Dragging => palette.accent,
        };
        egui::Stroke::new(self.gap_width(style), colour)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pane_comes_back_where_it_was() {
        let mut layout = Layout::default();
        assert_eq!(layout.open_panes().len(), Pane::ALL.len() - 1);
        assert_eq!(Views::of(&layout.open_panes()), Views::Plan);
        layout.toggle(Pane::Outliner);
        assert!(!layout.open_panes().contains(&Pane::Outliner));
        layout.toggle(Pane::Outliner);
        assert!(layout.open_panes().contains(&Pane::Outliner));
    }

    #[test]
    fn either_view_is_in_sight_or_both_are() {
        let mut layout = Layout::default();
        for views in [Views::Both, Views::Space, Views::Plan, Views::Space] {
            layout.show_views(views);
            assert_eq!(Views::of(&layout.open_panes()), views);
            let text = ron::to_string(&layout).expect("plain data");
            let back: Layout = ron::from_str(&text).expect("its own text");
            assert_eq!(Views::of(&back.open_panes()), views);
        }
    }

    #[test]
    fn a_layout_is_kept_as_text() {
        let mut layout = Layout::default();
        layout.toggle(Pane::Outliner);
        let text = ron::to_string(&layout).expect("plain data");
        let back: Layout = ron::from_str(&text).expect("its own text");
        assert_eq!(back.open_panes(), layout.open_panes());
    }
}
