use super::builder::Builder;
use crate::base::{Quantity, Unit};
pub(super) const SIZE: Quantity = Quantity::new("number of rings", Unit::One, 4.0, 60.0, 9.0);
pub(super) fn draw(_seed: u64, _size: f64) -> Builder {
    super::empty::draw(100.0)
}
