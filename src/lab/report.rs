//! Rows of figures, and how to print them: a table, JSON, Markdown.

use serde::Serialize;
use std::fmt::Write as _;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    pub name: String,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub what: String,
    /// Whose method it is, where a paper prints one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    pub unit: &'static str,
    /// The paper's figure.
    pub paper: Option<f64>,
    pub ours: f64,
    /// Half the distance between the quartiles, in the same unit.
    pub spread: Option<f64>,
    pub baseline: Option<Baseline>,
    /// Ours divided by the baseline.
    pub ratio: Option<f64>,
    pub goal: Option<f64>,
    /// Lowest and highest figure that is right, where both have limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    pub better: Better,
    /// `None` where there is no goal.
    pub met: Option<bool>,
}

/// Whose method a row measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The paper's, step by step.
    AsPrinted,
    /// What Wayloom does by default, or something else that the paper does not print.
    Ours,
}

/// Options of a method that tell whether they are those of its paper.
pub trait Printed {
    fn is_as_printed(&self) -> bool;

    fn method(&self) -> Method {
        if self.is_as_printed() {
            Method::AsPrinted
        } else {
            Method::Ours
        }
    }
}

/// A peer measured in the same run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Baseline {
    pub name: String,
    pub value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    Lower,
    Higher,
}

impl Row {
    #[must_use]
    pub fn new(what: impl Into<String>, unit: &'static str, ours: f64) -> Self {
        Self {
            what: what.into(),
            method: None,
            unit,
            paper: None,
            ours,
            spread: None,
            baseline: None,
            ratio: None,
            goal: None,
            range: None,
            better: Better::Lower,
            met: None,
        }
    }

    #[must_use]
    pub fn spread(self, spread: f64) -> Self {
        Self {
            spread: Some(spread),
            ..self
        }
    }

    #[must_use]
    pub fn paper(self, figure: f64) -> Self {
        Self {
            paper: Some(figure),
            ..self
        }
    }

    /// Measured with these options.
    #[must_use]
    pub fn by(self, options: &impl Printed) -> Self {
        Self {
            method: Some(options.method()),
            ..self
        }
    }

    #[must_use]
    pub fn goal(self, goal: f64, better: Better) -> Self {
        Self {
            goal: Some(goal),
            better,
            met: Some(match better {
                Better::Lower => self.ours <= goal,
                Better::Higher => self.ours >= goal,
            }),
            ..self
        }
    }

    /// The figure must not be outside.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self {
            range: Some([low, high]),
            met: Some((low..=high).contains(&self.ours)),
            ..self
        }
    }

    #[must_use]
    pub fn beside(self, name: impl Into<String>, value: f64) -> Self {
        Self {
            ratio: (value != 0.0).then(|| self.ours / value),
            baseline: Some(Baseline {
                name: name.into(),
                value,
            }),
            ..self
        }
    }

    /// The row as the cells of a table.
    fn cells(&self) -> [String; 7] {
        let with_unit = |value: f64| format!("{} {}", figure(value), self.unit).trim().to_owned();
        let ours = match self.spread {
            Some(spread) => format!("{} ± {}", with_unit(self.ours), figure(spread)),
            None => with_unit(self.ours),
        };
        let baseline = self.baseline.as_ref().map_or(String::new(), |b| {
            format!("{} ({})", with_unit(b.value), b.name)
        });
        let mark = match self.met {
            Some(true) => " ✓",
            Some(false) => " ✗",
            None => "",
        };
        let goal = match (self.goal, self.range) {
            (Some(goal), _) => {
                let sign = match self.better {
                    Better::Lower => "≤",
                    Better::Higher => "≥",
                };
                format!("{sign} {}{mark}", with_unit(goal))
            }
            (None, Some([low, high])) => format!("{}…{}{mark}", figure(low), with_unit(high)),
            (None, None) => String::new(),
        };
        [
            self.what.clone(),
            match self.method {
                Some(Method::AsPrinted) => "as printed".to_owned(),
                Some(Method::Ours) => "ours".to_owned(),
                None => String::new(),
            },
            self.paper.map_or(String::new(), with_unit),
            ours,
            baseline,
            self.ratio
                .map_or(String::new(), |ratio| format!("{ratio:.2}×")),
            goal,
        ]
    }
}

const HEADS: [&str; 7] = ["what", "method", "paper", "ours", "beside", "ratio", "goal"];

impl Report {
    /// All goals are met, and no paper's figure stands beside another method.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.rows.iter().all(|row| row.met != Some(false)) && self.misplaced().is_empty()
    }

    /// Rows with a paper's figure that say that they are not the paper's method.
    #[must_use]
    pub fn misplaced(&self) -> Vec<&str> {
        let rows = self.rows.iter();
        let wrong = rows.filter(|row| row.paper.is_some() && row.method == Some(Method::Ours));
        wrong.map(|row| row.what.as_str()).collect()
    }

    /// Rows with a paper's figure that do not say that they are the paper's method.
    #[must_use]
    pub fn unmarked(&self) -> Vec<&str> {
        let rows = self.rows.iter();
        let wrong = rows.filter(|row| row.paper.is_some() && row.method != Some(Method::AsPrinted));
        wrong.map(|row| row.what.as_str()).collect()
    }

    /// A table for a terminal. Unused columns are left out.
    #[must_use]
    pub fn table(&self) -> String {
        let (heads, rows) = self.used_columns();
        let widths: Vec<usize> = (0..heads.len())
            .map(|i| {
                let cells = rows.iter().map(|row| row[i].chars().count());
                cells.max().unwrap_or(0).max(heads[i].len())
            })
            .collect();
        let mut out = format!("{}\n", self.name);
        let line = |cells: &[String]| {
            let padded: Vec<String> = cells
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.chars().count())))
                .collect();
            format!("  {}", padded.join("  ")).trim_end().to_owned()
        };
        let heads: Vec<String> = heads.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "{}", line(&heads));
        for row in &rows {
            let _ = writeln!(out, "{}", line(row));
        }
        out
    }

    /// As a table in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let (heads, rows) = self.used_columns();
        let mut out = format!("### {}\n\n| {} |\n", self.name, heads.join(" | "));
        let _ = writeln!(out, "|{}", "---|".repeat(heads.len()));
        for row in rows {
            let _ = writeln!(out, "| {} |", row.join(" | "));
        }
        out
    }

    fn used_columns(&self) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let cells: Vec<[String; 7]> = self.rows.iter().map(Row::cells).collect();
        let used: Vec<usize> = (0..HEADS.len())
            .filter(|i| cells.iter().any(|row| !row[*i].is_empty()))
            .collect();
        let rows = cells
            .iter()
            .map(|row| used.iter().map(|i| row[*i].clone()).collect())
            .collect();
        (used.iter().map(|i| HEADS[*i]).collect(), rows)
    }
}

/// Three significant digits, without an exponent.
fn figure(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 9);
    let text = format!("{value:.*}", digits as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_met_or_not_and_a_ratio_is_ours_by_theirs() {
        let row = Row::new("query", "µs", 8.0)
            .goal(10.0, Better::Lower)
            .beside("peer", 16.0);
        assert_eq!((row.met, row.ratio), (Some(true), Some(0.5)));
        let row = Row::new("share", "%", 89.0).goal(90.0, Better::Higher);
        assert_eq!(row.met, Some(false));
        assert!(
            !Report {
                name: String::new(),
                rows: vec![row]
            }
            .is_met()
        );
    }

    struct Steps(u32);

    impl Printed for Steps {
        fn is_as_printed(&self) -> bool {
            self.0 == 1
        }
    }

    #[test]
    fn a_papers_figure_beside_another_method_is_a_fault() {
        let report = |steps: u32| Report {
            name: String::new(),
            rows: vec![Row::new("walk", "ms", 8.0).by(&Steps(steps)).paper(9.0)],
        };
        assert!(report(1).is_met() && report(1).unmarked().is_empty());
        assert_eq!(report(2).misplaced(), ["walk"]);
        assert!(!report(2).is_met());
        assert!(report(1).table().contains("as printed"));
    }

    #[test]
    fn tables_leave_out_empty_columns_and_align() {
        let report = Report {
            name: "portal".to_owned(),
            rows: vec![
                Row::new("query", "µs", 8.123).goal(10.0, Better::Lower),
                Row::new("a longer name", "µs", 1234.5),
            ],
        };
        assert_eq!(
            report.table(),
            "portal\n  what           ours     goal\n  query          8.12 µs  ≤ 10 µs ✓\n  a longer name  1234 µs\n"
        );
        assert!(
            report
                .markdown()
                .contains("| query | 8.12 µs | ≤ 10 µs ✓ |")
        );
    }
}
