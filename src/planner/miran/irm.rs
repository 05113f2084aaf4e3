//! The Indicative Route Method's attraction point.
//!
//! Karamouzas, Geraerts and Overmars 2009: the farthest point at which the route meets the largest
//! empty disc around the character's retraction onto the medial axis. In wide spaces the disc is
//! wide and skips much of the route at once, which MIRAN was designed to avoid.

use super::candidates::{Chosen, Leader};
use super::ground::{Eye, Ground};
use super::route::IndicativeRoute;
use crate::nav::corridor::{CorridorMap, Touched};
use glam::DVec2;

/// Picks the attraction point by the clearance disc of the medial axis.
#[derive(Clone, Copy, Debug)]
pub struct DiscLeader<'a> {
    map: &'a CorridorMap,
    /// Radius of the character. Unit: metres.
    radius: f64,
    /// What the last disc touched.
    touched: Touched,
}

impl<'a> DiscLeader<'a> {
    #[must_use]
    pub fn new(map: &'a CorridorMap, radius: f64) -> Self {
        Self {
            map,
            radius,
            touched: Touched::default(),
        }
    }

    /// Resumes a paused walk with the last disc's contact as the first guess.
    #[must_use]
    pub const fn resume(map: &'a CorridorMap, radius: f64, touched: Touched) -> Self {
        Self {
            map,
            radius,
            touched,
        }
    }

    #[must_use]
    pub const fn touched(&self) -> Touched {
        self.touched
    }
}

impl Leader for DiscLeader<'_> {
    fn lead<G: Ground>(
        &mut self,
        ground: &G,
        route: &IndicativeRoute,
        eye: &Eye,
        reference: f64,
        last: f64,
    ) -> Option<Chosen> {
        let walls = self.map.walls();
        let (centre, clearance) = walls.largest_ball_near(eye.at, &mut self.touched)?;
        let radius = clearance - self.radius;
        let along = route.first_meeting(route.length(), reference, |ends| {
            last_inside(ends, centre, radius).ok_or_else(|| ends[1].distance(centre) - radius)
        });
        // Outside the disc the method is undefined; the last attraction point still counts.
        let along = along.unwrap_or(last).max(reference);
        let at = route.point_at(along)?;
        if at.distance(eye.at) > 0.0 && ground.look(eye, at).is_ok() {
            return Some(Chosen {
                along,
                at,
                weight: 0.0,
            });
        }
        let here = route.point_at(reference)?;
        (here.distance(eye.at) > 1e-6 && ground.look(eye, here).is_ok()).then_some(Chosen {
            along: reference,
            at: here,
            weight: 0.0,
        })
    }
}

/// The first point inside a disc, from one end to the other, as a share of the segment.
fn last_inside([from, to]: [DVec2; 2], centre: DVec2, radius: f64) -> Option<f64> {
    if radius <= 0.0 {
        return None;
    }
    let (offset, along) = (from - centre, to - from);
    if offset.length_squared() <= radius * radius {
        return Some(0.0);
    }
    let (a, b) = (along.length_squared(), offset.dot(along));
    let c = offset.length_squared() - radius * radius;
    let root = (b * b - a * c).sqrt();
    let share = (-b - root) / a;
    (0.0..=1.0).contains(&share).then_some(share)
}
