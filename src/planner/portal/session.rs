//! Portals as a planner session: the movable-node search and its baselines, each on its own graph.

use super::search::{Placing, PortalSearch};
use crate::nav::{NavData, PortalGraph};
use crate::planner::finish::finish_path;
use crate::planner::path::Path;
use crate::planner::pool::Pool;
use crate::planner::request::PathRequest;
use crate::planner::search_session::Search;
use crate::planner::session::{Progress, SearchView};

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

/// A search over portals; the memory is the search's own.
#[derive(Clone, Debug)]
pub struct OverPortals {
    nodes: PortalNodes,
    expanded: usize,
    /// Unit: metres.
    longest: f64,
}

impl OverPortals {
    #[must_use]
    pub const fn new(nodes: PortalNodes) -> Self {
        Self {
            nodes,
            expanded: 0,
            longest: f64::INFINITY,
        }
    }
}

impl Search for OverPortals {
    type Memory = PortalSearch;

    fn pool() -> &'static Pool<PortalSearch> {
        &MEMORY
    }

    fn prepare(&self, nav: &NavData) {
        self.nodes.graph(nav);
    }

    fn begin(&mut self, search: &mut PortalSearch, nav: &NavData, request: &PathRequest) {
        let [start, goal] = request.placed_ends(nav);
        self.expanded = 0;
        search.set_placing(self.nodes.placing());
        let graph = self.nodes.graph(nav);
        search.begin(nav.cells(), nav.pinches(), graph, start, goal);
    }

    fn run(
        &mut self,
        search: &mut PortalSearch,
        nav: &NavData,
        _: &PathRequest,
        budget: usize,
    ) -> Progress {
        let progress = search.run(nav.cells(), self.nodes.graph(nav), budget);
        self.expanded = search.expanded();
        self.longest = search.longest_considered();
        progress
    }

    fn path(&mut self, search: &PortalSearch, nav: &NavData, request: &PathRequest) -> Path {
        finish_path(search.path(), nav, request, self.expanded)
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn longest_considered(&self) -> f64 {
        self.longest
    }

    fn view(&self, search: Option<&PortalSearch>, nav: &NavData) -> SearchView {
        let graph = self.nodes.graph(nav);
        search.map_or_else(SearchView::default, |search| search.view(graph))
    }
}
