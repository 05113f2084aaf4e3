//! The options of a format as widgets, from their descriptions.

use crate::base::{Quantity, Unit};
use crate::editor::panels::field::{Number, Shared};
use crate::exchange::options::{Choice, OptionKind, OptionSpec, OptionValue, Options};
use egui::accesskit::Role;
use egui::{Id, Ui, WidgetInfo};

/// Of the first column, so that grids above each other align. Unit: points.
pub(super) const LABEL_WIDTH: f32 = 110.0;

const CELLS: Quantity = Quantity::new("number of voxels", Unit::One, 1.0, 10_000.0, 64.0);

/// No profile: the body that a new one has.
const USUAL_BODY: &str = "Default body";

/// What the widgets need to know besides the options.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Surroundings<'a> {
    /// The names of the level's profiles.
    pub profiles: &'a [String],
    /// Another label for the option of this key.
    pub relabelled: Option<(&'a str, &'a str)>,
    /// Options that the dialog leaves out.
    pub hidden: &'a [&'a str],
}

/// Rows of a grid of its own; those for few people are folded away.
pub(super) fn options_ui(ui: &mut Ui, options: &mut Options, around: Surroundings<'_>) {
    let specs = options.specs();
    let shown = |spec: &&&OptionSpec| !around.hidden.contains(&spec.key);
    let (advanced, usual): (Vec<&OptionSpec>, Vec<&OptionSpec>) = specs
        .iter()
        .filter(shown)
        .partition(|spec| spec.is_advanced);
    grid_ui(ui, "format options", &usual, options, around);
    if !advanced.is_empty() {
        ui.add_space(6.0);
        egui::CollapsingHeader::new("Advanced").show(ui, |ui| {
            grid_ui(ui, "advanced format options", &advanced, options, around);
        });
    }
}

fn grid_ui(
    ui: &mut Ui,
    id: &str,
    specs: &[&OptionSpec],
    options: &mut Options,
    around: Surroundings<'_>,
) {
    egui::Grid::new(id)
        .num_columns(2)
        .min_col_width(LABEL_WIDTH)
        .spacing([12.0, 8.0])
        .show(ui, |ui| {
            for spec in specs {
                if let Some(value) = options.get(spec.key) {
                    let changed = row_ui(ui, spec, value.clone(), around);
                    if changed != value {
                        // Widgets keep to the kind and the limits; anything else is not taken.
                        let _ = options.set(spec.key, changed);
                    }
                }
                ui.end_row();
            }
        });
}

/// One option; returns its value after this frame.
fn row_ui(
    ui: &mut Ui,
    spec: &OptionSpec,
    value: OptionValue,
    around: Surroundings<'_>,
) -> OptionValue {
    let label = match around.relabelled {
        Some((key, label)) if key == spec.key => label,
        _ => spec.label,
    };
    if let OptionValue::Switch(mut is_on) = value {
        ui.label("");
        ui.checkbox(&mut is_on, label).on_hover_text(spec.help);
        return OptionValue::Switch(is_on);
    }
    let id = ui.label(label).on_hover_text(spec.help).id;
    match spec.kind {
        OptionKind::Number {
            limits,
            is_whole,
            can_be_automatic,
        } => number_ui(ui, id, &limits, (is_whole, can_be_automatic), value),
        OptionKind::Choice(choices) => choice_ui(ui, choices, value),
        OptionKind::Profile => profile_ui(ui, spec.label, around.profiles, value),
        OptionKind::Profiles => profiles_ui(ui, around.profiles, value),
        OptionKind::Grid => cells_ui(ui, id, value),
        OptionKind::Switch => value,
    }
}

fn number_ui(
    ui: &mut Ui,
    label: Id,
    limits: &Quantity,
    (is_whole, can_be_automatic): (bool, bool),
    value: OptionValue,
) -> OptionValue {
    let field_ui = |ui: &mut Ui, number: &mut f64| {
        let field = Number::new(limits, Shared::Same(*number));
        let field = if is_whole { field.whole() } else { field };
        field.inline(ui, label, number);
    };
    let mut number = match value {
        OptionValue::Number(number) => number,
        _ => limits.default,
    };
    if !can_be_automatic {
        field_ui(ui, &mut number);
        return OptionValue::Number(number);
    }
    automatic_ui(ui, value == OptionValue::Automatic, |ui| {
        field_ui(ui, &mut number);
        OptionValue::Number(number)
    })
}

/// A box that leaves the value to the format, and the value if it is not ticked.
fn automatic_ui(
    ui: &mut Ui,
    mut is_automatic: bool,
    value_ui: impl FnOnce(&mut Ui) -> OptionValue,
) -> OptionValue {
    ui.horizontal(|ui| {
        ui.checkbox(&mut is_automatic, "Automatic");
        if is_automatic {
            OptionValue::Automatic
        } else {
            value_ui(ui)
        }
    })
    .inner
}

fn choice_ui(ui: &mut Ui, choices: &[Choice], mut value: OptionValue) -> OptionValue {
    ui.horizontal_wrapped(|ui| {
        for choice in choices {
            let response =
                ui.selectable_value(&mut value, OptionValue::Choice(choice.id), choice.label);
            if !choice.help.is_empty() {
                response.on_hover_text(choice.help);
            }
        }
    });
    value
}

fn profile_ui(
    ui: &mut Ui,
    label: &str,
    profiles: &[String],
    mut value: OptionValue,
) -> OptionValue {
    let shown = match &value {
        OptionValue::Profile(name) => name.clone(),
        _ => USUAL_BODY.to_owned(),
    };
    let combo = egui::ComboBox::from_id_salt(label)
        .width(220.0)
        .selected_text(shown)
        .show_ui(ui, |ui| {
            ui.selectable_value(&mut value, OptionValue::Automatic, USUAL_BODY);
            for name in profiles {
                ui.selectable_value(&mut value, OptionValue::Profile(name.clone()), name);
            }
        })
        .response;
    combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, label));
    value
}

fn profiles_ui(ui: &mut Ui, profiles: &[String], value: OptionValue) -> OptionValue {
    let mut chosen: Vec<String> = match &value {
        OptionValue::Profiles(names) => names.clone(),
        _ => profiles.to_vec(),
    };
    for (i, name) in profiles.iter().enumerate() {
        // A row each, below the first one's label.
        if i > 0 {
            ui.end_row();
            ui.label("");
        }
        let was_chosen = chosen.contains(name);
        let mut is_chosen = was_chosen;
        ui.checkbox(&mut is_chosen, name);
        if is_chosen && !was_chosen {
            chosen.push(name.clone());
        } else if was_chosen && !is_chosen {
            chosen.retain(|other| other != name);
        }
    }
    if profiles.iter().all(|name| chosen.contains(name)) {
        OptionValue::Automatic
    } else {
        OptionValue::Profiles(chosen)
    }
}

fn cells_ui(ui: &mut Ui, label: Id, value: OptionValue) -> OptionValue {
    let mut size = match value {
        OptionValue::Grid(size) => size,
        _ => [CELLS.default as u32; 3],
    };
    automatic_ui(ui, value == OptionValue::Automatic, |ui| {
        for count in &mut size {
            let mut number = f64::from(*count);
            Number::new(&CELLS, Shared::Same(number))
                .whole()
                .inline(ui, label, &mut number);
            *count = number as u32;
        }
        OptionValue::Grid(size)
    })
}
