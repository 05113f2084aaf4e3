//! How the constraint-aware planner searches.

use super::mission::mission;
use crate::document::{
    Agent, ConstraintDomain, ConstraintSearch, Crowd, Entity, Kind, PlannerId, limits,
};
use crate::editor::panels::field::section;
use crate::editor::panels::form::{Field, Form, field, lens};
use egui::Ui;

const DOMAIN: Field = field(
    "Domain",
    "The graph that is searched: triangles, a dense grid, the grid with highways, or a grid that is \
     coarser where little acts.",
);
const SEARCH: Field = field(
    "Search",
    "A* plans once; ARA* improves a first path; AD* also repairs it when something moves.",
);
const SPACING: Field = field("Spacing", "Distance between neighbouring states.");
const EPSILON: Field = field(
    "First ε",
    "How much longer than the best path the first one may be.",
);
const EXPANSIONS: Field = field("Expansions", "States expanded in each step of the search.");

/// For agents and crowds that all use the planner.
pub fn ui(ui: &mut Ui, form: &mut Form<'_, Entity>) {
    let uses = |entity: &Entity| {
        let mission = entity.mission();
        mission.is_some_and(|mission| mission.planner == PlannerId::CONSTRAINT)
    };
    if !form.all(uses) {
        return;
    }
    section(ui, "Search", |ui| {
        let domains = ConstraintDomain::ALL.map(|domain| (domain, domain.title()));
        let domain = mission!(m => m.constraint_options.domain);
        form.choice(ui, DOMAIN, &domains, domain);
        let searches = ConstraintSearch::ALL.map(|search| (search, search.title()));
        let search = mission!(m => m.constraint_options.search);
        form.choice(ui, SEARCH, &searches, search);
        let spacing = mission!(m => m.constraint_options.spacing);
        let automatic = (&limits::STATE_SPACING, "automatic");
        form.optional_number(ui, SPACING, automatic, spacing);
        let epsilon = mission!(m => m.constraint_options.epsilon);
        form.number(ui, EPSILON, &limits::EPSILON, epsilon);
        let expansions = mission!(m => m.constraint_options.expansions);
        form.count(ui, EXPANSIONS, &limits::EXPANSIONS, expansions);
    });
}
