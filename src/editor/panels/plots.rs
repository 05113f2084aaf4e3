//! Plots of a run: arrivals, flows, densities, speeds, and how times and lengths are spread; with the ghost's beside
//! them. Hovering a curve over time moves the clock for as long; a click goes there.

use super::field::row::stable_scope;
use super::playback::clock;
use super::playback::figures::{marks, plain};
use crate::base::EntityId;
use crate::editor::playback::Play;
use crate::editor::theme::Palette;
use crate::editor::{Action, Actions, EditorState};
use crate::preview::moment::series_colour;
use crate::sim::measures::{JUELICH, RunPlots, Travel, histogram, weidmann};
use egui::{Color32, Frame, Margin, RichText, ScrollArea, Ui, vec2};
use egui_plot::{
    Bar, BarChart, Line, LineStyle, MarkerShape, Plot, PlotPoints, PlotUi, Points, VLine,
};
use std::sync::Arc;

/// Unit: points.
const LEAST_WIDTH: f32 = 230.0;
const LEAST_HEIGHT: f32 = 96.0;
const MOST_HEIGHT: f32 = 240.0;
/// Of a plot's title. Unit: points.
const TITLE: f32 = 20.0;

/// Least room for a name beside the title. Unit: points.
const NAME: f32 = 40.0;

/// Points of a curve.
const SAMPLES: usize = 240;

/// Bars of a histogram, about.
const BARS: usize = 18;

/// Most points of the fundamental diagram.
const MOST_POINTS: usize = 2_000;

#[derive(Debug, Default)]
pub struct PlotsPanel {
    /// The time before a plot was hovered: the clock goes back there. Unit: seconds.
    before: Option<f64>,
}

/// What a plot shows of the run and of its ghost.
struct Sheet<'a> {
    own: &'a RunPlots,
    ghost: Option<&'a RunPlots>,
    now: f64,
    palette: &'static Palette,
}

/// What the pointer does over a plot over time.
#[derive(Clone, Copy, Debug, Default)]
struct Pointed {
    hovered: Option<f64>,
    clicked: Option<f64>,
}

type Draw = fn(&Sheet<'_>, &mut PlotUi<'_>);

/// What curves and points of each colour are.
type Names = fn(&Sheet<'_>) -> Vec<(String, Color32)>;

struct PlotRow {
    title: &'static str,
    /// Of the vertical axis.
    unit: &'static str,
    help: &'static str,
    /// Its horizontal axis is the time of the run.
    is_over_time: bool,
    has: fn(&RunPlots) -> bool,
    names: Names,
    draw: Draw,
}

const ROWS: [PlotRow; 8] = [
    PlotRow {
        title: "Arrived",
        unit: "people",
        help: "How many have arrived by each time: the evacuation curve",
        is_over_time: true,
        has: |_| true,
        names: |_| Vec::new(),
        draw: draw_arrived,
    },
    PlotRow {
        title: "Flow",
        unit: "1/s",
        help: "People per second across each measuring line, as a mean over ten seconds",
        is_over_time: true,
        has: |plots| !plots.lines.is_empty(),
        names: |sheet| numbered(sheet.own.lines.iter().map(|line| &line.name)),
        draw: draw_flow,
    },
    PlotRow {
        title: "Density",
        unit: "1/m²",
        help: "People per square metre in each measuring area",
        is_over_time: true,
        has: |plots| !plots.areas.is_empty(),
        names: areas,
        draw: |sheet, plot| draw_areas(sheet, plot, |area| &area.density),
    },
    PlotRow {
        title: "Speed",
        unit: "m/s",
        help: "Mean speed of those in each measuring area",
        is_over_time: true,
        has: |plots| !plots.areas.is_empty(),
        names: areas,
        draw: |sheet, plot| draw_areas(sheet, plot, |area| &area.speed),
    },
    PlotRow {
        title: "Speed by density",
        unit: "m/s",
        help: "The fundamental diagram: speed against density in the measuring areas, over measurements of real \
               people (Jülich, corridor of 1.8 m) and Weidmann’s curve",
        is_over_time: false,
        has: |plots| !plots.areas.is_empty(),
        names: |sheet| {
            let mut names = areas(sheet);
            names.push(("real people".to_owned(), sheet.palette.warning));
            names.push(("Weidmann".to_owned(), sheet.palette.text_weak));
            names
        },
        draw: draw_fundamental,
    },
    PlotRow {
        title: "Travel time",
        unit: "people",
        help: "How long people took from setting out to arriving, in seconds",
        is_over_time: false,
        has: |_| true,
        names: |_| Vec::new(),
        draw: |sheet, plot| {
            draw_histogram(sheet, plot, |travel| {
                Some(travel.arrives? - travel.sets_out)
            });
        },
    },
    PlotRow {
        title: "Delay",
        unit: "people",
        help: "How much longer people took than at their preferred speed, in seconds",
        is_over_time: false,
        has: |_| true,
        names: |_| Vec::new(),
        draw: |sheet, plot| draw_histogram(sheet, plot, |travel| Some(travel.delay)),
    },
    PlotRow {
        title: "Length",
        unit: "people",
        help: "How far people walked, in metres",
        is_over_time: false,
        has: |_| true,
        names: |_| Vec::new(),
        draw: |sheet, plot| draw_histogram(sheet, plot, |travel| Some(travel.length)),
    },
];

impl PlotsPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let player = &state.navigation.player;
        player.plots_drawn.set(true);
        // A plot is about the moment that is shown: everyone stays in sight.
        player.drawn.set(true);
        let palette = Palette::of(ui.visuals());
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                let Some((own, ghost)) = player.plots() else {
                    ui.weak(if player.run().is_some() {
                        "Measuring…"
                    } else {
                        "Nothing has been simulated yet: press Space."
                    });
                    return;
                };
                let sheet = Sheet {
                    own,
                    ghost: ghost.map(Arc::as_ref),
                    now: player.time(None),
                    palette,
                };
                let pointed = ScrollArea::vertical()
                    .auto_shrink(false)
                    .id_salt("plots")
                    .show(ui, |ui| {
                        summary_ui(ui, &sheet);
                        sheet_ui(ui, &sheet)
                    })
                    .inner;
                self.move_clock(pointed, player.time(None), actions);
            });
    }

    fn move_clock(&mut self, pointed: Pointed, now: f64, actions: &mut Actions) {
        if let Some(time) = pointed.clicked {
            self.before = None;
            actions.push(Action::Play(Play::Seek(time)));
            return;
        }
        match pointed.hovered {
            Some(time) => {
                self.before.get_or_insert(now);
                if (time - now).abs() > 1e-3 {
                    actions.push(Action::Play(Play::Seek(time)));
                }
            }
            None => {
                if let Some(before) = self.before.take() {
                    actions.push(Action::Play(Play::Seek(before)));
                }
            }
        }
    }
}

/// The figures in a line, with what differs from the ghost.
fn summary_ui(ui: &mut Ui, sheet: &Sheet<'_>) {
    let last = |plots: &RunPlots| plots.arrivals.last().copied();
    let arrived = |plots: &RunPlots| format!("{} of {}", plots.arrivals.len(), plots.appeared);
    let mut words = vec![format!("{} arrived", arrived(sheet.own))];
    if let Some(time) = last(sheet.own) {
        words.push(format!("the last at {}", clock(time)));
    }
    if let Some(ghost) = sheet.ghost {
        let mut text = format!("ghost: {}", arrived(ghost));
        if let (Some(a), Some(b)) = (last(sheet.own), last(ghost)) {
            text += &format!(", the last at {} ({:+.1} s)", clock(b), a - b);
        }
        words.push(text);
    }
    if sheet.own.lines.is_empty() && sheet.own.areas.is_empty() {
        words.push("draw measuring lines and areas for flows and densities".to_owned());
    }
    ui.add(egui::Label::new(RichText::new(words.join(" · ")).weak()).wrap());
    ui.add_space(2.0);
}

/// All plots that have something to show, as many beside each other as there is room for.
fn sheet_ui(ui: &mut Ui, sheet: &Sheet<'_>) -> Pointed {
    let rows: Vec<&PlotRow> = ROWS.iter().filter(|row| (row.has)(sheet.own)).collect();
    let gap = 10.0;
    let room = ui.available_width();
    let columns = ((room + gap) / (LEAST_WIDTH + gap)).floor().max(1.0) as usize;
    let columns = columns.min(rows.len().max(1));
    let width = (room - gap * (columns as f32 - 1.0)) / columns as f32 - 1.0;
    let height = (ui.available_height() - TITLE - 14.0).clamp(LEAST_HEIGHT, MOST_HEIGHT);
    let mut pointed = Pointed::default();
    for line in rows.chunks(columns) {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            for row in line {
                ui.vertical(|ui| {
                    ui.set_width(width);
                    let found = plot_ui(ui, row, sheet, vec2(width, height));
                    pointed.hovered = pointed.hovered.or(found.hovered);
                    pointed.clicked = pointed.clicked.or(found.clicked);
                });
            }
        });
        ui.add_space(4.0);
    }
    pointed
}

fn plot_ui(ui: &mut Ui, row: &PlotRow, sheet: &Sheet<'_>, size: egui::Vec2) -> Pointed {
    let title = format!("{} ({})", row.title, row.unit);
    let names = (row.names)(sheet);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new(title).small().weak())
            .on_hover_text(row.help);
        for (name, colour) in &names {
            let text = RichText::new(name).small().color(*colour);
            if ui.available_width() > NAME {
                ui.add(egui::Label::new(text).truncate())
                    .on_hover_text(name);
            }
        }
    });
    let mut pointed = Pointed::default();
    stable_scope(ui, row.title, |ui| {
        let plot = Plot::new(("plot of a run", row.title))
            .width(size.x)
            .height(size.y)
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .include_y(0.0)
            .include_x(0.0)
            .x_grid_spacer(|input| marks(input.bounds, 4.0))
            .y_grid_spacer(|input| marks(input.bounds, 3.0))
            .show_x(false)
            .show_y(false)
            .x_axis_formatter(move |mark, _| {
                if row.is_over_time {
                    let text = clock(mark.value);
                    text.split('.').next().unwrap_or_default().to_owned()
                } else {
                    plain(mark.value)
                }
            })
            .y_axis_formatter(|mark, _| plain(mark.value));
        let plot = if row.is_over_time {
            plot.include_x(sheet.own.duration)
        } else {
            plot
        };
        let shown = plot.show(ui, |plot| {
            (row.draw)(sheet, plot);
            if row.is_over_time {
                let line = VLine::new("now", sheet.now).color(sheet.palette.accent);
                plot.vline(line.width(1.0));
            }
            plot.pointer_coordinate()
        });
        if let Some(at) = shown.inner.filter(|_| row.is_over_time) {
            let time = at.x.clamp(0.0, sheet.own.duration);
            pointed.hovered = shown.response.hovered().then_some(time);
            pointed.clicked = shown.response.clicked().then_some(time);
        }
    });
    pointed
}

/// Names in the colours of their numbers.
fn numbered<'a>(names: impl Iterator<Item = &'a String>) -> Vec<(String, Color32)> {
    let numbered = names.enumerate();
    numbered
        .map(|(i, name)| (name.clone(), colour(i)))
        .collect()
}

fn areas(sheet: &Sheet<'_>) -> Vec<(String, Color32)> {
    numbered(sheet.own.areas.iter().map(|area| &area.name))
}

fn colour(series: usize) -> Color32 {
    let colour = series_colour(series);
    Color32::from_rgb(colour.r, colour.g, colour.b)
}

/// A count that grows by one at each of these times.
fn steps(times: &[f64], end: f64) -> PlotPoints<'static> {
    let mut points = Vec::with_capacity(times.len() * 2 + 2);
    points.push([0.0, 0.0]);
    // A few hundred steps look like all of them.
    let every = (times.len() / (SAMPLES * 4)).max(1);
    for (i, time) in times.iter().enumerate().step_by(every) {
        points.push([*time, i as f64]);
        points.push([*time, (i + 1) as f64]);
    }
    points.push([end, times.len() as f64]);
    PlotPoints::from(points)
}

/// The ghost's lines are grey and dashed.
fn ghost_line(name: &str, points: PlotPoints<'static>, sheet: &Sheet<'_>) -> Line<'static> {
    Line::new(format!("{name} (ghost)"), points)
        .color(sheet.palette.text_weak)
        .style(LineStyle::dashed_dense())
        .width(1.3)
}

fn draw_arrived(sheet: &Sheet<'_>, plot: &mut PlotUi<'_>) {
    if let Some(ghost) = sheet.ghost {
        let points = steps(&ghost.arrivals, ghost.duration);
        plot.line(ghost_line("Arrived", points, sheet));
    }
    let points = steps(&sheet.own.arrivals, sheet.own.duration);
    plot.line(
        Line::new("Arrived", points)
            .color(sheet.palette.done)
            .width(1.8),
    );
}

fn draw_flow(sheet: &Sheet<'_>, plot: &mut PlotUi<'_>) {
    let sampled = |plots: &RunPlots, i: usize| {
        let line = &plots.lines[i];
        let end = plots.duration;
        let at = |k: usize| end * k as f64 / SAMPLES as f64;
        let points: Vec<[f64; 2]> = (0..=SAMPLES).map(|k| [at(k), line.flow(at(k))]).collect();
        PlotPoints::from(points)
    };
    let ghosts = sheet.ghost.into_iter();
    for (ghost, i) in ghosts.flat_map(|ghost| (0..ghost.lines.len()).map(move |i| (ghost, i))) {
        plot.line(ghost_line(&ghost.lines[i].name, sampled(ghost, i), sheet));
    }
    for (i, line) in sheet.own.lines.iter().enumerate() {
        let points = sampled(sheet.own, i);
        plot.line(
            Line::new(line.name.as_str(), points)
                .color(colour(i))
                .width(1.6),
        );
    }
}

fn draw_areas(
    sheet: &Sheet<'_>,
    plot: &mut PlotUi<'_>,
    pick: fn(&crate::sim::measures::AreaCurve) -> &Vec<[f64; 2]>,
) {
    let find = |entity: EntityId| {
        let ghost = sheet.ghost?;
        ghost.areas.iter().find(|area| area.entity == entity)
    };
    for (i, area) in sheet.own.areas.iter().enumerate() {
        if let Some(ghost) = find(area.entity) {
            let points = PlotPoints::from(pick(ghost).clone());
            plot.line(ghost_line(&ghost.name, points, sheet));
        }
        let points = PlotPoints::from(pick(area).clone());
        plot.line(
            Line::new(area.name.as_str(), points)
                .color(colour(i))
                .width(1.6),
        );
    }
}

fn draw_fundamental(sheet: &Sheet<'_>, plot: &mut PlotUi<'_>) {
    let curve: Vec<[f64; 2]> = (0..=108)
        .map(|i| f64::from(i) * 0.05)
        .map(|density| [density, weidmann(density)])
        .collect();
    let weak = sheet.palette.text_weak;
    plot.line(
        Line::new("Weidmann", PlotPoints::from(curve))
            .color(weak)
            .width(1.2),
    );
    let clouds = |plots: &RunPlots| -> Vec<Vec<[f64; 2]>> {
        let cloud = |area: &crate::sim::measures::AreaCurve| {
            let all: Vec<[f64; 3]> = area.fundamental().collect();
            let every = (all.len() / MOST_POINTS).max(1);
            let some = all.iter().step_by(every);
            some.map(|[density, speed, _]| [*density, *speed]).collect()
        };
        plots.areas.iter().map(cloud).collect()
    };
    for cloud in sheet.ghost.map(clouds).unwrap_or_default() {
        let points = Points::new("ghost", PlotPoints::from(cloud));
        plot.points(points.color(weak.gamma_multiply(0.6)).radius(1.3));
    }
    for (i, cloud) in clouds(sheet.own).into_iter().enumerate() {
        let name = sheet.own.areas[i].name.as_str();
        let points = Points::new(name, PlotPoints::from(cloud)).color(colour(i));
        plot.points(points.radius(1.6));
    }
    let people = Points::new("People (Jülich)", PlotPoints::from(JUELICH.to_vec()));
    let people = people.shape(MarkerShape::Diamond).radius(4.0);
    plot.points(people.color(sheet.palette.warning).filled(false));
}

fn draw_histogram(sheet: &Sheet<'_>, plot: &mut PlotUi<'_>, pick: fn(&Travel) -> Option<f64>) {
    let bars = |plots: &RunPlots, share: f64| {
        let arrived = plots
            .travels
            .iter()
            .filter(|travel| travel.arrives.is_some());
        let (width, counts) = histogram(arrived.filter_map(pick), BARS);
        let bar = |(i, count): (usize, &u32)| {
            let middle = (i as f64 + 0.5) * width;
            Bar::new(middle, f64::from(*count)).width(width * share)
        };
        counts.iter().enumerate().map(bar).collect::<Vec<_>>()
    };
    let own = BarChart::new("people", bars(sheet.own, 0.9));
    plot.bar_chart(own.color(sheet.palette.accent.gamma_multiply(0.75)));
    if let Some(ghost) = sheet.ghost {
        let ghost = BarChart::new("ghost", bars(ghost, 0.45));
        plot.bar_chart(ghost.color(sheet.palette.text_weak.gamma_multiply(0.6)));
    }
}
