//! The lanes of the timeline: how many are there, and what happens.

use super::clock;
use super::timeline::{Axis, lane_ground};
use crate::base::EntityId;
use crate::document::{Level, Selection};
use crate::editor::playback::Play;
use crate::editor::theme::Palette;
use crate::editor::{Action, Actions, EditorState};
use crate::geometry::Rect as Area;
use crate::preview::Look;
use crate::preview::nav::colour_of;
use crate::sim::RunDigest;
use crate::sim::digest::{Mark, Presence};
use crate::sim::world::RunEventKind;
use egui::{Align, Color32, Label, Layout, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2};
use glam::DVec2;

/// Unit: points.
const PRESENCE: f32 = 26.0;
const OWN_PRESENCE: f32 = 18.0;
const EVENTS: f32 = 16.0;
/// Columns of a lane are this wide. Unit: points.
const COLUMN: f32 = 2.0;
/// Events this near to the pointer are told. Unit: points.
const REACH: f32 = 4.0;
/// So many events are told at once.
const TOLD: usize = 6;
/// More agents and crowds than this have no lane each.
const MOST_ENTITIES: usize = 40;
/// Half the side of the part of the plan that an event is shown in. Unit: metres.
const PLACE: f64 = 8.0;

/// How many are there over time.
pub(super) struct Lane<'a> {
    name: String,
    entity: Option<EntityId>,
    colour: Color32,
    presence: &'a Presence,
    height: f32,
}

impl<'a> Lane<'a> {
    /// Everyone together.
    pub fn of(digest: &'a RunDigest, palette: &Palette) -> Option<Self> {
        (!digest.all.appear.is_empty()).then(|| Self {
            name: "Under way".to_owned(),
            entity: None,
            colour: palette.accent,
            presence: &digest.all,
            height: PRESENCE,
        })
    }

    /// Each agent and crowd.
    pub fn by_entity(digest: &'a RunDigest, state: &EditorState, palette: &Palette) -> Vec<Self> {
        let level = state.document().level();
        let look = if std::ptr::eq(palette, &crate::editor::theme::DARK) {
            Look::Dark
        } else {
            Look::Light
        };
        let lane = |(entity, presence): (&EntityId, &'a Presence)| {
            let colour = colour_of(level, *entity, look.palette());
            Self {
                name: level.label(*entity),
                entity: Some(*entity),
                colour: Color32::from_rgb(colour.r, colour.g, colour.b),
                presence,
                height: OWN_PRESENCE,
            }
        };
        let all = digest.by_entity.iter().take(MOST_ENTITIES);
        all.map(lane).collect()
    }
}

/// Events of some kinds.
pub(super) struct EventLane<'a> {
    name: &'static str,
    colour: Color32,
    marks: Vec<&'a Mark>,
}

type Kinds = (
    &'static str,
    &'static [RunEventKind],
    fn(&Palette) -> Color32,
);

/// Lanes of events, in the order of how much they matter.
const LANES: [Kinds; 6] = [
    (
        "Stuck",
        &[RunEventKind::Stuck, RunEventKind::Freed],
        |palette| palette.error,
    ),
    (
        "No path",
        &[RunEventKind::Unreachable, RunEventKind::Unplaced],
        |palette| palette.warning,
    ),
    (
        "Re-planned",
        &[RunEventKind::Replanned, RunEventKind::Rerouted],
        |palette| palette.info,
    ),
    ("Doors", &[RunEventKind::Door], |palette| palette.text),
    ("Changes", &[RunEventKind::Input], |palette| palette.accent),
    ("Arrived", &[RunEventKind::Arrived], |palette| palette.done),
];

impl<'a> EventLane<'a> {
    pub fn of(digest: &'a RunDigest, palette: &Palette) -> Vec<Self> {
        let lane = |(name, kinds, colour): &Kinds| {
            let marks = kinds.iter().filter_map(|kind| digest.marks.get(kind));
            let mut marks: Vec<&Mark> = marks.flatten().collect();
            marks.sort_by(|a, b| a.time.total_cmp(&b.time));
            (!marks.is_empty()).then(|| Self {
                name,
                colour: colour(palette),
                marks,
            })
        };
        LANES.iter().filter_map(lane).collect()
    }
}

/// The rectangle of a lane, with its name and a figure to the left of it.
fn lane_rect(
    ui: &mut Ui,
    axis: &Axis,
    height: f32,
    names: f32,
    name: impl FnOnce(&mut Ui),
) -> Rect {
    let size = vec2(names + axis.rect.width(), height);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let left = Rect::from_min_size(rect.min, vec2(names - 8.0, height));
    let row = Layout::left_to_right(Align::Center);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(left).layout(row));
    inner.set_clip_rect(left.intersect(ui.clip_rect()));
    name(&mut inner);
    let lane = Rect::from_x_y_ranges(axis.rect.x_range(), rect.y_range());
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(lane, 3.0, lane_ground(palette));
    lane
}

fn number(ui: &mut Ui, text: String) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.label(RichText::new(text).small().weak());
    });
}

pub(super) fn presence_ui(
    ui: &mut Ui,
    lane: &Lane<'_>,
    axis: &Axis,
    names: f32,
    state: &EditorState,
    actions: &mut Actions,
) {
    let now = state.navigation.player.time(None);
    let count = lane.presence.present(now);
    let total = lane.presence.appear.len();
    let rect = lane_rect(ui, axis, lane.height, names, |ui| {
        let width = names - 48.0;
        ui.allocate_ui_with_layout(
            vec2(width, lane.height),
            Layout::left_to_right(Align::Center),
            |ui| {
                let text = RichText::new(&lane.name).small();
                let label = Label::new(text).truncate().sense(Sense::click());
                let response = ui.add(label);
                if let Some(entity) = lane.entity.filter(|_| response.clicked()) {
                    actions.select(Selection::one(entity));
                }
            },
        );
        number(ui, format!("{count}"));
    });
    if !ui.is_rect_visible(rect) {
        return;
    }
    let most = lane.presence.most().max(1) as f32;
    let mut mesh = egui::Mesh::default();
    let mut x = rect.left();
    while x < rect.right() {
        let present = lane.presence.present(axis.time(x + COLUMN * 0.5));
        if present > 0 {
            let high = (rect.height() - 3.0) * present as f32 / most;
            let right = (x + COLUMN).min(rect.right());
            let bar =
                Rect::from_x_y_ranges(x..=right, rect.bottom() - high.max(1.0)..=rect.bottom());
            mesh.add_colored_rect(bar, lane.colour.gamma_multiply(0.55));
        }
        x += COLUMN;
    }
    ui.painter().add(mesh);
    let hovered = ui
        .rect_contains_pointer(rect)
        .then(|| ui.input(|i| i.pointer.hover_pos()));
    if let Some(at) = hovered.flatten() {
        let time = axis.time(at.x);
        let (there, left) = (lane.presence.present(time), lane.presence.left(time));
        let id = ui.scope_id().with(("presence", &lane.name));
        ui.interact(rect, id, Sense::hover())
            .on_hover_text_at_pointer(format!(
                "{}: {there} under way, {left} of {total} arrived",
                clock(time)
            ));
    }
}

pub(super) fn events_ui(
    ui: &mut Ui,
    lane: &EventLane<'_>,
    axis: &Axis,
    names: f32,
    state: &EditorState,
    actions: &mut Actions,
) {
    let rect = lane_rect(ui, axis, EVENTS, names, |ui| {
        ui.label(RichText::new(lane.name).small());
        number(ui, format!("{}", lane.marks.len()));
    });
    if !ui.is_rect_visible(rect) {
        return;
    }
    let mut mesh = egui::Mesh::default();
    let mut last = f32::NEG_INFINITY;
    for mark in &lane.marks {
        let x = axis.x(mark.time).round();
        // Marks of one column are one mark.
        if x - last < COLUMN || !axis.sees(mark.time) {
            continue;
        }
        last = x;
        let line = Rect::from_center_size(pos2(x, rect.center().y), vec2(COLUMN, EVENTS - 6.0));
        mesh.add_colored_rect(line, lane.colour);
    }
    ui.painter().add(mesh);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let Some(at) = pointer.filter(|at| rect.contains(*at) && ui.rect_contains_pointer(rect)) else {
        return;
    };
    let near: Vec<&&Mark> = lane
        .marks
        .iter()
        .filter(|mark| (axis.x(mark.time) - at.x).abs() <= REACH)
        .collect();
    let Some(first) = near.first() else {
        return;
    };
    let level = state.document().level();
    let id = ui.scope_id().with(("events", lane.name));
    let response = ui.interact(rect, id, Sense::click());
    let mut text: Vec<String> = near
        .iter()
        .take(TOLD)
        .map(|mark| format!("{}  {}", clock(mark.time), sentence(level, mark)))
        .collect();
    if near.len() > TOLD {
        text.push(format!("… and {} more", near.len() - TOLD));
    }
    if response.clicked() {
        go_to(first, actions);
    }
    response
        .on_hover_cursor(egui::CursorIcon::PointingHand)
        .on_hover_text_at_pointer(text.join("\n"));
}

/// To the time and the place of an event.
pub fn go_to(mark: &Mark, actions: &mut Actions) {
    actions.push(Action::Play(Play::Seek(mark.time)));
    let at = mark.at.truncate();
    actions.push(Action::GoTo(Area::around(at, DVec2::splat(PLACE))));
    if let Some(agent) = mark.agent {
        actions.push(Action::Play(Play::Pick(Some(agent))));
    }
}

/// Who, and what happened.
#[must_use]
pub fn sentence(level: &Level, mark: &Mark) -> String {
    let who = mark.entity.map(|entity| level.label(entity));
    let who = match (who, mark.agent) {
        (Some(who), Some(agent)) => format!("{who} #{agent}"),
        (Some(who), None) => who,
        _ => String::new(),
    };
    if !mark.text.is_empty() {
        return match who.is_empty() {
            true => mark.text.clone(),
            false => format!("{who}: {}", mark.text),
        };
    }
    let what = match mark.kind {
        RunEventKind::Arrived => "arrived",
        RunEventKind::Stuck => "is stuck",
        RunEventKind::Freed => "gets on again",
        RunEventKind::Replanned => "was pushed off its path and planned anew",
        RunEventKind::Rerouted => "chose another route because of a jam",
        RunEventKind::Unreachable => "has no path to its goal",
        RunEventKind::Unplaced => "finds no place to appear",
        RunEventKind::Door => "a door was opened or shut",
        RunEventKind::Input => "something was changed",
    };
    format!("{who} {what}").trim().to_owned()
}
