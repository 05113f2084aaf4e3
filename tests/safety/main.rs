//! Nothing is lost: killed programs, full disks, other programs, links, vanished files.

mod disk;
mod folder;
mod journal;
mod killed;
mod notes;
mod tearing;
