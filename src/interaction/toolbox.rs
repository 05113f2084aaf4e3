//! The current tool: dispatches events, runs drags, and handles Esc in stages.

use super::{
    context::{Scene, ToolContext},
    defaults::ToolDefaults,
    hints::Hints,
    host::Host,
    input::{Event, Key, Pointer},
    kind::ToolKind,
    overlay::Overlay,
    picking::Picker,
    tool::{Cursor, Gesture, Handled, Tool},
    tools::route_reach::{Reach, ReachDrag, RouteReach},
    view::View,
};
use crate::base::EntityId;
use crate::document::Selection;
use glam::DVec3;

/// A drag that its tool does not handle counts as a click if it ends this close to its start. Unit:
/// points.
const SHAKY_CLICK: f64 = 8.0;

#[derive(Debug)]
pub struct Toolbox {
    tool: Box<dyn Tool>,
    drag: Drag,
    picker: Picker,
    /// The handle of the selected route under the pointer.
    hot_reach: Option<Reach>,
    messages: Vec<String>,
    news: Vec<String>,
    pub defaults: ToolDefaults,
    /// Where a press and the pointer since then met something in space; empty in the plan view.
    pub pointed: Vec<DVec3>,
}

#[derive(Debug)]
enum Drag {
    None,
    Gesture(Box<dyn Gesture>),
    /// The button is down but no drag started; may still become a click.
    Unused {
        pressed: Pointer,
    },
    /// Cancelled or committed by a key; the rest of the drag is ignored.
    Over,
}

impl Default for Toolbox {
    fn default() -> Self {
        Self {
            tool: ToolKind::default().construct(),
            drag: Drag::None,
            picker: Picker::default(),
            hot_reach: None,
            messages: Vec::new(),
            news: Vec::new(),
            defaults: ToolDefaults::default(),
            pointed: Vec::new(),
        }
    }
}

impl Toolbox {
    #[must_use]
    pub fn current(&self) -> ToolKind {
        self.tool.kind()
    }

    #[must_use]
    pub fn is_dragging(&self) -> bool {
        matches!(self.drag, Drag::Gesture(_))
    }

    /// Success messages since the last call.
    pub fn take_news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }

    /// Failure messages since the last call.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// An entity just created whose text should receive the keyboard.
    pub fn take_to_write(&mut self) -> Option<EntityId> {
        self.tool.take_to_write()
    }

    /// The spatial index; updated by every event.
    #[must_use]
    pub fn picker(&self) -> &Picker {
        &self.picker
    }

    /// The entity to highlight under the pointer.
    #[must_use]
    pub fn hovered(&self) -> Option<EntityId> {
        if self.is_dragging() || self.hot_reach.is_some() {
            None
        } else {
            self.tool.hovered()
        }
    }

    /// Switches tools and cancels what the old one was doing.
    pub fn switch(&mut self, host: &mut dyn Host, view: &View, kind: ToolKind) {
        if kind == self.current() {
            return;
        }
        if !self.tool.is_idle() {
            self.news.push(format!(
                "{}: unfinished drawing discarded.",
                self.current().name()
            ));
        }
        self.cancel_all(host, view);
        self.hot_reach = None;
        self.tool = kind.construct();
    }

    /// Cancels the drag and the sketch in progress; keeps the tool.
    pub fn cancel_all(&mut self, host: &mut dyn Host, view: &View) {
        self.cancel_drag(host, view);
        let (tool, mut ctx) = self.tool_and_context(host, view);
        while tool.cancel(&mut ctx) == Handled::Yes {}
    }

    /// Passes an event to the drag in progress or the tool. Unhandled events are available to the
    /// editor: a secondary click opens a context menu, a key may be a command.
    pub fn handle(&mut self, host: &mut dyn Host, view: &View, event: Event) -> Handled {
        self.synchronise(host);
        if matches!(event, Event::Escape | Event::Key(..)) && !self.is_dragging() {
            self.hot_reach = None;
        }
        let handled = self.pass_on(host, view, event);
        self.synchronise(host);
        handled
    }

    fn pass_on(&mut self, host: &mut dyn Host, view: &View, event: Event) -> Handled {
        match event {
            Event::DragStart(pointer) => self.start_drag(host, view, pointer),
            Event::DragMove(pointer) => {
                if let (Drag::Gesture(gesture), mut ctx) = self.drag_and_context(host, view) {
                    gesture.update(&mut ctx, &pointer);
                }
                Handled::Yes
            }
            Event::DragEnd(pointer) => self.end_drag(host, view, &pointer),
            Event::Escape => self.escape(host, view),
            Event::FocusLost => {
                self.cancel_drag(host, view);
                Handled::Yes
            }
            Event::Key(key, modifiers) => match self.drag_and_context(host, view) {
                (Drag::Gesture(gesture), mut ctx) => {
                    let handled = gesture.key(&mut ctx, key, modifiers);
                    if handled == Handled::No && key == Key::Undo {
                        self.cancel_drag(host, view);
                    } else if handled == Handled::No && key == Key::Enter {
                        self.commit_drag(host, view);
                    }
                    // Commands are blocked during a drag.
                    Handled::Yes
                }
                _ => {
                    let (tool, mut ctx) = self.tool_and_context(host, view);
                    let handled = tool.key(&mut ctx, key, modifiers);
                    self.follow_request(host, view);
                    handled
                }
            },
            Event::Text(text) => match self.drag_and_context(host, view) {
                (Drag::Gesture(gesture), mut ctx) => gesture.text(&mut ctx, &text),
                _ => {
                    let (tool, mut ctx) = self.tool_and_context(host, view);
                    tool.text(&mut ctx, &text)
                }
            },
            _ if self.is_dragging() => Handled::Yes,
            Event::Hover(pointer) => {
                self.hot_reach = self.reach_at(host, view, &pointer).map(|(_, which)| which);
                let (tool, mut ctx) = self.tool_and_context(host, view);
                tool.hover(&mut ctx, &pointer);
                Handled::Yes
            }
            Event::Leave => {
                self.hot_reach = None;
                self.tool.leave();
                Handled::Yes
            }
            Event::Click(pointer) => {
                self.click(host, view, &pointer);
                Handled::Yes
            }
            Event::DoubleClick(pointer) => {
                let (tool, mut ctx) = self.tool_and_context(host, view);
                tool.double_click(&mut ctx, &pointer);
                self.follow_request(host, view);
                Handled::Yes
            }
            Event::SecondaryClick(pointer) => {
                let (tool, mut ctx) = self.tool_and_context(host, view);
                tool.secondary_click(&mut ctx, &pointer)
            }
        }
    }

    #[must_use]
    pub fn hints(&self, host: &dyn Host, view: &View) -> Hints {
        let scene = self.scene(host, view);
        match &self.drag {
            Drag::Gesture(gesture) => gesture.hints(&scene),
            _ => self.hot_reach.map(Reach::hints),
        }
        .unwrap_or_else(|| self.tool.hints(&scene))
    }

    #[must_use]
    pub fn cursor(&self, host: &dyn Host, view: &View) -> Cursor {
        match &self.drag {
            Drag::Gesture(gesture) => gesture.cursor(),
            _ => self.hot_reach.map(|_| Cursor::Move),
        }
        .unwrap_or_else(|| self.tool.cursor(&self.scene(host, view)))
    }

    #[must_use]
    pub fn overlay(&self, host: &dyn Host, view: &View) -> Overlay {
        let mut overlay = Overlay::default();
        let scene = self.scene(host, view);
        let gesture = match &self.drag {
            Drag::Gesture(gesture) => Some(gesture),
            _ => None,
        };
        if !gesture.is_some_and(|gesture| gesture.hides_tool()) {
            if let Some(reach) = self.reach(&scene) {
                reach.overlay(view, self.hot_reach, &mut overlay);
            }
            self.tool.overlay(&scene, &mut overlay);
        }
        if let Some(gesture) = gesture {
            gesture.overlay(&scene, &mut overlay);
        }
        overlay
    }

    fn click(&mut self, host: &mut dyn Host, view: &View, pointer: &Pointer) {
        let (tool, mut ctx) = self.tool_and_context(host, view);
        tool.click(&mut ctx, pointer);
        self.follow_request(host, view);
    }

    /// A tool may request another: a double click on a shape edits its vertices.
    fn follow_request(&mut self, host: &mut dyn Host, view: &View) {
        if let Some(kind) = self.tool.take_request() {
            self.switch(host, view, kind);
        }
    }

    /// The handles of the selected route, for tools that select or draw routes.
    fn reach(&self, scene: &Scene<'_>) -> Option<RouteReach> {
        if !self.current().shows_route_reach() || !self.tool.is_idle() {
            return None;
        }
        RouteReach::of(scene)
    }

    fn reach_at(
        &self,
        host: &dyn Host,
        view: &View,
        pointer: &Pointer,
    ) -> Option<(RouteReach, Reach)> {
        let reach = self.reach(&self.scene(host, view))?;
        let which = reach.hit(view, pointer.world)?;
        Some((reach, which))
    }

    fn start_drag(&mut self, host: &mut dyn Host, view: &View, pointer: Pointer) -> Handled {
        self.cancel_drag(host, view);
        if let Some((reach, which)) = self.reach_at(host, view, &pointer) {
            self.hot_reach = Some(which);
            let (_, mut ctx) = self.tool_and_context(host, view);
            self.drag = Drag::Gesture(ReachDrag::begin(&mut ctx, &pointer, reach, which));
            return Handled::Yes;
        }
        let (tool, mut ctx) = self.tool_and_context(host, view);
        self.drag = match tool.begin_drag(&mut ctx, &pointer) {
            Some(gesture) => Drag::Gesture(gesture),
            None => Drag::Unused { pressed: pointer },
        };
        Handled::Yes
    }

    fn end_drag(&mut self, host: &mut dyn Host, view: &View, pointer: &Pointer) -> Handled {
        match &mut self.drag {
            Drag::Gesture(_) => {
                if let (Drag::Gesture(gesture), mut ctx) = self.drag_and_context(host, view) {
                    gesture.update(&mut ctx, pointer);
                }
                self.commit_drag(host, view);
            }
            Drag::Unused { pressed } => {
                let pressed = *pressed;
                if pressed.screen.distance(pointer.screen) <= SHAKY_CLICK {
                    self.click(host, view, &pressed);
                }
            }
            Drag::None | Drag::Over => {}
        }
        self.drag = Drag::None;
        Handled::Yes
    }

    fn commit_drag(&mut self, host: &mut dyn Host, view: &View) {
        if let Drag::Gesture(gesture) = std::mem::replace(&mut self.drag, Drag::Over) {
            let (tool, mut ctx) = self.tool_and_context(host, view);
            let outcome = gesture.commit(&mut ctx);
            tool.drag_ended(&mut ctx, outcome);
        }
    }

    fn cancel_drag(&mut self, host: &mut dyn Host, view: &View) {
        if let Drag::Gesture(gesture) = std::mem::replace(&mut self.drag, Drag::Over) {
            let (_, mut ctx) = self.tool_and_context(host, view);
            gesture.cancel(&mut ctx);
        }
    }

    /// The first stages of Esc: cancels a drag or points, but keeps tool and selection.
    pub fn take_back(&mut self, host: &mut dyn Host, view: &View) -> Handled {
        if self.is_dragging() {
            self.cancel_drag(host, view);
            return Handled::Yes;
        }
        let (tool, mut ctx) = self.tool_and_context(host, view);
        tool.cancel(&mut ctx)
    }

    /// Drag, then points, then tool, then selection.
    fn escape(&mut self, host: &mut dyn Host, view: &View) -> Handled {
        if self.take_back(host, view) == Handled::Yes {
            return Handled::Yes;
        }
        if self.current() != ToolKind::Select {
            self.switch(host, view, ToolKind::Select);
            return Handled::Yes;
        }
        let anything = !host.selection().is_empty();
        host.select(Selection::default());
        Handled::from(anything)
    }

    /// During a drag the index keeps the level from before: what is dragged is neither picked nor
    /// snapped to, and dragging many objects stays cheap.
    pub fn synchronise(&mut self, host: &dyn Host) {
        if !host.document().in_transaction() {
            self.picker.synchronise(host.level());
        }
    }

    fn scene<'a>(&'a self, host: &'a dyn Host, view: &View) -> Scene<'a> {
        Scene {
            document: host.document(),
            view: *view,
            picker: &self.picker,
            defaults: &self.defaults,
        }
    }

    fn tool_and_context<'a>(
        &'a mut self,
        host: &'a mut dyn Host,
        view: &View,
    ) -> (&'a mut dyn Tool, ToolContext<'a>) {
        let context = ToolContext {
            host,
            view: *view,
            picker: &self.picker,
            defaults: &mut self.defaults,
            messages: &mut self.messages,
            news: &mut self.news,
            pointed: &self.pointed,
        };
        (&mut *self.tool, context)
    }

    fn drag_and_context<'a>(
        &'a mut self,
        host: &'a mut dyn Host,
        view: &View,
    ) -> (&'a mut Drag, ToolContext<'a>) {
        let context = ToolContext {
            host,
            view: *view,
            picker: &self.picker,
            defaults: &mut self.defaults,
            messages: &mut self.messages,
            news: &mut self.news,
            pointed: &self.pointed,
        };
        (&mut self.drag, context)
    }
}
