//! `wayloom bench miran`: Table 1, triangulating, whole paths, and painting under ten agents.

use super::super::{Better, LabError, Report, Row, measure};
use super::subject::{Subject, Subjects, sample};
use super::{BUDGET, table_1};
use crate::base::EntityId;
use crate::document::{
    Agent, Edit, Entity, Goal, Heading, Kind, Mission, PlannerId, Profile, Region, ops,
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::lab::live::planned;
use crate::lab::scene::{nav_for, shared_request};
use crate::nav::{BakeQuality, BakeRequest, NavBundle, Needs};
use glam::DVec2;
use std::sync::Arc;

/// # Errors
/// Cancelled, or a sample could not be made.
pub fn bench(ctx: &JobContext) -> Result<Report, LabError> {
    let subjects = Subjects::new(ctx)?;
    let mut rows = table_1(&subjects, ctx)?;
    ctx.stage("Triangulating");
    for name in ["mckenna_road", "forest", "city"] {
        let level = sample(name)?;
        let asked = shared_request(level);
        let bake = || NavBundle::bake(asked.clone(), ctx);
        let built = measure::time(BUDGET, bake, |bundle| {
            bundle
                .and_then(|bundle| bundle.prepare(Needs::TERRAIN, ctx))
                .ok()
        });
        let triangles = bake()?.terrain().mesh().len();
        rows.push(
            Row::new(
                format!("{triangles} triangles of {name}"),
                "ms",
                built.median * 1e3,
            )
            .spread(built.spread * 1e3),
        );
    }
    rows.push(brushed(ctx)?);
    ctx.stage("Paths");
    for (name, agent) in [
        ("mckenna", "Guard"),
        ("mckenna_road", "Pedestrian"),
        ("forest", "Parent"),
    ] {
        let subject = Subject::new(name, agent, ctx)?;
        let timing = subject.timing(PlannerId::MIRAN);
        let (_, session) = subject.walked();
        let steps = session
            .state()
            .walked()
            .map_or(0, |walked| walked.steps.len())
            .max(1);
        rows.push(
            Row::new(
                format!("path in {name}, {steps} steps"),
                "ms",
                timing.median * 1e3,
            )
            .spread(timing.spread * 1e3),
        );
        let per_step = timing.median * 1e9 / steps as f64;
        rows.push(Row::new(format!("one step in {name}"), "ns", per_step));
        let mut free = subject;
        free.request.guide = None;
        let timing = free.timing(PlannerId::MIRAN);
        rows.push(
            Row::new(
                format!("path in {name} along a computed route"),
                "ms",
                timing.median * 1e3,
            )
            .spread(timing.spread * 1e3),
        );
    }
    ctx.stage("Painting");
    rows.push(repaint(ctx)?);
    Ok(Report {
        name: "miran".to_owned(),
        rows,
    })
}

/// A dab of a brush in the city, triangulated near it alone.
fn brushed(ctx: &JobContext) -> Result<Row, LabError> {
    let city = sample("city")?;
    let bounds = city.settings().bounds;
    let bake = |level: crate::document::Level, before: Option<&NavBundle>| {
        let quality = match before {
            Some(_) => BakeQuality::Preview,
            None => BakeQuality::Full,
        };
        let request = BakeRequest {
            needs: Needs::TERRAIN,
            quality,
            before,
            ..shared_request(level)
        };
        NavBundle::bake(request, ctx)
    };
    let terrain = city.terrains().last().map(|(id, ..)| id);
    let terrain = terrain.ok_or_else(|| LabError::Unavailable("no terrain".to_owned()))?;
    let patch = city.largest_id().next();
    let before = bake(city.clone(), None)?;
    let mut step = 0;
    let timing = measure::time(
        BUDGET,
        || {
            step += 1;
            let area = dab(&bounds, step);
            let region = Entity::new("", Kind::Region(Region { area, terrain }));
            let painted = ops::apply(&city, &[Edit::create(patch, region)]);
            painted.unwrap_or_else(|_| city.clone())
        },
        |painted| bake(painted, Some(&before)).ok(),
    );
    let what = "a dab in the city, triangulated near it";
    Ok(Row::new(what, "ms", timing.median * 1e3).spread(timing.spread * 1e3))
}

/// Where a brush is after so many steps.
fn dab(bounds: &Rect, step: u32) -> Polygon {
    let at = bounds.centre() + DVec2::new(0.37 * f64::from(step % 100), 5.0);
    Polygon::regular(at, 6.0, 24, 0.0)
}

/// Ten agents of a city are shown while terrain is painted.
fn repaint(ctx: &JobContext) -> Result<Row, LabError> {
    const AGENTS: u64 = 10;
    let city = sample("city")?;
    let bounds = city.settings().bounds;
    let next = city.largest_id().next().number();
    let profile = EntityId::new(next);
    let others: Vec<EntityId> = city.agents().map(|(id, ..)| id).collect();
    let mut edits: Vec<Edit> = others.into_iter().map(|id| Edit::Delete { id }).collect();
    edits.push(Edit::create(
        profile,
        Entity::new("Walker", Kind::Profile(Profile::default())),
    ));
    let nav = nav_for(&city, Profile::default().body.radius, ctx)?;
    let free_near = |wanted: DVec2| {
        (0..4000)
            .map(|i| wanted + 0.05 * f64::from(i) * DVec2::from_angle(2.4 * f64::from(i)))
            .find(|p| nav.is_placed(*p))
            .unwrap_or(wanted)
    };
    for i in 0..AGENTS {
        let share = (i as f64 + 0.5) / AGENTS as f64;
        let inner = bounds.expanded(-20.0);
        let at = |x: f64, y: f64| free_near(inner.min + inner.size() * DVec2::new(x, y));
        let kind = Kind::Agent(Agent {
            start: at(0.3, share).extend(0.0),
            heading: Heading::default(),
            mission: Mission {
                goals: vec![Goal::At(at(0.7, 1.0 - share).extend(0.0))],
                planner: PlannerId::MIRAN,
                ..Mission::new(profile)
            },
        });
        edits.push(Edit::create(
            EntityId::new(next + 1 + i),
            Entity::new("", kind),
        ));
    }
    let level = ops::apply(&city, &edits)?;
    let terrain = level.terrains().last().map(|(id, ..)| id);
    let terrain = terrain.ok_or_else(|| LabError::Unavailable("no terrain".to_owned()))?;
    let before = planned(Arc::new(level.clone()), None, BakeQuality::Full, ctx)?;
    let patch = EntityId::new(next + 1 + AGENTS);
    let mut step = 0;
    let timing = measure::time(
        BUDGET,
        || {
            step += 1;
            let area = dab(&bounds, step);
            let region = Entity::new("", Kind::Region(Region { area, terrain }));
            let painted = ops::apply(&level, &[Edit::create(patch, region)]);
            Arc::new(painted.unwrap_or_else(|_| level.clone()))
        },
        |level| planned(level, Some(&before), BakeQuality::Preview, ctx).ok(),
    );
    let what = format!("repainting in the city until {AGENTS} new paths are planned");
    Ok(Row::new(what, "ms", timing.median * 1e3)
        .spread(timing.spread * 1e3)
        .goal(33.0, Better::Lower))
}
