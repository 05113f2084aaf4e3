//! What stands in the way of a body, for formats that know only free and blocked.

use super::{ExportError, LeftOut};
use crate::document::{Body, Entity, Kind, KindName, Level, Profile, Solid, SolidShape};
use crate::geometry::{Polygon, boolean};

/// The body of a profile, or the usual one.
pub(super) fn body_of(level: &Level, profile: Option<&str>) -> Result<Body, ExportError> {
    let Some(name) = profile else {
        return Ok(Profile::default().body);
    };
    let found = level
        .find(KindName::Profile, name)
        .and_then(|id| level.get(id));
    if let Some(entity) = found
        && let Kind::Profile(profile) = &entity.kind
    {
        return Ok(profile.body);
    }
    let known: Vec<String> = level.profiles().map(|(id, e, _)| e.label(id)).collect();
    let known = known.join(", ");
    let sentence = format!("there is no profile `{name}`; there are {known}");
    Err(ExportError::Refused(sentence))
}

/// The outlines of everything at rest that a body can neither step onto nor pass under, with the
/// entity each belongs to.
pub(super) fn blocking<'a>(
    level: &'a Level,
    body: &Body,
) -> impl Iterator<Item = (&'a Entity, Polygon)> {
    let body = *body;
    let in_the_way =
        move |base: f64, height: f64| base < body.height && base + height > body.step_height;
    let obstacles = level.obstacles().filter_map(move |(_, entity, obstacle)| {
        let blocks = obstacle.motion.is_none() && in_the_way(obstacle.base, obstacle.height);
        blocks.then(|| (entity, obstacle.area.clone()))
    });
    let solids = level.solids().filter_map(move |(_, entity, solid)| {
        let blocks = is_wall(solid) && in_the_way(solid.position.z, solid.size.z);
        blocks.then(|| (entity, Polygon::new(solid.footprint())))
    });
    obstacles.chain(solids)
}

/// What obstacles leave of the level, in plan.
pub(super) fn walkable(level: &Level, body: &Body) -> Vec<Polygon> {
    let blocked: Vec<Polygon> = blocking(level, body).map(|(_, area)| area).collect();
    boolean::difference(&[Polygon::rect(level.settings().bounds)], &blocked)
}

/// Ramps, stairs and platforms are there to be walked on, arches to be walked through.
const fn is_wall(solid: &Solid) -> bool {
    !matches!(
        solid.shape,
        SolidShape::Ramp
            | SolidShape::Stairs { .. }
            | SolidShape::Arch { .. }
            | SolidShape::Platform { .. }
    )
}

/// What a format that knows only free and blocked leaves out; `carried` says what it has a use for
/// besides.
pub(super) fn left_out(
    level: &Level,
    body: &Body,
    carried: impl Fn(&Entity) -> bool,
) -> Vec<LeftOut> {
    let mut left_out = Vec::new();
    // What moves blocks no place for good.
    let moving = level
        .obstacles()
        .filter(|(_, _, obstacle)| obstacle.motion.is_some())
        .count();
    if moving > 0 {
        let what = format!("{moving} moving obstacles");
        left_out.push(LeftOut::new(
            moving,
            what,
            "the format knows only what stands still",
        ));
    }
    let standing = level.obstacles().count() + level.solids().count() - moving;
    let passable = standing - blocking(level, body).count();
    if passable > 0 {
        let what = format!("{passable} obstacles and solids that one walks on or under");
        left_out.push(LeftOut::new(passable, what, "the format is a plan"));
    }
    let reason = |entity: &Entity| {
        let own = matches!(
            entity.kind,
            Kind::Obstacle(_) | Kind::Solid(_) | Kind::Terrain(_) | Kind::Profile(_)
        );
        (!own && !carried(entity)).then_some("the format knows only free and blocked")
    };
    let heights = Some("the format is a plan");
    left_out.extend(super::left_out::left_out(level, &reason, heights));
    left_out
}
