//! Small tables as Apache Parquet, which pandas, polars, DuckDB and R read.
//!
//! One row group, one page for each column, plain and uncompressed. The usual crate would bring a
//! hundred times the code of this file; a test reads what is written with PyArrow.

/// A column.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Text(Vec<String>),
    Whole(Vec<i64>),
    /// `None` where there is no value.
    Real(Vec<Option<f64>>),
}

impl Values {
    pub fn len(&self) -> usize {
        match self {
            Self::Text(values) => values.len(),
            Self::Whole(values) => values.len(),
            Self::Real(values) => values.len(),
        }
    }

    /// Number of the physical type.
    const fn kind(&self) -> i64 {
        match self {
            Self::Text(_) => 6,
            Self::Whole(_) => 2,
            Self::Real(_) => 5,
        }
    }

    const fn is_optional(&self) -> bool {
        matches!(self, Self::Real(_))
    }

    /// Plain values; before them, for a column with gaps, which of them there are.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Text(values) => {
                for text in values {
                    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
                    bytes.extend_from_slice(text.as_bytes());
                }
            }
            Self::Whole(values) => {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
            Self::Real(values) => {
                let mut levels = Vec::new();
                for run in values.chunk_by(|a, b| a.is_some() == b.is_some()) {
                    varint(&mut levels, (run.len() as u64) << 1);
                    levels.push(u8::from(run[0].is_some()));
                }
                bytes.extend_from_slice(&(levels.len() as u32).to_le_bytes());
                bytes.extend_from_slice(&levels);
                bytes.extend(
                    values
                        .iter()
                        .flatten()
                        .flat_map(|value| value.to_le_bytes()),
                );
            }
        }
        bytes
    }
}

/// First and last bytes of a file.
const MAGIC: &[u8; 4] = b"PAR1";

/// Number of the encoding of values, and of that of gaps.
const PLAIN: i64 = 0;
const RUN_LENGTH: i64 = 3;

/// A table with these columns, all of one length.
pub(super) fn file(columns: &[(String, Values)]) -> Vec<u8> {
    let rows = columns.first().map_or(0, |(_, values)| values.len());
    let mut bytes = MAGIC.to_vec();
    let mut chunks = Vec::new();
    for (name, values) in columns {
        let at = bytes.len();
        let contents = values.bytes();
        let size = contents.len() as i64;
        let encodings = Struct::default()
            .int(1, rows as i64)
            .int(2, PLAIN)
            .int(3, RUN_LENGTH)
            .int(4, RUN_LENGTH);
        let header = Struct::default()
            .int(1, 0)
            .int(2, size)
            .int(3, size)
            .nested(5, encodings);
        bytes.extend(header.end());
        bytes.extend(contents);
        let length = (bytes.len() - at) as i64;
        let about = Struct::default()
            .int(1, values.kind())
            .ints(2, &[PLAIN, RUN_LENGTH])
            .texts(3, &[name])
            .int(4, 0)
            .long(5, rows as i64)
            .long(6, length)
            .long(7, length)
            .long(9, at as i64);
        chunks.push(Struct::default().long(2, at as i64).nested(3, about));
    }
    let size = (bytes.len() - MAGIC.len()) as i64;
    let mut schema = vec![
        Struct::default()
            .text(4, "schema")
            .int(5, columns.len() as i64),
    ];
    schema.extend(columns.iter().map(|(name, values)| {
        let column = Struct::default()
            .int(1, values.kind())
            .int(3, i64::from(values.is_optional()))
            .text(4, name);
        match values {
            // The text is UTF-8.
            Values::Text(_) => column.int(6, 0),
            Values::Whole(_) | Values::Real(_) => column,
        }
    }));
    let group = Struct::default()
        .list(1, chunks)
        .long(2, size)
        .long(3, rows as i64);
    let footer = Struct::default()
        .int(1, 1)
        .list(2, schema)
        .long(3, rows as i64)
        .list(4, vec![group])
        .text(6, concat!("wayloom ", env!("CARGO_PKG_VERSION")))
        .end();
    bytes.extend_from_slice(&footer);
    bytes.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    bytes.extend_from_slice(MAGIC);
    bytes
}

/// A struct of Thrift's compact protocol, field by field in ascending order.
#[derive(Debug, Default)]
struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

/// Numbers of types in the protocol.
const INT: u8 = 5;
const LONG: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Struct {
    fn field(mut self, number: u8, kind: u8) -> Self {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
        self
    }

    fn int(self, number: u8, value: i64) -> Self {
        let mut whole = self.field(number, INT);
        zigzag(&mut whole.bytes, value);
        whole
    }

    fn long(self, number: u8, value: i64) -> Self {
        let mut whole = self.field(number, LONG);
        zigzag(&mut whole.bytes, value);
        whole
    }

    fn text(self, number: u8, text: &str) -> Self {
        let mut whole = self.field(number, BINARY);
        binary(&mut whole.bytes, text);
        whole
    }

    fn nested(self, number: u8, inner: Self) -> Self {
        let mut whole = self.field(number, STRUCT);
        whole.bytes.extend(inner.end());
        whole
    }

    fn list_of(self, number: u8, kind: u8, count: usize) -> Self {
        let mut whole = self.field(number, LIST);
        if count < 15 {
            whole.bytes.push((count as u8) << 4 | kind);
        } else {
            whole.bytes.push(0xf0 | kind);
            varint(&mut whole.bytes, count as u64);
        }
        whole
    }

    fn list(self, number: u8, all: Vec<Self>) -> Self {
        let mut whole = self.list_of(number, STRUCT, all.len());
        whole.bytes.extend(all.into_iter().flat_map(Self::end));
        whole
    }

    fn ints(self, number: u8, all: &[i64]) -> Self {
        let mut whole = self.list_of(number, INT, all.len());
        for value in all {
            zigzag(&mut whole.bytes, *value);
        }
        whole
    }

    fn texts(self, number: u8, all: &[&str]) -> Self {
        let mut whole = self.list_of(number, BINARY, all.len());
        for text in all {
            binary(&mut whole.bytes, text);
        }
        whole
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Signs alternate, so that small numbers of either sign are short.
fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, ((value << 1) ^ (value >> 63)) as u64);
}

fn binary(bytes: &mut Vec<u8>, text: &str) {
    varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}
