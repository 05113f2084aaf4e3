//! Searches against each other and against Dijkstra's, on random worlds that change.

use super::ad_star::AdStar;
use super::astar::AStar;
use super::domain::{Changed, Domain, Ground};
use super::graph::Graph;
use super::runs::Density;
use crate::base::{EntityId, Random};
use crate::document::template::{Options, Template};
use crate::document::{Edit, Entity, Kind, KindName, Level, Obstacle, ops};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::constraint::{Field, FieldRule, Highways, Lattice, Region, Term, Triangles};
use crate::nav::voxel::Borders;
use crate::nav::voxel::test_world::cases;
use crate::nav::{BakeRequest, NavBundle};
use crate::planner::session::Progress;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

const RADIUS: f64 = 0.3;
const SIZE: f64 = 15.0;

/// One state of a world: free space in all of its forms.
struct Place {
    bundle: NavBundle,
    lattice: Arc<Lattice>,
    highways: Arc<Highways>,
}

impl Place {
    fn of_walls(walls: &[Rect], spacing: f64) -> Self {
        let mut settings = (**Level::default().settings()).clone();
        settings.bounds = Rect::new(DVec2::ZERO, DVec2::splat(SIZE));
        let wall = |rect: &Rect| Kind::Obstacle(Obstacle::new(Polygon::rect(*rect)));
        let mut edits = vec![Edit::Settings(Arc::new(settings))];
        edits.extend(
            walls
                .iter()
                .zip(1..)
                .map(|(rect, id)| Edit::create(EntityId::new(id), Entity::new("", wall(rect)))),
        );
        let level = ops::apply(&Level::default(), &edits).expect("valid");
        let ctx = JobContext::default();
        let request = BakeRequest::for_radius(Arc::new(level), RADIUS);
        let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
        let nav = bundle.nav(RADIUS).expect("baked");
        let lattice = Lattice::plane(nav.bounds(), nav.cells(), spacing, &ctx);
        let lattice = Arc::new(lattice.expect("not cancelled"));
        let triangles = Triangles::build(nav.free(), nav.cells(), None);
        let highways = Arc::new(Highways::over(&lattice, &triangles));
        Self {
            bundle,
            lattice,
            highways,
        }
    }

    /// The stairs, with a crate at one of two places.
    fn of_stairs(x: f64) -> Self {
        let level = Template::Stairs.build(&Options::default()).expect("drawn");
        let id = level
            .find(KindName::Solid, "Crate on the balcony")
            .expect("drawn");
        let mut entity = (**level.get(id).expect("drawn")).clone();
        if let Kind::Solid(solid) = &mut entity.kind {
            solid.position.x += x;
        }
        let level = ops::apply(&level, &[Edit::replace(id, entity)]).expect("valid");
        let ctx = JobContext::default();
        let profiles = level.iter().find_map(|(_, entity)| match &entity.kind {
            Kind::Profile(profile) => Some(profile.clone()),
            _ => None,
        });
        let bundle = NavBundle::bake(BakeRequest::of(Arc::new(level)), &ctx).expect("runs");
        let voxels = bundle.voxels().expect("small enough");
        let footing = voxels.footing(&profiles.expect("drawn"));
        let lattice =
            Lattice::storeys(voxels.surfaces(), &footing, 0.4, Borders::Avoid, &ctx).expect("runs");
        let highways = Arc::new(Highways::straight(&lattice));
        Self {
            lattice: Arc::new(lattice),
            highways,
            bundle,
        }
    }

    fn ground(&self, domain: usize, field: &Field) -> Ground {
        match domain {
            0 => Ground::Dense(Arc::clone(&self.lattice)),
            1 => Ground::Hybrid(Arc::clone(&self.lattice), Arc::clone(&self.highways)),
            2 => Ground::Adaptive(Arc::clone(&self.lattice), Density::PRINTED),
            3 => Ground::Adaptive(Arc::clone(&self.lattice), Density::OURS),
            _ => {
                let nav = self.bundle.nav(RADIUS).expect("baked");
                let triangles = Triangles::build(nav.free(), nav.cells(), Some(field));
                Ground::Triangles(Arc::new(triangles), 1.0)
            }
        }
    }

    fn free_point(&self, random: &mut Random) -> DVec3 {
        loop {
            let state = random.below(self.lattice.len()) as u32;
            if self.lattice.is_state(state) {
                let p = self.lattice.point(state);
                let near = p + (random.point(DVec2::splat(-0.3), DVec2::splat(0.3))).extend(0.0);
                let is_ok = self.lattice.is_free(p, near) && !self.lattice.around(near).is_empty();
                return if is_ok { near } else { p };
            }
        }
    }
}

fn random_term(random: &mut Random, key: u64, bounds: Rect) -> Term {
    let centre = random.point(bounds.min, bounds.max);
    let half = random.point(DVec2::splat(0.3), DVec2::splat(3.0));
    let rule = match random.below(8) {
        0..=3 => FieldRule::Near,
        4..=6 => FieldRule::In,
        _ => FieldRule::Forbidden,
    };
    let square = Polygon::rect(Rect::around(centre, half));
    Term {
        key,
        name: format!("term {key}").into(),
        rule,
        weight: random.range(-6.0, 4.0),
        region: Arc::new(Region::of_polygons(&[square])),
    }
}

/// W0 is a constant here: the weights of terms that come and go are below it.
fn field(terms: &[Term]) -> Arc<Field> {
    Arc::new(Field::new(terms.to_vec(), 12.0))
}

fn from_scratch(domain: &Domain) -> Option<f64> {
    let mut domain = domain.clone();
    let mut search = AStar::default();
    search.begin(&domain, domain.start(), domain.goal());
    let found = search.run(&mut domain, usize::MAX) == Progress::Found;
    found.then(|| search.cost(domain.goal()).expect("found"))
}

fn dijkstra(domain: &mut Domain) -> Option<f64> {
    let mut costs: BTreeMap<u32, f64> = BTreeMap::from([(domain.start(), 0.0)]);
    let mut done = std::collections::BTreeSet::new();
    loop {
        let open = costs.iter().filter(|(node, _)| !done.contains(*node));
        let (&node, &cost) = open.min_by(|a, b| a.1.total_cmp(b.1))?;
        if node == domain.goal() {
            return Some(cost);
        }
        done.insert(node);
        let mut found = Vec::new();
        domain.successors(node, |next, step| found.push((next, step)));
        for (next, step) in found {
            let known = costs.entry(next).or_insert(f64::INFINITY);
            *known = known.min(cost + step);
        }
    }
}

fn agrees(found: f64, exact: Option<f64>) -> bool {
    match exact {
        Some(exact) => (found - exact).abs() <= 1e-9 * exact,
        None => found.is_infinite(),
    }
}

/// Cost of a path, transition by transition.
fn cost_along(domain: &mut Domain, path: &[u32]) -> f64 {
    let mut sum = 0.0;
    for pair in path.windows(2) {
        let mut least = f64::INFINITY;
        domain.successors(pair[0], |next, cost| {
            if next == pair[1] {
                least = least.min(cost);
            }
        });
        sum += least;
    }
    sum
}

/// A path with what the search knows of it, for messages.
fn chain(domain: &mut Domain, search: &AdStar, path: &[u32]) -> Vec<String> {
    let known: BTreeMap<u32, _> = search
        .known()
        .map(|(_, node, g, _, how)| (node, (g, how)))
        .collect();
    path.windows(2)
        .map(|pair| {
            let cost = cost_along(domain, pair);
            let [(g, how), (next, _)] = [known[&pair[0]], known[&pair[1]]];
            format!("{} {how:?} {g} off by {:e}", pair[0], g - cost - next)
        })
        .collect()
}

/// One sequence of changes: after each, the repaired plan against one from scratch.
fn follow(random: &mut Random, places: &[Place], kind: usize) {
    let mut place = random.below(places.len());
    let bounds = (0..places[0].lattice.page_count())
        .map(|page| places[0].lattice.page_bounds(page))
        .fold(Rect::EMPTY, |all, page| all.union(&page));
    let mut keys = 0..;
    let mut next_key = || keys.next().expect("endless");
    let mut terms: Vec<Term> = (0..random.below(4))
        .map(|_| random_term(random, next_key(), bounds))
        .collect();
    let mut start = places[place].free_point(random);
    let goal = places[place].free_point(random);
    let mut now = field(&terms);
    let mut domain = Domain::new(&places[place].ground(kind, &now), &now, start, goal);
    let mut search = AdStar::default();
    search.begin(&domain, domain.start(), domain.goal(), 2.5);
    for change in 0..4 {
        if change > 0 {
            match random.below(6) {
                0 => terms.push(random_term(random, next_key(), bounds)),
                1 if !terms.is_empty() => {
                    terms.remove(random.below(terms.len()));
                }
                2 if !terms.is_empty() => {
                    let at = random.below(terms.len());
                    terms[at].weight = random.range(-6.0, 4.0);
                }
                3 => start = places[place].free_point(random),
                4 => place = random.below(places.len()),
                _ if !terms.is_empty() => {
                    let at = random.below(terms.len());
                    let moved = random_term(random, 0, bounds).region;
                    terms[at].region = moved;
                }
                _ => {}
            }
            now = field(&terms);
            let ground = places[place].ground(kind, &now);
            let changed = domain.update(&ground, &now, start);
            match changed {
                Changed::Everything => {
                    search.begin(&domain, domain.start(), domain.goal(), 2.5);
                }
                Changed::From(nodes) => {
                    search.costs_changed(&mut domain, &nodes);
                    search.start_moved(&mut domain);
                    let epsilon = [1.0, 1.5, 2.5][random.below(3)];
                    search.next_search(&domain, epsilon);
                }
            }
        }
        let mut fresh = Domain::new(&places[place].ground(kind, &now), &now, start, goal);
        let exact = from_scratch(&fresh);
        if change == 0 {
            let oracle = dijkstra(&mut fresh);
            assert!(
                agrees(exact.unwrap_or(f64::INFINITY), oracle),
                "{exact:?} {oracle:?}"
            );
        }
        loop {
            // Given up and taken up in the middle.
            while search.run(&mut domain, 1 + random.below(60)) == Progress::Running {}
            let epsilon = search.epsilon();
            let path = search.path();
            match exact {
                None => assert!(path.is_empty(), "domain {kind}: a path that is none"),
                Some(exact) => {
                    let along = cost_along(&mut domain, &path);
                    assert!(
                        along <= epsilon * exact * (1.0 + 1e-9),
                        "domain {kind}, change {change}: {along} with bound {epsilon} of {exact}"
                    );
                    assert!(along >= exact * (1.0 - 1e-9), "better than the best");
                    assert_eq!(path.last(), Some(&domain.goal()));
                }
            }
            if epsilon <= 1.0 {
                let cost = search.cost();
                assert!(
                    agrees(cost, exact),
                    "domain {kind}, change {change}: {cost} is not {exact:?}; {:?}",
                    chain(&mut domain, &search, &path)
                );
                break;
            }
            search.next_search(&domain, epsilon - 0.5);
        }
    }
}

#[test]
fn repaired_plans_in_the_plane_cost_what_plans_from_scratch_cost() {
    let mut random = Random::new(11);
    let worlds: Vec<Vec<Place>> = (0..4)
        .map(|_| {
            let mut walls: Vec<Rect> = (0..4)
                .map(|_| {
                    let centre = random.point(DVec2::ONE, DVec2::splat(SIZE - 1.0));
                    Rect::around(centre, random.point(DVec2::splat(0.2), DVec2::splat(2.5)))
                })
                .collect();
            let spacing = random.range(0.8, 1.3);
            (0..3)
                .map(|_| {
                    let by = random.point(DVec2::splat(-2.0), DVec2::splat(2.0));
                    walls[0] = Rect::new(walls[0].min + by, walls[0].max + by);
                    Place::of_walls(&walls, spacing)
                })
                .collect()
        })
        .collect();
    for case in 0..cases(900) {
        let mut random = Random::stream(1, case);
        let world = random.below(worlds.len());
        follow(&mut random, &worlds[world], case as usize % 5);
    }
}

#[test]
fn repaired_plans_across_storeys_cost_what_plans_from_scratch_cost() {
    let places = [0.0, 0.6].map(Place::of_stairs);
    for case in 0..cases(100) {
        let mut random = Random::stream(2, case);
        follow(&mut random, &places, case as usize % 4);
    }
}
