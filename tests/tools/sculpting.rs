//! The height brush.

use crate::desk::{Desk, assert_fast, p};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wayloom::document::history::Step;
use wayloom::document::{Edit, format, limits};
use wayloom::geometry::{HeightField, Rect};
use wayloom::interaction::{Key, Modifiers, Sculpt, ToolKind};

fn desk() -> Desk {
    let mut desk = Desk::open_field().with(ToolKind::HeightBrush);
    desk.toolbox.defaults.brush_radius = 5.0;
    desk.toolbox.defaults.sculpt_step = 2.0;
    desk
}

fn height(desk: &Desk, x: f64, y: f64) -> f64 {
    desk.level()
        .ground()
        .map_or(0.0, |field| field.height(p(x, y)))
}

#[test]
fn the_first_stroke_makes_a_height_field_over_the_whole_level() {
    let mut desk = desk();
    desk.one_step(|desk| {
        desk.sweep((20.0, 50.0), (80.0, 50.0));
    });
    assert_eq!(desk.last_step(), "Raise ground");
    let ground = desk.level().ground().expect("made by the stroke");
    assert!(
        ground
            .bounds()
            .contains_rect(&desk.level().settings().bounds)
    );
    let middle = height(&desk, 50.0, 50.0);
    assert!((1.5..2.6).contains(&middle), "{middle}");
    assert_eq!(height(&desk, 50.0, 60.0), 0.0);
}

#[test]
fn a_click_is_one_dab() {
    let mut desk = desk();
    desk.one_step(|desk| {
        desk.click(50.0, 50.0);
    });
    assert!((height(&desk, 50.0, 50.0) - 2.0).abs() < 0.05);
}

#[test]
fn alt_turns_the_brush_round_and_shift_smooths() {
    let mut desk = desk();
    desk.hold(Modifiers::ALT).click(50.0, 50.0);
    assert!(height(&desk, 50.0, 50.0) < -1.9);
    assert_eq!(desk.last_step(), "Lower ground");
    let before = height(&desk, 50.0, 50.0);
    desk.hold(Modifiers::SHIFT).click(50.0, 50.0);
    assert_eq!(desk.last_step(), "Smooth ground");
    assert!(height(&desk, 50.0, 50.0) > before);
    assert_eq!(desk.toolbox.defaults.sculpt, Sculpt::Raise);
}

#[test]
fn flattening_takes_the_height_where_it_begins() {
    let mut desk = desk();
    desk.click(50.0, 50.0).click(50.0, 50.0);
    desk.toolbox.defaults.sculpt = Sculpt::Flatten;
    desk.toolbox.defaults.sculpt_share = 1.0;
    desk.one_step(|desk| {
        desk.sweep((30.0, 50.0), (70.0, 50.0));
    });
    assert!(height(&desk, 50.0, 50.0).abs() < 0.2);
}

#[test]
fn esc_takes_a_stroke_back_and_with_it_the_field_it_made() {
    let mut desk = desk();
    desk.no_step(|desk| {
        desk.press(20.0, 20.0).drag(60.0, 60.0);
        assert!(desk.level().ground().is_some());
        desk.esc();
        desk.release();
    });
    assert!(desk.level().ground().is_none());
}

#[test]
fn keys_change_size_strength_and_kind() {
    let mut desk = desk();
    desk.key(Key::More);
    assert_eq!(desk.toolbox.defaults.brush_radius, 6.25);
    desk.key(Key::Less);
    assert_eq!(desk.toolbox.defaults.brush_radius, 5.0);
    desk.hold(Modifiers::SHIFT).key(Key::More);
    assert_eq!(desk.toolbox.defaults.sculpt_step, 2.5);
    desk.hold(Modifiers::NONE);
    for kind in [
        Sculpt::Lower,
        Sculpt::Smooth,
        Sculpt::Flatten,
        Sculpt::Raise,
    ] {
        desk.key(Key::Tab);
        assert_eq!(desk.toolbox.defaults.sculpt, kind);
    }
    desk.typed("7.5").key(Key::Enter);
    assert_eq!(desk.toolbox.defaults.brush_radius, 7.5);
    desk.typed("5000").key(Key::Enter);
    assert!(!desk.trouble().is_empty());
    for _ in 0..100 {
        desk.hold(Modifiers::SHIFT).key(Key::Less);
    }
    assert!(desk.toolbox.defaults.sculpt_step > 0.0);
}

#[test]
fn outside_the_field_nothing_changes_and_a_message_says_so() {
    let mut desk = desk();
    let field = HeightField::flat(Rect::new(p(0.0, 0.0), p(20.0, 20.0)), 1.0, 0.0);
    let edit = Edit::Ground(Some(Arc::new(field)));
    desk.document.commit("Add", vec![edit]).expect("valid");
    desk.no_step(|desk| {
        desk.click(80.0, 80.0);
    });
    let said = desk.toolbox.take_messages().join(" ");
    assert!(said.contains("does not extend"), "{said}");
}

/// The largest field a level may have, under a brush of a usual size.
#[test]
fn a_stroke_over_a_huge_field_stays_quick_and_small_in_the_journal() {
    let side = (limits::MAX_POSTS as f64).sqrt().floor() as usize;
    let mut field = HeightField::flat(Rect::new(p(0.0, 0.0), p(10.0, 10.0)), 1.0, 0.0);
    (field.columns, field.rows) = (side, side);
    field.spacing = 100.0 / (side - 1) as f64;
    field.heights = vec![0.25; side * side].into();
    let mut desk = desk();
    let edit = Edit::Ground(Some(Arc::new(field)));
    desk.document.commit("Add", vec![edit]).expect("valid");
    desk.toolbox.defaults.brush_radius = 2.0;

    desk.press(40.0, 40.0);
    let moves = 20;
    let started = Instant::now();
    for i in 1..=moves {
        desk.drag(40.0 + f64::from(i) * 0.5, 40.0);
    }
    assert_fast(
        "a move of the brush over two million posts",
        started.elapsed() / moves as u32,
        Duration::from_millis(400),
    );
    let Ok(Some(step)) = desk.document.finish() else {
        panic!("a step");
    };
    let Step::Commit { edits, .. } = &step else {
        panic!("a commit");
    };
    assert!(edits.iter().all(|edit| matches!(edit, Edit::Heights(_))));
    let text = format::write_step(&step);
    assert!(text.len() < 1_000_000, "{} bytes", text.len());
    assert_eq!(format::read_step(&text).expect("our own"), step);
}
