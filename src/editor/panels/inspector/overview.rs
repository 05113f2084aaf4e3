//! A summary of the selection, cached until it or the level changes: with thousands of selected
//! entities, scanning them for every row would be too slow.

use super::geometry::{outline_bounds, polygon_of};
use crate::base::EntityId;
use crate::document::{Document, Entity, KindName, Level, Selection};
use crate::editor::panels::form::Subjects;
use crate::geometry::Rect;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct Gathering {
    of: Option<(Arc<Level>, Selection)>,
    subjects: Subjects<Entity>,
    overview: Overview,
}

/// Aggregates over the selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    pub kinds: BTreeMap<KindName, usize>,
    /// How many entities have each tag.
    pub tags: BTreeMap<String, usize>,
    /// Bounds of their outlines, including those of group members.
    pub bounds: Rect,
    /// Whether nothing of it can be moved.
    pub locked: bool,
    pub outlines: usize,
    /// Unit: square metres.
    pub area: f64,
    /// Unit: metres.
    pub perimeter: f64,
    pub holes: usize,
    pub vertices: usize,
}

impl Default for Overview {
    fn default() -> Self {
        Self {
            kinds: BTreeMap::new(),
            tags: BTreeMap::new(),
            bounds: Rect::EMPTY,
            locked: true,
            outlines: 0,
            area: 0.0,
            perimeter: 0.0,
            holes: 0,
            vertices: 0,
        }
    }
}

impl Gathering {
    pub fn update(&mut self, document: &Document) -> (Subjects<Entity>, &Overview) {
        let (level, selection) = (document.level(), document.selection());
        let is_current = self
            .of
            .as_ref()
            .is_some_and(|(old, of)| Arc::ptr_eq(old, level) && of == selection);
        if !is_current {
            self.subjects = selection
                .iter()
                .filter_map(|id| Some((id, Arc::clone(level.get(id)?))))
                .collect();
            self.overview = Overview::of(level, &self.subjects);
            self.of = Some((Arc::clone(level), selection.clone()));
        }
        (Arc::clone(&self.subjects), &self.overview)
    }
}

impl Overview {
    fn of(level: &Level, subjects: &[(EntityId, Arc<Entity>)]) -> Self {
        let mut overview = Self::default();
        let mut tags: BTreeMap<&str, usize> = BTreeMap::new();
        for (id, entity) in subjects {
            *overview.kinds.entry(entity.kind.name()).or_default() += 1;
            overview.locked = overview.locked && level.is_locked(*id);
            for tag in &entity.tags {
                *tags.entry(tag).or_default() += 1;
            }
            overview.measure(entity);
            if entity.kind.name() == KindName::Group {
                for member in level.members(*id) {
                    overview.enclose(level.get(member).map(|member| &**member));
                }
            } else {
                overview.enclose(Some(entity));
            }
        }
        overview.tags = tags
            .into_iter()
            .map(|(tag, count)| (tag.to_owned(), count))
            .collect();
        overview
    }

    fn enclose(&mut self, entity: Option<&Entity>) {
        if let Some(bounds) = entity.and_then(outline_bounds) {
            self.bounds = self.bounds.union(&bounds);
        }
    }

    fn measure(&mut self, entity: &Entity) {
        let Some(polygon) = polygon_of(&entity.kind) else {
            self.vertices += entity.vertex_count();
            return;
        };
        self.outlines += 1;
        self.area += polygon.area();
        self.perimeter += polygon.edges().map(|(a, b)| a.distance(b)).sum::<f64>();
        self.holes += polygon.holes.len();
        self.vertices += polygon.vertex_count();
    }
}
