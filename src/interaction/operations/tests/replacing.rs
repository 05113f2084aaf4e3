//! Finding and replacing.

use super::*;

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
        "nothing uses Mud"
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
        "nothing has the tag `old`"
    );
    assert_eq!(
        bench.refusal(|on| replace_tag(on, "new", Some(" "), Scope::Level)),
        "the new tag is empty; enter a word"
    );
}
