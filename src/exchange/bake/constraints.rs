//! The constraints of agents as tables: regions, weights, and the multiplier on a raster.

use super::blob::{Blob, Column};
use crate::document::{Agent, Kind, Level, PlannerId};
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use crate::nav::constraint::{FieldRule, Region, Situation};
use crate::planner::MissionQueries;
use glam::DVec2;
use serde_json::{Value, json};
use std::sync::Arc;

pub const FILE: &str = "constraints.wlb";

/// Cells of the raster along the longer side of a level.
const CELLS: f64 = 256.0;

/// What is worth telling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BakedConstraints {
    pub agents: usize,
    pub regions: usize,
    pub cells: [usize; 2],
}

/// The tables, what the index says of them, and what is worth telling; `None` if no agent plans with
/// constraints.
///
/// # Errors
/// The job was cancelled.
pub(super) fn baked(
    level: &Level,
    ctx: &JobContext,
) -> Result<Option<(Blob, Value, BakedConstraints)>, Cancelled> {
    let agents: Vec<(u64, String, &Agent)> = level
        .iter()
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Agent(agent) => Some((id.number(), entity.label(id), agent)),
            _ => None,
        })
        .filter(|(.., agent)| {
            agent.mission.planner == PlannerId::CONSTRAINT && !agent.mission.constraints.is_empty()
        })
        .collect();
    if agents.is_empty() {
        return Ok(None);
    }
    let situation = Situation::of(level);
    let area = level.settings().bounds;
    let cell = area.size().max_element() / CELLS;
    let size = (area.size() / cell).ceil().max(DVec2::ONE);
    let size = [size.x as usize, size.y as usize];
    let covered = Rect::new(
        area.min,
        area.min + DVec2::new(size[0] as f64, size[1] as f64) * cell,
    );
    let mut regions: Vec<Arc<Region>> = Vec::new();
    let mut columns: Vec<(String, Column)> = Vec::new();
    let mut listed = Vec::new();
    for (id, name, agent) in &agents {
        ctx.checkpoint()?;
        let queries = MissionQueries::in_situation(level, agent, None, &situation);
        let field = &queries.about.constraints.field;
        let mut terms = Vec::new();
        for term in field.terms() {
            let known = regions.iter().position(|known| **known == *term.region);
            let region = known.unwrap_or_else(|| {
                regions.push(Arc::clone(&term.region));
                regions.len() - 1
            });
            let rule = match term.rule {
                FieldRule::In => "in",
                FieldRule::Near => "near",
                FieldRule::Forbidden => "forbidden",
            };
            terms.push(json!({
                "name": &*term.name, "rule": rule, "weight": term.weight, "region": region,
            }));
        }
        let column = format!("field_{id}");
        let values = field.raster(covered, size, agent.start.z);
        listed.push(json!({
            "id": id, "name": name, "base": field.base(), "column": column,
            "height": agent.start.z, "terms": terms,
        }));
        columns.push((column, Column::F64(values)));
    }
    let (mut points, mut ring_starts, mut starts) = (Vec::new(), vec![0_u32], vec![0_u32]);
    for region in &regions {
        for ring in region.rings() {
            points.extend(ring.iter().flat_map(DVec2::to_array));
            ring_starts.push((points.len() / 2) as u32);
        }
        starts.push(ring_starts.len() as u32 - 1);
    }
    let heights: Vec<Value> = regions.iter().map(|r| json!(r.heights())).collect();
    columns.extend([
        ("region_points".to_owned(), Column::F64(points)),
        ("region_ring_starts".to_owned(), Column::U32(ring_starts)),
        ("region_starts".to_owned(), Column::U32(starts)),
    ]);
    let flags: Vec<Value> = level
        .iter()
        .filter_map(|(id, entity)| match &entity.kind {
            Kind::Flag(_) => Some(json!({
                "name": entity.label(id), "set": situation.is_set(level, id),
            })),
            _ => None,
        })
        .collect();
    let about = json!({
        "file": FILE, "hour": situation.hour, "flags": flags,
        "origin": [covered.min.x, covered.min.y], "cell": cell, "size": size,
        "region_heights": heights, "agents": listed,
    });
    let told = BakedConstraints {
        agents: agents.len(),
        regions: regions.len(),
        cells: size,
    };
    Ok(Some((Blob { columns }, about, told)))
}
