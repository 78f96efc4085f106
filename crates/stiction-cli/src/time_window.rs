//! A part of a run or a record, as an option gives it.

/// `FROM:TO` in seconds; an end that is left out is open.
pub fn time_window(text: &str) -> Result<[f64; 2], String> {
    let help = || "write FROM:TO in seconds, as in 120:900 or 120:".to_owned();
    let (from, to) = text.split_once(':').ok_or_else(help)?;
    let number = |text: &str, open: f64| match text.trim() {
        "" => Ok(open),
        text => text.parse::<f64>().map_err(|_| help()),
    };
    let [from, to] = [number(from, f64::NEG_INFINITY)?, number(to, f64::INFINITY)?];
    if from < to { Ok([from, to]) } else { Err("the window begins before it ends".to_owned()) }
}
