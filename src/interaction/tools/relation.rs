//! Areas derived from objects: in front of, behind, beside, around, in sight of, between.

use crate::base::EntityId;
use crate::document::{Annotation, Edit, Kind, KindName, Relation, RelationKind, limits};
use crate::interaction::{
    context::{Scene, ToolContext},
    creation::Creation,
    defaults::ToolDefaults,
    hints::Hints,
    input::{Key, Modifiers, Pointer},
    kind::ToolKind,
    measures,
    tool::{Cursor, Handled, Tool},
};

/// Factor by which `[` and `]` change the reach.
const REACH_FACTOR: f64 = 1.25;

#[derive(Debug, Default)]
pub struct RelationTool {
    hovered: Option<EntityId>,
    /// The first object of *between*.
    first: Option<EntityId>,
    /// The annotation created last, which arrows and brackets change.
    current: Option<EntityId>,
}

impl RelationTool {
    /// The annotation being edited, if it still exists, with its object.
    fn current(&self, scene: &Scene<'_>) -> Option<(EntityId, EntityId, Relation)> {
        let id = self.current?;
        match &scene.level().get(id)?.kind {
            Kind::Annotation(Annotation::Relation { object, relation }) => {
                Some((id, *object, *relation))
            }
            _ => None,
        }
    }

    fn create(&mut self, ctx: &mut ToolContext<'_>, object: EntityId, relation: Relation) {
        let stem = name(ctx, object, &relation);
        let mut creation = Creation::named(ctx, &stem);
        creation.rename_if_free(ctx.level(), stem);
        let kind = Kind::Annotation(Annotation::Relation { object, relation });
        if ctx.commit("Add relation", creation.edits(kind)) {
            ctx.select_one(creation.id);
            self.current = Some(creation.id);
        }
    }

    /// Changes the relation of the annotation being edited; a generated name is updated.
    fn change(&self, ctx: &mut ToolContext<'_>, relation: Relation) {
        let Some((id, object, old)) = self.current(&ctx.scene()) else {
            return;
        };
        let Some(entity) = ctx.level().get(id) else {
            return;
        };
        let mut entity = (**entity).clone();
        if entity.name.starts_with(&name(ctx, object, &old)) {
            entity.name = name(ctx, object, &relation);
        }
        entity.kind = Kind::Annotation(Annotation::Relation { object, relation });
        ctx.commit("Change relation", vec![Edit::replace(id, entity)]);
    }

    fn object(&self, scene: &Scene<'_>, pointer: &Pointer) -> Option<EntityId> {
        scene
            .picker
            .hits(pointer.world, &scene.view)
            .into_iter()
            .map(|hit| hit.id)
            .find(|id| {
                matches!(
                    scene.level().kind_of(*id),
                    Some(KindName::Obstacle | KindName::Solid | KindName::Route | KindName::Agent)
                )
            })
    }
}

/// `Front of Table 2`, `Between Gate and Tower`.
fn name(ctx: &ToolContext<'_>, object: EntityId, relation: &Relation) -> String {
    let label = ctx.level().label(object);
    let text = match relation {
        Relation::Between { other } => {
            format!("Between {label} and {}", ctx.level().label(*other))
        }
        Relation::Around { .. } | Relation::Along { .. } => format!("{} {label}", relation.name()),
        _ => format!("{} of {label}", relation.name()),
    };
    text.chars().take(limits::MAX_NAME - 20).collect()
}

/// For one object; *between* needs two and is the area around the first until then.
fn relation(kind: RelationKind, object: EntityId, defaults: &ToolDefaults) -> Relation {
    let reach = limits::REACH.clamp(defaults.reach);
    match kind {
        RelationKind::Between => Relation::Around { reach },
        RelationKind::LineOfSight => Relation::LineOfSight {
            range: reach,
            angle: limits::VIEW_ANGLE.clamp(defaults.view_angle),
        },
        // A person's own measures, not the reach of the areas drawn before.
        RelationKind::PersonalSpace => kind.relation(object),
        _ => kind.relation(object).with_reach(reach),
    }
}

impl Tool for RelationTool {
    fn kind(&self) -> ToolKind {
        ToolKind::AnnotationRelation
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.hovered = self.object(&ctx.scene(), pointer);
    }

    fn leave(&mut self) {
        self.hovered = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let Some(object) = self.object(&ctx.scene(), pointer) else {
            return;
        };
        let current = self.current(&ctx.scene());
        // Shift+click on a second object: the relation becomes between the two.
        if let (true, Some((_, first, _))) = (pointer.modifiers.shift, current)
            && first != object
        {
            self.change(ctx, Relation::Between { other: object });
            return;
        }
        if ctx.defaults.relation == RelationKind::Between {
            match self.first.take() {
                Some(first) if first != object && ctx.level().contains(first) => {
                    self.create(ctx, first, Relation::Between { other: object });
                }
                _ => self.first = Some(object),
            }
            return;
        }
        let Some(kind) = ctx.level().kind_of(object) else {
            return;
        };
        if kind == KindName::Route {
            let reach = limits::REACH.clamp(ctx.defaults.reach);
            self.create(ctx, object, Relation::Along { reach });
            return;
        }
        match current {
            Some((_, first, Relation::Between { .. })) if first == object => {}
            // Clicking the same object again selects the next relation.
            Some((_, first, _)) if first == object => {
                ctx.defaults.relation = ctx.defaults.relation.next_single(kind);
                self.change(ctx, relation(ctx.defaults.relation, object, ctx.defaults));
                return;
            }
            _ => {}
        }
        let relation = relation(ctx.defaults.relation.suiting(kind), object, ctx.defaults);
        self.create(ctx, object, relation);
    }

    fn secondary_click(&mut self, _ctx: &mut ToolContext<'_>, _pointer: &Pointer) -> Handled {
        let busy = self.first.take().is_some() | self.current.take().is_some();
        Handled::from(busy)
    }

    fn key(&mut self, ctx: &mut ToolContext<'_>, key: Key, _modifiers: Modifiers) -> Handled {
        let current = self.current(&ctx.scene());
        match key {
            Key::Tab | Key::Down | Key::Up => {
                let object = current.map(|(_, object, _)| object);
                let of = object.and_then(|object| ctx.level().kind_of(object));
                let go = |kind: RelationKind| match key {
                    Key::Up => kind.previous(),
                    _ => kind.next(),
                };
                let mut next = go(ctx.defaults.relation);
                // What makes no sense beside the object at hand is passed over.
                if of.is_some_and(|of| of != KindName::Route && !next.suits(of)) {
                    next = go(next);
                }
                ctx.defaults.relation = next;
                if let Some(object) = object
                    && next != RelationKind::Between
                    && of != Some(KindName::Route)
                {
                    self.change(ctx, relation(ctx.defaults.relation, object, ctx.defaults));
                }
            }
            Key::Less | Key::More => {
                let factor = if key == Key::More {
                    REACH_FACTOR
                } else {
                    1.0 / REACH_FACTOR
                };
                let reach = (ctx.defaults.reach * factor * 100.0).round() / 100.0;
                ctx.defaults.reach = limits::REACH.clamp(reach);
                if let Some((.., old)) = current {
                    self.change(ctx, old.with_reach(ctx.defaults.reach));
                }
            }
            Key::Enter | Key::Backspace if self.first.is_some() => self.first = None,
            Key::Enter if self.current.is_some() => self.current = None,
            _ => return Handled::No,
        }
        Handled::Yes
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        let kind = scene.defaults.relation;
        let lead = match (self.first, kind) {
            (Some(first), RelationKind::Between) => format!(
                "Click the second object for the area between it and {}",
                scene.level().label(first)
            ),
            (None, RelationKind::Between) => "Click the first of two objects".to_owned(),
            _ => format!("Click an object for: {}", kind.phrase()),
        };
        Hints::new(lead)
            .key("↑ ↓", format!("next: {}", kind.next().phrase()))
            .key(
                "[ ]",
                format!("reach {}", measures::length(scene.defaults.reach)),
            )
            .key("Shift+click", "between the two")
    }

    fn cursor(&self, _scene: &Scene<'_>) -> Cursor {
        if self.hovered.is_some() {
            Cursor::Pointing
        } else {
            Cursor::Arrow
        }
    }

    fn hovered(&self) -> Option<EntityId> {
        self.hovered
    }

    fn cancel(&mut self, _ctx: &mut ToolContext<'_>) -> Handled {
        let busy = self.first.take().is_some() || self.current.take().is_some();
        Handled::from(busy)
    }
}
