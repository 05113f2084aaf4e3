//! Numbers as text: no negative zero and no meaningless digits.

/// Values at or above this are written with an exponent. Unit: none.
const LONG: f64 = 1e13;

/// A fixed number of decimals. A value that rounds to zero has no sign.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        _ => text,
    }
}

/// All digits, or an exponent where there would be too many of them.
#[must_use]
pub fn plain(value: f64) -> String {
    if value.abs() >= LONG && value.is_finite() {
        format!("{value:e}")
    } else if value == 0.0 {
        "0".to_owned()
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(fixed(-0.004, 2), "0.00");
        assert_eq!(fixed(-0.0, 0), "0");
        assert_eq!(fixed(-0.005_1, 2), "-0.01");
        assert_eq!(fixed(-10.0, 1), "-10.0");
        assert_eq!(plain(-0.0), "0");
    }

    #[test]
    fn long_numbers_have_an_exponent() {
        assert_eq!(plain(1e99), "1e99");
        assert_eq!(plain(-2.5e20), "-2.5e20");
        assert_eq!(plain(1e12), "1000000000000");
        assert_eq!(plain(f64::INFINITY), "inf");
    }
}
