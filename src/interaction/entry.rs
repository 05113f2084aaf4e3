//! Numbers typed while drawing: a length, a length and an angle, or coordinates.

use super::snapping;
use crate::geometry::MAX_COORDINATE;
use glam::DVec2;

/// Longer texts are not numbers. Unit: characters.
const MAX_TEXT: usize = 40;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumericEntry {
    text: String,
    /// Why the text was rejected; cleared by the next key.
    trouble: Option<String>,
}

/// A parsed entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Typed {
    /// `12.5`: this far towards the pointer; for rotations and scales, the value itself.
    Number(f64),
    /// `12.5<30`: length and angle.
    Polar { length: f64, degrees: f64 },
    /// `10,20`: a position.
    Absolute(DVec2),
    /// `@3,4`: an offset from the last position.
    Relative(DVec2),
}

impl NumericEntry {
    #[must_use]
    pub const fn new() -> Self {
        Self {
            text: String::new(),
            trouble: None,
        }
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.trouble.clone()
    }

    /// Adds typed characters; false if they cannot be part of a number.
    pub fn push(&mut self, text: &str) -> bool {
        let belongs = |c: char| c.is_ascii_digit() || ".,<@-+ ".contains(c);
        if text.is_empty() || !text.chars().all(belongs) || self.text.len() + text.len() > MAX_TEXT
        {
            return false;
        }
        // A space on its own may be an editor command.
        if self.text.is_empty() && text.trim().is_empty() {
            return false;
        }
        self.text.push_str(text);
        self.trouble = None;
        true
    }

    /// Removes the last character; false if there is none.
    pub fn backspace(&mut self) -> bool {
        self.trouble = None;
        self.text.pop().is_some()
    }

    /// False if there was nothing to clear.
    pub fn clear(&mut self) -> bool {
        self.trouble = None;
        let any = !self.text.is_empty();
        self.text.clear();
        any
    }

    /// The parsed text; `None` while it is empty.
    ///
    /// # Errors
    /// A sentence about what cannot be parsed.
    pub fn typed(&self) -> Result<Option<Typed>, String> {
        let text = self.text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let (relative, body) = match text.strip_prefix('@') {
            Some(body) => (true, body),
            None => (false, text),
        };
        let typed = if let Some((length, angle)) = body.split_once('<') {
            Typed::Polar {
                length: number(length)?,
                degrees: number(angle)?,
            }
        } else if let Some((x, y)) = body.split_once(',') {
            let place = DVec2::new(number(x)?, number(y)?);
            if relative {
                Typed::Relative(place)
            } else {
                Typed::Absolute(place)
            }
        } else {
            Typed::Number(number(body)?)
        };
        Ok(Some(typed))
    }

    /// The position the text stands for, relative to `anchor` and towards the pointer; `None` while
    /// it is empty.
    ///
    /// # Errors
    /// A sentence about what cannot be parsed or is missing.
    pub fn place(&self, anchor: Option<DVec2>, pointer: DVec2) -> Result<Option<DVec2>, String> {
        let Some(typed) = self.typed()? else {
            return Ok(None);
        };
        let from = || {
            anchor.ok_or_else(|| {
                "there is no point yet to measure from; type a position such as 10,20".to_owned()
            })
        };
        let place = match typed {
            Typed::Absolute(place) => place,
            Typed::Relative(offset) => from()? + offset,
            Typed::Polar { length, degrees } => {
                from()? + DVec2::from_angle(degrees.to_radians()) * length
            }
            Typed::Number(length) => {
                let from = from()?;
                from + (pointer - from).try_normalize().unwrap_or(DVec2::X) * length
            }
        };
        let place = snapping::on_grid(place, 1e-6);
        if place.abs().max_element() <= MAX_COORDINATE {
            Ok(Some(place))
        } else {
            Err(format!(
                "{}, {} is outside the world; coordinates range from −1000000 to 1000000",
                place.x, place.y
            ))
        }
    }

    /// Shows a sentence until the next key.
    pub fn refuse(&mut self, sentence: String) {
        self.trouble = Some(sentence);
    }
}

fn number(text: &str) -> Result<f64, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(
            "a number is missing; type 12.5, 12.5<30, 10,20 or @3,4 and press Enter".to_owned(),
        );
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value.abs() <= 10.0 * MAX_COORDINATE => Ok(value),
        Ok(_) => Err(format!("{text} is too large")),
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> NumericEntry {
        let mut entry = NumericEntry::default();
        assert!(entry.push(text), "{text}");
        entry
    }

    #[test]
    fn the_four_forms_are_distinguished() {
        for (text, expected) in [
            ("12.5", Typed::Number(12.5)),
            (" -3 ", Typed::Number(-3.0)),
            (
                "12.5<30",
                Typed::Polar {
                    length: 12.5,
                    degrees: 30.0,
                },
            ),
            ("10,20", Typed::Absolute(DVec2::new(10.0, 20.0))),
            ("@3, -4", Typed::Relative(DVec2::new(3.0, -4.0))),
        ] {
            assert_eq!(entry("0").typed(), Ok(Some(Typed::Number(0.0))));
            let mut typed = NumericEntry::default();
            assert!(
                text.chars()
                    .all(|c| { typed.push(&c.to_string()) || (c == ' ' && typed.is_empty()) })
            );
            assert_eq!(typed.typed(), Ok(Some(expected)), "{text}");
        }
    }

    #[test]
    fn lengths_go_towards_the_pointer_and_angles_turn_left_from_the_right() {
        let anchor = Some(DVec2::new(1.0, 1.0));
        let place = |text: &str, pointer| entry(text).place(anchor, pointer);
        assert_eq!(
            place("5", DVec2::new(1.0, 9.0)),
            Ok(Some(DVec2::new(1.0, 6.0)))
        );
        assert_eq!(place("2<90", DVec2::ZERO), Ok(Some(DVec2::new(1.0, 3.0))));
        assert_eq!(place("@3,4", DVec2::ZERO), Ok(Some(DVec2::new(4.0, 5.0))));
        assert_eq!(place("5", DVec2::ONE), Ok(Some(DVec2::new(6.0, 1.0))));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, part) in [
            ("1.2.3", "not a number"),
            ("4<", "missing"),
            (",5", "missing"),
            ("--5", "not a number"),
            ("999999999", "too large"),
            ("2000000,0", "outside the world"),
        ] {
            let sentence = entry(text)
                .place(Some(DVec2::ZERO), DVec2::ONE)
                .expect_err(text);
            assert!(sentence.contains(part), "{text}: {sentence}");
        }
        assert!(entry("5").place(None, DVec2::ONE).is_err());
        assert!(!NumericEntry::default().push("w"));
        assert!(!NumericEntry::default().push(" "));
    }
}
