//! Costs of a lattice's transitions under a field: evaluated when they are first read, and kept with
//! the set of constraints that act at each state.

use super::touched::Touched;
use crate::geometry::Rect;
use crate::nav::constraint::field::{FieldChange, TermChange};
use crate::nav::constraint::lattice::{DIRECTIONS, PAGE};
use crate::nav::constraint::plane::Plane;
use crate::nav::constraint::{Field, FieldRule, Lattice, Surroundings, Term};
use glam::{DVec2, DVec3};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Half of the directions belong to a state, the others to the neighbours there.
const OWN: usize = DIRECTIONS / 2;

/// What is known about a state where constraints may act.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    /// Costs of the transitions in the first four directions.
    costs: [f32; OWN],
    /// Σ|W_c| at the state.
    size: f32,
    /// Largest difference of ΣW_c to a neighbour.
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
}

/// What an update changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostsChanged {
    /// States from which some transition has another cost, appeared or vanished.
    pub states: Vec<u32>,
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
            if known.set != EMPTY {
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

    /// Largest difference of ΣW_c from a state to a neighbour.
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
        let spacing = self.lattice.spacing();
        let reach = self.lattice.longest();
        let around = Rect::around(p.truncate(), DVec2::splat(reach));
        let others: [Option<(u32, DVec3)>; OWN] = std::array::from_fn(|direction| {
            let other = self.lattice.neighbour(state, direction)?;
            Some((other, self.lattice.point(other)))
        });
        let farthest = others.iter().flatten().map(|(_, q)| q.distance(p));
        let farthest = farthest.fold(0.0, f64::max);
        let field = Arc::clone(&self.field);
        let mut set: Vec<u16> = Vec::new();
        let mut terms: Vec<(&Term, Surroundings<'_>)> = Vec::new();
        for (term, index) in field.terms().iter().zip(0..) {
            if !term.influence().overlaps(&around) {
                continue;
            }
            let near = Surroundings::new(&term.region, p, farthest, term.reach() + reach);
            if near.is_within(term.reach() + reach) && term.region.is_at_height(p.z) {
                set.push(index);
                terms.push((term, near));
            }
        }
        let number = self.number(&set);
        if number == EMPTY {
            return Known {
                set: EMPTY,
                ..Known::STALE
            };
        }
        let weights_at = |p: DVec3| {
            let weights = terms.iter().map(|(term, near)| term.weight_among(near, p));
            weights.fold((0.0, 0.0), |(sum, size), w| (sum + w, size + w.abs()))
        };
        let (sum, size) = weights_at(p);
        let mut known = Known {
            set: number,
            size: size as f32,
            ..Known::STALE
        };
        for (direction, other) in others.into_iter().enumerate() {
            let Some((_, q)) = other else {
                continue;
            };
            let acting = terms.iter().map(|(term, _)| *term);
            let step = spacing.max(p.distance(q));
            let cost = field.cost_by(acting, p, q, step, |at| weights_at(at).0);
            // Never below the straight length, or estimates would be wrong.
            known.costs[direction] = rounded_up(cost);
            known.change = known.change.max((weights_at(q).0 - sum).abs() as f32);
        }
        known
    }

    fn number(&mut self, set: &[u16]) -> u32 {
        if set.is_empty() {
            return EMPTY;
        }
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let set: Box<[u16]> = set.into();
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// Another field or lattice. `is_known` says which states a search has touched: others are not
    /// looked at.
    pub fn update(
        &mut self,
        lattice: &Arc<Lattice>,
        field: &Arc<Field>,
        is_known: impl Fn(u32) -> bool,
    ) -> CostsChanged {
        let everything = CostsChanged {
            is_everything: true,
            ..CostsChanged::default()
        };
        let mut changed = Vec::new();
        if !Arc::ptr_eq(&self.lattice, lattice) {
            let Some(states) = lattice.changed_since(&self.lattice) else {
                *self = Self::new(Arc::clone(lattice), Arc::clone(field));
                return everything;
            };
            let before = std::mem::replace(&mut self.lattice, Arc::clone(lattice));
            for state in states {
                changed.push(state);
                self.forget(state);
                for direction in 0..DIRECTIONS {
                    for lattice in [&before, lattice] {
                        if let Some(other) = lattice.neighbour(state, direction) {
                            changed.push(other);
                            self.forget(other);
                        }
                    }
                }
            }
        }
        match field.change_since(&self.field) {
            FieldChange::Nothing => {}
            FieldChange::Base => {
                *self = Self::new(Arc::clone(lattice), Arc::clone(field));
                return everything;
            }
            FieldChange::Terms(changes) => {
                self.change_terms(field, &changes, is_known, &mut changed);
            }
        }
        self.field = Arc::clone(field);
        changed.sort_unstable();
        changed.dedup();
        CostsChanged {
            states: changed,
            is_everything: false,
        }
    }

    fn forget(&mut self, state: u32) {
        if let Some(slot) = self.touched.slot(state) {
            self.known[slot as usize].set = STALE;
        }
    }

    fn change_terms(
        &mut self,
        field: &Arc<Field>,
        changes: &[TermChange],
        is_known: impl Fn(u32) -> bool,
        changed: &mut Vec<u32>,
    ) {
        let mut pages = BTreeSet::new();
        for change in changes {
            for term in [&change.before, &change.after].into_iter().flatten() {
                pages.extend(self.pages_of(term));
            }
        }
        let was_plain: Vec<bool> = pages.iter().map(|page| self.acting[*page] == 0).collect();
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
        let reach = lattice.longest();
        let boxes: Vec<Rect> = changes
            .iter()
            .flat_map(TermChange::influence)
            .map(|influence| influence.expanded(reach))
            .collect();
        for (page, was_plain) in pages.into_iter().zip(was_plain) {
            for state in (page * PAGE) as u32..((page + 1) * PAGE).min(lattice.len()) as u32 {
                if !lattice.is_state(state) {
                    continue;
                }
                let slot = self.touched.slot(state);
                let old = slot.map(|slot| self.known[slot as usize]);
                let old = old.filter(|old| old.set != STALE);
                let p = lattice.point(state);
                // What lies in these boxes and is not near is evaluated in no time.
                if !boxes.iter().any(|around| around.contains(p.truncate())) {
                    continue;
                }
                let others: [Option<u32>; OWN] =
                    std::array::from_fn(|direction| lattice.neighbour(state, direction));
                let is_used = is_known(state) || others.iter().flatten().any(|s| is_known(*s));
                if !is_used {
                    self.forget(state);
                    continue;
                }
                let new = self.evaluate(state);
                let slot = self.touched.touch(state, &mut self.known, Known::STALE);
                self.known[slot as usize] = new;
                for (direction, other) in others.into_iter().enumerate() {
                    let Some(other) = other else {
                        continue;
                    };
                    let plain = self.plain * lattice.step_length(state, direction, other);
                    let cost = |known: &Known| match known.set {
                        EMPTY => plain,
                        _ => f64::from(known.costs[direction]),
                    };
                    // What was read before constraints came near was plain. Of a state that is not
                    // known otherwise, it may have been read when they were far.
                    let before = if was_plain {
                        Some(plain)
                    } else {
                        old.as_ref().map(cost)
                    };
                    if before != Some(cost(&new)) {
                        changed.push(state);
                        changed.push(other);
                    }
                }
                if old.is_none_or(|old| (old.size, old.change) != (new.size, new.change)) {
                    changed.push(state);
                }
            }
        }
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
