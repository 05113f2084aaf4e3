//! Paths as a designer sees them: short, without needless turns, and off the walls.

use super::*;
use crate::document::template::{Options, Template};
use crate::document::{Action, Profile};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, NavData};
use crate::planner::{PathRequest, session};
use std::sync::Arc;

fn nav_of(template: Template, radius: f64) -> NavData {
    let level = template.build(&Options::default()).expect("a sample");
    let request = BakeRequest::for_radius(Arc::new(level), radius);
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
    bundle.nav(radius).expect("baked for it")
}

#[test]
fn paths_are_as_short_and_straight_as_the_shortest_and_keep_the_radius() {
    let profile = Arc::new(Profile::default());
    for template in [Template::Rooms, Template::Mckenna] {
        let nav = nav_of(template, profile.body.radius);
        let found = Naturalness::of(&nav, &profile, 40, 7, &JobContext::default());
        let found = found.expect("not cancelled");
        assert!(found.length_ratio() <= 1.01, "{template:?}: {found:?}");
        assert!(found.turning_ratio() <= 1.2, "{template:?}: {found:?}");
        // Where another side of an obstacle is nearly as short, the shortest path sets out elsewhere.
        assert!(found.hooks <= 2, "{template:?}: {found:?}");
        assert!(found.unlike == 0, "{template:?}: {found:?}");
        let kept = found.clearance + 0.01 >= profile.body.radius;
        assert!(kept, "{template:?}: {found:?}");
    }
}

/// Two floors of 4 m with a gap of this width between them, moved by a share of a cell, on cells of
/// 0.25 m; whether a body crosses it, and from where to where it leaps.
fn crossed(gap: f64, shift: f64, jump: f64) -> Option<[f64; 2]> {
    use crate::document::{Edit, Entity, Kind, Level, Settings, Solid, SolidShape, ops};
    use crate::geometry::Rect;
    use glam::{DVec2, DVec3};
    let middle = 5.0 + shift;
    let deck = |left: f64, right: f64| {
        let centre = DVec3::new(f64::midpoint(left, right), 2.0, 2.0);
        let size = DVec3::new(right - left, 4.0, 0.25);
        Entity::new(
            "Deck",
            Kind::Solid(Solid::new(SolidShape::Box, centre, size)),
        )
    };
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::new(10.0, 4.0)),
        has_ground: false,
        ..Settings::default()
    };
    let edits = [
        Edit::Settings(Arc::new(settings)),
        Edit::create(crate::base::EntityId::new(1), deck(0.0, middle - 0.5 * gap)),
        Edit::create(
            crate::base::EntityId::new(2),
            deck(middle + 0.5 * gap, 10.0),
        ),
    ];
    let level = ops::apply(&Level::default(), &edits).expect("valid");
    let mut profile = Profile::default();
    profile.body.jump = jump;
    profile.body.foot_span = 0.3;
    let profile = Arc::new(profile);
    let request = BakeRequest::for_radius(Arc::new(level), profile.body.radius);
    let bundle = NavBundle::bake(request, &JobContext::default()).expect("not cancelled");
    let nav = bundle.nav(profile.body.radius).expect("baked for it");
    let request = PathRequest {
        profile,
        ..PathRequest::in_space(DVec3::new(1.0, 2.0, 2.25), DVec3::new(9.0, 2.0, 2.25))
    };
    let answer = session::run(
        &mut HumanSession::new(&nav, &request),
        &JobContext::default(),
    );
    let answer = answer.expect("not cancelled");
    let path = answer.path()?;
    let at = path.actions.iter().position(|a| *a == Action::Jump)?;
    Some([path.points[at - 1].x, path.points[at].x])
}

#[test]
fn gaps_are_jumped_over_within_a_cell_of_their_width_and_from_the_ground() {
    let (jump, cell) = (0.75, 0.25);
    for shift in [0.0, 0.06, 0.11, 0.19] {
        for tenths in 1..14 {
            let gap = 0.1 * f64::from(tenths);
            let found = crossed(gap, shift, jump);
            if let Some([from, to]) = found {
                assert!(gap <= jump + cell, "{gap} m at {shift} is crossed");
                let (left, right) = (5.0 + shift - 0.5 * gap, 5.0 + shift + 0.5 * gap);
                assert!(
                    from <= left && to >= right,
                    "{gap} at {shift}: {from} to {to}"
                );
            } else if gap > 0.5 {
                assert!(gap >= jump - cell, "{gap} m at {shift} is not crossed");
            }
        }
    }
}
