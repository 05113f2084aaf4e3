//! The height field as contour lines.

use super::{Pen, Scene};
use crate::geometry::HeightField;
use crate::preview::label::{Label, Rank};
use crate::preview::primitive::{Ink, Plane, Primitive, Stroke};
use crate::preview::{step, style};
use glam::DVec2;
use std::collections::BTreeMap;

/// Approximate number of contours from the lowest to the highest point.
const CONTOURS: f64 = 12.0;
/// Every n-th contour is drawn stronger.
const INDEX_CONTOUR: i64 = 5;
/// Contours are traced over at most this many cells per direction.
const MAX_CELLS: usize = 256;

impl Scene<'_> {
    pub(super) fn draw_relief(&self, pen: &mut Pen<'_>) {
        let Some(field) = self.level.ground() else {
            return;
        };
        let (low, high) = field
            .heights
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
                (low.min(*h), high.max(*h))
            });
        if high - low < 0.01 {
            return;
        }
        let interval = step::round_up((high - low) / CONTOURS);
        for i in step::multiples(interval, low, high, 2 * CONTOURS as usize) {
            let share = if i % INDEX_CONTOUR == 0 { 1.0 } else { 0.6 };
            let ink: Ink = self.palette.contour.faded(share);
            let lines = contour(field, i as f64 * interval);
            let longest = lines.iter().max_by_key(|points| points.len());
            if let Some(at) = longest.and_then(|points| points.get(points.len() / 3)) {
                pen.label(Label {
                    size: style::SMALL_LABEL_SIZE - 1.0,
                    ink: Ink::new(self.palette.contour.colour, 0.9),
                    ..self.label(
                        *at,
                        step::length_text(i as f64 * interval),
                        Rank::Region,
                        self.palette.contour.colour,
                    )
                });
            }
            for points in lines {
                pen.add(
                    Plane::Relief,
                    Primitive::Line {
                        points,
                        closed: false,
                        stroke: Stroke::pixels(ink, if i % INDEX_CONTOUR == 0 { 1.4 } else { 1.0 }),
                    },
                );
            }
        }
    }
}

/// The contour of one height, by marching squares over posts (or every n-th of them).
pub fn contour(field: &HeightField, height: f64) -> Vec<Vec<DVec2>> {
    let stride = (field.columns.max(field.rows) / MAX_CELLS).max(1);
    let columns = (field.columns.saturating_sub(1)).div_ceil(stride);
    let rows = (field.rows.saturating_sub(1)).div_ceil(stride);
    let place = |c: usize, r: usize| {
        let (c, r) = (
            (c * stride).min(field.columns - 1),
            (r * stride).min(field.rows - 1),
        );
        let p = field.origin + DVec2::new(c as f64, r as f64) * field.spacing;
        (p, field.post(c, r))
    };
    // An edge between two posts is identified by its lower left post and its direction.
    type Edge = (usize, usize, bool);
    let crossing = |(c, r, up): Edge| {
        let (a, ha) = place(c, r);
        let (b, hb) = if up { place(c, r + 1) } else { place(c + 1, r) };
        a.lerp(b, ((height - ha) / (hb - ha)).clamp(0.0, 1.0))
    };
    let mut links: BTreeMap<Edge, Vec<Edge>> = BTreeMap::new();
    let mut join = |a: Edge, b: Edge| {
        links.entry(a).or_default().push(b);
        links.entry(b).or_default().push(a);
    };
    for r in 0..rows {
        for c in 0..columns {
            let above = |c: usize, r: usize| place(c, r).1 > height;
            let corners = [
                above(c, r),
                above(c + 1, r),
                above(c + 1, r + 1),
                above(c, r + 1),
            ];
            let sides: [Edge; 4] = [
                (c, r, false),
                (c + 1, r, true),
                (c, r + 1, false),
                (c, r, true),
            ];
            let cut: Vec<Edge> = (0..4)
                .filter(|i| corners[*i] != corners[(i + 1) % 4])
                .map(|i| sides[i])
                .collect();
            match cut[..] {
                [a, b] => join(a, b),
                [bottom, right, top, left] => {
                    // A saddle: the centre decides which corners are connected.
                    let middle: f64 = [
                        place(c, r),
                        place(c + 1, r),
                        place(c + 1, r + 1),
                        place(c, r + 1),
                    ]
                    .iter()
                    .map(|(_, h)| h * 0.25)
                    .sum();
                    if (middle > height) == corners[0] {
                        join(bottom, right);
                        join(top, left);
                    } else {
                        join(bottom, left);
                        join(right, top);
                    }
                }
                _ => {}
            }
        }
    }
    chains(links)
        .into_iter()
        .map(|chain| chain.into_iter().map(crossing).collect())
        .collect()
}

/// Joins links into chains: open ones from their ends, then the remaining loops.
fn chains<K: Ord + Copy>(mut links: BTreeMap<K, Vec<K>>) -> Vec<Vec<K>> {
    let ends: Vec<K> = links
        .iter()
        .filter(|(_, next)| next.len() == 1)
        .map(|(key, _)| *key)
        .collect();
    let mut found = Vec::new();
    let mut starts = ends.into_iter();
    while let Some(start) = starts.next().or_else(|| links.keys().next().copied()) {
        let mut chain = vec![start];
        let mut at = start;
        while let Some(next) = links.get_mut(&at).and_then(Vec::pop) {
            if let Some(back) = links.get_mut(&next)
                && let Some(i) = back.iter().position(|k| *k == at)
            {
                back.swap_remove(i);
            }
            if links.get(&at).is_some_and(Vec::is_empty) {
                links.remove(&at);
            }
            chain.push(next);
            at = next;
        }
        links.remove(&at);
        if chain.len() > 1 {
            found.push(chain);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;

    fn cone() -> HeightField {
        let mut field = HeightField::flat(Rect::around(DVec2::ZERO, DVec2::splat(20.0)), 0.5, 0.0);
        field.heights = (0..field.rows * field.columns)
            .map(|i| {
                let (c, r) = (i % field.columns, i / field.columns);
                let p = field.origin + DVec2::new(c as f64, r as f64) * field.spacing;
                20.0 - p.length()
            })
            .collect();
        field
    }

    #[test]
    fn the_contours_of_a_cone_are_closed_circles() {
        let lines = contour(&cone(), 12.0);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        for p in &lines[0] {
            assert!((p.length() - 8.0).abs() < 0.05, "{p}");
        }
    }

    #[test]
    fn contours_that_leave_the_field_are_open_and_none_is_invented() {
        let lines = contour(&cone(), -4.0);
        assert_eq!(lines.len(), 4, "one in each corner");
        assert!(lines.iter().all(|line| line.first() != line.last()));
        assert!(contour(&cone(), 100.0).is_empty());
    }
}
