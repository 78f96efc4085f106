//! `stiction identify`.
use crate::data::layout::LayoutArgs;
use crate::fault::Fault;
use crate::identify::{choice, dynamic, folder, input, plant, steps, text, value};
use crate::law::{LawArgs, assignments};
use crate::picture::PictureArgs;
use crate::run::progress::Progress;
use crate::stream;
use clap::ValueEnum;
use std::path::PathBuf;
use stiction::Spec;
use stiction::identify::report::Report;
use stiction::identify::sliding::{self, How, Leave, Reduction};
use stiction::identify::{Auto, Finding, Motion, Remark, Smooth, auto, bent, over_time, pictures};
use stiction::identify::{breakaway, presliding};

/// Identify friction from measured data: a law, its parameters, and how sure they are.
///
/// Columns are chosen by name, by number, or made by an expression, as in 'stiction data'. What is not told is guessed from
/// the names of the columns. Force is what drives the body, less --known; friction is that less the inertia. A positive
/// force drives towards positive velocity, or, if it is friction itself (--mass 0), brakes it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction identify log.csv\n  stiction identify log.csv --position 'q*1e-3' --force '35.15*vir' -o out\n  stiction identify log.csv --model stribeck --mass 2.5 --known '2.5*9.81*sin(q)' --json\n  stiction identify run1.csv run2.csv --model auto --leave records -o out\n  stiction identify other.csv --check out/model.toml\n  stiction identify log.mat --position qm --force 'gtau*vir' --filter butterworth:4:100 --drop 49,0 --decimate 10 --rest 0 --model viscous"
)]
pub struct Args {
    /// Files of measured data, one record each; - is stdin.
    #[arg(value_name = "DATA", required = true)]
    files: Vec<PathBuf>,
    /// What to look for; by the law, and sliding without one.
    #[arg(long, value_enum, value_name = "WHAT")]
    find: Option<What>,
    /// The law: auto for the best of all; coulomb, viscous (Coulomb and viscous), stribeck, stribeck:EXPONENT for sliding;
    /// dieterich, ruina, prz for velocity steps, with :2 for two states; any other law of 'stiction models' along the motion.
    #[arg(long, value_name = "LAW", default_value = "auto", value_parser = choice::model)]
    model: choice::Model,
    /// Fit nothing: how well this law, as it was found elsewhere, predicts the data. Mass and offset are those in the file.
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["find", "model", "scenario"])]
    check: Option<String>,
    /// Each direction has levels of its own; auto tries both.
    #[arg(long)]
    asymmetric: bool,
    #[command(flatten)]
    columns: input::ColumnArgs,
    #[command(flatten)]
    layout: LayoutArgs,
    /// How position is made smooth: auto, none, spline, butterworth:ORDER:HERTZ or savgol:WINDOW:ORDER.
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = choice::smooth)]
    filter: Smooth,
    /// Samples to drop at the beginning and at the end, after filtering.
    #[arg(long, value_name = "FIRST,LAST", value_parser = choice::drop, default_value = "0,0")]
    drop: [usize; 2],
    /// Decimate force and every term of the model by this factor, through the same filter.
    #[arg(long, value_name = "FACTOR", value_parser = choice::factor)]
    decimate: Option<usize>,
    /// Speed below which nothing slides [m/s]; from the noise without it, and every sample counts at 0.
    #[arg(long, value_name = "SPEED", value_parser = choice::speed, allow_negative_numbers = true)]
    rest: Option<f64>,
    /// No constant force beside friction.
    #[arg(long)]
    no_offset: bool,
    /// Let outliers count less: huber, soft, cauchy or tukey.
    #[arg(long, value_name = "LOSS", value_parser = choice::loss)]
    robust: Option<stiction::fit::Loss>,
    /// Take residuals as independent of one another, as textbooks do; without it errors hold for noise that remembers.
    #[arg(long)]
    white: bool,
    /// What is left out to judge a law: records, or a number of stretches of time.
    #[arg(long, value_name = "records|N", default_value = "records", value_parser = choice::leave)]
    leave: Leave,
    /// Write a folder: report.html, model.toml, summary.json, residuals, pictures.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// What presses, in words, for reports.
    #[arg(long, value_name = "WORD", default_value = "load")]
    load_name: String,
    /// Its unit.
    #[arg(long, value_name = "UNIT", default_value = "")]
    load_unit: String,
    #[command(flatten)]
    plant: plant::PlantArgs,
    #[command(flatten)]
    dynamic: dynamic::DynamicArgs,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Records that a report shows over time.
const RECORDS: usize = 8;
/// Most samples for which laws with memory are tried unasked.
const MOST: usize = 200_000;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Friction over velocity, of a body that slides.
    Sliding,
    /// Friction over displacement before it slides: branches, loops, memory.
    Presliding,
    /// Where a body at rest begins to slide, over load and time of rest.
    Breakaway,
    /// Friction of motions to and fro against load or pressure, one record each.
    Load,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), Fault> {
    if let Some(dir) = &args.output {
        crate::run::folder::Folder::check(dir)?;
    }
    args.refuse()?;
    let (report, scenario) = look(args, input::command())?;
    if let Some(dir) = &args.output {
        folder::save(dir, &report, scenario.as_deref(), args.picture.theme())?;
    }
    if args.picture.plot {
        let figures: Vec<_> = report.findings.iter().flat_map(|f| f.pictures.clone()).collect();
        args.picture.show(&figures, json)?;
    }
    if json {
        stream::json(&value::value(&report))?;
    } else {
        let page = text::page(&report);
        stream::text(&page)?;
    }
    match text::impossible(&report) {
        Some(text) => Err(Fault::against(text, text::TURN_SIGN)),
        None => Ok(()),
    }
}

impl Args {
    /// Options that mean nothing for what is asked are refused, not passed over.
    fn refuse(&self) -> Result<(), Fault> {
        let along = matches!(self.model, choice::Model::Law(_)) && self.find.is_none();
        let plant = self.plant.scenario.is_some();
        let sliding = !along && !plant && self.check.is_none() && matches!(self.find, None | Some(What::Sliding));
        let d = &self.dynamic;
        let given = [
            ("--set", !d.set.is_empty(), along || plant),
            ("--free", !d.free.is_empty(), along),
            ("--bounds", !d.bounds.is_empty(), along),
            ("--forget", d.forget != 0.0, along),
            ("--profile", d.profile, along),
            ("--resume", d.resume, along || plant),
            ("--asymmetric", self.asymmetric, sliding),
            ("--decimate", self.decimate.is_some(), sliding),
            ("--rest", self.rest.is_some(), sliding),
            ("--robust", self.robust.is_some(), sliding),
            ("--white", self.white, sliding),
            ("--weight", self.columns.weight.is_some(), sliding),
        ];
        match given.iter().find(|(_, given, of_use)| *given && !*of_use) {
            Some((option, ..)) => Err(Fault::Useless { option }),
            None => Ok(()),
        }
    }
}

/// Reads the files and looks for what was asked; the scenario with its values, if it was one. The report says that `command`
/// made it.
pub fn look(args: &Args, command: String) -> Result<(Report, Option<String>), Fault> {
    let report = Report { command, version: env!("CARGO_PKG_VERSION").to_owned(), ..Report::default() };
    if let Some(name) = &args.plant.scenario {
        let (set, output) = (&args.dynamic.set, args.output.as_deref());
        let found = plant::find(name, set, &args.files, &args.plant, &args.layout, output, args.dynamic.resume)?;
        let mut finding = found.finding;
        finding.pictures =
            finding.residuals.iter().take(RECORDS).map(|r| over_time(r, r.t.len()).named(&r.name)).collect();
        return Ok((Report { inputs: found.inputs, findings: vec![finding], ..report }, Some(found.scenario)));
    }
    if let choice::Model::Steps(evolution, states) = args.model {
        let mut records = Vec::new();
        let mut inputs = Vec::new();
        for path in &args.files {
            let (raw, record) = steps::read(path, &args.columns, &args.layout)?;
            inputs.push(input::about(path, &raw)?);
            records.push(record);
        }
        let mut findings = vec![steps::find(&records, evolution, states)?];
        for finding in &mut findings {
            finding.pictures =
                finding.residuals.iter().take(RECORDS).map(|r| over_time(r, r.t.len()).named(&r.name)).collect();
        }
        return Ok((Report { inputs, findings, ..report }, None));
    }
    let recipe = |k: usize| input::recipe(&args.columns, args.filter, args.drop, k, args.files.len());
    let read = input::read(&args.files, &args.columns, &args.layout, &recipe)?;
    let motions: Vec<Motion> = read.prepared.iter().map(|prepared| prepared.motion.clone()).collect();
    let pressed = breakaway::Options { load: args.load_name.clone(), load_unit: args.load_unit.clone() };
    let findings = match (&args.model, args.find) {
        _ if args.check.is_some() => vec![check(args, &motions)?],
        (_, Some(What::Presliding)) => vec![presliding::find(&motions, &presliding::Options::default())?],
        (_, Some(What::Breakaway)) => vec![breakaway::find(&motions, &pressed)?],
        (_, Some(What::Load)) => vec![breakaway::widths(&read.files(), &pressed)?],
        (choice::Model::Law(spec), _) => vec![along(args, spec, &read)?],
        (choice::Model::Auto, None) => {
            let mut bar = Progress::new(0.0, 1.0);
            let how = Auto { sliding: slide(args), most: MOST };
            let found = auto(&read.prepared, &how, &mut |done| {
                bar.show(done);
                true
            });
            bar.end();
            found?
        }
        _ => vec![sliding::find(&read.prepared, &slide(args))?],
    };
    let mut findings = findings;
    for finding in findings.iter_mut().filter(|finding| finding.pictures.is_empty()) {
        finding.pictures = pictures(&motions, &finding.residuals);
    }
    let mut remarks = read.remarks;
    if read.turns == Some(true) {
        findings = findings.into_iter().map(Finding::turning).collect();
        remarks = remarks.into_iter().map(Remark::turning).collect();
    }
    Ok((Report { inputs: read.inputs, remarks, findings, turns: read.turns, ..report }, None))
}

/// A law of a file against the data.
fn check(args: &Args, motions: &[Motion]) -> Result<Finding, Fault> {
    let file = LawArgs::new(args.check.as_deref().unwrap_or_default(), &[], &[]).file()?;
    let plant = |name: &str| file.identified.as_ref().and_then(|found| found.plant(name));
    let told = motions.first().and_then(|motion| motion.mass);
    let mass = told.or_else(|| plant("mass")).ok_or(Fault::Misfit {
        text: "the file does not tell the moving mass",
        hint: "give it with --mass KG, or 0 if the force is friction itself",
    })?;
    let offset = if args.no_offset { 0.0 } else { plant("offset").unwrap_or(0.0) };
    Ok(stiction::identify::dynamic::check(motions, &file.spec, mass, offset)?)
}

/// How laws of sliding are sought.
fn slide(args: &Args) -> sliding::Options {
    sliding::Options {
        curve: args.model.curve(),
        sided: if args.asymmetric { Some(true) } else { None },
        offset: !args.no_offset,
        reduction: args.decimate.map_or(Reduction::Blocks, Reduction::Decimate),
        rest: args.rest,
        how: How { loss: args.robust.unwrap_or_default(), white: args.white },
        leave: args.leave,
    }
}

/// A law along the motion.
fn along(args: &Args, law: &Spec, read: &input::Read) -> Result<Finding, Fault> {
    let mut law = law.clone();
    for (name, value) in assignments("--set", &args.dynamic.set, law.law().params.first())? {
        law.set(name, value)?;
    }
    let motions: Vec<Motion> = read.prepared.iter().map(|prepared| prepared.motion.clone()).collect();
    let digests: Vec<&str> = read.inputs.iter().map(|input| input.sha256.as_str()).collect();
    let words = input::command().replace(" --resume", "");
    let mark = format!("{words} {}", digests.join(" "));
    let mut finding = dynamic::find(&law, &motions, &args.dynamic, !args.no_offset, args.output.as_deref(), &mark)?;
    let still = sliding::Options { offset: !args.no_offset, ..sliding::Options::default() };
    // a record that hardly slides has no law of sliding to compare with
    let _ = bent(&mut finding, &read.prepared, &still);
    Ok(finding)
}
