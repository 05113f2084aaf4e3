//! Wavefront OBJ: vertices, faces of any number of corners, and the colours of its materials.
//!
//! Read by hand: line numbers in messages, double precision, progress and cancellation, and no
//! panic are more than the crates for it give. Texture coordinates, normals, groups and smoothing
//! say nothing that planning needs; curves and surfaces of the free form are left out with a
//! remark, and what would run a program is not looked at.

use super::mesh::{MeshDrawing, MeshParser, STRIDE};
use super::{ImportError, Source};
use crate::base::Colour;
use crate::exchange::reader::Beside;
use crate::geometry::TriMesh;
use crate::geometry::facet::triangles_of;
use crate::jobs::JobContext;
use glam::DVec3;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Corners of one face.
const MAX_CORNERS: usize = 10_000;

/// Longer words are no numbers; so much of one is shown in messages.
const MAX_WORD: usize = 64;

pub static OBJ_PARSER: MeshParser = MeshParser {
    parse: read,
    companions: libraries,
};

struct Parser<'a> {
    source: &'a Source,
    line: usize,
    drawing: MeshDrawing,
    materials: BTreeMap<String, Option<Colour>>,
    colour: Option<Colour>,
    corners: Vec<u32>,
}

fn read(
    source: &Source,
    beside: &Beside<'_>,
    context: &JobContext,
) -> Result<MeshDrawing, ImportError> {
    let mut parser = Parser {
        source,
        line: 0,
        drawing: MeshDrawing::default(),
        materials: BTreeMap::new(),
        colour: None,
        corners: Vec::new(),
    };
    let total = source.bytes.len().max(1) as f32;
    for (i, line) in Lines::new(&source.bytes).enumerate() {
        if i % STRIDE == 0 {
            context.checkpoint()?;
            context.report(line.at as f32 / total);
        }
        parser.line = line.number;
        parser.take(&line.text, beside)?;
    }
    Ok(parser.drawing)
}

/// The material libraries that a file names.
fn libraries(bytes: &[u8]) -> Vec<String> {
    Lines::new(bytes)
        .filter_map(|line| {
            let text = line.text.trim_ascii();
            let names = text.strip_prefix(b"mtllib")?;
            Some(String::from_utf8_lossy(names.trim_ascii()).into_owned())
        })
        .collect()
}

impl Parser<'_> {
    fn error(&self, message: impl Into<String>) -> ImportError {
        ImportError::At {
            file: self.source.name.clone(),
            line: self.line,
            column: 1,
            message: message.into(),
        }
    }

    fn take(&mut self, line: &[u8], beside: &Beside<'_>) -> Result<(), ImportError> {
        let line = match line.iter().position(|b| *b == b'#') {
            Some(comment) => &line[..comment],
            None => line,
        };
        let line = line.trim_ascii();
        let end = line
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        let rest = rest.trim_ascii_start();
        match word {
            b"v" => self.vertex(rest),
            b"f" | b"fo" => self.face(rest),
            b"usemtl" => {
                let name = String::from_utf8_lossy(rest);
                self.colour = self.materials.get(&*name).copied().flatten();
                Ok(())
            }
            b"mtllib" => {
                self.library(&String::from_utf8_lossy(rest), beside);
                Ok(())
            }
            b"curv" | b"curv2" | b"surf" => {
                self.drawing.warn_once(
                    "curves and surfaces of the free form were left out; export them as faces",
                );
                Ok(())
            }
            _ if !word.is_ascii() || word.contains(&0) => {
                Err(self
                    .error("this is no line of an OBJ file; this is another format, or damaged"))
            }
            // Texture coordinates, normals, groups, names, smoothing, lines, points.
            _ => Ok(()),
        }
    }

    fn vertex(&mut self, rest: &[u8]) -> Result<(), ImportError> {
        let mut place = [0.0; 3];
        let mut words = words(rest);
        for (axis, value) in ["x", "y", "z"].into_iter().zip(&mut place) {
            let word = words
                .next()
                .ok_or_else(|| self.error(format!("this vertex has no {axis}")))?;
            *value = number(word)
                .ok_or_else(|| self.error(format!("`{}` is not a finite number", shown(word))))?;
        }
        if self.drawing.mesh.vertices.len() >= u32::MAX as usize {
            return Err(self.error("there are too many vertices"));
        }
        self.drawing.mesh.vertices.push(DVec3::from_array(place));
        Ok(())
    }

    fn face(&mut self, rest: &[u8]) -> Result<(), ImportError> {
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        for word in words(rest) {
            if corners.len() >= MAX_CORNERS {
                return Err(self.error(format!("a face may have {MAX_CORNERS} corners at most")));
            }
            corners.push(self.corner(word)?);
        }
        if corners.len() < 3 {
            let count = corners.len();
            return Err(self.error(format!("a face needs 3 corners, this one has {count}")));
        }
        let mesh: &mut TriMesh = &mut self.drawing.mesh;
        let before = mesh.triangles.len();
        triangles_of(&mesh.vertices, &corners, &mut mesh.triangles);
        let added = mesh.triangles.len() - before;
        self.drawing.make_room(0, &self.source.name)?;
        let colour = self.colour;
        self.drawing
            .colours
            .extend(std::iter::repeat_n(colour, added));
        self.corners = corners;
        Ok(())
    }

    /// The vertex of `7`, `7/1`, `7//3` or `7/1/3`; negative numbers count from the last one.
    fn corner(&self, word: &[u8]) -> Result<u32, ImportError> {
        let first = word.split(|b| *b == b'/').next().unwrap_or_default();
        let count = self.drawing.mesh.vertices.len();
        let index = std::str::from_utf8(first)
            .ok()
            .and_then(|text| text.parse::<i64>().ok())
            .ok_or_else(|| {
                self.error(format!("`{}` is not the number of a vertex", shown(word)))
            })?;
        let at = match index {
            1.. => index - 1,
            0 => -1,
            _ => count as i64 + index,
        };
        if (0..count as i64).contains(&at) {
            return Ok(at as u32);
        }
        Err(self.error(format!(
            "this face has a corner at vertex {index}, but there are {count} so far"
        )))
    }

    /// A missing library costs colours, not the mesh.
    fn library(&mut self, names: &str, beside: &Beside<'_>) {
        // A name may have blanks, or there are several names.
        let mut read: Vec<Result<Vec<u8>, String>> = vec![beside(&self.source.name, names)];
        if read[0].is_err() && names.contains(char::is_whitespace) {
            let each: Vec<_> = names
                .split_whitespace()
                .map(|name| beside(&self.source.name, name))
                .collect();
            if each.iter().any(Result::is_ok) {
                read = each;
            }
        }
        for library in read {
            match library {
                Ok(bytes) => {
                    for (name, colour) in materials(&bytes) {
                        self.materials.entry(name).or_insert(colour);
                    }
                }
                Err(sentence) => self
                    .drawing
                    .warn_once(format!("its materials could not be read: {sentence}")),
            }
        }
    }
}

/// The diffuse colours of a material library, by name.
fn materials(bytes: &[u8]) -> Vec<(String, Option<Colour>)> {
    let mut materials: Vec<(String, Option<Colour>)> = Vec::new();
    for line in Lines::new(bytes) {
        let line = line.text.trim_ascii();
        if let Some(name) = line.strip_prefix(b"newmtl") {
            materials.push((
                String::from_utf8_lossy(name.trim_ascii()).into_owned(),
                None,
            ));
        } else if let Some(values) = line.strip_prefix(b"Kd")
            && let Some((_, colour)) = materials.last_mut()
        {
            let mut values = words(values).map_while(number);
            if let Some(r) = values.next() {
                // One value stands for all three.
                let (g, b) = (values.next().unwrap_or(r), values.next().unwrap_or(r));
                let lane = |value: f64| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
                *colour = Some(Colour::rgb(lane(r), lane(g), lane(b)));
            }
        }
    }
    materials
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

fn number(word: &[u8]) -> Option<f64> {
    if word.len() > MAX_WORD {
        return None;
    }
    let value: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(MAX_WORD)]).into_owned()
}

struct Line<'a> {
    /// Counted from 1; of several that are one by a `\` at their ends, the first.
    number: usize,
    /// Where it begins. Unit: bytes.
    at: usize,
    text: Cow<'a, [u8]>,
}

/// The lines of a text that need not be UTF-8, whatever ends them.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    number: usize,
}

impl<'a> Lines<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            at: 0,
            number: 0,
        }
    }

    fn physical(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = rest
            .iter()
            .position(|b| *b == b'\n' || *b == b'\r')
            .unwrap_or(rest.len());
        let ending = if rest[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        self.at += end + ending;
        self.number += 1;
        Some(&rest[..end])
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let at = self.at;
        let first = self.physical()?;
        let number = self.number;
        let mut text = Cow::Borrowed(first);
        while let Some(open) = text.strip_suffix(b"\\").map(<[u8]>::len) {
            let joined = text.to_mut();
            joined.truncate(open);
            joined.push(b' ');
            match self.physical() {
                Some(more) => joined.extend_from_slice(more),
                None => break,
            }
        }
        Some(Line { number, at, text })
    }
}
