//! The chain of versions. A file of any age is read by its own frozen module and migrated, one
//! version at a time, to the newest.
//!
//! To add version 2: copy `v1.rs` to `v2.rs` and change it there, write `impl From<v1::File> for
//! v2::File`, add an arm to [`read_newest`], and point `convert.rs` at `v2`.

use super::{FormatError, VERSION, options, v1};

pub(super) fn read_newest(text: &str) -> Result<v1::File, FormatError> {
    match version(text)? {
        #[cfg(test)]
        0 => parse::<tests::v0::File>(text).map(Into::into),
        1 => parse(text),
        newer if newer > VERSION => Err(FormatError::TooNew { version: newer }),
        unknown => Err(FormatError::at_start(format!(
            "version {unknown} of the level format never existed"
        ))),
    }
}

fn parse<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, FormatError> {
    options().from_str(text).map_err(FormatError::damaged)
}

/// Reads only `Wayloom(version: N` at the start: a newer version may differ in everything after it.
fn version(text: &str) -> Result<u32, FormatError> {
    let mut rest = skip_blanks(text);
    for word in ["Wayloom", "(", "version", ":"] {
        rest = rest
            .strip_prefix(word)
            .map(skip_blanks)
            .ok_or_else(FormatError::not_a_level)?;
    }
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .map_or(rest, |end| &rest[..end]);
    digits.parse().map_err(|_| FormatError::not_a_level())
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
        assert!(again.starts_with("Wayloom(\n    version: 1,\n"));
        assert_eq!(super::super::read(&again), Ok(loaded));
    }

    #[test]
    fn the_header_is_read_first_and_alone() {
        assert_eq!(
            version("\u{feff}/* hm */ Wayloom ( version : 7 } rubbish"),
            Ok(7)
        );
        for text in [
            "",
            "Wayloom(",
            "Level(version: 1)",
            "Wayloom(version: x)",
            "//",
            "/*",
        ] {
            assert_eq!(version(text), Err(FormatError::not_a_level()), "{text}");
        }
        let error = super::super::read("Wayloom(version: 7, anything").expect_err("newer");
        assert_eq!(
            error.to_string(),
            "this level was written by a newer Wayloom (format 7; this one reads up to 1): \
             update Wayloom to open it"
        );
    }
}
