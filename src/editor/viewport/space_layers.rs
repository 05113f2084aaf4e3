//! The layers that one frame of the 3D view shows besides the level's bodies. Each is made when
//! what it shows changes, and kept until then.

use super::voxel_space::VoxelSpace;
use crate::base::EntityId;
use crate::document::{Level, Selection, Settings};
use crate::editor::EditorState;
use crate::editor::overlay_scene::{HiddenAgents, ViewOf};
use crate::geometry::HeightField;
use crate::preview::crowd::CrowdView;
use crate::preview::overlays::SpaceDrawing;
use crate::preview::space::signs::Signs;
use crate::preview::space::{Placed, SpaceLayer, SpaceScene};
use crate::preview::{Look, OverlayId, OverlayScene};
use crate::sim::Moment;
use glam::{DAffine3, DVec3};
use std::collections::{BTreeMap, BTreeSet};
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
    /// The layer for `of`, rebuilt only if that changed.
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
/// In which state of the level, about which origin, on which floor, and which agents are under way.
type People = (Shown, DVec3, Option<Same<SpaceScene>>, BTreeSet<EntityId>);
/// Which agents, in which state of the level, about which origin.
type Played = (Same<Moment>, ViewKey, Shown, DVec3);

/// How people are shown, compared by what is drawn of it.
#[derive(Clone, Debug)]
struct ViewKey(CrowdView);

impl PartialEq for ViewKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&other.0)
    }
}

/// An overlay, and all that it was drawn from.
#[derive(Debug)]
struct Drawn {
    inputs: OverlayScene,
    /// With the look and the origin.
    scene: Arc<SpaceScene>,
    level: Arc<Level>,
    layers: Vec<Arc<SpaceLayer>>,
}

/// What is kept between frames.
#[derive(Debug, Default)]
pub struct SpaceLayers {
    grid: Kept<(Same<Settings>, Option<Same<HeightField>>, Look)>,
    signs: Kept<People>,
    overlays: BTreeMap<OverlayId, Drawn>,
    hidden: HiddenAgents,
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
        let moment = state.navigation.player.moment(state.selected_agent());
        let under_way = moment
            .as_ref()
            .map(|moment| moment.ids())
            .unwrap_or_default();
        let of = (shown.clone(), origin, floor, under_way.clone());
        let people = || signs.people_and_lines(&under_way);
        layers.push(self.signs.layer(of, people));
        layers.extend(self.overlays(state, scene, &signs));
        layers.extend(self.voxels.over(state, scene));
        match moment {
            Some(moment) => {
                let view = state.navigation.player.crowd_view();
                let key = ViewKey(view.clone());
                let of = (Same(Arc::clone(&moment)), key, shown.clone(), origin);
                layers.push(self.played.layer(of, || signs.moment(&moment, &view)));
            }
            None => self.played.forget(),
        }
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

    /// The overlays that are drawn in space, but for cells.
    fn overlays(
        &mut self,
        state: &EditorState,
        scene: &Arc<SpaceScene>,
        signs: &Signs<'_>,
    ) -> Vec<Arc<SpaceLayer>> {
        let navigation = &state.navigation;
        let shown = navigation.shown_overlays();
        self.overlays.retain(|id, _| shown.contains(*id));
        let document = state.document();
        let (level, selection) = (document.level(), document.selection());
        let view = ViewOf::default();
        let inputs = navigation.overlay_scene(level, selection, view, &mut self.hidden);
        let mut layers = Vec::new();
        for row in shown.rows() {
            let SpaceDrawing::Layers(draw) = row.space else {
                continue;
            };
            let inputs = inputs.restricted(row.inputs);
            let is_current = |known: &Drawn| {
                known.inputs.is_same(&inputs)
                    && Arc::ptr_eq(&known.scene, scene)
                    && Arc::ptr_eq(&known.level, level)
            };
            if !self.overlays.get(&row.id).is_some_and(is_current) {
                let mut made = Vec::new();
                draw(&inputs, signs, &mut made);
                let drawn = Drawn {
                    inputs,
                    scene: Arc::clone(scene),
                    level: Arc::clone(level),
                    layers: made.into_iter().map(Arc::new).collect(),
                };
                self.overlays.insert(row.id, drawn);
            }
            let drawn = self.overlays.get(&row.id);
            layers.extend(drawn.into_iter().flat_map(|drawn| drawn.layers.clone()));
        }
        layers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{
        Agent, Document, Edit, Entity, Goal, Heading, Kind, Mission, Profile, ops,
    };
    use crate::jobs::JobContext;
    use crate::nav::NavBundle;
    use crate::planner::{PlannedLevel, Slopes, missions};

    fn lines(placed: &[Placed]) -> usize {
        placed.iter().map(|placed| placed.layer.lines.len()).sum()
    }

    #[test]
    fn paths_in_space_are_of_all_agents_or_of_those_selected_as_soon_as_that_is_switched() {
        let mut mission = Mission::new(EntityId::new(1));
        mission.goals = vec![Goal::At(DVec3::new(90.0, 50.0, 0.0))];
        let agent = Agent {
            start: DVec3::new(10.0, 50.0, 0.0),
            heading: Heading::default(),
            mission,
        };
        let profile = Kind::Profile(Profile::default());
        let edits = [
            Edit::create(EntityId::new(1), Entity::new("Adult", profile)),
            Edit::create(EntityId::new(2), Entity::new("Walker", Kind::Agent(agent))),
        ];
        let level = ops::apply(&Level::default(), &edits).expect("valid");
        let mut state = EditorState::with_document(Document::new(level, EntityId::new(3)));
        let level = Arc::clone(state.document().level());
        let ctx = JobContext::default();
        let request = missions::bake_request(Arc::clone(&level));
        let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
        let planned = PlannedLevel::plan(bundle, None, Slopes::default(), &ctx);
        state
            .navigation
            .set_baked(Arc::new(planned.expect("not cancelled")));
        let scene = SpaceScene::build(None, level, Arc::default(), Look::Dark, &ctx);
        let scene = Arc::new(scene.expect("not cancelled"));
        let mut layers = SpaceLayers::default();
        let with_all = lines(&layers.over(&state, &scene));
        state.navigation.all_paths = false;
        let selected_only = lines(&layers.over(&state, &scene));
        assert!(selected_only < with_all, "nothing is selected");
        state.navigation.all_paths = true;
        assert_eq!(lines(&layers.over(&state, &scene)), with_all);
        state.navigation.visible = false;
        assert_eq!(lines(&layers.over(&state, &scene)), selected_only);
    }
}
