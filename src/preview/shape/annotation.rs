//! Annotations: soft areas with a dashed edge and their name.

use super::{Pen, Scene, label_room, rings, scale_for};
use crate::base::EntityId;
use crate::document::goal_area::goal_area;
use crate::document::{Annotation, Entity, Kind, Target, annotation_area};
use crate::geometry::Polygon;
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{FillRule, Plane, Primitive};
use glam::DVec2;

impl Scene<'_> {
    pub(super) fn draw_annotation(&self, id: EntityId, entity: &Entity, pen: &mut Pen<'_>) {
        let parts = annotation_area(self.level, id);
        for part in &parts {
            pen.add_from(
                Plane::Annotations,
                scale_for(part.bounds().size()),
                Primitive::Area {
                    rings: rings(part),
                    rule: FillRule::EvenOdd,
                    fill: self.palette.annotation_fill(),
                    outline: Some(self.palette.annotation_edge()),
                },
            );
        }
        let largest = parts.iter().max_by(|a, b| a.area().total_cmp(&b.area()));
        if let Some(part) = largest {
            let (at, room) = label_room(part);
            pen.label(Label {
                placement: Placement::Within {
                    // The name is essential: it may extend over the edge a little.
                    room: room * DVec2::new(1.6, 1.0),
                },
                ..self.label(
                    at,
                    self.caption(id, entity),
                    Rank::Annotation,
                    self.palette.annotation,
                )
            });
        }
    }

    /// The given name, or the relation: `Front of Tower`.
    fn caption(&self, id: EntityId, entity: &Entity) -> String {
        match &entity.kind {
            Kind::Annotation(Annotation::Relation { object, relation })
                if entity.name.is_empty() =>
            {
                format!("{} · {}", relation.name(), self.level.label(*object))
            }
            _ => entity.label(id),
        }
    }

    /// A point where a goal is reached that is not a place.
    pub(super) fn place_inside(&self, target: Target) -> Option<DVec2> {
        let area = goal_area(self.level, target)
            .into_iter()
            .max_by(|a: &Polygon, b| a.area().total_cmp(&b.area()))?;
        Some(label_room(&area).0)
    }
}
