//! Costs of a lattice's transitions under a field: evaluated when they are first read, and kept with
//! the set of constraints that act at each state.

use super::touched::Touched;
use crate::geometry::Rect;
use crate::nav::constraint::field::{FieldChange, PARTS, TermChange};
use crate::nav::constraint::lattice::{DIRECTIONS, PAGE};
use crate::nav::constraint::plane::Plane;
use crate::nav::constraint::{Field, FieldRule, Lattice, Surroundings, Term};
use glam::{DVec2, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Half of the directions belong to a state, the others to the neighbours there.
const OWN: usize = DIRECTIONS / 2;

/// What is known about a state where constraints may act.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    /// Costs of the transitions in the first four directions; not a number where no constraint acts
    /// on one.
    costs: [f32; OWN],
    /// Σ|W_c| at the state.
    size: f32,
    /// Largest difference of ΣW_c along a transition.
    change: f32,
    /// Index into the sets; [`STALE`] if it has to be evaluated.
    set: u32,
}

const STALE: u32 = u32::MAX;

/// The set of no constraints.
const EMPTY: u32 = 0;

impl Known {
    const STALE: Self = Self {
        costs: [0.0; OWN],
        size: 0.0,
        change: 0.0,
        set: STALE,
    };
}

#[derive(Clone, Debug)]
pub struct StepCosts {
    lattice: Arc<Lattice>,
    field: Arc<Field>,
    plain: f64,
    /// By page, how many constraints may act there.
    acting: Vec<u16>,
    touched: Touched,
    known: Vec<Known>,
    /// Sets of indices into the field's terms.
    sets: Vec<Box<[u16]>>,
    numbers: HashMap<Box<[u16]>, u32>,
    /// The set of the state that is evaluated.
    set: Vec<u16>,
}

/// ΣW_c at a state and along its transitions, while terms are added.
struct Sums {
    ends: [Option<DVec3>; OWN],
    at: DVec3,
    here: f64,
    /// Σ|W_c| at the state.
    size: f64,
    /// In the middles of the parts of each transition.
    along: [[f64; PARTS]; OWN],
    is_forbidden: [bool; OWN],
}

impl Sums {
    const fn new(at: DVec3, ends: &[Option<DVec3>; OWN]) -> Self {
        Self {
            ends: *ends,
            at,
            here: 0.0,
            size: 0.0,
            along: [[0.0; PARTS]; OWN],
            is_forbidden: [false; OWN],
        }
    }

    /// Adds a term by what is around the state, which is known within the length of the longest
    /// transition.
    fn add(&mut self, term: &Term, near: &Surroundings<'_>, farthest: f64) {
        let all_inside = near.is_all_inside(farthest);
        let ends = self.ends.iter().enumerate();
        let ends = ends.filter_map(|(direction, end)| Some((direction, (*end)?)));
        match (term.rule, all_inside) {
            (FieldRule::Forbidden | FieldRule::In, Some(false)) => {}
            (FieldRule::Forbidden, _) => {
                for (direction, end) in ends {
                    let is_forbidden = &mut self.is_forbidden[direction];
                    *is_forbidden = *is_forbidden || term.region.meets(self.at, end);
                }
            }
            (_, Some(true)) => {
                let weight = term.weight_inside();
                self.here += weight;
                self.size += weight.abs();
                self.along
                    .as_flattened_mut()
                    .iter_mut()
                    .for_each(|sum| *sum += weight);
            }
            _ => {
                let weight = term.weight_among(near, self.at);
                self.here += weight;
                self.size += weight.abs();
                for (direction, end) in ends {
                    for (part, sum) in self.along[direction].iter_mut().enumerate() {
                        let p = self.at.lerp(end, (part as f64 + 0.5) / PARTS as f64);
                        *sum += term.weight_among(near, p);
                    }
                }
            }
        }
    }
}

/// What an update may have changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostsChanged {
    /// States from which some transition appeared, vanished or has another length.
    pub by_space: Vec<u32>,
    /// States from which some transition may have another cost.
    pub by_field: Vec<u32>,
    /// Everything may have changed: begin again.
    pub is_everything: bool,
}

impl StepCosts {
    #[must_use]
    pub fn new(lattice: Arc<Lattice>, field: Arc<Field>) -> Self {
        let mut costs = Self {
            plain: field.plain_multiplier(),
            acting: vec![0; lattice.page_count()],
            touched: Touched::default(),
            known: Vec::new(),
            sets: vec![Box::default()],
            numbers: HashMap::from([(Box::default(), EMPTY)]),
            set: Vec::new(),
            lattice,
            field,
        };
        costs.touched.reset(costs.lattice.len());
        for index in 0..costs.field.terms().len() {
            let term = costs.field.terms()[index].clone();
            costs.count(&term, 1);
        }
        costs
    }

    #[must_use]
    pub const fn lattice(&self) -> &Arc<Lattice> {
        &self.lattice
    }

    #[must_use]
    pub const fn field(&self) -> &Arc<Field> {
        &self.field
    }

    /// Pages in which a term may act on a transition.
    fn pages_of(&self, term: &Term) -> impl Iterator<Item = usize> {
        let influence = term.influence();
        let reach = if influence.is_empty() {
            influence
        } else {
            influence.expanded(self.lattice.longest())
        };
        let lattice = Arc::clone(&self.lattice);
        (0..lattice.page_count()).filter(move |page| lattice.page_bounds(*page).overlaps(&reach))
    }

    fn count(&mut self, term: &Term, by: i32) {
        let pages: Vec<usize> = self.pages_of(term).collect();
        for page in pages {
            self.acting[page] = (i32::from(self.acting[page]) + by).clamp(0, 65_535) as u16;
        }
    }

    /// Cost of the transition to a neighbour; infinite where a constraint forbids it.
    #[inline]
    pub fn cost(&mut self, state: u32, direction: usize, other: u32) -> f64 {
        let (owner, own) = if direction < OWN {
            (state, direction)
        } else {
            (other, direction - OWN)
        };
        if self.acting[owner as usize / PAGE] != 0 {
            let known = self.known(owner);
            if known.set != EMPTY && !known.costs[own].is_nan() {
                return f64::from(known.costs[own]);
            }
        }
        self.plain * self.lattice.step_length(state, direction, other)
    }

    /// Visits the neighbours of a state with the costs of the steps there, as far as they are not
    /// forbidden. Those that `before` leads to at no greater cost may be left out.
    #[inline]
    pub fn visit(&mut self, state: u32, before: Option<u32>, mut visit: impl FnMut(u32, f64)) {
        let is_plain = self.field.terms().is_empty()
            || (self.acting[state as usize / PAGE] == 0 && Plane::is_inside_page(state));
        if is_plain && let Lattice::Plane(plane) = &*self.lattice {
            let plain = self.plain;
            plane.visit(state, before, |other, length| visit(other, plain * length));
            return;
        }
        let mut open = self.lattice.open(state);
        while open != 0 {
            let direction = open.trailing_zeros() as usize;
            open &= open - 1;
            if let Some(other) = self.lattice.neighbour(state, direction) {
                let cost = self.cost(state, direction, other);
                if cost.is_finite() {
                    visit(other, cost);
                }
            }
        }
    }

    /// Whether constraints act around a state.
    #[inline]
    pub fn acts(&mut self, state: u32) -> bool {
        self.acting[state as usize / PAGE] != 0 && self.known(state).set != EMPTY
    }

    /// Σ|W_c| at a state.
    #[inline]
    pub fn size(&mut self, state: u32) -> f64 {
        if self.acting[state as usize / PAGE] == 0 {
            return 0.0;
        }
        f64::from(self.known(state).size)
    }

    /// Largest difference of ΣW_c along a transition of a state.
    #[inline]
    pub fn change(&mut self, state: u32) -> f64 {
        if self.acting[state as usize / PAGE] == 0 {
            return 0.0;
        }
        f64::from(self.known(state).change)
    }

    /// The constraints that act around a state, as indices into the field's terms.
    pub fn acting(&mut self, state: u32) -> &[u16] {
        let set = if self.acting[state as usize / PAGE] == 0 {
            EMPTY
        } else {
            self.known(state).set
        };
        &self.sets[set as usize]
    }

    #[inline]
    fn known(&mut self, state: u32) -> Known {
        let slot = self.touched.touch(state, &mut self.known, Known::STALE);
        let known = self.known[slot as usize];
        if known.set != STALE {
            return known;
        }
        let known = self.evaluate(state);
        self.known[slot as usize] = known;
        known
    }

    fn evaluate(&mut self, state: u32) -> Known {
        let p = self.lattice.point(state);
        let reach = self.lattice.longest();
        let around = Rect::around(p.truncate(), DVec2::splat(reach));
        let ends: [Option<DVec3>; OWN] = std::array::from_fn(|direction| {
            let other = self.lattice.neighbour(state, direction)?;
            Some(self.lattice.point(other))
        });
        let farthest = ends.iter().flatten().map(|q| q.distance(p));
        let farthest = farthest.fold(0.0, f64::max);
        let field = Arc::clone(&self.field);
        self.set.clear();
        let mut sums = Sums::new(p, &ends);
        for (term, index) in field.terms().iter().zip(0..) {
            if !term.influence().overlaps(&around) {
                continue;
            }
            let near = Surroundings::new(&term.region, p, farthest, term.reach() + reach);
            if near.is_within(term.reach() + reach) && term.region.is_at_height(p.z) {
                self.set.push(index);
                sums.add(term, &near, farthest);
            }
        }
        let set = self.number();
        if set == EMPTY {
            return Known {
                set,
                ..Known::STALE
            };
        }
        let mut known = Known {
            size: sums.size as f32,
            set,
            ..Known::STALE
        };
        for (direction, q) in ends.into_iter().enumerate() {
            let Some(q) = q else {
                continue;
            };
            let weights = &sums.along[direction];
            let cost = if sums.is_forbidden[direction] {
                f64::INFINITY
            } else if *weights == [0.0; PARTS] {
                f64::NAN
            } else {
                let multipliers = weights.iter().map(|sum| field.multiplier_of(*sum));
                p.distance(q) * multipliers.sum::<f64>() / PARTS as f64
            };
            // Never below the straight length, or estimates would be wrong.
            known.costs[direction] = rounded_up(cost);
            known.change = known
                .change
                .max((weights[PARTS - 1] - sums.here).abs() as f32);
        }
        known
    }

    /// The number of the set at hand.
    fn number(&mut self) -> u32 {
        if self.set.is_empty() {
            return EMPTY;
        }
        if let Some(number) = self.numbers.get(&self.set[..]) {
            return *number;
        }
        let set: Box<[u16]> = self.set[..].into();
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// Another field or lattice. Nothing is evaluated: what may have changed is forgotten. States up to
    /// `beyond` from where a constraint acts are among those that may have changed. Unit: metres.
    pub fn update(
        &mut self,
        lattice: &Arc<Lattice>,
        field: &Arc<Field>,
        beyond: f64,
    ) -> CostsChanged {
        let mut changed = CostsChanged::default();
        if !Arc::ptr_eq(&self.lattice, lattice) {
            let Some(states) = lattice.changed_since(&self.lattice) else {
                *self = Self::new(Arc::clone(lattice), Arc::clone(field));
                changed.is_everything = true;
                return changed;
            };
            let before = std::mem::replace(&mut self.lattice, Arc::clone(lattice));
            for state in states {
                changed.by_space.push(state);
                for direction in 0..DIRECTIONS {
                    let others = [&before, lattice].map(|l| l.neighbour(state, direction));
                    changed.by_space.extend(others.into_iter().flatten());
                }
            }
            changed.by_space.sort_unstable();
            changed.by_space.dedup();
            for state in &changed.by_space {
                self.forget(*state);
            }
        }
        match field.change_since(&self.field) {
            FieldChange::Nothing => self.field = Arc::clone(field),
            FieldChange::Base => {
                *self = Self::new(Arc::clone(lattice), Arc::clone(field));
                changed.is_everything = true;
            }
            FieldChange::Terms(changes) => {
                changed.by_field = self.change_terms(field, &changes, beyond);
            }
        }
        changed
    }

    fn forget(&mut self, state: u32) {
        if let Some(slot) = self.touched.slot(state) {
            self.known[slot as usize].set = STALE;
        }
    }

    /// Forgets the states that a change may reach, and lists them.
    fn change_terms(
        &mut self,
        field: &Arc<Field>,
        changes: &[TermChange],
        beyond: f64,
    ) -> Vec<u32> {
        for change in changes {
            if let Some(before) = &change.before {
                self.count(before, -1);
            }
            if let Some(after) = &change.after {
                self.count(after, 1);
            }
        }
        self.renumber(field);
        let lattice = Arc::clone(&self.lattice);
        let reach = lattice.longest() + beyond;
        let boxes: Vec<Rect> = changes
            .iter()
            .flat_map(TermChange::influence)
            .map(|influence| influence.expanded(reach))
            .collect();
        let mut changed = Vec::new();
        for page in 0..lattice.page_count() {
            let bounds = lattice.page_bounds(page);
            if !boxes.iter().any(|around| around.overlaps(&bounds)) {
                continue;
            }
            for state in (page * PAGE) as u32..((page + 1) * PAGE).min(lattice.len()) as u32 {
                let is_near = |p: DVec3| boxes.iter().any(|rect| rect.contains(p.truncate()));
                if lattice.is_state(state) && is_near(lattice.point(state)) {
                    self.forget(state);
                    changed.push(state);
                }
            }
        }
        changed
    }

    /// Sets refer to the terms of another field from now on.
    fn renumber(&mut self, field: &Arc<Field>) {
        let index_of: HashMap<u64, u16> = field
            .terms()
            .iter()
            .zip(0..)
            .map(|(term, index)| (term.key, index))
            .collect();
        let old = Arc::clone(&self.field);
        self.field = Arc::clone(field);
        self.numbers.clear();
        let renamed = |set: &[u16]| {
            let keys = set.iter().map(|index| old.terms()[usize::from(*index)].key);
            let mut set: Vec<u16> = keys.filter_map(|key| index_of.get(&key).copied()).collect();
            set.sort_unstable();
            set.into_boxed_slice()
        };
        let sets: Vec<Box<[u16]>> = self.sets.iter().map(|set| renamed(set)).collect();
        for (set, number) in sets.iter().zip(0..) {
            // Of sets that became equal, the first is used for new states.
            self.numbers.entry(set.clone()).or_insert(number);
        }
        self.sets = sets;
    }

    /// Bytes that grow with what is touched.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.touched.bytes() + size_of_val(&self.known[..])
    }

    /// Whether a forbidden region, now or before, acts around a state.
    pub fn is_forbidden_near(&mut self, state: u32) -> bool {
        let field = Arc::clone(&self.field);
        let is_hard = |i: &u16| field.terms()[usize::from(*i)].rule == FieldRule::Forbidden;
        self.acting(state).iter().any(is_hard)
    }
}

/// The least 32-bit number that is not below.
pub(super) fn rounded_up(cost: f64) -> f32 {
    let rounded = cost as f32;
    if f64::from(rounded) < cost {
        rounded.next_up()
    } else {
        rounded
    }
}
