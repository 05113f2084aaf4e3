//! The 3D view: where it looks from, what it shows, what is dragged in it. Never part of history.
//!
//! The scene is made between two frames where little changed, and in the background otherwise;
//! until the new one is there, the old one stays in sight.

use super::Editor;
use super::notice::Notice;
use crate::base::ByAddress;
use crate::document::{Kind, KindName, Level, MeshLibrary, SolidShape};
use crate::geometry::Aabb;
use crate::interaction::space::{Direction, Projection, SpaceCamera, SpaceDrag};
use crate::jobs::{Cancelled, Display, JobContext, Memo, Settled, Superseded};
use crate::preview::Look;
use crate::preview::space::{SpaceScene, Storey, render, storeys};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// How long the eye takes to another place. Unit: seconds.
const FLIGHT: f64 = 0.22;
/// Levels of so few things are made into a scene at once.
const FEW: usize = 150;

/// What the pointer is doing in the view, from pressing a button to letting go.
#[derive(Debug, Default)]
pub enum SpaceGesture {
    #[default]
    None,
    /// Moves, turns or scales what is selected.
    Drag(Box<SpaceDrag>),
    /// Selects what is inside a rectangle of the screen. Unit: points.
    Marquee { from: DVec2, to: DVec2 },
    /// The space bar is down: circles what one looks at, as the middle button does.
    Look,
    /// Taken back; the rest of the drag does nothing.
    Over,
}

#[derive(Debug)]
pub struct Space {
    pub camera: SpaceCamera,
    /// Size of the view as last drawn. Unit: points.
    pub viewport: DVec2,
    /// What the view was fitted to, and the camera that came of it: until the user moves it, the
    /// view keeps fitting.
    fitted: Option<(Aabb, SpaceCamera)>,
    flight: Option<Flight>,
    /// What lies higher is cut away. Unit: metres.
    pub section: Option<f64>,
    /// The 3D view as a widget, to know whether keys are meant for it.
    pub focus_id: Option<egui::Id>,
    /// Where the pointer meets the level.
    pub pointer: Option<DVec3>,
    pub gesture: SpaceGesture,
    /// The right button is down: letters fly instead of being commands.
    pub is_flying: bool,
    /// Drawn without OpenGL.
    pub is_soft: bool,
    /// The meshes that solids refer to.
    pub meshes: Arc<MeshLibrary>,
    scene: Memo<SceneKey, Arc<SpaceScene>>,
    /// The view was drawn in this frame, in this look.
    drawn: Option<Look>,
}

/// What a scene is made from.
#[derive(Clone, Debug, PartialEq)]
struct SceneKey {
    level: ByAddress<Level>,
    meshes: ByAddress<MeshLibrary>,
    look: Look,
}

/// From one place to another, begun at a time of the window's clock.
#[derive(Clone, Copy, Debug)]
struct Flight {
    from: SpaceCamera,
    to: SpaceCamera,
    since: Option<f64>,
}

impl Default for Space {
    fn default() -> Self {
        Self {
            camera: SpaceCamera::default(),
            viewport: DVec2::new(800.0, 600.0),
            fitted: None,
            flight: None,
            section: None,
            focus_id: None,
            pointer: None,
            gesture: SpaceGesture::None,
            is_flying: false,
            is_soft: false,
            meshes: Arc::default(),
            // Under a drag, a scene one behind is better than none.
            scene: Memo::new("Making the 3D view", Display::Shown, Superseded::FINISH),
            drawn: None,
        }
    }
}

impl Space {
    /// Void for another level; the projection stays.
    pub(super) fn forget(&mut self) {
        *self = Self {
            viewport: self.viewport,
            camera: SpaceCamera {
                projection: self.camera.projection,
                ..SpaceCamera::default()
            },
            is_soft: self.is_soft,
            ..Self::default()
        };
    }

    /// What is shown; `None` until it has been made for the first time.
    #[must_use]
    pub fn scene(&self) -> Option<&Arc<SpaceScene>> {
        self.scene.value()
    }

    /// Makes the scene of this state if that is quickly done; else the old one stays for now.
    pub(super) fn show(&mut self, level: &Arc<Level>, look: Look) {
        self.drawn = Some(look);
        let meshes = &self.meshes;
        let is_quick = match self.scene() {
            Some(scene) if scene.is_of(level, meshes, look) => return,
            Some(scene) => scene.is_near(level, meshes, look) || is_small(level),
            None => is_small(level),
        };
        if !is_quick {
            return;
        }
        let key = self.key(level, look);
        let before = self.scene().cloned();
        if let Ok(scene) = key.build(before.as_deref(), &JobContext::default()) {
            self.scene.set(key, Arc::new(scene));
            if before.is_none() {
                self.frame_first();
            }
        }
    }

    fn key(&self, level: &Arc<Level>, look: Look) -> SceneKey {
        SceneKey {
            level: ByAddress::of(level),
            meshes: ByAddress::of(&self.meshes),
            look,
        }
    }

    /// The first scene is looked at as a whole.
    fn frame_first(&mut self) {
        if let Some(scene) = self.scene.value() {
            let bounds = render::bounds(scene);
            self.camera.look_from(Direction::Corner);
            self.fit(bounds);
        }
    }

    /// Shows all of `bounds`, also after the view has been given another size.
    fn fit(&mut self, bounds: Aabb) {
        self.flight = None;
        self.camera.frame(&bounds, self.viewport);
        self.fitted = Some((bounds, self.camera));
    }

    /// The view is drawn at this size from now on.
    pub(super) fn resize(&mut self, viewport: DVec2) {
        if self.viewport == viewport {
            return;
        }
        self.viewport = viewport;
        if let Some((bounds, _)) = self.fitted.filter(|(_, camera)| *camera == self.camera) {
            self.fit(bounds);
        }
    }

    /// Animates the camera by the window's clock. True until it is there.
    pub(super) fn fly_on(&mut self, now: f64) -> bool {
        let Some(flight) = &mut self.flight else {
            return false;
        };
        let since = *flight.since.get_or_insert(now);
        let share = ((now - since) / FLIGHT).clamp(0.0, 1.0);
        let eased = share * share * (3.0 - 2.0 * share);
        let (from, to) = (flight.from, flight.to);
        if share >= 1.0 {
            self.camera = to;
            self.flight = None;
            return false;
        }
        self.camera = from.between(&to, eased);
        true
    }

    /// A hand has taken the camera: it goes nowhere by itself.
    pub(super) const fn hold(&mut self) {
        self.flight = None;
    }

    /// Where the camera is going, or is.
    #[must_use]
    pub fn destination(&self) -> SpaceCamera {
        self.flight.map_or(self.camera, |flight| flight.to)
    }

    fn go(&mut self, to: SpaceCamera) {
        self.flight = Some(Flight {
            from: self.camera,
            to,
            since: None,
        });
    }

    pub fn look_from(&mut self, direction: Direction) {
        let mut to = self.destination();
        to.look_from(direction);
        self.go(to);
    }

    /// Shows all of `bounds` without turning; nothing for an empty one.
    pub fn frame(&mut self, bounds: &Aabb) {
        if bounds.is_empty() {
            return;
        }
        let mut to = self.destination();
        to.frame(bounds, self.viewport);
        self.fitted = Some((*bounds, to));
        self.go(to);
    }

    pub fn frame_all(&mut self) {
        if let Some(scene) = self.scene() {
            let bounds = render::bounds(scene);
            self.frame(&bounds);
        }
    }

    /// Comes nearer by `factor`, towards the pointer where it meets the level.
    pub fn zoom_by(&mut self, factor: f64) {
        let mut to = self.destination();
        to.dolly(factor, self.pointer.unwrap_or(to.target));
        self.go(to);
    }

    /// Keeps what is followed in the middle of the view.
    pub(super) fn follow(&mut self, place: DVec3) {
        self.hold();
        self.camera.target = place;
    }

    /// From the corner, the whole level.
    pub fn reset(&mut self) {
        self.look_from(Direction::Corner);
        self.frame_all();
    }

    /// The storeys of the level, from the lowest to the highest.
    #[must_use]
    pub fn storeys(&self) -> Vec<Storey> {
        self.scene().map(|scene| storeys(scene)).unwrap_or_default()
    }

    /// Cuts the level open at its uppermost storey, or shows it whole.
    pub fn toggle_section(&mut self) {
        self.section = match (self.section, self.scene()) {
            (None, Some(scene)) => {
                let bounds = scene.bounds();
                let storeys = self.storeys();
                let cuts = storeys.iter().rev().map(|storey| storey.cut);
                let found = cuts.into_iter().find(|cut| *cut < bounds.max.z);
                Some(found.unwrap_or(bounds.centre().z))
            }
            _ => None,
        };
    }

    /// Shows the level up to the next storey above or below; whole beyond the highest one.
    pub fn change_storey(&mut self, by: i32) {
        let cuts: Vec<f64> = self.storeys().iter().map(|storey| storey.cut).collect();
        let top = self.scene().map_or(0.0, |scene| scene.bounds().max.z);
        let here = self.section.unwrap_or(f64::INFINITY);
        let next = if by > 0 {
            cuts.iter().find(|cut| **cut > here + 1e-6).copied()
        } else {
            let below = cuts.iter().rev().find(|cut| **cut < (here - 1e-6).min(top));
            below.or(cuts.first()).copied()
        };
        self.section = next.filter(|cut| *cut < top);
    }

    pub fn toggle_projection(&mut self) {
        self.hold();
        self.camera.projection = match self.camera.projection {
            Projection::Perspective => Projection::Orthographic,
            Projection::Orthographic => Projection::Perspective,
        };
    }

    /// A drag of a handle or of an object is in progress.
    #[must_use]
    pub const fn is_dragging(&self) -> bool {
        matches!(self.gesture, SpaceGesture::Drag(_))
    }
}

/// A scene of it is made between two frames.
fn is_small(level: &Level) -> bool {
    let has_mesh = |kind: &Kind| matches!(kind, Kind::Solid(solid) if matches!(solid.shape, SolidShape::Mesh(_)));
    level.len() <= FEW
        && level.ground().is_none()
        && !level.iter().any(|(_, entity)| has_mesh(&entity.kind))
}

impl super::EditorState {
    /// Takes back what is being dragged in the 3D view. True if something was.
    pub(super) fn cancel_space_drag(&mut self) -> bool {
        match std::mem::replace(&mut self.space.gesture, SpaceGesture::Over) {
            SpaceGesture::Drag(drag) => {
                drag.cancel(&mut self.level);
                true
            }
            SpaceGesture::Marquee { .. } => true,
            before => {
                self.space.gesture = before;
                false
            }
        }
    }

    /// Around what is selected, in space.
    #[must_use]
    pub fn selected_bounds(&self) -> Aabb {
        let document = self.document();
        let level = document.level();
        let ids = document
            .selection()
            .iter()
            .flat_map(|id| match level.kind_of(id) {
                Some(KindName::Group) => level.members(id),
                _ => vec![id],
            });
        ids.filter_map(|id| {
            let bodies = self.space.scene().into_iter();
            let bodies = bodies.flat_map(|scene| scene.bodies_of(id));
            if let Some(bounds) = bodies.map(|body| body.bounds).reduce(|a, b| a.union(&b)) {
                return Some(bounds);
            }
            let entity = level.get(id)?;
            let rect = entity.bounds()?;
            let ground = |p: DVec2| level.ground().map_or(0.0, |field| field.height(p));
            let foot = match &entity.kind {
                Kind::Agent(agent) => agent.start.z,
                _ => ground(rect.centre()),
            };
            Some(Aabb::new(
                rect.min.extend(foot),
                rect.max.extend(foot + 1.0),
            ))
        })
        .fold(Aabb::EMPTY, |all, bounds| all.union(&bounds))
    }
}

impl SceneKey {
    fn build(
        &self,
        before: Option<&SpaceScene>,
        ctx: &JobContext,
    ) -> Result<SpaceScene, Cancelled> {
        let (level, meshes) = (Arc::clone(&self.level), Arc::clone(&self.meshes));
        SpaceScene::build(before, level, meshes, self.look, ctx)
    }
}

impl Editor {
    /// Makes the scene of the newest state in the background, where the view could not.
    pub(super) fn keep_space_current(&mut self) {
        let level = Arc::clone(self.state.document().level());
        let space = &mut self.state.space;
        let before = space.scene().cloned();
        let is_first = before.is_none();
        let settled = match space.drawn.take() {
            Some(look) => {
                let key = space.key(&level, look);
                let asked = key.clone();
                space.scene.want(self.work.jobs(), key, move |job| {
                    Ok(Arc::new(asked.build(before.as_deref(), job)?))
                })
            }
            None => space.scene.poll(),
        };
        match settled {
            Some(Settled::Value) if is_first => space.frame_first(),
            Some(Settled::Failed) => {
                let error = space.scene.error().map(ToString::to_string);
                let error = error.unwrap_or_default();
                let notice = Notice::error(format!("The 3D view could not be made: {error}."));
                self.state.notify(notice);
            }
            Some(Settled::Value | Settled::Declined) | None => {}
        }
    }
}
