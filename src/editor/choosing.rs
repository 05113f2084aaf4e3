//! Asks for a file: with the desktop's dialog where there is one, else with our own.

use super::Editor;
use super::dialog::file::{FileDialog, FileQuestion, Mode};
use super::intention::{Purpose, Request};
use super::notice::Notice;
use super::portal;
use super::preferences::DialogChoice;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

/// A dialog that closes this soon was not cancelled by hand: the desktop refused to show it.
const REFUSED_WITHIN: Duration = Duration::from_millis(400);

type Answer = Pin<Box<dyn Future<Output = Option<PathBuf>>>>;

/// The desktop's dialog while it is open.
pub(super) struct DesktopDialog {
    question: FileQuestion,
    answer: Answer,
    since: Instant,
}

impl std::fmt::Debug for DesktopDialog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DesktopDialog")
            .field("question", &self.question)
            .finish_non_exhaustive()
    }
}

/// Paints a frame when the dialog has an answer.
struct Repaint(egui::Context);

impl Wake for Repaint {
    fn wake(self: Arc<Self>) {
        self.0.request_repaint();
    }
}

impl Editor {
    pub(super) fn choose_file(&mut self, ctx: &egui::Context, purpose: Purpose) {
        if self.files.desktop_dialog.is_some() {
            return;
        }
        let question = self.question(purpose);
        let desktop = self.state.preferences.dialogs == DialogChoice::Desktop
            && *self
                .files
                .portal
                .get_or_insert_with(portal::offers_file_dialogs);
        if desktop {
            self.files.desktop_dialog = Some(DesktopDialog {
                answer: ask(&question),
                question,
                since: Instant::now(),
            });
            ctx.request_repaint();
        } else {
            self.show(FileDialog::new(question));
        }
    }

    /// Looks whether the desktop's dialog has an answer.
    pub(super) fn poll_desktop_dialog(&mut self, ctx: &egui::Context) {
        let Some(dialog) = &mut self.files.desktop_dialog else {
            return;
        };
        let waker = Waker::from(Arc::new(Repaint(ctx.clone())));
        let Poll::Ready(path) = dialog
            .answer
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
        else {
            return;
        };
        let Some(dialog) = self.files.desktop_dialog.take() else {
            return;
        };
        match path {
            Some(path) => {
                let purpose = dialog.question.purpose;
                self.answer(ctx, Request::Chosen { purpose, path });
            }
            None if dialog.since.elapsed() < REFUSED_WITHIN => {
                self.files.portal = Some(false);
                self.state.notify(Notice::info(
                    "The desktop shows no file dialog; Wayloom’s own is used.",
                ));
                self.show(FileDialog::new(dialog.question));
            }
            None => {}
        }
    }
}

fn ask(question: &FileQuestion) -> Answer {
    let mut dialog = rfd::AsyncFileDialog::new()
        .set_title(&question.title)
        .set_directory(&question.folder);
    for filter in &question.filters {
        let endings = if filter.endings.is_empty() {
            vec!["*".to_owned()]
        } else {
            filter.endings.clone()
        };
        dialog = dialog.add_filter(&filter.name, &endings);
    }
    let mode = question.mode;
    if mode == Mode::Save {
        dialog = dialog.set_file_name(&question.name);
    }
    let ending = question
        .filters
        .first()
        .and_then(|filter| filter.endings.first().cloned());
    Box::pin(async move {
        let handle = match mode {
            Mode::Open => dialog.pick_file().await,
            Mode::Save => dialog.save_file().await,
        }?;
        let mut path = handle.path().to_owned();
        if mode == Mode::Save
            && path.extension().is_none()
            && let Some(ending) = ending
        {
            path.set_extension(ending);
        }
        Some(path)
    })
}
