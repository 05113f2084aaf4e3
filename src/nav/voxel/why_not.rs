//! Why a body cannot stand somewhere or get there: the blocker by name, with figures.

use super::body::Line;
use super::footing::Footing;
use super::surface::{CellPlace, SurfaceCell, SurfaceId};
use super::voxels::Voxels;
use crate::base::EntityId;
use glam::DVec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Obstacle {
    /// Nothing to stand on.
    NoGround,
    /// A forbidden object.
    Forbidden { object: Option<EntityId> },
    /// Too little headroom. Unit: metres.
    Headroom {
        found: f64,
        needed: f64,
        object: Option<EntityId>,
    },
    /// Too high a step. Unit: metres.
    Step {
        found: f64,
        allowed: f64,
        object: Option<EntityId>,
    },
    /// Too wide a gap. Unit: metres.
    Gap { found: f64, allowed: f64 },
    /// Something reaches into the cell, but there is no ground under its centre.
    Edge,
    /// An object is there.
    Wall { object: Option<EntityId> },
    /// Only reachable closer to walls than the border allows.
    Border,
}

/// What keeps a body from a point, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WhyNot {
    pub obstacle: Obstacle,
    /// Where it gets stuck.
    pub at: DVec3,
    /// Where it comes from, if known.
    pub from: Option<DVec3>,
}

impl WhyNot {
    #[must_use]
    pub const fn object(&self) -> Option<EntityId> {
        match self.obstacle {
            Obstacle::Forbidden { object }
            | Obstacle::Headroom { object, .. }
            | Obstacle::Step { object, .. }
            | Obstacle::Wall { object } => object,
            _ => None,
        }
    }

    /// As a sentence, with names from `label`.
    #[must_use]
    pub fn sentence(&self, label: impl Fn(EntityId) -> String) -> String {
        let named = |object: Option<EntityId>, link: &str| {
            object.map_or_else(String::new, |id| format!(" {link} \"{}\"", label(id)))
        };
        match self.obstacle {
            Obstacle::NoGround => "there is nothing to stand on".to_owned(),
            Obstacle::Forbidden { object } => match object {
                Some(id) => format!("forbidden \"{}\"", label(id)),
                None => "forbidden".to_owned(),
            },
            Obstacle::Headroom {
                found,
                needed,
                object,
            } => {
                let under = named(object, "under");
                format!("headroom {} < {}{under}", metres(found), metres(needed))
            }
            Obstacle::Step {
                found,
                allowed,
                object,
            } => {
                let at = named(object, "at");
                format!("step {} > {}{at}", metres(found), metres(allowed))
            }
            Obstacle::Gap { found, allowed } => {
                format!("gap {} > {}", metres(found), metres(allowed))
            }
            Obstacle::Edge => "there is too little to stand on, it is an edge".to_owned(),
            Obstacle::Wall { object } => match object {
                Some(id) => format!("\"{}\" is in the way", label(id)),
                None => "the ground is in the way".to_owned(),
            },
            Obstacle::Border => {
                "the only path leads along walls, closer than the border allows".to_owned()
            }
        }
    }
}

/// Two decimals, without trailing zeros.
fn metres(value: f64) -> String {
    let text = format!("{value:.2}");
    format!("{} m", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Something in the way of which only the cell is known so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    obstacle: Obstacle,
    /// Of the object.
    place: [i32; 3],
}

impl Met {
    /// Nothing but the border.
    pub const BORDER: Self = Self {
        obstacle: Obstacle::Border,
        place: [0; 3],
    };

    /// With the object that is there.
    pub fn named(self, explainer: &Explainer<'_>) -> Obstacle {
        let mut obstacle = self.obstacle;
        if let Obstacle::Forbidden { object }
        | Obstacle::Headroom { object, .. }
        | Obstacle::Step { object, .. }
        | Obstacle::Wall { object } = &mut obstacle
        {
            *object = explainer.object(self.place);
        }
        obstacle
    }
}

/// Explains for one body.
#[derive(Clone, Copy, Debug)]
pub struct Explainer<'a> {
    pub voxels: &'a Voxels,
    pub footing: &'a Footing,
}

impl Explainer<'_> {
    fn object(&self, [x, y, layer]: [i32; 3]) -> Option<EntityId> {
        let at = |value: i32| u32::try_from(value).ok();
        self.voxels.object_in(at(x)?, at(y)?, at(layer)?)?.id
    }

    /// Why a body cannot stand on a cell; `None` if it can.
    #[must_use]
    pub fn standing(&self, id: SurfaceId) -> Option<WhyNot> {
        let surfaces = &self.voxels.surfaces;
        let cell = surfaces.get(id)?;
        if self.footing.is_standable(id) {
            return None;
        }
        let body = &self.footing.body;
        let layer = surfaces.frame.layer;
        let place = |layer: i32| [i32::from(cell.x), i32::from(cell.y), layer];
        let obstacle = if cell.forbidden {
            Obstacle::Forbidden {
                object: self.object(place(i32::from(cell.layer))),
            }
        } else if i32::from(cell.clearance) < body.bent {
            Obstacle::Headroom {
                found: f64::from(cell.clearance) * layer,
                needed: body.body.bent_height.min(body.body.height),
                object: self.object(place(cell.ceiling())),
            }
        } else {
            Obstacle::Edge
        };
        Some(WhyNot {
            obstacle,
            at: surfaces.point(id),
            from: None,
        })
    }

    /// Why a body can no longer stand where a surface was: something is on it, or it is gone.
    /// `None` if it can.
    #[must_use]
    pub fn left(&self, place: CellPlace) -> Option<WhyNot> {
        let surfaces = &self.voxels.surfaces;
        if let Some(id) = surfaces.at(place) {
            return self.standing(id);
        }
        let [x, y, layer] = [place.x, place.y, place.layer].map(i32::from);
        let object = self.object([x, y, layer + 1]);
        let at = [place.x, place.y, place.layer].map(u32::from);
        Some(WhyNot {
            obstacle: match object {
                Some(_) => Obstacle::Wall { object },
                None => Obstacle::NoGround,
            },
            at: surfaces.frame.centre(at),
            from: None,
        })
    }

    /// Why a point is not standable; `None` if it is.
    #[must_use]
    pub fn place(&self, p: DVec3) -> Option<WhyNot> {
        let surfaces = &self.voxels.surfaces;
        let missing = |obstacle| {
            Some(WhyNot {
                obstacle,
                at: p,
                from: None,
            })
        };
        let frame = &surfaces.frame;
        let Some([x, y]) = frame.column_at(p.x, p.y) else {
            return missing(Obstacle::NoGround);
        };
        let near = f64::from(self.footing.body.step_layers + 1) * frame.layer;
        let cells = surfaces.column(x as i32, y as i32).map(SurfaceId);
        let off = |id: SurfaceId| (surfaces.point(id).z - p.z).abs();
        let nearest = cells.min_by(|a, b| off(*a).total_cmp(&off(*b)));
        if let Some(id) = nearest.filter(|id| off(*id) <= near) {
            return self.standing(id);
        }
        let layer = frame.cells_from_world(p).z.floor();
        let inside = layer >= 0.0 && layer < f64::from(frame.size[2]);
        if inside && self.voxels.grid.is_occupied(x, y, layer as u32) {
            let object = self.object([x as i32, y as i32, layer as i32]);
            return missing(Obstacle::Wall { object });
        }
        missing(Obstacle::NoGround)
    }

    /// What is in the way between two cells at the ends of a line, and how far it is from being passable: 0 for a move that
    /// can be made. Which object it is takes looking through its triangles: [`Met::named`] does that.
    pub(super) fn between(
        &self,
        a: &SurfaceCell,
        b: &SurfaceCell,
        line: &Line,
    ) -> (f64, Option<Met>) {
        let surfaces = &self.voxels.surfaces;
        let (frame, body) = (&surfaces.frame, &self.footing.body);
        let [x, y] = [i32::from(a.x), i32::from(a.y)];
        let mut worst: (f64, Option<Met>) = (0.0, None);
        let mut total = 0.0;
        let mut add = |excess: f64, obstacle: Obstacle, place: [i32; 3]| {
            if excess > 0.0 {
                total += excess;
                if excess > worst.0 {
                    worst = (excess, Some(Met { obstacle, place }));
                }
            }
        };
        let object = None;
        let found = f64::from((b.height() - a.height()).abs()) / 255.0 * frame.layer;
        let allowed = body.body.step_height;
        if (b.height() - a.height()).abs() > body.step {
            let higher = if b.height() > a.height() { b } else { a };
            let place = [higher.x, higher.y, higher.layer].map(i32::from);
            let excess = found / allowed.max(0.01) - 1.0;
            let obstacle = Obstacle::Step {
                found,
                allowed,
                object,
            };
            add(excess.max(0.01), obstacle, place);
        }
        if !line.is_stride {
            let cells = f64::from(line.dx * line.dx + line.dy * line.dy).sqrt();
            // A foot's span is measured from centre to centre, a jump over what lies between.
            let (jump, span) = (body.body.jump, body.body.foot_span);
            let (found, allowed) = if jump + frame.cell >= span {
                ((cells - 1.0) * frame.cell, jump)
            } else {
                (cells * frame.cell, span)
            };
            let excess = found / allowed.max(frame.cell * 0.5) - 1.0;
            add(excess.max(0.01), Obstacle::Gap { found, allowed }, [0; 3]);
        }
        let bottom = i32::from(a.layer.max(b.layer));
        let low = i32::from(a.layer.min(b.layer)) - body.step_layers;
        let mut ceiling = (b.ceiling(), [i32::from(b.x), i32::from(b.y)]);
        if a.ceiling() < ceiling.0 {
            ceiling = (a.ceiling(), [x, y]);
        }
        for [i, j] in &line.between {
            let (beneath, above) = surfaces.room_above(x + i, y + j, bottom);
            if above < ceiling.0 {
                ceiling = (above, [x + i, y + j]);
            }
            if let Some(beneath) = beneath
                && beneath.forbidden
                && i32::from(beneath.layer) >= low
            {
                let place = [x + i, y + j, i32::from(beneath.layer)];
                add(0.5, Obstacle::Forbidden { object }, place);
            }
        }
        let empty = ceiling.0 - bottom - 1;
        if empty < body.bent {
            // A wall that stands on the ground is one with it: it is named by what is above the feet.
            let place = [ceiling.1[0], ceiling.1[1], ceiling.0.max(bottom + 1)];
            let found = f64::from(empty.max(0)) * frame.layer;
            let needed = body.body.bent_height.min(body.body.height);
            if empty <= body.step_layers {
                add(3.0, Obstacle::Wall { object }, place);
            } else {
                let obstacle = Obstacle::Headroom {
                    found,
                    needed,
                    object,
                };
                add(needed / found.max(0.01) - 1.0, obstacle, place);
            }
        }
        (total, worst.1)
    }
}
