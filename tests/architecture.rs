//! Holds the rooms of the house to their order. Every room is a package, so that the compiler sees
//! to it that one uses only what its manifest names; here the manifests are read.

use std::path::{Path, PathBuf};

/// From the top down. A room may use whatever stands before it.
const ROOMS: [&str; 14] = [
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
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

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

/// Rooms that a manifest names as dependencies, those of tests included.
fn rooms_named(manifest: &str) -> Vec<&str> {
    manifest
        .lines()
        .filter_map(|line| line.strip_prefix("wayloom-"))
        .filter_map(|rest| rest.split(['.', ' ', '=']).next())
        .collect()
}

#[test]
fn no_room_looks_down() {
    for (rank, room) in ROOMS.iter().enumerate() {
        let manifest = sources().join(room).join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).expect("every room has a manifest");
        let named = rooms_named(&text);
        assert_eq!(named.is_empty(), rank == 0, "{room} names {named:?}");
        for other in named {
            let is_above = ROOMS[..rank].contains(&other);
            assert!(is_above, "{room} uses {other}, which stands below it");
        }
    }
}

#[test]
fn every_folder_is_a_room() {
    let folders = std::fs::read_dir(sources()).expect("readable").flatten();
    for folder in folders.filter(|entry| entry.path().is_dir()) {
        let name = folder.file_name().to_string_lossy().into_owned();
        assert!(ROOMS.contains(&name.as_str()), "`{name}`; see ROOMS");
    }
}

#[test]
fn sources_hold_code_alone() {
    let is_code = |path: &Path| {
        path.extension().is_some_and(|ending| ending == "rs") || path.ends_with("Cargo.toml")
    };
    let mut found = files(&sources());
    found.retain(|path| !is_code(path));
    assert!(found.is_empty(), "these belong in assets/: {found:?}");
}
