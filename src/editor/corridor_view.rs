//! The corridor map while one draws: made in the background while it is shown or a panel reads it.

use super::Editor;
use super::baking::quality_for;
use super::notice::Notice;
use crate::document::Level;
use crate::jobs::{Display, JobContext, JobRunner, Memo, MemoError, Settled, Stopped, Superseded};
use crate::nav::corridor::Pinch;
use crate::nav::{BakeQuality, Corridors, NavBundle, Needs, SharedNav};
use crate::preview::overlays::Inputs;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

/// The bundle whose map it is; bundles with the very same map are equal.
#[derive(Clone, Debug)]
struct MapOf(NavBundle);

impl PartialEq for MapOf {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.0.shared(), other.0.shared());
        a.same_parts(b, Needs::CORRIDORS)
    }
}

/// A corridor map and its narrow places.
#[derive(Clone, Debug)]
pub struct CorridorState {
    shared: Arc<SharedNav>,
    /// Narrowest first.
    pub pinches: Arc<Vec<Pinch>>,
    /// The largest clearance of any place. Unit: metres.
    pub widest: f64,
    pub made_at: Instant,
}

impl CorridorState {
    /// Builds the map of a bundle, unless the bake has.
    fn of(bundle: &NavBundle, ctx: &JobContext) -> Result<Self, Stopped> {
        bundle.prepare(Needs::CORRIDORS, ctx)?;
        let map = match bundle.corridors() {
            Ok(corridors) => &corridors.map,
            Err(error) => return Err(Stopped::Failed(error.to_string())),
        };
        let widths = map.samples().iter().map(|s| s.clearance);
        Ok(Self {
            shared: Arc::clone(bundle.shared()),
            pinches: Arc::new(map.pinch_points()),
            widest: widths.fold(0.0, f64::max),
            made_at: Instant::now(),
        })
    }

    /// The map itself.
    #[must_use]
    pub fn corridors(&self) -> Option<&Corridors> {
        self.shared.built_corridors()
    }

    #[must_use]
    pub const fn shared(&self) -> &Arc<SharedNav> {
        &self.shared
    }
}

/// Whether both states of the level have the very same map.
#[must_use]
pub fn is_same_map(a: &SharedNav, b: &SharedNav) -> bool {
    let at = |shared: &SharedNav| shared.built_corridors().map(std::ptr::from_ref);
    at(a).is_some() && at(a) == at(b)
}

/// What a map means for a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyFit {
    /// Parts of the level that the body can move in.
    pub parts: u32,
    /// Narrow places that it does not fit through.
    pub closed: usize,
}

/// What is shown of corridor maps.
#[derive(Debug)]
pub struct CorridorView {
    map: Memo<MapOf, CorridorState>,
    /// For a body of this radius. Unit: metres.
    fit: Memo<(MapOf, f64), BodyFit>,
    /// What was last said about a map that could not be made; the same is not told twice.
    told: Option<String>,
    /// A panel needs the map in this frame.
    pub wanted: Cell<bool>,
    /// The map is shown, or a panel reads it.
    is_wanted: bool,
    /// The size of the body that the axis is shown for; by clearance, if none. Unit: metres.
    pub body: Option<f64>,
    /// The narrow place picked out.
    pub pinch: Option<Pinch>,
}

impl Default for CorridorView {
    fn default() -> Self {
        Self {
            map: Memo::new("Corridor map", Display::Quiet, Superseded::FINISH),
            // Under a drag of the slider, the numbers of a moment ago are better than none.
            fit: Memo::new("Fitting a body", Display::Quiet, Superseded::FINISH),
            told: None,
            wanted: Cell::new(false),
            is_wanted: false,
            body: None,
            pinch: None,
        }
    }
}

impl CorridorView {
    /// Void for another level; the body stays.
    pub(super) fn forget(&mut self) {
        *self = Self {
            body: self.body,
            ..Self::default()
        };
    }

    /// What the next bake is to build for the view.
    pub(super) const fn needs(&self) -> Needs {
        if self.is_wanted {
            Needs::CORRIDORS
        } else {
            Needs::NOTHING
        }
    }

    /// The last map, which may be of an older state.
    #[must_use]
    pub fn charted(&self) -> Option<&CorridorState> {
        self.map.value()
    }

    /// Whether that is the map of this state.
    #[must_use]
    pub fn is_of(&self, level: &Arc<Level>) -> bool {
        let key = self.map.key();
        key.is_some_and(|MapOf(bundle)| Arc::ptr_eq(bundle.level(), level))
    }

    #[must_use]
    pub const fn is_charting(&self) -> bool {
        self.map.is_running()
    }

    /// What the map means for the body; of a moment ago while that is found out.
    #[must_use]
    pub fn fit(&self) -> Option<BodyFit> {
        self.fit.value().copied().filter(|_| self.body.is_some())
    }

    fn keep_fit(&mut self, jobs: &JobRunner) {
        let (Some(key), Some(state), Some(radius)) = (self.map.key(), self.map.value(), self.body)
        else {
            self.fit.poll();
            return;
        };
        let state = state.clone();
        let key = (key.clone(), radius);
        self.fit.want(jobs, key, move |_| {
            let pinches = &state.pinches;
            let closed = pinches.partition_point(|pinch| pinch.width < 2.0 * radius);
            let map = state.corridors().map(|corridors| &corridors.map);
            let parts = map.map_or(0, |map| map.components(radius).count());
            Ok(BodyFit { parts, closed })
        });
    }
}

impl Editor {
    /// Builds the map of the newest bundle, if it is wanted and not there.
    pub(super) fn keep_corridors_current(&mut self) {
        let document = self.state.document();
        let quality = quality_for(document);
        let newest = self.state.navigation.bake.bundle_of(document.level());
        let navigation = &mut self.state.navigation;
        let view = &mut navigation.corridors;
        let is_read = navigation.visible && navigation.overlays.read(Inputs::CORRIDORS);
        view.is_wanted = view.wanted.take() || is_read;
        // Under a drag every state is gone in a moment; once it rests, the newest one counts.
        view.map.set_superseded(match quality {
            BakeQuality::Preview => Superseded::FINISH,
            BakeQuality::Full => Superseded::Cancel,
        });
        let jobs = self.work.jobs();
        let settled = match newest.filter(|_| view.is_wanted) {
            Some(bundle) => {
                let key = MapOf(bundle.clone());
                let build = move |job: &JobContext| CorridorState::of(&bundle, job);
                view.map.want(jobs, key, build)
            }
            None => view.map.poll(),
        };
        if view.is_wanted {
            view.keep_fit(jobs);
        }
        let trouble = match (settled, view.map.error()) {
            (Some(Settled::Value), _) => {
                let pinches = view.map.value().map(|state| &state.pinches);
                view.pinch = view.pinch.filter(|pinch| {
                    let is_there = |other: &Pinch| other.sample.point == pinch.sample.point;
                    pinches.is_some_and(|pinches| pinches.iter().any(is_there))
                });
                view.told = None;
                return;
            }
            (Some(Settled::Failed), Some(MemoError::Failed(error))) => {
                Notice::warning(format!("There is no corridor map: {error}."))
            }
            (Some(Settled::Failed), Some(MemoError::Job(error))) => {
                Notice::error(format!("The corridor map could not be made: {error}."))
            }
            _ => return,
        };
        let told = view.told.replace(trouble.text.clone());
        if told.is_none_or(|before| before != trouble.text) {
            self.state.notify(trouble);
        }
    }
}
