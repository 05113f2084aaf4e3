//! Rooms: what walls enclose.

use super::model::Level;
use crate::geometry::Polygon;
use crate::geometry::boolean::{difference, union};

/// The floor of every room: enclosed by walls, whose doors count as closed, without what stands in
/// it. Not limited to visible walls.
#[must_use]
pub fn rooms(level: &Level) -> Vec<Polygon> {
    let bodies: Vec<Polygon> = level.walls().flat_map(|(.., wall)| wall.body()).collect();
    let united = union(&bodies);
    let enclosed: Vec<Polygon> = united
        .iter()
        .flat_map(|body| &body.holes)
        .map(|hole| Polygon::new(hole.clone()).normalised())
        .collect();
    difference(&enclosed, &united)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::document::{Edit, Entity, Kind, Wall, ops};
    use glam::DVec2;

    fn level(walls: &[(&[(f64, f64)], bool)]) -> Level {
        let edits: Vec<Edit> = (1..)
            .map(EntityId::new)
            .zip(walls)
            .map(|(id, (line, closed))| {
                let wall = Wall {
                    closed: *closed,
                    ..Wall::new(line.iter().map(|p| DVec2::from(*p)).collect())
                };
                Edit::create(id, Entity::new("", Kind::Wall(wall)))
            })
            .collect();
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    #[test]
    fn a_wall_across_a_house_makes_two_rooms() {
        let house: &[(f64, f64)] = &[(0.0, 0.0), (10.2, 0.0), (10.2, 5.2), (0.0, 5.2)];
        let level = level(&[(house, true), (&[(5.1, 0.0), (5.1, 5.2)], false)]);
        let mut areas: Vec<f64> = rooms(&level).iter().map(Polygon::area).collect();
        areas.sort_by(f64::total_cmp);
        assert_eq!(areas.len(), 2);
        assert!(
            areas.iter().all(|area| (area - 4.9 * 5.0).abs() < 1e-6),
            "{areas:?}"
        );
    }

    #[test]
    fn a_wall_that_does_not_close_makes_no_room() {
        let level = level(&[(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0)], false)]);
        assert_eq!(rooms(&level), []);
    }

    #[test]
    fn a_core_in_a_room_is_no_part_of_its_floor() {
        let outer: &[(f64, f64)] = &[(0.0, 0.0), (20.2, 0.0), (20.2, 20.2), (0.0, 20.2)];
        let inner: &[(f64, f64)] = &[(8.0, 8.0), (10.0, 8.0), (10.0, 10.0), (8.0, 10.0)];
        let level = level(&[(outer, true), (inner, true)]);
        let mut areas: Vec<f64> = rooms(&level).iter().map(Polygon::area).collect();
        areas.sort_by(f64::total_cmp);
        assert_eq!(areas.len(), 2, "the core is hollow");
        assert!((areas[0] - 1.8 * 1.8).abs() < 1e-6);
        assert!((areas[1] - (400.0 - 2.2 * 2.2)).abs() < 1e-6);
    }
}
