//! What a journal brings back.

use crate::folder::Folder;
use crate::notes::{names, note};
use wayloom::base::Random;
use wayloom::document::{
    Level, Session, format,
    format::journal,
    session::{Opened, Overwrite, journal_path},
};

/// Ends a session as a crash would: the journal stays, nothing is tidied up.
fn crash(session: Session) {
    // The lock goes with the process in life; here with a copy of the file.
    let journal = session.path().map(journal_path).expect("has a file");
    let bytes = std::fs::read(&journal).expect("there");
    session.discard();
    let mut aside = journal.clone().into_os_string();
    aside.push("~");
    let _ = std::fs::remove_file(aside);
    std::fs::write(journal, bytes).expect("writes");
}

#[test]
fn undo_redo_and_history_come_back_exactly() {
    let folder = Folder::new();
    let (path, state) = (folder.file("a.ron"), folder.file("state"));
    let mut session = Session::unnamed(Level::default(), &state);
    note(&mut session, "saved");
    session
        .save_as(&path, Overwrite::Never, &state)
        .expect("saves");
    for text in ["one", "two", "three"] {
        note(&mut session, text);
    }
    session.undo();
    session.undo();
    note(&mut session, "four");
    session.undo();
    let expected = session.text();
    crash(session);
    let Opened::Unsaved(recovery) = Session::open(&path, &state).expect("opens") else {
        panic!("there is unsaved work");
    };
    assert_eq!(
        recovery.summary,
        "7 unsaved changes from a session that ended unexpectedly"
    );
    let mut session = recovery.accept();
    assert_eq!(session.text(), expected);
    assert_eq!(names(session.document()), ["saved", "one"]);
    assert!(session.redo());
    assert_eq!(names(session.document()), ["saved", "one", "four"]);
    // And the journal goes on: a second crash brings back this, too.
    let expected = session.text();
    crash(session);
    let Opened::Unsaved(recovery) = Session::open(&path, &state).expect("opens") else {
        panic!("there is unsaved work");
    };
    assert_eq!(recovery.accept().text(), expected);
}

#[test]
fn declining_goes_back_to_the_file_and_keeps_the_work_aside() {
    let folder = Folder::new();
    let (path, state) = (folder.file("a.ron"), folder.file("state"));
    let mut session = Session::unnamed(Level::default(), &state);
    session
        .save_as(&path, Overwrite::Never, &state)
        .expect("saves");
    note(&mut session, "unwanted");
    crash(session);
    let Opened::Unsaved(recovery) = Session::open(&path, &state).expect("opens") else {
        panic!("there is unsaved work");
    };
    let session = recovery.decline().expect("there is a file");
    assert!(session.document().level().is_empty() && !session.document().is_dirty());
    drop(session);
    assert_eq!(folder.names(), [".a.ron.journal~", "a.ron", "state"]);
}

#[test]
fn a_damaged_or_vanished_file_is_whole_in_its_journal() {
    let folder = Folder::new();
    let (path, state) = (folder.file("a.ron"), folder.file("state"));
    for ruin in [None, Some("rubbish")] {
        let mut session = Session::unnamed(Level::default(), &state);
        note(&mut session, "base");
        session
            .save_as(&path, Overwrite::OnPurpose, &state)
            .expect("saves");
        note(&mut session, "later");
        crash(session);
        match ruin {
            None => std::fs::remove_file(&path).expect("there"),
            Some(text) => std::fs::write(&path, text).expect("writes"),
        }
        let Opened::Unsaved(recovery) = Session::open(&path, &state).expect("opens") else {
            panic!("there is unsaved work");
        };
        let mut session = recovery.accept();
        assert_eq!(names(session.document()), ["base", "later"]);
        session.save(Overwrite::OnPurpose).expect("saves");
    }
}

#[test]
fn unnamed_work_is_found_again_and_empty_journals_are_swept() {
    let folder = Folder::new();
    let state = folder.file("state");
    let mut session = Session::unnamed(Level::default(), &state);
    note(&mut session, "unnamed");
    // While it runs, no other session may take it.
    assert!(Session::unsaved(&state).is_empty());
    // A dirty session that is dropped leaves its journal, as a crash does.
    drop(session);
    std::fs::write(state.join("unnamed-0-0.journal"), "").expect("writes");
    let found = Session::unsaved(&state);
    assert_eq!(found.len(), 1);
    assert!(!state.join("unnamed-0-0.journal").exists());
    let recovery = Session::resume_unnamed(&found[0]).expect("readable");
    assert_eq!(names(recovery.document()), ["unnamed"]);
    let mut session = recovery.accept();
    session
        .save_as(&folder.file("a.ron"), Overwrite::Never, &state)
        .expect("saves");
    drop(session);
    assert!(Session::unsaved(&state).is_empty());
    assert_eq!(std::fs::read_dir(&state).expect("there").count(), 0);
}

#[test]
fn an_imported_level_is_unsaved_and_found_again_before_its_first_edit() {
    let folder = Folder::new();
    let state = folder.file("state");
    let mut drawn = Session::unnamed(Level::default(), &state);
    note(&mut drawn, "from elsewhere");
    let level = Level::clone(drawn.document().level());
    drawn.discard();
    let session = Session::imported(level, &state);
    assert!(session.document().is_dirty());
    drop(session);
    let found = Session::unsaved(&state);
    assert_eq!(found.len(), 1);
    let recovery = Session::resume_unnamed(&found[0]).expect("readable");
    let mut session = recovery.accept();
    assert_eq!(names(session.document()), ["from elsewhere"]);
    assert!(session.document().is_dirty());
    session
        .save_as(&folder.file("a.ron"), Overwrite::Never, &state)
        .expect("saves");
    assert!(!session.document().is_dirty());
    drop(session);
    assert!(Session::unsaved(&state).is_empty());
}

/// A journal with a base and some steps, as bytes.
fn journal_bytes() -> Vec<u8> {
    let folder = Folder::new();
    let state = folder.file("state");
    let mut session = Session::unnamed(Level::default(), &state);
    for i in 0..8 {
        note(&mut session, &i.to_string());
    }
    session.undo();
    drop(session);
    let found = Session::unsaved(&state);
    std::fs::read(&found[0]).expect("there")
}

#[test]
fn a_torn_tail_costs_only_the_torn_record() {
    let bytes = journal_bytes();
    let whole = journal::read_bytes(&bytes).expect("whole").expect("told");
    assert_eq!((whole.entries.len(), whole.torn_bytes), (9, 0));
    let mut last = 0;
    for cut in 0..bytes.len() {
        match journal::read_bytes(&bytes[..cut]) {
            Ok(Some(contents)) => {
                assert!(contents.entries.len() >= last, "cut at {cut}");
                assert_eq!(
                    contents.entries[..],
                    whole.entries[..contents.entries.len()]
                );
                last = contents.entries.len();
            }
            Ok(None) => assert_eq!(last, 0),
            Err(error) => panic!("cut at {cut}: {error}"),
        }
    }
    assert_eq!(last, 8);
}

#[test]
fn hostile_journals_never_panic_and_never_bring_back_something_else() {
    let bytes = journal_bytes();
    let whole = journal::read_bytes(&bytes).expect("whole").expect("told");
    let mut random = Random::new(9);
    for _ in 0..2000 {
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        if let Ok(Some(contents)) = journal::read_bytes(&bytes) {
            assert_eq!(
                contents.entries[..],
                whole.entries[..contents.entries.len()]
            );
        }
    }
}

#[test]
fn a_crash_between_writing_the_file_and_the_journal_leaves_nothing_unsaved() {
    let folder = Folder::new();
    let (path, state) = (folder.file("a.ron"), folder.file("state"));
    let mut session = Session::unnamed(Level::default(), &state);
    session
        .save_as(&path, Overwrite::Never, &state)
        .expect("saves");
    note(&mut session, "saved at the last moment");
    // The journal as it is when the new file has just been put in place.
    let text = session.text();
    let mut journal_file = std::fs::read(journal_path(&path)).expect("there");
    let mut payload = vec![b'W'];
    payload.extend(wayloom::base::ContentHash::of(text.as_bytes()).to_bytes());
    journal_file.extend((payload.len() as u32).to_le_bytes());
    journal_file.extend(crc32fast::hash(&payload).to_le_bytes());
    journal_file.extend(payload);
    session.discard();
    std::fs::write(&path, &text).expect("writes");
    std::fs::write(journal_path(&path), journal_file).expect("writes");
    let Opened::Clean(session) = Session::open(&path, &state).expect("opens") else {
        panic!("everything was saved");
    };
    assert_eq!(names(session.document()), ["saved at the last moment"]);
    assert_eq!(
        format::write(session.document().level(), session.document().next_id()),
        text
    );
}

#[test]
fn unsaved_work_of_a_file_is_found_wherever_it_lies() {
    let folder = Folder::new();
    let state = folder.file("state");
    std::fs::create_dir(folder.file("elsewhere")).expect("writable");
    let path = folder.file("elsewhere/yard.ron");
    let mut session = Session::unnamed(Level::default(), &state);
    session
        .save_as(&path, Overwrite::Never, &state)
        .expect("saves");
    assert!(Session::unsaved_files(&state).is_empty());
    note(&mut session, "changed");
    // A running session has nothing to offer.
    assert!(Session::unsaved_files(&state).is_empty());
    // A crash leaves the note as it is.
    let noted: Vec<(std::path::PathBuf, Vec<u8>)> = std::fs::read_dir(&state)
        .expect("ours")
        .flatten()
        .map(|entry| (entry.path(), std::fs::read(entry.path()).expect("readable")))
        .collect();
    crash(session);
    for (file, bytes) in noted {
        std::fs::write(file, bytes).expect("writable");
    }
    assert_eq!(Session::unsaved_files(&state), std::slice::from_ref(&path));
    let Ok(Opened::Unsaved(recovery)) = Session::open(&path, &state) else {
        panic!("it is offered");
    };
    let mut session = recovery.accept();
    session.save(Overwrite::OnPurpose).expect("saves");
    drop(session);
    assert!(Session::unsaved_files(&state).is_empty());
    let notes = std::fs::read_dir(&state).expect("ours").flatten();
    assert_eq!(notes.count(), 0, "nothing is left to be noted");
}
