//! What a tool draws over the level: a few shapes in world coordinates, styled by meaning.
//!
//! Line widths, handle sizes and text sizes are up to the painter, in screen points.

use crate::geometry::{Polygon, Rect};
use glam::DVec2;

/// The meaning of a shape; the theme assigns the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OverlayStyle {
    /// What is being drawn.
    Draft,
    /// Being drawn, but would be rejected: an outline that crosses itself.
    Invalid,
    /// A click would close or end the shape.
    Ready,
    /// Under the pointer.
    Hover,
    Selected,
    /// Selects what is inside.
    MarqueeInside,
    /// Selects what it touches.
    MarqueeTouching,
    /// Alignment and snapping.
    Guide,
    /// The outline of the brush.
    Brush,
    Erase,
    Knife,
    Measure,
    /// A Bézier handle's arm.
    Arm,
    /// The stretch of a route that may be skipped at once: a broad band below it.
    Reach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HandleShape {
    Square,
    Round,
    /// Bézier handles.
    Diamond,
    /// Move along x or y.
    ArrowX,
    ArrowY,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HandleState {
    Idle,
    Hovered,
    Selected,
}

/// What the pointer snapped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SnapMark {
    Grid,
    Vertex,
    Midpoint,
    Edge,
    Intersection,
    Axis,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Primitive {
    Line {
        from: DVec2,
        to: DVec2,
        style: OverlayStyle,
    },
    Polyline {
        points: Vec<DVec2>,
        style: OverlayStyle,
    },
    /// Filled lightly and outlined.
    Polygon {
        polygon: Polygon,
        style: OverlayStyle,
    },
    /// Radius in metres.
    Circle {
        centre: DVec2,
        radius: f64,
        style: OverlayStyle,
    },
    Handle {
        at: DVec2,
        shape: HandleShape,
        state: HandleState,
    },
    /// A dashed line from the aligned point through the pointer.
    Guide {
        from: DVec2,
        to: DVec2,
    },
    Snap {
        at: DVec2,
        mark: SnapMark,
    },
    Label {
        at: DVec2,
        text: String,
        style: OverlayStyle,
        stands: LabelPlace,
    },
}

/// Position of a label relative to its anchor, so that it does not cover what it describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LabelPlace {
    #[default]
    Above,
    /// To the right or left: for vertical lines.
    Beside,
    Below,
    Left,
    /// On the anchor itself: in free space that the tool has found.
    Centred,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    pub primitives: Vec<Primitive>,
}

impl Overlay {
    pub fn line(&mut self, from: DVec2, to: DVec2, style: OverlayStyle) {
        self.primitives.push(Primitive::Line { from, to, style });
    }

    pub fn polyline(&mut self, points: Vec<DVec2>, style: OverlayStyle) {
        if points.len() >= 2 {
            self.primitives.push(Primitive::Polyline { points, style });
        }
    }

    pub fn polygon(&mut self, polygon: Polygon, style: OverlayStyle) {
        self.primitives.push(Primitive::Polygon { polygon, style });
    }

    pub fn rect(&mut self, rect: Rect, style: OverlayStyle) {
        self.polygon(Polygon::rect(rect), style);
    }

    pub fn circle(&mut self, centre: DVec2, radius: f64, style: OverlayStyle) {
        self.primitives.push(Primitive::Circle {
            centre,
            radius,
            style,
        });
    }

    pub fn handle(&mut self, at: DVec2, shape: HandleShape, state: HandleState) {
        self.primitives.push(Primitive::Handle { at, shape, state });
    }

    pub fn label(&mut self, at: DVec2, text: impl Into<String>, style: OverlayStyle) {
        self.primitives.push(Primitive::Label {
            at,
            text: text.into(),
            style,
            stands: LabelPlace::Above,
        });
    }

    /// Labels the angle between two arms, `away` metres from the corner.
    pub fn label_angle(&mut self, arms: [DVec2; 2], corner: DVec2, away: f64, text: String) {
        let [a, b] = arms.map(|arm| (arm - corner).normalize_or_zero());
        // Collinear arms have no inside; either side will do.
        let middle = (a + b).try_normalize().unwrap_or_else(|| a.perp());
        self.primitives.push(Primitive::Label {
            at: corner + middle * away,
            text,
            style: OverlayStyle::Measure,
            stands: LabelPlace::Centred,
        });
    }

    /// A label at the end of a stalk, on the side away from its foot.
    pub fn label_beside(
        &mut self,
        foot: DVec2,
        end: DVec2,
        text: impl Into<String>,
        style: OverlayStyle,
    ) {
        let along = end - foot;
        let stands = match (along.y.abs() >= along.x.abs(), along) {
            (true, DVec2 { y, .. }) if y < 0.0 => LabelPlace::Below,
            (true, _) => LabelPlace::Above,
            (false, DVec2 { x, .. }) if x < 0.0 => LabelPlace::Left,
            (false, _) => LabelPlace::Beside,
        };
        self.primitives.push(Primitive::Label {
            at: end,
            text: text.into(),
            style,
            stands,
        });
    }

    /// A label at the midpoint of a line, on its free side.
    pub fn label_line(
        &mut self,
        from: DVec2,
        to: DVec2,
        text: impl Into<String>,
        style: OverlayStyle,
    ) {
        let along = (to - from).abs();
        let stands = if along.y > along.x {
            LabelPlace::Beside
        } else {
            LabelPlace::Above
        };
        self.primitives.push(Primitive::Label {
            at: (from + to) * 0.5,
            text: text.into(),
            style,
            stands,
        });
    }
}
