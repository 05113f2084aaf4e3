//! Primitive checks of values, each with the sentence shown when it fails.

use super::limits;
use crate::base::{Distribution, OutOfLimits, Quantity};
use crate::geometry::Polygon;
use glam::{DVec2, DVec3};

/// Why a value is rejected, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

impl From<OutOfLimits> for Refusal {
    fn from(error: OutOfLimits) -> Self {
        Self(error.to_string())
    }
}

pub type Checked = Result<(), Refusal>;

pub(super) fn quantity(quantity: &Quantity, value: f64) -> Checked {
    Ok(quantity.check(value)?)
}

pub(super) fn point(p: DVec2) -> Checked {
    limits::COORDINATE.check(p.x)?;
    limits::COORDINATE.check(p.y)?;
    Ok(())
}

pub(super) fn place(p: DVec3) -> Checked {
    point(p.truncate())?;
    Ok(limits::ELEVATION.check(p.z)?)
}

pub(super) fn points(points: &[DVec2], at_least: usize, what: &str) -> Checked {
    count(points.len(), limits::MAX_RING_POINTS, what)?;
    if points.len() < at_least {
        return Err(Refusal::new(format!(
            "{what} has too few points: {} of at least {at_least}",
            points.len()
        )));
    }
    points.iter().try_for_each(|p| point(*p))
}

pub(super) fn polygon(polygon: &Polygon) -> Checked {
    count(polygon.holes.len(), limits::MAX_HOLES, "the list of holes")?;
    points(&polygon.outer, 3, "the outline")?;
    polygon
        .holes
        .iter()
        .try_for_each(|hole| points(hole, 3, "a hole"))
}

pub(super) fn count(count: usize, at_most: usize, what: &str) -> Checked {
    if count > at_most {
        return Err(Refusal::new(format!(
            "{what} has {count} entries; at most {at_most} are allowed"
        )));
    }
    Ok(())
}

pub(super) fn text(text: &str, at_most: usize, what: &str) -> Checked {
    let length = text.chars().count();
    if length > at_most {
        return Err(Refusal::new(format!(
            "{what} is {length} characters long; at most {at_most} are allowed"
        )));
    }
    Ok(())
}

/// One line without control characters, so that it fits into a message or a table.
pub(super) fn name(name: &str, what: &str) -> Checked {
    text(name, limits::MAX_NAME, what)?;
    if name.chars().any(char::is_control) {
        return Err(Refusal::new(format!(
            "{what} contains a line break or another control character"
        )));
    }
    Ok(())
}

/// How long something takes, as a distribution of seconds.
pub(super) fn duration(time: &Distribution) -> Checked {
    match *time {
        Distribution::Constant(value) => quantity(&limits::DELAY, value),
        Distribution::Uniform { from, to } => {
            quantity(&limits::DELAY, from)?;
            quantity(&limits::DELAY, to)
        }
        Distribution::Normal { mean, deviation } => {
            quantity(&limits::DELAY, mean)?;
            quantity(&limits::DELAY, deviation)
        }
        Distribution::LogNormal { mean, deviation } => {
            quantity(&limits::LOG_DELAY, mean)?;
            quantity(&limits::LOG_DELAY, deviation)
        }
        Distribution::Gamma { shape, scale } | Distribution::Weibull { shape, scale } => {
            quantity(&limits::DELAY_SHAPE, shape)?;
            quantity(&limits::DELAY, scale)
        }
    }
}
