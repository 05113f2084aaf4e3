//! A level as shapes: what each kind of entity looks like, at any scale.
//!
//! [`Scene::draw_entity`] draws one entity at a time, so that a cache can redraw only what changed.

mod agent;
mod annotation;
mod arrows;
mod crowd_places;
mod door;
mod ground;
mod highlight;
mod link;
mod obstacle;
mod relief;
mod route;
mod solid;

use super::label::{Label, Placement, Rank};
use super::layer::Layers;
use super::primitive::{Extent, Glyph, Ink, Plane, Primitive, Shape, Sink, Stroke};
use super::style::{self, Palette};
use crate::base::EntityId;
use crate::document::{Entity, Kind, Level, MeshLibrary, Note, route_line};
use crate::geometry::{Polygon, Rect, Ring};
use glam::DVec2;

pub use ground::draw_grid;
pub use highlight::Highlight;
pub(in crate::preview) use relief::contour;

/// A level in one look (theme).
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    pub level: &'a Level,
    pub palette: &'static Palette,
    /// Meshes of solids that refer to files.
    pub meshes: &'a MeshLibrary,
}

impl Scene<'_> {
    /// Everything that is visible, as far as `layers` shows it.
    pub fn draw(&self, layers: Layers, sink: &mut dyn Sink) {
        let mut sink = Filter { layers, sink };
        self.draw_ground(&mut sink);
        for (id, entity) in self.level.iter() {
            self.draw_entity(id, entity, &mut sink);
        }
    }

    /// One entity with its label; nothing for definitions and hidden entities.
    pub fn draw_entity(&self, id: EntityId, entity: &Entity, sink: &mut dyn Sink) {
        if !entity.kind.name().is_placed() || !self.level.is_visible(id) {
            return;
        }
        let mut pen = Pen {
            sink,
            entity: Some(id),
        };
        match &entity.kind {
            Kind::Region(region) => self.draw_region(entity, region, &mut pen),
            Kind::Obstacle(obstacle) => self.draw_obstacle(entity, obstacle, &mut pen),
            Kind::Solid(solid) => self.draw_solid(entity, solid, &mut pen),
            Kind::Route(route) => self.draw_route(entity, route, &mut pen),
            Kind::Annotation(_) => self.draw_annotation(id, entity, &mut pen),
            Kind::Agent(agent) => self.draw_agent(entity, agent, &mut pen),
            Kind::Crowd(crowd) => self.draw_crowd(id, entity, crowd, &mut pen),
            Kind::Door(door) => self.draw_door(entity, door, &mut pen),
            Kind::Link(link) => self.draw_link(entity, link, &mut pen),
            Kind::Exit(exit) => self.draw_exit(id, entity, &exit.area, &mut pen),
            Kind::WaitingArea(waiting) => {
                self.draw_waiting_area(id, entity, &waiting.area, &mut pen);
            }
            Kind::Queue(queue) => self.draw_queue(entity, queue, &mut pen),
            Kind::Measure(measure) => self.draw_measure(id, entity, measure, &mut pen),
            Kind::Note(note) => self.draw_note(note, &mut pen),
            // Its pieces are drawn.
            Kind::Wall(_)
            | Kind::Terrain(_)
            | Kind::Profile(_)
            | Kind::Flag(_)
            | Kind::Layer
            | Kind::Group
            | Kind::Test(_) => {}
        }
    }

    fn draw_note(&self, note: &Note, pen: &mut Pen<'_>) {
        let p = self.palette;
        pen.add(
            Plane::Notes,
            Primitive::Mark {
                at: note.at,
                turn: 0.0,
                glyph: Glyph::Pin,
                size: Extent::pixels(style::PIN_SIZE),
                fill: Ink::solid(p.note),
                outline: Some(Stroke::pixels(p.halo, 1.5)),
            },
        );
        pen.label(Label {
            placement: Placement::Beside {
                gap: Extent::pixels(style::PIN_SIZE * 0.6),
            },
            ..self.label(note.at, first_line(&note.text), Rank::Note, p.note)
        });
    }

    fn label(
        &self,
        at: DVec2,
        text: impl Into<String>,
        rank: Rank,
        colour: crate::base::Colour,
    ) -> Label {
        // Labels of flat areas stand on the area's own colour: more tint would be hard to read.
        let tint = if rank == Rank::Region { 0.08 } else { 0.35 };
        Label {
            at,
            text: text.into(),
            size: style::LABEL_SIZE,
            ink: Ink::solid(self.palette.text.mix(colour, tint)),
            halo: self.palette.halo,
            placement: Placement::Centred,
            rank,
        }
    }
}

/// Longest text of a label. Unit: characters.
const LABEL_LENGTH: usize = 32;

/// The first line of a text, cut at [`LABEL_LENGTH`].
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    if line.chars().count() <= LABEL_LENGTH {
        return line.to_owned();
    }
    let cut: String = line.chars().take(LABEL_LENGTH - 1).collect();
    format!("{}…", cut.trim_end())
}

/// Adds shapes of one entity.
struct Pen<'s> {
    sink: &'s mut dyn Sink,
    entity: Option<EntityId>,
}

impl Pen<'_> {
    fn add(&mut self, plane: Plane, primitive: Primitive) {
        self.add_from(plane, 0.0, primitive);
    }

    /// Adds a shape shown only from this scale on. Unit: pixels per metre.
    fn add_from(&mut self, plane: Plane, min_scale: f64, primitive: Primitive) {
        self.sink.add(Shape {
            plane,
            entity: self.entity,
            min_scale,
            primitive,
        });
    }

    fn label(&mut self, label: Label) {
        if !label.text.is_empty() {
            self.add(Plane::Labels, Primitive::Text(label));
        }
    }
}

struct Filter<'s> {
    layers: Layers,
    sink: &'s mut dyn Sink,
}

impl Sink for Filter<'_> {
    fn add(&mut self, shape: Shape) {
        if self.layers.show(&shape) {
            self.sink.add(shape);
        }
    }
}

/// Where the name of a line stands that runs in a direction: not on the line.
fn beside_line(direction: DVec2, gap: Extent) -> Placement {
    if direction.y.abs() > direction.x.abs() {
        Placement::Beside { gap }
    } else {
        Placement::Above { gap }
    }
}

fn rings(polygon: &Polygon) -> Vec<Ring> {
    polygon.rings().cloned().collect()
}

/// The scale from which something of this size is worth drawing.
fn scale_for(size: DVec2) -> f64 {
    style::SMALLEST_SHAPE / size.max_element().max(1e-9)
}

/// Best label position on a polygon and the room there: the middle if there is room, else where the
/// polygon is widest and highest.
fn label_room(polygon: &Polygon) -> (DVec2, DVec2) {
    let centre = polygon.centroid();
    let height = polygon.bounds().size().y;
    let room_at = |at: DVec2, (left, right): (f64, f64)| {
        let width = 2.0 * (at.x - left).min(right - at.x);
        let above_and_below = 2.0 * polygon.distance_to_edge(at);
        (at, DVec2::new(width, above_and_below.min(height)))
    };
    let rows = [0.0, 0.15, -0.15, 0.3, -0.3, 0.4, -0.4];
    let candidates = rows.into_iter().filter_map(|share| {
        let y = centre.y + share * height;
        let (left, right) = widest_chord(polygon, y)?;
        let middle = DVec2::new((left + right) * 0.5, y);
        let centred = share == 0.0 && left < centre.x && centre.x < right;
        Some(room_at(
            if centred { centre } else { middle },
            (left, right),
        ))
    });
    // Text is about six times as wide as it is high; another row must be clearly better.
    let score = |room: DVec2| room.x.min(room.y * 6.0);
    candidates
        .reduce(|best, next| {
            if score(next.1) > 1.3 * score(best.1) {
                next
            } else {
                best
            }
        })
        .unwrap_or((centre, DVec2::ZERO))
}

/// The longest stretch of a horizontal line that lies inside the polygon.
fn widest_chord(polygon: &Polygon, y: f64) -> Option<(f64, f64)> {
    let mut crossings: Vec<f64> = polygon
        .edges()
        .filter(|(a, b)| (a.y <= y) != (b.y <= y))
        .map(|(a, b)| a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
        .collect();
    crossings.sort_by(f64::total_cmp);
    crossings
        .chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .reduce(|best, next| {
            if next.1 - next.0 > best.1 - best.0 {
                next
            } else {
                best
            }
        })
}

/// What an image of the whole level must cover: the bounds and everything drawn.
#[must_use]
pub fn extent(level: &Level) -> Rect {
    level
        .iter()
        .filter_map(|(_, entity)| match &entity.kind {
            // Handles extend beyond the curve.
            Kind::Route(route) => Some(Rect::of_points(route_line(route).points())),
            _ => entity.bounds(),
        })
        .fold(level.settings().bounds, |all, bounds| all.union(&bounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_stands_inside_even_a_crescent() {
        let crescent = Polygon::new(vec![
            DVec2::new(0.0, 0.0),
            DVec2::new(10.0, 0.0),
            DVec2::new(10.0, 2.0),
            DVec2::new(2.0, 2.0),
            DVec2::new(2.0, 8.0),
            DVec2::new(10.0, 8.0),
            DVec2::new(10.0, 10.0),
            DVec2::new(0.0, 10.0),
        ]);
        let (at, room) = label_room(&crescent);
        assert!(crescent.contains(at), "{at}");
        assert!(room.x > 0.0);
        assert_eq!(label_room(&Polygon::default()).1, DVec2::ZERO);
    }

    proptest::proptest! {
        #[test]
        fn the_widest_chord_is_the_longest_stretch_inside(
            heights in proptest::collection::vec((0.5..9.0, -9.0..-0.5), 3..9),
            y in -10.0..10.0_f64,
        ) {
            // A comb: teeth of random heights above and below a line.
            let upper = heights.iter().enumerate().map(|(i, (top, _))| DVec2::new(i as f64 + 0.5 * (i % 2) as f64, *top));
            let lower = heights.iter().enumerate().rev().map(|(i, (_, low))| DVec2::new(i as f64, *low));
            let polygon = Polygon::new(upper.chain(lower).collect());
            // Sampled between all places where the line may enter or leave.
            let step = 1.0 / 512.0;
            let mut longest = 0.0_f64;
            let mut run = 0.0;
            for i in -512..=10 * 512 {
                let x = (f64::from(i) + 0.5) * step;
                run = if polygon.contains(DVec2::new(x, y)) { run + step } else { 0.0 };
                longest = longest.max(run);
            }
            let (left, right) = widest_chord(&polygon, y).unwrap_or_default();
            proptest::prop_assert!((right - left - longest).abs() <= 2.0 * step, "{left}..{right}, {longest} sampled");
            let middle = DVec2::new((left + right) * 0.5, y);
            proptest::prop_assert!(right - left < 4.0 * step || polygon.contains(middle));
        }
    }

    #[test]
    fn long_notes_are_cut_at_their_first_line() {
        assert_eq!(first_line("Gate\nopens at six"), "Gate");
        let cut = first_line(&"word ".repeat(30));
        assert!(cut.ends_with('…') && cut.chars().count() <= LABEL_LENGTH);
    }
}
