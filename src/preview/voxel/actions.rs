//! Paths by action: colours for steps, bends and jumps; glyphs on the plan, arcs and bars in 3D.

use crate::base::EntityId;
use crate::document::{Action, Kind, Level, limits};
use crate::planner::Path;
use crate::planner::missions::Plans;
use crate::preview::primitive::{Extent, Glyph, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::space::layer::{Manner, SpaceLayer, opaque, rgba};
use crate::preview::style::Palette;
use crate::sim::trajectory::jump_rise;
use glam::{DVec2, DVec3};

/// Repeated actions within this distance share a glyph. Unit: metres.
const SOON: f64 = 1.0;

/// Radius of a glyph's disc. Unit: pixels.
const SIGN_RADIUS: f64 = 8.5;

/// Height of lines above the ground in 3D. Unit: metres.
const LIFT: f64 = 0.1;

/// Segments of an arc.
const BOW: usize = 12;

/// A stretch of a path with one action other than walking.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    pub action: Action,
    /// From its start to its end.
    pub points: Vec<DVec3>,
}

/// The actions of a path, in order.
#[must_use]
pub fn deeds(path: &Path) -> Vec<Deed> {
    let mut deeds: Vec<Deed> = Vec::new();
    let mut before = Action::Walk;
    let pieces = path.points.windows(2).zip(path.actions.iter().skip(1));
    for (pair, action) in pieces {
        match deeds.last_mut() {
            _ if *action == Action::Walk => {}
            // Each jump is a separate one.
            Some(deed) if before == *action && *action != Action::Jump => {
                deed.points.push(pair[1]);
            }
            _ => deeds.push(Deed {
                action: *action,
                points: pair.to_vec(),
            }),
        }
        before = *action;
    }
    deeds
}

/// Glyph positions: one for an action repeated within a short distance.
fn signs(deeds: &[Deed]) -> Vec<(Action, DVec2)> {
    let mut groups: Vec<(Action, Vec<DVec2>)> = Vec::new();
    for deed in deeds {
        let points = deed.points.iter().map(|p| p.truncate());
        let first = deed.points[0].truncate();
        match groups.last_mut() {
            Some((action, known))
                if *action == deed.action
                    && known
                        .last()
                        .is_some_and(|last| last.distance(first) <= SOON) =>
            {
                known.extend(points);
            }
            _ => groups.push((deed.action, points.collect())),
        }
    }
    groups
        .into_iter()
        .map(|(action, points)| (action, half_way(&points)))
        .collect()
}

fn half_way(points: &[DVec2]) -> DVec2 {
    let length = |pair: &[DVec2]| pair[0].distance(pair[1]);
    let mut left = 0.5 * points.windows(2).map(length).sum::<f64>();
    for pair in points.windows(2) {
        let long = length(pair);
        if left <= long && long > 0.0 {
            return pair[0].lerp(pair[1], left / long);
        }
        left -= long;
    }
    points[0]
}

const fn glyph(action: Action) -> Option<Glyph> {
    match action {
        Action::Walk => None,
        Action::StepUp => Some(Glyph::StepUp),
        Action::StepDown => Some(Glyph::StepDown),
        Action::Bend => Some(Glyph::Bend),
        Action::Jump => Some(Glyph::Jump),
    }
}

/// Colours and glyphs over the paths of agents that `is_shown`.
pub fn draw_actions(
    plans: &Plans,
    is_shown: impl Fn(EntityId) -> bool,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    for (id, plan) in plans.iter().filter(|(id, _)| is_shown(**id)) {
        for path in plan.paths() {
            draw_deeds(&deeds(path), *id, palette, sink);
        }
    }
}

fn draw_deeds(deeds: &[Deed], agent: EntityId, palette: &Palette, sink: &mut dyn Sink) {
    let mut add = |min_scale, primitive| {
        sink.add(Shape {
            plane: Plane::Paths,
            entity: Some(agent),
            min_scale,
            primitive,
        });
    };
    for deed in deeds {
        let Some(colour) = palette.action(deed.action) else {
            continue;
        };
        add(
            0.0,
            Primitive::Line {
                points: deed.points.iter().map(|p| p.truncate()).collect(),
                closed: false,
                stroke: Stroke::pixels(Ink::solid(colour), 3.6),
            },
        );
    }
    for (action, at) in signs(deeds) {
        let (Some(colour), Some(glyph)) = (palette.action(action), glyph(action)) else {
            continue;
        };
        // Steps are many: their glyphs appear when there is room.
        let min_scale = match action {
            Action::StepUp | Action::StepDown => 12.0,
            _ => 4.0,
        };
        add(
            min_scale,
            Primitive::Disc {
                centre: at,
                radius: Extent::pixels(SIGN_RADIUS),
                fill: Ink::solid(palette.ground),
                outline: Some(Stroke::pixels(Ink::solid(colour), 2.0)),
            },
        );
        add(
            min_scale,
            Primitive::Mark {
                at,
                turn: 0.0,
                glyph,
                size: Extent::pixels(5.6),
                fill: Ink::solid(colour),
                outline: None,
            },
        );
    }
}

/// Actions in 3D: jumps as arcs, and a bar above the head where an agent bends. Positions relative
/// to `origin`.
#[must_use]
pub fn action_layer(
    plans: &Plans,
    is_shown: impl Fn(EntityId) -> bool,
    bent_height: impl Fn(EntityId) -> f64,
    palette: &Palette,
    origin: DVec3,
) -> SpaceLayer {
    let mut layer = SpaceLayer::new(Manner::Surface);
    for (id, plan) in plans.iter().filter(|(id, _)| is_shown(**id)) {
        for deed in plan.paths().flat_map(deeds) {
            let Some(colour) = palette.action(deed.action) else {
                continue;
            };
            let ink = opaque(colour);
            let lifted: Vec<DVec3> = deed
                .points
                .iter()
                .map(|p| *p + DVec3::Z * LIFT - origin)
                .collect();
            match deed.action {
                Action::Jump => {
                    for pair in lifted.windows(2) {
                        let bow: Vec<DVec3> = (0..=BOW)
                            .map(|i| {
                                let share = i as f64 / BOW as f64;
                                let rise = jump_rise(pair[0].distance(pair[1]), share);
                                pair[0].lerp(pair[1], share) + DVec3::Z * rise
                            })
                            .collect();
                        layer.polyline(&bow, ink, 4.0);
                    }
                }
                Action::Bend => {
                    layer.polyline(&lifted, ink, 4.5);
                    let head = DVec3::Z * (bent_height(*id) - LIFT);
                    let bar: Vec<DVec3> = lifted.iter().map(|p| *p + head).collect();
                    let faint = rgba(Ink::new(colour, 0.7));
                    layer.polyline(&bar, faint, 2.0);
                    for (foot, head) in [lifted.first(), lifted.last()]
                        .into_iter()
                        .flatten()
                        .zip([bar.first(), bar.last()].into_iter().flatten())
                    {
                        layer.polyline(&[*foot, *head], faint, 2.0);
                    }
                }
                _ => layer.polyline(&lifted, ink, 4.5),
            }
        }
    }
    layer
}

/// Headroom that a bent agent takes. Unit: metres.
#[must_use]
pub fn bent_height(level: &Level, agent: EntityId) -> f64 {
    let mission = level.get(agent).and_then(|entity| entity.mission());
    let profile = mission.and_then(|mission| level.get(mission.profile));
    match profile.map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => profile.body.bent_height,
        _ => limits::BENT_HEIGHT.default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(actions: &[Action]) -> Path {
        Path {
            points: (0..actions.len())
                .map(|i| DVec3::new(i as f64, 0.0, 0.0))
                .collect(),
            actions: actions.to_vec(),
            ..Path::default()
        }
    }

    #[test]
    fn actions_are_separated_from_walking_and_jumps_from_each_other() {
        use Action::{Bend, Jump, StepUp, Walk};
        let deeds = deeds(&path(&[
            Walk, Walk, StepUp, StepUp, Walk, Walk, Bend, Jump, Jump,
        ]));
        let told: Vec<(Action, f64, f64)> = deeds
            .iter()
            .map(|deed| {
                (
                    deed.action,
                    deed.points[0].x,
                    deed.points[deed.points.len() - 1].x,
                )
            })
            .collect();
        let expected = [
            (StepUp, 1.0, 3.0),
            (Bend, 5.0, 6.0),
            (Jump, 6.0, 7.0),
            (Jump, 7.0, 8.0),
        ];
        assert_eq!(told, expected);
        // Both jumps are close together: one glyph, in the middle.
        let signs = signs(&deeds);
        assert_eq!(signs.len(), 3);
        assert_eq!(signs[2], (Jump, DVec2::new(7.0, 0.0)));
        assert!(super::deeds(&Path::default()).is_empty());
    }

    #[test]
    fn jumps_rise_in_space_and_bends_have_a_bar_over_the_head() {
        use crate::preview::Look;
        let palette = Look::Dark.palette();
        assert_eq!(palette.action(Action::Walk), None);
        for action in [Action::Bend, Action::Jump] {
            let deed = &deeds(&path(&[Action::Walk, action]))[0];
            assert_eq!(deed.points.len(), 2);
        }
        assert!(jump_rise(1.0, 0.5) > 0.2 && jump_rise(1.0, 0.0).abs() < 1e-12);
        assert!(jump_rise(1.0, 1.0).abs() < 1e-12);
    }
}
