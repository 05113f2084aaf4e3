//! Agents where they are at a moment, over the plan.

use super::corridor::force_arrow;
use super::crowd::{CrowdView, Picked};
use super::nav::SERIES;
use super::primitive::{Dash, Extent, Fill, FillRule, Glyph, Ink, Stroke};
use super::{Palette, Plane, Primitive, Shape, Sink, style};
use crate::base::{Colour, EntityId};
use crate::document::{Kind, Level, limits};
use crate::geometry::Rect;
use crate::sim::{AgentPose, Moment};
use glam::DVec2;
use std::collections::BTreeSet;

/// Length of an arrow for a push as strong as the wish to go on. Unit: metres.
const PUSH_SCALE: f64 = 1.0;

/// Draws what is shown at a moment, of agents only those `within` a part of the plan: lines of recordings that are
/// side by side, trails, ghosts, and every agent of a visible layer, with its start faded.
pub fn draw_moment(
    moment: &Moment,
    level: &Level,
    within: Option<Rect>,
    view: &CrowdView,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    for (series, trajectory) in &moment.lines {
        let points: Vec<DVec2> = trajectory.points().iter().map(|p| p.truncate()).collect();
        let ink = Ink::new(series_colour(*series), 0.9);
        draw_line(points, Stroke::pixels(ink, 2.0).dashed(Dash::Solid), sink);
    }
    let visible: BTreeSet<EntityId> = moment
        .ids()
        .into_iter()
        .filter(|id| level.is_visible(*id) || level.get(*id).is_none())
        .collect();
    if is_simulated(moment) {
        draw_starts(level, palette, sink);
    } else {
        for agent in &visible {
            fade_start(level, *agent, palette, sink);
        }
    }
    let in_sight = |at: DVec2| within.is_none_or(|part| part.expanded(2.0).contains(at));
    let colours = view
        .by
        .colours(moment, level, view.walked.as_deref(), palette);
    draw_trails(view, moment, &colours, in_sight, sink);
    let ghosts = view.ghost.iter().flat_map(|ghost| &ghost.agents);
    for shown in ghosts.filter(|shown| in_sight(shown.pose.point.truncate())) {
        draw_ghost(shown, level, palette, sink);
    }
    if let Some(picked) = &view.picked {
        draw_picked(picked, moment, palette, sink);
    }
    for (shown, own) in moment.agents.iter().zip(colours) {
        if !visible.contains(&shown.agent) || !in_sight(shown.pose.point.truncate()) {
            continue;
        }
        let radius = radius_of(shown, level, palette);
        let colour = shown.series.map_or(own, series_colour);
        draw_agent(shown, radius, colour, palette, sink);
    }
}

/// Whether people of a run are shown. Starts and crowds of the level are drawn as ghosts then, and not as they are.
#[must_use]
pub fn is_simulated(moment: &Moment) -> bool {
    moment.agents.iter().any(|shown| shown.body.is_some())
}

/// Where agents and crowds of the level begin, faintly.
fn draw_starts(level: &Level, palette: &Palette, sink: &mut dyn Sink) {
    for (id, entity) in level.iter().filter(|(id, _)| level.is_visible(*id)) {
        let (colour, radius) = body(level, id, palette);
        let outline = Stroke::pixels(Ink::new(colour, 0.45), 1.2);
        match &entity.kind {
            Kind::Agent(agent) => add(
                sink,
                Primitive::Disc {
                    centre: agent.start.truncate(),
                    radius: Extent::metres(radius, style::AGENT_RADIUS),
                    fill: Ink::new(colour, 0.15),
                    outline: Some(outline),
                },
            ),
            Kind::Crowd(crowd) => {
                let rings = std::iter::once(&crowd.area.outer).chain(&crowd.area.holes);
                add(
                    sink,
                    Primitive::Area {
                        rings: rings.cloned().collect(),
                        rule: FillRule::EvenOdd,
                        fill: Fill::plain(Ink::new(colour, 0.05)),
                        outline: Some(outline.dashed(Dash::Dashed)),
                    },
                );
            }
            _ => {}
        }
    }
}

fn draw_line(points: Vec<DVec2>, stroke: Stroke, sink: &mut dyn Sink) {
    if points.len() >= 2 {
        add(
            sink,
            Primitive::Line {
                points,
                closed: false,
                stroke,
            },
        );
    }
}

/// Where people have just been, in their colours.
fn draw_trails(
    view: &CrowdView,
    moment: &Moment,
    colours: &[Colour],
    in_sight: impl Fn(DVec2) -> bool,
    sink: &mut dyn Sink,
) {
    let Some(trails) = &view.trails else {
        return;
    };
    let mut agents = moment.agents.iter().zip(colours).peekable();
    for (index, trail) in trails.iter() {
        // Both are ordered by index.
        while agents
            .next_if(|(shown, _)| shown.index < Some(*index))
            .is_some()
        {}
        let Some((_, colour)) = agents
            .peek()
            .filter(|(shown, _)| shown.index == Some(*index))
        else {
            continue;
        };
        if trail.last().is_some_and(|at| in_sight(at.truncate())) {
            let points = trail.iter().map(|p| p.truncate()).collect();
            draw_line(points, Stroke::pixels(Ink::new(**colour, 0.5), 1.6), sink);
        }
    }
}

/// Someone of another run: hollow.
fn draw_ghost(shown: &AgentPose, level: &Level, palette: &Palette, sink: &mut dyn Sink) {
    add(
        sink,
        Primitive::Disc {
            centre: shown.pose.point.truncate(),
            radius: Extent::metres(radius_of(shown, level, palette), style::AGENT_RADIUS),
            fill: Ink::new(palette.text, 0.0),
            outline: Some(Stroke::pixels(Ink::new(palette.text_muted, 0.9), 1.4)),
        },
    );
}

/// The past and the plan of the one that is looked at, a ring around it, and what acts on it: its wish, walls and
/// others.
fn draw_picked(picked: &Picked, moment: &Moment, palette: &Palette, sink: &mut dyn Sink) {
    let past = picked
        .past(moment.time)
        .map(glam::DVec3::truncate)
        .collect();
    let ink = Ink::new(palette.selection, 0.95);
    draw_line(past, Stroke::pixels(ink, 2.4), sink);
    let plan = picked.plan.iter().map(|p| p.truncate()).collect();
    draw_line(plan, Stroke::pixels(ink, 2.0).dashed(Dash::Dashed), sink);
    let here = moment
        .agents
        .iter()
        .find(|shown| shown.index == Some(picked.index));
    if let Some(shown) = here {
        add(
            sink,
            Primitive::Disc {
                centre: shown.pose.point.truncate(),
                radius: Extent::metres(0.55, style::AGENT_RADIUS + 7.0),
                fill: Ink::new(palette.selection, 0.18),
                outline: Some(Stroke::pixels(ink, 2.0)),
            },
        );
    }
    let Some(acting) = &picked.acting else {
        return;
    };
    for (force, colour) in [
        (acting.wish, palette.open),
        (acting.pushes.walls, palette.blocker),
        (acting.pushes.others, palette.portal),
    ] {
        let at = acting.at.truncate();
        let arrow = force_arrow(at, force, PUSH_SCALE, colour, palette);
        arrow.for_each(|primitive| add(sink, primitive));
    }
}

/// Of its own body, where a run knows that.
fn radius_of(shown: &AgentPose, level: &Level, palette: &Palette) -> f64 {
    let own = shown.body.map(|body| body.radius);
    own.unwrap_or_else(|| body(level, shown.agent, palette).1)
}

/// The colour of one of several recordings that are side by side.
#[must_use]
pub const fn series_colour(series: usize) -> Colour {
    SERIES[series % SERIES.len()]
}

/// The colour and the radius of an agent's profile.
fn body(level: &Level, agent: EntityId, palette: &Palette) -> (Colour, f64) {
    let mission = level.get(agent).and_then(|entity| entity.mission());
    let profile = mission.and_then(|mission| level.get(mission.profile));
    match profile.map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => (palette.agent(profile.colour), profile.body.radius),
        _ => (palette.path, limits::RADIUS.default),
    }
}

fn add(sink: &mut dyn Sink, primitive: Primitive) {
    sink.add(Shape {
        plane: Plane::Playback,
        entity: None,
        min_scale: 0.0,
        primitive,
    });
}

/// The start of an agent that is under way fades: the agent itself is elsewhere.
fn fade_start(level: &Level, agent: EntityId, palette: &Palette, sink: &mut dyn Sink) {
    if let Some(Kind::Agent(entity)) = level.get(agent).map(|entity| &entity.kind) {
        let (_, radius) = body(level, agent, palette);
        add(
            sink,
            Primitive::Disc {
                centre: entity.start.truncate(),
                radius: Extent::metres(radius, style::AGENT_RADIUS),
                fill: Ink::new(palette.ground, 0.6),
                outline: None,
            },
        );
    }
}

/// A disc of its true size with a nose, and a rim that tells it from the agents' starts. Members of crowds are
/// smaller from afar: there are many.
fn draw_agent(
    shown: &AgentPose,
    radius: f64,
    colour: Colour,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    let pose = &shown.pose;
    let at = pose.point.truncate();
    let (least, rim) = match shown.body {
        Some(_) => (style::AGENT_RADIUS - 2.5, 1.2),
        None => (style::AGENT_RADIUS + 2.0, 2.0),
    };
    let size = Extent::metres(radius, least);
    let is_stuck = shown.body.is_some_and(|body| body.is_stuck);
    add(
        sink,
        Primitive::Disc {
            centre: at,
            radius: size,
            fill: Ink::solid(colour),
            // Actions other than walking show on the rim.
            outline: Some(match palette.action(pose.action) {
                Some(action) => Stroke::pixels(Ink::solid(action), 3.0),
                None if is_stuck => Stroke::pixels(Ink::solid(palette.blocker), 2.6),
                None => Stroke::pixels(Ink::solid(palette.text), rim),
            }),
        },
    );
    let nose = if colour.luma() > 0.5 {
        Colour::hex(0x10_1418)
    } else {
        Colour::hex(0xff_ffff)
    };
    add(
        sink,
        Primitive::Mark {
            at,
            turn: pose.heading,
            glyph: Glyph::Nose,
            size,
            fill: Ink::solid(nose),
            outline: None,
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::mesh_library::NO_MESHES;
    use crate::document::template::{Options, Template};
    use crate::jobs::JobContext;
    use crate::nav::NavBundle;
    use crate::planner::{PlannedLevel, Slopes, missions};
    use crate::preview::overlays::{PictureOf, picture_scene};
    use crate::preview::space::signs::Signs;
    use crate::preview::{Look, Overlays, RenderOptions, render_overlays_svg};
    use crate::sim::{Playback, Recording};
    use glam::DVec3;
    use std::sync::Arc;

    fn planned() -> Arc<PlannedLevel> {
        let level = Template::Rooms.build(&Options::default()).expect("drawn");
        let ctx = JobContext::default();
        let bundle = NavBundle::bake(missions::bake_request(Arc::new(level)), &ctx);
        let bundle = bundle.expect("not cancelled");
        let planned = PlannedLevel::plan(bundle, None, Slopes::default(), &ctx);
        Arc::new(planned.expect("not cancelled"))
    }

    fn discs(shapes: &[Shape]) -> Vec<DVec2> {
        let centre = |shape: &Shape| match &shape.primitive {
            Primitive::Disc {
                centre,
                outline: Some(_),
                ..
            } if shape.plane == Plane::Playback => Some(*centre),
            _ => None,
        };
        shapes.iter().filter_map(centre).collect()
    }

    #[test]
    fn plan_space_and_pictures_show_agents_in_the_same_places() {
        let planned = planned();
        let recording = Arc::new(Recording::of_plans(&planned.level, &planned.plans));
        let playback = Playback::of(Arc::clone(&recording));
        let palette = Look::Light.palette();
        assert!(recording.agents().len() > 0);
        let mut pictures = Vec::new();
        for share in [0.0, 0.3, 0.7, 1.5] {
            let moment = playback.moment(recording.duration() * share);
            let expected: Vec<DVec3> = recording
                .agents()
                .filter_map(|agent| recording.pose(agent, moment.time))
                .map(|pose| pose.point)
                .collect();
            let in_plan: Vec<DVec2> = expected.iter().map(|p| p.truncate()).collect();

            let mut shapes: Vec<Shape> = Vec::new();
            let view = CrowdView::default();
            draw_moment(&moment, &planned.level, None, &view, palette, &mut shapes);
            assert_eq!(discs(&shapes), in_plan, "in the plan view");

            let of = PictureOf {
                at: Some(moment.time),
                ..PictureOf::default()
            };
            let (shown, ctx) = (Overlays::NONE, JobContext::default());
            let scene = picture_scene(&planned, &shown, &of, &ctx).expect("not cancelled");
            assert_eq!(scene.moment.as_ref(), Some(&moment), "in a picture");

            // In space each agent is a capsule of its own about its feet.
            let signs = Signs {
                level: &planned.level,
                palette,
                origin: DVec3::ZERO,
                floor: None,
            };
            for (shown, foot) in moment.agents.iter().zip(&expected) {
                let alone = playback.clone().only(Some(shown.agent)).moment(moment.time);
                let layer = signs.moment(&alone, &CrowdView::default());
                let bounds = layer.bounds();
                let centre = bounds.centre();
                let (_, radius) = body(&planned.level, shown.agent, palette);
                assert!(
                    centre.truncate().distance(foot.truncate()) < radius,
                    "in space"
                );
                assert!((bounds.min.z - foot.z).abs() < 0.1, "on its feet");
            }

            let options = RenderOptions::default();
            let level = &planned.level;
            let svg = render_overlays_svg(level, &NO_MESHES, &scene, &options);
            pictures.push(svg.expect("drawn"));
        }
        assert!(pictures.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn methods_side_by_side_have_a_colour_and_a_line_each() {
        let planned = planned();
        let recording = Arc::new(Recording::of_plans(&planned.level, &planned.plans));
        let agent = recording.agents().next();
        let playback = Playback::side_by_side([(0, Arc::clone(&recording)), (1, recording)]);
        let moment = playback.only(agent).moment(1.0);
        let mut shapes: Vec<Shape> = Vec::new();
        let palette = Look::Dark.palette();
        let view = CrowdView::default();
        draw_moment(&moment, &planned.level, None, &view, palette, &mut shapes);
        let lines = shapes.iter().filter_map(|shape| match &shape.primitive {
            Primitive::Line { stroke, .. } => Some(stroke.ink.colour),
            _ => None,
        });
        assert!(lines.eq([series_colour(0), series_colour(1)]));
        let fills = shapes.iter().filter_map(|shape| match &shape.primitive {
            Primitive::Disc {
                fill,
                outline: Some(_),
                ..
            } => Some(fill.colour),
            _ => None,
        });
        assert!(fills.eq([series_colour(0), series_colour(1)]));
    }
}
