use super::*;
use crate::base::{EntityId, Random};
use crate::sim::world::{AgentState, Birth, Departure, RunEvent, RunEventKind};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

fn header() -> Header {
    Header {
        program: "test".to_owned(),
        model: "walker".to_owned(),
        seed: 7,
        step: 0.05,
        every: 2,
        unit: UNIT,
        ..Header::default()
    }
}

/// Where agent `index` is at a frame, in metres.
fn place(index: u32, frame: u32) -> DVec3 {
    let t = f64::from(frame) * 0.1;
    let x = 3.0 * f64::from(index) + 1.3 * t;
    DVec3::new(
        x,
        (0.7 * t + f64::from(index)).sin() * 2.0,
        f64::from(index % 2) * 3.0,
    )
}

fn state(index: u32, frame: u32) -> AgentState {
    AgentState {
        index,
        entity: EntityId::new(5),
        member: index,
        position: place(index, frame),
        velocity: DVec2::ZERO,
        heading: DVec2::X,
        radius: 0.2,
        speed: 1.3,
        remaining: 1.0,
        is_stuck: index == 1 && (30..50).contains(&frame),
    }
}

/// Agent `i` is there from frame 7·i on for 45 frames.
fn is_there(index: u32, frame: u32) -> bool {
    (7 * index..7 * index + 45).contains(&frame)
}

fn recorded(frames: u32, agents: u32) -> Vec<u8> {
    let mut writer = RunWriter::new(Vec::new(), header(), "the level").expect("written");
    for frame in 0..frames {
        for index in 0..agents {
            if frame == 7 * index {
                writer.note(
                    &[Birth {
                        tick: u64::from(frame) * 2,
                        index,
                        entity: EntityId::new(5),
                        member: index,
                        radius: 0.2,
                        speed: 1.3,
                        sets_out: 0.5,
                        at: DVec3::ZERO,
                    }],
                    &[],
                    &[],
                );
            }
            if frame == 7 * index + 45 {
                let (tick, at) = (u64::from(frame) * 2, DVec3::X);
                let event = RunEvent {
                    tick,
                    agent: Some(index),
                    kind: RunEventKind::Arrived,
                    at,
                    text: "grüßt".to_owned(),
                };
                writer.note(&[], &[Departure { tick, index, at }], &[event]);
            }
        }
        let there = (0..agents).filter(|index| is_there(*index, frame));
        writer
            .frame(there.map(|index| state(index, frame)))
            .expect("written");
    }
    writer.finish().expect("written").0
}

#[test]
fn everyone_is_where_they_were_to_half_a_centimetre() {
    let (frames, agents) = (137, 9);
    let run = Run::open(recorded(frames, agents)).expect("readable");
    assert_eq!(run.completeness(), Completeness::Whole);
    assert_eq!(
        (run.frames(), run.level()),
        (u64::from(frames), "the level")
    );
    assert_eq!(run.header(), &header());
    assert_eq!((run.births().len(), run.departures().len()), (9, 9));
    assert_eq!(run.events().len(), 9);
    assert_eq!(run.events()[0].text, "grüßt");
    let mut seen = 0;
    run.each_frame(|time, present| {
        let frame = (time / 0.1).round() as u32;
        assert_eq!(frame, seen);
        seen += 1;
        let expected: Vec<u32> = (0..agents).filter(|i| is_there(*i, frame)).collect();
        assert!(present.iter().map(|(index, _)| *index).eq(expected));
        for (index, at) in present {
            let off = (*at - place(*index, frame)).abs().max_element();
            assert!(off <= 0.005 + 1e-9, "{index} at {frame}: {off}");
        }
    });
    assert_eq!(seen, frames);
    // Between two frames, and across the border of chunks.
    for exact in [0.0, 3.4, 19.5, 20.0, 39.95, 60.2] {
        for pose in run.moment(exact * 0.1) {
            let (low, high) = (exact as u32, exact as u32 + 1);
            let expected = place(pose.index, low).lerp(place(pose.index, high), exact.fract());
            if is_there(pose.index, low) && is_there(pose.index, high) {
                assert!(
                    pose.position.distance(expected) < 0.02,
                    "{pose:?} at {exact}"
                );
                assert!((pose.velocity.x - 1.3).abs() < 0.2);
            }
            assert_eq!(pose.is_stuck, pose.index == 1 && (30..50).contains(&low));
        }
    }
    let path = run.path_of(2);
    assert_eq!(path.len(), 45);
    assert!((path[0].0 - 1.4).abs() < 1e-9);
}

#[test]
fn a_recording_that_is_cut_off_opens_to_its_last_chunk() {
    let whole = recorded(137, 9);
    let mut longest = 0;
    for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
        match Run::open(whole[..length].to_vec()) {
            Ok(run) => {
                assert_eq!(run.completeness(), Completeness::CutOff);
                assert!(run.frames() >= longest, "less is known of more bytes");
                longest = run.frames();
                let _ = run.moment(1.0);
            }
            Err(error) => assert!(error.to_string().len() > 20, "{error}"),
        }
    }
    assert!(longest > 100, "{longest}");
}

#[test]
fn foreign_and_newer_files_are_told_apart() {
    let open = |bytes: &[u8]| Run::open(bytes.to_vec()).expect_err("refused").to_string();
    assert!(open(b"PNG").contains("not a recording"));
    assert!(open(b"").contains("not a recording"));
    assert!(open(b"WLREC\0\0\x09rest").contains("version 9"));
}

proptest! {
    #[test]
    fn damaged_recordings_are_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = recorded(60, 4);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Ok(run) = Run::open(bytes) {
            let _ = run.moment(2.0);
            run.each_frame(|_, _| {});
        }
    }

    /// Beneath the checksums, which would catch nearly every change.
    #[test]
    fn hostile_chunks_are_read_or_refused(
        seed in any::<u64>(),
        length in 0_usize..300,
        changes in 1_usize..6,
    ) {
        let mut random = Random::new(seed);
        let noise: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
        let _ = Chunk::unpack(&noise, UNIT);
        let run = Run::open(recorded(60, 4)).expect("readable");
        let chunk = run.chunk(1).expect("there are three");
        let mut packed = chunk.pack(UNIT);
        prop_assert_eq!(Chunk::unpack(&packed, UNIT), Ok((*chunk).clone()));
        for _ in 0..changes {
            let at = random.below(packed.len());
            packed[at] = random.next_u64() as u8;
        }
        let _ = Chunk::unpack(&packed, UNIT);
    }
}
