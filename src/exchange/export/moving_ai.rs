//! Grid maps of the Moving AI benchmarks: a cell is blocked if anything reaches into it.
//!
//! That is the safe side: a wall thinner than a cell stays closed, at the price of gaps narrower
//! than a cell. Cells that reach over the level's bounds are blocked too.

use super::{ExportError, Exported, LeftOut, blocking};
use crate::base::{Quantity, Unit};
use crate::document::{Entity, Kind, Level, Region};
use crate::exchange::import::{MAX_CELLS, cell_tag};
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::geometry::{Polygon, Rect, trace::CellGrid};
use crate::jobs::JobContext;
use glam::DVec2;

/// What lies over a border by less than this touches it. Unit: cells.
const TOUCH: f64 = 1e-6;

const CELL: Quantity = Quantity::new("cell size", Unit::Metre, 0.001, 10_000.0, 1.0);

#[derive(Clone, Debug, PartialEq)]
pub struct GridExportOptions {
    /// Side of a cell. Unit: metres.
    pub cell: f64,
    /// Whose body decides what blocks: what hangs above its head does not, nor does what it can
    /// step onto.
    pub profile: Option<String>,
}

impl Default for GridExportOptions {
    fn default() -> Self {
        Self {
            cell: 1.0,
            profile: None,
        }
    }
}

impl FormatOptions for GridExportOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::number(["cell", "Cell size", "Side of a cell"], CELL, |o| {
            &mut o.cell
        }),
        Field::profile(
            ["profile", "Profile", "Whose body decides what blocks"],
            |o| &mut o.profile,
        ),
    ];
}

#[derive(Debug)]
pub struct MovingAiWriter;

impl Writer for MovingAiWriter {
    type Options = GridExportOptions;

    fn left_out(&self, level: &Level, options: &GridExportOptions) -> Vec<LeftOut> {
        let Ok(body) = blocking::body_of(level, options.profile.as_deref()) else {
            return Vec::new();
        };
        blocking::left_out(level, &body, |entity| {
            // A swamp has a letter of its own; other ground is walked on like any.
            matches!(&entity.kind, Kind::Region(region) if is_swamp(level, region))
        })
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &GridExportOptions,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let (bytes, warnings) = map(&input.level, options, ctx)?;
        sink.write_main(bytes)?;
        Ok(Exported {
            warnings,
            ..Exported::default()
        })
    }
}

/// The file and what it leaves out.
fn map(
    level: &Level,
    options: &GridExportOptions,
    context: &JobContext,
) -> Result<(Vec<u8>, Vec<String>), ExportError> {
    let body = blocking::body_of(level, options.profile.as_deref())?;
    let bounds = level.settings().bounds;
    let grid = grid(bounds, options.cell)?;
    let mut cells = Cells {
        grid,
        letters: vec![b'.'; grid.columns * grid.rows],
    };
    let mut warnings = Vec::new();
    context.stage("Filling cells");
    for (_, _, region) in level.regions() {
        context.checkpoint()?;
        // Whatever ground lies on top wins, as in the level.
        let letter = if is_swamp(level, region) { b'S' } else { b'.' };
        cells.fill(&region.area, letter);
    }
    for (entity, area) in blocking::blocking(level, &body) {
        context.checkpoint()?;
        let letter = letter_of(entity);
        cells.fill(&area, letter);
        cells.touch(&area, letter);
    }
    if cells.block_beyond(&bounds) {
        warnings.push(format!(
            "the level's size is no multiple of {} m; the cells at its border were blocked",
            options.cell
        ));
    }
    Ok((cells.text(), warnings))
}

fn is_swamp(level: &Level, region: &Region) -> bool {
    level.label(region.terrain).to_lowercase() == "swamp"
}

fn letter_of(entity: &Entity) -> u8 {
    if entity.has_tag(cell_tag::TREES) {
        b'T'
    } else if entity.has_tag(cell_tag::WATER) {
        b'W'
    } else {
        b'@'
    }
}

fn grid(bounds: Rect, cell: f64) -> Result<CellGrid, ExportError> {
    let count = |extent: f64| (extent / cell - TOUCH).ceil().max(1.0);
    let size = bounds.size();
    let (columns, rows) = (count(size.x), count(size.y));
    if columns * rows > MAX_CELLS as f64 {
        return Err(ExportError::Refused(format!(
            "{columns} × {rows} cells are too many (at most {MAX_CELLS}); choose a larger --cell"
        )));
    }
    Ok(CellGrid {
        origin: bounds.min,
        cell,
        columns: columns as usize,
        rows: rows as usize,
    })
}

struct Cells {
    grid: CellGrid,
    /// From the lower left.
    letters: Vec<u8>,
}

impl Cells {
    /// In units of cells from the lower left.
    fn local(&self, p: DVec2) -> DVec2 {
        (p - self.grid.origin) / self.grid.cell
    }

    fn row_mut(&mut self, row: usize) -> &mut [u8] {
        let columns = self.grid.columns;
        &mut self.letters[row * columns..][..columns]
    }

    /// Every cell whose centre lies inside, by the even–odd rule: one scan line per row.
    fn fill(&mut self, area: &Polygon, letter: u8) {
        let (columns, rows) = (self.grid.columns as f64, self.grid.rows as f64);
        let bounds = area.bounds();
        // The first row whose centre line lies at or above a height.
        let row_above = |y: f64| (y - 0.5).ceil().clamp(0.0, rows) as usize;
        let start = row_above(self.local(bounds.min).y);
        let end = row_above(self.local(bounds.max).y).max(start);
        let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); end - start];
        for (a, b) in area.edges() {
            let (a, b) = (self.local(a), self.local(b));
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            for row in row_above(low.y)..row_above(high.y) {
                let share = (row as f64 + 0.5 - low.y) / (high.y - low.y);
                // A hole that leaves its outer ring may leave the rows of its bounds.
                if let Some(crossings) = row.checked_sub(start).and_then(|i| crossings.get_mut(i)) {
                    crossings.push(low.x + (high.x - low.x) * share);
                }
            }
        }
        for (row, mut crossings) in (start..).zip(crossings) {
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let [from, to] = [pair[0], pair[1]].map(|x| (x - 0.5).ceil().clamp(0.0, columns));
                if from < to {
                    self.row_mut(row)[from as usize..to as usize].fill(letter);
                }
            }
        }
    }

    /// Every cell that an edge runs through; running along a border is not through.
    fn touch(&mut self, area: &Polygon, letter: u8) {
        let (columns, rows) = (self.grid.columns as f64, self.grid.rows as f64);
        for (a, b) in area.edges() {
            let (a, b) = (self.local(a), self.local(b));
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            let first = (low.y + TOUCH).floor().clamp(0.0, rows);
            let last = (high.y - TOUCH).ceil().clamp(0.0, rows);
            let x_at = |y: f64| {
                let share = (y - low.y) / (high.y - low.y);
                low.x + (high.x - low.x) * share.clamp(0.0, 1.0)
            };
            let flat = high.y - low.y <= TOUCH;
            for row in first as usize..last as usize {
                let (bottom, top) = (row as f64, row as f64 + 1.0);
                // A flat edge inside a row runs its whole length in it.
                let (p, q) = if flat {
                    (low.x, high.x)
                } else {
                    (x_at(bottom.max(low.y)), x_at(top.min(high.y)))
                };
                let from = (p.min(q) + TOUCH).floor().clamp(0.0, columns);
                let to = (p.max(q) - TOUCH).ceil().clamp(0.0, columns);
                if from < to {
                    self.row_mut(row)[from as usize..to as usize].fill(letter);
                }
            }
        }
    }

    /// Blocks cells that reach over the upper and right bounds; tells whether there are any.
    fn block_beyond(&mut self, bounds: &Rect) -> bool {
        let end = self.local(bounds.max) + TOUCH;
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let (wide, high) = (columns as f64 > end.x, rows as f64 > end.y);
        for row in 0..rows {
            if high && row + 1 == rows {
                self.row_mut(row).fill(b'@');
            }
            if wide {
                self.row_mut(row)[columns - 1] = b'@';
            }
        }
        wide || high
    }

    fn text(&self) -> Vec<u8> {
        let CellGrid { columns, rows, .. } = self.grid;
        let mut text = format!("type octile\nheight {rows}\nwidth {columns}\nmap\n").into_bytes();
        text.reserve((columns + 1) * rows);
        for row in self.letters.chunks_exact(columns).rev() {
            text.extend_from_slice(row);
            text.push(b'\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::test_level::{apply, obstacle};

    fn map_of(obstacles: &[Polygon], size: f64, cell: f64) -> Vec<String> {
        let level = apply(
            DVec2::splat(size),
            obstacles.iter().cloned().map(obstacle).collect(),
        );
        let options = GridExportOptions {
            cell,
            ..GridExportOptions::default()
        };
        let file = map(&level, &options, &JobContext::default());
        let text = String::from_utf8(file.expect("fits").0).expect("is text");
        text.lines().skip(4).map(str::to_owned).collect()
    }

    fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
        Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
    }

    #[test]
    fn whole_cells_are_filled_and_their_neighbours_left_alone() {
        let map = map_of(&[rect(1.0, 1.0, 3.0, 2.0)], 4.0, 1.0);
        assert_eq!(map, ["....", "....", ".@@.", "...."]);
        let fine = map_of(&[rect(0.3, 0.1, 0.4, 0.2)], 0.5, 0.1);
        assert_eq!(fine, [".....", ".....", ".....", "...@.", "....."]);
    }

    #[test]
    fn a_thin_wall_stays_closed() {
        let map = map_of(&[rect(0.0, 2.4, 4.0, 2.5)], 4.0, 1.0);
        assert_eq!(map, ["....", "@@@@", "....", "...."]);
        let aslant = Polygon::new(
            [(0.0, 0.0), (4.0, 4.0), (3.99, 4.0)]
                .map(DVec2::from)
                .to_vec(),
        );
        assert_eq!(
            map_of(&[aslant], 4.0, 1.0),
            ["..@@", ".@@.", "@@..", "@..."]
        );
    }

    #[test]
    fn a_hole_is_free_and_bounds_between_cells_are_blocked() {
        let mut ring = rect(0.0, 0.0, 3.0, 3.0);
        ring.holes.push(rect(1.0, 1.0, 2.0, 2.0).outer);
        assert_eq!(map_of(&[ring], 3.0, 1.0), ["@@@", "@.@", "@@@"]);
        assert_eq!(map_of(&[], 2.5, 1.0), ["@@@", "..@", "..@"]);
    }

    #[test]
    fn too_many_cells_are_refused_with_a_remedy() {
        let level = apply(DVec2::splat(1e5), Vec::new());
        let refused = map(
            &level,
            &GridExportOptions::default(),
            &JobContext::default(),
        );
        assert_eq!(
            refused.expect_err("too large").to_string(),
            "100000 × 100000 cells are too many (at most 4194304); choose a larger --cell"
        );
    }
}
