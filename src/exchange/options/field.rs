//! Where in an options struct the value of an option lies.

use super::spec::{Choice, OptionKind, OptionSpec, OptionValue};
use crate::base::Quantity;
use std::fmt::{self, Debug};

/// A field of an options struct: how people see it, and where its value lies.
#[derive(Debug)]
pub struct Field<T: 'static> {
    pub spec: OptionSpec,
    access: Access<T>,
}

enum Access<T: 'static> {
    Number(fn(&mut T) -> &mut f64),
    Count(fn(&mut T) -> &mut usize),
    AutomaticNumber(fn(&mut T) -> &mut Option<f64>),
    Choice(fn(&T) -> &'static str, fn(&mut T, &str)),
    Switch(fn(&mut T) -> &mut bool),
    Profile(fn(&mut T) -> &mut Option<String>),
    Profiles(fn(&mut T) -> &mut Option<Vec<String>>),
    Grid(fn(&mut T) -> &mut Option<[u32; 3]>),
}

impl<T> Debug for Access<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Access")
    }
}

/// What a person reads of an option: flag, label, help.
pub type Words = [&'static str; 3];

impl<T> Field<T> {
    const fn new([key, label, help]: Words, kind: OptionKind, access: Access<T>) -> Self {
        Self {
            spec: OptionSpec {
                key,
                label,
                help,
                kind,
                is_advanced: false,
            },
            access,
        }
    }

    #[must_use]
    pub const fn number(words: Words, limits: Quantity, at: fn(&mut T) -> &mut f64) -> Self {
        let kind = OptionKind::Number {
            limits,
            is_whole: false,
            can_be_automatic: false,
        };
        Self::new(words, kind, Access::Number(at))
    }

    #[must_use]
    pub const fn count(words: Words, limits: Quantity, at: fn(&mut T) -> &mut usize) -> Self {
        let kind = OptionKind::Number {
            limits,
            is_whole: true,
            can_be_automatic: false,
        };
        Self::new(words, kind, Access::Count(at))
    }

    /// A number that the format chooses unless it is given.
    #[must_use]
    pub const fn automatic_number(
        words: Words,
        limits: Quantity,
        at: fn(&mut T) -> &mut Option<f64>,
    ) -> Self {
        let kind = OptionKind::Number {
            limits,
            is_whole: false,
            can_be_automatic: true,
        };
        Self::new(words, kind, Access::AutomaticNumber(at))
    }

    /// As [`Field::automatic_number`], without fractions.
    #[must_use]
    pub const fn automatic_count(
        words: Words,
        limits: Quantity,
        at: fn(&mut T) -> &mut Option<f64>,
    ) -> Self {
        let kind = OptionKind::Number {
            limits,
            is_whole: true,
            can_be_automatic: true,
        };
        Self::new(words, kind, Access::AutomaticNumber(at))
    }

    /// `set` gets only ids of `choices`.
    #[must_use]
    pub const fn choice(
        words: Words,
        choices: &'static [Choice],
        get: fn(&T) -> &'static str,
        set: fn(&mut T, &str),
    ) -> Self {
        Self::new(words, OptionKind::Choice(choices), Access::Choice(get, set))
    }

    #[must_use]
    pub const fn switch(words: Words, at: fn(&mut T) -> &mut bool) -> Self {
        Self::new(words, OptionKind::Switch, Access::Switch(at))
    }

    #[must_use]
    pub const fn profile(words: Words, at: fn(&mut T) -> &mut Option<String>) -> Self {
        Self::new(words, OptionKind::Profile, Access::Profile(at))
    }

    /// `None` is all of them.
    #[must_use]
    pub const fn profiles(words: Words, at: fn(&mut T) -> &mut Option<Vec<String>>) -> Self {
        Self::new(words, OptionKind::Profiles, Access::Profiles(at))
    }

    #[must_use]
    pub const fn grid(words: Words, at: fn(&mut T) -> &mut Option<[u32; 3]>) -> Self {
        Self::new(words, OptionKind::Grid, Access::Grid(at))
    }

    /// Shown in dialogs only on demand.
    #[must_use]
    pub const fn advanced(mut self) -> Self {
        self.spec.is_advanced = true;
        self
    }
}

impl<T: Clone> Field<T> {
    pub(super) fn get(&self, options: &T) -> OptionValue {
        fn or_automatic<V>(value: Option<V>, wrap: fn(V) -> OptionValue) -> OptionValue {
            value.map_or(OptionValue::Automatic, wrap)
        }
        // What leads to a field leads to it for writing: a copy is read instead.
        let mut copy = options.clone();
        match self.access {
            Access::Number(at) => OptionValue::Number(*at(&mut copy)),
            Access::Count(at) => OptionValue::Number(*at(&mut copy) as f64),
            Access::AutomaticNumber(at) => or_automatic(*at(&mut copy), OptionValue::Number),
            Access::Choice(get, _) => OptionValue::Choice(get(options)),
            Access::Switch(at) => OptionValue::Switch(*at(&mut copy)),
            Access::Profile(at) => or_automatic(at(&mut copy).take(), OptionValue::Profile),
            Access::Profiles(at) => or_automatic(at(&mut copy).take(), OptionValue::Profiles),
            Access::Grid(at) => or_automatic(*at(&mut copy), OptionValue::Grid),
        }
    }

    /// Takes a value of the right kind; any other leaves the field as it is.
    pub(super) fn set(&self, options: &mut T, value: OptionValue) {
        match (&self.access, value) {
            (Access::Number(at), OptionValue::Number(number)) => *at(options) = number,
            (Access::Count(at), OptionValue::Number(number)) => *at(options) = number as usize,
            (Access::AutomaticNumber(at), OptionValue::Number(number)) => {
                *at(options) = Some(number);
            }
            (Access::AutomaticNumber(at), OptionValue::Automatic) => *at(options) = None,
            (Access::Choice(_, set), OptionValue::Choice(id)) => set(options, id),
            (Access::Switch(at), OptionValue::Switch(is_on)) => *at(options) = is_on,
            (Access::Profile(at), OptionValue::Profile(name)) => *at(options) = Some(name),
            (Access::Profile(at), OptionValue::Automatic) => *at(options) = None,
            (Access::Profiles(at), OptionValue::Profiles(names)) => *at(options) = Some(names),
            (Access::Profiles(at), OptionValue::Automatic) => *at(options) = None,
            (Access::Grid(at), OptionValue::Grid(size)) => *at(options) = Some(size),
            (Access::Grid(at), OptionValue::Automatic) => *at(options) = None,
            _ => {}
        }
    }
}
