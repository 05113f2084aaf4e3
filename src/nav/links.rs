//! Links as they are baked: what planners go through and exporters write.

use super::entity_list::LevelStep;
use crate::base::EntityId;
use crate::document::{Kind, Level, Link, LinkDirection};
use glam::DVec3;
use std::sync::Arc;

/// A link of the level, as it was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct NavLink {
    pub id: EntityId,
    pub link: Link,
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkPassage<'a> {
    pub id: EntityId,
    pub link: &'a Link,
    pub from: DVec3,
    pub to: DVec3,
    pub is_reversed: bool,
}

impl NavLink {
    /// One passage, or two if it can be used both ways.
    pub fn passages(&self) -> impl Iterator<Item = LinkPassage<'_>> {
        let passage = |from, to, is_reversed| LinkPassage {
            id: self.id,
            link: &self.link,
            from,
            to,
            is_reversed,
        };
        let Link { from, to, .. } = self.link;
        let back = self.link.direction == LinkDirection::BothWays;
        std::iter::once(passage(from, to, false)).chain(back.then(|| passage(to, from, true)))
    }
}

/// In the level's order.
pub(super) fn collect(level: &Level) -> Arc<[NavLink]> {
    level
        .links()
        .map(|(id, _, link)| NavLink {
            id,
            link: link.clone(),
        })
        .collect()
}

/// After a change; `None` where links are as they were.
pub(super) fn updated(links: &[NavLink], step: LevelStep<'_>) -> Option<Arc<[NavLink]>> {
    let is_link = |level: &Level, id| {
        matches!(
            level.get(id).map(|entity| &entity.kind),
            Some(Kind::Link(_))
        )
    };
    let touches = step.change.reordered
        || step
            .change
            .touched()
            .any(|id| is_link(step.before, id) || is_link(step.after, id));
    if !touches {
        return None;
    }
    let next = collect(step.after);
    (*next != *links).then_some(next)
}
