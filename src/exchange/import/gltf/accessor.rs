//! Numbers in buffers: every offset and count is checked against the bytes that are there.

use super::super::ImportError;
use glam::DVec3;
use gltf::json::accessor::{
    Accessor, ComponentType, GenericComponentType, IndexComponentType, Type,
};
use gltf::json::buffer::View;
use gltf::json::validation::{Checked, USize64};
use gltf::json::{Index, Root};
use std::borrow::Cow;

/// More elements than any mesh that is read has corners.
const MAX_COUNT: u64 = 1 << 26;

/// No bytes stand for elements that are zero: so many may be.
const MAX_ZEROES: u64 = 1 << 20;

pub(super) struct Accessors<'a> {
    root: &'a Root,
    buffers: Vec<Cow<'a, [u8]>>,
    file: &'a str,
}

/// Elements that follow each other at a fixed distance.
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
}

impl<'a> Elements<'a> {
    fn get(&self, index: usize) -> &'a [u8] {
        &self.bytes[(index * self.stride).min(self.bytes.len())..]
    }
}

impl<'a> Accessors<'a> {
    pub fn new(root: &'a Root, buffers: Vec<Cow<'a, [u8]>>, file: &'a str) -> Self {
        Self {
            root,
            buffers,
            file,
        }
    }

    fn refuse(&self, what: &str, message: &str) -> ImportError {
        ImportError::within(self.file, format!("{what}: {message}; the file is damaged"))
    }

    fn accessor(&self, index: Index<Accessor>, what: &str) -> Result<&'a Accessor, ImportError> {
        self.root.get(index).ok_or_else(|| {
            let message = format!("there is no accessor {}", index.value());
            self.refuse(what, &message)
        })
    }

    /// So many elements of a size from a view's bytes.
    fn elements(
        &self,
        view: Index<View>,
        offset: Option<USize64>,
        count: u64,
        size: usize,
        what: &str,
    ) -> Result<Elements<'_>, ImportError> {
        let short = || {
            let message = format!("{count} elements are said to be in too few bytes");
            self.refuse(what, &message)
        };
        let view = self.root.get(view).ok_or_else(short)?;
        let buffer = self.buffers.get(view.buffer.value()).ok_or_else(short)?;
        let begin = view.byte_offset.unwrap_or_default().0;
        let end = begin.checked_add(view.byte_length.0).ok_or_else(short)?;
        let whole = usize::try_from(begin)
            .ok()
            .zip(usize::try_from(end).ok())
            .and_then(|(begin, end)| buffer.get(begin..end))
            .ok_or_else(short)?;
        let offset = usize::try_from(offset.unwrap_or_default().0).map_err(|_| short())?;
        let bytes = whole.get(offset..).ok_or_else(short)?;
        let stride = view.byte_stride.map_or(size, |stride| stride.0);
        let count = usize::try_from(count)
            .ok()
            .filter(|count| *count as u64 <= MAX_COUNT)
            .ok_or_else(short)?;
        if stride < size {
            return Err(self.refuse(what, "its elements overlap"));
        }
        let needed = match count {
            0 => 0,
            _ => stride
                .checked_mul(count - 1)
                .and_then(|most| most.checked_add(size))
                .ok_or_else(short)?,
        };
        if needed > bytes.len() {
            return Err(short());
        }
        Ok(Elements {
            bytes,
            stride,
            count,
        })
    }

    /// Positions: floats, or integers as `KHR_mesh_quantization` has them.
    pub fn places(&self, index: Index<Accessor>, what: &str) -> Result<Vec<DVec3>, ImportError> {
        let accessor = self.accessor(index, what)?;
        let Checked::Valid(GenericComponentType(component)) = accessor.component_type else {
            return Err(self.refuse(what, "its positions are of no known type"));
        };
        if accessor.type_ != Checked::Valid(Type::Vec3) {
            return Err(self.refuse(what, "its positions do not have three coordinates"));
        }
        let size = 3 * size_of(component);
        let read = |bytes: &[u8]| {
            let lane = |i: usize| lane(component, accessor.normalized, &bytes[i * size / 3..]);
            DVec3::new(lane(0), lane(1), lane(2))
        };
        let count = accessor.count.0;
        if count > MAX_COUNT {
            return Err(self.refuse(what, "it is said to have more vertices than any file holds"));
        }
        let mut places = match accessor.buffer_view {
            Some(view) => {
                let elements = self.elements(view, accessor.byte_offset, count, size, what)?;
                (0..elements.count).map(|i| read(elements.get(i))).collect()
            }
            // All zero, but for those of the sparse list.
            None if accessor.sparse.is_some() && count <= MAX_ZEROES => {
                vec![DVec3::ZERO; count as usize]
            }
            None => return Err(self.refuse(what, "its positions are nowhere")),
        };
        if let Some(sparse) = &accessor.sparse {
            let Checked::Valid(IndexComponentType(of)) = sparse.indices.component_type else {
                return Err(self.refuse(what, "its list of changes is of no known type"));
            };
            let (list, values) = (&sparse.indices, &sparse.values);
            let count = sparse.count.0;
            let offset = Some(list.byte_offset);
            let at = self.elements(list.buffer_view, offset, count, size_of(of), what)?;
            let offset = Some(values.byte_offset);
            let to = self.elements(values.buffer_view, offset, count, size, what)?;
            for i in 0..at.count.min(to.count) {
                let place = places
                    .get_mut(whole(of, at.get(i)) as usize)
                    .ok_or_else(|| self.refuse(what, "its list of changes leads beyond it"))?;
                *place = read(to.get(i));
            }
        }
        match places.iter().position(|p| !p.is_finite()) {
            None => Ok(places),
            Some(i) => {
                let message = format!("vertex {i} is not at a finite place");
                Err(self.refuse(what, &message))
            }
        }
    }

    pub fn indices(&self, index: Index<Accessor>, what: &str) -> Result<Vec<u32>, ImportError> {
        let accessor = self.accessor(index, what)?;
        let component = match accessor.component_type {
            Checked::Valid(GenericComponentType(component))
                if matches!(
                    component,
                    ComponentType::U8 | ComponentType::U16 | ComponentType::U32
                ) =>
            {
                component
            }
            _ => return Err(self.refuse(what, "its corners are no whole numbers")),
        };
        let view = accessor
            .buffer_view
            .ok_or_else(|| self.refuse(what, "its corners are nowhere"))?;
        let (offset, count) = (accessor.byte_offset, accessor.count.0);
        let elements = self.elements(view, offset, count, size_of(component), what)?;
        Ok((0..elements.count)
            .map(|i| whole(component, elements.get(i)))
            .collect())
    }
}

const fn size_of(component: ComponentType) -> usize {
    match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    }
}

/// The first bytes, in the order in which they stand; zero beyond the end.
fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| bytes.get(i).copied().unwrap_or_default())
}

fn whole(component: ComponentType, bytes: &[u8]) -> u32 {
    match component {
        ComponentType::I8 | ComponentType::U8 => u32::from(first::<1>(bytes)[0]),
        ComponentType::I16 | ComponentType::U16 => u32::from(u16::from_le_bytes(first(bytes))),
        ComponentType::U32 | ComponentType::F32 => u32::from_le_bytes(first(bytes)),
    }
}

/// One coordinate; normalised integers run from −1 or 0 to 1.
fn lane(component: ComponentType, normalised: bool, bytes: &[u8]) -> f64 {
    let (value, most) = match component {
        ComponentType::I8 => (f64::from(first::<1>(bytes)[0] as i8), f64::from(i8::MAX)),
        ComponentType::U8 => (f64::from(first::<1>(bytes)[0]), f64::from(u8::MAX)),
        ComponentType::I16 => (
            f64::from(i16::from_le_bytes(first(bytes))),
            f64::from(i16::MAX),
        ),
        ComponentType::U16 => (
            f64::from(u16::from_le_bytes(first(bytes))),
            f64::from(u16::MAX),
        ),
        ComponentType::U32 => (
            f64::from(u32::from_le_bytes(first(bytes))),
            f64::from(u32::MAX),
        ),
        ComponentType::F32 => return f64::from(f32::from_le_bytes(first(bytes))),
    };
    if normalised {
        (value / most).max(-1.0)
    } else {
        value
    }
}
