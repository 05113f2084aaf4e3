//! A body in units of cells: what it can step on, over and under (§6.1).

pub use crate::document::model::cells::MAX_BORDER;
use crate::document::{Action, Body};
pub use crate::document::{CellRules as Conduct, Metric, Neighbours};
use crate::geometry::VoxelFrame;

/// Farthest cell that any body reaches in one move. Spans are in metres and cells may be small; a
/// bound keeps the neighbourhood finite.
pub const MAX_REACH: i32 = 24;

/// Up to this rise per metre a change of height is walked, not stepped. Most ramps built for
/// walking are flatter, every staircase is steeper.
const WALKING_SLOPE: f64 = 0.5;

/// Maximum length of a move over which that rise is measured. Unit: metres.
const WALKING_LENGTH: f64 = 0.3;

/// What a straight move by one cell counts in [`Metric::Length`], and a diagonal one: 17 / 12 is √2 to
/// a sixth of a percent.
pub const STRAIGHT: u32 = 12;
const DIAGONAL: u32 = 17;

/// Who walks by length jumps where it saves a detour of this many cells, not to cut a corner.
const JUMP_DETOUR: u32 = 4;

/// How long a path between two columns is on level ground, in the metric of a search.
#[must_use]
pub const fn distance(conduct: &Conduct, dx: i32, dy: i32) -> u32 {
    let cells = conduct.neighbours.distance(dx, dy);
    match (conduct.metric, conduct.neighbours) {
        (Metric::Cells, _) => cells,
        (Metric::Length, Neighbours::Four) => STRAIGHT * cells,
        (Metric::Length, Neighbours::Eight) => {
            let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
            STRAIGHT * cells + (DIAGONAL - STRAIGHT) * if dx < dy { dx } else { dy }
        }
    }
}

/// What a jump counts beside its length. As printed, it counts nothing (§8.2).
const fn effort(conduct: &Conduct, is_jump: bool) -> u32 {
    match (conduct.metric, is_jump) {
        (Metric::Length, true) => JUMP_DETOUR * STRAIGHT,
        _ => 0,
    }
}

/// What a straight move by one cell counts in a metric.
#[must_use]
pub const fn unit(metric: Metric) -> u32 {
    match metric {
        Metric::Cells => 1,
        Metric::Length => STRAIGHT,
    }
}

/// A move from one column to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stride {
    pub dx: i32,
    pub dy: i32,
    /// In cells of level ground, so that a long step is never cheaper than walking.
    pub cost: u32,
    /// The same in the metric of searches.
    pub length: u32,
    pub is_jump: bool,
    /// Columns touched by the line between both centres, corners included: for a diagonal step, its
    /// two flanks (Fig. 5).
    pub between: Vec<[i32; 2]>,
    /// Columns beside those, as far as the border is wide.
    pub beside: Vec<[i32; 2]>,
}

impl Stride {
    #[must_use]
    pub const fn is_contiguous(&self) -> bool {
        self.dx.abs() <= 1 && self.dy.abs() <= 1
    }

    #[must_use]
    pub const fn is_diagonal(&self) -> bool {
        self.dx != 0 && self.dy != 0
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct BodyCells {
    /// The body it was computed from.
    pub body: Body,
    pub conduct: Conduct,
    /// Empty layers it needs above its feet, upright and bent.
    pub height: i32,
    pub bent: i32,
    /// Highest step. Unit: 255ths of a layer.
    pub step: i32,
    /// Highest step in whole layers, rounded up.
    pub step_layers: i32,
    /// A move with at least this change of height is a step. Unit: 255ths of a layer.
    pub stepping: i32,
    /// Farthest column, along x or y, that one move reaches.
    pub reach: i32,
    pub border_layers: u8,
    /// Minimum weight of a cell to step on. Unit: 255ths.
    pub threshold: u8,
    /// Rank of each action, preferred first, indexed as in [`Action::ALL`].
    pub ranks: [u8; 5],
    /// Cheapest first, straight ones before diagonal ones.
    pub strides: Vec<Stride>,
}

impl BodyCells {
    #[must_use]
    pub fn new(body: &Body, priority: &[Action; 5], conduct: Conduct, frame: &VoxelFrame) -> Self {
        let layers = |metres: f64| (metres / frame.layer - 1e-6).ceil().clamp(1.0, 1e6) as i32;
        let height = layers(body.height);
        let fine = 255.0 / frame.layer;
        // Half a step of rounding on either side.
        let step = (body.step_height * fine).clamp(0.0, 1e8) as i32 + 1;
        let border_layers = conduct.border_layers.unwrap_or_else(|| {
            let cells = (body.radius / frame.cell - 0.5 - 1e-6).ceil();
            cells.clamp(0.0, f64::from(MAX_BORDER)) as u8
        });
        let border_layers = border_layers.min(MAX_BORDER);
        let strides = strides(body, &conduct, border_layers, frame);
        let reach = strides.iter().map(|stride| stride.dx.abs()).max();
        let length = frame.cell.min(WALKING_LENGTH);
        Self {
            body: *body,
            conduct,
            height,
            bent: layers(body.bent_height).min(height),
            step,
            step_layers: (step + 254) / 255,
            stepping: (WALKING_SLOPE * length * fine).min(1e8) as i32 + 1,
            reach: reach.unwrap_or(1),
            border_layers,
            threshold: (conduct.threshold.clamp(0.0, 1.0) * 255.0).ceil() as u8,
            ranks: Action::ALL.map(|action| {
                let rank = priority.iter().position(|other| *other == action);
                rank.unwrap_or(priority.len()) as u8
            }),
            strides,
        }
    }

    #[must_use]
    pub const fn rank(&self, action: Action) -> u8 {
        self.ranks[action as usize]
    }

    /// The stride between two columns, if any.
    #[must_use]
    pub fn stride(&self, dx: i32, dy: i32) -> Option<&Stride> {
        self.strides
            .iter()
            .find(|stride| (stride.dx, stride.dy) == (dx, dy))
    }
}

/// Every offset that a body can cover: contiguous ones always, others as far as a step reaches from
/// centre to centre, or a jump over what lies between. Distances are Euclidean: with the paper's d₄
/// a gap would be wider across a corner than along an axis.
fn strides(body: &Body, conduct: &Conduct, border_layers: u8, frame: &VoxelFrame) -> Vec<Stride> {
    let neighbours = conduct.neighbours;
    const EPSILON: f64 = 1e-9;
    let furthest = (body.foot_span / frame.cell)
        .max(body.jump / frame.cell + 1.0)
        .clamp(1.0, f64::from(MAX_REACH)) as i32;
    let mut strides = Vec::new();
    for dy in -furthest..=furthest {
        for dx in -furthest..=furthest {
            let straight = dx == 0 || dy == 0;
            if (dx, dy) == (0, 0) || neighbours == Neighbours::Four && !straight {
                continue;
            }
            let contiguous = dx.abs() <= 1 && dy.abs() <= 1;
            let cells = f64::from(dx * dx + dy * dy).sqrt();
            let is_step = contiguous || cells * frame.cell <= body.foot_span + EPSILON;
            let is_jump = !is_step && (cells - 1.0) * frame.cell <= body.jump + EPSILON;
            if !(is_step || is_jump) {
                continue;
            }
            let between = between(dx, dy);
            strides.push(Stride {
                dx,
                dy,
                cost: neighbours.distance(dx, dy),
                length: distance(conduct, dx, dy) + effort(conduct, is_jump),
                is_jump,
                beside: beside(&between, [dx, dy], contiguous, border_layers),
                between,
            });
        }
    }
    strides.sort_by_key(|stride| (stride.cost, stride.is_diagonal(), stride.dy, stride.dx));
    strides
}

/// A line from one column to another, whether or not a body gets over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub dx: i32,
    pub dy: i32,
    /// Columns it touches between both ends.
    pub between: Vec<[i32; 2]>,
    /// Whether the body reaches that far in one move.
    pub is_stride: bool,
}

impl Line {
    #[must_use]
    pub fn new(body: &BodyCells, dx: i32, dy: i32) -> Self {
        Self {
            dx,
            dy,
            between: between(dx, dy),
            is_stride: body.stride(dx, dy).is_some(),
        }
    }
}

/// Columns touched by the line between the centres of (0, 0) and (dx, dy), without both ends.
#[must_use]
pub fn between(dx: i32, dy: i32) -> Vec<[i32; 2]> {
    let mut found = Vec::new();
    for j in dy.min(0)..=dy.max(0) {
        for i in dx.min(0)..=dx.max(0) {
            let off_line = 2 * (dx * j - dy * i).abs();
            let end = [i, j] == [0, 0] || [i, j] == [dx, dy];
            if !end && off_line <= dx.abs() + dy.abs() {
                found.push([i, j]);
            }
        }
    }
    found
}

/// Columns around those between, layer by layer. Contiguous steps have none: it is enough that
/// their ends are off the border.
fn beside(between: &[[i32; 2]], end: [i32; 2], contiguous: bool, layers: u8) -> Vec<[i32; 2]> {
    if contiguous {
        return Vec::new();
    }
    let mut all = between.to_vec();
    let mut from = 0;
    for _ in 0..layers {
        let end_of_ring = all.len();
        for index in from..end_of_ring {
            let [i, j] = all[index];
            for next in [[i + 1, j], [i - 1, j], [i, j + 1], [i, j - 1]] {
                if next != [0, 0] && next != end && !all.contains(&next) {
                    all.push(next);
                }
            }
        }
        from = end_of_ring;
    }
    all.split_off(between.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Profile;
    use glam::DVec3;

    fn frame(cell: f64, layer: f64) -> VoxelFrame {
        VoxelFrame::new(DVec3::ZERO, cell, layer, [10, 10, 10]).expect("valid")
    }

    #[test]
    fn the_line_of_a_diagonal_step_touches_both_flanks() {
        assert_eq!(between(1, 1), [[1, 0], [0, 1]]);
        assert_eq!(between(2, 0), [[1, 0]]);
        assert_eq!(between(2, 1), [[1, 0], [1, 1]]);
        assert_eq!(between(-1, 0), Vec::<[i32; 2]>::new());
    }

    #[test]
    fn metres_become_cells() {
        let profile = Profile::default();
        let frame = frame(0.25, 0.125);
        let body = BodyCells::new(
            &profile.body,
            &profile.action_priority,
            Conduct::default(),
            &frame,
        );
        assert_eq!((body.height, body.bent), (15, 11));
        assert_eq!(body.step_layers, 3, "two layers and a rounding");
        // A step of 0.7 m reaches two cells, a jump over 0.5 m three.
        assert!(!body.stride(2, 0).expect("a step").is_jump);
        assert!(body.stride(3, 0).expect("a jump").is_jump);
        assert!(body.stride(4, 0).is_none());
        assert_eq!((body.reach, body.border_layers), (3, 1));
        assert_eq!(body.strides[0].cost, 1);
        assert!(!body.strides[0].is_diagonal());
    }

    #[test]
    fn four_neighbours_have_no_diagonals_and_no_body_is_too_large() {
        let mut profile = Profile::default();
        profile.body.jump = 100.0;
        profile.body.foot_span = f64::INFINITY;
        profile.body.height = f64::NAN;
        profile.body.step_height = 1e300;
        let conduct = Conduct {
            neighbours: Neighbours::Four,
            ..Conduct::default()
        };
        let frame = frame(0.01, 0.01);
        let body = BodyCells::new(&profile.body, &profile.action_priority, conduct, &frame);
        assert_eq!(body.reach, MAX_REACH);
        assert!(body.strides.iter().all(|stride| !stride.is_diagonal()));
        assert_eq!(body.strides.len(), 4 * MAX_REACH as usize);
    }
}
