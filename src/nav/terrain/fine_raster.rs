//! Sub-pixel queries on the terrain image.
//!
//! Colours alone only tell that a border lies somewhere between two pixels: half a pixel off at a
//! nearby corner, a line of sight is metres off far away. So each pixel also stores the distance
//! from its centre to the border of the free space and to the nearest other terrain. These
//! distances are interpolated between four centres, which reproduces straight borders exactly, and
//! lines are traced from centre to centre instead of colour to colour.

use super::input::TerrainInput;
use super::map::KindId;
use super::mesh::{BLOCKED, TerrainMesh};
use super::raster::{RasterError, TerrainRaster};
use crate::geometry::{Polygon, Rect, polygon::closest_on_segment};
use crate::jobs::JobContext;
use glam::{DVec2, IVec2, UVec2};

/// Distances are stored up to this value. Unit: pixels.
const REACH: f64 = 3.0;

/// How far a line may be inside a wall before it ends there: rounding, and corners that
/// interpolation cuts off. Unit: pixels.
const TOLERANCE: f64 = 0.02;

/// Subdivisions of a line between centres where more than two terrains meet.
const PARTS: u32 = 8;

/// An image with distances from the centre of each pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct FineRaster {
    picture: TerrainRaster,
    /// Distance to the border of the free space, positive inside. Unit: metres.
    room: Vec<f32>,
    /// Distance to the nearest other terrain. Unit: metres.
    to_other: Vec<f32>,
}

/// The four pixel centres around a point.
struct Square {
    /// The lower left one.
    at: UVec2,
    kinds: [KindId; 4],
    room: [f64; 4],
    to_other: [f64; 4],
}

impl FineRaster {
    /// For discs whose centres stay inside these areas.
    ///
    /// # Errors
    /// There are no pixels, or too many.
    pub fn within(input: &TerrainInput, free: &[Polygon], pixel: f64) -> Result<Self, RasterError> {
        let picture = TerrainRaster::within(input, free, pixel)?;
        Ok(Self::of(picture, input, free))
    }

    /// Adds distances to an image of that drawing rendered elsewhere.
    #[must_use]
    pub fn of(picture: TerrainRaster, input: &TerrainInput, free: &[Polygon]) -> Self {
        let walls = free.iter().flat_map(Polygon::edges).map(|(a, b)| [a, b]);
        let mut room = distances(&picture, walls);
        for (distance, kind) in room.iter_mut().zip(&picture.kinds) {
            if *kind == BLOCKED {
                *distance = -*distance;
            }
        }
        let painted = TerrainInput {
            obstacles: Vec::new(),
            ..input.clone()
        };
        // This job cannot be cancelled: no one else holds its context.
        let mesh = TerrainMesh::build(&painted, &JobContext::default()).unwrap_or_default();
        let to_other = distances(&picture, mesh.borders());
        Self {
            picture,
            room,
            to_other,
        }
    }

    /// Side of a pixel. Unit: metres.
    #[must_use]
    pub const fn pixel(&self) -> f64 {
        self.picture.pixel
    }

    /// A position in pixels from the centre of the first one.
    fn steps_from_first(&self, p: DVec2) -> DVec2 {
        (p - self.picture.origin) / self.picture.pixel - 0.5
    }

    /// The centres around a point; clamped at the border.
    fn square(&self, cell: IVec2) -> Square {
        let last = self.picture.size.as_ivec2() - 1;
        let at = cell.clamp(IVec2::ZERO, (last - 1).max(IVec2::ZERO));
        let pixels = [IVec2::ZERO, IVec2::X, IVec2::Y, IVec2::ONE].map(|step| {
            let pixel = (at + step).min(last).as_uvec2();
            pixel.y as usize * self.picture.size.x as usize + pixel.x as usize
        });
        Square {
            at: at.as_uvec2(),
            kinds: pixels.map(|pixel| self.picture.kinds[pixel]),
            room: pixels.map(|pixel| f64::from(self.room[pixel])),
            to_other: pixels.map(|pixel| f64::from(self.to_other[pixel])),
        }
    }

    fn is_within(&self, p: DVec2) -> bool {
        let end = self.picture.origin + self.picture.size.as_dvec2() * self.picture.pixel;
        p.is_finite() && Rect::new(self.picture.origin, end).contains(p)
    }

    /// Distance from the border of the free space, positive inside; `None` outside the image.
    /// Beyond a few pixels only a lower bound.
    #[must_use]
    pub fn room_at(&self, p: DVec2) -> Option<f64> {
        self.is_within(p).then(|| {
            let at = self.steps_from_first(p);
            let square = self.square(at.floor().as_ivec2());
            square.room(at)
        })
    }

    /// Traces a straight line: `visit` receives its stretches with their kinds. Returns whether all
    /// of it is free; an end slightly inside a wall is tolerated.
    pub fn walk(&self, from: DVec2, to: DVec2, mut visit: impl FnMut(KindId, f64)) -> bool {
        let (Some(first_room), Some(last_room)) = (self.room_at(from), self.room_at(to)) else {
            return false;
        };
        let pixel = self.picture.pixel;
        let length = from.distance(to);
        let (start, end) = (self.steps_from_first(from), self.steps_from_first(to));
        let along = end - start;
        // Within a pixel of its ends, no more clearance is required than they have themselves.
        let near_ends = if length > 0.0 { pixel / length } else { 1.0 };
        let step = along.signum().as_ivec2();
        let (mut here, last) = (start.floor().as_ivec2(), end.floor().as_ivec2());
        let mut walked = 0.0;
        let mut kind = None;
        for left in (0..=(last - here).abs().element_sum()).rev() {
            let next = DVec2::new(
                share_until(here.x, start.x, along.x),
                share_until(here.y, start.y, along.y),
            );
            let until = if left == 0 {
                1.0
            } else {
                next.min_element().clamp(walked, 1.0)
            };
            let square = self.square(here);
            let mut asked: f64 = 0.0;
            if walked < near_ends {
                asked = asked.min(first_room);
            }
            if until > 1.0 - near_ends {
                asked = asked.min(last_room);
            }
            let at = |share: f64| start + along * (walked + (until - walked) * share);
            let room = Parabola::through([0.0, 0.5, 1.0].map(|share| square.room(at(share))));
            if room.least() < asked - TOLERANCE * pixel {
                return false;
            }
            square.stretches(at, &mut kind, |kind, share| {
                visit(kind, length * (until - walked) * share);
            });
            walked = until;
            let is_sideways = here.y == last.y || (here.x != last.x && next.x <= next.y);
            if is_sideways {
                here.x += step.x;
            } else {
                here.y += step.y;
            }
        }
        true
    }
}

/// The fraction of a line at which it leaves the square with this number.
fn share_until(square: i32, start: f64, along: f64) -> f64 {
    if along == 0.0 {
        return f64::INFINITY;
    }
    let edge = f64::from(square) + if along > 0.0 { 1.0 } else { 0.0 };
    (edge - start) / along
}

impl Square {
    fn mixed(&self, values: [f64; 4], at: DVec2) -> f64 {
        let share = at - self.at.as_dvec2();
        let low = values[0] + (values[1] - values[0]) * share.x;
        let high = values[2] + (values[3] - values[2]) * share.x;
        low + (high - low) * share.y
    }

    fn room(&self, at: DVec2) -> f64 {
        self.mixed(self.room, at)
    }

    /// How far inside a terrain a point is.
    fn depth(&self, kind: KindId, at: DVec2) -> f64 {
        let mut depths = self.to_other;
        for (depth, of) in depths.iter_mut().zip(self.kinds) {
            if of == BLOCKED {
                *depth = 0.0;
            } else if of != kind {
                *depth = -*depth;
            }
        }
        self.mixed(depths, at)
    }

    /// The terrain from fraction 0 to 1 of a line within the square; `last` is what came before,
    /// for points between walls that no pixel represents.
    fn stretches(
        &self,
        at: impl Fn(f64) -> DVec2,
        last: &mut Option<KindId>,
        mut visit: impl FnMut(KindId, f64),
    ) {
        let mut kinds: Vec<KindId> = Vec::new();
        for kind in self.kinds {
            if kind != BLOCKED && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        match kinds[..] {
            [] => visit(last.unwrap_or(KindId(0)), 1.0),
            [kind] => {
                *last = Some(kind);
                visit(kind, 1.0);
            }
            [one, other] => {
                let depth = [0.0, 0.5, 1.0].map(|share| self.depth(one, at(share)));
                let depth = Parabola::through(depth);
                let mut from = 0.0;
                for to in depth.roots().into_iter().chain([1.0]) {
                    let is_one = depth.at(0.5 * (from + to)) > 0.0;
                    let kind = if is_one { one } else { other };
                    visit(kind, to - from);
                    *last = Some(kind);
                    from = to;
                }
            }
            _ => {
                for part in 0..PARTS {
                    let place = at((f64::from(part) + 0.5) / f64::from(PARTS));
                    let deepest = kinds
                        .iter()
                        .copied()
                        .max_by(|a, b| self.depth(*a, place).total_cmp(&self.depth(*b, place)));
                    *last = deepest.or(*last);
                    visit(last.unwrap_or(KindId(0)), 1.0 / f64::from(PARTS));
                }
            }
        }
    }
}

/// A bilinear interpolation along a line is a quadratic polynomial.
struct Parabola {
    a: f64,
    b: f64,
    c: f64,
}

impl Parabola {
    /// By its values at 0, ½ and 1.
    fn through([start, middle, end]: [f64; 3]) -> Self {
        Self {
            a: 2.0 * (start + end - 2.0 * middle),
            b: 4.0 * middle - 3.0 * start - end,
            c: start,
        }
    }

    fn at(&self, share: f64) -> f64 {
        (self.a * share + self.b) * share + self.c
    }

    /// The minimum between 0 and 1.
    fn least(&self) -> f64 {
        let ends = self.c.min(self.at(1.0));
        let lowest = -self.b / (2.0 * self.a);
        if self.a > 0.0 && lowest > 0.0 && lowest < 1.0 {
            ends.min(self.at(lowest))
        } else {
            ends
        }
    }

    /// Its zeros between 0 and 1, in order.
    fn roots(&self) -> Vec<f64> {
        let inner = self.b * self.b - 4.0 * self.a * self.c;
        if inner < 0.0 {
            return Vec::new();
        }
        // This form stays accurate where the parabola is nearly a line.
        let q = -0.5 * (self.b + self.b.signum() * inner.sqrt());
        let mut roots = vec![q / self.a, self.c / q];
        roots.retain(|root| *root > 0.0 && *root < 1.0);
        roots.sort_unstable_by(f64::total_cmp);
        roots
    }
}

/// The distance from the centre of each pixel to the nearest segment, up to [`REACH`].
fn distances(picture: &TerrainRaster, segments: impl IntoIterator<Item = [DVec2; 2]>) -> Vec<f32> {
    let reach = REACH * picture.pixel;
    let mut squared = vec![reach * reach; picture.kinds.len()];
    let last = picture.size.as_ivec2() - 1;
    for [a, b] in segments {
        if !(a.is_finite() && b.is_finite()) {
            continue;
        }
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        let first_row = picture.pixel_at(low - reach).y.max(0);
        let last_row = picture.pixel_at(high + reach).y.min(last.y);
        for y in first_row..=last_row {
            // The part of the segment near enough to the row, grown by the reach.
            let height = picture.middle(UVec2::new(0, y as u32)).y;
            let x_at = |y: f64| {
                let share = (y - low.y) / (high.y - low.y);
                let share = if share.is_nan() { 0.0 } else { share };
                low.x + (high.x - low.x) * share.clamp(0.0, 1.0)
            };
            let (p, q) = if low.y == high.y {
                (low.x, high.x)
            } else {
                (x_at(height - reach), x_at(height + reach))
            };
            let from = DVec2::new(p.min(q) - reach, height);
            let to = DVec2::new(p.max(q) + reach, height);
            let first = picture.pixel_at(from).x.max(0);
            for x in first..=picture.pixel_at(to).x.min(last.x) {
                let middle = picture.middle(UVec2::new(x as u32, y as u32));
                let distance = closest_on_segment(a, b, middle).distance_squared(middle);
                let kept = &mut squared[y as usize * picture.size.x as usize + x as usize];
                *kept = kept.min(distance);
            }
        }
    }
    squared.into_iter().map(|d| d.sqrt() as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::nav::terrain::{Patch, TerrainKind, TerrainMap, Weights};

    fn rect(min: [f64; 2], max: [f64; 2]) -> Polygon {
        Polygon::rect(Rect::new(min.into(), max.into()))
    }

    fn scene() -> (TerrainInput, Vec<Polygon>) {
        let kinds = (0..4).map(|_| TerrainKind::bare()).collect();
        let patch = |area, kind| Patch::new(area, KindId(kind));
        let input = TerrainInput {
            bounds: Rect::new(DVec2::ZERO, DVec2::splat(20.0)),
            obstacles: Vec::new(),
            patches: vec![
                patch(rect([3.1, 0.0], [7.7, 20.0]), 1),
                patch(Polygon::regular(DVec2::new(12.0, 12.0), 4.3, 5, 0.3), 2),
                patch(rect([0.0, 6.35], [20.0, 8.05]), 3),
            ],
            kinds,
        };
        let mut free = rect([0.5, 0.5], [19.5, 19.5]);
        free.holes.push(rect([9.03, 3.07], [10.2, 5.4]).outer);
        (input, vec![free])
    }

    #[test]
    fn lines_cost_and_see_what_they_do_exactly() {
        let (input, free) = scene();
        let exact = TerrainMap::build(&input, &JobContext::default()).expect("not cancelled");
        let (weights, _) = Weights::new(exact.kinds(), |_| 1.0);
        assert_eq!(weights.least(), 1.0);
        let worst = |pixel: f64| {
            let raster = FineRaster::within(&input, &free, pixel).expect("small");
            let mut random = Random::new(11);
            let (mut worst, mut seen): (f64, u32) = (0.0, 0);
            for _ in 0..400 {
                let inner =
                    |random: &mut Random| random.point(DVec2::splat(0.6), DVec2::splat(19.4));
                let (a, b) = (inner(&mut random), inner(&mut random));
                let gap = free[0]
                    .edges()
                    .map(|(c, d)| crate::nav::corridor::segment_distance(a, b, c, d))
                    .fold(f64::INFINITY, f64::min);
                let is_free = gap > 0.0 && free[0].contains(a);
                let mut lengths = [0.0; 4];
                let is_clear = raster.walk(a, b, |kind, length| lengths[kind.index()] += length);
                // Corners that interpolation cuts off are at most half a pixel deep.
                if gap > 0.5 * pixel || gap == 0.0 && deepest(&free[0], a, b) > 0.5 * pixel {
                    assert_eq!(is_clear, is_free, "{a} {b}");
                }
                if is_clear && is_free {
                    seen += 1;
                    let expected = exact.lengths_along(&[a, b]);
                    assert!((lengths.iter().sum::<f64>() - a.distance(b)).abs() < 1e-9);
                    for (found, expected) in lengths.iter().zip(&expected) {
                        worst = worst.max((found - expected).abs());
                    }
                }
            }
            assert!(seen > 200);
            worst
        };
        let [coarse, fine] = [0.4, 0.1].map(worst);
        assert!(fine < 0.1 && fine < coarse, "{coarse} and {fine}");
    }

    /// How far a line gets into walls, by probing.
    fn deepest(free: &Polygon, a: DVec2, b: DVec2) -> f64 {
        (0..=200)
            .map(|i| a.lerp(b, f64::from(i) / 200.0))
            .filter(|p| !free.contains(*p))
            .map(|p| free.distance_to_edge(p))
            .fold(0.0, f64::max)
    }

    #[test]
    fn an_agent_at_a_wall_sees_along_it_and_away_from_it() {
        let (input, free) = scene();
        let raster = FineRaster::within(&input, &free, 0.3).expect("small");
        let clear = |a: [f64; 2], b: [f64; 2]| raster.walk(a.into(), b.into(), |_, _| ());
        assert!(clear([0.5, 1.0], [0.5, 19.0]) && clear([0.5, 0.5], [5.0, 9.0]));
        assert!(clear([9.03, 2.0], [9.03, 12.0]));
        assert!(!clear([9.13, 2.0], [9.13, 12.0]));
        assert!(!clear([0.2, 1.0], [0.2, 19.0]), "inside of a wall");
        assert!(!clear([2.0, 2.0], [99.0, 2.0]) && !clear([2.0, 2.0], [f64::NAN, 2.0]));
        assert!(clear([2.0, 2.0], [2.0, 2.0]));
        let one = FineRaster::within(&input, &free, 30.0).expect("one pixel");
        assert!(one.walk(DVec2::splat(2.0), DVec2::splat(3.0), |_, _| ()));
    }
}
