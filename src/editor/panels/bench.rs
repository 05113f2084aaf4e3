//! The planner bench: every planner on the selected agent's way, and a search taken step by step.

use super::field::button::{icon_button, icon_button_if};
use super::field::{Number, Shared};
use super::navigation::{sentence, time_text};
use crate::base::{Colour, EntityId, Quantity, Unit};
use crate::document::{Kind, KindName};
use crate::editor::navigation::Benched;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, EditorState};
use crate::planner::bench::{Bench, Figures, Method, NoBench};
use crate::planner::{NavData, PathRequest, Planners, Search, Step};
use crate::preview::nav::method_colour;
use egui::{Color32, Frame, Margin, RichText, ScrollArea, Sense, Ui, vec2};
use egui_extras::{Column, TableBuilder};
use egui_material_icons::icons;
use std::sync::Arc;
use std::time::{Duration, Instant};

const HEADINGS: [(&str, &str); 9] = [
    ("Planner", "Click a row to pick out its path"),
    ("Length", "Length of the way through all goals"),
    ("Gap", "How much longer it is than the shortest path"),
    (
        "Cost",
        "Metres of the way times what the ground under them weighs for the agent’s profile: the same \
         for every planner",
    ),
    ("Points", "Waypoints, start and goal included"),
    ("Clearance", "Smallest distance to what is in the way"),
    ("Curvature", "Mean of 1 / radius at the waypoints"),
    ("Expanded", "Nodes that the search looked at"),
    ("Time", "The search and its post-processing"),
];

/// Of all columns but the first. Unit: points.
const WIDTHS: [f32; 8] = [72.0, 62.0, 66.0, 48.0, 66.0, 66.0, 64.0, 60.0];

/// A search is played at this many expansions a second at first.
const STEP_SPEED: Quantity = Quantity::new("speed", Unit::PerSecond, 0.5, 10_000.0, 12.0);

#[derive(Debug, Default)]
pub struct PlannerBench {
    player: Option<Player>,
}

/// A search, and how far it has been taken.
#[derive(Debug)]
struct Player {
    bench: Arc<Bench>,
    method: Method,
    leg: usize,
    nav: Arc<NavData>,
    request: PathRequest,
    search: Box<dyn Search>,
    /// Expansions of the whole search.
    all: usize,
    done: usize,
    playing: bool,
    speed: f64,
    last: Instant,
}

impl PlannerBench {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let agent = chosen_agent(state);
        state.navigation.bench_wanted.set(agent);
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                let bench = match shown(state, agent) {
                    Ok(bench) => bench,
                    Err(sentence) => {
                        ui.weak(sentence);
                        self.stop(state, actions);
                        return;
                    }
                };
                // Above the table, which takes what room is left and scrolls under its headings.
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing.x = 6.0;
                    title_ui(ui, state, bench);
                    ui.add_space(10.0);
                    self.player_ui(ui, state, bench, actions);
                });
                ui.add_space(2.0);
                ScrollArea::horizontal()
                    .id_salt("planners")
                    .show(ui, |ui| table_ui(ui, state, bench, actions));
            });
    }

    /// Ends the search that is watched.
    pub fn close(&mut self) {
        self.player = None;
    }

    fn stop(&mut self, state: &EditorState, actions: &mut Actions) {
        self.player = None;
        if state.navigation.search.is_some() {
            actions.push(Action::ShowSearch(None));
        }
    }

    fn player_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        bench: &Arc<Bench>,
        actions: &mut Actions,
    ) {
        let method = state.navigation.compared.unwrap_or_default();
        let other = |player: &Player| player.bench.agent != bench.agent;
        if self.player.as_ref().is_some_and(other) {
            self.stop(state, actions);
        }
        // The level or the choice has changed under the search: it starts anew, as far as it was.
        if let Some(player) = &self.player
            && (!Arc::ptr_eq(&player.bench, bench) || player.method != method)
        {
            let (leg, at_end, done) = (player.leg, player.done == player.all, player.done);
            let (playing, speed) = (player.playing, player.speed);
            self.player = Player::new(bench, method, leg.min(bench.requests.len() - 1));
            if let Some(player) = &mut self.player {
                player.playing = playing;
                player.speed = speed;
                player.go_to(if at_end { player.all } else { done });
                player.show(actions);
            }
        }
        let Some(player) = &mut self.player else {
            let start =
                super::field::button::named_button(ui, icons::ICON_PLAY_ARROW, "Watch the search")
                    .on_hover_text(
                        "Shows what the planner of the chosen row looks at, step by step",
                    );
            if start.clicked() {
                self.player = Player::new(bench, method, 0);
                if let Some(player) = &mut self.player {
                    player.playing = true;
                    player.show(actions);
                }
            }
            return;
        };
        if !player.controls_ui(ui, bench, actions) {
            self.player = None;
            actions.push(Action::ShowSearch(None));
        }
    }
}

/// The selected agent.
fn chosen_agent(state: &EditorState) -> Option<EntityId> {
    let document = state.document();
    let level = document.level();
    document
        .selection()
        .iter()
        .find(|id| level.kind_of(*id) == Some(KindName::Agent))
}

/// The comparison for an agent, or what is said in its place.
fn shown(state: &EditorState, agent: Option<EntityId>) -> Result<&Arc<Bench>, String> {
    let (navigation, level) = (&state.navigation, state.document().level());
    let Some(agent) = agent else {
        return Err(if level.agents().next().is_some() {
            "Select an agent to compare planners.".to_owned()
        } else {
            "Draw an agent with a goal to compare planners.".to_owned()
        });
    };
    let name = level.label(agent);
    let of_agent = |benched: &&Benched| benched.agent == agent;
    match navigation.benched.as_ref().filter(of_agent) {
        Some(Benched {
            outcome: Ok(bench), ..
        }) => Ok(bench),
        _ if navigation.baked.is_none() && navigation.task().is_none() => {
            Err("Nothing is baked; F5 bakes it.".to_owned())
        }
        Some(benched) if navigation.bench_is_fresh(state.document()) => {
            Err(match benched.outcome.as_ref().err() {
                Some(NoBench::Failed(error)) => {
                    format!("Planners could not be compared: {}", sentence(error))
                }
                Some(NoBench::NoGoal) => {
                    format!("{name} has no goal to plan for; give it one in the inspector.")
                }
                _ => format!("{name} was not there when navigation was baked; F5 bakes it."),
            })
        }
        _ => Err(format!("Planning for {name}…")),
    }
}

fn title_ui(ui: &mut Ui, state: &EditorState, bench: &Bench) {
    let level = state.document().level();
    ui.strong(level.label(bench.agent));
    let goals = bench.requests.len();
    let radius = match level.get(bench.agent).map(|entity| &entity.kind) {
        Some(Kind::Agent(agent)) => {
            crate::planner::missions::radius_of(level, agent.mission.profile)
        }
        _ => 0.0,
    };
    ui.weak(format!(
        "{goals} goal{}, radius {radius} m",
        if goals == 1 { "" } else { "s" }
    ));
    if !state.navigation.bench_is_fresh(state.document()) {
        ui.weak("· planning anew…");
    }
}

/// Room for the longest name of a planner, with its swatch. Unit: points.
fn names_width(ui: &Ui, bench: &Bench) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let width = |title: String| {
        let words = ui
            .painter()
            .layout_no_wrap(title, font.clone(), Color32::PLACEHOLDER);
        words.size().x
    };
    let titles = bench.rows.iter().map(|row| width(row.method.title()));
    titles.fold(140.0, f32::max) + 46.0
}

fn table_ui(ui: &mut Ui, state: &EditorState, bench: &Bench, actions: &mut Actions) {
    let palette = Palette::of(ui.visuals());
    let names = names_width(ui, bench);
    let trouble = bench
        .rows
        .first()
        .and_then(|row| row.outcome.as_ref().err());
    // A sentence about no path at all stands below, so that the rows stay where they are.
    let below = if trouble.is_some() {
        2.0 * panel::LIST_ROW
    } else {
        0.0
    };
    let room = (ui.available_height() - panel::LIST_ROW - below).max(panel::LIST_ROW);
    let mut table = TableBuilder::new(ui)
        .id_salt("planners")
        .striped(true)
        .cell_layout(egui::Layout::left_to_right(egui::Align::Center))
        .sense(Sense::click())
        .auto_shrink([true, false])
        .max_scroll_height(room)
        .min_scrolled_height(0.0)
        .column(Column::exact(names));
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
        .body(|mut body| {
            for entry in &bench.rows {
                let chosen = state.navigation.compared == Some(entry.method);
                let mut picked = false;
                body.row(panel::LIST_ROW, |mut row| {
                    row.set_selected(chosen);
                    row.col(|ui| {
                        ui.spacing_mut().item_spacing.x = 6.0;
                        swatch(ui, method_colour(entry.method));
                        picked |= ui.selectable_label(chosen, entry.method.title()).clicked();
                    });
                    match &entry.outcome {
                        Ok(figures) => {
                            for (text, heading) in cells(figures).into_iter().zip(&HEADINGS[1..]) {
                                row.col(|ui| {
                                    let text = RichText::new(text).monospace().size(11.5);
                                    let cell = ui.add(egui::Label::new(text).selectable(false));
                                    if heading.0 == "Cost" {
                                        cell.on_hover_text(format!(
                                            "In the planner’s own terms: {:.2}",
                                            figures.own_cost
                                        ));
                                    }
                                });
                            }
                        }
                        Err(reason) => {
                            row.col(|ui| {
                                let text = RichText::new("no path").color(palette.error);
                                ui.label(text).on_hover_text(sentence(reason));
                            });
                        }
                    }
                    if picked || row.response().clicked() {
                        actions.push(Action::Compare((!chosen).then_some(entry.method)));
                    }
                });
            }
        });
    if let Some(reason) = trouble {
        ui.colored_label(palette.error, sentence(reason));
    }
}

fn swatch(ui: &mut Ui, Colour { r, g, b }: Colour) {
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 4.0), Sense::hover());
    ui.painter()
        .rect_filled(rect, 2.0, Color32::from_rgb(r, g, b));
}

fn cells(figures: &Figures) -> [String; 8] {
    [
        format!("{:.2} m", figures.length),
        figures
            .gap
            .map_or_else(|| "–".to_owned(), |gap| format!("{:.2} %", gap * 100.0)),
        format!("{:.2}", figures.terrain_cost),
        figures.waypoints.to_string(),
        if figures.min_clearance.is_finite() {
            format!("{:.2} m", figures.min_clearance)
        } else {
            "–".to_owned()
        },
        format!("{:.3}", figures.mean_curvature),
        figures.expanded.to_string(),
        time_text(Some(Duration::from_secs_f64(
            figures.plan_micros.max(0.0) / 1e6,
        ))),
    ]
}

impl Player {
    fn new(bench: &Arc<Bench>, method: Method, leg: usize) -> Option<Self> {
        let request = bench.requests.get(leg)?.clone();
        let nav = &bench.nav;
        let begin = || Planners::search(method.choice, Arc::clone(nav), request.clone()).ok();
        let mut whole = begin()?;
        while whole.step(usize::MAX) == Step::Running {}
        Some(Self {
            bench: Arc::clone(bench),
            method,
            leg,
            all: whole.expanded(),
            search: begin()?,
            nav: Arc::clone(nav),
            request,
            done: 0,
            playing: false,
            speed: STEP_SPEED.default,
            last: Instant::now(),
        })
    }

    /// Takes the search to so many expansions; back is anew from the start, which is exact
    /// because searches are deterministic.
    fn go_to(&mut self, done: usize) {
        let done = done.min(self.all);
        if done < self.done
            && let Ok(again) = Planners::search(
                self.method.choice,
                Arc::clone(&self.nav),
                self.request.clone(),
            )
        {
            self.search = again;
            self.done = 0;
        }
        if done > self.done {
            self.search.step(done - self.done);
            self.done = done;
        }
    }

    fn show(&self, actions: &mut Actions) {
        actions.push(Action::ShowSearch(Some(Arc::new(self.search.view()))));
    }

    /// False when it was closed.
    fn controls_ui(&mut self, ui: &mut Ui, bench: &Arc<Bench>, actions: &mut Actions) -> bool {
        let before = self.done;
        if icon_button(ui, icons::ICON_SKIP_PREVIOUS, "To the beginning").clicked() {
            self.playing = false;
            self.go_to(0);
        }
        if icon_button_if(ui, self.done > 0, icons::ICON_CHEVRON_LEFT, "One step back").clicked() {
            self.playing = false;
            self.go_to(self.done - 1);
        }
        let (icon, name) = if self.playing {
            (icons::ICON_PAUSE, "Pause the search")
        } else {
            (icons::ICON_PLAY_ARROW, "Play the search")
        };
        if icon_button(ui, icon, name).clicked() {
            self.playing = !self.playing;
            self.last = Instant::now();
            if self.playing && self.done == self.all {
                self.go_to(0);
            }
        }
        let more = self.done < self.all;
        if icon_button_if(ui, more, icons::ICON_CHEVRON_RIGHT, "One step on").clicked() {
            self.playing = false;
            self.go_to(self.done + 1);
        }
        if icon_button(ui, icons::ICON_SKIP_NEXT, "To the end").clicked() {
            self.playing = false;
            self.go_to(self.all);
        }
        let mut done = self.done;
        let label = ui.weak("Step");
        ui.spacing_mut().slider_width = 160.0;
        if ui
            .add(egui::Slider::new(&mut done, 0..=self.all))
            .labelled_by(label.id)
            .changed()
        {
            self.playing = false;
            self.go_to(done);
        }
        ui.weak(format!("of {}", self.all));
        let label = ui.weak("Speed");
        Number::new(&STEP_SPEED, Shared::Same(self.speed)).inline(ui, label.id, &mut self.speed);
        let legs = bench.requests.len();
        if legs > 1 {
            let mut leg = (self.leg + 1) as f64;
            let label = ui.weak("Leg");
            let limits = Quantity::new("leg", Unit::One, 1.0, legs as f64, 1.0);
            let field = Number::new(&limits, Shared::Same(leg)).whole();
            let changed = field.inline(ui, label.id, &mut leg).change.is_some();
            if changed && let Some(other) = Self::new(bench, self.method, leg as usize - 1) {
                *self = other;
                self.show(actions);
            }
        }
        if self.playing {
            self.play(ui);
        }
        if self.done != before {
            self.show(actions);
        }
        !icon_button(ui, icons::ICON_CLOSE, "Close the search").clicked()
    }

    fn play(&mut self, ui: &Ui) {
        let steps = (self.last.elapsed().as_secs_f64() * self.speed).floor();
        if steps >= 1.0 {
            self.last += Duration::from_secs_f64(steps / self.speed);
            self.go_to(self.done + steps as usize);
        }
        if self.done >= self.all {
            self.playing = false;
        } else {
            let wait = Duration::from_secs_f64((1.0 / self.speed).clamp(0.016, 1.0));
            ui.ctx().request_repaint_after(wait);
        }
    }
}
