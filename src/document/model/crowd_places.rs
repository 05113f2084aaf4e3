//! Places that matter to crowds: exits, waiting areas, queues, and where runs are measured.

use super::{
    check::{self, Checked},
    constraint::FlagIs,
    limits,
};
use crate::base::Distribution;
use crate::geometry::{Polygon, Rect};
use glam::DVec2;

/// An area in which agents leave the level.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    pub area: Polygon,
    /// Height of its floor above the ground. Unit: metres.
    pub base: f64,
}

/// An area in which agents wait who have it as a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingArea {
    pub area: Polygon,
    /// Height of its floor above the ground. Unit: metres.
    pub base: f64,
    pub wait: Wait,
}

/// How long an agent waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wait {
    /// Unit: seconds.
    For(Distribution),
    /// Until this time of day. Unit: hours.
    UntilHour(f64),
    Until(FlagIs),
}

/// A line of people before a counter; whoever has it as a goal is served there.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// From the counter, where one is served, backwards to the end of the line.
    pub line: Vec<DVec2>,
    /// Height of its floor above the ground. Unit: metres.
    pub base: f64,
    /// Distance between people in the line. Unit: metres.
    pub spacing: f64,
    /// How long one is served. Unit: seconds.
    pub service: Distribution,
}

/// Where a run is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    pub shape: MeasureShape,
    /// Height of its floor above the ground. Unit: metres.
    pub base: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MeasureShape {
    /// Flow across it.
    Line([DVec2; 2]),
    /// Density and speed inside it.
    Area(Polygon),
}

impl Exit {
    #[must_use]
    pub const fn new(area: Polygon) -> Self {
        Self { area, base: 0.0 }
    }

    pub(super) fn check(&self) -> Checked {
        check::quantity(&limits::ELEVATION, self.base)?;
        check::polygon(&self.area)
    }
}

impl WaitingArea {
    #[must_use]
    pub const fn new(area: Polygon) -> Self {
        Self {
            area,
            base: 0.0,
            wait: Wait::For(Distribution::Constant(limits::WAITING.default)),
        }
    }

    pub(super) fn check(&self) -> Checked {
        check::quantity(&limits::ELEVATION, self.base)?;
        check::polygon(&self.area)?;
        match self.wait {
            Wait::For(time) => check::duration(&time),
            Wait::UntilHour(hour) => check::quantity(&limits::TIME_OF_DAY, hour),
            Wait::Until(_) => Ok(()),
        }
    }
}

impl Queue {
    #[must_use]
    pub const fn new(line: Vec<DVec2>) -> Self {
        Self {
            line,
            base: 0.0,
            spacing: limits::QUEUE_SPACING.default,
            service: Distribution::Constant(limits::SERVICE.default),
        }
    }

    /// Unit: metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.line
            .windows(2)
            .map(|pair| pair[0].distance(pair[1]))
            .sum()
    }

    /// Places to stand, from the one at the counter backwards.
    #[must_use]
    pub fn slots(&self) -> Vec<DVec2> {
        let mut slots: Vec<DVec2> = self.line.first().copied().into_iter().collect();
        let mut until_next = self.spacing;
        for pair in self.line.windows(2) {
            let length = pair[0].distance(pair[1]);
            // Steps that miss the end by rounding alone still count.
            while until_next <= length + 1e-9 && slots.len() < limits::MAX_RING_POINTS {
                let share = (until_next / length.max(1e-12)).min(1.0);
                slots.push(pair[0].lerp(pair[1], share));
                until_next += self.spacing;
            }
            until_next -= length;
        }
        slots
    }

    pub(super) fn check(&self) -> Checked {
        check::points(&self.line, 2, "the queue's line")?;
        check::quantity(&limits::ELEVATION, self.base)?;
        check::quantity(&limits::QUEUE_SPACING, self.spacing)?;
        check::duration(&self.service)
    }
}

impl Measure {
    #[must_use]
    pub const fn line(from: DVec2, to: DVec2) -> Self {
        Self {
            shape: MeasureShape::Line([from, to]),
            base: 0.0,
        }
    }

    #[must_use]
    pub const fn area(area: Polygon) -> Self {
        Self {
            shape: MeasureShape::Area(area),
            base: 0.0,
        }
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        match &self.shape {
            MeasureShape::Line(ends) => Rect::of_points(ends),
            MeasureShape::Area(area) => area.bounds(),
        }
    }

    pub(super) fn check(&self) -> Checked {
        check::quantity(&limits::ELEVATION, self.base)?;
        match &self.shape {
            MeasureShape::Line(ends) => ends.iter().try_for_each(|end| check::point(*end)),
            MeasureShape::Area(area) => check::polygon(area),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_stand_at_equal_distances_around_corners() {
        let line = vec![DVec2::ZERO, DVec2::X, DVec2::new(1.0, 2.0)];
        let mut queue = Queue::new(line);
        queue.spacing = 0.75;
        let slots = queue.slots();
        let expected = [(0.0, 0.0), (0.75, 0.0), (1.0, 0.5), (1.0, 1.25), (1.0, 2.0)];
        assert_eq!(slots.len(), expected.len());
        for (slot, (x, y)) in slots.iter().zip(expected) {
            assert!(slot.distance(DVec2::new(x, y)) < 1e-9, "{slots:?}");
        }
        queue.line = vec![DVec2::ONE, DVec2::ONE];
        assert_eq!(queue.slots(), [DVec2::ONE]);
    }
}
