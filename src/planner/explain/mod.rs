//! Explains why there is no path, with advice.

mod doors;
mod gap;

use self::gap::Passage;
use super::path::{Gap, NoPath};
use super::request::PathRequest;
use crate::base::EntityId;
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use crate::nav::NavData;
use crate::nav::free_space::excess;
use glam::DVec2;
use std::collections::BTreeMap;

const NOT_CONNECTED: &str =
    "start and goal are in parts of the level that are not connected; open a gap between them";

/// One end of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Start,
    Goal,
}

impl End {
    #[must_use]
    pub fn of(self, request: &PathRequest) -> DVec2 {
        match self {
            Self::Start => request.start.truncate(),
            Self::Goal => request.goal.truncate(),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Goal => "goal",
        }
    }
}

/// Why no path leads from start to goal in plan.
///
/// # Errors
/// The job was cancelled.
pub fn explain(
    nav: &NavData,
    request: &PathRequest,
    ctx: &JobContext,
) -> Result<NoPath, Cancelled> {
    assert_off_window_thread("an explanation");
    for end in [End::Start, End::Goal] {
        if !nav.is_placed(end.of(request)) {
            return Ok(misplaced(nav, end, end.of(request)));
        }
    }
    if let Some(shut) = doors::in_the_way(nav, request.placed_ends(nav)) {
        return Ok(shut);
    }
    Ok(match gap::passage(nav, request.placed_ends(nav), ctx)? {
        Passage::Gap(gap) => too_narrow(nav, gap),
        Passage::None => enclosed(nav, request),
        Passage::Unknown => NoPath::because(NOT_CONNECTED),
    })
}

fn misplaced(nav: &NavData, end: End, p: DVec2) -> NoPath {
    if let Some(refusal) = nav.free().refusal() {
        let id = refusal.obstacle();
        return NoPath {
            reason: format!("\"{}\": {}", nav.label(id), refusal.sentence()),
            blocker: Some(id),
            gap: None,
        };
    }
    let radius = nav.free().radius;
    let name = end.name();
    let at = format!("the {name} at {:.2}, {:.2}", p.x, p.y);
    let Rect { min, max } = nav.bounds();
    if !nav.bounds().contains(p) {
        return NoPath {
            reason: format!(
                "{at} lies outside the level's bounds ({:.2}, {:.2} to {:.2}, {:.2}); move it inside or enlarge the bounds",
                min.x, min.y, max.x, max.y
            ),
            blocker: None,
            gap: None,
        };
    }
    let inside = nav.blockers().find(|blocker| blocker.area.contains(p));
    if let Some(blocker) = inside {
        return NoPath {
            reason: format!(
                "{at} lies inside \"{}\"; move it out or make the obstacle smaller",
                nav.label(blocker.id)
            ),
            blocker: Some(blocker.id),
            gap: None,
        };
    }
    let nearest = nav.free().blockers_at(p).next();
    let what = nearest.map_or("the level's bounds".to_owned(), |id| {
        format!("\"{}\"", nav.label(id))
    });
    NoPath {
        reason: format!(
            "{at} is {:.2} m from {what} and the agent's radius is {radius:.2} m; move it further away or choose a thinner profile",
            nav.free().clearance(p)
        ),
        blocker: nearest,
        gap: None,
    }
}

/// A gap that is too narrow for the agent.
fn too_narrow(nav: &NavData, gap: Gap) -> NoPath {
    let name = |id: Option<EntityId>| {
        id.map_or("the level's bounds".to_owned(), |id| {
            format!("\"{}\"", nav.label(id))
        })
    };
    let [a, b] = gap.between;
    let place = if a == b {
        format!("the gap inside {}", name(a))
    } else {
        format!("the gap between {} and {}", name(a), name(b))
    };
    NoPath {
        reason: format!(
            "{place} is {}; widen it or choose a thinner profile",
            against_need(gap.width, 2.0 * nav.free().radius)
        ),
        blocker: a.or(b),
        gap: Some(gap),
    }
}

/// Largest number of decimal places of a width: micrometres.
const MAX_DIGITS: usize = 6;

/// The width of a gap and the width required, with enough digits to tell them apart. Borders of
/// free space lie up to [`excess`] further out than the radius, so a gap may be too narrow although
/// it is as wide as the agent.
fn against_need(width: f64, needed: f64) -> String {
    let told = |metres: f64, digits: usize| format!("{metres:.digits$}");
    let apart = (2..=MAX_DIGITS).find(|digits| told(width, *digits) != told(needed, *digits));
    match apart {
        Some(digits) if width < needed => format!(
            "{} m wide and the agent needs {} m",
            told(width, digits),
            told(needed, digits)
        ),
        _ => format!(
            "{} m wide and an agent that is {} m wide needs more room than that, up to {:.0} mm \
             more at corners",
            told(width, apart.unwrap_or(2)),
            told(needed, apart.unwrap_or(2)),
            (2.0 * excess(0.5 * needed) * 1e3).ceil().max(1.0)
        ),
    }
}

/// Not connected at any radius: something closes off the start or the goal.
fn enclosed(nav: &NavData, request: &PathRequest) -> NoPath {
    let area_of = |end: End| {
        nav.free()
            .areas
            .iter()
            .find(|area| area.contains(end.of(request)))
            .map(|area| (end, area))
    };
    let smaller = [area_of(End::Start), area_of(End::Goal)]
        .into_iter()
        .flatten()
        .min_by(|a, b| a.1.area().total_cmp(&b.1.area()));
    let Some((end, area)) = smaller else {
        return NoPath::because(NOT_CONNECTED);
    };
    // Length of the area's border along each blocker.
    let mut shares: BTreeMap<EntityId, f64> = BTreeMap::new();
    for (a, b) in crate::geometry::polygon::ring_edges(&area.outer) {
        if let Some((id, distance)) = nav.free().nearest_blocker(a.midpoint(b))
            && distance < 0.01
        {
            *shares.entry(id).or_default() += a.distance(b);
        }
    }
    let main = shares
        .iter()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map(|(id, _)| *id);
    let name = end.name();
    let by = match (main, shares.len()) {
        (Some(id), 1) => format!("\"{}\"", nav.label(id)),
        (Some(id), count) => format!("\"{}\" and {} more", nav.label(id), count - 1),
        (None, _) => "obstacles".to_owned(),
    };
    NoPath {
        reason: format!(
            "the {name} is closed off on all sides by {by}, for agents of any size; open a gap or move the {name}"
        ),
        blocker: main,
        gap: None,
    }
}

#[cfg(test)]
mod tests {
    use super::against_need;

    #[test]
    fn widths_are_told_apart_or_the_margin_is_named() {
        for (width, needed, told) in [
            (1.2, 1.8, "1.20 m wide and the agent needs 1.80 m"),
            (1.799, 1.8, "1.799 m wide and the agent needs 1.800 m"),
            (
                1.799_98,
                1.8,
                "1.79998 m wide and the agent needs 1.80000 m",
            ),
        ] {
            assert_eq!(against_need(width, needed), told);
        }
        for width in [1.8, 1.801, 1.805] {
            let told = against_need(width, 1.8);
            assert!(told.contains("needs more room than that"), "{told}");
            assert!(told.contains("mm more at corners"), "{told}");
        }
    }
}
