//! Numbers as bytes: small ones take few.

/// Why bytes cannot be read.
pub(super) type What = &'static str;

#[derive(Debug, Default)]
pub(super) struct Packer(pub Vec<u8>);

impl Packer {
    /// Seven bits in each byte, the lowest first.
    pub fn count(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Signs alternate, so that small numbers of either sign are short.
    pub fn signed(&mut self, value: i64) {
        self.count(((value << 1) ^ (value >> 63)) as u64);
    }

    pub fn text(&mut self, text: &str) {
        self.count(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Unpacker<'a>(pub &'a [u8]);

impl<'a> Unpacker<'a> {
    pub fn count(&mut self) -> Result<u64, What> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or("it ends within a number")?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("a number is too long")
    }

    pub fn signed(&mut self) -> Result<i64, What> {
        let value = self.count()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number of things of which each takes at least one byte, so that no hostile number makes
    /// us reserve more memory than the file is long.
    pub fn length(&mut self) -> Result<usize, What> {
        let count = self.count()?;
        if count > self.0.len() as u64 {
            return Err("it announces more than it holds");
        }
        Ok(count as usize)
    }

    pub fn small(&mut self) -> Result<u32, What> {
        u32::try_from(self.count()?).map_err(|_| "a number is too large")
    }

    pub fn text(&mut self) -> Result<&'a str, What> {
        let length = self.length()?;
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        std::str::from_utf8(text).map_err(|_| "a text is not UTF-8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_and_texts_come_back(count in any::<u64>(), signed in any::<i64>(), text in ".*") {
            let mut packer = Packer::default();
            packer.count(count);
            packer.signed(signed);
            packer.text(&text);
            let mut unpacker = Unpacker(&packer.0);
            prop_assert_eq!(unpacker.count(), Ok(count));
            prop_assert_eq!(unpacker.signed(), Ok(signed));
            prop_assert_eq!(unpacker.text(), Ok(&*text));
            prop_assert!(unpacker.0.is_empty() && unpacker.count().is_err());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let mut unpacker = Unpacker(&bytes);
            while unpacker.signed().is_ok() && unpacker.text().is_ok() {}
        }
    }
}
