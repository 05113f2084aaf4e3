//! The chain of versions. A file of any age is read by its own frozen module and migrated, one
//! version at a time, to the newest.
//!
//! To add version 3: write `v3.rs` with what changes, re-exporting the rest from `v2`, a module of
//! `From`s from the previous version, an arm for each reader here, and point `convert` at `v3`.

use super::{FormatError, VERSION, options, v1, v2};

pub(super) fn read_newest(text: &str) -> Result<v2::File, FormatError> {
    match version("Wayloom", text).ok_or_else(FormatError::not_a_level)? {
        #[cfg(test)]
        0 => parse::<tests::v0::File>(text).map(|file| v1::File::from(file).into()),
        1 => parse::<v1::File>(text).map(Into::into),
        2 => parse(text),
        other => Err(unknown(other)),
    }
}

pub(super) fn read_newest_clip(text: &str) -> Result<v2::Clip, FormatError> {
    let nothing = || FormatError::at_start("the clipboard holds no Wayloom objects");
    match version("WayloomClip", text).ok_or_else(nothing)? {
        1 => parse::<v1::Clip>(text).map(Into::into),
        2 => parse(text),
        other => Err(unknown(other)),
    }
}

/// Steps carry no version. A text that two versions can read means the same in both.
pub(super) fn read_newest_step(text: &str) -> Result<v2::Step, FormatError> {
    parse(text).or_else(|error| {
        parse::<v1::Step>(text)
            .map(Into::into)
            .map_err(|_: FormatError| error)
    })
}

/// An entity on its own, for salvage: of the newest version or an older one.
pub(super) fn read_newest_entity(text: &str) -> Option<v2::Entity> {
    let older = || parse::<v1::Entity>(text).map(Into::into);
    parse(text).or_else(|_| older()).ok()
}

fn unknown(version: u32) -> FormatError {
    if version > VERSION {
        FormatError::TooNew { version }
    } else {
        FormatError::at_start(format!(
            "version {version} of the level format never existed"
        ))
    }
}

fn parse<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, FormatError> {
    options().from_str(text).map_err(FormatError::damaged)
}

/// Reads only `Wayloom(version: N` at the start: a newer version may differ in everything after it.
fn version(name: &str, text: &str) -> Option<u32> {
    let mut rest = skip_blanks(text);
    for word in [name, "(", "version", ":"] {
        rest = rest.strip_prefix(word).map(skip_blanks)?;
    }
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .map_or(rest, |end| &rest[..end]);
    digits.parse().ok()
}

/// Skips white space, a byte order mark, and comments.
fn skip_blanks(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let comment_end = if rest.starts_with("//") {
            rest.find('\n').map(|end| end + 1)
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            return rest;
        };
        rest = comment_end.map_or("", |end| &rest[end..]);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A hypothetical version 0 that exercises the chain.
    pub(in crate::document::format) mod v0 {
        use super::v1;
        use serde::Deserialize;

        #[derive(Debug, Deserialize)]
        #[serde(rename = "Wayloom", deny_unknown_fields)]
        pub struct File {
            #[allow(dead_code)]
            pub version: u32,
            pub title: String,
            pub size: (f64, f64),
            pub walls: Vec<Vec<v1::Point>>,
        }

        impl From<File> for v1::File {
            fn from(old: File) -> Self {
                let wall = |(i, outer): (usize, Vec<v1::Point>)| v1::Entity {
                    id: i as u64 + 1,
                    name: String::new(),
                    layer: None,
                    group: None,
                    hidden: false,
                    locked: false,
                    tags: Default::default(),
                    kind: Box::new(v1::Kind::Obstacle(v1::Obstacle {
                        area: v1::Polygon {
                            outer,
                            holes: Vec::new(),
                        },
                        base: 0.0,
                        height: 3.0,
                        facing: 0.0,
                        motion: None,
                    })),
                };
                Self {
                    version: 1,
                    next_id: old.walls.len() as u64 + 1,
                    settings: v1::Settings {
                        cells: None,
                        forbidding: Vec::new(),
                        name: old.title,
                        notes: String::new(),
                        bounds: ((0.0, 0.0), old.size),
                        grid: 1.0,
                        grid_hidden: false,
                        no_ground: false,
                        snap: [v1::Snap::Grid].into(),
                        base_terrain: None,
                        clock: v1::Clock {
                            start: 12.0,
                            speed: 1.0,
                        },
                    },
                    ground: None,
                    entities: old.walls.into_iter().enumerate().map(wall).collect(),
                }
            }
        }
    }

    #[test]
    fn an_older_file_is_brought_up_the_chain() {
        let text = "// old\nWayloom(version: 0, title: \"Yard\", size: (20, 10),\n\
                    walls: [[(1, 1), (2, 1), (2, 2)], [(5, 5), (6, 5), (6, 6)]])";
        let loaded = super::super::read(text).expect("version 0 is known to the tests");
        assert_eq!(loaded.level.settings().name, "Yard");
        assert_eq!(loaded.level.obstacles().count(), 2);
        assert_eq!(loaded.next_id.number(), 3);
        let again = super::super::write(&loaded.level, loaded.next_id);
        assert!(again.starts_with("Wayloom(\n    version: 2,\n"));
        assert_eq!(super::super::read(&again), Ok(loaded));
    }

    #[test]
    fn the_header_is_read_first_and_alone() {
        assert_eq!(
            version(
                "Wayloom",
                "\u{feff}/* hm */ Wayloom ( version : 7 } rubbish"
            ),
            Some(7)
        );
        for text in [
            "",
            "Wayloom(",
            "Level(version: 1)",
            "Wayloom(version: x)",
            "//",
            "/*",
        ] {
            assert_eq!(version("Wayloom", text), None, "{text}");
            let error = super::super::read(text).expect_err("no level");
            assert_eq!(error, FormatError::not_a_level());
        }
        let error = super::super::read("Wayloom(version: 7, anything").expect_err("newer");
        assert_eq!(
            error.to_string(),
            "this level was written by a newer Wayloom (format 7; this one reads up to 2): \
             update Wayloom to open it"
        );
    }
}
