//! Forms: fields of one or many entities, connected to the document.
//!
//! A field is given by a [`Lens`] that finds its value in a subject, or says that there is no such
//! field. It is drawn if all subjects have it, shows a mixed value where they differ, and sets all
//! of them at once.

pub mod axes;
pub mod fields;
pub mod lens;
pub mod live_edit;
pub mod reference;
pub mod tags;

pub use lens::Lens;
pub(crate) use lens::{lens, part};
pub use live_edit::LiveEdit;

use super::field::row::refusal_ui;
use super::field::{Change, Manner, Shared};
use crate::base::EntityId;
use crate::document::history::MergeKey;
use crate::document::{Document, Edit, Entity, Level, Refusal, Settings};
use crate::editor::{Action, Actions};
use egui::Ui;
use std::sync::Arc;

/// What a form can edit.
pub trait FormSubject: Clone {
    fn edit(id: EntityId, value: Self) -> Edit;
    /// # Errors
    /// A sentence about an invalid value.
    fn check(&self) -> Result<(), Refusal>;
}

impl FormSubject for Entity {
    fn edit(id: EntityId, value: Self) -> Edit {
        Edit::replace(id, value)
    }

    fn check(&self) -> Result<(), Refusal> {
        Self::check(self)
    }
}

impl FormSubject for Settings {
    fn edit(_: EntityId, value: Self) -> Edit {
        Edit::Settings(Arc::new(value))
    }

    fn check(&self) -> Result<(), Refusal> {
        Self::check(self)
    }
}

/// A field's name and help text.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub help: &'static str,
}

#[must_use]
pub const fn field(name: &'static str, help: &'static str) -> Field {
    Field { name, help }
}

/// The edited subjects with their ids.
pub type Subjects<S> = Arc<[(EntityId, Arc<S>)]>;

#[derive(Debug)]
pub struct Form<'a, S> {
    pub document: &'a Document,
    pub actions: &'a mut Actions,
    subjects: Subjects<S>,
    live: &'a mut LiveEdit,
    /// Focus the text field of this name.
    pub focus: Option<&'static str>,
    /// What the subjects are called in labels of undo steps.
    whom: String,
}

impl<'a> Form<'a, Entity> {
    /// `None` if none of the ids is in the level.
    pub fn of_entities(
        document: &'a Document,
        ids: impl Iterator<Item = EntityId>,
        live: &'a mut LiveEdit,
        actions: &'a mut Actions,
    ) -> Option<Self> {
        let level = document.level();
        let subjects = ids
            .filter_map(|id| Some((id, Arc::clone(level.get(id)?))))
            .collect();
        Self::of_gathered(document, subjects, live, actions)
    }

    /// For entities of the level that were already looked up; `None` without any.
    pub fn of_gathered(
        document: &'a Document,
        subjects: Subjects<Entity>,
        live: &'a mut LiveEdit,
        actions: &'a mut Actions,
    ) -> Option<Self> {
        let whom = match &subjects[..] {
            [] => return None,
            [(id, entity)] => entity.label(*id),
            many => format!("{} objects", many.len()),
        };
        Some(Self {
            document,
            actions,
            subjects,
            live,
            focus: None,
            whom,
        })
    }
}

impl<'a> Form<'a, Settings> {
    pub fn of_settings(
        document: &'a Document,
        live: &'a mut LiveEdit,
        actions: &'a mut Actions,
    ) -> Self {
        let settings = Arc::clone(document.level().settings());
        Self {
            document,
            actions,
            subjects: Arc::new([(EntityId::new(0), settings)]),
            live,
            focus: None,
            whom: "the level".to_owned(),
        }
    }
}

impl<'a, S: FormSubject> Form<'a, S> {
    #[must_use]
    pub fn level(&self) -> &'a Arc<Level> {
        self.document.level()
    }

    pub fn subjects(&self) -> impl ExactSizeIterator<Item = (EntityId, &S)> {
        self.subjects.iter().map(|(id, subject)| (*id, &**subject))
    }

    /// The subject, if there is exactly one.
    #[must_use]
    pub fn single(&self) -> Option<(EntityId, &S)> {
        match &self.subjects[..] {
            [(id, subject)] => Some((*id, subject)),
            _ => None,
        }
    }

    pub fn all(&self, holds: impl Fn(&S) -> bool) -> bool {
        self.subjects.iter().all(|(_, subject)| holds(subject))
    }

    /// The field's value; `None` if not all subjects have it.
    pub fn shared<T: Clone + PartialEq + 'a>(
        &self,
        get: impl Fn(&S) -> Option<&T>,
    ) -> Option<Shared<T>> {
        let mut values = self.subjects.iter().map(|(_, subject)| get(subject));
        let first = values.next()??;
        let mut same = true;
        for value in values {
            same &= value? == first;
        }
        Some(if same {
            Shared::Same(first.clone())
        } else {
            Shared::Mixed
        })
    }

    /// Changes every subject by `set`, as one undo step (or part of one).
    ///
    /// # Errors
    /// A sentence, if a value would be outside its limits.
    pub fn change(
        &mut self,
        field: Field,
        manner: Manner,
        set: impl Fn(&mut S, EntityId),
    ) -> Result<(), String> {
        let mut edits = Vec::with_capacity(self.subjects.len());
        for (id, subject) in self.subjects.iter() {
            let mut subject = S::clone(subject);
            set(&mut subject, *id);
            subject.check().map_err(|refusal| refusal.to_string())?;
            edits.push(S::edit(*id, subject));
        }
        self.edit(field, manner, edits);
        Ok(())
    }

    /// Other edits, as one undo step of the subjects (or part of one).
    pub fn edit(&mut self, field: Field, manner: Manner, edits: Vec<Edit>) {
        let label = format!("Change {} of {}", field.name.to_lowercase(), self.whom);
        match manner {
            Manner::Dragged => self.live.preview(self.actions, label, edits),
            Manner::Typed => self.actions.push(Action::Commit {
                label,
                edits,
                merge: Some(MergeKey {
                    field: field.name,
                    subjects: self.subjects.iter().map(|(id, _)| *id).collect(),
                }),
            }),
            Manner::Chosen => self.actions.commit(label, edits),
        }
    }

    /// Sets a field to a value.
    pub fn set<T: Clone>(
        &mut self,
        ui: &Ui,
        field: Field,
        change: Change<T>,
        lens: Lens<impl Fn(&S) -> Option<&T>, impl Fn(&mut S) -> Option<&mut T>>,
    ) {
        self.write(ui, field, change, &lens.get_mut);
    }

    /// Like [`change`](Self::change) through a lens; an error is kept for the row to show.
    pub(super) fn write<T: Clone>(
        &mut self,
        ui: &Ui,
        field: Field,
        change: Change<T>,
        get_mut: impl Fn(&mut S) -> Option<&mut T>,
    ) {
        let outcome = self.change(field, change.manner, |subject, _| {
            if let Some(place) = get_mut(subject) {
                *place = change.value.clone();
            }
        });
        note_refusal(ui, field, outcome.err());
    }
}

fn refusal_id(ui: &Ui, field: Field) -> egui::Id {
    ui.scope_id().with((field.name, "refused"))
}

fn note_refusal(ui: &Ui, field: Field, sentence: Option<String>) {
    let id = refusal_id(ui, field);
    ui.data_mut(|data| match sentence {
        Some(sentence) => {
            data.insert_temp(id, sentence);
        }
        None => data.remove::<String>(id),
    });
}

fn show_refusal(ui: &mut Ui, field: Field, of_field: Option<&str>) {
    let noted: Option<String> = ui.data(|data| data.get_temp(refusal_id(ui, field)));
    if let Some(sentence) = of_field.or(noted.as_deref()) {
        refusal_ui(ui, sentence);
    }
}
