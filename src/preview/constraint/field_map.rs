//! The multiplier of a field over the level: a heat map with lines of equal value.
//!
//! The scale is linear in the logarithm of the multiplier, which is linear in the weights that
//! designers write.

use crate::base::Colour;
use crate::geometry::{HeightField, Rect};
use crate::jobs::{Cancelled, JobContext};
use crate::nav::constraint::Field;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{Fill, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::shape::contour;
use crate::preview::style::{self, Palette};
use crate::preview::voxel::merge::Cells;
use glam::DVec2;
use rayon::prelude::*;

/// Colours that are told apart on the map and in its legend.
pub const SCALE_STEPS: usize = 24;

/// Opacity of the map: what lies under it stays readable.
const ALPHA: f64 = 0.62;

/// About so many lines from the least to the greatest value.
const LINES: f64 = 7.0;

/// Values closer together than this are one. Unit: of the logarithm.
const LEAST_RANGE: f64 = 1e-3;

/// m at posts over the level, and what it ranges over.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldMap {
    /// The logarithm of m.
    posts: HeightField,
    /// Squares around the posts, merged where their colour is one, by step of the scale.
    cells: Vec<Vec<Rect>>,
    /// Lines of equal value.
    lines: Vec<(f64, Vec<Vec<DVec2>>)>,
    /// The least and the greatest m.
    pub range: [f64; 2],
    /// Whose field it is.
    pub whose: String,
}

impl FieldMap {
    /// Posts inclusive of both edges, `along` the longer side; z is the height of the feet.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        field: &Field,
        whose: String,
        area: Rect,
        along: usize,
        z: f64,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let longest = area.size().max_element().max(1e-3);
        let spacing = longest / along.max(2) as f64;
        let mut posts = HeightField::flat(area, spacing, 0.0);
        let rows: Vec<Vec<f64>> = (0..posts.rows)
            .into_par_iter()
            .map(|row| {
                ctx.checkpoint()?;
                let place = |column: usize| {
                    let at = DVec2::new(column as f64, row as f64) * spacing;
                    (area.min + at).min(area.max).extend(z)
                };
                Ok((0..posts.columns)
                    .map(|column| field.multiplier_at(place(column)).ln())
                    .collect())
            })
            .collect::<Result<_, Cancelled>>()?;
        posts.heights = rows.concat().into();
        let (low, high) = posts.range();
        let mut map = Self {
            posts,
            cells: Vec::new(),
            lines: Vec::new(),
            range: [low.exp(), high.exp()],
            whose,
        };
        map.cells = map.cells();
        for level in map.levels() {
            ctx.checkpoint()?;
            map.lines.push((level, contour(&map.posts, level.ln())));
        }
        Ok(map)
    }

    /// From 0 for the least to 1 for the greatest value.
    fn share(&self, logarithm: f64) -> f64 {
        let [low, high] = self.range.map(f64::ln);
        if high - low < LEAST_RANGE {
            return 0.0;
        }
        ((logarithm - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// The values at which lines run: round ones.
    fn levels(&self) -> Vec<f64> {
        let [low, high] = self.range;
        if (high / low).ln() < LEAST_RANGE * 10.0 {
            return Vec::new();
        }
        let ratio = (high / low).powf(1.0 / LINES);
        let mut levels: Vec<f64> = (1..LINES as i32).map(|i| low * ratio.powi(i)).collect();
        for level in &mut levels {
            let digits = if *level < 3.0 { 10.0 } else { 1.0 };
            *level = (*level * digits).round() / digits;
        }
        levels.dedup();
        levels.retain(|level| *level > low && *level < high);
        levels
    }

    /// The colours of the legend, from the least to the greatest value.
    #[must_use]
    pub fn colours(palette: &Palette) -> Vec<Colour> {
        (0..SCALE_STEPS).map(|step| tint(step, palette)).collect()
    }

    /// What the colours range over, with the unit.
    #[must_use]
    pub fn range_text(&self) -> String {
        let [low, high] = self.range;
        format!("{low:.2}–{high:.2} × length")
    }

    /// Whose field it is, and what its colours range over.
    #[must_use]
    pub fn legend(&self) -> String {
        format!("{}: {}", self.whose, self.range_text())
    }

    pub fn draw(&self, palette: &Palette, sink: &mut dyn Sink) {
        self.draw_on(Plane::ConstraintField, palette, sink);
    }

    pub(super) fn draw_on(&self, plane: Plane, palette: &Palette, sink: &mut dyn Sink) {
        let mut add = |primitive| {
            sink.add(Shape {
                plane,
                entity: None,
                min_scale: 0.0,
                primitive,
            });
        };
        for (step, rects) in self.cells.iter().enumerate() {
            if !rects.is_empty() {
                let fill = Fill::plain(Ink::new(tint(step, palette), ALPHA));
                let rects = rects.clone();
                add(Primitive::Cells { rects, fill });
            }
        }
        for (level, lines) in &self.lines {
            let longest = lines.iter().max_by_key(|line| line.len());
            if let Some(at) = longest.and_then(|line| line.get(line.len() / 3)) {
                add(Primitive::Text(Label {
                    at: *at,
                    text: format!("{level} ×"),
                    size: style::SMALL_LABEL_SIZE - 1.0,
                    ink: Ink::new(palette.text, 0.85),
                    halo: palette.halo,
                    placement: Placement::Centred,
                    rank: Rank::Region,
                }));
            }
            for points in lines {
                add(Primitive::Line {
                    points: points.clone(),
                    closed: false,
                    stroke: Stroke::pixels(Ink::new(palette.text, 0.42), 1.0),
                });
            }
        }
    }

    fn cells(&self) -> Vec<Vec<Rect>> {
        let (columns, rows) = (self.posts.columns, self.posts.rows);
        let mut cells = Cells::default();
        for row in 0..rows {
            for column in 0..columns {
                let share = self.share(self.posts.post(column, row));
                let step = ((share * SCALE_STEPS as f64) as u64).min(SCALE_STEPS as u64 - 1);
                cells.push(step, column as u16, row as u16);
            }
        }
        let bounds = self.posts.bounds();
        let corner = |[x, y]: [u16; 2]| {
            let at = DVec2::new(f64::from(x), f64::from(y)) - 0.5;
            bounds.clamp(self.posts.origin + at * self.posts.spacing)
        };
        let mut by_step = vec![Vec::new(); SCALE_STEPS];
        for rect in cells.merged() {
            by_step[rect.key as usize].push(Rect::new(corner(rect.low), corner(rect.high)));
        }
        by_step
    }

    /// m at the post nearest to a place.
    #[must_use]
    pub fn value_at(&self, p: DVec2) -> f64 {
        self.posts.height(p).exp()
    }
}

fn tint(step: usize, palette: &Palette) -> Colour {
    palette.heat_at((step as f64 + 0.5) / SCALE_STEPS as f64)
}
