//! The agents of the sample levels that the experiments are about.

use super::super::{LabError, measure};
use super::BUDGET;
use crate::document::template::{Options, Template};
use crate::document::{Goal, Kind, KindName, Level, PlannerId};
use crate::jobs::JobContext;
use crate::lab::scene::nav_for;
use crate::nav::NavData;
use crate::nav::terrain::{TerrainKind, Weights};
use crate::planner::miran::{
    Chooser, Choosing, ExactGround, Ground as _, IndicativeRoute, Irm, IrmSession, Miran,
    MiranSession, RouteSource, Router, Settings, Status, Walked, Walker,
};
use crate::planner::queries::{guide_of, profile_of};
use crate::planner::registry;
use crate::planner::{Guide, Path, PathRequest, Session, Step};
use glam::{DVec2, DVec3};

/// σ and d in the forest. Our wood is 240 m across; a quarter of the paper's 80, 100 and 20 gives
/// what its Figure 1 shows, so that one of its units is taken to be a quarter of a metre there.
pub(super) const ADULT: [f64; 2] = [20.0, 5.0];
pub(super) const CHILD: [f64; 2] = [25.0, 5.0];

/// One agent of a sample level, ready to be asked about.
#[derive(Clone)]
pub(super) struct Subject {
    pub level: Level,
    pub nav: NavData,
    pub request: PathRequest,
}

/// The walkers of the paper's table and figures.
pub(super) struct Subjects {
    pub guard: Subject,
    pub road: Subject,
    pub adult: Subject,
    pub child: Subject,
}

impl Subjects {
    pub fn new(ctx: &JobContext) -> Result<Self, LabError> {
        let forest = |agent: &str| Subject::new("forest", agent, ctx);
        Ok(Self {
            guard: Subject::new("mckenna", "Guard", ctx)?,
            road: Subject::new("mckenna_road", "Pedestrian", ctx)?.tuned(40.0, 10.0),
            adult: forest("Parent")?.with_grid_route(ADULT[0], ADULT[1]),
            child: forest("Child")?.with_grid_route(CHILD[0], CHILD[1]),
        })
    }
}

pub(super) fn sample(name: &str) -> Result<Level, LabError> {
    let template = Template::by_name(name)
        .ok_or_else(|| LabError::Unavailable(format!("there is no template `{name}`")))?;
    Ok(template.build(&Options::default())?)
}

impl Subject {
    pub fn new(sample_name: &str, agent: &str, ctx: &JobContext) -> Result<Self, LabError> {
        let level = sample(sample_name)?;
        let missing = || LabError::Unavailable(format!("there is no agent `{agent}`"));
        let id = level.find(KindName::Agent, agent).ok_or_else(missing)?;
        let entity = level.get(id).ok_or_else(missing)?;
        let Kind::Agent(agent) = &entity.kind else {
            return Err(missing());
        };
        let Some(Goal::At(goal)) = agent.mission.goals.first() else {
            return Err(missing());
        };
        let profile = profile_of(&level, agent.mission.profile);
        let nav = nav_for(&level, profile.body.radius, ctx)?;
        let request = PathRequest {
            profile,
            guide: guide_of(&level, agent.mission.route),
            ..PathRequest::in_space(agent.start, *goal)
        };
        Ok(Self {
            level,
            nav,
            request,
        })
    }

    /// With other rules for the choice of attraction points.
    pub fn choosing(&self, choosing: Choosing) -> Self {
        let mut chosen = self.clone();
        chosen.request.choosing = choosing;
        chosen
    }

    /// Along its route there, back, and there again: longer than the largest σ of the paper.
    pub fn to_and_fro(&self) -> Self {
        let mut long = self.clone();
        if let Some(guide) = &mut long.request.guide {
            let there = guide.line.to_vec();
            let back = there.iter().rev().skip(1).copied();
            let mut line: Vec<DVec2> = there.iter().copied().chain(back).collect();
            line.extend(there.iter().skip(1));
            guide.line = line.into();
        }
        long
    }

    /// Candidates that are weighed in a step, on average, with a choice at every step.
    pub fn weighed(&self) -> f64 {
        let Self { nav, request, .. } = self;
        let terrain = nav.shared().terrain();
        let (weights, _) = terrain.weights(&request.profile);
        let ground = ExactGround::new(terrain, &weights, Some(nav.cells()));
        let eye = ground.eye(nav.placed(request.start.truncate()));
        let (Some(route), Some(eye)) = (self.route(&weights), eye) else {
            return f64::NAN;
        };
        let settings = Settings::of(&request.profile, nav.free().radius);
        let mut walker = Walker::new(settings, eye);
        let mut chooser = Chooser::default();
        chooser.as_printed = true;
        let mut log = Walked::default();
        while walker.step(&ground, &route, &mut chooser, &[], &mut log) == Status::Walking {}
        chooser.weighed as f64 / chooser.steps.max(1) as f64
    }

    /// With another look-ahead and sample distance.
    pub fn tuned(&self, look_ahead: f64, sample_step: f64) -> Self {
        let mut tuned = self.clone();
        if let Some(guide) = &mut tuned.request.guide {
            guide.look_ahead = look_ahead;
            guide.sample_step = sample_step;
        }
        tuned
    }

    /// Along a route computed by A* on a grid, as in the paper's Figure 1.
    pub fn with_grid_route(mut self, look_ahead: f64, sample_step: f64) -> Self {
        let terrain = self.nav.shared().terrain();
        let (weights, _) = terrain.weights(&self.request.profile);
        let ends = [self.request.start, self.request.goal].map(DVec3::truncate);
        let line = Router::default().path(&self.nav, terrain, &weights, RouteSource::Grid, ends);
        self.request.guide = line.ok().map(|line| Guide {
            line: line.into(),
            look_ahead,
            sample_step,
        });
        self
    }

    /// The route that the agent follows, from its start to its goal.
    pub fn route(&self, weights: &Weights) -> Option<IndicativeRoute> {
        let Self { nav, request, .. } = self;
        let terrain = nav.shared().terrain();
        let ends = [request.start, request.goal].map(|p| nav.placed(p.truncate()));
        let guide = request.guide.as_ref();
        let mut router = Router::default();
        let made = router.indicative(nav, terrain, weights, guide, RouteSource::Dual, ends);
        made.ok().map(|(route, _)| route)
    }

    /// What a planner answers; nothing where it finds no path.
    pub fn path(&self, planner: PlannerId) -> Path {
        let ctx = JobContext::default();
        let answer = registry::plan(planner, &self.nav, &self.request, &ctx);
        let path = answer.ok().and_then(|answer| answer.path().cloned());
        path.unwrap_or_default()
    }

    /// The path of MIRAN, and the session that found it.
    pub fn walked(&self) -> (Path, MiranSession) {
        let mut session = MiranSession::new(Miran::default(), &self.nav, &self.request);
        match session.step(usize::MAX) {
            Step::Done(path) => (path, session),
            _ => (Path::default(), session),
        }
    }

    /// The session by which IRM found its path.
    pub fn walked_by_irm(&self) -> IrmSession {
        let mut session = IrmSession::new(Irm::default(), &self.nav, &self.request);
        session.step(usize::MAX);
        session
    }

    /// The whole answer, from the route as drawn to the last step.
    pub fn timing(&self, planner: PlannerId) -> measure::Timing {
        let Self { nav, request, .. } = self;
        if planner == PlannerId::IRM {
            let mut session = IrmSession::new(Irm::default(), nav, request);
            return measure::processor_time(
                BUDGET,
                || (),
                |()| {
                    session.restart();
                    session.search(usize::MAX)
                },
            );
        }
        let mut session = MiranSession::new(Miran::default(), nav, request);
        measure::processor_time(
            BUDGET,
            || (),
            |()| {
                session.restart();
                session.search(usize::MAX)
            },
        )
    }

    /// Metres of a path on a terrain.
    pub fn metres(&self, path: &Path, terrain: &str) -> f64 {
        let line: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
        let map = self.nav.shared().terrain();
        let lengths = map.lengths_along(&line);
        let of = |(kind, length): (&TerrainKind, f64)| (kind.name == terrain).then_some(length);
        map.kinds().iter().zip(lengths).filter_map(of).sum()
    }
}
