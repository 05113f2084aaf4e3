//! Crash after crash: whatever the last one tore off, what is recorded afterwards is kept.

use crate::folder::Folder;
use crate::notes::{names, note};
use wayloom::base::Random;
use wayloom::document::{
    Level, Session,
    session::{Opened, Overwrite, journal_path},
};

/// What a crash may leave of the last bytes of a file.
#[derive(Clone, Copy, Debug)]
enum Damage {
    None,
    /// So many bytes never reached the disk.
    Cut(usize),
    /// They did, with one bit wrong so many bytes before the end.
    Flipped(usize),
    /// Blocks that were given to the file and never written.
    Zeros(usize),
}

fn crash(session: Session, damage: Damage) {
    let journal = session.path().map(journal_path).expect("has a file");
    let mut bytes = std::fs::read(&journal).expect("the journal is beside its level");
    session.discard();
    let length = bytes.len();
    match damage {
        Damage::None => {}
        Damage::Cut(count) => bytes.truncate(length - count.min(length)),
        Damage::Flipped(before_end) => bytes[length - 1 - before_end.min(length - 1)] ^= 0x10,
        Damage::Zeros(count) => bytes.extend(vec![0; count]),
    }
    std::fs::write(journal, bytes).expect("the journal can be written");
}

fn reopened(path: &std::path::Path, state: &std::path::Path) -> Session {
    match Session::open(path, state).expect("opens") {
        Opened::Clean(session) => session,
        Opened::Unsaved(recovery) => recovery.accept(),
    }
}

#[test]
fn what_is_recorded_after_a_torn_tail_survives_the_next_crash() {
    for damage in [
        Damage::Cut(1),
        Damage::Cut(9),
        Damage::Flipped(0),
        Damage::Flipped(70),
        Damage::Zeros(1),
        Damage::Zeros(4096),
    ] {
        let folder = Folder::new();
        let (path, state) = (folder.file("a.ron"), folder.file("state"));
        let mut session = Session::unnamed(Level::default(), &state);
        session
            .save_as(&path, Overwrite::Never, &state)
            .expect("saves");
        for text in ["one", "two", "three"] {
            note(&mut session, text);
        }
        crash(session, damage);
        let mut session = reopened(&path, &state);
        let recovered = names(session.document());
        assert!(recovered.len() >= 2, "{damage:?}: {recovered:?}");
        // Shorter and longer than what was torn.
        for text in ["x", "after the crash, rather long"] {
            note(&mut session, text);
        }
        let expected = names(session.document());
        crash(session, Damage::None);
        let session = reopened(&path, &state);
        assert_eq!(names(session.document()), expected, "{damage:?}");
        session.discard();
    }
}

/// A bit that flips in the middle costs what follows it, once and for all: records from before
/// the crash never follow those from after it.
#[test]
fn records_behind_a_damaged_one_never_come_back() {
    for victim in 0..4 {
        let folder = Folder::new();
        let (path, state) = (folder.file("a.ron"), folder.file("state"));
        let mut session = Session::unnamed(Level::default(), &state);
        session
            .save_as(&path, Overwrite::Never, &state)
            .expect("saves");
        let length = |path: &std::path::Path| std::fs::metadata(path).expect("there").len();
        let mut ends = vec![length(&journal_path(&path))];
        for text in ["a0", "b0", "c0", "d0"] {
            note(&mut session, text);
            ends.push(length(&journal_path(&path)));
        }
        let from_end = (ends[4] - ends[victim + 1]) as usize;
        crash(session, Damage::Flipped(from_end));
        let mut session = reopened(&path, &state);
        assert_eq!(names(session.document()).len(), victim);
        // As long as the damaged record, so that the old ones would follow it without a gap.
        note(&mut session, "e0");
        let expected = names(session.document());
        crash(session, Damage::None);
        let session = reopened(&path, &state);
        assert_eq!(names(session.document()), expected, "record {victim}");
        session.discard();
    }
}

/// A save restarts the journal while the history goes on: steps back beyond it count.
#[test]
fn undo_and_redo_across_a_save_survive_a_crash() {
    let folder = Folder::new();
    let (path, state) = (folder.file("a.ron"), folder.file("state"));
    let mut session = Session::unnamed(Level::default(), &state);
    for text in ["one", "two", "three"] {
        note(&mut session, text);
    }
    session
        .save_as(&path, Overwrite::Never, &state)
        .expect("saves");
    type Move = fn(&mut Session) -> bool;
    let moves: [(&str, Move); 7] = [
        ("back", Session::undo),
        ("back again", Session::undo),
        ("forward", Session::redo),
        ("back once more", Session::undo),
        ("a note", |session| {
            note(session, "four");
            true
        }),
        ("back before the note", Session::undo),
        ("and the note again", Session::redo),
    ];
    for count in 1..=moves.len() {
        for (name, step) in &moves[..count] {
            assert!(step(&mut session), "{name}");
        }
        let expected = names(session.document());
        let is_dirty = session.document().is_dirty();
        crash(session, Damage::None);
        session = reopened(&path, &state);
        let about = moves[count - 1].0;
        assert_eq!(names(session.document()), expected, "after {about}");
        assert_eq!(session.document().is_dirty(), is_dirty, "after {about}");
        session.discard();
        // From the beginning, for one move more.
        std::fs::remove_file(&path).expect("there");
        session = Session::unnamed(Level::default(), &state);
        for text in ["one", "two", "three"] {
            note(&mut session, text);
        }
        session
            .save_as(&path, Overwrite::Never, &state)
            .expect("saves");
    }
    session.discard();
}

#[test]
fn any_number_of_crashes_loses_only_what_each_of_them_tore_off() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let folder = Folder::new();
        let (path, state) = (folder.file("a.ron"), folder.file("state"));
        let mut session = Session::unnamed(Level::default(), &state);
        session
            .save_as(&path, Overwrite::Never, &state)
            .expect("saves");
        let mut count = 0;
        // Every state since the last save that is still told by the journal, the last one first.
        let mut states = vec![names(session.document())];
        for _ in 0..6 {
            for _ in 0..random.below(5) {
                match random.below(5) {
                    0 => drop(session.undo()),
                    1 => drop(session.redo()),
                    2 if random.chance(0.3) => {
                        session.save(Overwrite::OnPurpose).expect("saves");
                        states.clear();
                    }
                    _ => {
                        count += 1;
                        note(&mut session, &"n".repeat(1 + random.below(40)));
                    }
                }
                states.insert(0, names(session.document()));
            }
            let damage = match random.below(4) {
                0 => Damage::Cut(1 + random.below(60)),
                1 => Damage::Flipped(random.below(60)),
                2 => Damage::Zeros(1 + random.below(60)),
                _ => Damage::None,
            };
            let is_whole = matches!(damage, Damage::None | Damage::Zeros(_));
            crash(session, damage);
            session = reopened(&path, &state);
            let back = names(session.document());
            let kept = states.iter().position(|state| *state == back);
            assert!(
                kept.is_some(),
                "seed {seed}, {damage:?}: {back:?} of {states:?}"
            );
            if is_whole {
                assert_eq!(back, states[0], "seed {seed}, {damage:?}");
            }
            states.drain(..kept.unwrap_or(0));
        }
        assert!(count > 0, "seed {seed} does nothing");
        session.discard();
    }
}
