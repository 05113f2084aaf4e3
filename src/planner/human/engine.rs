//! Human motion behind the common door.

use super::astar::{Astar, Outcome};
use super::cell_path::CellPath;
use super::figures::path_of;
use super::front::{Front, Until};
use super::goals::Goals;
use super::smooth::{Smoothing, smoothed};
use super::walk::{Target, goals};
use super::ways::Ways;
use crate::nav::voxel::{Borders, Explainer, Footing, LevelVoxels, Reach, SurfaceId};
use crate::planner::engine::Engine;
use crate::planner::{NavData, NoPath, NodeView, Path, PathRequest, Progress, SearchView};
use glam::DVec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How far from its place somebody is set down at most. Unit: cells.
const SETTLE: i32 = 3;

/// A question in cells.
#[derive(Clone, Debug)]
struct Question {
    level: Arc<LevelVoxels>,
    footing: Arc<Footing>,
    start: SurfaceId,
    goals: Goals,
    /// Borders are kept off while that leads anywhere.
    borders: Borders,
    exempt: Arc<BTreeSet<SurfaceId>>,
}

impl Question {
    fn ways(&self) -> Ways<'_> {
        let reach = Reach::new(self.level.surfaces(), &self.footing, self.borders);
        Ways::with(reach, Arc::clone(&self.exempt))
    }

    fn with_borders(mut self, borders: Borders) -> Self {
        self.borders = borders;
        let reach = Reach::new(self.level.surfaces(), &self.footing, borders);
        self.exempt = Arc::clone(Ways::between(reach, &[self.start], &self.goals).exempt());
        self
    }
}

#[derive(Clone, Debug, Default)]
pub struct HumanEngine {
    pub smoothing: Smoothing,
    search: Astar,
    question: Option<Question>,
    /// How the search ended.
    end: Option<Option<CellPath>>,
    /// Cells expanded by a search that was given up, with their costs.
    given_up: Vec<(SurfaceId, u32)>,
}

/// The cell on which somebody at a place stands: next to it and about as high, or else under it.
/// Where there is no ground to measure heights from, a place within a body is meant on its floor.
#[must_use]
pub fn settled(voxels: &LevelVoxels, footing: &Footing, p: DVec3) -> Option<SurfaceId> {
    let surfaces = voxels.surfaces();
    let frame = &surfaces.frame;
    let [x, y] = frame.column_at(p.x, p.y)?.map(|at| at as i32);
    let near = (f64::from(footing.body.step_layers) * frame.layer).max(2.0 * frame.layer);
    let off = |id: &SurfaceId| {
        let at = surfaces.point(*id);
        (at.z - p.z).abs() + at.truncate().distance(p.truncate())
    };
    let mut best: Option<(f64, SurfaceId)> = None;
    for dy in -SETTLE..=SETTLE {
        for dx in -SETTLE..=SETTLE {
            for id in surfaces.column(x + dx, y + dy).map(SurfaceId) {
                let height = (surfaces.point(id).z - p.z).abs();
                if footing.is_standable(id) && height <= near {
                    let off = off(&id);
                    if best.is_none_or(|(known, _)| off < known) {
                        best = Some((off, id));
                    }
                }
            }
        }
    }
    let layer = frame.cells_from_world(p).z.floor();
    let is_inside = layer >= 0.0
        && layer < f64::from(frame.size[2])
        && voxels
            .voxels
            .grid
            .is_occupied(x as u32, y as u32, layer as u32);
    best.map(|(_, id)| id).or_else(|| {
        let under = surfaces
            .column(x, y)
            .map(SurfaceId)
            .filter(|id| footing.is_standable(*id) && (!is_inside || !voxels.has_ground()));
        under.min_by(|a, b| off(a).total_cmp(&off(b)))
    })
}

/// Every cell where a request may end.
fn goals_of(level: &LevelVoxels, footing: &Footing, request: &PathRequest) -> Goals {
    let targets = Target::all(request.goal_area.as_deref(), request.goal);
    goals(level, footing, &targets)
}

impl Engine for HumanEngine {
    fn begin(&mut self, nav: &NavData, request: &PathRequest) {
        self.end = None;
        self.question = None;
        self.given_up.clear();
        let Ok(level) = nav.commons().voxels() else {
            return;
        };
        let footing = level.footing(&request.profile);
        let goals = goals_of(level, &footing, request);
        if let Some(start) = settled(level, &footing, request.start)
            && !goals.is_empty()
        {
            let question = Question {
                level: Arc::clone(level),
                footing,
                start,
                goals,
                borders: Borders::Avoid,
                exempt: Arc::default(),
            };
            let question = question.with_borders(Borders::Avoid);
            self.search.begin(&question.ways(), start, &question.goals);
            self.question = Some(question);
        }
    }

    fn run(&mut self, _: &NavData, budget: usize) -> Progress {
        let mut left = budget;
        while self.end.is_none() {
            let Some(question) = &self.question else {
                return Progress::Exhausted;
            };
            let ways = question.ways();
            let before = self.search.expanded().len();
            let end = match self.search.run(&ways, &question.goals, left) {
                Outcome::Running => return Progress::Running,
                Outcome::Found(goal) => self
                    .search
                    .path_to(&ways, goal)
                    .map(|path| smoothed(&ways, &path, self.smoothing)),
                // Whoever cannot keep off the walls goes along them.
                Outcome::Exhausted if question.borders == Borders::Avoid => {
                    let spent = self.search.expanded().len();
                    left = left.saturating_sub(spent - before);
                    let costs = self.expansions();
                    self.given_up = costs.collect();
                    let question = question.clone().with_borders(Borders::Ignore);
                    self.search
                        .begin(&question.ways(), question.start, &question.goals);
                    self.question = Some(question);
                    continue;
                }
                Outcome::Exhausted => None,
            };
            self.end = Some(end);
        }
        match &self.end {
            Some(Some(_)) => Progress::Found,
            _ => Progress::Exhausted,
        }
    }

    fn path(&self, _: &NavData, request: &PathRequest) -> Path {
        let (Some(question), Some(Some(found))) = (&self.question, &self.end) else {
            return Path::default();
        };
        Path {
            expanded: self.expanded(),
            ..path_of(&question.level, &question.footing, found, request)
        }
    }

    fn no_path(&self, nav: &NavData, request: &PathRequest) -> NoPath {
        let level = match nav.commons().voxels() {
            Ok(level) => level,
            Err(error) => return plain(error.to_string()),
        };
        let footing = level.footing(&request.profile);
        let explainer = Explainer {
            voxels: &level.voxels,
            footing: &footing,
        };
        let label = |id| nav.commons().label(id);
        if request.goal_area.is_some() && goals_of(level, &footing, request).is_empty() {
            return plain(
                "nobody with this body can stand anywhere in the goal's area; make room in it, or move it"
                    .to_owned(),
            );
        }
        for (end, p) in [("start", request.start), ("goal", request.goal)] {
            let is_area = end == "goal" && request.goal_area.is_some();
            if is_area || settled(level, &footing, p).is_some() {
                continue;
            }
            let why = explainer.place(p);
            let reason = why.map_or_else(
                || "nobody can stand there".to_owned(),
                |why| why.sentence(label),
            );
            return NoPath {
                reason: format!(
                    "the {end} at {:.2}, {:.2}, {:.2} is no place to stand at: {reason}; move it",
                    p.x, p.y, p.z
                ),
                blocker: why.and_then(|why| why.object()),
                gap: None,
            };
        }
        let Some(question) = &self.question else {
            return plain("there is no way".to_owned());
        };
        let reach = Reach::new(level.surfaces(), &footing, Borders::Ignore);
        let front = Front::spread(&Ways::new(reach), &[question.start], Until::Burnt);
        let goal = question.goals.cells().first().copied();
        let why = goal.and_then(|goal| explainer.reaching(goal, |id| front.level(id).is_some()));
        match why {
            Some(why) => NoPath {
                reason: format!(
                    "{} at {:.2}, {:.2}, {:.2}; nobody with this body gets any further",
                    why.sentence(label),
                    why.at.x,
                    why.at.y,
                    why.at.z
                ),
                blocker: why.object(),
                gap: None,
            },
            None => plain(
                "start and goal are on parts of the level that nothing connects; \
                 draw stairs, a ramp or a bridge between them"
                    .to_owned(),
            ),
        }
    }

    fn expanded(&self) -> usize {
        self.given_up.len() + self.search.expanded().len()
    }

    fn view(&self, _: &NavData) -> SearchView {
        let Some(question) = &self.question else {
            return SearchView::default();
        };
        let surfaces = question.level.surfaces();
        let cell = surfaces.frame.cell;
        // What a search that was given up had seen stays to be seen.
        let nodes: Vec<NodeView> = self
            .given_up
            .iter()
            .copied()
            .chain(self.expansions())
            .map(|(id, g)| {
                let point = surfaces.point(id).truncate();
                let ahead = surfaces.get(id).map_or(0, |at| {
                    let neighbours = question.footing.body.conduct.neighbours;
                    question.goals.distance(neighbours, at.x, at.y)
                });
                NodeView {
                    point,
                    segment: [point; 2],
                    parent: None,
                    from: point,
                    is_closed: true,
                    g: f64::from(g) * cell,
                    f: f64::from(g + ahead) * cell,
                }
            })
            .collect();
        SearchView {
            current: nodes.len().checked_sub(1),
            nodes,
        }
    }
}

impl HumanEngine {
    /// Cells that the search has expanded, and what it costs to get there.
    fn expansions(&self) -> impl Iterator<Item = (SurfaceId, u32)> {
        let cost = |id: SurfaceId| self.search.cost(id).map_or(0, |cost| cost.cells);
        let expanded = self.search.expanded().iter();
        expanded.map(move |id| (*id, cost(*id)))
    }

    /// A front from where the last question started, level by level, for animation.
    #[must_use]
    pub fn front(&self) -> Option<Front> {
        let question = self.question.as_ref()?;
        Some(Front::spread(
            &question.ways(),
            &[question.start],
            Until::Burnt,
        ))
    }

    /// The cells of the way that was found, and the voxels that they are cells of.
    #[must_use]
    pub fn cell_path(&self) -> Option<(&CellPath, &Arc<LevelVoxels>)> {
        match (&self.end, &self.question) {
            (Some(Some(path)), Some(question)) => Some((path, &question.level)),
            _ => None,
        }
    }

    /// Whether the way leads through the border.
    #[must_use]
    pub fn is_squeezed(&self) -> bool {
        self.question
            .as_ref()
            .is_some_and(|question| question.borders == Borders::Ignore)
    }
}

const fn plain(reason: String) -> NoPath {
    NoPath {
        reason,
        blocker: None,
        gap: None,
    }
}
