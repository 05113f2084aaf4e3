//! Where on a picture the level lies: room for title, scale bar and legend, and the scale.

use super::render::{RenderOptions, View};
use crate::geometry::Rect;
use glam::DVec2;

/// Unit: pixels, all of them, at a picture of ordinary size.
const TITLE_HEIGHT: f64 = 46.0;
const SCALE_BAR_HEIGHT: f64 = 40.0;
const LEGEND_WIDTH: f64 = 190.0;
const MARGIN: f64 = 18.0;
/// Below this size furniture shrinks along with the picture.
const ORDINARY: f64 = 800.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Of the whole picture. Unit: pixels.
    pub size: DVec2,
    /// Where the level is drawn. Unit: pixels, y down.
    pub map: Rect,
    /// The world as far as it is shown. Unit: metres.
    pub view: Rect,
    pub pixels_per_metre: f64,
    /// Factor on the sizes of lines, marks and texts: 1 for pictures of ordinary size.
    pub ui_scale: f64,
}

impl Frame {
    pub(super) fn new(options: &RenderOptions, area: Rect, legend: bool) -> Self {
        let size = DVec2::from(options.size.map(f64::from));
        let ui_scale = (size.min_element() / ORDINARY).clamp(0.35, 1.0);
        let room = |wanted: bool, extent: f64| if wanted { extent * ui_scale } else { 0.0 };
        let margin = MARGIN * ui_scale;
        let top = room(options.title, TITLE_HEIGHT).max(margin);
        let bottom = room(options.scale_bar, SCALE_BAR_HEIGHT).max(margin);
        let right = room(legend, LEGEND_WIDTH).max(margin);
        let map = Rect::new(
            DVec2::new(margin, top),
            DVec2::new(size.x - right, size.y - bottom),
        );
        // A picture too small for furniture and margins is all map.
        let map = if map.size().min_element() >= 8.0 {
            map
        } else {
            Rect::new(DVec2::ZERO, size)
        };
        let pixels_per_metre = (map.size() / area.size()).min_element();
        // Fitted pictures end where the level does, and the furniture stands close to it.
        let map = match options.view {
            View::Fit => Rect::around(map.centre(), area.size() * pixels_per_metre * 0.5),
            View::Area(_) => map,
        };
        let view = Rect::around(area.centre(), map.size() / pixels_per_metre * 0.5);
        Self {
            size,
            map,
            view,
            pixels_per_metre,
            ui_scale,
        }
    }

    /// The height at which a picture of this width is filled by an area, with its furniture; within
    /// reason for areas that are very long. Unit: pixels.
    #[must_use]
    pub fn fitting_height(area: Rect, width: f64, legend: bool) -> f64 {
        let right = if legend { LEGEND_WIDTH } else { MARGIN };
        let size = area.size();
        let map = (width - MARGIN - right).max(1.0) * size.y / size.x.max(f64::MIN_POSITIVE);
        let height = map + TITLE_HEIGHT + SCALE_BAR_HEIGHT;
        height.clamp(0.3 * width, 1.5 * width).round().max(1.0)
    }

    /// All map, without furniture and margins.
    pub(super) fn bare(size: DVec2, view: Rect) -> Self {
        Self {
            size,
            map: Rect::new(DVec2::ZERO, size),
            view,
            pixels_per_metre: (size / view.size()).min_element(),
            ui_scale: 1.0,
        }
    }

    #[must_use]
    pub fn screen_from_world(&self, p: DVec2) -> DVec2 {
        let offset = (p - self.view.centre()) * self.pixels_per_metre;
        self.map.centre() + DVec2::new(offset.x, -offset.y)
    }

    /// What lies within the picture's border, margins included. Unit: metres.
    #[must_use]
    pub fn reach(&self) -> Rect {
        let metres = self.size.max_element() / self.pixels_per_metre;
        self.view.expanded(metres * 0.02)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_fits_is_centred_and_y_points_up() {
        let area = Rect::new(DVec2::new(100.0, 200.0), DVec2::new(300.0, 250.0));
        let frame = Frame::new(&RenderOptions::default(), area, true);
        let low = frame.screen_from_world(area.min);
        let high = frame.screen_from_world(area.max);
        assert!(
            frame
                .map
                .expanded(1e-6)
                .contains_rect(&Rect::spanning(low, high))
        );
        assert!(high.y < low.y && high.x > low.x);
        assert!((high.x - low.x - 200.0 * frame.pixels_per_metre).abs() < 1e-6);
    }

    #[test]
    fn a_tiny_picture_still_has_a_map() {
        let options = RenderOptions {
            size: [3, 5],
            ..RenderOptions::default()
        };
        let area = Rect::new(DVec2::ZERO, DVec2::ONE);
        let frame = Frame::new(&options, area, true);
        assert!((frame.map.size() - DVec2::splat(3.0)).length() < 1e-9);
    }
}
