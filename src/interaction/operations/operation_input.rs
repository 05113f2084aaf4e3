//! The input of an operation.

use crate::base::EntityId;
use crate::document::{Document, Entity, Kind, Level, Selection, route_line};
use crate::geometry::Rect;
use crate::interaction::host::Refused;
use crate::interaction::transform;
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, Copy, Debug)]
pub struct OperationInput<'a> {
    pub level: &'a Level,
    pub selection: &'a Selection,
    /// New objects get this id and the following ones.
    pub next_id: EntityId,
}

/// A direction in plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Horizontal.
    Across,
    /// Vertical.
    Down,
}

impl Axis {
    /// Index of the affected coordinate.
    pub(in crate::interaction) const fn index(self) -> usize {
        match self {
            Self::Across => 0,
            Self::Down => 1,
        }
    }
}

/// Allocates ids that the document has not used yet.
pub(in crate::interaction) struct Ids(EntityId);

impl Iterator for Ids {
    type Item = EntityId;

    fn next(&mut self) -> Option<EntityId> {
        let id = self.0;
        self.0 = id.next();
        Some(id)
    }
}

impl<'a> OperationInput<'a> {
    #[must_use]
    pub fn of(document: &'a Document) -> Self {
        Self {
            level: document.level(),
            selection: document.selection(),
            next_id: document.next_id(),
        }
    }

    pub(in crate::interaction) const fn ids(&self) -> Ids {
        Ids(self.next_id)
    }

    pub(in crate::interaction) fn get(&self, id: EntityId) -> Option<&'a Arc<Entity>> {
        self.level.get(id)
    }

    /// The selection including members of selected groups, from bottom to top.
    pub(in crate::interaction) fn expanded(&self) -> Vec<EntityId> {
        let ids: BTreeSet<EntityId> = self
            .selection
            .iter()
            .flat_map(|id| {
                let members = match self.get(id).map(|entity| &entity.kind) {
                    Some(Kind::Group) => self.level.members(id),
                    Some(Kind::Wall(_)) => self.level.doors_of(id).collect(),
                    _ => Vec::new(),
                };
                members.into_iter().chain([id])
            })
            .collect();
        self.in_order(&ids)
    }

    /// Those of the ids that exist in the level, from bottom to top.
    pub(in crate::interaction) fn in_order(&self, ids: &BTreeSet<EntityId>) -> Vec<EntityId> {
        self.level
            .order()
            .iter()
            .filter(|id| ids.contains(id))
            .copied()
            .collect()
    }

    /// Placed, unlocked objects, from bottom to top.
    pub(in crate::interaction) fn movable(&self) -> Result<Vec<EntityId>, Refused> {
        let movable = self.in_order(&transform::movable(self.level, self.selection));
        if movable.is_empty() {
            Err(self.nothing_to_do("in the plan"))
        } else {
            Ok(movable)
        }
    }

    /// Why there is nothing to work on.
    pub(in crate::interaction) fn nothing_to_do(&self, wanted: &str) -> Refused {
        let locked = self.expanded().iter().any(|id| self.level.is_locked(*id));
        Refused(if self.selection.is_empty() {
            "nothing is selected".to_owned()
        } else if locked {
            "what is selected is locked; unlock it first".to_owned()
        } else {
            format!("select something {wanted}")
        })
    }

    /// Selected objects that move as one: groups with all their members, others individually.
    pub(in crate::interaction) fn units(&self) -> Vec<Unit> {
        let movable = transform::movable(self.level, self.selection);
        let mut units: Vec<Unit> = Vec::new();
        for id in self.in_order(&movable) {
            let leader = self.outermost_selected_group(id).unwrap_or(id);
            let bounds = self.get(id).map_or(Rect::EMPTY, |entity| extent(entity));
            if let Some(unit) = units.iter_mut().find(|unit| unit.leader == leader) {
                unit.bounds = unit.bounds.union(&bounds);
                unit.members.push(id);
            } else {
                units.push(Unit {
                    leader,
                    members: vec![id],
                    bounds,
                });
            }
        }
        units.retain(|unit| !unit.bounds.is_empty());
        units
    }

    fn outermost_selected_group(&self, id: EntityId) -> Option<EntityId> {
        let mut found = None;
        let mut next = self.get(id).and_then(|entity| entity.group);
        // Maximum nesting depth of groups; see `Level::members`.
        for _ in 0..64 {
            let Some(group) = next else { break };
            if self.selection.contains(group) {
                found = Some(group);
            }
            next = self.get(group).and_then(|entity| entity.group);
        }
        found
    }

    /// Bounds of the selection in plan.
    pub(in crate::interaction) fn bounds(&self) -> Rect {
        self.units()
            .iter()
            .fold(Rect::EMPTY, |all, unit| all.union(&unit.bounds))
    }
}

#[derive(Clone, Debug)]
pub(in crate::interaction) struct Unit {
    leader: EntityId,
    pub members: Vec<EntityId>,
    pub bounds: Rect,
}

/// Visible extent of an entity: a curve, not the hull of its handles.
fn extent(entity: &Entity) -> Rect {
    match &entity.kind {
        Kind::Route(route) => Rect::of_points(route_line(route).points()),
        _ => entity.bounds().unwrap_or(Rect::EMPTY),
    }
}
