//! Whatever a hand does, with whatever tool: no panic, no transaction left open, and undo leads
//! back to the first byte.

use crate::desk::{ATRIUM, CURVE, Desk, HOUSE};
use proptest::prelude::*;
use wayloom::interaction::{AreaKind, Event, Key, Modifiers, ToolKind};

#[derive(Clone, Debug)]
enum Act {
    Tool(usize),
    Hover(f64, f64),
    Click(f64, f64),
    DoubleClick(f64, f64),
    RightClick(f64, f64),
    Press(f64, f64),
    Drag(f64, f64),
    Release,
    Key(usize),
    Type(&'static str),
    Esc,
    FocusLost,
    Leave,
    Hold(Modifiers),
    Select(u64),
    Undo,
    Redo,
    Area(usize),
    Look,
}

/// Places in and around the yard, often the same ones; now and then far away or nowhere.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        12 => 0.0..100.0_f64,
        12 => (0..20_i32).prop_map(|i| f64::from(i) * 5.0),
        1 => prop_oneof![Just(-3e7), Just(9.9e5), Just(f64::NAN), Just(f64::INFINITY)],
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let place = || (coordinate(), coordinate());
    let texts = [
        "3", "12.5<30", "10,20", "@3,4", "1.2.3", "-", "@", "<", "99999999", "0",
    ];
    prop_oneof![
        4 => (0..ToolKind::ALL.len()).prop_map(Act::Tool),
        2 => place().prop_map(|(x, y)| Act::Hover(x, y)),
        8 => place().prop_map(|(x, y)| Act::Click(x, y)),
        2 => place().prop_map(|(x, y)| Act::DoubleClick(x, y)),
        1 => place().prop_map(|(x, y)| Act::RightClick(x, y)),
        4 => place().prop_map(|(x, y)| Act::Press(x, y)),
        8 => place().prop_map(|(x, y)| Act::Drag(x, y)),
        4 => Just(Act::Release),
        4 => (0..Key::ALL.len()).prop_map(Act::Key),
        2 => (0..texts.len()).prop_map(move |i| Act::Type(texts[i])),
        1 => Just(Act::Esc),
        1 => Just(Act::FocusLost),
        1 => Just(Act::Leave),
        2 => (any::<bool>(), any::<bool>(), any::<bool>())
            .prop_map(|(shift, ctrl, alt)| Act::Hold(Modifiers { shift, ctrl, alt })),
        1 => (10..21_u64).prop_map(Act::Select),
        1 => Just(Act::Undo),
        1 => Just(Act::Redo),
        1 => (0..AreaKind::ALL.len()).prop_map(Act::Area),
        2 => Just(Act::Look),
    ]
}

fn perform(desk: &mut Desk, act: &Act) {
    match act {
        Act::Tool(i) => {
            desk.tool(ToolKind::ALL[*i]);
        }
        Act::Hover(x, y) => {
            desk.hover(*x, *y);
        }
        Act::Click(x, y) => {
            desk.click(*x, *y);
        }
        Act::DoubleClick(x, y) => {
            desk.double_click(*x, *y);
        }
        Act::RightClick(x, y) => {
            desk.right_click(*x, *y);
        }
        Act::Press(x, y) => {
            desk.press(*x, *y);
        }
        Act::Drag(x, y) => {
            desk.drag(*x, *y);
        }
        Act::Release => {
            desk.release();
        }
        Act::Key(i) => {
            desk.key(Key::ALL[*i]);
        }
        Act::Type(text) => {
            desk.typed(text);
        }
        Act::Esc => {
            desk.esc();
        }
        Act::FocusLost => {
            desk.send(Event::FocusLost);
        }
        Act::Leave => {
            desk.send(Event::Leave);
        }
        Act::Hold(modifiers) => {
            desk.hold(*modifiers);
        }
        Act::Select(id) => {
            desk.select(&[*id, HOUSE, ATRIUM, CURVE]);
        }
        Act::Undo => {
            desk.document.undo();
        }
        Act::Redo => {
            desk.document.redo();
        }
        Act::Area(i) => desk.toolbox.defaults.area = AreaKind::ALL[*i],
        Act::Look => {
            desk.overlay();
            desk.hints();
            let _ = desk.toolbox.cursor(&desk.document, &crate::desk::view());
            desk.toolbox.take_messages();
        }
    }
}

fn cases() -> u32 {
    std::env::var("WAYLOOM_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(200)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn any_script_can_be_undone_to_the_first_byte(acts in prop::collection::vec(act(), 1..60)) {
        let mut desk = Desk::yard();
        let before = desk.text();
        for act in &acts {
            perform(&mut desk, act);
        }
        let view = crate::desk::view();
        desk.toolbox.cancel_all(&mut desk.document, &view);
        prop_assert!(!desk.document.in_transaction());
        prop_assert!(!desk.toolbox.is_dragging());
        for (id, entity) in desk.level().iter() {
            prop_assert!(entity.check().is_ok(), "{}", id);
        }
        while desk.document.undo().is_some() {}
        prop_assert_eq!(desk.text(), before);
    }

    #[test]
    fn any_script_with_one_tool_can_be_undone_to_the_first_byte(
        tool in 0..ToolKind::ALL.len(),
        acts in prop::collection::vec(act(), 1..40),
    ) {
        let mut desk = Desk::yard();
        desk.select(&[HOUSE, ATRIUM, CURVE]).tool(ToolKind::ALL[tool]);
        let before = desk.text();
        for act in acts.iter().filter(|act| !matches!(act, Act::Tool(_))) {
            perform(&mut desk, act);
            if desk.toolbox.current() != ToolKind::ALL[tool] {
                desk.tool(ToolKind::ALL[tool]);
            }
        }
        while desk.send(Event::Escape) == wayloom::interaction::Handled::Yes {}
        prop_assert!(!desk.document.in_transaction());
        prop_assert!(desk.selection().is_empty());
        while desk.document.undo().is_some() {}
        prop_assert_eq!(desk.text(), before);
    }
}
