//! The Voronoi diagram of line segments: which segment, or end of one, is nearest to a point.
//!
//! Built by the crate `boostvoronoi` (a sweep with exact decisions on 32-bit integers) on the 1 mm
//! [lattice](super::lattice), centred on the input: the whole range of ±10⁶ m fits at full
//! resolution. The sweep has known weaknesses in rare inputs, so its output is verified: panics are
//! caught, every vertex is measured against its sites, and an input that fails is tried again
//! rotated and mirrored, which is exact on integers.

use super::{
    Polygon,
    boolean::{Combine, combine},
    lattice::{self, Collinear},
    polygon::closest_on_segment,
    predicates::{Meeting, meeting},
};
use boostvoronoi::prelude as boost;
use glam::DVec2;
use rayon::prelude::*;
use rstar::{
    AABB, RTree,
    primitives::{GeomWithData, Rectangle},
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Half of the widest input that fits the sweep's 32-bit coordinates with a bit to spare. Unit:
/// lattice steps.
const HALF_RANGE: i64 = 1 << 30;

/// Tolerance on the difference of the distances from a vertex to its sites. The sweep guarantees
/// some 10⁻¹³ of the coordinates; wrong topology shows as errors many orders larger. Unit: lattice
/// steps.
const SOUND: f64 = 0.01;

/// Minimum number of segments checked per parallel task.
const CHECKED_TOGETHER: usize = 256;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VoronoiError {
    #[error("a coordinate is not a finite number; remove that corner")]
    NotFinite,
    #[error("the segments span more than 2147 km; draw them closer together")]
    TooLarge,
    #[error("segments meet at {at}, which is not an end of both; unite the areas first")]
    NotPlanar { at: DVec2 },
    #[error("the Voronoi diagram could not be computed; move a corner by some millimetres")]
    Failed,
}

/// What a cell of the diagram surrounds: the open interior of an input segment, or an end point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Index into [`Diagram::segments`]; for an end shared by several, any of them.
    pub segment: u32,
    pub part: SitePart,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SitePart {
    Start,
    End,
    Inside,
}

/// A border between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Indices into [`Diagram::vertices`]; `None` where the edge is unbounded.
    pub ends: [Option<u32>; 2],
    /// The sites on the left and right going from `ends[0]` to `ends[1]`.
    pub sites: [Site; 2],
    /// Between a segment and its own end: not equidistant from two obstacles.
    pub is_secondary: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// The input on the lattice, without duplicates and single points.
    pub segments: Vec<[DVec2; 2]>,
    /// For each of the segments, its index in the input.
    pub sources: Vec<u32>,
    pub vertices: Vec<DVec2>,
    pub edges: Vec<Edge>,
}

impl Site {
    /// The point of the site nearest to `p`. `segments` must be the list its index refers to.
    #[must_use]
    pub fn closest(self, segments: &[[DVec2; 2]], p: DVec2) -> DVec2 {
        let [a, b] = segments[self.segment as usize];
        match self.part {
            SitePart::Start => a,
            SitePart::End => b,
            SitePart::Inside => closest_on_segment(a, b, p),
        }
    }
}

impl Diagram {
    /// The point of a site nearest to `p`.
    #[must_use]
    pub fn closest(&self, site: Site, p: DVec2) -> DVec2 {
        site.closest(&self.segments, p)
    }
}

/// The edges of the united areas as segments suitable for [`voronoi`]: they meet only at their ends
/// and have the interior on their left.
#[must_use]
pub fn outlines(areas: &[Polygon]) -> Vec<[DVec2; 2]> {
    combine(Combine::Union, areas, &[], Collinear::Keep)
        .iter()
        .flat_map(Polygon::edges)
        .map(|(a, b)| [a, b])
        .collect()
}

/// The diagram of segments that meet only at their ends once snapped to the lattice.
///
/// # Errors
/// Coordinates out of range, segments that cross, touch or overlap elsewhere, or an input the sweep
/// cannot handle.
pub fn voronoi(input: &[[DVec2; 2]]) -> Result<Diagram, VoronoiError> {
    let lattice = Snapped::of(input)?;
    lattice.check_planar()?;
    lattice.swept()
}

/// Distinct segments of non-zero length on the lattice; they meet only at their ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planar(Vec<[DVec2; 2]>);

impl Planar {
    /// # Errors
    /// Coordinates out of range, or segments that cross, touch or overlap elsewhere.
    pub fn new(input: &[[DVec2; 2]]) -> Result<Self, VoronoiError> {
        let lattice = Snapped::of(input)?;
        lattice.check_planar()?;
        Ok(Self(lattice.metres()))
    }

    #[must_use]
    pub fn segments(&self) -> &[[DVec2; 2]] {
        &self.0
    }

    /// The segments at `indices`, in that order, without duplicates.
    #[must_use]
    pub fn some(&self, indices: &[u32]) -> Self {
        Self(indices.iter().map(|&i| self.0[i as usize]).collect())
    }

    /// Their diagram.
    ///
    /// # Errors
    /// The sweep cannot handle the input.
    pub fn voronoi(&self) -> Result<Diagram, VoronoiError> {
        Snapped::of(&self.0)?.swept()
    }
}

/// The input on the lattice, relative to its centre.
struct Snapped {
    middle: [i64; 2],
    segments: Vec<[[i32; 2]; 2]>,
    sources: Vec<u32>,
}

impl Snapped {
    fn of(input: &[[DVec2; 2]]) -> Result<Self, VoronoiError> {
        if input.iter().flatten().any(|p| !p.is_finite()) {
            return Err(VoronoiError::NotFinite);
        }
        if input.iter().flatten().any(|p| !lattice::is_in_range(*p)) {
            return Err(VoronoiError::TooLarge);
        }
        let nodes = || input.iter().flatten().map(|p| lattice::node(*p));
        let span = |of: fn(&lattice::Node) -> i64| {
            let least = nodes().map(|n| of(&n)).min().unwrap_or(0);
            let most = nodes().map(|n| of(&n)).max().unwrap_or(0);
            (most - least <= 2 * HALF_RANGE).then_some(least + (most - least) / 2)
        };
        let middle = span(|n| n.x)
            .zip(span(|n| n.y))
            .map(|(x, y)| [x, y])
            .ok_or(VoronoiError::TooLarge)?;
        let local = |p: DVec2| {
            let node = lattice::node(p);
            // In range: at most half the span from the centre.
            [(node.x - middle[0]) as i32, (node.y - middle[1]) as i32]
        };
        let mut all: Vec<([[i32; 2]; 2], u32)> = input
            .iter()
            .zip(0..)
            .map(|(&[a, b], source)| ([local(a), local(b)], source))
            .filter(|([a, b], _)| a != b)
            .collect();
        all.sort_by_key(|&([a, b], source)| ([a.min(b), a.max(b)], source));
        all.dedup_by_key(|&mut ([a, b], _)| [a.min(b), a.max(b)]);
        all.sort_by_key(|&(_, source)| source);
        Ok(Self {
            middle,
            segments: all.iter().map(|one| one.0).collect(),
            sources: all.iter().map(|one| one.1).collect(),
        })
    }

    fn swept(&self) -> Result<Diagram, VoronoiError> {
        (0..8)
            .find_map(|number| Symmetry::numbered(number).build(self))
            .ok_or(VoronoiError::Failed)
    }

    fn metres(&self) -> Vec<[DVec2; 2]> {
        (0..self.segments.len())
            .map(|i| self.ends(i).map(|p| self.world(p)))
            .collect()
    }

    fn world(&self, p: DVec2) -> DVec2 {
        (p + DVec2::new(self.middle[0] as f64, self.middle[1] as f64)) / lattice::PER_METRE
    }

    /// End points in lattice steps from the centre, exact in `f64`.
    fn ends(&self, segment: usize) -> [DVec2; 2] {
        self.segments[segment].map(|[x, y]| DVec2::new(f64::from(x), f64::from(y)))
    }

    fn check_planar(&self) -> Result<(), VoronoiError> {
        let leaf = |i: usize| {
            let corners = self.ends(i).map(|p| p.to_array());
            GeomWithData::new(Rectangle::from_corners(corners[0], corners[1]), i)
        };
        let tree = RTree::bulk_load((0..self.segments.len()).map(leaf).collect());
        let fault_at = |i: usize| {
            let [a, b] = self.ends(i);
            let around = AABB::from_corners(a.to_array(), b.to_array());
            tree.locate_in_envelope_intersecting(around)
                .filter(|other| other.data > i)
                .find_map(|other| self.fault(i, other.data))
        };
        let fault = (0..self.segments.len())
            .into_par_iter()
            .with_min_len(CHECKED_TOGETHER)
            .find_map_first(fault_at);
        fault.map_or(Ok(()), |p| {
            Err(VoronoiError::NotPlanar { at: self.world(p) })
        })
    }

    /// Where two segments meet although they must not.
    fn fault(&self, one: usize, other: usize) -> Option<DVec2> {
        let ([a, b], [c, d]) = (self.ends(one), self.ends(other));
        match meeting(a, b, c, d) {
            Meeting::Apart => None,
            Meeting::Touching(p) => {
                let is_common = (p == a || p == b) && (p == c || p == d);
                (!is_common).then_some(p)
            }
            Meeting::Crossing(p) | Meeting::Overlapping(p, _) => Some(p),
        }
    }
}

/// One of the eight symmetries of a square.
#[derive(Clone, Copy)]
struct Symmetry {
    swap: bool,
    flip: [bool; 2],
}

impl Symmetry {
    const fn numbered(number: u8) -> Self {
        Self {
            swap: number & 1 != 0,
            flip: [number & 2 != 0, number & 4 != 0],
        }
    }

    fn forward(self, [x, y]: [i32; 2]) -> [i32; 2] {
        let [x, y] = if self.swap { [y, x] } else { [x, y] };
        let sign = |flip, value: i32| if flip { -value } else { value };
        [sign(self.flip[0], x), sign(self.flip[1], y)]
    }

    fn back(self, p: DVec2) -> DVec2 {
        let sign = |flip, value: f64| if flip { -value } else { value };
        let p = DVec2::new(sign(self.flip[0], p.x), sign(self.flip[1], p.y));
        if self.swap { DVec2::new(p.y, p.x) } else { p }
    }

    const fn mirrors(self) -> bool {
        self.swap ^ self.flip[0] ^ self.flip[1]
    }

    /// The diagram of the input under this symmetry; `None` if the sweep failed or its result is
    /// wrong.
    fn build(self, input: &Snapped) -> Option<Diagram> {
        let turned = input
            .segments
            .iter()
            .map(|&[a, b]| boost::Line::<i32>::from([self.forward(a), self.forward(b)]));
        let sweep = || {
            boost::Builder::<i32>::default()
                .with_segments(turned)?
                .build()
        };
        let swept = catch_unwind(AssertUnwindSafe(sweep)).ok()?.ok()?;
        self.read(input, &swept)
    }

    fn read(self, input: &Snapped, swept: &boost::Diagram) -> Option<Diagram> {
        let count = input.segments.len();
        let inside = |cell: &&boost::Cell| cell.source_category() == boost::SourceCategory::Segment;
        if swept.cells().iter().filter(inside).count() != count {
            return None;
        }
        let site = |half_edge: &boost::Edge| {
            let (source, category) = swept.cell(half_edge.cell().ok()?).ok()?.source_index_2();
            let part = match category {
                boost::SourceCategory::SegmentStart => SitePart::Start,
                boost::SourceCategory::SegmentEnd => SitePart::End,
                boost::SourceCategory::Segment => SitePart::Inside,
                boost::SourceCategory::SinglePoint => return None,
            };
            let segment = source.u32();
            ((segment as usize) < count).then_some(Site { segment, part })
        };
        let local: Vec<DVec2> = swept
            .vertices()
            .iter()
            .map(|v| self.back(DVec2::new(v.x(), v.y())))
            .collect();
        let mut edges = Vec::with_capacity(swept.edges().len() / 2);
        for half_edge in swept.edges() {
            let twin = swept.edge(half_edge.twin().ok()?).ok()?;
            if twin.id().u32() < half_edge.id().u32() {
                continue;
            }
            let mut sites = [site(half_edge)?, site(twin)?];
            if self.mirrors() {
                sites.reverse();
            }
            let ends = [half_edge, twin].map(|e| e.vertex0().map(boost::VertexIndex::u32));
            edges.push(Edge {
                ends,
                sites,
                is_secondary: half_edge.is_secondary(),
            });
        }
        let sound = edges.iter().all(|edge| {
            edge.ends.iter().flatten().all(|&end| {
                local
                    .get(end as usize)
                    .is_some_and(|&v| is_sound(input, edge, v))
            })
        });
        sound.then(|| Diagram {
            segments: input.metres(),
            sources: input.sources.clone(),
            vertices: local.into_iter().map(|p| input.world(p)).collect(),
            edges,
        })
    }
}

/// Whether a vertex is equidistant from both sites of one of its edges.
fn is_sound(input: &Snapped, edge: &Edge, vertex: DVec2) -> bool {
    let distance = |site: Site| {
        let [a, b] = input.ends(site.segment as usize);
        let closest = match site.part {
            SitePart::Start => a,
            SitePart::End => b,
            SitePart::Inside => closest_on_segment(a, b, vertex),
        };
        closest.distance(vertex)
    };
    if !vertex.is_finite() {
        return false;
    }
    // Vertices far outside are where nearly parallel edges meet. Nothing depends on them, and their
    // rounding error grows with their distance.
    let reach = vertex.abs().max_element() / HALF_RANGE as f64;
    let [left, right] = edge.sites.map(distance);
    (left - right).abs() <= SOUND * reach.max(1.0).powi(2)
}

#[cfg(test)]
mod symmetries;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{
        Rect,
        hostile::{any_polygon, small_point, small_polygon},
    };
    use proptest::prelude::*;

    fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    fn nearest(diagram: &Diagram, at: DVec2) -> f64 {
        diagram
            .segments
            .iter()
            .map(|&[a, b]| closest_on_segment(a, b, at).distance(at))
            .fold(f64::INFINITY, f64::min)
    }

    /// Every vertex is equidistant from the sites around it, and nothing is nearer.
    fn assert_exact(diagram: &Diagram) {
        let extent = Rect::of_points(diagram.segments.iter().flatten());
        let size = extent.size().max_element();
        // Beside needles that span thousands of kilometres the sweep is off by decimetres: its
        // integers have too few digits for their directions.
        let tolerance = if size < 1e5 { 1e-9 } else { 1e-6 } * size;
        for edge in &diagram.edges {
            for &end in edge.ends.iter().flatten() {
                let v = diagram.vertices[end as usize];
                if !extent.contains(v) {
                    continue;
                }
                let least = nearest(diagram, v);
                for site in edge.sites {
                    let distance = diagram.closest(site, v).distance(v);
                    let off = (distance - least).abs();
                    assert!(off <= tolerance, "{edge:?} {v}: {off} of {size}");
                }
            }
        }
    }

    #[test]
    fn nothing_has_no_diagram_and_one_segment_only_borders_with_its_own_ends() {
        assert_eq!(voronoi(&[]), Ok(Diagram::default()));
        assert_eq!(voronoi(&[[DVec2::ONE; 2]]), Ok(Diagram::default()));
        let one = voronoi(&[[p(0.0, 0.0), p(4.0, 3.0)]]).expect("a segment");
        assert_eq!((one.segments.len(), one.sources.len()), (1, 1));
        assert!(one.edges.iter().all(|edge| edge.is_secondary));
        assert!(!one.edges.is_empty());
    }

    #[test]
    fn a_square_has_one_vertex_in_its_middle() {
        let square = Polygon::rect(Rect::new(DVec2::ZERO, DVec2::splat(4.0)));
        let diagram = voronoi(&outlines(&[square])).expect("a square");
        let middle = diagram
            .vertices
            .iter()
            .filter(|v| v.distance(DVec2::splat(2.0)) < 1e-9);
        assert_eq!(middle.count(), 1);
        assert_exact(&diagram);
    }

    #[test]
    fn the_sites_of_an_edge_lie_on_their_stated_sides() {
        let blocks: Vec<Polygon> = (0..3_i32)
            .map(|i| {
                Polygon::regular(
                    p(f64::from(i) * 5.0, f64::from(i * i)),
                    1.5,
                    5 + i as usize,
                    0.3,
                )
            })
            .collect();
        let diagram = voronoi(&outlines(&blocks)).expect("three blocks");
        let mut seen = 0;
        for edge in diagram.edges.iter().filter(|edge| !edge.is_secondary) {
            let (Some(from), Some(to)) = (edge.ends[0], edge.ends[1]) else {
                continue;
            };
            let (from, to) = (
                diagram.vertices[from as usize],
                diagram.vertices[to as usize],
            );
            if from.distance(to) < 1e-6 {
                continue;
            }
            let middle = from.midpoint(to);
            let [left, right] = edge.sites.map(|site| diagram.closest(site, middle));
            assert!((to - from).perp_dot(left - right) > 0.0, "{edge:?}");
            seen += 1;
        }
        assert!(seen > 10);
    }

    #[test]
    fn every_symmetry_gives_an_equal_diagram() {
        let blocks = [
            Polygon::regular(p(0.0, 0.0), 3.0, 5, 0.1),
            Polygon::regular(p(8.0, 1.0), 2.0, 7, 0.4),
        ];
        let input = Snapped::of(&outlines(&blocks)).expect("in range");
        let sorted = |diagram: &Diagram| {
            let mut edges: Vec<_> = diagram
                .edges
                .iter()
                .filter(|edge| !edge.is_secondary)
                .map(|edge| {
                    let mut sites = edge.sites.map(|site| {
                        // A shared end is identified by its position: any of its segments may
                        // represent it.
                        let at = diagram.closest(site, DVec2::splat(1e3));
                        (
                            (at * 1000.0).round().as_i64vec2().to_array(),
                            site.part == SitePart::Inside,
                        )
                    });
                    sites.sort();
                    sites
                })
                .collect();
            edges.sort();
            edges
        };
        let first = Symmetry::numbered(0).build(&input).expect("sound");
        for number in 1..8 {
            let other = Symmetry::numbered(number).build(&input).expect("sound");
            assert_eq!(sorted(&first), sorted(&other), "symmetry {number}");
            assert_exact(&other);
        }
    }

    #[test]
    fn the_whole_range_of_coordinates_fits_at_full_resolution() {
        let far = crate::geometry::MAX_COORDINATE;
        let areas = [Polygon {
            outer: Polygon::rect(Rect::around(DVec2::ZERO, DVec2::splat(far))).outer,
            holes: vec![Polygon::regular(p(-0.9 * far, 0.9 * far), 3.0, 5, 0.0).outer],
        }];
        let diagram = voronoi(&outlines(&areas)).expect("in range");
        assert_eq!(diagram.segments.len(), 9);
        assert_exact(&diagram);
    }

    #[test]
    fn invalid_segments_are_rejected_with_a_reason() {
        let cross = [[p(0.0, 0.0), p(4.0, 4.0)], [p(0.0, 4.0), p(4.0, 0.0)]];
        assert_eq!(
            voronoi(&cross),
            Err(VoronoiError::NotPlanar { at: p(2.0, 2.0) })
        );
        let tee = [[p(0.0, 0.0), p(4.0, 0.0)], [p(2.0, 0.0), p(2.0, 3.0)]];
        assert!(matches!(voronoi(&tee), Err(VoronoiError::NotPlanar { .. })));
        let nan = [[p(0.0, f64::NAN), p(4.0, 0.0)]];
        assert_eq!(voronoi(&nan), Err(VoronoiError::NotFinite));
        let wide = [[p(-1.2e6, 0.0), p(1.2e6, 0.0)]];
        assert_eq!(voronoi(&wide), Err(VoronoiError::TooLarge));
        let twice = [[p(0.0, 0.0), p(4.0, 0.0)], [p(4.0, 0.0), p(0.0, 0.0)]];
        assert_eq!(voronoi(&twice).map(|d| d.segments.len()), Ok(1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn hostile_outlines_have_exact_diagrams(
            a in small_polygon(), b in small_polygon(), c in any_polygon()
        ) {
            for areas in [vec![a.clone(), b.clone()], vec![a, b, c]] {
                let diagram = voronoi(&outlines(&areas));
                prop_assert!(diagram.is_ok(), "{:?}", diagram);
                assert_exact(&diagram.expect("just looked"));
            }
        }

        #[test]
        fn loose_segments_give_a_diagram_or_a_reason(
            ends in prop::collection::vec((small_point(), small_point()), 0..12)
        ) {
            let segments: Vec<_> = ends.into_iter().map(|(a, b)| [a, b]).collect();
            match voronoi(&segments) {
                Ok(diagram) => assert_exact(&diagram),
                Err(error) => prop_assert!(
                    matches!(error, VoronoiError::NotPlanar { .. }), "{error}"
                ),
            }
        }
    }
}
