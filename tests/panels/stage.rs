//! A panel alone in a narrow window, tied to an editor without one.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use wayloom::base::{Colour, EntityId};
use wayloom::document::{
    Agent, Document, Edit, Entity, Goal, Heading, Kind, Level, Mission, Note, Obstacle, Pattern,
    Profile, Region, Selection, Terrain,
};
use wayloom::editor::panels;
use wayloom::editor::{Actions, Editor, EditorState, theme};
use wayloom::geometry::{Polygon, Rect};
use wayloom::jobs::window_thread::WindowThread;

/// The narrowest a panel is meant for. Unit: points.
pub const WIDTH: f32 = 260.0;

pub const MUD: EntityId = EntityId::new(1);
pub const ROAD: EntityId = EntityId::new(2);
pub const ADULT: EntityId = EntityId::new(3);
pub const WALL: EntityId = EntityId::new(4);
pub const TOWER: EntityId = EntityId::new(5);
pub const PUDDLE: EntityId = EntityId::new(6);
pub const GUARD: EntityId = EntityId::new(7);
pub const REMARK: EntityId = EntityId::new(8);
pub const HOUSE: EntityId = EntityId::new(9);

pub struct Stage {
    pub editor: Editor,
    draw: fn(&mut Editor, &mut egui::Ui, &mut Actions),
}

impl Stage {
    pub fn document(&self) -> &Document {
        self.editor.state.document()
    }

    pub fn level(&self) -> &Level {
        self.document().level()
    }

    pub fn entity(&self, id: EntityId) -> &Entity {
        self.level().get(id).expect("in the level")
    }

    pub fn undo_labels(&self) -> Vec<String> {
        self.document().undo_labels().map(str::to_owned).collect()
    }
}

fn square(x: f64, y: f64, size: f64) -> Polygon {
    let min = DVec2::new(x, y);
    Polygon::rect(Rect::new(min, min + DVec2::splat(size)))
}

/// Two terrains, a profile, two obstacles, a region, an agent, a note, and an empty group.
pub fn small_level() -> Document {
    let mut document = Document::new(Level::default(), EntityId::new(1));
    let mut mission = Mission::new(ADULT);
    mission.goals = vec![
        Goal::At(DVec3::new(30.0, 5.0, 0.0)),
        Goal::At(DVec3::new(30.0, 25.0, 0.0)),
    ];
    let agent = Agent {
        start: DVec3::new(2.0, 5.0, 0.0),
        heading: Heading::degrees(0.0),
        mission,
    };
    let note = Note {
        at: DVec2::new(8.0, 8.0),
        text: "Check the door".to_owned(),
    };
    let terrain =
        |rgb: u32, pattern, weight| Kind::Terrain(Terrain::new(Colour::hex(rgb), pattern, weight));
    let obstacle = |x: f64, height: f64| {
        let mut obstacle = Obstacle::new(square(x, 10.0, 4.0));
        obstacle.height = height;
        Kind::Obstacle(obstacle)
    };
    let edits = [
        Entity::new("Mud", terrain(0x7a5c3e, Pattern::Dots, 5.0)),
        Entity::new("Road", terrain(0x8a8d91, Pattern::Plain, 1.0)),
        Entity::new("Adult", Kind::Profile(Profile::default())),
        Entity::new("Wall", obstacle(10.0, 3.0)).tagged("stone"),
        Entity::new("Tower", obstacle(20.0, 12.0)),
        Entity::new(
            "Puddle",
            Kind::Region(Region {
                area: square(30.0, 10.0, 6.0),
                terrain: MUD,
            }),
        ),
        Entity::new("Guard", Kind::Agent(agent)),
        Entity::new("Remark", Kind::Note(note)),
        Entity::new("House", Kind::Group),
    ]
    .into_iter()
    .map(|entity| Edit::create(document.allocate_id(), entity))
    .collect();
    document.commit("Draw", edits).expect("valid");
    document
}

pub fn stage(
    document: Document,
    selected: &[EntityId],
    draw: fn(&mut Editor, &mut egui::Ui, &mut Actions),
) -> Harness<'static, Stage> {
    let mut state = EditorState::with_document(document);
    state.open_panes.clear();
    let mut editor = Editor::new(state, None);
    let selection: Selection = selected.iter().copied().collect();
    let ctx = egui::Context::default();
    editor.apply(&ctx, wayloom::editor::Action::Select(selection));
    let mut harness = Harness::builder()
        .with_size([WIDTH, 1600.0])
        .with_max_steps(60)
        .with_step_dt(1.0 / 60.0)
        .with_context_setup(theme::install)
        .build_ui_state(
            |ui, stage: &mut Stage| {
                let _frame = WindowThread::mark();
                let mut actions = Actions::default();
                (stage.draw)(&mut stage.editor, ui, &mut actions);
                let ctx = ui.ctx().clone();
                for action in actions.take() {
                    stage.editor.apply(&ctx, action);
                    ctx.request_repaint();
                }
            },
            Stage { editor, draw },
        );
    harness.run();
    harness
}

pub fn inspector(document: Document, selected: &[EntityId]) -> Harness<'static, Stage> {
    stage(document, selected, |editor, ui, actions| {
        editor
            .panels
            .get::<panels::Inspector>()
            .ui(ui, &editor.state, actions);
    })
}

pub fn outliner(document: Document, selected: &[EntityId]) -> Harness<'static, Stage> {
    stage(document, selected, |editor, ui, actions| {
        editor
            .panels
            .get::<panels::Outliner>()
            .ui(ui, &editor.state, actions);
    })
}

/// Draws until something has come of work in the background.
pub fn until(harness: &mut Harness<'_, Stage>, is_done: impl Fn(&Stage) -> bool) {
    let since = std::time::Instant::now();
    while !is_done(harness.state()) {
        assert!(since.elapsed().as_secs() < 30, "it never came");
        std::thread::sleep(std::time::Duration::from_millis(2));
        harness.step();
    }
}

/// Clicks a number, types over it, and confirms.
pub fn type_number(harness: &mut Harness<'_, Stage>, label: &str, text: &str) {
    harness.get_by_label(label).click();
    harness.run();
    harness.get_by_label(label).type_text(text);
    harness.key_press(egui::Key::Enter);
    harness.run();
}
