//! Well-known text: the walkable area as JuPedSim reads it, or the obstacles.

use super::{ExportError, Exported, LeftOut, blocking};
use crate::document::{Kind, Level, Route};
use crate::exchange::Polygons;
use crate::exchange::options::{Choice, Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use glam::DVec2;
use std::fmt::Write as _;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct WktExportOptions {
    /// What polygons are to mean; `Auto` is walkable, as JuPedSim reads them.
    pub polygons: Polygons,
    /// Whose body decides what blocks: what hangs above its head does not, nor does what it can
    /// step onto.
    pub profile: Option<String>,
}

const POLYGONS: &[Choice] = &[
    Choice::new("auto", "Automatic", "Walkable, as JuPedSim reads them"),
    Choice::new("walkable", "Walkable", "What obstacles leave of the level"),
    Choice::new(
        "obstacles",
        "Obstacles",
        "What blocks agents, and routes as lines",
    ),
];

impl FormatOptions for WktExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["polygons", "Polygons are", "What polygons are to mean"],
            POLYGONS,
            |o| o.polygons.id(),
            |o, id| o.polygons = Polygons::named(id),
        ),
        Field::profile(
            ["profile", "Profile", "Whose body decides what blocks"],
            |o| &mut o.profile,
        ),
    ];
}

#[derive(Debug)]
pub struct WktWriter;

impl Writer for WktWriter {
    type Options = WktExportOptions;

    fn left_out(&self, level: &Level, options: &WktExportOptions) -> Vec<LeftOut> {
        let Ok(body) = blocking::body_of(level, options.profile.as_deref()) else {
            return Vec::new();
        };
        blocking::left_out(level, &body, |entity| {
            options.polygons == Polygons::Obstacles && matches!(entity.kind, Kind::Route(_))
        })
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &WktExportOptions,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let (text, warnings) = text(input, options, ctx)?;
        sink.write_main(text.into_bytes())?;
        Ok(Exported {
            warnings,
            ..Exported::default()
        })
    }
}

/// The file and what it leaves out.
fn text(
    input: &ExportInput,
    options: &WktExportOptions,
    context: &JobContext,
) -> Result<(String, Vec<String>), ExportError> {
    let level = &*input.level;
    let body = blocking::body_of(level, options.profile.as_deref())?;
    let lines = options.polygons == Polygons::Obstacles;
    let mut warnings = Vec::new();
    let geometries: Vec<String> = if lines {
        let blocked: Vec<Polygon> = blocking::blocking(level, &body)
            .map(|(_, area)| area)
            .collect();
        let routes = level
            .routes()
            .map(|(_, _, route)| format!("LINESTRING {}", line(route)));
        blocked.iter().map(polygon).chain(routes).collect()
    } else {
        context.stage("Subtracting obstacles");
        let free = blocking::walkable(level, &body);
        context.checkpoint()?;
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
    Ok((text + "\n", warnings))
}

pub(super) fn polygon(polygon: &Polygon) -> String {
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
    use crate::document::Level;
    use crate::exchange::import::{ImportRequest, Source, import_unguarded};
    use crate::exchange::test_level::{apply, obstacle};
    use crate::geometry::Rect;
    use std::sync::Arc;

    fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
        Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
    }

    fn written(level: &Level, polygons: Polygons) -> Result<(String, Vec<String>), ExportError> {
        let options = WktExportOptions {
            polygons,
            ..WktExportOptions::default()
        };
        let input = ExportInput::new(Arc::new(level.clone()));
        text(&input, &options, &JobContext::default())
    }

    fn text_of(level: &Level, polygons: Polygons) -> String {
        written(level, polygons).expect("can be written").0
    }

    #[test]
    fn the_walkable_area_is_what_obstacles_leave() {
        let level = apply(DVec2::splat(10.0), vec![obstacle(rect(4.0, 4.0, 6.0, 6.0))]);
        let written = text_of(&level, Polygons::Auto);
        assert_eq!(
            written,
            "POLYGON ((0 10, 0 0, 10 0, 10 10, 0 10), (4 4, 4 6, 6 6, 6 4, 4 4))\n"
        );
        let sources = [Source::new("again.wkt", written)];
        let again = import_unguarded(&sources, &ImportRequest::default(), &JobContext::default());
        let again = again.expect("own files can be read").level;
        assert_eq!(
            text_of(&again, Polygons::Auto),
            text_of(&level, Polygons::Auto)
        );
    }

    #[test]
    fn a_parted_level_is_written_with_a_warning_and_a_full_one_refused() {
        let wall = obstacle(rect(4.0, 0.0, 6.0, 10.0));
        let parted = written(&apply(DVec2::splat(10.0), vec![wall]), Polygons::Walkable);
        assert!(parted.expect("written").1[0].contains("2 parts"));
        let full = apply(
            DVec2::splat(10.0),
            vec![obstacle(rect(-1.0, -1.0, 11.0, 11.0))],
        );
        let refused = written(&full, Polygons::Auto);
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
        assert_eq!(
            text_of(&level, Polygons::Obstacles),
            "POLYGON ((4.25 4, 6 4, 6 6, 4.25 6, 4.25 4))\n"
        );
    }
}
