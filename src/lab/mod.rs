//! Experiments and benchmarks.
