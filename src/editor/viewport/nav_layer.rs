//! Navigation over the plan: triangles of what was baked, kept until it is baked anew.

use super::overlay_shapes::Plate;
use crate::base::EntityId;
use crate::document::{Level, Selection};
use crate::editor::corridor_view::is_same_map;
use crate::editor::navigation::Navigation;
use crate::interaction::overlay::LabelPlace;
use crate::nav::corridor::Pinch;
use crate::nav::{Commons, NavSpace};
use crate::planner::SearchView;
use crate::planner::bench::{Bench, Method};
use crate::planner::missions::Plans;
use crate::preview::corridor::{self, Body};
use crate::preview::mesh::{Mesh, Tessellator};
use crate::preview::nav::{self, BlockedView, Course, PathView, Weight};
use crate::preview::{Layer, Look, Palette, Plane, Shape, voxel};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a part's triangles were made from. Holding on to it keeps its address from being given
/// to another one.
#[derive(Clone, Debug)]
enum Source {
    Space(Arc<NavSpace>),
    Search(Arc<SearchView>),
    Paths(PathSource),
    /// The medial axis for a body, or by clearance.
    Axis(Arc<Commons>, Option<f64>),
    Spokes(Arc<Commons>),
    Pinches(PinchSource),
    Corridors(CorridorSource),
}

/// Which narrow places are shown.
#[derive(Clone, Debug)]
struct PinchSource {
    all: Arc<Vec<Pinch>>,
    /// Those that are closed for a body of this radius.
    radius: Option<f64>,
    picked: Option<Pinch>,
}

/// Whose corridors are shown.
#[derive(Clone, Debug)]
struct CorridorSource {
    commons: Arc<Commons>,
    plans: Arc<Plans>,
    level: Arc<Level>,
    agents: Vec<EntityId>,
}

#[derive(Clone, Debug)]
struct PathSource {
    plans: Arc<Plans>,
    level: Arc<Level>,
    /// Agents that are hidden in the level as it is now, which may be newer than the plans.
    hidden: BTreeSet<EntityId>,
    /// Of all agents, or only of those that are selected.
    all: bool,
    bench: Option<Arc<Bench>>,
    compared: Option<Method>,
    selection: Selection,
    is_stale: bool,
}

impl Source {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Space(a), Self::Space(b)) => Arc::ptr_eq(a, b),
            (Self::Search(a), Self::Search(b)) => Arc::ptr_eq(a, b),
            (Self::Paths(a), Self::Paths(b)) => {
                Arc::ptr_eq(&a.plans, &b.plans)
                    && a.bench.as_ref().map(Arc::as_ptr) == b.bench.as_ref().map(Arc::as_ptr)
                    && (a.compared, a.is_stale, a.all) == (b.compared, b.is_stale, b.all)
                    && a.selection == b.selection
                    && a.hidden == b.hidden
            }
            (Self::Axis(a, body), Self::Axis(b, other)) => is_same_map(a, b) && body == other,
            (Self::Spokes(a), Self::Spokes(b)) => is_same_map(a, b),
            (Self::Pinches(a), Self::Pinches(b)) => {
                Arc::ptr_eq(&a.all, &b.all) && (a.radius, a.picked) == (b.radius, b.picked)
            }
            (Self::Corridors(a), Self::Corridors(b)) => {
                is_same_map(&a.commons, &b.commons)
                    && Arc::ptr_eq(&a.plans, &b.plans)
                    && a.agents == b.agents
            }
            _ => false,
        }
    }
}

#[derive(Debug)]
struct Part {
    source: Source,
    look: Look,
    origin: DVec2,
    revision: u64,
    mesh: Arc<Mesh>,
}

/// Numbers above all that the level's own triangles get.
const FIRST_REVISION: u64 = 1 << 62;

#[derive(Debug)]
pub struct NavLayer {
    parts: BTreeMap<Plane, Part>,
    plates: Vec<(DVec2, String)>,
    /// The width of the narrow place that is picked out, and where that is.
    width: Option<(DVec2, String)>,
    next_revision: u64,
    hidden: Option<Hidden>,
}

/// Who is hidden, and the level and plans that this was found out for.
#[derive(Debug)]
struct Hidden {
    level: Arc<Level>,
    plans: Arc<Plans>,
    agents: BTreeSet<EntityId>,
}

impl Default for NavLayer {
    fn default() -> Self {
        Self {
            parts: BTreeMap::new(),
            plates: Vec::new(),
            width: None,
            next_revision: FIRST_REVISION,
            hidden: None,
        }
    }
}

impl NavLayer {
    /// Brings the triangles of all that is shown up to date.
    pub fn update(
        &mut self,
        navigation: &Navigation,
        level: &Arc<Level>,
        selection: &Selection,
        look: Look,
        origin: DVec2,
    ) {
        let mut wanted: BTreeMap<Plane, Source> = BTreeMap::new();
        let shows = |layer| navigation.visible && navigation.layers.contains(layer);
        if let Some(space) = navigation.shown_space(selection) {
            for (layer, plane) in [
                (Layer::FreeSpace, Plane::FreeSpace),
                (Layer::Trapezoids, Plane::Trapezoids),
                (Layer::Cells, Plane::Cells),
                (Layer::Portals, Plane::Portals),
            ] {
                if shows(layer) {
                    wanted.insert(plane, Source::Space(Arc::clone(space)));
                }
            }
        }
        if let Some(search) = navigation.search.as_ref().filter(|_| shows(Layer::Search)) {
            wanted.insert(Plane::Search, Source::Search(Arc::clone(search)));
        }
        if let Some(baked) = navigation.baked_for(level).filter(|_| shows(Layer::Paths)) {
            let source = PathSource {
                plans: Arc::clone(navigation.plans_of(baked)),
                level: Arc::clone(&baked.level),
                hidden: self.hidden_agents(level, navigation.plans_of(baked)),
                all: navigation.all_paths,
                bench: navigation.bench().cloned(),
                compared: navigation.compared,
                selection: selection.clone(),
                is_stale: navigation.is_stale(),
            };
            wanted.insert(Plane::Paths, Source::Paths(source));
        }
        want_corridors(navigation, level, selection, &mut wanted);
        self.parts.retain(|plane, _| wanted.contains_key(plane));
        if !wanted.contains_key(&Plane::Paths) {
            self.plates.clear();
        }
        if !wanted.contains_key(&Plane::Pinches) {
            self.width = None;
        }
        for (plane, source) in wanted {
            let current = self.parts.get(&plane).is_some_and(|part| {
                part.source.is_same(&source) && (part.look, part.origin) == (look, origin)
            });
            if !current {
                self.build(plane, source, look, origin);
            }
        }
    }

    fn hidden_agents(&mut self, level: &Arc<Level>, plans: &Arc<Plans>) -> BTreeSet<EntityId> {
        let known = self
            .hidden
            .take()
            .filter(|known| Arc::ptr_eq(&known.level, level) && Arc::ptr_eq(&known.plans, plans));
        let hidden = known.unwrap_or_else(|| Hidden {
            level: Arc::clone(level),
            plans: Arc::clone(plans),
            agents: plans
                .keys()
                .copied()
                .filter(|id| !level.is_visible(*id))
                .collect(),
        });
        self.hidden.insert(hidden).agents.clone()
    }

    fn build(&mut self, plane: Plane, source: Source, look: Look, origin: DVec2) {
        let palette = look.palette();
        let mut shapes: Vec<Shape> = Vec::new();
        match &source {
            Source::Space(space) => match plane {
                Plane::FreeSpace => nav::draw_free_space(&space.free, palette, &mut shapes),
                Plane::Trapezoids => {
                    nav::draw_cells(&space.plain, plane, palette, &mut shapes);
                }
                Plane::Cells => nav::draw_cells(&space.merged, plane, palette, &mut shapes),
                _ => nav::draw_portals(&space.merged, palette, &mut shapes),
            },
            Source::Search(search) => nav::draw_search(search, palette, &mut shapes),
            Source::Axis(commons, radius) => {
                if let Some(corridors) = commons.built_corridors() {
                    let parts = radius.map(|radius| corridors.map.components(radius));
                    let body = parts.as_ref().map(|components| Body {
                        radius: components.radius(),
                        components,
                    });
                    corridor::draw_axis(&corridors.map, body, palette, &mut shapes);
                }
            }
            Source::Spokes(commons) => {
                if let Some(corridors) = commons.built_corridors() {
                    corridor::draw_spokes(&corridors.map, palette, &mut shapes);
                }
            }
            Source::Pinches(source) => {
                if let Some(radius) = source.radius {
                    corridor::draw_closed(&source.all, radius, palette, &mut shapes);
                }
                if let Some(pinch) = &source.picked {
                    corridor::draw_pinch(pinch, palette, &mut shapes);
                }
                self.width = source
                    .picked
                    .map(|pinch| (pinch.sample.point, format!("{:.2} m", pinch.width)));
            }
            Source::Corridors(source) => {
                if let Some(corridors) = source.commons.built_corridors() {
                    let agents = source.agents.iter().copied();
                    let (level, plans) = (&source.level, &source.plans);
                    corridor::draw_corridors(
                        level,
                        plans,
                        agents,
                        &corridors.map,
                        palette,
                        &mut shapes,
                    );
                }
            }
            Source::Paths(paths) => {
                let (lines, blocked) = views(paths, palette);
                for path in &lines {
                    nav::draw_path(path, palette, &mut shapes);
                }
                let is_shown =
                    |id| !paths.hidden.contains(&id) && (paths.all || paths.selection.contains(id));
                if !paths.is_stale {
                    voxel::draw_detours(&paths.plans, is_shown, palette, &mut shapes);
                    voxel::draw_actions(&paths.plans, is_shown, palette, &mut shapes);
                }
                self.plates.clear();
                for blocked in &blocked {
                    nav::draw_blocked(blocked, palette, &mut shapes);
                    self.plates.extend(
                        blocked
                            .gap
                            .filter(|_| blocked.weight == Weight::Selected)
                            .map(|gap| (gap.at, format!("gap {:.2} m", gap.width))),
                    );
                }
            }
        }
        let mut mesh = Mesh::default();
        let mut tessellator = Tessellator::new(origin);
        for shape in shapes.iter().filter(|shape| shape.plane != Plane::Labels) {
            tessellator.add(shape, &mut mesh);
        }
        let revision = self.next_revision;
        self.next_revision += 1;
        self.parts.insert(
            plane,
            Part {
                source,
                look,
                origin,
                revision,
                mesh: Arc::new(mesh),
            },
        );
    }

    /// Every part from the bottom to the top, with the number of its triangles.
    pub fn parts(&self) -> impl Iterator<Item = (Plane, u64, &Arc<Mesh>)> {
        self.parts
            .iter()
            .map(|(plane, part)| (*plane, part.revision, &part.mesh))
    }

    pub fn plates(&self, palette: &Palette) -> impl Iterator<Item = Plate> {
        let blocked = self.plates.iter().map(|plate| (plate, palette.blocker));
        let picked = self.width.iter().map(|plate| (plate, palette.current));
        blocked.chain(picked).map(|((at, text), colour)| Plate {
            at: *at,
            stands: LabelPlace::Above,
            text: text.clone(),
            colour,
        })
    }
}

/// What is shown of the corridor map, as far as it has been made.
fn want_corridors(
    navigation: &Navigation,
    level: &Arc<Level>,
    selection: &Selection,
    wanted: &mut BTreeMap<Plane, Source>,
) {
    let view = &navigation.corridors;
    let shows = |layer| navigation.visible && navigation.layers.contains(layer);
    let Some(charted) = view.charted() else {
        return;
    };
    let commons = charted.commons();
    if shows(Layer::MedialAxis) {
        wanted.insert(
            Plane::MedialAxis,
            Source::Axis(Arc::clone(commons), view.body),
        );
    }
    if shows(Layer::Spokes) {
        wanted.insert(Plane::Spokes, Source::Spokes(Arc::clone(commons)));
    }
    if navigation.visible && (view.pinch.is_some() || view.body.is_some()) {
        let source = PinchSource {
            all: Arc::clone(&charted.pinches),
            radius: view.body,
            picked: view.pinch,
        };
        wanted.insert(Plane::Pinches, Source::Pinches(source));
    }
    if let Some(baked) = navigation
        .baked_for(level)
        .filter(|_| shows(Layer::Corridors))
    {
        let is_planned = |id: &EntityId| baked.plans.contains_key(id);
        wanted.insert(
            Plane::Corridors,
            Source::Corridors(CorridorSource {
                commons: Arc::clone(commons),
                plans: Arc::clone(&baked.plans),
                level: Arc::clone(&baked.level),
                agents: selection.iter().filter(is_planned).collect(),
            }),
        );
    }
}

fn views(paths: &PathSource, palette: &Palette) -> (Vec<PathView>, Vec<BlockedView>) {
    let weight = paths.is_stale.then_some(Weight::Stale);
    let (level, selection) = (&paths.level, &paths.selection);
    let is_shown =
        |id: EntityId| !paths.hidden.contains(&id) && (paths.all || selection.contains(id));
    let (mut lines, blocked) =
        nav::path_views(level, &paths.plans, is_shown, selection, weight, palette);
    let benches = paths.bench.iter().filter(|bench| is_shown(bench.agent));
    let rows = benches.flat_map(|bench| {
        let agent = Some(bench.agent);
        let rows = bench.rows.iter();
        rows.map(move |row| (agent, row, nav::method_colour(row.method)))
    });
    for (agent, row, colour) in rows {
        if let Ok(figures) = &row.outcome {
            lines.push(PathView {
                agent,
                points: figures.points.clone(),
                colour,
                weight: if paths.compared == Some(row.method) {
                    Weight::Selected
                } else {
                    Weight::Compared
                },
                course: if row.method.bends {
                    Course::Bent
                } else {
                    Course::Straight
                },
            });
        }
    }
    // What is picked out lies on top.
    lines.sort_by_key(|path| path.weight == Weight::Selected);
    (lines, blocked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Agent, Edit, Entity, Goal, Heading, Kind, Mission, Profile, ops};
    use crate::jobs::JobContext;
    use crate::planner::{Baked, Slopes};
    use glam::DVec3;

    const WALKER: EntityId = EntityId::new(2);

    fn corners(layer: &NavLayer) -> usize {
        layer.parts().map(|(.., mesh)| mesh.indices.len()).sum()
    }

    #[test]
    fn a_hidden_agents_way_is_gone_before_anything_is_baked_anew() {
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
        let baked =
            Baked::bake(Arc::clone(&level), None, Slopes::default(), &ctx).expect("not cancelled");
        let mut navigation = Navigation::default();
        navigation.baked = Some(Arc::new(baked));
        let mut layer = NavLayer::default();
        let nobody = Selection::default();
        layer.update(&navigation, &level, &nobody, Look::Dark, DVec2::ZERO);
        assert!(corners(&layer) > 0);
        walker.visible = false;
        let hide = [Edit::replace(WALKER, walker)];
        let without = Arc::new(ops::apply(&level, &hide).expect("valid"));
        layer.update(&navigation, &without, &nobody, Look::Dark, DVec2::ZERO);
        assert_eq!(corners(&layer), 0);
        layer.update(&navigation, &level, &nobody, Look::Dark, DVec2::ZERO);
        assert!(corners(&layer) > 0);
    }
}
