//! OBJ and glTF files, sound and broken, and the levels that come of them.

use super::tests::{read, read_with, refusal, source};
use super::{ImportError, ImportRequest, Imported, MeshOptions, import_unguarded, read_mesh};
use crate::base::Colour;
use crate::document::{Kind, MeshModel, SolidShape, UpAxis};
use crate::jobs::{Cancelled, JobContext};
use glam::DVec3;
use std::fs;
use std::path::PathBuf;

/// A cube from −1 to 1, faces of four corners seen from outside.
pub(super) const CUBE: &str = "\
# a cube
mtllib cube.mtl
o Cube
v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1
v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
vt 0 0\nvn 0 0 1
usemtl Red
f 1/1/1 4/1/1 3/1/1 2/1/1
f 5//1 6//1 7//1 8//1
usemtl Blue
f 1 2 6 5\nf -7 -6 -2 -3\nf 3 4 8 7\nf 4 1 5 8
";

pub(super) const MATERIALS: &str = "newmtl Red\nKd 1 0 0\nKs 1 1 1\n\nnewmtl Blue\n  Kd 0 0 0.5\n";

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("wayloom-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn put(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("in the folder")).expect("a folder");
        fs::write(&path, contents).expect("written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn only(imported: &Imported) -> &MeshModel {
    assert_eq!(imported.meshes.len(), 1);
    &imported.meshes[0].model
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bytes
        .chunks(3)
        .flat_map(|chunk| {
            let word = (0..3).fold(0_u32, |word, i| {
                word << 8 | u32::from(chunk.get(i).copied().unwrap_or(0))
            });
            (0..4).map(move |i| {
                if i <= chunk.len() {
                    char::from(DIGITS[(word >> (18 - 6 * i) & 63) as usize])
                } else {
                    '='
                }
            })
        })
        .collect()
}

/// Two triangles of a unit square in the plane of x and y, then six indices.
fn square_bytes() -> Vec<u8> {
    let places: [[f32; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
    let mut bytes: Vec<u8> = places
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    for i in [0_u16, 1, 2, 0, 2, 3] {
        bytes.extend(i.to_le_bytes());
    }
    bytes
}

/// The square once in its place, once mirrored and moved by a parent and a child.
pub(super) fn square_scene(buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],
"nodes":[{{"mesh":0}},{{"translation":[10,0,0],"children":[2]}},
{{"mesh":0,"scale":[-2,1,1],"rotation":[0,0,0,1]}}],
"materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[1,0.214,0,1]}}}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"material":0}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
{{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],
"buffers":[{{{buffer}"byteLength":60}}]}}"#
    )
}

pub(super) fn embedded() -> String {
    let data = base64(&square_bytes());
    square_scene(&format!(
        r#""uri":"data:application/octet-stream;base64,{data}","#
    ))
}

pub(super) fn binary() -> Vec<u8> {
    let mut json = square_scene("").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let bytes = square_bytes();
    let total = 12 + 8 + json.len() + 8 + bytes.len();
    let mut file = b"glTF".to_vec();
    file.extend(2_u32.to_le_bytes());
    file.extend((total as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &bytes)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

fn with_up(up: UpAxis) -> ImportRequest {
    ImportRequest::with(MeshOptions {
        up,
        ..MeshOptions::default()
    })
}

#[test]
fn an_obj_becomes_a_level_with_its_colours() {
    let sources = [source("a/cube.obj", CUBE), source("a/cube.mtl", MATERIALS)];
    let imported = import_unguarded(&sources, &ImportRequest::default(), &JobContext::default())
        .expect("read");
    assert_eq!(imported.warnings, [""; 0]);
    let model = only(&imported);
    assert!(model.closed && (model.mesh.volume() - 8.0).abs() < 1e-12);
    assert_eq!(model.mesh.triangles.len(), 12);
    let red = model
        .colours
        .iter()
        .filter(|c| **c == Colour::rgb(255, 0, 0));
    assert_eq!(red.count(), 4);
    assert_eq!(model.colours[11], Colour::rgb(0, 0, 128));
    let (_, entity, solid, mesh) = imported.level.mesh_solids().next().expect("a solid");
    assert_eq!(entity.name, "cube");
    assert_eq!(mesh.file, "cube.obj");
    assert_eq!(
        (solid.position, solid.size),
        (DVec3::NEG_Z, DVec3::splat(2.0))
    );
    assert!(!imported.level.settings().has_ground);
    assert!(imported.level.profiles().next().is_some());
}

#[test]
fn y_up_and_z_up_scale_and_centre_are_as_said() {
    let text = "v 0 0 0\nv 4 0 0\nv 4 1 -2\nf 1 2 3";
    let solid = |options: &ImportRequest| {
        let imported = read_with("ramp.obj", text, options).expect("read");
        let (.., solid, _) = imported.level.mesh_solids().next().expect("a solid");
        (solid.position, solid.size)
    };
    let (foot, size) = solid(&with_up(UpAxis::Y));
    assert_eq!(
        (foot, size),
        (DVec3::new(2.0, 1.0, 0.0), DVec3::new(4.0, 2.0, 1.0))
    );
    let (foot, size) = solid(&with_up(UpAxis::Z));
    assert_eq!(
        (foot, size),
        (DVec3::new(2.0, 0.5, -2.0), DVec3::new(4.0, 1.0, 2.0))
    );
    let (foot, size) = solid(&ImportRequest::with(MeshOptions {
        up: UpAxis::Z,
        scale: 0.5,
        recentre: true,
        ..MeshOptions::default()
    }));
    assert_eq!((foot, size), (DVec3::ZERO, DVec3::new(2.0, 0.5, 1.0)));
}

#[test]
fn gltf_in_its_three_forms_gives_one_mesh() {
    let beside = [
        source("s.gltf", square_scene(r#""uri":"my%20square.bin","#)),
        source("my square.bin", square_bytes()),
    ];
    let options = ImportRequest::default();
    let whole = import_unguarded(&beside, &options, &JobContext::default()).expect("read");
    let embedded = read("s.gltf", embedded()).expect("read");
    let binary = read("s.glb", binary()).expect("read");
    let model = only(&whole);
    for other in [&embedded, &binary] {
        assert_eq!(only(other), model);
    }
    assert_eq!(model.mesh.triangles.len(), 4);
    // y up: the square stands; the second one lies from 8 to 10, mirrored.
    assert_eq!(model.bounds.min, DVec3::ZERO);
    assert_eq!(model.bounds.max, DVec3::new(10.0, 0.0, 1.0));
    for t in model.mesh.corners() {
        let normal = (t[1] - t[0]).cross(t[2] - t[0]);
        assert!(normal.y < 0.0, "mirrored triangles keep their side");
    }
    assert_eq!(
        model.colours[0],
        Colour::rgb(255, 127, 0),
        "as it is to be shown"
    );
}

#[test]
fn sparse_quantised_and_strip_meshes_are_read() {
    // Four corners as normalised bytes, four bytes apart; the last one is moved by a sparse list.
    let mut bytes: Vec<u8> = Vec::new();
    for corner in [[0_i8, 0, 0], [127, 0, 0], [0, 127, 0], [0, 0, 0]] {
        bytes.extend(corner.map(|x| x as u8));
        bytes.push(0);
    }
    bytes.extend([3, 0, 0, 0]);
    bytes.extend([127, 127, 0, 0]);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_mesh_quantization"],
"nodes":[{{"mesh":0,"scale":[3,3,3]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":5}}]}}],
"accessors":[{{"bufferView":0,"componentType":5120,"normalized":true,"count":4,"type":"VEC3",
"min":[0,0,0],"max":[1,1,0],"sparse":{{"count":1,"indices":{{"bufferView":1,"componentType":5121}},
"values":{{"bufferView":2}}}}}}],
"bufferViews":[{{"buffer":0,"byteLength":16,"byteStride":4}},{{"buffer":0,"byteOffset":16,"byteLength":1}},
{{"buffer":0,"byteOffset":20,"byteLength":3}}],
"buffers":[{{"uri":"data:;base64,{}","byteLength":24}}]}}"#,
        base64(&bytes)
    );
    let imported = read("q.gltf", text).expect("read");
    let model = only(&imported);
    assert_eq!(model.mesh.triangles.len(), 2);
    assert_eq!(model.bounds.size(), DVec3::new(3.0, 0.0, 3.0));
    let area: f64 = model
        .mesh
        .corners()
        .map(|t| (t[1] - t[0]).cross(t[2] - t[0]).length() / 2.0)
        .sum();
    assert!(
        (area - 9.0).abs() < 1e-9,
        "the strip turns every second triangle: {area}"
    );
}

#[test]
fn broken_obj_files_are_refused_with_the_line() {
    for (text, sentence) in [
        ("v 0 0", "a.obj:1:1: this vertex has no z"),
        ("v 0 0 x1", "a.obj:1:1: `x1` is not a finite number"),
        ("\nv 0 nan 0", "a.obj:2:1: `nan` is not a finite number"),
        ("v 0 1e999 0", "a.obj:1:1: `1e999` is not a finite number"),
        (
            "v 0 0 0\nv 1 0 0\nf 1 2 3",
            "a.obj:3:1: this face has a corner at vertex 3, but there are 2 so far",
        ),
        (
            "v 0 0 0\nf 0 1 1",
            "a.obj:2:1: this face has a corner at vertex 0, but there are 1 so far",
        ),
        (
            "v 0 0 0\nf -2 1 1",
            "a.obj:2:1: this face has a corner at vertex -2, but there are 1 so far",
        ),
        ("f a b c", "a.obj:1:1: `a` is not the number of a vertex"),
        (
            "v 0 0 0\nf 1 1",
            "a.obj:2:1: a face needs 3 corners, this one has 2",
        ),
        (
            "v 0 0 0\nv 1 0 0",
            "a.obj: there is nothing in it to import: no face with three corners",
        ),
        (
            "v 0 0 0\nf 1 1 1",
            "a.obj: there is nothing in it to import: no triangle has three different corners",
        ),
        (
            "",
            "a.obj: there is nothing in it to import: no face with three corners",
        ),
        (
            "\u{1}PNG\u{0}\u{0}",
            "a.obj:1:1: this is no line of an OBJ file; this is another format, or damaged",
        ),
    ] {
        assert_eq!(refusal("a.obj", text), sentence, "{text:?}");
    }
    let far = refusal("a.obj", "v 5e6 0 0\nv 5000001 0 0\nv 5e6 1 0\nf 1 2 3");
    assert!(
        far.contains("too far from the origin") && far.contains("--recentre"),
        "{far}"
    );
    let large = refusal("a.obj", "v 0 0 0\nv 5e6 0 0\nv 0 1 0\nf 1 2 3");
    assert!(large.contains("--scale"), "{large}");
    let wild = refusal("a.obj", "v 0 0 0\nv 1e200 0 0\nv 0 1 0\nf 1 2 3");
    assert!(wild.contains("vertex 2"), "{wild}");
}

#[test]
fn continued_lines_windows_endings_and_concave_faces_are_read() {
    let text = "v 0 0 0\r\nv 1 3 0\r\nv 2 0 0 # tip\r\nv 1 1 0\r\nf 1 \\\r\n 4 3 \\\r\n 2\r\n";
    let imported = read("arrow.obj", text).expect("read");
    let model = only(&imported);
    assert_eq!(model.mesh.triangles.len(), 2);
    let area: f64 = model
        .mesh
        .corners()
        .map(|t| (t[1] - t[0]).cross(t[2] - t[0]).length() / 2.0)
        .sum();
    assert!((area - 2.0).abs() < 1e-9, "a fan would cover more: {area}");
}

#[test]
fn broken_gltf_files_are_refused_with_the_place() {
    let good = embedded();
    for (from, to, word) in [
        ("\"count\":4", "\"count\":5", "too few bytes"),
        (
            "\"count\":4",
            "\"count\":4000000000",
            "more vertices than any file",
        ),
        ("\"count\":6", "\"count\":99999", "too few bytes"),
        ("\"byteOffset\":48", "\"byteOffset\":49", "too few bytes"),
        (
            "\"byteOffset\":48",
            "\"byteOffset\":18446744073709551615",
            "too few bytes",
        ),
        (
            "\"byteLength\":60",
            "\"byteLength\":61",
            "should have 61 bytes",
        ),
        ("\"children\":[2]", "\"children\":[1]", "node 1 hangs below"),
        ("\"children\":[2]", "\"children\":[0]", "node 0 hangs below"),
        ("\"children\":[2]", "\"children\":[9]", "there is no node 9"),
        ("\"mesh\":0", "\"mesh\":7", "there is no mesh 7"),
        ("\"POSITION\":0", "\"POSITION\":8", "there is no accessor 8"),
        (
            "\"componentType\":5123",
            "\"componentType\":5126",
            "no whole numbers",
        ),
        ("\"VEC3\"", "\"VEC2\"", "three coordinates"),
        (
            "\"translation\":[10,0,0]",
            "\"translation\":[1e38,1e38,1e38]",
            "not a place",
        ),
        ("base64,", "base64,*", "not base64"),
        ("\"scene\":0", "\"scene\":3", "the scene to show"),
        ("{\"asset\"", "{,\"asset\"", "this is not a glTF scene"),
    ] {
        assert!(good.contains(from), "{from}");
        let message = refusal("s.gltf", good.replacen(from, to, 1));
        assert!(message.contains(word), "{from} → {to}: {message}");
        assert!(message.starts_with("s.gltf"), "{message}");
    }
    let draco = good.replacen(
        "{\"asset\"",
        "{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\"",
        1,
    );
    assert!(refusal("s.gltf", draco).contains("without compression"));
    // An index beyond the vertices.
    let mut bytes = square_bytes();
    bytes[48] = 200;
    let beyond = square_scene(&format!(r#""uri":"data:;base64,{}","#, base64(&bytes)));
    assert!(refusal("s.gltf", beyond).contains("corner at vertex 200"));
    let mut bytes = square_bytes();
    bytes[0..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let nowhere = square_scene(&format!(r#""uri":"data:;base64,{}","#, base64(&bytes)));
    assert!(refusal("s.gltf", nowhere).contains("vertex 0 is not at a finite place"));
}

#[test]
fn a_binary_file_that_is_cut_anywhere_is_refused() {
    let whole = binary();
    for length in 0..whole.len() {
        let cut = read("s.glb", &whole[..length]);
        assert!(cut.is_err(), "{length} of {} bytes", whole.len());
    }
    let mut old = whole;
    old[4] = 1;
    assert!(refusal("s.glb", old).contains("glTF 2.0"));
}

#[test]
fn many_nodes_cannot_multiply_without_end() {
    // Each level of nodes doubles, if a node may hang below two others.
    let mut nodes = vec![r#"{"mesh":0}"#.to_owned()];
    for i in 0..40 {
        nodes.push(format!(r#"{{"children":[{i},{i}]}}"#));
    }
    let scene = embedded();
    let (head, rest) = scene.split_once("\"nodes\":[{").expect("has nodes");
    let (_, tail) = rest.split_once("\"materials\"").expect("follows");
    let text = format!("{head}\"nodes\":[{}],\"materials\"{tail}", nodes.join(","));
    let text = text.replacen("\"nodes\":[0,1]", "\"nodes\":[40]", 1);
    assert!(refusal("s.gltf", text).contains("hangs below more than one"));
}

#[test]
fn files_outside_the_folder_are_never_read() {
    let folder = Folder::new("mesh-outside");
    folder.put("secret.mtl", "newmtl Red\nKd 0 1 0\n");
    folder.put("secret.bin", square_bytes());
    for name in [
        "../secret.mtl",
        "/etc/../secret.mtl",
        "inner/../../secret.mtl",
    ] {
        let text = CUBE.replacen("cube.mtl", name, 1);
        let path = folder.put("level/cube.obj", text);
        let read = read_mesh(&path, UpAxis::Y, &JobContext::default()).expect("read");
        assert!(read.model.colours.is_empty(), "{name}");
        assert_eq!(read.warnings.len(), 1, "{name}");
    }
    for name in ["../secret.bin", "%2e%2e/secret.bin", "file:///secret.bin"] {
        let path = folder.put("level/s.gltf", square_scene(&format!(r#""uri":"{name}","#)));
        let refused = read_mesh(&path, UpAxis::Y, &JobContext::default()).expect_err("refused");
        assert!(
            refused.to_string().contains("is not in its folder"),
            "{refused}"
        );
    }
    #[cfg(unix)]
    {
        let link = folder.0.join("level/linked.bin");
        std::os::unix::fs::symlink(folder.0.join("secret.bin"), link).expect("a link");
        let path = folder.put("level/s.gltf", square_scene(r#""uri":"linked.bin","#));
        assert!(read_mesh(&path, UpAxis::Y, &JobContext::default()).is_err());
    }
    // A path of another machine still finds the file that lies beside.
    folder.put("level/cube.mtl", MATERIALS);
    let text = CUBE.replacen("cube.mtl", "C:\\Users\\me\\cube.mtl", 1);
    let path = folder.put("level/cube.obj", text);
    let read = read_mesh(&path, UpAxis::Y, &JobContext::default()).expect("read");
    assert_eq!(read.model.colours.len(), 12);
}

#[test]
fn missing_files_and_folders_are_said_plainly() {
    let folder = Folder::new("mesh-missing");
    let missing = read_mesh(&folder.0.join("no.obj"), UpAxis::Y, &JobContext::default());
    let message = missing.expect_err("missing").to_string();
    assert!(
        message.ends_with("no.obj: there is no such file"),
        "{message}"
    );
    let not_file = folder.0.join("x.obj");
    fs::create_dir(&not_file).expect("a folder");
    assert!(read_mesh(&not_file, UpAxis::Y, &JobContext::default()).is_err());
    assert!(refusal("a.obj.txt", "f 1 2 3").contains("--format"));
    // Its contents tell.
    assert!(read("a.obj.txt", CUBE).is_ok());
    let options = ImportRequest::default();
    let paths = [
        folder.put("a.obj", CUBE),
        folder.put("b.wkt", "POINT (1 2)"),
    ];
    let mixed = super::import(&paths, &options, &JobContext::default()).expect_err("refused");
    assert!(
        mixed.to_string().contains("cannot be read together"),
        "{mixed}"
    );
}

#[test]
fn two_files_of_one_name_keep_apart() {
    let sources = [source("a/cube.obj", CUBE), source("b/cube.obj", CUBE)];
    let imported = import_unguarded(&sources, &ImportRequest::default(), &JobContext::default())
        .expect("read");
    let files: Vec<&str> = imported
        .meshes
        .iter()
        .map(|mesh| mesh.source.file.as_str())
        .collect();
    assert_eq!(files, ["cube.obj", "cube-2/cube.obj"]);
    let solids = imported.level.iter().filter(|(_, entity)| {
        matches!(&entity.kind, Kind::Solid(s) if matches!(s.shape, SolidShape::Mesh(_)))
    });
    assert_eq!(solids.count(), 2);
}

#[test]
fn reading_stops_when_cancelled() {
    let context = JobContext::default();
    context.cancel();
    let folder = Folder::new("mesh-cancel");
    for (name, bytes) in [("a.obj", CUBE.as_bytes().to_vec()), ("a.glb", binary())] {
        let path = folder.put(name, bytes);
        let stopped = read_mesh(&path, UpAxis::Y, &context);
        assert_eq!(
            stopped.err(),
            Some(ImportError::Cancelled(Cancelled)),
            "{name}"
        );
    }
}
