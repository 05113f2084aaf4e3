//! Grid maps of the Moving AI path-finding benchmarks (Sturtevant 2012).
//!
//! `.`, `G` and `S` (swamp) can be walked, `@` and `O` are out of bounds, `T` are trees, `W` is
//! water, which cannot be entered from land. The first row of the file is the top of the level.

use super::{
    ImportError, ImportOptions, Imported, Source,
    drawing::{self, Draft, Warnings},
    scanner,
    scenario::{self, Scenario, Trip},
};
use crate::base::EntityId;
use crate::document::{
    Agent, Entity, Goal, Heading, Kind, Mission, Obstacle, Profile, Region, Settings, limits,
};
use crate::geometry::trace::{CellGrid, Patches};
use crate::geometry::{MAX_COORDINATE, Polygon, Rect};
use crate::jobs::JobContext;
use glam::DVec2;

/// Cells that a map may have: 2048 × 2048.
pub const MAX_CELLS: usize = 1 << 22;

/// Separate areas that one kind of cell may form.
const MAX_PATCHES: usize = 100_000;

/// What becomes of water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Water {
    /// An obstacle on a region of water: as in the benchmarks, where none can walk into it.
    #[default]
    Blocks,
    /// A region of water that costs more.
    Terrain,
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

pub(super) fn read(
    map_source: &Source,
    scenario_source: Option<&Source>,
    options: &ImportOptions,
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
    // Rows are counted against the text that is there before any memory is taken for them.
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
    options: &ImportOptions,
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
    let fits = |trip: &Trip| {
        [trip.width as usize, trip.height as usize] == [map.width, height]
            && can_stand(trip.start).is_some()
            && can_stand(trip.goal).is_some()
    };
    let trips: Vec<&Trip> = scenario.trips.iter().filter(|trip| fits(trip)).collect();
    if trips.len() < scenario.trips.len() {
        warnings.add(format!(
            "{} of {} trips of the scenario do not fit this map and were left out",
            scenario.trips.len() - trips.len(),
            scenario.trips.len()
        ));
    }
    let count = options.agents.min(trips.len());
    for i in 0..count {
        // Scenarios are sorted by length: taken evenly, there are short trips and long ones.
        let trip = trips[i * trips.len() / count];
        let [start, goal] = [trip.start, trip.goal]
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
    if count < trips.len() && count > 0 {
        warnings.add(format!(
            "{count} of {} trips of the scenario became agents; --agents takes another number",
            trips.len()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::import_unguarded;
    use super::super::tests::{read as read_text, read_with, refusal, source};
    use super::*;
    use crate::exchange::{ExportOptions, Format, export};

    const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n@@@@@@\n@.SSW@\n@GT.W@\n@@@@@@\n";

    #[test]
    fn cells_become_walls_trees_water_and_swamp() {
        let imported = read_text("small.map", MAP).expect("sound");
        let level = &imported.level;
        assert_eq!(level.settings().name, "small");
        assert_eq!(level.settings().bounds.max, DVec2::new(6.0, 4.0));
        let names: Vec<String> = level.obstacles().map(|(id, e, _)| e.label(id)).collect();
        assert_eq!(names, ["Wall 1", "Trees 1", "Water 1"]);
        let areas: Vec<f64> = level.obstacles().map(|(_, _, o)| o.area.area()).collect();
        assert_eq!(areas, [16.0, 1.0, 2.0]);
        let regions: Vec<(String, Rect)> = level
            .regions()
            .map(|(_, _, r)| (level.label(r.terrain), r.area.bounds()))
            .collect();
        // The swamp is in the file's second row, so in the level's third from below.
        let swamp = Rect::new(DVec2::new(2.0, 2.0), DVec2::new(4.0, 3.0));
        assert_eq!(regions[0], ("Swamp".to_owned(), swamp));
        assert_eq!(regions[1].0, "Water");
    }

    #[test]
    fn the_cell_size_and_the_water_are_a_matter_of_choice() {
        let options = ImportOptions {
            cell: 0.5,
            water: Water::Terrain,
            ..ImportOptions::default()
        };
        let imported = read_with("small.map", MAP, &options).expect("sound");
        assert_eq!(imported.level.settings().bounds.max, DVec2::new(3.0, 2.0));
        assert_eq!(imported.level.obstacles().count(), 2);
        let profile = imported.level.profiles().next().expect("is there").2;
        assert_eq!(profile.body.radius, 0.2);
    }

    #[test]
    fn a_map_written_again_is_the_same() {
        let imported = read_text("small.map", MAP).expect("sound");
        let options = ExportOptions::default();
        let again = export(
            &imported.level,
            Format::MovingAi,
            &options,
            &JobContext::default(),
        );
        let text = String::from_utf8(again.expect("fits").bytes).expect("is text");
        assert_eq!(text, MAP.replace('G', "."));
    }

    #[test]
    fn a_scenario_becomes_agents() {
        let scenario = "version 1\n\
            0\tsmall.map\t6\t4\t1\t1\t3\t2\t2.41421356\n\
            0\tsome folder/small.map\t6\t4\t1\t2\t1\t1\t1\n\
            0\tsmall.map\t6\t4\t0\t0\t1\t1\t1\n\
            3\tsmall.map\t9\t9\t1\t1\t1\t2\t1\n";
        let sources = [source("small.map", MAP), source("small.map.scen", scenario)];
        let context = JobContext::default();
        let imported = import_unguarded(&sources, &ImportOptions::default(), &context);
        let imported = imported.expect("sound");
        let agents: Vec<&Agent> = imported.level.agents().map(|(_, _, a)| a).collect();
        assert_eq!(agents.len(), 2);
        assert_eq!(agents[0].start.truncate(), DVec2::new(1.5, 2.5));
        let goal = DVec2::new(3.5, 1.5).extend(0.0);
        assert_eq!(agents[0].mission.goals, [Goal::At(goal)]);
        assert!(imported.warnings[0].starts_with("2 of 4 trips"));

        let bad = [
            source("small.map", MAP),
            source("x.scen", "version 1\n\n1 2 3\n"),
        ];
        let refused = import_unguarded(&bad, &ImportOptions::default(), &context);
        let refused = refused.expect_err("no trip").to_string();
        assert!(
            refused.starts_with("x.scen:3:1: this is not a trip"),
            "{refused}"
        );
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let map = |rows: &str| format!("type octile\nheight 2\nwidth 3\nmap\n{rows}");
        for (text, sentence) in [
            (
                map("...\n.x.\n"),
                "a.map:6:2: `x` is no kind of cell; there are . G S W T @ O",
            ),
            (
                map("...\n..\n"),
                "a.map:6:3: this row has 2 cells; the header announces 3",
            ),
            (
                map("...\n....\n"),
                "a.map:6:4: this row has 4 cells; the header announces 3",
            ),
            (map("...\n"), "a.map:5:1: the map ends after 1 of 2 rows"),
            (
                map("...\n...\n...\n"),
                "a.map:7:1: there are more than the 2 rows announced",
            ),
            (map("...\n...\n\n"), ""),
            (
                "height 2\nmap\n".to_owned(),
                "a.map:2:1: the header does not tell the width",
            ),
            (
                "height -2\nwidth 1\nmap\n".to_owned(),
                "a.map:1:8: the height must be a number from 1 to 4194304",
            ),
            (
                "height 4194304\nwidth 4194304\nmap\n".to_owned(),
                "a.map:3:1: 4194304 × 4194304 cells are too many; at most 4194304 are read",
            ),
            (
                "height 4194304\nwidth 1\nmap\n".to_owned(),
                "a.map:3:1: the map ends after 0 of 4194304 rows",
            ),
            (
                "PNG\n".to_owned(),
                "a.map:1:1: this is not a Moving AI map: its header is `type octile`, `height …`, `width …`, `map`",
            ),
            (
                String::new(),
                "a.map:1:1: the header does not tell the height",
            ),
        ] {
            let found = read_text("a.map", text)
                .err()
                .map_or_else(String::new, |e| e.to_string());
            assert_eq!(found, sentence);
        }
        assert!(refusal("a.map", "height 1\nwidth 1\nmap\né\n").contains("`é`"));
    }

    #[test]
    fn a_chequered_map_is_refused_before_memory_is_taken() {
        let row = |shift: usize| -> String {
            (0..2048)
                .map(|i| {
                    if (i + shift).is_multiple_of(2) {
                        '.'
                    } else {
                        '@'
                    }
                })
                .collect()
        };
        let mut text = "type octile\nheight 2048\nwidth 2048\nmap\n".to_owned();
        for i in 0..2048 {
            text += &row(i);
            text.push('\n');
        }
        assert!(refusal("a.map", text).contains("2097152 separate areas"));
    }
}
