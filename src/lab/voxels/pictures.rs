//! The paper's Figures 9, 13, 16, 17 and 19, drawn from our results.

use super::super::LabError;
use super::super::figure::{Files, Line, figure};
use super::super::scene::nav_for;
use super::{Conduct, Subject, TABLE, sample, with_rules};
use crate::base::EntityId;
use crate::document::template::Template;
use crate::document::{
    Edit, Entity, Kind, KindName, Level, Smoothing, Solid, SolidShape, ops, tag,
};
use crate::jobs::JobContext;
use crate::planner::human::HumanSession;
use crate::planner::queries::{profile_of, stops};
use crate::planner::{Path, PathRequest, session};
use crate::preview::nav::SERIES;
use glam::DVec3;

/// Comprehensive smoothing, and none.
fn rules(smoothing: Smoothing) -> Conduct {
    Conduct {
        smoothing,
        ..Conduct::AS_PRINTED
    }
}

/// The path of an agent by the rules of its level, in cells of 0.25 m.
fn path_of(level: &Level, agent: &str, ctx: &JobContext) -> Result<Path, LabError> {
    let missing = || LabError::Unavailable(format!("there is no agent `{agent}`"));
    let id = level.find(KindName::Agent, agent).ok_or_else(missing)?;
    let Some(Kind::Agent(agent)) = level.get(id).map(|entity| entity.kind.clone()) else {
        return Err(missing());
    };
    let profile = profile_of(level, agent.mission.profile);
    let nav = nav_for(level, profile.body.radius, ctx)?;
    let mut whole = Path::default();
    let mut start = agent.start;
    for stop in stops(level, &agent) {
        let request = PathRequest {
            profile: profile.clone(),
            ..PathRequest::in_space(start, stop.place)
        };
        let answer = session::run(&mut HumanSession::new(&nav, &request), ctx)?;
        let Some(path) = answer.path() else {
            break;
        };
        start = stop.place;
        whole.length += path.length;
        whole.points.extend(&path.points);
    }
    Ok(whole)
}

/// # Errors
/// Cancelled, or a sample could not be made or drawn.
pub fn pictures(ctx: &JobContext) -> Result<Files, LabError> {
    let mut files = labyrinth(ctx)?;
    files.extend(stairs(ctx)?);
    files.extend(blocks(ctx)?);
    Ok(files)
}

/// Figure 16 with and without a border, and Figure 13: one path, smoothed more and more.
fn labyrinth(ctx: &JobContext) -> Result<Files, LabError> {
    let walk = |conduct: Conduct| -> Result<Path, LabError> {
        let subject = Subject::of(&TABLE[0], conduct, ctx)?;
        let request = subject
            .request()
            .unwrap_or_else(|| PathRequest::in_space(DVec3::ZERO, DVec3::ZERO));
        let nav = nav_for(&subject.level, subject.profile.body.radius, ctx)?;
        let path = subject.walk();
        Ok(path.map_or_else(Path::default, |(leg, _)| {
            leg.path_for(&request, Some(&nav), 0)
        }))
    };
    let level = (TABLE[0].build)()?;
    let bounds = level.settings().bounds;
    let free = Conduct {
        border_layers: Some(0),
        ..Conduct::AS_PRINTED
    };
    let lines = [
        Line::path("no border, A", &walk(free)?, SERIES[2], 4.0),
        Line::path("border, B", &walk(Conduct::AS_PRINTED)?, SERIES[0], 4.0),
    ];
    let title = "Labyrinth: a gap with room for cells, but not for the border";
    let mut files: Files = figure("voxels_figure_16", title, &level, bounds, &lines)?.into();
    let mut lines = Vec::new();
    for (smoothing, (colour, width)) in Smoothing::ALL.into_iter().zip([
        (SERIES[4], 8.0),
        (SERIES[2], 6.0),
        (SERIES[3], 4.0),
        (SERIES[0], 2.4),
    ]) {
        let conduct = match smoothing {
            Smoothing::Taut => Conduct::default(),
            _ => rules(smoothing),
        };
        lines.push(Line::path(smoothing.name(), &walk(conduct)?, colour, width));
    }
    let title = "Labyrinth: one path, as found and smoothed";
    files.extend(figure("voxels_figure_13", title, &level, bounds, &lines)?);
    Ok(files)
}

/// Figures 9 and 17: over stairs, before and after smoothing, and around something that appears.
fn stairs(ctx: &JobContext) -> Result<Files, LabError> {
    let level = sample(Template::Stairs)?;
    let agents = level
        .iter()
        .filter(|(_, entity)| matches!(entity.kind, Kind::Agent(_)));
    let Some(name) = agents.map(|(id, _)| level.label(id)).next() else {
        return Ok(Files::new());
    };
    let walk = |level: &Level, conduct: Conduct| path_of(&with_rules(level, conduct)?, &name, ctx);
    let before = walk(&level, rules(Smoothing::None))?;
    let smooth = walk(&level, Conduct::AS_PRINTED)?;
    let taut = walk(&level, Conduct::default())?;
    // In the middle of the path, on whatever carries it there.
    let mut files = Files::new();
    let lines = [
        Line::path("as found", &before, SERIES[4], 7.0),
        Line::path("junctions", &smooth, SERIES[2], 4.5),
        Line::path("taut", &taut, SERIES[0], 2.6),
    ];
    let bounds = level.settings().bounds;
    let title = "Stairs: before and after smoothing";
    files.extend(figure("voxels_figure_17", title, &level, bounds, &lines)?);
    if let Some(at) = taut.points.get(taut.points.len() / 5).copied() {
        let solid = Solid::new(SolidShape::Box, at, DVec3::new(1.0, 1.0, 2.0));
        let entity = Entity::new("Appears", Kind::Solid(solid));
        let edits = [Edit::create(EntityId::new(1_000_000), entity)];
        let blocked = ops::apply(&level, &edits)?;
        let lines = [
            Line::path("before", &taut, SERIES[2], 2.6),
            Line::path(
                "re-routed",
                &walk(&blocked, Conduct::default())?,
                SERIES[0],
                4.0,
            ),
        ];
        let title = "Stairs: something appears on the path";
        files.extend(figure(
            "voxels_figure_17_rerouted",
            title,
            &blocked,
            bounds,
            &lines,
        )?);
    }
    Ok(files)
}

/// Figure 19: jumps over all reachable neighbours (a), a table that may be crossed (b), and one that
/// may not (c).
fn blocks(ctx: &JobContext) -> Result<Files, LabError> {
    let forbidding = sample(Template::Blocks)?;
    let table = forbidding.find(KindName::Solid, "Table");
    let mut free = forbidding.clone();
    if let Some(id) = table
        && let Some(entity) = forbidding.get(id)
    {
        let mut entity = Entity::clone(entity);
        entity.tags.retain(|word| word != tag::FORBIDDEN);
        free = ops::apply(&forbidding, &[Edit::replace(id, entity)])?;
    }
    let jumper = path_of(&forbidding, "Jumper", ctx)?;
    let lines = [
        Line::path("a, jumps", &jumper, SERIES[3], 3.4),
        Line::path(
            "b, crosses it",
            &path_of(&free, "Walker", ctx)?,
            SERIES[2],
            3.4,
        ),
        Line::path(
            "c, around it",
            &path_of(&forbidding, "Walker", ctx)?,
            SERIES[0],
            3.4,
        ),
    ];
    let bounds = forbidding.settings().bounds;
    let title = "Blocks: all reachable neighbours, and what the table means";
    Ok(figure("voxels_figure_19", title, &forbidding, bounds, &lines)?.into())
}
