//! An open list whose entries can be changed and removed: a binary heap that tracks the position of
//! each node.
//!
//! Searches that repair what they know, such as AD*, raise and lower keys and take nodes out. Those
//! that only ever lower them are faster with [`OpenList`](super::open_list::OpenList).

/// Not in the heap.
const ABSENT: u32 = u32::MAX;

/// Nodes from 0 up, ordered by key, then by node, so that the order is deterministic.
#[derive(Clone, Debug)]
pub struct KeyedHeap<K> {
    entries: Vec<(K, u32)>,
    /// By node, its index in `entries`.
    places: Vec<u32>,
}

impl<K> Default for KeyedHeap<K> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl<K: PartialOrd + Copy> KeyedHeap<K> {
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all nodes. Costs as much as there are entries, not nodes.
    pub fn clear(&mut self) {
        for (_, node) in self.entries.drain(..) {
            self.places[node as usize] = ABSENT;
        }
    }

    /// The key of a contained node.
    #[must_use]
    pub fn key(&self, node: u32) -> Option<K> {
        Some(self.entries[self.place(node)?].0)
    }

    #[must_use]
    pub fn contains(&self, node: u32) -> bool {
        self.place(node).is_some()
    }

    /// The least key and its node.
    #[must_use]
    pub fn first(&self) -> Option<(K, u32)> {
        self.entries.first().copied()
    }

    /// Inserts a node or changes its key.
    pub fn set(&mut self, node: u32, key: K) {
        if let Some(place) = self.place(node) {
            self.entries[place].0 = key;
            self.settle(place);
            return;
        }
        if self.places.len() <= node as usize {
            self.places.resize(node as usize + 1, ABSENT);
        }
        self.entries.push((key, node));
        self.settle(self.entries.len() - 1);
    }

    /// Removes a node and returns its key, if it was contained.
    pub fn remove(&mut self, node: u32) -> Option<K> {
        let place = self.place(node)?;
        let (key, _) = self.entries.swap_remove(place);
        self.places[node as usize] = ABSENT;
        if place < self.entries.len() {
            self.settle(place);
        }
        Some(key)
    }

    /// Removes the node with the least key.
    pub fn pop(&mut self) -> Option<(K, u32)> {
        let (key, node) = self.first()?;
        self.remove(node);
        Some((key, node))
    }

    /// Recomputes the key of every node at once.
    pub fn rekey(&mut self, mut key: impl FnMut(u32, K) -> K) {
        for (known, node) in &mut self.entries {
            *known = key(*node, *known);
        }
        for place in (0..self.entries.len()).rev() {
            self.sink(place);
        }
        for (place, (_, node)) in self.entries.iter().enumerate() {
            self.places[*node as usize] = place as u32;
        }
    }

    /// In no particular order.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().map(|(_, node)| *node)
    }

    fn place(&self, node: u32) -> Option<usize> {
        let place = self.places.get(node as usize).copied()?;
        (place != ABSENT).then_some(place as usize)
    }

    fn is_before(a: (K, u32), b: (K, u32)) -> bool {
        a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
    }

    /// Moves an entry up or down to where it belongs.
    fn settle(&mut self, place: usize) {
        if self.rise(place) == place {
            self.sink(place);
        }
    }

    fn rise(&mut self, mut place: usize) -> usize {
        let entry = self.entries[place];
        while place > 0 {
            let above = (place - 1) / 2;
            if !Self::is_before(entry, self.entries[above]) {
                break;
            }
            self.put(place, self.entries[above]);
            place = above;
        }
        self.put(place, entry);
        place
    }

    fn sink(&mut self, mut place: usize) {
        let entry = self.entries[place];
        loop {
            let left = 2 * place + 1;
            let Some(&first) = self.entries.get(left) else {
                break;
            };
            let (below, least) = match self.entries.get(left + 1) {
                Some(&right) if Self::is_before(right, first) => (left + 1, right),
                _ => (left, first),
            };
            if !Self::is_before(least, entry) {
                break;
            }
            self.put(place, least);
            place = below;
        }
        self.put(place, entry);
    }

    fn put(&mut self, place: usize, entry: (K, u32)) {
        self.entries[place] = entry;
        self.places[entry.1 as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Clone, Debug)]
    enum Deed {
        Set(u32, u8),
        Remove(u32),
        Pop,
        Rekey,
        Clear,
    }

    fn deed() -> impl Strategy<Value = Deed> {
        prop_oneof![
            8 => (0..24_u32, any::<u8>()).prop_map(|(node, key)| Deed::Set(node, key % 16)),
            3 => (0..24_u32).prop_map(Deed::Remove),
            4 => Just(Deed::Pop),
            1 => Just(Deed::Rekey),
            1 => Just(Deed::Clear),
        ]
    }

    fn check_invariants(heap: &KeyedHeap<(u8, u8)>) {
        for (place, entry) in heap.entries.iter().enumerate() {
            assert_eq!(heap.places[entry.1 as usize] as usize, place);
            assert!(place == 0 || !KeyedHeap::is_before(*entry, heap.entries[(place - 1) / 2]));
        }
        let known = heap.places.iter().filter(|place| **place != ABSENT);
        assert_eq!(known.count(), heap.len());
    }

    proptest! {
        #[test]
        fn it_answers_as_a_sorted_list_does(deeds in prop::collection::vec(deed(), 0..200)) {
            let mut heap = KeyedHeap::default();
            let mut list: BTreeMap<u32, (u8, u8)> = BTreeMap::new();
            let first = |list: &BTreeMap<u32, (u8, u8)>| {
                list.iter().map(|(node, key)| (*key, *node)).min()
            };
            for deed in deeds {
                match deed {
                    Deed::Set(node, key) => {
                        // Two halves, as AD*'s keys have.
                        let key = (key / 4, key % 4);
                        heap.set(node, key);
                        list.insert(node, key);
                    }
                    Deed::Remove(node) => prop_assert_eq!(heap.remove(node), list.remove(&node)),
                    Deed::Pop => {
                        let least = first(&list);
                        prop_assert_eq!(heap.pop(), least);
                        least.map(|(_, node)| list.remove(&node));
                    }
                    Deed::Rekey => {
                        let turned = |node: u32, (a, b): (u8, u8)| (3 - a, b ^ (node as u8 & 3));
                        heap.rekey(turned);
                        list.iter_mut().for_each(|(node, key)| *key = turned(*node, *key));
                    }
                    Deed::Clear => {
                        heap.clear();
                        list.clear();
                    }
                }
                check_invariants(&heap);
                prop_assert_eq!(heap.first(), first(&list));
                prop_assert_eq!(heap.len(), list.len());
                for node in 0..24 {
                    prop_assert_eq!(heap.key(node), list.get(&node).copied());
                }
            }
            let mut rest: Vec<_> = list.iter().map(|(node, key)| (*key, *node)).collect();
            rest.sort_unstable();
            let popped: Vec<_> = std::iter::from_fn(|| heap.pop()).collect();
            prop_assert_eq!(popped, rest);
        }
    }
}
