//! Holds the rooms of the house to their order: a room uses only rooms above it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// From the top down. A room may use itself and whatever stands before it.
const ROOMS: [&str; 15] = [
    "base",
    "jobs",
    "geometry",
    "document",
    "gpu",
    "nav",
    "planner",
    "sim",
    "preview",
    "interaction",
    "exchange",
    "lab",
    "cli",
    "editor",
    "main",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rs")
}

/// Rooms that a source names after `crate::` or `wayloom::`, grouped imports included, with the
/// line on which each name stands.
fn rooms_used(source: &str) -> Vec<(usize, String)> {
    let code: String = source
        .split_inclusive('\n')
        .map(|line| match line.split_once("//") {
            Some((code, _)) => format!("{code}\n"),
            None => line.to_owned(),
        })
        .collect();
    let line_of = |at: usize| code[..at].matches('\n').count() + 1;
    let mut used = Vec::new();
    for prefix in ["crate::", "wayloom::"] {
        for (at, _) in code.match_indices(prefix) {
            let start = at + prefix.len();
            for (offset, name) in first_segments(&code[start..]) {
                if ROOMS.contains(&name) {
                    used.push((line_of(start + offset), name.to_owned()));
                }
            }
        }
    }
    used.sort();
    used
}

/// The first segment of a path, or those of every member of a `{…}` group, with their offsets.
fn first_segments(path: &str) -> Vec<(usize, &str)> {
    let segment = |at: usize| {
        let rest = &path[at..];
        let blank = rest.len() - rest.trim_start().len();
        let rest = &rest[blank..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        (at + blank, &rest[..end])
    };
    if !path.starts_with('{') {
        return vec![segment(0)];
    }
    let mut segments = Vec::new();
    let mut depth = 0;
    for (at, c) in path.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && matches!(c, '{' | ',') {
            segments.push(segment(at + 1));
        }
    }
    segments
}

#[test]
fn no_room_looks_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rank: BTreeMap<&str, usize> = ROOMS.iter().enumerate().map(|(i, r)| (*r, i)).collect();
    let mut faults = Vec::new();
    let mut checked = 0;
    for path in files(&root).into_iter().filter(|path| is_source(path)) {
        let relative = path.strip_prefix(&root).expect("inside");
        let room = relative
            .components()
            .next()
            .map(|part| part.as_os_str().to_string_lossy().replace(".rs", ""))
            .expect("not empty");
        if room == "lib" {
            continue;
        }
        let own = *rank
            .get(room.as_str())
            .unwrap_or_else(|| panic!("`{room}` is not a room; see ROOMS"));
        let source = std::fs::read_to_string(&path).expect("readable");
        for (line, used) in rooms_used(&source) {
            checked += 1;
            if rank[used.as_str()] > own {
                faults.push(format!("{}:{line}: {room} uses {used}", relative.display()));
            }
        }
    }
    assert!(
        checked > 100,
        "only {checked} uses found: is the reader broken?"
    );
    assert!(
        faults.is_empty(),
        "rooms that look down:\n{}",
        faults.join("\n")
    );
}

#[test]
fn the_reader_sees_single_and_grouped_imports_but_no_comments() {
    let source = "use crate::document::Level;\n// crate::editor\nlet x = crate::lab::f();\n\
                  use crate::{base, geometry::{Rect, nav}};\nuse crate::{\n    jobs::Job,\n    \
                  // planner,\n    sim,\n};";
    let found: Vec<(usize, String)> = rooms_used(source);
    let found: Vec<(usize, &str)> = found.iter().map(|(l, n)| (*l, n.as_str())).collect();
    let expected = [
        (1, "document"),
        (3, "lab"),
        (4, "base"),
        (4, "geometry"),
        (6, "jobs"),
        (8, "sim"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn sources_hold_code_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let other: Vec<PathBuf> = files(&root)
        .into_iter()
        .filter(|path| !is_source(path))
        .collect();
    assert!(other.is_empty(), "these belong in assets/: {other:?}");
}
