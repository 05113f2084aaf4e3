//! The journal: every committed step is on disk before the next one is accepted.
//!
//! One file per session, beside its level. A sequence of records, each with length and checksum:
//!
//! ```text
//! length: u32 LE · crc32 of the payload: u32 LE · payload: tag byte, body
//! ```
//!
//! The first record holds the level as opened or last saved, so recovery needs no other file. A
//! torn tail (the process was killed while writing) ends the journal; the records before it are
//! valid. A running session holds a lock on its journal, which also tells a second process that the
//! level is open.

use super::{FormatError, read_step, write_step};
use crate::base::{ContentHash, io_words};
use crate::document::history::Step;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};

const TAG_BASE: u8 = b'B';
const TAG_STEP: u8 = b'S';
const TAG_SAVING: u8 = b'W';
/// Larger journals are not read. Unit: bytes.
const MAX_JOURNAL: u64 = 1 << 30;
/// Limit of a level's decompressed text. Unit: bytes.
const MAX_BASE: usize = super::MAX_FILE_SIZE as usize;

#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// End of the last complete record.
    end: u64,
    /// Whether the file goes on after `end`: with what an earlier session did not finish.
    has_tail: bool,
    /// Requests a flush to the storage device in the background. Without it a killed process loses
    /// nothing, a power cut at most the last moments.
    flush: Option<Sender<()>>,
}

/// The contents of an earlier session's journal.
#[derive(Clone, Debug)]
pub struct JournalContents {
    /// The level's text when the journal began.
    pub base: String,
    pub base_hash: ContentHash,
    pub entries: Vec<Told>,
    /// Bytes at the end that do not form a complete record.
    pub torn_bytes: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Step(Step),
    /// The state so far was about to be written as a file with this fingerprint.
    Saving(ContentHash),
}

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("the level is open in another instance of Wayloom")]
    Locked,
    #[error("{}", io_words(.0))]
    Io(#[from] io::Error),
    #[error("the recovery file is damaged: {0}")]
    Damaged(FormatError),
}

impl Journal {
    /// Locks the journal at `path` for this session, creating it if needed.
    ///
    /// # Errors
    /// Another session holds it, or the folder is not writable.
    pub fn take(path: &Path) -> Result<Self, JournalError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(JournalError::Locked),
            // A file system without locks: better to continue unlocked than not at all.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        let end = file.metadata()?.len();
        Ok(Self {
            flush: spawn_flusher(&file),
            path: path.to_owned(),
            file,
            end,
            has_tail: false,
        })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What an earlier session recorded; `None` for an empty journal. Positions the journal after
    /// the last complete record.
    ///
    /// # Errors
    /// The file cannot be read, or its first record is not a base.
    pub fn contents(&mut self) -> Result<Option<JournalContents>, JournalError> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        (&self.file).take(MAX_JOURNAL).read_to_end(&mut bytes)?;
        let (contents, whole) = read_contents(&bytes)?;
        self.end = whole;
        self.has_tail = whole < bytes.len() as u64;
        Ok(contents)
    }

    /// Clears the journal and starts over from a level's text.
    ///
    /// # Errors
    /// The disk is full or unavailable.
    pub fn begin(&mut self, base: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.end = 0;
        self.has_tail = false;
        let packed = zstd::bulk::compress(base.as_bytes(), 1)?;
        let mut payload = Vec::with_capacity(packed.len() + 17);
        payload.push(TAG_BASE);
        payload.extend(ContentHash::of(base.as_bytes()).to_bytes());
        payload.extend(packed);
        self.append(&payload)
    }

    /// # Errors
    /// The disk is full or unavailable; the journal ends with the previous record.
    pub fn record(&mut self, step: &Step) -> io::Result<()> {
        let mut payload = vec![TAG_STEP];
        payload.extend(write_step(step).into_bytes());
        self.append(&payload)
    }

    /// Records that the current state is about to become the file with this fingerprint.
    ///
    /// # Errors
    /// The disk is full or unavailable; the journal ends with the previous record.
    pub fn record_saving(&mut self, hash: ContentHash) -> io::Result<()> {
        let mut payload = vec![TAG_SAVING];
        payload.extend(hash.to_bytes());
        self.append(&payload)
    }

    fn append(&mut self, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len())
            .map_err(|_| io::Error::other("the step is too large for a journal record"))?;
        let mut record = Vec::with_capacity(payload.len() + 8);
        record.extend(length.to_le_bytes());
        record.extend(crc32fast::hash(payload).to_le_bytes());
        record.extend(payload);
        if self.has_tail {
            // Behind a damaged record there may be whole ones: left there, they would follow the
            // new record as if they had come after it.
            self.file.set_len(self.end)?;
            self.has_tail = false;
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        if let Err(error) = self.file.write_all(&record) {
            // Truncate the partial record, so that the next one follows a complete one.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += record.len() as u64;
        if let Some(flush) = &self.flush {
            let _ = flush.send(());
        }
        Ok(())
    }
}

impl Drop for Journal {
    /// Releases the lock at once: the flusher's handle may live a moment longer.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

fn spawn_flusher(file: &File) -> Option<Sender<()>> {
    let file = file.try_clone().ok()?;
    let (sender, receiver) = channel::<()>();
    std::thread::Builder::new()
        .name("journal flush".to_owned())
        .spawn(move || {
            while receiver.recv().is_ok() {
                while receiver.try_recv().is_ok() {}
                let _ = file.sync_data();
            }
        })
        .ok()?;
    Some(sender)
}

/// The records of a journal and the length of its valid part.
fn read_contents(bytes: &[u8]) -> Result<(Option<JournalContents>, u64), JournalError> {
    let mut records = records(bytes);
    let Some(first) = records.next() else {
        return Ok((None, 0));
    };
    let mut contents = read_base(first)?;
    for payload in records.by_ref() {
        let Some((&tag, body)) = payload.split_first() else {
            break;
        };
        let entry = match tag {
            TAG_STEP => std::str::from_utf8(body)
                .map_err(|_| not_ours("a step is not text"))
                .and_then(|text| read_step(text).map_err(JournalError::Damaged))
                .map(Told::Step)?,
            TAG_SAVING => <[u8; 16]>::try_from(body)
                .map(|hash| Told::Saving(ContentHash::from_bytes(hash)))
                .map_err(|_| not_ours("a fingerprint has the wrong length"))?,
            _ => return Err(not_ours("it was written by a newer version of Wayloom")),
        };
        contents.entries.push(entry);
    }
    let whole = records.at as u64;
    contents.torn_bytes = bytes.len() as u64 - whole;
    Ok((Some(contents), whole))
}

fn read_base(payload: &[u8]) -> Result<JournalContents, JournalError> {
    let base = payload
        .strip_prefix(&[TAG_BASE])
        .and_then(|body| body.split_at_checked(16));
    let Some((hash, packed)) = base else {
        return Err(not_ours("it does not begin with a level"));
    };
    let text = zstd::bulk::decompress(packed, MAX_BASE)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .ok_or_else(|| not_ours("the level in it cannot be decompressed"))?;
    let base_hash = ContentHash::of(text.as_bytes());
    if base_hash.to_bytes() != hash {
        return Err(not_ours("the level in it does not match its fingerprint"));
    }
    Ok(JournalContents {
        base: text,
        base_hash,
        entries: Vec::new(),
        torn_bytes: 0,
    })
}

fn not_ours(why: &str) -> JournalError {
    JournalError::Damaged(FormatError::at_start(why))
}

/// Payloads of the complete records at the start of `bytes`.
struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn records(bytes: &[u8]) -> Records<'_> {
    Records { bytes, at: 0 }
}

impl<'a> Iterator for Records<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        let (head, body) = rest.split_at_checked(8)?;
        let (length, crc) = head.split_at(4);
        let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
        let crc = u32::from_le_bytes(crc.try_into().ok()?);
        let payload = body.get(..length)?;
        if payload.is_empty() || crc32fast::hash(payload) != crc {
            return None;
        }
        self.at += 8 + length;
        Some(payload)
    }
}

/// Parses arbitrary bytes as a journal: for tests with hostile input.
///
/// # Errors
/// See [`Journal::contents`].
pub fn read_bytes(bytes: &[u8]) -> Result<Option<JournalContents>, JournalError> {
    read_contents(bytes).map(|(contents, _)| contents)
}
