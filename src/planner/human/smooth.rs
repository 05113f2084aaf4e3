//! Smoothing: replaces cells of a path by those on the straight line between two of them (§7.4).

use super::cell_path::{CellPath, penalty};
use super::traversable_cells::TraversableCells;
use crate::document::Action;
pub use crate::document::Smoothing;
use crate::nav::voxel::body::distance;
use crate::nav::voxel::{Neighbours, SurfaceId};

/// Number of consecutive blocked lines after which longer ones are not tried.
const PATIENCE: usize = 16;

/// Never more costly than the original path, and never with less preferred actions.
#[must_use]
pub fn smoothed(
    traversable: &TraversableCells<'_>,
    path: &CellPath,
    smoothing: Smoothing,
) -> CellPath {
    let candidates: Vec<usize> = match smoothing {
        Smoothing::None => return path.clone(),
        Smoothing::Junctions => path.junctions.clone(),
        Smoothing::Full | Smoothing::Taut => (0..path.cells.len()).collect(),
    };
    let Some(first) = path.cells.first() else {
        return path.clone();
    };
    let body = traversable.reach.body();
    let (mut cells, mut actions, mut junctions) = (vec![*first], vec![Action::Walk], vec![0]);
    let mut at = 0;
    while at + 1 < candidates.len() {
        let from = candidates[at];
        let mut best: Option<(usize, Line)> = None;
        let mut misses = 0;
        let mut allowed = 0;
        let mut seen = from;
        for (next, to) in candidates.iter().enumerate().skip(at + 1) {
            // The line must not have a higher penalty than what it replaces.
            let part = &path.actions[seen + 1..=*to];
            let moves = part.iter().zip(path.cells[seen..=*to].windows(2));
            allowed += moves
                .map(|(action, pair)| penalty(body, *action, spanned(traversable, pair)))
                .sum::<u32>();
            seen = *to;
            if part.contains(&Action::Jump) {
                break;
            }
            match line(traversable, path.cells[from], path.cells[*to], allowed) {
                Some(line) => {
                    best = Some((next, line));
                    misses = 0;
                }
                None => misses += 1,
            }
            if misses > PATIENCE {
                break;
            }
        }
        match best {
            Some((next, line)) => {
                cells.extend(line.cells);
                actions.extend(line.actions);
                at = next;
            }
            None => {
                let part = from + 1..=candidates[at + 1];
                cells.extend_from_slice(&path.cells[part.clone()]);
                actions.extend_from_slice(&path.actions[part]);
                at += 1;
            }
        }
        junctions.push(cells.len() - 1);
    }
    let cost = cost_of(traversable, &cells);
    CellPath {
        cells,
        actions,
        junctions,
        cost,
    }
}

/// Cells on a line, without the first, and the action that leads to each.
struct Line {
    cells: Vec<SurfaceId>,
    actions: Vec<Action>,
}

/// The digital line between two cells (DDA), if each of its cells can be reached from the previous
/// one at no greater penalty.
fn line(
    traversable: &TraversableCells<'_>,
    from: SurfaceId,
    to: SurfaceId,
    mut allowed: u32,
) -> Option<Line> {
    let surfaces = traversable.surfaces();
    let (a, b) = (surfaces.get(from)?, surfaces.get(to)?);
    let body = traversable.reach.body();
    let (dx, dy) = (
        i32::from(b.x) - i32::from(a.x),
        i32::from(b.y) - i32::from(a.y),
    );
    let mut found = Line {
        cells: Vec::new(),
        actions: Vec::new(),
    };
    let mut at = from;
    for [x, y] in digital_line(body.conduct.neighbours, dx, dy) {
        let (x, y) = (i32::from(a.x) + x, i32::from(a.y) + y);
        let here = surfaces.get(at)?.height();
        let (next, action) = surfaces
            .column(x, y)
            .map(SurfaceId)
            .filter(|id| traversable.is_open(*id))
            .filter_map(|id| Some((id, traversable.reach.action(at, id)?)))
            .min_by_key(|(id, _)| surfaces.get(*id).map(|cell| (cell.height() - here).abs()))?;
        allowed = allowed.checked_sub(penalty(body, action, 1))?;
        found.cells.push(next);
        found.actions.push(action);
        at = next;
    }
    (at == to).then_some(found)
}

/// Offsets along a line, without the first cell; each is adjacent to the previous one.
fn digital_line(neighbours: Neighbours, dx: i32, dy: i32) -> impl Iterator<Item = [i32; 2]> {
    let count = neighbours.distance(dx, dy) as i32;
    // Halves are rounded away from zero, so both directions give one line.
    let share = move |d: i32, k: i32| {
        let (n, d) = (2 * d.abs() * k + count, d.signum());
        d * (n / (2 * count))
    };
    let (mut x, mut y) = (0_i32, 0_i32);
    (1..=count).map(move |k| {
        match neighbours {
            Neighbours::Eight => (x, y) = (share(dx, k), share(dy, k)),
            // The axis that lags behind the line.
            Neighbours::Four => {
                let ahead_x = i64::from(x.abs() + 1) * i64::from(dy.abs());
                let ahead_y = i64::from(y.abs() + 1) * i64::from(dx.abs());
                if dy == 0 || dx != 0 && ahead_x <= ahead_y {
                    x += dx.signum();
                } else {
                    y += dy.signum();
                }
            }
        }
        [x, y]
    })
}

/// How far a move leads along x and y.
fn offset(traversable: &TraversableCells<'_>, pair: &[SurfaceId]) -> [i32; 2] {
    let surfaces = traversable.surfaces();
    match (surfaces.get(pair[0]), surfaces.get(pair[1])) {
        (Some(a), Some(b)) => [
            i32::from(b.x) - i32::from(a.x),
            i32::from(b.y) - i32::from(a.y),
        ],
        _ => [0, 0],
    }
}

/// Cells that a move spans.
pub(super) fn spanned(traversable: &TraversableCells<'_>, pair: &[SurfaceId]) -> u32 {
    let [dx, dy] = offset(traversable, pair);
    traversable.reach.body().conduct.neighbours.distance(dx, dy)
}

/// Cost of a path, in the metric of the search.
#[must_use]
pub fn cost_of(traversable: &TraversableCells<'_>, cells: &[SurfaceId]) -> u32 {
    let conduct = &traversable.reach.body().conduct;
    let moves = cells.windows(2);
    moves
        .map(|pair| {
            let [dx, dy] = offset(traversable, pair);
            distance(conduct, dx, dy)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digital_lines_end_where_they_should_and_have_no_holes() {
        for dx in -9..=9_i32 {
            for dy in -9..=9_i32 {
                for neighbours in [Neighbours::Four, Neighbours::Eight] {
                    let cells: Vec<[i32; 2]> = digital_line(neighbours, dx, dy).collect();
                    assert_eq!(cells.len() as u32, neighbours.distance(dx, dy));
                    let mut before = [0, 0];
                    for cell in &cells {
                        let step = [cell[0] - before[0], cell[1] - before[1]];
                        assert_eq!(neighbours.distance(step[0], step[1]), 1, "{dx} {dy}");
                        // Never further than a cell from the line.
                        let off = (cell[0] * dy - cell[1] * dx).abs();
                        assert!(off <= dx.abs().max(dy.abs()), "{dx} {dy}: {cell:?}");
                        before = *cell;
                    }
                    assert_eq!(before, [dx, dy]);
                }
            }
        }
    }
}
