//! Wayloom's own levels, as one format among others.

use super::export::{ExportError, Exported};
use super::import::{ImportError, Imported, scanner};
use super::options::NoOptions;
use super::reader::{ImportInput, Reader};
use super::sink::ExportSink;
use super::writer::{ExportInput, Writer};
use crate::document::format;
use crate::jobs::JobContext;

#[derive(Debug)]
pub struct Native;

impl Reader for Native {
    type Options = NoOptions;

    fn read(
        &self,
        input: &ImportInput<'_>,
        _: &NoOptions,
        _: &JobContext,
    ) -> Result<Imported, ImportError> {
        let source = input.only("a Wayloom level is read on its own; leave the other files out")?;
        let loaded = format::read(scanner::text(source)?).map_err(|error| match error {
            format::FormatError::Damaged {
                line,
                column,
                message,
            } => ImportError::At {
                file: source.name.clone(),
                line,
                column,
                message,
            },
            other => ImportError::within(&source.name, other.to_string()),
        })?;
        Ok(Imported::new(loaded.level, Vec::new()))
    }
}

impl Writer for Native {
    type Options = NoOptions;

    fn write(
        &self,
        input: &ExportInput,
        _: &NoOptions,
        sink: &mut dyn ExportSink,
        _: &JobContext,
    ) -> Result<Exported, ExportError> {
        let level = &input.level;
        let text = format::write(level, level.largest_id().next());
        sink.write_main(text.into_bytes())?;
        Ok(Exported::default())
    }
}
