//! Drawing of how a path follows its route.

use super::{Followed, Moment};
use crate::base::Colour;
use crate::planner::trace::{Event, EventKind};
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{Dash, Extent, Glyph, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::style::{self, Palette};
use glam::DVec2;

/// Candidates closer together on screen get no weight labels. Unit: pixels.
const LABEL_ROOM: f64 = 40.0;

fn add(sink: &mut dyn Sink, plane: Plane, primitive: Primitive) {
    sink.add(Shape {
        plane,
        entity: None,
        min_scale: 0.0,
        primitive,
    });
}

fn line(points: Vec<DVec2>, stroke: Stroke) -> Primitive {
    Primitive::Line {
        points,
        closed: false,
        stroke,
    }
}

fn disc(centre: DVec2, radius: f64, fill: Ink, edge: Stroke) -> Primitive {
    Primitive::Disc {
        centre,
        radius: Extent::pixels(radius),
        fill,
        outline: Some(edge),
    }
}

fn text(at: DVec2, words: String, ink: Ink, gap: f64, palette: &Palette) -> Primitive {
    Primitive::Text(Label {
        at,
        text: words,
        size: style::SMALL_LABEL_SIZE,
        ink,
        halo: palette.halo,
        placement: Placement::Beside {
            gap: Extent::pixels(gap),
        },
        rank: Rank::Tool,
    })
}

/// What was skipped of the route and what was added to it.
pub fn draw_followed(followed: &Followed, palette: &Palette, sink: &mut dyn Sink) {
    let plane = Plane::Following;
    if followed.computed.len() > 1 {
        let stroke = Stroke::pixels(Ink::new(palette.route, 0.9), 1.8).dashed(Dash::Dashed);
        add(sink, plane, line(followed.computed.clone(), stroke));
    }
    for part in &followed.skipped {
        let under = Stroke::pixels(palette.halo, 6.0);
        add(sink, plane, line(part.clone(), under));
        let stroke = Stroke::pixels(Ink::solid(palette.skipped), 3.2).dashed(Dash::Dashed);
        add(sink, plane, line(part.clone(), stroke));
    }
    for part in &followed.connections {
        let stroke = Stroke::pixels(Ink::solid(palette.route), 3.0).dashed(Dash::Dotted);
        add(sink, plane, line(part.clone(), stroke));
    }
    for (i, event) in followed.events.iter().enumerate() {
        // One mark per position: the first event says how many there are.
        let is_here = |other: &&Event| other.at == event.at;
        if followed.events[..i].iter().any(|other| is_here(&other)) {
            continue;
        }
        let more = followed.events[i + 1..].iter().filter(is_here).count();
        let (colour, glyph) = match event.kind {
            EventKind::Recovered | EventKind::Skipped | EventKind::Noted => {
                (palette.current, Glyph::Diamond)
            }
            EventKind::Stuck => (palette.blocker, Glyph::Cross),
        };
        add(
            sink,
            plane,
            Primitive::Mark {
                at: event.at,
                turn: 0.0,
                glyph,
                size: Extent::pixels(6.5),
                fill: Ink::solid(colour),
                outline: Some(Stroke::pixels(palette.halo, 1.6)),
            },
        );
        let mut words = event.text.trim_end_matches('.').to_owned();
        if more > 0 {
            words += &format!(" (and {more} more)");
        }
        let label = text(event.at, words, Ink::solid(colour), 10.0, palette);
        add(sink, Plane::Labels, label);
    }
}

/// What an agent sees of its route.
pub fn draw_sight(moment: &Moment, palette: &Palette, sink: &mut dyn Sink) {
    for part in &moment.visible {
        let stroke = Stroke::pixels(Ink::new(palette.sight, 0.55), 8.0);
        add(sink, Plane::Moment, line(part.clone(), stroke));
    }
}

/// Where an agent is, where on its route, and what it is attracted to.
pub fn draw_points(moment: &Moment, colour: Colour, palette: &Palette, sink: &mut dyn Sink) {
    let plane = Plane::Moment;
    let Moment {
        position,
        reference,
        attraction,
        ..
    } = *moment;
    let thin = Stroke::pixels(Ink::new(palette.text, 0.8), 1.4);
    if reference.distance(position) > 0.0 {
        let stroke = thin.dashed(Dash::Dotted);
        add(sink, plane, line(vec![position, reference], stroke));
    }
    let drawn = Stroke::pixels(Ink::solid(palette.current), 2.0);
    add(sink, plane, line(vec![position, attraction], drawn));
    add(
        sink,
        plane,
        Primitive::Mark {
            at: reference,
            turn: 0.0,
            glyph: Glyph::Square,
            size: Extent::pixels(4.0),
            fill: Ink::solid(palette.text),
            outline: Some(Stroke::pixels(palette.halo, 1.6)),
        },
    );
    // A target: a ring with a point in it.
    add(
        sink,
        plane,
        disc(attraction, 7.0, Ink::new(palette.current, 0.25), drawn),
    );
    let halo = Stroke::pixels(palette.halo, 1.2);
    add(
        sink,
        plane,
        disc(attraction, 2.4, Ink::solid(palette.current), halo),
    );
    add(sink, plane, disc(position, 5.0, Ink::solid(colour), halo));
}

/// The points that an agent could go to. Green is cheap, red is expensive; weights are written where there is room.
pub fn draw_candidates(moment: &Moment, palette: &Palette, sink: &mut dyn Sink) {
    let weights = || moment.candidates.iter().map(|c| c.weight.max(1e-12).ln());
    let (low, high) = weights().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), w| {
        (low.min(w), high.max(w))
    });
    let chosen = moment.chosen();
    let min_scale = LABEL_ROOM / moment.spacing.max(1e-6);
    for (i, (candidate, weight)) in moment.candidates.iter().zip(weights()).enumerate() {
        let share = if high > low {
            (weight - low) / (high - low)
        } else {
            0.0
        };
        let colour = palette.free_space.mix(palette.blocker, share);
        let faint = Stroke::pixels(Ink::new(colour, 0.45), 1.0);
        let plane = Plane::Moment;
        add(
            sink,
            plane,
            line(vec![moment.position, candidate.at], faint),
        );
        let edge = Stroke::pixels(palette.halo, 1.2);
        add(
            sink,
            plane,
            disc(candidate.at, 3.6, Ink::solid(colour), edge),
        );
        let is_chosen = chosen == Some(i);
        let gap = if is_chosen { 10.0 } else { 6.0 };
        let ink = if is_chosen {
            palette.current
        } else {
            palette.text
        };
        let words = weight_text(candidate.weight);
        sink.add(Shape {
            plane: Plane::Labels,
            entity: None,
            // The chosen candidate is always shown.
            min_scale: if is_chosen { 0.0 } else { min_scale },
            primitive: text(candidate.at, words, Ink::solid(ink), gap, palette),
        });
    }
}

/// Three significant digits: `0.512`, `4.07`, `40.3`, `1250`.
#[must_use]
pub fn weight_text(weight: f64) -> String {
    if weight.is_infinite() {
        return "∞".to_owned();
    }
    let decimals = match weight.abs() {
        size if size < 1.0 => 3,
        size if size < 10.0 => 2,
        size if size < 100.0 => 1,
        _ => 0,
    };
    format!("{weight:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::super::test_walk::detour;
    use super::*;
    use crate::preview::Look;

    #[test]
    fn sight_has_no_words_and_each_candidate_has_its_weight() {
        let (path, _) = detour();
        let moment = Moment::of(&path, 0.0, 2.0, |_, _| true).expect("follows a route");
        let drawn = |draw: fn(&Moment, &Palette, &mut dyn Sink)| {
            let mut shapes: Vec<Shape> = Vec::new();
            draw(&moment, Look::Dark.palette(), &mut shapes);
            let texts = shapes
                .iter()
                .filter(|shape| matches!(shape.primitive, Primitive::Text(_)))
                .count();
            (shapes.len() - texts, texts)
        };
        let sight = drawn(draw_sight);
        assert!(sight.0 > 0 && sight.1 == 0);
        assert_eq!(drawn(draw_candidates).1, 4);
    }

    #[test]
    fn weights_have_three_digits_that_count() {
        let texts = [0.5123, 4.07, 40.31, 1250.4].map(weight_text);
        assert_eq!(texts, ["0.512", "4.07", "40.3", "1250"]);
        assert_eq!(weight_text(f64::INFINITY), "∞");
    }
}
