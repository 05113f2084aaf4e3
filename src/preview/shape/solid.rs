//! Solids seen from above: shaded by height, ramps and stairs with their direction of rise.

use super::{Pen, Scene, label_room, scale_for};
use crate::document::solid_mesh::{fitting, placement};
use crate::document::{Entity, Heading, MeshModel, MeshSource, Opening, Solid, SolidShape, tag};
use crate::geometry::{Polygon, Rect};
use crate::preview::label::{Label, Placement, Rank};
use crate::preview::primitive::{
    Dash, Extent, Fill, FillRule, Glyph, Ink, Plane, Primitive, Stroke,
};
use crate::preview::style;
use glam::{DVec2, DVec3};

/// Number of shades along a ramp.
const RAMP_BANDS: u32 = 12;
/// Maximum stair lines drawn.
const MAX_STAIR_LINES: u32 = 200;

/// Maximum height for the shading of meshes, so that what stands on them stays legible. Unit:
/// metres.
const MESH_SHADE: f64 = 2.0;
/// Minimum screen length of a mesh line. Unit: pixels.
const MESH_LINE: f64 = 3.0;

impl Scene<'_> {
    pub(super) fn draw_solid(&self, entity: &Entity, solid: &Solid, pen: &mut Pen<'_>) {
        if let Some(motion) = &solid.motion {
            let outline = Polygon::new(solid.footprint());
            self.draw_motion(&outline, solid.position.truncate(), motion, pen);
        }
        if let SolidShape::Mesh(source) = &solid.shape
            && let Some(model) = self.meshes.model(source)
        {
            self.draw_mesh(entity, solid, source, model, pen);
            return;
        }
        let p = self.palette;
        let outline = Polygon::new(solid.footprint());
        let size = outline.bounds().size();
        let (bottom, top) = (solid.position.z, solid.position.z + solid.size.z);
        let forbidden = entity.has_tag(tag::FORBIDDEN);
        let edge = if forbidden { p.forbidden } else { p.solid_edge };
        let shade = |height: f64| {
            let colour = p.solid(height);
            if forbidden {
                p.forbidden_fill(colour)
            } else {
                Fill::plain(Ink::solid(colour))
            }
        };
        let mut area = |plane, ring: Vec<DVec2>, fill: Fill, outline: Option<Stroke>| {
            pen.add_from(
                plane,
                scale_for(size),
                Primitive::Area {
                    rings: vec![ring],
                    rule: FillRule::EvenOdd,
                    fill,
                    outline,
                },
            );
        };
        let stroke = Stroke::pixels(Ink::solid(edge), style::OUTLINE_WIDTH);
        let upright =
            solid.rotation.pitch == Heading::default() && solid.rotation.roll == Heading::default();
        match solid.shape {
            SolidShape::Ramp if upright => {
                for i in 0..RAMP_BANDS {
                    let share = |i: u32| f64::from(i) / f64::from(RAMP_BANDS);
                    let height = bottom + solid.size.z * share(i);
                    area(
                        Plane::Solids,
                        band(solid, share(i), share(i + 1)),
                        shade(height),
                        None,
                    );
                }
                area(
                    Plane::Solids,
                    outline.outer.clone(),
                    Fill::plain(Ink::new(edge, 0.0)),
                    Some(stroke),
                );
            }
            SolidShape::Mesh(_) => area(
                Plane::Solids,
                outline.outer.clone(),
                Fill {
                    texture: crate::document::Pattern::CrossHatch,
                    texture_ink: Ink::new(edge, 0.35),
                    ..shade(top)
                },
                Some(stroke.dashed(Dash::Dashed)),
            ),
            _ => area(
                Plane::Solids,
                outline.outer.clone(),
                shade(top),
                Some(stroke),
            ),
        }
        self.draw_shadow(&outline, top, Plane::SolidShadows, pen);
        if upright {
            match solid.shape {
                SolidShape::Ramp => self.draw_rise(solid, pen),
                SolidShape::Stairs { steps } => {
                    self.draw_steps(solid, steps, pen);
                    self.draw_rise(solid, pen);
                }
                SolidShape::Arch { opening, .. } => self.draw_passage(solid, opening, pen),
                SolidShape::Platform { posts, .. } => self.draw_posts(solid, posts, pen),
                SolidShape::Box | SolidShape::Cylinder | SolidShape::Mesh(_) => {}
            }
        }
        if entity.name.is_empty() {
            return;
        }
        let (at, room) = label_room(&outline);
        pen.label(Label {
            placement: Placement::Within { room },
            size: style::SMALL_LABEL_SIZE,
            halo: Ink::new(p.solid(top), 0.6),
            ..self.label(at, &entity.name, Rank::Solid, p.text)
        });
    }

    /// A mesh's footprint and its lines from above. A tilted mesh is shown by its lines alone over
    /// the footprint of its box.
    fn draw_mesh(
        &self,
        entity: &Entity,
        solid: &Solid,
        source: &MeshSource,
        model: &MeshModel,
        pen: &mut Pen<'_>,
    ) {
        let p = self.palette;
        let forbidden = entity.has_tag(tag::FORBIDDEN);
        let edge = if forbidden { p.forbidden } else { p.solid_edge };
        let top = solid.position.z + solid.size.z;
        let colour = p.solid(top.clamp(0.0, MESH_SHADE));
        let fill = if forbidden {
            p.forbidden_fill(colour)
        } else {
            Fill::plain(Ink::solid(colour))
        };
        let placement = placement(solid) * model.fit(solid.size, source.frame.as_ref());
        let place = |v: DVec3| placement.transform_point3(v).truncate();
        let upright =
            solid.rotation.pitch == Heading::default() && solid.rotation.roll == Heading::default();
        let footprint = Polygon::new(solid.footprint());
        let plan = model.plan();
        let covered: Vec<Polygon> = if upright {
            let flat = |polygon: &Polygon| polygon.clone().map(|v| place(v.extend(0.0)));
            plan.outline.iter().map(flat).collect()
        } else {
            vec![footprint.clone()]
        };
        let room = scale_for(footprint.bounds().size());
        let stroke = Stroke::pixels(Ink::solid(edge), style::OUTLINE_WIDTH);
        for polygon in &covered {
            pen.add_from(
                Plane::Solids,
                room,
                Primitive::Area {
                    rings: super::rings(polygon),
                    rule: FillRule::EvenOdd,
                    fill,
                    outline: Some(stroke),
                },
            );
        }
        let ink = Ink::new(edge, 0.55);
        for [from, to] in &plan.lines {
            let points = vec![place(*from), place(*to)];
            // Short lines would be a blot when zoomed out.
            let min_scale = MESH_LINE / points[0].distance(points[1]).max(1e-6);
            pen.add_from(
                Plane::Solids,
                min_scale,
                Primitive::Line {
                    points,
                    closed: false,
                    stroke: Stroke::pixels(ink, 0.8),
                },
            );
        }
        if !entity.name.is_empty() {
            let (at, room) = label_room(&footprint);
            pen.label(Label {
                placement: Placement::Within { room },
                size: style::SMALL_LABEL_SIZE,
                halo: Ink::new(colour, 0.6),
                ..self.label(at, &entity.name, Rank::Solid, p.text)
            });
        }
    }

    /// An arrow up the middle, from the low end to the high one.
    fn draw_rise(&self, solid: &Solid, pen: &mut Pen<'_>) {
        let ink = Ink::solid(self.palette.text.mix(self.palette.solid_edge, 0.3));
        let (from, to) = (
            local(solid, DVec2::new(-0.32, 0.0)),
            local(solid, DVec2::new(0.3, 0.0)),
        );
        // The head has a fixed screen size: only worth drawing above some length.
        let min_scale = 26.0 / from.distance(to).max(1e-6);
        pen.add_from(
            Plane::Solids,
            min_scale,
            Primitive::Line {
                points: vec![from, to],
                closed: false,
                stroke: Stroke::pixels(ink, 1.6),
            },
        );
        pen.add_from(
            Plane::Solids,
            min_scale,
            Primitive::Mark {
                at: to,
                turn: solid.rotation.yaw.radians(),
                glyph: Glyph::Arrow,
                size: Extent::pixels(style::ARROW_SIZE),
                fill: ink,
                outline: None,
            },
        );
        pen.add_from(
            Plane::Solids,
            min_scale,
            Primitive::Disc {
                centre: from,
                radius: Extent::pixels(2.2),
                fill: ink,
                outline: None,
            },
        );
    }

    /// The opening of a wall, in the colour of the floor, with its jambs.
    fn draw_passage(&self, solid: &Solid, opening: Opening, pen: &mut Pen<'_>) {
        let share = 0.5 * fitting(solid.size, opening).width / solid.size.y;
        let ring = Rect::new(DVec2::new(-0.5, -share), DVec2::new(0.5, share))
            .corners()
            .map(|place| local(solid, place))
            .to_vec();
        let p = self.palette;
        let width = 2.0 * share * solid.size.y;
        pen.add_from(
            Plane::Solids,
            3.0 / width.max(1e-6),
            Primitive::Area {
                rings: vec![ring],
                rule: FillRule::EvenOdd,
                fill: Fill::plain(Ink::new(p.ground, 0.75)),
                outline: Some(
                    Stroke::pixels(Ink::new(p.solid_edge, 0.8), 1.0).dashed(Dash::Dashed),
                ),
            },
        );
    }

    /// The posts of a platform, seen through its deck.
    fn draw_posts(&self, solid: &Solid, posts: f64, pen: &mut Pen<'_>) {
        let post = DVec2::splat(posts).min(solid.size.truncate() * 0.5);
        if post.min_element() <= 0.0 {
            return;
        }
        let half = post * 0.5 / solid.size.truncate();
        for corner in Rect::around(DVec2::ZERO, DVec2::splat(0.5) - half).corners() {
            let ring = Rect::around(corner, half)
                .corners()
                .map(|place| local(solid, place));
            pen.add_from(
                Plane::Solids,
                4.0 / post.min_element(),
                Primitive::Line {
                    points: ring.to_vec(),
                    closed: true,
                    stroke: Stroke::pixels(Ink::new(self.palette.solid_edge, 0.6), 1.0)
                        .dashed(Dash::Dashed),
                },
            );
        }
    }

    fn draw_steps(&self, solid: &Solid, steps: u32, pen: &mut Pen<'_>) {
        let tread = solid.size.x / f64::from(steps.max(1));
        for i in 1..steps.min(MAX_STAIR_LINES) {
            let x = f64::from(i) / f64::from(steps) - 0.5;
            pen.add_from(
                Plane::Solids,
                3.0 / tread,
                Primitive::Line {
                    points: vec![
                        local(solid, DVec2::new(x, -0.5)),
                        local(solid, DVec2::new(x, 0.5)),
                    ],
                    closed: false,
                    stroke: Stroke::pixels(Ink::new(self.palette.solid_edge, 0.6), 1.0),
                },
            );
        }
    }
}

/// A point of the footprint, from −½ to ½ of its depth and width.
fn local(solid: &Solid, share: DVec2) -> DVec2 {
    let turn = DVec2::from_angle(solid.rotation.yaw.radians());
    solid.position.truncate() + turn.rotate(share * solid.size.truncate())
}

/// The stretch of a ramp between two fractions of its depth.
fn band(solid: &Solid, from: f64, to: f64) -> Vec<DVec2> {
    Rect::new(DVec2::new(from - 0.5, -0.5), DVec2::new(to - 0.5, 0.5))
        .corners()
        .map(|share| local(solid, share))
        .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::document::mesh_library::NO_MESHES;
    use crate::document::{Edit, Kind, Level, MeshLibrary, ops};
    use crate::geometry::TriMesh;
    use crate::preview::Look;
    use crate::preview::primitive::Shape;
    use std::sync::Arc;

    /// A frame around a hole of a third of its width.
    fn frame() -> TriMesh {
        let mut mesh = TriMesh::default();
        for (x0, y0, x1, y1) in [
            (0.0, 0.0, 9.0, 3.0),
            (0.0, 6.0, 9.0, 9.0),
            (0.0, 3.0, 3.0, 6.0),
            (6.0, 3.0, 9.0, 6.0),
        ] {
            let first = mesh.vertices.len() as u32;
            let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
            mesh.vertices
                .extend(corners.map(|(x, y)| DVec3::new(x, y, 0.5)));
            mesh.add_quad([first, first + 1, first + 2, first + 3]);
        }
        mesh
    }

    #[test]
    fn a_mesh_shows_what_it_covers_and_a_box_stands_in_for_a_missing_one() {
        let source = MeshSource::new("frame.obj");
        let mut solid = Solid::new(
            SolidShape::Mesh(source.clone()),
            DVec3::new(50.0, 40.0, 0.0),
            DVec3::new(18.0, 18.0, 1.0),
        );
        solid.rotation.yaw = Heading::degrees(90.0);
        let edit = Edit::create(EntityId::new(1), Entity::new("", Kind::Solid(solid)));
        let level = ops::apply(&Level::default(), &[edit]).expect("valid");
        let mut library = MeshLibrary::default();
        library.insert(&source, Ok(Arc::new(MeshModel::new(&frame(), &[]))), None);
        let draw = |meshes: &MeshLibrary| {
            let mut shapes: Vec<Shape> = Vec::new();
            let palette = Look::Light.palette();
            let scene = Scene {
                level: &level,
                palette,
                meshes,
            };
            let (id, entity) = level.iter().next().expect("one thing");
            scene.draw_entity(id, entity, &mut shapes);
            let areas = shapes
                .into_iter()
                .filter_map(|shape| match shape.primitive {
                    Primitive::Area { rings, .. } if shape.plane == Plane::Solids => Some(rings),
                    _ => None,
                });
            areas.collect::<Vec<_>>()
        };
        let shown = draw(&library);
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].len(), 2, "an outline and its hole");
        let bounds = Rect::of_points(&shown[0][0]);
        assert!((bounds.centre() - DVec2::new(50.0, 40.0)).length() < 0.1);
        assert!((bounds.size() - DVec2::splat(18.0)).length() < 0.2);
        let hole = Rect::of_points(&shown[0][1]);
        assert!((hole.size() - DVec2::splat(6.0)).length() < 0.2, "{hole:?}");
        assert_eq!(draw(&NO_MESHES)[0].len(), 1, "a box");
    }
}
