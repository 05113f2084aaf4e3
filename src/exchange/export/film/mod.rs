//! A recording as moving pictures: of the plan or in space; in one file or frame by frame.

mod apng;
mod changed;
mod frames;
mod gif;

pub use apng::APNG;
pub use frames::{FRAMES, INDEX};
pub use gif::GIF;

use super::left_out::{LeftOut, left_out};
use super::page::{LOOKS, look_named};
use super::{ExportError, Exported};
use crate::base::{Backend, Quantity, Unit};
use crate::document::{Entity, Kind, Level};
use crate::exchange::motion;
use crate::exchange::options::{Choice, Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::interaction::space::{Direction, SpaceCamera};
use crate::jobs::JobContext;
use crate::preview::film::{draw_clock, layers};
use crate::preview::frame::Frame;
use crate::preview::space::{SpaceScene, render as drawing};
use crate::preview::{Look, OverlayScene, Overlays, Pixels, PlanFilm, RenderError, RenderOptions};
use crate::sim::{Moment, Playback};
use glam::DVec2;
use serde_json::Map;
use std::sync::Arc;

/// Longest film. Unit: frames.
const MOST_FRAMES: usize = 20_000;

const SIZE: Quantity = Quantity::new("size", Unit::One, 16.0, 4096.0, 800.0);
const RATE: Quantity = Quantity::new("frames per second", Unit::PerSecond, 1.0, 60.0, 12.5);
const SPEED: Quantity = Quantity::new("speed", Unit::One, 0.01, 1000.0, 1.0);
const TIME: Quantity = Quantity::new("time", Unit::Second, 0.0, 1e6, 0.0);

/// From where the level is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilmView {
    #[default]
    Plan,
    Space,
}

const VIEWS: &[Choice] = &[
    Choice::new("plan", "Plan", "From above, with title and scale bar"),
    Choice::new("3d", "3D", "From a corner"),
];

#[derive(Clone, Debug, PartialEq)]
pub struct FilmOptions {
    pub view: FilmView,
    pub look: Look,
    /// Unit: pixels.
    pub width: usize,
    /// As the level asks for if `None`. Unit: pixels.
    pub height: Option<f64>,
    pub fps: f64,
    /// How much faster than it happened.
    pub speed: f64,
    /// Unit: seconds.
    pub begin: f64,
    /// The end of the recording if `None`. Unit: seconds.
    pub end: Option<f64>,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            view: FilmView::Plan,
            look: Look::Light,
            width: 800,
            height: None,
            fps: RATE.default,
            speed: 1.0,
            begin: 0.0,
            end: None,
        }
    }
}

impl FormatOptions for FilmOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["view", "View", "From where the level is seen"],
            VIEWS,
            |o| match o.view {
                FilmView::Plan => "plan",
                FilmView::Space => "3d",
            },
            |o, id| {
                o.view = if id == "3d" {
                    FilmView::Space
                } else {
                    FilmView::Plan
                };
            },
        ),
        Field::choice(
            ["look", "Look", "Colours of the pictures"],
            LOOKS,
            |o| o.look.name(),
            |o, id| o.look = look_named(id),
        ),
        Field::count(
            ["width", "Width in pixels", "From left to right"],
            SIZE,
            |o| &mut o.width,
        ),
        Field::automatic_count(
            [
                "height",
                "Height in pixels",
                "From top to bottom; as the level asks for if not given",
            ],
            SIZE,
            |o: &mut Self| &mut o.height,
        ),
        Field::number(
            ["fps", "Frames per second", "How many pictures a second has"],
            RATE,
            |o| &mut o.fps,
        ),
        Field::number(
            ["speed", "Speed", "How much faster than it happened"],
            SPEED,
            |o| &mut o.speed,
        ),
        Field::number(
            ["begin", "From", "Time of the first picture"],
            TIME,
            |o: &mut Self| &mut o.begin,
        )
        .advanced(),
        Field::automatic_number(
            [
                "end",
                "To",
                "Time of the last picture; to the end if not given",
            ],
            TIME,
            |o: &mut Self| &mut o.end,
        )
        .advanced(),
    ];
}

/// A film in files of some kind.
#[derive(Debug)]
pub struct FilmWriter {
    write: fn(&Film, &mut dyn ExportSink, &JobContext) -> Result<(), ExportError>,
}

impl Writer for FilmWriter {
    type Options = FilmOptions;

    fn takes_recording(&self) -> bool {
        true
    }

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        let reason = |entity: &Entity| {
            matches!(entity.kind, Kind::Flag(_) | Kind::Test(_)).then_some("it cannot be seen")
        };
        left_out(level, &reason, None)
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let film = Film::new(input, options, ctx)?;
        (self.write)(&film, sink, ctx)?;
        Ok(film.exported())
    }
}

/// Takes pictures one after the other.
struct Film {
    level: Arc<Level>,
    fps: f64,
    playback: Playback,
    camera: Camera,
    /// Unit: seconds.
    times: Vec<f64>,
    size: [u32; 2],
    look: Look,
}

enum Camera {
    Plan(Box<PlanFilm>),
    Space(Box<SpaceFilm>),
}

struct SpaceFilm {
    scene: SpaceScene,
    lens: drawing::Lens,
}

fn refused(error: RenderError) -> ExportError {
    ExportError::Refused(error.to_string())
}

impl Film {
    fn new(
        input: &ExportInput,
        options: &FilmOptions,
        ctx: &JobContext,
    ) -> Result<Self, ExportError> {
        let recording = motion::recorded(input, ctx)?;
        let playback = Playback::of(recording);
        let last = playback.duration();
        if last <= 0.0 {
            return Err(ExportError::Refused(motion::NOTHING_MOVES.to_owned()));
        }
        let end = options.end.unwrap_or(last).min(last);
        let step = options.speed / options.fps;
        let count = ((end - options.begin) / step + 1e-9).floor();
        if count < 0.0 {
            return Err(ExportError::Refused(format!(
                "the recording ends at {last:.1} s; a film from {} s shows nothing",
                options.begin
            )));
        }
        if count >= MOST_FRAMES as f64 {
            return Err(ExportError::Refused(format!(
                "{count:.0} pictures are more than the {MOST_FRAMES} of a film; choose a higher \
                 speed or a shorter part"
            )));
        }
        let times = (0..=count as usize).map(|i| options.begin + i as f64 * step);
        let height = options.height.unwrap_or_else(|| match options.view {
            FilmView::Plan => {
                let extent = crate::preview::shape::extent(&input.level);
                Frame::fitting_height(extent, options.width as f64, false)
            }
            FilmView::Space => 0.6 * options.width as f64,
        });
        let size = [options.width as u32, height.clamp(16.0, 4096.0) as u32];
        ctx.stage("Drawing what stands still");
        let camera = match options.view {
            FilmView::Plan => {
                let picture = RenderOptions {
                    size,
                    look: options.look,
                    layers: layers(),
                    ..RenderOptions::default()
                };
                let film = PlanFilm::new(&input.level, &input.voxels.meshes, &picture);
                Camera::Plan(Box::new(film.map_err(refused)?))
            }
            FilmView::Space => Camera::Space(Box::new(space(input, options, size, ctx)?)),
        };
        Ok(Self {
            level: Arc::clone(&input.level),
            fps: options.fps,
            playback,
            camera,
            times: times.collect(),
            size,
            look: options.look,
        })
    }

    /// Hands over picture after picture.
    fn each(
        &self,
        ctx: &JobContext,
        mut take: impl FnMut(usize, &Pixels) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        ctx.stage("Drawing pictures");
        for (number, time) in self.times.iter().enumerate() {
            ctx.checkpoint()?;
            ctx.report(number as f32 / self.times.len() as f32);
            let pixels = self.picture(self.playback.moment(*time)).map_err(refused)?;
            take(number, &pixels)?;
        }
        Ok(())
    }

    fn picture(&self, moment: Moment) -> Result<Pixels, RenderError> {
        let film = match &self.camera {
            Camera::Plan(film) => return film.at(&moment),
            Camera::Space(film) => film,
        };
        let time = moment.time;
        let scene = OverlayScene {
            level: Some(Arc::clone(&film.scene.level)),
            moment: Some(moment),
            ..OverlayScene::default()
        };
        let shown = drawing::Shown {
            layers: layers(),
            overlays: &Overlays::NONE,
            scene: &scene,
        };
        let viewport = DVec2::from(self.size.map(f64::from));
        let frame = drawing::frame(&film.scene, &shown, film.lens, None, viewport);
        let per_point = (viewport.y / 800.0).max(0.5);
        let mut pixels = drawing::pixels(&frame, self.size, per_point, Backend::Cpu)?;
        draw_clock(&mut pixels, self.look, time)?;
        Ok(pixels)
    }

    fn exported(&self) -> Exported {
        let [width, height] = self.size;
        let pictures = self.times.len();
        let secs = pictures as f64 / self.fps;
        let mut details = Map::new();
        details.insert("pictures".to_owned(), pictures.into());
        details.insert("width".to_owned(), width.into());
        details.insert("height".to_owned(), height.into());
        details.insert("seconds".to_owned(), secs.into());
        Exported {
            summary: vec![format!(
                "{pictures} pictures of {width} × {height} pixels, {secs:.1} s"
            )],
            details,
            ..Exported::default()
        }
    }
}

fn space(
    input: &ExportInput,
    options: &FilmOptions,
    size: [u32; 2],
    ctx: &JobContext,
) -> Result<SpaceFilm, ExportError> {
    let level = Arc::clone(&input.level);
    let meshes = Arc::clone(&input.voxels.meshes);
    let scene = SpaceScene::build(None, level, meshes, options.look, ctx)?;
    let viewport = DVec2::from(size.map(f64::from));
    let whole = drawing::bounds(&scene);
    let mut camera = SpaceCamera::default();
    camera.look_from(Direction::Corner);
    camera.frame(&whole, viewport);
    let lens = drawing::Lens {
        view: camera.view(scene.origin),
        projection: camera.projection(viewport, &whole),
    };
    Ok(SpaceFilm { scene, lens })
}
