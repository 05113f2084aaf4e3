//! Immediate reachability: from which surface cell to which, and by what action (§6.2, §7).
//!
//! All cells within the spans are considered, not only the first layer around a cell (§7.2). A
//! moving body needs headroom above the higher of both ends, in every column that the line between
//! them touches.

use super::body::{BodyCells, Stride};
use super::footing::Footing;
use super::surface::{SurfaceCell, SurfaceCells, SurfaceId};
use crate::document::Action;

/// One move to (or from) a surface cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub cell: SurfaceId,
    /// Cells that it spans.
    pub cost: u32,
    /// The same in the metric of searches.
    pub length: u32,
    pub action: Action,
    pub is_diagonal: bool,
}

/// How searches treat border cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Borders {
    /// Like all other cells.
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

/// Why a cell cannot be reached from another in one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// Too high or too low by a step.
    Step,
    /// Fewer empty layers than a bent body needs; column and layer of what is above.
    Room { empty: i32, at: [i32; 3] },
    /// The move would step over a forbidden cell.
    Forbidden { at: [i32; 3] },
}

/// Whether and how a body gets from one cell to another along a stride: the one rule from which
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
        // Irrelevant far below a gap; relevant where a foot could be (Fig. 14).
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

    /// Whether and how `to` is immediately reachable from `from`. Ignores borders.
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

    /// Long strides keep off walls if borders are avoided.
    fn has_margin(&self) -> bool {
        self.borders == Borders::Avoid
    }

    /// Visits every cell reachable in one move, including border cells.
    pub fn moves_from(&self, id: SurfaceId, visit: impl FnMut(Move)) {
        self.moves(id, false, visit);
    }

    /// Visits every cell from which this one is reachable in one move.
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
                // Strides are sorted by cost, contiguous ones first.
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
                    length: stride.length,
                    action,
                    is_diagonal: stride.is_diagonal(),
                });
            }
        }
    }
}
