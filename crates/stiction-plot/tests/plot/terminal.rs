//! Figures as letters.
use crate::axes;
use stiction_plot::{Axis, CellMark, Figure, HeatMap, Matrix, MatrixCell, Panel, Terminal};

/// The letters of a text plot without colours.
fn letters(figure: &Figure, unicode: bool) -> String {
    figure.text(&Terminal { width: 24, height: 6, colour: false, unicode })
}

#[test]
fn a_straight_line_in_letters() {
    let figure = Figure::new("A line").panel(axes().line("", [(0.0, 0.0), (1.0, 1.0)]));
    // by hand: column k of 21 has its dot in row 11 (1.06 - k/20) / 1.12 of 12, two of which are one letter
    let plain = "\
A line
x [m]
1 +                   ..
  |               ..''
  |           ..''
  |      ..'''
  |  ..''
0 +''
  ++-------------------+
   0                   1
           t [s]
";
    assert_eq!(letters(&figure, false), plain);
    // eight dots to a letter: twice as fine across, and twice down
    let fine = letters(&figure, true);
    assert_eq!(fine.lines().count(), plain.lines().count());
    let dots = fine.chars().filter(|c| ('\u{2801}'..='\u{28ff}').contains(c)).map(|c| (c as u32 - 0x2800).count_ones());
    assert_eq!(dots.sum::<u32>(), 42, "one dot in each column of dots");
}

#[test]
fn lines_in_letters_are_told_apart() {
    let figure =
        Figure::new("").panel(axes().line("up", [(0.0, 0.0), (1.0, 1.0)]).line("down", [(0.0, 1.0), (1.0, 0.0)]));
    let count = |text: &str, letter: char| text.matches(letter).count();
    let plain = letters(&figure, false);
    assert!(plain.contains("* up   + down") && plain.is_ascii(), "{plain}");
    assert!(count(&plain, '*') > 10 && count(&plain, '+') > 10, "{plain}");
    let screen = Terminal { width: 40, height: 8, colour: true, unicode: true };
    let text = figure.text(&screen);
    assert!(text.contains("\u{1b}[36m") && text.contains("\u{1b}[33m"), "a colour each");
    // every colour ends on its line
    assert!(text.lines().all(|line| !line.contains('\u{1b}') || line.ends_with("\u{1b}[0m") || line.contains("[0m ")));
}

#[test]
fn any_figure_has_letters() {
    let odd = [f64::NAN, f64::INFINITY, -f64::MAX, 0.0, -1.0, 1e-300, 1.0];
    let all: Vec<_> = odd.iter().flat_map(|x| odd.map(|y| (*x, y))).collect();
    for axis in
        [Axis::linear("σ₀"), Axis::log("x"), Axis::linear("x").limits(1.0, 0.0), Axis::log("x").limits(-1.0, 2.0)]
    {
        let heat = HeatMap::new(axis.clone(), odd, odd, [vec![1.0; 9], vec![f64::NAN]]);
        let panel =
            Panel::new(axis.clone(), axis).line("", all.clone()).points("p", all.clone()).area("a", all.clone());
        let panel = panel
            .events("e", odd)
            .horizontal_line("l", f64::NAN)
            .vertical_line("u", -1.0)
            .annotate("n", (f64::NAN, 0.0))
            .heat_map(heat);
        for figure in [Figure::new("").panel(panel.clone()), Figure::new("").panel(panel).width(f64::NAN)] {
            for (width, unicode) in [(0, true), (80, false)] {
                let text = figure.text(&Terminal { width, height: 0, colour: false, unicode });
                assert!(unicode || text.is_ascii(), "{text}");
            }
            let svg = figure.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
    assert_eq!(letters(&Figure::new(""), true), "");
}

#[test]
fn a_matrix_in_letters() {
    let row = |k: usize| {
        [MatrixCell::new("0.5").shade(0.5), MatrixCell::new(k.to_string()).mark(CellMark::Full), MatrixCell::default()]
    };
    let matrix = Matrix::new(["stick", "slip", "lag"]).row("coulomb", row(1)).row("lugre", row(2)).row("short", []);
    let figure = Figure::new("").matrix(matrix.key(CellMark::Full, "yes"));
    let text = figure.text(&Terminal { width: 40, height: 5, colour: false, unicode: false });
    assert!(text.starts_with("           1   2   3\ncoulomb  0.5  #1\nlugre    0.5  #2\nshort\n"), "{text}");
}
