//! `wayloom bench space`: what the processor does for one frame of the 3D view.
//!
//! A mesh of a million triangles stands in a town, and the whole editor is drawn with plan and 3D
//! view side by side: while one circles it, while the pointer moves over it, and while an obstacle
//! beside it is dragged. What the graphics card (or the software in its place) draws is told
//! apart.

use super::docking::Views;
use super::frame_bench::Window;
use crate::base::EntityId;
use crate::document::{
    Edit, Entity, Kind, Level, MeshLibrary, MeshModel, MeshSource, Solid, SolidShape, ops,
};
use crate::geometry::TriMesh;
use crate::jobs::JobContext;
use crate::lab::registry::bench;
use crate::lab::{Better, Experiment, LabError, Report, Row, scene};
use egui::{Event, PointerButton, Pos2, vec2};
use glam::{DVec2, DVec3};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub static BENCH: Experiment = bench(
    "space",
    "one frame of the 3D view with a mesh of a million triangles",
    run,
);

const OBSTACLES: usize = 500;
const CORNERS: usize = 8;
/// Around and up the mesh: twice their product are its triangles.
const MESH: [u32; 2] = [1_000, 500];
const FILE: &str = "million.obj";
const FRAMES: usize = 60;
const WARM_UP: usize = 4;
/// Unit: milliseconds.
const GOAL: f64 = 8.0;
const LARGE: usize = 10_000;
const LARGE_GOAL: f64 = 16.0;
/// The scene is made beside the window; longer than this it never takes.
const PATIENCE: Duration = Duration::from_secs(300);

/// A pebble: a sphere with dents, closed.
fn pebble([around, up]: [u32; 2]) -> TriMesh {
    let mut mesh = TriMesh::default();
    for ring in 0..=up {
        let rise = PI * (f64::from(ring) / f64::from(up) - 0.5);
        for side in 0..around {
            let turn = TAU * f64::from(side) / f64::from(around);
            let dents = 1.0 + 0.05 * (9.0 * turn).sin() * (7.0 * rise).cos();
            let out = DVec2::from_angle(turn) * rise.cos();
            // All of a pole is one place, to the last digit.
            let is_pole = ring == 0 || ring == up;
            mesh.vertices.push(if is_pole {
                DVec3::Z * rise.sin()
            } else {
                out.extend(rise.sin()) * dents
            });
        }
    }
    for ring in 0..up {
        for side in 0..around {
            let next = (side + 1) % around;
            let [a, b] = [ring * around + side, ring * around + next];
            mesh.add_quad([a, b, b + around, a + around]);
        }
    }
    mesh
}

/// # Errors
/// Cancelled, or there is no OpenGL to prepare frames for.
fn run(ctx: &JobContext) -> Result<Report, LabError> {
    ctx.stage("Making a mesh");
    let model = MeshModel::new(&pebble(MESH), &[]);
    let triangles = model.mesh.triangles.len();
    let mut stage = Stage::new(model, ctx)?;
    let mut rows = Vec::new();
    let mut add = |what: &str, mut millis: Vec<f64>, goal: Option<f64>| {
        millis.sort_by(f64::total_cmp);
        let at = |share: f64| millis[((millis.len() - 1) as f64 * share).round() as usize];
        let what = format!("{what}, mesh of {triangles} triangles");
        let row = Row::new(what, "ms", at(0.5)).spread((at(0.75) - at(0.25)) * 0.5);
        rows.push(match goal {
            Some(goal) => row.goal(goal, Better::Lower),
            None => row,
        });
    };
    ctx.stage("Circling");
    let (circling, drawn) = stage.circle(ctx)?;
    add(
        "frame while circling, prepared by the processor",
        circling,
        Some(GOAL),
    );
    add("frame while circling, and drawn by OpenGL", drawn, None);
    ctx.stage("Pointing");
    let pointing = stage.point(ctx)?;
    add("frame while pointing at it", pointing, Some(GOAL));
    ctx.stage("Dragging");
    let dragging = stage.window.drag(FRAMES, ctx)?;
    add(
        "frame while dragging an obstacle beside it",
        dragging,
        Some(GOAL),
    );
    drop(stage);
    ctx.stage("A large town");
    let mut town = opened(scene::town(LARGE, CORNERS)?, MeshLibrary::default(), ctx)?;
    let mut millis = town.drag(FRAMES, ctx)?;
    millis.sort_by(f64::total_cmp);
    let what = format!("frame while dragging 1 of {LARGE} obstacles, plan and 3D");
    let row = Row::new(what, "ms", millis[millis.len() / 2]);
    rows.push(row.goal(LARGE_GOAL, Better::Lower));
    Ok(Report {
        name: BENCH.id.to_owned(),
        rows,
    })
}

/// A window with both views, once the 3D view is made. Navigation may still be baked beside it:
/// only what the window's own thread does is counted.
fn opened(level: Level, meshes: MeshLibrary, ctx: &JobContext) -> Result<Window, LabError> {
    let mut window = Window::of(level)?;
    window.editor.state.show_meshes(meshes.into());
    window.editor.layout.show_views(Views::Both);
    let started = Instant::now();
    while window.editor.state.space.scene().is_none() {
        ctx.checkpoint()?;
        window.frame(Vec::new());
        if started.elapsed() > PATIENCE {
            return Err(LabError::Unavailable("the 3D view was not made".to_owned()));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    for _ in 0..WARM_UP {
        window.frame(Vec::new());
    }
    Ok(window)
}

struct Stage {
    window: Window,
    mesh: EntityId,
    /// Of the 3D view.
    corner: Pos2,
    middle: Pos2,
}

impl Stage {
    fn new(model: MeshModel, ctx: &JobContext) -> Result<Self, LabError> {
        let town = scene::town(OBSTACLES, CORNERS)?;
        let id = town.largest_id().next();
        let middle = town.settings().bounds.centre();
        let size = DVec3::splat(town.settings().bounds.size().min_element() * 0.2);
        let source = MeshSource::new(FILE);
        let shape = SolidShape::Mesh(source.clone());
        let solid = Solid::new(shape, middle.extend(0.0), size);
        let edits = [Edit::create(id, Entity::new("Pebble", Kind::Solid(solid)))];
        let level = ops::apply(&town, &edits)?;
        let mut library = MeshLibrary::default();
        library.insert(&source, Ok(Arc::new(model)), None);
        let window = opened(level, library, ctx)?;
        let scene = window.editor.state.space.scene();
        let body = scene.and_then(|scene| scene.body(id));
        if body.is_none_or(|body| body.object.stand_in) {
            return Err(LabError::Unavailable("the mesh is not there".to_owned()));
        }
        let view = window.editor.state.space.focus_id;
        let rect = view.and_then(|id| window.context.read_response(id));
        let rect = rect
            .map(|response| response.rect)
            .ok_or_else(|| LabError::Unavailable("there is no 3D view".to_owned()))?;
        Ok(Self {
            window,
            mesh: id,
            corner: rect.min,
            middle: rect.center(),
        })
    }

    fn button(&self, pressed: bool) -> Event {
        Event::PointerButton {
            pos: self.middle,
            button: PointerButton::Middle,
            pressed,
            modifiers: egui::Modifiers::NONE,
        }
    }

    /// Frames with the middle button down, and the same with what OpenGL took.
    fn circle(&mut self, ctx: &JobContext) -> Result<(Vec<f64>, Vec<f64>), LabError> {
        let before = self.window.editor.state.space.camera;
        self.window.frame(vec![Event::PointerMoved(self.middle)]);
        let press = self.button(true);
        self.window.frame(vec![press]);
        let mut millis = Vec::new();
        for i in 0..WARM_UP + FRAMES {
            ctx.checkpoint()?;
            let to = self.middle + vec2(6.0 + 2.0 * (i % 40) as f32, (i % 7) as f32);
            let took = self.window.frame(vec![Event::PointerMoved(to)]);
            if i >= WARM_UP {
                millis.push(took);
            }
        }
        if self.window.editor.state.space.camera == before {
            return Err(LabError::Unavailable("the view did not turn".to_owned()));
        }
        let release = self.button(false);
        self.window.frame(vec![release]);
        let drawn = &self.window.drawn;
        Ok((millis, drawn[drawn.len() - FRAMES..].to_vec()))
    }

    /// Frames with the pointer wandering over the mesh.
    fn point(&mut self, ctx: &JobContext) -> Result<Vec<f64>, LabError> {
        let mut millis = Vec::new();
        let space = &self.window.editor.state.space;
        let body = space.scene().and_then(|scene| scene.body(self.mesh));
        let centre = body
            .and_then(|body| {
                let centre = body.bounds.centre();
                space.camera.screen_from_world(centre, space.viewport)
            })
            .ok_or_else(|| LabError::Unavailable("the mesh is out of sight".to_owned()))?;
        let middle = self.corner + vec2(centre.x as f32, centre.y as f32);
        for i in 0..FRAMES {
            ctx.checkpoint()?;
            let by = vec2((i % 30) as f32 - 15.0, (i % 17) as f32 - 8.0);
            millis.push(self.window.frame(vec![Event::PointerMoved(middle + by)]));
        }
        if self.window.editor.state.view.hovered != Some(self.mesh) {
            return Err(LabError::Unavailable(
                "the pointer was not over the mesh".to_owned(),
            ));
        }
        Ok(millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_turns_points_and_drags_with_a_smaller_mesh() {
        let model = MeshModel::new(&pebble([40, 20]), &[]);
        assert!(model.closed && model.mesh.triangles.len() > 1_000);
        let ctx = JobContext::default();
        // Without OpenGL there is nothing to measure, and nothing to test here.
        let Ok(mut stage) = Stage::new(model, &ctx) else {
            return;
        };
        let (millis, drawn) = stage.circle(&ctx).expect("it turns");
        assert_eq!((millis.len(), drawn.len()), (FRAMES, FRAMES));
        stage.point(&ctx).expect("it points");
    }
}
