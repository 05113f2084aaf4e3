//! Repairs of single legs.

use super::*;
use crate::document::Profile;
use crate::document::template::{Options, Template};
use crate::document::{Edit, Kind, KindName, Level, ops};
use crate::geometry::{Polygon, Rect};
use crate::jobs::JobContext;
use crate::nav::{BakeRequest, NavBundle, Needs};
use crate::planner::human::{CellPath, Target};
use glam::{DVec2, DVec3};

fn stairs() -> Level {
    Template::Stairs.build(&Options::default()).expect("drawn")
}

/// A bundle, baked for its voxels.
struct Built(NavBundle);

impl std::ops::Deref for Built {
    type Target = Arc<LevelVoxels>;

    fn deref(&self) -> &Self::Target {
        self.0.voxels().expect("small enough")
    }
}

fn built(level: &Level, before: Option<&Built>) -> Built {
    let request = BakeRequest {
        needs: Needs::VOXELS,
        before: before.map(|before| &before.0),
        ..BakeRequest::of(Arc::new(level.clone()))
    };
    Built(NavBundle::bake(request, &JobContext::default()).expect("not cancelled"))
}

fn profile(level: &Level, name: &str) -> Arc<Profile> {
    let id = level.find(KindName::Profile, name).expect("there");
    match &level.get(id).expect("there").kind {
        Kind::Profile(profile) => Arc::new(profile.clone()),
        _ => panic!("no profile"),
    }
}

/// The balcony level with its crate somewhere else.
fn with_crate_at(level: &Level, x: f64, y: f64, width: f64) -> Level {
    let id = level
        .find(KindName::Solid, "Crate on the balcony")
        .expect("there");
    let mut entity = (**level.get(id).expect("there")).clone();
    if let Kind::Solid(solid) = &mut entity.kind {
        (solid.position.x, solid.position.y) = (x, y);
        solid.size.y = width;
    }
    ops::apply(level, &[Edit::replace(id, entity)]).expect("valid")
}

/// Repairs a leg for an agent on one of its cells; a lost leg stays as it was.
fn update(
    leg: &mut CellLeg,
    search: &mut Astar,
    level: &Arc<LevelVoxels>,
    profile: &Profile,
    at: usize,
) -> Change {
    let footing = level.footing(profile);
    let mut repair = Repair::begin(leg, level, footing, at);
    let (change, repaired) = loop {
        // In small steps, as a session does.
        if let Some(repaired) = repair.run(leg, search, &mut 7) {
            break repaired;
        }
    };
    if let Some(repaired) = repaired {
        *leg = repaired;
    }
    change
}

fn check(walk: &CellLeg) {
    let reach = Reach::new(walk.level().surfaces(), &walk.footing, walk.borders);
    let CellPath { cells, actions, .. } = walk.path();
    assert_eq!(cells.len(), actions.len());
    for (pair, action) in cells.windows(2).zip(&actions[1..]) {
        assert_eq!(reach.action(pair[0], pair[1]), Some(*action));
    }
    assert_eq!(walk.path().junctions.last(), Some(&(cells.len() - 1)));
    assert_eq!(walk.points().len(), cells.len());
}

#[test]
fn a_crate_on_the_balcony_ruptures_the_path_and_only_its_middle_changes() {
    let level = stairs();
    let before = built(&level, None);
    let adult = profile(&level, "Adult");
    let (from, to) = (DVec3::new(3.0, 9.0, 3.06), DVec3::new(12.0, 9.0, 3.06));
    let plan = |voxels: &Arc<LevelVoxels>| {
        CellLeg::plan(
            &mut Astar::default(),
            voxels,
            &adult,
            from,
            &[Target::At(to)],
            Smoothing::Junctions,
        )
        .map(|(leg, _)| leg)
    };
    let first = plan(&before).expect("over the gap");
    check(&first);
    let search = &mut Astar::default();
    // Elsewhere it changes nothing, and the path goes on from the agent's cell.
    let aside = with_crate_at(&level, 8.6, 7.6, 0.4);
    let aside = built(&aside, Some(&before));
    let mut walk = first.clone();
    assert_eq!(update(&mut walk, search, &aside, &adult, 3), Change::None);
    check(&walk);
    assert_eq!(walk.path().cells.len(), first.path().cells.len() - 3);
    // Onto the path.
    let blocked = with_crate_at(&level, 8.6, 9.0, 1.0);
    let voxels = built(&blocked, Some(&before));
    let fresh = built(&blocked, None);
    assert!(voxels.voxels.touched.len() < fresh.voxels.touched.len());
    assert_eq!(voxels.voxels.grid, fresh.voxels.grid);
    assert_eq!(voxels.surfaces(), fresh.surfaces());
    assert_eq!(voxels.footing(&adult), fresh.footing(&adult));
    let mut walk = first.clone();
    let Change::Repaired(detour) = update(&mut walk, search, &voxels, &adult, 0) else {
        panic!("the crate blocks the path");
    };
    let crate_id = level
        .find(KindName::Solid, "Crate on the balcony")
        .expect("there");
    assert_eq!(detour.around, [crate_id]);
    assert!(detour.kept > 0.3 && detour.kept < 0.95, "{}", detour.kept);
    assert!(detour.length() >= detour.old_length());
    // The abandoned stretch leads through the crate, its replacement does not.
    let is_inside = |p: &DVec3| (p.x - 8.6).abs() < 0.3 && (p.y - 9.0).abs() < 0.5;
    assert!(detour.old.iter().any(is_inside) && !detour.new.iter().any(is_inside));
    for (a, b) in [
        (detour.old.first(), detour.new.first()),
        (detour.old.last(), detour.new.last()),
    ] {
        assert!(a.expect("there").distance(*b.expect("there")) < 0.3);
    }
    let expanded = detour.expanded;
    check(&walk);
    assert_eq!(walk.places().first(), first.places().first());
    assert_eq!(walk.places().last(), first.places().last());
    // A plan from scratch is cheaper by smoothing at most, and expands more cells.
    let fresh_plan = plan(&fresh).expect("round the crate");
    assert!(walk.path().cost >= fresh_plan.path().cost);
    assert!(expanded < first.path().cells.len() * 60, "{expanded}");
    // A crate from wall to wall blocks every path; the old one is kept and resumes once the crate
    // is gone.
    let shut = with_crate_at(&level, 8.6, 9.04, 4.0);
    let shut = built(&shut, Some(&voxels));
    let kept = walk.path().clone();
    let Change::Lost(loss) = update(&mut walk, search, &shut, &adult, 2) else {
        panic!("nothing leads round");
    };
    assert_eq!(loss.blocker(), Some(crate_id));
    assert!((loss.at.x - 8.6).abs() < 0.8, "{}", loss.at);
    let words = loss.sentence(|id| level.label(id));
    assert!(
        words.contains("blocked at") && words.contains("Crate on the balcony"),
        "{words}"
    );
    assert_eq!(*walk.path(), kept);
    assert_eq!(update(&mut walk, search, &before, &adult, 0), Change::None);
    check(&walk);
}

#[test]
fn of_several_targets_and_of_a_region_the_nearest_is_gone_to() {
    let level = stairs();
    let voxels = built(&level, None);
    let adult = profile(&level, "Adult");
    let from = DVec3::new(9.0, 2.0, 0.0);
    let plan = |targets: &[Target]| {
        let search = &mut Astar::default();
        CellLeg::plan(search, &voxels, &adult, from, targets, Smoothing::Junctions)
            .map(|(leg, _)| leg)
    };
    let near = Target::At(DVec3::new(11.5, 6.5, 0.0));
    let far = Target::At(DVec3::new(9.0, 9.0, 3.06));
    let both = plan(&[far.clone(), near.clone()]).expect("a path");
    let one = plan(&[near]).expect("a path");
    assert_eq!(both.path().cost, one.path().cost);
    let area = |z: f64| Target::Region {
        area: Polygon::rect(Rect::new(DVec2::new(7.0, 8.0), DVec2::new(11.0, 10.0))),
        heights: z - 0.3..=z + 0.3,
    };
    let [floor, balcony] = [0.0, 3.06].map(|z| plan(&[area(z)]).expect("a path"));
    for (walk, z) in [(&floor, 0.0), (&balcony, 3.06)] {
        check(walk);
        let end = *walk.points().last().expect("a path has points");
        assert!((end.z - z).abs() < 0.2, "{end}");
        assert!((7.0..=11.0).contains(&end.x) && (8.0..=10.0).contains(&end.y));
    }
    assert!(balcony.path().cost > floor.path().cost);
    // Every cell of the region is at least as far.
    let whole = plan(&[far]).expect("a path");
    assert!(whole.path().cost >= balcony.path().cost);
    assert!(plan(&[area(50.0)]).is_none() && plan(&[]).is_none());
}
