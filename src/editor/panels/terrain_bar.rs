//! Cost of a path by terrain: stacked bars with figures below them.

use super::field::pattern::paint_swatch;
use crate::editor::theme::{Palette, panel};
use crate::preview::following::weight_text;
use crate::preview::shares::Share;
use egui::accesskit::Role;
use egui::{Align, Label, Layout, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

/// Unit: points.
const BAR: f32 = 14.0;
/// Minimum width of a part, so that it stays visible.
const NARROWEST: f32 = 2.0;
const FIGURE_WIDTH: f32 = 74.0;

/// Bars and figures over the available width.
pub fn terrain_bar_ui(ui: &mut Ui, shares: &[Share]) {
    if shares.is_empty() {
        return;
    }
    ui.spacing_mut().item_spacing.y = 3.0;
    bar_ui(ui, "Length by terrain", shares, |share| share.length);
    bar_ui(ui, "Cost by terrain", shares, |share| share.cost);
    ui.add_space(2.0);
    for share in shares {
        row_ui(ui, share);
    }
    if shares.len() > 1 {
        let total = |part: fn(&Share) -> f64| shares.iter().map(part).sum::<f64>();
        let (length, cost) = (total(|share| share.length), total(|share| share.cost));
        figures_ui(ui, length, cost, |ui| {
            ui.add_space(panel::ICON + 4.0);
            ui.weak("Sum in plan")
                .on_hover_text("Terrain is measured in plan; over hills the path is longer.");
        });
    }
}

/// One bar: the initial of what it measures, and its parts.
fn bar_ui(ui: &mut Ui, name: &str, shares: &[Share], part: fn(&Share) -> f64) {
    let total: f64 = shares.iter().map(part).sum();
    if !(total > 0.0 && total.is_finite()) {
        return;
    }
    let words: Vec<String> = shares
        .iter()
        .map(|share| format!("{} {:.0} %", share.name, 100.0 * part(share) / total))
        .collect();
    let spoken = format!("{name}: {}", words.join(", "));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let label = if name.starts_with('L') {
            "Metres"
        } else {
            "Cost"
        };
        ui.allocate_ui_with_layout(
            vec2(46.0, BAR),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_min_width(46.0);
                ui.weak(label);
            },
        );
        let size = vec2(ui.available_width().max(40.0), BAR);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &spoken));
        let mut left = rect.left();
        for (share, width) in shares.iter().zip(widths(shares, part, rect.width())) {
            let part = Rect::from_min_max(
                pos2(left, rect.top()),
                pos2((left + width).min(rect.right()), rect.bottom()),
            );
            paint_swatch(ui.painter(), part, share.colour, share.pattern);
            left += width;
        }
        response.on_hover_text(words.join("\n"));
    });
}

/// Widths of the parts, which add up to the bar; the smallest stay visible.
fn widths(shares: &[Share], part: fn(&Share) -> f64, width: f32) -> Vec<f32> {
    let total: f64 = shares.iter().map(part).sum();
    let raw = shares.iter().map(|share| {
        let share = (part(share) / total.max(f64::MIN_POSITIVE)) as f32;
        if share > 0.0 {
            (share * width).max(NARROWEST)
        } else {
            0.0
        }
    });
    let raw: Vec<f32> = raw.collect();
    let scale = width / raw.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    raw.into_iter().map(|part| part * scale).collect()
}

fn row_ui(ui: &mut Ui, share: &Share) {
    figures_ui(ui, share.length, share.cost, |ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(panel::ICON, 12.0), Sense::hover());
        paint_swatch(ui.painter(), rect, share.colour, share.pattern);
        ui.add(Label::new(&share.name).truncate());
    });
}

/// Metres and cost, right-aligned in columns.
fn figures_ui(ui: &mut Ui, length: f64, cost: f64, head: impl FnOnce(&mut Ui)) {
    let palette = Palette::of(ui.visuals());
    let size = vec2(ui.available_width(), 18.0);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (text, colour) in [
            (format!("cost {}", weight_text(cost)), palette.text),
            (format!("{length:.1} m"), palette.text_weak),
        ] {
            ui.allocate_ui_with_layout(
                vec2(FIGURE_WIDTH, 18.0),
                Layout::right_to_left(Align::Center),
                |ui| {
                    ui.set_min_width(FIGURE_WIDTH);
                    ui.colored_label(colour, text);
                },
            );
        }
        ui.with_layout(Layout::left_to_right(Align::Center), head);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Colour;
    use crate::document::Pattern;

    #[test]
    fn parts_fill_the_bar_and_none_is_too_narrow_to_see() {
        let share = |length: f64| Share {
            terrain: None,
            name: String::new(),
            colour: Colour::hex(0),
            pattern: Pattern::Plain,
            length,
            cost: length,
        };
        let shares = [share(1e6), share(1.0), share(0.0), share(3e5)];
        let widths = widths(&shares, |share| share.length, 200.0);
        assert!((widths.iter().sum::<f32>() - 200.0).abs() < 1e-3);
        assert!(widths[1] > 1.5 && widths[2] == 0.0);
    }
}
