//! What the targets share: one import without its last guard.

use wayloom::exchange::import::{DrawingOptions, ImportRequest, Source, import_unguarded};
use wayloom::exchange::{Options, Polygons, registry};
use wayloom::jobs::JobContext;

/// Reads `bytes` as a format in each way that changes what the reader does.
pub fn read(format: &str, name: &str, bytes: &[u8]) {
    read_all(format, &[Source::new(name, bytes)]);
}

pub fn read_all(format: &str, sources: &[Source]) {
    let Ok(format) = registry::named(format) else {
        panic!("`{format}` is not a format");
    };
    for polygons in Polygons::ALL {
        let options = DrawingOptions {
            polygons,
            ..DrawingOptions::default()
        };
        let request = ImportRequest::of(format).and(Options::new(options));
        let _ = import_unguarded(sources, &request, &JobContext::default());
    }
}
