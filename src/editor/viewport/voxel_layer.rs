//! Voxels over the plan: triangles that were made beside the window, as far as the front has come, and
//! what was asked about a cell.

use super::overlay_shapes::Plate;
use super::voxel_space::{self, told};
use crate::document::{Kind, Level};
use crate::editor::navigation::Navigation;
use crate::editor::voxel_view::Shown;
use crate::geometry::Rect;
use crate::planner::human::CellAnswer;
use crate::preview::mesh::Mesh;
use crate::preview::primitive::{Dash, Extent, Fill, FillRule, Ink, Stroke};
use crate::preview::voxel::plan::front_part;
use crate::preview::voxel::{Band, CellLayer, PlanPart};
use crate::preview::{Look, Palette, Plane, Primitive, Shape};
use glam::DVec2;
use std::sync::Arc;

/// What is drawn of the front between two bands, and for what it was made.
#[derive(Debug)]
struct Partial {
    of: Arc<Shown>,
    level: u32,
    part: PlanPart,
}

#[derive(Debug, Default)]
pub struct VoxelLayer {
    shown: Option<Arc<Shown>>,
    /// Levels of the front that are shown; all, if none.
    front: Option<u32>,
    partial: Option<Partial>,
}

impl VoxelLayer {
    /// Takes over what was made for this look and origin, and asks for it where it was not.
    pub fn update(&mut self, navigation: &Navigation, look: Look, origin: DVec2) {
        let view = &navigation.voxels;
        view.plan.set(Some((look, origin)));
        let drawn = view
            .shown()
            .filter(|shown| navigation.visible && shown.plan_of() == Some((look, origin)));
        self.shown = drawn.cloned();
        self.front = view.front.level.map(|_| view.front_levels());
        let Some((shown, level)) = self.shown.as_ref().zip(self.front) else {
            self.partial = None;
            return;
        };
        let is_current = |known: &Partial| Arc::ptr_eq(&known.of, shown) && known.level == level;
        if self.partial.as_ref().is_some_and(is_current) {
            return;
        }
        let cells = shown.view();
        let under_way = |band: &Band| band.low < level && level <= band.high;
        let band = cells
            .bands()
            .find(under_way)
            .filter(|_| shown.layers().contains(&CellLayer::Front));
        self.partial = band.and_then(|band| {
            let part = front_part(&cells, band, level, look.palette(), origin)?;
            Some(Partial {
                of: Arc::clone(shown),
                level,
                part,
            })
        });
    }

    /// Every part from the bottom to the top, with the number of its triangles.
    pub fn parts(&self) -> impl Iterator<Item = (Plane, u64, &Arc<Mesh>)> {
        let front = self.front;
        let is_shown = move |part: &&PlanPart| match (part.band, front) {
            (Some(band), Some(level)) => band.high < level,
            _ => true,
        };
        let whole = self.shown.iter().flat_map(|shown| shown.plan.iter());
        let partial = self.partial.iter().map(|partial| &partial.part);
        whole
            .filter(is_shown)
            .chain(partial)
            .map(|part| (part.plane, part.revision, &part.mesh))
    }

    /// What was asked: the cells, what is in the way, and the sentence.
    pub fn answers(
        &self,
        level: &Level,
        palette: &Palette,
        shapes: &mut Vec<Shape>,
        plates: &mut Vec<Plate>,
    ) {
        let Some(shown) = &self.shown else {
            return;
        };
        for (answer, is_pinned) in told(shown) {
            draw_answer(shown, answer, is_pinned, level, palette, shapes);
        }
        plates.extend(
            voxel_space::plates(shown, palette)
                .into_iter()
                .map(|(plate, _)| plate),
        );
    }
}

fn draw_answer(
    shown: &Shown,
    answer: &CellAnswer,
    is_pinned: bool,
    level: &Level,
    palette: &Palette,
    shapes: &mut Vec<Shape>,
) {
    let colour = if answer.is_reached {
        palette.reachable
    } else {
        palette.blocker
    };
    let mut add = |primitive| {
        shapes.push(Shape {
            plane: Plane::Overlay,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    };
    let half = DVec2::splat(0.5 * shown.chart.reachability.surfaces().frame.cell);
    let outline = |at: DVec2, stroke| Primitive::Line {
        points: Rect::around(at, half).corners().to_vec(),
        closed: true,
        stroke,
    };
    let blocker = answer.blocker().and_then(|id| level.get(id));
    if let Some(entity) = blocker.filter(|_| is_pinned) {
        let rings = match &entity.kind {
            Kind::Obstacle(obstacle) => obstacle.area.rings().cloned().collect(),
            Kind::Solid(solid) => vec![solid.footprint()],
            _ => Vec::new(),
        };
        if !rings.is_empty() {
            add(Primitive::Area {
                rings,
                rule: FillRule::EvenOdd,
                fill: Fill::plain(Ink::new(palette.blocker, 0.2)),
                outline: Some(Stroke::pixels(Ink::solid(palette.blocker), 2.2)),
            });
        }
    }
    if let Some(why) = answer.why.filter(|_| is_pinned)
        && let Some(from) = why.from
    {
        add(Primitive::Line {
            points: vec![from.truncate(), why.at.truncate()],
            closed: false,
            stroke: Stroke::pixels(Ink::solid(palette.blocker), 2.0).dashed(Dash::Dashed),
        });
        add(Primitive::Disc {
            centre: from.truncate(),
            radius: Extent::pixels(4.0),
            fill: Ink::solid(palette.reachable),
            outline: Some(Stroke::pixels(palette.halo, 1.0)),
        });
        add(outline(
            why.at.truncate(),
            Stroke::pixels(Ink::solid(palette.blocker), 2.0),
        ));
    }
    add(outline(
        answer.at.truncate(),
        Stroke::pixels(Ink::solid(colour), if is_pinned { 2.6 } else { 1.6 }),
    ));
}
