//! Colours, sizes and fonts of the window, and nowhere else.
//!
//! The hues are those of the level's own drawing: what is selected is blue in the plan view and
//! in every list; warnings are amber and errors red in both.

use super::preferences::ThemeChoice;
use egui::epaint::Shadow;
use egui::style::{HandleShape, ScrollStyle, Selection, TextCursorStyle, WidgetVisuals, Widgets};
use egui::{Color32, CornerRadius, FontId, Margin, Stroke, Style, TextStyle, Visuals, vec2};
use egui_material_icons::MaterialIcon;

/// What each colour of the window means, in one theme.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// Between panels: behind tabs and along their edges.
    pub gutter: Color32,
    /// Behind lists and in text fields.
    pub sunken: Color32,
    /// Panels and bars.
    pub surface: Color32,
    /// Menus, dialogs, cards.
    pub raised: Color32,
    /// Buttons at rest, under the pointer, pressed.
    pub control: Color32,
    pub control_hovered: Color32,
    pub control_pressed: Color32,
    /// Borders and separators.
    pub line: Color32,
    pub line_strong: Color32,

    pub text: Color32,
    pub text_strong: Color32,
    pub text_weak: Color32,

    pub accent: Color32,
    /// Behind selected rows and pressed tools.
    pub accent_fill: Color32,
    /// Text on `accent`.
    pub on_accent: Color32,

    pub info: Color32,
    pub done: Color32,
    pub warning: Color32,
    pub error: Color32,
    pub shadow: Color32,
}

const fn hex(rgb: u32) -> Color32 {
    let [_, r, g, b] = rgb.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

pub const DARK: Palette = Palette {
    gutter: hex(0x14171b),
    sunken: hex(0x14171b),
    surface: hex(0x1c2026),
    raised: hex(0x242930),
    control: hex(0x2d333c),
    control_hovered: hex(0x38404b),
    control_pressed: hex(0x434d5a),
    line: hex(0x2f353e),
    line_strong: hex(0x454e5a),

    text: hex(0xcdd5de),
    text_strong: hex(0xf3f6f9),
    text_weak: hex(0x8f9ba8),

    accent: hex(0x4db5ff),
    accent_fill: hex(0x1f4a6e),
    on_accent: hex(0x06243b),

    info: hex(0x7cc4f5),
    done: hex(0x52c98b),
    warning: hex(0xf6c04d),
    error: hex(0xf0705c),
    shadow: Color32::from_black_alpha(110),
};

pub const LIGHT: Palette = Palette {
    gutter: hex(0xdfe3e7),
    sunken: hex(0xffffff),
    surface: hex(0xf1f3f5),
    raised: hex(0xf3f5f7),
    control: hex(0xe2e6ea),
    control_hovered: hex(0xd5dbe1),
    control_pressed: hex(0xc6ced6),
    line: hex(0xd8dde2),
    line_strong: hex(0xb4bdc6),

    text: hex(0x2b343e),
    text_strong: hex(0x10161c),
    text_weak: hex(0x5d6873),

    accent: hex(0x0a78d1),
    accent_fill: hex(0xcfe6f9),
    on_accent: hex(0xffffff),

    info: hex(0x0a6fbf),
    done: hex(0x146c43),
    warning: hex(0x8a5b00),
    error: hex(0xb93421),
    shadow: Color32::from_black_alpha(36),
};

impl Palette {
    #[must_use]
    pub const fn of(visuals: &Visuals) -> &'static Self {
        if visuals.dark_mode { &DARK } else { &LIGHT }
    }
}

/// Rounding of buttons and fields. Unit: points.
pub const ROUNDING: u8 = 5;
/// Rounding of windows, menus and cards. Unit: points.
pub const ROUNDING_LARGE: u8 = 8;

/// Icons in menus, lists and small buttons. Unit: points.
pub const ICON_SMALL: f32 = 16.0;
/// Icons in the tool bar. Unit: points.
pub const ICON_LARGE: f32 = 20.0;

/// Height of the tool bar's square buttons. Unit: points.
pub const TOOL_BUTTON: f32 = 30.0;
pub const STATUS_BAR_HEIGHT: f32 = 26.0;
pub const TAB_BAR_HEIGHT: f32 = 28.0;
/// The strip above the plan.
pub const TOOL_OPTIONS_HEIGHT: f32 = 34.0;

/// The text styles beyond egui's own.
pub mod text {
    use egui::TextStyle;

    /// The name of a page.
    #[must_use]
    pub fn title() -> TextStyle {
        TextStyle::Name("title".into())
    }

    /// The name of a section.
    #[must_use]
    pub fn section() -> TextStyle {
        TextStyle::Name("section".into())
    }
}

/// An icon as text of a size, to stand in a button or beside a label.
#[must_use]
pub fn icon(icon: MaterialIcon, size: f32) -> egui::RichText {
    icon.rich_text().size(size)
}

/// Gives a context the fonts and both themes. Once, at the start.
pub fn install(ctx: &egui::Context) {
    let mut fonts = egui::FontDefinitions::default();
    // The typeface for text lacks arrows and many symbols; the one for code has them.
    fonts
        .families
        .entry(egui::FontFamily::Proportional)
        .or_default()
        .push("Hack".to_owned());
    ctx.set_fonts(fonts);
    egui_material_icons::initialize(ctx);
    for (theme, palette, visuals) in [
        (egui::Theme::Dark, &DARK, Visuals::dark()),
        (egui::Theme::Light, &LIGHT, Visuals::light()),
    ] {
        ctx.set_style_of(theme, style(palette, visuals));
    }
    // Ctrl+Plus and friends are commands of ours, with names and remappable keys.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
}

pub fn choose(ctx: &egui::Context, choice: ThemeChoice, scale: f32) {
    ctx.set_theme(match choice {
        ThemeChoice::Dark => egui::ThemePreference::Dark,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::System => egui::ThemePreference::System,
    });
    ctx.set_zoom_factor(scale);
}

fn style(palette: &Palette, visuals: Visuals) -> Style {
    let mut style = Style {
        visuals: visuals_of(palette, visuals),
        animation_time: 0.1,
        ..Style::default()
    };
    style.text_styles = [
        (TextStyle::Small, FontId::proportional(11.0)),
        (TextStyle::Body, FontId::proportional(13.0)),
        (TextStyle::Button, FontId::proportional(13.0)),
        (TextStyle::Monospace, FontId::monospace(12.0)),
        (TextStyle::Heading, FontId::proportional(17.0)),
        (text::section(), FontId::proportional(14.5)),
        (text::title(), FontId::proportional(26.0)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(6.0, 5.0);
    spacing.button_padding = vec2(8.0, 3.0);
    spacing.interact_size = vec2(36.0, 24.0);
    spacing.icon_width = 16.0;
    spacing.icon_width_inner = 9.0;
    spacing.icon_spacing = 6.0;
    spacing.indent = 16.0;
    spacing.window_margin = Margin::same(14);
    spacing.menu_margin = Margin::same(5);
    spacing.menu_width = 280.0;
    spacing.combo_height = 320.0;
    spacing.tooltip_width = 340.0;
    spacing.slider_rail_height = 5.0;
    spacing.scroll = ScrollStyle {
        bar_width: 8.0,
        floating_width: 4.0,
        foreground_color: false,
        ..ScrollStyle::floating()
    };
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.45;
    style
}

fn visuals_of(palette: &Palette, base: Visuals) -> Visuals {
    let rounding = CornerRadius::same(ROUNDING);
    let widget = |fill: Color32, border: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, border),
        corner_radius: rounding,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let shadow = |offset: i8, blur: u8| Shadow {
        offset: [0, offset],
        blur,
        spread: 0,
        color: palette.shadow,
    };
    Visuals {
        widgets: Widgets {
            noninteractive: widget(palette.surface, palette.line, palette.text),
            inactive: WidgetVisuals {
                // Boxes and rails; buttons have the weak fill.
                bg_fill: palette.control_pressed,
                ..widget(palette.control, Color32::TRANSPARENT, palette.text)
            },
            hovered: widget(
                palette.control_hovered,
                palette.line_strong,
                palette.text_strong,
            ),
            active: widget(palette.control_pressed, palette.accent, palette.text_strong),
            open: widget(
                palette.control_hovered,
                palette.line_strong,
                palette.text_strong,
            ),
        },
        selection: Selection {
            bg_fill: palette.accent_fill,
            stroke: Stroke::new(1.0, palette.text_strong),
        },
        weak_text_color: Some(palette.text_weak),
        hyperlink_color: palette.accent,
        faint_bg_color: palette.line.gamma_multiply(0.35),
        extreme_bg_color: palette.sunken,
        code_bg_color: palette.control,
        warn_fg_color: palette.warning,
        error_fg_color: palette.error,
        window_fill: palette.raised,
        window_stroke: Stroke::new(1.0, palette.line_strong),
        window_corner_radius: CornerRadius::same(ROUNDING_LARGE),
        menu_corner_radius: CornerRadius::same(ROUNDING_LARGE),
        window_shadow: shadow(8, 28),
        popup_shadow: shadow(4, 16),
        window_highlight_topmost: false,
        panel_fill: palette.surface,
        slider_trailing_fill: true,
        handle_shape: HandleShape::Circle,
        // A blinking cursor would keep an idle window painting.
        text_cursor: TextCursorStyle {
            stroke: Stroke::new(1.5, palette.accent),
            blink: false,
            ..base.text_cursor
        },
        indent_has_left_vline: false,
        disabled_alpha: 0.45,
        ..base
    }
}

/// Handles in space, the same in both themes: they lie over any picture.
pub mod gizmo {
    use super::hex;
    use egui::Color32;

    /// x, y and z, as everywhere in the field.
    pub const AXES: [Color32; 3] = [hex(0xe5484d), hex(0x4cb050), hex(0x3f8cff)];
    /// Under the pointer or in hand.
    pub const HOT: Color32 = hex(0xffc83d);
    /// Around handles, so that they read on any ground.
    pub const HALO: Color32 = Color32::from_black_alpha(110);
}

/// Sizes of the docked panels. Unit: points.
pub mod panel {
    /// Lists: one line of text with room to click.
    pub const LIST_ROW: f32 = 22.0;
    /// Forms: a field and its label.
    pub const FIELD_ROW: f32 = 24.0;
    /// One step of a tree's indentation.
    pub const INDENT: f32 = 14.0;
    /// A small icon button within a row.
    pub const ICON_BUTTON: f32 = 20.0;
    pub const ICON: f32 = 16.0;
    pub const GAP: f32 = 6.0;
    /// Pairs of numbers stand beside each other from this width of the value column on.
    pub const PAIR_WIDTH: f32 = 160.0;
    /// Labels stand above their fields in forms narrower than this.
    pub const STACK_WIDTH: f32 = 200.0;
    /// What a check box needs beside its label.
    pub const SMALL_FIELD: f32 = 48.0;
    /// Corner radius of chips, swatches and highlights.
    pub const ROUNDING: f32 = 4.0;

    /// Colours to pick from: ground, plants, water, brick, and hues to tell people apart.
    pub const READY_COLOURS: [u32; 16] = [
        0x8a8d91, 0xb9b2a3, 0xd8c79a, 0xc9a15a, 0x8b6a47, 0xa8543f, 0xd98c3f, 0xe2c044, //
        0x8f9f6f, 0x5f8f4e, 0x2f6b4f, 0x3f9c98, 0x5b8fb9, 0x3b62a8, 0x7a5ea8, 0xb0587f,
    ];

    /// The label column of a form that is `width` wide.
    #[must_use]
    pub fn label_width(width: f32) -> f32 {
        (width * 0.36).clamp(76.0, 140.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast ratio after WCAG 2, on linear light.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let light = |c: Color32| {
            let c = egui::Rgba::from(c);
            0.2126 * c.r() + 0.7152 * c.g() + 0.0722 * c.b()
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_text_reads_on_every_ground() {
        for palette in [&DARK, &LIGHT] {
            for ground in [palette.sunken, palette.surface, palette.raised] {
                assert!(contrast(palette.text_strong, ground) > 10.0);
                assert!(contrast(palette.text, ground) > 7.0);
                for colour in [
                    palette.text_weak,
                    palette.info,
                    palette.done,
                    palette.warning,
                    palette.error,
                ] {
                    assert!(contrast(colour, ground) > 4.5, "{colour:?} on {ground:?}");
                }
            }
            assert!(contrast(palette.text_strong, palette.accent_fill) > 4.5);
            assert!(contrast(palette.on_accent, palette.accent) > 4.5);
            assert!(contrast(palette.text, palette.control_hovered) > 4.5);
        }
    }
}
