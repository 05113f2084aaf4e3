//! Tools and gestures, without any window: pointer events in, edits out.
