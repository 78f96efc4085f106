//! Figures, judged by the shapes in them.
use crate::{axes, noise::noise};
use std::path::Path;
use stiction_plot::{Axis, CellMark, Figure, HeatMap, ImageFormat, Matrix, MatrixCell, Panel, Theme};

/// All points of all lines: the frame's corners last.
fn lines(svg: &str) -> Vec<Vec<(f64, f64)>> {
    let point = |p: &str| {
        let (x, y) = p.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    let of = |part: &str| part.split('"').next().unwrap().split(' ').map(point).collect();
    svg.split("points=\"").skip(1).map(of).collect()
}

fn ends(points: impl Iterator<Item = f64>) -> (f64, f64) {
    points.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
}

/// Height of the frame's left edge at the bottom and top.
fn frames(svg: &str) -> Vec<((f64, f64), (f64, f64))> {
    let frames = lines(svg).into_iter().filter(|line| line.len() == 6 && line[0] == line[4] && line[1] == line[5]);
    frames.map(|frame| (ends(frame.iter().map(|p| p.0)), ends(frame.iter().map(|p| p.1)))).collect()
}

fn texts(svg: &str) -> Vec<&str> {
    svg.split("</text>")
        .filter_map(|part| part.rsplit_once('>'))
        .map(|part| part.1)
        .filter(|t| !t.contains('\n'))
        .collect()
}

#[test]
fn any_data_gives_a_whole_document() {
    let odd = [f64::NAN, f64::INFINITY, -f64::MAX, 0.0, -1.0, 1e-300, 1.0];
    let all: Vec<_> = odd.iter().flat_map(|x| odd.map(|y| (*x, y))).collect();
    for points in [&[][..], &[(1.0, 2.0)], &[(0.0, 0.0), (0.0, 0.0)], &all] {
        for axis in [Axis::linear("x"), Axis::log("x")] {
            let panel = Panel::new(axis.clone(), axis).line("", points.to_vec()).events("e\u{7}", odd);
            let svg = Figure::new("a < b & c").panel(panel).svg();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains('\u{7}'), "{svg}");
            assert!(texts(&svg).contains(&"a &lt; b &amp; c"), "{svg}");
        }
    }
    assert!(Figure::new("").svg().ends_with("</svg>\n"));
}

/// Texts from files may hold anything: the document stays well-formed, and keeps the text.
#[test]
fn wild_texts_give_well_formed_documents() {
    let wild = [
        "]]>",
        "<![CDATA[ x ]]>",
        "</text><script>alert(1)</script>",
        "a & b &amp; c < d > e \"f\" 'g'",
        "\u{1b}[31mred\u{7}\u{0}\u{9b}",
        "\u{fffe}\u{ffff}\u{202e}",
        "x_{]]>} y^{<&>}",
        "--> <!-- ?>",
    ];
    for text in wild {
        let cell = || [MatrixCell::new(text).mark(CellMark::Half)];
        let matrix = Matrix::new([text]).row(text, cell()).key(CellMark::Half, text);
        let panel = Panel::new(Axis::linear(text), Axis::linear(text)).title(text).annotate(text, (0.5, 0.5));
        let points = [(0.0, 0.0), (1.0, 1.0)];
        let panel = panel.line(text, points).points(format!("{text}2"), points).events(text, [0.5]);
        let panel = panel.horizontal_line(text, 0.2).vertical_line(text, 0.2);
        let svg = Figure::new(text).panel(panel).matrix(matrix).svg();
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{text:?}: {error}\n{svg}"));
        assert!(document.descendants().all(|node| !node.has_tag_name("script")), "{text}");
        assert!(!svg.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
    let svg = Figure::new("a ]]> b & <c> \"d\"").svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let title = document.descendants().find(|node| node.has_tag_name("text")).and_then(|node| node.text());
    assert_eq!(title, Some("a ]]> b & <c> \"d\""));
}

#[test]
fn a_line_breaks_where_it_is_not_finite_and_a_lone_point_is_a_dot() {
    let points = [0.0, 1.0, 2.0, f64::NAN, 4.0, f64::INFINITY, 6.0, 7.0, 8.0].map(|x| (x, x * x));
    let svg = Figure::new("").panel(axes().line("", points)).svg();
    assert_eq!(lines(&svg).iter().map(Vec::len).collect::<Vec<_>>(), [3, 3, 6], "two pieces and the frame");
    assert_eq!(svg.matches("<circle").count(), 1);
}

/// The lowest and highest point of `line` are as far within the frame as the margin of 6 % says, to a pixel.
fn reaches_its_ends(line: &[(f64, f64)], (_, (top, bottom)): ((f64, f64), (f64, f64))) {
    let margin = (bottom - top) * 0.06 / 1.12;
    let (high, low) = ends(line.iter().map(|p| p.1));
    assert!((high - top - margin).abs() < 1.1 && (bottom - margin - low).abs() < 1.1, "{high} {low} in {top} {bottom}");
}

#[test]
fn a_long_trace_stays_small_and_keeps_its_extremes() {
    // noise, with one sample that stands out on either side
    let y = |k: u32| match k {
        700_001 => 3.0,
        300_003 => -3.0,
        k => 0.5 * noise(k as usize),
    };
    let time = |y: &dyn Fn(u32) -> f64| (0..1_000_000).map(|k| (f64::from(k) * 1e-3, y(k))).collect::<Vec<_>>();
    let stick = (0..5000).map(|k| f64::from(k) * 0.2);
    let panel =
        axes().line("a", time(&y)).line("b", time(&|k| 0.5 * noise(30_000 + k as usize))).events("stick", stick);
    let svg = Figure::new("").panel(panel).panel(axes().line("c", time(&|k| 0.5 * noise(40_000 + k as usize)))).svg();
    assert!(svg.len() < 150_000, "{} bytes", svg.len());
    reaches_its_ends(&lines(&svg)[0], frames(&svg)[0]);
}

#[test]
fn a_long_orbit_stays_small_without_gaps() {
    let draw = |orbit: &dyn Fn(u32) -> (f64, f64)| {
        let svg = Figure::new("").panel(axes().line("", (0..1_000_000).map(orbit))).svg();
        assert!(svg.len() < 150_000, "{} bytes", svg.len());
        svg
    };
    // it does not close and fills a ring; single samples stand out on either side
    let ring = draw(&|k| {
        let (phase, size) = (f64::from(k) * 1e-2, 1.0 + 0.2 * noise(20_000 + k as usize / 50));
        let y = match k {
            300_003 => 3.0,
            700_001 => -3.0,
            _ => size * phase.cos(),
        };
        (size * phase.sin(), y)
    });
    let points: Vec<_> = ring.split(['"', ' ', 'M', 'L']).filter_map(|p| p.split_once(',')).collect();
    let points: Vec<_> = points.iter().filter_map(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?))).collect();
    let frame = frames(&ring)[0];
    let inside = |p: &(f64, f64)| p.0 > frame.0.0 + 1.0 && p.0 < frame.0.1 - 1.0 && p.1 > frame.1.0 && p.1 < frame.1.1;
    reaches_its_ends(&points.into_iter().filter(inside).collect::<Vec<_>>(), frame);
    // turns on one circle, in turns of it: the longest piece of what is drawn
    let turns = |step: f64| {
        let circle = draw(&|k| (f64::from(k) * step).sin_cos());
        let longest = lines(&circle).into_iter().max_by_key(Vec::len).unwrap();
        let step = |p: &[(f64, f64)]| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1);
        let length: f64 = longest.windows(2).map(step).sum();
        // half axes of the ellipse, without the margins; its circumference after Ramanujan
        let ((left, right), (top, bottom)) = frames(&circle)[0];
        let (a, b) = (0.5 * (right - left) / 1.08, 0.5 * (bottom - top) / 1.12);
        length / (std::f64::consts::PI * (3.0 * (a + b) - ((3.0 * a + b) * (a + 3.0 * b)).sqrt()))
    };
    // few have few corners, and stay; of many one is left, from pixel to pixel
    // chords of a circle with few corners, written to a tenth of a pixel
    assert!((turns(1e-4) * std::f64::consts::TAU / 100.0 - 1.0).abs() < 0.01, "{}", turns(1e-4));
    // from pixel to pixel: a polygon of some hundred corners, each off by up to a pixel
    assert!((turns(1e-2) - 1.0).abs() < 0.05, "{}", turns(1e-2));
}

#[test]
fn a_short_line_is_drawn_corner_by_corner() {
    let svg = Figure::new("").panel(axes().line("", (0..2000).map(|k| (f64::from(k % 7), f64::from(k))))).svg();
    // 286 straight pieces, each with its two ends
    assert_eq!(lines(&svg)[0].len(), 572);
}

#[test]
fn neighbours_with_the_same_axis_share_it() {
    let panel = |to: f64| axes().line("", [(0.0, 0.0), (0.5 * to, 1.0), (to, 0.0)]);
    let plane =
        Panel::new(Axis::linear("x [m]"), Axis::linear("v [m/s]")).line("", [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0)]);
    let svg = Figure::new("").panel(panel(10.0)).panel(panel(5.0)).panel(plane).svg();
    assert_eq!(texts(&svg).iter().filter(|t| **t == "t [s]").count(), 1, "one label for both");
    let (left, right) = frames(&svg)[0].0;
    let all = lines(&svg);
    // the second line ends in the middle of the common axis
    // written to a tenth of a pixel, both the end and the frame
    assert!((all[2][2].0 - f64::midpoint(left, right)).abs() < 0.2);
    assert!(all[0][2].0 == right && all[4][1].0 < right, "a line that turns back stays off the frame");
    let heights: Vec<_> = frames(&svg).iter().map(|(_, y)| y.1 - y.0).collect();
    assert!(heights[0] == heights[1] && heights[2] > heights[0]);
}

#[test]
fn several_lines_have_colours_and_a_legend_and_one_has_none() {
    let many =
        |n: usize| (0..n).fold(axes(), |panel, k| panel.line(format!("line {k}"), [(0.0, 0.0), (1.0, k as f64)]));
    let svg = Figure::new("").panel(many(14)).svg();
    assert!((0..14).all(|k| texts(&svg).contains(&&*format!("line {k}"))));
    // the pens of the lines, not of grid and frame
    let pens = svg.split("<g ").skip(1).map(|g| g.split('>').next().unwrap()).filter(|pen| pen.contains("width=\"2\""));
    let mut pens: Vec<_> = pens.collect();
    pens.sort_unstable();
    pens.dedup();
    assert_eq!(pens.len(), 14, "no two alike");
    let svg = Figure::new("").panel(many(1)).svg();
    assert!(!texts(&svg).contains(&"line 0"));
}

#[test]
fn the_name_of_a_file_says_whether_it_is_a_picture() {
    let of = |name: &str| ImageFormat::of(Path::new(name));
    assert_eq!(
        [of("a.svg"), of("a.PNG"), of("png"), of("a.csv")],
        [Some(ImageFormat::Svg), Some(ImageFormat::Png), None, None]
    );
}

#[test]
fn a_picture_is_written_as_its_name_says() {
    let figure = Figure::new("").panel(axes());
    let write = |name: &str| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        figure.write(&path, ImageFormat::of(&path).unwrap()).map(|()| std::fs::read(path).unwrap()[..4].to_vec())
    };
    assert_eq!(write("figure.svg").unwrap(), b"<svg");
    if cfg!(feature = "png") {
        assert_eq!(write("figure.png").unwrap(), b"\x89PNG");
    } else {
        assert!(write("figure.png").unwrap_err().to_string().contains("feature 'png'"));
    }
}

#[test]
fn series_of_one_name_share_a_pen_and_an_entry() {
    let line = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)];
    let panel = axes().band("fit", line.map(|(x, y)| [x, y - 0.1, y + 0.1])).line("fit", line).points("data", line);
    let svg = Figure::new("").panel(panel).svg();
    assert_eq!(texts(&svg).iter().filter(|t| **t == "fit").count(), 1);
    // the blue of the first pen: area and line, in the frame and in the legend
    assert_eq!((svg.matches("fill=\"#0072b2\"").count(), svg.matches("stroke=\"#0072b2\"").count()), (2, 2));
}

#[test]
fn fixed_limits_cut_what_is_beyond() {
    // with a corner in the middle of what is left of it
    let line = (0..=10).map(|k| (f64::from(k), if k == 4 { 4.1 } else { f64::from(k) }));
    let figure = Figure::new("").panel(
        Panel::new(Axis::linear("t [s]").limits(2.5, 7.5), Axis::linear("x [m]").limits(0.0, 5.0)).line("", line),
    );
    let (((left, right), (top, bottom)), line) = (frames(&figure.svg())[0], lines(&figure.svg())[0].clone());
    // from the left edge at x = 2.5, half way up, to the top at t = 5, half way across; to a tenth of a pixel
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() < 0.11 && (a.1 - b.1).abs() < 0.11;
    assert!(near(line[0], (left, f64::midpoint(top, bottom))), "{line:?}");
    assert!(near(*line.last().unwrap(), (f64::midpoint(left, right), top)), "{line:?}");
}

#[test]
fn panels_stand_beside_each_other() {
    let panel = || axes().line("", [(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]);
    let svg = Figure::new("").panel(panel()).beside(panel()).panel(panel()).beside(panel()).panel(panel()).svg();
    let frames = frames(&svg);
    let [a, b, c, d, e] = frames[..] else { panic!("{frames:?}") };
    assert!(a.1 == b.1 && c.1 == d.1 && a.0 == c.0 && b.0 == d.0, "rows and columns: {frames:?}");
    assert!(a.0.1 < b.0.0 && a.1.1 < c.1.0 && e.0.0 <= a.0.0 && e.0.1 >= b.0.1);
    assert_eq!(texts(&svg).iter().filter(|t| **t == "t [s]").count(), 3, "shared in each column, and the last one");
}

#[test]
fn themes_differ_in_colours_only() {
    let figure = Figure::new("a").panel(axes().line("b", [(0.0, 0.0), (1.0, 1.0)]).horizontal_line("c", 0.5));
    let shapes = |svg: &str| {
        let mut parts = svg.split('#');
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |out, part| out + &part[6..])
    };
    let (light, dark) = (figure.svg(), figure.clone().theme(Theme::Dark).svg());
    assert!(light != dark && shapes(&light) == shapes(&dark));
}

#[test]
fn lines_of_equal_value_on_a_plane_are_straight() {
    let at: Vec<f64> = (0..12).map(f64::from).collect();
    let plane: Vec<Vec<f64>> = at.iter().map(|y| at.iter().map(|x| x + 2.0 * y).collect()).collect();
    let heat = HeatMap::new(Axis::linear("z [m]"), at.clone(), at, plane).contours([7.0, 19.0]);
    let svg = Figure::new("").panel(Panel::new(Axis::linear("x [m]"), Axis::linear("y [m]")).heat_map(heat)).svg();
    let ((left, right), (top, bottom)) = frames(&svg)[0];
    // cells reach half a step beyond the grid, on either side
    let value = |p: &(f64, f64)| {
        let (x, y) = ((p.0 - left) / (right - left), (bottom - p.1) / (bottom - top));
        12.0 * x - 0.5 + 2.0 * (12.0 * y - 0.5)
    };
    let all = lines(&svg);
    let on = |level: f64| {
        // a tenth of a pixel is 0.004 of the value
        all.iter().filter(|line| line.len() > 6 && line.iter().all(|p| (value(p) - level).abs() < 0.01)).count()
    };
    assert_eq!((on(7.0), on(19.0)), (1, 1));
    assert!(texts(&svg).contains(&"7") && texts(&svg).contains(&"19") && texts(&svg).contains(&"z [m]"));
}

#[test]
fn a_matrix_has_its_cells() {
    let row = |k: usize| {
        [MatrixCell::new("0.5").shade(0.5), MatrixCell::new(k.to_string()).mark(CellMark::Full), MatrixCell::default()]
    };
    let matrix = Matrix::new(["stick", "slip", "lag"]).row("coulomb", row(1)).row("lugre", row(2)).row("short", []);
    let svg = Figure::new("").matrix(matrix.key(CellMark::Full, "yes")).svg();
    for text in ["stick", "slip", "lag", "coulomb", "lugre", "short", "yes", "1", "2"] {
        assert_eq!(texts(&svg).iter().filter(|t| **t == text).count(), 1, "{text}");
    }
    assert_eq!(texts(&svg).iter().filter(|t| **t == "0.5").count(), 2);
    assert_eq!(svg.matches("crispEdges").count(), 2, "two are shaded");
}

#[cfg(feature = "png")]
mod png {
    use super::{Figure, axes, lines};
    use std::collections::HashSet;
    use tiny_skia::{Pixmap, PremultipliedColorU8};

    fn pixels(figure: &Figure, scale: f64) -> Pixmap {
        Pixmap::decode_png(&figure.png(scale).unwrap()).unwrap()
    }

    fn dark(c: &PremultipliedColorU8) -> bool {
        c.red() < 0x60 && c.green() < 0x60 && c.blue() < 0x60
    }

    #[test]
    fn shows_the_same_as_the_svg() {
        let figure = Figure::new("").panel(axes().line("", [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]));
        let picture = pixels(&figure, 2.0);
        assert_eq!((picture.width(), f64::from(picture.height())), (1440, 2.0 * height(&figure.svg())));
        // away from the ends, which the frame covers
        let line = &lines(&figure.svg())[0];
        for (a, b) in [(line[0], line[1]), (line[1], line[2])] {
            let at = (a.0 + b.0, a.1 + b.1);
            let found = picture.pixel(at.0 as u32, at.1 as u32).unwrap();
            assert_eq!((found.red(), found.green(), found.blue(), found.alpha()), (0x00, 0x72, 0xb2, 255));
        }
        assert!(picture.pixels().iter().all(|c| c.alpha() == 255), "no background shines through");
    }

    #[test]
    fn marks_and_maps_are_the_same_as_in_the_svg() {
        let at = [0.0, 1.0];
        let heat = super::HeatMap::new(super::Axis::linear("z"), at, at, [vec![0.0, 0.0], vec![0.0, 1.0]]).contours([]);
        let figure = Figure::new("").panel(axes().heat_map(heat).points("", [(0.5, 0.0)]));
        let (picture, svg) = (pixels(&figure, 2.0), figure.svg());
        let ((left, right), (top, bottom)) = super::frames(&svg)[0];
        let colour = |x: f64, y: f64| {
            let at = (left + x * (right - left), bottom - y * (bottom - top));
            let found = picture.pixel((2.0 * at.0) as u32, (2.0 * at.1) as u32).unwrap();
            format!("#{:02x}{:02x}{:02x}", found.red(), found.green(), found.blue())
        };
        // the darkest and the brightest of viridis, and the mark in the middle of the lower cells
        assert_eq!([colour(0.2, 0.8), colour(0.8, 0.8), colour(0.5, 0.25)], ["#440154", "#fde725", "#0072b2"]);
        assert!(["#440154", "#fde725", "#0072b2"].iter().all(|colour| svg.contains(colour)));
    }

    fn height(svg: &str) -> f64 {
        svg.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    }

    #[test]
    fn text_is_drawn_and_smooth() {
        let picture = |title| pixels(&Figure::new(title).panel(axes()), 1.0);
        // the rows of the title hold its ink only
        let ink = |title| picture(title).pixels()[..720 * 38].iter().filter(|c| dark(c)).count();
        let shades: HashSet<_> = picture("Stiction").pixels()[..720 * 38].iter().map(|c| c.red()).collect();
        assert!(ink("Stiction σ²") > ink("Stiction") && ink("Stiction") > 50 && shades.len() > 20);
    }

    #[test]
    fn a_size_that_cannot_be_is_refused() {
        assert!(Figure::new("").panel(axes()).png(0.0).is_err());
    }
}
