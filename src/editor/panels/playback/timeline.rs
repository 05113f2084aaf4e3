//! The timeline of a run: an axis to seek and zoom on, who is there when, and what happens, lane by lane.

use super::clock;
use super::lanes::{self, EventLane, Lane};
use crate::editor::playback::Play;
use crate::editor::theme::Palette;
use crate::editor::{Action, Actions, EditorState};
use crate::sim::RunDigest;
use egui::{Align2, Color32, FontId, Rect, Response, ScrollArea, Sense, Stroke, Ui, pos2, vec2};

/// Of the names of lanes. Unit: points.
const NAMES: f32 = 118.0;
const AXIS: f32 = 20.0;
/// Least distance between two times on the axis. Unit: points.
const LABEL_GAP: f32 = 72.0;
/// The shortest part that can be looked at. Unit: seconds.
const CLOSEST: f64 = 0.5;

/// How the timeline is looked at.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// The part in sight; all of it, if none. Unit: seconds.
    part: Option<[f64; 2]>,
    /// Where a drag over a part to repeat began. Unit: seconds.
    span_from: Option<f64>,
}

/// From times to places on the screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Unit: seconds.
    pub from: f64,
    pub to: f64,
    pub rect: Rect,
}

impl Axis {
    pub fn x(&self, time: f64) -> f32 {
        let share = (time - self.from) / (self.to - self.from).max(1e-9);
        self.rect.left() + (share * f64::from(self.rect.width())) as f32
    }

    pub fn time(&self, x: f32) -> f64 {
        let share = f64::from((x - self.rect.left()) / self.rect.width().max(1.0));
        self.from + share * (self.to - self.from)
    }

    pub fn sees(&self, time: f64) -> bool {
        (self.from..=self.to).contains(&time)
    }
}

impl Timeline {
    /// Shows all of it again.
    pub fn reset(&mut self) {
        self.part = None;
    }

    /// `None` while nothing is known of the run yet.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &EditorState,
        digest: Option<&RunDigest>,
        actions: &mut Actions,
    ) {
        let player = &state.navigation.player;
        let duration = player.duration(None).max(1e-3);
        let room = ui.available_rect_before_wrap();
        let (rect, _) = ui.allocate_exact_size(vec2(room.width(), AXIS), Sense::hover());
        let rect = Rect::from_min_max(pos2(rect.left() + NAMES, rect.top()), rect.max);
        let [from, to] = self.part.unwrap_or([0.0, duration]);
        let axis = Axis { from, to, rect };
        let response = self.axis_ui(ui, &axis, duration, state, actions);
        if response.double_clicked() {
            self.reset();
        }
        let palette = Palette::of(ui.visuals());
        let mut lanes_bottom = rect.bottom();
        if let Some(digest) = digest {
            let scroll = ScrollArea::vertical()
                .auto_shrink(false)
                .id_salt("lanes")
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 2.0;
                    if let Some(lane) = Lane::of(digest, palette) {
                        lanes::presence_ui(ui, &lane, &axis, NAMES, state, actions);
                    }
                    for lane in EventLane::of(digest, palette) {
                        lanes::events_ui(ui, &lane, &axis, NAMES, state, actions);
                    }
                    for lane in Lane::by_entity(digest, state, palette) {
                        lanes::presence_ui(ui, &lane, &axis, NAMES, state, actions);
                    }
                });
            lanes_bottom = scroll.inner_rect.bottom();
        }
        self.seek_ui(ui, &axis, lanes_bottom, duration, actions);
        let now = player.time(None);
        if axis.sees(now) {
            let x = axis.x(now);
            let line = Stroke::new(1.5, palette.accent);
            ui.painter().vline(x, rect.top()..=lanes_bottom, line);
            let head = [
                pos2(x - 5.0, rect.top()),
                pos2(x + 5.0, rect.top()),
                pos2(x, rect.top() + 7.0),
            ];
            let head = egui::Shape::convex_polygon(head.to_vec(), palette.accent, Stroke::NONE);
            ui.painter().add(head);
        }
    }

    /// Times, the part that is repeated; the wheel zooms, a drag with Shift marks a part.
    fn axis_ui(
        &mut self,
        ui: &Ui,
        axis: &Axis,
        duration: f64,
        state: &EditorState,
        actions: &mut Actions,
    ) -> Response {
        let palette = Palette::of(ui.visuals());
        let id = ui.scope_id().with("time axis");
        let response = ui.interact(axis.rect, id, Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Time axis"));
        let painter = ui.painter();
        painter.rect_filled(axis.rect, 3.0, palette.sunken);
        if let Some([a, b]) = state.navigation.player.clock.span() {
            let band = Rect::from_x_y_ranges(axis.x(a)..=axis.x(b), axis.rect.y_range());
            let band = band.intersect(axis.rect);
            painter.rect_filled(band, 3.0, palette.accent_fill);
        }
        let font = FontId::proportional(10.5);
        let step = tick_step(axis);
        let mut tick = (axis.from / step).ceil();
        while tick * step <= axis.to {
            let x = axis.x(tick * step);
            let mark = Stroke::new(1.0, palette.line_strong);
            painter.vline(x, axis.rect.bottom() - 5.0..=axis.rect.bottom(), mark);
            let text = axis_text(tick * step, step);
            // A time that would be cut off at the end is left out.
            if x + 40.0 < axis.rect.right() {
                let at = pos2(x + 4.0, axis.rect.center().y);
                painter.text(
                    at,
                    Align2::LEFT_CENTER,
                    text,
                    font.clone(),
                    palette.text_weak,
                );
            }
            tick += 1.0;
        }
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        if let Some(at) = pointer {
            self.zoom(ui, axis, at.x, duration);
            let time = axis.time(at.x).clamp(0.0, duration);
            let shift = ui.input(|input| input.modifiers.shift);
            if response.drag_started() && shift {
                self.span_from = Some(time);
            }
            if let Some(from) = self.span_from {
                actions.push(Action::Play(Play::Span(Some([from, time]))));
            } else if response.dragged() || response.clicked() {
                actions.push(Action::Play(Play::Seek(time)));
            }
        }
        if response.drag_stopped() {
            self.span_from = None;
        }
        response.on_hover_text(
            "Click or drag to go to a time. The wheel zooms, Shift and drag marks a part to \
             repeat, a double click shows all.",
        )
    }

    fn zoom(&mut self, ui: &Ui, axis: &Axis, x: f32, duration: f64) {
        let (wheel, aside) = ui.input(|input| {
            let delta = input.smooth_scroll_delta();
            (delta.y, delta.x)
        });
        if wheel == 0.0 && aside == 0.0 {
            return;
        }
        let at = axis.time(x);
        let factor = f64::from(-wheel / 200.0).exp();
        let length = ((axis.to - axis.from) * factor).clamp(CLOSEST.min(duration), duration);
        let share = (at - axis.from) / (axis.to - axis.from).max(1e-9);
        let slide = f64::from(aside / axis.rect.width().max(1.0)) * length;
        let from = (at - share * length - slide).clamp(0.0, (duration - length).max(0.0));
        self.part = (length < duration).then_some([from, from + length]);
    }

    /// A drag over lanes goes through time as well.
    fn seek_ui(&self, ui: &Ui, axis: &Axis, bottom: f32, duration: f64, actions: &mut Actions) {
        let pressed = ui.input(|input| {
            let pointer = &input.pointer;
            pointer
                .primary_down()
                .then(|| pointer.press_origin().zip(pointer.interact_pos()))
        });
        let lanes = Rect::from_x_y_ranges(axis.rect.x_range(), axis.rect.bottom()..=bottom);
        if let Some((origin, here)) = pressed.flatten()
            && lanes.contains(origin)
            && ui.ctx().layer_id_at(origin) == Some(ui.layer_id())
            && (here.x - origin.x).abs() > 3.0
        {
            let time = axis.time(here.x).clamp(0.0, duration);
            actions.push(Action::Play(Play::Seek(time)));
        }
    }
}

/// Seconds between two times on the axis: round ones, with room between them.
fn tick_step(axis: &Axis) -> f64 {
    const STEPS: [f64; 15] = [
        0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0,
    ];
    let per_point = (axis.to - axis.from) / f64::from(axis.rect.width().max(1.0));
    let least = per_point * f64::from(LABEL_GAP);
    STEPS
        .into_iter()
        .find(|step| *step >= least)
        .unwrap_or(least)
}

fn axis_text(time: f64, step: f64) -> String {
    let text = clock(time);
    if step >= 1.0 {
        text.split('.').next().unwrap_or(&text).to_owned()
    } else {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// Behind a lane.
pub(super) fn lane_ground(palette: &Palette) -> Color32 {
    palette.sunken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_the_axis_lead_back_to_their_times() {
        let rect = Rect::from_min_size(pos2(100.0, 0.0), vec2(500.0, 20.0));
        let axis = Axis {
            from: 10.0,
            to: 60.0,
            rect,
        };
        for time in [10.0, 33.3, 60.0] {
            assert!((axis.time(axis.x(time)) - time).abs() < 1e-4);
        }
        assert!(axis.sees(10.0) && !axis.sees(9.9));
        assert_eq!(tick_step(&axis), 10.0);
        assert_eq!(axis_text(70.0, 10.0), "1:10");
        assert_eq!(axis_text(0.5, 0.1), "0:00.5");
    }
}
