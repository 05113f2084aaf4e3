//! What one body makes of a level from where it starts: where it gets to, how far that is, and why it does
//! not get to the rest.

use super::engine::settled;
use super::front::{Front, Until};
use super::goals::Goals;
use super::ways::Ways;
use crate::base::EntityId;
use crate::document::Profile;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::why_not::Obstacle;
use crate::nav::voxel::{
    Borders, Explainer, Footing, LevelVoxels, Reach, Storey, SurfaceCells, SurfaceId, WhyNot,
};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// How a body and a cell get on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Got to while keeping off the border; so many cells away.
    Reached(u32),
    /// Got to only through the border.
    Squeezed(u32),
    /// It could stand there, but does not get there.
    CutOff,
    /// No place to stand at.
    Unfit,
}

/// From one start, or from nowhere in particular.
#[derive(Clone, Debug)]
pub struct Survey {
    pub voxels: Arc<LevelVoxels>,
    pub footing: Arc<Footing>,
    pub start: Option<SurfaceId>,
    /// The region reached off the border, and the one reached through it.
    fronts: Option<[Front; 2]>,
}

/// What there is to say about a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellAnswer {
    pub cell: Option<SurfaceId>,
    /// The middle of its surface, or the place that was asked about.
    pub at: DVec3,
    /// A few words with figures, without a full stop.
    pub text: String,
    pub is_reached: bool,
    /// What is in the way, and where.
    pub why: Option<WhyNot>,
}

impl CellAnswer {
    #[must_use]
    pub fn blocker(&self) -> Option<EntityId> {
        self.why.and_then(|why| why.object())
    }
}

impl Survey {
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        voxels: Arc<LevelVoxels>,
        profile: &Profile,
        start: Option<DVec3>,
        ctx: &JobContext,
    ) -> Result<Self, Cancelled> {
        ctx.stage("Footing");
        let footing = voxels.footing(profile);
        ctx.checkpoint()?;
        ctx.stage("Front");
        let start = start.and_then(|p| settled(&voxels, &footing, p));
        let spread = |start: SurfaceId, borders: Borders| {
            let reach = Reach::new(voxels.surfaces(), &footing, borders);
            let ways = Ways::between(reach, &[start], &Goals::default());
            Front::spread(&ways, &[start], Until::Burnt)
        };
        let fronts = match start {
            Some(start) => {
                let off = spread(start, Borders::Avoid);
                ctx.checkpoint()?;
                ctx.report(0.5);
                Some([off, spread(start, Borders::Ignore)])
            }
            None => None,
        };
        Ok(Self {
            start,
            fronts,
            footing,
            voxels,
        })
    }

    #[must_use]
    pub fn surfaces(&self) -> &SurfaceCells {
        self.voxels.surfaces()
    }

    /// The front that keeps off the border, level by level.
    #[must_use]
    pub fn front(&self) -> Option<&Front> {
        self.fronts.as_ref().map(|[off, _]| off)
    }

    #[must_use]
    pub fn standing(&self, id: SurfaceId) -> Standing {
        if !self.footing.is_standable(id) {
            return Standing::Unfit;
        }
        let Some([off, through]) = &self.fronts else {
            return Standing::CutOff;
        };
        match (off.level(id), through.level(id)) {
            (Some(level), _) => Standing::Reached(level),
            (None, Some(level)) => Standing::Squeezed(level),
            (None, None) => Standing::CutOff,
        }
    }

    /// How many cells are got to, off the border and through it.
    #[must_use]
    pub fn reached(&self) -> [usize; 2] {
        let count = |front: &Front| front.cells().len();
        self.fronts
            .as_ref()
            .map_or([0, 0], |[off, through]| [count(off), count(through)])
    }

    /// The cell that somebody means who points at a place of the plan: the highest of its column in the
    /// storey, but where one can stand rather than where not.
    #[must_use]
    pub fn pointed_at(&self, p: DVec2, storey: &Storey) -> Option<SurfaceId> {
        let surfaces = self.surfaces();
        let [x, y] = surfaces.frame.column_at(p.x, p.y)?;
        let column = surfaces.column(x as i32, y as i32).map(SurfaceId);
        let in_storey = column.filter(|id| storey.contains(surfaces.point(*id).z));
        in_storey.max_by_key(|id| (matches!(self.standing(*id), Standing::Reached(_)), *id))
    }

    /// What is to be said about a place in space; `label` gives names.
    #[must_use]
    pub fn about_place(&self, p: DVec3, label: impl Fn(EntityId) -> String) -> CellAnswer {
        let near = self.footing.body.body.step_height;
        match self
            .surfaces()
            .under(p, near.max(self.surfaces().frame.layer))
        {
            Some(id) => self.about(id, label),
            None => CellAnswer {
                cell: None,
                at: p,
                text: "there is nothing to stand on".to_owned(),
                is_reached: false,
                why: Some(WhyNot {
                    obstacle: Obstacle::NoGround,
                    at: p,
                    from: None,
                }),
            },
        }
    }

    /// What is to be said about a cell.
    #[must_use]
    pub fn about(&self, id: SurfaceId, label: impl Fn(EntityId) -> String) -> CellAnswer {
        let surfaces = self.surfaces();
        let cell = surfaces.frame.cell;
        let explainer = Explainer {
            voxels: &self.voxels.voxels,
            footing: &self.footing,
        };
        let answer = |text: String, is_reached: bool, why: Option<WhyNot>| CellAnswer {
            cell: Some(id),
            at: surfaces.point(id),
            text,
            is_reached,
            why,
        };
        let bent = if self.footing.is_upright(id) {
            ""
        } else {
            ", bent"
        };
        match self.standing(id) {
            Standing::Reached(level) => {
                let away = f64::from(level) * cell;
                answer(format!("reached, {away:.1} m away{bent}"), true, None)
            }
            Standing::Squeezed(level) => {
                let away = f64::from(level) * cell;
                let border = f64::from(self.footing.body.border_layers) * cell;
                let text = format!(
                    "reached only along walls, nearer than {border:.2} m; {away:.1} m away{bent}"
                );
                answer(text, true, None)
            }
            Standing::CutOff if self.fronts.is_none() => answer(
                format!("room to stand{bent}; select an agent to see whether it gets here"),
                false,
                None,
            ),
            Standing::CutOff => {
                let through = |id: SurfaceId| {
                    let fronts = self.fronts.as_ref();
                    fronts.is_some_and(|[_, through]| through.level(id).is_some())
                };
                let why = explainer.reaching(id, through);
                let text = why.map_or_else(
                    || "nothing leads here from where the agent starts".to_owned(),
                    |why| why.sentence(&label),
                );
                answer(text, false, why)
            }
            Standing::Unfit => {
                let why = explainer.standing(id);
                let text = why.map_or_else(
                    || "nobody can stand here".to_owned(),
                    |why| why.sentence(&label),
                );
                answer(text, false, why)
            }
        }
    }
}
