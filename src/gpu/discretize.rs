//! Voxelisation by rendering: the only requirement on a scene is that it can draw itself.
//!
//! Bandi and Thalmann 2000, §3.2: the scene is drawn slice by slice, and a pixel that is drawn to
//! is an occupied cell. §8.1: forbidden objects are drawn once more on their own.
//!
//! Deviations: 32 slices are drawn at once, each into its own lane; and a triangle is drawn to
//! every column it touches, with all the layers it touches there (conservative rasterisation by the
//! separating axis test). Sampling flat slices at pixel centres would lose edge-on walls and
//! anything thinner than a cell. The inside of closed bodies is filled in a separate pass.

mod triangles;

pub use triangles::TriangleDrawing;

use super::{CellTarget, CellValues, GpuError, Program, check, distance_target::DistanceTarget};
use crate::geometry::{BitColumns, VoxelFrame};
use glam::{DVec3, Vec3};

/// Layers marked per pass, and layers whose winding numbers are counted per pass.
const SLICES: u32 = 32;
const COUNTED: u32 = 16;

/// Longest side of a window drawn at once, even if the GPU would allow more: a pixel takes 32
/// bytes.
const LONGEST_WINDOW: u32 = 1024;

/// Added to either side of each test, so that rounding loses no cell: a fraction of the largest
/// coordinate in cells. Single precision keeps coordinates to 6·10⁻⁸ of that, and a position is
/// rounded four times before it is tested.
const SLACK: f64 = 4e-7;

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Everything,
    /// Forbidden objects.
    Forbidden,
    /// Closed bodies.
    Closed,
    ClosedForbidden,
}

/// A scene that can draw itself.
pub trait Drawing {
    /// World position of the coordinate origin. Unit: metres, like the coordinates.
    fn origin(&self) -> DVec3;

    /// Whether the part contains anything.
    fn has(&self, part: Part) -> bool;

    /// Draws the triangles of a part with the bound program; vertex attribute 0 is the position.
    /// Triangles are counter-clockwise seen from outside.
    fn draw(&self, gl: &glow::Context, part: Part);
}

/// The occupied cells of a frame, indexed by its slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Occupancy {
    pub occupied: BitColumns,
    pub forbidden: BitColumns,
}

/// The shader programs, for one context.
#[derive(Debug)]
pub struct Discretizer {
    columns: Program,
    inside: Program,
    longest: u32,
}

/// Columns and layers drawn at once.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: [u32; 3],
    size: [u32; 3],
}

impl Discretizer {
    /// # Errors
    /// The context is too old, or the driver does not blend floating-point targets.
    pub fn new(gl: &glow::Context) -> Result<Self, GpuError> {
        let columns = Program::with_geometry(
            gl,
            include_str!("../../assets/shaders/discretize/cells.vert"),
            include_str!("../../assets/shaders/discretize/columns.geom"),
            include_str!("../../assets/shaders/discretize/columns.frag"),
        )?;
        let inside = match Program::new(
            gl,
            include_str!("../../assets/shaders/discretize/inside.vert"),
            include_str!("../../assets/shaders/discretize/inside.frag"),
        ) {
            Ok(inside) => inside,
            Err(error) => {
                columns.delete(gl);
                return Err(error);
            }
        };
        let discretizer = Self {
            columns,
            inside,
            longest: LONGEST_WINDOW.min(DistanceTarget::limit(gl)),
        };
        match discretizer.prove(gl) {
            Ok(()) => Ok(discretizer),
            Err(error) => {
                discretizer.delete(gl);
                Err(error)
            }
        }
    }

    /// Voxelises a box with a known result, since some drivers advertise floating-point blending
    /// but do not perform it.
    fn prove(&self, gl: &glow::Context) -> Result<(), GpuError> {
        let frame = VoxelFrame {
            origin: DVec3::ZERO,
            cell: 1.0,
            layer: 1.0,
            size: [5, 5, 5],
        };
        let [low, high] = [DVec3::splat(0.4), DVec3::splat(4.6)];
        let boxed = TriangleDrawing::new(gl, low, [(&box_of(low, high)[..], true, false)])?;
        let found = self.discretize(gl, &frame, &boxed);
        boxed.delete(gl);
        let full = 5 * 5 * 5;
        match found?.occupied.count() {
            count if count == full => Ok(()),
            count => Err(GpuError::Object {
                what: "grid of cells",
                reason: format!("a box of {full} cells came out as {count}"),
            }),
        }
    }

    /// Every cell that something touches or encloses.
    ///
    /// # Errors
    /// The driver reported an error; there is no result.
    pub fn discretize(
        &self,
        gl: &glow::Context,
        frame: &VoxelFrame,
        scene: &dyn Drawing,
    ) -> Result<Occupancy, GpuError> {
        let mut occupied = BitColumns::of_frame(frame);
        let mut forbidden = BitColumns::of_frame(frame);
        let side = |axis: usize| frame.size[axis].min(self.longest);
        let passes = [
            (Part::Everything, Part::Closed, &mut occupied),
            (Part::Forbidden, Part::ClosedForbidden, &mut forbidden),
        ];
        for (touching, closed, cells) in passes {
            for (part, values) in [(touching, CellValues::Marks), (closed, CellValues::Sums)] {
                if !scene.has(part) {
                    continue;
                }
                let target = CellTarget::new(gl, [side(0), side(1)], values)?;
                self.pass(gl, &target, values, frame, scene, part, cells);
                target.delete(gl);
                check(gl, "discretising a scene")?;
            }
        }
        Ok(Occupancy {
            occupied,
            forbidden,
        })
    }

    #[expect(clippy::too_many_arguments, reason = "one call, in one place")]
    fn pass(
        &self,
        gl: &glow::Context,
        target: &CellTarget,
        values: CellValues,
        frame: &VoxelFrame,
        scene: &dyn Drawing,
        part: Part,
        cells: &mut BitColumns,
    ) {
        let (program, depth) = match values {
            CellValues::Marks => (&self.columns, SLICES),
            CellValues::Sums => (&self.inside, COUNTED),
        };
        program.bind(gl);
        for window in windows(frame, self.longest, depth) {
            let [x, y, layer] = window.low.map(f64::from);
            let per_metre = 1.0 / frame.steps();
            let from = (scene.origin() - frame.origin) * per_metre - DVec3::new(x, y, layer);
            let vec = |v: DVec3| v.as_vec3().to_array();
            program.set_vec3(gl, "scale", vec(per_metre));
            program.set_vec3(gl, "offset", vec(from));
            let size = Vec3::from_array(window.size.map(|side| side as f32));
            program.set_vec3(gl, "size", size.to_array());
            let largest = f64::from(frame.size[0].max(frame.size[1]).max(frame.size[2]));
            program.set_float(gl, "slack", (SLACK * largest.max(16.0)) as f32);
            let plan = [window.size[0], window.size[1]];
            target.begin(gl, plan);
            scene.draw(gl, part);
            match values {
                CellValues::Marks => unite(frame, &window, &target.marks(gl, plan), cells),
                CellValues::Sums => fill(frame, &window, &target.sums(gl, plan), cells),
            }
        }
    }

    pub fn delete(self, gl: &glow::Context) {
        self.columns.delete(gl);
        self.inside.delete(gl);
    }
}

fn windows(frame: &VoxelFrame, longest: u32, depth: u32) -> impl Iterator<Item = Window> {
    let [width, height, layers] = frame.size;
    let starts = |size: u32, step: u32| (0..size).step_by(step as usize);
    starts(layers, depth).flat_map(move |layer| {
        starts(height, longest).flat_map(move |y| {
            starts(width, longest).map(move |x| Window {
                low: [x, y, layer],
                size: [
                    longest.min(width - x),
                    longest.min(height - y),
                    depth.min(layers - layer),
                ],
            })
        })
    })
}

/// The slots of a window's columns, row by row.
fn slots<'a>(frame: &'a VoxelFrame, window: &Window) -> impl Iterator<Item = usize> + use<'a> {
    let Window { low, size } = *window;
    (low[1]..low[1] + size[1])
        .flat_map(move |y| (low[0]..low[0] + size[0]).map(move |x| frame.slot(x, y)))
}

fn unite(frame: &VoxelFrame, window: &Window, marks: &[u32], cells: &mut BitColumns) {
    let first = window.low[2] as usize;
    for (slot, mark) in slots(frame, window).zip(marks) {
        cells.column_mut(slot)[first / 64] |= u64::from(*mark) << (first % 64);
    }
}

/// Sets cells with a non-zero winding number.
fn fill(frame: &VoxelFrame, window: &Window, sums: &[[f32; 4]], cells: &mut BitColumns) {
    for (slot, lanes) in slots(frame, window).zip(sums) {
        for (lane, sum) in lanes.iter().enumerate() {
            let mut left = *sum as i64;
            for i in 0..4 {
                if left == 0 {
                    break;
                }
                // Digits from −32 to 31.
                let digit = (left + 32).rem_euclid(64) - 32;
                left = (left - digit) / 64;
                let layer = 4 * lane as u32 + i;
                if digit != 0 && layer < window.size[2] {
                    cells.set(slot, window.low[2] + layer);
                }
            }
        }
    }
}

/// The twelve triangles of a box.
fn box_of(low: DVec3, high: DVec3) -> Vec<[DVec3; 3]> {
    let corner = |i: usize| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { low } else { high }[axis];
        DVec3::new(pick(0), pick(1), pick(2))
    };
    [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ]
    .into_iter()
    .flat_map(|face| {
        let [a, b, c, d] = face.map(corner);
        [[a, b, c], [a, c, d]]
    })
    .collect()
}
