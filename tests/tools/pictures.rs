//! Every tool in the middle of its work, as pictures to look at:
//! `cargo test --test tools -- --ignored pictures` writes them to `target/tools`.

use crate::desk::{ATRIUM, CURVE, Desk, HOUSE, SCALE, SHED, view};
use glam::DVec2;
use resvg::{tiny_skia, usvg};
use std::sync::Arc;
use wayloom::geometry::Rect;
use wayloom::interaction::{Key, Modifiers, ToolKind};
use wayloom::preview::{Layers, Look, Scene, frame::Frame, svg::Svg, typeface};

fn save(desk: &Desk, name: &str) {
    for look in Look::ALL {
        let size = DVec2::splat(1000.0);
        let frame = Frame {
            size,
            map: Rect::new(DVec2::ZERO, size),
            view: view().visible,
            pixels_per_metre: SCALE,
            ui_scale: 1.0,
        };
        let palette = look.palette();
        let mut svg = Svg::new(frame, palette);
        let level = desk.level();
        Scene { level, palette }.draw(Layers::ALL, &mut svg);
        desk.overlay().draw(palette, &view(), &mut svg);
        let text = svg.finish(name, |_| {});
        let mut fonts = usvg::fontdb::Database::new();
        fonts.load_font_data(typeface::BYTES.to_vec());
        let options = usvg::Options {
            font_family: typeface::FAMILY.to_owned(),
            fontdb: Arc::new(fonts),
            ..usvg::Options::default()
        };
        let tree = usvg::Tree::from_str(&text, &options).expect("the picture is SVG");
        let mut pixels = tiny_skia::Pixmap::new(1000, 1000).expect("there is memory");
        resvg::render(
            &tree,
            tiny_skia::Transform::identity(),
            &mut pixels.as_mut(),
        );
        let folder = std::path::Path::new("target/tools");
        std::fs::create_dir_all(folder).expect("the folder can be made");
        let file = folder.join(format!("{name}-{}.png", look.name()));
        pixels.save_png(file).expect("the picture can be written");
    }
}

#[test]
#[ignore = "for the eye"]
fn pictures_of_every_tool_at_work() {
    let mut desk = Desk::yard().with(ToolKind::Polygon);
    desk.clicks(&[(45.0, 8.0), (60.0, 8.0), (64.0, 20.0)]);
    desk.hover(45.3, 20.2);
    save(&desk, "polygon");
    desk.click(52.0, 2.0).hover(48.0, 24.0);
    save(&desk, "polygon-crossing");

    let mut desk = Desk::yard().with(ToolKind::Rectangle);
    desk.press(45.0, 8.0).drag(62.3, 19.8);
    save(&desk, "rectangle");

    let mut desk = Desk::yard().with(ToolKind::RouteBezier);
    desk.click(40.0, 10.0)
        .press(50.0, 20.0)
        .drag(55.0, 24.0)
        .release();
    desk.hover(64.0, 12.0);
    save(&desk, "curve");

    for (tool, name) in [
        (ToolKind::Move, "move"),
        (ToolKind::Rotate, "rotate"),
        (ToolKind::Scale, "scale"),
    ] {
        let mut desk = Desk::yard().with(tool);
        desk.select(&[HOUSE, SHED]).hover(36.0, 20.0);
        save(&desk, name);
    }
    let mut desk = Desk::yard().with(ToolKind::Rotate);
    desk.select(&[HOUSE]);
    desk.press(15.0, 15.0 + 8.47).drag(8.0, 20.0);
    save(&desk, "rotating");
    let mut desk = Desk::yard().with(ToolKind::Scale);
    desk.select(&[HOUSE]);
    desk.press(20.0, 20.0).drag(26.0, 28.0);
    save(&desk, "scaling");

    let mut desk = Desk::yard();
    desk.press(19.0, 11.0).drag(28.9, 11.2);
    save(&desk, "moving");
    desk.esc().release();
    desk.press(66.0, 45.0).drag(99.0, 5.0);
    save(&desk, "marquee-inside");
    desk.esc().release();
    desk.press(40.0, 24.0).drag(5.0, 5.0);
    save(&desk, "marquee-touching");

    let mut desk = Desk::yard().with(ToolKind::Vertices);
    desk.select(&[ATRIUM, CURVE])
        .click(36.0, 52.0)
        .hover(30.0, 40.0);
    save(&desk, "vertices");
    desk.press(24.0, 40.0).drag(38.0, 56.0);
    save(&desk, "vertices-crossing");

    let mut desk = Desk::yard().with(ToolKind::TerrainBrush);
    desk.press(55.0, 50.0).drag(65.0, 55.0).drag(70.0, 65.0);
    save(&desk, "brush");
    let mut desk = Desk::yard().with(ToolKind::TerrainBrush);
    desk.hold(Modifiers::ALT).press(55.0, 50.0).drag(65.0, 55.0);
    save(&desk, "eraser");

    let mut desk = Desk::yard().with(ToolKind::Knife);
    desk.press(8.0, 12.0).drag(40.0, 17.0);
    save(&desk, "knife");

    let mut desk = Desk::yard().with(ToolKind::Measure);
    desk.clicks(&[(40.0, 10.0), (60.0, 10.0), (60.0, 22.0)])
        .hover(44.0, 28.0);
    save(&desk, "measure");

    let mut desk = Desk::yard().with(ToolKind::Agent);
    desk.press(45.0, 10.0).drag(60.0, 18.0);
    save(&desk, "agent");

    let mut desk = Desk::yard().with(ToolKind::AnnotationRelation);
    desk.click(15.0, 15.0).key(Key::Tab).key(Key::Tab);
    save(&desk, "relation");

    let mut desk = Desk::yard().with(ToolKind::SolidStairs);
    desk.press(45.0, 10.0).drag(60.0, 14.0);
    save(&desk, "stairs");
}
