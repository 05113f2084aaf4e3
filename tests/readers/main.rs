//! Exports, loaded and asked for paths by programs of others.
//!
//! `scripts/readers` fetches them. A reader that is not there is skipped with a line that says so;
//! with `WAYLOOM_READER_TESTS=required` it is a failure. `WAYLOOM_READER_LEVELS=all` asks about every
//! sample level, `WAYLOOM_CASES` sets the number of random ones.

// The example for Bevy is read here, too; its own package has the feature `bevy`.
#![allow(unexpected_cfgs)]

mod addon;
mod bakes;
#[cfg(feature = "lab")]
mod bevy;
mod levels;
mod links;
mod meshes;
mod paths;
mod readers;
mod recordings;
mod scenes;
