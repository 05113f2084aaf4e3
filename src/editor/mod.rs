//! The egui application.
