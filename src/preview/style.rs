//! The one palette of the product and how each thing of a level is drawn with it.
//!
//! Colours and sizes of everything that lies *in* a level stand here; the window's widgets take
//! over from here in `editor/theme.rs`. The two looks share their hues: a route is teal, an
//! annotation violet, a note amber, what is forbidden red, what is selected blue.

use super::primitive::{Dash, Extent, Fill, Ink, Stroke};
use crate::base::Colour;
use crate::document::{Action, DoorState, Pattern, Terrain};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Look {
    #[default]
    Dark,
    Light,
}

impl Look {
    pub const ALL: [Self; 2] = [Self::Dark, Self::Light];

    #[must_use]
    pub const fn palette(self) -> &'static Palette {
        match self {
            Self::Dark => &DARK,
            Self::Light => &LIGHT,
        }
    }

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }
}

/// What each colour means, in one look.
#[derive(Debug)]
pub struct Palette {
    /// Outside the level's bounds.
    pub surroundings: Colour,
    /// Inside the bounds where no terrain lies.
    pub ground: Colour,
    pub bounds: Ink,
    /// Grid lines that stand far apart; closer ones are fainter.
    pub grid: Ink,
    pub contour: Ink,

    /// How much of a terrain's own colour shows; the rest is the ground's.
    pub terrain_strength: f64,
    /// Towards which colour a terrain's pattern and edge lean, away from its fill.
    pub terrain_relief: Colour,

    /// Obstacles from flat to tall.
    pub obstacle_low: Colour,
    pub obstacle_high: Colour,
    pub obstacle_edge: Colour,
    /// Trees and hedges from low to tall.
    pub plant_low: Colour,
    pub plant_high: Colour,
    pub plant_edge: Colour,
    pub water: Colour,
    pub water_edge: Colour,
    pub shadow: Ink,
    pub solid_low: Colour,
    pub solid_high: Colour,
    pub solid_edge: Colour,
    pub forbidden: Colour,
    pub motion: Colour,

    pub route: Colour,
    pub annotation: Colour,
    /// A door that is open, shut or locked.
    pub door_open: Colour,
    pub door_shut: Colour,
    pub door_locked: Colour,
    pub link: Colour,
    pub exit: Colour,
    /// Where agents wait and queue.
    pub waiting: Colour,
    /// Where runs are measured.
    pub measure: Colour,
    pub note: Colour,
    pub selection: Colour,
    pub hover: Colour,
    /// Snapping guides and measures of the tool in hand.
    pub guide: Colour,

    /// Where an agent's centre may be, and the cells it is cut into.
    pub free_space: Colour,
    pub cell: Colour,
    pub portal: Colour,
    /// The medial axis, from where it is narrow to where it is wide.
    pub axis_narrow: Colour,
    pub axis_wide: Colour,
    pub corridor: Colour,
    /// A search: looked at already, still to be looked at, looked at now.
    pub closed: Colour,
    pub open: Colour,
    pub current: Colour,
    /// A path, where no profile lends its colour.
    pub path: Colour,
    /// What is left out of a route, and what is seen of it.
    pub skipped: Colour,
    pub sight: Colour,
    /// What keeps an agent from its goal.
    pub blocker: Colour,
    /// Regions that constraints draw paths to, and that they keep them from.
    pub attractor: Colour,
    pub repeller: Colour,
    /// A field from its least to its greatest value; even steps look even.
    pub heat: [Colour; 6],

    /// Voxels: solid, to stand on, got to, too near to walls.
    pub occupied: Colour,
    pub surface: Colour,
    pub reachable: Colour,
    pub border: Colour,
    /// The navigation front from where it starts to where it ends.
    pub front: [Colour; 4],
    /// Where free space leads and voxels do not, and the other way round.
    pub lost: Colour,
    pub gained: Colour,
    /// What a body does besides walking.
    pub step_up: Colour,
    pub step_down: Colour,
    pub bend: Colour,
    pub jump: Colour,
    /// A stretch of a path around something that moved.
    pub detour: Colour,

    pub text: Colour,
    pub text_muted: Colour,
    /// Behind text and thin lines, so that they read on any ground.
    pub halo: Ink,
}

const DARK: Palette = Palette {
    surroundings: Colour::hex(0x14171b),
    ground: Colour::hex(0x20252b),
    bounds: Ink::new(Colour::hex(0x5b6672), 1.0),
    grid: Ink::new(Colour::hex(0xc8d4e2), 0.11),
    contour: Ink::new(Colour::hex(0xd9c8a8), 0.40),

    terrain_strength: 0.46,
    terrain_relief: Colour::hex(0xf2f5f8),

    obstacle_low: Colour::hex(0x424b56),
    obstacle_high: Colour::hex(0x8794a3),
    obstacle_edge: Colour::hex(0xaab6c4),
    plant_low: Colour::hex(0x3d5a3c),
    plant_high: Colour::hex(0x6b9560),
    plant_edge: Colour::hex(0x93b985),
    water: Colour::hex(0x2f566e),
    water_edge: Colour::hex(0x6fa0ba),
    shadow: Ink::new(Colour::hex(0x000000), 0.32),
    solid_low: Colour::hex(0x4d4a45),
    solid_high: Colour::hex(0x968f84),
    solid_edge: Colour::hex(0xb9b1a4),
    forbidden: Colour::hex(0xf0705c),
    motion: Colour::hex(0xe8a25c),

    route: Colour::hex(0x35d0ba),
    annotation: Colour::hex(0xb49bff),
    door_open: Colour::hex(0x7fd48a),
    door_shut: Colour::hex(0xf0913f),
    door_locked: Colour::hex(0xef5f5f),
    link: Colour::hex(0x4fc9d8),
    exit: Colour::hex(0x4fc07a),
    waiting: Colour::hex(0xd9a441),
    measure: Colour::hex(0xe58ac0),
    note: Colour::hex(0xf6c04d),
    selection: Colour::hex(0x4db5ff),
    hover: Colour::hex(0x9ad4ff),
    guide: Colour::hex(0xff7ab8),

    free_space: Colour::hex(0x4fc38a),
    cell: Colour::hex(0x8fb8d8),
    portal: Colour::hex(0xffcf5a),
    axis_narrow: Colour::hex(0xff7a5c),
    axis_wide: Colour::hex(0x4fc3ff),
    corridor: Colour::hex(0x7ee0b8),
    closed: Colour::hex(0x8f9bff),
    open: Colour::hex(0x5fe0d0),
    current: Colour::hex(0xff5fa2),
    path: Colour::hex(0xffe27a),
    skipped: Colour::hex(0xc79bff),
    sight: Colour::hex(0xffd84d),
    blocker: Colour::hex(0xff5a4d),
    attractor: Colour::hex(0x58d68d),
    repeller: Colour::hex(0xffa24d),
    // Samples of "inferno", whose lightness rises evenly.
    heat: [
        Colour::hex(0x1f0c48),
        Colour::hex(0x550f6d),
        Colour::hex(0x9c2963),
        Colour::hex(0xdd513a),
        Colour::hex(0xfca50a),
        Colour::hex(0xf6e96b),
    ],

    occupied: Colour::hex(0x9aa7b8),
    surface: Colour::hex(0x8fb8d8),
    reachable: Colour::hex(0x4fd08f),
    border: Colour::hex(0xf0b34a),
    front: [
        Colour::hex(0xffe680),
        Colour::hex(0xff9a52),
        Colour::hex(0xc65fb0),
        Colour::hex(0x5a6fe0),
    ],
    lost: Colour::hex(0xff4fb0),
    gained: Colour::hex(0x45d6ff),
    step_up: Colour::hex(0x7fe06a),
    step_down: Colour::hex(0x45c4e8),
    bend: Colour::hex(0xffa640),
    jump: Colour::hex(0xff6fc0),
    detour: Colour::hex(0xd8f24a),

    text: Colour::hex(0xe8edf2),
    text_muted: Colour::hex(0x97a3b0),
    halo: Ink::new(Colour::hex(0x14171b), 0.72),
};

const LIGHT: Palette = Palette {
    surroundings: Colour::hex(0xe3e6e8),
    ground: Colour::hex(0xfaf9f6),
    bounds: Ink::new(Colour::hex(0x8d959c), 1.0),
    grid: Ink::new(Colour::hex(0x1d2b3a), 0.13),
    contour: Ink::new(Colour::hex(0x7a5a2c), 0.42),

    terrain_strength: 0.52,
    terrain_relief: Colour::hex(0x1d2530),

    obstacle_low: Colour::hex(0xcfcfcc),
    obstacle_high: Colour::hex(0x7d848c),
    obstacle_edge: Colour::hex(0x4e565f),
    plant_low: Colour::hex(0xb3c9a3),
    plant_high: Colour::hex(0x6d9060),
    plant_edge: Colour::hex(0x4a6a41),
    water: Colour::hex(0xa9cbdd),
    water_edge: Colour::hex(0x56839c),
    shadow: Ink::new(Colour::hex(0x1d2530), 0.14),
    solid_low: Colour::hex(0xdfd8cb),
    solid_high: Colour::hex(0x9a8f7e),
    solid_edge: Colour::hex(0x6b6152),
    forbidden: Colour::hex(0xc93f2b),
    motion: Colour::hex(0xb5651d),

    route: Colour::hex(0x0b8f80),
    annotation: Colour::hex(0x7248d0),
    door_open: Colour::hex(0x2f8f45),
    door_shut: Colour::hex(0xc25e00),
    door_locked: Colour::hex(0xc62f2f),
    link: Colour::hex(0x0a8696),
    exit: Colour::hex(0x1c8a4a),
    waiting: Colour::hex(0xa06d00),
    measure: Colour::hex(0xb8408a),
    note: Colour::hex(0xd08a00),
    selection: Colour::hex(0x0a78d1),
    hover: Colour::hex(0x4ba3e8),
    guide: Colour::hex(0xd6257c),

    free_space: Colour::hex(0x1f8f57),
    cell: Colour::hex(0x3b6a8f),
    portal: Colour::hex(0xa86b00),
    axis_narrow: Colour::hex(0xc8381e),
    axis_wide: Colour::hex(0x1668b8),
    corridor: Colour::hex(0x0f7d5a),
    closed: Colour::hex(0x5560c8),
    open: Colour::hex(0x0a8f80),
    current: Colour::hex(0xc21f6b),
    path: Colour::hex(0x8a5a00),
    skipped: Colour::hex(0x8a3fd0),
    sight: Colour::hex(0xf2b600),
    blocker: Colour::hex(0xd0271a),
    attractor: Colour::hex(0x12793f),
    repeller: Colour::hex(0xb85400),
    // On paper, more is darker.
    heat: [
        Colour::hex(0xfdf6c8),
        Colour::hex(0xfcc25a),
        Colour::hex(0xee7138),
        Colour::hex(0xc1405b),
        Colour::hex(0x7c1d6d),
        Colour::hex(0x2d0b59),
    ],

    occupied: Colour::hex(0x5d6875),
    surface: Colour::hex(0x3b6a8f),
    reachable: Colour::hex(0x17935a),
    border: Colour::hex(0xb87400),
    front: [
        Colour::hex(0xd9a400),
        Colour::hex(0xd8601c),
        Colour::hex(0xa23a8c),
        Colour::hex(0x3646b8),
    ],
    lost: Colour::hex(0xc8107c),
    gained: Colour::hex(0x0782b0),
    step_up: Colour::hex(0x3d8f1f),
    step_down: Colour::hex(0x0f7fa8),
    bend: Colour::hex(0xb86400),
    jump: Colour::hex(0xc0257f),
    detour: Colour::hex(0x6f9a00),

    text: Colour::hex(0x1d2530),
    text_muted: Colour::hex(0x5d6873),
    halo: Ink::new(Colour::hex(0xfdfcfa), 0.80),
};

/// Heights at which an obstacle is some two thirds of the way from low to tall. Unit: metres.
const TALL: f64 = 9.0;
/// Shadow length per metre of height: a sun somewhat above 70°.
pub const SHADOW_SLOPE: f64 = 0.32;
/// Longer shadows would hide what lies beside a tower. Unit: metres.
pub const SHADOW_LONGEST: f64 = 5.0;

/// Unit: pixels.
pub const OUTLINE_WIDTH: f64 = 1.2;
pub const ROUTE_WIDTH: f64 = 2.4;
pub const CASING_WIDTH: f64 = 5.0;
pub const THIN_WIDTH: f64 = 1.0;
pub const SELECTION_WIDTH: f64 = 2.0;
/// The smallest an agent is drawn, radius.
pub const AGENT_RADIUS: f64 = 4.5;
pub const GOAL_RADIUS: f64 = 5.0;
pub const ARROW_SIZE: f64 = 5.0;
pub const PIN_SIZE: f64 = 11.0;
/// Distance between the arrows along a route, at least.
pub const ARROW_SPACING: f64 = 70.0;
pub const LABEL_SIZE: f64 = 12.0;
pub const SMALL_LABEL_SIZE: f64 = 11.0;
/// Distance at which a texture repeats, up to twice that between two zoom levels.
pub const TEXTURE_PERIOD: f64 = 11.0;
/// Shapes below this size on the screen are left out.
pub const SMALLEST_SHAPE: f64 = 0.6;

impl Palette {
    /// How tall something is, from 0 (flat) towards 1, as its shade shows it.
    fn rise(height: f64) -> f64 {
        1.0 - (-height.max(0.0) / TALL).exp()
    }

    #[must_use]
    pub fn obstacle(&self, height: f64) -> Colour {
        self.obstacle_low
            .mix(self.obstacle_high, Self::rise(height))
    }

    #[must_use]
    pub fn plant(&self, height: f64) -> Colour {
        self.plant_low.mix(self.plant_high, Self::rise(height))
    }

    #[must_use]
    pub fn water_fill(&self) -> Fill {
        Fill {
            ink: Ink::solid(self.water),
            texture: Pattern::Waves,
            texture_ink: Ink::new(self.water_edge, 0.45),
        }
    }

    #[must_use]
    pub fn solid(&self, top: f64) -> Colour {
        self.solid_low.mix(self.solid_high, Self::rise(top))
    }

    /// A designer's terrain colour, toned so that every terrain lies quietly under the rest.
    #[must_use]
    pub fn terrain(&self, colour: Colour) -> Colour {
        self.ground.mix(colour, self.terrain_strength)
    }

    #[must_use]
    pub fn terrain_fill(&self, terrain: &Terrain) -> Fill {
        let base = self.terrain(terrain.colour);
        Fill {
            ink: Ink::new(base, 1.0),
            texture: terrain.pattern,
            texture_ink: Ink::new(base.mix(self.terrain_relief, 0.55), 0.28),
        }
    }

    #[must_use]
    pub fn terrain_edge(&self, terrain: &Terrain) -> Stroke {
        let base = self.terrain(terrain.colour);
        Stroke::pixels(
            Ink::new(base.mix(self.terrain_relief, 0.35), 0.7),
            THIN_WIDTH,
        )
    }

    /// Hatching over what agents may not step on.
    #[must_use]
    pub fn forbidden_fill(&self, base: Colour) -> Fill {
        Fill {
            ink: Ink::new(base.mix(self.forbidden, 0.22), 1.0),
            texture: Pattern::Hatch,
            texture_ink: Ink::new(self.forbidden, 0.75),
        }
    }

    #[must_use]
    pub const fn door(&self, state: DoorState) -> Colour {
        match state {
            DoorState::Open => self.door_open,
            DoorState::Shut => self.door_shut,
            DoorState::Locked => self.door_locked,
        }
    }

    #[must_use]
    pub fn annotation_fill(&self) -> Fill {
        Fill::plain(Ink::new(self.annotation, 0.13))
    }

    #[must_use]
    pub fn annotation_edge(&self) -> Stroke {
        Stroke {
            ink: Ink::new(self.annotation, 0.85),
            width: Extent::pixels(1.3),
            dash: Dash::Dashed,
        }
    }

    /// What an action is drawn in; walking has the agent's own colour.
    #[must_use]
    pub const fn action(&self, action: Action) -> Option<Colour> {
        match action {
            Action::Walk => None,
            Action::StepUp => Some(self.step_up),
            Action::StepDown => Some(self.step_down),
            Action::Bend => Some(self.bend),
            Action::Jump => Some(self.jump),
        }
    }

    /// The front at a share of its spread, from 0 to 1.
    #[must_use]
    pub fn front_at(&self, share: f64) -> Colour {
        between(&self.front, share)
    }

    /// A field at a share of its range, from 0 to 1.
    #[must_use]
    pub fn heat_at(&self, share: f64) -> Colour {
        between(&self.heat, share)
    }

    /// A profile's colour, kept apart from the ground it stands on.
    #[must_use]
    pub fn agent(&self, colour: Colour) -> Colour {
        let too_close = (colour.luma() - self.ground.luma()).abs() < 0.18;
        if too_close {
            colour.mix(self.text, 0.4)
        } else {
            colour
        }
    }
}

/// The colour at a share of a scale, from 0 to 1.
fn between(scale: &[Colour], share: f64) -> Colour {
    let last = scale.len() - 1;
    let along = share.clamp(0.0, 1.0) * last as f64;
    let from = (along as usize).min(last - 1);
    scale[from].mix(scale[from + 1], along - from as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast ratio after WCAG 2, on linear light.
    fn contrast(a: Colour, b: Colour) -> f64 {
        let light = |c: Colour| {
            let lane = |v: u8| {
                let v = f64::from(v) / 255.0;
                if v <= 0.040_45 {
                    v / 12.92
                } else {
                    ((v + 0.055) / 1.055).powf(2.4)
                }
            };
            0.2126 * lane(c.r) + 0.7152 * lane(c.g) + 0.0722 * lane(c.b)
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_reads_and_signals_stand_out_in_both_looks() {
        for look in Look::ALL {
            let p = look.palette();
            for back in [p.ground, p.surroundings] {
                assert!(contrast(p.text, back) > 10.0, "{look:?}");
                assert!(contrast(p.text_muted, back) > 4.5, "{look:?}");
            }
            for signal in [
                p.route,
                p.annotation,
                p.forbidden,
                p.selection,
                p.guide,
                p.motion,
                p.attractor,
                p.repeller,
            ] {
                assert!(contrast(signal, p.ground) > 3.0, "{look:?} {signal}");
            }
        }
    }

    #[test]
    fn lightness_runs_one_way_along_the_scale_of_fields() {
        for look in Look::ALL {
            let p = look.palette();
            let lumas: Vec<f64> = (0..=20)
                .map(|i| p.heat_at(f64::from(i) / 20.0).luma())
                .collect();
            let rises = lumas.is_sorted();
            let falls = lumas.iter().rev().is_sorted();
            assert!(rises || falls, "{look:?} {lumas:?}");
        }
    }

    #[test]
    fn taller_means_farther_from_the_ground() {
        for look in Look::ALL {
            let p = look.palette();
            let distance = |h: f64| (p.obstacle(h).luma() - p.ground.luma()).abs();
            assert!(distance(1.0) < distance(5.0) && distance(5.0) < distance(30.0));
            assert_eq!(p.obstacle(-3.0), p.obstacle_low);
        }
    }

    #[test]
    fn an_agent_is_never_the_colour_of_the_ground() {
        for look in Look::ALL {
            let p = look.palette();
            assert!((p.agent(p.ground).luma() - p.ground.luma()).abs() > 0.18);
        }
    }
}
