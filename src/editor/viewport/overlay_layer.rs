//! Overlays over the plan as triangles, each kept until something that it reads changes.

use crate::preview::label::Label;
use crate::preview::mesh::{Mesh, Tessellator};
use crate::preview::overlays::PlanDrawing;
use crate::preview::{Look, OverlayId, OverlayScene, Overlays, Plane, Primitive, Shape};
use glam::DVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Numbers above all that the level's own triangles get.
const FIRST_REVISION: u64 = 1 << 62;

/// One overlay, and what it was drawn from.
#[derive(Debug)]
struct Part {
    scene: OverlayScene,
    look: Look,
    origin: DVec2,
    meshes: Vec<(Plane, u64, Arc<Mesh>)>,
    /// What is written, and from which scale on. Unit: points per metre.
    labels: Vec<(Label, f64)>,
}

#[derive(Debug)]
pub struct OverlayLayer {
    parts: BTreeMap<OverlayId, Part>,
    next_revision: u64,
}

impl Default for OverlayLayer {
    fn default() -> Self {
        Self {
            parts: BTreeMap::new(),
            next_revision: FIRST_REVISION,
        }
    }
}

impl OverlayLayer {
    /// Brings all that is shown up to date. What is painted pixel by pixel, and cells of the voxel
    /// grid, have layers of their own.
    pub fn update(&mut self, shown: &Overlays, scene: &OverlayScene, look: Look, origin: DVec2) {
        self.parts.retain(|id, _| shown.contains(*id));
        for row in shown.rows() {
            let PlanDrawing::Shapes(draw) = row.plan else {
                continue;
            };
            let scene = scene.restricted(row.inputs);
            let is_current = |part: &Part| {
                part.scene.is_same(&scene) && (part.look, part.origin) == (look, origin)
            };
            if self.parts.get(&row.id).is_some_and(is_current) {
                continue;
            }
            let mut shapes: Vec<Shape> = Vec::new();
            draw(&scene, look.palette(), &mut shapes);
            let part = self.part(shapes, scene, look, origin);
            self.parts.insert(row.id, part);
        }
    }

    fn part(&mut self, shapes: Vec<Shape>, scene: OverlayScene, look: Look, origin: DVec2) -> Part {
        let mut meshes: BTreeMap<Plane, Mesh> = BTreeMap::new();
        let mut labels = Vec::new();
        let mut tessellator = Tessellator::new(origin);
        for shape in shapes {
            match shape.primitive {
                Primitive::Text(label) => labels.push((label, shape.min_scale)),
                _ => tessellator.add(&shape, meshes.entry(shape.plane).or_default()),
            }
        }
        let meshes = meshes.into_iter().map(|(plane, mesh)| {
            let revision = self.next_revision;
            self.next_revision += 1;
            (plane, revision, Arc::new(mesh))
        });
        Part {
            scene,
            look,
            origin,
            meshes: meshes.collect(),
            labels,
        }
    }

    /// Every part with the number of its triangles.
    pub fn parts(&self) -> impl Iterator<Item = (Plane, u64, &Arc<Mesh>)> {
        let meshes = self.parts.values().flat_map(|part| &part.meshes);
        meshes.map(|(plane, revision, mesh)| (*plane, *revision, mesh))
    }

    /// What is written beside it at a scale. Unit: points per metre.
    pub fn labels(&self, scale: f64) -> impl Iterator<Item = &Label> {
        self.parts
            .values()
            .flat_map(|part| &part.labels)
            .filter(move |(_, min_scale)| scale >= *min_scale)
            .map(|(label, _)| label)
    }

    /// The overlays of which something is drawn.
    pub fn drawn(&self) -> impl Iterator<Item = OverlayId> {
        self.parts
            .iter()
            .filter(|(_, part)| part.meshes.iter().any(|(.., mesh)| !mesh.is_empty()))
            .map(|(id, _)| *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::EntityId;
    use crate::document::{
        Agent, Edit, Entity, Goal, Heading, Kind, Level, Mission, Profile, Selection, ops,
    };
    use crate::editor::navigation::Navigation;
    use crate::editor::overlay_scene::{HiddenAgents, ViewOf};
    use crate::jobs::JobContext;
    use crate::nav::NavBundle;
    use crate::planner::{PlannedLevel, Slopes, missions};
    use glam::DVec3;

    const WALKER: EntityId = EntityId::new(2);

    fn corners(layer: &OverlayLayer) -> usize {
        layer.parts().map(|(.., mesh)| mesh.indices.len()).sum()
    }

    #[test]
    fn a_hidden_agents_path_is_gone_before_anything_is_baked_anew() {
        let mut mission = Mission::new(EntityId::new(1));
        mission.goals = vec![Goal::At(DVec3::new(90.0, 50.0, 0.0))];
        let mut walker = Entity::new(
            "Walker",
            Kind::Agent(Agent {
                start: DVec3::new(10.0, 50.0, 0.0),
                heading: Heading::default(),
                mission,
            }),
        );
        let profile = Entity::new("Adult", Kind::Profile(Profile::default()));
        let edits = [
            Edit::create(EntityId::new(1), profile),
            Edit::create(WALKER, walker.clone()),
        ];
        let level = Arc::new(ops::apply(&Level::default(), &edits).expect("valid"));
        let ctx = JobContext::default();
        let request = missions::bake_request(Arc::clone(&level));
        let bundle = NavBundle::bake(request, &ctx).expect("not cancelled");
        let baked = PlannedLevel::plan(bundle, None, Slopes::default(), &ctx);
        let baked = baked.expect("not cancelled");
        let mut navigation = Navigation::default();
        navigation.set_baked(Arc::new(baked));
        let mut layer = OverlayLayer::default();
        let mut hidden = HiddenAgents::default();
        let nothing = Selection::default();
        let mut update = |level: &Arc<Level>, layer: &mut OverlayLayer| {
            let view = ViewOf::default();
            let scene = navigation.overlay_scene(level, &nothing, view, &mut hidden);
            layer.update(navigation.shown_overlays(), &scene, Look::Dark, DVec2::ZERO);
        };
        update(&level, &mut layer);
        assert!(corners(&layer) > 0);
        walker.visible = false;
        let hide = [Edit::replace(WALKER, walker)];
        let without = Arc::new(ops::apply(&level, &hide).expect("valid"));
        update(&without, &mut layer);
        assert_eq!(corners(&layer), 0);
        update(&level, &mut layer);
        assert!(corners(&layer) > 0);
    }
}
