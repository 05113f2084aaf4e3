//! Names of new objects: a stem and the next number.

use crate::document::{Level, limits};
use std::collections::BTreeMap;

/// Characters reserved for the number after the stem.
const NUMBER_ROOM: usize = 20;

/// The stem with a number one above the highest in use.
#[must_use]
pub fn fresh_name(level: &Level, stem: &str) -> String {
    Namer::default().fresh(level, stem)
}

/// Yields several names, each numbered after the previous one.
#[derive(Debug, Default)]
pub struct Namer {
    next: BTreeMap<String, u64>,
}

impl Namer {
    pub fn fresh(&mut self, level: &Level, stem: &str) -> String {
        let stem: String = stem.chars().take(limits::MAX_NAME - NUMBER_ROOM).collect();
        let number = self
            .next
            .entry(stem.clone())
            .or_insert_with(|| highest_number(level, &stem) + 1);
        let name = format!("{stem} {number}");
        *number += 1;
        name
    }
}

fn highest_number(level: &Level, stem: &str) -> u64 {
    level
        .iter()
        .filter_map(|(_, entity)| {
            let number = entity.name.strip_prefix(stem)?.strip_prefix(' ')?;
            number.parse::<u32>().ok()
        })
        .max()
        .map_or(0, u64::from)
}

/// A name without its trailing number.
#[must_use]
pub fn stem_of(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((stem, number)) if !stem.is_empty() && number.parse::<u32>().is_ok() => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::document::{Edit, Entity, Kind, ops};

    #[test]
    fn numbers_go_on_after_the_highest_of_the_same_stem() {
        let names = ["Wall 2", "Wall 7", "Wall x", "Wallpaper 90", "Door"];
        let edits: Vec<Edit> = names
            .iter()
            .zip(1..)
            .map(|(name, id)| Edit::create(EntityId::new(id), Entity::new(*name, Kind::Layer)))
            .collect();
        let level = ops::apply(&Level::default(), &edits).expect("valid");
        let mut namer = Namer::default();
        assert_eq!(namer.fresh(&level, "Wall"), "Wall 8");
        assert_eq!(namer.fresh(&level, "Wall"), "Wall 9");
        assert_eq!(namer.fresh(&level, "Door"), "Door 1");
        assert_eq!(stem_of("Wall 8"), "Wall");
        assert_eq!(stem_of("Stairs to 4b"), "Stairs to 4b");
        let long = "é".repeat(limits::MAX_NAME);
        assert!(fresh_name(&level, &long).chars().count() <= limits::MAX_NAME);
    }
}
