//! An open list for many entries whose `f` hardly falls: buckets of equal width, of which only the
//! first is kept in order.
//!
//! It gives entries out in exactly the order of [`OpenList`]. But pushing takes the same time
//! however many there are, and a heap of a few dozen stays in the cache.

use super::open_list::{Entry, OpenList};

/// End of a bucket's chain.
const NONE: u32 = u32::MAX;

/// Most buckets; what lies beyond is sorted in when they are empty.
const MOST: f64 = 65_536.0;

/// Entries are never changed: a node whose cost falls is pushed again, and the caller must skip the
/// stale one when it is popped.
#[derive(Clone, Debug, Default)]
pub struct BucketList {
    /// Where bucket 0 begins, and how many buckets there are to a unit of cost.
    first: f64,
    per_unit: f64,
    /// All entries of this bucket and of those before are in `now`.
    at: usize,
    now: OpenList,
    /// By bucket, its latest entry.
    heads: Vec<u32>,
    /// An entry and the one of the same bucket that came before.
    kept: Vec<(Entry, u32)>,
    /// A chain of places in `kept` that can be used again.
    unused: Option<u32>,
    waiting: usize,
    beyond: Vec<Entry>,
}

impl BucketList {
    /// Forgets all entries. Buckets are a thirty-second of `step` wide, which should be the usual
    /// difference between a node and its neighbour.
    pub fn begin(&mut self, first: f64, step: f64) {
        self.first = first;
        self.per_unit = 32.0 / step.clamp(1e-6, 1e12);
        (self.at, self.waiting, self.unused) = (0, 0, None);
        self.now.clear();
        self.heads.clear();
        self.kept.clear();
        self.beyond.clear();
    }

    #[inline]
    pub fn push(&mut self, entry: Entry) {
        let bucket = (entry.f - self.first) * self.per_unit;
        if bucket < (self.at + 1) as f64 {
            self.now.push(entry);
        } else if bucket < MOST {
            self.keep(bucket as usize, entry);
        } else {
            self.beyond.push(entry);
        }
    }

    #[inline]
    fn keep(&mut self, bucket: usize, entry: Entry) {
        if bucket >= self.heads.len() {
            self.heads.resize(bucket + 1, NONE);
        }
        let head = &mut self.heads[bucket];
        let kept = (entry, *head);
        *head = if let Some(free) = self.unused {
            let place = &mut self.kept[free as usize];
            self.unused = Some(place.1).filter(|next| *next != NONE);
            *place = kept;
            free
        } else {
            self.kept.push(kept);
            self.kept.len() as u32 - 1
        };
        self.waiting += 1;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Entry> {
        loop {
            if let Some(entry) = self.now.pop() {
                return Some(entry);
            }
            if self.waiting > 0 {
                self.open_next();
            } else if self.beyond.is_empty() {
                return None;
            } else {
                self.go_beyond();
            }
        }
    }

    /// Puts the entries of the next bucket that has some in order.
    fn open_next(&mut self) {
        self.at += 1;
        while self.heads[self.at] == NONE {
            self.at += 1;
        }
        let head = std::mem::replace(&mut self.heads[self.at], NONE);
        let (mut place, mut last) = (head, head);
        while place != NONE {
            let (entry, next) = self.kept[place as usize];
            self.now.push(entry);
            self.waiting -= 1;
            (last, place) = (place, next);
        }
        self.kept[last as usize].1 = self.unused.unwrap_or(NONE);
        self.unused = Some(head);
    }

    /// Begins buckets anew with what was too far.
    fn go_beyond(&mut self) {
        let beyond = std::mem::take(&mut self.beyond);
        let least = beyond.iter().map(|entry| entry.f);
        let first = least.fold(f64::INFINITY, f64::min);
        if !first.is_finite() {
            beyond.into_iter().for_each(|entry| self.now.push(entry));
            return;
        }
        (self.first, self.at) = (first, 0);
        // Costs of several sizes: the buckets become wider, or they would be begun again and again.
        self.per_unit *= 0.5;
        self.heads.clear();
        for entry in beyond {
            self.push(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;

    #[test]
    fn entries_come_out_in_the_order_of_a_heap() {
        let mut random = Random::new(3);
        for case in 0..300 {
            let (mut list, mut heap) = (BucketList::default(), OpenList::default());
            let step = [1.0, 1e-3, 50.0][case % 3];
            list.begin(5.0, step);
            let mut f = 5.0;
            for node in 0..400 {
                if random.below(5) < 3 {
                    // Mostly a little above the last one, sometimes far, sometimes below.
                    let more = match random.below(20) {
                        0 => -random.range(0.0, 2.0),
                        1 => random.range(0.0, 1e7),
                        2 => 0.0,
                        _ => random.range(0.0, 4.0),
                    };
                    let g = random.below(3) as f64;
                    let entry = Entry {
                        f: (f + more).max(0.0),
                        g,
                        node,
                    };
                    list.push(entry);
                    heap.push(entry);
                } else {
                    let (found, exact) = (list.pop(), heap.pop());
                    assert_eq!(found, exact, "case {case}");
                    f = exact.map_or(f, |entry| entry.f);
                }
            }
            loop {
                let (found, exact) = (list.pop(), heap.pop());
                assert_eq!(found, exact, "case {case}");
                if exact.is_none() {
                    break;
                }
            }
        }
    }
}
