//! How `wayloom plan` plans with constraints, and when.

use super::value::side;
use crate::document::{ConstraintDomain, ConstraintSearch};
use clap::Args;

/// How the planner constraint plans, and when
#[derive(Debug, Args)]
#[command(next_help_heading = "Constraints")]
pub(in crate::cli) struct PlanConstraints {
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
pub(in crate::cli) struct FlagSwitch {
    pub name: String,
    pub is_set: bool,
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
