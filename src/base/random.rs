//! Seeded randomness, identical on every machine and in every version.

use glam::DVec2;

/// SplitMix64 (Steele, Lea and Flood 2014). Small state, any seed works, streams can be split.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// An independent stream for part `index`: what one part draws does not affect the others.
    #[must_use]
    pub fn stream(seed: u64, index: u64) -> Self {
        let mut parent = Self::new(seed ^ index.wrapping_mul(0xd134_2543_de82_ef95));
        Self::new(parent.next_u64())
    }

    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 (included) to 1 (excluded), 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn range(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.unit()
    }

    /// From 0 to `count` − 1; 0 when `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        // The bias of the multiplication method is below 2⁻⁴⁰ for any count we use.
        ((u128::from(self.next_u64()) * count as u128) >> 64) as usize
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    pub fn point(&mut self, min: DVec2, max: DVec2) -> DVec2 {
        DVec2::new(self.range(min.x, max.x), self.range(min.y, max.y))
    }
}

/// Random numbers by address: what agent `id` draws at a step for a purpose depends on these and the
/// seed alone, not on who drew before. Threads need no order among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    key: u64,
}

impl Chance {
    #[must_use]
    pub const fn new(seed: u64, id: u64, step: u64) -> Self {
        let key = mixed(seed ^ id.wrapping_mul(0xd134_2543_de82_ef95));
        Self {
            key: mixed(key ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        }
    }

    /// 64 bits for one purpose.
    #[must_use]
    pub const fn bits(self, purpose: u64) -> u64 {
        mixed(self.key ^ purpose.wrapping_mul(0xbf58_476d_1ce4_e5b9))
    }

    /// From 0 (included) to 1 (excluded).
    #[must_use]
    pub const fn unit(self, purpose: u64) -> f64 {
        (self.bits(purpose) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From −1 to 1.
    #[must_use]
    pub const fn sign(self, purpose: u64) -> f64 {
        2.0 * self.unit(purpose) - 1.0
    }

    /// A whole stream for one purpose, where a fixed number of draws does not suffice.
    #[must_use]
    pub const fn stream(self, purpose: u64) -> Random {
        Random::new(self.bits(purpose))
    }
}

/// The finaliser of SplitMix64: every input bit affects every output bit.
const fn mixed(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // First outputs of SplitMix64 for the seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn draws_by_address_are_even_and_independent() {
        let draws = |f: &dyn Fn(u64) -> f64| (0..4096).map(f).sum::<f64>() / 4096.0;
        let mean = draws(&|i| Chance::new(5, i, 3).unit(1));
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        let correlation = draws(&|i| {
            Chance::new(5, i, 3).sign(1) * Chance::new(5, i, 4).sign(1)
                + Chance::new(5, i, 3).sign(1) * Chance::new(5, i, 3).sign(2)
                + Chance::new(5, i, 3).sign(1) * Chance::new(6, i, 3).sign(1)
        });
        assert!(correlation.abs() < 0.04, "{correlation}");
        assert_eq!(Chance::new(1, 2, 3).bits(4), Chance::new(1, 2, 3).bits(4));
    }

    #[test]
    fn draws_stay_in_their_ranges() {
        let mut random = Random::stream(7, 3);
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&random.unit()));
            assert!(random.below(5) < 5);
        }
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
