//! The layers that one frame of the 3D view shows besides the level's bodies. Each is made when
//! what it shows changes, and kept until then.
//!
//! Whoever has something more to show adds a [`Kept`] layer here: what it depends on, and how it
//! is made.

use super::voxel_space::VoxelSpace;
use crate::base::EntityId;
use crate::document::{Level, Selection, Settings};
use crate::editor::EditorState;
use crate::geometry::HeightField;
use crate::planner::missions::Plans;
use crate::planner::replay::Replay;
use crate::preview::Layer;
use crate::preview::Look;
use crate::preview::nav::SERIES;
use crate::preview::primitive::Ink;
use crate::preview::space::layer::rgba;
use crate::preview::space::signs::Signs;
use crate::preview::space::{Manner, Placed, SpaceLayer, SpaceScene};
use glam::{DAffine3, DVec3};
use std::sync::Arc;

/// An `Arc` by its address: the same only if it is the very same.
#[derive(Clone, Debug)]
pub struct Same<T>(pub Arc<T>);

impl<T> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A layer, and what it was made from.
#[derive(Debug)]
pub struct Kept<K> {
    made: Option<(K, Arc<SpaceLayer>)>,
}

impl<K> Default for Kept<K> {
    fn default() -> Self {
        Self { made: None }
    }
}

impl<K: PartialEq> Kept<K> {
    /// The layer for `of`, made anew only if that is another than before.
    pub fn layer(&mut self, of: K, make: impl FnOnce() -> SpaceLayer) -> Arc<SpaceLayer> {
        match &self.made {
            Some((known, layer)) if *known == of => Arc::clone(layer),
            _ => {
                let layer = Arc::new(make());
                self.made = Some((of, Arc::clone(&layer)));
                layer
            }
        }
    }

    pub fn forget(&mut self) {
        self.made = None;
    }
}

type Shown = (Same<Level>, Look);
/// Whose ways, in which state, at which moment, of whom alone, about which origin.
type Played = (Same<Replay>, Shown, f64, Option<EntityId>, DVec3);

/// What is kept between frames.
#[derive(Debug, Default)]
pub struct SpaceLayers {
    grid: Kept<(Same<Settings>, Option<Same<HeightField>>, Look)>,
    signs: Kept<(Shown, DVec3, Option<Same<SpaceScene>>)>,
    paths: Kept<(Same<Plans>, Shown, Option<Selection>, DVec3)>,
    highlights: Kept<(Same<SpaceScene>, Shown, Selection, Option<EntityId>)>,
    played: Kept<Played>,
    voxels: VoxelSpace,
}

impl SpaceLayers {
    /// Everything over the scene, in the order in which it is drawn.
    pub fn over(&mut self, state: &EditorState, scene: &Arc<SpaceScene>) -> Vec<Placed> {
        let document = state.document();
        let (level, selection) = (document.level(), document.selection());
        let palette = scene.look.palette();
        let origin = scene.origin;
        let shown: Shown = (Same(Arc::clone(level)), scene.look);
        let signs = Signs {
            level,
            palette,
            origin,
            floor: Some(scene),
        };
        let mut layers = Vec::new();
        if level.settings().grid.visible {
            let ground = level.ground().map(|field| Same(Arc::clone(field)));
            let of = (Same(Arc::clone(level.settings())), ground, scene.look);
            layers.push(self.grid.layer(of, || signs.grid()));
        }
        // Without ground people stand on bodies, which may arrive later.
        let floor = (!level.settings().has_ground).then(|| Same(Arc::clone(scene)));
        layers.push(
            self.signs
                .layer((shown.clone(), origin, floor), || signs.people_and_lines()),
        );
        let navigation = &state.navigation;
        if let Some(baked) = navigation.baked_for(level)
            && navigation.visible
            && navigation.layers.contains(Layer::Paths)
        {
            let plans = navigation.plans_of(baked);
            let of = (
                Same(Arc::clone(plans)),
                shown.clone(),
                Some(selection.clone()),
                origin,
            );
            layers.push(self.paths.layer(of, || {
                if navigation.all_paths {
                    return signs.paths(plans, selection);
                }
                let only: Plans = plans
                    .iter()
                    .filter(|(id, _)| selection.contains(**id))
                    .map(|(id, plan)| (*id, Arc::clone(plan)))
                    .collect();
                signs.paths(&only, selection)
            }));
        }
        layers.extend(self.voxels.over(state, scene));
        layers.extend(self.played(state, shown.clone(), origin));
        let hovered = state.view.hovered;
        let of = (Same(Arc::clone(scene)), shown, selection.clone(), hovered);
        layers.push(
            self.highlights
                .layer(of, || signs.highlights(scene, selection, hovered)),
        );
        let world = DAffine3::from_translation(origin);
        layers
            .into_iter()
            .filter(|layer| !layer.is_empty())
            .map(|layer| Placed {
                layer,
                placement: world,
            })
            .collect()
    }

    /// The agents that are played, where they are now.
    fn played(
        &mut self,
        state: &EditorState,
        shown: Shown,
        origin: DVec3,
    ) -> Option<Arc<SpaceLayer>> {
        let navigation = &state.navigation;
        let playback = &navigation.playback;
        if !playback.is_shown() {
            self.played.forget();
            return None;
        }
        let selected = state.selected_agent();
        let time = playback.head.time;
        // Beside the two methods, the plan itself would be a third one.
        if playback.ways(selected).is_some() {
            return Some(Arc::new(compared(state, selected?, origin, shown.1)));
        }
        let only = playback.only(selected);
        let replay = playback.replay()?;
        let of = (Same(Arc::clone(replay)), shown.clone(), time, only, origin);
        let level = state.document().level();
        Some(self.played.layer(of, || {
            let mut layer = SpaceLayer::new(Manner::Surface);
            let signs = Signs {
                level,
                palette: shown.1.palette(),
                origin,
                floor: None,
            };
            for (id, track) in replay.tracks() {
                let is_played = only.is_none_or(|only| only == *id);
                if !is_played || !level.is_visible(*id) {
                    continue;
                }
                if let Some(pose) = track.pose(time) {
                    signs.walker(*id, &pose, None, &mut layer);
                }
            }
            layer
        }))
    }
}

/// The selected agent by both methods: their ways, and where they are.
fn compared(state: &EditorState, agent: EntityId, origin: DVec3, look: Look) -> SpaceLayer {
    let mut layer = SpaceLayer::new(Manner::Surface);
    let playback = &state.navigation.playback;
    let signs = Signs {
        level: state.document().level(),
        palette: look.palette(),
        origin,
        floor: None,
    };
    let ways = playback
        .ways(Some(agent))
        .into_iter()
        .flat_map(|w| w.iter());
    for (way, colour) in ways.zip(SERIES) {
        let Ok(track) = &way.track else {
            continue;
        };
        let points = signs.over_ground(track.points());
        layer.polyline(&points, rgba(Ink::new(colour, 0.9)), 2.5);
        if let Some(pose) = track.pose(playback.head.time) {
            signs.walker(agent, &pose, Some(colour), &mut layer);
        }
    }
    layer
}
