//! Walls: lines with a thickness, cut open where doors are.
//!
//! A wall blocks by its pieces, which are parts of the level in their own right (see
//! [`document::walls`](crate::document::walls)): obstacles that follow from the wall and its doors.

use super::{
    Door,
    check::{self, Checked},
    limits,
};
use crate::geometry::boolean::{intersection, union};
use crate::geometry::offset::{Ends, Join, stroke};
use crate::geometry::{Polygon, Polyline, Rect};
use glam::DVec2;

/// Corners are extended until their edges meet, unless the tip would be farther from the corner than
/// so many half thicknesses.
const MITRE_LIMIT: f64 = 4.0;
/// Pieces between openings that are shorter than this are left out. Unit: metres.
const SHORTEST_PIECE: f64 = 0.001;

#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Its centre line.
    pub line: Vec<DVec2>,
    /// The last point is joined to the first.
    pub closed: bool,
    /// Unit: metres.
    pub thickness: f64,
    /// Height of its underside above the ground. Unit: metres.
    pub base: f64,
    /// From its underside to its top. Unit: metres.
    pub height: f64,
}

/// A place in the middle of a wall: on its line, within one segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallPlace {
    pub segment: usize,
    /// Distance from the beginning of the segment. Unit: metres.
    pub along: f64,
}

/// Whether a wall that is not closed ends by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WallEnd {
    #[default]
    Free,
    /// Where another wall ends, too.
    Joined,
}

/// The parts of a line between gaps, which are in the order of their beginnings.
fn between(
    line: &Polyline,
    from: f64,
    gaps: impl Iterator<Item = [f64; 2]>,
) -> impl Iterator<Item = Vec<DVec2>> {
    gaps.scan(from, |end, gap| {
        let piece = (gap[0] - *end > SHORTEST_PIECE).then(|| line.part(*end, gap[0]));
        *end = end.max(gap[1]);
        Some(piece)
    })
    .flatten()
}

/// The line with its first and last segment made longer.
fn reaching_on(line: &Polyline, reach: [f64; 2]) -> Polyline {
    let mut points = line.points().to_vec();
    if let [first, second, ..] = points[..]
        && let Some(back) = (first - second).try_normalize()
    {
        points[0] = first + back * reach[0];
    }
    if let [.., before, last] = points[..]
        && let Some(on) = (last - before).try_normalize()
        && let Some(end) = points.last_mut()
    {
        *end = last + on * reach[1];
    }
    Polyline::new(points)
}

impl Wall {
    #[must_use]
    pub const fn new(line: Vec<DVec2>) -> Self {
        Self {
            line,
            closed: false,
            thickness: limits::WALL_THICKNESS.default,
            base: 0.0,
            height: limits::OBSTACLE_HEIGHT.default,
        }
    }

    /// Two corners cannot close.
    const fn is_loop(&self) -> bool {
        self.closed && self.line.len() > 2
    }

    /// The centre line from its first point to its last, which is the first again if it is closed.
    #[must_use]
    pub fn centre_line(&self) -> Polyline {
        if self.is_loop() {
            Polyline::closed(&self.line)
        } else {
            Polyline::new(self.line.iter().copied())
        }
    }

    /// The ends of every segment.
    pub fn segments(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let closing = self
            .is_loop()
            .then(|| Some([*self.line.last()?, *self.line.first()?]));
        self.line
            .windows(2)
            .map(|pair| [pair[0], pair[1]])
            .chain(closing.flatten())
    }

    /// The place nearest to a point, with its distance.
    #[must_use]
    pub fn nearest(&self, p: DVec2) -> Option<(WallPlace, f64)> {
        self.segments()
            .enumerate()
            .map(|(segment, [from, to])| {
                let foot = crate::geometry::polygon::closest_on_segment(from, to, p);
                let along = from.distance(foot);
                (WallPlace { segment, along }, foot.distance(p))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Both jambs of an opening around a place: as wide as asked, or as the segment is long, and
    /// moved so that it lies within the segment. `None` where there is no such segment.
    #[must_use]
    pub fn jambs(&self, place: WallPlace, width: f64) -> Option<[DVec2; 2]> {
        let [from, to] = self.segments().nth(place.segment)?;
        let length = from.distance(to);
        let direction = (to - from).try_normalize()?;
        let half = 0.5 * width.min(length);
        let middle = place.along.clamp(half, (length - half).max(half));
        Some([middle - half, middle + half].map(|along| from + direction * along))
    }

    /// The whole body, without openings.
    #[must_use]
    pub fn body(&self) -> Vec<Polygon> {
        let ends = if self.is_loop() {
            Ends::Closed
        } else {
            Ends::Flat
        };
        self.stroked(&self.line, ends)
    }

    /// What is left of the body between openings, each given by its jambs. Ends that are joined to
    /// those of other walls reach on by half the thickness, so that the corner is filled.
    #[must_use]
    pub fn pieces<'a>(
        &self,
        openings: impl IntoIterator<Item = &'a [DVec2; 2]>,
        ends: [WallEnd; 2],
    ) -> Vec<Polygon> {
        let line = self.centre_line();
        let length = line.length();
        let mut gaps: Vec<[f64; 2]> = openings
            .into_iter()
            .filter_map(|jambs| self.span_of(jambs))
            .filter(|[from, to]| to - from > SHORTEST_PIECE)
            .collect();
        gaps.sort_by(|a, b| a[0].total_cmp(&b[0]));
        if self.is_loop() {
            let Some(first) = gaps.first().copied() else {
                return self.body();
            };
            // Once around from behind the first gap; the last piece runs over the loop's first point.
            let again = [first[0] + length, first[1] + length];
            let twice = [line.points(), line.points()].concat();
            let line = Polyline::new(twice);
            let parts = between(&line, first[1], gaps[1..].iter().copied().chain([again]));
            return self.within(&self.body(), parts);
        }
        let reach = ends.map(|end| match end {
            WallEnd::Free => 0.0,
            WallEnd::Joined => 0.5 * self.thickness,
        });
        let line = reaching_on(&line, reach);
        let gaps = gaps.into_iter().map(|gap| gap.map(|at| at + reach[0]));
        let end = line.length();
        let body = self.stroked(line.points(), Ends::Flat);
        self.within(&body, between(&line, 0.0, gaps.chain([[end, end]])))
    }

    /// Parts of the line as thick as the wall. Beside a sharp corner, a flat end would stick out of
    /// the body.
    fn within(&self, body: &[Polygon], parts: impl Iterator<Item = Vec<DVec2>>) -> Vec<Polygon> {
        parts
            .flat_map(|part| {
                let piece = self.stroked(&part, Ends::Flat);
                if self.line.len() > 2 {
                    intersection(&piece, body)
                } else {
                    piece
                }
            })
            .collect()
    }

    /// From where to where along the centre line an opening reaches.
    fn span_of(&self, jambs: &[DVec2; 2]) -> Option<[f64; 2]> {
        let (place, _) = self.nearest(jambs[0].midpoint(jambs[1]))?;
        let before: f64 = self
            .segments()
            .take(place.segment)
            .map(|[a, b]| a.distance(b))
            .sum();
        let half = 0.5 * jambs[0].distance(jambs[1]);
        let middle = before + place.along;
        Some([middle - half, middle + half])
    }

    fn stroked(&self, line: &[DVec2], ends: Ends) -> Vec<Polygon> {
        let join = Join::Miter { limit: MITRE_LIMIT };
        let outlines = stroke(line, 0.5 * self.thickness, join, ends);
        if outlines.len() > 1 {
            union(&outlines)
        } else {
            outlines
        }
    }

    #[must_use]
    pub fn bounds(&self) -> Rect {
        Rect::of_points(&self.line).expanded(0.5 * self.thickness)
    }

    /// Whether a door stands in the wall: both jambs are on one segment of its line.
    #[must_use]
    pub fn holds(&self, door: &Door) -> bool {
        /// Positions are rounded to micrometres.
        const ROUNDING: f64 = 2e-6;
        self.segments().any(|[from, to]| {
            door.jambs.iter().all(|jamb| {
                let foot = crate::geometry::polygon::closest_on_segment(from, to, *jamb);
                foot.distance(*jamb) <= ROUNDING
            })
        })
    }

    pub(super) fn check(&self) -> Checked {
        check::points(&self.line, 2, "the wall's line")?;
        check::count(self.line.len(), limits::MAX_WALL_POINTS, "the wall's line")?;
        check::quantity(&limits::WALL_THICKNESS, self.thickness)?;
        check::quantity(&limits::ELEVATION, self.base)?;
        check::quantity(&limits::OBSTACLE_HEIGHT, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FREE: [WallEnd; 2] = [WallEnd::Free; 2];

    #[test]
    fn joined_ends_fill_the_corner() {
        let wall = Wall::new(vec![DVec2::ZERO, DVec2::new(3.0, 0.0)]);
        let pieces = wall.pieces([], [WallEnd::Joined, WallEnd::Free]);
        assert_eq!(pieces.len(), 1);
        assert_eq!(pieces[0].bounds().min, DVec2::new(-0.1, -0.1));
        assert_eq!(pieces[0].bounds().max, DVec2::new(3.0, 0.1));
        let door = [DVec2::new(1.0, 0.0), DVec2::new(2.0, 0.0)];
        let pieces = wall.pieces([&door], [WallEnd::Joined; 2]);
        assert!((area(&pieces) - 2.2 * 0.2).abs() < 1e-9);
    }

    fn room() -> Wall {
        Wall {
            closed: true,
            thickness: 0.2,
            ..Wall::new(vec![
                DVec2::new(0.0, 0.0),
                DVec2::new(6.0, 0.0),
                DVec2::new(6.0, 4.0),
                DVec2::new(0.0, 4.0),
            ])
        }
    }

    fn area(pieces: &[Polygon]) -> f64 {
        pieces.iter().map(Polygon::area).sum()
    }

    #[test]
    fn a_closed_wall_is_a_ring_with_mitred_corners() {
        let body = room().body();
        assert_eq!(body.len(), 1);
        assert_eq!(body[0].holes.len(), 1);
        assert!((body[0].area() - (6.2 * 4.2 - 5.8 * 3.8)).abs() < 1e-6);
    }

    #[test]
    fn openings_cut_a_closed_wall_into_as_many_pieces() {
        let wall = room();
        let place = |segment, along| WallPlace { segment, along };
        let jambs: Vec<[DVec2; 2]> = [place(0, 3.0), place(2, 1.0), place(3, 2.0)]
            .map(|at| wall.jambs(at, 1.0).expect("a segment"))
            .to_vec();
        for count in 1..=3 {
            let pieces = wall.pieces(&jambs[..count], FREE);
            assert_eq!(pieces.len(), count);
            let expected = area(&wall.body()) - 0.2 * count as f64;
            assert!((area(&pieces) - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn an_opening_is_kept_within_its_segment() {
        let wall = room();
        let at_the_corner = WallPlace {
            segment: 1,
            along: 0.1,
        };
        let [a, b] = wall.jambs(at_the_corner, 0.9).expect("a segment");
        assert!(a.distance(DVec2::new(6.0, 0.0)) < 1e-9);
        assert!((a.distance(b) - 0.9).abs() < 1e-9);
        let too_wide = wall.jambs(at_the_corner, 90.0).expect("a segment");
        assert!((too_wide[0].distance(too_wide[1]) - 4.0).abs() < 1e-9);
        assert_eq!(
            wall.jambs(
                WallPlace {
                    segment: 9,
                    along: 0.0
                },
                1.0
            ),
            None
        );
    }

    #[test]
    fn an_opening_over_the_whole_wall_leaves_nothing() {
        let wall = Wall::new(vec![DVec2::ZERO, DVec2::new(3.0, 0.0)]);
        let place = WallPlace {
            segment: 0,
            along: 1.0,
        };
        let all = wall.jambs(place, 5.0).expect("a segment");
        assert_eq!(wall.pieces([&all], FREE), []);
        assert_eq!(wall.pieces([&all, &all], FREE), []);
    }

    proptest! {
        #[test]
        fn whatever_the_line_pieces_are_the_body_without_openings(
            line in prop::collection::vec((-20..20, -20..20), 2..9),
            closed: bool,
            openings in prop::collection::vec((0..12_usize, 0.0..30.0, 0.1..3.0), 0..6),
            thickness in 0.05..1.5,
        ) {
            let line: Vec<DVec2> = line.into_iter().map(|(x, y): (i32, i32)| DVec2::new(x.into(), y.into())).collect();
            let wall = Wall { closed, thickness, ..Wall::new(line) };
            let jambs: Vec<[DVec2; 2]> = openings
                .into_iter()
                .filter_map(|(segment, along, width)| {
                    let count = wall.segments().count();
                    wall.jambs(WallPlace { segment: segment % count, along }, width)
                })
                .collect();
            let pieces = wall.pieces(&jambs, FREE);
            let body = wall.body();
            for piece in &pieces {
                prop_assert!(piece.area() > 0.0);
                prop_assert!(piece.outer.iter().all(|p| p.is_finite()));
                // A piece's flat end lies on the line, within the body.
                let outside = crate::geometry::boolean::difference(std::slice::from_ref(piece), &body);
                prop_assert!(area(&outside) < 0.02 * (1.0 + piece.area()), "{} outside", area(&outside));
            }
            // Nothing blocks in the middle of an opening of a wall that does not run over itself.
            if wall.segments().count() == 1 {
                for [a, b] in &jambs {
                    prop_assert!(!pieces.iter().any(|piece| piece.contains(a.midpoint(*b))));
                }
            }
        }
    }
}
