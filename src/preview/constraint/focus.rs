//! One constraint alone: its region, its field, and the path that would be taken without it.

use super::FieldMap;
use super::regions::{colour_of, draw_region};
use crate::nav::constraint::Term;
use crate::planner::constraint::WhatIf;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{Dash, Extent, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::style::{self, Palette};
use std::sync::Arc;

/// The constraint that is picked out.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    pub term: Option<Arc<Term>>,
    /// Of this constraint alone.
    pub field: Option<Arc<FieldMap>>,
    /// The mission without it.
    pub what_if: Option<Arc<WhatIf>>,
}

impl Focus {
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.term.is_none() && self.field.is_none() && self.what_if.is_none()
    }

    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        fn same<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
            a.map(Arc::as_ptr) == b.map(Arc::as_ptr)
        }
        let terms = [self, other].map(|focus| focus.term.as_deref());
        terms[0] == terms[1]
            && same(self.field.as_ref(), other.field.as_ref())
            && same(self.what_if.as_ref(), other.what_if.as_ref())
    }
}

pub fn draw_focus(focus: &Focus, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(field) = &focus.field {
        field.draw_on(Plane::ConstraintField, palette, sink);
    }
    if let Some(term) = &focus.term {
        draw_region(term, Plane::Constraints, palette, sink);
    }
    if let Some(what_if) = &focus.what_if {
        draw_ghost(what_if, palette, sink);
    }
}

/// The other path, dashed, with what it gains and costs.
fn draw_ghost(what_if: &WhatIf, palette: &Palette, sink: &mut dyn Sink) {
    let colour = colour_of(&what_if.term, palette);
    let mut add = |plane, primitive| {
        sink.add(Shape {
            plane,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    };
    for path in &what_if.paths {
        let points: Vec<_> = path.points.iter().map(|p| p.truncate()).collect();
        for stroke in [
            Stroke::pixels(palette.halo, 5.0),
            Stroke::pixels(Ink::new(colour, 0.95), 2.4).dashed(Dash::Dashed),
        ] {
            add(
                Plane::Following,
                Primitive::Line {
                    points: points.clone(),
                    closed: false,
                    stroke,
                },
            );
        }
    }
    let longest = what_if
        .paths
        .iter()
        .max_by(|a, b| a.length.total_cmp(&b.length));
    let middle = longest.and_then(|path| path.points.get(path.points.len() / 2));
    if let Some(at) = middle {
        add(
            Plane::Labels,
            Primitive::Text(Label {
                at: at.truncate(),
                text: what_if.short(),
                size: style::LABEL_SIZE,
                ink: Ink::solid(colour),
                halo: palette.halo,
                placement: Placement::Beside {
                    gap: Extent::pixels(8.0),
                },
                rank: Rank::Tool,
            }),
        );
    }
}
