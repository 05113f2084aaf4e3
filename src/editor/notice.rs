//! Toasts in a corner of the window.
//!
//! Not from a toast crate: whole sentences must wrap, every button needs a name for screen readers,
//! and a waiting message must not keep the window repainting.

use super::command::Command;
use super::{Actions, theme};
use egui::accesskit::Role;
use egui::{Align, Align2, Button, Id, Layout, Order, Ui, WidgetInfo, vec2};
use egui_material_icons::icons as icon;
use std::collections::VecDeque;
use std::time::Duration;

/// Severity of a message; decides icon, colour and duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    Info,
    Done,
    Warning,
    /// Stays until dismissed.
    Error,
}

impl Gravity {
    const fn stays(self) -> Option<Duration> {
        match self {
            Self::Info => Some(Duration::from_secs(5)),
            Self::Done => Some(Duration::from_secs(4)),
            Self::Warning => Some(Duration::from_secs(9)),
            Self::Error => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub gravity: Gravity,
    /// A sentence: what happened, and for a failure where and what to do.
    pub text: String,
    /// A command that helps.
    pub remedy: Option<Command>,
}

impl Notice {
    #[must_use]
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(Gravity::Info, text)
    }

    #[must_use]
    pub fn done(text: impl Into<String>) -> Self {
        Self::new(Gravity::Done, text)
    }

    #[must_use]
    pub fn warning(text: impl Into<String>) -> Self {
        Self::new(Gravity::Warning, text)
    }

    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(Gravity::Error, text)
    }

    fn new(gravity: Gravity, text: impl Into<String>) -> Self {
        Self {
            gravity,
            text: text.into(),
            remedy: None,
        }
    }

    #[must_use]
    pub const fn with_remedy(mut self, remedy: Command) -> Self {
        self.remedy = Some(remedy);
        self
    }
}

#[derive(Debug)]
struct Shown {
    notice: Notice,
    /// When it appeared or was last hovered, by the frame's clock.
    since: f64,
}

/// The messages on the screen.
#[derive(Debug, Default)]
pub struct Notices {
    shown: VecDeque<Shown>,
}

impl Notices {
    /// More would hide the level.
    const MOST: usize = 4;
    const WIDTH: f32 = 340.0;

    /// Adds new messages and draws the current ones above the lower right corner.
    pub fn ui(&mut self, ctx: &egui::Context, fresh: &mut VecDeque<Notice>, actions: &mut Actions) {
        let now = ctx.input(|input| input.time);
        for notice in fresh.drain(..) {
            // A repeated message replaces the old one.
            self.shown.retain(|shown| shown.notice != notice);
            self.shown.push_back(Shown { notice, since: now });
        }
        while self.shown.len() > Self::MOST {
            self.shown.pop_front();
        }
        if self.shown.is_empty() {
            return;
        }
        let mut dismissed = None;
        egui::Area::new(Id::unique("notices"))
            .order(Order::Foreground)
            .anchor(
                Align2::RIGHT_BOTTOM,
                vec2(-12.0, -(theme::STATUS_BAR_HEIGHT + 12.0)),
            )
            .show(ctx, |ui| {
                ui.spacing_mut().item_spacing.y = 8.0;
                for (at, shown) in self.shown.iter_mut().enumerate() {
                    let card = card_ui(ui, &shown.notice, Self::WIDTH, actions);
                    if card.dismissed {
                        dismissed = Some(at);
                    }
                    if card.hovered {
                        shown.since = now;
                    }
                }
            });
        if let Some(at) = dismissed {
            self.shown.remove(at);
        }
        self.shown
            .retain(|shown| match shown.notice.gravity.stays() {
                None => true,
                Some(stays) => {
                    let left = stays.as_secs_f64() - (now - shown.since);
                    if left > 0.0 {
                        ctx.request_repaint_after(Duration::from_secs_f64(left));
                    }
                    left > 0.0
                }
            });
    }
}

struct Card {
    dismissed: bool,
    hovered: bool,
}

fn card_ui(ui: &mut Ui, notice: &Notice, width: f32, actions: &mut Actions) -> Card {
    let palette = theme::Palette::of(ui.visuals());
    let (symbol, colour) = match notice.gravity {
        Gravity::Info => (icon::ICON_INFO, palette.info),
        Gravity::Done => (icon::ICON_CHECK_CIRCLE, palette.done),
        Gravity::Warning => (icon::ICON_WARNING, palette.warning),
        Gravity::Error => (icon::ICON_ERROR, palette.error),
    };
    let mut dismissed = false;
    let frame = egui::Frame::popup(ui.style())
        .stroke(egui::Stroke::new(1.0, colour.gamma_multiply(0.6)))
        .inner_margin(egui::Margin::symmetric(10, 8));
    let response = frame
        .show(ui, |ui| {
            ui.set_width(width.min(ui.ctx().content_rect().width() - 60.0));
            ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
                let close = ui.add(
                    Button::new(theme::icon(icon::ICON_CLOSE, theme::ICON_SMALL)).frame(false),
                );
                close.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Dismiss message"));
                dismissed = close.clicked();
                ui.with_layout(Layout::left_to_right(Align::TOP), |ui| {
                    ui.label(theme::icon(symbol, 18.0).color(colour));
                    ui.vertical(|ui| {
                        // Aligned with the centre of the icon.
                        ui.add_space(2.0);
                        ui.add(egui::Label::new(&notice.text).wrap());
                        if let Some(command) = notice.remedy {
                            ui.add_space(2.0);
                            if ui.button(command.name()).clicked() {
                                actions.command(command);
                                dismissed = true;
                            }
                        }
                    });
                });
            });
        })
        .response;
    Card {
        dismissed,
        hovered: response.contains_pointer(),
    }
}
