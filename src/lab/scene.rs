//! Scenes of any size for the benchmarks.

use super::LabError;
use crate::base::{EntityId, Random};
use crate::document::{
    Edit, Entity, Kind, Level, Obstacle, Settings,
    ops::{self, EditError},
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, NavData, ProfileSet};
use glam::DVec2;
use std::sync::Arc;

/// A level baked for one body. Unit: metres.
///
/// # Errors
/// Cancelled.
pub fn nav_for(level: &Level, radius: f64, ctx: &JobContext) -> Result<NavData, LabError> {
    let request = BakeRequest::for_radius(Arc::new(level.clone()), radius);
    let nav = NavBundle::bake(request, ctx)?.nav(radius);
    nav.ok_or_else(|| LabError::Unavailable(format!("nothing was baked for {radius} m")))
}

/// A level without cells for any body: for what all radii share alone.
#[must_use]
pub fn shared_request(level: Level) -> BakeRequest<'static> {
    BakeRequest {
        profiles: ProfileSet::Radii(Vec::new()),
        ..BakeRequest::of(Arc::new(level))
    }
}

/// A square town of `obstacles` separate buildings with `corners` corners each.
///
/// # Errors
/// More than a level holds.
pub fn town(obstacles: usize, corners: usize) -> Result<Level, EditError> {
    /// Distance between the centres of neighbours. Unit: metres.
    const BLOCK: f64 = 20.0;
    let side = (obstacles as f64).sqrt().ceil() as usize;
    let mut random = Random::new(11);
    let settings = Settings {
        name: format!("Town of {obstacles}"),
        bounds: Rect::new(DVec2::ZERO, DVec2::splat(BLOCK * side.max(1) as f64)),
        ..Settings::default()
    };
    let mut edits = vec![Edit::Settings(Arc::new(settings))];
    edits.extend((0..obstacles).map(|i| {
        let cell = DVec2::new((i % side) as f64, (i / side) as f64);
        let area = Polygon::ellipse(
            (cell + 0.5) * BLOCK,
            random.point(DVec2::splat(4.0), DVec2::splat(8.0)),
            corners,
            random.unit(),
        )
        .map(|p| (p * 100.0).round() / 100.0);
        let obstacle = Obstacle {
            height: 3.0 + random.below(12) as f64,
            ..Obstacle::new(area)
        };
        Edit::create(
            EntityId::new(i as u64 + 1),
            Entity::new(format!("House {}", i + 1), Kind::Obstacle(obstacle)),
        )
    }));
    ops::apply(&Level::default(), &edits)
}
