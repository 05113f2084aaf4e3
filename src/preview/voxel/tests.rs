//! What is drawn covers exactly the cells it represents.

use super::*;
use crate::document::template::{Options, Template};
use crate::document::{Level, Profile};
use crate::geometry::{Rect, VoxelFrame};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle};
use crate::planner::human::{Subject, VoxelReport};
use crate::preview::primitive::{Primitive, Shape};
use crate::preview::{Look, Plane};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

fn rooms() -> Level {
    let template = Template::by_name("rooms").expect("a sample");
    template.build(&Options::default()).expect("valid")
}

fn bake(level: &Level) -> NavBundle {
    let request = BakeRequest::of(std::sync::Arc::new(level.clone()));
    NavBundle::bake(request, &JobContext::default()).expect("not cancelled")
}

fn chart(level: &Level) -> VoxelReport {
    let bundle = bake(level);
    let subject = Subject::of(level, []);
    VoxelReport::of(&bundle, subject, &JobContext::default())
        .expect("not cancelled")
        .expect("small enough")
}

fn view(chart: &VoxelReport) -> CellView<'_> {
    CellView {
        reachability: &chart.reachability,
        storey: chart.storey(None),
        against: None,
    }
}

/// The columns that shapes cover, with their counts.
fn columns(shapes: &[Shape], plane: Plane, frame: &VoxelFrame) -> BTreeMap<[u32; 2], u32> {
    let mut found = BTreeMap::new();
    for shape in shapes.iter().filter(|shape| shape.plane == plane) {
        let Primitive::Cells { rects, .. } = &shape.primitive else {
            continue;
        };
        for Rect { min, max } in rects {
            let low = ((*min - frame.origin.truncate()) / frame.cell).round();
            let high = ((*max - frame.origin.truncate()) / frame.cell).round();
            for y in low.y as u32..high.y as u32 {
                for x in low.x as u32..high.x as u32 {
                    *found.entry([x, y]).or_default() += 1;
                }
            }
        }
    }
    found
}

#[test]
fn every_cell_of_a_layer_is_covered_once() {
    let level = rooms();
    let chart = chart(&level);
    let view = view(&chart);
    let reachability = &chart.reachability;
    let surfaces = reachability.surfaces();
    for (layer, plane) in [
        (CellLayer::Surfaces, Plane::SurfaceCells),
        (CellLayer::Reachable, Plane::ReachableCells),
        (CellLayer::Forbidden, Plane::ForbiddenCells),
        (CellLayer::Front, Plane::FrontCells),
    ] {
        let mut shapes: Vec<Shape> = Vec::new();
        draw_cells(&view, layer, Look::Dark.palette(), &mut shapes);
        let drawn = columns(&shapes, plane, &surfaces.frame);
        let mut expected = BTreeMap::new();
        for id in surfaces.ids() {
            let standing = reachability.standing(id);
            let meant = match layer {
                CellLayer::Surfaces => true,
                CellLayer::Reachable => {
                    matches!(standing, Standing::Reached(_) | Standing::Squeezed(_))
                }
                CellLayer::Forbidden => surfaces.cells()[id.index()].forbidden,
                _ => matches!(standing, Standing::Reached(_)),
            };
            if meant {
                let cell = &surfaces.cells()[id.index()];
                expected.insert([u32::from(cell.x), u32::from(cell.y)], 1);
            }
        }
        assert!(!expected.is_empty(), "{layer:?}");
        assert_eq!(drawn, expected, "{layer:?}");
    }
}

#[test]
fn the_bands_of_a_front_make_up_the_whole_and_a_part_is_what_is_left() {
    let level = rooms();
    let chart = chart(&level);
    let view = view(&chart);
    let front = chart.reachability.front().expect("there is an agent");
    let bands: Vec<Band> = view.bands().collect();
    assert!(bands.len() <= BANDS as usize && bands.len() > 10);
    assert_eq!(bands[0].low, 0);
    assert_eq!(bands[bands.len() - 1].high as usize, front.level_count());
    assert!(bands.windows(2).all(|pair| pair[0].high == pair[1].low));
    // Triangles cover as much as cells do, band by band.
    let frame = &chart.reachability.surfaces().frame;
    let area = |mesh: &crate::preview::mesh::Mesh| -> f64 {
        let corner = |i: u32| DVec2::from(mesh.vertices[i as usize].position.map(f64::from));
        mesh.indices
            .chunks_exact(3)
            .map(|t| {
                let [a, b, c] = [corner(t[0]), corner(t[1]), corner(t[2])];
                0.5 * (b - a).perp_dot(c - a).abs()
            })
            .sum()
    };
    let origin = level.settings().bounds.centre();
    let layers = [CellLayer::Front];
    let ctx = JobContext::default();
    let parts = plan_parts(&view, &layers, Look::Dark, origin, &ctx).expect("runs");
    let (mut covered, mut revisions) = (0.0, std::collections::BTreeSet::new());
    for part in &parts {
        covered += area(&part.mesh);
        assert!(revisions.insert(part.revision));
    }
    let whole = front.cells().len() as f64 * frame.cell * frame.cell;
    assert!((covered / whole - 1.0).abs() < 1e-3, "{covered} of {whole}");
    // Half a band has the cells of its first levels.
    let band = bands[3];
    let up_to = band.low + (band.high - band.low).div_ceil(2);
    let part = plan::front_part(&view, band, up_to, Look::Dark.palette(), origin).expect("some");
    let cells: usize = (band.low..up_to)
        .map(|l| front.cells_at(l as usize).len())
        .sum();
    let expected = cells as f64 * frame.cell * frame.cell;
    assert!((area(&part.mesh) / expected - 1.0).abs() < 1e-3);
    ctx.cancel();
    assert!(plan_parts(&view, &layers, Look::Dark, origin, &ctx).is_err());
}

#[test]
fn faces_in_space_lie_on_the_cells_and_boxes_fill_what_is_solid() {
    let level = rooms();
    let chart = chart(&level);
    let view = view(&chart);
    let reachability = &chart.reachability;
    let palette = Look::Light.palette();
    let layer = space_layer(&view, CellLayer::Reachable, palette, DVec3::ZERO);
    let area: f64 = layer
        .indices
        .chunks_exact(3)
        .map(|t| {
            let at = |i: u32| DVec3::from(layer.vertices[i as usize].position.map(f64::from));
            0.5 * (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0])).z
        })
        .sum();
    let frame = &reachability.surfaces().frame;
    let whole = reachability.reached()[1] as f64 * frame.cell * frame.cell;
    assert!(
        (area / whole - 1.0).abs() < 1e-3,
        "{area} of {whole}, and facing up"
    );

    let solid = space_layer(&view, CellLayer::Occupied, palette, DVec3::ZERO);
    let volume: f64 = solid
        .boxes
        .iter()
        .map(|b| b.half.iter().map(|h| 2.0 * f64::from(*h)).product::<f64>())
        .sum();
    let grid = &reachability.voxels.voxels.grid;
    let mut cells = 0_u64;
    for y in 0..frame.size[1] {
        for x in 0..frame.size[0] {
            let spans = grid.column(x, y).iter();
            cells += spans.map(|s| u64::from(s.top - s.bottom) + 1).sum::<u64>();
        }
    }
    let expected = cells as f64 * frame.cell * frame.cell * frame.layer;
    assert!(
        (volume / expected - 1.0).abs() < 1e-3,
        "{volume} of {expected}"
    );
    assert!(
        solid.boxes.len() * 20 < cells as usize,
        "{} boxes",
        solid.boxes.len()
    );
}

#[test]
fn a_plain_of_many_cells_is_few_rectangles_soon() {
    // Half a million in the long version.
    let side = if std::env::var("WAYLOOM_CASES").is_ok() {
        180.0
    } else {
        50.0
    };
    let mut level = Level::default();
    let mut settings = (**level.settings()).clone();
    settings.bounds = Rect::new(DVec2::ZERO, DVec2::splat(side));
    let edits = [crate::document::Edit::Settings(std::sync::Arc::new(
        settings,
    ))];
    level = crate::document::ops::apply(&level, &edits).expect("valid");
    let bundle = bake(&level);
    let ctx = JobContext::default();
    let subject = Subject {
        agent: None,
        profile_id: None,
        profile: Profile::default(),
        start: Some(DVec3::new(20.0, 20.0, 0.0)),
    };
    let chart = VoxelReport::of(&bundle, subject, &ctx)
        .expect("runs")
        .expect("fits");
    assert!(chart.reachability.reached()[0] as f64 > 15.0 * side * side);
    let started = std::time::Instant::now();
    let view = view(&chart);
    let layers = [
        CellLayer::Occupied,
        CellLayer::Reachable,
        CellLayer::Borders,
    ];
    let parts = plan_parts(&view, &layers, Look::Dark, DVec2::ZERO, &ctx).expect("runs");
    let triangles: usize = parts.iter().map(|part| part.mesh.indices.len() / 3).sum();
    assert!(triangles < 100, "{triangles}");
    // A tenth of a second optimised; generous for a busy machine and an unoptimised build.
    assert!(started.elapsed().as_secs() < 8, "{:?}", started.elapsed());
}
