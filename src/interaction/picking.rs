//! Picking: what is under the pointer.
//!
//! An R-tree over bounds finds candidates; an exact test per kind decides. The tree is updated from
//! change sets, so that the cost grows with the change.

use super::{outline, vertices, view::View};
use crate::base::EntityId;
use crate::document::{
    Annotation, ChangeSet, Entity, Goal, Kind, Level, Relation, annotation_area, route_line,
};
use crate::geometry::{Polygon, Rect, polygon::closest_on_segment};
use glam::DVec2;
use rstar::{
    AABB, RTree,
    primitives::{GeomWithData, Rectangle},
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Pick distance to a line or point. Unit: points.
pub const PICK_RADIUS: f64 = 6.0;
/// Screen size of agents, goals and notes. Unit: points.
const MARK_RADIUS: f64 = 9.0;
/// A note's pin stands on its position; its head is this far above. Unit: points.
const NOTE_HEAD: f64 = 10.0;
/// The tree is rebuilt once more than one in this many entities has changed.
const REBUILD_SHARE: usize = 4;

type TreeEntry = GeomWithData<Rectangle<[f64; 2]>, EntityId>;

/// Which part of an entity was hit; finer parts come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitPart {
    Mark,
    Edge,
    Inside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    pub id: EntityId,
    pub part: HitPart,
}

/// Which of several objects under the pointer is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Topmost,
    /// The one below this one; the topmost after the last.
    Beneath(Option<EntityId>),
}

/// What a marquee takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marquee {
    Inside,
    Touching,
}

/// A spatial index of a level, updated from change sets.
#[derive(Debug, Default)]
pub struct Picker {
    level: Arc<Level>,
    tree: RTree<TreeEntry>,
    /// The bounds of each entity in the tree.
    bounds: BTreeMap<EntityId, Rect>,
    /// Areas of annotations tied to other objects; computed on first use.
    relations: BTreeMap<EntityId, RefCell<Option<Arc<[Polygon]>>>>,
}

impl Picker {
    /// The indexed level: the one before a drag in progress.
    #[must_use]
    pub const fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// Brings the index up to date; the cost grows with the change.
    pub fn synchronise(&mut self, level: &Arc<Level>) {
        if Arc::ptr_eq(&self.level, level) {
            return;
        }
        let change = ChangeSet::between(&self.level, level);
        self.level = Arc::clone(level);
        if change.touched().count() * REBUILD_SHARE > level.len() {
            self.rebuild();
            return;
        }
        for id in change.touched() {
            if let Some(old) = self.bounds.remove(&id) {
                self.tree.remove(&entry(id, &old));
            }
            if let Some(bounds) = level.get(id).and_then(|entity| entity.bounds())
                && !bounds.is_empty()
            {
                self.tree.insert(entry(id, &bounds));
                self.bounds.insert(id, bounds);
            }
        }
        if change.touched().next().is_some() {
            self.collect_relations(&change);
        }
    }

    fn rebuild(&mut self) {
        self.bounds = self
            .level
            .iter()
            .filter_map(|(id, entity)| Some((id, entity.bounds()?)))
            .filter(|(_, bounds)| !bounds.is_empty())
            .collect();
        let entries = self.bounds.iter().map(|(id, b)| entry(*id, b)).collect();
        self.tree = RTree::bulk_load(entries);
        self.relations = self
            .level
            .iter()
            .filter(|(_, entity)| is_relation(entity))
            .map(|(id, _)| (id, RefCell::new(None)))
            .collect();
    }

    /// Invalidates the areas that may have changed with other objects.
    fn collect_relations(&mut self, change: &ChangeSet) {
        for id in change.touched() {
            self.relations.remove(&id);
            if self.level.get(id).is_some_and(|entity| is_relation(entity)) {
                self.relations.insert(id, RefCell::new(None));
            }
        }
        // Profiles determine the size of agents: rare, so invalidate all areas.
        let definitions = change
            .touched()
            .any(|id| self.level.kind_of(id).is_none_or(|kind| !kind.is_placed()));
        for (id, area) in &mut self.relations {
            if definitions || depends_on(&self.level, *id, change) {
                *area.get_mut() = None;
            }
        }
    }

    /// The area of an annotation tied to other objects.
    #[must_use]
    pub fn relation(&self, id: EntityId) -> Option<Arc<[Polygon]>> {
        let mut cell = self.relations.get(&id)?.borrow_mut();
        let area = cell.get_or_insert_with(|| annotation_area(&self.level, id).into());
        Some(Arc::clone(area))
    }

    /// Entities whose bounds intersect a rectangle, unordered, including hidden and locked ones.
    pub fn near(&self, rect: Rect) -> impl Iterator<Item = (EntityId, &Arc<Entity>)> {
        // The tree has no empty envelope.
        let envelope = (!rect.is_empty()).then(|| envelope(&rect));
        envelope
            .into_iter()
            .flat_map(|envelope| self.tree.locate_in_envelope_intersecting(envelope))
            .filter_map(|entry| Some((entry.data, self.level.get(entry.data)?)))
    }

    /// Visible and not locked.
    #[must_use]
    pub fn is_open(&self, id: EntityId) -> bool {
        self.level.is_visible(id) && !self.level.is_locked(id)
    }

    /// Everything selectable at a position, topmost first.
    ///
    /// Marks and lines come before filled shapes, obstacles before the areas and crowds drawn
    /// transparently over them, terrain last; ties follow the level's order.
    #[must_use]
    pub fn hits(&self, at: DVec2, view: &View) -> Vec<Hit> {
        if !at.is_finite() {
            return Vec::new();
        }
        let reach = view.metres(PICK_RADIUS.max(MARK_RADIUS + NOTE_HEAD));
        let around = Rect::new(at, at).expanded(reach);
        let mut hits: Vec<(Hit, u8)> = self
            .near(around)
            .filter_map(|(id, entity)| Some((id, entity, hit(&self.level, entity, at, view)?)))
            .map(|(id, entity, part)| {
                // A piece of a wall stands for the wall.
                let id = id.owner();
                (Hit { id, part }, rank(entity, part))
            })
            .collect();
        for id in self.relations.keys() {
            let reach = view.metres(PICK_RADIUS);
            let part = self
                .relation(*id)
                .and_then(|area| area.iter().find_map(|piece| hit_area(piece, at, reach)));
            if let (Some(part), Some(entity)) = (part, self.level.get(*id)) {
                hits.push((Hit { id: *id, part }, rank(entity, part)));
            }
        }
        hits.retain(|(hit, _)| self.is_open(hit.id));
        // Look up the order only for ties: the list is long.
        if hits.len() > 1 {
            let order = self.level.order();
            hits.sort_by_cached_key(|(hit, rank)| {
                (*rank, std::cmp::Reverse(order.index_of(&hit.id)))
            });
        }
        let mut hits: Vec<Hit> = hits.into_iter().map(|(hit, _)| hit).collect();
        let mut seen = BTreeSet::new();
        hits.retain(|hit| seen.insert(hit.id));
        hits
    }

    #[must_use]
    pub fn pick(&self, at: DVec2, view: &View, depth: Depth) -> Option<Hit> {
        let hits = self.hits(at, view);
        let below = match depth {
            Depth::Topmost | Depth::Beneath(None) => None,
            Depth::Beneath(Some(id)) => hits.iter().position(|hit| hit.id == id),
        };
        match (depth, below) {
            (Depth::Beneath(_), Some(at)) => hits.get(at + 1).or(hits.first()).copied(),
            (Depth::Beneath(_), None) => hits.get(1).or(hits.first()).copied(),
            (Depth::Topmost, _) => hits.first().copied(),
        }
    }

    /// What a marquee selects, in the order of ids.
    #[must_use]
    pub fn within(&self, rect: Rect, marquee: Marquee) -> Vec<EntityId> {
        let areas = self.relations.keys().filter_map(|id| {
            let area = self.relation(*id)?;
            let taken = match marquee {
                Marquee::Inside => area.iter().all(|piece| rect.contains_rect(&piece.bounds())),
                Marquee::Touching => area.iter().any(|piece| rect_touches_area(&rect, piece)),
            };
            (taken && !area.is_empty()).then_some(*id)
        });
        let mut found: Vec<EntityId> = self
            .near(rect)
            .filter(|(id, entity)| !id.is_part() && takes(&rect, entity, marquee))
            .map(|(id, _)| id)
            .chain(areas)
            .filter(|id| self.is_open(*id))
            .collect();
        found.sort_unstable();
        found
    }
}

/// Whether an annotation is tied to what changed, or its line of sight covers a change.
fn depends_on(level: &Level, id: EntityId, change: &ChangeSet) -> bool {
    let Some(Kind::Annotation(Annotation::Relation { object, relation })) =
        level.get(id).map(|entity| &entity.kind)
    else {
        return true;
    };
    let touched = |id: &EntityId| change.replaced.contains(id) || change.created.contains(id);
    match relation {
        Relation::Between { other } => touched(object) || touched(other),
        Relation::LineOfSight { range, .. } => {
            let scope = level
                .get(*object)
                .and_then(|entity| entity.bounds())
                .map(|bounds| bounds.expanded(*range));
            let changed = change.bounds.unwrap_or(Rect::EMPTY);
            touched(object) || scope.is_none_or(|scope| scope.overlaps(&changed))
        }
        _ => touched(object),
    }
}

fn is_relation(entity: &Entity) -> bool {
    matches!(entity.kind, Kind::Annotation(Annotation::Relation { .. }))
}

fn envelope(rect: &Rect) -> AABB<[f64; 2]> {
    AABB::from_corners(rect.min.to_array(), rect.max.to_array())
}

fn entry(id: EntityId, bounds: &Rect) -> TreeEntry {
    let corners = Rectangle::from_corners(bounds.min.to_array(), bounds.max.to_array());
    GeomWithData::new(corners, id)
}

/// Smaller is higher.
const fn rank(entity: &Entity, part: HitPart) -> u8 {
    match (&entity.kind, part) {
        (Kind::Note(_), _) => 0,
        (Kind::Agent(_), _) | (Kind::Crowd(_), HitPart::Mark) => 1,
        (Kind::Route(_) | Kind::Door(_) | Kind::Link(_) | Kind::Queue(_), _) => 2,
        (
            Kind::Annotation(_)
            | Kind::Crowd(_)
            | Kind::Exit(_)
            | Kind::WaitingArea(_)
            | Kind::Measure(_),
            HitPart::Edge,
        ) => 3,
        (Kind::Obstacle(_), _) => 4,
        (Kind::Solid(_), _) => 5,
        (
            Kind::Annotation(_)
            | Kind::Crowd(_)
            | Kind::Exit(_)
            | Kind::WaitingArea(_)
            | Kind::Measure(_),
            _,
        ) => 6,
        _ => 7,
    }
}

fn hit(level: &Level, entity: &Entity, at: DVec2, view: &View) -> Option<HitPart> {
    let mark = view.metres(MARK_RADIUS);
    let reach = view.metres(PICK_RADIUS);
    let goal_hit = || {
        entity.mission().is_some_and(|mission| {
            let mut places = mission.goals.iter().filter_map(Goal::place);
            places.any(|place| place.truncate().distance(at) <= mark)
        })
    };
    match &entity.kind {
        Kind::Note(note) => {
            let head = note.at + DVec2::new(0.0, view.metres(NOTE_HEAD));
            (closest_on_segment(note.at, head, at).distance(at) <= mark).then_some(HitPart::Mark)
        }
        Kind::Agent(agent) => {
            let radius = match level.get(agent.mission.profile).map(|e| &e.kind) {
                Some(Kind::Profile(profile)) => profile.body.radius,
                _ => 0.0,
            };
            let on_start = agent.start.truncate().distance(at) <= mark.max(radius);
            (on_start || goal_hit()).then_some(HitPart::Mark)
        }
        Kind::Crowd(crowd) if !goal_hit() => hit_area(&crowd.area, at, reach),
        Kind::Crowd(_) => Some(HitPart::Mark),
        Kind::Solid(solid) => hit_area(&Polygon::new(solid.footprint()), at, reach),
        // It is hit where its pieces are.
        Kind::Wall(_) => None,
        Kind::Route(route) => route_line(route)
            .points()
            .windows(2)
            .any(|pair| closest_on_segment(pair[0], pair[1], at).distance(at) <= reach)
            .then_some(HitPart::Edge),
        _ => match vertices::area(entity) {
            Some(area) => hit_area(area, at, reach),
            None => vertices::line(entity)?
                .windows(2)
                .any(|pair| closest_on_segment(pair[0], pair[1], at).distance(at) <= reach)
                .then_some(HitPart::Edge),
        },
    }
}

fn hit_area(area: &Polygon, at: DVec2, reach: f64) -> Option<HitPart> {
    if !area.bounds().expanded(reach).contains(at) {
        return None;
    }
    if area.distance_to_edge(at) <= reach {
        // Thin shapes are all edge; a hit inside is still one.
        Some(HitPart::Edge)
    } else {
        area.contains(at).then_some(HitPart::Inside)
    }
}

fn takes(rect: &Rect, entity: &Entity, marquee: Marquee) -> bool {
    // Missions reach far: an agent is where it starts, a crowd where it appears.
    let footprint;
    let body = match &entity.kind {
        Kind::Agent(agent) => return rect.contains(agent.start.truncate()),
        Kind::Note(note) => return rect.contains(note.at),
        Kind::Route(route) => {
            return takes_line(rect, route_line(route).points(), marquee);
        }
        Kind::Solid(solid) => {
            footprint = Polygon::new(solid.footprint());
            &footprint
        }
        _ => match vertices::area(entity) {
            Some(area) => area,
            None => {
                return vertices::line(entity).is_some_and(|line| takes_line(rect, &line, marquee));
            }
        },
    };
    match marquee {
        Marquee::Inside => rect.contains_rect(&body.bounds()),
        Marquee::Touching => rect_touches_area(rect, body),
    }
}

fn takes_line(rect: &Rect, line: &[DVec2], marquee: Marquee) -> bool {
    match marquee {
        Marquee::Inside => line.iter().all(|p| rect.contains(*p)),
        Marquee::Touching => {
            line.iter().any(|p| rect.contains(*p))
                || line
                    .windows(2)
                    .any(|pair| outline::rect_meets_segment(rect, pair[0], pair[1]))
        }
    }
}

fn rect_touches_area(rect: &Rect, area: &Polygon) -> bool {
    area.contains(rect.centre())
        || area
            .edges()
            .any(|(a, b)| outline::rect_meets_segment(rect, a, b))
}
