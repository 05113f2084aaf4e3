//! Detours around what has moved: the abandoned part dashed and grey, the new part marked along its
//! length, and a cross where it ends.

use crate::base::EntityId;
use crate::planner::human::Change;
use crate::planner::missions::Plans;
use crate::preview::primitive::{Dash, Extent, Glyph, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::space::layer::{SpaceLayer, opaque, rgba};
use crate::preview::style::Palette;
use glam::DVec3;

/// Height of lines above the ground in 3D: over those of paths. Unit: metres.
const LIFT: f64 = 0.14;

/// Length of dashes in 3D, and of the gaps between them. Unit: metres.
const DASH: f64 = 0.3;

/// Over the plans of agents that `is_shown`.
pub fn draw_detours(
    plans: &Plans,
    is_shown: impl Fn(EntityId) -> bool,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    for (id, change) in changes(plans, is_shown) {
        let mut add = |primitive| {
            sink.add(Shape {
                plane: Plane::Paths,
                entity: Some(id),
                min_scale: 0.0,
                primitive,
            });
        };
        let line = |points: &[DVec3], stroke| Primitive::Line {
            points: points.iter().map(|p| p.truncate()).collect(),
            closed: false,
            stroke,
        };
        match change {
            Change::Repaired(detour) => {
                let grey = Ink::new(palette.text_muted, 0.9);
                add(line(
                    &detour.old,
                    Stroke::pixels(grey, 2.0).dashed(Dash::Dashed),
                ));
                add(line(&detour.new, Stroke::pixels(palette.halo, 7.0)));
                add(line(
                    &detour.new,
                    Stroke::pixels(Ink::solid(palette.detour), 4.4),
                ));
            }
            Change::Lost(loss) => add(Primitive::Mark {
                at: loss.at.truncate(),
                turn: 0.0,
                glyph: Glyph::Cross,
                size: Extent::pixels(8.0),
                fill: Ink::solid(palette.blocker),
                outline: Some(Stroke::pixels(palette.halo, 1.4)),
            }),
            Change::None | Change::Other => {}
        }
    }
}

/// Detours in 3D. Positions relative to `origin`.
pub fn add_detours(
    plans: &Plans,
    is_shown: impl Fn(EntityId) -> bool,
    palette: &Palette,
    origin: DVec3,
    layer: &mut SpaceLayer,
) {
    let lifted = |points: &[DVec3]| -> Vec<DVec3> {
        points
            .iter()
            .map(|p| *p + DVec3::Z * LIFT - origin)
            .collect()
    };
    for (_, change) in changes(plans, is_shown) {
        match change {
            Change::Repaired(detour) => {
                let grey = rgba(Ink::new(palette.text_muted, 0.95));
                for dash in dashes(&lifted(&detour.old)) {
                    layer.polyline(&dash, grey, 2.4);
                }
                layer.polyline(&lifted(&detour.new), opaque(palette.detour), 5.0);
            }
            Change::Lost(loss) => {
                let [at] = lifted(&[loss.at])[..] else {
                    continue;
                };
                let arm = 0.3;
                for (x, y) in [(arm, arm), (arm, -arm)] {
                    let off = DVec3::new(x, y, 0.0);
                    layer.polyline(&[at - off, at + off], opaque(palette.blocker), 5.0);
                }
            }
            Change::None | Change::Other => {}
        }
    }
}

fn changes(
    plans: &Plans,
    is_shown: impl Fn(EntityId) -> bool,
) -> impl Iterator<Item = (EntityId, &Change)> {
    plans
        .iter()
        .filter(move |(id, _)| is_shown(**id))
        .flat_map(|(id, plan)| plan.changes.iter().map(|change| (*id, change)))
}

/// Splits a line into dashes.
fn dashes(points: &[DVec3]) -> Vec<[DVec3; 2]> {
    let mut dashes = Vec::new();
    let mut along = 0.0;
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        let mut at = 0.0;
        while at < length {
            let phase = (along + at) % (2.0 * DASH);
            let step = (if phase < DASH { DASH } else { 2.0 * DASH } - phase).max(1e-6);
            let end = (at + step).min(length);
            if phase < DASH {
                dashes.push([at, end].map(|m| pair[0].lerp(pair[1], m / length)));
            }
            at = end;
        }
        along += length;
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_half_of_a_line_and_never_leave_it() {
        let line: Vec<DVec3> = [0.0, 0.1, 1.7, 6.0].map(|x| DVec3::new(x, 0.0, 0.0)).into();
        let dashes = dashes(&line);
        let drawn: f64 = dashes.iter().map(|[a, b]| a.distance(*b)).sum();
        // Dashes are no shorter than a thousandth of a millimetre.
        assert!((drawn - 3.0).abs() < 1e-5, "{drawn}");
        assert!(dashes.iter().flatten().all(|p| (0.0..=6.0).contains(&p.x)));
        assert!(super::dashes(&[DVec3::ZERO, DVec3::ZERO]).is_empty());
    }
}
