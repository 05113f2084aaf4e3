//! Where the panels are: a tree of tiles that people rearrange and that is kept between runs.

mod restore;
#[cfg(test)]
mod tests;

pub use super::panels::registry::Pane;

use super::panels::Panels;
use super::panels::registry::{self, Place};
use super::viewport::{PlanPainter, SpacePainter};
use super::{Actions, EditorState, theme};
use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;

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
        match (open.contains(&Pane::PLAN), open.contains(&Pane::SPACE)) {
            (true, true) => Self::Both,
            (false, true) => Self::Space,
            _ => Self::Plan,
        }
    }
}

/// The tree of tiles. Closed panes stay in it, unseen, and come back where they were.
#[derive(Clone, Debug)]
pub struct Layout {
    tree: Tree<Pane>,
    /// Not drawn yet: its shares still follow the window's size.
    fresh: bool,
}

impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.tree.serialize(serializer)
    }
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
        let plan = tabs(&[Pane::PLAN]);
        let space = tabs(&[Pane::SPACE]);
        let below = tabs(&panes_at(Place::Below(0)));
        let upper = tabs(&panes_at(Place::UpperSide));
        let lower_side = tabs(&panes_at(Place::LowerSide));
        let mut split = |dir, children, share| {
            tiles.insert_container(Container::Linear(Linear::new_binary(dir, children, share)))
        };
        let views = split(LinearDir::Horizontal, [plan, space], 0.5);
        let centre = split(LinearDir::Vertical, [views, below], 1.0 - lower);
        let right = split(LinearDir::Vertical, [upper, lower_side], 0.45);
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
            (Pane::PLAN, views != Views::Space),
            (Pane::SPACE, views != Views::Plan),
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
        self.complete();
        if self.fresh {
            // What was opened before the first frame stays open.
            let open = self.open_panes();
            *self = Self::fitting(ui.available_size());
            self.show_views(Views::of(&open));
        }
        docking.views = [Pane::PLAN, Pane::SPACE].map(|pane| self.places(pane).next());
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
        registry::rows()
            .into_iter()
            .map(|row| row.pane)
            .filter(|pane| {
                self.places(*pane)
                    .next()
                    .is_some_and(|id| self.tree.is_visible(id))
            })
            .collect()
    }
}

/// The panels of one area of a fresh layout, in the order of their tabs.
fn panes_at(place: Place) -> Vec<Pane> {
    let mut rows = registry::rows();
    rows.retain(|row| row.place.is_beside(place));
    rows.sort_by_key(|row| row.place);
    rows.into_iter().map(|row| row.pane).collect()
}

/// A view of the level, which has neither a tab nor a close button.
fn is_view(pane: Pane) -> bool {
    pane == Pane::PLAN || pane == Pane::SPACE
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
        if !is_view(*pane) {
            let rect = ui.max_rect();
            ui.painter().rect_filled(rect, 0.0, palette.surface);
            ui.shrink_clip_rect(rect);
        }
        if let Some(row) = registry::row(*pane) {
            (row.ui)(ui, self);
        }
        egui_tiles::UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        let Some(row) = registry::row(*pane) else {
            return pane.0.into();
        };
        let text = match (row.count)(self.state) {
            0 => row.title.to_owned(),
            count => format!("{} ({count})", row.title),
        };
        text.into()
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some_and(|pane| !is_view(*pane))
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
