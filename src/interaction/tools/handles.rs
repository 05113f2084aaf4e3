//! The handles around a selection: arrows to move, a ring to rotate, a frame to scale.

use crate::document::Level;
use crate::geometry::Rect;
use crate::interaction::{
    context::Scene,
    kind::ToolKind,
    overlay::{HandleShape, HandleState, Overlay, OverlayStyle},
    tool::Cursor,
    transform::movable,
    view::View,
};
use glam::DVec2;

/// Pick distance of a handle. Unit: points.
const REACH: f64 = 9.0;
/// From the centre to the tip of an arrow. Unit: points.
const ARROW: f64 = 48.0;
/// Gap between the selection and the ring or frame. Unit: points.
const MARGIN: f64 = 14.0;
/// Minimum radius of the ring. Unit: points.
const SMALLEST_RING: f64 = 36.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Handle {
    MoveX,
    MoveY,
    Turn,
    /// Scales towards a side or corner: −1, 0 or 1 along each axis.
    Stretch(DVec2),
}

/// Bounds of everything that a transform would move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    pub bounds: Rect,
}

impl Frame {
    /// `None` if nothing movable is selected.
    #[must_use]
    pub fn of(scene: &Scene<'_>) -> Option<Self> {
        let level: &Level = scene.level();
        let bounds = movable(level, scene.selection())
            .into_iter()
            .filter_map(|id| level.get(id)?.bounds())
            .fold(Rect::EMPTY, |all, bounds| all.union(&bounds));
        (!bounds.is_empty()).then_some(Self { bounds })
    }

    #[must_use]
    pub fn centre(&self) -> DVec2 {
        self.bounds.centre()
    }

    fn ring_radius(&self, view: &View) -> f64 {
        let half_diagonal = self.bounds.size().length() * 0.5;
        (half_diagonal + view.metres(MARGIN)).max(view.metres(SMALLEST_RING))
    }

    /// Position of a scale handle: on the box itself, so that it follows the pointer exactly.
    #[must_use]
    pub fn stretch_place(&self, side: DVec2) -> DVec2 {
        self.bounds.centre() + self.bounds.size() * 0.5 * side
    }

    /// Sides that can be dragged: none along an axis without extent.
    fn sides(&self) -> impl Iterator<Item = DVec2> {
        let size = self.bounds.size();
        let steps = |extent: f64| if extent > 0.0 { -1..=1 } else { 0..=0 };
        steps(size.y).flat_map(move |y| {
            steps(size.x).filter_map(move |x| {
                let side = DVec2::new(f64::from(x), f64::from(y));
                (side != DVec2::ZERO).then_some(side)
            })
        })
    }

    fn places(&self, kind: ToolKind, view: &View) -> Vec<(Handle, DVec2)> {
        let centre = self.centre();
        let arrow = view.metres(ARROW);
        match kind {
            ToolKind::Move => vec![
                (Handle::MoveX, centre + DVec2::X * arrow),
                (Handle::MoveY, centre + DVec2::Y * arrow),
            ],
            ToolKind::Rotate => vec![(Handle::Turn, centre + DVec2::Y * self.ring_radius(view))],
            ToolKind::Scale => self
                .sides()
                .map(|side| (Handle::Stretch(side), self.stretch_place(side)))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The handle under the pointer.
    #[must_use]
    pub fn hit(&self, kind: ToolKind, view: &View, at: DVec2) -> Option<Handle> {
        let reach = view.metres(REACH);
        let nearest = self
            .places(kind, view)
            .into_iter()
            .map(|(handle, place)| (handle, place.distance(at)))
            .filter(|(_, distance)| *distance <= reach)
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((handle, _)) = nearest {
            return Some(handle);
        }
        let on_ring = kind == ToolKind::Rotate
            && (self.centre().distance(at) - self.ring_radius(view)).abs() <= reach;
        on_ring.then_some(Handle::Turn)
    }

    pub fn overlay(&self, kind: ToolKind, view: &View, hot: Option<Handle>, out: &mut Overlay) {
        let centre = self.centre();
        match kind {
            ToolKind::Move => {
                let arrow = view.metres(ARROW);
                out.line(centre, centre + DVec2::X * arrow, OverlayStyle::Selected);
                out.line(centre, centre + DVec2::Y * arrow, OverlayStyle::Selected);
            }
            ToolKind::Rotate => {
                out.circle(centre, self.ring_radius(view), OverlayStyle::Selected);
            }
            ToolKind::Scale => {
                let mut ring = self.bounds.corners().to_vec();
                ring.push(ring[0]);
                out.polyline(ring, OverlayStyle::Selected);
            }
            _ => {}
        }
        for (handle, place) in self.places(kind, view) {
            let shape = match handle {
                Handle::MoveX => HandleShape::ArrowX,
                Handle::MoveY => HandleShape::ArrowY,
                Handle::Turn => HandleShape::Round,
                Handle::Stretch(_) => HandleShape::Square,
            };
            let state = if hot == Some(handle) {
                HandleState::Hovered
            } else {
                HandleState::Idle
            };
            out.handle(place, shape, state);
        }
    }
}

impl Handle {
    #[must_use]
    pub fn cursor(self) -> Cursor {
        match self {
            Self::MoveX => Cursor::ResizeHorizontal,
            Self::MoveY => Cursor::ResizeVertical,
            Self::Turn => Cursor::Rotate,
            Self::Stretch(side) if side.y == 0.0 => Cursor::ResizeHorizontal,
            Self::Stretch(side) if side.x == 0.0 => Cursor::ResizeVertical,
            Self::Stretch(side) if side.x == side.y => Cursor::ResizeRising,
            Self::Stretch(_) => Cursor::ResizeFalling,
        }
    }
}
