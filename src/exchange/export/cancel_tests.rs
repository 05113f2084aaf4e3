//! Cancelled at any moment, an export leaves nothing behind.

use super::{ExportError, export_to};
use crate::document::template::{Options, Template};
use crate::exchange::options::OptionValue;
use crate::exchange::registry;
use crate::exchange::{ExportInput, Target};
use crate::jobs::JobContext;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[test]
fn a_cancelled_export_leaves_nothing_behind() {
    let level = Template::Rooms.build(&Options::default()).expect("drawn");
    let input = ExportInput::new(Arc::new(level));
    let desk = std::env::temp_dir().join(format!("wayloom-cancel-{}", std::process::id()));
    std::fs::create_dir_all(&desk).expect("writable");
    let (mut cancelled, mut slowest) = (0, Duration::ZERO);
    for format in registry::exportable() {
        let writer = format.writer.as_ref().expect("exportable");
        let mut options = writer.writer.options();
        for (key, number) in [("width", 120.0), ("fps", 4.0)] {
            let _ = options.set(key, OptionValue::Number(number));
        }
        for millis in [0, 3, 30, 200] {
            let target = Target::named(&desk.join("out"), writer.output);
            let ctx = JobContext::default();
            let outcome = std::thread::scope(|scope| {
                let work = scope.spawn(|| {
                    let place = (&target, false);
                    let outcome = export_to(format, &input, &options, place, &ctx);
                    (outcome, Instant::now())
                });
                std::thread::sleep(Duration::from_millis(millis));
                ctx.cancel();
                let asked = Instant::now();
                let (outcome, ended) = work.join().expect("no panic");
                slowest = slowest.max(ended.saturating_duration_since(asked));
                outcome
            });
            let left = std::fs::read_dir(&desk).expect("ours").count();
            match outcome {
                Ok(_) => assert!(left > 0, "{}: it was done before", format.id),
                Err(ExportError::Cancelled(_)) => {
                    cancelled += 1;
                    assert_eq!(left, 0, "{}: cancelled after {millis} ms", format.id);
                }
                Err(error) => panic!("{}: {error}", format.id),
            }
            std::fs::remove_dir_all(&desk).expect("ours");
            std::fs::create_dir_all(&desk).expect("writable");
        }
    }
    std::fs::remove_dir_all(&desk).expect("ours");
    assert!(cancelled >= registry::exportable().len(), "{cancelled}");
    eprintln!("{cancelled} were cancelled; the slowest took {slowest:?} more");
}
