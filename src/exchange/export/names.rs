//! Names that other programs accept, made of names that people give.

use std::collections::{BTreeMap, BTreeSet};

/// Hands out names of one rule, each once.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// Of names that were wanted before: the number to try next.
    next: BTreeMap<String, usize>,
}

impl Names {
    /// The name itself, or with a number behind it.
    pub fn unique(&mut self, wanted: String) -> String {
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let number = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let name = format!("{wanted}_{number}");
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Longest name that is handed on; what is longer is cut.
const MOST: usize = 80;

/// Letters, digits and underscores of ASCII, not beginning with a digit: for USD and as file name.
pub(super) fn identifier(name: &str, otherwise: &str) -> String {
    let mut word: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(MOST)
        .collect();
    if word.chars().all(|c| c == '_') {
        word = otherwise.to_owned();
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        word.insert(0, '_');
    }
    word
}

/// Without control characters, blanks and what is `forbidden`.
pub(super) fn plain(name: &str, forbidden: &[char], otherwise: &str) -> String {
    let word: String = name
        .chars()
        .map(|c| match c {
            c if c.is_control() || c.is_whitespace() || forbidden.contains(&c) => '_',
            c => c,
        })
        .take(MOST)
        .collect();
    if word.chars().all(|c| c == '_') {
        otherwise.to_owned()
    } else {
        word
    }
}

/// As a text between quotation marks, where a backslash marks what would end it: GDScript, USD.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_become_harmless_and_stay_different() {
        assert_eq!(identifier("Wall 3", "x"), "Wall_3");
        assert_eq!(identifier("3/4", "x"), "_3_4");
        assert_eq!(identifier("🦀", "Obstacle_7"), "Obstacle_7");
        assert_eq!(plain("a \"b\"/c", &['"', '/'], "x"), "a__b__c");
        assert_eq!(quoted("a\"\\\n"), "\"a\\\"\\\\\\n\"");
        let mut names = Names::default();
        let all: Vec<String> = (0..3).map(|_| names.unique("a".to_owned())).collect();
        assert_eq!(all, ["a", "a_2", "a_3"]);
    }
}
