//! Recovers what is readable in a damaged level file.
//!
//! A file edited or merged by hand, or truncated by a full disk, still holds most of the level.
//! Each entity is read separately; unreadable ones are skipped.

use super::{FormatError, Loaded, migrate, options, read, v2};
use crate::base::EntityId;
use crate::document::edit::Edit;
use crate::document::model::Level;
use crate::document::ops;
use std::sync::Arc;

/// A level without its damaged parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Salvaged {
    pub loaded: Loaded,
    /// The first error in the file.
    pub error: FormatError,
    /// Number of skipped entities whose beginning was found.
    pub lost: usize,
}

/// The readable part of a damaged level; `None` for a valid file, a newer version, and one of which
/// nothing is left.
#[must_use]
pub fn salvage(text: &str) -> Option<Salvaged> {
    let error = match read(text) {
        Err(error @ FormatError::Damaged { .. }) => error,
        _ => return None,
    };
    let settings = part(text, "settings:").and_then(|text| options().from_str(text).ok());
    let settings = settings.map(|settings: v2::Settings| Edit::Settings(Arc::new(settings.into())));
    let ground = part(text, "ground:").and_then(|text| options().from_str(text).ok());
    let ground = ground.map(|ground: v2::Ground| Edit::Ground(Some(Arc::new(ground.into()))));
    let mut level = Level::default();
    for edit in settings.into_iter().chain(ground) {
        if let Ok(better) = ops::apply(&level, &[edit]) {
            level = better;
        }
    }
    let (mut sound, mut lost) = (Vec::new(), 0);
    for start in beginnings(text) {
        let entity = balanced(&text[start..]).and_then(migrate::read_newest_entity);
        match entity.map(v2::Entity::into_entity) {
            Some((id, entity)) if entity.check().is_ok() => sound.push(Edit::create(id, entity)),
            _ => lost += 1,
        }
    }
    let mut kept = 0;
    // All at once; one by one only if ids are duplicated.
    match ops::apply(&level, &sound) {
        Ok(whole) => (level, kept) = (whole, sound.len()),
        Err(_) => {
            for edit in sound {
                match ops::apply(&level, &[edit]) {
                    Ok(better) => (level, kept) = (better, kept + 1),
                    Err(_) => lost += 1,
                }
            }
        }
    }
    let next_id = level.largest_id().next().max(EntityId::new(1));
    (kept > 0).then_some(Salvaged {
        loaded: Loaded { level, next_id },
        error,
        lost,
    })
}

/// Where entities begin: an opening bracket followed by the field `id`.
fn beginnings(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices('(').map(|(at, _)| at).filter(move |at| {
        let rest = text[at + 1..].trim_start();
        let rest = rest.strip_prefix("id").map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(':'))
    })
}

/// The bracketed value after a name.
fn part<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let after = &text[text.find(name)? + name.len()..];
    balanced(after.trim_start())
}

/// From an opening bracket to its matching closing one.
fn balanced(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(&text[..=at]);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::format::write;
    use crate::document::template::Template;

    fn museum() -> (Level, String) {
        let template = Template::by_name("rooms").expect("a sample");
        let level = template.build(&Default::default()).expect("valid");
        let text = write(&level, level.largest_id().next());
        (level, text)
    }

    #[test]
    fn a_sound_file_needs_no_salvage_and_a_newer_one_gets_none() {
        let (_, text) = museum();
        assert_eq!(salvage(&text), None);
        assert_eq!(
            salvage(&text.replacen("version: 2", "version: 99", 1)),
            None
        );
        for nothing in ["", "Wayloom(version: 2,", "(id: 3)", "no level at all"] {
            assert_eq!(salvage(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_file_cut_off_anywhere_keeps_what_comes_before_the_cut() {
        let (level, text) = museum();
        for share in [3, 5, 8] {
            let mut cut = text.len() * share / 10;
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let saved = salvage(&text[..cut]).expect("something is left");
            assert!(saved.lost <= 1);
            let kept = &saved.loaded.level;
            assert!(
                kept.len() > level.len() * share / 20,
                "{share}: {}",
                kept.len()
            );
            assert_eq!(kept.settings(), level.settings());
            for (id, entity) in kept.iter() {
                assert_eq!(Some(entity), level.get(id), "as it was written");
            }
            assert!(
                read(&write(kept, saved.loaded.next_id)).is_ok(),
                "saved as a copy"
            );
        }
    }

    #[test]
    fn damage_inside_one_entity_loses_only_that_entity() {
        let (level, text) = museum();
        let damages: [(&str, &str); 3] = [
            ("name: \"Parquet\"", "name: Parquet"),
            ("weight: 0.7", "weight: -0.7"),
            ("kind: Profile(", "knid: Profile("),
        ];
        for (whole, broken) in damages {
            let damaged = text.replacen(whole, broken, 1);
            assert_ne!(damaged, text);
            let saved = salvage(&damaged).expect("most of it is left");
            assert_eq!((saved.lost, saved.loaded.level.len()), (1, level.len() - 1));
            let FormatError::Damaged { line, .. } = saved.error else {
                panic!("the place is named")
            };
            assert!(line > 1);
        }
        // Duplicate entities are kept once.
        let again = text.replacen("id: 5,", "id: 4,", 1);
        let saved = salvage(&again).expect("most of it is left");
        assert_eq!((saved.lost, saved.loaded.level.len()), (1, level.len() - 1));
    }
}
