//! A first level in eight small steps, each ticked as soon as it is done.

use super::dialog::close_button;
use super::intention::Intention;
use super::theme::{self, Palette};
use super::{Actions, Command, Editor, EditorState};
use crate::document::template::{Options, Template};
use crate::document::{Kind, Level};
use crate::interaction::ToolKind;
use crate::planner::path::Answer;
use egui::accesskit::Role;
use egui::{Align, Button, Layout, RichText, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;

/// Side of the plot that it is drawn on: a house fills the view. Unit: metres.
const PLOT: f64 = 24.0;
/// Of the window. Unit: points.
const WIDTH: f32 = 292.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Wall,
    Door,
    Agent,
    Break,
    Why,
    Mud,
    Route,
    Play,
}

impl Step {
    pub const ALL: [Self; 8] = [
        Self::Wall,
        Self::Door,
        Self::Agent,
        Self::Break,
        Self::Why,
        Self::Mud,
        Self::Route,
        Self::Play,
    ];

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Wall => "Draw a wall",
            Self::Door => "Cut a door",
            Self::Agent => "Put an agent",
            Self::Break => "Break its path",
            Self::Why => "Ask why",
            Self::Mud => "Paint mud",
            Self::Route => "Draw a route",
            Self::Play => "Play",
        }
    }

    /// What to do, in a sentence or two.
    const fn text(self) -> &'static str {
        match self {
            Self::Wall => {
                "Drag a room of four walls, or click corner after corner and press Enter."
            }
            Self::Door => "Click one of the walls. The door stays in its wall and slides along it.",
            Self::Agent => {
                "Drag from outside of the room to a place within it. The path appears at once and leads through the door."
            }
            Self::Break => {
                "Select the door and drag it aside, or set it to Locked in the inspector; or draw a wall across the path. The path disappears when no way in is left."
            }
            Self::Why => "Click a place inside the room. The answer names what is in the way.",
            Self::Mud => {
                "First undo what blocks (Ctrl+Z) or unlock the door. Then choose Mud above the plan and paint across the path: it bends around, because mud is dear to walk on."
            }
            Self::Route => {
                "Click some points and press Enter. In the inspector of an agent it becomes the route that the agent keeps near to."
            }
            Self::Play => "Press Space. Agents walk; the strip at the top has time and speed.",
        }
    }

    /// What the step is done with.
    const fn command(self) -> Command {
        match self {
            Self::Wall => Command::Tool(ToolKind::Wall),
            Self::Door => Command::Tool(ToolKind::Door),
            Self::Agent => Command::Tool(ToolKind::Agent),
            Self::Break => Command::Tool(ToolKind::Select),
            Self::Why => Command::Tool(ToolKind::WhyNot),
            Self::Mud => Command::Tool(ToolKind::TerrainBrush),
            Self::Route => Command::Tool(ToolKind::RoutePolyline),
            Self::Play => Command::PlayPause,
        }
    }

    fn is_done(self, state: &EditorState) -> bool {
        let level = state.document().committed_level();
        match self {
            Self::Wall => level.walls().next().is_some(),
            Self::Door => level.doors().any(|(.., door)| door.wall.is_some()),
            Self::Agent => has(
                level,
                |kind| matches!(kind, Kind::Agent(agent) if !agent.mission.goals.is_empty()),
            ),
            Self::Break => state.navigation.baked().is_some_and(|baked| {
                let mut legs = baked.plans.values().flat_map(|plan| &plan.legs);
                legs.any(|leg| matches!(leg.answer, Answer::NotFound(_)))
            }),
            Self::Why => state.navigation.voxels.pinned.is_some(),
            Self::Mud => has(level, |kind| matches!(kind, Kind::Region(_))),
            Self::Route => has(level, |kind| matches!(kind, Kind::Route(_))),
            Self::Play => state.navigation.player.clock.has_begun(),
        }
    }
}

fn has(level: &Level, is_it: impl Fn(&Kind) -> bool) -> bool {
    level.drawn().any(|(_, entity)| is_it(&entity.kind))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Progress {
    #[default]
    Open,
    Done,
    Skipped,
}

#[derive(Debug, Default)]
pub struct FirstLevel {
    is_open: bool,
    /// The plot is being drawn: what the level before has says nothing.
    is_starting: bool,
    progress: [Progress; Step::ALL.len()],
}

impl FirstLevel {
    fn start(&mut self) {
        *self = Self {
            is_open: true,
            is_starting: true,
            ..Self::default()
        };
    }

    /// A level was opened: steps begin to count, unless it is another one than the plot.
    pub(super) fn opened(&mut self, level: &Level) {
        self.is_open &= self.is_starting && !has(level, |kind| kind.name().is_placed());
        self.is_starting = false;
    }

    /// The step that is next; none when all are done or skipped.
    #[must_use]
    pub fn current(&self) -> Option<Step> {
        let at = self.progress.iter().position(|p| *p == Progress::Open)?;
        Some(Step::ALL[at])
    }

    #[must_use]
    pub fn is_done(&self, step: Step) -> bool {
        self.progress[step as usize] == Progress::Done
    }

    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.is_open
    }

    pub(super) fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) {
        if !self.is_open || self.is_starting || !state.level_is_open() {
            return;
        }
        for (step, progress) in Step::ALL.into_iter().zip(&mut self.progress) {
            if *progress != Progress::Done && step.is_done(state) {
                *progress = Progress::Done;
            }
        }
        let screen = ctx.content_rect();
        egui::Window::new("First level")
            .title_bar(false)
            .resizable(false)
            .default_pos(screen.left_bottom() + vec2(96.0, -460.0))
            .constrain_to(screen)
            .show(ctx, |ui| {
                ui.set_width(WIDTH);
                self.contents_ui(ui, state, actions);
            });
    }

    fn contents_ui(&mut self, ui: &mut Ui, state: &EditorState, actions: &mut Actions) {
        let done = self.progress.iter().filter(|p| **p == Progress::Done);
        let count = done.count();
        ui.horizontal(|ui| {
            ui.strong("First level");
            ui.weak(format!("{count} of {}", Step::ALL.len()));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if close_button(ui).clicked() {
                    self.is_open = false;
                }
            });
        });
        ui.add_space(4.0);
        let current = self.current();
        for step in Step::ALL {
            self.step_ui(ui, step, current == Some(step), state, actions);
        }
        if current.is_none() {
            ui.add_space(6.0);
            let text = "That was all of it. The samples on the welcome page go on from here.";
            ui.add(egui::Label::new(text).wrap());
        }
    }

    fn step_ui(
        &mut self,
        ui: &mut Ui,
        step: Step,
        is_current: bool,
        state: &EditorState,
        actions: &mut Actions,
    ) {
        let palette = Palette::of(ui.visuals());
        let (icon, colour, said) = match self.progress[step as usize] {
            Progress::Done => (icons::ICON_CHECK_CIRCLE, palette.done, "done"),
            Progress::Skipped => (icons::ICON_REMOVE, palette.text_weak, "skipped"),
            Progress::Open => (icons::ICON_CIRCLE, palette.text_weak, "to do"),
        };
        ui.horizontal(|ui| {
            ui.label(theme::icon(icon, theme::ICON_SMALL).color(colour));
            let title = RichText::new(step.title());
            let title = if is_current { title.strong() } else { title };
            let number = step as usize + 1;
            ui.label(title).widget_info(|| {
                let text = format!("Step {number}: {}, {said}", step.title());
                WidgetInfo::labeled(Role::Label, true, text)
            });
        });
        if !is_current {
            return;
        }
        ui.indent(step.title(), |ui| {
            ui.add(egui::Label::new(RichText::new(step.text()).weak()).wrap());
            ui.horizontal(|ui| {
                let command = step.command();
                let entry = command.entry();
                let key = state.keys().first_key(command);
                let key = key.map(|key| format!("  {key}")).unwrap_or_default();
                let text = format!("{}{key}", entry.name);
                let button = Button::new((theme::icon(entry.icon, theme::ICON_SMALL), text));
                let response = ui.add(button).on_hover_text(format!("{}.", entry.help));
                let name = format!("Begin: {}", step.title());
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name.clone()));
                if response.clicked() {
                    actions.command(command);
                }
                if ui.button("Skip").clicked() {
                    self.progress[step as usize] = Progress::Skipped;
                }
            });
            ui.add_space(4.0);
        });
    }
}

impl Editor {
    /// Begins with an empty plot, after asking about unsaved work; brings the steps back if they are
    /// under way.
    pub(super) fn start_first_level(&mut self, ctx: &egui::Context) {
        let first = &mut self.windows.first_level;
        if self.state.level_is_open() && !first.is_starting && !first.is_open {
            // Closed on the way: it goes on where it was left.
            let is_under_way = first.progress.contains(&Progress::Done);
            if is_under_way && first.current().is_some() {
                first.is_open = true;
                return;
            }
        }
        first.start();
        self.intend(
            ctx,
            Intention::New {
                template: Template::Empty,
                options: Options {
                    size: Some(PLOT),
                    ..Options::default()
                },
            },
        );
    }

    /// How far the first level is.
    #[must_use]
    pub const fn first_level(&self) -> &FirstLevel {
        &self.windows.first_level
    }
}
