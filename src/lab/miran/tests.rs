//! What the paper says of its figures holds for ours.

use super::pixels::{by_processor, compared};
use super::subject::{Subject, Subjects};
use super::*;
use crate::document::PlannerId;
use crate::nav::corridor::segment_distance;
use crate::planner::Path;
use crate::planner::miran::{Chooser, ExactGround, Ground as _, Settings, Status, Walker};
use crate::planner::trace::EventKind;
use glam::DVec2;

fn recoveries(path: &Path) -> usize {
    let events = path.trace.iter().flat_map(|trace| &trace.events);
    events.filter(|e| e.kind == EventKind::Recovered).count()
}

#[test]
fn the_pedestrian_keeps_out_of_the_mud_and_on_the_sidewalk_for_longer_than_by_irm() {
    let road =
        Subject::new("mckenna_road", "Pedestrian", &JobContext::default()).expect("a sample");
    let miran = road.path(PlannerId::MIRAN);
    let irm = road.path(PlannerId::IRM);
    assert_eq!(road.metres(&miran, "Mud"), 0.0);
    assert!(road.metres(&irm, "Mud") > 1.0);
    let [ours, theirs] = [&miran, &irm].map(|path| road.metres(path, "Sidewalk"));
    assert!(ours > theirs + 5.0, "{ours} and {theirs}");
    assert!(road.metres(&miran, "Road") < road.metres(&irm, "Road"));
    assert_eq!(recoveries(&miran), 0);
}

#[test]
fn adult_and_child_differ_as_in_figure_1() {
    let subjects = Subjects::new(&JobContext::default()).expect("samples");
    // Along routes computed on a grid, as in the paper, and along those that are drawn.
    let drawn = |agent| Subject::new("forest", agent, &JobContext::default()).expect("a sample");
    let computed = (&subjects.adult, &subjects.child);
    for (adult, child) in [computed, (&drawn("Parent"), &drawn("Child"))] {
        let grown_up = adult.path(PlannerId::MIRAN);
        let young = child.path(PlannerId::MIRAN);
        assert_eq!([recoveries(&grown_up), recoveries(&young)], [0, 0]);
        let metres = |terrain: &str| {
            [
                adult.metres(&grown_up, terrain),
                child.metres(&young, terrain),
            ]
        };
        for terrain in ["Puddle", "Fallen tree"] {
            let [adult, child] = metres(terrain);
            assert!(child > adult + 1.0, "{terrain}: {adult} and {child}");
        }
        let [adult, child] = metres("Panoramic view");
        assert!(adult > child + 1.0, "view: {adult} and {child}");
        // Neither takes to the woods.
        for in_the_woods in metres("Undergrowth") {
            assert!(in_the_woods < 12.0, "{in_the_woods}");
        }
    }
}

#[test]
fn more_look_ahead_leaves_out_more_of_the_loop() {
    let guard = Subject::new("mckenna", "Guard", &JobContext::default()).expect("a sample");
    let mut lengths = Vec::new();
    for (look_ahead, _) in LOOK_AHEADS {
        let (path, session) = guard.tuned(look_ahead, 20.0).walked();
        let skipped = session.state().walked().map_or(f64::NAN, most_skipped);
        assert!(skipped <= look_ahead, "{skipped} of {look_ahead}");
        assert_eq!(recoveries(&path), 0);
        lengths.push(path.length);
    }
    assert!(lengths[0] > lengths[4] + 20.0, "{lengths:?}");
}

/// The walk in steps of one length, as places.
fn in_steps_of(subject: &Subject, secs: f64) -> Vec<DVec2> {
    let Subject { nav, request, .. } = subject;
    let terrain = nav.shared().terrain();
    let (weights, _) = terrain.weights(&request.profile);
    let route = subject.route(&weights).expect("a route");
    let ground = ExactGround::new(terrain, &weights, Some(nav.cells()));
    let settings = Settings {
        step_secs: secs,
        longest_step_secs: secs,
        ..Settings::of(&request.profile, nav.free().radius)
    };
    let mut walker = Walker::new(settings, ground.eye(route.points()[0]).expect("free"));
    let (mut chooser, mut log) = (Chooser::default(), Walked::default());
    while walker.step(&ground, &route, &mut chooser, &[], &mut log) == Status::Walking {}
    assert_eq!(walker.status(), Status::Arrived);
    let places = log.steps.iter().map(|step| step.position);
    places.chain([walker.position()]).collect()
}

#[test]
fn growing_steps_lead_where_short_ones_do() {
    let subjects = Subjects::new(&JobContext::default()).expect("samples");
    let guards = LOOK_AHEADS.map(|(look_ahead, _)| subjects.guard.tuned(look_ahead, 20.0));
    let others = [&subjects.road, &subjects.adult, &subjects.child];
    for subject in guards.iter().chain(others) {
        let (path, _) = subject.walked();
        let line: Vec<DVec2> = path.points.iter().map(|p| p.truncate()).collect();
        let short = in_steps_of(subject, 0.1);
        assert!(4 * line.len() < short.len());
        // Where decisions hang by a hair, steps of 0.2 s and of 0.05 s lead as far apart.
        let aside = |p: &DVec2, line: &[DVec2]| {
            let distances = line
                .windows(2)
                .map(|pair| segment_distance(pair[0], pair[1], *p, *p));
            distances.fold(f64::INFINITY, f64::min)
        };
        for (from, to) in [(&line, &short), (&short, &line)] {
            let all: Vec<f64> = from.iter().map(|p| aside(p, to)).collect();
            let most = all.iter().copied().fold(0.0, f64::max);
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            assert!(most < 1.0 && mean < 0.1, "{most} and {mean}");
        }
        let map = subject.nav.shared().terrain();
        for (ours, theirs) in map
            .lengths_along(&line)
            .iter()
            .zip(map.lengths_along(&short))
        {
            assert!(
                (ours - theirs).abs() < 0.02 * path.length,
                "{ours} and {theirs}"
            );
        }
    }
}

#[test]
fn pixels_choose_the_same_more_often_the_finer_they_are() {
    let ctx = JobContext::default();
    let road = Subject::new("mckenna_road", "Pedestrian", &ctx).expect("a sample");
    let guard = Subject::new("mckenna", "Guard", &ctx).expect("a sample");
    let walks = [&road, &guard.tuned(100.0, 20.0), &guard.tuned(400.0, 20.0)];
    let share = |resolution: u32| {
        let counts = walks.map(|walk| {
            let raster = by_processor(walk, resolution).expect("not too large");
            compared(walk, &raster)
        });
        let [same, steps] = [0, 1].map(|i| counts.iter().map(|count| count[i]).sum::<usize>());
        assert!(steps > 500);
        same as f64 / steps as f64
    };
    let [coarse, fine] = [128, 1024].map(share);
    assert!(fine >= 0.95 && coarse < fine, "{coarse} and {fine}");
}
