//! Quantities of a trajectory over its length, for plots.

use super::trajectory::Trajectory;
use crate::nav::FreeSpace;
use crate::planner::metrics;
use glam::DVec2;

/// Number of samples of speed and clearance.
const SAMPLES: usize = 240;

/// Curvature is averaged over this length. Unit: metres.
const CURVATURE_WINDOW: f64 = 1.0;

/// Curves are pairs of length and value. Unit of lengths: metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    pub length: f64,
    /// Unit: seconds.
    pub duration: f64,
    /// Unit: 1/m.
    pub mean_curvature: f64,
    /// Infinite if nothing is near or it is unknown.
    pub min_clearance: f64,
    /// Unit: m/s.
    pub speed: Vec<[f64; 2]>,
    /// Unit: 1/m.
    pub curvature: Vec<[f64; 2]>,
    /// Unit: metres.
    pub clearance: Vec<[f64; 2]>,
}

impl Curves {
    /// Clearances are those in the free space of the agent's radius.
    #[must_use]
    pub fn of(trajectory: &Trajectory, free: Option<&FreeSpace>) -> Self {
        let curvature = trajectory.curvatures();
        let bends = curvature.iter().map(|[_, bend]| bend);
        let speed = (0..=SAMPLES).filter_map(|i| {
            let pose = trajectory.pose(trajectory.duration() * i as f64 / SAMPLES as f64)?;
            Some([pose.along, pose.speed])
        });
        let points: Vec<DVec2> = trajectory.points().iter().map(|p| p.truncate()).collect();
        Self {
            length: trajectory.length(),
            duration: trajectory.duration(),
            mean_curvature: bends.sum::<f64>() / (curvature.len().max(1) as f64),
            // As exact as in inspector and bench: between the samples of the curve, too.
            min_clearance: free.map_or(f64::INFINITY, |free| {
                metrics::clearance(&points, |p| free.clearance(p)).min
            }),
            speed: speed.collect(),
            curvature: smoothed(&curvature),
            clearance: free.map_or_else(Vec::new, |free| {
                trajectory.sampled(SAMPLES, |p| free.clearance(p))
            }),
        }
    }
}

/// Averages over [`CURVATURE_WINDOW`]: the short steps of a simulated walk are noisy.
fn smoothed(curve: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let half = CURVATURE_WINDOW * 0.5;
    let (mut from, mut to) = (0, 0);
    let mut sum = 0.0;
    curve
        .iter()
        .map(|&[along, _]| {
            while to < curve.len() && curve[to][0] <= along + half {
                sum += curve[to][1];
                to += 1;
            }
            while curve[from][0] < along - half {
                sum -= curve[from][1];
                from += 1;
            }
            [along, sum / (to - from) as f64]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::Path;
    use glam::DVec3;

    #[test]
    fn curves_run_from_start_to_goal() {
        let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]];
        let mut trajectory = Trajectory::default();
        let path = Path {
            points: corners.map(|[x, y]| DVec3::new(x, y, 0.0)).to_vec(),
            ..Path::default()
        };
        trajectory.append(&path, 2.0);
        let curves = Curves::of(&trajectory, None);
        assert_eq!((curves.length, curves.duration), (7.0, 3.5));
        // The circle through the corners has a radius of 2.5 m.
        assert!((curves.mean_curvature - 0.4).abs() < 1e-9);
        assert_eq!(curves.curvature.len(), 1);
        let alongs = curves.speed.iter().map(|[along, _]| *along);
        assert!(alongs.is_sorted());
        assert_eq!(curves.speed[SAMPLES / 2][1], 2.0);
        assert_eq!(curves.speed.last(), Some(&[7.0, 0.0]), "it has arrived");
        assert!(curves.clearance.is_empty() && curves.min_clearance == f64::INFINITY);
    }

    #[test]
    fn smoothing_keeps_the_mean_of_what_shivers_and_what_is_even() {
        let shivers: Vec<[f64; 2]> = (0..200)
            .map(|i| [f64::from(i) * 0.05, f64::from(i % 2)])
            .collect();
        let smooth = smoothed(&shivers);
        assert!(smooth.iter().all(|[_, bend]| (bend - 0.5).abs() < 0.06));
        // Corners of a line are farther apart than that, so they stay as they are.
        let corners = [[3.0, 0.1], [9.0, 0.4]];
        assert_eq!(smoothed(&corners), corners);
        assert!(smoothed(&[]).is_empty());
    }
}
