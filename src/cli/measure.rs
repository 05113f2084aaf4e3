//! `wayloom measure`

use super::replay::{People, Recorded, open};
use super::{Answer, console::Console, load, output_file};
use crate::document::{Level, format};
use crate::geometry::{Polygon, Rect, boolean};
use crate::jobs::JobContext;
use crate::sim::measures::{
    AreaFigures, CutOff, Frames, LineFigures, Measurement, MeasuringArea, MeasuringLine, Travel,
    Walkable, area_figures, evacuation_curve, line_figures, measuring_areas, measuring_lines,
    travels,
};
use anyhow::bail;
use clap::Args;
use glam::DVec2;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Take figures from recordings: who arrives when, flows at lines, densities and speeds in areas
///
/// Reads recordings of runs and trajectories of real people as text. Without --line and --area, the
/// level's own measuring lines and areas are used. Density is taken twice: people by area, and by
/// Voronoi cells, as PedPy does.
#[derive(Debug, Args)]
pub(super) struct Measure {
    /// Recordings, or trajectories as text
    #[arg(required = true, value_name = "RUN.wlrec")]
    pub runs: Vec<PathBuf>,
    /// Count who crosses this line
    #[arg(long, value_name = "[NAME=]X0,Y0,X1,Y1", value_parser = line, allow_hyphen_values = true)]
    pub line: Vec<MeasuringLine>,
    /// Take density and speed in this rectangle
    #[arg(long, value_name = "[NAME=]X0,Y0,X1,Y1", value_parser = rectangle, allow_hyphen_values = true)]
    pub area: Vec<MeasuringArea>,
    /// Only from this time on, in seconds
    #[arg(long, value_name = "S", value_parser = super::args::seconds)]
    pub from: Option<f64>,
    /// Only until this time, in seconds
    #[arg(long, value_name = "S", value_parser = super::args::seconds)]
    pub until: Option<f64>,
    /// How far Voronoi cells reach, in metres; 0 for as far as they do
    #[arg(long, value_name = "R", value_parser = super::args::seconds, default_value = "0.8")]
    pub cut_off: f64,
    /// Walls, where the recording has none: a level
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<PathBuf>,
    /// Write tables into this folder: evacuation, travels, lines, areas
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub people: People,
    /// Overwrite tables that exist
    #[arg(long)]
    pub force: bool,
}

fn named(text: &str) -> Result<(String, [f64; 4]), String> {
    let (name, numbers) = text.rsplit_once('=').unwrap_or(("", text));
    let values: Option<Vec<f64>> = numbers
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    match values.as_deref() {
        Some(&[x0, y0, x1, y1]) if [x0, y0] != [x1, y1] => {
            Ok((name.trim().to_owned(), [x0, y0, x1, y1]))
        }
        _ => {
            Err("write it as X0,Y0,X1,Y1 or NAME=X0,Y0,X1,Y1, for example Door=2,0,2,1".to_owned())
        }
    }
}

fn line(text: &str) -> Result<MeasuringLine, String> {
    let (name, [x0, y0, x1, y1]) = named(text)?;
    Ok(MeasuringLine {
        name: if name.is_empty() {
            text.to_owned()
        } else {
            name
        },
        ends: [DVec2::new(x0, y0), DVec2::new(x1, y1)],
    })
}

fn rectangle(text: &str) -> Result<MeasuringArea, String> {
    let (name, [x0, y0, x1, y1]) = named(text)?;
    let rect = Rect::spanning(DVec2::new(x0, y0), DVec2::new(x1, y1));
    if rect.size().min_element() <= 0.0 {
        return Err("the rectangle has no area".to_owned());
    }
    Ok(MeasuringArea {
        name: if name.is_empty() {
            text.to_owned()
        } else {
            name
        },
        area: Polygon::rect(rect),
    })
}

pub(super) fn run(options: &Measure, console: &Console) -> anyhow::Result<Answer> {
    if let Some(folder) = &options.out {
        std::fs::create_dir_all(folder)?;
    }
    let given = options.level.as_deref().map(load).transpose()?;
    let mut text = String::new();
    let mut objects = Vec::new();
    for path in &options.runs {
        let recorded = open(path, options.people)?;
        let own = match (&given, &recorded) {
            (Some(given), _) => Some(given.level.clone()),
            (None, Recorded::Run(run)) if !run.level().is_empty() => {
                Some(format::read(run.level())?.level)
            }
            _ => None,
        };
        let figures = console.with_progress("Measuring", |ctx| {
            Figures::take(options, &recorded, own.as_ref(), ctx)
        })?;
        text += &figures.text(path);
        objects.push(figures.object(path));
        if let Some(folder) = &options.out {
            figures.write(folder, path, options.force)?;
        }
    }
    let object = match objects.len() {
        1 => objects.remove(0),
        _ => json!({ "runs": objects }),
    };
    console.result(&text, &object);
    Ok(Answer::Yes)
}

struct Figures {
    appeared: usize,
    seconds: f64,
    interval: f64,
    curve: Vec<(f64, u64)>,
    travels: Vec<Travel>,
    lines: Vec<LineFigures>,
    areas: Vec<AreaFigures>,
}

/// Where people can be: of a level, or around all positions.
fn walkable(level: Option<&Level>, frames: &Frames) -> Walkable {
    let Some(level) = level else {
        let positions = frames.frames.iter().flatten();
        let extent = positions.fold(Rect::EMPTY, |all, p| all.including(p.at));
        return Walkable::new(&[Polygon::rect(extent.expanded(1.0))]);
    };
    let obstacles: Vec<Polygon> = level
        .obstacles()
        .filter(|(.., o)| o.base < crate::nav::free_space::HEAD_ROOM)
        .map(|(.., obstacle)| obstacle.area.clone())
        .collect();
    let bounds = Polygon::rect(level.settings().bounds);
    Walkable::new(&boolean::difference(&[bounds], &obstacles))
}

impl Figures {
    fn take(
        options: &Measure,
        recorded: &Recorded,
        level: Option<&Level>,
        ctx: &JobContext,
    ) -> anyhow::Result<Self> {
        let frames = recorded.frames();
        let count = frames.frames.len();
        if count == 0 {
            bail!("nobody was recorded");
        }
        let number = |secs: f64| (secs / frames.interval).round() as usize;
        let walkable = walkable(level, &frames);
        let is_asked = !options.line.is_empty() || !options.area.is_empty();
        let (lines, areas) = match level {
            Some(level) if !is_asked => (measuring_lines(level), measuring_areas(level)),
            _ => (options.line.clone(), options.area.clone()),
        };
        let what = Measurement {
            lines: &lines,
            areas: &areas,
            walkable: &walkable,
            cut_off: (options.cut_off > 0.0).then(|| CutOff {
                radius: options.cut_off,
                ..CutOff::default()
            }),
            frames: [
                options.from.map_or(0, number),
                options.until.map_or(count - 1, number),
            ],
            every: 1,
        };
        let (curve, travels, appeared) = match recorded {
            Recorded::Run(run) => (evacuation_curve(run), travels(run), run.births().len()),
            Recorded::People(frames) => (Vec::new(), Vec::new(), frames.tracks().len()),
        };
        Ok(Self {
            appeared,
            seconds: frames.time(count - 1),
            interval: frames.interval,
            curve,
            travels,
            lines: line_figures(&frames, &what),
            areas: area_figures(&frames, &what, ctx)?,
        })
    }

    /// When a share of those that appeared have arrived. Unit: seconds.
    fn time_of_share(&self, share: f64) -> Option<f64> {
        let needed = (share * self.appeared as f64).ceil().max(1.0) as usize;
        self.curve.get(needed - 1).map(|(time, _)| *time)
    }

    fn text(&self, path: &Path) -> String {
        let mut text = format!(
            "{}: {} appeared, {} arrived, {:.1} s\n",
            path.display(),
            self.appeared,
            self.curve.len(),
            self.seconds
        );
        let shares = [(0.5, "half"), (0.9, "90 %"), (1.0, "all")];
        for (share, name) in shares {
            if let Some(time) = self.time_of_share(share) {
                let _ = writeln!(text, "  {name} have arrived after {time:.1} s");
            }
        }
        for line in &self.lines {
            let _ = writeln!(
                text,
                "  {}: {} cross it, {:.3}/s, {:.3}/(m·s)",
                line.name,
                line.crossings.len(),
                line.flow.unwrap_or(0.0),
                line.flow.unwrap_or(0.0) / line.width
            );
        }
        for area in &self.areas {
            let _ = writeln!(
                text,
                "  {}: {:.3}/m² by area, {:.3}/m² by cells, {:.2}/m² at most, {:.3} m/s, level {}",
                area.name,
                area.classic,
                area.voronoi,
                area.densest,
                area.speed,
                area.service.name()
            );
        }
        text
    }

    fn object(&self, path: &Path) -> Value {
        let lines: Vec<Value> = self
            .lines
            .iter()
            .map(|line| {
                let n_t: Vec<(f64, usize)> = line
                    .crossings
                    .iter()
                    .zip(1..)
                    .map(|(crossing, n)| (crossing.frame as f64 * self.interval, n))
                    .collect();
                json!({
                    "name": line.name, "width": line.width, "count": line.crossings.len(),
                    "flow": line.flow, "flow_per_metre": line.flow.map(|f| f / line.width),
                    "n_t": n_t,
                })
            })
            .collect();
        let areas: Vec<Value> = self
            .areas
            .iter()
            .map(|area| {
                json!({
                    "name": area.name, "density_classic": area.classic,
                    "density_voronoi": area.voronoi, "density_max": area.densest,
                    "speed": area.speed, "level_of_service": area.service.name(),
                })
            })
            .collect();
        let mut times: Vec<f64> = self
            .travels
            .iter()
            .filter_map(|travel| Some(travel.arrives? - travel.sets_out))
            .collect();
        times.sort_by(f64::total_cmp);
        let quantile = |share: f64| {
            let last = times.len().checked_sub(1)?;
            times.get((share * last as f64).round() as usize).copied()
        };
        json!({
            "file": path, "appeared": self.appeared, "arrived": self.curve.len(),
            "seconds": self.seconds,
            "evacuation": {
                "half": self.time_of_share(0.5), "most": self.time_of_share(0.9),
                "all": self.time_of_share(1.0), "curve": self.curve,
            },
            "travel_time": {
                "p10": quantile(0.1), "median": quantile(0.5), "p90": quantile(0.9),
            },
            "lines": lines, "areas": areas,
        })
    }

    fn write(&self, folder: &Path, path: &Path, force: bool) -> anyhow::Result<()> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let save = |name: &str, text: &str| {
            let file = folder.join(format!("{stem}-{name}.csv"));
            output_file::check(&file, force)?;
            output_file::write(&file, text.as_bytes())
        };
        let mut table = "time,arrived\n".to_owned();
        for (time, count) in &self.curve {
            let _ = writeln!(table, "{time:.3},{count}");
        }
        save("evacuation", &table)?;
        let mut table = "agent,sets_out,arrives,length,delay\n".to_owned();
        for travel in &self.travels {
            let arrives = travel
                .arrives
                .map(|t| format!("{t:.3}"))
                .unwrap_or_default();
            let Travel {
                index,
                sets_out,
                length,
                delay,
                ..
            } = travel;
            let _ = writeln!(
                table,
                "{index},{sets_out:.3},{arrives},{length:.3},{delay:.3}"
            );
        }
        save("travels", &table)?;
        let mut table = "line,time,agent,speed,is_rightwards\n".to_owned();
        for line in &self.lines {
            for crossing in &line.crossings {
                let time = crossing.frame as f64 * self.interval;
                let _ = writeln!(
                    table,
                    "{},{time:.3},{},{:.4},{}",
                    line.name, crossing.id, crossing.speed, crossing.is_rightwards
                );
            }
        }
        save("lines", &table)?;
        let mut table = "area,time,count,density_classic,density_voronoi,speed\n".to_owned();
        for area in &self.areas {
            for sample in &area.samples {
                let speed = sample.speed.map(|s| format!("{s:.4}")).unwrap_or_default();
                let _ = writeln!(
                    table,
                    "{},{:.3},{},{:.6},{:.9},{speed}",
                    area.name, sample.time, sample.count, sample.classic, sample.voronoi
                );
            }
        }
        save("areas", &table)
    }
}
