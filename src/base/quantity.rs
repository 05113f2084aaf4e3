//! Quantities: name, unit and limits, defined once for loading, the inspector and messages.

use super::decimal;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Metre,
    MetrePerSecond,
    MetrePerSecondSquared,
    Second,
    Hour,
    /// Stored in degrees, computed in radians.
    Degree,
    PerSecond,
    PerSquareMetre,
    Percent,
    /// Dimensionless: a weight, a count.
    One,
}

impl Unit {
    /// Text that follows a number, including a leading space where the unit takes one.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Metre => " m",
            Self::MetrePerSecond => " m/s",
            Self::MetrePerSecondSquared => " m/s²",
            Self::Second => " s",
            Self::Hour => " h",
            Self::Degree => "°",
            Self::PerSecond => " /s",
            Self::PerSquareMetre => " /m²",
            Self::Percent => " %",
            Self::One => "",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    pub name: &'static str,
    pub unit: Unit,
    pub min: f64,
    pub max: f64,
    pub default: f64,
}

impl Quantity {
    #[must_use]
    pub const fn new(name: &'static str, unit: Unit, min: f64, max: f64, default: f64) -> Self {
        Self {
            name,
            unit,
            min,
            max,
            default,
        }
    }

    /// # Errors
    /// The value is not finite or outside the limits.
    pub fn check(&self, value: f64) -> Result<(), OutOfLimits> {
        if value.is_finite() && (self.min..=self.max).contains(&value) {
            Ok(())
        } else {
            Err(OutOfLimits {
                quantity: *self,
                value,
            })
        }
    }

    /// The nearest value within the limits; the default for NaN.
    #[must_use]
    pub fn clamp(&self, value: f64) -> f64 {
        if value.is_nan() {
            self.default
        } else {
            value.clamp(self.min, self.max)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfLimits {
    pub quantity: Quantity,
    pub value: f64,
}

impl fmt::Display for OutOfLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Quantity {
            name,
            unit,
            min,
            max,
            ..
        } = self.quantity;
        let unit = unit.suffix();
        let [value, min, max] = [self.value, min, max].map(decimal::plain);
        write!(
            f,
            "{name} is {value}{unit}; it must be between {min}{unit} and {max}{unit}"
        )
    }
}

impl std::error::Error for OutOfLimits {}

#[cfg(test)]
mod tests {
    use super::*;

    const RADIUS: Quantity = Quantity::new("radius", Unit::Metre, 0.05, 50.0, 0.3);

    #[test]
    fn a_refusal_names_the_quantity_its_value_and_its_limits() {
        let refusal = RADIUS.check(-1.0).expect_err("below the minimum");
        assert_eq!(
            refusal.to_string(),
            "radius is -1 m; it must be between 0.05 m and 50 m"
        );
        let refusal = RADIUS.check(1e99).expect_err("above the maximum");
        assert_eq!(
            refusal.to_string(),
            "radius is 1e99 m; it must be between 0.05 m and 50 m"
        );
        assert!(RADIUS.check(f64::NAN).is_err());
        assert!(RADIUS.check(f64::INFINITY).is_err());
        assert!(RADIUS.check(0.05).is_ok());
        assert_eq!(RADIUS.clamp(f64::NAN), 0.3);
        assert_eq!(RADIUS.clamp(90.0), 50.0);
    }
}
