//! The index behind picking follows the level, whatever happens to it.

use crate::desk::{Desk, p, view};
use proptest::prelude::*;
use std::sync::Arc;
use wayloom::base::EntityId;
use wayloom::document::{Annotation, Edit, Entity, Kind, Note, Obstacle, Relation};
use wayloom::geometry::Polygon;
use wayloom::interaction::Picker;

#[derive(Clone, Debug)]
enum Change {
    Put {
        id: u64,
        x: f64,
        y: f64,
    },
    Delete {
        id: u64,
    },
    Hide {
        id: u64,
    },
    Raise {
        id: u64,
    },
    /// An annotation that follows from odd ones, which are obstacles.
    Relate {
        id: u64,
        object: u64,
        kind: usize,
    },
    /// Looks at what is there, so that areas are remembered.
    Look {
        x: f64,
        y: f64,
    },
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (1..12_u64, 0.0..100.0, 0.0..100.0).prop_map(|(id, x, y)| Change::Put { id, x, y }),
        1 => (1..12_u64).prop_map(|id| Change::Delete { id }),
        1 => (1..12_u64).prop_map(|id| Change::Hide { id }),
        1 => (1..12_u64).prop_map(|id| Change::Raise { id }),
        2 => (12..16_u64, 1..12_u64, 0..4_usize)
            .prop_map(|(id, object, kind)| Change::Relate { id, object, kind }),
        2 => (0.0..100.0, 0.0..100.0).prop_map(|(x, y)| Change::Look { x, y }),
    ]
}

fn edit(desk: &Desk, change: &Change) -> Option<Edit> {
    let id = |number: &u64| EntityId::new(*number);
    let there = |number: &u64| desk.level().get(id(number));
    match change {
        Change::Put { id: n, x, y } => {
            let kind = if n % 2 == 0 {
                Kind::Note(Note {
                    at: p(*x, *y),
                    text: String::new(),
                })
            } else {
                Kind::Obstacle(Obstacle::new(Polygon::regular(p(*x, *y), 8.0, 5, 0.3)))
            };
            let entity = Entity::new("", kind);
            Some(match there(n) {
                Some(_) => Edit::replace(id(n), entity),
                None => Edit::create(id(n), entity),
            })
        }
        Change::Delete { id: n } => there(n).map(|_| Edit::Delete { id: id(n) }),
        Change::Hide { id: n } => there(n).map(|entity| {
            let mut entity = (**entity).clone();
            entity.visible = !entity.visible;
            Edit::replace(id(n), entity)
        }),
        Change::Raise { id: n } => there(n).map(|_| Edit::Reorder {
            id: id(n),
            to: usize::MAX,
        }),
        Change::Relate {
            id: n,
            object,
            kind,
        } => {
            let relation = match kind {
                0 => Relation::Front { reach: 9.0 },
                1 => Relation::Around { reach: 6.0 },
                2 => Relation::Between {
                    other: EntityId::new(object % 11 + 1),
                },
                _ => Relation::LineOfSight {
                    range: 40.0,
                    angle: 120.0,
                },
            };
            let object = id(object);
            let annotation = Annotation::Relation { object, relation };
            let entity = Entity::new("", Kind::Annotation(annotation));
            Some(match there(n) {
                Some(_) => Edit::replace(id(n), entity),
                None => Edit::create(id(n), entity),
            })
        }
        Change::Look { .. } => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn an_index_kept_up_to_date_answers_like_a_fresh_one(
        changes in prop::collection::vec(change(), 1..50),
        places in prop::collection::vec((0.0..100.0, 0.0..100.0), 8),
    ) {
        let mut desk = Desk::new(wayloom::document::Level::default());
        let mut kept = Picker::default();
        for change in &changes {
            if let Change::Look { x, y } = change {
                let _ = kept.hits(p(*x, *y), &view());
            }
            if let Some(edit) = edit(&desk, change) {
                desk.document.commit("Change", vec![edit]).expect("valid");
                kept.synchronise(desk.document.level());
            }
        }
        let mut fresh = Picker::default();
        fresh.synchronise(&Arc::clone(desk.document.level()));
        for (x, y) in places {
            prop_assert_eq!(kept.hits(p(x, y), &view()), fresh.hits(p(x, y), &view()));
        }
    }
}
