//! The outliner's rows: a level flattened to what is expanded and matches.

use super::search::Search;
use crate::base::EntityId;
use crate::document::{ChangeSet, Entity, KindName, Level};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The sections of the list, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Placed entities and groups of them, topmost first.
    Objects,
    Terrains,
    Profiles,
    Layers,
    Flags,
    Tests,
}

impl Section {
    pub const ALL: [Self; 6] = [
        Self::Objects,
        Self::Terrains,
        Self::Profiles,
        Self::Layers,
        Self::Flags,
        Self::Tests,
    ];

    #[must_use]
    pub const fn of(kind: KindName) -> Self {
        match kind {
            KindName::Terrain => Self::Terrains,
            KindName::Profile => Self::Profiles,
            KindName::Layer => Self::Layers,
            KindName::Flag => Self::Flags,
            KindName::Test => Self::Tests,
            _ => Self::Objects,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Objects => "Objects",
            Self::Terrains => "Terrains",
            Self::Profiles => "Profiles",
            Self::Layers => "Layers",
            Self::Flags => "Flags",
            Self::Tests => "Tests",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Section {
        section: Section,
        /// Matching members at any depth.
        count: usize,
        open: bool,
    },
    Entity {
        id: EntityId,
        depth: usize,
        /// For groups: whether their members are listed.
        open: Option<bool>,
    },
}

impl Row {
    #[must_use]
    pub const fn id(&self) -> Option<EntityId> {
        match self {
            Self::Entity { id, .. } => Some(*id),
            Self::Section { .. } => None,
        }
    }
}

/// What is collapsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folding {
    pub sections: BTreeSet<Section>,
    pub groups: BTreeSet<EntityId>,
}

/// Maximum nesting of groups; deeper ones are listed flat.
const MAX_DEPTH: usize = 64;

/// Every row of the scrollable list.
#[must_use]
pub fn rows(level: &Level, search: &Search, folding: &Folding) -> Vec<Row> {
    let tree = Tree::of(level);
    let matching = (!search.is_empty()).then(|| tree.matching(level, search));
    let mut rows = Vec::with_capacity(level.len() + Section::ALL.len());
    for section in Section::ALL {
        let roots = tree.roots.get(&section).map_or(&[][..], Vec::as_slice);
        let count = tree.counts.get(&section).copied().unwrap_or(0);
        let count = matching.as_ref().map_or(count, |ids| {
            let mut listed = BTreeSet::new();
            tree.collect(roots, &mut listed, 0);
            listed.intersection(ids).count()
        });
        // Empty sections are listed too: they are where the first entity is created.
        if count == 0 && matching.is_some() {
            continue;
        }
        // During a search, all results are shown.
        let open = matching.is_some() || !folding.sections.contains(&section);
        rows.push(Row::Section {
            section,
            count,
            open,
        });
        if open {
            tree.push_rows(roots, 0, folding, matching.as_ref(), &mut rows);
        }
    }
    rows
}

struct Tree {
    groups: BTreeSet<EntityId>,
    roots: BTreeMap<Section, Vec<EntityId>>,
    members: BTreeMap<EntityId, Vec<EntityId>>,
    counts: BTreeMap<Section, usize>,
}

impl Tree {
    fn of(level: &Level) -> Self {
        let mut tree = Self {
            groups: level
                .iter()
                .filter(|(_, entity)| entity.kind.name() == KindName::Group)
                .map(|(id, _)| id)
                .collect(),
            roots: BTreeMap::new(),
            members: BTreeMap::new(),
            counts: BTreeMap::new(),
        };
        // Topmost first, as in every program with layers.
        for (id, entity) in level.drawn().rev() {
            let section = Section::of(entity.kind.name());
            *tree.counts.entry(section).or_default() += 1;
            let group = entity
                .group
                .filter(|group| section == Section::Objects && tree.groups.contains(group))
                .filter(|group| !leads_to(level, *group, id));
            match group {
                Some(group) => tree.members.entry(group).or_default().push(id),
                None => tree.roots.entry(section).or_default().push(id),
            }
        }
        // Definitions do not overlap; they are listed in creation order.
        for (section, roots) in &mut tree.roots {
            if *section != Section::Objects {
                roots.reverse();
            }
        }
        tree
    }

    /// What matches, and the groups leading to it.
    fn matching(&self, level: &Level, search: &Search) -> BTreeSet<EntityId> {
        let mut found = BTreeSet::new();
        for (id, entity) in level.drawn() {
            if !search.matches(id, entity) {
                continue;
            }
            let mut next = Some(id);
            while let Some(id) = next
                && found.insert(id)
            {
                next = level.get(id).and_then(|entity| entity.group);
            }
        }
        found
    }

    fn collect(&self, ids: &[EntityId], into: &mut BTreeSet<EntityId>, depth: usize) {
        for id in ids {
            into.insert(*id);
            if depth < MAX_DEPTH
                && let Some(members) = self.members.get(id)
            {
                self.collect(members, into, depth + 1);
            }
        }
    }

    fn push_rows(
        &self,
        ids: &[EntityId],
        depth: usize,
        folding: &Folding,
        matching: Option<&BTreeSet<EntityId>>,
        rows: &mut Vec<Row>,
    ) {
        for id in ids {
            if matching.is_some_and(|found| !found.contains(id)) {
                continue;
            }
            let members = self.members.get(id).filter(|_| depth < MAX_DEPTH);
            let open = self
                .groups
                .contains(id)
                .then(|| matching.is_some() || !folding.groups.contains(id));
            rows.push(Row::Entity {
                id: *id,
                depth,
                open,
            });
            if let (Some(true), Some(members)) = (open, members) {
                self.push_rows(members, depth + 1, folding, matching, rows);
            }
        }
    }
}

/// Whether the chain of groups above `from` contains `target`: such a group has no place in a tree
/// and is listed at its root.
fn leads_to(level: &Level, from: EntityId, target: EntityId) -> bool {
    let mut next = Some(from);
    for _ in 0..=MAX_DEPTH {
        match next {
            Some(id) if id == target => return true,
            Some(id) => next = level.get(id).and_then(|entity| entity.group),
            None => return false,
        }
    }
    // Endless: part of a cycle further up.
    true
}

/// Rows of the last frame, kept while nothing they depend on has changed.
#[derive(Debug, Default)]
pub struct Rows {
    built: Option<Built>,
}

#[derive(Debug)]
struct Built {
    level: Arc<Level>,
    search: Search,
    folding: Folding,
    rows: Arc<[Row]>,
}

impl Rows {
    /// Dragging an object makes a new level every frame, but rarely another tree: only a change of
    /// names, kinds, groups, tags or the order rebuilds the rows.
    pub fn update(&mut self, level: &Arc<Level>, search: &Search, folding: &Folding) -> Arc<[Row]> {
        if let Some(built) = &mut self.built
            && built.search == *search
            && built.folding == *folding
            && (Arc::ptr_eq(&built.level, level) || lists_alike(&built.level, level))
        {
            built.level = Arc::clone(level);
            return Arc::clone(&built.rows);
        }
        let rows: Arc<[Row]> = rows(level, search, folding).into();
        self.built = Some(Built {
            level: Arc::clone(level),
            search: search.clone(),
            folding: folding.clone(),
            rows: Arc::clone(&rows),
        });
        rows
    }
}

fn lists_alike(old: &Level, new: &Level) -> bool {
    let change = ChangeSet::between(old, new);
    let alike = |a: &Entity, b: &Entity| {
        a.name == b.name && a.group == b.group && a.tags == b.tags && a.kind.name() == b.kind.name()
    };
    change.created.is_empty()
        && change.deleted.is_empty()
        && !change.reordered
        && change
            .replaced
            .iter()
            .all(|id| match (old.get(*id), new.get(*id)) {
                (Some(a), Some(b)) => alike(a, b),
                _ => false,
            })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Kind, Note, ops};
    use glam::DVec2;

    fn note(name: &str, group: Option<u64>) -> Entity {
        let mut entity = Entity::new(
            name,
            Kind::Note(Note {
                at: DVec2::ZERO,
                text: String::new(),
            }),
        );
        entity.group = group.map(EntityId::new);
        entity
    }

    fn group(name: &str, within: Option<u64>) -> Entity {
        let mut entity = Entity::new(name, Kind::Group);
        entity.group = within.map(EntityId::new);
        entity
    }

    fn level(entities: Vec<Entity>) -> Level {
        let edits: Vec<Edit> = entities
            .into_iter()
            .zip(1..)
            .map(|(entity, number)| Edit::create(EntityId::new(number), entity))
            .collect();
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn listed(rows: &[Row]) -> Vec<(u64, usize)> {
        rows.iter()
            .filter_map(|row| match row {
                Row::Entity { id, depth, .. } => Some((id.number(), *depth)),
                Row::Section { .. } => None,
            })
            .collect()
    }

    #[test]
    fn the_topmost_object_comes_first_and_members_stand_under_their_group() {
        let level = level(vec![
            note("a", Some(3)),
            note("b", None),
            group("g", None),
            note("c", Some(3)),
            Entity::new("Mud", Kind::Flag(true)),
        ]);
        let rows = rows(&level, &Search::default(), &Folding::default());
        assert_eq!(listed(&rows), [(3, 0), (4, 1), (1, 1), (2, 0), (5, 0)]);
        assert_eq!(
            rows[0],
            Row::Section {
                section: Section::Objects,
                count: 4,
                open: true
            }
        );
    }

    #[test]
    fn what_is_folded_is_not_listed_but_still_found() {
        let level = level(vec![note("door", Some(2)), group("house", None)]);
        let mut folding = Folding::default();
        folding.groups.insert(EntityId::new(2));
        let closed = rows(&level, &Search::default(), &folding);
        assert_eq!(listed(&closed), [(2, 0)]);
        let found = rows(&level, &Search::new("door"), &folding);
        assert_eq!(listed(&found), [(2, 0), (1, 1)]);
        assert!(rows(&level, &Search::new("window"), &folding).is_empty());
    }

    #[test]
    fn groups_that_contain_each_other_are_listed_once_each() {
        let level = level(vec![
            group("a", Some(2)),
            group("b", Some(1)),
            note("c", Some(1)),
            note("d", Some(99)),
        ]);
        let mut ids: Vec<u64> = listed(&rows(&level, &Search::default(), &Folding::default()))
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        ids.sort_unstable();
        assert_eq!(ids, [1, 2, 3, 4]);
    }

    #[test]
    fn rows_survive_changes_that_do_not_show_in_them() {
        let before = Arc::new(level(vec![note("a", None), note("b", None)]));
        let mut cache = Rows::default();
        let (search, folding) = (Search::default(), Folding::default());
        let rows = cache.update(&before, &search, &folding);
        let id = EntityId::new(1);
        let mut hidden = note("a", None);
        hidden.visible = false;
        let after = ops::apply(&before, &[Edit::replace(id, hidden)]).expect("valid");
        let kept = cache.update(&Arc::new(after), &search, &folding);
        assert!(Arc::ptr_eq(&rows, &kept));
        let after = ops::apply(&before, &[Edit::Reorder { id, to: 1 }]).expect("valid");
        let rebuilt = cache.update(&Arc::new(after), &search, &folding);
        assert_eq!(listed(&rebuilt), [(1, 0), (2, 0)]);
    }
}
