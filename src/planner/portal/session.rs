//! Portals as a planner session: the movable-node search and its baselines, each on its own graph.

use super::search::{Placing, PortalSearch};
use crate::nav::{NavData, PortalGraph};
use crate::planner::finish::finish_path;
use crate::planner::pool::{Pool, Pooled};
use crate::planner::request::PathRequest;
use crate::planner::session::{Progress, SearchView, Session, Step, Task, Updated};

static MEMORY: Pool<PortalSearch> = Pool::new();

/// What a node of the search represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortalNodes {
    /// A portal, with a point that moves.
    Movable,
    /// The centre of a portal.
    Centres,
    /// The centre of a piece of a portal, a third of the map wide at most.
    Thirds,
    /// The centre of a piece of a portal, a tenth of the map wide at most.
    Tenths,
}

impl PortalNodes {
    fn graph(self, nav: &NavData) -> &PortalGraph {
        match self {
            Self::Movable | Self::Centres => nav.whole_portals(),
            Self::Thirds => nav.third_portals(),
            Self::Tenths => nav.tenth_portals(),
        }
    }

    const fn placing(self) -> Placing {
        match self {
            Self::Movable => Placing::Movable,
            Self::Centres | Self::Thirds | Self::Tenths => Placing::Centre,
        }
    }
}

#[derive(Debug)]
pub struct PortalSession {
    task: Task,
    nodes: PortalNodes,
    search: Option<Pooled<PortalSearch>>,
    expanded: usize,
}

impl PortalSession {
    #[must_use]
    pub fn boxed(nodes: PortalNodes, nav: &NavData, request: &PathRequest) -> Box<dyn Session> {
        // Data that is built once per map does not count as planning time.
        nodes.graph(nav);
        let mut session = Self {
            task: Task::new(nav, request),
            nodes,
            search: None,
            expanded: 0,
        };
        session.begin();
        Box::new(session)
    }

    fn begin(&mut self) {
        let Self {
            task,
            nodes,
            search,
            expanded,
        } = self;
        let search = search.get_or_insert_with(|| MEMORY.take());
        *expanded = 0;
        task.timed(|nav, request| {
            let [start, goal] = request.placed_ends(nav);
            search.set_placing(nodes.placing());
            search.begin(nav.cells(), nav.pinches(), nodes.graph(nav), start, goal);
        });
    }
}

impl Session for PortalSession {
    fn step(&mut self, budget: usize) -> Step {
        if let Some(end) = self.task.end() {
            return end.clone();
        }
        if self.search.is_none() {
            self.begin();
        }
        let Self {
            task,
            nodes,
            search: Some(search),
            expanded,
        } = self
        else {
            return Step::NoPath;
        };
        let progress = task.timed(|nav, _| search.run(nav.cells(), nodes.graph(nav), budget));
        *expanded = search.expanded();
        let path = match progress {
            Progress::Running => return Step::Running,
            Progress::Found => {
                let (nav, request) = (&task.nav, &task.request);
                Some(finish_path(search.path(), nav, request, *expanded))
            }
            Progress::Exhausted => None,
        };
        task.finish(path)
    }

    fn update(&mut self, nav: &NavData, request: &PathRequest) -> Updated {
        self.task.restart(nav, request);
        self.begin();
        Updated::Restarted
    }

    fn task(&self) -> &Task {
        &self.task
    }

    fn view(&self) -> SearchView {
        let graph = self.nodes.graph(&self.task.nav);
        let search = self.search.as_ref();
        search.map_or_else(SearchView::default, |search| search.view(graph))
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn release(&mut self) {
        self.search = None;
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Self {
            task: self.task.clone(),
            nodes: self.nodes,
            search: None,
            expanded: self.expanded,
        })
    }
}
