//! How the selected agent follows its route, over the plan: triangles and weights of the moment
//! that is shown, kept until that is another one.

use crate::base::{Colour, EntityId};
use crate::document::Level;
use crate::editor::navigation::{Baked, Navigation};
use crate::editor::walk_time::WalkTime;
use crate::planner::missions::AgentPlan;
use crate::preview::following;
use crate::preview::label::Label;
use crate::preview::mesh::{Mesh, Tessellator};
use crate::preview::nav::colour_of;
use crate::preview::{Layer, Layers, Look, Plane, Primitive, Shape};
use glam::DVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Numbers above all that other triangles get.
const FIRST_REVISION: u64 = 3 << 61;

/// What a part was made for. Holding on to the plan keeps its address from another one.
#[derive(Clone, Debug)]
struct Made {
    plan: Arc<AgentPlan>,
    /// Leg and time of the step that is shown; `None` for what is the same all along.
    step: Option<(usize, f64)>,
    layers: Layers,
    look: Look,
    origin: DVec2,
}

impl Made {
    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.plan, &other.plan)
            && (self.step, self.layers, self.look, self.origin)
                == (other.step, other.layers, other.look, other.origin)
    }
}

#[derive(Debug)]
struct Part {
    made: Made,
    revision: u64,
    mesh: Arc<Mesh>,
    labels: Vec<(Label, f64)>,
}

#[derive(Debug)]
pub struct FollowingLayer {
    parts: BTreeMap<Plane, Part>,
    next_revision: u64,
}

impl Default for FollowingLayer {
    fn default() -> Self {
        Self {
            parts: BTreeMap::new(),
            next_revision: FIRST_REVISION,
        }
    }
}

impl FollowingLayer {
    /// Brings up to date what is shown of an agent's way at a time.
    pub fn update(
        &mut self,
        navigation: &Navigation,
        level: &Arc<Level>,
        at: Option<WalkTime>,
        look: Look,
        origin: DVec2,
    ) {
        let mut wanted: BTreeMap<Plane, Made> = BTreeMap::new();
        let baked = navigation.baked_for(level).filter(|_| navigation.visible);
        let shown = baked.zip(at).and_then(|(baked, at)| {
            let plan = baked.plans.get(&at.agent)?;
            level.is_visible(at.agent).then_some((baked, at, plan))
        });
        if let Some((_, at, plan)) = shown {
            let only = |wanted: &[Layer]| {
                let shown = wanted.iter().copied();
                let shown = shown.filter(|layer| navigation.layers.contains(*layer));
                shown.collect::<Layers>()
            };
            let made = |layers, step| Made {
                plan: Arc::clone(plan),
                step,
                layers,
                look,
                origin,
            };
            let skipped = only(&[Layer::Skipped]);
            if skipped != Layers::NONE {
                wanted.insert(Plane::Following, made(skipped, None));
            }
            let moment = only(&[Layer::Sight, Layer::Candidates]);
            if moment != Layers::NONE {
                let path = plan.legs.get(at.leg);
                let trace = path
                    .and_then(|leg| leg.answer.path())
                    .and_then(|path| path.trace.as_ref());
                // One picture for each step, however often the time is asked for.
                let step = trace.and_then(|trace| trace.step_at(at.seconds));
                if let Some(step) = step {
                    let step = Some((at.leg, step.time));
                    wanted.insert(Plane::Moment, made(moment, step));
                }
            }
        }
        self.parts.retain(|plane, _| wanted.contains_key(plane));
        let Some((baked, at, _)) = shown else {
            return;
        };
        for (plane, made) in wanted {
            let is_current = |part: &Part| part.made.is_same(&made);
            if !self.parts.get(&plane).is_some_and(is_current) {
                self.build(plane, made, baked, at.agent);
            }
        }
    }

    fn build(&mut self, plane: Plane, made: Made, baked: &Baked, agent: EntityId) {
        let level = &*baked.level;
        let palette = made.look.palette();
        let mut shapes: Vec<Shape> = Vec::new();
        match made.step {
            None => {
                for followed in following::followed(level, agent, &made.plan) {
                    following::draw_followed(&followed, palette, &mut shapes);
                }
            }
            Some((leg, seconds)) => {
                let colour: Colour = colour_of(level, agent, palette);
                if let Some(moment) = following::moment(baked, agent, &made.plan, leg, seconds) {
                    following::draw_moment(&moment, colour, made.layers, palette, &mut shapes);
                }
            }
        }
        let mut mesh = Mesh::default();
        let mut tessellator = Tessellator::new(made.origin);
        let mut labels = Vec::new();
        for shape in shapes {
            match shape.primitive {
                Primitive::Text(label) => labels.push((label, shape.min_scale)),
                _ => tessellator.add(&shape, &mut mesh),
            }
        }
        let revision = self.next_revision;
        self.next_revision += 1;
        self.parts.insert(
            plane,
            Part {
                made,
                revision,
                mesh: Arc::new(mesh),
                labels,
            },
        );
    }

    /// Every part from the bottom to the top, with the number of its triangles.
    pub fn parts(&self) -> impl Iterator<Item = (Plane, u64, &Arc<Mesh>)> {
        self.parts
            .iter()
            .map(|(plane, part)| (*plane, part.revision, &part.mesh))
    }

    /// What is written beside it at a scale. Unit: points per metre.
    pub fn labels(&self, scale: f64) -> impl Iterator<Item = &Label> {
        self.parts
            .values()
            .flat_map(|part| &part.labels)
            .filter(move |(_, min_scale)| scale >= *min_scale)
            .map(|(label, _)| label)
    }
}
