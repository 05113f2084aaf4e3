//! Files appear whole, and nothing is lost by it.

use super::*;
use std::fs;
use std::path::PathBuf;

const BAKE: Output = Output::Folder { index: "bake.json" };

#[test]
fn a_chosen_index_stands_for_its_folder_and_any_other_name_for_a_new_one() {
    let index = Target::chosen(Path::new("out/bake.json"), BAKE);
    assert_eq!(index.path(), Path::new("out"));
    let other = Target::chosen(Path::new("out/town.json"), BAKE);
    assert_eq!(other.main(), Path::new("out/town/bake.json"));
    let file = Target::chosen(Path::new("out/town.json"), Output::File);
    assert_eq!(
        (file.main(), file.path()),
        (Path::new("out/town.json"), file.main())
    );
}

#[test]
fn names_beside_the_main_file_stay_in_its_folder() {
    let mut sink = MemorySink::default();
    for name in ["", "../a", "a/../b", "a//b", "/a", "C:a", "."] {
        assert!(sink.write(name, Vec::new()).is_err(), "{name}");
    }
    sink.write("a.bin", vec![1]).expect("a plain name");
    sink.write_main(vec![2, 3]).expect("taken");
    assert_eq!(sink.byte_count(), 3);
}

#[test]
fn a_new_folder_is_written_whole_or_not_at_all() {
    let above = std::env::temp_dir().join(format!("wayloom-whole-{}", std::process::id()));
    fs::create_dir_all(&above).expect("writable");
    let target = Target::named(&above.join("new"), BAKE);
    // A file that cannot be written: another file has the name of its folder.
    let files = MemorySink {
        main: b"{}".to_vec(),
        beside: vec![
            ("a.bin/b.bin".to_owned(), vec![2]),
            ("a.bin".to_owned(), vec![1]),
        ],
    };
    assert!(target.save(&files, false).is_err());
    assert_eq!(fs::read_dir(&above).expect("ours").count(), 0);
    let files = MemorySink {
        beside: vec![("a.bin".to_owned(), vec![1])],
        ..files
    };
    target.save(&files, false).expect("written");
    let count = |path: &Path| fs::read_dir(path).expect("ours").count();
    // With the list of what was written.
    assert_eq!((count(&above), count(&above.join("new"))), (1, 3));
    fs::remove_dir_all(&above).expect("ours");
}

#[test]
fn nothing_is_overwritten_unless_told_to() {
    let folder = std::env::temp_dir().join(format!("wayloom-sink-{}", std::process::id()));
    let target = Target::named(&folder, BAKE);
    target
        .check(false)
        .expect("the folder is made when it is needed");
    let files = MemorySink {
        main: b"{}".to_vec(),
        beside: vec![("a.bin".to_owned(), vec![1])],
    };
    target.save(&files, false).expect("written");
    assert_eq!(fs::read(folder.join("a.bin")).expect("written"), [1]);
    fs::remove_file(folder.join("bake.json")).expect("ours");
    let refused = target.save(&files, false).expect_err("a.bin exists");
    assert!(refused.to_string().contains("a.bin"), "{refused}");
    assert!(!folder.join("bake.json").exists(), "nothing was written");
    target.save(&files, true).expect("told to");
    let refused = target.check(false).expect_err("exists").to_string();
    assert!(refused.contains("--force"), "{refused}");
    target.check(true).expect("told to");
    let file = Target::named(&folder.join("no/such/file.wkt"), Output::File);
    assert!(file.check(false).is_err());
    assert!(Target::named(&folder, Output::File).check(true).is_err());
    assert!(
        Target::named(&folder.join("a.bin"), BAKE)
            .check(true)
            .is_err()
    );
    fs::remove_dir_all(&folder).expect("ours");
}

/// A folder of its own, gone afterwards.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("wayloom-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("writable");
        Self(path)
    }

    fn names(&self, inner: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(inner)).expect("ours").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn files(word: u8, beside: &[&str]) -> MemorySink {
    MemorySink {
        main: vec![word],
        beside: beside
            .iter()
            .map(|name| ((*name).to_owned(), vec![word]))
            .collect(),
    }
}

#[test]
fn an_export_again_takes_away_what_it_no_longer_has_and_leaves_what_is_not_its_own() {
    let desk = Desk::new("again");
    let target = Target::named(&desk.0.join("out"), BAKE);
    let first = files(1, &["a.bin", "inner/b.bin", "c.bin"]);
    target.save(&first, false).expect("written");
    let out = desk.0.join("out");
    fs::write(out.join("notes.txt"), "mine").expect("writable");
    fs::create_dir(out.join("own")).expect("writable");
    fs::write(out.join("own/deep.txt"), "mine, too").expect("writable");
    std::os::unix::fs::symlink("notes.txt", out.join("link")).expect("links work here");
    let second = files(2, &["a.bin", "d.bin"]);
    target.save(&second, true).expect("written");
    let expected = [
        ".wayloom-export",
        "a.bin",
        "bake.json",
        "d.bin",
        "link",
        "notes.txt",
        "own",
    ];
    assert_eq!(desk.names("out"), expected);
    assert_eq!(desk.names(""), ["out"]);
    assert_eq!(fs::read(out.join("a.bin")).expect("there"), [2]);
    assert_eq!(
        fs::read(out.join("own/deep.txt")).expect("there"),
        b"mine, too"
    );
    assert!(out.join("link").is_symlink());
}

#[test]
fn a_folder_that_was_there_before_is_not_swapped() {
    use std::os::unix::fs::MetadataExt;
    let desk = Desk::new("shared");
    fs::write(desk.0.join("letter.txt"), "mine").expect("writable");
    let inode = || fs::metadata(&desk.0).expect("ours").ino();
    let before = inode();
    let target = Target::named(&desk.0, BAKE);
    target.save(&files(1, &["a.bin"]), false).expect("written");
    target.save(&files(2, &["b.bin"]), true).expect("written");
    assert_eq!(inode(), before);
    let expected = [".wayloom-export", "b.bin", "bake.json", "letter.txt"];
    assert_eq!(desk.names(""), expected);
}

#[test]
fn what_an_interrupted_export_left_is_swept() {
    let desk = Desk::new("left");
    fs::create_dir(desk.0.join(".out.12345-0.part")).expect("writable");
    fs::write(desk.0.join(".out.12345-0.part/a.bin"), "half").expect("writable");
    fs::write(desk.0.join(".out.wkt.12345-0.saving"), "half").expect("writable");
    let folder = Target::named(&desk.0.join("out"), BAKE);
    folder.save(&files(1, &["a.bin"]), false).expect("written");
    let file = Target::named(&desk.0.join("out.wkt"), Output::File);
    file.save(&files(1, &[]), false).expect("written");
    assert_eq!(desk.names(""), ["out", "out.wkt"]);
}

#[test]
fn of_many_who_export_at_once_without_force_one_succeeds() {
    for output in [BAKE, Output::File] {
        let desk = Desk::new("race");
        let target = Target::named(&desk.0.join("out"), output);
        let succeeded = std::thread::scope(|scope| {
            let each: Vec<_> = (0..8_u8)
                .map(|word| {
                    let target = &target;
                    scope.spawn(move || target.save(&files(word, &["a.bin", "b.bin"]), false))
                })
                .collect();
            let ends = each
                .into_iter()
                .map(|thread| thread.join().expect("no panic"));
            ends.filter(Result::is_ok).count()
        });
        assert_eq!(succeeded, 1, "{output:?}");
        let folder = target.main().parent().expect("one");
        let word = |name: &str| fs::read(folder.join(name)).expect("written");
        assert_eq!(word("a.bin"), word("b.bin"));
        assert_eq!(word("a.bin"), fs::read(target.main()).expect("written"));
        let hidden = desk
            .names("")
            .into_iter()
            .filter(|name| name.starts_with('.'));
        assert_eq!(hidden.count(), 0);
    }
}

#[test]
fn exports_at_once_with_force_never_mix() {
    let desk = Desk::new("force");
    let target = Target::named(&desk.0.join("out"), BAKE);
    target
        .save(&files(99, &["a.bin", "b.bin"]), false)
        .expect("written");
    std::thread::scope(|scope| {
        for word in 0..6_u8 {
            let target = &target;
            scope.spawn(move || {
                for _ in 0..5 {
                    target
                        .save(&files(word, &["a.bin", "b.bin"]), true)
                        .expect("in turn");
                }
            });
        }
    });
    let word = |name: &str| fs::read(desk.0.join("out").join(name)).expect("written");
    assert_eq!(
        (word("a.bin"), word("b.bin")),
        (word("bake.json"), word("bake.json"))
    );
    assert_eq!(desk.names(""), ["out"]);
}
