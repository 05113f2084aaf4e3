//! Navigation meshes as Polyanya's authors write them (Cui, Harabor and Grastien 2017): convex
//! polygons that together are the walkable area. Versions 1 and 2 differ in the order of
//! neighbours alone, which the outlines tell anyway.

use super::{
    Coordinates, DrawingOptions, ImportError, Imported, Source,
    drawing::{self, Drawing, Feature, MAX_POINTS, Shape},
    scanner::Scanner,
};
use crate::exchange::Polygons;
use crate::exchange::reader::{ImportInput, Reader};
use crate::geometry::Polygon;
use crate::jobs::JobContext;
use glam::DVec2;

type Read<T> = Result<T, ImportError>;

#[derive(Debug)]
pub struct PolyanyaReader;

impl Reader for PolyanyaReader {
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

fn read(sources: &[Source], context: &JobContext) -> Read<Drawing> {
    let mut drawing = Drawing {
        coordinates: Coordinates::Plane,
        polygons: Polygons::Walkable,
        ..Drawing::default()
    };
    for source in sources {
        for polygon in polygons(&mut Scanner::new(source)?, context)? {
            let shape = Shape::Polygon(polygon);
            drawing.features.push(Feature::new(shape));
        }
    }
    Ok(drawing)
}

fn polygons(scanner: &mut Scanner<'_>, context: &JobContext) -> Read<Vec<Polygon>> {
    let start = scanner.position();
    if scanner.letters() != "mesh" {
        return Err(scanner.error_at(start, "a navigation mesh begins with the word `mesh`"));
    }
    let version = scanner.position();
    let number = scanner.number()?;
    if number != 1.0 && number != 2.0 {
        let message = format!("version {number} is not known; 1 and 2 are");
        return Err(scanner.error_at(version, message));
    }
    let (vertices, faces) = (count(scanner, "vertices")?, count(scanner, "polygons")?);
    let mut places = Vec::new();
    for _ in 0..vertices {
        context.checkpoint()?;
        places.push(DVec2::new(scanner.number()?, scanner.number()?));
        let around = count(scanner, "neighbours")?;
        skip(scanner, around)?;
    }
    let mut polygons = Vec::new();
    for _ in 0..faces {
        context.checkpoint()?;
        let corners = count(scanner, "corners")?;
        let mut outer = Vec::new();
        for _ in 0..corners {
            outer.push(corner(scanner, &places)?);
        }
        skip(scanner, corners)?;
        polygons.push(Polygon::new(outer));
    }
    match scanner.peek() {
        None => Ok(polygons),
        Some(_) => Err(scanner.error(format!(
            "there is more in the file than {vertices} vertices and {faces} polygons"
        ))),
    }
}

/// A whole number that is not beyond all measure.
fn count(scanner: &mut Scanner<'_>, of_what: &str) -> Read<usize> {
    scanner.skip_blank();
    let at = scanner.position();
    let number = scanner.number()?;
    if number < 0.0 || number.fract() != 0.0 {
        return Err(scanner.error_at(at, format!("{number} is not a number of {of_what}")));
    }
    if number > MAX_POINTS as f64 {
        let message = format!("{number} {of_what} are more than the {MAX_POINTS} that can be read");
        return Err(scanner.error_at(at, message));
    }
    Ok(number as usize)
}

fn corner(scanner: &mut Scanner<'_>, places: &[DVec2]) -> Read<DVec2> {
    scanner.skip_blank();
    let at = scanner.position();
    let number = scanner.number()?;
    let index = (number >= 0.0 && number.fract() == 0.0).then_some(number as usize);
    index
        .and_then(|index| places.get(index).copied())
        .ok_or_else(|| {
            let message = format!("there is no vertex {number}; there are {}", places.len());
            scanner.error_at(at, message)
        })
}

/// Numbers that follow from the rest.
fn skip(scanner: &mut Scanner<'_>, numbers: usize) -> Read<()> {
    for _ in 0..numbers {
        scanner.number()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{read as imported, refusal, source};
    use super::*;
    use crate::exchange::registry;

    /// Two squares side by side.
    const SQUARES: &str = "mesh\n2\n6 2\n0 0 2 -1 0\n2 0 3 -1 0 1\n4 0 2 -1 1\n4 2 2 -1 1\n\
                           2 2 3 -1 1 0\n0 2 2 -1 0\n4 0 1 4 5 -1 -1 1 -1\n4 1 2 3 4 0 -1 -1 -1\n";

    #[test]
    fn polygons_are_the_walkable_area() {
        let drawing = read(&[source("a.mesh", SQUARES)], &JobContext::default()).expect("read");
        let area: f64 = drawing
            .features
            .iter()
            .map(|feature| match &feature.shape {
                Shape::Polygon(polygon) => polygon.area(),
                other => panic!("{other:?}"),
            })
            .sum();
        assert!((area - 8.0).abs() < 1e-12);
        let level = imported("a.mesh", SQUARES).expect("a level").level;
        let format = registry::detect("a.mesh".as_ref(), SQUARES.as_bytes());
        assert_eq!(format.map(|row| row.id), Some("polyanya"));
        let bounds = level.settings().bounds;
        for (p, is_free) in [(DVec2::new(2.0, 1.0), true), (bounds.min, false)] {
            let in_wall = level.obstacles().any(|(.., o)| o.area.contains(p));
            assert_eq!(in_wall, !is_free, "{p}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, words) in [
            ("", "begins with the word"),
            ("mesh 3 0 0", "version 3"),
            ("mesh 2 1 1\n0 0 0\n3 0 0 7 -1 -1 -1", "no vertex 7"),
            ("mesh 2 -1 0", "not a number of vertices"),
            ("mesh 2 1e300 0", "more than"),
            ("mesh 2 0 0 5", "more in the file"),
            ("mesh 2 1 1 0 0 0 3 0 0", "the end of the file"),
        ] {
            let sentence = refusal("a.mesh", text);
            assert!(sentence.contains(words), "{sentence}");
            assert!(sentence.contains("a.mesh:"), "{sentence}");
        }
    }
}
