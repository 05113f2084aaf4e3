//! Annotations that suit what is selected: proposals for the designer to accept or dismiss.
//!
//! Ninomiya et al. 2014 leave the automatic generation of annotations to future work (§7); these
//! follow from outlines alone.

use super::annotation_area::{annotation_area, outline, relation_area};
use super::model::{Annotation, Kind, Level, Relation, RelationKind, limits};
use crate::base::EntityId;
use crate::geometry::{
    OrientedBox, Polygon, boolean::difference, hull::convex_hull, polygon::signed_area,
};
use crate::jobs::{Cancelled, JobContext};
use glam::DVec2;
use std::collections::BTreeSet;

/// Largest gap between two objects that count as neighbours. Unit: metres.
const NEIGHBOURS: f64 = 15.0;
/// Something this many times as long as it is deep is a wall.
const WALL_SHAPE: f64 = 4.0;
/// Width of the strip along a wall. Unit: metres.
const ALONG_WALL: f64 = 1.5;
/// Smallest courtyard. Unit: square metres.
const COURTYARD: f64 = 4.0;
/// Largest share of a courtyard's border that may be open.
const OPEN_SHARE: f64 = 0.4;
/// Most proposals at once.
const MOST: usize = 24;

/// A proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub name: String,
    pub annotation: Annotation,
    /// What it would cover.
    pub area: Vec<Polygon>,
}

/// Annotations that suit the selected objects and that the level does not have yet: what lies in
/// front of and behind them, between neighbours, along walls and routes, inside courtyards; of
/// agents, what they see and the space they claim.
///
/// # Errors
/// The job was cancelled.
pub fn proposals(
    level: &Level,
    selected: &BTreeSet<EntityId>,
    ctx: &JobContext,
) -> Result<Vec<Proposal>, Cancelled> {
    let mut found = Vec::new();
    for &id in selected {
        ctx.checkpoint()?;
        let Some(entity) = level.get(id) else {
            continue;
        };
        match &entity.kind {
            Kind::Obstacle(_) | Kind::Wall(_) | Kind::Solid(_) => {
                if is_wall(level, id) {
                    let relation = Relation::Around { reach: ALONG_WALL };
                    propose(level, "Along", id, relation, &mut found);
                } else {
                    let kinds = [
                        ("Front of", RelationKind::Front),
                        ("Behind", RelationKind::Back),
                    ];
                    for (word, kind) in kinds {
                        propose(level, word, id, kind.relation(id), &mut found);
                    }
                }
                courtyards(level, id, &mut found);
            }
            Kind::Agent(_) => {
                let kinds = [
                    ("In sight of", RelationKind::LineOfSight),
                    ("Personal space of", RelationKind::PersonalSpace),
                ];
                for (word, kind) in kinds {
                    propose(level, word, id, kind.relation(id), &mut found);
                }
            }
            Kind::Route(_) => {
                propose(
                    level,
                    "Along",
                    id,
                    RelationKind::Along.relation(id),
                    &mut found,
                );
            }
            _ => {}
        }
    }
    for (object, other) in neighbours(level, selected, ctx)? {
        let name = format!("Between {} and {}", level.label(object), level.label(other));
        add(level, name, object, Relation::Between { other }, &mut found);
    }
    found.truncate(MOST);
    Ok(found)
}

fn propose(
    level: &Level,
    word: &str,
    object: EntityId,
    relation: Relation,
    found: &mut Vec<Proposal>,
) {
    let name = format!("{word} {}", level.label(object));
    add(level, name, object, relation, found);
}

fn add(
    level: &Level,
    name: String,
    object: EntityId,
    relation: Relation,
    found: &mut Vec<Proposal>,
) {
    let area = relation_area(level, object, relation);
    if area.is_empty() || exists(level, object, &relation) {
        return;
    }
    found.push(Proposal {
        name: name.chars().take(limits::MAX_NAME - 20).collect(),
        annotation: Annotation::Relation { object, relation },
        area,
    });
}

/// Whether the level has such an annotation, of whatever reach.
fn exists(level: &Level, object: EntityId, relation: &Relation) -> bool {
    level.iter().any(|(_, entity)| match &entity.kind {
        Kind::Annotation(Annotation::Relation {
            object: known,
            relation: as_known,
        }) => {
            let pair = (Some(object), relation.other());
            let known_pair = (Some(*known), as_known.other());
            let is_turned = (known_pair.1, known_pair.0) == pair && pair.1.is_some();
            relation.kind() == as_known.kind() && (known_pair == pair || is_turned)
        }
        _ => false,
    })
}

fn points(level: &Level, object: EntityId) -> Vec<DVec2> {
    let outline = outline(level, object);
    outline.iter().flat_map(Polygon::points).copied().collect()
}

/// Much longer than deep, whichever way it lies.
fn is_wall(level: &Level, object: EntityId) -> bool {
    let points = points(level, object);
    let hull = convex_hull(points.iter().copied());
    let edges = hull.iter().zip(hull.iter().cycle().skip(1));
    let slimmest = edges
        .filter_map(|(a, b)| OrientedBox::around(&points, *b - *a))
        .map(|frame| frame.half_size)
        .min_by(|a, b| a.min_element().total_cmp(&b.min_element()));
    slimmest.is_some_and(|half| half.max_element() > WALL_SHAPE * half.min_element())
}

/// Holes of an outline, and bays that it encloses on most sides.
fn courtyards(level: &Level, object: EntityId, found: &mut Vec<Proposal>) {
    let label = level.label(object);
    let mut yards: Vec<Polygon> = Vec::new();
    for part in outline(level, object) {
        yards.extend(part.holes.iter().cloned().map(Polygon::new));
        let filled = Polygon::new(part.outer.clone());
        let hull = Polygon::new(convex_hull(part.outer.iter().copied()));
        let bays = difference(std::slice::from_ref(&hull), &[filled]);
        yards.extend(bays.into_iter().filter(|bay| is_enclosed(bay, &hull)));
    }
    for mut yard in yards {
        if yard.area() < COURTYARD {
            continue;
        }
        // Holes run the other way around.
        if signed_area(&yard.outer) < 0.0 {
            yard.outer.reverse();
        }
        let centre = yard.centroid();
        let is_known = level.iter().any(|(id, entity)| {
            matches!(entity.kind, Kind::Annotation(Annotation::Area(_)))
                && annotation_area(level, id)
                    .iter()
                    .any(|area| area.contains(centre) && area.area() < 2.0 * yard.area())
        });
        if !is_known {
            found.push(Proposal {
                name: format!("Courtyard of {label}"),
                annotation: Annotation::Area(yard.clone()),
                area: vec![yard],
            });
        }
    }
}

/// Whether only a small part of a bay's border lies on the hull, that is: is open.
fn is_enclosed(bay: &Polygon, hull: &Polygon) -> bool {
    /// Rounding of the boolean operation. Unit: metres.
    const ON_HULL: f64 = 1e-3;
    let on_hull = |p: DVec2| hull.edges().any(|(a, b)| distance(a, b, p) < ON_HULL);
    let (mut open, mut all) = (0.0, 0.0);
    for (a, b) in bay.edges() {
        let length = a.distance(b);
        all += length;
        if on_hull(a.midpoint(b)) && on_hull(a) && on_hull(b) {
            open += length;
        }
    }
    open < OPEN_SHARE * all
}

fn distance(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    crate::geometry::polygon::closest_on_segment(a, b, p).distance(p)
}

/// Pairs of selected objects that are near each other; of a single one, its nearest neighbour.
fn neighbours(
    level: &Level,
    selected: &BTreeSet<EntityId>,
    ctx: &JobContext,
) -> Result<Vec<(EntityId, EntityId)>, Cancelled> {
    let is_body = |id: EntityId| {
        let kind = level.get(id).map(|entity| &entity.kind);
        matches!(
            kind,
            Some(Kind::Obstacle(_) | Kind::Wall(_) | Kind::Solid(_))
        )
    };
    let chosen: Vec<EntityId> = selected.iter().copied().filter(|id| is_body(*id)).collect();
    let mut pairs = Vec::new();
    if let [only] = chosen[..] {
        let others = level.drawn().map(|(id, _)| id);
        let mut nearest: Option<(f64, EntityId)> = None;
        for other in others.filter(|id| *id != only && is_body(*id)) {
            ctx.checkpoint()?;
            let best = nearest.map_or(NEIGHBOURS, |(gap, _)| gap);
            if let Some(gap) = gap(level, only, other, best) {
                nearest = Some((gap, other));
            }
        }
        pairs.extend(nearest.map(|(_, other)| (only, other)));
    }
    for (i, &object) in chosen.iter().enumerate() {
        for &other in &chosen[i + 1..] {
            ctx.checkpoint()?;
            if pairs.len() < MOST && gap(level, object, other, NEIGHBOURS).is_some() {
                pairs.push((object, other));
            }
        }
    }
    Ok(pairs)
}

/// The distance between two outlines that do not touch, if it is less than `most`.
fn gap(level: &Level, a: EntityId, b: EntityId, most: f64) -> Option<f64> {
    let bounds = |id: EntityId| level.get(id).and_then(|entity| entity.bounds());
    if !bounds(a)?.expanded(most).overlaps(&bounds(b)?) {
        return None;
    }
    let (a, b) = (outline(level, a), outline(level, b));
    let to_edges = |points: &[Polygon], edges: &[Polygon]| {
        let points = points.iter().flat_map(Polygon::points);
        points
            .flat_map(|p| {
                let all = edges.iter().flat_map(Polygon::edges);
                all.map(move |(from, to)| distance(from, to, *p))
                    .collect::<Vec<_>>()
            })
            .fold(f64::INFINITY, f64::min)
    };
    let gap = to_edges(&a, &b).min(to_edges(&b, &a));
    (gap > 0.05 && gap < most).then_some(gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Agent, Edit, Entity, Heading, Mission, Obstacle, ops};
    use crate::geometry::Rect;
    use glam::DVec3;

    fn rect(x: f64, y: f64, width: f64, height: f64) -> Polygon {
        let min = DVec2::new(x, y);
        Polygon::rect(Rect::new(min, min + DVec2::new(width, height)))
    }

    fn level(outlines: &[(&str, Polygon)]) -> Level {
        let edits: Vec<Edit> = (1..)
            .zip(outlines)
            .map(|(id, (name, area))| {
                let kind = Kind::Obstacle(Obstacle::new(area.clone()));
                Edit::create(EntityId::new(id), Entity::new(*name, kind))
            })
            .collect();
        ops::apply(&Level::default(), &edits).expect("valid")
    }

    fn names(level: &Level, selected: &[u64]) -> Vec<String> {
        let selected = selected.iter().copied().map(EntityId::new).collect();
        let found = proposals(level, &selected, &JobContext::default()).expect("not cancelled");
        for proposal in &found {
            assert!(proposal.area.iter().map(Polygon::area).sum::<f64>() > 0.0);
        }
        found.into_iter().map(|proposal| proposal.name).collect()
    }

    #[test]
    fn a_house_has_a_front_a_back_and_a_neighbour() {
        let level = level(&[
            ("House", rect(0.0, 0.0, 8.0, 8.0)),
            ("Barn", rect(12.0, 0.0, 6.0, 8.0)),
            ("Far", rect(80.0, 80.0, 5.0, 5.0)),
        ]);
        let expected = ["Front of House", "Behind House", "Between House and Barn"];
        assert_eq!(names(&level, &[1]), expected);
        assert_eq!(names(&level, &[1, 3]).len(), 4, "too far to be neighbours");
        assert!(names(&level, &[]).is_empty());
        assert!(names(&level, &[99]).is_empty());
    }

    #[test]
    fn what_exists_is_not_proposed_again() {
        let level = level(&[("House", rect(0.0, 0.0, 8.0, 8.0))]);
        let front = Annotation::Relation {
            object: EntityId::new(1),
            relation: Relation::Front { reach: 1.0 },
        };
        let create = Edit::create(EntityId::new(9), Entity::new("", Kind::Annotation(front)));
        let level = ops::apply(&level, &[create]).expect("valid");
        assert_eq!(names(&level, &[1]), ["Behind House"]);
    }

    #[test]
    fn walls_and_courtyards_are_recognised() {
        let walls = level(&[("Wall", rect(0.0, 0.0, 30.0, 0.5))]);
        assert_eq!(names(&walls, &[1]), ["Along Wall"]);
        // Open at the top, and one with a hole.
        let horseshoe = Polygon::new(
            [
                (0.0, 0.0),
                (12.0, 0.0),
                (12.0, 10.0),
                (9.0, 10.0),
                (9.0, 3.0),
                (3.0, 3.0),
                (3.0, 10.0),
                (0.0, 10.0),
            ]
            .map(|(x, y)| DVec2::new(x, y))
            .to_vec(),
        );
        let mut ring = rect(40.0, 0.0, 12.0, 12.0);
        ring.holes = vec![rect(43.0, 3.0, 6.0, 6.0).outer.into_iter().rev().collect()];
        let yards = level(&[("Horseshoe", horseshoe), ("Ring", ring)]);
        assert!(names(&yards, &[1]).contains(&"Courtyard of Horseshoe".to_owned()));
        assert!(names(&yards, &[2]).contains(&"Courtyard of Ring".to_owned()));
        let notch = Polygon::new(
            [
                (0.0, 0.0),
                (12.0, 0.0),
                (12.0, 10.0),
                (6.0, 9.0),
                (0.0, 10.0),
            ]
            .map(|(x, y)| DVec2::new(x, y))
            .to_vec(),
        );
        let shallow = level(&[("Shallow", notch)]);
        assert!(
            !names(&shallow, &[1])
                .iter()
                .any(|name| name.starts_with("Courtyard"))
        );
    }

    #[test]
    fn an_agent_sees_and_claims_space() {
        let agent = Agent {
            start: DVec3::new(5.0, 5.0, 0.0),
            heading: Heading::default(),
            mission: Mission::new(EntityId::new(7)),
        };
        let create = Edit::create(EntityId::new(1), Entity::new("Guard", Kind::Agent(agent)));
        let level = ops::apply(&Level::default(), &[create]).expect("valid");
        let expected = ["In sight of Guard", "Personal space of Guard"];
        assert_eq!(names(&level, &[1]), expected);
    }
}
