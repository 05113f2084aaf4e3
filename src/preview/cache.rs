//! The plan view's triangles, kept from frame to frame: only what a change touches is rebuilt.
//!
//! Things are gathered into chunks of neighbours in painting order, small enough that handing
//! one to the graphics card again costs little, large enough that there are few of them. Where a
//! chunk ends is decided by the ids in it, so that something new or gone changes one chunk and
//! leaves the others what they were.

use super::label::Label;
use super::mesh::{Mesh, Tessellator};
use super::primitive::{Extent, Plane, Primitive, Shape};
use super::shape::Scene;
use super::style::Look;
use crate::base::EntityId;
use crate::document::{
    Annotation, ChangeSet, Entity, Goal, Kind, Level, MeshLibrary, Obstacle, Relation, Solid,
};
use crate::geometry::Rect;
use glam::DVec2;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One id in so many ends a chunk.
const CHUNK_ENTITIES: u64 = 48;
/// A chunk ends when it has this many vertices, whatever the ids say.
const CHUNK_VERTICES: usize = 20_000;
/// Positions are kept relative to an origin; when the level moves farther than this from it,
/// everything is rebuilt. At 10 km, 32 bits still tell a millimetre. Unit: metres.
const ORIGIN_REACH: f64 = 10_000.0;

/// What is drawn: an entity, or (`None`) the ground itself.
pub type Subject = Option<EntityId>;

/// A disc or mark that labels keep clear of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sign {
    pub at: DVec2,
    pub size: Extent,
    /// What it covers around its place, in units of its size, y up.
    pub cover: Rect,
}

/// Everything that one subject shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    meshes: BTreeMap<Plane, Mesh>,
    labels: Vec<Label>,
    signs: Vec<Sign>,
    /// Of all its points; what is drawn in pixels reaches beyond.
    bounds: Option<Rect>,
}

impl Drawing {
    fn of(shapes: Vec<Shape>, tessellator: &mut Tessellator) -> Self {
        let mut drawing = Self::default();
        let mut bounds = Rect::EMPTY;
        for shape in shapes {
            bounds = bounds.union(&shape.primitive.bounds());
            drawing.note_sign(&shape);
            if let Primitive::Text(label) = shape.primitive {
                drawing.labels.push(label);
            } else {
                let mesh = drawing.meshes.entry(shape.plane).or_default();
                tessellator.add(&shape, mesh);
            }
        }
        drawing.meshes.retain(|_, mesh| !mesh.is_empty());
        drawing.bounds = (!bounds.is_empty()).then_some(bounds);
        drawing
    }

    fn note_sign(&mut self, shape: &Shape) {
        if !shape.plane.bears_signs() {
            return;
        }
        self.signs.extend(match shape.primitive {
            Primitive::Disc { centre, radius, .. } => Some(Sign {
                at: centre,
                size: radius,
                cover: Rect::around(DVec2::ZERO, DVec2::ONE),
            }),
            Primitive::Mark {
                at,
                turn,
                glyph,
                size,
                ..
            } => {
                let turn = DVec2::from_angle(turn);
                let cover = glyph.outline().iter().fold(Rect::EMPTY, |cover, corner| {
                    cover.including(turn.rotate(DVec2::from(*corner)))
                });
                Some(Sign { at, size, cover })
            }
            _ => None,
        });
    }
}

/// Neighbours in painting order whose triangles are drawn in one go.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub plane: Plane,
    /// Changes whenever the triangles do, and is never used twice.
    pub revision: u64,
    /// What it covers, as far as that is measured in metres.
    pub bounds: Rect,
    members: Members,
}

impl Chunk {
    /// All its triangles as one mesh.
    #[must_use]
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        for (_, drawing) in &self.members {
            if let Some(part) = drawing.meshes.get(&self.plane) {
                mesh.append(part);
            }
        }
        mesh
    }

    fn measure(&mut self) {
        self.bounds = self
            .members
            .iter()
            .filter_map(|(_, drawing)| drawing.bounds)
            .fold(Rect::EMPTY, |all, bounds| all.union(&bounds));
    }
}

type Members = Vec<(Subject, Arc<Drawing>)>;

/// Things that are drawn by identical triangles.
fn same_members(a: &Members, b: &Members) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1))
}

/// A chunk in the making.
#[derive(Default)]
struct Gathering {
    members: Members,
    vertices: usize,
}

impl Gathering {
    fn is_full(&self, next: usize) -> bool {
        self.members
            .last()
            .is_some_and(|(last, _)| ends_chunk(*last))
            || self.vertices + next > CHUNK_VERTICES
    }
}

#[derive(Debug)]
pub struct PlanCache {
    shown: Option<(Arc<Level>, Look)>,
    meshes: Arc<MeshLibrary>,
    origin: DVec2,
    drawings: BTreeMap<Subject, Arc<Drawing>>,
    /// Who looks different when an entity changes.
    dependents: BTreeMap<EntityId, BTreeSet<EntityId>>,
    /// Annotations that end at obstacles.
    sights: BTreeSet<EntityId>,
    chunks: Vec<Chunk>,
    places: BTreeMap<(Plane, Subject), usize>,
    next_revision: u64,
}

impl Default for PlanCache {
    fn default() -> Self {
        Self {
            shown: None,
            meshes: Arc::default(),
            origin: DVec2::ZERO,
            drawings: BTreeMap::new(),
            dependents: BTreeMap::new(),
            sights: BTreeSet::new(),
            chunks: Vec::new(),
            places: BTreeMap::new(),
            next_revision: 1,
        }
    }
}

impl PlanCache {
    /// What mesh positions are relative to. Unit: metres.
    #[must_use]
    pub const fn origin(&self) -> DVec2 {
        self.origin
    }

    /// From the bottom to the top: by plane, then in the level's order.
    #[must_use]
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    pub fn labels(&self) -> impl Iterator<Item = (Subject, &Label)> {
        self.drawings
            .iter()
            .flat_map(|(subject, drawing)| drawing.labels.iter().map(|label| (*subject, label)))
    }

    pub fn signs(&self) -> impl Iterator<Item = &Sign> {
        self.drawings.values().flat_map(|drawing| &drawing.signs)
    }

    /// Sets the meshes; everything is rebuilt if they changed.
    pub fn show_meshes(&mut self, meshes: &Arc<MeshLibrary>) {
        if !Arc::ptr_eq(&self.meshes, meshes) {
            self.meshes = Arc::clone(meshes);
            self.shown = None;
        }
    }

    /// Brings the triangles up to date. Returns how many subjects were rebuilt.
    pub fn update(&mut self, level: &Arc<Level>, look: Look) -> usize {
        let centre = level.settings().bounds.centre();
        match self.shown.take() {
            Some((old, old_look)) if Arc::ptr_eq(&old, level) && old_look == look => {
                self.shown = Some((old, look));
                0
            }
            Some((old, old_look))
                if old_look == look && centre.distance(self.origin) < ORIGIN_REACH =>
            {
                let change = ChangeSet::between(&old, level);
                let count = self.apply(&old, level, look, &change);
                self.shown = Some((Arc::clone(level), look));
                count
            }
            _ => {
                self.origin = centre;
                let count = self.rebuild(level, look);
                self.shown = Some((Arc::clone(level), look));
                count
            }
        }
    }

    fn rebuild(&mut self, level: &Level, look: Look) -> usize {
        self.dependents.clear();
        self.sights.clear();
        for (id, entity) in level.iter() {
            self.note_dependencies(id, entity);
        }
        let subjects: Vec<Subject> = std::iter::once(None)
            .chain(level.iter().map(|(id, _)| Some(id)))
            .collect();
        self.drawings = self.drawn(level, look, &subjects).into_iter().collect();
        self.chunk(level);
        subjects.len()
    }

    fn apply(&mut self, old: &Level, level: &Level, look: Look, change: &ChangeSet) -> usize {
        for id in &change.deleted {
            self.drawings.remove(&Some(*id));
        }
        for id in change.touched() {
            if let Some(entity) = old.get(id) {
                self.forget_dependencies(id, entity);
            }
            if let Some(entity) = level.get(id) {
                self.note_dependencies(id, entity);
            }
        }
        let affected = self.affected(level, change);
        let drawn = self.drawn(level, look, &affected);
        let count = drawn.len();
        let mut same_planes = true;
        for (subject, drawing) in drawn {
            same_planes &= self.replace(subject, drawing);
        }
        let same_order =
            !change.reordered && change.created.is_empty() && change.deleted.is_empty();
        if !(same_order && same_planes) {
            self.chunk(level);
        }
        count
    }

    /// All that looks different after a change: what changed, what depends on that, and so on.
    fn affected(&self, level: &Level, change: &ChangeSet) -> Vec<Subject> {
        let mut found: BTreeSet<Subject> = BTreeSet::new();
        let base_terrain = level.settings().base_terrain;
        let mut open: Vec<EntityId> = change.touched().collect();
        if change.bounds.is_some() {
            open.extend(&self.sights);
        }
        while let Some(id) = open.pop() {
            if found.insert(Some(id)) {
                open.extend(self.dependents.get(&id).into_iter().flatten());
            }
        }
        let ground = change.settings
            || change.ground
            || base_terrain.is_some_and(|id| found.contains(&Some(id)));
        if ground {
            found.insert(None);
        }
        found
            .into_iter()
            .filter(|subject| subject.is_none_or(|id| level.contains(id)))
            .collect()
    }

    fn drawn(
        &self,
        level: &Level,
        look: Look,
        subjects: &[Subject],
    ) -> Vec<(Subject, Arc<Drawing>)> {
        let scene = Scene {
            level,
            palette: look.palette(),
            meshes: &self.meshes,
        };
        let draw = |tessellator: &mut Tessellator, subject: Subject| {
            let mut shapes: Vec<Shape> = Vec::new();
            match subject {
                None => scene.draw_ground(&mut shapes),
                Some(id) => {
                    if let Some(entity) = level.get(id) {
                        scene.draw_entity(id, entity, &mut shapes);
                    }
                }
            }
            (subject, Arc::new(Drawing::of(shapes, tessellator)))
        };
        // A drag touches one or two things: not worth other threads.
        if subjects.len() < 32 {
            let mut tessellator = Tessellator::new(self.origin);
            return subjects
                .iter()
                .map(|subject| draw(&mut tessellator, *subject))
                .collect();
        }
        subjects
            .par_iter()
            .map_init(
                || Tessellator::new(self.origin),
                |tessellator, subject| draw(tessellator, *subject),
            )
            .collect()
    }

    /// Puts a new drawing in the place of the old one. False where the chunks cannot stay as
    /// they are, because it is on other planes now.
    fn replace(&mut self, subject: Subject, drawing: Arc<Drawing>) -> bool {
        let old = self.drawings.insert(subject, Arc::clone(&drawing));
        let same_planes = old.is_some_and(|old| old.meshes.keys().eq(drawing.meshes.keys()));
        if same_planes {
            for plane in drawing.meshes.keys() {
                let Some(index) = self.places.get(&(*plane, subject)) else {
                    return false;
                };
                let chunk = &mut self.chunks[*index];
                if let Some(member) = chunk.members.iter_mut().find(|(s, _)| *s == subject) {
                    member.1 = Arc::clone(&drawing);
                }
                chunk.revision = self.next_revision;
                self.next_revision += 1;
                chunk.measure();
            }
        }
        same_planes
    }

    /// Gathers all drawings into chunks; those that show what they showed keep their revision.
    fn chunk(&mut self, level: &Level) {
        let mut by_plane: BTreeMap<Plane, Vec<Gathering>> = BTreeMap::new();
        let subjects = std::iter::once(None).chain(level.order().iter().map(|id| Some(*id)));
        for subject in subjects {
            let Some(drawing) = self.drawings.get(&subject) else {
                continue;
            };
            for (plane, mesh) in &drawing.meshes {
                let chunks = by_plane.entry(*plane).or_default();
                let size = mesh.vertices.len();
                if chunks.last().is_none_or(|chunk| chunk.is_full(size)) {
                    chunks.push(Gathering::default());
                }
                if let Some(chunk) = chunks.last_mut() {
                    chunk.members.push((subject, Arc::clone(drawing)));
                    chunk.vertices += size;
                }
            }
        }
        let before: BTreeMap<(Plane, Subject), Chunk> = std::mem::take(&mut self.chunks)
            .into_iter()
            .filter_map(|chunk| Some(((chunk.plane, chunk.members.first()?.0), chunk)))
            .collect();
        self.places.clear();
        let gathered = by_plane
            .into_iter()
            .flat_map(|(plane, chunks)| chunks.into_iter().map(move |chunk| (plane, chunk)));
        for (plane, Gathering { members, .. }) in gathered {
            let same = members
                .first()
                .and_then(|(first, _)| before.get(&(plane, *first)))
                .filter(|old| same_members(&old.members, &members));
            let revision = same.map_or(self.next_revision, |old| old.revision);
            self.next_revision += u64::from(same.is_none());
            for (subject, _) in &members {
                self.places.insert((plane, *subject), self.chunks.len());
            }
            let mut chunk = Chunk {
                plane,
                revision,
                bounds: Rect::EMPTY,
                members,
            };
            chunk.measure();
            self.chunks.push(chunk);
        }
    }

    fn note_dependencies(&mut self, id: EntityId, entity: &Entity) {
        for on in dependencies(entity) {
            self.dependents.entry(on).or_default().insert(id);
        }
        if sees(entity) {
            self.sights.insert(id);
        }
    }

    fn forget_dependencies(&mut self, id: EntityId, entity: &Entity) {
        for on in dependencies(entity) {
            if let Some(dependents) = self.dependents.get_mut(&on) {
                dependents.remove(&id);
            }
        }
        self.sights.remove(&id);
    }
}

/// The ids that end a chunk: spread evenly, and for ever the same.
fn ends_chunk(subject: Subject) -> bool {
    subject.is_none_or(|id| {
        let mixed = id.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        mixed % CHUNK_ENTITIES == 0
    })
}

/// What else its look depends on.
fn dependencies(entity: &Entity) -> Vec<EntityId> {
    let mut found: Vec<EntityId> = entity.layer.into_iter().chain(entity.group).collect();
    match &entity.kind {
        Kind::Obstacle(Obstacle { motion, .. }) | Kind::Solid(Solid { motion, .. }) => {
            found.extend(motion.as_ref().and_then(|motion| motion.route));
        }
        Kind::Region(region) => found.push(region.terrain),
        Kind::Door(door) => {
            let flags = door.changes.iter().filter_map(|change| change.when.flag);
            found.extend(flags.map(crate::document::FlagIs::flag));
        }
        Kind::Annotation(Annotation::Relation { object, relation }) => {
            found.push(*object);
            if let Relation::Between { other } = relation {
                found.push(*other);
            }
        }
        _ => {}
    }
    if let Some(mission) = entity.mission() {
        found.push(mission.profile);
        let targets = mission.goals.iter().filter_map(Goal::target);
        found.extend(targets.flat_map(|target| target.entities()));
    }
    found
}

fn sees(entity: &Entity) -> bool {
    matches!(
        entity.kind,
        Kind::Annotation(Annotation::Relation {
            relation: Relation::LineOfSight { .. },
            ..
        })
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Colour;
    use crate::document::{Edit, Settings};
    use crate::document::{Profile, ops};
    use crate::geometry::Polygon;
    use crate::preview::showcase;
    use proptest::prelude::*;

    fn edited(level: &Arc<Level>, edits: &[Edit]) -> Arc<Level> {
        Arc::new(ops::apply(level, edits).expect("the edits are fine"))
    }

    fn changed(level: &Level, id: EntityId, change: impl FnOnce(&mut Entity)) -> Edit {
        let mut entity = Entity::clone(level.get(id).expect("it is there"));
        change(&mut entity);
        Edit::replace(id, entity)
    }

    /// Chunks without their revisions: what is drawn, in which order.
    fn picture(cache: &PlanCache) -> Vec<(Plane, Mesh)> {
        let mut meshes: Vec<(Plane, Mesh)> = Vec::new();
        for chunk in cache.chunks() {
            match meshes.last_mut() {
                Some((plane, mesh)) if *plane == chunk.plane => mesh.append(&chunk.mesh()),
                _ => meshes.push((chunk.plane, chunk.mesh())),
            }
        }
        meshes
    }

    fn fresh(cache: &PlanCache, level: &Arc<Level>) -> PlanCache {
        let mut fresh = PlanCache {
            origin: cache.origin,
            ..PlanCache::default()
        };
        fresh.rebuild(level, Look::Dark);
        fresh
    }

    fn revisions(cache: &PlanCache) -> BTreeSet<u64> {
        cache.chunks().iter().map(|chunk| chunk.revision).collect()
    }

    #[test]
    fn moving_a_thing_redraws_it_and_what_is_tied_to_it() {
        let level = Arc::new(showcase::level());
        let mut cache = PlanCache::default();
        assert_eq!(cache.update(&level, Look::Dark), level.len() + 1);
        assert_eq!(cache.update(&level, Look::Dark), 0);
        let edit = changed(&level, showcase::HALL, |entity| {
            if let Kind::Obstacle(hall) = &mut entity.kind {
                hall.area = hall.area.clone().map(|p| p + 1.0);
            }
        });
        let moved = edited(&level, &[edit]);
        // The hall itself and the strip before it.
        assert_eq!(cache.update(&moved, Look::Dark), 2);
        assert_eq!(picture(&cache), picture(&fresh(&cache, &moved)));
    }

    #[test]
    fn a_definition_redraws_all_that_use_it() {
        let level = Arc::new(showcase::level());
        let mut cache = PlanCache::default();
        cache.update(&level, Look::Dark);
        let edit = changed(&level, showcase::PROFILE, |entity| {
            entity.kind = Kind::Profile(Profile {
                colour: Colour::hex(0xff0000),
                ..Profile::default()
            });
        });
        let level = edited(&level, &[edit]);
        assert_eq!(
            cache.update(&level, Look::Dark),
            2,
            "the profile and one agent"
        );
        assert_eq!(picture(&cache), picture(&fresh(&cache, &level)));
        assert!(
            cache.update(&level, Look::Light) > 20,
            "another look, another picture"
        );
    }

    #[test]
    fn chunks_that_show_the_same_keep_their_revision() {
        let mut edits: Vec<Edit> = (1..=2_000)
            .map(|i| {
                let at = DVec2::new((i % 50) as f64 * 2.0, (i / 50) as f64 * 2.0);
                let obstacle = Obstacle::new(Polygon::regular(at, 0.5, 10, 0.0));
                Edit::create(EntityId::new(i), Entity::new("", Kind::Obstacle(obstacle)))
            })
            .collect();
        let new = edits.pop().expect("there are many");
        let level = edited(&Arc::default(), &edits);
        let mut cache = PlanCache::default();
        cache.update(&level, Look::Dark);
        let before = revisions(&cache);
        assert!((40..400).contains(&before.len()), "{}", before.len());
        let level = edited(
            &level,
            &[
                new,
                Edit::Delete {
                    id: EntityId::new(700),
                },
            ],
        );
        assert_eq!(cache.update(&level, Look::Dark), 1);
        let after = revisions(&cache);
        let kept = before.intersection(&after).count();
        assert!(before.len() - kept <= 6, "{kept} of {}", before.len());
        assert_eq!(picture(&cache), picture(&fresh(&cache, &level)));
    }

    #[test]
    fn a_level_far_away_gets_an_origin_of_its_own() {
        let level = Arc::new(showcase::level());
        let mut cache = PlanCache::default();
        cache.update(&level, Look::Dark);
        let settings = Settings {
            bounds: Rect::around(DVec2::splat(800_000.0), DVec2::splat(50.0)),
            ..Settings::default()
        };
        let far = edited(&level, &[Edit::Settings(Arc::new(settings))]);
        cache.update(&far, Look::Dark);
        assert_eq!(cache.origin(), DVec2::splat(800_000.0));
    }

    #[derive(Clone, Debug)]
    enum Act {
        Move(usize, f64),
        Hide(usize),
        Delete(usize),
        Raise(usize, usize),
        Rename(usize),
    }

    fn act() -> impl Strategy<Value = Act> {
        let which = 0_usize..64;
        prop_oneof![
            (which.clone(), -5.0..5.0).prop_map(|(i, by)| Act::Move(i, by)),
            which.clone().prop_map(Act::Hide),
            which.clone().prop_map(Act::Delete),
            (which.clone(), which.clone()).prop_map(|(i, to)| Act::Raise(i, to)),
            which.prop_map(Act::Rename),
        ]
    }

    fn edit_of(level: &Level, act: &Act) -> Option<Edit> {
        let pick = |i: usize| level.order().get(i % level.len().max(1)).copied();
        Some(match *act {
            Act::Move(i, by) => changed(level, pick(i)?, |entity| match &mut entity.kind {
                Kind::Obstacle(o) => o.area = o.area.clone().map(|p| p + by),
                Kind::Region(r) => r.area = r.area.clone().map(|p| p + by),
                Kind::Agent(a) => a.start.x += by,
                Kind::Note(n) => n.at.y += by,
                Kind::Solid(s) => s.position.x += by,
                _ => {}
            }),
            Act::Hide(i) => changed(level, pick(i)?, |entity| entity.visible = !entity.visible),
            Act::Delete(i) => Edit::Delete { id: pick(i)? },
            Act::Raise(i, to) => Edit::Reorder { id: pick(i)?, to },
            Act::Rename(i) => changed(level, pick(i)?, |entity| entity.name.push('x')),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn after_any_edits_the_picture_is_that_of_a_fresh_cache(
            acts in prop::collection::vec(prop::collection::vec(act(), 1..4), 1..8),
        ) {
            let mut level = Arc::new(showcase::level());
            let mut cache = PlanCache::default();
            cache.update(&level, Look::Dark);
            for step in acts {
                for act in step {
                    if let Some(edit) = edit_of(&level, &act) {
                        level = edited(&level, &[edit]);
                    }
                }
                cache.update(&level, Look::Dark);
                let fresh = fresh(&cache, &level);
                prop_assert_eq!(picture(&cache), picture(&fresh));
                prop_assert!(cache.labels().eq(fresh.labels()));
            }
        }
    }
}
