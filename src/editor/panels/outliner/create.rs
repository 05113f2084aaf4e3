//! New definitions: terrains, profiles, layers, flags and tests have no drawing tool.

use super::{Outliner, Scene};
use crate::base::Colour;
use crate::base::EntityId;
use crate::document::{
    Document, Edit, Entity, Expectation, Kind, KindName, Level, NavTest, Pattern, PlannerId,
    Profile, Query, Selection, Terrain, limits,
};
use crate::editor::panels::outliner::tree::Section;
use crate::editor::theme::panel;
use crate::editor::{Action, Actions};

impl Outliner {
    /// Creates one in a section.
    pub(super) fn create_in(&mut self, section: Section, scene: &Scene<'_>, actions: &mut Actions) {
        let kind = match section {
            Section::Terrains => KindName::Terrain,
            Section::Profiles => KindName::Profile,
            Section::Layers => KindName::Layer,
            Section::Flags => KindName::Flag,
            Section::Tests => KindName::Test,
            Section::Objects => return,
        };
        create(scene.state.document(), kind, actions);
        self.fold_section(section, true);
        self.search.clear();
    }
}

/// Creates a definition, selects it and starts renaming it.
pub fn create(document: &Document, kind: KindName, actions: &mut Actions) {
    let Some(entity) = new_definition(document.level(), kind) else {
        return;
    };
    let id = document.next_id();
    let label = format!("Add {}", kind.singular().to_lowercase());
    actions.commit(label, vec![Edit::create(id, entity)]);
    actions.select(Selection::one(id));
    actions.push(Action::Rename(id));
}

/// A definition with a unique name; `None` for kinds that are drawn.
#[must_use]
pub fn new_definition(level: &Level, kind: KindName) -> Option<Entity> {
    let count = level
        .iter()
        .filter(|(_, entity)| entity.kind.name() == kind)
        .count();
    // Every fifth one: neighbouring colours are too similar.
    let colours = panel::READY_COLOURS;
    let colour = Colour::hex(colours[(9 + 5 * count) % colours.len()]);
    let inner = match kind {
        KindName::Terrain => Kind::Terrain(Terrain::new(
            colour,
            Pattern::ALL[count % Pattern::ALL.len()],
            limits::TERRAIN_WEIGHT.default,
        )),
        KindName::Profile => Kind::Profile(Profile {
            colour,
            ..Profile::default()
        }),
        KindName::Flag => Kind::Flag(false),
        KindName::Layer => Kind::Layer,
        KindName::Test => Kind::Test(new_test(level)),
        _ => return None,
    };
    Some(Entity::new(free_name(level, kind), inner))
}

/// For the first agent, or across the level if there is none.
fn new_test(level: &Level) -> NavTest {
    let query = match level.agents().next() {
        Some((agent, ..)) => Query::Agent(agent),
        None => {
            let bounds = level.settings().bounds;
            Query::Between {
                from: bounds.min.lerp(bounds.max, 0.25).extend(0.0),
                to: bounds.min.lerp(bounds.max, 0.75).extend(0.0),
                profile: level
                    .profiles()
                    .next()
                    .map_or(EntityId::new(0), |(id, ..)| id),
                planner: PlannerId::default(),
            }
        }
    };
    NavTest {
        query,
        expectation: Expectation::default(),
    }
}

/// "Terrain 3": the first unused number.
fn free_name(level: &Level, kind: KindName) -> String {
    (1..)
        .map(|number| format!("{} {number}", kind.singular()))
        .find(|name| level.find(kind, name).is_none())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ops;

    #[test]
    fn new_definitions_are_valid_and_named_apart() {
        let mut level = Level::default();
        for (number, kind) in (1..).zip([
            KindName::Terrain,
            KindName::Terrain,
            KindName::Profile,
            KindName::Flag,
            KindName::Layer,
            KindName::Test,
        ]) {
            let entity = new_definition(&level, kind).expect("a definition");
            let edit = Edit::create(EntityId::new(number), entity);
            level = ops::apply(&level, &[edit]).expect("valid");
        }
        assert_eq!(level.label(EntityId::new(2)), "Terrain 2");
        assert!(new_definition(&level, KindName::Obstacle).is_none());
    }
}
