//! Writes the blocks of a run that is kept in memory as a file.

use super::header::{End, Header};
use super::{BlockKind, MAGIC, RunError, TRAILER, ZSTD_LEVEL};
use xxhash_rust::xxh3::xxh3_64;

pub(super) struct FileWriter {
    bytes: Vec<u8>,
    /// Offset, first frame and number of frames of each chunk.
    index: Vec<[u64; 3]>,
}

impl FileWriter {
    pub(super) fn new(header: &Header, level: &str) -> Result<Self, RunError> {
        let mut file = Self {
            bytes: MAGIC.to_vec(),
            index: Vec::new(),
        };
        file.block(BlockKind::Header, &serde_json::to_vec(header)?)?;
        let level = zstd::bulk::compress(level.as_bytes(), ZSTD_LEVEL)?;
        file.block(BlockKind::Level, &level)?;
        Ok(file)
    }

    fn block(&mut self, kind: BlockKind, contents: &[u8]) -> Result<(), RunError> {
        let length = u32::try_from(contents.len())
            .map_err(|_| std::io::Error::other("two seconds take more than 4 GB"))?;
        self.bytes.push(kind as isize as u8);
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend(xxh3_64(contents).to_le_bytes());
        self.bytes.extend(contents);
        Ok(())
    }

    pub(super) fn chunk(
        &mut self,
        [first, frames]: [u64; 2],
        contents: &[u8],
    ) -> Result<(), RunError> {
        self.index.push([self.bytes.len() as u64, first, frames]);
        self.block(BlockKind::Chunk, contents)
    }

    /// Without an end it is a run that was cut off.
    pub(super) fn finish(mut self, end: Option<&End>) -> Result<Vec<u8>, RunError> {
        let Some(end) = end else {
            return Ok(self.bytes);
        };
        self.block(BlockKind::End, &serde_json::to_vec(end)?)?;
        let at = self.bytes.len() as u64;
        let numbers = self.index.iter().flatten();
        let index: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        self.block(BlockKind::Index, &index)?;
        self.bytes.extend(at.to_le_bytes());
        self.bytes.extend(TRAILER);
        Ok(self.bytes)
    }
}
