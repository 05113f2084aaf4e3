//! The editing commands: operations on the selection, and the clipboard.

use super::dialog::convert::Convert;
use super::dialog::operation::{Amount, AmountOf};
use super::docking::Pane;
use super::find::Replacement;
use super::notice::Notice;
use super::{Command, Editor};
use crate::document::{Document, KindName, Selection};
use crate::interaction::Refused;
use crate::interaction::clipboard::Destination;
use crate::interaction::operations::{
    self as operation, Axis, Change, Combination, ConvertTarget, Direction, Edge, OperationInput,
    Spacing, StackOrder, Turn,
};
use crate::preview::space::SpaceScene;
use glam::DVec2;
use std::collections::BTreeSet;

/// Units of the grid for one press of an arrow, without and with Shift.
const NEAR: f64 = 1.0;
const FAR: f64 = 10.0;

impl Editor {
    /// Does an editing command. False for commands of other kinds.
    pub(super) fn edit(&mut self, ctx: &egui::Context, command: Command) -> bool {
        type On<'a> = OperationInput<'a>;
        let outcome = match command {
            Command::Cut => self.cut(ctx),
            Command::Copy => self.copy(ctx),
            Command::Paste => {
                self.request_paste(ctx, PasteTo::Pointer);
                Ok(())
            }
            Command::PasteInPlace => {
                self.request_paste(ctx, PasteTo::SamePlace);
                Ok(())
            }
            Command::Duplicate => {
                let step = self.state.document().level().settings().grid.spacing;
                self.perform(|on: &On<'_>| operation::duplicate(on, DVec2::new(step, -step)))
            }
            Command::Delete => self.perform(operation::delete),
            Command::SelectAll => {
                self.select(Self::selectable);
                Ok(())
            }
            Command::SelectNone => {
                self.select(|_| Selection::default());
                Ok(())
            }
            Command::SelectInverse => {
                self.select(|document| {
                    let now = document.selection();
                    let all = Self::selectable(document);
                    all.iter().filter(|id| !now.contains(*id)).collect()
                });
                Ok(())
            }
            Command::SelectSimilar => {
                self.select(Self::similar);
                Ok(())
            }
            Command::FindReplace => {
                self.windows.find.toggle();
                Ok(())
            }
            Command::Group => self.perform(operation::group),
            Command::Ungroup => self.perform(operation::ungroup),
            Command::Hide => self.perform(operation::hide),
            Command::ShowAll => self.perform(operation::show_all),
            Command::Forbid => self.perform(operation::toggle_forbidden),
            Command::Lock => self.perform(operation::lock),
            Command::UnlockAll => self.perform(operation::unlock_all),
            Command::BringToFront => self.reorder(StackOrder::Front),
            Command::Raise => self.reorder(StackOrder::OneUp),
            Command::Lower => self.reorder(StackOrder::OneDown),
            Command::SendToBack => self.reorder(StackOrder::Back),
            Command::AlignLeft => self.align(Edge::Left),
            Command::AlignCentre => self.align(Edge::Centre),
            Command::AlignRight => self.align(Edge::Right),
            Command::AlignTop => self.align(Edge::Top),
            Command::AlignMiddle => self.align(Edge::Middle),
            Command::AlignBottom => self.align(Edge::Bottom),
            Command::DistributeAcross => {
                self.perform(|on: &On<'_>| operation::distribute(on, Axis::Across, Spacing::Gaps))
            }
            Command::DistributeDown => {
                self.perform(|on: &On<'_>| operation::distribute(on, Axis::Down, Spacing::Gaps))
            }
            Command::MirrorAcross => {
                self.perform(|on: &On<'_>| operation::mirror(on, Axis::Across))
            }
            Command::MirrorDown => self.perform(|on: &On<'_>| operation::mirror(on, Axis::Down)),
            Command::TurnLeft => {
                self.perform(|on: &On<'_>| operation::quarter_turn(on, Turn::Left))
            }
            Command::TurnRight => {
                self.perform(|on: &On<'_>| operation::quarter_turn(on, Turn::Right))
            }
            Command::WeighPedestrian
            | Command::WeighAnimal
            | Command::WeighVehicle
            | Command::WeighAdult
            | Command::WeighChild => {
                let Some(preset) = command.preset() else {
                    return false;
                };
                self.perform(|on: &On<'_>| operation::weigh(on, preset))
            }
            Command::Unweigh => self.perform(operation::unweigh),
            Command::DropToFloor => self.drop_to_floor(),
            Command::Union => self.combine(Combination::Union),
            Command::Subtract => self.combine(Combination::Subtract),
            Command::Intersect => self.combine(Combination::Intersect),
            Command::Offset => {
                self.show(Amount::new(AmountOf::Offset));
                Ok(())
            }
            Command::Simplify => {
                self.show(Amount::new(AmountOf::Simplify));
                Ok(())
            }
            Command::SuggestAnnotations => {
                self.suggest_annotations();
                self.layout.reveal(Pane::INSPECTOR);
                Ok(())
            }
            Command::Convert => {
                let dialog = Convert::new(&self.state);
                self.show(dialog);
                Ok(())
            }
            Command::NudgeLeft => self.nudge(Direction::Left, NEAR),
            Command::NudgeRight => self.nudge(Direction::Right, NEAR),
            Command::NudgeUp => self.nudge(Direction::Up, NEAR),
            Command::NudgeDown => self.nudge(Direction::Down, NEAR),
            Command::NudgeFarLeft => self.nudge(Direction::Left, FAR),
            Command::NudgeFarRight => self.nudge(Direction::Right, FAR),
            Command::NudgeFarUp => self.nudge(Direction::Up, FAR),
            Command::NudgeFarDown => self.nudge(Direction::Down, FAR),
            _ => return false,
        };
        if let Err(refused) = outcome {
            self.tell_refusal(command.name(), &refused);
        }
        true
    }

    fn tell_refusal(&mut self, what: &str, refused: &Refused) {
        let what = what.trim_end_matches('…');
        self.state
            .notify(Notice::warning(format!("{what}: {refused}.")));
    }

    /// Does an operation on the selection as one undo step.
    pub(super) fn perform(
        &mut self,
        operation: impl FnOnce(&OperationInput<'_>) -> Result<Change, Refused>,
    ) -> Result<(), Refused> {
        self.state.cancel_drag();
        let change = operation(&OperationInput::of(self.state.document()))?;
        self.carry(change)
    }

    pub(super) fn carry(&mut self, change: Change) -> Result<(), Refused> {
        let level = &mut self.state.level;
        level.commit(change.label, change.edits, change.merge)?;
        level.select(change.selection);
        Ok(())
    }

    pub(super) fn convert(&mut self, form: ConvertTarget) {
        if let Err(refused) = self.perform(|on: &OperationInput<'_>| operation::convert(on, form)) {
            self.tell_refusal("Convert", &refused);
        }
    }

    pub(super) fn replace(&mut self, replacement: Replacement) {
        let outcome = self.perform(|on: &OperationInput<'_>| match replacement {
            Replacement::Tag { from, to, scope } => {
                operation::replace_tag(on, &from, to.as_deref(), scope)
            }
            Replacement::Terrain { from, to, scope } => {
                operation::replace_terrain(on, from, to, scope)
            }
            Replacement::Forbidden { pattern, forbid } => {
                operation::forbid_named(on, &pattern, forbid)
            }
        });
        if let Err(refused) = outcome {
            self.tell_refusal("Replace", &refused);
        }
    }

    fn align(&mut self, edge: Edge) -> Result<(), Refused> {
        self.perform(|on: &OperationInput<'_>| operation::align(on, edge))
    }

    fn reorder(&mut self, place: StackOrder) -> Result<(), Refused> {
        self.perform(|on: &OperationInput<'_>| operation::reorder(on, place))
    }

    fn combine(&mut self, combination: Combination) -> Result<(), Refused> {
        self.perform(|on: &OperationInput<'_>| operation::combine(on, combination))
    }

    /// Lets the selection down; the bodies beneath it are looked up again, so that it works with
    /// the plan alone in sight.
    fn drop_to_floor(&mut self) -> Result<(), Refused> {
        let level = std::sync::Arc::clone(self.state.document().level());
        let meshes = std::sync::Arc::clone(&self.state.space.meshes);
        let before = self.state.space.scene().cloned();
        let scene = SpaceScene::build(
            before.as_deref(),
            level,
            meshes,
            before
                .as_ref()
                .map_or_else(Default::default, |scene| scene.look),
            &crate::jobs::JobContext::default(),
        );
        let Ok(scene) = scene else {
            return Ok(());
        };
        self.perform(|on: &OperationInput<'_>| operation::drop_to_floor(on, &scene))
    }

    fn nudge(&mut self, direction: Direction, units: f64) -> Result<(), Refused> {
        self.perform(|on: &OperationInput<'_>| operation::nudge(on, direction, units))
    }

    fn select(&mut self, choose: impl FnOnce(&Document) -> Selection) {
        let selection = choose(self.state.document());
        self.state.level.select(selection);
    }

    /// What can be seen in the plan and is not locked.
    fn selectable(document: &Document) -> Selection {
        let level = document.level();
        level
            .iter()
            .filter(|(id, entity)| {
                entity.kind.name().is_placed() && level.is_visible(*id) && !level.is_locked(*id)
            })
            .map(|(id, _)| id)
            .collect()
    }

    fn similar(document: &Document) -> Selection {
        let level = document.level();
        let kinds: BTreeSet<KindName> = document
            .selection()
            .iter()
            .filter_map(|id| level.kind_of(id))
            .collect();
        level
            .iter()
            .filter(|(id, entity)| {
                kinds.contains(&entity.kind.name())
                    && level.is_visible(*id)
                    && !level.is_locked(*id)
            })
            .map(|(id, _)| id)
            .collect()
    }

    fn copy(&mut self, ctx: &egui::Context) -> Result<(), Refused> {
        let text = self
            .clipboard
            .copy(&OperationInput::of(self.state.document()))?;
        ctx.copy_text(text);
        Ok(())
    }

    fn cut(&mut self, ctx: &egui::Context) -> Result<(), Refused> {
        self.state.cancel_drag();
        let (text, change) = self
            .clipboard
            .cut(&OperationInput::of(self.state.document()))?;
        ctx.copy_text(text);
        self.carry(change)
    }

    /// Asks the system for what its clipboard holds; it arrives as an event.
    fn request_paste(&mut self, ctx: &egui::Context, to: PasteTo) {
        self.paste_to = Some(to);
        ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
    }

    /// The clipboard's contents have arrived.
    pub(super) fn paste(&mut self, text: &str) {
        let to = match self.paste_to.take() {
            Some(PasteTo::SamePlace) => Destination::InPlace,
            Some(PasteTo::Pointer) | None => match self.state.view.pointer {
                Some(at) => Destination::At(self.on_grid(at)),
                None => {
                    let step = self.state.document().level().settings().grid.spacing;
                    Destination::Beside(DVec2::new(step, -step))
                }
            },
        };
        self.state.cancel_drag();
        let on = OperationInput::of(self.state.document());
        let outcome = self
            .clipboard
            .paste(&on, text, to)
            .and_then(|change| self.carry(change));
        if let Err(refused) = outcome {
            self.tell_refusal("Paste", &refused);
        }
    }

    fn on_grid(&self, at: DVec2) -> DVec2 {
        let grid = self.state.document().level().settings().grid;
        if grid.snap.grid && self.state.toolbox.defaults.snap {
            (at / grid.spacing).round() * grid.spacing
        } else {
            at
        }
    }
}

/// Where a paste that was asked for goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PasteTo {
    Pointer,
    SamePlace,
}
