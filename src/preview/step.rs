//! Round steps for grids, rulers, scale bars and contours: 1, 2 or 5 times a power of ten.

/// The smallest round step that is at least `length`; 1 for what is not a length.
#[must_use]
pub fn round_up(length: f64) -> f64 {
    if !(length > 0.0 && length.is_finite()) {
        return 1.0;
    }
    let power = 10_f64.powf(length.log10().floor());
    // A little slack, so that 0.1 + 0.1 counts as 0.2.
    let digit = length / power * (1.0 - 1e-9);
    let round = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|round| digit <= *round)
        .unwrap_or(10.0);
    round * power
}

/// The largest round step that is at most `length`; 1 for what is not a length.
#[must_use]
pub fn round_down(length: f64) -> f64 {
    if !(length > 0.0 && length.is_finite()) {
        return 1.0;
    }
    let power = 10_f64.powf(length.log10().floor());
    let digit = length / power * (1.0 + 1e-9);
    let round = [5.0, 2.0]
        .into_iter()
        .find(|round| digit >= *round)
        .unwrap_or(1.0);
    round * power
}

/// The next coarser step that every line of `step` grids share: five or ten times as wide.
#[must_use]
pub fn major(step: f64) -> f64 {
    let power = 10_f64.powf((step * (1.0 + 1e-9)).log10().floor());
    if step / power > 1.5 && step / power < 3.0 {
        step * 5.0
    } else if step / power > 3.0 {
        step * 2.0
    } else {
        step * 10.0
    }
}

/// A length with its unit, as short as it can be said: `5 m`, `0.2 m`, `20 mm`, `3 km`.
#[must_use]
pub fn length_text(metres: f64) -> String {
    let trimmed = |value: f64, unit: &str| {
        let rounded = (value * 1000.0).round() / 1000.0;
        format!("{rounded} {unit}")
    };
    match metres.abs() {
        m if m >= 1000.0 => trimmed(metres / 1000.0, "km"),
        m if m >= 0.1 || m == 0.0 => trimmed(metres, "m"),
        m if m >= 0.01 => trimmed(metres * 100.0, "cm"),
        _ => trimmed(metres * 1000.0, "mm"),
    }
}

/// The multiples of `step` within a range, as whole numbers of steps; none where there would be
/// more than `at_most`.
#[must_use]
pub fn multiples(step: f64, from: f64, to: f64, at_most: usize) -> Vec<i64> {
    let (first, last) = ((from / step).ceil(), (to / step).floor());
    let few = last - first < at_most as f64 && first.abs() < 9e15 && last.abs() < 9e15;
    if few && first <= last {
        (first as i64..=last as i64).collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-9
    }

    #[test]
    fn steps_are_round_and_bracket_the_length() {
        for (length, up, down) in [
            (1.0, 1.0, 1.0),
            (1.1, 2.0, 1.0),
            (0.3, 0.5, 0.2),
            (0.7, 1.0, 0.5),
            (49.0, 50.0, 20.0),
            (7e5, 1e6, 5e5),
            (0.1 + 0.1, 0.2, 0.2),
            (0.001, 0.001, 0.001),
        ] {
            assert!(close(round_up(length), up), "{length}");
            assert!(close(round_down(length), down), "{length}");
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(round_up(bad), 1.0);
            assert_eq!(round_down(bad), 1.0);
        }
    }

    #[test]
    fn major_steps_are_powers_of_ten_or_the_next_one() {
        for (step, expected) in [
            (1.0, 10.0),
            (2.0, 10.0),
            (5.0, 10.0),
            (0.2, 1.0),
            (0.5, 1.0),
        ] {
            assert!(close(major(step), expected), "{step} {}", major(step));
        }
    }

    #[test]
    fn lengths_are_said_briefly() {
        for (metres, text) in [
            (5.0, "5 m"),
            (0.2, "0.2 m"),
            (0.02, "2 cm"),
            (0.002, "2 mm"),
            (2000.0, "2 km"),
            (0.0, "0 m"),
        ] {
            assert_eq!(length_text(metres), text);
        }
    }

    #[test]
    fn multiples_are_bounded() {
        assert_eq!(multiples(0.5, -1.2, 1.0, 100), [-2, -1, 0, 1, 2]);
        assert!(multiples(1e-9, 0.0, 1e6, 100).is_empty());
        assert!(multiples(1.0, 0.2, 0.8, 100).is_empty());
    }
}
