//! `wayloom bench window`: what the processor does for one frame of the whole editor.
//!
//! A real pointer drags one of many obstacles through the real window, of which only the glass is
//! missing: events, tool, document, panels, plan view, and egui's own triangles are counted; what
//! the graphics card (or the software in its place) draws is not. For the city that is told as
//! well, with the renderer's name: without and with Voronoi regions, which are redrawn in every
//! frame of a drag, and for the exact map once an obstacle is let go of.

use super::navigation::Freshness;
use super::{Editor, EditorState, playing_bench, theme};
use crate::base::EntityId;
use crate::document::template::{Options, Template};
use crate::document::{Agent, Document, Level, Target as Named};
use crate::gpu::{HeadlessContext, Target};
use crate::jobs::JobContext;
use crate::lab::registry::bench;
use crate::lab::{Better, Experiment, LabError, Report, Row, measure, scene};
use crate::preview::OverlayId;
use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect, vec2};
use glam::DVec2;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub static BENCH: Experiment = bench(
    "window",
    "one frame of the whole editor while dragging, without the rasteriser",
    run,
);

/// Unit: pixels.
const SIZE: [u32; 2] = [1280, 800];
const CORNERS: usize = 10;
/// Frames before the clock starts: fonts are laid out, triangles made, panels settled.
const WARM_UP: usize = 8;
const FRAMES: usize = 100;
/// How often an obstacle is moved and let go.
const LETS_GO: usize = 9;
/// The wait for a map gives up after this.
const PATIENCE: Duration = Duration::from_secs(20);

/// # Errors
/// Cancelled, or there is no OpenGL to prepare frames for.
fn run(ctx: &JobContext) -> Result<Report, LabError> {
    let mut rows = Vec::new();
    for (obstacles, goal) in [(2_000, 4.0), (10_000, 16.0)] {
        ctx.stage("Dragging in the window");
        let mut window = Window::new(obstacles)?;
        let mut millis = window.drag(FRAMES, ctx)?;
        millis.sort_by(f64::total_cmp);
        let at = |share: f64| millis[((millis.len() - 1) as f64 * share).round() as usize];
        let row = |what: &str, value: f64| {
            let what = format!("{what} while dragging 1 of {obstacles} obstacles");
            Row::new(what, "ms", value).goal(goal, Better::Lower)
        };
        rows.push(row("frame", at(0.5)).spread((at(0.75) - at(0.25)) * 0.5));
        rows.push(row("19 of 20 frames", at(0.95)));
    }
    ctx.stage("Voronoi regions under a drag");
    rows.extend(region_rows(ctx)?);
    ctx.stage("Letting go");
    rows.extend(map_rows(ctx)?);
    ctx.stage("Dragging a guard");
    rows.extend(guard_rows(ctx)?);
    ctx.stage("Playing a crowd");
    rows.extend(playing_bench::rows(ctx)?);
    Ok(Report {
        name: BENCH.id.to_owned(),
        rows,
    })
}

/// Median and half the distance between the quartiles.
pub(super) fn middle(mut millis: Vec<f64>) -> (f64, f64) {
    millis.sort_by(f64::total_cmp);
    let at = |share: f64| millis[((millis.len() - 1) as f64 * share).round() as usize];
    (at(0.5), (at(0.75) - at(0.25)) * 0.5)
}

/// Frames of the city under a drag, without Voronoi regions and with them.
fn region_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut without: Vec<f64> = Vec::new();
    for shows in [false, true] {
        let mut window = Window::of(city()?)?;
        if shows {
            let overlays = &mut window.editor.state.navigation.overlays;
            overlays.set(OverlayId::REGIONS, true);
            overlays.set(OverlayId::DISTANCES, true);
        }
        window.drag(FRAMES, ctx)?;
        let with = if shows { "with" } else { "without" };
        let what = format!("frame of the city under a drag, {with} Voronoi regions");
        let latest = |times: &[f64]| times[times.len().saturating_sub(FRAMES)..].to_vec();
        let by = window.renderer();
        let shares = [
            ("laid out".to_owned(), &window.prepared, 8.0),
            (format!("and drawn by {by}"), &window.drawn, 33.0),
        ];
        let mut values = Vec::new();
        for (i, (share, times, goal)) in shares.into_iter().enumerate() {
            let (value, spread) = middle(latest(times));
            let row = Row::new(format!("{what}, {share}"), "ms", value).spread(spread);
            let row = row.goal(goal, Better::Lower);
            rows.push(match without.get(i) {
                Some(value) => row.beside("without regions", *value),
                None => row,
            });
            values.push(value);
        }
        // A clock tells little on a busy machine.
        let (work, spread) = middle(latest(&window.worked));
        let row = Row::new(format!("{what}, work of all cores"), "ms", work).spread(spread);
        rows.push(match without.get(values.len()) {
            Some(value) => row.beside("without regions", *value),
            None => row,
        });
        values.push(work);
        without = values;
    }
    Ok(rows)
}

/// A guard under the pointer: what all cores work until the paths of all who mind it have followed.
fn guard_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let level =
        Template::by_name("guards").and_then(|guards| guards.build(&Options::default()).ok());
    let level = level
        .ok_or_else(|| LabError::Unavailable("the sample with guards cannot be made".to_owned()))?;
    let minded = |id: EntityId| {
        level
            .agents()
            .filter(|(.., agent)| names(agent, id))
            .count()
    };
    let guard = level
        .agents()
        .max_by_key(|(id, ..)| minded(*id))
        .map(|(id, ..)| (id, minded(id)));
    let (guard, agents) =
        guard.ok_or_else(|| LabError::Unavailable("the sample has no guard".to_owned()))?;
    let mut rows = Vec::new();
    for shows in [false, true] {
        let mut window = Window::of(level.clone())?;
        if shows {
            let overlays = &mut window.editor.state.navigation.overlays;
            overlays.set(OverlayId::FIELD, true);
            overlays.set(OverlayId::CONSTRAINTS, true);
        }
        let (followed, frames) = window.follow(guard, FRAMES / 2, ctx)?;
        let with = if shows { "with" } else { "without" };
        let what = format!("guard dragged, minded by {agents} agents, {with} field and regions");
        let (value, spread) = middle(followed);
        rows.push(
            Row::new(
                format!("{what}: until all paths follow, work of all cores"),
                "ms",
                value,
            )
            .spread(spread)
            .goal(1e3 / 30.0, Better::Lower),
        );
        let (value, spread) = middle(frames);
        rows.push(
            Row::new(format!("{what}: frame"), "ms", value)
                .spread(spread)
                .goal(16.0, Better::Lower),
        );
    }
    Ok(rows)
}

/// Whether a constraint of an agent is about something.
fn names(agent: &Agent, id: EntityId) -> bool {
    let mut targets = agent.mission.constraints.iter().map(|rule| rule.target);
    targets.any(|target| match target {
        Named::Entity(named) | Named::Relation { object: named, .. } => named == id,
    })
}

/// The exact corridor map after an obstacle of the city was let go of.
fn map_rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut window = Window::of(city()?)?;
    let overlays = &mut window.editor.state.navigation.overlays;
    overlays.set(OverlayId::MEDIAL_AXIS, true);
    let waits = window.release(LETS_GO, ctx)?;
    let by = window.renderer();
    let row = |what: String, of: fn(&Wait) -> f64| {
        let (value, spread) = middle(waits.iter().map(of).collect());
        let what = format!("letting go of an obstacle in the city until its exact map is {what}");
        Row::new(what, "ms", value).spread(spread)
    };
    Ok(vec![
        row("there, beside the window".to_owned(), |wait| wait.made).goal(150.0, Better::Lower),
        row("laid out in a frame".to_owned(), |wait| wait.laid_out).goal(150.0, Better::Lower),
        row(format!("in sight, drawn by {by}"), |wait| wait.in_sight).goal(150.0, Better::Lower),
    ])
}

/// How long after letting go the map was where. Unit: milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    /// Made, and the window asked to show it.
    made: f64,
    laid_out: f64,
    in_sight: f64,
}

fn city() -> Result<Level, LabError> {
    Template::by_name("city")
        .and_then(|city| city.build(&Options::default()).ok())
        .ok_or_else(|| LabError::Unavailable("the city cannot be made".to_owned()))
}

/// The editor, with everything around it that a window would be.
pub(super) struct Window {
    pub(super) context: egui::Context,
    pub(super) editor: Editor,
    painter: egui_glow::Painter,
    target: Target,
    gl: HeadlessContext,
    seconds: f64,
    /// When the last frame wants the next one, if nothing happens before.
    repaint_after: Duration,
    /// When the last frame was laid out.
    laid_out: Instant,
    /// Of each frame so far, by the clock on the wall: until OpenGL is asked to draw, and until it
    /// has drawn. Unit: milliseconds.
    prepared: Vec<f64>,
    pub(super) drawn: Vec<f64>,
    /// What all threads together worked meanwhile, bakes beside the window included.
    worked: Vec<f64>,
    /// What the window's thread and OpenGL on the processor worked for the pixels.
    rasterised: Vec<f64>,
}

impl Window {
    fn new(obstacles: usize) -> Result<Self, LabError> {
        Self::of(scene::town(obstacles, CORNERS)?)
    }

    pub(super) fn of(level: Level) -> Result<Self, LabError> {
        let unavailable = |error: String| LabError::Unavailable(error);
        let gl = HeadlessContext::new().map_err(|error| unavailable(error.to_string()))?;
        let painter = egui_glow::Painter::new(Arc::clone(gl.gl()), "", None, false)
            .map_err(|error| unavailable(error.to_string()))?;
        let target = Target::new(gl.gl(), SIZE).map_err(|error| unavailable(error.to_string()))?;
        let next_id = level.largest_id().next();
        let state = EditorState::with_document(Document::new(level, next_id));
        let context = egui::Context::default();
        theme::install(&context);
        Ok(Self {
            context,
            editor: Editor::new(state, Some(Arc::clone(gl.gl()))),
            painter,
            target,
            gl,
            seconds: 0.0,
            repaint_after: Duration::ZERO,
            laid_out: Instant::now(),
            prepared: Vec::new(),
            drawn: Vec::new(),
            worked: Vec::new(),
            rasterised: Vec::new(),
        })
    }

    /// One frame with these events. Returns what the processor took for it, in milliseconds.
    pub(super) fn frame(&mut self, events: Vec<Event>) -> f64 {
        self.seconds += 1.0 / 60.0;
        let size = vec2(SIZE[0] as f32, SIZE[1] as f32);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            time: Some(self.seconds),
            events,
            ..RawInput::default()
        };
        let editor = &mut self.editor;
        let clock = Instant::now();
        let before = measure::process_time();
        let start = measure::thread_time();
        let mut output = self.context.run_ui(input, |ui| editor.ui(ui));
        let triangles = self
            .context
            .tessellate(output.shapes, output.pixels_per_point);
        let took = measure::thread_time().saturating_sub(start).as_secs_f64() * 1e3;
        self.laid_out = Instant::now();
        self.prepared.push(clock.elapsed().as_secs_f64() * 1e3);
        let root = output.viewport_output.get(&egui::ViewportId::ROOT);
        self.repaint_after = root.map_or(Duration::MAX, |root| root.repaint_delay);
        let laid_out = measure::process_time();
        self.target.bind(self.gl.gl());
        self.painter
            .paint_and_update_textures(SIZE, 1.0, &triangles, &mut output.textures_delta);
        crate::gpu::finish(self.gl.gl());
        self.drawn.push(clock.elapsed().as_secs_f64() * 1e3);
        let worked = measure::process_time().saturating_sub(before);
        self.worked.push(worked.as_secs_f64() * 1e3);
        let drawn = measure::process_time().saturating_sub(laid_out);
        self.rasterised.push(drawn.as_secs_f64() * 1e3);
        took
    }

    /// Takes the obstacle in the middle and moves it about for so many frames.
    pub(super) fn drag(&mut self, frames: usize, ctx: &JobContext) -> Result<Vec<f64>, LabError> {
        for _ in 0..WARM_UP {
            self.frame(Vec::new());
        }
        let from = self.handle().ok_or_else(|| {
            LabError::Unavailable("the plan view does not show the level".to_owned())
        })?;
        let before = self.editor.state.document().revision();
        self.frame(vec![Event::PointerMoved(from)]);
        self.frame(vec![button(from, true)]);
        let mut millis = Vec::new();
        for i in 0..WARM_UP + frames {
            ctx.checkpoint()?;
            // To and fro, beyond what counts as a click.
            let by = vec2(8.0 + (i % 20) as f32, 6.0 + (i % 30) as f32);
            let took = self.frame(vec![Event::PointerMoved(from + by)]);
            if i >= WARM_UP {
                millis.push(took);
            }
        }
        let document = self.editor.state.document();
        if !document.in_transaction() || document.revision() == before {
            return Err(LabError::Unavailable(
                "the obstacle did not follow the pointer".to_owned(),
            ));
        }
        self.frame(vec![button(from, false)]);
        Ok(millis)
    }

    /// Drags an agent about. Returns, for each move, what all threads worked until its plans were
    /// there, and what the window's thread took for the frame of the move itself.
    fn follow(
        &mut self,
        agent: EntityId,
        moves: usize,
        ctx: &JobContext,
    ) -> Result<(Vec<f64>, Vec<f64>), LabError> {
        for _ in 0..WARM_UP {
            self.frame(Vec::new());
        }
        self.rest(ctx)?;
        let level = Arc::clone(self.editor.state.document().level());
        let start = level.agents().find(|(id, ..)| *id == agent);
        let at = start.map(|(.., agent)| agent.start.truncate());
        let from = at.and_then(|at| self.on_screen(at)).ok_or_else(|| {
            LabError::Unavailable("the plan view does not show the guard".to_owned())
        })?;
        self.frame(vec![Event::PointerMoved(from)]);
        self.frame(vec![button(from, true)]);
        let (mut followed, mut frames) = (Vec::new(), Vec::new());
        for i in 0..WARM_UP + moves {
            ctx.checkpoint()?;
            let by = vec2(8.0 + (i % 20) as f32, 6.0 + (i % 30) as f32);
            let first = self.worked.len();
            let before = measure::process_time();
            let took = self.frame(vec![Event::PointerMoved(from + by)]);
            let since = Instant::now();
            while self.freshness() != Freshness::Fresh && since.elapsed() < PATIENCE {
                self.sleep();
                self.frame(Vec::new());
            }
            // What is drawn into pixels is the graphics card's work, and counted in no other row.
            let drawn: f64 = self.rasterised[first..].iter().sum();
            let worked = measure::process_time().saturating_sub(before);
            if i >= WARM_UP {
                followed.push((worked.as_secs_f64() * 1e3 - drawn).max(0.0));
                frames.push(took);
            }
        }
        if !self.editor.state.document().in_transaction() {
            let why = "the guard did not follow the pointer".to_owned();
            return Err(LabError::Unavailable(why));
        }
        self.frame(vec![button(from, false)]);
        Ok((followed, frames))
    }

    fn freshness(&self) -> Freshness {
        let state = &self.editor.state;
        state.navigation.freshness(state.document())
    }

    /// What draws.
    pub(super) fn renderer(&self) -> String {
        let all = self.gl.description();
        let name = all.split([',', '(']).next().unwrap_or_default();
        name.trim().to_owned()
    }

    /// Moves an obstacle and releases it, so many times. Returns how long each time the exact
    /// corridor map of what was drawn was waited for.
    pub(super) fn release(
        &mut self,
        times: usize,
        ctx: &JobContext,
    ) -> Result<Vec<Wait>, LabError> {
        for _ in 0..WARM_UP {
            self.frame(Vec::new());
        }
        self.wait_for_map(Instant::now(), ctx)?;
        let mut waits = Vec::new();
        for i in 0..times {
            let from = self.handle().ok_or_else(|| {
                LabError::Unavailable("the plan view does not show the level".to_owned())
            })?;
            let by = vec2(9.0, 7.0) * if i % 2 == 0 { 1.0 } else { -1.0 };
            self.frame(vec![Event::PointerMoved(from)]);
            self.frame(vec![button(from, true)]);
            for step in 1..=10_u8 {
                let at = from + by * (f32::from(step) / 10.0);
                self.frame(vec![Event::PointerMoved(at)]);
            }
            let clock = Instant::now();
            self.frame(vec![button(from + by, false)]);
            waits.push(self.wait_for_map(clock, ctx)?);
            self.rest(ctx)?;
            // Two clicks in one place would be a double click.
            self.seconds += 1.0;
        }
        Ok(waits)
    }

    /// Draws frames until the map that is shown is that of the level as it is.
    fn wait_for_map(&mut self, since: Instant, ctx: &JobContext) -> Result<Wait, LabError> {
        let millis = |at: Instant| at.saturating_duration_since(since).as_secs_f64() * 1e3;
        loop {
            ctx.checkpoint()?;
            let document = self.editor.state.document();
            let corridors = &self.editor.state.navigation.corridors;
            let is_newest = corridors.is_of(document.level());
            let charted = corridors.charted().filter(|_| is_newest);
            if let Some(charted) = charted.filter(|_| !document.in_transaction()) {
                return Ok(Wait {
                    made: millis(charted.made_at),
                    laid_out: millis(self.laid_out),
                    in_sight: millis(Instant::now()),
                });
            }
            if since.elapsed() > PATIENCE {
                let why = "the corridor map does not come".to_owned();
                return Err(LabError::Unavailable(why));
            }
            self.sleep();
            self.frame(Vec::new());
        }
    }

    /// Waits, as a window does, until something asks for the next frame.
    fn sleep(&self) {
        let since = Instant::now();
        while !self.context.has_requested_repaint() && since.elapsed() < self.repaint_after {
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Draws frames until nothing is running.
    fn rest(&mut self, ctx: &JobContext) -> Result<(), LabError> {
        let since = Instant::now();
        while !self.editor.work.is_idle() && since.elapsed() < PATIENCE {
            ctx.checkpoint()?;
            self.sleep();
            self.frame(Vec::new());
        }
        Ok(())
    }

    /// Where a place is on the screen.
    fn on_screen(&self, at: DVec2) -> Option<Pos2> {
        let view = &self.editor.state.view;
        let plan = self.context.read_response(view.focus_id?)?.rect;
        let at = view.camera.screen_from_world(at, view.viewport);
        Some(plan.min + vec2(at.x as f32, at.y as f32))
    }

    /// Where the middle obstacle is on the screen.
    fn handle(&self) -> Option<Pos2> {
        let level = self.editor.state.document().level();
        let (_, _, obstacle) = level
            .obstacles()
            .nth(level.len() / 2 + level.len().isqrt() / 2)?;
        self.on_screen(obstacle.area.centroid())
    }
}

fn button(at: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.editor.painter.destroy(self.gl.gl());
        self.editor.space_painter.destroy(self.gl.gl());
        self.painter.destroy();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_really_drags() {
        // Without OpenGL there is nothing to measure, and nothing to test here.
        let Ok(mut window) = Window::new(60) else {
            return;
        };
        let millis = window.drag(4, &JobContext::default()).expect("it drags");
        assert_eq!(millis.len(), 4);
        let overlays = &mut window.editor.state.navigation.overlays;
        overlays.set(OverlayId::MEDIAL_AXIS, true);
        let before = window.editor.state.document().undo_labels().len();
        let waited = window.release(2, &JobContext::default());
        assert_eq!(waited.expect("the map comes").len(), 2);
        assert_eq!(
            window.editor.state.document().undo_labels().len(),
            before + 2
        );
    }
}
