//! The list of problems: a click goes there, a second one fixes it.

use super::field::button::icon_button;
use crate::document::validate::{Code, Problem, Severity, Subject};
use crate::document::{Level, Selection};
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, EditorState};
use crate::geometry::Rect;
use egui::{
    Align, Button, Color32, Frame, Label, Layout, Margin, Role, ScrollArea, Sense, TextEdit, Ui,
    UiBuilder, WidgetInfo, vec2,
};
use egui_material_icons::{MaterialIcon, icons};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// At most this many are listed: drawing more would cost every frame and help no one.
const MAX_LISTED: usize = 200;

/// What is shown around a place that a problem is at. Unit: metres.
const NEIGHBOURHOOD: f64 = 5.0;

/// What the panel remembers between frames.
#[derive(Debug, Default)]
pub struct Problems {
    hidden: BTreeSet<Severity>,
    search: String,
}

impl Problems {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let problems = state.problems();
        if problems.is_empty() {
            // What was well before a change is well until something is found.
            all_is_well_ui(ui, state.validation.is_begun());
            return;
        }
        let checks = !state.problems_are_current() && !state.document().in_transaction();
        self.filter_ui(ui, problems, checks);
        let level = state.document().level();
        let search = self.search.to_lowercase();
        let shown: Vec<&Problem> = problems
            .iter()
            .filter(|problem| !self.hidden.contains(&problem.severity))
            .filter(|problem| {
                search.is_empty()
                    || problem.message.to_lowercase().contains(&search)
                    || problem
                        .subject
                        .label(level)
                        .to_lowercase()
                        .contains(&search)
                    || problem.code.name().contains(&search)
            })
            .collect();
        // Errors first; within a severity, as they stand in the level.
        let mut sorted = shown.clone();
        sorted.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
        let fixable = count_fixable(&shown);
        ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("problems")
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for (index, problem) in sorted.iter().take(MAX_LISTED).enumerate() {
                    let alike = fixable.get(&problem.code).copied().unwrap_or(0);
                    let asked = row_ui(ui, index, problem, level, alike);
                    match asked {
                        Some(Asked::GoThere) => go_there(problem, level, actions),
                        Some(Asked::Fix) => actions.push(Action::Fix(vec![(*problem).clone()])),
                        Some(Asked::FixAlike) => {
                            let alike = shown
                                .iter()
                                .filter(|other| other.code == problem.code)
                                .map(|problem| (*problem).clone())
                                .collect();
                            actions.push(Action::Fix(alike));
                        }
                        None => {}
                    }
                }
                if let Some(more) = sorted.len().checked_sub(MAX_LISTED).filter(|n| *n > 0) {
                    ui.weak(format!("  … and {more} more."));
                }
                if sorted.is_empty() {
                    ui.add_space(6.0);
                    ui.weak("  Nothing matches the filter.");
                }
            });
    }

    fn filter_ui(&mut self, ui: &mut Ui, problems: &[Problem], checks: bool) {
        Frame::new()
            .inner_margin(Margin::symmetric(6, 4))
            .show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing.x = 4.0;
                    for severity in Severity::ALL {
                        self.severity_ui(ui, problems, severity);
                    }
                    let field = TextEdit::singleline(&mut self.search)
                        .hint_text("Filter")
                        .align(egui::Align2::LEFT_CENTER)
                        .desired_width(110.0);
                    ui.add(field).accessible_name("Filter problems");
                    if !self.search.is_empty()
                        && icon_button(ui, icons::ICON_CLOSE, "Clear filter").clicked()
                    {
                        self.search.clear();
                    }
                    if checks {
                        ui.weak("Checking…");
                    }
                });
            });
    }

    /// A switch for one severity, with how many there are.
    fn severity_ui(&mut self, ui: &mut Ui, problems: &[Problem], severity: Severity) {
        let count = problems
            .iter()
            .filter(|problem| problem.severity == severity)
            .count();
        let shown = !self.hidden.contains(&severity);
        let (icon, colour) = mark(ui, severity);
        let colour = if shown {
            colour
        } else {
            ui.visuals().weak_text_color()
        };
        let atoms = (
            icon.rich_text().size(panel::ICON).color(colour),
            count.to_string(),
        );
        let name = match severity {
            Severity::Error => "errors",
            Severity::Warning => "warnings",
            Severity::Information => "remarks",
        };
        let response = ui
            .add(Button::selectable(shown, atoms).gap(4.0))
            .on_hover_text(format!("Show {name}"))
            .accessible_name(format!("Show {name}: {count}"));
        if response.clicked() {
            if shown {
                self.hidden.insert(severity);
            } else {
                self.hidden.remove(&severity);
            }
        }
    }
}

enum Asked {
    GoThere,
    Fix,
    FixAlike,
}

/// How many of each kind can be fixed.
fn count_fixable(problems: &[&Problem]) -> BTreeMap<Code, usize> {
    let mut counts = BTreeMap::new();
    for problem in problems.iter().filter(|problem| problem.fix.is_some()) {
        *counts.entry(problem.code).or_default() += 1;
    }
    counts
}

/// Icon and colour of a severity, wherever one is shown.
pub(super) fn mark(ui: &Ui, severity: Severity) -> (MaterialIcon, Color32) {
    let palette = Palette::of(ui.visuals());
    match severity {
        Severity::Error => (icons::ICON_ERROR, palette.error),
        Severity::Warning => (icons::ICON_WARNING, palette.warning),
        Severity::Information => (icons::ICON_INFO, palette.info),
    }
}

fn row_ui(
    ui: &mut Ui,
    index: usize,
    problem: &Problem,
    level: &Level,
    alike: usize,
) -> Option<Asked> {
    let mut asked = None;
    let id = ui.scope_id().with(("problem", index));
    let hovered = ui
        .ctx()
        .read_response(id)
        .is_some_and(|row| row.container_hovered() || row.has_focus());
    let row = UiBuilder::new().scope_id(id).sense(Sense::click());
    let response = ui
        .scope_builder(row, |ui| {
            let fill = if hovered {
                Palette::of(ui.visuals()).raised
            } else {
                Color32::TRANSPARENT
            };
            Frame::new()
                .fill(fill)
                .corner_radius(panel::ROUNDING)
                .inner_margin(Margin::symmetric(6, 2))
                .show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    asked = row_contents(ui, problem, level, alike);
                });
        })
        .response;
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, &problem.message));
    if response.clicked() && asked.is_none() {
        asked = Some(Asked::GoThere);
    }
    asked
}

fn row_contents(ui: &mut Ui, problem: &Problem, level: &Level, alike: usize) -> Option<Asked> {
    let mut asked = None;
    let (icon, colour) = mark(ui, problem.severity);
    let words = |ui: &mut Ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(icon.rich_text().size(panel::ICON).color(colour));
            let subject = match problem.subject {
                Subject::Level => "The level".to_owned(),
                Subject::Entity(id) => level.label(id),
            };
            let message = if problem.message.contains(&subject) {
                problem.message.clone()
            } else {
                format!("{subject}: {}", problem.message)
            };
            ui.add(Label::new(message).wrap().selectable(false));
        });
    };
    let Some(fix) = problem.fix else {
        words(ui);
        return None;
    };
    let buttons = |ui: &mut Ui, asked: &mut Option<Asked>| {
        if ui.small_button(fix.label()).clicked() {
            *asked = Some(Asked::Fix);
        }
        if alike > 1 {
            let name = format!("Fix all {alike}");
            let help = format!("Fixes every problem of the kind {}.", problem.code.name());
            if ui.small_button(name).on_hover_text(help).clicked() {
                *asked = Some(Asked::FixAlike);
            }
        }
    };
    const ROOM_FOR_BUTTONS: f32 = 420.0;
    if ui.available_width() < ROOM_FOR_BUTTONS {
        words(ui);
        ui.horizontal_wrapped(|ui| {
            ui.add_space(panel::ICON + 6.0);
            buttons(ui, &mut asked);
        });
    } else {
        ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
            buttons(ui, &mut asked);
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.set_max_width(ui.available_width());
                words(ui);
            });
        });
    }
    asked
}

/// Selects what it is about and shows where it is.
fn go_there(problem: &Problem, level: &Level, actions: &mut Actions) {
    let subject = match problem.subject {
        Subject::Entity(id) => Some(id),
        Subject::Level => None,
    };
    actions.select(subject.map_or_else(Selection::default, Selection::one));
    let around = |at: DVec2| Rect::around(at, DVec2::splat(NEIGHBOURHOOD));
    let bounds = subject.and_then(|id| level.get(id)?.bounds());
    let place = problem.at.map(around).or(bounds);
    if let Some(place) = place.or(subject.is_none().then(|| level.extent())) {
        actions.push(Action::GoTo(place));
    }
}

fn all_is_well_ui(ui: &mut Ui, current: bool) {
    let palette = Palette::of(ui.visuals());
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.5 - 36.0).clamp(4.0, 60.0));
        if current {
            ui.label(
                icons::ICON_CHECK_CIRCLE
                    .rich_text()
                    .size(28.0)
                    .color(palette.done),
            );
            ui.strong("No problems");
            ui.weak("This level has no problems.");
        } else {
            ui.add_sized(vec2(28.0, 28.0), egui::Spinner::new());
            ui.weak("Looking for problems…");
        }
    });
}
