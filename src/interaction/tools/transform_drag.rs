//! Shared by move, rotate and scale drags: the original entities and one map for all of them.

use crate::base::EntityId;
use crate::document::{Edit, Entity, KindName, Level, Selection};
use crate::interaction::{
    context::ToolContext,
    operations::{OperationInput, duplicate},
    outline,
    transform::{movable, transformed},
};
use glam::{DAffine2, DVec2};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether the drag moves the entities themselves or copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    Selection,
    Copies,
}

#[derive(Debug)]
struct DraggedEntity {
    id: EntityId,
    entity: Arc<Entity>,
    /// Index of a copy in the level's order.
    at: Option<usize>,
}

#[derive(Debug)]
pub struct Transformed {
    things: Vec<DraggedEntity>,
    follows: Follows,
    /// Entities excluded from snapping.
    pub exclude: BTreeSet<EntityId>,
}

impl Transformed {
    /// Begins the transaction. `None` if nothing movable is selected.
    pub fn begin(ctx: &mut ToolContext<'_>, label: &str, follows: Follows) -> Option<Self> {
        let level = Arc::clone(ctx.level());
        let ids = movable(&level, ctx.selection());
        if ids.is_empty() {
            return None;
        }
        let (things, exclude) = match follows {
            Follows::Selection => {
                let things = ids.iter().filter_map(|id| {
                    Some(DraggedEntity {
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

    /// Shows everything mapped from its position at the start of the drag.
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

    /// Whether all of them have bodies, which cannot stand on a wall.
    #[must_use]
    pub fn have_bodies(&self) -> bool {
        let is_body = |thing: &DraggedEntity| {
            matches!(thing.entity.kind.name(), KindName::Agent | KindName::Crowd)
        };
        self.things.iter().all(is_body)
    }

    /// The corner nearest to a point: it snaps to the grid when the selection is moved.
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

/// Copies with new ids and names, right above the originals; a group copied as a whole becomes a
/// new group.
fn copies(ctx: &mut ToolContext<'_>, originals: &BTreeSet<EntityId>) -> Vec<DraggedEntity> {
    let level = Arc::clone(ctx.level());
    let whole = whole_groups(&level, originals);
    let selection: Selection = originals.iter().copied().chain(whole).collect();
    let input = OperationInput {
        level: &level,
        selection: &selection,
        next_id: ctx.host.document().next_id(),
    };
    let edits = duplicate(&input, DVec2::ZERO).map_or_else(|_| Vec::new(), |change| change.edits);
    edits
        .into_iter()
        .filter_map(|edit| match edit {
            Edit::Create { id, entity, at } => {
                let allocated = ctx.host.allocate_id();
                debug_assert_eq!(allocated, id, "copies take the next ids in their order");
                Some(DraggedEntity { id, entity, at })
            }
            _ => None,
        })
        .collect()
}

/// Groups whose members are all among `things`.
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
