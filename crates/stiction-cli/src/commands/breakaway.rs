//! `stiction breakaway`.
use crate::error::CommandError;
use crate::law::{LawArgs, finite};
use crate::picture::PictureArgs;
use crate::{number_list, report, stream};
use std::path::PathBuf;
use stiction_report::breakaway::{BreakawayReport, BreakawayStudy};

/// Measure break-away: the force on a mass at rest rises until the mass slides.
///
/// Break-away is the start of slip for a law that holds any force at rest (coulomb, stribeck, karnopp, rate-state,
/// ...), else the first maximum of the friction force (lugre, gms, hysteresis, armstrong, ...), else the level that
/// the force approaches (dahl, coulomb-tanh, ...), at the distance where 99 % of it is reached. The column "by" says
/// which of the three applies.
///
/// With --rate, the break-away force is measured against the rate at which the applied force rises, on a contact that
/// has never moved unless --slid is given. With --dwell, it is measured against the time at rest: the mass has slid at
/// the speed --slid, stopped, rested under the force left in its bristles, and is then loaded at the first --rate.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction breakaway lugre --rate 0.1,1,10,100\n  stiction breakaway rate-state --rate 10 --dwell 1,10,100,1000 -o ageing\n  stiction breakaway armstrong --rate 100 --dwell 0.01,0.1,1,10 --plot"
)]
pub struct Args {
    #[command(flatten)]
    law: LawArgs,
    /// Normal load: a multiple of the nominal load, or a load in the unit of load.slope, if that is set.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    load: Option<String>,
    /// Mass in kg, or inertia.
    #[arg(long, value_name = "NUMBER", default_value = "1", allow_hyphen_values = true)]
    mass: String,
    /// Rates at which the force rises [N/s]: numbers, LO:HI:N or log:LO:HI:N, separated by commas; repeatable.
    #[arg(long, value_name = "R1,R2,...", allow_hyphen_values = true, default_value = "0.1,1,10,100")]
    rate: Vec<String>,
    /// Times at rest before the test (s), in the same form; repeatable.
    #[arg(long, value_name = "T1,T2,...", allow_hyphen_values = true)]
    dwell: Vec<String>,
    /// Speed of sliding before the rest [m/s]; default: 0.01 with --dwell, otherwise the contact has never moved.
    #[arg(long, value_name = "NUMBER")]
    slid: Option<String>,
    /// Write a picture (SVG and PNG), a table (CSV) and a summary to this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    let rig = args.law.rig(args.load.as_deref())?;
    let study = BreakawayStudy {
        mass: finite("--mass", &args.mass)?,
        rates: number_list::list("--rate", &args.rate)?,
        dwells: number_list::list("--dwell", &args.dwell)?,
        slid: args.slid.as_deref().map(|text| finite("--slid", text)).transpose()?,
    };
    let found = BreakawayReport::measure(&rig, &study)?;
    found.notes.iter().for_each(stream::note);
    report::show(&found, args.output.as_deref(), &args.picture, json)
}
