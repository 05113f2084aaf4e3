use super::*;
use std::collections::BTreeMap;

/// As the program wrote it when panels were an enum: outliner and history closed, both views open.
const STORED: &str = include_str!("../../../tests/golden/layouts/panes_as_enum.ron");

fn restored(text: &str) -> Layout {
    ron::from_str(text).expect("a layout")
}

/// The tabs beside a panel, itself included.
fn tabs_of(layout: &Layout, pane: Pane) -> Vec<Pane> {
    let tiles = &layout.tree.tiles;
    let id = layout.places(pane).next().expect("is in the layout");
    let home = tiles.parent_of(id).expect("has a parent");
    let container = tiles.get_container(home).expect("is a container");
    container
        .children()
        .filter_map(|child| tiles.get_pane(child).copied())
        .collect()
}

fn every_pane_once(layout: &Layout) -> bool {
    let count = |pane| layout.places(pane).count();
    registry::rows().iter().all(|row| count(row.pane) == 1)
}

#[test]
fn a_closed_pane_comes_back_where_it_was() {
    let mut layout = Layout::default();
    assert_eq!(layout.open_panes().len(), registry::rows().len() - 1);
    assert_eq!(Views::of(&layout.open_panes()), Views::Plan);
    layout.toggle(Pane::OUTLINER);
    assert!(!layout.open_panes().contains(&Pane::OUTLINER));
    layout.toggle(Pane::OUTLINER);
    assert!(layout.open_panes().contains(&Pane::OUTLINER));
}

#[test]
fn either_view_is_in_sight_or_both_are() {
    let mut layout = Layout::default();
    for views in [Views::Both, Views::Space, Views::Plan, Views::Space] {
        layout.show_views(views);
        assert_eq!(Views::of(&layout.open_panes()), views);
        let text = ron::to_string(&layout).expect("plain data");
        assert_eq!(Views::of(&restored(&text).open_panes()), views);
    }
}

#[test]
fn a_layout_is_kept_as_text() {
    let mut layout = Layout::default();
    layout.toggle(Pane::OUTLINER);
    let text = ron::to_string(&layout).expect("plain data");
    assert_eq!(restored(&text).open_panes(), layout.open_panes());
}

#[test]
fn a_layout_of_an_earlier_version_is_as_it_was_left() {
    let layout = restored(STORED);
    assert!(every_pane_once(&layout));
    let open = layout.open_panes();
    assert!(!open.contains(&Pane::OUTLINER) && !open.contains(&Pane::HISTORY));
    assert_eq!(open.len(), registry::rows().len() - 2);
    assert_eq!(Views::of(&open), Views::Both);
    assert_eq!(
        tabs_of(&layout, Pane::BENCH)[..3],
        [Pane::PROBLEMS, Pane::NAVIGATION, Pane::PLAYBACK]
    );
}

#[test]
fn a_pane_that_is_not_known_is_left_out_and_the_others_stay_where_they_are() {
    let text = STORED.replace("Pane(Terrains)", "Pane(Teleporters)");
    assert_ne!(text, STORED);
    let layout = restored(&text);
    assert!(every_pane_once(&layout));
    let open = layout.open_panes();
    assert!(!open.contains(&Pane::OUTLINER) && !open.contains(&Pane::HISTORY));
    assert!(tabs_of(&layout, Pane::TERRAINS).contains(&Pane::PROBLEMS));
    assert_eq!(Views::of(&open), Views::Both);
}

#[test]
fn a_pane_that_the_file_does_not_have_comes_to_its_default_place() {
    // Written before there was a planner bench.
    let tile = "            (8): Pane(Bench),\n";
    assert!(STORED.contains(tile));
    let text = STORED.replace(tile, "");
    let text = text.replace("                    (8),\n", "");
    let layout = restored(&text);
    assert!(every_pane_once(&layout));
    assert!(tabs_of(&layout, Pane::BENCH).contains(&Pane::PROBLEMS));
    assert!(layout.open_panes().contains(&Pane::BENCH));
    let bench = layout.places(Pane::BENCH).next().expect("was added");
    assert!(!layout.tree.active_tiles().contains(&bench), "stays behind");
    assert!(!layout.open_panes().contains(&Pane::OUTLINER));
}

#[test]
fn a_pane_that_is_there_twice_is_kept_once() {
    let text = STORED.replace("Pane(Terrains)", "Pane(Profiles)");
    let layout = restored(&text);
    let mut counts: BTreeMap<Pane, usize> = BTreeMap::new();
    for row in registry::rows() {
        counts.insert(row.pane, layout.places(row.pane).count());
    }
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");
}

#[test]
fn a_layout_without_a_view_begins_anew() {
    let text = STORED.replace("Pane(Plan)", "Pane(Teleporters)");
    let layout = restored(&text);
    assert!(every_pane_once(&layout));
    assert_eq!(layout.open_panes(), Layout::default().open_panes());
}
