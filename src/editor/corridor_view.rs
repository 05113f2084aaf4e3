//! The corridor map while one draws: built beside the window when somebody wants to see it.

use super::Editor;
use super::navigation::effort_for;
use super::notice::Notice;
use super::shared_commons::SharedCommons;
use super::work::{Display, TaskId};
use crate::document::Level;
use crate::jobs::{Cancelled, JobContext, JobError};
use crate::nav::Commons;
use crate::nav::commons::Corridors;
use crate::nav::corridor::{CorridorError, Pinch};
use crate::nav::stages::ObstacleKey;
use crate::nav::trapezoid::Effort;
use crate::preview::Layer;
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A corridor map and its narrow places.
#[derive(Clone, Debug)]
pub struct Charted {
    /// The newest state that it is known to be the map of.
    level: Arc<Level>,
    commons: Arc<Commons>,
    /// Narrowest first.
    pub pinches: Arc<Vec<Pinch>>,
    /// The largest clearance of any place. Unit: metres.
    pub widest: f64,
    pub made_at: Instant,
}

/// What comes of charting, unless it is cancelled.
type Outcome = Result<Charted, CorridorError>;

impl Charted {
    /// Builds the map of a state of the level, if nobody has; what was charted `before` is taken
    /// over where it is the same map.
    fn of(
        state: &SharedCommons,
        before: Option<&Self>,
        ctx: &JobContext,
    ) -> Result<Outcome, Cancelled> {
        let level = Arc::clone(state.level());
        let commons = Arc::clone(state.get());
        commons.prepare_corridors(ctx, &mut Vec::new())?;
        let map = match commons.corridors() {
            Ok(corridors) => &corridors.map,
            Err(error) => return Ok(Err(error.clone())),
        };
        let same = before.filter(|before| is_same_map(&before.commons, &commons));
        let (pinches, widest) = match same {
            Some(same) => (Arc::clone(&same.pinches), same.widest),
            None => {
                let widths = map.samples().iter().map(|s| s.clearance);
                let widest = widths.fold(0.0, f64::max);
                (Arc::new(map.pinch_points()), widest)
            }
        };
        Ok(Ok(Self {
            level,
            commons,
            pinches,
            widest,
            made_at: Instant::now(),
        }))
    }

    /// What was charted.
    #[must_use]
    pub fn corridors(&self) -> Option<&Corridors> {
        self.commons.built_corridors()
    }

    #[must_use]
    pub const fn commons(&self) -> &Arc<Commons> {
        &self.commons
    }

    /// Whether it is the map of that state.
    #[must_use]
    pub fn is_of(&self, level: &Arc<Level>) -> bool {
        Arc::ptr_eq(&self.level, level)
    }
}

/// Whether both states of the level have the very same map.
#[must_use]
pub fn is_same_map(a: &Commons, b: &Commons) -> bool {
    let at = |commons: &Commons| commons.built_corridors().map(std::ptr::from_ref);
    at(a).is_some() && at(a) == at(b)
}

#[derive(Debug)]
struct Running {
    task: TaskId,
    level: Arc<Level>,
    since: Instant,
}

/// What is shown of corridor maps.
#[derive(Debug, Default)]
pub struct CorridorView {
    charted: Option<Charted>,
    running: Option<Running>,
    /// A state whose map could not be made, and why; nobody is told the same twice.
    declined: Option<(Arc<Level>, String)>,
    /// A panel needs the map in this frame.
    pub wanted: Cell<bool>,
    /// The size of the body that the axis is shown for; by clearance, if none.
    pub body: Option<f64>,
    /// The narrow place picked out.
    pub pinch: Option<Pinch>,
}

impl CorridorView {
    /// Void for another level; the body stays.
    pub(super) fn forget(&mut self) {
        *self = Self {
            body: self.body,
            ..Self::default()
        };
    }

    /// The last map, which may be of an older state.
    #[must_use]
    pub const fn charted(&self) -> Option<&Charted> {
        self.charted.as_ref()
    }

    #[must_use]
    pub const fn is_charting(&self) -> bool {
        self.running.is_some()
    }

    /// How long that state has been charted for, if it is.
    pub(super) fn charting_for(&self, level: &Arc<Level>) -> Option<Duration> {
        let running = self.running.as_ref();
        let running = running.filter(|running| Arc::ptr_eq(&running.level, level));
        running.map(|running| running.since.elapsed())
    }
}

const LAYERS: [Layer; 3] = [Layer::MedialAxis, Layer::Spokes, Layer::Corridors];

impl Editor {
    /// Builds the map of the level as it is, if it is wanted and not there: beside the bake, which
    /// shares it.
    pub(super) fn keep_corridors_current(&mut self, ctx: &egui::Context) {
        let document = self.state.document();
        let level = Arc::clone(document.level());
        let effort = effort_for(document);
        let navigation = &mut self.state.navigation;
        let view = &mut navigation.corridors;
        let by_layer = navigation.visible
            && LAYERS
                .iter()
                .any(|layer| navigation.layers.contains(*layer));
        let is_wanted = view.wanted.take() || by_layer;
        let is_done = view.charted.as_ref().is_some_and(|map| map.is_of(&level));
        let is_declined = |(declined, _): &(Arc<Level>, _)| Arc::ptr_eq(declined, &level);
        if !is_wanted || is_done || view.declined.as_ref().is_some_and(is_declined) {
            return;
        }
        let mut outdated = None;
        if let Some(running) = &view.running {
            // Under a drag every state is gone in a moment: a map that is one behind is better
            // than none.
            if effort == Effort::Live || Arc::ptr_eq(&running.level, &level) {
                return;
            }
            // What is let go of mostly is what is being charted already: both wait for one map.
            let under_way = ObstacleKey::of(&running.level);
            let is_same = under_way.agrees_with(&ObstacleKey::of(&level));
            outdated = (!is_same).then_some(running.task);
        }
        let before = view.charted.clone();
        let commons = navigation.commons_of(&level, effort);
        if let Some(task) = outdated {
            self.work.cancel(task);
        }
        let asked = Arc::clone(&level);
        let task = self.work.start(
            ctx,
            "Corridor map",
            Display::Quiet,
            move |job| Charted::of(&commons, before.as_ref(), job),
            move |editor, outcome| editor.take_charted(&asked, outcome),
        );
        let since = Instant::now();
        self.state.navigation.corridors.running = Some(Running { task, level, since });
    }

    fn take_charted(
        &mut self,
        asked: &Arc<Level>,
        outcome: Result<Result<Outcome, Cancelled>, JobError>,
    ) {
        let view = &mut self.state.navigation.corridors;
        // Another level may have been opened, or a newer state may be on its way.
        let ours = view
            .running
            .take_if(|running| Arc::ptr_eq(&running.level, asked));
        if ours.is_none() {
            return;
        }
        let trouble = match outcome {
            Ok(Ok(Ok(charted))) => {
                view.pinch = view.pinch.filter(|pinch| {
                    charted
                        .pinches
                        .iter()
                        .any(|other| other.sample.point == pinch.sample.point)
                });
                view.charted = Some(charted);
                view.declined = None;
                return;
            }
            Ok(Ok(Err(error))) => Notice::warning(format!("There is no corridor map: {error}.")),
            Ok(Err(Cancelled)) => return,
            Err(error) => Notice::error(format!("The corridor map could not be made: {error}.")),
        };
        let told = view
            .declined
            .replace((Arc::clone(asked), trouble.text.clone()));
        if told.is_none_or(|(_, before)| before != trouble.text) {
            self.state.notify(trouble);
        }
    }
}
