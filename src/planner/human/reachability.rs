//! What one body can reach from its start: which cells, how far away they are, and why the others
//! are out of reach.

use super::front::{Front, Until};
use super::goals::Goals;
use super::targets::settled;
use super::traversable_cells::TraversableCells;
use crate::base::EntityId;
use crate::document::Profile;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::voxel::why_not::Obstacle;
use crate::nav::voxel::{
    Borders, Exhausted, Explainer, Footing, LevelVoxels, Reach, Storey, SurfaceCells, SurfaceId,
    Unexplained, WhyNot,
};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// How a cell relates to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Reached off the border, at this distance in cells.
    Reached(u32),
    /// Reached only through the border.
    Squeezed(u32),
    /// Standable, but not reached.
    CutOff,
    /// Not standable.
    Unfit,
}

/// What is reached from one start, or where the body can stand if there is none.
#[derive(Clone, Debug)]
pub struct Reachability {
    pub voxels: Arc<LevelVoxels>,
    pub footing: Arc<Footing>,
    pub start: Option<SurfaceId>,
    /// The region reached off the border, and the one reached through it.
    fronts: Option<[Front; 2]>,
}

/// A description of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellAnswer {
    pub cell: Option<SurfaceId>,
    /// The centre of its surface, or the queried point.
    pub at: DVec3,
    /// A short phrase with figures, without a full stop.
    pub text: String,
    pub is_reached: bool,
    /// The obstacle, and where it is.
    pub why: Option<WhyNot>,
}

impl CellAnswer {
    #[must_use]
    pub fn blocker(&self) -> Option<EntityId> {
        self.why.and_then(|why| why.object())
    }
}

impl Reachability {
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
            let traversable = TraversableCells::between(reach, &[start], &Goals::default());
            Front::spread(&traversable, &[start], Until::Burnt, ctx)
        };
        let fronts = match start {
            Some(start) => {
                let off = spread(start, Borders::Avoid)?;
                ctx.report(0.5);
                Some([off, spread(start, Borders::Ignore)?])
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

    /// Numbers of cells reached off the border and through it.
    #[must_use]
    pub fn reached(&self) -> [usize; 2] {
        let count = |front: &Front| front.cells().len();
        self.fronts
            .as_ref()
            .map_or([0, 0], |[off, through]| [count(off), count(through)])
    }

    /// Picks a cell from a point in plan: the highest of its column in the storey, standable ones
    /// first.
    #[must_use]
    pub fn pointed_at(&self, p: DVec2, storey: &Storey) -> Option<SurfaceId> {
        let surfaces = self.surfaces();
        let [x, y] = surfaces.frame.column_at(p.x, p.y)?;
        let column = surfaces.column(x as i32, y as i32).map(SurfaceId);
        let in_storey = column.filter(|id| storey.contains(surfaces.point(*id).z));
        in_storey.max_by_key(|id| (matches!(self.standing(*id), Standing::Reached(_)), *id))
    }

    /// Describes a point in space, with entity names from `label`.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn about_place(
        &self,
        p: DVec3,
        label: impl Fn(EntityId) -> String,
        ctx: &JobContext,
    ) -> Result<CellAnswer, Cancelled> {
        let near = self.footing.body.body.step_height;
        match self
            .surfaces()
            .under(p, near.max(self.surfaces().frame.layer))
        {
            Some(id) => self.about(id, label, ctx),
            None => Ok(CellAnswer {
                cell: None,
                at: p,
                text: "there is nothing to stand on".to_owned(),
                is_reached: false,
                why: Some(WhyNot {
                    obstacle: Obstacle::NoGround,
                    at: p,
                    from: None,
                }),
            }),
        }
    }

    /// What both searches found, as far as explanations are concerned.
    fn exhausted(&self) -> Exhausted<'_> {
        let Some([off, through]) = &self.fronts else {
            return Exhausted {
                reached: &[],
                looks: 0,
            };
        };
        let looks = |front: &Front| -> usize {
            let cells = front.cells().iter();
            cells.map(|id| self.footing.looks(*id)).sum()
        };
        Exhausted {
            reached: through.cells(),
            looks: looks(off) + looks(through),
        }
    }

    /// Describes a cell.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn about(
        &self,
        id: SurfaceId,
        label: impl Fn(EntityId) -> String,
        ctx: &JobContext,
    ) -> Result<CellAnswer, Cancelled> {
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
        Ok(match self.standing(id) {
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
                let told = explainer.reaching(id, self.exhausted(), ctx)?;
                let text = match told.why {
                    Ok(why) => why.sentence(&label),
                    Err(Unexplained::NotConnected) => {
                        "nothing leads here from where the agent starts".to_owned()
                    }
                    Err(Unexplained::TooFar) => {
                        "not reached from where the agent starts".to_owned()
                    }
                };
                answer(text, false, told.why.ok())
            }
            Standing::Unfit => {
                let why = explainer.standing(id);
                let text = why.map_or_else(
                    || "this body cannot stand here".to_owned(),
                    |why| why.sentence(&label),
                );
                answer(text, false, why)
            }
        })
    }
}
