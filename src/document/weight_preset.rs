//! Terrain weights of common kinds of agents, matched by terrain name.

use super::edit::Edit;
use super::model::{Kind, Level};
use crate::base::EntityId;

/// A set of terrain preferences for a profile.
///
/// The pedestrian follows Jaklin et al. 2013, Figure 8; adult and child follow Figure 1. Terrains
/// that the paper does not cover are weighted in the same spirit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WeightPreset {
    Pedestrian,
    Animal,
    Vehicle,
    Adult,
    Child,
}

/// Result of applying a preset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applied {
    /// One undo step.
    pub edits: Vec<Edit>,
    /// Terrains that now have the preset's weight.
    pub set: Vec<EntityId>,
    /// Terrains whose names the preset does not know; their weights are unchanged.
    pub kept: Vec<EntityId>,
}

struct Familiar {
    /// A name containing one of these; the first matching entry wins.
    words: &'static [&'static str],
    /// In the order of [`WeightPreset::ALL`].
    weights: [f64; 5],
}

const fn familiar(words: &'static [&'static str], weights: [f64; 5]) -> Familiar {
    Familiar { words, weights }
}

#[rustfmt::skip]
const FAMILIAR: [Familiar; 13] = [
    //                                                      pedestrian animal vehicle adult child
    familiar(&["crossing", "zebra"],                          [1.0, 8.0, 1.0, 2.0, 2.0]),
    familiar(&["sidewalk", "pavement", "paving", "plaza"],    [0.5, 8.0, 20.0, 1.0, 1.0]),
    familiar(&["puddle"],                                     [10.0, 1.0, 2.0, 10.0, 1.0]),
    familiar(&["mud", "swamp", "bog", "marsh"],               [40.0, 2.0, 20.0, 40.0, 2.0]),
    familiar(&["water", "river", "lake", "pond", "sea"],      [100.0, 10.0, 1000.0, 100.0, 50.0]),
    familiar(&["fallen", "log", "trunk", "tree"],             [30.0, 2.0, 200.0, 30.0, 1.0]),
    familiar(&["forest", "wood", "undergrowth", "bush"],      [30.0, 0.5, 200.0, 30.0, 30.0]),
    familiar(&["view", "lookout", "panoram"],                 [1.0, 4.0, 20.0, 1.0, 10.0]),
    familiar(&["path", "gravel", "track", "trail", "dirt"],   [2.0, 4.0, 4.0, 2.0, 2.0]),
    familiar(&["road", "street", "asphalt", "highway"],       [4.0, 10.0, 0.5, 10.0, 10.0]),
    familiar(&["sand", "beach", "desert"],                    [1.0, 2.0, 8.0, 2.0, 1.0]),
    familiar(&["grass", "lawn", "meadow", "field"],           [1.0, 1.0, 10.0, 6.0, 4.0]),
    familiar(&["floor", "parquet", "carpet", "tile", "stone"],[1.0, 6.0, 5.0, 1.0, 1.0]),
];

impl WeightPreset {
    pub const ALL: [Self; 5] = [
        Self::Pedestrian,
        Self::Animal,
        Self::Vehicle,
        Self::Adult,
        Self::Child,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pedestrian => "Pedestrian",
            Self::Animal => "Animal",
            Self::Vehicle => "Vehicle",
            Self::Adult => "Adult",
            Self::Child => "Child",
        }
    }

    /// What it prefers and avoids.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Pedestrian => "Prefers sidewalks, crosses roads if necessary, avoids mud",
            Self::Animal => "Stays in the forest, leaves it if necessary, avoids roads",
            Self::Vehicle => "Stays on the road",
            Self::Adult => "Prefers paths and views, walks around puddles and fallen trees",
            Self::Child => "Prefers puddles and fallen trees, ignores views",
        }
    }

    /// The weight for a terrain of this name; `None` for an unknown name.
    #[must_use]
    pub fn weight_on(self, terrain: &str) -> Option<f64> {
        let name = terrain.to_lowercase();
        let knows = |entry: &&Familiar| entry.words.iter().any(|word| name.contains(word));
        let entry = FAMILIAR.iter().find(knows)?;
        entry.weights.get(self as usize).copied()
    }

    /// Sets these weights on profiles for all terrains with known names.
    #[must_use]
    pub fn apply(self, level: &Level, profiles: impl IntoIterator<Item = EntityId>) -> Applied {
        let mut applied = Applied::default();
        let mut weights = Vec::new();
        for (id, entity, _) in level.terrains() {
            match self.weight_on(&entity.name) {
                Some(weight) => {
                    applied.set.push(id);
                    weights.push((id, weight));
                }
                None => applied.kept.push(id),
            }
        }
        for id in profiles {
            let Some(entity) = level.get(id) else {
                continue;
            };
            let mut entity = (**entity).clone();
            if let Kind::Profile(profile) = &mut entity.kind {
                profile.terrain_weights.extend(weights.iter().copied());
                applied.edits.push(Edit::replace(id, entity));
            }
        }
        applied
    }
}

/// Removes the profiles' own weights, so that the terrains' weights apply.
#[must_use]
pub fn own_weights_removed(
    level: &Level,
    profiles: impl IntoIterator<Item = EntityId>,
) -> Vec<Edit> {
    profiles
        .into_iter()
        .filter_map(|id| {
            let mut entity = (**level.get(id)?).clone();
            match &mut entity.kind {
                Kind::Profile(profile) if !profile.terrain_weights.is_empty() => {
                    profile.terrain_weights.clear();
                    Some(Edit::replace(id, entity))
                }
                _ => None,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::template::{Options, Template};
    use crate::document::{limits, ops};

    #[test]
    fn every_weight_is_within_the_limits() {
        for entry in &FAMILIAR {
            for weight in entry.weights {
                assert_eq!(limits::TERRAIN_WEIGHT.check(weight), Ok(()));
            }
            for word in entry.words {
                assert_eq!(
                    *word,
                    word.to_lowercase(),
                    "names are compared in lower case"
                );
            }
        }
    }

    #[test]
    fn the_papers_weights_are_those_of_its_figures() {
        for (preset, name, weight) in [
            (WeightPreset::Pedestrian, "Sidewalk", 0.5),
            (WeightPreset::Pedestrian, "Main road", 4.0),
            (WeightPreset::Pedestrian, "Mud", 40.0),
            (WeightPreset::Pedestrian, "Grass", 1.0),
            (WeightPreset::Adult, "Undergrowth", 30.0),
            (WeightPreset::Adult, "Gravel", 2.0),
            (WeightPreset::Adult, "Puddle", 10.0),
            (WeightPreset::Adult, "Fallen tree", 30.0),
            (WeightPreset::Adult, "Panoramic view", 1.0),
            (WeightPreset::Child, "Puddle", 1.0),
            (WeightPreset::Child, "Fallen tree", 1.0),
            (WeightPreset::Child, "Panoramic view", 10.0),
        ] {
            assert_eq!(preset.weight_on(name), Some(weight), "{preset:?} {name}");
        }
        assert_eq!(WeightPreset::Child.weight_on("Lava"), None);
        assert_eq!(WeightPreset::Child.weight_on(""), None);
    }

    #[test]
    fn every_terrain_of_the_templates_has_a_familiar_name() {
        for template in Template::ALL {
            let level = template.build(&Options::default()).expect("valid");
            for (_, entity, _) in level.terrains() {
                for preset in WeightPreset::ALL {
                    assert!(preset.weight_on(&entity.name).is_some(), "{}", entity.name);
                }
            }
        }
    }

    #[test]
    fn a_preset_changes_only_the_profile_and_can_be_reset() {
        let template = Template::by_name("forest").expect("a sample");
        let level = template.build(&Options::default()).expect("valid");
        let (profile, ..) = level.profiles().next().expect("there are some");
        let (terrain, ..) = level.terrains().next().expect("there are some");
        let applied = WeightPreset::Animal.apply(&level, [profile, terrain]);
        assert_eq!(
            applied.edits.len(),
            1,
            "a terrain has no weights of its own"
        );
        assert!(applied.kept.is_empty());
        let after = ops::apply(&level, &applied.edits).expect("within the limits");
        for id in &applied.set {
            let name = level.label(*id);
            let weight = WeightPreset::Animal.weight_on(&name).expect("familiar");
            assert_eq!(after.terrain_weight(profile, *id), weight, "{name}");
        }
        let edits = own_weights_removed(&after, [profile, terrain]);
        let bare = ops::apply(&after, &edits).expect("valid");
        for (id, _, terrain) in bare.terrains() {
            assert_eq!(bare.terrain_weight(profile, id), terrain.weight);
        }
        assert!(own_weights_removed(&bare, [profile]).is_empty());
    }
}
