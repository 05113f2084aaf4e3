//! Maps of a run over the plan, with a scale that says unit and range.

use crate::base::Colour;
use crate::geometry::Rect;
use crate::jobs::{Cancelled, JobContext};
use crate::preview::primitive::{Fill, Ink, Plane, Primitive, Shape, Sink};
use crate::preview::space::signs::Signs;
use crate::preview::space::{Manner, SpaceLayer};
use crate::preview::style::Palette;
use crate::preview::voxel::merge::Cells;
use crate::sim::measures::{Fruin, HeatKind, HeatMaps, LevelOfService};
use crate::sim::wlrec::Run;
use glam::DVec2;
use std::collections::BTreeMap;

/// Colours that are told apart.
const STEPS: usize = 24;

/// What lies under a map stays readable.
const ALPHA: f64 = 0.72;

/// From free movement to standstill: green over yellow to red, as Fruin's levels are usually drawn.
pub const SERVICE_COLOURS: [Colour; 6] = [
    Colour::hex(0x2b_83ba),
    Colour::hex(0x5a_b9a0),
    Colour::hex(0xab_dda4),
    Colour::hex(0xff_e08a),
    Colour::hex(0xfd_ae61),
    Colour::hex(0xd7_191c),
];

/// Least values that the top of a scale stands for: a map of next to nothing is not all red.
const fn least_top(kind: HeatKind) -> f64 {
    match kind {
        HeatKind::MaxDensity | HeatKind::Service => 2.0,
        HeatKind::MeanDensity => 0.2,
        HeatKind::Usage => 5.0,
        HeatKind::Speed => 1.5,
        HeatKind::TimeToExit => 10.0,
    }
}

/// All maps of a run, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatSet {
    pub maps: HeatMaps,
    drawn: BTreeMap<HeatKind, HeatMap>,
}

impl HeatSet {
    /// # Errors
    /// The job was cancelled.
    pub fn of_run(run: &Run, bounds: Rect, ctx: &JobContext) -> Result<Self, Cancelled> {
        let maps = HeatMaps::of_run(run, bounds, ctx)?;
        let mut drawn = BTreeMap::new();
        for kind in HeatKind::ALL {
            ctx.checkpoint()?;
            drawn.insert(kind, HeatMap::of(&maps, kind));
        }
        Ok(Self { maps, drawn })
    }

    #[must_use]
    pub fn map(&self, kind: HeatKind) -> Option<&HeatMap> {
        self.drawn.get(&kind)
    }
}

/// One map of a run, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    pub kind: HeatKind,
    /// What the last colour stands for.
    pub top: f64,
    /// Squares, merged where their colour is one, by colour.
    rects: Vec<Vec<Rect>>,
}

impl HeatMap {
    #[must_use]
    pub fn of(maps: &HeatMaps, kind: HeatKind) -> Self {
        let top = round_up(maps.greatest(kind)).max(least_top(kind));
        let steps = if kind == HeatKind::Service {
            SERVICE_COLOURS.len()
        } else {
            STEPS
        };
        let mut cells = Cells::default();
        for square in 0..maps.columns * maps.rows {
            let step = match kind {
                HeatKind::Service => maps.service(square).map(|level| level as usize),
                _ => maps
                    .value(kind, square)
                    .map(|value| ((value / top * steps as f64) as usize).min(steps - 1)),
            };
            if let Some(step) = step {
                let (x, y) = (square % maps.columns, square / maps.columns);
                cells.push(step as u64, x as u16, y as u16);
            }
        }
        let corner =
            |[x, y]: [u16; 2]| maps.origin + DVec2::new(f64::from(x), f64::from(y)) * maps.side;
        let mut rects = vec![Vec::new(); steps];
        for cell in cells.merged() {
            rects[cell.key as usize].push(Rect::new(corner(cell.low), corner(cell.high)));
        }
        Self { kind, top, rects }
    }

    fn colour(&self, step: usize, palette: &Palette) -> Colour {
        match self.kind {
            HeatKind::Service => SERVICE_COLOURS[step.min(SERVICE_COLOURS.len() - 1)],
            // Slow is what stands out.
            HeatKind::Speed => palette.heat_at(1.0 - (step as f64 + 0.5) / self.rects.len() as f64),
            _ => palette.heat_at((step as f64 + 0.5) / self.rects.len() as f64),
        }
    }

    /// From the least to the greatest value.
    #[must_use]
    pub fn colours(&self, palette: &Palette) -> Vec<Colour> {
        let steps = 0..self.rects.len();
        steps.map(|step| self.colour(step, palette)).collect()
    }

    /// What the colours range over, with the unit.
    #[must_use]
    pub fn range_text(&self) -> String {
        let (top, unit) = (self.top, self.kind.unit());
        let digits = usize::from(top < 10.0 && top.fract() > 0.0);
        format!("0–{top:.digits$}{unit}")
    }

    pub fn draw(&self, palette: &Palette, sink: &mut dyn Sink) {
        for (step, rects) in self.rects.iter().enumerate() {
            if !rects.is_empty() {
                sink.add(Shape {
                    plane: Plane::HeatMap,
                    entity: None,
                    min_scale: 0.0,
                    primitive: Primitive::Cells {
                        rects: rects.clone(),
                        fill: Fill::plain(Ink::new(self.colour(step, palette), ALPHA)),
                    },
                });
            }
        }
    }

    /// On the ground in space.
    #[must_use]
    pub fn in_space(&self, signs: &Signs<'_>) -> SpaceLayer {
        let mut layer = SpaceLayer::new(Manner::Surface);
        for (step, rects) in self.rects.iter().enumerate() {
            let colour = self.colour(step, signs.palette);
            let ink = [colour.r, colour.g, colour.b, (ALPHA * 255.0) as u8];
            for rect in rects {
                let [a, b] = [rect.min, rect.max];
                let corners = [a, DVec2::new(b.x, a.y), b, DVec2::new(a.x, b.y)];
                layer.fan(&signs.draped_corners(&corners), ink);
            }
        }
        layer
    }
}

/// Levels of service with the densities between which they are.
#[must_use]
pub fn service_names() -> Vec<String> {
    let limits = Fruin::Walkway.limits();
    let name = |(at, level): (usize, LevelOfService)| {
        let letter = level.name();
        match limits.get(at) {
            Some(limit) => format!("{letter}: up to {limit}/m²"),
            None => format!("{letter}: more"),
        }
    };
    LevelOfService::ALL
        .into_iter()
        .enumerate()
        .map(name)
        .collect()
}

/// The next of 1, 1.5, 2, 3, 4, 5, 6, 8, 10 and their multiples of ten.
fn round_up(value: f64) -> f64 {
    const STEPS: [f64; 9] = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    if !(value.is_finite() && value > 0.0) {
        return 0.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let share = value / power;
    let step = STEPS.into_iter().find(|step| *step >= share - 1e-9);
    step.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::sim::measures::{Frames, Position, REACH};

    /// Two stand together, one walks past at 1 m/s along y = 2.
    fn run() -> Run {
        let frame = |i: usize| {
            vec![
                Position {
                    id: 0,
                    at: DVec2::new(5.0, 8.0),
                },
                Position {
                    id: 1,
                    at: DVec2::new(5.4, 8.0),
                },
                Position {
                    id: 2,
                    at: DVec2::new(1.0 + i as f64 * 0.1, 2.0),
                },
            ]
        };
        let frames = Frames {
            interval: 0.1,
            first: 0,
            frames: (0..81).map(frame).collect(),
        };
        let bytes = crate::sim::wlrec::recording(&frames, "", "", EntityId::new(1)).expect("small");
        Run::open(bytes).expect("whole")
    }

    #[test]
    fn maps_tell_densities_speeds_and_uses_of_places() {
        let run = run();
        let bounds = Rect::new(DVec2::ZERO, DVec2::splat(10.0));
        let maps = HeatMaps::of_run(&run, bounds, &JobContext::default()).expect("not cancelled");
        let square = |x: f64, y: f64| maps.square(DVec2::new(x, y)).expect("inside");
        let one = 1.0 / (std::f64::consts::PI * REACH * REACH);
        let near = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() < 1e-3 * b.max(1.0));
        assert!(near(
            maps.value(HeatKind::MaxDensity, square(5.2, 8.0)),
            2.0 * one
        ));
        assert!(near(
            maps.value(HeatKind::MeanDensity, square(5.2, 8.0)),
            2.0 * one
        ));
        // The third is within reach of a place for a part of the time only.
        assert!(near(
            maps.value(HeatKind::MaxDensity, square(5.0, 2.0)),
            one
        ));
        let mean = maps
            .value(HeatKind::MeanDensity, square(5.0, 2.0))
            .expect("passed");
        assert!(mean > 0.1 * one && mean < 0.3 * one, "{mean}");
        assert!(near(maps.value(HeatKind::Speed, square(5.0, 2.0)), 1.0));
        assert!(
            maps.value(HeatKind::Speed, square(5.0, 8.0))
                .is_some_and(|v| v < 1e-6)
        );
        assert_eq!(maps.value(HeatKind::Usage, square(5.0, 2.0)), Some(1.0));
        assert_eq!(maps.value(HeatKind::Usage, square(0.2, 5.0)), None);
        assert_eq!(maps.service(square(5.2, 8.0)), Some(LevelOfService::D));
        assert!(maps.greatest(HeatKind::MaxDensity) >= 2.0 * one - 1e-3);
    }

    #[test]
    fn people_outside_of_the_level_do_no_harm() {
        let run = run();
        let bounds = Rect::new(DVec2::splat(100.0), DVec2::splat(101.0));
        let maps = HeatMaps::of_run(&run, bounds, &JobContext::default()).expect("not cancelled");
        assert_eq!(maps.greatest(HeatKind::MaxDensity), 0.0);
    }

    #[test]
    fn scales_end_at_round_numbers() {
        for (value, top) in [
            (0.0, 0.0),
            (2.2, 3.0),
            (10.0, 10.0),
            (41.0, 50.0),
            (0.12, 0.15),
        ] {
            assert!((round_up(value) - top).abs() < 1e-9, "{value}");
        }
        assert_eq!(round_up(f64::NAN), 0.0);
        assert_eq!(service_names()[0], "A: up to 0.31/m²");
        assert_eq!(service_names()[5], "F: more");
    }
}
