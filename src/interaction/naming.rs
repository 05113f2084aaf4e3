//! Names for new things: the stem and the next number.

use crate::document::{Level, limits};

/// Room for the number behind the stem. Unit: characters.
const NUMBER_ROOM: usize = 20;

/// The stem with one more than the highest number that it has in the level.
#[must_use]
pub fn fresh_name(level: &Level, stem: &str) -> String {
    let stem: String = stem.chars().take(limits::MAX_NAME - NUMBER_ROOM).collect();
    let highest = level
        .iter()
        .filter_map(|(_, entity)| {
            let number = entity.name.strip_prefix(stem.as_str())?.strip_prefix(' ')?;
            number.parse::<u32>().ok()
        })
        .max()
        .unwrap_or(0);
    format!("{stem} {}", u64::from(highest) + 1)
}
