use super::*;
use crate::base::Random;
use proptest::prelude::*;

fn square(x: f64, y: f64, side: f64) -> Polygon {
    let low = DVec2::new(x, y);
    Polygon::rect(Rect::new(low, low + side))
}

fn room() -> Walls {
    let bounds = Rect::new(DVec2::ZERO, DVec2::new(20.0, 10.0));
    Walls::new(bounds, &[square(5.0, 4.0, 2.0), square(7.0, 4.0, 2.0)], 0.3)
}

#[test]
fn one_point_for_each_wall_and_none_at_joints() {
    let walls = room();
    let near = |x: f64, y: f64| {
        let mut found = Vec::new();
        walls.points_near(DVec2::new(x, y), 1.0, &mut found);
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        found
    };
    // Below the joint of the two obstacles, which form one wall.
    let below = near(7.0, 3.5);
    assert_eq!(below.len(), 1, "{below:?}");
    assert_eq!(
        (below[0].at, below[0].distance),
        (DVec2::new(7.0, 4.0), 0.5)
    );
    // Off a corner of the obstacle: one point. In the room's corner: two walls.
    assert_eq!(near(4.6, 3.7).len(), 1);
    assert_eq!(near(0.5, 0.4).len(), 2);
    assert!(near(10.0, 2.0).is_empty());
}

#[test]
fn the_nearest_wall_within_an_angle_is_that_of_many_rays() {
    let walls = room();
    let mut random = Random::new(3);
    for _ in 0..300 {
        let p = random.point(DVec2::splat(0.5), DVec2::new(19.5, 9.5));
        let direction = DVec2::from_angle(random.range(-3.1, 3.1));
        let found = walls.nearest_within(p, direction, [0.5, 0.75_f64.sqrt()], 30.0);
        let rays = (-200..=200).map(|i| {
            let turn = DVec2::from_angle(f64::from(i) * std::f64::consts::FRAC_PI_3 / 200.0);
            walls.ray(p, direction.rotate(turn), 30.0)
        });
        let nearest = rays.fold(30.0, f64::min);
        let found = found.expect("a wall is everywhere").distance(p);
        // Rays are a little apart, so the nearest of them is a little farther.
        assert!(found <= nearest + 1e-9 && found >= nearest - 0.02 * nearest - 0.01);
    }
}

#[test]
fn a_wall_within_an_angle_is_found_exactly_if_it_is_near_enough() {
    let mut random = Random::new(4);
    let (mut found_some, mut found_none) = (0, 0);
    for _ in 0..60 {
        let bounds = Rect::new(DVec2::ZERO, DVec2::new(60.0, 40.0));
        let parts: Vec<Polygon> = (0..random.below(6))
            .map(|_| {
                square(
                    random.range(2.0, 50.0),
                    random.range(2.0, 30.0),
                    random.range(0.2, 7.0),
                )
            })
            .collect();
        let walls = Walls::new(bounds, &parts, 0.3);
        for _ in 0..20 {
            let p = random.point(DVec2::splat(0.1), DVec2::new(59.9, 39.9));
            if parts.iter().any(|part| part.contains(p)) {
                continue;
            }
            let direction = DVec2::from_angle(random.range(-3.1, 3.1));
            let half = random.range(0.1, 1.4);
            let farthest = random.range(0.5, 30.0);
            let found = walls.nearest_within(p, direction, [half.cos(), half.sin()], farthest);
            let rays = (-400..=400).map(|i| {
                let turn = DVec2::from_angle(f64::from(i) * half / 400.0);
                walls.ray(p, direction.rotate(turn), 90.0)
            });
            let nearest = rays.fold(90.0, f64::min);
            match found {
                Some(at) => {
                    found_some += 1;
                    let off = direction.angle_to(at - p).abs();
                    assert!(off <= half + 1e-6, "{off} > {half}");
                    let distance = at.distance(p);
                    assert!(distance <= farthest && distance <= nearest + 1e-9);
                    assert!(
                        distance >= 0.98 * nearest - 0.01,
                        "{distance}, rays {nearest}"
                    );
                }
                None => {
                    found_none += 1;
                    assert!(nearest >= farthest, "{nearest} < {farthest} at {p}");
                }
            }
        }
    }
    assert!(
        found_some > 200 && found_none > 100,
        "{found_some}, {found_none}"
    );
}

#[test]
fn lines_of_sight_and_rays_stop_at_walls() {
    let walls = room();
    let p = |x: f64, y: f64| DVec2::new(x, y);
    assert!(!walls.is_clear(p(1.0, 5.0), p(15.0, 5.0), 0.1));
    assert!(walls.is_clear(p(1.0, 3.0), p(15.0, 3.0), 0.9));
    assert!(!walls.is_clear(p(1.0, 3.0), p(15.0, 3.0), 1.01));
    assert!((walls.ray(p(1.0, 5.0), DVec2::X, 50.0) - 4.0).abs() < 1e-12);
    assert_eq!(walls.ray(p(1.0, 5.0), DVec2::X, 2.0), 2.0);
    assert!(walls.separates(p(6.0, 3.9), p(6.0, 4.1)));
    assert!(!walls.separates(p(6.0, 3.5), p(6.5, 3.5)));
}

#[test]
fn a_body_slides_along_a_wall() {
    let walls = room();
    let from = DVec2::new(3.0, 0.3);
    let to = walls.advance(from, DVec2::new(0.1, -0.1), 0.3);
    assert!(to.distance(DVec2::new(3.1, 0.3)) < 1e-9, "{to}");
    let free = walls.advance(DVec2::new(10.0, 2.0), DVec2::new(0.5, 0.5), 0.3);
    assert_eq!(free, DVec2::new(10.5, 2.5));
}

proptest! {
    #[test]
    fn no_step_leads_into_or_through_a_wall(
        seed in any::<u64>(),
        count in 0_usize..12,
        radius in 0.05..0.5_f64,
        speed in 0.01..3.0_f64,
    ) {
        let mut random = Random::new(seed);
        let bounds = Rect::new(DVec2::ZERO, DVec2::splat(8.0));
        let obstacles: Vec<Polygon> = (0..count)
            .map(|_| {
                let at = random.point(DVec2::splat(-1.0), DVec2::splat(8.0));
                // Thin ones, too: thinner than a step.
                let size = DVec2::new(random.range(0.02, 2.0), random.range(0.02, 2.0));
                Polygon::rect(Rect::new(at, at + size))
            })
            .collect();
        let walls = Walls::new(bounds, &obstacles, radius);
        let is_free = |p: DVec2| bounds.contains(p) && !obstacles.iter().any(|o| o.contains(p));
        let brute = |p: DVec2| {
            let distances = walls.segments().map(|[a, b]| closest_on_segment(a, b, p).distance(p));
            distances.fold(f64::INFINITY, f64::min)
        };
        let start = (0..200)
            .map(|_| random.point(DVec2::ZERO, DVec2::splat(8.0)))
            .find(|p| is_free(*p) && brute(*p) >= radius);
        let Some(mut at) = start else { return Ok(()); };
        for _ in 0..200 {
            let step = random.point(DVec2::splat(-1.0), DVec2::splat(1.0)) * speed;
            let next = walls.advance(at, step, radius);
            prop_assert!(next.is_finite() && is_free(next), "{at} + {step} = {next}");
            prop_assert!(brute(next) >= radius - 1e-6, "{next}: {}", brute(next));
            prop_assert!(
                !walls.segments().any(|[a, b]| segment_distance(at, next, a, b) == 0.0),
                "{at} to {next}"
            );
            at = next;
        }
    }

    #[test]
    fn sight_and_clearance_agree_with_brute_force(
        seed in any::<u64>(),
        radius in 0.0..0.5_f64,
    ) {
        let mut random = Random::new(seed);
        let obstacles: Vec<Polygon> = (0..10)
            .map(|_| square(random.range(0.0, 30.0), random.range(0.0, 30.0), random.range(0.1, 4.0)))
            .collect();
        let walls = Walls::new(Rect::new(DVec2::ZERO, DVec2::splat(30.0)), &obstacles, 0.5);
        for _ in 0..50 {
            let p = random.point(DVec2::ZERO, DVec2::splat(30.0));
            let q = random.point(DVec2::ZERO, DVec2::splat(30.0));
            let nearest = walls
                .segments()
                .map(|[a, b]| segment_distance(p, q, a, b))
                .fold(f64::INFINITY, f64::min);
            prop_assert_eq!(walls.is_clear(p, q, radius), nearest >= radius);
            let clearance = walls
                .segments()
                .map(|[a, b]| closest_on_segment(a, b, p).distance(p))
                .fold(f64::INFINITY, f64::min);
            let found = walls.clearance(p);
            prop_assert!(found == clearance || clearance > walls.reach() && found >= clearance);
        }
    }
}
