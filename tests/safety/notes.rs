//! Notes as steps that can be told apart, and what a level holds of them.

use wayloom::document::{Document, Edit, Entity, Kind, Note, Session};

/// Commits a note of that name.
pub fn note(session: &mut Session, text: &str) {
    let id = session.allocate_id();
    let kind = Kind::Note(Note {
        at: glam::DVec2::ONE,
        text: text.to_owned(),
    });
    let edits = vec![Edit::create(id, Entity::new(text, kind))];
    session
        .commit(format!("Note {text}"), edits)
        .expect("valid");
}

/// The names of all entities, in the level's order.
pub fn names(document: &Document) -> Vec<String> {
    let entities = document.level().iter();
    entities.map(|(_, entity)| entity.name.clone()).collect()
}
