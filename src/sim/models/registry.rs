//! The models: one row each, from which menus, the command line and its help derive.

use super::{Model, Orca, SocialForce, Walker};

/// Name of a model in files and on the command line.
pub type ModelId = &'static str;

#[derive(Clone, Copy, Debug)]
pub struct ModelRow {
    pub id: ModelId,
    pub title: &'static str,
    /// One sentence without a full stop.
    pub about: &'static str,
    pub new: fn() -> Box<dyn Model>,
}

/// The first is the default.
static ROWS: [ModelRow; 3] = [
    ModelRow {
        id: "walker",
        title: "Walker",
        about: "Collision-free speed with yielding and side-stepping, calibrated on real people",
        new: || Box::new(Walker::default()),
    },
    ModelRow {
        id: "orca",
        title: "ORCA",
        about: "Optimal reciprocal collision avoidance, as engines ship it",
        new: || Box::new(Orca::default()),
    },
    ModelRow {
        id: "social-force",
        title: "Social force",
        about: "Accelerated by forces, with contact and friction; for comparison",
        new: || Box::new(SocialForce::default()),
    },
];

#[must_use]
pub fn rows() -> &'static [ModelRow] {
    &ROWS
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no model `{0}`; there are {known}", known = names())]
pub struct UnknownModel(pub String);

fn names() -> String {
    ROWS.map(|row| row.id).join(", ")
}

#[must_use]
pub fn row(id: &str) -> Option<&'static ModelRow> {
    ROWS.iter().find(|row| row.id == id)
}

/// # Errors
/// There is none of that name.
pub fn by_name(id: &str) -> Result<&'static ModelRow, UnknownModel> {
    row(id).ok_or_else(|| UnknownModel(id.to_owned()))
}
