//! glTF 2.0, as text with its buffers beside it or within it, or as one binary file.
//!
//! The crate `gltf` gives the schema; its importer follows paths out of the folder and trusts
//! offsets and counts, so buffers, accessors and the tree of nodes are read here. Skins, morph
//! targets and animations are left out: the mesh stands as it was modelled.

mod accessor;

use super::mesh::{MAX_MESH_FILE, MAX_TRIANGLES, MeshDrawing, MeshParser, STRIDE};
use super::{ImportError, Source};
use crate::base::Colour;
use crate::base::parser_words::json_words;
use crate::exchange::reader::Beside;
use crate::jobs::JobContext;
use accessor::Accessors;
use glam::{DAffine3, DMat4, DQuat, DVec3};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Index, Material, Mesh, Node, Root};
use std::collections::BTreeSet;

/// Extensions that change what a file means and that are understood here, or that concern looks
/// and additions which nothing here needs.
const KNOWN_EXTENSIONS: [&str; 1] = ["KHR_mesh_quantization"];

/// What other extensions, if a file needs them, are known to do to it.
const COMPRESSIONS: [&str; 3] = [
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

pub static GLTF_PARSER: MeshParser = MeshParser {
    parse: read,
    companions: buffer_files,
};

struct Parser<'a> {
    file: &'a str,
    root: &'a Root,
    accessors: Accessors<'a>,
    drawing: MeshDrawing,
    context: &'a JobContext,
}

fn read(
    source: &Source,
    beside: &Beside<'_>,
    context: &JobContext,
) -> Result<MeshDrawing, ImportError> {
    let file = &source.name;
    let (root, blob) = open(source)?;
    check_extensions(&root, file)?;
    let mut buffers = Vec::new();
    for i in 0..root.buffers.len() {
        context.checkpoint()?;
        buffers.push(buffer(&root, i, blob, beside, file)?);
    }
    let mut parser = Parser {
        file,
        root: &root,
        accessors: Accessors::new(&root, buffers, file),
        drawing: MeshDrawing::default(),
        context,
    };
    parser.scene()?;
    Ok(parser.drawing)
}

/// Files that hold a scene's buffers.
fn buffer_files(bytes: &[u8]) -> Vec<String> {
    let source = Source {
        name: String::new(),
        bytes: bytes.to_vec(),
    };
    let Ok((root, _)) = open(&source) else {
        return Vec::new();
    };
    root.buffers
        .iter()
        .filter_map(|buffer| buffer.uri.as_deref())
        .filter(|uri| !uri.starts_with("data:"))
        .map(decoded)
        .collect()
}

/// The scene's description and the bytes that a binary file brings along.
fn open(source: &Source) -> Result<(Root, Option<&[u8]>), ImportError> {
    let (json, blob) = if source.bytes.starts_with(b"glTF") {
        chunks(source)?
    } else {
        (&source.bytes[..], None)
    };
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let root: Root = serde_json::from_slice(json).map_err(|error| {
        let message = json_words(&error);
        ImportError::At {
            file: source.name.clone(),
            line: error.line(),
            column: error.column(),
            message: format!("this is not a glTF scene: {message}"),
        }
    })?;
    Ok((root, blob))
}

/// The two parts of a binary file.
fn chunks(source: &Source) -> Result<(&[u8], Option<&[u8]>), ImportError> {
    let refuse = |message: &str| ImportError::within(&source.name, message);
    let short = || refuse("the file ends too early; it is damaged, or was not copied whole");
    let word = |at: usize| {
        let bytes = source.bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let version = word(4).ok_or_else(short)?;
    if version != 2 {
        let message = format!("this is glTF {version}; export it as glTF 2.0");
        return Err(refuse(&message));
    }
    let chunk = |at: usize| -> Option<(u32, &[u8], usize)> {
        let length = word(at)? as usize;
        let begin = at + 8;
        let end = begin.checked_add(length)?;
        let kind = word(at + 4)?;
        // Chunks end at multiples of four; the last one may have been cut.
        Some((kind, source.bytes.get(begin..end)?, end.next_multiple_of(4)))
    };
    const JSON: u32 = u32::from_le_bytes(*b"JSON");
    const BIN: u32 = u32::from_le_bytes(*b"BIN\0");
    let (kind, json, mut at) = chunk(12).ok_or_else(short)?;
    if kind != JSON {
        return Err(refuse(
            "the scene’s description does not come first; the file is damaged",
        ));
    }
    while at + 8 <= source.bytes.len() {
        let (kind, bytes, next) = chunk(at).ok_or_else(short)?;
        if kind == BIN {
            return Ok((json, Some(bytes)));
        }
        at = next;
    }
    Ok((json, None))
}

fn check_extensions(root: &Root, file: &str) -> Result<(), ImportError> {
    let unknown = root
        .extensions_required
        .iter()
        .find(|needed| !KNOWN_EXTENSIONS.contains(&needed.as_str()));
    match unknown {
        None => Ok(()),
        Some(name) if COMPRESSIONS.contains(&name.as_str()) => Err(ImportError::within(
            file,
            format!("its meshes are compressed ({name}); export it without compression"),
        )),
        // Looks alone: the shape is the same without.
        Some(name) if name.contains("material") || name.contains("texture") => Ok(()),
        Some(name) => Err(ImportError::within(
            file,
            format!("it cannot be read without the extension {name}; export it without that"),
        )),
    }
}

/// The bytes of one buffer: those of the binary file, those written into the scene, or a file's.
fn buffer<'a>(
    root: &Root,
    index: usize,
    blob: Option<&'a [u8]>,
    beside: &Beside<'_>,
    file: &str,
) -> Result<std::borrow::Cow<'a, [u8]>, ImportError> {
    let refuse = |message: String| ImportError::within(file, format!("buffer {index}: {message}"));
    let declared = &root.buffers[index];
    let bytes = match &declared.uri {
        None => blob
            .filter(|_| index == 0)
            .map(std::borrow::Cow::Borrowed)
            .ok_or_else(|| refuse("it is nowhere; the file is damaged".to_owned()))?,
        Some(uri) => match uri.strip_prefix("data:") {
            Some(data) => {
                let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
                let encoded = encoded
                    .ok_or_else(|| refuse("its data are not written as base64".to_owned()))?;
                base64(encoded)
                    .ok_or_else(|| {
                        refuse("its data are not base64; the file is damaged".to_owned())
                    })?
                    .into()
            }
            None => beside(file, &decoded(uri)).map_err(refuse)?.into(),
        },
    };
    let length = declared.byte_length.0;
    if length > MAX_MESH_FILE || (bytes.len() as u64) < length {
        return Err(refuse(format!(
            "it should have {length} bytes, and has {}; the file is damaged, or another one lies \
             in its place",
            bytes.len()
        )));
    }
    Ok(bytes)
}

/// `%20` and its like as the characters they stand for.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, more @ ..] = rest {
        rest = more;
        let hex = |b: u8| char::from(b).to_digit(16);
        match (first, more) {
            (b'%', [a, b, after @ ..]) if hex(*a).is_some() && hex(*b).is_some() => {
                let value = hex(*a).unwrap_or(0) * 16 + hex(*b).unwrap_or(0);
                bytes.push(value as u8);
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `None` if there is anything else in it.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ if digit.is_ascii_whitespace() => continue,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

impl Parser<'_> {
    fn refuse(&self, message: impl Into<String>) -> ImportError {
        ImportError::within(self.file, message)
    }

    /// Every node of the scene that is shown, or of all of them where none is said to be.
    fn scene(&mut self) -> Result<(), ImportError> {
        let root = self.root;
        let shown = root
            .scene
            .or_else(|| (!root.scenes.is_empty()).then(|| Index::new(0)));
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<(Index<Node>, DAffine3)> = match shown {
            Some(index) => {
                let scene = root
                    .get(index)
                    .ok_or_else(|| self.refuse("the scene to show is not in the file"))?;
                scene
                    .nodes
                    .iter()
                    .map(|node| (*node, DAffine3::IDENTITY))
                    .collect()
            }
            None => {
                let children: BTreeSet<usize> = root
                    .nodes
                    .iter()
                    .flat_map(|node| node.children.iter().flatten())
                    .map(Index::value)
                    .collect();
                (0..root.nodes.len())
                    .filter(|i| !children.contains(i))
                    .map(|i| (Index::new(i as u32), DAffine3::IDENTITY))
                    .collect()
            }
        };
        // In the file's order, and without recursion: a file may nest as deep as it likes.
        waiting.reverse();
        while let Some((index, parent)) = waiting.pop() {
            self.context.checkpoint()?;
            let number = index.value();
            if !seen.insert(number) {
                return Err(self.refuse(format!(
                    "node {number} hangs below more than one other, or below itself; the file is \
                     damaged"
                )));
            }
            self.context
                .report(seen.len() as f32 / root.nodes.len().max(1) as f32);
            let node = root
                .get(index)
                .ok_or_else(|| self.refuse(format!("there is no node {number}")))?;
            let placement = parent * self.placement(node, number)?;
            if let Some(mesh) = node.mesh {
                let mesh_of = root.get(mesh);
                let mesh_of = mesh_of
                    .ok_or_else(|| self.refuse(format!("there is no mesh {}", mesh.value())))?;
                self.mesh(mesh_of, mesh.value(), &placement)?;
            }
            let children = node.children.iter().flatten().rev();
            waiting.extend(children.map(|child| (*child, placement)));
        }
        Ok(())
    }

    fn placement(&self, node: &Node, number: usize) -> Result<DAffine3, ImportError> {
        let placement = match node.matrix {
            Some(matrix) => DAffine3::from_mat4(DMat4::from_cols_array(&matrix.map(f64::from))),
            None => {
                let wide = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
                let turn = node.rotation.map_or(DQuat::IDENTITY, |rotation| {
                    DQuat::from_array(rotation.0.map(f64::from))
                });
                DAffine3::from_scale_rotation_translation(
                    node.scale.map_or(DVec3::ONE, wide),
                    // A turn that is none, all zero, is taken for no turn.
                    if turn.length_squared() > 1e-12 {
                        turn.normalize()
                    } else {
                        DQuat::IDENTITY
                    },
                    node.translation.map_or(DVec3::ZERO, wide),
                )
            }
        };
        if placement.is_finite() {
            Ok(placement)
        } else {
            Err(self.refuse(format!(
                "node {number} is placed by numbers that are not finite"
            )))
        }
    }

    fn mesh(&mut self, mesh: &Mesh, number: usize, place: &DAffine3) -> Result<(), ImportError> {
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            self.primitive(primitive, place, &format!("mesh {number}, part {i}"))?;
        }
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: &Primitive,
        place: &DAffine3,
        what: &str,
    ) -> Result<(), ImportError> {
        let Checked::Valid(mode) = primitive.mode else {
            return Err(self.refuse(format!("{what}: its mode is not one of glTF’s")));
        };
        if !matches!(
            mode,
            Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan
        ) {
            self.drawing.warn_once("points and lines were left out");
            return Ok(());
        }
        let Some(positions) = primitive
            .attributes
            .get(&Checked::Valid(Semantic::Positions))
        else {
            return Ok(());
        };
        let positions = self.accessors.places(*positions, what)?;
        let indices = match primitive.indices {
            Some(indices) => self.accessors.indices(indices, what)?,
            None => (0..positions.len() as u32).collect(),
        };
        self.context.checkpoint()?;
        let first = self.drawing.mesh.vertices.len();
        if first + positions.len() > 2 * MAX_TRIANGLES {
            return Err(self.refuse("there are too many vertices; export a part of the scene"));
        }
        let mirrored = place.matrix3.determinant() < 0.0;
        let count = match mode {
            Mode::Triangles => indices.len() / 3,
            _ => indices.len().saturating_sub(2),
        };
        self.drawing.make_room(count, self.file)?;
        let mesh = &mut self.drawing.mesh;
        mesh.vertices
            .extend(positions.iter().map(|p| place.transform_point3(*p)));
        for i in 0..count {
            if i % STRIDE == 0 {
                self.context.checkpoint()?;
            }
            let corners = match mode {
                Mode::TriangleStrip if i % 2 == 1 => [i + 1, i, i + 2],
                Mode::TriangleStrip => [i, i + 1, i + 2],
                Mode::TriangleFan => [0, i + 1, i + 2],
                _ => [3 * i, 3 * i + 1, 3 * i + 2],
            };
            let [a, b, c] = corners.map(|corner| indices[corner]);
            if let Some(beyond) = [a, b, c].iter().find(|i| **i as usize >= positions.len()) {
                return Err(ImportError::within(
                    self.file,
                    format!(
                        "{what}: triangle {i} has a corner at vertex {beyond}, but there are {}",
                        positions.len()
                    ),
                ));
            }
            let triangle = if mirrored { [a, c, b] } else { [a, b, c] };
            self.drawing
                .mesh
                .triangles
                .push(triangle.map(|i| i + first as u32));
        }
        let colour = primitive
            .material
            .and_then(|index| self.root.get(index))
            .map(colour_of);
        self.drawing
            .colours
            .extend(std::iter::repeat_n(colour, count));
        Ok(())
    }
}

/// The base colour, as it is to be shown; a texture over it is not looked at.
fn colour_of(material: &Material) -> Colour {
    let [r, g, b, _] = material.pbr_metallic_roughness.base_color_factor.0;
    let lane = |linear: f32| {
        let linear = if linear.is_finite() {
            linear.clamp(0.0, 1.0)
        } else {
            1.0
        };
        let encoded = if linear <= 0.003_130_8 {
            12.92 * linear
        } else {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        };
        (encoded * 255.0).round() as u8
    };
    Colour::rgb(lane(r), lane(g), lane(b))
}
