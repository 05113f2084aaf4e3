//! Levels that are cut, spliced and littered, given to every command: each ends soon, in little memory,
//! and what it says is a sentence.
//!
//! `WAYLOOM_FUZZ_CASES` sets how many (the test command does fewer).

use crate::folder::Folder;
use crate::heavy::{Run, run};
use std::path::Path;
use wayloom::base::Random;
use wayloom::base::parser_words::check_form;
use wayloom::document::format;

/// Half a gigabyte; a debug build takes ten times as long as the second that a command may take.
const MOST_MEMORY: u64 = 512 << 20;

const NUMBERS: [&str; 12] = [
    "0",
    "-0.0",
    "1",
    "2",
    "1e-9",
    "0.0005",
    "-1e6",
    "999999.9995",
    "1e12",
    "4194304",
    "1e308",
    "NaN",
];

const LITTER: [&str; 14] = [
    "\u{0}",
    "\u{1b}[31m",
    "\"",
    "(((((",
    ")",
    "]",
    "\\u{7}",
    ",",
    ":",
    "é",
    "None",
    "Some(",
    "//",
    "\n\n",
];

/// Every other mutant keeps its grammar, so that what lies behind the reader is tried as well.
fn mutant(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    let keeps_grammar = random.chance(0.6);
    // Of many, one is out of its limits.
    let changes = if keeps_grammar { 2 } else { 5 };
    for _ in 0..=random.below(changes) {
        let mut at = random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let digit = |c: char| c.is_ascii_digit() || "+-.".contains(c);
        match random.below(if keeps_grammar { 1 } else { 5 }) {
            0 => {
                // With a point: what has none is mostly a number of a thing.
                let Some(point) = text[at..].find(".").map(|i| at + i) else {
                    continue;
                };
                let begin = text[..point].rfind(|c| !digit(c)).map_or(0, |i| i + 1);
                let length = text[begin..]
                    .find(|c| !digit(c))
                    .unwrap_or(text.len() - begin);
                if !text.is_char_boundary(begin) || begin == point {
                    continue;
                }
                let number = match random.below(4) {
                    0 => (*random.pick(&NUMBERS).expect("some")).to_owned(),
                    _ => format!("{:.3}", random.range(0.1, 40.0)),
                };
                text.replace_range(begin..begin + length, &number);
            }
            1 => text.insert_str(at, random.pick(&LITTER).copied().expect("some")),
            2 => {
                let mut end = (at + random.below(40)).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                text.replace_range(at..end, "");
            }
            3 => {
                let mut end = (at + random.below(200)).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                let piece = text[at..end].repeat(1 + random.below(20));
                text.insert_str(at, &piece);
            }
            _ => text.truncate(at),
        }
    }
    text
}

fn cases(usual: u64) -> u64 {
    let wanted = std::env::var("WAYLOOM_FUZZ_CASES").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// It ended by itself and in little memory, and what it refused with are sentences.
fn judge(run: &Run, about: &str) {
    let Run {
        code,
        said,
        time,
        memory,
    } = run;
    assert!(
        code.is_some_and(|code| code <= 2),
        "{code:?} after {time:?}, {about}: {said}"
    );
    assert!(
        *memory <= MOST_MEMORY,
        "{} MB, {about}: {said}",
        memory >> 20
    );
    if *code == Some(2) {
        for sentence in sentences(said) {
            assert_eq!(check_form(sentence), Ok(()), "{about}: {said}");
        }
    }
}

/// Without the names of files, which are the test's own.
fn sentences(said: &str) -> impl Iterator<Item = &str> {
    said.lines().map(str::trim).filter(|line| !line.is_empty())
}

#[test]
fn every_command_takes_any_level_and_says_sentences() {
    let cases = cases(24);
    let levels = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    let seeds = ["zigzag", "bottleneck", "rooms", "stairs"].map(|name| {
        std::fs::read_to_string(levels.join(name).with_extension("ron")).expect("a sample")
    });
    let folder = Folder::new();
    let path = folder.file("level.ron");
    let mut accepted = 0;
    for case in 0..cases {
        let mut random = Random::stream(77, case);
        let text = mutant(&mut random, random_seed(&seeds, case));
        std::fs::write(&path, &text).expect("writable");
        let is_level = format::read(&text).is_ok();
        accepted += u64::from(is_level);
        let picture = folder.file("plan.svg").display().to_string();
        let bake = folder.file("bake").display().to_string();
        let format =
            ["glb", "godot", "detour", "polyanya", "tmx", "tables", "pdf"][case as usize % 7];
        let target = folder
            .file(&format!("level.{format}"))
            .display()
            .to_string();
        let recording = folder.file("run.wlrec").display().to_string();
        let commands: [&[&str]; 6] = [
            &["check"],
            &["plan", "--from=1,1", "--to=5,3"],
            &["render", "--force", "-o", &picture],
            &["bake", "--force", "-o", &bake],
            &["export", "--force", "--format", format, "-o", &target],
            &["simulate", "--force", "--seconds=0.5", "-o", &recording],
        ];
        // What is no level is refused by all of them alike.
        let tried = if is_level {
            &commands[..]
        } else {
            &commands[..1]
        };
        for words in tried {
            let run = run(words, &path, &folder);
            judge(&run, &format!("case {case}, {}:\n{text}", words[0]));
        }
    }
    assert!(accepted * 5 >= cases, "{accepted} of {cases} are levels");
}

fn random_seed(seeds: &[String], case: u64) -> &str {
    &seeds[case as usize % seeds.len()]
}

/// Bytes are changed, cut and repeated.
fn damaged(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(60)).min(bytes.len());
        match random.below(4) {
            0 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].repeat(1 + random.below(300));
                bytes.splice(at..at, piece);
            }
            _ => {
                let number = random.pick(&NUMBERS).copied().expect("some");
                bytes.splice(at..end.min(at + number.len()), number.bytes());
            }
        }
    }
    bytes
}

#[test]
fn every_reader_stays_small_and_says_sentences() {
    let cases = cases(4);
    let level = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/mckenna.ron");
    let folder = Folder::new();
    for (format, name) in [
        ("wkt", "a.wkt"),
        ("geojson", "a.geojson"),
        ("movingai", "a.map"),
        ("polyanya", "a.mesh"),
        ("obj", "a.obj"),
        ("glb", "a.glb"),
        ("maps", "maps"),
    ] {
        let target = folder.file(name);
        let out = target.display().to_string();
        let mut words = vec!["export", "--format", format, "-o", &out];
        if format == "maps" {
            // Pictures in full size take long without optimisation.
            words.extend(["--pixel", "1"]);
        }
        let made = run(&words, &level, &folder);
        assert_eq!(made.code, Some(0), "{format}: {}", made.said);
        let seed = match format {
            "maps" => target.join("clearance.png"),
            _ => target,
        };
        let Ok(bytes) = std::fs::read(&seed) else {
            panic!("{} was not written: {}", seed.display(), made.said);
        };
        for case in 0..cases {
            let mut random = Random::stream(format.len() as u64, case);
            std::fs::write(&seed, damaged(&mut random, &bytes)).expect("writable");
            let level = folder.file("read.ron").display().to_string();
            let run = run(&["import", "--force", "-o", &level], &seed, &folder);
            judge(&run, &format!("{format}, case {case}"));
        }
    }
}

#[test]
fn recordings_are_read_however_damaged_they_are() {
    let level = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels/bottleneck.ron");
    let folder = Folder::new();
    let seed = folder.file("run.wlrec");
    let out = seed.display().to_string();
    let made = run(&["simulate", "--seconds=2", "-o", &out], &level, &folder);
    assert_eq!(made.code, Some(0), "{}", made.said);
    let bytes = std::fs::read(&seed).expect("written");
    for case in 0..cases(12) {
        let mut random = Random::stream(9, case);
        std::fs::write(&seed, damaged(&mut random, &bytes)).expect("writable");
        for words in [&["replay"][..], &["measure"]] {
            let run = run(words, &seed, &folder);
            judge(&run, &format!("case {case}, {}", words[0]));
        }
    }
}
