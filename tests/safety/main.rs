//! Nothing is lost: killed programs, full disks, other programs, links, vanished files.

mod disk;
mod exports;
mod folder;
mod heavy;
mod journal;
mod killed;
mod mutants;
mod notes;
mod tearing;
