//! The corridor map while one draws: built beside the window when somebody wants to see it.

use super::Editor;
use super::notice::Notice;
use super::work::{Display, TaskId};
use crate::jobs::{Cancelled, JobError};
use crate::nav::Commons;
use crate::nav::commons::Corridors;
use crate::nav::corridor::Pinch;
use crate::preview::Layer;
use std::cell::Cell;
use std::sync::Arc;

/// A corridor map and its narrow places.
#[derive(Clone, Debug)]
pub struct Charted {
    commons: Arc<Commons>,
    /// Narrowest first.
    pub pinches: Arc<Vec<Pinch>>,
    /// The largest clearance of any place. Unit: metres.
    pub widest: f64,
}

impl Charted {
    /// Builds the map of a state of the level, if nobody has.
    fn of(commons: Arc<Commons>, ctx: &crate::jobs::JobContext) -> Result<Option<Self>, Cancelled> {
        commons.prepare_corridors(ctx, &mut Vec::new())?;
        let Some(corridors) = commons.built_corridors() else {
            return Ok(None);
        };
        let widths = corridors.map.samples().iter().map(|s| s.clearance);
        let widest = widths.fold(0.0, f64::max);
        let pinches = Arc::new(corridors.map.pinch_points());
        Ok(Some(Self {
            pinches,
            widest,
            commons,
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
}

/// Whether both states of the level have the very same map.
#[must_use]
pub fn is_same_map(a: &Commons, b: &Commons) -> bool {
    let at = |commons: &Commons| commons.built_corridors().map(std::ptr::from_ref);
    at(a).is_some() && at(a) == at(b)
}

/// What is shown of corridor maps.
#[derive(Debug, Default)]
pub struct CorridorView {
    charted: Option<Charted>,
    running: Option<(TaskId, Arc<Commons>)>,
    /// A state whose map could not be made, or whose job was cancelled.
    declined: Option<Arc<Commons>>,
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
}

const LAYERS: [Layer; 3] = [Layer::MedialAxis, Layer::Spokes, Layer::Corridors];

impl Editor {
    /// Builds the map of what was baked last, if it is wanted and not there.
    pub(super) fn keep_corridors_current(&mut self, ctx: &egui::Context) {
        let navigation = &mut self.state.navigation;
        let view = &mut navigation.corridors;
        let by_layer = navigation.visible
            && LAYERS
                .iter()
                .any(|layer| navigation.layers.contains(*layer));
        let wanted = view.wanted.take() || by_layer;
        let Some(baked) = navigation.baked.as_ref().filter(|_| wanted) else {
            return;
        };
        let commons = baked.bundle.commons();
        let is_current = |charted: &Charted| {
            Arc::ptr_eq(&charted.commons, commons) || is_same_map(&charted.commons, commons)
        };
        if view.charted.as_ref().is_some_and(is_current) || view.running.is_some() {
            return;
        }
        let declined = view.declined.as_ref();
        if declined.is_some_and(|declined| declined.has_same_obstacles(commons)) {
            return;
        }
        let asked = Arc::clone(commons);
        let on = Arc::clone(commons);
        let held = Arc::clone(commons);
        let task = self.work.start(
            ctx,
            "Corridor map",
            Display::Quiet,
            move |job| Charted::of(asked, job),
            move |editor, outcome| editor.take_charted(&on, outcome),
        );
        self.state.navigation.corridors.running = Some((task, held));
    }

    fn take_charted(
        &mut self,
        asked: &Arc<Commons>,
        outcome: Result<Result<Option<Charted>, Cancelled>, JobError>,
    ) {
        let view = &mut self.state.navigation.corridors;
        // Another level may have been opened.
        let ours = view.running.take_if(|(_, on)| Arc::ptr_eq(on, asked));
        if ours.is_none() {
            return;
        }
        match outcome {
            Ok(Ok(Some(charted))) => {
                view.pinch = view.pinch.filter(|pinch| {
                    charted
                        .pinches
                        .iter()
                        .any(|other| other.sample.point == pinch.sample.point)
                });
                view.charted = Some(charted);
            }
            Ok(Ok(None)) => {
                view.declined = Some(Arc::clone(asked));
                let why = match asked.corridors() {
                    Err(error) => error.to_string(),
                    Ok(_) => "it is empty".to_owned(),
                };
                self.state
                    .notify(Notice::warning(format!("There is no corridor map: {why}.")));
            }
            Ok(Err(Cancelled)) => view.declined = Some(Arc::clone(asked)),
            Err(error) => {
                view.declined = Some(Arc::clone(asked));
                self.state.notify(Notice::error(format!(
                    "The corridor map could not be made: {error}."
                )));
            }
        }
    }
}
