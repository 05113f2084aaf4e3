//! Editing operations: a level and a selection in, one undo step out.
//!
//! Each is a function from an [`OperationInput`] to a [`Change`], or to a sentence that says why not.
//! [`perform`] applies one to the open document.

pub mod align;
pub mod combine;
pub mod convert;
pub mod delete;
pub mod distribute;
pub mod drop;
pub mod duplicate;
pub mod find;
pub mod forbid;
pub mod group;
pub mod layers;
pub mod lock;
pub mod mirror;
pub mod nudge;
pub mod offset;
mod operation_input;
pub mod order;
pub(super) mod references;
pub mod replace;
pub mod rotate;
pub mod scale;
pub mod simplify;
pub mod visibility;
pub mod weigh;

pub use align::{Edge, align};
pub use combine::{Combination, combine};
pub use convert::{ConvertTarget, convert};
pub use delete::delete;
pub use distribute::{Spacing, distribute};
pub use drop::drop_to_floor;
pub use duplicate::duplicate;
pub use find::{Criteria, find};
pub use forbid::{bodies_named, by_rule_sentence, forbid_named, toggle_forbidden};
pub use group::{group, ungroup};
pub use layers::{LayerStep, assign_to_layer, move_layer, new_layer};
pub use lock::{lock, unlock, unlock_all};
pub use mirror::mirror;
pub use nudge::{Direction, nudge};
pub use offset::offset;
pub use operation_input::{Axis, OperationInput};
pub use order::{StackOrder, reorder};
pub use replace::{Scope, replace_tag, replace_terrain};
pub use rotate::{Turn, quarter_turn, rotate};
pub use scale::scale;
pub use simplify::simplify;
pub use visibility::{hide, show, show_all};
pub use weigh::{unweigh, weigh};

use super::host::{Host, Refused};
use crate::document::{Edit, Selection, history::MergeKey};

/// One undo step and the selection after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub label: String,
    pub edits: Vec<Edit>,
    pub selection: Selection,
    /// Allows merging with the previous change, as for repeated arrow keys.
    pub merge: Option<MergeKey>,
}

impl Change {
    pub(super) fn new(label: impl Into<String>, edits: Vec<Edit>, selection: Selection) -> Self {
        Self {
            label: label.into(),
            edits,
            selection,
            merge: None,
        }
    }
}

/// Applies an operation to the open document and sets the selection. False if nothing changed.
///
/// # Errors
/// A sentence that says why it cannot be done.
pub fn perform(
    host: &mut dyn Host,
    operation: impl FnOnce(&OperationInput<'_>) -> Result<Change, Refused>,
) -> Result<bool, Refused> {
    let change = operation(&OperationInput::of(host.document()))?;
    let changed = host.commit(&change.label, change.edits)?;
    host.select(change.selection);
    Ok(changed)
}

#[cfg(test)]
mod tests;
