//! Tools that place points one by one: outlines, holes, routes, measures; and single strokes.

use crate::desk::{ATRIUM, Desk, HOUSE, LAWN, ROUTE, SHED, area, p, polyline, rect};
use wayloom::document::{Kind, Route, RouteShape};
use wayloom::geometry::polygon::signed_area;
use wayloom::interaction::{Event, Handled, Key, Modifiers, OverlayStyle, Primitive, ToolKind};

const OUTLINE_TOOLS: [ToolKind; 4] = [
    ToolKind::Polygon,
    ToolKind::TerrainPolygon,
    ToolKind::AnnotationArea,
    ToolKind::CrowdArea,
];

#[test]
fn an_outline_closes_on_its_first_corner_by_enter_by_right_click_and_by_double_click() {
    for tool in OUTLINE_TOOLS {
        let closings: [fn(&mut Desk); 4] = [
            |desk| {
                desk.click(10.3, 9.8);
            },
            |desk| {
                desk.key(Key::Enter);
            },
            |desk| {
                desk.right_click(50.0, 50.0);
            },
            |desk| {
                let pointer = wayloom::interaction::Pointer {
                    world: p(20.0, 20.0),
                    ..Default::default()
                };
                desk.send(Event::DoubleClick(pointer));
            },
        ];
        for close in closings {
            let mut desk = Desk::open_field().with(tool);
            desk.no_step(|desk| {
                // Clockwise; the made outline turns the other way.
                desk.clicks(&[(10.0, 10.0), (10.0, 20.0), (20.0, 20.0)]);
            });
            desk.one_step(close);
            let outline = area(desk.made());
            assert_eq!(outline.area(), 50.0, "{tool:?}");
            assert!(signed_area(&outline.outer) > 0.0);
            let sketched = desk.overlay().primitives.into_iter().any(|primitive| {
                matches!(
                    primitive,
                    Primitive::Polygon { .. }
                        | Primitive::Polyline { .. }
                        | Primitive::Handle { .. }
                )
            });
            assert!(!sketched, "the sketch is gone");
        }
    }
}

#[test]
fn an_edge_can_be_dragged_out_instead_of_two_clicks() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.sweep((10.0, 10.0), (20.0, 10.0));
    desk.click(20.0, 15.0);
    desk.one_step(|desk| {
        desk.key(Key::Enter);
    });
    assert_eq!(
        area(desk.made()).outer,
        [p(10.0, 10.0), p(20.0, 10.0), p(20.0, 15.0)]
    );
}

#[test]
fn a_cancelled_piece_leaves_the_points_before_it() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.clicks(&[(10.0, 10.0), (20.0, 10.0)]);
    desk.press(20.0, 20.0).drag(30.0, 30.0).esc().release();
    desk.click(20.0, 15.0).key(Key::Enter);
    assert_eq!(area(desk.made()).outer.len(), 3);
}

#[test]
fn backspace_and_ctrl_z_take_back_corners_one_by_one() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.clicks(&[
        (1.0, 1.0),
        (9.0, 1.0),
        (9.0, 5.0),
        (40.0, 40.0),
        (50.0, 50.0),
    ]);
    desk.key(Key::Backspace).key(Key::Undo).key(Key::Enter);
    assert_eq!(
        area(desk.made()).outer,
        [p(1.0, 1.0), p(9.0, 1.0), p(9.0, 5.0)]
    );
    // With nothing drawn, Ctrl+Z is the editor's again.
    let handled = desk.send(Event::Key(Key::Undo, Modifiers::CTRL));
    assert_eq!(handled, Handled::No);
}

#[test]
fn corners_are_typed_as_lengths_angles_and_places() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.typed("10,20").key(Key::Enter);
    desk.hover(90.0, 20.0).typed("12.5").key(Key::Enter);
    desk.typed("5<90").key(Key::Enter);
    desk.typed("@-12.5,0").key(Key::Enter);
    desk.key(Key::Enter);
    assert_eq!(area(desk.made()), &rect(10.0..22.5, 20.0..25.0));
}

#[test]
fn typed_text_shows_where_it_leads_before_enter() {
    let mut desk = Desk::open_field().with(ToolKind::RoutePolyline);
    desk.click(10.0, 10.0).hover(20.0, 10.0).typed("3");
    let ends_there = desk.overlay().primitives.iter().any(|primitive| {
        matches!(primitive, Primitive::Polyline { points, .. } if points.last() == Some(&p(13.0, 10.0)))
    });
    assert!(ends_there);
    assert_eq!(desk.hints().entry.as_deref(), Some("3"));
}

#[test]
fn a_length_without_a_point_to_start_from_is_explained() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.no_step(|desk| {
        desk.typed("12").key(Key::Enter);
        assert!(
            desk.trouble().contains("no point yet"),
            "{}",
            desk.trouble()
        );
    });
}

#[test]
fn a_self_crossing_outline_is_shown_and_rejected_until_fixed() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.clicks(&[(10.0, 10.0), (20.0, 20.0), (20.0, 10.0)]);
    desk.hover(10.0, 20.0);
    let invalid = |desk: &Desk| {
        desk.overlay().primitives.iter().any(|primitive| {
            matches!(
                primitive,
                Primitive::Polygon {
                    style: OverlayStyle::Invalid,
                    ..
                }
            )
        })
    };
    assert!(invalid(&desk), "shown before the click");
    desk.click(10.0, 20.0);
    assert!(desk.trouble().contains("crosses itself near 15.00, 15.00"));
    desk.no_step(|desk| {
        desk.key(Key::Enter);
    });
    assert!(desk.trouble().contains("Backspace"));
    desk.key(Key::Backspace);
    assert_eq!(desk.trouble(), "");
    desk.one_step(|desk| {
        desk.key(Key::Enter);
    });
}

#[test]
fn too_few_corners_or_corners_in_line_are_explained() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.no_step(|desk| {
        desk.clicks(&[(1.0, 1.0), (5.0, 1.0)]).key(Key::Enter);
        assert!(desk.trouble().contains("at least 3 corners"));
        desk.click(9.0, 1.0).key(Key::Enter);
        assert!(desk.trouble().contains("one line"), "{}", desk.trouble());
    });
}

#[test]
fn shift_draws_in_steps_of_fifteen_degrees() {
    let mut desk = Desk::open_field().with(ToolKind::RoutePolyline);
    desk.click(10.0, 10.0);
    desk.hold(Modifiers::SHIFT).click(20.3, 10.9);
    desk.click(24.0, 14.2);
    desk.hold(Modifiers::NONE).key(Key::Enter);
    let points = polyline(desk.made());
    assert_eq!(points[1], p(20.0, 10.0));
    let last = points[2] - points[1];
    assert!((last.y.atan2(last.x).to_degrees() - 45.0).abs() < 1e-3);
}

#[test]
fn a_route_ends_with_a_right_click_and_may_come_back_to_its_start() {
    let mut desk = Desk::open_field().with(ToolKind::RoutePolyline);
    desk.clicks(&[(10.0, 10.0), (20.0, 10.0), (20.0, 30.0)]);
    desk.one_step(|desk| {
        desk.right_click(0.0, 0.0);
    });
    assert_eq!(polyline(desk.made()).len(), 3);
    assert_eq!(desk.made().name, "Route 1");
    desk.clicks(&[(40.0, 40.0), (50.0, 40.0), (50.0, 50.0), (40.0, 40.0)]);
    desk.key(Key::Enter);
    assert_eq!(polyline(desk.made()).len(), 3);
    assert!(matches!(
        &desk.made().kind,
        Kind::Route(Route { closed: true, .. })
    ));
    desk.no_step(|desk| {
        desk.click(70.0, 70.0).key(Key::Enter);
        assert!(desk.trouble().contains("at least 2 points"));
    });
}

#[test]
fn a_freehand_route_keeps_the_stroke_and_smooths_by_the_default_tolerance() {
    let mut desk = Desk::open_field().with(ToolKind::RouteFreehand);
    desk.toolbox.defaults.smoothing = 0.4;
    desk.one_step(|desk| {
        desk.press(10.0, 10.0);
        for i in 1..=60 {
            let t = f64::from(i) * 0.1;
            desk.drag(10.0 + 5.0 * t, 10.0 + 3.0 * t.sin());
        }
        desk.release();
    });
    let Kind::Route(Route {
        shape: RouteShape::Freehand { stroke, tolerance },
        closed,
        ..
    }) = &desk.made().kind
    else {
        panic!("a freehand route");
    };
    assert_eq!(*tolerance, 0.4);
    assert!(stroke.len() > 50 && !closed);
}

#[test]
fn a_freehand_loop_is_closed() {
    let mut desk = Desk::open_field().with(ToolKind::RouteFreehand);
    desk.press(40.0, 30.0);
    for i in 1..=40 {
        let angle = f64::from(i) * std::f64::consts::TAU / 40.0;
        desk.drag(30.0 + 10.0 * angle.cos(), 30.0 + 10.0 * angle.sin());
    }
    desk.release();
    assert!(matches!(
        &desk.made().kind,
        Kind::Route(Route { closed: true, .. })
    ));
}

#[test]
fn a_freehand_area_is_simplified_and_never_crosses_itself() {
    let mut desk = Desk::open_field().with(ToolKind::Freehand);
    desk.one_step(|desk| {
        desk.press(40.0, 30.0);
        for i in 1..=80 {
            let angle = f64::from(i) * std::f64::consts::TAU / 80.0;
            desk.drag(30.0 + 10.0 * angle.cos(), 30.0 + 10.0 * angle.sin());
        }
        // A slip of the hand across the beginning.
        desk.drag(40.5, 30.5).drag(39.0, 29.0).release();
    });
    let outline = area(desk.made());
    let exact = std::f64::consts::PI * 100.0;
    assert!((outline.area() - exact).abs() < 0.05 * exact);
    assert!(outline.outer.len() < 60);
    assert!(wayloom::geometry::crossing::first_crossing(outline).is_none());
    desk.no_step(|desk| {
        desk.sweep((60.0, 60.0), (70.0, 60.0));
    });
    assert!(desk.toolbox.take_messages()[0].contains("encloses nothing"));
}

#[test]
fn an_eight_drawn_freehand_becomes_two_areas() {
    let mut desk = Desk::open_field().with(ToolKind::Freehand);
    desk.one_step(|desk| {
        desk.press(50.0, 50.0);
        for i in 1..=120 {
            let t = f64::from(i) * std::f64::consts::TAU / 120.0;
            desk.drag(50.0 + 20.0 * t.sin(), 50.0 + 10.0 * (2.0 * t).sin());
        }
        desk.release();
    });
    assert_eq!(desk.level().obstacles().count(), 2);
    assert_eq!(desk.selection().len(), 2);
}

#[test]
fn a_curve_gets_corners_from_clicks_and_handles_from_drags() {
    let mut desk = Desk::open_field().with(ToolKind::RouteBezier);
    desk.click(10.0, 10.0);
    desk.press(30.0, 10.0).drag(30.0, 15.0).release();
    desk.click(50.0, 10.0);
    desk.one_step(|desk| {
        desk.right_click(0.0, 0.0);
    });
    let Kind::Route(Route {
        shape: RouteShape::Bezier(knots),
        closed: false,
        ..
    }) = &desk.made().kind
    else {
        panic!("a curve");
    };
    assert_eq!(knots.len(), 3);
    assert_eq!(knots[0].handle_out, p(0.0, 0.0));
    assert_eq!(
        (knots[1].handle_in, knots[1].handle_out),
        (p(0.0, -5.0), p(0.0, 5.0))
    );
    desk.clicks(&[(60.0, 60.0), (80.0, 60.0), (80.0, 80.0), (60.2, 60.1)]);
    assert!(matches!(
        &desk.made().kind,
        Kind::Route(Route { closed: true, .. })
    ));
}

#[test]
fn handles_are_written_without_noise() {
    let mut desk = Desk::open_field().with(ToolKind::RouteBezier);
    desk.hold(Modifiers::CTRL);
    desk.press(30.171, 10.1).drag(25.1, 15.3).release();
    desk.click(50.0, 10.0).right_click(0.0, 0.0);
    let Kind::Route(Route {
        shape: RouteShape::Bezier(knots),
        ..
    }) = &desk.made().kind
    else {
        panic!("a curve");
    };
    assert_eq!(knots[0].handle_out, p(-5.071, 5.2));
    assert_eq!(knots[0].handle_in, p(5.071, -5.2));
}

#[test]
fn knots_are_taken_back_and_typed_like_other_points() {
    let mut desk = Desk::open_field().with(ToolKind::RouteBezier);
    desk.clicks(&[(10.0, 10.0), (90.0, 90.0)])
        .key(Key::Backspace);
    desk.typed("6<0").key(Key::Enter).key(Key::Enter);
    let Kind::Route(route) = &desk.made().kind else {
        panic!("a route");
    };
    assert_eq!(route.shape.anchors(), [p(10.0, 10.0), p(16.0, 10.0)]);
}

#[test]
fn a_hole_is_drawn_into_the_area_that_it_lies_in() {
    let mut desk = Desk::yard().with(ToolKind::Hole);
    desk.clicks(&[(12.0, 12.0), (14.0, 12.0), (14.0, 14.0)]);
    desk.one_step(|desk| {
        desk.key(Key::Enter);
    });
    assert_eq!(desk.selected(), [HOUSE]);
    assert_eq!(desk.area(HOUSE).holes.len(), 1);
    assert!(signed_area(&desk.area(HOUSE).holes[0]) < 0.0);
    assert_eq!(desk.area(HOUSE).area(), 98.0);
}

#[test]
fn a_hole_across_the_edge_or_over_another_hole_cuts() {
    let mut desk = Desk::yard().with(ToolKind::Hole);
    desk.clicks(&[(18.0, 12.0), (25.0, 12.0), (25.0, 18.0), (18.0, 18.0)]);
    desk.one_step(|desk| {
        desk.key(Key::Enter);
    });
    assert_eq!(desk.area(HOUSE).area(), 88.0);
    assert!(desk.area(HOUSE).holes.is_empty());
    desk.select(&[]);
    desk.clicks(&[(27.0, 43.0), (30.0, 43.0), (30.0, 49.0), (27.0, 49.0)]);
    desk.one_step(|desk| {
        desk.key(Key::Enter);
    });
    assert_eq!(desk.area(ATRIUM).holes.len(), 1);
    assert_eq!(desk.area(ATRIUM).area(), 144.0 - 16.0 - 10.0);
}

#[test]
fn a_hole_that_cuts_right_through_makes_two() {
    let mut desk = Desk::yard().with(ToolKind::Hole);
    desk.clicks(&[(14.0, 8.0), (16.0, 8.0), (16.0, 22.0), (14.0, 22.0)]);
    desk.one_step(|desk| {
        desk.key(Key::Enter);
    });
    assert_eq!(desk.level().obstacles().count(), 4);
    assert_eq!(desk.area(HOUSE).area(), 40.0);
}

#[test]
fn a_hole_in_nothing_is_explained_and_the_sketch_stays() {
    let mut desk = Desk::yard().with(ToolKind::Hole);
    desk.no_step(|desk| {
        desk.clicks(&[(1.0, 1.0), (4.0, 1.0), (4.0, 4.0)])
            .key(Key::Enter);
        assert!(desk.trouble().contains("no obstacle or region"));
        desk.key(Key::Backspace);
        assert_eq!(desk.trouble(), "");
    });
}

#[test]
fn the_knife_splits_what_it_crosses_and_selects_the_pieces() {
    let mut desk = Desk::yard().with(ToolKind::Knife);
    desk.one_step(|desk| {
        desk.sweep((15.0, 5.0), (15.0, 25.0));
    });
    assert_eq!(desk.level().obstacles().count(), 4);
    assert_eq!(desk.selection().len(), 2);
    let pieces: f64 = desk
        .selection()
        .iter()
        .map(|id| area(desk.level().get(id).expect("a piece")).area())
        .sum();
    assert_eq!(pieces, 100.0);
    assert_eq!(desk.last_step(), "Split");
}

#[test]
fn the_knife_keeps_to_the_selection_and_to_cuts_that_go_through() {
    let mut desk = Desk::yard().with(ToolKind::Knife);
    desk.select(&[SHED]);
    desk.sweep((5.0, 13.0), (40.0, 13.0));
    assert_eq!(desk.level().obstacles().count(), 4);
    assert_eq!(desk.area(HOUSE).area(), 100.0);
    desk.select(&[]);
    desk.no_step(|desk| {
        desk.sweep((15.0, 5.0), (15.0, 15.0));
    });
    assert!(desk.toolbox.take_messages()[0].contains("splits nothing"));
}

#[test]
fn the_knife_splits_holes_regions_and_routes() {
    let mut desk = Desk::yard().with(ToolKind::Knife);
    desk.click(22.0, 46.0).click(66.0, 46.0);
    assert_eq!(desk.level().regions().count(), 2);
    let pieces = desk
        .level()
        .regions()
        .map(|(.., r)| r.area.area())
        .sum::<f64>();
    assert_eq!(pieces, 400.0);
    assert_eq!(desk.level().obstacles().count(), 4);
    desk.select(&[]);
    desk.one_step(|desk| {
        desk.sweep((20.0, 65.0), (20.0, 75.0));
    });
    assert_eq!(polyline(desk.get(ROUTE)), [p(10.0, 70.0), p(20.0, 70.0)]);
    assert_eq!(desk.level().routes().count(), 3);
    assert!(
        desk.level()
            .get(wayloom::base::EntityId::new(LAWN))
            .is_some()
    );
}

#[test]
fn measuring_changes_nothing_and_says_length_angle_and_area() {
    let mut desk = Desk::yard().with(ToolKind::Measure);
    desk.no_step(|desk| {
        desk.hold(Modifiers::CTRL).clicks(&[(1.0, 1.0), (4.0, 1.0)]);
        desk.hover(4.0, 5.0);
        let lead = desk.hints().lead.into_owned();
        assert_eq!(lead, "7.00 m in 2 pieces, 6.00 m² enclosed");
        let labels: Vec<String> = desk
            .overlay()
            .primitives
            .into_iter()
            .filter_map(|primitive| match primitive {
                Primitive::Label { text, .. } => Some(text),
                _ => None,
            })
            .collect();
        assert!(labels.contains(&"3.00 m · 0°".to_owned()), "{labels:?}");
        assert!(labels.contains(&"4.00 m · 90°".to_owned()), "{labels:?}");
        desk.click(4.0, 5.0).key(Key::Enter);
        assert!(desk.hints().lead.starts_with("7.00 m"));
        desk.sweep((10.0, 1.0), (13.0, 1.0));
        assert!(desk.hints().lead.starts_with("3.00 m"));
    });
}

#[test]
fn a_drag_with_an_area_tool_spans_a_rectangle() {
    for tool in [
        ToolKind::TerrainPolygon,
        ToolKind::AnnotationArea,
        ToolKind::CrowdArea,
    ] {
        let mut desk = Desk::open_field().with(tool);
        desk.one_step(|desk| {
            desk.sweep((20.2, 20.1), (40.1, 29.8));
        });
        let made = desk.selected()[0];
        assert_eq!(desk.area(made), &rect(20.0..40.0, 20.0..30.0), "{tool:?}");
        // After a first corner, and along a line, a drag draws a piece.
        desk.no_step(|desk| {
            desk.sweep((60.0, 60.0), (80.0, 60.0));
        });
        desk.click(80.0, 80.0).key(Key::Enter);
        assert_eq!(desk.area(desk.selected()[0]).outer.len(), 3, "{tool:?}");
        desk.no_step(|desk| {
            desk.press(10.0, 10.0).drag(15.0, 15.0).esc();
            desk.release();
        });
    }
}

#[test]
fn the_brush_reports_what_it_picked() {
    let mut desk = Desk::yard().with(ToolKind::TerrainBrush);
    let lawn = desk.area(LAWN).centroid();
    desk.right_click(lawn.x, lawn.y);
    assert!(desk.toolbox.take_news()[0].starts_with("Now painting"));
    assert!(desk.toolbox.take_messages().is_empty());
}

#[test]
fn a_hole_is_dragged_as_a_rectangle() {
    let mut desk = Desk::yard().with(ToolKind::Hole);
    desk.one_step(|desk| {
        desk.sweep((12.1, 12.0), (14.0, 15.1));
    });
    assert_eq!(desk.area(HOUSE).holes.len(), 1);
    assert_eq!(desk.area(HOUSE).area(), 94.0);
}

#[test]
fn switching_tools_reports_unfinished_corners() {
    let mut desk = Desk::open_field().with(ToolKind::Polygon);
    desk.clicks(&[(20.0, 20.0), (30.0, 20.0)]);
    let mut desk = desk.with(ToolKind::Rectangle);
    let news = desk.toolbox.take_news();
    assert!(news[0].contains("unfinished"), "{news:?}");
    let mut desk = desk.with(ToolKind::Polygon);
    assert!(desk.toolbox.take_news().is_empty());
}
