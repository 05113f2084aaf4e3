//! The maze itself: cells in rings, links between them, and the one gap.

use crate::base::Random;
use glam::DVec2;
use std::collections::VecDeque;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::Range;

/// The plaza in the centre is a cell too, without a ring.
const HEART: usize = 0;

#[derive(Clone, Debug)]
pub(super) enum Wall {
    Arc { radius: f64, angles: Range<f64> },
    Spoke { angle: f64, radii: Range<f64> },
}

#[derive(Clone, Copy, Debug)]
struct Ring {
    /// Number of cells; doubles where they would get too long.
    cells: usize,
    /// Index of its first cell.
    first: usize,
}

#[derive(Debug)]
pub(super) struct Maze {
    inner_radius: f64,
    pitch: f64,
    rings: Vec<Ring>,
    /// Linked cells, for each cell.
    links: Vec<Vec<usize>>,
    gate: usize,
    /// The two cells that the gap joins.
    gap: (usize, usize),
}

impl Maze {
    /// The best of a dozen mazes: a long path in, about half of it saved by the gap.
    pub(super) fn grown(rings: usize, inner_radius: f64, pitch: f64, seed: u64) -> Self {
        let mut best = Self::attempt(rings, inner_radius, pitch, Random::stream(seed, 0));
        for attempt in 1..12 {
            let random = Random::stream(seed, attempt);
            let next = Self::attempt(rings, inner_radius, pitch, random);
            if next.saving() > best.saving() {
                best = next;
            }
        }
        best
    }

    fn attempt(rings: usize, inner_radius: f64, pitch: f64, mut random: Random) -> Self {
        let mut maze = Self {
            inner_radius,
            pitch,
            rings: Vec::new(),
            links: Vec::new(),
            gate: 0,
            gap: (HEART, HEART),
        };
        let (mut cells, mut first) = (8, HEART + 1);
        for k in 0..rings.max(1) {
            let radius = inner_radius + pitch * k as f64;
            if TAU * radius / cells as f64 > 1.9 * pitch {
                cells *= 2;
            }
            maze.rings.push(Ring { cells, first });
            first += cells;
        }
        maze.links = vec![Vec::new(); first];
        // The outermost cell at the south; the rings are rotated so that it faces the drive.
        maze.gate = maze.rings.last().map_or(HEART, |ring| ring.first);
        maze.carve(&mut random);
        maze.gap = maze.best_gap();
        maze
    }

    pub(super) fn outer_radius(&self) -> f64 {
        self.inner_radius + self.pitch * self.rings.len() as f64
    }

    /// Ring and index within it; `None` for the centre.
    fn locate(&self, cell: usize) -> Option<(usize, usize)> {
        let k = self.rings.partition_point(|ring| ring.first <= cell);
        let k = k.checked_sub(1)?;
        Some((k, cell - self.rings[k].first))
    }

    /// Inner and outer radius of a ring of cells, between the middles of its hedges.
    fn radii(&self, k: usize) -> Range<f64> {
        let inner = self.inner_radius + self.pitch * k as f64;
        inner..inner + self.pitch
    }

    fn angles(&self, k: usize, i: usize) -> Range<f64> {
        let outermost = self.rings.last().map_or(8, |ring| ring.cells);
        let from = -FRAC_PI_2 - TAU / outermost as f64 * 0.5;
        let step = TAU / self.rings[k].cells as f64;
        from + step * i as f64..from + step * (i + 1) as f64
    }

    /// The cell on the inner side.
    fn inward(&self, k: usize, i: usize) -> usize {
        match k.checked_sub(1) {
            None => HEART,
            Some(inner) => {
                let split = self.rings[k].cells / self.rings[inner].cells;
                self.rings[inner].first + i / split
            }
        }
    }

    fn neighbours(&self, cell: usize) -> Vec<usize> {
        let Some((k, i)) = self.locate(cell) else {
            let inmost = self.rings[0];
            return (inmost.first..inmost.first + inmost.cells).collect();
        };
        let ring = self.rings[k];
        let mut found = vec![
            ring.first + (i + 1) % ring.cells,
            ring.first + (i + ring.cells - 1) % ring.cells,
            self.inward(k, i),
        ];
        if let Some(outer) = self.rings.get(k + 1) {
            let split = outer.cells / ring.cells;
            found.extend((0..split).map(|part| outer.first + i * split + part));
        }
        found
    }

    /// Depth-first from the gate: long winding passages, one of which ends at the centre.
    fn carve(&mut self, random: &mut Random) {
        let mut seen = vec![false; self.links.len()];
        seen[self.gate] = true;
        let mut trail = vec![self.gate];
        while let Some(&cell) = trail.last() {
            let open: Vec<usize> = self
                .neighbours(cell)
                .into_iter()
                .filter(|next| !seen[*next])
                // The centre has a single door and is never passed through.
                .filter(|_| cell != HEART)
                .collect();
            let Some(&next) = random.pick(&open) else {
                trail.pop();
                continue;
            };
            seen[next] = true;
            self.links[cell].push(next);
            self.links[next].push(cell);
            trail.push(next);
        }
    }

    /// Shortest paths from one cell: for each other cell its predecessor and the number of steps.
    fn shortest_paths(&self, from: usize) -> (Vec<usize>, Vec<usize>) {
        let mut before = vec![usize::MAX; self.links.len()];
        let mut steps = vec![0; self.links.len()];
        before[from] = from;
        let mut queue = VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            for &next in &self.links[cell] {
                if before[next] == usize::MAX {
                    before[next] = cell;
                    steps[next] = steps[cell] + 1;
                    queue.push_back(next);
                }
            }
        }
        (before, steps)
    }

    /// Cells on the path, both ends included; empty if there is none.
    fn path(&self, from: usize, to: usize) -> Vec<usize> {
        let (before, _) = self.shortest_paths(from);
        let mut path = vec![to];
        while let Some(&cell) = path.last()
            && cell != from
        {
            match before[cell] {
                usize::MAX => return Vec::new(),
                earlier => path.push(earlier),
            }
        }
        path.reverse();
        path
    }

    pub(super) fn path_in(&self) -> Vec<usize> {
        self.path(self.gate, HEART)
    }

    pub(super) fn path_through_gap(&self) -> Vec<usize> {
        let mut path = self.path(self.gate, self.gap.0);
        path.extend(self.path(self.gap.1, HEART));
        path
    }

    /// Steps saved by the gap, provided that a maze is left.
    fn saving(&self) -> usize {
        let (all, through) = (self.path_in().len(), self.path_through_gap().len());
        all.saturating_sub(through).min(all * 3 / 5)
    }

    /// The two neighbours whose link leaves about half of the path: enough saved to be worth it,
    /// enough left to be a maze.
    fn best_gap(&self) -> (usize, usize) {
        let ((_, from_gate), (_, from_heart)) =
            (self.shortest_paths(self.gate), self.shortest_paths(HEART));
        let goal = from_gate[HEART] / 2;
        let mut best = (usize::MAX, (HEART, HEART));
        for (cell, links) in self.links.iter().enumerate().skip(HEART + 1) {
            for next in self.neighbours(cell) {
                if next == HEART || links.contains(&next) {
                    continue;
                }
                let left = from_gate[cell] + 1 + from_heart[next];
                best = best.min((left.abs_diff(goal), (cell, next)));
            }
        }
        best.1
    }

    pub(super) fn gap(&self) -> Wall {
        let (Some((k, i)), Some((m, j))) = (self.locate(self.gap.0), self.locate(self.gap.1))
        else {
            // Without a better choice, through the hedge around the centre.
            return Wall::Arc {
                radius: self.inner_radius,
                angles: self.angles(0, 0),
            };
        };
        if k != m {
            let (outer_ring, cell) = if k > m { (k, i) } else { (m, j) };
            return Wall::Arc {
                radius: self.radii(outer_ring).start,
                angles: self.angles(outer_ring, cell),
            };
        }
        let later = if (i + 1) % self.rings[k].cells == j {
            j
        } else {
            i
        };
        Wall::Spoke {
            angle: self.angles(k, later).start,
            radii: self.radii(k),
        }
    }

    pub(super) fn gap_centre(&self) -> DVec2 {
        match self.gap() {
            Wall::Arc { radius, angles } => {
                DVec2::from_angle((angles.start + angles.end) * 0.5) * radius
            }
            Wall::Spoke { angle, radii } => {
                DVec2::from_angle(angle) * (radii.start + radii.end) * 0.5
            }
        }
    }

    /// Every hedge between cells that are not linked, and the outer one.
    pub(super) fn walls(&self) -> Vec<Wall> {
        let mut walls = Vec::new();
        for (k, ring) in self.rings.iter().enumerate() {
            for i in 0..ring.cells {
                let (cell, angles, radii) = (ring.first + i, self.angles(k, i), self.radii(k));
                if !self.links[cell].contains(&self.inward(k, i)) {
                    walls.push(Wall::Arc {
                        radius: radii.start,
                        angles: angles.clone(),
                    });
                }
                let next = ring.first + (i + 1) % ring.cells;
                if !self.links[cell].contains(&next) {
                    walls.push(Wall::Spoke {
                        angle: angles.end,
                        radii: radii.clone(),
                    });
                }
                if k + 1 == self.rings.len() {
                    walls.push(Wall::Arc {
                        radius: radii.end,
                        angles,
                    });
                }
            }
        }
        walls
    }

    /// A line along cells: around the rings from door to door, straight through the doors.
    pub(super) fn line(&self, path: &[usize]) -> Vec<DVec2> {
        let Some((mut k, i)) = path.first().and_then(|cell| self.locate(*cell)) else {
            return Vec::new();
        };
        let mut line = Vec::new();
        // Where the line has got to, and the middle of the cell reached, without jumps at π.
        let mut drawn = self.middle(k, i);
        let mut reached = drawn;
        for cell in &path[1..] {
            let to = self.locate(*cell);
            let door = match to {
                Some((m, j)) if m == k => {
                    reached = near_angle(self.middle(m, j), reached);
                    continue;
                }
                // Doors between rings lie in the middle of the outer cell's arc.
                Some((m, j)) if m > k => self.middle(m, j),
                _ => reached,
            };
            let door = near_angle(door, reached);
            sweep(&mut line, self.middle_radius(k), drawn..door);
            drawn = door;
            match to {
                Some((m, j)) => {
                    k = m;
                    reached = near_angle(self.middle(m, j), door);
                    line.push(DVec2::from_angle(door) * self.middle_radius(k));
                }
                None => {
                    let within = self.inner_radius - self.pitch * 0.3;
                    line.push(DVec2::from_angle(door) * within);
                }
            }
        }
        line
    }

    fn middle(&self, k: usize, i: usize) -> f64 {
        let angles = self.angles(k, i);
        (angles.start + angles.end) * 0.5
    }

    fn middle_radius(&self, k: usize) -> f64 {
        let radii = self.radii(k);
        (radii.start + radii.end) * 0.5
    }

    /// Unit: metres.
    pub(super) fn length(&self, path: &[usize]) -> f64 {
        self.line(path)
            .windows(2)
            .map(|pair| pair[0].distance(pair[1]))
            .sum()
    }
}

/// Follows a circle from one angle to another by short chords.
fn sweep(line: &mut Vec<DVec2>, radius: f64, angles: Range<f64>) {
    let turn = angles.end - angles.start;
    let steps = (turn.abs() * radius / 2.0).ceil().max(1.0);
    let from = if line.is_empty() { 0 } else { 1 };
    line.extend(
        (from..=steps as usize)
            .map(|i| DVec2::from_angle(angles.start + turn * i as f64 / steps) * radius),
    );
}

/// An angle equivalent to `angle`, within half a turn of `other`.
fn near_angle(angle: f64, other: f64) -> f64 {
    angle + TAU * ((other - angle) / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_reached_by_exactly_one_path() {
        for seed in 0..20 {
            let maze = Maze::grown(6, 7.0, 4.0, seed);
            let links: usize = maze.links.iter().map(Vec::len).sum();
            assert_eq!(
                links / 2,
                maze.links.len() - 1,
                "a tree has one link fewer than cells"
            );
            for cell in 0..maze.links.len() {
                assert!(!maze.path(maze.gate, cell).is_empty());
            }
        }
    }

    #[test]
    fn the_gap_shortens_the_path() {
        for seed in 0..20 {
            let maze = Maze::grown(9, 7.5, 4.6, seed);
            let (long, short) = (maze.path_in(), maze.path_through_gap());
            assert!(
                maze.length(&short) < 0.8 * maze.length(&long),
                "seed {seed}: {} of {} cells",
                short.len(),
                long.len()
            );
        }
    }
}
