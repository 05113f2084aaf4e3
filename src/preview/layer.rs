//! The parts of a level's own drawing, each on or off.

use super::primitive::{Plane, Primitive, Shape};
use std::fmt;

/// A part of the level itself; what can be switched on over it is an
/// [overlay](super::overlays).
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
}

impl Layer {
    pub const ALL: [Self; 10] = [
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
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == name)
    }

    /// The layer that switches a plane. The ground itself is always drawn, and overlays are drawn
    /// only where they are shown.
    #[must_use]
    pub const fn of(plane: Plane) -> Option<Self> {
        Some(match plane {
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
            _ => return None,
        })
    }
}

/// A set of layers; all of them unless told otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layers(u16);

impl Layers {
    pub const ALL: Self = Self(u16::MAX);
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
            assert_eq!(Layer::named(layer.name()), Some(layer));
        }
        assert_eq!(Layer::named("walls"), None);
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
