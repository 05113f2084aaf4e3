//! The application: draws one frame, then applies what it asked for.

use super::command_palette::CommandPalette;
use super::docking::{self, Docking, Pane};
use super::notice::{Notice, Notices};
use super::panels::Panels;
use super::preferences::Preferences;
use super::state::Page;
use super::viewport::PlanPainter;
use super::work::Work;
use super::{Action, Actions, Command, EditorState};
use super::{keyboard, menu_bar, status_bar, theme, tool_bar};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The whole editor but its window: what a test builds and draws into any [`egui::Ui`].
pub struct Editor {
    pub state: EditorState,
    pub panels: Panels,
    pub work: Work,
    painter: PlanPainter,
    layout: egui_tiles::Tree<Pane>,
    palette: CommandPalette,
    notices: Notices,
    actions: Actions,
}

impl std::fmt::Debug for Editor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Editor")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl Editor {
    #[must_use]
    pub fn new(state: EditorState, gl: Option<Arc<glow::Context>>) -> Self {
        Self {
            state,
            panels: Panels::default(),
            work: Work::default(),
            painter: PlanPainter::new(gl),
            layout: docking::default_layout(),
            palette: CommandPalette::default(),
            notices: Notices::default(),
            actions: Actions::default(),
        }
    }

    /// One frame.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let started = Instant::now();
        for deliver in self.work.take_finished() {
            deliver(self);
        }
        keyboard::run_commands(ui.ctx(), self);
        self.window_ui(ui);
        self.palette.ui(ui.ctx(), &self.state, &mut self.actions);
        self.notices
            .ui(ui.ctx(), &mut self.state.notices, &mut self.actions);
        self.apply_actions(ui.ctx());
        self.keep_problems_current(ui.ctx());
        self.state.frame_millis = started.elapsed().as_secs_f32() * 1000.0;
    }

    fn window_ui(&mut self, ui: &mut egui::Ui) {
        let Self {
            state,
            work,
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
            .show(ui, |ui| menu_bar::menu_bar_ui(ui, state, actions));
        egui::Panel::bottom("status bar")
            .frame(bar(ui, 8, 0))
            .exact_size(theme::STATUS_BAR_HEIGHT)
            .show(ui, |ui| status_bar::status_bar_ui(ui, state, work, actions));
        if state.level_is_open() {
            let width = tool_bar::width(ui.available_height() - 8.0);
            egui::Panel::left("tool bar")
                .frame(bar(ui, 4, 4))
                .resizable(false)
                .exact_size(width + 8.0)
                .show(ui, |ui| tool_bar::tool_bar_ui(ui, state, actions));
        }
        match self.state.page() {
            Page::Welcome | Page::Level => self.level_ui(ui),
        }
    }

    fn level_ui(&mut self, ui: &mut egui::Ui) {
        let mut docking = Docking {
            state: &mut self.state,
            panels: &mut self.panels,
            painter: &mut self.painter,
            actions: &mut self.actions,
        };
        self.layout.ui(&mut docking, ui);
    }

    /// Puts a command into the queue of this frame.
    pub fn ask(&mut self, command: Command) {
        self.actions.command(command);
    }

    fn apply_actions(&mut self, ctx: &egui::Context) {
        let mut any = false;
        while !self.actions.is_empty() {
            any = true;
            for action in self.actions.take() {
                self.apply(ctx, action);
            }
        }
        if any {
            // What was drawn before the change is out of date.
            ctx.request_repaint();
        }
    }

    /// Does what a part of the window asked for; a refusal becomes a notice.
    pub fn apply(&mut self, ctx: &egui::Context, action: Action) {
        let level = &mut self.state.level;
        let outcome = match action {
            Action::Commit {
                label,
                edits,
                merge,
            } => level.commit(label, edits, merge).map(|_| ()),
            Action::Begin { label } => {
                level.begin(label);
                Ok(())
            }
            Action::Preview { edits } => level.preview(edits),
            Action::Finish => level.finish().map(|_| ()),
            Action::Cancel => {
                level.cancel();
                Ok(())
            }
            Action::Select(selection) => {
                level.select(selection);
                Ok(())
            }
            Action::GoTo(rect) => {
                self.state.view.camera.frame(rect, self.state.view.viewport);
                Ok(())
            }
            Action::Hover(id) => {
                self.state.view.hovered = id;
                Ok(())
            }
            Action::Rename(id) => {
                self.state.renaming = Some(id);
                Ok(())
            }
            Action::Travel { undo_steps } => {
                while level.document().undo_labels().len() > undo_steps && level.undo() {}
                while level.document().undo_labels().len() < undo_steps && level.redo() {}
                Ok(())
            }
            Action::CancelTask(id) => {
                self.work.cancel(id);
                Ok(())
            }
            Action::Command(command) => {
                self.run(ctx, command);
                Ok(())
            }
            Action::Notify(notice) => {
                self.state.notify(notice);
                Ok(())
            }
        };
        if let Err(refusal) = outcome {
            self.state
                .notify(Notice::error(format!("That is not possible: {refusal}.")));
        }
    }

    /// Does what a command says, if it can be used now.
    pub fn run(&mut self, ctx: &egui::Context, command: Command) {
        if !command.is_enabled(&self.state) {
            return;
        }
        match command {
            Command::Tool(kind) => {
                let view = self.state.view.for_tools();
                self.state
                    .toolbox
                    .switch(&mut self.state.level, &view, kind);
            }
            Command::Palette => self.palette.open(),
            Command::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            Command::Undo => {
                self.state.level.undo();
            }
            Command::Redo => {
                self.state.level.redo();
            }
            Command::ResetLayout => self.layout = docking::default_layout(),
            _ => {}
        }
    }
}

struct WayloomApp {
    editor: Editor,
}

impl eframe::App for WayloomApp {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.editor.ui(ui);
    }
}

/// Opens the window, on a level or on the welcome page, and returns when it is closed.
///
/// # Errors
/// No window can be had: no display, or no OpenGL.
pub fn run(file: Option<PathBuf>) -> anyhow::Result<()> {
    let _ = file;
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Wayloom")
            .with_app_id("wayloom")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([800.0, 500.0]),
        ..Default::default()
    };
    eframe::run_native(
        "Wayloom",
        options,
        Box::new(|cc| {
            theme::install(&cc.egui_ctx);
            let state = EditorState::new(Preferences::default());
            theme::choose(
                &cc.egui_ctx,
                state.preferences.theme,
                state.preferences.scale,
            );
            Ok(Box::new(WayloomApp {
                editor: Editor::new(state, cc.gl.clone()),
            }))
        }),
    )
    .map_err(|error| anyhow::anyhow!("no window can be opened: {error}"))
}
