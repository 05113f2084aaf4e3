//! What the drags that move, turn and stretch have in common: the things as they were, and one
//! map of all of them.

use crate::base::EntityId;
use crate::document::{Edit, Entity, KindName, Level, Selection};
use crate::interaction::{
    context::ToolContext,
    naming::{Namer, stem_of},
    outline,
    transform::{movable, transformed},
};
use glam::{DAffine2, DVec2};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Whether the things themselves follow the drag, or copies of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Selection,
    Copies,
}

#[derive(Debug)]
pub struct Transformed {
    things: Vec<(EntityId, Arc<Entity>)>,
    subject: Subject,
    /// What not to snap to.
    pub exclude: BTreeSet<EntityId>,
}

impl Transformed {
    /// Begins the transaction. `None` when nothing that can be moved is selected.
    pub fn begin(ctx: &mut ToolContext<'_>, label: &str, subject: Subject) -> Option<Self> {
        let level = Arc::clone(ctx.level());
        let ids = movable(&level, ctx.selection());
        // From the bottom to the top, so that copies keep their order.
        let originals: Vec<(EntityId, Arc<Entity>)> = level
            .iter()
            .filter(|(id, _)| ids.contains(id))
            .map(|(id, entity)| (id, Arc::clone(entity)))
            .collect();
        if originals.is_empty() {
            return None;
        }
        ctx.host.begin(label);
        let (things, exclude) = match subject {
            Subject::Selection => (originals, ids),
            Subject::Copies => (copies(ctx, &originals), BTreeSet::new()),
        };
        Some(Self {
            things,
            subject,
            exclude,
        })
    }

    /// Shows everything mapped from where it was when the drag began.
    pub fn show(&self, ctx: &mut ToolContext<'_>, map: &DAffine2) -> bool {
        let edits = self
            .things
            .iter()
            .map(|(id, entity)| {
                let entity = transformed(entity, map);
                match self.subject {
                    Subject::Selection => Edit::replace(*id, entity),
                    Subject::Copies => Edit::create(*id, entity),
                }
            })
            .collect();
        let shown = ctx.preview(edits);
        if shown && self.subject == Subject::Copies {
            ctx.host.select(self.ids());
        }
        shown
    }

    fn ids(&self) -> Selection {
        self.things
            .iter()
            .filter(|(_, entity)| entity.kind.name().is_placed())
            .map(|(id, _)| *id)
            .collect()
    }

    /// The corner nearest to a place: what lands on the grid when the things are moved.
    #[must_use]
    pub fn nearest_corner(&self, at: DVec2) -> DVec2 {
        let mut nearest = at;
        let mut best = f64::INFINITY;
        for (id, entity) in &self.things {
            outline::visit_points(*id, entity, |p| {
                let distance = p.distance_squared(at);
                if distance < best {
                    (nearest, best) = (p, distance);
                }
            });
        }
        nearest
    }
}

/// Copies under fresh ids and names; references among them lead to the copies. A group that is
/// copied whole becomes a new group.
fn copies(
    ctx: &mut ToolContext<'_>,
    originals: &[(EntityId, Arc<Entity>)],
) -> Vec<(EntityId, Arc<Entity>)> {
    let level = Arc::clone(ctx.level());
    let mut originals = originals.to_vec();
    originals.extend(whole_groups(&level, &originals));
    let new_ids: BTreeMap<EntityId, EntityId> = originals
        .iter()
        .map(|(id, _)| (*id, ctx.host.allocate_id()))
        .collect();
    let mut namer = Namer::default();
    originals
        .iter()
        .map(|(id, entity)| {
            let mut copy = (**entity).clone();
            copy.visit_references(|_, reference| {
                if let Some(new) = new_ids.get(reference) {
                    *reference = *new;
                }
            });
            if !copy.name.is_empty() {
                copy.name = namer.fresh(ctx.level(), stem_of(&copy.name));
            }
            (new_ids[id], Arc::new(copy))
        })
        .collect()
}

/// Groups all of whose members are among the things, from the innermost to the outermost.
fn whole_groups(level: &Level, things: &[(EntityId, Arc<Entity>)]) -> Vec<(EntityId, Arc<Entity>)> {
    let mut inside: BTreeSet<EntityId> = things.iter().map(|(id, _)| *id).collect();
    let mut groups = Vec::new();
    let mut open: Vec<EntityId> = things.iter().filter_map(|(_, e)| e.group).collect();
    while let Some(group) = open.pop() {
        let Some(entity) = level.get(group).filter(|_| !inside.contains(&group)) else {
            continue;
        };
        let whole = level.members(group).iter().all(|member| {
            inside.contains(member) || level.kind_of(*member) == Some(KindName::Group)
        });
        if whole {
            inside.insert(group);
            groups.push((group, Arc::clone(entity)));
            open.extend(entity.group);
        }
    }
    groups
}
