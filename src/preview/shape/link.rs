//! Links: a bow from end to end, with arrows and what is done on it.

use super::{Pen, Scene, arrows};
use crate::document::{Entity, Link, LinkAction, LinkDirection};
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{Dash, Extent, Glyph, Ink, Plane, Primitive, Stroke};
use crate::preview::style;
use glam::DVec2;

/// Rise of the bow, as a share of its length: it must not look like a wall or a route.
const BOW: f64 = 0.18;
const CHORDS: usize = 16;

impl Scene<'_> {
    pub(super) fn draw_link(&self, entity: &Entity, link: &Link, pen: &mut Pen<'_>) {
        let p = self.palette;
        let (from, to) = (link.from.truncate(), link.to.truncate());
        let bow = bow(from, to);
        let stroke = Stroke::pixels(Ink::solid(p.link), 2.0).dashed(match link.action {
            LinkAction::Teleport => Dash::Dotted,
            LinkAction::Jump | LinkAction::Drop => Dash::Dashed,
            LinkAction::Ladder | LinkAction::Lift | LinkAction::Door => Dash::Solid,
        });
        for stroke in [Stroke::pixels(p.halo, style::CASING_WIDTH), stroke] {
            pen.add(
                Plane::Routes,
                Primitive::Line {
                    points: bow.clone(),
                    closed: false,
                    stroke,
                },
            );
        }
        if link.direction == LinkDirection::OneWay {
            let ink = Ink::solid(p.link);
            let size = Extent::pixels(style::ARROW_SIZE + 1.0);
            arrows::along(pen, Plane::Routes, &bow, false, ink, size);
        }
        for (centre, is_entry) in [
            (from, true),
            (to, link.direction == LinkDirection::BothWays),
        ] {
            pen.add(
                Plane::Routes,
                Primitive::Disc {
                    centre,
                    radius: Extent::pixels(4.2),
                    fill: Ink::solid(if is_entry { p.link } else { p.ground }),
                    outline: Some(Stroke::pixels(Ink::solid(p.link), 1.8)),
                },
            );
        }
        let middle = bow[CHORDS / 2];
        if let Some(glyph) = glyph(link.action) {
            pen.add(
                Plane::Routes,
                Primitive::Mark {
                    at: middle,
                    turn: 0.0,
                    glyph,
                    size: Extent::pixels(8.0),
                    fill: Ink::solid(p.link),
                    outline: Some(Stroke::pixels(p.halo, 1.5)),
                },
            );
        }
        let text = if entity.name.is_empty() {
            link.action.name().to_owned()
        } else {
            entity.name.clone()
        };
        pen.label(Label {
            placement: Placement::Above {
                gap: Extent::pixels(style::ARROW_SIZE + 4.0),
            },
            ..self.label(middle, text, Rank::Route, p.link)
        });
    }
}

const fn glyph(action: LinkAction) -> Option<Glyph> {
    match action {
        LinkAction::Jump => Some(Glyph::Jump),
        LinkAction::Ladder | LinkAction::Lift => Some(Glyph::StepUp),
        LinkAction::Drop => Some(Glyph::StepDown),
        LinkAction::Teleport => Some(Glyph::Diamond),
        LinkAction::Door => None,
    }
}

fn bow(from: DVec2, to: DVec2) -> Vec<DVec2> {
    let rise = (to - from).perp() * BOW;
    (0..=CHORDS)
        .map(|i| {
            let t = i as f64 / CHORDS as f64;
            from.lerp(to, t) + rise * (4.0 * t * (1.0 - t))
        })
        .collect()
}
