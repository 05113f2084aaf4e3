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
    "exchange",
    "preview",
    "interaction",
    "lab",
    "cli",
    "editor",
    "main",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Rooms that a source names after `crate::` or `wayloom::`, grouped imports included.
fn rooms_used(source: &str) -> Vec<(usize, String)> {
    let mut used = Vec::new();
    for (number, line) in source.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for prefix in ["crate::", "wayloom::"] {
            for (at, _) in code.match_indices(prefix) {
                let rest = &code[at + prefix.len()..];
                let names = match rest.strip_prefix('{') {
                    Some(group) => group.split(',').map(str::trim).collect(),
                    None => vec![rest],
                };
                for name in names {
                    let name: String = name
                        .chars()
                        .take_while(|c| c.is_alphanumeric() || *c == '_')
                        .collect();
                    if ROOMS.contains(&name.as_str()) {
                        used.push((number + 1, name));
                    }
                }
            }
        }
    }
    used
}

#[test]
fn no_room_looks_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rank: BTreeMap<&str, usize> = ROOMS.iter().enumerate().map(|(i, r)| (*r, i)).collect();
    let mut faults = Vec::new();
    let mut checked = 0;
    for path in sources(&root) {
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
    let source = "use crate::document::Level;\n// crate::editor\nlet x = crate::lab::f();\nuse crate::{base, geometry::Rect};";
    let names: Vec<String> = rooms_used(source).into_iter().map(|u| u.1).collect();
    assert_eq!(names, ["document", "lab", "base", "geometry"]);
}
