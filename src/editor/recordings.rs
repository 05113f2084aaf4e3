//! Recordings of runs in files: opened to be played, laid behind what is played as a ghost, saved.

use super::Editor;
use super::docking::Pane;
use super::notice::Notice;
use super::player::Source;
use super::work::Display;
use crate::base::EntityId;
use crate::document::format::disk;
use crate::document::session::Session;
use crate::document::{Kind, Level, format};
use crate::exchange::people::{self, PeopleOptions};
use crate::sim::wlrec::{self, Completeness, Run};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Ending of recordings.
pub const RECORDING_ENDING: &str = "wlrec";

/// Frames per second of trajectories that do not tell: those of the Jülich experiments.
const USUAL_RATE: f64 = 16.0;

/// How a recording is to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownAs {
    Run,
    Ghost,
}

/// A recording that was read, with the level in it where none is open.
struct Read {
    run: Arc<Run>,
    own: Option<Level>,
}

/// Reads a recording, or trajectories of real people as text.
fn read(path: &Path, open: Option<&Arc<Level>>) -> Result<Read, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| told(&error))?;
    let is_recording = bytes.starts_with(b"WLREC");
    let run = if is_recording {
        Run::open(bytes).map_err(|error| told(&error))?
    } else {
        let frames = people::read(&bytes, &PeopleOptions::default())
            .or_else(|error| match error {
                people::PeopleError::NoRate => {
                    let rate = Some(USUAL_RATE);
                    people::read(&bytes, &PeopleOptions { rate, scale: None })
                }
                other => Err(other),
            })
            .map_err(|error| told(&error))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        // People of no crowd of the level take the look of its first one.
        let crowd = open.and_then(|level| first_crowd(level));
        let entity = crowd.unwrap_or(EntityId::new(0));
        let bytes = wlrec::recording(&frames, &name, "", entity).map_err(|error| told(&error))?;
        Run::open(bytes).map_err(|error| told(&error))?
    };
    let own = match open {
        Some(_) => None,
        None => Some(
            format::read(run.level())
                .map(|loaded| loaded.level)
                .map_err(|error| told(&format!("its level cannot be read: {error}")))?,
        ),
    };
    let run = Arc::new(run);
    Ok(Read { run, own })
}

fn first_crowd(level: &Level) -> Option<EntityId> {
    let mut all = level.iter();
    all.find(|(_, entity)| matches!(entity.kind, Kind::Crowd(_) | Kind::Agent(_)))
        .map(|(id, _)| id)
}

/// Whether a file is a recording by its name.
#[must_use]
pub fn is_recording(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case(RECORDING_ENDING))
}

impl Editor {
    /// Opens a recording in the background. Without an open level, the one in the recording is opened with it.
    pub fn open_recording(&mut self, ctx: &egui::Context, path: PathBuf, shown_as: ShownAs) {
        let level = self.state.level_is_open().then(|| {
            let level = self.state.document().committed_level();
            Arc::clone(level)
        });
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.work.start(
            ctx,
            format!("Opening {name}"),
            Display::Shown,
            {
                let path = path.clone();
                move |_| read(&path, level.as_ref())
            },
            move |editor, outcome| {
                let outcome = outcome.map_err(|error| error.to_string()).flatten();
                match outcome {
                    Ok(found) => editor.show_recording(found, path, shown_as),
                    Err(trouble) => editor.state.notify(Notice::error(format!("{trouble}."))),
                }
            },
        );
    }

    fn show_recording(&mut self, Read { run, own }: Read, path: PathBuf, shown_as: ShownAs) {
        if let Some(level) = own {
            let session = Session::imported(level, self.store.state_folder());
            self.show_session(session, super::files::Old::Settled);
        }
        if run.completeness() == Completeness::CutOff {
            let secs = run.duration();
            self.state.notify(Notice::warning(format!(
                "The recording was cut off: its first {secs:.0} s are there."
            )));
        }
        let level = Arc::clone(self.state.document().committed_level());
        let player = &mut self.state.navigation.player;
        match shown_as {
            ShownAs::Run => {
                player.source = Source::Simulation;
                player.clock.reset();
                player.simulation.open(run, &level, path);
            }
            ShownAs::Ghost => player.simulation.open_ghost(run, &level, path),
        }
        self.layout.reveal(Pane::PLAYBACK);
    }

    /// Writes the run that is shown, in the background.
    pub(super) fn save_recording(&mut self, ctx: &egui::Context, path: PathBuf) {
        let Some(shown) = self.state.navigation.player.simulation.shown() else {
            return;
        };
        let (run, target) = (Arc::clone(&shown.run), path.clone());
        self.work.start(
            ctx,
            "Saving the recording",
            Display::Shown,
            move |_| -> Result<(), String> {
                let bytes = run.to_bytes().map_err(|error| error.to_string())?;
                disk::replace(&target, &bytes).map_err(|error| error.to_string())
            },
            move |editor, outcome| {
                let outcome = outcome.map_err(|error| error.to_string()).flatten();
                editor.state.notify(match outcome {
                    Ok(()) => Notice::done(format!("The recording is in {}.", path.display())),
                    Err(trouble) => Notice::error(format!("{trouble}.")),
                });
            },
        );
    }
}
