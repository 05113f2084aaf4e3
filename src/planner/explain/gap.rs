//! The bottleneck of the widest path in the corridor map.

use crate::base::EntityId;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::corridor::Sample;
use crate::nav::{Corridors, NavData, Needs};
use crate::planner::corridor::{Widest, widest_path};
use crate::planner::path::Gap;
use glam::DVec2;

/// Why free space of one radius does not connect two points.
pub(super) enum Passage {
    /// The bottleneck of the widest path.
    Gap(Gap),
    /// Not connected at any radius.
    None,
    /// There is no corridor map, or it is too large to search for an explanation.
    Unknown,
}

/// The gap that is too narrow for the map's radius. Builds the corridor map if necessary: all
/// queries and overlays of this state of the level share it.
pub(super) fn passage(
    nav: &NavData,
    [start, goal]: [DVec2; 2],
    ctx: &JobContext,
) -> Result<Passage, Cancelled> {
    nav.prepare(Needs::CORRIDORS, ctx)?;
    let Ok(corridors) = nav.shared().corridors() else {
        return Ok(Passage::Unknown);
    };
    let map = &corridors.map;
    let (Some(from), Some(to)) = (map.retract(start), map.retract(goal)) else {
        return Ok(Passage::Unknown);
    };
    Ok(match widest_path(map, &from, &to, ctx)? {
        Widest::Narrowest(sample) => Passage::Gap(gap_at(corridors, &sample)),
        Widest::Separated => Passage::None,
        Widest::TooLarge => Passage::Unknown,
    })
}

/// The gap around a sample of the axis: entities in the order of the level, the level's bounds
/// last.
fn gap_at(corridors: &Corridors, narrowest: &Sample) -> Gap {
    let entity = |blocker: Option<u32>| -> Option<EntityId> {
        corridors.blockers.get(blocker? as usize).copied()
    };
    let mut sides = [
        (entity(narrowest.left_blocker), narrowest.left),
        (entity(narrowest.right_blocker), narrowest.right),
    ];
    sides.sort_by_key(|(blocker, _)| (blocker.is_none(), *blocker));
    Gap {
        at: narrowest.point,
        ends: sides.map(|(_, end)| end),
        width: 2.0 * narrowest.clearance,
        between: sides.map(|(blocker, _)| blocker),
    }
}
