//! Whose paths have which colour: a small legend in the plan view, once there is a choice.

use crate::base::{Colour, EntityId};
use crate::document::{Action, Level, Selection};
use crate::editor::navigation::Navigation;
use crate::planner::registry;
use crate::preview::constraint::FieldMap;
use crate::preview::crowd::{HeatMap, HeatSet, service_names};
use crate::preview::nav::colour_of;
use crate::preview::overlays::{self, Swatch};
use crate::preview::shares::profile_of;
use crate::preview::{OverlayId, Palette};
use crate::sim::measures::HeatKind;
use egui::{Align2, FontId, Painter, Rect, Stroke, pos2, vec2};
use std::collections::{BTreeMap, BTreeSet};

/// More profiles than this are counted only.
const MOST: usize = 8;
/// Unit: points.
const ROW: f32 = 18.0;
const LINE: f32 = 18.0;
const MARGIN: f32 = 8.0;
const TEXT: f32 = 11.5;
const LONGEST_NAME: f32 = 150.0;

/// A profile, and how many of the paths shown are of it.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    pub name: String,
    /// Several where an overlay has several, or a scale.
    pub colours: Vec<Colour>,
    pub paths: usize,
}

/// The profiles of all paths that are shown, in the level's order.
#[must_use]
pub fn entries(
    navigation: &Navigation,
    level: &Level,
    selection: &Selection,
    palette: &Palette,
) -> Vec<LegendEntry> {
    if !navigation.visible || !navigation.overlays.contains(OverlayId::PATHS) {
        return Vec::new();
    }
    let Some(baked) = navigation.baked() else {
        return Vec::new();
    };
    let mut found: BTreeMap<EntityId, LegendEntry> = BTreeMap::new();
    for (id, plan) in baked.plans.iter() {
        let is_shown = (navigation.all_paths || selection.contains(*id)) && level.is_visible(*id);
        let Some(profile) = profile_of(&baked.level, *id).filter(|_| is_shown) else {
            continue;
        };
        if plan.paths().next().is_none() {
            continue;
        }
        found
            .entry(profile)
            .or_insert_with(|| LegendEntry {
                name: baked.level.label(profile),
                colours: vec![colour_of(&baked.level, *id, palette)],
                paths: 0,
            })
            .paths += 1;
    }
    found.into_values().collect()
}

/// What is done on the paths that are shown besides walking, each once.
#[must_use]
pub fn actions(
    navigation: &Navigation,
    level: &Level,
    selection: &Selection,
    palette: &Palette,
) -> Vec<LegendEntry> {
    if !navigation.visible || !navigation.overlays.contains(OverlayId::PATHS) {
        return Vec::new();
    }
    let plans = navigation
        .baked()
        .into_iter()
        .flat_map(|baked| baked.plans.iter());
    let found: BTreeSet<Action> = plans
        .filter(|(id, _)| navigation.all_paths || selection.contains(**id))
        .filter(|(id, _)| is_in_cells(level, **id) && level.is_visible(**id))
        .flat_map(|(_, plan)| plan.paths().flat_map(|path| path.actions.iter().copied()))
        .collect();
    let entry = |action: Action| {
        Some(LegendEntry {
            name: action.name().to_owned(),
            colours: vec![palette.action(action)?],
            paths: 1,
        })
    };
    found.into_iter().filter_map(entry).collect()
}

/// The overlays that are drawn; profiles stand for the paths. A field says what it ranges over.
pub fn overlays(
    drawn: impl Iterator<Item = OverlayId>,
    field: Option<&FieldMap>,
    heat: Option<&HeatSet>,
    palette: &Palette,
) -> impl Iterator<Item = LegendEntry> {
    let entry = move |row: &overlays::OverlayRow| {
        let field = field.filter(|_| row.id == OverlayId::FIELD);
        if let Some(kind) = row.id.heat_kind() {
            let map = heat.and_then(|set| set.map(kind))?;
            return Some(heat_entries(row.title, map, palette));
        }
        let colours = match (row.swatch, field) {
            (_, Some(_)) => FieldMap::colours(palette),
            (Swatch::Profiles, _) => return None,
            (Swatch::Colour(pick), _) => vec![pick(palette)],
            (Swatch::Colours(pick), _) => pick(palette),
        };
        Some(vec![LegendEntry {
            name: field.map_or_else(|| row.title.to_owned(), FieldMap::legend),
            colours,
            paths: 1,
        }])
    };
    drawn
        .filter_map(move |id| entry(overlays::row(id)?))
        .flatten()
}

/// What people are coloured by.
pub fn colouring(legend: Vec<(String, Vec<Colour>)>) -> impl Iterator<Item = LegendEntry> {
    legend.into_iter().map(|(name, colours)| LegendEntry {
        name,
        colours,
        paths: 1,
    })
}

/// A scale with its range; levels of service each by itself.
fn heat_entries(title: &str, map: &HeatMap, palette: &Palette) -> Vec<LegendEntry> {
    if map.kind == HeatKind::Service {
        let names = service_names().into_iter().zip(map.colours(palette));
        let entry = |(name, colour)| LegendEntry {
            name,
            // Twice, so that it is as tall as a scale.
            colours: vec![colour, colour],
            paths: 1,
        };
        return names.map(entry).collect();
    }
    vec![LegendEntry {
        name: format!("{title} {}", map.range_text()),
        colours: map.colours(palette),
        paths: 1,
    }]
}

/// Whether an agent plans in cells: only then does it do more than walk.
fn is_in_cells(level: &Level, agent: EntityId) -> bool {
    let mission = level.get(agent).and_then(|entity| entity.mission());
    mission.is_some_and(|mission| registry::is_in_space(mission.planner))
}

/// Paints the legend into the lower right corner; nothing where all paths are of one profile.
pub fn paint(painter: &Painter, rect: Rect, entries: &[LegendEntry], palette: &Palette) {
    if entries.len() < 2 && entries.iter().all(|entry| entry.colours.len() < 2) {
        return;
    }
    let font = FontId::proportional(TEXT);
    let text = super::solid(palette.text);
    let rows: Vec<_> = entries
        .iter()
        .take(MOST)
        .map(|entry| {
            let words = match entry.paths {
                1 => entry.name.clone(),
                paths => format!("{} ({paths})", entry.name),
            };
            let mut job = egui::text::LayoutJob::simple_singleline(words, font.clone(), text);
            job.wrap = egui::text::TextWrapping::truncate_at_width(LONGEST_NAME);
            (&entry.colours, painter.layout_job(job))
        })
        .collect();
    let widest = rows.iter().map(|(_, row)| row.size().x).fold(0.0, f32::max);
    let more = entries.len().saturating_sub(MOST);
    let count = rows.len() + usize::from(more > 0);
    let size = vec2(
        widest + LINE + 6.0 + 2.0 * MARGIN,
        count as f32 * ROW + MARGIN,
    );
    // A small view has more use for its ground.
    if size.x > rect.width() * 0.5 || size.y > rect.height() * 0.5 {
        return;
    }
    let area = Align2::RIGHT_BOTTOM.anchor_size(rect.right_bottom(), size);
    let ground = super::solid(palette.surroundings).gamma_multiply(0.86);
    let edge = Stroke::new(1.0, super::solid(palette.text_muted).gamma_multiply(0.4));
    painter.rect(area, 5.0, ground, edge, egui::StrokeKind::Inside);
    let left = area.left() + MARGIN;
    let mut y = area.top() + MARGIN * 0.5 + ROW * 0.5;
    for (colours, row) in rows {
        // Whole points, so that no ground shows between the steps of a scale.
        let steps = colours.len().clamp(1, (LINE * 0.5) as usize);
        let width = LINE / steps as f32;
        // A scale is read off a taller bar.
        let height = if colours.len() > 1 { 8.0 } else { 3.0 };
        for i in 0..steps {
            let Some(colour) = colours.get(i * colours.len() / steps) else {
                continue;
            };
            let from = (left + width * i as f32).round();
            let to = (left + width * (i + 1) as f32).round();
            let part = Rect::from_min_max(pos2(from, y - height * 0.5), pos2(to, y + height * 0.5));
            painter.rect_filled(part, 0.0, super::solid(*colour));
        }
        let at = pos2(left + LINE + 6.0, y - row.size().y * 0.5);
        painter.galley(at, row, text);
        y += ROW;
    }
    if more > 0 {
        let words = format!("and {more} more");
        let colour = super::solid(palette.text_muted);
        painter.text(pos2(left, y), Align2::LEFT_CENTER, words, font, colour);
    }
}
