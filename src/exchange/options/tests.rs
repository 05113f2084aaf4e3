//! Options through their descriptions.

use super::*;
use crate::base::{Quantity, Unit};

#[derive(Clone, Debug, PartialEq)]
struct Sample {
    size: f64,
    count: usize,
    margin: Option<f64>,
    is_loud: bool,
    colour: &'static str,
    profiles: Option<Vec<String>>,
    grid: Option<[u32; 3]>,
}

impl Default for Sample {
    fn default() -> Self {
        Self {
            size: 1.0,
            count: 3,
            margin: None,
            is_loud: false,
            colour: "red",
            profiles: None,
            grid: None,
        }
    }
}

const SIZE: Quantity = Quantity::new("size", Unit::Metre, 0.5, 10.0, 1.0);
const COUNT: Quantity = Quantity::new("count", Unit::One, 0.0, 9.0, 3.0);
const COLOURS: &[Choice] = &[
    Choice::new("red", "Red", ""),
    Choice::new("blue", "Blue", ""),
];

impl FormatOptions for Sample {
    const FIELDS: &'static [Field<Self>] = &[
        Field::number(["size", "Size", ""], SIZE, |o| &mut o.size),
        Field::count(["count", "Count", ""], COUNT, |o| &mut o.count),
        Field::automatic_number(["margin", "Margin", ""], SIZE, |o| &mut o.margin),
        Field::switch(["loud", "Loud", ""], |o: &mut Self| &mut o.is_loud).advanced(),
        Field::choice(
            ["colour", "Colour", ""],
            COLOURS,
            |o| o.colour,
            |o, id| {
                o.colour = if id == "blue" { "blue" } else { "red" };
            },
        ),
        Field::profiles(["profile", "Profiles", ""], |o| &mut o.profiles),
        Field::grid(["grid", "Grid", ""], |o| &mut o.grid),
    ];

    fn check(&self) -> Result<(), OptionError> {
        match (self.margin, self.grid) {
            (Some(_), Some(_)) => Err(OptionError::new("either a margin or a grid")),
            _ => Ok(()),
        }
    }
}

fn given(texts: &[(&str, &[&str])]) -> Result<Options, OptionError> {
    let mut options = Options::new(Sample::default());
    for (key, texts) in texts {
        let specs = options.specs();
        let spec = specs.iter().find(|spec| spec.key == *key).expect("known");
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        options.set(key, spec.parse(&texts)?)?;
    }
    options.check()?;
    Ok(options)
}

#[test]
fn flags_reach_the_fields_of_the_struct() {
    let options = given(&[
        ("size", &["2.5"]),
        ("count", &["7"]),
        ("margin", &["4"]),
        ("loud", &[]),
        ("colour", &["blue"]),
        ("profile", &["Guard", "Pupil"]),
    ])
    .expect("all are within their limits");
    let expected = Sample {
        size: 2.5,
        count: 7,
        margin: Some(4.0),
        is_loud: true,
        colour: "blue",
        profiles: Some(vec!["Guard".to_owned(), "Pupil".to_owned()]),
        grid: None,
    };
    assert_eq!(options.downcast_ref::<Sample>(), Some(&expected));
    assert_eq!(options, Options::new(expected));
    assert_eq!(options.get("margin"), Some(OptionValue::Number(4.0)));
    assert!(options.downcast_ref::<NoOptions>().is_none());
    assert_ne!(options, Options::new(NoOptions));
}

#[test]
fn what_is_no_value_is_refused_with_the_reason() {
    for (key, texts, words) in [
        ("size", &["x"][..], "--size: `x` is not a number"),
        (
            "size",
            &["nan"],
            "size is NaN m; it must be between 0.5 m and 10 m",
        ),
        ("size", &["11"], "between 0.5 m and 10 m"),
        ("size", &["1", "2"], "more than once"),
        ("count", &["1.5"], "not a whole number"),
        ("colour", &["green"], "not one of red, blue"),
        ("grid", &["3x4"], "three whole numbers"),
        ("grid", &["3x0x4"], "three whole numbers"),
    ] {
        let refused = given(&[(key, texts)]).expect_err("refused").to_string();
        assert!(refused.contains(words), "{refused}");
    }
    let both = given(&[("margin", &["2"]), ("grid", &["1x2x3"])]);
    assert_eq!(both, Err(OptionError::new("either a margin or a grid")));
    let mut options = Options::new(Sample::default());
    assert!(options.set("size", OptionValue::Switch(true)).is_err());
    assert!(options.set("nothing", OptionValue::Switch(true)).is_err());
    let none = OptionValue::Profiles(Vec::new());
    assert!(options.set("profile", none).is_ok() && options.check().is_err());
}
