//! Maps to compare planners on: generated ones of the kinds that planners are measured on
//! elsewhere, or those of a folder.

use crate::base::Random;
use crate::document::Level;
use crate::exchange::import::{self, ImportRequest, Source};
use crate::jobs::JobContext;
use crate::lab::{LabError, scene};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Cells of a grid map that can be walked on.
struct Grid {
    side: usize,
    is_free: Vec<bool>,
}

impl Grid {
    fn new(side: usize, is_free: bool) -> Self {
        Self {
            side,
            is_free: vec![is_free; side * side],
        }
    }

    fn at(&mut self, x: usize, y: usize) -> &mut bool {
        &mut self.is_free[y * self.side + x]
    }

    /// As a Moving AI map, and that as a level.
    fn level(&self, ctx: &JobContext) -> Result<Level, LabError> {
        let mut text = format!("type octile\nheight {0}\nwidth {0}\nmap\n", self.side);
        for row in self.is_free.chunks(self.side) {
            let line: String = row
                .iter()
                .map(|free| if *free { '.' } else { '@' })
                .collect();
            let _ = writeln!(text, "{line}");
        }
        let source = Source::new("generated.map", text);
        let imported = import::import_sources(&[source], &ImportRequest::default(), ctx);
        imported
            .map(|imported| imported.level)
            .map_err(|error| LabError::Unavailable(error.to_string()))
    }
}

pub(super) fn generated(ctx: &JobContext) -> Result<Vec<(String, Level)>, LabError> {
    let grids = [
        ("caves 256²", caves(256, 3)),
        ("rooms 512²", rooms(512, 8)),
        ("maze 512², width 1", maze(512, 1)),
        ("maze 512², width 8", maze(512, 8)),
    ];
    let mut levels = Vec::new();
    for (name, grid) in grids {
        ctx.stage(format!("Drawing {name}"));
        levels.push((name.to_owned(), grid.level(ctx)?));
        ctx.checkpoint()?;
    }
    levels.push(("town of 1000 houses".to_owned(), scene::town(1000, 10)?));
    Ok(levels)
}

/// Walls of chance, smoothed: what is mostly wall around becomes wall.
fn caves(side: usize, rounds: usize) -> Grid {
    let mut random = Random::new(7);
    let mut grid = Grid::new(side, true);
    for cell in &mut grid.is_free {
        *cell = !random.chance(0.42);
    }
    for _ in 0..rounds {
        let before = grid.is_free.clone();
        for y in 0..side {
            for x in 0..side {
                let around = (y.saturating_sub(1)..(y + 2).min(side))
                    .flat_map(|y| (x.saturating_sub(1)..(x + 2).min(side)).map(move |x| (x, y)));
                let free = around.filter(|(x, y)| before[y * side + x]).count();
                *grid.at(x, y) = free >= 5;
            }
        }
    }
    grid
}

/// Square rooms of `width`, with a door of one cell in most walls between two of them.
fn rooms(side: usize, width: usize) -> Grid {
    let mut random = Random::new(8);
    let mut grid = Grid::new(side, true);
    for wall in (0..side).step_by(width + 1) {
        for i in 0..side {
            *grid.at(wall, i) = false;
            *grid.at(i, wall) = false;
        }
    }
    for wall in (width + 1..side).step_by(width + 1) {
        for room in (0..side - width).step_by(width + 1) {
            let doors = [random.below(width), random.below(width)];
            if random.chance(0.8) {
                *grid.at(wall, room + 1 + doors[0]) = true;
            }
            if random.chance(0.8) {
                *grid.at(room + 1 + doors[1], wall) = true;
            }
        }
    }
    grid
}

/// Corridors of `width` between walls of one cell, without loops.
fn maze(side: usize, width: usize) -> Grid {
    let mut random = Random::new(9);
    let mut grid = Grid::new(side, false);
    let step = width + 1;
    let count = (side - 1) / step;
    let mut is_seen = vec![false; count * count];
    let mut open = |from: (usize, usize), to: (usize, usize)| {
        let low = |a: usize, b: usize| 1 + a.min(b) * step;
        let high = |a: usize, b: usize| 1 + a.max(b) * step + width;
        for y in low(from.1, to.1)..high(from.1, to.1) {
            for x in low(from.0, to.0)..high(from.0, to.0) {
                *grid.at(x, y) = true;
            }
        }
    };
    let mut trail = vec![(0_usize, 0_usize)];
    is_seen[0] = true;
    while let Some(&(x, y)) = trail.last() {
        let beside = [
            (x.wrapping_sub(1), y),
            (x + 1, y),
            (x, y.wrapping_sub(1)),
            (x, y + 1),
        ];
        let free: Vec<_> = (beside.into_iter())
            .filter(|&(x, y)| x < count && y < count && !is_seen[y * count + x])
            .collect();
        let Some(&next) = random.pick(&free) else {
            trail.pop();
            continue;
        };
        is_seen[next.1 * count + next.0] = true;
        open((x, y), next);
        trail.push(next);
    }
    grid
}

/// Every level, grid map and navigation mesh in a folder.
pub(super) fn of_folder(folder: &Path, ctx: &JobContext) -> Result<Vec<(String, Level)>, LabError> {
    let entries = std::fs::read_dir(folder)?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let mut levels = Vec::new();
    for file in files {
        let Some(name) = file
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned())
        else {
            continue;
        };
        ctx.stage(format!("Reading {name}"));
        let endings = ["ron", "map", "mesh"];
        if !endings
            .iter()
            .any(|ending| file.extension() == Some(ending.as_ref()))
        {
            continue;
        }
        let read = import::import(&[file], &ImportRequest::default(), ctx);
        let imported = read.map_err(|error| LabError::Unavailable(error.to_string()))?;
        levels.push((name, imported.level));
        ctx.checkpoint()?;
    }
    if levels.is_empty() {
        let folder = folder.display();
        let message = format!("{folder}: there is no .ron, .map or .mesh file in it");
        return Err(LabError::Unavailable(message));
    }
    Ok(levels)
}
