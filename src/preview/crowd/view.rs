//! How people at a moment are shown: what their colours stand for, who is picked out, where they have been.

use super::colouring::{ColourBy, Entry};
use crate::document::Level;
use crate::preview::style::Palette;
use crate::sim::world::AgentIndex;
use crate::sim::{Acting, Moment, Walked};
use glam::DVec3;
use std::sync::Arc;

/// Where one has been: from the oldest place to the newest.
pub type Trail = (AgentIndex, Vec<DVec3>);

#[derive(Clone, Debug, Default)]
pub struct CrowdView {
    pub by: ColourBy,
    /// For colours by delay.
    pub walked: Option<Arc<Walked>>,
    pub trails: Option<Arc<Vec<Trail>>>,
    /// Another run on the same clock, as hollow figures.
    pub ghost: Option<Arc<Moment>>,
    pub picked: Option<Picked>,
}

/// The one that is looked at.
#[derive(Clone, Debug)]
pub struct Picked {
    pub index: AgentIndex,
    /// Its whole trajectory: places with the times at which they are passed. Unit: seconds.
    pub trajectory: Arc<Vec<(f64, DVec3)>>,
    /// Where it means to go.
    pub plan: Vec<DVec3>,
    /// What draws and pushes it at the moment.
    pub acting: Option<Acting>,
}

impl Picked {
    /// Where it has been until a time.
    pub fn past(&self, time: f64) -> impl Iterator<Item = DVec3> + '_ {
        let until = self.trajectory.partition_point(|(at, _)| *at <= time);
        self.trajectory[..until].iter().map(|(_, place)| *place)
    }
}

impl CrowdView {
    /// What the colours stand for, where they are not the profiles'.
    #[must_use]
    pub fn legend(&self, moment: Option<&Moment>, level: &Level, palette: &Palette) -> Vec<Entry> {
        let of = |moment| self.by.legend(moment, level, palette);
        moment.map_or_else(Vec::new, of)
    }

    /// Whether what is drawn from both is alike.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        fn same<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
            a.map(Arc::as_ptr) == b.map(Arc::as_ptr)
        }
        let picked = |view: &Self| {
            let picked = view.picked.as_ref()?;
            let trajectory = Arc::as_ptr(&picked.trajectory);
            Some((picked.index, trajectory, picked.plan.len(), picked.acting))
        };
        self.by == other.by
            && same(self.walked.as_ref(), other.walked.as_ref())
            && same(self.trails.as_ref(), other.trails.as_ref())
            && same(self.ghost.as_ref(), other.ghost.as_ref())
            && picked(self) == picked(other)
    }
}
