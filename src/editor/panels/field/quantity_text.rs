//! Parsing and formatting of numbers as people write them: `2.5`, `40 cm`, `3 + 0.5`, `14:30`.

use crate::base::{Quantity, Unit, decimal};

/// Maximum nesting of brackets.
const MAX_DEPTH: usize = 32;
/// Maximum length quoted from an invalid text. Unit: characters.
const MAX_QUOTED: usize = 24;

/// The number without its unit, at most three decimals unless that would hide it.
#[must_use]
pub fn format(unit: Unit, value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    match unit {
        Unit::Hour => format_clock(value),
        _ => format_decimal(value),
    }
}

/// The number with its unit, for sentences and summaries.
#[must_use]
pub fn format_with_unit(unit: Unit, value: f64) -> String {
    format!("{}{}", format(unit, value), suffix(unit))
}

/// The unit after a number in a field. Hours are written as a clock and need none.
#[must_use]
pub const fn suffix(unit: Unit) -> &'static str {
    match unit {
        Unit::Hour => "",
        _ => unit.suffix(),
    }
}

fn format_decimal(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    let hides = rounded == 0.0 && value != 0.0;
    let shown = if hides { value } else { rounded };
    decimal::plain(shown)
}

fn format_clock(hours: f64) -> String {
    let seconds = (hours * 3600.0).round();
    let (minutes, rest) = ((seconds / 60.0).floor(), seconds % 60.0);
    let clock = format!("{:02}:{:02}", (minutes / 60.0).floor(), minutes % 60.0);
    if rest == 0.0 {
        clock
    } else {
        format!("{clock}:{rest:02}")
    }
}

/// Reads a number, a sum or a product, each part with or without a unit.
///
/// # Errors
/// A sentence: the text is not a number, or the number is outside the quantity's limits.
pub fn parse(quantity: &Quantity, text: &str) -> Result<f64, String> {
    let value = parse_unit(quantity.unit, text).ok_or_else(|| {
        let typed = text.trim();
        let shown: String = typed.chars().take(MAX_QUOTED).collect();
        let more = if shown.len() < typed.len() { "…" } else { "" };
        format!(
            "`{shown}{more}` is not a number; write for example {}",
            example(quantity.unit)
        )
    })?;
    quantity.check(value).map_err(|error| error.to_string())?;
    Ok(value)
}

const fn example(unit: Unit) -> &'static str {
    match unit {
        Unit::Metre => "2.5, 40 cm or 3 + 0.5",
        Unit::MetrePerSecond => "1.4 or 5 km/h",
        Unit::Hour => "14:30 or 14.5",
        Unit::Degree => "45 or 0.5 rad",
        Unit::Second => "90 or 1.5 min",
        Unit::MetrePerSecondSquared | Unit::PerSecond | Unit::PerSquareMetre | Unit::One => {
            "2.5 or 3 + 0.5"
        }
        Unit::Percent => "50 or 12.5 %",
    }
}

fn parse_unit(unit: Unit, text: &str) -> Option<f64> {
    if unit == Unit::Hour
        && let Some(hours) = parse_clock(text)
    {
        return Some(hours);
    }
    let mut reader = Reader {
        rest: text.trim(),
        unit,
    };
    let value = reader.sum(0)?;
    (reader.rest.is_empty() && value.is_finite()).then_some(value)
}

/// `h:mm` or `h:mm:ss`.
fn parse_clock(text: &str) -> Option<f64> {
    let mut parts = text.trim().split(':');
    let hours: u32 = parts.next()?.trim().parse().ok()?;
    let mut sixtieth = || -> Option<f64> {
        let part: u32 = parts.next()?.trim().parse().ok()?;
        (part < 60).then_some(f64::from(part))
    };
    let minutes = sixtieth()?;
    let seconds = sixtieth();
    let complete = seconds.is_some() || text.matches(':').count() == 1;
    (complete && parts.next().is_none())
        .then(|| f64::from(hours) + minutes / 60.0 + seconds.unwrap_or(0.0) / 3600.0)
}

/// Reads from the front of `rest`.
struct Reader<'a> {
    rest: &'a str,
    unit: Unit,
}

impl Reader<'_> {
    fn sum(&mut self, depth: usize) -> Option<f64> {
        let mut value = self.product(depth)?;
        loop {
            if self.take("+") {
                value += self.product(depth)?;
            } else if self.take("-") || self.take("−") {
                value -= self.product(depth)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Option<f64> {
        let mut value = self.factor(depth)?;
        loop {
            if self.take("*") || self.take("×") {
                value *= self.factor(depth)?;
            } else if self.take("/") || self.take("÷") {
                value /= self.factor(depth)?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self, depth: usize) -> Option<f64> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.take("-") || self.take("−") {
            return Some(-self.factor(depth + 1)?);
        }
        if self.take("+") {
            return self.factor(depth + 1);
        }
        let value = if self.take("(") {
            let value = self.sum(depth + 1)?;
            self.take(")").then_some(value)?
        } else {
            self.number()?
        };
        Some(value * self.scale())
    }

    fn number(&mut self) -> Option<f64> {
        let mut end = 0;
        let mut previous = ' ';
        for (at, c) in self.rest.char_indices() {
            let exponent_sign = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E');
            let exponent = matches!(c, 'e' | 'E')
                && self.rest[at + 1..]
                    .starts_with(|next: char| next.is_ascii_digit() || matches!(next, '+' | '-'));
            if !(c.is_ascii_digit() || matches!(c, '.' | ',') || exponent || exponent_sign) {
                break;
            }
            end = at + 1;
            previous = c;
        }
        let (digits, rest) = self.rest.split_at(end);
        let value = digits.replace(',', ".").parse().ok()?;
        self.rest = rest.trim_start();
        Some(value)
    }

    /// The factor from the unit just read to the quantity's own unit.
    fn scale(&mut self) -> f64 {
        let units: &[(&str, f64)] = match self.unit {
            Unit::Metre => &[
                ("km", 1000.0),
                ("cm", 0.01),
                ("mm", 0.001),
                ("m", 1.0),
                ("ft", 0.3048),
                ("in", 0.0254),
            ],
            Unit::MetrePerSecond => &[("km/h", 1.0 / 3.6), ("m/s", 1.0)],
            Unit::MetrePerSecondSquared => &[("m/s²", 1.0), ("m/s2", 1.0), ("m/s^2", 1.0)],
            Unit::Second => &[("min", 60.0), ("ms", 0.001), ("s", 1.0)],
            Unit::Hour => &[("min", 1.0 / 60.0), ("h", 1.0)],
            Unit::Degree => &[
                ("°", 1.0),
                ("deg", 1.0),
                ("rad", 180.0 / std::f64::consts::PI),
            ],
            Unit::PerSecond => &[("/s", 1.0)],
            Unit::PerSquareMetre => &[("/m²", 1.0), ("/m2", 1.0), ("/m^2", 1.0)],
            Unit::Percent => &[("%", 1.0)],
            Unit::One => &[],
        };
        units
            .iter()
            .find(|(name, _)| self.take(name))
            .map_or(1.0, |(_, scale)| *scale)
    }

    fn take(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else {
            return false;
        };
        self.rest = rest.trim_start();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::limits;
    use proptest::prelude::*;

    fn metres(text: &str) -> Option<f64> {
        parse_unit(Unit::Metre, text)
    }

    #[test]
    fn sums_products_brackets_and_units_are_read() {
        for (text, value) in [
            ("2.5", 2.5),
            (" 40 cm ", 0.4),
            ("40cm", 0.4),
            ("3 + 0.5", 3.5),
            ("3 - -1", 4.0),
            ("−2", -2.0),
            ("2 * (1 + 50 cm)", 3.0),
            ("1/4", 0.25),
            ("1,5 m", 1.5),
            ("1e2", 100.0),
            ("2e-1 m", 0.2),
        ] {
            let read = metres(text).unwrap_or_else(|| panic!("{text} is read"));
            assert!((read - value).abs() < 1e-12, "{text} = {read}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused_whole() {
        for text in [
            "", "abc", "1 2", "3 +", "(1", "1)", "1.2.3", "4 kg", "1/0", "—",
        ] {
            assert_eq!(metres(text), None, "{text}");
        }
        let deep = format!("{}1", "(".repeat(10_000));
        assert_eq!(metres(&deep), None);
    }

    #[test]
    fn the_time_of_day_is_a_clock() {
        let hours = |text| parse_unit(Unit::Hour, text);
        assert_eq!(hours("14:30"), Some(14.5));
        assert_eq!(hours("14.5"), Some(14.5));
        assert_eq!(hours("6:00:36"), Some(6.01));
        for bad in ["14:60", "14:3:", "14:", ":30", "1:2:3:4"] {
            assert_eq!(hours(bad), None, "{bad}");
        }
        assert_eq!(format(Unit::Hour, 14.5), "14:30");
        assert_eq!(format(Unit::Hour, 24.0), "24:00");
        assert_eq!(format(Unit::Hour, 6.01), "06:00:36");
    }

    #[test]
    fn speeds_and_angles_know_their_other_units() {
        let speed = parse_unit(Unit::MetrePerSecond, "5 km/h").expect("a speed");
        assert!((speed - 5.0 / 3.6).abs() < 1e-12);
        assert_eq!(parse_unit(Unit::Degree, "45°"), Some(45.0));
        assert_eq!(parse_unit(Unit::PerSecond, "3 /s"), Some(3.0));
    }

    #[test]
    fn a_refusal_is_a_sentence() {
        assert_eq!(
            parse(&limits::RADIUS, "-1").expect_err("below"),
            "radius is -1 m; it must be between 0.01 m and 100 m"
        );
        assert_eq!(
            parse(&limits::RADIUS, "wide").expect_err("no number"),
            "`wide` is not a number; write for example 2.5, 40 cm or 3 + 0.5"
        );
    }

    #[test]
    fn a_number_is_shown_short_but_never_hidden() {
        for (value, text) in [
            (12.0, "12"),
            (0.1 + 0.2, "0.3"),
            (-0.0, "0"),
            (-0.0001, "-0.0001"),
            (1234.5678, "1234.568"),
        ] {
            assert_eq!(format(Unit::Metre, value), text);
        }
        assert_eq!(format_with_unit(Unit::Degree, 90.0), "90°");
    }

    /// A sum of products of numbers with units, some of them in brackets, and what it comes to.
    fn expression() -> impl Strategy<Value = (String, f64)> {
        let units = [
            ("", 1.0),
            (" m", 1.0),
            ("cm", 0.01),
            (" mm", 0.001),
            (" km", 1e3),
        ];
        let number = (0_u32..500, prop::sample::select(units.to_vec())).prop_map(
            |(number, (unit, scale))| (format!("{number}{unit}"), f64::from(number) * scale),
        );
        number.prop_recursive(3, 16, 4, |inner| {
            let factor = (inner.clone(), any::<bool>()).prop_map(|((text, value), is_negative)| {
                if is_negative {
                    (format!("-({text})"), -value)
                } else {
                    (format!("({text})"), value)
                }
            });
            let product = (
                factor.clone(),
                prop::collection::vec((any::<bool>(), factor), 0..3),
            )
                .prop_map(|((mut text, mut value), more)| {
                    for (divides, (next, by)) in more {
                        text += &format!(" {} {next}", if divides { "/" } else { "×" });
                        value = if divides { value / by } else { value * by };
                    }
                    (text, value)
                });
            (
                product.clone(),
                prop::collection::vec((any::<bool>(), product), 0..3),
            )
                .prop_map(|((mut text, mut value), more)| {
                    for (takes_away, (next, by)) in more {
                        text += &format!(" {} {next}", if takes_away { "-" } else { "+" });
                        value = if takes_away { value - by } else { value + by };
                    }
                    (text, value)
                })
        })
    }

    proptest! {
        /// What is read is a number, is read so whatever stands around it, and is all of the text.
        #[test]
        fn any_text_is_read_whole_or_refused(
            text in prop_oneof!["\\PC{0,40}", "[-+*/×÷−(). 0-9,emckhrad:°%]{0,14}"],
        ) {
            for unit in [Unit::Metre, Unit::Hour, Unit::Degree, Unit::One] {
                let Some(value) = parse_unit(unit, &text) else {
                    continue;
                };
                prop_assert!(value.is_finite(), "{text}");
                prop_assert_eq!(parse_unit(unit, &format!("  {text}\t")), Some(value));
                for more in ["@", " §", " 7 7", ")", "+"] {
                    prop_assert_eq!(parse_unit(unit, &format!("{text}{more}")), None, "{}", more);
                }
                // A clock stands alone; brackets may nest only so deep.
                if !text.contains(':')
                    && let Some(turned) = parse_unit(unit, &format!("-({text})"))
                {
                    prop_assert_eq!(turned, -value);
                }
            }
        }

        /// Sums before products, from the left, with units: as an evaluation of the tree says.
        #[test]
        fn expressions_mean_what_their_tree_means((text, value) in expression()) {
            let Some(read) = metres(&text) else {
                prop_assert!(!value.is_finite(), "{text} is {value}");
                return Ok(());
            };
            prop_assert!((read - value).abs() <= 1e-9 * (1.0 + value.abs()), "{text}: {read} {value}");
        }

        #[test]
        fn what_is_shown_is_read_back(value in -1e6..1e6_f64) {
            let shown = format(Unit::Metre, value);
            let read = metres(&shown).expect("a number");
            prop_assert!((read - value).abs() <= 0.000_5 + 1e-9);
        }
    }
}
