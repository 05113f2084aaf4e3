//! The room `base`: ids, quantities with units and limits, colours, seeded randomness, hashing.
//!
//! Rooms above it have the names here that they have everywhere.

#[path = "mod.rs"]
pub mod base;
