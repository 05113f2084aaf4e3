//! Bounded mutation fuzzing of every reader.
//!
//! Good files are cut, spliced, repeated and littered with what parsers choke on. No reader may
//! panic or take a second, and what it says is a sentence. `WAYLOOM_FUZZ_CASES` sets the number of cases for each reader.

use super::heightmap::tests::png;
use super::mesh_tests::{self, CUBE, MATERIALS};
use super::tests::source;
use super::{
    DrawingOptions, GridMapOptions, HeightRange, HeightmapOptions, ImportRequest, MeshOptions,
    Source, Water, import_unguarded,
};
use crate::base::parser_words::check_form;
use crate::base::{EntityId, Random};
use crate::document::{Agent, Entity, Goal, Heading, Kind, Mission, Profile, UpAxis, format};
use crate::exchange::options::Options;
use crate::exchange::registry;
use crate::exchange::{Polygons, test_level};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use glam::{DVec2, DVec3};
use std::ops::Range;
use std::time::{Duration, SystemTime};

const DEFAULT_CASES: usize = 2_000;

/// Slower than this is a hang.
const MOST: Duration = Duration::from_secs(1);

/// Mutants are kept below this. Unit: bytes.
const MAX_MUTANT: usize = 1 << 16;

const WKT: &[&str] = &[
    "POLYGON ((0 0, 20.5 0, 20 10, 0 10, 0 0), (5 5, 5 6, 6 6, 6 5, 5 5))",
    "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4)), POLYGON ((4 1, 9 1, 9 2, 4 2)))",
    "SRID=25832; MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4)), ((6 1, 9 1, 9 2, 6 2), (7 1.2, 8 1.2, 8 1.8)))",
    "LINESTRING Z (0 0 1, 5 5 2)\nMULTIPOINT ((1 2), (3 4));MULTIPOINT(5 6,7 8)\nPOINT M (9 9 4)",
    "GEOMETRYCOLLECTION(POINT EMPTY,GEOMETRYCOLLECTION(MULTILINESTRING((0 0,1 1),EMPTY)))",
];

const MESH: &[&str] = &[
    "mesh\n2\n6 2\n0 0 2 -1 0\n2 0 3 -1 0 1\n4 0 2 -1 1\n4 2 2 -1 1\n2 2 3 -1 1 0\n0 2 2 -1 0\n\
     4 0 1 4 5 -1 -1 1 -1\n4 1 2 3 4 0 -1 -1 -1\n",
    "mesh 1 3 1 0 0 1 0 9 0 1 0 0 7.5 1 0 3 0 1 2 -1 -1 -1",
];

const GEOJSON: &[&str] = &[
    r#"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon",
    "coordinates":[[[0,0],[40,0],[40,40],[0,40],[0,0]],[[1,1],[2,1],[2,2]]]},"properties":{"kind":
    "obstacle","name":"Hall","height":12.5,"facing":90,"tags":["old","stone"]}},{"type":"Feature",
    "geometry":{"type":"Point","coordinates":[1,50,3]},"properties":{"kind":"agent","profile":"A",
    "goals":[[4,5],[6,7,8]]}}]}"#,
    r#"{"type":"FeatureCollection","wayloom":{"coordinates":"metres","name":"T","notes":"n","bounds":
    [[0,0],[100,80]],"base_terrain":"Mud","terrains":[{"name":"Mud","colour":"\#123456","pattern":
    "Dots","weight":2.5}]},"features":[{"type":"Feature","geometry":{"type":"MultiPolygon",
    "coordinates":[[[[0,0],[9,0],[9,9]]],[[[20,20],[29,20],[29,29]]]]},"properties":{"kind":"region",
    "terrain":"Mud"}},{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[60,60],[67,60],
    [67,67]]]},"properties":{"kind":"crowd","count":35}}]}"#,
    r#"{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[0,0],[0.5,0.5]]},
    {"type":"MultiLineString","coordinates":[[[0,0],[0.1,0.2]],[]]},{"type":"MultiPoint",
    "coordinates":[[0.1,0.2]]},{"type":"GeometryCollection","geometries":[]}]}"#,
    r#"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[8,0],[8,8],[0,8]]]},
    "properties":{"kind":"walkable"}}"#,
];

const MAP: &[&str] = &[
    "type octile\nheight 4\nwidth 6\nmap\n@@@@@@\n@.SSW@\n@GT.W@\n@@@@@@\n",
    "type octile\r\nheight 3\r\nwidth 3\r\nmap\r\n@.@\r\n.@.\r\n@.@\r\n",
    "type octile\nheight 1\nwidth 12\nmap\n............",
];

const SCENARIO: &[&str] = &[
    "version 1\n0\tsmall.map\t6\t4\t1\t1\t3\t2\t2.41421356\n0\tb c/small.map\t6\t4\t1\t2\t1\t1\t1\n",
    "version 1.0\n0 small.map 6 4 1 1 3 2 2.4\n\n3 small.map 6 4 3 2 1 1 2.4",
];

/// What parsers choke on.
const LITTER: &[&str] = &[
    "NaN",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "999999999999999999999",
    "-0",
    "0",
    "1000000",
    "-1000001",
    "4194304",
    "65536",
    ".",
    "-",
    "+",
    "e",
    "((((((((",
    "))))",
    "[[[[[[[[",
    "]]]]",
    "{\"a\":",
    "}}}}",
    "null",
    "\"",
    "\\u0000",
    "\u{0}",
    "\u{feff}",
    "é",
    "\r\n",
    "\n\n",
    "\t",
    ",",
    ";",
    "EMPTY",
    "ZM",
    "GEOMETRYCOLLECTION(",
    "POLYGON((",
    "MULTIPOLYGON(((",
    "SRID=",
    "\"type\"",
    "\"coordinates\"",
    "\"Feature\"",
    "height",
    "width",
    "map",
    "@",
    "TWSG",
    "f -1 -2 -3",
    "v 1 2 3",
    "usemtl",
    "\\\n",
    "//",
    "5126",
    "\"byteOffset\":",
    "\"children\":[0],",
    "18446744073709551615",
];

/// Numbers at the edges of what is allowed, in every grammar.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "2",
    "1e-9",
    "0.0005",
    "-1e6",
    "999999.9995",
    "1000000",
    "1000001",
    "1e12",
    "1e13",
    "4194304",
    "2048",
    "255",
    "1e308",
];

/// Where the next number stands; nowhere if none follows.
fn number_after(bytes: &[u8], at: usize) -> Range<usize> {
    let is_digit = |b: &u8| b.is_ascii_digit() || b"+-.".contains(b);
    let start = bytes[at..]
        .iter()
        .position(is_digit)
        .map_or(bytes.len(), |i| at + i);
    let length = bytes[start..].iter().take_while(|b| is_digit(b)).count();
    start..start + length
}

fn mutant(random: &mut Random, seeds: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut bytes = random
        .pick(seeds)
        .map_or(Vec::new(), |seed| seed.as_ref().to_vec());
    // Half of the mutants keep their grammar, so that what lies behind it is tried as well.
    let kinds = if random.chance(0.5) { 2 } else { 11 };
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(24)).min(bytes.len());
        match random.below(kinds) {
            0 | 1 => {
                let number = number_after(&bytes, at);
                let other = match random.below(3) {
                    0 => random.range(-20.0, 60.0).to_string(),
                    1 => random.below(70).to_string(),
                    _ => random.pick(NUMBERS).copied().unwrap_or_default().to_owned(),
                };
                bytes.splice(number, other.bytes());
            }
            2 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            3 => bytes.insert(at, random.next_u64() as u8),
            4 => drop(bytes.drain(at..end)),
            5 | 6 => {
                let litter = random.pick(LITTER).copied().unwrap_or_default();
                bytes.splice(at..end.min(at + litter.len()), litter.bytes());
            }
            7 => {
                let litter = random.pick(LITTER).copied().unwrap_or_default();
                bytes.splice(at..at, litter.bytes());
            }
            8 => {
                // A piece again and again: depth, length, overlap.
                let piece = bytes[at..end].repeat(1 + random.below(200));
                bytes.splice(at..at, piece);
            }
            9 => {
                let other = random.pick(seeds).map_or(&[][..], AsRef::as_ref);
                let from = random.below(other.len() + 1);
                bytes.splice(at..end, other[from..].iter().copied());
            }
            _ => bytes.truncate(at),
        }
        bytes.truncate(MAX_MUTANT);
    }
    bytes
}

/// A sound map: numbers in the header are seldom right after a mutation.
fn random_map(random: &mut Random) -> Vec<u8> {
    let (width, height) = (1 + random.below(40), 1 + random.below(40));
    let mut text = format!("type octile\nheight {height}\nwidth {width}\nmap\n").into_bytes();
    for _ in 0..height {
        text.extend((0..width).map(|_| *random.pick(b"..G@@OTSW").unwrap_or(&b'.')));
        text.push(b'\n');
    }
    text
}

/// A request for a format, with options for every reader.
fn request(random: &mut Random, format: &str) -> ImportRequest {
    let polygons = *random.pick(&Polygons::ALL).unwrap_or(&Polygons::Auto);
    let recentre = random.chance(0.3);
    let cell = *random.pick(&[1.0, 0.01, 0.3, 10_000.0]).unwrap_or(&1.0);
    let scale = *random.pick(&[1.0, 1e-6, 0.01, 1e6]).unwrap_or(&1.0);
    let up = *random.pick(&UpAxis::ALL).unwrap_or(&UpAxis::Y);
    let water = if random.chance(0.5) {
        Water::Blocks
    } else {
        Water::Terrain
    };
    let format = registry::named(format).expect("a row");
    ImportRequest::of(format)
        .and(Options::new(DrawingOptions {
            scale,
            polygons,
            recentre,
            ..DrawingOptions::default()
        }))
        .and(Options::new(GridMapOptions {
            cell,
            water,
            ..GridMapOptions::default()
        }))
        .and(Options::new(HeightmapOptions {
            cell,
            range: HeightRange::default(),
        }))
        .and(Options::new(MeshOptions {
            up,
            scale,
            recentre,
            ..MeshOptions::default()
        }))
}

/// Time that this thread has worked, so that a busy machine makes no reader slow; where that is not
/// counted, the time of day.
fn clock() -> Duration {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = counted.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(
        || SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default(),
        Duration::from_nanos,
    )
}

fn fuzz(seed: u64, format: &str, sources: impl Fn(&mut Random) -> Vec<Source>) {
    let cases = std::env::var("WAYLOOM_FUZZ_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(DEFAULT_CASES);
    let (mut accepted, mut slowest) = (0, Duration::ZERO);
    for case in 0..cases as u64 {
        let mut random = Random::stream(seed, case);
        let sources = sources(&mut random);
        let request = request(&mut random, format);
        let begun = clock();
        let outcome = import_unguarded(&sources, &request, &JobContext::default());
        let took = clock().saturating_sub(begun);
        let file = || String::from_utf8_lossy(&sources[0].bytes).into_owned();
        assert!(took < MOST, "case {case} took {took:?}: {}", file());
        slowest = slowest.max(took);
        let told = match outcome {
            Ok(imported) => {
                accepted += 1;
                imported.warnings
            }
            Err(error) => vec![error.to_string()],
        };
        for sentence in told {
            let form = check_form(&sentence);
            assert_eq!(form, Ok(()), "case {case} says `{sentence}` to {}", file());
        }
    }
    // Mutants that are all refused at the first byte would test nothing.
    assert!(accepted > cases / 200, "{accepted} of {cases} were read");
    eprintln!("{format}: {accepted} of {cases} mutants were read; the slowest took {slowest:?}");
}

fn alone(name: &str, seeds: &'static [&str]) -> impl Fn(&mut Random) -> Vec<Source> {
    move |random| vec![source(name, mutant(random, seeds))]
}

#[test]
fn mutated_wkt_is_read_or_refused() {
    fuzz(1, "wkt", alone("a.wkt", WKT));
}

#[test]
fn mutated_meshes_are_read_or_refused() {
    fuzz(7, "polyanya", alone("a.mesh", MESH));
}

#[test]
fn mutated_obj_files_are_read_or_refused() {
    fuzz(8, "obj", |random| {
        vec![
            source("a.obj", mutant(random, &[CUBE])),
            source("cube.mtl", mutant(random, &[MATERIALS])),
        ]
    });
}

#[test]
fn mutated_gltf_files_are_read_or_refused() {
    let seeds = [mesh_tests::embedded().into_bytes()];
    fuzz(9, "gltf", |random| {
        vec![source("a.gltf", mutant(random, &seeds))]
    });
}

#[test]
fn mutated_binary_gltf_files_are_read_or_refused() {
    let seeds = [mesh_tests::binary()];
    fuzz(10, "gltf", |random| {
        vec![source("a.glb", mutant(random, &seeds))]
    });
}

#[test]
fn mutated_geojson_is_read_or_refused() {
    fuzz(2, "geojson", alone("a.geojson", GEOJSON));
}

#[test]
fn mutated_maps_are_read_or_refused() {
    fuzz(3, "movingai", |random| {
        let bytes = match random.below(3) {
            0 => random_map(random),
            1 => {
                let map = random_map(random);
                mutant(random, &[map])
            }
            _ => mutant(random, MAP),
        };
        vec![source("a.map", bytes)]
    });
}

#[test]
fn mutated_scenarios_are_read_or_refused() {
    fuzz(4, "movingai", |random| {
        vec![
            source("a.map", MAP[0]),
            source("a.map.scen", mutant(random, SCENARIO)),
        ]
    });
}

#[test]
fn mutated_pictures_are_read_or_refused() {
    use image::{GrayImage, ImageBuffer, Luma, RgbaImage};
    let sixteen: ImageBuffer<Luma<u16>, Vec<u16>> =
        ImageBuffer::from_fn(5, 4, |x, y| Luma([(x * y * 3000) as u16]));
    let seeds = [
        png(GrayImage::from_fn(7, 3, |x, y| Luma([(x * 20 + y) as u8]))),
        png(sixteen),
        png(RgbaImage::new(3, 3)),
    ];
    fuzz(6, "heights", |random| {
        vec![source("a.png", mutant(random, &seeds))]
    });
}

#[test]
fn mutated_levels_are_read_or_refused() {
    let square = Polygon::rect(Rect::new(DVec2::ONE, DVec2::splat(4.0)));
    let mut agent = Agent {
        start: DVec3::ONE,
        heading: Heading::degrees(30.0),
        mission: Mission::new(EntityId::new(2)),
    };
    agent.mission.goals.push(Goal::At(DVec3::splat(8.0)));
    let entities = vec![
        test_level::obstacle(square).tagged("old"),
        Entity::new("Walker", Kind::Profile(Profile::default())),
        Entity::new("Anna", Kind::Agent(agent)),
    ];
    let level = test_level::apply(DVec2::splat(9.0), entities);
    let seeds = [
        format::write(&level, EntityId::new(9)),
        include_str!("../../../tests/safety/crowds.ron").to_owned(),
    ];
    assert!(format::read(&seeds[1]).is_ok(), "a valid seed");
    fuzz(5, "wayloom", |random| {
        vec![source("a.ron", mutant(random, &seeds))]
    });
}
