//! Agents where they are at a moment, over the plan.

use super::nav::SERIES;
use super::primitive::{Dash, Extent, Glyph, Ink, Stroke};
use super::{Palette, Plane, Primitive, Shape, Sink, style};
use crate::base::{Colour, EntityId};
use crate::document::{Kind, Level, limits};
use crate::geometry::Rect;
use crate::sim::{AgentPose, Moment, Pose};
use glam::DVec2;

/// Draws what is shown at a moment, of agents only those `within` a part of the plan: lines of recordings that are
/// side by side, and every agent of a visible layer, with its start faded.
pub fn draw_moment(
    moment: &Moment,
    level: &Level,
    within: Option<Rect>,
    palette: &Palette,
    sink: &mut dyn Sink,
) {
    for (series, trajectory) in &moment.lines {
        let points: Vec<DVec2> = trajectory.points().iter().map(|p| p.truncate()).collect();
        if points.len() >= 2 {
            let ink = Ink::new(series_colour(*series), 0.9);
            add(
                sink,
                Primitive::Line {
                    points,
                    closed: false,
                    stroke: Stroke::pixels(ink, 2.0).dashed(Dash::Solid),
                },
            );
        }
    }
    let visible = |shown: &&AgentPose| level.is_visible(shown.agent);
    for agent in moment.ids() {
        if level.is_visible(agent) {
            fade_start(level, agent, palette, sink);
        }
    }
    for shown in moment.agents.iter().filter(visible) {
        let (own, radius) = body(level, shown.agent, palette);
        let colour = shown.series.map_or(own, series_colour);
        let at = shown.pose.point.truncate();
        if within.is_none_or(|part| part.expanded(radius + 1.0).contains(at)) {
            draw_agent(&shown.pose, radius, colour, palette, sink);
        }
    }
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

/// A disc of its true size with a nose, and a rim that tells it from the agents' starts.
fn draw_agent(pose: &Pose, radius: f64, colour: Colour, palette: &Palette, sink: &mut dyn Sink) {
    let at = pose.point.truncate();
    let size = Extent::metres(radius, style::AGENT_RADIUS + 2.0);
    add(
        sink,
        Primitive::Disc {
            centre: at,
            radius: size,
            fill: Ink::solid(colour),
            // Actions other than walking show on the rim.
            outline: Some(match palette.action(pose.action) {
                Some(action) => Stroke::pixels(Ink::solid(action), 3.0),
                None => Stroke::pixels(Ink::solid(palette.text), 2.0),
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
            draw_moment(&moment, &planned.level, None, palette, &mut shapes);
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
                let layer = signs.moment(&alone);
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
        draw_moment(&moment, &planned.level, None, palette, &mut shapes);
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
