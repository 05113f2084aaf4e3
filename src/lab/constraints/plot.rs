//! Figures 8–10: how the cost of the plan falls while it is searched for, and after each change.

use super::super::LabError;
use super::EPSILON;
use super::query::{improve, median};
use super::table::Patrol;
use crate::nav::constraint::Field;
use crate::planner::constraint::ad_star::AdStar;
use crate::planner::constraint::astar::AStar;
use crate::planner::constraint::domain::{Changed, Domain, Ground};
use crate::planner::constraint::runs::Density;
use crate::planner::session::Progress;
use crate::preview::{png_of_svg, typeface};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// Unit: pixels.
const SIZE: [u32; 2] = [1100, 560];
/// Left, top, right and bottom of the plot itself.
const PLOT: [f64; 4] = [90.0, 70.0, 1060.0, 480.0];

/// The guard is moved so often, by several metres each time.
const CHANGES: usize = 3;
const METRES: usize = 4;

/// A plan that was known after so many expansions.
#[derive(Clone, Copy, Debug)]
struct Known {
    expanded: usize,
    cost: f64,
    epsilon: f64,
}

/// A run: what was known when, and at which expansions the world changed.
#[derive(Debug, Default)]
struct Run {
    known: Vec<Known>,
    changes: Vec<usize>,
    /// Expansions of each repair, and of planning from scratch instead.
    repairs: Vec<[f64; 2]>,
}

pub(super) fn files(patrol: &Patrol) -> Result<Vec<(PathBuf, Vec<u8>)>, LabError> {
    let dense = Ground::Dense(Arc::clone(&patrol.lattice));
    let adaptive = Ground::Adaptive(Arc::clone(&patrol.lattice), Density::PRINTED);
    let runs = [
        ("8", "AD*, dense", repairing(patrol, &dense)),
        ("9", "AD*, adaptive", repairing(patrol, &adaptive)),
        (
            "10",
            "A*, adaptive, from scratch each time",
            restarting(patrol, &adaptive),
        ),
    ];
    let mut files = Vec::new();
    for (number, title, run) in runs {
        let svg = drawn(number, title, &run);
        let png =
            png_of_svg(&svg, SIZE).map_err(|error| LabError::Unavailable(error.to_string()))?;
        let file =
            |extension: &str| PathBuf::from(format!("constraints_figure_{number}.{extension}"));
        files.push((file("svg"), svg.into_bytes()));
        files.push((file("png"), png));
    }
    Ok(files)
}

fn fields(patrol: &Patrol) -> impl Iterator<Item = &Arc<Field>> {
    patrol.fields.iter().step_by(METRES).take(CHANGES + 1)
}

fn repairing(patrol: &Patrol, ground: &Ground) -> Run {
    let mut run = Run::default();
    let mut known: Option<(Domain, AdStar)> = None;
    let mut before = 0;
    for field in fields(patrol) {
        let (mut domain, mut search) = match known.take() {
            None => {
                let domain = Domain::new(ground, field, patrol.start, patrol.goal);
                let mut search = AdStar::default();
                search.begin(&domain, domain.start(), domain.goal(), EPSILON);
                (domain, search)
            }
            Some((mut domain, mut search)) => {
                run.changes.push(before);
                search.count_anew();
                let changed = domain.update(ground, field, patrol.start);
                match changed {
                    Changed::From(nodes) => {
                        search.costs_changed(&mut domain, &nodes);
                        search.start_moved(&mut domain);
                        search.next_search(&domain, 1.0);
                    }
                    Changed::Everything => {
                        search.begin(&domain, domain.start(), domain.goal(), EPSILON);
                    }
                }
                (domain, search)
            }
        };
        for (epsilon, cost, expanded) in improve(&mut search, &mut domain) {
            run.known.push(Known {
                expanded: before + expanded,
                cost,
                epsilon,
            });
        }
        if before > 0 {
            let mut fresh = Domain::new(ground, field, patrol.start, patrol.goal);
            let mut scratch = AdStar::default();
            scratch.begin(&fresh, fresh.start(), fresh.goal(), EPSILON);
            improve(&mut scratch, &mut fresh);
            run.repairs
                .push([search.expanded() as f64, scratch.expanded() as f64]);
        }
        before += search.expanded();
        known = Some((domain, search));
    }
    run
}

fn restarting(patrol: &Patrol, ground: &Ground) -> Run {
    let mut run = Run::default();
    let mut before = 0;
    for field in fields(patrol) {
        if before > 0 {
            run.changes.push(before);
        }
        let mut domain = Domain::new(ground, field, patrol.start, patrol.goal);
        let mut search = AStar::default();
        search.begin(&domain, domain.start(), domain.goal());
        if search.run(&mut domain, usize::MAX) == Progress::Found {
            run.known.push(Known {
                expanded: before + search.expanded(),
                cost: search.cost(domain.goal()).unwrap_or(f64::NAN),
                epsilon: 1.0,
            });
        }
        if before > 0 {
            run.repairs.push([search.expanded() as f64; 2]);
        }
        before += search.expanded();
    }
    run
}

/// A round number of steps that covers a range with about five of them.
fn step_of(range: f64) -> f64 {
    let rough = (range / 5.0).max(1e-9);
    let unit = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0];
    unit * factor
        .into_iter()
        .find(|f| f * unit >= rough)
        .unwrap_or(10.0)
}

fn drawn(number: &str, title: &str, run: &Run) -> String {
    let [left, top, right, bottom] = PLOT;
    let most = run.known.last().map_or(1, |known| known.expanded).max(1) as f64 * 1.02;
    let costs = || run.known.iter().map(|known| known.cost);
    let low = costs().fold(f64::INFINITY, f64::min);
    let high = costs().fold(0.0, f64::max);
    let step = step_of((high - low).max(1.0));
    let (low, high) = (
        (low / step).floor() * step - step,
        (high / step).ceil() * step,
    );
    let x = |expanded: f64| left + (right - left) * expanded / most;
    let y = |cost: f64| bottom - (bottom - top) * (cost - low) / (high - low);
    let ratio = median(run.repairs.iter().map(|[a, b]| 100.0 * a / b).collect());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"{}, sans-serif\" font-weight=\"300\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{left}\" y=\"38\" font-size=\"20\" fill=\"#202428\">Figure {number} · {title}: cost of the plan over expansions</text>\n\
         <text x=\"{left}\" y=\"58\" font-size=\"13\" fill=\"#606870\">A circle is a plan with its bound ε; the guard moves by {METRES} m at each dashed line; a change takes {ratio:.0} % of the expansions from scratch (median)</text>\n",
        SIZE[0],
        SIZE[1],
        typeface::FAMILY,
    );
    let mut line = |from: [f64; 2], to: [f64; 2], more: &str| {
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {more}/>",
            from[0], from[1], to[0], to[1]
        );
    };
    let mut labels = String::new();
    let mut label = |at: [f64; 2], anchor: &str, text: &str| {
        let _ = writeln!(
            labels,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" fill=\"#303438\" text-anchor=\"{anchor}\">{text}</text>",
            at[0], at[1]
        );
    };
    let grid = "stroke=\"#d8dce0\" stroke-width=\"1\"";
    let mut cost = low;
    while cost <= high + 1e-9 {
        line([left, y(cost)], [right, y(cost)], grid);
        let digits = usize::from(step < 1.0);
        label(
            [left - 10.0, y(cost) + 4.0],
            "end",
            &format!("{cost:.digits$}"),
        );
        cost += step;
    }
    let across = step_of(most);
    let mut at = 0.0;
    while at <= most {
        line([x(at), bottom], [x(at), bottom + 6.0], "stroke=\"#606870\"");
        label([x(at), bottom + 22.0], "middle", &format!("{at:.0}"));
        at += across;
    }
    line([left, bottom], [right, bottom], "stroke=\"#606870\"");
    label(
        [(left + right) / 2.0, bottom + 48.0],
        "middle",
        "states expanded",
    );
    label([left - 10.0, top - 4.0], "end", "cost");
    for change in &run.changes {
        let at = x(*change as f64);
        line(
            [at, top],
            [at, bottom],
            "stroke=\"#c04040\" stroke-dasharray=\"5 4\"",
        );
    }
    // Steps: a plan is followed until the next is known.
    let mut points = String::new();
    let mut last: Option<Known> = None;
    for known in &run.known {
        if let Some(last) = last {
            let _ = write!(
                points,
                "{:.1},{:.1} ",
                x(known.expanded as f64),
                y(last.cost)
            );
        }
        let _ = write!(
            points,
            "{:.1},{:.1} ",
            x(known.expanded as f64),
            y(known.cost)
        );
        last = Some(*known);
    }
    let _ = writeln!(
        out,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"#2a6fb0\" stroke-width=\"2.4\"/>"
    );
    for known in &run.known {
        let (cx, cy) = (x(known.expanded as f64), y(known.cost));
        let _ = writeln!(
            out,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"4.5\" fill=\"#ffffff\" stroke=\"#2a6fb0\" stroke-width=\"2.2\"/>"
        );
        let text = format!("ε {}", (known.epsilon * 100.0).round() / 100.0);
        label([cx + 8.0, cy - 8.0], "start", &text);
    }
    out.push_str(&labels);
    out.push_str("</svg>\n");
    out
}
