//! `wayloom plan`

mod moving;
mod queries;

use super::{Answer, args, console::Console, load_with_meshes, voxels};
use crate::base::EntityId;
use crate::document::{Action, Kind, KindName, Level, MeshLibrary, Profile};
use crate::nav::Commons;
use crate::planner::corridor::WalkOptions;
use crate::planner::missions::{Stop, radius_of, targets};
use crate::planner::prepared::{choice_of, guide_of, profile_of};
use crate::planner::trace::{Event, EventKind};
use crate::planner::{
    self, Guide, NavData, NoPath, Path, PathRequest, PlannerChoice, Planners, SlopeLimits, Slopes,
    metrics,
};
use anyhow::{anyhow, bail};
use glam::{DVec2, DVec3};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

pub(super) fn run(options: &args::Plan, console: &Console) -> anyhow::Result<Answer> {
    let (level, library) = load_with_meshes(&options.level, console)?;
    let slope = match options.slope {
        Some(degrees) => (degrees != 0.0).then(|| SlopeLimits {
            max_angle: degrees.to_radians(),
            ..SlopeLimits::default()
        }),
        None => Slopes::default().on(level.ground().map(|ground| &**ground)),
    };
    if let Some(file) = &options.queries {
        let walker = walker(&level, options)?;
        let nav = baked(&level, &library, walker.radius, options, console)?;
        let choice = options.planner.unwrap_or_default();
        let about = PathRequest {
            walk: walk_options(options, choice, walker.walk)?,
            ..walker.request(slope)
        };
        return queries::run(file, options, choice, &about, &nav, console);
    }
    let trip = match (&options.agent, options.from, options.to) {
        (Some(name), ..) => agent_trip(&level, name, options)?,
        (None, Some(from), Some(to)) => Trip {
            walker: walker(&level, options)?,
            planner: options.planner.unwrap_or_default(),
            start: from,
            stops: vec![Stop {
                place: to,
                area: None,
            }],
        },
        _ => bail!("say what to plan: --agent NAME, --from X,Y --to X,Y, or --queries FILE"),
    };
    if !options.moves.is_empty() && trip.planner != PlannerChoice::Human {
        bail!(
            "--move is for --planner human, not {}; the others plan anew when something moves",
            trip.planner.name()
        );
    }
    let nav = baked(&level, &library, trip.walker.radius, options, console)?;
    let about = PathRequest {
        walk: walk_options(options, trip.planner, trip.walker.walk)?,
        ..trip.walker.request(slope)
    };
    let mut planners = Planners::default();
    let mut whole: Option<Path> = None;
    let mut optimal = Some(0.0);
    let mut events: Vec<Event> = Vec::new();
    let mut from = trip.start;
    for stop in &trip.stops {
        let request = PathRequest {
            start: from,
            goal: stop.place,
            goal_area: stop.area.clone(),
            ..about.clone()
        };
        match planners.plan(trip.planner, &nav, &request)? {
            planner::Answer::Found(path) => {
                events.extend(path.trace.iter().flat_map(|trace| trace.events.clone()));
                from = stop.end(&path);
                optimal = optimal_length(&mut planners, trip.planner, &nav, &request, options)?
                    .and_then(|length| Some(optimal? + length));
                whole = Some(match whole {
                    Some(before) => joined(before, path),
                    None => path,
                });
            }
            planner::Answer::NotFound(reason) => {
                let object = no_path_object(&level, trip.planner, &reason);
                console.result(&format!("no path: {}", reason.reason), &object);
                return Ok(Answer::No);
            }
        }
    }
    let Some(mut path) = whole else {
        bail!("the agent has no goal; give it one, or use --from and --to");
    };
    let plan: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
    path.mean_curvature = metrics::mean_curvature(&plan);
    // What is left out of a route on the way is part of following it, and no news.
    for event in events.iter().filter(|e| e.kind != EventKind::Skipped) {
        console.remark(&event.text);
    }
    let mut object = path_object(&path, trip.planner, optimal);
    object["events"] = events.iter().map(event_object).collect();
    let mut text = summary(&path, trip.planner, optimal);
    let mut answer = Answer::Yes;
    if !options.moves.is_empty() {
        let (told, moves, is_lost) = moving::run(&trip, options, &level, nav.commons())?;
        text.push_str(&told);
        object["moves"] = moves;
        if is_lost {
            answer = Answer::No;
        }
    }
    console.result(&text, &object);
    Ok(answer)
}

/// How to walk in a corridor, for that planner alone: as asked, else as the agent does.
fn walk_options(
    options: &args::Plan,
    planner: PlannerChoice,
    usual: WalkOptions,
) -> anyhow::Result<WalkOptions> {
    let is_asked = options.attraction.is_some()
        || options.control.is_some()
        || options.safe_distance.is_some();
    if is_asked && planner != PlannerChoice::Corridor {
        bail!(
            "--attraction, --control and --safe-distance are for --planner corridor, not {}",
            planner.name()
        );
    }
    Ok(WalkOptions {
        attraction: options.attraction.unwrap_or(usual.attraction),
        control: options.control.unwrap_or(usual.control),
        safe_distance: options.safe_distance.or(usual.safe_distance),
    })
}

/// Where somebody goes, and as whom.
struct Trip {
    walker: Walker,
    planner: PlannerChoice,
    start: DVec3,
    stops: Vec<Stop>,
}

/// Who goes, and along what.
struct Walker {
    /// Unit: metres.
    radius: f64,
    profile: Arc<Profile>,
    guide: Option<Guide>,
    /// Where nothing else is asked for.
    walk: WalkOptions,
}

impl Walker {
    /// A request whose places are still to be filled in.
    fn request(&self, slope: Option<SlopeLimits>) -> PathRequest {
        PathRequest {
            slope,
            profile: Arc::clone(&self.profile),
            guide: self.guide.clone(),
            ..PathRequest::in_space(DVec3::ZERO, DVec3::ZERO)
        }
    }
}

fn agent_trip(level: &Level, name: &str, options: &args::Plan) -> anyhow::Result<Trip> {
    let id = named(level, KindName::Agent, name)?;
    let Some(Kind::Agent(agent)) = level.get(id).map(|entity| &entity.kind) else {
        bail!("\"{name}\" is not an agent");
    };
    let planner = options
        .planner
        .unwrap_or_else(|| choice_of(agent.mission.planner));
    let route = match &options.route {
        Some(name) => Some(named(level, KindName::Route, name)?),
        None => agent.mission.route,
    };
    Ok(Trip {
        walker: Walker {
            radius: radius_of(level, agent.mission.profile),
            profile: profile_of(level, agent.mission.profile),
            guide: guide_of(level, route),
            walk: agent.mission.walk,
        },
        planner,
        start: agent.start,
        stops: targets(level, agent),
    })
}

/// Whose body is asked about: the named profile's, else the first one's.
fn walker(level: &Level, options: &args::Plan) -> anyhow::Result<Walker> {
    let profile = match &options.profile {
        Some(name) => Some(named(level, KindName::Profile, name)?),
        None => level.profiles().next().map(|(id, ..)| id),
    };
    let mut body = match profile {
        Some(id) => profile_of(level, id),
        None => Arc::default(),
    };
    if let Some(radius) = options.radius {
        if !(0.0..=100.0).contains(&radius) {
            bail!("the radius must be from 0 to 100 m, not {radius}");
        }
        Arc::make_mut(&mut body).body.radius = radius;
    }
    let route = match &options.route {
        Some(name) => Some(named(level, KindName::Route, name)?),
        None => None,
    };
    Ok(Walker {
        radius: body.body.radius,
        profile: body,
        guide: guide_of(level, route),
        walk: WalkOptions::default(),
    })
}

fn named(level: &Level, kind: KindName, name: &str) -> anyhow::Result<EntityId> {
    level.find(kind, name).ok_or_else(|| {
        let known: Vec<String> = level
            .iter()
            .filter(|(_, entity)| entity.kind.name() == kind)
            .map(|(_, entity)| format!("\n  {}", entity.name))
            .collect();
        let noun = kind.singular().to_lowercase();
        if known.is_empty() {
            anyhow!("the level has no {noun}")
        } else {
            anyhow!(
                "there is no {noun} \"{name}\"; there are:{}",
                known.concat()
            )
        }
    })
}

fn baked(
    level: &Level,
    library: &Arc<MeshLibrary>,
    radius: f64,
    options: &args::Plan,
    console: &Console,
) -> anyhow::Result<NavData> {
    let voxels = voxels::options(&options.voxels, level, library);
    let commons = Commons::with_voxels(level, Arc::new(voxels), None);
    Ok(console.with_progress("Baking", |ctx| {
        NavData::with_commons(level, radius, commons, ctx)
    })?)
}

/// The shortest length for the same question, unless nobody wants to know.
fn optimal_length(
    planners: &mut Planners,
    planner: PlannerChoice,
    nav: &NavData,
    request: &PathRequest,
    options: &args::Plan,
) -> anyhow::Result<Option<f64>> {
    // The shortest path knows one storey only.
    if options.no_optimum || planner == PlannerChoice::Human {
        return Ok(None);
    }
    let straight = PathRequest {
        slope: None,
        ..request.clone()
    };
    let answer = planners.plan(PlannerChoice::Optimal, nav, &straight)?;
    Ok(answer.path().map(|path| path.length))
}

/// One way after the other.
fn joined(mut before: Path, next: Path) -> Path {
    let whole = before.length + next.length;
    if whole > 0.0 {
        before.mean_clearance =
            (before.mean_clearance * before.length + next.mean_clearance * next.length) / whole;
    }
    before.length += next.length;
    before.cost += next.cost;
    for (what, cost) in next.cost_by {
        *before.cost_by.entry(what).or_default() += cost;
    }
    before.min_clearance = before.min_clearance.min(next.min_clearance);
    before.expanded += next.expanded;
    before.plan_micros += next.plan_micros;
    before.points.extend(next.points.into_iter().skip(1));
    before.actions.extend(next.actions.into_iter().skip(1));
    before
}

fn path_object(path: &Path, planner: PlannerChoice, optimal: Option<f64>) -> Value {
    json!({
        "found": true,
        "planner": planner.name(),
        "length": path.length,
        "cost": path.cost,
        "optimal_length": optimal,
        "points": points_object(&path.points),
        "actions": path.actions.iter().map(|action| action.name().to_lowercase()).collect::<Vec<_>>(),
        "cost_by": path.cost_by,
        "min_clearance": path.min_clearance,
        "mean_clearance": path.mean_clearance,
        "mean_curvature": path.mean_curvature,
        "expanded": path.expanded,
        "plan_micros": path.plan_micros,
        "reason": null,
    })
}

fn points_object(points: &[DVec3]) -> Value {
    points
        .iter()
        .map(DVec3::to_array)
        .map(Value::from_iter)
        .collect()
}

/// Something that came up on the way; its time counts from the beginning of its leg.
fn event_object(event: &Event) -> Value {
    let kind = match event.kind {
        EventKind::Skipped => "skipped",
        EventKind::Recovered => "recovered",
        EventKind::Stuck => "stuck",
        EventKind::Noted => "noted",
    };
    json!({ "kind": kind, "seconds": event.time, "at": event.at.to_array(), "text": event.text })
}

fn no_path_object(level: &Level, planner: PlannerChoice, reason: &NoPath) -> Value {
    json!({
        "found": false,
        "planner": planner.name(),
        "reason": reason.reason,
        "blocker": reason.blocker.map(|id| level.label(id)),
        "gap": reason.gap.map(|gap| json!({
            "at": gap.at.to_array(),
            "width": gap.width,
            "between": gap.between.map(|id| id.map(|id| level.label(id))),
        })),
    })
}

/// A name that does not begin a sentence.
fn within_sentence(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}

fn summary(path: &Path, planner: PlannerChoice, optimal: Option<f64>) -> String {
    let mut text = format!(
        "{:.3} m by {}",
        path.length,
        within_sentence(planner.title())
    );
    if let Some(optimal) = optimal.filter(|length| *length > 0.0) {
        let gap = 100.0 * (path.length / optimal - 1.0);
        let _ = write!(text, ", {:.2} % above the shortest", gap.max(0.0));
    }
    let _ = write!(
        text,
        "\n{} points, clearance {:.2} m, {} nodes expanded, {:.1} µs",
        path.waypoints(),
        path.min_clearance,
        path.expanded,
        path.plan_micros
    );
    let in_space = path.points.iter().any(|p| p.z != 0.0);
    for (index, p) in path.points.iter().enumerate() {
        let _ = write!(text, "\n  {:.3}, {:.3}", p.x, p.y);
        if in_space {
            // Not −0.000.
            let _ = write!(text, ", {:.3}", (p.z * 1e3).round() / 1e3 + 0.0);
        }
        match path.actions.get(index) {
            Some(action) if *action != Action::Walk => {
                let _ = write!(text, "  {}", action.name().to_lowercase());
            }
            _ => {}
        }
    }
    text
}
