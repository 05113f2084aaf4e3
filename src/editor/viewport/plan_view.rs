//! What the pointer does over the plan: looks around, or works with the tool in hand.

use super::wheel;
use crate::document::Selection;
use crate::editor::menu_bar::context_menu_ui;
use crate::editor::playback::Play;
use crate::editor::player::Source;
use crate::editor::state::{EditorState, ViewKind};
use crate::editor::viewport::PlanPainter;
use crate::editor::viewport::path_tip::path_tip_ui;
use crate::editor::viewport::play_button::play_button_ui;
use crate::editor::voxel_view::Place;
use crate::editor::{Action, Actions, Notice};
use crate::interaction::ToolKind;
use crate::interaction::picking::Depth;
use crate::interaction::{Cursor, Event, Handled, Modifiers, Pointer};
use egui::accesskit::Role;
use egui::{CursorIcon, Key, PointerButton, Pos2, Rect, Response, Sense, Ui, WidgetInfo};
use glam::DVec2;

/// Draws the plan and lets the pointer work in it.
pub fn plan_view_ui(
    ui: &mut Ui,
    state: &mut EditorState,
    painter: &mut PlanPainter,
    actions: &mut Actions,
) {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Plan view"));
    state.view.focus_id = Some(response.id);
    let size = DVec2::new(f64::from(rect.width()), f64::from(rect.height()));
    state.view.resize(size);
    let before = state.document().revision();
    let mut plan = PlanInput {
        ui,
        state,
        rect,
        response: &response,
    };
    plan.look_around();
    plan.work();
    let menu = plan.context_menu();
    state.view.pointer = response
        .hover_pos()
        .or_else(|| response.interact_pointer_pos())
        .map(|at| world(state, rect, at));
    if response.contains_pointer() {
        state.active_view = ViewKind::Plan;
        let place = state.view.pointer.map(Place::Plan);
        state.point_at_cell(place, response.clicked_by(PointerButton::Primary));
    }
    for sentence in state.toolbox.take_news() {
        state.notify(Notice::info(finished(sentence)));
    }
    for message in state.toolbox.take_messages() {
        state.notify(Notice::warning(finished(message)));
    }
    if let Some(id) = state.toolbox.take_to_write() {
        actions.push(Action::Write(id));
    }
    if state.document().revision() != before {
        // Panels were drawn before the change.
        ui.ctx().request_repaint();
    }
    pick_walker(&response, state, actions);
    painter.paint(ui, rect, state);
    state.view.is_soft = painter.is_soft();
    if let Some(sentence) = painter.take_notice() {
        state.notify(Notice::warning(sentence));
    }
    path_tip_ui(&response, state);
    play_button_ui(ui, rect, state, actions);
    if let Some(open) = menu {
        egui::Popup::context_menu(&response)
            .open_memory(open)
            .show(|ui| context_menu_ui(ui, state, actions));
    }
}

/// How near the pointer must be to someone under way. Unit: points.
const WALKER_REACH: f64 = 9.0;

/// A click on someone of a run looks at that one; its agent or crowd is selected.
fn pick_walker(response: &Response, state: &EditorState, actions: &mut Actions) {
    let player = &state.navigation.player;
    let is_meant = response.clicked_by(PointerButton::Primary)
        && state.toolbox.current() == ToolKind::Select
        && player.source == Source::Simulation
        && player.is_shown();
    let Some(at) = state.view.pointer.filter(|_| is_meant) else {
        return;
    };
    let reach = state.view.camera.metres(WALKER_REACH).max(0.3);
    let found = player.nearest(at, reach);
    if found.is_some() || player.picked.is_some() {
        actions.push(Action::Play(Play::Pick(found.map(|(index, _)| index))));
    }
    if let Some((_, entity)) = found {
        actions.select(Selection::one(entity));
    }
}

struct PlanInput<'a> {
    ui: &'a Ui,
    state: &'a mut EditorState,
    rect: Rect,
    response: &'a Response,
}

fn world(state: &EditorState, rect: Rect, at: Pos2) -> DVec2 {
    let view = &state.view;
    view.camera
        .world_from_screen(local(rect, at), view.viewport)
}

/// Points from the view's upper left corner.
fn local(rect: Rect, at: Pos2) -> DVec2 {
    let offset = at - rect.min;
    DVec2::new(f64::from(offset.x), f64::from(offset.y))
}

impl PlanInput<'_> {
    /// Space held down turns every drag into a move of the view.
    fn hand_is_out(&self) -> bool {
        !self.ui.ctx().text_edit_focused()
            && !self.state.toolbox.is_dragging()
            && self.ui.input(|input| input.key_down(Key::Space))
    }

    fn look_around(&mut self) {
        let response = self.response;
        let view = &mut self.state.view;
        let hand = response.dragged_by(PointerButton::Middle)
            || response.dragged_by(PointerButton::Primary) && self.state.panning;
        if hand {
            let moved = response.drag_delta();
            view.camera
                .pan(DVec2::new(f64::from(moved.x), f64::from(moved.y)));
            self.ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        }
        let Some(at) = response.hover_pos() else {
            return;
        };
        let factor = wheel::zoom_factor(self.ui, &self.state.preferences);
        if factor != 1.0 {
            let anchor = local(self.rect, at);
            view.camera.zoom(factor, anchor, view.viewport);
        }
    }

    fn work(&mut self) {
        let response = self.response;
        let primary = PointerButton::Primary;
        if response.drag_started_by(primary) {
            self.state.panning = self.hand_is_out();
            if self.state.panning {
                self.state.navigation.player.disarm();
            }
        }
        if response.clicked_by(primary) || response.drag_started() || response.secondary_clicked() {
            response.request_focus();
        }
        if response.has_focus() {
            // Arrows nudge and Tab is the tool's: neither leaves the view.
            self.ui.memory_mut(|memory| {
                memory.set_focus_lock_filter(
                    response.id,
                    egui::EventFilter {
                        tab: false,
                        horizontal_arrows: true,
                        vertical_arrows: true,
                        escape: true,
                    },
                );
            });
        }
        if !self.state.panning {
            self.use_tool();
        }
        if response.drag_stopped_by(primary) {
            self.state.panning = false;
        }
        self.set_cursor();
    }

    fn use_tool(&mut self) {
        let response = self.response;
        let primary = PointerButton::Primary;
        if response.drag_started_by(primary) || response.clicked_by(primary) {
            // Heights that were pointed at belong to the 3D view.
            self.state.toolbox.pointed.clear();
        }
        if response.drag_started_by(primary) {
            let origin = self.ui.input(|input| input.pointer.press_origin());
            if let Some(origin) = origin.or_else(|| response.interact_pointer_pos()) {
                self.send(Event::DragStart(self.pointer(origin)));
            }
        }
        let here = response.interact_pointer_pos();
        if response.drag_stopped_by(primary) {
            if let Some(at) = here.or_else(|| self.ui.input(|input| input.pointer.latest_pos())) {
                self.send(Event::DragEnd(self.pointer(at)));
            }
        } else if response.dragged_by(primary) {
            if let Some(at) = here {
                self.send(Event::DragMove(self.pointer(at)));
            }
        } else if response.double_clicked_by(primary) {
            if let Some(at) = here {
                self.send(Event::DoubleClick(self.pointer(at)));
            }
        // By the pointer alone: Enter and Space press a focused control, which this is not.
        } else if response.clicked_by(primary) {
            if let Some(at) = here {
                self.send(Event::Click(self.pointer(at)));
            }
        } else if let Some(at) = response.hover_pos() {
            self.send(Event::Hover(self.pointer(at)));
            self.state.view.hovered = self.state.toolbox.hovered();
        } else if self.state.view.pointer.is_some() {
            self.send(Event::Leave);
            self.state.view.hovered = None;
        }
        if self.ui.input(|input| {
            input
                .events
                .iter()
                .any(|event| matches!(event, egui::Event::WindowFocused(false)))
        }) {
            self.send(Event::FocusLost);
        }
    }

    fn send(&mut self, event: Event) -> Handled {
        self.state.send_to_tool(event)
    }

    fn pointer(&self, at: Pos2) -> Pointer {
        let modifiers = self.ui.input(|input| input.modifiers);
        Pointer {
            world: world(self.state, self.rect, at),
            screen: local(self.rect, at),
            modifiers: Modifiers {
                shift: modifiers.shift,
                ctrl: modifiers.command || modifiers.ctrl,
                alt: modifiers.alt,
            },
        }
    }

    /// What to do with the context menu: opened by a right click that the tool has no use for.
    fn context_menu(&mut self) -> Option<Option<egui::SetOpenCommand>> {
        let response = self.response;
        if response.secondary_clicked()
            && let Some(at) = response.interact_pointer_pos()
        {
            let pointer = self.pointer(at);
            if self.send(Event::SecondaryClick(pointer)) == Handled::Yes {
                return None;
            }
            self.select_under(pointer.world);
            return Some(Some(egui::SetOpenCommand::Bool(true)));
        }
        let close = response.clicked_by(PointerButton::Primary) || response.drag_started();
        Some(close.then_some(egui::SetOpenCommand::Bool(false)))
    }

    /// A menu is about what was clicked: select that, unless it is selected already.
    fn select_under(&mut self, at: DVec2) {
        let view = self.state.view.for_tools();
        let hit = self.state.toolbox.picker().pick(at, &view, Depth::Topmost);
        let selection = self.state.document().selection();
        match hit {
            Some(hit) if selection.contains(hit.id) => {}
            Some(hit) => self.state.level.select(Selection::one(hit.id)),
            None => self.state.level.select(Selection::default()),
        }
    }

    fn set_cursor(&self) {
        if !self.response.contains_pointer() && !self.response.dragged() {
            return;
        }
        let icon = if self.state.panning {
            CursorIcon::Grabbing
        } else if self.hand_is_out() {
            CursorIcon::Grab
        } else {
            let view = self.state.view.for_tools();
            match self.state.toolbox.cursor(&self.state.level, &view) {
                Cursor::Arrow => CursorIcon::Default,
                Cursor::Crosshair => CursorIcon::Crosshair,
                Cursor::Pointing => CursorIcon::PointingHand,
                Cursor::Move => CursorIcon::Move,
                Cursor::Rotate => CursorIcon::Alias,
                Cursor::ResizeHorizontal => CursorIcon::ResizeHorizontal,
                Cursor::ResizeVertical => CursorIcon::ResizeVertical,
                Cursor::ResizeRising => CursorIcon::ResizeNeSw,
                Cursor::ResizeFalling => CursorIcon::ResizeNwSe,
                Cursor::Hidden => CursorIcon::None,
                Cursor::NotAllowed => CursorIcon::NotAllowed,
            }
        };
        self.ui.ctx().set_cursor_icon(icon);
    }
}

/// Tools end their sentences as they like; notices end with a full stop.
pub(super) fn finished(mut sentence: String) -> String {
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}
