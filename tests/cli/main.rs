//! The program as a script sees it: text, JSON, exit codes, files.

mod exporting;
mod following;
mod formats;
mod planning;
mod simulating;
mod sweeping;
#[path = "../ui/toy_format.rs"]
mod toy_format;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

struct Desk(PathBuf);

impl Desk {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let path = std::env::temp_dir().join(format!(
            "wayloom-cli-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        ));
        std::fs::create_dir_all(&path).expect("the temporary folder can be written to");
        Self(path)
    }

    /// Runs the program in this folder, without a display.
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_wayloom"))
            .args(arguments)
            .current_dir(&self.0)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .expect("starts")
    }

    /// Runs it and expects an exit code.
    fn expect(&self, code: i32, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let out = String::from_utf8(output.stdout).expect("text");
        let err = String::from_utf8(output.stderr).expect("text");
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}\n{out}\n{err}"
        );
        (out, err)
    }

    fn json(&self, code: i32, arguments: &[&str]) -> serde_json::Value {
        let (out, _) = self.expect(code, arguments);
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn sample(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("levels")
        .join(name)
        .display()
        .to_string()
}

#[test]
fn new_writes_the_same_level_twice_and_nothing_is_overwritten() {
    let desk = Desk::new();
    desk.expect(
        0,
        &[
            "new",
            "a.ron",
            "--template",
            "city",
            "--size",
            "60",
            "--seed",
            "4",
        ],
    );
    let (_, err) = desk.expect(2, &["new", "a.ron"]);
    assert!(
        err.contains("a.ron already exists") && err.contains("--force"),
        "{err}"
    );
    let first = std::fs::read(desk.file("a.ron")).expect("written");
    desk.expect(
        0,
        &[
            "new",
            "b.ron",
            "--template",
            "city",
            "--size",
            "60",
            "--seed",
            "4",
        ],
    );
    assert_eq!(first, std::fs::read(desk.file("b.ron")).expect("written"));
    desk.expect(0, &["new", "a.ron", "--force"]);
    assert_ne!(first, std::fs::read(desk.file("a.ron")).expect("written"));
    let (_, err) = desk.expect(2, &["new", "c.ron", "--template", "castle"]);
    assert!(
        err.contains("there is no template `castle`") && err.contains("labyrinth"),
        "{err}"
    );
    let (_, err) = desk.expect(2, &["new", "no/such/c.ron"]);
    assert!(err.contains("there is no folder no/such"), "{err}");
}

#[test]
fn check_names_file_entity_and_problem_and_answers_by_exit_code() {
    let desk = Desk::new();
    let (out, err) = desk.expect(0, &["check", &sample("mckenna.ron")]);
    assert_eq!(out, "");
    assert!(err.contains("0 errors, 0 warnings"), "{err}");
    desk.expect(0, &["new", "a.ron"]);
    let text = std::fs::read_to_string(desk.file("a.ron")).expect("written");
    let bow = "        (id: 900, name: \"Bow\", kind: Obstacle(area: (outer: [(10.0, 10.0), \
               (30.0, 30.0), (30.0, 10.0), (10.0, 30.0)]), height: 3.0)),\n    ],\n)";
    let broken = text.replace("    ],\n)", bow);
    assert_ne!(broken, text);
    std::fs::write(desk.file("b.ron"), broken).expect("writes");
    let (out, _) = desk.expect(1, &["check", "b.ron"]);
    assert!(
        out.starts_with("b.ron:Bow: error: its outline crosses itself at 20.00, 20.00"),
        "{out}"
    );
    let object = desk.json(1, &["check", "a.ron", "b.ron", "--json"]);
    assert_eq!(object["levels"][0]["errors"], 0);
    assert_eq!(object["levels"][1]["problems"][0]["code"], "self-crossing");
    assert_eq!(object["levels"][1]["problems"][0]["id"], 900);
    desk.expect(0, &["check", "b.ron", "--fix"]);
    desk.expect(0, &["check", "b.ron"]);
    assert!(desk.file("b.ron~").exists());
}

#[test]
fn bad_input_is_one_sentence_with_its_place() {
    let desk = Desk::new();
    std::fs::write(desk.file("bad.ron"), "Wayloom(version: 1,\n  next_id: x)").expect("writes");
    let (out, err) = desk.expect(2, &["check", "bad.ron"]);
    assert_eq!(out, "");
    assert!(err.starts_with("wayloom: bad.ron: line 2, column"), "{err}");
    assert_eq!(err.trim_end().lines().count(), 1, "{err}");
    let object = desk.json(2, &["check", "none.ron", "--json"]);
    assert_eq!(object["error"], "none.ron: there is no such file");
    desk.expect(2, &["check"]);
    desk.expect(2, &["dance"]);
}

#[test]
fn render_draws_svg_and_png_without_a_display() {
    let desk = Desk::new();
    let level = sample("mckenna_road.ron");
    desk.expect(0, &["render", &level, "-o", "a.svg", "--size", "400x300"]);
    let svg = std::fs::read_to_string(desk.file("a.svg")).expect("written");
    assert!(
        svg.starts_with("<svg") || svg.starts_with("<?xml"),
        "{}",
        &svg[..40]
    );
    desk.expect(
        0,
        &[
            "render", &level, "-o", "a.png", "--size", "400x300", "--look", "dark",
        ],
    );
    let png = std::fs::read(desk.file("a.png")).expect("written");
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&png[16..24], [0, 0, 1, 144, 0, 0, 1, 44]);
    let object = desk.json(
        0,
        &[
            "render",
            &level,
            "-o",
            "b.svg",
            "--layers",
            "obstacles",
            "--area",
            "0,0,50,50",
            "--json",
        ],
    );
    assert_eq!(object["width"], 1600);
    assert!(
        std::fs::metadata(desk.file("b.svg"))
            .expect("written")
            .len()
            < svg.len() as u64
    );
    let (_, err) = desk.expect(2, &["render", &level, "-o", "a.gif"]);
    assert!(err.contains(".svg for a drawing or in .png"), "{err}");
    let (_, err) = desk.expect(2, &["render", &level, "-o", "c.png", "--size", "99999x5"]);
    assert!(err.contains("16384"), "{err}");
}

#[test]
fn render_shows_agents_at_a_moment_in_plan_and_in_space() {
    let desk = Desk::new();
    let level = sample("rooms.ron");
    let render = |out: &str, more: &[&str]| {
        let args = ["render", &*level, "-o", out, "--size", "320x240"];
        desk.expect(0, &[&args, more].concat());
        std::fs::read(desk.file(out)).expect("written")
    };
    let later = render("4.svg", &["--at", "4"]);
    assert_ne!(render("2.svg", &["--at", "2"]), later);
    assert_eq!(render("again.svg", &["--seconds", "4"]), later);
    let space = ["--view", "3d", "--backend", "cpu"];
    let start = render("0.png", &[&space[..], &["--at", "0"]].concat());
    assert_ne!(
        render("2.png", &[&space[..], &["--at", "2"]].concat()),
        start
    );
    let (_, err) = desk.expect(2, &["render", &level, "-o", "no.svg", "--at", "soon"]);
    assert!(err.contains("a number of seconds"), "{err}");
}

#[test]
fn help_lists_every_command_and_an_example() {
    let desk = Desk::new();
    let (out, _) = desk.expect(0, &["--help"]);
    for word in [
        "new",
        "check",
        "render",
        "bench",
        "Examples:",
        "levels/city.ron",
    ] {
        assert!(out.contains(word), "{word}");
    }
    let (out, _) = desk.expect(0, &["--version"]);
    assert!(out.starts_with("wayloom "));
}

#[test]
fn import_and_export_carry_a_level_to_other_formats_and_back() {
    let desk = Desk::new();
    let room = "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (8 4, 12 4, 12 6, 8 6, 8 4))";
    std::fs::write(desk.file("room.wkt"), room).expect("writes");
    let object = desk.json(0, &["import", "room.wkt", "-o", "room.ron", "--json"]);
    assert!(object["entities"].as_u64() > Some(0), "{object}");
    desk.expect(0, &["check", "room.ron"]);
    desk.expect(0, &["export", "room.ron", "-o", "room.geojson"]);
    desk.expect(0, &["import", "room.geojson", "-o", "again.ron"]);
    let (out, _) = desk.expect(0, &["export", "room.ron", "-o", "room.map", "--cell", "1"]);
    assert!(out.starts_with("room.map: "), "{out}");
    let map = std::fs::read_to_string(desk.file("room.map")).expect("written");
    assert!(map.starts_with("type octile\n"), "{map}");
    let (_, err) = desk.expect(2, &["export", "room.ron", "-o", "room.xyz"]);
    assert!(err.contains("--format"), "{err}");
    std::fs::write(desk.file("bad.wkt"), "POLYGON ((0 0, 1 x").expect("writes");
    let (_, err) = desk.expect(2, &["import", "bad.wkt", "-o", "bad.ron"]);
    assert!(err.starts_with("wayloom: bad.wkt:1:"), "{err}");
    assert!(!desk.file("bad.ron").exists());
}

#[test]
fn formats_lists_what_can_be_read_and_written() {
    let desk = Desk::new();
    let (out, _) = desk.expect(0, &["formats"]);
    for word in ["wkt", "geojson", ".map", "in/out"] {
        assert!(out.contains(word), "{out}");
    }
    let object = desk.json(0, &["formats", "--json"]);
    assert!(
        object["formats"]
            .as_array()
            .is_some_and(|list| list.len() >= 5)
    );
}

#[test]
fn every_export_says_what_it_leaves_out() {
    let desk = Desk::new();
    let level = sample("mckenna.ron");
    for out in ["a.geojson", "a.wkt", "a.map"] {
        let told = desk.json(0, &["export", &level, "-o", out, "--json"]);
        let warnings = told["warnings"].to_string();
        assert!(warnings.contains("left out"), "{out}: {warnings}");
        if out != "a.geojson" {
            assert!(warnings.contains("agent"), "{out}: {warnings}");
        }
    }
    let told = desk.json(
        0,
        &["export", &sample("rooms.ron"), "-o", "b.geojson", "--json"],
    );
    let text = std::fs::read_to_string(sample("rooms.ron")).expect("there");
    let goals = text.matches("Inside(").count();
    let warnings = told["warnings"].to_string();
    assert!(goals > 0, "a level to try it on");
    assert!(
        warnings.contains(&format!("{goals} goals that are areas were left out")),
        "{warnings}"
    );
}

#[test]
fn a_mistyped_command_is_a_sentence_and_opens_nothing() {
    let desk = Desk::new();
    let (_, err) = desk.expect(2, &["chekc"]);
    assert!(
        err.contains("neither a file nor a command `chekc`"),
        "{err}"
    );
    let (_, err) = desk.expect(2, &["folder/nowhere.ron"]);
    assert!(err.contains("there is no such file"), "{err}");
}

#[test]
#[cfg(all(feature = "gui", target_os = "linux"))]
fn without_a_display_the_editor_says_so_in_one_sentence() {
    let desk = Desk::new();
    let (_, err) = desk.expect(2, &[&sample("mckenna.ron")]);
    assert!(err.contains("no display was found"), "{err}");
    assert!(!err.contains(".rs"), "{err}");
    assert_eq!(err.trim().lines().count(), 1, "{err}");
}

#[test]
fn numbers_that_make_no_sense_are_explained() {
    let desk = Desk::new();
    let level = sample("mckenna.ron");
    let plan = |more: &[&str]| {
        let mut arguments = vec!["plan", &level];
        arguments.extend(more);
        desk.expect(2, &arguments).1
    };
    let way = ["--from", "1,1", "--to", "2,2"];
    let err = plan(&[&way[..], &["--threads", "0"]].concat());
    assert!(err.contains("whole number from 1 on"), "{err}");
    let err = plan(&[&way[..], &["--radius", "-1"]].concat());
    assert!(err.contains("from 0 on"), "{err}");
    let err = plan(&["--from", "-5,x", "--to", "2,2"]);
    assert!(err.contains("write it as X,Y"), "{err}");
    // Outside the level, and so no path; but read as a place.
    let (_, err) = desk.expect(1, &["plan", &level, "--from", "-5,1", "--to", "2,2"]);
    assert!(!err.contains("unexpected argument"), "{err}");
    let (help, _) = desk.expect(0, &["plan", "--help"]);
    for text in [
        "Where the path begins",
        "Where the path ends",
        "The level to find",
    ] {
        assert!(help.contains(text), "{help}");
    }
}
