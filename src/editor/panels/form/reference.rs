//! References to other entities, picked by name.

use super::{Field, Form, FormSubject, Lens};
use crate::base::EntityId;
use crate::document::entity::Role;
use crate::document::{Agent, Crowd, Kind, Level, Mission, Selection, Terrain};
use crate::editor::panels::field::button::icon_button;
use crate::editor::panels::field::colour::color32;
use crate::editor::panels::field::text::{Lines, text_ui};
use crate::editor::panels::field::{Change, MIXED, Row, Shared, just_opened};
use crate::editor::panels::icon;
use crate::editor::panels::outliner::search::Search;
use crate::editor::theme::{Palette, panel};
use egui::{
    AtomExt as _, Button, Color32, Id, IntoAtoms, Key, Popup, PopupCloseBehavior, Response,
    RichText, ScrollArea, Ui, vec2,
};
use egui_material_icons::icons;

/// Maximum candidates listed; type a few letters to find others.
const MAX_LISTED: usize = 60;

/// Whether a reference is optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Required,
    Optional,
}

#[derive(Clone, Copy, Debug)]
pub struct Picker<'a> {
    pub level: &'a Level,
    pub role: Role,
    pub presence: Presence,
    pub current: Shared<Option<EntityId>>,
}

#[derive(Debug)]
pub struct PickerOutput {
    /// The button, for [`Response::labelled_by`].
    pub response: Response,
    /// What was picked: an entity, or none.
    pub picked: Option<Option<EntityId>>,
    /// The reference was followed: select its target.
    pub follow: Option<EntityId>,
}

/// Icon and colour of an entity in a list.
#[must_use]
pub fn icon_of(ui: &Ui, level: &Level, id: EntityId) -> RichText {
    let Some(entity) = level.get(id) else {
        return icons::ICON_LINK_OFF
            .rich_text()
            .size(panel::ICON)
            .color(Palette::of(ui.visuals()).warning);
    };
    icon::of_kind(entity.kind.name())
        .rich_text()
        .size(panel::ICON)
        .color(kind_colour(ui, level, &entity.kind))
}

/// Terrains and profiles use their own colour, agents and crowds that of their profile.
#[must_use]
pub fn kind_colour(ui: &Ui, level: &Level, kind: &Kind) -> Color32 {
    let profile_of = |mission: &Mission| match &level.get(mission.profile)?.kind {
        Kind::Profile(profile) => Some(profile.colour),
        _ => None,
    };
    let colour = match kind {
        Kind::Terrain(terrain) => Some(terrain.colour),
        Kind::Profile(profile) => Some(profile.colour),
        Kind::Agent(Agent { mission, .. }) | Kind::Crowd(Crowd { mission, .. }) => {
            profile_of(mission)
        }
        _ => None,
    };
    colour.map_or_else(|| ui.visuals().weak_text_color(), color32)
}

/// The terrain whose swatch a terrain's or region's row shows.
#[must_use]
pub fn terrain_of<'a>(level: &'a Level, kind: &'a Kind) -> Option<&'a Terrain> {
    match kind {
        Kind::Terrain(terrain) => Some(terrain),
        Kind::Region(region) => match &level.get(region.terrain)?.kind {
            Kind::Terrain(terrain) => Some(terrain),
            _ => None,
        },
        _ => None,
    }
}

impl Picker<'_> {
    /// Fills the width.
    pub fn show(self, ui: &mut Ui) -> PickerOutput {
        let there = match self.current {
            Shared::Same(Some(id)) if self.level.contains(id) => Some(id),
            _ => None,
        };
        ui.horizontal(|ui| {
            let width = ui.available_width() - panel::ICON_BUTTON;
            ui.spacing_mut().item_spacing.x = 0.0;
            let response = self.button_ui(ui, width);
            let picked = Popup::menu(&response)
                .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
                .show(|ui| {
                    ui.set_width(width.max(200.0));
                    let picked = self.list_ui(ui, response.id.with("search"));
                    if picked.is_some() {
                        ui.close();
                    }
                    picked
                })
                .and_then(|popup| popup.inner)
                .filter(|picked| self.current != Shared::Same(*picked));
            let follow = there.filter(|id| {
                let name = format!("Select {}", self.level.label(*id));
                icon_button(ui, icons::ICON_ARROW_OUTWARD, &name).clicked()
            });
            PickerOutput {
                response,
                picked,
                follow,
            }
        })
        .inner
    }

    fn button_ui(&self, ui: &mut Ui, width: f32) -> Response {
        let Palette {
            warning, text_weak, ..
        } = Palette::of(ui.visuals());
        let (text, hover) = match self.current {
            Shared::Mixed => (RichText::new(MIXED), "Mixed values.".to_owned()),
            Shared::Same(None) => (RichText::new("None").color(*text_weak), String::new()),
            Shared::Same(Some(id)) => {
                let label = self.level.label(id);
                match self.level.kind_of(id) {
                    Some(kind) if self.role.accepts(kind) => (RichText::new(&label), label),
                    Some(kind) => (
                        RichText::new(&label).color(*warning),
                        format!(
                            "{label} is a {}, which cannot be a {}. Pick another one.",
                            kind.singular(),
                            self.role.name()
                        ),
                    ),
                    None => (
                        RichText::new(&label).color(*warning),
                        format!(
                            "The {} {id} no longer exists. Pick another one.",
                            self.role.name()
                        ),
                    ),
                }
            }
        };
        let shown = text.text().to_owned();
        let atoms = match self.current {
            Shared::Same(Some(id)) => {
                (icon_of(ui, self.level, id), text.atom_shrink(true)).into_atoms()
            }
            _ => text.atom_shrink(true).into_atoms(),
        };
        let arrow = icons::ICON_ARROW_DROP_DOWN
            .rich_text()
            .size(panel::ICON)
            .color(*text_weak);
        let button = Button::new(atoms)
            .right_text(arrow)
            .truncate()
            .min_size(vec2(width, panel::FIELD_ROW));
        let response = ui
            .allocate_ui_with_layout(
                vec2(width, panel::FIELD_ROW),
                egui::Layout::left_to_right(egui::Align::Center),
                |ui| {
                    ui.set_max_width(width);
                    ui.add(button)
                },
            )
            .inner;
        ui.ctx()
            .accesskit_node_builder(response.id, |node| node.set_value(shown));
        if hover.is_empty() {
            response
        } else {
            response.on_hover_text(hover)
        }
    }

    fn list_ui(&self, ui: &mut Ui, id: Id) -> Option<Option<EntityId>> {
        let opened = just_opened(ui, id.with("opened"));
        if opened {
            ui.data_mut(|data| data.remove::<String>(id));
        }
        let query: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let width = ui.available_width();
        let typed = text_ui(
            ui,
            id.with("text"),
            Shared::Same(&query),
            "Search",
            Lines::One,
            width,
        );
        let response = typed
            .response
            .accessible_name(format!("Search for a {}", self.role.name()));
        if opened {
            response.request_focus();
        }
        let query = typed.change.map_or(query, |change| change.value);
        let search = Search::new(&query);
        ui.data_mut(|data| data.insert_temp(id, query));

        let mut found = self.level.iter().filter(|(id, entity)| {
            self.role.accepts(entity.kind.name()) && search.matches(*id, entity)
        });
        let listed: Vec<EntityId> = found.by_ref().take(MAX_LISTED).map(|(id, _)| id).collect();
        let more = found.count();
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let mut picked = entered.then(|| listed.first().copied().map(Some)).flatten();
        ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if self.presence == Presence::Optional && search.is_empty() {
                let selected = self.current == Shared::Same(None);
                if ui.selectable_label(selected, "None").clicked() {
                    picked = Some(None);
                }
            }
            for id in &listed {
                let selected = self.current == Shared::Same(Some(*id));
                let label = self.level.label(*id);
                let atoms = (
                    icon_of(ui, self.level, *id),
                    label.clone().atom_shrink(true),
                );
                let row = Button::selectable(selected, atoms)
                    .truncate()
                    .min_size(vec2(ui.available_width(), panel::LIST_ROW));
                if ui.add(row).accessible_name(label).clicked() {
                    picked = Some(Some(*id));
                }
            }
            if listed.is_empty() {
                ui.weak(if search.is_empty() {
                    format!("The level has no {} yet.", self.role.name())
                } else {
                    "No matches.".to_owned()
                });
            }
            if more > 0 {
                ui.weak(format!("{more} more; type to narrow down."));
            }
        });
        picked
    }
}

impl<S: FormSubject> Form<'_, S> {
    pub fn reference(
        &mut self,
        ui: &mut Ui,
        field: Field,
        role: Role,
        lens: Lens<impl Fn(&S) -> Option<&EntityId>, impl Fn(&mut S) -> Option<&mut EntityId>>,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let picker = Picker {
            level: self.document.level(),
            role,
            presence: Presence::Required,
            current: value.map(Some),
        };
        if let Some(Some(id)) = self.pick(ui, field, picker) {
            self.write(ui, field, Change::chosen(id), &lens.get_mut);
        }
    }

    pub fn optional_reference(
        &mut self,
        ui: &mut Ui,
        field: Field,
        role: Role,
        lens: Lens<
            impl Fn(&S) -> Option<&Option<EntityId>>,
            impl Fn(&mut S) -> Option<&mut Option<EntityId>>,
        >,
    ) {
        let Some(value) = self.shared(&lens.get) else {
            return;
        };
        let picker = Picker {
            level: self.document.level(),
            role,
            presence: Presence::Optional,
            current: value,
        };
        if let Some(id) = self.pick(ui, field, picker) {
            self.write(ui, field, Change::chosen(id), &lens.get_mut);
        }
    }

    fn pick(&mut self, ui: &mut Ui, field: Field, picker: Picker<'_>) -> Option<Option<EntityId>> {
        let output = Row::new(field.name)
            .help(field.help)
            .to_the_edge()
            .show(ui, |ui, label| {
                let output = picker.show(ui);
                let _ = output.response.clone().labelled_by(label);
                output
            })
            .inner;
        self.follow(output.follow);
        output.picked
    }

    /// Selects the target of a reference that was followed.
    pub fn follow(&mut self, to: Option<EntityId>) {
        if let Some(id) = to {
            self.actions.select(Selection::one(id));
        }
    }
}
