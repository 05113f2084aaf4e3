use super::*;
use crate::document::template::{Options, Template};
use crate::sim::wlrec::Completeness;

fn level(name: &str) -> Arc<Level> {
    let template = Template::by_name(name).expect("a sample");
    Arc::new(template.build(&Options::default()).expect("valid"))
}

/// Waits until something holds.
fn until(run: &LiveRun, what: impl Fn(&RunStatus) -> bool) -> RunStatus {
    let since = Instant::now();
    loop {
        let status = run.status();
        if what(&status) {
            return status;
        }
        assert!(since.elapsed() < Duration::from_secs(120), "{status:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn options(seconds: f64) -> SimulationOptions {
    SimulationOptions {
        seconds,
        until_empty: false,
        ..SimulationOptions::default()
    }
}

#[test]
fn a_run_is_held_stepped_watched_and_stopped() {
    let jobs = JobRunner::default();
    let level = level("bottleneck");
    let run = LiveRun::start(&jobs, level, options(60.0), None, Begin::Paused);
    let held = until(&run, |status| status.state == RunState::Paused);
    assert_eq!((held.tick, held.state), (0, RunState::Paused));
    assert!(held.present > 10 && held.total >= held.present as u64);
    let first = run.recorded().expect("the first frame");
    assert_eq!(first.moment(0.0).len(), held.present);
    run.step(10);
    let stepped = until(&run, |status| {
        status.tick >= 10 && status.state == RunState::Paused
    });
    assert_eq!(stepped.tick, 10);
    let seen = run.recorded().expect("frames");
    assert_eq!(seen.frames(), 6, "every other tick, and the first");
    assert_eq!(seen.completeness(), Completeness::Growing);
    assert!(
        seen.plan_of(0, 0.5)
            .is_some_and(|plan| plan.points.len() > 1)
    );
    run.resume();
    until(&run, |status| status.time > 5.0);
    run.stop();
    let stopped = until(&run, |status| status.state.is_over());
    assert_eq!(stopped.state, RunState::Stopped);
    let whole = run.recorded().expect("the run");
    assert_eq!(whole.completeness(), Completeness::Whole);
    assert!(whole.duration() >= 5.0 && run.summary().is_some());
    // Snapshots agree with the whole.
    assert_eq!(seen.moment(0.35), whole.moment(0.35));
}

#[test]
fn a_run_keeps_its_pace() {
    let jobs = JobRunner::default();
    let run = LiveRun::start(
        &jobs,
        level("bottleneck"),
        options(60.0),
        None,
        Begin::Paused,
    );
    until(&run, |status| status.state == RunState::Paused);
    run.set_pace(Some(0.5));
    let since = Instant::now();
    run.resume();
    let status = until(&run, |status| status.time >= 0.5);
    let passed = since.elapsed().as_secs_f64();
    assert!(
        passed >= 0.9 * (status.time - 0.1) / 0.5,
        "{passed} s: {status:?}"
    );
}

#[test]
fn a_level_without_agents_is_refused_in_a_sentence() {
    let jobs = JobRunner::default();
    let level = Arc::new(Level::default());
    let run = LiveRun::start(&jobs, level, options(1.0), None, Begin::Running);
    let status = until(&run, |status| status.state.is_over());
    assert_eq!(status.state, RunState::Failed);
    assert!(
        status
            .error
            .is_some_and(|error| error.contains("neither agents nor crowds"))
    );
}
