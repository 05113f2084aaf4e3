//! What an export would come to: how large it is, or why it cannot be written. Found by writing it
//! into memory in the background.

use crate::exchange::{self, ExportInput, MemorySink, Options, registry::FormatRow};
use crate::jobs::{Display, Job, JobRunner};
use egui::{RichText, Ui};

/// Options that change at every frame start no work. Unit: seconds.
const PATIENCE: f64 = 0.4;

type Outcome = Result<Estimated, String>;

#[derive(Clone, Debug)]
struct Estimated {
    bytes: usize,
    files: usize,
    /// Lines of the writer about what it wrote.
    summary: Vec<String>,
    warnings: Vec<String>,
}

/// Kept current while the dialog is open.
#[derive(Debug, Default)]
pub(super) struct Estimate {
    runner: JobRunner,
    key: Option<(&'static FormatRow, Options)>,
    /// When the key was last changed.
    since: f64,
    job: Option<Job<Option<Outcome>>>,
    outcome: Option<Outcome>,
}

impl Estimate {
    /// Says what is known, and starts what is needed to know more.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        input: &ExportInput,
        format: &'static FormatRow,
        options: &Options,
    ) {
        let now = ui.input(|input| input.time);
        let is_current = self
            .key
            .as_ref()
            .is_some_and(|(known, chosen)| *known == format && chosen == options);
        if !is_current {
            self.key = Some((format, options.clone()));
            self.since = now;
            self.job = None;
            self.outcome = None;
        }
        if let Some(done) = self.job.as_ref().and_then(Job::poll) {
            self.job = None;
            self.outcome = match done {
                Ok(outcome) => outcome,
                Err(error) => Some(Err(error.to_string())),
            };
        }
        match &self.outcome {
            Some(outcome) => outcome_ui(ui, outcome),
            None => {
                ui.weak("Size: …");
                if self.job.is_none() && now - self.since >= PATIENCE {
                    self.start(ui.ctx(), input.clone(), format, options.clone());
                } else if self.job.is_none() {
                    let rest = (PATIENCE - (now - self.since)).max(0.01);
                    ui.ctx()
                        .request_repaint_after(std::time::Duration::from_secs_f64(rest));
                }
            }
        }
    }

    fn start(
        &mut self,
        ctx: &egui::Context,
        input: ExportInput,
        format: &'static FormatRow,
        options: Options,
    ) {
        let wake = ctx.clone();
        self.runner.wake_with(move || wake.request_repaint());
        let work = move |job: &crate::jobs::JobContext| {
            let mut files = MemorySink::default();
            match exchange::export(format, &input, &options, &mut files, job) {
                Ok(exported) => Some(Ok(Estimated {
                    bytes: files.byte_count(),
                    files: files.beside.len() + 1,
                    summary: exported.summary,
                    warnings: exported.warnings,
                })),
                Err(exchange::ExportError::Cancelled(_)) => None,
                Err(error) => Some(Err(error.to_string())),
            }
        };
        self.job = Some(
            self.runner
                .spawn("Estimating an export", Display::Quiet, work),
        );
    }
}

fn outcome_ui(ui: &mut Ui, outcome: &Outcome) {
    match outcome {
        Ok(found) => {
            let size = size_text(found.bytes);
            ui.label(match found.files {
                1 => format!("Size: {size}"),
                files => format!("Size: {size} in {files} files"),
            });
            for line in &found.summary {
                ui.add(egui::Label::new(RichText::new(line).weak()).wrap());
            }
            for warning in &found.warnings {
                let colour = ui.visuals().warn_fg_color;
                ui.add(egui::Label::new(RichText::new(warning).color(colour)).wrap());
            }
        }
        Err(reason) => {
            let colour = ui.visuals().error_fg_color;
            ui.add(egui::Label::new(RichText::new(reason).color(colour)).wrap());
        }
    }
}

fn size_text(bytes: usize) -> String {
    match bytes as f64 {
        b if b < 1e3 => format!("{bytes} bytes"),
        b if b < 1e6 => format!("{:.1} kB", b / 1e3),
        b => format!("{:.1} MB", b / 1e6),
    }
}
