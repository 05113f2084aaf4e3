//! Marks objects that agents may not step on.

use crate::base::EntityId;
use crate::document::forbidding::rule_for;
use crate::document::{Edit, KindName, tag};
use crate::interaction::operations::by_rule_sentence;
use crate::interaction::{
    context::{Scene, ToolContext},
    hints::Hints,
    input::Pointer,
    kind::ToolKind,
    tool::{Cursor, Tool},
};

#[derive(Debug, Default)]
pub struct ForbidTool {
    hovered: Option<EntityId>,
}

impl Tool for ForbidTool {
    fn kind(&self) -> ToolKind {
        ToolKind::TagForbidden
    }

    fn hover(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        self.hovered = target(&ctx.scene(), pointer);
    }

    fn leave(&mut self) {
        self.hovered = None;
    }

    fn click(&mut self, ctx: &mut ToolContext<'_>, pointer: &Pointer) {
        let target = target(&ctx.scene(), pointer);
        let Some((id, entity)) = target.and_then(|id| Some((id, ctx.level().get(id)?))) else {
            return;
        };
        if entity.has_tag(tag::FORBIDDEN)
            && let Some(rule) = rule_for(ctx.level(), id, entity)
        {
            let refused = by_rule_sentence(rule);
            ctx.say(refused);
            return;
        }
        let mut entity = (**entity).clone();
        let label = if entity.tags.remove(tag::FORBIDDEN) {
            "Allow"
        } else {
            entity.tags.insert(tag::FORBIDDEN.to_owned());
            "Forbid"
        };
        ctx.commit(label, vec![Edit::replace(id, entity)]);
        ctx.select_one(id);
    }

    fn hints(&self, scene: &Scene<'_>) -> Hints {
        let hovered = self
            .hovered
            .and_then(|id| Some((id, scene.level().get(id)?)));
        Hints::new(match hovered {
            Some((id, entity)) if entity.has_tag(tag::FORBIDDEN) => {
                format!("Click to allow {}", entity.label(id)).into()
            }
            Some((id, entity)) => format!("Click to forbid {}", entity.label(id)).into(),
            None => {
                std::borrow::Cow::Borrowed("Click an obstacle or solid that agents may not step on")
            }
        })
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
}

fn target(scene: &Scene<'_>, pointer: &Pointer) -> Option<EntityId> {
    scene
        .picker
        .hits(pointer.world, &scene.view)
        .into_iter()
        .map(|hit| hit.id)
        .find(|id| {
            matches!(
                scene.level().kind_of(*id),
                Some(KindName::Obstacle | KindName::Solid)
            )
        })
}
