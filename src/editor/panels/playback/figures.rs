//! Figures of the selected agent's way, by one planner or by both corridor methods.

use super::controls::clock;
use crate::base::{Colour, EntityId};
use crate::document::PlannerKind;
use crate::editor::EditorState;
use crate::editor::panels::navigation::sentence;
use crate::editor::theme::{Palette, panel};
use crate::planner::replay::{Alternative, Replay, Track};
use crate::preview::nav::SERIES;
use egui::{Color32, RichText, Sense, Ui, vec2};
use egui_plot::{Line, LineStyle, Plot, PlotPoints, VLine};
use std::sync::Arc;

/// Places of a way at which clearance is looked up.
const SAMPLES: usize = 240;
/// Of the plots, at least. Unit: points.
const PLOT_WIDTH: f32 = 170.0;
const LEAST_PLOT: f32 = 78.0;
const MOST_PLOT: f32 = 260.0;
/// What stands above a plot. Unit: points.
const PLOT_TITLE: f32 = 22.0;
/// From this width on figures and plots are beside each other. Unit: points.
const WIDE: f32 = 640.0;

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

impl Figures {
    pub(super) fn ui(
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
