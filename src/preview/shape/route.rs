//! Indicative routes: a line that is legible on any ground, with direction marks.

use super::{Pen, Scene, arrows, beside_line};
use crate::document::{Entity, Route, route_line};
use crate::preview::label::{Label, Rank};
use crate::preview::primitive::{Extent, Ink, Plane, Primitive, Stroke};
use crate::preview::style;

impl Scene<'_> {
    pub(super) fn draw_route(&self, entity: &Entity, route: &Route, pen: &mut Pen<'_>) {
        let p = self.palette;
        let line = route_line(route);
        let (Some(&first), Some(&last)) = (line.points().first(), line.points().last()) else {
            return;
        };
        let points = line.points().to_vec();
        for (ink, width) in [
            (p.halo, style::CASING_WIDTH),
            (Ink::solid(p.route), style::ROUTE_WIDTH),
        ] {
            pen.add(
                Plane::Routes,
                Primitive::Line {
                    points: points.clone(),
                    closed: false,
                    stroke: Stroke::pixels(ink, width),
                },
            );
        }
        arrows::along(
            pen,
            Plane::Routes,
            &points,
            false,
            Ink::solid(p.route),
            Extent::pixels(style::ARROW_SIZE + 1.0),
        );
        let end = |centre, radius: f64, fill| Primitive::Disc {
            centre,
            radius: Extent::pixels(radius),
            fill: Ink::solid(fill),
            outline: Some(Stroke::pixels(Ink::solid(p.route), 1.8)),
        };
        if !route.closed {
            pen.add(Plane::Routes, end(first, 3.6, p.ground));
            pen.add(Plane::Routes, end(last, 2.6, p.route));
        }
        if let Some(middle) = line.point_at(line.length() * 0.5) {
            let gap = Extent::pixels(style::ARROW_SIZE + 2.0);
            let along = line.direction_at(line.length() * 0.5).unwrap_or_default();
            pen.label(Label {
                placement: beside_line(along, gap),
                ..self.label(middle, &entity.name, Rank::Route, p.route)
            });
        }
    }
}
