//! Durations that vary from agent to agent: a distribution and its parameters.

use super::rows::{choice_row, number_row};
use crate::base::Distribution;
use crate::document::limits;
use crate::editor::panels::field::Manner;
use egui::Ui;

const OPTIONS: [&str; 6] = [
    "Equal",
    "Uniform",
    "Normal",
    "Log-normal",
    "Gamma",
    "Weibull",
];

/// `usual` is the mean of a distribution that is chosen anew. Unit: seconds.
pub fn duration_ui(ui: &mut Ui, name: &str, usual: f64, time: &mut Distribution) -> Option<Manner> {
    let index = match time {
        Distribution::Constant(_) => 0,
        Distribution::Uniform { .. } => 1,
        Distribution::Normal { .. } => 2,
        Distribution::LogNormal { .. } => 3,
        Distribution::Gamma { .. } => 4,
        Distribution::Weibull { .. } => 5,
    };
    if let Some(index) = choice_row(ui, name, index, &OPTIONS) {
        *time = with_mean(index, usual);
        return Some(Manner::Chosen);
    }
    let (delay, log, shapes) = (&limits::DELAY, &limits::LOG_DELAY, &limits::DELAY_SHAPE);
    match time {
        Distribution::Constant(value) => number_row(ui, "Time", "", delay, value),
        Distribution::Uniform { from, to } => {
            let shortest = number_row(ui, "Shortest", "", delay, from);
            number_row(ui, "Longest", "", delay, to).or(shortest)
        }
        Distribution::Normal { mean, deviation } => {
            let centre = number_row(ui, "Mean", "", delay, mean);
            number_row(ui, "Spread", "Standard deviation.", delay, deviation).or(centre)
        }
        Distribution::LogNormal { mean, deviation } => {
            let centre = number_row(ui, "Mean", "Of the logarithm.", log, mean);
            number_row(ui, "Spread", "Of the logarithm.", log, deviation).or(centre)
        }
        Distribution::Gamma { shape, scale } | Distribution::Weibull { shape, scale } => {
            let form = number_row(ui, "Shape", "Larger is more even.", shapes, shape);
            number_row(ui, "Scale", "Larger is longer.", delay, scale).or(form)
        }
    }
}

fn with_mean(index: usize, usual: f64) -> Distribution {
    match index {
        0 => Distribution::Constant(usual),
        1 => Distribution::Uniform {
            from: 0.5 * usual,
            to: 1.5 * usual,
        },
        2 => Distribution::Normal {
            mean: usual,
            deviation: 0.3 * usual,
        },
        3 => Distribution::LogNormal {
            mean: usual.max(1.0).ln(),
            deviation: 0.5,
        },
        4 => Distribution::Gamma {
            shape: 1.3,
            scale: usual / 1.3,
        },
        _ => Distribution::Weibull {
            shape: 1.2,
            scale: usual,
        },
    }
}
