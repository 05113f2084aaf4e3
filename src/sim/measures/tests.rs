use super::*;
use crate::base::Random;
use crate::geometry::{Polygon, Rect};
use glam::DVec2;
use proptest::prelude::*;

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
}

fn frames(tracks: &[Vec<DVec2>]) -> Frames {
    let longest = tracks.iter().map(Vec::len).max().unwrap_or(0);
    let frame = |i: usize| {
        let position = |(id, track): (usize, &Vec<DVec2>)| {
            Some(Position {
                id: id as u32,
                at: *track.get(i)?,
            })
        };
        tracks.iter().enumerate().filter_map(position).collect()
    };
    Frames {
        interval: 0.1,
        first: 0,
        frames: (0..longest).map(frame).collect(),
    }
}

#[test]
fn each_person_is_counted_once_at_a_line() {
    let walk = |y: f64, from: f64, speed: f64| -> Vec<DVec2> {
        (0..50)
            .map(|i| DVec2::new(from + speed * 0.1 * f64::from(i), y))
            .collect()
    };
    let mut back = walk(1.0, 0.05, 1.0);
    back.extend(walk(1.0, 5.0, -1.0));
    let people = frames(&[
        walk(0.5, 0.0, 1.0),
        back,
        walk(9.0, 0.0, 1.0),
        walk(0.2, 4.0, -1.0),
    ]);
    let line = [DVec2::new(2.0, 0.0), DVec2::new(2.0, 3.0)];
    let found = crossings(&people, line);
    let who: Vec<(u32, usize, bool)> = found
        .iter()
        .map(|c| (c.id, c.frame, c.is_rightwards))
        .collect();
    // Two come to lie on the line at their twentieth step, and have crossed it one later.
    assert_eq!(who, [(1, 20, true), (0, 21, true), (3, 21, false)]);
    assert!((found[0].speed - 1.0).abs() < 1e-9);
    assert_eq!(flow(&found[..1], 0.1), None);
}

#[test]
fn density_and_speed_in_an_area_are_those_of_who_is_inside() {
    let tracks: Vec<Vec<DVec2>> = (0..4)
        .map(|i| {
            let y = f64::from(i);
            (0..30)
                .map(|t| DVec2::new(0.12 * f64::from(t), y))
                .collect()
        })
        .collect();
    let people = frames(&tracks);
    let area = rect(1.0, -0.5, 2.0, 1.5);
    assert_eq!(classic_density(&people.frames[12], &area), 1.0);
    assert_eq!(classic_density(&people.frames[0], &area), 0.0);
    let speed = mean_speed(&people, 12, &area, 5).expect("somebody is inside");
    assert!((speed - 1.2).abs() < 1e-9);
    assert_eq!(mean_speed(&people, 0, &area, 5), None);
    assert_eq!(Fruin::Walkway.level(0.2), LevelOfService::A);
    assert_eq!(Fruin::Walkway.level(3.0), LevelOfService::F);
    assert_eq!(Fruin::Queue.level(3.0), LevelOfService::D);
}

#[test]
fn people_on_a_lattice_have_its_density() {
    let frame: Vec<Position> = (0..100)
        .map(|i| Position {
            id: i,
            at: DVec2::new(
                f64::from(i % 10) * 0.5 + 0.25,
                f64::from(i / 10) * 0.5 + 0.25,
            ),
        })
        .collect();
    let walkable = Walkable::new(&[rect(0.0, 0.0, 5.0, 5.0)]);
    let cells = cells_of(&frame, &walkable, None, None);
    let density = voronoi_density(&cells, &rect(1.1, 1.3, 3.4, 2.9).outer);
    assert!((density - 4.0).abs() < 1e-9, "{density}");
    // One person alone in a room has all of it, or the disc of the cut-off.
    let alone = [Position {
        id: 0,
        at: DVec2::splat(2.5),
    }];
    let whole = cells_of(&alone, &walkable, None, None);
    let room = rect(0.0, 0.0, 5.0, 5.0).outer;
    assert!((voronoi_density(&whole, &room) - 1.0 / 25.0).abs() < 1e-12);
    let near = rect(2.3, 2.3, 2.7, 2.7).outer;
    let cut = cells_of(&alone, &walkable, Some(CutOff::default()), None);
    let twelve_sides = 3.0 * 0.8 * 0.8;
    assert!((voronoi_density(&cut, &near) - 1.0 / twelve_sides).abs() < 1e-9);
}

#[test]
fn a_wall_cuts_a_cell_off() {
    // Two rooms with a wall between them, open at the top.
    let mut polygon = rect(0.0, 0.0, 4.0, 4.0);
    polygon.holes.push(rect(1.9, 0.5, 2.1, 3.0).outer);
    let walkable = Walkable::new(&[polygon]);
    let alone = [Position {
        id: 0,
        at: DVec2::new(1.5, 1.5),
    }];
    let cut_off = Some(CutOff {
        radius: 0.8,
        quarter: 8,
    });
    let cells = cells_of(&alone, &walkable, cut_off, None);
    let behind = rect(2.1, 0.5, 4.0, 3.0).outer;
    assert_eq!(voronoi_density(&cells, &behind), 0.0);
}

proptest! {
    #[test]
    fn cells_share_the_ground_and_each_point_belongs_to_the_nearest(
        seed in any::<u64>(),
        count in 1_u32..30,
    ) {
        let mut random = Random::new(seed);
        let frame: Vec<Position> = (0..count)
            .map(|id| Position { id, at: random.point(DVec2::ZERO, DVec2::splat(6.0)) })
            .collect();
        let walkable = Walkable::new(&[rect(0.0, 0.0, 6.0, 6.0)]);
        let cells = cells_of(&frame, &walkable, None, None);
        let density = voronoi_density(&cells, &rect(0.0, 0.0, 6.0, 6.0).outer);
        prop_assert!((density - f64::from(count) / 36.0).abs() < 1e-9);
        for _ in 0..50 {
            let p = random.point(DVec2::ZERO, DVec2::splat(6.0));
            let nearest = frame
                .iter()
                .min_by(|a, b| a.at.distance(p).total_cmp(&b.at.distance(p)))
                .expect("somebody is there");
            let square = rect(p.x - 1e-4, p.y - 1e-4, p.x + 1e-4, p.y + 1e-4).outer;
            let own = std::slice::from_ref(&cells[nearest.id as usize]);
            let gap = frame
                .iter()
                .filter(|other| other.id != nearest.id)
                .map(|other| other.at.distance(p) - nearest.at.distance(p))
                .fold(f64::INFINITY, f64::min);
            if gap > 1e-3 && p.min_element() > 1e-3 && p.max_element() < 6.0 - 1e-3 {
                prop_assert!(voronoi_density(own, &square) > 0.0);
            }
        }
    }
}
