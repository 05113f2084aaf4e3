//! Arrow heads along a line, as many as there is room for at any scale.

use super::Pen;
use crate::preview::primitive::{Extent, Glyph, Ink, Plane, Primitive};
use crate::preview::style;
use glam::DVec2;

/// Maximum number of bisections: 2⁹ arrows.
const MAX_HALVINGS: u32 = 9;

/// An arrow in the middle of the line, then in the middle of each half, and so on; each is shown
/// from the scale at which its stretch of line is long enough.
pub(super) fn along(
    pen: &mut Pen<'_>,
    plane: Plane,
    points: &[DVec2],
    closed: bool,
    ink: Ink,
    size: Extent,
) {
    let stations = stations(points, closed);
    let Some(&(length, _)) = stations.last() else {
        return;
    };
    if length <= 0.0 {
        return;
    }
    for halving in 1..=MAX_HALVINGS {
        let count = 1_u32 << halving;
        let spacing = length / f64::from(count);
        let min_scale = if halving == 1 {
            // One arrow, however short the line.
            style::ARROW_SIZE * 4.0 / length
        } else {
            style::ARROW_SPACING / spacing
        };
        if spacing < 0.05 {
            break;
        }
        for i in (1..count).step_by(2) {
            let (at, direction) = locate(&stations, f64::from(i) * spacing);
            pen.add_from(
                plane,
                min_scale,
                Primitive::Mark {
                    at,
                    turn: direction.to_angle(),
                    glyph: Glyph::Arrow,
                    size,
                    fill: ink,
                    outline: None,
                },
            );
        }
    }
}

/// One arrow whose tip lies at the end of the line.
pub(super) fn at_end(pen: &mut Pen<'_>, plane: Plane, points: &[DVec2], ink: Ink) {
    if let [.., before, last] = *points
        && before != last
    {
        pen.add(
            plane,
            Primitive::Mark {
                at: last,
                turn: (last - before).to_angle(),
                glyph: Glyph::Arrow,
                size: Extent::pixels(style::ARROW_SIZE),
                fill: ink,
                outline: None,
            },
        );
    }
}

/// Every point with its arc length; a closed line repeats the first one at the end.
fn stations(points: &[DVec2], closed: bool) -> Vec<(f64, DVec2)> {
    let mut travelled = 0.0;
    let mut previous = points.first().copied();
    points
        .iter()
        .chain(points.first().filter(|_| closed))
        .map(|p| {
            travelled += previous.map_or(0.0, |q| q.distance(*p));
            previous = Some(*p);
            (travelled, *p)
        })
        .collect()
}

fn locate(stations: &[(f64, DVec2)], distance: f64) -> (DVec2, DVec2) {
    let next = stations
        .partition_point(|(d, _)| *d < distance)
        .clamp(1, stations.len() - 1);
    let ((d0, a), (d1, b)) = (stations[next - 1], stations[next]);
    let share = if d1 > d0 {
        (distance - d0) / (d1 - d0)
    } else {
        0.0
    };
    (a.lerp(b, share), b - a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Colour;
    use crate::preview::primitive::Shape;

    fn marks(points: &[DVec2], closed: bool) -> Vec<(DVec2, f64)> {
        let mut shapes: Vec<Shape> = Vec::new();
        let mut pen = Pen {
            sink: &mut shapes,
            entity: None,
        };
        along(
            &mut pen,
            Plane::Routes,
            points,
            closed,
            Ink::solid(Colour::hex(0)),
            Extent::pixels(5.0),
        );
        shapes
            .iter()
            .map(|shape| match shape.primitive {
                Primitive::Mark { at, .. } => (at, shape.min_scale),
                _ => unreachable!("only marks are drawn"),
            })
            .collect()
    }

    #[test]
    fn arrows_show_when_they_have_room() {
        let line = [DVec2::ZERO, DVec2::new(100.0, 0.0)];
        let marks = marks(&line, false);
        assert_eq!(marks[0].0, DVec2::new(50.0, 0.0));
        let shown = |scale: f64| marks.iter().filter(|(_, min)| *min <= scale).count();
        assert_eq!(shown(0.1), 0);
        assert_eq!(shown(1.0), 1);
        // 1000 pixels of line: arrows at eighths are 125 pixels apart.
        assert_eq!(shown(10.0), 7);
    }

    #[test]
    fn degenerate_lines_have_no_arrows() {
        assert!(marks(&[], true).is_empty());
        assert!(marks(&[DVec2::ONE], true).is_empty());
        assert!(marks(&[DVec2::ONE; 4], false).is_empty());
    }
}
