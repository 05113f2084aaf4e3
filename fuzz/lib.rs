//! What the targets share: one import without its last guard.

use wayloom::exchange::import::{ImportOptions, Source, import_unguarded};
use wayloom::exchange::{Format, Polygons};
use wayloom::jobs::JobContext;

/// Reads `bytes` as `format` in each way that changes what the reader does.
pub fn read(format: Format, name: &str, bytes: &[u8]) {
    let source = Source {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
    };
    read_all(format, &[source]);
}

pub fn read_all(format: Format, sources: &[Source]) {
    for polygons in Polygons::ALL {
        let options = ImportOptions {
            format: Some(format),
            polygons,
            ..ImportOptions::default()
        };
        let _ = import_unguarded(sources, &options, &JobContext::default());
    }
}
