//! Everything in the 3D view besides bodies: agents, routes, goals, paths, the grid, and selection
//! outlines.

use super::figure::{SpaceFigure, gait};
use super::layer::{Manner, Rgba, SpaceLabel, SpaceLayer, SpaceVertex, opaque, rgba};
use super::scene::{LABEL_LIFT, SpaceScene, mesh_source};
use crate::base::{Colour, EntityId};
use crate::document::door_states::state_at_start;
use crate::document::{
    Action, Annotation, Body as AgentBody, Entity, Goal, Kind, Level, LinkAction, Measure,
    MeasureShape, Mission, Profile, Selection, annotation_area, route_line,
};
use crate::geometry::Polygon;
use crate::planner::missions::Plans;
use crate::preview::crowd::CrowdView;
use crate::preview::moment::series_colour;
use crate::preview::primitive::Ink;
use crate::preview::style::Palette;
use crate::sim::{AgentPose, Moment};
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Height of lines above the ground. Unit: metres.
const LIFT: f64 = 0.04;
/// Segments of a capsule: around, and over each half.
const SIDES: usize = 14;
const RINGS: usize = 4;
/// Maximum grid lines per direction.
const MAX_GRID_LINES: f64 = 200.0;
/// Minimum distance between points of an outline on a height field. Unit: metres.
const LEAST_STEP: f64 = 0.25;

/// Draws into a layer in world space relative to `origin`.
#[derive(Debug)]
pub struct Signs<'a> {
    pub level: &'a Level,
    pub palette: &'a Palette,
    pub origin: DVec3,
    /// What agents stand on in levels without ground.
    pub floor: Option<&'a SpaceScene>,
}

impl Signs<'_> {
    /// Where an agent at a point stands: without ground, on the nearest surface.
    fn standing(&self, at: DVec3) -> DVec3 {
        let floor = self.floor.filter(|_| !self.level.settings().has_ground);
        let height = floor.and_then(|scene| scene.surface_near(at));
        at.with_z(height.unwrap_or(at.z))
    }

    fn ground(&self, p: DVec2) -> f64 {
        self.level.ground().map_or(0.0, |field| field.height(p))
    }

    /// Corners of a flat piece on the ground.
    #[must_use]
    pub fn draped_corners(&self, corners: &[DVec2]) -> Vec<DVec3> {
        let lift = |p: &DVec2| p.extend(self.ground(*p) + LIFT) - self.origin;
        corners.iter().map(lift).collect()
    }

    /// A plan line draped over the ground.
    fn draped(&self, points: &[DVec2]) -> Vec<DVec3> {
        let step = self
            .level
            .ground()
            .map(|field| field.spacing.max(LEAST_STEP));
        let lift = |p: DVec2| p.extend(self.ground(p) + LIFT) - self.origin;
        let mut line = Vec::with_capacity(points.len());
        for pair in points.windows(2) {
            let pieces = step.map_or(1.0, |step| {
                (pair[0].distance(pair[1]) / step).ceil().clamp(1.0, 500.0)
            }) as usize;
            line.extend((0..pieces).map(|i| lift(pair[0].lerp(pair[1], i as f64 / pieces as f64))));
        }
        line.extend(points.last().map(|p| lift(*p)));
        line
    }

    /// A plan line over the ground, or level at the height of a floor.
    #[must_use]
    pub fn on_floor(&self, points: &[DVec2], floor: Option<f64>) -> Vec<DVec3> {
        match floor {
            Some(z) => {
                let lift = |p: &DVec2| p.extend(z + LIFT) - self.origin;
                points.iter().map(lift).collect()
            }
            None => self.draped(points),
        }
    }

    /// A path in space, never below the ground: hills between two of its points raise it.
    #[must_use]
    pub fn over_ground(&self, points: &[DVec3]) -> Vec<DVec3> {
        let lift = |p: DVec3| {
            let z = p.z.max(self.ground(p.truncate()));
            p.with_z(z + LIFT * 2.0) - self.origin
        };
        let Some(field) = self.level.ground() else {
            return points.iter().map(|p| lift(*p)).collect();
        };
        let step = field.spacing.max(LEAST_STEP);
        let mut line = Vec::with_capacity(points.len());
        for pair in points.windows(2) {
            let length = pair[0].truncate().distance(pair[1].truncate());
            let pieces = (length / step).ceil().clamp(1.0, 500.0) as usize;
            line.extend((0..pieces).map(|i| lift(pair[0].lerp(pair[1], i as f64 / pieces as f64))));
        }
        line.extend(points.last().map(|p| lift(*p)));
        line
    }

    fn outline(&self, area: &Polygon, colour: Rgba, width: f32, layer: &mut SpaceLayer) {
        for ring in area.rings() {
            let closed: Vec<DVec2> = ring.iter().chain(ring.first()).copied().collect();
            layer.polyline(&self.draped(&closed), colour, width);
        }
    }

    /// A door's frame, a link's bow, and where crowds leave, wait, queue and are measured.
    fn passage_or_place(&self, entity: &Entity, layer: &mut SpaceLayer) {
        let palette = self.palette;
        let mut area = |area: &Polygon, base: f64, colour: Colour| {
            for ring in area.rings() {
                let closed: Vec<DVec2> = ring.iter().chain(ring.first()).copied().collect();
                let line = raised(self.draped(&closed), base);
                layer.polyline(&line, opaque(colour), 2.0);
            }
            area.centroid().extend(self.ground(area.centroid()) + base)
        };
        let sign = match &entity.kind {
            Kind::Exit(exit) => area(&exit.area, exit.base, palette.exit),
            Kind::WaitingArea(waiting) => area(&waiting.area, waiting.base, palette.waiting),
            Kind::Measure(Measure {
                shape: MeasureShape::Area(shape),
                base,
            }) => area(shape, *base, palette.measure),
            Kind::Measure(Measure {
                shape: MeasureShape::Line(ends),
                base,
            }) => {
                let line = raised(self.draped(ends), *base);
                layer.polyline(&line, opaque(palette.measure), 2.4);
                line[line.len() / 2]
            }
            Kind::Queue(queue) => {
                let line = raised(self.draped(&queue.line), queue.base);
                layer.polyline(&line, opaque(palette.waiting), 2.4);
                line[0]
            }
            Kind::Door(door) => {
                let state = state_at_start(self.level, door);
                let [from, to] = door
                    .jambs
                    .map(|jamb| jamb.extend(self.ground(jamb) + door.base));
                let up = DVec3::Z * door.height;
                let frame = [from, from + up, to + up, to];
                layer.polyline(&frame, opaque(palette.door(state)), 2.6);
                if !state.is_open() {
                    layer.polyline(&[from, to + up], opaque(palette.door(state)), 1.4);
                    layer.polyline(&[to, from + up], opaque(palette.door(state)), 1.4);
                }
                from.midpoint(to) + up
            }
            Kind::Link(link) => {
                let (from, to) = (self.standing(link.from), self.standing(link.to));
                let rise = match link.action {
                    LinkAction::Jump | LinkAction::Drop | LinkAction::Teleport => {
                        0.25 * from.distance(to)
                    }
                    LinkAction::Ladder | LinkAction::Lift | LinkAction::Door => 0.0,
                };
                let bow: Vec<DVec3> = (0..=LINK_CHORDS)
                    .map(|i| {
                        let t = i as f64 / LINK_CHORDS as f64;
                        from.lerp(to, t) + DVec3::Z * (0.05 + rise * 4.0 * t * (1.0 - t))
                    })
                    .collect();
                layer.polyline(&bow, opaque(palette.link), 2.6);
                bow[LINK_CHORDS / 2]
            }
            _ => return,
        };
        self.name(entity, sign + DVec3::Z * 0.25, layer);
    }

    /// Agents as capsules of their size, crowds, routes, goals, areas, notes, names of models. Of agents that are
    /// under way, drawn by [`Self::moment`], only where they began.
    #[must_use]
    pub fn people_and_lines(&self, under_way: &BTreeSet<EntityId>) -> SpaceLayer {
        let mut layer = SpaceLayer::new(Manner::Surface);
        for (id, entity) in self.level.iter() {
            // There may be thousands of bodies, and this is made anew in every frame of a drag: their
            // names are in the layers that show them.
            let is_body = match entity.kind {
                Kind::Obstacle(_) => true,
                Kind::Solid(_) => mesh_source(entity).is_none(),
                _ => false,
            };
            if is_body || !self.level.is_visible(id) {
                continue;
            }
            match &entity.kind {
                Kind::Agent(agent) => {
                    let (body, colour) = self.profile(agent.mission.profile);
                    let heading = agent.heading.radians();
                    let start = self.standing(agent.start);
                    if under_way.contains(&id) {
                        self.start(start, heading, &body, colour, &mut layer);
                    } else {
                        self.figure(start, heading, &body, colour, &mut layer);
                    }
                    self.goals(&agent.mission, colour, &mut layer);
                    self.name(entity, start + DVec3::Z * (body.height + 0.25), &mut layer);
                }
                Kind::Crowd(crowd) => {
                    let (_, colour) = self.profile(crowd.mission.profile);
                    self.outline(&crowd.area, opaque(colour), 2.0, &mut layer);
                    self.goals(&crowd.mission, colour, &mut layer);
                    let centre = crowd.area.centroid();
                    let at = centre.extend(self.ground(centre) + 0.3);
                    self.name(entity, at, &mut layer);
                }
                Kind::Route(route) => {
                    let line = route_line(route);
                    let points = self.draped(line.points());
                    layer.polyline(&points, opaque(self.palette.route), 2.2);
                }
                Kind::Door(_)
                | Kind::Link(_)
                | Kind::Exit(_)
                | Kind::WaitingArea(_)
                | Kind::Queue(_)
                | Kind::Measure(_) => self.passage_or_place(entity, &mut layer),
                Kind::Annotation(Annotation::Area(area)) => {
                    let ink = rgba(Ink::new(self.palette.annotation, 0.9));
                    self.outline(area, ink, 1.4, &mut layer);
                }
                Kind::Annotation(Annotation::Relation { .. }) => {
                    let ink = rgba(Ink::new(self.palette.annotation, 0.7));
                    for area in annotation_area(self.level, id) {
                        self.outline(&area, ink, 1.2, &mut layer);
                    }
                }
                Kind::Note(note) => {
                    let at = note.at.extend(self.ground(note.at));
                    let ink = opaque(self.palette.note);
                    let foot = at - self.origin;
                    layer.polyline(&[foot, foot + DVec3::Z * 1.2], ink, 1.5);
                    let short: String = note
                        .text
                        .lines()
                        .next()
                        .unwrap_or("")
                        .chars()
                        .take(40)
                        .collect();
                    layer.labels.push(SpaceLabel {
                        at: at + DVec3::Z * 1.3,
                        text: short,
                        colour: self.palette.text,
                    });
                }
                Kind::Solid(solid) => {
                    let [min, max] = [DVec3::INFINITY, DVec3::NEG_INFINITY];
                    let corners = solid.corners();
                    let min = corners.iter().fold(min, |all, p| all.min(*p));
                    let max = corners.iter().fold(max, |all, p| all.max(*p));
                    let top = min.midpoint(max).with_z(max.z + LABEL_LIFT);
                    self.name(entity, top, &mut layer);
                }
                _ => {}
            }
        }
        layer
    }

    fn name(&self, entity: &Entity, at: DVec3, layer: &mut SpaceLayer) {
        if !entity.name.is_empty() {
            layer.labels.push(SpaceLabel {
                at,
                text: entity.name.clone(),
                colour: self.palette.text,
            });
        }
    }

    fn profile(&self, id: EntityId) -> (AgentBody, Colour) {
        match self.level.get(id).map(|entity| &entity.kind) {
            Some(Kind::Profile(profile)) => (profile.body, self.palette.agent(profile.colour)),
            _ => {
                let profile = Profile::default();
                (profile.body, self.palette.agent(profile.colour))
            }
        }
    }

    /// A body facing a direction, standing at `foot`.
    fn figure(
        &self,
        foot: DVec3,
        heading: f64,
        body: &AgentBody,
        colour: Colour,
        layer: &mut SpaceLayer,
    ) {
        let at = foot - self.origin;
        capsule(layer, at, body, opaque(colour));
        // Facing direction, at eye height.
        let eyes = at + DVec3::Z * (body.height - body.radius).max(body.height * 0.5);
        let ahead = DVec2::from_angle(heading).extend(0.0) * (body.radius * 1.7);
        layer.polyline(&[eyes, eyes + ahead], opaque(self.palette.text), 2.5);
    }

    /// Where an agent that is under way began: its outline on the ground, and where it looked.
    fn start(
        &self,
        foot: DVec3,
        heading: f64,
        body: &AgentBody,
        colour: Colour,
        layer: &mut SpaceLayer,
    ) {
        let at = foot - self.origin + DVec3::Z * LIFT;
        let ink = opaque(colour);
        layer.polyline(&ring(at, body.radius), ink, 2.0);
        let ahead = DVec2::from_angle(heading).extend(0.0) * (body.radius * 1.7);
        layer.polyline(&[at, at + ahead], ink, 2.0);
    }

    /// What is shown at a moment: lines of recordings shown side by side, trails, ghosts, and every visible agent as
    /// a figure that walks.
    #[must_use]
    pub fn moment(&self, moment: &Moment, view: &CrowdView) -> SpaceLayer {
        let mut layer = SpaceLayer::new(Manner::Surface);
        for (series, trajectory) in &moment.lines {
            let points = self.over_ground(trajectory.points());
            let ink = Ink::new(series_colour(*series), 0.9);
            layer.polyline(&points, rgba(ink), 2.5);
        }
        let walked = view.walked.as_deref();
        let colours = view.by.colours(moment, self.level, walked, self.palette);
        let mut bodies: BTreeMap<EntityId, Option<AgentBody>> = BTreeMap::new();
        let level = self.level;
        let mut body_of = |agent: EntityId| {
            *bodies.entry(agent).or_insert_with(|| {
                let mission = level.get(agent).and_then(|entity| entity.mission());
                let profile = mission.map_or(EntityId::new(0), |mission| mission.profile);
                let is_shown = level.is_visible(agent) || level.get(agent).is_none();
                is_shown.then(|| self.profile(profile).0)
            })
        };
        layer.figures.reserve(moment.agents.len());
        for (shown, own) in moment.agents.iter().zip(colours) {
            if let Some(body) = body_of(shown.agent) {
                let colour = shown.series.map_or(own, series_colour);
                let figure = self.walking(shown, moment.time, &body, opaque(colour));
                layer.figures.push(figure);
            }
        }
        for shown in view.ghost.iter().flat_map(|ghost| &ghost.agents) {
            let body = body_of(shown.agent).unwrap_or_else(|| Profile::default().body);
            let ink = rgba(Ink::new(self.palette.text_muted, 0.38));
            layer
                .figures
                .push(self.walking(shown, moment.time, &body, ink));
        }
        if let Some(picked) = &view.picked {
            let ink = rgba(Ink::new(self.palette.selection, 0.95));
            let past: Vec<DVec3> = picked.past(moment.time).collect();
            layer.polyline(&self.over_ground(&past), ink, 3.0);
            layer.polyline(&self.over_ground(&picked.plan), ink, 1.6);
            let here = moment.agents.iter().find(|a| a.index == Some(picked.index));
            if let Some(shown) = here {
                let at = shown.pose.point - self.origin + DVec3::Z * LIFT;
                layer.polyline(&ring(at, 0.5), ink, 3.0);
            }
        }
        for (_, trail) in view.trails.iter().flat_map(|trails| trails.iter()) {
            let ink = rgba(Ink::new(self.palette.text_muted, 0.6));
            layer.polyline(&self.over_ground(trail), ink, 1.4);
        }
        layer
    }

    /// Someone under way, bent where necessary.
    fn walking(&self, shown: &AgentPose, time: f64, body: &AgentBody, colour: Rgba) -> SpaceFigure {
        let pose = &shown.pose;
        let height = match pose.action {
            Action::Bend => body.bent_height.min(body.height),
            _ => body.height,
        };
        let preferred = shown.body.map_or(pose.speed, |body| body.preferred);
        let number = shown.index.unwrap_or_default();
        let (phase, stride) = gait(time, preferred, pose.speed, number);
        SpaceFigure {
            foot: (pose.point - self.origin).as_vec3().to_array(),
            heading: pose.heading as f32,
            height: height as f32,
            radius: shown.body.map_or(body.radius, |body| body.radius) as f32,
            phase: phase as f32,
            stride: stride as f32,
            colour,
        }
    }

    /// A small mast with a ring at its foot for each goal.
    fn goals(&self, mission: &Mission, colour: Colour, layer: &mut SpaceLayer) {
        for goal in &mission.goals {
            let Goal::At(place) = goal else {
                continue;
            };
            let foot = self.standing(*place) - self.origin + DVec3::Z * LIFT;
            let ink = opaque(colour);
            layer.polyline(&[foot, foot + DVec3::Z * 1.4], ink, 1.6);
            let flag = [
                foot + DVec3::Z * 1.4,
                foot + DVec3::new(0.5, 0.0, 1.2),
                foot + DVec3::Z,
            ];
            layer.fan(&flag, ink);
            layer.polyline(&ring(foot, 0.3), ink, 1.6);
        }
    }

    /// The paths of agents that `is_shown`; stronger for selected ones.
    #[must_use]
    pub fn paths(
        &self,
        plans: &Plans,
        is_shown: impl Fn(EntityId) -> bool,
        selection: &Selection,
    ) -> SpaceLayer {
        let mut layer = SpaceLayer::new(Manner::Surface);
        for (id, plan) in plans.iter().filter(|(id, _)| is_shown(**id)) {
            let mission = self.level.get(*id).and_then(|entity| entity.mission());
            let colour =
                mission.map_or(self.palette.path, |mission| self.profile(mission.profile).1);
            let selected = selection.contains(*id);
            let (alpha, width) = if selected { (1.0, 4.0) } else { (0.85, 2.4) };
            for path in plan.paths() {
                let points = self.over_ground(&path.points);
                layer.polyline(&points, rgba(Ink::new(colour, alpha)), width);
            }
        }
        layer
    }

    /// The grid's lines at 0, draped over heights, or below everything if there is no ground;
    /// coarser where there would be too many.
    #[must_use]
    pub fn grid(&self) -> SpaceLayer {
        let mut layer = SpaceLayer::new(Manner::Surface);
        let settings = self.level.settings();
        let bounds = settings.bounds;
        // Without ground it would cut through the floors of meshes.
        let lowest = self.level.solids().map(|(_, _, solid)| solid.position.z);
        let base = match lowest.reduce(f64::min) {
            Some(lowest) if !settings.has_ground => lowest,
            _ => 0.0,
        };
        let mut spacing = settings.grid.spacing;
        while bounds.size().max_element() / spacing > MAX_GRID_LINES {
            spacing *= 10.0;
        }
        let ink = self.palette.grid;
        let faint = rgba(Ink::new(ink.colour, (ink.alpha * 1.0).min(1.0)));
        let strong = rgba(Ink::new(ink.colour, (ink.alpha * 2.2).min(1.0)));
        let mut lines = |min: f64, max: f64, place: &dyn Fn(f64) -> [DVec2; 2]| {
            let (first, last) = ((min / spacing).ceil(), (max / spacing).floor());
            let mut i = first;
            while i <= last {
                let colour = if i % 10.0 == 0.0 { strong } else { faint };
                let mut line = self.draped(&place(i * spacing));
                for p in &mut line {
                    p.z += base;
                }
                layer.polyline(&line, colour, 1.0);
                i += 1.0;
            }
        };
        lines(bounds.min.x, bounds.max.x, &|x| {
            [DVec2::new(x, bounds.min.y), DVec2::new(x, bounds.max.y)]
        });
        lines(bounds.min.y, bounds.max.y, &|y| {
            [DVec2::new(bounds.min.x, y), DVec2::new(bounds.max.x, y)]
        });
        layer
    }

    /// Outlines of the selection and of what is hovered, over everything.
    #[must_use]
    pub fn highlights(
        &self,
        scene: &SpaceScene,
        selection: &Selection,
        hovered: Option<EntityId>,
    ) -> SpaceLayer {
        let mut layer = SpaceLayer::new(Manner::OnTop);
        let selected = rgba(Ink::new(self.palette.selection, 1.0));
        let faint = rgba(Ink::new(self.palette.hover, 0.9));
        let hovered = hovered.filter(|id| !selection.contains(*id));
        let all = selection
            .iter()
            .take(500)
            .map(|id| (id, selected, 2.4))
            .chain(hovered.map(|id| (id, faint, 1.8)));
        for (id, colour, width) in all {
            let members = match self.level.kind_of(id) {
                Some(crate::document::KindName::Group) => self.level.members(id),
                _ => vec![id],
            };
            for id in members {
                self.highlight(scene, id, colour, width, &mut layer);
            }
        }
        layer
    }

    fn highlight(
        &self,
        scene: &SpaceScene,
        id: EntityId,
        colour: Rgba,
        width: f32,
        layer: &mut SpaceLayer,
    ) {
        for body in scene.bodies_of(id) {
            body.add_outline_to(layer, colour, width, self.origin);
        }
        if scene.bodies_of(id).next().is_some() {
            return;
        }
        match self.level.get(id).map(|entity| &entity.kind) {
            Some(Kind::Agent(agent)) => {
                let (body, _) = self.profile(agent.mission.profile);
                let foot = self.standing(agent.start) - self.origin;
                for z in [0.0, body.height * 0.5, body.height] {
                    let ring: Vec<DVec3> = (0..=24)
                        .map(|i| {
                            let turn = DVec2::from_angle(TAU * f64::from(i) / 24.0);
                            foot + (turn * (body.radius + 0.03)).extend(z)
                        })
                        .collect();
                    layer.polyline(&ring, colour, width);
                }
            }
            Some(Kind::Region(region)) => self.outline(&region.area, colour, width, layer),
            Some(Kind::Crowd(crowd)) => self.outline(&crowd.area, colour, width, layer),
            Some(Kind::Annotation(Annotation::Area(area))) => {
                self.outline(area, colour, width, layer);
            }
            Some(Kind::Route(route)) => {
                let points = self.draped(route_line(route).points());
                layer.polyline(&points, colour, width + 1.5);
            }
            Some(Kind::Note(note)) => {
                let foot = note.at.extend(self.ground(note.at)) - self.origin;
                layer.polyline(&[foot, foot + DVec3::Z * 1.3], colour, width + 1.0);
            }
            _ => {}
        }
    }
}

/// A capsule of a height and radius, standing at `foot`.
pub fn capsule(layer: &mut SpaceLayer, foot: DVec3, body: &AgentBody, colour: Rgba) {
    let radius = body.radius.min(body.height * 0.5);
    let first = layer.vertices.len() as u32;
    let mut rings = 0;
    for half in 0..2 {
        for i in 0..=RINGS {
            let share = i as f64 / RINGS as f64;
            let angle = if half == 0 { share - 1.0 } else { share } * FRAC_PI_2;
            let middle = if half == 0 {
                radius
            } else {
                body.height - radius
            };
            let (sin, cos) = angle.sin_cos();
            for side in 0..SIDES {
                let turn = DVec2::from_angle(TAU * side as f64 / SIDES as f64);
                let at = foot + (turn * radius * cos).extend(middle + radius * sin);
                layer.vertices.push(SpaceVertex {
                    position: at.as_vec3().to_array(),
                    colour,
                });
            }
            rings += 1;
        }
    }
    let around = SIDES as u32;
    for ring in 0..rings - 1 {
        for side in 0..around {
            let next = (side + 1) % around;
            let [a, b] = [first + ring * around + side, first + ring * around + next];
            let [c, d] = [b + around, a + around];
            layer.indices.extend([a, b, c, a, c, d]);
        }
    }
}
/// A closed line about a point, level.
fn ring(centre: DVec3, radius: f64) -> Vec<DVec3> {
    let turn = |i: i32| DVec2::from_angle(TAU * f64::from(i) / 20.0) * radius;
    (0..=20).map(|i| centre + turn(i).extend(0.0)).collect()
}

/// Pieces of the bow that a link is drawn as.
const LINK_CHORDS: usize = 16;

fn raised(mut line: Vec<DVec3>, by: f64) -> Vec<DVec3> {
    for point in &mut line {
        point.z += by;
    }
    line
}
