//! Obstacles: shaded by height with a shadow, hatched where forbidden, with their motion path if
//! they move.

use super::{Pen, Scene, arrows, label_room, rings, scale_for};
use crate::base::EntityId;
use crate::document::motion::motion_points;
use crate::document::{Entity, Motion, Obstacle, Repeat, tag};
use crate::geometry::{Polygon, Ring};
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{Dash, Extent, Fill, FillRule, Ink, Plane, Primitive, Stroke};
use crate::preview::style;
use glam::DVec2;

/// From upper left to lower right, the cartographic convention.
const SHADOW_DIRECTION: DVec2 = DVec2::new(
    std::f64::consts::FRAC_1_SQRT_2,
    -std::f64::consts::FRAC_1_SQRT_2,
);

/// What an obstacle is made of, as far as drawing is concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matter {
    Built,
    Plant,
    Water,
}

impl Matter {
    fn of(entity: &Entity) -> Self {
        if entity.has_tag(tag::WATER) {
            Self::Water
        } else if entity.has_tag(tag::PLANT) {
            Self::Plant
        } else {
            Self::Built
        }
    }
}

impl Scene<'_> {
    pub(super) fn draw_obstacle(&self, entity: &Entity, obstacle: &Obstacle, pen: &mut Pen<'_>) {
        let p = self.palette;
        let size = obstacle.area.bounds().size();
        let top = obstacle.base + obstacle.height;
        let matter = Matter::of(entity);
        if matter != Matter::Water {
            self.draw_shadow(&obstacle.area, top, Plane::ObstacleShadows, pen);
        }

        let is_piece = pen.entity.is_some_and(EntityId::is_part);
        let (shade, plain_edge) = match matter {
            // In one colour, so that walls run into each other where they meet.
            Matter::Built if is_piece => (p.obstacle_edge, p.obstacle_edge),
            Matter::Built => (p.obstacle(top), p.obstacle_edge),
            Matter::Plant => (p.plant(top), p.plant_edge),
            Matter::Water => (p.water, p.water_edge),
        };
        let forbidden = entity.has_tag(tag::FORBIDDEN);
        let moves = obstacle.motion.is_some() || entity.has_tag(tag::DYNAMIC);
        // Overhanging obstacles are translucent.
        let hangs = obstacle.base > 0.0;
        let mut fill = if forbidden {
            p.forbidden_fill(shade)
        } else if matter == Matter::Water {
            p.water_fill()
        } else {
            Fill::plain(Ink::solid(shade))
        };
        fill.ink = fill.ink.faded(if hangs { 0.55 } else { 1.0 });
        let edge = match (forbidden, moves) {
            (true, _) => p.forbidden,
            (false, true) => p.motion,
            (false, false) => plain_edge,
        };
        pen.add_from(
            Plane::Obstacles,
            scale_for(size),
            Primitive::Area {
                rings: rings(&obstacle.area),
                rule: FillRule::EvenOdd,
                fill,
                outline: Some(
                    Stroke::pixels(Ink::solid(edge), style::OUTLINE_WIDTH).dashed(if hangs {
                        Dash::Dashed
                    } else {
                        Dash::Solid
                    }),
                ),
            },
        );
        if let Some(motion) = &obstacle.motion {
            self.draw_motion(&obstacle.area, obstacle.area.centroid(), motion, pen);
        }
        if entity.name.is_empty() || is_piece {
            return;
        }
        let (at, room) = label_room(&obstacle.area);
        pen.label(Label {
            placement: Placement::Within { room },
            size: style::SMALL_LABEL_SIZE,
            halo: Ink::new(shade, 0.6),
            ..self.label(at, &entity.name, Rank::Obstacle, p.text)
        });
    }

    /// The shadow of a prism outside its own outline: each run of edges facing away from the sun,
    /// swept along the shadow.
    pub(super) fn draw_shadow(&self, area: &Polygon, height: f64, plane: Plane, pen: &mut Pen<'_>) {
        let length = (height * style::SHADOW_SLOPE).min(style::SHADOW_LONGEST);
        let sweep = SHADOW_DIRECTION * length;
        let area = area.clone().normalised();
        let rings: Vec<Ring> = area
            .rings()
            .flat_map(|ring| shadow_strips(ring, sweep))
            .collect();
        if length > 0.0 && !rings.is_empty() {
            pen.add_from(
                plane,
                1.0 / length,
                Primitive::Area {
                    rings,
                    rule: FillRule::NonZero,
                    fill: Fill::plain(self.palette.shadow),
                    outline: None,
                },
            );
        }
    }

    /// A motion path, and the outline at its last point.
    pub(super) fn draw_motion(
        &self,
        area: &Polygon,
        centre: DVec2,
        motion: &Motion,
        pen: &mut Pen<'_>,
    ) {
        let p = self.palette;
        let points = motion_points(self.level, motion, centre);
        let closed = motion.repeat == Repeat::Loop;
        if let Some(&last) = points.last()
            && !closed
            && points.len() > 1
        {
            pen.add_from(
                Plane::Motion,
                scale_for(area.bounds().size()),
                Primitive::Area {
                    rings: rings(&area.clone().map(|q| q + last - centre)),
                    rule: FillRule::EvenOdd,
                    fill: Fill::plain(Ink::new(p.motion, 0.08)),
                    outline: Some(
                        Stroke::pixels(Ink::new(p.motion, 0.7), style::THIN_WIDTH)
                            .dashed(Dash::Dashed),
                    ),
                },
            );
        }
        arrows::along(
            pen,
            Plane::Motion,
            &points,
            closed,
            Ink::solid(p.motion),
            Extent::pixels(style::ARROW_SIZE),
        );
        if motion.repeat == Repeat::BackAndForth {
            let mut back = points.clone();
            back.reverse();
            arrows::at_end(pen, Plane::Motion, &back, Ink::solid(p.motion));
        }
        pen.add(
            Plane::Motion,
            Primitive::Line {
                points,
                closed,
                stroke: Stroke::pixels(Ink::new(p.motion, 0.9), 1.6).dashed(Dash::Dashed),
            },
        );
    }
}

/// The runs of edges of a counter-clockwise ring (clockwise for a hole) whose outer side faces
/// along `sweep`, each swept by it. All have the same winding, so that their union can be filled.
fn shadow_strips(ring: &Ring, sweep: DVec2) -> Vec<Ring> {
    let n = ring.len();
    let faces = |i: usize| {
        let edge = ring[(i + 1) % n] - ring[i % n];
        -edge.perp().dot(sweep) > 0.0
    };
    // Start at an edge that does not face the sweep, so that no run is split by the ring's start.
    let Some(start) = (0..n).find(|i| !faces(*i)) else {
        return Vec::new();
    };
    let mut strips = Vec::new();
    let mut run: Vec<DVec2> = Vec::new();
    for i in start..=start + n {
        if i < start + n && faces(i) {
            if run.is_empty() {
                run.push(ring[i % n]);
            }
            run.push(ring[(i + 1) % n]);
        } else if !run.is_empty() {
            let far: Vec<DVec2> = run.iter().rev().map(|p| *p + sweep).collect();
            run.extend(far);
            strips.push(std::mem::take(&mut run));
        }
    }
    strips
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Rect, polygon::signed_area};

    #[test]
    fn the_shadow_of_a_box_is_one_strip_along_two_sides() {
        let ring = Rect::new(DVec2::ZERO, DVec2::splat(2.0)).corners().to_vec();
        let strips = shadow_strips(&ring, DVec2::new(1.0, -1.0));
        assert_eq!(strips.len(), 1);
        assert_eq!(strips[0].len(), 6);
        // Two parallelograms of 2 × 1.
        assert_eq!(signed_area(&strips[0]).abs(), 4.0);
    }

    #[test]
    fn strips_of_a_comb_all_turn_the_same_way() {
        let comb = vec![
            DVec2::new(0.0, 0.0),
            DVec2::new(6.0, 0.0),
            DVec2::new(6.0, 4.0),
            DVec2::new(5.0, 4.0),
            DVec2::new(5.0, 1.0),
            DVec2::new(3.0, 1.0),
            DVec2::new(3.0, 4.0),
            DVec2::new(0.0, 4.0),
        ];
        let strips = shadow_strips(&comb, DVec2::new(0.7, -0.7));
        assert!(strips.len() >= 2);
        assert!(strips.iter().all(|s| signed_area(s) < 0.0));
        assert!(shadow_strips(&vec![], DVec2::X).is_empty());
        assert!(shadow_strips(&vec![DVec2::ONE; 3], DVec2::X).is_empty());
    }
}
