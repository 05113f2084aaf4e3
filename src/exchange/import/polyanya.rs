//! Navigation meshes as Polyanya's authors write them (Cui, Harabor and Grastien 2017): convex
//! polygons that together are the walkable area. Versions 1 and 2 differ in the order of
//! neighbours alone, which the outlines tell anyway. Version 3 counts from 1, says of every polygon
//! whether it can be walked on, and of every edge whether it can be crossed.

mod outline;

use super::{
    Coordinates, DrawingOptions, ImportError, Imported, Source,
    drawing::{self, Drawing, Feature, MAX_POINTS, Role, Shape},
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
        let drawing = read(input.sources, options, ctx)?;
        drawing::level(drawing, input.sources, options, ctx)
    }
}

/// An edge that cannot be crossed between polygons that can be walked on becomes a wall of this
/// width. Unit: metres.
const WALL_WIDTH: f64 = 0.004;

/// What a file says.
#[derive(Default)]
struct Mesh {
    places: Vec<DVec2>,
    /// Polygons that can be walked on, by their corners.
    faces: Vec<Vec<usize>>,
    /// Edges between two of them that cannot be crossed.
    closed: Vec<[usize; 2]>,
}

fn read(sources: &[Source], options: &DrawingOptions, context: &JobContext) -> Read<Drawing> {
    let mut drawing = Drawing {
        coordinates: Coordinates::Plane,
        polygons: Polygons::Walkable,
        ..Drawing::default()
    };
    for source in sources {
        let mesh = mesh(&mut Scanner::new(source)?, context)?;
        let areas = outline::outlines(&mesh.places, &mesh.faces).unwrap_or_else(|| {
            let outer = |face: &Vec<usize>| face.iter().map(|i| mesh.places[*i]).collect();
            mesh.faces.iter().map(outer).map(Polygon::new).collect()
        });
        let areas = areas.into_iter().map(Shape::Polygon).map(Feature::new);
        drawing.features.extend(areas);
        let walls = mesh
            .closed
            .iter()
            .filter_map(|ends| wall(ends.map(|end| mesh.places[end]), WALL_WIDTH / options.scale));
        drawing.features.extend(walls.map(|wall| Feature {
            role: Role::Obstacle,
            ..Feature::new(Shape::Polygon(wall))
        }));
    }
    Ok(drawing)
}

/// Around a segment.
fn wall([from, to]: [DVec2; 2], width: f64) -> Option<Polygon> {
    let aside = (to - from).perp().try_normalize()? * (0.5 * width);
    let corners = [from + aside, from - aside, to - aside, to + aside];
    Some(Polygon::new(corners.to_vec()))
}

fn mesh(scanner: &mut Scanner<'_>, context: &JobContext) -> Read<Mesh> {
    let start = scanner.position();
    if scanner.letters() != "mesh" {
        return Err(scanner.error_at(start, "a navigation mesh begins with the word `mesh`"));
    }
    let version = scanner.position();
    let number = scanner.number()?;
    let is_third = number == 3.0;
    if ![1.0, 2.0, 3.0].contains(&number) {
        let message = format!("version {number} is not known; 1, 2 and 3 are");
        return Err(scanner.error_at(version, message));
    }
    let (vertices, faces) = (count(scanner, "vertices")?, count(scanner, "polygons")?);
    let mut mesh = Mesh::default();
    for _ in 0..vertices {
        context.checkpoint()?;
        let place = DVec2::new(scanner.number()?, scanner.number()?);
        mesh.places.push(place);
        if !is_third {
            let around = count(scanner, "neighbours")?;
            skip(scanner, around)?;
        }
    }
    // By the number of the polygon, whether it can be walked on; then the edges that are closed,
    // with the number of the polygon beyond.
    let mut is_walkable = Vec::new();
    let mut closed = Vec::new();
    for _ in 0..faces {
        context.checkpoint()?;
        is_walkable.push(!is_third || scanner.number()? != 0.0);
        let corners = count(scanner, "corners")?;
        let mut outer = Vec::new();
        for _ in 0..corners {
            outer.push(corner(scanner, &mesh.places, usize::from(is_third))?);
        }
        if is_third {
            for i in 0..corners {
                let beyond = -scanner.number()?;
                // The number of this polygon, counted from 1, is that of polygons so far.
                if beyond > 0.0 && (beyond as usize) < is_walkable.len() {
                    let ends = [outer[(i + corners - 1) % corners], outer[i]];
                    closed.push((ends, [is_walkable.len() - 1, beyond as usize - 1]));
                }
            }
        } else {
            skip(scanner, corners)?;
        }
        if is_walkable.last() == Some(&true) {
            mesh.faces.push(outer);
        }
    }
    mesh.closed = closed
        .into_iter()
        .filter(|(_, beside)| beside.iter().all(|face| is_walkable[*face]))
        .map(|(ends, _)| ends)
        .collect();
    match scanner.peek() {
        None => Ok(mesh),
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

/// The index of a vertex; files count from `first`.
fn corner(scanner: &mut Scanner<'_>, places: &[DVec2], first: usize) -> Read<usize> {
    scanner.skip_blank();
    let at = scanner.position();
    let number = scanner.number()?;
    let index = number - first as f64;
    (index >= 0.0 && index.fract() == 0.0 && index < places.len() as f64)
        .then_some(index as usize)
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
        let sources = [source("a.mesh", SQUARES)];
        let options = DrawingOptions::default();
        let drawing = read(&sources, &options, &JobContext::default()).expect("read");
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
            ("mesh 4 0 0", "version 4"),
            ("mesh 3 1 1\n0 0\n1 3 1 1 0 0 0 0", "no vertex 0"),
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

    /// A square of four triangles around its centre, the first of which is blocked.
    const QUARTERS: &str = "mesh\n3\n5 4\n0 0\n0 10\n10 10\n10 0\n5 5\n0 3 4 1 5 -4 0 -2\n\
                            1 3 1 2 5 -1 0 3\n1 3 2 3 5 2 0 4\n1 3 3 4 5 3 0 -1\n";

    #[test]
    fn the_third_version_says_what_is_walkable_and_which_edges_are_closed() {
        let blocked = |text: &str, p: DVec2| {
            let level = imported("a.mesh", text).expect("a level").level;
            level.obstacles().any(|(.., o)| o.area.contains(p))
        };
        let inside = [(1.0, 5.0), (5.0, 9.0), (9.0, 5.0)].map(DVec2::from);
        assert!(inside.iter().all(|p| !blocked(QUARTERS, *p)));
        assert!(blocked(QUARTERS, DVec2::new(5.0, 1.0)));
        // From the corner to the centre, between two triangles that can be walked on.
        let on_edge = DVec2::new(2.0, 8.0);
        assert!(!blocked(QUARTERS, on_edge));
        let closed = QUARTERS.replace("2 0 4", "-2 0 4");
        assert!(blocked(&closed, on_edge));
        assert!(inside.iter().all(|p| !blocked(&closed, *p)));
    }

    #[test]
    fn a_mesh_of_many_triangles_becomes_its_outline() {
        use std::fmt::Write as _;
        let side = 130;
        let mut text = format!("mesh\n2\n{} {}\n", (side + 1) * (side + 1), 2 * side * side);
        for i in 0..(side + 1) * (side + 1) {
            let _ = writeln!(text, "{} {} 0", i % (side + 1), i / (side + 1));
        }
        for i in 0..side * side {
            let a = i / side * (side + 1) + i % side;
            let (b, c, d) = (a + 1, a + side + 2, a + side + 1);
            let _ = writeln!(text, "3 {a} {b} {c} -1 -1 -1\n3 {a} {c} {d} -1 -1 -1");
        }
        let level = imported("a.mesh", &text).expect("a level").level;
        assert_eq!(level.obstacles().count(), 1, "all around");
    }
}
