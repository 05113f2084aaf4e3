//! The planners: one row each, from which menus, tables, colours, the command line and its help
//! derive.

use super::constraint::{ConstraintQuery, ConstraintSession};
use super::corridor::{Method, ThroughCorridor};
use super::human::HumanSession;
use super::links::{LinkedSession, Walker};
use super::miran::{Irm, Miran};
use super::optimal::Shortest;
use super::path::Answer;
use super::portal::{OverPortals, PortalNodes};
use super::request::{BadRequest, PathRequest};
use super::search_session::{Search, SearchSession};
use super::session::{self, Session};
use crate::base::Colour;
use crate::document::PlannerId;
use crate::jobs::{Cancelled, JobContext, assert_off_window_thread};
use crate::nav::{NavData, Needs};
use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::BitOr;
use std::sync::{PoisonError, RwLock};

/// The set of a mission's parts that a planner reads besides body, start and goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads(u8);

impl Reads {
    pub const NOTHING: Self = Self(0);
    /// Heights and storeys, not the plan alone.
    pub const SPACE: Self = Self(1);
    /// The agent's indicative route.
    pub const ROUTE: Self = Self(1 << 1);
    /// The agent's terrain weights.
    pub const TERRAIN: Self = Self(1 << 2);
    /// The agent's constraints.
    pub const CONSTRAINTS: Self = Self(1 << 3);
    /// The options for walks in corridors.
    pub const WALK_OPTIONS: Self = Self(1 << 4);
    /// The links that the agent's profile may use.
    pub const LINKS: Self = Self(1 << 5);

    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOr for Reads {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.and(other)
    }
}

/// Where a planner is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Selectable for agents.
    Agents,
    /// A baseline, for the bench and the command line.
    Comparison,
}

/// Opens a session for a valid query.
pub type Open = fn(&NavData, &PathRequest) -> Box<dyn Session>;

#[derive(Clone, Copy, Debug)]
pub struct PlannerRow {
    pub id: PlannerId,
    /// In menus and tables.
    pub title: &'static str,
    /// One sentence without a full stop.
    pub about: &'static str,
    /// The shared parts that it reads.
    pub needs: Needs,
    /// The parts of the mission that it reads.
    pub reads: Reads,
    pub audience: Audience,
    /// Colour of its paths in comparisons.
    pub colour: Colour,
    /// `None` while it is not implemented.
    pub open: Option<Open>,
}

impl PlannerRow {
    /// Whether it is implemented.
    #[must_use]
    pub const fn is_available(&self) -> bool {
        self.open.is_some()
    }

    /// Whether it takes heights and storeys into account.
    #[must_use]
    pub const fn is_in_space(&self) -> bool {
        self.reads.contains(Reads::SPACE)
    }
}

fn search<S: Search>(search: S, nav: &NavData, request: &PathRequest) -> Box<dyn Session> {
    Box::new(SearchSession::new(search, nav, request))
}

/// How planners walk between links.
const PORTALS: Walker = Walker {
    open: |nav, request| search(OverPortals::new(PortalNodes::Movable), nav, request),
    floor: |_| 1.0,
};
const SHORTEST: Walker = Walker {
    open: |nav, request| search(Shortest::default(), nav, request),
    floor: |_| 1.0,
};
const CONSTRAINED: Walker = Walker {
    open: |nav, request| Box::new(ConstraintSession::new(nav, request)),
    // Places that attract make metres cheaper, down to nothing.
    floor: |request| {
        if request.constraints == ConstraintQuery::default() {
            FRAC_1_SQRT_2
        } else {
            0.0
        }
    },
};
const ON_FOOT: Walker = Walker {
    open: |nav, request| Box::new(HumanSession::new(nav, request)),
    // A diagonal step costs as much as a straight one.
    floor: |_| FRAC_1_SQRT_2,
};

/// In the order of menus and tables.
static BUILT_IN: [PlannerRow; 11] = [
    PlannerRow {
        id: PlannerId::PORTAL,
        title: "Portals",
        about: "A* over portals between cells, with points that move, then pulled tight",
        needs: Needs::NOTHING,
        reads: Reads::LINKS,
        audience: Audience::Agents,
        colour: Colour::hex(0x3f9bf0),
        open: Some(|nav, request| LinkedSession::boxed(PORTALS, nav, request)),
    },
    PlannerRow {
        id: PlannerId::PORTAL_CENTRE,
        title: "Portals (centres)",
        about: "A* over the centres of portals: a baseline",
        needs: Needs::NOTHING,
        reads: Reads::NOTHING,
        audience: Audience::Comparison,
        colour: Colour::hex(0xe8833a),
        open: Some(|nav, request| search(OverPortals::new(PortalNodes::Centres), nav, request)),
    },
    PlannerRow {
        id: PlannerId::PORTAL_THIRD,
        title: "Portals (a third of the map)",
        about: "A* over pieces of portals, a third of the map wide at most: a baseline",
        needs: Needs::NOTHING,
        reads: Reads::NOTHING,
        audience: Audience::Comparison,
        colour: Colour::hex(0x9a6ae0),
        open: Some(|nav, request| search(OverPortals::new(PortalNodes::Thirds), nav, request)),
    },
    PlannerRow {
        id: PlannerId::PORTAL_TENTH,
        title: "Portals (a tenth of the map)",
        about: "A* over pieces of portals, a tenth of the map wide at most: a baseline",
        needs: Needs::NOTHING,
        reads: Reads::NOTHING,
        audience: Audience::Comparison,
        colour: Colour::hex(0x1fa890),
        open: Some(|nav, request| search(OverPortals::new(PortalNodes::Tenths), nav, request)),
    },
    PlannerRow {
        id: PlannerId::OPTIMAL,
        title: "Shortest path",
        about: "The exact shortest path",
        needs: Needs::NOTHING,
        reads: Reads::LINKS,
        audience: Audience::Agents,
        colour: Colour::hex(0xe0508c),
        open: Some(|nav, request| LinkedSession::boxed(SHORTEST, nav, request)),
    },
    PlannerRow {
        id: PlannerId::CORRIDOR_ORIGINAL,
        title: "Corridor map (original)",
        about: "Led through a corridor by one force, as in the corridor map method of 2006",
        needs: Needs::CORRIDORS,
        reads: Reads::ROUTE,
        audience: Audience::Agents,
        colour: Colour::hex(0xb0931f),
        open: Some(|nav, request| search(ThroughCorridor::new(Method::Original), nav, request)),
    },
    PlannerRow {
        id: PlannerId::CORRIDOR,
        title: "Corridor map",
        about: "Led through a corridor by steering and boundary forces, with shortcuts",
        needs: Needs::CORRIDORS,
        reads: Reads::ROUTE.and(Reads::WALK_OPTIONS),
        audience: Audience::Agents,
        colour: Colour::hex(0x6f8fa8),
        open: Some(|nav, request| search(ThroughCorridor::new(Method::Improved), nav, request)),
    },
    PlannerRow {
        id: PlannerId::IRM,
        title: "Indicative route (IRM)",
        about: "Follows a route by the largest empty disc around the walker",
        needs: Needs::CORRIDORS.union(Needs::TERRAIN),
        reads: Reads::TERRAIN.and(Reads::ROUTE),
        audience: Audience::Agents,
        colour: Colour::hex(0xa8605a),
        open: Some(|nav, request| search(Irm::default(), nav, request)),
    },
    PlannerRow {
        id: PlannerId::MIRAN,
        title: "Terrain and route (MIRAN)",
        about: "Follows a route while minding what the terrain costs",
        needs: Needs::TERRAIN,
        reads: Reads::TERRAIN.and(Reads::ROUTE),
        audience: Audience::Agents,
        colour: Colour::hex(0x62ad35),
        open: Some(|nav, request| search(Miran::default(), nav, request)),
    },
    PlannerRow {
        id: PlannerId::CONSTRAINT,
        title: "Constraints",
        about: "Keeps to places and away from places as sentences ask, and repairs its path",
        needs: Needs::NOTHING,
        reads: Reads::CONSTRAINTS.and(Reads::LINKS),
        audience: Audience::Agents,
        colour: Colour::hex(0x14b4d6),
        open: Some(|nav, request| LinkedSession::boxed(CONSTRAINED, nav, request)),
    },
    PlannerRow {
        id: PlannerId::HUMAN,
        title: "Human motion (3D)",
        about: "Walks, steps, bends and jumps over the surfaces of solids, on every storey",
        needs: Needs::VOXELS,
        reads: Reads::SPACE.and(Reads::LINKS),
        audience: Audience::Agents,
        colour: Colour::hex(0xc21fae),
        open: Some(|nav, request| LinkedSession::boxed(ON_FOOT, nav, request)),
    },
];

/// Rows added at run time.
static ADDED: RwLock<Vec<&'static PlannerRow>> = RwLock::new(Vec::new());

/// All rows; added ones come last.
#[must_use]
pub fn rows() -> Vec<&'static PlannerRow> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(added.iter().copied()).collect()
}

/// Registers a planner, which can be selected, compared, saved and queried from then on. A row
/// whose id is taken is ignored.
pub fn register(row: &'static PlannerRow) {
    if self::row(row.id).is_none() {
        row.id.add();
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        added.push(row);
    }
}

#[must_use]
pub fn row(id: PlannerId) -> Option<&'static PlannerRow> {
    let is_it = |row: &&PlannerRow| row.id == id;
    BUILT_IN.iter().find(is_it).or_else(|| {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        added.iter().copied().find(is_it)
    })
}

/// A planner's display name.
#[must_use]
pub fn title(id: PlannerId) -> &'static str {
    row(id).map_or(id.as_str(), |row| row.title)
}

/// Whether a planner is implemented.
#[must_use]
pub fn is_available(id: PlannerId) -> bool {
    row(id).is_some_and(PlannerRow::is_available)
}

/// Whether a planner takes heights and storeys into account.
#[must_use]
pub fn is_in_space(id: PlannerId) -> bool {
    row(id).is_some_and(PlannerRow::is_in_space)
}

/// The shared parts that a planner reads.
#[must_use]
pub fn needs(id: PlannerId) -> Needs {
    row(id).map_or(Needs::NOTHING, |row| row.needs)
}

/// The planner that answers for this one: itself, or portals while it is not available.
#[must_use]
pub fn effective(id: PlannerId) -> PlannerId {
    if is_available(id) {
        id
    } else {
        PlannerId::PORTAL
    }
}

/// Why a query was not completed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    BadRequest(#[from] BadRequest),
    #[error(
        "the planner `{id}` is not available yet; choose one of {}",
        available()
    )]
    NotAvailable { id: PlannerId },
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

fn available() -> String {
    let rows = rows().into_iter().filter(|row| row.is_available());
    let names: Vec<&str> = rows.map(|row| row.id.as_str()).collect();
    names.join(", ")
}

/// Opens a session.
///
/// # Errors
/// The query is invalid, or the planner is not available.
pub fn open(
    id: PlannerId,
    nav: &NavData,
    request: &PathRequest,
) -> Result<Box<dyn Session>, PlanError> {
    assert_off_window_thread("a planner");
    request.check()?;
    let open = row(id).and_then(|row| row.open);
    Ok(open.ok_or(PlanError::NotAvailable { id })?(nav, request))
}

/// Answers one query.
///
/// # Errors
/// As [`open`], or the job was cancelled. No path is not an error.
pub fn plan(
    id: PlannerId,
    nav: &NavData,
    request: &PathRequest,
    ctx: &JobContext,
) -> Result<Answer, PlanError> {
    let mut session = open(id, nav, request)?;
    let answer = session::run(&mut *session, ctx)?;
    Ok(with_note_on_links(id, nav, answer))
}

/// Says of a planner that found nothing that it does not use the links there are.
pub(super) fn with_note_on_links(id: PlannerId, nav: &NavData, mut answer: Answer) -> Answer {
    let uses_links = row(id).is_some_and(|row| row.reads.contains(Reads::LINKS));
    if let Answer::NotFound(why) = &mut answer
        && !uses_links
        && !nav.shared().links().is_empty()
    {
        why.reason += &format!("; “{}” does not use links", title(id));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_id_has_one_row_and_a_colour_of_its_own() {
        let ids: Vec<PlannerId> = BUILT_IN.iter().map(|row| row.id).collect();
        assert_eq!(ids, PlannerId::BUILT_IN);
        for (i, row) in BUILT_IN.iter().enumerate() {
            assert!(
                BUILT_IN[..i]
                    .iter()
                    .all(|other| other.colour != row.colour && other.title != row.title),
                "{row:?}"
            );
            assert_eq!(PlannerId::named(row.id.as_str()), Some(row.id));
        }
        assert_eq!(effective(PlannerId::CONSTRAINT), PlannerId::CONSTRAINT);
        assert_eq!(effective(PlannerId::new("unheard-of")), PlannerId::PORTAL);
    }
}
