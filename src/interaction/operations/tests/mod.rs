//! Every operation through a document, with undo and redo, on a small level with one of every kind.

mod anything;
mod pasting;
mod placing;
mod replacing;
mod shaping;
mod structure;

use super::*;
use crate::base::{Colour, EntityId};
use crate::document::validate::{Code, validate};
use crate::document::*;
use crate::geometry::{Polygon, Rect};
use crate::interaction::clipboard::{Clipboard, Destination};
use glam::{DVec2, DVec3};

/// A level under test, with entities looked up by name.
struct Bench {
    document: Document,
}

fn square(x: f64, y: f64, size: f64) -> Polygon {
    let min = DVec2::new(x, y);
    Polygon::rect(Rect::new(min, min + size))
}

fn obstacle(x: f64, y: f64, size: f64) -> Kind {
    Kind::Obstacle(Obstacle::new(square(x, y, size)))
}

fn terrain(rgb: u32) -> Kind {
    Kind::Terrain(Terrain::new(Colour::hex(rgb), Pattern::Plain, 1.0))
}

impl Bench {
    fn new() -> Self {
        Self {
            document: Document::new(Level::default(), EntityId::new(1)),
        }
    }

    /// Two terrains, a profile, a flag, an agent with route, goal area, constraint and test.
    fn furnished() -> Self {
        let mut bench = Self::new();
        let grass = bench.add("Grass", terrain(0x00_ff_00));
        let mud = bench.add("Mud", terrain(0x80_40_00));
        let settings = Settings {
            base_terrain: Some(grass),
            ..Settings::default()
        };
        bench.commit(vec![Edit::Settings(std::sync::Arc::new(settings))]);
        let walker = bench.add(
            "Walker",
            Kind::Profile(Profile {
                terrain_weights: [(mud, 9.0)].into(),
                ..Profile::default()
            }),
        );
        let alarm = bench.add("Alarm", Kind::Flag(false));
        bench.add(
            "Swamp",
            Kind::Region(Region {
                area: square(40.0, 40.0, 10.0),
                terrain: mud,
            }),
        );
        let tower = bench.add("Tower", obstacle(10.0, 10.0, 4.0));
        let front = bench.add(
            "Before the tower",
            Kind::Annotation(Annotation::Relation {
                object: tower,
                relation: Relation::Front { reach: 2.0 },
            }),
        );
        let path = bench.add(
            "Path",
            Kind::Route(Route::new(RouteShape::Polyline(vec![
                DVec2::new(1.0, 1.0),
                DVec2::new(20.0, 2.0),
                DVec2::new(30.0, 9.0),
            ]))),
        );
        let guard = bench.add(
            "Guard",
            Kind::Agent(Agent {
                start: DVec3::new(2.0, 2.0, 0.0),
                heading: Heading::degrees(0.0),
                mission: Mission {
                    goals: vec![Goal::inside(front), Goal::At(DVec3::new(30.0, 9.0, 0.0))],
                    route: Some(path),
                    constraints: vec![
                        Constraint::new(Rule::NotIn, mud.into()),
                        Constraint::new(Rule::Near { weight: 2.0.into() }, tower.into())
                            .when(When::while_set(alarm)),
                    ],
                    ..Mission::new(walker)
                },
            }),
        );
        bench.add(
            "Guard arrives",
            Kind::Test(NavTest {
                query: Query::Agent(guard),
                expectation: Expectation {
                    never_in: vec![mud],
                    ..Expectation::default()
                },
            }),
        );
        bench
    }

    fn add(&mut self, name: &str, kind: Kind) -> EntityId {
        let id = self.document.allocate_id();
        self.commit(vec![Edit::create(id, Entity::new(name, kind))]);
        id
    }

    fn commit(&mut self, edits: Vec<Edit>) {
        self.document.commit("Set up", edits).expect("valid");
    }

    fn id(&self, name: &str) -> EntityId {
        self.document
            .level()
            .iter()
            .find(|(_, entity)| entity.name == name)
            .unwrap_or_else(|| panic!("no {name}"))
            .0
    }

    fn has(&self, name: &str) -> bool {
        self.document.level().iter().any(|(_, e)| e.name == name)
    }

    fn entity(&self, name: &str) -> &Entity {
        self.document.level().get(self.id(name)).expect("there")
    }

    fn bounds(&self, name: &str) -> Rect {
        self.entity(name).bounds().expect("has a place")
    }

    fn mission(&self, name: &str) -> &Mission {
        self.entity(name).mission().expect("has one")
    }

    fn select(&mut self, names: &[&str]) {
        let selection = names.iter().map(|name| self.id(name)).collect();
        self.document.select(selection);
    }

    fn selected(&self) -> Vec<String> {
        let level = self.document.level();
        self.document
            .selection()
            .iter()
            .map(|id| level.label(id))
            .collect()
    }

    /// Performs an operation; checks that undo and redo are exact and that no dangling reference is
    /// left.
    fn perform(
        &mut self,
        operation: impl FnOnce(&OperationInput<'_>) -> Result<Change, Refused>,
    ) -> Result<bool, Refused> {
        let before = self.document.level().clone();
        let changed = perform(&mut self.document, operation)?;
        let after = self.document.level().clone();
        if changed {
            self.document.undo();
            assert_eq!(**self.document.level(), *before);
            self.document.redo();
            assert_eq!(**self.document.level(), *after);
        }
        let errors: Vec<String> = validate(&after, None)
            .into_iter()
            .filter(|problem| {
                matches!(
                    problem.code,
                    Code::DanglingReference | Code::WrongReference | Code::GroupCycle
                )
            })
            .map(|problem| problem.message)
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
        Ok(changed)
    }

    #[track_caller]
    fn done(&mut self, operation: impl FnOnce(&OperationInput<'_>) -> Result<Change, Refused>) {
        assert_eq!(self.perform(operation), Ok(true));
    }

    #[track_caller]
    fn refusal(
        &mut self,
        operation: impl FnOnce(&OperationInput<'_>) -> Result<Change, Refused>,
    ) -> String {
        self.perform(operation).expect_err("refused").0
    }
}
