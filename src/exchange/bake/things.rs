//! What a designer placed: routes, areas, agents and crowds, as tables with a list of their names.

use super::blob::{Blob, Column};
use crate::base::EntityId;
use crate::document::annotation_area::annotation_area;
use crate::document::route_line::route_line;
use crate::document::{Entity, Kind, Level, LinkDirection};
use crate::exchange::export::{door_extras, goals, link_extras};
use crate::geometry::Polygon;
use glam::DVec2;
use serde_json::{Value, json};

/// File of the tables within the bake's folder.
pub const FILE: &str = "things.wlb";

/// Rings after each other: points, where each ring begins, where each area begins.
#[derive(Default)]
struct Rings {
    points: Vec<f64>,
    ring_starts: Vec<u32>,
    starts: Vec<u32>,
}

impl Rings {
    fn add<'a>(&mut self, rings: impl Iterator<Item = &'a [DVec2]>) {
        self.starts.push(self.ring_starts.len() as u32);
        for ring in rings {
            self.ring_starts.push((self.points.len() / 2) as u32);
            self.points.extend(ring.iter().flat_map(DVec2::to_array));
        }
    }

    fn columns(mut self, name: &str) -> [(String, Column); 3] {
        self.starts.push(self.ring_starts.len() as u32);
        self.ring_starts.push((self.points.len() / 2) as u32);
        [
            (format!("{name}_points"), Column::F64(self.points)),
            (format!("{name}_ring_starts"), Column::U32(self.ring_starts)),
            (format!("{name}_starts"), Column::U32(self.starts)),
        ]
    }
}

/// The tables and what the index says of them.
pub(in crate::exchange) fn baked(level: &Level) -> (Blob, Value) {
    let (mut routes, mut areas, mut crowds) =
        (Rings::default(), Rings::default(), Rings::default());
    let mut exits = Rings::default();
    let (mut starts, mut links, mut costs, mut doors) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut both_ways, mut admitted, mut admitted_starts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut link_list, mut door_list, mut exit_list) = (Vec::new(), Vec::new(), Vec::new());
    let (mut route_list, mut area_list) = (Vec::new(), Vec::new());
    let (mut agent_list, mut crowd_list) = (Vec::new(), Vec::new());
    for (id, entity) in level.iter() {
        match &entity.kind {
            Kind::Route(route) => {
                let line = route_line(route);
                routes.add(std::iter::once(line.points()));
                let closed = route.closed;
                route_list.push(named(id, entity, json!({ "closed": closed })));
            }
            Kind::Annotation(_) => {
                let found = annotation_area(level, id);
                areas.add(found.iter().flat_map(Polygon::rings).map(Vec::as_slice));
                area_list.push(named(id, entity, json!({})));
            }
            Kind::Agent(agent) => {
                starts.extend(agent.start.to_array());
                starts.push(agent.heading.radians());
                agent_list.push(named(
                    id,
                    entity,
                    json!({
                        "profile": agent.mission.profile.number(),
                        "planner": agent.mission.planner.as_str(),
                        "goals": goals(&agent.mission.goals),
                    }),
                ));
            }
            Kind::Crowd(crowd) => {
                crowds.add(crowd.area.rings().map(Vec::as_slice));
                crowd_list.push(named(
                    id,
                    entity,
                    json!({
                        "profile": crowd.mission.profile.number(),
                        "planner": crowd.mission.planner.as_str(),
                        "count": crowd.size(),
                        "goals": goals(&crowd.mission.goals),
                    }),
                ));
            }
            Kind::Link(link) => {
                links.extend([link.from, link.to].iter().flat_map(glam::DVec3::to_array));
                costs.push(link.path_cost());
                both_ways.push(u32::from(link.direction == LinkDirection::BothWays));
                admitted_starts.push(admitted.len() as u32);
                let ids = link.profiles.iter().map(|id| id.number());
                admitted.extend(ids.map(|id| u32::try_from(id).unwrap_or(u32::MAX)));
                link_list.push(named(id, entity, link_extras(level, link)));
            }
            Kind::Door(door) => {
                doors.extend(door.jambs.iter().flat_map(DVec2::to_array));
                door_list.push(named(id, entity, door_extras(door)));
            }
            Kind::Exit(exit) => {
                exits.add(exit.area.rings().map(Vec::as_slice));
                exit_list.push(named(id, entity, json!({ "base": exit.base })));
            }
            _ => {}
        }
    }
    admitted_starts.push(admitted.len() as u32);
    let mut columns = Vec::new();
    columns.extend(routes.columns("route"));
    columns.extend(areas.columns("area"));
    columns.extend(crowds.columns("crowd"));
    columns.extend(exits.columns("exit"));
    columns.extend([
        ("agent_starts".to_owned(), Column::F64(starts)),
        ("link_ends".to_owned(), Column::F64(links)),
        ("link_costs".to_owned(), Column::F64(costs)),
        ("link_both_ways".to_owned(), Column::U32(both_ways)),
        (
            "link_profile_starts".to_owned(),
            Column::U32(admitted_starts),
        ),
        ("link_profiles".to_owned(), Column::U32(admitted)),
        ("door_jambs".to_owned(), Column::F64(doors)),
    ]);
    let about = json!({
        "file": FILE,
        "routes": route_list,
        "areas": area_list,
        "agents": agent_list,
        "crowds": crowd_list,
        "links": link_list,
        "doors": door_list,
        "exits": exit_list,
    });
    (Blob { columns }, about)
}

fn named(id: EntityId, entity: &Entity, more: Value) -> Value {
    let mut value = json!({ "id": id.number(), "name": entity.label(id), "tags": entity.tags });
    if let (Value::Object(into), Value::Object(more)) = (&mut value, more) {
        into.extend(more);
    }
    value
}
