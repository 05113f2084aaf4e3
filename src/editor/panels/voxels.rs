//! Bodies and cells: what a body makes of the level in voxels, storey by storey; how its front
//! spreads; why it does not get somewhere; and the doors that a cell size loses.

use super::cell_rules::cell_rules_ui;
use super::cell_size::cell_size_ui;
use super::field::button::{icon_button, icon_button_if, named_button};
use super::field::{Number, Shared};
use super::forbidding::rules_ui;
use super::navigation::{sentence, switch_ui, switches};
use crate::base::{Quantity, Unit};
use crate::document::Action as Deed;
use crate::editor::theme::{Palette, panel};
use crate::editor::voxel_view::{PlayFront, Shown, VoxelAsk};
use crate::editor::{Action, Actions, Command, EditorState};
use crate::geometry::Rect;
use crate::interaction::ToolKind;
use crate::interaction::measures::storey_text;
use crate::planner::human::Fate;
use crate::preview::overlays::Group;
use crate::preview::{Look, OverlayId};
use egui::{Color32, Frame, Label, Margin, RichText, ScrollArea, Sense, Ui, vec2};
use egui_material_icons::icons;
use glam::DVec2;

/// Room for a switch with its name. Unit: points.
const SWITCH_WIDTH: f32 = 142.0;
/// How much is shown around a door, at least. Unit: metres.
const AROUND: f64 = 5.0;
/// So many doors are listed.
const MAX_LISTED: usize = 100;

/// Levels of the front.
const FRONT_SPEED: Quantity = Quantity::new("speed", Unit::PerSecond, 1.0, 2000.0, 20.0);

#[derive(Debug, Default)]
pub struct VoxelsPanel;

impl VoxelsPanel {
    pub fn ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let view = &state.navigation.voxels;
        view.wanted.set(true);
        Frame::new()
            .inner_margin(Margin::symmetric(8, 6))
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .auto_shrink(false)
                    .id_salt("bodies and cells")
                    .show(ui, |ui| {
                        let Some(shown) = view.shown() else {
                            switches_ui(ui, state, actions);
                            choices_ui(ui, state, actions);
                            ui.separator();
                            nothing_ui(ui, state);
                            return;
                        };
                        ui.horizontal_wrapped(|ui| {
                            ui.spacing_mut().item_spacing.x = panel::GAP;
                            storeys_ui(ui, state, shown, actions);
                            front_ui(ui, state, shown, actions);
                        });
                        switches_ui(ui, state, actions);
                        why_not_ui(ui, state, shown, actions);
                        ui.separator();
                        body_ui(ui, state, shown);
                        choices_ui(ui, state, actions);
                        legend_ui(ui);
                        doors_ui(ui, state, shown, actions);
                    });
            });
    }
}

fn ask(actions: &mut Actions, asked: VoxelAsk) {
    actions.push(Action::Voxels(asked));
}

fn nothing_ui(ui: &mut Ui, state: &EditorState) {
    let view = &state.navigation.voxels;
    match view.trouble() {
        Some(trouble) => {
            let palette = Palette::of(ui.visuals());
            ui.colored_label(palette.error, sentence(&trouble));
        }
        None if state.navigation.baked().is_none() => {
            ui.weak("Nothing is baked yet.");
        }
        None => {
            ui.weak("Building voxels…");
        }
    }
}

fn switches_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let columns = (ui.available_width() / SWITCH_WIDTH).clamp(1.0, 7.0) as usize;
    for row in switches(Group::Voxels).chunks(columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for command in row {
                ui.allocate_ui(vec2(SWITCH_WIDTH, panel::LIST_ROW), |ui| {
                    ui.set_min_width(SWITCH_WIDTH);
                    switch_ui(ui, state, *command, actions);
                });
            }
        });
    }
}

/// How large cells are, and the rules by which they are used; both are kept with the level.
fn choices_ui(ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
    let level = state.document().level();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = panel::GAP;
        let frame = state.navigation.voxels.shown();
        let frame = frame.map(|shown| &shown.chart.reachability.surfaces().frame);
        cell_size_ui(ui, level, frame, actions);
        cell_rules_ui(ui, level, actions);
        rules_ui(ui, level, actions);
    });
}

/// A length in metres, no finer than is readable.
fn millimetres(metres: f64) -> f64 {
    (metres * 1e3).round() / 1e3
}

/// For whom all this is, and what came of it.
fn body_ui(ui: &mut Ui, state: &EditorState, shown: &Shown) {
    let level = state.document().level();
    let (subject, reachability) = (&shown.chart.subject, &shown.chart.reachability);
    let body = &subject.profile.body;
    let frame = &reachability.surfaces().frame;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = panel::GAP;
        let who = match (subject.agent, subject.profile_id) {
            (Some(agent), _) => level.label(agent),
            (None, Some(profile)) => level.label(profile),
            (None, None) => "No agent".to_owned(),
        };
        ui.strong(who)
            .on_hover_text("The selected agent, or the first that plans in cells");
        ui.label(format!(
            "height {:.2} m, bent {:.2} m · step {:.2} m · span {:.2} m · jump {:.2} m",
            body.height, body.bent_height, body.step_height, body.foot_span, body.jump
        ));
        let [off, through] = reachability.reached();
        let [x, y, z] = frame.size;
        ui.weak(format!(
            "{x} × {y} × {z} cells of {} × {} m, {} to stand on",
            millimetres(frame.cell),
            millimetres(frame.layer),
            reachability.footing.standable_count()
        ));
        ui.weak(match reachability.start {
            Some(_) => format!(
                "reaches {off}, {} more along walls",
                through.saturating_sub(off)
            ),
            None => "its start is not standable".to_owned(),
        });
        if state.navigation.voxels.is_working() {
            ui.spinner();
        }
    });
}

fn storeys_ui(ui: &mut Ui, state: &EditorState, shown: &Shown, actions: &mut Actions) {
    let storeys = &shown.chart.storeys;
    let chosen = state.navigation.voxels.storey;
    if storeys.len() < 2 && chosen.is_none() {
        return;
    }
    let label = ui.weak("Storey");
    // 0 stands for all of them.
    let mut number = chosen.map_or(0, |storey| storey + 1);
    ui.spacing_mut().slider_width = 110.0;
    let floors: Vec<f64> = storeys.iter().map(|storey| storey.floor).collect();
    let slider = egui::Slider::new(&mut number, 0..=storeys.len())
        .custom_formatter(move |value, _| {
            let storey = (value as usize).checked_sub(1);
            match storey.and_then(|at| Some((at, floors.get(at)?))) {
                Some((at, floor)) => storey_text(at, *floor),
                None => "all".to_owned(),
            }
        })
        .custom_parser(|text| {
            let number = text.split([',', ':']).next().unwrap_or("").trim();
            let storey = number.parse::<f64>().ok().map(|storey| storey + 1.0);
            storey.or((text.trim() == "all").then_some(0.0))
        });
    let slider = ui
        .add(slider)
        .labelled_by(label.id)
        .on_hover_text("Shows only the cells of one storey; the 3D view is cut open above it");
    if slider.changed() {
        ask(actions, VoxelAsk::Storey(number.checked_sub(1)));
    }
}

/// The front as it spreads: played, taken step by step, or dragged.
fn front_ui(ui: &mut Ui, state: &EditorState, shown: &Shown, actions: &mut Actions) {
    let all = shown.levels();
    if all == 0 {
        return;
    }
    let view = &state.navigation.voxels;
    let here = view.front_levels();
    let play = |actions: &mut Actions, asked| ask(actions, VoxelAsk::Front(asked));
    let label = ui.weak("Front");
    if icon_button(ui, icons::ICON_SKIP_PREVIOUS, "To the start of the front").clicked() {
        play(actions, PlayFront::Seek(Some(0)));
    }
    if icon_button_if(ui, here > 0, icons::ICON_CHEVRON_LEFT, "One level back").clicked() {
        play(actions, PlayFront::Step(-1));
    }
    let (icon, name) = if view.front.is_playing {
        (icons::ICON_PAUSE, "Pause the front")
    } else {
        (icons::ICON_PLAY_ARROW, "Play the front")
    };
    if icon_button(ui, icon, name).clicked() {
        play(actions, PlayFront::Toggle);
    }
    if icon_button_if(
        ui,
        here < all,
        icons::ICON_CHEVRON_RIGHT,
        "One level forward",
    )
    .clicked()
    {
        play(actions, PlayFront::Step(1));
    }
    if icon_button(ui, icons::ICON_SKIP_NEXT, "The whole front").clicked() {
        play(actions, PlayFront::Seek(None));
    }
    let mut level = here;
    ui.spacing_mut().slider_width = 150.0;
    let slider = ui
        .add(egui::Slider::new(&mut level, 0..=all))
        .labelled_by(label.id)
        .on_hover_text("Levels of the front: cells from the start");
    if slider.changed() {
        play(actions, PlayFront::Seek(Some(level)));
    }
    let cell = shown.chart.reachability.surfaces().frame.cell;
    ui.weak(format!("of {all}, {:.1} m", f64::from(here) * cell));
    let mut speed = view.front.speed;
    let label = ui.weak("Speed");
    let field = Number::new(&FRONT_SPEED, Shared::Same(speed));
    if field.inline(ui, label.id, &mut speed).change.is_some() {
        play(actions, PlayFront::Speed(speed));
    }
}

/// The colours that paths are drawn in.
fn legend_ui(ui: &mut Ui) {
    let look = if ui.visuals().dark_mode {
        Look::Dark
    } else {
        Look::Light
    };
    let palette = look.palette();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.weak("On paths:");
        for action in Deed::ALL {
            if let Some(colour) = palette.action(action) {
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 4.0), Sense::hover());
                let colour = Color32::from_rgb(colour.r, colour.g, colour.b);
                ui.painter().rect_filled(rect, 2.0, colour);
                ui.weak(action.name().to_lowercase());
                ui.add_space(6.0);
            }
        }
    });
}

/// What was asked about a cell.
fn why_not_ui(ui: &mut Ui, state: &EditorState, shown: &Shown, actions: &mut Actions) {
    let palette = Palette::of(ui.visuals());
    let [hovered, pinned] = &shown.answers;
    let is_asking = state.toolbox.current() == ToolKind::WhyNot;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = panel::GAP;
        let entry = Command::Tool(ToolKind::WhyNot).entry();
        if ui
            .selectable_label(is_asking, entry.name)
            .on_hover_text(entry.help)
            .clicked()
        {
            actions.command(Command::Tool(if is_asking {
                ToolKind::Select
            } else {
                ToolKind::WhyNot
            }));
        }
        let Some(answer) = pinned.as_ref().or(hovered.as_ref()) else {
            ui.weak(if is_asking {
                "Point anywhere in either view."
            } else {
                "explains any point: step, gap, headroom, forbidden."
            });
            return;
        };
        // Adding 0 takes the sign from a 0.
        let at = (answer.at * 100.0).round() / 100.0 + 0.0;
        ui.weak(format!("{:.2}, {:.2}, {:.2}", at.x, at.y, at.z));
        let text = RichText::new(sentence(&answer.text));
        let text = if answer.is_reached {
            text
        } else {
            text.color(palette.error)
        };
        ui.add(Label::new(text).wrap());
        if let Some(blocker) = answer.blocker() {
            let name = state.document().level().label(blocker);
            if ui.link(format!("Select {name}")).clicked() {
                actions.select(crate::document::Selection::one(blocker));
            }
        }
        if pinned.is_some() && icon_button(ui, icons::ICON_CLOSE, "Deselect the cell").clicked() {
            ask(actions, VoxelAsk::Unpin);
        }
    });
}

/// Doors that free space has and cells have not.
fn doors_ui(ui: &mut Ui, state: &EditorState, shown: &Shown, actions: &mut Actions) {
    let Some(against) = &shown.chart.against else {
        ui.horizontal(|ui| {
            let lost = Command::ShowOverlay(OverlayId::LOST);
            let entry = lost.entry();
            let button = named_button(ui, entry.icon, "Compare with exact free space");
            if button.on_hover_text(entry.help).clicked() {
                actions.command(lost);
            }
        });
        return;
    };
    let palette = Palette::of(ui.visuals());
    let level = state.document().level();
    let cell = shown.chart.reachability.surfaces().frame.cell;
    let area = |cells: usize| cells as f64 * cell * cell;
    ui.label(format!(
        "Against exact free space: {} lost, {:.1} m² lost, {:.1} m² gained.",
        match against.doors.len() {
            1 => "1 door".to_owned(),
            n => format!("{n} doors"),
        },
        area(against.lost.len()),
        area(against.gained.len())
    ));
    for door in against.doors.iter().take(MAX_LISTED) {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let (icon, colour) = match door.fate {
                Fate::Closed => (icons::ICON_NO_MEETING_ROOM, palette.error),
                Fate::Squeezed => (icons::ICON_COMPRESS, palette.warning),
            };
            ui.label(icon.rich_text().size(panel::ICON).color(colour));
            let text = sentence(&door.sentence(&shown.chart.reachability, |id| level.label(id)));
            let row = ui.add(Label::new(text).wrap().sense(Sense::click()));
            if row.on_hover_text("Go there").clicked() {
                let half = DVec2::splat((2.0 * door.width).max(AROUND));
                actions.push(Action::GoTo(Rect::around(door.at.truncate(), half)));
            }
        });
    }
    if against.doors.len() > MAX_LISTED {
        ui.weak(format!("… and {} more", against.doors.len() - MAX_LISTED));
    }
}
