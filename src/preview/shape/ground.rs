//! What everything stands on: the ground within the bounds, painted regions, the grid.

use super::{Pen, Scene, label_room, rings, scale_for};
use crate::base::EntityId;
use crate::document::{Entity, Kind, Region, Terrain};
use crate::geometry::Rect;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{
    Extent, Fill, FillRule, Ink, Plane, Primitive, Shape, Sink, Stroke,
};
use crate::preview::step;
use crate::preview::style::{self, Palette};
use glam::DVec2;

/// A picture has at most so many grid lines each way; more would be a tint.
pub const GRID_LINES: usize = 1000;
/// Minor grid lines are at least so far apart. Unit: pixels.
const GRID_CLOSEST: f64 = 7.0;

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
        // A region whose terrain is gone is still there, and looks like a mistake.
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

/// A grid over `area`: minor lines every `spacing` or a round multiple of it where they would
/// stand too close, major lines wider apart.
pub fn draw_grid(
    area: Rect,
    spacing: f64,
    pixels_per_metre: f64,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    let minor = step::round_up((GRID_CLOSEST / pixels_per_metre).max(spacing));
    let minor = if minor <= spacing * 1.0001 {
        spacing
    } else {
        minor
    };
    let per_major = (step::major(minor) / minor).round().max(1.0) as i64;
    let mut line = |ink: Ink, a: DVec2, b: DVec2| {
        sink.add(Shape {
            plane: Plane::Grid,
            entity: None,
            min_scale: 0.0,
            primitive: Primitive::Line {
                points: vec![a, b],
                closed: false,
                stroke: Stroke {
                    width: Extent::pixels(style::THIN_WIDTH),
                    ..Stroke::pixels(ink, style::THIN_WIDTH)
                },
            },
        });
    };
    let ink = |i: i64| {
        if i % per_major == 0 {
            palette.grid_major
        } else {
            palette.grid_minor
        }
    };
    for i in step::multiples(minor, area.min.x, area.max.x, GRID_LINES) {
        let x = i as f64 * minor;
        line(ink(i), DVec2::new(x, area.min.y), DVec2::new(x, area.max.y));
    }
    for i in step::multiples(minor, area.min.y, area.max.y, GRID_LINES) {
        let y = i as f64 * minor;
        line(ink(i), DVec2::new(area.min.x, y), DVec2::new(area.max.x, y));
    }
}
