//! The replans of agents with constraints: one line for each plan and repair, and how the cost fell
//! over the expansions of one of them.

use super::navigation::{sentence, time_text};
use crate::base::EntityId;
use crate::document::PlannerId;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, EditorState};
use crate::planner::constraint::{Replan, ReplanKind};
use crate::planner::missions::AgentPlan;
use crate::planner::registry;
use crate::preview::constraint::replans_of;
use crate::preview::following::weight_text;
use egui::{Color32, Frame, Layout, Margin, RichText, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use egui_plot::{Legend, Line, LineStyle, Plot, PlotPoints, Points, VLine};
use std::sync::Arc;
use std::time::Duration;

const HEADINGS: [(&str, &str); 7] = [
    ("Agent", "Whose path was planned"),
    ("What changed", "Click a line to go to the place"),
    ("Touched", "Known states whose costs changed"),
    ("Expanded", "States that the search expanded"),
    (
        "From scratch",
        "What the last search without earlier knowledge expanded",
    ),
    ("Cost", "Of the path after it"),
    ("Time", "Of the search and its post-processing"),
];

/// Of the columns after the second. Unit: points.
const WIDTHS: [f32; 5] = [56.0, 62.0, 84.0, 50.0, 62.0];
const NAME: f32 = 84.0;
/// Of what changed, at least.
const WHAT: f32 = 110.0;
/// The plot is beside the table where there is so much room. Unit: points.
const BESIDE: f32 = 830.0;
const PLOT: f32 = 240.0;
const GAP: f32 = 12.0;
/// A lower plot has no room for its legend and the names of its axes.
const TALL_PLOT: f32 = 170.0;
const LOW_PLOT: f32 = 150.0;

/// One line: the newest of an agent is number 0.
struct Entry<'a> {
    agent: EntityId,
    leg: usize,
    age: usize,
    replan: &'a Replan,
}

#[derive(Debug, Default)]
pub struct ReplansPanel {
    /// The line whose search is plotted: agent, leg, and its place from the first one on, which
    /// stays while newer ones come.
    picked: Option<(EntityId, usize, usize)>,
}

impl ReplansPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                let plans = plans(state);
                let entries = entries(&plans);
                if entries.is_empty() {
                    ui.weak(nothing(state));
                    return;
                }
                let height = ui.available_height();
                if ui.available_width() > BESIDE {
                    let table = ui.available_width() - PLOT - GAP;
                    let column = Layout::top_down(egui::Align::Min);
                    ui.horizontal_top(|ui| {
                        ui.spacing_mut().item_spacing.x = GAP;
                        ui.allocate_ui_with_layout(egui::vec2(table, height), column, |ui| {
                            ui.set_min_width(table);
                            ui.spacing_mut().item_spacing.x = 8.0;
                            self.table_ui(ui, state, &entries, actions);
                        });
                        ui.allocate_ui_with_layout(egui::vec2(PLOT, height), column, |ui| {
                            ui.set_min_width(PLOT);
                            self.plot_ui(ui, state, &entries, height);
                        });
                    });
                } else {
                    let room = (height - LOW_PLOT).max(3.0 * panel::LIST_ROW);
                    ui.allocate_ui(egui::vec2(ui.available_width(), room), |ui| {
                        self.table_ui(ui, state, &entries, actions);
                    });
                    self.plot_ui(ui, state, &entries, LOW_PLOT);
                }
            });
    }

    fn table_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        entries: &[Entry<'_>],
        actions: &mut Actions,
    ) {
        let level = state.document().level();
        let palette = Palette::of(ui.visuals());
        let what_width =
            (ui.available_width() - NAME - WIDTHS.iter().sum::<f32>() - 70.0).max(WHAT);
        let room = (ui.available_height() - panel::LIST_ROW).max(panel::LIST_ROW);
        let mut table = TableBuilder::new(ui)
            .id_salt("replans")
            .striped(true)
            .cell_layout(Layout::left_to_right(egui::Align::Center))
            .sense(Sense::click())
            .auto_shrink([true, false])
            .max_scroll_height(room)
            .min_scrolled_height(0.0)
            .column(Column::exact(NAME).clip(true))
            .column(Column::exact(what_width).clip(true));
        for width in WIDTHS {
            table = table.column(Column::exact(width));
        }
        table
            .header(panel::LIST_ROW, |mut header| {
                for (name, help) in HEADINGS {
                    header.col(|ui| {
                        ui.weak(name).on_hover_text(help);
                    });
                }
            })
            .body(|body| {
                body.rows(panel::LIST_ROW, entries.len(), |mut row| {
                    let entry = &entries[row.index()];
                    let id = entry.id(entries);
                    let mut is_picked = false;
                    row.set_selected(self.picked == Some(id));
                    row.col(|ui| {
                        ui.add(egui::Label::new(level.label(entry.agent)).truncate());
                    });
                    row.col(|ui| {
                        let words = entry.words();
                        let label = ui.selectable_label(false, &words);
                        is_picked |= label.on_hover_text(&words).clicked();
                    });
                    for text in entry.figures() {
                        row.col(|ui| {
                            let mut text = RichText::new(text).monospace().size(11.5);
                            if entry.replan.cost.is_infinite() {
                                text = text.color(palette.error);
                            }
                            ui.add(egui::Label::new(text).selectable(false));
                        });
                    }
                    if is_picked || row.response().clicked() {
                        self.picked = Some(id);
                        actions.select([entry.agent].into_iter().collect());
                        if let Some(area) = entry.replan.area {
                            actions.push(Action::GoTo(area));
                        }
                    }
                });
            });
    }

    /// Cost and bound over the expansions of all plans of an agent, with a mark at each change: of the
    /// picked line's agent, or of the newest one's.
    fn plot_ui(&self, ui: &mut Ui, state: &EditorState, entries: &[Entry<'_>], height: f32) {
        let picked = |entry: &&Entry<'_>| self.picked == Some(entry.id(entries));
        let entry = entries.iter().find(picked).or_else(|| entries.first());
        let Some(entry) = entry else {
            return;
        };
        let palette = Palette::of(ui.visuals());
        let name = state.document().level().label(entry.agent);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.colored_label(palette.accent, "— Cost");
            ui.colored_label(palette.warning, "┄ Bound ε");
            ui.weak("| Change");
            let title = RichText::new(name).weak();
            ui.add(egui::Label::new(title).truncate());
        });
        let history = History::of(entry, entries);
        if history.cost.is_empty() {
            ui.weak("It found no path.");
            return;
        }
        let mut plot = Plot::new("replan")
            .height((height - 30.0).max(70.0))
            .allow_scroll(false)
            .allow_zoom(false)
            .allow_drag(false)
            .include_x(0.0)
            .include_y(1.0);
        if height > TALL_PLOT {
            plot = plot
                .y_axis_label("× best")
                .x_axis_label("Expansions")
                .legend(Legend::default().background_alpha(0.6));
        }
        plot.show(ui, |plot| {
            let line = |name: &str, points: Vec<[f64; 2]>, colour: Color32| {
                Line::new(name.to_owned(), PlotPoints::from(points))
                    .color(colour)
                    .width(1.8)
            };
            for change in history.changes {
                plot.vline(
                    VLine::new("Change", change)
                        .color(palette.text_weak)
                        .width(1.0),
                );
            }
            plot.line(line("Cost", history.cost, palette.accent));
            let bound = line("Bound ε", history.bound, palette.warning);
            plot.line(bound.style(LineStyle::dashed_loose()));
            plot.points(
                Points::new("Cost", PlotPoints::from(history.picked))
                    .radius(3.0)
                    .color(palette.accent),
            );
        });
    }
}

/// All plans of an agent's leg one after the other, as in Figures 8 to 10 of the paper: expansions, and
/// costs by the least of them.
#[derive(Debug, Default)]
struct History {
    cost: Vec<[f64; 2]>,
    bound: Vec<[f64; 2]>,
    /// What the picked one found.
    picked: Vec<[f64; 2]>,
    /// Where something changed.
    changes: Vec<f64>,
}

impl History {
    fn of(picked: &Entry<'_>, entries: &[Entry<'_>]) -> Self {
        let is_mine = |other: &&Entry<'_>| (other.agent, other.leg) == (picked.agent, picked.leg);
        let mine: Vec<&Entry<'_>> = entries.iter().filter(is_mine).collect();
        let costs = mine.iter().flat_map(|entry| &entry.replan.steps);
        let best = costs.map(|(.., cost)| *cost).fold(f64::INFINITY, f64::min);
        let mut history = Self::default();
        let mut before = 0;
        // Entries are sorted by age.
        for entry in mine.iter().rev() {
            if before > 0 {
                history.changes.push(before as f64);
            }
            for (expanded, bound, cost) in &entry.replan.steps {
                let (x, y) = ((before + expanded) as f64, cost / best);
                stair(&mut history.cost, x, y);
                stair(&mut history.bound, x, *bound);
                if entry.age == picked.age {
                    history.picked.push([x, y]);
                }
            }
            before += entry.replan.expanded.max(1);
        }
        for line in [&mut history.cost, &mut history.bound] {
            if let Some(last) = line.last().copied() {
                line.push([before as f64, last[1]]);
            }
        }
        history
    }
}

/// Goes on at the height of the last point, then up or down.
fn stair(line: &mut Vec<[f64; 2]>, x: f64, y: f64) {
    if let Some(last) = line.last().copied() {
        line.push([x, last[1]]);
    }
    line.push([x, y]);
}

/// The plans whose replans are listed: of the selected agents that have some, else of all.
fn plans(state: &EditorState) -> Vec<(EntityId, &Arc<AgentPlan>)> {
    let Some(baked) = state.navigation.baked() else {
        return Vec::new();
    };
    let selection = state.document().selection();
    let has_some = |plan: &Arc<AgentPlan>| replans_of(plan).any(|(_, replans)| !replans.is_empty());
    let all = baked.plans.iter().filter(|(_, plan)| has_some(plan));
    let all: Vec<_> = all.map(|(id, plan)| (*id, plan)).collect();
    let is_selected = |(id, _): &(EntityId, &Arc<AgentPlan>)| selection.contains(*id);
    let selected: Vec<_> = all.iter().copied().filter(is_selected).collect();
    if selected.is_empty() { all } else { selected }
}

/// The newest of all agents first.
fn entries<'a>(plans: &[(EntityId, &'a Arc<AgentPlan>)]) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = plans
        .iter()
        .flat_map(|(agent, plan)| {
            replans_of(plan).flat_map(move |(leg, replans)| {
                let newest = replans.iter().rev().enumerate();
                newest.map(move |(age, replan)| Entry {
                    agent: *agent,
                    leg,
                    age,
                    replan,
                })
            })
        })
        .collect();
    entries.sort_by_key(|entry| (entry.age, entry.agent, entry.leg));
    entries
}

fn nothing(state: &EditorState) -> String {
    if state.navigation.baked().is_none() {
        return "Nothing is baked yet.".to_owned();
    }
    format!(
        "No agent is planned with constraints. Choose the planner “{}” for one.",
        registry::title(PlannerId::CONSTRAINT)
    )
}

impl Entry<'_> {
    /// What stays the same while newer ones come.
    fn id(&self, entries: &[Self]) -> (EntityId, usize, usize) {
        let mine = |other: &&Self| (other.agent, other.leg) == (self.agent, self.leg);
        let count = entries.iter().filter(mine).count();
        (self.agent, self.leg, count - self.age)
    }

    fn words(&self) -> String {
        let what = self.replan.what.join(", ");
        match (self.replan.kind, what.is_empty()) {
            (ReplanKind::FromScratch, true) => "Planned from scratch".to_owned(),
            (ReplanKind::FromScratch, false) => sentence(&format!("planned from scratch: {what}"))
                .trim_end_matches('.')
                .to_owned(),
            (ReplanKind::Repaired, true) => "Checked, nothing changed".to_owned(),
            (ReplanKind::Repaired, false) => sentence(&what).trim_end_matches('.').to_owned(),
        }
    }

    fn figures(&self) -> [String; 5] {
        let replan = self.replan;
        [
            replan.touched.to_string(),
            replan.expanded.to_string(),
            replan.expanded_from_scratch.to_string(),
            if replan.cost.is_finite() {
                weight_text(replan.cost)
            } else {
                "no path".to_owned()
            },
            time_text(Some(Duration::from_secs_f64(replan.micros.max(0.0) / 1e6))),
        ]
    }
}
