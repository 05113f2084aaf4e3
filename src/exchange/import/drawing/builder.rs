//! A level from features that lie in their places.

use super::{
    DEFAULT_PROFILE, Draft, Feature, KnownProfile, Role, Shape, Warnings, name, usual_terrain,
};
use crate::base::{EntityId, Quantity};
use crate::document::{
    Agent, Annotation, Crowd, Entity, Goal, Heading, Kind, Mission, Note, Obstacle, Profile,
    Region, Route, RouteShape, Settings, Spawn, Terrain, limits,
};
use crate::exchange::import::{ImportError, Imported};
use crate::geometry::Polygon;
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct Builder {
    pub draft: Draft,
    pub terrains: BTreeMap<String, EntityId>,
    pub profiles: BTreeMap<String, EntityId>,
    pub warnings: Warnings,
    pub known_terrains: BTreeMap<String, Terrain>,
    pub known_profiles: BTreeMap<String, KnownProfile>,
}

impl Builder {
    pub fn level(
        mut self,
        features: Vec<Feature>,
        blocked: Vec<Polygon>,
        base_terrain: Option<String>,
        mut settings: Settings,
        file: &str,
    ) -> Result<Imported, ImportError> {
        let known: Vec<String> = self.known_terrains.keys().cloned().collect();
        for terrain in known {
            self.terrain(&terrain);
        }
        settings.base_terrain = base_terrain.map(|terrain| self.terrain(&terrain));
        let known = self.known_profiles.keys().cloned();
        let used = features.iter().filter_map(|f| f.profile.clone());
        let profiles: BTreeSet<String> = known.chain(used).collect();
        if profiles.is_empty() {
            self.profile(DEFAULT_PROFILE);
        }
        for profile in profiles {
            self.profile(&profile);
        }
        for polygon in blocked {
            let touches_bounds = !settings
                .bounds
                .expanded(-0.01)
                .contains_rect(&polygon.bounds());
            let name = if touches_bounds { "Outside" } else { "" };
            self.draft
                .create(Entity::new(name, Kind::Obstacle(Obstacle::new(polygon))));
        }
        for feature in features {
            self.feature(feature);
        }
        let level = self.draft.level(settings, file)?;
        Ok(Imported::new(level, self.warnings.into_list()))
    }

    fn terrain(&mut self, terrain: &str) -> EntityId {
        let terrain = name(terrain);
        if let Some(id) = self.terrains.get(&terrain) {
            return *id;
        }
        let known = self.known_terrains.get(&terrain).cloned();
        let style = known.unwrap_or_else(|| usual_terrain(&terrain));
        let id = self
            .draft
            .create(Entity::new(terrain.clone(), Kind::Terrain(style)));
        self.terrains.insert(terrain, id);
        id
    }

    fn profile(&mut self, profile: &str) -> EntityId {
        let profile = name(profile);
        if let Some(id) = self.profiles.get(&profile) {
            return *id;
        }
        let mut kind = Profile::default();
        if let Some(known) = self.known_profiles.get(&profile).cloned() {
            kind = known.profile;
            kind.terrain_weights = known
                .terrain_weights
                .iter()
                .map(|(terrain, weight)| (self.terrain(terrain), *weight))
                .collect();
        }
        let id = self
            .draft
            .create(Entity::new(profile.clone(), Kind::Profile(kind)));
        self.profiles.insert(profile, id);
        id
    }

    /// A value within its limits; the default, with a warning, for one that is not.
    fn limited(&mut self, value: Option<f64>, quantity: &Quantity) -> f64 {
        match value.map(|value| (value, quantity.check(value))) {
            Some((value, Ok(()))) => value,
            Some((_, Err(refused))) => {
                self.warnings
                    .add(format!("{refused}; {} was taken", quantity.default));
                quantity.default
            }
            None => quantity.default,
        }
    }

    fn feature(&mut self, feature: Feature) {
        let (role, label) = (feature.role, feature.name.clone());
        let tags = feature.tags.clone();
        let kind = match feature.shape.clone() {
            Shape::Polygon(area) => self.area(feature, area),
            Shape::Line { points, closed } if matches!(role, Role::Unsaid | Role::Route) => {
                Some(Kind::Route(Route {
                    closed,
                    ..Route::new(RouteShape::Polyline(points))
                }))
            }
            Shape::Point(at) if matches!(role, Role::Unsaid | Role::Note | Role::Agent) => {
                Some(self.pin(feature, at))
            }
            Shape::Line { .. } | Shape::Point(_) => {
                self.warnings.add(format!(
                    "a {role:?} must be drawn as a polygon; a line or point that says so was \
                     left out"
                ));
                None
            }
        };
        if let Some(kind) = kind {
            let mut entity = Entity::new(label, kind);
            entity.tags = tags;
            self.draft.create(entity);
        }
    }

    fn area(&mut self, feature: Feature, area: Polygon) -> Option<Kind> {
        Some(match feature.role {
            Role::Region => {
                let terrain = feature.terrain.as_deref().unwrap_or("Ground");
                let terrain = self.terrain(terrain);
                Kind::Region(Region { area, terrain })
            }
            Role::Annotation => Kind::Annotation(Annotation::Area(area)),
            Role::Crowd => {
                let count = self.limited(feature.count, &limits::CROWD_COUNT).round() as u32;
                Kind::Crowd(Crowd {
                    variety: Default::default(),
                    groups: Default::default(),
                    area,
                    count,
                    spawn: Spawn::default(),
                    mission: self.mission(feature),
                })
            }
            Role::Route | Role::Note | Role::Agent => {
                self.warnings.add(format!(
                    "a {:?} cannot be a polygon; one that says so was left out",
                    feature.role
                ));
                return None;
            }
            Role::Unsaid | Role::Obstacle | Role::Walkable => Kind::Obstacle(Obstacle {
                base: self.limited(feature.base, &limits::ELEVATION),
                height: self.limited(feature.height, &limits::OBSTACLE_HEIGHT),
                facing: Heading::degrees(self.limited(feature.facing, &limits::HEADING)),
                ..Obstacle::new(area)
            }),
        })
    }

    fn pin(&mut self, feature: Feature, at: DVec3) -> Kind {
        if feature.role == Role::Agent {
            return Kind::Agent(Agent {
                start: self.within_limits(at),
                heading: Heading::degrees(self.limited(feature.facing, &limits::HEADING)),
                mission: self.mission(feature),
            });
        }
        let text: String = feature.text.chars().take(limits::MAX_TEXT).collect();
        Kind::Note(Note {
            at: at.truncate(),
            text,
        })
    }

    fn mission(&mut self, feature: Feature) -> Mission {
        let profile = feature.profile.unwrap_or_else(|| {
            self.profiles
                .keys()
                .next()
                .map_or(DEFAULT_PROFILE.to_owned(), Clone::clone)
        });
        let mut mission = Mission::new(self.profile(&profile));
        let goals = feature.goals.into_iter().take(limits::MAX_GOALS);
        mission.goals = goals.map(|g| Goal::At(self.within_limits(g))).collect();
        mission
    }

    fn within_limits(&mut self, place: DVec3) -> DVec3 {
        place
            .truncate()
            .extend(self.limited(Some(place.z), &limits::ELEVATION))
    }
}
