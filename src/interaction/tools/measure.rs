//! Lengths, angles and areas between clicked points. Changes nothing.

use super::sketch_tool::{Purpose, SketchTool};
use crate::geometry::{Polygon, Polyline, crossing};
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    kind::ToolKind,
    measures,
    overlay::{Overlay, OverlayStyle},
    sketch::{Sketch, SketchForm},
};
use glam::DVec2;

/// From a corner to the middle of its angle's label. Unit: points.
const ANGLE_LABEL: f64 = 26.0;

/// Keeps the last measurement visible until the next one begins.
#[derive(Debug, Default)]
pub struct Measuring {
    finished: Vec<DVec2>,
}

pub type MeasureTool = SketchTool<Measuring>;

impl Purpose for Measuring {
    fn kind(&self) -> ToolKind {
        ToolKind::Measure
    }

    fn form(&self) -> SketchForm {
        SketchForm::Line
    }

    fn style(&self) -> OverlayStyle {
        OverlayStyle::Measure
    }

    fn complete(&mut self, _ctx: &mut ToolContext<'_>, sketch: &mut Sketch) {
        self.finished = sketch.points().to_vec();
        sketch.clear();
    }

    fn hints(&self, sketch: &Sketch) -> Hints {
        if sketch.is_empty() {
            let last = summary(&self.finished);
            return Hints::new(
                last.unwrap_or_else(|| "Click the first point to measure".to_owned()),
            );
        }
        let mut points = sketch.points().to_vec();
        points.extend(sketch.next_point());
        let lead = summary(&points).unwrap_or_else(|| "Click the next point".to_owned());
        Hints::new(lead)
            .key("Enter", "keep visible")
            .key("Backspace", "remove last point")
            .key("Shift", "15° steps")
    }

    fn overlay(&self, scene: &Scene<'_>, sketch: &Sketch, out: &mut Overlay) {
        let style = OverlayStyle::Measure;
        let points = if sketch.is_empty() {
            out.polyline(self.finished.clone(), style);
            &self.finished[..]
        } else {
            sketch.points()
        };
        for pair in points.windows(2) {
            measures::label_piece(pair[0], pair[1], style, out);
        }
        for corner in points.windows(3) {
            let angle = measures::inner_angle(corner[0], corner[1], corner[2]);
            out.label_angle(
                [corner[0], corner[2]],
                corner[1],
                scene.view.metres(ANGLE_LABEL),
                measures::angle(angle),
            );
        }
    }
}

/// `12.50 m in all, 3 pieces, 7.25 m² enclosed`.
fn summary(points: &[DVec2]) -> Option<String> {
    let line = Polyline::new(points.iter().copied());
    let pieces = line.points().len().checked_sub(1).filter(|n| *n > 0)?;
    let length = measures::length(line.length());
    if pieces == 1 {
        let direction = measures::direction(line.points()[1] - line.points()[0]);
        return Some(format!("{length} at {}", measures::angle(direction)));
    }
    let polygon = Polygon::new(points.to_vec());
    let enclosed = if crossing::first_crossing(&polygon).is_none() {
        format!(", {} enclosed", measures::area(polygon.area()))
    } else {
        String::new()
    };
    Some(format!("{length} in {pieces} pieces{enclosed}"))
}
