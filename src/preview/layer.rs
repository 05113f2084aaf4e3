//! What of a level is shown: layers by name, each on or off.

use super::primitive::{Plane, Primitive, Shape};
use std::{fmt, str::FromStr};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Layer {
    Bounds,
    Grid,
    Terrain,
    Solids,
    Obstacles,
    Annotations,
    Routes,
    Agents,
    Notes,
    Labels,
    /// The navigation layers: drawn where something was baked.
    FreeSpace,
    Trapezoids,
    Cells,
    Portals,
    /// Which obstacle is nearest.
    Regions,
    /// How far it is.
    Distances,
    Corridors,
    Spokes,
    MedialAxis,
    Search,
    Paths,
    Forces,
    /// What walkers leave out of their routes, and how they get to them.
    Skipped,
    /// What a walker sees of its route.
    Sight,
    /// What it could go to.
    Candidates,
    /// Voxels: what is solid.
    Occupied,
    /// What can be stood on.
    Surfaces,
    /// Where a body gets to.
    Reachable,
    /// Too near to walls and edges.
    Borders,
    /// What nobody may step on.
    Forbidden,
    /// How far each place is.
    Front,
    /// Where voxels and free space disagree.
    Lost,
}

impl Layer {
    pub const ALL: [Self; 32] = [
        Self::Bounds,
        Self::Grid,
        Self::Terrain,
        Self::Solids,
        Self::Obstacles,
        Self::Annotations,
        Self::Routes,
        Self::Agents,
        Self::Notes,
        Self::Labels,
        Self::FreeSpace,
        Self::Trapezoids,
        Self::Cells,
        Self::Portals,
        Self::Regions,
        Self::Distances,
        Self::Corridors,
        Self::Spokes,
        Self::MedialAxis,
        Self::Search,
        Self::Paths,
        Self::Forces,
        Self::Skipped,
        Self::Sight,
        Self::Candidates,
        Self::Occupied,
        Self::Surfaces,
        Self::Reachable,
        Self::Borders,
        Self::Forbidden,
        Self::Front,
        Self::Lost,
    ];

    /// Those that show a level in voxels.
    pub const VOXELS: [Self; 7] = [
        Self::Occupied,
        Self::Surfaces,
        Self::Reachable,
        Self::Borders,
        Self::Forbidden,
        Self::Front,
        Self::Lost,
    ];

    /// Those that show what was baked and planned.
    pub const NAVIGATION: [Self; 22] = [
        Self::FreeSpace,
        Self::Trapezoids,
        Self::Cells,
        Self::Portals,
        Self::Regions,
        Self::Distances,
        Self::Corridors,
        Self::Spokes,
        Self::MedialAxis,
        Self::Search,
        Self::Paths,
        Self::Forces,
        Self::Skipped,
        Self::Sight,
        Self::Candidates,
        Self::Occupied,
        Self::Surfaces,
        Self::Reachable,
        Self::Borders,
        Self::Forbidden,
        Self::Front,
        Self::Lost,
    ];

    /// As the command line spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bounds => "bounds",
            Self::Grid => "grid",
            Self::Terrain => "terrain",
            Self::Solids => "solids",
            Self::Obstacles => "obstacles",
            Self::Annotations => "annotations",
            Self::Routes => "routes",
            Self::Agents => "agents",
            Self::Notes => "notes",
            Self::Labels => "labels",
            Self::FreeSpace => "free-space",
            Self::Trapezoids => "trapezoids",
            Self::Cells => "cells",
            Self::Portals => "portals",
            Self::Regions => "regions",
            Self::Distances => "distances",
            Self::Corridors => "corridors",
            Self::Spokes => "spokes",
            Self::MedialAxis => "medial-axis",
            Self::Search => "search",
            Self::Paths => "paths",
            Self::Forces => "forces",
            Self::Skipped => "skipped",
            Self::Sight => "sight",
            Self::Candidates => "candidates",
            Self::Occupied => "occupied",
            Self::Surfaces => "surfaces",
            Self::Reachable => "reachable",
            Self::Borders => "borders",
            Self::Forbidden => "forbidden",
            Self::Front => "front",
            Self::Lost => "lost",
        }
    }

    /// The layer that switches a plane; the ground itself and overlays are always there.
    #[must_use]
    pub const fn of(plane: Plane) -> Option<Self> {
        Some(match plane {
            Plane::Ground | Plane::Regions | Plane::Playback | Plane::Moment | Plane::Overlay => {
                return None;
            }
            Plane::Terrain | Plane::Relief => Self::Terrain,
            Plane::Grid => Self::Grid,
            Plane::Bounds => Self::Bounds,
            Plane::SolidShadows | Plane::Solids => Self::Solids,
            Plane::ObstacleShadows | Plane::Obstacles | Plane::Motion => Self::Obstacles,
            Plane::Annotations => Self::Annotations,
            Plane::Routes => Self::Routes,
            Plane::Crowds | Plane::Missions | Plane::Agents => Self::Agents,
            Plane::Notes => Self::Notes,
            Plane::Labels => Self::Labels,
            Plane::OccupiedCells => Self::Occupied,
            Plane::SurfaceCells => Self::Surfaces,
            Plane::ReachableCells => Self::Reachable,
            Plane::BorderCells => Self::Borders,
            Plane::ForbiddenCells => Self::Forbidden,
            Plane::FrontCells => Self::Front,
            Plane::LostCells => Self::Lost,
            Plane::FreeSpace => Self::FreeSpace,
            Plane::Trapezoids => Self::Trapezoids,
            Plane::Cells => Self::Cells,
            Plane::Portals => Self::Portals,
            Plane::Corridors => Self::Corridors,
            Plane::Spokes => Self::Spokes,
            Plane::MedialAxis | Plane::Pinches => Self::MedialAxis,
            Plane::Search => Self::Search,
            Plane::Paths => Self::Paths,
            Plane::Forces => Self::Forces,
            Plane::Following => Self::Skipped,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a layer; the layers are {names}", names = Layer::ALL.map(Layer::name).join(", "))]
pub struct NotALayer(pub String);

impl FromStr for Layer {
    type Err = NotALayer;

    fn from_str(text: &str) -> Result<Self, NotALayer> {
        Self::ALL
            .into_iter()
            .find(|layer| layer.name() == text)
            .ok_or_else(|| NotALayer(text.to_owned()))
    }
}

/// A set of layers; all of them unless told otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layers(u64);

impl Layers {
    pub const ALL: Self = Self(u64::MAX);
    pub const NONE: Self = Self(0);

    #[must_use]
    pub const fn contains(self, layer: Layer) -> bool {
        self.0 & (1 << layer as u8) != 0
    }

    #[must_use]
    pub const fn with(self, layer: Layer) -> Self {
        Self(self.0 | 1 << layer as u8)
    }

    #[must_use]
    pub const fn without(self, layer: Layer) -> Self {
        Self(self.0 & !(1 << layer as u8))
    }

    pub const fn set(&mut self, layer: Layer, shown: bool) {
        *self = if shown {
            self.with(layer)
        } else {
            self.without(layer)
        };
    }

    #[must_use]
    pub fn shows(self, plane: Plane) -> bool {
        Layer::of(plane).is_none_or(|layer| self.contains(layer))
    }
}

impl Layers {
    /// A shape is shown if its plane is, and a label if what it names is as well.
    #[must_use]
    pub fn show(self, shape: &Shape) -> bool {
        let subject = match &shape.primitive {
            Primitive::Text(label) => label.rank.layer(),
            _ => None,
        };
        self.shows(shape.plane) && subject.is_none_or(|layer| self.contains(layer))
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromIterator<Layer> for Layers {
    fn from_iter<I: IntoIterator<Item = Layer>>(layers: I) -> Self {
        layers.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(Layer::ALL.into_iter().filter(|layer| self.contains(*layer)))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_layers() {
        for layer in Layer::ALL {
            assert_eq!(layer.name().parse(), Ok(layer));
        }
        let refusal = "walls".parse::<Layer>().expect_err("no such layer");
        assert_eq!(
            refusal.to_string(),
            "`walls` is not a layer; the layers are bounds, grid, terrain, solids, obstacles, \
             annotations, routes, agents, notes, labels, free-space, trapezoids, cells, portals, \
             regions, distances, corridors, spokes, medial-axis, search, paths, forces, skipped, \
             sight, candidates, occupied, surfaces, reachable, borders, forbidden, front, lost"
        );
    }

    #[test]
    fn a_layer_switched_off_takes_its_planes_with_it() {
        let layers = Layers::ALL.without(Layer::Obstacles);
        assert!(!layers.shows(Plane::ObstacleShadows) && !layers.shows(Plane::Motion));
        assert!(layers.shows(Plane::Solids) && layers.shows(Plane::Ground));
        assert_eq!(layers.with(Layer::Obstacles), Layers::ALL);
        assert!(Layers::NONE.shows(Plane::Overlay));
    }
}
