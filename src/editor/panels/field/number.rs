//! A number with its unit: dragged, typed, or stepped with the arrow keys.

use super::{Change, MIXED, Manner, Shared, quantity_text};
use crate::base::{Quantity, Unit};
use crate::editor::theme::panel;
use egui::{
    Align, DragValue, Id, Key, Layout, PopupAnchor, Response, RichText, StrokeKind, Ui, vec2,
};
use std::cell::RefCell;

/// Width of an inline number. Unit: points.
const INLINE: f32 = 72.0;

#[derive(Clone, Debug)]
pub struct Number<'a> {
    quantity: &'a Quantity,
    value: Shared<f64>,
    prefix: &'a str,
    whole: bool,
    faint: bool,
}

#[derive(Debug)]
pub struct NumberOutput {
    pub response: Response,
    pub change: Option<Change<f64>>,
    /// Why the typed text was rejected. Stays until the field is used again.
    pub refusal: Option<String>,
    /// Whether something was typed in this frame.
    is_news: bool,
}

impl<'a> Number<'a> {
    #[must_use]
    pub const fn new(quantity: &'a Quantity, value: Shared<f64>) -> Self {
        Self {
            quantity,
            value,
            prefix: "",
            whole: false,
            faint: false,
        }
    }

    /// A prefix, such as the name of an axis.
    #[must_use]
    pub const fn prefix(mut self, prefix: &'a str) -> Self {
        self.prefix = prefix;
        self
    }

    /// Integers only.
    #[must_use]
    pub const fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Shown as an inherited value.
    #[must_use]
    pub const fn faint(mut self, faint: bool) -> Self {
        self.faint = faint;
        self
    }

    /// Change of the value per point of a drag.
    fn speed(&self, value: f64) -> f64 {
        if self.whole {
            return 0.1;
        }
        match self.quantity.unit {
            Unit::Degree => 0.5,
            Unit::Hour => 0.05,
            // Coordinates do not change faster far from the origin.
            Unit::Metre if self.quantity.min < 0.0 => 0.05,
            _ => (0.01 * value.abs().max(self.quantity.default.abs())).clamp(0.001, 10.0),
        }
    }

    /// Fills `width`.
    pub fn show(self, ui: &mut Ui, width: f32) -> NumberOutput {
        let unit = self.quantity.unit;
        let start = match self.value {
            Shared::Same(value) => value,
            Shared::Mixed => self.quantity.clamp(0.0),
        };
        let shown = match self.value {
            Shared::Same(value) => quantity_text::format(unit, value),
            Shared::Mixed => MIXED.to_owned(),
        };
        let suffix = match self.value {
            Shared::Same(_) => quantity_text::suffix(unit),
            Shared::Mixed => "",
        };
        let typed: RefCell<Option<Result<f64, String>>> = RefCell::new(None);
        let mut value = start;
        let whole = self.whole;
        let mixed = self.value.is_mixed();
        let size = vec2(width, panel::FIELD_ROW);
        let response = ui
            .allocate_ui_with_layout(size, Layout::top_down(Align::LEFT), |ui| {
                if self.faint {
                    let weak = ui.visuals().weak_text_color();
                    ui.visuals_mut().override_text_color = Some(weak);
                }
                let escaped = was_escaped(ui, ui.next_auto_id());
                let prefix = RichText::new(format!("{}  ", self.prefix))
                    .color(ui.visuals().weak_text_color());
                let drag = DragValue::new(&mut value)
                    .speed(self.speed(start))
                    .range(self.quantity.min..=self.quantity.max)
                    .clamp_existing_to_range(false)
                    .update_while_editing(false)
                    .clip_text(true)
                    .min_size(size)
                    .custom_formatter(|value, _| {
                        if mixed && value == start {
                            MIXED.to_owned()
                        } else {
                            quantity_text::format(unit, value)
                        }
                    })
                    .custom_parser(|text| {
                        // The text is unchanged: nothing was typed, and hidden digits must not be
                        // lost.
                        if escaped || text.trim() == shown {
                            return None;
                        }
                        let parsed = quantity_text::parse(self.quantity, text);
                        let number = parsed.as_ref().ok().copied();
                        *typed.borrow_mut() = Some(parsed);
                        number
                    });
                let drag = if self.prefix.is_empty() {
                    drag
                } else {
                    drag.prefix(prefix)
                };
                ui.add(drag.suffix(suffix))
            })
            .inner;
        let refusal_id = response.id.with("refusal");
        let typed = typed.into_inner();
        match &typed {
            Some(Err(sentence)) => {
                ui.data_mut(|data| data.insert_temp(refusal_id, sentence.clone()));
            }
            Some(Ok(_)) => forget_refusal(ui, refusal_id),
            None if response.gained_focus() || response.dragged() => {
                forget_refusal(ui, refusal_id);
            }
            None => {}
        }
        let is_news = typed.is_some();
        let round = |value: f64| if whole { value.round() } else { value };
        let change = match typed {
            Some(Ok(number)) => Some(Change::chosen(round(number))),
            _ if response.changed() => {
                // Dragged, or stepped with the arrow keys.
                Some(Change::by_pointer_or(ui, round(value), Manner::Typed))
            }
            _ => None,
        };
        let change = change.filter(|change| self.value != Shared::Same(change.value));
        NumberOutput {
            change,
            refusal: ui.data(|data| data.get_temp(refusal_id)),
            is_news,
            response: response.on_hover_text(self.explanation()),
        }
    }

    /// Inline with other widgets. An error is shown in a bubble below the field, so that nothing
    /// moves.
    pub fn inline(self, ui: &mut Ui, label: Id, value: &mut f64) -> NumberOutput {
        let output = self.show(ui, INLINE);
        let field = &output.response;
        let refusal_id = field.id.with("refusal");
        if let Some(change) = &output.change {
            *value = change.value;
        }
        match &output.refusal {
            Some(sentence) if output.is_news || !ui.input(|input| input.pointer.any_pressed()) => {
                let colour = ui.visuals().error_fg_color;
                ui.painter().rect_stroke(
                    field.rect,
                    panel::ROUNDING,
                    (1.0, colour),
                    StrokeKind::Inside,
                );
                let now = ui.ctx().cumulative_pass_nr();
                ui.data_mut(|data| data.insert_temp(refused_id(), now));
                egui::Tooltip::always_open(
                    ui.ctx().clone(),
                    ui.layer_id(),
                    refusal_id,
                    PopupAnchor::ParentRect(field.rect),
                )
                .gap(4.0)
                .show(|ui| ui.colored_label(colour, sentence));
            }
            // Any other interaction dismisses the message.
            Some(_) => forget_refusal(ui, refusal_id),
            None => {}
        }
        NumberOutput {
            response: output.response.labelled_by(label),
            ..output
        }
    }

    fn explanation(&self) -> String {
        let Quantity { unit, min, max, .. } = *self.quantity;
        let mut text = String::new();
        if self.value.is_mixed() {
            text.push_str("Mixed values; a new one applies to all.\n");
        }
        text.push_str(&format!(
            "{} to {}. Drag to change, click to type.",
            quantity_text::format_with_unit(unit, min),
            quantity_text::format_with_unit(unit, max),
        ));
        text
    }
}

fn refused_id() -> Id {
    Id::unique("number refused")
}

/// Whether any number drawn in this frame was rejected.
#[must_use]
pub fn is_any_refused(ctx: &egui::Context) -> bool {
    let now = ctx.cumulative_pass_nr();
    ctx.data(|data| data.get_temp(refused_id())) == Some(now)
}

/// Whether the field was left with Esc, now or a moment ago: the text of a field that lost the
/// focus is read for two frames, and Esc is only known in the first.
fn was_escaped(ui: &Ui, field: Id) -> bool {
    const FRAMES: u64 = 2;
    let id = field.with("escaped");
    let now = ui.ctx().cumulative_pass_nr();
    let had_focus = ui.memory(|memory| memory.had_focus_last_frame(field));
    if had_focus && ui.input(|input| input.key_pressed(Key::Escape)) {
        ui.data_mut(|data| data.insert_temp(id, now));
    }
    ui.data(|data| data.get_temp::<u64>(id))
        .is_some_and(|at| now <= at + FRAMES)
}

fn forget_refusal(ui: &Ui, id: Id) {
    ui.data_mut(|data| data.remove::<String>(id));
}
