//! Recordings of runs in files: `.wlrec`.
//!
//! A file is a list of blocks, each with its length and checksum: a header (JSON), the level
//! (its text), a chunk for every two seconds, an end, and an index of the chunks. It is written
//! while the run goes on. A file that was cut off opens up to its last whole chunk; the index is
//! rebuilt from the blocks where it is missing. `docs/recordings.md` describes every byte.

mod bytes;
mod chunk;
mod file_writer;
mod header;
mod of_frames;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use chunk::{Chunk, Track};
pub use header::{End, Header};
pub use of_frames::recording;
pub use reader::{Completeness, Run, RunPose};
pub use writer::RunWriter;

use crate::base::io_words;

/// First bytes of a file: name and version.
pub const MAGIC: [u8; 8] = *b"WLREC\0\0\x01";

/// Last bytes of a file that was finished.
const TRAILER: [u8; 8] = *b"WLINDEX\x01";

/// Positions are whole multiples of this, so that they are off by half of it at most.
/// Unit: metres.
pub const UNIT: f64 = 0.01;

/// Unit: seconds.
const CHUNK_SECS: f64 = 2.0;

/// Largest chunk that is decompressed. Unit: bytes.
const MAX_CHUNK: usize = 1 << 28;

/// Level of compression: higher ones save little here.
const ZSTD_LEVEL: i32 = 3;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    Header = b'H' as isize,
    Level = b'L' as isize,
    Chunk = b'C' as isize,
    End = b'E' as isize,
    Index = b'I' as isize,
}

impl BlockKind {
    const fn of(byte: u8) -> Option<Self> {
        Some(match byte {
            b'H' => Self::Header,
            b'L' => Self::Level,
            b'C' => Self::Chunk,
            b'E' => Self::End,
            b'I' => Self::Index,
            _ => return None,
        })
    }
}

/// Kind, length and checksum of a block's contents.
const BLOCK_HEAD: usize = 1 + 4 + 8;

/// Why a recording cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("this is not a recording of Wayloom: it does not begin with WLREC")]
    NotARecording,
    #[error(
        "this recording has version {0}; this program reads version 1: open it with a newer one"
    )]
    Newer(u8),
    #[error("the recording ends before its first two seconds")]
    Empty,
    #[error("the recording is damaged at byte {at}: {what}")]
    Damaged { at: usize, what: &'static str },
    #[error("the recording's header cannot be read: {0}")]
    Header(#[from] serde_json::Error),
    #[error("the recording cannot be written: {}", io_words(.0))]
    Io(#[from] std::io::Error),
}
