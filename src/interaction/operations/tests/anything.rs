//! Random operations in any order, and undo.

use super::*;

/// A random operation with random arguments; often rejected, never wrong.
fn anything(on: &OperationInput<'_>, random: &mut crate::base::Random) -> Result<Change, Refused> {
    let by = random.point(DVec2::splat(-8.0), DVec2::splat(8.0)).round();
    let terrain = on.level.terrains().next().map(|(id, _, _)| id);
    let layer = find(
        on.level,
        &Criteria {
            kind: Some(KindName::Layer),
            ..Criteria::default()
        },
    );
    match random.below(22) {
        0 => duplicate(on, by),
        1 | 2 => delete(on),
        3 | 4 => group(on),
        5 => ungroup(on),
        6 => lock(on),
        7 => unlock_all(on),
        8 => assign_to_layer(on, layer.iter().next()),
        9 => reorder(on, StackOrder::OneUp),
        10 => reorder(on, StackOrder::OneDown),
        11 => align(on, Edge::Centre),
        12 => distribute(on, Axis::Across, Spacing::Gaps),
        13 => mirror(on, Axis::Down),
        14 => rotate(on, None, by.x * 20.0),
        15 => combine(on, Combination::Union),
        16 => combine(on, Combination::Subtract),
        17 => offset(on, by.x * 0.1),
        18 => simplify(on, by.y.abs() * 0.2),
        19 => convert(on, ConvertTarget::Obstacle),
        20 => match terrain {
            Some(terrain) => convert(on, ConvertTarget::Region(terrain)),
            None => show_all(on),
        },
        _ => {
            let mut clipboard = Clipboard::default();
            let text = clipboard.copy(on)?;
            if random.chance(0.5) {
                clipboard.forget();
            }
            clipboard.paste(on, &text, Destination::Beside(by))
        }
    }
}

#[test]
fn a_hundred_operations_on_a_real_level_can_all_be_undone() {
    for (template, seed) in [(Template::Mckenna, 1), (Template::Rooms, 2)] {
        let level = template.build(&Default::default()).expect("drawn");
        let mut bench = Bench {
            document: Document::new(level, EntityId::new(1)),
        };
        let start = bench.document.level().clone();
        let mut random = crate::base::Random::new(seed);
        let mut done = 0;
        for _ in 0..100 {
            let all: Vec<EntityId> = bench.document.level().order().iter().copied().collect();
            let count = 1 + random.below(5);
            let selection = (0..count)
                .filter_map(|_| random.pick(&all).copied())
                .collect();
            bench.document.select(selection);
            done += usize::from(
                bench
                    .perform(|on| anything(on, &mut random))
                    .unwrap_or_default(),
            );
        }
        assert!(done > 30, "only {done} of 100 did something");
        while bench.document.undo().is_some() {}
        assert_eq!(**bench.document.level(), *start, "{}", template.name());
    }
}
