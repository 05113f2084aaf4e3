//! Saving where it is not easy.

use crate::folder::Folder;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;
use wayloom::document::{
    Edit, Level, Session, Settings,
    format::{self, disk, disk::FileError},
    session::{FileState, Opened, Overwrite},
};

fn rename(session: &mut Session, name: &str) {
    let settings = Settings {
        name: name.to_owned(),
        ..Settings::clone(session.document().level().settings())
    };
    session
        .commit("Rename", vec![Edit::Settings(Arc::new(settings))])
        .expect("valid");
}

fn saved_session(folder: &Folder, name: &str) -> Session {
    let mut session = Session::unnamed(Level::default(), &folder.file("state"));
    rename(&mut session, "first");
    session
        .save_as(&folder.file(name), Overwrite::Never, &folder.file("state"))
        .expect("saves");
    session
}

fn open_clean(path: &Path, folder: &Folder) -> Session {
    match Session::open(path, &folder.file("state")).expect("opens") {
        Opened::Clean(session) => session,
        Opened::Unsaved(recovery) => panic!("nothing should be unsaved: {}", recovery.summary),
    }
}

fn name_in(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("there");
    let loaded = format::read(&text).expect("whole");
    loaded.level.settings().name.clone()
}

#[test]
fn the_version_before_is_kept_and_nothing_else_is_left() {
    let folder = Folder::new();
    let mut session = saved_session(&folder, "a.ron");
    rename(&mut session, "second");
    session.save(Overwrite::Never).expect("saves");
    assert!(!session.document().is_dirty());
    drop(session);
    assert_eq!(folder.names(), ["a.ron", "a.ron~", "state"]);
    assert_eq!(name_in(&folder.file("a.ron")), "second");
    assert_eq!(name_in(&disk::backup_path(&folder.file("a.ron"))), "first");
}

#[test]
fn a_symbolic_link_stays_one_and_its_target_is_written() {
    let folder = Folder::new();
    drop(saved_session(&folder, "real.ron"));
    let link = folder.file("link.ron");
    std::os::unix::fs::symlink("real.ron", &link).expect("links work here");
    let mut session = open_clean(&link, &folder);
    rename(&mut session, "through the link");
    session.save(Overwrite::Never).expect("saves");
    assert!(link.symlink_metadata().expect("there").is_symlink());
    assert_eq!(name_in(&folder.file("real.ron")), "through the link");
}

#[test]
fn another_program_on_the_file_is_noticed_before_it_is_overwritten() {
    let folder = Folder::new();
    let path = folder.file("a.ron");
    let mut session = saved_session(&folder, "a.ron");
    rename(&mut session, "mine");
    let text = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, text.replace("first", "theirs")).expect("writes");
    assert_eq!(session.file_state(), FileState::Changed);
    let refusal = session.save(Overwrite::Never).expect_err("changed");
    assert!(matches!(refusal, FileError::Changed(_)), "{refusal}");
    assert_eq!(name_in(&path), "theirs");
    assert!(session.document().is_dirty());
    session.save(Overwrite::OnPurpose).expect("asked for");
    assert_eq!(name_in(&path), "mine");
    assert_eq!(name_in(&disk::backup_path(&path)), "theirs");
}

#[test]
fn a_level_cannot_be_opened_twice() {
    let folder = Folder::new();
    let session = saved_session(&folder, "a.ron");
    let refusal = Session::open(&folder.file("a.ron"), &folder.file("state"));
    assert!(matches!(refusal, Err(FileError::InUse(_))));
    drop(session);
    open_clean(&folder.file("a.ron"), &folder);
}

#[test]
fn a_vanished_file_is_written_again_and_a_vanished_folder_named() {
    let folder = Folder::new();
    let path = folder.file("a.ron");
    let mut session = saved_session(&folder, "a.ron");
    std::fs::remove_file(&path).expect("there");
    assert_eq!(session.file_state(), FileState::Gone);
    rename(&mut session, "again");
    session.save(Overwrite::Never).expect("nothing to lose");
    assert_eq!(name_in(&path), "again");
    let missing = folder.file("no/such/folder/a.ron");
    let refusal = session
        .save_as(&missing, Overwrite::Never, &folder.file("state"))
        .expect_err("no folder");
    assert!(
        refusal.to_string().contains("the folder no longer exists"),
        "{refusal}"
    );
    assert_eq!(session.path(), Some(&*path));
    rename(&mut session, "still fine");
    session.save(Overwrite::Never).expect("as before");
}

#[test]
fn a_file_that_may_not_be_written_is_left_alone() {
    let folder = Folder::new();
    let mut session = saved_session(&folder, "a.ron");
    let refusal = session
        .save_as(
            Path::new("/proc/a.ron"),
            Overwrite::Never,
            &folder.file("state"),
        )
        .expect_err("no one can write there");
    assert!(
        refusal.to_string().starts_with("/proc/a.ron: "),
        "{refusal}"
    );
    assert_eq!(session.path(), Some(&*folder.file("a.ron")));
    rename(&mut session, "unharmed");
    session.save(Overwrite::Never).expect("as before");
}

#[test]
fn unreadable_files_are_named_with_what_is_wrong() {
    let folder = Folder::new();
    let state = folder.file("state");
    let cases: [(&str, &[u8], &str); 4] = [
        ("latin.ron", b"Wayloom(\xff", "byte 8 is not UTF-8"),
        ("text.ron", b"hello", "this is not a Wayloom level"),
        ("cut.ron", b"Wayloom(version: 1, next_id: 5,", "truncated"),
        ("new.ron", b"Wayloom(version: 99, x: 1)", "newer Wayloom"),
    ];
    for (name, bytes, words) in cases {
        let path = folder.file(name);
        std::fs::write(&path, bytes).expect("writes");
        let sentence = match Session::open(&path, &state) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{name} was opened"),
        };
        assert!(
            sentence.contains(name) && sentence.contains(words),
            "{sentence}"
        );
        assert_eq!(std::fs::read(&path).expect("still there"), bytes);
    }
    let missing = Session::open(&folder.file("none.ron"), &state).expect_err("missing");
    assert!(missing.to_string().contains("there is no such file"));
    let directory = Session::open(folder.path(), &state).expect_err("a folder");
    assert!(directory.to_string().contains("a folder"), "{directory}");
}

/// A tiny file system of its own; `None` where the test may not mount one.
pub struct SmallDisk(pub Folder);

impl SmallDisk {
    pub fn new(size: &str) -> Option<Self> {
        let folder = Folder::new();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).output();
    }
}

#[test]
fn on_a_full_disk_the_old_file_stays_and_work_goes_on() {
    let Some(disk) = SmallDisk::new("256k") else {
        eprintln!(
            "skipped: mounting a small file system needs rights that this user does not have"
        );
        return;
    };
    let folder = &disk.0;
    let path = folder.file("a.ron");
    let mut session = saved_session(folder, "a.ron");
    rename(&mut session, "before");
    session.save(Overwrite::Never).expect("room enough");
    std::fs::write(folder.file("ballast"), vec![0; 236 << 10]).expect("room enough");
    let big = Settings {
        name: "big".to_owned(),
        notes: "y".repeat(40_000),
        ..Settings::clone(session.document().level().settings())
    };
    session
        .commit("Write a lot", vec![Edit::Settings(Arc::new(big))])
        .expect("edits go on");
    let trouble = session
        .trouble()
        .expect("the journal has no room")
        .to_owned();
    assert!(trouble.contains("would not survive a crash"), "{trouble}");
    let refusal = session.save(Overwrite::Never).expect_err("no room");
    assert!(matches!(refusal, FileError::NoRoom(_)), "{refusal}");
    assert_eq!(name_in(&path), "before");
    // Room again: the waiting step reaches the journal with the next one, and saving works.
    std::fs::remove_file(folder.file("ballast")).expect("there");
    rename(&mut session, "after");
    assert_eq!(session.trouble(), None);
    session.save(Overwrite::Never).expect("room again");
    assert_eq!(name_in(&path), "after");
    drop(session);
    assert_eq!(folder.names(), ["a.ron", "a.ron~", "state"]);
}

#[test]
fn of_many_who_create_a_file_at_once_one_succeeds() {
    let folder = Folder::new();
    for round in 0..50 {
        let path = folder.file(&format!("{round}.txt"));
        let created: Vec<bool> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4_u8)
                .map(|who| {
                    let path = &path;
                    scope.spawn(move || match disk::create(path, &[who; 4096]) {
                        Ok(()) => true,
                        Err(FileError::Exists(_)) => false,
                        Err(error) => panic!("{error}"),
                    })
                })
                .collect();
            let ended = threads.into_iter().map(ScopedJoinHandle::join);
            ended.map(|result| result.expect("no panic")).collect()
        });
        let winner = created.iter().position(|created| *created);
        assert_eq!(created.iter().filter(|created| **created).count(), 1);
        let bytes = std::fs::read(&path).expect("created");
        assert_eq!(Some(usize::from(bytes[0])), winner);
        assert_eq!(bytes, [bytes[0]; 4096], "whole");
    }
    let left = folder.names();
    assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
}

#[test]
fn of_many_who_replace_one_version_one_succeeds_and_the_version_is_the_backup() {
    let folder = Folder::new();
    let path = folder.file("a.ron");
    for round in 0..50 {
        let original = format!("original {round}");
        std::fs::write(&path, &original).expect("writes");
        let version = disk::hash_on_disk(&path).expect("readable").expect("there");
        let saved: Vec<bool> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|who| {
                    let path = &path;
                    let text = format!("mine {who}");
                    let replacing = disk::Replacing::Version(version);
                    scope.spawn(move || match disk::save(path, &text, replacing) {
                        Ok(_) => true,
                        Err(FileError::Changed(_)) => false,
                        Err(error) => panic!("{error}"),
                    })
                })
                .collect();
            let ended = threads.into_iter().map(ScopedJoinHandle::join);
            ended.map(|result| result.expect("no panic")).collect()
        });
        assert_eq!(saved.iter().filter(|saved| **saved).count(), 1);
        let winner = saved.iter().position(|saved| *saved).expect("one");
        let read = |path: &Path| std::fs::read_to_string(path).expect("there");
        assert_eq!(read(&path), format!("mine {winner}"));
        assert_eq!(read(&disk::backup_path(&path)), original);
    }
}
