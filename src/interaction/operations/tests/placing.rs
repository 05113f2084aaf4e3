//! Aligning, distributing, mirroring, rotating and scaling.

use super::*;

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
        "select two or more unlocked objects"
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
        "select three or more unlocked objects"
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
        "select something in the plan"
    );
}

#[test]
fn repeated_nudges_merge_into_one_step() {
    let mut bench = Bench::furnished();
    bench.select(&["Tower"]);
    let change =
        nudge(&OperationInput::of(&bench.document), Direction::Left, 1.0).expect("possible");
    let key = change.merge.expect("merges");
    assert_eq!(key.subjects, [bench.id("Tower")]);
}
