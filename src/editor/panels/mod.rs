//! The docked panels. Each reads the state, keeps only its own view state, and responds with
//! actions.

pub mod bench;
pub mod cell_rules;
pub mod cell_size;
mod census;
pub mod clearance;
pub mod clock;
pub mod field;
pub mod forbidding;
pub mod form;
pub mod history;
pub mod icon;
pub mod inspector;
pub mod layers;
pub mod navigation;
pub mod outliner;
pub mod playback;
pub mod plots;
pub mod problems;
pub mod profiles;
pub mod registry;
pub mod replans;
pub mod switch;
pub mod terrain_bar;
pub mod voxels;
pub mod weight_menu;
pub mod weights;

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;

pub use bench::PlannerBench;
pub use clearance::ClearancePanel;
pub use clock::ClockPanel;
pub use history::History;
pub use inspector::Inspector;
pub use layers::Layers;
pub use navigation::NavigationPanel;
pub use outliner::Outliner;
pub use playback::PlaybackPanel;
pub use plots::PlotsPanel;
pub use problems::Problems;
pub use profiles::Profiles;
pub use replans::ReplansPanel;
pub use voxels::VoxelsPanel;
pub use weights::Weights;

/// What panels remember between frames, each kept by its type.
#[derive(Default)]
pub struct Panels(BTreeMap<TypeId, Box<dyn Any>>);

impl Panels {
    /// The panel of a type; a new one where it has not been asked for before.
    pub fn get<P: Any + Default>(&mut self) -> &mut P {
        let kept = self.0.entry(TypeId::of::<P>());
        kept.or_insert_with(|| Box::new(P::default()))
            .downcast_mut()
            .expect("every panel is kept under its own type")
    }
}

impl fmt::Debug for Panels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Panels({})", self.0.len())
    }
}
