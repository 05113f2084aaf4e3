//! The bake while one draws: kept current in the background, the last result in sight.
//!
//! Never part of history. A drag in progress is baked as it is previewed, so that paths follow the
//! pointer; one bake runs at a time, always of the newest state.

use super::Editor;
use super::newest_bundle::NewestBundle;
use super::notice::Notice;
use crate::base::ByAddress;
use crate::document::{Document, Level};
use crate::jobs::{Display, JobId, JobRunner, Memo, Settled, Superseded, drop_in_background};
use crate::nav::constraint::Situation;
use crate::nav::voxel::VoxelOptions;
use crate::nav::{BakeQuality, BakeRequest, NavBundle, Needs};
use crate::planner::missions;
use crate::planner::{PlannedLevel, Slopes};
use glam::DVec2;
use std::sync::Arc;
use std::time::Duration;

/// What is out of date for less than this is not marked: it would only flicker under a drag.
const STALE_AFTER: Duration = Duration::from_millis(300);
/// A bake that has run this long on a state that is gone is given up for the new one.
const GIVE_UP_AFTER: Duration = Duration::from_millis(1500);

/// What the status bar says of the bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Of the level as it is.
    Fresh,
    /// A newer state is being baked.
    Building,
    /// Out of date, and nothing is on the way: it was cancelled, or failed.
    Stale,
}

/// What is baked, and how.
#[derive(Clone, Debug)]
struct BakeKey {
    level: ByAddress<Level>,
    quality: BakeQuality,
    /// How paths shall go on uneven ground.
    slopes: Slopes,
    /// The moment for which agents are planned.
    situation: Situation,
    voxels: Arc<VoxelOptions>,
}

impl PartialEq for BakeKey {
    fn eq(&self, other: &Self) -> bool {
        self.quality == other.quality && self.differs_in_quality_only(other)
    }
}

impl BakeKey {
    fn of(baked: &PlannedLevel) -> Self {
        Self {
            level: ByAddress::of(&baked.level),
            quality: baked.quality,
            slopes: baked.slopes,
            situation: baked.situation.clone(),
            voxels: Arc::clone(&baked.bundle.shared().options().voxels),
        }
    }

    fn differs_in_quality_only(&self, other: &Self) -> bool {
        self.level == other.level
            && self.slopes == other.slopes
            && self.situation == other.situation
            && self.voxels.agrees_with(&other.voxels)
    }

    /// Whether what is baked for this key will do for the other: a full bake is a preview as well.
    fn serves(&self, other: &Self) -> bool {
        self.quality >= other.quality && self.differs_in_quality_only(other)
    }
}

#[derive(Debug)]
pub(super) struct Bake {
    planned: Memo<BakeKey, Arc<PlannedLevel>>,
    /// The last full bake: a drag that is given up leads back to it.
    settled: Option<Arc<PlannedLevel>>,
    /// What was baked last, whether agents are planned on it yet or not.
    newest: NewestBundle,
}

impl Default for Bake {
    fn default() -> Self {
        Self {
            // The chip in the status bar shows its progress.
            planned: Memo::new("Baking navigation", Display::Quiet, Superseded::FINISH),
            settled: None,
            newest: NewestBundle::default(),
        }
    }
}

impl Drop for Bake {
    fn drop(&mut self) {
        drop_in_background((self.settled.take(), self.newest.take()));
    }
}

impl Bake {
    /// The last result, which may be of an older state.
    pub(super) fn last(&self) -> Option<&Arc<PlannedLevel>> {
        self.planned.value()
    }

    /// What was baked of a state, or else what was baked last.
    pub(super) fn of(&self, level: &Arc<Level>) -> Option<&Arc<PlannedLevel>> {
        let settled = self.settled.as_ref();
        settled
            .filter(|settled| Arc::ptr_eq(&settled.level, level))
            .or_else(|| self.last())
    }

    /// Navigation data of a state, or else what was baked last, whether agents are planned on it
    /// yet or not.
    pub(super) fn bundle_of(&self, level: &Arc<Level>) -> Option<NavBundle> {
        let newest = self.newest.get();
        let planned = [self.settled.as_ref(), self.last()].into_iter().flatten();
        let known = planned.map(|planned| planned.bundle.clone());
        let mut all = newest.iter().cloned().chain(known);
        all.find(|bundle| Arc::ptr_eq(bundle.level(), level))
            .or(newest)
    }

    pub(super) fn freshness(&self, document: &Document) -> Freshness {
        let is_for = |key: &BakeKey| Arc::ptr_eq(&key.level, document.level());
        let is_enough =
            |key: &BakeKey| key.quality == BakeQuality::Full || document.in_transaction();
        match self.planned.key() {
            Some(key) if is_for(key) && is_enough(key) && self.planned.is_fresh() => {
                Freshness::Fresh
            }
            _ if self.planned.has_ended() && self.planned.wanted().is_some_and(is_for) => {
                Freshness::Stale
            }
            _ => Freshness::Building,
        }
    }

    /// What is shown has been out of date for so long that it must be marked.
    pub(super) fn is_stale(&self) -> bool {
        self.planned
            .stale_since()
            .is_some_and(|since| since.elapsed() > STALE_AFTER)
    }

    /// The bake that is under way.
    pub(super) fn job(&self) -> Option<JobId> {
        self.planned.job()
    }

    /// Bakes from scratch although nothing changed.
    pub(super) fn force(&mut self) {
        self.planned.force();
    }

    /// A bake that is known already.
    pub(super) fn set(&mut self, baked: Arc<PlannedLevel>) {
        if baked.quality == BakeQuality::Full
            && let Some(old) = self.settled.replace(Arc::clone(&baked))
        {
            drop_in_background(old);
        }
        self.planned.set(BakeKey::of(&baked), baked);
    }

    /// Takes the last result out.
    pub(super) fn take(&mut self) -> Option<Arc<PlannedLevel>> {
        self.settled = None;
        self.planned.take()
    }

    /// Bakes the state of a key, and what views need beside, unless that is done or under way.
    fn want(
        &mut self,
        mut key: BakeKey,
        needs: Needs,
        jobs: &JobRunner,
        ctx: &egui::Context,
    ) -> Option<Settled> {
        let mut settled = self.planned.poll();
        let known = [self.planned.key(), self.planned.running_key()];
        if let Some(known) = known.into_iter().flatten().find(|known| known.serves(&key)) {
            key.quality = known.quality;
        }
        let is_forced = self.planned.is_forced();
        if let Some(full) = self.settled.as_ref().filter(|_| !is_forced)
            && BakeKey::of(full).serves(&key)
            && !self.planned.is_of(&BakeKey::of(full))
        {
            // A drag was given up, or an edit taken back.
            key = BakeKey::of(full);
            self.planned.set(key.clone(), Arc::clone(full));
            settled = Some(Settled::Value);
        }
        self.planned.set_superseded(match key.quality {
            BakeQuality::Preview => Superseded::FINISH,
            BakeQuality::Full => Superseded::FinishWithin(GIVE_UP_AFTER),
        });
        let before = self.last().filter(|_| !is_forced).cloned();
        let earlier = self.bundle_of(&key.level).filter(|_| !is_forced);
        let (asked, newest, wake) = (key.clone(), self.newest.clone(), ctx.clone());
        let newly = self.planned.want(jobs, key, move |job| {
            let usual = missions::bake_request(Arc::clone(&asked.level));
            let request = BakeRequest {
                options: asked.voxels.into(),
                quality: asked.quality,
                needs: usual.needs | needs,
                before: earlier.as_ref(),
                ..usual
            };
            let bundle = NavBundle::bake(request, job)?;
            newest.publish(&bundle);
            wake.request_repaint();
            let planned = PlannedLevel::plan_in(
                asked.situation,
                bundle,
                before.as_deref(),
                asked.slopes,
                job,
            )?;
            if asked.quality == BakeQuality::Full {
                // What the probe under the pointer looks up, and must not make in a frame.
                for space in planned.bundle.spaces() {
                    let _ = space.merged.locate(DVec2::ZERO);
                    let _ = space.free.clearance(DVec2::ZERO);
                }
            }
            Ok(Arc::new(planned))
        });
        let settled = newly.or(settled);
        if settled == Some(Settled::Value)
            && let Some(baked) = self.last().filter(|b| b.quality == BakeQuality::Full)
        {
            let baked = Arc::clone(baked);
            if let Some(old) = self.settled.replace(baked) {
                drop_in_background(old);
            }
        }
        if let Some(since) = self.planned.stale_since() {
            // Painted once more when it has to be marked.
            let left = STALE_AFTER.saturating_sub(since.elapsed());
            if !left.is_zero() {
                ctx.request_repaint_after(left + Duration::from_millis(20));
            }
        }
        settled
    }
}

/// While something is dragged, less will do.
pub(super) fn quality_for(document: &Document) -> BakeQuality {
    if document.in_transaction() {
        BakeQuality::Preview
    } else {
        BakeQuality::Full
    }
}

impl Editor {
    /// Bakes the newest state, unless that is done or under way.
    pub(super) fn keep_baked(&mut self, ctx: &egui::Context) {
        let document = self.state.document();
        let is_dragging = document.in_transaction();
        let key = BakeKey {
            level: ByAddress::of(document.level()),
            quality: quality_for(document),
            slopes: self.state.preferences.slopes,
            situation: self.state.situation.of(document.level()),
            voxels: Arc::clone(&self.state.navigation.voxels.options),
        };
        let navigation = &mut self.state.navigation;
        let needs = navigation.corridors.needs();
        let settled = navigation.bake.want(key, needs, self.work.jobs(), ctx);
        match settled {
            // Problems that come and go under the hand tell nothing.
            Some(Settled::Value) if !is_dragging => self.state.gather_problems(),
            Some(Settled::Failed) => {
                let error = navigation.bake.planned.error().map(ToString::to_string);
                let error = error.unwrap_or_default();
                let notice = Notice::error(format!("Navigation could not be baked: {error}."));
                self.state.notify(notice);
            }
            Some(Settled::Value | Settled::Declined) | None => {}
        }
        if settled.is_some() {
            ctx.request_repaint();
        }
    }
}
