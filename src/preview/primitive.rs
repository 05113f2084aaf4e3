//! The few things a picture is made of. Whatever wants to be seen — a level, a tool's guide, a
//! navigation structure — is said in these, and every sink can draw them.
//!
//! Places are metres; sizes may be metres, pixels, or metres but never less than some pixels, so
//! that a picture can be drawn at any scale from the same primitives.

use super::label::Label;
use crate::base::{Colour, EntityId};
use crate::document::Pattern;
use crate::geometry::{Rect, Ring};
use glam::DVec2;

/// A colour with its opacity, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    pub colour: Colour,
    pub alpha: f64,
}

impl Ink {
    #[must_use]
    pub const fn new(colour: Colour, alpha: f64) -> Self {
        Self { colour, alpha }
    }

    #[must_use]
    pub const fn solid(colour: Colour) -> Self {
        Self::new(colour, 1.0)
    }

    #[must_use]
    pub fn faded(self, share: f64) -> Self {
        Self::new(self.colour, self.alpha * share)
    }
}

/// So many metres, but never fewer than so many pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    pub metres: f64,
    pub pixels: f64,
}

impl Extent {
    #[must_use]
    pub const fn pixels(pixels: f64) -> Self {
        Self {
            metres: 0.0,
            pixels,
        }
    }

    #[must_use]
    pub const fn metres(metres: f64, at_least_pixels: f64) -> Self {
        Self {
            metres,
            pixels: at_least_pixels,
        }
    }

    #[must_use]
    pub fn in_pixels(self, pixels_per_metre: f64) -> f64 {
        (self.metres * pixels_per_metre).max(self.pixels)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    pub ink: Ink,
    pub texture: Pattern,
    pub texture_ink: Ink,
}

impl Fill {
    #[must_use]
    pub const fn plain(ink: Ink) -> Self {
        Self {
            ink,
            texture: Pattern::Plain,
            texture_ink: ink,
        }
    }
}

/// Lengths are pixels: a dash looks the same at any zoom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dash {
    #[default]
    Solid,
    Dashed,
    /// Round dots as wide as the line.
    Dotted,
}

impl Dash {
    /// Ink and gap along the line, `None` for an unbroken one. Unit: pixels.
    #[must_use]
    pub const fn lengths(self) -> Option<[f64; 2]> {
        match self {
            Self::Solid => None,
            Self::Dashed => Some([6.0, 4.0]),
            Self::Dotted => Some([0.0, 5.0]),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    pub ink: Ink,
    /// Full width of the line.
    pub width: Extent,
    pub dash: Dash,
}

impl Stroke {
    #[must_use]
    pub const fn pixels(ink: Ink, width: f64) -> Self {
        Self {
            ink,
            width: Extent::pixels(width),
            dash: Dash::Solid,
        }
    }

    #[must_use]
    pub const fn dashed(mut self, dash: Dash) -> Self {
        self.dash = dash;
        self
    }
}

/// Which points count as inside where rings overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FillRule {
    /// Polygons with holes, as drawn.
    #[default]
    EvenOdd,
    /// A union of rings that turn the same way.
    NonZero,
}

/// A small sign of a fixed form, turned and scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Glyph {
    /// A slender arrow head with its tip ahead of the anchor.
    Arrow,
    /// The nose of an agent: a wedge from the middle to the rim.
    Nose,
    /// A pennant on a staff that stands on the anchor.
    Flag,
    /// A drop with its tip on the anchor.
    Pin,
    Diamond,
    Square,
    Cross,
    /// What a body does: up a step, down one, under something, over a gap.
    StepUp,
    StepDown,
    Bend,
    Jump,
}

impl Glyph {
    /// Its outline in units of its size, pointing along +x where it has a direction, y up.
    #[must_use]
    pub const fn outline(self) -> &'static [[f64; 2]] {
        match self {
            Self::Arrow => &[[1.0, 0.0], [-0.75, 0.78], [-0.35, 0.0], [-0.75, -0.78]],
            Self::Nose => &[[0.92, 0.0], [0.05, 0.46], [0.05, -0.46]],
            Self::Flag => &[
                [-0.07, 0.0],
                [0.07, 0.0],
                [0.07, 0.95],
                [1.0, 1.3],
                [0.07, 1.65],
                [0.07, 1.8],
                [-0.07, 1.8],
            ],
            Self::Pin => &PIN,
            Self::Diamond => &[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]],
            Self::Square => &[[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]],
            Self::StepUp => &STEP_UP,
            Self::StepDown => &STEP_DOWN,
            Self::Bend => &BEND,
            Self::Jump => &JUMP,
            Self::Cross => &[
                [0.0, 0.22],
                [0.72, 0.94],
                [0.94, 0.72],
                [0.22, 0.0],
                [0.94, -0.72],
                [0.72, -0.94],
                [0.0, -0.22],
                [-0.72, -0.94],
                [-0.94, -0.72],
                [-0.22, 0.0],
                [-0.94, 0.72],
                [-0.72, 0.94],
            ],
        }
    }
}

/// Three steps that rise to the right.
const STEP_UP: [[f64; 2]; 8] = [
    [-0.9, -0.8],
    [0.9, -0.8],
    [0.9, 0.8],
    [0.3, 0.8],
    [0.3, 0.27],
    [-0.3, 0.27],
    [-0.3, -0.27],
    [-0.9, -0.27],
];

/// Falling.
const STEP_DOWN: [[f64; 2]; 8] = [
    [0.9, -0.8],
    [0.9, -0.27],
    [0.3, -0.27],
    [0.3, 0.27],
    [-0.3, 0.27],
    [-0.3, 0.8],
    [-0.9, 0.8],
    [-0.9, -0.8],
];

/// A back that is bent: up from the feet, then over.
const BEND: [[f64; 2]; 6] = [
    [-0.75, -0.85],
    [-0.3, -0.85],
    [-0.3, 0.2],
    [0.85, 0.2],
    [0.85, 0.7],
    [-0.75, 0.7],
];

/// A bow from one foot to the other.
const JUMP: [[f64; 2]; 12] = [
    [-0.95, -0.6],
    [-0.75, 0.15],
    [-0.35, 0.6],
    [0.1, 0.7],
    [0.5, 0.45],
    [0.72, 0.02],
    [0.98, 0.15],
    [0.8, -0.7],
    [0.1, -0.25],
    [0.38, -0.13],
    [0.05, 0.22],
    [-0.3, 0.0],
];

/// A circle of radius 0.52 around (0, 1), joined to the tip by its tangents.
const PIN: [[f64; 2]; 13] = [
    [0.0, 0.0],
    [0.444, 0.730],
    [0.513, 0.916],
    [0.507, 1.115],
    [0.427, 1.297],
    [0.284, 1.436],
    [0.099, 1.510],
    [-0.099, 1.510],
    [-0.284, 1.436],
    [-0.427, 1.297],
    [-0.507, 1.115],
    [-0.513, 0.916],
    [-0.444, 0.730],
];

#[derive(Clone, Debug, PartialEq)]
pub enum Primitive {
    Area {
        rings: Vec<Ring>,
        rule: FillRule,
        fill: Fill,
        outline: Option<Stroke>,
    },
    Line {
        points: Vec<DVec2>,
        closed: bool,
        stroke: Stroke,
    },
    Disc {
        centre: DVec2,
        radius: Extent,
        fill: Ink,
        outline: Option<Stroke>,
    },
    Mark {
        at: DVec2,
        /// Radians, counter-clockwise.
        turn: f64,
        glyph: Glyph,
        size: Extent,
        fill: Ink,
        outline: Option<Stroke>,
    },
    /// Many rectangles of one look, which do not overlap: cells of a grid, merged where they are alike.
    Cells {
        rects: Vec<Rect>,
        fill: Fill,
    },
    Text(Label),
}

impl Primitive {
    /// Of its places; what is drawn in pixels reaches beyond. Unit: metres.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        match self {
            Self::Area { rings, .. } => Rect::of_points(rings.iter().flatten()),
            Self::Line { points, .. } => Rect::of_points(points),
            Self::Disc { centre, radius, .. } => Rect::around(*centre, DVec2::splat(radius.metres)),
            Self::Mark { at, size, .. } => Rect::around(*at, DVec2::splat(2.0 * size.metres)),
            Self::Cells { rects, .. } => {
                rects.iter().fold(Rect::EMPTY, |all, rect| all.union(rect))
            }
            Self::Text(label) => Rect::new(label.at, label.at),
        }
    }
}

/// Painting order, from the bottom to the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Plane {
    Ground,
    Terrain,
    Relief,
    /// Which obstacle is nearest, and how far.
    Regions,
    /// What constraints multiply lengths by.
    ConstraintField,
    /// How dense, how used, how fast over a run.
    HeatMap,
    Grid,
    Bounds,
    SolidShadows,
    Solids,
    ObstacleShadows,
    Obstacles,
    /// A level in voxels: what is solid, what can be stood on, and what a body makes of that.
    OccupiedCells,
    SurfaceCells,
    ReachableCells,
    BorderCells,
    ForbiddenCells,
    FrontCells,
    /// Where voxels and free space disagree.
    LostCells,
    /// Where agents can be.
    FreeSpace,
    /// What free space is cut into.
    Trapezoids,
    Cells,
    Portals,
    /// The corridors of agents.
    Corridors,
    /// Closest points of the medial axis.
    Spokes,
    MedialAxis,
    /// Narrow places picked out.
    Pinches,
    Annotations,
    /// The regions of constraints.
    Constraints,
    Motion,
    Routes,
    Crowds,
    Missions,
    /// What a search has looked at.
    Search,
    /// What walkers leave out of their routes.
    Following,
    Paths,
    Agents,
    /// What draws and pushes a walker.
    Forces,
    /// Agents on their way.
    Playback,
    /// What a walker sees and wants at one moment.
    Moment,
    Notes,
    /// Selection, handles, guides.
    Overlay,
    Labels,
}

impl Plane {
    pub const ALL: [Self; 43] = [
        Self::Ground,
        Self::Terrain,
        Self::Relief,
        Self::Regions,
        Self::ConstraintField,
        Self::HeatMap,
        Self::Grid,
        Self::Bounds,
        Self::SolidShadows,
        Self::Solids,
        Self::ObstacleShadows,
        Self::Obstacles,
        Self::OccupiedCells,
        Self::SurfaceCells,
        Self::ReachableCells,
        Self::BorderCells,
        Self::ForbiddenCells,
        Self::FrontCells,
        Self::LostCells,
        Self::FreeSpace,
        Self::Trapezoids,
        Self::Cells,
        Self::Portals,
        Self::Corridors,
        Self::Spokes,
        Self::MedialAxis,
        Self::Pinches,
        Self::Annotations,
        Self::Constraints,
        Self::Motion,
        Self::Routes,
        Self::Crowds,
        Self::Missions,
        Self::Search,
        Self::Following,
        Self::Paths,
        Self::Agents,
        Self::Forces,
        Self::Playback,
        Self::Moment,
        Self::Notes,
        Self::Overlay,
        Self::Labels,
    ];

    /// Discs and marks on it say something that labels must not cover.
    #[must_use]
    pub const fn bears_signs(self) -> bool {
        matches!(self, Self::Missions | Self::Agents | Self::Notes)
    }
}

/// A primitive with its place in the picture and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub plane: Plane,
    pub entity: Option<EntityId>,
    /// Left out where the picture is smaller than this. Unit: pixels per metre.
    pub min_scale: f64,
    pub primitive: Primitive,
}

/// Takes shapes and makes something of them: a file, vertex buffers, a count.
pub trait Sink {
    fn add(&mut self, shape: Shape);
}

impl Sink for Vec<Shape> {
    fn add(&mut self, shape: Shape) {
        self.push(shape);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn bounds_hold_what_is_drawn_and_hardly_more(
            places in proptest::collection::vec((-50.0..50.0_f64, -50.0..50.0_f64), 3..8),
            metres in 0.1..9.0_f64,
            turn in -4.0..4.0_f64,
            glyph in proptest::sample::select(vec![
                Glyph::Arrow, Glyph::Nose, Glyph::Flag, Glyph::Pin, Glyph::Diamond, Glyph::Square,
                Glyph::Cross, Glyph::StepUp, Glyph::StepDown, Glyph::Bend, Glyph::Jump,
            ]),
        ) {
            let points: Vec<DVec2> = places.iter().map(|(x, y)| DVec2::new(*x, *y)).collect();
            let size = Extent::metres(metres, 0.0);
            let at = points[0];
            let reach = |p: &DVec2| [*p - metres, *p + metres];
            let corners = |points: &[DVec2]| {
                let low = points.iter().copied().reduce(DVec2::min).unwrap_or_default();
                let high = points.iter().copied().reduce(DVec2::max).unwrap_or_default();
                Rect::new(low, high)
            };
            let ink = Ink::solid(Colour::hex(0));
            let rects: Vec<Rect> = points.iter().map(|p| Rect::new(*p, *p + metres)).collect();
            let exact = [
                (
                    Primitive::Area { rings: vec![points.clone()], rule: FillRule::default(), fill: Fill::plain(ink), outline: None },
                    corners(&points),
                ),
                (
                    Primitive::Line { points: points.clone(), closed: false, stroke: Stroke::pixels(ink, 1.0) },
                    corners(&points),
                ),
                (
                    Primitive::Disc { centre: at, radius: size, fill: ink, outline: None },
                    corners(&reach(&at)),
                ),
                (
                    Primitive::Cells { rects: rects.clone(), fill: Fill::plain(ink) },
                    corners(&rects.iter().flat_map(|rect| [rect.min, rect.max]).collect::<Vec<_>>()),
                ),
            ];
            for (primitive, expected) in &exact {
                let bounds = primitive.bounds();
                proptest::prop_assert!(bounds.min.distance(expected.min) < 1e-9, "{primitive:?}");
                proptest::prop_assert!(bounds.max.distance(expected.max) < 1e-9, "{primitive:?}");
            }
            let mark = Primitive::Mark { at, turn, glyph, size, fill: ink, outline: None };
            let bounds = mark.bounds();
            let outline = glyph.outline().iter().map(|p| at + DVec2::from_angle(turn).rotate(DVec2::from(*p)) * metres);
            for corner in outline {
                proptest::prop_assert!(bounds.contains(corner), "{corner} of {glyph:?} in {bounds:?}");
            }
            proptest::prop_assert!(bounds.size().max_element() <= 6.0 * metres);
        }
    }
}
