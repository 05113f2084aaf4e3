//! The whole program: the real window on a virtual screen, worked with pointer and keys.
//!
//! Needs Xvfb and xdotool. Where they are missing these tests say so and pass, unless
//! `WAYLOOM_WINDOW_TESTS=required` is set, as the test command does.

#![cfg(feature = "gui")]

mod screen;

use screen::Screen;
use std::path::Path;
use wayloom::document::{Document, Level, Obstacle, Template, format, template};
use wayloom::geometry::Rect;

/// The screen to work on, or `None` after saying why there is none.
fn screen() -> Option<Screen> {
    match Screen::start() {
        Ok(screen) => Some(screen),
        Err(why) => {
            let required = std::env::var_os("WAYLOOM_WINDOW_TESTS").is_some();
            assert!(!required, "the window cannot be tested: {why}");
            eprintln!("skipped: {why}");
            None
        }
    }
}

fn write_empty_level(path: &Path) {
    let level = Template::Empty
        .build(&template::Options::default())
        .expect("the default size is valid");
    let next_id = Document::new(level.clone(), level.largest_id()).next_id();
    std::fs::write(path, format::write(&level, next_id)).expect("the folder can be written to");
}

fn read(path: &Path) -> Option<Level> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(format::read(&text).expect("never torn").level)
}

/// The bounds of the only obstacle.
fn only_obstacle(level: &Level) -> Option<Rect> {
    let mut all = level
        .obstacles()
        .map(|(_, _, obstacle): (_, _, &Obstacle)| obstacle.area.bounds());
    let first = all.next()?;
    assert!(all.next().is_none(), "more than one obstacle");
    Some(first)
}

#[test]
fn draw_drag_undo_save_reopen_kill_recover() {
    let Some(screen) = screen() else {
        return;
    };
    let path = screen.folder().join("yard.ron");
    write_empty_level(&path);

    let window = screen.open(Some(&path));
    // A polygon: three corners in the middle of the plan, closed with Enter.
    window.key("o");
    for (x, y) in [(400, 250), (560, 250), (560, 400)] {
        window.click(x, y);
    }
    window.key("Return");
    window.key("ctrl+s");
    let drawn = screen.wait("the polygon is saved", || only_obstacle(&read(&path)?));
    assert!(drawn.size().min_element() > 1.0, "{drawn:?}");

    // Dragged by its inside: one step, and the same size elsewhere.
    window.key("q");
    window.drag((520, 290), (620, 340));
    window.key("ctrl+s");
    let moved = screen.wait("the drag is saved", || {
        only_obstacle(&read(&path)?).filter(|bounds| bounds.min != drawn.min)
    });
    assert!(
        (moved.size() - drawn.size()).length() < 1e-6,
        "{drawn:?} {moved:?}"
    );
    window.key("ctrl+z");
    window.key("ctrl+s");
    screen.wait("the undo is saved", || {
        only_obstacle(&read(&path)?).filter(|bounds| *bounds == drawn)
    });

    // Closed and opened again, nothing is left lying about.
    window.close();
    let names = screen.names();
    assert_eq!(names, ["yard.ron", "yard.ron~"]);
    let window = screen.open(Some(&path));

    // Deleted but not saved, then killed: the file still has it, the journal knows better.
    window.key("q");
    window.click(520, 290);
    window.key("Delete");
    screen.wait("the delete is in the journal", || {
        let journal = std::fs::read(screen.folder().join(".yard.ron.journal")).ok()?;
        String::from_utf8_lossy(&journal)
            .contains("Delete")
            .then_some(())
    });
    window.kill();
    assert_eq!(only_obstacle(&read(&path).expect("there")), Some(drawn));

    // The next start offers it back; Enter takes it.
    let window = screen.open(Some(&path));
    screen.wait("the recovered state is saved", || {
        // The question may come later than the window, on a busy machine.
        window.key("Return");
        window.key("ctrl+s");
        (read(&path)?.obstacles().count() == 0).then_some(())
    });
    window.close();
}

#[test]
fn the_welcome_page_opens_without_a_file_and_idles() {
    let Some(screen) = screen() else {
        return;
    };
    let window = screen.open(None);
    // The samples' pictures are drawn first; then nothing is left to do.
    screen.wait("it idles", || {
        let before = window.processor_time();
        std::thread::sleep(std::time::Duration::from_secs(2));
        (window.processor_time() - before < 0.02).then_some(())
    });
    window.close();
}
