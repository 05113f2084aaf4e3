//! Small worlds of cells for tests, drawn cell by cell or as boxes.

use super::{BodyCells, Conduct, Footing, SurfaceCells, VoxelGrid};
use crate::base::Random;
use crate::document::{Action, Body};
use crate::geometry::{BitColumns, VoxelFrame};
use glam::DVec3;
use std::ops::Range;

/// Cells of one metre, so that metres are cells.
#[derive(Clone, Debug)]
pub struct World {
    pub frame: VoxelFrame,
    pub occupied: BitColumns,
    pub forbidden: BitColumns,
}

impl World {
    pub fn new(size: [u32; 3]) -> Self {
        let frame = VoxelFrame::new(DVec3::ZERO, 1.0, 1.0, size).expect("valid");
        Self {
            frame,
            occupied: BitColumns::of_frame(&frame),
            forbidden: BitColumns::of_frame(&frame),
        }
    }

    /// With layer 0 occupied everywhere.
    pub fn floor(size: [u32; 3]) -> Self {
        let [width, height, _] = size;
        Self::new(size).block(0..width, 0..height, 0..1)
    }

    pub fn block(mut self, xs: Range<u32>, ys: Range<u32>, layers: Range<u32>) -> Self {
        for y in ys {
            for x in xs.clone() {
                for layer in layers.clone() {
                    self.occupied.set(self.frame.slot(x, y), layer);
                }
            }
        }
        self
    }

    pub fn forbidden(mut self, xs: Range<u32>, ys: Range<u32>, layers: Range<u32>) -> Self {
        for y in ys.clone() {
            for x in xs.clone() {
                for layer in layers.clone() {
                    self.forbidden.set(self.frame.slot(x, y), layer);
                }
            }
        }
        self.block(xs, ys, layers)
    }

    /// Random heaps, holes, floating slabs and forbidden objects.
    pub fn random(random: &mut Random, size: [u32; 3]) -> Self {
        let [width, height, layers] = size;
        let mut world = Self::new(size);
        for y in 0..height {
            for x in 0..width {
                if random.chance(0.85) {
                    let top = 1 + random.below(2) as u32;
                    world = world.block(x..x + 1, y..y + 1, 0..top);
                }
            }
        }
        for _ in 0..random.below(12) {
            let x = random.below(width as usize) as u32;
            let y = random.below(height as usize) as u32;
            let z = random.below(layers as usize) as u32;
            let (xs, ys) = (
                x..width.min(x + 1 + random.below(5) as u32),
                y..height.min(y + 1 + random.below(5) as u32),
            );
            let zs = z..layers.min(z + 1 + random.below(3) as u32);
            world = if random.chance(0.2) {
                world.forbidden(xs, ys, zs)
            } else {
                world.block(xs, ys, zs)
            };
        }
        world
    }

    pub fn grid(&self) -> VoxelGrid {
        let grid = VoxelGrid::of_bits(self.frame, &self.occupied, &self.forbidden);
        grid.check_invariants().expect("a sound grid");
        grid
    }

    pub fn surfaces(&self) -> SurfaceCells {
        let grid = self.grid();
        let surfaces = SurfaceCells::of_grid(&grid);
        surfaces.check_invariants(&grid).expect("sound surfaces");
        surfaces
    }

    pub fn is_occupied(&self, x: i32, y: i32, layer: i32) -> bool {
        let inside = x >= 0
            && y >= 0
            && layer >= 0
            && (x as u32) < self.frame.size[0]
            && (y as u32) < self.frame.size[1]
            && (layer as u32) < self.frame.size[2];
        inside
            && self
                .occupied
                .get(self.frame.slot(x as u32, y as u32), layer as u32)
    }

    pub fn is_forbidden(&self, x: i32, y: i32, layer: i32) -> bool {
        self.is_occupied(x, y, layer)
            && self
                .forbidden
                .get(self.frame.slot(x as u32, y as u32), layer as u32)
    }
}

/// A body in cells: height and bent height, jump, horizontal and vertical foot span.
pub fn body(height: f64, bent: f64, jump: f64, span: f64, step: f64) -> Body {
    Body {
        radius: 0.4,
        height,
        bent_height: bent,
        jump,
        foot_span: span,
        step_height: step,
    }
}

pub fn footing(surfaces: &SurfaceCells, body: &Body, conduct: Conduct) -> Footing {
    let cells = BodyCells::new(body, &Action::ALL, conduct, &surfaces.frame);
    let footing = Footing::build(cells, surfaces);
    footing.check_invariants(surfaces).expect("sound marks");
    footing
}

/// Number of cases for a property.
pub fn cases(usual: u64) -> u64 {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}
