//! What WKT and GeoJSON readers find, and how it becomes a level.

mod builder;
mod options;
mod walkable;

pub use options::DrawingOptions;
pub(super) use options::{MARGIN, SCALE};

use self::builder::Builder;
use self::walkable::{complement, take_walkable};
use super::{Coordinates, ImportError, Imported, Source, projection::Projection};
use crate::base::{Colour, EntityId};
use crate::document::{
    Edit, Entity, Level, Pattern, Profile, Settings, Terrain, limits,
    ops::{self, EditError},
};
use crate::exchange::Polygons;
use crate::geometry::{MAX_COORDINATE, Polygon, Rect, Ring};
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Points that all files of one import may hold together.
pub(super) const MAX_POINTS: usize = 500_000;

/// Extents up to this may be degrees. Unit: degrees.
const MAX_DEGREES: f64 = 1.0;

pub(super) const DEFAULT_PROFILE: &str = "Pedestrian";

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Polygon(Polygon),
    Line { points: Vec<DVec2>, closed: bool },
    Point(DVec3),
}

impl Shape {
    fn points(&self) -> Vec<DVec2> {
        match self {
            Self::Polygon(polygon) => polygon.points().copied().collect(),
            Self::Line { points, .. } => points.clone(),
            Self::Point(place) => vec![place.truncate()],
        }
    }
}

/// What a feature says that it is; unsaid, its shape decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Unsaid,
    Obstacle,
    Walkable,
    Region,
    Annotation,
    Crowd,
    Route,
    Note,
    Agent,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Feature {
    pub shape: Shape,
    pub role: Role,
    pub name: String,
    pub text: String,
    pub terrain: Option<String>,
    pub profile: Option<String>,
    pub tags: BTreeSet<String>,
    pub base: Option<f64>,
    pub height: Option<f64>,
    /// Unit: degrees.
    pub facing: Option<f64>,
    pub count: Option<f64>,
    pub goals: Vec<DVec3>,
}

impl Feature {
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            role: Role::Unsaid,
            name: String::new(),
            text: String::new(),
            terrain: None,
            profile: None,
            tags: BTreeSet::new(),
            base: None,
            height: None,
            facing: None,
            count: None,
            goals: Vec::new(),
        }
    }
}

/// Everything that was read, in the file's own coordinates.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub features: Vec<Feature>,
    pub name: Option<String>,
    pub notes: Option<String>,
    pub bounds: Option<Rect>,
    pub terrains: BTreeMap<String, Terrain>,
    pub profiles: BTreeMap<String, KnownProfile>,
    pub base_terrain: Option<String>,
    /// What `Auto` stands for here; `Auto` again to look at the shapes.
    pub polygons: Polygons,
    pub coordinates: Coordinates,
    pub warnings: Warnings,
}

/// A profile whose terrain weights go by name.
#[derive(Clone, Debug)]
pub(super) struct KnownProfile {
    pub profile: Profile,
    pub terrain_weights: BTreeMap<String, f64>,
}

/// Sentences for people: some, and the number of the others.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    list: Vec<String>,
    more: usize,
}

impl Warnings {
    const MOST: usize = 50;

    pub fn add(&mut self, sentence: impl Into<String>) {
        if self.list.len() < Self::MOST {
            self.list.push(sentence.into());
        } else {
            self.more += 1;
        }
    }

    pub fn into_list(mut self) -> Vec<String> {
        if self.more > 0 {
            self.list
                .push(format!("… and {} more of the kind", self.more));
        }
        self.list
    }
}

/// A name from a foreign file: one line, not too long.
pub(super) fn name(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(limits::MAX_NAME)
        .collect();
    line.trim().to_owned()
}

/// The file's name without folder and endings.
pub(super) fn stem(sources: &[Source]) -> String {
    let file = sources.first().map_or("", |source| &source.name);
    let stem = Path::new(file).file_stem().unwrap_or_default();
    name(&stem.to_string_lossy())
}

/// How ground of a well-known name looks and costs; a plain one for others.
pub(super) fn usual_terrain(name: &str) -> Terrain {
    let (colour, pattern, weight) = match name.to_lowercase().as_str() {
        "grass" | "meadow" | "park" => (0x7fa650, Pattern::Tufts, 1.5),
        "forest" | "wood" => (0x4f7a46, Pattern::Tufts, 2.0),
        "road" | "street" | "asphalt" => (0x8c9097, Pattern::Plain, 1.0),
        "sidewalk" | "pavement" | "footway" => (0xb9b4aa, Pattern::Bricks, 1.0),
        "sand" => (0xd8c48a, Pattern::Dots, 2.0),
        "mud" => (0x7a5c42, Pattern::Hatch, 3.0),
        "swamp" | "marsh" => (0x5d7a5a, Pattern::CrossHatch, 2.0),
        "water" => (0x4a8fc2, Pattern::Waves, 10.0),
        _ => (0xa8a294, Pattern::Plain, 1.0),
    };
    Terrain::new(Colour::hex(colour), pattern, weight)
}

/// Hands out ids, collects edits.
#[derive(Debug)]
pub(super) struct Draft {
    edits: Vec<Edit>,
    next_id: EntityId,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            edits: Vec::new(),
            next_id: EntityId::new(1),
        }
    }
}

impl Draft {
    pub fn create(&mut self, entity: Entity) -> EntityId {
        let id = self.next_id;
        self.next_id = id.next();
        self.edits.push(Edit::create(id, entity));
        id
    }

    pub fn level(mut self, settings: Settings, file: &str) -> Result<Level, ImportError> {
        self.edits.push(Edit::Settings(Arc::new(settings)));
        ops::apply(&Level::default(), &self.edits)
            .map_err(|refused| ImportError::within(file, refused.to_string()))
    }
}

pub(super) fn level(
    mut drawing: Drawing,
    sources: &[Source],
    options: &DrawingOptions,
    context: &JobContext,
) -> Result<Imported, ImportError> {
    let file = sources.first().map_or("", |source| &source.name);
    context.stage("Placing shapes");
    if drawing.features.len() > limits::MAX_ENTITIES {
        let message = EditError::Full.to_string() + "; take a part of the file";
        return Err(ImportError::within(file, message));
    }
    let mut warnings = std::mem::take(&mut drawing.warnings);
    drawing
        .features
        .retain_mut(|feature| is_usable(&mut feature.shape, &mut warnings));
    let extent = drawing
        .features
        .iter()
        .flat_map(|feature| feature.shape.points())
        .chain(
            drawing
                .features
                .iter()
                .flat_map(|f| f.goals.iter().map(|g| g.truncate())),
        )
        .fold(drawing.bounds.unwrap_or(Rect::EMPTY), |all, p| {
            all.including(p)
        });
    if extent.is_empty() {
        return Err(ImportError::within(
            file,
            "there is nothing in it to import: no polygon, line or point",
        ));
    }
    let degrees = is_in_degrees(&drawing, &extent, options, &mut warnings);
    let projection = Projection::new(&extent, degrees, options);
    projection.check(&extent, file)?;
    place(&mut drawing, &projection);
    context.checkpoint()?;

    context.stage("Combining areas");
    let bounds = drawing
        .bounds
        .unwrap_or_else(|| bounds_around(&drawing.features, options.margin));
    let walkable = take_walkable(&mut drawing, options, &mut warnings);
    let blocked = complement(&bounds, &walkable, file)?;
    context.checkpoint()?;

    let builder = Builder {
        draft: Draft::default(),
        terrains: BTreeMap::new(),
        profiles: BTreeMap::new(),
        warnings,
        known_terrains: drawing.terrains,
        known_profiles: drawing.profiles,
    };
    let settings = Settings {
        name: drawing.name.unwrap_or_else(|| stem(sources)),
        notes: drawing.notes.unwrap_or_default(),
        bounds,
        ..Settings::default()
    };
    builder.level(
        drawing.features,
        blocked,
        drawing.base_terrain,
        settings,
        file,
    )
}

/// Whether anything is left of a shape once repeated points are gone.
fn is_usable(shape: &mut Shape, warnings: &mut Warnings) -> bool {
    let clean = |ring: &mut Ring| {
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        ring.len() >= 3
    };
    match shape {
        Shape::Polygon(polygon) => {
            let holes = polygon.holes.len();
            polygon.holes.retain_mut(clean);
            if polygon.holes.len() < holes {
                warnings.add("a hole with fewer than 3 different points was left out");
            }
            let usable = clean(&mut polygon.outer);
            if !usable {
                warnings.add("a polygon with fewer than 3 different points was left out");
            }
            usable
        }
        Shape::Line { points, closed } => {
            points.dedup();
            if points.len() > 3 && points.first() == points.last() {
                points.pop();
                *closed = true;
            }
            if points.is_empty() {
                warnings.add("a line without points was left out");
            }
            !points.is_empty()
        }
        Shape::Point(_) => true,
    }
}

fn is_in_degrees(
    drawing: &Drawing,
    extent: &Rect,
    options: &DrawingOptions,
    warnings: &mut Warnings,
) -> bool {
    let custom = match options.coordinates {
        Coordinates::Auto => drawing.coordinates,
        said => said,
    };
    match custom {
        Coordinates::Plane => false,
        Coordinates::Degrees => true,
        Coordinates::Auto => {
            let on_earth = Rect::new(DVec2::new(-180.0, -90.0), DVec2::new(180.0, 90.0));
            let degrees =
                on_earth.contains_rect(extent) && extent.size().max_element() <= MAX_DEGREES;
            let (taken, other) = if degrees {
                ("longitude and latitude in degrees", "plane")
            } else {
                ("metres in the plane", "degrees")
            };
            warnings.add(format!(
                "coordinates were taken as {taken}; if they are not, import with \
                 --coordinates {other}"
            ));
            degrees
        }
    }
}

fn place(drawing: &mut Drawing, projection: &Projection) {
    let place = |p: &mut DVec3| *p = projection.place(p.truncate()).extend(p.z);
    for feature in &mut drawing.features {
        match &mut feature.shape {
            Shape::Polygon(polygon) => {
                for p in polygon.rings_mut().flatten() {
                    *p = projection.place(*p);
                }
            }
            Shape::Line { points, .. } => {
                for p in points {
                    *p = projection.place(*p);
                }
            }
            Shape::Point(p) => place(p),
        }
        feature.goals.iter_mut().for_each(place);
    }
    drawing.bounds = drawing
        .bounds
        .map(|bounds| Rect::new(projection.place(bounds.min), projection.place(bounds.max)));
}

/// The drawing and a margin, at least a metre each way, and within what a level may span. An
/// automatic margin ends at whole metres.
fn bounds_around(features: &[Feature], margin: Option<f64>) -> Rect {
    let drawn = features
        .iter()
        .flat_map(|feature| feature.shape.points())
        .fold(Rect::EMPTY, |all, p| all.including(p));
    let bounds = match margin {
        Some(margin) => drawn.expanded(margin),
        None => {
            let margin = (0.05 * drawn.size().max_element()).clamp(1.0, 10.0);
            let grown = drawn.expanded(margin);
            Rect::new(grown.min.floor(), grown.max.ceil())
        }
    };
    let half_size = (bounds.size() * 0.5).max(DVec2::splat(0.5));
    let bounds = bounds.union(&Rect::around(bounds.centre(), half_size));
    let limit = Rect::around(DVec2::ZERO, DVec2::splat(MAX_COORDINATE));
    Rect::new(limit.clamp(bounds.min), limit.clamp(bounds.max))
}
