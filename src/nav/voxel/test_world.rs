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

/// The rule of immediate reachability, implemented again from its definition, on bits alone.
pub fn brute_force_step(
    world: &World,
    body: &Body,
    from: [i32; 3],
    to: [i32; 3],
) -> Option<Action> {
    let standable = |[x, y, z]: [i32; 3]| {
        let free = (1..)
            .take_while(|up| !world.is_occupied(x, y, z + up) && *up < 60)
            .count();
        world.is_occupied(x, y, z)
            && !world.is_forbidden(x, y, z)
            && free as f64 >= body.bent_height
    };
    let (dx, dy, dz) = (to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    if (dx, dy) == (0, 0) || !standable(from) || !standable(to) {
        return None;
    }
    if f64::from(dz.abs()) > body.step_height {
        return None;
    }
    let contiguous = dx.abs() <= 1 && dy.abs() <= 1;
    let distance = f64::from(dx * dx + dy * dy).sqrt();
    let stepped = contiguous || distance <= body.foot_span;
    if !stepped && distance - 1.0 > body.jump {
        return None;
    }
    let bottom = from[2].max(to[2]);
    let low = from[2].min(to[2]) - body.step_height.floor() as i32 - 1;
    // Columns touched by the segment between the centres, found by distance.
    let mut room = usize::MAX;
    for x in from[0].min(to[0])..=from[0].max(to[0]) {
        for y in from[1].min(to[1])..=from[1].max(to[1]) {
            let (px, py) = (f64::from(x - from[0]), f64::from(y - from[1]));
            let (ux, uy) = (f64::from(dx), f64::from(dy));
            let across = (ux * py - uy * px).abs();
            if across > 0.5 * (ux.abs() + uy.abs()) + 1e-9 {
                continue;
            }
            let free = (1..61)
                .take_while(|up| !world.is_occupied(x, y, bottom + up))
                .count();
            room = room.min(free);
            let end = [x, y] == [from[0], from[1]] || [x, y] == [to[0], to[1]];
            if !end && !contiguous {
                let beneath = (0..=bottom).rev().find(|z| world.is_occupied(x, y, *z));
                // The topmost cell beneath counts only as a surface.
                if beneath.is_some_and(|z| {
                    z >= low && world.is_forbidden(x, y, z) && !world.is_occupied(x, y, z + 1)
                }) {
                    return None;
                }
            }
        }
    }
    if (room as f64) < body.bent_height {
        return None;
    }
    if (room as f64) < body.height {
        return stepped.then_some(Action::Bend);
    }
    Some(if !stepped {
        Action::Jump
    } else if dz > 0 {
        Action::StepUp
    } else if dz < 0 {
        Action::StepDown
    } else {
        Action::Walk
    })
}
