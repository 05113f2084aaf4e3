//! The tools along the left edge, in groups; as many columns as the height asks for.

use super::command::TOOL_GROUPS;
use super::command_button::icon_button;
use super::{Actions, Command, EditorState, theme};
use crate::interaction::ToolKind;
use egui::{Ui, vec2};

const GAP: f32 = 2.0;
/// A thin line with room around it between two groups.
const SEPARATOR: f32 = 7.0;
const MOST_COLUMNS: usize = 7;

fn groups() -> impl Iterator<Item = Vec<ToolKind>> {
    TOOL_GROUPS.into_iter().map(|group| {
        ToolKind::ALL
            .into_iter()
            .filter(|kind| kind.group() == group)
            .collect()
    })
}

fn height(columns: usize) -> f32 {
    let rows: usize = groups().map(|tools| tools.len().div_ceil(columns)).sum();
    rows as f32 * (theme::TOOL_BUTTON + GAP) + (TOOL_GROUPS.len() - 1) as f32 * SEPARATOR
}

/// The fewest columns in which every tool is in sight.
fn columns_for(available: f32) -> usize {
    (1..MOST_COLUMNS)
        .find(|columns| height(*columns) <= available)
        .unwrap_or(MOST_COLUMNS)
}

/// Width of the bar, without its frame, for a window of this height. Unit: points.
#[must_use]
pub fn width(available_height: f32) -> f32 {
    columns_for(available_height) as f32 * (theme::TOOL_BUTTON + GAP) - GAP
}

pub fn tool_bar_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let columns = columns_for(ui.available_height());
    // Only where even the widest bar does not fit.
    egui::ScrollArea::vertical()
        .auto_shrink([true, false])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(GAP, GAP);
            for (at, tools) in groups().enumerate() {
                if at > 0 {
                    separator(ui);
                }
                for row in tools.chunks(columns) {
                    ui.horizontal(|ui| {
                        for kind in row {
                            icon_button(
                                ui,
                                state,
                                Command::Tool(*kind),
                                theme::TOOL_BUTTON,
                                actions,
                            );
                        }
                    });
                }
            }
        });
}

fn separator(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(
        vec2(ui.available_width(), SEPARATOR - GAP),
        egui::Sense::hover(),
    );
    ui.painter().hline(
        rect.x_range().shrink(4.0),
        rect.center().y,
        ui.visuals().widgets.noninteractive.bg_stroke,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_in_sight_in_a_small_window() {
        // 1280 × 720 at 100 % and at 150 %, less menu bar, status bar and margins.
        for available in [640.0, 480.0 - 80.0] {
            assert!(height(columns_for(available)) <= available, "{available}");
        }
        assert_eq!(columns_for(2000.0), 1);
        assert_eq!(
            groups().map(|tools| tools.len()).sum::<usize>(),
            ToolKind::ALL.len()
        );
    }
}
