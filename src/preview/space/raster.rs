//! Software rendering of a 3D image: every triangle into a z-buffer, with the same light and
//! section as OpenGL. Slow but exact.

use super::figure::SpaceFigure;
use super::frame::{Placed, SpaceFrame};
use super::layer::{Manner, Rgba, SpaceBox, SpaceLine};
use crate::preview::Pixels;
use glam::{DMat4, DVec2, DVec3, DVec4};

/// Supersampling factor per direction, to smooth edges.
const OVERSAMPLE: usize = 2;
/// Light direction; matches `space.frag`.
const SUN: DVec3 = DVec3::new(-0.2800, -0.6400, 0.7155);
const NEARER: f64 = 0.0015;

/// Brightness of a face with this normal.
fn shade(normal: DVec3) -> f64 {
    (0.44 + 0.13 * (1.0 + normal.z) + 0.46 * normal.dot(SUN).max(0.0)).min(1.12)
}

#[derive(Clone, Copy, Debug)]
struct Corner {
    clip: DVec4,
    /// Relative to the frame's origin.
    world: DVec3,
}

struct Canvas<'a> {
    frame: &'a SpaceFrame,
    width: usize,
    height: usize,
    colour: Vec<[f32; 3]>,
    depth: Vec<f64>,
    /// Number of volumes cut open in front of each pixel; empty if there can be none.
    opened: Vec<i32>,
    view: DMat4,
    to_clip: DMat4,
    eye: DVec3,
    back: DVec3,
    flat_view: bool,
}

/// The frame as 8-bit RGBA, row by row from the top.
#[must_use]
pub fn rasterise(frame: &SpaceFrame, size: [u32; 2], pixels_per_point: f64) -> Pixels {
    let (width, height) = (size[0] as usize * OVERSAMPLE, size[1] as usize * OVERSAMPLE);
    let world_from_eye = frame.view.inverse();
    let mut canvas = Canvas {
        frame,
        width,
        height,
        colour: sky(frame, width, height),
        depth: vec![f64::INFINITY; width * height],
        opened: match frame.section_plane() {
            Some(_) => vec![0; width * height],
            None => Vec::new(),
        },
        view: frame.view,
        to_clip: frame.projection,
        eye: world_from_eye.w_axis.truncate(),
        back: world_from_eye.z_axis.truncate(),
        flat_view: frame.projection.w_axis.w != 0.0,
    };
    let within = || {
        frame
            .layers
            .iter()
            .filter(|placed| placed.layer.manner != Manner::OnTop)
    };
    for placed in within() {
        canvas.faces(placed);
    }
    canvas.caps();
    for placed in within() {
        for instance in &placed.layer.boxes {
            canvas.cuboid(placed, instance);
        }
        for figure in &placed.layer.figures {
            canvas.figure(placed, figure);
        }
    }
    let scale = pixels_per_point * OVERSAMPLE as f64;
    for placed in within() {
        for line in &placed.layer.lines {
            canvas.line(placed, line, scale);
        }
    }
    for placed in &frame.layers {
        if placed.layer.manner == Manner::OnTop {
            canvas.faces(placed);
            for line in &placed.layer.lines {
                canvas.line(placed, line, scale);
            }
        }
    }
    canvas.finish(size)
}

fn sky(frame: &SpaceFrame, width: usize, height: usize) -> Vec<[f32; 3]> {
    let lanes = |i: usize| {
        let c = frame.sky[i];
        [c.r, c.g, c.b].map(f32::from)
    };
    let (above, below) = (lanes(0), lanes(1));
    (0..height)
        .flat_map(|y| {
            let share = (y as f32 + 0.5) / height as f32;
            let row: [f32; 3] = std::array::from_fn(|i| above[i] + (below[i] - above[i]) * share);
            std::iter::repeat_n(row, width)
        })
        .collect()
}

impl Canvas<'_> {
    fn corner(&self, world: DVec3) -> Corner {
        Corner {
            clip: self.to_clip * self.view * world.extend(1.0),
            world,
        }
    }

    fn faces(&mut self, placed: &Placed) {
        let model =
            DMat4::from(glam::DAffine3::from_translation(-self.frame.origin) * placed.placement);
        let layer = &placed.layer;
        let mirrored = placed.placement.matrix3.determinant() < 0.0;
        for triangle in layer.indices.chunks_exact(3) {
            let at = |i: usize| layer.vertices.get(triangle[i] as usize);
            let (Some(a), Some(b), Some(c)) = (at(0), at(1), at(2)) else {
                continue;
            };
            let place = |p: [f32; 3]| {
                let p = DVec3::from_array(p.map(f64::from));
                self.corner(model.transform_point3(p))
            };
            let corners = [place(a.position), place(b.position), place(c.position)];
            self.triangle(corners, a.colour, layer.manner, mirrored);
        }
    }

    fn figure(&mut self, placed: &Placed, figure: &SpaceFigure) {
        let place = |p: DVec3| placed.placement.transform_point3(p) - self.frame.origin;
        let shadow = figure.shadow().map(|p| self.corner(place(p)));
        let dark = [0, 0, 0, figure.colour[3] / 4];
        for triangle in [[0, 1, 2], [0, 2, 3]] {
            let corners = triangle.map(|i| shadow[i]);
            self.triangle(corners, dark, Manner::Surface, false);
        }
        for (corners, colour) in figure.parts() {
            let place = |p: DVec3| placed.placement.transform_point3(p) - self.frame.origin;
            let corners = corners.map(|p| self.corner(place(p)));
            self.hexahedron(&corners, colour);
        }
    }

    fn hexahedron(&mut self, corners: &[Corner; 8], colour: Rgba) {
        const FACES: [[usize; 4]; 6] = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        for [a, b, c, d] in FACES {
            for triangle in [[a, b, c], [a, c, d]] {
                let corners = triangle.map(|i| corners[i]);
                self.triangle(corners, colour, Manner::Surface, false);
            }
        }
    }

    fn cuboid(&mut self, placed: &Placed, instance: &SpaceBox) {
        let (centre, half) = (
            DVec3::from_array(instance.centre.map(f64::from)),
            DVec3::from_array(instance.half.map(f64::from)),
        );
        let corner = |i: usize| {
            let side = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let p = centre + half * DVec3::new(side(0), side(1), side(2));
            self.corner(placed.placement.transform_point3(p) - self.frame.origin)
        };
        let corners: [Corner; 8] = std::array::from_fn(corner);
        self.hexahedron(&corners, instance.colour);
    }

    fn triangle(&mut self, corners: [Corner; 3], colour: Rgba, manner: Manner, mirrored: bool) {
        let clipped = clip_near(&corners);
        if clipped.len() < 3 {
            return;
        }
        let normal = (corners[1].world - corners[0].world)
            .cross(corners[2].world - corners[0].world)
            .normalize_or_zero();
        for i in 1..clipped.len() - 1 {
            self.fill(
                [clipped[0], clipped[i], clipped[i + 1]],
                normal,
                colour,
                manner,
                mirrored,
            );
        }
    }

    fn fill(
        &mut self,
        corners: [Corner; 3],
        normal: DVec3,
        colour: Rgba,
        manner: Manner,
        mirrored: bool,
    ) {
        let size = DVec2::new(self.width as f64, self.height as f64);
        let screen = corners.map(|c| {
            let cube = c.clip.truncate() / c.clip.w;
            DVec2::new(cube.x + 1.0, 1.0 - cube.y) * 0.5 * size
        });
        let area = (screen[1] - screen[0]).perp_dot(screen[2] - screen[0]);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let low = screen[0]
            .min(screen[1])
            .min(screen[2])
            .floor()
            .max(DVec2::ZERO);
        let high = screen[0].max(screen[1]).max(screen[2]).ceil().min(size);
        // y points down on screen: counter-clockwise has a negative area there.
        let outside = (area < 0.0) != mirrored;
        let section = self.frame.cut_height();
        let counts = manner == Manner::Closed && !self.opened.is_empty();
        for y in low.y as usize..high.y.max(0.0) as usize {
            for x in low.x as usize..high.x.max(0.0) as usize {
                let p = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                let weight = |i: usize| {
                    let (a, b) = (screen[(i + 1) % 3], screen[(i + 2) % 3]);
                    (b - a).perp_dot(p - a) / area
                };
                let w = DVec3::new(weight(0), weight(1), weight(2));
                let is_own = counts && covers(&screen, area, p);
                if w.min_element() < 0.0 && !is_own {
                    continue;
                }
                // Perspective-correct interpolation.
                let share = w / DVec3::new(corners[0].clip.w, corners[1].clip.w, corners[2].clip.w);
                let share = share / share.element_sum();
                let world = corners[0].world * share.x
                    + corners[1].world * share.y
                    + corners[2].world * share.z;
                if section.is_some_and(|height| world.z > height) {
                    continue;
                }
                let at = y * self.width + x;
                if is_own {
                    self.opened[at] += if outside { -1 } else { 1 };
                }
                let z = w.x * corners[0].clip.z / corners[0].clip.w
                    + w.y * corners[1].clip.z / corners[1].clip.w
                    + w.z * corners[2].clip.z / corners[2].clip.w;
                if z > self.depth[at] && manner != Manner::OnTop {
                    continue;
                }
                let lit = self.light(world, normal, colour, manner, outside);
                self.put(at, lit, f32::from(colour[3]) / 255.0);
                self.depth[at] = z;
            }
        }
    }

    /// Closes volumes where they are cut open, at the height of the section.
    fn caps(&mut self) {
        let Some([a, _, c, _]) = self.frame.section_plane() else {
            return;
        };
        let to_clip = self.to_clip * self.view;
        let to_world = to_clip.inverse();
        let cut = self.frame.cut;
        let colour = [cut.r, cut.g, cut.b].map(f32::from);
        for at in 0..self.opened.len() {
            if self.opened[at] == 0 {
                continue;
            }
            let (x, y) = (at % self.width, at / self.width);
            let place = |z: f64| {
                let x = (x as f64 + 0.5) / self.width as f64 * 2.0 - 1.0;
                let y = 1.0 - (y as f64 + 0.5) / self.height as f64 * 2.0;
                let p = to_world * DVec4::new(x, y, z, 1.0);
                p.truncate() / p.w
            };
            let (from, to) = (place(-1.0), place(1.0));
            let p = from.lerp(to, (a.z - from.z) / (to.z - from.z));
            if !(a.x..=c.x).contains(&p.x) || !(a.y..=c.y).contains(&p.y) {
                continue;
            }
            let clip = to_clip * p.extend(1.0);
            let z = clip.z / clip.w;
            if z <= self.depth[at] {
                self.put(at, colour, 1.0);
                self.depth[at] = z;
            }
        }
    }

    fn light(
        &self,
        world: DVec3,
        normal: DVec3,
        colour: Rgba,
        manner: Manner,
        outside: bool,
    ) -> [f32; 3] {
        let to_eye = if self.flat_view {
            self.back
        } else {
            self.eye - world
        };
        let normal = if normal.dot(to_eye) < 0.0 {
            -normal
        } else {
            normal
        };
        let mut own = [colour[0], colour[1], colour[2]].map(f32::from);
        if manner == Manner::Ground
            && let Some(picture) = &self.frame.ground
        {
            own = picture
                .at(world.truncate() + self.frame.origin.truncate())
                .map(f32::from);
            if !outside {
                own = own.map(|lane| lane * 0.55);
            }
        }
        let light = shade(normal) as f32;
        own.map(|lane| (lane * light).min(255.0))
    }

    fn put(&mut self, at: usize, colour: [f32; 3], alpha: f32) {
        for (under, over) in self.colour[at].iter_mut().zip(colour) {
            *under += (over - *under) * alpha;
        }
    }

    fn line(&mut self, placed: &Placed, line: &SpaceLine, pixels_per_point: f64) {
        let place = |p: [f32; 3]| {
            let p = DVec3::from_array(p.map(f64::from));
            self.corner(placed.placement.transform_point3(p) - self.frame.origin)
        };
        let ends = [place(line.from), place(line.to)];
        let clipped = clip_near(&ends);
        let [a, b] = clipped[..] else {
            return;
        };
        let size = DVec2::new(self.width as f64, self.height as f64);
        let cube = |c: &Corner| c.clip.truncate() / c.clip.w;
        let screen = |c: DVec3| DVec2::new(c.x + 1.0, 1.0 - c.y) * 0.5 * size;
        let (from, to) = (cube(&a), cube(&b));
        let (p, q) = (screen(from), screen(to));
        if !(p.is_finite() && q.is_finite()) {
            return;
        }
        let half = 0.5 * f64::from(line.width) * pixels_per_point;
        let reach = half + 0.5;
        let low = (p.min(q) - reach).floor().max(DVec2::ZERO);
        let high = (p.max(q) + reach).ceil().min(size);
        let along = (q - p).normalize_or(DVec2::X);
        let length = p.distance(q);
        let on_top = placed.layer.manner == Manner::OnTop;
        let section = self.frame.cut_height();
        let ink = [line.colour[0], line.colour[1], line.colour[2]].map(f32::from);
        for y in low.y as usize..high.y.max(0.0) as usize {
            // Only the part of the row that the line passes, not its whole bounding box.
            let row = y as f64 + 0.5;
            let (mut first, mut last) = (low.x, high.x);
            if along.y.abs() > 1e-6 {
                let middle = p.x + (row - p.y) * along.x / along.y;
                let aside = (reach + 1.0) / along.y.abs();
                first = first.max(middle - aside);
                last = last.min(middle + aside);
            }
            for x in first.max(0.0) as usize..last.ceil().clamp(0.0, size.x) as usize {
                let here = DVec2::new(x as f64 + 0.5, row) - p;
                let (t, across) = (here.dot(along), here.perp_dot(along).abs());
                let cover = (half + 0.5 - across).clamp(0.0, 1.0);
                if cover <= 0.0 || t < -0.5 || t > length + 0.5 {
                    continue;
                }
                let share = if length > 0.0 {
                    (t / length).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                let z = from.z + (to.z - from.z) * share;
                let at = y * self.width + x;
                let nearer = if self.flat_view {
                    2e-4
                } else {
                    NEARER * (1.0 - z).abs().max(1e-5)
                };
                let hidden = z - nearer > self.depth[at];
                if hidden && !on_top {
                    continue;
                }
                // Perspective-correct interpolation of the height.
                let near = share * a.clip.w / (b.clip.w + (a.clip.w - b.clip.w) * share);
                let height = a.world.z + (b.world.z - a.world.z) * near;
                if section.is_some_and(|section| height > section) {
                    continue;
                }
                let strength = if hidden { 0.3 } else { 1.0 };
                let alpha = f32::from(line.colour[3]) / 255.0 * cover as f32 * strength;
                self.put(at, ink, alpha);
            }
        }
    }

    fn finish(self, size: [u32; 2]) -> Pixels {
        let mut rgba = Vec::with_capacity(size[0] as usize * size[1] as usize * 4);
        for y in 0..size[1] as usize {
            for x in 0..size[0] as usize {
                let mut sum = [0.0_f32; 3];
                for dy in 0..OVERSAMPLE {
                    for dx in 0..OVERSAMPLE {
                        let at = (y * OVERSAMPLE + dy) * self.width + x * OVERSAMPLE + dx;
                        for (lane, add) in sum.iter_mut().zip(self.colour[at]) {
                            *lane += add;
                        }
                    }
                }
                let count = (OVERSAMPLE * OVERSAMPLE) as f32;
                rgba.extend(sum.map(|lane| (lane / count).round().clamp(0.0, 255.0) as u8));
                rgba.push(255);
            }
        }
        Pixels { size, rgba }
    }
}

/// Whether a point belongs to a triangle: a point on a shared edge belongs to exactly one of the
/// two.
fn covers(corners: &[DVec2; 3], area: f64, p: DVec2) -> bool {
    (0..3).all(|i| {
        let (mut a, mut b) = (corners[i], corners[(i + 1) % 3]);
        if area < 0.0 {
            (a, b) = (b, a);
        }
        // Evaluate the edge in one direction for both of its triangles.
        let is_forward = (a.x, a.y) < (b.x, b.y);
        let side = if is_forward {
            (b - a).perp_dot(p - a)
        } else {
            -(a - b).perp_dot(p - b)
        };
        side > 0.0 || side == 0.0 && is_forward
    })
}

/// Clips a chain of corners against the near plane (Sutherland and Hodgman).
fn clip_near(corners: &[Corner]) -> Vec<Corner> {
    let closed = corners.len() > 2;
    let inside = |c: &Corner| c.clip.z > -c.clip.w && c.clip.w > 0.0 || c.clip.w == 1.0;
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (i, here) in corners.iter().enumerate() {
        let next = match corners.get(i + 1) {
            Some(next) => next,
            None if closed => &corners[0],
            None => {
                if inside(here) {
                    kept.push(*here);
                }
                break;
            }
        };
        if inside(here) {
            kept.push(*here);
        }
        if inside(here) != inside(next) {
            let (a, b) = (here.clip.z + here.clip.w, next.clip.z + next.clip.w);
            let share = a / (a - b);
            if share.is_finite() {
                kept.push(Corner {
                    clip: here.clip.lerp(next.clip, share),
                    world: here.world.lerp(next.world, share),
                });
            }
        }
    }
    kept.retain(|c| c.clip.w > 1e-9);
    kept
}
