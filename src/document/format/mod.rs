//! Level files: versioned RON text, byte-identical after load and save.
//!
//! [`read`] checks the header first, migrates older versions and checks every limit; [`write`] is
//! deterministic. Released versions are frozen; a format change is a new module with a `From` for the
//! previous one (see [`migrate`]).

mod convert;
pub mod disk;
mod error;
mod fields;
pub mod journal;
mod migrate;
pub mod salvage;
pub mod v1;
mod v1_to_v2;
pub mod v2;
mod v2_crowds;
#[cfg(test)]
mod version_tests;

pub use error::FormatError;

use super::{
    edit::Edit,
    history::Step,
    model::{Entity, Level},
    ops,
};
use crate::base::EntityId;
use ron::{Options, extensions::Extensions, ser::PrettyConfig};
use std::fmt::Write as _;
use std::sync::Arc;

/// The version written by this program.
pub const VERSION: u32 = 2;

/// Larger files are rejected before they are read. Unit: bytes.
pub const MAX_FILE_SIZE: u64 = 32 << 20;

/// A loaded file: the level and the next free id.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    pub level: Level,
    pub next_id: EntityId,
}

/// Reads a level of any version up to [`VERSION`].
///
/// # Errors
/// One sentence with line and column: not a level, too new, damaged, or outside a limit.
pub fn read(text: &str) -> Result<Loaded, FormatError> {
    if text.len() as u64 > MAX_FILE_SIZE {
        return Err(FormatError::TooLarge {
            size: text.len() as u64,
        });
    }
    let file = migrate::read_newest(text)?;
    let mut edits = Vec::with_capacity(file.entities.len() + 2);
    edits.push(Edit::Settings(Arc::new(file.settings.into())));
    if let Some(ground) = file.ground {
        edits.push(Edit::Ground(Some(Arc::new(ground.into()))));
    }
    edits.extend(file.entities.into_iter().map(|entity| {
        let (id, entity) = entity.into_entity();
        Edit::create(id, entity)
    }));
    let level = ops::apply(&Level::default(), &edits)
        .map_err(|refused| FormatError::refused(text, &edits, &refused))?;
    Ok(Loaded {
        next_id: EntityId::new(file.next_id).max(level.largest_id().next()),
        level,
    })
}

/// The text of a level file.
#[must_use]
pub fn write(level: &Level, next_id: EntityId) -> String {
    // Coordinates make up most of a file, at about twenty characters per point.
    let mut out = String::with_capacity(1024 + level.len() * 200 + level.vertex_count() * 20);
    out.push_str("Wayloom(\n");
    let _ = writeln!(out, "    version: {VERSION},");
    let _ = writeln!(out, "    next_id: {},", next_id.number());
    let settings = v2::Settings::from(&**level.settings());
    field(&mut out, "    settings: ", &pretty(&settings, 1), "    ");
    if let Some(ground) = level.ground() {
        let ground = v2::Ground::from(&**ground);
        field(&mut out, "    ground: ", &pretty(&ground, 2), "    ");
    }
    out.push_str("    entities: [\n");
    for (id, entity) in level.drawn() {
        let entity = v2::Entity::of(id, entity);
        field(&mut out, "        ", &pretty(&entity, 2), "        ");
    }
    out.push_str("    ],\n)\n");
    out
}

/// Entities as clipboard text.
#[must_use]
pub fn write_clip<'a>(entities: impl IntoIterator<Item = (EntityId, &'a Entity)>) -> String {
    let clip = v2::Clip {
        version: VERSION,
        entities: entities
            .into_iter()
            .map(|(id, entity)| v2::Entity::of(id, entity))
            .collect(),
    };
    format!("WayloomClip{}", pretty(&clip, 3))
}

/// Entities from clipboard text, each checked against its limits.
///
/// # Errors
/// The text is not a clip, is damaged, or violates a limit.
pub fn read_clip(text: &str) -> Result<Vec<(EntityId, Entity)>, FormatError> {
    let clip = migrate::read_newest_clip(text)?;
    clip.entities
        .into_iter()
        .map(|entity| {
            let (id, entity) = entity.into_entity();
            entity.check().map_err(|refusal| {
                FormatError::at_start(format!("{}: {refusal}", entity.label(id)))
            })?;
            Ok((id, entity))
        })
        .collect()
}

/// A step on one line, for the journal.
#[must_use]
pub fn write_step(step: &Step) -> String {
    options()
        .to_string(&v2::Step::from(step))
        .unwrap_or_default()
}

/// # Errors
/// The text is not a step.
pub fn read_step(text: &str) -> Result<Step, FormatError> {
    migrate::read_newest_step(text).map(Into::into)
}

/// `Some(x)` is written `x`, and `Variant((a: 1))` is written `Variant(a: 1)`.
fn options() -> Options {
    Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
        .with_recursion_limit(32)
}

/// Pretty-printed down to `depth`, compact below it. Serialising our own structs into a string
/// cannot fail.
fn pretty(value: &impl serde::Serialize, depth: usize) -> String {
    let config = PrettyConfig::new()
        .new_line("\n")
        .depth_limit(depth)
        .separate_tuple_members(false);
    options()
        .to_string_pretty(value, config)
        .unwrap_or_default()
}

fn field(out: &mut String, name: &str, value: &str, indent: &str) {
    out.push_str(name);
    for (i, line) in value.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
            out.push_str(indent);
        }
        out.push_str(line);
    }
    out.push_str(",\n");
}
