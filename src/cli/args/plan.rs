//! `wayloom plan`.

use super::constraints::PlanConstraints;
use super::voxels::Voxels;
use crate::document::PlannerId;
use crate::planner::corridor::{AttractionKind, Control};
use crate::planner::registry;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use glam::DVec3;
use std::ffi::OsStr;
use std::path::PathBuf;

/// Find a path
///
/// One query: an agent of the level with all its goals, or two places. Or many: a file of queries,
/// one result line each. Exit code 1 if there is no path, with the reason.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("query").required(true).args(["agent", "from", "queries"]))]
pub(in crate::cli) struct Plan {
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
    /// With --queries: find the shortest path of every query, too, and say how much longer the planner's are
    #[arg(long, requires = "queries", conflicts_with = "no_optimum")]
    pub gaps: bool,
    #[command(flatten)]
    pub constraints: PlanConstraints,
    #[command(flatten)]
    pub voxels: Voxels,
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

fn radius(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| n.is_finite() && *n >= 0.0)
        .ok_or_else(|| "a radius is a number of metres from 0 on, for example 0.3".to_owned())
}

/// Two numbers; a third is the height, for planners in space.
fn place(text: &str) -> Result<DVec3, String> {
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
pub(in crate::cli) struct Move {
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

fn walked(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| n.is_finite() && *n >= 0.0)
        .ok_or_else(|| "what one has walked is a number of metres from 0 on".to_owned())
}
