//! Older versions are read as they were meant, and written in the newest one.

use super::{FormatError, read, read_clip, read_step, salvage::salvage, write};
use crate::base::EntityId;
use crate::document::Level;
use crate::document::edit::Edit;
use crate::document::history::Step;
use crate::document::model::{Constraint, DoorState, Goal, Kind, Rule, Target, Weight, When};

/// As version 1 wrote it, with everything that version 2 writes otherwise.
const FIRST_VERSION: &str = r##"Wayloom(
    version: 1,
    next_id: 9,
    settings: (
        name: "Yard",
        bounds: ((0.0, 0.0), (40.0, 30.0)),
        grid: 1.0,
        snap: [Grid],
        clock: (start: 12.0, speed: 1.0),
    ),
    entities: [
        (
            id: 1,
            name: "Alarm",
            kind: Flag(false),
        ),
        (
            id: 2,
            name: "Cart",
            kind: Obstacle(
                area: (outer: [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0)]),
                height: 1.0,
                motion: (path: [(1.0, 1.0), (9.0, 1.0)], speed: 2.0),
            ),
        ),
        (
            id: 3,
            kind: Relation(object: 2, relation: Around(reach: 3.0)),
        ),
        (
            id: 4,
            name: "Crate",
            kind: Solid(shape: Box, position: (5.0, 5.0, 0.0), size: (1.0, 1.0, 1.0)),
        ),
        (
            id: 8,
            name: "Guard",
            kind: Agent(
                start: (10.0, 10.0, 0.0),
                mission: (
                    profile: 5,
                    planner: Constraint,
                    goals: [Inside(3), At(1.0, 2.0, 3.0)],
                    constraints: [
                        (rule: In(weight: -2.0), target: 3, when: Flag(1)),
                        (rule: Near(weight: 4.5), target: 2, when: Between(from: 22.0, until: 6.0)),
                        (rule: NotIn, target: 2),
                    ],
                ),
            ),
        ),
    ],
)
"##;

fn entity_text() -> &'static str {
    let start = FIRST_VERSION
        .find("(\n            id: 8")
        .expect("is there");
    let end = FIRST_VERSION.rfind(",\n    ],").expect("is there");
    &FIRST_VERSION[start..end]
}

fn assert_guard(kind: &Kind) {
    let Kind::Agent(guard) = kind else {
        panic!("an agent")
    };
    let (alarm, cart, around) = (EntityId::new(1), EntityId::new(2), EntityId::new(3));
    let soft = |weight| Weight::Constant(weight);
    assert_eq!(
        guard.mission.constraints,
        [
            Constraint::new(Rule::In { weight: soft(-2.0) }, around.into())
                .when(When::while_set(alarm)),
            Constraint::new(Rule::Near { weight: soft(4.5) }, cart.into())
                .when(When::between(22.0, 6.0)),
            Constraint::new(Rule::NotIn, cart.into()),
        ]
    );
    assert_eq!(guard.mission.goals[0], Goal::Inside(Target::Entity(around)));
}

fn guard_of(level: &Level) -> &Kind {
    &level.get(EntityId::new(8)).expect("is there").kind
}

#[test]
fn a_level_of_the_first_version_keeps_its_meaning() {
    let loaded = read(FIRST_VERSION).expect("is valid");
    assert_guard(guard_of(&loaded.level));
    assert_eq!(loaded.next_id, EntityId::new(9));
    let text = write(&loaded.level, loaded.next_id);
    assert!(text.starts_with("Wayloom(\n    version: 2,\n"));
    let again = read(&text).expect("is valid");
    assert_eq!(again.level, loaded.level);
    assert_eq!(write(&again.level, again.next_id), text);
}

#[test]
fn clips_and_journal_steps_of_the_first_version_are_read() {
    let clip = format!("WayloomClip(version: 1, entities: [{}])", entity_text());
    let pasted = read_clip(&clip).expect("is valid");
    assert_guard(&pasted[0].1.kind);
    let newer = clip.replace("version: 1", "version: 3");
    assert_eq!(read_clip(&newer), Err(FormatError::TooNew { version: 3 }));

    let step = format!(
        "Commit(label:\"Add\",edits:[Delete(3),Create{}])",
        entity_text()
    );
    let Ok(Step::Commit { edits, .. }) = read_step(&step) else {
        panic!("a commit")
    };
    let [_, Edit::Create { entity, .. }] = &edits[..] else {
        panic!("two edits")
    };
    assert_guard(&entity.kind);
}

#[test]
fn a_damaged_level_of_the_first_version_is_salvaged() {
    let damaged = FIRST_VERSION.replacen("name: \"Crate\"", "name: Crate", 1);
    let saved = salvage(&damaged).expect("most of it is left");
    assert_eq!((saved.lost, saved.loaded.level.len()), (1, 4));
    assert_guard(guard_of(&saved.loaded.level));
}

#[test]
fn each_version_refuses_what_only_another_one_has() {
    let mixed = FIRST_VERSION.replacen("version: 1", "version: 2", 1);
    assert!(read(&mixed).is_err());
    let patrol = FIRST_VERSION.replacen("Inside(3)", "Patrol(Entity(3))", 1);
    assert!(read(&patrol).is_err());
}

/// Everything that crowds need, in the file's own words.
const CROWDS: &str = r#"Wayloom(version: 2, next_id: 20, settings: (name: "Station",
    bounds: ((0.0, 0.0), (40.0, 30.0)), grid: 1.0, snap: [Grid], clock: (start: 12.0, speed: 1.0),
    simulation: (seed: 7, model: "orca", duration: 600.0)), entities: [
    (id: 1, name: "Alarm", kind: Flag(false)),
    (id: 2, name: "Main entrance", kind: Door(from: (1.0, 2.0), to: (1.0, 4.0), state: Shut,
        changes: [(to: Open, when: (hours: (8.0, 18.0))), (to: Locked, when: (flag: Set(1)))],
        locked_for: [3], flow: 1.5, swing: Double)),
    (id: 4, kind: Link(action: Ladder, from: (1.0, 1.0, 0.0), to: (1.0, 2.0, 3.0), one_way: true,
        cost: 12.0, pace: Time(6.0), profiles: [3], animation: "climb")),
    (id: 5, name: "Out", kind: Exit(area: (outer: [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]))),
    (id: 6, kind: WaitingArea(area: (outer: [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]),
        wait: For(Uniform(from: 5.0, to: 9.0)))),
    (id: 7, kind: Queue(line: [(0.0, 0.0), (4.0, 0.0)], service: Constant(20.0))),
    (id: 8, kind: MeasuringLine(from: (0.0, 0.0), to: (4.0, 0.0))),
    (id: 9, kind: MeasuringArea(area: (outer: [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]), base: 3.0)),
    (id: 10, kind: Crowd(area: (outer: [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]), count: 1,
        timetable: [(at: 30.0, count: 80, over: 20.0)], groups: [(1, 2.0), (2, 1.0)],
        mission: (profile: 3, goals: [Inside(Entity(7)), NearestExit]))),
    (id: 11, kind: Test(query: Run,
        run: (all_out_within: 180.0, max_density: [(9, 4.0)], none_stuck: true))),
])"#;

#[test]
fn what_crowds_need_is_read_and_written_without_loss() {
    let loaded = read(CROWDS).expect("is valid");
    let level = &loaded.level;
    let (_, entity, door) = level.doors().next().expect("is there");
    assert_eq!(entity.name, "Main entrance");
    assert_eq!(door.state_at(20.0, |_| false), DoorState::Shut);
    assert_eq!(door.state_at(9.0, |_| false), DoorState::Open);
    assert_eq!(door.state_at(9.0, |_| true), DoorState::Locked);
    let (.., crowd) = level.crowds().next().expect("is there");
    assert_eq!(crowd.size(), 80);
    assert_eq!(level.settings().simulation.model, "orca");
    let text = write(level, loaded.next_id);
    let again = read(&text).expect("is valid");
    assert_eq!(again, loaded);
    assert_eq!(write(&again.level, again.next_id), text);
    // Defaults are omitted, so files without these things are as they were.
    for omitted in ["step:", "base: 0", "spacing:", "height:"] {
        assert!(!text.contains(omitted), "{omitted}");
    }
}

#[test]
fn wrong_fields_of_doors_and_links_are_refused() {
    for (right, wrong) in [
        ("swing: Double", "hinge: Double"),
        ("state: Shut", "state: Ajar"),
        ("cost: 12.0", "cost: -1.0"),
        ("count: 80", "count: 800000"),
        ("none_stuck: true", "nobody_stuck: true"),
        ("flow: 1.5", "flow: 0.0"),
    ] {
        assert!(CROWDS.contains(right));
        let text = CROWDS.replacen(right, wrong, 1);
        assert!(read(&text).is_err(), "{wrong}");
    }
}
