//! What holds for every reader.

use super::*;
use crate::jobs::Cancelled;

pub(in crate::exchange) fn source(name: &str, text: impl AsRef<[u8]>) -> Source {
    Source::new(name, text.as_ref())
}

pub(in crate::exchange) fn read(
    name: &str,
    text: impl AsRef<[u8]>,
) -> Result<Imported, ImportError> {
    read_with(name, text, &ImportRequest::default())
}

pub(in crate::exchange) fn read_with(
    name: &str,
    text: impl AsRef<[u8]>,
    request: &ImportRequest,
) -> Result<Imported, ImportError> {
    import_unguarded(&[source(name, text)], request, &JobContext::default())
}

pub(in crate::exchange) fn refusal(name: &str, text: impl AsRef<[u8]>) -> String {
    read(name, text).expect_err("is refused").to_string()
}

#[test]
fn what_cannot_be_read_is_said_plainly() {
    let nothing = import(&[], &ImportRequest::default(), &JobContext::default());
    assert_eq!(
        nothing.expect_err("no file").to_string(),
        "name a file to import"
    );
    let missing = import(
        &[PathBuf::from("no/such/plan.wkt")],
        &ImportRequest::default(),
        &JobContext::default(),
    );
    assert_eq!(
        missing.expect_err("missing").to_string(),
        "no/such/plan.wkt: there is no such file"
    );
    assert!(refusal("plan.dwg", "").contains("--format"));
    assert_eq!(
        refusal("plan.wkt", b"POLYGON \xff"),
        "plan.wkt: byte 8 is not UTF-8 text; this is another format, or damaged"
    );
    assert!(refusal("walk.map.scen", "version 1\n").contains("map"));
    assert_eq!(
        refusal("level.ron", "Wayloom(\n  version: 1,\n  what: 2)"),
        "level.ron:3:3: unknown field `what`; expected one of version, next_id, settings, \
         ground, entities"
    );
}

#[test]
fn options_beyond_reason_are_refused() {
    let scale = DrawingOptions {
        scale: f64::NAN,
        ..DrawingOptions::default()
    };
    let margin = DrawingOptions {
        margin: Some(-1.0),
        ..DrawingOptions::default()
    };
    let cell = GridMapOptions {
        cell: 0.0,
        ..GridMapOptions::default()
    };
    for (name, request, word) in [
        ("plan.wkt", ImportRequest::with(scale), "scale"),
        ("plan.wkt", ImportRequest::with(margin), "margin"),
        ("plan.map", ImportRequest::with(cell), "cell"),
    ] {
        let refused = read_with(name, "type", &request).expect_err("refused");
        assert!(refused.to_string().contains(word), "{refused}");
    }
}

#[test]
fn heights_are_a_level_of_their_own_or_lie_under_a_drawing() {
    let ramp = image::GrayImage::from_fn(21, 11, |x, _| image::Luma([(x * 12) as u8]));
    let picture = source("hills.png", heightmap::tests::png(ramp));
    let request = ImportRequest::with(HeightmapOptions {
        cell: 2.0,
        range: HeightRange {
            black: 1.0,
            white: 52.0,
        },
    });
    let read = |sources: &[Source], request: &ImportRequest| {
        import_unguarded(sources, request, &JobContext::default())
    };
    let alone = read(std::slice::from_ref(&picture), &request)
        .expect("a level")
        .level;
    assert_eq!(alone.settings().bounds.size(), glam::DVec2::new(40.0, 20.0));
    let ground = alone.ground().expect("heights");
    assert_eq!(ground.range(), (1.0, 49.0));

    let drawn = source("plan.wkt", "POLYGON ((0 0, 90 0, 90 40, 0 40))");
    let both = read(&[drawn, picture.clone()], &request)
        .expect("a level")
        .level;
    let ground = both.ground().expect("heights");
    let bounds = both.settings().bounds;
    assert!(ground.bounds().expanded(1e-6).contains(bounds.max));
    assert_eq!(ground.origin, bounds.min);

    let two = read(&[picture.clone(), picture.clone()], &request).expect_err("refused");
    assert!(two.to_string().contains("only one"), "{two}");
    let request = ImportRequest::with(HeightmapOptions {
        cell: 1.0,
        range: HeightRange {
            black: f64::NAN,
            white: 1.0,
        },
    });
    assert!(read(&[picture], &request).is_err());
}

#[test]
fn a_cancelled_import_stops() {
    let context = JobContext::default();
    context.cancel();
    for name in [
        "plan.wkt",
        "plan.geojson",
        "plan.map",
        "plan.ron",
        "plan.png",
        "plan.obj",
        "plan.glb",
    ] {
        let sources = [source(name, "POINT (1 2)")];
        let stopped = import_unguarded(&sources, &ImportRequest::default(), &context);
        assert_eq!(stopped.err(), Some(ImportError::Cancelled(Cancelled)));
    }
}
