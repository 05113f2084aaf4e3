//! Immediate reachability: from which surface cell to which, and by what action (§6.2, §7).
//!
//! All cells within the spans are looked at, not only the first layer around a cell (§7.2). A body
//! on its way needs head room above the higher of both ends, in every column that the line between
//! them touches.

use super::body::{BodyCells, Stride};
use super::footing::Footing;
use super::surface::{SurfaceCell, SurfaceCells, SurfaceId};
use crate::document::Action;

/// One move to (or from) a surface cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub cell: SurfaceId,
    pub cost: u32,
    pub action: Action,
    pub is_diagonal: bool,
}

/// What searches do about border cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Borders {
    /// They are cells like all others.
    Ignore,
    /// They are not entered.
    #[default]
    Avoid,
}

#[derive(Clone, Copy, Debug)]
pub struct Reach<'a> {
    pub surfaces: &'a SurfaceCells,
    pub footing: &'a Footing,
    pub borders: Borders,
}

/// Why one cannot get from one cell to another in one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// Too high or too low by a step.
    Step,
    /// Not so many empty layers as a bent body needs; the column and layer of what hangs there.
    Room { empty: i32, at: [i32; 3] },
    /// A forbidden cell would be stepped over.
    Forbidden { at: [i32; 3] },
}

/// Whether a body gets from one cell to another along a stride, and how: the one rule that
/// everything else follows.
///
/// # Errors
/// What is in the way.
pub fn step(
    surfaces: &SurfaceCells,
    body: &BodyCells,
    from: &SurfaceCell,
    to: &SurfaceCell,
    stride: &Stride,
    margin: bool,
) -> Result<Action, Hindrance> {
    let rise = to.height() - from.height();
    if rise.abs() > body.step {
        return Err(Hindrance::Step);
    }
    let bottom = i32::from(from.layer.max(to.layer));
    let low = i32::from(from.layer.min(to.layer)) - body.step_layers;
    let [x, y] = [i32::from(from.x), i32::from(from.y)];
    let (mut ceiling, mut at) = (from.ceiling(), [x, y]);
    if to.ceiling() < ceiling {
        (ceiling, at) = (to.ceiling(), [i32::from(to.x), i32::from(to.y)]);
    }
    for [dx, dy] in &stride.between {
        let column = [x + dx, y + dy];
        let (beneath, above) = surfaces.room_above(column[0], column[1], bottom);
        if above < ceiling {
            (ceiling, at) = (above, column);
        }
        // Far below a gap it does not matter; where a foot could be, it does (Fig. 14).
        if let Some(beneath) = beneath
            && beneath.forbidden
            && !(stride.is_contiguous())
            && i32::from(beneath.layer) >= low
        {
            let at = [column[0], column[1], i32::from(beneath.layer)];
            return Err(Hindrance::Forbidden { at });
        }
    }
    let empty = ceiling - bottom - 1;
    let needed = if stride.is_jump {
        body.height
    } else {
        body.bent
    };
    if empty < needed {
        let at = [at[0], at[1], ceiling];
        return Err(Hindrance::Room { empty, at });
    }
    if margin {
        for [dx, dy] in &stride.beside {
            let (_, above) = surfaces.room_above(x + dx, y + dy, bottom);
            if above - bottom - 1 < body.bent {
                let at = [x + dx, y + dy, above];
                let empty = above - bottom - 1;
                return Err(Hindrance::Room { empty, at });
            }
        }
    }
    Ok(if empty < body.height {
        Action::Bend
    } else if stride.is_jump {
        Action::Jump
    } else if rise >= body.stepping {
        Action::StepUp
    } else if -rise >= body.stepping {
        Action::StepDown
    } else {
        Action::Walk
    })
}

impl<'a> Reach<'a> {
    #[must_use]
    pub const fn new(surfaces: &'a SurfaceCells, footing: &'a Footing, borders: Borders) -> Self {
        Self {
            surfaces,
            footing,
            borders,
        }
    }

    #[must_use]
    pub const fn body(&self) -> &'a BodyCells {
        &self.footing.body
    }

    /// Whether searches may enter a cell.
    #[must_use]
    pub fn is_open(&self, id: SurfaceId) -> bool {
        self.footing.is_standable(id)
            && (self.borders == Borders::Ignore || !self.footing.is_border(id))
    }

    /// Whether `to` is immediately reachable from `from`, and how. Borders have no say here.
    #[must_use]
    pub fn action(&self, from: SurfaceId, to: SurfaceId) -> Option<Action> {
        if !(self.footing.is_standable(from) && self.footing.is_standable(to)) {
            return None;
        }
        let (a, b) = (self.surfaces.get(from)?, self.surfaces.get(to)?);
        let (dx, dy) = (
            i32::from(b.x) - i32::from(a.x),
            i32::from(b.y) - i32::from(a.y),
        );
        let stride = self.body().stride(dx, dy)?;
        step(self.surfaces, self.body(), a, b, stride, self.has_margin()).ok()
    }

    /// Long strides keep off walls where borders are kept.
    fn has_margin(&self) -> bool {
        self.borders == Borders::Avoid
    }

    /// Every cell that can be got to in one move, border cells too.
    pub fn moves_from(&self, id: SurfaceId, visit: impl FnMut(Move)) {
        self.moves(id, false, visit);
    }

    /// Every cell from which one can get here in one move.
    pub fn moves_into(&self, id: SurfaceId, visit: impl FnMut(Move)) {
        self.moves(id, true, visit);
    }

    fn moves(&self, id: SurfaceId, backwards: bool, mut visit: impl FnMut(Move)) {
        let Some(cell) = self.surfaces.get(id) else {
            return;
        };
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        let is_flat = self.footing.is_flat(id);
        let body = self.body();
        let margin = self.has_margin();
        for stride in &body.strides {
            if is_flat && !backwards && !stride.is_contiguous() {
                // Strides are sorted by cost, and contiguous ones come first.
                break;
            }
            let sign = if backwards { -1 } else { 1 };
            let column = self
                .surfaces
                .column(x + sign * stride.dx, y + sign * stride.dy);
            for other in column.map(SurfaceId) {
                if !self.footing.is_standable(other) {
                    continue;
                }
                let there = &self.surfaces.cells()[other.index()];
                let action = if is_flat && !backwards {
                    if there.layer != cell.layer {
                        continue;
                    }
                    Action::Walk
                } else {
                    let (from, to) = if backwards {
                        (there, cell)
                    } else {
                        (cell, there)
                    };
                    match step(self.surfaces, body, from, to, stride, margin) {
                        Ok(action) => action,
                        Err(_) => continue,
                    }
                };
                visit(Move {
                    cell: other,
                    cost: stride.cost,
                    action,
                    is_diagonal: stride.is_diagonal(),
                });
            }
        }
    }
}
