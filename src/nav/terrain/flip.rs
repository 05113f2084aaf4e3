//! Flips sides until the triangulation is Delaunay again (Lawson 1972), except for constraint
//! edges.

use super::mesh::{NONE, TerrainMesh, Triangle};

impl TerrainMesh {
    /// Flips unconstrained sides, starting from these, until all are Delaunay.
    pub(super) fn flip_to_delaunay(&mut self, sides: Vec<(u32, usize)>) {
        let mut open: Vec<(u32, [u32; 2])> = sides
            .into_iter()
            .map(|(triangle, side)| (triangle, self.ends(triangle, side)))
            .collect();
        // Flipping terminates by itself; this guards against inconsistent tables.
        let mut left = 64 * self.len() + 64;
        while let Some((triangle, ends)) = open.pop() {
            left -= 1;
            if left == 0 {
                return;
            }
            let Some(i) = (0..3).find(|&i| self.ends(triangle, i) == ends) else {
                continue;
            };
            let Some(flipped) = self.flip(triangle, i) else {
                continue;
            };
            for triangle in flipped {
                open.extend((0..2).map(|i| (triangle, self.ends(triangle, i))));
            }
        }
    }

    fn ends(&self, triangle: u32, side: usize) -> [u32; 2] {
        let corners = self.triangles[triangle as usize].corners;
        [corners[side], corners[(side + 1) % 3]]
    }

    /// Flips the side between two triangles if the far corner of one is in the circumcircle of the
    /// other. Afterwards the last side of both triangles is the shared one.
    fn flip(&mut self, one: u32, i: usize) -> Option<[u32; 2]> {
        let first = self.triangles[one as usize];
        let first_border = self.is_border[one as usize];
        let other = first.beside[i];
        if first_border[i] || other == NONE {
            return None;
        }
        let second = self.triangles[other as usize];
        let second_border = self.is_border[other as usize];
        let j = (0..3).find(|&j| {
            second.beside[j] == one && second.corners[j] == first.corners[(i + 1) % 3]
        })?;
        if first.kind != second.kind {
            return None;
        }
        let (u, v, a) = (
            first.corners[i],
            first.corners[(i + 1) % 3],
            first.corners[(i + 2) % 3],
        );
        let b = second.corners[(j + 2) % 3];
        let coord = |index: u32| {
            let p = self.points[index as usize];
            robust::Coord { x: p.x, y: p.y }
        };
        if robust::incircle(coord(u), coord(v), coord(a), coord(b)) <= 0.0 {
            return None;
        }
        self.triangles[one as usize] = Triangle {
            corners: [a, u, b],
            beside: [first.beside[(i + 2) % 3], second.beside[(j + 1) % 3], other],
            kind: first.kind,
        };
        self.is_border[one as usize] =
            [first_border[(i + 2) % 3], second_border[(j + 1) % 3], false];
        self.triangles[other as usize] = Triangle {
            corners: [b, v, a],
            beside: [second.beside[(j + 2) % 3], first.beside[(i + 1) % 3], one],
            kind: second.kind,
        };
        self.is_border[other as usize] =
            [second_border[(j + 2) % 3], first_border[(i + 1) % 3], false];
        self.rename_beside(second.beside[(j + 1) % 3], [u, b], other, one);
        self.rename_beside(first.beside[(i + 1) % 3], [v, a], one, other);
        Some([one, other])
    }

    /// Updates the neighbour beyond the side with these ends.
    fn rename_beside(&mut self, triangle: u32, ends: [u32; 2], from: u32, to: u32) {
        if triangle == NONE {
            return;
        }
        let side = (0..3).find(|&i| self.ends(triangle, i) == [ends[1], ends[0]]);
        if let Some(side) = side {
            let beside = &mut self.triangles[triangle as usize].beside[side];
            debug_assert_eq!(*beside, from, "neighbours know each other");
            *beside = to;
        }
    }
}
