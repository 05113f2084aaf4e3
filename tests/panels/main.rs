//! Every panel through the editor's own state: what a person does, found by its label, and what
//! becomes of the document.
#![cfg(feature = "gui")]

mod history;
mod inspector;
mod keyboard;
mod kinds;
mod layers;
mod navigation;
mod outliner;
mod problems;
mod sentences;
mod stage;
mod tables;
mod toy_planner;
mod window;
