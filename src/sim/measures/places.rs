//! Where a level wants runs to be measured.

use super::report::{MeasuringArea, MeasuringLine};
use crate::document::{Level, MeasureShape};

/// The measuring lines of a level, in its order.
#[must_use]
pub fn measuring_lines(level: &Level) -> Vec<MeasuringLine> {
    let lines = level.measures().filter_map(|(id, entity, measure)| {
        let MeasureShape::Line(ends) = &measure.shape else {
            return None;
        };
        Some(MeasuringLine {
            name: entity.label(id),
            ends: *ends,
        })
    });
    lines.collect()
}

/// The measuring areas of a level, in its order.
#[must_use]
pub fn measuring_areas(level: &Level) -> Vec<MeasuringArea> {
    let areas = level.measures().filter_map(|(id, entity, measure)| {
        let MeasureShape::Area(area) = &measure.shape else {
            return None;
        };
        Some(MeasuringArea {
            name: entity.label(id),
            area: area.clone(),
        })
    });
    areas.collect()
}
