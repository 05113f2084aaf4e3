//! The order in which objects are painted, drawn and listed.

use super::{Change, OperationInput};
use crate::base::EntityId;
use crate::document::{Edit, KindName};
use crate::interaction::host::Refused;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackOrder {
    Front,
    OneUp,
    OneDown,
    Back,
}

/// Moves the selection in the order, keeping its relative order.
///
/// One step moves past the next placed object: definitions do not count.
///
/// # Errors
/// Nothing is selected, or it is already there.
pub fn reorder(on: &OperationInput<'_>, place: StackOrder) -> Result<Change, Refused> {
    let chosen: BTreeSet<EntityId> = on.expanded().into_iter().collect();
    if chosen.is_empty() {
        return Err(on.nothing_to_do("to move in the order"));
    }
    let before: Vec<EntityId> = on.level.drawn().map(|(id, _)| id).collect();
    let is_placed = |id: &EntityId| on.level.kind_of(*id).is_some_and(KindName::is_placed);
    let after = match place {
        StackOrder::Front => {
            let (chosen, others) = parted(&before, &chosen);
            [others, chosen].concat()
        }
        StackOrder::Back => {
            let (chosen, others) = parted(&before, &chosen);
            [chosen, others].concat()
        }
        StackOrder::OneUp => {
            let mut flipped: Vec<EntityId> = before.iter().rev().copied().collect();
            lower(&mut flipped, &chosen, is_placed);
            flipped.reverse();
            flipped
        }
        StackOrder::OneDown => {
            let mut order = before.clone();
            lower(&mut order, &chosen, is_placed);
            order
        }
    };
    if before == after {
        return Err(Refused(match place {
            StackOrder::Front | StackOrder::OneUp => "it is already at the front".to_owned(),
            StackOrder::Back | StackOrder::OneDown => "it is already at the back".to_owned(),
        }));
    }
    let label = match place {
        StackOrder::Front => "Bring to front",
        StackOrder::OneUp => "Raise",
        StackOrder::OneDown => "Lower",
        StackOrder::Back => "Send to back",
    };
    let edits = reorderings(before, &after, &chosen);
    Ok(Change::new(label, edits, on.selection.clone()))
}

fn parted(order: &[EntityId], chosen: &BTreeSet<EntityId>) -> (Vec<EntityId>, Vec<EntityId>) {
    order.iter().partition(|id| chosen.contains(id))
}

/// Moves every chosen id below the nearest other one under it that counts. Ids already at the
/// bottom, or on top of chosen ones that are, stay.
fn lower(
    order: &mut Vec<EntityId>,
    chosen: &BTreeSet<EntityId>,
    counts: impl Fn(&EntityId) -> bool,
) {
    let mut floor = 0;
    for index in 0..order.len() {
        let id = order[index];
        if !chosen.contains(&id) {
            continue;
        }
        let below = (floor..index)
            .rev()
            .find(|at| !chosen.contains(&order[*at]) && counts(&order[*at]));
        if let Some(to) = below {
            order.remove(index);
            order.insert(to, id);
            floor = to + 1;
        } else {
            floor = index + 1;
        }
    }
}

/// Edits that bring `order` to `wanted` by moving chosen ids only.
fn reorderings(
    mut order: Vec<EntityId>,
    wanted: &[EntityId],
    chosen: &BTreeSet<EntityId>,
) -> Vec<Edit> {
    // Move the chosen ones to the end, then each to its final index, lowest first.
    let mut edits = Vec::new();
    let all: Vec<EntityId> = order
        .iter()
        .copied()
        .filter(|id| chosen.contains(id))
        .collect();
    let last = order.len().saturating_sub(1);
    for id in all {
        order.retain(|other| *other != id);
        order.push(id);
        edits.push(Edit::Reorder { id, to: last });
    }
    for (to, id) in wanted.iter().enumerate() {
        if chosen.contains(id) && order.get(to) != Some(id) {
            order.retain(|other| other != id);
            order.insert(to, *id);
            edits.push(Edit::Reorder { id: *id, to });
        }
    }
    edits
}
