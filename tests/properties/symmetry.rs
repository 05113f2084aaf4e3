//! A level seen in a mirror or turned by a quarter: everything that is derived from it turns along.
//! What treats x unlike y, left unlike right or up unlike down by mistake does not.

use crate::cases;
use glam::DVec2;
use std::slice::from_ref;
use std::sync::Arc;
use wayloom::base::{EntityId, Random};
use wayloom::document::{
    Edit, Entity, Kind, Level, Obstacle, Pattern, PlannerId, Region, Settings, Terrain, ops,
};
use wayloom::geometry::offset::{Join, grow};
use wayloom::geometry::visibility::{View, visible};
use wayloom::geometry::{Polygon, Polyline, Rect, boolean, curve, hull, simplify, triangulation};
use wayloom::jobs::JobContext;
use wayloom::nav::{BakeRequest, NavBundle, Needs};
use wayloom::planner::{Answer, PathRequest, registry};

/// One of the eight symmetries of the square, about the origin; exact in any coordinates.
#[derive(Clone, Copy, Debug)]
struct Mirror(usize);

impl Mirror {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    fn of(self, p: DVec2) -> DVec2 {
        let p = if self.0 & 1 == 0 { p } else { p.perp() };
        let p = if self.0 & 2 == 0 { p } else { -p };
        if self.0 & 4 == 0 {
            p
        } else {
            DVec2::new(-p.x, p.y)
        }
    }

    fn polygon(self, polygon: &Polygon) -> Polygon {
        polygon.clone().map(|p| self.of(p)).normalised()
    }

    fn rect(self, rect: Rect) -> Rect {
        Rect::spanning(self.of(rect.min), self.of(rect.max))
    }
}

/// On the millimetre, so that nothing is rounded on the way.
fn place(random: &mut Random, reach: f64) -> DVec2 {
    let p = random.point(DVec2::splat(-reach), DVec2::splat(reach));
    (p * 1000.0).round() / 1000.0
}

fn shape(random: &mut Random, reach: f64, size: f64) -> Polygon {
    let at = place(random, reach);
    let sides = 3 + random.below(5);
    let radius = random.range(0.3 * size, size);
    let round = Polygon::regular(at, radius, sides, random.range(0.0, 6.0));
    round.map(|p| (p * 1000.0).round() / 1000.0)
}

fn area(polygons: &[Polygon]) -> f64 {
    polygons.iter().map(Polygon::area).sum()
}

fn is_near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + b.abs())
}

#[test]
fn shapes_turn_along() {
    for seed in 0..cases(60) {
        let mut random = Random::new(seed);
        let [a, b] = [0; 2].map(|_| shape(&mut random, 4.0, 5.0));
        let line: Vec<DVec2> = (0..7).map(|_| place(&mut random, 9.0)).collect();
        let p = place(&mut random, 9.0);
        let facing = random.range(-3.0, 3.0);
        let view = View {
            eye: p,
            range: 7.0,
            facing,
            angle: 2.0,
        };
        let seen = visible(&view, b.edges());
        for mirror in Mirror::all() {
            let about = format!("seed {seed}, {mirror:?}");
            let (a2, b2) = (mirror.polygon(&a), mirror.polygon(&b));
            let line2: Vec<DVec2> = line.iter().map(|p| mirror.of(*p)).collect();
            let p2 = mirror.of(p);
            assert!(is_near(a2.area(), a.area(), 1e-9), "{about}");
            assert!(
                a2.centroid().distance(mirror.of(a.centroid())) < 1e-9,
                "{about}"
            );
            assert_eq!(a2.bounds(), mirror.rect(a.bounds()), "{about}");
            assert_eq!(a2.contains(p2), a.contains(p), "{about}");
            assert!(is_near(
                a2.distance_to_edge(p2),
                a.distance_to_edge(p),
                1e-9
            ));
            // Crossings are rounded to the millimetre, halves to one side.
            for combine in [boolean::difference, boolean::intersection, boolean::xor] {
                let [was, is] = [
                    combine(from_ref(&a), from_ref(&b)),
                    combine(from_ref(&a2), from_ref(&b2)),
                ];
                assert!(is_near(area(&is), area(&was), 5e-3), "{about}");
                assert_eq!(is.len(), was.len(), "{about}");
            }
            for distance in [0.7, -0.4] {
                let join = Join::Miter { limit: 2.0 };
                let [was, is] = [&a, &a2].map(|area| grow(from_ref(area), distance, join));
                assert!(is_near(area(&is), area(&was), 5e-3), "{about}: {distance}");
            }
            let pieces =
                [(&a, &line), (&a2, &line2)].map(|(area, line)| boolean::split(area, line));
            assert_eq!(pieces[0].len(), pieces[1].len(), "{about}");
            let flat = [&a, &a2].map(|area| triangulation::Triangulation::of_polygon(area).area());
            assert!(is_near(flat[0], flat[1], 1e-9), "{about}");
            assert_eq!(
                hull::convex_hull(line2.iter().copied()).len(),
                hull::convex_hull(line.iter().copied()).len(),
                "{about}"
            );
            let short = simplify::simplified(&line, 1.5);
            let short2 = simplify::simplified(&line2, 1.5);
            let turned: Vec<DVec2> = short.iter().map(|p| mirror.of(*p)).collect();
            assert_eq!(short2, turned, "{about}");
            let [was, is] = [&line, &line2].map(|line| Polyline::new(line.iter().copied()));
            let (was, is) = (
                was.closest(p).expect("points"),
                is.closest(p2).expect("points"),
            );
            assert!(is.point.distance(mirror.of(was.point)) < 1e-9, "{about}");
            let [was, is] = [&line, &line2].map(|line| curve::smooth_handles(line, true));
            for (was, is) in was.iter().zip(&is) {
                assert!(is.before.distance(mirror.of(was.before)) < 1e-9, "{about}");
                assert!(is.after.distance(mirror.of(was.after)) < 1e-9, "{about}");
            }
            let seen2 = visible(
                &View {
                    eye: p2,
                    facing: mirror.of(DVec2::from_angle(facing)).to_angle(),
                    ..view
                },
                b2.edges(),
            );
            let areas = [&seen, &seen2].map(|seen| seen.as_ref().map_or(0.0, Polygon::area));
            assert!(is_near(areas[0], areas[1], 0.02), "{about}: {areas:?}");
        }
    }
}

const TERRAIN: EntityId = EntityId::new(1);

struct Scene {
    bounds: Rect,
    obstacles: Vec<Polygon>,
    mud: Vec<Polygon>,
}

impl Scene {
    fn random(random: &mut Random) -> Self {
        Self {
            bounds: Rect::new(DVec2::new(-11.0, -9.0), DVec2::new(12.0, 10.0)),
            obstacles: (0..7).map(|_| shape(random, 9.0, 2.5)).collect(),
            mud: (0..3).map(|_| shape(random, 8.0, 4.0)).collect(),
        }
    }

    fn level(&self, mirror: Mirror) -> Level {
        let colour = wayloom::base::Colour::hex(0x44_33_22);
        let mud = Terrain::new(colour, Pattern::ALL[0], 4.0);
        let mut edits = vec![
            Edit::Settings(Arc::new(Settings {
                bounds: mirror.rect(self.bounds),
                ..Settings::default()
            })),
            Edit::create(TERRAIN, Entity::new("Mud", Kind::Terrain(mud))),
        ];
        let areas = self.obstacles.iter().map(|area| (area, true));
        let areas = areas.chain(self.mud.iter().map(|area| (area, false)));
        for ((area, is_obstacle), number) in areas.zip(2..) {
            let area = mirror.polygon(area);
            let kind = if is_obstacle {
                Kind::Obstacle(Obstacle::new(area))
            } else {
                Kind::Region(Region {
                    area,
                    terrain: TERRAIN,
                })
            };
            edits.push(Edit::create(EntityId::new(number), Entity::new("", kind)));
        }
        ops::apply(&Level::default(), &edits).expect("valid")
    }
}

fn baked(level: Level, radius: f64) -> NavBundle {
    let request = BakeRequest {
        needs: Needs::CORRIDORS | Needs::TERRAIN,
        ..BakeRequest::for_radius(Arc::new(level), radius)
    };
    NavBundle::bake(request, &JobContext::default()).expect("not cancelled")
}

/// Length of the path, `None` without one.
fn planned(
    nav: &NavBundle,
    radius: f64,
    planner: PlannerId,
    from: DVec2,
    to: DVec2,
) -> Option<f64> {
    let nav = nav.nav(radius).expect("baked for it");
    let request = PathRequest::new(from, to);
    match registry::plan(planner, &nav, &request, &JobContext::default()) {
        Ok(Answer::Found(path)) => Some(path.length),
        Ok(Answer::NotFound(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn navigation_and_paths_turn_along() {
    let mut compared = 0;
    for seed in 0..cases(6) {
        let mut random = Random::new(seed);
        let scene = Scene::random(&mut random);
        let radius = 0.4;
        let plain = baked(scene.level(Mirror(0)), radius);
        let space = plain.space(radius).expect("baked for it");
        let probes: Vec<DVec2> = (0..60).map(|_| place(&mut random, 9.0)).collect();
        let trips: Vec<[DVec2; 2]> = (0..8)
            .map(|_| [0; 2].map(|_| place(&mut random, 9.0)))
            .collect();
        for mirror in Mirror::all().skip(1) {
            let about = format!("seed {seed}, {mirror:?}");
            let turned = baked(scene.level(mirror), radius);
            let other = turned.space(radius).expect("baked for it");
            let areas = [&space.free.areas, &other.free.areas].map(|areas| area(areas));
            assert!(is_near(areas[0], areas[1], 1e-4), "{about}: {areas:?}");
            assert_eq!(space.free.areas.len(), other.free.areas.len(), "{about}");
            for &p in &probes {
                let q = mirror.of(p);
                let [was, is] = [(space, p), (other, q)].map(|(space, p)| space.free.clearance(p));
                assert!(
                    (was - is).abs() < 1e-9,
                    "{about}: clearance {was} and {is} at {p}"
                );
                if (was - radius).abs() > 0.01 {
                    let is_free = space.free.contains(p);
                    assert_eq!(other.free.contains(q), is_free, "{about}: {p}");
                    assert_eq!(other.merged.locate(q).is_some(), is_free, "{about}: {p}");
                }
                let to_border = scene.mud.iter().chain(&scene.obstacles);
                let to_border = to_border.map(|area| area.distance_to_edge(p));
                if to_border.fold(f64::INFINITY, f64::min) > 0.01 {
                    let kinds =
                        [(&plain, p), (&turned, q)].map(|(nav, p)| nav.terrain().kind_at(p));
                    assert_eq!(kinds[0], kinds[1], "{about}: terrain at {p}");
                }
            }
            let corridors = [&plain, &turned].map(|nav| {
                let map = &nav.corridors().expect("small").map;
                let clearance = map
                    .samples()
                    .iter()
                    .map(|s| s.clearance)
                    .fold(0.0, f64::max);
                (map.vertices().len(), clearance)
            });
            assert!(
                is_near(corridors[0].1, corridors[1].1, 1e-3),
                "{about}: {corridors:?}"
            );
            for &[from, to] in &trips {
                for (planner, tolerance) in [
                    (PlannerId::OPTIMAL, 1e-3),
                    (PlannerId::PORTAL, 0.25),
                    (PlannerId::CORRIDOR, 0.1),
                    (PlannerId::MIRAN, 0.35),
                ] {
                    let was = planned(&plain, radius, planner, from, to);
                    let is = planned(&turned, radius, planner, mirror.of(from), mirror.of(to));
                    let about = format!("{about}: {planner:?} from {from} to {to}");
                    // At the very border of free space rounding decides.
                    let margin = [from, to].map(|p| (space.free.clearance(p) - radius).abs());
                    if margin[0].min(margin[1]) < 0.01 {
                        continue;
                    }
                    assert_eq!(was.is_some(), is.is_some(), "{about}");
                    if let (Some(was), Some(is)) = (was, is) {
                        assert!(is_near(is, was, tolerance), "{about}: {was} m and {is} m");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 100, "only {compared} paths were compared");
}
