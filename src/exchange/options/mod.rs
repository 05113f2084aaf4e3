//! Options of a format: a struct of the format's own, described field by field.
//!
//! Dialogs draw their widgets and the command line takes its flags from the descriptions; readers and
//! writers see the struct alone.

mod field;
mod spec;
#[cfg(test)]
mod tests;

pub use field::{Field, Words};
pub use spec::{Choice, OptionError, OptionKind, OptionSpec, OptionValue};

use std::any::Any;
use std::fmt::Debug;

/// The options of a reader or writer.
pub trait FormatOptions: Any + Clone + Debug + Default + PartialEq + Send + Sync {
    /// In the order of dialogs and help.
    const FIELDS: &'static [Field<Self>];

    /// What the limits of single fields do not say.
    ///
    /// # Errors
    /// The options contradict each other.
    fn check(&self) -> Result<(), OptionError> {
        Ok(())
    }
}

/// For formats without choices to make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoOptions;

impl FormatOptions for NoOptions {
    const FIELDS: &'static [Field<Self>] = &[];
}

/// Options of any format, for those who do not know which.
#[derive(Debug)]
pub struct Options(Box<dyn AnyOptions>);

trait AnyOptions: Any + Debug + Send + Sync {
    fn specs(&self) -> Vec<&'static OptionSpec>;
    fn get(&self, key: &str) -> Option<OptionValue>;
    fn set(&mut self, key: &str, value: OptionValue) -> Result<(), OptionError>;
    fn check(&self) -> Result<(), OptionError>;
    fn boxed_clone(&self) -> Box<dyn AnyOptions>;
    fn equals(&self, other: &dyn AnyOptions) -> bool;
}

fn field<T: FormatOptions>(key: &str) -> Option<&'static Field<T>> {
    T::FIELDS.iter().find(|field| field.spec.key == key)
}

impl<T: FormatOptions> AnyOptions for T {
    fn specs(&self) -> Vec<&'static OptionSpec> {
        T::FIELDS.iter().map(|field| &field.spec).collect()
    }

    fn get(&self, key: &str) -> Option<OptionValue> {
        field::<T>(key).map(|field| field.get(self))
    }

    fn set(&mut self, key: &str, value: OptionValue) -> Result<(), OptionError> {
        let field = field::<T>(key)
            .ok_or_else(|| OptionError::new(format!("there is no option {key} here")))?;
        field.spec.check(&value)?;
        field.set(self, value);
        Ok(())
    }

    fn check(&self) -> Result<(), OptionError> {
        for field in T::FIELDS {
            let value = field.get(self);
            field.spec.check(&value)?;
            // While a person chooses, none may be chosen for a moment.
            if value == OptionValue::Profiles(Vec::new()) {
                return Err(OptionError::new("choose at least one profile"));
            }
        }
        FormatOptions::check(self)
    }

    fn boxed_clone(&self) -> Box<dyn AnyOptions> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn AnyOptions) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }
}

impl Options {
    #[must_use]
    pub fn new<T: FormatOptions>(options: T) -> Self {
        Self(Box::new(options))
    }

    /// The struct, if these are options of that kind.
    #[must_use]
    pub fn downcast_ref<T: FormatOptions>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// Whether both belong to the same kind of format.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (&*self.0 as &dyn Any).type_id() == (&*other.0 as &dyn Any).type_id()
    }

    #[must_use]
    pub fn specs(&self) -> Vec<&'static OptionSpec> {
        self.0.specs()
    }

    #[must_use]
    pub fn get(&self, key: &str) -> Option<OptionValue> {
        self.0.get(key)
    }

    /// # Errors
    /// There is no such option, or the value is not one of its.
    pub fn set(&mut self, key: &str, value: OptionValue) -> Result<(), OptionError> {
        self.0.set(key, value)
    }

    /// Whether all values are within their limits and agree with each other.
    ///
    /// # Errors
    /// A sentence names the first that is not.
    pub fn check(&self) -> Result<(), OptionError> {
        self.0.check()
    }
}

impl Clone for Options {
    fn clone(&self) -> Self {
        Self(self.0.boxed_clone())
    }
}

impl PartialEq for Options {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}
