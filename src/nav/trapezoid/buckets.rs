//! Bucket sort by small integers, in linear time.

/// The items in bucket order; stable within a bucket.
pub(super) fn bucketed<T: Copy + Default>(
    buckets: usize,
    items: impl Iterator<Item = T> + Clone,
    bucket_of: impl Fn(&T) -> u32,
) -> Vec<T> {
    let mut next = vec![0_u32; buckets + 1];
    for item in items.clone() {
        next[bucket_of(&item) as usize + 1] += 1;
    }
    for i in 1..next.len() {
        next[i] += next[i - 1];
    }
    let mut sorted = vec![T::default(); next[buckets] as usize];
    for item in items {
        let place = &mut next[bucket_of(&item) as usize];
        sorted[*place as usize] = item;
        *place += 1;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_by_bucket_and_otherwise_as_they_came() {
        let items = [(2, 'a'), (0, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        let mut expected = items;
        expected.sort_by_key(|(bucket, _)| *bucket);
        assert_eq!(bucketed(3, items.into_iter(), |item| item.0), expected);
        assert!(bucketed(0, std::iter::empty::<u32>(), |item| *item).is_empty());
    }
}
