//! Merging: which edits of one field are one undo step, against the rule in words.

use crate::cases;
use glam::DVec2;
use std::time::{Duration, Instant};
use wayloom::base::{EntityId, Random};
use wayloom::document::history::{MERGE_WINDOW, MergeKey};
use wayloom::document::{Document, Edit, Entity, Kind, Level, Note};

fn note(text: &str) -> Entity {
    Entity::new(
        text,
        Kind::Note(Note {
            at: DVec2::ZERO,
            text: text.to_owned(),
        }),
    )
}

fn label(document: &Document, id: EntityId) -> Option<String> {
    document.level().get(id).map(|entity| entity.name.clone())
}

/// Typing, an undo, and typing on within the second: the undo ended the word.
#[test]
fn an_undo_ends_a_merge() {
    let mut document = Document::new(Level::default(), EntityId::new(1));
    let id = document.allocate_id();
    let created = vec![Edit::create(id, note("made"))];
    document.commit("Add", created).expect("valid");
    let key = MergeKey {
        field: "name",
        subjects: vec![id],
    };
    let now = Instant::now();
    let typed = |document: &mut Document, text: &str| {
        document
            .commit_merging(
                "Rename",
                vec![Edit::replace(id, note(text))],
                key.clone(),
                now,
            )
            .expect("valid");
    };
    typed(&mut document, "typed");
    assert!(document.undo().is_some());
    assert_eq!(label(&document, id).as_deref(), Some("made"));
    typed(&mut document, "typed again");
    assert!(document.undo().is_some());
    assert_eq!(label(&document, id).as_deref(), Some("made"));
    assert!(document.redo().is_some());
    typed(&mut document, "and again");
    assert!(document.undo().is_some());
    assert_eq!(label(&document, id).as_deref(), Some("typed again"));
}

#[test]
fn what_is_one_step_follows_the_rule() {
    for seed in 0..cases(300) {
        let mut random = Random::new(seed);
        let mut document = Document::new(Level::default(), EntityId::new(1));
        let ids = [document.allocate_id(), document.allocate_id()];
        let edits = ids.map(|id| Edit::create(id, note("made")));
        document.commit("Add", edits.to_vec()).expect("valid");
        // Undo states, the current state, redo states: all by the names of both notes.
        let state = |document: &Document| ids.map(|id| label(document, id));
        let mut undo: Vec<[Option<String>; 2]> = vec![[None, None]];
        let mut redo = Vec::new();
        let mut current = state(&document);
        let mut last: Option<(usize, &str, Instant)> = None;
        let mut now = Instant::now();
        for step in 0..60 {
            now += Duration::from_millis(random.below(700) as u64);
            let which = random.below(2);
            let field = *random.pick(&["name", "notes"]).expect("two");
            // Sometimes nothing new is typed.
            let text = format!("{}", random.below(4));
            let edit = vec![Edit::replace(ids[which], note(&text))];
            let exists = current[which].is_some();
            match random.below(8) {
                0 => {
                    let did = document.undo().is_some();
                    assert_eq!(did, !undo.is_empty(), "seed {seed} step {step}");
                    if let Some(before) = undo.pop() {
                        redo.push(std::mem::replace(&mut current, before));
                        last = None;
                    }
                }
                1 => {
                    let did = document.redo().is_some();
                    assert_eq!(did, !redo.is_empty(), "seed {seed} step {step}");
                    if let Some(after) = redo.pop() {
                        undo.push(std::mem::replace(&mut current, after));
                        last = None;
                    }
                }
                2 => {
                    document.mark_saved();
                    assert!(!document.is_dirty());
                    last = None;
                }
                3 if exists => {
                    document.begin("Drag");
                    document.preview(edit).expect("valid");
                    document.cancel();
                }
                4 if exists => {
                    document.commit("Rename", edit).expect("valid");
                    if current[which].as_ref() != Some(&text) {
                        undo.push(current.clone());
                        redo.clear();
                        current[which] = Some(text);
                        last = None;
                    }
                }
                _ if exists => {
                    let key = MergeKey {
                        field,
                        subjects: vec![ids[which]],
                    };
                    document
                        .commit_merging("Rename", edit, key, now)
                        .expect("valid");
                    if current[which].as_ref() != Some(&text) {
                        let joins = last.is_some_and(|(whose, what, at)| {
                            whose == which && what == field && now - at < MERGE_WINDOW
                        });
                        if !joins {
                            undo.push(current.clone());
                        }
                        redo.clear();
                        current[which] = Some(text);
                        last = Some((which, field, now));
                    }
                }
                _ => {}
            }
            assert_eq!(state(&document), current, "seed {seed} step {step}");
            assert_eq!(
                document.undo_labels().len(),
                undo.len(),
                "seed {seed} step {step}"
            );
            assert_eq!(
                document.redo_labels().len(),
                redo.len(),
                "seed {seed} step {step}"
            );
        }
        while let Some(before) = undo.pop() {
            assert!(document.undo().is_some(), "seed {seed}");
            assert_eq!(state(&document), before, "seed {seed}");
        }
        assert!(document.undo().is_none(), "seed {seed}");
    }
}
