//! `wayloom plan --move`: objects that move while an agent is under way, and how its path is repaired.

use super::points_object;
use crate::base::EntityId;
use crate::cli::args;
use crate::document::{Edit, Kind, KindName, Level, ops};
use crate::interaction::transform::transformed;
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, Needs, ProfileSet};
use crate::planner::human::{Change, Detour, Loss};
use crate::planner::mission_session::Repaired;
use crate::planner::{MissionQueries, MissionSession};
use anyhow::{anyhow, bail};
use glam::{DAffine2, DVec3};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

/// What came of one thing that moved.
struct Moved {
    name: String,
    to: DVec3,
    /// What it did to the path from where the agent is.
    repaired: Repaired,
    /// Planned from there as if nothing had been known: expansions and length, where a path leads on.
    fresh: Option<(usize, f64)>,
    /// Cells of the grid that were discretised again, and all of them.
    touched: [usize; 2],
}

/// The moves as text and as a list, and whether the goal can still be got to.
pub(super) fn run(
    mut mission: MissionSession,
    queries: &MissionQueries,
    options: &args::Plan,
    bundle: &NavBundle,
) -> anyhow::Result<(String, Value, bool)> {
    let ctx = JobContext::default();
    let radius = queries.about.profile.body.radius;
    // Where the agent is when the first thing moves; it waits between one move and the next.
    let here = standing_at(&mission, queries.start, options.walked.unwrap_or(0.0));
    mission.hold();
    let mut bundle = bundle.clone();
    let mut text = String::new();
    let mut list = Vec::new();
    let mut is_lost = false;
    for asked in &options.moves {
        let id = movable(bundle.level(), &asked.name)?;
        let level = Arc::new(with_moved(bundle.level(), id, asked)?);
        let request = BakeRequest {
            profiles: ProfileSet::Radii(vec![radius]),
            options: bundle.shared().options().clone(),
            needs: Needs::VOXELS,
            before: Some(&bundle),
            ..BakeRequest::of(Arc::clone(&level))
        };
        bundle = NavBundle::bake(request, &ctx)?;
        let voxels = bundle.voxels().map_err(|error| anyhow!("{error}"))?;
        let nav = bundle.nav(radius);
        let nav = nav.ok_or_else(|| anyhow!("nothing was baked for a radius of {radius} m"))?;
        let repaired = mission.repair(&nav, here, &ctx)?;
        is_lost = repaired.is_lost();
        if repaired.changes.contains(&Change::Other) {
            bail!(
                "\"{}\" reaches beyond the grid at {}, so that cells are others than before; \
                 move it to a place within the level",
                asked.name,
                asked.to
            );
        }
        let from_here = MissionQueries {
            start: here,
            ..queries.clone()
        };
        let (_, legs) = MissionSession::plan(mission.planner(), &nav, &from_here, &ctx)?;
        let paths = legs.iter().filter_map(|leg| leg.answer.path());
        let fresh = paths
            .map(|path| (path.expanded, path.length))
            .reduce(|a, b| (a.0 + b.0, a.1 + b.1));
        let moved = Moved {
            name: level.label(id),
            to: asked.to,
            repaired,
            fresh,
            touched: [
                voxels.voxels.touched.len(),
                voxels.voxels.frame().tiles().iter().product(),
            ],
        };
        moved.tell(&level, &mut text);
        list.push(moved.object(&level));
    }
    Ok((text, Value::Array(list), is_lost))
}

/// Where the first leg has led after so many metres.
fn standing_at(mission: &MissionSession, start: DVec3, metres: f64) -> DVec3 {
    let places = mission.legs().first().map(|leg| leg.places());
    let places = places.filter(|_| metres > 0.0).unwrap_or_default();
    let mut along = 0.0;
    let after = places.windows(2).position(|pair| {
        let step = pair[0].distance(pair[1]);
        along += step;
        along - 0.5 * step > metres
    });
    let place = after.map_or(places.last(), |index| places.get(index));
    place.copied().unwrap_or(start)
}

/// A solid or an obstacle by its name.
fn movable(level: &Level, name: &str) -> anyhow::Result<EntityId> {
    [KindName::Solid, KindName::Obstacle]
        .into_iter()
        .find_map(|kind| level.find(kind, name))
        .ok_or_else(|| {
            let is_solid = |kind: &Kind| matches!(kind, Kind::Solid(_) | Kind::Obstacle(_));
            let known: Vec<String> = level
                .iter()
                .filter(|(_, entity)| is_solid(&entity.kind) && !entity.name.is_empty())
                .map(|(_, entity)| format!("\n  {}", entity.name))
                .collect();
            anyhow!(
                "there is no solid or obstacle \"{name}\" to be moved; there are:{}",
                known.concat()
            )
        })
}

/// The level with the middle of a thing at another place.
pub(super) fn with_moved(level: &Level, id: EntityId, asked: &args::Move) -> anyhow::Result<Level> {
    let Some(entity) = level.get(id) else {
        bail!("there is no \"{}\"", asked.name);
    };
    let from = match &entity.kind {
        Kind::Solid(solid) => solid.position.truncate(),
        _ => entity
            .bounds()
            .map(|bounds| bounds.centre())
            .unwrap_or_default(),
    };
    let shift = DAffine2::from_translation(asked.to.truncate() - from);
    let mut moved = transformed(entity, &shift);
    if let Kind::Solid(solid) = &mut moved.kind
        && asked.has_height
    {
        solid.position.z = asked.to.z;
    }
    Ok(ops::apply(level, &[Edit::replace(id, moved)])?)
}

impl Moved {
    fn detours(&self) -> impl Iterator<Item = &Detour> {
        self.repaired
            .changes
            .iter()
            .filter_map(|change| match change {
                Change::Repaired(detour) => Some(detour),
                _ => None,
            })
    }

    fn loss(&self) -> Option<&Loss> {
        self.repaired
            .changes
            .iter()
            .find_map(|change| match change {
                Change::Lost(loss) => Some(loss),
                _ => None,
            })
    }

    fn length(&self) -> f64 {
        self.repaired.paths.iter().map(|path| path.length).sum()
    }

    fn searched(&self) -> usize {
        self.detours().map(|detour| detour.expanded).sum()
    }

    fn tell(&self, level: &Level, text: &mut String) {
        let label = |id| level.label(id);
        let _ = write!(text, "\n{} to {}, {}: ", self.name, self.to.x, self.to.y);
        let mut words: Vec<String> = self.detours().map(|d| d.sentence(label)).collect();
        words.extend(self.loss().map(|loss| loss.sentence(label)));
        if words.is_empty() {
            words.push("the path is not touched".to_owned());
        }
        text.push_str(&words.join("; "));
        let [touched, tiles] = self.touched;
        let _ = write!(text, "\n  {touched} of {tiles} tiles discretised again");
        if self.detours().next().is_some() {
            let _ = write!(text, ", {} cells searched", self.searched());
            if let Some((expanded, _)) = self.fresh {
                let _ = write!(text, " against {expanded} for a new plan");
            }
        }
        if self.loss().is_none() {
            let _ = write!(text, "\n  {:.3} m from there", self.length());
            if let Some((_, length)) = self.fresh {
                let _ = write!(text, ", replanned from scratch {length:.3} m");
            }
        }
    }

    fn object(&self, level: &Level) -> Value {
        let label = |id: &EntityId| level.label(*id);
        let loss = self.loss();
        let change = match (loss, self.detours().next()) {
            (Some(_), _) => "lost",
            (None, Some(_)) => "mended",
            (None, None) => "none",
        };
        let detours: Vec<Value> = self
            .detours()
            .map(|detour| {
                json!({
                    "length": detour.length(),
                    "instead_of": detour.old_length(),
                    "kept": detour.kept,
                    "around": detour.around.iter().map(label).collect::<Vec<_>>(),
                    "expanded": detour.expanded,
                    "old": points_object(&detour.old),
                    "new": points_object(&detour.new),
                })
            })
            .collect();
        let paths = self.repaired.paths.iter();
        let points: Vec<DVec3> = paths.flat_map(|path| path.points.clone()).collect();
        json!({
            "moved": self.name,
            "to": self.to.to_array(),
            "change": change,
            "detours": detours,
            "length": self.length(),
            "points": points_object(&points),
            "expanded": self.searched(),
            "expanded_anew": self.fresh.map(|(expanded, _)| expanded),
            "length_anew": self.fresh.map(|(_, length)| length),
            "tiles": { "discretised": self.touched[0], "all": self.touched[1] },
            "blocked_at": loss.map(|loss| loss.at.to_array()),
            "blocker": loss.and_then(Loss::blocker).map(|id| level.label(id)),
            "reason": loss.map(|loss| loss.sentence(|id| level.label(id))),
        })
    }
}
