use super::builder::Builder;
pub(super) fn draw() -> Builder {
    super::empty::draw(100.0)
}
