//! A database as JuPedSim writes it, version 2: positions with the walkable area.

use super::{RATE, RATE_WORDS, beside_trajectories, exported, refused};
use crate::document::Level;
use crate::exchange::export::{ExportError, Exported, LeftOut, blocking, wkt};
use crate::exchange::motion::Motion;
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use rusqlite::Connection;
use xxhash_rust::xxh3::xxh3_64;

/// JuPedSim's tables.
const SCHEMA: &str = "
    CREATE TABLE trajectory_data (
        frame INTEGER NOT NULL, id INTEGER NOT NULL,
        pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
    CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
";

/// As JuPedSim makes it, once the rows are there.
const INDEX: &str = "CREATE INDEX frame_id_idx ON trajectory_data (frame, id);";

#[derive(Clone, Debug, Default, PartialEq)]
pub struct JuPedSimOptions {
    /// As recorded if `None`. Unit: frames per second.
    pub fps: Option<f64>,
    /// Whose body decides what blocks.
    pub profile: Option<String>,
}

impl FormatOptions for JuPedSimOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::automatic_number(RATE_WORDS, RATE, |o: &mut Self| &mut o.fps),
        Field::profile(
            ["profile", "Profile", "Whose body decides what blocks"],
            |o| &mut o.profile,
        ),
    ];
}

#[derive(Debug)]
pub struct JuPedSimWriter;

impl Writer for JuPedSimWriter {
    type Options = JuPedSimOptions;

    fn takes_recording(&self) -> bool {
        true
    }

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        beside_trajectories(level, true)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let level = &*input.level;
        let body = blocking::body_of(level, options.profile.as_deref())?;
        let free = blocking::walkable(level, &body);
        let motion = Motion::of(input, options.fps, ctx)?;
        let mut told = exported(&motion);
        let (area, parts) = busiest(free, &motion)?;
        if parts > 1 {
            told.warnings.push(format!(
                "the walkable area falls into {parts} parts; the one with most agents is written, \
                 since JuPedSim accepts one"
            ));
        }
        let database = database(&motion, &area, level.settings().bounds, ctx)?;
        sink.write_main(database)?;
        Ok(told)
    }
}

/// Of the parts of the walkable area, the one that most agents start in, and how many there are.
fn busiest(free: Vec<Polygon>, motion: &Motion) -> Result<(Polygon, usize), ExportError> {
    let parts = free.len();
    let starts = |area: &Polygon| {
        let first = motion.walkers.iter().filter_map(|w| w.points.first());
        first.filter(|p| area.contains(p.truncate())).count()
    };
    let best = free.into_iter().max_by(|a, b| {
        let by_area = a.area().total_cmp(&b.area());
        starts(a).cmp(&starts(b)).then(by_area)
    });
    let best = best.ok_or_else(|| {
        ExportError::Refused("obstacles cover the whole level: nobody can walk".to_owned())
    })?;
    Ok((best, parts))
}

fn database(
    motion: &Motion,
    area: &Polygon,
    bounds: Rect,
    ctx: &JobContext,
) -> Result<Vec<u8>, ExportError> {
    let failed = |error: rusqlite::Error| refused("the database cannot be made", &error);
    let mut base = Connection::open_in_memory().map_err(failed)?;
    base.execute_batch(SCHEMA).map_err(failed)?;
    let text = wkt::polygon(area);
    // Any number that tells geometries apart.
    let hash = (xxh3_64(text.as_bytes()) >> 1) as i64;
    let within = |pick: fn(f64, f64) -> f64, axis: usize, corner: f64| {
        let points = motion.walkers.iter().flat_map(|walker| &walker.points);
        points.map(|p| p[axis]).fold(corner, pick)
    };
    let metadata = [
        ("version", "2".to_owned()),
        ("fps", motion.rate().to_string()),
        ("xmin", within(f64::min, 0, bounds.min.x).to_string()),
        ("xmax", within(f64::max, 0, bounds.max.x).to_string()),
        ("ymin", within(f64::min, 1, bounds.min.y).to_string()),
        ("ymax", within(f64::max, 1, bounds.max.y).to_string()),
    ];
    let rows = base.transaction().map_err(failed)?;
    {
        let mut insert = rows
            .prepare("INSERT INTO metadata VALUES (?1, ?2)")
            .map_err(failed)?;
        for (key, value) in metadata {
            insert.execute((key, value)).map_err(failed)?;
        }
        rows.execute("INSERT INTO geometry VALUES (?1, ?2)", (hash, text))
            .map_err(failed)?;
        let mut frame_row = rows
            .prepare("INSERT INTO frame_data VALUES (?1, ?2)")
            .map_err(failed)?;
        let mut row = rows
            .prepare("INSERT INTO trajectory_data VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            .map_err(failed)?;
        let headings: Vec<Vec<f64>> = motion
            .walkers
            .iter()
            .map(crate::exchange::motion::Walker::headings)
            .collect();
        for frame in 0..motion.frames {
            if frame % 64 == 0 {
                ctx.checkpoint()?;
            }
            frame_row.execute((frame as i64, hash)).map_err(failed)?;
            for (walker, headings) in motion.walkers.iter().zip(&headings) {
                let Some(at) = walker.at(frame) else {
                    continue;
                };
                let (y, x) = headings[frame - walker.first].sin_cos();
                let values = (frame as i64, walker.number, at.x, at.y, x, y);
                row.execute(values).map_err(failed)?;
            }
        }
    }
    rows.commit().map_err(failed)?;
    base.execute_batch(INDEX).map_err(failed)?;
    Ok(base.serialize("main").map_err(failed)?.to_vec())
}
