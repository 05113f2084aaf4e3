//! A session that goes through links where that is cheaper, or the only path.

use super::chain::{Cost, Hop, Walk, cheapest};
use super::join::join;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::{NavChange, NavData, NavLink};
use crate::planner::constraint::Replan;
use crate::planner::human::Change;
use crate::planner::path::{NoPath, Path};
use crate::planner::registry::Open;
use crate::planner::request::PathRequest;
use crate::planner::session::{SearchView, Session, Step, Task, Updated};
use crate::planner::trace::Trace;
use glam::DVec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a planner walks between links.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    pub open: Open,
    /// Least cost per metre of the straight line between two places.
    pub floor: fn(&PathRequest) -> f64,
}

/// Asks the planner itself while there are no links to use.
#[derive(Debug)]
pub struct LinkedSession {
    walker: Walker,
    /// The query as it was asked.
    direct: Box<dyn Session>,
    network: Option<Network>,
}

/// Links that may be used, and what is known of the walks between them.
#[derive(Clone, Debug)]
struct Network {
    task: Task,
    links: Arc<[NavLink]>,
    hops: Vec<Hop>,
    walks: BTreeMap<Walk, Cost>,
    paths: BTreeMap<Walk, Path>,
    /// The walk that is being searched.
    current: Option<Search>,
    expanded: usize,
    floor: f64,
}

#[derive(Debug)]
struct Search {
    walk: Walk,
    session: Box<dyn Session>,
    /// Expansions that were counted already.
    counted: usize,
}

impl Clone for Search {
    fn clone(&self) -> Self {
        Self {
            walk: self.walk,
            session: self.session.fork(),
            counted: self.counted,
        }
    }
}

impl LinkedSession {
    #[must_use]
    pub fn boxed(walker: Walker, nav: &NavData, request: &PathRequest) -> Box<dyn Session> {
        Box::new(Self {
            direct: (walker.open)(nav, request),
            network: Network::of(&walker, nav, request),
            walker,
        })
    }
}

impl Network {
    /// `None` if the query may use no link.
    fn of(walker: &Walker, nav: &NavData, request: &PathRequest) -> Option<Self> {
        let links = nav.shared().links();
        let may_use = |link: &NavLink| match request.profile_id {
            Some(profile) => link.link.admits(profile),
            None => link.link.profiles.is_empty(),
        };
        let hops: Vec<Hop> = links
            .iter()
            .enumerate()
            .filter(|(_, link)| may_use(link))
            .flat_map(|(index, link)| {
                link.passages().map(move |passage| Hop {
                    link: index,
                    from: passage.from,
                    to: passage.to,
                    is_reversed: passage.is_reversed,
                    cost: passage.link.path_cost(),
                })
            })
            .collect();
        (!hops.is_empty()).then(|| Self {
            task: Task::new(nav, request),
            links: Arc::clone(links),
            hops,
            walks: BTreeMap::new(),
            paths: BTreeMap::new(),
            current: None,
            expanded: 0,
            floor: (walker.floor)(request),
        })
    }

    fn ends(&self, walk: Walk) -> [DVec3; 2] {
        let request = &self.task.request;
        [
            walk.after.map_or(request.start, |hop| self.hops[hop].to),
            walk.before.map_or(request.goal, |hop| self.hops[hop].from),
        ]
    }

    fn cost(&self, walk: Walk) -> Cost {
        self.walks.get(&walk).copied().unwrap_or_else(|| {
            let [from, to] = self.ends(walk);
            // An area may be entered anywhere.
            let is_open = walk.before.is_none() && self.task.request.goal_area.is_some();
            let distance = if is_open {
                0.0
            } else {
                from.truncate().distance(to.truncate())
            };
            Cost::Bound(self.floor * distance)
        })
    }

    /// The query of one walk.
    fn request(&self, walk: Walk) -> PathRequest {
        let [start, goal] = self.ends(walk);
        let asked = &self.task.request;
        PathRequest {
            start,
            goal,
            goal_area: asked.goal_area.clone().filter(|_| walk.before.is_none()),
            ..asked.clone()
        }
    }

    fn step(&mut self, budget: usize, walker: &Walker, direct: &mut dyn Session) -> Step {
        if let Some(end) = self.task.end() {
            return end.clone();
        }
        let mut left = budget.max(1);
        loop {
            let Some(walk) = self.next_walk() else {
                return self.finish();
            };
            let Some(chosen) = walk else {
                // Every walk of the cheapest chain is known.
                return self.finish();
            };
            let spent = self.search(chosen, left, walker, direct);
            left = left.saturating_sub(spent.max(1));
            if left == 0 {
                return Step::Running;
            }
        }
    }

    /// The first walk of the cheapest chain that is not known; `Some(None)` if all are, `None` if
    /// there is no chain.
    fn next_walk(&self) -> Option<Option<Walk>> {
        let chain = cheapest(&self.hops, |walk| self.cost(walk))?;
        let is_open = |walk: &Walk| matches!(self.cost(*walk), Cost::Bound(_));
        Some(chain.into_iter().find(is_open))
    }

    /// Searches a walk for a while; returns the expansions that it took.
    fn search(
        &mut self,
        walk: Walk,
        budget: usize,
        walker: &Walker,
        direct: &mut dyn Session,
    ) -> usize {
        let is_direct = walk.after.is_none() && walk.before.is_none();
        if !is_direct
            && self
                .current
                .as_ref()
                .is_none_or(|search| search.walk != walk)
        {
            self.current = Some(Search {
                walk,
                session: (walker.open)(&self.task.nav, &self.request(walk)),
                counted: 0,
            });
        }
        let before = self.expanded;
        let step = if is_direct {
            let counted = direct.expanded();
            let step = direct.step(budget);
            self.expanded += direct.expanded().saturating_sub(counted);
            step
        } else if let Some(search) = &mut self.current {
            let step = search.session.step(budget);
            self.expanded += search.session.expanded().saturating_sub(search.counted);
            search.counted = search.session.expanded();
            step
        } else {
            Step::NoPath
        };
        match step {
            Step::Running | Step::Improved { .. } => {}
            Step::Done(path) => {
                self.walks.insert(walk, Cost::Known(path.cost));
                self.paths.insert(walk, path);
                self.current = None;
            }
            Step::NoPath => {
                self.walks.insert(walk, Cost::None);
                self.current = None;
            }
        }
        self.expanded - before
    }

    fn finish(&mut self) -> Step {
        let chain = cheapest(&self.hops, |walk| self.cost(walk));
        let path = chain.and_then(|chain| {
            let walked: Option<Vec<Path>> = chain
                .iter()
                .map(|walk| self.paths.get(walk).cloned())
                .collect();
            let walked = walked?;
            if let [only] = &walked[..] {
                return Some(only.clone());
            }
            let shared = self.task.nav.shared();
            let name = |link: &NavLink| format!("link:{}", shared.label(link.id));
            let request = &self.task.request;
            let mut path = join(&chain, walked, &self.hops, &self.links, name, request);
            path.expanded = self.expanded;
            Some(path)
        });
        self.task.finish(path)
    }
}

impl Session for LinkedSession {
    fn step(&mut self, budget: usize) -> Step {
        match &mut self.network {
            Some(network) => network.step(budget, &self.walker, &mut *self.direct),
            None => self.direct.step(budget),
        }
    }

    fn update(&mut self, change: &NavChange, request: &PathRequest) -> Updated {
        let updated = self.direct.update(change, request);
        self.network = Network::of(&self.walker, change.nav(), request);
        match self.network {
            Some(_) => Updated::Restarted,
            None => updated,
        }
    }

    fn task(&self) -> &Task {
        self.network
            .as_ref()
            .map_or_else(|| self.direct.task(), |network| &network.task)
    }

    fn view(&self) -> SearchView {
        let current = self
            .network
            .as_ref()
            .and_then(|network| network.current.as_ref());
        current.map_or_else(|| self.direct.view(), |search| search.session.view())
    }

    fn trace(&self) -> Option<Arc<Trace>> {
        match &self.network {
            Some(_) => match self.task().end() {
                Some(Step::Done(path)) => path.trace.clone(),
                _ => None,
            },
            None => self.direct.trace(),
        }
    }

    fn expanded(&self) -> usize {
        self.network
            .as_ref()
            .map_or_else(|| self.direct.expanded(), |network| network.expanded)
    }

    /// What bars the direct path; and that no link helps.
    fn explain(&self, ctx: &JobContext) -> Result<NoPath, Cancelled> {
        let mut why = self.direct.explain(ctx)?;
        if self.network.is_some() {
            why.reason += "; no link that it may use leads there either";
        }
        Ok(why)
    }

    fn change(&self) -> Change {
        match self.network {
            Some(_) => Change::None,
            None => self.direct.change(),
        }
    }

    fn hold(&mut self) {
        self.direct.hold();
    }

    fn places(&self) -> Vec<DVec3> {
        match (&self.network, self.task().end()) {
            (None, _) => self.direct.places(),
            (Some(_), Some(Step::Done(path))) => path.points.clone(),
            (Some(_), _) => Vec::new(),
        }
    }

    fn replans(&self) -> &[Replan] {
        self.direct.replans()
    }

    fn release(&mut self) {
        self.direct.release();
        if let Some(network) = &mut self.network {
            network.current = None;
        }
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Self {
            walker: self.walker,
            direct: self.direct.fork(),
            network: self.network.clone(),
        })
    }
}
