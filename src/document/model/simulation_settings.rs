//! How a level is simulated unless a run says otherwise.

use super::{
    check::{self, Checked, Refusal},
    limits,
};

#[derive(Clone, Debug, PartialEq)]
pub struct SimulationSettings {
    pub seed: u64,
    /// Unit: seconds.
    pub step: f64,
    /// By its name on the command line; the default one if it is empty.
    pub model: String,
    /// Longest duration of a run. Unit: seconds.
    pub duration: f64,
}

impl Default for SimulationSettings {
    fn default() -> Self {
        Self {
            seed: 0,
            step: limits::SIMULATION_STEP.default,
            model: String::new(),
            duration: limits::SIMULATION_DURATION.default,
        }
    }
}

impl SimulationSettings {
    pub(super) fn check(&self) -> Checked {
        check::quantity(&limits::SIMULATION_STEP, self.step)?;
        check::quantity(&limits::SIMULATION_DURATION, self.duration)?;
        check::name(&self.model, "the name of the simulation's model")?;
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !self.model.chars().all(is_word) {
            return Err(Refusal::new(
                "the name of the simulation's model is not made of lower-case letters, digits and hyphens",
            ));
        }
        Ok(())
    }
}
