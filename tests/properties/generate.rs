//! Random levels and random edits: valid for the door, otherwise as strange as they come.

use glam::{DVec2, DVec3};
use std::sync::Arc;
use wayloom::base::{Colour, Distribution, EntityId, Random};
use wayloom::document::*;
use wayloom::geometry::{Aabb, HeightField, Polygon, Rect};

pub struct Generator {
    pub random: Random,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
        }
    }

    pub fn level(&mut self, entities: usize) -> (Level, EntityId) {
        let mut edits = vec![Edit::Settings(Arc::new(self.settings()))];
        if self.random.chance(0.3) {
            edits.push(Edit::Ground(Some(Arc::new(self.ground()))));
        }
        let mut next = 1;
        for _ in 0..entities {
            edits.push(Edit::create(EntityId::new(next), self.entity()));
            next += 1 + self.random.below(3) as u64;
        }
        let level = ops::apply(&Level::default(), &edits).expect("the generator is valid");
        (level, EntityId::new(next))
    }

    /// Numbers that files find hard: negative zero, tiny, long, whole, extreme.
    pub fn number(&mut self) -> f64 {
        match self.random.below(8) {
            0 => -0.0,
            1 => 0.1 + 0.2,
            2 => 1e-300,
            3 => self.random.range(-1e6, 1e6),
            4 => 1e6,
            5 => (self.random.range(-100.0, 100.0)).round(),
            6 => f64::MIN_POSITIVE / 4.0,
            _ => (self.random.range(-1000.0, 1000.0) * 100.0).round() / 100.0,
        }
    }

    fn within(&mut self, quantity: &wayloom::base::Quantity) -> f64 {
        match self.random.below(4) {
            0 => quantity.min,
            1 => quantity.max,
            2 => quantity.default,
            _ => self.random.range(quantity.min, quantity.max),
        }
    }

    pub fn point(&mut self) -> DVec2 {
        DVec2::new(self.number(), self.number())
    }

    fn place(&mut self) -> DVec3 {
        let z = self.within(&limits::ELEVATION);
        self.point().extend(z)
    }

    fn points(&mut self, at_least: usize) -> Vec<DVec2> {
        let mut points: Vec<DVec2> = (0..at_least + self.random.below(8))
            .map(|_| self.point())
            .collect();
        if self.random.chance(0.2) {
            points.push(points[0]);
        }
        points
    }

    fn polygon(&mut self) -> Polygon {
        Polygon {
            outer: self.points(3),
            holes: (0..self.random.below(3)).map(|_| self.points(3)).collect(),
        }
    }

    pub fn text(&mut self) -> String {
        const WORDS: [&str; 9] = [
            "",
            "Chapel",
            "a \"quoted\" one",
            "back\\slash",
            "Größe 12 m²",
            "( [ {",
            "//",
            "日本",
            "Wall(3)",
        ];
        WORDS[self.random.below(WORDS.len())].to_owned()
    }

    fn id(&mut self) -> EntityId {
        EntityId::new(1 + self.random.below(60) as u64)
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.random.chance(0.5).then(|| value(self))
    }

    fn cell_rules(&mut self) -> CellRules {
        let mut neighbours = || {
            if self.random.chance(0.5) {
                Neighbours::Four
            } else {
                Neighbours::Eight
            }
        };
        let (neighbours, border_neighbours) = (neighbours(), neighbours());
        let smoothings = [
            Smoothing::None,
            Smoothing::Junctions,
            Smoothing::Full,
            Smoothing::Taut,
        ];
        CellRules {
            neighbours,
            border_neighbours,
            border_layers: self.maybe(|all| all.random.range(0.0, 5.0) as u8),
            threshold: self.random.range(0.0, 1.0),
            metric: if self.random.chance(0.5) {
                Metric::Cells
            } else {
                Metric::Length
            },
            smoothing: smoothings[self.random.range(0.0, 4.0) as usize],
        }
    }

    pub fn settings(&mut self) -> Settings {
        let mut flag = || self.random.chance(0.5);
        let snap = Snap {
            grid: flag(),
            vertices: flag(),
            edges: flag(),
            axes: flag(),
        };
        let corner = self.random.point(DVec2::splat(-1e5), DVec2::splat(1e5));
        Settings {
            name: self.text(),
            notes: format!("{}\nline two\ttab\r\n{}", self.text(), self.text()),
            bounds: Rect::new(
                corner,
                corner + self.random.point(DVec2::ONE, DVec2::splat(1e5)),
            ),
            grid: Grid {
                spacing: self.within(&limits::GRID_SPACING),
                visible: self.random.chance(0.5),
                snap,
            },
            has_ground: self.random.chance(0.5),
            base_terrain: self.maybe(Self::id),
            clock: Clock {
                start: self.within(&limits::TIME_OF_DAY),
                speed: self.within(&limits::CLOCK_SPEED),
            },
            cells: self.cells(),
            cell_rules: self.cell_rules(),
            forbidding: self
                .maybe(|all| format!("{}*", all.text()))
                .into_iter()
                .collect(),
            simulation: SimulationSettings {
                seed: self.random.below(1000) as u64,
                step: self.within(&limits::SIMULATION_STEP),
                model: ["", "walker", "orca"][self.random.below(3)].to_owned(),
                duration: self.within(&limits::SIMULATION_DURATION),
            },
        }
    }

    fn cells(&mut self) -> CellSize {
        match self.random.below(3) {
            0 => CellSize::Suiting,
            1 => CellSize::Sides {
                cell: self.random.range(0.01, 5.0),
                layer: self.random.range(0.01, 5.0),
            },
            _ => CellSize::Count([0; 3].map(|_| 1 + self.random.below(500) as u32)),
        }
    }

    pub fn ground(&mut self) -> HeightField {
        let (columns, rows) = (2 + self.random.below(6), 2 + self.random.below(6));
        HeightField {
            origin: self.point(),
            spacing: self.within(&limits::POST_SPACING),
            columns,
            rows,
            heights: (0..columns * rows)
                .map(|_| self.within(&limits::ELEVATION))
                .collect(),
        }
    }

    fn motion(&mut self) -> Motion {
        let route = self.maybe(Self::id);
        Motion {
            path: match route {
                Some(_) if self.random.chance(0.5) => Vec::new(),
                _ => self.points(1),
            },
            route,
            speed: self.within(&limits::SPEED),
            repeat: self.repeat(),
        }
    }

    fn heading(&mut self) -> Heading {
        Heading::degrees(self.within(&limits::HEADING))
    }

    fn repeat(&mut self) -> Repeat {
        Repeat::ALL[self.random.below(3)]
    }

    fn colour(&mut self) -> Colour {
        Colour::hex(self.random.next_u64() as u32 & 0xff_ffff)
    }

    fn delay(&mut self) -> Distribution {
        let (a, b) = (self.within(&limits::DELAY), self.within(&limits::DELAY));
        let shape = self.within(&limits::DELAY_SHAPE);
        let logarithms = [0; 2].map(|_| self.within(&limits::LOG_DELAY));
        match self.random.below(7) {
            0 => Distribution::Constant(a),
            1 => Distribution::Uniform { from: a, to: b },
            2 => Distribution::Normal {
                mean: a,
                deviation: b,
            },
            3 => Distribution::LogNormal {
                mean: logarithms[0],
                deviation: logarithms[1],
            },
            4 => Distribution::Gamma { shape, scale: a },
            5 => Distribution::Weibull { shape, scale: a },
            _ => Distribution::default(),
        }
    }

    pub fn mission(&mut self) -> Mission {
        Mission {
            profile: self.id(),
            goals: (0..self.random.below(3))
                .map(|_| {
                    if self.random.chance(0.7) {
                        Goal::At(self.place())
                    } else if self.random.chance(0.2) {
                        Goal::NearestExit
                    } else {
                        let target = self.target();
                        if self.random.chance(0.5) {
                            Goal::Inside(target)
                        } else {
                            Goal::Patrol(target)
                        }
                    }
                })
                .collect(),
            repeat: self.repeat(),
            planner: PlannerId::BUILT_IN[self.random.below(11)],
            walk: WalkOptions {
                attraction: AttractionKind::ALL[self.random.below(4)],
                control: Control::ALL[self.random.below(2)],
                safe_distance: self.maybe(|random| random.within(&limits::SAFE_DISTANCE)),
            },
            route: self.maybe(Self::id),
            constraints: (0..self.random.below(3))
                .map(|_| self.constraint())
                .collect(),
            constraint_options: self.constraint_options(),
        }
    }

    fn constraint_options(&mut self) -> ConstraintOptions {
        if self.random.chance(0.5) {
            return ConstraintOptions::default();
        }
        ConstraintOptions {
            domain: ConstraintDomain::ALL[self.random.below(5)],
            search: ConstraintSearch::ALL[self.random.below(3)],
            spacing: self.maybe(|random| random.within(&limits::STATE_SPACING)),
            epsilon: self.within(&limits::EPSILON),
            expansions: 1 + self.random.below(5_000) as u32,
        }
    }

    fn target(&mut self) -> Target {
        if self.random.chance(0.5) {
            Target::Entity(self.id())
        } else {
            Target::Relation {
                object: self.id(),
                relation: self.relation(),
            }
        }
    }

    fn weight(&mut self) -> Weight {
        if self.random.chance(0.6) {
            return Weight::Constant(self.within(&limits::CONSTRAINT_WEIGHT));
        }
        let mut hour = self.random.below(4) as f64;
        let mut list = Vec::new();
        while hour < 24.0 {
            list.push((hour, self.within(&limits::CONSTRAINT_WEIGHT)));
            hour += 0.25 + self.random.below(40) as f64 * 0.31;
        }
        Weight::ByHour(list)
    }

    pub fn constraint(&mut self) -> Constraint {
        let weight = self.weight();
        Constraint {
            rule: match self.random.below(3) {
                0 => Rule::In { weight },
                1 => Rule::Near { weight },
                _ => Rule::NotIn,
            },
            target: self.target(),
            when: When {
                hours: self.maybe(|random| Hours {
                    from: random.within(&limits::TIME_OF_DAY),
                    until: random.within(&limits::TIME_OF_DAY),
                }),
                flag: self.maybe(|random| match random.random.chance(0.5) {
                    true => FlagIs::Set(random.id()),
                    false => FlagIs::Unset(random.id()),
                }),
            },
        }
    }

    fn relation(&mut self) -> Relation {
        let reach = self.within(&limits::REACH);
        match self.random.below(9) {
            0 => Relation::Front { reach },
            1 => Relation::Back { reach },
            2 => Relation::Left { reach },
            3 => Relation::Right { reach },
            4 => Relation::Around { reach },
            5 => Relation::Between { other: self.id() },
            6 => Relation::LineOfSight {
                range: reach,
                angle: self.within(&limits::VIEW_ANGLE),
            },
            7 => Relation::PersonalSpace {
                front: self.within(&limits::PERSONAL_DISTANCE),
                back: self.within(&limits::PERSONAL_DISTANCE),
            },
            _ => Relation::Along { reach },
        }
    }

    fn profile(&mut self) -> Profile {
        let mut priority = Action::ALL;
        self.random.shuffle(&mut priority);
        Profile {
            colour: self.colour(),
            body: Body {
                radius: self.within(&limits::RADIUS),
                height: self.within(&limits::BODY_HEIGHT),
                bent_height: self.within(&limits::BENT_HEIGHT),
                jump: self.within(&limits::JUMP),
                foot_span: self.within(&limits::FOOT_SPAN),
                step_height: self.within(&limits::STEP_HEIGHT),
            },
            pace: Pace {
                speed: self.within(&limits::SPEED),
                max_speed: self.within(&limits::MAX_SPEED),
                acceleration: self.within(&limits::ACCELERATION),
            },
            terrain_weights: (0..self.random.below(4))
                .map(|_| (self.id(), self.within(&limits::TERRAIN_WEIGHT)))
                .collect(),
            action_priority: priority,
        }
    }

    fn route(&mut self) -> Route {
        let shape = match self.random.below(3) {
            0 => RouteShape::Polyline(self.points(1)),
            1 => RouteShape::Freehand {
                stroke: self.points(1),
                tolerance: self.within(&limits::SMOOTHING),
            },
            _ => RouteShape::Bezier(
                (0..1 + self.random.below(4))
                    .map(|_| Knot {
                        point: self.point(),
                        handle_in: self.point(),
                        handle_out: self.point(),
                    })
                    .collect(),
            ),
        };
        Route {
            closed: self.random.chance(0.2),
            look_ahead: self.within(&limits::LOOK_AHEAD),
            sample_step: self.within(&limits::SAMPLE_STEP),
            ..Route::new(shape)
        }
    }

    fn solid(&mut self) -> Solid {
        let shape = match self.random.below(7) {
            0 => SolidShape::Box,
            1 => SolidShape::Ramp,
            2 => SolidShape::Stairs {
                steps: 1 + self.random.below(40) as u32,
            },
            3 => SolidShape::Cylinder,
            4 => SolidShape::Arch {
                opening: Opening {
                    width: self.within(&limits::OPENING_WIDTH),
                    height: self.within(&limits::OPENING_HEIGHT),
                },
                head: ArchHead::ALL[self.random.below(2)],
            },
            5 => SolidShape::Platform {
                thickness: self.within(&limits::DECK_THICKNESS),
                posts: self.within(&limits::POST_THICKNESS),
            },
            _ => SolidShape::Mesh(MeshSource {
                up: UpAxis::ALL[self.random.below(2)],
                frame: self.random.chance(0.5).then(|| {
                    let min = self.place();
                    Aabb::new(min, min + DVec3::new(0.0, 1.5, 20.0))
                }),
                ..MeshSource::new("meshes/tower.obj")
            }),
        };
        let size = DVec3::from_array(std::array::from_fn(|_| self.within(&limits::SOLID_SIZE)));
        let mut solid = Solid::new(shape, self.place(), size);
        solid.motion = self.maybe(Self::motion);
        if self.random.chance(0.5) {
            solid.rotation = Rotation {
                yaw: self.heading(),
                pitch: self.heading(),
                roll: self.heading(),
            };
        }
        solid
    }

    fn test(&mut self) -> NavTest {
        NavTest {
            query: if self.random.chance(0.2) {
                Query::Run
            } else if self.random.chance(0.5) {
                Query::Agent(self.id())
            } else {
                Query::Between {
                    from: self.place(),
                    to: self.place(),
                    profile: self.id(),
                    planner: PlannerId::BUILT_IN[self.random.below(11)],
                }
            },
            expectation: Expectation {
                reachable: self.random.chance(0.5),
                max_length: self.maybe(|g| g.within(&limits::PATH_LENGTH)),
                max_cost: self.maybe(|g| g.within(&limits::PATH_COST)),
                min_clearance: self.maybe(|g| g.within(&limits::CLEARANCE)),
                never_in: (0..self.random.below(3)).map(|_| self.id()).collect(),
                run: RunExpectation {
                    all_out_within: self.maybe(|g| g.within(&limits::EVACUATION)),
                    max_density: (0..self.random.below(3))
                        .map(|_| DensityLimit {
                            area: self.id(),
                            limit: self.within(&limits::DENSITY),
                        })
                        .collect(),
                    none_stuck: self.random.chance(0.5),
                },
            },
        }
    }

    fn flag(&mut self) -> FlagIs {
        if self.random.chance(0.5) {
            FlagIs::Set(self.id())
        } else {
            FlagIs::Unset(self.id())
        }
    }

    fn spawn(&mut self) -> Spawn {
        match self.random.below(3) {
            0 => Spawn::AtOnce,
            1 => Spawn::Stream {
                per_second: self.within(&limits::SPAWN_RATE),
            },
            _ => Spawn::Timetable(
                (0..1 + self.random.below(3))
                    .map(|_| Arrival {
                        at: self.within(&limits::ARRIVAL),
                        count: 1 + self.random.below(99) as u32,
                        over: self.within(&limits::ALIGHTING),
                    })
                    .collect(),
            ),
        }
    }

    pub fn door(&mut self) -> Door {
        Door {
            base: self.within(&limits::ELEVATION),
            height: self.within(&limits::DOOR_HEIGHT),
            state: DoorState::ALL[self.random.below(3)],
            changes: (0..self.random.below(3))
                .map(|_| DoorChange {
                    to: DoorState::ALL[self.random.below(3)],
                    when: When {
                        hours: self.maybe(|g| Hours {
                            from: g.within(&limits::TIME_OF_DAY),
                            until: g.within(&limits::TIME_OF_DAY),
                        }),
                        flag: self.maybe(Self::flag),
                    },
                })
                .collect(),
            locked_for: (0..self.random.below(3)).map(|_| self.id()).collect(),
            flow: self.maybe(|g| g.within(&limits::DOOR_FLOW)),
            swing: Swing::ALL[self.random.below(5)],
            wall: self.maybe(Self::id),
            ..Door::new(self.point(), self.point())
        }
    }

    pub fn wall(&mut self) -> Wall {
        Wall {
            closed: self.random.chance(0.5),
            thickness: self.within(&limits::WALL_THICKNESS),
            base: self.within(&limits::ELEVATION),
            height: self.within(&limits::OBSTACLE_HEIGHT),
            ..Wall::new(
                (0..2 + self.random.below(5))
                    .map(|_| self.point())
                    .collect(),
            )
        }
    }

    pub fn link(&mut self) -> Link {
        let action = LinkAction::ALL[self.random.below(6)];
        Link {
            direction: LinkDirection::ALL[self.random.below(2)],
            cost: self.maybe(|g| g.within(&limits::LINK_COST)),
            pace: match self.random.below(3) {
                0 => LinkPace::Profile,
                1 => LinkPace::Speed(self.within(&limits::SPEED)),
                _ => LinkPace::Time(self.within(&limits::LINK_TIME)),
            },
            profiles: (0..self.random.below(3)).map(|_| self.id()).collect(),
            animation: self.text(),
            ..Link::new(action, self.place(), self.place())
        }
    }

    pub fn entity(&mut self) -> Entity {
        let kind = match self.random.below(24) {
            0 => Kind::Terrain(Terrain::new(
                self.colour(),
                Pattern::ALL[self.random.below(7)],
                self.within(&limits::TERRAIN_WEIGHT),
            )),
            1 => Kind::Profile(self.profile()),
            2 => Kind::Flag(self.random.chance(0.5)),
            3 => Kind::Layer,
            4 => Kind::Group,
            5 => Kind::Region(Region {
                area: self.polygon(),
                terrain: self.id(),
            }),
            6 | 7 => Kind::Obstacle(Obstacle {
                area: self.polygon(),
                base: self.within(&limits::ELEVATION),
                height: self.within(&limits::OBSTACLE_HEIGHT),
                facing: self.heading(),
                motion: self.maybe(Self::motion),
            }),
            8 => Kind::Solid(self.solid()),
            9 => Kind::Route(self.route()),
            10 => Kind::Annotation(if self.random.chance(0.5) {
                Annotation::Area(self.polygon())
            } else {
                Annotation::Relation {
                    object: self.id(),
                    relation: self.relation(),
                }
            }),
            11 => Kind::Agent(Agent {
                start: self.place(),
                heading: self.heading(),
                mission: self.mission(),
            }),
            12 => Kind::Crowd(Crowd {
                groups: Groups {
                    sizes: (0..self.random.below(3))
                        .map(|_| GroupSize {
                            size: 1 + self.random.below(9) as u32,
                            share: self.within(&limits::GROUP_SHARE),
                        })
                        .collect(),
                },
                variety: Variety {
                    speed_deviation: self.within(&limits::SPEED_DEVIATION),
                    delay: self.delay(),
                },
                area: self.polygon(),
                count: 1 + self.random.below(500) as u32,
                spawn: self.spawn(),
                mission: self.mission(),
            }),
            13 => Kind::Note(Note {
                at: self.point(),
                text: format!("{}\n{}", self.text(), self.text()),
            }),
            14 => Kind::Door(self.door()),
            15 => Kind::Link(self.link()),
            16 => Kind::Exit(Exit {
                area: self.polygon(),
                base: self.within(&limits::ELEVATION),
            }),
            17 => Kind::WaitingArea(WaitingArea {
                area: self.polygon(),
                base: self.within(&limits::ELEVATION),
                wait: match self.random.below(3) {
                    0 => Wait::For(self.delay()),
                    1 => Wait::UntilHour(self.within(&limits::TIME_OF_DAY)),
                    _ => Wait::Until(self.flag()),
                },
            }),
            18 => Kind::Queue(Queue {
                line: (0..2 + self.random.below(4))
                    .map(|_| self.point())
                    .collect(),
                base: self.within(&limits::ELEVATION),
                spacing: self.within(&limits::QUEUE_SPACING),
                service: self.delay(),
            }),
            19 => Kind::Measure(Measure {
                base: self.within(&limits::ELEVATION),
                ..Measure::line(self.point(), self.point())
            }),
            20 => Kind::Measure(Measure::area(self.polygon())),
            21 | 22 => Kind::Wall(self.wall()),
            _ => Kind::Test(self.test()),
        };
        let mut entity = Entity::new(self.text(), kind);
        entity.layer = self.maybe(Self::id);
        entity.group = self.maybe(Self::id);
        entity.visible = self.random.chance(0.8);
        entity.locked = self.random.chance(0.2);
        for tag in [tag::FORBIDDEN, tag::DYNAMIC, "my tag"] {
            if self.random.chance(0.2) {
                entity.tags.insert(tag.to_owned());
            }
        }
        entity
    }

    /// An edit that this level accepts.
    pub fn edit(&mut self, document: &mut Document) -> Edit {
        let ids: Vec<EntityId> = document.level().drawn().map(|(id, _)| id).collect();
        let any = self.random.pick(&ids).copied();
        match (self.random.below(8), any) {
            (0, _) => Edit::Settings(Arc::new(self.settings())),
            (1, _) => Edit::Ground(self.maybe(|g| Arc::new(g.ground()))),
            (2, Some(id)) => Edit::Delete { id },
            (3, Some(id)) => Edit::Reorder {
                id,
                to: self.random.below(ids.len() + 2),
            },
            (4 | 5, Some(id)) => Edit::replace(id, self.entity()),
            _ => Edit::Create {
                id: document.allocate_id(),
                entity: Arc::new(self.entity()),
                at: self.maybe(|g| g.random.below(ids.len() + 1)),
            },
        }
    }
}
