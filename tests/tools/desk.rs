//! A designer's desk: a document, a tool box, a pointer and a keyboard.

use glam::{DVec2, DVec3};
use std::time::Duration;
use wayloom::base::{Colour, EntityId};
use wayloom::document::{
    Agent, Annotation, Crowd, Document, Edit, Entity, Goal, Heading, Kind, Knot, Level, Mission,
    Note, Obstacle, Pattern, Profile, Region, Route, RouteShape, Selection, Settings, Snap, Solid,
    SolidShape, Spawn, Terrain, format, ops,
};
use wayloom::geometry::{Polygon, Rect};
use wayloom::interaction::{
    Event, Handled, Hints, Key, Modifiers, Overlay, Pointer, ToolKind, Toolbox, View,
};

/// Points of the screen per metre in every script.
pub const SCALE: f64 = 10.0;

pub struct Desk {
    pub document: Document,
    pub toolbox: Toolbox,
    pub modifiers: Modifiers,
    at: DVec2,
}

impl Desk {
    pub fn new(level: Level) -> Self {
        Self {
            document: Document::new(level, EntityId::new(100)),
            toolbox: Toolbox::default(),
            modifiers: Modifiers::NONE,
            at: DVec2::ZERO,
        }
    }

    /// Nothing but a profile and two terrains.
    pub fn open_field() -> Self {
        Self::new(level(definitions()))
    }

    /// One thing of every kind, apart from each other.
    pub fn yard() -> Self {
        Self::new(yard())
    }

    pub fn with(mut self, tool: ToolKind) -> Self {
        self.tool(tool);
        self
    }

    pub fn tool(&mut self, tool: ToolKind) -> &mut Self {
        let view = view();
        self.toolbox.switch(&mut self.document, &view, tool);
        assert_eq!(self.toolbox.current(), tool);
        self
    }

    pub fn send(&mut self, event: Event) -> Handled {
        self.toolbox.handle(&mut self.document, &view(), event)
    }

    fn pointer(&mut self, x: f64, y: f64) -> Pointer {
        self.at = DVec2::new(x, y);
        Pointer {
            world: self.at,
            screen: DVec2::new(x, -y) * SCALE,
            modifiers: self.modifiers,
        }
    }

    pub fn hold(&mut self, modifiers: Modifiers) -> &mut Self {
        self.modifiers = modifiers;
        self
    }

    pub fn hover(&mut self, x: f64, y: f64) -> &mut Self {
        let pointer = self.pointer(x, y);
        self.send(Event::Hover(pointer));
        self
    }

    pub fn click(&mut self, x: f64, y: f64) -> &mut Self {
        let pointer = self.pointer(x, y);
        self.send(Event::Hover(pointer));
        self.send(Event::Click(pointer));
        self
    }

    pub fn clicks(&mut self, places: &[(f64, f64)]) -> &mut Self {
        for (x, y) in places {
            self.click(*x, *y);
        }
        self
    }

    pub fn double_click(&mut self, x: f64, y: f64) -> &mut Self {
        self.click(x, y);
        let pointer = self.pointer(x, y);
        self.send(Event::DoubleClick(pointer));
        self
    }

    pub fn right_click(&mut self, x: f64, y: f64) -> &mut Self {
        let pointer = self.pointer(x, y);
        self.send(Event::SecondaryClick(pointer));
        self
    }

    pub fn press(&mut self, x: f64, y: f64) -> &mut Self {
        let pointer = self.pointer(x, y);
        self.send(Event::Hover(pointer));
        self.send(Event::DragStart(pointer));
        self
    }

    pub fn drag(&mut self, x: f64, y: f64) -> &mut Self {
        let pointer = self.pointer(x, y);
        self.send(Event::DragMove(pointer));
        self
    }

    pub fn release(&mut self) -> &mut Self {
        let pointer = self.pointer(self.at.x, self.at.y);
        self.send(Event::DragEnd(pointer));
        self
    }

    /// From one place to another in three steps.
    pub fn sweep(&mut self, from: (f64, f64), to: (f64, f64)) -> &mut Self {
        self.press(from.0, from.1);
        self.drag((from.0 + to.0) * 0.5, (from.1 + to.1) * 0.5);
        self.drag(to.0, to.1).release()
    }

    pub fn key(&mut self, key: Key) -> &mut Self {
        self.send(Event::Key(key, self.modifiers));
        self
    }

    pub fn typed(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            self.send(Event::Text(c.to_string()));
        }
        self
    }

    pub fn esc(&mut self) -> &mut Self {
        self.send(Event::Escape);
        self
    }

    pub fn select(&mut self, ids: &[u64]) -> &mut Self {
        self.document
            .select(ids.iter().map(|id| EntityId::new(*id)).collect());
        self
    }

    pub fn selected(&self) -> Vec<u64> {
        self.document
            .selection()
            .iter()
            .map(EntityId::number)
            .collect()
    }

    pub fn selection(&self) -> &Selection {
        self.document.selection()
    }

    pub fn level(&self) -> &Level {
        self.document.level()
    }

    /// The one entity that is selected.
    pub fn made(&self) -> &Entity {
        let id = self.selection().single().expect("one thing is selected");
        self.level().get(id).expect("it is in the level")
    }

    pub fn get(&self, id: u64) -> &Entity {
        self.level()
            .get(EntityId::new(id))
            .expect("it is in the level")
    }

    pub fn area(&self, id: u64) -> &Polygon {
        area(self.get(id))
    }

    pub fn hints(&self) -> Hints {
        self.toolbox.hints(&self.document, &view())
    }

    pub fn trouble(&self) -> String {
        self.hints().trouble.unwrap_or_default()
    }

    pub fn overlay(&self) -> Overlay {
        self.toolbox.overlay(&self.document, &view())
    }

    /// What a file of it would hold, ids given out aside.
    pub fn text(&self) -> String {
        format::write(self.level(), EntityId::new(1_000_000))
    }

    pub fn steps(&self) -> usize {
        self.document.undo_labels().len()
    }

    pub fn last_step(&self) -> &str {
        self.document.undo_labels().next_back().unwrap_or_default()
    }

    /// The script makes exactly one undo step, which undo takes back to the last byte, and redo
    /// brings again.
    pub fn one_step(&mut self, script: impl FnOnce(&mut Self)) -> &mut Self {
        let (before, steps) = (self.text(), self.steps());
        script(self);
        assert!(!self.document.in_transaction(), "the drag is over");
        assert_eq!(self.steps(), steps + 1, "one gesture is one step");
        let after = self.text();
        assert_ne!(before, after);
        self.document.undo();
        assert_eq!(self.text(), before, "undo restores every byte");
        self.document.redo();
        assert_eq!(self.text(), after);
        self
    }

    /// The script leaves no trace in the document.
    pub fn no_step(&mut self, script: impl FnOnce(&mut Self)) -> &mut Self {
        let (before, steps) = (self.text(), self.steps());
        let revision = self.document.revision();
        script(self);
        assert!(!self.document.in_transaction(), "no transaction is open");
        assert_eq!(self.text(), before);
        assert_eq!(self.steps(), steps);
        assert_eq!(self.document.revision(), revision);
        self
    }
}

/// Timings are shown by `--nocapture`; the limits leave room for slow machines and debug builds,
/// and still catch what grows with the level instead of with the change.
pub fn assert_fast(what: &str, took: Duration, limit: Duration) {
    eprintln!("{what}: {took:?}");
    assert!(took < limit, "{what} took {took:?}");
}

pub fn view() -> View {
    View {
        metres_per_point: 1.0 / SCALE,
        visible: Rect::new(DVec2::ZERO, DVec2::splat(100.0)),
    }
}

pub fn p(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

pub fn area(entity: &Entity) -> &Polygon {
    match &entity.kind {
        Kind::Region(region) => &region.area,
        Kind::Obstacle(obstacle) => &obstacle.area,
        Kind::Annotation(Annotation::Area(area)) => area,
        Kind::Crowd(crowd) => &crowd.area,
        _ => panic!("{:?} has no area", entity.kind.name()),
    }
}

pub fn polyline(entity: &Entity) -> &[DVec2] {
    match &entity.kind {
        Kind::Route(Route {
            shape: RouteShape::Polyline(points),
            ..
        }) => points,
        _ => panic!("{:?} is no polyline", entity.kind),
    }
}

pub fn rect(x: std::ops::Range<f64>, y: std::ops::Range<f64>) -> Polygon {
    Polygon::rect(Rect::new(p(x.start, y.start), p(x.end, y.end)))
}

pub const GUARD: u64 = 1;
pub const GRASS: u64 = 2;
pub const ROAD: u64 = 3;
pub const HOUSE: u64 = 10;
pub const SHED: u64 = 11;
pub const LAWN: u64 = 12;
pub const ROUTE: u64 = 13;
pub const AGENT: u64 = 14;
pub const CURVE: u64 = 15;
pub const PLAZA: u64 = 16;
pub const CROWD: u64 = 17;
pub const CRATE: u64 = 18;
pub const NOTE: u64 = 19;
pub const ATRIUM: u64 = 20;

pub fn definitions() -> Vec<(u64, Entity)> {
    let terrain = |colour| Kind::Terrain(Terrain::new(Colour::hex(colour), Pattern::Plain, 1.0));
    vec![
        (
            GUARD,
            Entity::new("Guard", Kind::Profile(Profile::default())),
        ),
        (GRASS, Entity::new("Grass", terrain(0x33_99_33))),
        (ROAD, Entity::new("Road", terrain(0x80_80_80))),
    ]
}

pub fn level(entities: Vec<(u64, Entity)>) -> Level {
    let edits: Vec<Edit> = entities
        .into_iter()
        .map(|(id, entity)| Edit::create(EntityId::new(id), entity))
        .collect();
    ops::apply(&Level::default(), &edits).expect("the level is valid")
}

/// A copy of the level with other snapping.
pub fn with_snap(level: &Level, snap: Snap) -> Level {
    let mut settings: Settings = (**level.settings()).clone();
    settings.grid.snap = snap;
    ops::apply(level, &[Edit::Settings(settings.into())]).expect("valid")
}

pub const NO_SNAP: Snap = Snap {
    grid: false,
    vertices: false,
    edges: false,
    axes: false,
};

fn mission(goal: DVec2) -> Mission {
    let mut mission = Mission::new(EntityId::new(GUARD));
    mission.goals = vec![Goal::At(goal.extend(0.0))];
    mission
}

pub fn yard() -> Level {
    let obstacle = |polygon| Kind::Obstacle(Obstacle::new(polygon));
    let mut entities = definitions();
    entities.extend([
        (
            HOUSE,
            Entity::new("House", obstacle(rect(10.0..20.0, 10.0..20.0))),
        ),
        (
            SHED,
            Entity::new("Shed", obstacle(rect(30.0..36.0, 10.0..16.0))),
        ),
        (
            LAWN,
            Entity::new(
                "Grass 1",
                Kind::Region(Region {
                    area: rect(40.0..60.0, 40.0..60.0),
                    terrain: EntityId::new(GRASS),
                }),
            ),
        ),
        (
            ROUTE,
            Entity::new(
                "Route 1",
                Kind::Route(Route::new(RouteShape::Polyline(vec![
                    p(10.0, 70.0),
                    p(30.0, 70.0),
                    p(30.0, 90.0),
                ]))),
            ),
        ),
        (
            AGENT,
            Entity::new(
                "Agent 1",
                Kind::Agent(Agent {
                    start: DVec3::new(70.0, 20.0, 0.0),
                    heading: Heading::default(),
                    mission: mission(p(90.0, 20.0)),
                }),
            ),
        ),
        (
            CURVE,
            Entity::new(
                "Route 2",
                Kind::Route(Route::new(RouteShape::Bezier(vec![
                    Knot {
                        point: p(50.0, 75.0),
                        handle_in: p(-5.0, 0.0),
                        handle_out: p(5.0, 0.0),
                    },
                    Knot {
                        point: p(70.0, 85.0),
                        handle_in: p(0.0, -5.0),
                        handle_out: p(0.0, 5.0),
                    },
                ]))),
            ),
        ),
        (
            PLAZA,
            Entity::new(
                "Plaza",
                Kind::Annotation(Annotation::Area(rect(70.0..80.0, 30.0..40.0))),
            ),
        ),
        (
            CROWD,
            Entity::new(
                "Crowd 1",
                Kind::Crowd(Crowd {
                    variety: Default::default(),
                    groups: Default::default(),
                    area: rect(84.0..94.0, 30.0..40.0),
                    count: 5,
                    spawn: Spawn::AtOnce,
                    mission: mission(p(89.0, 55.0)),
                }),
            ),
        ),
        (
            CRATE,
            Entity::new(
                "Crate",
                Kind::Solid(Solid::new(
                    SolidShape::Box,
                    DVec3::new(15.0, 35.0, 0.0),
                    DVec3::new(4.0, 2.0, 1.0),
                )),
            ),
        ),
        (
            NOTE,
            Entity::new(
                "Note 1",
                Kind::Note(Note {
                    at: p(5.0, 50.0),
                    text: "look here".to_owned(),
                }),
            ),
        ),
        (
            ATRIUM,
            Entity::new(
                "Atrium",
                obstacle(Polygon {
                    outer: rect(24.0..36.0, 40.0..52.0).outer,
                    holes: vec![
                        rect(28.0..32.0, 44.0..48.0)
                            .outer
                            .into_iter()
                            .rev()
                            .collect(),
                    ],
                }),
            ),
        ),
    ]);
    level(entities)
}
