//! Figures of the selected agent's way, by one planner or by both corridor methods.

use super::controls::clock;
use crate::base::{Colour, EntityId, decimal};
use crate::editor::panels::navigation::sentence;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Command, EditorState};
use crate::planner::metrics;
use crate::planner::replay::{Alternative, Replay, Track};
use crate::preview::nav::SERIES;
use egui::{Align, Color32, Label, Layout, RichText, Sense, Ui, vec2};
use egui_plot::{GridMark, Line, LineStyle, Plot, PlotPoints, VLine};
use glam::DVec2;
use std::sync::Arc;

/// Places of a way at which clearance is looked up.
const SAMPLES: usize = 240;
/// Of the plots, at least. Unit: points.
const PLOT_WIDTH: f32 = 170.0;
const LEAST_PLOT: f32 = 78.0;
const MOST_PLOT: f32 = 260.0;
/// What stands above a plot. Unit: points.
const PLOT_TITLE: f32 = 25.0;
/// Room for the name of a way. Unit: points.
const NAME: f32 = 150.0;
/// Curvature is told as the mean over so much of the way. Unit: metres.
const CURVATURE_WINDOW: f64 = 1.0;

/// What is shown, kept while it is the same.
#[derive(Debug, Default)]
pub(super) struct Figures {
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

/// Where somebody is along a way, and in which colour that is drawn. Unit: metres.
type Cursor = (f64, Color32);

#[derive(Debug)]
struct Curves {
    name: String,
    colour: Color32,
    length: f64,
    mean_curvature: f64,
    least_clearance: f64,
    /// Over the length of the way. Units: metres and seconds, m/s, 1/m, metres.
    progress: Vec<[f64; 2]>,
    speed: Vec<[f64; 2]>,
    curvature: Vec<[f64; 2]>,
    clearance: Vec<[f64; 2]>,
}

impl Figures {
    /// Everything below each other, where there is no room beside.
    pub(super) fn narrow_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        replay: &Arc<Replay>,
        agent: EntityId,
    ) {
        self.table_ui(ui, state, replay, agent);
        let Some((ways, cursors)) = self.shown(state, replay, agent) else {
            return;
        };
        draw_plots(ui, ways, &cursors, LEAST_PLOT + 30.0);
    }

    /// The figures of each way; or why there are none.
    pub(super) fn table_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        replay: &Arc<Replay>,
        agent: EntityId,
    ) {
        let playback = &state.navigation.playback;
        let name = state.document().level().label(agent);
        if let Some(ways) = playback.ways(Some(agent)) {
            for way in ways.iter() {
                if let Err(reason) = &way.track {
                    let palette = Palette::of(ui.visuals());
                    let text = format!("{}: {}", way.planner.name(), sentence(reason));
                    ui.add(Label::new(RichText::new(text).color(palette.error)).wrap());
                }
            }
        } else if playback.side_by_side {
            ui.weak(format!("{name} walks both ways…"));
            return;
        }
        match self.shown(state, replay, agent) {
            Some((ways, _)) => figures_table_ui(ui, ways),
            None if playback.ways(Some(agent)).is_none() => {
                ui.weak(format!("{name} has no way to play."));
            }
            None => {}
        }
        let asks = Command::ShowForces.is_on(state) == Some(true);
        if asks && playback.thoughts(Some(agent)).is_empty() {
            let text = "Its planner draws a line and knows no forces; corridor, IRM and MIRAN do.";
            ui.add(Label::new(RichText::new(text).weak()).wrap());
        }
    }

    /// Plots as high as there is room.
    pub(super) fn plots_ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        replay: &Arc<Replay>,
        agent: EntityId,
    ) {
        let height = (ui.available_height() - PLOT_TITLE).clamp(LEAST_PLOT, MOST_PLOT);
        if let Some((ways, cursors)) = self.shown(state, replay, agent) {
            draw_plots(ui, ways, &cursors, height);
        }
    }

    /// Curves of what is played of an agent, and where it is on each.
    fn shown(
        &mut self,
        state: &EditorState,
        replay: &Arc<Replay>,
        agent: EntityId,
    ) -> Option<(&[Curves], Vec<Cursor>)> {
        let playback = &state.navigation.playback;
        let source = match playback.ways(Some(agent)) {
            Some(ways) => Source::Compared(Arc::clone(ways)),
            None if playback.side_by_side => return None,
            None => Source::Planned(Arc::clone(replay), agent),
        };
        let tracks = tracks_of(&source, &state.document().level().label(agent));
        if tracks.is_empty() {
            return None;
        }
        let known = self.charts.take();
        let charts = known
            .filter(|charts| charts.of.is_same(&source))
            .unwrap_or_else(|| Charts {
                ways: tracks
                    .iter()
                    .map(|(name, colour, track)| curves(state, name, *colour, track))
                    .collect(),
                of: source.clone(),
            });
        let cursor = |(_, colour, track): &(String, Colour, &Track)| {
            let pose = track.pose(playback.head.time)?;
            Some((pose.along, solid(*colour)))
        };
        let cursors = tracks.iter().filter_map(cursor).collect();
        Some((&self.charts.insert(charts).ways, cursors))
    }
}

const fn solid(colour: Colour) -> Color32 {
    Color32::from_rgb(colour.r, colour.g, colour.b)
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
                Some((way.planner.name().to_owned(), *colour, track))
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
    let poses = (0..=SAMPLES).filter_map(|i| {
        let time = track.duration() * i as f64 / steps;
        Some((time, track.pose(time)?))
    });
    let (progress, speed) = poses
        .map(|(time, pose)| ([pose.along, time], [pose.along, pose.speed]))
        .unzip();
    Curves {
        name: name.to_owned(),
        colour: solid(colour),
        length: track.length(),
        mean_curvature: mean(&curvature),
        least_clearance: least_clearance(state, track, &clearance),
        progress,
        speed,
        curvature: smoothed(&curvature),
        clearance,
    }
}

/// As exactly as inspector and bench tell it: between the samples of the curve, too.
fn least_clearance(state: &EditorState, track: &Track, curve: &[[f64; 2]]) -> f64 {
    let of_curve = curve.iter().map(|[_, value]| *value);
    let Some(space) = state.navigation.shown_space(state.document().selection()) else {
        return of_curve.fold(f64::INFINITY, f64::min);
    };
    let points: Vec<DVec2> = track.points().iter().map(|p| p.truncate()).collect();
    metrics::clearance(&points, |p| space.free.clearance(p)).min
}

/// Round numbers to write beside a plot, about so many; never only the nought.
fn marks((low, high): (f64, f64), count: f64) -> Vec<GridMark> {
    let range = high - low;
    if !(range.is_finite() && range > 0.0) {
        return Vec::new();
    }
    let rough = range / count;
    let decade = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0]
        .map(|digit| digit * decade)
        .into_iter()
        .rev()
        .find(|step| *step <= rough)
        .unwrap_or(decade);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last)
        .map(|i| GridMark {
            // Of the first rank, so that its number is always written.
            step_size: range,
            value: i as f64 * step,
        })
        .collect()
}

/// Without the rests that multiples of a tenth leave.
fn plain(value: f64) -> String {
    decimal::plain((value * 1e6).round() / 1e6)
}

/// Means over [`CURVATURE_WINDOW`]: a walk's steps are so short that every one shivers.
fn smoothed(curve: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let half = CURVATURE_WINDOW * 0.5;
    let (mut from, mut to) = (0, 0);
    let mut sum = 0.0;
    curve
        .iter()
        .map(|&[along, _]| {
            while to < curve.len() && curve[to][0] <= along + half {
                sum += curve[to][1];
                to += 1;
            }
            while curve[from][0] < along - half {
                sum -= curve[from][1];
                from += 1;
            }
            [along, sum / (to - from) as f64]
        })
        .collect()
}

/// A row for each way.
fn figures_table_ui(ui: &mut Ui, ways: &[Curves]) {
    let number = |text: String| RichText::new(text).monospace().size(11.5);
    let metres = |value: f64| {
        number(if value.is_finite() {
            format!("{value:.2} m")
        } else {
            "–".to_owned()
        })
    };
    egui::Grid::new("figures of ways")
        .num_columns(5)
        .min_col_width(0.0)
        .spacing(vec2(8.0, 1.0))
        .min_row_height(16.0)
        .show(ui, |ui| {
            ui.label("");
            for (title, help) in [
                ("Length", "Of the whole way"),
                ("Time", "From start to goal"),
                ("Curvature", "On average over the way"),
                ("Clearance", "To the nearest wall, at the narrowest place"),
            ] {
                ui.weak(title).on_hover_text(help);
            }
            ui.end_row();
            for way in ways {
                let lasts = way.progress.last().map_or(0.0, |[_, time]| *time);
                let line = Layout::left_to_right(Align::Center);
                ui.allocate_ui_with_layout(vec2(NAME, 16.0), line, |ui| {
                    ui.spacing_mut().item_spacing.x = 5.0;
                    let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
                    ui.painter().rect_filled(rect, 3.0, way.colour);
                    ui.add(Label::new(&way.name).truncate());
                });
                ui.label(metres(way.length));
                ui.label(number(clock(lasts)));
                ui.label(number(format!("{:.3}/m", way.mean_curvature)));
                ui.label(metres(way.least_clearance));
                ui.end_row();
            }
        });
}

/// Three figures over the length of the way, with a line where each walker is.
fn draw_plots(ui: &mut Ui, ways: &[Curves], cursors: &[Cursor], height: f32) {
    let room = ui.available_width();
    let columns = (room / PLOT_WIDTH).clamp(1.0, 3.0) as usize;
    let width = (room - panel::GAP * (columns as f32 - 1.0)) / columns as f32 - 2.0;
    type Pick = fn(&Curves) -> &Vec<[f64; 2]>;
    let plots: [(&str, &str, Pick); 3] = [
        ("Clearance", "m", |way| &way.clearance),
        ("Curvature", "1/m", |way| &way.curvature),
        ("Speed", "m/s", |way| &way.speed),
    ];
    for row in plots.chunks(columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing = vec2(panel::GAP, 0.0);
            for (title, unit, pick) in row {
                ui.vertical(|ui| {
                    ui.set_width(width);
                    let about = format!("{title} ({unit})");
                    ui.label(RichText::new(about).small().weak())
                        .on_hover_text("Over the length of the way, in metres");
                    ui.add_space(3.0);
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
    cursors: &[Cursor],
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
        .x_grid_spacer(|input| marks(input.bounds, 3.0))
        .y_grid_spacer(|input| marks(input.bounds, 2.0))
        .x_axis_formatter(|mark, _| format!("{} m", plain(mark.value)))
        .y_axis_formatter(|mark, _| plain(mark.value))
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
    use super::{marks, plain, smoothed};

    #[test]
    fn a_plot_has_more_than_a_nought_beside_it() {
        for high in [0.3, 0.42, 1.0, 7.0, 86.0, 12_345.0] {
            let marks = marks((-0.05 * high, high), 2.0);
            assert!(marks.len() >= 2 && marks.len() <= 6, "{high}: {marks:?}");
            assert!(marks.iter().any(|mark| mark.value > 0.0), "{high}");
        }
        assert!(marks((0.0, 0.0), 2.0).is_empty());
        assert_eq!(plain(3.0 * 0.1), "0.3");
    }

    #[test]
    fn smoothing_keeps_the_mean_of_what_shivers_and_what_is_even() {
        let shivers: Vec<[f64; 2]> = (0..200)
            .map(|i| [f64::from(i) * 0.05, f64::from(i % 2)])
            .collect();
        let smooth = smoothed(&shivers);
        assert!(smooth.iter().all(|[_, bend]| (bend - 0.5).abs() < 0.06));
        // Corners of a line are farther apart than that: they stay as they are.
        let corners = [[3.0, 0.1], [9.0, 0.4]];
        assert_eq!(smoothed(&corners), corners);
        assert!(smoothed(&[]).is_empty());
    }
}
