//! The mesh in tiles, and their bytes.

use super::connection::Connection;
use super::{agent, area_of};
use crate::document::Body;
use crate::exchange::export::frame::Frame;
use crate::exchange::nav_mesh::NavMesh;
use crate::geometry::Rect;
use glam::DVec2;
use std::collections::BTreeMap;

/// References have 32 bits, of which 10 are for tiles that were replaced and 16 for polygons.
pub(super) const MOST_ALONG_A_SIDE: usize = 8;

/// `DT_EXT_LINK`: across this side lies another tile.
const ELSEWHERE: u16 = 0x8000;

/// A corner nearer than this to a tile's border lies on it. Unit: metres.
const ON_BORDER: f64 = 1e-6;

/// Squares of equal size over the level.
#[derive(Clone, Debug)]
pub(super) struct Tiling {
    bounds: Rect,
    /// Along both axes.
    side: usize,
    frame: Frame,
}

/// A part of the mesh with numbers of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    /// Along x and along z, which points down the plan.
    pub at: [usize; 2],
    /// Of the mesh.
    pub polygons: Vec<u32>,
    /// Of the mesh.
    pub vertices: Vec<u32>,
}

impl Tiling {
    pub fn new(bounds: Rect, side: usize, frame: Frame) -> Self {
        Self {
            bounds,
            side,
            frame,
        }
    }

    fn extent(&self) -> DVec2 {
        self.bounds.size() / self.side as f64
    }

    /// On the lattice: where polygons are cut.
    pub fn cuts(&self) -> [Vec<f64>; 2] {
        let [xs, ys] = [self.extent().x, self.extent().y].map(|step| {
            let lines = (1..self.side).map(move |i| (step * i as f64 * 1000.0).round() / 1000.0);
            lines.collect::<Vec<f64>>()
        });
        // Rows are counted along z, from the top of the plan down.
        let up = |x: f64| self.bounds.min.x + x;
        let down = |y: f64| self.bounds.max.y - y;
        [
            xs.into_iter().map(up).collect(),
            ys.into_iter().map(down).collect(),
        ]
    }

    /// By the middle of polygons; empty tiles are left out.
    pub fn divided(&self, mesh: &NavMesh) -> Vec<Tile> {
        let [xs, ys] = self.cuts();
        let mut tiles: BTreeMap<[usize; 2], Tile> = BTreeMap::new();
        for (index, polygon) in (0_u32..).zip(&mesh.polygons) {
            let corners = polygon.corners.iter().map(|c| mesh.vertices[*c as usize]);
            let middle = corners.sum::<DVec2>() / polygon.corners.len() as f64;
            let column = xs.iter().filter(|x| **x < middle.x).count();
            let row = ys.iter().filter(|y| **y > middle.y).count();
            let tile = tiles.entry([row, column]).or_default();
            tile.at = [column, row];
            tile.polygons.push(index);
            tile.vertices.extend(&polygon.corners);
        }
        let mut tiles: Vec<Tile> = tiles.into_values().collect();
        for tile in &mut tiles {
            tile.vertices.sort_unstable();
            tile.vertices.dedup();
        }
        tiles
    }

    /// The whole file.
    pub fn bytes(
        &self,
        mesh: &NavMesh,
        tiles: &[Tile],
        connections: &[Connection],
        body: &Body,
    ) -> Vec<u8> {
        let heights = mesh.places().map(|p| p.z as f32);
        let (low, high) = heights.fold((0.0_f32, 0.0_f32), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        let of_tile = self.connections_of(tiles, connections);
        let counts = tiles.iter().zip(&of_tile);
        let most_polygons = counts
            .map(|(tile, own)| tile.polygons.len() + own.len())
            .max();
        let most_polygons = most_polygons.unwrap_or(1).next_power_of_two();
        let most_tiles = tiles.len().next_power_of_two();
        let corner = self.bounds.min.with_y(self.bounds.max.y);
        let mut origin = self.frame.y_up(corner.extend(0.0));
        origin[1] = low;
        let extent = self.extent();
        let mut file = b"TESM".to_vec();
        put(&mut file, [1_u32, tiles.len() as u32]);
        put_floats(&mut file, origin);
        put_floats(&mut file, [extent.x as f32, extent.y as f32]);
        put(&mut file, [most_tiles as u32, most_polygons as u32]);
        let mut tile_of = vec![(0_u32, 0_u16); mesh.polygons.len()];
        for (number, tile) in (0_u32..).zip(tiles) {
            for (index, polygon) in tile.polygons.iter().enumerate() {
                tile_of[*polygon as usize] = (number, index as u16);
            }
        }
        let bits = |count: usize| count.trailing_zeros();
        for ((number, tile), own) in (0_u32..).zip(tiles).zip(&of_tile) {
            let around = Around {
                number,
                tile_of: &tile_of,
                agent: agent(body),
                heights: [low, high],
                own,
                all: connections.len(),
            };
            let data = self.tile_bytes(mesh, tile, &around);
            let salt = 1 << (bits(most_polygons) + bits(most_tiles));
            let reference = salt | number << bits(most_polygons);
            put(&mut file, [reference, data.len() as u32]);
            file.extend(data);
        }
        file
    }

    /// For each tile the connections that begin in it.
    fn connections_of(&self, tiles: &[Tile], connections: &[Connection]) -> Vec<Vec<Connection>> {
        let corner = self
            .frame
            .y_up(self.bounds.min.with_y(self.bounds.max.y).extend(0.0));
        let extent = self.extent();
        let mut of_tile = vec![Vec::new(); tiles.len()];
        for connection in connections {
            let [x, _, z] = connection.from;
            let place = |v: f32, from: f32, step: f64| {
                let index = (f64::from(v - from) / step).floor().max(0.0) as usize;
                index.min(self.side - 1)
            };
            let at = [place(x, corner[0], extent.x), place(z, corner[2], extent.y)];
            if let Some(index) = tiles.iter().position(|tile| tile.at == at) {
                of_tile[index].push(*connection);
            }
        }
        of_tile
    }

    fn tile_bytes(&self, mesh: &NavMesh, tile: &Tile, around: &Around<'_>) -> Vec<u8> {
        let Around {
            number,
            tile_of,
            agent,
            heights: [low, high],
            own,
            all,
        } = *around;
        let vertex_of: BTreeMap<u32, u16> = tile.vertices.iter().copied().zip(0..).collect();
        let (mut polygons, mut details, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
        let (mut sides, mut portals, mut triangle_count) = (0_u32, 0_u32, 0_u32);
        for &index in &tile.polygons {
            let polygon = &mesh.polygons[index as usize];
            let count = polygon.corners.len();
            sides += count as u32;
            let mut corners = [0_u16; 6];
            let mut neighbours = [0_u16; 6];
            for (i, corner) in polygon.corners.iter().enumerate().take(6) {
                corners[i] = vertex_of.get(corner).copied().unwrap_or_default();
                let Some(beside) = polygon.beside[i] else {
                    continue;
                };
                let (its_tile, its_index) = tile_of[beside as usize];
                if its_tile == number {
                    neighbours[i] = its_index + 1;
                } else {
                    let next = polygon.corners[(i + 1) % count];
                    neighbours[i] = ELSEWHERE | self.border(mesh, [*corner, next], tile.at);
                    portals += 1;
                }
            }
            // No link yet.
            put(&mut polygons, [u32::MAX]);
            put_shorts(&mut polygons, corners);
            put_shorts(&mut polygons, neighbours);
            // Flags: may be walked on.
            put_shorts(&mut polygons, [1]);
            polygons.extend([count as u8, area_of(polygon.terrain.0)]);
            put(&mut details, [0, triangle_count]);
            details.extend([0, count as u8 - 2, 0, 0]);
            for k in 1..count as u8 - 1 {
                // Two bits for each side: whether it is one of the polygon's.
                let first = u8::from(k == 1);
                let last = u8::from(k == count as u8 - 2);
                triangles.extend([0, k, k + 1, first | 1 << 2 | last << 4]);
                triangle_count += 1;
            }
        }
        for index in 0..own.len() {
            let vertex = tile.vertices.len() + 2 * index;
            Connection::polygon(&mut polygons, vertex as u16);
        }
        let links = sides + 4 * portals + 8 + 8 * all as u32;
        let (bottom, top) = (low - agent[2].max(0.1), high + agent[2].max(0.1));
        let points: Vec<[f32; 3]> = tile
            .vertices
            .iter()
            .map(|vertex| self.frame.y_up(mesh.place(*vertex)))
            .collect();
        let bound = |pick: fn(f32, f32) -> f32, from: f32, axis: usize| {
            points.iter().map(|p| p[axis]).fold(from, pick)
        };
        let (least, most) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut data = b"VAND".to_vec();
        put(&mut data, [7]);
        put(&mut data, [tile.at[0] as u32, tile.at[1] as u32, 0, 0]);
        let grounds = tile.polygons.len() as u32;
        let others = own.len() as u32;
        put(
            &mut data,
            [grounds + others, points.len() as u32 + 2 * others, links],
        );
        put(&mut data, [grounds, 0, triangle_count]);
        // No tree of boxes; connections off the mesh come after all polygons.
        put(&mut data, [0, others, grounds]);
        put_floats(&mut data, agent);
        let corner = [bound(f32::min, least, 0), bound(f32::min, least, 2)];
        let opposite = [bound(f32::max, most, 0), bound(f32::max, most, 2)];
        put_floats(&mut data, [corner[0], bottom, corner[1]]);
        put_floats(&mut data, [opposite[0], top, opposite[1]]);
        put_floats(&mut data, [1.0]);
        let ends = own.iter().flat_map(|link| [link.from, link.to]);
        for point in points.into_iter().chain(ends) {
            put_floats(&mut data, point);
        }
        data.extend(polygons);
        data.resize(data.len() + 12 * links as usize, 0);
        data.extend(details);
        data.extend(triangles);
        let [corner, opposite] = [corner, opposite].map(|p| DVec2::from(p.map(f64::from)));
        for (link, polygon) in own.iter().zip(grounds..) {
            // A link that ends on the mesh's very edge ends in the tile.
            let (low, high) = if self.side == 1 {
                (DVec2::NEG_INFINITY, DVec2::INFINITY)
            } else {
                (corner, opposite)
            };
            link.write(&mut data, polygon as u16, low, high);
        }
        data
    }

    /// Which border of a tile a side lies on: 0 +x, 2 +z, 4 −x, 6 −z.
    fn border(&self, mesh: &NavMesh, ends: [u32; 2], [column, row]: [usize; 2]) -> u16 {
        let [a, b] = ends.map(|end| mesh.vertices[end as usize]);
        let [xs, ys] = self.cuts();
        let is_at = |line: Option<&f64>, p: f64, q: f64| {
            line.is_some_and(|line| (p - line).abs() < ON_BORDER && (q - line).abs() < ON_BORDER)
        };
        if is_at(xs.get(column), a.x, b.x) {
            0
        } else if is_at(ys.get(row), a.y, b.y) {
            2
        } else if column > 0 && is_at(xs.get(column - 1), a.x, b.x) {
            4
        } else {
            6
        }
    }
}

/// What the bytes of a tile depend on besides its own polygons.
#[derive(Clone, Copy)]
struct Around<'a> {
    number: u32,
    /// Of each polygon of the mesh.
    tile_of: &'a [(u32, u16)],
    agent: [f32; 3],
    /// Lowest and highest of the whole mesh.
    heights: [f32; 2],
    /// Connections that begin in the tile.
    own: &'a [Connection],
    /// Number of all connections.
    all: usize,
}

pub(super) fn put<const N: usize>(bytes: &mut Vec<u8>, values: [u32; N]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

pub(super) fn put_shorts<const N: usize>(bytes: &mut Vec<u8>, values: [u16; N]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

pub(super) fn put_floats<const N: usize>(bytes: &mut Vec<u8>, values: [f32; N]) {
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}
