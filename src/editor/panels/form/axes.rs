//! Points and positions: several numbers of one quantity in a row.

use super::{Field, Form, FormSubject, Lens, note_refusal, show_refusal};
use crate::base::Quantity;
use crate::document::limits;
use crate::editor::panels::field::{Change, Number, Row, Shared};
use crate::editor::theme::panel;
use egui::Ui;
use glam::{DVec2, DVec3};

impl<S: FormSubject> Form<'_, S> {
    /// A point on the plan. Each coordinate is a separate field: only those that differ are mixed.
    pub fn point(
        &mut self,
        ui: &mut Ui,
        field: Field,
        lens: Lens<impl Fn(&S) -> Option<&DVec2>, impl Fn(&mut S) -> Option<&mut DVec2>>,
    ) {
        let axes: Option<Vec<[f64; 2]>> = self
            .subjects
            .iter()
            .map(|(_, subject)| (lens.get)(subject).map(DVec2::to_array))
            .collect();
        let Some(axes) = axes else {
            return;
        };
        self.axes(
            ui,
            field,
            &limits::COORDINATE,
            ["x", "y"],
            &axes,
            |s, axis, value| {
                if let Some(point) = (lens.get_mut)(s) {
                    point[axis] = value;
                }
            },
        );
    }

    /// A position in space: its point on the plan, and its elevation in a separate row.
    pub fn place(
        &mut self,
        ui: &mut Ui,
        field: Field,
        elevation: Field,
        lens: Lens<impl Fn(&S) -> Option<&DVec3>, impl Fn(&mut S) -> Option<&mut DVec3>>,
    ) {
        let Lens { get, get_mut } = lens;
        let axes: Option<Vec<[f64; 2]>> = self
            .subjects
            .iter()
            .map(|(_, subject)| get(subject).map(|place| place.truncate().to_array()))
            .collect();
        let Some(axes) = axes else {
            return;
        };
        self.axes(
            ui,
            field,
            &limits::COORDINATE,
            ["x", "y"],
            &axes,
            |s, axis, value| {
                if let Some(place) = get_mut(s) {
                    place[axis] = value;
                }
            },
        );
        let height = Lens::new(
            |subject: &S| get(subject).map(|place| &place.z),
            |subject: &mut S| get_mut(subject).map(|place| &mut place.z),
        );
        self.number(ui, elevation, &limits::ELEVATION, height);
    }

    /// Two or more numbers of one quantity in a row; stacked if it is narrow. `values` holds them
    /// for each subject, `set` writes one of them.
    pub fn axes<const N: usize>(
        &mut self,
        ui: &mut Ui,
        field: Field,
        quantity: &Quantity,
        names: [&str; N],
        values: &[[f64; N]],
        set: impl Fn(&mut S, usize, f64),
    ) {
        let row = Row::new(field.name).help(field.help);
        let output = row
            .show(ui, |ui, _| axes_ui(ui, field.name, quantity, names, values))
            .inner;
        if let Some((axis, change)) = output.change {
            let outcome = self.change(field, change.manner, |subject, _| {
                set(subject, axis, change.value);
            });
            note_refusal(ui, field, outcome.err());
        }
        show_refusal(ui, field, output.refusal.as_deref());
    }
}

#[derive(Debug, Default)]
pub struct AxesOutput {
    pub change: Option<(usize, Change<f64>)>,
    pub refusal: Option<String>,
}

/// The numbers of [`Form::axes`] without a form.
pub fn axes_ui<const N: usize>(
    ui: &mut Ui,
    name: &str,
    quantity: &Quantity,
    names: [&str; N],
    values: &[[f64; N]],
) -> AxesOutput {
    let mut output = AxesOutput::default();
    let width = ui.available_width();
    let mut numbers_ui = |ui: &mut Ui, each: f32| {
        for (axis, axis_name) in names.iter().enumerate() {
            let Some(value) = Shared::of(values.iter().map(|all| all[axis])) else {
                continue;
            };
            let number = Number::new(quantity, value)
                .prefix(axis_name)
                .show(ui, each);
            number
                .response
                .accessible_name(format!("{name} {axis_name}"));
            if let Some(change) = number.change {
                output.change = Some((axis, change));
            }
            output.refusal = output.refusal.take().or(number.refusal);
        }
    };
    if width < panel::PAIR_WIDTH {
        numbers_ui(ui, width);
    } else {
        ui.horizontal(|ui| {
            let gaps = ui.spacing().item_spacing.x * (N as f32 - 1.0);
            numbers_ui(ui, (width - gaps) / N as f32);
        });
    }
    output
}
