//! Doors: jambs, the leaf as it stands, and the arc that it sweeps.

use super::{Pen, Scene, beside_line};
use crate::base::{Colour, EntityId};
use crate::document::{Door, DoorState, Entity, Kind, Swing};
use crate::preview::label::{Label, Rank};
use crate::preview::primitive::{Dash, Extent, Glyph, Ink, Plane, Primitive, Stroke};
use crate::preview::style;
use glam::DVec2;
use std::f64::consts::FRAC_PI_2;

/// Chords of the arc that a leaf sweeps.
const ARC_CHORDS: usize = 12;

impl Scene<'_> {
    /// As it is at the start of the level's clock.
    pub(super) fn draw_door(&self, entity: &Entity, door: &Door, pen: &mut Pen<'_>) {
        let p = self.palette;
        let is_set = |flag: EntityId| {
            let flag = self.level.get(flag).map(|entity| &entity.kind);
            matches!(flag, Some(Kind::Flag(true)))
        };
        let state = door.state_at(self.level.settings().clock.start, is_set);
        let colour = p.door(state);
        let [from, to] = door.jambs;
        let line = |points: Vec<DVec2>, stroke| Primitive::Line {
            points,
            closed: false,
            stroke,
        };
        let leaf = Stroke {
            ink: Ink::solid(colour),
            width: Extent::metres(Door::LEAF, 3.0),
            dash: Dash::Solid,
        };
        if state.is_open() {
            // The threshold keeps the door visible and easy to pick.
            let threshold = Stroke::pixels(Ink::new(colour, 0.55), 1.2).dashed(Dash::Dashed);
            pen.add(Plane::Obstacles, line(vec![from, to], threshold));
            for (hinge, end) in leaves(door) {
                let swept = Stroke::pixels(Ink::new(colour, 0.6), 1.0);
                if door.swing == Swing::Sliding {
                    // Pushed aside, along its wall.
                    let aside = hinge + (hinge - end);
                    pen.add(Plane::Obstacles, line(vec![hinge, aside], leaf));
                    continue;
                }
                let arc = arc(hinge, end, opens(door, hinge));
                let ajar = *arc.last().unwrap_or(&end);
                pen.add(Plane::Obstacles, line(arc, swept));
                pen.add(Plane::Obstacles, line(vec![hinge, ajar], leaf));
            }
        } else {
            pen.add(
                Plane::Obstacles,
                line(vec![from, to], Stroke::pixels(p.halo, style::CASING_WIDTH)),
            );
            pen.add(Plane::Obstacles, line(vec![from, to], leaf));
            if state == DoorState::Locked {
                pen.add(
                    Plane::Obstacles,
                    mark(door.centre(), Glyph::Cross, colour, p.halo),
                );
            }
        }
        for jamb in door.jambs {
            pen.add(
                Plane::Obstacles,
                Primitive::Disc {
                    centre: jamb,
                    radius: Extent::pixels(2.6),
                    fill: Ink::solid(colour),
                    outline: Some(Stroke::pixels(p.halo, 1.0)),
                },
            );
        }
        pen.label(Label {
            placement: beside_line(to - from, Extent::pixels(style::ARROW_SIZE + 2.0)),
            ..self.label(door.centre(), &entity.name, Rank::Obstacle, colour)
        });
    }
}

fn mark(at: DVec2, glyph: Glyph, colour: Colour, halo: Ink) -> Primitive {
    Primitive::Mark {
        at,
        turn: 0.0,
        glyph,
        size: Extent::pixels(7.0),
        fill: Ink::solid(colour),
        outline: Some(Stroke::pixels(halo, 1.2)),
    }
}

/// Hinge and end of each leaf when the door is shut.
fn leaves(door: &Door) -> Vec<(DVec2, DVec2)> {
    let [from, to] = door.jambs;
    let middle = door.centre();
    match door.swing {
        Swing::Left | Swing::Sliding => vec![(from, to)],
        Swing::Right => vec![(to, from)],
        Swing::Double => vec![(from, middle), (to, middle)],
        Swing::None => Vec::new(),
    }
}

/// All leaves open to one side.
fn opens(door: &Door, hinge: DVec2) -> f64 {
    if hinge == door.jambs[0] { 1.0 } else { -1.0 }
}

/// From the shut leaf to the open one; `sense` is 1 for counter-clockwise.
fn arc(hinge: DVec2, end: DVec2, sense: f64) -> Vec<DVec2> {
    let leaf = end - hinge;
    (0..=ARC_CHORDS)
        .map(|i| {
            let angle = sense * FRAC_PI_2 * i as f64 / ARC_CHORDS as f64;
            hinge + DVec2::from_angle(angle).rotate(leaf)
        })
        .collect()
}
