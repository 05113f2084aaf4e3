//! Collects a level's entities in drawing order and creates them through edits.

use super::super::edit::Edit;
use super::super::model::{
    Agent, Annotation, Constraint, Crowd, Entity, Expectation, Goal, Heading, Kind, Knot, Level,
    Mission, NavTest, Note, Obstacle, Profile, Query, Region, Relation, Route, RouteShape, Rule,
    Settings, Solid,
};
use super::super::ops::{self, EditError};
use super::palette::Ground;
use crate::base::EntityId;
use crate::geometry::curve::smooth_handles;
use crate::geometry::{HeightField, Polygon, Rect, simplify};
use glam::{DVec2, DVec3};
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Builder {
    pub settings: Settings,
    ground: Option<HeightField>,
    /// The entity at index i has the id i + 1.
    entities: Vec<Entity>,
    layer: Option<EntityId>,
    group: Option<EntityId>,
    /// Coordinates are rounded to the inverse of this. Unit: 1/m.
    steps_per_metre: f64,
}

impl Builder {
    /// `steps_per_metre` = 10 keeps one decimal of every coordinate, 100 two.
    pub(super) fn new(name: &str, bounds: Rect, steps_per_metre: f64) -> Self {
        Self {
            settings: Settings {
                name: name.to_owned(),
                bounds,
                ..Settings::default()
            },
            ground: None,
            entities: Vec::new(),
            layer: None,
            group: None,
            steps_per_metre,
        }
    }

    /// Builds the collected level.
    pub(super) fn finish(self) -> Result<Level, EditError> {
        let mut edits = vec![
            Edit::Settings(Arc::new(self.settings)),
            Edit::Ground(self.ground.map(Arc::new)),
        ];
        edits.extend(
            (1..)
                .zip(self.entities)
                .map(|(number, entity)| Edit::create(EntityId::new(number), entity)),
        );
        ops::apply(&Level::default(), &edits)
    }

    fn add(&mut self, name: impl Into<String>, kind: Kind) -> EntityId {
        let mut entity = Entity::new(name, kind);
        if entity.kind.name().is_placed() {
            entity.layer = self.layer;
            entity.group = self.group;
        }
        self.entities.push(entity);
        EntityId::new(self.entities.len() as u64)
    }

    pub(super) fn get(&mut self, id: EntityId) -> &mut Entity {
        let index = usize::try_from(id.number()).map_or(usize::MAX, |n| n.wrapping_sub(1));
        self.entities
            .get_mut(index)
            .expect("ids come from this builder alone")
    }

    pub(super) fn tag(&mut self, id: EntityId, tag: &str) {
        self.get(id).tags.insert(tag.to_owned());
    }

    pub(super) fn round(&self, p: DVec2) -> DVec2 {
        // Adding zero turns −0 into 0.
        (p * self.steps_per_metre).round() / self.steps_per_metre + DVec2::ZERO
    }

    /// Rounds and removes points that rounding leaves on straight edges.
    fn round_polygon(&self, polygon: Polygon) -> Polygon {
        let mut polygon = polygon.map(|p| self.round(p));
        for ring in polygon.rings_mut() {
            *ring = simplify::tidy(ring);
        }
        polygon
    }

    /// A position on the ground.
    pub(super) fn place(&self, p: impl Into<DVec2>) -> DVec3 {
        let p = self.round(p.into());
        let height = self.ground.as_ref().map_or(0.0, |field| field.height(p));
        p.extend((height * 100.0).round() / 100.0)
    }

    pub(super) fn goals<P: Into<DVec2> + Copy>(&self, places: &[P]) -> Vec<Goal> {
        places.iter().map(|p| Goal::At(self.place(*p))).collect()
    }

    // Definitions.

    pub(super) fn terrain(&mut self, ground: Ground, weight: f64) -> EntityId {
        self.add(ground.name, Kind::Terrain(ground.weighing(weight)))
    }

    pub(super) fn base_terrain(&mut self, ground: Ground, weight: f64) -> EntityId {
        let terrain = self.terrain(ground, weight);
        self.settings.base_terrain = Some(terrain);
        terrain
    }

    pub(super) fn profile(&mut self, name: &str, profile: Profile) -> EntityId {
        self.add(name, Kind::Profile(profile))
    }

    pub(super) fn flag(&mut self, name: &str, at_start: bool) -> EntityId {
        self.add(name, Kind::Flag(at_start))
    }

    /// Starts a layer; everything placed from here on belongs to it.
    pub(super) fn layer(&mut self, name: &str) -> EntityId {
        let layer = self.add(name, Kind::Layer);
        self.layer = Some(layer);
        layer
    }

    /// Starts a group; everything placed belongs to it until [`Self::end_group`].
    pub(super) fn group(&mut self, name: impl Into<String>) -> EntityId {
        let group = self.add(name, Kind::Group);
        self.group = Some(group);
        group
    }

    pub(super) fn in_group(&mut self, group: EntityId) {
        self.group = Some(group);
    }

    pub(super) fn end_group(&mut self) {
        self.group = None;
    }

    pub(super) fn ground(&mut self, field: HeightField) {
        self.ground = Some(field);
    }

    // Placed entities.

    pub(super) fn region(
        &mut self,
        name: impl Into<String>,
        terrain: EntityId,
        area: Polygon,
    ) -> EntityId {
        let area = self.round_polygon(area);
        self.add(name, Kind::Region(Region { area, terrain }))
    }

    pub(super) fn obstacle(
        &mut self,
        name: impl Into<String>,
        area: Polygon,
        height: f64,
    ) -> EntityId {
        let area = self.round_polygon(area);
        self.add(
            name,
            Kind::Obstacle(Obstacle {
                height,
                ..Obstacle::new(area)
            }),
        )
    }

    pub(super) fn building(
        &mut self,
        name: impl Into<String>,
        area: Polygon,
        height: f64,
        facing_degrees: f64,
    ) -> EntityId {
        let id = self.obstacle(name, area, height);
        self.tag(id, "building");
        if let Kind::Obstacle(obstacle) = &mut self.get(id).kind {
            obstacle.facing = Heading::degrees((facing_degrees * 10.0).round() / 10.0).turned(0.0);
        }
        id
    }

    pub(super) fn solid(&mut self, name: impl Into<String>, solid: Solid) -> EntityId {
        self.add(name, Kind::Solid(solid))
    }

    pub(super) fn polyline<P: Into<DVec2> + Copy>(&mut self, name: &str, points: &[P]) -> EntityId {
        let points = points.iter().map(|p| self.round((*p).into())).collect();
        self.add(name, Kind::Route(Route::new(RouteShape::Polyline(points))))
    }

    /// A Bézier route through the points, smooth at each of them.
    pub(super) fn curve<P: Into<DVec2> + Copy>(&mut self, name: &str, points: &[P]) -> EntityId {
        let points: Vec<DVec2> = points.iter().map(|p| (*p).into()).collect();
        let knots = points
            .iter()
            .zip(smooth_handles(&points, false))
            .map(|(point, handles)| Knot {
                point: self.round(*point),
                handle_in: self.round(handles.before),
                handle_out: self.round(handles.after),
            })
            .collect();
        self.add(name, Kind::Route(Route::new(RouteShape::Bezier(knots))))
    }

    /// Sets σ and d of a route.
    pub(super) fn tune(&mut self, route: EntityId, look_ahead: f64, sample_step: f64) {
        if let Kind::Route(route) = &mut self.get(route).kind {
            route.look_ahead = look_ahead;
            route.sample_step = sample_step;
        }
    }

    pub(super) fn close(&mut self, route: EntityId) {
        if let Kind::Route(route) = &mut self.get(route).kind {
            route.closed = true;
        }
    }

    pub(super) fn area(&mut self, name: &str, area: Polygon) -> EntityId {
        let area = self.round_polygon(area);
        self.add(name, Kind::Annotation(Annotation::Area(area)))
    }

    pub(super) fn relation(
        &mut self,
        name: &str,
        object: EntityId,
        relation: Relation,
    ) -> EntityId {
        self.add(
            name,
            Kind::Annotation(Annotation::Relation { object, relation }),
        )
    }

    /// An agent on the ground, facing its first goal.
    pub(super) fn agent(
        &mut self,
        name: &str,
        start: impl Into<DVec2>,
        mission: Mission,
    ) -> EntityId {
        let start = self.place(start);
        self.agent_at(name, start, mission)
    }

    /// An agent at any height, facing its first goal.
    pub(super) fn agent_at(&mut self, name: &str, start: DVec3, mission: Mission) -> EntityId {
        let heading = match mission.goals.first() {
            Some(Goal::At(goal)) => {
                let heading = Heading::of((*goal - start).truncate());
                Heading::degrees(heading.degrees.round())
            }
            _ => Heading::default(),
        };
        self.add(
            name,
            Kind::Agent(Agent {
                start,
                heading,
                mission,
            }),
        )
    }

    pub(super) fn crowd(&mut self, name: &str, crowd: Crowd) -> EntityId {
        let area = self.round_polygon(crowd.area.clone());
        self.add(name, Kind::Crowd(Crowd { area, ..crowd }))
    }

    /// Anything that needs no rounding.
    pub(super) fn entity(&mut self, name: &str, kind: Kind) -> EntityId {
        self.add(name, kind)
    }

    pub(super) fn note(&mut self, name: &str, at: impl Into<DVec2>, text: &str) -> EntityId {
        let at = self.round(at.into());
        self.add(
            name,
            Kind::Note(Note {
                at,
                text: text.to_owned(),
            }),
        )
    }

    pub(super) fn test(&mut self, name: &str, query: Query, expectation: Expectation) -> EntityId {
        self.add(name, Kind::Test(NavTest { query, expectation }))
    }
}

pub(super) fn near(target: EntityId, weight: f64) -> Constraint {
    let weight = weight.into();
    Constraint::new(Rule::Near { weight }, target.into())
}

pub(super) fn inside(target: EntityId, weight: f64) -> Constraint {
    let weight = weight.into();
    Constraint::new(Rule::In { weight }, target.into())
}

pub(super) fn never_in(target: EntityId) -> Constraint {
    Constraint::new(Rule::NotIn, target.into())
}
