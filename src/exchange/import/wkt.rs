//! Well-known text (OGC 06-103r4, §7), with the EWKT prefix `SRID=…;`.
//!
//! A file holds one geometry or several, one after the other. JuPedSim's geometry files are one
//! `POLYGON` or a `GEOMETRYCOLLECTION` of them, which together are the walkable area.

use super::{
    Coordinates, DrawingOptions, ImportError, Imported, Source,
    drawing::{self, Drawing, Feature, MAX_POINTS, Shape},
    scanner::Scanner,
};
use crate::exchange::reader::{ImportInput, Reader};
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};

/// Collections within collections beyond this are refused.
const MAX_NESTING: usize = 16;

/// Coordinates beyond this belong to no map in any unit.
const MAX_NUMBER: f64 = 1e12;

#[derive(Debug)]
pub struct WktReader;

impl Reader for WktReader {
    type Options = DrawingOptions;

    fn read(
        &self,
        input: &ImportInput<'_>,
        options: &DrawingOptions,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        let drawing = read(input.sources, ctx)?;
        drawing::level(drawing, input.sources, options, ctx)
    }
}

fn read(sources: &[Source], context: &JobContext) -> Result<Drawing, ImportError> {
    let mut parser = Parser {
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
            parser.geometry(&mut scanner, 0)?;
            while scanner.take(';') || scanner.take(',') {}
        }
    }
    Ok(parser.drawing)
}

struct Parser {
    drawing: Drawing,
    points: usize,
}

type Read<T> = Result<T, ImportError>;

impl Parser {
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

    /// Two to four numbers; a third one is the height unless it is a measure, which the text does not tell.
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
mod tests;
