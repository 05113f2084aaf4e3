//! The selection and what is under the pointer, drawn over everything else.

use super::Scene;
use crate::base::{Colour, EntityId};
use crate::preview::primitive::{Extent, Fill, Ink, Plane, Primitive, Shape, Sink, Stroke};
use crate::preview::style;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    Selected,
    Hovered,
}

impl Scene<'_> {
    /// An entity's shapes as outlines in the highlight colour.
    pub fn draw_highlight(&self, id: EntityId, highlight: Highlight, sink: &mut dyn Sink) {
        let Some(entity) = self.level.get(id) else {
            return;
        };
        let mut shapes: Vec<Shape> = Vec::new();
        self.draw_entity(id, entity, &mut shapes);
        for (part, entity) in self.level.parts(id) {
            self.draw_entity(part, entity, &mut shapes);
        }
        let (colour, width) = match highlight {
            Highlight::Selected => (self.palette.selection, style::SELECTION_WIDTH),
            Highlight::Hovered => (self.palette.hover, style::SELECTION_WIDTH - 0.4),
        };
        for shape in shapes {
            if let Some(primitive) = outlined(&shape, colour, width) {
                sink.add(Shape {
                    plane: Plane::Overlay,
                    entity: Some(id),
                    min_scale: 0.0,
                    primitive,
                });
            }
        }
    }
}

fn outlined(shape: &Shape, colour: Colour, width: f64) -> Option<Primitive> {
    let stroke = Stroke::pixels(Ink::solid(colour), width);
    match &shape.primitive {
        // Shadows and the bands of a ramp have no outline, and need none here.
        Primitive::Area {
            rings,
            rule,
            outline: Some(_),
            ..
        } if shape.plane != Plane::Motion => Some(Primitive::Area {
            rings: rings.clone(),
            rule: *rule,
            fill: Fill::plain(Ink::new(colour, 0.12)),
            outline: Some(stroke),
        }),
        Primitive::Line { points, closed, .. }
            if matches!(
                shape.plane,
                Plane::Routes | Plane::Annotations | Plane::Obstacles
            ) =>
        {
            Some(Primitive::Line {
                points: points.clone(),
                closed: *closed,
                stroke: Stroke::pixels(Ink::new(colour, 0.8), style::ROUTE_WIDTH + 1.0),
            })
        }
        Primitive::Disc { centre, radius, .. }
            if matches!(shape.plane, Plane::Agents | Plane::Missions) =>
        {
            Some(Primitive::Disc {
                centre: *centre,
                radius: Extent {
                    metres: radius.metres * 1.15,
                    pixels: radius.pixels + 2.5,
                },
                fill: Ink::new(colour, 0.0),
                outline: Some(stroke),
            })
        }
        Primitive::Mark {
            at,
            turn,
            glyph,
            size,
            fill,
            ..
        } if shape.plane == Plane::Notes => Some(Primitive::Mark {
            at: *at,
            turn: *turn,
            glyph: *glyph,
            size: *size,
            fill: *fill,
            outline: Some(Stroke::pixels(Ink::solid(colour), width * 2.0)),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preview::{Look, showcase};

    #[test]
    fn every_placed_entity_shows_its_selection() {
        let level = showcase::level();
        let scene = Scene {
            level: &level,
            palette: Look::Dark.palette(),
            meshes: &crate::document::mesh_library::NO_MESHES,
        };
        for (id, entity) in level.iter() {
            let mut shapes: Vec<Shape> = Vec::new();
            scene.draw_highlight(id, Highlight::Selected, &mut shapes);
            assert_eq!(
                shapes.is_empty(),
                !entity.kind.name().is_placed(),
                "{}",
                entity.label(id)
            );
            assert!(shapes.iter().all(|shape| shape.plane == Plane::Overlay));
        }
    }
}
