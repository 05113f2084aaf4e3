//! Named tables of numbers in one file, little-endian, so simple that any language reads it.
//!
//! `WLB1`, then the number of columns; for each column its name, type, count and values, each
//! column beginning at a multiple of eight bytes so that it can be mapped into memory.

/// First bytes of a blob; the digit is the version.
const MAGIC: [u8; 4] = *b"WLB1";

/// Bytes of the fixed part of a column's head: name length, type, count.
const HEAD: usize = 4 + 4 + 8;

#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    F64(Vec<f64>),
    U32(Vec<u32>),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blob {
    pub columns: Vec<(String, Column)>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlobError {
    #[error("this is not a Wayloom blob: it does not begin with WLB1")]
    NotABlob,
    #[error("the blob ends in the middle of a column")]
    Torn,
    #[error("column {0} has an unknown type")]
    UnknownType(usize),
}

impl Blob {
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, column)| column)
    }

    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::from(MAGIC);
        out.extend((self.columns.len() as u32).to_le_bytes());
        for (name, column) in &self.columns {
            let (kind, count) = match column {
                Column::F64(values) => (1_u32, values.len()),
                Column::U32(values) => (2_u32, values.len()),
            };
            out.extend((name.len() as u32).to_le_bytes());
            out.extend(kind.to_le_bytes());
            out.extend((count as u64).to_le_bytes());
            out.extend(name.as_bytes());
            pad(&mut out);
            match column {
                Column::F64(values) => out.extend(values.iter().flat_map(|v| v.to_le_bytes())),
                Column::U32(values) => out.extend(values.iter().flat_map(|v| v.to_le_bytes())),
            }
            pad(&mut out);
        }
        out
    }

    /// # Errors
    /// Anything but a whole blob.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BlobError> {
        if bytes.get(..4) != Some(&MAGIC) {
            return Err(BlobError::NotABlob);
        }
        let mut at = MAGIC.len();
        let mut take = |count: usize| -> Result<&[u8], BlobError> {
            let end = at.checked_add(count).ok_or(BlobError::Torn)?;
            let taken = bytes.get(at..end).ok_or(BlobError::Torn)?;
            at = end;
            Ok(taken)
        };
        let columns = u32_of(take(4)?);
        let mut blob = Self::default();
        for index in 0..columns as usize {
            let head = take(HEAD)?;
            let name_length = u32_of(&head[..4]) as usize;
            let kind = u32_of(&head[4..8]);
            let count = usize::try_from(u64_of(&head[8..])).map_err(|_| BlobError::Torn)?;
            let name = String::from_utf8_lossy(take(name_length)?).into_owned();
            take(padding(name_length))?;
            let width = match kind {
                1 => 8,
                2 => 4,
                _ => return Err(BlobError::UnknownType(index)),
            };
            let size = count.checked_mul(width).ok_or(BlobError::Torn)?;
            let values = take(size)?;
            let column = if kind == 1 {
                Column::F64(
                    values
                        .chunks_exact(8)
                        .map(|chunk| f64::from_bits(u64_of(chunk)))
                        .collect(),
                )
            } else {
                Column::U32(values.chunks_exact(4).map(u32_of).collect())
            };
            take(padding(size))?;
            blob.columns.push((name, column));
        }
        Ok(blob)
    }
}

const fn padding(size: usize) -> usize {
    size.wrapping_neg() % 8
}

fn pad(out: &mut Vec<u8>) {
    out.resize(out.len() + padding(out.len()), 0);
}

fn u32_of(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u32::from(*byte))
}

fn u64_of(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn column() -> impl Strategy<Value = Column> {
        prop_oneof![
            prop::collection::vec(-1e9..1e9, 0..9).prop_map(Column::F64),
            prop::collection::vec(any::<u32>(), 0..9).prop_map(Column::U32),
        ]
    }

    proptest! {
        #[test]
        fn a_blob_comes_back_as_it_was(
            columns in prop::collection::vec(("[a-z_]{0,9}", column()), 0..5)
        ) {
            let blob = Blob { columns };
            let bytes = blob.to_bytes();
            prop_assert_eq!(bytes.len() % 8, 0);
            prop_assert_eq!(Blob::from_bytes(&bytes), Ok(blob));
        }

        #[test]
        fn no_bytes_are_too_strange(
            bytes in prop::collection::vec(any::<u8>(), 0..64), cut in 0_usize..200
        ) {
            let mut hostile = Vec::from(MAGIC);
            hostile.extend(bytes);
            let _ = Blob::from_bytes(&hostile);
            let whole = Blob { columns: vec![("a".to_owned(), Column::U32(vec![1; 30]))] }.to_bytes();
            let cut = cut.min(whole.len());
            prop_assert_eq!(Blob::from_bytes(&whole[..cut]).is_ok(), cut == whole.len());
        }
    }
}
