//! Voxels while one draws: surveyed, drawn and asked about in the background. Never part of history.
//!
//! One job at a time makes all that is wanted; what did not change since the last one is taken over.
//! Until the new picture is there, the old one stays.

use super::notice::Notice;
use super::{Editor, EditorState};
use crate::base::ByAddress;
use crate::interaction::ToolKind;
use crate::jobs::{Cancelled, Display, JobContext, Memo, MemoError, Settled, Stopped, Superseded};
use crate::nav::Needs;
use crate::nav::voxel::{Storey, VoxelOptions};
use crate::planner::PlannedLevel;
use crate::planner::human::{CellAnswer, Subject, VoxelReport};
use crate::preview::overlays::Inputs;
use crate::preview::voxel::{CellLayer, CellView, PlanPart, SpacePart, plan_parts, space_parts};
use crate::preview::{Look, OverlayId};
use glam::{DVec2, DVec3};
use std::cell::Cell;
use std::sync::Arc;

/// Levels of the front a second, at first.
const FRONT_SPEED: f64 = 30.0;
/// Longer frames do not count in full. Unit: seconds.
const LONGEST_FRAME: f64 = 0.25;

/// What the pointer is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// On the plan: of the storey that is shown.
    Plan(DVec2),
    Space(DVec3),
}

/// How far the navigation front has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontHead {
    /// Levels that are shown; all, if none.
    pub level: Option<f64>,
    pub is_playing: bool,
    /// Unit: levels a second.
    pub speed: f64,
}

impl Default for FrontHead {
    fn default() -> Self {
        Self {
            level: None,
            is_playing: false,
            speed: FRONT_SPEED,
        }
    }
}

/// What a panel asks of the front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayFront {
    Toggle,
    Step(i32),
    /// So many levels; all, if none.
    Seek(Option<u32>),
    Speed(f64),
}

/// What panels ask about voxels.
#[derive(Clone, Debug, PartialEq)]
pub enum VoxelAsk {
    Storey(Option<usize>),
    Front(PlayFront),
    /// Lets go of what was clicked.
    Unpin,
}

/// What is shown of voxels.
#[derive(Debug)]
pub struct VoxelView {
    /// A panel needs the survey in this frame.
    pub wanted: Cell<bool>,
    /// The plan was drawn in this frame: in this look, around this origin.
    pub plan: Cell<Option<(Look, DVec2)>>,
    /// Of the 3D view.
    pub space: Cell<Option<(Look, DVec3)>>,
    /// Only this storey, from the bottom.
    pub storey: Option<usize>,
    pub front: FrontHead,
    /// What the pointer is over, and what was clicked, while one asks why not.
    pub hovered: Option<Place>,
    pub pinned: Option<Place>,
    /// What the designer chose about cells.
    pub options: Arc<VoxelOptions>,
    shown: Memo<Arc<Wanted>, Arc<Shown>>,
    /// When time was last let pass, by the window's clock.
    at: Option<f64>,
}

impl Default for VoxelView {
    fn default() -> Self {
        Self {
            wanted: Cell::new(false),
            plan: Cell::new(None),
            space: Cell::new(None),
            storey: None,
            front: FrontHead::default(),
            hovered: None,
            pinned: None,
            options: Arc::default(),
            // What the pointer is over changes all the time.
            shown: Memo::new("Surveying cells", Display::Shown, Superseded::FINISH),
            at: None,
        }
    }
}

/// What a picture is made from.
#[derive(Clone, Debug, PartialEq)]
struct Wanted {
    baked: ByAddress<PlannedLevel>,
    subject: Subject,
    layers: Vec<CellLayer>,
    storey: Option<usize>,
    plan: Option<(Look, DVec2)>,
    space: Option<(Look, DVec3)>,
    asked: [Option<Place>; 2],
}

/// One body's survey, drawn.
#[derive(Debug)]
pub struct Shown {
    wanted: Arc<Wanted>,
    pub chart: VoxelReport,
    /// What is drawn on the plan, and around which origin.
    pub plan: Arc<Vec<PlanPart>>,
    pub space: Arc<Vec<SpacePart>>,
    /// About what is under the pointer, and about what was clicked.
    pub answers: [Option<CellAnswer>; 2],
}

impl Shown {
    #[must_use]
    pub fn view(&self) -> CellView<'_> {
        CellView {
            reachability: &self.chart.reachability,
            storey: self.storey(),
            against: self.chart.against.as_deref(),
        }
    }

    #[must_use]
    pub fn storey(&self) -> Storey {
        self.chart.storey(self.wanted.storey)
    }

    /// The look and the origin of what is drawn on the plan.
    #[must_use]
    pub fn plan_of(&self) -> Option<(Look, DVec2)> {
        self.wanted.plan
    }

    #[must_use]
    pub fn space_of(&self) -> Option<(Look, DVec3)> {
        self.wanted.space
    }

    #[must_use]
    pub fn layers(&self) -> &[CellLayer] {
        &self.wanted.layers
    }

    /// How many levels the front has.
    #[must_use]
    pub fn levels(&self) -> u32 {
        let front = self.chart.reachability.front();
        front.map_or(0, |front| front.level_count() as u32)
    }

    fn of(wanted: Arc<Wanted>, before: Option<&Self>, ctx: &JobContext) -> Result<Self, Stopped> {
        let bundle = &wanted.baked.bundle;
        bundle.prepare(Needs::VOXELS, ctx)?;
        let voxels = bundle.built_voxels();
        let known = before.filter(|before| {
            let same = |voxels| Arc::ptr_eq(voxels, &before.chart.reachability.voxels);
            voxels.is_some_and(same) && before.chart.subject.agrees_with(&wanted.subject)
        });
        let mut chart = match known {
            Some(known) => VoxelReport {
                subject: wanted.subject.clone(),
                ..known.chart.clone()
            },
            None => match VoxelReport::of(bundle, wanted.subject.clone(), ctx)? {
                Ok(chart) => chart,
                Err(error) => return Err(Stopped::Failed(error.to_string())),
            },
        };
        // Free space may be another one while cells are the same.
        let same_bake = known.filter(|k| k.wanted.baked == wanted.baked);
        if same_bake.is_none() || chart.against.is_none() {
            chart.against = None;
            if wanted.layers.contains(&CellLayer::Lost) {
                chart = chart.with_exact(&wanted.baked.bundle, ctx)?;
            }
        }
        let same_picture = known.filter(|known| {
            let same_exact = known.chart.against.as_ref().map(Arc::as_ptr)
                == chart.against.as_ref().map(Arc::as_ptr);
            same_exact
                && known.wanted.layers == wanted.layers
                && known.wanted.storey == wanted.storey
        });
        let view = CellView {
            reachability: &chart.reachability,
            storey: chart.storey(wanted.storey),
            against: chart.against.as_deref(),
        };
        ctx.stage("Cells");
        let plan = match (same_picture, wanted.plan) {
            (Some(known), plan) if known.wanted.plan == plan => Arc::clone(&known.plan),
            (_, Some((look, origin))) => {
                Arc::new(plan_parts(&view, &wanted.layers, look, origin, ctx)?)
            }
            (_, None) => Arc::default(),
        };
        let space = match (same_picture, wanted.space) {
            (Some(known), space) if known.wanted.space == space => Arc::clone(&known.space),
            (_, Some((look, origin))) => {
                let palette = look.palette();
                Arc::new(space_parts(&view, &wanted.layers, palette, origin, ctx)?)
            }
            (_, None) => Arc::default(),
        };
        let mut answers = [None, None];
        for (at, asked) in wanted.asked.iter().enumerate() {
            ctx.checkpoint()?;
            let Some(place) = asked else {
                continue;
            };
            let earlier = known.and_then(|known| {
                let asked = known.wanted.asked.iter().position(|other| other == asked)?;
                let same = known.wanted.storey == wanted.storey;
                known.answers[asked].clone().filter(|_| same)
            });
            answers[at] = match earlier {
                Some(earlier) => Some(earlier),
                None => Some(answer(&chart, &view, *place, &wanted.baked, ctx)?),
            };
        }
        Ok(Self {
            chart,
            plan,
            space,
            answers,
            wanted,
        })
    }
}

fn answer(
    chart: &VoxelReport,
    view: &CellView<'_>,
    place: Place,
    baked: &PlannedLevel,
    ctx: &JobContext,
) -> Result<CellAnswer, Cancelled> {
    let label = |id| baked.level.label(id);
    let reachability = &chart.reachability;
    match place {
        Place::Plan(p) => match reachability.pointed_at(p, &view.storey) {
            Some(id) => reachability.about(id, label, ctx),
            None => reachability.about_place(p.extend(view.storey.floor), label, ctx),
        },
        Place::Space(p) => reachability.about_place(p, label, ctx),
    }
}

impl VoxelView {
    /// Void for another level; what was chosen stays.
    pub(super) fn forget(&mut self) {
        *self = Self {
            front: FrontHead {
                level: None,
                is_playing: false,
                ..self.front
            },
            // The next level has meshes of its own.
            options: Arc::new(VoxelOptions {
                meshes: Arc::default(),
                ..VoxelOptions::clone(&self.options)
            }),
            ..Self::default()
        };
    }

    /// The last picture, which may be of an older state.
    #[must_use]
    pub fn shown(&self) -> Option<&Arc<Shown>> {
        self.shown.value()
    }

    #[must_use]
    pub const fn is_working(&self) -> bool {
        self.shown.is_running()
    }

    /// Why there is nothing to show, where that is known.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.shown.error().map(ToString::to_string)
    }

    /// Levels of the front that are shown.
    #[must_use]
    pub fn front_levels(&self) -> u32 {
        let all = self.shown().map_or(0, |shown| shown.levels());
        self.front
            .level
            .map_or(all, |level| (level as u32).min(all))
    }

    fn play(&mut self, asked: PlayFront) {
        let all = self.shown().map_or(0, |shown| shown.levels());
        let here = self.front_levels();
        let head = &mut self.front;
        match asked {
            PlayFront::Toggle => {
                head.is_playing = !head.is_playing;
                if head.is_playing && here >= all {
                    head.level = Some(0.0);
                } else if head.is_playing {
                    head.level = Some(f64::from(here));
                }
            }
            PlayFront::Step(by) => {
                head.is_playing = false;
                head.level = Some(f64::from(here.saturating_add_signed(by).min(all)));
            }
            PlayFront::Seek(level) => {
                head.is_playing = false;
                head.level = level.map(f64::from);
            }
            PlayFront::Speed(speed) => head.speed = speed.clamp(1.0, 2000.0),
        }
    }
}

impl EditorState {
    /// A view has the pointer over a place, or was clicked there, while one asks why not.
    pub(super) fn point_at_cell(&mut self, place: Option<Place>, is_clicked: bool) {
        if self.toolbox.current() != ToolKind::WhyNot {
            return;
        }
        let view = &mut self.navigation.voxels;
        view.hovered = place;
        if is_clicked {
            view.pinned = place;
        }
    }
}

impl Editor {
    pub(super) fn play_front(&mut self, ctx: &egui::Context, asked: PlayFront) {
        let navigation = &mut self.state.navigation;
        navigation.voxels.play(asked);
        // Playing it shows it.
        navigation.overlays.set(OverlayId::FRONT, true);
        navigation.visible = true;
        ctx.request_repaint();
    }

    pub(super) fn ask_of_voxels(&mut self, ctx: &egui::Context, asked: VoxelAsk) {
        let view = &mut self.state.navigation.voxels;
        match asked {
            VoxelAsk::Storey(storey) => {
                view.storey = storey;
                // What lies above is cut away in space as well.
                let shown = view.shown();
                let high = shown.map(|shown| shown.chart.storey(storey).high);
                self.state.space.section = high.filter(|high| high.is_finite());
            }
            VoxelAsk::Front(play) => self.play_front(ctx, play),
            VoxelAsk::Unpin => view.pinned = None,
        }
    }

    /// Lets the front spread, and keeps survey and picture those of the last bake.
    pub(super) fn keep_voxels_current(&mut self, ctx: &egui::Context) {
        let asks = self.state.toolbox.current() == ToolKind::WhyNot;
        let selection = self.state.document().selection().clone();
        let navigation = &mut self.state.navigation;
        let view = &mut navigation.voxels;
        if !asks {
            (view.hovered, view.pinned) = (None, None);
        }
        let now = ctx.input(|input| input.time);
        let passed = view.at.replace(now).map_or(0.0, |before| now - before);
        if view.front.is_playing {
            let all = view.shown().map_or(0.0, |shown| f64::from(shown.levels()));
            let before = view.front.level.unwrap_or(0.0);
            let level = before + passed.min(LONGEST_FRAME) * view.front.speed;
            view.front.is_playing = level < all;
            view.front.level = Some(level.min(all));
            ctx.request_repaint();
        }
        let (layers, is_read) = if navigation.visible {
            let overlays = &navigation.overlays;
            (overlays.cells(), overlays.read(Inputs::VOXELS))
        } else {
            (Vec::new(), false)
        };
        let (plan, space) = (view.plan.take(), view.space.take());
        let is_wanted = view.wanted.take() || asks || is_read;
        let newest = navigation.bake.last().cloned();
        let Some(baked) = newest.filter(|_| is_wanted) else {
            view.shown.forget();
            return;
        };
        let wanted = Arc::new(Wanted {
            subject: Subject::of(&baked.level, selection.iter()),
            baked: ByAddress(baked),
            layers,
            storey: view.storey,
            plan,
            space,
            // The view under the pointer says so in every frame.
            asked: [view.hovered.take(), view.pinned],
        });
        let before = view.shown().cloned();
        let asked = Arc::clone(&wanted);
        let settled = view.shown.want(self.work.jobs(), wanted, move |job| {
            Ok(Arc::new(Shown::of(asked, before.as_deref(), job)?))
        });
        if settled == Some(Settled::Failed)
            && let Some(MemoError::Job(error)) = view.shown.error()
        {
            let notice = Notice::error(format!("The cells could not be surveyed: {error}."));
            self.state.notify(notice);
        }
    }
}
