//! One bit per cell of a frame, stored by column: the output of a discretisation.

use super::voxel_frame::VoxelFrame;

/// Bits per word.
const WORD: usize = 64;

/// Dense, so it only lives while a grid is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitColumns {
    /// Words per column.
    words: usize,
    bits: Vec<u64>,
}

/// Words needed for this many layers.
#[must_use]
pub const fn words_for(layers: u32) -> usize {
    (layers as usize).div_ceil(WORD)
}

impl BitColumns {
    /// All cells clear. `columns` counts the frame's slots.
    #[must_use]
    pub fn new(columns: usize, layers: u32) -> Self {
        let words = words_for(layers);
        Self {
            words,
            bits: vec![0; columns * words],
        }
    }

    #[must_use]
    pub fn of_frame(frame: &VoxelFrame) -> Self {
        Self::new(frame.slots(), frame.size[2])
    }

    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }

    #[must_use]
    pub fn column(&self, slot: usize) -> &[u64] {
        &self.bits[slot * self.words..(slot + 1) * self.words]
    }

    pub fn column_mut(&mut self, slot: usize) -> &mut [u64] {
        &mut self.bits[slot * self.words..(slot + 1) * self.words]
    }

    #[must_use]
    pub fn get(&self, slot: usize, layer: u32) -> bool {
        let word = self.bits[slot * self.words + layer as usize / WORD];
        word >> (layer as usize % WORD) & 1 == 1
    }

    pub fn set(&mut self, slot: usize, layer: u32) {
        self.bits[slot * self.words + layer as usize / WORD] |= 1 << (layer as usize % WORD);
    }

    /// Sets the layers `low..=high`.
    pub fn set_range(&mut self, slot: usize, low: u32, high: u32) {
        for_words(low, high, |word, mask| {
            self.bits[slot * self.words + word] |= mask;
        });
    }

    pub fn clear(&mut self) {
        self.bits.fill(0);
    }

    /// Sets every cell that is set in `other`. Both must have the same shape.
    pub fn unite(&mut self, other: &Self) {
        for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
            *mine |= theirs;
        }
    }

    #[must_use]
    pub fn count(&self) -> u64 {
        self.bits
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Number of cells set here and clear in `other`.
    #[must_use]
    pub fn count_beyond(&self, other: &Self) -> u64 {
        self.bits
            .iter()
            .zip(&other.bits)
            .map(|(mine, theirs)| u64::from((mine & !theirs).count_ones()))
            .sum()
    }
}

/// Visits each word that overlaps the layers `low..=high`, with the mask of bits inside.
fn for_words(low: u32, high: u32, mut visit: impl FnMut(usize, u64)) {
    let (low, high) = (low as usize, high as usize);
    for word in low / WORD..=high / WORD {
        let from = low.saturating_sub(word * WORD);
        let to = (high - word * WORD).min(WORD - 1);
        visit(word, (u64::MAX >> (WORD - 1 - to)) & (u64::MAX << from));
    }
}

/// Visits runs of set bits from the bottom up, as first and last layer.
pub fn runs(column: &[u64], mut visit: impl FnMut(u32, u32)) {
    let mut begun: Option<u32> = None;
    for (index, word) in column.iter().enumerate() {
        let base = (index * WORD) as u32;
        let mut rest = *word;
        let mut at = 0;
        while at < WORD as u32 {
            if begun.is_some() {
                let ones = (!(rest >> at)).trailing_zeros().min(WORD as u32 - at);
                at += ones;
                if at < WORD as u32 {
                    visit(begun.take().unwrap_or(base), base + at - 1);
                }
            } else {
                rest &= u64::MAX << at;
                if rest == 0 {
                    break;
                }
                at = rest.trailing_zeros();
                begun = Some(base + at);
                rest = *word;
            }
        }
    }
    if let Some(low) = begun {
        visit(low, (column.len() * WORD) as u32 - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_what_a_look_at_each_bit_finds(
            set in prop::collection::vec((0_u32..190, 0_u32..70), 0..6),
        ) {
            let mut bits = BitColumns::new(2, 192);
            let mut plain = [false; 192];
            for (low, length) in set {
                let high = (low + length).min(191);
                bits.set_range(1, low, high);
                plain[low as usize..=high as usize].fill(true);
            }
            let mut found = [false; 192];
            let mut last = None;
            let mut apart = true;
            runs(bits.column(1), |low, high| {
                apart &= last.is_none_or(|last: u32| last + 1 < low) && low <= high;
                last = Some(high);
                found[low as usize..=high as usize].fill(true);
            });
            prop_assert!(apart, "runs are maximal and in order");
            prop_assert_eq!(found, plain);
            prop_assert!((0..192).all(|layer| bits.get(1, layer) == plain[layer as usize]));
            prop_assert_eq!(bits.column(0), &[0, 0, 0][..]);
            prop_assert_eq!(bits.count(), plain.iter().filter(|bit| **bit).count() as u64);
        }
    }
}
