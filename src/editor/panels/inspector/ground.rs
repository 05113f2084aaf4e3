//! The height field among the level's settings.

use super::geometry::value_ui;
use crate::base::Unit;
use crate::document::{Edit, Settings, limits};
use crate::editor::Command;
use crate::editor::panels::field::button::named_button;
use crate::editor::panels::field::number::Number;
use crate::editor::panels::field::quantity_text::format_with_unit;
use crate::editor::panels::field::row::{Row, refusal_ui};
use crate::editor::panels::field::{Change, Shared};
use crate::editor::panels::form::axes::axes_ui;
use crate::editor::panels::form::{Field, Form, field};
use crate::geometry::HeightField;
use crate::interaction::sculpt;
use egui::Ui;
use std::sync::Arc;

const SPACING: Field = field(
    "Post spacing",
    "Distance between height posts; a new value resamples the ground.",
);
const CORNER: Field = field("Heights from", "The lower left post.");
const LOWEST: Field = field(
    "Lowest point",
    "A new value raises or lowers the whole ground.",
);

pub fn ui(ui: &mut Ui, form: &mut Form<'_, Settings>) {
    let level = form.level();
    let Some(ground) = level.ground() else {
        value_ui(ui, "Heights", "Flat at 0 m");
        ui.horizontal_wrapped(|ui| {
            command_ui(ui, form, Command::AddHeightField);
            command_ui(ui, form, Command::ImportHeights);
        });
        return;
    };
    let (low, high) = ground.range();
    value_ui(
        ui,
        "Heights",
        &format!(
            "{} × {} posts, {} to {}",
            ground.columns,
            ground.rows,
            format_with_unit(Unit::Metre, low),
            format_with_unit(Unit::Metre, high)
        ),
    );
    number_ui(
        ui,
        form,
        SPACING,
        &limits::POST_SPACING,
        ground.spacing,
        |base, spacing| {
            sculpt::check_count(base.bounds(), spacing)?;
            Ok(base.resampled(base.bounds(), spacing))
        },
    );
    corner_ui(ui, form, ground);
    number_ui(ui, form, LOWEST, &limits::ELEVATION, low, |base, lowest| {
        let lift = lowest - base.range().0;
        let mut lifted = base.clone();
        lifted.heights = base
            .heights
            .iter()
            .map(|height| limits::ELEVATION.clamp(height + lift))
            .collect();
        Ok(lifted)
    });
    ui.horizontal_wrapped(|ui| {
        command_ui(ui, form, Command::ImportHeights);
        command_ui(ui, form, Command::RemoveHeightField);
    });
}

fn command_ui(ui: &mut Ui, form: &mut Form<'_, Settings>, command: Command) {
    let entry = command.entry();
    let button = named_button(ui, entry.icon, entry.name).on_hover_text(entry.help);
    if button.clicked() {
        form.actions.command(command);
    }
}

fn number_ui(
    ui: &mut Ui,
    form: &mut Form<'_, Settings>,
    field: Field,
    quantity: &crate::base::Quantity,
    value: f64,
    change: impl Fn(&HeightField, f64) -> Result<HeightField, String>,
) {
    let (asked, mut refusal) = Row::new(field.name)
        .help(field.help)
        .show(ui, |ui, label| {
            let width = ui.available_width();
            let output = Number::new(quantity, Shared::Same(value)).show(ui, width);
            output.response.labelled_by(label);
            (output.change, output.refusal)
        })
        .inner;
    let id = ui.scope_id().with((field.name, "too many"));
    if let Some(asked) = asked {
        // From the ground before a drag, so that dragging there and back loses nothing.
        let base = form.document.committed_level().ground();
        let outcome = base.map(|base| change(base, asked.value));
        let sentence = match outcome {
            Some(Ok(ground)) => {
                edit(form, field, asked.map(|_| ground));
                None
            }
            Some(Err(sentence)) => Some(sentence),
            None => None,
        };
        ui.data_mut(|data| data.insert_temp(id, sentence));
    }
    refusal = refusal.or_else(|| {
        ui.data(|data| data.get_temp::<Option<String>>(id))
            .flatten()
    });
    if let Some(sentence) = refusal {
        refusal_ui(ui, &sentence);
    }
}

fn corner_ui(ui: &mut Ui, form: &mut Form<'_, Settings>, ground: &HeightField) {
    let corner = Row::new(CORNER.name)
        .help(CORNER.help)
        .show(ui, |ui, _| {
            let corner = [ground.origin.to_array()];
            axes_ui(ui, CORNER.name, &limits::COORDINATE, ["x", "y"], &corner)
        })
        .inner;
    if let Some(sentence) = &corner.refusal {
        refusal_ui(ui, sentence);
    }
    if let Some((axis, change)) = corner.change {
        let mut moved = ground.clone();
        edit(
            form,
            CORNER,
            change.map(|value| {
                moved.origin[axis] = value;
                moved
            }),
        );
    }
}

fn edit(form: &mut Form<'_, Settings>, field: Field, change: Change<HeightField>) {
    let edits = vec![Edit::Ground(Some(Arc::new(change.value)))];
    form.edit(field, change.manner, edits);
}
