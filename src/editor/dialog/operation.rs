//! Operations that ask for an amount and preview the result.

use super::{Dialog, Flow, buttons_ui, confirmed, modal_below, primary_button_enabled};
use crate::base::{Quantity, Unit};
use crate::editor::panels::field::{Number, Shared};
use crate::editor::{Action, Actions, EditorState};
use crate::interaction::Refused;
use crate::interaction::operations::{self, Change, OperationInput};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountOf {
    Offset,
    Simplify,
}

const DISTANCE: Quantity = Quantity::new("distance", Unit::Metre, -1_000.0, 1_000.0, 0.5);
const TOLERANCE: Quantity = Quantity::new("tolerance", Unit::Metre, 0.001, 100.0, 0.1);

impl AmountOf {
    const fn title(self) -> &'static str {
        match self {
            Self::Offset => "Grow or shrink",
            Self::Simplify => "Simplify",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::Offset => {
                "How far the outlines move outwards; negative values move them inwards."
            }
            Self::Simplify => "Points that change the shape by less than this are removed.",
        }
    }

    const fn quantity(self) -> Quantity {
        match self {
            Self::Offset => DISTANCE,
            Self::Simplify => TOLERANCE,
        }
    }

    fn change(self, on: &OperationInput<'_>, amount: f64) -> Result<Change, Refused> {
        match self {
            Self::Offset => operations::offset(on, amount),
            Self::Simplify => operations::simplify(on, amount),
        }
    }
}

#[derive(Debug)]
pub struct Amount {
    of: AmountOf,
    amount: f64,
    /// The last previewed amount; `None` before the first preview.
    shown: Option<f64>,
    trouble: Option<String>,
    change: Option<Change>,
}

impl Amount {
    #[must_use]
    pub const fn new(of: AmountOf) -> Self {
        Self {
            of,
            amount: of.quantity().default,
            shown: None,
            trouble: None,
            change: None,
        }
    }

    /// Previews the amount against the original level.
    fn preview(&mut self, state: &EditorState, actions: &mut Actions) {
        if self.shown == Some(self.amount) {
            return;
        }
        if self.shown.is_none() {
            actions.push(Action::Begin {
                label: self.of.title().to_owned(),
            });
        }
        self.shown = Some(self.amount);
        let document = state.document();
        let on = OperationInput {
            level: document.committed_level(),
            ..OperationInput::of(document)
        };
        match self.of.change(&on, self.amount) {
            Ok(change) => {
                actions.push(Action::Preview {
                    edits: change.edits.clone(),
                });
                self.change = Some(change);
                self.trouble = None;
            }
            Err(refused) => {
                actions.push(Action::Preview { edits: Vec::new() });
                self.change = None;
                self.trouble = Some(format!("{refused}."));
            }
        }
    }
}

impl Dialog for Amount {
    fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) -> Flow {
        self.preview(state, actions);
        let mut accepted = false;
        let flow = modal_below(ctx, self.of.title(), 380.0, |ui| {
            let mut flow = Flow::Stay;
            ui.weak(self.of.help());
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let quantity = self.of.quantity();
                let label = ui.label("By");
                Number::new(&quantity, Shared::Same(self.amount)).inline(
                    ui,
                    label.id,
                    &mut self.amount,
                );
                if let Some(trouble) = &self.trouble {
                    ui.colored_label(ui.visuals().warn_fg_color, trouble);
                }
            });
            buttons_ui(ui, |ui| {
                let ready = self.change.is_some();
                accepted =
                    primary_button_enabled(ui, "Apply", ready).clicked() || ready && confirmed(ctx);
                if ui.button("Cancel").clicked() {
                    flow = Flow::Close;
                }
            });
            flow
        });
        match (accepted, self.change.take_if(|_| accepted)) {
            (true, Some(change)) => {
                actions.push(Action::Finish);
                actions.push(Action::Select(change.selection));
                Flow::Close
            }
            _ => {
                if flow == Flow::Close {
                    actions.push(Action::Cancel);
                }
                flow
            }
        }
    }
}
