//! The widgets of forms. They know values and user input, nothing of levels;
//! [`Form`](super::form::Form) connects them to a document.

pub mod button;
pub mod choice;
pub mod colour;
pub mod colour_picker;
pub mod number;
pub mod pattern;
pub mod quantity_text;
pub mod row;
pub mod section;
pub mod text;

pub use button::{icon_button, icon_button_if};
pub use number::Number;
pub use row::Row;
pub use section::section;

/// Shown for a value that differs between the edited entities.
pub const MIXED: &str = "—";

/// The value of one field over all edited entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared<T> {
    Same(T),
    Mixed,
}

impl<T> Shared<T> {
    /// `None` without any values.
    pub fn of(mut values: impl Iterator<Item = T>) -> Option<Self>
    where
        T: PartialEq,
    {
        let first = values.next()?;
        Some(if values.all(|value| value == first) {
            Self::Same(first)
        } else {
            Self::Mixed
        })
    }

    pub fn same(self) -> Option<T> {
        match self {
            Self::Same(value) => Some(value),
            Self::Mixed => None,
        }
    }

    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Shared<U> {
        match self {
            Self::Same(value) => Shared::Same(f(value)),
            Self::Mixed => Shared::Mixed,
        }
    }

    pub const fn is_mixed(&self) -> bool {
        matches!(self, Self::Mixed)
    }
}

/// Whether a popup has just opened, so that its first field should get the focus. Call every frame;
/// the first frames do not count, because a popup is measured before it is shown and cannot hold
/// the focus yet.
pub fn just_opened(ui: &egui::Ui, id: egui::Id) -> bool {
    const MEASURED_IN: u64 = 3;
    let now = ui.ctx().cumulative_pass_nr();
    ui.data_mut(|data| {
        let (opened, seen): (u64, u64) = data.get_temp(id).unwrap_or((now, now));
        let opened = if now > seen + 1 { now } else { opened };
        data.insert_temp(id, (opened, now));
        now < opened + MEASURED_IN
    })
}

/// How a value was changed, which decides what becomes an undo step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Picked, clicked or confirmed: a separate step.
    Chosen,
    /// Key by key: merges with what follows within a second.
    Typed,
    /// With the pointer pressed: one step until it is released.
    Dragged,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Change<T> {
    pub value: T,
    pub manner: Manner,
}

impl<T> Change<T> {
    pub const fn chosen(value: T) -> Self {
        Self {
            value,
            manner: Manner::Chosen,
        }
    }

    pub const fn typed(value: T) -> Self {
        Self {
            value,
            manner: Manner::Typed,
        }
    }

    /// Dragged while the pointer is down, otherwise `manner`.
    pub fn by_pointer_or(ui: &egui::Ui, value: T, manner: Manner) -> Self {
        let dragged = ui.input(|input| input.pointer.primary_down());
        Self {
            value,
            manner: if dragged { Manner::Dragged } else { manner },
        }
    }

    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Change<U> {
        Change {
            value: f(self.value),
            manner: self.manner,
        }
    }
}
