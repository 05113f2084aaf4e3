//! Walks over text and remembers where it is, for readers written by hand.

use super::{ImportError, Source};

/// Longer words are not numbers or names of anything we read.
const MAX_WORD: usize = 64;

/// The text of a source, without the mark that some programs put at its beginning.
pub(in crate::exchange) fn text(source: &Source) -> Result<&str, ImportError> {
    let text = std::str::from_utf8(&source.bytes).map_err(|error| {
        let at = error.valid_up_to();
        ImportError::within(
            &source.name,
            format!("byte {at} is not UTF-8 text; this is another format, or damaged"),
        )
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    file: &'a str,
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(source: &'a Source) -> Result<Self, ImportError> {
        Ok(Self {
            file: &source.name,
            text: text(source)?,
            at: 0,
        })
    }

    pub const fn position(&self) -> usize {
        self.at
    }

    /// An error at a position taken before.
    pub fn error_at(&self, at: usize, message: impl Into<String>) -> ImportError {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ImportError::At {
            file: self.file.to_owned(),
            line: before.bytes().filter(|b| *b == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }

    pub fn error(&self, message: impl Into<String>) -> ImportError {
        self.error_at(self.at, message)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn skip_blank(&mut self) {
        self.take_while(|b| b.is_ascii_whitespace());
    }

    /// The next character that is not blank, which is not taken.
    pub fn peek(&mut self) -> Option<char> {
        self.skip_blank();
        self.rest().chars().next()
    }

    /// Takes a character if it comes next.
    pub fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    pub fn expect(&mut self, wanted: char) -> Result<(), ImportError> {
        if self.take(wanted) {
            return Ok(());
        }
        let found = self.found();
        Err(self.error(format!("`{wanted}` should stand here, not {found}")))
    }

    /// What comes next, for messages.
    pub fn found(&mut self) -> String {
        match self.peek() {
            None => "the end of the file".to_owned(),
            Some(c) if c.is_control() => format!("the character {}", c.escape_debug()),
            Some(c) => format!("`{c}`"),
        }
    }

    /// The letters that come next, as they stand there; empty if none do.
    pub fn letters(&mut self) -> &'a str {
        self.skip_blank();
        self.take_while(|b| b.is_ascii_alphabetic())
    }

    fn take_while(&mut self, holds: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().take_while(|b| holds(*b)).count();
        self.at += length;
        &rest[..length]
    }

    /// A finite number; nothing is taken where there is none.
    pub fn number(&mut self) -> Result<f64, ImportError> {
        self.skip_blank();
        let start = self.at;
        let word = self.take_while(|b| b.is_ascii_alphanumeric() || b"+-._".contains(&b));
        let shown: String = word.chars().take(MAX_WORD).collect();
        let value = if word.is_empty() || word.len() > MAX_WORD {
            None
        } else {
            word.parse::<f64>().ok()
        };
        match value {
            Some(value) if value.is_finite() => Ok(value),
            Some(_) => Err(self.error_at(start, format!("`{shown}` is not a finite number"))),
            None if word.is_empty() => {
                let found = self.found();
                Err(self.error_at(start, format!("a number should stand here, not {found}")))
            }
            None => Err(self.error_at(start, format!("`{shown}` is not a number"))),
        }
    }
}
