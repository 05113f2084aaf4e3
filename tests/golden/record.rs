//! One plan as text: short enough to keep, exact enough to tell where another one differs.

use serde_json::Value;
use std::fmt;

/// Numbers that differ by less are equal: those of the files are rounded to six digits.
const TOLERANCE: f64 = 1.5e-6;

/// At most so many points of a path are written down; the others enter the sums between them.
const MAX_POINTS: usize = 16;

/// A heading and lines of words and numbers.
#[derive(Debug)]
pub struct Record {
    pub title: String,
    lines: Vec<String>,
}

/// Unit: as the value. Never −0.
fn rounded(value: f64) -> String {
    format!("{:.6}", (value * 1e6).round() / 1e6 + 0.0)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn coordinates(point: &[f64; 3]) -> String {
    point.map(rounded).join(" ")
}

/// `walk 12, jump 1, walk 3`
fn runs(actions: &Value) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for action in actions.as_array().into_iter().flatten() {
        let action = action.as_str().unwrap_or("?");
        match runs.last_mut() {
            Some((last, count)) if *last == action => *count += 1,
            _ => runs.push((action, 1)),
        }
    }
    let runs: Vec<String> = runs
        .iter()
        .map(|(action, count)| format!("{action} {count}"))
        .collect();
    runs.join(", ")
}

impl Record {
    pub fn of(title: String, answer: &Value) -> Self {
        let planner = answer["planner"].as_str().unwrap_or("?");
        let lines = if answer["found"] == true {
            let mut lines = vec![
                format!(
                    "{planner}: length {} cost {}",
                    rounded(number(&answer["length"])),
                    rounded(number(&answer["cost"]))
                ),
                format!("actions: {}", runs(&answer["actions"])),
            ];
            lines.extend(point_lines(&answer["points"]));
            lines
        } else {
            let reason = answer["reason"].as_str().unwrap_or("?");
            vec![format!("{planner}: no path: {reason}")]
        };
        Self { title, lines }
    }

    pub fn read_all(text: &str) -> Vec<Self> {
        let mut records: Vec<Self> = Vec::new();
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("# ") {
                records.push(Self {
                    title: title.to_owned(),
                    lines: Vec::new(),
                });
            } else if let Some(record) = records.last_mut()
                && !line.is_empty()
            {
                record.lines.push(line.to_owned());
            }
        }
        records
    }

    /// Says whose plan differs, and where first. `self` is what was expected.
    pub fn first_difference(&self, now: &Self) -> Option<String> {
        let mut lines = self.lines.iter().zip(&now.lines);
        let (was, is) = match lines.find(|(was, is)| !same(was, is)) {
            Some((was, is)) => (was.as_str(), is.as_str()),
            None if self.lines.len() == now.lines.len() => return None,
            None => {
                let shared = self.lines.len().min(now.lines.len());
                let end = |lines: &[String]| lines.get(shared).cloned().unwrap_or_default();
                return Some(format!(
                    "{}:\n  was {}\n  is  {}",
                    self.title,
                    end(&self.lines),
                    end(&now.lines)
                ));
            }
        };
        Some(format!("{}:\n  was {was}\n  is  {is}", self.title))
    }
}

/// Every n-th point, and the sum of all points since the one written before it.
fn point_lines(points: &Value) -> Vec<String> {
    let points: Vec<[f64; 3]> = points
        .as_array()
        .into_iter()
        .flatten()
        .map(|point| [0, 1, 2].map(|axis| number(&point[axis])))
        .collect();
    let stride = points.len().div_ceil(MAX_POINTS).max(1);
    let mut lines = vec![format!("points: {}", points.len())];
    let mut sum = [0.0; 3];
    let mut summed = 0;
    for (index, point) in points.iter().enumerate() {
        if index % stride == 0 || index + 1 == points.len() {
            let mut line = format!("{index}: {}", coordinates(point));
            if summed > 0 {
                line += &format!("; sum of the {summed} before: {}", coordinates(&sum));
            }
            lines.push(line);
            (sum, summed) = ([0.0; 3], 0);
        } else {
            for axis in 0..3 {
                sum[axis] += point[axis];
            }
            summed += 1;
        }
    }
    lines
}

/// Whether two lines have the same words, and numbers that are equal but for rounding.
fn same(a: &str, b: &str) -> bool {
    let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
    let (a, b) = (words(a), words(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| {
        a == b
            || matches!(
                (a.trim_end_matches(';').parse::<f64>(), b.trim_end_matches(';').parse::<f64>()),
                (Ok(a), Ok(b)) if (a - b).abs() <= TOLERANCE
            )
    })
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# {}", self.title)?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        writeln!(f)
    }
}

#[test]
fn a_difference_says_whose_and_where() {
    let path = |points: Vec<[f64; 3]>| {
        let length = points.len() as f64;
        let answer = serde_json::json!({
            "found": true, "planner": "portal", "length": length, "cost": 0.0,
            "actions": ["walk", "walk", "jump"], "points": points,
        });
        Record::of("Guard by portal".to_owned(), &answer)
    };
    let points: Vec<[f64; 3]> = (0..100).map(|i| [f64::from(i), 0.0, 0.0]).collect();
    let golden = Record::read_all(&path(points.clone()).to_string()).remove(0);
    assert_eq!(golden.lines[1], "actions: walk 2, jump 1");
    assert_eq!(golden.first_difference(&path(points.clone())), None);
    let mut close = points.clone();
    close[13][1] += 1e-7;
    assert_eq!(golden.first_difference(&path(close)), None);
    // A point that is written down, one that is only summed, one too few.
    for (index, line) in [(14, "14: 14.000000 "), (15, "21: 21.000000 "), (98, "98: ")] {
        let mut other = points.clone();
        other[index][1] += 1e-5;
        let difference = golden.first_difference(&path(other)).expect("differs");
        assert!(difference.starts_with("Guard by portal:"), "{difference}");
        assert!(difference.contains(&format!("is  {line}")), "{difference}");
    }
    let shorter = path(points[..99].to_vec());
    let difference = golden.first_difference(&shorter).expect("differs");
    assert!(
        difference.contains("is  portal: length 99.0"),
        "{difference}"
    );
    let missing = Record::of(
        "Guard by portal".to_owned(),
        &serde_json::json!({ "found": false, "planner": "portal", "reason": "walls" }),
    );
    let difference = golden.first_difference(&missing).expect("differs");
    assert!(difference.contains("no path: walls"), "{difference}");
}
