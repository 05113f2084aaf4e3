//! Indicative routes: where the designer would like agents to go.

use super::{
    check::{self, Checked},
    limits,
};
use crate::geometry::{Rect, curve::Cubic};
use glam::DVec2;

#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    pub shape: RouteShape,
    /// Returns to its first point.
    pub closed: bool,
    /// How much of the route an agent may skip at once (σ). Unit: metres of route.
    pub look_ahead: f64,
    /// Distance between candidate points on the route (d). Unit: metres.
    pub sample_step: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RouteShape {
    Polyline(Vec<DVec2>),
    /// The points as drawn; followed after simplification by `tolerance`.
    Freehand {
        stroke: Vec<DVec2>,
        tolerance: f64,
    },
    /// Cubic segments between neighbouring knots.
    Bezier(Vec<Knot>),
}

/// A knot of a Bézier route; the handles are offsets from its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    pub point: DVec2,
    pub handle_in: DVec2,
    pub handle_out: DVec2,
}

impl Knot {
    #[must_use]
    pub const fn corner(point: DVec2) -> Self {
        Self {
            point,
            handle_in: DVec2::ZERO,
            handle_out: DVec2::ZERO,
        }
    }
}

impl Route {
    #[must_use]
    pub fn new(shape: RouteShape) -> Self {
        Self {
            shape,
            closed: false,
            look_ahead: limits::LOOK_AHEAD.default,
            sample_step: limits::SAMPLE_STEP.default,
        }
    }

    /// Bounds of the curve itself, without its handles.
    #[must_use]
    pub fn drawn_bounds(&self) -> Rect {
        let RouteShape::Bezier(knots) = &self.shape else {
            return Rect::of_points(&self.shape.anchors());
        };
        let back = knots.last().zip(knots.first()).filter(|_| self.closed);
        let pieces = knots.iter().zip(knots.iter().skip(1)).chain(back);
        pieces.fold(
            Rect::of_points(&self.shape.anchors()),
            |bounds, (from, to)| {
                let piece = Cubic {
                    from: from.point,
                    from_control: from.point + from.handle_out,
                    to_control: to.point + to.handle_in,
                    to: to.point,
                };
                bounds.union(&piece.bounds())
            },
        )
    }

    pub(super) fn check(&self) -> Checked {
        check::quantity(&limits::LOOK_AHEAD, self.look_ahead)?;
        check::quantity(&limits::SAMPLE_STEP, self.sample_step)?;
        match &self.shape {
            RouteShape::Polyline(points) => check::points(points, 1, "the route"),
            RouteShape::Freehand { stroke, tolerance } => {
                check::quantity(&limits::SMOOTHING, *tolerance)?;
                check::points(stroke, 1, "the route")
            }
            RouteShape::Bezier(knots) => {
                let all: Vec<DVec2> = knots
                    .iter()
                    .flat_map(|k| [k.point, k.handle_in, k.handle_out])
                    .collect();
                check::points(&all, 3, "the route")
            }
        }
    }
}

impl RouteShape {
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Polyline(_) => "Polyline",
            Self::Freehand { .. } => "Freehand",
            Self::Bezier(_) => "Bézier",
        }
    }

    /// The points the designer placed; for a Bézier route, the knots.
    #[must_use]
    pub fn anchors(&self) -> Vec<DVec2> {
        match self {
            Self::Polyline(points) | Self::Freehand { stroke: points, .. } => points.clone(),
            Self::Bezier(knots) => knots.iter().map(|k| k.point).collect(),
        }
    }

    /// Maps every point; handles follow their knots.
    #[must_use]
    pub fn map(mut self, mut f: impl FnMut(DVec2) -> DVec2) -> Self {
        match &mut self {
            Self::Polyline(points) | Self::Freehand { stroke: points, .. } => {
                for p in points {
                    *p = f(*p);
                }
            }
            Self::Bezier(knots) => {
                for k in knots {
                    let point = f(k.point);
                    k.handle_in = f(k.point + k.handle_in) - point;
                    k.handle_out = f(k.point + k.handle_out) - point;
                    k.point = point;
                }
            }
        }
        self
    }
}
