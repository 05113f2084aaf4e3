//! `wayloom plan`

mod constraints;
mod moving;
mod queries;

use super::{Answer, args, console::Console, load_with_meshes, voxels};
use crate::base::EntityId;
use crate::document::door_states;
use crate::document::{Action, Kind, KindName, Level, MeshLibrary, PlannerId};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, NavData};
use crate::planner::corridor::WalkOptions;
use crate::planner::links::LinkUse;
use crate::planner::queries::{MissionQueries, Stop, guide_of, profile_of};
use crate::planner::registry::{self, Reads};
use crate::planner::trace::{Event, EventKind};
use crate::planner::{
    self, MissionSession, NoPath, Path, PathRequest, SlopeLimits, Slopes, metrics,
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
        let mut about = about(&level, options)?;
        let planner = options.planner.unwrap_or_default();
        about.slope = slope;
        about.walk = walk_options(options, planner, about.walk)?;
        let (_, nav) = baked(&level, &library, &about, options, console)?;
        return queries::run(file, options, planner, &about, &nav, console);
    }
    let (planner, mut queries) = match (&options.agent, options.from, options.to) {
        (Some(name), ..) => agent_queries(&level, name, options)?,
        (None, Some(from), Some(to)) => {
            let queries = MissionQueries {
                start: from,
                stops: vec![Stop::at(to)],
                about: about(&level, options)?,
            };
            (options.planner.unwrap_or_default(), queries)
        }
        _ => bail!("say what to plan: --agent NAME, --from X,Y --to X,Y, or --queries FILE"),
    };
    if !options.moves.is_empty() && ![PlannerId::HUMAN, PlannerId::CONSTRAINT].contains(&planner) {
        bail!(
            "--move is for --planner human and constraint, not {planner}; the others replan when something moves"
        );
    }
    let situated = constraints::situated(&level, options, planner)?;
    if let Some(what) = situated.contradiction(&level) {
        console.remark(&what);
    }
    queries.about.constraints = situated.query(&level);
    queries.about.slope = slope;
    queries.about.walk = walk_options(options, planner, queries.about.walk)?;
    let here = situated.situation.with_doors(&level);
    let here = queries
        .about
        .profile_id
        .and_then(|profile| door_states::for_profile(&here, profile))
        .map_or(here, Arc::new);
    let (bundle, nav) = baked(&here, &library, &queries.about, options, console)?;
    let ctx = JobContext::default();
    if let Some(expansions) = options.constraints.expansions {
        return constraints::within(expansions, planner, &nav, &queries, console);
    }
    let (mission, legs) = MissionSession::plan(planner, &nav, &queries, &ctx)?;
    let mut whole: Option<Path> = None;
    let mut optimal = Some(0.0);
    let mut events: Vec<Event> = Vec::new();
    for (leg, session) in legs.into_iter().zip(mission.legs()) {
        let path = match leg.answer {
            planner::Answer::Found(path) => path,
            planner::Answer::NotFound(reason) => {
                let object = no_path_object(&level, planner, &reason);
                console.result(&format!("no path: {}", reason.reason), &object);
                return Ok(Answer::No);
            }
        };
        events.extend(path.events().cloned());
        let request = &session.task().request;
        optimal = optimal_length(planner, &nav, request, options, &ctx)?
            .and_then(|length| Some(optimal? + length));
        whole = Some(match whole {
            Some(before) => joined(before, path),
            None => path,
        });
    }
    let Some(mut path) = whole else {
        bail!("the agent has no goal; give it one, or use --from and --to");
    };
    let plan: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
    path.mean_curvature = metrics::mean_curvature(&plan);
    // Skipping parts of a route is part of following it, and not worth a message.
    for event in events.iter().filter(|e| e.kind != EventKind::Skipped) {
        console.remark(&event.text);
    }
    let mut object = path_object(&path, planner, optimal);
    object["events"] = events.iter().map(event_object).collect();
    let mut text = summary(&path, planner, optimal);
    let mut answer = Answer::Yes;
    if !options.moves.is_empty() {
        let (told, moves, is_lost) = if planner == PlannerId::CONSTRAINT {
            constraints::moved(mission, &queries, &situated, options, &bundle)?
        } else {
            moving::run(mission, &queries, options, &bundle)?
        };
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
    planner: PlannerId,
    usual: WalkOptions,
) -> anyhow::Result<WalkOptions> {
    let is_asked = options.attraction.is_some()
        || options.control.is_some()
        || options.safe_distance.is_some();
    let reads = registry::row(planner).map(|row| row.reads);
    if is_asked && !reads.is_some_and(|reads| reads.contains(Reads::WALK_OPTIONS)) {
        bail!(
            "--attraction, --control and --safe-distance are for --planner corridor, not {planner}"
        );
    }
    Ok(WalkOptions {
        attraction: options.attraction.unwrap_or(usual.attraction),
        control: options.control.unwrap_or(usual.control),
        safe_distance: options.safe_distance.or(usual.safe_distance),
    })
}

fn agent_queries(
    level: &Level,
    name: &str,
    options: &args::Plan,
) -> anyhow::Result<(PlannerId, MissionQueries)> {
    let id = named(level, KindName::Agent, name)?;
    let Some(Kind::Agent(agent)) = level.get(id).map(|entity| &entity.kind) else {
        bail!("\"{name}\" is not an agent");
    };
    let planner = options
        .planner
        .unwrap_or_else(|| registry::effective(agent.mission.planner));
    let mut queries = MissionQueries::of_agent(level, agent, None);
    if let Some(name) = &options.route {
        let route = named(level, KindName::Route, name)?;
        queries.about.guide = guide_of(level, Some(route));
    }
    Ok((planner, queries))
}

/// A request whose places are still to be filled in, for the body of the named profile, else of the
/// first one.
fn about(level: &Level, options: &args::Plan) -> anyhow::Result<PathRequest> {
    let profile = match &options.profile {
        Some(name) => Some(named(level, KindName::Profile, name)?),
        None => level.profiles().next().map(|(id, ..)| id),
    };
    let profile_id = profile;
    let mut profile = match profile {
        Some(id) => profile_of(level, id),
        None => Arc::default(),
    };
    if let Some(radius) = options.radius {
        if !(0.0..=100.0).contains(&radius) {
            bail!("the radius must be from 0 to 100 m, not {radius}");
        }
        Arc::make_mut(&mut profile).body.radius = radius;
    }
    let route = match &options.route {
        Some(name) => Some(named(level, KindName::Route, name)?),
        None => None,
    };
    Ok(PathRequest {
        profile,
        profile_id,
        guide: guide_of(level, route),
        ..PathRequest::in_space(DVec3::ZERO, DVec3::ZERO)
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
    level: &Arc<Level>,
    library: &Arc<MeshLibrary>,
    about: &PathRequest,
    options: &args::Plan,
    console: &Console,
) -> anyhow::Result<(NavBundle, NavData)> {
    let voxels = voxels::options(&options.voxels, level, library);
    let radius = about.profile.body.radius;
    let request = BakeRequest {
        options: Arc::new(voxels).into(),
        ..BakeRequest::for_radius(Arc::clone(level), radius)
    };
    let bundle = console.with_progress("Baking", |ctx| NavBundle::bake(request, ctx))?;
    let nav = bundle.nav(radius);
    let nav = nav.ok_or_else(|| anyhow!("nothing was baked for a radius of {radius} m"))?;
    Ok((bundle, nav))
}

/// The shortest length for the same query, unless it is not wanted.
fn optimal_length(
    planner: PlannerId,
    nav: &NavData,
    request: &PathRequest,
    options: &args::Plan,
    ctx: &JobContext,
) -> anyhow::Result<Option<f64>> {
    // The shortest path knows one storey only.
    if options.no_optimum || registry::is_in_space(planner) {
        return Ok(None);
    }
    let straight = PathRequest {
        slope: None,
        ..request.clone()
    };
    let answer = registry::plan(PlannerId::OPTIMAL, nav, &straight, ctx)?;
    Ok(answer.path().map(|path| path.length))
}

/// One path after the other.
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
    let skipped = before.points.len().saturating_sub(1);
    before
        .links
        .extend(next.links.into_iter().map(|link| LinkUse {
            point: link.point + skipped,
            ..link
        }));
    before.points.extend(next.points.into_iter().skip(1));
    before.actions.extend(next.actions.into_iter().skip(1));
    before
}

fn path_object(path: &Path, planner: PlannerId, optimal: Option<f64>) -> Value {
    json!({
        "found": true,
        "planner": planner.as_str(),
        "length": path.length,
        "cost": path.cost,
        "optimal_length": optimal,
        "points": points_object(&path.points),
        "actions": (0..path.points.len()).map(|i| path.action_name(i)).collect::<Vec<_>>(),
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

/// An event along the path; its time counts from the start of its leg.
fn event_object(event: &Event) -> Value {
    let kind = match event.kind {
        EventKind::Skipped => "skipped",
        EventKind::Recovered => "recovered",
        EventKind::Stuck => "stuck",
        EventKind::Noted => "noted",
    };
    json!({ "kind": kind, "seconds": event.time, "at": event.at.to_array(), "text": event.text })
}

fn no_path_object(level: &Level, planner: PlannerId, reason: &NoPath) -> Value {
    json!({
        "found": false,
        "planner": planner.as_str(),
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

fn summary(path: &Path, planner: PlannerId, optimal: Option<f64>) -> String {
    let mut text = format!(
        "{:.3} m by {}",
        path.length,
        within_sentence(registry::title(planner))
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
        let action = path.action_name(index);
        if action != Action::Walk.name().to_lowercase() {
            let _ = write!(text, "  {action}");
        }
    }
    text
}
