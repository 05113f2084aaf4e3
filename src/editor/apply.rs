//! Does what the parts of the window asked for.

use super::dialog::about::About;
use super::dialog::heights::AddHeightField;
use super::dialog::new_level::NewLevel;
use super::dialog::settings::{self, Settings};
use super::docking::{Layout, Pane, Views};
use super::intention::{Intention, Purpose};
use super::notice::Notice;
use super::panels::{Inspector, Outliner};
use super::play_strip::next_speed;
use super::playback::Play;
use super::preferences::{Preferences, ThemeChoice};
use super::recordings::ShownAs;
use super::simulating::SimulationAsk;
use super::state::ViewKind;
use super::store::Item;
use super::{Action, Command, Editor, theme};
use crate::document::Edit;
use crate::document::limits;
use crate::document::ops::EditError;
use crate::geometry::Rect;
use std::sync::Arc;

impl Editor {
    /// Applies the queue of this frame, and whatever that brings about.
    pub(super) fn apply_actions(&mut self, ctx: &egui::Context) {
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

    /// Does one thing that was asked for; a refusal becomes a notice.
    pub fn apply(&mut self, ctx: &egui::Context, action: Action) {
        if let Err(refusal) = self.try_apply(ctx, action) {
            self.state
                .notify(Notice::error(format!("Not possible: {refusal}.")));
        }
    }

    fn try_apply(&mut self, ctx: &egui::Context, action: Action) -> Result<(), EditError> {
        let level = &mut self.state.level;
        match action {
            Action::Commit {
                label,
                edits,
                merge,
            } => {
                level.commit(label, edits, merge)?;
            }
            Action::Begin { label } => level.begin(label),
            Action::Preview { edits } => level.preview(edits)?,
            Action::Finish => {
                level.finish()?;
            }
            Action::Cancel => level.cancel(),
            Action::Select(selection) => level.select(selection),
            Action::GoTo(rect) => self.go_to(rect),
            Action::Hover(id) => self.state.view.hovered = id,
            Action::Rename(id) => {
                self.layout.reveal(Pane::OUTLINER);
                let outliner = self.panels.get::<Outliner>();
                outliner.rename(id, level.document().level());
            }
            Action::Write(id) => {
                self.layout.reveal(Pane::INSPECTOR);
                self.panels.get::<Inspector>().write(id);
            }
            Action::DrawOnLayer(layer) => self.state.toolbox.defaults.layer = layer,
            Action::Travel { undo_steps } => {
                while level.document().undo_labels().len() > undo_steps && level.undo() {}
                while level.document().undo_labels().len() < undo_steps && level.redo() {}
            }
            Action::CancelJob(id) => self.work.cancel(id),
            Action::Reveal(pane) => self.layout.reveal(pane),
            Action::Command(command) => self.run(ctx, command)?,
            Action::Notify(notice) => self.state.notify(notice),
            Action::Request(request) => self.answer(ctx, request),
            Action::Compare(choice) => self.state.navigation.bench.picked = choice,
            Action::PlanWithout(picked) => self.state.navigation.constraints.without = picked,
            // Written with all preferences when the window closes or the next one changes: a drag
            // of the angle comes by here in every frame.
            Action::BendPaths(slopes) => self.state.preferences.slopes = slopes.limited(),
            Action::Watch(asked) => self.watch_search(asked),
            Action::Fix(problems) => self.fix_problems(ctx, problems)?,
            Action::ShowBody(radius) => {
                self.state.navigation.corridors.body =
                    radius.filter(|radius| radius.is_finite() && *radius >= 0.0);
            }
            Action::PickPinch(pinch) => self.state.navigation.corridors.pinch = pinch,
            Action::Voxels(asked) => self.ask_of_voxels(ctx, asked),
            Action::Play(asked) => self.play(ctx, asked),
            Action::Simulate(asked) => self.ask_of_simulation(ctx, asked),
            Action::Suggest(asked) => self.decide_suggestions(asked)?,
            Action::Situation(asked) => {
                self.state.situation.change(asked);
                self.tell_run_of(asked);
            }
        }
        Ok(())
    }

    /// Does what a command says, if it can be used now.
    ///
    /// # Errors
    /// The document refuses the change.
    pub fn run(&mut self, ctx: &egui::Context, command: Command) -> Result<(), EditError> {
        if !command.is_enabled(&self.state) {
            self.state
                .notify(Notice::info(command.entry().needs.reason()));
            return Ok(());
        }
        match command {
            Command::Tool(kind) => {
                let view = self.state.view.for_tools();
                self.state
                    .toolbox
                    .switch(&mut self.state.level, &view, kind);
            }
            Command::NewLevel => self.show(NewLevel::default()),
            Command::Open => self.choose_file(ctx, Purpose::Open),
            Command::Welcome => self.intend(ctx, Intention::Welcome),
            Command::Save => self.save(ctx, None),
            Command::SaveAs => self.choose_file(ctx, Purpose::SaveAs { then: None }),
            Command::Revert => self.revert(ctx),
            Command::Import => self.choose_file(ctx, Purpose::Import),
            Command::ReadMeshes => self.read_meshes_again(),
            Command::Export => self.show_export(),
            Command::AddHeightField => self.show(AddHeightField::new(&self.state)),
            Command::ImportHeights => self.choose_file(ctx, Purpose::Heights),
            Command::RemoveHeightField => {
                let edits = vec![Edit::Ground(None)];
                self.state
                    .level
                    .commit("Remove height field".to_owned(), edits, None)?;
            }
            Command::BakeForEngines => self.show_bake(),
            Command::ExportAgain => self.export_again(ctx),
            Command::OpenRecording => self.choose_file(ctx, Purpose::Recording(ShownAs::Run)),
            Command::OpenGhost => self.choose_file(ctx, Purpose::Recording(ShownAs::Ghost)),
            Command::SaveRecording => self.choose_file(ctx, Purpose::SaveRecording),
            Command::Screenshot => self.choose_file(ctx, Purpose::Picture),
            Command::Quit => self.intend(ctx, Intention::Quit),

            Command::Undo => {
                self.state.level.undo();
            }
            Command::Redo => {
                self.state.level.redo();
            }
            Command::Rename => {
                if let Some(id) = self.state.document().selection().single() {
                    self.actions.push(Action::Rename(id));
                }
            }
            Command::Settings => self.show(Settings::new(settings::Page::Appearance)),
            Command::KeyMap => self.show(Settings::new(settings::Page::Keys)),

            Command::ShowPlan => self.layout.show_views(Views::Plan),
            Command::ShowSpace => self.layout.show_views(Views::Space),
            Command::ShowBoth => self.layout.show_views(Views::Both),
            Command::LookFromCorner
            | Command::LookFromTop
            | Command::LookFromFront
            | Command::LookFromBack
            | Command::LookFromRight
            | Command::LookFromLeft => {
                if let Some(direction) = command.direction() {
                    self.state.space.look_from(direction);
                }
            }
            Command::ToggleProjection => self.state.space.toggle_projection(),
            Command::ToggleSection => self.state.space.toggle_section(),
            Command::StoreyUp => self.state.space.change_storey(1),
            Command::StoreyDown => self.state.space.change_storey(-1),
            Command::FrameSelection => self.frame_selection(),
            Command::FrameAll => {
                let extent = self.state.document().level().extent();
                self.state.view.fit(extent);
                self.state.space.frame_all();
            }
            Command::ResetView => self.reset_view(),
            Command::ZoomIn => self.zoom_by(ZOOM_STEP),
            Command::ZoomOut => self.zoom_by(1.0 / ZOOM_STEP),
            Command::ToggleGrid => {
                self.change_grid("Show or hide grid", |grid| grid.visible = !grid.visible)?;
            }
            Command::GridCoarser => {
                self.change_grid("Coarser grid", |grid| {
                    grid.spacing = limits::GRID_SPACING.clamp(grid.spacing * 2.0);
                })?;
            }
            Command::GridFiner => {
                self.change_grid("Finer grid", |grid| {
                    grid.spacing = limits::GRID_SPACING.clamp(grid.spacing / 2.0);
                })?;
            }
            Command::ToggleSnap => {
                let snap = &mut self.state.toolbox.defaults.snap;
                *snap = !*snap;
            }
            Command::ToggleRulers => {
                let show = &mut self.state.view.show;
                show.rulers = !show.rulers;
            }
            Command::ToggleLabels => {
                let show = &mut self.state.view.show;
                show.labels = !show.labels;
            }
            Command::TogglePanel(pane) => self.layout.toggle(pane),
            Command::PlayPause => self.play_in_sight(ctx, Play::Toggle),
            Command::StepForward => self.play_in_sight(ctx, Play::Step(1)),
            Command::StepBack => self.play_in_sight(ctx, Play::Step(-1)),
            Command::PlayFromStart => self.play_in_sight(ctx, Play::Seek(0.0)),
            Command::PlayToEnd => self.play_in_sight(ctx, Play::End),
            Command::NextEvent => self.play_in_sight(ctx, Play::NextEvent { forwards: true }),
            Command::PreviousEvent => self.play_in_sight(ctx, Play::NextEvent { forwards: false }),
            Command::Faster | Command::Slower => {
                let speed = self.state.navigation.player.clock.speed();
                let next = next_speed(speed, command == Command::Faster);
                self.play(ctx, Play::Speed(next));
                self.state
                    .notify(Notice::info(format!("Playing at ×{next}.")));
            }
            Command::RunAgain => {
                self.layout.reveal(Pane::PLAYBACK);
                self.ask_of_simulation(ctx, SimulationAsk::Run);
            }
            Command::StopRun => self.ask_of_simulation(ctx, SimulationAsk::Stop),
            Command::ShowGhost => {
                let shows = !command.is_on(&self.state).unwrap_or(false);
                self.ask_of_simulation(ctx, SimulationAsk::ShowGhost(shows));
            }
            Command::HideArrived => {
                let hides = !command.is_on(&self.state).unwrap_or(false);
                self.play_in_sight(ctx, Play::HideArrived(hides));
            }
            Command::PlayLoop
            | Command::PlayOnlySelected
            | Command::PlayFollow
            | Command::PlayBothMethods => {
                let on = !command.is_on(&self.state).unwrap_or(false);
                self.play_in_sight(
                    ctx,
                    match command {
                        Command::PlayLoop => Play::Loop(on),
                        Command::PlayOnlySelected => Play::OnlySelected(on),
                        Command::PlayFollow => Play::Follow(on),
                        _ => Play::SideBySide(on),
                    },
                );
            }
            Command::ToggleNavigation => {
                let visible = &mut self.state.navigation.visible;
                *visible = !*visible;
            }
            Command::ShowAllPaths => {
                let all = &mut self.state.navigation.all_paths;
                *all = !*all;
            }
            Command::Bake => self.state.navigation.bake.force(),
            Command::ShowOverlay(id) => {
                let navigation = &mut self.state.navigation;
                let shown = navigation.overlays.contains(id);
                navigation.overlays.set(id, !shown);
                // What is switched on is to be seen.
                navigation.visible |= !shown;
            }
            Command::ResetLayout => self.layout = Layout::default(),
            Command::ToggleTheme => {
                let theme = if ctx.theme() == egui::Theme::Dark {
                    ThemeChoice::Light
                } else {
                    ThemeChoice::Dark
                };
                self.change_preferences(ctx, |preferences| preferences.theme = theme);
            }
            Command::LargerInterface => {
                self.change_preferences(ctx, |preferences| preferences.scale += SCALE_STEP);
            }
            Command::SmallerInterface => {
                self.change_preferences(ctx, |preferences| preferences.scale -= SCALE_STEP);
            }
            Command::FullScreen => {
                let full = ctx.input(|input| input.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(egui::ViewportCommand::Fullscreen(!full));
            }
            Command::ToggleFrameTime => self.change_preferences(ctx, |preferences| {
                preferences.show_frame_time = !preferences.show_frame_time;
            }),

            Command::Palette => self.windows.palette.open(),
            Command::Help => self.windows.help.toggle(),
            Command::Guide => self.windows.guide.toggle(),
            Command::FirstLevel => self.start_first_level(ctx),
            Command::About => self.show(About),
            editing => {
                let known = self.edit(ctx, editing);
                debug_assert!(known, "{editing:?} does nothing");
            }
        }
        Ok(())
    }

    fn go_to(&mut self, rect: Rect) {
        let view = &mut self.state.view;
        view.camera.frame(rect, view.viewport);
    }

    fn frame_selection(&mut self) {
        let document = self.state.document();
        let level = document.level();
        let bounds = document
            .selection()
            .iter()
            .filter_map(|id| level.get(id)?.bounds())
            .fold(Rect::EMPTY, |all, bounds| all.union(&bounds));
        self.go_to(bounds);
        let bounds = self.state.selected_bounds();
        self.state.space.frame(&bounds);
    }

    /// Zooms about the pointer where that is over the plan, else about the middle.
    fn zoom_by(&mut self, factor: f64) {
        if self.state.active_view == ViewKind::Space {
            self.state.space.zoom_by(factor);
            return;
        }
        let view = &mut self.state.view;
        let anchor = view.pointer.map_or(view.viewport * 0.5, |at| {
            view.camera.screen_from_world(at, view.viewport)
        });
        view.camera.zoom(factor, anchor, view.viewport);
    }

    fn reset_view(&mut self) {
        if self.state.active_view == ViewKind::Space {
            self.state.space.reset();
        } else {
            self.zoom_to(FULL_SCALE);
        }
    }

    fn zoom_to(&mut self, pixels_per_metre: f64) {
        let view = &mut self.state.view;
        let factor = pixels_per_metre / view.camera.pixels_per_metre;
        view.camera.zoom(factor, view.viewport * 0.5, view.viewport);
    }

    fn change_grid(
        &mut self,
        label: &str,
        change: impl FnOnce(&mut crate::document::Grid),
    ) -> Result<(), EditError> {
        let mut settings = (**self.state.document().level().settings()).clone();
        change(&mut settings.grid);
        let edits = vec![Edit::Settings(Arc::new(settings))];
        self.state.level.commit(label.to_owned(), edits, None)?;
        Ok(())
    }

    fn change_preferences(&mut self, ctx: &egui::Context, change: impl FnOnce(&mut Preferences)) {
        let mut preferences = self.state.preferences.clone();
        change(&mut preferences);
        self.set_preferences(ctx, preferences);
    }

    pub(super) fn set_preferences(&mut self, ctx: &egui::Context, preferences: Preferences) {
        let preferences = preferences.limited();
        theme::choose(ctx, preferences.theme, preferences.scale);
        self.state.set_preferences(preferences);
        if let Err(trouble) = self.store.save(Item::Preferences, &self.state.preferences) {
            self.state.notify(Notice::warning(trouble));
        }
    }
}

/// Of one press of a zoom key.
const ZOOM_STEP: f64 = 1.25;
/// What counts as 100 %. Unit: points per metre.
pub(super) const FULL_SCALE: f64 = 10.0;
/// Of one step of the interface's size.
const SCALE_STEP: f32 = 0.1;
