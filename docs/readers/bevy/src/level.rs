//! A level for a game: the navigation mesh, and tables of the bake.
//!
//! With the feature `bevy` it is a resource: `app.insert_resource(BakedLevel::load(…)?)`, then
//! `fn walk(level: Res<BakedLevel>, …) { level.path(from, to) }`.

use glam::Vec2;
use std::collections::BTreeMap;

/// The convex mesh of a profile and the tables of one `.wlb` file.
#[cfg_attr(feature = "bevy", derive(bevy_ecs::prelude::Resource))]
#[derive(Debug)]
pub struct BakedLevel {
    pub mesh: polyanya::Mesh,
    pub tables: BTreeMap<String, Table>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    Numbers(Vec<f64>),
    Indices(Vec<u32>),
}

impl BakedLevel {
    /// Reads both files.
    pub fn load(mesh: &str, blob: &str) -> Result<Self, String> {
        let bytes = std::fs::read(blob).map_err(|error| format!("{blob}: {error}"))?;
        let mesh = polyanya::PolyanyaFile::from_file(mesh)
            .try_into()
            .map_err(|error| format!("{mesh}: {error:?}"))?;
        Ok(Self {
            mesh,
            tables: tables(&bytes).ok_or_else(|| format!("{blob}: not a whole .wlb file"))?,
        })
    }

    /// The shortest path of the profile's centre.
    pub fn path(&self, from: Vec2, to: Vec2) -> Option<polyanya::Path> {
        self.mesh.path(from, to)
    }

    /// Least distance to a wall on the corridor map. Its edges into corners end at a wall, and are left out.
    pub fn narrowest(&self) -> f64 {
        let Some(Table::Numbers(least)) = self.tables.get("edge_min_clearances") else {
            return 0.0;
        };
        let open = least.iter().filter(|clearance| **clearance > 0.0);
        open.copied().fold(f64::INFINITY, f64::min)
    }
}

/// The tables of a `.wlb` file by name; `None` for one that is damaged.
pub fn tables(bytes: &[u8]) -> Option<BTreeMap<String, Table>> {
    let mut rest = bytes.strip_prefix(b"WLB1")?;
    let mut take = |count: usize| -> Option<&[u8]> {
        let (taken, after) = rest.split_at_checked(count)?;
        rest = after;
        Some(taken)
    };
    let number = |bytes: &[u8]| {
        let shifted = bytes.iter().rev();
        shifted.fold(0_u64, |value, byte| value << 8 | u64::from(*byte))
    };
    let columns = number(take(4)?);
    let mut found = BTreeMap::new();
    for _ in 0..columns {
        let name_length = number(take(4)?) as usize;
        let kind = number(take(4)?);
        let count = usize::try_from(number(take(8)?)).ok()?;
        let name = String::from_utf8_lossy(take(name_length)?).into_owned();
        take(name_length.wrapping_neg() % 8)?;
        let size = count.checked_mul(if kind == 1 { 8 } else { 4 })?;
        let values = take(size)?;
        let table = if kind == 1 {
            let each = values.chunks_exact(8);
            Table::Numbers(each.map(|v| f64::from_bits(number(v))).collect())
        } else {
            Table::Indices(values.chunks_exact(4).map(|v| number(v) as u32).collect())
        };
        found.insert(name, table);
        take(size.wrapping_neg() % 8)?;
    }
    Some(found)
}
