//! What the pointer does over the 3D view: looks around, selects, or works with handles and tools.

use super::plan_view::finished;
use super::play_button::play_button_ui;
use super::profile_legend;
use super::space_bar::space_bar_ui;
use super::space_gizmo;
use super::space_labels;
use super::space_painter::SpacePainter;
use super::space_tool;
use super::view_cube::view_cube_ui;
use super::{voxel_space, wheel};
use crate::document::Selection;
use crate::editor::docking::Pane;
use crate::editor::menu_bar::context_menu_ui;
use crate::editor::player::Source;
use crate::editor::space::SpaceGesture;
use crate::editor::state::{EditorState, ViewKind};
use crate::editor::voxel_view::Place;
use crate::editor::{Actions, Notice, theme};
use crate::geometry::{Ray, Rect as Area};
use crate::interaction::picking::Marquee;
use crate::interaction::space::selecting::{target, targets, within};
use crate::interaction::space::{Gizmo, GizmoMode, Handle, SpaceDrag, SpacePicker};
use crate::interaction::tools::selecting::clicked;
use crate::interaction::{Modifiers, Scene, ToolKind};
use crate::preview::Look;
use crate::preview::space::SpaceScene;
use egui::accesskit::Role;
use egui::{CursorIcon, Key, PointerButton, Pos2, Rect, Response, Sense, Ui, WidgetInfo};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Flying for a second covers this share of the distance to the view's target.
const FLIGHT_SHARE: f64 = 0.9;
/// The slowest flight. Unit: m/s.
const SLOWEST_FLIGHT: f64 = 1.5;
/// With Shift, so many times as fast.
const FAST: f64 = 4.0;

/// Draws the level in space and lets the pointer work in it.
pub fn space_view_ui(
    ui: &mut Ui,
    state: &mut EditorState,
    painter: &mut SpacePainter,
    actions: &mut Actions,
) {
    let palette = theme::Palette::of(ui.visuals());
    egui::Panel::top("3D view bar")
        .frame(
            egui::Frame::new()
                .fill(palette.surface)
                .inner_margin(egui::Margin::symmetric(8, 0)),
        )
        .exact_size(theme::TOOL_OPTIONS_HEIGHT)
        .show(ui, |ui| {
            ui.horizontal_centered(|ui| space_bar_ui(ui, state, actions));
        });
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "3D view"));
    state.space.focus_id = Some(response.id);
    state.space.resize(size(rect));
    let look = if ui.visuals().dark_mode {
        Look::Dark
    } else {
        Look::Light
    };
    let before = state.document().revision();
    if state.space.fly_on(ui.input(|input| input.time)) {
        ui.ctx().request_repaint();
    }
    state.toolbox.synchronise(&state.level);
    let mut menu = None;
    let mut gizmo = None;
    if let Some(scene) = state.space.scene().cloned() {
        let mut input = SpaceInput {
            ui,
            state,
            scene,
            rect,
            response: &response,
        };
        input.look_around();
        input.work();
        menu = input.context_menu();
        gizmo = input.gizmo();
        input.set_cursor(gizmo.as_ref());
    }
    if response.contains_pointer() {
        state.active_view = ViewKind::Space;
        let place = state.space.pointer.map(Place::Space);
        state.point_at_cell(place, response.clicked_by(PointerButton::Primary));
    }
    for message in state.toolbox.take_messages() {
        state.notify(Notice::warning(finished(message)));
    }
    if state.document().revision() != before {
        // Panels, and perhaps the plan, were drawn before the change.
        ui.ctx().request_repaint();
    }
    let level = Arc::clone(state.document().level());
    state.space.show(&level, look);
    let Some(scene) = state.space.scene().cloned() else {
        ui.painter_at(rect).rect_filled(rect, 0.0, palette.gutter);
        ui.painter_at(rect).text(
            rect.center(),
            egui::Align2::CENTER_CENTER,
            "Making the 3D view…",
            egui::TextStyle::Body.resolve(ui.style()),
            palette.text_weak,
        );
        return;
    };
    let frame = painter.paint(ui, rect, state, &scene);
    state.space.is_soft = painter.is_soft();
    if let Some(sentence) = painter.take_notice() {
        state.notify(Notice::warning(sentence));
    }
    let over = ui.painter_at(rect);
    if state.view.show.labels {
        space_labels::paint(&over, rect, &frame, &state.space);
    }
    let (selection, look) = (state.document().selection(), scene.look.palette());
    let deeds = profile_legend::actions(&state.navigation, &level, selection, look);
    profile_legend::paint(&over, rect.shrink(10.0), &deeds, look);
    voxel_space::paint_answers(&over, rect, state, look);
    space_tool::paint(&over, rect, state, scene.look.palette());
    if let Some(gizmo) = &gizmo {
        space_gizmo::paint(&over, rect, gizmo, &state.space, response.hover_pos());
    }
    if let SpaceGesture::Marquee { from, to } = &state.space.gesture {
        space_tool::paint_marquee(&over, rect, [*from, *to], scene.look.palette());
    }
    view_cube_ui(ui, rect, state);
    if !state.open_panes.contains(&Pane::PLAN) {
        play_button_ui(ui, rect, state, actions);
    }
    if let Some(open) = menu {
        egui::Popup::context_menu(&response)
            .open_memory(open)
            .show(|ui| context_menu_ui(ui, state, actions));
    }
}

fn size(rect: Rect) -> DVec2 {
    DVec2::new(f64::from(rect.width()), f64::from(rect.height()))
}

/// Points from the view's upper left corner.
fn local(rect: Rect, at: Pos2) -> DVec2 {
    let offset = at - rect.min;
    DVec2::new(f64::from(offset.x), f64::from(offset.y))
}

struct SpaceInput<'a> {
    ui: &'a Ui,
    state: &'a mut EditorState,
    scene: Arc<SpaceScene>,
    rect: Rect,
    response: &'a Response,
}

impl SpaceInput<'_> {
    fn ray(&self, at: DVec2) -> Ray {
        let space = &self.state.space;
        space.camera.ray(at, space.viewport)
    }

    fn picker(&self) -> SpacePicker<'_> {
        SpacePicker {
            scene: &self.scene,
            section: self.state.space.section,
        }
    }

    fn modifiers(&self) -> Modifiers {
        let modifiers = self.ui.input(|input| input.modifiers);
        Modifiers {
            shift: modifiers.shift,
            ctrl: modifiers.command || modifiers.ctrl,
            alt: modifiers.alt,
        }
    }

    /// Where a ray meets the level; else the plane through what one looks at.
    fn met(&self, ray: &Ray) -> Option<DVec3> {
        if let Some(hit) = self.picker().first(ray) {
            return Some(hit.at);
        }
        let camera = &self.state.space.camera;
        let t = ray.meets_plane(camera.target, camera.backwards())?;
        Some(ray.at(t))
    }

    /// The space bar held down turns every drag into one that looks around.
    fn hand_is_out(&self) -> bool {
        !self.ui.ctx().text_edit_focused()
            && !self.state.space.is_dragging()
            && !self.state.toolbox.is_dragging()
            && self.ui.input(|input| input.key_down(Key::Space))
    }

    fn look_around(&mut self) {
        let response = self.response;
        let moved = response.drag_delta();
        let moved = DVec2::new(f64::from(moved.x), f64::from(moved.y));
        let shift = self.modifiers().shift;
        let viewport = self.state.space.viewport;
        let flying = response.dragged_by(PointerButton::Secondary);
        if response.drag_started_by(PointerButton::Primary) && self.hand_is_out() {
            self.state.cancel_drag();
            self.state.space.gesture = SpaceGesture::Look;
            self.state.navigation.player.disarm();
        }
        let looking = response.dragged_by(PointerButton::Middle)
            || matches!(self.state.space.gesture, SpaceGesture::Look);
        let space = &mut self.state.space;
        space.is_flying = flying;
        if looking {
            space.hold();
            if shift {
                space.camera.pan(moved, viewport);
            } else {
                space.camera.orbit(moved, viewport);
            }
        } else if flying {
            space.hold();
            space.camera.look(moved, viewport);
            self.fly(shift);
        }
        let Some(at) = response.hover_pos() else {
            return;
        };
        let factor = wheel::zoom_factor(self.ui, &self.state.preferences);
        if factor != 1.0 {
            let anchor = self.met(&self.ray(local(self.rect, at)));
            let space = &mut self.state.space;
            space.hold();
            let anchor = anchor.unwrap_or(space.camera.target);
            space.camera.dolly(factor, anchor);
        }
    }

    /// W, A, S and D forwards and aside, Q and E down and up.
    fn fly(&mut self, fast: bool) {
        let (by, seconds) = self.ui.input(|input| {
            let pull = |plus: Key, minus: Key| {
                f64::from(u8::from(input.key_down(plus)))
                    - f64::from(u8::from(input.key_down(minus)))
            };
            let by = DVec3::new(
                pull(Key::D, Key::A),
                pull(Key::E, Key::Q),
                pull(Key::W, Key::S),
            );
            (by, f64::from(input.stable_dt).min(0.1))
        });
        if by == DVec3::ZERO {
            return;
        }
        let camera = &mut self.state.space.camera;
        let pace = (camera.distance * FLIGHT_SHARE).max(SLOWEST_FLIGHT);
        let pace = if fast { pace * FAST } else { pace };
        camera.fly(by.normalize_or_zero() * pace * seconds);
        // Only while a key is down: an idle view paints nothing.
        self.ui.ctx().request_repaint();
    }

    fn work(&mut self) {
        let response = self.response;
        if response.clicked_by(PointerButton::Primary)
            || response.drag_started()
            || response.secondary_clicked()
        {
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
        let here = response.hover_pos().or(response.interact_pointer_pos());
        let Some(here) = here else {
            if self.state.space.pointer.take().is_some() {
                self.state.view.hovered = None;
                space_tool::leave(self.state);
            }
            return;
        };
        let here = local(self.rect, here);
        let ray = self.ray(here);
        self.state.space.pointer = self.picker().first(&ray).map(|hit| hit.at);
        let lost = self.ui.input(|input| {
            let gone = |event: &egui::Event| matches!(event, egui::Event::WindowFocused(false));
            input.events.iter().any(gone)
        });
        if lost {
            self.state.cancel_drag();
        }
        if matches!(self.state.space.gesture, SpaceGesture::Look) {
            if response.drag_stopped_by(PointerButton::Primary) {
                self.state.space.gesture = SpaceGesture::None;
            }
        } else if space_tool::draws(self.state.toolbox.current()) {
            self.draw_with_tool();
        } else {
            self.select_and_move(here, &ray);
        }
    }

    fn select_and_move(&mut self, here: DVec2, ray: &Ray) {
        let response = self.response;
        let primary = PointerButton::Primary;
        if response.drag_started_by(primary) {
            let pressed = self.ui.input(|input| input.pointer.press_origin());
            let from = pressed.map_or(here, |at| local(self.rect, at));
            self.begin(from);
        }
        if response.drag_stopped_by(primary) {
            self.drag_to(here, ray);
            self.end();
        } else if response.dragged_by(primary) {
            self.drag_to(here, ray);
        } else if response.clicked_by(primary) {
            self.click(ray);
        } else if response.hover_pos().is_some() && !response.dragged() {
            let grips = self
                .gizmo()
                .and_then(|gizmo| self.grip(&gizmo, here))
                .is_some();
            let under = if grips {
                None
            } else {
                self.targets(ray).first().copied()
            };
            self.state.view.hovered = under;
        }
    }

    fn targets(&self, ray: &Ray) -> Vec<crate::base::EntityId> {
        let space = &self.state.space;
        let plan = self.state.toolbox.picker();
        targets(&self.picker(), plan, &space.camera, space.viewport, ray)
    }

    fn click(&mut self, ray: &Ray) {
        let player = &mut self.state.navigation.player;
        if player.source == Source::Simulation && player.is_shown() {
            let found = player.nearest_to_ray(ray);
            player.picked = found.map(|(index, _)| index);
            if let Some((_, entity)) = found {
                self.state.level.select(Selection::one(entity));
                return;
            }
        }
        let found = self.targets(ray);
        let modifiers = self.modifiers();
        let document = self.state.document();
        let selected = found
            .iter()
            .copied()
            .find(|id| document.selection().contains(*id));
        let id = target(&found, selected.filter(|_| modifiers.alt));
        let selection = clicked(&self.tool_scene(), id, modifiers);
        self.state.level.select(selection);
    }

    fn tool_scene(&self) -> Scene<'_> {
        Scene {
            document: self.state.document(),
            view: self.state.view.for_tools(),
            picker: self.state.toolbox.picker(),
            defaults: &self.state.toolbox.defaults,
        }
    }

    /// The handles of what is selected, by the tool in hand.
    fn gizmo(&self) -> Option<Gizmo> {
        let mode = GizmoMode::of(self.state.toolbox.current())?;
        self.gizmo_of(mode)
    }

    fn gizmo_of(&self, mode: GizmoMode) -> Option<Gizmo> {
        let document = self.state.document();
        let space = &self.state.space;
        Gizmo::of(
            &self.scene,
            document.level(),
            document.selection(),
            mode,
            &space.camera,
            space.viewport,
        )
    }

    fn grip(&self, gizmo: &Gizmo, at: DVec2) -> Option<Handle> {
        let space = &self.state.space;
        gizmo.grip(at, &space.camera, space.viewport)
    }

    /// A press that became a drag: on a handle, on a thing, or on nothing.
    fn begin(&mut self, from: DVec2) {
        self.state.cancel_drag();
        let ray = self.ray(from);
        if let Some(gizmo) = self.gizmo()
            && let Some(handle) = self.grip(&gizmo, from)
        {
            let pivot = gizmo.pivot;
            let drag = SpaceDrag::begin(&mut self.state.level, gizmo, handle, pivot, ray);
            self.state.space.gesture = SpaceGesture::Drag(Box::new(drag));
            return;
        }
        let can_move = matches!(
            self.state.toolbox.current(),
            ToolKind::Select | ToolKind::Move
        );
        let found = self.targets(&ray);
        let selection = self.state.document().selection();
        let grabbed = found
            .iter()
            .copied()
            .find(|id| selection.contains(*id))
            .or(found.first().copied())
            .filter(|id| self.scene.bodies_of(*id).next().is_some() || self.is_agent(*id));
        if let Some(id) = grabbed.filter(|_| can_move) {
            if !selection.contains(id) {
                let selection = clicked(&self.tool_scene(), Some(id), Modifiers::default());
                self.state.level.select(selection);
            }
            let at = self.picker().all(&ray);
            let at = at.iter().find(|hit| hit.id == Some(id)).map(|hit| hit.at);
            if let (Some(gizmo), Some(at)) = (self.gizmo_of(GizmoMode::Move), at) {
                let drag = SpaceDrag::begin(&mut self.state.level, gizmo, Handle::Body, at, ray);
                self.state.space.gesture = SpaceGesture::Drag(Box::new(drag));
                return;
            }
        }
        self.state.space.gesture = SpaceGesture::Marquee { from, to: from };
    }

    fn is_agent(&self, id: crate::base::EntityId) -> bool {
        self.scene.level.kind_of(id) == Some(crate::document::KindName::Agent)
    }

    fn drag_to(&mut self, here: DVec2, ray: &Ray) {
        let modifiers = self.modifiers();
        let snap = self.state.toolbox.defaults.snap;
        let EditorState { space, level, .. } = &mut *self.state;
        match &mut space.gesture {
            SpaceGesture::Drag(drag) => {
                // What the document refuses is not shown; the last good state stays.
                let _ = drag.update(level, ray, modifiers, snap);
            }
            SpaceGesture::Marquee { to, .. } => *to = here,
            SpaceGesture::None | SpaceGesture::Look | SpaceGesture::Over => {}
        }
    }

    fn end(&mut self) {
        match std::mem::take(&mut self.state.space.gesture) {
            SpaceGesture::Drag(drag) => {
                if let Err(refused) = drag.finish(&mut self.state.level) {
                    self.state.notify(Notice::warning(finished(refused.0)));
                }
            }
            SpaceGesture::Marquee { from, to } => self.select_within(from, to),
            SpaceGesture::None | SpaceGesture::Look | SpaceGesture::Over => {}
        }
    }

    fn select_within(&mut self, from: DVec2, to: DVec2) {
        // To the right: what is wholly inside. To the left: what is touched.
        let marquee = if to.x >= from.x {
            Marquee::Inside
        } else {
            Marquee::Touching
        };
        let space = &self.state.space;
        let found = within(
            &self.picker(),
            self.state.toolbox.picker(),
            &space.camera,
            space.viewport,
            Area::spanning(from, to),
            marquee,
        );
        let modifiers = self.modifiers();
        let mut selection = if modifiers.shift || modifiers.ctrl {
            self.state.document().selection().clone()
        } else {
            Selection::default()
        };
        for id in found {
            selection.insert(id);
        }
        self.state.level.select(selection);
    }

    fn draw_with_tool(&mut self) {
        let modifiers = self.modifiers();
        let pressed = self.ui.input(|input| input.pointer.press_origin());
        space_tool::work(
            self.state,
            self.response,
            |at| local(self.rect, at),
            pressed,
            modifiers,
        );
    }

    /// What to do with the context menu: opened by a right click, closed by any other press.
    fn context_menu(&mut self) -> Option<Option<egui::SetOpenCommand>> {
        let response = self.response;
        if response.secondary_clicked()
            && let Some(at) = response.interact_pointer_pos()
        {
            let at = local(self.rect, at);
            if space_tool::draws(self.state.toolbox.current())
                && space_tool::secondary_click(self.state, at, self.modifiers())
            {
                return None;
            }
            let id = self.targets(&self.ray(at)).first().copied();
            let selection = self.state.document().selection();
            if !id.is_some_and(|id| selection.contains(id)) {
                let selection = id.map_or_else(Selection::default, Selection::one);
                self.state.level.select(selection);
            }
            return Some(Some(egui::SetOpenCommand::Bool(true)));
        }
        let close = response.clicked_by(PointerButton::Primary) || response.drag_started();
        Some(close.then_some(egui::SetOpenCommand::Bool(false)))
    }

    fn set_cursor(&self, gizmo: Option<&Gizmo>) {
        let response = self.response;
        if !response.contains_pointer() && !response.dragged() {
            return;
        }
        let looks = matches!(self.state.space.gesture, SpaceGesture::Look);
        let icon = if looks || response.dragged_by(PointerButton::Middle) {
            if self.modifiers().shift {
                CursorIcon::Grabbing
            } else {
                CursorIcon::AllScroll
            }
        } else if response.dragged_by(PointerButton::Secondary)
            || space_tool::draws(self.state.toolbox.current())
        {
            CursorIcon::Crosshair
        } else {
            let at = response.hover_pos().map(|at| local(self.rect, at));
            let handle = gizmo.zip(at).and_then(|(gizmo, at)| self.grip(gizmo, at));
            match (&self.state.space.gesture, handle) {
                (SpaceGesture::Drag(_), _) => CursorIcon::Grabbing,
                (_, Some(_)) => CursorIcon::Grab,
                _ if self.state.view.hovered.is_some() => CursorIcon::PointingHand,
                _ => CursorIcon::Default,
            }
        };
        self.ui.ctx().set_cursor_icon(icon);
    }
}
