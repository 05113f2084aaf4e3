//! The player: agents on their planned ways, in real time or step by step; for one of them both
//! corridor methods beside each other, with their figures over the length of the way.

use super::field::button::icon_button_if;
use super::navigation::sentence;
use crate::base::{Colour, EntityId};
use crate::document::PlannerKind;
use crate::editor::playback::Play;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Action, Actions, Command, EditorState};
use crate::planner::replay::{Alternative, Replay, SPEEDS, Track};
use crate::preview::nav::SERIES;
use egui::{Color32, Frame, Key, Margin, RichText, ScrollArea, Sense, Ui, vec2};
use egui_material_icons::icons;
use egui_plot::{Line, LineStyle, Plot, PlotPoints, VLine};
use std::sync::Arc;

/// Places of a way at which clearance is looked up.
const SAMPLES: usize = 240;
/// So many agents are listed; more would cost every frame.
const MAX_LISTED: usize = 200;
/// Of the plots, at least. Unit: points.
const PLOT_WIDTH: f32 = 170.0;
const LEAST_PLOT: f32 = 78.0;
const MOST_PLOT: f32 = 260.0;
/// What stands above a plot. Unit: points.
const PLOT_TITLE: f32 = 22.0;
/// From this width on figures and plots are beside each other. Unit: points.
const WIDE: f32 = 640.0;

#[derive(Debug, Default)]
pub struct PlaybackPanel {
    charts: Option<Charts>,
}

/// Curves of what is played, kept while it is the same.
#[derive(Debug)]
struct Charts {
    of: Source,
    ways: Vec<Curves>,
}

/// What curves were made from. Holding on to it keeps its address from being given to another.
#[derive(Clone, Debug)]
enum Source {
    Planned(Arc<Replay>, EntityId),
    Compared(Arc<Vec<Alternative>>),
}

impl Source {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Planned(a, of), Self::Planned(b, about)) => Arc::ptr_eq(a, b) && of == about,
            (Self::Compared(a), Self::Compared(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

#[derive(Debug)]
struct Curves {
    name: String,
    colour: Color32,
    length: f64,
    mean_curvature: f64,
    least_clearance: f64,
    /// Over the length of the way. Units: metres and seconds, 1/m, metres.
    progress: Vec<[f64; 2]>,
    curvature: Vec<[f64; 2]>,
    clearance: Vec<[f64; 2]>,
}

impl PlaybackPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let playback = &state.navigation.playback;
        playback.drawn.set(true);
        let selected = state.selected_agent();
        // A click beside the controls gives the panel the keyboard.
        let ground = ui.interact(
            ui.max_rect(),
            ui.scope_id().with("playback keys"),
            Sense::click(),
        );
        if ground.clicked() {
            ground.request_focus();
        }
        if ground.has_focus() {
            keys(ui, actions);
        }
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                let Some(replay) = playback.replay() else {
                    ui.weak("Nothing is planned yet.");
                    return;
                };
                controls_ui(ui, state, selected, actions);
                timeline_ui(ui, state, selected, actions);
                ui.separator();
                let height = ui.available_height();
                ScrollArea::vertical()
                    .auto_shrink(false)
                    .id_salt("playback")
                    .show(ui, |ui| match selected {
                        Some(agent) => self.figures_ui(ui, state, replay, agent, height),
                        None => agents_ui(ui, state, replay, actions),
                    });
            });
    }

    fn figures_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        replay: &Arc<Replay>,
        agent: EntityId,
        height: f32,
    ) {
        let playback = &state.navigation.playback;
        let level = state.document().level();
        let source = match playback.ways(Some(agent)) {
            Some(ways) => Source::Compared(Arc::clone(ways)),
            None if playback.side_by_side => {
                ui.weak(format!("{} walks both ways…", level.label(agent)));
                return;
            }
            None => Source::Planned(Arc::clone(replay), agent),
        };
        if let Source::Compared(ways) = &source {
            for way in ways.iter() {
                if let Err(reason) = &way.track {
                    let palette = Palette::of(ui.visuals());
                    let text = format!("{}: {}", method_name(way.planner), sentence(reason));
                    ui.colored_label(palette.error, text);
                }
            }
        }
        let tracks = tracks_of(&source, &level.label(agent));
        if tracks.is_empty() {
            if matches!(source, Source::Planned(..)) {
                ui.weak(format!("{} has no way to play.", level.label(agent)));
            }
            return;
        }
        if !self
            .charts
            .as_ref()
            .is_some_and(|charts| charts.of.is_same(&source))
        {
            let ways = tracks
                .iter()
                .map(|(name, colour, track)| curves(state, name, *colour, track))
                .collect();
            self.charts = Some(Charts {
                of: source.clone(),
                ways,
            });
        }
        let Some(charts) = &self.charts else {
            return;
        };
        let cursors: Vec<(f64, Color32)> = tracks
            .iter()
            .filter_map(|(_, colour, track)| {
                let pose = track.pose(playback.head.time)?;
                Some((pose.along, solid(*colour)))
            })
            .collect();
        if ui.available_width() > WIDE {
            // Beside each other, as high as the panel.
            let height = (height - PLOT_TITLE).clamp(LEAST_PLOT, MOST_PLOT);
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 16.0;
                ui.vertical(|ui| figures_table_ui(ui, &charts.ways));
                ui.vertical(|ui| plots_ui(ui, &charts.ways, &cursors, height));
            });
        } else {
            figures_table_ui(ui, &charts.ways);
            plots_ui(ui, &charts.ways, &cursors, LEAST_PLOT + 30.0);
        }
    }
}

const fn solid(colour: Colour) -> Color32 {
    Color32::from_rgb(colour.r, colour.g, colour.b)
}

const fn method_name(planner: PlannerKind) -> &'static str {
    match planner {
        PlannerKind::CorridorOriginal => "Original",
        PlannerKind::Corridor => "Improved",
        other => other.name(),
    }
}

/// What is played of an agent, each with its name and colour.
fn tracks_of<'a>(source: &'a Source, name: &str) -> Vec<(String, Colour, &'a Track)> {
    match source {
        Source::Planned(replay, agent) => replay
            .tracks()
            .get(agent)
            .map(|track| (name.to_owned(), SERIES[0], track))
            .into_iter()
            .collect(),
        Source::Compared(ways) => ways
            .iter()
            .zip(&SERIES)
            .filter_map(|(way, colour)| {
                let track = way.track.as_ref().ok()?;
                Some((method_name(way.planner).to_owned(), *colour, track))
            })
            .collect(),
    }
}

fn curves(state: &EditorState, name: &str, colour: Colour, track: &Track) -> Curves {
    let space = state.navigation.shown_space(state.document().selection());
    let clearance = track.sampled(SAMPLES, |p| {
        space.map_or(f64::NAN, |space| space.free.clearance(p))
    });
    let curvature = track.curvatures();
    let mean = |list: &[[f64; 2]]| {
        list.iter().map(|[_, value]| value).sum::<f64>() / (list.len().max(1) as f64)
    };
    let steps = SAMPLES as f64;
    let progress = (0..=SAMPLES)
        .filter_map(|i| {
            let time = track.duration() * i as f64 / steps;
            Some([track.pose(time)?.along, time])
        })
        .collect();
    Curves {
        name: name.to_owned(),
        colour: solid(colour),
        length: track.length(),
        mean_curvature: mean(&curvature),
        least_clearance: clearance
            .iter()
            .map(|[_, value]| *value)
            .fold(f64::INFINITY, f64::min),
        progress,
        curvature,
        clearance,
    }
}

/// Keys of the panel itself: digits set the speed, Space plays.
fn keys(ui: &Ui, actions: &mut Actions) {
    const DIGITS: [Key; 9] = [
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::Num7,
        Key::Num8,
        Key::Num9,
    ];
    ui.input(|input| {
        if input.modifiers.any() {
            return;
        }
        for (key, speed) in DIGITS.into_iter().zip(1..) {
            if input.key_pressed(key) {
                actions.push(Action::Play(Play::Speed(f64::from(speed))));
            }
        }
        if input.key_pressed(Key::Space) {
            actions.push(Action::Play(Play::Toggle));
        }
    });
}

fn controls_ui(
    ui: &mut Ui,
    state: &EditorState,
    selected: Option<EntityId>,
    actions: &mut Actions,
) {
    let playback = &state.navigation.playback;
    let head = playback.head;
    let can_play = playback.duration(selected) > 0.0;
    let help = |command: Command| {
        let entry = command.entry();
        let key = state.keys().first_key(command);
        key.map_or_else(
            || entry.name.to_owned(),
            |key| format!("{} ({key})", entry.name),
        )
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(panel::GAP, 3.0);
        let mut button = |ui: &mut Ui, icon, command: Command, asked: Play| {
            if icon_button_if(ui, can_play, icon, &help(command)).clicked() {
                actions.push(Action::Play(asked));
            }
        };
        button(
            ui,
            icons::ICON_FIRST_PAGE,
            Command::PlayFromStart,
            Play::Seek(0.0),
        );
        button(
            ui,
            icons::ICON_SKIP_PREVIOUS,
            Command::StepBack,
            Play::Step(-1),
        );
        let icon = if head.is_playing {
            icons::ICON_PAUSE
        } else {
            icons::ICON_PLAY_ARROW
        };
        button(ui, icon, Command::PlayPause, Play::Toggle);
        button(
            ui,
            icons::ICON_SKIP_NEXT,
            Command::StepForward,
            Play::Step(1),
        );
        button(ui, icons::ICON_LAST_PAGE, Command::PlayToEnd, Play::End);
        ui.separator();
        let mut speed = head.speed;
        let label = ui.weak("Speed");
        let field = egui::DragValue::new(&mut speed)
            .range(SPEEDS)
            .speed(0.05)
            .max_decimals(2)
            .prefix("× ");
        if ui
            .add(field)
            .labelled_by(label.id)
            .on_hover_text(
                "1 is real time. Drag or type; or press a digit after a click into this panel.",
            )
            .changed()
        {
            actions.push(Action::Play(Play::Speed(speed)));
        }
        let mut switch =
            |ui: &mut Ui, on: bool, name: &str, help: &str, asked: fn(bool) -> Play| {
                let mut on = on;
                if ui.checkbox(&mut on, name).on_hover_text(help).changed() {
                    actions.push(Action::Play(asked(on)));
                }
            };
        switch(ui, head.loops, "Loop", "Begins anew at the end", Play::Loop);
        switch(
            ui,
            playback.only_selected,
            "Only the selected",
            "Plays the selected agent alone; otherwise all agents at once",
            Play::OnlySelected,
        );
        switch(
            ui,
            playback.follow,
            "Follow",
            "Moves the view along with the selected agent",
            Play::Follow,
        );
        switch(
            ui,
            playback.side_by_side,
            "Both corridor methods",
            "Lets the selected agent walk its way by the original and by the improved corridor \
             method, beside each other",
            Play::SideBySide,
        );
        let mut forces = Command::ShowForces.is_on(state).unwrap_or(false);
        let entry = Command::ShowForces.entry();
        if ui
            .checkbox(&mut forces, entry.name)
            .on_hover_text(entry.help)
            .changed()
        {
            actions.command(Command::ShowForces);
        }
    });
}

fn timeline_ui(
    ui: &mut Ui,
    state: &EditorState,
    selected: Option<EntityId>,
    actions: &mut Actions,
) {
    let playback = &state.navigation.playback;
    let duration = playback.duration(selected);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = panel::GAP;
        let text = format!("{} / {}", clock(playback.head.time), clock(duration));
        let label = ui.label(RichText::new(text).monospace());
        let mut time = playback.head.time.min(duration);
        ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(60.0);
        let slider = egui::Slider::new(&mut time, 0.0..=duration.max(1e-3))
            .show_value(false)
            .trailing_fill(true);
        let response = ui
            .add_enabled(duration > 0.0, slider)
            .labelled_by(label.id)
            .on_hover_text("Drag through time");
        if response.changed() {
            actions.push(Action::Play(Play::Seek(time)));
        }
        marks_ui(ui, response.rect, state, selected, duration);
    });
}

/// Events of the selected agent's walk, as marks on the time line.
fn marks_ui(
    ui: &Ui,
    rect: egui::Rect,
    state: &EditorState,
    selected: Option<EntityId>,
    duration: f64,
) {
    let playback = &state.navigation.playback;
    let track = selected.and_then(|agent| playback.replay()?.tracks().get(&agent));
    let Some(track) = track.filter(|_| duration > 0.0) else {
        return;
    };
    let palette = Palette::of(ui.visuals());
    for (time, event) in track.events() {
        let share = (time / duration).clamp(0.0, 1.0) as f32;
        let x = egui::lerp(rect.x_range(), share);
        let mark = egui::Rect::from_center_size(egui::pos2(x, rect.center().y), vec2(4.0, 14.0));
        ui.painter().rect_filled(mark, 1.5, palette.warning);
        let id = ui.scope_id().with(("event", time.to_bits()));
        ui.interact(mark.expand(3.0), id, Sense::hover())
            .on_hover_text(format!("{}: {}", clock(time), event.text));
    }
}

/// `1:02.35`.
fn clock(secs: f64) -> String {
    let hundredths = (secs.max(0.0) * 100.0).round().min(1e12) as u64;
    let (minutes, rest) = (hundredths / 6000, hundredths % 6000);
    format!("{minutes}:{:02}.{:02}", rest / 100, rest % 100)
}

/// Who is on the way, while nobody is selected.
fn agents_ui(ui: &mut Ui, state: &EditorState, replay: &Replay, actions: &mut Actions) {
    if replay.tracks().is_empty() {
        ui.weak("No agent has a way to go. Draw an agent and give it a goal.");
        return;
    }
    let level = state.document().level();
    let time = state.navigation.playback.head.time;
    ui.weak("Select an agent for its figures.");
    for (id, track) in replay.tracks().iter().take(MAX_LISTED) {
        let Some(pose) = track.pose(time) else {
            continue;
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = panel::GAP;
            if ui
                .selectable_label(false, level.label(*id))
                .on_hover_text("Select")
                .clicked()
            {
                actions.select(crate::document::Selection::one(*id));
            }
            let text = if time >= track.duration() {
                format!(
                    "arrived after {} · {:.1} m",
                    clock(track.duration()),
                    track.length()
                )
            } else {
                format!(
                    "{:.1} of {:.1} m · {:.2} m/s · arrives at {}",
                    pose.along,
                    track.length(),
                    pose.speed,
                    clock(track.duration())
                )
            };
            ui.weak(text);
        });
    }
    if replay.tracks().len() > MAX_LISTED {
        ui.weak(format!("… and {} more", replay.tracks().len() - MAX_LISTED));
    }
}

/// The figures of each way, one beside the other.
fn figures_table_ui(ui: &mut Ui, ways: &[Curves]) {
    let number = |text: String| RichText::new(text).monospace().size(12.0);
    let metres = |value: f64| {
        number(if value.is_finite() {
            format!("{value:.2} m")
        } else {
            "–".to_owned()
        })
    };
    type Figure = fn(&Curves) -> f64;
    let lasts: Figure = |way| way.progress.last().map_or(0.0, |[_, time]| *time);
    egui::Grid::new("figures of ways")
        .num_columns(1 + ways.len())
        .spacing(vec2(14.0, 2.0))
        .show(ui, |ui| {
            ui.label("");
            for way in ways {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 5.0;
                    let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
                    ui.painter().rect_filled(rect, 3.0, way.colour);
                    ui.label(&way.name);
                });
            }
            ui.end_row();
            ui.weak("Length");
            for way in ways {
                ui.label(metres(way.length));
            }
            ui.end_row();
            ui.weak("Time");
            for way in ways {
                ui.label(number(clock(lasts(way))));
            }
            ui.end_row();
            ui.weak("Mean curvature");
            for way in ways {
                ui.label(number(format!("{:.3} /m", way.mean_curvature)));
            }
            ui.end_row();
            ui.weak("Least clearance");
            for way in ways {
                ui.label(metres(way.least_clearance));
            }
            ui.end_row();
        });
}

/// Three figures over the length of the way, with a line where each walker is.
fn plots_ui(ui: &mut Ui, ways: &[Curves], cursors: &[(f64, Color32)], height: f32) {
    let room = ui.available_width();
    let columns = (room / PLOT_WIDTH).clamp(1.0, 3.0) as usize;
    let width = (room - panel::GAP * (columns as f32 - 1.0)) / columns as f32 - 2.0;
    type Pick = fn(&Curves) -> &Vec<[f64; 2]>;
    let plots: [(&str, &str, Pick); 3] = [
        ("Clearance", "m", |way| &way.clearance),
        ("Curvature", "1/m", |way| &way.curvature),
        ("Time", "s", |way| &way.progress),
    ];
    for row in plots.chunks(columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing = vec2(panel::GAP, 0.0);
            for (title, unit, pick) in row {
                ui.vertical(|ui| {
                    ui.set_width(width);
                    let about = format!("{title} ({unit}) over the length (m)");
                    ui.label(RichText::new(about).small().weak());
                    plot_ui(ui, title, vec2(width, height), ways, *pick, cursors);
                });
            }
        });
    }
}

fn plot_ui(
    ui: &mut Ui,
    title: &str,
    size: egui::Vec2,
    ways: &[Curves],
    pick: fn(&Curves) -> &Vec<[f64; 2]>,
    cursors: &[(f64, Color32)],
) {
    Plot::new(("plot", title))
        .width(size.x)
        .height(size.y)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .include_y(0.0)
        .show(ui, |plot| {
            for way in ways {
                let points = PlotPoints::from(pick(way).clone());
                plot.line(
                    Line::new(way.name.as_str(), points)
                        .color(way.colour)
                        .width(1.5),
                );
            }
            for (along, colour) in cursors {
                plot.vline(
                    VLine::new("now", *along)
                        .color(*colour)
                        .style(LineStyle::dashed_dense()),
                );
            }
        });
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_read_like_a_clock() {
        for (secs, text) in [
            (0.0, "0:00.00"),
            (59.996, "1:00.00"),
            (62.345, "1:02.35"),
            (-3.0, "0:00.00"),
            (f64::NAN, "0:00.00"),
        ] {
            assert_eq!(clock(secs), text);
        }
    }
}
