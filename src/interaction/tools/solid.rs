//! Solids placed by dragging their footprint; the height comes from the defaults.

use super::span::{Span, SpanShape, SpanTool};
use crate::document::{Heading, Kind, Rotation, Solid, SolidShape, limits};
use crate::geometry::{Polygon, Rect};
use crate::interaction::{
    context::ToolContext,
    creation::{Creation, standing},
    defaults::ToolDefaults,
    hints::Hints,
    kind::ToolKind,
    measures,
};
use glam::{DVec2, DVec3};

#[derive(Clone, Debug)]
pub struct PlaceSolid(pub ToolKind);

pub type SolidTool = SpanTool<PlaceSolid>;

impl PlaceSolid {
    fn shape(&self, defaults: &ToolDefaults) -> SolidShape {
        match self.0 {
            ToolKind::SolidRamp => SolidShape::Ramp,
            ToolKind::SolidStairs => SolidShape::Stairs {
                steps: defaults.stair_steps.max(1),
            },
            ToolKind::SolidCylinder => SolidShape::Cylinder,
            ToolKind::SolidArch => SolidShape::Arch {
                opening: defaults.fitting_opening(),
                head: defaults.arch_head,
            },
            ToolKind::SolidPlatform => SolidShape::Platform {
                thickness: limits::DECK_THICKNESS.default,
                posts: limits::POST_THICKNESS.default,
            },
            _ => SolidShape::Box,
        }
    }

    fn height(&self, defaults: &ToolDefaults) -> f64 {
        match self.0 {
            ToolKind::SolidArch => defaults.arch_height,
            _ => defaults.solid_height,
        }
    }

    const fn rises(&self) -> bool {
        matches!(self.0, ToolKind::SolidRamp | ToolKind::SolidStairs)
    }

    /// Ramps and stairs rise along the longer axis of the drag; a wall runs along it, with its
    /// opening across.
    fn solid(&self, defaults: &ToolDefaults, rect: Rect, span: &Span, z: f64) -> Solid {
        let reach = span.to - span.from;
        let yaw = match (self.rises(), reach.x.abs() >= reach.y.abs()) {
            (false, true) if self.0 == ToolKind::SolidArch => 90.0,
            (false, _) => 0.0,
            (true, true) if reach.x >= 0.0 => 0.0,
            (true, true) => 180.0,
            (true, false) if reach.y >= 0.0 => 90.0,
            (true, false) => -90.0,
        };
        let size = rect.size();
        let (depth, width) = if yaw == 90.0 || yaw == -90.0 {
            (size.y, size.x)
        } else {
            (size.x, size.y)
        };
        Solid {
            rotation: Rotation {
                yaw: Heading::degrees(yaw),
                ..Rotation::default()
            },
            ..Solid::new(
                self.shape(defaults),
                rect.centre().extend(z),
                DVec3::new(depth, width, self.height(defaults)),
            )
        }
    }
}

impl SpanShape for PlaceSolid {
    fn kind(&self) -> ToolKind {
        self.0
    }

    fn label(&self, defaults: &ToolDefaults) -> &'static str {
        match self.shape(defaults) {
            SolidShape::Ramp => "Place ramp",
            SolidShape::Stairs { .. } => "Place stairs",
            SolidShape::Cylinder => "Place cylinder",
            SolidShape::Arch { .. } => "Place arch",
            SolidShape::Platform { .. } => "Place platform",
            SolidShape::Box | SolidShape::Mesh(_) => "Place box",
        }
    }

    fn creation(&self, ctx: &mut ToolContext<'_>) -> Creation {
        let stem = self.shape(ctx.defaults).name();
        Creation::named(ctx, stem)
    }

    fn make(&self, ctx: &ToolContext<'_>, _creation: &Creation, span: &Span) -> Option<Kind> {
        let rect = span.solid_rect()?;
        let z = standing(ctx, rect.centre()).z;
        Some(Kind::Solid(self.solid(ctx.defaults, rect, span, z)))
    }

    fn outline(&self, defaults: &ToolDefaults, span: &Span) -> Option<Polygon> {
        let rect = span.solid_rect()?;
        Some(Polygon::new(
            self.solid(defaults, rect, span, 0.0).footprint(),
        ))
    }

    fn measure(&self, span: &Span) -> String {
        let size: DVec2 = span.rect().size();
        measures::size(size)
    }

    fn first_hint(&self) -> &'static str {
        self.0.help()
    }

    fn second_hint(&self, defaults: &ToolDefaults) -> Hints {
        let lead = if self.rises() {
            "Click or release at the top"
        } else {
            "Click or release at the opposite corner"
        };
        Hints::new(format!(
            "{lead}; {} high",
            measures::length(self.height(defaults))
        ))
        .key("Shift", "square")
        .key("Alt", "from the centre")
        .key("@4,3", "type a size")
    }
}
