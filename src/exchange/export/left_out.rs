//! What a format has no place for: told before anything is written, to people and to programs.

use crate::document::{Entity, Kind, KindName, Level};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// Things of a level that an export leaves out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// What kind of thing; `None` for what is no entity.
    pub kind: Option<KindName>,
    pub count: usize,
    /// "3 routes", "the ground's heights".
    pub what: String,
    /// Half a sentence; may be empty.
    pub why: &'static str,
}

impl LeftOut {
    #[must_use]
    pub fn new(count: usize, what: impl Into<String>, why: &'static str) -> Self {
        Self {
            kind: None,
            count,
            what: what.into(),
            why,
        }
    }

    /// Of a kind, in words.
    #[must_use]
    pub fn of_kind(kind: KindName, count: usize, why: &'static str) -> Self {
        let what = match count {
            1 => format!("1 {}", kind.singular().to_lowercase()),
            _ => format!("{count} {}", kind.plural().to_lowercase()),
        };
        Self {
            kind: Some(kind),
            count,
            what,
            why,
        }
    }

    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "kind": self.kind.map(|kind| kind.singular().to_lowercase()),
            "count": self.count,
            "what": self.what,
            "why": self.why,
        })
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let was = if self.count == 1 { "was" } else { "were" };
        write!(f, "{} {was} left out", self.what)?;
        if !self.why.is_empty() {
            write!(f, ": {}", self.why)?;
        }
        Ok(())
    }
}

/// Why a thing is left out; `None` for what is carried, or is only a part of something else.
pub(super) type Reason<'a> = &'a dyn Fn(&Entity) -> Option<&'static str>;

/// Counts what is left out, by kind and reason; the ground's heights where `heights` says why.
pub(super) fn left_out(
    level: &Level,
    reason: Reason<'_>,
    heights: Option<&'static str>,
) -> Vec<LeftOut> {
    let mut counts: BTreeMap<(KindName, &'static str), usize> = BTreeMap::new();
    for (_, entity) in level.iter() {
        if let Some(why) = reason(entity) {
            *counts.entry((entity.kind.name(), why)).or_default() += 1;
        }
    }
    let entities = counts
        .into_iter()
        .map(|((kind, why), count)| LeftOut::of_kind(kind, count, why));
    let heights = heights
        .filter(|_| level.ground().is_some())
        .map(|why| LeftOut::new(2, "the ground's heights", why));
    entities.chain(heights).collect()
}

/// Of what only this program knows: definitions apart, which are not missed by themselves.
pub(super) const fn is_internal(entity: &Entity) -> bool {
    matches!(
        entity.kind,
        Kind::Terrain(_) | Kind::Profile(_) | Kind::Layer | Kind::Group
    )
}

/// What a navigation mesh has besides ground to walk on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MeshCarries {
    /// Areas of different cost.
    pub areas: bool,
    pub heights: bool,
    /// Connections off the mesh.
    pub links: bool,
}

/// For a navigation mesh: nothing but ground to walk on, and what it carries besides.
pub(super) fn beside_a_mesh(level: &Level, carries: MeshCarries) -> Vec<LeftOut> {
    let reason = |entity: &Entity| match &entity.kind {
        Kind::Obstacle(_) | Kind::Terrain(_) | Kind::Profile(_) | Kind::Layer | Kind::Group => None,
        Kind::Region(_) if carries.areas => None,
        Kind::Link(_) if carries.links => None,
        Kind::Link(_) => Some("the format has no connections off the mesh"),
        Kind::Door(_) => Some("the mesh is open or closed there as at the start of the clock"),
        Kind::Region(_) => Some("the format has no areas of different cost"),
        Kind::Solid(_) => Some("the mesh is of the ground; floors above it are planned in voxels"),
        _ => Some("a navigation mesh holds nothing but ground to walk on"),
    };
    let heights = (!carries.heights).then_some("the format is flat");
    left_out(level, &reason, heights)
}

/// Of formats that show a moment: what moves stands where it was drawn.
pub(super) fn motions(level: &Level) -> Option<LeftOut> {
    let obstacles = level.obstacles().filter(|(.., o)| o.motion.is_some());
    let solids = level.solids().filter(|(.., s)| s.motion.is_some());
    let moving = obstacles.count() + solids.count();
    let what = match moving {
        0 => return None,
        1 => "the motion of 1 object".to_owned(),
        _ => format!("the motion of {moving} objects"),
    };
    Some(LeftOut::new(1, what, "they stand where they were drawn"))
}
