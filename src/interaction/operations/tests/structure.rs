//! Effects of copying, grouping, layering and deleting on references and order.

use super::*;

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
    assert_eq!(copy.goals[0], Goal::inside(bench.id("Before the tower 1")));
    assert_eq!(copy.goals[1], Goal::At(DVec3::new(35.0, 9.0, 0.0)));
    assert_eq!(
        copy.route,
        Some(bench.id("Path")),
        "not copied: the same one"
    );
    assert_eq!(copy.constraints[1].target, bench.id("Tower 1").into());
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
fn deleting_repairs_references() {
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
fn the_last_profile_in_use_cannot_be_deleted() {
    let mut bench = Bench::furnished();
    bench.select(&["Walker"]);
    assert_eq!(
        bench.refusal(delete),
        "Guard needs a profile, and this is the last one; create another one first"
    );
    bench.add("Runner", Kind::Profile(Profile::default()));
    bench.done(delete);
    assert_eq!(bench.mission("Guard").profile, bench.id("Runner"));
    bench.select(&["Runner", "Guard"]);
    bench.done(delete);
}

#[test]
fn locked_objects_are_neither_deleted_nor_moved() {
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
        "it is already the top layer"
    );
    bench.done(|on| move_layer(on, second, LayerStep::Down));
    assert_eq!(
        bench.refusal(|on| move_layer(on, second, LayerStep::Down)),
        "it is already the bottom layer"
    );
    let tower = bench.id("Tower");
    assert_eq!(
        bench.refusal(|on| assign_to_layer(on, Some(tower))),
        "the layer is no longer in the level"
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
    bench.done(|on| reorder(on, StackOrder::OneUp));
    assert_eq!(order(&bench), "BADC-E");
    bench.done(|on| reorder(on, StackOrder::OneUp));
    assert_eq!(
        order(&bench),
        "BDA-EC",
        "a definition is no step of its own"
    );
    bench.done(|on| reorder(on, StackOrder::OneDown));
    assert_eq!(order(&bench), "BAD-CE");
    bench.done(|on| reorder(on, StackOrder::Back));
    assert_eq!(order(&bench), "ACBD-E");
    assert_eq!(
        bench.refusal(|on| reorder(on, StackOrder::OneDown)),
        "it is already at the back"
    );
    bench.done(|on| reorder(on, StackOrder::Front));
    assert_eq!(order(&bench), "BD-EAC");
    assert_eq!(
        bench.refusal(|on| reorder(on, StackOrder::Front)),
        "it is already at the front"
    );
}
