//! The settings: appearance, behaviour, keys. Every change takes effect immediately.

mod keys;

use super::{Dialog, Flow, modal, side_by_side};
use crate::base::{Quantity, Unit};
use crate::editor::intention::Request;
use crate::editor::panels::field::quantity_text;
use crate::editor::preferences::{DialogChoice, Preferences, ThemeChoice};
use crate::editor::{Action, Actions, EditorState, theme};
use egui::accesskit::Role;
use egui::{Button, RichText, Ui, WidgetInfo, vec2};
use egui_material_icons::{MaterialIcon, icons as icon};
use keys::KeysPage;

const SCALE: Quantity = Quantity::new("size", Unit::Percent, 60.0, 250.0, 100.0);
const WHEEL_STEP: Quantity = Quantity::new("zoom per notch", Unit::One, 1.05, 2.0, 1.25);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    Appearance,
    Behaviour,
    Keys,
}

impl Page {
    const ALL: [Self; 3] = [Self::Appearance, Self::Behaviour, Self::Keys];

    const fn name(self) -> &'static str {
        match self {
            Self::Appearance => "Appearance",
            Self::Behaviour => "Behaviour",
            Self::Keys => "Keys",
        }
    }

    const fn icon(self) -> MaterialIcon {
        match self {
            Self::Appearance => icon::ICON_CONTRAST,
            Self::Behaviour => icon::ICON_MOUSE,
            Self::Keys => icon::ICON_KEYBOARD,
        }
    }
}

#[derive(Debug)]
pub struct Settings {
    page: Page,
    keys: KeysPage,
}

impl Settings {
    #[must_use]
    pub fn new(page: Page) -> Self {
        Self {
            page,
            keys: KeysPage::default(),
        }
    }
}

impl Dialog for Settings {
    fn ui(&mut self, ctx: &egui::Context, state: &EditorState, actions: &mut Actions) -> Flow {
        let mut preferences = state.preferences.clone();
        if self.page == Page::Keys {
            // Before anything else sees the key being recorded.
            self.keys.record(ctx, state, &mut preferences.keys);
        }
        let height = 430.0_f32.min(ctx.content_rect().height() - 130.0);
        let flow = modal(ctx, "Settings", 720.0, |ui| {
            side_by_side(ui, height, |ui| {
                ui.vertical(|ui| {
                    ui.set_width(140.0);
                    for page in Page::ALL {
                        self.page_button(ui, page);
                    }
                });
                ui.separator();
                ui.vertical(|ui| match self.page {
                    Page::Appearance => appearance_ui(ui, &mut preferences),
                    Page::Behaviour => behaviour_ui(ui, &mut preferences),
                    Page::Keys => self.keys.ui(ui, state, &mut preferences.keys),
                });
            });
            Flow::Stay
        });
        if preferences != state.preferences {
            actions.push(Action::Request(Request::Preferences(Box::new(preferences))));
        }
        flow
    }
}

impl Settings {
    fn page_button(&mut self, ui: &mut Ui, page: Page) {
        let chosen = self.page == page;
        let button = Button::new((theme::icon(page.icon(), 18.0), page.name()))
            .selected(chosen)
            .frame_when_inactive(chosen)
            .right_text("")
            .gap(8.0)
            .min_size(vec2(ui.available_width(), 28.0));
        let response = ui.add(button);
        response.widget_info(|| WidgetInfo::selected(Role::Tab, true, chosen, page.name()));
        if response.clicked() {
            self.page = page;
        }
    }
}

/// A setting: name and explanation on the left, control on the right.
fn row_ui(ui: &mut Ui, name: &str, help: &str, control: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.vertical(|ui| {
            ui.set_width((ui.available_width() - 240.0).max(160.0));
            ui.label(RichText::new(name).strong());
            ui.add(egui::Label::new(RichText::new(help).small().weak()).wrap());
        });
        control(ui);
    });
    ui.add_space(4.0);
    ui.separator();
    ui.add_space(4.0);
}

fn appearance_ui(ui: &mut Ui, preferences: &mut Preferences) {
    row_ui(
        ui,
        "Theme",
        "Colours of the window and of the plan.",
        |ui| {
            for choice in ThemeChoice::ALL {
                ui.selectable_value(&mut preferences.theme, choice, choice.name());
            }
        },
    );
    row_ui(
        ui,
        "Size of the interface",
        "Text and buttons, on top of the display’s own scale.",
        |ui| {
            // Applied on release: the slider must not move away under the pointer.
            let mut percent = preferences.scale * 100.0;
            let range = *Preferences::SCALES.start() * 100.0..=*Preferences::SCALES.end() * 100.0;
            let id = ui.scope_id().with("scale in progress");
            if let Some(held) = ui.data(|data| data.get_temp::<f32>(id)) {
                percent = held;
            }
            let slider = ui.add(
                egui::Slider::new(&mut percent, range)
                    .step_by(5.0)
                    .custom_parser(|text| quantity_text::parse(&SCALE, text).ok())
                    .suffix(" %"),
            );
            slider.widget_info(|| {
                WidgetInfo::slider(true, f64::from(percent), "Size of the interface")
            });
            if slider.dragged() {
                ui.data_mut(|data| data.insert_temp(id, percent));
            } else {
                ui.data_mut(|data| data.remove::<f32>(id));
                if slider.changed() || slider.drag_stopped() {
                    preferences.scale = percent / 100.0;
                }
            }
        },
    );
    row_ui(
        ui,
        "Frame time",
        "How long a frame takes, in the status bar.",
        |ui| {
            ui.checkbox(&mut preferences.show_frame_time, "Show frame time");
        },
    );
}

fn behaviour_ui(ui: &mut Ui, preferences: &mut Preferences) {
    row_ui(
        ui,
        "Wheel",
        "One notch changes the zoom by this factor.",
        |ui| {
            let slider = ui.add(
                egui::Slider::new(&mut preferences.wheel_step, Preferences::WHEEL_STEPS)
                    .step_by(0.05)
                    .custom_parser(|text| quantity_text::parse(&WHEEL_STEP, text).ok())
                    .prefix("× "),
            );
            let value = f64::from(preferences.wheel_step);
            slider.widget_info(|| WidgetInfo::slider(true, value, "Zoom per notch"));
        },
    );
    row_ui(
        ui,
        "Direction of the wheel",
        "By default, scrolling up zooms in.",
        |ui| {
            ui.checkbox(&mut preferences.invert_wheel, "Invert");
        },
    );
    row_ui(
        ui,
        "File dialogs",
        "The desktop’s own if available, otherwise Wayloom’s.",
        |ui| {
            for (choice, name) in [
                (DialogChoice::Desktop, "The desktop’s"),
                (DialogChoice::Own, "Wayloom’s"),
            ] {
                ui.selectable_value(&mut preferences.dialogs, choice, name);
            }
        },
    );
}
