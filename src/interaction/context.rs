//! What tools can read and change.

use super::{defaults::ToolDefaults, host::Host, picking::Picker, view::View};
use crate::base::EntityId;
use crate::document::{Document, Edit, Level, Selection};
use glam::DVec3;
use std::sync::Arc;

/// Everything a tool can change.
pub struct ToolContext<'a> {
    pub host: &'a mut dyn Host,
    pub view: View,
    pub picker: &'a Picker,
    pub defaults: &'a mut ToolDefaults,
    /// Messages for the user about failures.
    pub messages: &'a mut Vec<String>,
    /// Messages for the user about successes.
    pub news: &'a mut Vec<String>,
    /// Where the pointer met something in space; see [`super::Toolbox::pointed`].
    pub pointed: &'a [DVec3],
}

/// Everything a tool can read.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    pub document: &'a Document,
    pub view: View,
    pub picker: &'a Picker,
    pub defaults: &'a ToolDefaults,
}

impl Scene<'_> {
    #[must_use]
    pub fn level(&self) -> &Arc<Level> {
        self.document.level()
    }

    #[must_use]
    pub fn selection(&self) -> &Selection {
        self.document.selection()
    }
}

impl std::fmt::Debug for ToolContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolContext")
            .field("view", &self.view)
            .field("defaults", &self.defaults)
            .finish_non_exhaustive()
    }
}

impl ToolContext<'_> {
    #[must_use]
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            document: self.host.document(),
            view: self.view,
            picker: self.picker,
            defaults: self.defaults,
        }
    }

    #[must_use]
    pub fn level(&self) -> &Arc<Level> {
        self.host.level()
    }

    #[must_use]
    pub fn selection(&self) -> &Selection {
        self.host.selection()
    }

    /// Reports a success to the user.
    pub fn tell(&mut self, sentence: impl Into<String>) {
        self.news.push(sentence.into());
    }

    /// Tells the user why something failed.
    pub fn say(&mut self, sentence: impl Into<String>) {
        self.messages.push(sentence.into());
    }

    /// One undo step; a rejection is reported to the user. True if something changed.
    pub fn commit(&mut self, label: &str, edits: Vec<Edit>) -> bool {
        match self.host.commit(label, edits) {
            Ok(changed) => changed,
            Err(refused) => {
                self.say(refused.0);
                false
            }
        }
    }

    /// Shows a drag's total change. False if it was rejected; the last preview stays.
    pub fn preview(&mut self, edits: Vec<Edit>) -> bool {
        self.host.preview(edits).is_ok()
    }

    /// Ends a drag; a rejection is reported to the user. True if something changed.
    pub fn finish(&mut self) -> bool {
        match self.host.finish() {
            Ok(changed) => changed,
            Err(refused) => {
                self.say(refused.0);
                false
            }
        }
    }

    pub fn select_one(&mut self, id: EntityId) {
        self.host.select(Selection::one(id));
    }
}
