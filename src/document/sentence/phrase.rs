//! The fixed words of the language, by the phrases they form.

/// A phrase of the language; its words stand in this order, in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Phrase(pub &'static str);

pub(super) const NOT: Phrase = Phrase("not");
pub(super) const IN: Phrase = Phrase("in");
pub(super) const NEAR: Phrase = Phrase("near");
pub(super) const BEHIND: Phrase = Phrase("behind");
pub(super) const FRONT_OF: Phrase = Phrase("front of");
pub(super) const BACK_OF: Phrase = Phrase("back of");
pub(super) const LEFT_OF: Phrase = Phrase("left of");
pub(super) const RIGHT_OF: Phrase = Phrase("right of");
pub(super) const AROUND: Phrase = Phrase("around");
pub(super) const ALONG: Phrase = Phrase("along");
pub(super) const BETWEEN: Phrase = Phrase("between");
pub(super) const AND: Phrase = Phrase("and");
pub(super) const SIGHT_OF: Phrase = Phrase("line of sight of");
pub(super) const PERSONAL_SPACE_OF: Phrase = Phrase("personal space of");
pub(super) const WITHIN: Phrase = Phrase("within");
pub(super) const METRES: Phrase = Phrase("m");
pub(super) const DEGREES: Phrase = Phrase("degrees");
pub(super) const WITH_WEIGHT: Phrase = Phrase("with weight");
pub(super) const AT: Phrase = Phrase("at");
pub(super) const FROM: Phrase = Phrase("from");
pub(super) const TO: Phrase = Phrase("to");
pub(super) const WHILE: Phrase = Phrase("while");
pub(super) const GO_TO: Phrase = Phrase("go to");
pub(super) const NEAREST_EXIT: Phrase = Phrase("the nearest exit");
pub(super) const PATROL: Phrase = Phrase("patrol");
pub(super) const THEN: Phrase = Phrase("then");
pub(super) const REPEAT: Phrase = Phrase("repeat");
pub(super) const BACK_AND_FORTH: Phrase = Phrase("back and forth");

const ALL: [Phrase; 28] = [
    NEAREST_EXIT,
    NOT,
    IN,
    NEAR,
    BEHIND,
    FRONT_OF,
    BACK_OF,
    LEFT_OF,
    RIGHT_OF,
    AROUND,
    ALONG,
    BETWEEN,
    AND,
    SIGHT_OF,
    PERSONAL_SPACE_OF,
    WITHIN,
    METRES,
    DEGREES,
    WITH_WEIGHT,
    AT,
    FROM,
    TO,
    WHILE,
    GO_TO,
    PATROL,
    THEN,
    REPEAT,
    BACK_AND_FORTH,
];

impl Phrase {
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        self.0.split(' ')
    }

    /// What is left of it after some of its words.
    pub fn after(self, words: usize) -> Self {
        let skipped = self.words().take(words).map(|word| word.len() + 1).sum();
        Self(self.0.get(skipped..).unwrap_or_default())
    }
}

/// Whether a word belongs to the language, so that a name like it stands in quotes.
pub(super) fn is_keyword(word: &str) -> bool {
    let mut words = ALL.iter().flat_map(|phrase| phrase.words());
    words.any(|keyword| keyword.eq_ignore_ascii_case(word))
}
