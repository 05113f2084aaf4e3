//! One planner's search, taken step by step in the background and shown as it stands.

use crate::base::{ByAddress, Quantity, Unit};
use crate::jobs::{Display, JobContext, JobRunner, Memo, Stopped, Superseded};
use crate::planner::bench::{Bench, Method};
use crate::planner::{SearchView, Session, Step, registry};
use std::sync::{Arc, Mutex, PoisonError};

/// A search is played at this many expansions a second at first.
pub const STEP_SPEED: Quantity = Quantity::new("speed", Unit::PerSecond, 0.5, 10_000.0, 12.0);

/// Expansions between two looks at whether the job was cancelled.
const BETWEEN_CHECKPOINTS: usize = 4096;

/// Longer frames do not count in full. Unit: seconds.
const LONGEST_FRAME: f64 = 0.25;

/// What a panel asks of the search that is watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WatchAsk {
    Open,
    Close,
    /// Plays, from the beginning if it is at its end; or pauses.
    Toggle,
    /// To so many expansions; more than there are is the end.
    Seek(usize),
    Speed(f64),
    /// The path to the goal of this index.
    Leg(usize),
}

/// Which search.
#[derive(Clone, Debug, PartialEq)]
struct Source {
    bench: ByAddress<Bench>,
    method: Method,
    leg: usize,
}

/// A search after some steps.
#[derive(Debug)]
struct Watched {
    /// Expansions of the whole search.
    all: usize,
    view: Arc<SearchView>,
}

/// The search itself: going on is quick, going back starts over, which is exact because searches
/// are deterministic.
#[derive(Debug)]
struct Stepper {
    source: Source,
    search: Box<dyn Session>,
    done: usize,
    all: usize,
}

#[derive(Debug)]
pub struct SearchWatch {
    source: Source,
    watched: Memo<(Source, usize), Watched>,
    stepper: Arc<Mutex<Option<Stepper>>>,
    /// So many expansions are asked for.
    target: f64,
    pub is_playing: bool,
    /// Unit: expansions a second.
    pub speed: f64,
    /// When time was last let pass, by the window's clock.
    at: Option<f64>,
}

impl Source {
    fn open(&self) -> Result<Box<dyn Session>, Stopped> {
        let row = self.bench.rows.iter().find(|row| row.method == self.method);
        let request = row.and_then(|row| row.requests.get(self.leg));
        let request = request.ok_or_else(|| Stopped::Failed("there is no such goal".to_owned()))?;
        registry::open(self.method.planner, &self.bench.nav, request)
            .map_err(|error| Stopped::Failed(error.to_string()))
    }

    fn stepper(&self, ctx: &JobContext) -> Result<Stepper, Stopped> {
        let mut whole = self.open()?;
        while matches!(
            whole.step(BETWEEN_CHECKPOINTS),
            Step::Running | Step::Improved { .. }
        ) {
            ctx.checkpoint()?;
        }
        Ok(Stepper {
            source: self.clone(),
            search: self.open()?,
            done: 0,
            all: whole.expanded(),
        })
    }
}

impl Stepper {
    fn go_to(&mut self, target: usize, ctx: &JobContext) -> Result<Watched, Stopped> {
        let target = target.min(self.all);
        if target < self.done {
            self.search = self.source.open()?;
            self.done = 0;
        }
        while self.done < target {
            ctx.checkpoint()?;
            let budget = (target - self.done).min(BETWEEN_CHECKPOINTS);
            self.search.step(budget);
            self.done += budget;
        }
        Ok(Watched {
            all: self.all,
            view: Arc::new(self.search.view()),
        })
    }
}

impl SearchWatch {
    pub(super) fn new(bench: Arc<Bench>, method: Method) -> Self {
        Self {
            source: Source {
                bench: ByAddress(bench),
                method,
                leg: 0,
            },
            // While it plays, every state is gone in a moment.
            watched: Memo::new("Searching step by step", Display::Quiet, Superseded::FINISH),
            stepper: Arc::default(),
            target: 0.0,
            is_playing: true,
            speed: STEP_SPEED.default,
            at: None,
        }
    }

    #[must_use]
    pub fn view(&self) -> Option<&Arc<SearchView>> {
        self.watched.value().map(|watched| &watched.view)
    }

    /// Expansions of the whole search, once they are known.
    #[must_use]
    pub fn all(&self) -> usize {
        self.watched.value().map_or(0, |watched| watched.all)
    }

    /// Expansions that are asked for.
    #[must_use]
    pub fn done(&self) -> usize {
        (self.target as usize).min(self.all())
    }

    #[must_use]
    pub const fn leg(&self) -> usize {
        self.source.leg
    }

    /// Whether what is shown is what is asked for.
    #[must_use]
    pub fn is_current(&self) -> bool {
        let key = self.watched.key();
        let target = self.target as usize;
        key.is_some_and(|(source, at)| *source == self.source && *at == target.min(self.all()))
    }

    /// Why the search cannot be shown.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.watched.error().map(ToString::to_string)
    }

    pub(super) fn ask(&mut self, asked: WatchAsk) {
        match asked {
            WatchAsk::Toggle => {
                self.is_playing = !self.is_playing;
                if self.is_playing && self.done() == self.all() {
                    self.target = 0.0;
                }
            }
            WatchAsk::Seek(done) => {
                self.is_playing = false;
                self.target = done as f64;
            }
            WatchAsk::Speed(speed) => {
                self.speed = speed.clamp(STEP_SPEED.min, STEP_SPEED.max);
            }
            WatchAsk::Leg(leg) => {
                self.source.leg = leg;
                self.target = 0.0;
            }
            WatchAsk::Open | WatchAsk::Close => {}
        }
    }

    /// Lets time pass, and takes the search to where it shall be. If the level or the choice has
    /// changed under it, it starts over and catches up.
    pub(super) fn keep_current(
        &mut self,
        bench: &Arc<Bench>,
        method: Method,
        jobs: &JobRunner,
        ctx: &egui::Context,
    ) {
        let now = ctx.input(|input| input.time);
        let passed = self.at.replace(now).map_or(0.0, |before| now - before);
        let is_known = self.watched.value().is_some();
        if is_known && self.target as usize >= self.all() {
            // The end stays the end, however far away that is in the next search.
            self.is_playing = false;
            self.target = f64::MAX;
        }
        if self.is_playing {
            if is_known {
                self.target += passed.min(LONGEST_FRAME) * self.speed;
            }
            ctx.request_repaint();
        }
        self.source = Source {
            bench: ByAddress::of(bench),
            method,
            leg: self.source.leg.min(bench.legs_of(method).saturating_sub(1)),
        };
        let (source, target) = (self.source.clone(), self.target as usize);
        let stepper = Arc::clone(&self.stepper);
        let key = (source.clone(), target.min(self.all_of(&source)));
        self.watched.want(jobs, key, move |job| {
            let mut slot = stepper.lock().unwrap_or_else(PoisonError::into_inner);
            let known = slot.take().filter(|known| known.source == source);
            let stepper = match known {
                Some(known) => slot.insert(known),
                None => slot.insert(source.stepper(job)?),
            };
            stepper.go_to(target, job)
        });
    }

    /// Where the end is, if it is known of this search: more is not another wish.
    fn all_of(&self, source: &Source) -> usize {
        match (self.watched.key(), self.watched.value()) {
            (Some((known, _)), Some(watched)) if known == source => watched.all,
            _ => usize::MAX,
        }
    }
}
