//! Sentences: printing and reading are inverse, whatever things are called.

use super::generate::Generator;
use proptest::prelude::*;
use wayloom::base::{EntityId, Random};
use wayloom::document::sentence::{
    Itinerary, Names, Sentence, complete, parse, print, print_lines,
};
use wayloom::document::*;

/// Parts of names that a reader could stumble over.
const PIECES: [&str; 24] = [
    "Wall",
    "wall",
    "not",
    "IN",
    "near",
    "(3)",
    "\"",
    "\\",
    " ",
    ";",
    ",",
    "7",
    "3rd",
    "ß",
    "東京",
    "e\u{301}",
    "#12",
    "°",
    "Line of sight",
    "_",
    "-",
    "22:00",
    "m",
    "𝔾",
];

fn name(random: &mut Random) -> String {
    (0..random.below(4))
        .map(|_| PIECES[random.below(PIECES.len())])
        .collect()
}

/// A level in which names repeat, are keywords, or are strange.
fn strange_level(generator: &mut Generator) -> Level {
    let (level, _) = generator.level(60);
    let edits: Vec<Edit> = level
        .drawn()
        .map(|(id, entity)| {
            let entity = Entity {
                name: name(&mut generator.random),
                ..Entity::clone(entity)
            };
            Edit::replace(id, entity)
        })
        .collect();
    ops::apply(&level, &edits).expect("names are valid")
}

fn sentence(generator: &mut Generator) -> Sentence {
    let constraints = (0..generator.random.below(8))
        .map(|_| generator.constraint())
        .collect();
    let goals: Vec<Goal> = generator.mission().goals;
    let repeat = Repeat::ALL[generator.random.below(3)];
    Sentence {
        itinerary: (!goals.is_empty()).then_some(Itinerary { goals, repeat }),
        constraints,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_printed_is_read_as_it_was(seed: u64) {
        let mut generator = Generator::new(seed);
        let names = Names::of(&strange_level(&mut generator));
        for _ in 0..10 {
            let meant = sentence(&mut generator);
            for text in [print(&meant, &names), print_lines(&meant, &names)] {
                let read = parse(&text, &names);
                prop_assert_eq!(read.as_ref(), Ok(&meant), "{}", text);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_place(seed: u64, noise in ".{0,60}") {
        let mut generator = Generator::new(seed);
        let names = Names::of(&strange_level(&mut generator));
        let printed = print(&sentence(&mut generator), &names);
        let mut letters: Vec<char> = printed.chars().collect();
        // A piece left out, a piece put in.
        let random = &mut generator.random;
        let from = random.below(letters.len() + 1);
        let until = (from + random.below(6)).min(letters.len());
        letters.splice(from..until, noise.chars().take(random.below(20)));
        for text in [letters.into_iter().collect::<String>(), noise.clone()] {
            match parse(&text, &names) {
                Ok(read) => {
                    let again = print(&read, &names);
                    prop_assert_eq!(parse(&again, &names), Ok(read), "{}", text);
                }
                Err(error) => {
                    prop_assert!(error.at.end <= text.len() && error.column >= 1);
                    prop_assert!(text.get(error.at.clone()).is_some(), "{:?}", error);
                }
            }
            for caret in 0..=text.len() + 1 {
                let found = complete(&text, caret, &names);
                prop_assert!(text.get(found.replaces).is_some());
            }
        }
    }

    /// What completion offers may stand where it is offered.
    #[test]
    fn what_is_offered_leads_on(seed: u64) {
        let mut generator = Generator::new(seed);
        let names = Names::of(&strange_level(&mut generator));
        let printed = print(&sentence(&mut generator), &names);
        let carets: Vec<usize> = printed.char_indices().map(|(at, _)| at).collect();
        for _ in 0..5 {
            let Some(caret) = generator.random.pick(&carets).copied() else { continue };
            let found = complete(&printed, caret, &names);
            for offer in found.suggestions.iter().take(12) {
                let begun = format!("{}{}", &printed[..found.replaces.start], offer.text);
                if let Err(error) = parse(&begun, &names) {
                    prop_assert!(
                        error.to_string().contains("ends too early"),
                        "{}: {}", begun, error
                    );
                }
            }
        }
    }
}

#[test]
fn a_reference_to_nothing_survives() {
    let names = Names::of(&Level::default());
    let gone = Constraint::new(Rule::NotIn, EntityId::new(7).into());
    let meant = Sentence {
        itinerary: None,
        constraints: vec![gone],
    };
    assert_eq!(print(&meant, &names), "not in #7");
    assert_eq!(parse("not in #7", &names), Ok(meant));
}
