//! Trajectories of real people and of other simulators, as text.
//!
//! Reads what the Jülich data archive and PedPy write: one line for each person and frame, with
//! id, frame, x, y and possibly more columns, separated by blanks, tabs, commas or semicolons.
//! Comments begin with `#`; `framerate: 25 fps` in one of them tells the frame rate, and `x/m` or
//! `x/cm` the unit.

use crate::sim::measures::{Frames, Position};
use glam::DVec2;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Longest recording: three days at 25 frames a second.
const MAX_FRAMES: i64 = 6_480_000;

/// Largest coordinate. Unit: metres.
const FARTHEST: f64 = 1e6;

/// What a file may leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PeopleOptions {
    /// Frames per second, where the file does not tell.
    pub rate: Option<f64>,
    /// Metres for one unit of the file, where it does not tell; 0.01 for centimetres.
    pub scale: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PeopleError {
    #[error("line {line}: {what}")]
    Line { line: usize, what: String },
    #[error("the file does not tell its frame rate; give it, for example --fps 16")]
    NoRate,
    #[error("there is no line with a person in the file")]
    Nobody,
    #[error("the text is not UTF-8")]
    NotText,
}

/// Reads trajectories.
///
/// # Errors
/// A sentence with the number of the line.
pub fn read(bytes: &[u8], options: &PeopleOptions) -> Result<Frames, PeopleError> {
    let text = std::str::from_utf8(bytes).map_err(|_| PeopleError::NotText)?;
    let mut rate = options.rate;
    let mut scale = options.scale;
    let mut rows: Vec<(i64, u32, DVec2)> = Vec::new();
    let mut ids: BTreeMap<i64, u32> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: String| PeopleError::Line {
            line: number + 1,
            what,
        };
        let line = line.trim().trim_start_matches('\u{feff}');
        if let Some(comment) = line.strip_prefix('#') {
            rate = options.rate.or_else(|| told_rate(comment)).or(rate);
            scale = options.scale.or_else(|| told_scale(comment)).or(scale);
            continue;
        }
        let is_between = |c: char| c.is_whitespace() || c == ',' || c == ';';
        let columns: Vec<&str> = line.split(is_between).filter(|c| !c.is_empty()).collect();
        let Some(first) = columns.first() else {
            continue;
        };
        // Names of columns.
        if rows.is_empty() && first.parse::<f64>().is_err() {
            continue;
        }
        if columns.len() < 4 {
            let count = columns.len();
            return Err(wrong(format!(
                "it has {count} columns; id, frame, x and y are expected"
            )));
        }
        let parsed = |column: usize, name: &str| {
            let value = columns[column].parse::<f64>().ok();
            value.filter(|v| v.is_finite()).ok_or_else(|| {
                let quoted: String = columns[column].chars().take(24).collect();
                wrong(format!("{name} is `{quoted}`, which is not a number"))
            })
        };
        let (id, frame) = (parsed(0, "the id")?, parsed(1, "the frame")?);
        let at = DVec2::new(parsed(2, "x")?, parsed(3, "y")?);
        if id.fract() != 0.0 || frame.fract() != 0.0 || id.abs() > 1e15 || frame.abs() > 1e15 {
            return Err(wrong("id and frame are whole numbers".to_owned()));
        }
        let next = ids.len() as u32;
        let index = *ids.entry(id as i64).or_insert(next);
        rows.push((frame as i64, index, at));
    }
    let rate = rate.filter(|r| *r > 0.0).ok_or(PeopleError::NoRate)?;
    let scale = scale.unwrap_or(1.0);
    rows.sort_by_key(|(frame, index, _)| (*frame, *index));
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Err(PeopleError::Nobody);
    };
    let (first, last) = (first.0, last.0);
    if last.saturating_sub(first) > MAX_FRAMES {
        return Err(PeopleError::Line {
            line: 1,
            what: format!("frames reach from {first} to {last}, which is too long"),
        });
    }
    let mut frames = vec![Vec::new(); (last - first) as usize + 1];
    for (frame, id, at) in rows {
        let at = at * scale;
        if at.abs().max_element() > FARTHEST {
            return Err(PeopleError::Line {
                line: 1,
                what: format!("a person is {at} away, farther than {FARTHEST} m"),
            });
        }
        let list: &mut Vec<Position> = &mut frames[(frame - first) as usize];
        if list.last().is_none_or(|last| last.id != id) {
            list.push(Position { id, at });
        }
    }
    Ok(Frames {
        interval: 1.0 / rate,
        first,
        frames,
    })
}

/// `framerate: 25 fps`, `framerate: 25.00`.
fn told_rate(comment: &str) -> Option<f64> {
    let lower = comment.to_lowercase();
    let (_, after) = lower.split_once("framerate")?;
    let digits: String = after
        .trim_start_matches([':', '=', ' '])
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    digits.parse().ok()
}

fn told_scale(comment: &str) -> Option<f64> {
    let lower = comment.to_lowercase();
    if lower.contains("x/cm") || lower.contains("in cm") {
        Some(0.01)
    } else if lower.contains("x/m") || lower.contains("in m") {
        Some(1.0)
    } else {
        None
    }
}

/// As the archive's text, in metres.
#[must_use]
pub fn write(frames: &Frames) -> String {
    let rate = 1.0 / frames.interval;
    let rate = (rate * 1000.0).round() / 1000.0;
    let mut text = format!("# framerate: {rate} fps\n# id frame x/m y/m z/m\n");
    for (id, track) in frames.tracks() {
        for (frame, at) in track {
            let frame = frames.first + frame as i64;
            let _ = writeln!(text, "{} {frame} {:.4} {:.4} 0", id + 1, at.x, at.y);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::sim::wlrec::{Run, recording};
    use proptest::prelude::*;

    const ARCHIVE: &str = "# PeTrack\n# framerate: 25 fps\n# id frame x/m y/m z/m\n\
        7 100 0.5 -1.25 1.7\n7 101 0.6 -1.25 1.7\n\n9 101 3 4 0\n";

    #[test]
    fn files_of_the_archive_are_read_and_written() {
        let frames = read(ARCHIVE.as_bytes(), &PeopleOptions::default()).expect("readable");
        assert_eq!(
            (frames.interval, frames.first, frames.frames.len()),
            (0.04, 100, 2)
        );
        assert_eq!(frames.get(1, 1), Some(DVec2::new(3.0, 4.0)));
        assert_eq!(frames.get(0, 0), Some(DVec2::new(0.5, -1.25)));
        let again = read(write(&frames).as_bytes(), &PeopleOptions::default());
        assert_eq!(again, Ok(frames.clone()));
        // Centimetres without a header, as the older experiments have them.
        let options = PeopleOptions {
            rate: Some(16.0),
            scale: Some(0.01),
        };
        let older = read(b"1 43 79.035 774.009 183.02\n", &options).expect("readable");
        assert!(
            older
                .get(0, 0)
                .expect("there")
                .distance(DVec2::new(0.79035, 7.74009))
                < 1e-12
        );
        let bytes = recording(&frames, "test", "", EntityId::new(3)).expect("written");
        let run = Run::open(bytes).expect("readable");
        assert_eq!((run.births().len(), run.frames()), (2, 2));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let options = PeopleOptions {
            rate: Some(10.0),
            scale: None,
        };
        let told = |text: &str| {
            read(text.as_bytes(), &options)
                .expect_err("refused")
                .to_string()
        };
        assert!(told("1 2 3 4\n1 2 x 4").starts_with("line 2: x is `x`"));
        assert!(told("1 2 3").contains("3 columns"));
        assert!(told("").contains("no line"));
        assert!(told("1 0 0 0\n1 1e14 0 0").contains("too long"));
        assert!(told("1 1.5 0 0").contains("whole"));
        let error = read(b"1 2 3 4", &PeopleOptions::default());
        assert_eq!(error, Err(PeopleError::NoRate));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[0-9a-z#., ;:\n\t-]{0,200}") {
            let options = PeopleOptions { rate: Some(10.0), scale: None };
            if let Ok(frames) = read(text.as_bytes(), &options) {
                let _ = write(&frames);
            }
        }
    }
}
