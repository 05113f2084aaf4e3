//! Copy, cut and paste as text, so that the system clipboard works between editors.
//!
//! Definitions that the copied objects refer to are included: terrains, profiles, flags and layers.
//! On paste each is matched with one of equal name and contents, and created only if there is none.

use super::host::Refused;
use super::naming::{Namer, stem_of};
use super::operations::{Change, OperationInput, delete, references::Fate, references::followed};
use super::transform::transformed;
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{Edit, Entity, KindName, Level, Selection, format};
use crate::geometry::Rect;
use glam::{DAffine2, DVec2};
use std::collections::{BTreeMap, BTreeSet};

/// Where pasted objects go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Destination {
    /// At their original position.
    InPlace,
    /// Centred on a point.
    At(DVec2),
    /// Offset from their original position.
    Beside(DVec2),
}

/// Remembers what was copied last: pasted into the same level, it keeps references to objects that
/// were not copied, such as an agent's route.
#[derive(Clone, Debug, Default)]
pub struct Clipboard {
    own: Option<String>,
}

impl Clipboard {
    /// Call when another level is opened.
    pub fn forget(&mut self) {
        self.own = None;
    }

    /// The text for the system clipboard.
    ///
    /// # Errors
    /// Nothing is selected.
    pub fn copy(&mut self, on: &OperationInput<'_>) -> Result<String, Refused> {
        let text = clip(on)?;
        self.own = Some(text.clone());
        Ok(text)
    }

    /// The text for the system clipboard, and the change that removes the objects.
    ///
    /// # Errors
    /// Nothing is selected, or it cannot be deleted.
    pub fn cut(&mut self, on: &OperationInput<'_>) -> Result<(String, Change), Refused> {
        let text = clip(on)?;
        let change = delete(on)?;
        self.own = Some(text.clone());
        let label = change.label.replacen("Delete", "Cut", 1);
        Ok((text, Change { label, ..change }))
    }

    /// The change that inserts the contents of the system clipboard.
    ///
    /// # Errors
    /// A sentence: the text is not a clip, damaged, too new, or violates a limit.
    pub fn paste(
        &self,
        on: &OperationInput<'_>,
        text: &str,
        to: Destination,
    ) -> Result<Change, Refused> {
        let origin = if self.own.as_deref() == Some(text) {
            Origin::Here
        } else {
            Origin::Elsewhere
        };
        pasted(on, text, to, origin)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Here,
    Elsewhere,
}

/// The selection, the contents of selected groups, and the definitions they refer to.
fn clip(on: &OperationInput<'_>) -> Result<String, Refused> {
    let mut ids: BTreeSet<EntityId> = on.expanded().into_iter().collect();
    if ids.is_empty() {
        return Err(on.nothing_to_do("to copy"));
    }
    let mut open: Vec<EntityId> = ids.iter().copied().collect();
    while let Some(id) = open.pop() {
        let references = on.level.get(id).map(|e| e.references()).unwrap_or_default();
        for (_, to) in references {
            if on.level.kind_of(to).is_some_and(is_definition) && ids.insert(to) {
                open.push(to);
            }
        }
    }
    let entities = on
        .in_order(&ids)
        .into_iter()
        .filter_map(|id| Some((id, &**on.level.get(id)?)));
    Ok(format::write_clip(entities))
}

/// Copied along when referred to, and matched on paste.
const fn is_definition(kind: KindName) -> bool {
    matches!(
        kind,
        KindName::Terrain | KindName::Profile | KindName::Flag | KindName::Layer
    )
}

fn pasted(
    on: &OperationInput<'_>,
    text: &str,
    to: Destination,
    origin: Origin,
) -> Result<Change, Refused> {
    let entities = format::read_clip(text).map_err(|error| Refused(error.to_string()))?;
    if entities.is_empty() {
        return Err(Refused("the clipboard holds nothing to paste".to_owned()));
    }
    let covered = entities
        .iter()
        .filter_map(|(_, entity)| entity.bounds())
        .fold(Rect::EMPTY, |all, bounds| all.union(&bounds));
    let map = DAffine2::from_translation(match to {
        Destination::At(at) if !covered.is_empty() => at - covered.centre(),
        Destination::Beside(offset) => offset,
        Destination::InPlace | Destination::At(_) => DVec2::ZERO,
    });
    let mut arrival = Arrival {
        level: on.level,
        here: BTreeMap::new(),
        ids: on.ids(),
        namer: Namer::default(),
        edits: Vec::new(),
        origin,
    };
    arrival.settle_definitions(&entities);
    let selection = arrival.settle_objects(&entities, &map);
    if arrival.edits.is_empty() {
        return Err(Refused(
            "the level already has everything on the clipboard".to_owned(),
        ));
    }
    Ok(Change::new("Paste", arrival.edits, selection))
}

struct Arrival<'a, I> {
    level: &'a Level,
    /// Maps ids of the clip to ids of this level.
    here: BTreeMap<EntityId, EntityId>,
    ids: I,
    namer: Namer,
    edits: Vec<Edit>,
    origin: Origin,
}

impl<I: Iterator<Item = EntityId>> Arrival<'_, I> {
    /// Terrains before profiles, which refer to them.
    fn settle_definitions(&mut self, entities: &[(EntityId, Entity)]) {
        for kind in [
            KindName::Terrain,
            KindName::Profile,
            KindName::Flag,
            KindName::Layer,
        ] {
            for (id, entity) in entities.iter().filter(|(_, e)| e.kind.name() == kind) {
                let Some(arriving) = self.followed(entity) else {
                    continue;
                };
                if let Some(same) = self.same_definition(&arriving) {
                    self.here.insert(*id, same);
                    continue;
                }
                let mut new = arriving;
                if self.level.find(kind, &new.name).is_some() {
                    new.name = self.namer.fresh(self.level, stem_of(&new.name));
                }
                self.create(*id, new);
            }
        }
    }

    /// An equal definition of equal name; for layers the name is enough. If another definition has
    /// the name, also finds the numbered one that an earlier paste created.
    fn same_definition(&self, arriving: &Entity) -> Option<EntityId> {
        let kind = arriving.kind.name();
        let same = |entity: &Entity| entity.kind == arriving.kind;
        let named = |entity: &Entity| entity.name == arriving.name;
        let exact = self.level.iter().find(|(_, e)| named(e) && same(e));
        if let Some((id, _)) = exact {
            return Some(id);
        }
        self.level.find(kind, &arriving.name)?;
        let stem = stem_of(&arriving.name);
        self.level
            .iter()
            .filter(|_| kind != KindName::Flag)
            .find(|(_, e)| same(e) && stem_of(&e.name) == stem)
            .map(|(id, _)| id)
    }

    fn settle_objects(&mut self, entities: &[(EntityId, Entity)], map: &DAffine2) -> Selection {
        let things: Vec<&(EntityId, Entity)> = entities
            .iter()
            .filter(|(_, entity)| !is_definition(entity.kind.name()))
            .collect();
        // Allocate all ids first: objects refer to each other in any order.
        let fresh: Vec<EntityId> = things.iter().filter_map(|_| self.ids.next()).collect();
        self.here
            .extend(things.iter().map(|(id, _)| *id).zip(fresh));
        // An object that cannot exist without a missing one may take others with it.
        let mut lost = BTreeSet::new();
        loop {
            let before = lost.len();
            for (id, entity) in &things {
                if !lost.contains(id) && self.followed(entity).is_none() {
                    self.here.remove(id);
                    lost.insert(*id);
                }
            }
            if lost.len() == before {
                break;
            }
        }
        let mut selection = Selection::default();
        for (id, entity) in things {
            let (Some(new), Some(mut arriving)) =
                (self.here.get(id).copied(), self.followed(entity))
            else {
                continue;
            };
            arriving = transformed(&arriving, map);
            arriving.visible = true;
            arriving.locked = false;
            if self
                .level
                .find(arriving.kind.name(), &arriving.name)
                .is_some()
            {
                arriving.name = self.namer.fresh(self.level, stem_of(&arriving.name));
            }
            if arriving.group.is_none() {
                selection.insert(new);
            }
            self.edits.push(Edit::create(new, arriving));
        }
        selection
    }

    fn create(&mut self, id: EntityId, entity: Entity) {
        if let Some(new) = self.ids.next() {
            self.here.insert(id, new);
            self.edits.push(Edit::create(new, entity));
        }
    }

    /// The entity with references mapped to this level; `None` if a required one is missing.
    fn followed(&self, entity: &Entity) -> Option<Entity> {
        followed(entity, |role, id| match self.here.get(&id) {
            Some(here) => Fate::Leads(*here),
            None if self.is_still_there(role, id) => Fate::Stays,
            None => Fate::Ends,
        })
    }

    fn is_still_there(&self, role: Role, id: EntityId) -> bool {
        self.origin == Origin::Here
            && self
                .level
                .kind_of(id)
                .is_some_and(|kind| role.accepts(kind))
    }
}
