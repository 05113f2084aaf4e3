//! Creation of entities from the tool defaults.

use super::{context::ToolContext, defaults::AreaKind, naming::fresh_name};
use crate::base::{Colour, EntityId};
use crate::document::{
    Agent, Annotation, Crowd, Edit, Entity, Exit, Goal, Heading, Kind, Level, Measure, Mission,
    Obstacle, Pattern, PlannerId, Profile, Region, Route, RouteShape, Spawn, Terrain, WaitingArea,
    limits,
};
use crate::geometry::Polygon;
use glam::{DVec2, DVec3};

/// Creates entities for one gesture: names and ids are chosen once, however often the pointer
/// moves.
#[derive(Clone, Debug)]
pub struct Creation {
    pub id: EntityId,
    name: String,
    layer: Option<EntityId>,
    /// A terrain or profile the level lacked, created along with the entity.
    needed: Option<Edit>,
    definition: Option<EntityId>,
}

impl Creation {
    /// An entity named after a stem: `Obstacle 3`.
    pub fn named(ctx: &mut ToolContext<'_>, stem: &str) -> Self {
        let layer = ctx.defaults.layer_in(ctx.level());
        if let Some(layer) = layer.filter(|layer| !ctx.level().is_visible(*layer)) {
            let layer = ctx.level().label(layer);
            ctx.say(format!(
                "{layer} is hidden: show it to see what is drawn on it."
            ));
        }
        Self {
            id: ctx.host.allocate_id(),
            name: fresh_name(ctx.level(), stem),
            layer,
            needed: None,
            definition: None,
        }
    }

    /// An area of a kind, with the current terrain or profile if it needs one.
    pub fn area(ctx: &mut ToolContext<'_>, kind: AreaKind) -> Self {
        match kind {
            AreaKind::Obstacle => Self::named(ctx, "Obstacle"),
            AreaKind::Annotation => Self::named(ctx, "Area"),
            AreaKind::Region => Self::region(ctx),
            AreaKind::Crowd => Self::with_profile(ctx, "Crowd"),
            AreaKind::Exit => Self::named(ctx, "Exit"),
            AreaKind::WaitingArea => Self::named(ctx, "Waiting area"),
            AreaKind::MeasuringArea => Self::named(ctx, "Measured area"),
        }
    }

    /// A region of the current terrain, named after it.
    pub fn region(ctx: &mut ToolContext<'_>) -> Self {
        let (terrain, needed) = terrain(ctx);
        let stem = match &needed {
            Some(Edit::Create { entity, .. }) => entity.name.clone(),
            _ => ctx.level().label(terrain),
        };
        Self {
            needed,
            definition: Some(terrain),
            ..Self::named(ctx, &stem)
        }
    }

    /// An agent or a crowd of the current profile.
    pub fn with_profile(ctx: &mut ToolContext<'_>, stem: &str) -> Self {
        let (profile, needed) = profile(ctx);
        Self {
            needed,
            definition: Some(profile),
            ..Self::named(ctx, stem)
        }
    }

    /// Uses a name without a number, unless it is taken.
    pub fn rename_if_free(&mut self, level: &Level, name: String) {
        if level.iter().all(|(_, entity)| entity.name != name) {
            self.name = name;
        }
    }

    /// The terrain or profile the entity refers to.
    #[must_use]
    pub const fn definition(&self) -> Option<EntityId> {
        self.definition
    }

    /// Creates a terrain or profile that the level lacks.
    #[must_use]
    pub const fn needed(&self) -> Option<&Edit> {
        self.needed.as_ref()
    }

    #[must_use]
    pub fn entity(&self, kind: Kind) -> Entity {
        Entity {
            layer: self.layer,
            ..Entity::new(self.name.clone(), kind)
        }
    }

    /// The edits that create the entity and what it needs.
    #[must_use]
    pub fn edits(&self, kind: Kind) -> Vec<Edit> {
        let create = Edit::create(self.id, self.entity(kind));
        self.needed.iter().cloned().chain([create]).collect()
    }

    /// The contents of an area created with [`Creation::area`].
    #[must_use]
    pub fn area_kind(&self, ctx: &ToolContext<'_>, kind: AreaKind, polygon: Polygon) -> Kind {
        let defaults = &ctx.defaults;
        let area = polygon.normalised();
        match (kind, self.definition) {
            (AreaKind::Region, Some(terrain)) => Kind::Region(Region { area, terrain }),
            (AreaKind::Crowd, Some(profile)) => Kind::Crowd(Crowd {
                variety: Default::default(),
                groups: Default::default(),
                area,
                count: defaults.crowd_count,
                spawn: Spawn::AtOnce,
                mission: Mission::new(profile),
            }),
            (AreaKind::Annotation, _) => Kind::Annotation(Annotation::Area(area)),
            (AreaKind::Exit, _) => Kind::Exit(Exit {
                base: defaults.elevation,
                ..Exit::new(area)
            }),
            (AreaKind::WaitingArea, _) => Kind::WaitingArea(WaitingArea {
                base: defaults.elevation,
                ..WaitingArea::new(area)
            }),
            (AreaKind::MeasuringArea, _) => Kind::Measure(Measure {
                base: defaults.elevation,
                ..Measure::area(area)
            }),
            _ => Kind::Obstacle(Obstacle {
                base: defaults.elevation,
                height: defaults.obstacle_height,
                ..Obstacle::new(area)
            }),
        }
    }

    /// The contents of an agent created with [`Creation::with_profile`], from `start` to the goals.
    #[must_use]
    pub fn agent_kind(&self, ctx: &ToolContext<'_>, start: DVec2, goals: &[DVec2]) -> Kind {
        let towards = goals.first().map_or(DVec2::X, |goal| *goal - start);
        let mut mission = Mission::new(self.definition.unwrap_or(self.id));
        // Other planners ignore solids.
        if ctx.level().solids().next().is_some() {
            mission.planner = PlannerId::HUMAN;
        }
        mission.goals = goals
            .iter()
            .map(|goal| Goal::At(standing(ctx, *goal)))
            .collect();
        Kind::Agent(Agent {
            start: standing(ctx, start),
            heading: Heading::of(towards),
            mission,
        })
    }
}

#[must_use]
pub fn route_kind(shape: RouteShape, closed: bool) -> Kind {
    Kind::Route(Route {
        closed,
        ..Route::new(shape)
    })
}

/// Positions this close to what was pointed at in space refer to it, since snapping moves them.
/// Unit: metres.
const NEAR: f64 = 1.0;

/// A position on the ground, raised to the current storey, or on what was pointed at in space.
#[must_use]
pub fn standing(ctx: &ToolContext<'_>, at: DVec2) -> DVec3 {
    let off = |p: &&DVec3| p.truncate().distance(at);
    let met = ctx.pointed.iter().filter(|p| off(p) <= NEAR);
    if let Some(met) = met.min_by(|a, b| off(a).total_cmp(&off(b))) {
        return at.extend(limits::ELEVATION.clamp((met.z * 1e6).round() / 1e6));
    }
    let ground = ctx.level().ground().map_or(0.0, |field| field.height(at));
    at.extend(limits::ELEVATION.clamp(ground + ctx.defaults.elevation))
}

/// The current terrain; created if the level has none.
pub fn terrain(ctx: &mut ToolContext<'_>) -> (EntityId, Option<Edit>) {
    if let Some(id) = ctx.defaults.terrain_in(ctx.level()) {
        return (id, None);
    }
    let id = ctx.host.allocate_id();
    let grass = Terrain::new(
        Colour::hex(0x6a_99_4e),
        Pattern::Tufts,
        limits::TERRAIN_WEIGHT.default,
    );
    let entity = Entity::new("Grass", Kind::Terrain(grass));
    (id, Some(Edit::create(id, entity)))
}

/// The current profile; created if the level has none.
pub fn profile(ctx: &mut ToolContext<'_>) -> (EntityId, Option<Edit>) {
    if let Some(id) = ctx.defaults.profile_in(ctx.level()) {
        return (id, None);
    }
    let id = ctx.host.allocate_id();
    let entity = Entity::new("Walker", Kind::Profile(Profile::default()));
    (id, Some(Edit::create(id, entity)))
}
