//! The shortest path as a planner session.

use super::search::OptimalSearch;
use crate::nav::NavData;
use crate::planner::finish::finish_path;
use crate::planner::path::Path;
use crate::planner::pool::Pool;
use crate::planner::request::PathRequest;
use crate::planner::search_session::Search;
use crate::planner::session::{Progress, SearchView};

static MEMORY: Pool<OptimalSearch> = Pool::new();

/// The search for the shortest path; the memory is the search's own.
#[derive(Clone, Debug, Default)]
pub struct Shortest {
    expanded: usize,
    /// Unit: metres.
    longest: f64,
}

impl Search for Shortest {
    type Memory = OptimalSearch;

    fn pool() -> &'static Pool<OptimalSearch> {
        &MEMORY
    }

    fn prepare(&self, nav: &NavData) {
        let _ = nav.corners();
    }

    fn begin(&mut self, search: &mut OptimalSearch, nav: &NavData, request: &PathRequest) {
        let [start, goal] = request.placed_ends(nav);
        self.expanded = 0;
        search.begin(nav.cells(), nav.pinches(), nav.corners(), start, goal);
    }

    fn run(
        &mut self,
        search: &mut OptimalSearch,
        nav: &NavData,
        _: &PathRequest,
        budget: usize,
    ) -> Progress {
        let progress = search.run(nav.corners(), budget);
        self.expanded = search.expanded();
        self.longest = search.longest_considered();
        progress
    }

    fn path(&mut self, search: &OptimalSearch, nav: &NavData, request: &PathRequest) -> Path {
        finish_path(search.path(), nav, request, self.expanded)
    }

    fn expanded(&self) -> usize {
        self.expanded
    }

    fn longest_considered(&self) -> f64 {
        self.longest
    }

    fn view(&self, search: Option<&OptimalSearch>, nav: &NavData) -> SearchView {
        search.map_or_else(SearchView::default, |search| search.view(nav.corners()))
    }
}
