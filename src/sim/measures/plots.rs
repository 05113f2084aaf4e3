//! Curves of a run over time, and how its figures are spread.

use super::area::{classic_density, in_area};
use super::line::meets;
use super::people::{Position, Travel, travels};
use crate::base::EntityId;
use crate::document::{Kind, Level, MeasureShape};
use crate::geometry::Polygon;
use crate::jobs::{Cancelled, JobContext};
use crate::sim::wlrec::Run;
use crate::sim::world::AgentIndex;
use glam::DVec2;
use std::collections::HashMap;

/// Areas are measured once in this time. Unit: seconds.
const AREA_INTERVAL: f64 = 0.5;

/// Flows are means over this time. Unit: seconds.
pub const FLOW_WINDOW: f64 = 10.0;

/// Mean speed of pedestrians in a corridor of 1.8 m at densities from free to crowded, steady state: experiments of
/// Forschungszentrum Jülich. Units: 1/m², m/s.
pub const JUELICH: [[f64; 2]; 8] = [
    [0.50, 1.33],
    [0.67, 1.34],
    [1.14, 1.19],
    [1.56, 0.99],
    [1.68, 0.95],
    [2.06, 0.64],
    [2.46, 0.41],
    [3.06, 0.30],
];

/// Weidmann's speed of pedestrians at a density (1993). Units: m/s, 1/m².
#[must_use]
pub fn weidmann(density: f64) -> f64 {
    const FREE: f64 = 1.34;
    const DENSEST: f64 = 5.4;
    if density <= 0.0 {
        return FREE;
    }
    let exponent = -1.913 * (1.0 / density - 1.0 / DENSEST);
    (FREE * (1.0 - exponent.exp())).max(0.0)
}

/// People at a line over time.
#[derive(Clone, Debug, PartialEq)]
pub struct LineCurve {
    pub entity: EntityId,
    pub name: String,
    /// When each one crosses, ascending. Unit: seconds.
    pub times: Vec<f64>,
}

impl LineCurve {
    /// People per second around a time.
    #[must_use]
    pub fn flow(&self, time: f64) -> f64 {
        let until = |t: f64| self.times.partition_point(|at| *at <= t);
        let half = FLOW_WINDOW * 0.5;
        let count = until(time + half) - until(time - half);
        // At the start the window is shorter.
        count as f64 / (half + half.min(time.max(0.0))).max(1e-9)
    }
}

/// Density and speed in an area over time.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaCurve {
    pub entity: EntityId,
    pub name: String,
    /// Time and density. Units: seconds, 1/m².
    pub density: Vec<[f64; 2]>,
    /// Time and mean speed, while anyone is inside. Units: seconds, m/s.
    pub speed: Vec<[f64; 2]>,
}

impl AreaCurve {
    /// Density, speed and time of each sample with people in it.
    pub fn fundamental(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        let mut densities = self.density.iter().peekable();
        self.speed.iter().filter_map(move |[time, speed]| {
            while densities.next_if(|[at, _]| *at < *time - 1e-9).is_some() {}
            let [_, density] = densities.peek()?;
            Some([*density, *speed, *time])
        })
    }
}

/// All curves of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunPlots {
    /// Unit: seconds.
    pub duration: f64,
    /// When each one arrives, ascending. Unit: seconds.
    pub arrivals: Vec<f64>,
    pub appeared: usize,
    pub lines: Vec<LineCurve>,
    pub areas: Vec<AreaCurve>,
    pub travels: Vec<Travel>,
}

struct Watched {
    polygon: Polygon,
    curve: AreaCurve,
}

impl RunPlots {
    /// With the measuring lines and areas of a level.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of_run(run: &Run, level: &Level, ctx: &JobContext) -> Result<Self, Cancelled> {
        let step = run.header().step;
        let departures = run.departures().values();
        let mut arrivals: Vec<f64> = departures.map(|d| d.tick as f64 * step).collect();
        arrivals.sort_by(f64::total_cmp);
        let mut lines: Vec<([DVec2; 2], LineCurve)> = Vec::new();
        let mut areas: Vec<Watched> = Vec::new();
        for (id, entity) in level.iter() {
            let Kind::Measure(measure) = &entity.kind else {
                continue;
            };
            let name = level.label(id);
            match &measure.shape {
                MeasureShape::Line(ends) => {
                    let times = Vec::new();
                    let entity = id;
                    lines.push((
                        *ends,
                        LineCurve {
                            entity,
                            name,
                            times,
                        },
                    ));
                }
                MeasureShape::Area(area) => areas.push(Watched {
                    polygon: area.clone(),
                    curve: AreaCurve {
                        entity: id,
                        name,
                        density: Vec::new(),
                        speed: Vec::new(),
                    },
                }),
            }
        }
        if !(lines.is_empty() && areas.is_empty()) {
            watch(run, &mut lines, &mut areas, ctx)?;
        }
        ctx.checkpoint()?;
        Ok(Self {
            duration: run.duration(),
            appeared: run.births().len(),
            arrivals,
            lines: lines.into_iter().map(|(_, curve)| curve).collect(),
            areas: areas.into_iter().map(|watched| watched.curve).collect(),
            travels: travels(run),
        })
    }

    /// How many have arrived by a time.
    #[must_use]
    pub fn arrived(&self, time: f64) -> usize {
        self.arrivals.partition_point(|at| *at <= time)
    }
}

/// Goes through a run once.
fn watch(
    run: &Run,
    lines: &mut [([DVec2; 2], LineCurve)],
    areas: &mut [Watched],
    ctx: &JobContext,
) -> Result<(), Cancelled> {
    let every = (AREA_INTERVAL / run.header().interval()).round().max(1.0) as u64;
    let mut last: HashMap<AgentIndex, (u64, DVec2)> = HashMap::new();
    let mut crossed: Vec<std::collections::HashSet<AgentIndex>> =
        vec![std::collections::HashSet::new(); lines.len()];
    let mut number = 0_u64;
    let mut speeds: HashMap<AgentIndex, f64> = HashMap::new();
    let interval = run.header().interval();
    run.each_frame(|time, present| {
        number += 1;
        if ctx.is_cancelled() {
            return;
        }
        speeds.clear();
        for (index, at) in present {
            let at = at.truncate();
            let before = last.insert(*index, (number, at));
            let Some((_, from)) = before.filter(|(seen, _)| seen + 1 == number) else {
                continue;
            };
            speeds.insert(*index, from.distance(at) / interval);
            for ((ends, curve), known) in lines.iter_mut().zip(&mut crossed) {
                if meets(from, at, *ends) && known.insert(*index) {
                    curve.times.push(time);
                }
            }
        }
        if areas.is_empty() || !number.is_multiple_of(every) {
            return;
        }
        let position = |(id, at): &(AgentIndex, glam::DVec3)| Position {
            id: *id,
            at: at.truncate(),
        };
        let frame: Vec<Position> = present.iter().map(position).collect();
        for Watched { polygon, curve } in areas.iter_mut() {
            curve.density.push([time, classic_density(&frame, polygon)]);
            let inside = in_area(&frame, polygon).filter_map(|p| speeds.get(&p.id));
            let (sum, count) = inside.fold((0.0, 0_u32), |(sum, n), v| (sum + v, n + 1));
            if count > 0 {
                curve.speed.push([time, sum / f64::from(count)]);
            }
        }
    });
    ctx.checkpoint()
}

/// How often values are within equal steps from 0 on; with the width of a step.
#[must_use]
pub fn histogram(values: impl Iterator<Item = f64> + Clone, bins: usize) -> (f64, Vec<u32>) {
    const STEPS: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
    let greatest = values.clone().filter(|v| v.is_finite()).fold(0.0, f64::max);
    if greatest <= 0.0 || bins == 0 {
        let none = values.filter(|v| v.is_finite()).count() as u32;
        return (1.0, if none > 0 { vec![none] } else { Vec::new() });
    }
    let least = greatest / bins as f64;
    let power = 10_f64.powf(least.log10().floor());
    let step = STEPS.into_iter().find(|step| step * power >= least - 1e-12);
    let width = step.unwrap_or(10.0) * power;
    let mut counts = vec![0; (greatest / width) as usize + 1];
    for value in values.filter(|v| v.is_finite() && *v >= 0.0) {
        counts[(value / width) as usize] += 1;
    }
    (width, counts)
}

#[cfg(test)]
mod plot_tests {
    use super::*;

    #[test]
    fn weidmann_has_the_printed_values() {
        for (density, speed) in [
            (0.5, 1.30),
            (1.0, 1.06),
            (2.0, 0.61),
            (3.0, 0.33),
            (4.0, 0.16),
        ] {
            assert!((weidmann(density) - speed).abs() < 0.01, "{density}");
        }
        assert_eq!(weidmann(0.0), 1.34);
        assert!(weidmann(5.4).abs() < 1e-9 && weidmann(9.0) == 0.0);
    }

    #[test]
    fn histograms_count_everything_once_in_round_steps() {
        let values = [0.0, 1.0, 2.5, 9.9, 10.0, f64::NAN];
        let (width, counts) = histogram(values.into_iter(), 8);
        assert_eq!(width, 2.0);
        assert_eq!(counts, [2, 1, 0, 0, 1, 1]);
        assert_eq!(histogram(std::iter::empty(), 8).1, [0; 0]);
        assert_eq!(histogram([0.0, 0.0].into_iter(), 8), (1.0, vec![2]));
    }

    proptest::proptest! {
        #[test]
        fn bins_are_round_few_and_hold_what_is_in_them(
            values in proptest::collection::vec(-1.0..1000.0_f64, 0..60),
            bins in 1..20_usize,
            scale in -6..6_i32,
        ) {
            let values: Vec<f64> = values.iter().map(|v| v * 10_f64.powi(scale)).collect();
            let (width, counts) = histogram(values.iter().copied(), bins);
            proptest::prop_assert!(counts.len() <= bins + 1, "{} for {bins}", counts.len());
            // One, two or five of some power of ten.
            let digit = width / 10_f64.powf((width.log10() + 1e-9).floor());
            proptest::prop_assert!([1.0, 2.0, 5.0].iter().any(|d| (digit - d).abs() < 1e-6), "{width}");
            let greatest = values.iter().copied().fold(0.0, f64::max);
            if greatest > 0.0 {
                for (i, count) in counts.iter().enumerate() {
                    let inside = |v: &&f64| **v >= 0.0 && (**v / width) as usize == i;
                    proptest::prop_assert_eq!(*count as usize, values.iter().filter(inside).count());
                }
                proptest::prop_assert!(*counts.last().unwrap_or(&0) > 0, "the last bin is used");
                // The next narrower step would need more bins than are wanted.
                let narrower = if (digit - 5.0).abs() < 1e-6 { 0.4 } else { 0.5 };
                proptest::prop_assert!(width * narrower * (bins as f64) < greatest * (1.0 + 1e-6));
            }
        }
    }

    #[test]
    fn the_flow_is_that_of_a_window() {
        let line = LineCurve {
            entity: EntityId::new(1),
            name: String::new(),
            times: (0..60).map(f64::from).collect(),
        };
        assert!((line.flow(30.0) - 1.0).abs() < 0.11, "{}", line.flow(30.0));
        assert_eq!(line.flow(90.0), 0.0);
    }
}
