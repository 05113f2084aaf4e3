//! Forbidding rules: every entity with a matching name is forbidden, including those added later.
//!
//! A rule adds the tag [`tag::FORBIDDEN`] to whatever it matches, so that readers of a level only
//! need to check the tag. `document/ops.rs` enforces the rules after every edit.

use super::model::{Entity, KindName, Level, tag};
use crate::base::EntityId;
use std::sync::Arc;

/// Whether an entity can be forbidden: it has a body an agent could step on.
#[must_use]
pub fn can_be_forbidden(entity: &Entity) -> bool {
    matches!(
        entity.kind.name(),
        KindName::Obstacle | KindName::Wall | KindName::Solid
    )
}

/// The rule that forbids an entity.
#[must_use]
pub fn rule_for<'a>(level: &'a Level, id: EntityId, entity: &Entity) -> Option<&'a str> {
    let rules = &level.settings().forbidding;
    if rules.is_empty() || !can_be_forbidden(entity) {
        return None;
    }
    let label = entity.label(id);
    let rule = rules.iter().find(|rule| matches(rule, &label));
    rule.map(String::as_str)
}

/// Tags those of `ids` that match a rule.
pub(super) fn enforce(level: &mut Level, ids: impl IntoIterator<Item = EntityId>) {
    for id in ids {
        let Some(entity) = level.get(id) else {
            continue;
        };
        if !entity.has_tag(tag::FORBIDDEN) && rule_for(level, id, entity).is_some() {
            let forbidden = Entity::clone(entity).tagged(tag::FORBIDDEN);
            level.put(id, Arc::new(forbidden));
        }
    }
}

/// Case-insensitive glob: `*` matches any characters, `?` one. Without either, the whole name must
/// match.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.trim().to_lowercase().chars().collect();
    let name: Vec<char> = name.to_lowercase().chars().collect();
    if pattern.is_empty() {
        return false;
    }
    // Position of the last star, and how much of the name it has consumed.
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, taken)) => {
                    (p, n) = (at + 1, taken + 1);
                    star = Some((at, taken + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{
        CellRules, CellSize, Edit, Kind, Settings, Smoothing, Solid, SolidShape, format, ops,
    };
    use glam::DVec3;

    #[test]
    fn a_pattern_matches_whole_names_in_any_case() {
        for (pattern, name, expected) in [
            ("Table*", "Table 2", true),
            ("table*", "TABLE", true),
            ("Table", "Table 2", false),
            ("*2", "Table 2", true),
            ("*a*b*", "xaxxb", true),
            ("*a*b", "xaxxbc", false),
            ("T?ble", "Table", true),
            ("T?ble", "Tble", false),
            ("*", "", true),
            ("", "", false),
            ("**", "anything", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    const TABLE: EntityId = EntityId::new(1);
    const CHAIR: EntityId = EntityId::new(2);
    const NOTE: EntityId = EntityId::new(3);

    fn solid(name: &str) -> Entity {
        let kind = Solid::new(SolidShape::Box, DVec3::ZERO, DVec3::ONE);
        Entity::new(name, Kind::Solid(kind))
    }

    fn ruled(level: &Level, rules: &[&str]) -> Level {
        let settings = Settings {
            forbidding: rules.iter().map(|rule| (*rule).to_owned()).collect(),
            ..Settings::clone(level.settings())
        };
        ops::apply(level, &[Edit::Settings(Arc::new(settings))]).expect("valid")
    }

    fn is_forbidden(level: &Level, id: EntityId) -> bool {
        level.get(id).expect("there").has_tag(tag::FORBIDDEN)
    }

    #[test]
    fn a_rule_forbids_what_is_there_what_comes_and_what_is_called_so_later() {
        let drawn = [
            Edit::create(TABLE, solid("Table 1")),
            Edit::create(NOTE, Entity::new("Table talk", Kind::Layer)),
        ];
        let level = ops::apply(&Level::default(), &drawn).expect("valid");
        let level = ruled(&level, &["table*"]);
        assert!(is_forbidden(&level, TABLE) && !is_forbidden(&level, NOTE));
        let level = ops::apply(&level, &[Edit::create(CHAIR, solid("Chair"))]).expect("valid");
        assert!(!is_forbidden(&level, CHAIR));
        let renamed = [Edit::replace(CHAIR, solid("Table 2"))];
        let level = ops::apply(&level, &renamed).expect("valid");
        assert!(is_forbidden(&level, CHAIR));
        let entity = level.get(CHAIR).expect("there");
        assert_eq!(rule_for(&level, CHAIR, entity), Some("table*"));
        // The tag cannot be removed while the rule exists.
        let freed = ops::apply(&level, &[Edit::replace(TABLE, solid("Table 1"))]).expect("valid");
        assert!(is_forbidden(&freed, TABLE));
        let free = ruled(&level, &[]);
        let free = ops::apply(&free, &[Edit::replace(TABLE, solid("Table 1"))]).expect("valid");
        assert!(!is_forbidden(&free, TABLE));
    }

    #[test]
    fn rules_and_cells_are_kept_in_the_file_and_only_where_there_are_any() {
        let plain = Level::default();
        let text = format::write(&plain, EntityId::new(9));
        assert!(
            !text.contains("cell") && !text.contains("forbidding"),
            "{text}"
        );
        for cells in [
            CellSize::Sides {
                cell: 0.4,
                layer: 0.1,
            },
            CellSize::Count([72, 93, 23]),
        ] {
            let settings = Settings {
                cells,
                cell_rules: CellRules {
                    border_layers: Some(0),
                    threshold: 0.25,
                    smoothing: Smoothing::Full,
                    ..CellRules::AS_PRINTED
                },
                forbidding: vec!["Table*".to_owned(), "Bench".to_owned()],
                ..Settings::default()
            };
            let edits = [Edit::Settings(Arc::new(settings))];
            let level = ops::apply(&plain, &edits).expect("valid");
            let text = format::write(&level, EntityId::new(9));
            assert_eq!(format::read(&text).expect("read").level, level);
        }
        // A hand-written file: applying the rule adds the tag.
        let level = ops::apply(&plain, &[Edit::create(TABLE, solid("Table 1"))]).expect("valid");
        let text = format::write(&level, EntityId::new(9));
        let by_hand = text.replacen("clock:", "forbidding: [\"Table*\"], clock:", 1);
        let read = format::read(&by_hand).expect("read").level;
        assert!(is_forbidden(&read, TABLE));
    }

    #[test]
    fn rules_and_cells_that_make_no_sense_are_refused() {
        let refused = |settings: Settings| {
            let edits = [Edit::Settings(Arc::new(settings))];
            ops::apply(&Level::default(), &edits).is_err()
        };
        for cells in [
            CellSize::Count([0, 1, 1]),
            CellSize::Count([1, 1, 70_000]),
            CellSize::Sides {
                cell: f64::NAN,
                layer: 0.1,
            },
            CellSize::Sides {
                cell: 0.1,
                layer: 0.0,
            },
        ] {
            assert!(refused(Settings {
                cells,
                ..Settings::default()
            }));
        }
        for cell_rules in [
            CellRules {
                threshold: 1.5,
                ..CellRules::default()
            },
            CellRules {
                border_layers: Some(16),
                ..CellRules::default()
            },
        ] {
            assert!(refused(Settings {
                cell_rules,
                ..Settings::default()
            }));
        }
        for rules in [vec![" ".to_owned()], vec!["x".to_owned(); 65]] {
            assert!(refused(Settings {
                forbidding: rules,
                ..Settings::default()
            }));
        }
    }
}
