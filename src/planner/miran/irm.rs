//! The Indicative Route Method's attraction point.
//!
//! Karamouzas, Geraerts and Overmars 2009: the farthest place at which the route meets the largest
//! empty disc around the character's retraction onto the medial axis. In wide spaces the disc is
//! wide, and much of the route is left out at once: what MIRAN was made to avoid.

use super::candidates::{Chosen, Leader};
use super::ground::{Eye, Ground};
use super::route::IndicativeRoute;
use crate::nav::corridor::{CorridorMap, Touched};
use glam::DVec2;

/// Leads by the clearance disc of the medial axis.
#[derive(Clone, Copy, Debug)]
pub struct DiscLeader<'a> {
    map: &'a CorridorMap,
    /// Of the character. Unit: metres.
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
        // Outside of the disc the method says nothing: what it was led to before still counts.
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

/// The first place inside a disc, going from one end to the other: a share of the way.
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
