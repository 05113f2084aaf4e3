//! Messages that come up in a corner of the window and go away again.

/// How much a message matters; decides its icon, its colour and how long it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    Info,
    Done,
    Warning,
    /// Stays until dismissed.
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub gravity: Gravity,
    /// A whole sentence: what happened, and for a failure where and what to do.
    pub text: String,
}

impl Notice {
    #[must_use]
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(Gravity::Info, text)
    }

    #[must_use]
    pub fn done(text: impl Into<String>) -> Self {
        Self::new(Gravity::Done, text)
    }

    #[must_use]
    pub fn warning(text: impl Into<String>) -> Self {
        Self::new(Gravity::Warning, text)
    }

    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(Gravity::Error, text)
    }

    fn new(gravity: Gravity, text: impl Into<String>) -> Self {
        Self {
            gravity,
            text: text.into(),
        }
    }
}
