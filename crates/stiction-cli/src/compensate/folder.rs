//! The folder: pictures, the scenario of each method, the summary.
use crate::fault::Fault;
use crate::run::folder::{Folder, SUMMARY};
use crate::stream;
use serde_json::{Value, json};
use std::io;
use std::path::Path;
use stiction::compensate::Comparison;
use stiction::output;
use stiction::plot::{Figure, Format};

/// Writes it, whole or not at all.
pub fn save(dir: &Path, found: &Value, figures: &[(String, Figure)], comparison: &Comparison) -> Result<(), Fault> {
    let folder = Folder::new(dir)?;
    let mut files = Vec::new();
    for (name, figure) in figures {
        for (ending, format) in [("svg", Format::Svg), ("png", Format::Png)] {
            if cfg!(feature = "png") || format == Format::Svg {
                let file = format!("{name}.{ending}");
                figure.write(&folder.path(&file), format)?;
                files.push(file);
            }
        }
    }
    for row in &comparison.rows {
        let file = format!("{}.toml", row.method.name);
        output::write(&folder.path(&file), |out| out.write_all(row.text.as_bytes()))?;
        files.push(file);
    }
    files.push(SUMMARY.to_owned());
    let mut all = json!({ "stiction": env!("CARGO_PKG_VERSION"), "files": files });
    if let (Some(all), Some(found)) = (all.as_object_mut(), found.as_object()) {
        all.extend(found.clone());
    }
    output::write(&folder.path(SUMMARY), |out| {
        serde_json::to_writer_pretty(&mut *out, &all).map_err(io::Error::from)?;
        writeln!(out)
    })?;
    let path = folder.finish()?;
    stream::note(format_args!("wrote {}: {}", path.display(), files.join(", ")));
    Ok(())
}
