//! Route following, against the polygons as drawn and against the paper's rules.

mod candidates;
mod random_scenes;
mod recovery;
mod routes;
mod strides;
mod walls;

use super::*;
use crate::base::{Colour, EntityId};
use crate::document::{
    Edit, Entity, Kind, Level, Obstacle, Pattern, Profile, Region, Settings as LevelSettings,
    Terrain, ops,
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::corridor::segment_distance;
use crate::nav::terrain::{TerrainMap, Weights};
use crate::nav::{BakeRequest, NavBundle, NavData};
use crate::planner::{Guide, Path, PathRequest, Session, Step};
use glam::DVec2;

/// Free space is on a lattice of 1 mm, and its round corners have chords. Unit: metres.
const SLACK: f64 = 0.012;

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    Polygon::rect(Rect::new(DVec2::new(x0, y0), DVec2::new(x1, y1)))
}

fn p(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// Obstacles and painted ground, with a walker.
struct Scene {
    bounds: Rect,
    obstacles: Vec<Polygon>,
    /// Weights and areas, later ones on top; weight 1 everywhere else.
    painted: Vec<(f64, Polygon)>,
    nav: NavData,
}

impl Scene {
    fn new(side: f64, obstacles: Vec<Polygon>, painted: Vec<(f64, Polygon)>, radius: f64) -> Self {
        let bounds = Rect::new(DVec2::ZERO, DVec2::splat(side));
        let settings = LevelSettings {
            bounds,
            ..LevelSettings::default()
        };
        let mut edits = vec![Edit::Settings(settings.into())];
        let mut id = 0;
        let mut create = |kind: Kind| {
            id += 1;
            edits.push(Edit::create(EntityId::new(id), Entity::new("", kind)));
            EntityId::new(id)
        };
        for area in &obstacles {
            create(Kind::Obstacle(Obstacle::new(area.clone())));
        }
        for (weight, area) in &painted {
            let terrain = create(Kind::Terrain(Terrain {
                colour: Colour::hex(0x80_80_80),
                pattern: Pattern::Plain,
                weight: *weight,
            }));
            let area = area.clone();
            create(Kind::Region(Region { area, terrain }));
        }
        let level = ops::apply(&Level::default(), &edits).expect("a level");
        let request = BakeRequest::for_radius(std::sync::Arc::new(level), radius);
        let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
        Self {
            bounds,
            obstacles,
            painted,
            nav: bundle.nav(radius).expect("baked"),
        }
    }

    fn terrain(&self) -> &TerrainMap {
        self.nav.shared().terrain()
    }

    fn weights(&self) -> Weights {
        self.terrain().weights(&Profile::default()).0
    }

    fn radius(&self) -> f64 {
        self.nav.free().radius
    }

    /// Distance from a straight line to the nearest wall or border, by brute force over all edges.
    fn room(&self, a: DVec2, b: DVec2) -> f64 {
        let rim = Polygon::rect(self.bounds);
        self.obstacles
            .iter()
            .chain([&rim])
            .flat_map(Polygon::edges)
            .map(|(c, d)| segment_distance(a, b, c, d))
            .fold(f64::INFINITY, f64::min)
    }

    /// Cost of a straight line, by sampling the polygons every half centimetre.
    fn cost(&self, a: DVec2, b: DVec2) -> f64 {
        let count = (a.distance(b) / 0.005).ceil().max(1.0);
        let weight = |at: DVec2| {
            let top = self
                .painted
                .iter()
                .rev()
                .find(|(_, area)| area.contains(at));
            top.map_or(1.0, |(weight, _)| *weight)
        };
        let share = a.distance(b) / count;
        (0..count as usize)
            .map(|i| weight(a.lerp(b, (i as f64 + 0.5) / count)) * share)
            .sum()
    }

    fn request(
        &self,
        start: DVec2,
        goal: DVec2,
        route: Option<(&[DVec2], f64, f64)>,
    ) -> PathRequest {
        PathRequest {
            guide: route.map(|(line, look_ahead, sample_step)| Guide {
                line: line.into(),
                look_ahead,
                sample_step,
            }),
            ..PathRequest::new(start, goal)
        }
    }

    /// The path that MIRAN finds, and the session that found it.
    fn walk(&self, request: &PathRequest) -> (Option<Path>, MiranSession) {
        let mut session = MiranSession::new(Miran::default(), &self.nav, request);
        (found(&mut session), session)
    }

    /// Sessions of both methods.
    fn sessions(&self, request: &PathRequest) -> [Box<dyn Session>; 2] {
        [
            Box::new(MiranSession::new(Miran::default(), &self.nav, request)),
            Box::new(IrmSession::new(Irm::default(), &self.nav, request)),
        ]
    }

    /// The walker never comes closer to walls than allowed, nor passes through them.
    fn assert_clear(&self, path: &Path, about: &str) {
        let line: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
        for pair in line.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let room = self.room(a, b);
            assert!(
                room >= self.radius() - SLACK,
                "{about}: {room} at {a} to {b}"
            );
            let middle = a.midpoint(b);
            let is_inside =
                |area: &Polygon| area.contains(middle) && area.distance_to_edge(middle) > SLACK;
            assert!(!self.obstacles.iter().any(is_inside), "{about}: {middle}");
            // A point may touch walls, but not be on both sides of one.
            for (c, d) in self.obstacles.iter().flat_map(Polygon::edges) {
                assert!(
                    !passes_through(a, b, c, d),
                    "{about}: {a} to {b} through {c} to {d}"
                );
            }
        }
    }
}

/// Whether two segments cross, both of them by more than the lattice explains.
fn passes_through(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let away =
        |p: DVec2, from: DVec2, to: DVec2| (to - from).normalize_or_zero().perp_dot(p - from);
    let apart = |p: f64, q: f64| p * q < 0.0 && p.abs().min(q.abs()) > 0.003;
    apart(away(a, c, d), away(b, c, d)) && apart(away(c, a, b), away(d, a, b))
}

fn found(session: &mut dyn Session) -> Option<Path> {
    match session.step(usize::MAX) {
        Step::Done(path) => Some(path),
        _ => None,
    }
}

fn reason(session: &dyn Session) -> String {
    let explained = session.explain(&JobContext::default());
    explained.expect("not cancelled").reason
}

/// A drawn route without faults.
fn route(points: &[(f64, f64)], look_ahead: f64, sample_step: f64) -> IndicativeRoute {
    let points = points.iter().map(|&p| DVec2::from(p));
    let (route, faults) = IndicativeRoute::new(points, look_ahead, sample_step, PartKind::Drawn);
    assert_eq!(faults, []);
    route
}

/// Never skips more than σ at once, and the attraction point is at most σ ahead.
fn assert_within_look_ahead(walked: &Walked, look_ahead: f64) {
    for pair in walked.along.windows(2) {
        let skipped = pair[1][0] - pair[0][0];
        assert!(skipped <= look_ahead + 1e-9, "{skipped} of {look_ahead}");
    }
    for [reference, attraction] in &walked.along {
        let ahead = attraction - reference;
        assert!(
            (0.0..=look_ahead + 1e-9).contains(&ahead),
            "{ahead} of {look_ahead}"
        );
    }
}
