//! From a sentence to goals and constraints.

use super::error::SentenceError;
use super::names::{Names, Unknown};
use super::phrase::{self, Phrase};
use super::token::{Token, TokenKind, clipped, tokens};
use super::{Itinerary, Sentence};
use crate::base::{EntityId, Quantity};
use crate::document::entity::Role;
use crate::document::model::{
    Constraint, FlagIs, Goal, Hours, Relation, RelationKind, Repeat, Rule, Target, Weight, When,
    limits,
};
use glam::DVec3;
use std::ops::Range;

/// Reads a sentence about the entities of a level.
///
/// # Errors
/// The first thing that is wrong, with its place: an unknown word or name, a value beyond its limits,
/// too many clauses.
pub fn parse(text: &str, names: &Names) -> Result<Sentence, SentenceError> {
    let tokens = tokens(text)?;
    Parser::new(text, &tokens, names).sentence()
}

/// Something that could stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Expected {
    Phrase(Phrase),
    Name(Role),
    Number,
    Time,
    Sign(char),
}

/// Reads from left to right and keeps what was expected where it got farthest: both the error and
/// the completion derive from that.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    names: &'a Names,
    next: usize,
    farthest: usize,
    expected: Vec<Expected>,
}

type Parsed<T> = Result<T, SentenceError>;

/// Which entities a target may name.
#[derive(Clone, Copy)]
struct Roles {
    itself: Role,
    object: Role,
}

const CONSTRAINED: Roles = Roles {
    itself: Role::ConstraintTarget,
    object: Role::ConstraintObject,
};
const REACHED: Roles = Roles {
    itself: Role::GoalArea,
    object: Role::GoalObject,
};

/// Relations by the phrase before their object. *Behind* and *back of* are one.
const RELATIONS: [(Phrase, RelationKind); 9] = [
    (phrase::FRONT_OF, RelationKind::Front),
    (phrase::BEHIND, RelationKind::Back),
    (phrase::BACK_OF, RelationKind::Back),
    (phrase::LEFT_OF, RelationKind::Left),
    (phrase::RIGHT_OF, RelationKind::Right),
    (phrase::AROUND, RelationKind::Around),
    (phrase::ALONG, RelationKind::Along),
    (phrase::SIGHT_OF, RelationKind::LineOfSight),
    (phrase::PERSONAL_SPACE_OF, RelationKind::PersonalSpace),
];

/// Relations that may begin a clause without *in*.
const PLACES: [Phrase; 5] = [
    phrase::BEHIND,
    phrase::LEFT_OF,
    phrase::RIGHT_OF,
    phrase::AROUND,
    phrase::ALONG,
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    In,
    Near,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token], names: &'a Names) -> Self {
        Self {
            text,
            tokens,
            names,
            next: 0,
            farthest: 0,
            expected: Vec::new(),
        }
    }

    /// What could stand at the end of the text, if reading got so far.
    pub fn expected_at_the_end(mut self) -> Vec<Expected> {
        let _ = self.sentence();
        if self.farthest < self.tokens.len() {
            return Vec::new();
        }
        self.expected.sort_unstable();
        self.expected.dedup();
        self.expected
    }

    fn sentence(&mut self) -> Parsed<Sentence> {
        let mut sentence = Sentence::default();
        loop {
            while self.eat_sign(';') {}
            if self.is_at_the_end() {
                // Told to the completion; nothing more has to follow.
                self.clause(&mut sentence).ok();
                return Ok(sentence);
            }
            self.clause(&mut sentence)?;
            let is_ended = self.eat_sign(';');
            if self.is_at_the_end() && !is_ended {
                return Ok(sentence);
            }
            if !is_ended {
                return Err(self.unexpected());
            }
        }
    }

    fn clause(&mut self, sentence: &mut Sentence) -> Parsed<()> {
        let start = self.next;
        if self.eat(phrase::GO_TO) {
            let stop = self.stop()?;
            return self.itinerary(sentence, stop, start);
        }
        if self.eat(phrase::PATROL) {
            let target = self.target(REACHED)?;
            return self.itinerary(sentence, Goal::Patrol(target), start);
        }
        let constraint = self.constraint()?;
        if sentence.constraints.len() == limits::MAX_CONSTRAINTS {
            let message = format!(
                "the sentence has too many clauses; at most {} constraints are allowed",
                limits::MAX_CONSTRAINTS
            );
            return Err(self.wrong(start..self.next, message));
        }
        sentence.constraints.push(constraint);
        Ok(())
    }

    /// What follows the first goal.
    fn itinerary(&mut self, sentence: &mut Sentence, first: Goal, start: usize) -> Parsed<()> {
        let itinerary = sentence.itinerary.get_or_insert(Itinerary {
            goals: Vec::new(),
            repeat: Repeat::Once,
        });
        itinerary.goals.push(first);
        loop {
            let has_comma = self.eat_sign(',');
            if !self.eat(phrase::THEN) {
                if has_comma {
                    return Err(self.unexpected());
                }
                break;
            }
            if self.eat(phrase::REPEAT) {
                itinerary.repeat = Repeat::Loop;
                break;
            }
            if self.eat(phrase::BACK_AND_FORTH) {
                itinerary.repeat = Repeat::BackAndForth;
                break;
            }
            let goal = if self.eat(phrase::PATROL) {
                Goal::Patrol(self.target(REACHED)?)
            } else {
                let _ = self.eat(phrase::GO_TO);
                self.stop()?
            };
            itinerary.goals.push(goal);
        }
        if itinerary.goals.len() > limits::MAX_GOALS {
            let message = format!(
                "the sentence has too many goals; at most {} are allowed",
                limits::MAX_GOALS
            );
            return Err(self.wrong(start..self.next, message));
        }
        Ok(())
    }

    fn stop(&mut self) -> Parsed<Goal> {
        if self.eat(phrase::NEAREST_EXIT) {
            return Ok(Goal::NearestExit);
        }
        if !self.eat_sign('(') {
            return self.target(REACHED).map(Goal::Inside);
        }
        let x = self.quantity(&limits::COORDINATE)?;
        self.expect_sign(',')?;
        let y = self.quantity(&limits::COORDINATE)?;
        let z = if self.eat_sign(',') {
            self.quantity(&limits::ELEVATION)?
        } else {
            0.0
        };
        self.expect_sign(')')?;
        Ok(Goal::At(DVec3::new(x, y, z)))
    }

    fn constraint(&mut self) -> Parsed<Constraint> {
        let is_negated = self.eat(phrase::NOT);
        let (manner, target) = self.region()?;
        let mut weight = None;
        let mut when = When::ALWAYS;
        loop {
            let start = self.next;
            let is_new = if self.eat(phrase::WITH_WEIGHT) {
                weight.replace(self.weight()?).is_none()
            } else if self.eat(phrase::FROM) {
                let from = self.time()?;
                self.expect(phrase::TO)?;
                let until = self.time()?;
                when.hours.replace(Hours { from, until }).is_none()
            } else if self.eat(phrase::WHILE) {
                let is_unset = self.eat(phrase::NOT);
                let flag = self.name(Role::Flag)?;
                let condition = if is_unset {
                    FlagIs::Unset(flag)
                } else {
                    FlagIs::Set(flag)
                };
                when.flag.replace(condition).is_none()
            } else {
                break;
            };
            if !is_new {
                let said = self.words(start..start + 1);
                let message = format!("\"{said}\" stands twice in this clause; remove one");
                return Err(self.wrong(start..self.next, message));
            }
        }
        let rule = match (manner, is_negated, weight) {
            (Manner::In, true, None) => Rule::NotIn,
            (manner, is_negated, weight) => {
                let usual = limits::CONSTRAINT_WEIGHT.default;
                let mut weight = weight.unwrap_or(Weight::Constant(usual));
                if is_negated {
                    weight = negated(weight);
                }
                match manner {
                    Manner::In => Rule::In { weight },
                    Manner::Near => Rule::Near { weight },
                }
            }
        };
        Ok(Constraint { rule, target, when })
    }

    fn region(&mut self) -> Parsed<(Manner, Target)> {
        if self.eat(phrase::IN) {
            return Ok((Manner::In, self.target(CONSTRAINED)?));
        }
        if self.eat(phrase::NEAR) {
            return Ok((Manner::Near, self.target(CONSTRAINED)?));
        }
        match self.relation(CONSTRAINED, |phrase| PLACES.contains(&phrase))? {
            Some(target) => Ok((Manner::In, target)),
            None => Err(self.unexpected()),
        }
    }

    fn target(&mut self, roles: Roles) -> Parsed<Target> {
        match self.relation(roles, |_| true)? {
            Some(target) => Ok(target),
            None => self.name(roles.itself).map(Target::Entity),
        }
    }

    /// An area relative to an object, if one of these phrases begins here.
    fn relation(
        &mut self,
        roles: Roles,
        is_allowed: impl Fn(Phrase) -> bool,
    ) -> Parsed<Option<Target>> {
        if self.eat(phrase::BETWEEN) {
            let object = self.name(roles.object)?;
            self.expect(phrase::AND)?;
            let other = self.name(roles.object)?;
            let relation = Relation::Between { other };
            return Ok(Some(Target::Relation { object, relation }));
        }
        for (phrase, kind) in RELATIONS {
            if is_allowed(phrase) && self.eat(phrase) {
                let object = self.name(roles.object)?;
                let relation = self.reach(kind.relation(object))?;
                return Ok(Some(Target::Relation { object, relation }));
            }
        }
        Ok(None)
    }

    /// The measures of a relation, if they are given.
    fn reach(&mut self, usual: Relation) -> Parsed<Relation> {
        if !self.eat(phrase::WITHIN) {
            return Ok(usual);
        }
        let limit = match usual {
            Relation::PersonalSpace { .. } => &limits::PERSONAL_DISTANCE,
            _ => &limits::REACH,
        };
        let reach = self.quantity(limit)?;
        let _ = self.eat(phrase::METRES);
        let mut relation = usual.with_reach(reach);
        match &mut relation {
            Relation::LineOfSight { angle, .. } if self.eat(phrase::AND) => {
                *angle = self.quantity(&limits::VIEW_ANGLE)?;
                if !self.eat_sign('°') {
                    self.expect(phrase::DEGREES)?;
                }
            }
            Relation::PersonalSpace { back, .. } if self.eat(phrase::AND) => {
                *back = self.quantity(&limits::PERSONAL_DISTANCE)?;
                let _ = self.eat(phrase::METRES);
                self.expect(phrase::BEHIND)?;
            }
            _ => {}
        }
        Ok(relation)
    }

    fn weight(&mut self) -> Parsed<Weight> {
        let start = self.next;
        let first = self.quantity(&limits::CONSTRAINT_WEIGHT)?;
        if !self.eat(phrase::AT) {
            return Ok(Weight::Constant(first));
        }
        let mut list = vec![(self.time()?, first)];
        while self.eat_sign(',') {
            let weight = self.quantity(&limits::CONSTRAINT_WEIGHT)?;
            self.expect(phrase::AT)?;
            list.push((self.time()?, weight));
        }
        let weight = Weight::ByHour(list);
        weight
            .check()
            .map_err(|refusal| self.wrong(start..self.next, refusal.to_string()))?;
        Ok(weight)
    }

    fn time(&mut self) -> Parsed<f64> {
        let start = self.next;
        let hours = match self.peek() {
            Some(TokenKind::Number(hours) | TokenKind::Time(hours)) => *hours,
            _ => {
                self.record(0, Expected::Time);
                return Err(self.unexpected());
            }
        };
        self.next += 1;
        self.within(&limits::TIME_OF_DAY, hours, start)
    }

    fn quantity(&mut self, quantity: &Quantity) -> Parsed<f64> {
        let start = self.next;
        let Some(TokenKind::Number(value)) = self.peek() else {
            self.record(0, Expected::Number);
            return Err(self.unexpected());
        };
        let value = *value;
        self.next += 1;
        self.within(quantity, value, start)
    }

    fn within(&self, quantity: &Quantity, value: f64, start: usize) -> Parsed<f64> {
        quantity
            .check(value)
            .map(|()| value)
            .map_err(|error| self.wrong(start..self.next, error.to_string()))
    }

    fn name(&mut self, role: Role) -> Parsed<EntityId> {
        let start = self.next;
        let name = match self.peek() {
            Some(TokenKind::Id(id)) => {
                let id = EntityId::new(*id);
                self.next += 1;
                return Ok(id);
            }
            Some(TokenKind::Quoted(name)) => name,
            Some(TokenKind::Word(name)) if !phrase::is_keyword(name) => name,
            _ => {
                self.record(0, Expected::Name(role));
                return Err(self.unexpected());
            }
        };
        self.next += 1;
        let ordinal = self.ordinal()?;
        self.names.find(role, name, ordinal).map_err(|unknown| {
            let message = match unknown {
                Unknown::Name(Some(nearest)) => {
                    format!(
                        "nothing is called \"{}\"; did you mean \"{nearest}\"?",
                        clipped(name)
                    )
                }
                Unknown::Name(None) => {
                    let what = role.name();
                    format!(
                        "nothing is called \"{}\" that could be a {what}",
                        clipped(name)
                    )
                }
                Unknown::Ordinal(1) => format!("only one is called \"{name}\""),
                Unknown::Ordinal(count) => {
                    format!("only {count} are called \"{name}\"; they count from 1")
                }
            };
            self.wrong(start..self.next, message)
        })
    }

    /// `(3)` after a name.
    fn ordinal(&mut self) -> Parsed<Option<usize>> {
        if !self.eat_sign('(') {
            return Ok(None);
        }
        let start = self.next;
        let number = match self.peek() {
            Some(TokenKind::Number(number)) => *number,
            _ => {
                self.record(0, Expected::Number);
                return Err(self.unexpected());
            }
        };
        self.next += 1;
        if number < 1.0 || number.fract() != 0.0 || number > 1e9 {
            let message = "several of one name count from 1: Wall(1), Wall(2) …";
            return Err(self.wrong(start..self.next, message.to_owned()));
        }
        self.expect_sign(')')?;
        Ok(Some(number as usize))
    }

    fn peek(&self) -> Option<&'a TokenKind> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    const fn is_at_the_end(&self) -> bool {
        self.next == self.tokens.len()
    }

    /// Steps over a phrase if it stands here.
    fn eat(&mut self, phrase: Phrase) -> bool {
        let mut met = 0;
        for word in phrase.words() {
            match self.tokens.get(self.next + met).map(|token| &token.kind) {
                Some(TokenKind::Word(found)) if found.eq_ignore_ascii_case(word) => met += 1,
                _ => {
                    self.record(met, Expected::Phrase(phrase.after(met)));
                    return false;
                }
            }
        }
        self.next += met;
        true
    }

    fn expect(&mut self, phrase: Phrase) -> Parsed<()> {
        if self.eat(phrase) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn eat_sign(&mut self, sign: char) -> bool {
        let is_here = self.peek() == Some(&TokenKind::Sign(sign));
        if is_here {
            self.next += 1;
        } else {
            self.record(0, Expected::Sign(sign));
        }
        is_here
    }

    fn expect_sign(&mut self, sign: char) -> Parsed<()> {
        if self.eat_sign(sign) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn record(&mut self, ahead: usize, expected: Expected) {
        let at = self.next + ahead;
        if at > self.farthest {
            self.farthest = at;
            self.expected.clear();
        }
        if at == self.farthest && !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
    }

    fn words(&self, tokens: Range<usize>) -> &'a str {
        self.text.get(self.bytes(tokens)).unwrap_or_default()
    }

    fn bytes(&self, tokens: Range<usize>) -> Range<usize> {
        let last = tokens.end.checked_sub(1).max(Some(tokens.start));
        let at = |index: usize| self.tokens.get(index).map(|token| token.at.clone());
        let end = self.text.trim_end().len();
        let start = at(tokens.start).map_or(end, |at| at.start);
        start..last.and_then(at).map_or(end, |at| at.end).max(start)
    }

    fn wrong(&self, tokens: Range<usize>, message: String) -> SentenceError {
        SentenceError::new(self.text, self.bytes(tokens), message)
    }

    /// The error where reading got farthest.
    fn unexpected(&self) -> SentenceError {
        let at = self.farthest.max(self.next);
        let wanted = list(&self.expected);
        let message = if at < self.tokens.len() {
            let found = clipped(self.words(at..at + 1));
            format!("\"{found}\" has no meaning here; expected {wanted}")
        } else {
            format!("the sentence ends too early; expected {wanted}")
        };
        self.wrong(at..at + 1, message)
    }
}

fn negated(weight: Weight) -> Weight {
    match weight {
        Weight::Constant(weight) => Weight::Constant(-weight),
        Weight::ByHour(list) => Weight::ByHour(
            list.into_iter()
                .map(|(hour, weight)| (hour, -weight))
                .collect(),
        ),
    }
}

/// `a name, "near" or "not"`.
fn list(expected: &[Expected]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for one in expected {
        let text = match one {
            Expected::Phrase(phrase) => format!("\"{}\"", phrase.0),
            Expected::Name(Role::Flag) => "the name of a flag".to_owned(),
            Expected::Name(_) => "a name".to_owned(),
            Expected::Number => "a number".to_owned(),
            Expected::Time => "a time such as 22:00".to_owned(),
            Expected::Sign(sign) => format!("\"{sign}\""),
        };
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    // What is most often meant first: names, then phrases, signs last.
    texts.sort_by_key(|text| match text.as_bytes() {
        [b'"', first, ..] if first.is_ascii_alphabetic() => 1,
        [b'"', ..] => 2,
        _ => 0,
    });
    match texts.split_last() {
        None => "nothing more".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
