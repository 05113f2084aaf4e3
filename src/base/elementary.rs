//! Elementary functions from additions, multiplications and divisions alone.
//!
//! A platform's own `exp`, `ln`, `sin` and `cos` differ in their last bits from machine to machine.
//! What decides a simulation uses these instead, so that a run is identical everywhere. Square
//! roots are exact by IEEE 754 and need no replacement.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// `LN_2` in two parts: products of the first with small whole numbers are exact.
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Half π in two parts.
const HALF_PI_HIGH: f64 = 1.570_796_326_734_125_6;
const HALF_PI_LOW: f64 = 6.077_100_506_506_192e-11;

/// Nearest whole number.
fn nearest(x: f64) -> i64 {
    (x + 0.5_f64.copysign(x)) as i64
}

/// 2 to a whole power within the range of normal numbers.
const fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// An exponent within its limits, and the nearest power of two; the answer itself beyond them.
#[inline]
fn divided(x: f64) -> Result<(f64, i64), f64> {
    if x < -700.0 {
        return Err(0.0);
    }
    if x.is_nan() {
        return Err(x);
    }
    let x = x.min(700.0);
    Ok((x, nearest(x * LOG2_E)))
}

/// e to the power of `x`, to 14 digits; 0 below −700 and clamped above 700.
#[must_use]
#[inline]
pub fn exp(x: f64) -> f64 {
    let (x, k) = match divided(x) {
        Ok(parts) => parts,
        Err(power) => return power,
    };
    let r = (x - k as f64 * LN_2_HIGH) - k as f64 * LN_2_LOW;
    // Taylor's series on |r| ≤ ln 2 / 2; the first term left out is below 1e-14.
    let mut sum = 1.0 / 39_916_800.0;
    for factor in [
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ] {
        sum = sum * r + factor;
    }
    sum * power_of_two(k)
}

/// e to the power of `x`, to 7 digits, for sums over many neighbours; limits are those of [`exp`].
#[must_use]
#[inline]
pub fn exp_quick(x: f64) -> f64 {
    let (x, k) = match divided(x) {
        Ok(parts) => parts,
        Err(power) => return power,
    };
    let r = x - k as f64 * LN_2;
    // Taylor's series in two halves, which processors compute at the same time.
    let r2 = r * r;
    let even = 1.0 + r2 * (1.0 / 2.0 + r2 * (1.0 / 24.0 + r2 * (1.0 / 720.0)));
    let odd = 1.0 + r2 * (1.0 / 6.0 + r2 * (1.0 / 120.0 + r2 * (1.0 / 5_040.0)));
    (even + r * odd) * power_of_two(k)
}

/// Natural logarithm, to 14 digits; −∞ at 0, NaN below.
#[must_use]
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x.is_infinite() {
        return x;
    }
    // Subnormal numbers are scaled into the normal range first.
    let (x, shift) = if x < f64::MIN_POSITIVE {
        (x * power_of_two(54), -54.0)
    } else {
        (x, 0.0)
    };
    let bits = x.to_bits();
    let mut k = ((bits >> 52) as i64 - 1023) as f64 + shift;
    let mut m = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if m > SQRT_2 {
        m *= 0.5;
        k += 1.0;
    }
    // ln m = 2 artanh s with |s| < 0.172.
    let s = (m - 1.0) / (m + 1.0);
    let s2 = s * s;
    let mut sum = 0.0;
    for odd in [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * s2 + 1.0 / odd;
    }
    k * LN_2 + 2.0 * s * sum
}

/// `base` to the power of `exponent`, for a base of at least 0.
#[must_use]
pub fn pow(base: f64, exponent: f64) -> f64 {
    if base == 0.0 {
        return if exponent == 0.0 { 1.0 } else { 0.0 };
    }
    exp(exponent * ln(base))
}

/// Sine and cosine of an angle up to some thousand turns, to 14 digits. Unit: radians.
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    let k = nearest(x / std::f64::consts::FRAC_PI_2);
    let r = (x - k as f64 * HALF_PI_HIGH) - k as f64 * HALF_PI_LOW;
    let r2 = r * r;
    let mut sin = 0.0;
    let mut cos = 0.0;
    for n in [16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0] {
        cos = (cos + 1.0) * (-r2 / (n * (n - 1.0)));
        sin = (sin + 1.0) * (-r2 / (n * (n + 1.0)));
    }
    let (sin, cos) = ((sin + 1.0) * r, cos + 1.0);
    match k.rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_agree_with_the_platform(x in -40.0..40.0_f64, y in 1e-300..1e300_f64) {
            prop_assert!((exp(x) / x.exp() - 1.0).abs() < 1e-13);
            prop_assert!((exp_quick(x) / x.exp() - 1.0).abs() < 1e-7);
            prop_assert!((ln(y) - y.ln()).abs() <= 1e-13 * y.ln().abs().max(1.0));
            let (sin, cos) = sin_cos(x);
            prop_assert!((sin - x.sin()).abs() < 1e-13 && (cos - x.cos()).abs() < 1e-13);
            let base = x.abs() + 0.1;
            prop_assert!((pow(base, 1.7) / base.powf(1.7) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn ends_of_the_range_are_finite_or_as_expected() {
        assert_eq!((exp(0.0), exp(-1e9), ln(1.0)), (1.0, 0.0, 0.0));
        assert!(exp(1e9).is_finite() && exp(f64::NAN).is_nan());
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert!(ln(-1.0).is_nan() && (ln(1e-320) - 1e-320_f64.ln()).abs() < 1e-9);
        assert_eq!(pow(0.0, 2.0), 0.0);
    }

    #[test]
    fn bits_are_those_of_every_other_machine() {
        assert_eq!(exp(1.25).to_bits(), 0x400b_ec38_edb0_faf0);
        assert_eq!(ln(3.7).to_bits(), 0x3ff4_eeee_650a_e54f);
        assert_eq!(sin_cos(2.5).0.to_bits(), 0x3fe3_26af_0dcf_cab0);
    }
}
