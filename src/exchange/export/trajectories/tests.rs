use crate::base::EntityId;
use crate::document::{Edit, Entity, Kind, Level, Profile, Settings, ops};
use crate::exchange::motion::Motion;
use crate::exchange::options::OptionValue;
use crate::exchange::people::{self, PeopleOptions};
use crate::exchange::{ExportInput, MemorySink, Options, export, registry};
use crate::geometry::Rect;
use crate::jobs::JobContext;
use crate::sim::Recording;
use crate::sim::measures::{Frames, Position};
use crate::sim::wlrec::{self, Run};
use glam::DVec2;
use std::sync::Arc;

/// Two people at 10 frames a second: one walks along x at 1 m/s, the other appears after a second.
fn input() -> ExportInput {
    let frames = (0..30)
        .map(|frame| {
            let walked = 0.1 * f64::from(frame);
            let first = Position {
                id: 0,
                at: DVec2::new(1.0 + walked, 2.0),
            };
            let second = Position {
                id: 1,
                at: DVec2::new(5.0, 1.0 + walked),
            };
            match frame {
                0..10 => vec![first],
                10..20 => vec![first, second],
                _ => vec![second],
            }
        })
        .collect();
    let frames = Frames {
        interval: 0.1,
        first: 0,
        frames,
    };
    let settings = Settings {
        bounds: Rect::new(DVec2::ZERO, DVec2::splat(10.0)),
        ..Settings::default()
    };
    let walker = Entity::new("Walker", Kind::Profile(Profile::default()));
    let edits = [
        Edit::Settings(Arc::new(settings)),
        Edit::create(EntityId::new(1), walker),
    ];
    let level = Arc::new(ops::apply(&Level::default(), &edits).expect("sound"));
    let bytes = wlrec::recording(&frames, "people", "", EntityId::new(0)).expect("small");
    let run = Arc::new(Run::open(bytes).expect("whole"));
    ExportInput {
        recording: Some(Arc::new(Recording::of_run(&level, run))),
        ..ExportInput::new(level)
    }
}

fn written(format: &str) -> Vec<u8> {
    let row = registry::named(format).expect("there is one");
    let mut options: Options = row.export_options().expect("it is written");
    // Films of few, small pictures.
    if options.set("width", OptionValue::Number(120.0)).is_ok() {
        let _ = options.set("fps", OptionValue::Number(4.0));
    }
    let ctx = JobContext::default();
    let mut sink = MemorySink::default();
    export(row, &input(), &options, &mut sink, &ctx).expect("exported");
    sink.main
}

#[test]
fn a_motion_has_everyone_in_the_frames_in_which_they_are_there() {
    let ctx = JobContext::default();
    let motion = Motion::of(&input(), None, &ctx).expect("people move");
    assert_eq!((motion.frames, motion.rate()), (30, 10.0));
    let counts: Vec<_> = motion
        .walkers
        .iter()
        .map(|w| (w.number, w.first, w.points.len()))
        .collect();
    assert_eq!(counts, [(1, 0, 20), (2, 10, 20)]);
    let first = &motion.walkers[0];
    assert!((first.speed(7, motion.interval) - 1.0).abs() < 1e-9);
    assert!((first.length() - 1.9).abs() < 1e-9);
    assert!(first.headings().iter().all(|angle| angle.abs() < 1e-9));
    assert_eq!(motion.walkers[1].at(9), None);
    // Half as often.
    let half = Motion::of(&input(), Some(5.0), &ctx).expect("people move");
    assert_eq!(half.frames, 15);
    assert!((half.walkers[0].points[3].x - 1.6).abs() < 1e-9);
}

#[test]
fn what_is_written_as_text_is_read_back() {
    let text = written("pedpy");
    let read = people::read(&text, &PeopleOptions::default()).expect("our own text");
    assert_eq!(read.frames.len(), 30);
    assert!((read.interval - 0.1).abs() < 1e-12);
    let all: usize = read.frames.iter().map(Vec::len).sum();
    assert_eq!(all, 40);
    assert_eq!(read.frames[15][0].at, DVec2::new(2.5, 2.0));
}

#[test]
fn the_database_holds_every_position_once() {
    let bytes = written("jupedsim");
    let path = std::env::temp_dir().join(format!("wayloom-{}.sqlite", std::process::id()));
    std::fs::write(&path, &bytes).expect("writable");
    let base = rusqlite::Connection::open(&path).expect("a database");
    let one = |query: &str| -> f64 {
        base.query_row(query, [], |row| row.get(0))
            .expect("a number")
    };
    assert_eq!(
        one("SELECT CAST(COUNT(*) AS REAL) FROM trajectory_data"),
        40.0
    );
    assert_eq!(one("SELECT CAST(COUNT(*) AS REAL) FROM frame_data"), 30.0);
    assert_eq!(
        one("SELECT MAX(pos_x) FROM trajectory_data WHERE id = 1"),
        2.9
    );
    assert_eq!(
        one("SELECT CAST(value AS REAL) FROM metadata WHERE key = 'fps'"),
        10.0
    );
    drop(base);
    std::fs::remove_file(&path).expect("ours");
    assert_eq!(written("jupedsim"), bytes, "the same bytes again");
}

#[test]
fn every_format_that_moves_writes_the_same_bytes_again() {
    let rows = registry::rows().into_iter();
    let moving: Vec<&str> = rows
        .filter(|row| row.takes_recording())
        .map(|row| row.id)
        .collect();
    assert!(moving.len() >= 10, "{moving:?}");
    for format in moving {
        let bytes = written(format);
        assert!(!bytes.is_empty(), "{format}");
        assert!(written(format) == bytes, "{format} differs");
    }
}
