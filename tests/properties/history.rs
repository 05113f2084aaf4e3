//! History: any sequence of edits, transactions, undo and redo leads where a plain list of states
//! would.

use crate::{cases, generate::Generator};
use wayloom::document::{ChangeSet, Document, Edit, Level, format, history::Step, ops};

/// The simplest model of a history: every state's text, and where we are.
struct Model {
    states: Vec<String>,
    at: usize,
}

fn text(document: &Document) -> String {
    // Ids are never recycled, so the next id is no part of a state.
    format::write(document.level(), wayloom::base::EntityId::new(0))
}

#[test]
fn random_sequences_of_edits_undo_and_redo_match_a_list_of_states() {
    for seed in 0..cases(200) {
        let mut generator = Generator::new(seed ^ 0xabcd);
        let (level, next_id) = generator.level(5);
        let mut document = Document::new(level, next_id);
        let mut journal: Vec<Step> = Vec::new();
        let base = (Level::clone(document.level()), next_id);
        let mut model = Model {
            states: vec![text(&document)],
            at: 0,
        };
        for _ in 0..40 {
            let step = match generator.random.below(10) {
                0..=2 => document.undo(),
                3 | 4 => document.redo(),
                5 => {
                    document.begin("Cancelled");
                    for _ in 0..generator.random.below(3) {
                        let edit = generator.edit(&mut document);
                        // Made for the preview before it: it may be refused, and then changes nothing.
                        let _ = document.preview(vec![edit]);
                    }
                    document.cancel();
                    None
                }
                6 => {
                    document.begin("Finished");
                    let edit = generator.edit(&mut document);
                    let _ = document.preview(vec![edit]);
                    document.finish().expect("was previewed")
                }
                _ => {
                    let edits = vec![generator.edit(&mut document)];
                    document.commit("Edit", edits).expect("made for this level")
                }
            };
            match &step {
                Some(Step::Commit { .. }) => {
                    model.states.truncate(model.at + 1);
                    model.states.push(text(&document));
                    model.at += 1;
                }
                Some(Step::Undo) => model.at -= 1,
                Some(Step::Redo) => model.at += 1,
                None => {}
            }
            journal.extend(step);
            assert_eq!(text(&document), model.states[model.at], "seed {seed}");
            assert_eq!(document.is_dirty(), model.at != 0, "seed {seed}");
        }
        // What the journal keeps leads to the same document.
        let mut replayed = Document::new(base.0, base.1);
        for step in journal {
            let line = format::write_step(&step);
            assert_eq!(
                format::read_step(&line).as_ref(),
                Ok(&step),
                "seed {seed}: {line}"
            );
            replayed.replay(step).expect("was accepted before");
        }
        assert_eq!(text(&replayed), model.states[model.at], "seed {seed}");
        // All the way back, and all the way forward.
        while document.undo().is_some() {}
        assert_eq!(text(&document), model.states[0], "seed {seed}");
        while document.redo().is_some() {}
        assert_eq!(Some(&text(&document)), model.states.last(), "seed {seed}");
    }
}

/// Order, settings and ground included: applied to the one level, they give the other.
#[test]
fn edits_between_two_levels_lead_from_one_to_the_other() {
    for seed in 0..cases(200) {
        let mut generator = Generator::new(seed ^ 0x77);
        let (level, next_id) = generator.level(8);
        let mut document = Document::new(level, next_id);
        let first = Level::clone(document.level());
        for _ in 0..generator.random.below(12) {
            let edits = vec![generator.edit(&mut document)];
            document.commit("Edit", edits).expect("made for this level");
        }
        let last = Level::clone(document.level());
        for (from, to) in [(&first, &last), (&last, &first), (&last, &last)] {
            let reached = ops::apply(from, &Edit::between(from, to));
            assert_eq!(reached.as_ref(), Ok(to), "seed {seed}");
        }
        assert!(ChangeSet::between(&first, &first).is_empty());
        assert!(Edit::between(&last, &last).is_empty());
    }
}
