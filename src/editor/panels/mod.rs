//! The docked panels. Each reads the state, remembers only its own look, and asks by actions.

pub mod bench;
pub mod cell_size;
mod census;
pub mod clearance;
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
pub mod problems;
pub mod profiles;
pub mod switch;
pub mod terrain_bar;
pub mod voxels;
pub mod weight_menu;
pub mod weights;

pub use bench::PlannerBench;
pub use clearance::ClearancePanel;
pub use history::History;
pub use inspector::Inspector;
pub use layers::Layers;
pub use navigation::NavigationPanel;
pub use outliner::Outliner;
pub use playback::PlaybackPanel;
pub use problems::Problems;
pub use profiles::Profiles;
pub use voxels::VoxelsPanel;
pub use weights::Weights;

#[derive(Debug, Default)]
pub struct Panels {
    pub outliner: Outliner,
    pub inspector: Inspector,
    pub history: History,
    pub problems: Problems,
    pub weights: Weights,
    pub profiles: Profiles,
    pub layers: Layers,
    pub navigation: NavigationPanel,
    pub bench: PlannerBench,
    pub clearance: ClearancePanel,
    pub voxels: VoxelsPanel,
    pub playback: PlaybackPanel,
}
