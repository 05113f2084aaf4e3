//! Outlines: regions, obstacles, annotation areas, crowd areas.

use super::{Code, Fix, Problem, Severity};
use crate::base::EntityId;
use crate::document::model::{Annotation, Entity, Kind, Level, Measure, MeasureShape};
use crate::geometry::{Polygon, Rect, crossing, polygon::signed_area, simplify};

/// Smaller areas are drawn by accident. Unit: m².
const TINY_AREA: f64 = 1e-3;
/// Smaller areas vanish on the 1 mm lattice of the polygon booleans. Unit: m².
const NO_AREA: f64 = 1e-6;

/// The polygon of an entity that has one.
#[must_use]
pub(super) fn area_of(kind: &Kind) -> Option<&Polygon> {
    match kind {
        Kind::Region(region) => Some(&region.area),
        Kind::Obstacle(obstacle) => Some(&obstacle.area),
        Kind::Crowd(crowd) => Some(&crowd.area),
        Kind::Annotation(Annotation::Area(area)) => Some(area),
        Kind::Exit(exit) => Some(&exit.area),
        Kind::WaitingArea(waiting) => Some(&waiting.area),
        Kind::Measure(Measure {
            shape: MeasureShape::Area(area),
            ..
        }) => Some(area),
        _ => None,
    }
}

pub(super) fn check(level: &Level, id: EntityId, entity: &Entity, problems: &mut Vec<Problem>) {
    if let Some(area) = area_of(&entity.kind) {
        check_shape(id, area, problems);
    }
    check_bounds(level, id, entity, problems);
}

fn check_shape(id: EntityId, area: &Polygon, problems: &mut Vec<Problem>) {
    let mut add = |severity, code, message: String, at, fix| {
        problems.push(
            Problem::new(severity, code, id, message)
                .at(at)
                .fixed_by(fix),
        );
    };
    let centre = area.centroid();
    if let Some(contact) = crossing::first_crossing(area) {
        add(
            Severity::Error,
            Code::SelfCrossing,
            format!(
                "its outline crosses itself at {:.2}, {:.2}; repair it, or move the crossing edge",
                contact.at.x, contact.at.y
            ),
            contact.at,
            Fix::RepairOutline,
        );
        // Area, holes and corners of a self-crossing outline are meaningless until it is repaired.
        return;
    }
    let size = area.area();
    if size < NO_AREA {
        add(
            Severity::Error,
            Code::NoArea,
            "it has no area; redraw it or remove it".to_owned(),
            centre,
            Fix::Remove,
        );
        return;
    }
    if size < TINY_AREA {
        add(
            Severity::Warning,
            Code::TinyArea,
            format!(
                "its area is only {:.1} cm²; remove it if it was drawn by accident",
                size * 1e4
            ),
            centre,
            Fix::Remove,
        );
    }
    if let Some(hole) = area.holes.iter().find(|hole| {
        signed_area(hole).abs() < NO_AREA
            || !crate::geometry::polygon::ring_contains(&area.outer, hole[0])
                && area.outer.iter().all(|p| *p != hole[0])
    }) {
        add(
            Severity::Warning,
            Code::HoleOutside,
            "one of its holes has no area or is outside it; repair the outline".to_owned(),
            hole[0],
            Fix::RepairOutline,
        );
    }
    let duplicate = area.rings().find_map(|ring| {
        ring.iter()
            .zip(ring.iter().cycle().skip(1))
            .find(|(a, b)| a == b)
    });
    if let Some((at, _)) = duplicate {
        add(
            Severity::Warning,
            Code::DuplicatePoints,
            "two neighbouring points coincide; clean up the outline".to_owned(),
            *at,
            Fix::TidyOutline,
        );
    } else if area
        .rings()
        .any(|ring| simplify::tidy(ring).len() < ring.len())
    {
        add(
            Severity::Information,
            Code::CollinearPoints,
            "some of its points lie on a straight edge and are redundant; clean up the outline"
                .to_owned(),
            centre,
            Fix::TidyOutline,
        );
    }
}

fn check_bounds(level: &Level, id: EntityId, entity: &Entity, problems: &mut Vec<Problem>) {
    let own = match &entity.kind {
        // In a wall on the level's edge the leaf stands half outside, which is as it should be.
        Kind::Door(door) => Some(Rect::of_points(&door.jambs)),
        _ => entity.drawn_bounds(),
    };
    let (Some(own), bounds) = (own, level.settings().bounds) else {
        return;
    };
    if bounds.contains_rect(&own) {
        return;
    }
    let wholly = !bounds.overlaps(&own);
    let problem = if wholly {
        Problem::new(
            Severity::Warning,
            Code::OutsideBounds,
            id,
            "it is outside the level's bounds, where no agent can go; move it or enlarge the bounds",
        )
    } else {
        Problem::new(
            Severity::Information,
            Code::OutsideBounds,
            id,
            "it extends beyond the level's bounds; the part outside is ignored",
        )
    };
    problems.push(problem.at(own.centre()).fixed_by(Fix::EnlargeBounds));
}
