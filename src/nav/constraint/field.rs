//! The multiplier field of constraints (Ninomiya et al. 2014, §5.2).
//!
//! W_c is as printed: `w` inside for *in*, and for *near* `w · max(0, (|w| − r) / |w|)` at distance
//! `r`. The multiplier is m = max(1, 1.1^(W0 − ΣW_c)). The cost of a transition is the mean of m
//! over parts of it, four for each step of a lattice, times its length.
//!
//! The base weight W0 comes from the caller and must not depend on where regions are: then a region
//! that moves changes the field nowhere but in its old and new surroundings.

use super::region::Region;
use super::surroundings::Surroundings;
use crate::geometry::Rect;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Parts into which a step of a lattice is divided: the paper's Riemann sum.
pub const PARTS: usize = 4;

/// The paper's base of the exponent, as its binary logarithm: log₂ 1.1.
const LOG2_BASE: f64 = 0.137_503_523_749_934_9;

/// What a constraint does around its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRule {
    In,
    Near,
    /// A hard constraint: no transition may touch the region.
    Forbidden,
}

/// One constraint in one situation.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Names the constraint across situations: which one moved is found by it.
    pub key: u64,
    /// As it is written.
    pub name: Arc<str>,
    pub rule: FieldRule,
    /// Positive attracts, negative repels; unused for forbidden ones.
    pub weight: f64,
    pub region: Arc<Region>,
}

impl Term {
    /// Distance from the region at which its influence ends. Unit: metres.
    #[must_use]
    pub fn reach(&self) -> f64 {
        match self.rule {
            FieldRule::Near => self.weight.abs(),
            FieldRule::In | FieldRule::Forbidden => 0.0,
        }
    }

    /// W_c at a place.
    #[must_use]
    pub fn weight_at(&self, p: DVec3) -> f64 {
        match self.rule {
            FieldRule::In if self.region.contains(p) => self.weight,
            FieldRule::Near => {
                let reach = self.weight.abs();
                let distance = self.region.distance_within(p, reach);
                distance.map_or(0.0, |r| self.weight * (reach - r) / reach)
            }
            FieldRule::In | FieldRule::Forbidden => 0.0,
        }
    }

    /// W_c in its region.
    #[must_use]
    pub fn weight_inside(&self) -> f64 {
        match self.rule {
            FieldRule::In | FieldRule::Near => self.weight,
            FieldRule::Forbidden => 0.0,
        }
    }

    /// As [`Self::weight_at`], for places around one.
    #[must_use]
    pub fn weight_among(&self, around: &Surroundings<'_>, p: DVec3) -> f64 {
        match self.rule {
            FieldRule::In if around.contains(p) => self.weight,
            FieldRule::Near => {
                let reach = self.weight.abs();
                let distance = around.distance_within(p, reach);
                distance.map_or(0.0, |r| self.weight * (reach - r) / reach)
            }
            FieldRule::In | FieldRule::Forbidden => 0.0,
        }
    }

    /// Where it acts, in plan; empty if nowhere.
    #[must_use]
    pub fn influence(&self) -> Rect {
        let bounds = self.region.bounds();
        if bounds.is_empty() {
            bounds
        } else {
            bounds.expanded(self.reach())
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.rule == other.rule
            && (self.weight == other.weight || self.rule == FieldRule::Forbidden)
            && (Arc::ptr_eq(&self.region, &other.region) || self.region == other.region)
    }
}

/// All constraints that act in a situation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    terms: Vec<Term>,
    base: f64,
}

/// What differs between two fields.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldChange {
    Nothing,
    /// The field is as it was outside of the influence of these.
    Terms(Vec<TermChange>),
    /// The base weight changed, and with it every cost.
    Base,
}

/// A constraint that moved, appeared, vanished or has another weight.
#[derive(Clone, Debug, PartialEq)]
pub struct TermChange {
    pub before: Option<Term>,
    pub after: Option<Term>,
}

impl TermChange {
    /// Where the field may have changed.
    pub fn influence(&self) -> impl Iterator<Item = Rect> {
        let both = [&self.before, &self.after];
        both.into_iter()
            .flatten()
            .map(Term::influence)
            .filter(|influence| !influence.is_empty())
    }

    /// The constraint as it is written.
    #[must_use]
    pub fn name(&self) -> &str {
        let either = self.after.as_ref().or(self.before.as_ref());
        either.map_or("", |term| &term.name)
    }
}

impl Field {
    /// With the base weight W0. Terms that act nowhere are left out.
    #[must_use]
    pub fn new(terms: Vec<Term>, base: f64) -> Self {
        let acts = |term: &Term| {
            !term.region.is_empty() && (term.rule == FieldRule::Forbidden || term.weight != 0.0)
        };
        Self {
            terms: terms.into_iter().filter(acts).collect(),
            base,
        }
    }

    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// W0.
    #[must_use]
    pub const fn base(&self) -> f64 {
        self.base
    }

    /// The multiplier where no constraint acts.
    #[must_use]
    pub fn plain_multiplier(&self) -> f64 {
        self.multiplier_of(0.0)
    }

    /// The least multiplier that there can be, wherever regions are.
    #[must_use]
    pub fn least_multiplier(&self) -> f64 {
        let attracting = self.terms.iter().map(|term| term.weight.max(0.0));
        self.multiplier_of(attracting.sum())
    }

    /// m for a sum of weights.
    #[must_use]
    pub fn multiplier_of(&self, weights: f64) -> f64 {
        if weights == self.base {
            1.0
        } else {
            ((self.base - weights) * LOG2_BASE).exp2().max(1.0)
        }
    }

    /// ΣW_c at a place.
    #[must_use]
    pub fn weight_at(&self, p: DVec3) -> f64 {
        self.terms.iter().map(|term| term.weight_at(p)).sum()
    }

    /// m at a place.
    #[must_use]
    pub fn multiplier_at(&self, p: DVec3) -> f64 {
        self.multiplier_of(self.weight_at(p))
    }

    /// The forbidden region that a place is in.
    #[must_use]
    pub fn forbidding(&self, p: DVec3) -> Option<&Term> {
        let is_hard = |term: &&Term| term.rule == FieldRule::Forbidden;
        let hard = self.terms.iter().filter(is_hard);
        hard.into_iter().find(|term| term.region.contains(p))
    }

    /// Cost of a straight line, divided into parts of at most a quarter of `step`; infinite where
    /// it touches a forbidden region.
    #[must_use]
    pub fn cost(&self, from: DVec3, to: DVec3, step: f64) -> f64 {
        self.cost_within(from, to, step, f64::INFINITY)
            .unwrap_or(f64::INFINITY)
    }

    /// As [`Self::cost`]; `None` if that is above a limit, which is often seen early.
    #[must_use]
    pub fn cost_within(&self, from: DVec3, to: DVec3, step: f64, limit: f64) -> Option<f64> {
        let length = from.distance(to);
        let around = Rect::spanning(from.truncate(), to.truncate());
        let acting: Vec<&Term> = self
            .terms
            .iter()
            .filter(|term| term.influence().overlaps(&around))
            .collect();
        let is_hard = |term: &&Term| term.rule == FieldRule::Forbidden;
        let mut hard = acting.iter().copied().filter(is_hard);
        if length > limit || hard.any(|term| term.region.meets(from, to)) {
            return None;
        }
        let cost = if acting.iter().all(is_hard) {
            length * self.plain_multiplier()
        } else {
            let parts = parts_of(length, step);
            let share = length / parts as f64;
            let mut sum = 0.0;
            for i in 0..parts {
                let p = from.lerp(to, (i as f64 + 0.5) / parts as f64);
                sum += self.multiplier_of(acting.iter().map(|term| term.weight_at(p)).sum());
                // What is left costs at least its length; rounding must not decide.
                let least = share * (sum + (parts - 1 - i) as f64);
                if least > limit * (1.0 + 1e-9) {
                    return None;
                }
            }
            length * sum / parts as f64
        };
        (cost <= limit).then_some(cost)
    }

    /// How the cost of a straight line divides: the distance itself, what the base weight adds, and
    /// what each term adds or saves; all together are the cost. Each share of m − 1 is in proportion
    /// to its part of the exponent, which is the only division that depends on no order of the terms
    /// (Aumann and Shapley).
    pub fn shares(
        &self,
        from: DVec3,
        to: DVec3,
        step: f64,
        mut add: impl FnMut(Option<&Term>, f64),
    ) {
        let length = from.distance(to);
        let parts = parts_of(length, step);
        for i in 0..parts {
            let p = from.lerp(to, (i as f64 + 0.5) / parts as f64);
            let weights: Vec<f64> = self.terms.iter().map(|term| term.weight_at(p)).collect();
            let exponent = self.base - weights.iter().sum::<f64>();
            let extra = self.multiplier_of(self.base - exponent) - 1.0;
            if exponent <= 0.0 || extra <= 0.0 {
                continue;
            }
            let unit = extra / exponent * length / parts as f64;
            add(None, self.base * unit);
            for (term, weight) in self.terms.iter().zip(&weights) {
                if *weight != 0.0 {
                    add(Some(term), -weight * unit);
                }
            }
        }
    }

    /// What differs from an earlier field.
    #[must_use]
    pub fn change_since(&self, before: &Self) -> FieldChange {
        if self.base != before.base {
            return FieldChange::Base;
        }
        let find = |terms: &[Term], key: u64| terms.iter().find(|term| term.key == key).cloned();
        let mut changes: Vec<TermChange> = Vec::new();
        for old in &before.terms {
            let after = find(&self.terms, old.key);
            if after.as_ref().is_none_or(|after| !after.is_same(old)) {
                let before = Some(old.clone());
                changes.push(TermChange { before, after });
            }
        }
        for new in &self.terms {
            if find(&before.terms, new.key).is_none() {
                changes.push(TermChange {
                    before: None,
                    after: Some(new.clone()),
                });
            }
        }
        if changes.is_empty() {
            FieldChange::Nothing
        } else {
            FieldChange::Terms(changes)
        }
    }

    /// m on a raster, rows from the lowest up, for overlays and exports.
    #[must_use]
    pub fn raster(&self, area: Rect, size: [usize; 2], z: f64) -> Vec<f64> {
        let cell = area.size() / DVec2::new(size[0] as f64, size[1] as f64);
        let place = |x: usize, y: usize| {
            let p = area.min + cell * DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            p.extend(z)
        };
        let rows = 0..size[1];
        rows.flat_map(|y| (0..size[0]).map(move |x| place(x, y)))
            .map(|p| self.multiplier_at(p))
            .collect()
    }
}

/// Parts of a line: four for each step, and at least four.
fn parts_of(length: f64, step: f64) -> usize {
    // The cast saturates; the limit keeps a bad step from costing forever.
    let steps = (length / step.max(1e-3) - 1e-9).ceil().clamp(1.0, 1e5);
    PARTS * steps as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Random;
    use crate::geometry::Polygon;

    fn term(key: u64, rule: FieldRule, weight: f64, min: (f64, f64), max: (f64, f64)) -> Term {
        let square = Polygon::rect(Rect::new(min.into(), max.into()));
        Term {
            key,
            name: "a square".into(),
            rule,
            weight,
            region: Arc::new(Region::of_polygons(&[square])),
        }
    }

    #[test]
    fn weights_fall_off_as_printed() {
        let near = term(1, FieldRule::Near, -4.0, (0.0, 0.0), (2.0, 2.0));
        for (x, expected) in [
            (1.0, -4.0),
            (3.0, -3.0),
            (4.0, -2.0),
            (6.0, 0.0),
            (9.0, 0.0),
        ] {
            let found = near.weight_at(DVec3::new(x, 1.0, 0.0));
            assert!((found - expected).abs() < 1e-12, "{x}: {found}");
        }
        let inside = term(2, FieldRule::In, 3.0, (0.0, 0.0), (2.0, 2.0));
        assert_eq!(inside.weight_at(DVec3::new(1.0, 1.0, 0.0)), 3.0);
        assert_eq!(inside.weight_at(DVec3::new(2.1, 1.0, 0.0)), 0.0);
        let field = Field::new(vec![near, inside], 3.0);
        let m = field.multiplier_at(DVec3::new(1.0, 1.0, 0.0));
        assert!((m - 1.1_f64.powf(3.0 + 4.0 - 3.0)).abs() < 1e-12);
        assert!((field.plain_multiplier() - 1.1_f64.powf(3.0)).abs() < 1e-12);
        let attractor = Field::new(
            vec![term(1, FieldRule::In, 3.0, (0.0, 0.0), (2.0, 2.0))],
            3.0,
        );
        assert_eq!(attractor.multiplier_at(DVec3::ONE), 1.0);
    }

    #[test]
    fn cutting_a_line_into_pieces_changes_its_cost_by_less_than_a_hundredth() {
        let mut random = Random::new(3);
        for case in 0..200 {
            let terms = (0..4)
                .map(|key| {
                    let min = random.point(DVec2::ZERO, DVec2::splat(30.0));
                    let max = min + random.point(DVec2::ONE, DVec2::splat(12.0));
                    let rule = if key % 2 == 0 {
                        FieldRule::Near
                    } else {
                        FieldRule::In
                    };
                    term(key, rule, random.range(-6.0, 4.0), min.into(), max.into())
                })
                .collect();
            let field = Field::new(terms, 8.0);
            let [a, b] =
                [(); 2].map(|()| random.point(DVec2::ZERO, DVec2::splat(40.0)).extend(0.0));
            let whole = field.cost(a, b, 1.0);
            for pieces in [2, 3, 7, 50, 400] {
                let at = |i: usize| a.lerp(b, i as f64 / pieces as f64);
                let cut: f64 = (0..pieces).map(|i| field.cost(at(i), at(i + 1), 1.0)).sum();
                // A border is crossed within a part: it may be off by that at each of eight.
                let edge = 8.0
                    * 0.125
                    * 1.1_f64.powf(20.0)
                    * 0.01
                    * f64::from(u8::from(a.distance(b) < 10.0));
                assert!(
                    (cut - whole).abs() <= 0.01 * whole + edge,
                    "case {case}, {pieces}: {cut} and {whole}"
                );
            }
        }
    }

    #[test]
    fn shares_add_up_to_the_cost() {
        let field = Field::new(
            vec![
                term(1, FieldRule::Near, -4.0, (0.0, 0.0), (2.0, 2.0)),
                term(2, FieldRule::In, 2.0, (3.0, 0.0), (9.0, 9.0)),
            ],
            2.0,
        );
        let (a, b) = (DVec3::new(-6.0, 1.0, 0.0), DVec3::new(12.0, 3.0, 0.0));
        let mut sum = a.distance(b);
        let mut of_second = 0.0;
        field.shares(a, b, 0.5, |term, share| {
            sum += share;
            if term.is_some_and(|term| term.key == 2) {
                of_second += share;
            }
        });
        assert!((sum - field.cost(a, b, 0.5)).abs() < 1e-9);
        assert!(of_second < 0.0, "an attractor saves");
    }

    #[test]
    fn a_forbidden_region_is_never_touched() {
        let field = Field::new(
            vec![term(1, FieldRule::Forbidden, 0.0, (2.0, 2.0), (4.0, 4.0))],
            0.0,
        );
        let cost = |a: (f64, f64), b: (f64, f64)| {
            field.cost(DVec2::from(a).extend(0.0), DVec2::from(b).extend(0.0), 1.0)
        };
        assert_eq!(cost((0.0, 3.0), (6.0, 3.0)), f64::INFINITY);
        assert!((cost((0.0, 3.95), (0.2, 4.15)) - 0.2_f64.hypot(0.2)).abs() < 1e-12);
        assert_eq!(cost((1.9, 3.9), (2.1, 4.1)), f64::INFINITY, "a corner");
        assert!(field.forbidding(DVec3::splat(3.0)).is_some());
    }

    #[test]
    fn what_changed_is_found_by_its_key() {
        let a = term(1, FieldRule::Near, -4.0, (0.0, 0.0), (2.0, 2.0));
        let b = term(2, FieldRule::In, 2.0, (3.0, 0.0), (9.0, 9.0));
        let moved = term(1, FieldRule::Near, -4.0, (1.0, 0.0), (3.0, 2.0));
        let first = Field::new(vec![a.clone(), b.clone()], 2.0);
        assert_eq!(first.change_since(&first.clone()), FieldChange::Nothing);
        let second = Field::new(vec![b.clone(), moved.clone()], 2.0);
        let FieldChange::Terms(changes) = second.change_since(&first) else {
            panic!("one moved");
        };
        assert_eq!(
            (changes[0].before.as_ref(), changes[0].after.as_ref()),
            (Some(&a), Some(&moved))
        );
        assert_eq!(changes.len(), 1);
        let third = Field::new(vec![moved], 2.0);
        assert!(
            matches!(third.change_since(&second), FieldChange::Terms(changes) if changes.len() == 1)
        );
        assert_eq!(
            Field::new(vec![], 1.0).change_since(&third),
            FieldChange::Base
        );
    }
}
