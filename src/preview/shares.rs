//! What a path crosses, and what that costs: its shares by terrain.

use crate::base::{Colour, EntityId};
use crate::document::{Kind, Level, Pattern};
use crate::planner::missions::AgentPlan;
use crate::planner::{Path, PlannedLevel, miran, queries};
use glam::DVec2;

/// How planners name the costs of a terrain; see [`Path::cost_by`].
const TERRAIN: &str = "terrain:";
/// Where nothing is painted and the level has no base terrain.
const BARE: Colour = Colour::hex(0x9aa0a6);

/// The part of a path on one terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// `None` for bare ground, and for costs that are not of a terrain.
    pub terrain: Option<EntityId>,
    pub name: String,
    pub colour: Colour,
    pub pattern: Pattern,
    /// Unit: metres.
    pub length: f64,
    pub cost: f64,
}

/// What an agent's path costs by terrain, dearest first: as its planner says, or as its profile
/// weighs what lies under it. Empty where the terrain is not baked.
#[must_use]
pub fn of_plan(baked: &PlannedLevel, agent: EntityId, plan: &AgentPlan) -> Vec<Share> {
    let level = &*baked.level;
    let Some(profile) = profile_of(level, agent) else {
        return Vec::new();
    };
    if plan.paths().all(|path| !path.cost_by.is_empty()) {
        return shares(level, profile, plan.paths());
    }
    let Some(terrain) = baked.bundle.shared().built_terrain() else {
        return Vec::new();
    };
    let (weights, _) = terrain.weights(&queries::profile_of(level, profile));
    let paths: Vec<Path> = plan
        .paths()
        .map(|path| {
            let line: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
            let (cost, cost_by) = miran::costs(terrain, &weights, &line);
            Path {
                cost,
                cost_by,
                ..Path::default()
            }
        })
        .collect();
    shares(level, profile, &paths)
}

/// What paths of one profile cost by terrain, dearest first; empty for paths whose costs are not
/// known by terrain.
#[must_use]
pub fn shares<'a>(
    level: &Level,
    profile: EntityId,
    paths: impl IntoIterator<Item = &'a Path>,
) -> Vec<Share> {
    let mut shares: Vec<Share> = Vec::new();
    for (key, cost) in paths.into_iter().flat_map(|path| &path.cost_by) {
        let Some(name) = key.strip_prefix(TERRAIN) else {
            continue;
        };
        match shares.iter_mut().find(|share| share.name == name) {
            Some(share) => share.cost += cost,
            None => shares.push(named(level, name, *cost)),
        }
    }
    for share in &mut shares {
        let weight = share
            .terrain
            .map_or(1.0, |id| level.terrain_weight(profile, id));
        share.length = share.cost / weight;
        if let Some(id) = share.terrain {
            share.name = level.label(id);
        }
    }
    shares.retain(|share| share.length > 0.0 || share.cost > 0.0);
    shares.sort_by(|a, b| b.cost.total_cmp(&a.cost).then_with(|| a.name.cmp(&b.name)));
    shares
}

/// Names are compared without regard to case: planners may write them small.
fn named(level: &Level, name: &str, cost: f64) -> Share {
    let same = |other: &str| other.to_lowercase() == name.to_lowercase();
    let found = level
        .terrains()
        .find(|(id, entity, _)| entity.name == name || same(&entity.label(*id)));
    let (terrain, colour, pattern) = found.map_or((None, BARE, Pattern::Plain), |found| {
        let (id, _, terrain) = found;
        (Some(id), terrain.colour, terrain.pattern)
    });
    Share {
        terrain,
        name: name.to_owned(),
        colour,
        pattern,
        length: 0.0,
        cost,
    }
}

/// The profile that an agent walks as.
#[must_use]
pub fn profile_of(level: &Level, agent: EntityId) -> Option<EntityId> {
    match &level.get(agent)?.kind {
        Kind::Agent(agent) => Some(agent.mission.profile),
        Kind::Crowd(crowd) => Some(crowd.mission.profile),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Entity, Profile, Terrain, ops};

    const MUD: EntityId = EntityId::new(1);
    const ROAD: EntityId = EntityId::new(2);
    const WALKER: EntityId = EntityId::new(3);

    fn level() -> Level {
        let terrain =
            |rgb, weight| Kind::Terrain(Terrain::new(Colour::hex(rgb), Pattern::Waves, weight));
        let profile = Profile {
            terrain_weights: [(MUD, 40.0)].into(),
            ..Profile::default()
        };
        let edits = [
            Edit::create(MUD, Entity::new("Mud", terrain(0x77_49_2b, 10.0))),
            Edit::create(ROAD, Entity::new("Road", terrain(0x6f_74_7d, 0.5))),
            Edit::create(WALKER, Entity::new("Walker", Kind::Profile(profile))),
        ];
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn path(costs: &[(&str, f64)]) -> Path {
        Path {
            cost_by: costs.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect(),
            ..Path::default()
        }
    }

    #[test]
    fn lengths_follow_from_costs_and_legs_add_up() {
        let level = level();
        let legs = [
            path(&[("terrain:mud", 80.0), ("terrain:Road", 3.0)]),
            path(&[("terrain:Road", 2.0), ("terrain:ground", 7.0)]),
            path(&[("constraint:near wall(3)", 12.0), ("terrain:mud", 0.0)]),
        ];
        let found = shares(&level, WALKER, &legs);
        let rows: Vec<_> = found
            .iter()
            .map(|share| (share.name.as_str(), share.length, share.cost))
            .collect();
        assert_eq!(
            rows,
            [
                ("Mud", 2.0, 80.0),
                ("ground", 7.0, 7.0),
                ("Road", 10.0, 5.0)
            ]
        );
        assert_eq!(found[0].terrain, Some(MUD));
        assert_eq!(found[1].terrain, None);
        assert!(shares(&level, WALKER, &[Path::default()]).is_empty());
    }
}
