//! The background: ground within the bounds, painted regions, the grid.

use super::{Pen, Scene, label_room, rings, scale_for};
use crate::base::EntityId;
use crate::document::{Entity, Kind, Region, Terrain};
use crate::geometry::Rect;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{Fill, FillRule, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::step;
use crate::preview::style::{self, Palette};
use glam::DVec2;

/// Maximum grid lines per direction; more would be a tint.
const GRID_LINES: usize = 4096;
/// Grid lines closer than this are not drawn. Unit: pixels.
const GRID_CLOSEST: f64 = 7.0;
/// Grid lines this far apart have full strength. Unit: pixels.
const GRID_FULL: f64 = 110.0;
/// Steps of the ladder 1, 5, 10, 50… above one grid spacing.
const GRID_RUNGS: u32 = 24;

impl Scene<'_> {
    /// The ground, its base terrain and relief, and the bounds.
    pub fn draw_ground(&self, sink: &mut dyn Sink) {
        let settings = self.level.settings();
        let bounds = settings.bounds.corners().to_vec();
        let mut pen = Pen { sink, entity: None };
        let area = |fill: Fill| Primitive::Area {
            rings: vec![bounds.clone()],
            rule: FillRule::EvenOdd,
            fill,
            outline: None,
        };
        pen.add(
            Plane::Ground,
            area(Fill::plain(Ink::solid(self.palette.ground))),
        );
        if let Some(terrain) = settings.base_terrain.and_then(|id| self.terrain(id)) {
            pen.add(Plane::Terrain, area(self.palette.terrain_fill(terrain)));
        }
        self.draw_relief(&mut pen);
        pen.add(
            Plane::Bounds,
            Primitive::Line {
                points: bounds.clone(),
                closed: true,
                stroke: Stroke::pixels(self.palette.bounds, 1.5),
            },
        );
    }

    pub(super) fn terrain(&self, id: EntityId) -> Option<&Terrain> {
        match &self.level.get(id)?.kind {
            Kind::Terrain(terrain) => Some(terrain),
            _ => None,
        }
    }

    pub(super) fn draw_region(&self, entity: &Entity, region: &Region, pen: &mut Pen<'_>) {
        // A region whose terrain was deleted is still shown, as an error.
        let lost = Terrain::new(
            self.palette.forbidden,
            crate::document::Pattern::CrossHatch,
            1.0,
        );
        let terrain = self.terrain(region.terrain).unwrap_or(&lost);
        pen.add_from(
            Plane::Terrain,
            scale_for(region.area.bounds().size()),
            Primitive::Area {
                rings: rings(&region.area),
                rule: FillRule::EvenOdd,
                fill: self.palette.terrain_fill(terrain),
                outline: Some(self.palette.terrain_edge(terrain)),
            },
        );
        if entity.name.is_empty() {
            return;
        }
        let (at, room) = label_room(&region.area);
        pen.label(Label {
            placement: Placement::Within { room },
            size: style::SMALL_LABEL_SIZE,
            ..self.label(at, &entity.name, Rank::Region, terrain.colour)
        });
    }
}

/// A grid over `area`: lines every `spacing` and every fifth, tenth, fiftieth… of them, the
/// stronger the farther apart they are on screen. Lines that would be too close are omitted, so
/// that zooming fades them in and out.
pub fn draw_grid(
    area: Rect,
    spacing: f64,
    pixels_per_metre: f64,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    let visible: Vec<Rung> = (0..GRID_RUNGS)
        .map(|i| {
            // 1, 5, 10, 50, 100…: every rung divides the next.
            let every = 10_i64.pow(i / 2) * if i % 2 == 1 { 5 } else { 1 };
            Rung {
                step: spacing * every as f64,
                ink: palette
                    .grid
                    .faded(grid_strength(spacing * every as f64 * pixels_per_metre)),
            }
        })
        .filter(|rung| rung.ink.alpha > 0.0)
        .collect();
    for (i, rung) in visible.iter().enumerate() {
        // A line that coincides with the next rung is drawn there, and stronger.
        let shared = visible
            .get(i + 1)
            .map_or(i64::MAX, |next| (next.step / rung.step).round() as i64);
        let mut line = |a: DVec2, b: DVec2| {
            sink.add(Shape {
                plane: Plane::Grid,
                entity: None,
                min_scale: 0.0,
                primitive: Primitive::Line {
                    points: vec![a, b],
                    closed: false,
                    stroke: Stroke::pixels(rung.ink, style::THIN_WIDTH),
                },
            });
        };
        let lines = |from, to| {
            step::multiples(rung.step, from, to, GRID_LINES)
                .into_iter()
                .filter(move |n| n % shared != 0 || shared == i64::MAX)
                .map(|n| n as f64 * rung.step)
        };
        for x in lines(area.min.x, area.max.x) {
            line(DVec2::new(x, area.min.y), DVec2::new(x, area.max.y));
        }
        for y in lines(area.min.y, area.max.y) {
            line(DVec2::new(area.min.x, y), DVec2::new(area.max.x, y));
        }
    }
}

/// Grid lines at one spacing.
struct Rung {
    step: f64,
    ink: Ink,
}

/// Strength of grid lines this many pixels apart, from 0 to 1.
fn grid_strength(pixels: f64) -> f64 {
    ((pixels - GRID_CLOSEST) / (GRID_FULL - GRID_CLOSEST))
        .clamp(0.0, 1.0)
        .sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preview::Look;

    fn grid(pixels_per_metre: f64) -> Vec<(DVec2, DVec2, f64)> {
        let area = Rect::new(DVec2::splat(-3.5), DVec2::splat(40.5));
        let mut shapes: Vec<Shape> = Vec::new();
        draw_grid(
            area,
            1.0,
            pixels_per_metre,
            Look::Dark.palette(),
            &mut shapes,
        );
        shapes
            .into_iter()
            .map(|shape| match shape.primitive {
                Primitive::Line { points, stroke, .. } => (points[0], points[1], stroke.ink.alpha),
                other => unreachable!("a grid is lines, not {other:?}"),
            })
            .collect()
    }

    #[test]
    fn every_line_is_drawn_once_and_round_ones_are_stronger() {
        let lines = grid(20.0);
        let at = |x: f64| {
            let found: Vec<f64> = lines
                .iter()
                .filter(|(a, b, _)| a.x == x && b.x == x)
                .map(|(_, _, alpha)| *alpha)
                .collect();
            assert_eq!(found.len(), 1, "x = {x}");
            found[0]
        };
        assert!(at(1.0) < at(5.0) && at(5.0) < at(10.0));
        assert_eq!(at(10.0), at(0.0));
        assert_eq!(lines.len(), 2 * 44);
    }

    #[test]
    fn lines_too_close_fade_out() {
        assert_eq!(grid(1.2).len(), 2 * 5, "every tenth, one way and the other");
        assert_eq!(grid_strength(GRID_CLOSEST), 0.0);
        assert!(grid_strength(12.0) > 0.0 && grid_strength(12.0) < 0.5);
        assert_eq!(grid_strength(1e9), 1.0);
        assert!(
            grid(1e-9).len() <= 2,
            "at most the lines through the origin"
        );
    }
}
