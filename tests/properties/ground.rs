//! Heights: gradients are the slope of the heights, and other posts stand on the same ground.

use crate::cases;
use glam::DVec2;
use wayloom::base::Random;
use wayloom::geometry::{HeightField, HeightPatch};

/// Twisted, with more posts one way than the other: every patch is a saddle.
fn twisted(random: &mut Random) -> HeightField {
    let (columns, rows) = (2 + random.below(6), 2 + random.below(6));
    HeightField {
        origin: random.point(DVec2::splat(-50.0), DVec2::splat(50.0)),
        spacing: random.range(0.25, 4.0),
        columns,
        rows,
        heights: (0..columns * rows)
            .map(|_| random.range(-10.0, 10.0))
            .collect(),
    }
}

/// A place within one patch, away from its borders, where the gradient jumps.
fn within_a_patch(random: &mut Random, field: &HeightField) -> DVec2 {
    let patch = DVec2::new(
        random.below(field.columns - 1) as f64,
        random.below(field.rows - 1) as f64,
    );
    let share = random.point(DVec2::splat(0.05), DVec2::splat(0.95));
    field.origin + (patch + share) * field.spacing
}

#[test]
fn the_gradient_is_that_of_finite_differences_on_twisted_ground() {
    for seed in 0..cases(200) {
        let mut random = Random::new(seed);
        let field = twisted(&mut random);
        for _ in 0..20 {
            let p = within_a_patch(&mut random, &field);
            let step = 1e-4 * field.spacing;
            let slope = |along: DVec2| {
                (field.height(p + along * step) - field.height(p - along * step)) / (2.0 * step)
            };
            let expected = DVec2::new(slope(DVec2::X), slope(DVec2::Y));
            let found = field.gradient(p);
            assert!(
                found.distance(expected) < 1e-6 * (1.0 + expected.length()),
                "seed {seed}: {found} and {expected} at {p}"
            );
        }
    }
}

#[test]
fn heights_go_through_the_posts_and_are_bilinear_between_them() {
    for seed in 0..cases(200) {
        let mut random = Random::new(seed);
        let field = twisted(&mut random);
        for row in 0..field.rows {
            for column in 0..field.columns {
                let at = field.origin + DVec2::new(column as f64, row as f64) * field.spacing;
                let post = field.heights[row * field.columns + column];
                assert_eq!(field.post(column, row), post);
                assert!((field.height(at) - post).abs() < 1e-9, "seed {seed}");
                assert_eq!(field.lift(at).truncate(), at);
            }
        }
        let (low, high) = field.range();
        for _ in 0..20 {
            // Along an axis, in one patch, heights are on a straight line.
            let p = within_a_patch(&mut random, &field);
            for axis in [DVec2::X, DVec2::Y] {
                let reach = 0.04 * field.spacing;
                let ends = field.height(p - axis * reach) + field.height(p + axis * reach);
                assert!((ends / 2.0 - field.height(p)).abs() < 1e-9, "seed {seed}");
            }
            assert!((low..=high).contains(&field.height(p)));
            // Beyond the border it goes on level.
            let far = p + DVec2::X * 1e4;
            assert_eq!(field.height(far), field.height(far + DVec2::X * 17.0));
            assert_eq!(field.gradient(far), DVec2::ZERO);
        }
    }
}

#[test]
fn finer_posts_stand_on_the_same_ground() {
    for seed in 0..cases(100) {
        let mut random = Random::new(seed);
        let field = twisted(&mut random);
        let finer = field.resampled(field.bounds(), field.spacing / 4.0);
        for _ in 0..20 {
            let p = within_a_patch(&mut random, &field);
            let (was, is) = (field.height(p), finer.height(p));
            // Posts of the finer grid lie on the patch; between them it is twisted all the same.
            assert!(
                (was - is).abs() < 1e-6,
                "seed {seed}: {was} and {is} at {p}"
            );
        }
    }
}

#[test]
fn a_patch_changes_its_own_posts_and_no_others() {
    for seed in 0..cases(100) {
        let mut random = Random::new(seed);
        let field = twisted(&mut random);
        let columns = [0; 2].map(|_| random.below(field.columns));
        let rows = [0; 2].map(|_| random.below(field.rows));
        let columns = [columns[0].min(columns[1]), columns[0].max(columns[1]) + 1];
        let rows = [rows[0].min(rows[1]), rows[0].max(rows[1]) + 1];
        let raised = HeightField {
            heights: field.heights.iter().map(|height| height + 1.0).collect(),
            ..field.clone()
        };
        let patch = HeightPatch::of(&raised, columns, rows);
        let changed = field.patched(&patch).expect("it fits");
        for row in 0..field.rows {
            for column in 0..field.columns {
                let is_inside =
                    (columns[0]..columns[1]).contains(&column) && (rows[0]..rows[1]).contains(&row);
                let expected = field.post(column, row) + f64::from(u8::from(is_inside));
                assert_eq!(changed.post(column, row), expected, "seed {seed}");
            }
        }
    }
}
