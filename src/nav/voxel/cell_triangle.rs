//! Which cells a triangle touches: the separating axis test, solved for whole columns.
//!
//! A triangle and a box overlap unless one of 13 axes separates them: the box's three normals, the
//! triangle's normal and the nine cross products of edges. For cells of a grid each test reads lo ≤
//! a·x + b·y + c·z ≤ hi with x, y, z the cell's integer coordinates. For a given column that is a
//! range of layers, and the layers touched are the intersection of all ranges. Nothing is tested
//! cell by cell.

use crate::geometry::VoxelFrame;
use glam::DVec3;
use robust::Coord;

/// Added to either side of each range, so that rounding never loses a cell. Unit: cells.
const SLACK: f64 = 1e-8;

/// lo ≤ u·a + v·b ≤ hi, for a cell (u, v) in one of the three side views.
#[derive(Clone, Copy, Debug)]
struct Strip {
    a: f64,
    b: f64,
    lo: f64,
    hi: f64,
}

impl Strip {
    /// The axis across the edge from `p` to `q`, with `r` the third corner.
    fn across(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> Self {
        let (a, b) = (p[1] - q[1], q[0] - p[0]);
        let (edge, corner) = (a * p[0] + b * p[1], a * r[0] + b * r[1]);
        // The cell extends from (u, v) to (u + 1, v + 1).
        let (below, above) = (a.min(0.0) + b.min(0.0), a.max(0.0) + b.max(0.0));
        let slack = SLACK * (a.abs() + b.abs());
        Self {
            a,
            b,
            lo: edge.min(corner) - above - slack,
            hi: edge.max(corner) - below + slack,
        }
    }

    /// The part of `range` where v may lie for a given u.
    fn narrow(&self, u: f64, range: &mut (f64, f64)) {
        let (lo, hi) = (self.lo - self.a * u, self.hi - self.a * u);
        if self.b > 0.0 {
            range.0 = range.0.max(lo / self.b);
            range.1 = range.1.min(hi / self.b);
        } else if self.b < 0.0 {
            range.0 = range.0.max(hi / self.b);
            range.1 = range.1.min(lo / self.b);
        } else if lo > 0.0 || hi < 0.0 {
            range.1 = f64::NEG_INFINITY;
        }
    }
}

/// A triangle in units of cells, prepared for queries by column.
#[derive(Clone, Debug)]
pub struct CellTriangle {
    corners: [DVec3; 3],
    low: DVec3,
    high: DVec3,
    /// Seen from above, as (y, x): for a row, the range of x.
    plan: [Strip; 3],
    /// Seen along y, as (x, z), and along x, as (y, z).
    front: [Strip; 3],
    side: [Strip; 3],
    normal: DVec3,
    /// Range of normal · cell.
    plane: (f64, f64),
}

/// The layers of one column that a triangle touches, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    pub x: u32,
    pub y: u32,
    pub low: u32,
    pub high: u32,
}

/// Where a vertical line crosses a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Unit: layers.
    pub height: f64,
    /// Going up, the line enters what the surface bounds.
    pub faces_down: bool,
}

/// Ranges of layers, inclusive, whose centres have a non-zero winding number, from all crossings of
/// one line. Parts of one surface may overlap; what is left open above the last crossing is not
/// filled.
pub fn inside(crossings: &mut [Crossing], layers: u32, mut visit: impl FnMut(u32, u32)) {
    crossings.sort_by(|a, b| a.height.total_cmp(&b.height));
    let mut winding = 0;
    for pair in crossings.windows(2) {
        winding += if pair[0].faces_down { 1 } else { -1 };
        // Layers whose centre lies between both.
        let low = (pair[0].height - 0.5).ceil().max(0.0);
        let high = ((pair[1].height - 0.5).ceil() - 1.0).min(f64::from(layers) - 1.0);
        if winding != 0 && low <= high {
            visit(low as u32, high as u32);
        }
    }
}

impl CellTriangle {
    #[must_use]
    pub fn new(frame: &VoxelFrame, triangle: &[DVec3; 3]) -> Self {
        let corners = triangle.map(|corner| frame.cells_from_world(corner));
        let [p, q, r] = corners;
        let strips = |view: fn(DVec3) -> [f64; 2]| {
            let [p, q, r] = corners.map(view);
            [
                Strip::across(p, q, r),
                Strip::across(q, r, p),
                Strip::across(r, p, q),
            ]
        };
        let normal = (q - p).cross(r - p);
        let at = normal.dot(p);
        let (below, above) = (
            normal.min(DVec3::ZERO).element_sum(),
            normal.max(DVec3::ZERO).element_sum(),
        );
        // The cross product of collinear edges is only rounding error: it must separate nothing.
        let edges = [(q - p).length(), (r - p).length()];
        let noise = 4e-15 * edges[0] * edges[1] * (edges[0] + edges[1] + 3.0);
        let slack = SLACK * normal.abs().element_sum() + noise;
        Self {
            corners,
            low: p.min(q).min(r) - SLACK,
            high: p.max(q).max(r) + SLACK,
            plan: strips(|p| [p.y, p.x]),
            front: strips(|p| [p.x, p.z]),
            side: strips(|p| [p.y, p.z]),
            normal,
            plane: (at - above - slack, at - below + slack),
        }
    }

    /// Visits columns within `xs` × `ys`, of `layers` layers, with the layers touched.
    pub fn columns(
        &self,
        xs: std::ops::Range<u32>,
        ys: std::ops::Range<u32>,
        layers: u32,
        mut visit: impl FnMut(Touched),
    ) {
        // A cell is also touched if only its border is.
        let first = |low: f64| low.ceil() - 1.0;
        let (top, bottom) = (self.high.z.floor(), first(self.low.z).max(0.0));
        let top = top.min(f64::from(layers) - 1.0);
        let y0 = first(self.low.y).max(f64::from(ys.start));
        let y1 = self.high.y.floor().min(f64::from(ys.end) - 1.0);
        if top < bottom || y1 < y0 {
            return;
        }
        for y in y0 as u32..=y1 as u32 {
            let v = f64::from(y);
            let mut row = (first(self.low.x), self.high.x.floor());
            let mut heights = (bottom, top);
            for (plan, side) in self.plan.iter().zip(&self.side) {
                plan.narrow(v, &mut row);
                side.narrow(v, &mut heights);
            }
            let x0 = row.0.ceil().max(f64::from(xs.start));
            let x1 = row.1.floor().min(f64::from(xs.end) - 1.0);
            if x1 < x0 || heights.1 < heights.0 {
                continue;
            }
            for x in x0 as u32..=x1 as u32 {
                let u = f64::from(x);
                let mut range = heights;
                for front in &self.front {
                    front.narrow(u, &mut range);
                }
                let across = self.normal.x * u + self.normal.y * v;
                Strip {
                    a: 0.0,
                    b: self.normal.z,
                    lo: self.plane.0 - across,
                    hi: self.plane.1 - across,
                }
                .narrow(0.0, &mut range);
                let (low, high) = (range.0.ceil(), range.1.floor());
                if low <= high {
                    let (low, high) = (low as u32, high as u32);
                    visit(Touched { x, y, low, high });
                }
            }
        }
    }

    /// Its height at the centre of a column, clamped to the range of its corners. Unit: layers.
    #[must_use]
    pub fn height_over(&self, x: u32, y: u32) -> f64 {
        let middle = DVec3::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.0);
        let height = self.normal.dot(self.corners[0] - middle) / self.normal.z;
        if height.is_finite() {
            height.clamp(self.low.z, self.high.z)
        } else {
            self.high.z
        }
    }

    /// Columns whose centre line it crosses, at what height in layers, and whether it faces down
    /// there. A line through the edge between two triangles crosses exactly one of them, so
    /// crossings of a closed surface come in pairs.
    pub fn crossings(
        &self,
        xs: std::ops::Range<u32>,
        ys: std::ops::Range<u32>,
        mut visit: impl FnMut(u32, u32, Crossing),
    ) {
        if self.normal.z == 0.0 {
            return;
        }
        let within = |low: f64, high: f64, range: &std::ops::Range<u32>| {
            let low = (low - 0.5).ceil().max(f64::from(range.start));
            let high = (high - 0.5).floor().min(f64::from(range.end) - 1.0);
            (low <= high).then_some(low as u32..=high as u32)
        };
        let Some(rows) = within(self.low.y, self.high.y, &ys) else {
            return;
        };
        for y in rows {
            let middle = f64::from(y) + 0.5;
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for (p, q) in self.edges() {
                let share = ((middle - p.y) / (q.y - p.y)).clamp(0.0, 1.0);
                if (p.y - middle) * (q.y - middle) <= 0.0 {
                    // Horizontal edges lie between the others' ends.
                    let at = if share.is_nan() {
                        p.x
                    } else {
                        p.x + (q.x - p.x) * share
                    };
                    low = low.min(at);
                    high = high.max(at);
                }
            }
            let Some(columns) = within(low - 1e-6, high + 1e-6, &xs) else {
                continue;
            };
            for x in columns {
                let at = f64::from(x) + 0.5;
                let clear = at - low > 1e-6 && high - at > 1e-6;
                if clear || self.holds(at, middle) {
                    visit(
                        x,
                        y,
                        Crossing {
                            height: self.height_over(x, y),
                            faces_down: self.normal.z < 0.0,
                        },
                    );
                }
            }
        }
    }

    fn edges(&self) -> [(DVec3, DVec3); 3] {
        let [p, q, r] = self.corners;
        [(p, q), (q, r), (r, p)]
    }

    /// Whether a vertical line crosses it. Every edge is evaluated in one direction for both its
    /// triangles, and a line through it counts as on its right: symbolic perturbation towards −y,
    /// and less so towards +x.
    fn holds(&self, x: f64, y: f64) -> bool {
        let at = Coord { x, y };
        let sides = self.edges().map(|(p, q)| {
            let turned = (p.x, p.y) > (q.x, q.y);
            let (p, q) = if turned { (q, p) } else { (p, q) };
            let coord = |p: DVec3| Coord { x: p.x, y: p.y };
            (robust::orient2d(coord(p), coord(q), at) > 0.0) != turned
        });
        sides[0] == sides[1] && sides[1] == sides[2]
    }
}
