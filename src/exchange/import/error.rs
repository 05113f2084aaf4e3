//! What is wrong with a file, and where.

use crate::base::parser_words::printable;
use crate::jobs::Cancelled;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    #[error("{}:{line}:{column}: {}", printable(file), printable(message))]
    At {
        file: String,
        line: usize,
        column: usize,
        message: String,
    },
    #[error("{}: {}", printable(file), printable(message))]
    In { file: String, message: String },
    #[error("{0}")]
    Options(String),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl ImportError {
    /// Somewhere in a file.
    #[must_use]
    pub fn within(file: &str, message: impl Into<String>) -> Self {
        Self::In {
            file: file.to_owned(),
            message: message.into(),
        }
    }

    /// A reader that panicked: the last line of defence.
    pub(super) fn broken(file: &str) -> Self {
        Self::within(
            file,
            "reading failed because of a mistake in the program; nothing was changed — please \
             report it with this file",
        )
    }
}
