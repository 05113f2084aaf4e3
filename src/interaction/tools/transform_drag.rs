//! What the drags that move, turn and stretch have in common: the things as they were, and one
//! map of all of them.

use crate::base::EntityId;
use crate::document::{Edit, Entity, KindName, Level, Selection};
use crate::interaction::{
    context::ToolContext,
    operations::{Subject, duplicate},
    outline,
    transform::{movable, transformed},
};
use glam::{DAffine2, DVec2};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether the things themselves follow the drag, or copies of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    Selection,
    Copies,
}

#[derive(Debug)]
struct Thing {
    id: EntityId,
    entity: Arc<Entity>,
    /// Where in the level's order a copy goes.
    at: Option<usize>,
}

#[derive(Debug)]
pub struct Transformed {
    things: Vec<Thing>,
    follows: Follows,
    /// What not to snap to.
    pub exclude: BTreeSet<EntityId>,
}

impl Transformed {
    /// Begins the transaction. `None` when nothing that can be moved is selected.
    pub fn begin(ctx: &mut ToolContext<'_>, label: &str, follows: Follows) -> Option<Self> {
        let level = Arc::clone(ctx.level());
        let ids = movable(&level, ctx.selection());
        if ids.is_empty() {
            return None;
        }
        let (things, exclude) = match follows {
            Follows::Selection => {
                let things = ids.iter().filter_map(|id| {
                    Some(Thing {
                        id: *id,
                        entity: Arc::clone(level.get(*id)?),
                        at: None,
                    })
                });
                (things.collect(), ids)
            }
            Follows::Copies => (copies(ctx, &ids), BTreeSet::new()),
        };
        ctx.host.begin(label);
        Some(Self {
            things,
            follows,
            exclude,
        })
    }

    /// Shows everything mapped from where it was when the drag began.
    pub fn show(&self, ctx: &mut ToolContext<'_>, map: &DAffine2) -> bool {
        let edits = self
            .things
            .iter()
            .map(|thing| {
                let (id, entity) = (thing.id, Arc::new(transformed(&thing.entity, map)));
                match self.follows {
                    Follows::Selection => Edit::Replace { id, entity },
                    Follows::Copies => Edit::Create {
                        id,
                        entity,
                        at: thing.at,
                    },
                }
            })
            .collect();
        let shown = ctx.preview(edits);
        if shown && self.follows == Follows::Copies {
            ctx.host.select(self.ids());
        }
        shown
    }

    fn ids(&self) -> Selection {
        self.things
            .iter()
            .filter(|thing| thing.entity.kind.name().is_placed())
            .map(|thing| thing.id)
            .collect()
    }

    /// All of them have a body, and none can stand where a wall is.
    #[must_use]
    pub fn have_bodies(&self) -> bool {
        let is_body =
            |thing: &Thing| matches!(thing.entity.kind.name(), KindName::Agent | KindName::Crowd);
        self.things.iter().all(is_body)
    }

    /// The corner nearest to a place: what lands on the grid when the things are moved.
    #[must_use]
    pub fn nearest_corner(&self, at: DVec2) -> DVec2 {
        let mut nearest = at;
        let mut best = f64::INFINITY;
        for thing in &self.things {
            outline::visit_points(thing.id, &thing.entity, |p| {
                let distance = p.distance_squared(at);
                if distance < best {
                    (nearest, best) = (p, distance);
                }
            });
        }
        nearest
    }
}

/// Copies under fresh ids and names, right above the originals; a group that is copied whole
/// becomes a new group.
fn copies(ctx: &mut ToolContext<'_>, originals: &BTreeSet<EntityId>) -> Vec<Thing> {
    let level = Arc::clone(ctx.level());
    let whole = whole_groups(&level, originals);
    let selection: Selection = originals.iter().copied().chain(whole).collect();
    let subject = Subject {
        level: &level,
        selection: &selection,
        next_id: ctx.host.document().next_id(),
    };
    let edits = duplicate(&subject, DVec2::ZERO).map_or_else(|_| Vec::new(), |change| change.edits);
    edits
        .into_iter()
        .filter_map(|edit| match edit {
            Edit::Create { id, entity, at } => {
                let allocated = ctx.host.allocate_id();
                debug_assert_eq!(allocated, id, "copies take the next ids in their order");
                Some(Thing { id, entity, at })
            }
            _ => None,
        })
        .collect()
}

/// Groups all of whose members are among the things.
fn whole_groups(level: &Level, things: &BTreeSet<EntityId>) -> Vec<EntityId> {
    let group_of = |id: &EntityId| level.get(*id)?.group;
    let is_inside = |member: &EntityId, inside: &BTreeSet<EntityId>| {
        inside.contains(member) || level.kind_of(*member) == Some(KindName::Group)
    };
    let mut inside = things.clone();
    let mut groups = Vec::new();
    let mut open: BTreeSet<EntityId> = things.iter().filter_map(group_of).collect();
    while let Some(group) = open.pop_last() {
        if inside.contains(&group) || !level.contains(group) {
            continue;
        }
        if level.members(group).iter().all(|m| is_inside(m, &inside)) {
            inside.insert(group);
            groups.push(group);
            open.extend(group_of(&group));
        }
    }
    groups
}
