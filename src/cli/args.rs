//! The command line's words, and the help that comes from them.

use super::format_flags::{Baking, FormatFlags, Reading, Writing};
use crate::base::Backend;
use crate::document::{ConstraintDomain, ConstraintSearch, PlannerId};
use crate::exchange::registry::{self as formats, FormatRow};
use crate::nav::voxel::Neighbours;
use crate::planner::corridor::{AttractionKind, Control};
use crate::planner::registry;
use crate::preview::crowd::ColourBy;
use crate::preview::overlays::{self, Group};
use crate::preview::{Layer, OverlayId};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use glam::DVec3;
use std::ffi::OsStr;
use std::num::NonZero;
use std::path::PathBuf;

/// Draw a level and see at once what agents will do in it.
///
/// Without a command, opens the editor: on FILE, or on the welcome page. All commands work
/// without a display. Lengths are metres.
#[derive(Debug, Parser)]
#[command(
    name = "wayloom",
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "Examples:\n  \
        wayloom levels/city.ron                     open a level in the editor\n  \
        wayloom new town.ron --template city        write a level to begin with\n  \
        wayloom check levels/*.ron                  look for problems; exit code 1 if there are errors\n  \
        wayloom render town.ron -o town.png         draw it to a picture\n\n\
        `wayloom COMMAND --help` explains each command."
)]
pub(super) struct Arguments {
    /// A level to open in the editor
    pub file: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub global: Global,
}

#[derive(Debug, Args)]
pub(super) struct Global {
    /// Print one JSON object to standard output instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only what was asked for: no progress, no remarks
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Use at most this many threads
    #[arg(long, global = true, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZero<usize>>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    New(New),
    Check(Check),
    Render(Render),
    Import(Import),
    Export(Export),
    Plan(Box<Plan>),
    Bake(Bake),
    Simulate(super::simulate::Simulate),
    Replay(super::replay::Replay),
    Measure(super::measure::Measure),
    Sweep(super::sweep::Sweep),
    /// List what can be read and written
    Formats,
    /// Repeat the papers' experiments: their figures and ours, side by side
    ///
    /// Every row of the papers' tables that can be measured, on levels of our own after their
    /// descriptions.
    #[command(after_long_help = super::bench::names(crate::lab::Purpose::Paper))]
    #[cfg(feature = "lab")]
    Lab(super::bench::Lab),
    /// Measure on standard scenes
    ///
    /// Prints medians with their spread, and the goal where there is one. Timings depend on the
    /// machine: compare ratios, or two runs on the same one.
    #[command(after_long_help = super::bench::names(crate::lab::Purpose::Bench))]
    #[cfg(feature = "lab")]
    Bench(super::bench::Measure),
}

/// Write a new level
///
/// The same template, seed and size always give the same file, byte for byte.
#[derive(Debug, Args)]
pub(super) struct New {
    /// Where to write it
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// What to begin with; `list` shows them all
    #[arg(long, short, value_name = "NAME", default_value = "empty")]
    pub template: String,
    /// How large; what the number means depends on the template, see `--template list`
    #[arg(long, value_name = "N|WxH", value_parser = extent)]
    pub size: Option<(f64, Option<f64>)>,
    /// Another drawing of the same kind
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Overwrite OUT if it exists
    #[arg(long)]
    pub force: bool,
}

/// Look for problems in levels
///
/// Validates, bakes, plans for every agent and runs the saved navigation tests. Prints one line a problem: FILE:ENTITY: SEVERITY: what is wrong and how to fix it. Exit code 1
/// if any level has an error (with --strict: or a warning).
#[derive(Debug, Args)]
pub(super) struct Check {
    /// The levels to look at
    #[arg(required = true, value_name = "LEVEL")]
    pub levels: Vec<PathBuf>,
    /// Warnings count as errors
    #[arg(long)]
    pub strict: bool,
    /// Fix what can be fixed safely and save; the previous version is kept as LEVEL~
    #[arg(long)]
    pub fix: bool,
    /// Only look at the drawing: no baking, no planning, no navigation tests
    #[arg(long)]
    pub no_navigation: bool,
}

/// Draw a level to a picture
///
/// The ending of OUT decides: .svg for a drawing, .png for pixels. No OpenGL is needed.
#[derive(Debug, Args)]
pub(super) struct Render {
    /// The level or the recording to draw
    #[arg(value_name = "LEVEL")]
    pub level: PathBuf,
    /// Where to write it
    #[arg(long, short, value_name = "OUT")]
    pub out: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1600x1200", value_parser = size)]
    pub size: [u32; 2],
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help = layers_help())]
    pub layers: Option<Vec<LayerName>>,
    /// Show free space, cells and the medial axis for the body of this profile; without it, free
    /// space and cells are those of the smallest body
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// The plan from above, or the level in space
    #[arg(long, value_enum, default_value_t = RenderView::Plan)]
    pub view: RenderView,
    /// In space: where to look from
    #[arg(long, value_enum, default_value_t = From::Corner)]
    pub from: From,
    /// In space: without perspective
    #[arg(long)]
    pub orthographic: bool,
    /// In space: cut away what is higher than this, in metres
    #[arg(long, value_name = "Z", allow_hyphen_values = true)]
    pub section: Option<f64>,
    /// Of voxels, only this storey, counted from 0
    #[arg(long, value_name = "N")]
    pub storey: Option<usize>,
    /// In space: what draws
    #[arg(long, value_enum, default_value_t = Backend::Auto)]
    pub backend: Backend,
    /// Only this part of the level
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = area, allow_hyphen_values = true)]
    pub area: Option<[f64; 4]>,
    /// Colours for a dark or a light page
    #[arg(long, value_enum, default_value_t = Look::Light)]
    pub look: Look,
    /// Explain terrains and profiles beside the picture
    #[arg(long)]
    pub legend: bool,
    /// Show people where they are at this time: of a recording, simulated where the level has crowds, else as
    /// planned, with what they see of their routes
    #[arg(long, value_name = "SECONDS", alias = "seconds", value_parser = seconds)]
    pub at: Option<f64>,
    /// Simulate with this model, or `planned` for planned paths
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Colour people by profile, speed, density, delay, goal or planner
    #[arg(long, value_name = "WHAT", value_parser = colour_by)]
    pub colour_by: Option<ColourBy>,
    /// Leave out the level's name
    #[arg(long)]
    pub no_title: bool,
    /// Overwrite OUT if it exists
    #[arg(long)]
    pub force: bool,
}

fn colour_by(name: &str) -> Result<ColourBy, String> {
    ColourBy::by_name(name).ok_or_else(|| {
        let known = ColourBy::ALL.map(ColourBy::name).join(", ");
        format!("it is one of {known}")
    })
}

/// A part of the level, or an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayerName {
    Layer(Layer),
    Overlay(OverlayId),
}

impl std::str::FromStr for LayerName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let layer = Layer::named(name).map(Self::Layer);
        let overlay = || Some(Self::Overlay(overlays::by_name(name)?.id));
        layer.or_else(overlay).ok_or_else(|| {
            let layers = Layer::ALL.iter().map(|layer| layer.name());
            let overlays = overlays::rows().into_iter().map(|row| row.id.0);
            let names: Vec<&str> = layers.chain(overlays).collect();
            format!("it is one of {}", names.join(", "))
        })
    }
}

/// Every layer and overlay by name.
fn layers_help() -> String {
    let names = Layer::ALL.map(Layer::name).join(", ");
    let mut help = format!("Only these layers and overlays: {names}");
    for group in Group::ALL {
        let rows = overlays::rows().into_iter();
        let ids: Vec<&str> = rows
            .filter(|row| row.group == group)
            .map(|row| row.id.0)
            .collect();
        help += &format!("; {}: {}", group.title().to_lowercase(), ids.join(", "));
    }
    help
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RenderView {
    Plan,
    #[value(name = "3d")]
    Space,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum From {
    Corner,
    Top,
    Front,
    Back,
    Left,
    Right,
}

impl ValueEnum for Backend {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Auto, Self::Gl, Self::Cpu]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Auto => PossibleValue::new("auto").help("OpenGL where there is one"),
            Self::Gl => PossibleValue::new("gl"),
            Self::Cpu => PossibleValue::new("cpu"),
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Look {
    Dark,
    Light,
}

/// Turn files of other programs into a level
///
/// Several files are laid on top of each other; a Moving AI scenario finds its map by itself.
#[derive(Debug, Args)]
pub(super) struct Import {
    /// The files to read
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to write the level
    #[arg(long, short, value_name = "OUT.ron")]
    pub out: PathBuf,
    /// What the files are, where their names and contents do not tell; see `wayloom formats`
    #[arg(long, value_name = "F", value_parser = format)]
    pub format: Option<&'static FormatRow>,
    #[command(flatten)]
    pub options: FormatFlags<Reading>,
    /// Overwrite OUT if it exists
    #[arg(long)]
    pub force: bool,
}

/// Write a level in another program's format
///
/// The level itself is never altered. Formats of several files are written into the folder OUT.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// The level to write
    #[arg(value_name = "LEVEL")]
    pub level: PathBuf,
    /// Where to write it
    #[arg(long, short, value_name = "OUT")]
    pub out: PathBuf,
    /// Which format, where the ending of OUT does not tell; see `wayloom formats`
    #[arg(long, value_name = "F", value_parser = format)]
    pub format: Option<&'static FormatRow>,
    #[command(flatten)]
    pub options: FormatFlags<Writing>,
    /// Overwrite OUT if it exists
    #[arg(long)]
    pub force: bool,
}

/// Find a path
///
/// One query: an agent of the level with all its goals, or two places. Or many: a file of queries,
/// one result line each. Exit code 1 if there is no path, with the reason.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("query").required(true).args(["agent", "from", "queries"]))]
pub(super) struct Plan {
    /// The level to find a path in
    #[arg(value_name = "LEVEL")]
    pub level: PathBuf,
    /// The agent whose goals are visited in order
    #[arg(long, value_name = "NAME", conflicts_with_all = ["profile", "radius"])]
    pub agent: Option<String>,
    /// Where the path begins, in metres
    #[arg(long, value_name = "X,Y[,Z]", value_parser = place, allow_hyphen_values = true, requires = "to")]
    pub from: Option<DVec3>,
    /// Where the path ends, in metres
    #[arg(long, value_name = "X,Y[,Z]", value_parser = place, allow_hyphen_values = true, requires = "from")]
    pub to: Option<DVec3>,
    /// Many queries: a table with the columns from_x, from_y, to_x, to_y (.csv), or a Moving AI
    /// scenario (.scen) for a level imported from its map
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,
    /// Whose body it is; the level's first profile without a name
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Another radius than the profile's; 0 is a point
    #[arg(long, value_name = "R", value_parser = radius, allow_hyphen_values = true, conflicts_with = "profile")]
    pub radius: Option<f64>,
    /// The indicative route to follow; an agent's own if not given
    #[arg(long, value_name = "NAME")]
    pub route: Option<String>,
    /// How to plan; an agent's own planner if not given, else portal
    #[arg(long, value_name = "NAME", value_parser = PlannerNames)]
    pub planner: Option<PlannerId>,
    /// Bend the path away from steep ascent by at most so many degrees; 0 leaves it straight
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub slope: Option<f64>,
    /// Where the planner corridor has its attraction point; without it the agent's choice, or what
    /// can be seen
    #[arg(long, value_name = "disc|speed|distance|visibility", value_parser = attraction)]
    pub attraction: Option<AttractionKind>,
    /// What leads the planner corridor where there is no route; without it the agent's choice, or
    /// shortcuts
    #[arg(long, value_name = "axis|shortcuts", value_parser = control)]
    pub control: Option<Control>,
    /// Distance to walls that the planner corridor keeps if there is room; without it the agent's
    /// choice, or the radius
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub safe_distance: Option<f64>,
    /// Then move this there and repair the path: for human motion the middle of a solid or obstacle, for
    /// constraints an agent, too; several are moved one after the other
    #[arg(long = "move", value_name = "NAME=X,Y[,Z]", value_parser = moved, conflicts_with = "queries")]
    pub moves: Vec<Move>,
    /// How far one has come when the first thing moves, in metres
    #[arg(long, value_name = "METRES", value_parser = walked, requires = "moves")]
    pub walked: Option<f64>,
    /// Side of a grid map's cell in metres, for scenarios
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub cell: f64,
    /// Leave out the shortest path to compare with
    #[arg(long)]
    pub no_optimum: bool,
    #[command(flatten)]
    pub constraints: PlanConstraints,
    #[command(flatten)]
    pub voxels: Voxels,
}

/// How the planner constraint plans, and when
#[derive(Debug, Args)]
#[command(next_help_heading = "Constraints")]
pub(super) struct PlanConstraints {
    /// Where to be and where not, instead of the agent's own constraints
    #[arg(long = "constraints", value_name = "SENTENCE")]
    pub sentence: Option<String>,
    /// Which states are searched: triangles, dense, hybrid, adaptive or graded
    #[arg(long, value_name = "NAME", value_parser = domain)]
    pub domain: Option<ConstraintDomain>,
    /// How: a-star, ara-star or ad-star
    #[arg(long, value_name = "NAME", value_parser = search)]
    pub search: Option<ConstraintSearch>,
    /// Distance between dense states in metres; one that suits the level's size if not given
    #[arg(long, value_name = "METRES", value_parser = side)]
    pub spacing: Option<f64>,
    /// The bound ε with which an anytime search begins
    #[arg(long, value_name = "E", value_parser = epsilon)]
    pub epsilon: Option<f64>,
    /// Stop after so many expansions with the best path so far
    #[arg(long, value_name = "N")]
    pub expansions: Option<usize>,
    /// Time of day; the start of the level's clock if not given
    #[arg(long, value_name = "HH:MM", value_parser = time_of_day)]
    pub time: Option<f64>,
    /// Switch a flag of the level
    #[arg(long = "flag", value_name = "NAME=on|off", value_parser = flag)]
    pub flags: Vec<FlagSwitch>,
}

/// A flag of the level as it is to be.
#[derive(Clone, Debug)]
pub(super) struct FlagSwitch {
    pub name: String,
    pub is_set: bool,
}

/// How space is cut into cells, for human motion
#[derive(Debug, Args)]
#[command(next_help_heading = "Cells for human motion")]
pub(super) struct Voxels {
    /// Exactly so many cells along x, y and z, as in the paper's Table 1
    #[arg(long, value_name = "XxYxZ", value_parser = grid, conflicts_with_all = ["voxel", "layer"])]
    pub grid: Option<[u32; 3]>,
    /// Side of a cell in plan, in metres; one that suits the level's size if not given
    #[arg(long, value_name = "S", value_parser = side)]
    pub voxel: Option<f64>,
    /// Height of a cell, in metres
    #[arg(long, value_name = "S", value_parser = side)]
    pub layer: Option<f64>,
    /// Sub-columns along each side of a cell that tell how much of it is there, from 2 to 8
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub samples: u32,
    /// Step only on cells of which so much is there, from 0 to 1; counted in 4 sub-columns a side if
    /// nothing else is said
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub threshold: f64,
    /// Layers of border that keep people off walls; as wide as the body if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15))]
    pub border: Option<u8>,
    /// Cells have four neighbours or eight
    #[arg(long, value_name = "N", default_value = "8", value_parser = neighbours)]
    pub neighbours: Neighbours,
}

/// Write navigation data that engines load
///
/// A folder with bake.json and one file of tables per radius; docs/bake.md describes them. The same
/// as `wayloom export --format bake`.
#[derive(Debug, Args)]
pub(super) struct Bake {
    /// The level to bake
    #[arg(value_name = "LEVEL")]
    pub level: PathBuf,
    /// The folder to write to; made if it does not exist
    #[arg(long, short, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub options: FormatFlags<Baking>,
    /// Overwrite a bake that exists
    #[arg(long)]
    pub force: bool,
}

fn format(id: &str) -> Result<&'static FormatRow, String> {
    formats::named(id).map_err(|error| error.to_string())
}

/// The names of all planners of the registry.
#[derive(Clone, Copy)]
struct PlannerNames;

impl TypedValueParser for PlannerNames {
    type Value = PlannerId;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        text: &OsStr,
    ) -> Result<PlannerId, clap::Error> {
        let names = registry::rows().into_iter().map(|row| row.id.as_str());
        let known = PossibleValuesParser::new(names.collect::<Vec<_>>());
        let name = known.parse_ref(command, argument, text)?;
        Ok(PlannerId::named(&name).unwrap_or_default())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let rows = registry::rows().into_iter();
        Some(Box::new(rows.map(|row| {
            let about = if row.is_available() {
                row.about.to_owned()
            } else {
                format!("{} (not available yet)", row.about)
            };
            PossibleValue::new(row.id.as_str()).help(about)
        })))
    }
}

fn attraction(text: &str) -> Result<AttractionKind, String> {
    AttractionKind::named(text).ok_or_else(|| {
        let names = AttractionKind::ALL.map(AttractionKind::name);
        format!("it is one of {}", names.join(", "))
    })
}

fn control(text: &str) -> Result<Control, String> {
    Control::named(text).ok_or_else(|| {
        let names = Control::ALL.map(Control::name);
        format!("it is one of {}", names.join(", "))
    })
}

fn domain(text: &str) -> Result<ConstraintDomain, String> {
    // As in the documentation of the command line.
    let text = if text == "tri" { "triangles" } else { text };
    ConstraintDomain::named(text).ok_or_else(|| {
        let names = ConstraintDomain::ALL.map(ConstraintDomain::name);
        format!("it is one of {}", names.join(", "))
    })
}

fn search(text: &str) -> Result<ConstraintSearch, String> {
    let text = match text {
        "astar" => "a-star",
        "ara" => "ara-star",
        "ad" => "ad-star",
        other => other,
    };
    ConstraintSearch::named(text).ok_or_else(|| {
        let names = ConstraintSearch::ALL.map(ConstraintSearch::name);
        format!("it is one of {}", names.join(", "))
    })
}

fn epsilon(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| (1.0..=100.0).contains(n))
        .ok_or_else(|| "it is a number from 1 to 100, for example 2.5".to_owned())
}

/// Unit: hours.
fn time_of_day(text: &str) -> Result<f64, String> {
    let parsed = text.split_once(':').and_then(|(hours, minutes)| {
        let (hours, minutes) = (hours.parse::<u32>().ok()?, minutes.parse::<u32>().ok()?);
        (hours < 24 && minutes < 60).then(|| f64::from(hours) + f64::from(minutes) / 60.0)
    });
    parsed.ok_or_else(|| "write it as HH:MM, from 0:00 to 23:59".to_owned())
}

fn flag(text: &str) -> Result<FlagSwitch, String> {
    let wrong = || "write it as NAME=on or NAME=off".to_owned();
    let (name, state) = text.rsplit_once('=').ok_or_else(wrong)?;
    let is_set = match state.trim() {
        "on" => true,
        "off" => false,
        _ => return Err(wrong()),
    };
    Ok(FlagSwitch {
        name: name.trim().to_owned(),
        is_set,
    })
}

fn threads(text: &str) -> Result<NonZero<usize>, String> {
    text.parse()
        .map_err(|_| "it is a whole number from 1 on".to_owned())
}

fn radius(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| n.is_finite() && *n >= 0.0)
        .ok_or_else(|| "a radius is a number of metres from 0 on, for example 0.3".to_owned())
}

/// Two numbers; a third is the height, for planners in space.
pub(super) fn place(text: &str) -> Result<DVec3, String> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some(&[x, y]) => Ok(DVec3::new(x, y, 0.0)),
        Some(&[x, y, z]) => Ok(DVec3::new(x, y, z)),
        _ => Err("write it as X,Y with finite numbers, for example 12.5,-3".to_owned()),
    }
}

/// A thing, and where it shall stand.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub name: String,
    pub to: DVec3,
    /// Without one it stays as high as it is.
    pub has_height: bool,
}

fn moved(text: &str) -> Result<Move, String> {
    let wrong = || "write it as NAME=X,Y or NAME=X,Y,Z, for example \"Crate=3,4\"".to_owned();
    // Names may hold an equals sign, places do not.
    let (name, to) = text.rsplit_once('=').ok_or_else(wrong)?;
    let name = name.trim();
    if name.is_empty() {
        return Err(wrong());
    }
    Ok(Move {
        name: name.to_owned(),
        has_height: to.matches(',').count() == 2,
        to: place(to).map_err(|_| wrong())?,
    })
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let parse = |part: &str| part.trim().parse::<u32>().ok().filter(|n| *n > 0);
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([parse(width)?, parse(height)?]))
        .ok_or_else(|| "write it as WIDTHxHEIGHT, for example 1600x1200".to_owned())
}

/// One number, or two: width and height.
fn extent(text: &str) -> Result<(f64, Option<f64>), String> {
    let number = |part: &str| part.trim().parse::<f64>().ok();
    match text.split_once(['x', 'X', '×']) {
        Some((width, height)) => number(width).zip(number(height)).map(|(w, h)| (w, Some(h))),
        None => number(text).map(|size| (size, None)),
    }
    .ok_or_else(|| "write it as a number or as WIDTHxHEIGHT, for example 40x30".to_owned())
}

fn grid(text: &str) -> Result<[u32; 3], String> {
    let parts: Option<Vec<u32>> = text
        .split(['x', 'X', '×'])
        .map(|part| part.trim().parse().ok().filter(|n: &u32| *n > 0))
        .collect();
    match parts.as_deref() {
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => Err("write it as three whole numbers with z up, for example 53x91x102".to_owned()),
    }
}

fn side(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| n.is_finite() && *n >= 0.001)
        .ok_or_else(|| "a side is a number of metres from 0.001 on, for example 0.25".to_owned())
}

fn walked(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| n.is_finite() && *n >= 0.0)
        .ok_or_else(|| "what one has walked is a number of metres from 0 on".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| (0.0..=1.0).contains(n))
        .ok_or_else(|| "a share is a number from 0 to 1, for example 0.5".to_owned())
}

fn neighbours(text: &str) -> Result<Neighbours, String> {
    match text {
        "4" => Ok(Neighbours::Four),
        "8" => Ok(Neighbours::Eight),
        _ => Err("it is 4 or 8".to_owned()),
    }
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    number
        .filter(|secs| secs.is_finite() && *secs >= 0.0)
        .ok_or_else(|| "write it as a number of seconds, for example 12.5".to_owned())
}

pub(super) fn area(text: &str) -> Result<[f64; 4], String> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some(&[x0, y0, x1, y1]) if x0 < x1 && y0 < y1 => Ok([x0, y0, x1, y1]),
        _ => Err(
            "write it as X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1, for example 0,0,50,40".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn grids_are_read_or_explained() {
        assert_eq!(grid("53x91x102"), Ok([53, 91, 102]));
        for bad in ["", "53", "53x91", "0x1x2", "1x2x3x4", "axbxc", "-1x2x3"] {
            assert!(grid(bad).is_err(), "{bad}");
        }
        assert_eq!((side("0.25"), share("0.5")), (Ok(0.25), Ok(0.5)));
        for bad in ["0", "-1", "nan", "x"] {
            assert!(side(bad).is_err(), "{bad}");
        }
        for bad in ["-0.1", "1.1", "nan", "x"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_and_areas_are_read_or_explained() {
        assert_eq!(size("800x600"), Ok([800, 600]));
        for bad in ["", "800", "0x5", "-1x5", "axb", "1x2x3"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        assert_eq!(area("-1,0,1.5,2"), Ok([-1.0, 0.0, 1.5, 2.0]));
        for bad in ["1,2,3", "1,2,0,5", "1,2,nan,5", "1,2,3,4,5"] {
            assert!(area(bad).is_err(), "{bad}");
        }
    }
}
