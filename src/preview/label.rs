//! Labels that do not collide: placed one after the other by rank, left out where there is no
//! room. The same labels at the same scale always give the same picture.

use super::layer::Layer;
use super::primitive::{Extent, Ink};
use crate::geometry::Rect;
use glam::DVec2;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The place it speaks of. Unit: metres.
    pub at: DVec2,
    pub text: String,
    /// Unit: pixels.
    pub size: f64,
    pub ink: Ink,
    pub halo: Ink,
    pub placement: Placement,
    pub rank: Rank,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Placement {
    /// Centred on its place, wherever that is.
    Centred,
    /// Centred on its place, if it fits into so many metres each way.
    Within { room: DVec2 },
    /// Right, left, above or below of its place, this far from it.
    Beside { gap: Extent },
    /// Above or below its place, this far from it: along lines that run from left to right.
    Above { gap: Extent },
}

/// Who comes first where two labels want one place: the larger rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    Region,
    Obstacle,
    Solid,
    Route,
    Crowd,
    Agent,
    Annotation,
    Note,
    /// What the designer is doing right now.
    Tool,
}

impl Rank {
    /// The layer that the labelled thing is on; tools' labels are on none.
    #[must_use]
    pub const fn layer(self) -> Option<Layer> {
        match self {
            Self::Region => Some(Layer::Terrain),
            Self::Obstacle => Some(Layer::Obstacles),
            Self::Solid => Some(Layer::Solids),
            Self::Route => Some(Layer::Routes),
            Self::Crowd | Self::Agent => Some(Layer::Agents),
            Self::Annotation => Some(Layer::Annotations),
            Self::Note => Some(Layer::Notes),
            Self::Tool => None,
        }
    }
}

/// Where a label came to stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Its index in the list given.
    pub index: usize,
    /// What it covers. Unit: pixels, y down.
    pub area: Rect,
}

/// Free space kept around each label. Unit: pixels.
const PADDING: DVec2 = DVec2::new(4.0, 2.0);
/// Letters are on average at least this wide, as a share of the text's size.
const NARROWEST: f64 = 0.22;
/// Places this far outside the picture are not worth measuring. Unit: pixels.
const FAR_OUTSIDE: f64 = 400.0;
/// Side of a bucket of the collision grid, about the size of a label. Unit: pixels.
const BUCKET: f64 = 96.0;

/// The picture that labels are placed on. Screen coordinates are pixels, y down.
pub struct Canvas<'a> {
    pub area: Rect,
    pub pixels_per_metre: f64,
    pub screen_from_world: &'a dyn Fn(DVec2) -> DVec2,
    /// Width and height of a text at a size, in pixels.
    pub measure: &'a dyn Fn(&str, f64) -> DVec2,
}

impl std::fmt::Debug for Canvas<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Canvas")
            .field("area", &self.area)
            .field("pixels_per_metre", &self.pixels_per_metre)
            .finish_non_exhaustive()
    }
}

/// Places what has room, in the order of the list given; `signs` are areas to keep clear, in
/// pixels.
#[must_use]
pub fn place<'l>(
    labels: impl IntoIterator<Item = &'l Label>,
    signs: impl IntoIterator<Item = Rect>,
    canvas: &Canvas<'_>,
) -> Vec<Placed> {
    let reach = canvas.area.expanded(FAR_OUTSIDE);
    let mut candidates: Vec<Candidate<'_>> = labels
        .into_iter()
        .enumerate()
        .filter(|(_, label)| may_fit(label, canvas.pixels_per_metre))
        .map(|(index, label)| Candidate {
            index,
            label,
            anchor: (canvas.screen_from_world)(label.at),
        })
        .filter(|candidate| reach.contains(candidate.anchor))
        .collect();
    candidates.sort_by_key(|candidate| (std::cmp::Reverse(candidate.label.rank), candidate.index));
    let mut taken = Taken::default();
    for sign in signs.into_iter().filter(|sign| reach.contains_rect(sign)) {
        taken.insert(sign);
    }
    let mut placed: Vec<Placed> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let area = free_place(&candidate, canvas, &taken)?;
            taken.insert(area);
            Some(Placed {
                index: candidate.index,
                area,
            })
        })
        .collect();
    placed.sort_by_key(|label| label.index);
    placed
}

/// A label that is near the picture and not too large for its place.
struct Candidate<'l> {
    index: usize,
    label: &'l Label,
    /// Unit: pixels.
    anchor: DVec2,
}

fn free_place(candidate: &Candidate<'_>, canvas: &Canvas<'_>, taken: &Taken) -> Option<Rect> {
    let Candidate { label, anchor, .. } = *candidate;
    let half = (canvas.measure)(&label.text, label.size) * 0.5;
    let centres = match label.placement {
        Placement::Centred => vec![anchor],
        Placement::Within { room } => {
            let room = room * canvas.pixels_per_metre;
            if half.x * 2.0 > room.x || half.y * 2.0 > room.y {
                return None;
            }
            // Off the middle by a line, where there is room for that.
            let shift = DVec2::new(0.0, half.y * 2.0 + PADDING.y);
            let slack = room.y > half.y * 2.0 + shift.y * 2.0;
            [anchor]
                .into_iter()
                .chain(
                    [anchor + shift, anchor - shift]
                        .into_iter()
                        .filter(|_| slack),
                )
                .collect()
        }
        Placement::Above { gap } => {
            let gap = gap.in_pixels(canvas.pixels_per_metre) + PADDING.y + 0.5;
            let shift = DVec2::new(0.0, gap + half.y);
            vec![anchor - shift, anchor + shift]
        }
        Placement::Beside { gap } => {
            let gap = gap.in_pixels(canvas.pixels_per_metre) + PADDING.x + 0.5;
            vec![
                anchor + DVec2::new(gap + half.x, 0.0),
                anchor - DVec2::new(gap + half.x, 0.0),
                anchor - DVec2::new(0.0, gap + half.y),
                anchor + DVec2::new(0.0, gap + half.y),
            ]
        }
    };
    centres
        .into_iter()
        .map(|centre| Rect::around(centre, half + PADDING))
        .find(|area| canvas.area.contains_rect(area) && taken.is_free(area))
}

/// False where the text cannot fit, however narrow its letters are: most labels of a large level
/// seen from afar, which need not be measured.
fn may_fit(label: &Label, pixels_per_metre: f64) -> bool {
    if label.text.is_empty() {
        return false;
    }
    match label.placement {
        Placement::Within { room } => {
            let narrowest = label.text.chars().count() as f64 * label.size * NARROWEST;
            room.y * pixels_per_metre >= label.size && room.x * pixels_per_metre >= narrowest
        }
        Placement::Centred | Placement::Beside { .. } | Placement::Above { .. } => true,
    }
}

#[derive(Default)]
struct Taken {
    buckets: BTreeMap<(i64, i64), Vec<Rect>>,
}

impl Taken {
    fn keys(area: &Rect) -> impl Iterator<Item = (i64, i64)> {
        let low = (area.min / BUCKET).floor().as_i64vec2();
        let high = (area.max / BUCKET).floor().as_i64vec2();
        (low.x..=high.x).flat_map(move |x| (low.y..=high.y).map(move |y| (x, y)))
    }

    fn is_free(&self, area: &Rect) -> bool {
        Self::keys(area)
            .filter_map(|key| self.buckets.get(&key))
            .flatten()
            .all(|other| !other.overlaps(area))
    }

    fn insert(&mut self, area: Rect) {
        for key in Self::keys(&area) {
            self.buckets.entry(key).or_default().push(area);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Colour, Random};

    fn label(at: DVec2, text: &str, placement: Placement, rank: Rank) -> Label {
        let ink = Ink::solid(Colour::hex(0));
        Label {
            at,
            text: text.to_owned(),
            size: 10.0,
            ink,
            halo: ink,
            placement,
            rank,
        }
    }

    fn placed(labels: &[Label]) -> Vec<Placed> {
        place(
            labels,
            [],
            &Canvas {
                area: Rect::new(DVec2::ZERO, DVec2::new(1000.0, 800.0)),
                pixels_per_metre: 10.0,
                screen_from_world: &|p| p * 10.0,
                measure: &|text, size| DVec2::new(text.len() as f64 * size * 0.5, size),
            },
        )
    }

    #[test]
    fn the_higher_rank_wins_a_contested_place() {
        let at = DVec2::splat(20.0);
        let labels = [
            label(at, "house", Placement::Centred, Rank::Obstacle),
            label(at, "note", Placement::Centred, Rank::Note),
        ];
        let indices: Vec<usize> = placed(&labels).iter().map(|p| p.index).collect();
        assert_eq!(indices, [1]);
    }

    #[test]
    fn a_label_beside_its_place_moves_to_a_free_side() {
        let at = DVec2::splat(20.0);
        let beside = Placement::Beside {
            gap: Extent::pixels(8.0),
        };
        let labels = vec![label(at, "a", beside, Rank::Agent); 5];
        let placed = placed(&labels);
        assert_eq!(placed.len(), 4, "{placed:?}");
        for (i, a) in placed.iter().enumerate() {
            for b in &placed[i + 1..] {
                assert!(!a.area.overlaps(&b.area));
            }
        }
    }

    #[test]
    fn a_label_too_wide_for_its_shape_or_off_the_picture_is_left_out() {
        let within = |x: f64| Placement::Within {
            room: DVec2::new(x, 2.0),
        };
        let labels = [
            label(DVec2::splat(20.0), "narrow", within(2.9), Rank::Solid),
            label(DVec2::splat(40.0), "wide", within(2.1), Rank::Solid),
            label(DVec2::splat(0.0), "edge", Placement::Centred, Rank::Solid),
            label(DVec2::splat(60.0), "", Placement::Centred, Rank::Solid),
        ];
        let indices: Vec<usize> = placed(&labels).iter().map(|p| p.index).collect();
        assert_eq!(indices, [1]);
    }

    #[test]
    fn no_two_of_many_overlap() {
        let mut random = Random::new(3);
        let labels: Vec<Label> = (0..400)
            .map(|_| {
                let at = random.point(DVec2::ZERO, DVec2::new(100.0, 80.0));
                label(at, "a label", Placement::Centred, Rank::Obstacle)
            })
            .collect();
        let placed = placed(&labels);
        assert!(placed.len() > 50);
        for (i, a) in placed.iter().enumerate() {
            for b in &placed[i + 1..] {
                assert!(!a.area.overlaps(&b.area));
            }
        }
    }
}
