//! `wayloom import`, `wayloom export`, `wayloom bake`, `wayloom formats`

use super::format_flags::FormatFlags;
use super::{Answer, args, console::Console, load, load_with_meshes, output_file, watch};
use crate::document::session::folder_of;
use crate::document::{Edit, Level, Settings, format, ops};
use crate::exchange::import::{ImportRequest, read_head};
use crate::exchange::meshes::{self, MeshAsset};
use crate::exchange::presets::Presets;
use crate::exchange::registry::{self, FormatRow, Needs, Output};
use crate::exchange::{ExportInput, ImportError, LeftOut, Options, Target, export_to, import};
use crate::geometry::Rect;
use crate::jobs::JobContext;
use crate::nav::voxel::VoxelOptions;
use crate::sim::Recording;
use crate::sim::wlrec::Run;
use anyhow::{Context as _, bail};
use glam::DVec2;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

pub(super) fn run_import(options: &args::Import, console: &Console) -> anyhow::Result<Answer> {
    output_file::check(&options.out, options.force)?;
    let (request, ignored) = import_request(options)?;
    let folder = options.out.parent().unwrap_or(Path::new(""));
    let bring = |ctx: &JobContext| {
        let imported = import(&options.files, &request, ctx)?;
        let mut assets: Vec<MeshAsset> = imported.meshes.iter().map(MeshAsset::of).collect();
        // A level of our own names the files beside it.
        if let [level] = &options.files[..]
            && imported.meshes.is_empty()
        {
            assets = meshes::assets(&imported.level, &folder_of(level));
        }
        let names = meshes::copy_assets(&assets, folder, ctx)?;
        Ok::<_, ImportError>((imported, names))
    };
    let (mut imported, names) = console.with_progress("Importing", bring)?;
    imported.warnings.splice(0..0, ignored);
    let renamed = meshes::renamed(&imported.level, &names);
    let level = ops::apply(&imported.level, &renamed)?;
    for warning in &imported.warnings {
        console.remark(warning);
    }
    let text = format::write(&level, level.largest_id().next());
    output_file::save(&options.out, text.as_bytes(), options.force)?;
    let mut summary = format!(
        "{}: {} things, {} vertices",
        options.out.display(),
        level.len(),
        level.vertex_count()
    );
    for mesh in &imported.meshes {
        let _ = write!(
            summary,
            "\n{}: {} triangles, {:.2} m × {:.2} m × {:.2} m",
            names.get(&mesh.source.file).unwrap_or(&mesh.source.file),
            mesh.model.mesh.triangles.len(),
            mesh.size.x,
            mesh.size.y,
            mesh.size.z
        );
    }
    console.result(
        &summary,
        &json!({
            "file": options.out,
            "entities": level.len(),
            "vertices": level.vertex_count(),
            "meshes": imported.meshes.iter().map(|mesh| json!({
                "file": names.get(&mesh.source.file),
                "triangles": mesh.model.mesh.triangles.len(),
                "vertices": mesh.model.mesh.vertices.len(),
                "size": mesh.model.bounds.size().to_array(),
                "closed": mesh.model.closed,
            })).collect::<Vec<_>>(),
            "warnings": imported.warnings,
        }),
    );
    Ok(Answer::Yes)
}

/// With the flags given to the formats that know them, and a sentence for each that none does.
fn import_request(options: &args::Import) -> anyhow::Result<(ImportRequest, Vec<String>)> {
    let mut request = options
        .format
        .map_or_else(ImportRequest::default, ImportRequest::of);
    let mut used = BTreeSet::new();
    let mut titles: Vec<&str> = Vec::new();
    for file in &options.files {
        let (format, reader) = request.format_of(file, &read_head(file)?)?;
        if !titles.contains(&format.title) {
            titles.push(format.title);
            let mut known = reader.reader.options();
            options.options.apply(&mut known, &mut used)?;
            request = request.and(known);
        }
    }
    let ignored = options.options.ignored(&used, &titles.join(" and "));
    Ok((request, ignored))
}

pub(super) fn run_export(options: &args::Export, console: &Console) -> anyhow::Result<Answer> {
    let preset = match &options.preset {
        None => None,
        Some(name) => {
            let presets = Presets::load(&options.level)?;
            let folder = options.level.parent().unwrap_or(Path::new(""));
            Some(presets.named(name)?.resolve(folder)?)
        }
    };
    let (format, base, out) = match (preset, &options.out) {
        (Some((format, base, out)), _) => (format, Some(base), out),
        (None, Some(out)) => (format_for(options.format, out)?, None, out.clone()),
        (None, None) => bail!("say where to write it with -o, or what to repeat with --preset"),
    };
    let job = ExportJob {
        format,
        source: Source::Level(&options.level),
        recording: options.recording.as_deref(),
        out: &out,
        // What is kept is written over by its own newer self.
        force: options.force || base.is_some(),
        title: "Exporting",
    };
    let answer = job.run(base.clone(), &options.options, console)?;
    if !options.watch {
        return Ok(answer);
    }
    let job = ExportJob { force: true, ..job };
    let watched = [Some(&options.level), options.recording.as_ref()];
    watch::on_change(watched.into_iter().flatten(), console, || {
        job.run(base.clone(), &options.options, console).map(|_| ())
    })
}

fn format_for(given: Option<&'static FormatRow>, out: &Path) -> anyhow::Result<&'static FormatRow> {
    match given {
        Some(format) => Ok(format),
        None => registry::for_output(out).with_context(|| {
            format!(
                "{}: its ending tells no format; name one with --format (see `wayloom formats`)",
                out.display()
            )
        }),
    }
}

pub(super) fn run_bake(options: &args::Bake, console: &Console) -> anyhow::Result<Answer> {
    let job = ExportJob {
        format: &registry::BAKE,
        source: Source::Level(&options.level),
        recording: None,
        out: &options.out,
        force: options.force,
        title: "Baking",
    };
    job.run(None, &options.options, console)
}

/// Writes a recording in a format that shows movement, told by the ending of `out`.
pub(super) fn convert(run: Arc<Run>, from: &Path, out: &Path, force: bool) -> anyhow::Result<()> {
    let format = registry::for_recording(out).with_context(|| {
        let rows = registry::rows()
            .into_iter()
            .filter(|row| row.takes_recording());
        let endings: Vec<String> = rows
            .flat_map(|row| row.extensions)
            .map(|ending| format!(".{ending}"))
            .collect();
        let known = endings.join(", ");
        format!("{}: end the name in {known} or .wlrec", out.display())
    })?;
    let job = ExportJob {
        format,
        source: Source::Run { run, from },
        recording: None,
        out,
        force,
        title: "Converting",
    };
    let quiet = Console::new(false, true);
    let input = job.input(&quiet)?;
    let writer = format.writer.as_ref().context("it can be written")?;
    let target = Target::named(out, writer.output);
    target.check(force)?;
    let options = writer.writer.options();
    let ctx = JobContext::default();
    export_to(format, &input, &options, (&target, force), &ctx)?;
    Ok(())
}

/// What is exported.
#[derive(Clone)]
enum Source<'a> {
    Level(&'a Path),
    /// The level of a recording, with the recording.
    Run {
        run: Arc<Run>,
        from: &'a Path,
    },
}

#[derive(Clone)]
struct ExportJob<'a> {
    format: &'static FormatRow,
    source: Source<'a>,
    recording: Option<&'a Path>,
    out: &'a Path,
    force: bool,
    /// Over the progress bar.
    title: &'static str,
}

impl ExportJob<'_> {
    fn input(&self, console: &Console) -> anyhow::Result<ExportInput> {
        if let Source::Run { run, from } = &self.source {
            let text = run.level();
            let level = if text.is_empty() {
                // People who were filmed: there is no level.
                Arc::new(level_around(run))
            } else {
                let read = format::read(text).with_context(|| from.display().to_string())?;
                Arc::new(read.level)
            };
            let recording = Recording::of_run(&level, Arc::clone(run));
            return Ok(ExportInput {
                recording: Some(Arc::new(recording)),
                ..ExportInput::new(level)
            });
        }
        let Source::Level(path) = self.source else {
            bail!("there is nothing to export");
        };
        let needs = self.format.writer.as_ref().map(|writer| writer.needs);
        let mut input = match needs {
            Some(Needs::Navigation) => {
                let (level, library) = load_with_meshes(path, console)?;
                ExportInput {
                    voxels: VoxelOptions {
                        meshes: library,
                        ..VoxelOptions::default()
                    },
                    ..ExportInput::new(level)
                }
            }
            _ => ExportInput::new(Arc::new(load(path)?.level)),
        };
        if let Some(file) = self.recording {
            if !self.format.takes_recording() {
                bail!(
                    "{} does not show how agents move; leave --recording out",
                    self.format
                );
            }
            let bytes = std::fs::read(file)
                .with_context(|| format!("{} cannot be read", file.display()))?;
            let run = Run::open(bytes).with_context(|| file.display().to_string())?;
            let recording = Recording::of_run(&input.level, Arc::new(run));
            if let Some(run) = recording.run()
                && !run.header().level_hash.is_empty()
                && run.header().level_hash != recording.level_hash().to_string()
            {
                console.remark(&format!(
                    "{} was recorded in another state of the level",
                    file.display()
                ));
            }
            input.recording = Some(Arc::new(recording));
        }
        Ok(input)
    }

    /// A level that goes to another folder takes its meshes along; some have other names there.
    fn with_meshes(
        &self,
        level: &Arc<Level>,
        from: &Path,
        console: &Console,
    ) -> anyhow::Result<Arc<Level>> {
        let (old, new) = (folder_of(from), folder_of(self.out));
        if old.canonicalize().ok() == new.canonicalize().ok() {
            return Ok(Arc::clone(level));
        }
        let assets = meshes::assets(level, &old);
        let copy = |ctx: &JobContext| meshes::copy_assets(&assets, &new, ctx);
        let names = console.with_progress("Copying meshes", copy)?;
        let edits = meshes::renamed(level, &names);
        Ok(Arc::new(ops::apply(level, &edits)?))
    }

    /// With these options, or the format's defaults, and what the flags change of them.
    fn run<S>(
        &self,
        base: Option<Options>,
        flags: &FormatFlags<S>,
        console: &Console,
    ) -> anyhow::Result<Answer> {
        let Self { format, out, .. } = *self;
        let writer = format.writer.as_ref();
        let writer = writer.with_context(|| format!("{format} files can be read, not written"))?;
        let target = Target::named(out, writer.output);
        target.check(self.force)?;
        let mut options = base.unwrap_or_else(|| writer.writer.options());
        let mut used = BTreeSet::new();
        flags.apply(&mut options, &mut used)?;
        let mut input = self.input(console)?;
        if *format == registry::WAYLOOM
            && let Source::Level(level) = self.source
        {
            input.level = self.with_meshes(&input.level, level, console)?;
        }
        let write =
            |ctx: &JobContext| export_to(format, &input, &options, (&target, self.force), ctx);
        let (mut exported, files) = console.with_progress(self.title, write)?;
        let ignored = flags.ignored(&used, format.title);
        exported.warnings.splice(0..0, ignored);
        let remarks = exported.remarks();
        for remark in &remarks {
            console.remark(remark);
        }
        let bytes = files.byte_count();
        let mut lines = exported.summary;
        if lines.is_empty() {
            lines.push(format!("{}: {format}, {bytes} bytes", out.display()));
        }
        let mut object = Map::new();
        if let Output::Folder { index } = writer.output {
            let list = |name: &str, bytes: &[u8]| json!({ "name": name, "bytes": bytes.len() });
            let beside = files.beside.iter().map(|(name, bytes)| list(name, bytes));
            let all: Vec<Value> = std::iter::once(list(index, &files.main))
                .chain(beside)
                .collect();
            object.insert("folder".to_owned(), json!(out));
            object.insert("files".to_owned(), all.into());
        } else {
            object.insert("file".to_owned(), json!(out));
        }
        object.insert("format".to_owned(), format.id.into());
        object.insert("bytes".to_owned(), bytes.into());
        let left_out: Vec<Value> = exported.left_out.iter().map(LeftOut::to_json).collect();
        object.insert("left_out".to_owned(), left_out.into());
        object.insert("warnings".to_owned(), json!(remarks));
        object.extend(exported.details);
        console.result(&lines.join("\n"), &Value::Object(object));
        Ok(Answer::Yes)
    }
}

/// A level as large as what moves in it.
fn level_around(run: &Run) -> Level {
    let mut bounds = Rect::EMPTY;
    run.each_frame(|_, present| {
        let points: Vec<DVec2> = present.iter().map(|(_, at)| at.truncate()).collect();
        bounds = bounds.union(&Rect::of_points(&points));
    });
    let level = Level::default();
    let settings = Settings {
        name: run.header().level.clone(),
        bounds: bounds.expanded(1.0),
        ..Settings::clone(level.settings())
    };
    ops::apply(&level, &[Edit::Settings(Arc::new(settings))]).unwrap_or(level)
}

pub(super) fn run_formats(console: &Console) -> anyhow::Result<Answer> {
    let mut text = String::from("id             access  endings               what\n");
    let mut rows = Vec::new();
    for row in registry::rows() {
        let access = match (&row.reader, &row.writer) {
            (Some(_), Some(_)) => "in/out",
            (Some(_), None) => "in",
            (None, _) => "out",
        };
        let is_folder = row
            .writer
            .as_ref()
            .is_some_and(|writer| matches!(writer.output, Output::Folder { .. }));
        let _ = writeln!(
            text,
            "{:15}{access:8}{:22}{}: {}",
            row.id,
            row.files(),
            row.title,
            row.description
        );
        let keys = |options: Option<Options>| -> Vec<&str> {
            let specs = options.map(|options| options.specs()).unwrap_or_default();
            specs.iter().map(|spec| spec.key).collect()
        };
        rows.push(json!({
            "id": row.id,
            "name": row.title,
            "extensions": row.extensions,
            "reads": row.reader.is_some(),
            "writes": row.writer.is_some(),
            "folder": is_folder,
            "import_options": keys(row.import_options()),
            "export_options": keys(row.export_options()),
            "description": row.description,
        }));
    }
    console.result(&text, &json!({ "formats": rows }));
    Ok(Answer::Yes)
}
