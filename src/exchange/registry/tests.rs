//! Rows, and how a file finds its own.

use super::*;

#[test]
fn ids_and_endings_lead_back_to_their_format() {
    for row in BUILT_IN {
        assert_eq!(named(row.id), Ok(row));
        assert!(row.reader.is_some() || row.writer.is_some());
        assert!(row.description.ends_with('.'));
        if row.reader.is_none() {
            continue;
        }
        for ending in row.extensions {
            let path = format!("Some.Plan.{}", ending.to_uppercase());
            assert_eq!(detect(Path::new(&path), b""), Some(row));
        }
    }
    assert_eq!(detect(Path::new("map"), b""), None);
    assert_eq!(detect(Path::new(".map"), b""), None);
    assert_eq!(
        named("dwg").expect_err("unknown").to_string(),
        "`dwg` is not a format; known ones are wayloom, wkt, geojson, movingai, movingai-scen, \
         polyanya, heights, obj, gltf, glb, godot, detour, usd, tmx, tmj, \
         maps, tables, csv, pedpy, jupedsim, vadere-traj, vadere, html, gif, apng, frames, svg, pdf, bake"
    );
}

#[test]
fn the_beginning_of_a_file_decides_where_its_name_does_not() {
    for (name, head, id) in [
        (
            "a.json",
            &br#"{"type": "FeatureCollection", "features": []}"#[..],
            "geojson",
        ),
        (
            "a.json",
            br#"{"asset": {"version": "2.0"}, "scenes": []}"#,
            "gltf",
        ),
        ("a.json", br#"{"what": 1}"#, "geojson"),
        ("a", b"mesh\n2\n6 2\n", "polyanya"),
        ("a.mesh", b"mesh\n2\n6 2\n", "polyanya"),
        ("a.mesh", b"# Blender\nv 1 2 3\nv 1 2 4\n", "obj"),
        ("a.mesh", b"nonsense", "polyanya"),
        ("castle.obj", b"glTF\x02\0\0\0", "gltf"),
        ("hills", b"\x89PNG\r\n\x1a\n", "heights"),
        ("plan.txt", b" POLYGON ((0 0, 1 0, 1 1))", "wkt"),
        ("plan.txt", b"type octile\nheight 4\n", "movingai"),
        ("level", b"Wayloom(\n    version: 1,\n", "wayloom"),
    ] {
        let row = detect(Path::new(name), head);
        assert_eq!(row.map(|row| row.id), Some(id), "{name}");
    }
    assert_eq!(detect(Path::new("plan.dwg"), b"AC1015"), None);
}

#[test]
fn a_file_to_be_written_is_in_the_format_of_its_ending() {
    let id = |name: &str| for_output(Path::new(name)).map(|row| row.id);
    assert_eq!(id("a.json"), Some("geojson"));
    assert_eq!(id("a.map"), Some("movingai"));
    // Read, but not written.
    assert_eq!(id("a.png"), None);
    assert_eq!(id("a"), None);
}

#[test]
fn defaults_are_within_their_limits_and_flags_mean_one_thing() {
    let mut flags = std::collections::BTreeMap::new();
    for row in BUILT_IN {
        for options in [row.import_options(), row.export_options()]
            .into_iter()
            .flatten()
        {
            options
                .check()
                .unwrap_or_else(|error| panic!("{row}: {error}"));
            for spec in options.specs() {
                let taken = flags.insert(spec.key, spec.takes_value());
                assert!(taken.is_none_or(|takes| takes == spec.takes_value()));
                assert!(
                    !spec.help.is_empty() && !spec.help.ends_with('.'),
                    "{}",
                    spec.key
                );
            }
        }
    }
}

#[test]
fn an_id_is_registered_once() {
    assert_eq!(register(&WAYLOOM), Err(RegisterError::IdTaken("wayloom")));
}
