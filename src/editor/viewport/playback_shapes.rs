//! Agents on their planned ways, as shapes over the plan; made anew in every frame.

use super::scene::PlanScene;
use crate::base::{Colour, EntityId};
use crate::document::{Kind, KindName, Level, limits};
use crate::editor::playback::Playback;
use crate::geometry::Rect;
use crate::planner::replay::{Pose, Track};
use crate::preview::nav::SERIES;
use crate::preview::primitive::{Dash, Extent, Glyph, Ink, Primitive, Stroke};
use crate::preview::{Layer, Palette, Plane, Shape, corridor, style};
use glam::DVec2;

pub(super) fn shapes(scene: &PlanScene<'_>, visible: Rect) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let Some(navigation) = scene.navigation else {
        return shapes;
    };
    let playback = &navigation.playback;
    if !playback.is_shown() {
        return shapes;
    }
    let level = scene.level;
    let is_agent = |id: &EntityId| level.kind_of(*id) == Some(KindName::Agent);
    let selected = scene.selection.iter().find(is_agent);
    let palette = scene.look.palette();
    let mut pen = Pen {
        palette,
        visible,
        shapes: &mut shapes,
    };
    compared(playback, selected, level, &mut pen);
    planned(playback, selected, level, &mut pen);
    if navigation.visible && navigation.layers.contains(Layer::Forces) {
        for step in playback.thoughts(selected) {
            corridor::draw_forces(&step, scene.camera.metres(1.0), palette, &mut shapes);
        }
    }
    shapes
}

struct Pen<'a> {
    palette: &'a Palette,
    visible: Rect,
    shapes: &'a mut Vec<Shape>,
}

/// The selected agent by both methods: their ways, and where they are.
fn compared(playback: &Playback, selected: Option<EntityId>, level: &Level, pen: &mut Pen<'_>) {
    let Some((agent, ways)) = selected.zip(playback.ways(selected)) else {
        return;
    };
    let (_, radius) = body(level, agent, pen.palette);
    for (way, colour) in ways.iter().zip(SERIES) {
        if let Ok(track) = &way.track {
            pen.way(track, colour);
        }
    }
    for (way, colour) in ways.iter().zip(SERIES) {
        let pose = way
            .track
            .as_ref()
            .ok()
            .and_then(|t| t.pose(playback.head.time));
        if let Some(pose) = pose {
            pen.agent(&pose, radius, colour);
        }
    }
}

fn planned(playback: &Playback, selected: Option<EntityId>, level: &Level, pen: &mut Pen<'_>) {
    let Some(replay) = playback.replay() else {
        return;
    };
    let only = playback.only(selected);
    // Beside the two methods, the plan itself would be a third one.
    let is_replaced = playback.ways(selected).is_some();
    for (id, track) in replay.tracks() {
        let is_played = only.is_none_or(|only| only == *id) && !is_replaced;
        if !is_played || !level.is_visible(*id) {
            continue;
        }
        if let Some(pose) = track.pose(playback.head.time) {
            let (colour, radius) = body(level, *id, pen.palette);
            pen.agent(&pose, radius, colour);
        }
    }
}

/// The colour and the radius of an agent's profile.
fn body(level: &Level, agent: EntityId, palette: &Palette) -> (Colour, f64) {
    let profile = match level.get(agent).map(|entity| &entity.kind) {
        Some(Kind::Agent(agent)) => level.get(agent.mission.profile),
        _ => None,
    };
    match profile.map(|entity| &entity.kind) {
        Some(Kind::Profile(profile)) => (palette.agent(profile.colour), profile.body.radius),
        _ => (palette.path, limits::RADIUS.default),
    }
}

impl Pen<'_> {
    fn add(&mut self, primitive: Primitive) {
        self.shapes.push(Shape {
            plane: Plane::Playback,
            entity: None,
            min_scale: 0.0,
            primitive,
        });
    }

    fn way(&mut self, track: &Track, colour: Colour) {
        let points: Vec<DVec2> = track.points().iter().map(|p| p.truncate()).collect();
        if points.len() >= 2 {
            self.add(Primitive::Line {
                points,
                closed: false,
                stroke: Stroke::pixels(Ink::new(colour, 0.9), 2.0).dashed(Dash::Solid),
            });
        }
    }

    /// A disc of its true size with a nose, and a ring that tells it from the agents' starts.
    fn agent(&mut self, pose: &Pose, radius: f64, colour: Colour) {
        let at = pose.point.truncate();
        if !self.visible.expanded(radius + 1.0).contains(at) {
            return;
        }
        let size = Extent::metres(radius, style::AGENT_RADIUS + 2.0);
        self.add(Primitive::Disc {
            centre: at,
            radius: size,
            fill: Ink::solid(colour),
            // What it does besides walking shows on its rim.
            outline: Some(match self.palette.action(pose.action) {
                Some(action) => Stroke::pixels(Ink::solid(action), 3.0),
                None => Stroke::pixels(Ink::solid(self.palette.text), 2.0),
            }),
        });
        let nose = if colour.luma() > 0.5 {
            Colour::hex(0x10_1418)
        } else {
            Colour::hex(0xff_ffff)
        };
        self.add(Primitive::Mark {
            at,
            turn: pose.heading,
            glyph: Glyph::Nose,
            size,
            fill: Ink::solid(nose),
            outline: None,
        });
    }
}
