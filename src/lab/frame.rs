//! `wayloom bench frame`: what the processor does for one frame of the plan view.
//!
//! One obstacle of many is dragged: the document shows the change, the touched triangles are
//! rebuilt, their chunks assembled for the graphics card, the grid drawn and the labels placed.
//! Rasterising is left to the graphics card and not counted.

use super::{Better, LabError, Report, Row, measure, scene};
use crate::base::EntityId;
use crate::document::{Document, Edit, Entity, Kind, Level};
use crate::geometry::Rect;
use crate::jobs::JobContext;
use crate::preview::cache::{Chunk, PlanCache};
use crate::preview::label::{Canvas, place};
use crate::preview::mesh::{Mesh, Tessellator};
use crate::preview::shape::draw_grid;
use crate::preview::{Look, Shape, typeface};
use glam::DVec2;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

const BUDGET: Duration = Duration::from_millis(1500);
/// Size of the window that frames are made for. Unit: points.
const WINDOW: DVec2 = DVec2::new(1280.0, 800.0);
const CORNERS: usize = 10;

/// # Errors
/// Cancelled.
pub fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    for (obstacles, drag_goal, open_goal) in [(2_000, 4.0, 200.0), (10_000, 16.0, 1_000.0)] {
        ctx.stage("Drawing frames");
        let level = Arc::new(scene::town(obstacles, CORNERS)?);
        let vertices = obstacles * CORNERS;
        let opening = measure::time(BUDGET, PlanCache::default, |mut cache| {
            (cache.update(&level, Look::Dark), cache)
        });
        rows.push(
            Row::new(
                format!("first frame of a level of {vertices} vertices"),
                "ms",
                opening.median * 1e3,
            )
            .spread(opening.spread * 1e3)
            .goal(open_goal, Better::Lower),
        );
        ctx.checkpoint()?;
        // The whole level in sight, and a street of it.
        for (view, zoom) in [("all in sight", 1.0), ("zoomed in", 12.0)] {
            let mut desk = Desk::new(&level, zoom);
            let dragging = measure::time(BUDGET, || (), |()| desk.drag());
            rows.push(
                Row::new(
                    format!("frame while dragging 1 of {obstacles} obstacles, {view}"),
                    "ms",
                    dragging.median * 1e3,
                )
                .spread(dragging.spread * 1e3)
                .goal(drag_goal, Better::Lower),
            );
            ctx.checkpoint()?;
        }
    }
    Ok(Report {
        name: "frame".to_owned(),
        rows,
    })
}

/// A document with a drag in progress, and a view of it.
struct Desk {
    document: Document,
    cache: PlanCache,
    /// What the graphics card has.
    revisions: BTreeSet<u64>,
    dragged: (EntityId, Arc<Entity>),
    visible: Rect,
    pixels_per_metre: f64,
    frames: u32,
}

impl Desk {
    fn new(level: &Arc<Level>, zoom: f64) -> Self {
        let bounds = level.settings().bounds;
        let pixels_per_metre = (WINDOW / bounds.size()).min_element() * zoom;
        let mut document = Document::new(Level::clone(level), level.largest_id().next());
        let middle = level.len() / 2;
        let dragged = level
            .iter()
            .nth(middle)
            .map(|(id, entity)| (id, Arc::clone(entity)))
            .unwrap_or_else(|| (EntityId::new(0), Arc::new(Entity::new("", Kind::Layer))));
        document.begin("Move");
        let mut desk = Self {
            document,
            cache: PlanCache::default(),
            revisions: BTreeSet::new(),
            dragged,
            visible: Rect::around(bounds.centre(), WINDOW * 0.5 / pixels_per_metre),
            pixels_per_metre,
            frames: 0,
        };
        desk.frame();
        desk
    }

    /// Moves the obstacle a little and makes the frame that shows it.
    fn drag(&mut self) -> usize {
        self.frames += 1;
        let by = DVec2::splat(0.01 * f64::from(self.frames % 100));
        let (id, entity) = &self.dragged;
        let mut entity = Entity::clone(entity);
        if let Kind::Obstacle(obstacle) = &mut entity.kind {
            obstacle.area = std::mem::take(&mut obstacle.area).map(|p| p + by);
        }
        // A town's houses can be moved; if not, the frame shows them where they were.
        let _ = self.document.preview(vec![Edit::replace(*id, entity)]);
        self.frame()
    }

    /// Everything up to what is handed to the graphics card; returns how many vertices that is.
    fn frame(&mut self) -> usize {
        let level = Arc::clone(self.document.level());
        let palette = Look::Dark.palette();
        self.cache.update(&level, Look::Dark);
        let new: Vec<Mesh> = self
            .cache
            .chunks()
            .iter()
            .filter(|chunk| !self.revisions.contains(&chunk.revision))
            .map(Chunk::mesh)
            .collect();
        self.revisions = self.cache.chunks().iter().map(|c| c.revision).collect();

        let mut shapes: Vec<Shape> = Vec::new();
        let spacing = level.settings().grid.spacing;
        draw_grid(
            self.visible,
            spacing,
            self.pixels_per_metre,
            palette,
            &mut shapes,
        );
        let mut grid = Mesh::default();
        let mut tessellator = Tessellator::new(self.cache.origin());
        for shape in &shapes {
            tessellator.add(shape, &mut grid);
        }

        let (visible, scale) = (self.visible, self.pixels_per_metre);
        let labels: Vec<_> = self
            .cache
            .labels()
            .map(|(_, label)| label)
            .filter(|label| visible.contains(label.at))
            .collect();
        let placed = place(
            labels,
            [],
            &Canvas {
                area: Rect::new(DVec2::ZERO, WINDOW),
                pixels_per_metre: scale,
                screen_from_world: &|p| {
                    let offset = (p - visible.min) * scale;
                    DVec2::new(offset.x, WINDOW.y - offset.y)
                },
                measure: &typeface::measure,
            },
        );
        let meshes = new.iter().chain([&grid]);
        meshes.map(|mesh| mesh.vertices.len()).sum::<usize>() + placed.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_hands_over_little_of_a_large_level() {
        let level = Arc::new(scene::town(500, CORNERS).expect("a small town"));
        let mut desk = Desk::new(&level, 1.0);
        let mut all = Desk::new(&level, 1.0);
        all.revisions.clear();
        let (whole, moved) = (all.frame(), desk.drag());
        assert!(moved > 0 && moved * 3 < whole, "{moved} of {whole}");
    }
}
