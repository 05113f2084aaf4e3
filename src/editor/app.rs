//! The editor: draws one frame, then does what the frame asked for.

use super::command_palette::CommandPalette;
use super::dialog::{Dialog, Flow};
use super::docking::{Docking, Layout, Painters};
use super::editing::PasteTo;
use super::files::FileWork;
use super::find::FindReplace;
use super::first_level::FirstLevel;
use super::guide::Guide;
use super::help::Help;
use super::notice::Notices;
use super::panels::{Inspector, Panels};
use super::recent::Recent;
use super::state::Page;
use super::store::{Item, Store};
use super::thumbnails::Thumbnails;
use super::tool_options::tool_options_ui;
use super::viewport::{PlanPainter, SpacePainter};
use super::welcome::{Unsaved, Welcome};
use super::work::Work;
use super::{Actions, Command, EditorState};
use super::{keyboard, menu_bar, status_bar, theme, tool_bar};
use crate::interaction::clipboard::Clipboard;
use crate::jobs::window_thread::WindowThread;
use std::sync::Arc;
use std::time::Instant;

/// What floats over the panes, besides dialogs.
#[derive(Debug, Default)]
pub(super) struct Windows {
    pub(super) palette: CommandPalette,
    pub(super) help: Help,
    pub(super) guide: Guide,
    pub(super) first_level: FirstLevel,
    pub(super) find: FindReplace,
}

/// The whole editor but its window: what a test builds and draws into any [`egui::Ui`].
#[derive(Debug)]
pub struct Editor {
    pub state: EditorState,
    pub panels: Panels,
    pub work: Work,
    pub(super) store: Store,
    pub(super) recent: Recent,
    pub(super) unsaved: Unsaved,
    pub(super) thumbnails: Thumbnails,
    pub(super) painter: PlanPainter,
    pub(super) space_painter: SpacePainter,
    pub(super) layout: Layout,
    pub(super) windows: Windows,
    pub(super) clipboard: Clipboard,
    /// The clipboard's contents were asked for by a command.
    pub(super) paste_to: Option<PasteTo>,
    /// The one on top is last.
    pub(super) dialogs: Vec<Box<dyn Dialog>>,
    pub(super) notices: Notices,
    pub(super) files: FileWork,
    /// A page has been shown: from now on it stays until another one takes its place.
    greeted: bool,
    title: String,
    pub(super) actions: Actions,
}

impl Editor {
    /// An editor that keeps nothing between runs.
    #[must_use]
    pub fn new(state: EditorState, gl: Option<Arc<glow::Context>>) -> Self {
        Self::with_store(state, gl, Store::nowhere())
    }

    #[must_use]
    pub fn with_store(state: EditorState, gl: Option<Arc<glow::Context>>, store: Store) -> Self {
        let recent: Recent = store.load(Item::Recent);
        let work = Work::default();
        Self {
            state,
            panels: Panels::default(),
            unsaved: Unsaved::find(&recent, store.state_folder()),
            recent,
            thumbnails: Thumbnails::default(),
            painter: PlanPainter::new(gl.clone()),
            space_painter: SpacePainter::new(gl, work.jobs()),
            work,
            layout: store.load(Item::Layout),
            windows: Windows::default(),
            clipboard: Clipboard::default(),
            paste_to: None,
            dialogs: Vec::new(),
            notices: Notices::default(),
            files: FileWork::default(),
            greeted: false,
            title: String::new(),
            actions: Actions::default(),
            store,
        }
    }

    /// One frame.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let _frame = WindowThread::mark();
        let started = Instant::now();
        let ctx = &ui.ctx().clone();
        self.work.wake(ctx);
        for deliver in self.work.take_finished() {
            deliver(self);
        }
        self.poll_desktop_dialog(ctx);
        self.heed_close(ctx);
        self.take_dropped(ctx);
        self.keep_watch(ctx);
        self.tell_trouble();
        keyboard::run_commands(ctx, self);
        self.window_ui(ui);
        self.windows.help.ui(ctx, &self.state);
        self.windows.guide.ui(ctx);
        self.windows
            .first_level
            .ui(ctx, &self.state, &mut self.actions);
        self.windows.find.ui(ctx, &self.state, &mut self.actions);
        self.dialogs_ui(ctx);
        self.windows.palette.ui(ctx, &self.state, &mut self.actions);
        self.drop_hint_ui(ctx);
        self.notices
            .ui(ctx, &mut self.state.notices, &mut self.actions);
        self.apply_actions(ctx);
        self.keep_meshes_current(ctx);
        self.keep_problems_current();
        self.keep_suggestions_current();
        self.keep_navigation_current(ctx);
        self.keep_space_current();
        self.thumbnails.draw_next(ctx, &mut self.work);
        self.work.keep_reporting(ctx);
        self.set_title(ctx);
        self.state.frame_millis = started.elapsed().as_secs_f32() * 1000.0;
    }

    /// Keeps what is worth remembering for the next run.
    pub fn keep(&mut self) {
        // The window is closing: no one would see a message.
        let _ = self.store.save(Item::Layout, &self.layout);
        let _ = self.store.save(Item::Preferences, &self.state.preferences);
        let _ = self.store.save(Item::Recent, &self.recent);
    }

    /// Opens a dialog above those that are open, in place of another one of its kind.
    pub(super) fn show(&mut self, dialog: impl Dialog) {
        self.state.cancel_drag();
        self.dialogs.retain(|open| open.kind() != dialog.kind());
        self.dialogs.push(Box::new(dialog));
    }

    /// Puts a command into the queue of this frame.
    pub fn ask(&mut self, command: Command) {
        self.actions.command(command);
    }

    fn window_ui(&mut self, ui: &mut egui::Ui) {
        let Self {
            state,
            work,
            recent,
            actions,
            ..
        } = self;
        let bar = |ui: &egui::Ui, x, y| {
            egui::Frame::new()
                .fill(ui.visuals().panel_fill)
                .inner_margin(egui::Margin::symmetric(x, y))
        };
        egui::Panel::top("menu bar")
            .frame(bar(ui, 6, 3))
            .show(ui, |ui| {
                menu_bar::menu_bar_ui(ui, state, recent.files(), actions);
            });
        egui::Panel::bottom("status bar")
            .frame(bar(ui, 8, 0))
            .exact_size(theme::STATUS_BAR_HEIGHT)
            .show(ui, |ui| status_bar::status_bar_ui(ui, state, work, actions));
        match state.page() {
            Page::Welcome => self.welcome_ui(ui),
            Page::Level => {
                let width = tool_bar::width(ui.available_height() - 8.0);
                egui::Panel::left("tool bar")
                    .frame(bar(ui, 4, 4))
                    .resizable(false)
                    .exact_size(width + 8.0)
                    .show(ui, |ui| tool_bar::tool_bar_ui(ui, state, actions));
                self.level_ui(ui);
            }
        }
    }

    fn welcome_ui(&mut self, ui: &mut egui::Ui) {
        let opening = self
            .files
            .opening
            .is_some_and(|task| self.work.is_running(task));
        if opening && !self.greeted {
            // The program was started with a file: no page that is gone in a moment.
            ui.centered_and_justified(|ui| ui.weak("Opening…"));
            return;
        }
        self.greeted = true;
        Welcome {
            state: &self.state,
            recent: &self.recent,
            unsaved: &self.unsaved,
            thumbnails: &mut self.thumbnails,
            actions: &mut self.actions,
        }
        .ui(ui);
    }

    fn level_ui(&mut self, ui: &mut egui::Ui) {
        let fill = theme::Palette::of(ui.visuals()).surface;
        egui::Panel::top("tool options")
            .frame(
                egui::Frame::new()
                    .fill(fill)
                    .inner_margin(egui::Margin::symmetric(10, 0)),
            )
            .exact_size(theme::TOOL_OPTIONS_HEIGHT)
            .show(ui, |ui| {
                ui.horizontal_centered(|ui| {
                    tool_options_ui(ui, &mut self.state, &mut self.actions);
                });
            });
        let mut docking = Docking::new(
            &mut self.state,
            &mut self.panels,
            Painters {
                plan: &mut self.painter,
                space: &mut self.space_painter,
            },
            &mut self.actions,
        );
        self.layout.ui(&mut docking, ui);
        self.panels.get::<Inspector>().has_been_drawn();
        self.state.open_panes = self.layout.open_panes();
    }

    fn dialogs_ui(&mut self, ctx: &egui::Context) {
        // Those beneath stay in sight; a modal keeps the pointer from them.
        let mut at = 0;
        while at < self.dialogs.len() {
            match self.dialogs[at].ui(ctx, &self.state, &mut self.actions) {
                Flow::Stay => at += 1,
                Flow::Close => {
                    self.dialogs.remove(at);
                    ctx.request_repaint();
                }
            }
        }
    }

    /// While files are held over the window: what letting go does.
    fn drop_hint_ui(&self, ctx: &egui::Context) {
        if ctx.input(|input| input.raw.hovered_files.is_empty()) {
            return;
        }
        let id = egui::Id::unique("drop hint");
        let layer = egui::LayerId::new(egui::Order::Foreground, id);
        let painter = ctx.layer_painter(layer);
        let style = ctx.global_style();
        let palette = theme::Palette::of(&style.visuals);
        let rect = ctx.content_rect().shrink(12.0);
        painter.rect(
            rect,
            theme::ROUNDING_LARGE,
            palette.gutter.gamma_multiply(0.85),
            egui::Stroke::new(2.0, palette.accent),
            egui::StrokeKind::Inside,
        );
        painter.text(
            rect.center(),
            egui::Align2::CENTER_CENTER,
            "Let go to open the file",
            theme::text::title().resolve(&style),
            palette.text_strong,
        );
    }

    fn set_title(&mut self, ctx: &egui::Context) {
        let title = if self.state.level_is_open() {
            let mark = if self.state.document().is_dirty() {
                "• "
            } else {
                ""
            };
            format!("{mark}{} – Wayloom", self.state.title_with_file())
        } else {
            "Wayloom".to_owned()
        };
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}
