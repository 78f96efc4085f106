//! All laws by all phenomena, as text and as a picture.
use super::mark;
use crate::text::{table, wrap};
use stiction::analysis::phenomena::{PhenomenaReport, Verdict, criteria};
use stiction::plot::{CellMark, Figure, Matrix, MatrixCell};

/// The table: a symbol for each phenomenon, and the meaning of headings and symbols.
pub fn text(reports: &[PhenomenaReport]) -> String {
    let width = reports.iter().map(|r| r.spec.law().name.len()).max().unwrap_or(0);
    let mut out = format!("{:width$} ", "");
    criteria::ALL.iter().for_each(|kind| out += &format!(" {:>5}", kind.short_name));
    out = out.trim_end().to_owned() + "\n";
    for report in reports {
        let mut line = format!("{:width$} ", report.spec.law().name);
        report.results.iter().for_each(|result| line += &format!("{:>6}", mark(result)));
        out += line.trim_end();
        out.push('\n');
    }
    out += "\n+ shown   . not shown   o not contradicted, not proved   blank: no such experiment\n\n";
    let rows: Vec<[String; 3]> = criteria::ALL
        .iter()
        .map(|kind| {
            let sign = if kind.below { "<=" } else { ">=" };
            let text = format!("{}: {} {sign} {}", kind.title, kind.value, stiction::number::short(kind.threshold));
            [kind.short_name.to_owned(), kind.key.to_owned(), text]
        })
        .collect();
    out += &table(&rows, &[]);
    out + &wrap(
        "",
        "Forces, speeds and lengths are the law's own. 'stiction phenomena NAME' shows its figures, '--need a,b' which law to use, '--json' everything.",
        0,
    )
}

/// The picture.
pub fn figure(reports: &[PhenomenaReport]) -> Figure {
    let mut matrix = Matrix::new(criteria::ALL.iter().map(|kind| kind.title));
    for report in reports {
        let cells = report.results.iter().map(|result| match (result.verdict, result.value) {
            (Verdict::Yes, _) => MatrixCell::default().mark(CellMark::Full).shade(0.25),
            (Verdict::Open, _) => MatrixCell::default().mark(CellMark::Half).shade(0.1),
            (Verdict::No, Some(_)) => MatrixCell::default().mark(CellMark::Empty),
            (Verdict::No, None) => MatrixCell::default(),
        });
        matrix = matrix.row(report.spec.law().name, cells);
    }
    let matrix = matrix
        .key(CellMark::Full, "shown")
        .key(CellMark::Half, "not contradicted, not proved")
        .key(CellMark::Empty, "not shown; blank: no such experiment");
    Figure::new("What friction laws show, measured").matrix(matrix)
}
