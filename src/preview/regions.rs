//! Colours of Voronoi regions and distances, for pictures that are made pixel by pixel.
//!
//! The window's graphics card does the same in a shader; the two must look alike.

use super::primitive::{Fill, FillRule, Ink, Plane, Primitive, Shape, Sink, Stroke};
use super::style::Look;
use crate::base::{Colour, EntityId};
use crate::document::Level;
use crate::geometry::Polygon;
use crate::geometry::proximity::{PixelGrid, nearest};
use crate::geometry::trace::{CellGrid, traced};
use crate::nav::free_space::HEAD_ROOM;
use glam::{DVec2, UVec2};
use std::collections::BTreeMap;

/// The number of the level's border; as a colour it is told apart from "nothing".
const BORDER: u32 = 0x00ff_fffe;

/// Pieces of outline of all that blocks, each with the number of what it belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionSites {
    pub outlines: Vec<(Polygon, u32)>,
}

/// The number that a region is coloured by: the same for an obstacle as long as it exists.
const fn number_of(id: EntityId) -> u32 {
    (id.number() & 0x00ff_ffff) as u32
}

impl RegionSites {
    /// Everything that blocks the plan, and the level's border.
    #[must_use]
    pub fn of_level(level: &Level) -> Self {
        let blockers = level
            .obstacles()
            .filter(|(_, _, obstacle)| obstacle.base < HEAD_ROOM)
            .map(|(id, _, obstacle)| (obstacle.area.clone(), number_of(id)));
        let border = (Polygon::rect(level.settings().bounds), BORDER);
        Self {
            outlines: blockers.chain([border]).collect(),
        }
    }

    /// Finite pieces with the numbers of their obstacles.
    #[must_use]
    pub fn segments(&self) -> (Vec<[DVec2; 2]>, Vec<u32>) {
        let edges = self.outlines.iter().flat_map(|(outline, number)| {
            outline
                .edges()
                .filter(|(a, b)| a.is_finite() && b.is_finite())
                .map(move |(a, b)| ([a, b], *number))
        });
        edges.unzip()
    }
}

/// What is shown of regions and distances, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionStyle {
    pub look: Look,
    pub regions: bool,
    pub distances: bool,
    /// Between lines of equal distance. Unit: metres.
    pub spacing: f64,
    /// The radius of a body: where it has no room is tinted. Unit: metres.
    pub body: Option<f64>,
}

/// Lines of equal distance are at least so far apart. Unit: points.
const LEAST_SPACING: f64 = 14.0;

impl RegionStyle {
    /// A round distance between lines for a scale in points per metre.
    #[must_use]
    pub fn spacing_for(points_per_metre: f64) -> f64 {
        let least = LEAST_SPACING / points_per_metre.max(1e-9);
        let power = 10.0_f64.powf(least.log10().floor());
        [1.0, 2.0, 5.0, 10.0]
            .map(|step| step * power)
            .into_iter()
            .find(|spacing| *spacing >= least)
            .unwrap_or(10.0 * power)
    }

    /// Ink of lines of equal distance and of what is near a wall.
    #[must_use]
    pub const fn near(&self) -> Colour {
        self.look.palette().portal
    }

    /// Ink of where a body has no room.
    #[must_use]
    pub const fn blocked(&self) -> Colour {
        self.look.palette().blocker
    }

    /// Colour of a region, premultiplied with its opacity; from 0 to 1.
    #[must_use]
    pub fn ink(&self, number: u32, is_border: bool, metres: f64, pixel: f64) -> [f64; 4] {
        let is_light = self.look == Look::Light;
        let mut sum = [0.0; 4];
        if self.regions {
            let (colour, strength) = if is_border {
                ([if is_light { 0.08 } else { 1.0 }; 3], 0.6)
            } else {
                (region(number), if is_light { 0.36 } else { 0.30 })
            };
            sum = premultiplied(colour, strength);
        }
        if self.distances {
            let close = (-metres / (2.0 * self.spacing)).exp();
            let off = ((metres / self.spacing + 0.5).fract() - 0.5).abs() * self.spacing / pixel;
            let line = if metres > 0.5 * self.spacing {
                1.0 - smooth_step(0.5, 1.3, off)
            } else {
                0.0
            };
            let strength = 0.55 * close.max(line);
            let Colour { r, g, b } = self.near();
            let over = premultiplied([r, g, b].map(|lane| f64::from(lane) / 255.0), strength);
            sum = std::array::from_fn(|i| over[i] + sum[i] * (1.0 - strength));
        }
        if let Some(radius) = self.body {
            let edge = 1.0 - smooth_step(0.6, 1.4, (metres - radius).abs() / pixel);
            let inside = if metres < radius { 0.34 } else { 0.0 };
            let strength = (0.9 * edge).max(inside);
            let Colour { r, g, b } = self.blocked();
            let over = premultiplied([r, g, b].map(|lane| f64::from(lane) / 255.0), strength);
            sum = std::array::from_fn(|i| over[i] + sum[i] * (1.0 - strength));
        }
        sum
    }
}

fn premultiplied([r, g, b]: [f64; 3], alpha: f64) -> [f64; 4] {
    [r * alpha, g * alpha, b * alpha, alpha]
}

fn smooth_step(from: f64, to: f64, at: f64) -> f64 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Neighbouring numbers get colours far apart; the same number always the same one.
fn region(number: u32) -> [f64; 3] {
    let number = f64::from(number);
    let turn = (number * 0.618_033_988_7).fract();
    let shade = (number * 0.754_877_666_2).fract();
    let full = [0.0, 2.0 / 3.0, 1.0 / 3.0].map(|lane: f64| {
        let around = (turn + lane).fract() * 6.0 - 3.0;
        (around.abs() - 1.0).clamp(0.0, 1.0)
    });
    let grey = full[0] * 0.299 + full[1] * 0.587 + full[2] * 0.114;
    full.map(|lane| {
        let even = lane * 0.75 + grey * 0.25 + (0.5 - grey) * 0.55;
        (even * (0.8 + 0.35 * shade)).clamp(0.0, 1.0)
    })
}

/// Cells along the longer side of a level, for pictures made of shapes.
const CELLS: f64 = 640.0;

/// Regions as areas and distances as lines, for pictures that are made of shapes. Outlines follow
/// the sides of small cells.
pub fn draw_regions(level: &Level, style: &RegionStyle, sink: &mut dyn Sink) {
    let bounds = level.settings().bounds;
    let cell = bounds.size().max_element() / CELLS;
    if !(cell > 0.0 && cell.is_finite()) {
        return;
    }
    let grid = PixelGrid {
        origin: bounds.min,
        pixel: cell,
        size: (bounds.size() / cell).ceil().as_uvec2().max(UVec2::ONE),
    };
    let (segments, numbers) = RegionSites::of_level(level).segments();
    let (sites, distances) = nearest(&segments, &grid);
    let mut add = |primitive| {
        sink.add(Shape {
            plane: Plane::Regions,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    };
    if style.regions {
        let number = |site: &u32| numbers.get(*site as usize).copied();
        let owners: Vec<Option<u32>> = sites.iter().map(number).collect();
        for (number, area) in areas(&owners, &grid) {
            let [r, g, b] = region(number).map(|lane| (lane * 255.0).round() as u8);
            let is_light = style.look == Look::Light;
            let line = Colour::hex(if is_light { 0x14_1414 } else { 0xff_ffff });
            add(Primitive::Area {
                rings: area.rings().cloned().collect(),
                rule: FillRule::EvenOdd,
                fill: Fill::plain(Ink::new(
                    Colour { r, g, b },
                    if is_light { 0.36 } else { 0.30 },
                )),
                outline: Some(Stroke::pixels(Ink::new(line, 0.3), 1.0)),
            });
        }
    }
    if style.distances {
        let near = style.near();
        for [a, b] in contours(&distances, &grid, style.spacing) {
            add(Primitive::Line {
                points: vec![a, b],
                closed: false,
                stroke: Stroke::pixels(Ink::new(near, 0.6), 1.0),
            });
        }
    }
}

/// The cells of each number, as polygons.
fn areas(owners: &[Option<u32>], grid: &PixelGrid) -> Vec<(u32, Polygon)> {
    let columns = grid.size.x as usize;
    let mut boxes: BTreeMap<u32, [usize; 4]> = BTreeMap::new();
    for (i, owner) in owners.iter().enumerate() {
        let (x, y) = (i % columns, i / columns);
        if let Some(owner) = owner {
            let [x0, y0, x1, y1] = boxes.entry(*owner).or_insert([x, y, x, y]);
            (*x0, *y0) = ((*x0).min(x), (*y0).min(y));
            (*x1, *y1) = ((*x1).max(x), (*y1).max(y));
        }
    }
    boxes
        .into_iter()
        .flat_map(|(number, [x0, y0, x1, y1])| {
            let part = CellGrid {
                origin: grid.corner(UVec2::new(x0 as u32, y0 as u32)),
                cell: grid.pixel,
                columns: x1 - x0 + 1,
                rows: y1 - y0 + 1,
            };
            let is_its = |x: usize, y: usize| owners[(y0 + y) * columns + x0 + x] == Some(number);
            traced(&part, is_its)
                .into_iter()
                .map(move |area| (number, area))
        })
        .collect()
}

/// Lines of equal distance, piece by piece: where they cross the squares between the middles of
/// four pixels.
fn contours(distances: &[f64], grid: &PixelGrid, spacing: f64) -> Vec<[DVec2; 2]> {
    let columns = grid.size.x as usize;
    let mut pieces = Vec::new();
    for y in 0..(grid.size.y as usize).saturating_sub(1) {
        for x in 0..columns.saturating_sub(1) {
            let corner = |dx: usize, dy: usize| {
                let at = grid.middle(UVec2::new((x + dx) as u32, (y + dy) as u32));
                (at, distances[(y + dy) * columns + x + dx])
            };
            let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let least = corners.iter().map(|c| c.1).fold(f64::INFINITY, f64::min);
            let most = corners.iter().map(|c| c.1).fold(0.0, f64::max);
            let level = (least / spacing).ceil() * spacing;
            if !(level > 0.0 && level < most) {
                continue;
            }
            let mut ends = (0..4).filter_map(|i| {
                let ((a, from), (b, to)) = (corners[i], corners[(i + 1) % 4]);
                ((from < level) != (to < level)).then(|| a.lerp(b, (level - from) / (to - from)))
            });
            if let (Some(a), Some(b)) = (ends.next(), ends.next()) {
                pieces.push([a, b]);
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_distance_are_round_and_far_enough_apart() {
        for scale in [1e-4, 0.3, 1.0, 7.0, 96.0, 5_000.0] {
            let spacing = RegionStyle::spacing_for(scale);
            let apart = spacing * scale;
            assert!(
                (LEAST_SPACING..LEAST_SPACING * 2.6).contains(&apart),
                "{scale}: {apart}"
            );
        }
        assert!(RegionStyle::spacing_for(0.0).is_finite());
    }

    #[test]
    fn a_body_is_tinted_where_it_has_no_room_and_nowhere_else() {
        let style = RegionStyle {
            look: Look::Dark,
            regions: false,
            distances: false,
            spacing: 1.0,
            body: Some(2.0),
        };
        let alpha = |metres: f64| style.ink(1, false, metres, 0.1)[3];
        assert!(alpha(0.5) > 0.2 && alpha(1.5) == alpha(0.5));
        assert!(alpha(2.0) > alpha(1.5), "the border of it stands out");
        assert_eq!(alpha(2.5), 0.0);
        assert_eq!(
            RegionStyle {
                body: None,
                ..style
            }
            .ink(1, false, 0.5, 0.1),
            [0.0; 4]
        );
    }

    #[test]
    fn regions_as_shapes_cover_the_level_once() {
        let template = crate::document::template::Template::by_name("mckenna").expect("a sample");
        let level = template.build(&Default::default()).expect("valid");
        let style = RegionStyle {
            look: Look::Dark,
            regions: true,
            distances: true,
            spacing: 5.0,
            body: None,
        };
        let mut shapes: Vec<Shape> = Vec::new();
        draw_regions(&level, &style, &mut shapes);
        let area: f64 = shapes
            .iter()
            .filter_map(|shape| match &shape.primitive {
                Primitive::Area { rings, .. } => {
                    let signed = rings
                        .iter()
                        .map(|r| crate::geometry::polygon::signed_area(r));
                    Some(signed.sum::<f64>().abs())
                }
                _ => None,
            })
            .sum();
        let size = level.settings().bounds.size();
        assert!((area / (size.x * size.y) - 1.0).abs() < 0.01, "{area}");
        let is_line = |shape: &&Shape| matches!(shape.primitive, Primitive::Line { .. });
        assert!(shapes.iter().filter(is_line).count() > 500);
    }

    #[test]
    fn regions_keep_their_colour_and_neighbours_differ() {
        for number in 0..200 {
            assert_eq!(region(number), region(number));
            let (a, b) = (region(number), region(number + 1));
            let apart: f64 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
            assert!(apart > 0.2, "{number}");
        }
    }
}
