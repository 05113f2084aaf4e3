//! Accessors for a value inside an entity.

/// Getter and setter of one field of a subject.
#[derive(Clone, Copy, Debug)]
pub struct Lens<G, M> {
    pub(super) get: G,
    pub(super) get_mut: M,
}

impl<G, M> Lens<G, M> {
    pub fn new<S, T>(get: G, get_mut: M) -> Self
    where
        G: Fn(&S) -> Option<&T>,
        M: Fn(&mut S) -> Option<&mut T>,
    {
        Self { get, get_mut }
    }
}

/// `lens!(Kind::Obstacle(o) => o.height)`: a field of a kind.
macro_rules! lens {
    ($pattern:pat => $field:expr) => {
        $crate::editor::panels::form::Lens::new(
            |entity: &$crate::document::Entity| match &entity.kind {
                $pattern => Some(&$field),
                #[allow(unreachable_patterns)]
                _ => None,
            },
            |entity: &mut $crate::document::Entity| match &mut entity.kind {
                $pattern => Some(&mut $field),
                #[allow(unreachable_patterns)]
                _ => None,
            },
        )
    };
}

/// `part!(Settings, s => s.grid.spacing)`: a field that every subject of a type has.
macro_rules! part {
    ($type:ty, $subject:ident => $field:expr) => {
        $crate::editor::panels::form::Lens::new(
            |$subject: &$type| Some(&$field),
            |$subject: &mut $type| Some(&mut $field),
        )
    };
}

pub(crate) use {lens, part};
