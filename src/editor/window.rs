//! The real window around the editor.

use super::preferences::Preferences;
use super::store::{Item, Store};
use super::{Editor, EditorState, theme};
use resvg::{tiny_skia, usvg};
use std::path::PathBuf;

struct Window {
    editor: Editor,
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.editor.ui(ui);
    }

    /// Now and then, and on exit.
    fn save(&mut self, _storage: &mut dyn eframe::Storage) {
        self.editor.keep();
    }

    fn on_exit(&mut self, gl: Option<&glow::Context>) {
        if let Some(gl) = gl {
            self.editor.painter.destroy(gl);
            self.editor.space_painter.destroy(gl);
        }
    }

    /// Only the window's place is worth keeping: scroll offsets and the like would be stale.
    fn persist_egui_memory(&self) -> bool {
        false
    }
}

/// The mark, as window lists and docks show it. Unit: pixels.
const ICON_SIZE: u32 = 128;

/// `None` if it cannot be drawn: the window opens all the same.
fn icon() -> Option<egui::IconData> {
    let svg = include_str!("../../icons/wayloom.svg");
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).ok()?;
    let mut pixels = tiny_skia::Pixmap::new(ICON_SIZE, ICON_SIZE)?;
    let scale = ICON_SIZE as f32 / tree.size().width();
    let enlarged = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, enlarged, &mut pixels.as_mut());
    Some(egui::IconData {
        rgba: pixels.take_demultiplied(),
        width: ICON_SIZE,
        height: ICON_SIZE,
    })
}

const NO_DISPLAY: &str = "no display was found; set DISPLAY or WAYLAND_DISPLAY to one that is \
    running, or use the commands that need none (see `wayloom --help`)";

/// Opens the window, on a level or on the welcome page, and returns when it is closed.
///
/// # Errors
/// No window can be had: no display, or no OpenGL.
pub fn run(file: Option<PathBuf>) -> anyhow::Result<()> {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Wayloom")
            .with_app_id("wayloom")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([720.0, 420.0])
            .with_icon(icon().unwrap_or_default())
            .with_drag_and_drop(true),
        // There are no gradients to soften, and where the processor draws it costs a tenth of a
        // frame.
        dithering: false,
        ..Default::default()
    };
    eframe::run_native(
        "wayloom",
        options,
        Box::new(|cc| {
            let store = Store::of_user();
            let preferences = store.load::<Preferences>(Item::Preferences).limited();
            theme::install(&cc.egui_ctx);
            theme::choose(&cc.egui_ctx, preferences.theme, preferences.scale);
            let state = EditorState::new(preferences);
            let mut editor = Editor::with_store(state, cc.gl.clone(), store);
            if let Some(file) = file {
                editor.open_any(&cc.egui_ctx, file);
            }
            Ok(Box::new(Window { editor }))
        }),
    )
    .map_err(|error| match error {
        // What the window system says of it names source files, not remedies.
        eframe::Error::WinitEventLoop(_) => anyhow::anyhow!(NO_DISPLAY),
        error => anyhow::anyhow!(
            "no window can be opened: {error}; the commands that need none are listed by \
             `wayloom --help`"
        ),
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_mark_can_be_drawn() {
        let icon = super::icon().expect("the picture is part of the program");
        let middle = (icon.height / 2 * icon.width + icon.width / 2) as usize * 4;
        assert_eq!(icon.rgba[middle + 3], 255);
    }
}
