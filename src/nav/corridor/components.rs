//! Connected components of the free space for a disc of a given radius.

use super::map::{AxisPoint, CorridorMap};
use glam::DVec2;

/// Connected components for one radius.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    radius: f64,
    /// The component of each sample of the map; `None` where the disc does not fit.
    parts: Vec<Option<u32>>,
    count: u32,
}

impl CorridorMap {
    /// The components of the map where a disc of that radius fits; touching walls is allowed.
    ///
    /// Exact: clearance is monotonic between two samples, so a disc that fits at both fits
    /// everywhere between them.
    #[must_use]
    pub fn components(&self, radius: f64) -> Components {
        // Samples first, then vertices.
        let first_vertex = self.samples.len();
        let mut parents: Vec<u32> = (0..(first_vertex + self.vertices.len()) as u32).collect();
        let fits = |i: usize| self.samples[i].clearance >= radius;
        for edge in &self.edges {
            let range = edge.samples.start as usize..edge.samples.end as usize;
            for i in range.clone().skip(1).filter(|&i| fits(i) && fits(i - 1)) {
                join(&mut parents, i, i - 1);
            }
            for (end, sample) in edge.ends.iter().zip([range.start, range.end - 1]) {
                if fits(sample) {
                    join(&mut parents, sample, first_vertex + end.0 as usize);
                }
            }
        }
        let mut names: Vec<Option<u32>> = vec![None; parents.len()];
        let mut count = 0;
        let parts = (0..first_vertex)
            .map(|i| {
                fits(i).then(|| {
                    let root = root(&mut parents, i as u32) as usize;
                    *names[root].get_or_insert_with(|| {
                        count += 1;
                        count - 1
                    })
                })
            })
            .collect();
        Components {
            radius,
            parts,
            count,
        }
    }
}

impl Components {
    /// Unit: metres.
    #[must_use]
    pub const fn radius(&self) -> f64 {
        self.radius
    }

    /// Number of components.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The component of a sample; `None` where the disc does not fit.
    #[must_use]
    pub fn of_sample(&self, sample: u32) -> Option<u32> {
        self.parts.get(sample as usize).copied().flatten()
    }

    /// The component at a point of the axis: that of the wider neighbouring sample.
    #[must_use]
    pub fn of_axis(&self, map: &CorridorMap, at: &AxisPoint) -> Option<u32> {
        let last = map.edge(at.edge).samples.end - 1;
        let (here, next) = (at.sample, (at.sample + 1).min(last));
        let clearance = |i: u32| map.samples[i as usize].clearance;
        let wider = if clearance(next) > clearance(here) {
            next
        } else {
            here
        };
        self.of_sample(wider)
    }

    /// The component in which a disc at `p` can move; `None` if it does not fit there.
    #[must_use]
    pub fn of(&self, map: &CorridorMap, p: DVec2) -> Option<u32> {
        let fits = map.walls.clearance(p)? >= self.radius;
        fits.then(|| map.retract(p))
            .flatten()
            .and_then(|at| self.of_axis(map, &at))
    }
}

fn root(parents: &mut [u32], mut i: u32) -> u32 {
    while parents[i as usize] != i {
        parents[i as usize] = parents[parents[i as usize] as usize];
        i = parents[i as usize];
    }
    i
}

fn join(parents: &mut [u32], a: usize, b: usize) {
    let (a, b) = (root(parents, a as u32), root(parents, b as u32));
    // The lower index wins, so that the result does not depend on the order of joining.
    parents[a.max(b) as usize] = a.min(b);
}
