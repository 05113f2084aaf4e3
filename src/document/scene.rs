//! The level as bodies in space: source of the 3D view and of voxelisation.

use super::mesh_library::{MeshLibrary, MeshModel};
use super::model::{Entity, Kind, Level, Obstacle, Solid, SolidShape, tag};
use super::solid_mesh;
use crate::base::{Colour, EntityId};
use crate::geometry::{
    Aabb, HeightField, Polygon, TriMesh, extrusion::extrude, polygon::ring_edges,
    triangulation::Triangulation,
};
use glam::{DAffine3, DVec2, DVec3};
use std::sync::Arc;

/// Maximum points of an outline draped over the ground.
const MAX_DRAPED_POINTS: f64 = 4_000.0;

/// One body. Large data is shared: cloning is cheap, and a moved solid keeps its mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneObject {
    /// The entity it belongs to; `None` for the ground.
    pub id: Option<EntityId>,
    /// In the body's own frame.
    pub mesh: Arc<TriMesh>,
    /// From the body's frame to world space.
    pub placement: DAffine3,
    /// Bounds a volume: its inside is solid too.
    pub closed: bool,
    /// Agents may not step on it (see [`tag::FORBIDDEN`]).
    pub forbidden: bool,
    /// One per triangle if the mesh file has materials; otherwise empty.
    pub colours: Arc<[Colour]>,
    /// A box in place of a mesh that could not be loaded.
    pub stand_in: bool,
}

impl SceneObject {
    fn new(id: Option<EntityId>, mesh: TriMesh) -> Self {
        Self {
            id,
            mesh: Arc::new(mesh),
            placement: DAffine3::IDENTITY,
            closed: true,
            forbidden: false,
            colours: Arc::default(),
            stand_in: false,
        }
    }

    /// A mesh file's body in its own frame.
    #[must_use]
    pub fn of_model(model: &MeshModel) -> Self {
        Self {
            id: None,
            mesh: Arc::clone(&model.mesh),
            placement: DAffine3::IDENTITY,
            closed: model.closed,
            forbidden: false,
            colours: Arc::clone(&model.colours),
            stand_in: false,
        }
    }

    /// Triangles in world space, counter-clockwise seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        self.mesh
            .corners()
            .map(|t| t.map(|p| self.placement.transform_point3(p)))
    }

    /// World-space bounds.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        if self.placement == DAffine3::IDENTITY {
            return self.mesh.bounds();
        }
        let corners = self.mesh.vertices.iter();
        Aabb::of_points(corners.map(|p| self.placement.transform_point3(*p)))
    }
}

/// Every body of a level: the ground first, then obstacles and solids in the level's order, hidden
/// ones included. Moving obstacles are at their drawn position. Meshes come from the library;
/// missing ones become boxes of the solid's size.
#[must_use]
pub fn scene(level: &Level, library: &MeshLibrary) -> Vec<SceneObject> {
    std::iter::once(ground(level))
        .chain(
            level
                .iter()
                .filter_map(|(id, entity)| object(level, library, id, entity)),
        )
        .collect()
}

/// The body of one entity; `None` for entities without one.
#[must_use]
pub fn object(
    level: &Level,
    library: &MeshLibrary,
    id: EntityId,
    entity: &Entity,
) -> Option<SceneObject> {
    let object = match &entity.kind {
        Kind::Obstacle(obstacle) => {
            let field = level.ground().map(|field| &**field);
            SceneObject::new(Some(id), obstacle_body(obstacle, field))
        }
        Kind::Solid(solid) => solid_object(id, solid, library),
        Kind::Door(door) if !door.state.is_open() => {
            let leaf = Obstacle {
                base: door.base,
                height: door.height,
                ..Obstacle::new(door.leaf()?)
            };
            let field = level.ground().map(|field| &**field);
            SceneObject::new(Some(id), obstacle_body(&leaf, field))
        }
        _ => return None,
    };
    Some(SceneObject {
        forbidden: entity.has_tag(tag::FORBIDDEN),
        ..object
    })
}

fn solid_object(id: EntityId, solid: &Solid, library: &MeshLibrary) -> SceneObject {
    let placement = solid_mesh::placement(solid);
    if let SolidShape::Mesh(source) = &solid.shape
        && let Some(model) = library.model(source)
    {
        return SceneObject {
            id: Some(id),
            placement: placement * model.fit(solid.size, source.frame.as_ref()),
            ..SceneObject::of_model(model)
        };
    }
    SceneObject {
        placement,
        stand_in: matches!(solid.shape, SolidShape::Mesh(_)),
        ..SceneObject::new(Some(id), solid_mesh::body(solid))
    }
}

/// The ground surface over the level's bounds: the height field, extended flat beyond its border; a
/// flat floor at 0 without one; empty if the level has no ground.
#[must_use]
pub fn ground(level: &Level) -> SceneObject {
    if !level.settings().has_ground {
        return SceneObject {
            closed: false,
            ..SceneObject::new(None, TriMesh::default())
        };
    }
    let bounds = level.settings().bounds;
    let field = level.ground();
    let lines = |min: f64, max: f64, origin: f64, count: usize| {
        let spacing = field.map_or(1.0, |field| field.spacing);
        let mut lines = vec![min];
        lines.extend(
            (0..count)
                .map(|i| origin + spacing * i as f64)
                .filter(|x| *x > min && *x < max),
        );
        lines.push(max);
        lines
    };
    let (origin, columns, rows) = field.map_or((DVec2::ZERO, 0, 0), |field| {
        (field.origin, field.columns, field.rows)
    });
    let xs = lines(bounds.min.x, bounds.max.x, origin.x, columns);
    let ys = lines(bounds.min.y, bounds.max.y, origin.y, rows);
    let height = |p: DVec2| field.map_or(0.0, |field| field.height(p));
    let mut mesh = TriMesh {
        vertices: ys
            .iter()
            .flat_map(|y| xs.iter().map(|x| DVec2::new(*x, *y)))
            .map(|p| p.extend(height(p)))
            .collect(),
        triangles: Vec::with_capacity(2 * (xs.len() - 1) * (ys.len() - 1)),
    };
    let width = xs.len() as u32;
    for row in 0..ys.len() as u32 - 1 {
        for column in 0..width - 1 {
            let corner = row * width + column;
            mesh.add_quad([corner, corner + 1, corner + width + 1, corner + width]);
        }
    }
    SceneObject {
        closed: false,
        ..SceneObject::new(None, mesh)
    }
}

/// The extruded outline. Over a height field its top and bottom follow the ground, and an obstacle
/// standing on the ground extends down to the lowest point beneath its outline, so that there is no
/// gap below it.
fn obstacle_body(obstacle: &Obstacle, field: Option<&HeightField>) -> TriMesh {
    let (base, height) = (obstacle.base, obstacle.height);
    let Some(field) = field else {
        let flat = Triangulation::of_polygon(&obstacle.area);
        return extrude(&flat, |p| p.extend(base), |p| p.extend(base + height));
    };
    let flat = Triangulation::of_polygon(&divided(&obstacle.area, field.spacing));
    let lowest = flat
        .points
        .iter()
        .map(|p| field.height(*p))
        .fold(f64::INFINITY, f64::min);
    let foot = |p: DVec2| {
        let ground = if base > 0.0 { field.height(p) } else { lowest };
        p.extend(ground + base)
    };
    let top = |p: DVec2| p.extend(field.height(p) + base + height);
    extrude(&flat, foot, top)
}

/// Subdivides edges so that points are at most `step` apart.
fn divided(area: &Polygon, step: f64) -> Polygon {
    let length: f64 = area.edges().map(|(a, b)| a.distance(b)).sum();
    let step = step.max(length / MAX_DRAPED_POINTS);
    let divide = |ring: &[DVec2]| {
        ring_edges(ring)
            .flat_map(|(a, b)| {
                let pieces = (a.distance(b) / step).ceil().clamp(1.0, MAX_DRAPED_POINTS) as usize;
                (0..pieces).map(move |i| a.lerp(b, i as f64 / pieces as f64))
            })
            .collect()
    };
    Polygon {
        outer: divide(&area.outer),
        holes: area.holes.iter().map(|hole| divide(hole)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Edit, Heading, MeshSource, Rotation, ops};
    use crate::geometry::{Rect, hostile};
    use proptest::prelude::*;

    fn level(edits: &[Edit]) -> Level {
        ops::apply(&Level::default(), edits).expect("a level")
    }

    fn square() -> Obstacle {
        let area = Polygon::rect(Rect::new(DVec2::splat(10.0), DVec2::splat(20.0)));
        Obstacle {
            base: 1.0,
            height: 2.0,
            ..Obstacle::new(area)
        }
    }

    fn hill() -> HeightField {
        let mut field = HeightField::flat(Rect::new(DVec2::ZERO, DVec2::splat(50.0)), 2.0, 0.0);
        field.heights = (0..field.heights.len())
            .map(|i| 0.1 * (i % field.columns) as f64)
            .collect();
        field
    }

    #[test]
    fn a_flat_level_has_a_floor_over_its_bounds() {
        let floor = ground(&Level::default());
        assert_eq!(floor.id, None);
        assert!(!floor.closed);
        let bounds = floor.bounds();
        assert_eq!(bounds.min, DVec3::ZERO);
        assert_eq!(bounds.max, DVec3::new(100.0, 100.0, 0.0));
        assert_eq!(floor.mesh.triangles.len(), 2);
    }

    #[test]
    fn the_ground_follows_the_field_and_goes_on_beyond_it() {
        let field = Arc::new(hill());
        let level = level(&[Edit::Ground(Some(Arc::clone(&field)))]);
        let floor = ground(&level);
        assert_eq!(floor.bounds().plan(), level.settings().bounds);
        for v in &floor.mesh.vertices {
            assert!((field.height(v.truncate()) - v.z).abs() < 1e-12);
        }
        let up = floor
            .triangles()
            .all(|[a, b, c]| (b - a).cross(c - a).z > 0.0);
        assert!(up, "the ground is seen from above");
    }

    #[test]
    fn obstacles_stand_from_base_to_top_and_carry_their_tag() {
        let entity = Entity::new("", Kind::Obstacle(square())).tagged(tag::FORBIDDEN);
        let level = level(&[Edit::create(EntityId::new(1), entity)]);
        let objects = scene(&level, &MeshLibrary::default());
        assert_eq!(objects.len(), 2);
        let object = &objects[1];
        assert!(object.forbidden && object.closed && object.mesh.is_closed());
        assert_eq!(object.bounds().min, DVec3::new(10.0, 10.0, 1.0));
        assert_eq!(object.bounds().max, DVec3::new(20.0, 20.0, 3.0));
        assert!((object.mesh.volume() - 200.0).abs() < 1e-9);
    }

    #[test]
    fn on_a_slope_an_obstacle_follows_the_ground_and_leaves_no_gap() {
        let field = hill();
        let mut obstacle = square();
        obstacle.base = 0.0;
        let mesh = obstacle_body(&obstacle, Some(&field));
        assert!(mesh.is_closed());
        let bounds = mesh.bounds();
        assert!(
            (bounds.min.z - 0.5).abs() < 1e-9,
            "founded at the lowest corner"
        );
        assert!(
            (bounds.max.z - 3.0).abs() < 1e-9,
            "as tall as it should be at the highest"
        );
    }

    #[test]
    fn a_turned_solid_is_where_its_corners_are() {
        let mut solid = Solid::new(
            SolidShape::Box,
            DVec3::new(5.0, 6.0, 1.0),
            DVec3::new(2.0, 4.0, 3.0),
        );
        solid.rotation = Rotation {
            yaw: Heading::degrees(30.0),
            pitch: Heading::degrees(-20.0),
            roll: Heading::degrees(10.0),
        };
        let expected = Aabb::of_points(solid.corners());
        let object = solid_object(EntityId::new(1), &solid, &MeshLibrary::default());
        let bounds = object.bounds();
        assert!((bounds.min - expected.min).length() < 1e-12);
        assert!((bounds.max - expected.max).length() < 1e-12);
    }

    #[test]
    fn a_mesh_fills_its_solids_box_and_a_missing_one_is_a_box() {
        let solid = Solid::new(
            SolidShape::Mesh(MeshSource::new("a.obj")),
            DVec3::new(1.0, 2.0, 3.0),
            DVec3::new(2.0, 4.0, 6.0),
        );
        let mut library = MeshLibrary::default();
        let missing = solid_object(EntityId::new(1), &solid, &library);
        assert!(missing.stand_in && missing.closed);
        let tetrahedron = TriMesh {
            vertices: [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
                .map(|v| v + DVec3::splat(7.0))
                .to_vec(),
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
        };
        let model = MeshModel::new(&tetrahedron, &[Colour::rgb(1, 2, 3); 4]);
        library.insert(&MeshSource::new("a.obj"), Ok(Arc::new(model)), None);
        let found = solid_object(EntityId::new(1), &solid, &library);
        assert!(!found.stand_in && found.closed);
        assert_eq!(found.colours.len(), 4);
        assert_eq!(found.bounds(), missing.bounds());
    }

    #[test]
    fn new_geometry_in_a_mesh_file_does_not_move_the_old() {
        let square = |x: f64| {
            let mut mesh = TriMesh {
                vertices: [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y]
                    .map(|p| DVec3::new(x + p.x, p.y, 5.0))
                    .to_vec(),
                triangles: Vec::new(),
            };
            mesh.add_quad([0, 1, 2, 3]);
            mesh
        };
        let old = MeshModel::new(&square(10.0), &[]);
        let mut both = square(10.0);
        both.append(&square(30.0));
        let new = MeshModel::new(&both, &[]);
        let source = MeshSource {
            frame: Some(old.bounds),
            ..MeshSource::new("a.obj")
        };
        let size = DVec3::new(2.0, 2.0, 0.001);
        let solid = Solid::new(SolidShape::Mesh(source.clone()), DVec3::splat(4.0), size);
        let corners = |model: MeshModel| -> Vec<DVec3> {
            let mut library = MeshLibrary::default();
            library.insert(&source, Ok(Arc::new(model)), None);
            let object = solid_object(EntityId::new(1), &solid, &library);
            object.triangles().flatten().collect()
        };
        let (before, after) = (corners(old), corners(new));
        for (a, b) in before.iter().zip(&after) {
            assert!((*a - *b).length() < 1e-12, "{a} {b}");
        }
        let wing = Aabb::of_points(after[6..].iter().copied());
        assert!((wing.min.x - 43.0).abs() < 1e-9 && (wing.max.x - 45.0).abs() < 1e-9);
    }

    #[test]
    fn without_ground_there_is_nothing_to_stand_on_but_bodies() {
        let settings = crate::document::Settings {
            has_ground: false,
            ..crate::document::Settings::default()
        };
        let level = level(&[Edit::Settings(Arc::new(settings))]);
        assert!(ground(&level).mesh.is_empty());
        assert!(ground(&level).bounds().is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_outline_on_any_ground_gives_a_closed_body_or_none(
            area in hostile::any_polygon(),
            base in -5.0f64..5.0,
            height in 0.01f64..10.0,
        ) {
            let obstacle = Obstacle { base, height, ..Obstacle::new(area) };
            for field in [None, Some(hill())] {
                let mesh = obstacle_body(&obstacle, field.as_ref());
                prop_assert!(mesh.is_empty() || mesh.is_closed());
            }
        }
    }
}
