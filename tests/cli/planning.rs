//! `plan`, `bake` and `lab` as a script sees them.

use super::{Desk, sample};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|n| n.as_f64().expect("a number")).collect()
}

#[test]
fn a_query_is_answered_with_the_path_and_its_figures() {
    let desk = Desk::new();
    let rooms = sample("rooms.ron");
    let ask = |planner: &str| {
        let query = ["plan", &rooms, "--from", "30,2", "--to", "8,35"];
        let how = ["--radius", "0.3", "--planner", planner, "--json"];
        desk.json(0, &[&query[..], &how].concat())
    };
    let best = ask("optimal");
    let shortest = best["length"].as_f64().expect("a length");
    for planner in ["portal", "portal-center", "portal-third", "portal-tenth"] {
        let path = ask(planner);
        assert_eq!(path["found"], true);
        assert_eq!(path["planner"], planner);
        let length = path["length"].as_f64().expect("a length");
        assert!(
            length >= shortest - 1e-9,
            "{planner}: {length} < {shortest}"
        );
        assert_eq!(path["optimal_length"], best["length"]);
        assert!(path["min_clearance"].as_f64() >= Some(0.29));
        let points: Vec<Vec<f64>> = path["points"]
            .as_array()
            .expect("points")
            .iter()
            .map(numbers)
            .collect();
        assert_eq!(points[0], [30.0, 2.0, 0.0]);
        assert_eq!(points[points.len() - 1], [8.0, 35.0, 0.0]);
        let walked: f64 = points
            .windows(2)
            .map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]))
            .sum();
        assert!((walked - length).abs() < 1e-9, "{walked} and {length}");
        assert_eq!(path["actions"].as_array().map(Vec::len), Some(points.len()));
    }
}

#[test]
fn corridors_are_walked_from_end_to_end_along_a_route_if_there_is_one() {
    let desk = Desk::new();
    let rooms = sample("rooms.ron");
    let query = ["plan", &rooms, "--from", "30,2", "--to", "8,35"];
    let ask = |more: &[&str]| {
        let how = ["--radius", "0.3", "--json"];
        desk.json(0, &[&query[..], &how, more].concat())
    };
    let shortest = ask(&["--planner", "optimal"])["length"].as_f64();
    let mut lengths = Vec::new();
    for planner in ["corridor", "corridor-original"] {
        let path = ask(&["--planner", planner]);
        assert_eq!(
            (&path["found"], &path["planner"]),
            (&Value::from(true), &planner.into())
        );
        let points = path["points"].as_array().expect("points");
        assert_eq!(numbers(&points[0]), [30.0, 2.0, 0.0]);
        assert_eq!(numbers(&points[points.len() - 1]), [8.0, 35.0, 0.0]);
        assert!(path["min_clearance"].as_f64() >= Some(0.299), "{path}");
        assert!(path["length"].as_f64() >= shortest.map(|s| s - 0.01));
        assert!(path["expanded"].as_u64() > Some(0));
        lengths.push(path["length"].as_f64().expect("a length"));
        let wide = [&query[..], &["--radius", "1.2", "--planner", planner]].concat();
        let (out, _) = desk.expect(1, &wide);
        assert!(out.starts_with("no path: the gap between"), "{out}");
    }
    assert!(lengths[0] < lengths[1], "{lengths:?}");
}

#[test]
fn corridor_options_are_honoured() {
    let desk = Desk::new();
    let rooms = sample("rooms.ron");
    let query = [
        "plan", &rooms, "--from", "30,2", "--to", "8,35", "--radius", "0.3",
    ];
    let corridor = [&query[..], &["--planner", "corridor"]].concat();
    let ask = |more: &[&str]| {
        let path = desk.json(0, &[&corridor[..], &["--json"], more].concat());
        assert!(path["min_clearance"].as_f64() >= Some(0.299), "{path}");
        path["length"].as_f64().expect("a length")
    };
    let usual = ask(&[]);
    assert_eq!(
        usual,
        ask(&["--attraction", "visibility", "--control", "shortcuts"])
    );
    let mut lengths: Vec<f64> = ["disc", "speed", "distance", "visibility"]
        .map(|attraction| ask(&["--attraction", attraction, "--control", "axis"]))
        .to_vec();
    // The middle line is the longer way, whoever leads along it.
    assert!(lengths.iter().all(|&length| length > usual), "{lengths:?}");
    lengths.sort_by(f64::total_cmp);
    lengths.dedup();
    assert_eq!(lengths.len(), 4, "each way leads differently");
    assert!(ask(&["--safe-distance", "0.5"]) != usual);
    for (arguments, words) in [
        (&["--attraction", "tractor"][..], "disc"),
        (&["--control", "none"], "shortcuts"),
        (&["--safe-distance", "-1"], "safe distance"),
    ] {
        let (_, messages) = desk.expect(2, &[&corridor[..], arguments].concat());
        assert!(messages.contains(words), "{messages}");
    }
    let portal = [&query[..], &["--control", "axis"]].concat();
    let (_, messages) = desk.expect(2, &portal);
    assert!(messages.contains("--planner corridor"), "{messages}");
}

#[test]
fn an_agent_walks_as_its_level_says_unless_a_flag_says_otherwise() {
    let desk = Desk::new();
    let text = std::fs::read_to_string(sample("rooms.ron")).expect("there");
    let agent = text.find("name: \"Guard\"").expect("there");
    let mission = "mission: (";
    let at = agent + text[agent..].find(mission).expect("with one") + mission.len();
    let (before, after) = text.split_at(at);
    let walk = "walk: (attraction: Disc, control: Axis, safe_distance: 0.5), ";
    let changed = format!("{before}{walk}{after}");
    std::fs::write(desk.file("walk.ron"), changed).expect("written");
    let plain = sample("rooms.ron");
    let length = |level: &str, more: &[&str]| {
        let ask = [
            "plan",
            level,
            "--agent",
            "Guard",
            "--planner",
            "corridor",
            "--json",
        ];
        desk.json(0, &[&ask[..], more].concat())["length"]
            .as_f64()
            .expect("a length")
    };
    let flags = [
        "--attraction",
        "disc",
        "--control",
        "axis",
        "--safe-distance",
        "0.5",
    ];
    let own = length("walk.ron", &[]);
    assert_eq!(own, length(&plain, &flags));
    // What is not asked for stays as the agent has it.
    let other = length("walk.ron", &["--attraction", "speed"]);
    assert_ne!(own, other);
    assert_eq!(
        other,
        length(&plain, &[&flags[2..], &["--attraction", "speed"]].concat())
    );
}

#[test]
fn an_agent_visits_its_goals_and_no_path_is_an_answer() {
    let desk = Desk::new();
    let rooms = sample("rooms.ron");
    let way = desk.json(0, &["plan", &rooms, "--agent", "Wheelchair user", "--json"]);
    assert!(way["length"].as_f64() > Some(40.0));
    // Wider than every door: the reason names what is in the way.
    let query = [
        "plan", &rooms, "--from", "30,2", "--to", "8,35", "--radius", "1.2",
    ];
    let none = desk.json(1, &[&query[..], &["--json"]].concat());
    assert_eq!(none["found"], false);
    let reason = none["reason"].as_str().expect("a sentence");
    assert!(reason.contains(" m"), "{reason}");
    let (out, _) = desk.expect(1, &query);
    assert!(out.starts_with("no path: "), "{out}");
}

#[test]
fn bad_questions_are_refused_with_what_to_do() {
    let desk = Desk::new();
    let rooms = sample("rooms.ron");
    for (arguments, words) in [
        (&["--agent", "Nobody"][..], "there is no agent \"Nobody\""),
        (&["--from", "1,2", "--to", "nan,3"], "finite numbers"),
        (&["--from", "1,2"], "--to"),
        (&[], "--agent"),
        (
            &["--from", "1,2", "--to", "3,4", "--planner", "magic"],
            "portal-center",
        ),
        (
            &["--from", "1,2", "--to", "3,4", "--radius", "1000"],
            "from 0 to 100",
        ),
        (
            &["--from", "1,2", "--to", "3,4", "--profile", "Giant"],
            "there is no profile",
        ),
        (&["--queries", "missing.csv"], "missing.csv"),
    ] {
        let (_, err) = desk.expect(2, &[&["plan", &rooms], arguments].concat());
        assert!(err.contains(words), "{arguments:?}: {err}");
    }
    // Outside the bounds there is no path, and the sentence says where to go.
    let (out, _) = desk.expect(1, &["plan", &rooms, "--from", "30,2", "--to", "900,900"]);
    assert!(out.contains("bounds"), "{out}");
}

#[test]
fn options_for_every_command_may_stand_before_it() {
    let desk = Desk::new();
    let query = [
        "plan",
        &sample("rooms.ron"),
        "--from",
        "30,2",
        "--to",
        "8,35",
    ];
    let after = desk.json(0, &[&query[..], &["--json", "-q"]].concat());
    let before = desk.json(0, &[&["-q", "--json"], &query[..]].concat());
    assert_eq!(before["points"], after["points"]);
    let (_, err) = desk.expect(2, &["rooms.ron", "check", "rooms.ron"]);
    assert!(err.contains("before the command"), "{err}");
}

#[test]
fn many_queries_give_a_line_each_and_the_totals() {
    let desk = Desk::new();
    std::fs::write(
        desk.file("q.csv"),
        "from_x,from_y,to_x,to_y\n30,2,8,35\n30,2,30,17\n30,2,-5,17\n",
    )
    .expect("written");
    let arguments = [
        "plan",
        &sample("rooms.ron"),
        "--queries",
        "q.csv",
        "--gaps",
        "--json",
    ];
    let (out, _) = desk.expect(1, &arguments);
    let lines: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["found"], true);
    assert!(lines[0]["plan_micros"].as_f64() > Some(0.0));
    assert_eq!(lines[2]["found"], false);
    assert_eq!(
        (&lines[3]["queries"], &lines[3]["found"]),
        (&3.into(), &2.into())
    );
    assert!(lines[3]["worst_gap_percent"].as_f64() >= lines[3]["mean_gap_percent"].as_f64());
    // Nobody asked how long the shortest paths are.
    let unasked: Vec<&str> = (arguments.iter().copied())
        .filter(|word| *word != "--gaps")
        .collect();
    let (out, _) = desk.expect(1, &unasked);
    let totals: Value = serde_json::from_str(out.lines().last().expect("totals")).expect("JSON");
    assert!(totals["mean_gap_percent"].is_null(), "{totals}");
    assert_eq!(totals["length"], lines[3]["length"]);
    let (_, err) = {
        std::fs::write(desk.file("bad.csv"), "1,2,3,4\n1,2,three,4\n").expect("written");
        desk.expect(2, &["plan", &sample("rooms.ron"), "--queries", "bad.csv"])
    };
    assert!(err.contains("bad.csv:2:"), "{err}");
}

#[test]
fn a_scenario_is_answered_on_its_map_and_the_optimum_keeps_its_promise() {
    let desk = Desk::new();
    let rows = [
        "..........",
        "..@@@@@@..",
        "..@....@..",
        "..@.@@.@..",
        "....@@....",
        "..........",
    ];
    let map = format!(
        "type octile\nheight 6\nwidth 10\nmap\n{}\n",
        rows.join("\n")
    );
    std::fs::write(desk.file("a.map"), map).expect("written");
    // From the yard to the far side: three straight moves and some diagonals on the grid.
    let scenario =
        "version 1\n0\ta.map\t10\t6\t3\t2\t0\t0\t7.41421356\n0\ta.map\t10\t6\t0\t5\t9\t5\t9\n";
    std::fs::write(desk.file("a.map.scen"), scenario).expect("written");
    desk.expect(0, &["import", "a.map", "-o", "a.ron"]);
    let arguments = [
        "plan",
        "a.ron",
        "--queries",
        "a.map.scen",
        "--radius",
        "0",
        "--gaps",
        "--json",
    ];
    let (out, _) = desk.expect(0, &arguments);
    let totals: Value = serde_json::from_str(out.lines().last().expect("totals")).expect("JSON");
    assert_eq!(totals["promised"], 2);
    assert_eq!(totals["optimum_longer_than_promised"], 0, "{out}");
}

#[test]
fn an_independent_reader_finds_the_same_paths_in_a_bake() {
    let desk = Desk::new();
    let rooms = sample("rooms.ron");
    let told = desk.json(0, &["bake", &rooms, "-o", "baked", "--json"]);
    assert_eq!(told["spaces"].as_array().map(Vec::len), Some(3));
    let (_, err) = desk.expect(2, &["bake", &rooms, "-o", "baked"]);
    assert!(err.contains("--force"), "{err}");
    desk.expect(
        0,
        &[
            "bake",
            &rooms,
            "-o",
            "baked",
            "--force",
            "--profile",
            "Visitor",
        ],
    );
    let (_, err) = desk.expect(2, &["bake", &rooms, "-o", "x", "--profile", "Giant"]);
    assert!(err.contains("there is no profile \"Giant\""), "{err}");

    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/readers/wayloom_bake.py");
    for [from_x, from_y, to_x, to_y] in [["30", "2", "30", "35"], ["50", "10", "8", "35"]] {
        let output = Command::new("python3")
            .arg(&reader)
            .arg(desk.file("baked"))
            .args([from_x, from_y, to_x, to_y, "0.3"])
            .output();
        let Ok(output) = output else {
            assert!(
                std::env::var("WAYLOOM_WINDOW_TESTS").as_deref() != Ok("required"),
                "the reader of bakes needs python3"
            );
            return;
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let theirs: f64 = text
            .lines()
            .next()
            .and_then(|line| line.parse().ok())
            .unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
        let (from, to) = (format!("{from_x},{from_y}"), format!("{to_x},{to_y}"));
        let query = [
            "plan", &rooms, "--from", &from, "--to", &to, "--radius", "0.3",
        ];
        let how = ["--planner", "optimal", "--json"];
        let ours = desk.json(0, &[&query[..], &how].concat());
        let ours = ours["length"].as_f64().expect("a length");
        let is_sound = theirs > ours * (1.0 - 1e-6) && theirs < ours * 1.1;
        assert!(is_sound, "{theirs}, at best {ours}");
        // Along the middle of corridors the way is longer; the reader checks the map as well.
        let output = Command::new("python3")
            .arg(&reader)
            .arg(desk.file("baked"))
            .args(["--corridors", from_x, from_y, to_x, to_y, "0.3"])
            .output()
            .expect("it ran before");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let middle: f64 = text
            .lines()
            .next()
            .and_then(|line| line.parse().ok())
            .unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
        assert!(
            middle > 0.99 * ours && middle < 2.0 * ours,
            "{middle} and {ours}"
        );
    }
}

#[test]
fn an_independent_reader_finds_the_field_that_regions_and_weights_make() {
    let desk = Desk::new();
    let mckenna = sample("mckenna.ron");
    let (out, _) = desk.expect(0, &["bake", &mckenna, "-o", "baked"]);
    assert!(out.contains("constraints: "), "{out}");
    let index = std::fs::read_to_string(desk.file("baked/bake.json")).expect("written");
    let index: Value = serde_json::from_str(&index).expect("JSON");
    let agent = index["constraints"]["agents"][0]["name"]
        .as_str()
        .expect("named");
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/readers/wayloom_bake.py");
    let output = Command::new("python3")
        .arg(&reader)
        .arg(desk.file("baked"))
        .args(["--constraints", agent, "20", "20", "150", "150"])
        .output();
    let Ok(output) = output else {
        assert!(
            std::env::var("WAYLOOM_WINDOW_TESTS").as_deref() != Ok("required"),
            "the reader of bakes needs python3"
        );
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let cost = text
        .lines()
        .next()
        .and_then(|line| line.parse::<f64>().ok());
    let cost = cost.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    assert!(cost >= 130.0 * 2.0_f64.sqrt(), "{cost}");
}

/// The reader's answer through cells: cost in metres and actions; `None` without Python.
fn read_voxels(
    folder: &Path,
    from: [&str; 3],
    to: [&str; 3],
    profile: &str,
) -> Option<(f64, String)> {
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/readers/wayloom_bake.py");
    let output = Command::new("python3")
        .arg(&reader)
        .arg(folder)
        .arg("--voxels")
        .args(from)
        .args(to)
        .arg(profile)
        .output();
    let Ok(output) = output else {
        assert!(
            std::env::var("WAYLOOM_WINDOW_TESTS").as_deref() != Ok("required"),
            "the reader of bakes needs python3"
        );
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let cost = text.lines().next().and_then(|line| line.parse().ok());
    let cost = cost.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    Some((cost, text))
}

#[test]
fn an_independent_reader_finds_paths_of_equal_cost_in_baked_voxels() {
    let desk = Desk::new();
    let trips = [
        (
            "blocks",
            ["3", "8", "0.2"],
            ["6", "8", "0.4"],
            "Walker",
            Some("jump"),
        ),
        (
            "blocks",
            ["3", "2.5", "0"],
            ["9", "2.5", "0"],
            "Walker",
            None,
        ),
        (
            "factory",
            ["3.4", "1.6", "0"],
            ["14.4", "15.4", "0"],
            "Fitter",
            Some("bend"),
        ),
        (
            "stairs",
            ["9", "6", "0"],
            ["9", "8.5", "3.06"],
            "Adult",
            Some("step up"),
        ),
    ];
    for (name, from, to, profile, action) in trips {
        let level = sample(&format!("{name}.ron"));
        let told = desk.json(
            0,
            &[
                "bake",
                &level,
                "-o",
                name,
                "--force",
                "--backend",
                "cpu",
                "--json",
            ],
        );
        assert_eq!(told["voxels"]["by"], "the processor");
        let Some((theirs, text)) = read_voxels(&desk.file(name), from, to, profile) else {
            return;
        };
        assert!(action.is_none_or(|action| text.contains(action)), "{text}");
        let (from, to) = (from.join(","), to.join(","));
        let query = [
            "plan",
            &level,
            "--from",
            &from,
            "--to",
            &to,
            "--profile",
            profile,
        ];
        let how = [
            "--planner",
            "human",
            "--border",
            "0",
            "--metric",
            "cells",
            "--json",
        ];
        let ours = desk.json(0, &[&query[..], &how].concat());
        let cost = ours["cost"].as_f64().expect("a cost");
        assert!((cost - theirs).abs() < 1e-9, "{name}: {cost} and {theirs}");
    }
}

#[test]
fn human_motion_is_planned_in_the_papers_grids_and_says_why_not() {
    let desk = Desk::new();
    let stairs = sample("stairs.ron");
    let to_balcony = [
        "--from",
        "9,3,0",
        "--to",
        "9,8.5,3.06",
        "--planner",
        "human",
    ];
    let query = [&["plan", &stairs][..], &to_balcony].concat();
    for grid in [&[][..], &["--grid", "53x91x102"]] {
        let found = desk.json(0, &[&query[..], grid, &["--json"]].concat());
        assert_eq!(found["found"], true, "{grid:?}");
        let actions = found["actions"].as_array().expect("a list");
        assert!(actions.contains(&"step up".into()), "{actions:?}");
    }
    let child = ["--profile", "Child", "--json"];
    let stopped = desk.json(1, &[&query[..], &child].concat());
    let reason = stopped["reason"].as_str().expect("a sentence");
    assert!(reason.contains("gap"), "{reason}");
    let (_, err) = desk.expect(2, &[&query[..], &["--grid", "53x91"]].concat());
    assert!(err.contains("53x91x102"), "{err}");
}

#[test]
fn experiments_are_listed_when_one_is_unknown() {
    let desk = Desk::new();
    let (_, err) = desk.expect(2, &["lab", "alchemy"]);
    assert!(
        err.contains("there is no experiment `alchemy`") && err.contains("trapezoids"),
        "{err}"
    );
}

#[test]
fn an_object_moved_onto_the_path_is_avoided_by_a_local_detour() {
    let desk = Desk::new();
    let stairs = sample("stairs.ron");
    let query = ["plan", &stairs, "--from", "3,9,3.06", "--to", "12,9,3.06"];
    let ask = |code: i32, more: &[&str]| {
        let how = ["--profile", "Adult", "--planner", "human", "--json"];
        desk.json(code, &[&query[..], &how, more].concat())
    };
    let onto = "Crate on the balcony=8.6,9";
    let aside = "Crate on the balcony=8.6,7.6";
    let path = ask(0, &["--move", aside, "--move", onto, "--move", aside]);
    let moves = path["moves"].as_array().expect("a list");
    let changes: Vec<_> = moves.iter().map(|moved| &moved["change"]).collect();
    // What is free again does not lead back: nothing of the way is touched by that.
    assert_eq!(changes, ["none", "mended", "none"]);
    let mended = &moves[1];
    assert_eq!(mended["detours"][0]["around"][0], "Crate on the balcony");
    let kept = mended["detours"][0]["kept"].as_f64().expect("a share");
    assert!(kept > 0.2 && kept < 1.0, "{kept}");
    assert!(mended["expanded"].as_u64() < mended["expanded_anew"].as_u64());
    assert!(mended["length"].as_f64() >= path["length"].as_f64());
    let [tiles, all] = ["discretised", "all"].map(|key| mended["tiles"][key].as_u64());
    assert!(tiles < all);
    let is_inside = |p: &Vec<f64>| (p[0] - 8.6).abs() < 0.3 && (p[1] - 9.0).abs() < 0.3;
    let points = |value: &Value| -> Vec<Vec<f64>> {
        let list = value.as_array().expect("points");
        list.iter().map(numbers).collect()
    };
    assert!(points(&mended["detours"][0]["old"]).iter().any(is_inside));
    assert!(!points(&mended["detours"][0]["new"]).iter().any(is_inside));
    // The cells stay those of the detour; the string through them is pulled anew.
    assert!(moves[2]["length"].as_f64() <= mended["length"].as_f64());
    // Whoever has passed the place is not touched, and walks on from there.
    let passed = ask(0, &["--move", onto, "--walked", "7"]);
    assert_eq!(passed["moves"][0]["change"], "none");
    assert!(passed["moves"][0]["length"].as_f64() < Some(2.5));
    // On the goal it leaves no way, and says where.
    let lost = ask(1, &["--move", "Crate on the balcony=12,9"]);
    let lost = &lost["moves"][0];
    assert_eq!(lost["change"], "lost");
    assert_eq!(lost["blocker"], "Crate on the balcony");
    let at = numbers(&lost["blocked_at"]);
    assert!(
        (at[0] - 12.0).abs() < 0.5 && (at[1] - 9.0).abs() < 0.5,
        "{at:?}"
    );
    let reason = lost["reason"].as_str().expect("a sentence");
    assert!(reason.contains("blocked at"), "{reason}");
}

#[test]
fn moves_that_make_no_sense_are_explained() {
    let desk = Desk::new();
    let stairs = sample("stairs.ron");
    let query = ["plan", &stairs, "--from", "3,9,3.06", "--to", "12,9,3.06"];
    for (more, words) in [
        (vec!["--planner", "human", "--move", "Crate"], "NAME=X,Y"),
        (vec!["--planner", "human", "--move", "=1,2"], "NAME=X,Y"),
        (vec!["--planner", "human", "--move", "Crate=1"], "NAME=X,Y"),
        (
            vec!["--planner", "human", "--move", "Crate=1,nan"],
            "NAME=X,Y",
        ),
        (
            vec!["--planner", "human", "--move", "Nobody=1,2"],
            "no solid or obstacle",
        ),
        (
            vec!["--planner", "portal", "--move", "Crate=1,2"],
            "--planner human",
        ),
        (vec!["--planner", "human", "--walked", "2"], "--move"),
        (
            vec![
                "--planner",
                "human",
                "--move",
                "Crate=1,2",
                "--walked",
                "far",
            ],
            "metres",
        ),
    ] {
        let (_, error) = desk.expect(2, &[&query[..], &more].concat());
        assert!(error.contains(words), "{more:?}: {error}");
    }
}
