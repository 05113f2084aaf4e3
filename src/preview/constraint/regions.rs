//! The regions of constraints, outlined with the sentences that name them.

use super::field_of;
use crate::base::Colour;
use crate::document::Pattern;
use crate::geometry::polygon::signed_area;
use crate::nav::constraint::{FieldRule, Term};
use crate::planner::missions::AgentPlan;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{Fill, FillRule, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::space::layer::{Manner, SpaceLabel, SpaceLayer, rgba};
use crate::preview::space::signs::Signs;
use crate::preview::style::{self, Palette};
use glam::DVec2;
use std::sync::Arc;

/// The constraints that act in some plans, each once however many agents it bends.
pub fn acting<'a>(plans: impl IntoIterator<Item = &'a Arc<AgentPlan>>) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for plan in plans {
        for term in field_of(plan).iter().flat_map(|field| field.terms()) {
            let is_known = |known: &Term| {
                known.name == term.name
                    && (known.rule, known.weight) == (term.rule, term.weight)
                    && (Arc::ptr_eq(&known.region, &term.region) || known.region == term.region)
            };
            if !found.iter().any(is_known) {
                found.push(term.clone());
            }
        }
    }
    found
}

/// A constraint as designers write it.
#[must_use]
pub fn sentence_of(term: &Term) -> String {
    match term.rule {
        FieldRule::Forbidden => term.name.to_string(),
        FieldRule::In | FieldRule::Near => {
            // Between two hours, a weight has any number of digits.
            let weight = (term.weight.abs() * 100.0).round() / 100.0;
            format!("{} with weight {weight}", term.name)
        }
    }
}

/// What a constraint is drawn in: attractors and repellers have a colour each.
#[must_use]
pub const fn colour_of(term: &Term, palette: &Palette) -> Colour {
    match term.rule {
        FieldRule::Forbidden => palette.forbidden,
        FieldRule::In | FieldRule::Near if term.weight > 0.0 => palette.attractor,
        FieldRule::In | FieldRule::Near => palette.repeller,
    }
}

pub fn draw_regions(terms: &[Term], palette: &Palette, sink: &mut dyn Sink) {
    // The largest lies at the bottom.
    let mut order: Vec<&Term> = terms.iter().collect();
    let area = |term: &Term| {
        let size = term.region.bounds().size();
        size.x * size.y
    };
    order.sort_by(|a, b| area(b).total_cmp(&area(a)));
    for term in order {
        draw_region(term, Plane::Constraints, palette, sink);
    }
}

pub(super) fn draw_region(term: &Term, plane: Plane, palette: &Palette, sink: &mut dyn Sink) {
    let colour = colour_of(term, palette);
    let is_hard = term.rule == FieldRule::Forbidden;
    let rings = term.region.rings();
    let at = label_place(&rings);
    let fill = Fill {
        ink: Ink::new(colour, if is_hard { 0.10 } else { 0.15 }),
        texture: if is_hard {
            Pattern::Hatch
        } else {
            Pattern::Plain
        },
        texture_ink: Ink::new(colour, 0.7),
    };
    let mut add = |plane, primitive| {
        sink.add(Shape {
            plane,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    };
    add(
        plane,
        Primitive::Area {
            rings,
            rule: FillRule::EvenOdd,
            fill,
            outline: Some(Stroke::pixels(Ink::new(colour, 0.95), 1.6)),
        },
    );
    if let Some(at) = at {
        add(
            Plane::Labels,
            Primitive::Text(Label {
                at,
                text: sentence_of(term),
                size: style::SMALL_LABEL_SIZE,
                // In the region's own colour it would not be read on a field.
                ink: Ink::solid(palette.text),
                halo: palette.halo,
                placement: Placement::Centred,
                rank: Rank::Annotation,
            }),
        );
    }
}

/// The middle of the largest outline.
fn label_place(rings: &[Vec<DVec2>]) -> Option<DVec2> {
    let size = |ring: &Vec<DVec2>| signed_area(ring).abs();
    let largest = rings.iter().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let count = largest.len().max(1) as f64;
    Some(largest.iter().sum::<DVec2>() / count)
}

/// Outlines on the ground, or on the storey that a region applies to.
#[must_use]
pub fn regions_in_space(terms: &[Term], signs: &Signs<'_>) -> SpaceLayer {
    let mut layer = SpaceLayer::new(Manner::Surface);
    for term in terms {
        let colour = colour_of(term, signs.palette);
        let rings = term.region.rings();
        let floor = term.region.heights().map(|[low, _]| low);
        for ring in &rings {
            let closed: Vec<DVec2> = ring.iter().chain(ring.first()).copied().collect();
            let line = signs.on_floor(&closed, floor);
            layer.polyline(&line, rgba(Ink::new(colour, 0.95)), 2.2);
        }
        if let Some(at) = label_place(&rings) {
            let place = signs.on_floor(&[at], floor);
            layer.labels.extend(place.into_iter().map(|at| SpaceLabel {
                at: at + signs.origin,
                text: sentence_of(term),
                colour,
            }));
        }
    }
    layer
}
