//! Problems with the mesh files of solids, once an attempt was made to load them.

use super::{Code, Fix, Problem, Severity, Subject};
use crate::document::mesh_library::MeshLibrary;
use crate::document::model::{Level, MeshSource, Solid, SolidShape, limits};
use crate::document::solid_mesh;
use crate::geometry::Aabb;
use glam::DVec3;
use std::collections::BTreeSet;

/// Fraction of its size by which a mesh may exceed its box before it is reported.
const OUTGROWN: f64 = 0.01;

/// Adds the problems of loaded meshes to those found without loading them.
pub fn check_meshes(level: &Level, library: &MeshLibrary, problems: &mut Vec<Problem>) {
    let missing: BTreeSet<Subject> = problems
        .iter()
        .filter(|problem| problem.code == Code::MissingMesh)
        .map(|problem| problem.subject)
        .collect();
    for (id, _, solid, source) in level.mesh_solids() {
        let file = &source.file;
        let problem = match library.get(source) {
            Some(Err(sentence)) if !missing.contains(&Subject::Entity(id)) => Problem::new(
                Severity::Error,
                Code::UnreadableMesh,
                id,
                format!(
                    "its mesh file `{file}` cannot be read: {sentence}; a box is shown instead"
                ),
            ),
            Some(Ok(model)) => {
                let Some(frame) = source.frame.filter(|frame| !holds(frame, &model.bounds)) else {
                    continue;
                };
                let (was, is) = (frame.size(), model.bounds.size());
                let message = format!(
                    "its mesh file `{file}` has changed and extends beyond its box: the box holds \
                     {:.2} × {:.2} × {:.2} units, the mesh has {:.2} × {:.2} × {:.2}; fit the box \
                     to it",
                    was.x, was.y, was.z, is.x, is.y, is.z
                );
                Problem::new(Severity::Warning, Code::OutgrownMesh, id, message)
                    .fixed_by(Fix::FitMesh(model.bounds))
            }
            _ => continue,
        };
        problems.push(problem.at(solid.position.truncate()));
    }
}

fn holds(frame: &Aabb, bounds: &Aabb) -> bool {
    let slack = OUTGROWN * frame.size().max_element();
    let frame = frame.expanded(slack.max(1e-9));
    frame.union(bounds) == frame
}

/// The solid with its box fitted to `bounds` of its mesh file, without moving the mesh.
pub(super) fn fitted(solid: &Solid, source: &MeshSource, bounds: Aabb) -> Solid {
    let frame = source.frame.unwrap_or(bounds);
    let share = |size: f64, was: f64| if was > 1e-9 { size / was } else { 1.0 };
    let (size, was) = (solid.size, frame.size());
    let scale = DVec3::new(
        share(size.x, was.x),
        share(size.y, was.y),
        share(size.z, was.z),
    );
    let foot = |b: &Aabb| b.centre().with_z(b.min.z);
    let shift = (foot(&bounds) - foot(&frame)) * scale;
    let least = DVec3::splat(limits::SOLID_SIZE.min);
    Solid {
        position: solid_mesh::placement(solid).transform_point3(shift),
        size: (bounds.size() * scale).max(least),
        shape: SolidShape::Mesh(MeshSource {
            frame: Some(bounds),
            ..source.clone()
        }),
        ..solid.clone()
    }
}
