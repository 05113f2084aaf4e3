//! Tables of results, as CSV and as Parquet.

use super::parquet::{self, Values};

/// Columns of equal length.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    columns: Vec<(String, Values)>,
}

impl Table {
    pub fn with(mut self, name: &str, column: Values) -> Self {
        self.columns.push((name.to_owned(), column));
        self
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    pub fn to_csv(&self) -> String {
        let heads: Vec<String> = self.columns.iter().map(|(name, _)| quoted(name)).collect();
        let mut text = heads.join(",") + "\n";
        for row in 0..self.rows() {
            let cell = |column: &Values| match column {
                Values::Text(values) => quoted(&values[row]),
                Values::Whole(values) => values[row].to_string(),
                Values::Real(values) => values[row].map(|v| format!("{v:.3}")).unwrap_or_default(),
            };
            let cells: Vec<String> = self.columns.iter().map(|(_, c)| cell(c)).collect();
            text += &cells.join(",");
            text.push('\n');
        }
        text
    }

    pub fn to_parquet(&self) -> Vec<u8> {
        parquet::file(&self.columns)
    }
}

/// A field of a table: quoted where it has to be.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
