//! What Wayloom itself writes beside the features: the level's settings, terrains and profiles.

use super::position;
use crate::base::{Colour, Quantity};
use crate::document::{Pattern, Profile, Terrain, limits};
use crate::exchange::import::Coordinates;
use crate::exchange::import::drawing::{self, Drawing, KnownProfile};
use crate::exchange::import::json::Json;
use crate::geometry::Rect;
use std::collections::BTreeMap;

/// What we wrote beside the features. Whatever does not fit is passed over: the drawing
/// matters more.
pub(super) fn read(drawing: &mut Drawing, json: &Json) {
    let words = |key: &str| json.get(key).and_then(Json::text);
    if words("coordinates") == Some("metres") {
        drawing.coordinates = Coordinates::Plane;
    }
    drawing.name = words("name").map(drawing::name);
    drawing.notes = words("notes").map(|notes| {
        let notes: String = notes.chars().take(limits::MAX_TEXT).collect();
        notes
    });
    drawing.base_terrain = words("base_terrain").map(str::to_owned);
    if let Some([min, max]) = json.get("bounds").and_then(Json::list)
        && let (Ok(min), Ok(max)) = (position(min), position(max))
        && (max - min).truncate().min_element() >= 0.1
    {
        drawing.bounds = Some(Rect::new(min.truncate(), max.truncate()));
    }
    for terrain in json
        .get("terrains")
        .and_then(Json::list)
        .unwrap_or_default()
    {
        let Some(name) = terrain.get("name").and_then(Json::text) else {
            continue;
        };
        let name = drawing::name(name);
        let style = read_terrain(&name, terrain);
        drawing.terrains.insert(name, style);
    }
    for profile in json
        .get("profiles")
        .and_then(Json::list)
        .unwrap_or_default()
    {
        if let Some(name) = profile.get("name").and_then(Json::text) {
            let known = read_profile(profile);
            drawing.profiles.insert(drawing::name(name), known);
        }
    }
}

fn read_profile(json: &Json) -> KnownProfile {
    let mut profile = Profile::default();
    if let Some(Ok(colour)) = json.get("colour").and_then(Json::text).map(str::parse) {
        profile.colour = colour;
    }
    for (key, quantity, value) in body_and_pace(&mut profile) {
        if let Some(number) = json.get(key).and_then(Json::number) {
            *value = quantity.clamp(number);
        }
    }
    let mut terrain_weights = BTreeMap::new();
    if let Some(Json::Object(weights)) = json.get("terrain_weights") {
        for (terrain, weight) in weights.iter().take(limits::MAX_CONSTRAINTS) {
            if let Some(weight) = weight.number() {
                let weight = limits::TERRAIN_WEIGHT.clamp(weight);
                terrain_weights.insert(drawing::name(terrain), weight);
            }
        }
    }
    KnownProfile {
        profile,
        terrain_weights,
    }
}

/// Every number of a profile under the name it has in a file.
pub(in crate::exchange) fn body_and_pace(
    profile: &mut Profile,
) -> [(&'static str, Quantity, &mut f64); 9] {
    let Profile { body, pace, .. } = profile;
    [
        ("radius", limits::RADIUS, &mut body.radius),
        ("height", limits::BODY_HEIGHT, &mut body.height),
        ("bent_height", limits::BENT_HEIGHT, &mut body.bent_height),
        ("jump", limits::JUMP, &mut body.jump),
        ("foot_span", limits::FOOT_SPAN, &mut body.foot_span),
        ("step_height", limits::STEP_HEIGHT, &mut body.step_height),
        ("speed", limits::SPEED, &mut pace.speed),
        ("max_speed", limits::MAX_SPEED, &mut pace.max_speed),
        ("acceleration", limits::ACCELERATION, &mut pace.acceleration),
    ]
}

fn read_terrain(name: &str, json: &Json) -> Terrain {
    let usual = drawing::usual_terrain(name);
    let words = |key: &str| json.get(key).and_then(Json::text);
    let weight = json.get("weight").and_then(Json::number);
    Terrain {
        colour: words("colour")
            .and_then(|colour| colour.parse::<Colour>().ok())
            .unwrap_or(usual.colour),
        pattern: Pattern::ALL
            .into_iter()
            .find(|pattern| Some(pattern.name()) == words("pattern"))
            .unwrap_or(usual.pattern),
        weight: weight.map_or(usual.weight, |w| limits::TERRAIN_WEIGHT.clamp(w)),
    }
}
