//! Agents under way, as shapes over the plan; made in every frame.

use super::scene::PlanScene;
use crate::base::EntityId;
use crate::document::KindName;
use crate::geometry::Rect;
use crate::preview::Shape;
use crate::preview::moment::draw_moment;

pub(super) fn shapes(scene: &PlanScene<'_>, visible: Rect) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let level = scene.level;
    let is_agent = |id: &EntityId| level.kind_of(*id) == Some(KindName::Agent);
    let selected = scene.selection.iter().find(is_agent);
    let Some(player) = scene.navigation.map(|navigation| &navigation.player) else {
        return shapes;
    };
    if let Some(moment) = player.moment(selected) {
        draw_moment(
            &moment,
            level,
            Some(visible),
            &player.crowd_view(),
            scene.look.palette(),
            &mut shapes,
        );
    }
    shapes
}
