//! What could be written next.

use super::names::Names;
use super::parse::{Expected, Parser};
use super::token::{is_word_letter, tokens};
use crate::base::EntityId;
use std::ops::Range;

/// Most names that are offered at once.
const MAX_NAMES: usize = 50;

/// What could stand at the caret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The letters that a suggestion replaces. Unit: bytes of the text.
    pub replaces: Range<usize>,
    pub suggestions: Vec<Suggestion>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// As it stands in the sentence, with quotes where they are needed.
    pub text: String,
    /// The entity that it names.
    pub entity: Option<EntityId>,
}

/// Phrases and names that could follow before `caret`, a position in bytes; those that begin with
/// the letters already written.
#[must_use]
pub fn complete(text: &str, caret: usize, names: &Names) -> Completion {
    let mut caret = caret.min(text.len());
    while !text.is_char_boundary(caret) {
        caret -= 1;
    }
    let start = start_of_word(&text[..caret]);
    let written = text[start..caret].trim_start_matches('"').to_lowercase();
    let before = &text[..start];
    // Right after a number, letters would belong to it.
    let may_begin = |letter: char| letter.is_whitespace() || ";,()\"°".contains(letter);
    if !before.is_empty() && !before.ends_with(may_begin) {
        return Completion::default();
    }
    let Ok(tokens) = tokens(before) else {
        return Completion::default();
    };
    let expected = Parser::new(before, &tokens, names).expected_at_the_end();
    let mut suggestions = Vec::new();
    for one in &expected {
        match one {
            Expected::Name(role) => {
                let suiting = names.suiting(*role).filter(|id| {
                    let label = names.level().label(*id).to_lowercase();
                    label.starts_with(&written)
                        || label.split(' ').any(|word| word.starts_with(&written))
                });
                suggestions.extend(suiting.take(MAX_NAMES).map(|id| Suggestion {
                    text: names.reference(*role, id),
                    entity: Some(id),
                }));
            }
            Expected::Phrase(phrase) if phrase.0.starts_with(&written) => {
                suggestions.push(Suggestion {
                    text: phrase.0.to_owned(),
                    entity: None,
                });
            }
            Expected::Phrase(_) | Expected::Number | Expected::Time | Expected::Sign(_) => {}
        }
    }
    Completion {
        replaces: start..caret,
        suggestions,
    }
}

/// Where the word before the caret begins; an open quotation mark belongs to it.
fn start_of_word(before: &str) -> usize {
    let quotes = before
        .char_indices()
        .filter(|(at, letter)| *letter == '"' && !before[..*at].ends_with('\\'));
    let quotes: Vec<usize> = quotes.map(|(at, _)| at).collect();
    if quotes.len() % 2 == 1 {
        return quotes.last().copied().unwrap_or_default();
    }
    before
        .rfind(|letter| !is_word_letter(letter))
        .map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        })
}
