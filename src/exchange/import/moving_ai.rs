//! Grid maps of the Moving AI path-finding benchmarks (Sturtevant 2012).
//!
//! `.`, `G` and `S` (swamp) can be walked, `@` and `O` are out of bounds, `T` are trees, `W` is
//! water, which cannot be entered from land. The first row of the file is the top of the level.

mod options;

pub(super) use options::CELL;
pub use options::{GridMapOptions, Water};

use super::{
    ImportError, Imported, Source,
    drawing::{self, Draft, Warnings},
    scanner,
    scenario::{self, Scenario, ScenarioQuery},
};
use crate::base::EntityId;
use crate::document::{
    Agent, Entity, Goal, Heading, Kind, Mission, Obstacle, Profile, Region, Settings, limits,
};
use crate::exchange::reader::{ImportInput, Reader};
use crate::exchange::registry::FormatRow;
use crate::geometry::trace::{CellGrid, Patches};
use crate::geometry::{MAX_COORDINATE, Polygon, Rect};
use crate::jobs::JobContext;
use glam::DVec2;
use std::path::{Path, PathBuf};

/// Cells that a map may have: 2048 × 2048.
pub const MAX_CELLS: usize = 1 << 22;

/// Separate areas that one kind of cell may form.
const MAX_PATCHES: usize = 100_000;

/// Reads a map, a scenario with its map, or both.
#[derive(Debug)]
pub struct MovingAiReader;

/// The id of the format of scenarios, which this reader tells from maps.
const SCENARIO: &str = "movingai-scen";

impl Reader for MovingAiReader {
    type Options = GridMapOptions;

    fn read(
        &self,
        input: &ImportInput<'_>,
        options: &GridMapOptions,
        ctx: &JobContext,
    ) -> Result<Imported, ImportError> {
        let files = || input.sources.iter().zip(input.formats);
        let of = |is_scenario: bool| -> Vec<&Source> {
            files()
                .filter(|(_, format)| (format.id == SCENARIO) == is_scenario)
                .map(|(source, _)| source)
                .collect()
        };
        let (maps, scenarios) = (of(false), of(true));
        let [map] = maps[..] else {
            return Err(ImportError::within(
                input.name(),
                match maps.len() {
                    0 => "the map that this scenario belongs to is missing; name it as well",
                    _ => "only one map can be read at a time",
                },
            ));
        };
        read(map, scenarios.first().copied(), options, ctx)
    }

    /// `X.map.scen` beside `X.map`, and the other way round.
    fn companion(
        &self,
        path: &Path,
        format: &FormatRow,
        options: &GridMapOptions,
    ) -> Option<PathBuf> {
        if format.id == SCENARIO {
            return Some(path.with_extension(""));
        }
        let mut name = path.as_os_str().to_owned();
        name.push(".scen");
        (options.agents > 0).then(|| PathBuf::from(name))
    }
}

/// The tags that export turns back into the letters of a map.
pub(crate) mod cell_tag {
    pub const TREES: &str = "trees";
    pub const WATER: &str = "water";
}

/// The cells as letters, the top row first.
struct Map<'a> {
    rows: Vec<&'a [u8]>,
    width: usize,
}

impl Map<'_> {
    /// Whether any cell is one of these.
    fn has(&self, letters: &[u8]) -> bool {
        self.rows
            .iter()
            .any(|row| letters.iter().any(|letter| row.contains(letter)))
    }

    /// Columns from the left, rows from the bottom.
    fn at(&self, column: usize, row: usize) -> u8 {
        self.rows[self.rows.len() - 1 - row][column]
    }
}

fn read(
    map_source: &Source,
    scenario_source: Option<&Source>,
    options: &GridMapOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    let file = &map_source.name;
    let map = parse(map_source)?;
    let grid = CellGrid {
        origin: DVec2::ZERO,
        cell: options.cell,
        columns: map.width,
        rows: map.rows.len(),
    };
    let extent = grid.corner(grid.columns, grid.rows);
    if extent.max_element() > MAX_COORDINATE {
        return Err(ImportError::within(
            file,
            format!(
                "with cells of {} m the map is {:.0} m large; import with a smaller --cell",
                options.cell,
                extent.max_element()
            ),
        ));
    }
    context.stage("Tracing cells");
    let mut draft = Draft::default();
    let mut warnings = Warnings::default();
    let radius = limits::RADIUS.default.min(0.4 * options.cell);
    let mut profile = Profile::default();
    profile.body.radius = limits::RADIUS.clamp(radius);
    let profile = draft.create(Entity::new("Pedestrian", Kind::Profile(profile)));
    let outlines = |letters: &[u8]| -> Result<Vec<Polygon>, ImportError> {
        context.checkpoint()?;
        if !map.has(letters) {
            return Ok(Vec::new());
        }
        let is_meant = table(letters);
        let patches = Patches::of(&grid, |column, row| {
            is_meant[usize::from(map.at(column, row))]
        });
        if patches.count() > MAX_PATCHES {
            return Err(ImportError::within(
                file,
                format!(
                    "the map falls into {} separate areas; at most {MAX_PATCHES} are read",
                    patches.count()
                ),
            ));
        }
        Ok(patches.polygons())
    };
    for (letter, terrain) in [(b'S', "Swamp"), (b'W', "Water")] {
        let areas = outlines(&[letter])?;
        if areas.is_empty() {
            continue;
        }
        let style = drawing::usual_terrain(terrain);
        let terrain = draft.create(Entity::new(terrain, Kind::Terrain(style)));
        for area in areas {
            draft.create(Entity::new("", Kind::Region(Region { area, terrain })));
        }
    }
    for (letters, name, tag) in [
        (&b"@O"[..], "Wall", None),
        (b"T", "Trees", Some(cell_tag::TREES)),
        (b"W", "Water", Some(cell_tag::WATER)),
    ] {
        if letters == b"W" && options.water == Water::Terrain {
            continue;
        }
        for (i, area) in outlines(letters)?.into_iter().enumerate() {
            let kind = Kind::Obstacle(Obstacle::new(area));
            let entity = Entity::new(format!("{name} {}", i + 1), kind);
            draft.create(match tag {
                Some(tag) => entity.tagged(tag),
                None => entity,
            });
        }
    }
    if let Some(source) = scenario_source {
        let scenario = scenario::read(source)?;
        add_agents(&mut draft, profile, &map, &scenario, options, &mut warnings);
    }
    let mut settings = Settings {
        name: drawing::stem(std::slice::from_ref(map_source)),
        notes: format!(
            "A Moving AI map of {} × {} cells.",
            map.width,
            map.rows.len()
        ),
        bounds: Rect::new(DVec2::ZERO, extent),
        ..Settings::default()
    };
    settings.grid.spacing = limits::GRID_SPACING.clamp(options.cell);
    // Thin or tiny maps of small cells: a level is at least 0.1 m each way.
    settings.bounds.max = settings.bounds.max.max(DVec2::splat(0.1));
    let level = draft.level(settings, file)?;
    Ok(Imported::new(level, warnings.into_list()))
}

/// Letters by their number: maps are large, and every cell is asked.
fn table(letters: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    for letter in letters {
        table[usize::from(*letter)] = true;
    }
    table
}

fn parse(source: &Source) -> Result<Map<'_>, ImportError> {
    let text = scanner::text(source)?;
    let at = |line: usize, column: usize, message: String| ImportError::At {
        file: source.name.clone(),
        line,
        column,
        message,
    };
    let mut lines = text.lines().enumerate();
    let (mut height, mut width) = (None, None);
    let mut last = 0;
    for (i, line) in lines.by_ref() {
        last = i + 1;
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some("map"), _) => break,
            (Some("type"), Some(_)) | (None, _) => {}
            (Some("height"), Some(number)) => height = Some((i + 1, number)),
            (Some("width"), Some(number)) => width = Some((i + 1, number)),
            _ => {
                let message = "this is not a Moving AI map: its header is `type octile`, \
                               `height …`, `width …`, `map`";
                return Err(at(i + 1, 1, message.to_owned()));
            }
        }
    }
    let size = |given: Option<(usize, &str)>, what: &str| -> Result<usize, ImportError> {
        let (line, number) = given.ok_or_else(|| {
            at(
                last.max(1),
                1,
                format!("the header does not tell the {what}"),
            )
        })?;
        match number.parse::<usize>() {
            Ok(size) if (1..=MAX_CELLS).contains(&size) => Ok(size),
            _ => Err(at(
                line,
                what.len() + 2,
                format!("the {what} must be a number from 1 to {MAX_CELLS}"),
            )),
        }
    };
    let (height, width) = (size(height, "height")?, size(width, "width")?);
    if height.saturating_mul(width) > MAX_CELLS {
        return Err(at(
            last,
            1,
            format!("{width} × {height} cells are too many; at most {MAX_CELLS} are read"),
        ));
    }
    // Rows are counted against the text before any memory is taken for them.
    let mut rows = Vec::new();
    let is_known = table(b".GSWT@O");
    for (i, line) in lines {
        if rows.len() == height {
            if line.trim().is_empty() {
                continue;
            }
            return Err(at(
                i + 1,
                1,
                format!("there are more than the {height} rows announced"),
            ));
        }
        let row = line.trim_end_matches('\r').as_bytes();
        if let Some(column) = row.iter().position(|b| !is_known[usize::from(*b)]) {
            let letter = line.get(column..).and_then(|rest| rest.chars().next());
            let letter = letter.unwrap_or('?').escape_debug();
            return Err(at(
                i + 1,
                column + 1,
                format!("`{letter}` is no kind of cell; there are . G S W T @ O"),
            ));
        }
        if row.len() != width {
            return Err(at(
                i + 1,
                row.len().min(width) + 1,
                format!(
                    "this row has {} cells; the header announces {width}",
                    row.len()
                ),
            ));
        }
        rows.push(row);
    }
    if rows.len() < height {
        return Err(at(
            text.lines().count().max(1),
            1,
            format!("the map ends after {} of {height} rows", rows.len()),
        ));
    }
    Ok(Map { rows, width })
}

fn add_agents(
    draft: &mut Draft,
    profile: EntityId,
    map: &Map<'_>,
    scenario: &Scenario,
    options: &GridMapOptions,
    warnings: &mut Warnings,
) {
    let height = map.rows.len();
    let can_stand = |[x, y]: [u32; 2]| {
        let row = map.rows.get(y as usize)?;
        let letter = row.get(x as usize)?;
        let blocked = match options.water {
            Water::Blocks => &b"@OTW"[..],
            Water::Terrain => b"@OT",
        };
        (!blocked.contains(letter)).then_some(())
    };
    let fits = |query: &ScenarioQuery| {
        [query.width as usize, query.height as usize] == [map.width, height]
            && can_stand(query.start).is_some()
            && can_stand(query.goal).is_some()
    };
    let queries: Vec<&ScenarioQuery> = scenario
        .queries
        .iter()
        .filter(|query| fits(query))
        .collect();
    if queries.len() < scenario.queries.len() {
        warnings.add(format!(
            "{} of {} queries of the scenario do not fit this map and were left out",
            scenario.queries.len() - queries.len(),
            scenario.queries.len()
        ));
    }
    let count = options.agents.min(queries.len());
    for i in 0..count {
        // Scenarios are sorted by length: taken evenly, there are short queries and long ones.
        let query = queries[i * queries.len() / count];
        let [start, goal] = [query.start, query.goal]
            .map(|cell| Scenario::place(cell, height, options.cell).extend(0.0));
        let mut mission = Mission::new(profile);
        mission.goals.push(Goal::At(goal));
        let heading = Heading::of((goal - start).truncate());
        let agent = Agent {
            start,
            heading,
            mission,
        };
        draft.create(Entity::new(format!("Agent {}", i + 1), Kind::Agent(agent)));
    }
    if count < queries.len() && count > 0 {
        warnings.add(format!(
            "{count} of {} queries of the scenario became agents; --agents takes another number",
            queries.len()
        ));
    }
}

#[cfg(test)]
mod tests;
