//! Levels that planners have failed on: slivers and wedge tips, walls thinner than a finger, doors
//! hardly wider than a body, corners that touch, and shapes that wind.

use glam::DVec2;
use wayloom::base::Random;

/// Side of every level. Unit: metres.
pub const SIZE: f64 = 20.0;

pub const KINDS: [&str; 6] = [
    "stars",
    "slivers",
    "thin walls",
    "doors",
    "touching",
    "winding",
];

/// Rings of one level; some may overlap.
pub fn draw(kind: usize, random: &mut Random) -> Vec<Vec<DVec2>> {
    match kind {
        0 => (0..3 + random.below(8)).map(|_| star(random)).collect(),
        1 => (0..4 + random.below(8)).map(|_| sliver(random)).collect(),
        2 => (0..4 + random.below(8))
            .map(|_| thin_wall(random))
            .collect(),
        3 => doors(random),
        4 => touching(random),
        _ => (0..1 + random.below(3)).map(|_| winding(random)).collect(),
    }
}

fn place(random: &mut Random) -> DVec2 {
    random.point(DVec2::splat(1.0), DVec2::splat(SIZE - 1.0))
}

fn rectangle(centre: DVec2, half: DVec2, turn: f64) -> Vec<DVec2> {
    let turn = DVec2::from_angle(turn);
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| centre + turn.rotate(half * DVec2::new(x, y)))
        .to_vec()
}

fn star(random: &mut Random) -> Vec<DVec2> {
    let (centre, corners) = (place(random), 3 + random.below(7));
    let size = random.range(0.3, 3.5);
    (0..corners)
        .map(|i| {
            let angle = std::f64::consts::TAU * i as f64 / corners as f64;
            centre + size * random.range(0.3, 1.0) * DVec2::from_angle(angle)
        })
        .collect()
}

/// A triangle with a tip as sharp as a needle.
fn sliver(random: &mut Random) -> Vec<DVec2> {
    let (base, tip) = (place(random), place(random));
    let across = (tip - base).perp().normalize_or_zero() * random.range(0.004, 0.06);
    vec![base - across, base + across, tip]
}

fn thin_wall(random: &mut Random) -> Vec<DVec2> {
    let half = DVec2::new(random.range(1.0, 7.0), random.range(0.0015, 0.02));
    let turn = if random.chance(0.4) {
        std::f64::consts::FRAC_PI_2 * random.below(2) as f64
    } else {
        random.range(0.0, std::f64::consts::PI)
    };
    rectangle(place(random), half, turn)
}

/// A wall from side to side with one or two gaps; play follows from the radius.
fn doors(random: &mut Random) -> Vec<Vec<DVec2>> {
    let mut rings = Vec::new();
    for index in 0..1 + random.below(2) {
        let x = 6.0 + 7.0 * index as f64 + random.range(-1.5, 1.5);
        let thick = random.range(0.05, 2.0);
        let width = random.range(0.05, 1.3);
        let y = random.range(2.0, SIZE - 3.0);
        let wall = |low: f64, high: f64| {
            let middle = DVec2::new(x, f64::midpoint(low, high));
            rectangle(middle, DVec2::new(thick * 0.5, (high - low) * 0.5), 0.0)
        };
        rings.push(wall(-1.0, y));
        rings.push(wall(y + width, SIZE + 1.0));
    }
    rings.push(star(random));
    rings
}

/// Squares of a board that meet in corners and along sides.
fn touching(random: &mut Random) -> Vec<Vec<DVec2>> {
    let side = random.range(1.0, 3.0);
    let corner = random.point(DVec2::splat(2.0), DVec2::splat(6.0));
    let mut rings = Vec::new();
    for y in 0..4 {
        for x in 0..4 {
            if random.chance(0.5) {
                let at = corner + side * DVec2::new(f64::from(x), f64::from(y));
                rings.push(rectangle(at, DVec2::splat(side * 0.5), 0.0));
            }
        }
    }
    rings
}

/// A band that turns inwards: a spiral or a comb.
fn winding(random: &mut Random) -> Vec<DVec2> {
    let centre = random.point(DVec2::splat(6.0), DVec2::splat(SIZE - 6.0));
    let thick = random.range(0.02, 0.5);
    let gap = random.range(0.4, 1.5);
    let turns = 6 + random.below(10);
    let first = random.range(0.0, std::f64::consts::TAU);
    let at = |i: usize, out: f64| {
        let radius = 0.6 + (thick + gap) * i as f64 / 8.0 + out;
        let angle = first + std::f64::consts::TAU * i as f64 / 8.0;
        centre + radius * DVec2::from_angle(angle)
    };
    let inner = (0..=turns).map(|i| at(i, 0.0));
    let outer = (0..=turns).rev().map(|i| at(i, thick));
    outer.chain(inner).collect()
}
