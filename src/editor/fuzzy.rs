//! Fuzzy matching of names, by the matcher of the Helix editor.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::cmp::Reverse;

/// How well a name matches: by letters at word starts and in a row, then by brevity.
pub type Rank = (u32, Reverse<usize>);

/// Matches names against one query: its words may come in any order.
#[derive(Debug)]
pub struct Fuzzy {
    pattern: Pattern,
    matcher: Matcher,
    characters: Vec<char>,
}

impl Fuzzy {
    #[must_use]
    pub fn new(query: &str) -> Self {
        let mut config = Config::DEFAULT;
        config.prefer_prefix = true;
        let (case, accents) = (CaseMatching::Ignore, Normalization::Smart);
        Self {
            pattern: Pattern::new(query, case, accents, AtomKind::Fuzzy),
            matcher: Matcher::new(config),
            characters: Vec::new(),
        }
    }

    /// The rank of a name and the matched characters; `None` if it does not match.
    pub fn rank(&mut self, name: &str) -> Option<(Rank, Vec<usize>)> {
        let name = Utf32Str::new(name, &mut self.characters);
        let mut met = Vec::new();
        let score = self.pattern.indices(name, &mut self.matcher, &mut met)?;
        met.sort_unstable();
        met.dedup();
        let met = met.into_iter().map(|at| at as usize).collect();
        Some(((score, Reverse(name.len())), met))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'a>(query: &str, names: &[&'a str]) -> Option<&'a str> {
        let mut fuzzy = Fuzzy::new(query);
        let ranked = names
            .iter()
            .filter_map(|name| Some((fuzzy.rank(name)?.0, *name)));
        ranked.max().map(|(_, name)| name)
    }

    #[test]
    fn initials_and_beginnings_win() {
        let names = ["Save", "Save as…", "Select all", "Screenshot", "Align left"];
        assert_eq!(best("sa", &names), Some("Save"));
        assert_eq!(best("saa", &names), Some("Save as…"));
        assert_eq!(best("sel", &names), Some("Select all"));
        assert_eq!(best("al", &names), Some("Align left"));
        assert_eq!(best("zq", &names), None);
    }

    #[test]
    fn the_letters_met_spell_the_words_of_the_query() {
        let text = "Distribute across";
        for query in ["d ac", "ac d"] {
            let (_, met) = Fuzzy::new(query).rank(text).expect("fits");
            let letters: String = met.iter().filter_map(|at| text.chars().nth(*at)).collect();
            assert_eq!(letters, "Dac");
        }
        assert_eq!(Fuzzy::new("").rank(text).map(|(_, met)| met), Some(vec![]));
    }
}
