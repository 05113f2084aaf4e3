//! Agents, relations, tags and notes.

use crate::desk::{
    AGENT, CRATE, CROWD, Desk, GUARD, HOUSE, LAWN, PLAZA, ROUTE, SHED, definitions, level, p, rect,
};
use glam::DVec2;
use wayloom::base::EntityId;
use wayloom::document::{
    Agent, Annotation, Entity, Goal, Heading, Kind, Mission, Obstacle, Relation, tag,
};
use wayloom::interaction::{Key, Modifiers, RelationKind, ToolKind};

fn agent(desk: &Desk) -> &Agent {
    match &desk.made().kind {
        Kind::Agent(agent) => agent,
        other => panic!("{other:?}"),
    }
}

fn goals(desk: &Desk) -> Vec<Goal> {
    desk.made().mission().expect("a mission").goals.clone()
}

fn relation(desk: &Desk) -> (u64, Relation) {
    match &desk.made().kind {
        Kind::Annotation(Annotation::Relation { object, relation }) => (object.number(), *relation),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_agent_is_dragged_from_its_start_to_its_goal_and_looks_there() {
    let mut desk = Desk::open_field().with(ToolKind::Agent);
    desk.one_step(|desk| {
        desk.sweep((10.0, 10.0), (10.0, 30.0));
    });
    assert_eq!(desk.made().name, "Agent 1");
    assert_eq!(agent(&desk).start.truncate(), p(10.0, 10.0));
    assert_eq!(agent(&desk).heading.degrees, 90.0);
    assert_eq!(agent(&desk).mission.profile, EntityId::new(GUARD));
    assert_eq!(goals(&desk), [Goal::At(p(10.0, 30.0).extend(0.0))]);
}

#[test]
fn clicks_add_goals_and_enter_begins_another_agent() {
    let mut desk = Desk::open_field().with(ToolKind::Agent);
    desk.sweep((10.0, 10.0), (10.0, 30.0));
    desk.one_step(|desk| {
        desk.click(40.0, 30.0);
    });
    desk.typed("5<90").key(Key::Enter);
    assert_eq!(goals(&desk).len(), 3);
    assert_eq!(goals(&desk)[2], Goal::At(p(40.0, 35.0).extend(0.0)));
    desk.key(Key::Enter);
    desk.no_step(|desk| {
        desk.click(60.0, 60.0);
    });
    desk.one_step(|desk| {
        desk.click(80.0, 60.0);
    });
    assert_eq!(desk.made().name, "Agent 2");
    assert_eq!(goals(&desk).len(), 1);
}

#[test]
fn a_selected_agent_or_crowd_is_given_goals() {
    let mut desk = Desk::yard().with(ToolKind::Agent);
    desk.select(&[CROWD]);
    desk.one_step(|desk| {
        desk.click(60.0, 5.0);
    });
    assert_eq!(desk.selected(), [CROWD]);
    assert_eq!(goals(&desk).len(), 2);
    desk.hold(Modifiers::ALT);
    desk.one_step(|desk| {
        desk.click(75.0, 35.0);
    });
    assert_eq!(goals(&desk)[2], Goal::inside(EntityId::new(PLAZA)));
    desk.no_step(|desk| {
        desk.click(1.0, 1.0);
    });
    assert!(desk.toolbox.take_messages()[0].contains("no area or region"));
}

#[test]
fn esc_finishes_the_agent_before_leaving_the_tool() {
    let mut desk = Desk::open_field().with(ToolKind::Agent);
    desk.sweep((10.0, 10.0), (10.0, 30.0));
    desk.esc();
    assert_eq!(desk.toolbox.current(), ToolKind::Agent);
    assert!(desk.hints().lead.starts_with("Drag from the agent"));
    desk.click(20.0, 20.0).esc();
    assert_eq!(desk.toolbox.current(), ToolKind::Agent);
    desk.esc();
    assert_eq!(desk.toolbox.current(), ToolKind::Select);
}

#[test]
fn agents_stand_on_the_ground_and_on_the_storey_one_works_on() {
    let mut desk = Desk::open_field().with(ToolKind::Agent);
    let field = wayloom::geometry::HeightField::flat(desk.level().settings().bounds, 10.0, 1.5);
    desk.document
        .commit(
            "Ground",
            vec![wayloom::document::Edit::Ground(Some(field.into()))],
        )
        .expect("valid");
    desk.toolbox.defaults.elevation = 3.0;
    desk.sweep((10.0, 10.0), (20.0, 10.0));
    assert_eq!(agent(&desk).start.z, 4.5);
}

#[test]
fn a_click_relates_and_further_clicks_on_the_same_object_cycle() {
    let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
    desk.one_step(|desk| {
        desk.click(15.0, 15.0);
    });
    assert_eq!(desk.made().name, "Front of House");
    assert_eq!(relation(&desk), (HOUSE, Relation::Front { reach: 5.0 }));
    let names = ["Back", "Left", "Right", "Around", "Line of sight", "Front"];
    for name in names {
        desk.one_step(|desk| {
            desk.click(15.0, 15.0);
        });
        assert_eq!(relation(&desk).1.name(), name);
    }
    assert_eq!(desk.level().annotations().count(), 2);
    desk.click(33.0, 13.0);
    assert_eq!(desk.made().name, "Front of Shed");
    assert_eq!(desk.level().annotations().count(), 3);
}

#[test]
fn only_agents_are_offered_personal_space() {
    // Wherever one comes from: clicks, arrows, or the relation chosen before.
    let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..8 {
        desk.click(70.0, 20.0);
        seen.insert(relation(&desk).1.name());
    }
    assert_eq!(relation(&desk).0, AGENT);
    assert!(seen.contains("Personal space"), "{seen:?}");
    for key in [Key::Tab, Key::Down, Key::Up] {
        let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
        desk.toolbox.defaults.relation = RelationKind::PersonalSpace;
        desk.click(15.0, 15.0);
        for _ in 0..10 {
            let (object, relation) = relation(&desk);
            assert_eq!(object, HOUSE);
            assert_ne!(relation.kind(), RelationKind::PersonalSpace, "{key:?}");
            desk.key(key);
        }
    }
}

#[test]
fn arrows_and_tab_change_the_relation_and_brackets_its_reach() {
    let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
    desk.click(15.0, 15.0).key(Key::Down).key(Key::Up);
    assert_eq!(relation(&desk).1, Relation::Front { reach: 5.0 });
    desk.one_step(|desk| {
        desk.key(Key::Tab);
    });
    assert_eq!(relation(&desk).1, Relation::Back { reach: 5.0 });
    assert_eq!(desk.made().name, "Back of House");
    desk.one_step(|desk| {
        desk.key(Key::More);
    });
    assert_eq!(relation(&desk).1, Relation::Back { reach: 6.25 });
    assert_eq!(desk.toolbox.defaults.reach, 6.25);
}

#[test]
fn a_route_gives_along() {
    let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
    desk.one_step(|desk| {
        desk.click(20.0, 70.0);
    });
    assert_eq!(relation(&desk), (ROUTE, Relation::Along { reach: 5.0 }));
    assert_eq!(desk.made().name, "Along Route 1");
}

#[test]
fn two_clicks_give_between() {
    let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
    desk.toolbox.defaults.relation = RelationKind::Between;
    desk.no_step(|desk| {
        desk.click(15.0, 15.0).click(15.0, 15.0).click(15.0, 15.0);
    });
    desk.one_step(|desk| {
        desk.click(33.0, 13.0);
    });
    let between = (
        HOUSE,
        Relation::Between {
            other: EntityId::new(SHED),
        },
    );
    assert_eq!(relation(&desk), between);
    assert_eq!(desk.made().name, "Between House and Shed");
    // Shift+click makes it of a relation that is there.
    let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
    desk.click(15.0, 15.0);
    desk.one_step(|desk| {
        desk.hold(Modifiers::SHIFT).click(33.0, 13.0);
    });
    assert_eq!(relation(&desk), between);
}

#[test]
fn relations_need_an_object() {
    let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
    desk.no_step(|desk| {
        desk.click(50.0, 50.0).click(1.0, 1.0);
    });
    desk.click(70.0, 20.0);
    assert_eq!(relation(&desk).0, AGENT);
}

#[test]
fn a_click_forbids_and_another_allows_again() {
    let mut desk = Desk::yard().with(ToolKind::TagForbidden);
    for (id, x, y) in [(HOUSE, 15.0, 15.0), (CRATE, 15.0, 35.0)] {
        desk.one_step(|desk| {
            desk.click(x, y);
        });
        assert!(desk.get(id).has_tag(tag::FORBIDDEN));
        assert_eq!(desk.last_step(), "Forbid");
        desk.one_step(|desk| {
            desk.click(x, y);
        });
        assert!(!desk.get(id).has_tag(tag::FORBIDDEN));
        assert_eq!(desk.last_step(), "Allow");
    }
    desk.no_step(|desk| {
        desk.click(50.0, 50.0);
    });
    assert!(!desk.get(LAWN).has_tag(tag::FORBIDDEN));
}

#[test]
fn a_note_is_pinned_where_one_clicks() {
    let mut desk = Desk::open_field().with(ToolKind::Note);
    desk.one_step(|desk| {
        desk.click(12.2, 7.9);
    });
    let Kind::Note(note) = &desk.made().kind else {
        panic!("a note");
    };
    assert_eq!(note.at, p(12.0, 8.0));
    assert_eq!(desk.made().name, "Note 1");
    desk.double_click(30.0, 30.0);
    assert_eq!(desk.steps(), 2, "a double click makes one note");
}

#[test]
fn an_agent_that_is_moved_is_not_drawn_to_corners_and_an_obstacle_is() {
    let corner = p(50.37, 50.37);
    let house = rect(corner.x..60.0, corner.y..60.0);
    let crate_ = rect(20.0..22.0, 20.0..22.0);
    let mut entities = definitions();
    for (id, area) in [(50, house), (51, crate_)] {
        entities.push((id, Entity::new("", Kind::Obstacle(Obstacle::new(area)))));
    }
    let guard = Agent {
        start: p(30.0, 20.0).extend(0.0),
        heading: Heading::default(),
        mission: Mission::new(EntityId::new(GUARD)),
    };
    entities.push((52, Entity::new("", Kind::Agent(guard))));
    let mut desk = Desk::new(level(entities)).with(ToolKind::Move);
    // By its upper right corner, to a hand's breadth from the house's.
    desk.select(&[51]);
    desk.sweep((22.0, 22.0), (50.3, 50.3));
    assert_eq!(desk.area(51).bounds().max, corner);
    desk.select(&[52]);
    desk.sweep((30.0, 20.0), (50.3, 50.3));
    let Kind::Agent(guard) = &desk.get(52).kind else {
        panic!("still an agent")
    };
    assert_ne!(guard.start.truncate(), corner);
    assert!(guard.start.truncate().distance(p(50.3, 50.3)) < 1.0);
}

#[test]
fn select_mode_moves_the_grabbed_start_or_goal() {
    let walker = |start: DVec2, goal: DVec2| {
        let mut mission = Mission::new(EntityId::new(GUARD));
        mission.goals = vec![Goal::At(goal.extend(3.0))];
        let agent = Agent {
            start: start.extend(0.0),
            heading: Heading::default(),
            mission,
        };
        Entity::new("", Kind::Agent(agent))
    };
    let mut entities = definitions();
    entities.push((52, walker(p(20.0, 20.0), p(40.0, 20.0))));
    entities.push((53, walker(p(20.0, 40.0), p(40.0, 40.0))));
    let mut desk = Desk::new(level(entities)).with(ToolKind::Select);
    let places = |desk: &Desk, id: u64| {
        let Kind::Agent(agent) = &desk.get(id).kind else {
            panic!("an agent")
        };
        let [Goal::At(goal)] = agent.mission.goals[..] else {
            panic!("one goal")
        };
        (agent.start, goal)
    };
    // Nothing need be selected before.
    desk.sweep((40.0, 20.0), (50.0, 30.0));
    assert_eq!(
        places(&desk, 52),
        (p(20.0, 20.0).extend(0.0), p(50.0, 30.0).extend(3.0)),
        "its elevation stays"
    );
    desk.sweep((20.0, 20.0), (10.0, 10.0));
    assert_eq!(
        places(&desk, 52),
        (p(10.0, 10.0).extend(0.0), p(50.0, 30.0).extend(3.0))
    );
    assert_eq!(desk.steps(), 2);
    // Several things, and the tool for moving, take all of everybody along.
    desk.select(&[52, 53]);
    desk.sweep((10.0, 10.0), (15.0, 10.0));
    assert_eq!(places(&desk, 52).1, p(55.0, 30.0).extend(3.0));
    assert_eq!(places(&desk, 53).0, p(25.0, 40.0).extend(0.0));
    let mut desk = desk.with(ToolKind::Move);
    desk.select(&[53]);
    desk.sweep((45.0, 40.0), (45.0, 45.0));
    assert_eq!(
        places(&desk, 53),
        (p(25.0, 45.0).extend(0.0), p(45.0, 45.0).extend(3.0))
    );
}
