//! Paths beside the exact shortest ones, and gaps as wide as they are.

use super::super::scene::nav_for;
use super::super::{Better, LabError, Row};
use super::{sample, with_rules};
use crate::base::EntityId;
use crate::document::template::Template;
use crate::document::{
    Edit, Entity, Kind, Level, PlannerId, Profile, Settings, Smoothing, Solid, SolidShape, ops,
};
use crate::geometry::Rect;
use crate::jobs::JobContext;
use crate::nav::voxel::Conduct;
use crate::planner::human::Naturalness;
use crate::planner::{PathRequest, registry};
use glam::{DVec2, DVec3};
use std::sync::Arc;

const PAIRS: usize = 200;

/// "Paths as natural as the shortest": as printed, with comprehensive smoothing, and as we draw them.
pub(super) fn natural_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let variants = [
        ("between junctions", Conduct::AS_PRINTED),
        (
            "over all cells",
            Conduct {
                smoothing: Smoothing::Full,
                ..Conduct::AS_PRINTED
            },
        ),
        ("taut", Conduct::default()),
    ];
    let profile = Arc::new(Profile::default());
    let radius = profile.body.radius;
    let mut rows = Vec::new();
    for template in [Template::Rooms, Template::Mckenna] {
        let level = sample(template)?;
        for (how, rules) in variants {
            ctx.stage(format!("Pairs in {}", template.name()));
            let nav = nav_for(&with_rules(&level, rules)?, radius, ctx)?;
            let found = Naturalness::of(&nav, &profile, PAIRS, 7, ctx)?;
            let is_ours = rules == Conduct::default();
            let row = |what: &str, unit: &'static str, figure: f64| {
                let what = format!("{}, {PAIRS} pairs, {how}: {what}", template.name());
                Row::new(what, unit, figure).by(&rules)
            };
            let goal = |row: Row, goal: f64, better: Better| {
                if is_ours { row.goal(goal, better) } else { row }
            };
            rows.push(goal(
                row("length ÷ shortest", "", found.length_ratio()),
                1.01,
                Better::Lower,
            ));
            rows.push(goal(
                row("turning ÷ that of the shortest", "", found.turning_ratio()),
                1.2,
                Better::Lower,
            ));
            let hooks = 100.0 * found.hooks as f64 / (2 * found.pairs.max(1)) as f64;
            rows.push(goal(
                row("ends with a hook", "%", hooks),
                2.0,
                Better::Lower,
            ));
            rows.push(goal(
                row("least clearance", "m", found.clearance),
                radius - 0.01,
                Better::Higher,
            ));
            let unlike = found.unlike as f64;
            rows.push(row("pairs that only one planner connects", "", unlike));
        }
    }
    Ok(rows)
}

/// How far bodies may jump, and the side of cells. Unit: metres.
const JUMP: f64 = 0.75;
const CELL: f64 = 0.25;

/// Two decks with a gap between them, its middle this far from the border of a cell.
fn decks(gap: f64, shift: f64) -> Result<Level, LabError> {
    let middle = 5.0 + shift;
    let deck = |left: f64, right: f64| {
        let centre = DVec3::new(f64::midpoint(left, right), 2.0, 2.0);
        let size = DVec3::new(right - left, 4.0, CELL);
        Entity::new(
            "Deck",
            Kind::Solid(Solid::new(SolidShape::Box, centre, size)),
        )
    };
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::new(10.0, 4.0)),
        has_ground: false,
        ..Settings::default()
    };
    let edits = [
        Edit::Settings(Arc::new(settings)),
        Edit::create(EntityId::new(1), deck(0.0, middle - 0.5 * gap)),
        Edit::create(EntityId::new(2), deck(middle + 0.5 * gap, 10.0)),
    ];
    Ok(ops::apply(&Level::default(), &edits)?)
}

/// Real gaps that a jump of a nominal width crosses.
pub(super) fn gap_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    ctx.stage("Gaps");
    let mut profile = Profile::default();
    profile.body.jump = JUMP;
    profile.body.foot_span = 0.3;
    let profile = Arc::new(profile);
    let (mut widest, mut narrowest) = (0.0_f64, f64::INFINITY);
    for shift in [0.0, 0.06, 0.11, 0.19] {
        let mut here = 0.0_f64;
        for step in 2..=28 {
            let gap = 0.05 * f64::from(step);
            let nav = nav_for(&decks(gap, shift)?, profile.body.radius, ctx)?;
            let request = PathRequest {
                profile: Arc::clone(&profile),
                ..PathRequest::in_space(DVec3::new(1.0, 2.0, 2.25), DVec3::new(9.0, 2.0, 2.25))
            };
            let answer = registry::plan(PlannerId::HUMAN, &nav, &request, ctx);
            if answer.is_ok_and(|answer| answer.path().is_some()) {
                here = here.max(gap);
            }
        }
        widest = widest.max(here);
        narrowest = narrowest.min(here);
    }
    let row = |what: &str, figure: f64| {
        Row::new(format!("a jump of {JUMP} m: {what}"), "m", figure)
            .by(&Conduct::default())
            .within(JUMP - CELL, JUMP + CELL)
    };
    Ok(vec![
        row("widest real gap crossed, at the best place", widest),
        row("widest real gap crossed, at the worst place", narrowest),
    ])
}
