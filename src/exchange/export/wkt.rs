//! Well-known text: the walkable area as JuPedSim reads it, or the obstacles.

use super::{ExportError, ExportOptions, Exported, blocking};
use crate::document::{Kind, Level, Route};
use crate::exchange::registry::Polygons;
use crate::geometry::{Polygon, boolean};
use crate::jobs::JobContext;
use glam::DVec2;
use std::fmt::Write as _;

pub(super) fn write(
    level: &Level,
    options: &ExportOptions,
    context: &JobContext,
) -> Result<Exported, ExportError> {
    let lines = options.polygons == Polygons::Obstacles;
    let mut warnings = blocking::left_out(level, &options.body, |entity| {
        lines && matches!(entity.kind, Kind::Route(_))
    });
    let blocked: Vec<Polygon> = blocking::blocking(level, &options.body)
        .map(|(_, area)| area)
        .collect();
    context.checkpoint()?;
    let geometries: Vec<String> = if lines {
        let routes = level
            .routes()
            .map(|(_, _, route)| format!("LINESTRING {}", line(route)));
        blocked.iter().map(polygon).chain(routes).collect()
    } else {
        context.stage("Subtracting obstacles");
        let bounds = Polygon::rect(level.settings().bounds);
        let free = boolean::difference(&[bounds], &blocked);
        if free.is_empty() {
            return Err(ExportError::Refused(
                "obstacles cover the whole level; there is no walkable area to write".to_owned(),
            ));
        }
        if free.len() > 1 {
            warnings.push(format!(
                "the walkable area falls into {} parts; JuPedSim accepts one",
                free.len()
            ));
        }
        free.iter().map(polygon).collect()
    };
    let text = match &geometries[..] {
        [] => "GEOMETRYCOLLECTION EMPTY".to_owned(),
        [only] => only.clone(),
        several => format!("GEOMETRYCOLLECTION ({})", several.join(", ")),
    };
    Ok(Exported {
        bytes: (text + "\n").into_bytes(),
        warnings,
    })
}

fn polygon(polygon: &Polygon) -> String {
    let rings: Vec<String> = polygon.rings().map(|ring| chain(ring, true)).collect();
    format!("POLYGON ({})", rings.join(", "))
}

fn line(route: &Route) -> String {
    chain(&super::geojson::route_points(route), route.closed)
}

/// `(x y, x y)`, back at the first point if closed.
fn chain(points: &[DVec2], closed: bool) -> String {
    let last = if closed { points.first() } else { None };
    let mut text = String::with_capacity(points.len() * 16);
    for (i, p) in points.iter().chain(last).enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let _ = write!(text, "{comma}{} {}", p.x, p.y);
    }
    format!("({text})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::import::{ImportOptions, Source, import_unguarded};
    use crate::exchange::test_level::{apply, obstacle};
    use crate::exchange::{Format, export};
    use crate::geometry::Rect;

    fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
        Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
    }

    fn text(level: &Level, polygons: Polygons) -> Exported {
        let options = ExportOptions {
            polygons,
            ..ExportOptions::default()
        };
        export(level, Format::Wkt, &options, &JobContext::default()).expect("can be written")
    }

    #[test]
    fn the_walkable_area_is_what_obstacles_leave() {
        let level = apply(DVec2::splat(10.0), vec![obstacle(rect(4.0, 4.0, 6.0, 6.0))]);
        let written = text(&level, Polygons::Auto);
        assert_eq!(
            String::from_utf8(written.bytes.clone()).expect("is text"),
            "POLYGON ((0 10, 0 0, 10 0, 10 10, 0 10), (4 4, 4 6, 6 6, 6 4, 4 4))\n"
        );
        let sources = [Source {
            name: "again.wkt".to_owned(),
            bytes: written.bytes,
        }];
        let again = import_unguarded(&sources, &ImportOptions::default(), &JobContext::default());
        let again = again.expect("own files can be read").level;
        assert_eq!(text(&again, Polygons::Auto), text(&level, Polygons::Auto));
    }

    #[test]
    fn a_parted_level_is_written_with_a_warning_and_a_full_one_refused() {
        let wall = obstacle(rect(4.0, 0.0, 6.0, 10.0));
        let parted = text(&apply(DVec2::splat(10.0), vec![wall]), Polygons::Walkable);
        assert!(parted.warnings[0].contains("2 parts"));
        let full = apply(
            DVec2::splat(10.0),
            vec![obstacle(rect(-1.0, -1.0, 11.0, 11.0))],
        );
        let options = ExportOptions::default();
        let refused = export(&full, Format::Wkt, &options, &JobContext::default());
        assert!(
            refused
                .expect_err("nothing left")
                .to_string()
                .contains("whole level")
        );
    }

    #[test]
    fn obstacles_are_written_as_drawn() {
        let level = apply(
            DVec2::splat(10.0),
            vec![obstacle(rect(4.25, 4.0, 6.0, 6.0))],
        );
        let written = text(&level, Polygons::Obstacles);
        assert_eq!(
            String::from_utf8(written.bytes).expect("is text"),
            "POLYGON ((4.25 4, 6 4, 6 6, 4.25 6, 4.25 4))\n"
        );
    }
}
