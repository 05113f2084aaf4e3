//! The shortest path as a planner session.

use super::search::OptimalSearch;
use crate::nav::NavData;
use crate::planner::finish::finish_path;
use crate::planner::pool::{Pool, Pooled};
use crate::planner::request::PathRequest;
use crate::planner::session::{Progress, SearchView, Session, Step, Task, Updated};

static MEMORY: Pool<OptimalSearch> = Pool::new();

#[derive(Debug)]
pub struct OptimalSession {
    task: Task,
    search: Option<Pooled<OptimalSearch>>,
    expanded: usize,
}

impl OptimalSession {
    #[must_use]
    pub fn new(nav: &NavData, request: &PathRequest) -> Self {
        // Data that is built once per map does not count as planning time.
        let _ = nav.corners();
        let mut session = Self {
            task: Task::new(nav, request),
            search: None,
            expanded: 0,
        };
        session.begin();
        session
    }

    fn begin(&mut self) {
        let search = self.search.get_or_insert_with(|| MEMORY.take());
        self.expanded = 0;
        self.task.timed(|nav, request| {
            let [start, goal] = request.placed_ends(nav);
            search.begin(nav.cells(), nav.pinches(), nav.corners(), start, goal);
        });
    }
}

impl Session for OptimalSession {
    fn step(&mut self, budget: usize) -> Step {
        if let Some(end) = self.task.end() {
            return end.clone();
        }
        if self.search.is_none() {
            self.begin();
        }
        let Self {
            task,
            search: Some(search),
            expanded,
        } = self
        else {
            return Step::NoPath;
        };
        let progress = task.timed(|nav, _| search.run(nav.cells(), nav.corners(), budget));
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
        let cells = self.task.nav.cells();
        let search = self.search.as_ref();
        search.map_or_else(SearchView::default, |search| search.view(cells))
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
            search: None,
            expanded: self.expanded,
        })
    }
}
