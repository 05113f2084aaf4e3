//! The known name that is closest to a misspelt one.

/// The candidate with the fewest letters changed, added, left out or swapped with their neighbour;
/// `None` if all differ too much. A candidate that begins with what was written counts as near.
#[must_use]
pub fn nearest<'a>(
    written: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let written: Vec<char> = written.to_lowercase().chars().collect();
    let most = (written.len() / 3).clamp(1, 4);
    let mut best: Option<(usize, &str)> = None;
    for name in candidates {
        let letters: Vec<char> = name.to_lowercase().chars().collect();
        let limit = best.map_or(most, |(distance, _)| distance.saturating_sub(1));
        let is_beginning = written.len() >= 2 && letters.starts_with(&written);
        let distance = if is_beginning {
            Some(most)
        } else {
            distance(&written, &letters, limit)
        };
        if let Some(distance) = distance
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The restricted Damerau–Levenshtein distance; `None` if it exceeds `limit`.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        if row.iter().all(|cost| *cost > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["Grass", "Guard", "Town hall", "Wall", "Gate"];
        for (written, meant) in [
            ("Gras", Some("Grass")),
            ("gaurd", Some("Guard")),
            ("Town", Some("Town hall")),
            ("wal", Some("Wall")),
            ("Wharf", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, names), meant, "{written}");
        }
        assert_eq!(nearest("Gate", []), None);
    }
}
