//! Rows of `wayloom bench window`: frames of the editor while thousands of people are played.

use super::docking::{Pane, Views};
use super::frame_bench::{Window, middle};
use crate::base::EntityId;
use crate::document::Level;
use crate::jobs::JobContext;
use crate::lab::{Better, LabError, Row};
use crate::sim::measures::{Frames, Position};
use crate::sim::wlrec::{self, Run};
use glam::DVec2;
use std::path::PathBuf;
use std::sync::Arc;

const FRAMES: usize = 120;

/// At thirty frames a second. Unit: milliseconds.
const GOAL: f64 = 33.0;

/// People on circles around the middle of a level, for ten seconds.
pub(super) fn people_on_circles(count: usize) -> Result<Run, LabError> {
    let place = |id: usize, frame: usize| {
        let radius = 3.0 + (id % 200) as f64 * 0.22;
        let start = id as f64 * 2.399_963;
        let turned = start + frame as f64 * 0.1 * 1.3 / radius;
        DVec2::splat(50.0) + DVec2::from_angle(turned) * radius
    };
    let frame = |number: usize| {
        let position = |id: usize| Position {
            id: id as u32,
            at: place(id, number),
        };
        (0..count).map(position).collect()
    };
    let frames = Frames {
        interval: 0.1,
        first: 0,
        frames: (0..101).map(frame).collect(),
    };
    let told = |error: crate::sim::wlrec::RunError| LabError::Unavailable(error.to_string());
    let bytes = wlrec::recording(&frames, "circles", "", EntityId::new(0)).map_err(told)?;
    Run::open(bytes).map_err(told)
}

/// Frames of the plan, and of plan and 3D, with people who walk.
pub(super) fn rows(ctx: &JobContext) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    for (count, views, name) in [
        (1_000, Views::Both, "plan and 3D"),
        (5_000, Views::Plan, "plan"),
        (5_000, Views::Both, "plan and 3D"),
    ] {
        let mut window = Window::of(Level::default())?;
        let run = Arc::new(people_on_circles(count)?);
        window.play(run, views);
        let (millis, drawn) = window.frames_of(FRAMES, ctx)?;
        let (value, spread) = middle(millis);
        let what = format!("frame of {name} with {count} people playing");
        let row = Row::new(format!("{what}, laid out"), "ms", value).spread(spread);
        rows.push(row.goal(GOAL, Better::Lower));
        let (value, spread) = middle(drawn);
        let by = window.renderer();
        let row = Row::new(format!("{what}, and drawn by {by}"), "ms", value);
        rows.push(row.spread(spread));
    }
    Ok(rows)
}

impl Window {
    /// Plays a run in a loop.
    fn play(&mut self, run: Arc<Run>, views: Views) {
        let editor = &mut self.editor;
        editor.layout.show_views(views);
        editor.layout.reveal(Pane::PLAYBACK);
        let level = Arc::clone(editor.state.document().committed_level());
        let player = &mut editor.state.navigation.player;
        let path = PathBuf::from("circles.wlrec");
        player.simulation.open(run, &level, path);
        player.clock.loops = true;
        player.clock.toggle(1.0);
    }

    /// What the window's thread takes for a frame, and with drawing.
    fn frames_of(
        &mut self,
        frames: usize,
        ctx: &JobContext,
    ) -> Result<(Vec<f64>, Vec<f64>), LabError> {
        let mut millis = Vec::new();
        for i in 0..frames + 10 {
            ctx.checkpoint()?;
            let took = self.frame(Vec::new());
            if i >= 10 {
                millis.push(took);
            }
        }
        let time = self.editor.state.navigation.player.clock.time();
        if time <= 0.0 {
            let why = "time does not pass in the window".to_owned();
            return Err(LabError::Unavailable(why));
        }
        let drawn = self.drawn[self.drawn.len().saturating_sub(frames)..].to_vec();
        Ok((millis, drawn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_played_in_the_window() {
        // Without OpenGL there is nothing to measure, and nothing to test here.
        let Ok(mut window) = Window::of(Level::default()) else {
            return;
        };
        let run = Arc::new(people_on_circles(50).expect("small"));
        window.play(run, Views::Both);
        let (millis, drawn) = window
            .frames_of(6, &JobContext::default())
            .expect("time passes");
        assert_eq!((millis.len(), drawn.len()), (6, 6));
        let player = &window.editor.state.navigation.player;
        let moment = player.moment(None).expect("it plays");
        assert_eq!(moment.agents.len(), 50);
    }
}
