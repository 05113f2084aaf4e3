//! Well-known text (OGC 06-103r4, §7), with the EWKT prefix `SRID=…;`.
//!
//! A file holds one geometry or several, one after the other. JuPedSim's geometry files are one
//! `POLYGON` or a `GEOMETRYCOLLECTION` of them, which together are the walkable area.

use super::{
    Coordinates, ImportError, Source,
    drawing::{Drawing, Feature, MAX_POINTS, Shape},
    scanner::Scanner,
};
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};

/// Collections within collections beyond this are refused.
const MAX_NESTING: usize = 16;

/// Coordinates beyond this belong to no map in any unit.
const MAX_NUMBER: f64 = 1e12;

pub(super) fn read(sources: &[Source], context: &JobContext) -> Result<Drawing, ImportError> {
    let mut reader = Reader {
        drawing: Drawing {
            coordinates: Coordinates::Plane,
            ..Drawing::default()
        },
        points: 0,
    };
    for source in sources {
        let mut scanner = Scanner::new(source)?;
        while scanner.peek().is_some() {
            context.checkpoint()?;
            reader.geometry(&mut scanner, 0)?;
            while scanner.take(';') || scanner.take(',') {}
        }
    }
    Ok(reader.drawing)
}

struct Reader {
    drawing: Drawing,
    points: usize,
}

type Read<T> = Result<T, ImportError>;

impl Reader {
    fn geometry(&mut self, scanner: &mut Scanner<'_>, depth: usize) -> Read<()> {
        scanner.skip_blank();
        let start = scanner.position();
        let word = scanner.letters();
        if word.eq_ignore_ascii_case("SRID") {
            scanner.expect('=')?;
            scanner.number()?;
            scanner.expect(';')?;
            return self.geometry_type(scanner, depth);
        }
        self.named(scanner, depth, start, word)
    }

    fn geometry_type(&mut self, scanner: &mut Scanner<'_>, depth: usize) -> Read<()> {
        scanner.skip_blank();
        let start = scanner.position();
        let word = scanner.letters();
        self.named(scanner, depth, start, word)
    }

    fn named(
        &mut self,
        scanner: &mut Scanner<'_>,
        depth: usize,
        start: usize,
        word: &str,
    ) -> Read<()> {
        let upper = word.to_ascii_uppercase();
        // `POLYGON Z (…)` is also written `POLYGONZ (…)`.
        let kind = upper
            .strip_suffix("ZM")
            .or_else(|| upper.strip_suffix(['Z', 'M']))
            .unwrap_or(&upper);
        if !["POINT", "LINESTRING", "LINEARRING", "POLYGON", "TRIANGLE"].contains(&kind)
            && !["MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON"].contains(&kind)
            && kind != "GEOMETRYCOLLECTION"
        {
            let found = if word.is_empty() {
                scanner.found()
            } else {
                format!("`{}`", word.chars().take(40).collect::<String>())
            };
            return Err(scanner.error_at(
                start,
                format!("a geometry such as POLYGON should begin here, not {found}"),
            ));
        }
        if is_empty(scanner) {
            // Counted as well: a file of nothing but these must come to an end.
            return self.count(scanner);
        }
        match kind {
            "POINT" => self.point(scanner),
            "MULTIPOINT" => self.list(scanner, |reader, scanner| {
                // Both `MULTIPOINT ((1 2), (3 4))` and `MULTIPOINT (1 2, 3 4)` are in use.
                if scanner.peek() == Some('(') {
                    reader.point(scanner)
                } else {
                    let place = reader.position(scanner)?;
                    reader.add(Shape::Point(place));
                    Ok(())
                }
            }),
            "LINESTRING" | "LINEARRING" => self.line(scanner, kind == "LINEARRING"),
            "MULTILINESTRING" => self.list(scanner, |reader, scanner| reader.line(scanner, false)),
            "POLYGON" | "TRIANGLE" => self.polygon(scanner),
            "MULTIPOLYGON" => self.list(scanner, Self::polygon),
            _ if depth < MAX_NESTING => self.list(scanner, |reader, scanner| {
                reader.geometry_type(scanner, depth + 1)
            }),
            _ => Err(scanner.error_at(
                start,
                format!("collections are nested more than {MAX_NESTING} deep"),
            )),
        }
    }

    /// `( item, item, … )`
    fn list(
        &mut self,
        scanner: &mut Scanner<'_>,
        mut item: impl FnMut(&mut Self, &mut Scanner<'_>) -> Read<()>,
    ) -> Read<()> {
        scanner.expect('(')?;
        loop {
            if !is_empty(scanner) {
                item(self, scanner)?;
            }
            if !scanner.take(',') {
                break;
            }
        }
        scanner.expect(')')
    }

    fn point(&mut self, scanner: &mut Scanner<'_>) -> Read<()> {
        scanner.expect('(')?;
        let place = self.position(scanner)?;
        scanner.expect(')')?;
        self.add(Shape::Point(place));
        Ok(())
    }

    fn line(&mut self, scanner: &mut Scanner<'_>, closed: bool) -> Read<()> {
        let points = self.chain(scanner)?;
        self.add(Shape::Line { points, closed });
        Ok(())
    }

    fn polygon(&mut self, scanner: &mut Scanner<'_>) -> Read<()> {
        let mut rings = Vec::new();
        self.list(scanner, |reader, scanner| {
            rings.push(reader.chain(scanner)?);
            Ok(())
        })?;
        let mut rings = rings.into_iter();
        if let Some(outer) = rings.next() {
            self.add(Shape::Polygon(Polygon {
                outer,
                holes: rings.collect(),
            }));
        }
        Ok(())
    }

    /// `( x y, x y, … )`
    fn chain(&mut self, scanner: &mut Scanner<'_>) -> Read<Vec<DVec2>> {
        let mut points = Vec::new();
        self.list(scanner, |reader, scanner| {
            points.push(reader.position(scanner)?.truncate());
            Ok(())
        })?;
        Ok(points)
    }

    /// Two to four numbers; a third one is the height unless it is a measure, which nobody tells.
    fn position(&mut self, scanner: &mut Scanner<'_>) -> Read<DVec3> {
        self.count(scanner)?;
        let mut numbers = [0.0; 4];
        for (i, number) in numbers.iter_mut().enumerate() {
            if i >= 2 && matches!(scanner.peek(), Some(',' | ')') | None) {
                break;
            }
            scanner.skip_blank();
            let at = scanner.position();
            *number = scanner.number()?;
            if number.abs() > MAX_NUMBER {
                return Err(scanner.error_at(at, format!("{number:e} is no coordinate")));
            }
        }
        Ok(DVec3::new(numbers[0], numbers[1], numbers[2]))
    }

    fn count(&mut self, scanner: &Scanner<'_>) -> Read<()> {
        self.points += 1;
        if self.points > MAX_POINTS {
            return Err(scanner.error(format!(
                "there are more than {MAX_POINTS} points; simplify the file or take a part of it"
            )));
        }
        Ok(())
    }

    fn add(&mut self, shape: Shape) {
        self.drawing.features.push(Feature::new(shape));
    }
}

/// Takes `EMPTY`, and the letters `Z`, `M`, `ZM` before it or before a parenthesis.
fn is_empty(scanner: &mut Scanner<'_>) -> bool {
    let before = scanner.clone();
    let mut word = scanner.letters();
    if ["Z", "M", "ZM"]
        .iter()
        .any(|d| word.eq_ignore_ascii_case(d))
    {
        word = scanner.letters();
        if word.is_empty() {
            return false;
        }
    }
    if word.eq_ignore_ascii_case("EMPTY") {
        return true;
    }
    *scanner = before;
    false
}

#[cfg(test)]
mod tests {
    use super::super::tests::{read, read_with, refusal};
    use super::super::{ImportOptions, Imported};
    use super::*;
    use crate::document::{KindName, RouteShape};
    use crate::exchange::registry::Polygons;
    use crate::geometry::Rect;

    fn obstacles(imported: &Imported) -> Vec<(String, Polygon)> {
        imported
            .level
            .obstacles()
            .map(|(_, entity, obstacle)| (entity.name.clone(), obstacle.area.clone()))
            .collect()
    }

    #[test]
    fn a_walkable_polygon_becomes_bounds_and_what_is_around_it() {
        let imported = read(
            "hall.wkt",
            "POLYGON ((0 0, 20.0625 0, 20 10, 0 10, 0 0), (5 5, 5 6, 6 6, 6 5, 5 5))",
        )
        .expect("sound");
        assert_eq!(imported.level.settings().name, "hall");
        let bounds = imported.level.settings().bounds;
        assert_eq!(bounds.min, DVec2::splat(-2.0));
        let found = obstacles(&imported);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].0, "Outside");
        // Coordinates off the lattice stay as they were.
        assert!(found[0].1.holes[0].contains(&DVec2::new(20.0625, 0.0)));
        assert_eq!(found[1].1.area(), 1.0);
        assert_eq!(imported.level.profiles().count(), 1);
        assert_eq!(imported.warnings.len(), 1);
        assert!(imported.warnings[0].contains("--polygons obstacles"));
    }

    #[test]
    fn rooms_that_touch_are_walkable_and_houses_that_do_not_are_obstacles() {
        let rooms = read(
            "rooms.wkt",
            "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4)), POLYGON ((4 1, 9 1, 9 2, 4 2)))",
        )
        .expect("sound");
        let inside = |p: DVec2| obstacles(&rooms).iter().any(|(_, area)| area.contains(p));
        assert!(!inside(DVec2::new(4.0, 1.5)) && inside(DVec2::new(6.0, 3.0)));
        let text = "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4)), ((6 1, 9 1, 9 2, 6 2)))";
        let houses = read("houses.wkt", text).expect("sound");
        assert_eq!(obstacles(&houses).len(), 2);
        assert!(
            houses
                .level
                .settings()
                .bounds
                .contains_rect(&Rect::new(DVec2::splat(-1.0), DVec2::new(10.0, 5.0)))
        );
        let options = ImportOptions {
            polygons: Polygons::Walkable,
            ..ImportOptions::default()
        };
        let parts = read_with("houses.wkt", text, &options).expect("sound");
        assert_eq!(obstacles(&parts).len(), 1);
        assert!(parts.warnings.is_empty());
    }

    #[test]
    fn every_geometry_and_spelling_is_read() {
        let imported = read(
            "mixed.wkt",
            "SRID=25832; linestring Z (0 0 1, 5 5 2)\n\
             MULTIPOINT ((1 2), (3 4));MULTIPOINT(5 6,7 8)\nPOINT M (9 9 4)\n\
             GEOMETRYCOLLECTION(POINT EMPTY, POLYGON EMPTY, GEOMETRYCOLLECTION EMPTY,\n\
             MULTILINESTRING((0 0,1 1),EMPTY,(2 2,3 3,3 2, 2 2)))\nPOLYGONZM EMPTY LINEARRING (0 0, 1 0, 1 1)",
        )
        .expect("sound");
        let routes: Vec<_> = imported.level.routes().map(|(_, _, route)| route).collect();
        assert_eq!(routes.len(), 4);
        assert_eq!(
            routes[0].shape,
            RouteShape::Polyline(vec![DVec2::ZERO, DVec2::splat(5.0)])
        );
        assert!(!routes[1].closed && routes[2].closed && routes[3].closed);
        let notes = imported
            .level
            .iter()
            .filter(|(_, e)| e.kind.name() == KindName::Note);
        assert_eq!(notes.count(), 5);
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, sentence) in [
            (
                "POLYGON ((0 0, 1 x, 1 1))",
                "a.wkt:1:18: `x` is not a number",
            ),
            (
                "\n  POLYGON ((0 0, 1 NaN, 1 1))",
                "a.wkt:2:20: `NaN` is not a finite number",
            ),
            (
                "POINT (1e999 0)",
                "a.wkt:1:8: `1e999` is not a finite number",
            ),
            ("POINT (1e15 0)", "a.wkt:1:8: 1e15 is no coordinate"),
            (
                "POINT (1)",
                "a.wkt:1:9: a number should stand here, not `)`",
            ),
            (
                "POINT (1 2",
                "a.wkt:1:11: `)` should stand here, not the end of the file",
            ),
            (
                "POINT (1 2 3 4 5)",
                "a.wkt:1:16: `)` should stand here, not `5`",
            ),
            (
                "CIRCLE (1 2)",
                "a.wkt:1:1: a geometry such as POLYGON should begin here, not `CIRCLE`",
            ),
            (
                "{}",
                "a.wkt:1:1: a geometry such as POLYGON should begin here, not `{`",
            ),
            (
                "",
                "a.wkt: there is nothing in it to import: no polygon, line or point",
            ),
            (
                "POLYGON ((0 0, 0 0, 1 1))",
                "a.wkt: there is nothing in it to import: no polygon, line or point",
            ),
        ] {
            assert_eq!(refusal("a.wkt", text), sentence);
        }
    }

    #[test]
    fn deep_nesting_is_refused_not_followed() {
        let deep = "GEOMETRYCOLLECTION (".repeat(100_000);
        assert_eq!(
            refusal("a.wkt", deep),
            "a.wkt:1:321: collections are nested more than 16 deep"
        );
    }

    #[test]
    fn a_tangle_is_refused_in_time() {
        let mut random = crate::base::Random::new(5);
        let points: Vec<String> = (0..100_000)
            .map(|_| {
                format!(
                    "{:.3} {:.3}",
                    random.range(0.0, 900.0),
                    random.range(0.0, 900.0)
                )
            })
            .collect();
        let text = format!("POLYGON (({}))", points.join(","));
        assert!(refusal("a.wkt", &text).contains("--polygons obstacles"));
        let options = ImportOptions {
            polygons: Polygons::Obstacles,
            ..ImportOptions::default()
        };
        assert!(read_with("a.wkt", &text, &options).is_ok());
    }
}
