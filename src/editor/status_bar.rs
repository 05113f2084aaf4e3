//! The line at the bottom: what the tool wants, where the pointer is, what runs, what is saved.

use super::apply::FULL_SCALE;
use super::command_button::{icon_button, key_cap};
use super::docking::Pane;
use super::navigation::{Freshness, Probe};
use super::panels::navigation::{stage_name, time_text};
use super::space::SpaceGesture;
use super::state::ViewKind;
use super::work::{Report, Work};
use super::{Action, Actions, Command, EditorState, theme};
use crate::base::decimal::fixed;
use crate::interaction::space::GizmoMode;
use crate::interaction::{Hints, Host, ToolKind};
use egui::accesskit::Role;
use egui::{Align, Button, Layout, RichText, Ui, WidgetInfo};
use egui_material_icons::icons as icon;

const BUTTON: f32 = 22.0;
/// Of a progress bar. Unit: points.
const BAR: f32 = 48.0;
const SPACING: f32 = 6.0;
/// Of a job without its name: separator, cross, bar. Unit: points.
const JOB: f32 = BAR + 40.0;

pub fn status_bar_ui(ui: &mut Ui, state: &EditorState, work: &Work, actions: &mut Actions) {
    ui.spacing_mut().item_spacing.x = SPACING;
    let hints = state.level_is_open().then(|| {
        let host: &dyn Host = &state.level;
        space_hints(state).unwrap_or_else(|| state.toolbox.hints(host, &state.view.for_tools()))
    });
    let reports = work.jobs().reports();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if state.level_is_open() {
            saved_ui(ui, state, actions);
            ui.separator();
            icon_button(ui, state, Command::ToggleSnap, BUTTON, actions);
            icon_button(ui, state, Command::ToggleGrid, BUTTON, actions);
            grid_ui(ui, state);
            ui.separator();
            if state.open_panes.contains(&Pane::PLAN) {
                zoom_ui(ui, state, actions);
                ui.separator();
            }
            position_ui(ui, state);
            ui.separator();
            baked_ui(ui, state, work, actions);
            if state.view.is_soft || state.space.is_soft {
                ui.separator();
                ui.label("No OpenGL").on_hover_text(
                    "The plan is drawn without OpenGL: Voronoi regions and distances are computed \
                     by the processor, with larger pixels.",
                );
            }
        }
        if state.preferences.show_frame_time {
            ui.separator();
            frame_time_ui(ui, state);
        }
        // The hint comes first, then what jobs are called, then what is under the pointer.
        let hint = hints.as_ref().map_or(0.0, |hints| hint_width(ui, hints));
        let mut room = ui.available_width() - hint;
        room -= reports.len() as f32 * JOB;
        let titles: f32 = reports
            .iter()
            .map(|report| text_width(ui, job_title(report)) + SPACING)
            .sum();
        let named = titles <= room;
        if named {
            room -= titles;
        }
        if let Some(probe) = state.level_is_open().then(|| probe_of(state)).flatten() {
            probe_ui(ui, &probe, room);
        }
        for report in &reports {
            ui.separator();
            progress_ui(ui, report, actions);
            if named {
                ui.label(job_title(report))
                    .on_hover_text(&report.progress.stage);
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if let Some(hints) = &hints {
                hints_ui(ui, hints);
            }
        });
    });
}

/// The 3D view is in sight, and was the last that the pointer was over.
fn is_over_space(state: &EditorState) -> bool {
    state.active_view == ViewKind::Space && state.open_panes.contains(&Pane::SPACE)
}

/// What to do in the 3D view, while the pointer is over it and no tool draws.
fn space_hints(state: &EditorState) -> Option<Hints> {
    let space = &state.space;
    if !is_over_space(state) {
        return None;
    }
    if space.is_flying {
        let hints = Hints::new("Move to look around");
        return Some(
            hints
                .key("W A S D", "fly")
                .key("Q E", "down, up")
                .key("Shift", "faster"),
        );
    }
    if let SpaceGesture::Drag(drag) = &space.gesture {
        let (lead, shift) = match drag.mode() {
            GizmoMode::Move => ("Release to place", "locks an axis"),
            GizmoMode::Rotate => ("Release to set the angle", "15° steps"),
            GizmoMode::Scale => ("Release to set the size", "keeps proportions"),
        };
        return Some(
            Hints::new(lead)
                .key("Shift", shift)
                .key("Ctrl", "toggle snapping")
                .key("Esc", "back"),
        );
    }
    let lead = match state.toolbox.current() {
        ToolKind::Select => "Click to select, drag an object to move it on the floor",
        ToolKind::Move => "Drag an arrow, a square or the object itself",
        ToolKind::Rotate => "Drag a ring to rotate",
        ToolKind::Scale => "Drag a knob to scale",
        _ => return None,
    };
    Some(
        Hints::new(lead)
            .key("Middle drag", "orbit")
            .key("Right drag", "look and fly")
            .key("F", "frame"),
    )
}

/// What to do next, then keys while there is room for them.
fn hints_ui(ui: &mut Ui, hints: &Hints) {
    if let Some(entry) = &hints.entry {
        ui.label(RichText::new(entry).monospace().strong());
        ui.separator();
    }
    if let Some(trouble) = &hints.trouble {
        let colour = ui.visuals().warn_fg_color;
        ui.label(theme::icon(icon::ICON_WARNING, theme::ICON_SMALL).color(colour));
        ui.add(egui::Label::new(RichText::new(trouble).color(colour)).truncate())
            .on_hover_text(trouble);
        return;
    }
    ui.add(egui::Label::new(&*hints.lead).truncate())
        .on_hover_text(&*hints.lead);
    for (key, does) in &hints.keys {
        let needed = text_width(ui, key) + text_width(ui, does) + 34.0;
        if ui.available_width() < needed {
            break;
        }
        ui.add_space(4.0);
        key_cap(ui, key);
        ui.label(RichText::new(&**does).weak());
    }
}

/// What a hint takes at least: its keys may be left out, its words may not.
fn hint_width(ui: &Ui, hints: &Hints) -> f32 {
    let entry = hints.entry.as_ref().map_or(0.0, |entry| {
        // Monospaced and strong: wider than the text beside it.
        text_width(ui, entry) * 1.3 + 3.0 * SPACING
    });
    let words = match &hints.trouble {
        Some(trouble) => text_width(ui, trouble) + theme::ICON_SMALL + 2.0 * SPACING,
        None => text_width(ui, &hints.lead),
    };
    entry + words + 2.0 * SPACING
}

fn job_title(report: &Report) -> &str {
    if report.cancelled {
        "Cancelling…"
    } else {
        &report.title
    }
}

fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.fonts_mut(|fonts| {
        fonts
            .layout_no_wrap(text.to_owned(), font, egui::Color32::WHITE)
            .size()
            .x
    })
}

fn saved_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let palette = theme::Palette::of(ui.visuals());
    let (text, colour) = if state.document().is_dirty() {
        ("Unsaved", palette.warning)
    } else if state.path().is_some() {
        ("Saved", palette.done)
    } else {
        ("New", palette.text_weak)
    };
    let response = ui
        .add(Button::new(RichText::new(text).color(colour)).frame(false))
        .on_hover_text(match state.path() {
            Some(path) => format!("{}\nClick to save.", path.display()),
            None => "Not in a file yet. Click to save.".to_owned(),
        });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{text}: save")));
    if response.clicked() {
        actions.command(Command::Save);
    }
}

fn grid_ui(ui: &mut Ui, state: &EditorState) {
    let spacing = state.document().level().settings().grid.spacing;
    ui.label(RichText::new(format!("{} m", short(spacing))).weak())
        .on_hover_text("Grid spacing");
}

fn zoom_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let scale = state.view.camera.pixels_per_metre;
    let text = format!("{} %", short(scale / FULL_SCALE * 100.0));
    let response = ui
        .add(Button::new(RichText::new(text).weak()).frame(false))
        .on_hover_text("At 100 % a metre is ten points long. Click to show the whole level.");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Zoom: show the whole level"));
    if response.clicked() {
        actions.command(Command::FrameAll);
    }
}

fn position_ui(ui: &mut Ui, state: &EditorState) {
    let in_space = state.space.pointer.filter(|_| is_over_space(state));
    let text = match (in_space, state.view.pointer) {
        (Some(at), _) => format!("{} m", at.to_array().map(|x| fixed(x, 2)).join(", ")),
        (None, Some(at)) if !is_over_space(state) => {
            format!("{} m", at.to_array().map(|x| fixed(x, 2)).join(", "))
        }
        _ => "–".to_owned(),
    };
    // Of one width, so that nothing beside it dances with the pointer.
    let width = if state.open_panes.contains(&Pane::SPACE) {
        150.0
    } else {
        112.0
    };
    ui.allocate_ui_with_layout(
        egui::vec2(width, ui.available_height()),
        Layout::right_to_left(Align::Center),
        |ui| {
            ui.set_min_width(width);
            ui.label(RichText::new(text).monospace().size(11.5))
                .on_hover_text("Where the pointer is");
        },
    );
}

/// Fresh, building or stale; every stage and its time on hover, the panel on a click.
fn baked_ui(ui: &mut Ui, state: &EditorState, work: &Work, actions: &mut Actions) {
    let palette = theme::Palette::of(ui.visuals());
    let navigation = &state.navigation;
    let freshness = navigation.freshness(state.document());
    let report = navigation.task().and_then(|task| work.jobs().report(task));
    if let Some(report) = &report {
        progress_ui(ui, report, actions);
    }
    // A result that arrives in a moment is not worth a change of wording.
    let (name, symbol, colour) = match freshness {
        _ if report.is_some() => ("Building", icon::ICON_SYNC, palette.accent),
        Freshness::Building if navigation.is_stale() || navigation.baked().is_none() => {
            ("Building", icon::ICON_SYNC, palette.accent)
        }
        Freshness::Stale => ("Stale", icon::ICON_SYNC_PROBLEM, palette.warning),
        Freshness::Fresh | Freshness::Building => ("Fresh", icon::ICON_EXPLORE, palette.done),
    };
    let title = (
        theme::icon(symbol, theme::ICON_SMALL).color(colour),
        RichText::new(name).weak(),
    );
    let response = ui.add(Button::new(title).frame(false).gap(4.0));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Navigation: {name}")));
    let response = response.on_hover_ui(|ui| {
        ui.strong(match freshness {
            Freshness::Fresh => "Navigation is up to date",
            Freshness::Building => "Navigation is being baked",
            Freshness::Stale => "Navigation is out of date; press F5 to bake",
        });
        let Some(baked) = navigation.baked() else {
            return;
        };
        egui::Grid::new("stages").num_columns(3).show(ui, |ui| {
            for time in &baked.times {
                ui.label(stage_name(time));
                ui.weak(&time.result);
                ui.label(RichText::new(time_text(time.took)).monospace());
                ui.end_row();
            }
            ui.strong("Together");
            ui.label("");
            ui.label(RichText::new(time_text(Some(baked.took))).monospace());
            ui.end_row();
        });
    });
    if response.clicked() {
        actions.push(Action::Reveal(Pane::NAVIGATION));
    }
}

fn probe_of(state: &EditorState) -> Option<Probe> {
    let selection = state.document().selection();
    let at = if is_over_space(state) {
        state.space.pointer?.truncate()
    } else {
        state.view.pointer?
    };
    state.navigation.probe(selection, at)
}

/// What the place under the pointer is to those who walk, if there is room to say it.
fn probe_ui(ui: &mut Ui, probe: &Probe, room: f32) {
    let text = match (probe.cell, probe.component) {
        (Some(cell), Some(component)) => {
            format!(
                "cell {cell} · area {component} · {:.2} m free",
                probe.clearance
            )
        }
        _ => format!("no room · {:.2} m free", probe.clearance),
    };
    let text = RichText::new(text).monospace().size(11.5).weak();
    let width = egui::WidgetText::from(text.clone())
        .into_galley(
            ui,
            Some(egui::TextWrapMode::Extend),
            f32::INFINITY,
            egui::TextStyle::Body,
        )
        .size()
        .x;
    if width + 3.0 * SPACING > room {
        return;
    }
    ui.separator();
    ui.label(text).on_hover_text(format!(
        "Under the pointer, for a radius of {} m: the cell, the connected area it is part \
             of, and the distance to the nearest obstacle",
        probe.radius
    ));
}

fn frame_time_ui(ui: &mut Ui, state: &EditorState) {
    ui.label(
        RichText::new(format!("{:.1} ms", state.frame_millis))
            .monospace()
            .size(11.5)
            .weak(),
    )
    .on_hover_text("Time to build the last frame, without drawing it on the graphics card");
}

/// How far it is, and a cross that cancels it.
fn progress_ui(ui: &mut Ui, report: &Report, actions: &mut Actions) {
    let cancel = ui
        .add_enabled(
            !report.cancelled,
            Button::new(theme::icon(icon::ICON_CLOSE, theme::ICON_SMALL)).frame(false),
        )
        .on_hover_text(format!("Cancel: {}", report.title));
    cancel.widget_info(|| {
        WidgetInfo::labeled(Role::Button, true, format!("Cancel {}", report.title))
    });
    if cancel.clicked() {
        actions.push(Action::CancelJob(report.id));
    }
    let about = format!("{}: {}", report.title, report.progress.stage);
    match report.progress.share {
        Some(share) => ui.add(
            egui::ProgressBar::new(share)
                .desired_width(BAR)
                .desired_height(8.0),
        ),
        None => ui.add(egui::Spinner::new().size(14.0)),
    }
    .on_hover_text(about);
}

/// A number with as many places as it needs: 0.25, 12.5, 140.
fn short(value: f64) -> String {
    let places = if value < 1.0 {
        3
    } else if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    let text = format!("{value:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        for (value, text) in [
            (1.0, "1"),
            (0.25, "0.25"),
            (0.0625, "0.062"),
            (12.54, "12.5"),
            (140.0, "140"),
            (100.0, "100"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
