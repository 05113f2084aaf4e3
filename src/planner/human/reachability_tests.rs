//! Reachability in small levels, against hand-computed and brute-force results.

use super::*;
use crate::base::EntityId;
use crate::document::{
    Agent, CellSize, Edit, Entity, Goal, Heading, Kind, Level, Mission, Obstacle, PlannerId,
    Profile, Settings, Solid, SolidShape, ops, tag,
};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::voxel::{Storey, SurfaceId, VoxelOptions};
use crate::nav::{BakeRequest, NavBundle};
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;
use std::sync::Arc;

const ADULT: EntityId = EntityId::new(1);
const WALKER: EntityId = EntityId::new(2);

fn solid(name: &str, at: DVec3, size: DVec3) -> Entity {
    Entity::new(name, Kind::Solid(Solid::new(SolidShape::Box, at, size)))
}

fn wall(name: &str, min: (f64, f64), max: (f64, f64)) -> Entity {
    let area = Polygon::rect(Rect::new(min.into(), max.into()));
    Entity::new(name, Kind::Obstacle(Obstacle::new(area)))
}

/// A room of 20 m × 10 m with an agent at its left end and some obstacles.
fn level(things: Vec<Entity>) -> Level {
    let mut mission = Mission::new(ADULT);
    mission.planner = PlannerId::HUMAN;
    mission.goals = vec![Goal::At(DVec3::new(18.0, 5.0, 0.0))];
    let walker = Kind::Agent(Agent {
        start: DVec3::new(2.0, 5.0, 0.0),
        heading: Heading::default(),
        mission,
    });
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::new(20.0, 10.0)),
        ..Settings::default()
    };
    let mut edits = vec![
        Edit::Settings(Arc::new(settings)),
        Edit::create(
            ADULT,
            Entity::new("Adult", Kind::Profile(Profile::default())),
        ),
        Edit::create(WALKER, Entity::new("Walker", walker)),
    ];
    for (id, thing) in (10..).zip(things) {
        edits.push(Edit::create(EntityId::new(id), thing));
    }
    ops::apply(&Level::default(), &edits).expect("valid")
}

fn chart_in(level: &Level, cell: f64) -> (VoxelReport, NavBundle) {
    let ctx = JobContext::default();
    let options = VoxelOptions {
        cells: Some(CellSize::Sides { cell, layer: 0.1 }),
        ..VoxelOptions::default()
    };
    let request = BakeRequest {
        options: Arc::new(options).into(),
        ..BakeRequest::of(Arc::new(level.clone()))
    };
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    let subject = Subject::of(level, [WALKER]);
    let chart = VoxelReport::of(&bundle, subject, &ctx)
        .expect("not cancelled")
        .expect("small enough");
    (chart, bundle)
}

fn told(level: &Level, chart: &VoxelReport, at: DVec3) -> CellAnswer {
    let told = chart
        .reachability
        .about_place(at, |id| level.label(id), &JobContext::default());
    told.expect("not cancelled")
}

#[test]
fn what_is_in_the_way_is_told_with_figures_and_names() {
    let level = level(vec![
        // A step of 0.35 m, forbidden ground, a beam at 1.2 m, and a standable surface behind a
        // gap.
        solid(
            "Plinth",
            DVec3::new(6.0, 2.0, 0.0),
            DVec3::new(2.0, 2.0, 0.35),
        ),
        solid(
            "Table 2",
            DVec3::new(10.0, 2.0, 0.0),
            DVec3::new(2.0, 2.0, 0.2),
        )
        .tagged(tag::FORBIDDEN),
        solid(
            "Beam",
            DVec3::new(14.0, 2.0, 1.2),
            DVec3::new(2.0, 2.0, 0.3),
        ),
    ]);
    let (chart, _) = chart_in(&level, 0.25);
    let plinth = told(&level, &chart, DVec3::new(6.0, 2.0, 0.35));
    assert!(!plinth.is_reached);
    assert_eq!(plinth.text, "step 0.35 m > 0.25 m at \"Plinth\"");
    assert_eq!(plinth.blocker(), Some(EntityId::new(10)));
    let table = told(&level, &chart, DVec3::new(10.0, 2.0, 0.2));
    assert_eq!(table.text, "forbidden \"Table 2\"");
    let beam = told(&level, &chart, DVec3::new(14.0, 2.0, 0.0));
    assert!(
        beam.text
            .starts_with("headroom 1.1 m < 1.3 m under \"Beam\""),
        "{}",
        beam.text
    );
    let free = told(&level, &chart, DVec3::new(18.0, 8.0, 0.0));
    assert!(free.is_reached && free.why.is_none());
    assert!(free.text.starts_with("reached, 16"), "{}", free.text);
    let outside = told(&level, &chart, DVec3::new(-50.0, 8.0, 0.0));
    assert_eq!(outside.text, "there is nothing to stand on");
}

#[test]
fn stairs_that_are_too_steep_are_to_blame_and_not_the_deck_that_they_lead_to() {
    let deck = SolidShape::Platform {
        thickness: 0.2,
        posts: 0.0,
    };
    let size = DVec3::new(4.0, 4.0, 3.0);
    let place = |shape: SolidShape, at: DVec3, size: DVec3, name: &str| {
        Entity::new(name, Kind::Solid(Solid::new(shape, at, size)))
    };
    let with_steps = |steps: u32| {
        let stairs = SolidShape::Stairs { steps };
        level(vec![
            place(deck.clone(), DVec3::new(13.0, 5.0, 0.0), size, "Deck"),
            // From 6 m on, up to the deck's edge at 11 m.
            place(
                stairs,
                DVec3::new(8.5, 5.0, 0.0),
                DVec3::new(5.0, 2.0, 3.0),
                "Stairs 1",
            ),
        ])
    };
    let on_deck = DVec3::new(14.0, 5.0, 3.0);
    let steep = with_steps(10);
    let (chart, _) = chart_in(&steep, 0.25);
    let answer = told(&steep, &chart, on_deck);
    assert!(!answer.is_reached);
    assert!(
        answer
            .text
            .starts_with("step 0.3 m > 0.25 m at \"Stairs 1\""),
        "{}",
        answer.text
    );
    let gentle = with_steps(15);
    let (chart, _) = chart_in(&gentle, 0.25);
    assert!(told(&gentle, &chart, on_deck).is_reached);
}

#[test]
fn a_gap_is_measured_as_it_is_crossed() {
    let blocks = || {
        let block =
            |name: &str, x: f64| solid(name, DVec3::new(x, 5.0, 0.0), DVec3::new(4.0, 4.0, 1.0));
        vec![block("Near", 3.0), block("Far", 8.0)]
    };
    let mut level = level(blocks());
    // From one block to the next, a metre away: by jumping, and by stepping alone.
    for (jump, limit) in [(0.5, "0.5 m"), (0.0, "0.7 m")] {
        let mut profile = Profile::default();
        profile.body.jump = jump;
        let Some(Kind::Agent(mut agent)) = level.get(WALKER).map(|e| e.kind.clone()) else {
            panic!("there is one");
        };
        agent.start = DVec3::new(3.0, 5.0, 1.0);
        let edits = [
            Edit::replace(ADULT, Entity::new("Adult", Kind::Profile(profile))),
            Edit::replace(WALKER, Entity::new("Walker", Kind::Agent(agent))),
        ];
        level = ops::apply(&level, &edits).expect("valid");
        let (chart, _) = chart_in(&level, 0.25);
        let told = told(&level, &chart, DVec3::new(8.0, 5.0, 1.0));
        assert!(!told.is_reached);
        assert!(
            told.text.starts_with("gap ") && told.text.ends_with(&format!("> {limit}")),
            "{}",
            told.text
        );
        let why = told.why.expect("there is a reason");
        let from = why.from.expect("from the near block");
        assert!(from.x < 5.3 && why.at.x > 5.7, "{from} {}", why.at);
    }
}

#[test]
fn of_a_column_the_place_that_is_got_to_is_meant() {
    let deck = Solid::new(
        SolidShape::Platform {
            thickness: 0.2,
            posts: 0.0,
        },
        DVec3::new(10.0, 5.0, 0.0),
        DVec3::new(4.0, 4.0, 3.0),
    );
    let level = level(vec![Entity::new("Deck", Kind::Solid(deck))]);
    let (chart, _) = chart_in(&level, 0.25);
    let reachability = &chart.reachability;
    let all = chart.storey(None);
    let meant = reachability
        .pointed_at(DVec2::new(10.0, 5.0), &all)
        .expect("there is ground");
    assert!(
        reachability.surfaces().point(meant).z < 0.5,
        "the ground, not the deck"
    );
    assert_eq!(chart.storeys.len(), 2, "{:?}", chart.storeys);
    assert!((chart.storeys[1].floor - 3.0).abs() < 0.1);
    let upper = reachability
        .pointed_at(DVec2::new(10.0, 5.0), &chart.storey(Some(1)))
        .expect("the deck");
    assert!((reachability.surfaces().point(upper).z - 3.0).abs() < 0.1);
    assert_eq!(reachability.standing(upper), Standing::CutOff);
    assert!(
        reachability
            .pointed_at(DVec2::new(-3.0, 5.0), &all)
            .is_none()
    );
}

#[test]
fn a_hill_is_one_storey_and_nothing_is_none() {
    let (chart, _) = chart_in(
        &level(vec![solid(
            "Block",
            DVec3::new(10.0, 5.0, 0.0),
            DVec3::new(8.0, 8.0, 4.0),
        )]),
        0.25,
    );
    // The top of a block is standable, the space beneath it is not.
    assert_eq!(chart.storeys.len(), 1);
    assert_eq!(chart.storey(Some(7)), chart.storey(None));
    assert!(Storey::ALL.contains(-1e9) && Storey::ALL.contains(1e9));
}

/// Whether a body gets from one room to the other, by an independent flood fill of the grid.
fn is_crossed(chart: &VoxelReport) -> bool {
    let reachability = &chart.reachability;
    let surfaces = reachability.surfaces();
    let open = |id: &SurfaceId| {
        reachability.footing.is_standable(*id)
            && !reachability.footing.is_border(*id)
            && surfaces.point(*id).z < 0.5
    };
    let by_column = |x: i32, y: i32| surfaces.column(x, y).map(SurfaceId).find(open);
    let Some(start) = reachability.start else {
        return false;
    };
    let place = |id: SurfaceId| {
        let cell = &surfaces.cells()[id.index()];
        [i32::from(cell.x), i32::from(cell.y)]
    };
    let mut seen = BTreeSet::from([place(start)]);
    let mut queue = vec![place(start)];
    while let Some([x, y]) = queue.pop() {
        for next in [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]] {
            if by_column(next[0], next[1]).is_some() && seen.insert(next) {
                queue.push(next);
            }
        }
    }
    seen.iter()
        .any(|[x, _]| f64::from(*x) * surfaces.frame.cell > 15.0)
}

#[test]
fn a_door_is_lost_exactly_when_no_flood_of_cells_gets_through_it() {
    let (mut lost, mut kept) = (0, 0);
    // Small cells take long, so only the long version covers them.
    let cells: &[f64] = if std::env::var("WAYLOOM_CASES").is_ok() {
        &[0.5, 0.4, 0.25, 0.2, 0.1]
    } else {
        &[0.5, 0.4, 0.25]
    };
    for cell in cells.iter().copied() {
        for width in [0.7, 0.9, 1.4] {
            let (low, high) = (5.0 - 0.5 * width, 5.0 + 0.5 * width);
            let level = level(vec![
                wall("South wall", (10.0, -1.0), (10.2, low)),
                wall("North wall", (10.0, high), (10.2, 11.0)),
            ]);
            let (chart, bundle) = chart_in(&level, cell);
            let crossed = is_crossed(&chart);
            let ctx = JobContext::default();
            let chart = chart.with_exact(&bundle, &ctx).expect("not cancelled");
            let against = chart.against.as_ref().expect("asked for");
            let doors = against
                .doors
                .iter()
                .filter(|door| (door.at.x - 10.1).abs() < 0.5);
            let is_lost = doors.count() > 0;
            assert_eq!(
                is_lost, !crossed,
                "a door of {width} m in cells of {cell} m"
            );
            // The whole second room is lost with its only door.
            assert_eq!(against.lost.len() as f64 * cell * cell > 40.0, is_lost);
            if is_lost {
                lost += 1;
                let door = &against.doors[0];
                assert!((door.width - width).abs() < 0.01);
                let text = door.sentence(&chart.reachability, |id| level.label(id));
                assert!(
                    text.contains("South wall") && text.contains("North wall"),
                    "{text}"
                );
                let fits = chart.reachability.standing(
                    chart
                        .reachability
                        .pointed_at(DVec2::new(18.0, 5.0), &Storey::ALL)
                        .expect("ground"),
                );
                let squeezed = matches!(fits, Standing::Squeezed(_));
                assert_eq!(squeezed, door.fate == Fate::Squeezed, "{text}");
            } else {
                kept += 1;
            }
        }
    }
    assert!(lost >= 2 && kept >= 2, "{lost} lost, {kept} kept");
}

#[test]
fn low_things_are_gained_and_fringes_are_not_told() {
    // Free space goes around a kerb; a body that can step onto it does.
    let mut kerb = wall("Kerb", (8.0, 3.0), (12.0, 7.0));
    if let Kind::Obstacle(obstacle) = &mut kerb.kind {
        obstacle.height = 0.15;
    }
    let level = level(vec![kerb]);
    let (chart, bundle) = chart_in(&level, 0.25);
    let chart = chart
        .with_exact(&bundle, &JobContext::default())
        .expect("runs");
    let against = chart.against.as_ref().expect("asked for");
    assert!(against.lost.is_empty() && against.doors.is_empty());
    let surfaces = chart.reachability.surfaces();
    assert!(!against.gained.is_empty());
    for id in &against.gained {
        let p = surfaces.point(*id).truncate();
        assert!(Rect::new(DVec2::new(8.0, 3.0), DVec2::new(12.0, 7.0)).contains(p));
    }
}

#[test]
fn without_an_agent_there_is_a_body_and_no_start() {
    let empty = Level::default();
    let subject = Subject::of(&empty, []);
    assert_eq!((subject.agent, subject.start), (None, None));
    let ctx = JobContext::default();
    let request = BakeRequest::of(Arc::new(empty.clone()));
    let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
    let chart = VoxelReport::of(&bundle, subject, &ctx)
        .expect("runs")
        .expect("fits");
    assert_eq!(chart.reachability.reached(), [0, 0]);
    let text = told(&empty, &chart, DVec3::new(5.0, 5.0, 0.0)).text;
    assert!(text.starts_with("room to stand"), "{text}");
    ctx.cancel();
    assert!(VoxelReport::of(&bundle, Subject::of(&empty, []), &ctx).is_err());
}
