//! Foundations used by every room: ids, units and limits, colours, seeded randomness, hashing.

pub mod backend;
pub mod by_address;
pub mod colour;
pub mod decimal;
pub mod distribution;
pub mod elementary;
pub mod hash;
pub mod id;
pub mod io_words;
pub mod parser_words;
pub mod quantity;
pub mod random;

pub use backend::Backend;
pub use by_address::ByAddress;
pub use colour::Colour;
pub use distribution::Distribution;
pub use hash::ContentHash;
pub use id::EntityId;
pub use io_words::io_words;
pub use quantity::{OutOfLimits, Quantity, Unit};
pub use random::{Chance, Random};
