//! Operations that change outlines.

use super::*;

#[test]
fn united_shapes_keep_the_lowest_ones_identity_and_inherit_references() {
    let mut bench = Bench::furnished();
    bench.add("Annexe", obstacle(13.0, 10.0, 4.0));
    let annexe = bench.id("Annexe");
    let mut guard = bench.entity("Guard").clone();
    let Kind::Agent(agent) = &mut guard.kind else {
        panic!()
    };
    agent.mission.constraints[0].target = annexe.into();
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
        bench.id("Tower").into()
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
        "select two or more unlocked obstacles, regions or areas"
    );
    bench.add("Cover", obstacle(80.0, -10.0, 40.0));
    bench.select(&["Far", "Cover"]);
    assert_eq!(
        bench.refusal(|on| combine(on, Combination::Subtract)),
        "nothing would be left of Far"
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
        "Tower would vanish; choose a smaller distance"
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
        label.starts_with("Simplify (") && label.ends_with(" points fewer)"),
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
    bench.done(|on| convert(on, ConvertTarget::Obstacle));
    assert!(matches!(&bench.entity("Swamp").kind, Kind::Obstacle(o) if o.area == area));
    bench.done(|on| convert(on, ConvertTarget::Area));
    bench.done(|on| convert(on, ConvertTarget::Polyline));
    let Kind::Route(route) = &bench.entity("Swamp").kind else {
        panic!()
    };
    assert!(route.closed);
    bench.done(|on| convert(on, ConvertTarget::Bezier));
    bench.done(|on| convert(on, ConvertTarget::Polyline));
    bench.done(|on| convert(on, ConvertTarget::Region(mud)));
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
        bench.refusal(|on| convert(on, ConvertTarget::Region(mud))),
        "select something that can become a region"
    );
}

#[test]
fn converting_takes_off_references_that_no_longer_fit() {
    let mut bench = Bench::furnished();
    bench.select(&["Path"]);
    bench.done(|on| convert(on, ConvertTarget::Obstacle));
    assert_eq!(bench.mission("Guard").route, None);
    bench.select(&["Tower"]);
    assert_eq!(
        bench.refusal(|on| convert(on, ConvertTarget::Area)),
        "Before the tower depends on Tower; change or delete it first"
    );
    bench.done(|on| convert(on, ConvertTarget::Polyline));
    let straight = RouteShape::Polyline(vec![DVec2::ZERO, DVec2::X, DVec2::new(9.0, 0.0)]);
    bench.add("Straight", Kind::Route(Route::new(straight)));
    bench.select(&["Straight"]);
    assert_eq!(
        bench.refusal(|on| convert(on, ConvertTarget::Obstacle)),
        "Straight encloses no area; add a third point off the line"
    );
}
