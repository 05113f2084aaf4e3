//! A level's bodies as layers: built once per snapshot, reusing what did not change.

use super::body::{Body, model_layer};
use super::body_groups::{GroupBoxes, GroupKey, group_of, ids_of};
use super::frame::Placed;
use super::ground_picture::GroundPicture;
use super::layer::{Manner, Rgba, SpaceLabel, SpaceLayer, SpaceLine, SpaceVertex, opaque, rgba};
use crate::base::{Colour, EntityId};
use crate::document::{
    ChangeSet, Entity, Kind, Level, MeshLibrary, MeshModel, MeshSource, SolidShape, UpAxis, tag,
};
use crate::document::{SceneObject, scene};
use crate::geometry::{Aabb, Ray, Rect};
use crate::jobs::JobContext;
use crate::jobs::context::Cancelled;
use crate::preview::primitive::Ink;
use crate::preview::style::{Look, Palette};
use glam::{DAffine3, DVec3};
use imbl::OrdMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Up to this many changed bodies are rebuilt between two frames; more in the background.
const FEW: usize = 48;
/// A ground with more posts is rebuilt in the background.
const FEW_POSTS: usize = 40_000;
/// Edges of a chunk with more triangles would blot out its faces and cost more than they tell.
const EDGE_WIDTH: f32 = 1.1;
/// Names float this far above their bodies. Unit: metres.
pub(super) const LABEL_LIFT: f64 = 0.2;
/// Maximum surfaces of one body above each other that are considered.
const MOST_SURFACES: usize = 64;
/// Offset below a surface at which the search for the next one continues. Unit: metres.
const BENEATH: f64 = 1e-3;
/// Strength of the tint of forbidden objects.
const FORBIDDEN_TINT: f64 = 0.45;

/// Immutable: a drag creates new scenes, which share everything but what moved.
#[derive(Clone, Debug)]
pub struct SpaceScene {
    pub level: Arc<Level>,
    pub look: Look,
    pub library: Arc<MeshLibrary>,
    /// Layers of bodies hold positions relative to this.
    pub origin: DVec3,
    /// Shared between scenes except for what changed.
    bodies: OrdMap<EntityId, Made>,
    chunks: OrdMap<GroupKey, Chunk>,
    boxes: GroupBoxes,
    models: BTreeMap<ModelKey, Model>,
    ground: Arc<Body>,
    ground_layer: Arc<SpaceLayer>,
    ground_picture: Arc<GroundPicture>,
    bounds: Aabb,
    /// Of the level, and of everything drawn outside its bounds.
    extent: Rect,
}

#[derive(Clone, Debug)]
struct Made {
    entity: Arc<Entity>,
    body: Arc<Body>,
    visible: bool,
}

#[derive(Clone, Debug)]
struct Chunk {
    of: Vec<Arc<Body>>,
    layer: Arc<SpaceLayer>,
}

impl Made {
    /// Whether it shares a buffer with others: it is visible and has no model buffer of its own.
    fn is_in_chunk(&self, models: &BTreeMap<ModelKey, Model>) -> bool {
        self.visible && !model_key(&self.entity).is_some_and(|key| models.contains_key(&key))
    }

    /// Its name, above its centre. Meshes, which may have a buffer that others share, have theirs
    /// among the signs.
    fn label(&self, palette: &Palette) -> Option<SpaceLabel> {
        let Aabb { min, max } = self.body.bounds;
        let is_here = !self.entity.name.is_empty() && mesh_source(&self.entity).is_none();
        is_here.then(|| SpaceLabel {
            at: min.midpoint(max).with_z(max.z + LABEL_LIFT),
            text: self.entity.name.clone(),
            colour: palette.text,
        })
    }
}

impl Chunk {
    fn of(members: &[&Made], palette: &Palette, origin: DVec3) -> Self {
        let mut layer = SpaceLayer::new(Manner::Closed);
        for made in members {
            let colour = body_colour(&made.entity, &made.body.object, palette);
            made.body.add_to(&mut layer, colour, origin);
            let edge = edge_ink(edge_colour(&made.entity, palette));
            made.body.add_edges_to(&mut layer, edge, EDGE_WIDTH, origin);
            layer.labels.extend(made.label(palette));
        }
        Self {
            of: members.iter().map(|made| Arc::clone(&made.body)).collect(),
            layer: Arc::new(layer),
        }
    }
}

fn is_inside(bounds: &Rect, all: &Rect) -> bool {
    bounds.min.cmpgt(all.min).all() && bounds.max.cmplt(all.max).all()
}

/// Whether it does not touch the border of `all`.
fn is_within(body: &Body, all: &Aabb) -> bool {
    body.bounds.min.cmpgt(all.min).all() && body.bounds.max.cmplt(all.max).all()
}

/// A model's appearance; different if it is forbidden.
type ModelKey = (String, UpAxis, bool);

#[derive(Clone, Debug)]
struct Model {
    of: Arc<MeshModel>,
    layer: Arc<SpaceLayer>,
}

impl SpaceScene {
    /// Whether this is the scene of the given state.
    #[must_use]
    pub fn is_of(&self, level: &Arc<Level>, library: &Arc<MeshLibrary>, look: Look) -> bool {
        Arc::ptr_eq(&self.level, level) && Arc::ptr_eq(&self.library, library) && self.look == look
    }

    /// Whether so little changed that the next scene can be built between two frames.
    #[must_use]
    pub fn is_near(&self, level: &Level, library: &Arc<MeshLibrary>, look: Look) -> bool {
        let changes = ChangeSet::between(&self.level, level);
        let posts = level.ground().map_or(0, |field| field.heights.len());
        let ground_is_cheap = !changes.ground || posts <= FEW_POSTS && level.len() <= FEW;
        let regions = changes
            .created
            .iter()
            .chain(&changes.replaced)
            .filter(|id| matches!(level.get(**id).map(|e| &e.kind), Some(Kind::Region(_))))
            .count();
        look == self.look
            && Arc::ptr_eq(library, &self.library)
            && ground_is_cheap
            && !changes.settings
            && regions == 0
            && level.len() < 20_000
            && changes.created.len() + changes.replaced.len() + changes.deleted.len() <= FEW
    }

    /// Builds the scene of a level, reusing what `previous` has.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn build(
        previous: Option<&Self>,
        level: Arc<Level>,
        library: Arc<MeshLibrary>,
        look: Look,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        if let Some(next) = previous.and_then(|p| p.with_few_changes(&level, &library, look)) {
            return Ok(next);
        }
        let palette = look.palette();
        let same_ground = previous.filter(|p| {
            p.level.ground().map(Arc::as_ptr) == level.ground().map(Arc::as_ptr)
                && p.level.settings().bounds == level.settings().bounds
        });
        let origin = match same_ground {
            Some(previous) => previous.origin,
            None => level.settings().bounds.centre().extend(0.0),
        };
        ctx.stage("Bodies");
        let mut bodies = OrdMap::new();
        let total = level.len().max(1) as f32;
        for (i, (id, entity)) in level.iter().enumerate() {
            if i % 256 == 0 {
                ctx.checkpoint()?;
                ctx.report(0.8 * i as f32 / total);
            }
            if !matches!(
                entity.kind,
                Kind::Obstacle(_) | Kind::Solid(_) | Kind::Door(_)
            ) {
                continue;
            }
            let visible = level.is_visible(id);
            let before = previous.and_then(|p| p.bodies.get(&id));
            let body = match before {
                Some(made)
                    if Arc::ptr_eq(&made.entity, entity)
                        && (same_ground.is_some() || matches!(entity.kind, Kind::Solid(_)))
                        && same_model(entity, previous, &library) =>
                {
                    Arc::clone(&made.body)
                }
                _ => {
                    let Some(object) = scene::object(&level, &library, id, entity) else {
                        continue;
                    };
                    Arc::new(match before {
                        Some(made) => Body::sharing(object, &made.body),
                        None => Body::new(object),
                    })
                }
            };
            bodies.insert(
                id,
                Made {
                    entity: Arc::clone(entity),
                    body,
                    visible,
                },
            );
        }
        let same_look = previous.filter(|p| p.look == look && p.origin == origin);
        let models = models(same_look, &bodies, &library, palette);
        let chunks = chunks(same_look, &bodies, &models, palette, origin);
        ctx.checkpoint()?;
        ctx.stage("Ground");
        let (ground, ground_layer) = match (same_ground, same_look) {
            (Some(previous), Some(_)) => (
                Arc::clone(&previous.ground),
                Arc::clone(&previous.ground_layer),
            ),
            _ => {
                let body = Body::new(scene::ground(&level));
                let layer = ground_layer(&body, palette, origin);
                (Arc::new(body), Arc::new(layer))
            }
        };
        ctx.checkpoint()?;
        let ground_picture = match same_look.filter(|p| same_terrain(&p.level, &level)) {
            Some(previous) => Arc::clone(&previous.ground_picture),
            None => Arc::new(GroundPicture::of(&level, palette)),
        };
        let visible = bodies.iter().filter(|(_, made)| made.visible);
        let mut scene = Self {
            bounds: ground.bounds,
            extent: level.extent(),
            boxes: GroupBoxes::of(visible.map(|(id, made)| (*id, made.body.bounds))),
            level,
            look,
            library,
            origin,
            bodies,
            chunks,
            models,
            ground,
            ground_layer,
            ground_picture,
        };
        scene.bounds = scene.all_bounds();
        Ok(scene)
    }

    /// The next scene if only a few small bodies differ, derived from the differences; `None`
    /// otherwise.
    fn with_few_changes(
        &self,
        level: &Arc<Level>,
        library: &Arc<MeshLibrary>,
        look: Look,
    ) -> Option<Self> {
        if look != self.look || !Arc::ptr_eq(library, &self.library) {
            return None;
        }
        let changes = ChangeSet::between(&self.level, level);
        let is_plain = |level: &Level, id: EntityId| {
            level.get(id).is_none_or(|entity| match &entity.kind {
                // Visibility depends on layers and groups, the ground's texture on regions and
                // terrains.
                Kind::Layer | Kind::Group | Kind::Region(_) | Kind::Terrain(_) => false,
                _ => mesh_source(entity).is_none(),
            })
        };
        let is_plain = |id: EntityId| is_plain(&self.level, id) && is_plain(level, id);
        let is_much = changes.settings || changes.ground || changes.touched().nth(FEW).is_some();
        if is_much || !changes.touched().all(is_plain) {
            return None;
        }
        let mut next = Self {
            level: Arc::clone(level),
            ..self.clone()
        };
        let mut chunks = BTreeSet::new();
        let mut may_shrink = false;
        for id in changes.touched() {
            let before = next.bodies.remove(&id);
            let is_body = |entity: &&Arc<Entity>| {
                matches!(
                    entity.kind,
                    Kind::Obstacle(_) | Kind::Solid(_) | Kind::Door(_)
                )
            };
            let made = level.get(id).filter(is_body).and_then(|entity| {
                let object = scene::object(level, library, id, entity)?;
                Some(Made {
                    entity: Arc::clone(entity),
                    body: Arc::new(match &before {
                        Some(made) => Body::sharing(object, &made.body),
                        None => Body::new(object),
                    }),
                    visible: level.is_visible(id),
                })
            });
            if before.is_some() || made.is_some() {
                chunks.insert(group_of(id));
            }
            next.bounds = match &made {
                Some(made) if made.visible => next.bounds.union(&made.body.bounds),
                _ => next.bounds,
            };
            if let Some(made) = made {
                next.bodies.insert(id, made);
            }
            // A body at the border of the bounds may have determined them.
            let reaches = |made: Made| made.visible && !is_within(&made.body, &self.bounds);
            may_shrink |= before.is_some_and(reaches);
        }
        if may_shrink {
            next.bounds = next.all_bounds();
        }
        next.extent = self.extent_after(&changes, level);
        let palette = look.palette();
        for key in chunks {
            let range = next.bodies.range(ids_of(key)).map(|(_, made)| made);
            let around = range.clone().filter(|made| made.visible);
            let around = around.fold(Aabb::EMPTY, |all, made| all.union(&made.body.bounds));
            next.boxes.set(key, around);
            let members: Vec<&Made> = range
                .filter(|made| made.is_in_chunk(&next.models))
                .collect();
            if members.is_empty() {
                next.chunks.remove(&key);
            } else {
                let chunk = Chunk::of(&members, palette, next.origin);
                next.chunks.insert(key, chunk);
            }
        }
        Some(next)
    }

    /// The extent of the next level: all of it is looked at only where something left the border.
    fn extent_after(&self, changes: &ChangeSet, level: &Level) -> Rect {
        let bounds = |level: &Level, id: EntityId| level.get(id).and_then(|e| e.bounds());
        let mut left = changes.touched().filter_map(|id| bounds(&self.level, id));
        if left.any(|bounds| !is_inside(&bounds, &self.extent)) {
            return level.extent();
        }
        let new = changes.touched().filter_map(|id| bounds(level, id));
        new.fold(self.extent, |all, bounds| all.union(&bounds))
    }

    fn all_bounds(&self) -> Aabb {
        let visible = self.bodies.values().filter(|made| made.visible);
        visible.fold(self.ground.bounds, |all, made| all.union(&made.body.bounds))
    }

    /// All layers of the scene.
    pub fn layers(&self) -> impl Iterator<Item = Placed> + '_ {
        let world = DAffine3::from_translation(self.origin);
        let ground = Placed {
            layer: Arc::clone(&self.ground_layer),
            placement: world,
        };
        let chunks = self.chunks.values().map(move |chunk| Placed {
            layer: Arc::clone(&chunk.layer),
            placement: world,
        });
        // Most levels have no models: bodies are not asked for theirs then.
        let with_models = (!self.models.is_empty()).then_some(&self.bodies);
        let models = with_models
            .into_iter()
            .flat_map(|bodies| bodies.values())
            .filter(|made| made.visible)
            .filter_map(|made| {
                let model = self.models.get(&model_key(&made.entity)?)?;
                Some(Placed {
                    layer: Arc::clone(&model.layer),
                    placement: made.body.object.placement,
                })
            });
        std::iter::once(ground).chain(chunks).chain(models)
    }

    #[must_use]
    pub const fn ground_picture(&self) -> &Arc<GroundPicture> {
        &self.ground_picture
    }

    #[must_use]
    pub const fn ground(&self) -> &Arc<Body> {
        &self.ground
    }

    /// Visible bodies with their entities.
    pub fn bodies(&self) -> impl Iterator<Item = (EntityId, &Arc<Body>)> {
        self.bodies
            .iter()
            .filter(|(_, made)| made.visible)
            .map(|(id, made)| (*id, &made.body))
    }

    /// Visible bodies that a ray may meet within `limit`.
    pub fn bodies_along(
        &self,
        ray: &Ray,
        limit: f64,
    ) -> impl Iterator<Item = (EntityId, &Arc<Body>)> {
        let groups = self.boxes.along(ray, limit);
        groups
            .flat_map(|group| self.bodies.range(ids_of(group)))
            .filter(|(_, made)| made.visible)
            .map(|(id, made)| (*id, &made.body))
    }

    /// Number of layers that another scene has as well: what a change left as it was.
    #[must_use]
    pub fn shared_layers(&self, other: &Self) -> usize {
        let known: BTreeSet<u64> = other.layers().map(|placed| placed.layer.id()).collect();
        let is_known = |placed: &Placed| known.contains(&placed.layer.id());
        self.layers().filter(is_known).count()
    }

    #[must_use]
    pub fn body(&self, id: EntityId) -> Option<&Arc<Body>> {
        self.bodies.get(&id).map(|made| &made.body)
    }

    /// The body of an entity, or those of its parts: a wall stands in its pieces.
    pub fn bodies_of(&self, id: EntityId) -> impl Iterator<Item = &Arc<Body>> {
        let parts = self.level.parts(id).filter_map(|(part, _)| self.body(part));
        self.body(id).into_iter().chain(parts)
    }

    /// The height of the surface above or below a point that is nearest to it; `None` if there is
    /// none.
    #[must_use]
    pub fn surface_near(&self, at: DVec3) -> Option<f64> {
        let top = self.bounds.max.z + 1.0;
        let mut nearest: Option<f64> = None;
        let column = |body: &&Arc<Body>| {
            let Aabb { min, max } = body.bounds;
            (min.x..=max.x).contains(&at.x) && (min.y..=max.y).contains(&at.y)
        };
        let ground = self.level.settings().has_ground.then_some(&self.ground);
        let down = Ray::new(at.with_z(top), DVec3::NEG_Z);
        let bodies = self.bodies_along(&down, f64::INFINITY);
        let bodies = bodies.map(|(_, body)| body);
        for body in bodies.filter(column).chain(ground) {
            let mut from = top;
            for _ in 0..MOST_SURFACES {
                let ray = Ray::new(at.with_z(from), DVec3::NEG_Z);
                let Some(t) = body.first_hit(&ray, f64::INFINITY) else {
                    break;
                };
                let height = from - t;
                if nearest.is_none_or(|known| (height - at.z).abs() < (known - at.z).abs()) {
                    nearest = Some(height);
                }
                from = height - BENEATH;
            }
        }
        nearest
    }

    /// Bounds of everything visible.
    #[must_use]
    pub const fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The level's bounds, extended by everything drawn outside them.
    #[must_use]
    pub const fn extent(&self) -> Rect {
        self.extent
    }

    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.layers()
            .map(|placed| placed.layer.indices.len() / 3)
            .sum()
    }
}

pub(super) fn mesh_source(entity: &Entity) -> Option<&MeshSource> {
    match &entity.kind {
        Kind::Solid(solid) => match &solid.shape {
            SolidShape::Mesh(source) => Some(source),
            _ => None,
        },
        _ => None,
    }
}

fn model_key(entity: &Entity) -> Option<ModelKey> {
    let source = mesh_source(entity)?;
    let forbidden = entity.has_tag(tag::FORBIDDEN);
    Some((source.file.clone(), source.up, forbidden))
}

fn same_model(entity: &Entity, previous: Option<&SpaceScene>, library: &MeshLibrary) -> bool {
    let Some(source) = mesh_source(entity) else {
        return true;
    };
    let before = previous.and_then(|p| p.library.model(source));
    before.map(Arc::as_ptr) == library.model(source).map(Arc::as_ptr)
}

fn same_terrain(old: &Level, new: &Level) -> bool {
    let changes = ChangeSet::between(old, new);
    let concerns = |level: &Level, id: &EntityId| {
        matches!(
            level.get(*id).map(|entity| &entity.kind),
            Some(Kind::Region(_) | Kind::Terrain(_) | Kind::Layer | Kind::Group)
        )
    };
    !changes.settings
        && !changes.reordered
        && !changes.created.iter().any(|id| concerns(new, id))
        && !changes.replaced.iter().any(|id| concerns(new, id))
        && !changes.deleted.iter().any(|id| concerns(old, id))
}

fn models(
    previous: Option<&SpaceScene>,
    bodies: &OrdMap<EntityId, Made>,
    library: &MeshLibrary,
    palette: &Palette,
) -> BTreeMap<ModelKey, Model> {
    let mut models = BTreeMap::new();
    for made in bodies.values() {
        let (Some(source), Some(key)) = (mesh_source(&made.entity), model_key(&made.entity)) else {
            continue;
        };
        let wanted = library.model(source);
        let Some(model) = wanted.filter(|_| !models.contains_key(&key)) else {
            continue;
        };
        let known = previous
            .and_then(|p| p.models.get(&key))
            .filter(|known| Arc::ptr_eq(&known.of, model));
        let made = known.cloned().unwrap_or_else(|| {
            let edge = edge_ink(edge_colour(&made.entity, palette));
            let tint = key.2.then_some((palette.forbidden, FORBIDDEN_TINT));
            Model {
                of: Arc::clone(model),
                layer: Arc::new(model_layer(model, palette.solid(4.0), tint, edge)),
            }
        });
        models.insert(key, made);
        // Picking is ready before the first click.
    }
    for made in bodies.values() {
        if mesh_source(&made.entity).is_some() {
            made.body.prepare();
        }
    }
    models
}

fn chunks(
    previous: Option<&SpaceScene>,
    bodies: &OrdMap<EntityId, Made>,
    models: &BTreeMap<ModelKey, Model>,
    palette: &Palette,
    origin: DVec3,
) -> OrdMap<GroupKey, Chunk> {
    let mut members: BTreeMap<GroupKey, Vec<&Made>> = BTreeMap::new();
    for (id, made) in bodies {
        if made.is_in_chunk(models) {
            members.entry(group_of(*id)).or_default().push(made);
        }
    }
    members
        .into_iter()
        .map(|(key, members)| {
            let known = previous.and_then(|p| p.chunks.get(&key)).filter(|known| {
                known.of.len() == members.len()
                    && known
                        .of
                        .iter()
                        .zip(&members)
                        .all(|(a, b)| Arc::ptr_eq(a, &b.body))
            });
            let chunk = known.cloned();
            let chunk = chunk.unwrap_or_else(|| Chunk::of(&members, palette, origin));
            (key, chunk)
        })
        .collect()
}

fn edge_ink(colour: Colour) -> Rgba {
    rgba(Ink::new(colour, 0.85))
}

/// The colour of a body: as in plan, but tall ones no darker than is legible in 3D.
fn body_colour(entity: &Entity, object: &SceneObject, palette: &Palette) -> Colour {
    let own = match &entity.kind {
        Kind::Obstacle(_) if entity.has_tag(tag::PLANT) => palette.plant(2.0),
        Kind::Obstacle(_) if entity.has_tag(tag::WATER) => palette.water,
        Kind::Obstacle(obstacle) => palette.obstacle(obstacle.height.min(3.0)),
        Kind::Door(door) => palette.door(door.state),
        _ => palette.solid(3.0),
    };
    if object.forbidden {
        own.mix(palette.forbidden, FORBIDDEN_TINT)
    } else {
        own
    }
}

fn edge_colour(entity: &Entity, palette: &Palette) -> Colour {
    if entity.has_tag(tag::FORBIDDEN) {
        return palette.forbidden;
    }
    match &entity.kind {
        Kind::Obstacle(_) if entity.has_tag(tag::PLANT) => palette.plant_edge,
        Kind::Obstacle(_) if entity.has_tag(tag::WATER) => palette.water_edge,
        Kind::Obstacle(_) => palette.obstacle_edge,
        _ => palette.solid_edge,
    }
}

fn ground_layer(body: &Body, palette: &Palette, origin: DVec3) -> SpaceLayer {
    let mut layer = SpaceLayer::new(Manner::Ground);
    let mesh = &body.object.mesh;
    let place = |p: &DVec3| (*p - origin).as_vec3().to_array();
    layer.vertices = mesh
        .vertices
        .iter()
        .map(|p| SpaceVertex {
            position: place(p),
            colour: opaque(palette.ground),
        })
        .collect();
    layer.indices = mesh.triangles.as_flattened().to_vec();
    // The border: edges of a single triangle. The grid's rows make them easy to find.
    let bounds = body.bounds;
    let on_border = |p: &DVec3| {
        p.x == bounds.min.x || p.x == bounds.max.x || p.y == bounds.min.y || p.y == bounds.max.y
    };
    let colour = rgba(palette.bounds);
    for &[a, b, c] in &mesh.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (p, q) = (mesh.vertices[from as usize], mesh.vertices[to as usize]);
            let along = (p.x == q.x && (p.x == bounds.min.x || p.x == bounds.max.x))
                || (p.y == q.y && (p.y == bounds.min.y || p.y == bounds.max.y));
            if along && on_border(&p) && on_border(&q) {
                layer.lines.push(SpaceLine {
                    from: place(&p),
                    to: place(&q),
                    colour,
                    width: 1.5,
                });
            }
        }
    }
    layer
}
