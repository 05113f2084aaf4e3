//! A lattice over the surfaces of all storeys: every so many columns of the voxels, with a state on
//! each surface that the body can stand on.

use super::lattice::{DIRECTIONS, OFFSETS, PAGE, opposite};
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::{Borders, Footing, Reach, SurfaceCell, SurfaceCells, SurfaceId};
use glam::{DVec2, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// No state.
const NONE: u32 = u32::MAX;

/// Side of a block of columns.
const BLOCK: u32 = 8;

/// Columns of the lattice in which states around a place are looked for.
const AROUND: i32 = 2;

#[derive(Clone, Debug)]
pub struct Storeys {
    cells: Arc<SurfaceCells>,
    footing: Arc<Footing>,
    /// Columns of voxels from one column of the lattice to the next.
    stride: u32,
    surfaces: Vec<SurfaceId>,
    neighbours: Vec<[u32; DIRECTIONS]>,
    by_surface: HashMap<SurfaceId, u32>,
    pages: Vec<Rect>,
    /// Whether borders are kept off.
    borders: Borders,
    /// By state, a number that connected states share.
    components: Vec<u32>,
}

impl PartialEq for Storeys {
    fn eq(&self, other: &Self) -> bool {
        self.stride == other.stride
            && self.cells.frame == other.cells.frame
            && self.neighbours == other.neighbours
            && self.surfaces.len() == other.surfaces.len()
            && (0..self.len() as u32).all(|state| self.point(state) == other.point(state))
    }
}

impl Storeys {
    pub fn build(
        cells: &Arc<SurfaceCells>,
        footing: &Arc<Footing>,
        spacing: f64,
        borders: Borders,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        let frame = cells.frame;
        let stride = (spacing / frame.cell).round().clamp(1.0, 1e4) as u32;
        let mut storeys = Self {
            cells: Arc::clone(cells),
            footing: Arc::clone(footing),
            stride,
            surfaces: Vec::new(),
            neighbours: Vec::new(),
            by_surface: HashMap::new(),
            pages: Vec::new(),
            borders,
            components: Vec::new(),
        };
        let [wide, high] = [0, 1].map(|axis| frame.size[axis].div_ceil(stride));
        for block_y in 0..high.div_ceil(BLOCK) {
            ctx.checkpoint()?;
            for block_x in 0..wide.div_ceil(BLOCK) {
                for y in block_y * BLOCK..(block_y * BLOCK + BLOCK).min(high) {
                    for x in block_x * BLOCK..(block_x * BLOCK + BLOCK).min(wide) {
                        storeys.add_column(x, y);
                    }
                }
            }
        }
        let count = storeys.surfaces.len();
        let traced: Vec<[u32; DIRECTIONS]> = (0..count as u32)
            .map(|state| {
                std::array::from_fn(|direction| storeys.traced(state, direction).unwrap_or(NONE))
            })
            .collect();
        ctx.checkpoint()?;
        // Both directions, or none.
        storeys.neighbours = (0..count)
            .map(|state| {
                std::array::from_fn(|direction| {
                    let other = traced[state][direction];
                    let back = traced
                        .get(other as usize)
                        .map(|other| other[opposite(direction)]);
                    if back == Some(state as u32) {
                        other
                    } else {
                        NONE
                    }
                })
            })
            .collect();
        storeys.components = storeys.connected();
        storeys.pages = (0..count.div_ceil(PAGE))
            .map(|page| {
                (page * PAGE..((page + 1) * PAGE).min(count)).fold(Rect::EMPTY, |bounds, state| {
                    bounds.including(storeys.point(state as u32).truncate())
                })
            })
            .collect();
        Ok(storeys)
    }

    fn reach(&self) -> Reach<'_> {
        Reach::new(&self.cells, &self.footing, self.borders)
    }

    fn connected(&self) -> Vec<u32> {
        let mut components = vec![NONE; self.surfaces.len()];
        for first in 0..components.len() {
            if components[first] != NONE {
                continue;
            }
            let mut waiting = vec![first as u32];
            components[first] = first as u32;
            while let Some(state) = waiting.pop() {
                for other in self.neighbours[state as usize] {
                    if other != NONE && components[other as usize] == NONE {
                        components[other as usize] = first as u32;
                        waiting.push(other);
                    }
                }
            }
        }
        components
    }

    /// Whether steps lead from one place to another.
    pub fn connects(&self, from: DVec3, to: DVec3) -> bool {
        let of = |p: DVec3| {
            let states = self.around(p).into_iter();
            states.map(|(state, _)| self.components[state as usize])
        };
        let ends: Vec<u32> = of(to).collect();
        of(from).any(|component| ends.contains(&component))
    }

    fn add_column(&mut self, x: u32, y: u32) {
        let [x, y] = [x, y].map(|at| (at * self.stride + self.stride / 2) as i32);
        let reach = Reach::new(&self.cells, &self.footing, self.borders);
        for id in reach.surfaces.column(x, y).map(SurfaceId) {
            if reach.is_open(id) {
                self.by_surface.insert(id, self.surfaces.len() as u32);
                self.surfaces.push(id);
            }
        }
    }

    /// The cell in the next column that a body gets to: of several, the one nearest in height.
    fn next(&self, from: SurfaceId, [dx, dy]: [i32; 2]) -> Option<SurfaceId> {
        let reach = self.reach();
        let cell = reach.surfaces.get(from)?;
        let column = reach
            .surfaces
            .column(i32::from(cell.x) + dx, i32::from(cell.y) + dy);
        column
            .map(SurfaceId)
            .filter(|to| reach.action(from, *to).is_some() && reach.action(*to, from).is_some())
            .min_by_key(|to| {
                let height = reach.surfaces.get(*to).map_or(0, SurfaceCell::height);
                ((height - cell.height()).abs(), *to)
            })
    }

    /// The state that a straight walk from a state leads to, or else one long step or jump.
    fn traced(&self, state: u32, direction: usize) -> Option<u32> {
        let from = *self.surfaces.get(state as usize)?;
        self.walk_from(from, direction)
            .or_else(|| self.leap_from(from, direction))
    }

    fn walk_from(&self, from: SurfaceId, direction: usize) -> Option<u32> {
        let reach = self.reach();
        let mut at = from;
        for _ in 0..self.stride {
            at = self.next(at, OFFSETS[direction])?;
            if !reach.is_open(at) {
                return None;
            }
        }
        self.by_surface.get(&at).copied()
    }

    /// One move over what cannot be stood on, both ways.
    fn leap_from(&self, from: SurfaceId, direction: usize) -> Option<u32> {
        let reach = self.reach();
        let cell = reach.surfaces.get(from)?;
        let [dx, dy] = OFFSETS[direction].map(|step| step * self.stride as i32);
        let column = reach
            .surfaces
            .column(i32::from(cell.x) + dx, i32::from(cell.y) + dy);
        column
            .map(SurfaceId)
            .filter(|to| reach.action(from, *to).is_some() && reach.action(*to, from).is_some())
            .filter_map(|to| {
                let height = reach.surfaces.get(to)?.height();
                Some(((height - cell.height()).abs(), *self.by_surface.get(&to)?))
            })
            .min()
            .map(|(_, state)| state)
    }

    pub const fn len(&self) -> usize {
        self.surfaces.len()
    }

    pub fn spacing(&self) -> f64 {
        self.cells.frame.cell * f64::from(self.stride)
    }

    pub const fn bytes(&self) -> usize {
        self.surfaces.len() * (4 * DIRECTIONS + 4 + 16)
    }

    pub fn open(&self, state: u32) -> u8 {
        let of = self.neighbours.get(state as usize);
        of.map_or(0, |of| {
            (0..DIRECTIONS).fold(0, |open, k| open | (u8::from(of[k] != NONE) << k))
        })
    }

    pub fn neighbour(&self, state: u32, direction: usize) -> Option<u32> {
        let other = self.neighbours.get(state as usize)?[direction];
        (other != NONE).then_some(other)
    }

    pub fn place(&self, state: u32) -> [i32; 2] {
        let surface = self.surfaces.get(state as usize);
        let cell = surface.and_then(|id| self.cells.get(*id));
        let stride = self.stride as i32;
        cell.map_or([0; 2], |cell| {
            [i32::from(cell.x), i32::from(cell.y)].map(|at| at.div_euclid(stride))
        })
    }

    pub fn point(&self, state: u32) -> DVec3 {
        let surface = self.surfaces.get(state as usize);
        surface.map_or(DVec3::NAN, |id| self.cells.point(*id))
    }

    pub fn page_bounds(&self, page: usize) -> Rect {
        self.pages.get(page).copied().unwrap_or(Rect::EMPTY)
    }

    /// The surface that a body at a place stands on.
    fn under(&self, p: DVec3) -> Option<SurfaceId> {
        let step = self.cells.frame.cell;
        let id = self.cells.under(p, step)?;
        self.footing.is_standable(id).then_some(id)
    }

    pub fn around(&self, p: DVec3) -> Vec<(u32, f64)> {
        let Some(start) = self.under(p) else {
            return Vec::new();
        };
        let surfaces = &self.cells;
        let Some(cell) = surfaces.get(start) else {
            return Vec::new();
        };
        let stride = self.stride as i32;
        let [x, y] = [i32::from(cell.x), i32::from(cell.y)].map(|at| at.div_euclid(stride));
        let mut found = Vec::new();
        for row in y - AROUND..=y + AROUND {
            for column in x - AROUND..=x + AROUND {
                let [cx, cy] = [column, row].map(|at| at * stride + stride / 2);
                for id in surfaces.column(cx, cy).map(SurfaceId) {
                    let Some(state) = self.by_surface.get(&id) else {
                        continue;
                    };
                    if self.walked(start, id) {
                        found.push((*state, p.distance(surfaces.point(id))));
                    }
                }
            }
        }
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found
    }

    pub fn is_free(&self, from: DVec3, to: DVec3) -> bool {
        match (self.under(from), self.under(to)) {
            (Some(from), Some(to)) => self.walked(from, to),
            _ => false,
        }
    }

    /// Whether a straight walk leads from one surface to another, column by column. It keeps off
    /// borders unless one of its ends is on one.
    fn walked(&self, from: SurfaceId, to: SurfaceId) -> bool {
        let reach = self.reach();
        let (Some(a), Some(b)) = (reach.surfaces.get(from), reach.surfaces.get(to)) else {
            return false;
        };
        let near_walls = self.footing.is_border(from) || self.footing.is_border(to);
        let (mut x, mut y) = (i32::from(a.x), i32::from(a.y));
        let (gx, gy) = (i32::from(b.x), i32::from(b.y));
        let along = DVec2::new(f64::from(gx - x), f64::from(gy - y));
        let (origin_x, origin_y) = (x, y);
        let mut at = from;
        while (x, y) != (gx, gy) {
            // The next column whose centre is nearest to the line.
            let towards = [[(gx - x).signum(), 0], [0, (gy - y).signum()]];
            let best = towards
                .into_iter()
                .filter(|step| *step != [0, 0])
                .min_by(|a, b| {
                    let off = |step: &[i32; 2]| {
                        let p = DVec2::new(
                            f64::from(x + step[0] - origin_x),
                            f64::from(y + step[1] - origin_y),
                        );
                        along.perp_dot(p).abs()
                    };
                    off(a).total_cmp(&off(b))
                });
            let Some(step) = best else {
                return false;
            };
            let Some(next) = self.next(at, step) else {
                return false;
            };
            if !(near_walls || reach.is_open(next)) {
                return false;
            }
            at = next;
            (x, y) = (x + step[0], y + step[1]);
        }
        at == to
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::nav::voxel::Conduct;
    use crate::nav::voxel::test_world::{self, World};

    /// Flat ground with pillars, and which columns are free in it.
    fn ground(
        random: &mut Random,
        borders: Borders,
    ) -> (Storeys, impl Fn(i32, i32) -> bool + use<>) {
        const SIDE: u32 = 24;
        let mut world = World::floor([SIDE, SIDE, 6]);
        let mut pillars = Vec::new();
        for _ in 0..random.below(8) {
            let [x, y] = [(); 2].map(|()| 1 + random.below(SIDE as usize - 5) as u32);
            let [wide, high] = [(); 2].map(|()| 1 + random.below(4) as u32);
            world = world.block(x..x + wide, y..y + high, 1..6);
            pillars.push([x as i32, y as i32, (x + wide) as i32, (y + high) as i32]);
        }
        let cells = Arc::new(world.surfaces());
        let conduct = Conduct {
            border_layers: Some(1),
            ..Conduct::default()
        };
        let body = test_world::body(2.0, 1.0, 1.0, 1.0, 0.5);
        let footing = Arc::new(test_world::footing(&cells, &body, conduct));
        let storeys = Storeys::build(&cells, &footing, 2.0, borders, &JobContext::default());
        let is_free = move |x: i32, y: i32| {
            (0..SIDE as i32).contains(&x)
                && (0..SIDE as i32).contains(&y)
                && !pillars
                    .iter()
                    .any(|[a, b, c, d]| (*a..*c).contains(&x) && (*b..*d).contains(&y))
        };
        (storeys.expect("not cancelled"), is_free)
    }

    /// Columns whose squares, grown by so much, a line between the centres of two others meets.
    fn met(from: [i32; 2], to: [i32; 2], grown: f64) -> Vec<[i32; 2]> {
        let [a, b] = [from, to].map(|p| DVec2::new(f64::from(p[0]), f64::from(p[1])));
        let mut found = Vec::new();
        for y in from[1].min(to[1]) - 2..=from[1].max(to[1]) + 2 {
            for x in from[0].min(to[0]) - 2..=from[0].max(to[0]) + 2 {
                let p = DVec2::new(f64::from(x), f64::from(y));
                let samples = (0..=200).map(|i| a.lerp(b, f64::from(i) / 200.0));
                let off = samples.map(|q| (q - p).abs().max_element());
                if off.fold(f64::INFINITY, f64::min) <= 0.5 + grown {
                    found.push([x, y]);
                }
            }
        }
        found
    }

    #[test]
    fn straight_walks_are_free_where_all_around_the_line_is_and_not_through_pillars() {
        let mut random = Random::new(12);
        let mut seen = [0; 2];
        for _ in 0..60 {
            let (storeys, is_free) = ground(&mut random, Borders::Ignore);
            for _ in 0..40 {
                let [from, to] = [(); 2].map(|()| [(); 2].map(|()| random.below(24) as i32));
                let place =
                    |[x, y]: [i32; 2]| DVec3::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 1.0);
                let is_walked = storeys.is_free(place(from), place(to));
                let line = met(from, to, 0.6);
                if line.iter().all(|[x, y]| is_free(*x, *y)) {
                    assert!(is_walked, "{from:?} to {to:?}");
                    seen[0] += 1;
                }
                // Whatever columns are chosen beside the line, those that it crosses along the middle
                // of a wall of three columns cannot be passed.
                let blocked = |[x, y]: &[i32; 2]| {
                    (-1..=1).all(|dy| (-1..=1).all(|dx| !is_free(x + dx, y + dy)))
                };
                if met(from, to, -0.3).iter().any(blocked)
                    || !is_free(from[0], from[1])
                    || !is_free(to[0], to[1])
                {
                    assert!(!is_walked, "{from:?} to {to:?}");
                    seen[1] += 1;
                }
            }
        }
        assert!(seen[0] > 200 && seen[1] > 100, "{seen:?}");
    }

    #[test]
    fn borders_are_kept_off_unless_an_end_is_on_one() {
        let mut random = Random::new(13);
        let mut seen = 0;
        for _ in 0..40 {
            let (storeys, _) = ground(&mut random, Borders::Avoid);
            let reach = storeys.reach();
            let open: Vec<SurfaceId> = (0..24 * 24)
                .flat_map(|i| storeys.cells.column(i % 24, i / 24).map(SurfaceId))
                .filter(|id| reach.is_open(*id))
                .collect();
            for _ in 0..40 {
                let [from, to] = [(); 2].map(|()| open[random.below(open.len())]);
                let [a, b] = [from, to].map(|id| storeys.cells.get(id).expect("a cell"));
                let ends = [a, b].map(|cell| [i32::from(cell.x), i32::from(cell.y)]);
                // Exactly along a row or a column no choice is left.
                if ends[0][0] != ends[1][0] && ends[0][1] != ends[1][1] {
                    continue;
                }
                let expected = met(ends[0], ends[1], -0.4).into_iter().all(|[x, y]| {
                    let mut column = storeys.cells.column(x, y).map(SurfaceId);
                    column.any(|id| {
                        reach.is_open(id)
                            && storeys
                                .cells
                                .get(id)
                                .is_some_and(|cell| cell.layer == a.layer)
                    })
                });
                assert_eq!(storeys.walked(from, to), expected, "{ends:?}");
                seen += usize::from(!expected);
            }
        }
        assert!(seen > 5, "{seen}");
    }
}
