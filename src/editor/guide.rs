//! The guide, in a window that can stay open during work.

use super::dialog::window;
use super::theme;
use egui::{RichText, ScrollArea, Ui};

const TEXT: &str = include_str!("../../docs/guide.md");

#[derive(Debug, Default)]
pub struct Guide {
    open: bool,
    /// The heading to scroll to.
    wanted: Option<&'static str>,
}

/// A part of the text that is drawn as one.
#[derive(Clone, Debug, PartialEq)]
enum Block {
    Title(&'static str),
    Paragraph(String),
    Item(String),
    /// A row of a table, cell by cell.
    Row(Vec<String>),
    Code(&'static str),
}

impl Guide {
    pub const fn toggle(&mut self) {
        self.open = !self.open;
    }

    /// True if it was open.
    pub const fn close(&mut self) -> bool {
        std::mem::replace(&mut self.open, false)
    }

    pub fn ui(&mut self, ctx: &egui::Context) {
        let mut open = self.open;
        window(ctx, "Guide", egui::vec2(680.0, 560.0), &mut open, |ui| {
            self.contents_ui(ui);
        });
        self.open = open;
    }

    fn contents_ui(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            for title in TEXT.lines().filter_map(|line| line.strip_prefix("## ")) {
                if ui.link(title).clicked() {
                    self.wanted = Some(title);
                }
            }
        });
        ui.separator();
        let wanted = self.wanted.take();
        ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("guide")
            .show(ui, |ui| {
                for block in blocks() {
                    block_ui(ui, &block, wanted);
                }
            });
    }
}

fn block_ui(ui: &mut Ui, block: &Block, wanted: Option<&str>) {
    match block {
        Block::Title(title) => {
            ui.add_space(10.0);
            let text = RichText::new(*title).text_style(theme::text::section());
            let title_line = ui.label(text.strong());
            if wanted == Some(title) {
                title_line.scroll_to_me(Some(egui::Align::TOP));
            }
        }
        Block::Paragraph(text) => {
            ui.add(egui::Label::new(text).wrap());
            ui.add_space(4.0);
        }
        Block::Item(text) => {
            ui.horizontal_top(|ui| {
                ui.label(" •");
                ui.add(egui::Label::new(text).wrap());
            });
        }
        Block::Row(cells) => {
            let width = ui.available_width() / cells.len().max(1) as f32;
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                for cell in cells {
                    ui.vertical(|ui| {
                        ui.set_width(width);
                        ui.add(egui::Label::new(cell).wrap());
                    });
                }
            });
        }
        Block::Code(line) => {
            ui.monospace(*line);
        }
    }
}

/// The text without images and markup.
fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut is_code = false;
    // Whether the next line continues the last block.
    let mut goes_on = false;
    for line in TEXT.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
            goes_on = false;
            continue;
        }
        if is_code {
            blocks.push(Block::Code(line));
            continue;
        }
        let text = line.trim();
        if text.is_empty() || text.starts_with("![") || text.starts_with("|--") {
            goes_on = false;
        } else if text.starts_with('#') {
            blocks.push(Block::Title(text.trim_start_matches(['#', ' '])));
            goes_on = false;
        } else if let Some(row) = text.strip_prefix('|') {
            let cells = row.trim_end_matches('|').split('|');
            let cells: Vec<String> = cells.map(|cell| plain(cell.trim())).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                blocks.push(Block::Row(cells));
            }
            goes_on = false;
        } else if let Some(item) = text.strip_prefix("- ") {
            blocks.push(Block::Item(plain(item)));
            goes_on = true;
        } else {
            match blocks.last_mut() {
                Some(Block::Paragraph(before) | Block::Item(before)) if goes_on => {
                    before.push(' ');
                    before.push_str(&plain(text));
                }
                _ => blocks.push(Block::Paragraph(plain(text))),
            }
            goes_on = true;
        }
    }
    blocks
}

/// Without markup for bold, italics and code; a link becomes its text.
fn plain(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let Some((name, after)) = rest[start + 1..].split_once("](") else {
            break;
        };
        let Some((_, after)) = after.split_once(')') else {
            break;
        };
        words.push_str(&rest[..start]);
        words.push_str(name);
        rest = after;
    }
    words.push_str(rest);
    words.replace("**", "").replace(['*', '`'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_is_read_whole_and_without_its_marks() {
        let blocks = blocks();
        let titles = blocks
            .iter()
            .filter(|b| matches!(b, Block::Title(_)))
            .count();
        assert!(titles > 5, "{titles}");
        for block in &blocks {
            if let Block::Paragraph(text) | Block::Item(text) = block {
                assert!(!text.contains("**") && !text.contains("]("), "{text}");
            }
        }
        assert_eq!(plain("see **[bake](bake.md)** and `x`"), "see bake and x");
    }
}
