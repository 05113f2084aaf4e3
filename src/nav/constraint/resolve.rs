//! From the constraints of a mission to a field: every target becomes exact geometry, in one
//! situation.

use super::field::{Field, FieldRule, Term};
use super::region::Region;
use super::situation::Situation;
use crate::base::EntityId;
use crate::document::annotation_area::{annotation_area, outline, relation_area};
use crate::document::{
    Annotation, Constraint, FlagIs, Kind, Level, Relation, Rule, Target, Weight,
};
use crate::geometry::Polygon;
use crate::geometry::boolean::{difference, union};
use std::collections::BTreeMap;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Half the width of a route as a region. Unit: metres.
const ROUTE_HALF_WIDTH: f64 = 0.5;

/// How far below and above an object's feet its regions are felt, where a level has storeys.
/// Unit: metres.
const STOREY: [f64; 2] = [1.0, 2.2];

/// The field of constraints in a situation. `name` says how a constraint is written.
#[must_use]
pub fn resolve(
    level: &Level,
    constraints: &[Constraint],
    situation: &Situation,
    name: impl Fn(&Constraint) -> String,
) -> Field {
    let base = base_weight(constraints);
    let level = situation.applied(level);
    let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
    let mut terms = Vec::with_capacity(constraints.len());
    for constraint in constraints {
        let (rule, weight) = match &constraint.rule {
            Rule::In { weight } => (FieldRule::In, weight.at(situation.hour)),
            Rule::Near { weight } => (FieldRule::Near, weight.at(situation.hour)),
            Rule::NotIn => (FieldRule::Forbidden, 0.0),
        };
        // What says the same of the same target is told apart by its order.
        let what = format!("{rule:?} {:?} {:?}", constraint.target, constraint.when);
        let hash = xxh3_64(what.as_bytes());
        let count = seen.entry(hash).or_default();
        let key = hash.wrapping_add(*count);
        *count += 1;
        let is_set = |flag| situation.is_set(&level, flag);
        if !constraint.when.holds(situation.hour, is_set) {
            continue;
        }
        terms.push(Term {
            key,
            name: name(constraint).into(),
            rule,
            weight,
            region: Arc::new(region_of(&level, constraint.target)),
        });
    }
    Field::new(terms, base)
}

/// W0: the least base weight with which no sum of attractors that can act together takes the
/// multiplier below 1, at any time of the day and with any flags. Where regions are does not enter
/// it: a base that changed when something moves would change every cost of the level.
#[must_use]
pub fn base_weight(constraints: &[Constraint]) -> f64 {
    let attracts = |constraint: &&Constraint| {
        constraint
            .rule
            .weight()
            .is_some_and(|weight| weight.max() > 0.0)
    };
    let attractors: Vec<&Constraint> = constraints.iter().filter(attracts).collect();
    // The sum is linear between these, and steps at them.
    let mut hours = vec![0.0];
    for attractor in &attractors {
        if let Some(Weight::ByHour(list)) = attractor.rule.weight() {
            hours.extend(list.iter().map(|(hour, _)| *hour));
        }
        if let Some(span) = attractor.when.hours {
            hours.extend([span.from, span.until]);
        }
    }
    let before: Vec<f64> = hours.iter().map(|hour| hour - 1e-9).collect();
    hours.extend(before);
    let at_hour = |hour: f64| {
        let mut always = 0.0;
        let mut by_flag: BTreeMap<EntityId, [f64; 2]> = BTreeMap::new();
        for attractor in &attractors {
            let weight = attractor
                .rule
                .weight()
                .map_or(0.0, |weight| weight.at(hour));
            let when = attractor.when;
            if weight <= 0.0 || !when.hours.is_none_or(|hours| hours.contains(hour)) {
                continue;
            }
            match when.flag {
                None => always += weight,
                Some(FlagIs::Set(flag)) => by_flag.entry(flag).or_default()[1] += weight,
                Some(FlagIs::Unset(flag)) => by_flag.entry(flag).or_default()[0] += weight,
            }
        }
        always + by_flag.values().map(|[off, on]| off.max(*on)).sum::<f64>()
    };
    hours.into_iter().map(at_hour).fold(0.0, f64::max)
}

/// The geometry of a target; empty if it is missing or has none.
#[must_use]
pub fn region_of(level: &Level, target: Target) -> Region {
    let object = match target {
        Target::Relation { object, .. } => object,
        Target::Entity(id) => match level.get(id).map(|entity| &entity.kind) {
            Some(Kind::Annotation(Annotation::Relation { object, .. })) => *object,
            _ => id,
        },
    };
    let region = Region::of_polygons(&area_of(level, target));
    match height_of(level, object) {
        Some(feet) if level.solids().next().is_some() => {
            region.between_heights(feet - STOREY[0], feet + STOREY[1])
        }
        _ => region,
    }
}

/// The area of a target in plan.
#[must_use]
pub fn area_of(level: &Level, target: Target) -> Vec<Polygon> {
    let id = match target {
        Target::Relation { object, relation } => return relation_area(level, object, relation),
        Target::Entity(id) => id,
    };
    match level.get(id).map(|entity| &entity.kind) {
        Some(Kind::Annotation(_)) => annotation_area(level, id),
        Some(Kind::Region(region)) => vec![region.area.clone()],
        Some(Kind::Terrain(_)) => painted(level, id),
        Some(Kind::Route(_)) => {
            let reach = ROUTE_HALF_WIDTH;
            relation_area(level, id, Relation::Along { reach })
        }
        _ => outline(level, id),
    }
}

/// Where the ground is of a terrain type: what is painted later covers what is beneath.
fn painted(level: &Level, terrain: EntityId) -> Vec<Polygon> {
    let settings = level.settings();
    let mut area = if settings.base_terrain == Some(terrain) {
        vec![Polygon::rect(settings.bounds)]
    } else {
        Vec::new()
    };
    // Runs of regions of one kind are joined at once.
    let mut run: Vec<Polygon> = Vec::new();
    let mut is_own = false;
    let settle = |area: &mut Vec<Polygon>, run: &mut Vec<Polygon>, is_own: bool| {
        let run = std::mem::take(run);
        if run.is_empty() {
            return;
        }
        *area = if is_own {
            union(&[&area[..], &run].concat())
        } else {
            difference(area, &run)
        };
    };
    for (_, _, region) in level.regions() {
        let own = region.terrain == terrain;
        if own != is_own {
            settle(&mut area, &mut run, is_own);
            is_own = own;
        }
        if own || !area.is_empty() {
            run.push(region.area.clone());
        }
    }
    settle(&mut area, &mut run, is_own);
    area
}

/// The height at which an object stands.
fn height_of(level: &Level, id: EntityId) -> Option<f64> {
    match &level.get(id)?.kind {
        Kind::Agent(agent) => Some(agent.start.z),
        Kind::Solid(solid) => Some(solid.position.z),
        Kind::Wall(wall) => {
            let ground = level.ground().zip(wall.line.first());
            Some(ground.map_or(0.0, |(ground, at)| ground.height(*at)) + wall.base)
        }
        Kind::Obstacle(obstacle) => {
            let ground = level
                .ground()
                .map(|ground| ground.height(obstacle.area.centroid()));
            Some(ground.unwrap_or(0.0) + obstacle.base)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Agent, Edit, Entity, Heading, Mission, Obstacle, Terrain, When, ops};
    use crate::geometry::Rect;
    use glam::{DVec2, DVec3};

    const GUARD: EntityId = EntityId::new(1);
    const WALL: EntityId = EntityId::new(2);
    const ALERT: EntityId = EntityId::new(3);
    const GRASS: EntityId = EntityId::new(4);
    const MUD: EntityId = EntityId::new(5);

    fn square(x: f64, y: f64, half: f64) -> Polygon {
        Polygon::rect(Rect::around(DVec2::new(x, y), DVec2::splat(half)))
    }

    fn level() -> Level {
        let guard = Agent {
            start: DVec3::new(10.0, 10.0, 0.0),
            heading: Heading::degrees(0.0),
            mission: Mission::new(EntityId::new(99)),
        };
        let plain = Terrain {
            colour: crate::base::Colour::hex(0x60a060),
            pattern: crate::document::Pattern::Plain,
            weight: 1.0,
        };
        let terrain = |name: &str| Entity::new(name, Kind::Terrain(plain.clone()));
        let region = |terrain, area| {
            Entity::new("", Kind::Region(crate::document::Region { area, terrain }))
        };
        let edits = [
            Edit::create(GUARD, Entity::new("Guard", Kind::Agent(guard))),
            Edit::create(
                WALL,
                Entity::new(
                    "Wall",
                    Kind::Obstacle(Obstacle::new(square(20.0, 10.0, 1.0))),
                ),
            ),
            Edit::create(ALERT, Entity::new("alerted", Kind::Flag(false))),
            Edit::create(GRASS, terrain("Grass")),
            Edit::create(MUD, terrain("Mud")),
            Edit::create(EntityId::new(6), region(GRASS, square(40.0, 40.0, 10.0))),
            Edit::create(EntityId::new(7), region(MUD, square(40.0, 40.0, 5.0))),
        ];
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn near(weight: f64, target: impl Into<Target>) -> Constraint {
        let weight = Weight::Constant(weight);
        Constraint::new(Rule::Near { weight }, target.into())
    }

    #[test]
    fn the_base_weight_is_the_most_that_can_act_together() {
        let day = near(3.0, WALL).when(When::between(8.0, 20.0));
        let night = near(2.0, WALL).when(When::between(20.0, 8.0));
        assert_eq!(base_weight(&[]), 0.0);
        assert_eq!(base_weight(&[near(-4.0, WALL)]), 0.0);
        assert_eq!(base_weight(&[day.clone(), night.clone()]), 3.0);
        assert_eq!(base_weight(&[day.clone(), night, near(1.0, GUARD)]), 4.0);
        let alerted = near(5.0, WALL).when(When::while_set(ALERT));
        let mut calm = near(4.0, WALL);
        calm.when.flag = Some(FlagIs::Unset(ALERT));
        assert_eq!(base_weight(&[alerted, calm, day]), 8.0);
        let by_hour = Constraint::new(
            Rule::In {
                weight: Weight::ByHour(vec![(6.0, -2.0), (18.0, 7.0)]),
            },
            WALL.into(),
        );
        assert!((base_weight(&[by_hour]) - 7.0).abs() < 1e-9);
    }

    #[test]
    fn regions_follow_what_moved_and_the_base_weight_does_not() {
        let level = level();
        let sight = Target::Relation {
            object: GUARD,
            relation: Relation::LineOfSight {
                range: 20.0,
                angle: 60.0,
            },
        };
        let constraints = [near(-4.0, sight), near(2.0, WALL)];
        let name = |_: &Constraint| String::new();
        let first = resolve(&level, &constraints, &Situation::of(&level), name);
        assert!(
            first.terms()[0]
                .region
                .contains(DVec3::new(15.0, 10.0, 0.0))
        );
        assert!(
            !first.terms()[0]
                .region
                .contains(DVec3::new(25.0, 10.0, 0.0)),
            "behind the wall"
        );
        let mut moved = Situation::of(&level);
        moved.placements.insert(
            GUARD,
            super::super::situation::Placement {
                at: DVec3::new(10.0, 30.0, 0.0),
                heading: Some(Heading::degrees(90.0)),
            },
        );
        let second = resolve(&level, &constraints, &moved, name);
        assert!(
            !second.terms()[0]
                .region
                .contains(DVec3::new(15.0, 10.0, 0.0))
        );
        assert!(
            second.terms()[0]
                .region
                .contains(DVec3::new(10.0, 40.0, 0.0))
        );
        assert_eq!(first.base(), second.base());
        let keys = |field: &Field| {
            field
                .terms()
                .iter()
                .map(|term| term.key)
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(&first), keys(&second));
    }

    #[test]
    fn flags_and_hours_switch_constraints() {
        let level = level();
        let constraints = [
            near(-4.0, WALL).when(When::while_set(ALERT)),
            near(1.0, WALL).when(When::between(22.0, 6.0)),
        ];
        let count = |hour: f64, flag: Option<bool>| {
            let situation = Situation {
                hour,
                flags: flag.into_iter().map(|is_set| (ALERT, is_set)).collect(),
                ..Situation::default()
            };
            let name = |_: &Constraint| String::new();
            resolve(&level, &constraints, &situation, name)
                .terms()
                .len()
        };
        assert_eq!(count(12.0, None), 0);
        assert_eq!(count(12.0, Some(true)), 1);
        assert_eq!(count(23.0, Some(true)), 2);
    }

    #[test]
    fn regions_are_felt_on_the_storey_of_what_they_are_tied_to() {
        let level = level();
        let area = |level: &Level, target: Target| region_of(level, target).heights();
        let around = Relation::Around { reach: 2.0 };
        let target = |object| Target::Relation {
            object,
            relation: around,
        };
        assert_eq!(
            area(&level, target(GUARD)),
            None,
            "in plan there are no storeys"
        );
        let floor = EntityId::new(20);
        let tied = EntityId::new(21);
        let mut guard = (**level.get(GUARD).expect("drawn")).clone();
        if let Kind::Agent(agent) = &mut guard.kind {
            agent.start.z = 3.0;
        }
        let relation = Annotation::Relation {
            object: GUARD,
            relation: around,
        };
        let solid = crate::document::Solid::new(
            crate::document::SolidShape::Box,
            DVec3::new(30.0, 30.0, 0.0),
            DVec3::new(4.0, 4.0, 0.3),
        );
        let edits = [
            Edit::create(floor, Entity::new("Floor", Kind::Solid(solid))),
            Edit::replace(GUARD, guard),
            Edit::create(
                tied,
                Entity::new("Near the guard", Kind::Annotation(relation)),
            ),
        ];
        let level = ops::apply(&level, &edits).expect("valid");
        let upstairs = Some([3.0 - STOREY[0], 3.0 + STOREY[1]]);
        assert_eq!(area(&level, target(GUARD)), upstairs);
        assert_eq!(area(&level, tied.into()), upstairs, "as its object");
        assert_eq!(
            area(&level, target(WALL)),
            Some([-STOREY[0], STOREY[1]]),
            "on the ground"
        );
        assert_eq!(
            area(&level, GRASS.into()),
            None,
            "terrain is on every storey"
        );
    }

    #[test]
    fn terrain_is_where_it_is_not_painted_over() {
        let level = level();
        let grass = region_of(&level, GRASS.into());
        assert!(grass.contains(DVec3::new(32.0, 40.0, 0.0)));
        assert!(
            !grass.contains(DVec3::new(40.0, 40.0, 0.0)),
            "mud is on top"
        );
        let mud = region_of(&level, MUD.into());
        assert!(mud.contains(DVec3::new(40.0, 40.0, 0.0)));
        assert!(region_of(&level, EntityId::new(77).into()).is_empty());
    }
}
