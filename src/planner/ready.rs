//! A baked space made ready for questions: what the searches need besides the cells, built once.

use super::missions::{Answering, Question, lifted};
use super::optimal::{Corners, OptimalEngine};
use super::path::{Answer, NoPath, Path};
use super::places::Pinches;
use super::portal::{Placing, PortalEngine, PortalGraph};
use super::search::{Progress, SearchView};
use crate::document::{Action, PlannerKind};
use crate::geometry::HeightField;
use crate::nav::NavSpace;
use glam::DVec2;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// The ways of planning that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    Portal,
    PortalCentre,
    PortalThird,
    PortalTenth,
    Optimal,
}

impl Choice {
    pub const ALL: [Self; 5] = [
        Self::Portal,
        Self::PortalCentre,
        Self::PortalThird,
        Self::PortalTenth,
        Self::Optimal,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portal => "Portals",
            Self::PortalCentre => "Portal centres",
            Self::PortalThird => "Portals up to 1/3",
            Self::PortalTenth => "Portals up to 1/10",
            Self::Optimal => "Shortest path",
        }
    }

    /// The one that stands in for an agent's planner.
    #[must_use]
    pub const fn of(kind: PlannerKind) -> Self {
        match kind {
            PlannerKind::Optimal => Self::Optimal,
            _ => Self::Portal,
        }
    }
}

#[derive(Debug)]
pub struct Ready {
    pub space: Arc<NavSpace>,
    pinches: Pinches,
    graph: OnceLock<PortalGraph>,
    thirds: OnceLock<PortalGraph>,
    tenths: OnceLock<PortalGraph>,
    corners: OnceLock<Corners>,
}

impl Ready {
    #[must_use]
    pub fn new(space: Arc<NavSpace>) -> Self {
        Self {
            pinches: Pinches::of(&space.merged),
            graph: OnceLock::new(),
            thirds: OnceLock::new(),
            tenths: OnceLock::new(),
            corners: OnceLock::new(),
            space,
        }
    }

    fn graph(&self, choice: Choice) -> &PortalGraph {
        let map = &self.space.merged;
        let width = self.space.free.bounds.size().max_element();
        match choice {
            Choice::PortalThird => self
                .thirds
                .get_or_init(|| PortalGraph::new(map, Some(width / 3.0))),
            Choice::PortalTenth => self
                .tenths
                .get_or_init(|| PortalGraph::new(map, Some(width / 10.0))),
            _ => self.graph.get_or_init(|| PortalGraph::new(map, None)),
        }
    }

    fn corners(&self) -> &Corners {
        self.corners.get_or_init(|| Corners::of(&self.space.merged))
    }

    #[must_use]
    pub fn plan(
        self: &Arc<Self>,
        choice: Choice,
        ground: Option<&HeightField>,
        from: DVec2,
        to: DVec2,
    ) -> Answer {
        let mut search = Stepping::new(self, choice, from, to);
        let started = Instant::now();
        search.run(usize::MAX);
        let micros = started.elapsed().as_secs_f64() * 1e6;
        if search.progress() != Progress::Found {
            return Answer::NotFound(self.why_not(from, to));
        }
        let line = search.path().to_vec();
        let points = lifted(&line, ground);
        let length: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
        let clearances: Vec<f64> = line.iter().map(|p| self.space.free.clearance(*p)).collect();
        Answer::Found(Path {
            actions: vec![Action::Walk; points.len()],
            points,
            length,
            cost: length,
            cost_by: Default::default(),
            min_clearance: clearances.iter().copied().fold(f64::INFINITY, f64::min),
            mean_clearance: clearances.iter().sum::<f64>() / clearances.len().max(1) as f64,
            mean_curvature: 0.0,
            expanded: search.expanded(),
            plan_micros: micros,
        })
    }

    fn why_not(&self, from: DVec2, to: DVec2) -> NoPath {
        let free = &self.space.free;
        let blocked = [("start", from), ("goal", to)]
            .into_iter()
            .find(|(_, p)| free.component_of(*p).is_none());
        let reason = match blocked {
            Some((end, _)) => format!(
                "the {end} has no room for a radius of {} m; move it",
                free.radius
            ),
            None => "start and goal are not connected for this radius".to_owned(),
        };
        NoPath {
            reason,
            blocker: blocked.and_then(|(_, p)| free.blockers_at(p).next()),
            gap: None,
        }
    }
}

/// A search that is taken step by step.
#[derive(Clone, Debug)]
pub struct Stepping {
    ready: Arc<Ready>,
    choice: Choice,
    ends: [DVec2; 2],
    engine: Engine,
    progress: Progress,
    expanded: usize,
}

#[derive(Clone, Debug)]
enum Engine {
    Portal(Box<PortalEngine>),
    Optimal(Box<OptimalEngine>),
}

impl Stepping {
    #[must_use]
    pub fn new(ready: &Arc<Ready>, choice: Choice, from: DVec2, to: DVec2) -> Self {
        let map = &ready.space.merged;
        let engine = if choice == Choice::Optimal {
            let mut engine = OptimalEngine::default();
            engine.begin(map, &ready.pinches, ready.corners(), from, to);
            Engine::Optimal(Box::new(engine))
        } else {
            let placing = if choice == Choice::Portal {
                Placing::Movable
            } else {
                Placing::Centre
            };
            let mut engine = PortalEngine::new(placing);
            engine.begin(map, &ready.pinches, ready.graph(choice), from, to);
            Engine::Portal(Box::new(engine))
        };
        Self {
            ready: Arc::clone(ready),
            choice,
            ends: [from, to],
            engine,
            progress: Progress::Running,
            expanded: 0,
        }
    }

    /// The same search from its beginning.
    #[must_use]
    pub fn again(&self) -> Option<Self> {
        let [from, to] = self.ends;
        Some(Self::new(&self.ready, self.choice, from, to))
    }

    pub fn run(&mut self, budget: usize) -> Progress {
        let map = &self.ready.space.merged;
        self.progress = match &mut self.engine {
            Engine::Portal(engine) => engine.run(map, self.ready.graph(self.choice), budget),
            Engine::Optimal(engine) => engine.run(map, self.ready.corners(), budget),
        };
        self.expanded = match &self.engine {
            Engine::Portal(engine) => engine.expanded(),
            Engine::Optimal(engine) => engine.expanded(),
        };
        self.progress
    }

    #[must_use]
    pub const fn progress(&self) -> Progress {
        self.progress
    }

    #[must_use]
    pub const fn expanded(&self) -> usize {
        self.expanded
    }

    #[must_use]
    pub fn path(&self) -> &[DVec2] {
        match &self.engine {
            Engine::Portal(engine) => engine.path(),
            Engine::Optimal(engine) => engine.path(),
        }
    }

    #[must_use]
    pub fn view(&self) -> SearchView {
        match &self.engine {
            Engine::Portal(engine) => engine.view(self.ready.graph(self.choice)),
            Engine::Optimal(engine) => engine.view(&self.ready.space.merged),
        }
    }
}

/// Keeps what was made ready from question to question, and from bake to bake.
#[derive(Clone, Debug, Default)]
pub struct Planners {
    ready: Vec<Arc<Ready>>,
}

impl Planners {
    pub fn ready(&mut self, space: &Arc<NavSpace>) -> Arc<Ready> {
        if let Some(ready) = self
            .ready
            .iter()
            .find(|ready| Arc::ptr_eq(&ready.space, space))
        {
            return Arc::clone(ready);
        }
        let ready = Arc::new(Ready::new(Arc::clone(space)));
        self.ready.push(Arc::clone(&ready));
        ready
    }

    /// A search to be taken step by step.
    pub fn search(
        &mut self,
        space: &Arc<NavSpace>,
        choice: Choice,
        from: DVec2,
        to: DVec2,
    ) -> Stepping {
        Stepping::new(&self.ready(space), choice, from, to)
    }

    /// Forgets spaces that are not among these.
    pub fn keep<'a>(&mut self, spaces: impl Iterator<Item = &'a Arc<NavSpace>> + Clone) {
        self.ready
            .retain(|ready| spaces.clone().any(|space| Arc::ptr_eq(space, &ready.space)));
    }
}

impl Answering for Planners {
    fn answer(&mut self, question: &Question<'_>) -> Answer {
        let ready = self.ready(question.space);
        let ground = question.ground.map(|ground| &**ground);
        let choice = Choice::of(question.planner);
        ready.plan(choice, ground, question.from, question.to)
    }
}
