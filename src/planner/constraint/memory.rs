//! What a search has learnt, and what that holds for.

use super::ad_star::{AdStar, Standing};
use super::astar::AStar;
use super::domain::{Changed, Domain, Ground};
use super::graph::Graph;
use super::replan::{Replan, ReplanKind};
use crate::document::{ConstraintOptions, ConstraintSearch};
use crate::nav::constraint::Lattice;
use crate::nav::constraint::field::{FieldChange, TermChange};
use crate::planner::PathRequest;
use crate::planner::session::{NodeView, SearchView};
use glam::DVec3;
use std::sync::Arc;

/// Beyond this share of the known states, a change is no local one, and a new search is cheaper.
const LARGE_CHANGE: f64 = 0.8;

#[derive(Debug)]
pub enum Search {
    AStar(AStar),
    /// ARA* is AD* that forgets when the world changes.
    Anytime(AdStar),
}

/// What a search has learnt, and what that holds for.
#[derive(Debug)]
pub struct Memory {
    pub domain: Domain,
    pub search: Search,
    ground: Ground,
    pub lattice: Arc<Lattice>,
    pub options: ConstraintOptions,
    pub ends: [DVec3; 2],
    /// Expansions of the last search from scratch, once it came to its end.
    pub from_scratch: usize,
}

impl Memory {
    pub fn new(
        ground: Ground,
        lattice: Arc<Lattice>,
        request: &PathRequest,
        ends: [DVec3; 2],
    ) -> Self {
        let options = request.constraints.options;
        let domain = Domain::new(&ground, &request.constraints.field, ends[0], ends[1]);
        let search = match options.search {
            ConstraintSearch::AStar => {
                let mut search = AStar::default();
                search.begin(&domain, domain.start(), domain.goal());
                Search::AStar(search)
            }
            ConstraintSearch::AraStar | ConstraintSearch::AdStar => {
                let mut search = AdStar::default();
                search.begin(&domain, domain.start(), domain.goal(), options.epsilon);
                Search::Anytime(search)
            }
        };
        Self {
            domain,
            search,
            ground,
            lattice,
            options,
            ends,
            from_scratch: 0,
        }
    }

    pub const fn expanded(&self) -> usize {
        match &self.search {
            Search::AStar(search) => search.expanded(),
            Search::Anytime(search) => search.expanded(),
        }
    }

    /// Expansions beyond which a repair is given up for a search from scratch.
    pub const fn worth_repairing(&self) -> usize {
        if self.from_scratch > 0 {
            self.from_scratch
        } else {
            usize::MAX
        }
    }

    /// The bound that the search has reached, or works on.
    pub const fn bound(&self) -> f64 {
        match &self.search {
            Search::AStar(_) => 1.0,
            Search::Anytime(search) => search.epsilon(),
        }
    }

    /// Forgets what was searched, but not the field that was evaluated.
    pub fn begin_anew(&mut self) {
        let Self { domain, search, .. } = self;
        let (start, goal) = (domain.start(), domain.goal());
        match search {
            Search::AStar(search) => search.begin(domain, start, goal),
            Search::Anytime(search) => search.begin(domain, start, goal, self.options.epsilon),
        }
    }

    /// States that the last repair found changed.
    pub const fn changed(&self) -> usize {
        match &self.search {
            Search::AStar(_) => 0,
            Search::Anytime(search) => search.changed(),
        }
    }

    /// Its states in drawable form.
    pub fn view(&self) -> SearchView {
        let domain = &self.domain;
        let to = match &self.search {
            Search::AStar(_) => domain.point(domain.goal()),
            Search::Anytime(_) => domain.point(domain.start()),
        };
        let node = |node: u32, g: f64, parent: Option<u32>, standing: Standing| {
            let point = domain.point(node);
            NodeView {
                point: point.truncate(),
                segment: [point.truncate(); 2],
                parent: parent.map(|parent| parent as usize),
                from: point.truncate(),
                is_closed: standing != Standing::Open,
                is_inconsistent: standing == Standing::Inconsistent,
                g,
                f: g + point.distance(to),
            }
        };
        let (known, current): (Vec<(u32, NodeView)>, _) = match &self.search {
            Search::AStar(search) => {
                let known = search.known().map(|(slot, at, g, before, is_closed)| {
                    let standing = if is_closed {
                        Standing::Closed
                    } else {
                        Standing::Open
                    };
                    (slot, node(at, g, before, standing))
                });
                (known.collect(), search.current())
            }
            Search::Anytime(search) => {
                let known = search.known();
                let known =
                    known.map(|(slot, at, g, next, standing)| (slot, node(at, g, next, standing)));
                (known.collect(), search.current())
            }
        };
        // Slots grow, but leave gaps.
        let index_of = |slot: usize| {
            let found = known.binary_search_by_key(&slot, |(slot, _)| *slot as usize);
            found.ok()
        };
        let mut nodes: Vec<NodeView> = known.iter().map(|(_, node)| *node).collect();
        for index in 0..nodes.len() {
            nodes[index].parent = nodes[index].parent.and_then(index_of);
            if let Some(parent) = nodes[index].parent {
                nodes[index].from = nodes[parent].point;
            }
        }
        let current = current.and_then(|slot| index_of(slot as usize));
        SearchView {
            nodes,
            current,
            bound: match &self.search {
                Search::AStar(_) => None,
                Search::Anytime(search) => Some(search.epsilon()),
            },
        }
    }

    /// Where the path leads that is known now.
    pub fn path(&self) -> Option<Vec<DVec3>> {
        let nodes = match &self.search {
            Search::AStar(search) => search.path_to(self.domain.goal()),
            Search::Anytime(search) => search.path(),
        };
        (nodes.last() == Some(&self.domain.goal())).then(|| self.domain.points(&nodes))
    }

    /// Brings what is known in line with a query, and notes what changed.
    pub fn repair(
        &mut self,
        ground: Ground,
        lattice: Arc<Lattice>,
        request: &PathRequest,
        ends: [DVec3; 2],
    ) -> Replan {
        let field = &request.constraints.field;
        let mut what = Vec::new();
        let mut area = None;
        match field.change_since(self.domain.field()) {
            FieldChange::Nothing => {}
            FieldChange::Base => what.push("the base weight".to_owned()),
            FieldChange::Terms(changes) => {
                what.extend(changes.iter().map(|change| change.name().to_owned()));
                area = changes
                    .iter()
                    .flat_map(TermChange::influence)
                    .reduce(|all, part| all.union(&part));
            }
        }
        if ends[0] != self.ends[0] {
            what.push("the start".to_owned());
        }
        if !Arc::ptr_eq(&lattice, &self.lattice) {
            what.push("free space".to_owned());
        }
        let epsilon = self.options.epsilon;
        let Memory { domain, search, .. } = self;
        let Search::Anytime(search) = search else {
            return Replan {
                what,
                area,
                ..Replan::from_scratch()
            };
        };
        let changed = domain.update(&ground, field, ends[0]);
        search.count_anew();
        let mut kind = ReplanKind::FromScratch;
        let count_known = |nodes: &[u32]| {
            let is_known = |node: &&u32| search.knows(**node);
            nodes.iter().filter(is_known).count()
        };
        if let Changed::From(nodes) = changed
            && (count_known(&nodes) as f64) < LARGE_CHANGE * search.touched() as f64
        {
            search.costs_changed(domain, &nodes);
            search.start_moved(domain);
            // A local change is repaired at the bound that was reached.
            let bound = search.epsilon();
            search.next_search(domain, bound);
            kind = ReplanKind::Repaired;
        } else {
            search.begin(domain, domain.start(), domain.goal(), epsilon);
        }
        (self.ground, self.lattice, self.ends) = (ground, lattice, ends);
        Replan {
            what,
            kind,
            area,
            expanded_from_scratch: self.from_scratch,
            ..Replan::from_scratch()
        }
    }
}
