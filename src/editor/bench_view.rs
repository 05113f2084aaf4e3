//! The planner bench: every planner on the selected agent's mission, compared in the background.

use super::Editor;
use super::navigation::{Freshness, Navigation};
use super::search_watch::{SearchWatch, WatchAsk};
use crate::base::{ByAddress, EntityId};
use crate::document::Document;
use crate::jobs::{Display, Memo, MemoError, Superseded};
use crate::planner::bench::{Bench, ComparisonError, Method};
use crate::planner::{PlannedLevel, SearchView};
use std::cell::Cell;
use std::sync::Arc;

/// What planners are compared on.
#[derive(Clone, Debug, PartialEq)]
struct Compared {
    agent: EntityId,
    baked: ByAddress<PlannedLevel>,
}

#[derive(Debug)]
pub struct BenchView {
    comparison: Memo<Compared, Result<Arc<Bench>, ComparisonError>>,
    /// The planner whose path is picked out.
    pub picked: Option<Method>,
    /// The agent that the bench is drawn for in this frame; set by the panel.
    pub wanted: Cell<Option<EntityId>>,
    watch: Option<SearchWatch>,
}

impl Default for BenchView {
    fn default() -> Self {
        Self {
            // The last bake is compared to its end even if a newer one arrives.
            comparison: Memo::new("Comparing planners", Display::Quiet, Superseded::FINISH),
            picked: None,
            wanted: Cell::new(None),
            watch: None,
        }
    }
}

impl BenchView {
    /// The last comparison for an agent, or why there is none.
    #[must_use]
    pub fn outcome(&self, agent: EntityId) -> Option<Result<&Arc<Bench>, ComparisonError>> {
        match self.comparison.error() {
            Some(MemoError::Failed(error)) => {
                return Some(Err(ComparisonError::Failed(error.clone())));
            }
            Some(MemoError::Job(error)) => {
                return Some(Err(ComparisonError::Failed(error.to_string())));
            }
            None => {}
        }
        let key = self.comparison.key();
        let value = self.comparison.value();
        let value = value.filter(|_| key.is_some_and(|key| key.agent == agent))?;
        Some(value.as_ref().map_err(Clone::clone))
    }

    /// The comparison that is shown.
    #[must_use]
    pub fn shown(&self) -> Option<&Arc<Bench>> {
        self.comparison.value()?.as_ref().ok()
    }

    /// The search that is taken step by step.
    #[must_use]
    pub const fn watch(&self) -> Option<&SearchWatch> {
        self.watch.as_ref()
    }

    /// That search as it stands.
    #[must_use]
    pub fn search(&self) -> Option<&Arc<SearchView>> {
        self.watch.as_ref()?.view()
    }

    /// A comparison that is known already.
    pub fn set(&mut self, baked: &Arc<PlannedLevel>, agent: EntityId, bench: Outcome) {
        let baked = ByAddress::of(baked);
        self.comparison.set(Compared { agent, baked }, bench);
    }

    fn leave(&mut self) {
        self.comparison.forget();
        self.watch = None;
    }
}

type Outcome = Result<Arc<Bench>, ComparisonError>;

impl Navigation {
    /// Whether what the bench shows is of the level as it is.
    #[must_use]
    pub fn bench_is_fresh(&self, document: &Document) -> bool {
        let newest = |compared: &Compared| {
            let baked = self.baked();
            baked.is_some_and(|baked| Arc::ptr_eq(baked, &compared.baked))
        };
        let key = self.bench.comparison.key();
        key.is_some_and(newest) && self.freshness(document) != Freshness::Building
    }
}

impl Editor {
    /// Compares planners on what was baked last, be it of the newest state or not, while the
    /// bench is in sight; what belongs to it goes with it.
    pub fn keep_bench_current(&mut self, ctx: &egui::Context) {
        let navigation = &mut self.state.navigation;
        let bench = &mut navigation.bench;
        let Some(agent) = bench.wanted.take() else {
            bench.leave();
            return;
        };
        if bench.comparison.key().is_some_and(|key| key.agent != agent)
            || (bench.comparison.running_key()).is_some_and(|key| key.agent != agent)
        {
            bench.leave();
        }
        let Some(baked) = navigation.bake.last().cloned() else {
            bench.comparison.poll();
            return;
        };
        let key = Compared {
            agent,
            baked: ByAddress::of(&baked),
        };
        let jobs = self.work.jobs();
        bench.comparison.want(jobs, key, move |job| {
            Ok(baked.compare(agent, job)?.map(Arc::new))
        });
        let picked = bench.picked.unwrap_or_default();
        let shown = bench.shown().cloned();
        match (&mut bench.watch, shown) {
            (Some(watch), Some(shown)) => watch.keep_current(&shown, picked, jobs, ctx),
            (watch, None) => *watch = None,
            (None, Some(_)) => {}
        }
    }

    pub(super) fn watch_search(&mut self, asked: WatchAsk) {
        let bench = &mut self.state.navigation.bench;
        match (asked, bench.shown()) {
            (WatchAsk::Close, _) => bench.watch = None,
            (WatchAsk::Open, Some(shown)) => {
                let picked = bench.picked.unwrap_or_default();
                bench.watch = Some(SearchWatch::new(Arc::clone(shown), picked));
            }
            (asked, _) => {
                if let Some(watch) = &mut bench.watch {
                    watch.ask(asked);
                }
            }
        }
    }
}
