//! The clipboard, within one level and between levels.

use super::*;

#[test]
fn pasting_at_home_keeps_references_to_what_was_not_copied() {
    let mut bench = Bench::furnished();
    let mut clipboard = Clipboard::default();
    bench.select(&["Guard"]);
    let text = clipboard
        .copy(&OperationInput::of(&bench.document))
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
        .copy(&OperationInput::of(&bench.document))
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

    // The second time all definitions match, and only the objects are created.
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
    let (text, change) = clipboard
        .cut(&OperationInput::of(&bench.document))
        .expect("cut");
    assert_eq!(change.label, "Cut 3 objects");
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
        .copy(&OperationInput::of(&bench.document))
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
        Clipboard::default().copy(&OperationInput::of(&bench.document)),
        Err(Refused("nothing is selected".to_owned()))
    );
}
