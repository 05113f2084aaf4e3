//! What is wrong with a sentence, and where.

use std::fmt;
use std::ops::Range;

/// Displayed as one sentence that begins with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentenceError {
    /// The words that are wrong. Unit: bytes of the text.
    pub at: Range<usize>,
    /// Counted from 1.
    pub line: usize,
    /// Counted in characters from 1.
    pub column: usize,
    /// Whether the text has several lines, so that the place needs both numbers.
    pub has_lines: bool,
    pub message: String,
}

impl SentenceError {
    pub(super) fn new(text: &str, at: Range<usize>, message: impl Into<String>) -> Self {
        let before = text.get(..at.start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            has_lines: text.contains('\n'),
            at,
            message: message.into(),
        }
    }
}

impl fmt::Display for SentenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_lines {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for SentenceError {}
