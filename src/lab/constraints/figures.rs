//! The paper's Figures 2, 4, 7–10 and 11–14, as rows and drawn from our results.

use super::super::{Better, LabError, Row, scene};
use super::panel::{Line, Panel};
use super::query::{Planned, Scene, agent_of, field_of, planned, seen};
use super::table::Patrol;
use super::{RADIUS, plot};
use crate::document::template::{Options, Template};
use crate::document::{ConstraintDomain, Heading, Kind, KindName, Level};
use crate::jobs::JobContext;
use crate::nav::NavData;
use crate::nav::constraint::{Field, Placement, Situation};
use crate::planner::constraint::domain::Domain;
use crate::preview::nav::SERIES;
use glam::DVec3;
use std::path::PathBuf;
use std::sync::Arc;

/// What a figure shows and the rows that it is worth.
struct Figure {
    panels: Vec<Panel>,
    rows: Vec<Row>,
}

type Draw = fn(&JobContext) -> Result<Figure, LabError>;

const ALL: [Draw; 5] = [expansions, examples, compound, sights, quarters];

/// The figures as rows.
pub(super) fn rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    for figure in ALL {
        ctx.checkpoint()?;
        rows.extend(figure(ctx)?.rows);
    }
    Ok(rows)
}

/// Figures 2, 4, 7–10 and 11–14 as drawings and as pixels: names and contents of files.
///
/// # Errors
/// Cancelled, or a sample could not be made or drawn.
pub fn pictures(ctx: &JobContext) -> Result<Vec<(PathBuf, Vec<u8>)>, LabError> {
    let mut files = Vec::new();
    for figure in ALL {
        for panel in figure(ctx)?.panels {
            ctx.checkpoint()?;
            files.extend(panel.files(ctx)?);
        }
    }
    files.extend(plot::files(&Patrol::new(ctx)?)?);
    Ok(files)
}

fn built(template: Template, ctx: &JobContext) -> Result<(Arc<Level>, NavData), LabError> {
    let level = Arc::new(template.build(&Options::default())?);
    let nav = scene::nav_for(&level, RADIUS, ctx)?;
    Ok((level, nav))
}

/// Figures 2 and 7: states that the domains expand for one query.
fn expansions(ctx: &JobContext) -> Result<Figure, LabError> {
    let (level, nav) = built(Template::Guards, ctx)?;
    let field = field_of(&level, "Shadow", &Situation::of(&level))?;
    let guarded = Scene {
        lattice: nav.lattice(1.0),
        nav,
        field,
    };
    let ends = [DVec3::new(4.0, 3.0, 0.0), DVec3::new(61.0, 37.0, 0.0)];
    let short = [DVec3::new(4.0, 21.0, 0.0), DVec3::new(34.0, 21.0, 0.0)];
    let plain: Arc<Field> = Arc::default();
    let mut figure = Figure {
        panels: Vec::new(),
        rows: Vec::new(),
    };
    let cases = [
        ("2a", "dense", ConstraintDomain::Dense, true, ends, 892.0),
        (
            "2b",
            "adaptive",
            ConstraintDomain::Adaptive,
            true,
            ends,
            637.0,
        ),
        ("2c", "dense", ConstraintDomain::Dense, false, ends, 493.0),
        (
            "2d",
            "adaptive",
            ConstraintDomain::Adaptive,
            false,
            ends,
            367.0,
        ),
        ("7a", "dense", ConstraintDomain::Dense, false, short, 145.0),
        ("7b", "hybrid", ConstraintDomain::Hybrid, false, short, 90.0),
        ("7c", "dense", ConstraintDomain::Dense, true, ends, 545.0),
        ("7d", "hybrid", ConstraintDomain::Hybrid, true, ends, 527.0),
    ];
    for (name, what, domain, is_constrained, [start, goal], paper) in cases {
        let field = if is_constrained {
            &guarded.field
        } else {
            &plain
        };
        let ground = guarded.ground(domain);
        let mut asked = Domain::new(&ground, field, start, goal);
        let Some(found) = seen(&mut asked) else {
            return Err(LabError::Unavailable(format!("Fig. {name} has no path")));
        };
        let with = if is_constrained { "with" } else { "without" };
        let text = format!("{what}, {with} constraints");
        let row = format!("Fig. {name}: {text}: expansions");
        figure
            .rows
            .push(Row::new(row, "", found.expanded.len() as f64).paper(paper));
        let mut panel = Panel::new(
            format!("constraints_figure_{name}"),
            format!(
                "Figure {name} · {text}: {} states expanded, cost {:.1}",
                found.expanded.len(),
                found.cost
            ),
            &level,
        );
        panel.field = is_constrained.then(|| Arc::clone(field));
        panel.squares(&found.expanded, guarded.lattice.spacing());
        if domain == ConstraintDomain::Hybrid {
            panel.long(&found.path, guarded.lattice.spacing());
        }
        panel.lines.push(Line::new("path", &found.path, SERIES[0]));
        figure.panels.push(panel);
    }
    Ok(figure)
}

/// Figure 4: one problem with and without constraints, repaired as the guard moves, and ten agents
/// with constraints of their own.
fn examples(ctx: &JobContext) -> Result<Figure, LabError> {
    let (level, nav) = built(Template::Guards, ctx)?;
    let sentence = "not in Grass with weight 4; not near line of sight of Guard within 12 and 70 degrees with weight 8; near between Barn and Store with weight 4";
    let ask = |sentence: &str, situation: &Situation| {
        planned(&level, &nav, "Shadow", Some(sentence), situation, ctx)
    };
    let now = Situation::of(&level);
    let without = ask("", &now)?;
    let with = ask(sentence, &now)?;
    let situation = guards_at(&level, &[("Guard", (31.0, 33.0), -90.0)])?;
    let moved = ask(sentence, &situation)?;
    let in_sight = |plan: &Planned, field: &Field| {
        let sight = field
            .terms()
            .iter()
            .find(|term| term.name.contains("sight"));
        sight.map_or(0.0, |term| plan.metres_in(term))
    };
    let mut figure = Figure {
        rows: vec![
            Row::new(
                "Fig. 4d: path without constraints, in sight of the guard",
                "m",
                in_sight(&without, &with.field),
            ),
            Row::new(
                "Fig. 4e: path under constraints, in sight of the guard",
                "m",
                in_sight(&with, &with.field),
            )
            .goal(0.5, Better::Lower),
            Row::new(
                "Fig. 4g: path after the guard has moved, in its sight",
                "m",
                in_sight(&moved, &moved.field),
            )
            .goal(0.5, Better::Lower),
        ],
        panels: Vec::new(),
    };
    for (name, title, plan, situation) in [
        ("4d", "the best path without constraints", &without, &now),
        (
            "4e",
            "not in Grass, not near the guard's sight, near between Barn and Store",
            &with,
            &now,
        ),
        (
            "4g",
            "repaired after the guard has moved",
            &moved,
            &situation,
        ),
    ] {
        let mut panel = Panel::new(
            format!("constraints_figure_{name}"),
            format!("Figure {name} · {title}: {:.1} m", plan.length),
            &situation.applied(&level),
        );
        panel.terms = plan.field.terms().to_vec();
        panel.lines.push(Line::new("path", &plan.points, SERIES[0]));
        figure.panels.push(panel);
    }
    let mut panel = Panel::new(
        "constraints_figure_4h".to_owned(),
        "Figure 4h · ten agents from one gate to one depot, each with its own sentence".to_owned(),
        &level,
    );
    let mut count = 0;
    for (_, entity, agent) in level.agents() {
        if agent.mission.constraints.is_empty() {
            continue;
        }
        let plan = planned(&level, &nav, &entity.name, None, &now, ctx)?;
        let colour = SERIES[count % SERIES.len()];
        let mut line = Line::new(entity.name.clone(), &plan.points, colour);
        line.is_dashed = count >= SERIES.len();
        panel.lines.push(line);
        count += 1;
    }
    figure.rows.push(
        Row::new(
            "Fig. 4h: agents with different sentences that get to the depot",
            "",
            count as f64,
        )
        .goal(10.0, Better::Higher),
    );
    figure.panels.push(panel);
    Ok(figure)
}

/// Figure 11: behind an obstacle, along a wall, zigzag, and in single file.
fn compound(ctx: &JobContext) -> Result<Figure, LabError> {
    let (level, nav) = built(Template::Zigzag, ctx)?;
    let now = Situation::of(&level);
    let mut panel = Panel::new(
        "constraints_figure_11".to_owned(),
        "Figure 11 · from the bottom: (a) behind, (b) along a wall, (c) zigzag, (d) single file"
            .to_owned(),
        &level,
    );
    let mut rows = Vec::new();
    for (index, (_, entity, _)) in level.agents().enumerate() {
        let plan = planned(&level, &nav, &entity.name, None, &now, ctx)?;
        let part = match &*entity.name {
            "Behind the block" => "a",
            "Along the wall" => "b",
            "Zigzag" => "c",
            _ => "d",
        };
        let terms = || plan.field.terms().iter();
        // Every attractor is gone through, and no repeller.
        let kept = terms()
            .filter(|term| (plan.metres_in(term) > 0.3) == (term.weight > 0.0))
            .count();
        rows.push(
            Row::new(
                format!("Fig. 11{part}: {}: constraints kept", entity.name),
                "%",
                100.0 * kept as f64 / terms().count().max(1) as f64,
            )
            .goal(100.0, Better::Higher),
        );
        for term in terms() {
            if !panel.terms.iter().any(|known| known.name == term.name) {
                panel.terms.push(term.clone());
            }
        }
        let colour = SERIES[index % SERIES.len()];
        panel
            .lines
            .push(Line::new(entity.name.clone(), &plan.points, colour));
    }
    Ok(Figure {
        panels: vec![panel],
        rows,
    })
}

/// Agents elsewhere, facing somewhere in degrees.
fn guards_at(level: &Level, places: &[(&str, (f64, f64), f64)]) -> Result<Situation, LabError> {
    let mut situation = Situation::of(level);
    for (name, (x, y), degrees) in places {
        agent_of(level, name)?;
        let id = level.find(KindName::Agent, name);
        let placement = Placement {
            at: DVec3::new(*x, *y, 0.0),
            heading: Some(Heading::degrees(*degrees)),
        };
        situation.placements.extend(id.map(|id| (id, placement)));
    }
    Ok(situation)
}

/// Figures 12 and 13: out of the sight of guards that move, and in it.
fn sights(ctx: &JobContext) -> Result<Figure, LabError> {
    let (level, nav) = built(Template::Guards, ctx)?;
    let mut figure = Figure {
        panels: Vec::new(),
        rows: Vec::new(),
    };
    let places = [
        guards_at(
            &level,
            &[
                ("Guard", (31.0, 30.0), -90.0),
                ("Sentry", (46.0, 21.0), 180.0),
            ],
        )?,
        guards_at(
            &level,
            &[
                ("Guard", (24.0, 20.0), 90.0),
                ("Sentry", (55.0, 24.0), 120.0),
            ],
        )?,
    ];
    for (number, what, word) in [
        ("12", "not in line of sight", "not near"),
        ("13", "in line of sight", "near"),
    ] {
        let sentence = ["Guard", "Sentry"].map(|guard| {
            format!("{word} line of sight of {guard} within 12 and 70 degrees with weight 8")
        });
        for (part, situation) in ["a", "b"].into_iter().zip(&places) {
            let plan = planned(
                &level,
                &nav,
                "Shadow",
                Some(&sentence.join("; ")),
                situation,
                ctx,
            )?;
            let seen: f64 = plan
                .field
                .terms()
                .iter()
                .map(|term| plan.metres_in(term))
                .sum();
            let row = Row::new(
                format!("Fig. {number}{part}: {what}: metres of the path in sight"),
                "m",
                seen,
            );
            figure.rows.push(if number == "12" {
                row.goal(0.5, Better::Lower)
            } else {
                row.goal(5.0, Better::Higher)
            });
            let mut panel = Panel::new(
                format!("constraints_figure_{number}{part}"),
                format!(
                    "Figure {number}{part} · {what}, {}: {:.1} m, {seen:.1} m of it seen",
                    if part == "a" {
                        "before"
                    } else {
                        "after the guards have moved"
                    },
                    plan.length
                ),
                &situation.applied(&level),
            );
            panel.field = Some(Arc::clone(&plan.field));
            panel.terms = plan.field.terms().to_vec();
            panel.lines.push(Line::new("path", &plan.points, SERIES[0]));
            figure.panels.push(panel);
        }
    }
    Ok(figure)
}

/// Figure 14: a quarter that is avoided by night.
fn quarters(ctx: &JobContext) -> Result<Figure, LabError> {
    let (level, nav) = built(Template::Night, ctx)?;
    let mut figure = Figure {
        panels: Vec::new(),
        rows: Vec::new(),
    };
    let area = level
        .iter()
        .find_map(|(id, entity)| matches!(entity.kind, Kind::Annotation(_)).then_some(id));
    let quarter = area.map(|id| crate::nav::constraint::region_of(&level, id.into()));
    for (part, hour, what) in [("a", 12.0, "by day"), ("b", 23.5, "by night")] {
        let situation = Situation {
            hour,
            ..Situation::of(&level)
        };
        let plan = planned(&level, &nav, "Wary", None, &situation, ctx)?;
        let inside = quarter
            .as_ref()
            .map_or(0.0, |region| plan.metres(|p| region.contains(p)));
        let row = Row::new(
            format!("Fig. 14{part}: {what}: metres of the path in the quarter"),
            "m",
            inside,
        );
        figure.rows.push(if part == "a" {
            row.goal(1.0, Better::Higher)
        } else {
            row.goal(0.0, Better::Lower)
        });
        let mut panel = Panel::new(
            format!("constraints_figure_14{part}"),
            format!("Figure 14{part} · {what}: {:.0} m", plan.length),
            &level,
        );
        panel.terms = plan.field.terms().to_vec();
        if !panel.terms.is_empty() {
            panel.field = Some(Arc::clone(&plan.field));
        }
        panel.lines.push(Line::new("path", &plan.points, SERIES[0]));
        figure.panels.push(panel);
    }
    Ok(figure)
}
