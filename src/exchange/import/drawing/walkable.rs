//! Which polygons of a drawing can be walked on, and what is blocked around them.

use super::{Drawing, Feature, Role, Shape, Warnings};
use crate::exchange::Polygons;
use crate::exchange::import::{DrawingOptions, ImportError};
use crate::geometry::{Polygon, Rect, boolean, crossing};

/// Up to so many points, and places where edges meet, areas are combined.
const MAX_COMBINED_POINTS: usize = 150_000;
const MAX_MEETINGS: usize = 100_000;

/// Takes the walkable polygons out of the features, after deciding which ones are.
pub(super) fn take_walkable(
    drawing: &mut Drawing,
    options: &DrawingOptions,
    warnings: &mut Warnings,
) -> Vec<Polygon> {
    let unsaid: Vec<&mut Feature> = drawing
        .features
        .iter_mut()
        .filter(|f| f.role == Role::Unsaid && matches!(f.shape, Shape::Polygon(_)))
        .collect();
    let custom = match options.polygons {
        Polygons::Auto => drawing.polygons,
        said => said,
    };
    let walkable = match custom {
        Polygons::Walkable => true,
        Polygons::Obstacles => false,
        Polygons::Auto => {
            let polygons: Vec<Polygon> = unsaid
                .iter()
                .filter_map(|feature| match &feature.shape {
                    Shape::Polygon(polygon) => Some(polygon.clone()),
                    _ => None,
                })
                .collect();
            let connected = match polygons.len() {
                0 => false,
                1 => true,
                // What is too tangled to combine is no floor plan.
                _ => meetings(&polygons).is_some() && boolean::union(&polygons).len() == 1,
            };
            if !polygons.is_empty() {
                let (taken, other) = if connected {
                    (
                        "as the walkable area, being one connected area",
                        "obstacles",
                    )
                } else {
                    ("as obstacles, as they lie apart", "walkable")
                };
                warnings.add(format!(
                    "polygons were taken {taken}; if they are not, import with --polygons {other}"
                ));
            }
            connected
        }
    };
    for feature in unsaid {
        feature.role = if walkable {
            Role::Walkable
        } else {
            Role::Obstacle
        };
    }
    let mut found = Vec::new();
    drawing.features.retain_mut(|feature| {
        if feature.role != Role::Walkable {
            return true;
        }
        if let Shape::Polygon(polygon) = &mut feature.shape {
            found.push(std::mem::take(polygon));
        } else {
            warnings.add("a walkable feature that is no polygon was left out");
        }
        false
    });
    found
}

/// How often outlines meet each other or themselves; `None` if that is too much to work with.
fn meetings(polygons: &[Polygon]) -> Option<usize> {
    let points: usize = polygons.iter().map(Polygon::vertex_count).sum();
    (points <= MAX_COMBINED_POINTS)
        .then(|| crossing::count_meetings(polygons, MAX_MEETINGS))
        .flatten()
}

/// What is not walkable within the bounds; nothing if nothing was said to be walkable.
pub(super) fn complement(
    bounds: &Rect,
    walkable: &[Polygon],
    file: &str,
) -> Result<Vec<Polygon>, ImportError> {
    if walkable.is_empty() {
        return Ok(Vec::new());
    }
    let meetings = meetings(walkable).ok_or_else(|| {
        ImportError::within(
            file,
            "the polygons have too many points, or meet in too many places, to be a floor plan; \
             simplify them, or import them as they are with --polygons obstacles",
        )
    })?;
    Ok(match walkable {
        // A sound polygon well inside the bounds needs no boolean, so that its coordinates stay
        // exactly as they were.
        [only] if meetings == 0 && bounds.expanded(-0.01).contains_rect(&only.bounds()) => {
            let around = Polygon {
                outer: bounds.corners().to_vec(),
                holes: vec![only.outer.clone()],
            };
            let holes = only.holes.iter().cloned().map(Polygon::new);
            std::iter::once(around)
                .chain(holes)
                .map(Polygon::normalised)
                .collect()
        }
        several => boolean::difference(&[Polygon::rect(*bounds)], several),
    })
}
