//! The states that a search has touched, as squares of their spacing.

use super::legs;
use crate::base::Colour;
use crate::document::Pattern;
use crate::geometry::Rect;
use crate::planner::SearchView;
use crate::planner::constraint::spacing_of;
use crate::planner::missions::AgentPlan;
use crate::preview::primitive::{Fill, Ink, Plane, Primitive, Shape, Sink};
use crate::preview::style::Palette;
use glam::DVec2;

/// How much of the spacing a square takes: neighbours stay apart.
const SHARE: f64 = 0.78;

/// States by how they stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateMap {
    pub expanded: Vec<Rect>,
    pub open: Vec<Rect>,
    /// Changed since they were expanded.
    pub inconsistent: Vec<Rect>,
}

impl StateMap {
    /// What the searches of a plan know; empty where nothing was kept.
    #[must_use]
    pub fn of_plan(plan: &AgentPlan) -> Self {
        let mut map = Self::default();
        for leg in legs(plan) {
            let task = leg.task();
            map.add(&leg.view(), spacing_of(&task.nav, &task.request));
        }
        map
    }

    /// Adds a search whose states are so far apart. Unit: metres.
    pub fn add(&mut self, search: &SearchView, spacing: f64) {
        let half = DVec2::splat(spacing * SHARE * 0.5);
        for node in &search.nodes {
            let square = Rect::around(node.point, half);
            if node.is_inconsistent {
                self.inconsistent.push(square);
            } else if node.is_closed {
                self.expanded.push(square);
            } else {
                self.open.push(square);
            }
        }
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.expanded.is_empty() && self.open.is_empty() && self.inconsistent.is_empty()
    }
}

pub fn draw_states(states: &StateMap, palette: &Palette, sink: &mut dyn Sink) {
    let hatched = |colour: Colour| Fill {
        ink: Ink::new(colour, 0.5),
        texture: Pattern::Hatch,
        texture_ink: Ink::solid(colour),
    };
    for (rects, fill) in [
        (
            &states.expanded,
            Fill::plain(Ink::new(palette.closed, 0.42)),
        ),
        (&states.open, Fill::plain(Ink::new(palette.open, 0.8))),
        (&states.inconsistent, hatched(palette.current)),
    ] {
        if !rects.is_empty() {
            sink.add(Shape {
                plane: Plane::Search,
                entity: None,
                min_scale: 0.0,
                primitive: Primitive::Cells {
                    rects: rects.clone(),
                    fill,
                },
            });
        }
    }
}
