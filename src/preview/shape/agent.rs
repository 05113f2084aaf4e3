//! Agents and crowds: discs of their true size, and their goals.

use super::{Pen, Scene, rings, scale_for};
use crate::base::{Colour, EntityId, Random};
use crate::document::goal_area::{exit_areas, patrol_stops};
use crate::document::{Agent, Crowd, Entity, Goal, Kind, Mission, Repeat, limits};
use crate::geometry::Polygon;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{
    Dash, Extent, Fill, FillRule, Glyph, Ink, Plane, Primitive, Stroke,
};
use crate::preview::style;
use glam::DVec2;

/// At most this many members of a crowd are shown; the number in the label is exact.
const MAX_SAMPLES: usize = 120;
/// Attempts to find a free position for one sample.
const TRIES: usize = 12;

impl Scene<'_> {
    pub(super) fn draw_agent(&self, entity: &Entity, agent: &Agent, pen: &mut Pen<'_>) {
        let p = self.palette;
        let (colour, radius) = self.body(agent.mission.profile);
        let start = agent.start.truncate();
        self.draw_mission(start, &agent.mission, colour, pen);
        let size = Extent::metres(radius, style::AGENT_RADIUS);
        pen.add(
            Plane::Agents,
            Primitive::Disc {
                centre: start,
                radius: size,
                fill: Ink::solid(colour),
                outline: Some(Stroke::pixels(Ink::new(p.halo.colour, 0.9), 1.4)),
            },
        );
        pen.add(
            Plane::Agents,
            Primitive::Mark {
                at: start,
                turn: agent.heading.radians(),
                glyph: Glyph::Nose,
                size,
                fill: Ink::solid(contrasting(colour)),
                outline: None,
            },
        );
        pen.label(Label {
            placement: Placement::Beside { gap: size },
            ..self.label(start, &entity.name, Rank::Agent, colour)
        });
    }

    pub(super) fn draw_crowd(
        &self,
        id: EntityId,
        entity: &Entity,
        crowd: &Crowd,
        pen: &mut Pen<'_>,
    ) {
        let (colour, radius) = self.body(crowd.mission.profile);
        let (at, _) = super::label_room(&crowd.area);
        self.draw_mission(at, &crowd.mission, colour, pen);
        pen.add_from(
            Plane::Crowds,
            scale_for(crowd.area.bounds().size()),
            Primitive::Area {
                rings: rings(&crowd.area),
                rule: FillRule::EvenOdd,
                fill: Fill::plain(Ink::new(colour, 0.12)),
                outline: Some(Stroke::pixels(Ink::new(colour, 0.9), 1.4).dashed(Dash::Dashed)),
            },
        );
        for centre in samples(id, &crowd.area, crowd.size() as usize, radius) {
            pen.add_from(
                Plane::Crowds,
                1.2 / radius,
                Primitive::Disc {
                    centre,
                    radius: Extent::metres(radius, 0.0),
                    fill: Ink::new(colour, 0.8),
                    outline: None,
                },
            );
        }
        let count = format!("× {}", crowd.size());
        let text = if entity.name.is_empty() {
            count
        } else {
            format!("{} {count}", entity.name)
        };
        pen.label(self.label(at, text, Rank::Crowd, colour));
    }

    /// Centre of the exit that is nearest as the crow flies.
    fn nearest_exit(&self, from: DVec2) -> Option<DVec2> {
        exit_areas(self.level)
            .iter()
            .map(|area| super::label_room(area).0)
            .min_by(|a, b| {
                a.distance_squared(from)
                    .total_cmp(&b.distance_squared(from))
            })
    }

    /// A profile's colour and radius; defaults if it is missing.
    fn body(&self, profile: EntityId) -> (Colour, f64) {
        match self.level.get(profile).map(|entity| &entity.kind) {
            Some(Kind::Profile(profile)) => {
                (self.palette.agent(profile.colour), profile.body.radius)
            }
            _ => (self.palette.forbidden, limits::RADIUS.default),
        }
    }

    /// A dotted line from the start through the goals, a ring at each, a flag at the last.
    fn draw_mission(&self, start: DVec2, mission: &Mission, colour: Colour, pen: &mut Pen<'_>) {
        let p = self.palette;
        let goals: Vec<DVec2> = mission
            .goals
            .iter()
            .flat_map(|goal| match goal {
                Goal::At(place) => vec![place.truncate()],
                Goal::Inside(target) => self.place_inside(*target).into_iter().collect(),
                Goal::Patrol(target) => patrol_stops(self.level, *target, start),
                Goal::NearestExit => self.nearest_exit(start).into_iter().collect(),
            })
            .collect();
        let Some((last, between)) = goals.split_last() else {
            return;
        };
        let mut points = vec![start];
        points.extend(&goals);
        if mission.repeat == Repeat::Loop {
            points.push(start);
        }
        pen.add(
            Plane::Missions,
            Primitive::Line {
                points,
                closed: false,
                stroke: Stroke::pixels(Ink::new(colour, 0.85), 1.8).dashed(Dash::Dotted),
            },
        );
        for (centre, number) in between.iter().zip(1..) {
            pen.add(Plane::Missions, self.ring(*centre, colour));
            pen.label(Label {
                size: style::SMALL_LABEL_SIZE,
                placement: Placement::Beside {
                    gap: Extent::pixels(style::GOAL_RADIUS),
                },
                ..self.label(*centre, format!("{number}"), Rank::Agent, colour)
            });
        }
        pen.add(Plane::Missions, self.ring(*last, colour));
        pen.add(
            Plane::Missions,
            Primitive::Mark {
                at: *last,
                turn: 0.0,
                glyph: Glyph::Flag,
                size: Extent::pixels(10.0),
                fill: Ink::solid(colour),
                outline: Some(Stroke::pixels(p.halo, 1.2)),
            },
        );
    }

    fn ring(&self, centre: DVec2, colour: Colour) -> Primitive {
        Primitive::Disc {
            centre,
            radius: Extent::pixels(style::GOAL_RADIUS),
            fill: self.palette.halo,
            outline: Some(Stroke::pixels(Ink::solid(colour), 1.8)),
        }
    }
}

/// Dark on light and light on dark.
fn contrasting(colour: Colour) -> Colour {
    let other = if colour.luma() > 0.5 {
        0x000000
    } else {
        0xffffff
    };
    colour.mix(Colour::hex(other), 0.78)
}

/// Sample positions for a crowd: inside its area, apart from each other while there is room.
/// Deterministic for a given crowd.
fn samples(id: EntityId, area: &Polygon, count: usize, radius: f64) -> Vec<DVec2> {
    let mut random = Random::stream(0x5eed, id.number());
    let bounds = area.bounds();
    let mut found: Vec<DVec2> = Vec::new();
    for _ in 0..count.min(MAX_SAMPLES) {
        let free = (0..TRIES)
            .map(|_| random.point(bounds.min, bounds.max))
            .find(|p| area.contains(*p) && found.iter().all(|q| q.distance(*p) > 2.2 * radius));
        found.extend(free);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;

    #[test]
    fn samples_stand_inside_and_apart_and_never_change() {
        let area = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(10.0)));
        let first = samples(EntityId::new(4), &area, 40, 0.3);
        assert!(first.len() > 30);
        assert_eq!(first, samples(EntityId::new(4), &area, 40, 0.3));
        assert_ne!(first, samples(EntityId::new(5), &area, 40, 0.3));
        for (i, p) in first.iter().enumerate() {
            assert!(area.contains(*p));
            assert!(first[i + 1..].iter().all(|q| q.distance(*p) > 0.66));
        }
        assert!(samples(EntityId::new(4), &area, 90_000, 4.0).len() < 10);
        assert!(samples(EntityId::new(4), &Polygon::default(), 5, 0.3).is_empty());
    }
}
