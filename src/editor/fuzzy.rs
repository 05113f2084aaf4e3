//! Fuzzy matching of names.

/// How well `query` matches `text`, and the matched characters; `None` if it does not.
///
/// The letters must occur in order. Letters at word starts and adjacent letters score higher; a
/// shorter text beats a longer one.
#[must_use]
pub fn score(query: &str, text: &str) -> Option<(i32, Vec<usize>)> {
    const WORD_START: i32 = 12;
    const CONSECUTIVE: i32 = 14;
    const MET: i32 = 2;

    let text: Vec<char> = text.chars().collect();
    let lower: Vec<char> = text.iter().flat_map(|c| c.to_lowercase().take(1)).collect();
    let query: Vec<char> = query
        .chars()
        .filter(|c| !c.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect();
    let is_start = |at: usize| at == 0 || !text[at - 1].is_alphanumeric();

    // best[i][j]: the best score of the first i letters with the i-th matched at j.
    let mut best: Vec<Vec<Option<(i32, usize)>>> = Vec::with_capacity(query.len());
    for (i, letter) in query.iter().enumerate() {
        let mut row = vec![None; lower.len()];
        // The best match of the previous letter to the left of this one.
        let mut before: Option<(i32, usize)> = None;
        for j in 0..lower.len() {
            let here = MET + if is_start(j) { WORD_START } else { 0 };
            if lower[j] == *letter {
                row[j] = if i == 0 {
                    Some((here, 0))
                } else {
                    let adjacent = j
                        .checked_sub(1)
                        .and_then(|k| Some((best[i - 1][k]?.0 + CONSECUTIVE, k)));
                    adjacent
                        .into_iter()
                        .chain(before)
                        .max_by_key(|(points, _)| *points)
                        .map(|(points, from)| (points + here, from))
                };
            }
            if i > 0
                && let Some((points, _)) = best[i - 1][j]
                && before.is_none_or(|(most, _)| points > most)
            {
                before = Some((points, j));
            }
        }
        best.push(row);
    }
    let Some(last) = best.last() else {
        return Some((0, Vec::new()));
    };
    let (mut at, points) = last
        .iter()
        .enumerate()
        .filter_map(|(j, cell)| Some((j, (*cell)?.0)))
        .max_by_key(|(j, points)| (*points, std::cmp::Reverse(*j)))?;
    let mut met = vec![at];
    for row in best.iter().skip(1).rev() {
        at = row[at]?.1;
        met.push(at);
    }
    met.reverse();
    Some((points * 4 - text.len() as i32, met))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'a>(query: &str, names: &[&'a str]) -> Option<&'a str> {
        names
            .iter()
            .filter_map(|name| Some((score(query, name)?.0, *name)))
            .max_by_key(|(points, _)| *points)
            .map(|(_, name)| name)
    }

    #[test]
    fn initials_and_beginnings_win() {
        let names = ["Save", "Save as…", "Select all", "Screenshot", "Align left"];
        assert_eq!(best("sa", &names), Some("Save"));
        assert_eq!(best("saa", &names), Some("Save as…"));
        assert_eq!(best("sel", &names), Some("Select all"));
        assert_eq!(best("al", &names), Some("Align left"));
        assert_eq!(best("zq", &names), None);
    }

    #[test]
    fn the_letters_met_spell_the_query_in_order() {
        let text = "Distribute across";
        let (_, met) = score("d ac", text).expect("fits");
        let letters: String = met.iter().filter_map(|at| text.chars().nth(*at)).collect();
        assert_eq!(letters, "Dac");
        assert!(met.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(score("", text).map(|(_, met)| met), Some(vec![]));
    }
}
