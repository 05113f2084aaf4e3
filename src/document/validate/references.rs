//! References: does the target exist, and is it of the right kind?

use super::{Code, Fix, Problem, Severity};
use crate::base::EntityId;
use crate::document::model::{Entity, Kind, Level, MeshSource, SolidShape, entity::Role};
use std::path::Path;

pub(super) fn check(
    level: &Level,
    id: EntityId,
    entity: &Entity,
    folder: Option<&Path>,
    problems: &mut Vec<Problem>,
) {
    for (role, target) in entity.references() {
        let severity = match role {
            Role::Layer | Role::Group => Severity::Warning,
            _ => Severity::Error,
        };
        let fix = fix_for(level, role, target);
        let problem = match level.kind_of(target) {
            None => Problem::new(
                severity,
                Code::DanglingReference,
                id,
                format!(
                    "its {} {target} no longer exists; choose another one",
                    role.name()
                ),
            ),
            Some(kind) if !role.accepts(kind) => Problem::new(
                severity,
                Code::WrongReference,
                id,
                format!(
                    "its {} is “{}”, which is a {}; choose another one",
                    role.name(),
                    level.label(target),
                    kind.singular().to_lowercase()
                ),
            ),
            Some(_) => continue,
        };
        problems.push(match fix {
            Some(fix) => problem.fixed_by(fix),
            None => problem,
        });
    }
    if is_in_itself(level, id, entity) {
        problems.push(
            Problem::new(
                Severity::Error,
                Code::GroupCycle,
                id,
                "its groups contain each other; remove it from its group",
            )
            .fixed_by(Fix::LeaveGroup),
        );
    }
    check_mesh(id, entity, folder, problems);
}

/// A terrain or profile must be replaced by another one; other references can be dropped.
fn fix_for(level: &Level, role: Role, target: EntityId) -> Option<Fix> {
    match role {
        Role::Terrain => {
            let terrain = level
                .settings()
                .base_terrain
                .filter(|base| level.contains(*base))
                .or_else(|| level.terrains().map(|t| t.0).next())?;
            Some(Fix::Redirect {
                from: target,
                to: terrain,
            })
        }
        Role::Profile => Some(Fix::Redirect {
            from: target,
            to: level.profiles().map(|p| p.0).next()?,
        }),
        Role::Object | Role::TestedAgent => Some(Fix::Remove),
        _ => Some(Fix::DropReference { to: target, role }),
    }
}

fn is_in_itself(level: &Level, id: EntityId, entity: &Entity) -> bool {
    let mut next = entity.group;
    for _ in 0..64 {
        match next {
            Some(group) if group == id => return true,
            Some(group) => next = level.get(group).and_then(|group| group.group),
            None => return false,
        }
    }
    // Deeper than groups can nest: a cycle further up, reported there.
    false
}

fn check_mesh(id: EntityId, entity: &Entity, folder: Option<&Path>, problems: &mut Vec<Problem>) {
    if let Kind::Solid(solid) = &entity.kind
        && let SolidShape::Mesh(MeshSource { file, .. }) = &solid.shape
        && let Some(folder) = folder
        && !folder.join(file).is_file()
    {
        problems.push(
            Problem::new(
                Severity::Error,
                Code::MissingMesh,
                id,
                format!("its mesh file `{file}` is not in the level's folder; put it there, or choose another one"),
            )
            .at(solid.position.truncate()),
        );
    }
}
