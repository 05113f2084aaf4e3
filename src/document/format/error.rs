//! Errors in the text of a level.

use super::VERSION;
use crate::base::parser_words::{data_words, printable};
use crate::document::{edit::Edit, ops::EditError};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    #[error("line {line}, column {column}: {}", printable(message))]
    Damaged {
        line: usize,
        column: usize,
        message: String,
    },
    #[error(
        "this level was written by a newer Wayloom (format {version}; this one reads up to \
         {VERSION}): update Wayloom to open it"
    )]
    TooNew { version: u32 },
    #[error(
        "the file has {size} bytes, more than the {} MB that level files can have",
        super::MAX_FILE_SIZE >> 20
    )]
    TooLarge { size: u64 },
}

impl FormatError {
    pub(super) fn at_start(message: impl Into<String>) -> Self {
        Self::Damaged {
            line: 1,
            column: 1,
            message: message.into(),
        }
    }

    pub(super) fn not_a_level() -> Self {
        Self::at_start(format!(
            "this is not a Wayloom level; level files begin with `Wayloom(version: {VERSION},`"
        ))
    }

    pub(super) fn damaged(error: ron::error::SpannedError) -> Self {
        Self::Damaged {
            line: error.span.start.line,
            column: error.span.start.col,
            message: sentence(&error.code),
        }
    }

    /// A value that parsed but violates a limit, with the line of its entity.
    pub(super) fn refused(text: &str, edits: &[Edit], error: &EditError) -> Self {
        // Edits are applied in order: check each again to find the offender.
        let offender = edits.iter().find_map(|edit| match edit {
            Edit::Create { id, entity, .. } if entity.check().is_err() => Some(*id),
            _ => None,
        });
        let offender = match error {
            EditError::Taken(id) | EditError::Missing(id) | EditError::TooLarge(id) => Some(*id),
            EditError::Refused { .. } => offender,
            EditError::Settings(_) | EditError::Ground(_) | EditError::Full => None,
        };
        let needle = match (offender, error) {
            (Some(id), _) => format!("id: {},", id.number()),
            (None, EditError::Ground(_)) => "ground:".to_owned(),
            (None, _) => "settings:".to_owned(),
        };
        // A duplicate is the second occurrence.
        let places: Vec<usize> = text
            .match_indices(&needle)
            .map(|(at, _)| at)
            // `next_id: 5,` ends like `id: 5,` does.
            .filter(|at| !text[..*at].ends_with('_'))
            .take(2)
            .collect();
        let at = match error {
            EditError::Taken(_) => places.last(),
            _ => places.first(),
        };
        let before = at.map_or("", |at| &text[..*at]);
        Self::Damaged {
            line: before.matches('\n').count() + 1,
            column: before.chars().rev().take_while(|c| *c != '\n').count() + 1,
            message: error.to_string(),
        }
    }
}

/// The parser's message, shortened to what a user can act on.
fn sentence(error: &ron::Error) -> String {
    use ron::Error as E;
    match error {
        E::Eof => "the text ends unexpectedly; the file seems to be truncated".to_owned(),
        E::ExceededRecursionLimit => "the text is nested too deeply".to_owned(),
        E::NoSuchStructField {
            expected, found, ..
        } => format!(
            "unknown field `{found}`; expected one of {}",
            expected.join(", ")
        ),
        E::MissingStructField { field, .. } => format!("the field `{field}` is missing"),
        E::DuplicateStructField { field, .. } => format!("the field `{field}` appears twice"),
        E::NoSuchEnumVariant {
            expected, found, ..
        } => format!(
            "unknown value `{found}`; expected one of {}",
            expected.join(", ")
        ),
        E::TrailingCharacters => "unexpected text after the end of the level".to_owned(),
        E::ExpectedComma => "a comma is missing here".to_owned(),
        E::ExpectedMapColon => "a colon is missing here".to_owned(),
        E::ExpectedArray => "a list is missing here; lists begin with `[`".to_owned(),
        E::ExpectedArrayEnd => "the list has no `]` at its end".to_owned(),
        E::ExpectedMap => "a table is missing here; tables begin with `{`".to_owned(),
        E::ExpectedMapEnd => "the table has no `}` at its end".to_owned(),
        E::ExpectedStructLike | E::ExpectedNamedStructLike(_) | E::ExpectedStructName(_) => {
            "a value in brackets `(…)` is missing here".to_owned()
        }
        E::ExpectedDifferentStructName { expected, found } => {
            format!("`{expected}` is missing here; there is `{found}`")
        }
        E::ExpectedStructLikeEnd | E::ExpectedOptionEnd => "a `)` is missing here".to_owned(),
        E::ExpectedBoolean => "`true` or `false` is missing here".to_owned(),
        E::ExpectedOption => "`None` or `Some(…)` is missing here".to_owned(),
        E::ExpectedInteger => "a whole number is missing here".to_owned(),
        E::ExpectedFloat
        | E::FloatUnderscore
        | E::UnderscoreAtBeginning
        | E::InvalidIntegerDigit { .. } => "this is not a number".to_owned(),
        E::IntegerOutOfBounds => "this number is too large, or below 0".to_owned(),
        E::ExpectedString | E::ExpectedChar => {
            "a text in quotation marks is missing here".to_owned()
        }
        E::ExpectedStringEnd => "a text has no quotation mark at its end".to_owned(),
        E::InvalidEscape(_) => "a text has a backslash with something unknown after it".to_owned(),
        E::ExpectedIdentifier | E::InvalidIdentifier(_) | E::SuggestRawIdentifier(_) => {
            "a name is missing here".to_owned()
        }
        E::UnexpectedChar(c) => format!("`{c}` does not belong here"),
        E::UnclosedBlockComment | E::UnclosedLineComment => "a comment has no end".to_owned(),
        E::Utf8Error(_) => "this is not text".to_owned(),
        E::InvalidValueForType { expected, found } => {
            data_words(&format!("invalid type: {found}, expected {expected}"))
        }
        E::ExpectedDifferentLength { expected, found } => {
            data_words(&format!("invalid length {found}, expected {expected}"))
        }
        // Sentences of our own types.
        E::Message(words) => data_words(words),
        _ => "the text is not written as levels are".to_owned(),
    }
}
