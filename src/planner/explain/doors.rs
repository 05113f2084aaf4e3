//! Doors that bar the only path.

use crate::base::EntityId;
use crate::document::door_states::state_at_start;
use crate::document::{Door, Kind};
use crate::nav::NavData;
use crate::planner::path::NoPath;
use glam::DVec2;
use std::collections::{BTreeMap, VecDeque};

/// Room beside a grown leaf at which a door is entered. Unit: metres.
const BESIDE: f64 = 0.02;

/// If opening doors would do: which ones, as a reason.
pub(super) fn in_the_way(nav: &NavData, [start, goal]: [DVec2; 2]) -> Option<NoPath> {
    let (from, to) = (component(nav, start)?, component(nav, goal)?);
    let level = nav.level();
    let shut: Vec<(EntityId, &Door)> = nav
        .blockers()
        .filter_map(|blocker| match &level.get(blocker.id)?.kind {
            Kind::Door(door) => Some((blocker.id, door)),
            _ => None,
        })
        .collect();
    let mut passages: BTreeMap<u32, Vec<(u32, EntityId)>> = BTreeMap::new();
    for (id, door) in &shut {
        if let Some([a, b]) = sides(nav, door)
            && a != b
        {
            passages.entry(a).or_default().push((b, *id));
            passages.entry(b).or_default().push((a, *id));
        }
    }
    // Fewest doors first.
    let mut reached: BTreeMap<u32, Option<(u32, EntityId)>> = BTreeMap::from([(from, None)]);
    let mut open = VecDeque::from([from]);
    while let Some(part) = open.pop_front() {
        for (next, door) in passages.get(&part).into_iter().flatten() {
            if !reached.contains_key(next) {
                reached.insert(*next, Some((part, *door)));
                open.push_back(*next);
            }
        }
    }
    let mut doors = Vec::new();
    let mut at = to;
    while let Some((part, door)) = *reached.get(&at)? {
        doors.push(door);
        at = part;
    }
    doors.reverse();
    let told = |id: &EntityId| match level.get(*id).map(|entity| &entity.kind) {
        Some(Kind::Door(door)) => state_at_start(level, door).name().to_lowercase(),
        _ => "shut".to_owned(),
    };
    let reason = match &doors[..] {
        [] => return None,
        [one] => format!(
            "door \"{}\" is {}; open it, or leave another path",
            level.label(*one),
            told(one)
        ),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest
                .iter()
                .map(|id| format!("\"{}\"", level.label(*id)))
                .collect();
            format!(
                "the doors \"{}\" and {} are shut or locked; open them, or leave another path",
                level.label(*first),
                rest.join(" and ")
            )
        }
    };
    Some(NoPath {
        reason,
        blocker: doors.first().copied(),
        gap: None,
    })
}

fn component(nav: &NavData, p: DVec2) -> Option<u32> {
    let cell = nav.cells().locate(nav.placed(p))?;
    Some(nav.cells().component(cell))
}

/// The parts of free space on both sides; `None` if the agent would not fit through.
fn sides(nav: &NavData, door: &Door) -> Option<[u32; 2]> {
    let radius = nav.free().radius;
    if door.width() < 2.0 * radius {
        return None;
    }
    let across = (door.jambs[1] - door.jambs[0]).try_normalize()?.perp();
    let off = across * (0.5 * Door::LEAF + radius + BESIDE);
    let [a, b] = [door.centre() - off, door.centre() + off].map(|p| component(nav, p));
    Some([a?, b?])
}
