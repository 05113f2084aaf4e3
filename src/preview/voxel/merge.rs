//! Merges equal adjacent cells into rectangles.

use std::collections::HashMap;

const SIDE_BITS: u32 = 14;
const SIDE: u64 = (1 << SIDE_BITS) - 1;

/// Cells with a key; cells with equal keys can be merged.
#[derive(Clone, Debug, Default)]
pub(in crate::preview) struct Cells {
    packed: Vec<u64>,
}

/// Columns from `low` to `high`, exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::preview) struct CellRect {
    pub key: u64,
    pub low: [u16; 2],
    pub high: [u16; 2],
}

impl Cells {
    /// Keys have up to 36 bits.
    pub fn push(&mut self, key: u64, x: u16, y: u16) {
        let place = u64::from(y) << SIDE_BITS | u64::from(x);
        self.packed.push(key << (2 * SIDE_BITS) | place);
    }

    /// Adds a cell, replacing the previous one if it is in the same column.
    pub fn push_over(&mut self, key: u64, x: u16, y: u16) {
        let place = u64::from(y) << SIDE_BITS | u64::from(x);
        let is_same = |last: &mut u64| *last & (SIDE << SIDE_BITS | SIDE) == place;
        self.packed.pop_if(is_same);
        self.push(key, x, y);
    }

    /// Runs along x, joined along y where one is exactly above the other; sorted by key.
    pub fn merged(mut self) -> Vec<CellRect> {
        self.packed.sort_unstable();
        self.packed.dedup();
        let mut rects: Vec<CellRect> = Vec::new();
        // Keyed by the start and end of runs of the previous row.
        let mut open: HashMap<[u16; 2], usize> = HashMap::new();
        let mut open_key = None;
        let mut cells = self.packed.into_iter().peekable();
        while let Some(first) = cells.next() {
            let key = first >> (2 * SIDE_BITS);
            let (x, y) = ((first & SIDE) as u16, (first >> SIDE_BITS & SIDE) as u16);
            let mut end = first + 1;
            let mut last = x + 1;
            while cells.next_if_eq(&end).is_some() && u64::from(last) <= SIDE {
                end += 1;
                last += 1;
            }
            if open_key != Some(key) {
                open.clear();
                open_key = Some(key);
            }
            let above = open.get(&[x, last]).copied();
            match above.filter(|at| rects[*at].high[1] == y) {
                Some(at) => rects[at].high[1] = y + 1,
                None => {
                    open.insert([x, last], rects.len());
                    rects.push(CellRect {
                        key,
                        low: [x, y],
                        high: [last, y + 1],
                    });
                }
            }
        }
        rects
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use std::collections::BTreeMap;

    #[test]
    fn rectangles_cover_each_cell_once_with_its_key() {
        let mut random = Random::new(11);
        for _ in 0..50 {
            let mut expected: BTreeMap<[u16; 2], u64> = BTreeMap::new();
            let mut cells = Cells::default();
            for y in 0..20 {
                for x in 0..30 {
                    if random.chance(0.8) {
                        let key = random.below(3) as u64 / 2 + (u64::from(y) / 5) % 2;
                        expected.insert([x, y], key);
                        cells.push(key, x, y);
                    }
                }
            }
            let mut found = BTreeMap::new();
            let rects = cells.merged();
            for rect in &rects {
                for y in rect.low[1]..rect.high[1] {
                    for x in rect.low[0]..rect.high[0] {
                        let before = found.insert([x, y], rect.key);
                        assert_eq!(before, None, "covered twice");
                    }
                }
            }
            assert_eq!(found, expected);
            assert!(rects.len() < expected.len());
        }
    }

    #[test]
    fn a_plain_is_one_rectangle_and_what_lies_above_comes_instead() {
        let mut cells = Cells::default();
        for y in 0..100 {
            for x in 0..200 {
                cells.push(1, x, y);
                cells.push_over(2, x, y);
            }
        }
        let rect = CellRect {
            key: 2,
            low: [0, 0],
            high: [200, 100],
        };
        assert_eq!(cells.merged(), [rect]);
        assert!(Cells::default().merged().is_empty());
    }
}
