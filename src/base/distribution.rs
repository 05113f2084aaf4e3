//! Distributions of speeds and delays, drawn from addressed random numbers.

use super::elementary::{exp, ln, pow, sin_cos};
use super::random::{Chance, Random};

/// How a quantity varies from agent to agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    Constant(f64),
    Uniform {
        from: f64,
        to: f64,
    },
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// The logarithm is normal.
    LogNormal {
        mean: f64,
        deviation: f64,
    },
    Gamma {
        shape: f64,
        scale: f64,
    },
    Weibull {
        shape: f64,
        scale: f64,
    },
}

impl Default for Distribution {
    fn default() -> Self {
        Self::Constant(0.0)
    }
}

impl Distribution {
    /// One draw; finite for parameters within their limits.
    #[must_use]
    pub fn draw(&self, chance: Chance, purpose: u64) -> f64 {
        let mut random = chance.stream(purpose);
        match *self {
            Self::Constant(value) => value,
            Self::Uniform { from, to } => random.range(from, to),
            Self::Normal { mean, deviation } => mean + deviation * normal(&mut random),
            Self::LogNormal { mean, deviation } => exp(mean + deviation * normal(&mut random)),
            Self::Gamma { shape, scale } => scale * gamma(shape, &mut random),
            Self::Weibull { shape, scale } => {
                let u = 1.0 - random.unit();
                scale * pow(-ln(u), 1.0 / shape)
            }
        }
    }

    /// The expected value.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Constant(value) => value,
            Self::Uniform { from, to } => 0.5 * (from + to),
            Self::Normal { mean, .. } => mean,
            Self::LogNormal { mean, deviation } => exp(mean + 0.5 * deviation * deviation),
            Self::Gamma { shape, scale } => shape * scale,
            Self::Weibull { shape, scale } => scale * gamma_function(1.0 + 1.0 / shape),
        }
    }

    /// The parameters in order, with their names.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::Constant(value) => vec![("value", value)],
            Self::Uniform { from, to } => vec![("from", from), ("to", to)],
            Self::Normal { mean, deviation } | Self::LogNormal { mean, deviation } => {
                vec![("mean", mean), ("deviation", deviation)]
            }
            Self::Gamma { shape, scale } | Self::Weibull { shape, scale } => {
                vec![("shape", shape), ("scale", scale)]
            }
        }
    }
}

/// Standard normal (Box and Muller 1958).
fn normal(random: &mut Random) -> f64 {
    let u = 1.0 - random.unit();
    let (_, cos) = sin_cos(std::f64::consts::TAU * random.unit());
    (-2.0 * ln(u)).sqrt() * cos
}

/// Of scale 1 (Marsaglia and Tsang 2000).
fn gamma(shape: f64, random: &mut Random) -> f64 {
    if shape < 1.0 {
        let u = 1.0 - random.unit();
        return gamma(shape + 1.0, random) * pow(u, 1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    // More than nine of ten draws are accepted at once.
    for _ in 0..1000 {
        let x = normal(random);
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        let u = 1.0 - random.unit();
        if ln(u) < 0.5 * x * x + d - d * v + d * ln(v) {
            return d * v;
        }
    }
    d
}

/// Γ(x) for x ≥ 1 (Lanczos 1964, g = 7).
fn gamma_function(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let mut sum = 0.999_999_999_999_809_9;
    for (i, term) in TERMS.iter().enumerate() {
        sum += term / (x + i as f64 + 1.0);
    }
    let t = x + 7.5;
    std::f64::consts::TAU.sqrt() * pow(t, x + 0.5) * exp(-t) * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_deviations_are_those_of_the_distribution() {
        let cases = [
            (Distribution::Constant(3.0), 3.0, 0.0),
            (
                Distribution::Uniform {
                    from: 10.0,
                    to: 100.0,
                },
                55.0,
                90.0 / 12.0_f64.sqrt(),
            ),
            (
                Distribution::Normal {
                    mean: 1.34,
                    deviation: 0.26,
                },
                1.34,
                0.26,
            ),
            // The delays of TN 1822.
            (
                Distribution::Gamma {
                    shape: 1.291,
                    scale: 103.9,
                },
                134.13,
                118.05,
            ),
            (
                Distribution::Weibull {
                    shape: 1.195,
                    scale: 139.3,
                },
                131.2,
                110.3,
            ),
            (
                Distribution::LogNormal {
                    mean: 0.5,
                    deviation: 0.4,
                },
                1.786,
                0.744,
            ),
            (
                Distribution::Gamma {
                    shape: 0.5,
                    scale: 2.0,
                },
                1.0,
                1.414,
            ),
        ];
        for (distribution, mean, deviation) in cases {
            let draws: Vec<f64> = (0..20_000)
                .map(|i| distribution.draw(Chance::new(9, i, 0), 1))
                .collect();
            let m = draws.iter().sum::<f64>() / 20_000.0;
            let squares = draws.iter().map(|x| (x - m) * (x - m)).sum::<f64>();
            let d = (squares / 20_000.0).sqrt();
            assert!((m - mean).abs() <= 0.03 * mean, "{distribution:?}: {m}");
            assert!(
                (d - deviation).abs() <= 0.05 * deviation + 1e-9,
                "{distribution:?}: {d}"
            );
            assert!(
                (distribution.mean() - mean).abs() < 0.01 * mean,
                "{distribution:?}"
            );
        }
    }
}
