//! Files: what is written is what is read, to the byte.

use crate::{cases, generate::Generator};
use wayloom::document::format;

#[test]
fn load_and_save_are_byte_identical_for_any_level() {
    for seed in 0..cases(300) {
        let mut generator = Generator::new(seed);
        let count = generator.random.below(30);
        let (level, next_id) = generator.level(count);
        let text = format::write(&level, next_id);
        let loaded =
            format::read(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert!(loaded.level == level, "seed {seed}: the level changed");
        assert_eq!(loaded.next_id, next_id, "seed {seed}");
        assert_eq!(
            format::write(&loaded.level, loaded.next_id),
            text,
            "seed {seed}"
        );
    }
}

#[test]
fn the_clipboard_keeps_every_entity() {
    for seed in 0..cases(100) {
        let mut generator = Generator::new(seed);
        let (level, _) = generator.level(12);
        let text = format::write_clip(level.drawn().map(|(id, entity)| (id, &**entity)));
        let read = format::read_clip(&text).expect("just written");
        let expected: Vec<_> = level
            .drawn()
            .map(|(id, entity)| (id, (**entity).clone()))
            .collect();
        assert_eq!(read, expected, "seed {seed}");
    }
}

#[test]
fn damage_anywhere_is_a_sentence_with_its_place_or_harmless() {
    let mut generator = Generator::new(5);
    let (level, next_id) = generator.level(25);
    let text = format::write(&level, next_id);
    for _ in 0..cases(400) {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=generator.random.below(3) {
            let at = generator.random.below(bytes.len());
            match generator.random.below(4) {
                0 => bytes[at] = generator.random.next_u64() as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, b"()[]\",:-0"[generator.random.below(9)]),
                _ => {
                    let end = (at + generator.random.below(40)).min(bytes.len() - 1);
                    bytes.drain(at.min(end)..end);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let Ok(damaged) = String::from_utf8(bytes) else {
            continue;
        };
        if let Err(error) = format::read(&damaged) {
            let sentence = error.to_string();
            assert!(
                sentence.starts_with("line ") || sentence.starts_with("this level"),
                "{sentence}"
            );
            assert!(sentence.len() < 600, "{sentence}");
        }
    }
}
