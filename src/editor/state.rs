//! All that the window shows, without the window: tests drive it as it is.

use super::docking::Pane;
use super::key_map::KeyMap;
use super::meshes::Meshes;
use super::navigation::Navigation;
use super::notice::Notice;
use super::open_level::OpenLevel;
use super::panels::registry;
use super::preferences::Preferences;
use super::situation::SituationView;
use super::space::Space;
use super::suggestions::Suggestions;
use super::validation::Validation;
use crate::base::EntityId;
use crate::document::Document;
use crate::exchange::{FormatRow, Options};
use crate::geometry::Rect;
use crate::interaction::{self, Camera, Handled, Toolbox};
use crate::sim::Recording;
use glam::DVec2;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which page fills the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// Samples, recent files, templates; no level is open.
    Welcome,
    Level,
}

/// The views of the level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ViewKind {
    #[default]
    Plan,
    Space,
}

/// How the plan view looks at the level. Never part of history.
#[derive(Clone, Debug)]
pub struct View {
    pub camera: Camera,
    /// Size of the plan view as last drawn. Unit: points.
    pub viewport: DVec2,
    /// What the view was fitted to, and the camera that came of it: until the user moves it,
    /// the view keeps fitting when its size changes.
    fitted: Option<(Rect, Camera)>,
    /// Where the pointer is on the plan, while it is over it.
    pub pointer: Option<DVec2>,
    /// What the pointer is over, on the plan or in a list.
    pub hovered: Option<EntityId>,
    /// The plan view as a widget, to know whether keys are meant for it.
    pub focus_id: Option<egui::Id>,
    pub show: Shown,
    /// The plan is drawn without OpenGL.
    pub is_soft: bool,
}

impl View {
    /// Shows all of `rect`, also after the view has been given another size.
    pub fn fit(&mut self, rect: Rect) {
        self.camera.frame(rect, self.viewport);
        self.fitted = Some((rect, self.camera));
    }

    /// The view is drawn at this size from now on.
    pub(super) fn resize(&mut self, viewport: DVec2) {
        if self.viewport == viewport {
            return;
        }
        self.viewport = viewport;
        if let Some((rect, _)) = self.fitted.filter(|(_, camera)| *camera == self.camera) {
            self.fit(rect);
        }
    }

    /// What the tools need to know of it.
    #[must_use]
    pub fn for_tools(&self) -> interaction::View {
        interaction::View {
            metres_per_point: self.camera.metres(1.0),
            visible: self.camera.visible(self.viewport),
        }
    }
}

/// What the plan view draws besides the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    pub rulers: bool,
    pub labels: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            viewport: DVec2::new(800.0, 600.0),
            fitted: None,
            pointer: None,
            hovered: None,
            focus_id: None,
            is_soft: false,
            show: Shown {
                rulers: true,
                labels: true,
            },
        }
    }
}

/// For exporting again with one key.
#[derive(Clone, Debug, PartialEq)]
pub struct LastExport {
    pub format: &'static FormatRow,
    pub options: Options,
    pub path: PathBuf,
}

#[derive(Debug)]
pub struct EditorState {
    page: Page,
    pub(super) level: OpenLevel,
    pub view: View,
    pub space: Space,
    /// The view that the pointer was over last: zooming is meant for that.
    pub active_view: ViewKind,
    pub toolbox: Toolbox,
    pub preferences: Preferences,
    pub(super) keys: KeyMap,
    /// Panels that are open now.
    pub open_panes: BTreeSet<Pane>,
    /// What was exported last, and where to.
    pub last_export: Option<LastExport>,
    pub(super) validation: Validation,
    pub navigation: Navigation,
    /// Annotations proposed for the selection.
    pub suggestions: Suggestions,
    /// The moment for which paths are planned.
    pub situation: SituationView,
    pub meshes: Meshes,
    /// Time that building the last frame took.
    pub frame_millis: f32,
    /// Not shown yet, oldest first.
    pub notices: VecDeque<Notice>,
    /// The drag over the plan moves the view, not the tool.
    pub(super) panning: bool,
}

impl Default for EditorState {
    fn default() -> Self {
        Self::new(Preferences::default())
    }
}

impl EditorState {
    /// Nothing open: the welcome page.
    #[must_use]
    pub fn new(preferences: Preferences) -> Self {
        Self {
            page: Page::Welcome,
            level: OpenLevel::default(),
            view: View::default(),
            space: Space::default(),
            active_view: ViewKind::Plan,
            toolbox: Toolbox::default(),
            keys: KeyMap::new(&preferences.keys),
            preferences,
            open_panes: registry::rows().into_iter().map(|row| row.pane).collect(),
            last_export: None,
            validation: Validation::default(),
            navigation: Navigation::default(),
            suggestions: Suggestions::default(),
            situation: SituationView::default(),
            meshes: Meshes::default(),
            frame_millis: 0.0,
            notices: VecDeque::new(),
            panning: false,
        }
    }

    /// A document without file or journal, as tests use it.
    #[must_use]
    pub fn with_document(document: Document) -> Self {
        let mut state = Self::default();
        state.open(OpenLevel::Loose(Box::new(document)));
        state
    }

    /// Shows another level and returns the one before. View and tool start afresh.
    pub fn open(&mut self, level: OpenLevel) -> OpenLevel {
        self.page = Page::Level;
        let snap = self.toolbox.defaults.snap;
        self.toolbox = Toolbox::default();
        self.toolbox.defaults.snap = snap;
        let document = level.document();
        self.view.fit(document.level().extent());
        // The ground is there already: a brush that paints it would seem to do nothing.
        let base = document.level().settings().base_terrain;
        self.toolbox.defaults.terrain = document
            .level()
            .terrains()
            .map(|(id, ..)| id)
            .find(|id| Some(*id) != base);
        self.view.hovered = None;
        self.space.forget();
        self.validation = Validation::default();
        self.navigation.forget();
        self.suggestions = Suggestions::default();
        self.situation = SituationView::default();
        self.forget_meshes();
        std::mem::replace(&mut self.level, level)
    }

    /// The level has become another one without being opened again: what was worked out from
    /// the old one is void.
    pub(super) fn forget_derived(&mut self) {
        self.validation = Validation::default();
        self.navigation.forget();
        self.view.hovered = None;
    }

    pub(super) fn set_preferences(&mut self, preferences: Preferences) {
        self.keys = KeyMap::new(&preferences.keys);
        self.preferences = preferences;
    }

    /// Closes the level, which is returned, and shows the welcome page.
    pub fn close(&mut self) -> OpenLevel {
        let level = self.open(OpenLevel::default());
        self.page = Page::Welcome;
        level
    }

    #[must_use]
    pub const fn page(&self) -> Page {
        self.page
    }

    #[must_use]
    pub fn level_is_open(&self) -> bool {
        self.page == Page::Level
    }

    /// The open level; an empty one while none is open.
    #[must_use]
    pub fn document(&self) -> &Document {
        self.level.document()
    }

    /// How the agents move, for exports that show it: what the window plays.
    #[must_use]
    pub fn export_recording(&self) -> Option<Arc<Recording>> {
        self.navigation.player.recording().map(Arc::clone)
    }

    /// The level's file; `None` until it is saved for the first time.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.level.path()
    }

    #[must_use]
    pub const fn keys(&self) -> &KeyMap {
        &self.keys
    }

    /// What the level is called in titles: its name, its file's, or neither yet.
    #[must_use]
    pub fn title(&self) -> String {
        let name = &self.document().level().settings().name;
        if !name.is_empty() {
            return name.clone();
        }
        self.path().and_then(|path| path.file_stem()).map_or_else(
            || "Untitled level".to_owned(),
            |stem| stem.to_string_lossy().into_owned(),
        )
    }

    /// The level's name and its file's, as titles show them.
    #[must_use]
    pub fn title_with_file(&self) -> String {
        let title = self.title();
        let Some(path) = self.path() else {
            return title;
        };
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if path.file_stem().is_some_and(|stem| stem == &*title) {
            file.into_owned()
        } else {
            format!("{title} – {file}")
        }
    }

    /// Hands an event to the tool in hand.
    pub fn send_to_tool(&mut self, event: interaction::Event) -> Handled {
        let view = self.view.for_tools();
        self.toolbox.handle(&mut self.level, &view, event)
    }

    /// Takes back a drag in progress, before something else changes the level or has the
    /// pointer. Points that were placed stay.
    pub(super) fn cancel_drag(&mut self) {
        self.cancel_space_drag();
        self.send_to_tool(interaction::Event::FocusLost);
        self.level.cancel();
    }

    pub fn notify(&mut self, notice: Notice) {
        self.notices.push_back(notice);
    }
}
