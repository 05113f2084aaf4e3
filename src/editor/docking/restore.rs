//! Layouts from files, whatever version of the program wrote them: panels that are not known are
//! left out, panels that the file does not have come to where they are at first.

use super::{Layout, is_view};
use crate::editor::panels::registry::{self, Pane};
use egui_tiles::{Container, Tile, TileId, Tiles, Tree};
use serde::de::{DeserializeSeed, EnumAccess, Error, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;
use std::fmt;

/// The name of a panel in a file, which may be one that is not known here.
#[derive(Clone, Debug)]
struct StoredPane(String);

impl<'de> Deserialize<'de> for StoredPane {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Pane", &[], PaneVisitor)
    }
}

struct PaneVisitor;

impl<'de> Visitor<'de> for PaneVisitor {
    type Value = StoredPane;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a panel")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<StoredPane, A::Error> {
        let (name, variant) = data.variant_seed(Self)?;
        variant.unit_variant()?;
        Ok(name)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<StoredPane, E> {
        Ok(StoredPane(name.to_owned()))
    }
}

impl<'de> DeserializeSeed<'de> for PaneVisitor {
    type Value = StoredPane;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<StoredPane, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Tree::<StoredPane>::deserialize(deserializer)?;
        Ok(Self::restored(stored).unwrap_or_default())
    }
}

impl Layout {
    /// What is known of a stored tree, each panel once; `None` where it has no root.
    fn restored(stored: Tree<StoredPane>) -> Option<Self> {
        let mut tiles = Tiles::default();
        let mut found = BTreeSet::new();
        // By number: which of two is kept must not depend on the order of a hash map.
        let mut ids: Vec<TileId> = stored.tiles.tile_ids().collect();
        ids.sort_unstable_by_key(|id| id.0);
        let known = |name: &StoredPane| registry::named(&name.0);
        let kept: BTreeSet<u64> = ids
            .iter()
            .filter(|id| match stored.tiles.get(**id) {
                Some(Tile::Pane(name)) => known(name).is_some_and(|pane| found.insert(pane)),
                other => other.is_some(),
            })
            .map(|id| id.0)
            .collect();
        for id in ids.into_iter().filter(|id| kept.contains(&id.0)) {
            let tile = match stored.tiles.get(id)? {
                Tile::Pane(name) => Tile::Pane(known(name)?),
                Tile::Container(container) => {
                    let mut container = container.clone();
                    container.retain(|child| kept.contains(&child.0));
                    if let Container::Tabs(tabs) = &mut container {
                        tabs.active = tabs.active.filter(|active| kept.contains(&active.0));
                    }
                    Tile::Container(container)
                }
            };
            tiles.insert(id, tile);
            tiles.set_visible(id, stored.tiles.is_visible(id));
        }
        tiles.recompute_next_tile_id();
        let root = stored.root.filter(|root| kept.contains(&root.0))?;
        let mut layout = Self {
            tree: Tree::new(stored.id(), root, tiles),
            fresh: false,
        };
        layout.complete();
        Some(layout)
    }

    /// Adds the panels that are missing, beside those of the same area.
    pub(super) fn complete(&mut self) {
        let missing = |layout: &Self, pane: Pane| layout.places(pane).next().is_none();
        let rows = registry::rows();
        // Without a view the level could not be seen: reset the layout.
        if rows
            .iter()
            .any(|row| is_view(row.pane) && missing(self, row.pane))
        {
            *self = Self::default();
            return;
        }
        for row in &rows {
            if !missing(self, row.pane) {
                continue;
            }
            let siblings: Vec<TileId> = rows
                .iter()
                .filter(|other| other.place.is_beside(row.place))
                .flat_map(|other| self.places(other.pane).collect::<Vec<_>>())
                .collect();
            let is_tabs = |id: &TileId| {
                let container = self.tree.tiles.get_container(*id);
                matches!(container, Some(Container::Tabs(_)))
            };
            let home = siblings
                .iter()
                .filter_map(|id| self.tree.tiles.parent_of(*id))
                .find(is_tabs);
            let Some(home) = home else {
                *self = Self::default();
                return;
            };
            // An area that is closed stays closed.
            let is_open = siblings.iter().any(|id| self.tree.is_visible(*id));
            let id = self.tree.tiles.insert_pane(row.pane);
            if let Some(Tile::Container(container)) = self.tree.tiles.get_mut(home) {
                container.add_child(id);
            }
            self.tree.set_visible(id, is_open);
        }
    }
}
