//! The 3D gizmo: arrows to move, rings to rotate, knobs to scale.

use super::camera::SpaceCamera;
use super::manipulate::Manipulation;
use crate::document::{Kind, Level, Selection};
use crate::geometry::{Aabb, Ray};
use crate::interaction::ToolKind;
use crate::interaction::transform::movable;
use crate::preview::space::SpaceScene;
use glam::{DMat3, DVec2, DVec3};
use std::f64::consts::TAU;

/// Screen length of an arrow. Unit: points.
const REACH: f64 = 84.0;
/// Pick distance of a handle. Unit: points.
const GRIP: f64 = 9.0;
/// The squares between two arrows, as fractions of an arrow.
const PLANE_FROM: f64 = 0.30;
const PLANE_TO: f64 = 0.52;
const SCALE_LIMITS: (f64, f64) = (0.01, 100.0);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GizmoMode {
    Move,
    Rotate,
    Scale,
}

impl GizmoMode {
    /// The gizmo mode of a tool; drawing tools have no gizmo.
    #[must_use]
    pub const fn of(tool: ToolKind) -> Option<Self> {
        match tool {
            ToolKind::Move => Some(Self::Move),
            ToolKind::Rotate => Some(Self::Rotate),
            ToolKind::Scale => Some(Self::Scale),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// Along one axis.
    Axis(usize),
    /// Perpendicular to one axis.
    Plane(usize),
    /// About one axis.
    Ring(usize),
    /// All axes at once.
    Centre,
    /// The object itself, along the floor.
    Body,
}

impl Handle {
    /// Label of the undo step.
    #[must_use]
    pub const fn label(self, mode: GizmoMode) -> &'static str {
        match mode {
            GizmoMode::Move => "Move",
            GizmoMode::Rotate => "Rotate",
            GizmoMode::Scale => "Scale",
        }
    }
}

/// Snap steps; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    /// Unit: metres.
    pub length: f64,
    pub degrees: f64,
    /// Scale factor.
    pub factor: f64,
    /// Moves stay on one axis, scales stay uniform.
    pub locked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gizmo {
    pub mode: GizmoMode,
    pub pivot: DVec3,
    /// Rotation of its axes about z. Unit: radians.
    pub yaw: f64,
    /// Arrow length. Unit: metres.
    pub reach: f64,
    /// Whether the selection can be tilted.
    pub tilts: bool,
}

impl Gizmo {
    /// The gizmo of the selection; `None` if nothing can be moved.
    #[must_use]
    pub fn of(
        scene: &SpaceScene,
        level: &Level,
        selection: &Selection,
        mode: GizmoMode,
        camera: &SpaceCamera,
        viewport: DVec2,
    ) -> Option<Self> {
        let ids = movable(level, selection);
        let mut bounds = Aabb::EMPTY;
        let mut tilts = false;
        let mut yaw = 0.0;
        for id in &ids {
            let entity = level.get(*id)?;
            let body = scene.bodies_of(*id).map(|body| body.bounds);
            if let Some(body) = body.reduce(|a, b| a.union(&b)) {
                bounds = bounds.union(&body);
            } else if let Kind::Agent(agent) = &entity.kind {
                bounds = bounds.including(agent.start);
            } else if let Some(rect) = entity.drawn_bounds() {
                let ground = |p: DVec2| level.ground().map_or(0.0, |field| field.height(p));
                let z = ground(rect.centre());
                bounds = bounds
                    .including(rect.min.extend(z))
                    .including(rect.max.extend(z));
            }
            if let Kind::Solid(solid) = &entity.kind {
                tilts = true;
                if ids.len() == 1 && mode == GizmoMode::Scale {
                    yaw = solid.rotation.yaw.radians();
                }
            }
        }
        if bounds.is_empty() {
            return None;
        }
        // At the base: scaled objects stay on the floor, moved ones are seen to stand on it.
        let pivot = bounds.centre().with_z(bounds.min.z);
        Some(Self {
            mode,
            pivot,
            yaw,
            reach: REACH * camera.metres_per_point(pivot, viewport),
            tilts,
        })
    }

    #[must_use]
    pub fn axis(&self, i: usize) -> DVec3 {
        DMat3::from_rotation_z(self.yaw) * [DVec3::X, DVec3::Y, DVec3::Z][i % 3]
    }

    /// Every handle with the polyline that is drawn and picked.
    #[must_use]
    pub fn handles(&self) -> Vec<(Handle, Vec<DVec3>)> {
        let along = |i: usize, share: f64| self.axis(i) * (self.reach * share);
        match self.mode {
            GizmoMode::Move => {
                let axes = (0..3).map(|i| {
                    (
                        Handle::Axis(i),
                        vec![self.pivot, self.pivot + along(i, 1.0)],
                    )
                });
                let planes = (0..3).map(|i| {
                    let (u, v) = ((i + 1) % 3, (i + 2) % 3);
                    let corner = |a: f64, b: f64| self.pivot + along(u, a) + along(v, b);
                    let (near, far) = (PLANE_FROM, PLANE_TO);
                    let square = [
                        (near, near),
                        (far, near),
                        (far, far),
                        (near, far),
                        (near, near),
                    ];
                    (Handle::Plane(i), square.map(|(a, b)| corner(a, b)).to_vec())
                });
                axes.chain(planes).collect()
            }
            GizmoMode::Rotate => (0..3)
                .filter(|i| *i == 2 || self.tilts)
                .map(|i| {
                    let (u, v) = (self.axis((i + 1) % 3), self.axis((i + 2) % 3));
                    let share = if i == 2 { 1.0 } else { 0.86 };
                    let ring = (0..=48)
                        .map(|step| {
                            let (sin, cos) = (TAU * f64::from(step) / 48.0).sin_cos();
                            self.pivot + (u * cos + v * sin) * (self.reach * share)
                        })
                        .collect();
                    (Handle::Ring(i), ring)
                })
                .collect(),
            GizmoMode::Scale => {
                let axes = (0..3).map(|i| {
                    (
                        Handle::Axis(i),
                        vec![self.pivot + along(i, 0.12), self.pivot + along(i, 1.0)],
                    )
                });
                let knob = [(0, 0.1), (1, 0.1), (0, -0.1), (1, -0.1), (0, 0.1)];
                let knob = knob.map(|(i, share)| self.pivot + along(i, share));
                axes.chain([(Handle::Centre, knob.to_vec())]).collect()
            }
        }
    }

    /// The handle under the pointer: the one nearest on screen.
    #[must_use]
    pub fn grip(&self, screen: DVec2, camera: &SpaceCamera, viewport: DVec2) -> Option<Handle> {
        self.handles()
            .into_iter()
            .filter_map(|(handle, line)| {
                let seen: Vec<DVec2> = line
                    .iter()
                    .filter_map(|p| camera.screen_from_world(*p, viewport))
                    .collect();
                let mut distance = seen
                    .windows(2)
                    .map(|pair| {
                        crate::geometry::polygon::closest_on_segment(pair[0], pair[1], screen)
                            .distance(screen)
                    })
                    .fold(f64::INFINITY, f64::min);
                if matches!(handle, Handle::Plane(_) | Handle::Centre)
                    && crate::geometry::Polygon::new(seen).contains(screen)
                {
                    distance = 0.0;
                }
                (distance <= GRIP).then_some((handle, distance))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(handle, _)| handle)
    }

    /// The manipulation for a drag from one ray to another; `None` if the rays do not determine
    /// one. `grabbed` is the point on the object where the drag began.
    #[must_use]
    pub fn drag(
        &self,
        handle: Handle,
        grabbed: DVec3,
        from: &Ray,
        to: &Ray,
        steps: Steps,
    ) -> Option<Manipulation> {
        let did = match (self.mode, handle) {
            (GizmoMode::Move, Handle::Axis(i)) => {
                let axis = self.axis(i);
                let by = to.nearest_on_line(self.pivot, axis)?
                    - from.nearest_on_line(self.pivot, axis)?;
                let at = self.pivot.dot(axis);
                Some(Manipulation::Move(
                    axis * (snapped(at + by, steps.length) - at),
                ))
            }
            (_, Handle::Plane(i)) => self.slide(self.pivot, i, from, to, steps),
            (_, Handle::Body) => self.slide(grabbed, 2, from, to, steps),
            (_, Handle::Ring(i)) => {
                let axis = self.axis(i);
                let arm = |ray: &Ray| {
                    let t = ray.meets_plane(self.pivot, axis)?;
                    let arm = ray.at(t) - self.pivot;
                    (arm.length() > 0.0).then_some(arm)
                };
                let (a, b) = (arm(from)?, arm(to)?);
                let angle = a.cross(b).dot(axis).atan2(a.dot(b));
                let angle = if steps.degrees > 0.0 {
                    snapped(angle.to_degrees(), steps.degrees).to_radians()
                } else {
                    angle
                };
                Some(Manipulation::Turn {
                    axis,
                    angle,
                    pivot: self.pivot,
                })
            }
            (GizmoMode::Scale, Handle::Axis(i)) => {
                let axis = self.axis(i);
                let start = from.nearest_on_line(self.pivot, axis)?;
                let end = to.nearest_on_line(self.pivot, axis)?;
                let factor = scale(end / start, steps)?;
                let mut factors = DVec3::splat(factor);
                if !steps.locked {
                    factors = DVec3::ONE;
                    factors[i % 3] = factor;
                }
                Some(self.scaled(factors))
            }
            (GizmoMode::Scale, Handle::Centre) => {
                // Moving right by one arrow's length doubles the size.
                let back = -from.direction.normalize_or(DVec3::NEG_Z);
                let across = |ray: &Ray| Some(ray.at(ray.meets_plane(self.pivot, back)?));
                let moved = across(to)? - across(from)?;
                let right = DVec3::Z.cross(back).normalize_or(DVec3::X);
                let up = back.cross(right);
                let by = (moved.dot(right) + moved.dot(up)) / self.reach;
                Some(self.scaled(DVec3::splat(scale(by.exp2(), steps)?)))
            }
            _ => None,
        };
        did.filter(Manipulation::is_finite)
    }

    fn slide(
        &self,
        through: DVec3,
        normal: usize,
        from: &Ray,
        to: &Ray,
        steps: Steps,
    ) -> Option<Manipulation> {
        let across = |ray: &Ray| {
            let t = ray.meets_plane(through, self.axis(normal))?;
            Some(ray.at(t))
        };
        let mut by = across(to)? - across(from)?;
        if steps.locked {
            let [u, v] = [(normal + 1) % 3, (normal + 2) % 3];
            let shorter = if by[u].abs() < by[v].abs() { u } else { v };
            by[shorter] = 0.0;
        }
        for i in 0..3 {
            if steps.locked && by[i] == 0.0 {
                continue;
            }
            let at = self.pivot[i];
            by[i] = if i == normal % 3 {
                0.0
            } else {
                snapped(at + by[i], steps.length) - at
            };
        }
        Some(Manipulation::Move(by))
    }

    const fn scaled(&self, factors: DVec3) -> Manipulation {
        Manipulation::Scale {
            factors,
            pivot: self.pivot,
            yaw: self.yaw,
        }
    }
}

fn scale(factor: f64, steps: Steps) -> Option<f64> {
    let factor = snapped(factor, steps.factor);
    factor
        .is_finite()
        .then(|| factor.clamp(SCALE_LIMITS.0, SCALE_LIMITS.1))
}

fn snapped(x: f64, step: f64) -> f64 {
    if step > 0.0 {
        (x / step).round() * step
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VIEWPORT: DVec2 = DVec2::new(800.0, 600.0);

    fn gizmo(mode: GizmoMode) -> (Gizmo, SpaceCamera) {
        let camera = SpaceCamera::default();
        let pivot = DVec3::new(50.0, 50.0, 0.0);
        let gizmo = Gizmo {
            mode,
            pivot,
            yaw: 0.0,
            reach: REACH * camera.metres_per_point(pivot, VIEWPORT),
            tilts: true,
        };
        (gizmo, camera)
    }

    #[test]
    fn every_handle_can_be_gripped_where_it_is_seen() {
        for mode in [GizmoMode::Move, GizmoMode::Rotate, GizmoMode::Scale] {
            let (gizmo, camera) = gizmo(mode);
            for (handle, line) in gizmo.handles() {
                let middle = match handle {
                    Handle::Axis(_) => line[1],
                    Handle::Centre => gizmo.pivot,
                    Handle::Plane(_) => (line[0] + line[2]) * 0.5,
                    _ => line[5],
                };
                let at = camera.screen_from_world(middle, VIEWPORT).expect("seen");
                assert_eq!(gizmo.grip(at, &camera, VIEWPORT), Some(handle), "{mode:?}");
            }
            assert_eq!(gizmo.grip(DVec2::ZERO, &camera, VIEWPORT), None);
        }
    }

    proptest! {
        /// Dragging a handle to where a moved object's handle appears moves the object there.
        #[test]
        fn an_arrow_follows_the_pointer(i in 0usize..3, by in -15.0f64..15.0) {
            let (gizmo, camera) = gizmo(GizmoMode::Move);
            let start = gizmo.pivot + gizmo.axis(i) * gizmo.reach;
            let ray = |p: DVec3| {
                camera.ray(camera.screen_from_world(p, VIEWPORT).expect("seen"), VIEWPORT)
            };
            let moved = gizmo.axis(i) * by;
            let did = gizmo.drag(Handle::Axis(i), start, &ray(start), &ray(start + moved), Steps::default());
            let Some(Manipulation::Move(did)) = did else { panic!("a move") };
            prop_assert!(did.distance(moved) < 1e-6, "{did} {moved}");
        }

        #[test]
        fn a_square_follows_the_pointer_in_its_plane(i in 0usize..3, u in -9.0f64..9.0, v in -9.0f64..9.0) {
            let (gizmo, camera) = gizmo(GizmoMode::Move);
            let start = gizmo.pivot;
            let moved = gizmo.axis((i + 1) % 3) * u + gizmo.axis((i + 2) % 3) * v;
            let ray = |p: DVec3| {
                camera.ray(camera.screen_from_world(p, VIEWPORT).expect("seen"), VIEWPORT)
            };
            let did = gizmo.drag(Handle::Plane(i), start, &ray(start), &ray(start + moved), Steps::default());
            let Some(Manipulation::Move(did)) = did else { panic!("a move") };
            prop_assert!(did.distance(moved) < 1e-6);
        }

        #[test]
        fn a_ring_turns_by_the_angle_between(i in 0usize..3, angle in -3.0f64..3.0) {
            let (gizmo, camera) = gizmo(GizmoMode::Rotate);
            let arm = gizmo.axis((i + 1) % 3) * gizmo.reach;
            let turned = DMat3::from_axis_angle(gizmo.axis(i), angle) * arm;
            let ray = |p: DVec3| {
                camera.ray(camera.screen_from_world(p, VIEWPORT).expect("seen"), VIEWPORT)
            };
            let (from, to) = (ray(gizmo.pivot + arm), ray(gizmo.pivot + turned));
            let did = gizmo.drag(Handle::Ring(i), gizmo.pivot, &from, &to, Steps::default());
            let Some(Manipulation::Turn { angle: did, .. }) = did else { panic!("a turn") };
            prop_assert!((did - angle).abs() < 1e-6, "{did} {angle}");
            let steps = Steps { degrees: 15.0, ..Steps::default() };
            let did = gizmo.drag(Handle::Ring(i), gizmo.pivot, &from, &to, steps);
            let Some(Manipulation::Turn { angle: did, .. }) = did else { panic!("a turn") };
            let off = (did.to_degrees() / 15.0).fract().abs();
            prop_assert!(!(1e-6..=1.0 - 1e-6).contains(&off), "{}", did.to_degrees());
        }

        /// Shift restricts a slide along the floor to the dominant axis.
        #[test]
        fn a_locked_slide_keeps_to_one_axis(u in -9.0f64..9.0, v in -9.0f64..9.0) {
            prop_assume!((u.abs() - v.abs()).abs() > 1e-3);
            let (gizmo, camera) = gizmo(GizmoMode::Move);
            let ray = |p: DVec3| {
                camera.ray(camera.screen_from_world(p, VIEWPORT).expect("seen"), VIEWPORT)
            };
            let steps = Steps { locked: true, ..Steps::default() };
            let to = gizmo.pivot + DVec3::new(u, v, 0.0);
            let did = gizmo.drag(Handle::Body, gizmo.pivot, &ray(gizmo.pivot), &ray(to), steps);
            let expected = if u.abs() > v.abs() { DVec3::new(u, 0.0, 0.0) } else { DVec3::new(0.0, v, 0.0) };
            let Some(Manipulation::Move(did)) = did else { panic!("a move") };
            prop_assert!(did.distance(expected) < 1e-6, "{did} {expected}");
        }

        /// Whatever the ray: a drag keeps to what its handle is for, in numbers, within limits.
        #[test]
        fn any_ray_gives_what_the_handle_is_for_or_nothing(
            o in prop_oneof![
                prop::array::uniform3(prop::num::f64::ANY),
                prop::array::uniform3(-99.0..99.0),
            ],
            d in prop_oneof![
                prop::array::uniform3(prop::num::f64::ANY),
                prop::array::uniform3(-1.0..1.0),
            ],
            is_locked in any::<bool>(),
        ) {
            let ray = Ray::new(DVec3::from_array(o), DVec3::from_array(d));
            let steps = Steps { locked: is_locked, ..Steps::default() };
            for mode in [GizmoMode::Move, GizmoMode::Rotate, GizmoMode::Scale] {
                let (gizmo, camera) = gizmo(mode);
                let from = camera.ray(VIEWPORT * 0.4, VIEWPORT);
                for (handle, _) in gizmo.handles() {
                    let Some(did) = gizmo.drag(handle, gizmo.pivot, &from, &ray, steps) else {
                        continue;
                    };
                    match (handle, did) {
                        (Handle::Axis(i), Manipulation::Move(by)) => {
                            prop_assert!(by.is_finite());
                            prop_assert!((0..3).all(|j| j == i || by[j] == 0.0), "{by}");
                        }
                        (Handle::Plane(i), Manipulation::Move(by)) => {
                            prop_assert!(by.is_finite() && by[i] == 0.0, "{by}");
                            let moved = (0..3).filter(|j| by[*j] != 0.0).count();
                            prop_assert!(moved <= if is_locked { 1 } else { 2 }, "{by}");
                        }
                        (Handle::Ring(i), Manipulation::Turn { axis, angle, pivot }) => {
                            prop_assert_eq!((axis, pivot), (gizmo.axis(i), gizmo.pivot));
                            prop_assert!(angle.abs() <= TAU / 2.0, "{angle}");
                        }
                        (Handle::Axis(i), Manipulation::Scale { factors, pivot, .. }) => {
                            prop_assert_eq!(pivot, gizmo.pivot);
                            prop_assert!((0.01..=100.0).contains(&factors[i]), "{factors}");
                            let others = if is_locked { factors[i] } else { 1.0 };
                            prop_assert!((0..3).all(|j| j == i || factors[j] == others));
                        }
                        (Handle::Centre, Manipulation::Scale { factors, .. }) => {
                            prop_assert!((0.01..=100.0).contains(&factors.x), "{factors}");
                            prop_assert_eq!(factors, DVec3::splat(factors.x));
                        }
                        other => prop_assert!(false, "{:?}", other),
                    }
                }
            }
        }

        /// Dragging a knob outwards by a share of its arm scales by that share.
        #[test]
        fn a_knob_scales_by_how_far_it_is_pulled(i in 0usize..3, factor in 0.2f64..3.0) {
            let (gizmo, camera) = gizmo(GizmoMode::Scale);
            let at = |share: f64| gizmo.pivot + gizmo.axis(i) * (gizmo.reach * share);
            let ray = |p: DVec3| {
                camera.ray(camera.screen_from_world(p, VIEWPORT).expect("seen"), VIEWPORT)
            };
            let drag = |steps: Steps| {
                gizmo.drag(Handle::Axis(i), at(1.0), &ray(at(1.0)), &ray(at(factor)), steps)
            };
            let Some(Manipulation::Scale { factors, .. }) = drag(Steps::default()) else {
                panic!("a scale")
            };
            let mut expected = DVec3::ONE;
            expected[i] = factor;
            prop_assert!(factors.distance(expected) < 1e-6, "{factors} {expected}");
            let steps = Steps { factor: 0.25, locked: true, ..Steps::default() };
            let Some(Manipulation::Scale { factors, .. }) = drag(steps) else { panic!("a scale") };
            let quarters = factors.x * 4.0;
            prop_assert!((quarters - quarters.round()).abs() < 1e-9 || factors.x == 0.01);
            prop_assert!((factors.x - factor).abs() <= 0.125 + 1e-9, "{factors} {factor}");
            prop_assert_eq!(factors, DVec3::splat(factors.x));
        }
    }
}
