//! The fields of a form, one method per type of value.

use super::{Field, Form, FormSubject, Lens, note_refusal, show_refusal};
use crate::base::{Colour, Quantity};
use crate::editor::panels::field::choice::{choice_ui, toggle_ui};
use crate::editor::panels::field::colour::colour_ui;
use crate::editor::panels::field::text::{Lines, text_ui};
use crate::editor::panels::field::{Change, Manner, Number, Row, Shared};
use egui::Ui;

impl<'a, S: FormSubject> Form<'a, S> {
    pub fn number(
        &mut self,
        ui: &mut Ui,
        field: Field,
        quantity: &Quantity,
        lens: Lens<impl Fn(&S) -> Option<&f64>, impl Fn(&mut S) -> Option<&mut f64>>,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let is_default = value == Shared::Same(quantity.default);
        let row = Row::new(field.name)
            .help(field.help)
            .resettable(!is_default)
            .show(ui, |ui, label| {
                let width = ui.available_width();
                let output = Number::new(quantity, value).show(ui, width);
                output.response.labelled_by(label);
                (output.change, output.refusal)
            });
        let (change, refusal) = row.inner;
        if let Some(change) = change {
            self.write(ui, field, change, &lens.get_mut);
        }
        if row.reset {
            self.write(ui, field, Change::chosen(quantity.default), &lens.get_mut);
        }
        show_refusal(ui, field, refusal.as_deref());
    }

    /// A number computed from others, which it sets.
    pub fn derived(
        &mut self,
        ui: &mut Ui,
        field: Field,
        quantity: &Quantity,
        get: impl Fn(&S) -> Option<f64>,
        set: impl Fn(&mut S, f64),
    ) {
        let values: Option<Vec<f64>> = self.subjects.iter().map(|(_, s)| get(s)).collect();
        let Some(values) = values.filter(|values| !values.is_empty()) else {
            return;
        };
        let value = if values.iter().all(|value| *value == values[0]) {
            Shared::Same(values[0])
        } else {
            Shared::Mixed
        };
        let row = Row::new(field.name).help(field.help).show(ui, |ui, label| {
            let width = ui.available_width();
            let output = Number::new(quantity, value).show(ui, width);
            output.response.labelled_by(label);
            (output.change, output.refusal)
        });
        let (change, refusal) = row.inner;
        if let Some(change) = change {
            let outcome = self.change(field, change.manner, |subject, _| {
                set(subject, change.value);
            });
            note_refusal(ui, field, outcome.err());
        }
        show_refusal(ui, field, refusal.as_deref());
    }

    /// A whole number.
    pub fn count(
        &mut self,
        ui: &mut Ui,
        field: Field,
        quantity: &Quantity,
        lens: Lens<impl Fn(&S) -> Option<&u32>, impl Fn(&mut S) -> Option<&mut u32>>,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let row = Row::new(field.name)
            .help(field.help)
            .resettable(value != Shared::Same(quantity.default as u32))
            .show(ui, |ui, label| {
                let width = ui.available_width();
                let output = Number::new(quantity, value.map(f64::from))
                    .whole()
                    .show(ui, width);
                output.response.labelled_by(label);
                (output.change, output.refusal)
            });
        let (change, refusal) = row.inner;
        if let Some(change) = change {
            // Within the quantity's limits, which are those of a count.
            self.write(ui, field, change.map(|count| count as u32), &lens.get_mut);
        }
        if row.reset {
            let default = quantity.default as u32;
            self.write(ui, field, Change::chosen(default), &lens.get_mut);
        }
        show_refusal(ui, field, refusal.as_deref());
    }

    /// An optional number; `none` is shown if it is not set.
    pub fn optional_number(
        &mut self,
        ui: &mut Ui,
        field: Field,
        (quantity, none): (&Quantity, &str),
        lens: Lens<
            impl Fn(&S) -> Option<&Option<f64>>,
            impl Fn(&mut S) -> Option<&mut Option<f64>>,
        >,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let mut change = None;
        let mut refusal = None;
        Row::new(field.name).help(field.help).show(ui, |ui, label| {
            ui.horizontal(|ui| {
                let given = value.map(|value| value.is_some());
                if let Some(on) = toggle_ui(ui, label, given) {
                    change = Some(Change::chosen(on.then_some(quantity.default)));
                }
                let number = match value {
                    Shared::Same(Some(number)) => Shared::Same(number),
                    Shared::Mixed => Shared::Mixed,
                    Shared::Same(None) => {
                        ui.weak(none);
                        return;
                    }
                };
                let width = ui.available_width();
                let output = Number::new(quantity, number).show(ui, width);
                output
                    .response
                    .accessible_name(format!("{} value", field.name));
                if let Some(number) = output.change {
                    change = Some(number.map(Some));
                }
                refusal = output.refusal;
            });
        });
        if let Some(change) = change {
            self.write(ui, field, change, &lens.get_mut);
        }
        show_refusal(ui, field, refusal.as_deref());
    }

    pub fn toggle(
        &mut self,
        ui: &mut Ui,
        field: Field,
        lens: Lens<impl Fn(&S) -> Option<&bool>, impl Fn(&mut S) -> Option<&mut bool>>,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let row = Row::new(field.name).help(field.help).small();
        let on = row.show(ui, |ui, label| toggle_ui(ui, label, value)).inner;
        if let Some(on) = on {
            self.write(ui, field, Change::chosen(on), &lens.get_mut);
        }
    }

    pub fn choice<T: Clone + PartialEq + 'a>(
        &mut self,
        ui: &mut Ui,
        field: Field,
        options: &[(T, &str)],
        lens: Lens<impl Fn(&S) -> Option<&T>, impl Fn(&mut S) -> Option<&mut T>>,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let names: Vec<&str> = options.iter().map(|(_, name)| *name).collect();
        let current = match &value {
            Shared::Same(value) => options
                .iter()
                .position(|(option, _)| option == value)
                .map_or(Shared::Mixed, Shared::Same),
            Shared::Mixed => Shared::Mixed,
        };
        let row = Row::new(field.name).help(field.help);
        let picked = row
            .show(ui, |ui, label| {
                choice_ui(ui, label, field.name, current, &names)
            })
            .inner;
        if let Some((option, _)) = picked.and_then(|index| options.get(index)) {
            self.write(ui, field, Change::chosen(option.clone()), &lens.get_mut);
        }
    }

    /// A choice among variants with values of their own: `current` gives the index of the subject's
    /// variant, `set` changes it.
    pub fn variant(
        &mut self,
        ui: &mut Ui,
        field: Field,
        options: &[&str],
        current: impl Fn(&S) -> Option<usize>,
        set: impl Fn(&mut S, usize),
    ) {
        let indices: Option<Vec<usize>> = self
            .subjects
            .iter()
            .map(|(_, subject)| current(subject))
            .collect();
        let Some(value) = indices.and_then(|all| Shared::of(all.into_iter())) else {
            return;
        };
        let row = Row::new(field.name).help(field.help);
        let picked = row
            .show(ui, |ui, label| {
                choice_ui(ui, label, field.name, value, options)
            })
            .inner;
        if let Some(index) = picked {
            let outcome = self.change(field, Manner::Chosen, |subject, _| set(subject, index));
            note_refusal(ui, field, outcome.err());
        }
        show_refusal(ui, field, None);
    }

    pub fn text(
        &mut self,
        ui: &mut Ui,
        field: Field,
        hint: &str,
        lines: Lines,
        lens: Lens<impl Fn(&S) -> Option<&String>, impl Fn(&mut S) -> Option<&mut String>>,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let row = Row::new(field.name).help(field.help).to_the_edge();
        let row = match lines {
            Lines::One => row,
            Lines::Many => row.stacked(),
        };
        let focus = self.focus == Some(field.name);
        let change = row
            .show(ui, |ui, label| {
                let shown = match &value {
                    Shared::Same(text) => Shared::Same(text.as_str()),
                    Shared::Mixed => Shared::Mixed,
                };
                let id = ui.scope_id().with("text");
                if focus {
                    ui.memory_mut(|memory| memory.request_focus(id));
                }
                let width = ui.available_width();
                let output = text_ui(ui, id, shown, hint, lines, width);
                output.response.labelled_by(label);
                output.change
            })
            .inner;
        if let Some(change) = change {
            self.write(ui, field, change, &lens.get_mut);
        }
        show_refusal(ui, field, None);
    }

    pub fn colour(
        &mut self,
        ui: &mut Ui,
        field: Field,
        lens: Lens<impl Fn(&S) -> Option<&Colour>, impl Fn(&mut S) -> Option<&mut Colour>>,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let row = Row::new(field.name).help(field.help);
        let output = row.show(ui, |ui, _| colour_ui(ui, field.name, value)).inner;
        if let Some(change) = output.change {
            self.write(ui, field, change, &lens.get_mut);
        }
        show_refusal(ui, field, output.refusal.as_deref());
    }

    /// A value with a custom editor, which reports how it changed the value. Only shown while the
    /// value is equal everywhere; otherwise `mixed` says so and offers to use the first one.
    pub fn custom<T: Clone + PartialEq + 'a>(
        &mut self,
        ui: &mut Ui,
        field: Field,
        lens: Lens<impl Fn(&S) -> Option<&T>, impl Fn(&mut S) -> Option<&mut T>>,
        edit: impl FnOnce(&mut Ui, &mut T) -> Option<Manner>,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        match value {
            Shared::Same(mut value) => {
                if let Some(manner) = edit(ui, &mut value) {
                    self.write(ui, field, Change { value, manner }, &lens.get_mut);
                }
            }
            Shared::Mixed => {
                ui.horizontal_wrapped(|ui| {
                    ui.weak("Mixed values.");
                    let first = self.subjects.first().and_then(|(_, s)| (lens.get)(s));
                    let name = format!("Use one value for {}", field.name.to_lowercase());
                    let help = "Sets all of them to the first one's value.";
                    if let Some(first) = first.cloned()
                        && ui.button(name).on_hover_text(help).clicked()
                    {
                        self.write(ui, field, Change::chosen(first), &lens.get_mut);
                    }
                });
            }
        }
        show_refusal(ui, field, None);
    }
}
