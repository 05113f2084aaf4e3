//! A planner that has been asked before needs no more memory to answer.

use glam::DVec2;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use wayloom::base::Random;
use wayloom::document::template::{Options, Template};
use wayloom::jobs::JobContext;
use wayloom::nav::{BakeRequest, NavBundle, NavData};
use wayloom::planner::optimal::OptimalSearch;
use wayloom::planner::portal::{Placing, PortalSearch};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, with a count for each thread.
struct Counting;

// SAFETY: everything is handed on to the system's allocator as it came.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // While a thread ends there is nothing left to count for.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the same.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
}

fn dense() -> (NavData, Vec<[DVec2; 2]>) {
    let level = Template::Dense.build(&Options::default()).expect("drawn");
    let request = BakeRequest::for_radius(std::sync::Arc::new(level), 0.3);
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
    let nav = bundle.nav(0.3).expect("baked");
    let bounds = nav.bounds();
    let mut random = Random::new(7);
    let queries = (0..500)
        .map(|_| [0; 2].map(|_| random.point(bounds.min, bounds.max)))
        .collect();
    (nav, queries)
}

#[test]
fn portal_searches_allocate_nothing_after_the_first_round() {
    let (nav, queries) = dense();
    let graph = nav.whole_portals();
    let mut search = PortalSearch::new(Placing::Movable);
    let mut found = 0;
    let mut ask = |[start, goal]: [DVec2; 2]| {
        search.begin(nav.cells(), nav.pinches(), graph, start, goal);
        search.run(nav.cells(), graph, usize::MAX);
        found += usize::from(search.path().len() > 1);
    };
    queries.iter().copied().for_each(&mut ask);
    let before = allocations();
    queries.iter().copied().for_each(&mut ask);
    assert_eq!(allocations() - before, 0);
    assert!(found > queries.len(), "most places are connected");
}

#[test]
fn shortest_paths_allocate_nothing_after_the_first_round() {
    let (nav, queries) = dense();
    let mut search = OptimalSearch::default();
    let mut ask = |[start, goal]: [DVec2; 2]| {
        search.begin(nav.cells(), nav.pinches(), nav.corners(), start, goal);
        search.run(nav.corners(), usize::MAX);
    };
    queries.iter().copied().for_each(&mut ask);
    let before = allocations();
    queries.iter().copied().for_each(&mut ask);
    assert_eq!(allocations() - before, 0);
}
