//! `stiction export page`.
use crate::error::CommandError;
use crate::law::LawArgs;
use crate::stream;
use serde_json::json;
use std::path::{Path, PathBuf};
use stiction::export::live_page::LiveLaw;
use stiction::output;
use stiction_report::text::quote;

/// Write a law as a live page: sliders for its parameters, and its steady curve, loops, break-away and stick-slip, computed in the browser.
///
/// The page is one file that opens from disk or from any web server, without a network: the law is in it as WebAssembly, with the bits of
/// the law in the simulator. Parameters of noise are not written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction export page lugre -o lugre.html\n  stiction export page found/model.toml -o axis.html\n  stiction export page my-law.toml --set fc=2 -o mine.html"
)]
pub struct PageArgs {
    #[command(flatten)]
    law: LawArgs,
    /// The file to write, which ends in .html; - is stdout.
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(args: &PageArgs, json: bool) -> Result<(), CommandError> {
    let is_page = |path: &Path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html"));
    if let Some(path) = stream::file(Some(&args.output)).filter(|path| !is_page(path)) {
        return Err(CommandError::FileExtension { path: path.to_owned(), kinds: &["html"] });
    }
    let model = args.law.file()?;
    let spec = &model.spec;
    let source: Vec<String> = args.law.words().into_iter().map(quote).collect();
    let html = LiveLaw::new(spec, &source.join(" ")).turns(model.turns()).mass(model.mass()).page()?;
    if let Some(path) = stream::file(Some(&args.output)) {
        output::write(path, |out| out.write_all(html.as_bytes()))?;
        if json {
            return stream::json(&json!({ "law": spec.law().name, "file": path, "bytes": html.len() }));
        }
        return stream::text(&format!("Open {}\n", path.display()));
    }
    stream::data(|out| out.write_all(html.as_bytes()))
}
