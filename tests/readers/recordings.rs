//! Recordings, read by the programs of crowd research, of 3D scenes, and by a browser.

use crate::levels::{Desk, sample, wayloom};
use crate::readers::{folder, node, program, run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use wayloom::exchange::ExportInput;
use wayloom::exchange::motion::{Motion, Walker};
use wayloom::jobs::JobContext;
use wayloom::sim::Recording;
use wayloom::sim::wlrec::Run;

/// A crowd of the sample level, simulated for a while.
pub fn recorded(desk: &Desk) -> (PathBuf, Motion) {
    let path = desk.0.join("run.wlrec");
    let output = wayloom()
        .args([
            "simulate",
            "--quiet",
            "--seconds",
            "12",
            "--seed",
            "3",
            "-o",
        ])
        .arg(&path)
        .arg(sample("bottleneck"))
        .output()
        .expect("starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    let run = Run::open(std::fs::read(&path).expect("written")).expect("whole");
    let level = wayloom::document::format::read(run.level()).expect("a level");
    let level = std::sync::Arc::new(level.level);
    let input = ExportInput {
        recording: Some(Recording::of_run(&level, run.into()).into()),
        ..ExportInput::new(level)
    };
    let motion = Motion::of(&input, None, &JobContext::default()).expect("a crowd");
    (path, motion)
}

fn export(desk: &Desk, run: &Path, format: &str, name: &str, more: &[&str]) -> PathBuf {
    let target = desk.0.join(name);
    let mut command = wayloom();
    command.args(["export", "--quiet", "--force", "--format", format]);
    if format != "vadere" {
        command.arg("--recording").arg(run);
    }
    command.args(more).arg("-o").arg(&target);
    let output = command.arg(sample("bottleneck")).output().expect("starts");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{format}: {err}");
    target
}

fn length(motion: &Motion) -> f64 {
    motion.walkers.iter().map(Walker::length).sum()
}

#[test]
fn pedpy_and_jupedsim_read_who_was_where() {
    let Some(python) = folder("python") else {
        return;
    };
    let desk = Desk::new();
    let (run_file, motion) = recorded(&desk);
    let mut command = Command::new(python.join("venv/bin/python"));
    command.arg(program("trajectories.py"));
    command.arg(motion.rate().to_string());
    for (format, name) in [
        ("jupedsim", "run.sqlite"),
        ("pedpy", "run.txt"),
        ("csv", "run.csv"),
        ("vadere-traj", "run.traj"),
        ("vadere", "run.scenario"),
        ("usd", "run.usda"),
    ] {
        command.arg(export(&desk, &run_file, format, name, &[]));
    }
    let text = run(&mut command, "");
    eprintln!("{text}");
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(' ').collect()).collect();
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let speeds: Vec<f64> = motion
        .walkers
        .iter()
        .flat_map(|w| (0..w.points.len()).map(|i| w.speed(i, motion.interval)))
        .collect();
    let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
    let mut seen = BTreeMap::new();
    for line in &lines {
        match line[0] {
            "TRAJECTORY" => {
                seen.insert(line[1], ());
                assert_eq!(number(line[2]), motion.rate(), "{line:?}");
                assert_eq!(number(line[3]), motion.positions() as f64, "{line:?}");
                assert_eq!(number(line[4]), motion.walkers.len() as f64, "{line:?}");
                assert!((number(line[5]) - mean).abs() < 0.01, "{line:?}: {mean}");
            }
            "JUPEDSIM" => {
                assert_eq!(number(line[1]), motion.frames as f64);
                assert_eq!(number(line[2]), motion.rate());
                assert_eq!(number(line[3]), motion.positions() as f64);
            }
            "USD" => {
                assert_eq!(number(line[1]), motion.rate());
                assert_eq!(number(line[2]), motion.frames as f64 - 1.0);
                assert_eq!(number(line[3]), motion.walkers.len() as f64);
                assert_eq!(number(line[4]), motion.positions() as f64);
                assert!((number(line[5]) - length(&motion)).abs() < 0.01 * length(&motion));
            }
            _ => {}
        }
    }
    assert_eq!(seen.len(), 4, "{text}");
    // The walkable area is the same in both formats that have one.
    let area = |word: &str, at: usize| {
        let line = lines.iter().find(|line| line[0] == word).expect("a line");
        number(line[at])
    };
    let (jupedsim, vadere) = (area("JUPEDSIM", 4), area("AREA", 1));
    assert!((jupedsim - vadere).abs() < 0.5, "{jupedsim} {vadere}");
}

#[test]
fn the_validator_of_gltf_accepts_agents_that_move() {
    let Some(npm) = folder("npm") else { return };
    let desk = Desk::new();
    let (run_file, motion) = recorded(&desk);
    let file = export(&desk, &run_file, "glb", "run.glb", &[]);
    let text = run(node(&npm, "gltf.mjs").arg(&file), "");
    assert!(text.starts_with("VALID 0 0 "), "{text}");
    let bytes = std::fs::read(&file).expect("written");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
    let scene: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let channels = scene["animations"][0]["channels"].as_array().expect("some");
    let moved = channels
        .iter()
        .filter(|channel| channel["target"]["path"] == "translation");
    assert_eq!(moved.count(), motion.walkers.len());
}

#[test]
fn a_browser_opens_the_page_and_scrubs_through_it() {
    let (Some(npm), Some(chromium)) = (folder("npm"), folder("chromium")) else {
        return;
    };
    let desk = Desk::new();
    let (run_file, motion) = recorded(&desk);
    let page = export(&desk, &run_file, "html", "run.html", &["--look", "dark"]);
    let picture = desk.0.join("page.png");
    let mut command = Command::new("timeout");
    command
        .args(["180", "node"])
        .arg(program("page.mjs"))
        .arg(chromium.join("chromium"))
        .arg(&page)
        .arg(&picture)
        .args(["6", "0", "11.9"])
        .env("CHROMIUM_HOME", desk.0.join("home"))
        .current_dir(&npm);
    let text = run(&mut command, "");
    eprintln!("{text}");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let line = |word: &str| -> Vec<&str> {
        let line = text.lines().find(|line| line.starts_with(word));
        line.expect(word).split(' ').collect()
    };
    let loaded = line("LOADED");
    assert_eq!(number(loaded[1]), motion.walkers.len() as f64);
    assert_eq!(number(loaded[2]), motion.positions() as f64);
    assert_eq!(number(loaded[3]), motion.frames as f64);
    assert!((number(loaded[4]) - length(&motion)).abs() < 0.01 * length(&motion));
    assert!(number(loaded[5]) > 3.0, "the level is drawn");
    for line in text.lines().filter(|line| line.starts_with("AT ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let at = number(words[1]);
        assert!((number(words[2]) - at).abs() < 0.1, "scrubbed: {line}");
        let frame = (at / motion.interval).round() as usize;
        let here: Vec<f64> = motion
            .walkers
            .iter()
            .filter(|w| w.at(frame).is_some())
            .map(|w| w.speed(frame - w.first, motion.interval))
            .collect();
        let gone = motion
            .walkers
            .iter()
            .filter(|w| w.first + w.points.len() <= frame);
        assert_eq!(number(words[3]), here.len() as f64, "{line}");
        assert_eq!(number(words[4]), gone.count() as f64, "{line}");
        let mean = here.iter().sum::<f64>() / here.len() as f64;
        assert!((number(words[5]) - mean).abs() < 1e-3, "{line}: {mean}");
        assert_eq!((words[6], words[7]), (words[3], words[4]), "shown: {line}");
    }
    assert_eq!(text.matches("AT ").count(), 3);
    assert!(text.contains("PLAYED 1"), "{text}");
    assert!(text.contains("ASKED 0"), "nothing is loaded: {text}");
    assert!(text.contains("ERRORS 0"), "{text}");
    assert!(picture.exists());
}

#[test]
fn films_have_as_many_pictures_as_told() {
    let Some(python) = folder("python") else {
        return;
    };
    let desk = Desk::new();
    let (run_file, _) = recorded(&desk);
    let short = [
        "--width", "320", "--height", "240", "--fps", "5", "--end", "3",
    ];
    let gif = export(&desk, &run_file, "gif", "run.gif", &short);
    let png = export(&desk, &run_file, "apng", "run.png", &short);
    let mut space = short.to_vec();
    space.extend(["--view", "3d"]);
    let frames = export(&desk, &run_file, "frames", "frames", &space);
    let mut command = Command::new(python.join("venv/bin/python"));
    command.arg("-c").arg(
        "import sys, PIL.Image as I\n\
         for name in sys.argv[1:]:\n\
         \u{20}   p = I.open(name)\n\
         \u{20}   shades = set()\n\
         \u{20}   for i in range(p.n_frames):\n\
         \u{20}       p.seek(i); shades.add(p.convert('RGB').tobytes())\n\
         \u{20}   print('FILM', p.n_frames, *p.size, len(shades))",
    );
    let text = run(command.arg(&gif).arg(&png), "");
    assert_eq!(text, "FILM 16 320 240 16\nFILM 16 320 240 16\n");
    let files = std::fs::read_dir(&frames).expect("a folder").flatten();
    let names: Vec<_> = files.map(|file| file.file_name()).collect();
    let pictures = names
        .iter()
        .filter(|name| name.to_string_lossy().ends_with(".png"));
    assert_eq!(pictures.count(), 16, "{names:?}");
}

#[test]
fn a_figure_is_a_page_that_can_be_printed() {
    let Some(poppler) = folder("poppler") else {
        return;
    };
    let desk = Desk::new();
    let (run_file, _) = recorded(&desk);
    let pdf = export(&desk, &run_file, "pdf", "figure.pdf", &["--height", "130"]);
    let out = desk.0.join("page");
    let mut command = Command::new(poppler.join("pdftoppm"));
    command.args(["-png", "-r", "150"]).arg(&pdf).arg(&out);
    run(&mut command, "");
    let picture = ["page-1.png", "page-01.png"].map(|name| desk.0.join(name));
    let picture = picture.iter().find(|path| path.exists()).expect("a page");
    let drawn = image::open(picture).expect("a picture").to_rgb8();
    // 180 × 130 mm at 150 dots per inch.
    let [width, height] = [drawn.width(), drawn.height()].map(f64::from);
    assert!((width - 180.0 / 25.4 * 150.0).abs() < 6.0, "{width}");
    assert!((height - 130.0 / 25.4 * 150.0).abs() < 6.0, "{height}");
    // As the drawing itself looks: few pixels differ from what our own rasteriser makes of it.
    let svg = export(&desk, &run_file, "svg", "figure.svg", &["--height", "130"]);
    let svg = std::fs::read_to_string(svg).expect("text");
    let size = [drawn.width(), drawn.height()];
    let ours = wayloom::preview::png_of_svg(&svg, size).expect("a drawing");
    let ours = image::load_from_memory(&ours).expect("a picture").to_rgb8();
    let differing = drawn
        .pixels()
        .zip(ours.pixels())
        .filter(|(a, b)| (0..3).any(|i| a.0[i].abs_diff(b.0[i]) > 60));
    let share = differing.count() as f64 / (width * height);
    assert!(share < 0.02, "{share}");
}
