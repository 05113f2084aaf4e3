//! What the status bar shows about the current tool.

use std::borrow::Cow;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// What to do next, as a sentence without its full stop.
    pub lead: Cow<'static, str>,
    /// Keys and their current meaning.
    pub keys: Vec<(&'static str, Cow<'static, str>)>,
    /// What the user has typed for the point being placed.
    pub entry: Option<String>,
    /// What is currently wrong, and how to fix it.
    pub trouble: Option<String>,
}

impl Hints {
    #[must_use]
    pub fn new(lead: impl Into<Cow<'static, str>>) -> Self {
        Self {
            lead: lead.into(),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn key(mut self, key: &'static str, does: impl Into<Cow<'static, str>>) -> Self {
        self.keys.push((key, does.into()));
        self
    }

    #[must_use]
    pub fn trouble(mut self, sentence: Option<String>) -> Self {
        self.trouble = sentence;
        self
    }

    #[must_use]
    pub fn entry(mut self, text: &str) -> Self {
        self.entry = (!text.is_empty()).then(|| text.to_owned());
        self
    }
}
