//! OpenGL against the processor: the same picture, up to the softness of edges.

use crate::{canvas, context, difference, sample};
use glam::DVec2;
use std::sync::Arc;
use wayloom::base::EntityId;
use wayloom::document::{Edit, Entity, Kind, Level, ops};
use wayloom::editor::viewport::gl_plan::{GlPlan, PlanFrame, Projection};
use wayloom::geometry::Rect;
use wayloom::preview::cache::PlanCache;
use wayloom::preview::{Layer, Layers, Look, RenderOptions, View, render_pixels};

const SIZE: u32 = 800;
/// What a picture of this size leaves free around the level. Unit: pixels.
const MARGIN: u32 = 18;

struct Desk {
    cache: PlanCache,
    plan: GlPlan,
}

impl Desk {
    fn new(gl: &glow::Context) -> Self {
        Self {
            cache: PlanCache::default(),
            plan: GlPlan::new(gl).expect("the shaders compile"),
        }
    }

    fn picture(
        &mut self,
        gl: &glow::Context,
        level: &Arc<Level>,
        area: Rect,
        look: Look,
    ) -> Vec<u8> {
        let projection = Projection {
            centre: area.centre(),
            points_per_metre: f64::from(SIZE - 2 * MARGIN) / area.size().max_element(),
            viewport: DVec2::splat(SIZE.into()),
            pixels_per_point: 1.0,
        };
        self.cache.update(level, look);
        let frame = PlanFrame::new(&self.cache, layers(), &projection, |r| self.plan.has(r));
        let target = canvas(gl, SIZE, look.palette());
        self.plan
            .draw(gl, &frame, &projection)
            .expect("OpenGL has nothing to complain about");
        let pixels = target.read(gl);
        target.delete(gl);
        pixels
    }
}

fn layers() -> Layers {
    Layers::ALL.without(Layer::Labels).without(Layer::Grid)
}

#[test]
fn both_renderers_agree() {
    let Some(context) = context() else { return };
    let gl = context.gl();
    for (name, look) in [
        ("rooms", Look::Light),
        ("forest", Look::Dark),
        ("mckenna_road", Look::Dark),
        ("city", Look::Light),
    ] {
        let level = sample(name);
        let bounds = level.settings().bounds;
        let area = Rect::around(
            bounds.centre(),
            DVec2::splat(bounds.size().min_element() * 0.4),
        );
        let drawn = Desk::new(gl).picture(gl, &level, area, look);
        let options = RenderOptions {
            size: [SIZE, SIZE],
            view: View::Area(area),
            layers: layers(),
            look,
            title: false,
            scale_bar: false,
            ..RenderOptions::default()
        };
        let expected = render_pixels(&level, &options).expect("renders").rgba;
        let (mean, large) = difference(&drawn, &expected, SIZE, MARGIN + 2);
        let about = format!("{name} {}: {mean:.2}, {large:.4}", look.name());
        assert!(mean < 4.0 && large < 0.015, "{about}");
    }
}

#[test]
fn after_an_edit_the_picture_is_that_of_a_fresh_one() {
    let Some(context) = context() else { return };
    let gl = context.gl();
    let level = sample("mckenna");
    let area = level.settings().bounds;
    let mut desk = Desk::new(gl);
    let before = desk.picture(gl, &level, area, Look::Dark);
    let (id, entity, _) = level.obstacles().nth(3).expect("McKenna has houses");
    let mut entity = Entity::clone(entity);
    if let Kind::Obstacle(house) = &mut entity.kind {
        house.area = house.area.clone().map(|p| p + 5.0);
    }
    let gone: EntityId = level.obstacles().nth(7).expect("many").0;
    let edits = [Edit::replace(id, entity), Edit::Delete { id: gone }];
    let moved = Arc::new(ops::apply(&level, &edits).expect("houses can be moved"));
    let after = desk.picture(gl, &moved, area, Look::Dark);
    let fresh = Desk::new(gl).picture(gl, &moved, area, Look::Dark);
    assert_ne!(before, after);
    assert_eq!(after, fresh);
    assert_eq!(
        desk.picture(gl, &level, area, Look::Dark),
        before,
        "and back again"
    );
    desk.plan.delete(gl);
    wayloom::gpu::check(gl, "deleting").expect("nothing was deleted twice");
}
