//! A map as XML.

use super::objects::{Map, Outline, type_of};
use super::terrain::{PICTURE, TerrainTiles};
use crate::base::decimal;
use glam::DVec2;
use serde_json::Value;
use std::fmt::Write as _;

pub(super) fn text(map: &Map) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let [width, height] = map.tiles;
    let _ = writeln!(
        text,
        "<map version=\"1.8\" tiledversion=\"1.8.2\" orientation=\"orthogonal\" \
         renderorder=\"right-down\" width=\"{width}\" height=\"{height}\" tilewidth=\"{0}\" \
         tileheight=\"{0}\" infinite=\"0\" nextlayerid=\"{1}\" nextobjectid=\"{2}\">",
        map.tile,
        map.layers.len() + 2,
        map.next_object
    );
    properties(&mut text, " ", &map.properties);
    if let Some(tiles) = &map.terrain {
        terrain(&mut text, map, tiles);
    }
    for (id, layer) in (1..).zip(&map.layers) {
        let _: i32 = id;
        let _ = writeln!(text, " <objectgroup id=\"{id}\" name=\"{}\">", layer.name);
        for object in &layer.objects {
            let [x, y] = object.at.to_array().map(decimal::plain);
            let _ = writeln!(
                text,
                "  <object id=\"{}\" name=\"{}\" type=\"{}\" x=\"{x}\" y=\"{y}\">",
                object.id,
                escaped(&object.name),
                object.class
            );
            properties(&mut text, "   ", &object.properties);
            match &object.outline {
                Outline::Point => text.push_str("   <point/>\n"),
                Outline::Polygon(list) => {
                    let _ = writeln!(text, "   <polygon points=\"{}\"/>", points(list));
                }
                Outline::Polyline(list) => {
                    let _ = writeln!(text, "   <polyline points=\"{}\"/>", points(list));
                }
            }
            text.push_str("  </object>\n");
        }
        text.push_str(" </objectgroup>\n");
    }
    text.push_str("</map>\n");
    text
}

/// The set of tiles and the layer of them.
fn terrain(text: &mut String, map: &Map, terrain: &TerrainTiles) {
    let ([width, height], side) = (map.tiles, map.tile);
    let count = terrain.kinds.len();
    let _ = writeln!(
        text,
        " <tileset firstgid=\"1\" name=\"Terrain\" tilewidth=\"{side}\" tileheight=\"{side}\" \
         tilecount=\"{count}\" columns=\"{count}\">\n  <image source=\"{PICTURE}\" width=\"{}\" \
         height=\"{side}\"/>",
        count * side
    );
    for (id, (name, _)) in terrain.kinds.iter().enumerate() {
        let _ = writeln!(text, "  <tile id=\"{id}\" type=\"{}\"/>", escaped(name));
    }
    let _ = writeln!(
        text,
        " </tileset>\n <layer id=\"{}\" name=\"Terrain tiles\" width=\"{width}\" \
         height=\"{height}\">\n  <data encoding=\"csv\">",
        map.layers.len() + 1
    );
    let rows: Vec<String> = terrain
        .tiles
        .chunks(width)
        .map(|row| row.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
        .collect();
    let _ = writeln!(text, "{}\n  </data>\n </layer>", rows.join(",\n"));
}

fn points(points: &[DVec2]) -> String {
    let places: Vec<String> = points
        .iter()
        .map(|p| format!("{},{}", decimal::plain(p.x), decimal::plain(p.y)))
        .collect();
    places.join(" ")
}

fn properties(text: &mut String, indent: &str, properties: &[(String, Value)]) {
    if properties.is_empty() {
        return;
    }
    let _ = writeln!(text, "{indent}<properties>");
    for (name, value) in properties {
        let kind = match type_of(value) {
            "string" => String::new(),
            kind => format!(" type=\"{kind}\""),
        };
        let value = match value {
            Value::String(value) => escaped(value),
            value => value.to_string(),
        };
        let _ = writeln!(
            text,
            "{indent} <property name=\"{}\"{kind} value=\"{value}\"/>",
            escaped(name)
        );
    }
    let _ = writeln!(text, "{indent}</properties>");
}

/// As the value of an attribute; control characters that XML 1.0 forbids become blanks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\t' => escaped.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
