//! Exits, waiting areas, queues and measurements.

use super::{Pen, Scene, arrows, label_room, rings, scale_for};
use crate::base::{Colour, EntityId};
use crate::document::{Entity, Measure, MeasureShape, Queue};
use crate::geometry::Polygon;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{
    Dash, Extent, Fill, FillRule, Glyph, Ink, Plane, Primitive, Stroke,
};
use crate::preview::style;
use glam::DVec2;

/// Length of the ticks at the ends of a measuring line. Unit: pixels.
const TICK: f64 = 7.0;

impl Scene<'_> {
    pub(super) fn draw_exit(
        &self,
        id: EntityId,
        entity: &Entity,
        area: &Polygon,
        pen: &mut Pen<'_>,
    ) {
        let colour = self.palette.exit;
        self.draw_place(area, colour, Dash::Solid, 0.22, pen);
        self.draw_place_name(id, entity, area, colour, pen);
    }

    pub(super) fn draw_waiting_area(
        &self,
        id: EntityId,
        entity: &Entity,
        area: &Polygon,
        pen: &mut Pen<'_>,
    ) {
        let colour = self.palette.waiting;
        self.draw_place(area, colour, Dash::Dashed, 0.16, pen);
        self.draw_place_name(id, entity, area, colour, pen);
    }

    /// A line of places to stand, the counter at its head.
    pub(super) fn draw_queue(&self, entity: &Entity, queue: &Queue, pen: &mut Pen<'_>) {
        let p = self.palette;
        let colour = p.waiting;
        let towards_counter: Vec<DVec2> = queue.line.iter().rev().copied().collect();
        for stroke in [
            Stroke::pixels(p.halo, style::CASING_WIDTH),
            Stroke::pixels(Ink::new(colour, 0.8), 1.4).dashed(Dash::Dashed),
        ] {
            pen.add(
                Plane::Annotations,
                Primitive::Line {
                    points: towards_counter.clone(),
                    closed: false,
                    stroke,
                },
            );
        }
        let size = Extent::pixels(style::ARROW_SIZE);
        arrows::along(
            pen,
            Plane::Annotations,
            &towards_counter,
            false,
            Ink::solid(colour),
            size,
        );
        for slot in queue.slots().into_iter().take(MOST_SLOTS) {
            pen.add_from(
                Plane::Annotations,
                3.0 / queue.spacing,
                Primitive::Disc {
                    centre: slot,
                    radius: Extent::metres(0.35 * queue.spacing, 0.0),
                    fill: Ink::new(colour, 0.25),
                    outline: Some(Stroke::pixels(Ink::new(colour, 0.8), 1.0)),
                },
            );
        }
        let Some(counter) = queue.line.first() else {
            return;
        };
        pen.add(
            Plane::Annotations,
            Primitive::Mark {
                at: *counter,
                turn: 0.0,
                glyph: Glyph::Square,
                size: Extent::pixels(9.0),
                fill: Ink::solid(colour),
                outline: Some(Stroke::pixels(p.halo, 1.5)),
            },
        );
        pen.label(Label {
            placement: Placement::Beside {
                gap: Extent::pixels(style::GOAL_RADIUS + 2.0),
            },
            ..self.label(*counter, &entity.name, Rank::Annotation, colour)
        });
    }

    pub(super) fn draw_measure(
        &self,
        id: EntityId,
        entity: &Entity,
        measure: &Measure,
        pen: &mut Pen<'_>,
    ) {
        let colour = self.palette.measure;
        match &measure.shape {
            MeasureShape::Area(area) => {
                self.draw_place(area, colour, Dash::Dotted, 0.1, pen);
                self.draw_place_name(id, entity, area, colour, pen);
            }
            MeasureShape::Line([from, to]) => {
                for stroke in [
                    Stroke::pixels(self.palette.halo, style::CASING_WIDTH),
                    Stroke::pixels(Ink::solid(colour), 2.0),
                ] {
                    pen.add(
                        Plane::Annotations,
                        Primitive::Line {
                            points: vec![*from, *to],
                            closed: false,
                            stroke,
                        },
                    );
                }
                for end in [from, to] {
                    pen.add(
                        Plane::Annotations,
                        Primitive::Mark {
                            at: *end,
                            turn: 0.0,
                            glyph: Glyph::Diamond,
                            size: Extent::pixels(TICK),
                            fill: Ink::solid(colour),
                            outline: Some(Stroke::pixels(self.palette.halo, 1.0)),
                        },
                    );
                }
                pen.label(Label {
                    placement: Placement::Above {
                        gap: Extent::pixels(style::ARROW_SIZE),
                    },
                    ..self.label(
                        from.midpoint(*to),
                        entity.label(id),
                        Rank::Annotation,
                        colour,
                    )
                });
            }
        }
    }

    fn draw_place(
        &self,
        area: &Polygon,
        colour: Colour,
        dash: Dash,
        opacity: f64,
        pen: &mut Pen<'_>,
    ) {
        pen.add_from(
            Plane::Annotations,
            scale_for(area.bounds().size()),
            Primitive::Area {
                rings: rings(area),
                rule: FillRule::EvenOdd,
                fill: Fill::plain(Ink::new(colour, opacity)),
                outline: Some(Stroke::pixels(Ink::new(colour, 0.95), 1.6).dashed(dash)),
            },
        );
    }

    fn draw_place_name(
        &self,
        id: EntityId,
        entity: &Entity,
        area: &Polygon,
        colour: Colour,
        pen: &mut Pen<'_>,
    ) {
        let (at, room) = label_room(area);
        pen.label(Label {
            placement: Placement::Within {
                // The name is essential: it may extend over the edge a little.
                room: room * DVec2::new(1.6, 1.0),
            },
            ..self.label(at, entity.label(id), Rank::Annotation, colour)
        });
    }
}

/// A queue of more people is drawn as its line.
const MOST_SLOTS: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{
        Door, DoorState, Edit, Exit, Kind, Level, Link, LinkAction, Swing, WaitingArea, ops,
    };
    use crate::geometry::Rect;
    use crate::preview::Look;
    use crate::preview::primitive::Shape;
    use crate::preview::shape::Highlight;
    use glam::DVec3;

    #[test]
    fn doors_links_and_places_are_drawn_and_show_their_selection() {
        let area = || Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(5.0)));
        let door = |state, swing| {
            Kind::Door(Door {
                state,
                swing,
                ..Door::new(DVec2::ONE, DVec2::new(3.0, 1.0))
            })
        };
        let mut kinds = vec![
            Kind::Exit(Exit::new(area())),
            Kind::WaitingArea(WaitingArea::new(area())),
            Kind::Queue(Queue::new(vec![DVec2::ZERO, DVec2::new(4.0, 0.0)])),
            Kind::Measure(Measure::line(DVec2::ZERO, DVec2::X)),
            Kind::Measure(Measure::area(area())),
        ];
        for state in DoorState::ALL {
            kinds.extend(Swing::ALL.map(|swing| door(state, swing)));
        }
        for action in LinkAction::ALL {
            let to = DVec3::new(4.0, 0.0, 2.0);
            kinds.push(Kind::Link(Link::new(action, DVec3::ZERO, to)));
        }
        let edits: Vec<Edit> = (1..)
            .zip(kinds)
            .map(|(number, kind)| Edit::create(EntityId::new(number), Entity::new("A", kind)))
            .collect();
        let level = ops::apply(&Level::default(), &edits).expect("valid");
        let scene = Scene {
            level: &level,
            palette: Look::Light.palette(),
            meshes: &crate::document::mesh_library::NO_MESHES,
        };
        for (id, entity) in level.iter() {
            let (mut drawn, mut selected): (Vec<Shape>, Vec<Shape>) = Default::default();
            scene.draw_entity(id, entity, &mut drawn);
            scene.draw_highlight(id, Highlight::Selected, &mut selected);
            assert!(drawn.len() >= 2, "{:?}", entity.kind);
            assert!(!selected.is_empty(), "{:?}", entity.kind);
            let has_name = |shape: &Shape| matches!(shape.primitive, Primitive::Text(_));
            assert!(drawn.iter().any(has_name), "{:?}", entity.kind);
        }
    }
}
