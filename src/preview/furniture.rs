//! What stands beside the map on a picture: title, scale bar, legend.

use super::constraint::FieldMap;
use super::crowd::{HeatSet, service_names};
use super::frame::Frame;
use super::overlays::{self, OverlayId, Overlays, Swatch};
use super::primitive::{Fill, Ink, Stroke};
use super::step;
use super::style::Palette;
use super::svg::{FillPaint, Number, SvgText};
use super::texture;
use crate::base::{Colour, EntityId};
use crate::document::{Kind, Level};
use crate::geometry::Rect;
use crate::sim::measures::HeatKind;
use glam::DVec2;
use std::collections::BTreeSet;

/// Unit of these: pixels, times the frame's `ui_scale`.
const TITLE_SIZE: f64 = 20.0;
const TEXT_SIZE: f64 = 12.5;
const ROW: f64 = 22.0;
const SWATCH: DVec2 = DVec2::new(22.0, 14.0);
/// The scale bar is about this long.
const BAR_LENGTH: f64 = 140.0;

pub fn title(out: &mut SvgText, frame: &Frame, palette: &Palette, text: &str) {
    let size = TITLE_SIZE * frame.ui_scale;
    let at = DVec2::new(frame.map.min.x, frame.map.min.y - size * 0.95);
    out.text(at, size, Ink::solid(palette.text), None, text);
}

/// A bar of a round length with its end marks, below the map on the left.
pub fn scale_bar(out: &mut SvgText, frame: &Frame, palette: &Palette) {
    let s = frame.ui_scale;
    let longest = (BAR_LENGTH * s).min(frame.map.size().x * 0.5);
    let metres = step::round_down(longest / frame.pixels_per_metre);
    let length = metres * frame.pixels_per_metre;
    let (x, y) = (frame.map.min.x, frame.map.max.y + 21.0 * s);
    out.push(format_args!(
        "<path d=\"M{x} {up}V{down}M{x} {mid}H{end}M{end} {up}V{down}\" fill=\"none\" \
         stroke=\"{}\" stroke-width=\"{}\"/>\n",
        palette.text_muted,
        Number(1.6 * s),
        x = Number(x),
        end = Number(x + length),
        mid = Number(y),
        up = Number(y - 4.0 * s),
        down = Number(y + 4.0 * s),
    ));
    let at = DVec2::new(x + length + 9.0 * s, y);
    let ink = Ink::solid(palette.text_muted);
    out.text(at, TEXT_SIZE * s, ink, None, &step::length_text(metres));
}

/// The terrains and profiles that the level uses, in its order, and what is shown over it.
#[derive(Debug, Default)]
pub struct Legend {
    terrains: Vec<(String, Fill)>,
    profiles: Vec<(String, Colour)>,
    overlays: Vec<(String, Vec<Colour>)>,
    lines: Vec<(String, Stroke)>,
}

impl Legend {
    #[must_use]
    pub fn of(level: &Level, palette: &Palette) -> Self {
        let base = level.settings().base_terrain;
        let terrains: BTreeSet<EntityId> = level
            .regions()
            .map(|(_, _, region)| region.terrain)
            .chain(base)
            .collect();
        let profiles: BTreeSet<EntityId> = level
            .iter()
            .filter_map(|(_, entity)| entity.mission())
            .map(|mission| mission.profile)
            .collect();
        let mut legend = Self::default();
        for (id, entity) in level.iter() {
            match &entity.kind {
                Kind::Terrain(terrain) if terrains.contains(&id) => {
                    let fill = palette.terrain_fill(terrain);
                    legend.terrains.push((entity.label(id), fill));
                }
                Kind::Profile(profile) if profiles.contains(&id) => {
                    let colour = palette.agent(profile.colour);
                    legend.profiles.push((entity.label(id), colour));
                }
                _ => {}
            }
        }
        legend
    }

    /// With a key to the lines of a figure instead of the agents'.
    #[must_use]
    pub fn with_lines(mut self, lines: impl IntoIterator<Item = (String, Stroke)>) -> Self {
        self.lines = lines.into_iter().collect();
        if !self.lines.is_empty() {
            self.profiles.clear();
        }
        self
    }

    /// With the overlays that are shown; the agents stand for their paths.
    #[must_use]
    pub fn with_overlays(mut self, overlays: &Overlays, palette: &Palette) -> Self {
        self.overlays = overlays
            .rows()
            .filter_map(|row| match row.swatch {
                Swatch::Colour(pick) => Some((row.title.to_owned(), vec![pick(palette)])),
                Swatch::Colours(pick) => Some((row.title.to_owned(), pick(palette))),
                Swatch::Profiles => None,
            })
            .collect();
        self
    }

    /// With what the colours of a field range over, behind its title.
    #[must_use]
    pub fn with_field(mut self, field: Option<&FieldMap>, palette: &Palette) -> Self {
        let title = overlays::row(OverlayId::FIELD).map_or("", |row| row.title);
        let entry = self.overlays.iter_mut().find(|(name, _)| name == title);
        if let (Some(entry), Some(field)) = (entry, field) {
            *entry = (field.legend(), FieldMap::colours(palette));
        }
        self
    }

    /// With what the maps of a run range over; levels of service each by itself.
    #[must_use]
    pub fn with_heat(mut self, heat: Option<&HeatSet>, palette: &Palette) -> Self {
        let Some(heat) = heat else {
            return self;
        };
        let maps = overlays::rows().into_iter().filter_map(|row| {
            let map = heat.map(row.id.heat_kind()?)?;
            Some((row.title, map))
        });
        for (title, map) in maps {
            let Some(at) = self.overlays.iter().position(|(name, _)| name == title) else {
                continue;
            };
            let entries: Vec<_> = if map.kind == HeatKind::Service {
                let colours = map.colours(palette).into_iter();
                let names = service_names().into_iter();
                names.zip(colours.map(|colour| vec![colour])).collect()
            } else {
                let name = format!("{title} {}", map.range_text());
                vec![(name, map.colours(palette))]
            };
            self.overlays.splice(at..=at, entries);
        }
        self
    }

    /// With what people are coloured by.
    #[must_use]
    pub fn with_colouring(mut self, entries: Vec<(String, Vec<Colour>)>) -> Self {
        if !entries.is_empty() {
            self.profiles.clear();
        }
        self.overlays.extend(entries);
        self
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.terrains.is_empty()
            && self.profiles.is_empty()
            && self.overlays.is_empty()
            && self.lines.is_empty()
    }

    pub fn write(&self, out: &mut SvgText, frame: &Frame, palette: &Palette) {
        let s = frame.ui_scale;
        let row = ROW * s;
        let left = frame.map.max.x + 18.0 * s;
        let text_ink = Ink::solid(palette.text);
        let mut y = frame.map.min.y + row * 0.5;
        let heading = |out: &mut SvgText, y: &mut f64, text: &str| {
            let ink = Ink::solid(palette.text_muted);
            out.text(DVec2::new(left, *y), TEXT_SIZE * s, ink, None, text);
            *y += row;
        };
        let label = |out: &mut SvgText, y: f64, text: &str| {
            let at = DVec2::new(left + (SWATCH.x + 9.0) * s, y);
            out.text(at, TEXT_SIZE * s, text_ink, None, text);
        };
        let fits = |y: f64| y < frame.map.max.y;
        if !self.terrains.is_empty() {
            heading(out, &mut y, "Terrain");
        }
        for (name, fill) in &self.terrains {
            if fits(y) {
                swatch(out, DVec2::new(left, y), s, fill);
                label(out, y, name);
            }
            y += row;
        }
        if !self.profiles.is_empty() {
            y += row * 0.4;
            heading(out, &mut y, "Agents");
        }
        for (name, colour) in &self.profiles {
            if fits(y) {
                out.push(format_args!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\"/>",
                    Number(left + SWATCH.x * 0.5 * s),
                    Number(y),
                    Number(6.0 * s),
                ));
                label(out, y, name);
            }
            y += row;
        }
        if !self.overlays.is_empty() {
            y += row * 0.4;
            heading(out, &mut y, "Overlays");
        }
        for (name, colours) in &self.overlays {
            if fits(y) {
                colours_swatch(out, DVec2::new(left, y), s, colours);
                label(out, y, name);
            }
            y += row;
        }
        if !self.lines.is_empty() {
            y += row * 0.4;
            heading(out, &mut y, "Paths");
        }
        for (name, stroke) in &self.lines {
            if fits(y) {
                let points = [left, left + SWATCH.x * s].map(|x| DVec2::new(x, y));
                sample_line(out, points, s, stroke);
                label(out, y, name);
            }
            y += row;
        }
    }
}

/// A short piece of a line as the figure draws it.
fn sample_line(out: &mut SvgText, [from, to]: [DVec2; 2], s: f64, stroke: &Stroke) {
    let dash = stroke.dash.lengths().map_or(String::new(), |[ink, gap]| {
        format!(
            " stroke-dasharray=\"{} {}\"",
            Number(ink * s),
            Number(gap * s)
        )
    });
    out.push(format_args!(
        "<path d=\"M{} {}H{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{}\" \
         stroke-width=\"{}\"{dash}/>",
        Number(from.x),
        Number(from.y),
        Number(to.x),
        stroke.ink.colour,
        Number(stroke.ink.alpha),
        Number(stroke.width.pixels * s),
    ));
}

/// Colours beside each other.
fn colours_swatch(out: &mut SvgText, left_middle: DVec2, s: f64, colours: &[Colour]) {
    let width = SWATCH.x / colours.len().max(1) as f64;
    for (i, colour) in colours.iter().enumerate() {
        let at = left_middle + DVec2::new(width * i as f64, -SWATCH.y * 0.5) * s;
        let size = DVec2::new(width, SWATCH.y) * s;
        let attributes = FillPaint(Ink::solid(*colour)).to_string();
        out.rect(Rect::new(at, at + size), &attributes);
    }
}

/// A small field of a terrain, its pattern drawn in place.
fn swatch(out: &mut SvgText, left_middle: DVec2, s: f64, fill: &Fill) {
    let size = SWATCH * s;
    let min = left_middle - DVec2::new(0.0, size.y * 0.5);
    let attributes = format!(" rx=\"{}\"{}", Number(2.5 * s), FillPaint(fill.ink));
    out.rect(Rect::new(min, min + size), &attributes);
    if let Some(tile) = texture::tile(fill.texture) {
        // One tile wide: cut out of the pattern by a nested picture.
        out.push(format_args!(
            "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" viewBox=\"1 3 {} {}\">\
             <path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{}\" \
             stroke-width=\"{}\" stroke-linecap=\"round\"/></svg>",
            Number(min.x),
            Number(min.y),
            Number(size.x),
            Number(size.y),
            Number(SWATCH.x),
            Number(SWATCH.y),
            tile.path,
            fill.texture_ink.colour,
            Number(fill.texture_ink.alpha),
            Number(tile.width),
        ));
    }
}
