//! One HTML file with the level and a recording: timeline, zoom, colours, plots. It needs no server
//! and no network; a browser opens it from anywhere.

use super::left_out::{LeftOut, left_out};
use super::trajectories::{RATE, RATE_WORDS};
use super::{ExportError, Exported};
use crate::base::EntityId;
use crate::document::{Entity, Kind, Level};
use crate::exchange::motion::{Motion, Walker};
use crate::exchange::options::{Choice, Field, FormatOptions};
use crate::exchange::sink::ExportSink;
use crate::exchange::writer::{ExportInput, Writer};
use crate::jobs::JobContext;
use crate::preview::{Layer, Layers, Look, render_map_svg};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};
use std::io::Write as _;

const PAGE: &str = include_str!("../../../assets/page/page.html");
const STYLE: &str = include_str!("../../../assets/page/page.css");
const SCRIPT: &str = include_str!("../../../assets/page/page.js");

/// Positions are whole numbers of this. Unit: metres.
const UNIT: f64 = 0.001;

pub(in crate::exchange) const LOOKS: &[Choice] = &[
    Choice::new("light", "Light", "For bright rooms and for print"),
    Choice::new("dark", "Dark", ""),
];

#[derive(Clone, Debug, PartialEq)]
pub struct PageOptions {
    pub look: Look,
    /// As recorded if `None`. Unit: frames per second.
    pub fps: Option<f64>,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self {
            look: Look::Light,
            fps: None,
        }
    }
}

impl FormatOptions for PageOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["look", "Look", "Colours of the page"],
            LOOKS,
            |o| o.look.name(),
            |o, id| o.look = look_named(id),
        ),
        Field::automatic_number(RATE_WORDS, RATE, |o: &mut Self| &mut o.fps),
    ];
}

pub(in crate::exchange) fn look_named(id: &str) -> Look {
    if id == "dark" {
        Look::Dark
    } else {
        Look::Light
    }
}

#[derive(Debug)]
pub struct PageWriter;

impl Writer for PageWriter {
    type Options = PageOptions;

    fn takes_recording(&self) -> bool {
        true
    }

    fn left_out(&self, level: &Level, _: &Self::Options) -> Vec<LeftOut> {
        let reason = |entity: &Entity| match entity.kind {
            Kind::Flag(_) | Kind::Test(_) => Some("only Wayloom has a use for it"),
            _ => None,
        };
        left_out(level, &reason, Some("the page shows the plan"))
    }

    fn write(
        &self,
        input: &ExportInput,
        options: &Self::Options,
        sink: &mut dyn ExportSink,
        ctx: &JobContext,
    ) -> Result<Exported, ExportError> {
        let motion = Motion::of(input, options.fps, ctx)?;
        ctx.stage("Drawing the plan");
        let layers = Layers::ALL.without(Layer::Agents).without(Layer::Grid);
        let meshes = &input.voxels.meshes;
        let (map, view) = render_map_svg(&input.level, meshes, options.look, layers)
            .map_err(|error| ExportError::Refused(error.to_string()))?;
        ctx.stage("Packing positions");
        let mut data = describe(&input.level, &motion);
        data["view"] = json!([view.min.x, view.min.y, view.max.x, view.max.y]);
        data["positions"] = packed(&motion, ctx)?.into();
        let name = match input.level.settings().name.as_str() {
            "" => "Untitled level",
            name => name,
        };
        // No text of a level may end the script that holds it.
        let data = data.to_string().replace('<', "\\u003c");
        let map = map.lines().skip_while(|line| !line.starts_with("<svg"));
        let map: Vec<&str> = map.filter(|line| !line.starts_with("<title>")).collect();
        let page = filled(
            PAGE,
            &[
                ("LOOK", options.look.name()),
                ("TITLE", &escaped(name)),
                ("STYLE", STYLE),
                ("MAP", &map.join("\n")),
                ("DATA", &data),
                ("SCRIPT", SCRIPT),
            ],
        );
        sink.write_main(page.into_bytes())?;
        let mut exported = super::trajectories::exported(&motion);
        exported.summary.push(
            "One file: open it in a browser, send it by mail; it loads nothing else".to_owned(),
        );
        Ok(exported)
    }
}

/// Puts values for `{{NAME}}`, each once and in one pass: what is put in is not looked at again.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text += before;
        let Some((name, after)) = after.split_once("}}") else {
            text += "{{";
            rest = after;
            continue;
        };
        let value = values.iter().find(|(known, _)| *known == name);
        text += value.map_or("", |(_, value)| value);
        rest = after;
    }
    text + rest
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
    }
    out
}

/// Everything but the positions.
fn describe(level: &Level, motion: &Motion) -> Value {
    let mut profiles: Vec<(Option<EntityId>, Value)> = Vec::new();
    let mut groups: Vec<(EntityId, String)> = Vec::new();
    let mut walkers = Vec::with_capacity(motion.walkers.len());
    for walker in &motion.walkers {
        let profile = place_of(&mut profiles, &walker.profile, || {
            let known = walker.profile.filter(|id| level.get(*id).is_some());
            let name = known.map_or_else(|| "Agents".to_owned(), |id| level.label(id));
            json!({ "name": name, "colour": walker.colour.to_string() })
        });
        let group = place_of(&mut groups, &walker.entity, || {
            if level.get(walker.entity).is_some() {
                level.label(walker.entity)
            } else {
                "Agents".to_owned()
            }
        });
        walkers.push(json!([
            walker.name,
            profile,
            group,
            walker.radius,
            walker.first,
            walker.points.len()
        ]));
    }
    json!({
        "format": "wayloom-page",
        "version": 1,
        "source": motion.source,
        "interval": motion.interval,
        "frames": motion.frames,
        "profiles": profiles.into_iter().map(|(_, value)| value).collect::<Vec<_>>(),
        "groups": groups.into_iter().map(|(_, name)| name).collect::<Vec<_>>(),
        "walkers": walkers,
    })
}

/// The index of a key in a list, where it is added if it is new.
fn place_of<K: PartialEq + Copy, V>(
    list: &mut Vec<(K, V)>,
    key: &K,
    make: impl FnOnce() -> V,
) -> usize {
    if let Some(known) = list.iter().position(|(known, _)| known == key) {
        return known;
    }
    list.push((*key, make()));
    list.len() - 1
}

/// Differences in whole millimetres, zigzag, seven bits a byte, deflated, as text.
fn packed(motion: &Motion, ctx: &JobContext) -> Result<String, ExportError> {
    let mut bytes = Vec::with_capacity(2 * motion.positions());
    for walker in &motion.walkers {
        ctx.checkpoint()?;
        let mut last = [0_i64; 2];
        for at in whole(walker) {
            for axis in 0..2 {
                varint(at[axis] - last[axis], &mut bytes);
            }
            last = at;
        }
    }
    let failed = |error: std::io::Error| ExportError::Refused(error.to_string());
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&bytes).map_err(failed)?;
    Ok(STANDARD.encode(packer.finish().map_err(failed)?))
}

fn whole(walker: &Walker) -> impl Iterator<Item = [i64; 2]> {
    let rounded = |v: f64| (v / UNIT).round() as i64;
    walker
        .points
        .iter()
        .map(move |p| [rounded(p.x), rounded(p.y)])
}

fn varint(value: i64, bytes: &mut Vec<u8>) {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    while rest >= 128 {
        bytes.push((rest & 127) as u8 | 128);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_zigzag_in_groups_of_seven_bits() {
        let of = |value| {
            let mut bytes = Vec::new();
            varint(value, &mut bytes);
            bytes
        };
        assert_eq!(of(0), [0]);
        assert_eq!(of(-1), [1]);
        assert_eq!(of(1), [2]);
        assert_eq!(of(64), [128, 1]);
        assert_eq!(of(-8192), [255, 127]);
    }

    #[test]
    fn what_is_put_into_a_page_is_not_taken_for_a_placeholder() {
        let page = filled("a{{X}}b{{Y}}c", &[("X", "{{Y}}"), ("Y", "2")]);
        assert_eq!(page, "a{{Y}}b2c");
        assert_eq!(escaped("<b>&\""), "&lt;b&gt;&amp;&quot;");
    }
}
