//! What all versions of the file share: omitted defaults, bounded lists, colours as text.

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

pub(super) fn is_false(value: &bool) -> bool {
    !value
}

pub(super) fn is_zero(value: &f64) -> bool {
    // −0 is written explicitly: load and save must not change a single bit.
    value.to_bits() == 0
}

pub(super) fn is_zero_place(place: &(f64, f64, f64)) -> bool {
    is_zero(&place.0) && is_zero(&place.1) && is_zero(&place.2)
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads a list, stopping as soon as it exceeds what any level may hold: a hostile file costs no
/// more than a valid one.
pub(super) fn at_most<'de, const MAX: usize, T, D>(from: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    struct List<const MAX: usize, T>(std::marker::PhantomData<T>);

    impl<'de, const MAX: usize, T: Deserialize<'de>> Visitor<'de> for List<MAX, T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "a list of at most {MAX}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = from.next_element()? {
                if list.len() == MAX {
                    return Err(A::Error::custom(format!(
                        "this list is too long; it may have {MAX} entries at most"
                    )));
                }
                list.push(item);
            }
            Ok(list)
        }
    }

    from.deserialize_seq(List::<MAX, T>(std::marker::PhantomData))
}

pub(super) mod colour {
    use crate::base::Colour;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(in super::super) fn serialize<S: Serializer>(
        colour: &Colour,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(colour)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Colour, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
