//! What constraints make of an agent's path: the search and its bound, the cost by constraint, and what
//! each of them does.

use super::geometry::value_ui;
use crate::base::EntityId;
use crate::editor::constraint_view::Picked;
use crate::editor::navigation::Navigation;
use crate::editor::panels::field::button::icon_button;
use crate::editor::panels::navigation::sentence;
use crate::editor::theme::Palette;
use crate::editor::{Action, Actions};
use crate::nav::constraint::Term;
use crate::planner::constraint::ReplanKind;
use crate::planner::missions::AgentPlan;
use crate::preview::Look;
use crate::preview::constraint::{self, colour_of, sentence_of};
use crate::preview::following::weight_text;
use egui::accesskit::Role;
use egui::{Align, Color32, Label, Layout, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use egui_material_icons::icons;

/// Unit: points.
const ROW: f32 = 20.0;
const BAR_HEIGHT: f32 = 10.0;
const BAR: f32 = 60.0;
const FIGURE: f32 = 52.0;

/// Smaller shares are rounding.
const LEAST: f64 = 5e-4;

/// A part of the cost.
struct Part<'a> {
    name: String,
    help: &'a str,
    cost: f64,
    /// The constraint, if it is one.
    term: Option<&'a Term>,
}

pub fn ui(
    ui: &mut Ui,
    agent: EntityId,
    plan: &AgentPlan,
    navigation: &Navigation,
    actions: &mut Actions,
) {
    if constraint::request_of(plan).is_none() {
        return;
    }
    value_ui(ui, "Cost", &weight_text(plan.cost()));
    search_ui(ui, agent, plan, navigation);
    let parts = parts(plan);
    let most = parts.iter().map(|part| part.cost.abs()).fold(0.0, f64::max);
    if parts.len() < 2 || most <= 0.0 {
        return;
    }
    ui.add_space(4.0);
    ui.weak("Cost by constraint");
    let mut hovered = None;
    for part in &parts {
        let is_hovered = part_ui(ui, agent, part, most, navigation, actions);
        if let Some(term) = part.term.filter(|_| is_hovered) {
            hovered = Some(Picked {
                agent,
                key: term.key,
            });
        }
    }
    if hovered.is_some() {
        navigation.constraints.hovered.set(hovered);
    }
    what_if_ui(ui, agent, navigation);
}

/// How good the path is known to be, and what that took.
fn search_ui(ui: &mut Ui, agent: EntityId, plan: &AgentPlan, navigation: &Navigation) {
    let watched = navigation.bench.shown();
    let watch = navigation
        .bench
        .watch()
        .filter(|_| watched.is_some_and(|bench| bench.agent == agent));
    if let Some((watch, bound)) = watch.and_then(|w| Some((w, w.view()?.bound?))) {
        let text = format!(
            "ε {bound:.2} after {} of {} expansions",
            watch.done(),
            watch.all()
        );
        value_ui(ui, "Search", &text);
    }
    let mut bounds: Vec<f64> = Vec::new();
    let (mut expanded, mut from_scratch, mut touched, mut repaired) = (0, 0, 0, false);
    for (_, replans) in constraint::replans_of(plan) {
        let Some(last) = replans.last() else {
            continue;
        };
        expanded += last.expanded;
        from_scratch += last.expanded_from_scratch;
        touched += last.touched;
        repaired |= last.kind == ReplanKind::Repaired;
        let steps = last.steps.iter().map(|(_, bound, _)| *bound);
        if last.steps.len() > bounds.len() {
            bounds = steps.collect();
        }
    }
    if !bounds.is_empty() {
        let text: Vec<String> = bounds.iter().map(|bound| format!("{bound:.2}")).collect();
        value_ui(ui, "Bound ε", &text.join(" → "));
    }
    let mut text = format!("{expanded} states");
    if repaired {
        text += &format!(" ({from_scratch} from scratch)");
    }
    value_ui(ui, "Expanded", &text);
    if repaired {
        value_ui(ui, "Touched", &format!("{touched} states"));
    }
}

/// The parts of the cost: the distance, what the base weight adds, and each constraint.
fn parts(plan: &AgentPlan) -> Vec<Part<'_>> {
    let sum = |name: &str| -> f64 {
        let costs = plan.paths().filter_map(|path| path.cost_by.get(name));
        costs.sum()
    };
    let mut parts = vec![Part {
        name: "Distance".to_owned(),
        help: "Metres of the path",
        cost: sum("distance"),
        term: None,
    }];
    let base = sum("base");
    if base != 0.0 {
        parts.push(Part {
            name: "Base weight".to_owned(),
            help: "What every metre costs besides, so that attractors never make one cheaper than it is long",
            cost: base,
            term: None,
        });
    }
    let terms = constraint::field_of(plan).map_or(&[][..], |field| field.terms());
    let mut seen: Vec<&str> = Vec::new();
    for term in terms {
        // Constraints of one name share their costs.
        let cost = if seen.contains(&&*term.name) {
            0.0
        } else {
            sum(&format!("constraint:{}", term.name))
        };
        seen.push(&term.name);
        parts.push(Part {
            name: sentence_of(term),
            help: "Hover to see its region and field alone",
            cost,
            term: Some(term),
        });
    }
    parts
}

/// One part with its bar; whether the pointer is over it.
fn part_ui(
    ui: &mut Ui,
    agent: EntityId,
    part: &Part<'_>,
    most: f64,
    navigation: &Navigation,
    actions: &mut Actions,
) -> bool {
    let palette = Palette::of(ui.visuals());
    let look = if ui.visuals().dark_mode {
        Look::Dark
    } else {
        Look::Light
    };
    let colour = part.term.map_or(palette.text_weak, |term| {
        let colour = colour_of(term, look.palette());
        Color32::from_rgb(colour.r, colour.g, colour.b)
    });
    let size = vec2(ui.available_width(), ROW);
    let row = ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if let Some(term) = part.term {
            let picked = Picked {
                agent,
                key: term.key,
            };
            let is_off = navigation.constraints.without == Some(picked);
            let (icon, help) = if is_off {
                (icons::ICON_VISIBILITY_OFF, "Switch it on again")
            } else {
                (
                    icons::ICON_VISIBILITY,
                    "What does this constraint do? Shows the path without it",
                )
            };
            if icon_button(ui, icon, help).clicked() {
                actions.push(Action::PlanWithout((!is_off).then_some(picked)));
            }
        } else {
            ui.add_space(ROW + 4.0);
        }
        let figure = if part.term.is_some_and(|term| term.weight == 0.0) {
            "hard".to_owned()
        } else if part.cost.abs() < LEAST {
            "0".to_owned()
        } else if part.cost < 0.0 {
            format!("−{}", weight_text(-part.cost))
        } else {
            weight_text(part.cost)
        };
        ui.allocate_ui_with_layout(
            vec2(FIGURE, ROW),
            Layout::right_to_left(Align::Center),
            |ui| {
                ui.set_min_width(FIGURE);
                ui.label(&figure);
            },
        );
        bar_ui(ui, part, most, colour, &figure);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let (dot, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 4.0, colour);
            ui.add(Label::new(shortened(&part.name)).truncate())
                .on_hover_text(format!("{}. {}.", part.name, part.help));
        });
    });
    ui.rect_contains_pointer(row.response.rect)
}

/// Letters for which a row has room at its usual width.
const ROOM: usize = 22;

/// Leaves out the weight, and the middle of what is too long: rows that begin alike stay apart by what
/// they name.
fn shortened(name: &str) -> String {
    let name = name.split(" with weight").next().unwrap_or(name);
    let words: Vec<&str> = name.split(' ').collect();
    match &words[..] {
        [first, second, _, .., before, last] if name.chars().count() > ROOM => {
            format!("{first} {second} … {before} {last}")
        }
        _ => name.to_owned(),
    }
}

/// To the right what it adds, to the left what it saves.
fn bar_ui(ui: &mut Ui, part: &Part<'_>, most: f64, colour: Color32, figure: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(BAR, BAR_HEIGHT), Sense::hover());
    let spoken = format!("{}: {figure}", part.name);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &spoken));
    let middle = rect.left() + BAR / 3.0;
    let share = (part.cost / most) as f32;
    let end = if share < 0.0 {
        (middle + share * BAR / 3.0).max(rect.left())
    } else {
        middle + share * BAR * 2.0 / 3.0
    };
    let bar = Rect::from_two_pos(pos2(middle, rect.top()), pos2(end, rect.bottom()));
    ui.painter().rect_filled(bar, 1.0, colour);
    let axis = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().vline(middle, rect.y_range(), axis);
}

/// What the constraint that is switched off does.
fn what_if_ui(ui: &mut Ui, agent: EntityId, navigation: &Navigation) {
    let view = &navigation.constraints;
    if view.without.is_none_or(|picked| picked.agent != agent) {
        return;
    }
    let palette = Palette::of(ui.visuals());
    let (words, colour) = match view.what_if() {
        Some(known) => {
            let words = format!("“{}”: {}", known.term.name, known.sentence());
            (sentence(&words), palette.text)
        }
        None if view.is_planning_without() => {
            ("Planning without it…".to_owned(), palette.text_weak)
        }
        None => return,
    };
    ui.add(Label::new(RichText::new(words).color(colour)).wrap());
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_names_keep_their_ends() {
        assert_eq!(shortened("near Barn"), "near Barn");
        assert_eq!(
            shortened("not near line of sight of Sentry"),
            "not near … of Sentry"
        );
        assert_eq!(
            shortened("near Averylongnamewithoutspaces"),
            "near Averylongnamewithoutspaces"
        );
    }
}
