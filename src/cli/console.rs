//! What a command says: results to standard output, remarks and progress to standard error.

use crate::base::io_words;
use crate::base::parser_words::printable;
use crate::jobs::JobContext;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

pub(super) struct Console {
    pub json: bool,
    quiet: bool,
}

impl Console {
    pub(super) const fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    /// The result: as text, or as one JSON object. A closed pipe is no reason to fail.
    pub(super) fn result(&self, text: &str, object: &Value) {
        let mut out = std::io::stdout().lock();
        let _ = if self.json {
            writeln!(out, "{object}")
        } else if text.is_empty() {
            Ok(())
        } else {
            writeln!(out, "{}", text.trim_end())
        };
    }

    /// Lines that are the result already, such as one JSON object each.
    pub(super) fn raw(&self, lines: &str) {
        let _ = writeln!(std::io::stdout().lock(), "{}", lines.trim_end());
    }

    /// Something worth knowing beside the result.
    pub(super) fn remark(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        }
    }

    /// Why a command could not be carried out.
    pub(super) fn error(&self, error: &anyhow::Error) {
        // What the system says is put into words, whatever was wrapped around it.
        let causes: Vec<String> = error
            .chain()
            .map(|cause| match cause.downcast_ref::<std::io::Error>() {
                Some(error) => io_words(error),
                None => cause.to_string(),
            })
            .collect();
        let mut sentence = String::new();
        for (i, cause) in causes.iter().enumerate() {
            // Errors that show their cause would say it twice.
            if i > 0 && causes[i - 1].contains(cause.as_str()) {
                continue;
            }
            if i > 0 {
                sentence += ": ";
            }
            sentence += cause;
        }
        let sentence: Vec<String> = sentence.lines().map(printable).collect();
        let sentence = sentence.join("\n");
        let _ = writeln!(std::io::stderr().lock(), "wayloom: {sentence}");
        if self.json {
            let object = serde_json::json!({ "error": sentence });
            let _ = writeln!(std::io::stdout().lock(), "{object}");
        }
    }

    /// Runs work with a progress bar, if someone is looking.
    pub(super) fn with_progress<T: Send>(
        &self,
        what: &str,
        work: impl FnOnce(&JobContext) -> T + Send,
    ) -> T {
        let ctx = JobContext::default();
        if self.quiet || !std::io::stderr().is_terminal() {
            return work(&ctx);
        }
        let bar = ProgressBar::new(1000);
        bar.set_style(
            ProgressStyle::with_template("{msg:30} {bar:40} {elapsed}")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.set_message(what.to_owned());
        let done = std::sync::atomic::AtomicBool::new(false);
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                // The first glimpse waits a moment: short work shows no bar at all.
                std::thread::sleep(Duration::from_millis(200));
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    let progress = ctx.progress();
                    if !progress.stage.is_empty() {
                        bar.set_message(progress.stage);
                    }
                    if let Some(share) = progress.share {
                        bar.set_position((share * 1000.0) as u64);
                    }
                    bar.tick();
                    std::thread::sleep(Duration::from_millis(50));
                }
            });
            let result = work(&ctx);
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            result
        });
        bar.finish_and_clear();
        result
    }
}
