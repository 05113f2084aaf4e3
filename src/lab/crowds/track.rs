//! A closed track that people walk round without end: two straights and two half circles.

use super::stage::{People, Stage, rect};
use crate::base::Distribution;
use crate::document::Repeat;
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use crate::lab::LabError;
use crate::sim::world::World;
use glam::DVec2;
use std::f64::consts::{FRAC_PI_2, PI};

/// Lines across the track that people walk to, one after the other.
const LINES: u32 = 16;

/// Depth of these lines along the track. Unit: metres.
const DEPTH: f64 = 0.3;

/// Space between the track and the edge of the level. Unit: metres.
const MARGIN: f64 = 0.5;

/// Which way people go round a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    One,
    /// Half of them against the others.
    Both,
}

/// Unit of all: metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    pub straight: f64,
    /// Of the middle line in the bends.
    pub radius: f64,
    pub width: f64,
}

impl Track {
    /// Of the middle line.
    pub fn length(&self) -> f64 {
        2.0 * (self.straight + PI * self.radius)
    }

    fn size(&self) -> DVec2 {
        let height = 2.0 * (self.radius + self.width + MARGIN);
        DVec2::new(self.straight + height, height)
    }

    /// Where the first straight begins: its x, and y of the middle lines of both straights.
    pub fn corner(&self) -> (f64, [f64; 2]) {
        let middle = 0.5 * self.size().y;
        (middle, [middle - self.radius, middle + self.radius])
    }

    /// Place and direction of the middle line, so far along it counter-clockwise.
    fn at(&self, along: f64) -> (DVec2, DVec2) {
        let (left, [low, high]) = self.corner();
        let right = left + self.straight;
        let bend = PI * self.radius;
        let along = along.rem_euclid(self.length());
        let turning = |x: f64, from: f64, along: f64| {
            let outward = DVec2::from_angle(from + along / self.radius);
            let centre = DVec2::new(x, 0.5 * (low + high));
            (centre + outward * self.radius, outward.perp())
        };
        let second = along - self.straight - bend;
        if along < self.straight {
            (DVec2::new(left + along, low), DVec2::X)
        } else if second < 0.0 {
            turning(right, -FRAC_PI_2, along - self.straight)
        } else if second < self.straight {
            (DVec2::new(right - second, high), DVec2::NEG_X)
        } else {
            turning(left, FRAC_PI_2, second - self.straight)
        }
    }

    /// The part of the track between two places along it.
    fn part(&self, from: f64, to: f64) -> Polygon {
        let steps = ((to - from) / 0.25).ceil().max(1.0) as u32;
        let side = |offset: f64| {
            (0..=steps).map(move |i| {
                let share = f64::from(i) / f64::from(steps);
                let (place, direction) = self.at(from + (to - from) * share);
                place + direction.perp() * (offset * self.width)
            })
        };
        let inner: Vec<DVec2> = side(0.5).collect();
        Polygon::new(side(-0.5).chain(inner.into_iter().rev()).collect())
    }

    fn stage(&self) -> Stage {
        let size = self.size();
        let oval = |offset: f64| -> Vec<DVec2> {
            let (left, _) = self.corner();
            let arc =
                |x: f64, from: f64| (0..=24).map(move |i| (x, from + PI * f64::from(i) / 24.0));
            arc(left + self.straight, -FRAC_PI_2)
                .chain(arc(left, FRAC_PI_2))
                .map(|(x, angle)| {
                    let centre = DVec2::new(x, 0.5 * size.y);
                    centre + DVec2::from_angle(angle) * (self.radius + offset)
                })
                .collect()
        };
        let mut outside = rect(0.0, 0.0, size.x, size.y);
        outside.holes.push(oval(0.5 * self.width));
        Stage::new(size.x, size.y)
            .wall(Polygon::new(oval(-0.5 * self.width)))
            .wall(outside.normalised())
    }

    /// Goals of people who begin behind a line: all lines, the one in front of them first.
    fn round(&self, behind: u32, is_back: bool) -> Vec<Polygon> {
        let line = |number: u32| {
            let along = self.length() * f64::from(number % LINES) / f64::from(LINES);
            self.part(along - 0.5 * DEPTH, along + 0.5 * DEPTH)
        };
        (0..LINES)
            .map(|i| match is_back {
                false => line(behind + 1 + i),
                true => line(behind + LINES - i),
            })
            .collect()
    }

    /// People evenly spread along the track: in single file, or over its width.
    pub fn world(
        &self,
        count: u32,
        flow: Flow,
        seed: u64,
        speed: Distribution,
        ctx: &JobContext,
    ) -> Result<World, LabError> {
        let mut stage = self.stage();
        let is_single = self.width < 4.0 * stage.radius;
        let parts = if is_single { count } else { LINES };
        for i in 0..parts {
            let along = |i: u32| self.length() * f64::from(i) / f64::from(parts);
            let (from, to) = (along(i), along(i + 1));
            let behind = (f64::from(LINES) * 0.5 * (from + to) / self.length()) as u32;
            let area = if is_single {
                let (place, _) = self.at(0.5 * (from + to));
                rect(
                    place.x - 0.02,
                    place.y - 0.02,
                    place.x + 0.02,
                    place.y + 0.02,
                )
            } else {
                self.part(from, to)
            };
            let is_back = flow == Flow::Both && i % 2 == 1;
            stage = stage.people(People {
                goals: self.round(behind, is_back),
                repeat: Repeat::Loop,
                speed,
                ..People::new(
                    area,
                    count * (i + 1) / parts - count * i / parts,
                    Polygon::default(),
                )
            });
        }
        stage.world("walker", seed, ctx)
    }
}
