//! MIRAN and IRM as a script sees them: what is wrong with a question is said, and mended.

use super::{Desk, sample};
use serde_json::Value;

/// The village with road, with something else in its text.
fn edited(desk: &Desk, name: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(sample("mckenna_road.ron")).expect("a sample");
    assert!(text.contains(from), "{from}");
    std::fs::write(desk.file(name), text.replacen(from, to, 1)).expect("written");
}

const ROUTE: &str = "Polyline([(2.4, 93.5), (59.2, 98.1), (90.3, 107.9), (98.3, 129.2), \
                     (132.3, 128.0), (154.5, 135.8), (155.6, 148.7)])";

fn texts(answer: &Value) -> Vec<&str> {
    let events = answer["events"].as_array().expect("events");
    events.iter().filter_map(|e| e["text"].as_str()).collect()
}

#[test]
fn weights_that_are_no_numbers_above_zero_are_refused_with_their_line() {
    let desk = Desk::new();
    for (from, to, words) in [
        ("weight: 10.0", "weight: 0.0", "Mud: terrain weight is 0;"),
        (
            "3: 0.5, 4: 40.0",
            "3: -0.5, 4: 40.0",
            "terrain weight is -0.5;",
        ),
        (
            "3: 0.5, 4: 40.0",
            "3: inf, 4: 40.0",
            "terrain weight is inf;",
        ),
        (
            "3: 0.5, 4: 40.0",
            "3: NaN, 4: 40.0",
            "terrain weight is NaN;",
        ),
    ] {
        edited(&desk, "a.ron", from, to);
        let (_, err) = desk.expect(2, &["plan", "a.ron", "--agent", "Pedestrian"]);
        let limits = "it must be between 0.001 and 1000000";
        assert!(err.contains(words) && err.contains(limits), "{err}");
        assert!(err.contains("a.ron: line "), "{err}");
    }
}

#[test]
fn routes_that_mean_little_are_followed_as_well_as_may_be_and_it_is_said() {
    let desk = Desk::new();
    let through = "Polyline([(2.4, 93.5), (2.4, 150.0), (155.6, 150.0), (155.6, 148.7)])";
    for (from, to, words) in [
        (ROUTE, "Polyline([(90.3, 107.9)])", "one point only"),
        (ROUTE, through, "the route runs through an obstacle at "),
        (
            "look_ahead: 40.0",
            "look_ahead: 5.0",
            "the look-ahead σ of 5 m is shorter than the sample distance d of 10 m",
        ),
    ] {
        edited(&desk, "a.ron", from, to);
        for planner in ["miran", "irm"] {
            let query = [
                "plan",
                "a.ron",
                "--agent",
                "Pedestrian",
                "--planner",
                planner,
            ];
            let answer = desk.json(0, &[&query[..], &["--json", "--no-optimum"]].concat());
            assert_eq!(answer["found"], true);
            let said = texts(&answer);
            assert!(said.iter().any(|text| text.contains(words)), "{said:?}");
            // For people, the sentence stands beside the answer.
            let (_, err) = desk.expect(0, &query);
            assert!(err.contains(words), "{err}");
            let (_, err) = desk.expect(0, &[&query[..], &["--quiet"]].concat());
            assert_eq!(err, "");
        }
    }
}

#[test]
fn an_agent_starting_off_its_route_is_connected_to_it() {
    let desk = Desk::new();
    let village = sample("mckenna_road.ron");
    let query = ["plan", &village, "--from", "20,20", "--to", "155.6,148.7"];
    let how = ["--planner", "miran", "--json", "--no-optimum", "--route"];
    let answer = desk.json(0, &[&query[..], &how, &["To the chapel"]].concat());
    let said = texts(&answer);
    assert!(
        said.iter()
            .any(|text| text.contains("m off the route; a connection is computed")),
        "{said:?}"
    );
    let event = &answer["events"][0];
    assert_eq!(event["kind"], "noted");
    assert!(event["seconds"].as_f64() == Some(0.0) && event["at"].is_array());
    let (_, err) = desk.expect(2, &[&query[..], &how, &["Nowhere"]].concat());
    assert!(err.contains("there is no route \"Nowhere\""), "{err}");
}

#[test]
fn terrain_is_paid_for_by_its_name() {
    let desk = Desk::new();
    let village = sample("mckenna_road.ron");
    let ask = |agent: &str| {
        let query = ["plan", &village, "--agent", agent, "--json", "--no-optimum"];
        desk.json(0, &query)
    };
    let pedestrian = ask("Pedestrian");
    assert_eq!(pedestrian["planner"], "miran");
    let by = pedestrian["cost_by"].as_object().expect("costs");
    assert!(
        by.contains_key("terrain:Sidewalk") && !by.contains_key("terrain:Mud"),
        "{by:?}"
    );
    let sum: f64 = by.values().filter_map(Value::as_f64).sum();
    let cost = pedestrian["cost"].as_f64().expect("a cost");
    assert!((sum - cost).abs() < 1e-6 * cost, "{sum} and {cost}");
    let runner = ask("Late runner");
    assert!(runner["cost_by"]["terrain:Mud"].as_f64() > Some(0.0));
}
