//! Every panel through the editor's own state: what a person does, found by its label, and what
//! becomes of the document.

mod inspector;
mod outliner;
mod stage;
