//! Scenarios of the Moving AI benchmarks: starts and goals with the length of the shortest path
//! on the grid.

use super::{ImportError, Source, scanner};
use glam::DVec2;

/// Queries that one scenario may hold.
const MAX_QUERIES: usize = 1_000_000;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    pub queries: Vec<ScenarioQuery>,
}

/// From one cell to another; columns from the left, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScenarioQuery {
    /// Size of the map that it was made for. Unit: cells.
    pub width: u32,
    pub height: u32,
    pub start: [u32; 2],
    pub goal: [u32; 2],
    /// Length of the shortest path over the eight neighbours of cells. Unit: cells.
    pub optimal: f64,
}

impl Scenario {
    /// The middle of a cell in the level. Unit: metres.
    #[must_use]
    pub fn place([x, y]: [u32; 2], map_height: usize, cell: f64) -> DVec2 {
        DVec2::new(f64::from(x) + 0.5, map_height as f64 - f64::from(y) - 0.5) * cell
    }
}

/// # Errors
/// A sentence with the line that is not a query.
pub fn read(source: &Source) -> Result<Scenario, ImportError> {
    let text = scanner::text(source)?;
    let mut scenario = Scenario::default();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || (i == 0 && line.starts_with("version")) {
            continue;
        }
        let refuse = |message: &str| ImportError::At {
            file: source.name.clone(),
            line: i + 1,
            column: 1,
            message: message.to_owned(),
        };
        if scenario.queries.len() == MAX_QUERIES {
            return Err(refuse(&format!(
                "a scenario holds at most {MAX_QUERIES} queries"
            )));
        }
        scenario.queries.push(query(line).ok_or_else(|| {
            refuse(
                "this is not a query; one is: bucket, map, width, height, start x and y, goal x \
                 and y, length",
            )
        })?);
    }
    Ok(scenario)
}

/// Read from the end, as the map's name may hold blanks.
fn query(line: &str) -> Option<ScenarioQuery> {
    let mut words = line
        .rsplit(|c: char| c.is_ascii_whitespace())
        .filter(|w| !w.is_empty());
    let optimal: f64 = words.next()?.parse().ok()?;
    let mut whole = || words.next()?.parse::<u32>().ok();
    let (goal_y, goal_x) = (whole()?, whole()?);
    let (start_y, start_x) = (whole()?, whole()?);
    let (height, width) = (whole()?, whole()?);
    // A name and a bucket must be left.
    words.next()?;
    words.next()?;
    optimal.is_finite().then_some(ScenarioQuery {
        width,
        height,
        start: [start_x, start_y],
        goal: [goal_x, goal_y],
        optimal,
    })
}
