#![no_main]

use libfuzzer_sys::fuzz_target;
use wayloom::exchange::import::Source;

const MAP: &[u8] = b"type octile\nheight 2\nwidth 3\nmap\n..@\n.T.\n";

fuzz_target!(|bytes: &[u8]| {
    let sources = [Source::new("a.map", MAP), Source::new("a.map.scen", bytes)];
    wayloom_fuzz::read_all("movingai", &sources);
});
