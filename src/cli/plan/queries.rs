//! Many queries from a file, one line of result each, and the totals.

use super::{Answer, Console, NavData, args, planner};
use crate::document::PlannerId;
use crate::exchange::import::{Source, scenario};
use crate::planner::{Figures, PathRequest, registry};
use anyhow::{Context as _, bail};
use glam::DVec2;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// Files larger than this are refused. Unit: bytes.
const MAX_FILE: u64 = 256 << 20;

/// From where to where, and the length that the file promises, if it does.
struct Query {
    from: DVec2,
    to: DVec2,
    promised: Option<f64>,
}

/// Sums over all queries that were answered.
#[derive(Default)]
struct Totals {
    found: usize,
    length: f64,
    micros: Vec<f64>,
    gaps: Vec<f64>,
    /// Queries whose shortest path is longer than the file promises.
    beyond_promise: usize,
    promised: usize,
}

pub(super) fn run(
    file: &Path,
    options: &args::Plan,
    choice: PlannerId,
    about: &PathRequest,
    nav: &NavData,
    console: &Console,
) -> anyhow::Result<Answer> {
    let queries = read(file, options.cell, nav)?;
    let mut totals = Totals::default();
    let mut lines = String::new();
    console.with_progress("Planning", |ctx| -> anyhow::Result<()> {
        for (i, query) in queries.iter().enumerate() {
            ctx.report(i as f32 / queries.len() as f32);
            let request = PathRequest {
                start: query.from.extend(0.0),
                goal: query.to.extend(0.0),
                figures: Figures::Length,
                ..about.clone()
            };
            let answer = registry::plan(choice, nav, &request, ctx)?;
            let straight = PathRequest {
                figures: Figures::Length,
                ..PathRequest::new(query.from, query.to)
            };
            // What nobody asked for is not searched for.
            let optimal = if choice == PlannerId::OPTIMAL && request.slope.is_none() {
                answer.path().map(|path| path.length)
            } else if !options.gaps {
                None
            } else {
                let shortest = registry::plan(PlannerId::OPTIMAL, nav, &straight, ctx)?;
                shortest.path().map(|path| path.length)
            };
            let object = match answer {
                planner::Answer::Found(path) => {
                    totals.add(query, path.length, optimal, path.plan_micros);
                    json!({
                        "found": true, "length": path.length, "cost": path.cost, "optimal_length": optimal,
                        "promised_length": query.promised, "expanded": path.expanded,
                        "plan_micros": path.plan_micros, "reason": null,
                    })
                }
                planner::Answer::NotFound(reason) => json!({
                    "found": false, "reason": reason.reason,
                }),
            };
            line(&mut lines, i, query, &object, console.json);
        }
        Ok(())
    })?;
    let object = totals.object(queries.len(), choice);
    if console.json {
        let _ = write!(lines, "{object}");
        console.raw(&lines);
    } else {
        lines.push_str(&totals.sentence(queries.len()));
        console.result(&lines, &object);
    }
    Ok(if totals.found == queries.len() {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn line(lines: &mut String, i: usize, query: &Query, object: &Value, json: bool) {
    let _ = if json {
        writeln!(lines, "{object}")
    } else {
        let result = match object["length"].as_f64() {
            Some(length) => format!("{length:.3}"),
            None => format!("no path: {}", object["reason"].as_str().unwrap_or_default()),
        };
        writeln!(
            lines,
            "{} ({}, {}) ({}, {}) {result}",
            i + 1,
            query.from.x,
            query.from.y,
            query.to.x,
            query.to.y
        )
    };
}

/// Rounding of places and lengths in scenario files. Unit: metres.
const PROMISE_ROUNDING: f64 = 1e-4;

impl Totals {
    fn add(&mut self, query: &Query, length: f64, optimal: Option<f64>, micros: f64) {
        self.found += 1;
        self.length += length;
        self.micros.push(micros);
        if let Some(optimal) = optimal {
            self.gaps.push(if optimal > 0.0 {
                100.0 * (length / optimal - 1.0).max(0.0)
            } else {
                0.0
            });
            if let Some(promised) = query.promised {
                self.promised += 1;
                self.beyond_promise += usize::from(optimal > promised + PROMISE_ROUNDING);
            }
        }
    }

    fn mean_gap(&self) -> Option<f64> {
        let count = self.gaps.len() as f64;
        (count > 0.0).then(|| self.gaps.iter().sum::<f64>() / count)
    }

    fn worst_gap(&self) -> Option<f64> {
        self.gaps.iter().copied().reduce(f64::max)
    }

    fn median_micros(&self) -> Option<f64> {
        let mut sorted = self.micros.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }

    fn object(&self, queries: usize, choice: PlannerId) -> Value {
        json!({
            "totals": true,
            "planner": choice.as_str(),
            "queries": queries,
            "found": self.found,
            "length": self.length,
            "mean_gap_percent": self.mean_gap(),
            "worst_gap_percent": self.worst_gap(),
            "median_micros": self.median_micros(),
            "promised": self.promised,
            "optimum_longer_than_promised": self.beyond_promise,
        })
    }

    fn sentence(&self, queries: usize) -> String {
        let mut text = format!("{} of {queries} found", self.found);
        if let (Some(mean), Some(worst)) = (self.mean_gap(), self.worst_gap()) {
            let _ = write!(
                text,
                "; gap to the shortest path {mean:.3} % in the mean, {worst:.2} % at worst"
            );
        }
        if let Some(micros) = self.median_micros() {
            let _ = write!(text, "; median {micros:.1} µs");
        }
        if self.promised > 0 {
            let _ = write!(
                text,
                "; {} of {} shortest paths are longer than the file says",
                self.beyond_promise, self.promised
            );
        }
        text
    }
}

fn read(file: &Path, cell: f64, nav: &NavData) -> anyhow::Result<Vec<Query>> {
    let name = file.display().to_string();
    let size = std::fs::metadata(file)
        .with_context(|| format!("{name} cannot be read"))?
        .len();
    if size > MAX_FILE {
        bail!("{name} is larger than {} MB; split it", MAX_FILE >> 20);
    }
    let bytes = std::fs::read(file).with_context(|| format!("{name} cannot be read"))?;
    let is_scenario = file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("scen"));
    if is_scenario {
        let source = Source { name, bytes };
        let height = (nav.bounds().size().y / cell).round() as usize;
        return Ok(scenario::read(&source)?
            .queries
            .iter()
            .map(|query| Query {
                from: scenario::Scenario::place(query.start, height, cell),
                to: scenario::Scenario::place(query.goal, height, cell),
                promised: Some(query.optimal * cell),
            })
            .collect());
    }
    table(&String::from_utf8_lossy(&bytes), &name)
}

/// Lines of four numbers; the first line may be the columns' names.
fn table(text: &str, name: &str) -> anyhow::Result<Vec<Query>> {
    let mut queries = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let numbers: Option<Vec<f64>> = line
            .split([',', ';', '\t'])
            .map(|part| part.trim().parse().ok().filter(|n: &f64| n.is_finite()))
            .collect();
        match numbers.as_deref() {
            Some(&[from_x, from_y, to_x, to_y, ..]) => queries.push(Query {
                from: DVec2::new(from_x, from_y),
                to: DVec2::new(to_x, to_y),
                promised: None,
            }),
            _ if i == 0 && line.contains("from_x") => {}
            _ => bail!(
                "{name}:{}: this is not a query; one is: from_x, from_y, to_x, to_y as finite numbers",
                i + 1
            ),
        }
    }
    Ok(queries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_or_refused_with_the_line() {
        let queries = table(
            "from_x,from_y,to_x,to_y\n1,2,3,4\n\n# no\n-1;0;1e1;2\n",
            "q.csv",
        )
        .expect("read");
        assert_eq!(queries.len(), 2);
        assert_eq!(queries[1].to, DVec2::new(10.0, 2.0));
        for (bad, line) in [("1,2,3", 1), ("1,2,3,4\n1,2,x,4", 2), ("1,2,nan,4", 1)] {
            let error = table(bad, "q.csv").err().expect("refused").to_string();
            assert!(error.starts_with(&format!("q.csv:{line}:")), "{error}");
        }
    }

    #[test]
    fn totals_count_gaps_and_broken_promises() {
        let mut totals = Totals::default();
        let query = |promised| Query {
            from: DVec2::ZERO,
            to: DVec2::ONE,
            promised,
        };
        totals.add(&query(Some(10.0)), 11.0, Some(10.0), 5.0);
        totals.add(&query(Some(9.0)), 10.0, Some(10.0), 7.0);
        totals.add(&query(None), 3.0, None, 1.0);
        assert_eq!(totals.found, 3);
        assert!((totals.mean_gap().expect("some") - 5.0).abs() < 1e-9);
        assert_eq!((totals.promised, totals.beyond_promise), (2, 1));
        assert_eq!(totals.median_micros(), Some(5.0));
    }
}
