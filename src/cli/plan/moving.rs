//! `wayloom plan --move`: things that move while somebody is on the way, and how that is mended.

use super::{Trip, points_object};
use crate::base::EntityId;
use crate::cli::args;
use crate::document::{Edit, Kind, KindName, Level, ops};
use crate::interaction::transform::transformed;
use crate::nav::Commons;
use crate::planner::Path;
use crate::planner::human::{self, Astar, Change, Detour, Loss};
use anyhow::{anyhow, bail};
use glam::{DAffine2, DVec3};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

/// What came of one thing that moved.
struct Moved {
    name: String,
    to: DVec3,
    changes: Vec<Change>,
    /// The way from where one is, as far as it leads.
    ways: Vec<Path>,
    /// Planned from there as if nothing had been known.
    anew: Option<human::Trip>,
    /// Cells of the grid that were discretised again, and all of them.
    touched: [usize; 2],
}

/// The moves as text and as a list, and whether the goal can still be got to.
pub(super) fn run(
    trip: &Trip,
    options: &args::Plan,
    level: &Level,
    commons: &Commons,
) -> anyhow::Result<(String, Value, bool)> {
    let voxels = commons.voxels().map_err(|error| anyhow!("{error}"))?;
    let profile = &trip.walker.profile;
    let mut search = Astar::default();
    let Some(mut way) = human::Trip::plan(&mut search, voxels, profile, trip.start, &trip.stops)
    else {
        bail!("there is no way that could be mended");
    };
    // Where one is when the first thing moves; nobody walks on between one move and the next.
    let mut here = standing_at(&way, trip.start, options.walked.unwrap_or(0.0));
    let mut level = level.clone();
    let mut commons =
        Commons::with_voxels(&level, Arc::clone(commons.voxel_options()), Some(commons));
    let mut text = String::new();
    let mut list = Vec::new();
    let mut is_lost = false;
    for asked in &options.moves {
        let id = movable(&level, &asked.name)?;
        level = with_moved(&level, id, asked)?;
        commons = Commons::with_voxels(&level, Arc::clone(commons.voxel_options()), Some(&commons));
        let voxels = commons.voxels().map_err(|error| anyhow!("{error}"))?;
        let changes = way.update(&mut search, voxels, Some(here));
        is_lost = changes
            .iter()
            .any(|change| matches!(change, Change::Lost(_)));
        if changes.contains(&Change::Other) {
            bail!(
                "\"{}\" reaches beyond the grid at {}, so that cells are others than before; \
                 move it to a place within the level",
                asked.name,
                asked.to
            );
        }
        if !is_lost {
            // The way begins where one is.
            here.1 = 0;
        }
        let moved = Moved {
            name: level.label(id),
            to: asked.to,
            ways: way
                .ways()
                .take(changes.len() - usize::from(is_lost))
                .collect(),
            changes,
            anew: human::Trip::plan(&mut search, voxels, profile, here.0, &trip.stops),
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

/// The place after so many metres, and the cell of the first leg there.
fn standing_at(way: &human::Trip, start: DVec3, metres: f64) -> (DVec3, usize) {
    let cell = way.cell_at(metres);
    let place = if metres > 0.0 {
        way.place_of(cell).unwrap_or(start)
    } else {
        start
    };
    (place, cell)
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
fn with_moved(level: &Level, id: EntityId, asked: &args::Move) -> anyhow::Result<Level> {
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
        self.changes.iter().filter_map(|change| match change {
            Change::Mended(detour) => Some(detour),
            _ => None,
        })
    }

    fn loss(&self) -> Option<&Loss> {
        self.changes.iter().find_map(|change| match change {
            Change::Lost(loss) => Some(loss),
            _ => None,
        })
    }

    fn length(&self) -> f64 {
        self.ways.iter().map(|way| way.length).sum()
    }

    fn searched(&self) -> usize {
        self.detours().map(|detour| detour.expanded).sum()
    }

    fn anew_length(&self) -> Option<f64> {
        let anew = self.anew.as_ref()?;
        Some(anew.ways().map(|way| way.length).sum())
    }

    fn tell(&self, level: &Level, text: &mut String) {
        let label = |id| level.label(id);
        let _ = write!(text, "\n{} to {}, {}: ", self.name, self.to.x, self.to.y);
        let mut words: Vec<String> = self.detours().map(|d| d.sentence(label)).collect();
        words.extend(self.loss().map(|loss| loss.sentence(label)));
        if words.is_empty() {
            words.push("nothing of the way is touched".to_owned());
        }
        text.push_str(&words.join("; "));
        let [touched, tiles] = self.touched;
        let _ = write!(text, "\n  {touched} of {tiles} tiles discretised again");
        if self.detours().next().is_some() {
            let _ = write!(text, ", {} cells searched", self.searched());
            if let Some(anew) = &self.anew {
                let _ = write!(text, " against {} for a new plan", anew.expanded());
            }
        }
        if self.loss().is_none() {
            let _ = write!(text, "\n  {:.3} m from there", self.length());
            if let Some(anew) = self.anew_length() {
                let _ = write!(text, ", planned anew {anew:.3} m");
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
        let points: Vec<DVec3> = self
            .ways
            .iter()
            .flat_map(|way| way.points.clone())
            .collect();
        json!({
            "moved": self.name,
            "to": self.to.to_array(),
            "change": change,
            "detours": detours,
            "length": self.length(),
            "points": points_object(&points),
            "expanded": self.searched(),
            "expanded_anew": self.anew.as_ref().map(human::Trip::expanded),
            "length_anew": self.anew_length(),
            "tiles": { "discretised": self.touched[0], "all": self.touched[1] },
            "blocked_at": loss.map(|loss| loss.at.to_array()),
            "blocker": loss.and_then(Loss::blocker).map(|id| level.label(id)),
            "reason": loss.map(|loss| loss.sentence(|id| level.label(id))),
        })
    }
}
