#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| wayloom_fuzz::read("movingai", "a.map", bytes));
