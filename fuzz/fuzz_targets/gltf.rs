#![no_main]

use libfuzzer_sys::fuzz_target;
use wayloom::exchange::Format;

fuzz_target!(|bytes: &[u8]| wayloom_fuzz::read(Format::Gltf, "a.gltf", bytes));
