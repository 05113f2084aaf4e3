//! Sculpting of a height field with a brush.

use crate::document::limits;
use crate::geometry::{HeightField, HeightPatch, Rect};
use glam::DVec2;

/// What a stroke does to the ground under it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sculpt {
    #[default]
    Raise,
    Lower,
    /// Towards the mean of the surrounding posts.
    Smooth,
    /// Towards the height at the start of the stroke.
    Flatten,
}

impl Sculpt {
    pub const ALL: [Self; 4] = [Self::Raise, Self::Lower, Self::Smooth, Self::Flatten];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raise => "Raise",
            Self::Lower => "Lower",
            Self::Smooth => "Smooth",
            Self::Flatten => "Flatten",
        }
    }

    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|kind| *kind == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// Whether its strength is a height rather than a fraction.
    #[must_use]
    pub const fn adds(self) -> bool {
        matches!(self, Self::Raise | Self::Lower)
    }
}

/// Distance between dabs of a stroke, as a fraction of the radius.
const DAB_SPACING: f64 = 0.25;
/// A brush narrower than this many post spacings would fall between the posts.
const LEAST_RADIUS: f64 = 0.75;
/// Bounds the dabs of a pointer that jumps across the whole level.
const MAX_DABS: usize = 4096;
/// Heights are rounded to the millimetre, which is invisible and keeps files short. Unit: per
/// metre.
const STEPS_PER_METRE: f64 = 1000.0;
/// Approximate number of posts along the longer side of a new field.
const POSTS_ALONG: f64 = 200.0;

/// Default post spacing: fine enough to model with and cheap to store. Unit: metres.
#[must_use]
pub fn usual_spacing(area: Rect) -> f64 {
    let wanted = (area.size().max_element() / POSTS_ALONG).max(0.25);
    let power = 10f64.powf(wanted.log10().floor());
    let spacing = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|spacing| *spacing >= wanted * 0.999)
        .unwrap_or(wanted);
    limits::POST_SPACING.clamp(spacing)
}

/// A flat field over the level's bounds.
///
/// # Errors
/// It would have more posts than a level may have.
pub fn plain(area: Rect, spacing: f64) -> Result<HeightField, String> {
    limits::POST_SPACING
        .check(spacing)
        .map_err(|refused| refused.to_string())?;
    check_count(area, spacing)?;
    Ok(HeightField::flat(area, spacing, 0.0))
}

/// # Errors
/// There would be more posts than a level may have.
pub fn check_count(area: Rect, spacing: f64) -> Result<(), String> {
    let posts = HeightField::posts_over(area, spacing);
    if posts <= limits::MAX_POSTS as f64 {
        Ok(())
    } else {
        Err(format!(
            "posts {spacing} m apart would be {posts:.0}; at most {} are allowed — \
             choose a larger distance",
            limits::MAX_POSTS
        ))
    }
}

/// A brush and how strongly it works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SculptBrush {
    pub kind: Sculpt,
    /// Unit: metres.
    pub radius: f64,
    /// Metres raised or lowered per pass; for the other modes the fraction, from 0 to 1, applied
    /// per pass.
    pub strength: f64,
}

/// A height field being sculpted.
#[derive(Clone, Debug)]
pub struct Sculpture {
    field: HeightField,
    heights: Vec<f64>,
    brush: SculptBrush,
    /// Target height for flattening.
    target: f64,
    /// Position of the last dab.
    last: DVec2,
    /// Changed posts: half-open ranges of columns and rows.
    touched: Option<[[usize; 2]; 2]>,
}

impl Sculpture {
    /// Begins a stroke with its first dab. A click is a whole pass; a drag spreads the effect over
    /// overlapping dabs.
    #[must_use]
    pub fn begin(field: &HeightField, brush: SculptBrush, at: DVec2) -> Self {
        let radius = brush.radius.max(field.spacing * LEAST_RADIUS);
        let mut sculpture = Self {
            heights: field.heights.to_vec(),
            field: field.clone(),
            brush: SculptBrush { radius, ..brush },
            target: field.height(at),
            last: at,
            touched: None,
        };
        sculpture.dab(at, 1.0);
        sculpture
    }

    /// Continues the stroke to `at`.
    pub fn stroke_to(&mut self, at: DVec2) {
        if !at.is_finite() {
            return;
        }
        let spacing = self.brush.radius * DAB_SPACING;
        let from = self.last;
        let steps = ((at - from).length() / spacing).floor();
        let count = (steps as usize).min(MAX_DABS);
        for i in 1..=count {
            let next = from.lerp(
                at,
                i as f64 / count as f64 * (steps * spacing) / (at - from).length(),
            );
            self.dab(next, DAB_SPACING);
            self.last = next;
        }
    }

    /// The change so far; `None` until a post was under the brush.
    #[must_use]
    pub fn patch(&self) -> Option<HeightPatch> {
        let [[left, right], [low, high]] = self.touched?;
        let heights = (low..high)
            .flat_map(|row| &self.heights[row * self.field.columns..][left..right])
            .zip(
                (low..high)
                    .flat_map(|row| &self.field.heights[row * self.field.columns..][left..right]),
            )
            .map(|(new, old)| {
                // Untouched posts stay bit-identical.
                if new == old {
                    *old
                } else {
                    (new * STEPS_PER_METRE).round() / STEPS_PER_METRE
                }
            })
            .collect();
        Some(HeightPatch {
            column: left,
            row: low,
            columns: right - left,
            heights,
        })
    }

    /// The posts under the brush: half-open ranges of columns and rows.
    fn under(&self, at: DVec2) -> Option<[[usize; 2]; 2]> {
        let reach = DVec2::splat(self.brush.radius);
        let low = ((at - reach - self.field.origin) / self.field.spacing).ceil();
        let high = ((at + reach - self.field.origin) / self.field.spacing).floor();
        let clamp = |from: f64, to: f64, count: usize| {
            let (from, to) = (from.max(0.0), to.min(count as f64 - 1.0));
            (from <= to).then_some([from as usize, to as usize + 1])
        };
        Some([
            clamp(low.x, high.x, self.field.columns)?,
            clamp(low.y, high.y, self.field.rows)?,
        ])
    }

    /// One dab that applies a `share` of a pass.
    fn dab(&mut self, at: DVec2, share: f64) {
        let Some([columns, rows]) = self.under(at) else {
            return;
        };
        let SculptBrush {
            kind,
            radius,
            strength,
        } = self.brush;
        // Fractions applied in parts must add up to the whole.
        let part = 1.0 - (1.0 - strength.clamp(0.0, 1.0)).powf(share);
        let means = (kind == Sculpt::Smooth).then(|| Means::over(self, columns, rows));
        for row in rows[0]..rows[1] {
            for column in columns[0]..columns[1] {
                let post = DVec2::new(column as f64, row as f64) * self.field.spacing;
                let away = (self.field.origin + post - at).length_squared() / (radius * radius);
                if away >= 1.0 {
                    continue;
                }
                let weight = (1.0 - away) * (1.0 - away);
                let height = &mut self.heights[row * self.field.columns + column];
                let to = match kind {
                    Sculpt::Raise => *height + strength * share * weight,
                    Sculpt::Lower => *height - strength * share * weight,
                    Sculpt::Smooth => {
                        let mean = means
                            .as_ref()
                            .map_or(*height, |means| means.at(column, row));
                        *height + (mean - *height) * part * weight
                    }
                    Sculpt::Flatten => *height + (self.target - *height) * part * weight,
                };
                *height = limits::ELEVATION.clamp(to);
            }
        }
        self.touched = Some(self.touched.map_or([columns, rows], |before| {
            let join = |a: [usize; 2], b: [usize; 2]| [a[0].min(b[0]), a[1].max(b[1])];
            [join(before[0], columns), join(before[1], rows)]
        }));
    }
}

/// Means over a square around each post, from a summed-area table.
struct Means {
    sums: Vec<f64>,
    /// Half-open ranges of columns and rows covered by the sums.
    columns: [usize; 2],
    rows: [usize; 2],
    reach: usize,
}

impl Means {
    fn over(sculpture: &Sculpture, columns: [usize; 2], rows: [usize; 2]) -> Self {
        let field = &sculpture.field;
        let reach = (sculpture.brush.radius / field.spacing / 4.0).clamp(1.0, 64.0) as usize;
        let grow = |range: [usize; 2], count: usize| {
            [
                range[0].saturating_sub(reach),
                (range[1] + reach).min(count),
            ]
        };
        let (columns, rows) = (grow(columns, field.columns), grow(rows, field.rows));
        let width = columns[1] - columns[0] + 1;
        let mut sums = vec![0.0; width * (rows[1] - rows[0] + 1)];
        for row in rows[0]..rows[1] {
            let at = (row - rows[0] + 1) * width;
            let mut along = 0.0;
            for column in columns[0]..columns[1] {
                along += sculpture.heights[row * field.columns + column];
                let i = at + column - columns[0] + 1;
                sums[i] = sums[i - width] + along;
            }
        }
        Self {
            sums,
            columns,
            rows,
            reach,
        }
    }

    fn at(&self, column: usize, row: usize) -> f64 {
        // Symmetric about the post and inside the field, so that a slope stays a slope.
        let even = |at: usize, [from, to]: [usize; 2]| self.reach.min(at - from).min(to - 1 - at);
        let (across, along) = (even(column, self.columns), even(row, self.rows));
        let width = self.columns[1] - self.columns[0] + 1;
        let [left, right] = [column - across, column + across + 1].map(|c| c - self.columns[0]);
        let [low, high] = [row - along, row + along + 1].map(|r| (r - self.rows[0]) * width);
        let sum = self.sums[high + right] - self.sums[high + left] - self.sums[low + right]
            + self.sums[low + left];
        sum / ((right - left) * (2 * along + 1)) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn brush(kind: Sculpt, strength: f64) -> SculptBrush {
        SculptBrush {
            kind,
            radius: 5.0,
            strength,
        }
    }

    fn area() -> Rect {
        Rect::new(DVec2::ZERO, DVec2::new(40.0, 30.0))
    }

    fn finished(sculpture: &Sculpture) -> HeightField {
        let patch = sculpture.patch().expect("touched something");
        sculpture.field.patched(&patch).expect("fits")
    }

    #[test]
    fn one_pass_raises_its_middle_by_about_the_strength() {
        let field = HeightField::flat(area(), 0.5, 1.0);
        let mut stroke =
            Sculpture::begin(&field, brush(Sculpt::Raise, 2.0), DVec2::new(-5.0, 15.0));
        stroke.stroke_to(DVec2::new(45.0, 15.0));
        let raised = finished(&stroke);
        for x in [10.0, 20.0, 30.0] {
            let height = raised.height(DVec2::new(x, 15.0));
            assert!((height - 3.0).abs() < 0.3, "{height}");
        }
        assert_eq!(raised.height(DVec2::new(20.0, 25.0)), 1.0);
    }

    #[test]
    fn a_stroke_in_many_small_moves_is_the_stroke_in_one() {
        let field = HeightField::flat(area(), 0.5, 0.0);
        let from = DVec2::new(8.0, 8.0);
        let to = DVec2::new(28.0, 23.0);
        let mut whole = Sculpture::begin(&field, brush(Sculpt::Raise, 1.0), from);
        whole.stroke_to(to);
        let mut parts = Sculpture::begin(&field, brush(Sculpt::Raise, 1.0), from);
        for i in 1..=1000 {
            parts.stroke_to(from.lerp(to, f64::from(i) / 1000.0));
        }
        let (whole, parts) = (finished(&whole), finished(&parts));
        for (a, b) in whole.heights.iter().zip(parts.heights.iter()) {
            assert!((a - b).abs() < 0.06, "{a} {b}");
        }
    }

    #[test]
    fn flattening_goes_to_where_the_stroke_began_and_smoothing_keeps_a_slope() {
        let mut field = HeightField::flat(area(), 0.5, 0.0);
        field.heights = (0..field.heights.len())
            .map(|i| (i % field.columns) as f64 * 0.1)
            .collect();
        let start = DVec2::new(10.0, 15.0);
        let mut stroke = Sculpture::begin(&field, brush(Sculpt::Flatten, 1.0), start);
        for _ in 0..4 {
            stroke.stroke_to(DVec2::new(30.0, 15.0));
            stroke.stroke_to(start);
        }
        let height = finished(&stroke).height(DVec2::new(20.0, 15.0));
        assert!((height - 2.0).abs() < 0.05, "{height}");

        let smooth = Sculpture::begin(&field, brush(Sculpt::Smooth, 1.0), start);
        for (a, b) in finished(&smooth).heights.iter().zip(field.heights.iter()) {
            assert!((a - b).abs() < 0.001);
        }
    }

    #[test]
    fn smoothing_takes_a_spike_down_and_lifts_nothing_above_it() {
        let mut field = HeightField::flat(area(), 0.5, 0.0);
        let mut heights = field.heights.to_vec();
        let spike = 30 * field.columns + 40;
        heights[spike] = 10.0;
        field.heights = heights.into();
        let smooth = Sculpture::begin(&field, brush(Sculpt::Smooth, 1.0), DVec2::new(20.0, 15.0));
        let (low, high) = finished(&smooth).range();
        assert!(low >= 0.0 && high < 2.0, "{low} {high}");
    }

    #[test]
    fn a_new_field_is_neither_coarse_nor_huge() {
        for size in [1.0, 40.0, 100.0, 200.0, 999.0, 50_000.0] {
            let area = Rect::new(DVec2::ZERO, DVec2::new(size, size * 0.7));
            let spacing = usual_spacing(area);
            let posts = HeightField::posts_over(area, spacing);
            assert!(posts <= 45_000.0, "{size}: {spacing}");
            assert!(spacing <= (size / 80.0).max(0.25), "{size}: {spacing}");
        }
        let large = Rect::new(DVec2::ZERO, DVec2::splat(10_000.0));
        let refusal = plain(large, 0.5).expect_err("too many");
        assert!(refusal.contains("larger distance"), "{refusal}");
    }

    proptest! {
        #[test]
        fn strokes_anywhere_stay_inside_the_field_and_its_limits(
            x in prop_oneof![-1e7..1e7f64, -10.0..50.0f64],
            y in -60.0..60.0f64,
            to in -100.0..100.0f64,
            radius in prop_oneof![Just(0.0), 0.05..1000.0f64],
            strength in 0.0..20_000.0f64,
            kind in 0..4usize,
        ) {
            let field = HeightField::flat(area(), 2.5, 3.0);
            let brush = SculptBrush { kind: Sculpt::ALL[kind], radius, strength };
            let mut stroke = Sculpture::begin(&field, brush, DVec2::new(x, y));
            stroke.stroke_to(DVec2::new(to, y));
            stroke.stroke_to(DVec2::NAN);
            if let Some(patch) = stroke.patch() {
                let patched = field.patched(&patch);
                prop_assert!(patched.is_some());
                for height in patch.heights.iter() {
                    prop_assert!(limits::ELEVATION.check(*height).is_ok());
                }
            }
        }
    }
}
