//! Every operation through a document, with undo and redo, on a small level that has a bit of
//! everything.

use super::*;
use crate::base::{Colour, EntityId};
use crate::document::validate::{Code, validate};
use crate::document::*;
use crate::geometry::{Polygon, Rect};
use crate::interaction::clipboard::{Clipboard, Destination};
use glam::{DVec2, DVec3};

/// A level under test: things are spoken of by name.
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
                    goals: vec![Goal::Inside(front), Goal::At(DVec3::new(30.0, 9.0, 0.0))],
                    route: Some(path),
                    constraints: vec![
                        Constraint {
                            rule: Rule::NotIn,
                            target: mud,
                            when: When::Always,
                        },
                        Constraint {
                            rule: Rule::Near { weight: 2.0 },
                            target: tower,
                            when: When::Flag(alarm),
                        },
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

    /// Does an operation; checks that undo and redo take it back and forth exactly, and that it
    /// leaves no reference behind that leads nowhere.
    fn perform(
        &mut self,
        operation: impl FnOnce(&Subject<'_>) -> Result<Change, Refused>,
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
    fn done(&mut self, operation: impl FnOnce(&Subject<'_>) -> Result<Change, Refused>) {
        assert_eq!(self.perform(operation), Ok(true));
    }

    #[track_caller]
    fn refusal(
        &mut self,
        operation: impl FnOnce(&Subject<'_>) -> Result<Change, Refused>,
    ) -> String {
        self.perform(operation).expect_err("refused").0
    }
}

#[test]
fn copies_refer_to_copies_and_lie_right_above() {
    let mut bench = Bench::furnished();
    bench.select(&["Tower", "Before the tower", "Guard", "Guard arrives"]);
    bench.done(|on| duplicate(on, DVec2::new(5.0, 0.0)));
    assert_eq!(
        bench.selected(),
        [
            "Tower 1",
            "Before the tower 1",
            "Guard 1",
            "Guard arrives 1"
        ]
    );
    assert_eq!(bench.bounds("Tower 1").min, DVec2::new(15.0, 10.0));
    let copy = bench.mission("Guard 1");
    assert_eq!(copy.goals[0], Goal::Inside(bench.id("Before the tower 1")));
    assert_eq!(copy.goals[1], Goal::At(DVec3::new(35.0, 9.0, 0.0)));
    assert_eq!(
        copy.route,
        Some(bench.id("Path")),
        "not copied: the same one"
    );
    assert_eq!(copy.constraints[1].target, bench.id("Tower 1"));
    let Kind::Test(test) = &bench.entity("Guard arrives 1").kind else {
        panic!("still a test")
    };
    assert_eq!(test.query, Query::Agent(bench.id("Guard 1")));
    let order: Vec<String> = bench
        .document
        .level()
        .iter()
        .map(|(_, e)| e.name.clone())
        .collect();
    let original = order
        .iter()
        .position(|n| n == "Guard arrives")
        .expect("there");
    assert_eq!(order[original + 1], "Tower 1");
}

#[test]
fn deleting_mends_what_referred_to_it() {
    let mut bench = Bench::furnished();
    bench.select(&["Tower", "Path", "Alarm"]);
    bench.done(delete);
    assert!(
        !bench.has("Before the tower"),
        "a relation needs its object"
    );
    let mission = bench.mission("Guard");
    assert_eq!(mission.route, None);
    assert_eq!(mission.goals, [Goal::At(DVec3::new(30.0, 9.0, 0.0))]);
    assert_eq!(
        mission.constraints.len(),
        1,
        "only the one about mud is left"
    );

    bench.select(&["Mud"]);
    bench.done(delete);
    let grass = bench.id("Grass");
    assert!(matches!(&bench.entity("Swamp").kind, Kind::Region(r) if r.terrain == grass));
    assert!(
        matches!(&bench.entity("Walker").kind, Kind::Profile(p) if p.terrain_weights.is_empty())
    );
    assert!(bench.mission("Guard").constraints.is_empty());

    bench.select(&["Guard"]);
    bench.done(delete);
    assert!(!bench.has("Guard arrives"), "a test needs its agent");
    bench.select(&["Grass"]);
    bench.done(delete);
    assert_eq!(bench.document.level().settings().base_terrain, None);
    assert!(!bench.has("Swamp"), "no terrain is left to paint it with");
}

#[test]
fn the_last_profile_stays_while_somebody_needs_it() {
    let mut bench = Bench::furnished();
    bench.select(&["Walker"]);
    assert_eq!(
        bench.refusal(delete),
        "Guard needs a profile, and this is the last one; make another one first"
    );
    bench.add("Runner", Kind::Profile(Profile::default()));
    bench.done(delete);
    assert_eq!(bench.mission("Guard").profile, bench.id("Runner"));
    bench.select(&["Runner", "Guard"]);
    bench.done(delete);
}

#[test]
fn locked_things_are_not_deleted_nor_moved() {
    let mut bench = Bench::furnished();
    bench.select(&["Tower"]);
    bench.done(lock);
    assert!(bench.selected().is_empty());
    bench.select(&["Tower"]);
    assert_eq!(
        bench.refusal(delete),
        "what is selected is locked; unlock it first"
    );
    assert_eq!(
        bench.refusal(|on| nudge(on, Direction::Up, 1.0)),
        "what is selected is locked; unlock it first"
    );
    bench.done(unlock_all);
    assert_eq!(bench.selected(), ["Tower"]);
    bench.done(|on| nudge(on, Direction::Up, 10.0));
    assert_eq!(bench.bounds("Tower").min, DVec2::new(10.0, 20.0));
    assert_eq!(bench.refusal(unlock_all), "nothing is locked");
    bench.document.select(Selection::default());
    assert_eq!(bench.refusal(delete), "nothing is selected");
}

#[test]
fn groups_nest_and_dissolve() {
    let mut bench = Bench::new();
    for (i, name) in ["A", "B", "C", "D"].into_iter().enumerate() {
        bench.add(name, obstacle(10.0 * i as f64, 0.0, 4.0));
    }
    bench.select(&["A", "B"]);
    bench.done(group);
    assert_eq!(bench.selected(), ["Group 1"]);
    bench.select(&["Group 1", "A", "C"]);
    bench.done(group);
    let (inner, outer) = (bench.id("Group 1"), bench.id("Group 2"));
    assert_eq!(
        bench.entity("A").group,
        Some(inner),
        "comes along within its group"
    );
    assert_eq!(bench.entity("Group 1").group, Some(outer));
    assert_eq!(bench.entity("C").group, Some(outer));

    bench.select(&["Group 2"]);
    bench.done(|on| duplicate(on, DVec2::new(0.0, 10.0)));
    assert_eq!(bench.document.level().members(bench.id("Group 4")).len(), 4);
    bench.done(delete);
    assert!(!bench.has("A 1"));

    bench.select(&["A"]);
    bench.done(ungroup);
    assert_eq!(bench.entity("A").group, Some(outer), "one step out");
    bench.select(&["Group 2", "Group 1"]);
    bench.done(ungroup);
    assert!(!bench.has("Group 1") && !bench.has("Group 2"));
    assert_eq!(bench.entity("B").group, None);
    assert_eq!(bench.selected(), ["A", "B", "C"]);
    bench.select(&["D"]);
    assert_eq!(bench.refusal(ungroup), "nothing selected is in a group");

    bench.select(&["C", "D"]);
    bench.done(group);
    bench.select(&["C", "D"]);
    bench.done(ungroup);
    assert!(
        !bench
            .document
            .level()
            .iter()
            .any(|(_, e)| e.kind == Kind::Group),
        "empty groups go"
    );
}

#[test]
fn hiding_and_showing() {
    let mut bench = Bench::furnished();
    bench.select(&["Tower", "Swamp"]);
    bench.done(hide);
    assert!(bench.selected().is_empty());
    assert!(!bench.document.level().is_visible(bench.id("Tower")));
    bench.select(&["Tower"]);
    bench.done(show);
    bench.done(show_all);
    assert_eq!(bench.selected(), ["Swamp"]);
    assert_eq!(bench.refusal(show_all), "nothing is hidden");
    bench.select(&["Swamp"]);
    bench.done(lock);
    bench.select(&["Swamp"]);
    bench.done(unlock);
}

#[test]
fn layers_take_things_in_and_change_places() {
    let mut bench = Bench::furnished();
    bench.select(&["Tower", "Grass"]);
    bench.done(|on| new_layer(on, "Buildings"));
    let buildings = bench.id("Buildings");
    assert_eq!(bench.entity("Tower").layer, Some(buildings));
    assert_eq!(
        bench.entity("Grass").layer,
        None,
        "definitions lie in no layer"
    );
    bench.document.select(Selection::default());
    bench.done(|on| new_layer(on, " "));
    let second = bench.id("Layer 1");
    bench.select(&["Swamp"]);
    bench.done(|on| assign_to_layer(on, Some(second)));
    assert_eq!(bench.entity("Swamp").layer, Some(second));
    bench.done(|on| assign_to_layer(on, None));
    assert_eq!(bench.entity("Swamp").layer, None);
    assert_eq!(
        bench.refusal(|on| move_layer(on, second, LayerStep::Up)),
        "it is the uppermost layer already"
    );
    bench.done(|on| move_layer(on, second, LayerStep::Down));
    assert_eq!(
        bench.refusal(|on| move_layer(on, second, LayerStep::Down)),
        "it is the lowest layer already"
    );
    let tower = bench.id("Tower");
    assert_eq!(
        bench.refusal(|on| assign_to_layer(on, Some(tower))),
        "the layer is not in the level any more"
    );
    bench.select(&["Buildings"]);
    bench.done(delete);
    assert_eq!(bench.entity("Tower").layer, None);
}

#[test]
fn the_order_changes_step_by_step_and_all_the_way() {
    let mut bench = Bench::new();
    for name in ["A", "B", "C", "D"] {
        bench.add(name, obstacle(0.0, 0.0, 4.0));
    }
    bench.add("Grass", terrain(0));
    bench.add("E", obstacle(0.0, 0.0, 4.0));
    let order = |bench: &Bench| -> String {
        bench
            .document
            .level()
            .iter()
            .map(|(_, e)| {
                if e.name == "Grass" {
                    "-"
                } else {
                    e.name.as_str()
                }
            })
            .collect()
    };
    assert_eq!(order(&bench), "ABCD-E");
    bench.select(&["A", "C"]);
    bench.done(|on| reorder(on, Place::OneUp));
    assert_eq!(order(&bench), "BADC-E");
    bench.done(|on| reorder(on, Place::OneUp));
    assert_eq!(
        order(&bench),
        "BDA-EC",
        "a definition is no step of its own"
    );
    bench.done(|on| reorder(on, Place::OneDown));
    assert_eq!(order(&bench), "BAD-CE");
    bench.done(|on| reorder(on, Place::Back));
    assert_eq!(order(&bench), "ACBD-E");
    assert_eq!(
        bench.refusal(|on| reorder(on, Place::OneDown)),
        "it is below everything already"
    );
    bench.done(|on| reorder(on, Place::Front));
    assert_eq!(order(&bench), "BD-EAC");
    assert_eq!(
        bench.refusal(|on| reorder(on, Place::Front)),
        "it is above everything already"
    );
}

#[test]
fn edges_and_centres_line_up_and_groups_stay_whole() {
    let mut bench = Bench::new();
    bench.add("A", obstacle(0.0, 0.0, 4.0));
    bench.add("B", obstacle(10.0, 20.0, 2.0));
    bench.add("C", obstacle(14.0, 30.0, 2.0));
    bench.select(&["B", "C"]);
    bench.done(group);
    bench.select(&["A", "Group 1"]);
    bench.done(|on| align(on, Edge::Left));
    assert_eq!(bench.bounds("B").min.x, 0.0);
    assert_eq!(
        bench.bounds("C").min.x,
        4.0,
        "keeps its distance within the group"
    );
    assert_eq!(bench.bounds("B").min.y, 20.0);
    bench.done(|on| align(on, Edge::Top));
    assert_eq!(bench.bounds("A").max.y, 32.0);
    bench.done(|on| align(on, Edge::Middle));
    bench.done(|on| align(on, Edge::Bottom));
    assert_eq!(bench.bounds("A").min.y, bench.bounds("B").min.y);
    bench.done(|on| align(on, Edge::Centre));
    assert_eq!(bench.bounds("A").centre().x, 3.0);
    assert_eq!(bench.perform(|on| align(on, Edge::Centre)), Ok(false));
    bench.done(|on| align(on, Edge::Right));
    bench.select(&["A"]);
    assert_eq!(
        bench.refusal(|on| align(on, Edge::Left)),
        "select two or more things that are not locked"
    );
}

#[test]
fn gaps_or_centres_become_equal() {
    let setting = || {
        let mut bench = Bench::new();
        bench.add("A", obstacle(0.0, 0.0, 2.0));
        bench.add("C", obstacle(20.0, 5.0, 10.0));
        bench.add("B", obstacle(3.0, 9.0, 4.0));
        bench.select(&["A", "B", "C"]);
        bench
    };
    let mut bench = setting();
    bench.done(|on| distribute(on, Axis::Across, Spacing::Gaps));
    let gap = bench.bounds("B").min.x - bench.bounds("A").max.x;
    assert_eq!(gap, bench.bounds("C").min.x - bench.bounds("B").max.x);
    assert_eq!(bench.bounds("B").min.y, 9.0);
    assert_eq!(
        (bench.bounds("A").min.x, bench.bounds("C").max.x),
        (0.0, 30.0)
    );

    let mut bench = setting();
    bench.done(|on| distribute(on, Axis::Down, Spacing::Centres));
    let centre = |name: &str| bench.bounds(name).centre().y;
    assert_eq!(centre("C") - centre("A"), centre("B") - centre("C"));
    bench.select(&["A", "B"]);
    assert_eq!(
        bench.refusal(|on| distribute(on, Axis::Across, Spacing::Gaps)),
        "select three or more things that are not locked"
    );
}

#[test]
fn mirrors_turns_and_scales_are_about_the_middle_or_a_point() {
    let mut bench = Bench::furnished();
    bench.add("Shed", obstacle(20.0, 10.0, 8.0));
    bench.select(&["Tower", "Shed"]);
    bench.done(|on| mirror(on, Axis::Across));
    assert_eq!(bench.bounds("Shed").min.x, 10.0);
    assert_eq!(bench.bounds("Tower").max.x, 28.0);
    assert!(
        matches!(&bench.entity("Tower").kind, Kind::Obstacle(o) if o.facing.degrees == 180.0),
        "its front is on the other side now"
    );
    bench.done(|on| mirror(on, Axis::Across));
    bench.done(|on| quarter_turn(on, Turn::Left));
    bench.done(|on| quarter_turn(on, Turn::Right));
    assert_eq!(bench.bounds("Tower").min, DVec2::new(10.0, 10.0));
    bench.done(|on| rotate(on, Some(DVec2::ZERO), 180.0));
    assert_eq!(bench.bounds("Tower").max, DVec2::new(-10.0, -10.0));
    bench.done(|on| rotate(on, Some(DVec2::ZERO), -540.0));
    bench.done(|on| scale(on, Some(DVec2::new(10.0, 10.0)), DVec2::new(2.0, 0.5)));
    assert_eq!(bench.bounds("Tower").size(), DVec2::new(8.0, 2.0));
    assert_eq!(
        bench.refusal(|on| scale(on, None, DVec2::new(0.0, 1.0))),
        "the factors are 0 and 1; they must be numbers other than zero"
    );
    assert_eq!(
        bench.refusal(|on| rotate(on, None, f64::NAN)),
        "the angle is not a number"
    );
    bench.select(&["Grass"]);
    assert_eq!(
        bench.refusal(|on| mirror(on, Axis::Down)),
        "select something that has a place in the plan"
    );
}

#[test]
fn nudges_of_the_same_things_may_be_one_step() {
    let mut bench = Bench::furnished();
    bench.select(&["Tower"]);
    let change = nudge(&Subject::of(&bench.document), Direction::Left, 1.0).expect("possible");
    let key = change.merge.expect("merges");
    assert_eq!(key.subjects, [bench.id("Tower")]);
}

#[test]
fn united_shapes_keep_the_lowest_ones_identity_and_inherit_references() {
    let mut bench = Bench::furnished();
    bench.add("Annexe", obstacle(13.0, 10.0, 4.0));
    let annexe = bench.id("Annexe");
    let mut guard = bench.entity("Guard").clone();
    let Kind::Agent(agent) = &mut guard.kind else {
        panic!()
    };
    agent.mission.constraints[0].target = annexe;
    let id = bench.id("Guard");
    bench.commit(vec![Edit::replace(id, guard)]);
    bench.select(&["Annexe", "Tower"]);
    bench.done(|on| combine(on, Combination::Union));
    assert!(!bench.has("Annexe"));
    assert_eq!(bench.selected(), ["Tower"]);
    assert_eq!(bench.bounds("Tower").size(), DVec2::new(7.0, 4.0));
    assert_eq!(bench.entity("Tower").vertex_count(), 4);
    assert_eq!(
        bench.mission("Guard").constraints[0].target,
        bench.id("Tower")
    );
}

#[test]
fn what_falls_apart_becomes_several() {
    let mut bench = Bench::new();
    let bar = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::new(20.0, 2.0)));
    bench.add("Bar", Kind::Obstacle(Obstacle::new(bar)));
    bench.add("Cutter", obstacle(8.0, -2.0, 6.0));
    bench.select(&["Bar", "Cutter"]);
    bench.done(|on| combine(on, Combination::Subtract));
    assert_eq!(bench.selected(), ["Bar", "Bar 1"]);
    assert_eq!(bench.bounds("Bar").size().x, 8.0, "the larger piece");
    assert_eq!(bench.bounds("Bar 1").min.x, 14.0);
}

#[test]
fn intersections_keep_what_all_share() {
    let mut bench = Bench::new();
    for (name, x) in [("A", 0.0), ("B", 4.0), ("C", 6.0), ("Far", 90.0)] {
        bench.add(name, obstacle(x, 0.0, 10.0));
    }
    bench.select(&["A", "B", "C"]);
    bench.done(|on| combine(on, Combination::Intersect));
    assert_eq!(
        bench.bounds("A"),
        Rect::new(DVec2::new(6.0, 0.0), DVec2::new(10.0, 10.0))
    );
    bench.select(&["A", "Far"]);
    assert_eq!(
        bench.refusal(|on| combine(on, Combination::Intersect)),
        "the shapes have nothing in common"
    );
    bench.select(&["Far"]);
    assert_eq!(
        bench.refusal(|on| combine(on, Combination::Union)),
        "select two or more obstacles, regions or areas that are not locked"
    );
    bench.add("Cover", obstacle(80.0, -10.0, 40.0));
    bench.select(&["Far", "Cover"]);
    assert_eq!(
        bench.refusal(|on| combine(on, Combination::Subtract)),
        "nothing of Far would be left"
    );
}

#[test]
fn outlines_grow_and_shrink_until_nothing_is_left() {
    let mut bench = Bench::furnished();
    bench.select(&["Tower", "Guard"]);
    bench.done(|on| offset(on, 1.0));
    assert_eq!(
        bench.bounds("Tower"),
        Rect::new(DVec2::splat(9.0), DVec2::splat(15.0))
    );
    bench.done(|on| offset(on, -2.0));
    assert_eq!(bench.bounds("Tower").size(), DVec2::splat(2.0));
    assert_eq!(
        bench.refusal(|on| offset(on, -1.0)),
        "nothing of Tower would be left; choose a smaller distance"
    );
    bench.select(&["Guard"]);
    assert_eq!(
        bench.refusal(|on| offset(on, 1.0)),
        "select something with an outline"
    );
}

#[test]
fn points_that_hardly_matter_go() {
    let mut bench = Bench::new();
    let disc = Polygon::regular(DVec2::new(20.0, 20.0), 5.0, 64, 0.0);
    bench.add("Disc", Kind::Obstacle(Obstacle::new(disc)));
    let line = (0..50)
        .map(|i| DVec2::new(f64::from(i), 0.01 * f64::from(i % 2)))
        .collect();
    bench.add("Line", Kind::Route(Route::new(RouteShape::Polyline(line))));
    bench.select(&["Disc", "Line"]);
    bench.done(|on| simplify(on, 0.1));
    assert!(bench.entity("Disc").vertex_count() < 32);
    assert_eq!(bench.entity("Line").vertex_count(), 2);
    let label = bench
        .document
        .undo_labels()
        .next_back()
        .expect("there")
        .to_owned();
    assert!(
        label.starts_with("Simplify (") && label.ends_with(" points less)"),
        "{label}"
    );
    assert_eq!(
        bench.refusal(|on| simplify(on, 0.001)),
        "every point matters at this tolerance; choose a larger one"
    );
    bench.done(|on| simplify(on, 1.0));
    // A tolerance beyond its size leaves the shape alone.
    let _ = bench.perform(|on| simplify(on, 100.0));
    assert!(bench.entity("Disc").vertex_count() >= 3);
}

#[test]
fn shapes_and_routes_turn_into_each_other() {
    let mut bench = Bench::furnished();
    let mud = bench.id("Mud");
    bench.select(&["Swamp"]);
    let area = square(40.0, 40.0, 10.0);
    bench.done(|on| convert(on, Form::Obstacle));
    assert!(matches!(&bench.entity("Swamp").kind, Kind::Obstacle(o) if o.area == area));
    bench.done(|on| convert(on, Form::Area));
    bench.done(|on| convert(on, Form::Polyline));
    let Kind::Route(route) = &bench.entity("Swamp").kind else {
        panic!()
    };
    assert!(route.closed);
    bench.done(|on| convert(on, Form::Bezier));
    bench.done(|on| convert(on, Form::Polyline));
    bench.done(|on| convert(on, Form::Region(mud)));
    let Kind::Region(region) = &bench.entity("Swamp").kind else {
        panic!()
    };
    assert_eq!(region.terrain, mud);
    let around = region.area.bounds();
    assert!(
        around.contains_rect(&area.bounds()) && around.size().x < 16.0,
        "{around:?}"
    );
    assert_eq!(
        bench.refusal(|on| convert(on, Form::Region(mud))),
        "select something that can become a region"
    );
}

#[test]
fn converting_takes_off_references_that_no_longer_fit() {
    let mut bench = Bench::furnished();
    bench.select(&["Path"]);
    bench.done(|on| convert(on, Form::Obstacle));
    assert_eq!(bench.mission("Guard").route, None);
    bench.select(&["Tower"]);
    assert_eq!(
        bench.refusal(|on| convert(on, Form::Area)),
        "Before the tower needs Tower as it is; change or delete it first"
    );
    bench.done(|on| convert(on, Form::Polyline));
    let straight = RouteShape::Polyline(vec![DVec2::ZERO, DVec2::X, DVec2::new(9.0, 0.0)]);
    bench.add("Straight", Kind::Route(Route::new(straight)));
    bench.select(&["Straight"]);
    assert_eq!(
        bench.refusal(|on| convert(on, Form::Obstacle)),
        "Straight encloses no area; give it a third point beside the line"
    );
}

#[test]
fn things_are_found_by_text_kind_tag_and_terrain() {
    let mut bench = Bench::furnished();
    let tower = bench.id("Tower");
    let tagged = bench.entity("Tower").clone().tagged("stone");
    bench.commit(vec![Edit::replace(tower, tagged)]);
    let level = bench.document.level().clone();
    let names = |criteria: &Criteria| -> Vec<String> {
        find(&level, criteria)
            .iter()
            .map(|id| level.label(id))
            .collect()
    };
    let text = Criteria {
        text: "TOWER ".to_owned(),
        ..Criteria::default()
    };
    assert_eq!(names(&text), ["Tower", "Before the tower"]);
    let kind = Criteria {
        kind: Some(KindName::Annotation),
        ..text
    };
    assert_eq!(names(&kind), ["Before the tower"]);
    let tag = Criteria {
        tag: Some("stone".to_owned()),
        ..Criteria::default()
    };
    assert_eq!(names(&tag), ["Tower"]);
    let painted = Criteria {
        terrain: Some(bench.id("Mud")),
        ..Criteria::default()
    };
    assert_eq!(names(&painted), ["Swamp"]);
    assert_eq!(find(&level, &Criteria::default()).len(), level.len());
}

#[test]
fn terrains_and_tags_are_replaced_everywhere_or_in_the_selection() {
    let mut bench = Bench::furnished();
    let (grass, mud) = (bench.id("Grass"), bench.id("Mud"));
    bench.done(|on| replace_terrain(on, mud, grass, Scope::Level));
    assert_eq!(bench.selected(), ["Swamp"]);
    assert_eq!(
        bench.refusal(|on| replace_terrain(on, mud, grass, Scope::Level)),
        "nothing is painted with Mud"
    );
    bench.done(|on| replace_terrain(on, grass, mud, Scope::Level));
    assert_eq!(bench.document.level().settings().base_terrain, Some(mud));

    for name in ["Tower", "Swamp"] {
        let id = bench.id(name);
        let tagged = bench.entity(name).clone().tagged("old");
        bench.commit(vec![Edit::replace(id, tagged)]);
    }
    bench.select(&["Tower"]);
    bench.done(|on| replace_tag(on, "old", Some("new"), Scope::Selection));
    assert!(bench.entity("Tower").has_tag("new") && bench.entity("Swamp").has_tag("old"));
    bench.done(|on| replace_tag(on, "old", None, Scope::Level));
    assert!(bench.entity("Swamp").tags.is_empty());
    assert_eq!(
        bench.refusal(|on| replace_tag(on, "old", None, Scope::Level)),
        "nothing carries the tag `old`"
    );
    assert_eq!(
        bench.refusal(|on| replace_tag(on, "new", Some(" "), Scope::Level)),
        "the new tag is empty; give it a word"
    );
}

#[test]
fn pasting_at_home_keeps_references_to_what_was_not_copied() {
    let mut bench = Bench::furnished();
    let mut clipboard = Clipboard::default();
    bench.select(&["Guard"]);
    let text = clipboard
        .copy(&Subject::of(&bench.document))
        .expect("copied");
    bench.done(|on| clipboard.paste(on, &text, Destination::Beside(DVec2::new(0.0, 3.0))));
    assert_eq!(bench.selected(), ["Guard 1"]);
    let (copy, original) = (bench.mission("Guard 1"), bench.mission("Guard"));
    assert_eq!(copy.route, original.route);
    assert_eq!(copy.profile, original.profile, "no second profile");
    assert_eq!(copy.constraints, original.constraints);
    assert_eq!(copy.goals[1], Goal::At(DVec3::new(30.0, 12.0, 0.0)));
}

#[test]
fn pasting_elsewhere_brings_definitions_along_and_drops_what_stayed_behind() {
    let mut bench = Bench::furnished();
    bench.select(&["Guard", "Swamp", "Before the tower", "Guard arrives"]);
    let text = Clipboard::default()
        .copy(&Subject::of(&bench.document))
        .expect("copied");

    let mut other = Bench::new();
    other.add("Grass", terrain(0x00_ff_00));
    other.add("Mud", terrain(0x12_34_56));
    let clipboard = Clipboard::default();
    other.done(|on| clipboard.paste(on, &text, Destination::InPlace));
    assert!(!other.has("Before the tower"), "its tower did not come");
    assert_eq!(other.bounds("Swamp"), bench.bounds("Swamp"));
    let mud = other.id("Mud 1");
    assert!(matches!(&other.entity("Swamp").kind, Kind::Region(r) if r.terrain == mud));
    assert!(
        matches!(&other.entity("Walker").kind, Kind::Profile(p) if p.terrain_weights[&mud] == 9.0)
    );
    let mission = other.mission("Guard");
    assert_eq!(mission.route, None);
    assert_eq!(mission.goals.len(), 1);
    assert_eq!(mission.constraints.len(), 1);
    assert!(other.has("Guard arrives"));
    assert!(!other.has("Grass 1"), "nothing copied refers to grass");

    // A second time everything matches, and only the things are made again.
    let profiles = other.document.level().profiles().count();
    other.done(|on| clipboard.paste(on, &text, Destination::At(DVec2::new(70.0, 70.0))));
    assert_eq!(other.document.level().profiles().count(), profiles);
    assert!(other.has("Guard 1") && other.has("Swamp 1"));
}

#[test]
fn cutting_copies_and_deletes() {
    let mut bench = Bench::furnished();
    bench.select(&["Swamp", "Tower"]);
    bench.done(group);
    let mut clipboard = Clipboard::default();
    let (text, change) = clipboard.cut(&Subject::of(&bench.document)).expect("cut");
    assert_eq!(change.label, "Cut 3 things");
    bench.done(|_| Ok(change));
    assert!(!bench.has("Tower") && !bench.has("Group 1"));
    bench.done(|on| clipboard.paste(on, &text, Destination::InPlace));
    assert_eq!(bench.selected(), ["Group 1"]);
    assert_eq!(bench.document.level().members(bench.id("Group 1")).len(), 2);
}

#[test]
fn bad_clipboard_text_gets_a_sentence() {
    let mut bench = Bench::furnished();
    let clipboard = Clipboard::default();
    bench.select(&["Tower"]);
    let good = Clipboard::default()
        .copy(&Subject::of(&bench.document))
        .expect("copied");
    for bad in [
        "",
        "hello",
        "WayloomClip",
        "WayloomClip(version: 1, entities: [",
        "WayloomClip(version: 99, entities: [])",
        "WayloomClip(version: 1, entities: [])",
        &good[..good.len() / 2],
        &good.replace("10.0", "NaN"),
    ] {
        let sentence = bench.refusal(|on| clipboard.paste(on, bad, Destination::InPlace));
        assert!(sentence.len() > 10, "{bad}: {sentence}");
    }
    bench.document.select(Selection::default());
    assert_eq!(
        Clipboard::default().copy(&Subject::of(&bench.document)),
        Err(Refused("nothing is selected".to_owned()))
    );
}

/// One of the operations with arguments of its own; often refused, never wrong.
fn anything(on: &Subject<'_>, random: &mut crate::base::Random) -> Result<Change, Refused> {
    let by = random.point(DVec2::splat(-8.0), DVec2::splat(8.0)).round();
    let terrain = on.level.terrains().next().map(|(id, _, _)| id);
    let layer = find(
        on.level,
        &Criteria {
            kind: Some(KindName::Layer),
            ..Criteria::default()
        },
    );
    match random.below(22) {
        0 => duplicate(on, by),
        1 | 2 => delete(on),
        3 | 4 => group(on),
        5 => ungroup(on),
        6 => lock(on),
        7 => unlock_all(on),
        8 => assign_to_layer(on, layer.iter().next()),
        9 => reorder(on, Place::OneUp),
        10 => reorder(on, Place::OneDown),
        11 => align(on, Edge::Centre),
        12 => distribute(on, Axis::Across, Spacing::Gaps),
        13 => mirror(on, Axis::Down),
        14 => rotate(on, None, by.x * 20.0),
        15 => combine(on, Combination::Union),
        16 => combine(on, Combination::Subtract),
        17 => offset(on, by.x * 0.1),
        18 => simplify(on, by.y.abs() * 0.2),
        19 => convert(on, Form::Obstacle),
        20 => match terrain {
            Some(terrain) => convert(on, Form::Region(terrain)),
            None => show_all(on),
        },
        _ => {
            let mut clipboard = Clipboard::default();
            let text = clipboard.copy(on)?;
            if random.chance(0.5) {
                clipboard.forget();
            }
            clipboard.paste(on, &text, Destination::Beside(by))
        }
    }
}

#[test]
fn a_hundred_operations_on_a_real_level_can_all_be_taken_back() {
    for (template, seed) in [(Template::Mckenna, 1), (Template::Rooms, 2)] {
        let level = template.build(&Default::default()).expect("drawn");
        let mut bench = Bench {
            document: Document::new(level, EntityId::new(1)),
        };
        let start = bench.document.level().clone();
        let mut random = crate::base::Random::new(seed);
        let mut done = 0;
        for _ in 0..100 {
            let all: Vec<EntityId> = bench.document.level().order().iter().copied().collect();
            let count = 1 + random.below(5);
            let selection = (0..count)
                .filter_map(|_| random.pick(&all).copied())
                .collect();
            bench.document.select(selection);
            done += usize::from(
                bench
                    .perform(|on| anything(on, &mut random))
                    .unwrap_or_default(),
            );
        }
        assert!(done > 30, "only {done} of 100 did something");
        while bench.document.undo().is_some() {}
        assert_eq!(**bench.document.level(), *start, "{}", template.name());
    }
}
