//! Figures of the selected agent's path, by one planner or by both corridor methods.

use super::controls::clock;
use crate::base::{EntityId, decimal};
use crate::editor::panels::navigation::sentence;
use crate::editor::player::SIDE_BY_SIDE;
use crate::editor::theme::{Palette, panel};
use crate::editor::{Command, EditorState};
use crate::planner::registry;
use crate::preview::OverlayId;
use crate::preview::moment::series_colour;
use crate::sim::Curves;
use egui::{Align, Color32, Label, Layout, RichText, Sense, Ui, vec2};
use egui_plot::{GridMark, Line, LineStyle, Plot, PlotPoints, VLine};

/// Of the plots, at least. Unit: points.
const PLOT_WIDTH: f32 = 140.0;
const LEAST_PLOT: f32 = 78.0;
const MOST_PLOT: f32 = 260.0;
/// What stands above a plot. Unit: points.
const PLOT_TITLE: f32 = 25.0;
/// Room for the name of a path. Unit: points.
const NAME: f32 = 150.0;

/// Curves of what is played, and where the agent is on them.
struct Plotted<'a> {
    name: String,
    colour: Color32,
    curves: &'a Curves,
    /// Unit: metres.
    along: Option<f64>,
}

/// Everything below each other, where there is no room beside.
pub(super) fn narrow_ui(ui: &mut Ui, state: &EditorState, agent: EntityId) {
    table_ui(ui, state, agent);
    draw_plots(ui, &plotted(state, agent), LEAST_PLOT + 30.0);
}

/// The figures of each path; or why there are none.
pub(super) fn table_ui(ui: &mut Ui, state: &EditorState, agent: EntityId) {
    let player = &state.navigation.player;
    let name = state.document().level().label(agent);
    let palette = Palette::of(ui.visuals());
    let error_ui = |ui: &mut Ui, text: String| {
        ui.add(Label::new(RichText::new(text).color(palette.error)).wrap());
    };
    let alternatives = player.alternatives(Some(agent));
    for by in alternatives.iter().flat_map(|all| all.iter()) {
        if let Err(reason) = &by.recording {
            error_ui(
                ui,
                format!("{}: {}", registry::title(by.planner), sentence(reason)),
            );
        }
    }
    if player.side_by_side && alternatives.is_none() {
        match player.comparison_error() {
            Some(error) => error_ui(ui, sentence(&error)),
            None => {
                ui.weak(format!("Planning {name} with both methods…"));
            }
        }
        return;
    }
    let recording = player.recording();
    let has_path = recording.is_some_and(|recording| recording.trajectory(agent).is_some());
    if !has_path && alternatives.is_none() {
        ui.weak(format!("{name} has no path to play."));
    } else {
        figures_table_ui(ui, &plotted(state, agent));
    }
    let asks = Command::ShowOverlay(OverlayId::FORCES).is_on(state) == Some(true);
    if asks && player.trace_steps(Some(agent)).is_empty() {
        let text = "This planner has no forces; corridor, IRM and MIRAN do.";
        ui.add(Label::new(RichText::new(text).weak()).wrap());
    }
}

/// Plots as high as there is room.
pub(super) fn plots_ui(ui: &mut Ui, state: &EditorState, agent: EntityId) {
    let height = (ui.available_height() - PLOT_TITLE).clamp(LEAST_PLOT, MOST_PLOT);
    draw_plots(ui, &plotted(state, agent), height);
}

fn plotted(state: &EditorState, agent: EntityId) -> Vec<Plotted<'_>> {
    let player = &state.navigation.player;
    let selected = Some(agent);
    let moment = player.playback(selected).only(selected);
    let moment = moment.moment(player.time(selected));
    let along = |series| {
        let shown = moment.agents.iter().find(|shown| shown.series == series);
        shown.map(|shown| shown.pose.along)
    };
    let plotted = |(series, curves)| Plotted::new(state, agent, series, curves, along(series));
    let curves = player.curves(agent).iter();
    curves
        .map(|(series, curves)| plotted((*series, curves)))
        .collect()
}

impl<'a> Plotted<'a> {
    fn new(
        state: &EditorState,
        agent: EntityId,
        series: Option<usize>,
        curves: &'a Curves,
        along: Option<f64>,
    ) -> Self {
        let planner = series.and_then(|series| SIDE_BY_SIDE.get(series));
        let colour = series_colour(series.unwrap_or(0));
        Self {
            name: planner.map_or_else(
                || state.document().level().label(agent),
                |planner| registry::title(*planner).to_owned(),
            ),
            colour: Color32::from_rgb(colour.r, colour.g, colour.b),
            curves,
            along,
        }
    }
}

/// Round numbers to write beside a plot, about so many; never only the nought.
pub(in crate::editor::panels) fn marks((low, high): (f64, f64), count: f64) -> Vec<GridMark> {
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
pub(in crate::editor::panels) fn plain(value: f64) -> String {
    decimal::plain((value * 1e6).round() / 1e6)
}

/// A row for each path.
fn figures_table_ui(ui: &mut Ui, paths: &[Plotted<'_>]) {
    let number = |text: String| RichText::new(text).monospace().size(11.5);
    let metres = |value: f64| {
        number(if value.is_finite() {
            format!("{value:.2} m")
        } else {
            "–".to_owned()
        })
    };
    egui::Grid::new("figures of paths")
        .num_columns(5)
        .min_col_width(0.0)
        .spacing(vec2(8.0, 1.0))
        .min_row_height(16.0)
        .show(ui, |ui| {
            ui.label("");
            for (title, help) in [
                ("Length", "Of the whole path"),
                ("Time", "From start to goal"),
                ("Curvature", "On average over the path"),
                ("Clearance", "To the nearest wall, at the narrowest point"),
            ] {
                ui.weak(title).on_hover_text(help);
            }
            ui.end_row();
            for path in paths {
                let curves = path.curves;
                let line = Layout::left_to_right(Align::Center);
                ui.allocate_ui_with_layout(vec2(NAME, 16.0), line, |ui| {
                    ui.spacing_mut().item_spacing.x = 5.0;
                    let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
                    ui.painter().rect_filled(rect, 3.0, path.colour);
                    ui.add(Label::new(&path.name).truncate());
                });
                ui.label(metres(curves.length));
                ui.label(number(clock(curves.duration)));
                ui.label(number(format!("{:.3}/m", curves.mean_curvature)));
                ui.label(metres(curves.min_clearance));
                ui.end_row();
            }
        });
}

/// Three figures over the length of the path, with a line where the agent is on each.
fn draw_plots(ui: &mut Ui, paths: &[Plotted<'_>], height: f32) {
    let room = ui.available_width();
    let columns = (room / PLOT_WIDTH).clamp(1.0, 3.0) as usize;
    let width = (room - panel::GAP * (columns as f32 - 1.0)) / columns as f32 - 2.0;
    type Pick = fn(&Curves) -> &Vec<[f64; 2]>;
    let plots: [(&str, &str, Pick); 3] = [
        ("Clearance", "m", |curves| &curves.clearance),
        ("Curvature", "1/m", |curves| &curves.curvature),
        ("Speed", "m/s", |curves| &curves.speed),
    ];
    for row in plots.chunks(columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing = vec2(panel::GAP, 0.0);
            for (title, unit, pick) in row {
                ui.vertical(|ui| {
                    ui.set_width(width);
                    let about = format!("{title} ({unit})");
                    ui.label(RichText::new(about).small().weak())
                        .on_hover_text("Over the length of the path, in metres");
                    ui.add_space(3.0);
                    plot_ui(ui, title, vec2(width, height), paths, *pick);
                });
            }
        });
    }
}

fn plot_ui(
    ui: &mut Ui,
    title: &str,
    size: egui::Vec2,
    paths: &[Plotted<'_>],
    pick: fn(&Curves) -> &Vec<[f64; 2]>,
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
        .x_grid_spacer(|input| marks(input.bounds, 2.0))
        .y_grid_spacer(|input| marks(input.bounds, 2.0))
        .x_axis_formatter(|mark, _| format!("{} m", plain(mark.value)))
        .y_axis_formatter(|mark, _| plain(mark.value))
        .show(ui, |plot| {
            for path in paths {
                let points = PlotPoints::from(pick(path.curves).clone());
                let line = Line::new(path.name.as_str(), points);
                plot.line(line.color(path.colour).width(1.5));
            }
            for path in paths {
                let Some(along) = path.along else {
                    continue;
                };
                let line = VLine::new("now", along).color(path.colour);
                plot.vline(line.style(LineStyle::dashed_dense()));
            }
        });
}

#[cfg(test)]
mod tests {
    use super::{marks, plain};

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
}
