//! The programs that draw the plan view's triangles.

use super::gl_plan::Projection;
use super::plan_buffer::Coating;
use crate::document::Pattern;
use crate::gpu::{self, GpuError, Program, TextureArray};
use crate::preview::{texture, tile_mask};
use glam::DVec2;

/// Side of a pattern's tile as a texture: sharp up to tiles of twice their usual size.
const TILE_TEXELS: u32 = 64;

/// One without patterns, one for one size of their tiles, and one for two while zooming fades
/// from one to the other: what is sampled in vain costs most of a frame where the processor draws.
#[derive(Debug)]
pub(super) struct PlanPrograms {
    by_tiles: [Program; 3],
    patterns: TextureArray,
    /// Which one draws patterns in this frame.
    tiles: usize,
}

impl PlanPrograms {
    /// # Errors
    /// The context is too old, or the driver refuses.
    pub(super) fn new(gl: &glow::Context) -> Result<Self, GpuError> {
        let masks: Vec<Vec<u8>> = Pattern::ALL
            .into_iter()
            .map(|pattern| tile_mask(pattern, TILE_TEXELS))
            .collect();
        let program = |tiles: usize| {
            let with = |source: &str| format!("#define TILES {tiles}\n{source}");
            let (vertex, fragment) = (
                include_str!("../../../assets/shaders/plan/plan.vert"),
                include_str!("../../../assets/shaders/plan/plan.frag"),
            );
            Program::new(gl, &with(vertex), &with(fragment))
        };
        let smoothing = if gpu::is_software(gl) {
            gpu::Smoothing::WithinSize
        } else {
            gpu::Smoothing::BetweenSizes
        };
        Ok(Self {
            by_tiles: [program(0)?, program(1)?, program(2)?],
            patterns: TextureArray::new(gl, TILE_TEXELS, &masks, smoothing)?,
            tiles: 1,
        })
    }

    /// Tells all that draw in this frame what goes where.
    pub(super) fn set_view(&mut self, gl: &glow::Context, origin: DVec2, projection: &Projection) {
        let tiles = Tiles::at(projection.points_per_metre, origin);
        self.tiles = tiles.count();
        let scale = projection.points_per_metre * projection.pixels_per_point;
        let from_centre = origin - projection.centre;
        let half = projection.viewport * 0.5;
        for program in [&self.by_tiles[0], &self.by_tiles[self.tiles]] {
            program.bind(gl);
            program.set_vec2(gl, "origin", from_centre.as_vec2().to_array());
            program.set_vec2(gl, "half_viewport", half.as_vec2().to_array());
            program.set_float(gl, "scale", scale as f32);
            program.set_float(gl, "point", projection.pixels_per_point as f32);
        }
        let program = &self.by_tiles[self.tiles];
        program.set_int(gl, "patterns", 0);
        program.set_vec2(gl, "tile", tiles.metres.map(|m| m as f32));
        program.set_vec2(gl, "phase_first", tiles.phases[0].as_vec2().to_array());
        program.set_vec2(gl, "phase_second", tiles.phases[1].as_vec2().to_array());
        program.set_float(gl, "second", tiles.second as f32);
    }

    /// The patterns and the program without them are bound: others drew in between.
    pub(super) fn begin(&self, gl: &glow::Context) {
        self.patterns.bind(gl, 0);
        self.bind(gl, Coating::Plain);
    }

    pub(super) fn bind(&self, gl: &glow::Context, coating: Coating) {
        match coating {
            Coating::Plain => self.by_tiles[0].bind(gl),
            Coating::Patterned => self.by_tiles[self.tiles].bind(gl),
        }
    }

    pub(super) fn delete(self, gl: &glow::Context) {
        for program in self.by_tiles {
            program.delete(gl);
        }
        self.patterns.delete(gl);
    }
}

/// The two tile sizes nearest to the usual one, that which is seen first, and how far the view is
/// between them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tiles {
    metres: [f64; 2],
    /// Where in its tile the mesh's origin lies, from 0 to 1.
    phases: [DVec2; 2],
    second: f64,
}

impl Tiles {
    /// How many sizes are seen at once.
    const fn count(&self) -> usize {
        if self.second > 0.0 { 2 } else { 1 }
    }

    fn at(points_per_metre: f64, origin: DVec2) -> Self {
        let exact = (texture::TILE / points_per_metre).log2();
        let metres = [exact.floor().exp2(), (exact.floor() + 1.0).exp2()];
        // Mostly one of them, with a short change between.
        let blend = ((exact.fract().rem_euclid(1.0) - 0.35) / 0.3).clamp(0.0, 1.0);
        let phases = metres.map(|tile| (origin / tile).rem_euclid(DVec2::ONE));
        if blend >= 1.0 {
            // The second alone: it comes first.
            return Self {
                metres: [metres[1], metres[0]],
                phases: [phases[1], phases[0]],
                second: 0.0,
            };
        }
        Self {
            metres,
            phases,
            second: blend * blend * (3.0 - 2.0 * blend),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mostly_one_size_of_a_tile_is_seen_and_changes_are_smooth() {
        let steps = 10_000;
        let views = (0..steps).map(|i| {
            let scale = 3.0 * (f64::from(i) / f64::from(steps)).exp2();
            Tiles::at(scale, DVec2::ZERO)
        });
        let views: Vec<Tiles> = views.collect();
        let single = views.iter().filter(|tiles| tiles.count() == 1).count();
        assert!(single * 10 > views.len() * 6, "{single}");
        // How much of the finer of two sizes is seen, if it is at all.
        let share =
            |tiles: &Tiles, metres: f64| match tiles.metres.iter().position(|m| *m == metres) {
                Some(0) => 1.0 - tiles.second,
                Some(_) => tiles.second,
                None => 0.0,
            };
        for pair in views.windows(2) {
            for metres in pair[0].metres {
                let change = share(&pair[1], metres) - share(&pair[0], metres);
                assert!(change.abs() < 0.01, "{pair:?}");
            }
        }
    }

    #[test]
    fn pattern_tiles_keep_their_size_and_place_while_zooming() {
        let origin = DVec2::new(123.4, -7.0);
        for scale in [0.01, 0.7, 3.0, 8.0, 90.0, 4000.0] {
            let tiles = Tiles::at(scale, origin);
            let shown = tiles.metres[usize::from(tiles.second > 0.5)] * scale;
            assert!((15.0..36.0).contains(&shown), "{scale} {shown}");
            let ratio = tiles.metres[1] / tiles.metres[0];
            assert!(ratio == 2.0 || (ratio == 0.5 && tiles.count() == 1));
            for (tile, phase) in tiles.metres.into_iter().zip(tiles.phases) {
                let tiles_to_origin = origin / tile - phase;
                assert!((tiles_to_origin - tiles_to_origin.round()).length() < 1e-9);
            }
        }
    }
}
