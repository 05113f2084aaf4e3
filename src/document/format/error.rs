//! Errors in the text of a level.

use super::VERSION;
use crate::document::{edit::Edit, ops::EditError};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    #[error("line {line}, column {column}: {message}")]
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
        "the file has {} MB; level files can have at most {} MB",
        size >> 20,
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
            EditError::Taken(id) | EditError::Missing(id) => Some(*id),
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
        other => {
            let text = other.to_string();
            let mut chars = text.chars();
            chars.next().map_or(text.clone(), |first| {
                first.to_lowercase().collect::<String>() + chars.as_str()
            })
        }
    }
}
