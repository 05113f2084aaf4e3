//! How a planner's path leads a body: from gate to gate.
//!
//! Every corner of the path is a gate that reaches from the corner to the wall opposite. In
//! a crowd each body passes it where it gets there first; otherwise all would queue for one point
//! beside the corner.

use super::neighbours::STOREY;
use super::walls::Walls;
use crate::geometry::Polygon;
use crate::geometry::polygon::closest_on_segment;
use crate::planner::Path;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Widest gate. Unit: metres.
const MAX_WIDTH: f64 = 20.0;

/// Points of simulated paths are dropped that are closer than this to the line through the others.
/// Unit: metres.
const TOLERANCE: f64 = 0.1;

/// Steps between two checks whether the next gate is in sight, if it is near.
const CHECK_INTERVAL: u64 = 8;

/// Checks that must fail before the path counts as lost.
const MOST_FAILURES: u8 = 3;

/// A goal point is reached at this distance, plus the body's radius. Unit: metres.
const ARRIVAL: f64 = 0.3;

/// How far inside a goal's area the place is that a body heads for. Unit: metres.
const INSIDE: f64 = 0.2;

/// Share of the body's radius with which lines of sight are checked: a body pushed against a wall
/// still sees along it.
const SIGHT_WIDTH: f64 = 0.8;

/// How far a body may leave a path in space. Unit: metres.
const LEASH: f64 = 0.5;

/// Speed on stairs relative to that on level ground (Fruin 1971, ages 30 to 50): up, down.
const STAIRS: [f64; 2] = [0.373, 0.485];

/// Slopes between these are stairs: rise over run.
const STAIR_SLOPES: [f64; 2] = [0.27, 1.8];

/// The nearest wall is opposite if it is nearer than this share of the distance along the bisector.
const NARROWER: f64 = 0.6;

/// The wall opposite is looked for within this angle of the bisector: its cosine and sine.
const OPPOSITE: [f64; 2] = [0.5, 0.866_025_403_784_438_6];

#[derive(Clone, Copy, Debug, PartialEq)]
struct Gate {
    at: DVec3,
    /// From the corner to the wall opposite: of length 1.
    outward: DVec2,
    /// How far along `outward` bodies may pass. Unit: metres.
    width: f64,
    /// Direction in which the gate is passed.
    forward: DVec2,
    /// Length of the path from here on. Unit: metres.
    rest: f64,
    /// Rise over run of the piece that leads here.
    slope: f64,
}

/// How closely a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Following {
    /// Any shortcut in sight may be taken: the path was pulled tight anyway.
    Shortcuts,
    /// The path has its shape for a reason.
    Shape,
    /// The path is in space, where the walls of the plan do not count.
    Space,
}

/// One leg: a path to a stop.
#[derive(Clone, Debug)]
pub struct Guide {
    gates: Arc<[Gate]>,
    area: Option<Arc<[Polygon]>>,
    /// The area in which the path ends.
    ends_in: Option<usize>,
    following: Following,
    next: usize,
    failures: u8,
    /// Where the area of the goal is entered: the nearest place of it that was in sight.
    aim: Option<DVec2>,
    /// It leads to another gate than when it last looked.
    must_look: bool,
}

/// What a guide says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// Of length 1, or 0.
    pub direction: DVec2,
    /// Unit: metres.
    pub remaining: f64,
    /// Height of the path. Unit: metres.
    pub height: f64,
    /// Share of the speed on level ground, in plan.
    pub pace: f64,
    pub state: GuideState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuideState {
    Leading,
    Arrived,
    /// The body was pushed to where it does not see the path.
    Lost,
}

/// What a guide is asked.
#[derive(Clone, Copy, Debug)]
pub struct Follower<'a> {
    pub position: DVec2,
    pub radius: f64,
    pub walls: &'a Walls,
    /// From 0, alone, to 1, in a crowd.
    pub crowding: f64,
    /// When it looks whether gates are in sight.
    pub turn: u64,
}

impl Guide {
    /// `None` for a path without points.
    #[must_use]
    pub fn new(
        path: &Path,
        area: Option<Arc<[Polygon]>>,
        following: Following,
        radius: f64,
        walls: &Walls,
    ) -> Option<Self> {
        let points = corners(path, following);
        let last = points.len().checked_sub(1)?;
        let mut rest = 0.0;
        let mut gates: Vec<Gate> = Vec::with_capacity(points.len());
        for (i, at) in points.iter().enumerate().rev() {
            let here = at.truncate();
            let after = points.get(i + 1).map(|p| p.truncate() - here);
            let before = i.checked_sub(1).map(|i| here - points[i].truncate());
            if let Some(after) = after {
                rest += after.length();
            }
            let [into, out] = [before, after].map(|v| v.and_then(DVec2::try_normalize));
            let into_or = into.or(out).unwrap_or(DVec2::X);
            let out_or = out.unwrap_or(into_or);
            let mut forward = (into_or + out_or).try_normalize().unwrap_or(into_or);
            let mut outward = (into_or - out_or).try_normalize().unwrap_or(DVec2::ZERO);
            let is_corner = i > 0 && i < last && following == Following::Shortcuts;
            let mut width = 0.0;
            if is_corner && outward != DVec2::ZERO {
                let farthest = MAX_WIDTH + radius;
                let straight = outward * walls.ray(here, outward, farthest);
                let opposite = walls.nearest_within(here, outward, OPPOSITE, farthest);
                // In a bend, those side by side stay so; in a door, the opening counts.
                let across = opposite
                    .map(|wall| wall - here)
                    .filter(|across| across.length() < NARROWER * straight.length())
                    .unwrap_or(straight);
                width = (across.length() - radius).max(0.0);
                outward = across.try_normalize().unwrap_or(outward);
                let along = outward.perp();
                forward = along * if along.dot(forward) < 0.0 { -1.0 } else { 1.0 };
            }
            let run = before.map_or(0.0, DVec2::length);
            let slope = match i.checked_sub(1) {
                Some(i) if run > 1e-6 => (at.z - points[i].z) / run,
                _ => 0.0,
            };
            gates.push(Gate {
                at: *at,
                outward,
                width,
                forward,
                rest,
                slope,
            });
        }
        gates.reverse();
        let ends_in = area
            .as_ref()
            .and_then(|areas| area_at(areas, points[last].truncate()));
        Some(Self {
            gates: gates.into(),
            area,
            ends_in,
            following,
            next: 1.min(last),
            failures: 0,
            aim: None,
            must_look: true,
        })
    }

    /// How many areas the goal has.
    #[must_use]
    pub fn areas(&self) -> usize {
        self.area.as_ref().map_or(0, |areas| areas.len())
    }

    /// The area of the goal in which the path ends.
    #[must_use]
    pub const fn area(&self) -> Option<usize> {
        self.ends_in
    }

    /// Width of the narrowest gate that is ahead, for a body; `None` without corners. Unit: metres.
    #[must_use]
    pub fn narrowest(&self, radius: f64) -> Option<f64> {
        let ahead = self.gates[self.next..].iter();
        let widths = ahead.map(|gate| gate.width).filter(|width| *width > 0.0);
        widths
            .min_by(f64::total_cmp)
            .map(|width| width + 2.0 * radius)
    }

    /// Of the whole leg. Unit: metres.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.gates[0].rest
    }

    /// Where the leg ends.
    #[must_use]
    pub fn end(&self) -> DVec3 {
        self.gates[self.gates.len() - 1].at
    }

    #[must_use]
    pub const fn is_in_space(&self) -> bool {
        matches!(self.following, Following::Space)
    }

    /// All points of the leg.
    pub fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.gates.iter().map(|gate| gate.at)
    }

    /// The points that are ahead, for showing the plan of a body.
    pub fn ahead(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.gates[self.next..].iter().map(|gate| gate.at)
    }

    /// Whether no wall is across the path from a place on.
    #[must_use]
    pub fn is_free(&self, from: DVec2, radius: f64, walls: &Walls) -> bool {
        let mut at = from;
        self.is_in_space()
            || self.ahead().all(|next| {
                let next = next.truncate();
                let is_clear = walls.is_clear(at, next, radius * SIGHT_WIDTH);
                at = next;
                is_clear
            })
    }

    /// The nearest place within the leash of the piece that is walked, for paths in space.
    #[must_use]
    pub fn kept(&self, p: DVec2) -> DVec2 {
        let to = self.gates[self.next].at.truncate();
        let from = self.gates[self.next.saturating_sub(1)].at.truncate();
        let on = closest_on_segment(from, to, p);
        on + (p - on).clamp_length_max(LEASH)
    }

    /// The corner for a body that is alone, and in a crowd the place of the gate nearest to it. Of
    /// an area that is the goal, the place where this body enters it.
    fn target(&self, gate: usize, who: &Follower<'_>) -> DVec2 {
        if let Some(aim) = self.aim
            && gate + 1 == self.gates.len()
        {
            return aim;
        }
        let gate = &self.gates[gate];
        let corner = gate.at.truncate();
        let nearest = (who.position - corner).dot(gate.outward);
        corner + gate.outward * (nearest.clamp(0.0, gate.width) * who.crowding)
    }

    /// The place of the goal's area that is nearest to a body, if it is in sight. Where all would
    /// head for the end of their paths, they would queue for one point of a wide area.
    fn entrance(&self, who: &Follower<'_>) -> Option<DVec2> {
        if self.following == Following::Space || self.next + 1 < self.gates.len() {
            return None;
        }
        let area = self.area.as_ref()?.get(self.ends_in?)?;
        let nearest = area
            .edges()
            .map(|(from, to)| closest_on_segment(from, to, who.position))
            .min_by(|a, b| {
                let far = |p: &DVec2| p.distance_squared(who.position);
                far(a).total_cmp(&far(b))
            })?;
        let inwards = (nearest - who.position).try_normalize()?;
        let inside = nearest + inwards * INSIDE;
        [inside, nearest]
            .into_iter()
            .find(|place| self.sees(who, *place))
    }

    fn sees(&self, who: &Follower<'_>, target: DVec2) -> bool {
        self.following == Following::Space
            || who
                .walls
                .is_clear(who.position, target, who.radius * SIGHT_WIDTH)
    }

    /// Whether the body is past a gate and can go on to the next.
    fn has_passed(&self, index: usize, who: &Follower<'_>) -> bool {
        let gate = &self.gates[index];
        let offset = who.position - gate.at.truncate();
        let is_close = offset.length_squared() < who.radius * who.radius;
        (offset.dot(gate.forward) > 0.0 || is_close) && self.sees(who, self.target(index + 1, who))
    }

    /// Steps between two looks: what is far comes in sight and out of it more slowly.
    fn interval(&self, who: &Follower<'_>) -> u64 {
        let far = self.gates[self.next].at.truncate().distance(who.position);
        let times = match far {
            _ if self.failures > 0 => 1,
            ..8.0 => 1,
            ..16.0 => 2,
            ..32.0 => 4,
            _ => 8,
        };
        CHECK_INTERVAL * times
    }

    fn has_arrived(&self, who: &Follower<'_>) -> bool {
        if let Some(areas) = &self.area {
            let p = who.position;
            // Below or above the area is not in it.
            if self.is_in_space() && (self.height(p) - self.end().z).abs() > STOREY {
                return false;
            }
            return areas
                .iter()
                .any(|area| area.bounds().contains(p) && area.contains(p));
        }
        let last = self.gates.len() - 1;
        let reach = ARRIVAL + who.radius;
        let offset = who.position - self.end().truncate();
        self.next == last && offset.length_squared() < reach * reach
    }

    /// Height of the piece that is walked, above or below a place. Unit: metres.
    fn height(&self, p: DVec2) -> f64 {
        let to = self.gates[self.next].at;
        let from = self.gates[self.next.saturating_sub(1)].at;
        if from.z == to.z {
            return to.z;
        }
        let run = to.truncate() - from.truncate();
        let covered = (p - from.truncate()).dot(run);
        let share = (covered / run.length_squared().max(1e-9)).clamp(0.0, 1.0);
        from.z + (to.z - from.z) * share
    }

    /// Where to go from here.
    pub fn lead(&mut self, who: &Follower<'_>) -> Advice {
        let last = self.gates.len() - 1;
        let mut state = GuideState::Leading;
        // Dense paths have many gates within a step.
        for _ in 0..8 {
            if self.next >= last || !self.has_passed(self.next, who) {
                break;
            }
            self.next += 1;
            self.must_look = true;
        }
        if self.must_look || who.turn.is_multiple_of(self.interval(who)) {
            self.must_look = false;
            let may_skip = self.following == Following::Shortcuts && self.next < last;
            if may_skip && self.sees(who, self.target(self.next + 1, who)) {
                self.next += 1;
                self.failures = 0;
                self.must_look = true;
            } else if self.sees(who, self.target(self.next, who))
                || self.sees(who, self.gates[self.next].at.truncate())
            {
                self.failures = 0;
            } else if self.next > 1 && self.sees(who, self.target(self.next - 1, who)) {
                self.next -= 1;
                self.failures = 0;
            } else {
                self.failures = self.failures.saturating_add(1);
                if self.failures >= MOST_FAILURES {
                    self.failures = 0;
                    state = GuideState::Lost;
                }
            }
            self.aim = self.entrance(who);
        }
        if self.has_arrived(who) {
            state = GuideState::Arrived;
        }
        let gate = &self.gates[self.next];
        let target = self.target(self.next, who);
        let offset = target - who.position;
        let distance = offset.length();
        let slope = gate.slope;
        Advice {
            direction: offset.try_normalize().unwrap_or(DVec2::ZERO),
            remaining: distance + gate.rest,
            height: self.height(who.position),
            pace: match self.following {
                Following::Space => pace_on(slope),
                Following::Shortcuts | Following::Shape => 1.0,
            },
            state,
        }
    }
}

/// Share of the speed on level ground with which a slope is walked, in plan. Steep ones are stairs.
#[must_use]
pub fn pace_on(slope: f64) -> f64 {
    let steepness = slope.abs();
    if steepness < 1e-3 {
        return 1.0;
    }
    let in_plan = 1.0 / (1.0 + slope * slope).sqrt();
    let effort = if (STAIR_SLOPES[0]..=STAIR_SLOPES[1]).contains(&steepness) {
        STAIRS[usize::from(slope < 0.0)]
    } else {
        1.0
    };
    in_plan * effort
}

/// The points that matter: all corners of drawn paths, and of simulated ones enough to keep their
/// shape.
fn corners(path: &Path, following: Following) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = path
        .points
        .iter()
        .copied()
        .filter(|p| p.is_finite())
        .collect();
    points.dedup();
    if following == Following::Shortcuts || points.len() < 3 {
        return points;
    }
    // Space keeps every change of height: stairs are found by their slopes.
    let mut kept = vec![points[0]];
    let mut from = 0;
    for i in 1..points.len() - 1 {
        let (a, b) = (points[from], points[i + 1]);
        let is_straight = points[from + 1..=i]
            .iter()
            .all(|p| distance_to_line(*p, a, b) <= TOLERANCE)
            && i - from < 64;
        if !is_straight {
            kept.push(points[i]);
            from = i;
        }
    }
    kept.extend(points.last());
    kept
}

/// The area that a place is in, or on the border of.
fn area_at(areas: &[Polygon], p: DVec2) -> Option<usize> {
    areas.iter().position(|area| {
        area.bounds().expanded(1e-6).contains(p)
            && (area.contains(p) || area.distance_to_edge(p) <= 1e-6)
    })
}

fn distance_to_line(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    p.distance(a + along * t)
}
