//! What a file is by its beginning.

/// Whether a file is in a format, as far as its beginning tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sniff {
    /// It begins as no other format does.
    Yes,
    /// Nothing speaks for or against it.
    Maybe,
    No,
}

/// So much of a file is looked at. Unit: bytes.
pub const HEAD: usize = 4096;

const fn certain_if(is: bool) -> Sniff {
    if is { Sniff::Yes } else { Sniff::Maybe }
}

/// The text without what may stand before it; `None` for what is no text.
fn text(head: &[u8]) -> Option<&str> {
    let head = &head[..head.len().min(HEAD)];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        // The end may cut a character in two; anything else is no text.
        Err(error) if error.error_len().is_none() => {
            str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    (!text.contains('\0')).then(|| text.trim_start())
}

/// By its beginning, if it is text at all.
fn begins(head: &[u8], is_certain: impl Fn(&str) -> bool) -> Sniff {
    text(head).map_or(Sniff::No, |text| certain_if(is_certain(text)))
}

pub(super) fn wayloom(head: &[u8]) -> Sniff {
    begins(head, |text| text.starts_with("Wayloom("))
}

pub(super) fn wkt(head: &[u8]) -> Sniff {
    const FIRST: [&str; 8] = [
        "POINT",
        "LINESTRING",
        "POLYGON",
        "MULTIPOINT",
        "MULTILINESTRING",
        "MULTIPOLYGON",
        "GEOMETRYCOLLECTION",
        "SRID",
    ];
    begins(head, |text| {
        let word: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
        let word = word.to_ascii_uppercase();
        // With or without its dimensions: POINTZ, POINT ZM.
        FIRST.contains(&word.trim_end_matches(['Z', 'M']))
    })
}

pub(super) fn geojson(head: &[u8]) -> Sniff {
    const TYPES: [&str; 9] = [
        "FeatureCollection",
        "Feature",
        "Point",
        "LineString",
        "Polygon",
        "MultiPoint",
        "MultiLineString",
        "MultiPolygon",
        "GeometryCollection",
    ];
    json(head, |text| {
        TYPES
            .iter()
            .any(|kind| has_member(text, "type", &format!("\"{kind}\"")))
    })
}

pub(super) fn gltf(head: &[u8]) -> Sniff {
    if head.starts_with(b"glTF") {
        return Sniff::Yes;
    }
    json(head, |text| has_member(text, "asset", "{"))
}

fn json(head: &[u8], is_certain: impl Fn(&str) -> bool) -> Sniff {
    match text(head) {
        Some(text) if text.starts_with('{') => certain_if(is_certain(text)),
        Some("") => Sniff::Maybe,
        _ => Sniff::No,
    }
}

/// Whether a member of this name begins with this value anywhere.
fn has_member(text: &str, name: &str, value: &str) -> bool {
    let name = format!("\"{name}\"");
    text.match_indices(&name).any(|(at, _)| {
        let rest = text[at + name.len()..].trim_start().strip_prefix(':');
        rest.is_some_and(|rest| rest.trim_start().starts_with(value))
    })
}

pub(super) fn moving_ai(head: &[u8]) -> Sniff {
    begins(head, |text| text.starts_with("type octile"))
}

pub(super) fn scenario(head: &[u8]) -> Sniff {
    begins(head, |text| text.starts_with("version 1"))
}

pub(super) fn polyanya(head: &[u8]) -> Sniff {
    match text(head) {
        Some(text) => match text.strip_prefix("mesh") {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_whitespace()) => Sniff::Yes,
            _ => Sniff::No,
        },
        None => Sniff::No,
    }
}

pub(super) fn png(head: &[u8]) -> Sniff {
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        Sniff::Yes
    } else {
        Sniff::No
    }
}

pub(super) fn obj(head: &[u8]) -> Sniff {
    let is_vertex = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        words.next() == Some("v") && words.take(3).filter(|w| w.parse::<f64>().is_ok()).count() == 3
    };
    begins(head, |text| text.lines().any(is_vertex))
}
