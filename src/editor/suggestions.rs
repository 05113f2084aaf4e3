//! Annotations proposed for the selection, until each is accepted or dismissed. Never part of
//! history.

use super::{Editor, EditorState, Notice};
use crate::base::{ByAddress, EntityId};
use crate::document::ops::EditError;
use crate::document::suggest::{Proposal, proposals};
use crate::document::{Edit, Entity, Kind, KindName, Level};
use crate::interaction::naming::fresh_name;
use crate::interaction::{LabelPlace, Overlay, OverlayStyle, Primitive};
use crate::jobs::{Display, Memo, Settled, Superseded};
use std::collections::BTreeSet;
use std::sync::Arc;

/// More names than this would cover each other; then only the one under the pointer is named.
const MOST_NAMED: usize = 5;

/// What proposals were asked for.
#[derive(Clone, Debug, PartialEq)]
struct Asked {
    level: ByAddress<Level>,
    selected: BTreeSet<EntityId>,
}

#[derive(Debug)]
pub struct Suggestions {
    /// The selection that they are for; `None` while none are wanted.
    about: Option<BTreeSet<EntityId>>,
    found: Memo<Asked, Arc<Vec<Proposal>>>,
    /// Names of those that were dismissed.
    dismissed: BTreeSet<String>,
    /// The one under the pointer in the list.
    pub hovered: Option<String>,
}

impl Default for Suggestions {
    fn default() -> Self {
        Self {
            about: None,
            found: Memo::new("Suggesting areas", Display::Quiet, Superseded::Cancel),
            dismissed: BTreeSet::new(),
            hovered: None,
        }
    }
}

/// What was decided about proposals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuggestAsk {
    /// Those of these names become annotations, in one undo step.
    Accept(Vec<String>),
    Dismiss(String),
    DismissAll,
    /// The one under the pointer in the list.
    Hover(Option<String>),
}

impl Suggestions {
    #[must_use]
    pub const fn are_open(&self) -> bool {
        self.about.is_some()
    }

    /// Those that are neither accepted nor dismissed; `None` until they are worked out.
    #[must_use]
    pub fn open(&self) -> Option<Vec<&Proposal>> {
        self.about.as_ref()?;
        let found = self.found.value()?;
        let is_open = |proposal: &&Proposal| !self.dismissed.contains(&proposal.name);
        Some(found.iter().filter(is_open).collect())
    }

    fn close(&mut self) {
        *self = Self::default();
    }

    /// Adds what is proposed to what the tool draws.
    pub fn draw(&self, overlay: &mut Overlay) {
        let open = self.open().unwrap_or_default();
        let all_are_named = open.len() <= MOST_NAMED;
        for proposal in open {
            let is_hovered = self.hovered.as_ref() == Some(&proposal.name);
            let style = if is_hovered {
                OverlayStyle::Ready
            } else {
                OverlayStyle::Draft
            };
            let polygons = proposal.area.iter().cloned();
            overlay
                .primitives
                .extend(polygons.map(|polygon| Primitive::Polygon { polygon, style }));
            let largest = proposal
                .area
                .iter()
                .max_by(|a, b| a.area().total_cmp(&b.area()));
            if let Some(part) = largest.filter(|_| is_hovered || all_are_named) {
                overlay.primitives.push(Primitive::Label {
                    at: part.centroid(),
                    text: proposal.name.clone(),
                    style,
                    stands: LabelPlace::Above,
                });
            }
        }
    }
}

impl Editor {
    /// Proposes annotations for the selection.
    pub(super) fn suggest_annotations(&mut self) {
        let selected: BTreeSet<EntityId> = self.state.document().selection().iter().collect();
        let suggestions = &mut self.state.suggestions;
        suggestions.close();
        suggestions.about = Some(selected);
    }

    /// Works proposals out, unless that is done or under way. Another selection ends them.
    pub(super) fn keep_suggestions_current(&mut self) {
        let document = self.state.document();
        let Some(about) = self.state.suggestions.about.clone() else {
            return;
        };
        let selected: BTreeSet<EntityId> = document.selection().iter().collect();
        if selected != about || !self.state.level_is_open() {
            self.state.suggestions.close();
            return;
        }
        if document.in_transaction() {
            return;
        }
        let level = Arc::clone(document.level());
        let asked = Asked {
            level: ByAddress::of(&level),
            selected: selected.clone(),
        };
        let suggestions = &mut self.state.suggestions;
        let settled = suggestions.found.want(self.work.jobs(), asked, move |job| {
            Ok(Arc::new(proposals(&level, &selected, job)?))
        });
        let is_empty = suggestions.open().is_some_and(|open| open.is_empty());
        if settled == Some(Settled::Value) && is_empty && suggestions.dismissed.is_empty() {
            suggestions.close();
            self.state.notify(Notice::info(
                "No areas to suggest: select buildings, walls, agents or routes.".to_owned(),
            ));
        }
    }

    /// # Errors
    /// The level does not take the edits.
    pub(super) fn decide_suggestions(&mut self, asked: SuggestAsk) -> Result<(), EditError> {
        match asked {
            SuggestAsk::Hover(name) => self.state.suggestions.hovered = name,
            SuggestAsk::DismissAll => self.state.suggestions.close(),
            SuggestAsk::Dismiss(name) => {
                self.state.suggestions.dismissed.insert(name);
                self.close_suggestions_if_done();
            }
            SuggestAsk::Accept(names) => {
                let (label, edits) = acceptance(&mut self.state, &names);
                if !edits.is_empty() {
                    self.state.level.commit(label, edits, None)?;
                }
                self.state.suggestions.dismissed.extend(names);
                self.close_suggestions_if_done();
            }
        }
        Ok(())
    }

    fn close_suggestions_if_done(&mut self) {
        if self
            .state
            .suggestions
            .open()
            .is_none_or(|open| open.is_empty())
        {
            self.state.suggestions.close();
        }
    }
}

/// The edits that make proposals annotations.
fn acceptance(state: &mut EditorState, names: &[String]) -> (String, Vec<Edit>) {
    let open = state.suggestions.open().unwrap_or_default();
    let accepted: Vec<Proposal> = open
        .into_iter()
        .filter(|proposal| names.contains(&proposal.name))
        .cloned()
        .collect();
    let label = match &accepted[..] {
        [one] => format!("Annotate: {}", one.name),
        many => format!("Add {} areas", many.len()),
    };
    let edits = accepted
        .into_iter()
        .map(|proposal| {
            let level = state.document().level();
            let name = match level.find(KindName::Annotation, &proposal.name) {
                Some(_) => fresh_name(level, &proposal.name),
                None => proposal.name,
            };
            let id = state.level.allocate_id();
            Edit::create(id, Entity::new(name, Kind::Annotation(proposal.annotation)))
        })
        .collect();
    (label, edits)
}
