//! What Vadere reads and writes: a scenario (topography, sources, targets) and the steps of a run.

use super::PositionWriter;
use crate::document::goal_area::goal_area;
use crate::document::{Goal, Kind, Level, Spawn};
use crate::exchange::export::left_out::{is_internal, left_out, motions};
use crate::exchange::export::{ExportError, Exported, LeftOut, blocking};
use crate::exchange::motion::Motion;
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::geometry::triangulation::Triangulation;
use crate::geometry::{Polygon, Rect, boolean};
use crate::jobs::JobContext;
use glam::DVec2;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Vadere's wall around a topography. Unit: metres.
const BORDER: f64 = 0.5;

/// Half the side of a target at a point. Unit: metres.
const TARGET: f64 = 0.5;

/// One line for each step of each agent.
pub const TRAJ: PositionWriter = PositionWriter { text };

fn text(motion: &Motion, ctx: &JobContext) -> Result<String, ExportError> {
    let mut text = String::from(
        "pedestrianId simTime endTime-PID1 startX-PID1 startY-PID1 endX-PID1 endY-PID1\n",
    );
    for frame in 0..motion.frames {
        if frame % 256 == 0 {
            ctx.checkpoint()?;
        }
        let [from, to] = [frame, frame + 1].map(|f| f as f64 * motion.interval);
        for walker in &motion.walkers {
            let Some(start) = walker.at(frame) else {
                continue;
            };
            let end = walker.at(frame + 1).unwrap_or(start);
            let _ = writeln!(
                text,
                "{} {from:.4} {to:.4} {:.4} {:.4} {:.4} {:.4}",
                walker.number, start.x, start.y, end.x, end.y
            );
        }
    }
    Ok(text)
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioOptions {
    /// Whose body decides what blocks.
    pub profile: Option<String>,
    /// How long Vadere simulates. Unit: seconds.
    pub seconds: f64,
}

impl Default for ScenarioOptions {
    fn default() -> Self {
        Self {
            profile: None,
            seconds: SECONDS.default,
        }
    }
}

const SECONDS: crate::base::Quantity =
    crate::base::Quantity::new("duration", crate::base::Unit::Second, 1.0, 86_400.0, 300.0);

impl FormatOptions for ScenarioOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::profile(
            ["profile", "Profile", "Whose body decides what blocks"],
            |o| &mut o.profile,
        ),
        Field::number(
            ["seconds", "Duration", "How long Vadere simulates"],
            SECONDS,
            |o| &mut o.seconds,
        ),
    ];
}

/// Topography with sources and targets, to be simulated there.
#[derive(Debug)]
pub struct ScenarioWriter;

impl Writer for ScenarioWriter {
    type Options = ScenarioOptions;

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        let reason = |entity: &crate::document::Entity| match &entity.kind {
            Kind::Obstacle(_)
            | Kind::Solid(_)
            | Kind::Agent(_)
            | Kind::Crowd(_)
            | Kind::Exit(_) => None,
            _ if is_internal(entity) => None,
            Kind::Region(_) => Some("Vadere has no terrain of different cost"),
            _ => Some("Vadere has no place for it"),
        };
        let mut found = left_out(level, &reason, Some("Vadere is flat"));
        found.extend(motions(level));
        found
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
        let mut ids = 0;
        let mut id = || {
            ids += 1;
            ids
        };
        let blocked: Vec<Polygon> = blocking::blocking(level, &body).map(|(_, a)| a).collect();
        let bounds = level.settings().bounds;
        // Vadere's obstacles neither overlap nor have holes.
        let within = boolean::intersection(&blocked, &[Polygon::rect(bounds)]);
        let obstacles: Vec<Value> = within
            .iter()
            .flat_map(rings)
            .map(|ring| json!({ "id": id(), "shape": shape(&ring), "visible": true }))
            .collect();
        ctx.checkpoint()?;
        let (mut targets, mut sources) = (Vec::new(), Vec::new());
        for (_, entity) in level.iter() {
            let (area, count, spawn) = match &entity.kind {
                Kind::Agent(agent) => {
                    let at = agent.start.truncate();
                    let half = DVec2::splat(body.radius.max(0.1));
                    (Polygon::rect(Rect::around(at, half)), 1, &Spawn::AtOnce)
                }
                Kind::Crowd(crowd) => (crowd.area.clone(), crowd.size(), &crowd.spawn),
                _ => continue,
            };
            let goals = entity.mission().map(|mission| &mission.goals[..]);
            let mut visited = Vec::new();
            for goal in goals.unwrap_or_default() {
                for area in target(level, goal) {
                    let number = id();
                    visited.push(number);
                    targets.push(json!({
                        "id": number, "absorbing": true, "shape": shape(&area.outer),
                        "waitingTime": 0.0, "parallelWaiters": 0, "deletionDistance": 0.1,
                    }));
                }
            }
            // Those before the last are passed, not arrived at.
            if let Some((_, passed)) = visited.split_last() {
                for earlier in &mut targets {
                    if passed.iter().any(|number| earlier["id"] == *number) {
                        earlier["absorbing"] = false.into();
                    }
                }
            }
            sources.push(source(id(), &area, count, spawn, &visited));
        }
        let file = scenario(
            &level.settings().name,
            bounds,
            options.seconds,
            json!({
                "obstacles": obstacles, "targets": targets, "sources": sources,
                "measurementAreas": [], "stairs": [], "targetChangers": [],
                "absorbingAreas": [], "aerosolClouds": [], "droplets": [],
                "dynamicElements": [], "teleporter": null,
            }),
        );
        let text = serde_json::to_string_pretty(&file)
            .map_err(|error| super::refused("the scenario cannot be written", &error))?;
        sink.write_main((text + "\n").into_bytes())?;
        Ok(Exported {
            summary: vec![format!(
                "{} obstacles, {} sources, {} targets",
                obstacles.len(),
                sources.len(),
                targets.len()
            )],
            ..Exported::default()
        })
    }
}

/// Outlines without holes that cover a polygon.
fn rings(polygon: &Polygon) -> Vec<Vec<DVec2>> {
    if polygon.rings().count() == 1 {
        return vec![polygon.outer.clone()];
    }
    let parts = Triangulation::of_polygon(polygon);
    let corner = |i: u32| parts.points[i as usize];
    let triangles = parts.triangles.iter();
    triangles.map(|t| t.map(corner).to_vec()).collect()
}

fn shape(ring: &[DVec2]) -> Value {
    let points: Vec<Value> = ring.iter().map(|p| json!({ "x": p.x, "y": p.y })).collect();
    json!({ "type": "POLYGON", "points": points })
}

fn target(level: &Level, goal: &Goal) -> Vec<Polygon> {
    match goal {
        Goal::At(at) => vec![Polygon::rect(Rect::around(
            at.truncate(),
            DVec2::splat(TARGET),
        ))],
        Goal::Inside(target) | Goal::Patrol(target) => goal_area(level, *target),
        Goal::NearestExit => level
            .iter()
            .filter_map(|(_, entity)| match &entity.kind {
                Kind::Exit(exit) => Some(exit.area.clone()),
                _ => None,
            })
            .collect(),
    }
}

fn source(id: u32, area: &Polygon, count: u32, spawn: &Spawn, targets: &[u32]) -> Value {
    let (at_a_time, period, end) = match spawn {
        Spawn::AtOnce => (count, 1.0, 0.0),
        Spawn::Stream { per_second } => {
            let period = 1.0 / per_second.max(1e-6);
            (1, period, f64::from(count) * period)
        }
        // Evenly over the time of the whole timetable.
        Spawn::Timetable(arrivals) => {
            let last = arrivals.iter().map(|a| a.at + a.over).fold(1.0, f64::max);
            (1, last / f64::from(count.max(1)), last)
        }
    };
    json!({
        "id": id, "shape": shape(&area.outer), "visible": true, "targetIds": targets,
        "spawner": {
            "type": "org.vadere.state.attributes.spawner.AttributesRegularSpawner",
            "constraintsElementsMax": count,
            "constraintsTimeStart": 0.0,
            "constraintsTimeEnd": end,
            "eventPositionRandom": true,
            "eventPositionGridCA": false,
            "eventPositionFreeSpace": true,
            "eventElementCount": at_a_time,
            "eventElement": null,
            "distribution": {
                "type": "org.vadere.state.attributes.distributions.AttributesConstantDistribution",
                "updateFrequency": period,
            },
        },
        "groupSizeDistribution": [1.0],
    })
}

fn scenario(name: &str, bounds: Rect, seconds: f64, mut topography: Value) -> Value {
    let outer = bounds.expanded(BORDER);
    let size = outer.size();
    topography["attributes"] = json!({
        "bounds": { "x": outer.min.x, "y": outer.min.y, "width": size.x, "height": size.y },
        "boundingBoxWidth": BORDER,
        "bounded": true,
        "referenceCoordinateSystem": null,
    });
    json!({
        "name": name,
        "description": "",
        "release": "2.6",
        "processWriters": {
            "files": [], "processors": [], "isTimestamped": false, "isWriteMetaData": false,
        },
        "scenario": {
            "mainModel": "org.vadere.simulator.models.osm.OptimalStepsModel",
            "attributesModel": {},
            "attributesSimulation": {
                "finishTime": seconds,
                "simTimeStepLength": 0.4,
                "realTimeSimTimeRatio": 0.0,
                "writeSimulationData": true,
                "visualizationEnabled": true,
                "printFPS": false,
                "digitsPerCoordinate": 2,
                "useFixedSeed": true,
                "fixedSeed": 1,
                "simulationSeed": 0,
            },
            "attributesPsychology": { "usePsychologyLayer": false },
            "topography": topography,
            "stimulusInfos": [],
        },
    })
}
