//! The language by its examples.

use super::*;
use crate::base::{Colour, EntityId};
use crate::document::model::{
    Agent, Entity, FlagIs, Heading, Hours, Kind, Level, Obstacle, Pattern, Relation, Route,
    RouteShape, Rule, Target, Terrain, Weight, When, limits,
};
use crate::document::{Edit, ops};
use crate::geometry::{Polygon, Rect};
use glam::{DVec2, DVec3};

fn level() -> Level {
    let area = || Polygon::rect(Rect::new(DVec2::ZERO, DVec2::ONE));
    let obstacle = || Kind::Obstacle(Obstacle::new(area()));
    let route = || Kind::Route(Route::new(RouteShape::Polyline(vec![DVec2::ZERO])));
    let agent = Kind::Agent(Agent {
        start: DVec3::ZERO,
        heading: Heading::default(),
        mission: Mission::new(EntityId::new(99)),
    });
    let entities = [
        (
            "Grass",
            Kind::Terrain(Terrain::new(Colour::hex(0x60_90_40), Pattern::Plain, 1.0)),
        ),
        ("Wall", obstacle()),
        ("wall", obstacle()),
        ("Wall", obstacle()),
        ("Town hall", obstacle()),
        ("Guard", agent),
        ("alerted", Kind::Flag(false)),
        ("Mailbox", obstacle()),
        ("Alley", route()),
        ("not", obstacle()),
        ("", obstacle()),
    ];
    let edits: Vec<Edit> = (1..)
        .zip(entities)
        .map(|(id, (name, kind))| Edit::create(EntityId::new(id), Entity::new(name, kind)))
        .collect();
    ops::apply(&Level::default(), &edits).expect("valid")
}

fn id(number: u64) -> EntityId {
    EntityId::new(number)
}

fn names() -> Names {
    Names::of(&level())
}

fn read(text: &str) -> Sentence {
    parse(text, &names()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn constraint(text: &str) -> Constraint {
    let mut found = read(text).constraints;
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0)
}

fn refusal(text: &str) -> String {
    match parse(text, &names()) {
        Ok(read) => panic!("{text} means {read:?}"),
        Err(error) => error.to_string(),
    }
}

const NIGHT: When = When::between(22.0, 6.0);

#[test]
fn the_example_of_the_language_is_read() {
    let read = read(
        "near Wall(3) with weight 2; not in Grass; in front of \"Town hall\" with weight 3 from \
         22:00 to 6:00; not near line of sight of Guard with weight 5 while alerted",
    );
    let constant = |weight| Weight::Constant(weight);
    let front = Target::Relation {
        object: id(5),
        relation: Relation::Front {
            reach: limits::REACH.default,
        },
    };
    let sight = Target::Relation {
        object: id(6),
        relation: Relation::LineOfSight {
            range: limits::SIGHT.default,
            angle: limits::VIEW_ANGLE.default,
        },
    };
    assert_eq!(read.itinerary, None);
    assert_eq!(
        read.constraints,
        [
            Constraint::new(
                Rule::Near {
                    weight: constant(2.0)
                },
                id(4).into()
            ),
            Constraint::new(Rule::NotIn, id(1).into()),
            Constraint::new(
                Rule::In {
                    weight: constant(3.0)
                },
                front
            )
            .when(NIGHT),
            Constraint::new(
                Rule::Near {
                    weight: constant(-5.0)
                },
                sight
            )
            .when(When::while_set(id(7))),
        ]
    );
}

#[test]
fn goals_and_patrols_are_read() {
    let goals = |text: &str| {
        let Itinerary { goals, repeat } = read(text).itinerary.expect("has goals");
        (goals, repeat)
    };
    let (mailbox, alley) = (Target::Entity(id(8)), Target::Entity(id(9)));
    assert_eq!(
        goals("go to Mailbox, then patrol Alley"),
        (
            vec![Goal::Inside(mailbox), Goal::Patrol(alley)],
            Repeat::Once
        )
    );
    assert_eq!(
        goals("Go to (1, -2.5) then (3, 4, 5), THEN go to mailbox, then repeat"),
        (
            vec![
                Goal::At(DVec3::new(1.0, -2.5, 0.0)),
                Goal::At(DVec3::new(3.0, 4.0, 5.0)),
                Goal::Inside(mailbox)
            ],
            Repeat::Loop
        )
    );
    let back = Target::Relation {
        object: id(8),
        relation: Relation::Back { reach: 2.0 },
    };
    assert_eq!(
        goals("go to back of Mailbox within 2 m, then back and forth; near Wall"),
        (vec![Goal::Inside(back)], Repeat::BackAndForth)
    );
}

#[test]
fn signs_and_missing_weights_mean_what_is_documented() {
    let soft = |weight: f64| Weight::Constant(weight);
    for (text, rule) in [
        ("not in Grass", Rule::NotIn),
        (
            "not in Grass with weight 4",
            Rule::In { weight: soft(-4.0) },
        ),
        ("in Grass with weight -4", Rule::In { weight: soft(-4.0) }),
        (
            "not in Grass with weight -4",
            Rule::In { weight: soft(4.0) },
        ),
        ("in Grass", Rule::In { weight: soft(1.0) }),
        ("not near Grass", Rule::Near { weight: soft(-1.0) }),
        (
            "near Grass with weight -5",
            Rule::Near { weight: soft(-5.0) },
        ),
        ("not behind Guard", Rule::NotIn),
    ] {
        assert_eq!(constraint(text).rule, rule, "{text}");
    }
    let printed = print_constraint(&constraint("near Grass with weight -5"), &names());
    assert_eq!(printed, "not near Grass with weight 5");
}

#[test]
fn conditions_combine_in_any_order() {
    let when = When {
        hours: Some(Hours {
            from: 22.5,
            until: 6.0,
        }),
        flag: Some(FlagIs::Unset(id(7))),
    };
    for text in [
        "in Grass with weight 2 from 22:30 to 6 while not alerted",
        "in Grass while not Alerted from 22.5 to 06:00 with weight 2",
    ] {
        assert_eq!(constraint(text).when, when, "{text}");
    }
    assert_eq!(
        refusal("in Grass from 1:00 to 2:00 from 3:00 to 4:00"),
        "column 28: \"from\" stands twice in this clause; remove one"
    );
}

#[test]
fn weights_follow_the_hours() {
    let rule = constraint("near Wall with weight 2 at 6:00, -5 at 22:30:30").rule;
    let list = vec![(6.0, 2.0), (22.0 + 30.5 / 60.0, -5.0)];
    assert_eq!(rule.weight(), Some(&Weight::ByHour(list)));
    assert_eq!(
        refusal("near Wall with weight 2 at 6:00, 3 at 5:00"),
        "column 23: the hours of a constraint's weights must rise from 0:00 and end before 24:00"
    );
}

#[test]
fn what_is_printed_reads_well() {
    for text in [
        "near Wall(3) with weight 2; not in Grass",
        "in front of \"Town hall\" with weight 3 from 22:00 to 6:00",
        "not near line of sight of Guard with weight 5 while alerted",
        "go to Mailbox, then (3, 4), then patrol Alley, then repeat; behind Mailbox",
        "not in personal space of Guard within 2 m and 0.5 m behind",
        "in line of sight of Guard within 12 m and 100°",
        "between Wall(1) and wall(2) while not alerted",
        "along Alley within 3 m with weight 2 at 6:00, -1 at 22:00",
        "not in \"not\"; near \"Obstacle 11\"; in #77; near left of Guard",
    ] {
        assert_eq!(print(&read(text), &names()), text);
    }
    assert_eq!(
        print_lines(&read("in Grass;near Wall"), &names()),
        "in Grass;\nnear Wall(1)"
    );
    assert_eq!(print(&Sentence::default(), &names()), "");
}

#[test]
fn errors_name_the_column_what_was_expected_and_the_nearest_name() {
    for (text, sentence) in [
        (
            "near Gras",
            "column 6: nothing is called \"Gras\"; did you mean \"Grass\"?",
        ),
        (
            "in front of Town",
            "column 13: nothing is called \"Town\"; did you mean \"Town hall\"?",
        ),
        (
            "in Zeppelin",
            "column 4: nothing is called \"Zeppelin\" that could be a constraint's target",
        ),
        (
            "near alerted",
            "column 6: nothing is called \"alerted\" that could be a constraint's target",
        ),
        (
            "near Wall(4)",
            "column 6: only 3 are called \"Wall\"; they count from 1",
        ),
        ("near Guard(2)", "column 6: only one is called \"Guard\""),
        (
            "near Wall(0)",
            "column 11: several of one name count from 1: Wall(1), Wall(2) …",
        ),
        (
            "near \"Wall",
            "column 6: this name has no closing quotation mark",
        ),
        (
            "in Grass with weight 2000",
            "column 22: constraint weight must be between -1,000 and 1,000, not 2000",
        ),
        (
            "in Grass from 25 to 6",
            "column 15: time of day must be between 0 and 24 h, not 25",
        ),
        (
            "in Grass from 22:75 to 6",
            "column 15: \"22:75\" is not a time of day from 0:00 to 24:00",
        ),
        (
            "in Grass with weight two",
            "column 22: \"two\" has no meaning here; expected a number",
        ),
        (
            "in Grass while",
            "column 15: the sentence ends too early; expected the name of a flag or \"not\"",
        ),
        (
            "in Grass, near Wall",
            "column 9: \",\" has no meaning here; expected \"with weight\", \"from\", \"while\", \
             \"(\" or \";\"",
        ),
        (
            "near Wall;\nin Gras",
            "line 2, column 4: nothing is called \"Gras\"; did you mean \"Grass\"?",
        ),
        (
            "go to Mailbox then",
            "column 19: the sentence ends too early; expected a name",
        ),
    ] {
        let told = refusal(text);
        // Limits have their own wording; the place is what counts here.
        let (place, _) = sentence.split_once(": ").expect("a place");
        assert!(told.starts_with(&format!("{place}: ")), "{text}: {told}");
        if !sentence.contains("must be between") && !sentence.contains("ends too early") {
            assert_eq!(told, sentence, "{text}");
        }
    }
}

#[test]
fn empty_clauses_and_no_text_say_nothing() {
    for text in ["", "  ", ";", " ;\n; "] {
        assert_eq!(read(text), Sentence::default(), "{text:?}");
    }
    assert_eq!(read("in Grass;").constraints.len(), 1);
}

#[test]
fn ten_thousand_clauses_are_refused_in_one_sentence() {
    let many = "near Wall(2) with weight 2; ".repeat(10_000);
    let told = refusal(&many);
    assert!(
        told.ends_with("the sentence has too many clauses; at most 1000 constraints are allowed"),
        "{told}"
    );
    let allowed = "near Wall(2); ".repeat(limits::MAX_CONSTRAINTS);
    assert_eq!(read(&allowed).constraints.len(), limits::MAX_CONSTRAINTS);
}

fn offered(text: &str) -> Vec<String> {
    let caret = text.find('|').expect("marks the caret");
    let text = text.replace('|', "");
    let found = complete(&text, caret, &names());
    found.suggestions.into_iter().map(|s| s.text).collect()
}

#[test]
fn completion_offers_what_may_follow() {
    let all = offered("|");
    for phrase in ["near", "in", "not", "go to", "patrol", "behind", "between"] {
        assert!(all.iter().any(|text| text == phrase), "{phrase}: {all:?}");
    }
    assert_eq!(offered("ne|"), ["near"]);
    assert_eq!(offered("near gr|"), ["Grass"]);
    assert_eq!(offered("in line |"), ["of sight of"]);
    assert_eq!(offered("near \"to|"), ["\"Town hall\""]);
    assert_eq!(offered("near hal|"), ["\"Town hall\""]);
    assert_eq!(offered("near wal|"), ["Wall(1)", "wall(2)", "Wall(3)"]);
    assert_eq!(offered("in Grass while |"), ["not", "alerted"]);
    assert_eq!(offered("in Grass wh|"), ["while"]);
    assert_eq!(offered("in Grass; go|"), ["go to"]);
    assert_eq!(offered("go to (1, |"), Vec::<String>::new());
    assert_eq!(offered("near Zeppelin |"), Vec::<String>::new());
    assert!(offered("go to Mailbox, then |").contains(&"patrol".to_owned()));
    assert!(offered("in |").contains(&"front of".to_owned()));
}

#[test]
fn completion_replaces_the_word_before_the_caret() {
    let text = "near gr with weight 2";
    let found = complete(text, 7, &names());
    assert_eq!(found.replaces, 5..7);
    let open = complete("near \"Town h", 12, &names());
    assert_eq!(open.replaces, 5..12);
    assert_eq!(
        complete("süd", 2, &names()).replaces.end,
        1,
        "not within a letter"
    );
}

#[test]
fn a_mission_is_said_and_heard() {
    let mut mission = Mission::new(id(99));
    mission.repeat = Repeat::Loop;
    mission.goals = vec![Goal::At(DVec3::ONE)];
    mission.constraints = read("near Wall(2); not in Grass").constraints;
    let said = print(&Sentence::of(&mission), &names());
    let mut heard = Mission::new(id(99));
    read(&said).put_into(&mut heard);
    assert_eq!(heard, mission);
    read("in Grass").put_into(&mut heard);
    assert!(heard.goals.is_empty());
}
