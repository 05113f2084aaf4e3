//! Godot's text format of scenes and resources.

use crate::base::Colour;
use crate::exchange::export::frame::number;
use crate::exchange::export::names::{Names, plain, quoted};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the names of nodes must not contain.
const FORBIDDEN: [char; 6] = ['.', ':', '@', '/', '"', '%'];

/// A scene under construction.
#[derive(Debug, Default)]
pub(super) struct Scene {
    external: String,
    internal: String,
    nodes: String,
    resources: usize,
    /// Names that are taken, by parent.
    names: BTreeMap<String, Names>,
}

impl Scene {
    /// A resource in a file beside the scene; returns how properties refer to it.
    pub fn external(&mut self, kind: &str, file: &str) -> String {
        self.resources += 1;
        let id = self.resources;
        let _ = writeln!(
            self.external,
            "[ext_resource type=\"{kind}\" path=\"{file}\" id=\"{id}\"]"
        );
        format!("ExtResource(\"{id}\")")
    }

    /// A resource within the scene; returns how properties refer to it.
    pub fn internal(&mut self, kind: &str, properties: &str) -> String {
        self.resources += 1;
        let id = self.resources;
        let _ = write!(
            self.internal,
            "[sub_resource type=\"{kind}\" id=\"{id}\"]\n{properties}\n"
        );
        format!("SubResource(\"{id}\")")
    }

    pub fn root(&mut self, name: &str, kind: &str, data: &Map<String, Value>) {
        let _ = writeln!(self.nodes, "[node name=\"{name}\" type=\"{kind}\"]");
        self.metadata(data);
        self.nodes.push('\n');
    }

    /// Adds a node; returns its path as the parent of others.
    pub fn node(
        &mut self,
        parent: &str,
        name: &str,
        kind: &str,
        properties: &[(&str, String)],
        data: &Map<String, Value>,
    ) -> String {
        let name = plain(name, &FORBIDDEN, kind);
        let name = self
            .names
            .entry(parent.to_owned())
            .or_default()
            .unique(name);
        let _ = writeln!(
            self.nodes,
            "[node name={} type=\"{kind}\" parent={}]",
            quoted(&name),
            quoted(parent)
        );
        for (key, value) in properties {
            let _ = writeln!(self.nodes, "{key} = {value}");
        }
        self.metadata(data);
        self.nodes.push('\n');
        if parent == "." {
            name
        } else {
            format!("{parent}/{name}")
        }
    }

    fn metadata(&mut self, data: &Map<String, Value>) {
        for (key, value) in data {
            let _ = writeln!(self.nodes, "metadata/{key} = {}", variant(value));
        }
    }

    pub fn text(self) -> String {
        format!(
            "[gd_scene load_steps={} format=3]\n\n{}\n{}{}",
            self.resources + 1,
            self.external,
            self.internal,
            self.nodes
        )
    }
}

/// A file with one resource.
pub(super) fn resource(kind: &str, properties: &str) -> String {
    format!("[gd_resource type=\"{kind}\" format=3]\n\n[resource]\n{properties}")
}

pub(super) fn vectors<const N: usize>(points: impl Iterator<Item = [f32; N]>) -> String {
    let mut text = format!("PackedVector{N}Array(");
    for (i, point) in points.enumerate() {
        for (k, value) in point.into_iter().enumerate() {
            if i + k > 0 {
                text.push_str(", ");
            }
            text.push_str(&number(value));
        }
    }
    text.push(')');
    text
}

pub(super) fn vector<const N: usize>(point: [f32; N]) -> String {
    let numbers: Vec<String> = point.iter().map(|v| number(*v)).collect();
    format!("Vector{N}({})", numbers.join(", "))
}

pub(super) fn indices<'a>(polygons: impl Iterator<Item = &'a [u32]>) -> String {
    let lists: Vec<String> = polygons
        .map(|corners| {
            let numbers: Vec<String> = corners.iter().map(u32::to_string).collect();
            format!("PackedInt32Array({})", numbers.join(", "))
        })
        .collect();
    format!("[{}]", lists.join(", "))
}

pub(super) fn colour(colour: Colour) -> String {
    let [r, g, b] = [colour.r, colour.g, colour.b].map(|v| number(f32::from(v) / 255.0));
    format!("Color({r}, {g}, {b}, 1)")
}

/// A setting of a project: a text in quotation marks.
pub(super) fn quoted_setting(text: &str) -> String {
    quoted(text)
}

/// A JSON value as Godot writes its own.
fn variant(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(is) => is.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(variant).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{}: {}", quoted(key), variant(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}
