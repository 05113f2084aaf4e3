//! What files of 3D programs are made from: bodies, a navigation mesh, agents that move. Each format
//! writes it in its own words.

use super::frame::Frame;
use super::left_out::LeftOut;
use super::parts::{self, Contents, NavTriangles, Part};
use super::trajectories::{RATE, RATE_WORDS};
use super::{DETAIL_WORDS, ExportError, Exported, PROFILE_WORDS};
use crate::base::{Quantity, Unit};
use crate::document::Level;
use crate::exchange::motion::{Motion, Walker};
use crate::exchange::options::{Field, FormatOptions};
use crate::exchange::writer::ExportInput;
use crate::geometry::TriMesh;
use crate::jobs::JobContext;
use glam::DVec3;
use std::f64::consts::TAU;

const DETAIL: Quantity = Quantity::new("longest side", Unit::Metre, 0.1, 10_000.0, 4.0);

/// More moving agents than this are too much for programs that show scenes.
pub(super) const MOST_AGENTS: usize = 2000;

/// What a 3D file is to hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneOptions {
    pub contents: Contents,
    /// The first one if `None`.
    pub profile: Option<String>,
    /// Longest side of polygons where terrain or heights vary. Unit: metres.
    pub detail: Option<f64>,
}

impl FormatOptions for SceneOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["contents", "Contents", "What the file is to hold"],
            Contents::CHOICES,
            |o| o.contents.id(),
            |o, id| o.contents = Contents::named(id),
        ),
        Field::profile(PROFILE_WORDS, |o| &mut o.profile),
        Field::automatic_number(DETAIL_WORDS, DETAIL, |o: &mut Self| &mut o.detail).advanced(),
    ];
}

/// What a 3D file that can move is to hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimatedSceneOptions {
    pub scene: SceneOptions,
    /// Without a recording, agents move as planned.
    pub animate: bool,
    /// As recorded if `None`. Unit: frames per second.
    pub fps: Option<f64>,
}

impl FormatOptions for AnimatedSceneOptions {
    const FIELDS: &'static [Field<Self>] = &[
        Field::choice(
            ["contents", "Contents", "What the file is to hold"],
            Contents::CHOICES,
            |o| o.scene.contents.id(),
            |o, id| o.scene.contents = Contents::named(id),
        ),
        Field::profile(PROFILE_WORDS, |o| &mut o.scene.profile),
        Field::automatic_number(DETAIL_WORDS, DETAIL, |o: &mut Self| &mut o.scene.detail)
            .advanced(),
        Field::switch(
            [
                "animate",
                "Agents move as planned",
                "Without a recording, agents walk their planned paths",
            ],
            |o| &mut o.animate,
        ),
        Field::automatic_number(RATE_WORDS, RATE, |o: &mut Self| &mut o.fps),
    ];
}

/// A scene to be written.
pub(super) struct Scene {
    pub frame: Frame,
    pub navigation: Option<NavTriangles>,
    /// In the level's order.
    pub parts: Vec<Part>,
    pub motion: Option<Motion>,
    pub exported: Exported,
}

impl Scene {
    pub fn of(
        input: &ExportInput,
        options: &SceneOptions,
        ctx: &JobContext,
    ) -> Result<Self, ExportError> {
        let frame = Frame::of(input.level.settings().bounds);
        let mut exported = Exported {
            warnings: frame.remarks(),
            ..Exported::default()
        };
        let mut navigation = None;
        if options.contents.has_navigation() {
            let nav = NavTriangles::bake(input, options.profile.as_deref(), options.detail, ctx)?;
            exported
                .summary
                .push(format!("Navigation mesh: {}", nav.mesh.summary()));
            exported.details = super::mesh_details(&nav.mesh, frame);
            navigation = Some(nav);
        }
        let mut parts = Vec::new();
        if options.contents.has_level() {
            parts = parts::parts(input);
            exported.summary.push(format!("{} things", parts.len()));
        }
        ctx.checkpoint()?;
        Ok(Self {
            frame,
            navigation,
            parts,
            motion: None,
            exported,
        })
    }

    /// With agents that move, if there is a recording or the options ask for it.
    pub fn animated(
        input: &ExportInput,
        options: &AnimatedSceneOptions,
        ctx: &JobContext,
    ) -> Result<Self, ExportError> {
        let mut scene = Self::of(input, &options.scene, ctx)?;
        if input.has_run() || options.animate {
            let mut motion = Motion::of(input, options.fps, ctx)?;
            scene.exported.summary.push(motion.summary());
            if motion.walkers.len() > MOST_AGENTS {
                scene.exported.warnings.push(format!(
                    "only the first {MOST_AGENTS} of {} agents move in the file",
                    motion.walkers.len()
                ));
                motion.walkers.truncate(MOST_AGENTS);
            }
            let agents = motion.walkers.len();
            let details = &mut scene.exported.details;
            details.insert("agents".to_owned(), agents.into());
            details.insert("seconds".to_owned(), motion.duration().into());
            details.insert("fps".to_owned(), motion.rate().into());
            scene.motion = Some(motion);
        }
        Ok(scene)
    }
}

/// What 3D files leave out.
pub(super) fn beside_scene(level: &Level, options: &SceneOptions) -> Vec<LeftOut> {
    parts::beside_bodies(level, options.contents)
}

/// A body that moves, standing at the origin and facing +x: a drum with a nose, so that one sees where
/// it looks.
pub(super) fn body(walker: &Walker) -> TriMesh {
    const SIDES: u32 = 12;
    let (radius, height) = (walker.radius, walker.height);
    let shoulder = 0.8 * height;
    let mut mesh = TriMesh::default();
    let ring = |mesh: &mut TriMesh, radius: f64, z: f64| {
        mesh.vertices.extend((0..SIDES).map(|i| {
            let angle = TAU * f64::from(i) / f64::from(SIDES);
            DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
        }));
    };
    ring(&mut mesh, radius, 0.0);
    ring(&mut mesh, radius, shoulder);
    ring(&mut mesh, 0.4 * radius, height);
    for level in 0..2 {
        for i in 0..SIDES {
            let next = (i + 1) % SIDES;
            let [a, b] = [i, next].map(|i| level * SIDES + i);
            let [c, d] = [next, i].map(|i| (level + 1) * SIDES + i);
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    for i in 1..SIDES - 1 {
        mesh.triangles.push([0, i + 1, i]);
        mesh.triangles
            .push([2 * SIDES, 2 * SIDES + i, 2 * SIDES + i + 1]);
    }
    let nose = mesh.vertices.len() as u32;
    let half = 0.35 * radius;
    mesh.vertices.extend([
        DVec3::new(1.5 * radius, 0.0, shoulder),
        DVec3::new(0.6 * radius, half, shoulder),
        DVec3::new(0.6 * radius, -half, shoulder),
        DVec3::new(0.6 * radius, 0.0, shoulder + half),
        DVec3::new(0.6 * radius, 0.0, shoulder - half),
    ]);
    for [b, c] in [[1, 3], [3, 2], [2, 4], [4, 1]] {
        mesh.triangles.push([nose, nose + b, nose + c]);
    }
    mesh
}
