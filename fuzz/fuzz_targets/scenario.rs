#![no_main]

use libfuzzer_sys::fuzz_target;
use wayloom::exchange::Format;
use wayloom::exchange::import::Source;

const MAP: &[u8] = b"type octile\nheight 2\nwidth 3\nmap\n..@\n.T.\n";

fuzz_target!(|bytes: &[u8]| {
    let source = |name: &str, bytes: &[u8]| Source {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
    };
    let sources = [source("a.map", MAP), source("a.map.scen", bytes)];
    wayloom_fuzz::read_all(Format::MovingAi, &sources);
});
