//! Entities: everything in a level that has an id and a name.

use super::{
    Agent, Annotation, Crowd, Door, Exit, FlagIs, Goal, Link, Measure, MeasureShape, Mission,
    Motion, NavTest, Obstacle, Profile, Query, Queue, Region, Relation, Route, Solid, Terrain,
    Wait, WaitingArea, Wall,
    check::{self, Checked, Refusal},
    constraint::Tie,
    limits,
};
use crate::base::EntityId;
use crate::geometry::Rect;
use glam::DVec2;
use std::collections::BTreeSet;

/// Tags with a meaning to the program; designers add their own.
pub mod tag {
    /// Solid, but agents may not step on it (its cells are unreachable, never holes).
    pub const FORBIDDEN: &str = "forbidden";
    /// Moves during a simulation.
    pub const DYNAMIC: &str = "dynamic";
    /// A tree or hedge; drawn as one.
    pub const PLANT: &str = "plant";
    /// A river or pond that agents cannot wade through; drawn as water.
    pub const WATER: &str = "water";
}

#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// May be empty; see [`Entity::label`].
    pub name: String,
    pub layer: Option<EntityId>,
    pub group: Option<EntityId>,
    pub visible: bool,
    pub locked: bool,
    pub tags: BTreeSet<String>,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Terrain(Terrain),
    Profile(Profile),
    /// A named switch of the level, with its value at the start.
    Flag(bool),
    Layer,
    Group,
    Region(Region),
    Obstacle(Obstacle),
    Wall(Wall),
    Solid(Solid),
    Route(Route),
    Annotation(Annotation),
    Agent(Agent),
    Crowd(Crowd),
    Door(Door),
    Link(Link),
    Exit(Exit),
    WaitingArea(WaitingArea),
    Queue(Queue),
    Measure(Measure),
    Note(Note),
    Test(NavTest),
}

/// A remark pinned to a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub at: DVec2,
    pub text: String,
}

/// Kinds without their contents: for tables, filters and messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KindName {
    Terrain,
    Profile,
    Flag,
    Layer,
    Group,
    Region,
    Obstacle,
    Wall,
    Solid,
    Route,
    Annotation,
    Agent,
    Crowd,
    Door,
    Link,
    Exit,
    WaitingArea,
    Queue,
    Measure,
    Note,
    Test,
}

impl KindName {
    pub const ALL: [Self; 21] = [
        Self::Terrain,
        Self::Profile,
        Self::Flag,
        Self::Layer,
        Self::Group,
        Self::Region,
        Self::Obstacle,
        Self::Wall,
        Self::Solid,
        Self::Route,
        Self::Annotation,
        Self::Agent,
        Self::Crowd,
        Self::Door,
        Self::Link,
        Self::Exit,
        Self::WaitingArea,
        Self::Queue,
        Self::Measure,
        Self::Note,
        Self::Test,
    ];

    #[must_use]
    pub const fn singular(self) -> &'static str {
        match self {
            Self::Terrain => "Terrain",
            Self::Profile => "Profile",
            Self::Flag => "Flag",
            Self::Layer => "Layer",
            Self::Group => "Group",
            Self::Region => "Region",
            Self::Obstacle => "Obstacle",
            Self::Wall => "Wall",
            Self::Solid => "Solid",
            Self::Route => "Route",
            Self::Annotation => "Area",
            Self::Agent => "Agent",
            Self::Crowd => "Crowd",
            Self::Door => "Door",
            Self::Link => "Link",
            Self::Exit => "Exit",
            Self::WaitingArea => "Waiting area",
            Self::Queue => "Queue",
            Self::Measure => "Measurement",
            Self::Note => "Note",
            Self::Test => "Test",
        }
    }

    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Terrain => "Terrains",
            Self::Profile => "Profiles",
            Self::Flag => "Flags",
            Self::Layer => "Layers",
            Self::Group => "Groups",
            Self::Region => "Regions",
            Self::Obstacle => "Obstacles",
            Self::Wall => "Walls",
            Self::Solid => "Solids",
            Self::Route => "Routes",
            Self::Annotation => "Areas",
            Self::Agent => "Agents",
            Self::Crowd => "Crowds",
            Self::Door => "Doors",
            Self::Link => "Links",
            Self::Exit => "Exits",
            Self::WaitingArea => "Waiting areas",
            Self::Queue => "Queues",
            Self::Measure => "Measurements",
            Self::Note => "Notes",
            Self::Test => "Tests",
        }
    }

    /// Has a position on the plan; the others are definitions that objects refer to.
    #[must_use]
    pub const fn is_placed(self) -> bool {
        !matches!(
            self,
            Self::Terrain | Self::Profile | Self::Flag | Self::Layer | Self::Group | Self::Test
        )
    }
}

/// The purpose of a reference, which decides what it may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Layer,
    Group,
    Terrain,
    Profile,
    Route,
    /// A flag that switches a constraint.
    Flag,
    /// The wall in which a door stands.
    Wall,
    /// The object an annotation is tied to.
    Object,
    /// An area or object to reach.
    GoalArea,
    /// An object beside which a goal lies.
    GoalObject,
    /// What a constraint refers to.
    ConstraintTarget,
    /// An object beside which a constraint's area lies.
    ConstraintObject,
    /// The agent whose plan is tested.
    TestedAgent,
    /// What a tested path must not enter.
    TestedArea,
    /// A measuring area whose density is tested.
    MeasuredArea,
}

impl Role {
    #[must_use]
    pub const fn accepts(self, kind: KindName) -> bool {
        use KindName as K;
        match self {
            Self::Layer => matches!(kind, K::Layer),
            Self::Group => matches!(kind, K::Group),
            Self::Terrain => matches!(kind, K::Terrain),
            Self::Profile => matches!(kind, K::Profile),
            Self::Route => matches!(kind, K::Route),
            Self::Flag => matches!(kind, K::Flag),
            Self::Wall => matches!(kind, K::Wall),
            Self::Object | Self::GoalObject | Self::ConstraintObject => {
                matches!(kind, K::Obstacle | K::Wall | K::Solid | K::Route | K::Agent)
            }
            Self::GoalArea => matches!(
                kind,
                K::Annotation
                    | K::Region
                    | K::Obstacle
                    | K::Wall
                    | K::Solid
                    | K::Route
                    | K::Agent
                    | K::Exit
                    | K::WaitingArea
                    | K::Queue
            ),
            Self::ConstraintTarget => matches!(
                kind,
                K::Annotation
                    | K::Terrain
                    | K::Region
                    | K::Obstacle
                    | K::Wall
                    | K::Solid
                    | K::Route
                    | K::Agent
            ),
            Self::TestedAgent => matches!(kind, K::Agent),
            Self::TestedArea => matches!(kind, K::Terrain | K::Annotation | K::Region),
            Self::MeasuredArea => matches!(kind, K::Measure),
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Layer => "layer",
            Self::Group => "group",
            Self::Terrain => "terrain type",
            Self::Profile => "profile",
            Self::Route => "route",
            Self::Flag => "flag",
            Self::Wall => "wall",
            Self::Object => "object",
            Self::GoalArea => "goal area",
            Self::GoalObject => "goal's object",
            Self::ConstraintTarget => "constraint's target",
            Self::ConstraintObject => "constraint's object",
            Self::TestedAgent => "tested agent",
            Self::TestedArea => "area to avoid",
            Self::MeasuredArea => "measuring area",
        }
    }
}

impl Kind {
    #[must_use]
    pub const fn name(&self) -> KindName {
        match self {
            Self::Terrain(_) => KindName::Terrain,
            Self::Profile(_) => KindName::Profile,
            Self::Flag(_) => KindName::Flag,
            Self::Layer => KindName::Layer,
            Self::Group => KindName::Group,
            Self::Region(_) => KindName::Region,
            Self::Obstacle(_) => KindName::Obstacle,
            Self::Wall(_) => KindName::Wall,
            Self::Solid(_) => KindName::Solid,
            Self::Route(_) => KindName::Route,
            Self::Annotation(_) => KindName::Annotation,
            Self::Agent(_) => KindName::Agent,
            Self::Crowd(_) => KindName::Crowd,
            Self::Door(_) => KindName::Door,
            Self::Link(_) => KindName::Link,
            Self::Exit(_) => KindName::Exit,
            Self::WaitingArea(_) => KindName::WaitingArea,
            Self::Queue(_) => KindName::Queue,
            Self::Measure(_) => KindName::Measure,
            Self::Note(_) => KindName::Note,
            Self::Test(_) => KindName::Test,
        }
    }

    fn check(&self) -> Checked {
        match self {
            Self::Terrain(terrain) => terrain.check(),
            Self::Profile(profile) => profile.check(),
            Self::Flag(_) | Self::Layer | Self::Group => Ok(()),
            Self::Region(region) => region.check(),
            Self::Obstacle(obstacle) => obstacle.check(),
            Self::Wall(wall) => wall.check(),
            Self::Solid(solid) => solid.check(),
            Self::Route(route) => route.check(),
            Self::Annotation(annotation) => annotation.check(),
            Self::Agent(agent) => agent.check(),
            Self::Crowd(crowd) => crowd.check(),
            Self::Door(door) => door.check(),
            Self::Link(link) => link.check(),
            Self::Exit(exit) => exit.check(),
            Self::WaitingArea(waiting) => waiting.check(),
            Self::Queue(queue) => queue.check(),
            Self::Measure(measure) => measure.check(),
            Self::Note(note) => {
                check::text(&note.text, limits::MAX_TEXT, "the note")?;
                check::point(note.at)
            }
            Self::Test(test) => test.check(),
        }
    }
}

impl Entity {
    #[must_use]
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            layer: None,
            group: None,
            visible: true,
            locked: false,
            tags: BTreeSet::new(),
            kind,
        }
    }

    /// Adds a tag.
    #[must_use]
    pub fn tagged(mut self, tag: &str) -> Self {
        self.tags.insert(tag.to_owned());
        self
    }

    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.contains(tag)
    }

    /// Display name: its name, or its kind and number.
    #[must_use]
    pub fn label(&self, id: EntityId) -> String {
        if self.name.is_empty() {
            format!("{} {}", self.kind.name().singular(), id.number())
        } else {
            self.name.clone()
        }
    }

    /// # Errors
    /// A sentence about the first value outside its limits.
    pub fn check(&self) -> Result<(), Refusal> {
        check::name(&self.name, "the name")?;
        check::count(self.tags.len(), limits::MAX_TAGS, "the list of tags")?;
        for tag in &self.tags {
            check::name(tag, "a tag")?;
            if tag.trim().is_empty() {
                return Err(Refusal::new("a tag is empty; enter a word or remove it"));
            }
        }
        self.kind.check()
    }

    /// Visible extent in plan: [`bounds`](Self::bounds), but without the handles of curves.
    #[must_use]
    pub fn drawn_bounds(&self) -> Option<Rect> {
        match &self.kind {
            Kind::Route(route) => Some(route.drawn_bounds()),
            _ => self.bounds(),
        }
    }

    /// Extent in plan as far as it follows from this entity alone, curve handles included; `None`
    /// for definitions and for annotations tied to other objects.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        Some(match &self.kind {
            Kind::Region(region) => region.area.bounds(),
            Kind::Obstacle(obstacle) => obstacle.area.bounds(),
            Kind::Wall(wall) => wall.bounds(),
            Kind::Solid(solid) => solid.bounds(),
            Kind::Route(route) => Rect::of_points(&match &route.shape {
                // A cubic lies in the hull of its control points.
                super::RouteShape::Bezier(knots) => knots
                    .iter()
                    .flat_map(|k| [k.point, k.point + k.handle_in, k.point + k.handle_out])
                    .collect(),
                shape => shape.anchors(),
            }),
            Kind::Annotation(Annotation::Area(area)) => area.bounds(),
            Kind::Agent(agent) => goals_bounds(&agent.mission).including(agent.start.truncate()),
            Kind::Crowd(crowd) => goals_bounds(&crowd.mission).union(&crowd.area.bounds()),
            Kind::Door(door) => Rect::of_points(&door.jambs).expanded(0.5 * Door::LEAF),
            Kind::Link(link) => Rect::of_points(&[link.from.truncate(), link.to.truncate()]),
            Kind::Exit(exit) => exit.area.bounds(),
            Kind::WaitingArea(waiting) => waiting.area.bounds(),
            Kind::Queue(queue) => Rect::of_points(&queue.line),
            Kind::Measure(measure) => measure.bounds(),
            Kind::Note(note) => Rect::new(note.at, note.at),
            Kind::Terrain(_)
            | Kind::Profile(_)
            | Kind::Flag(_)
            | Kind::Layer
            | Kind::Group
            | Kind::Annotation(Annotation::Relation { .. })
            | Kind::Test(_) => return None,
        })
    }

    /// Number of points the designer placed: the measure of a level's size.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        match &self.kind {
            Kind::Region(region) => region.area.vertex_count(),
            Kind::Obstacle(obstacle) => obstacle.area.vertex_count(),
            Kind::Wall(wall) => wall.line.len(),
            Kind::Route(route) => match &route.shape {
                super::RouteShape::Polyline(points)
                | super::RouteShape::Freehand { stroke: points, .. } => points.len(),
                super::RouteShape::Bezier(knots) => knots.len(),
            },
            Kind::Annotation(Annotation::Area(area)) => area.vertex_count(),
            Kind::Crowd(crowd) => crowd.area.vertex_count() + crowd.mission.goals.len(),
            Kind::Agent(agent) => 1 + agent.mission.goals.len(),
            Kind::Door(_) | Kind::Link(_) => 2,
            Kind::Exit(exit) => exit.area.vertex_count(),
            Kind::WaitingArea(waiting) => waiting.area.vertex_count(),
            Kind::Queue(queue) => queue.line.len(),
            Kind::Measure(measure) => match &measure.shape {
                MeasureShape::Line(_) => 2,
                MeasureShape::Area(area) => area.vertex_count(),
            },
            Kind::Solid(_) | Kind::Note(_) => 1,
            Kind::Terrain(_)
            | Kind::Profile(_)
            | Kind::Flag(_)
            | Kind::Layer
            | Kind::Group
            | Kind::Annotation(Annotation::Relation { .. })
            | Kind::Test(_) => 0,
        }
    }

    /// The agent's or crowd's mission.
    #[must_use]
    pub const fn mission(&self) -> Option<&Mission> {
        match &self.kind {
            Kind::Agent(agent) => Some(&agent.mission),
            Kind::Crowd(crowd) => Some(&crowd.mission),
            _ => None,
        }
    }

    /// Every reference it holds, with its role.
    #[must_use]
    pub fn references(&self) -> Vec<(Role, EntityId)> {
        let mut found = Vec::new();
        // The visitor needs `&mut` for its other users; cloning an entity is cheap here.
        self.clone().visit_references(|role, id| {
            found.push((role, *id));
        });
        found
    }

    /// Calls `visit` with every reference, which it may change.
    pub fn visit_references(&mut self, mut visit: impl FnMut(Role, &mut EntityId)) {
        if let Some(layer) = &mut self.layer {
            visit(Role::Layer, layer);
        }
        if let Some(group) = &mut self.group {
            visit(Role::Group, group);
        }
        match &mut self.kind {
            Kind::Region(region) => visit(Role::Terrain, &mut region.terrain),
            Kind::Profile(profile) => {
                let weights = std::mem::take(&mut profile.terrain_weights);
                profile.terrain_weights = weights
                    .into_iter()
                    .map(|(mut terrain, weight)| {
                        visit(Role::Terrain, &mut terrain);
                        (terrain, weight)
                    })
                    .collect();
            }
            Kind::Annotation(Annotation::Relation { object, relation }) => {
                visit(Role::Object, object);
                if let Relation::Between { other } = relation {
                    visit(Role::Object, other);
                }
            }
            Kind::Obstacle(Obstacle {
                motion: Some(Motion {
                    route: Some(route), ..
                }),
                ..
            })
            | Kind::Solid(Solid {
                motion: Some(Motion {
                    route: Some(route), ..
                }),
                ..
            }) => visit(Role::Route, route),
            Kind::Agent(agent) => visit_mission(&mut agent.mission, &mut visit),
            Kind::Crowd(crowd) => visit_mission(&mut crowd.mission, &mut visit),
            Kind::Test(test) => {
                match &mut test.query {
                    Query::Run => {}
                    Query::Agent(agent) => visit(Role::TestedAgent, agent),
                    Query::Between { profile, .. } => visit(Role::Profile, profile),
                }
                for area in &mut test.expectation.never_in {
                    visit(Role::TestedArea, area);
                }
                for density in &mut test.expectation.run.max_density {
                    visit(Role::MeasuredArea, &mut density.area);
                }
            }
            Kind::Door(door) => {
                for change in &mut door.changes {
                    change.when.visit_flag(|flag| visit(Role::Flag, flag));
                }
                visit_set(&mut door.locked_for, |id| visit(Role::Profile, id));
                if let Some(wall) = &mut door.wall {
                    visit(Role::Wall, wall);
                }
            }
            Kind::Link(link) => visit_set(&mut link.profiles, |id| visit(Role::Profile, id)),
            Kind::WaitingArea(WaitingArea {
                wait: Wait::Until(FlagIs::Set(flag) | FlagIs::Unset(flag)),
                ..
            }) => visit(Role::Flag, flag),
            Kind::Terrain(_)
            | Kind::Flag(_)
            | Kind::Layer
            | Kind::Group
            | Kind::Obstacle(_)
            | Kind::Wall(_)
            | Kind::Solid(_)
            | Kind::Route(_)
            | Kind::Annotation(Annotation::Area(_))
            | Kind::Exit(_)
            | Kind::WaitingArea(_)
            | Kind::Queue(_)
            | Kind::Measure(_)
            | Kind::Note(_) => {}
        }
    }
}

fn visit_mission(mission: &mut Mission, visit: &mut impl FnMut(Role, &mut EntityId)) {
    visit(Role::Profile, &mut mission.profile);
    if let Some(route) = &mut mission.route {
        visit(Role::Route, route);
    }
    for target in mission.goals.iter_mut().filter_map(Goal::target_mut) {
        target.visit(|tie, id| {
            let role = match tie {
                Tie::Itself => Role::GoalArea,
                Tie::Object => Role::GoalObject,
            };
            visit(role, id);
        });
    }
    for constraint in &mut mission.constraints {
        constraint.target.visit(|tie, id| {
            let role = match tie {
                Tie::Itself => Role::ConstraintTarget,
                Tie::Object => Role::ConstraintObject,
            };
            visit(role, id);
        });
        constraint.when.visit_flag(|flag| visit(Role::Flag, flag));
    }
}

fn visit_set(set: &mut BTreeSet<EntityId>, mut visit: impl FnMut(&mut EntityId)) {
    let ids = std::mem::take(set).into_iter().map(|mut id| {
        visit(&mut id);
        id
    });
    *set = ids.collect();
}

fn goals_bounds(mission: &Mission) -> Rect {
    let places = mission.goals.iter().filter_map(Goal::place);
    places.fold(Rect::EMPTY, |bounds, place| {
        bounds.including(place.truncate())
    })
}
