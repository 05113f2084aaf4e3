//! `wayloom new`

use super::{Answer, args::New, console::Console, output_file};
use crate::document::{
    format,
    template::{Options, Template},
};
use anyhow::Context as _;
use serde_json::json;
use std::fmt::Write as _;

pub(super) fn run(options: &New, console: &Console) -> anyhow::Result<Answer> {
    if options.template == "list" {
        list(console);
        return Ok(Answer::Yes);
    }
    let template = Template::by_name(&options.template).with_context(|| {
        let names: Vec<&str> = Template::ALL.iter().map(|t| t.name()).collect();
        format!(
            "there is no template `{}`; there are {}",
            options.template,
            names.join(", ")
        )
    })?;
    output_file::check(&options.out, options.force)?;
    let level = template.build(&Options {
        seed: options.seed,
        size: options.size.map(|(size, _)| size),
        height: options.size.and_then(|(_, height)| height),
    })?;
    let text = format::write(&level, level.largest_id().next());
    output_file::save(&options.out, text.as_bytes(), options.force)?;
    console.result(
        &format!(
            "{}: {} things, {} vertices",
            options.out.display(),
            level.len(),
            level.vertex_count()
        ),
        &json!({
            "file": options.out,
            "template": template.name(),
            "entities": level.len(),
            "vertices": level.vertex_count(),
        }),
    );
    Ok(Answer::Yes)
}

fn list(console: &Console) {
    let mut text = String::new();
    let mut rows = Vec::new();
    for template in Template::ALL {
        let _ = writeln!(text, "{:14}{}", template.name(), template.description());
        if let Some(size) = template.size() {
            let _ = writeln!(
                text,
                "{:14}  --size: {}, {} to {}, {} if not given",
                "", size.name, size.min, size.max, size.default
            );
            if template.height().is_some() {
                let _ = writeln!(
                    text,
                    "{:14}  --size WxH: width and height, such as 40x30",
                    ""
                );
            }
        }
        rows.push(json!({
            "name": template.name(),
            "description": template.description(),
            "size": template.size().map(|size| json!({
                "name": size.name, "min": size.min, "max": size.max, "default": size.default,
                "has_height": template.height().is_some(),
            })),
        }));
    }
    console.result(&text, &json!({ "templates": rows }));
}
