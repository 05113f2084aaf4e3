//! An editor to play with: its own folder on disk, and a harness around it.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::DVec2;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use wayloom::base::EntityId;
use wayloom::document::session::{Opened, Session};
use wayloom::document::{Document, Edit, Entity, Kind, Level, Obstacle, format};
use wayloom::editor::open_level::OpenLevel;
use wayloom::editor::preferences::{DialogChoice, Preferences};
use wayloom::editor::store::Store;
use wayloom::editor::{Editor, EditorState, theme};
use wayloom::geometry::{Polygon, Rect};

/// How long a test waits for background work before it calls that a hang: far longer than any of it takes,
/// even unoptimised and beside the others.
pub const PATIENCE: Duration = Duration::from_secs(300);

pub const BARN: EntityId = EntityId::new(1);

/// A folder of its own for each test, gone when the test is over.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("wayloom-ui-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the temporary folder can be written to");
        Self(path.canonicalize().expect("it was made just now"))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// One obstacle, ten metres wide, in the middle of a hundred.
pub fn small_level() -> Level {
    let mut document = Document::new(Level::default(), BARN);
    let area = Polygon::rect(Rect::around(DVec2::splat(50.0), DVec2::splat(5.0)));
    let barn = Entity::new("Barn", Kind::Obstacle(Obstacle::new(area)));
    document
        .commit("Draw", vec![Edit::create(BARN, barn)])
        .expect("within every limit");
    (**document.level()).clone()
}

fn preferences() -> Preferences {
    Preferences {
        // Never ask the desktop of whoever runs the tests.
        dialogs: DialogChoice::Own,
        ..Preferences::default()
    }
}

/// An editor on its welcome page that keeps things in `folder`.
pub fn editor(folder: &Folder) -> Editor {
    Editor::with_store(
        EditorState::new(preferences()),
        None,
        Store::in_folder(folder.path()),
    )
}

/// An editor with the small level open, not in any file yet.
pub fn editor_with_level(folder: &Folder) -> Editor {
    let mut editor = editor(folder);
    open_level(&mut editor, folder);
    editor
}

/// Opens the small level in place of whatever is open.
pub fn open_level(editor: &mut Editor, folder: &Folder) {
    let session = Session::unnamed(small_level(), folder.path());
    editor.state.open(OpenLevel::Session(Box::new(session)));
}

/// An editor with the small level open from a file.
pub fn editor_with_file(folder: &Folder, path: &Path) -> Editor {
    let text = format::write(&small_level(), EntityId::new(2));
    std::fs::write(path, text).expect("the folder can be written to");
    let mut editor = editor(folder);
    match Session::open(path, folder.path()).expect("a whole file") {
        Opened::Clean(session) => {
            editor.state.open(OpenLevel::Session(Box::new(session)));
        }
        Opened::Unsaved(_) => panic!("no session has changed it"),
    }
    editor
}

pub fn harness<'a>(editor: Editor) -> Harness<'a, Editor> {
    sized(editor, egui::vec2(1280.0, 720.0))
}

pub fn sized<'a>(editor: Editor, size: egui::Vec2) -> Harness<'a, Editor> {
    let mut harness = Harness::builder()
        .with_size(size)
        .with_max_steps(20)
        .with_context_setup(theme::install)
        .build_ui_state(|ui, editor: &mut Editor| editor.ui(ui), editor);
    harness.run_ok();
    harness
}

/// Draws frames until background work has brought about what is waited for.
pub fn wait(harness: &mut Harness<'_, Editor>, what: &str, mut done: impl FnMut(&Editor) -> bool) {
    let started = Instant::now();
    loop {
        harness.step();
        if done(harness.state()) {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
    harness.run_ok();
}

/// Changes the open level, so that there is something to save.
pub fn change(harness: &mut Harness<'_, Editor>) {
    let editor = harness.state_mut();
    let mut barn = (**editor.state.document().level().get(BARN).expect("drawn")).clone();
    barn.name = "Old barn".to_owned();
    let ctx = egui::Context::default();
    editor.apply(
        &ctx,
        wayloom::editor::Action::Commit {
            label: "Rename".to_owned(),
            edits: vec![Edit::replace(BARN, barn)],
            merge: None,
        },
    );
    harness.run_ok();
    assert!(harness.state().state.document().is_dirty());
}

/// Puts the focus into a text field and types.
pub fn type_into(harness: &mut Harness<'_, Editor>, label: &str, text: &str) {
    harness.get_by_label(label).focus();
    harness.run_ok();
    harness.get_by_label(label).type_text(text);
    harness.run_ok();
}

/// Replaces what a text field holds.
pub fn retype(harness: &mut Harness<'_, Editor>, label: &str, text: &str) {
    harness.get_by_label(label).focus();
    harness.run_ok();
    press(harness, egui::Modifiers::COMMAND, egui::Key::A);
    harness.get_by_label(label).type_text(text);
    harness.run_ok();
}

/// Clicks the button of this name; labels inside it may bear the same one.
pub fn click_button(harness: &mut Harness<'_, Editor>, label: &str) {
    harness
        .get_by_role_and_label(egui::accesskit::Role::Button, label)
        .click();
    harness.run_ok();
}

pub fn press(harness: &mut Harness<'_, Editor>, modifiers: egui::Modifiers, key: egui::Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_ok();
}
