//! Pinch points: where the free space is narrowest and a growing agent gets stuck.

use super::map::{AxisPoint, CorridorMap, EdgeId, Sample};

/// Clearance differences up to this fraction of the level's size are ignored: between parallel
/// walls, rounding would turn one narrow stretch into many.
const LEVEL: f64 = 1e-9;

/// A local minimum of clearance on the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pinch {
    /// Diameter of the largest disc that passes. Unit: metres.
    pub width: f64,
    pub at: AxisPoint,
    /// The sample there; for a narrow stretch between parallel walls, its middle one.
    pub sample: Sample,
}

impl CorridorMap {
    /// All pinch points that connect wider parts, narrowest first.
    #[must_use]
    pub fn pinch_points(&self) -> Vec<Pinch> {
        let level = LEVEL * self.extent().size().max_element().max(1.0);
        let mut found: Vec<Pinch> = (0..self.edges.len() as u32)
            .flat_map(|edge| self.pinches_of(EdgeId(edge), level))
            .collect();
        found.sort_by(|a, b| {
            let by_width = a.width.total_cmp(&b.width);
            by_width.then(a.at.sample.cmp(&b.at.sample))
        });
        found
    }

    /// Minima inside one edge. Vertices have none: with three walls around, one continuation is
    /// always wider, unless all of them are equally far for a stretch.
    fn pinches_of(&self, edge: EdgeId, level: f64) -> Vec<Pinch> {
        let samples = self.samples_of(edge);
        let first = self.edge(edge).samples.start;
        let mut found = Vec::new();
        // Start of the level stretch, once clearance has fallen before it.
        let mut bottom: Option<usize> = None;
        for i in 1..samples.len() {
            let change = samples[i].clearance - samples[i - 1].clearance;
            if change < -level {
                bottom = Some(i);
            } else if change > level
                && let Some(start) = bottom.take()
            {
                let middle = start + (i - 1 - start) / 2;
                let sample = samples[middle];
                found.push(Pinch {
                    width: 2.0 * sample.clearance,
                    at: self.axis_point(edge, first + middle as u32, 0.0),
                    sample,
                });
            }
        }
        // A stretch that is level from end to end, with wider parts beyond both.
        let is_level = samples
            .windows(2)
            .all(|pair| (pair[0].clearance - pair[1].clearance).abs() <= level);
        if is_level && self.is_between_wider(edge, level) {
            let last = samples.len() - 1;
            let at = if last > 1 {
                self.axis_point(edge, first + (last / 2) as u32, 0.0)
            } else {
                self.axis_point(edge, first, 0.5)
            };
            found.push(Pinch {
                width: 2.0 * at.clearance,
                sample: self.sample_at(at.sample, at.share),
                at,
            });
        }
        found
    }

    /// Whether some other edge widens at both ends of a level edge.
    fn is_between_wider(&self, edge: EdgeId, level: f64) -> bool {
        let ends = self.edge(edge).ends;
        ends[0] != ends[1]
            && ends.iter().all(|&end| {
                let here = self.vertex(end).clearance;
                self.edges_at(end).iter().any(|&other| {
                    other != edge
                        && self
                            .samples_of(other)
                            .iter()
                            .any(|s| s.clearance > here + level)
                })
            })
    }
}
