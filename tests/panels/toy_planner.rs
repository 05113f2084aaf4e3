//! A planner that is added at run time is one row: it can be chosen, compared, saved and asked.

use crate::navigation::bake;
use crate::stage::*;
use egui_kittest::kittest::Queryable as _;
use wayloom::base::{Colour, EntityId};
use wayloom::cli;
use wayloom::document::{PlannerId, format};
use wayloom::nav::{NavChange, Needs};
use wayloom::planner::PathRequest;
use wayloom::planner::finish::finish_path;
use wayloom::planner::registry::{self, Audience, PlannerRow, Reads};
use wayloom::planner::session::{SearchView, Session, Step, Task, Updated};

const TOY: PlannerId = PlannerId::new("beeline");

static ROW: PlannerRow = PlannerRow {
    id: TOY,
    title: "Beeline",
    about: "Straight through everything",
    needs: Needs::NOTHING,
    reads: Reads::NOTHING,
    audience: Audience::Agents,
    colour: Colour::hex(0x123456),
    open: Some(|nav, request| {
        Box::new(Beeline {
            task: Task::new(nav, request),
        })
    }),
};

#[derive(Clone, Debug)]
struct Beeline {
    task: Task,
}

impl Session for Beeline {
    fn step(&mut self, _: usize) -> Step {
        let Task { nav, request, .. } = &self.task;
        let ends = [request.start, request.goal].map(glam::DVec3::truncate);
        let path = finish_path(&ends, nav, request, 0);
        self.task.finish(Some(path))
    }

    fn update(&mut self, change: &NavChange, request: &PathRequest) -> Updated {
        self.task.restart(change.nav(), request);
        Updated::Restarted
    }

    fn task(&self) -> &Task {
        &self.task
    }

    fn view(&self) -> SearchView {
        SearchView::default()
    }

    fn expanded(&self) -> usize {
        0
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }
}

#[test]
fn a_planner_is_one_row() {
    registry::register(&ROW);
    registry::register(&ROW);
    assert_eq!(
        registry::rows().iter().filter(|row| row.id == TOY).count(),
        1
    );

    // The inspector offers it, and what is chosen is planned by it.
    let mut harness = inspector(small_level(), &[GUARD]);
    harness.get_by_label("Planner").click();
    harness.run();
    harness.get_by_label("Beeline").click();
    harness.run();
    let mission = harness.state().entity(GUARD).mission().cloned();
    assert_eq!(mission.map(|mission| mission.planner), Some(TOY));
    bake(&mut harness.state_mut().editor, Some(GUARD));
    let navigation = &harness.state().editor.state.navigation;
    let baked = navigation.baked().expect("baked");
    let plan = &baked.plans[&GUARD];
    assert!(!plan.legs.is_empty() && plan.paths().all(|path| path.points.len() == 2));
    // It is compared, under its title and in its colour.
    let bench = navigation.bench.outcome(GUARD).expect("compared");
    let bench = bench.expect("it has goals");
    let row = bench.rows.iter().find(|row| row.method.planner == TOY);
    let method = row.expect("in the bench").method;
    assert_eq!(method.title(), "Beeline");
    assert_eq!(wayloom::preview::nav::method_colour(method), ROW.colour);

    // Files keep it.
    let level = harness.state().level().clone();
    let text = format::write(&level, EntityId::new(1_000));
    assert!(text.contains("Named(\"beeline\")"), "{text}");
    let read = format::read(&text).expect("read").level;
    assert_eq!(format::write(&read, EntityId::new(1_000)), text);
    let unknown = text.replace("beeline", "broomstick");
    let error = format::read(&unknown)
        .expect_err("no such planner")
        .to_string();
    assert!(error.contains("broomstick"), "{error}");

    // The command line lists it and plans with it.
    let help = cli::help_of("plan").expect("a command");
    assert!(
        help.contains("beeline") && help.contains(ROW.about),
        "{help}"
    );
    let file = std::env::temp_dir().join(format!("beeline-{}.ron", std::process::id()));
    std::fs::write(&file, &text).expect("written");
    let words = ["wayloom", "plan"].map(Into::into).into_iter();
    let words = words.chain([file.clone().into_os_string()]);
    let words = words.chain(["--from=1,1", "--to=3,1", "--planner", "beeline"].map(Into::into));
    assert_eq!(cli::run(words), cli::Outcome::Exit(0));
    std::fs::remove_file(&file).expect("removed");
}
