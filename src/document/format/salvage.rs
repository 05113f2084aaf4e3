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

/// Salvage reads the text at most so many times over.
const MAX_PASSES: usize = 16;

/// A level without its damaged parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Salvaged {
    pub loaded: Loaded,
    /// The first error in the file.
    pub error: FormatError,
    /// Number of skipped entities whose beginning was found.
    pub lost: usize,
    /// Numbers next to the damage that no entity found has: entities in the destroyed part, or deleted
    /// before the file was written.
    pub maybe_lost: usize,
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
    // Brackets that never close are looked for to the end: a text full of them must not take for ever.
    let mut effort = text.len().saturating_mul(MAX_PASSES);
    let mut missing = 0;
    let starts: Vec<usize> = beginnings(text).collect();
    for (i, &start) in starts.iter().enumerate() {
        let whole = (effort > 0).then(|| balanced(&text[start..])).flatten();
        effort = effort.saturating_sub(whole.map_or(text.len() - start, str::len));
        let entity = whole.and_then(migrate::read_newest_entity);
        match entity.map(v2::Entity::into_entity) {
            Some((id, entity)) if entity.check().is_ok() => sound.push(Edit::create(id, entity)),
            // What follows a damaged entity may have gone with it: numbers up to the next one.
            _ => {
                lost += 1;
                let next = starts.get(i + 1).map_or_else(
                    || promised_ids(text).map(|last| last + 1),
                    |next| id_at(text, *next),
                );
                if let (Some(id), Some(next)) = (id_at(text, start), next) {
                    missing += next.saturating_sub(id + 1);
                }
            }
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
    let promised = promised_ids(text).unwrap_or(0);
    // Without a damaged entity the damage lies between them, where a whole block may be missing.
    let maybe_lost = if lost == 0 {
        promised.saturating_sub(kept)
    } else {
        missing.min(promised.saturating_sub(kept + lost))
    };
    (kept > 0).then_some(Salvaged {
        loaded: Loaded { level, next_id },
        error,
        lost,
        maybe_lost,
    })
}

/// How many numbers had been given when the file was written.
fn promised_ids(text: &str) -> Option<usize> {
    let after = text[text.find("next_id:")? + "next_id:".len()..].trim_start();
    let digits = after.find(|letter: char| !letter.is_ascii_digit())?;
    let next: usize = after[..digits].parse().ok()?;
    // A damaged number is no promise.
    (next <= text.len()).then(|| next.saturating_sub(1))
}

/// The number of the entity that begins here.
fn id_at(text: &str, start: usize) -> Option<usize> {
    let rest = text[start + 1..].trim_start().strip_prefix("id")?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
    rest[..digits].parse().ok()
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
            let gone = level.len() - saved.loaded.level.len();
            assert!(
                saved.lost + saved.maybe_lost >= gone,
                "{gone} gone, {saved:?}"
            );
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
            assert_eq!(saved.maybe_lost, 0, "{broken}");
            let FormatError::Damaged { line, .. } = saved.error else {
                panic!("the place is named")
            };
            assert!(line > 1);
        }
        // A block of the disk that reads as zeros takes many with it, and tells of none.
        let (from, to) = (text.len() / 4, text.len() / 2);
        let (from, to) = (
            text[..from].rfind('\n').expect("lines"),
            text[..to].rfind('\n').expect("lines"),
        );
        let zeros = "\0".repeat(to - from);
        let damaged = format!("{}{zeros}{}", &text[..from], &text[to..]);
        let saved = salvage(&damaged).expect("most of it is left");
        let gone = level.len() - saved.loaded.level.len();
        assert!(
            gone > 5 && saved.lost + saved.maybe_lost >= gone,
            "{gone} gone, {} + {}",
            saved.lost,
            saved.maybe_lost
        );
        // Duplicate entities are kept once.
        let again = text.replacen("id: 5,", "id: 4,", 1);
        let saved = salvage(&again).expect("most of it is left");
        assert_eq!((saved.lost, saved.loaded.level.len()), (1, level.len() - 1));
    }
}
