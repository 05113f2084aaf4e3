//! Connections off the mesh: links of the level, as Detour has them.

use super::super::frame::Frame;
use super::tiles::{put, put_floats, put_shorts};
use crate::base::EntityId;
use crate::document::{Body, Link, LinkDirection};
use glam::DVec2;

/// Polygons of connections have this flag alone, so that a filter can leave them out.
pub(super) const FLAG: u16 = 2;

/// `RC_WALKABLE_AREA`: a metre costs as much as on the ground.
pub(super) const AREA: u8 = 63;

/// `DT_POLYTYPE_OFFMESH_CONNECTION`.
const TYPE: u8 = 1;

/// The end lies in the tile itself.
const HERE: u8 = 0xff;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Connection {
    pub from: [f32; 3],
    pub to: [f32; 3],
    /// Within this distance an end is joined to the mesh. Unit: metres.
    radius: f32,
    is_two_way: bool,
    /// The link's id in the level.
    user: u32,
}

impl Connection {
    pub fn of(id: EntityId, link: &Link, body: &Body, frame: Frame) -> Self {
        Self {
            from: frame.y_up(link.from),
            to: frame.y_up(link.to),
            // Links are drawn up to walls, which the mesh keeps a radius away from.
            radius: (1.5 * body.radius + 0.1) as f32,
            is_two_way: link.direction == LinkDirection::BothWays,
            user: id.number() as u32,
        }
    }

    /// The polygon that stands for it: two corners that are its own.
    pub fn polygon(polygons: &mut Vec<u8>, first_vertex: u16) {
        put(polygons, [u32::MAX]);
        put_shorts(polygons, [first_vertex, first_vertex + 1, 0, 0, 0, 0]);
        put_shorts(polygons, [0; 6]);
        put_shorts(polygons, [FLAG]);
        polygons.extend([2, AREA | TYPE << 6]);
    }

    /// As it stands at the end of a tile whose box in x and z is `low` to `high`.
    pub fn write(&self, data: &mut Vec<u8>, polygon: u16, low: DVec2, high: DVec2) {
        put_floats(data, self.from);
        put_floats(data, self.to);
        put_floats(data, [self.radius]);
        put_shorts(data, [polygon]);
        data.extend([u8::from(self.is_two_way), side(self.to, low, high)]);
        put(data, [self.user]);
    }
}

/// In which direction from a tile a place lies: counted from +x towards +z.
fn side(place: [f32; 3], low: DVec2, high: DVec2) -> u8 {
    let [x, z] = [f64::from(place[0]), f64::from(place[2])];
    match (x >= high.x, z >= high.y, x < low.x, z < low.y) {
        (true, false, _, false) => 0,
        (true, true, ..) => 1,
        (false, true, false, _) => 2,
        (false, true, true, _) => 3,
        (false, false, true, false) => 4,
        (false, _, true, true) => 5,
        (false, _, false, true) => 6,
        (true, _, _, true) => 7,
        _ => HERE,
    }
}
