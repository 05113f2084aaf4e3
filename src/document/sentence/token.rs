//! Words, names in quotes, numbers, times and signs of a sentence.

use super::error::SentenceError;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    /// Unit: bytes of the text.
    pub at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A keyword or a name.
    Word(String),
    Quoted(String),
    Number(f64),
    /// A time of day as hours, minutes and seconds. Unit: hours.
    Time(f64),
    /// `#12`: an entity by its id.
    Id(u64),
    /// One of `; , ( ) °`.
    Sign(char),
}

/// Whether a word without quotes may hold this letter.
#[must_use]
pub fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether a word without quotes may begin with this letter; a number begins otherwise.
pub(super) fn is_word_start(letter: char) -> bool {
    is_word_letter(letter) && !letter.is_numeric()
}

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SentenceError> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let start = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(found);
        };
        let wrong = |length: usize, message: String| {
            SentenceError::new(text, start..start + length, message)
        };
        let (kind, length) = match first {
            ';' | ',' | '(' | ')' | '°' => (TokenKind::Sign(first), first.len_utf8()),
            '"' => quoted(rest).ok_or_else(|| {
                wrong(
                    rest.len(),
                    "this name has no closing quotation mark".to_owned(),
                )
            })?,
            '#' => {
                let length = digits(&rest[1..]);
                let id = rest[1..=length].parse().map_err(|_| {
                    wrong(
                        length + 1,
                        "after # stands the number of an object".to_owned(),
                    )
                })?;
                (TokenKind::Id(id), length + 1)
            }
            '0'..='9' | '-' | '+' | '.' => number(rest).ok_or_else(|| {
                let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
                let what = if rest[..length].contains(':') {
                    "a time of day from 0:00 to 24:00"
                } else {
                    "a number"
                };
                wrong(
                    length,
                    format!("\"{}\" is not {what}", clipped(&rest[..length])),
                )
            })?,
            letter if is_word_start(letter) => {
                let length = rest
                    .find(|letter| !is_word_letter(letter))
                    .unwrap_or(rest.len());
                (TokenKind::Word(rest[..length].to_owned()), length)
            }
            other => {
                let message = format!(
                    "\"{other}\" has no meaning here; names with such signs stand in quotes"
                );
                return Err(wrong(other.len_utf8(), message));
            }
        };
        found.push(Token {
            kind,
            at: start..start + length,
        });
        rest = &rest[length..];
    }
}

/// The first words of something that may be very long.
pub(super) fn clipped(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A name in quotes, in which `\"` and `\\` stand for themselves.
fn quoted(text: &str) -> Option<(TokenKind, usize)> {
    let mut name = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((TokenKind::Quoted(name), at + 1)),
            '\\' => match letters.next()? {
                (_, escaped @ ('"' | '\\')) => name.push(escaped),
                (_, other) => name.extend(['\\', other]),
            },
            other => name.push(other),
        }
    }
    None
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// A number, or a time such as `22:00` or `6:30:15`.
fn number(text: &str) -> Option<(TokenKind, usize)> {
    let sign = usize::from(text.starts_with(['-', '+']));
    let mut end = sign + digits(&text[sign..]);
    if text[end..].starts_with(':') && sign == 0 {
        return time(text, end);
    }
    if text[end..].starts_with('.') {
        end += 1 + digits(&text[end + 1..]);
    }
    if text[end..].starts_with(['e', 'E']) {
        let power = end + 1 + usize::from(text[end + 1..].starts_with(['-', '+']));
        let length = digits(&text[power..]);
        if length > 0 {
            end = power + length;
        }
    }
    let value: f64 = text[..end].parse().ok()?;
    let ends = !text[end..].starts_with(is_glued);
    (value.is_finite() && ends).then_some((TokenKind::Number(value), end))
}

/// What may not follow a number without a space: `12m` is fine, `12.5.6` and `3rd` are not.
fn is_glued(letter: char) -> bool {
    letter == '.' || letter == ':' || letter == '_' || (letter.is_alphanumeric() && letter != 'm')
}

fn time(text: &str, hours_end: usize) -> Option<(TokenKind, usize)> {
    let hours: f64 = text[..hours_end].parse().ok()?;
    let minutes_at = hours_end + 1;
    let mut end = minutes_at + digits(&text[minutes_at..]);
    let minutes: f64 = text[minutes_at..end].parse().ok()?;
    let mut seconds = 0.0;
    if text[end..].starts_with(':') {
        let seconds_at = end + 1;
        end = seconds_at + digits(&text[seconds_at..]);
        seconds = text[seconds_at..end].parse().ok()?;
    }
    let ends = !text[end..].starts_with(|letter| is_glued(letter) || letter == 'm');
    let is_time = hours <= 24.0 && minutes < 60.0 && seconds < 60.0 && ends;
    is_time.then_some((
        TokenKind::Time(hours + (minutes + seconds / 60.0) / 60.0),
        end,
    ))
}
